/* SPDX-License-Identifier: MIT
 *
 * The formulas of lessons: kinds, precedence, errors, limits, and texts with formulas in them.
 */
#include "app/base/error.h"
#include "app/lesson/lesson.h"
#include "tests/core/lesson-text.h"

#include <math.h>
#include <string.h>

static void
check_formula (const char *text, SeamValueKind kind, double number)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFormula) formula = seam_formula_parse (text, &error);
  SeamLessonValue value;

  g_assert_no_error (error);
  g_assert_cmpint (seam_formula_get_kind (formula), ==, kind);
  seam_formula_evaluate (formula, NULL, &value);
  if (isnan (number))
    g_assert_true (isnan (value.number));
  else if (!(fabs (value.number - number) <= 1e-12 * fabs (number)))
    g_error ("%s is %g, not %g", text, value.number, number);
  seam_lesson_value_clear (&value);
}

static void
test_formulas (void)
{
  check_formula ("1 + 2 * 3", SEAM_VALUE_NUMBER, 7);
  check_formula ("(1 + 2) * 3", SEAM_VALUE_NUMBER, 9);
  check_formula ("8 - 4 - 2", SEAM_VALUE_NUMBER, 2);
  check_formula ("8 / 4 / 2", SEAM_VALUE_NUMBER, 1);
  check_formula ("-2 + 3", SEAM_VALUE_NUMBER, 1);
  check_formula ("2 ms", SEAM_VALUE_TIME, 2e6);
  check_formula ("2 us + 1 ms", SEAM_VALUE_TIME, 1.002e6);
  check_formula ("3 s", SEAM_VALUE_TIME, 3e9);
  check_formula ("20 %", SEAM_VALUE_SHARE, 0.2);
  check_formula ("1.2 ×", SEAM_VALUE_RATIO, 1.2);
  check_formula ("6 MB / 2 MB", SEAM_VALUE_RATIO, 3);
  check_formula ("6 MB / 2", SEAM_VALUE_BYTES, 3e6);
  check_formula ("2 * 3 GB", SEAM_VALUE_BYTES, 6e9);
  /* Rates are in bytes/s and times in ns. */
  check_formula ("4 GB / 2 TB/s", SEAM_VALUE_TIME, 2e6);
  check_formula ("4 GB / 2 ms", SEAM_VALUE_RATE, 2e12);
  check_formula ("2 TB/s * 2 ms", SEAM_VALUE_BYTES, 4e9);
  check_formula ("2 ms * 2 TB/s", SEAM_VALUE_BYTES, 4e9);
  check_formula ("1 ms < 2 ms", SEAM_VALUE_YES_NO, 1);
  check_formula ("1 ms >= 2 ms", SEAM_VALUE_YES_NO, 0);
  check_formula ("2 == 2 and 3 != 4", SEAM_VALUE_YES_NO, 1);
  check_formula ("no and no or yes", SEAM_VALUE_YES_NO, 1);
  check_formula ("yes or yes and no", SEAM_VALUE_YES_NO, 1);
  check_formula ("not no and no", SEAM_VALUE_YES_NO, 0);
  check_formula ("not (yes and no)", SEAM_VALUE_YES_NO, 1);
  check_formula ("20 % < 0.3", SEAM_VALUE_YES_NO, 1);
  check_formula ("1 / 0", SEAM_VALUE_NUMBER, NAN);
  check_formula ("1 ms / 0 < 2 ms", SEAM_VALUE_YES_NO, NAN);
  /* Without facts everything is unknown, and no condition holds. */
  check_formula ("elapsed(A)", SEAM_VALUE_TIME, NAN);
  check_formula ("not agrees(B)", SEAM_VALUE_YES_NO, NAN);
  check_formula ("bytes(A) / elapsed(B)", SEAM_VALUE_RATE, NAN);
  check_formula ("device()", SEAM_VALUE_TEXT, NAN);
}

static void
refuse_formula (const char *text, const char *words)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (seam_formula_parse (text, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  assert_says (error, words);
}

static void
test_bad_formulas (void)
{
  refuse_formula ("", "ends too early");
  refuse_formula ("1 +", "ends too early");
  refuse_formula ("(1", "not closed");
  refuse_formula ("1)", "left over");
  refuse_formula ("1 2", "left over");
  refuse_formula ("$", "“$” is not expected");
  refuse_formula ("× 2", "“×” is not expected");
  refuse_formula ("elapsd(A)", "did you mean “elapsed”");
  refuse_formula ("qqqqqqqqqq(A)", "is unknown");
  refuse_formula ("elapsed", "needs brackets");
  refuse_formula ("elapsed(A, B)", "takes 1 argument.");
  refuse_formula ("ratio(A)", "takes 2 arguments");
  refuse_formula ("elapsed(G)", "plans are A to F");
  refuse_formula ("elapsed(a)", "plans are A to F");
  refuse_formula ("elapsed()", "argument is missing");
  refuse_formula ("worth(0)", "numbered from 1");
  refuse_formula ("worth(99)", "no seam");
  refuse_formula ("1 ms + 2 MB", "cannot be added");
  refuse_formula ("elapsed(A) < bytes(A)", "cannot be compared");
  refuse_formula ("1 ms * 1 ms", "has a name");
  refuse_formula ("1 MB / 1 TB/s * 1 s", "has a name");
  refuse_formula ("device() + 1", "cannot be added");
  refuse_formula ("device() * 2", "only numbers");
  refuse_formula ("-yes", "only a number");
  refuse_formula ("not 1", "needs a condition");
  refuse_formula ("1 and yes", "between two conditions");
  refuse_formula ("1 < 2 < 3", "left over");
}

static void
test_deep_formulas (void)
{
  const struct {
    const char *before, *middle, *after;
  } cases[] = { { "(", "1", ")" }, { "-", "1", "" },          { "not ", "yes", "" },
                { "1+", "1", "" }, { "yes and ", "yes", "" }, { "1*(", "1", ")" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (int n = 1; n < 100000; n *= 7) {
      g_autofree char *text = repeat (cases[i].before, n, cases[i].middle, cases[i].after);
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamFormula) formula = seam_formula_parse (text, &error);
      g_assert_true ((formula == NULL) == (error != NULL));
      if (n <= 7)
        g_assert_no_error (error);
      else if (n > 64)
        assert_says (error, "too long");
    }
}

/* Text made of pieces that formulas have, and of any bytes. */
static char *
make_random_text (GRand *random, gsize most)
{
  static const char *const pieces[] = {
    "elapsed(A)", "ratio(A, B)", "(",   ")",  "+",   "*",      "/",    "-",   "<",
    "==",         " ",           "and", "or", "not", "1.5 ms", "20 %", "2e3", "kernel(",
    "A",          ",",           "{",   "}",  "|ms", "×",      "\xff", "µs",  "\n"
  };
  GString *text = g_string_new (NULL);
  gsize n = (gsize)g_rand_int_range (random, 0, (int)most);

  for (gsize i = 0; i < n; i++)
    if (g_rand_int_range (random, 0, 5) == 0)
      g_string_append_c (text, (char)g_rand_int_range (random, 1, 256));
    else
      g_string_append (text, pieces[g_rand_int_range (random, 0, G_N_ELEMENTS (pieces))]);
  return g_string_free (text, FALSE);
}

static void
ignore_formula (const SeamFormula *formula, gpointer data)
{
  int *n = data;

  (*n)++;
}

static void
test_random_formulas (void)
{
  g_autoptr (GRand) random = g_rand_new_with_seed (25);
  int n_good = 0;

  for (int i = 0; i < 10000; i++) {
    g_autofree char *text = make_random_text (random, 12);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamFormula) formula = seam_formula_parse (text, &error);
    int n = 0;
    g_assert_true ((formula == NULL) == (error != NULL));
    if (formula != NULL) {
      SeamLessonValue value;
      seam_formula_evaluate (formula, NULL, &value);
      g_autofree char *shown = seam_lesson_value_format (&value, NULL);
      g_assert_nonnull (shown);
      seam_lesson_value_clear (&value);
      n_good++;
    }
    g_autofree char *filled = seam_formula_fill (text, NULL);
    g_assert_nonnull (filled);
    seam_formula_visit (text, ignore_formula, &n, NULL);
  }
  g_assert_cmpint (n_good, >, 100);
}

static void
check_fill (const char *text, const char *expected)
{
  g_autofree char *filled = seam_formula_fill (text, NULL);

  g_assert_cmpstr (filled, ==, expected);
}

static void
test_fill (void)
{
  check_fill ("no braces", "no braces");
  check_fill ("{1 ms}", "1.00 ms");
  check_fill ("{500 us|ms} and {2 GB|MB}", "0.500 ms and 2,000 MB");
  check_fill ("{1 MB / 4 MB|%}", "25.0 %");
  check_fill ("{3 MB / 2 MB}", "1.50×");
  check_fill ("{elapsed(A)}", "–");
  check_fill ("{device()}", "–");
  check_fill ("{not closed", "{not closed");
  check_fill ("{wrong(}", "{wrong(}");
}

static void
check_known (const char *text, const char *expected)
{
  g_autofree char *filled = seam_formula_fill_known (text, NULL);

  g_assert_cmpstr (filled, ==, expected);
}

/* Before a run, what only the run can tell is not said. */
static void
test_fill_known (void)
{
  check_known ("", "");
  check_known ("It takes 1.5 ms. {1 ms} is less.", "It takes 1.5 ms. 1.00 ms is less.");
  check_known ("A took {elapsed(A)}. Look at {1 ms}! B took {elapsed(B)}", "Look at 1.00 ms! ");
  check_known ("Two\nlines. Why {elapsed(A)}?\n\nNext.", "Two\nlines. \n\nNext.");
  check_known ("- one\n- {elapsed(A)}\n- three", "- one\n\n- three");
  check_known ("{elapsed(A)}, e.g. less. Stays.", "Stays.");
  check_known ("{not closed. Stays.", "{not closed. Stays.");
}

static void
check_description (const char *text, const SeamLessonFacts *facts, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFormula) formula = seam_formula_parse (text, &error);

  g_assert_no_error (error);
  g_autofree char *words = seam_formula_describe (formula, facts);
  if (expected != NULL)
    g_assert_cmpstr (words, ==, expected);
  /* What the table of functions says of any plan, op, seam or field is said of this one. */
  static const char *const general[] = {
    "a plan", "an op", "a seam", "a field", "second plan", "("
  };
  for (gsize i = 0; i < G_N_ELEMENTS (general); i++)
    if (strstr (words, general[i]) != NULL)
      g_error ("“%s” is described as “%s”", text, words);
}

/* What a check found is said of its plans and ops, whatever functions its conditions have. */
static void
test_describe (void)
{
  static const char *const plans[] = { "unfused", "published", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLessonFacts) facts =
      seam_lesson_load_sample ("h200-conv-relu-hardswish", plans, &error);
  g_assert_no_error (error);

  check_description ("not fused(B, 1) and fused(A, 2)", facts,
                     "plan B fuses seam 1: no; plan A fuses seam 2: no");
  check_description ("field(in_channels) == 3", facts, "in_channels of the shape: 8");
  check_description ("edited(B, relu)", facts, "a person's own code computed relu in plan B: no");
  for (const SeamLessonFunction *function = seam_lesson_functions; function->name != NULL;
       function++) {
    g_autoptr (GString) text = g_string_new (function->name);
    g_string_append_c (text, '(');
    for (int i = 0; function->takes[i] != '\0'; i++)
      g_string_append_printf (text, "%s%s", i > 0 ? ", " : "",
                              function->takes[i] == 'p'   ? (i == 0 ? "A" : "B")
                              : function->takes[i] == 'o' ? "relu"
                              : function->takes[i] == 's' ? "1"
                                                          : "height");
    g_string_append_c (text, ')');
    check_description (text->str, facts, NULL);
  }
}

int
main (int argc, char *argv[])
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/formula/formulas", test_formulas);
  g_test_add_func ("/formula/bad-formulas", test_bad_formulas);
  g_test_add_func ("/formula/deep-formulas", test_deep_formulas);
  g_test_add_func ("/formula/random-formulas", test_random_formulas);
  g_test_add_func ("/formula/fill", test_fill);
  g_test_add_func ("/formula/fill-known", test_fill_known);
  g_test_add_func ("/formula/describe", test_describe);
  return g_test_run ();
}
