/* SPDX-License-Identifier: MIT
 *
 * Numbers as people type them into entries.
 */
#include "app/base/error.h"
#include "app/base/text.h"

#include <string.h>

static void
test_read_typed (void)
{
  static const struct {
    const char *text, *unit;
    gboolean whole;
    const char *expected; /* a part of the error's sentence, if it begins with “!” */
  } cases[] = {
    { "1.5", "ms", FALSE, "1.5" },
    { "1,5", "ms", FALSE, "1.5" },
    { " 0,123 ", "ms", FALSE, "0.123" },
    { "1.234", "ms", FALSE, "1.234" },
    { "1,234", "ms", FALSE, "!1.234 or 1234" },
    { "12,345 ms", "ms", FALSE, "!12.345 or 12345" },
    { "1,2345", "ms", FALSE, "1.2345" },
    { "1 234,5", NULL, FALSE, "1234.5" },
    { "1\u202f234", NULL, FALSE, "1234" },
    { "1\u2009234\u2009567", NULL, FALSE, "1234567" },
    { "1’234.5", NULL, FALSE, "1234.5" },
    { "1,234.5", NULL, FALSE, "1234.5" },
    { "1.234,5", NULL, FALSE, "1234.5" },
    { "1,234,567", NULL, FALSE, "1234567" },
    { "1.234.567", NULL, FALSE, "1234567" },
    { ",5", NULL, FALSE, ".5" },
    { "5,", NULL, FALSE, "5." },
    { "1e-3", NULL, FALSE, "1e-3" },
    { "1,5e3", NULL, FALSE, "1.5e3" },
    { SEAM_MINUS "2", NULL, FALSE, "-2" },
    { "1.2 ms", "µs", FALSE, "1200" },
    { "1,2ms", "us", FALSE, "1200" },
    { "300 μs", "ms", FALSE, "0.3" },
    { "300\u00a0us", "ms", FALSE, "0.3" },
    { "1 200 MB", "GB", FALSE, "1.2" },
    { "500 ms", "s", FALSE, "0.5" },
    { "4 channels", "channels", TRUE, "4" },
    { "2 GB", "ms", FALSE, "!“GB” is not a unit that fits; type a number of ms." },
    { "2 GB", NULL, FALSE, "!“GB” is not a unit that fits; type a number." },
    { "32,768", NULL, TRUE, "32768" },
    { "18,446,744,073,709,551,615", NULL, TRUE, "18446744073709551615" },
    { "1.234", NULL, TRUE, "!1.234 or 1234" },
    /* Left to the parsers, which refuse them. */
    { "1.5", NULL, TRUE, "1.5" },
    { "1,5", NULL, TRUE, "1,5" },
    { "1,2,3", NULL, FALSE, "1,2,3" },
    { "1.2.3", NULL, FALSE, "1.2.3" },
    { "soon", "ms", FALSE, "soon" },
    { "", "ms", FALSE, "" },
    { "\xff", "ms", FALSE, "\xff" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    const char *expected = cases[i].expected;
    g_autoptr (GError) error = NULL;
    g_autofree char *plain =
        seam_text_read_typed (cases[i].text, "Time", cases[i].unit, cases[i].whole, &error);
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

/* What an entry or a range shows can be typed. */
static void
test_typed (void)
{
  static const double values[] = { 0.05, 0.1, 1, 1.234, 999, 1000, 2000, 12345, 1234567 };

  for (gsize i = 0; i < G_N_ELEMENTS (values); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *shown = seam_text_typed (values[i], 3);
    g_autofree char *plain = seam_text_read_typed (shown, "Time", NULL, FALSE, &error);
    g_assert_no_error (error);
    g_assert_cmpfloat_with_epsilon (g_ascii_strtod (plain, NULL), values[i], values[i] / 200);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/typed/read", test_read_typed);
  g_test_add_func ("/typed/shown", test_typed);
  return g_test_run ();
}
