/* SPDX-License-Identifier: MIT
 *
 * The loop of calibration. Each quantity is warmed up once, then sampled until its share of the
 * budget is used or its interval is narrow; unused time goes to the later ones. The result is the
 * median, not the best: a rate that the device reaches only now and then is no fair limit for
 * plans.
 */
#include "app/measure/calibrate.h"

#include "app/base/text.h"
#include "app/base/statistics.h"

#include <math.h>

#define CONFIDENCE    0.95
#define GOAL          0.01 /* relative width of an interval that is narrow enough */
#define LEAST_SAMPLES 3
#define ENOUGH        12 /* samples before a narrow interval ends the sampling */
#define MOST_SAMPLES  200

/* A sweep goes from a sixteenth of the cache to SEAM_CALIBRATION_FAR times its size. */
#define CURVE_BELOW       16
#define POINTS_PER_OCTAVE 3
/* A device without known cache has a curve that ends at least this many times beyond its first
 * point. */
#define LEAST_SPAN 4
/* The buffer of the memory bandwidths is this many times as large as the cache; the smallest factor
 * is used even if it exceeds the budget. With a buffer of 4 times its L2, an H200 answered a tenth
 * of the reads from there (4.88 TB/s from a memory of 4.8). That share is proportional to cache
 * over buffer: with 64 times it is under 1 %. */
#define BUFFER_ABOVE       64
#define LEAST_BUFFER_ABOVE 4
#define BUFFER_SHARE       0.1 /* of the budget */
#define SIZE_STEP          (G_GINT64_CONSTANT (64) * 1024)
/* The end of a sweep if the cache is unknown, and its least end, which is far enough to show where
 * a small cache ends. */
#define LEAST_SWEEP_BYTES ((gint64)64 << 20)
#define MOST_SWEEP_BYTES  ((gint64)4 << 30)
#define MOST_BUFFER_BYTES ((gint64)8 << 30)
/* The buffer for a device whose cache is unknown. */
#define UNKNOWN_BUFFER_BYTES ((gint64)1 << 30)
#define LEAST_START_BYTES    ((gint64)512 * 1024)
/* A curve with fewer points shows no step. */
#define LEAST_POINTS 6
/* Buffers take at most this part of the free memory: one over MEMORY_SHARE. */
#define MEMORY_SHARE 4

/* A point of the curve gets less time than a rate, on which everything rests. */
#define RATE_WEIGHT  1.0
#define POINT_WEIGHT 0.3

typedef struct {
  SeamDevice *device;
  const SeamCalibrateOptions *options;
  SeamCalibration *calibration;
  gint64 start_us;
  double weight_left, weight_whole;
} Calibrator;

GArray *
seam_calibrate_list_sizes (gint64 cache_bytes, gint64 private_bytes, gint64 most_bytes)
{
  GArray *sizes = g_array_new (FALSE, FALSE, sizeof (gint64));
  double first = MAX (cache_bytes / CURVE_BELOW, private_bytes + private_bytes / 2);
  double last = MAX (SEAM_CALIBRATION_FAR * (double)cache_bytes, LEAST_SWEEP_BYTES), size;

  first = MAX (first, LEAST_START_BYTES);
  last = MIN (MIN (MAX (last, LEAST_SPAN * first), MOST_SWEEP_BYTES), (double)most_bytes);
  size = first;
  for (int i = 1; size <= last * 1.0001; i++) {
    gint64 rounded = (gint64)(size / SIZE_STEP) * SIZE_STEP;

    if (sizes->len == 0 || rounded > g_array_index (sizes, gint64, sizes->len - 1))
      g_array_append_val (sizes, rounded);
    size = first * pow (2, (double)i / POINTS_PER_OCTAVE);
  }
  if (sizes->len < LEAST_POINTS)
    g_array_set_size (sizes, 0);
  return sizes;
}

gint64
seam_calibrate_choose_buffer (gint64 cache_bytes, gint64 most_bytes, double bytes_per_s,
                              double budget_s)
{
  double least = (double)MAX (LEAST_BUFFER_ABOVE * cache_bytes, LEAST_SWEEP_BYTES);
  double wanted = (double)(cache_bytes > 0 ? BUFFER_ABOVE * cache_bytes : UNKNOWN_BUFFER_BYTES);

  wanted = MIN (MAX (wanted, least), MOST_BUFFER_BYTES);
  if (bytes_per_s > 0)
    wanted = MIN (wanted, MAX (least, bytes_per_s * budget_s * BUFFER_SHARE));
  return (gint64)MIN (wanted, (double)most_bytes) / SIZE_STEP * SIZE_STEP;
}

static double
get_elapsed_s (const Calibrator *self)
{
  return (double)(g_get_monotonic_time () - self->start_us) * 1e-6;
}

static void
report (const Calibrator *self, const char *what)
{
  const SeamCalibrateProgress progress = {
    .what = what,
    .fraction = 1 - self->weight_left / self->weight_whole,
    .elapsed_s = get_elapsed_s (self),
    .budget_s = self->options->budget_s,
  };

  if (self->options->progress != NULL)
    self->options->progress (&progress, self->options->data);
}

static gboolean
is_enough (const double *values, int n, double until_s, double now_s)
{
  if (n < LEAST_SAMPLES)
    return FALSE;
  if (now_s >= until_s || n >= MOST_SAMPLES)
    return TRUE;
  if (n < ENOUGH)
    return FALSE;
  SeamMedian median = seam_median (values, n, CONFIDENCE);
  /* NaN (no interval yet) makes this comparison FALSE. */
  return median.high - median.low <= GOAL * median.median;
}

static SeamRate
summarize (const double *values, int n)
{
  SeamMedian median = seam_median (values, n, CONFIDENCE);
  SeamRate rate = { median.median, median.low, median.high, values[0], values[0], n };

  for (int i = 1; i < n; i++) {
    rate.least = fmin (rate.least, values[i]);
    rate.most = fmax (rate.most, values[i]);
  }
  return rate;
}

/* Takes one sample as a rate or, for a launch, as its time. */
static gboolean
sample (Calibrator *self, SeamRateKind kind, gint64 bytes, double *value, GError **error)
{
  double amount = 0, time_ns = 0;

  if (seam_cancel_check (self->options->cancel, error)
      || !self->device->backend->benchmark (self->device, kind, bytes, &amount, &time_ns, error))
    return FALSE;
  *value = kind == SEAM_RATE_LAUNCH ? time_ns / amount : amount / time_ns * 1e9;
  if (*value > 0 && isfinite (*value))
    return TRUE;
  return seam_fail (
      error, SEAM_ERROR_UNSUPPORTED,
      "A measurement of %s took no time; the clock of this device cannot be relied on.",
      seam_rate_get_key (kind));
}

/* Measures the rate of a new buffer, which is allocated, filled and read, in bytes/s. A smaller
 * buffer goes first and takes the one-time costs, such as the loading of kernels. */
static gboolean
probe (Calibrator *self, gint64 bytes, double *bytes_per_s, GError **error)
{
  double start_s, rate;

  if (!sample (self, SEAM_RATE_READ, bytes / 2, &rate, error))
    return FALSE;
  start_s = get_elapsed_s (self);
  if (!sample (self, SEAM_RATE_READ, bytes, &rate, error))
    return FALSE;
  *bytes_per_s = (double)bytes / MAX (get_elapsed_s (self) - start_s, 1e-6);
  return TRUE;
}

static gboolean
measure (Calibrator *self, SeamRateKind kind, gint64 bytes, double weight, SeamRate *rate,
         double *spread, GError **error)
{
  double now_s = get_elapsed_s (self), left_s = MAX (0, self->options->budget_s - now_s);
  double until_s = now_s + left_s * weight / self->weight_left;
  double values[MOST_SAMPLES], warm_up;
  int n = 0;

  self->weight_left -= weight;
  if (!sample (self, kind, bytes, &warm_up, error))
    return FALSE;
  do {
    if (!sample (self, kind, bytes, &values[n], error))
      return FALSE;
    n++;
  } while (!is_enough (values, n, until_s, get_elapsed_s (self)));
  *rate = summarize (values, n);
  if (spread != NULL)
    *spread = seam_quartile_range (values, n) / rate->median;
  return TRUE;
}

/* A quantity that the target does not have is unknown; the others are not affected. */
static gboolean
measure_rates (Calibrator *self, gint64 buffer_bytes, GError **error)
{
  SeamCalibration *calibration = self->calibration;

  for (SeamRateKind kind = 0; kind < SEAM_N_RATES; kind++) {
    g_autoptr (GError) problem = NULL;

    report (self, seam_rate_get_title (kind));
    if (measure (self, kind, buffer_bytes, RATE_WEIGHT, &calibration->rates[kind],
                 &calibration->notes[kind].spread, &problem))
      continue;
    if (!g_error_matches (problem, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)) {
      g_propagate_error (error, g_steal_pointer (&problem));
      return FALSE;
    }
    calibration->notes[kind].reason = g_strdup (problem->message);
  }
  return TRUE;
}

static gboolean
measure_curve (Calibrator *self, const GArray *sizes, GError **error)
{
  SeamCalibration *calibration = self->calibration;

  calibration->curve = g_new0 (SeamCurvePoint, MAX (1, sizes->len));
  for (guint i = 0; i < sizes->len; i++) {
    SeamCurvePoint *point = &calibration->curve[i];
    gint64 bytes = g_array_index (sizes, gint64, i);
    g_autofree char *size = seam_text_bytes ((double)bytes);
    g_autofree char *what = g_strdup_printf ("Bandwidth of %s", size);

    report (self, what);
    point->bytes = (double)bytes;
    if (!measure (self, SEAM_RATE_READ, bytes, POINT_WEIGHT, &point->rate, NULL, error))
      return FALSE;
    calibration->n_points = (int)i + 1;
  }
  return TRUE;
}

static void
describe (SeamCalibration *calibration, const SeamDeviceInfo *info)
{
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();

  calibration->identity = g_strdup (info->identity);
  calibration->device = g_strdup (info->name);
  calibration->target = g_strdup (info->id);
  calibration->driver = g_strdup (info->driver);
  calibration->libraries = g_strdup (info->libraries);
  calibration->measured_at = g_date_time_format_iso8601 (now);
  calibration->cache_bytes = (double)info->l2_bytes;
  calibration->peak_bytes_per_s = info->peak_bytes_per_s > 0 ? info->peak_bytes_per_s : NAN;
  calibration->peak_fp32 = info->peak_flop_fp32 > 0 ? info->peak_flop_fp32 : NAN;
  calibration->peak_tf32 = info->peak_flop_tf32 > 0 ? info->peak_flop_tf32 : NAN;
}

/* Chooses buffer and sizes, as memory and time allow. */
static gboolean
choose_sizes (Calibrator *self, gint64 *buffer, GArray **sizes, GError **error)
{
  const SeamDevice *device = self->device;
  guint64 available = device->backend->get_free_memory (self->device);
  gint64 most = available > 0 ? (gint64)(available / MEMORY_SHARE) : MOST_SWEEP_BYTES;
  gint64 first = MIN (most, LEAST_SWEEP_BYTES) / SIZE_STEP * SIZE_STEP;
  gint64 cache = (gint64)device->info->l2_bytes;
  double bytes_per_s = 0;

  if (first < 2 * SIZE_STEP)
    return seam_fail (error, SEAM_ERROR_MEMORY,
                      "There is too little free memory on %s for a calibration.", device->info->id);
  if (!probe (self, first, &bytes_per_s, error))
    return FALSE;
  *buffer = seam_calibrate_choose_buffer (cache, most, bytes_per_s, self->options->budget_s);
  *sizes = seam_calibrate_list_sizes (cache, device->private_cache_bytes, *buffer);
  return TRUE;
}

SeamCalibration *
seam_calibrate (SeamDevice *device, const SeamCalibrateOptions *options, GError **error)
{
  g_autoptr (SeamCalibration) calibration = seam_calibration_new ();
  g_autoptr (GArray) sizes = NULL;
  gint64 buffer = 0;
  Calibrator self = { device, options, calibration, g_get_monotonic_time (), 0, 0 };

  if (device->backend->benchmark == NULL)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED, "The target %s cannot be calibrated.",
                           device->info->id);
  describe (calibration, device->info);
  gboolean ok = choose_sizes (&self, &buffer, &sizes, error);
  if (ok) {
    calibration->buffer_bytes = (double)buffer;
    self.weight_whole = self.weight_left = SEAM_N_RATES * RATE_WEIGHT + sizes->len * POINT_WEIGHT;
    ok = measure_rates (&self, buffer, error) && measure_curve (&self, sizes, error);
  }
  device->backend->end_benchmarks (device);
  if (!ok)
    return NULL;
  calibration->duration_s = get_elapsed_s (&self);
  return g_steal_pointer (&calibration);
}
