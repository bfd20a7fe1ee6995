/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli class: merges the answers that learners of a class handed in.
 */
#include "app/base/file.h"
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/product-files.h"
#include "app/lesson/class-plot.h"
#include "app/report/table.h"

#include <math.h>
#include <string.h>

#define FIGURE_WIDTH  1200
#define FIGURE_HEIGHT 320

static const SeamOption options[] = {
  { "lesson", "NAME", "the lesson (default: the one that most files answer)", FALSE },
  { "step", "ID", "the question of the figure (default: the first)", FALSE },
  { "csv", "FILE", "write a row for every answer (“-”: standard output)", FALSE },
  { "figure", "FILE", "draw the answers to one question (.png, .svg or .pdf)", FALSE },
  { "covered", NULL, "leave the measured value out of the figure", FALSE },
  { NULL },
};

/* NULL: the reason is right. */
static char *
name_wrong_reason (const SeamLessonStep *step, const SeamLessonFacts *facts, double reason)
{
  if (reason >= step->choices->len || seam_score_is_right (step, facts, (int)reason))
    return NULL;
  g_autofree char *words = seam_lesson_item_get_words (step->choices->pdata[(int)reason], facts);
  return g_strconcat ("wrong reason: ", words, NULL);
}

static void
append_counts (GString *text, const SeamLessonStep *step, const SeamLessonFacts *facts,
               const double *values, int n,
               char *(*name) (const SeamLessonStep *, const SeamLessonFacts *, double))
{
  for (int i = 0, end; i < n; i = end) {
    g_autofree char *words = name (step, facts, values[i]);

    for (end = i; end < n && values[end] == values[i];)
      end++;
    if (words != NULL)
      g_string_append_printf (text, "%s%s: %d", text->len > 0 ? ", " : "", words, end - i);
  }
}

/* "the same: 3, slower: 1": how often each answer to a question with choices was given, and which
 * wrong reasons; or how the checks ended. */
static char *
describe_counts (const SeamClass *class, const SeamLesson *lesson, const SeamLessonStep *step,
                 const double *values, int n)
{
  g_autoptr (SeamLessonFacts) facts =
      step->sample != NULL ? seam_lesson_step_load (step, NULL) : NULL;
  GString *text = g_string_new (NULL);
  int n_reasons;
  g_autofree double *reasons = seam_class_get_reasons (class, lesson, step->id, &n_reasons);

  append_counts (text, step, facts, values, n, seam_class_name_value);
  append_counts (text, step, facts, reasons, n_reasons, name_wrong_reason);
  return g_string_free (text, FALSE);
}

/* A line for each question and check: how many answered it; for a number the lowest, middle and
 * highest, for others how often each answer was given. */
static void
print_questions (const SeamClass *class, const SeamLesson *lesson, FILE *stream)
{
  static const SeamColumn columns[] = {
    { "step", "Step", SEAM_CELL_TEXT },        { "question", "Question", SEAM_CELL_TEXT },
    { "answers", "Answers", SEAM_CELL_COUNT }, { "lowest", "Lowest", SEAM_CELL_TEXT },
    { "median", "Median", SEAM_CELL_TEXT },    { "highest", "Highest", SEAM_CELL_TEXT },
    { "counts", "Given", SEAM_CELL_TEXT },
  };
  g_autoptr (SeamTable) table = seam_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);
    int n;

    if (step->kind != SEAM_STEP_PREDICT && step->kind != SEAM_STEP_PROVE)
      continue;
    gboolean is_number = step->kind == SEAM_STEP_PREDICT && step->ask == SEAM_ASK_NUMBER;
    g_autofree double *values = seam_class_get_values (class, lesson, step->id, &n);
    SeamTableRow *row = seam_table_add_row (table);
    seam_cell_take (&row->cells[0], g_strdup (step->id), NULL);
    seam_cell_take (&row->cells[1], g_strdup (step->title), NULL);
    row->cells[2].value = n;
    for (int k = 0; k < 3; k++) {
      double value = n == 0 || !is_number ? NAN
                     : k == 1             ? (values[(n - 1) / 2] + values[n / 2]) / 2
                                          : values[k / 2 * (n - 1)];

      seam_cell_take (&row->cells[3 + k],
                      isnan (value) ? g_strdup (SEAM_DASH)
                                    : seam_lesson_step_name_answer (step, NULL, value),
                      NULL);
    }
    seam_cell_take (&row->cells[6],
                    is_number ? g_strdup ("") : describe_counts (class, lesson, step, values, n),
                    NULL);
  }
  g_autofree char *text = seam_table_format (table);
  seam_cli_print (stream, "%s", text);
}

static void
print_summary (const SeamClass *class, const SeamLesson *lesson, FILE *stream)
{
  g_auto (GStrv) names = seam_class_list_lessons (class);
  g_autofree char *files = seam_class_describe_files (class);

  seam_cli_print (stream, "%s", files);
  for (int i = 0; names[i] != NULL; i++)
    seam_cli_print (stream, "%s%s", i == 0 ? ": " : ", ", names[i]);
  seam_cli_print (stream, "\n");
  if (lesson != NULL) {
    seam_cli_print (stream, "\n%s\n", lesson->title);
    print_questions (class, lesson, stream);
  }
}

/* The step that the figure is about; NULL with an error if there is none. */
static const SeamLessonStep *
choose_step (const SeamLesson *lesson, const char *id, GError **error)
{
  g_autoptr (GPtrArray) ids = g_ptr_array_new_null_terminated (8, NULL, TRUE);

  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);

    gboolean counts =
        step->kind == SEAM_STEP_PREDICT || (step->kind == SEAM_STEP_PROVE && id != NULL);
    if (counts && (id == NULL || strcmp (step->id, id) == 0))
      return step;
    if (counts)
      g_ptr_array_add (ids, step->id);
  }
  if (id == NULL) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "The lesson “%s” asks no question.",
                 lesson->title);
  } else {
    g_autofree char *known = seam_text_list ((const char *const *)ids->pdata);

    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "The lesson “%s” has no question “%s”. It has %s.", lesson->title, id, known);
  }
  return NULL;
}

static gboolean
write_figure (const SeamClass *class, const SeamLesson *lesson, SeamArguments *arguments,
              GError **error)
{
  const char *path = seam_arguments_get (arguments, "figure");
  const SeamLessonStep *step = choose_step (lesson, seam_arguments_get (arguments, "step"), error);

  if (step == NULL)
    return FALSE;
  g_autoptr (SeamLessonFacts) subject =
      step->kind == SEAM_STEP_PREDICT ? seam_lesson_step_load (step, error) : NULL;
  if (subject == NULL && step->kind == SEAM_STEP_PREDICT)
    return FALSE;
  g_autoptr (SeamFigure) figure =
      seam_class_plot_new (class, lesson, step, subject, seam_arguments_has (arguments, "covered"),
                           FIGURE_WIDTH, FIGURE_HEIGHT, 0);
  return seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, error);
}

static gboolean
write_csv (const SeamClass *class, const char *path, GError **error)
{
  g_autofree char *csv = seam_class_format_csv (class);

  if (strcmp (path, "-") != 0)
    return seam_file_write (path, csv, strlen (csv), error);
  seam_cli_print (stdout, "%s", csv);
  return TRUE;
}

static SeamExit
run (SeamArguments *arguments)
{
  const char *csv = seam_arguments_get (arguments, "csv");
  const char *figure = seam_arguments_get (arguments, "figure");
  const char *name = seam_arguments_get (arguments, "lesson");
  g_autoptr (GError) error = NULL, no_lesson = NULL;
  g_autoptr (SeamClass) class = seam_class_new ();

  if (arguments->words->len == 0) {
    g_set_error (&error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "“class” needs files with answers, or folders with such files.");
    return seam_cli_fail (error);
  }
  if ((csv != NULL && strcmp (csv, "-") != 0 && !seam_cli_check_path (csv, &error))
      || (figure != NULL && !seam_cli_check_path (figure, &error)))
    return seam_cli_fail (error);
  for (guint i = 0; i < arguments->words->len; i++)
    seam_class_add (class, arguments->words->pdata[i]);
  g_autoptr (SeamLesson) lesson = name != NULL ? seam_lesson_find (name, &no_lesson)
                                               : seam_class_find_lesson (class, &no_lesson);
  if (lesson != NULL)
    seam_class_check (class, lesson);
  for (guint i = 0; i < class->problems->len; i++)
    seam_cli_complain (class->problems->pdata[i]);
  if (class->members->len == 0) {
    g_set_error (&error, SEAM_ERROR, SEAM_ERROR_FILE, "There are no answers to a lesson in %s.",
                 arguments->words->len == 1 ? "it" : "these files and folders");
    return seam_cli_fail (error);
  }
  g_autofree char *warning = seam_class_warn (class, lesson, " --lesson NAME chooses it.");
  if (warning != NULL)
    seam_cli_complain (warning);
  print_summary (class, lesson, csv != NULL && strcmp (csv, "-") == 0 ? stderr : stdout);
  /* The table needs no lesson; the figure does. */
  if (csv != NULL && !write_csv (class, csv, &error))
    return seam_cli_fail (error);
  if (lesson == NULL && (figure != NULL || name != NULL))
    return seam_cli_fail (no_lesson);
  if (lesson == NULL)
    seam_cli_complain (no_lesson->message);
  if (figure != NULL && !write_figure (class, lesson, arguments, &error))
    return seam_cli_fail (error);
  return class->problems->len == 0 ? SEAM_EXIT_DONE : SEAM_EXIT_COULD_NOT_RUN;
}

const SeamCommand seam_command_class = {
  .name = "class",
  .summary = "Merge the answers that learners handed in",
  .synopsis = "class FILE-OR-FOLDER… [--step ID] [--csv FILE] [--figure FILE]",
  .options = options,
  .text = "Learners hand in files (*.seamanswers): put them into a folder. The folders in it are "
          "read,\n"
          "too. What cannot be read or counted is named and left out; the exit status is then 3.\n"
          "\n"
          "Examples:\n"
          "  seamscope-cli class handed-in --csv class.csv\n"
          "  seamscope-cli class handed-in --step predict-b --figure class.png\n",
  .run = run,
};
