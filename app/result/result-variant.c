/* SPDX-License-Identifier: MIT
 *
 * A result as a variant and back: the form in which it crosses from worker to window and lies in a
 * session. Reading trusts nothing: every count is checked against what is really there.
 */
#include "app/result/result.h"

#include "app/result/variant.h"

#include <math.h>

/* More plans or kernels than any run can have mean damage. */
#define MAX_PLANS   256
#define MAX_KERNELS 4096

static const char *const state_names[] = { "measured", "stopped early", "not measured", "faulted" };

static void
add_samples (GVariantBuilder *builder, const SeamPlanResult *plan)
{
  g_autofree double *elapsed = g_new (double, MAX (plan->n_samples, 1));
  g_autofree double *clock = g_new (double, MAX (plan->n_samples, 1));
  g_autofree gint32 *order = g_new (gint32, MAX (plan->n_samples, 1));
  g_autofree gint32 *throttle = g_new (gint32, MAX (plan->n_samples, 1));
  gboolean has_throttle = FALSE;

  for (int i = 0; i < plan->n_samples; i++) {
    elapsed[i] = plan->samples[i].elapsed_ns;
    clock[i] = plan->samples[i].clock_mhz;
    order[i] = plan->samples[i].order;
    throttle[i] = plan->samples[i].throttle;
    has_throttle = has_throttle || throttle[i] != 0;
  }
  seam_builder_array (builder, "samples_elapsed_ns", "d", sizeof (double), elapsed,
                      (gsize)plan->n_samples);
  seam_builder_array (builder, "samples_clock_mhz", "d", sizeof (double), clock,
                      (gsize)plan->n_samples);
  seam_builder_array (builder, "samples_order", "i", sizeof (gint32), order,
                      (gsize)plan->n_samples);
  if (has_throttle)
    seam_builder_array (builder, "samples_throttle", "i", sizeof (gint32), throttle,
                        (gsize)plan->n_samples);
}

static void
add_kernel (GVariantBuilder *builder, const SeamKernel *kernel)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "name", kernel->name);
  seam_builder_string (builder, "short_name", kernel->short_name);
  seam_builder_int64 (builder, "group", kernel->group);
  seam_builder_int64 (builder, "first_op", kernel->first_op);
  seam_builder_int64 (builder, "last_op", kernel->last_op);
  seam_builder_string (builder, "implementation", kernel->implementation);
  seam_builder_boolean (builder, "is_copy", kernel->is_copy);
  seam_builder_double (builder, "median_ns", kernel->median_ns);
  seam_builder_double (builder, "start_ns", kernel->start_ns);
  seam_builder_double (builder, "call_start_ns", kernel->call_start_ns);
  seam_builder_double (builder, "call_ns", kernel->call_ns);
  seam_builder_double (builder, "bytes", kernel->bytes);
  seam_builder_double (builder, "dram_bytes_read", kernel->dram_bytes_read);
  seam_builder_double (builder, "dram_bytes_written", kernel->dram_bytes_written);
  seam_builder_double (builder, "l2_bytes", kernel->l2_bytes);
  seam_builder_double (builder, "dram_percent", kernel->dram_percent);
  seam_builder_double (builder, "sm_percent", kernel->sm_percent);
  seam_builder_double (builder, "tensor_percent", kernel->tensor_percent);
  seam_builder_double (builder, "occupancy_percent", kernel->occupancy_percent);
  seam_builder_array (builder, "samples_ns", "d", sizeof (double), kernel->samples_ns,
                      (gsize)kernel->n_samples);
  seam_builder_int64 (builder, "registers", kernel->registers);
  seam_builder_int64 (builder, "shared_bytes", kernel->shared_bytes);
  seam_builder_array (builder, "grid", "x", sizeof (gint64), kernel->grid, 3);
  seam_builder_array (builder, "block", "x", sizeof (gint64), kernel->block, 3);
  g_variant_builder_close (builder);
}

/* The difference without its grids: what --json prints. */
static GVariant *
difference_totals_to_variant (const SeamDifference *difference)
{
  SeamDifference totals = *difference;

  totals.cells = NULL;
  totals.failing = NULL;
  totals.looked = NULL;
  totals.histogram = NULL;
  totals.ulps = NULL;
  totals.histogram_ulps = NULL;
  totals.hits = NULL;
  return seam_difference_to_variant (&totals);
}

static void
add_tiles (GVariantBuilder *builder, const SeamPlanResult *plan)
{
  if (plan->tiles == NULL)
    return;
  seam_builder_open_list (builder, "tiles");
  for (int i = 0; i < plan->n_groups; i++)
    g_variant_builder_add_value (builder, seam_tile_to_variant (&plan->tiles[i]));
  seam_builder_close_list (builder);
}

static void
add_plan (GVariantBuilder *builder, const SeamPlanResult *plan, gboolean bulk)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "name", plan->name);
  seam_builder_string (builder, "notation", plan->notation);
  seam_builder_string (builder, "executed", plan->executed);
  seam_builder_boolean (builder, "exhibit", plan->exhibit);
  seam_builder_string (builder, "state", state_names[plan->state]);
  seam_builder_string (builder, "message", plan->message);
  seam_builder_int64 (builder, "n_groups", plan->n_groups);
  add_tiles (builder, plan);
  seam_builder_int64 (builder, "n_samples", plan->n_samples);
  seam_builder_double (builder, "elapsed_median_ns", plan->median_ns);
  seam_builder_double (builder, "elapsed_ci_low_ns", plan->ci_low_ns);
  seam_builder_double (builder, "elapsed_ci_high_ns", plan->ci_high_ns);
  seam_builder_double (builder, "span_median_ns", plan->span_median_ns);
  seam_builder_double (builder, "kernels_sum_median_ns", plan->kernels_sum_median_ns);
  seam_builder_int64 (builder, "n_traces", plan->n_traces);
  seam_builder_int64 (builder, "n_kernels", plan->n_kernels);
  seam_builder_int64 (builder, "n_launches", plan->n_launches);
  seam_builder_int64 (builder, "n_records", plan->n_records);
  seam_builder_int64 (builder, "n_rejected", plan->n_rejected);
  seam_builder_double (builder, "modelled_bytes", plan->bytes);
  seam_builder_double (builder, "modelled_flop", plan->flop);
  seam_builder_boolean (builder, "stable", plan->stable);
  if (plan->difference != NULL)
    g_variant_builder_add (builder, "{sv}", "difference",
                           bulk ? seam_difference_to_variant (plan->difference)
                                : difference_totals_to_variant (plan->difference));
  add_samples (builder, plan);

  g_variant_builder_open (builder, G_VARIANT_TYPE ("{sv}"));
  g_variant_builder_add (builder, "s", "kernels");
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARIANT);
  g_variant_builder_open (builder, G_VARIANT_TYPE ("aa{sv}"));
  for (int i = 0; i < plan->n_kernels; i++)
    add_kernel (builder, &plan->kernels[i]);
  g_variant_builder_close (builder);
  g_variant_builder_close (builder);
  g_variant_builder_close (builder);

  g_variant_builder_close (builder);
}

GVariant *
seam_result_to_variant (const SeamResult *result, gboolean bulk)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (&builder, "pipeline", result->pipeline_id);
  seam_builder_string (&builder, "pipeline_text", result->pipeline_text);
  seam_builder_string (&builder, "shape", result->shape);
  seam_builder_string (&builder, "shape_text", result->shape_text);
  seam_builder_array (&builder, "values", "x", sizeof (gint64), result->values,
                      (gsize)result->n_values);
  seam_builder_string (&builder, "preset", result->preset);
  seam_builder_uint64 (&builder, "seed", result->seed);
  seam_builder_string (&builder, "distribution", result->distribution);
  seam_builder_string (&builder, "init", seam_init_mode_get_name (result->init_mode));
  seam_builder_string (&builder, "math_mode", result->math_mode);
  seam_builder_string (&builder, "storage", result->storage);
  seam_builder_boolean (&builder, "cold", result->cold);
  seam_builder_string (&builder, "launch_mode", result->launch_mode);
  seam_builder_double (&builder, "budget_s", result->budget_s);
  seam_builder_string (&builder, "against", result->against);
  seam_builder_double (&builder, "atol", result->atol);
  seam_builder_double (&builder, "rtol", result->rtol);
  if (result->device != NULL)
    g_variant_builder_add (&builder, "{sv}", "device",
                           seam_device_info_to_variant (result->device));
  seam_builder_string (&builder, "program_version", result->program_version);
  seam_builder_string (&builder, "started_at", result->started_at);
  seam_builder_string (&builder, "trace_note", result->trace_note);
  seam_builder_string (&builder, "throttle", result->throttle);
  seam_builder_double (&builder, "power_w", result->power_w);
  seam_builder_double (&builder, "temperature_c", result->temperature_c);
  seam_builder_boolean (&builder, "stopped", result->stopped);
  seam_builder_double (&builder, "floor_ns", result->floor_ns);
  seam_builder_boolean (&builder, "floor_memory_bound", result->floor_memory_bound);
  seam_builder_double (&builder, "duration_s", result->duration_s);
  seam_builder_string (&builder, "pitfalls", result->pitfalls);
  seam_edits_build (&builder, result->edits);
  seam_builder_int64 (&builder, "reference", result->reference);

  g_variant_builder_open (&builder, G_VARIANT_TYPE ("{sv}"));
  g_variant_builder_add (&builder, "s", "plans");
  g_variant_builder_open (&builder, G_VARIANT_TYPE_VARIANT);
  g_variant_builder_open (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (int i = 0; i < result->n_plans; i++)
    add_plan (&builder, &result->plans[i], bulk);
  g_variant_builder_close (&builder);
  g_variant_builder_close (&builder);
  g_variant_builder_close (&builder);
  return g_variant_builder_end (&builder);
}

static void
read_samples (SeamReader *reader, SeamPlanResult *plan)
{
  gsize n_elapsed, n_clock, n_order, n_throttle;
  g_autofree double *elapsed =
      seam_reader_array (reader, "samples_elapsed_ns", "d", sizeof (double), &n_elapsed);
  g_autofree double *clock =
      seam_reader_array (reader, "samples_clock_mhz", "d", sizeof (double), &n_clock);
  g_autofree gint32 *order =
      seam_reader_array (reader, "samples_order", "i", sizeof (gint32), &n_order);
  g_autofree gint32 *throttle =
      seam_reader_array (reader, "samples_throttle", "i", sizeof (gint32), &n_throttle);

  if (n_elapsed > G_MAXINT / sizeof (SeamSample) || (n_clock != 0 && n_clock != n_elapsed)
      || (n_order != 0 && n_order != n_elapsed) || (n_throttle != 0 && n_throttle != n_elapsed)) {
    seam_reader_fail (reader, "the lists of samples have different lengths");
    return;
  }
  plan->n_samples = (int)n_elapsed;
  plan->samples = g_new0 (SeamSample, n_elapsed);
  for (gsize i = 0; i < n_elapsed; i++) {
    plan->samples[i].elapsed_ns = elapsed[i];
    plan->samples[i].clock_mhz = clock != NULL ? clock[i] : NAN;
    plan->samples[i].order = order != NULL ? MAX (order[i], 0) : (int)i;
    plan->samples[i].throttle = throttle != NULL ? throttle[i] : 0;
  }
}

static void
read_triple (SeamReader *reader, const char *key, gint64 triple[3])
{
  gsize n;
  g_autofree gint64 *values = seam_reader_array (reader, key, "x", sizeof (gint64), &n);

  if (values == NULL)
    return;
  if (n != 3) {
    seam_reader_fail (reader, "\"%s\" has %" G_GSIZE_FORMAT " numbers, not 3", key, n);
    return;
  }
  for (int i = 0; i < 3; i++)
    triple[i] = MAX (values[i], 0);
}

static void
read_kernel (SeamReader *outer, GVariant *variant, int n_groups, SeamKernel *kernel)
{
  SeamReader reader;
  gsize n;
  g_autoptr (GError) error = NULL;

  kernel->median_ns = kernel->start_ns = kernel->bytes = NAN;
  kernel->call_start_ns = kernel->call_ns = NAN;
  seam_kernel_clear_counters (kernel);
  kernel->registers = -1;
  kernel->shared_bytes = -1;
  seam_reader_init (&reader, variant, outer->what);
  seam_reader_string (&reader, "name", &kernel->name);
  seam_reader_string (&reader, "short_name", &kernel->short_name);
  /* Indices into the plan's groups and the chain's ops: figures use them to find a colour. */
  seam_reader_int (&reader, "group", 0, MAX (n_groups - 1, 0), &kernel->group);
  seam_reader_int (&reader, "first_op", 0, 255, &kernel->first_op);
  kernel->last_op = kernel->first_op;
  seam_reader_int (&reader, "last_op", kernel->first_op, 255, &kernel->last_op);
  seam_reader_string (&reader, "implementation", &kernel->implementation);
  seam_reader_boolean (&reader, "is_copy", &kernel->is_copy);
  seam_reader_double (&reader, "median_ns", &kernel->median_ns);
  seam_reader_double (&reader, "start_ns", &kernel->start_ns);
  seam_reader_double (&reader, "call_start_ns", &kernel->call_start_ns);
  seam_reader_double (&reader, "call_ns", &kernel->call_ns);
  seam_reader_double (&reader, "bytes", &kernel->bytes);
  seam_reader_double (&reader, "dram_bytes_read", &kernel->dram_bytes_read);
  seam_reader_double (&reader, "dram_bytes_written", &kernel->dram_bytes_written);
  seam_reader_double (&reader, "l2_bytes", &kernel->l2_bytes);
  seam_reader_double (&reader, "dram_percent", &kernel->dram_percent);
  seam_reader_double (&reader, "sm_percent", &kernel->sm_percent);
  seam_reader_double (&reader, "tensor_percent", &kernel->tensor_percent);
  seam_reader_double (&reader, "occupancy_percent", &kernel->occupancy_percent);
  kernel->samples_ns = seam_reader_array (&reader, "samples_ns", "d", sizeof (double), &n);
  kernel->n_samples = (int)MIN (n, G_MAXINT / sizeof (double));
  seam_reader_int (&reader, "registers", -1, G_MAXINT, &kernel->registers);
  seam_reader_int64 (&reader, "shared_bytes", -1, G_MAXINT64, &kernel->shared_bytes);
  read_triple (&reader, "grid", kernel->grid);
  read_triple (&reader, "block", kernel->block);
  if (kernel->name == NULL)
    kernel->name = g_strdup (kernel->short_name != NULL ? kernel->short_name : "");
  if (kernel->short_name == NULL)
    kernel->short_name = g_strdup (kernel->name);
  if (!seam_reader_finish (&reader, &error))
    seam_reader_fail (outer, "a kernel is damaged (%s)", error->message);
}

static void
read_kernels (SeamReader *reader, SeamPlanResult *plan)
{
  g_autoptr (GVariant) kernels = seam_reader_value (reader, "kernels", "aa{sv}");
  gsize n = kernels != NULL ? g_variant_n_children (kernels) : 0;
  int n_stated = -1;

  seam_reader_int (reader, "n_kernels", -1, MAX_KERNELS, &n_stated);
  if (n > MAX_KERNELS || (gsize)MAX (n_stated, 0) != n) {
    seam_reader_fail (reader, "it states %d kernels and holds %" G_GSIZE_FORMAT, n_stated, n);
    return;
  }
  plan->kernels = g_new0 (SeamKernel, n);
  plan->n_kernels = n_stated; /* -1, not traced, stays apart from 0 */
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (kernels, i);
    read_kernel (reader, child, plan->n_groups, &plan->kernels[i]);
  }
}

static void
read_tiles (SeamReader *reader, SeamPlanResult *plan)
{
  g_autoptr (GVariant) tiles = seam_reader_value (reader, "tiles", "aa{sv}");

  if (tiles == NULL)
    return;
  if (g_variant_n_children (tiles) != (gsize)plan->n_groups) {
    seam_reader_fail (reader, "its tiles are not one for each of its groups");
    return;
  }
  plan->tiles = g_new0 (SeamTile, plan->n_groups);
  for (int i = 0; i < plan->n_groups; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (tiles, (gsize)i);
    g_autoptr (GError) error = NULL;
    if (!seam_tile_from_variant (child, &plan->tiles[i], &error))
      seam_reader_fail (reader, "a tile is damaged (%s)", error->message);
  }
}

static void
read_state (SeamReader *reader, SeamPlanResult *plan)
{
  g_autofree char *state = NULL;

  seam_reader_require (reader, "state");
  seam_reader_string (reader, "state", &state);
  for (gsize i = 0; i < G_N_ELEMENTS (state_names); i++)
    if (g_strcmp0 (state, state_names[i]) == 0) {
      plan->state = (SeamPlanState)i;
      return;
    }
  seam_reader_fail (reader, "a plan's state \"%s\" is not known", state != NULL ? state : "");
}

static void
read_plan (SeamReader *outer, GVariant *variant, SeamPlanResult *plan)
{
  SeamReader reader;
  g_autoptr (GError) error = NULL;

  seam_reader_init (&reader, variant, outer->what);
  seam_reader_require (&reader, "notation");
  seam_reader_string (&reader, "name", &plan->name);
  seam_reader_string (&reader, "notation", &plan->notation);
  seam_reader_string (&reader, "executed", &plan->executed);
  seam_reader_boolean (&reader, "exhibit", &plan->exhibit);
  read_state (&reader, plan);
  seam_reader_text (&reader, "message", &plan->message);
  seam_reader_int (&reader, "n_groups", 0, 255, &plan->n_groups);
  read_tiles (&reader, plan);
  seam_reader_double (&reader, "elapsed_median_ns", &plan->median_ns);
  seam_reader_double (&reader, "elapsed_ci_low_ns", &plan->ci_low_ns);
  seam_reader_double (&reader, "elapsed_ci_high_ns", &plan->ci_high_ns);
  seam_reader_double (&reader, "span_median_ns", &plan->span_median_ns);
  seam_reader_double (&reader, "kernels_sum_median_ns", &plan->kernels_sum_median_ns);
  seam_reader_int (&reader, "n_traces", 0, G_MAXINT, &plan->n_traces);
  seam_reader_int (&reader, "n_launches", 0, G_MAXINT, &plan->n_launches);
  seam_reader_int (&reader, "n_records", 0, G_MAXINT, &plan->n_records);
  seam_reader_int (&reader, "n_rejected", 0, G_MAXINT, &plan->n_rejected);
  seam_reader_double (&reader, "modelled_bytes", &plan->bytes);
  seam_reader_double (&reader, "modelled_flop", &plan->flop);
  seam_reader_boolean (&reader, "stable", &plan->stable);
  read_samples (&reader, plan);
  read_kernels (&reader, plan);

  g_autoptr (GVariant) difference = seam_reader_value (&reader, "difference", "a{sv}");
  if (difference != NULL && reader.error == NULL) {
    plan->difference = seam_difference_from_variant (difference, &error);
    if (plan->difference == NULL)
      seam_reader_fail (&reader, "a difference is damaged (%s)", error->message);
    g_clear_error (&error);
  }
  if (!seam_reader_finish (&reader, &error))
    seam_reader_fail (outer, "a plan is damaged (%s)", error->message);
}

static void
read_init (SeamReader *reader, SeamResult *result)
{
  g_autofree char *name = NULL;
  g_autoptr (GError) error = NULL;

  seam_reader_string (reader, "init", &name);
  if (name != NULL && !seam_init_mode_parse (name, &result->init_mode, &error))
    seam_reader_fail (reader, "%s", error->message);
}

static void
read_header (SeamReader *reader, SeamResult *result)
{
  gsize n_values;

  seam_reader_require (reader, "pipeline");
  seam_reader_require (reader, "plans");
  seam_reader_string (reader, "pipeline", &result->pipeline_id);
  seam_reader_text (reader, "pipeline_text", &result->pipeline_text);
  seam_reader_string (reader, "shape", &result->shape);
  seam_reader_string (reader, "shape_text", &result->shape_text);
  result->values = seam_reader_array (reader, "values", "x", sizeof (gint64), &n_values);
  result->n_values = (int)MIN (n_values, 255);
  seam_reader_string (reader, "preset", &result->preset);
  seam_reader_uint64 (reader, "seed", &result->seed);
  seam_reader_string (reader, "distribution", &result->distribution);
  read_init (reader, result);
  seam_reader_string (reader, "math_mode", &result->math_mode);
  seam_reader_string (reader, "storage", &result->storage);
  seam_reader_boolean (reader, "cold", &result->cold);
  seam_reader_string (reader, "launch_mode", &result->launch_mode);
  seam_reader_double (reader, "budget_s", &result->budget_s);
  seam_reader_string (reader, "against", &result->against);
  seam_reader_double (reader, "atol", &result->atol);
  seam_reader_double (reader, "rtol", &result->rtol);
  seam_reader_string (reader, "program_version", &result->program_version);
  seam_reader_string (reader, "started_at", &result->started_at);
  seam_reader_text (reader, "trace_note", &result->trace_note);
  seam_reader_string (reader, "throttle", &result->throttle);
  seam_reader_double (reader, "power_w", &result->power_w);
  seam_reader_double (reader, "temperature_c", &result->temperature_c);
  seam_reader_boolean (reader, "stopped", &result->stopped);
  seam_reader_double (reader, "floor_ns", &result->floor_ns);
  seam_reader_boolean (reader, "floor_memory_bound", &result->floor_memory_bound);
  seam_reader_double (reader, "duration_s", &result->duration_s);
  seam_reader_string (reader, "pitfalls", &result->pitfalls);
  g_ptr_array_unref (result->edits);
  result->edits = seam_edits_read (reader);
  seam_reader_int (reader, "reference", -1, result->n_plans - 1, &result->reference);

  g_autoptr (GVariant) device = seam_reader_value (reader, "device", "a{sv}");
  result->device =
      device != NULL ? seam_device_info_from_variant (device) : seam_device_info_new ("");
}

SeamResult *
seam_result_from_variant (GVariant *variant, GError **error)
{
  SeamReader reader;

  seam_reader_init (&reader, variant, "result");
  g_autoptr (GVariant) plans = seam_reader_value (&reader, "plans", "aa{sv}");
  gsize n_plans = plans != NULL ? g_variant_n_children (plans) : 0;
  if (n_plans > MAX_PLANS)
    seam_reader_fail (&reader, "it has %" G_GSIZE_FORMAT " plans", n_plans);
  g_autoptr (SeamResult) result = seam_result_new ((int)MIN (n_plans, MAX_PLANS));
  read_header (&reader, result);
  for (int i = 0; i < result->n_plans && reader.error == NULL; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (plans, (gsize)i);
    read_plan (&reader, child, &result->plans[i]);
  }
  if (!seam_reader_finish (&reader, error))
    return NULL;
  return g_steal_pointer (&result);
}
