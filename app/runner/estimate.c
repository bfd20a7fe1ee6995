/* SPDX-License-Identifier: MIT
 *
 * The estimate of a run: memory, floor, and the target's answer to each plan and to each of its
 * seams. Only asks the backend questions; allocates no tensor.
 */
#include "app/runner/run-private.h"

#include <math.h>

/* Fields. */

#define REAL(T, m)                                                                                 \
  {                                                                                                \
    SEAM_FIELD (T, m, DOUBLE)                                                                      \
  }
#define KNOWN(T, m)                                                                                \
  {                                                                                                \
    SEAM_FIELD (T, m, DOUBLE), .from_zero = TRUE                                                   \
  }
#define LONG_TEXT(T, m)                                                                            \
  {                                                                                                \
    SEAM_FIELD (T, m, TEXT), .flags = SEAM_LONG                                                    \
  }
/* A rate; 0: unknown. */
#define RATE(m)                                                                                    \
  {                                                                                                \
    SEAM_FIELD (SeamRates, m, DOUBLE), .flags = SEAM_OPTIONAL, .from_zero = TRUE                   \
  }
#define AT(n, m, K)                                                                                \
  {                                                                                                \
    .name = n, SEAM_AT (SeamEstimate, m, K)                                                        \
  }
/* A field that has another name in CSV. */
#define NAMED(T, n, c, m, K)                                                                       \
  {                                                                                                \
    .name = n, .column = c, SEAM_AT (T, m, K)                                                      \
  }

static const SeamField seam_fields[] = {
  { SEAM_FIELD (SeamSeamEstimate, fused, BOOLEAN) },
  { SEAM_FIELD (SeamSeamEstimate, can_toggle, BOOLEAN) },
  LONG_TEXT (SeamSeamEstimate, reason),
  KNOWN (SeamSeamEstimate, bytes),
  { NULL },
};

static const SeamRecordType seam_type = {
  .name = "seam",
  .size = sizeof (SeamSeamEstimate),
  .fields = seam_fields,
  .max = SEAM_MAX_OPS,
};

static const SeamField plan_fields[] = {
  { SEAM_FIELD (SeamPlanEstimate, text, TEXT) },
  { SEAM_FIELD (SeamPlanEstimate, notation, TEXT), .flags = SEAM_REQUIRED },
  { SEAM_FIELD (SeamPlanEstimate, name, TEXT) },
  { SEAM_FIELD (SeamPlanEstimate, can_run, BOOLEAN) },
  LONG_TEXT (SeamPlanEstimate, message),
  { SEAM_FIELD (SeamPlanEstimate, bytes, DOUBLE), .column = "modelled_bytes", .from_zero = TRUE },
  { SEAM_FIELD (SeamPlanEstimate, flop, DOUBLE), .column = "modelled_flop", .from_zero = TRUE },
  REAL (SeamPlanEstimate, full_rate_ns),
  REAL (SeamPlanEstimate, floor_ns),
  REAL (SeamPlanEstimate, guess_ns),
  REAL (SeamPlanEstimate, guess_low_ns),
  REAL (SeamPlanEstimate, guess_high_ns),
  LONG_TEXT (SeamPlanEstimate, guess_reason),
  REAL (SeamPlanEstimate, execution_bytes),
  { SEAM_FIELD (SeamPlanEstimate, n_kernels, INT), .flags = SEAM_OPTIONAL, .initial = -1, .min = -1,
    .max = G_MAXINT },
  { SEAM_FIELD (SeamPlanEstimate, groups, RECORDS), SEAM_COUNT (SeamPlanEstimate, n_groups),
    .type = &seam_support_type },
  { SEAM_FIELD (SeamPlanEstimate, seams, RECORDS), SEAM_COUNT (SeamPlanEstimate, n_seams),
    .type = &seam_type },
  { NULL },
};

const SeamRecordType seam_plan_estimate_type = {
  .name = "plan",
  .size = sizeof (SeamPlanEstimate),
  .fields = plan_fields,
  .max = SEAM_RUN_MAX_PLANS,
};

static const SeamField rates_fields[] = {
  RATE (bytes_per_s),
  RATE (flop_per_s),
  RATE (cache_bytes),
  { SEAM_FIELD (SeamRates, cold, BOOLEAN) },
  { SEAM_FIELD (SeamRates, more_caches, BOOLEAN) },
  { NULL },
};

static const SeamRecordType rates_type = {
  .name = "rates",
  .size = sizeof (SeamRates),
  .fields = rates_fields,
};

static const SeamField ceiling_fields[] = {
  REAL (SeamCeiling, memory_ns),
  REAL (SeamCeiling, compute_ns),
  REAL (SeamCeiling, memory_bytes),
  REAL (SeamCeiling, unfused_bytes),
  NAMED (SeamCeiling, "unfused_ns", "unfused_full_rate_ns", unfused_ns, DOUBLE),
  NAMED (SeamCeiling, "gain_bytes", "most_gain_bytes", gain_bytes, DOUBLE),
  { SEAM_FIELD (SeamCeiling, tensors_fit_cache, BOOLEAN) },
  { NULL },
};

static const SeamRecordType ceiling_type = {
  .name = "ceiling",
  .size = sizeof (SeamCeiling),
  .fields = ceiling_fields,
};

/* The fields of an estimate; the text for each pitfall has the pitfall's name. */
static const SeamField estimate_fields[] = {
  KNOWN (SeamEstimate, bytes_needed),
  KNOWN (SeamEstimate, bytes_free),
  { SEAM_FIELD (SeamEstimate, no_memory, TEXT) },
  REAL (SeamEstimate, foreign_load),
  NAMED (SeamEstimate, "floor_bytes", "fewest_bytes", floor.bytes, DOUBLE),
  NAMED (SeamEstimate, "floor_flop", "flop", floor.flop, DOUBLE),
  NAMED (SeamEstimate, "floor_ns", "problem_floor_ns", floor.floor_ns, DOUBLE),
  AT ("floor_memory_bound", floor.memory_bound, BOOLEAN),
  NAMED (SeamEstimate, "floor_source", "rates_source", floor_source, TEXT),
  { SEAM_FIELD (SeamEstimate, rates, INLINE), .type = &rates_type },
  { SEAM_FIELD (SeamEstimate, ceiling, INLINE), .type = &ceiling_type },
  AT ("no-pitfall-zeros", pitfalls[0], TEXT),
  AT ("no-pitfall-no-warm-up", pitfalls[1], TEXT),
  AT ("no-pitfall-warm-l2", pitfalls[2], TEXT),
  AT ("no-pitfall-hidden-tf32", pitfalls[3], TEXT),
  AT ("no-pitfall-host-timer", pitfalls[4], TEXT),
  AT ("no-pitfall-flush-inside", pitfalls[5], TEXT),
  { SEAM_FIELD (SeamEstimate, plans, RECORDS), SEAM_COUNT (SeamEstimate, n_plans),
    .flags = SEAM_REQUIRED, .type = &seam_plan_estimate_type },
  { NULL },
};

static void
complete_estimate (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamEstimate *estimate = record;

  estimate->ceiling.floor = estimate->floor;
  estimate->ceiling.rates = estimate->rates;
}

const SeamRecordType seam_estimate_type = {
  .name = "estimate",
  .size = sizeof (SeamEstimate),
  .fields = estimate_fields,
  .complete = complete_estimate,
};

void
seam_estimate_free (SeamEstimate *estimate)
{
  seam_record_free (&seam_estimate_type, estimate);
}

GVariant *
seam_estimate_to_variant (const SeamEstimate *estimate)
{
  return seam_record_to_variant (&seam_estimate_type, estimate, TRUE);
}

SeamEstimate *
seam_estimate_from_variant (GVariant *variant, GError **error)
{
  return seam_record_new_from_variant (&seam_estimate_type, variant, error);
}

/* The plans of an estimate. */

double
seam_plan_estimate_get_copied_bytes (const SeamPlanEstimate *plan)
{
  double bytes = 0;

  for (int i = 0; i < plan->n_groups; i++)
    bytes += plan->groups[i].copied_bytes;
  return bytes;
}

gboolean
seam_plan_estimate_knows_copies (const SeamPlanEstimate *plan)
{
  for (int i = 0; i < plan->n_groups; i++)
    if (plan->groups[i].level != SEAM_SUPPORT_NO && !plan->groups[i].knows_copies)
      return FALSE;
  return TRUE;
}

/* A fused seam can always be cut. A cut seam can be fused only if the target turns the resulting
 * group into a single kernel or call; anything else would be fusion only in name. */
static void
estimate_seam (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
               const SeamPlan *plan, int seam, SeamSeamEstimate *estimate)
{
  gboolean fused = seam_plan_get_fused_seams (plan) >> seam & 1;

  estimate->fused = fused;
  estimate->can_toggle = TRUE;
  estimate->bytes = seam_plan_seam_bytes (problem, plan, seam);
  if (fused)
    return;
  g_autoptr (SeamPlan) toggled = seam_plan_toggle (plan, seam);
  SeamGroupSpec spec = { .problem = problem, .plan = toggled, .math_mode = mode };
  SeamSupport support = { 0 };
  while (toggled->groups[spec.group].last < seam)
    spec.group++;
  device->backend->supports (device, &spec, &support);
  if (support.level != SEAM_SUPPORT_YES) {
    estimate->can_toggle = FALSE;
    estimate->reason = g_strdup (
        support.reason != NULL ? support.reason : "These ops cannot be joined on this target.");
  }
  seam_support_clear (&support);
}

static void
guess_groups (const SeamKnown *known, const SeamProblem *problem, const SeamPlan *plan,
              const SeamSupport *groups, SeamGuess *guess)
{
  const char *implementations[SEAM_MAX_OPS];
  double copied_bytes[SEAM_MAX_OPS];

  for (int i = 0; i < plan->n_groups; i++) {
    implementations[i] = groups[i].executed;
    copied_bytes[i] = groups[i].copied_bytes;
  }
  seam_guess (known, problem, plan, implementations, copied_bytes, guess);
}

static void
guess_plan (const SeamKnown *known, const SeamProblem *problem, const SeamPlan *plan,
            SeamPlanEstimate *estimate)
{
  SeamGuess guess;

  guess_groups (known, problem, plan, estimate->groups, &guess);
  estimate->guess_ns = guess.ns;
  estimate->guess_low_ns = guess.low_ns;
  estimate->guess_high_ns = guess.high_ns;
  estimate->guess_reason = seam_guess_explain (&guess, plan);
}

static void
estimate_plan (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
               const SeamRates *rates, const SeamKnown *known, SeamResolved *resolved,
               SeamPlanEstimate *estimate)
{
  SeamPlanLimit limit;

  seam_plan_limit (problem, resolved->plan, rates, &limit);
  estimate->text = g_strdup (resolved->text);
  estimate->notation = g_strdup (resolved->plan->notation);
  estimate->name = g_strdup (resolved->name);
  estimate->can_run = resolved->can_run;
  estimate->message = g_strdup (resolved->message);
  estimate->flop = limit.flop;
  estimate->floor_ns = limit.floor_ns;
  estimate->execution_bytes =
      seam_memory_needed (problem, &resolved->plan, 1, device->info, mode, FALSE, FALSE, TRUE);
  /* The estimate takes over the answers of the resolved plan, which gives them up below. */
  estimate->n_groups = resolved->n_groups;
  estimate->groups = g_memdup2 (resolved->groups, resolved->n_groups * sizeof (SeamSupport));
  for (int i = 0; i < estimate->n_groups; i++) {
    if (estimate->n_kernels < 0 || estimate->groups[i].n_kernels < 0)
      estimate->n_kernels = -1;
    else
      estimate->n_kernels += estimate->groups[i].n_kernels;
  }
  resolved->n_groups = 0;
  estimate->bytes = limit.bytes + seam_plan_estimate_get_copied_bytes (estimate);
  estimate->full_rate_ns =
      limit.full_rate_ns
      + (rates->bytes_per_s > 0 ? 1e9 * (estimate->bytes - limit.bytes) / rates->bytes_per_s : 0);
  if (estimate->can_run)
    guess_plan (known, problem, resolved->plan, estimate);
  else
    estimate->guess_ns = estimate->guess_low_ns = estimate->guess_high_ns = NAN;
  estimate->n_seams = seam_plan_get_chain (resolved->plan)->n_ops - 1;
  estimate->seams = g_new0 (SeamSeamEstimate, estimate->n_seams);
  for (int seam = 0; seam < estimate->n_seams; seam++)
    estimate_seam (device, problem, mode, resolved->plan, seam, &estimate->seams[seam]);
}

static gboolean
estimate_plans (SeamDevice *device, const SeamProblem *problem, const SeamRunRequest *request,
                const SeamKnown *known, SeamEstimate *estimate, GError **error)
{
  SeamMathMode mode = seam_resolve_mode (device, request->settings.math_mode);
  gboolean with_fp64 = seam_settings_is_against_fp64 (&request->settings);
  SeamPlan *plans[SEAM_RUN_MAX_PLANS + 1];
  SeamResolved resolved[SEAM_RUN_MAX_PLANS + 1] = { 0 };
  guint n = g_strv_length (request->plans), n_resolved = 0;
  gboolean ok = TRUE;
  int n_plans = 0;

  estimate->plans = g_new0 (SeamPlanEstimate, n);
  for (guint i = 0; ok && i < n; i++) {
    ok = seam_resolve_listed (device, problem, request, mode, (int)i, &resolved[i], error);
    n_resolved += ok;
  }
  if (ok && request->settings.against != NULL && request->settings.against[0] != '\0'
      && !with_fp64) {
    ok = seam_resolve (device, problem, request, mode, request->settings.against, &resolved[n],
                       error);
    n_resolved += ok;
  }
  for (guint i = 0; ok && i < n_resolved; i++) {
    gboolean listed = FALSE;
    for (guint j = 0; i == n && j < n; j++)
      listed = listed || seam_plan_equal (resolved[i].plan, resolved[j].plan);
    if (resolved[i].can_run && !listed)
      plans[n_plans++] = resolved[i].plan;
  }
  const gboolean is_whole =
      with_fp64
      && seam_reference_is_whole (problem, request->reference_extent, device->reference_macs);
  for (int shares = 0; ok && shares < 2; shares++)
    if (shares == 0 || estimate->bytes_needed > estimate->bytes_free)
      estimate->bytes_needed = seam_memory_needed (problem, plans, n_plans, device->info, mode,
                                                   request->settings.cold, is_whole, shares);
  g_autoptr (GError) refusal = NULL;
  gboolean shares;
  /* A run that may choose takes a reference in slices instead, which needs no memory there. */
  if (ok
      && !seam_memory_check (problem, plans, n_plans, device->info, mode, request->settings.cold,
                             is_whole && request->reference_extent != SEAM_REFERENCE_AUTO,
                             estimate->bytes_free, &shares, &refusal))
    estimate->no_memory = g_strdup (refusal->message);
  for (guint i = 0; ok && i < n; i++)
    estimate_plan (device, problem, mode, &estimate->rates, known, &resolved[i],
                   &estimate->plans[estimate->n_plans++]);
  for (guint i = 0; i < n_resolved; i++)
    seam_resolved_clear (&resolved[i]);
  return ok;
}

/* What is known of the request on the device. */
static SeamKnown *
recall_known (SeamDevice *device, const SeamProblem *problem, const SeamRunRequest *request,
              const SeamRates *rates, const SeamRecall *recall)
{
  SeamSettings settings = request->settings;

  settings.math_mode = seam_resolve_mode (device, settings.math_mode);
  SeamKnown *known = seam_known_new (device->info, problem, &settings, rates);
  if (recall != NULL && recall->add != NULL)
    recall->add (known, problem->pipeline->id, recall->data);
  return known;
}

void
seam_run_guess (SeamRun *run)
{
  SeamRunner *runner = run->runner;
  SeamRates rates;

  /* A pitfall is another setting, and nobody estimates it. */
  if (run->request->pitfalls != 0)
    return;
  seam_run_get_rates (runner->device, run->request->settings.math_mode, run->cold, &rates);
  g_autoptr (SeamKnown) known =
      recall_known (runner->device, runner->problem, run->request, &rates, &runner->recall);
  for (int i = 0; i < runner->n_plans; i++) {
    const SeamResolved *resolved = &runner->plans[i].resolved;
    SeamPlanResult *plan = &run->result->plans[i];
    SeamGuess guess;
    int at;
    const SeamResult *past = seam_known_find_run (known, plan->notation, &at, &plan->guess_ns);

    if (past != NULL) {
      plan->recalled_ns = past->plans[at].median_ns;
      plan->recalled_at = g_strdup (past->started_at);
    } else if (resolved->can_run && resolved->plan->chain == 0
               && strstr (plan->notation, "@edited") == NULL) {
      guess_groups (known, runner->problem, resolved->plan, resolved->groups, &guess);
      plan->guess_ns = guess.ns;
    }
  }
}

SeamEstimate *
seam_run_estimate (SeamDevice *device, const SeamRunRequest *request, const SeamRecall *recall,
                   GError **error)
{
  g_autoptr (SeamDevice) opened = NULL;

  if (!seam_run_request_check (request, error))
    return NULL;
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, error);
  if (problem == NULL)
    return NULL;
  if (device == NULL) {
    opened = seam_backend_open (request->target, error);
    if (opened == NULL)
      return NULL;
    device = opened;
  }
  g_autoptr (SeamEstimate) estimate = g_new0 (SeamEstimate, 1);
  estimate->foreign_load = NAN;
  const SeamDeviceInfo *info = device->info;
  seam_run_get_rates (device, request->settings.math_mode, request->settings.cold,
                      &estimate->rates);
  seam_ceiling (problem, &estimate->rates, &estimate->ceiling);
  estimate->floor = estimate->ceiling.floor;
  estimate->floor_source = g_strdup (info->rates_source);
  estimate->bytes_free = (double)device->backend->get_free_memory (device);
  for (int i = 0; i < SEAM_N_PITFALLS; i++)
    estimate->pitfalls[i] = seam_run_refuse_pitfall (device, request, SEAM_PITFALL_AT (i));
  g_autoptr (SeamKnown) known = recall_known (device, problem, request, &estimate->rates, recall);
  if (!estimate_plans (device, problem, request, known, estimate, error))
    return NULL;
  return g_steal_pointer (&estimate);
}
