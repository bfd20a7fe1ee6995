/* SPDX-License-Identifier: MIT */
#include "ui/start/lesson-list.h"

#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"

#include "app/figure/strip.h"

#define CHAIN_BAND  9.0
#define CHAIN_GAP   3.0
#define CARD_WIDTH  290
#define MAX_COLUMNS 3
#define MAX_CHARS   30 /* of a line */
#define SPACING     12

struct _SeamLessonList {
  AdwBin parent_instance;

  GtkLabel *summary, *problems;
  GtkFlowBox *cards;
  GtkButton *next; /* NULL: none */
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

/* What the lesson needs beside a processor: "needs a GPU: no". */
static char *
describe_needs (const SeamLesson *lesson)
{
  gboolean any = lesson->needs != NULL && lesson->needs[0] != NULL;
  g_autofree char *needs = any ? g_strjoinv (", ", lesson->needs) : NULL;

  return any ? g_strdup_printf ("%d min · needs %s", lesson->minutes, needs)
             : g_strdup_printf ("%d min · needs a GPU: no", lesson->minutes);
}

static gboolean
is_begun (const SeamLessonAnswers *answers)
{
  return answers->done || answers->step > 0 || answers->n_answers > 0;
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
make_dots (const SeamLesson *lesson, const SeamLessonAnswers *answers)
{
  GtkWidget *dots = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5);

  for (int i = 0; i < (int)lesson->steps->len; i++) {
    GtkWidget *dot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
    gboolean done = answers->done || i < answers->step;
    gtk_widget_add_css_class (dot, "lesson-dot");
    gtk_widget_add_css_class (dot, done ? "done" : "later");
    gtk_widget_set_valign (dot, GTK_ALIGN_CENTER);
    gtk_box_append (GTK_BOX (dots), dot);
  }
  return dots;
}

static GtkWidget *
make_card (const SeamLesson *lesson, int number, const SeamLessonAnswers *answers, gboolean next)
{
  GtkWidget *button = gtk_button_new ();
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 6));
  GtkBox *foot = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8));
  const char *action = !is_begun (answers) ? "Start" : answers->done ? "Again" : "Go on";
  g_autofree char *title = g_strdup_printf ("%d  %s", number, lesson->title);
  g_autofree char *needs = describe_needs (lesson);
  g_autofree char *progress = describe_progress (lesson, answers);
  g_autofree char *spoken = g_strdup_printf ("Lesson %d, %s: %s %s, %s. %s", number, lesson->title,
                                             lesson->goal, needs, progress, action);
  g_autofree char *key = g_strdup_printf ("%d", number);

  add_label (box, title, "heading");
  if (lesson->topic != NULL)
    add_label (box, lesson->topic, "dim-label");
  gtk_widget_set_vexpand (add_label (box, lesson->goal, "body"), TRUE);
  add_chain (box, lesson);
  add_label (box, needs, "dim-label");
  gtk_box_append (foot, make_dots (lesson, answers));
  gtk_widget_set_hexpand (add_label (foot, progress, "dim-label"), TRUE);
  gtk_widget_add_css_class (add_label (foot, action, "lesson-action"), next ? "next" : "later");
  gtk_box_append (box, GTK_WIDGET (foot));
  gtk_button_set_child (GTK_BUTTON (button), GTK_WIDGET (box));
  gtk_widget_add_css_class (button, "card");
  gtk_widget_add_css_class (button, "lesson-card");
  if (next)
    gtk_widget_add_css_class (button, "next");
  gtk_widget_set_size_request (button, CARD_WIDTH, -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), "win.lesson");
  gtk_actionable_set_action_target (GTK_ACTIONABLE (button), "s", key);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken,
                                  -1);
  return button;
}

static void
show_problems (SeamLessonList *self, GPtrArray *problems)
{
  g_ptr_array_add (problems, NULL);
  g_autofree char *text = g_strjoinv ("\n", (char **)problems->pdata);

  gtk_label_set_text (self->problems, text);
  gtk_widget_set_visible (GTK_WIDGET (self->problems), *text != '\0');
}

/* The button begins the lesson that comes next; once all are done, the first one again. */
static void
show_next (SeamLessonList *self, const SeamLesson *lesson, int number, gboolean begun)
{
  g_autofree char *label =
      g_strdup_printf (begun ? "Go on with _lesson %d" : "Take _lesson %d", number);
  g_autofree char *target = g_strdup_printf ("%d", number);
  g_autofree char *needs = describe_needs (lesson);
  g_autofree char *tooltip = g_strdup_printf ("%s (%s)\n%s", lesson->title, needs, lesson->goal);

  gtk_button_set_label (self->next, label);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->next), tooltip);
  gtk_actionable_set_action_target (GTK_ACTIONABLE (self->next), "s", target);
}

void
seam_lesson_list_update (SeamLessonList *self)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (problems);
  g_autoptr (GPtrArray) progress =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_lesson_answers_free);
  int n_done = 0, next = -1, minutes = 0;
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->cards))) != NULL)
    gtk_flow_box_remove (self->cards, child);
  for (guint i = 0; i < lessons->len; i++) {
    SeamLessonAnswers *answers = seam_lesson_answers_load_kept (lessons->pdata[i]);
    g_ptr_array_add (progress, answers);
    n_done += answers->done;
    minutes += ((const SeamLesson *)lessons->pdata[i])->minutes;
    /* The one that is in progress; else the first that is not done. */
    if (!answers->done && (next < 0 || (is_begun (answers) && !is_begun (progress->pdata[next]))))
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
    show_next (self, lessons->pdata[MAX (next, 0)], MAX (next, 0) + 1,
               next >= 0 && is_begun (progress->pdata[next]));
  show_problems (self, problems);
}

void
seam_lesson_list_set_next (SeamLessonList *self, GtkButton *button)
{
  self->next = button;
  seam_lesson_list_update (self);
}

static void
seam_lesson_list_class_init (SeamLessonListClass *klass)
{
}

static void
seam_lesson_list_init (SeamLessonList *self)
{
  GtkBox *box = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 8));
  GtkBox *head = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10));

  add_label (head, "Lessons", "heading");
  self->summary = GTK_LABEL (add_label (head, "", "dim-label"));
  gtk_widget_set_hexpand (GTK_WIDGET (self->summary), TRUE);
  self->cards = GTK_FLOW_BOX (gtk_flow_box_new ());
  gtk_flow_box_set_selection_mode (self->cards, GTK_SELECTION_NONE);
  gtk_flow_box_set_homogeneous (self->cards, TRUE);
  gtk_flow_box_set_max_children_per_line (self->cards, MAX_COLUMNS);
  gtk_flow_box_set_row_spacing (self->cards, SPACING);
  gtk_flow_box_set_column_spacing (self->cards, SPACING);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->cards), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Lessons", -1);
  gtk_box_append (box, GTK_WIDGET (head));
  gtk_box_append (box, GTK_WIDGET (self->cards));
  self->problems = GTK_LABEL (add_label (box, "", "error"));
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (box));
  g_signal_connect (self, "map", G_CALLBACK (seam_lesson_list_update), NULL);
  seam_lesson_list_update (self);
}
