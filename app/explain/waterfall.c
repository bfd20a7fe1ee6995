/* SPDX-License-Identifier: MIT
 *
 * Groups of A and B are matched by their main op, by its name: the matrix op, else the groupnorm,
 * else the last op. A group without a match was fused into another one (gone) or cut out of one
 * (added). Times are the medians of kernels in the traced pass; the ends are elapsed medians, and
 * what lies between trace and elapsed of both is a step (app/explain/pieces.h).
 */
#include "app/explain/waterfall.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/explain/pieces.h"
#include "app/explain/read-result.h"
#include "app/plan/traffic.h"

#include <math.h>
#include <string.h>

/* An unexplained remainder gets a sentence if it is at least this share of the longer time. */
#define REMAINDER_SHARE .05

typedef struct {
  const SeamPlanResult *result;
  SeamPieces pieces;
  SeamPlan *plan;
  const SeamChain *chain;
  int n_kernels[SEAM_MAX_OPS]; /* by group */
  double ns[SEAM_MAX_OPS];
  double sum_ns; /* of all groups */
  gboolean matched[SEAM_MAX_OPS];
} Side;

typedef struct {
  SeamWaterfall *waterfall;
  GArray *steps;
  const SeamProblem *problem;
  Side sides[2];
  double at_ns;
} Builder;

static gboolean
open_side (Side *side, const SeamResult *result, int index, GError **error)
{
  side->plan = seam_explain_read_plan (result, index, error);
  if (side->plan == NULL)
    return FALSE;
  side->result = &result->plans[index];
  seam_pieces_init (&side->pieces, result, index);
  side->chain = seam_plan_get_chain (side->plan);
  if (!isfinite (side->result->median_ns))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "Plan “%s” was not timed, so there is no way from one time to the other.",
                      seam_plan_get_title (side->plan));
  for (int i = 0; i < side->result->n_kernels; i++) {
    const SeamKernel *kernel = &side->result->kernels[i];

    if (kernel->group < 0 || kernel->group >= side->plan->n_groups)
      continue;
    side->n_kernels[kernel->group]++;
    side->ns[kernel->group] += kernel->median_ns;
    side->sum_ns += kernel->median_ns;
  }
  return TRUE;
}

static char *
describe_ops (const Side *side, int group)
{
  const SeamGroup *range = &side->plan->groups[group];
  GString *text = g_string_new (NULL);

  for (int op = range->first; op <= range->last; op++)
    g_string_append_printf (text, "%s%s", op > range->first ? " + " : "",
                            side->chain->ops[op].label);
  return g_string_free (text, FALSE);
}

static const SeamOp *
get_main_op (const Side *side, int group)
{
  const SeamGroup *range = &side->plan->groups[group];
  const SeamOp *ops = side->chain->ops, *main_op = &ops[range->last];

  for (int op = range->first; op <= range->last; op++) {
    if (seam_op_get_kind (&ops[op]) == SEAM_KIND_MATRIX)
      return &ops[op];
    if (seam_op_get_kind (&ops[op]) == SEAM_KIND_NORMALISATION)
      main_op = &ops[op];
  }
  return main_op;
}

static SeamOpKind
get_main_kind (const Side *side, int group)
{
  return seam_op_get_kind (get_main_op (side, group));
}

static int
find_match (const Builder *builder, int group_a)
{
  const char *name = get_main_op (&builder->sides[0], group_a)->name;

  for (int i = 0; i < builder->sides[1].plan->n_groups; i++)
    if (strcmp (get_main_op (&builder->sides[1], i)->name, name) == 0)
      return i;
  return -1;
}

/* Takes label and detail. */
static void
add_step (Builder *builder, SeamWaterfallKind kind, SeamOpKind op_kind, int group_a, int group_b,
          char *label, char *detail, double delta_ns)
{
  SeamWaterfallStep step = { .kind = kind,
                             .op_kind = op_kind,
                             .group_a = group_a,
                             .group_b = group_b,
                             .label = seam_keep (builder->waterfall, label),
                             .detail = seam_keep (builder->waterfall, detail),
                             .from_ns = builder->at_ns,
                             .to_ns = builder->at_ns + delta_ns };

  builder->at_ns = step.to_ns;
  g_array_append_val (builder->steps, step);
}

static void
add_gone (Builder *builder, int group)
{
  const Side *a = &builder->sides[0];
  g_autofree char *time = seam_text_time (a->ns[group]);
  char *ops = describe_ops (a, group);
  SeamGroupCost cost;

  seam_group_cost (builder->problem, a->plan, group, &cost);
  builder->waterfall->n_gone += a->n_kernels[group];
  builder->waterfall->gone_ns += a->ns[group];
  builder->waterfall->gone_bytes += cost.bytes_read + cost.bytes_written;
  add_step (builder, SEAM_STEP_GONE, get_main_kind (a, group), group, -1, ops,
            g_strdup_printf ("%s took %s in %c; %c does it in another kernel.", ops, time,
                             builder->waterfall->letters[0], builder->waterfall->letters[1]),
            -a->ns[group]);
}

static void
add_added (Builder *builder, int group)
{
  const Side *b = &builder->sides[1];
  g_autofree char *time = seam_text_time (b->ns[group]);
  char *ops = describe_ops (b, group);

  add_step (builder, SEAM_STEP_ADDED, get_main_kind (b, group), -1, group, ops,
            g_strdup_printf ("%s takes %s in %c; %c does it in another kernel.", ops, time,
                             builder->waterfall->letters[1], builder->waterfall->letters[0]),
            b->ns[group]);
}

static void
add_changed (Builder *builder, int group_a, int group_b)
{
  const Side *a = &builder->sides[0], *b = &builder->sides[1];
  const SeamGroup *range_a = &a->plan->groups[group_a], *range_b = &b->plan->groups[group_b];
  int more = (range_b->last - range_b->first) - (range_a->last - range_a->first);
  g_autofree char *ops_a = describe_ops (a, group_a);
  g_autofree char *ops_b = describe_ops (b, group_b);
  g_autofree char *time_a = seam_text_time (a->ns[group_a]);
  g_autofree char *time_b = seam_text_time (b->ns[group_b]);
  const char *letters = builder->waterfall->letters, *main_label = get_main_op (a, group_a)->label;
  char *label, *detail;

  if (strcmp (ops_a, ops_b) == 0) {
    label = g_strdup (ops_a);
    detail =
        g_strdup_printf ("%s: %s in %c, %s in %c.", label, time_a, letters[0], time_b, letters[1]);
  } else {
    label = more == 0
                ? g_strdup_printf ("%s, with other ops", main_label)
                : g_strdup_printf ("%s, with %d %s %s", main_label, ABS (more),
                                   ABS (more) == 1 ? "op" : "ops", more > 0 ? "more" : "fewer");
    detail = g_strdup_printf ("%s takes %s in %c; %s takes %s in %c.", ops_a, time_a, letters[0],
                              ops_b, time_b, letters[1]);
  }
  add_step (builder, SEAM_STEP_CHANGED, get_main_kind (a, group_a), group_a, group_b, label, detail,
            b->ns[group_b] - a->ns[group_a]);
}

/* Adds B's groups without a match that come before its group `end` and were not listed yet. */
static void
add_all_added (Builder *builder, int *next, int end)
{
  for (; *next < end; (*next)++)
    if (!builder->sides[1].matched[*next])
      add_added (builder, *next);
}

static void
add_groups (Builder *builder)
{
  Side *a = &builder->sides[0], *b = &builder->sides[1];
  int next = 0;

  for (int i = 0; i < a->plan->n_groups; i++) {
    int match = find_match (builder, i);

    if (match >= 0)
      a->matched[i] = b->matched[match] = TRUE;
  }
  for (int i = 0; i < a->plan->n_groups; i++) {
    int match = a->matched[i] ? find_match (builder, i) : -1;

    if (match < 0) {
      add_gone (builder, i);
    } else {
      add_all_added (builder, &next, match);
      add_changed (builder, i, match);
    }
  }
  add_all_added (builder, &next, b->plan->n_groups);
}

static void
add_gaps (Builder *builder)
{
  const double gaps[] = { builder->sides[0].pieces.gaps_ns, builder->sides[1].pieces.gaps_ns };
  const char *letters = builder->waterfall->letters;

  g_autofree char *a = seam_text_time (gaps[0]);
  g_autofree char *b = seam_text_time (gaps[1]);
  add_step (builder, SEAM_STEP_GAPS, SEAM_KIND_COPY, -1, -1, g_strdup ("gaps"),
            g_strdup_printf ("No kernel runs: %s in %c, %s in %c.", a, letters[0], b, letters[1]),
            gaps[1] - gaps[0]);
}

static char *
make_sentence (const SeamWaterfall *waterfall, const SeamDeviceInfo *device)
{
  GString *text = g_string_new (NULL);
  g_autofree char *time = seam_text_time (waterfall->gone_ns);
  g_autofree char *bytes = seam_text_bytes (waterfall->gone_bytes);
  double rate = waterfall->gone_bytes / waterfall->gone_ns * 1e9;
  g_autofree char *rate_text = seam_text_rate (rate);

  if (waterfall->n_gone == 0 || !(waterfall->gone_ns > 0))
    return g_string_free (text, TRUE);
  g_string_append_printf (text, "%d %s gone: %s. %s moved %s at %s", waterfall->n_gone,
                          waterfall->n_gone == 1 ? "kernel is" : "kernels are", time,
                          waterfall->n_gone == 1 ? "It" : "They", bytes, rate_text);
  if (device != NULL && device->bytes_per_s > 0) {
    g_autofree char *percent = seam_text_fixed (100 * rate / device->bytes_per_s, 0);
    g_autofree char *bandwidth = seam_text_rate (device->bytes_per_s);

    g_string_append_printf (text, ", %s %% of the bandwidth of %s", percent, bandwidth);
    if (device->rates_source != NULL)
      g_string_append_printf (text, " (%s)", device->rates_source);
  }
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

/* "In ms: A 0.052 past the mark: the clock. The trace ran at …" for both plans. */
static char *
explain_rests (const Builder *builder)
{
  const Side *sides = builder->sides;
  SeamUnit unit =
      seam_unit_for_time (fmax (sides[0].result->median_ns, sides[1].result->median_ns));
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "In %s: ", unit.name);
  for (int i = 0; i < 2; i++) {
    g_autofree char *rest = seam_pieces_format_rest (&sides[i].pieces, unit);
    g_autofree char *why = seam_pieces_explain (&sides[i].pieces, unit);

    g_string_append_printf (text, "%s%c %s %s", i > 0 ? " " : "", builder->waterfall->letters[i],
                            rest, why);
  }
  return g_string_free (text, FALSE);
}

/* A large remainder is a finding of its own: the traced executions differed from the timed ones. */
static void
append_remainder (SeamWaterfall *waterfall, const char *rests, double left_ns, double longest_ns)
{
  const char *before = waterfall->sentence;

  if (!(fabs (left_ns) > REMAINDER_SHARE * longest_ns))
    return;
  waterfall->sentence = seam_keep_printf (waterfall, "%s%s%s", before != NULL ? before : "",
                                          before != NULL ? " " : "", rests);
}

static void
build (Builder *builder, const SeamResult *result)
{
  SeamWaterfall *waterfall = builder->waterfall;
  const SeamPlanResult *a = builder->sides[0].result, *b = builder->sides[1].result;
  g_autofree char *time_a = seam_text_time (a->median_ns);
  g_autofree char *time_b = seam_text_time (b->median_ns);

  waterfall->traced = a->n_kernels > 0 && b->n_kernels > 0;
  add_step (builder, SEAM_STEP_START, SEAM_KIND_COPY, -1, -1,
            g_strdup_printf ("%c %s", waterfall->letters[0],
                             seam_plan_get_title (builder->sides[0].plan)),
            g_strdup_printf ("%c takes %s elapsed.", waterfall->letters[0], time_a), a->median_ns);
  if (waterfall->traced) {
    add_groups (builder);
    add_gaps (builder);
    waterfall->sentence = seam_keep (waterfall, make_sentence (waterfall, result->device));
  }
  double left = b->median_ns - builder->at_ns;
  char *rests = waterfall->traced ? explain_rests (builder)
                                  : g_strdup ("Without kernel records nothing says which kernels "
                                              "the time belongs to.");
  if (waterfall->traced)
    append_remainder (waterfall, rests, left, fmax (a->median_ns, b->median_ns));
  add_step (builder, SEAM_STEP_REMAINDER, SEAM_KIND_COPY, -1, -1,
            g_strdup (waterfall->traced ? "not traced" : "kernels not traced"), rests, left);
  builder->at_ns = 0;
  add_step (builder, SEAM_STEP_END, SEAM_KIND_COPY, -1, -1,
            g_strdup_printf ("%c %s", waterfall->letters[1],
                             seam_plan_get_title (builder->sides[1].plan)),
            g_strdup_printf ("%c takes %s elapsed.", waterfall->letters[1], time_b), b->median_ns);
}

SeamWaterfall *
seam_waterfall_new (const SeamResult *result, int a, int b, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamWaterfall) waterfall = seam_owner_new (SeamWaterfall);
  g_autofree Builder *builder = g_new0 (Builder, 1);

  if (problem == NULL)
    return NULL;
  waterfall->letters[0] = seam_plan_get_letter (a);
  waterfall->letters[1] = seam_plan_get_letter (b);
  builder->waterfall = waterfall;
  builder->problem = problem;
  gboolean ok = open_side (&builder->sides[0], result, a, error)
                && open_side (&builder->sides[1], result, b, error);
  if (ok) {
    builder->steps = g_array_new (FALSE, TRUE, sizeof (SeamWaterfallStep));
    build (builder, result);
    waterfall->n_steps = (int)builder->steps->len;
    waterfall->steps = seam_keep (waterfall, g_array_free (builder->steps, FALSE));
  }
  for (int i = 0; i < 2; i++)
    seam_plan_unref (builder->sides[i].plan);
  return ok ? g_steal_pointer (&waterfall) : NULL;
}
