/* SPDX-License-Identifier: MIT */
#include "ui/start/lesson-list.h"

#include "ui/lesson/lesson-parts.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/text-scale.h"
#include "ui/widgets/wrap-box.h"

#include "app/figure/strip.h"

#define CHAIN_BAND  9.0
#define CHAIN_GAP   3.0
#define CARD_WIDTH  244 /* at the usual size of text */
#define MAX_COLUMNS 3
#define MAX_CHARS   30 /* of a line */
#define SPACING     12

struct _SeamLessonList {
  AdwBin parent_instance;

  GtkLabel *summary, *problems;
  GtkFlowBox *cards;
  GtkButton *next; /* NULL: none */
  SeamHistoryList *history;
};

G_DEFINE_FINAL_TYPE (SeamLessonList, seam_lesson_list, ADW_TYPE_BIN)

static GtkWidget *
add_label (GtkBox *box, const char *text, const char *css_class)
{
  GtkWidget *label = seam_label_new (text, css_class, SEAM_LABEL_WRAPS);

  /* A card is as wide as its column, not as its longest sentence. */
  gtk_label_set_max_width_chars (GTK_LABEL (label), MAX_CHARS);
  gtk_box_append (box, label);
  return label;
}

static SeamFigure *
build_chain_cb (double width, double height, gpointer pipeline)
{
  return seam_chain_figure_new (pipeline, NULL, CHAIN_BAND, CHAIN_GAP);
}

static void
add_chain (GtkBox *box, const SeamLesson *lesson)
{
  const char *id = lesson->pipelines != NULL ? lesson->pipelines[0] : NULL;
  SeamPipeline *pipeline = id != NULL ? seam_pipeline_find (id, NULL) : NULL;

  if (pipeline == NULL)
    return;
  GtkWidget *chain = seam_figure_view_new ();
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (chain), build_chain_cb, pipeline,
                                (GDestroyNotify)seam_pipeline_unref);
  gtk_widget_set_can_target (chain, FALSE);
  gtk_box_append (box, chain);
}

/* "8 min", or "10 min · needs compiler": what the lesson needs beside a processor. */
static char *
describe_needs (const SeamLesson *lesson)
{
  gboolean any = lesson->needs != NULL && lesson->needs[0] != NULL;
  g_autofree char *needs = any ? g_strjoinv (", ", lesson->needs) : NULL;

  return g_strdup_printf ("%d min%s%s", lesson->minutes, any ? " · needs " : "", any ? needs : "");
}

static gboolean
is_begun (const SeamLessonAnswers *answers)
{
  return answers->done || answers->step > 0 || answers->n_answers > 0 || answers->n_first > 0;
}

static char *
describe_progress (const SeamLesson *lesson, const SeamLessonAnswers *answers)
{
  int points = seam_lesson_answers_get_points (answers);

  if (!is_begun (answers))
    return g_strdup ("not begun");
  if (answers->done)
    return g_strdup_printf ("done · %d of %d points", points, lesson->n_points);
  return g_strdup_printf ("step %d of %u · %d of %d points",
                          MIN (answers->step + 1, (int)lesson->steps->len), lesson->steps->len,
                          points, lesson->n_points);
}

static GtkWidget *
make_marks (const SeamLesson *lesson, const SeamLessonAnswers *answers)
{
  GtkWidget *marks = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 3);

  for (int i = 0; i < (int)lesson->steps->len; i++)
    gtk_box_append (GTK_BOX (marks),
                    seam_lesson_mark_new (seam_lesson_get_mark (lesson, answers, i)));
  return marks;
}

static GtkWidget *
make_card (const SeamLesson *lesson, int number, const SeamLessonAnswers *answers, gboolean next)
{
  GtkBox *box = seam_box_new (GTK_ORIENTATION_VERTICAL, 6, NULL, NULL);
  GtkBox *foot = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL, NULL);
  const char *action = !is_begun (answers) ? "Start" : answers->done ? "Look again" : "Go on";
  g_autofree char *title = g_strdup_printf ("%d  %s", number, lesson->title);
  g_autofree char *needs = describe_needs (lesson);
  g_autofree char *about = g_strconcat (lesson->topic != NULL ? lesson->topic : "",
                                        lesson->topic != NULL ? " · " : "", needs, NULL);
  g_autofree char *progress = describe_progress (lesson, answers);
  g_autofree char *spoken = g_strdup_printf ("Lesson %d, %s: %s %s, %s. %s", number, lesson->title,
                                             lesson->goal, needs, progress, action);
  g_autofree char *opens = g_strdup_printf ("win.lesson::%d", number);
  GtkWidget *button =
      seam_button_new ("", next ? "card lesson-card next" : "card lesson-card", NULL, opens);

  add_label (box, title, "heading");
  gtk_widget_set_vexpand (add_label (box, about, "dim-label"), TRUE);
  add_chain (box, lesson);
  gtk_box_append (box, make_marks (lesson, answers));
  gtk_widget_set_hexpand (add_label (foot, progress, "dim-label"), TRUE);
  add_label (foot, action, next ? "lesson-action next" : "lesson-action later");
  gtk_box_append (box, GTK_WIDGET (foot));
  gtk_button_set_child (GTK_BUTTON (button), GTK_WIDGET (box));
  gtk_widget_set_size_request (button, (int)(CARD_WIDTH * seam_text_scale_get ()), -1);
  gtk_widget_set_tooltip_text (button, lesson->goal);
  seam_widget_set_name (button, spoken);
  return button;
}

/* The button goes on with lesson `index`; -1: all are done, so it opens the last run, or begins the
 * first one again. */
static void
show_next (SeamLessonList *self, GPtrArray *lessons, GPtrArray *progress, int index, int n_done)
{
  const SeamHistoryEntry *run = index < 0 ? seam_history_list_find_run (self->history, NULL) : NULL;
  const SeamLesson *lesson = lessons->pdata[MAX (index, 0)];
  const SeamLessonAnswers *answers = progress->pdata[MAX (index, 0)];
  g_autofree char *needs = describe_needs (lesson);
  g_autofree char *tooltip =
      run != NULL ? seam_history_list_describe (run)
                  : g_strdup_printf ("%s (%s)\n%s", lesson->title, needs, lesson->goal);
  g_autofree char *number = g_strdup_printf ("%d", MAX (index, 0) + 1);
  g_autofree char *label =
      run != NULL ? g_strdup ("Open the _last run")
      : index < 0 || (n_done == 0 && !is_begun (answers))
          ? g_strdup_printf ("Take _lesson %s%s", number, index < 0 ? " again" : "")
      : is_begun (answers) ? g_strdup_printf ("Go on with _lesson %s, step %d", number,
                                              MIN (answers->step + 1, (int)lesson->steps->len))
                           : g_strdup_printf ("Start _lesson %s", number);
  g_autofree char *action =
      run != NULL ? g_strdup_printf ("win.history-open(int64 %" G_GINT64_FORMAT ")", run->id)
                  : g_strconcat ("win.lesson::", number, NULL);

  gtk_button_set_label (self->next, label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->next), tooltip);
  seam_widget_set_action (self->next, action);
}

/* When the last answer was given: "" before the first, NULL if the lesson is not begun. */
static const char *
get_last_time (const SeamLessonAnswers *answers)
{
  const char *date = seam_lesson_answers_get_date (answers);

  return date != NULL ? date : is_begun (answers) ? "" : NULL;
}

void
seam_lesson_list_update (SeamLessonList *self)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (problems);
  g_autoptr (GPtrArray) progress =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_lesson_answers_free);
  int n_done = 0, next = -1, minutes = 0;

  seam_widget_clear (self->cards, G_CALLBACK (gtk_flow_box_remove));
  for (guint i = 0; i < lessons->len; i++) {
    SeamLessonAnswers *answers = seam_lesson_answers_load_kept (lessons->pdata[i]);
    g_ptr_array_add (progress, answers);
    n_done += answers->done;
    minutes += ((const SeamLesson *)lessons->pdata[i])->minutes;
    /* The one that was answered last; else the first that is not done. */
    if (!answers->done
        && (next < 0
            || g_strcmp0 (get_last_time (answers), get_last_time (progress->pdata[next])) > 0))
      next = (int)i;
  }
  for (guint i = 0; i < lessons->len; i++) {
    GtkWidget *card = make_card (lessons->pdata[i], (int)i + 1, progress->pdata[i], (int)i == next);
    gtk_flow_box_insert (self->cards, card, -1);
    /* The card itself has the focus. */
    gtk_widget_set_focusable (gtk_widget_get_parent (card), FALSE);
  }
  g_autofree char *summary =
      n_done > 0
          ? g_strdup_printf ("%d of %u done; kept on this computer only", n_done, lessons->len)
          : g_strdup_printf ("%u lessons, about %d minutes in all", lessons->len, minutes);
  gtk_label_set_text (self->summary, summary);
  gtk_widget_set_visible (GTK_WIDGET (self), lessons->len > 0 || problems->len > 0);
  if (self->next != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->next), lessons->len > 0);
  if (self->next != NULL && lessons->len > 0)
    show_next (self, lessons, progress, next, n_done);
  g_ptr_array_add (problems, NULL);
  g_autofree char *text = g_strjoinv ("\n", (char **)problems->pdata);
  gtk_label_set_text (self->problems, text);
  gtk_widget_set_visible (GTK_WIDGET (self->problems), *text != '\0');
}

void
seam_lesson_list_set_next (SeamLessonList *self, GtkButton *button, SeamHistoryList *history)
{
  self->next = button;
  self->history = history;
  seam_lesson_list_update (self);
}

static void
seam_lesson_list_class_init (SeamLessonListClass *klass)
{
}

static void
seam_lesson_list_init (SeamLessonList *self)
{
  GtkWidget *head = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 10, NULL);

  self->summary = seam_label_new ("", "dim-label", 0);
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  gtk_widget_set_parent (seam_label_new ("Lessons", "heading", 0), head);
  gtk_widget_set_parent (GTK_WIDGET (self->summary), head);
  gtk_widget_set_parent (seam_lesson_counts_new (NULL, NULL), head);
  self->cards = g_object_new (GTK_TYPE_FLOW_BOX, "selection-mode", GTK_SELECTION_NONE,
                              "homogeneous", TRUE, "max-children-per-line", MAX_COLUMNS,
                              "row-spacing", SPACING, "column-spacing", SPACING, NULL);
  seam_widget_set_name (self->cards, "Lessons");
  self->problems = seam_label_new (NULL, "error", SEAM_LABEL_WRAPS);
  adw_bin_set_child (ADW_BIN (self), seam_box_new (GTK_ORIENTATION_VERTICAL, 8, NULL, head,
                                                   self->cards, self->problems, NULL));
  g_signal_connect (self, "map", G_CALLBACK (seam_lesson_list_update), NULL);
  seam_lesson_list_update (self);
}
