/* SPDX-License-Identifier: MIT
 *
 * The numbers of the lessons that come with the program: those that claim to be one quantity are
 * one.
 */
#include "app/lesson/lesson.h"

#include <math.h>
#include <string.h>

/* The number that a formula's text gives; NaN: it has none. */
static double
get_value (const char *formula, const SeamLessonFacts *facts)
{
  g_autoptr (SeamFormula) parsed = seam_formula_parse (formula, NULL);
  SeamLessonValue value;

  if (parsed == NULL)
    return NAN;
  seam_formula_evaluate (parsed, facts, &value);
  double number = value.number;
  seam_lesson_value_clear (&value);
  return number;
}

static char *
print_value (const char *formula, const SeamLessonFacts *facts)
{
  g_autofree char *braces = g_strdup_printf ("{%s}", formula);

  return seam_formula_fill (braces, facts);
}

/* A sentence that tells the kernels' own bytes of a plan whose model says other bytes must say so.
 */
static void
check_bytes (const char *where, const char *words, const SeamLessonFacts *facts)
{
  for (int i = 0; i < facts->n_plans; i++) {
    g_autofree char *traffic = g_strdup_printf ("traffic(%c)", 'A' + i);
    g_autofree char *bytes = g_strdup_printf ("bytes(%c)", 'A' + i);
    g_autofree char *moved = print_value (traffic, facts), *modelled = print_value (bytes, facts);
    if (strstr (words, traffic) != NULL && strcmp (moved, modelled) != 0
        && strstr (words, "rate()") == NULL && strstr (words, "really") == NULL)
      g_error ("%s: “%s” is %s where “%s” is %s: say that it is what the plan really moves.", where,
               traffic, moved, bytes, modelled);
  }
}

/* A time that memory needs leaves out what the cache holds, as the floor does. */
static void
check_memory_time (const char *where, const char *formula, const SeamLessonFacts *facts)
{
  double bytes = get_value (formula, facts) * get_value ("rate()", facts) / 1e9;
  gboolean fits = FALSE;

  if (strstr (formula, "/ rate()") == NULL)
    return;
  for (int i = 0; i < facts->n_plans; i++) {
    g_autofree char *traffic = g_strdup_printf ("traffic(%c) - cache()", 'A' + i);
    g_autofree char *modelled = g_strdup_printf ("bytes(%c) - cache()", 'A' + i);
    fits = fits || fabs (bytes / get_value (traffic, facts) - 1) < 0.001
           || fabs (bytes / get_value (modelled, facts) - 1) < 0.001;
  }
  if (!fits)
    g_error ("%s: “%s” counts what the cache holds, and the floor does not.", where, formula);
}

/* Facts with one name have one value, over all lessons: name, sample and plan -> value. */
static void
check_fact (GHashTable *values, const SeamLesson *lesson, const SeamLessonStep *step,
            const char *label, const char *formula, const SeamLessonFacts *facts)
{
  g_autoptr (GString) name = g_string_new (label);
  g_autofree char *value = print_value (formula, facts);

  for (int i = 0; step->plans != NULL && step->plans[i] != NULL && i < facts->n_plans; i++) {
    g_autofree char *letter = g_strdup_printf ("lan %c", 'A' + i);
    g_string_replace (name, letter, step->plans[i], 0);
  }
  g_string_append_printf (name, " (%s)", step->sample);
  const char *before = g_hash_table_lookup (values, name->str);
  double other = before != NULL ? get_value (before, NULL) : NAN, now = get_value (value, NULL);
  if (fabs (other / now - 1) > 0.005)
    g_error ("%s, %s: “%s” is %s here and %s before.", lesson->name, step->id, name->str, value,
             before);
  g_hash_table_insert (values, g_strdup (name->str), g_steal_pointer (&value));
}

/* A time that a lesson tells twice has one unit: 0.769 ms is not 769 µs elsewhere. `told` is from
 * the number, in ns, to how it was told. */
static void
check_units (GHashTable *told, const char *where, const char *line, const SeamLessonFacts *facts)
{
  g_autoptr (GRegex) braces = g_regex_new ("\\{[^}]*\\}", 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  for (g_regex_match (braces, line, 0, &match); g_match_info_matches (match);
       g_match_info_next (match, NULL)) {
    g_autofree char *text = g_match_info_fetch (match, 0);
    g_autofree char *shown = seam_formula_fill (text, facts);
    double ns = get_value (shown, NULL);
    if (!g_str_has_suffix (shown, "s") || isnan (ns))
      continue;
    g_autofree char *key = g_strdup_printf ("%.3g", ns);
    const char *before = g_hash_table_lookup (told, key);
    if (before != NULL && strcmp (before, shown) != 0)
      g_error ("%s: %s is %s here and %s before.", where, text, shown, before);
    g_hash_table_insert (told, g_steal_pointer (&key), g_steal_pointer (&shown));
  }
}

/* Numbers that claim to be one quantity are one. */
static void
test_quantities (void)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  g_autoptr (GHashTable) values = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
  guint n_facts = 0;

  for (guint l = 0; l < lessons->len; l++) {
    const SeamLesson *lesson = lessons->pdata[l];
    g_autofree char *file = g_strconcat (lesson->name, SEAM_LESSON_SUFFIX, NULL);
    g_autofree char *path = g_build_filename (lesson->folder, file, NULL), *text = NULL;
    g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
    g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
    g_autoptr (GHashTable) told = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);
    for (guint i = 0; i < lesson->steps->len; i++) {
      const SeamLessonStep *step = lesson->steps->pdata[i];
      const SeamLessonStep *next = i + 1 < lesson->steps->len ? lesson->steps->pdata[i + 1] : NULL;
      g_autofree char *where = g_strdup_printf ("%s, %s", lesson->name, step->id);
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamLessonFacts) facts =
          step->sample != NULL ? seam_lesson_step_load (step, &error) : NULL;
      g_assert_no_error (error);
      if (facts == NULL)
        continue;
      check_bytes (where, step->body, facts);
      g_autofree char *floor = print_value ("floor()", facts);
      g_autofree char *limit = print_value (
          get_value ("memory_bound()", facts) > 0 ? "memory_time()" : "compute_time()", facts);
      g_assert_cmpstr (floor, ==, limit);
      for (int n = step->line; lines[n] != NULL && (next == NULL || n + 1 < next->line); n++) {
        const char *colon = strstr (lines[n], ": ");
        g_autofree char *as_text =
            g_str_has_prefix (lines[n], "fact = ")
                ? g_strdup_printf ("{%s|%s}", colon + 2, step->unit != NULL ? step->unit : "")
                : g_strdup (lines[n]);
        check_units (told, where, as_text, facts);
        if (!g_str_has_prefix (lines[n], "fact = ")) {
          if (strstr (lines[n], " = ") != NULL && !g_str_has_prefix (lines[n], "answer = "))
            check_bytes (where, lines[n], facts);
          continue;
        }
        g_autofree char *label = g_strndup (lines[n] + 7, (gsize)(colon - lines[n] - 7));
        check_bytes (where, lines[n], facts);
        check_memory_time (where, colon + 2, facts);
        check_fact (values, lesson, step, label, colon + 2, facts);
        n_facts++;
      }
    }
  }
  g_assert_cmpuint (n_facts, >, 40);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-quantities/lessons", test_quantities);
  return g_test_run ();
}
