/* SPDX-License-Identifier: MIT
 *
 * Calibration: the knee's rule on curves whose answer is known, the loop on a device whose times
 * the test chooses, the file of a device (round trip, damaged, of another device), and the rates
 * that floor and roofline get from it.
 */
#include "app/measure/calibrate.h"
#include "app/runner/runner-calibrate.h"
#include "app/runner/run-private.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SeamRate
make_rate (double median)
{
  return (SeamRate){ median, median * .99, median * 1.01, median * .9, median * 1.1, 20 };
}

/* A curve over sizes from 1 MB on, three to an octave, with these rates. */
static SeamCalibration *
make_curve (const double *rates, int n)
{
  SeamCalibration *calibration = seam_calibration_new ();

  calibration->n_points = n;
  calibration->curve = g_new0 (SeamCurvePoint, MAX (n, 1));
  for (int i = 0; i < n; i++)
    calibration->curve[i] =
        (SeamCurvePoint){ floor (1e6 * pow (2, i / 3.0)), make_rate (rates[i]) };
  return calibration;
}

/* A calibration with every field that a file keeps, and with numbers that a text form could
 * spoil. */
static SeamCalibration *
make_whole (void)
{
  static const double rates[] = { 6e12, 6.1e12, 6e12, 5.9e12, 4e12 / 3, 1.3e12, 1.3e12, 1.31e12 };
  SeamCalibration *calibration = make_curve (rates, G_N_ELEMENTS (rates));

  calibration->identity = g_strdup ("Test GPU GPU-01234567-89ab");
  calibration->device = g_strdup ("Test GPU");
  calibration->target = g_strdup ("cuda:0");
  calibration->driver = g_strdup ("580.159");
  calibration->libraries = g_strdup ("CUDA 13.0; “quoted”, = and # signs");
  calibration->program_version = g_strdup ("0.1.0");
  calibration->measured_at = g_strdup ("2026-11-21T12:00:00Z");
  calibration->duration_s = 1.0 / 3;
  calibration->peak_bytes_per_s = 34e12 / 7;
  calibration->peak_fp32 = 67e12 / 3;
  calibration->buffer_bytes = 512e6;
  calibration->cache_bytes = 60e6;
  calibration->rates[SEAM_RATE_COPY] = make_rate (4.1e12);
  calibration->rates[SEAM_RATE_READ] = make_rate (4.3e12);
  calibration->rates[SEAM_RATE_WRITE] = make_rate (3.9e12);
  calibration->rates[SEAM_RATE_FP32] = make_rate (50e12 / 3);
  calibration->rates[SEAM_RATE_TF32] = make_rate (400e12);
  calibration->rates[SEAM_RATE_BF16] = (SeamRate){ 750e12, NAN, NAN, 740e12, 760e12, 3 };
  calibration->rates[SEAM_RATE_LAUNCH] = make_rate (2100);
  calibration->notes[SEAM_RATE_FP64].reason = g_strdup ("No op uses it.");
  calibration->notes[SEAM_RATE_READ].spread = .1 / 3;
  return calibration;
}

/* --- The knee --- */

static void
test_knee (void)
{
  static const double step[] = { 9e12, 9.1e12, 8.9e12, 9e12, 9e12, 3e12, 3.1e12, 3e12, 2.9e12 };
  static const double slope[] = { 10, 10, 10, 10, 8, 5, 3.2, 3, 3, 3 };
  static const double one_high[] = { 5, 5, 5, 15, 5, 5, 5, 5 };
  static const double flat[] = { 5, 5.2, 4.9, 5.1, 5, 5.3, 5 };
  static const double rising[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
  g_autoptr (SeamCalibration) stepped = make_curve (step, G_N_ELEMENTS (step));
  g_autoptr (SeamCalibration) sloping = make_curve (slope, G_N_ELEMENTS (slope));
  SeamKnee knee;

  g_assert_true (seam_calibration_find_knee (stepped, &knee));
  g_assert_cmpint (knee.first_memory, ==, 5);
  g_assert_cmpfloat_with_epsilon (knee.bytes,
                                  sqrt (stepped->curve[4].bytes * stepped->curve[5].bytes), 1);
  g_assert_cmpfloat (knee.cache_rate, ==, 9e12);
  g_assert_cmpfloat (knee.memory_rate, ==, 3e12);

  /* A point on a slope belongs to the level that is nearer to it. */
  g_assert_true (seam_calibration_find_knee (sloping, &knee));
  g_assert_cmpint (knee.first_memory, ==, 5);
  g_assert_cmpfloat (knee.cache_rate, ==, 10);
  g_assert_cmpfloat (knee.memory_rate, ==, 3);

  /* One stray point is no step, nor is a rise; and too few points have no knee. */
  const struct {
    const double *rates;
    int n;
  } none[] = { { one_high, G_N_ELEMENTS (one_high) },
               { flat, G_N_ELEMENTS (flat) },
               { rising, G_N_ELEMENTS (rising) },
               { step, 3 },
               { step, 0 } };
  for (gsize i = 0; i < G_N_ELEMENTS (none); i++) {
    g_autoptr (SeamCalibration) calibration = make_curve (none[i].rates, none[i].n);

    g_assert_false (seam_calibration_find_knee (calibration, &knee));
    g_assert_true (isnan (knee.bytes) && isnan (knee.cache_rate));
    g_assert_cmpint (knee.first_memory, ==, -1);
  }
}

static void
test_sizes (void)
{
  const gint64 mb = 1 << 20;
  g_autoptr (GArray) gpu = seam_calibrate_list_sizes (60 * mb, 0, 1024 * mb);
  g_autoptr (GArray) cpu = seam_calibrate_list_sizes (32 * mb, 8 * mb, 1024 * mb);
  g_autoptr (GArray) unknown = seam_calibrate_list_sizes (0, 0, 1024 * mb);
  g_autoptr (GArray) crowded = seam_calibrate_list_sizes (60 * mb, 0, 8 * mb);

  g_assert_cmpint (g_array_index (gpu, gint64, 0), ==, 60 * mb / 16);
  g_assert_cmpint (g_array_index (gpu, gint64, gpu->len - 1), ==, 960 * mb);
  g_assert_cmpint (gpu->len, ==, 25);
  for (guint i = 1; i < gpu->len; i++)
    g_assert_cmpint (g_array_index (gpu, gint64, i), >, g_array_index (gpu, gint64, i - 1));
  /* The first size lies beyond what the cores keep in caches of their own. */
  g_assert_cmpint (g_array_index (cpu, gint64, 0), >=, 12 * mb);
  g_assert_cmpint (g_array_index (unknown, gint64, unknown->len - 1), >, 32 * mb);
  g_assert_cmpint (crowded->len, ==, 0);
}

static void
test_buffer (void)
{
  const gint64 mb = 1 << 20, gb = G_GINT64_CONSTANT (1) << 30;

  /* The buffer is as large as wanted, as memory allows, and as time allows; but not so small
   * that the cache holds nearly all of it, and never without limit. */
  g_assert_cmpint (seam_calibrate_choose_buffer (60 * mb, 32 * gb, 0, 6), ==, 64 * 60 * mb);
  g_assert_cmpint (seam_calibrate_choose_buffer (60 * mb, 32 * gb, 50e9, 6), ==, 64 * 60 * mb);
  g_assert_cmpint (seam_calibrate_choose_buffer (60 * mb, 2 * gb, 50e9, 6), ==, 2 * gb);
  g_assert_cmpint (seam_calibrate_choose_buffer (32 * mb, 32 * gb, (double)gb, 5), ==, gb / 2);
  g_assert_cmpint (seam_calibrate_choose_buffer (60 * mb, 32 * gb, 1e9, .1), ==, 240 * mb);
  g_assert_cmpint (seam_calibrate_choose_buffer (1024 * mb, 64 * gb, 0, 6), ==, 8 * gb);
  g_assert_cmpint (seam_calibrate_choose_buffer (0, 32 * gb, 0, 6), ==, gb);
  g_assert_cmpint (seam_calibrate_choose_buffer (1 * mb, 32 * gb, 1, .1), ==, 64 * mb);
  g_assert_cmpint (seam_calibrate_choose_buffer (60 * mb, 100000, 50e9, 6), ==, 65536);
}

/* --- The loop --- */

static struct {
  int n_calls, n_ended, cancel_at;
  gint64 largest; /* largest working set so far */
  gboolean no_tf32, is_lost, is_busy;
  SeamCancel cancel;
} fake;

/* A 4 MB cache that also serves a part of larger working sets. The first execution of each
 * benchmark takes ten times as long. */
static gboolean
benchmark (SeamDevice *device, SeamRateKind kind, gint64 bytes, double *amount, double *time_ns,
           GError **error)
{
  static const double rates[SEAM_N_RATES] = { 100e9, 120e9, 80e9, 1e12, 2e12, 4e12, 5e11, 0 };
  static SeamRateKind last_kind = SEAM_N_RATES;
  static gint64 last_bytes;
  double rate = rates[kind];

  if (kind == SEAM_RATE_READ)
    rate = bytes <= 4 << 20 ? 360e9 : rate / (1 - .4 * (4 << 20) / (double)bytes);
  if (kind <= SEAM_RATE_WRITE)
    fake.largest = MAX (fake.largest, bytes);
  fake.n_calls++;
  if (fake.n_calls == fake.cancel_at)
    seam_cancel_raise (&fake.cancel);
  if (kind == SEAM_RATE_TF32 && fake.no_tf32) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "No TF32 here.");
    return FALSE;
  }
  if (kind == SEAM_RATE_FP64 && fake.is_lost) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_DEVICE, "The device is lost.");
    return FALSE;
  }
  *amount = kind == SEAM_RATE_LAUNCH ? 100 : 1e9;
  *time_ns = kind == SEAM_RATE_LAUNCH ? 100 * 2500 : 1e9 * 1e9 / rate;
  if (kind != last_kind || bytes != last_bytes)
    *time_ns *= 10;
  else if (fake.is_busy && kind == SEAM_RATE_FP32 && fake.n_calls % 3 == 0)
    *time_ns *= 2;
  last_kind = kind;
  last_bytes = bytes;
  return TRUE;
}

static void
end_benchmarks (SeamDevice *device)
{
  fake.n_ended++;
}

static guint64
get_free_memory (SeamDevice *device)
{
  return G_GUINT64_CONSTANT (1) << 32;
}

static const SeamBackend backend = {
  .name = "fake",
  .get_free_memory = get_free_memory,
  .benchmark = benchmark,
  .end_benchmarks = end_benchmarks,
};

static void
progress_cb (const SeamCalibrateProgress *progress, gpointer data)
{
  double *last = data;

  g_assert_cmpfloat (progress->fraction, >=, *last);
  g_assert_cmpfloat (progress->fraction, <, 1);
  g_assert_nonnull (progress->what);
  *last = progress->fraction;
}

static void
test_loop (void)
{
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cuda:0");
  SeamDevice device = { .backend = &backend, .info = info };
  double last = 0;
  SeamCalibrateOptions options = {
    .budget_s = 0.2, .cancel = &fake.cancel, .progress = progress_cb, .data = &last
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCalibration) calibration = NULL;
  SeamKnee knee;

  info->name = g_strdup ("Fake");
  info->identity = g_strdup ("Fake 1");
  info->l2_bytes = 4 << 20;
  memset (&fake, 0, sizeof fake);
  fake.no_tf32 = TRUE;
  calibration = seam_calibrate (&device, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpint (fake.n_ended, ==, 1);
  g_assert_cmpfloat (last, >, .9);
  /* The slow first execution is not among the samples. */
  g_assert_cmpfloat_with_epsilon (calibration->rates[SEAM_RATE_READ].least, 120e9, 1e9);
  /* The buffer is so far beyond the cache that the cache serves less than 1 % of it. */
  g_assert_cmpfloat (calibration->rates[SEAM_RATE_READ].median, <, 1.01 * 120e9);
  g_assert_cmpfloat (calibration->buffer_bytes, ==, (double)fake.largest);
  g_assert_cmpint (fake.largest, ==, 64 * (4 << 20));
  g_assert_cmpfloat (calibration->curve[calibration->n_points - 1].bytes, ==, 16 * (4 << 20));
  g_assert_cmpfloat_with_epsilon (calibration->rates[SEAM_RATE_FP32].median, 1e12, 1);
  g_assert_cmpfloat_with_epsilon (calibration->rates[SEAM_RATE_LAUNCH].median, 2500, 1e-6);
  g_assert_cmpint (calibration->rates[SEAM_RATE_FP32].n, >=, 3);
  g_assert_cmpint (calibration->rates[SEAM_RATE_TF32].n, ==, 0);
  g_assert_true (isnan (calibration->rates[SEAM_RATE_TF32].median));
  g_assert_cmpstr (calibration->notes[SEAM_RATE_TF32].reason, ==, "No TF32 here.");
  g_assert_null (calibration->notes[SEAM_RATE_FP32].reason);
  g_assert_cmpstr (calibration->identity, ==, "Fake 1");
  g_assert_true (seam_calibration_find_knee (calibration, &knee));
  g_assert_cmpfloat (knee.bytes, >, 4 << 20);
  g_assert_cmpfloat (knee.bytes, <, 6 << 20);
  g_assert_cmpfloat_with_epsilon (knee.cache_rate, 360e9, 1);
  /* The memory's rate is that of the flat end of the curve. */
  g_assert_cmpfloat (knee.memory_rate, <, 1.05 * 120e9);
  g_assert_null (seam_calibration_describe_doubts (calibration));
  g_assert_true (isnan (seam_calibration_get_peak (calibration, SEAM_RATE_READ)));
  info->peak_bytes_per_s = 110e9;

  fake.is_lost = TRUE;
  last = 0;
  g_assert_null (seam_calibrate (&device, &options, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_DEVICE);
  g_clear_error (&error);
  fake.is_lost = FALSE;
  fake.cancel_at = fake.n_calls + 5;
  last = 0;
  g_assert_null (seam_calibrate (&device, &options, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_CANCELLED);
  g_assert_cmpint (fake.n_calls, ==, fake.cancel_at);
  g_assert_cmpint (fake.n_ended, ==, 3);
  g_clear_error (&error);

  /* A rate over the data sheet's peak is recognised as such. */
  fake.cancel_at = 0;
  memset (&fake.cancel, 0, sizeof fake.cancel);
  last = 0;
  g_clear_pointer (&calibration, seam_calibration_free);
  calibration = seam_calibrate (&device, &options, &error);
  g_assert_no_error (error);
  g_assert_true (seam_calibration_is_over_peak (calibration, SEAM_RATE_READ));
  g_assert_false (seam_calibration_is_over_peak (calibration, SEAM_RATE_COPY));
  g_assert_false (seam_calibration_is_over_peak (calibration, SEAM_RATE_FP32));
}

/* Something else uses the machine during one of the benchmarks: a third of its samples are slow. */
static void
test_busy (void)
{
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cuda:0");
  SeamDevice device = { .backend = &backend, .info = info };
  SeamCalibrateOptions options = { .budget_s = 0.2 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCalibration) calibration = NULL;
  g_autofree char *unsteady = NULL;

  info->name = g_strdup ("Fake");
  info->l2_bytes = 4 << 20;
  memset (&fake, 0, sizeof fake);
  fake.is_busy = TRUE;
  calibration = seam_calibrate (&device, &options, &error);
  g_assert_no_error (error);
  g_assert_cmpfloat (calibration->notes[SEAM_RATE_READ].spread, ==, 0);
  g_assert_cmpfloat (calibration->notes[SEAM_RATE_FP32].spread, >, SEAM_UNSTEADY);
  unsteady = seam_calibration_describe_unsteady (calibration);
  g_assert_cmpstr (unsteady, ==,
                   "The samples lie too far apart to rely on: FP32 matrix product. Something "
                   "else used the machine; calibrate again when it is idle.");
}

static void
test_unsteady (void)
{
  const struct {
    SeamRateKind kind;
    SeamRate rate;
    double spread;
    gboolean is_steady;
  } cases[] = {
    { SEAM_RATE_FP32, { 50e9, 49e9, 51e9, 20e9, 60e9, 30 }, .09, TRUE },
    { SEAM_RATE_FP32, { 50e9, 49e9, 51e9, 20e9, 60e9, 30 }, .11, FALSE },
    /* slow nearly all the time, as the few fast samples show */
    { SEAM_RATE_FP32, { 48e9, 44e9, 49e9, 26e9, 188e9, 23 }, .08, FALSE },
    /* a launch is a time: the longest may be of any length */
    { SEAM_RATE_LAUNCH, { 1000, 990, 1010, 950, 40000, 145 }, .02, TRUE },
    { SEAM_RATE_LAUNCH, { 1000, 990, 1010, 500, 1100, 145 }, .02, FALSE },
    /* an older file: judged by the interval or, without one, by the samples */
    { SEAM_RATE_COPY, { 10e9, 9e9, 11e9, 9e9, 11e9, 20 }, NAN, FALSE },
    { SEAM_RATE_COPY, { 10e9, 9.9e9, 10.1e9, 9e9, 11e9, 20 }, NAN, TRUE },
    { SEAM_RATE_COPY, { 10e9, NAN, NAN, 9e9, 11e9, 3 }, NAN, FALSE },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamCalibration) calibration = make_whole ();
    g_autofree char *unsteady = NULL;

    calibration->rates[cases[i].kind] = cases[i].rate;
    calibration->notes[cases[i].kind].spread = cases[i].spread;
    unsteady = seam_calibration_describe_unsteady (calibration);
    g_test_message ("%" G_GSIZE_FORMAT ": %s", i, unsteady != NULL ? unsteady : "steady");
    g_assert_true ((unsteady == NULL) == cases[i].is_steady);
  }
}

static void
expect_doubt (const SeamCalibration *calibration, const char *part)
{
  g_autofree char *doubts = seam_calibration_describe_doubts (calibration);

  g_assert_nonnull (doubts);
  if (strstr (doubts, part) == NULL)
    g_error ("“%s” is not in “%s”", part, doubts);
}

/* Each reason not to trust a calibration, alone, and the rates that the floor then uses. */
static void
test_doubts (void)
{
  g_autoptr (SeamCalibration) calibration = make_whole ();
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cuda:0");
  g_autofree char *csv = NULL;

  calibration->cache_bytes = 2e6;
  calibration->peak_bytes_per_s = 4.8e12;
  calibration->peak_fp32 = 60e12;
  calibration->peak_tf32 = 495e12;
  g_assert_null (seam_calibration_describe_doubts (calibration));

  /* A difference up to half a per cent counts as rounding. */
  calibration->rates[SEAM_RATE_READ] = make_rate (4.82e12);
  g_assert_null (seam_calibration_describe_doubts (calibration));
  calibration->rates[SEAM_RATE_READ] = make_rate (4.88e12);
  expect_doubt (calibration, "Read bandwidth of 4.88 TB/s is 102 % of the data sheet's 4.80 TB/s");
  seam_calibration_apply (calibration, info);
  g_assert_cmpfloat (info->bytes_per_s, ==, 4.1e12); /* copying */
  g_assert_cmpstr (info->rates_source, ==, "calibrated 21 Nov 2026");
  csv = seam_calibration_to_csv (calibration);
  g_assert_nonnull (strstr (csv, ",0.1.0,4800000000000,yes,,,\r\n"));
  calibration->rates[SEAM_RATE_COPY] = make_rate (5.1e12);
  calibration->rates[SEAM_RATE_WRITE] = make_rate (5.2e12);
  calibration->rates[SEAM_RATE_TF32] = make_rate (800e12);
  seam_calibration_apply (calibration, info);
  g_assert_cmpfloat (info->bytes_per_s, ==, 4.8e12);
  g_assert_cmpfloat (info->flop_tf32, ==, 495e12);
  g_assert_cmpstr (info->rates_source, ==,
                   "calibrated 21 Nov 2026, bandwidth from the data sheet (measured over it), TF32 "
                   "from the data sheet (measured over it)");
  calibration->peak_bytes_per_s = calibration->peak_tf32 = NAN;

  calibration->rates[SEAM_RATE_WRITE] = make_rate (4e12);
  calibration->rates[SEAM_RATE_COPY] = make_rate (4.9e12); /* faster than reading, but within the
                                                            * scatter */
  g_assert_null (seam_calibration_describe_doubts (calibration));
  calibration->rates[SEAM_RATE_COPY] = make_rate (7e12);
  expect_doubt (calibration, "Copying came out faster than reading");
  calibration->rates[SEAM_RATE_COPY] = make_rate (4e12);

  calibration->cache_bytes = 6e6;
  expect_doubt (calibration, "The cache seems to end at 2.24 MB, and the device reports 6.00 MB");
  calibration->cache_bytes = 2e6;
  calibration->buffer_bytes = 8e6;
  expect_doubt (calibration, "The buffer was only 4.0 times the cache");
}

/* --- The file --- */

static void
assert_same (const SeamCalibration *a, const SeamCalibration *b)
{
  g_autoptr (GVariant) one = g_variant_ref_sink (seam_calibration_to_variant (a));
  g_autoptr (GVariant) two = g_variant_ref_sink (seam_calibration_to_variant (b));
  g_autofree char *text_a = g_variant_print (one, TRUE), *text_b = g_variant_print (two, TRUE);

  g_assert_cmpstr (text_a, ==, text_b);
}

static void
test_round_trip (void)
{
  g_autoptr (SeamCalibration) calibration = make_whole ();
  g_autoptr (SeamCalibration) loaded = NULL, travelled = NULL, gone = NULL;
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_calibration_to_variant (calibration));
  g_autoptr (GError) error = NULL;
  gboolean existed = FALSE;

  travelled = seam_calibration_from_variant (variant, &error);
  g_assert_no_error (error);
  assert_same (calibration, travelled);
  g_assert_null (travelled->identity);

  seam_calibration_save (calibration, &error);
  g_assert_no_error (error);
  g_assert_true (seam_calibration_load (calibration->identity, &loaded, &error));
  g_assert_no_error (error);
  g_assert_nonnull (loaded);
  assert_same (calibration, loaded);
  g_assert_cmpstr (loaded->identity, ==, calibration->identity);
  g_assert_cmpfloat (loaded->rates[SEAM_RATE_FP32].median, ==, 50e12 / 3);
  g_assert_true (isnan (loaded->rates[SEAM_RATE_BF16].low));

  g_assert_true (seam_calibration_forget (calibration->identity, &existed, &error));
  g_assert_true (existed);
  g_assert_true (seam_calibration_load (calibration->identity, &gone, &error));
  g_assert_null (gone);
  g_assert_true (seam_calibration_forget (calibration->identity, &existed, &error));
  g_assert_false (existed);
}

/* Applies one kind of damage to the saved text. */
static char *
damage (const char *text, int how)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  GString *out = g_string_new (NULL);

  for (int i = 0; lines[i] != NULL; i++) {
    if (how == 0 && i > 4)
      break;
    if (how == 1 && g_str_has_prefix (lines[i], "version="))
      g_string_append (out, "version=2\n");
    else if (how == 2 && g_str_has_prefix (lines[i], "identity="))
      g_string_append (out, "identity=Other GPU\n");
    else if (how == 3 && g_str_has_prefix (lines[i], "fp32="))
      g_string_append (out, "fp32=-1;1;1;1;1;3;\n");
    else if (how == 4 && g_str_has_prefix (lines[i], "fp32="))
      g_string_append (out, "fp32=fast;1;1;1;1;3;\n");
    else if (how == 5 && g_str_has_prefix (lines[i], "points="))
      g_string_append (out, "points=1;2;3;\n");
    else if (how == 6 && g_str_has_prefix (lines[i], "measured_at="))
      g_string_append (out, "measured_at=long ago\n");
    else if (how == 7)
      g_string_append (out, "\x01\x02 no key file\n");
    else
      g_string_append_printf (out, "%s\n", lines[i]);
  }
  return g_string_free (out, FALSE);
}

static void
test_damaged (void)
{
  g_autoptr (SeamCalibration) calibration = make_whole ();
  g_autofree char *path = seam_calibration_get_path (calibration->identity), *text = NULL;
  g_autoptr (GError) error = NULL;

  seam_calibration_save (calibration, &error);
  g_assert_no_error (error);
  g_file_get_contents (path, &text, NULL, &error);
  g_assert_no_error (error);
  for (int how = 0; how < 8; how++) {
    g_autofree char *damaged = damage (text, how);
    g_autoptr (SeamCalibration) loaded = NULL;
    g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cuda:0");

    g_file_set_contents (path, damaged, -1, &error);
    g_assert_no_error (error);
    g_assert_false (seam_calibration_load (calibration->identity, &loaded, &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, path));
    g_assert_true (g_str_has_suffix (error->message, "Calibrate again, or delete the file."));
    g_assert_null (strstr (error->message, ".."));
    for (const char *p = error->message; *p != '\0'; p++)
      g_assert_cmpint ((guchar)*p, >=, ' ');
    g_clear_error (&error);

    /* The damaged file is ignored, and a message says so. */
    info->identity = g_strdup (calibration->identity);
    info->bytes_per_s = 1;
    info->rates_source = g_strdup ("data sheet");
    seam_calibration_apply_stored (info);
    g_assert_cmpfloat (info->bytes_per_s, ==, 1);
    g_assert_null (info->calibrated);
    g_assert_true (g_str_has_prefix (info->rates_source, "data sheet; its calibration is damaged"));
  }
  g_unlink (path);
}

/* --- Rates from a calibration --- */

static void
test_apply (void)
{
  g_autoptr (SeamCalibration) calibration = make_whole ();
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cuda:0");
  g_autoptr (SeamDeviceInfo) travelled = NULL;
  g_autoptr (GVariant) variant = NULL;
  SeamRates rates;

  info->driver = g_strdup ("580.159");
  info->bytes_per_s = 1;
  info->flop_fp32 = 67e12;
  info->flop_tf32 = 495e12;
  seam_calibration_apply (calibration, info);
  g_assert_cmpstr (info->rates_source, ==, "calibrated 21 Nov 2026");
  /* Reading is the fastest of the three memory rates. */
  seam_device_info_get_rates (info, SEAM_MATH_TF32, TRUE, &rates);
  g_assert_cmpfloat (rates.bytes_per_s, ==, 4.3e12);
  g_assert_cmpfloat (rates.flop_per_s, ==, 400e12);
  /* Three BF16 products give results as accurate as FP32's. */
  seam_device_info_get_rates (info, SEAM_MATH_FP32, TRUE, &rates);
  g_assert_cmpfloat (rates.flop_per_s, ==, 250e12);
  g_assert_cmpfloat (info->l2_bytes_per_s, ==, 6e12);
  g_assert_cmpfloat (info->launch_ns, ==, 2100);

  /* A session keeps all the rates. */
  info->identity = g_strdup ("stays here");
  variant = g_variant_ref_sink (seam_record_to_variant (&seam_device_info_type, info, TRUE));
  travelled = seam_device_info_from_variant (variant);
  g_assert_cmpfloat (travelled->l2_bytes_per_s, ==, 6e12);
  g_assert_cmpfloat (travelled->flop_bf16, ==, 750e12);
  g_assert_cmpfloat (travelled->launch_ns, ==, 2100);
  g_assert_cmpstr (travelled->calibrated, ==, "21 Nov 2026");
  g_assert_null (travelled->identity);

  /* An unknown rate stays the data sheet's, and its source says so. */
  calibration->rates[SEAM_RATE_TF32] = SEAM_RATE_UNKNOWN;
  info->flop_tf32 = 495e12;
  g_free (info->driver);
  info->driver = g_strdup ("590.1");
  seam_calibration_apply (calibration, info);
  g_assert_cmpfloat (info->flop_tf32, ==, 495e12);
  g_assert_cmpstr (info->rates_source, ==,
                   "calibrated 21 Nov 2026 with driver 580.159, TF32 from the data sheet");
}

/* A rate that a run reached counts if it is higher. Its source is named, and it outlives the
 * next calibration. */
static void
test_raised (void)
{
  const char *const date = "2026-11-23T12:00:00Z";
  g_autoptr (SeamCalibration) calibration = make_whole (), next = make_whole ();
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cuda:0");
  g_autoptr (SeamCalibration) loaded = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = NULL;

  seam_calibration_raise (calibration, SEAM_RATE_COPY, 4.5e12, "conv-relu-bias", date);
  seam_calibration_raise (calibration, SEAM_RATE_TF32, 1e12, "conv-relu-bias", date);
  seam_calibration_raise (calibration, SEAM_RATE_BF16, 760e12, "gemm-bias-relu", date);
  /* A lower rate and an unknown one raise nothing. */
  seam_calibration_raise (calibration, SEAM_RATE_BF16, 755e12, "conv-relu-bias", date);
  seam_calibration_raise (calibration, SEAM_RATE_BF16, NAN, "conv-relu-bias", date);
  seam_calibration_apply (calibration, info);
  g_assert_cmpfloat (info->bytes_per_s, ==, 4.5e12);
  g_assert_cmpfloat (info->flop_tf32, ==, 400e12);
  g_assert_cmpfloat (info->flop_bf16, ==, 760e12);
  g_assert_cmpstr (info->rates_source, ==,
                   "calibrated 21 Nov 2026, bandwidth raised by a run of conv-relu-bias on 23 Nov "
                   "2026, BF16 raised by a run of gemm-bias-relu on 23 Nov 2026");
  calibration->cache_bytes = 2e6;
  expect_doubt (calibration, "Memory bandwidth: a run of conv-relu-bias on 23 Nov 2026 reached "
                             "4.50 TB/s, more than the 4.10 TB/s measured here");
  csv = seam_calibration_to_csv (calibration);
  g_assert_nonnull (strstr (csv, ",760000000000000,gemm-bias-relu,2026-11-23T12:00:00Z\r\n"));

  seam_calibration_save (calibration, &error);
  g_assert_no_error (error);
  g_assert_true (seam_calibration_load (calibration->identity, &loaded, &error));
  g_assert_no_error (error);
  assert_same (calibration, loaded);
  seam_calibration_forget (calibration->identity, NULL, NULL);

  next->rates[SEAM_RATE_BF16] = make_rate (770e12);
  seam_calibration_inherit (next, loaded);
  seam_calibration_apply (next, info);
  g_assert_cmpfloat (info->bytes_per_s, ==, 4.5e12);
  g_assert_cmpfloat (info->flop_bf16, ==, 770e12);
  g_assert_null (strstr (info->rates_source, "BF16"));
}

/* A calibration of the CPU: kept, found again by whoever opens the CPU, and gone when it is
 * forgotten. */
static void
test_cpu (void)
{
  SeamCalibrateOptions options = { .budget_s = SEAM_CALIBRATE_LEAST_S };
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamDevice) again = NULL, uncalibrated = NULL;
  g_autoptr (SeamCalibration) calibration = NULL, none = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree char *not_kept = NULL;
  const SeamDeviceInfo *info;

  calibration = seam_runner_calibrate (runner, "cpu", &options, &error);
  g_assert_no_error (error);
  /* Measuring alone does not keep a calibration. */
  info = seam_runner_open (runner, "cpu", &error)->info;
  g_assert_null (info->calibrated);
  g_assert_true (seam_calibration_load (info->identity, &none, &error));
  g_assert_null (none);
  g_assert_true (seam_runner_keep_calibration (runner, "cpu", calibration, &not_kept, &error));
  g_assert_no_error (error);
  g_assert_null (not_kept);
  for (int i = 0; i < SEAM_N_RATES; i++) {
    gboolean has_bf16 = (info->abilities & SEAM_ABILITY_BF16) != 0;
    gboolean known =
        i != SEAM_RATE_TF32 && i != SEAM_RATE_FP64 && (i != SEAM_RATE_BF16 || has_bf16);

    g_assert_true ((calibration->notes[i].reason == NULL) == known);
    if (known) {
      g_assert_cmpfloat (calibration->rates[i].median, >, i == SEAM_RATE_LAUNCH ? 0 : 1e6);
      g_assert_cmpfloat (calibration->rates[i].least, <=, calibration->rates[i].median);
      g_assert_cmpfloat (calibration->rates[i].most, >=, calibration->rates[i].median);
    }
  }
  g_assert_cmpint (calibration->n_points, >=, 6);
  info = seam_runner_open (runner, "cpu", &error)->info;
  g_assert_true (g_str_has_prefix (info->rates_source, "calibrated "));
  g_assert_cmpfloat (info->flop_fp32, ==, calibration->rates[SEAM_RATE_FP32].median);
  g_assert_cmpfloat (info->flop_tf32, ==, info->flop_fp32);

  again = seam_backend_open ("cpu", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again->info->rates_source, ==, info->rates_source);
  g_assert_cmpfloat (again->info->bytes_per_s, ==, info->bytes_per_s);
  g_assert_true (seam_calibration_forget (info->identity, NULL, &error));
  uncalibrated = seam_backend_open ("cpu", &error);
  g_assert_cmpstr (uncalibrated->info->rates_source, ==, "measured here just now");
}

int
main (int argc, char **argv)
{
  g_autofree char *folder = g_dir_make_tmp ("seam-calibration-XXXXXX", NULL);
  g_autofree char *kept = g_build_filename (folder, "seamscope", "calibrations", NULL);
  g_autofree char *program = g_build_filename (folder, "seamscope", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", folder, TRUE);
  g_setenv ("TZ", "UTC", TRUE);
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/calibration/knee", test_knee);
  g_test_add_func ("/calibration/sizes", test_sizes);
  g_test_add_func ("/calibration/buffer", test_buffer);
  g_test_add_func ("/calibration/loop", test_loop);
  g_test_add_func ("/calibration/busy", test_busy);
  g_test_add_func ("/calibration/unsteady", test_unsteady);
  g_test_add_func ("/calibration/doubts", test_doubts);
  g_test_add_func ("/calibration/round-trip", test_round_trip);
  g_test_add_func ("/calibration/damaged", test_damaged);
  g_test_add_func ("/calibration/apply", test_apply);
  g_test_add_func ("/calibration/raised", test_raised);
  g_test_add_func ("/calibration/cpu", test_cpu);
  status = g_test_run ();
  g_rmdir (kept);
  g_rmdir (program);
  g_rmdir (folder);
  return status;
}
