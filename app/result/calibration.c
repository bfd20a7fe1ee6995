/* SPDX-License-Identifier: MIT
 *
 * A calibration as data: names and units, the knee, its way into a device's description, and its
 * way between processes.
 */
#include "app/result/calibration.h"

#include "app/base/text.h"
#include "app/record/variant.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *key, *title, *unit;
} kinds[SEAM_N_RATES] = {
  [SEAM_RATE_COPY] = { "copy", "Copy bandwidth", "bytes/s" },
  [SEAM_RATE_READ] = { "read", "Read bandwidth", "bytes/s" },
  [SEAM_RATE_WRITE] = { "write", "Write bandwidth", "bytes/s" },
  [SEAM_RATE_FP32] = { "fp32", "FP32 matrix product", "operations/s" },
  [SEAM_RATE_TF32] = { "tf32", "TF32 matrix product", "operations/s" },
  [SEAM_RATE_BF16] = { "bf16", "BF16 matrix product", "operations/s" },
  [SEAM_RATE_FP64] = { "fp64", "FP64 matrix product", "operations/s" },
  [SEAM_RATE_LAUNCH] = { "launch", "Launch overhead", "ns" },
};

const char *
seam_rate_get_key (SeamRateKind kind)
{
  return kinds[kind].key;
}

const char *
seam_rate_get_title (SeamRateKind kind)
{
  return kinds[kind].title;
}

const char *
seam_rate_get_unit (SeamRateKind kind)
{
  return kinds[kind].unit;
}

char *
seam_rate_format (SeamRateKind kind, double value)
{
  if (kind == SEAM_RATE_LAUNCH)
    return seam_text_time (value);
  return kind <= SEAM_RATE_WRITE ? seam_text_rate (value) : seam_text_flop_rate (value);
}

SeamCalibration *
seam_calibration_new (void)
{
  SeamCalibration *calibration = g_new0 (SeamCalibration, 1);

  calibration->duration_s = calibration->buffer_bytes = NAN;
  calibration->peak_bytes_per_s = calibration->peak_fp32 = calibration->peak_tf32 = NAN;
  for (int i = 0; i < SEAM_N_RATES; i++) {
    calibration->rates[i] = SEAM_RATE_UNKNOWN;
    calibration->raises[i].rate = NAN;
  }
  return calibration;
}

void
seam_calibration_free (SeamCalibration *calibration)
{
  if (calibration == NULL)
    return;
  g_free (calibration->identity);
  g_free (calibration->device);
  g_free (calibration->target);
  g_free (calibration->driver);
  g_free (calibration->libraries);
  g_free (calibration->program_version);
  g_free (calibration->measured_at);
  for (int i = 0; i < SEAM_N_RATES; i++) {
    g_free (calibration->reasons[i]);
    g_free (calibration->raises[i].pipeline);
    g_free (calibration->raises[i].at);
  }
  g_free (calibration->curve);
  g_free (calibration);
}

/* --- Peaks --- */

double
seam_calibration_get_peak (const SeamCalibration *calibration, SeamRateKind kind)
{
  switch (kind) {
  case SEAM_RATE_COPY:
  case SEAM_RATE_READ:
  case SEAM_RATE_WRITE:
    return calibration->peak_bytes_per_s;
  case SEAM_RATE_FP32:
    return calibration->peak_fp32;
  case SEAM_RATE_TF32:
    return calibration->peak_tf32;
  default:
    return NAN;
  }
}

gboolean
seam_calibration_is_over_peak (const SeamCalibration *calibration, SeamRateKind kind)
{
  /* A comparison with NaN (not known) is FALSE. */
  return calibration->rates[kind].median
         > SEAM_RAIL * seam_calibration_get_peak (calibration, kind);
}

/* --- What runs reached --- */

void
seam_calibration_raise (SeamCalibration *calibration, SeamRateKind kind, double rate,
                        const char *pipeline, const char *at)
{
  SeamRaise *raise = &calibration->raises[kind];

  /* A comparison with NaN (not known) is FALSE. */
  if (!(rate > 0) || rate <= raise->rate)
    return;
  g_free (raise->pipeline);
  g_free (raise->at);
  *raise = (SeamRaise){ rate, g_strdup (pipeline), g_strdup (at) };
}

void
seam_calibration_inherit (SeamCalibration *calibration, const SeamCalibration *older)
{
  for (SeamRateKind kind = 0; kind < SEAM_N_RATES; kind++)
    seam_calibration_raise (calibration, kind, older->raises[kind].rate,
                            older->raises[kind].pipeline, older->raises[kind].at);
}

/* --- The knee --- */

/* Sum of squared distances from the mean of values[first .. end). */
static double
get_spread (const double *values, int first, int end)
{
  double sum = 0, spread = 0, mean;

  for (int i = first; i < end; i++)
    sum += values[i];
  mean = sum / (end - first);
  for (int i = first; i < end; i++)
    spread += (values[i] - mean) * (values[i] - mean);
  return spread;
}

static int
compare_doubles (const void *a, const void *b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

static double
get_level (const SeamCalibration *calibration, int first, int end)
{
  int n = end - first;
  g_autofree double *rates = g_new (double, n);

  for (int i = 0; i < n; i++)
    rates[i] = calibration->curve[first + i].rate.median;
  qsort (rates, n, sizeof *rates, compare_doubles);
  return n % 2 == 1 ? rates[n / 2] : (rates[n / 2 - 1] + rates[n / 2]) / 2;
}

gboolean
seam_calibration_find_knee (const SeamCalibration *calibration, SeamKnee *knee)
{
  int n = calibration->n_points, split = -1, far;
  double least = INFINITY, cache, memory, bytes;
  g_autofree double *logs = g_new (double, MAX (n, 1));

  *knee = (SeamKnee){ NAN, NAN, NAN, -1 };
  for (int i = 0; i < n; i++) {
    logs[i] = log (calibration->curve[i].rate.median);
    if (!isfinite (logs[i]))
      return FALSE;
  }
  for (int i = 2; i + 2 <= n; i++) {
    double spread = get_spread (logs, 0, i) + get_spread (logs, i, n);

    if (spread < least) {
      least = spread;
      split = i;
    }
  }
  if (split < 0)
    return FALSE;
  cache = get_level (calibration, 0, split);
  bytes = sqrt (calibration->curve[split - 1].bytes * calibration->curve[split].bytes);
  /* Nearer to the knee the cache still answers a part. */
  for (far = split; far < n && calibration->curve[far].bytes < SEAM_KNEE_FAR * bytes;)
    far++;
  memory = get_level (calibration, far + 2 <= n ? far : split, n);
  if (!(cache >= SEAM_KNEE_STEP * memory))
    return FALSE;
  knee->bytes = bytes;
  knee->cache_rate = cache;
  knee->memory_rate = memory;
  knee->first_memory = split;
  return TRUE;
}

/* --- Into a device's description --- */

char *
seam_calibration_format_date (const char *iso_8601)
{
  static const char *const months[] = { "Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec" };
  g_autoptr (GDateTime) time =
      iso_8601 != NULL ? g_date_time_new_from_iso8601 (iso_8601, NULL) : NULL;
  g_autoptr (GDateTime) local = time != NULL ? g_date_time_to_local (time) : NULL;

  if (local == NULL)
    return NULL;
  return g_strdup_printf ("%d %s %d", g_date_time_get_day_of_month (local),
                          months[g_date_time_get_month (local) - 1], g_date_time_get_year (local));
}

static void
append_source (GString *source, const SeamCalibration *calibration, SeamRateKind kind,
               const char *name)
{
  if (seam_calibration_is_over_peak (calibration, kind))
    g_string_append_printf (source, ", %s from the data sheet (measured over it)", name);
  else if (!(calibration->rates[kind].median > 0))
    g_string_append_printf (source, ", %s from the data sheet", name);
}

/* What a rate is worth: its median, the peak where it is over that, or `known` where it was not
 * measured. */
static double
get_usable (const SeamCalibration *calibration, SeamRateKind kind, double known)
{
  if (seam_calibration_is_over_peak (calibration, kind))
    return seam_calibration_get_peak (calibration, kind);
  return calibration->rates[kind].median > 0 ? calibration->rates[kind].median : known;
}

/* The rate, or more where a run has reached more, which is then added to `source`. */
static double
get_raised (const SeamCalibration *calibration, SeamRateKind kind, double rate, const char *name,
            GString *source)
{
  const SeamRaise *raise = &calibration->raises[kind];
  g_autofree char *date = seam_calibration_format_date (raise->at);

  /* FALSE for a rate of NaN (none). */
  if (!(raise->rate > 0 && raise->rate >= rate))
    return rate;
  g_string_append_printf (source, ", %s raised by a run of %s on %s", name, raise->pipeline, date);
  return raise->rate;
}

/* The fastest that is not over the peak; else the peak, where one is over it. */
static double
find_bandwidth (const SeamCalibration *calibration, gboolean *is_peak)
{
  double fastest = 0;

  *is_peak = FALSE;
  /* A comparison with NaN (not known) is FALSE. */
  for (SeamRateKind kind = SEAM_RATE_COPY; kind <= SEAM_RATE_WRITE; kind++)
    if (!seam_calibration_is_over_peak (calibration, kind)
        && calibration->rates[kind].median > fastest)
      fastest = calibration->rates[kind].median;
  for (SeamRateKind kind = SEAM_RATE_COPY; kind <= SEAM_RATE_WRITE && fastest == 0; kind++)
    if (seam_calibration_is_over_peak (calibration, kind)) {
      *is_peak = TRUE;
      fastest = calibration->peak_bytes_per_s;
    }
  return fastest;
}

void
seam_calibration_apply (const SeamCalibration *calibration, SeamDeviceInfo *info)
{
  const SeamRate *rates = calibration->rates;
  gboolean has_tf32 = rates[SEAM_RATE_TF32].median > 0, is_peak;
  gboolean on_cpu = g_strcmp0 (info->id, "cpu") == 0;
  double bytes_per_s = find_bandwidth (calibration, &is_peak);
  g_autoptr (GString) raised = g_string_new (NULL);
  GString *source;
  SeamKnee knee;

  info->bytes_per_s =
      get_raised (calibration, SEAM_RATE_COPY, bytes_per_s > 0 ? bytes_per_s : info->bytes_per_s,
                  "bandwidth", raised);
  info->flop_fp32 =
      get_raised (calibration, SEAM_RATE_FP32,
                  get_usable (calibration, SEAM_RATE_FP32, info->flop_fp32), "FP32", raised);
  info->flop_tf32 = on_cpu ? info->flop_fp32 /* there it computes in FP32 instead */
                           : get_raised (calibration, SEAM_RATE_TF32,
                                         get_usable (calibration, SEAM_RATE_TF32, info->flop_tf32),
                                         "TF32", raised);
  info->flop_bf16 =
      get_raised (calibration, SEAM_RATE_BF16,
                  get_usable (calibration, SEAM_RATE_BF16, info->flop_bf16), "BF16", raised);
  if (rates[SEAM_RATE_LAUNCH].median > 0)
    info->launch_ns = rates[SEAM_RATE_LAUNCH].median;
  info->l2_bytes_per_s = seam_calibration_find_knee (calibration, &knee) ? knee.cache_rate : 0;

  g_free (info->calibrated);
  info->calibrated = seam_calibration_format_date (calibration->measured_at);
  source = g_string_new ("calibrated ");
  g_string_append (source, info->calibrated != NULL ? info->calibrated : "before");
  if (calibration->driver != NULL && info->driver != NULL
      && strcmp (calibration->driver, info->driver) != 0)
    g_string_append_printf (source, " with driver %s", calibration->driver);
  if (is_peak)
    g_string_append (source, ", bandwidth from the data sheet (measured over it)");
  else if (!(bytes_per_s > 0))
    g_string_append (source, ", bandwidth not");
  append_source (source, calibration, SEAM_RATE_FP32, "FP32");
  if (has_tf32 || !on_cpu)
    append_source (source, calibration, SEAM_RATE_TF32, "TF32");
  g_string_append (source, raised->str);
  g_free (info->rates_source);
  info->rates_source = g_string_free (source, FALSE);
}

void
seam_calibration_undo (SeamDeviceInfo *info, const SeamDeviceInfo *uncalibrated)
{
  info->bytes_per_s = uncalibrated->bytes_per_s;
  info->flop_fp32 = uncalibrated->flop_fp32;
  info->flop_tf32 = uncalibrated->flop_tf32;
  info->flop_bf16 = uncalibrated->flop_bf16;
  info->l2_bytes_per_s = uncalibrated->l2_bytes_per_s;
  info->launch_ns = uncalibrated->launch_ns;
  g_clear_pointer (&info->calibrated, g_free);
  g_free (info->rates_source);
  info->rates_source = g_strdup (uncalibrated->rates_source);
}

/* --- Between processes --- */

#define RATE_NUMBERS 6

static void
add_rate (double *numbers, const SeamRate *rate)
{
  const double values[RATE_NUMBERS] = { rate->median, rate->low,  rate->high,
                                        rate->least,  rate->most, rate->n };

  memcpy (numbers, values, sizeof values);
}

/* "fp32_reason"; newly allocated. */
static char *
make_key (SeamRateKind kind, const char *suffix)
{
  return g_strconcat (kinds[kind].key, "_", suffix, NULL);
}

/* What stands beside the numbers of a rate, in members of their own: programs that do not know one
 * read the others. */
static void
add_beside (GVariantBuilder *builder, const SeamCalibration *calibration, SeamRateKind kind)
{
  const SeamRaise *raise = &calibration->raises[kind];
  g_autofree char *reason = make_key (kind, "reason"), *spread = make_key (kind, "spread");
  g_autofree char *raised = make_key (kind, "raised"), *by = make_key (kind, "raised_by");
  g_autofree char *at = make_key (kind, "raised_at");

  seam_builder_string (builder, reason, calibration->reasons[kind]);
  if (!isnan (calibration->rates[kind].spread))
    seam_builder_double (builder, spread, calibration->rates[kind].spread);
  if (isnan (raise->rate))
    return;
  seam_builder_double (builder, raised, raise->rate);
  seam_builder_string (builder, by, raise->pipeline);
  seam_builder_string (builder, at, raise->at);
}

static void
read_beside (SeamReader *reader, SeamCalibration *calibration, SeamRateKind kind)
{
  SeamRaise *raise = &calibration->raises[kind];
  g_autofree char *reason = make_key (kind, "reason"), *spread = make_key (kind, "spread");
  g_autofree char *raised = make_key (kind, "raised"), *by = make_key (kind, "raised_by");
  g_autofree char *at = make_key (kind, "raised_at"), *date = NULL;

  seam_reader_text (reader, reason, &calibration->reasons[kind]);
  seam_reader_double (reader, spread, &calibration->rates[kind].spread);
  seam_reader_double (reader, raised, &raise->rate);
  seam_reader_string (reader, by, &raise->pipeline);
  seam_reader_string (reader, at, &raise->at);
  date = seam_calibration_format_date (raise->at);
  if (!isnan (raise->rate)
      && (!(raise->rate > 0) || !isfinite (raise->rate) || raise->pipeline == NULL || date == NULL))
    seam_reader_fail (reader, "its “%s” makes no sense", raised);
}

GVariant *
seam_calibration_to_variant (const SeamCalibration *calibration)
{
  GVariantBuilder builder;
  int n = calibration->n_points;
  g_autofree double *curve = g_new (double, (1 + RATE_NUMBERS) * MAX (n, 1));

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (&builder, "device", calibration->device);
  seam_builder_string (&builder, "target", calibration->target);
  seam_builder_string (&builder, "driver", calibration->driver);
  seam_builder_string (&builder, "libraries", calibration->libraries);
  seam_builder_string (&builder, "program_version", calibration->program_version);
  seam_builder_string (&builder, "measured_at", calibration->measured_at);
  seam_builder_double (&builder, "duration_s", calibration->duration_s);
  seam_builder_double (&builder, "buffer_bytes", calibration->buffer_bytes);
  seam_builder_double (&builder, "cache_bytes", calibration->cache_bytes);
  seam_builder_double (&builder, "peak_bytes_per_s", calibration->peak_bytes_per_s);
  seam_builder_double (&builder, "peak_fp32", calibration->peak_fp32);
  seam_builder_double (&builder, "peak_tf32", calibration->peak_tf32);
  for (int i = 0; i < SEAM_N_RATES; i++) {
    double numbers[RATE_NUMBERS];

    add_rate (numbers, &calibration->rates[i]);
    if (calibration->rates[i].n > 0)
      seam_builder_array (&builder, kinds[i].key, "d", sizeof *numbers, numbers, RATE_NUMBERS);
    add_beside (&builder, calibration, i);
  }
  for (int i = 0; i < n; i++) {
    curve[i * (1 + RATE_NUMBERS)] = calibration->curve[i].bytes;
    add_rate (curve + i * (1 + RATE_NUMBERS) + 1, &calibration->curve[i].rate);
  }
  seam_builder_array (&builder, "curve", "d", sizeof *curve, curve, n * (1 + RATE_NUMBERS));
  return g_variant_builder_end (&builder);
}

/* FALSE for what no measurement gives. */
static gboolean
read_rate (const double *numbers, SeamRate *rate)
{
  if (!(numbers[0] > 0) || !isfinite (numbers[0]) || !(numbers[5] >= 1 && numbers[5] <= G_MAXINT))
    return FALSE;
  *rate = (SeamRate){ numbers[0], numbers[1],      numbers[2], numbers[3],
                      numbers[4], (int)numbers[5], NAN };
  return TRUE;
}

static void
read_curve (SeamReader *reader, SeamCalibration *calibration)
{
  gsize n = 0;
  g_autofree double *numbers = seam_reader_array (reader, "curve", "d", sizeof *numbers, &n);

  if (numbers == NULL)
    return;
  if (n % (1 + RATE_NUMBERS) != 0 || n / (1 + RATE_NUMBERS) > SEAM_CURVE_MAX_POINTS) {
    seam_reader_fail (reader, "its curve has %" G_GSIZE_FORMAT " numbers", n);
    return;
  }
  calibration->n_points = (int)(n / (1 + RATE_NUMBERS));
  calibration->curve = g_new0 (SeamCurvePoint, calibration->n_points);
  for (int i = 0; i < calibration->n_points; i++) {
    const double *point = numbers + i * (1 + RATE_NUMBERS);

    calibration->curve[i].bytes = point[0];
    if (!isfinite (point[0]) || !(point[0] > (i > 0 ? point[-1 - RATE_NUMBERS] : 0))
        || !read_rate (point + 1, &calibration->curve[i].rate))
      seam_reader_fail (reader, "point %d of its curve makes no sense", i);
  }
}

SeamCalibration *
seam_calibration_from_variant (GVariant *variant, GError **error)
{
  g_autoptr (SeamCalibration) calibration = seam_calibration_new ();
  SeamReader reader;

  seam_reader_init (&reader, variant, "calibration");
  seam_reader_string (&reader, "device", &calibration->device);
  seam_reader_string (&reader, "target", &calibration->target);
  seam_reader_string (&reader, "driver", &calibration->driver);
  seam_reader_string (&reader, "libraries", &calibration->libraries);
  seam_reader_string (&reader, "program_version", &calibration->program_version);
  seam_reader_string (&reader, "measured_at", &calibration->measured_at);
  seam_reader_double (&reader, "duration_s", &calibration->duration_s);
  seam_reader_double (&reader, "buffer_bytes", &calibration->buffer_bytes);
  seam_reader_double (&reader, "cache_bytes", &calibration->cache_bytes);
  seam_reader_double (&reader, "peak_bytes_per_s", &calibration->peak_bytes_per_s);
  seam_reader_double (&reader, "peak_fp32", &calibration->peak_fp32);
  seam_reader_double (&reader, "peak_tf32", &calibration->peak_tf32);
  for (int i = 0; i < SEAM_N_RATES; i++) {
    gsize n = 0;
    g_autofree double *numbers =
        seam_reader_array (&reader, kinds[i].key, "d", sizeof *numbers, &n);

    if (numbers != NULL && (n != RATE_NUMBERS || !read_rate (numbers, &calibration->rates[i])))
      seam_reader_fail (&reader, "its “%s” makes no sense", kinds[i].key);
    read_beside (&reader, calibration, i);
  }
  read_curve (&reader, calibration);
  return seam_reader_finish (&reader, error) ? g_steal_pointer (&calibration) : NULL;
}
