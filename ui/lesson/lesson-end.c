/* SPDX-License-Identifier: MIT
 *
 * Made anew each time that the learner comes to it, from the kept answers alone.
 */
#include "ui/lesson/lesson-end.h"

#include "ui/class/class.h"
#include "ui/help/help-view.h"
#include "ui/lesson/lesson-parts.h"
#include "ui/state/watch.h"
#include "ui/widgets/label.h"

#include "app/base/text.h"

#include <math.h>

#define WIDTH          1320
#define RIGHT_WIDTH    320
#define MARK_SIZE      48
#define MOST_TO_REPEAT 3 /* entries of “Look again” */

struct _SeamLessonEnd {
  AdwBin parent_instance;

  SeamLessonPlayer *player;
  GtkBox *columns;
  GtkWidget *left, *right; /* columns, while the page is shown */
  GtkWidget *suggested;
  gboolean narrow;
};

G_DEFINE_FINAL_TYPE (SeamLessonEnd, seam_lesson_end, ADW_TYPE_BIN)

static gpointer
add (gpointer box, gpointer child)
{
  gtk_box_append (GTK_BOX (box), child);
  return child;
}

static GtkWidget *
add_text (gpointer box, const char *text, const char *classes)
{
  return add (box, seam_label_new (text, classes, SEAM_LABEL_WRAPS));
}

static const SeamLessonAnswer *
find_answer (SeamLessonEnd *self, const SeamLessonStep *step)
{
  return seam_lesson_answers_find (self->player->answers, step->id);
}

/* "You chose “It agrees”. Right: “It is wrong”." */
static char *
describe_prediction (const SeamLessonStep *step, const SeamLessonAnswer *answer)
{
  g_autoptr (SeamLessonFacts) facts =
      step->ask != SEAM_ASK_NUMBER ? seam_lesson_step_load (step, NULL) : NULL;
  g_autofree char *yours = seam_lesson_step_name_answer (step, facts, answer->value);
  g_autofree char *right = seam_lesson_step_name_answer (step, facts, answer->measured);

  if (isnan (answer->measured))
    return isnan (answer->value) ? g_strdup ("Shown without an answer.")
                                 : g_strdup_printf ("You said “%s”.", yours);
  if (isnan (answer->value))
    return g_strdup_printf ("Shown without an answer. Right: “%s”.", right);
  if (step->ask != SEAM_ASK_NUMBER)
    return answer->value == answer->measured
               ? g_strdup_printf ("You chose “%s”.", yours)
               : g_strdup_printf ("You chose “%s”. Right: “%s”.", yours, right);
  g_autofree char *off = seam_score_describe_ratio (answer->value, answer->measured);
  return g_strdup_printf ("You said %s. Right: %s; yours was %s.", yours, right, off);
}

/* "✓ passed, 2 tries, from a recording" */
static char *
describe_run (const SeamLessonStep *step, const SeamLessonAnswer *answer)
{
  g_autofree char *tries =
      answer->attempts > 1 ? g_strdup_printf (", %d tries", answer->attempts) : g_strdup ("");

  if (!(answer->value > 0))
    return g_strdup (isnan (answer->value) ? "? unclear" : "✕ not passed");
  return g_strdup_printf ("✓ %s%s%s", step->kind == SEAM_STEP_PROVE ? "passed" : "run", tries,
                          answer->recorded ? ", from a recording" : "");
}

static void
add_step (SeamLessonEnd *self, const SeamLesson *lesson, GtkWidget *list, int i)
{
  const SeamLessonStep *step = seam_lesson_get_step (lesson, (guint)i);
  const SeamLessonAnswer *answer = find_answer (self, step);
  SeamLessonMark mark = seam_lesson_get_mark (lesson, self->player->answers, i);
  gboolean predicts = step->kind == SEAM_STEP_PREDICT;
  gboolean judged = predicts && answer != NULL && answer->points >= 0;

  if (mark == SEAM_MARK_NOTHING)
    return;
  g_autofree char *when = answer != NULL ? seam_text_when (answer->committed_at) : NULL;
  g_autofree char *title = g_strdup_printf ("%d  %s", i + 1, step->title);
  g_autofree char *note = answer == NULL ? g_strdup ("Not done yet.")
                          : predicts     ? describe_prediction (step, answer)
                          : answer->recorded
                              ? g_strdup ("With a recorded run.")
                              : g_strdup_printf ("Run of %s, on this computer.", when);
  g_autofree char *dots = seam_lesson_draw_points (judged ? answer->points : 0);
  g_autofree char *end =
      judged ? g_strdup_printf ("%s  %d of %d", dots, answer->points, SEAM_SCORE_MOST)
      : predicts || answer == NULL ? g_strdup ("open")
                                   : describe_run (step, answer);
  g_autofree char *spoken = g_strdup_printf (
      "Step %s, %s. %s %s", title, seam_choice_get_title (seam_lesson_marks, mark), note, end);
  GtkWidget *row = seam_lesson_row_new (list, seam_lesson_mark_new (mark), title, note,
                                        seam_label_new (end, "numeric", 0), spoken);
  seam_lesson_row_lead_to (row, i);
  if (judged && answer->points < SEAM_SCORE_MOST)
    gtk_widget_add_css_class (row, "lost");
}

static void
add_steps (SeamLessonEnd *self, const SeamLesson *lesson)
{
  GtkWidget *list = seam_lesson_rows_new ();
  const SeamLessonStep *last = seam_lesson_get_step (lesson, lesson->steps->len - 1);

  add_text (self->left, "What you did", "title-4");
  add (self->left, seam_lesson_marks_new (self->player));
  add (self->left, seam_lesson_counts_new (lesson, self->player->answers));
  for (int i = 0; i < (int)lesson->steps->len; i++)
    add_step (self, lesson, list, i);
  add (self->left, list);
  add_text (self->left,
            SEAM_SCORE_RULE
            "; a right choice gives 3. Your answers are kept on this computer only.",
            "dim-label small-text");
  if (last->kind != SEAM_STEP_SAY)
    return;
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (last, NULL);
  GtkWidget *view = seam_help_view_new ();
  add_text (self->left, last->title, "title-4");
  seam_help_view_show (SEAM_HELP_VIEW (view), body, lesson->folder, NULL);
  add (self->left, view);
}

static int
compare_points (gconstpointer a, gconstpointer b, gpointer self)
{
  return find_answer (self, *(SeamLessonStep *const *)a)->points
         - find_answer (self, *(SeamLessonStep *const *)b)->points;
}

/* Where a question is answered: its own step, and those that compare its answer. */
static GtkWidget *
make_places (const SeamLesson *lesson, int question)
{
  GtkWidget *places = seam_box_new (GTK_ORIENTATION_VERTICAL, 4, NULL, NULL);

  for (int i = question; i < (int)lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, (guint)i);
    g_autofree char *label = g_strdup_printf ("Step %d", i + 1);
    g_autofree char *action = g_strdup_printf ("win.lesson-go(%d)", i);
    if (step->about == question)
      add (places, seam_button_new (label, "small-button", NULL, action));
  }
  return places;
}

static void
add_look_again (SeamLessonEnd *self, const SeamLesson *lesson)
{
  g_autoptr (GPtrArray) lost = g_ptr_array_new ();
  GtkWidget *list = seam_lesson_rows_new ();

  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);
    const SeamLessonAnswer *answer = find_answer (self, step);
    if (step->kind == SEAM_STEP_PREDICT && answer != NULL && answer->points >= 0
        && answer->points < SEAM_SCORE_MOST)
      g_ptr_array_add (lost, (gpointer)step);
  }
  g_ptr_array_sort_with_data (lost, compare_points, self);
  add_text (self->right, "Look again", "title-4");
  for (guint i = 0; i < MIN (lost->len, MOST_TO_REPEAT); i++) {
    const SeamLessonStep *step = lost->pdata[i];
    int place = seam_lesson_find_step (lesson, step->id);
    g_autofree char *spoken = g_strdup_printf ("Step %d again: %s", place + 1, step->title);
    g_autofree char *reply = seam_lesson_get_plain (find_answer (self, step)->reply);
    seam_lesson_row_lead_to (
        seam_lesson_row_new (list, NULL, step->title, reply, make_places (lesson, place), spoken),
        place);
  }
  add (self->right, lost->len > 0 ? list : seam_label_new ("Nothing was missed.", NULL, 0));
}

static void
add_next (SeamLessonEnd *self, const GPtrArray *lessons, int number)
{
  const SeamLesson *next = number > 0 && number < (int)lessons->len ? lessons->pdata[number] : NULL;
  GtkWidget *start = NULL;

  if (next != NULL) {
    g_autofree char *label = g_strdup_printf ("Start lesson %d", number + 1);
    g_autofree char *action = g_strdup_printf ("win.lesson::%d", number + 1);
    g_autofree char *facts = g_strdup_printf ("%d min. %s", next->minutes, next->goal);
    GtkWidget *list = seam_lesson_rows_new ();
    add_text (self->right, "Next", "title-4");
    seam_lesson_row_new (list, NULL, next->title, facts, NULL, next->title);
    add (self->right, list);
    start = add (self->right, seam_button_new (label, NULL, NULL, action));
  } else if (number > 0)
    add_text (self->right, "This was the last lesson.", NULL);
  add (self->right, seam_button_new ("Hand in…", NULL,
                                     "Writes a file with predictions, checks and tries for the "
                                     "class; nothing is sent (Ctrl+Enter)",
                                     "win.submit"));
  add (self->right, seam_button_new ("Take this lesson again", NULL, NULL, "win.lesson-again"));
  GtkWidget *leave =
      add (self->right, seam_button_new ("Start page and lessons", NULL, NULL, "win.lesson-leave"));
  if (self->suggested == NULL)
    self->suggested = start != NULL ? start : leave;
}

/* "Lesson 6 is done: both checks passed", "Lesson 6: 1 check is open". `open` receives the first
 * check that has not passed; -1: none. */
static char *
describe_state (SeamLessonEnd *self, const SeamLesson *lesson, int number, int *open)
{
  int n_checks = 0, n_open = 0;
  g_autofree char *name =
      number > 0 ? g_strdup_printf ("Lesson %d", number) : g_strdup (lesson->title);

  *open = -1;
  for (int i = (int)lesson->steps->len - 1; i >= 0; i--) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, (guint)i);
    const SeamLessonAnswer *answer = find_answer (self, step);
    if (step->kind != SEAM_STEP_PROVE)
      continue;
    n_checks++;
    if (answer != NULL && answer->value == 1)
      continue;
    n_open++;
    *open = i;
  }
  if (n_open > 0)
    return g_strdup_printf (n_open == 1 ? "%s: %d check is open" : "%s: %d checks are open", name,
                            n_open);
  return g_strconcat (name, " is done",
                      n_checks == 0   ? ""
                      : n_checks == 1 ? ": its check passed"
                      : n_checks == 2 ? ": both checks passed"
                                      : ": all checks passed",
                      NULL);
}

static void
add_head (SeamLessonEnd *self, const SeamLesson *lesson, int number, GtkWidget *box)
{
  int open;
  g_autofree char *state = describe_state (self, lesson, number, &open);
  g_autofree char *points = g_strdup_printf (
      "%d of %d points", seam_lesson_answers_get_points (self->player->answers), lesson->n_points);
  GtkWidget *mark = seam_lesson_mark_new (open < 0 ? SEAM_MARK_CHECKED : SEAM_MARK_OPEN);
  GtkWidget *words = seam_box_new (
      GTK_ORIENTATION_VERTICAL, 4, NULL, seam_label_new (state, "title-1", SEAM_LABEL_WRAPS),
      seam_label_new (lesson->goal, "dim-label", SEAM_LABEL_WRAPS), NULL);
  GtkWidget *head =
      add (box, seam_box_new (GTK_ORIENTATION_HORIZONTAL, 20, NULL, mark, words, NULL));

  gtk_image_set_pixel_size (GTK_IMAGE (mark), MARK_SIZE);
  gtk_widget_set_hexpand (words, TRUE);
  if (lesson->n_points > 0)
    add (head,
         seam_box_new (
             GTK_ORIENTATION_VERTICAL, 4, NULL, seam_label_new (points, "title-2", 0),
             seam_label_new ("A prediction counts once.", "dim-label small-text", SEAM_LABEL_WRAPS),
             NULL));
  if (open < 0)
    return;
  g_autofree char *label = g_strdup_printf ("To step %d", open + 1);
  g_autofree char *action = g_strdup_printf ("win.lesson-go(%d)", open);
  self->suggested = add (words, seam_button_new (label, NULL, NULL, action));
  gtk_widget_set_halign (self->suggested, GTK_ALIGN_START);
}

static void
arrange (SeamLessonEnd *self)
{
  if (self->columns == NULL)
    return;
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns), self->narrow
                                                                      ? GTK_ORIENTATION_VERTICAL
                                                                      : GTK_ORIENTATION_HORIZONTAL);
  gtk_box_reorder_child_after (self->columns, self->left, self->narrow ? self->right : NULL);
}

static void
update (SeamLessonEnd *self)
{
  const SeamLesson *lesson = self->player->lesson;

  self->columns = NULL;
  self->suggested = NULL;
  adw_bin_set_child (ADW_BIN (self), NULL);
  if (lesson == NULL || self->player->step != NULL)
    return;
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  int number = seam_lesson_find_number (lessons, lesson);
  g_autofree char *back = g_strdup_printf ("Back to step %u", lesson->steps->len);
  GtkWidget *back_button = seam_button_new (back, NULL, NULL, "win.lesson-step(-1)");
  GtkWidget *box = seam_box_new (GTK_ORIENTATION_VERTICAL, 24, "lesson-end", back_button, NULL);

  gtk_widget_set_halign (back_button, GTK_ALIGN_START);
  add_head (self, lesson, number, box);
  self->left = seam_box_new (GTK_ORIENTATION_VERTICAL, 10, NULL, NULL);
  self->right = seam_box_new (GTK_ORIENTATION_VERTICAL, 10, NULL, NULL);
  self->columns =
      add (box, seam_box_new (GTK_ORIENTATION_HORIZONTAL, 24, NULL, self->left, self->right, NULL));
  gtk_widget_set_hexpand (self->left, TRUE);
  gtk_widget_set_hexpand (self->right, FALSE);
  gtk_widget_set_size_request (self->right, RIGHT_WIDTH, -1);
  add_steps (self, lesson);
  add_look_again (self, lesson);
  add_next (self, lessons, number);
  arrange (self);
  GtkWidget *clamp = g_object_new (ADW_TYPE_CLAMP, "maximum-size", WIDTH, "child", box, NULL);
  adw_bin_set_child (ADW_BIN (self), seam_scrolled_new (clamp));
  gtk_widget_add_css_class (self->suggested, "suggested-action");
  gtk_widget_grab_focus (self->suggested);
}

void
seam_lesson_end_set_player (SeamLessonEnd *self, SeamLessonPlayer *player)
{
  g_return_if_fail (self->player == NULL);
  self->player = g_object_ref (player);
  seam_watch (self, G_CALLBACK (update), player, "step", NULL);
}

void
seam_lesson_end_set_narrow (SeamLessonEnd *self, gboolean narrow)
{
  self->narrow = narrow;
  arrange (self);
}

static void
seam_lesson_end_class_init (SeamLessonEndClass *klass)
{
  SEAM_OWNS (klass, SeamLessonEnd, g_object_unref, player);
  gtk_widget_class_add_binding_action (GTK_WIDGET_CLASS (klass), GDK_KEY_Return, GDK_CONTROL_MASK,
                                       "win.submit", NULL);
}

static void
seam_lesson_end_init (SeamLessonEnd *self)
{
}
