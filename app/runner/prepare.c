/* SPDX-License-Identifier: MIT
 *
 * A run up to its first execution: plans resolved, memory checked, the result's provenance, tensors
 * and intermediates allocated, groups prepared.
 */
#include "app/runner/run-private.h"

#include "app/pipeline/hint.h"

#include "app/compare/compare.h"
#include "app/version.h"

#include <math.h>
#include <string.h>

/* `index`: place in the request's list, or -1. */
static gboolean
add_plan (SeamRun *run, const char *text, int index, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamRunnerPlan plan = { .device = runner->device, .mode = run->mode };

  /* With several plans, the pitfall speeds up all but the first; with a single plan, that plan. */
  if ((run->request->pitfalls & SEAM_PITFALL_HIDDEN_TF32)
      && (runner->n_plans > 0 || run->request->plans[1] == NULL))
    plan.mode = SEAM_MATH_TF32;
  if (index >= 0 ? !seam_resolve_listed (runner->device, runner->problem, run->request, plan.mode,
                                         index, &plan.resolved, error)
                 : !seam_resolve (runner->device, runner->problem, run->request, plan.mode, text,
                                  &plan.resolved, error))
    return FALSE;
  seam_memory_place (runner->problem, plan.resolved.plan, FALSE, &plan.placement);
  runner->plans[runner->n_plans++] = plan;
  return TRUE;
}

/* Resolves the plans and what they are compared with: the first plan, another plan of the list,
 * FP64, or a plan outside the list, which is then measured with the others. */
gboolean
seam_run_add_plans (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;
  const char *against = run->request->settings.against;
  guint n = g_strv_length (run->request->plans);

  runner->plans = g_new0 (SeamRunnerPlan, n + 1);
  for (guint i = 0; i < n; i++)
    if (!add_plan (run, run->request->plans[i], (int)i, error))
      return FALSE;
  if (against == NULL || against[0] == '\0')
    return TRUE;
  if (seam_settings_is_against_fp64 (&run->request->settings)) {
    run->against = -1;
    return TRUE;
  }
  if (!add_plan (run, against, -1, error))
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (seam_plan_equal (runner->plans[i].resolved.plan, runner->plans[n].resolved.plan)) {
      run->against = (int)i;
      seam_resolved_clear (&runner->plans[--runner->n_plans].resolved);
      return TRUE;
    }
  run->against = (int)n;
  return TRUE;
}

/* Compiles edited code. A mistake in it ends the run, so that it is known at once: before tensors
 * are made and other plans are measured. */
gboolean
seam_run_check_edits (SeamRun *run, GError **error)
{
  for (int i = 0; i < run->runner->n_plans; i++) {
    const SeamRunnerPlan *plan = &run->runner->plans[i];
    SeamDevice *device = plan->device;
    for (int group = 0; group < plan->resolved.n_groups; group++) {
      SeamGroupSpec spec = { run->runner->problem, plan->resolved.plan, group, plan->mode,
                             plan->resolved.edits[group] };
      g_autofree char *place = seam_edit_name_group (spec.plan->notation, group);
      SeamPrepared *code = NULL;
      if (spec.edit == NULL)
        continue;
      code = device->backend->prepare (device, &spec, NULL, run->cancel, error);
      if (code == NULL && !seam_cancel_check (run->cancel, NULL))
        g_prefix_error_literal (error, place);
      if (code == NULL)
        return FALSE;
      device->backend->free_prepared (device, code);
    }
  }
  return TRUE;
}

gboolean
seam_run_check_memory (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamDevice *device = runner->device;
  SeamPlan *plans[SEAM_RUN_MAX_PLANS + 1];
  const double free = (double)device->backend->get_free_memory (device);
  gboolean with_fp64 = run->against < 0
                       && seam_reference_is_whole (runner->problem, run->request->reference_extent,
                                                   device->reference_macs);
  int n = 0;

  for (int i = 0; i < runner->n_plans; i++)
    if (runner->plans[i].resolved.can_run)
      plans[n++] = runner->plans[i].resolved.plan;
  /* Slices of the reference take none of the device's memory. */
  if (run->request->reference_extent == SEAM_REFERENCE_AUTO)
    with_fp64 = with_fp64
                && seam_memory_check (runner->problem, plans, n, device->info, run->mode, run->cold,
                                      TRUE, free, &runner->shares_output, NULL);
  if (!seam_memory_check (runner->problem, plans, n, device->info, run->mode, run->cold, with_fp64,
                          free, &runner->shares_output, error))
    return FALSE;
  for (int i = 0; i < runner->n_plans && runner->shares_output; i++)
    seam_memory_place (runner->problem, runner->plans[i].resolved.plan, TRUE,
                       &runner->plans[i].placement);
  return TRUE;
}

static void
describe_plan (SeamRun *run, int index)
{
  const SeamResolved *resolved = &run->runner->plans[index].resolved;
  SeamPlanResult *plan = &run->result->plans[index];
  SeamPlanCost cost;

  seam_plan_cost (run->runner->problem, resolved->plan, &cost);
  plan->name = g_strdup (resolved->name);
  plan->notation = g_strdup (resolved->plan->notation);
  plan->exhibit = resolved->plan->chain > 0;
  plan->message = g_strdup (resolved->message);
  plan->n_groups = resolved->plan->n_groups;
  plan->bytes = cost.bytes;
  plan->flop = cost.flop;
}

/* One tolerance alone: the other is 0. */
static void
choose_tolerances (SeamRun *run)
{
  const SeamSettings *settings = &run->request->settings;
  const gboolean by_bound = isnan (settings->atol) && isnan (settings->rtol);

  run->atol = isnan (settings->atol) && !by_bound ? 0 : settings->atol;
  run->rtol = isnan (settings->rtol) && !by_bound ? 0 : settings->rtol;
}

static const char *
get_preset_name (const SeamRunRequest *request)
{
  const SeamPipeline *pipeline = request->pipeline;

  /* The request's preset name may be out of date, so the values decide. */
  for (int i = 0; i < pipeline->n_presets; i++)
    if (memcmp (pipeline->presets[i].values, request->values,
                sizeof (gint64) * (gsize)pipeline->n_fields)
        == 0)
      return pipeline->presets[i].name;
  return NULL;
}

/* Adds the storage to the plans' messages in words, for programs that do not know storage. */
static void
note_storage (SeamRun *run)
{
  const char *stored =
      seam_storage_describe (run->request->settings.storage, run->request->settings.math_mode);

  if (stored == NULL)
    return;
  g_autofree char *sentence = g_strdup_printf ("The plan runs with %s.", stored);
  for (int i = 0; i < run->runner->n_plans; i++) {
    const SeamPlan *plan = run->runner->plans[i].resolved.plan;
    if (plan != NULL && (plan->n_groups > 1 || run->request->settings.storage == SEAM_STORAGE_ALL))
      seam_run_add_message (&run->result->plans[i], sentence);
  }
}

void
seam_run_describe (SeamRun *run)
{
  const SeamRunRequest *request = run->request;
  SeamRunner *runner = run->runner;
  SeamResult *result = run->result = seam_result_new (runner->n_plans);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  SeamFloor floor;

  choose_tolerances (run);
  seam_result_set_pipeline (result, request->pipeline);
  result->shape = seam_problem_format_shape (runner->problem);
  result->shape_text = seam_problem_describe_shape (runner->problem);
  result->n_values = request->pipeline->n_fields;
  result->values = g_memdup2 (request->values, sizeof (gint64) * (gsize)result->n_values);
  result->preset = g_strdup (get_preset_name (request));
  seam_record_clear (&seam_settings_type, &result->settings);
  seam_record_copy (&seam_settings_type, &result->settings, &request->settings);
  g_clear_pointer (&result->settings.against, g_free); /* set at the end of the run */
  if (request->tensors_dir != NULL) {
    result->settings.distribution = SEAM_DISTRIBUTION_FILES;
    result->settings.init_mode = SEAM_INIT_MODE_FRAMEWORK;
  }
  if (request->pitfalls & SEAM_PITFALL_ZEROS)
    result->settings.distribution = SEAM_DISTRIBUTION_ZEROS;
  result->settings.math_mode = run->mode;
  result->settings.cold = run->cold;
  result->settings.atol = run->atol;
  result->settings.rtol = run->rtol;
  result->pitfalls = seam_pitfalls_format (request->pitfalls);
  seam_record_copy (&seam_edits_type, &result->edits, &request->edits);
  result->device = seam_device_info_copy (runner->device->info);
  result->device->memory_free = runner->device->backend->get_free_memory (runner->device);
  result->program_version = g_strdup (seam_version ());
  result->started_at = g_date_time_format (now, "%Y-%m-%dT%H:%M:%SZ");
  result->against = run->against;
  seam_run_get_floor (runner->device, runner->problem, run->mode, run->cold, &floor);
  result->floor_ns = floor.floor_ns;
  result->floor_memory_bound = floor.memory_bound;
  for (int i = 0; i < runner->n_plans; i++)
    describe_plan (run, i);
  seam_run_guess (run);
  if (run->mode != request->settings.math_mode)
    seam_run_add_message (&result->plans[0],
                          "The CPU has no TF32: everything was computed in FP32.");
  note_storage (run);
  g_autofree char *missing = seam_runner_describe_missing_files (runner->problem, request);
  if (missing != NULL)
    seam_run_add_message (&result->plans[0], missing);
  if (result->pitfalls != NULL) {
    /* Programs that do not know pitfalls show the plans' messages, so these contain the warning. */
    g_autofree char *warning = seam_pitfalls_warn (result->pitfalls);
    g_autofree char *sentence = g_strconcat (warning, ".", NULL);
    for (int i = 0; i < runner->n_plans; i++)
      seam_run_add_message (&result->plans[i], sentence);
  }
}

/* "conv@cudnn|conv_bias+relu@generated": the implementation of each group. */
static char *
format_executed (const SeamRunnerPlan *plan)
{
  const SeamChain *chain = seam_plan_get_chain (plan->resolved.plan);
  GString *text = g_string_new (NULL);

  for (int i = 0; i < plan->n_prepared; i++) {
    const SeamGroup *group = &plan->resolved.plan->groups[i];
    for (int op = group->first; op <= group->last; op++)
      g_string_append_printf (text, "%s%s",
                              op > group->first ? "+"
                              : i > 0           ? "|"
                                                : "",
                              chain->ops[op].name);
    g_string_append_printf (text, "@%s", plan->device->backend->get_executed (plan->prepared[i]));
  }
  return g_string_free (text, FALSE);
}

static SeamTile *
collect_tiles (const SeamRunnerPlan *plan)
{
  const SeamBackend *backend = plan->device->backend;
  SeamTile *tiles = g_new0 (SeamTile, plan->n_prepared);

  for (int i = 0; i < plan->n_prepared && backend->get_tile != NULL; i++)
    backend->get_tile (plan->prepared[i], &tiles[i]);
  return tiles;
}

static void
add_note (SeamRun *run, int index, SeamPrepared *prepared)
{
  const SeamBackend *backend = run->runner->plans[index].device->backend;
  const char *note = backend->get_note != NULL ? backend->get_note (prepared) : NULL;
  const char *said = run->result->plans[index].message;

  /* A plan that is prepared again says it once. */
  if (note != NULL && (said == NULL || strstr (said, note) == NULL))
    seam_run_add_message (&run->result->plans[index], note);
}

static gboolean
prepare_plan (SeamRun *run, int index, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamRunnerPlan *plan = &runner->plans[index];
  const SeamProblem *problem = runner->problem;
  SeamBuffer *tensors[SEAM_MAX_TENSORS] = { NULL };
  int n_ops = problem->pipeline->chains[0].n_ops;

  plan->output =
      seam_runner_allocate (runner, problem->tensors[SEAM_TENSOR_OUTPUT (n_ops - 1)].bytes, error);
  if (plan->output == NULL)
    return FALSE;
  for (int i = 0; i < problem->n_tensors; i++) {
    int slot = plan->placement.slots[i];
    tensors[i] = slot == SEAM_SLOT_OUTPUT ? plan->output
                 : slot >= 0              ? runner->slots[slot]
                                          : runner->tensors[i];
    if (plan->device == runner->device || tensors[i] == NULL)
      continue;
    SeamBuffer *here = tensors[i];
    const gint64 bytes = problem->tensors[i].bytes;
    tensors[i] = plan->away[i] = plan->device->backend->allocate (plan->device, bytes, error);
    if (tensors[i] == NULL
        || (slot == SEAM_SLOT_NONE
            && !seam_runner_carry (runner, here, plan->device, tensors[i], bytes, FALSE,
                                   run->cancel, error)))
      return FALSE;
  }
  for (int group = 0; group < plan->resolved.plan->n_groups; group++) {
    SeamGroupSpec spec = { problem, plan->resolved.plan, group, plan->mode,
                           plan->resolved.edits[group] };
    if (seam_cancel_check (run->cancel, error))
      return FALSE;
    plan->prepared[group] =
        plan->device->backend->prepare (plan->device, &spec, tensors, run->cancel, error);
    if (plan->prepared[group] == NULL)
      return FALSE;
    plan->n_prepared++;
    add_note (run, index, plan->prepared[group]);
  }
  g_free (run->result->plans[index].executed);
  run->result->plans[index].executed = format_executed (plan);
  g_free (run->result->plans[index].tiles);
  run->result->plans[index].tiles = collect_tiles (plan);
  return TRUE;
}

gboolean
seam_run_allocate (SeamRun *run, GError **error)
{
  g_autoptr (GString) changes = g_string_new (NULL);

  seam_run_begin_step (run, SEAM_STEP_ALLOCATE);
  if (!seam_runner_make_tensors (run->runner, run->request, changes, run->cancel,
                                 seam_run_fraction_cb, run, error))
    return FALSE;
  if (changes->len > 0)
    seam_run_add_message (&run->result->plans[0], changes->str);
  if (run->runner->shares_output)
    seam_run_add_message (&run->result->plans[0],
                          "Memory is short, so values between kernels lie in the memory of the "
                          "outputs: an element that a plan forgets to write may hold such a value "
                          "instead of NaN.");
  for (int op = 0; op < run->runner->problem->pipeline->chains[0].n_ops; op++) {
    g_autofree char *hint =
        seam_op_find_hint (run->runner->problem, &run->runner->problem->pipeline->chains[0], op);
    if (hint != NULL)
      seam_run_add_message (&run->result->plans[0], hint);
  }
  run->prepare_s = -(double)g_get_monotonic_time () / G_USEC_PER_SEC;
  gboolean ok = seam_run_prepare_plans (run, error);
  run->prepare_s += (double)g_get_monotonic_time () / G_USEC_PER_SEC;
  return ok;
}

gboolean
seam_run_prepare_plans (SeamRun *run, GError **error)
{
  SeamRunner *runner = run->runner;
  SeamPlacement pool = runner->pool;

  for (int i = 0; i < runner->n_plans; i++)
    if (runner->plans[i].resolved.can_run)
      seam_memory_pool (&runner->plans[i].placement, &pool);
  for (int i = 0; i < pool.n_slots; i++) {
    if (runner->slots[i] != NULL && runner->pool.bytes[i] == pool.bytes[i])
      continue;
    seam_runner_release_slot (runner, i);
    runner->slots[i] = seam_runner_allocate (runner, pool.bytes[i], error);
    if (runner->slots[i] == NULL)
      return FALSE;
    runner->pool.bytes[i] = pool.bytes[i];
    runner->pool.n_slots = MAX (runner->pool.n_slots, i + 1);
  }
  for (int k = 0; k < runner->n_plans; k++) {
    int i = run->turned ? runner->n_plans - 1 - k : k;
    g_autoptr (GError) failure = NULL;
    if (run->state.step == SEAM_STEP_ALLOCATE) {
      run->state.plan = i;
      seam_run_fraction_cb ((double)i / runner->n_plans, run);
    }
    if (runner->plans[i].resolved.can_run && !prepare_plan (run, i, &failure)
        && !seam_run_fail_plan (run, i, g_steal_pointer (&failure), error))
      return FALSE;
  }
  return TRUE;
}

/* Bytes of the largest gap, over the 2 MB that a GPU allocates at a time, and of a line of cache.
 */
#define MOST_GAP (3 << 20)
#define GAP_UNIT 128
/* A move needs the memory twice, and leaves as much. */
#define MOVE_ROOM 3
/* Plans that took longer than this share of the budget to prepare stay. The first time, which
 * compiles and chooses, is the longest. */
#define PREPARE_SHARE 0.2

gboolean
seam_run_move_cb (gpointer data, GError **error)
{
  SeamRun *run = data;
  SeamRunner *runner = run->runner;
  const SeamBackend *backend = runner->device->backend;
  g_autoptr (GPtrArray) before = g_ptr_array_new ();
  double bytes = runner->n_plans * (double)seam_runner_get_output (runner)->bytes + MOST_GAP;
  double held = runner->bytes_held;
  gboolean stay = run->prepare_s > PREPARE_SHARE * run->request->settings.budget_s, ok;

  for (int i = 0; i < runner->pool.n_slots; i++)
    bytes += (double)runner->pool.bytes[i];
  for (int i = 0; i < runner->n_plans; i++)
    stay = stay || runner->plans[i].device != runner->device;
  if (stay || (double)backend->get_free_memory (runner->device) < MOVE_ROOM * bytes
      || seam_runner_keeps_code (runner))
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "The plans stay in their place in memory.");
  /* The old buffers stay until the new ones exist, else these would lie in their place. */
  for (int i = 0; i < runner->pool.n_slots; i++)
    g_ptr_array_add (before, g_steal_pointer (&runner->slots[i]));
  for (int i = 0; i < runner->n_plans; i++)
    g_ptr_array_add (before, g_steal_pointer (&runner->plans[i].output));
  g_ptr_array_add (before, g_steal_pointer (&runner->gap));
  seam_runner_release_work (runner);
  runner->gap = backend->allocate (
      runner->device, GAP_UNIT * (gint64)g_random_int_range (1, MOST_GAP / GAP_UNIT), NULL);
  run->turned = !run->turned;
  ok = seam_run_prepare_plans (run, error);
  for (guint i = 0; i < before->len; i++)
    backend->release (runner->device, before->pdata[i]);
  runner->bytes_held = held;
  for (int i = 0; i < runner->n_plans; i++) {
    SeamRunnerPlan *plan = &runner->plans[i];
    /* Stop may have left a plan without an output. */
    plan->has_output &= plan->output != NULL;
    if (!ok || !plan->has_output)
      continue;
    if (plan->n_prepared < plan->resolved.plan->n_groups)
      return seam_fail (error, SEAM_ERROR_INTERNAL, "%s could not be prepared again: run again.",
                        seam_plan_get_title (plan->resolved.plan));
    ok = backend->run (runner->device, plan->prepared, plan->n_prepared, run->cancel, error)
         && seam_run_capture_plan (run, plan, error);
  }
  return ok;
}
