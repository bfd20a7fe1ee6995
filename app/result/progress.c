/* SPDX-License-Identifier: MIT
 *
 * Progress of a run: the names of its steps, and its way between processes.
 */
#include "app/result/result.h"

#include "app/result/variant.h"

#include <math.h>

const char *
seam_step_get_title (SeamStep step)
{
  static const char *const titles[SEAM_N_STEPS] = {
    [SEAM_STEP_ALLOCATE] = "Allocate",       [SEAM_STEP_REFERENCE] = "FP64 reference",
    [SEAM_STEP_CHECK] = "Check outputs",     [SEAM_STEP_WARM_UP] = "Warm up",
    [SEAM_STEP_MEASURE] = "Measure",         [SEAM_STEP_TRACE] = "Trace kernels",
    [SEAM_STEP_CHECK_AGAIN] = "Check again", [SEAM_STEP_DONE] = "Done",
  };

  return (guint)step < SEAM_N_STEPS ? titles[step] : "";
}

void
seam_progress_clear (SeamProgress *progress)
{
  g_clear_pointer (&progress->throttle, g_free);
  g_clear_pointer (&progress->new_plans, g_free);
  g_clear_pointer (&progress->new_samples, g_free);
  progress->n_new = 0;
}

GVariant *
seam_progress_to_variant (const SeamProgress *progress)
{
  gsize n = (gsize)MAX (progress->n_new, 0);
  g_autofree gint32 *plans = g_new (gint32, n + 1);
  g_autofree gint32 *order = g_new (gint32, n + 1);
  g_autofree double *elapsed = g_new (double, n + 1);
  g_autofree double *clock = g_new (double, n + 1);
  GVariantBuilder builder;

  for (gsize i = 0; i < n; i++) {
    plans[i] = progress->new_plans[i];
    order[i] = progress->new_samples[i].order;
    elapsed[i] = progress->new_samples[i].elapsed_ns;
    clock[i] = progress->new_samples[i].clock_mhz;
  }
  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_int64 (&builder, "step", progress->step);
  seam_builder_boolean (&builder, "with_reference", progress->with_reference);
  seam_builder_double (&builder, "fraction", progress->fraction);
  seam_builder_double (&builder, "elapsed_s", progress->elapsed_s);
  seam_builder_double (&builder, "budget_s", progress->budget_s);
  seam_builder_int64 (&builder, "plan", progress->plan);
  seam_builder_double (&builder, "bytes_allocated", progress->bytes_allocated);
  seam_builder_double (&builder, "clock_mhz", progress->clock_mhz);
  seam_builder_double (&builder, "power_w", progress->power_w);
  seam_builder_double (&builder, "temperature_c", progress->temperature_c);
  seam_builder_string (&builder, "throttle", progress->throttle);
  seam_builder_array (&builder, "new_plans", "i", sizeof (gint32), plans, n);
  seam_builder_array (&builder, "new_order", "i", sizeof (gint32), order, n);
  seam_builder_array (&builder, "new_elapsed_ns", "d", sizeof (double), elapsed, n);
  seam_builder_array (&builder, "new_clock_mhz", "d", sizeof (double), clock, n);
  return g_variant_builder_end (&builder);
}

static void
read_new_samples (SeamReader *reader, SeamProgress *progress)
{
  gsize n, n_order, n_elapsed, n_clock;
  g_autofree gint32 *plans = seam_reader_array (reader, "new_plans", "i", sizeof (gint32), &n);
  g_autofree gint32 *order =
      seam_reader_array (reader, "new_order", "i", sizeof (gint32), &n_order);
  g_autofree double *elapsed =
      seam_reader_array (reader, "new_elapsed_ns", "d", sizeof (double), &n_elapsed);
  g_autofree double *clock =
      seam_reader_array (reader, "new_clock_mhz", "d", sizeof (double), &n_clock);

  if (reader->error != NULL)
    return;
  if (n_order != n || n_elapsed != n || n_clock != n || n > G_MAXINT / sizeof (SeamSample)) {
    seam_reader_fail (reader, "its lists of samples have different lengths");
    return;
  }
  progress->n_new = (int)n;
  progress->new_plans = g_new0 (int, n);
  progress->new_samples = g_new0 (SeamSample, n);
  for (gsize i = 0; i < n; i++) {
    if (plans[i] < 0)
      seam_reader_fail (reader, "a sample belongs to plan %d", plans[i]);
    progress->new_plans[i] = MAX (plans[i], 0);
    progress->new_samples[i] =
        (SeamSample){ .elapsed_ns = elapsed[i], .clock_mhz = clock[i], .order = order[i] };
  }
}

gboolean
seam_progress_from_variant (GVariant *variant, SeamProgress *progress, GError **error)
{
  SeamReader reader;
  int step = SEAM_STEP_ALLOCATE;

  *progress = (SeamProgress){
    .fraction = NAN, .plan = -1, .clock_mhz = NAN, .power_w = NAN, .temperature_c = NAN
  };
  seam_reader_init (&reader, variant, "progress");
  seam_reader_require (&reader, "step");
  seam_reader_int (&reader, "step", 0, SEAM_N_STEPS - 1, &step);
  progress->step = (SeamStep)step;
  seam_reader_boolean (&reader, "with_reference", &progress->with_reference);
  seam_reader_double (&reader, "fraction", &progress->fraction);
  seam_reader_double (&reader, "elapsed_s", &progress->elapsed_s);
  seam_reader_double (&reader, "budget_s", &progress->budget_s);
  seam_reader_int (&reader, "plan", -1, 255, &progress->plan);
  seam_reader_double (&reader, "bytes_allocated", &progress->bytes_allocated);
  seam_reader_double (&reader, "clock_mhz", &progress->clock_mhz);
  seam_reader_double (&reader, "power_w", &progress->power_w);
  seam_reader_double (&reader, "temperature_c", &progress->temperature_c);
  seam_reader_string (&reader, "throttle", &progress->throttle);
  read_new_samples (&reader, progress);
  if (!seam_reader_finish (&reader, error)) {
    seam_progress_clear (progress);
    return FALSE;
  }
  return TRUE;
}
