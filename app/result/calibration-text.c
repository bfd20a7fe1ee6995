/* SPDX-License-Identifier: MIT
 *
 * A calibration as CSV, JSON and sentences.
 *
 * CSV: device, target, quantity ("copy", "read", "write", "fp32", "tf32", "bf16", "fp64", "launch",
 *   "curve", "knee"), working_set_bytes (of curve and knee; of the first three, their buffer), unit
 *   ("bytes/s", "operations/s", "ns"), median, ci_low, ci_high (95 %), least, most, n_samples,
 *   reason (why it is not known), driver, measured_at, program_version, peak (of the data sheet),
 *   over_peak ("yes": no device can have this rate, and nothing rests on it; empty without a peak),
 *   raised (what a run reached beyond it), raised_by (its pipeline), raised_at.
 *   The row "knee" has the size where the cache ends and, as its median, the bandwidth below it.
 */
#include "app/base/csv-text.h"
#include "app/base/text.h"
#include "app/result/calibration.h"
#include "app/record/variant.h"

#include <math.h>

static void
add_row (GString *csv, const SeamCalibration *calibration, const char *quantity, double bytes,
         const char *unit, const SeamRate *rate, const char *reason, double peak,
         const SeamRaise *raise)
{
  seam_csv_add_text (csv, calibration->device);
  seam_csv_add_text (csv, calibration->target);
  seam_csv_add_text (csv, quantity);
  seam_csv_add_number (csv, bytes);
  seam_csv_add_text (csv, unit);
  seam_csv_add_number (csv, rate->median);
  seam_csv_add_number (csv, rate->low);
  seam_csv_add_number (csv, rate->high);
  seam_csv_add_number (csv, rate->least);
  seam_csv_add_number (csv, rate->most);
  seam_csv_add_known (csv, rate->n, rate->n > 0);
  seam_csv_add_text (csv, reason);
  seam_csv_add_text (csv, calibration->driver);
  seam_csv_add_text (csv, calibration->measured_at);
  seam_csv_add_text (csv, calibration->program_version);
  seam_csv_add_number (csv, peak);
  seam_csv_add_text (csv, isnan (peak) || rate->n == 0      ? NULL
                          : rate->median > SEAM_RAIL * peak ? "yes"
                                                            : "no");
  seam_csv_add_number (csv, raise != NULL ? raise->rate : NAN);
  seam_csv_add_text (csv, raise != NULL ? raise->pipeline : NULL);
  seam_csv_add_text (csv, raise != NULL ? raise->at : NULL);
  seam_csv_end_row (csv);
}

char *
seam_calibration_to_csv (const SeamCalibration *calibration)
{
  static const char *const names[] = {
    "device",    "target",      "quantity",        "working_set_bytes",
    "unit",      "median",      "ci_low",          "ci_high",
    "least",     "most",        "n_samples",       "reason",
    "driver",    "measured_at", "program_version", "peak",
    "over_peak", "raised",      "raised_by",       "raised_at",
    NULL
  };
  GString *csv = g_string_new (NULL);
  SeamRate level = SEAM_RATE_UNKNOWN;
  SeamKnee knee;
  gboolean has_knee = seam_calibration_find_knee (calibration, &knee);

  seam_csv_add_header (csv, names);
  for (int i = 0; i < SEAM_N_RATES; i++)
    add_row (csv, calibration, seam_rate_get_key (i),
             i <= SEAM_RATE_WRITE ? calibration->buffer_bytes : NAN, seam_rate_get_unit (i),
             &calibration->rates[i], calibration->reasons[i],
             seam_calibration_get_peak (calibration, i), &calibration->raises[i]);
  for (int i = 0; i < calibration->n_points; i++)
    add_row (csv, calibration, "curve", calibration->curve[i].bytes, "bytes/s",
             &calibration->curve[i].rate, NULL, NAN, NULL);
  level.median = knee.cache_rate;
  add_row (csv, calibration, "knee", knee.bytes, "bytes/s", &level,
           has_knee ? NULL : "The curve has no step.", NAN, NULL);
  return g_string_free (csv, FALSE);
}

/* --- JSON --- */

static void
add_numbers (GVariantBuilder *builder, const SeamRate *rate)
{
  seam_builder_double (builder, "median", rate->median);
  seam_builder_double (builder, "ci_low", rate->low);
  seam_builder_double (builder, "ci_high", rate->high);
  seam_builder_double (builder, "least", rate->least);
  seam_builder_double (builder, "most", rate->most);
  seam_builder_int64 (builder, "n_samples", rate->n);
}

static GVariant *
make_rates (const SeamCalibration *calibration)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE_VARDICT);
  for (int i = 0; i < SEAM_N_RATES; i++) {
    GVariantBuilder one;

    g_variant_builder_init (&one, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (&one, "unit", seam_rate_get_unit (i));
    add_numbers (&one, &calibration->rates[i]);
    seam_builder_double (&one, "spread", calibration->rates[i].spread);
    seam_builder_string (&one, "reason", calibration->reasons[i]);
    seam_builder_double (&one, "raised", calibration->raises[i].rate);
    seam_builder_string (&one, "raised_by", calibration->raises[i].pipeline);
    seam_builder_string (&one, "raised_at", calibration->raises[i].at);
    seam_builder_double (&one, "peak", seam_calibration_get_peak (calibration, i));
    seam_builder_boolean (&one, "over_peak", seam_calibration_is_over_peak (calibration, i));
    g_variant_builder_add (&all, "{sv}", seam_rate_get_key (i), g_variant_builder_end (&one));
  }
  return g_variant_builder_end (&all);
}

static GVariant *
make_curve (const SeamCalibration *calibration)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE ("aa{sv}"));
  for (int i = 0; i < calibration->n_points; i++) {
    GVariantBuilder one;

    g_variant_builder_init (&one, G_VARIANT_TYPE_VARDICT);
    seam_builder_double (&one, "bytes", calibration->curve[i].bytes);
    add_numbers (&one, &calibration->curve[i].rate);
    g_variant_builder_add_value (&all, g_variant_builder_end (&one));
  }
  return g_variant_builder_end (&all);
}

char *
seam_calibration_to_json (const SeamCalibration *calibration)
{
  GVariantBuilder builder;
  g_autoptr (GVariant) variant = NULL;
  SeamKnee knee;

  seam_calibration_find_knee (calibration, &knee);
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
  g_variant_builder_add (&builder, "{sv}", "rates", make_rates (calibration));
  g_variant_builder_add (&builder, "{sv}", "curve", make_curve (calibration));
  seam_builder_double (&builder, "knee_bytes", knee.bytes);
  seam_builder_double (&builder, "cache_bytes_per_s", knee.cache_rate);
  seam_builder_double (&builder, "memory_bytes_per_s", knee.memory_rate);
  variant = g_variant_ref_sink (g_variant_builder_end (&builder));
  return seam_variant_to_json (variant);
}

/* --- Sentences --- */

char *
seam_calibration_describe_knee (const SeamCalibration *calibration)
{
  GString *text = g_string_new (NULL);
  g_autofree char *reported = seam_text_bytes (calibration->cache_bytes);
  SeamKnee knee;

  if (calibration->n_points == 0) {
    g_string_append (text, "The bandwidth over the size was not measured.");
  } else if (seam_calibration_find_knee (calibration, &knee)) {
    g_autofree char *bytes = seam_text_bytes (knee.bytes);
    g_autofree char *cache = seam_text_rate (knee.cache_rate);
    g_autofree char *memory = seam_text_rate (knee.memory_rate);
    g_autofree char *ratio = seam_text_ratio (knee.cache_rate / knee.memory_rate);

    g_string_append_printf (text,
                            "Up to about %s, reads come from the last-level cache at %s; beyond, "
                            "from memory at %s (%s slower).",
                            bytes, cache, memory, ratio);
  } else {
    g_string_append (text, "The curve has no clear step: where the cache ends, and how fast it is, "
                           "stays unknown.");
  }
  if (calibration->cache_bytes > 0)
    g_string_append_printf (text, " The device reports a last-level cache of %s.", reported);
  return g_string_free (text, FALSE);
}

char *
seam_calibration_describe_unsteady (const SeamCalibration *calibration)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (int i = 0; i < SEAM_N_RATES; i++) {
    const SeamRate *rate = &calibration->rates[i];
    /* Files of older programs have no spread. */
    double span = !isnan (rate->spread) ? rate->spread * rate->median
                  : isnan (rate->low)   ? rate->most - rate->least
                                        : rate->high - rate->low;
    double better = i == SEAM_RATE_LAUNCH ? rate->median / rate->least : rate->most / rate->median;

    if (span > SEAM_UNSTEADY * rate->median || better >= SEAM_FAR_BETTER)
      g_ptr_array_add (names, (gpointer)seam_rate_get_title (i));
  }
  if (names->len == 0)
    return NULL;
  g_ptr_array_add (names, NULL);
  g_autofree char *list = seam_text_list ((const char *const *)names->pdata);
  return g_strdup_printf (
      "The samples lie too far apart to be trusted: %s. Something else used the machine; calibrate "
      "again when it is idle.",
      list);
}

char *
seam_calibration_describe_over_peak (const SeamCalibration *calibration, SeamRateKind kind)
{
  double peak = seam_calibration_get_peak (calibration, kind);
  g_autofree char *text = seam_rate_format (kind, calibration->rates[kind].median);
  g_autofree char *peak_text = seam_rate_format (kind, peak);

  if (!seam_calibration_is_over_peak (calibration, kind))
    return NULL;
  return g_strdup_printf ("%s of %s is %.0f %% of the data sheet's %s, which cannot be; the floor "
                          "does not rest on it.",
                          seam_rate_get_title (kind), text,
                          100 * calibration->rates[kind].median / peak, peak_text);
}

char *
seam_calibration_describe_raise (const SeamCalibration *calibration, SeamRateKind kind)
{
  const SeamRaise *raise = &calibration->raises[kind];
  const SeamRate *rate = &calibration->rates[kind];
  g_autofree char *date = seam_calibration_format_date (raise->at);
  g_autofree char *reached = seam_rate_format (kind, raise->rate);
  g_autofree char *measured = seam_rate_format (kind, rate->median);

  if (isnan (raise->rate) || raise->rate <= rate->median)
    return NULL;
  return g_strdup_printf ("%s: a run of %s on %s reached %s, more than the %s measured here; the "
                          "floor rests on what it reached.",
                          kind == SEAM_RATE_COPY ? "Memory bandwidth" : seam_rate_get_title (kind),
                          raise->pipeline, date, reached, measured);
}

/* Takes the sentence; NULL: nothing to add. */
static void
append_sentence (GString *text, char *sentence)
{
  if (sentence != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
  g_free (sentence);
}

/* On a GPU reading alone is the fastest there is: its memory changes direction for what is written.
 * (A core of a CPU reads no faster than it can have loads under way, and writes beside that.) */
static char *
describe_copy (const SeamCalibration *calibration)
{
  const SeamRate *copy = &calibration->rates[SEAM_RATE_COPY];
  const SeamRate *read = &calibration->rates[SEAM_RATE_READ];

  if (g_strcmp0 (calibration->target, "cpu") == 0
      || !(copy->least > (1 + SEAM_UNSTEADY) * read->most))
    return NULL;
  return g_strdup ("Copying came out faster than reading alone, which is not plausible: something "
                   "else used the machine while it read. Calibrate again when it is idle.");
}

#define KNEE_FACTOR 2

static char *
describe_cache (const SeamCalibration *calibration)
{
  g_autofree char *reported = seam_text_bytes (calibration->cache_bytes), *bytes = NULL;
  SeamKnee knee;

  if (!(calibration->cache_bytes > 0) || !seam_calibration_find_knee (calibration, &knee)
      || (knee.bytes <= KNEE_FACTOR * calibration->cache_bytes
          && knee.bytes >= calibration->cache_bytes / KNEE_FACTOR))
    return NULL;
  bytes = seam_text_bytes (knee.bytes);
  return g_strdup_printf ("The cache seems to end at %s, and the device reports %s: only a part of "
                          "it is this program's, or something else used the machine.",
                          bytes, reported);
}

static char *
describe_buffer (const SeamCalibration *calibration)
{
  double times = calibration->buffer_bytes / calibration->cache_bytes;

  /* The rounding of sizes is no reason. */
  if (!(calibration->cache_bytes > 0) || !(times < .99 * SEAM_CALIBRATION_FAR))
    return NULL;
  return g_strdup_printf (
      "The buffer was only %.1f times the cache, which may have answered a part "
      "of it: bandwidths may be too high. More time or free memory allows %d "
      "times.",
      times, SEAM_CALIBRATION_FAR);
}

char *
seam_calibration_describe_doubts (const SeamCalibration *calibration)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < SEAM_N_RATES; i++)
    append_sentence (text, seam_calibration_describe_over_peak (calibration, i));
  for (int i = 0; i < SEAM_N_RATES; i++)
    append_sentence (text, seam_calibration_describe_raise (calibration, i));
  append_sentence (text, describe_copy (calibration));
  append_sentence (text, describe_cache (calibration));
  append_sentence (text, describe_buffer (calibration));
  append_sentence (text, seam_calibration_describe_unsteady (calibration));
  return g_string_free (text, text->len == 0);
}

char *
seam_calibration_get_provenance (const SeamCalibration *calibration)
{
  GString *text = g_string_new (calibration->device);
  g_autofree char *date = seam_calibration_format_date (calibration->measured_at);

  if (calibration->driver != NULL)
    g_string_append_printf (text, " · driver %s", calibration->driver);
  if (calibration->libraries != NULL)
    g_string_append_printf (text, " · %s", calibration->libraries);
  if (date != NULL)
    g_string_append_printf (text, " · calibrated %s", date);
  if (calibration->program_version != NULL)
    g_string_append_printf (text, " · Seamscope %s", calibration->program_version);
  return g_string_free (text, FALSE);
}
