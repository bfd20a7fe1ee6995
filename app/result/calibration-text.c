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
#include "app/base/text.h"
#include "app/result/calibration.h"

#include <math.h>

/* A rate, a point of the curve, or the knee. All pointers are borrowed. */
typedef struct {
  const char *quantity, *unit;
  double working_set_bytes, peak; /* NaN: none */
  const SeamRate *rate;
  const SeamRateNotes *notes; /* NULL: not a rate */
} Row;

static void
compute_over_peak (const SeamPath *path, SeamValue *value)
{
  const Row *row = path->record;

  /* The comparison is FALSE for NaN (unknown). */
  seam_value_set_boolean (value, row->rate->median > SEAM_PEAK_SLACK * row->peak);
  value->known = !isnan (row->peak) && row->rate->n > 0;
}

static const SeamField row_fields[] = {
  { SEAM_FIELD (Row, quantity, TEXT) },
  { SEAM_FIELD (Row, unit, TEXT) },
  { SEAM_FIELD (Row, working_set_bytes, DOUBLE) },
  { SEAM_FIELD (Row, peak, DOUBLE) },
  { SEAM_FIELD (Row, rate, RECORD), .type = &seam_rate_type },
  { SEAM_FIELD (Row, notes, RECORD), .type = &seam_rate_notes_type },
  SEAM_COMPUTED ("over_peak", compute_over_peak),
  { NULL },
};

static const SeamRecordType row_type = {
  .name = "row",
  .size = sizeof (Row),
  .fields = row_fields,
};

static const SeamView table_view = {
  .header = "device,target,quantity,working_set_bytes,unit,median,ci_low,ci_high,least,most,"
            "n_samples,reason,driver,measured_at,program_version,peak,over_peak,raised,raised_by,"
            "raised_at",
};

static Row
make_row (const SeamCalibration *calibration, SeamRateKind kind)
{
  return (Row){ .quantity = seam_rate_get_key (kind),
                .unit = seam_rate_get_unit (kind),
                .working_set_bytes = kind <= SEAM_RATE_WRITE ? calibration->buffer_bytes : NAN,
                .peak = seam_calibration_get_peak (calibration, kind),
                .rate = &calibration->rates[kind],
                .notes = &calibration->notes[kind] };
}

char *
seam_calibration_to_csv (const SeamCalibration *calibration)
{
  SeamPath whole = { .type = &seam_calibration_type, .record = calibration };
  SeamPath path = { .type = &row_type, .outer = &whole };
  SeamViewWriter *writer = seam_view_open (&table_view, &path);
  SeamRate level = SEAM_RATE_UNKNOWN;
  SeamRateNotes notes = { .spread = NAN, .raised = NAN };
  SeamKnee knee;
  Row row;

  path.record = &row;
  for (SeamRateKind kind = 0; kind < SEAM_N_RATES; kind++) {
    row = make_row (calibration, kind);
    seam_view_add_row (writer, &path);
  }
  for (int i = 0; i < calibration->n_points; i++) {
    const SeamCurvePoint *point = &calibration->curve[i];

    row = (Row){ "curve", "bytes/s", point->bytes, NAN, &point->rate, NULL };
    seam_view_add_row (writer, &path);
  }
  if (!seam_calibration_find_knee (calibration, &knee))
    notes.reason = (char *)"The curve has no step.";
  level.median = knee.cache_rate;
  row = (Row){ "knee", "bytes/s", knee.bytes, NAN, &level, &notes };
  seam_view_add_row (writer, &path);
  return seam_view_close (writer);
}

/* --- JSON --- */

static const SeamView whole_view = {
  .header = "device,target,driver,libraries,program_version,measured_at,duration_s,buffer_bytes,"
            "cache_bytes",
};

static const SeamView rate_view = {
  .header = "unit,median,ci_low,ci_high,least,most,n_samples,spread,reason,raised,raised_by,"
            "raised_at,peak,over_peak",
};

static GVariant *
make_rates (const SeamCalibration *calibration)
{
  GVariantBuilder all;

  g_variant_builder_init (&all, G_VARIANT_TYPE_VARDICT);
  for (SeamRateKind kind = 0; kind < SEAM_N_RATES; kind++) {
    Row row = make_row (calibration, kind);
    SeamPath path = { .type = &row_type, .record = &row };
    GVariantBuilder one;

    g_variant_builder_init (&one, G_VARIANT_TYPE_VARDICT);
    seam_view_build (&rate_view, &path, &one);
    g_variant_builder_add (&all, "{sv}", row.quantity, g_variant_builder_end (&one));
  }
  return g_variant_builder_end (&all);
}

char *
seam_calibration_to_json (const SeamCalibration *calibration)
{
  SeamPath path = { .type = &seam_calibration_type, .record = calibration };
  GVariantBuilder builder;
  SeamKnee knee;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_view_build (&whole_view, &path, &builder);
  g_variant_builder_add (&builder, "{sv}", "rates", make_rates (calibration));
  seam_builder_open_list (&builder, "curve");
  for (int i = 0; i < calibration->n_points; i++)
    g_variant_builder_add_value (
        &builder, seam_record_to_variant (&seam_curve_point_type, &calibration->curve[i], TRUE));
  seam_builder_close_list (&builder);
  seam_calibration_find_knee (calibration, &knee);
  seam_builder_double (&builder, "knee_bytes", knee.bytes);
  seam_builder_double (&builder, "cache_bytes_per_s", knee.cache_rate);
  seam_builder_double (&builder, "memory_bytes_per_s", knee.memory_rate);
  g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_builder_end (&builder));
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
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (int i = 0; i < SEAM_N_RATES; i++) {
    const SeamRate *rate = &calibration->rates[i];
    double spread = calibration->notes[i].spread;
    /* Files of older programs have no spread. */
    double span = !isnan (spread)     ? spread * rate->median
                  : isnan (rate->low) ? rate->most - rate->least
                                      : rate->high - rate->low;
    double better = i == SEAM_RATE_LAUNCH ? rate->median / rate->least : rate->most / rate->median;

    if (span > SEAM_UNSTEADY * rate->median || better >= SEAM_FAR_BETTER)
      g_ptr_array_add (names, (gpointer)seam_rate_get_title (i));
  }
  if (names->len == 0)
    return NULL;
  g_autofree char *list = seam_text_list ((const char *const *)names->pdata);
  return g_strdup_printf (
      "The samples lie too far apart to rely on: %s. Something else used the machine; calibrate "
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
  const SeamRateNotes *notes = &calibration->notes[kind];
  const SeamRate *rate = &calibration->rates[kind];
  g_autofree char *date = seam_calibration_format_date (notes->raised_at);
  g_autofree char *reached = seam_rate_format (kind, notes->raised);
  g_autofree char *measured = seam_rate_format (kind, rate->median);

  if (isnan (notes->raised) || notes->raised <= rate->median)
    return NULL;
  return g_strdup_printf ("%s: a run of %s on %s reached %s, more than the %s measured here; the "
                          "floor rests on what it reached.",
                          kind == SEAM_RATE_COPY ? "Memory bandwidth" : seam_rate_get_title (kind),
                          notes->raised_by, date, reached, measured);
}

/* Takes ownership of the sentence; NULL: nothing to add. */
static void
append_sentence (GString *text, char *sentence)
{
  if (sentence != NULL)
    g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", sentence);
  g_free (sentence);
}

/* Doubts a copy that is faster than reading. On a GPU reading alone is fastest, because memory
 * loses time when it changes direction for writes. A CPU core is different: it reads no faster than
 * its loads under way allow, and can write at the same time. It is recognised here by its missing
 * launch rate. */
static char *
describe_copy (const SeamCalibration *calibration)
{
  const SeamRate *copy = &calibration->rates[SEAM_RATE_COPY];
  const SeamRate *read = &calibration->rates[SEAM_RATE_READ];

  if (!(calibration->rates[SEAM_RATE_LAUNCH].median > 0)
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

  /* Rounded sizes are no reason for doubt. */
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
