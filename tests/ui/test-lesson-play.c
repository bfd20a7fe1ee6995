/* SPDX-License-Identifier: MIT
 *
 * Every lesson that comes with the program, played from the first step to the last: once with right
 * answers, leaving in the middle and returning, once with wrong ones and “no idea” in turn. The
 * answers to questions about recorded runs are computed from the samples; what a run of this
 * computer gives is known.
 */
#include "tests/ui/window-fixture.h"

#include "app/compare/compare.h"
#include "app/lesson/score.h"
#include "ui/lesson/lesson-question.h"

#include <math.h>
#include <string.h>

static const struct {
  const char *step;
  int choice;
} known_answers[] = { { "nan", 1 }, { "tolerance", 1 }, { "identity", 0 } };

/* The skeleton's last lines, and what the learner writes in their place. */
#define UNWRITTEN "y0[i] = after_relu;"
#define MISTAKEN  "y0[i] = nowhere;"
#define WRITTEN                                                                                    \
  "const float third = seam_op_divide (seam_op_add (after_relu, 3.0f), 6.0f);\n"                   \
  "    y0[i] = seam_op_multiply (seam_op_clamp (third, 0.0f, 1.0f), after_relu);"
#define UNCLAMPED                                                                                  \
  "y0[i] = seam_op_multiply (seam_op_divide (seam_op_add (after_relu, 3.0f), 6.0f), after_relu);"

/* What the info bar says once a run of this computer is shown. */
#define HERE "^Your run of .*, on this computer$"

typedef struct {
  SeamLesson *lesson;
  const SeamLessonStep *step;
  int index;
  gboolean right;
  int n_asked;
} Play;

/* The pattern of a text of the file without its formulas and Markdown; newly allocated. */
static char *
get_pattern (const char *text, const SeamLessonFacts *facts)
{
  g_autofree char *filled = seam_formula_fill (text, facts);
  g_autoptr (SeamMarkdown) tree = seam_markdown_parse (filled);
  g_autofree char *words = seam_markdown_get_words (tree);
  g_autofree char *escaped = g_regex_escape_string (words, -1);

  return g_strdup_printf ("^%s$", escaped);
}

static void
see_step (const Play *play)
{
  g_autofree char *where =
      g_strdup_printf ("^Step %d of %u · ", play->index + 1, play->lesson->steps->len);

  ui_see (where, GTK_TYPE_LABEL);
}

static void
see_reply (const char *reply, const SeamLessonFacts *facts)
{
  if (reply == NULL || facts == NULL)
    return;
  g_autofree char *pattern = get_pattern (reply, facts);
  ui_see (pattern, GTK_TYPE_LABEL);
}

static double
get_number (const SeamFormula *formula, const SeamLessonFacts *facts)
{
  SeamLessonValue value;

  seam_formula_evaluate (formula, facts, &value);
  double number = value.number;
  seam_lesson_value_clear (&value);
  return number;
}

/* The position of the choice that is right, or of the first that is not. */
static int
find_choice (const Play *play, const SeamLessonFacts *facts, gboolean right)
{
  int known = -1;

  for (gsize i = 0; facts == NULL && i < G_N_ELEMENTS (known_answers); i++)
    if (g_str_equal (known_answers[i].step, play->step->id))
      known = known_answers[i].choice;
  g_assert_true (facts != NULL || known >= 0);
  for (guint i = 0; i < play->step->choices->len; i++) {
    const SeamLessonItem *item = play->step->choices->pdata[i];
    gboolean holds = facts != NULL ? seam_formula_holds (item->formula, facts) : (int)i == known;
    if (holds == right)
      return (int)i;
  }
  g_assert_not_reached ();
}

/* Returns the reply to expect. */
static const char *
answer_choice (const Play *play, const SeamLessonFacts *facts)
{
  int choice = find_choice (play, facts, play->right);
  const SeamLessonItem *item = play->step->choices->pdata[choice];
  g_autofree char *pattern = get_pattern (item->text, facts);

  ui_click (ui_see (pattern, GTK_TYPE_CHECK_BUTTON));
  return play->right ? play->step->right : item->reply;
}

static const char *
answer_number (const Play *play, const SeamLessonFacts *facts)
{
  const SeamLessonStep *step = play->step;
  double measured = get_number (step->answer, facts);
  gboolean low = measured / step->low > step->high / measured;
  double value = play->right ? measured : low ? step->low : step->high;
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  g_assert_cmpfloat (measured, >, 0);
  g_ascii_formatd (text, sizeof text, "%.4g", value / step->unit_scale);
  gtk_editable_set_text (GTK_EDITABLE (ui_see ("^Your prediction$", GTK_TYPE_ENTRY)), text);
  return play->right ? step->right : low ? step->too_low : step->too_high;
}

static const char *
answer_cut (const Play *play, const SeamLessonFacts *facts)
{
  int seam = (int)get_number (play->step->answer, facts);
  g_autofree char *pattern = g_strdup_printf ("^Seam %d: ", play->right ? seam : seam % 4 + 1);

  ui_choose (ui_see ("^Your seam$", GTK_TYPE_DROP_DOWN), pattern);
  answer_choice (play, facts);
  return play->right ? play->step->right : play->step->too_low;
}

/* What an answered question tells: every number of its replies, and of covered plans their times.
 */
typedef struct {
  GHashTable *words; /* "0.924 ms" */
  const SeamLessonFacts *facts;
} Numbers;

static void
add_value (const SeamFormula *formula, gpointer data)
{
  static const char *const forms[] = { NULL, "ms", "µs", "GB", "MB" };
  Numbers *numbers = data;
  SeamLessonValue value;

  seam_formula_evaluate (formula, numbers->facts, &value);
  gboolean has_unit = value.kind == SEAM_VALUE_TIME || value.kind == SEAM_VALUE_BYTES
                      || (value.kind == SEAM_VALUE_RATIO && isfinite (value.number));
  for (gsize i = 0; has_unit && isfinite (value.number) && i < G_N_ELEMENTS (forms); i++)
    g_hash_table_add (numbers->words, seam_formula_format_value (&value, forms[i]));
  seam_lesson_value_clear (&value);
}

static void
add_text (Numbers *numbers, const char *text)
{
  if (text != NULL)
    g_assert_true (seam_formula_visit (text, add_value, numbers, NULL));
}

static void
add_told (Numbers *told, const SeamLessonStep *step)
{
  guint covered = seam_lesson_step_get_covered_plans (step);

  if (step->answer != NULL)
    add_value (step->answer, told);
  add_text (told, step->right);
  add_text (told, step->too_low);
  add_text (told, step->too_high);
  for (guint i = 0; i < step->choices->len; i++)
    add_text (told, ((const SeamLessonItem *)step->choices->pdata[i])->reply);
  for (int i = 1; i < told->facts->n_plans; i++)
    if ((covered >> i & 1) != 0 && !seam_lesson_step_asks_for_model (step)) {
      g_autofree char *time = g_strdup_printf ("{elapsed(%c)} {ratio(A, %c)}", 'A' + i, 'A' + i);
      add_text (told, time);
    }
  for (int i = 1; step->ask == SEAM_ASK_CUT && i < told->facts->problem->pipeline->chains[0].n_ops;
       i++) {
    g_autofree char *saved = g_strdup_printf ("{seam_bytes(A, %d)}", i);
    add_text (told, saved);
  }
}

static guint n_covered;

/* No name, description, tooltip or text of any tab has a number that is covered. */
static void
assert_untold (const Play *play, const SeamLessonFacts *facts)
{
  static const char *const tabs[] = { "difference", "traffic", "explore", "timeline",
                                      "source",     "sweep",   "timing" };
  const SeamLessonStep *step = play->step;
  g_autoptr (GHashTable) covered = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GHashTable) said = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  Numbers told = { covered, facts }, known = { said, facts };
  GHashTableIter iter;
  const char *number;
  gint64 began = g_get_monotonic_time ();

  add_told (&told, step);
  /* What may be used to predict; the floor stands beside the plans. */
  add_text (&known, step->body);
  add_text (&known, "{floor()}");
  for (guint i = 0; i < step->facts->len; i++)
    add_value (((const SeamLessonItem *)step->facts->pdata[i])->formula, &known);
  n_covered += g_hash_table_size (covered);
  for (gsize i = 0; i < G_N_ELEMENTS (tabs); i++) {
    g_autofree char *action = g_strconcat ("win.page::", tabs[i], NULL);
    ui_activate (action);
    ui_settle ();
    g_autofree char *screen = ui_describe (GTK_WIDGET (ui_window ()));
    g_hash_table_iter_init (&iter, covered);
    while (g_hash_table_iter_next (&iter, (gpointer *)&number, NULL)) {
      g_autofree char *escaped = g_regex_escape_string (number, -1);
      g_autofree char *pattern = g_strdup_printf (".*(?<![0-9.,])%s.*", escaped);
      if (!g_hash_table_contains (said, number) && g_regex_match_simple (pattern, screen, 0, 0)) {
        g_autofree char *line = ui_match (pattern, screen, 0);
        g_printerr ("%s, step %s, tab %s tells %s: %s\n", play->lesson->name, step->id, tabs[i],
                    number, line);
        g_test_fail ();
      }
    }
  }
  if (step->ask == SEAM_ASK_CUT) {
    gtk_widget_grab_focus (ui_see_seam ('A', 1, ""));
    ui_press ("Menu");
    ui_miss ("^Plan A, seam 1: ", 0);
  }
  g_autofree char *back = g_strconcat ("win.page::", step->page, NULL);
  ui_activate (back);
  ui_settle ();
  g_test_message ("%s: %u covered numbers, %.1f s", step->id, g_hash_table_size (covered),
                  (double)(g_get_monotonic_time () - began) / G_USEC_PER_SEC);
}

static void
predict (Play *play)
{
  static const char *(*const answer[]) (const Play *, const SeamLessonFacts *) = {
    [SEAM_ASK_NUMBER] = answer_number,
    [SEAM_ASK_CHOICE] = answer_choice,
    [SEAM_ASK_CUT] = answer_cut,
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLessonFacts) facts = NULL;

  if (play->step->sample != NULL) {
    facts = seam_lesson_step_load (play->step, &error);
    g_assert_no_error (error);
  }
  ui_see ("^Covered until you commit$", GTK_TYPE_LABEL);
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Next$", GTK_TYPE_BUTTON)));
  if (facts != NULL && play->right)
    assert_untold (play, facts);
  if (!play->right && play->n_asked++ % 2 == 1) {
    ui_click (ui_see ("^I have no idea, show me$", GTK_TYPE_BUTTON));
    ui_see ("^The answer was shown to you: no points\\.$", GTK_TYPE_LABEL);
    return;
  }
  const char *reply = answer[play->step->ask](play, facts);
  ui_settle ();
  ui_click (ui_see ("^Commit prediction$", GTK_TYPE_BUTTON));
  ui_see (play->right ? "3 of 3 points$" : "0 of 3 points$", GTK_TYPE_LABEL);
  see_reply (reply, facts);
}

static void
open_sidebar (void)
{
  ui_click (ui_see ("^Open the sidebar$", GTK_TYPE_BUTTON));
}

static void
close_sidebar (void)
{
  ui_click (ui_see ("^Back to the lesson$", GTK_TYPE_BUTTON));
  ui_see ("^Step ", GTK_TYPE_LABEL);
}

/* A run of a second, not with the shape that suits a processor of today. */
static void
choose_tiny (void)
{
  open_sidebar ();
  ui_choose (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN), "^tiny$");
  ui_type (ui_see ("^Time budget", GTK_TYPE_ENTRY), "1");
  close_sidebar ();
}

static void
run (void)
{
  choose_tiny ();
  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see (HERE, GTK_TYPE_LABEL);
}

static gboolean
has_code (gpointer data)
{
  gpointer *sought = data;
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (sought[0], &start, &end);
  return gtk_text_iter_forward_search (&start, sought[1], 0, NULL, NULL, NULL);
}

/* Writes `code` in the place of `before`. */
static void
run_edited (const char *before, const char *code)
{
  ui_activate ("win.page::source");
  GtkWidget *view = ui_see ("^Source$", GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  ui_wait ("the code", has_code, (gpointer[]){ buffer, (gpointer)before });
  GtkTextIter start, end;
  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_assert_true (gtk_text_iter_forward_search (&start, before, 0, &start, &end, NULL));
  gtk_text_buffer_delete (buffer, &start, &end);
  gtk_text_buffer_insert (buffer, &start, code, -1);
  ui_settle ();
  ui_wait_for_run ();
  ui_click (ui_see ("^Run edited$", GTK_TYPE_BUTTON));
  ui_wait_for_run ();
}

/* What the compiler says stands in the pane, and leads to the line. */
static void
see_mistake (void)
{
  run_edited (UNWRITTEN, MISTAKEN);
  ui_see ("^Your code does not compile$", GTK_TYPE_LABEL);
  ui_see ("nowhere", GTK_TYPE_LABEL);
  ui_activate ("win.page::timing");
  ui_click (ui_see ("^Line [0-9]+$", GTK_TYPE_BUTTON));
  GtkTextView *view = GTK_TEXT_VIEW (ui_see ("^Source$", GTK_TYPE_TEXT_VIEW));
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter at, end;
  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  gtk_text_buffer_get_end_iter (buffer, &end);
  g_autofree char *rest = gtk_text_buffer_get_text (buffer, &at, &end, FALSE);
  g_assert_true (g_str_has_prefix (g_strchug (rest), MISTAKEN));
}

/* The code and what the compiler said of it are there again after a restart. */
static void
see_mistake_again (const Play *play)
{
  ui_close ();
  ui_open (NULL);
  ui_activate_with ("win.lesson", g_variant_new_string (play->lesson->name));
  see_step (play);
  ui_see ("^Your code does not compile$", GTK_TYPE_LABEL);
  ui_see ("nowhere", GTK_TYPE_LABEL);
}

/* On the test's machine every byte has its price and no product has, so that lesson 3's check holds
 * for the recorded run only. */
static void
try (const Play *play)
{
  if (play->step->skeleton != NULL) {
    choose_tiny ();
    see_mistake ();
    see_mistake_again (play);
    choose_tiny ();
    run_edited (MISTAKEN, WRITTEN);
    g_assert_null (ui_find ("^Your code does not compile$", GTK_TYPE_LABEL));
  } else if (g_str_has_prefix (play->lesson->name, "3"))
    ui_click (ui_see ("^Use the recorded run$", GTK_TYPE_BUTTON));
  else {
    run ();
  }
}

/* Inputs in which some sums are above three. */
static void
choose_large_inputs (void)
{
  open_sidebar ();
  ui_choose (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN), "^laptop$");
  ui_choose (ui_see ("^Input values$", GTK_TYPE_DROP_DOWN), "^Normal");
  ui_type (ui_see ("^Input channels$", GTK_TYPE_ENTRY), "1");
  ui_type (ui_see ("^Kernel size$", GTK_TYPE_ENTRY), "1");
  close_sidebar ();
}

static gboolean
is_done (void)
{
  return ui_find ("^✓ Done: all conditions of this step hold\\.$", GTK_TYPE_LABEL) != NULL;
}

static void
prove (const Play *play)
{
  gboolean is_clamp = g_str_equal (play->step->id, "check-clamp");

  ui_see ("^(✓ Done|Nothing was run yet)|, does not hold\\. |, unclear\\. ", 0);
  if (!play->right && !is_done ())
    return;
  if (is_clamp) {
    choose_large_inputs ();
    run_edited (WRITTEN, UNCLAMPED);
    ui_see ("^With these inputs your output differs from that of plan A", GTK_TYPE_LABEL);
    run_edited (UNCLAMPED, WRITTEN);
  } else if (!is_done ()) {
    run ();
  }
  ui_see ("^✓ Done: all conditions of this step hold\\.$", GTK_TYPE_LABEL);
}

/* The plan that was asked for stands beside A: lesson 6 shows the map of the wrong plan, its C. */
static void
see_difference (const SeamLessonStep *step)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run =
      seam_lesson_load_run (step->sample, (const char *const *)step->plans, &error);

  g_assert_no_error (error);
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (run->result->plans[2].difference);
  g_autofree char *title = g_regex_escape_string (agreement->title, -1);
  g_autofree char *pattern = g_strdup_printf ("^%s$", title);
  g_assert_false (agreement->agree);
  ui_see (pattern, GTK_TYPE_LABEL);
}

/* The question, or Next. */
static gboolean
is_focused (gpointer data)
{
  GtkWidget *next = ui_find ("^(Next|Finish)$", GTK_TYPE_BUTTON);
  GtkWidget *wanted = next != NULL && gtk_widget_is_sensitive (next)
                          ? next
                          : ui_find (NULL, SEAM_TYPE_LESSON_QUESTION);
  GtkWidget *focus = gtk_window_get_focus (ui_window ());

  return focus != NULL && wanted != NULL
         && (focus == wanted || gtk_widget_is_ancestor (focus, wanted));
}

static void
do_step (Play *play)
{
  see_step (play);
  ui_wait ("the focus where one goes on", is_focused, NULL);
  if (play->step->kind == SEAM_STEP_PREDICT) {
    predict (play);
    ui_wait ("the focus where one goes on", is_focused, NULL);
  } else if (play->step->kind == SEAM_STEP_TRY && play->right)
    try (play);
  else if (play->step->kind == SEAM_STEP_PROVE)
    prove (play);
  else if (play->step->kind == SEAM_STEP_COMPARE && g_strcmp0 (play->step->page, "difference") == 0)
    see_difference (play->step);
}

static void
open_lesson (const char *path)
{
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
}

/* Progress and answers are kept. */
static void
leave_and_return (const Play *play, const char *path)
{
  g_autofree char *go_on =
      g_strdup_printf ("^Go on with lesson %c, step %d$", play->lesson->name[0], play->index + 1);

  ui_click (ui_see ("^Lessons$", GTK_TYPE_BUTTON));
  ui_miss ("^Step ", GTK_TYPE_LABEL);
  ui_see (go_on, GTK_TYPE_BUTTON);
  ui_close ();
  open_lesson (path);
  see_step (play);
  if (play->step->kind == SEAM_STEP_PREDICT)
    ui_see ("^3 of 3 points$|●●● +3 of 3 points$", GTK_TYPE_LABEL);
}

static void
see_kept (const Play *play)
{
  const SeamLessonStep *step = play->step;

  if (step->kind == SEAM_STEP_TRY || step->kind == SEAM_STEP_PROVE)
    ui_see (play->lesson->name[0] == '3' ? "^Recorded run of " : HERE, GTK_TYPE_LABEL);
  if (step->kind == SEAM_STEP_PROVE)
    ui_see ("^✓ Done: all conditions of this step hold\\.$", GTK_TYPE_LABEL);
}

/* Back over every step, with another lesson and a restart at those that were run: all is there
 * again, and nothing was judged anew. */
static void
go_back (Play *play)
{
  const char *name = play->lesson->name;
  const char *other = name[0] == '1' ? "2" : "1";
  g_autoptr (SeamLessonAnswers) before = seam_lesson_answers_load_kept (play->lesson);

  ui_activate_with ("win.lesson", g_variant_new_string (name));
  ui_click (ui_see ("^Back to step ", GTK_TYPE_BUTTON));
  for (play->index = (int)play->lesson->steps->len - 1; play->index >= 0; play->index--) {
    play->step = seam_lesson_get_step (play->lesson, (guint)play->index);
    see_step (play);
    see_kept (play);
    if (play->step->kind == SEAM_STEP_PROVE || g_getenv ("SEAMSCOPE_TEST_PICTURES") != NULL) {
      ui_activate_with ("win.lesson", g_variant_new_string (other));
      ui_see ("^Step 1 of ", GTK_TYPE_LABEL);
      ui_close ();
      ui_open (NULL);
      ui_activate_with ("win.lesson", g_variant_new_string (name));
      see_step (play);
      see_kept (play);
    }
    if (play->index > 0)
      ui_click (ui_see ("^Back$", GTK_TYPE_BUTTON));
  }
  g_autoptr (SeamLessonAnswers) after = seam_lesson_answers_load_kept (play->lesson);
  after->step = before->step;
  g_assert_true (seam_record_equal (&seam_lesson_answers_type, before, after));
}

static void
play_lesson (const char *path, gboolean right)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, &error);
  g_assert_no_error (error);
  Play play = { .lesson = lesson, .right = right };
  gint64 began = g_get_monotonic_time ();

  g_assert_true (seam_lesson_answers_forget_all (NULL));
  open_lesson (path);
  for (; play.index < (int)lesson->steps->len; play.index++) {
    play.step = seam_lesson_get_step (lesson, (guint)play.index);
    do_step (&play);
    if (right && play.index == (int)lesson->steps->len / 2)
      leave_and_return (&play, path);
    ui_click (ui_see ("^(Next|Finish)$", GTK_TYPE_BUTTON));
  }
  ui_click (ui_see ("^Start page and lessons$", GTK_TYPE_BUTTON));
  ui_miss ("^Step ", GTK_TYPE_LABEL);
  ui_see (!right                   ? "^Go on with lesson "
          : lesson->name[0] == '1' ? "^Start lesson 2$"
                                   : "^Start lesson 1$",
          GTK_TYPE_BUTTON);
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_load_kept (lesson);
  g_assert_cmpint (answers->done, ==, right);
  g_assert_cmpint (seam_lesson_answers_get_points (answers), ==, right ? lesson->n_points : 0);
  /* That the run of the step before does not pass a check is no attempt: a wrong clamp was one. */
  const SeamLessonAnswer *clamp = seam_lesson_answers_find (answers, "check-clamp");
  g_assert_cmpint (clamp != NULL ? clamp->attempts : 0, ==, right && clamp != NULL ? 2 : 0);
  /* A skeleton that the learner has not changed is not theirs. */
  gboolean writes = FALSE;
  for (guint i = 0; i < lesson->steps->len; i++)
    writes = writes || seam_lesson_get_step (lesson, i)->skeleton != NULL;
  g_assert_cmpint (answers->code != NULL, ==, writes && right);
  g_assert_true (answers->code == NULL || strstr (answers->code, WRITTEN) != NULL);
  g_assert_cmpint (n_covered > 0, ==, right);
  n_covered = 0;
  g_test_message ("%s, %s answers: %.1f s", lesson->name, right ? "right" : "wrong",
                  (double)(g_get_monotonic_time () - began) / G_USEC_PER_SEC);
  /* More of them where somebody looks at the pictures (tests/ui/drives). */
  if (right
      && (strchr ("167", lesson->name[0]) != NULL || g_getenv ("SEAMSCOPE_TEST_PICTURES") != NULL))
    go_back (&play);
  ui_close ();
}

static void
test_right (gconstpointer path)
{
  play_lesson (path, TRUE);
}

static void
test_wrong (gconstpointer path)
{
  play_lesson (path, FALSE);
}

int
main (int argc, char *argv[])
{
  ui_init (&argc, &argv);
  g_autofree char *folder = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "lessons", NULL);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  for (guint i = 0; i < lessons->len; i++) {
    const SeamLesson *lesson = lessons->pdata[i];
    g_autofree char *file = g_strconcat (lesson->name, SEAM_LESSON_SUFFIX, NULL);
    g_autofree char *right = g_strdup_printf ("/lesson-play/%s/right", lesson->name);
    g_autofree char *wrong = g_strdup_printf ("/lesson-play/%s/wrong", lesson->name);
    char *path = g_build_filename (folder, file, NULL);
    g_test_add_data_func_full (right, path, test_right, g_free);
    g_test_add_data_func_full (wrong, g_strdup (path), test_wrong, g_free);
  }
  return ui_run ();
}
