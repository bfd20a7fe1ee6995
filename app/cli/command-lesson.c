/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli lesson: lists the lessons, or reads one, its samples included, and prints it with
 * its numbers filled in. Whoever writes a lesson finds its mistakes here. With --check it judges a
 * run that a learner saved.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/help/help-text.h"
#include "app/lesson/score.h"
#include "app/report/table.h"
#include "app/session/session.h"

#define WIDTH 100

static const SeamOption options[] = {
  { "answers", NULL, "print the answers to its questions, too", FALSE },
  { "check", "SESSION", "judge the last run of a session by a check of the lesson", FALSE },
  { "step", "ID", "the check (default: the last one of the lesson)", FALSE },
  { NULL },
};

static SeamExit
list_lessons (void)
{
  static const SeamColumn columns[] = {
    { "number", "Number", SEAM_CELL_TEXT }, { "title", "Title", SEAM_CELL_TEXT },
    { "topic", "Topic", SEAM_CELL_TEXT },   { "minutes", "Minutes", SEAM_CELL_COUNT },
    { "goal", "Goal", SEAM_CELL_TEXT },
  };
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (problems);
  g_autoptr (SeamTable) table = seam_table_new (columns, G_N_ELEMENTS (columns));

  for (guint i = 0; i < lessons->len; i++) {
    const SeamLesson *lesson = lessons->pdata[i];
    SeamTableRow *row = seam_table_add_row (table);
    seam_cell_take (&row->cells[0], g_strdup_printf ("%u", i + 1), NULL);
    seam_cell_take (&row->cells[1], g_strdup (lesson->title), NULL);
    seam_cell_take (&row->cells[2], g_strdup (lesson->topic != NULL ? lesson->topic : ""), NULL);
    row->cells[3].value = lesson->minutes;
    seam_cell_take (&row->cells[4], g_strdup (lesson->goal), NULL);
  }
  g_autofree char *text = seam_table_format (table);
  seam_cli_print (stdout, "%s", text);
  for (guint i = 0; i < problems->len; i++)
    seam_cli_complain (problems->pdata[i]);
  return problems->len == 0 ? SEAM_EXIT_DONE : SEAM_EXIT_COULD_NOT_RUN;
}

static void
print_item (const char *mark, const char *text, const SeamLessonFacts *facts)
{
  g_autofree char *filled = seam_formula_fill (text, facts);

  seam_cli_print (stdout, "  %s %s\n", mark, filled);
}

static void
print_value (const SeamFormula *formula, const SeamLessonFacts *facts, const char *before,
             const char *unit)
{
  SeamLessonValue value;

  seam_formula_evaluate (formula, facts, &value);
  g_autofree char *text = seam_formula_format_value (&value, unit);
  seam_cli_print (stdout, "  %s%s\n", before, text);
  seam_lesson_value_clear (&value);
}

static void
print_question (const SeamLessonStep *step, const SeamLessonFacts *facts, gboolean with_answer)
{
  for (guint i = 0; i < step->facts->len; i++) {
    const SeamLessonItem *item = step->facts->pdata[i];
    g_autofree char *before = g_strconcat (item->text, ": ", NULL);
    print_value (item->formula, facts, before, step->unit);
  }
  for (guint i = 0; i < step->choices->len; i++) {
    const SeamLessonItem *item = step->choices->pdata[i];
    gboolean right = with_answer && seam_formula_holds (item->formula, facts);
    print_item (right ? "[x]" : "[ ]", item->text, facts);
  }
  if (with_answer && step->answer != NULL)
    print_value (step->answer, facts, "Answer: ", step->unit);
}

static void
print_step (const SeamLesson *lesson, guint i, const SeamLessonFacts *facts, gboolean with_answer)
{
  const SeamLessonStep *step = seam_lesson_get_step (lesson, i);
  g_autofree char *title = seam_formula_fill (step->title, facts);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (step, facts);
  g_autofree char *text = seam_help_to_text (body, WIDTH);

  seam_cli_print (stdout, "\n%u. %s: %s\n\n%s", i + 1,
                  seam_choice_get_title (seam_step_kinds, step->kind), title, text);
  if (step->kind == SEAM_STEP_PREDICT)
    print_question (step, facts, with_answer);
  if (step->why != NULL)
    print_item ("Why:", step->why, facts);
  for (guint k = 0; k < step->checks->len; k++) {
    const SeamLessonItem *item = step->checks->pdata[k];
    if (item->reply != NULL)
      print_item ("Unless it holds:", item->reply, facts);
  }
}

static SeamExit
print_lesson (const char *name, gboolean with_answers)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_find (name, &error);

  if (lesson == NULL)
    return seam_cli_fail (error);
  if (!seam_lesson_verify (lesson, &error)) {
    seam_cli_complain (error->message);
    return SEAM_EXIT_DIFFERENT;
  }
  seam_cli_print (stdout, "%s\n%s, about %d minute%s. %s\n", lesson->title,
                  lesson->topic != NULL ? lesson->topic : "", lesson->minutes,
                  lesson->minutes == 1 ? "" : "s", lesson->goal);
  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);
    g_autoptr (SeamLessonFacts) subject = NULL;
    if (step->sample != NULL) {
      subject = seam_lesson_step_load (step, &error);
      if (subject == NULL)
        return seam_cli_fail (error);
    }
    print_step (lesson, i, subject, with_answers);
  }
  return SEAM_EXIT_DONE;
}

/* NULL `id`: the last check. */
static const SeamLessonStep *
find_check (const SeamLesson *lesson, const char *id, GError **error)
{
  for (guint i = lesson->steps->len; i > 0; i--) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i - 1);
    if (step->kind == SEAM_STEP_PROVE && (id == NULL || g_strcmp0 (step->id, id) == 0))
      return step;
  }
  return seam_fail_null (error, SEAM_ERROR_INPUT, "The lesson has no check%s%s%s.",
                         id != NULL ? " “" : "", id != NULL ? id : "", id != NULL ? "”" : "");
}

static SeamExit
check_run (const char *name, const char *path, const char *id)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_find (name, &error);
  const SeamLessonStep *step = lesson != NULL ? find_check (lesson, id, &error) : NULL;
  g_autoptr (SeamSession) session = step != NULL ? seam_session_load (path, &error) : NULL;
  guint n = session != NULL ? seam_session_get_n_runs (session) : 0;

  if (session == NULL)
    return seam_cli_fail (error);
  if (n == 0) {
    g_set_error (&error, SEAM_ERROR, SEAM_ERROR_INPUT, "%s has no run.", path);
    return seam_cli_fail (error);
  }
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, n - 1, &error);
  g_autoptr (SeamLessonFacts) subject =
      run != NULL ? seam_lesson_facts_new_measured (run->result, &error) : NULL;
  if (subject == NULL)
    return seam_cli_fail (error);
  g_autoptr (GPtrArray) conditions = seam_lesson_check_conditions (step, subject);
  double passed = seam_lesson_check_judge (conditions, NULL);
  seam_cli_print (stdout, "%s: %s\n", step->title,
                  passed == 1   ? "passed"
                  : passed == 0 ? "not yet"
                                : "unclear");
  for (guint i = 0; i < conditions->len; i++) {
    const SeamLessonCondition *condition = conditions->pdata[i];
    if (condition->reply != NULL)
      seam_cli_print (stdout, "  %s\n    (%s)\n", condition->reply, condition->found);
  }
  return passed == 1 ? SEAM_EXIT_DONE : SEAM_EXIT_DIFFERENT;
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;
  const char *session = seam_arguments_get (arguments, "check");
  const char *step = seam_arguments_get (arguments, "step");

  if (arguments->words->len == 0 && session == NULL && step == NULL)
    return list_lessons ();
  if (!seam_arguments_expect_words (arguments, 1, "one lesson", &error))
    return seam_cli_fail (error);
  if (step != NULL && session == NULL) {
    g_set_error (&error, SEAM_ERROR, SEAM_ERROR_INPUT, "--step needs --check SESSION.");
    return seam_cli_fail (error);
  }
  if (session != NULL)
    return check_run (arguments->words->pdata[0], session, step);
  return print_lesson (arguments->words->pdata[0], seam_arguments_has (arguments, "answers"));
}

const SeamCommand seam_command_lesson = {
  .name = "lesson",
  .summary = "List the lessons, or print one with its numbers",
  .synopsis = "lesson [LESSON] [OPTION…]",
  .options = options,
  .text = "LESSON is a number or name, or a file (*.md) of your own: its mistakes are named with\n"
          "their lines. “seamscope-cli help lessons” says how to write one.\n"
          "\n"
          "Examples:\n"
          "  seamscope-cli lesson\n"
          "  seamscope-cli lesson 1 --answers\n"
          "  seamscope-cli lesson ./my-lesson.md\n"
          "  seamscope-cli lesson 7 --check mine.seamscope\n"
          "\n"
          "Exit status: 0 read, 1 a sample, a file or a question is not as the lesson needs it.\n"
          "Of --check: 0 passed, 1 not yet; what is missing is said.\n",
  .run = run,
};
