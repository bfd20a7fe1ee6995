/* SPDX-License-Identifier: MIT
 *
 * Plans as a table and as CSV. Columns of the CSV, which keep name, unit and place for good (new
 * ones come last):
 *   pipeline, plan, target, device, math_mode, l2_state, shape, seed, n_samples,
 *   elapsed_median_ns, elapsed_ci_low_ns, elapsed_ci_high_ns (95 %), span_median_ns,
 *   kernels_sum_median_ns, n_kernels, max_abs_error, max_rel_error, n_failing, verdict
 * ("reference", "faster", "slower", "same", "unclear", "wrong", "none": beside the plan compared
 * with, or the first plan when outputs are compared with FP64); then notation, executed, state,
 * exhibit, stable, n_elements, n_nan, atol, rtol, mean_abs_error, max_error_ratio, against,
 * modelled_bytes, modelled_flop, floor_ns, preset, distribution, budget_s, stopped, driver,
 * libraries, throttle, power_w, temperature_c, program_version, started_at, message, trace_note,
 * pitfalls, over_peak (sentences of measured rates that no device can have), launch_mode, storage,
 * init, foreign_load (share of other programs), chip (16 hexadecimal digits; two GPUs of one
 * name differ in it), throttled_share (of the plan's samples, 0 to 1: slowed by the device itself),
 * clock_low_mhz, clock_median_mhz (of the plan's samples), max_clock_mhz (of the chip), ratio (the
 * elapsed median over that of the plan beside which the verdict is: below 1 is faster),
 * ratio_ci_low, ratio_ci_high (95 %), effective_samples (that the interval rests on), guess_ns (the
 * first estimate for these settings) and max_bound_ratio (the largest error over the bound of a
 * right implementation's).
 * throttle, power_w and temperature_c (highest) are of the whole run under load.
 */
#include "app/report/plans.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/compare/exceeded.h"
#include "app/record/json.h"

#include <math.h>
#include <string.h>

/* The CSV. The rows' data are the sanity limits that the plan exceeds. */

static void
compute_verdict (const SeamPath *path, SeamValue *value)
{
  const SeamResult *result = path->outer->record;
  const SeamPlanResult *plan = path->record;
  int against = MAX (result->against, 0);
  gboolean is_wrong = seam_difference_judge (plan->difference) == SEAM_OUTPUTS_DIFFER;

  if (path->index == against) {
    seam_value_set_text (value,
                         is_wrong ? seam_verdict_get_word (SEAM_VERDICT_WRONG) : "reference");
    return;
  }
  /* If the plan compared with fails against FP64, that is no fault of this plan. */
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, against, path->index);
  gboolean is_its_own = verdict->kind != SEAM_VERDICT_WRONG || is_wrong;
  seam_value_set_text (value,
                       seam_verdict_get_word (is_its_own ? verdict->kind : SEAM_VERDICT_NONE));
}

/* A number of the verdict; unknown beside no other plan. */
#define OF_VERDICT(name, number)                                                                   \
  static void name (const SeamPath *path, SeamValue *value)                                        \
  {                                                                                                \
    const SeamResult *result = path->outer->record;                                                \
    int against = MAX (result->against, 0);                                                        \
    g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, against, path->index);             \
                                                                                                   \
    seam_value_set_double (value, path->index != against ? (number) : NAN);                        \
  }

OF_VERDICT (compute_ratio, 1 / verdict->ratio)
OF_VERDICT (compute_ratio_low, 1 / verdict->ratio_high)
OF_VERDICT (compute_ratio_high, 1 / verdict->ratio_low)
OF_VERDICT (compute_effective, verdict->n_pairs > 0 ? floor (verdict->log_ratio.effective) : NAN)

static void
compute_plan_over_peak (const SeamPath *path, SeamValue *value)
{
  g_autofree char *over = seam_exceeded_describe (path->data, -1);

  seam_value_set_text (value, over);
}

/* A number of what the device did while it ran the plan. */
#define LOAD(name, number)                                                                         \
  static void name (const SeamPath *path, SeamValue *value)                                        \
  {                                                                                                \
    SeamUnderLoad load;                                                                            \
                                                                                                   \
    seam_under_load_count (path->record, 1, &load);                                                \
    seam_value_set_double (value, number);                                                         \
  }

LOAD (compute_throttled_share, load.n_known > 0 ? (double)load.n_slowed / load.n_known : NAN)
LOAD (compute_clock_low, load.low_mhz)
LOAD (compute_clock_median, load.median_mhz)

static const SeamField plan_columns[] = {
  SEAM_COMPUTED ("verdict", compute_verdict),
  SEAM_COMPUTED ("ratio", compute_ratio),
  SEAM_COMPUTED ("ratio_ci_low", compute_ratio_low),
  SEAM_COMPUTED ("ratio_ci_high", compute_ratio_high),
  SEAM_COMPUTED ("effective_samples", compute_effective),
  SEAM_COMPUTED ("over_peak", compute_plan_over_peak),
  SEAM_COMPUTED ("throttled_share", compute_throttled_share),
  SEAM_COMPUTED ("clock_low_mhz", compute_clock_low),
  SEAM_COMPUTED ("clock_median_mhz", compute_clock_median),
  { NULL },
};

static const SeamView plans_view = {
  .header =
      "pipeline,plan,target,device,math_mode,l2_state,shape,seed,n_samples,elapsed_median_ns,"
      "elapsed_ci_low_ns,elapsed_ci_high_ns,span_median_ns,kernels_sum_median_ns,n_kernels,"
      "max_abs_error,max_rel_error,n_failing,verdict,notation,executed,state,exhibit,stable,"
      "n_elements,n_nan,atol,rtol,mean_abs_error,max_error_ratio,against,modelled_bytes,"
      "modelled_flop,floor_ns,preset,distribution,budget_s,stopped,driver,libraries,throttle,"
      "power_w,temperature_c,program_version,started_at,message,trace_note,pitfalls,over_peak,"
      "launch_mode,storage,init,foreign_load,chip,throttled_share,clock_low_mhz,clock_median_mhz,"
      "max_clock_mhz,ratio,ratio_ci_low,ratio_ci_high,effective_samples,guess_ns,"
      "max_bound_ratio",
  .computed = plan_columns,
};

char *
seam_result_to_csv (const SeamResult *result)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  SeamViewWriter *writer = seam_view_open (&plans_view, &plan);

  for (plan.index = 0; plan.index < result->n_plans; plan.index++) {
    g_autoptr (GPtrArray) exceeded = seam_exceeded_list (result, plan.index);
    plan.record = &result->plans[plan.index];
    plan.data = exceeded;
    seam_view_add_row (writer, &plan);
  }
  return seam_view_close (writer);
}

/* The JSON. */

static const SeamView verdict_view = {
  .header = "verdict,ratio,ratio_ci_low,ratio_ci_high,effective_samples",
  .computed = plan_columns,
};

char *
seam_result_to_json (const SeamResult *result, const double *claimable)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath plan = { .type = &seam_plan_result_type, .outer = &run };
  GVariantBuilder whole, plans;

  g_variant_builder_init (&plans, G_VARIANT_TYPE ("aa{sv}"));
  for (plan.index = 0; plan.index < result->n_plans; plan.index++) {
    plan.record = &result->plans[plan.index];
    g_variant_builder_open (&plans, G_VARIANT_TYPE_VARDICT);
    seam_record_build (plan.type, plan.record, FALSE, &plans);
    seam_view_build (&verdict_view, &plan, &plans);
    g_variant_builder_close (&plans);
  }
  g_variant_builder_init (&whole, G_VARIANT_TYPE_VARDICT);
  seam_record_build (run.type, result, FALSE, &whole);
  /* Of two members with one name JSON keeps the later one. */
  g_variant_builder_add (&whole, "{sv}", "plans", g_variant_builder_end (&plans));
  if (claimable != NULL)
    g_variant_builder_add (&whole, "{sv}", "claimable", g_variant_new_double (*claimable));
  g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_builder_end (&whole));
  return seam_variant_to_json (variant);
}

/* The table for people. */

/* Joins equal neighbours: "cudnn | generated × 5". */
static char *
join_words (GPtrArray *words)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < words->len;) {
    const char *word = g_ptr_array_index (words, i);
    guint n = 1;
    while (i + n < words->len && g_strcmp0 (word, g_ptr_array_index (words, i + n)) == 0)
      n++;
    g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", word);
    if (n > 1)
      g_string_append_printf (text, " %s %u", SEAM_TIMES, n);
    i += n;
  }
  return g_string_free (text, FALSE);
}

char *
seam_plans_format_groups (const SeamPlanEstimate *estimate)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (int i = 0; i < estimate->n_groups; i++)
    g_ptr_array_add (words, estimate->groups[i].executed != NULL ? estimate->groups[i].executed
                            : estimate->groups[i].implementation != NULL
                                ? estimate->groups[i].implementation
                                : (char *)SEAM_IMPLEMENTATION_AUTO);
  return join_words (words);
}

/* The same for a plan's executed notation ("conv@cudnn|bias@generated"). */
static char *
format_executed (const char *executed)
{
  g_auto (GStrv) groups = g_strsplit (executed != NULL ? executed : "", "|", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (int i = 0; groups[i] != NULL; i++) {
    const char *at = strchr (groups[i], '@');
    g_ptr_array_add (words, at != NULL ? (char *)at + 1 : groups[i]);
  }
  return join_words (words);
}

static const SeamColumn columns[] = {
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "groups",
    .title = "Groups",
    .where = SEAM_SHOWN_IN_WINDOW,
    .dim = TRUE,
    .expand = TRUE },
  { .name = "kernels",
    .title = "Kernels",
    .kind = SEAM_CELL_COUNT,
    .where = SEAM_SHOWN_ON_TERMINAL,
    .value = "n_kernels" },
  { .name = "median", .title = "Median", .kind = SEAM_CELL_TIME, .value = "elapsed_median_ns" },
  { .name = "interval", .title = "95 % interval", .kind = SEAM_CELL_INTERVAL },
  { .name = "span",
    .title = "Span",
    .kind = SEAM_CELL_TIME,
    .where = SEAM_SHOWN_ON_TERMINAL,
    .value = "span_median_ns" },
  { .name = "sum",
    .title = "Kernels\nin sum",
    .kind = SEAM_CELL_TIME,
    .where = SEAM_SHOWN_ON_TERMINAL,
    .value = "kernels_sum_median_ns" },
  { .name = "samples", .title = "Samples", .kind = SEAM_CELL_COUNT, .value = "n_samples" },
  { .name = "traffic", .title = "Traffic", .kind = SEAM_CELL_BYTES, .value = "modelled_bytes" },
  { .name = "against", .title = "Against\nthe baseline", .wide_only = TRUE },
  { .name = "error",
    .title = "Largest\nerror",
    .kind = SEAM_CELL_ERROR,
    .value = "max_abs_error",
    .wide_only = TRUE },
  { .name = "outputs", .title = "Outputs" },
};

SeamTable *
seam_plans_table_new (void)
{
  return seam_table_new (columns, G_N_ELEMENTS (columns));
}

/* The text beside a time: "2.14× faster", "wrong" or another verdict. */
static char *
format_verdict (const SeamResult *result, int baseline, int index)
{
  g_autoptr (SeamVerdict) verdict = NULL;

  if (index == baseline)
    return g_strdup ("baseline");
  verdict = seam_verdict_new (result, baseline, index);
  if (verdict->kind == SEAM_VERDICT_NONE)
    return NULL;
  if (verdict->kind == SEAM_VERDICT_WRONG || verdict->kind == SEAM_VERDICT_NOTHING) {
    g_autofree char *ratio = seam_text_ratio (verdict->ratio);
    /* The other plan may be the wrong one. */
    gboolean agrees = seam_difference_judge (result->plans[index].difference) == SEAM_OUTPUTS_AGREE;
    return g_strdup_printf (
        "%s (%s)", agrees ? verdict->headline : seam_verdict_get_word (verdict->kind), ratio);
  }
  return g_strdup (verdict->headline);
}

static void
fill_outputs (SeamCell *cell, const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];
  const SeamDifference *difference = plan->difference;

  cell->words = g_strdup (plan->message);
  if (plan->state == SEAM_PLAN_FAULTED) {
    cell->text = g_strdup ("faulted");
    cell->tone = SEAM_TONE_BAD;
  } else if (difference == NULL) {
    if (plan->state == SEAM_PLAN_NOT_MEASURED)
      cell->text = g_strdup ("not measured");
    else
      cell->text = g_strdup (index == result->against ? "compared with" : "not compared");
  } else if (difference->n_failing > 0) {
    g_autofree char *share =
        seam_text_percent ((double)difference->n_failing / (double)difference->n_looked);
    cell->text = g_strdup_printf ("differ in %s %%", share);
    cell->tone = SEAM_TONE_BAD;
  } else if (seam_difference_judge (difference) == SEAM_OUTPUTS_SHOWN_NOTHING) {
    cell->text = g_strdup (seam_verdict_get_word (SEAM_VERDICT_NOTHING));
    cell->tone = SEAM_TONE_WARNING;
  } else {
    g_autofree char *part = seam_difference_is_by_bound (&difference->spec)
                                ? seam_agreement_describe_bound (difference)
                                : NULL;
    cell->text = part != NULL ? g_strconcat ("agree, ", part, NULL) : g_strdup ("agree");
    cell->tone = SEAM_TONE_GOOD;
  }
}

static void
fill_interval (SeamCell *cell, const SeamPlanResult *plan)
{
  if (!isfinite (plan->ci_low_ns) || !isfinite (plan->ci_high_ns))
    return;
  cell->value = plan->ci_low_ns;
  cell->high = plan->ci_high_ns;
}

/* Shortens a notation that would make its column wider than all others together. */
static void
set_baseline (SeamTable *table, const char *name)
{
  g_autofree char *title =
      g_utf8_strlen (name, -1) <= 16 ? g_strdup_printf ("Against\n%s", name) : NULL;

  if (title != NULL)
    seam_table_set_title (table, "against", title);
}

SeamTable *
seam_plans_table_make (const SeamResult *result, int baseline, int n_shown)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath path = { .type = &seam_plan_result_type, .outer = &run };
  SeamTable *table = seam_plans_table_new ();
  int n = n_shown > 0 ? MIN (n_shown, result->n_plans) : result->n_plans;

  for (int i = 0; i < n; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    g_autofree char *name = n_shown > 0 ? g_strdup_printf ("%c", seam_plan_get_letter (i))
                                        : g_strdup (seam_plan_result_get_name (plan));
    g_autofree char *groups = format_executed (plan->executed);
    SeamTableRow *row;

    if (i == baseline)
      set_baseline (table, name);
    row = seam_table_append (table, i, -1);
    path.index = i;
    path.record = plan;
    seam_table_read_row (table, row, &plans_view, &path);
    seam_cell_take (seam_table_get_cell (table, row, "plan"), g_strdup (name), NULL);
    seam_cell_take (seam_table_get_cell (table, row, "groups"),
                    g_strdup_printf ("%d %s, %s", plan->n_groups,
                                     plan->n_groups == 1 ? "group" : "groups", groups),
                    plan->executed);
    if (plan->difference != NULL)
      seam_table_get_cell (table, row, "error")->value =
          seam_difference_get_largest (plan->difference);
    fill_interval (seam_table_get_cell (table, row, "interval"), plan);
    seam_cell_take (seam_table_get_cell (table, row, "against"),
                    format_verdict (result, baseline, i), NULL);
    fill_outputs (seam_table_get_cell (table, row, "outputs"), result, i);
  }
  return table;
}

/* The table of a run in progress. */

static const SeamColumn live_columns[] = {
  { .name = "plan", .title = "Plan", .bold = TRUE },
  { .name = "groups", .title = "Implementation", .dim = TRUE, .expand = TRUE },
  { .name = "samples", .title = "Samples", .kind = SEAM_CELL_COUNT },
  { .name = "median", .title = "Median", .kind = SEAM_CELL_TIME },
  { .name = "interval", .title = "95 % interval", .kind = SEAM_CELL_INTERVAL },
  { .name = "width", .title = "Width (%)", .kind = SEAM_CELL_NUMBER },
  { .name = "lowest", .title = "Lowest", .kind = SEAM_CELL_TIME, .wide_only = TRUE },
  { .name = "highest", .title = "Highest", .kind = SEAM_CELL_TIME, .wide_only = TRUE },
  { .name = "kernels",
    .title = "Kernels",
    .kind = SEAM_CELL_NUMBER,
    .dim = TRUE,
    .wide_only = TRUE },
};

/* Two decimals, since sampling ends at a width of 0.5 %. */
static void
fill_width (SeamCell *cell, const SeamPlanResult *plan)
{
  cell->value = (plan->ci_high_ns - plan->ci_low_ns) / plan->median_ns;
  cell->text = seam_text_fixed (cell->value * 100, 2);
}

SeamTable *
seam_live_table_new (void)
{
  return seam_table_new (live_columns, G_N_ELEMENTS (live_columns));
}

SeamTable *
seam_live_table_make (const SeamResult *live, const char *const *implementations)
{
  SeamTable *table = seam_live_table_new ();

  for (int p = 0; p < live->n_plans; p++) {
    const SeamPlanResult *plan = &live->plans[p];
    SeamTableRow *row = seam_table_append (table, p, -1);
    double lowest = NAN, highest = NAN;

    for (int i = 0; i < plan->n_samples; i++) {
      lowest = fmin (lowest, plan->samples[i].elapsed_ns);
      highest = fmax (highest, plan->samples[i].elapsed_ns);
    }
    seam_cell_take (seam_table_get_cell (table, row, "plan"),
                    g_strdup_printf ("%c", seam_plan_get_letter (p)), NULL);
    seam_cell_take (seam_table_get_cell (table, row, "groups"),
                    g_strdup (implementations[p] != NULL ? implementations[p] : plan->notation),
                    plan->notation);
    seam_table_get_cell (table, row, "samples")->value = plan->n_samples;
    seam_table_get_cell (table, row, "median")->value = plan->median_ns;
    fill_interval (seam_table_get_cell (table, row, "interval"), plan);
    fill_width (seam_table_get_cell (table, row, "width"), plan);
    seam_table_get_cell (table, row, "lowest")->value = lowest;
    seam_table_get_cell (table, row, "highest")->value = highest;
    seam_cell_take (seam_table_get_cell (table, row, "kernels"), g_strdup ("after tracing"), NULL);
  }
  return table;
}
