/* SPDX-License-Identifier: MIT
 *
 * The result of a run: its records, creating and freeing it, and the provenance line under every
 * figure. Its CSV is in app/compare/csv.c.
 */
#include "app/result/result.h"

#include "app/base/error.h"
#include "app/plan/plan.h"

#include <math.h>
#include <string.h>

/* --- Fields of the records: variants, JSON, CSV and sessions follow from these tables --- */

static const SeamField sample_fields[] = {
  { SEAM_FIELD (SeamSample, elapsed_ns, DOUBLE), .unit = "ns",
    .words = "every sample in order, ns" },
  { SEAM_FIELD (SeamSample, clock_mhz, DOUBLE), .unit = "MHz",
    .words = "SM clock after each, MHz" },
  { SEAM_FIELD (SeamSample, order, INT), .initial = -1,
    .words = "position of each among all samples of the run" },
  { SEAM_FIELD (SeamSample, throttle, INT), .flags = SEAM_OMITTED,
    .words = "NVML clock event reasons after each + 2^30; 0: unknown" },
  { NULL },
};

const SeamRecordType seam_sample_type = {
  .name = "sample",
  .size = sizeof (SeamSample),
  .fields = sample_fields,
  .max = G_MAXINT / sizeof (SeamSample),
};

/* Checks indices into the plan's groups and the chain's ops, because figures use them to find a
 * colour. */
static void
check_group (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamKernel *kernel = record;
  int last = outer != NULL ? MAX (((const SeamPlanResult *)outer->record)->n_groups - 1, 0) : 0;

  if (kernel->group > last)
    seam_reader_fail (reader, "\"group\" is %d, not 0 to %d", kernel->group, last);
}

static void
check_last_op (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamKernel *kernel = record;

  if (kernel->last_op < 0)
    kernel->last_op = kernel->first_op;
  if (kernel->last_op < kernel->first_op)
    seam_reader_fail (reader, "\"last_op\" is %d, not %d to %d", kernel->last_op, kernel->first_op,
                      SEAM_MAX_OP);
}

static void
complete_kernel (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamKernel *kernel = record;

  if (kernel->name == NULL)
    kernel->name = g_strdup (kernel->short_name != NULL ? kernel->short_name : "");
  if (kernel->short_name == NULL)
    kernel->short_name = g_strdup (kernel->name);
}

/* A field that hardware counters measure. */
#define COUNTER(m, u, w)                                                                           \
  {                                                                                                \
    SEAM_FIELD (SeamKernel, m, DOUBLE), .unit = u, .words = w, .place = 1                          \
  }

/* A counter of a later version. */
#define LATER (SEAM_AS_MEMBER | SEAM_OMITTED | SEAM_IN_TABLES)

static gsize
count_starts (gconstpointer record)
{
  return (gsize)MAX (((const SeamKernel *)record)->n_samples, 0);
}

static const SeamField kernel_fields[] = {
  { SEAM_FIELD (SeamKernel, name, TEXT), .words = "full, demangled" },
  { SEAM_FIELD (SeamKernel, short_name, TEXT), .words = "" },
  { SEAM_FIELD (SeamKernel, group, INT), .max = G_MAXINT, .check = check_group,
    .words = "of the plan, from 0" },
  { SEAM_FIELD (SeamKernel, first_op, INT), .max = SEAM_MAX_OP, .words = "of the chain, from 0" },
  { SEAM_FIELD (SeamKernel, last_op, INT), .initial = -1, .max = SEAM_MAX_OP,
    .check = check_last_op, .words = "of the chain, from 0" },
  { SEAM_FIELD (SeamKernel, implementation, TEXT),
    .words = "cudnn, cublaslt, onednn, generated, hand, cpu" },
  { SEAM_FIELD (SeamKernel, is_copy, BOOLEAN), .words = "a layout change that a library needs" },
  { SEAM_FIELD (SeamKernel, median_ns, DOUBLE), .unit = "ns", .words = "ns" },
  { SEAM_FIELD (SeamKernel, start_ns, DOUBLE), .unit = "ns",
    .words = "after the first kernel's start, median, ns" },
  { SEAM_FIELD (SeamKernel, call_start_ns, DOUBLE), .unit = "ns",
    .words = "of the host's call, after the first kernel's start, ns" },
  { SEAM_FIELD (SeamKernel, call_ns, DOUBLE), .unit = "ns",
    .words = "the host's call took, tracing on, ns" },
  { SEAM_FIELD (SeamKernel, bytes, DOUBLE), .column = "modelled_bytes", .unit = "B",
    .words = "modelled" },
  COUNTER (dram_bytes_read, "B", "of one execution, by hardware counters"),
  COUNTER (dram_bytes_written, "B", "of one execution, by hardware counters"),
  COUNTER (l2_bytes, "B", "between L2 and everything else, by hardware counters"),
  COUNTER (dram_percent, "%", "of peak throughput"),
  COUNTER (sm_percent, "%", "of peak throughput"),
  COUNTER (tensor_percent, "%", "of peak throughput"),
  COUNTER (occupancy_percent, "%", "warps on an SM of those it has room for"),
  { SEAM_FIELD (SeamKernel, samples_ns, DOUBLES), SEAM_COUNT (SeamKernel, n_samples), .unit = "ns",
    .words = "every duration, ns" },
  { SEAM_FIELD (SeamKernel, l2_percent, DOUBLE), .flags = LATER, .unit = "%",
    .words = "of peak throughput" },
  { SEAM_FIELD (SeamKernel, l2_sm_bytes, DOUBLE), .flags = LATER, .unit = "B",
    .words = "between L2 and the multiprocessors, by hardware counters" },
  { SEAM_FIELD (SeamKernel, starts_ns, DOUBLES), .flags = SEAM_AS_MEMBER, .measure = count_starts,
    .unit = "ns", .words = "every start, after the first kernel's start, ns" },
  { SEAM_FIELD (SeamKernel, registers, INT), .flags = SEAM_OPTIONAL, .initial = -1, .min = -1,
    .max = G_MAXINT, .place = 1, .words = "a thread; -1: unknown" },
  { SEAM_FIELD (SeamKernel, shared_bytes, INT64), .flags = SEAM_OPTIONAL, .initial = -1, .min = -1,
    .max = G_MAXINT64, .place = 1, .words = "a block; -1: unknown" },
  { SEAM_FIELD (SeamKernel, grid, NUMBERS), .length = 3, .flags = SEAM_OPTIONAL | SEAM_CLIPPED,
    .place = 1, .words = "x, y, z; 0: unknown" },
  { SEAM_FIELD (SeamKernel, block, NUMBERS), .length = 3, .flags = SEAM_OPTIONAL | SEAM_CLIPPED,
    .place = 1, .words = "x, y, z; 0: unknown" },
  { NULL },
};

const SeamRecordType seam_kernel_type = {
  .name = "kernel",
  .size = sizeof (SeamKernel),
  .fields = kernel_fields,
  .max = 4096,
  .complete = complete_kernel,
};

void
seam_kernel_init (SeamKernel *kernel)
{
  seam_record_init (&seam_kernel_type, kernel);
}

gboolean
seam_kernel_is_counted (const SeamKernel *kernel)
{
  return kernel->grid[0] > 0;
}

int
seam_plan_result_find_product (const SeamPlanResult *plan)
{
  int found = -1;

  for (int i = 0; i < plan->n_kernels; i++)
    if (!plan->kernels[i].is_copy && plan->kernels[i].first_op == 0
        && (found < 0 || plan->kernels[i].median_ns > plan->kernels[found].median_ns))
      found = i;
  return found;
}

SeamRoof
seam_plan_result_get_roof (const SeamPlanResult *plan, SeamMathMode mode)
{
  SeamMathMode base = seam_math_mode_get_base (mode);
  int product = seam_plan_result_find_product (plan);
  double percent = product >= 0 ? plan->kernels[product].tensor_percent : NAN;
  const char *at = plan->executed != NULL ? strchr (plan->executed, '@') : NULL;
  /* Who executed the first group, which has the matrix op: "cublaslt (TF32)". */
  g_autofree char *executed = at != NULL ? g_strndup (at + 1, strcspn (at + 1, "|")) : NULL;
  g_autofree char *note = g_strdup_printf (" (%s)", seam_math_modes[base].title);

  if (percent < SEAM_TENSOR_UNUSED)
    return SEAM_ROOF_FP32;
  if (base != mode && executed != NULL && strstr (executed, note) != NULL)
    return base == SEAM_MATH_FP32 ? SEAM_ROOF_FP32 : SEAM_ROOF_BASE;
  /* Libraries and generated loops use no tensor core in FP32; hand-written kernels do. */
  return isnan (percent) && executed != NULL
                 && (strstr (executed, "-simt") != NULL /* plain arithmetic, by its name */
                     || (mode == SEAM_MATH_FP32
                         && seam_implementation_get_maker (executed) == SEAM_MAKER_OTHER))
             ? SEAM_ROOF_FP32
             : SEAM_ROOF_MODE;
}

double
seam_kernel_get_counted_bytes (const SeamKernel *kernel)
{
  return kernel->is_copy && !seam_kernel_is_counted (kernel)
             ? 0
             : kernel->dram_bytes_read + kernel->dram_bytes_written;
}

static const SeamChoice plan_states[] = {
  [SEAM_PLAN_MEASURED] = { "measured" },
  [SEAM_PLAN_STOPPED_EARLY] = { "stopped early" },
  [SEAM_PLAN_NOT_MEASURED] = { "not measured" },
  [SEAM_PLAN_FAULTED] = { "faulted" },
  { NULL },
};

SEAM_COMPUTE (compute_plan, text, seam_plan_result_get_name (path->record))

static const SeamField plan_fields[] = {
  { SEAM_FIELD (SeamPlanResult, name, TEXT), .flags = SEAM_LISTED, .column = "plan_name",
    .words = "of a named plan" },
  { SEAM_FIELD (SeamPlanResult, notation, TEXT), .flags = SEAM_REQUIRED | SEAM_LISTED,
    .words = "+ fuses, | cuts" },
  { SEAM_FIELD (SeamPlanResult, executed, TEXT), .words = "notation with every implementation" },
  { SEAM_FIELD (SeamPlanResult, exhibit, BOOLEAN), .words = "wrong on purpose" },
  { SEAM_FIELD (SeamPlanResult, state, CHOICE), .flags = SEAM_REQUIRED | SEAM_LISTED,
    .choices = plan_states, .initial = SEAM_PLAN_NOT_MEASURED,
    .words = "measured, stopped early, not measured, faulted" },
  { SEAM_FIELD (SeamPlanResult, message, TEXT), .flags = SEAM_LONG,
    .words = "what the person should know" },
  { SEAM_FIELD (SeamPlanResult, n_groups, INT), .max = 255, .words = "" },
  { SEAM_FIELD (SeamPlanResult, tiles, RECORDS), SEAM_COUNT (SeamPlanResult, n_groups),
    .type = &seam_tile_type, .flags = SEAM_OMITTED | SEAM_AS_MEMBER },
  { SEAM_FIELD (SeamPlanResult, n_samples, INT), .flags = SEAM_DERIVED, .words = "" },
  { SEAM_FIELD (SeamPlanResult, n_places, INT), .flags = SEAM_OMITTED | SEAM_AS_MEMBER,
    .max = G_MAXINT, .words = "places in memory that it was timed in; 0: unknown" },
  { .name = "elapsed_median_ns",
    SEAM_AT (SeamPlanResult, median_ns, DOUBLE),
    .unit = "ns",
    .words = "ns" },
  { .name = "elapsed_ci_low_ns",
    SEAM_AT (SeamPlanResult, ci_low_ns, DOUBLE),
    .unit = "ns",
    .words = "95 % interval of the median, ns" },
  { .name = "elapsed_ci_high_ns",
    SEAM_AT (SeamPlanResult, ci_high_ns, DOUBLE),
    .unit = "ns",
    .words = "95 % interval of the median, ns" },
  { SEAM_FIELD (SeamPlanResult, span_median_ns, DOUBLE), .unit = "ns",
    .words = "first kernel's start to last kernel's end, ns" },
  { SEAM_FIELD (SeamPlanResult, kernels_sum_median_ns, DOUBLE), .unit = "ns", .words = "ns" },
  { SEAM_FIELD (SeamPlanResult, n_traces, INT), .max = G_MAXINT, .words = "traced executions" },
  { SEAM_FIELD (SeamPlanResult, n_kernels, INT), .flags = SEAM_OPTIONAL, .initial = -1, .min = -1,
    .max = 4096, .words = "launches of one execution; -1: not traced" },
  { SEAM_FIELD (SeamPlanResult, n_launches, INT), .max = G_MAXINT,
    .words = "of the last traced execution" },
  { SEAM_FIELD (SeamPlanResult, n_records, INT), .max = G_MAXINT,
    .words = "of the last traced execution" },
  { SEAM_FIELD (SeamPlanResult, n_rejected, INT), .max = G_MAXINT,
    .words = "records without a valid time" },
  { .name = "modelled_bytes",
    SEAM_AT (SeamPlanResult, bytes, DOUBLE),
    .unit = "B",
    .words = "traffic from the shapes" },
  { .name = "modelled_flop",
    SEAM_AT (SeamPlanResult, flop, DOUBLE),
    .unit = "FLOP",
    .words = "operations from the shapes" },
  { SEAM_FIELD (SeamPlanResult, trace_clock_mhz, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .unit = "MHz", .words = "SM clock after the traced executions, median, MHz" },
  { SEAM_FIELD (SeamPlanResult, guess_ns, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .unit = "ns", .words = "first estimate for these settings, ns" },
  { SEAM_FIELD (SeamPlanResult, recalled_ns, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .unit = "ns", .words = "elapsed median of the run before with these settings, ns" },
  { SEAM_FIELD (SeamPlanResult, recalled_at, TEXT), .flags = SEAM_AS_MEMBER,
    .words = "when that run began" },
  { SEAM_FIELD (SeamPlanResult, stable, BOOLEAN),
    .initial = TRUE, /* only a second compared output can show that a plan is not stable */
    .words = "the output after timing is the output before" },
  { SEAM_FIELD (SeamPlanResult, difference, RECORD), .type = &seam_difference_type },
  { SEAM_FIELD (SeamPlanResult, samples, COLUMNS), SEAM_COUNT (SeamPlanResult, n_samples),
    .type = &seam_sample_type },
  { SEAM_FIELD (SeamPlanResult, kernels, RECORDS), SEAM_COUNT (SeamPlanResult, n_kernels),
    .type = &seam_kernel_type },
  SEAM_COMPUTED ("plan", compute_plan),
  { NULL },
};

SeamMedian
seam_plan_result_summarise (SeamPlanResult *plan)
{
  g_autofree double *values = g_new (double, MAX (plan->n_samples, 1));
  int n = 0;

  for (int i = 0; plan->samples != NULL && i < plan->n_samples; i++)
    if (isfinite (plan->samples[i].elapsed_ns))
      values[n++] = plan->samples[i].elapsed_ns;
  SeamMedian median = seam_median_of_series (values, n, .95);
  if (n > 0) {
    plan->median_ns = median.median;
    plan->ci_low_ns = median.low;
    plan->ci_high_ns = median.high;
  }
  return median;
}

static void
complete_plan (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamPlanResult *plan = record;

  for (int i = 0; i < plan->n_samples; i++)
    if (plan->samples[i].order < 0)
      plan->samples[i].order = i;
  seam_plan_result_summarise (plan);
}

const SeamRecordType seam_plan_result_type = {
  .name = "plan",
  .size = sizeof (SeamPlanResult),
  .fields = plan_fields,
  .max = 256,
  .complete = complete_plan,
};

int
seam_plan_result_count_executions (const SeamPlanResult *plan)
{
  int n = plan->n_kernels > 0 ? G_MAXINT : 0;

  for (int i = 0; i < plan->n_kernels; i++)
    n = MIN (n, plan->kernels[i].n_samples);
  return n;
}

double
seam_plan_result_get_gap (const SeamPlanResult *plan, int kernel, int execution)
{
  const SeamKernel *of = &plan->kernels[kernel], *before = of - 1;

  if (kernel == 0)
    return of->starts_ns != NULL ? 0 : NAN;
  if (of->starts_ns == NULL || before->starts_ns == NULL)
    return NAN;
  double gap =
      of->starts_ns[execution] - before->starts_ns[execution] - before->samples_ns[execution];
  return isfinite (gap) ? fmax (0, gap) : NAN;
}

const char *
seam_plan_result_get_name (const SeamPlanResult *plan)
{
  return plan->name != NULL ? plan->name : plan->notation;
}

static const SeamField result_fields[] = {
  { .name = "pipeline",
    SEAM_AT (SeamResult, pipeline_id, TEXT),
    .flags = SEAM_REQUIRED | SEAM_LISTED,
    .words = "id of the pipeline" },
  { SEAM_FIELD (SeamResult, pipeline_text, TEXT), .flags = SEAM_LONG,
    .words = "its whole .ini file" },
  { SEAM_FIELD (SeamResult, shape, TEXT), .flags = SEAM_LISTED, .words = "key=value,..." },
  { SEAM_FIELD (SeamResult, shape_text, TEXT), .flags = SEAM_LISTED,
    .words = "the shape for people" },
  { SEAM_FIELD (SeamResult, values, INT64S), SEAM_COUNT (SeamResult, n_values), .max = 255,
    .words = "shape fields in the order of the pipeline file" },
  { SEAM_FIELD (SeamResult, preset, TEXT), .flags = SEAM_LISTED, .words = "NULL: own values" },
  { .name = "settings", SEAM_AT (SeamResult, settings, INLINE), .type = &seam_settings_type },
  { SEAM_FIELD (SeamResult, device, RECORD), .type = &seam_device_info_type },
  { SEAM_FIELD (SeamResult, program_version, TEXT), .words = "of the program that measured" },
  { SEAM_FIELD (SeamResult, started_at, TEXT), .flags = SEAM_LISTED, .words = "ISO 8601, UTC" },
  { SEAM_FIELD (SeamResult, trace_note, TEXT), .flags = SEAM_LONG,
    .words = "what is odd about the kernel records" },
  { SEAM_FIELD (SeamResult, throttle, TEXT), .words = "none, or what held the clock down" },
  { SEAM_FIELD (SeamResult, under_load, BOOLEAN), .flags = SEAM_AS_MEMBER | SEAM_OMITTED },
  { SEAM_FIELD (SeamResult, power_w, DOUBLE), .unit = "W",
    .words = "W, highest between the samples; without the member under_load at the end" },
  { SEAM_FIELD (SeamResult, temperature_c, DOUBLE), .unit = "\u00b0C",
    .words = "degrees Celsius, likewise" },
  { SEAM_FIELD (SeamResult, stopped, BOOLEAN), .words = "before its time, by the person" },
  { SEAM_FIELD (SeamResult, floor_ns, DOUBLE), .unit = "ns", .words = "no plan can be faster, ns" },
  { SEAM_FIELD (SeamResult, floor_memory_bound, BOOLEAN), .words = "by memory, not by arithmetic" },
  { SEAM_FIELD (SeamResult, duration_s, DOUBLE), .unit = "s", .words = "whole run, s" },
  { SEAM_FIELD (SeamResult, foreign_load, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .words = "share of a CPU's time that other programs used while the plans were measured" },
  { SEAM_FIELD (SeamResult, pitfalls, TEXT), .flags = SEAM_LISTED, .place = 1,
    .words = "measured wrong on purpose: names with commas; NULL: not" },
  { .name = "edits", SEAM_AT (SeamResult, edits, INLINE), .type = &seam_edits_type },
  { SEAM_AT (SeamResult, against, INT), .name = "reference", .initial = -1,
    .words = "position of the plan compared with; -1: fp64" },
  { SEAM_FIELD (SeamResult, plans, RECORDS), SEAM_COUNT (SeamResult, n_plans),
    .flags = SEAM_REQUIRED, .type = &seam_plan_result_type },
  { NULL },
};

static void
complete_result (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamResult *result = record;

  if (result->against < -1 || result->against >= result->n_plans)
    seam_reader_fail (reader, "\"reference\" is %d, not -1 to %d", result->against,
                      result->n_plans - 1);
  if (result->device == NULL)
    result->device = seam_device_info_new ("");
  seam_result_summarise_load (result);
}

const SeamRecordType seam_result_type = {
  .name = "result",
  .size = sizeof (SeamResult),
  .fields = result_fields,
  .max = 1,
  .complete = complete_result,
};

/* --- Creating and freeing --- */

static SeamResult *
result_new (void)
{
  SeamResult *result = seam_record_new (&seam_result_type);

  g_atomic_ref_count_init (&result->ref_count);
  return result;
}

SeamResult *
seam_result_new (int n_plans)
{
  SeamResult *result = result_new ();

  result->n_plans = n_plans;
  result->plans = g_new (SeamPlanResult, n_plans);
  for (int i = 0; i < n_plans; i++)
    seam_record_init (&seam_plan_result_type, &result->plans[i]);
  return result;
}

SeamResult *
seam_result_ref (SeamResult *result)
{
  g_atomic_ref_count_inc (&result->ref_count);
  return result;
}

void
seam_result_unref (SeamResult *result)
{
  if (result == NULL || !g_atomic_ref_count_dec (&result->ref_count))
    return;
  seam_pipeline_unref (result->pipeline);
  g_clear_error (&result->pipeline_error);
  seam_record_free (&seam_result_type, result);
}

void
seam_result_set_pipeline (SeamResult *result, SeamPipeline *pipeline)
{
  g_return_if_fail (result->pipeline == NULL && result->pipeline_id == NULL);
  result->is_parsed = TRUE;
  result->pipeline = seam_pipeline_ref (pipeline);
  result->pipeline_id = g_strdup (pipeline->id);
  result->pipeline_text = g_strdup (pipeline->text);
}

SeamPipeline *
seam_result_get_pipeline (const SeamResult *result, GError **error)
{
  SeamResult *own = (SeamResult *)result; /* cache for later callers, from any thread */

  if (g_once_init_enter (&own->is_parsed)) {
    if (own->pipeline_text != NULL)
      own->pipeline =
          seam_pipeline_parse (own->pipeline_text, own->pipeline_id, &own->pipeline_error);
    else
      g_set_error_literal (
          &own->pipeline_error, SEAM_ERROR, SEAM_ERROR_FILE,
          "The result does not carry its pipeline, so its figure cannot be drawn.");
    g_once_init_leave (&own->is_parsed, TRUE);
  }
  if (own->pipeline == NULL && error != NULL)
    *error = g_error_copy (own->pipeline_error);
  return own->pipeline;
}

char *
seam_result_format_plan_title (const SeamResult *result, int plan)
{
  const char *name = seam_plan_result_get_name (&result->plans[plan]);
  SeamPipeline *pipeline = seam_result_get_pipeline (result, NULL);
  g_autoptr (SeamPlan) parsed =
      pipeline != NULL && name != NULL ? seam_plan_parse (pipeline, name, NULL) : NULL;

  return g_strdup (parsed != NULL ? seam_plan_get_title (parsed) : name != NULL ? name : "");
}

GVariant *
seam_result_to_variant (const SeamResult *result, gboolean bulk)
{
  return seam_record_to_variant (&seam_result_type, result, bulk);
}

SeamResult *
seam_result_from_variant (GVariant *variant, GError **error)
{
  g_autoptr (SeamResult) result = result_new ();
  SeamReader reader;

  seam_reader_init (&reader, variant, "result");
  seam_reader_index (&reader);
  seam_record_read (&seam_result_type, &reader, NULL, result);
  return seam_reader_finish (&reader, error) ? g_steal_pointer (&result) : NULL;
}

static void
append_part (GString *line, const char *prefix, const char *text)
{
  if (text == NULL || text[0] == '\0')
    return;
  if (line->len > 0)
    g_string_append (line, " · ");
  g_string_append (line, prefix);
  g_string_append (line, text);
}

/* "54 samples", "1 sample each", "54 and 60 samples": for the plans in order. */
static char *
describe_samples (const SeamResult *result)
{
  GString *text = g_string_new (NULL);
  gboolean same = TRUE;

  for (int i = 1; i < result->n_plans; i++)
    same = same && result->plans[i].n_samples == result->plans[0].n_samples;
  for (int i = 0; i < (same ? MIN (result->n_plans, 1) : result->n_plans); i++)
    g_string_append_printf (text, "%s%d",
                            i == 0                     ? ""
                            : i == result->n_plans - 1 ? " and "
                                                       : ", ",
                            result->plans[i].n_samples);
  if (text->len > 0)
    g_string_append_printf (text, " sample%s%s", same && result->plans[0].n_samples == 1 ? "" : "s",
                            same && result->n_plans > 1 ? " each" : "");
  return g_string_free (text, FALSE);
}

gboolean
seam_result_is_graph (const SeamResult *result)
{
  return result->settings.launch == SEAM_LAUNCH_GRAPH;
}

static char *
format_percent (double share)
{
  return g_strdup_printf ("%.0f %%", 100 * share);
}

char *
seam_load_describe (double foreign_load)
{
  g_autofree char *percent = format_percent (foreign_load);

  /* A comparison with NaN (unknown) is FALSE. */
  if (!(foreign_load >= SEAM_BUSY_LOAD))
    return NULL;
  return g_strdup_printf ("Other programs used %s of the processor’s time during the run.",
                          percent);
}

char *
seam_load_warn (double foreign_load)
{
  g_autofree char *percent = format_percent (foreign_load);

  if (!(foreign_load >= SEAM_BUSY_LOAD))
    return NULL;
  return g_strdup_printf ("Other programs use %s of the processor’s time, so times will be longer "
                          "and vary more.",
                          percent);
}

char *
seam_result_get_provenance (const SeamResult *result)
{
  GString *line = g_string_new (NULL);
  const SeamDeviceInfo *device = result->device;
  g_autofree char *warning = seam_pitfalls_warn (result->pitfalls);
  g_autofree char *work =
      seam_settings_describe (&result->settings, SEAM_CONCERN_ALL & ~SEAM_CONCERN_TENSORS, " · ");
  g_autofree char *samples = describe_samples (result);
  g_autofree char *tensors =
      seam_settings_describe (&result->settings, SEAM_CONCERN_TENSORS, " · ");

  /* The warning comes first, so that a truncated line still shows it. */
  append_part (line, "", warning);
  append_part (line, "", result->edits.n > 0 ? "with code edited by hand" : NULL);
  if (device != NULL) {
    append_part (line, "", seam_device_info_get_name (device));
    append_part (line, "driver ", device->driver);
    append_part (line, "", device->libraries);
    append_part (line, "chip ", device->chip);
  }
  append_part (line, "", result->pipeline_id);
  append_part (line, "", result->shape_text != NULL ? result->shape_text : result->shape);
  append_part (line, "", work);
  append_part (line, "", samples);
  append_part (line, "", tensors);
  append_part (line, "", g_strcmp0 (result->throttle, "none") == 0 ? NULL : result->throttle);
  if (result->foreign_load >= SEAM_BUSY_LOAD) {
    g_autofree char *percent = format_percent (result->foreign_load);
    append_part (line, "other programs ", percent);
  }
  append_part (line, "", result->stopped ? "stopped early" : NULL);
  append_part (line, "", result->started_at);
  append_part (line, "Seamscope ", result->program_version);
  return g_string_free (line, FALSE);
}
