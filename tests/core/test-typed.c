/* SPDX-License-Identifier: MIT
 *
 * Numbers as people type them into entries.
 */
#include "app/base/error.h"
#include "app/base/text.h"
#include "app/explore/sweep.h"

#include <string.h>

static void
test_read_typed (void)
{
  static const struct {
    const char *text, *unit;
    const char *expected; /* a part of the error's sentence, if it begins with “!” */
  } cases[] = {
    { "1.5", "ms", "1.5" },
    { "1,5", "ms", "1.5" },
    { " 0,123 ", "ms", "0.123" },
    { "1.234", "ms", "1.234" },
    { "1,234", "ms", "!1.234 or 1234" },
    { "12,345 ms", "ms", "!12.345 or 12345" },
    { "1,2345", "ms", "1.2345" },
    { "1 234,5", NULL, "1234.5" },
    { "1\u202f234", NULL, "1234" },
    { "1\u2009234\u2009567", NULL, "1234567" },
    { "1’234.5", NULL, "1234.5" },
    { "1,234.5", NULL, "1234.5" },
    { "1.234,5", NULL, "1234.5" },
    { "1,234,567", NULL, "1234567" },
    { "1.234.567", NULL, "1234567" },
    { ",5", NULL, ".5" },
    { "5,", NULL, "5." },
    { "1e-3", NULL, "0.001" },
    { "1,5e3", NULL, "1500" },
    { SEAM_MINUS "2", NULL, "-2" },
    { "1.2 ms", "µs", "1200" },
    { "1,2ms", "us", "1200" },
    { "300 μs", "ms", "0.3" },
    { "300\u00a0us", "ms", "0.3" },
    { "1 200 MB", "GB", "1.2" },
    { "500 ms", "s", "0.5" },
    { "4 channels", "channels", "4" },
    { "2 GB", "ms", "!“GB” is not a unit that fits; type a number of ms." },
    { "2 GB", NULL, "!“GB” is not a unit that fits; type a number." },
    { "32,768", NULL, "!32.768 or 32768" },
    { "18,446,744,073,709,551,615", NULL, "18446744073709551615" },
    /* Left to the parsers, which refuse them. */
    { "1,2,3", NULL, "1,2,3" },
    { "1.2.3", NULL, "1.2.3" },
    { "soon", "ms", "soon" },
    { "", "ms", "" },
    { "\xff", "ms", "\xff" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *expected = cases[i].expected;
    g_autoptr (GError) error = NULL;
    g_autofree char *plain = seam_text_read_typed (cases[i].text, "Time", cases[i].unit, &error);
    g_test_message ("%zu", i);
    if (expected[0] != '!') {
      g_assert_no_error (error);
      g_assert_cmpstr (plain, ==, expected);
    } else {
      g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
      g_assert_null (plain);
      g_assert_nonnull (strstr (error->message, expected + 1));
    }
  }
}

/* The same number in an entry for any number, as in a lesson, in one for a whole number, as Batch,
 * and in the list of a sweep. */
static void
test_kinds (void)
{
  static const struct {
    const char *text, *any, *whole, *swept; /* “!”: it is refused, with this in the sentence */
  } cases[] = {
    { "1234", "1234", "1234", "batch=1234" },
    { "1 234", "1234", "1234", "batch=1234" },
    { "1\u202f234", "1234", "1234", "batch=1234" },
    { "1\u2009234", "1234", "1234", "batch=1234" },
    { "1\u00a0234", "1234", "1234", "batch=1234" },
    { " 1’234 ", "1234", "1234", "batch=1234" },
    { "1.000.000", "1000000", "1000000", "batch=1000000" },
    { "1,234,567", "1234567", "1234567", "!1234567 or 1; 234; 567" },
    { "1,234", "!1.234 or 1234", "!1.234 or 1234", "!1234 or 1; 234" },
    { "1.234", "1.234", "!1.234” is not a whole number", "!1.234” is not a whole number" },
    { "12 rows", "12", "12", "!“rows” is not a unit" },
  };
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", NULL);

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (GError) any_error = NULL, whole_error = NULL, swept_error = NULL;
    g_autofree char *any = seam_text_read_typed (cases[i].text, "Time", "rows", &any_error);
    g_autofree char *whole = seam_text_read_typed (cases[i].text, "Batch", "rows", &whole_error);
    g_autofree char *list = g_strconcat ("batch=", cases[i].text, NULL);
    g_autofree char *swept = seam_sweep_read_typed (list, &swept_error);
    SeamSweepAxis axis = { 0 };
    gint64 value;
    g_test_message ("%s", cases[i].text);
    if (whole != NULL)
      seam_text_parse_int64 (whole, "Batch", 1, 10000000, &value, &whole_error);
    if (swept != NULL)
      seam_sweep_axis_parse (pipeline, swept, &axis, &swept_error);
    seam_sweep_axis_clear (&axis);
    const struct {
      const char *expected, *read;
      const GError *error;
    } kinds[] = { { cases[i].any, any, any_error },
                  { cases[i].whole, whole, whole_error },
                  { cases[i].swept, swept, swept_error } };
    for (gsize k = 0; k < G_N_ELEMENTS (kinds); k++)
      if (kinds[k].expected[0] != '!') {
        g_assert_no_error (kinds[k].error);
        g_assert_cmpstr (kinds[k].read, ==, kinds[k].expected);
      } else {
        g_assert_error (kinds[k].error, SEAM_ERROR, SEAM_ERROR_INPUT);
        g_assert_nonnull (strstr (kinds[k].error->message, kinds[k].expected + 1));
      }
  }
}

/* What an entry or a range shows can be typed. */
static void
test_typed (void)
{
  static const double values[] = { 0.05, 0.1, 1, 1.234, 999, 1000, 2000, 12345, 1234567 };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *shown = seam_text_typed (values[i], 3);
    g_autofree char *plain = seam_text_read_typed (shown, "Time", NULL, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (plain, NULL), values[i], values[i] / 200);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/typed/read", test_read_typed);
  g_test_add_func ("/typed/kinds", test_kinds);
  g_test_add_func ("/typed/shown", test_typed);
  return g_test_run ();
}
