/* SPDX-License-Identifier: MIT
 *
 * A calibration as data: its fields, names and units, the knee, and how it changes a device's
 * description.
 */
#include "app/result/calibration.h"

#include "app/base/doubles.h"
#include "app/base/text.h"

#include <math.h>
#include <string.h>

/* Every rate: its key in files, title and unit. */
#define RATES(X)                                                                                   \
  X (COPY, "copy", "Copy bandwidth", "bytes/s")                                                    \
  X (READ, "read", "Read bandwidth", "bytes/s")                                                    \
  X (WRITE, "write", "Write bandwidth", "bytes/s")                                                 \
  X (FP32, "fp32", "FP32 matrix product", "operations/s")                                          \
  X (TF32, "tf32", "TF32 matrix product", "operations/s")                                          \
  X (BF16, "bf16", "BF16 matrix product", "operations/s")                                          \
  X (FP64, "fp64", "FP64 matrix product", "operations/s")                                          \
  X (LAUNCH, "launch", "Launch overhead", "ns")

#define KIND(kind, key, title, unit) [SEAM_RATE_##kind] = { key, title, unit },

static const struct {
  const char *key, *title, *unit;
} kinds[SEAM_N_RATES] = { RATES (KIND) };

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

/* --- Fields --- */

static const SeamField rate_fields[] = {
  { SEAM_FIELD (SeamRate, median, DOUBLE) },
  { .name = "ci_low", SEAM_AT (SeamRate, low, DOUBLE) },
  { .name = "ci_high", SEAM_AT (SeamRate, high, DOUBLE) },
  { SEAM_FIELD (SeamRate, least, DOUBLE) },
  { SEAM_FIELD (SeamRate, most, DOUBLE) },
  { .name = "n_samples",
    SEAM_AT (SeamRate, n, INT),
    .flags = SEAM_OPTIONAL,
    .min = 1,
    .max = G_MAXINT },
  { NULL },
};

const SeamRecordType seam_rate_type = {
  .name = "rate",
  .size = sizeof (SeamRate),
  .fields = rate_fields,
};

static const SeamField notes_fields[] = {
  { SEAM_FIELD (SeamRateNotes, reason, TEXT), .flags = SEAM_LONG },
  { SEAM_FIELD (SeamRateNotes, raised_by, TEXT) },
  { SEAM_FIELD (SeamRateNotes, raised_at, TEXT) },
  { SEAM_FIELD (SeamRateNotes, spread, DOUBLE), .flags = SEAM_OMITTED },
  { SEAM_FIELD (SeamRateNotes, raised, DOUBLE), .flags = SEAM_OMITTED },
  { NULL },
};

const SeamRecordType seam_rate_notes_type = {
  .name = "notes",
  .size = sizeof (SeamRateNotes),
  .fields = notes_fields,
};

static const SeamField point_fields[] = {
  { SEAM_FIELD (SeamCurvePoint, bytes, DOUBLE) },
  { SEAM_FIELD (SeamCurvePoint, rate, INLINE), .type = &seam_rate_type },
  { NULL },
};

const SeamRecordType seam_curve_point_type = {
  .name = "point",
  .size = sizeof (SeamCurvePoint),
  .fields = point_fields,
  .max = SEAM_CURVE_MAX_POINTS,
};

/* FALSE for a number that no measurement gives. */
static gboolean
is_possible (const SeamRate *rate)
{
  return rate->median > 0 && isfinite (rate->median);
}

static void
check_rate (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamRate *rate = G_STRUCT_MEMBER_P (record, field->offset);

  if (rate->n > 0 && !is_possible (rate))
    seam_reader_fail (reader, "its “%s” makes no sense", field->name);
}

static void
check_notes (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamRateNotes *notes = G_STRUCT_MEMBER_P (record, field->offset);
  g_autofree char *date = seam_calibration_format_date (notes->raised_at);

  if (!isnan (notes->raised)
      && (!(notes->raised > 0) || !isfinite (notes->raised) || notes->raised_by == NULL
          || date == NULL))
    seam_reader_fail (reader, "its “%s_raised” makes no sense", field->name);
}

static void
check_curve (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamCalibration *calibration = record;
  double last = 0;

  for (int i = 0; i < calibration->n_points; i++) {
    const SeamCurvePoint *point = &calibration->curve[i];

    if (!(point->bytes > last) || !isfinite (point->bytes) || !is_possible (&point->rate))
      seam_reader_fail (reader, "point %d of its curve makes no sense", i);
    last = point->bytes;
  }
}

#define TEXT(m)                                                                                    \
  {                                                                                                \
    SEAM_FIELD (SeamCalibration, m, TEXT)                                                          \
  }
#define REAL(m)                                                                                    \
  {                                                                                                \
    SEAM_FIELD (SeamCalibration, m, DOUBLE), .flags = SEAM_OMITTED                                 \
  }
/* The values beside the numbers of a rate are separate members (fp32_reason): programs that do not
 * know one can read the others. */
#define RATE(kind, key, title, unit)                                                               \
  { .name = key,                                                                                   \
    SEAM_AT (SeamCalibration, rates[SEAM_RATE_##kind], ROW),                                       \
    .flags = SEAM_OMITTED,                                                                         \
    .type = &seam_rate_type,                                                                       \
    .check = check_rate },                                                                         \
      { .name = key,                                                                               \
        SEAM_AT (SeamCalibration, notes[SEAM_RATE_##kind], PREFIXED),                              \
        .type = &seam_rate_notes_type,                                                             \
        .check = check_notes },

static const SeamField calibration_fields[] = {
  { SEAM_FIELD (SeamCalibration, identity, TEXT), .flags = SEAM_PRIVATE },
  TEXT (device),
  TEXT (target),
  TEXT (driver),
  TEXT (libraries),
  TEXT (program_version),
  TEXT (measured_at),
  REAL (duration_s),
  REAL (buffer_bytes),
  { SEAM_FIELD (SeamCalibration, cache_bytes, DOUBLE), .from_zero = TRUE },
  REAL (peak_bytes_per_s),
  REAL (peak_fp32),
  REAL (peak_tf32),
  RATES (RATE) /* two fields each */
  { SEAM_FIELD (SeamCalibration, curve, ROWS), SEAM_COUNT (SeamCalibration, n_points),
    .type = &seam_curve_point_type, .check = check_curve },
  { NULL },
};

const SeamRecordType seam_calibration_type = {
  .name = "calibration",
  .size = sizeof (SeamCalibration),
  .fields = calibration_fields,
};

SeamCalibration *
seam_calibration_new (void)
{
  return seam_record_new (&seam_calibration_type);
}

void
seam_calibration_free (SeamCalibration *calibration)
{
  seam_record_free (&seam_calibration_type, calibration);
}

GVariant *
seam_calibration_to_variant (const SeamCalibration *calibration)
{
  return seam_record_to_variant (&seam_calibration_type, calibration, TRUE);
}

SeamCalibration *
seam_calibration_from_variant (GVariant *variant, GError **error)
{
  return seam_record_new_from_variant (&seam_calibration_type, variant, error);
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
  /* The comparison is FALSE for NaN (unknown). */
  return calibration->rates[kind].median
         > SEAM_PEAK_SLACK * seam_calibration_get_peak (calibration, kind);
}

/* --- Rates that runs reached --- */

void
seam_calibration_raise (SeamCalibration *calibration, SeamRateKind kind, double rate,
                        const char *pipeline, const char *at)
{
  SeamRateNotes *notes = &calibration->notes[kind];

  /* The comparison is FALSE for NaN (unknown). */
  if (!(rate > 0) || rate <= notes->raised)
    return;
  notes->raised = rate;
  g_free (notes->raised_by);
  notes->raised_by = g_strdup (pipeline);
  g_free (notes->raised_at);
  notes->raised_at = g_strdup (at);
}

gboolean
seam_calibration_is_raised (const SeamCalibration *calibration)
{
  /* A comparison with NaN (not raised) is FALSE. */
  for (SeamRateKind kind = 0; kind < SEAM_N_RATES; kind++)
    if (calibration->notes[kind].raised > 0)
      return TRUE;
  return FALSE;
}

void
seam_calibration_inherit (SeamCalibration *calibration, const SeamCalibration *older)
{
  for (SeamRateKind kind = 0; kind < SEAM_N_RATES; kind++)
    seam_calibration_raise (calibration, kind, older->notes[kind].raised,
                            older->notes[kind].raised_by, older->notes[kind].raised_at);
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

static double
get_level (const SeamCalibration *calibration, int first, int end)
{
  int n = end - first;
  g_autofree double *rates = g_new (double, n);

  for (int i = 0; i < n; i++)
    rates[i] = calibration->curve[first + i].rate.median;
  qsort (rates, n, sizeof *rates, seam_compare_doubles);
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
  /* Closer to the knee, the cache still serves part of the reads. */
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

/* The value of a rate: its median, the peak if the median is over it, or `known` if it was not
 * measured. */
static double
get_usable (const SeamCalibration *calibration, SeamRateKind kind, double known)
{
  if (seam_calibration_is_over_peak (calibration, kind))
    return seam_calibration_get_peak (calibration, kind);
  return calibration->rates[kind].median > 0 ? calibration->rates[kind].median : known;
}

/* The rate, or the higher rate that a run has reached, which is then added to `source`. */
static double
get_raised (const SeamCalibration *calibration, SeamRateKind kind, double rate, const char *name,
            GString *source)
{
  const SeamRateNotes *notes = &calibration->notes[kind];
  g_autofree char *date = seam_calibration_format_date (notes->raised_at);

  /* FALSE if `raised` is NaN (none). */
  if (!(notes->raised > 0 && notes->raised >= rate))
    return rate;
  g_string_append_printf (source, ", %s raised by a run of %s on %s", name, notes->raised_by, date);
  return notes->raised;
}

/* The fastest bandwidth that is not over the peak; else the peak, if one is over it. */
static double
find_bandwidth (const SeamCalibration *calibration, gboolean *is_peak)
{
  double fastest = 0;

  *is_peak = FALSE;
  /* The comparison is FALSE for NaN (unknown). */
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
  gboolean has_types = (seam_device_info_get_abilities (info) & SEAM_ABILITY_TF32) != 0;
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
  info->flop_tf32 =
      !has_types
          ? info->flop_fp32 /* on such a target it computes in FP32 instead */
          : get_raised (calibration, SEAM_RATE_TF32,
                        get_usable (calibration, SEAM_RATE_TF32, info->flop_tf32), "TF32", raised);
  info->flop_bf16 =
      get_raised (calibration, SEAM_RATE_BF16,
                  get_usable (calibration, SEAM_RATE_BF16, info->flop_bf16), "BF16", raised);
  if (rates[SEAM_RATE_LAUNCH].median > 0)
    info->launch_ns = rates[SEAM_RATE_LAUNCH].median;
  if (calibration->measured_at == NULL) {
    source = g_string_new (info->rates_source);
    g_string_append (source, raised->str);
    g_free (info->rates_source);
    info->rates_source = g_string_free (source, FALSE);
    return;
  }
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
  if (has_tf32 || has_types)
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
