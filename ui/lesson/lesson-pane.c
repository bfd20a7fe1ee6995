/* SPDX-License-Identifier: MIT
 *
 * The content is made anew for each step and each answer; nothing in it outlives its step.
 */
#include "ui/lesson/lesson-pane.h"

#include "ui/class/class.h"
#include "ui/help/help-view.h"
#include "ui/lesson/lesson-question.h"
#include "ui/state/watch.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"

#include "app/base/text.h"
#include "app/lesson/deck.h"

#include <math.h>

#define WIDTH           352
#define PICTURE_WIDTH   300
#define SCROLL_DELAY_MS 100

struct _SeamLessonPane {
  AdwBin parent_instance;

  SeamLessonPlayer *player;
  SeamLessonQuestion *question; /* NULL: the step asks nothing */
  GtkLabel *title, *facts_line, *where, *advice;
  GtkBox *dots, *content;
  GtkScrolledWindow *scroll;
  GtkButton *back, *next, *commit;
  int shown; /* step */
  guint scroll_id;
};

G_DEFINE_FINAL_TYPE (SeamLessonPane, seam_lesson_pane, ADW_TYPE_BIN)

/* Parts of the content. */

static GtkWidget *
add_label (SeamLessonPane *self, const char *text, const char *css_class)
{
  GtkWidget *label = seam_label_new (text, css_class, SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_focusable (label, FALSE);
  gtk_box_append (self->content, label);
  return label;
}

/* A sentence of the file, in Markdown. */
static void
add_markdown (SeamLessonPane *self, const SeamMarkdown *text)
{
  GtkWidget *view = seam_help_view_new ();

  seam_help_view_show (SEAM_HELP_VIEW (view), text,
                       seam_lesson_player_get_lesson (self->player)->folder, NULL);
  gtk_box_append (self->content, view);
}

static void
add_sentence (SeamLessonPane *self, const char *sentence)
{
  g_autoptr (SeamMarkdown) text = seam_markdown_parse (sentence);

  add_markdown (self, text);
}

static SeamFigure *
build_picture_cb (double width, double height, gpointer data)
{
  SeamLessonPane *self = data;
  const SeamLessonStep *step = seam_lesson_player_get_step (self->player);

  return step != NULL
             ? seam_lesson_picture_new (step, seam_lesson_player_get_facts (self->player), width)
             : NULL;
}

/* What would answer a later question is not drawn. */
static void
add_picture (SeamLessonPane *self, const SeamLessonStep *step)
{
  if (step->picture == NULL || seam_lesson_player_is_covered (self->player))
    return;
  GtkWidget *view = seam_figure_view_new ();
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (view), build_picture_cb, self, NULL);
  seam_figure_view_set_minimum_width (SEAM_FIGURE_VIEW (view), PICTURE_WIDTH);
  /* A figure may need more than the pane has. */
  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_NEVER);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  gtk_box_append (self->content, scroller);
}

/* A list of names and values. */
static GtkWidget *
add_list (SeamLessonPane *self)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_add_css_class (list, "compact-rows");
  gtk_box_append (self->content, list);
  return list;
}

static void
add_row (GtkWidget *list, const char *mark, const char *name, const char *value, const char *more)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *left = seam_label_new (name, NULL, SEAM_LABEL_WRAPS);
  GtkWidget *item = gtk_list_box_row_new ();
  g_autofree char *whole = g_strdup_printf ("%s: %s%s%s", name, value, more != NULL ? ", " : "",
                                            more != NULL ? more : "");

  if (mark != NULL)
    gtk_box_append (GTK_BOX (row), gtk_label_new (mark));
  gtk_widget_set_hexpand (left, TRUE);
  gtk_box_append (GTK_BOX (row), left);
  gtk_box_append (GTK_BOX (row), seam_label_new (value, "heading numeric", 0));
  if (more != NULL)
    gtk_box_append (GTK_BOX (row), seam_label_new (more, "dim-label", 0));
  gtk_widget_add_css_class (row, "lesson-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (item), row);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (item), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (item), GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
  gtk_list_box_append (GTK_LIST_BOX (list), item);
}

static void
add_facts (SeamLessonPane *self, const SeamLessonStep *step)
{
  const SeamLessonFacts *facts = seam_lesson_player_get_facts (self->player);

  if (step->facts->len == 0 || facts == NULL)
    return;
  add_label (self, "You may use", "heading");
  GtkWidget *list = add_list (self);
  for (guint i = 0; i < step->facts->len; i++) {
    const SeamLessonItem *item = step->facts->pdata[i];
    SeamLessonValue value;
    seam_formula_evaluate (item->formula, facts, &value);
    g_autofree char *text = seam_formula_format_value (&value, step->unit);
    add_row (list, NULL, item->text, text, NULL);
    seam_lesson_value_clear (&value);
  }
}

static void
add_three_values (SeamLessonPane *self, const SeamLessonStep *question,
                  const SeamLessonAnswer *answer, const SeamScore *score)
{
  GtkWidget *list = add_list (self);
  g_autofree char *measured = seam_lesson_step_name_answer (question, NULL, score->measured);

  if (!isnan (answer->value)) {
    g_autofree char *yours = seam_lesson_step_name_answer (question, NULL, answer->value);
    add_row (list, "◇", "You", yours, score->verdict);
  }
  if (!isnan (answer->guess)) {
    g_autofree char *guess = seam_lesson_step_name_answer (question, NULL, answer->guess);
    g_autofree char *off = seam_score_describe_ratio (answer->guess, score->measured);
    add_row (list, "△", "The model", guess, off);
  }
  add_row (list, "●", seam_lesson_step_asks_for_model (question) ? "Modelled" : "Measured",
           measured, NULL);
}

/* "●○○ 1 of 3 points": in dots and in words, with the rule. */
static void
add_points (SeamLessonPane *self, const SeamLessonStep *question, const SeamLessonAnswer *answer,
            const SeamScore *score)
{
  GString *dots = g_string_new (NULL);

  if (isnan (answer->value)) {
    g_string_append (dots, "The answer was shown to you: no points.");
  } else {
    for (int i = 0; i < SEAM_SCORE_MOST; i++)
      g_string_append (dots, i < score->points ? "●" : "○");
    g_string_append_printf (dots, "  %d of %d points", score->points, SEAM_SCORE_MOST);
  }
  add_label (self, dots->str, "heading");
  g_string_free (dots, TRUE);
  if (question->ask == SEAM_ASK_NUMBER)
    add_label (self, SEAM_SCORE_RULE, "dim-label");
}

static void
run_cb (SeamLessonPane *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.run-when-ready", NULL);
}

static void
use_recorded_cb (SeamLessonPane *self)
{
  seam_lesson_player_use_recorded (self->player);
}

/* The sidebar takes the pane's place until it gives it back. */
static void
add_way_to_sidebar (SeamLessonPane *self)
{
  GtkWidget *button = gtk_button_new_with_label ("Open the sidebar");

  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, "Pipeline, shape and options of the run; the lesson waits");
  gtk_actionable_set_detailed_action_name (GTK_ACTIONABLE (button), "win.side::sidebar");
  gtk_box_append (self->content, button);
}

/* The ways to a result: a run on this computer, or the recorded one that the step names. */
static void
add_run (SeamLessonPane *self, const SeamLessonStep *step)
{
  gboolean done = seam_lesson_player_get_facts (self->player) != NULL;

  if (seam_lesson_player_is_measuring (self->player)) {
    add_label (self, "Measuring… Esc stops it.", "dim-label");
    return;
  }
  GtkWidget *button = gtk_button_new_with_label ("Run on this computer");
  if (!done)
    gtk_widget_add_css_class (button, "suggested-action");
  gtk_widget_set_tooltip_text (button, "Run the plans (Ctrl+R)");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (run_cb), self);
  gtk_box_append (self->content, button);
  add_way_to_sidebar (self);
  if (step->recorded == NULL)
    return;
  button = gtk_button_new_with_label ("Use the recorded run");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_tooltip_text (button, "Go on with what was recorded before; nothing runs here");
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (use_recorded_cb), self);
  gtk_box_append (self->content, button);
}

static void
add_score (SeamLessonPane *self, const SeamLessonStep *question)
{
  const SeamLessonAnswer *answer = seam_lesson_player_get_answer (self->player);
  g_auto (SeamScore) score = { 0 };

  if (answer == NULL)
    return;
  if (!seam_lesson_player_get_score (self->player, &score)) {
    if (answer->points >= 0)
      add_points (self, question, answer, &(SeamScore){ .points = answer->points });
    add_label (self,
               seam_lesson_player_is_measuring (self->player)
                   ? "Committed. It is compared as soon as the run is there."
               : answer->points >= 0 ? "The run that it was compared with is not open any more."
                                     : "Committed, and kept. There is no run to compare it with.",
               "dim-label");
    if (question->sample == NULL)
      add_run (self, question);
    return;
  }
  if (question->ask == SEAM_ASK_NUMBER)
    add_three_values (self, question, answer, &score);
  else if (!isnan (answer->value)) {
    g_autofree char *sentence = g_strdup_printf ("Your answer: %s.", score.verdict);
    add_label (self, sentence, NULL);
  }
  add_points (self, question, answer, &score);
  if (score.reply != NULL)
    add_sentence (self, score.reply);
}

static void
commit (SeamLessonPane *self)
{
  int reason;
  double value = seam_lesson_question_get_value (self->question, &reason);

  if (isnan (value))
    gtk_label_set_text (self->advice, seam_lesson_question_get_advice (self->question));
  else
    seam_lesson_player_commit (self->player, value, reason);
}

static void
show_me_cb (SeamLessonPane *self)
{
  seam_lesson_player_commit (self->player, NAN, -1);
}

static void
question_changed_cb (SeamLessonPane *self)
{
  int reason;
  double value = seam_lesson_question_get_value (self->question, &reason);

  seam_lesson_player_set_draft (self->player, seam_lesson_question_get_draft (self->question));
  gtk_widget_set_sensitive (GTK_WIDGET (self->commit), !isnan (value));
  gtk_label_set_text (self->advice, isnan (value) ? seam_lesson_question_get_advice (self->question)
                                                  : "A committed prediction cannot be changed.");
}

static void
add_question (SeamLessonPane *self, const SeamLessonStep *step)
{
  gboolean asking = seam_lesson_player_is_asking (self->player);

  add_facts (self, step);
  add_label (self, asking ? "Your prediction" : "Your committed prediction", "heading");
  self->question = SEAM_LESSON_QUESTION (
      seam_lesson_question_new (step, seam_lesson_player_get_facts (self->player),
                                seam_lesson_player_get_answer (self->player)));
  gtk_box_append (self->content, GTK_WIDGET (self->question));
  if (!asking) {
    add_score (self, step);
    return;
  }
  g_signal_connect_swapped (self->question, "changed", G_CALLBACK (question_changed_cb), self);
  g_signal_connect_swapped (self->question, "commit", G_CALLBACK (commit), self);
  self->commit = GTK_BUTTON (gtk_button_new_with_label ("Commit prediction"));
  gtk_widget_add_css_class (GTK_WIDGET (self->commit), "suggested-action");
  g_signal_connect_swapped (self->commit, "clicked", G_CALLBACK (commit), self);
  gtk_box_append (self->content, GTK_WIDGET (self->commit));
  GtkWidget *show = gtk_button_new_with_label ("I have no idea, show me");
  gtk_widget_add_css_class (show, "flat");
  gtk_widget_set_tooltip_text (show, "Opens everything, for 0 points");
  g_signal_connect_swapped (show, "clicked", G_CALLBACK (show_me_cb), self);
  gtk_box_append (self->content, show);
  self->advice = GTK_LABEL (add_label (self, "", "dim-label"));
  question_changed_cb (self);
}

static void
add_check (SeamLessonPane *self)
{
  g_autoptr (GPtrArray) conditions = seam_lesson_player_check (self->player);
  const SeamLessonCondition *first;

  if (conditions == NULL) {
    add_label (self, "Nothing was run yet. Press Run, then this step is checked.", "dim-label");
    add_way_to_sidebar (self);
    return;
  }
  if (seam_lesson_check_judge (conditions, &first) == 1)
    add_label (self, "✓ Done: all conditions of this step hold.", "heading");
  /* One after the other: what follows rests on what comes before. */
  if (first != NULL) {
    g_autofree char *text =
        g_strconcat (first->state == SEAM_CONDITION_UNCLEAR ? "? " : "✗ ", first->reply, NULL);
    add_sentence (self, text);
  }
  add_way_to_sidebar (self);
}

/* The whole. */

static void
clear_content (SeamLessonPane *self)
{
  GtkWidget *child;

  self->question = NULL;
  self->commit = NULL;
  self->advice = NULL;
  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->content))) != NULL)
    gtk_box_remove (self->content, child);
}

/* ● ● ▬ ○ ○: done, now, to come. */
static void
update_dots (SeamLessonPane *self, const SeamLesson *lesson)
{
  int index = seam_lesson_player_get_index (self->player);
  const SeamLessonStep *step = seam_lesson_player_get_step (self->player);
  g_autofree char *words = g_strdup_printf ("Step %d of %u · %s", index + 1, lesson->steps->len,
                                            seam_choice_get_title (seam_step_kinds, step->kind));
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (GTK_WIDGET (self->dots))) != NULL)
    gtk_box_remove (self->dots, child);
  for (int i = 0; i < (int)lesson->steps->len; i++) {
    GtkWidget *dot = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 0);
    gtk_widget_add_css_class (dot, "lesson-dot");
    gtk_widget_add_css_class (dot, i < index ? "done" : i == index ? "now" : "later");
    gtk_widget_set_valign (dot, GTK_ALIGN_CENTER);
    gtk_box_append (self->dots, dot);
  }
  gtk_label_set_text (self->where, words);
}

static void
update_head (SeamLessonPane *self, const SeamLesson *lesson)
{
  g_autofree char *line = g_strdup_printf (
      "%s%sabout %d minute%s", lesson->topic != NULL ? lesson->topic : "",
      lesson->topic != NULL ? " · " : "", lesson->minutes, lesson->minutes == 1 ? "" : "s");

  gtk_label_set_text (self->title, lesson->title);
  gtk_label_set_text (self->facts_line, line);
  update_dots (self, lesson);
}

static void
update_foot (SeamLessonPane *self, const SeamLesson *lesson)
{
  int index = seam_lesson_player_get_index (self->player);
  gboolean last = index == (int)lesson->steps->len - 1;
  gboolean asking = seam_lesson_player_is_asking (self->player);

  gtk_widget_set_sensitive (GTK_WIDGET (self->back), index > 0);
  gtk_button_set_label (self->next, last ? "Finish" : "Next");
  gtk_widget_set_sensitive (GTK_WIDGET (self->next), !asking);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->next), asking ? "Commit your prediction first"
                                                        : last ? "Back to the lessons"
                                                               : "Next step (Alt+Right)");
  const SeamLessonStep *step = seam_lesson_player_get_step (self->player);
  /* One suggested button at a time. */
  gboolean runs =
      step->kind == SEAM_STEP_TRY && seam_lesson_player_get_facts (self->player) == NULL;
  seam_css_class_set (self->next, "suggested-action", !asking && !runs);
}

static void
update (SeamLessonPane *self)
{
  const SeamLesson *lesson = seam_lesson_player_get_lesson (self->player);
  const SeamLessonStep *step = seam_lesson_player_get_step (self->player);
  const SeamLessonFacts *facts = seam_lesson_player_get_facts (self->player);

  clear_content (self);
  if (lesson == NULL || step == NULL) {
    self->shown = -1;
    return;
  }
  update_head (self, lesson);
  g_autofree char *title = seam_formula_fill (step->title, facts);
  add_label (self, title, "title-4");
  if (seam_lesson_player_get_problem (self->player) != NULL)
    add_label (self, seam_lesson_player_get_problem (self->player), "error");
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (step, facts);
  add_markdown (self, body);
  if (step->kind == SEAM_STEP_PREDICT)
    add_question (self, step);
  else if (step->kind == SEAM_STEP_COMPARE && seam_lesson_player_get_question (self->player))
    add_score (self, seam_lesson_player_get_question (self->player));
  else if (step->kind == SEAM_STEP_TRY)
    add_run (self, step);
  else if (step->kind == SEAM_STEP_PROVE)
    add_check (self);
  if (step->why != NULL) {
    g_autofree char *why = seam_formula_fill (step->why, facts);
    add_sentence (self, why);
  }
  add_picture (self, step);
  update_foot (self, lesson);
}

/* Whether the focus is in what is made anew. */
static gboolean
has_focus (SeamLessonPane *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->content));
}

/* To what comes next: Enter goes on. */
static void
move_focus (SeamLessonPane *self)
{
  if (self->question != NULL && seam_lesson_player_is_asking (self->player))
    gtk_widget_child_focus (GTK_WIDGET (self->question), GTK_DIR_TAB_FORWARD);
  else
    gtk_widget_grab_focus (GTK_WIDGET (self->next));
}

/* The new contents have their height only after layout. */
static gboolean
show_end_cb (gpointer data)
{
  SeamLessonPane *self = data;
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (self->scroll);

  self->scroll_id = 0;
  gtk_adjustment_set_value (down, gtk_adjustment_get_upper (down));
  return G_SOURCE_REMOVE;
}

static void
show_end (SeamLessonPane *self)
{
  g_clear_handle_id (&self->scroll_id, g_source_remove);
  self->scroll_id = g_timeout_add (SCROLL_DELAY_MS, show_end_cb, self);
}

static void
step_changed_cb (SeamLessonPane *self)
{
  const SeamLessonStep *step = seam_lesson_player_get_step (self->player);
  int index = seam_lesson_player_get_index (self->player);
  gboolean had_focus = has_focus (self);

  update (self);
  if (step == NULL)
    return;
  if (index == self->shown) {
    /* The score stands below the question. */
    if (step->kind == SEAM_STEP_PREDICT && !seam_lesson_player_is_asking (self->player))
      show_end (self);
    if (had_focus)
      move_focus (self);
    return;
  }
  self->shown = index;
  gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroll), 0);
  if (step->page != NULL)
    g_signal_emit_by_name (self, "show-page", step->page);
  move_focus (self);
}

/* From the figure: a diamond that was dragged, a seam that was picked. */
static void
draft_changed_cb (SeamLessonPane *self)
{
  double draft = seam_lesson_player_get_draft (self->player);
  int reason;

  if (self->question == NULL || isnan (draft) || !seam_lesson_player_is_asking (self->player))
    return;
  double entered = seam_lesson_question_get_value (self->question, &reason);
  if (isnan (entered) || fabs (entered - draft) > 0.005 * draft)
    seam_lesson_question_set_value (self->question, draft);
}

void
seam_lesson_pane_set_player (SeamLessonPane *self, SeamLessonPlayer *player)
{
  g_return_if_fail (self->player == NULL);
  self->player = g_object_ref (player);
  seam_watch (self, G_CALLBACK (step_changed_cb), player, "step answer", NULL);
  seam_watch (self, G_CALLBACK (draft_changed_cb), player, "draft", NULL);
}

static void
go_back (SeamLessonPane *self)
{
  seam_lesson_player_go (self->player, seam_lesson_player_get_index (self->player) - 1);
}

static void
go_on (SeamLessonPane *self)
{
  const SeamLesson *lesson = seam_lesson_player_get_lesson (self->player);
  int next = seam_lesson_player_get_index (self->player) + 1;

  if (lesson == NULL || seam_lesson_player_is_asking (self->player))
    return;
  if (next < (int)lesson->steps->len) {
    seam_lesson_player_go (self->player, next);
    return;
  }
  seam_lesson_player_finish (self->player);
  g_signal_emit_by_name (self, "left");
}

void
seam_lesson_pane_go (SeamLessonPane *self, int direction)
{
  if (direction < 0)
    go_back (self);
  else
    go_on (self);
}

static void
leave (SeamLessonPane *self)
{
  seam_lesson_player_close (self->player);
  g_signal_emit_by_name (self, "left");
}

static void
action_cb (GtkWidget *widget, const char *name, GVariant *parameter)
{
  SeamLessonPane *self = SEAM_LESSON_PANE (widget);

  if (seam_lesson_player_get_lesson (self->player) == NULL)
    return;
  if (g_str_equal (name, "lesson.back"))
    go_back (self);
  else if (g_str_equal (name, "lesson.next"))
    go_on (self);
  else
    leave (self);
}

static void
seam_lesson_pane_class_init (SeamLessonPaneClass *klass)
{
  static const char *const names[] = { "lesson.back", "lesson.next", "lesson.leave" };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  SEAM_OWNS (klass, SeamLessonPane, g_source_remove, scroll_id);
  SEAM_OWNS (klass, SeamLessonPane, g_object_unref, player);
  seam_signals_install (klass, G_TYPE_STRING, "show-page");
  seam_signals_install (klass, G_TYPE_NONE, "left");
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    gtk_widget_class_install_action (widget_class, names[i], NULL, action_cb);
}

static GtkWidget *
make_head (SeamLessonPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *leave_button = gtk_button_new_from_icon_name ("go-previous-symbolic");
  GtkWidget *present = gtk_button_new_with_label ("Present");
  GtkWidget *more = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  g_menu_append (menu, "Hand in your _answers…", "win.submit");
  g_menu_append (menu, "_Start again", "win.lesson-again");
  g_menu_append (menu, "_Leave the lesson", "lesson.leave");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (more), G_MENU_MODEL (menu));
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (more), "view-more-symbolic");
  gtk_widget_set_tooltip_text (more, "Menu of the lesson");
  gtk_actionable_set_action_name (GTK_ACTIONABLE (leave_button), "lesson.leave");
  gtk_widget_set_tooltip_text (leave_button, "Back to the lessons; your progress is kept");
  gtk_accessible_update_property (GTK_ACCESSIBLE (leave_button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Lessons", -1);
  gtk_actionable_set_action_name (GTK_ACTIONABLE (present), "win.present");
  gtk_widget_set_tooltip_text (present, "Present the lesson (F11)");
  gtk_widget_set_hexpand (present, TRUE);
  gtk_widget_set_halign (present, GTK_ALIGN_END);
  gtk_widget_add_css_class (leave_button, "flat");
  gtk_widget_add_css_class (present, "flat");
  gtk_widget_add_css_class (more, "flat");
  gtk_box_append (GTK_BOX (row), leave_button);
  gtk_box_append (GTK_BOX (row), present);
  gtk_box_append (GTK_BOX (row), more);
  return row;
}

static GtkWidget *
make_foot (SeamLessonPane *self)
{
  GtkWidget *row = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);

  self->back = GTK_BUTTON (gtk_button_new_with_label ("Back"));
  self->next = GTK_BUTTON (gtk_button_new_with_label ("Next"));
  gtk_actionable_set_action_name (GTK_ACTIONABLE (self->back), "lesson.back");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->back), "Step before (Alt+Left)");
  g_signal_connect_swapped (self->next, "clicked", G_CALLBACK (go_on), self);
  gtk_widget_set_hexpand (GTK_WIDGET (self->next), TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self->next), GTK_ALIGN_END);
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->back));
  gtk_box_append (GTK_BOX (row), GTK_WIDGET (self->next));
  gtk_widget_add_css_class (row, "lesson-foot");
  return row;
}

static void
seam_lesson_pane_init (SeamLessonPane *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *head = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);
  GtkWidget *progress = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  GtkWidget *scroll = gtk_scrolled_window_new ();

  self->shown = -1;
  self->title = seam_label_new (NULL, "title-2", SEAM_LABEL_WRAPS);
  self->facts_line = seam_label_new (NULL, "dim-label", SEAM_LABEL_WRAPS);
  self->where = seam_label_new (NULL, "dim-label", SEAM_LABEL_WRAPS);
  self->dots = GTK_BOX (gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 5));
  self->content = GTK_BOX (gtk_box_new (GTK_ORIENTATION_VERTICAL, 10));
  self->scroll = GTK_SCROLLED_WINDOW (scroll);
  gtk_box_append (GTK_BOX (progress), GTK_WIDGET (self->dots));
  gtk_box_append (GTK_BOX (progress), GTK_WIDGET (self->where));
  gtk_box_append (GTK_BOX (head), make_head (self));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->title));
  gtk_box_append (GTK_BOX (head), GTK_WIDGET (self->facts_line));
  gtk_box_append (GTK_BOX (head), progress);
  /* In a narrow window it lies over the page. */
  gtk_widget_add_css_class (GTK_WIDGET (self), "seam-sidebar");
  gtk_widget_add_css_class (head, "lesson-head");
  gtk_widget_add_css_class (GTK_WIDGET (self->content), "lesson-content");
  gtk_scrolled_window_set_policy (self->scroll, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (self->scroll, GTK_WIDGET (self->content));
  gtk_widget_set_vexpand (scroll, TRUE);
  gtk_box_append (GTK_BOX (box), head);
  gtk_box_append (GTK_BOX (box), scroll);
  gtk_box_append (GTK_BOX (box), make_foot (self));
  /* As wide as its texts need at most, whatever is the longest paragraph. */
  GtkWidget *clamp = adw_clamp_new ();
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), WIDTH);
  adw_clamp_set_tightening_threshold (ADW_CLAMP (clamp), WIDTH);
  adw_clamp_set_child (ADW_CLAMP (clamp), box);
  gtk_widget_set_hexpand (clamp, FALSE);
  gtk_widget_set_size_request (clamp, WIDTH, -1);
  adw_bin_set_child (ADW_BIN (self), clamp);
}
