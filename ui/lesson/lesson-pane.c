/* SPDX-License-Identifier: MIT
 *
 * The content is made anew for each step and each answer; nothing in it outlives its step.
 */
#include "ui/lesson/lesson-pane.h"

#include "ui/class/class.h"
#include "ui/help/help-view.h"
#include "ui/lesson/lesson-parts.h"
#include "ui/lesson/lesson-question.h"
#include "ui/state/watch.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/gtk-repairs.h"
#include "ui/widgets/label.h"
#include "ui/widgets/text-scale.h"
#include "ui/widgets/wrap-box.h"

#include "app/backend/diagnostic.h"
#include "app/lesson/deck.h"

#include <math.h>

#define WIDTH           352
#define PICTURE_WIDTH   300
#define TEXT_HEIGHT     40 /* of the text, at least, beside a question */
#define SCROLL_DELAY_MS 100
#define MAX_MISTAKES    3 /* the first ones cause the others */

struct _SeamLessonPane {
  AdwBin parent_instance;

  SeamLessonPlayer *player;
  SeamLessonQuestion *question; /* NULL: the step asks nothing */
  GtkLabel *title, *facts_line, *where, *advice;
  GtkBox *marks, *content;
  GtkBox *asked; /* the question while it waits for an answer: it does not scroll with the text */
  GtkScrolledWindow *scroll;
  GtkWidget *head, *counts; /* of marks */
  GtkButton *back, *next, *furthest, *commit, *look;
  gboolean low;    /* there is little room: counts of marks are in a tooltip */
  int shown;       /* step */
  gboolean to_end; /* it scrolls to the end of the text, not to its beginning */
  guint scroll_id;
};

G_DEFINE_FINAL_TYPE (SeamLessonPane, seam_lesson_pane, ADW_TYPE_BIN)

static GtkWidget *
add_label (SeamLessonPane *self, const char *text, const char *css_class)
{
  GtkWidget *label = seam_label_new (text, css_class, SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_focusable (label, FALSE);
  gtk_box_append (self->content, label);
  return label;
}

static void
add_markdown (SeamLessonPane *self, const SeamMarkdown *text)
{
  GtkWidget *view = seam_help_view_new ();

  seam_help_view_show (SEAM_HELP_VIEW (view), text, self->player->lesson->folder, NULL);
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
  const SeamLessonStep *step = self->player->step;

  return step != NULL ? seam_lesson_picture_new (step, self->player->facts, width) : NULL;
}

/* What would answer a later question is not drawn. */
static void
add_picture (SeamLessonPane *self, const SeamLessonStep *step)
{
  if (step->picture == NULL || self->player->cover != NULL)
    return;
  GtkWidget *view = seam_figure_view_new ();
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (view), build_picture_cb, self, NULL);
  seam_figure_view_set_minimum_width (SEAM_FIGURE_VIEW (view), PICTURE_WIDTH);
  /* A figure may need more than the pane has. */
  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), view);
  seam_gtk_scroll_across (GTK_SCROLLED_WINDOW (scroller), 0);
  gtk_box_append (self->content, scroller);
}

static GtkWidget *
add_list (SeamLessonPane *self)
{
  GtkWidget *list = seam_lesson_rows_new ();

  gtk_box_append (self->content, list);
  return list;
}

static void
add_row (GtkWidget *list, const char *mark, const char *name, const char *value, const char *more)
{
  g_autofree char *whole = g_strdup_printf ("%s: %s%s%s", name, value, more != NULL ? ", " : "",
                                            more != NULL ? more : "");
  GtkWidget *end = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL,
                                 seam_label_new (value, "heading numeric", 0),
                                 more != NULL ? seam_label_new (more, "dim-label", 0) : NULL, NULL);

  seam_lesson_row_new (list, mark != NULL ? gtk_label_new (mark) : NULL, name, NULL, end, whole);
}

static void
add_facts (SeamLessonPane *self, const SeamLessonStep *step)
{
  const SeamLessonFacts *facts = self->player->facts;

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
                  const SeamLessonAnswer *answer, double measured)
{
  const struct {
    const char *sign, *name;
    double value;
  } rows[] = {
    { "◇", "You", answer->value },
    { "△", "The model", answer->guess },
    { "●", seam_lesson_step_asks_for_model (question) ? "Modelled" : "Measured", measured },
  };
  GtkWidget *list = add_list (self);

  for (int i = 0; i < 3; i++) {
    g_autofree char *value = seam_lesson_step_name_answer (question, NULL, rows[i].value);
    g_autofree char *off = i < 2 ? seam_score_describe_ratio (rows[i].value, measured) : NULL;
    if (!isnan (rows[i].value))
      add_row (list, rows[i].sign, rows[i].name, value, off);
  }
}

/* "●○○ 1 of 3 points": in dots and in words, with the rule. */
static void
add_points (SeamLessonPane *self, const SeamLessonStep *question, const SeamLessonAnswer *answer,
            const SeamScore *score)
{
  g_autofree char *dots = seam_lesson_draw_points (score->points);
  g_autofree char *words =
      isnan (answer->value)
          ? g_strdup ("The answer was shown to you: no points.")
          : g_strdup_printf ("%s  %d of %d points", dots, score->points, SEAM_SCORE_MOST);

  add_label (self, words, "heading");
  if (question->ask == SEAM_ASK_NUMBER)
    add_label (self, SEAM_SCORE_RULE, "dim-label");
}

static GtkWidget *
add_button (SeamLessonPane *self, const char *label, const char *classes, const char *tooltip,
            const char *action)
{
  GtkWidget *button = seam_button_new (label, classes, tooltip, action);

  gtk_box_append (self->content, button);
  return button;
}

static void
add_recorded (SeamLessonPane *self)
{
  if (seam_lesson_player_has_recorded (self->player))
    g_signal_connect_swapped (
        add_button (self, "Use the recorded run", "flat",
                    "Go on with what was recorded before; nothing runs here", NULL),
        "clicked", G_CALLBACK (seam_lesson_player_use_recorded), self->player);
}

/* What the compiler said of the learner's code in the last run; a line leads to its place. */
static void
add_mistakes (SeamLessonPane *self)
{
  const char *said = seam_setup_get_mistake (self->player->model->setup);
  g_autoptr (GPtrArray) mistakes = said != NULL ? seam_diagnostics_parse (said) : NULL;

  if (mistakes == NULL || mistakes->len == 0
      || seam_lesson_player_get_sample (self->player) != NULL)
    return;
  add_label (self, "Your code does not compile", "heading error");
  for (guint i = 0; i < MIN (mistakes->len, MAX_MISTAKES); i++) {
    const SeamDiagnostic *mistake = mistakes->pdata[i];
    g_autofree char *line = g_strdup_printf ("Line %d", mistake->line);
    g_autofree char *action = g_strdup_printf ("win.source-line(%d)", mistake->line);
    add_label (self, mistake->text, "log");
    if (mistake->line > 0)
      gtk_widget_set_halign (
          add_button (self, line, "small-button", "Show this line on the tab Source", action),
          GTK_ALIGN_START);
  }
}

/* The ways to a result: a run on this computer, or, while the step needs one, the recorded run that
 * it names. */
static void
add_run (SeamLessonPane *self, gboolean needed)
{
  const char *classes = self->player->facts == NULL ? "suggested-action" : NULL;

  if (seam_lesson_player_is_measuring (self->player)) {
    add_label (self, "Measuring… Esc stops it.", "dim-label");
    return;
  }
  gboolean recorded =
      self->player->step->sample == NULL && seam_lesson_player_get_sample (self->player) != NULL;
  GtkWidget *run = add_button (self, "Run on this computer", classes, "Run the plans (Ctrl+R)",
                               recorded ? NULL : "win.run-when-ready");
  if (recorded)
    g_signal_connect_swapped (run, "clicked", G_CALLBACK (seam_lesson_player_run_own),
                              self->player);
  /* The sidebar takes the pane's place until it gives it back. */
  add_button (self, "Open the sidebar", "flat",
              "Pipeline, shape and options of the run; the lesson waits", "win.side::sidebar");
  if (needed)
    add_recorded (self);
  add_mistakes (self);
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
    if (answer->reply != NULL)
      add_sentence (self, answer->reply);
    add_label (self,
               seam_lesson_player_is_measuring (self->player)
                   ? "Committed. It is compared as soon as the run is there."
               : answer->points >= 0 ? "The run that it was compared with is not open any more."
                                     : "Committed, and kept. There is no run to compare it with.",
               "dim-label");
    if (question->sample == NULL)
      add_run (self, TRUE);
    return;
  }
  if (question->ask == SEAM_ASK_NUMBER)
    add_three_values (self, question, answer, score.measured);
  add_points (self, question, answer, &score);
  /* Options have their own. */
  if (score.reply != NULL && question->ask == SEAM_ASK_NUMBER)
    add_sentence (self, score.reply);
}

/* The entry, or what was answered. */
static void
add_answer (SeamLessonPane *self, const SeamLessonStep *question)
{
  const SeamLessonAnswer *answer = seam_lesson_player_get_answer (self->player);
  g_auto (SeamScore) score = { 0 };
  gboolean judged = answer != NULL && seam_lesson_player_get_score (self->player, &score);

  if (answer != NULL)
    add_label (self, isnan (answer->value) ? "The answer" : "Your committed prediction", "heading");
  self->question = SEAM_LESSON_QUESTION (
      seam_lesson_question_new (question, self->player->facts, answer, judged ? &score : NULL));
  gtk_box_append (answer != NULL ? self->content : self->asked, GTK_WIDGET (self->question));
}

static void
commit (SeamLessonPane *self)
{
  double value = seam_lesson_question_get_value (self->question);

  if (isnan (value))
    gtk_label_set_text (self->advice, seam_lesson_question_get_advice (self->question));
  else
    seam_lesson_player_commit (self->player, value,
                               seam_lesson_question_get_reason (self->question));
}

static void
show_me_cb (SeamLessonPane *self)
{
  seam_lesson_player_commit (self->player, NAN, -1);
}

static void
question_changed_cb (SeamLessonPane *self)
{
  double value = seam_lesson_question_get_value (self->question);

  seam_lesson_player_set_draft (self->player, seam_lesson_question_get_draft (self->question));
  gtk_widget_set_sensitive (GTK_WIDGET (self->commit), !isnan (value));
  gtk_label_set_text (self->advice, isnan (value) ? seam_lesson_question_get_advice (self->question)
                                                  : "A committed prediction cannot be changed.");
}

/* Of the step, or of the one that it compares. */
static void
add_question (SeamLessonPane *self, const SeamLessonStep *question)
{
  gboolean is_own = question == self->player->step;

  if (is_own)
    add_facts (self, question);
  /* An option that was chosen stays in sight beside the right one. */
  if (is_own
      || (question->ask != SEAM_ASK_NUMBER && seam_lesson_player_get_answer (self->player) != NULL))
    add_answer (self, question);
  if (!seam_lesson_player_is_asking (self->player)) {
    add_score (self, question);
    return;
  }
  g_signal_connect_swapped (self->question, "changed", G_CALLBACK (question_changed_cb), self);
  g_signal_connect_swapped (self->question, "commit", G_CALLBACK (commit), self);
  self->advice = seam_label_new (NULL, "dim-label", SEAM_LABEL_WRAPS);
  gtk_box_append (self->asked, GTK_WIDGET (self->advice));
  question_changed_cb (self);
}

static void
add_condition (GtkWidget *list, const SeamLessonCondition *condition)
{
  static const struct {
    const char *sign, *word, *css_class;
  } states[] = {
    [SEAM_CONDITION_HOLDS] = { "✓", "holds", "success" },
    [SEAM_CONDITION_FAILS] = { "✕", "does not hold", "error" },
    [SEAM_CONDITION_UNCLEAR] = { "?", "unclear", "warning" },
  };
  const char *found = condition->found != NULL ? condition->found : "Nothing was found";
  g_autofree char *plain = seam_lesson_get_plain (condition->reply);
  g_autofree char *spoken = g_strdup_printf ("%s, %s%s%s", found, states[condition->state].word,
                                             plain != NULL ? ". " : "", plain != NULL ? plain : "");

  seam_lesson_row_new (
      list, seam_label_new (states[condition->state].sign, states[condition->state].css_class, 0),
      found, NULL, NULL, spoken);
}

static void
add_check (SeamLessonPane *self, const SeamLessonStep *step)
{
  g_autoptr (GPtrArray) conditions = seam_lesson_player_check (self->player);
  const SeamLessonAnswer *kept = seam_lesson_answers_find (self->player->answers, step->id);
  const SeamLessonCondition *first = NULL;

  if (conditions == NULL && !seam_lesson_player_is_measuring (self->player)) {
    if (kept != NULL && kept->value == 1)
      add_label (self, "✓ Done: this check passed before.", "heading");
    if (kept != NULL && kept->reply != NULL)
      add_sentence (self, kept->reply);
    add_label (self,
               kept != NULL ? "The run that was checked is not open any more. Press Run, then this "
                              "step is checked again."
                            : "Nothing was run yet. Press Run, then this step is checked.",
               "dim-label");
  } else if (conditions != NULL) {
    GtkWidget *list = add_list (self);
    for (guint i = 0; i < conditions->len; i++)
      add_condition (list, conditions->pdata[i]);
    if (seam_lesson_check_judge (conditions, &first) == 1)
      add_label (self, "✓ Done: all conditions of this step hold.", "heading");
  }
  /* One after the other: what follows rests on what comes before. */
  if (first != NULL)
    add_sentence (self, first->reply);
  double longer_s = seam_lesson_player_get_longer_s (self->player);
  g_autofree char *longer = g_strdup_printf ("Measure longer, about %.0f s", longer_s);
  if (longer_s > 0)
    g_signal_connect_swapped (add_button (self, longer, "suggested-action",
                                          "Runs the plans again, with more samples", NULL),
                              "clicked", G_CALLBACK (seam_lesson_player_measure_longer),
                              self->player);
  add_run (self, conditions == NULL || first != NULL);
}

static void
clear_content (SeamLessonPane *self)
{
  self->question = NULL;
  self->advice = NULL;
  seam_widget_clear (self->content, G_CALLBACK (gtk_box_remove));
  seam_widget_clear (self->asked, G_CALLBACK (gtk_box_remove));
}

static void
update_room (SeamLessonPane *self)
{
  const SeamLessonStep *step = self->player->step;

  gtk_widget_set_visible (self->counts, !self->low);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->where),
                               self->low ? gtk_widget_get_tooltip_text (self->counts) : NULL);
  /* What is wrong with a number cannot be guessed. */
  if (self->advice != NULL && step != NULL)
    gtk_widget_set_visible (GTK_WIDGET (self->advice), !self->low || step->ask == SEAM_ASK_NUMBER);
}

static void
update_head (SeamLessonPane *self, const SeamLesson *lesson)
{
  const SeamLessonAnswers *answers = self->player->answers;
  const SeamLessonStep *step = self->player->step;
  g_autofree char *line = g_strdup_printf (
      "%s%sabout %d minute%s", lesson->topic != NULL ? lesson->topic : "",
      lesson->topic != NULL ? " · " : "", lesson->minutes, lesson->minutes == 1 ? "" : "s");
  g_autofree char *where =
      g_strdup_printf ("Step %d of %u · %s", answers->step + 1, lesson->steps->len,
                       seam_choice_get_title (seam_step_kinds, step->kind));

  gtk_label_set_text (self->title, lesson->title);
  gtk_label_set_text (self->facts_line, line);
  gtk_label_set_text (self->where, where);
  seam_widget_clear (self->marks, G_CALLBACK (gtk_box_remove));
  self->counts = seam_lesson_counts_new (lesson, answers);
  gtk_box_append (self->marks, seam_lesson_marks_new (self->player));
  gtk_box_append (self->marks, self->counts);
  update_room (self);
}

/* "step 5" */
static char *
name_furthest (SeamLessonPane *self)
{
  int furthest = self->player->answers->furthest;

  return furthest < (int)self->player->lesson->steps->len
             ? g_strdup_printf ("step %d", furthest + 1)
             : g_strdup ("the last page");
}

static void
update_foot (SeamLessonPane *self, const SeamLesson *lesson)
{
  const SeamLessonAnswers *answers = self->player->answers;
  gboolean last = answers->step == (int)lesson->steps->len - 1;
  gboolean asking = seam_lesson_player_is_asking (self->player);
  g_autofree char *action = g_strdup_printf ("win.lesson-go(%d)", answers->furthest);
  g_autofree char *furthest = name_furthest (self);
  g_autofree char *way = g_strconcat ("To ", furthest, NULL);

  gtk_widget_set_sensitive (GTK_WIDGET (self->back), answers->step > 0);
  gtk_button_set_label (self->next, last ? "Finish" : "Next");
  gtk_widget_set_sensitive (GTK_WIDGET (self->next), !asking);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->next), asking ? "Commit your prediction first"
                                                        : last ? "To the last page (Alt+Right)"
                                                               : "Next step (Alt+Right)");
  gtk_widget_set_visible (GTK_WIDGET (self->furthest), answers->furthest > answers->step + 1);
  gtk_button_set_label (self->furthest, way);
  seam_widget_set_action (self->furthest, action);
  gtk_widget_set_visible (GTK_WIDGET (self->commit), asking);
  gtk_widget_set_visible (GTK_WIDGET (self->look), asking);
  /* One suggested button at a time. */
  const SeamLessonStep *step = self->player->step;
  gboolean runs =
      (step->kind == SEAM_STEP_TRY || step->kind == SEAM_STEP_PROVE) && self->player->facts == NULL;
  seam_css_class_set (self->next, "suggested-action", !asking && !runs);
}

/* The line over the page names the run. */
static void
add_way_back (SeamLessonPane *self, const SeamLessonStep *step)
{
  const SeamLessonAnswers *answers = self->player->answers;
  g_autofree char *from = name_furthest (self);
  const SeamLessonAnswer *own = seam_lesson_answers_find (answers, step->id);
  gboolean has_run =
      own != NULL
      && (own->run == 0 || seam_history_list_find (self->player->model->history, own->run) != NULL);
  g_autofree char *words =
      g_strdup_printf ("You came back from %s.%s%s%s", from, own != NULL ? " Your " : "",
                       own != NULL && has_run ? "run, your " : "",
                       own != NULL ? "answer and what was said about it are kept." : "");

  if (answers->step < answers->furthest)
    add_label (self, words, "lesson-note");
}

static void
update (SeamLessonPane *self)
{
  const SeamLesson *lesson = self->player->lesson;
  const SeamLessonStep *step = self->player->step;
  const SeamLessonFacts *facts = self->player->facts;

  clear_content (self);
  if (step == NULL)
    return;
  /* Before it is filled: what a hidden box gets does not make GTK measure the box again. */
  gtk_widget_set_visible (GTK_WIDGET (self->asked), seam_lesson_player_is_asking (self->player));
  add_way_back (self, step);
  g_autofree char *title = seam_formula_fill (step->title, facts);
  add_label (self, title, "title-4");
  if (self->player->problem != NULL)
    add_label (self, self->player->problem, "error");
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (step, facts);
  add_markdown (self, body);
  if (step->kind == SEAM_STEP_PREDICT || step->kind == SEAM_STEP_COMPARE)
    add_question (self, seam_lesson_player_get_question (self->player));
  else if (step->kind == SEAM_STEP_TRY)
    add_run (self, TRUE);
  else if (step->kind == SEAM_STEP_PROVE)
    add_check (self, step);
  if (step->sample != NULL)
    add_recorded (self);
  if (step->why != NULL) {
    g_autofree char *why = seam_formula_fill (step->why, facts);
    add_sentence (self, why);
  }
  add_picture (self, step);
  update_head (self, lesson);
  update_foot (self, lesson);
}

static gboolean
has_focus (SeamLessonPane *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  return focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self));
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

/* The new contents have their height only after layout. With little room the text begins at the
 * step, below the lesson's own title. */
static gboolean
scroll_cb (gpointer data)
{
  SeamLessonPane *self = data;
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (self->scroll);

  self->scroll_id = 0;
  gtk_adjustment_set_value (down, self->to_end ? gtk_adjustment_get_upper (down)
                                  : self->low  ? gtk_widget_get_height (self->head)
                                               : 0);
  return G_SOURCE_REMOVE;
}

static void
scroll (SeamLessonPane *self, gboolean to_end)
{
  self->to_end = to_end;
  g_clear_handle_id (&self->scroll_id, g_source_remove);
  self->scroll_id = g_timeout_add (SCROLL_DELAY_MS, scroll_cb, self);
}

static void
step_changed_cb (SeamLessonPane *self)
{
  const SeamLessonStep *step = self->player->step;
  const SeamLessonAnswers *answers = self->player->answers;
  int index = answers != NULL ? answers->step : -1;
  gboolean had_focus = has_focus (self);

  update (self);
  if (step == NULL) {
    /* On the last page, or without a lesson. */
    self->shown = index;
    return;
  }
  if (index == self->shown) {
    /* The score stands below the question. */
    if (step->kind == SEAM_STEP_PREDICT && !seam_lesson_player_is_asking (self->player))
      scroll (self, TRUE);
    if (had_focus)
      move_focus (self);
    return;
  }
  self->shown = index;
  scroll (self, FALSE);
  if (step->page != NULL)
    gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", step->page);
  move_focus (self);
}

/* From the figure: a diamond that was dragged, a seam that was picked. */
static void
draft_changed_cb (SeamLessonPane *self)
{
  double draft = self->player->draft;

  if (self->question == NULL || isnan (draft) || !seam_lesson_player_is_asking (self->player))
    return;
  double entered = seam_lesson_question_get_value (self->question);
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
seam_lesson_pane_class_init (SeamLessonPaneClass *klass)
{
  SEAM_OWNS (klass, SeamLessonPane, g_source_remove, scroll_id);
  SEAM_OWNS (klass, SeamLessonPane, g_object_unref, player);
}

static GtkWidget *
make_head (void)
{
  GtkWidget *leave =
      seam_button_new ("go-previous-symbolic", "flat", "Back to the lessons; your progress is kept",
                       "win.lesson-leave");
  GtkWidget *present =
      seam_button_new ("Present", "flat", "Present the lesson (F11)", "win.present");
  g_autoptr (GMenu) menu = g_menu_new ();
  GtkWidget *more = g_object_new (GTK_TYPE_MENU_BUTTON, "icon-name", "view-more-symbolic",
                                  "tooltip-text", "Menu of the lesson", "menu-model", menu, NULL);

  g_menu_append (menu, "Hand in your _answers…", "win.submit");
  g_menu_append (menu, "_Take again", "win.lesson-again");
  g_menu_append (menu, "_Leave the lesson", "win.lesson-leave");
  gtk_widget_add_css_class (more, "flat");
  seam_widget_set_name (leave, "Lessons");
  gtk_widget_set_hexpand (present, TRUE);
  gtk_widget_set_halign (present, GTK_ALIGN_END);
  return seam_box_new (GTK_ORIENTATION_HORIZONTAL, 6, NULL, leave, present, more, NULL);
}

/* The buttons that are always in sight, in as many lines as they need. */
static GtkWidget *
make_foot (SeamLessonPane *self)
{
  GtkWidget *foot = g_object_new (SEAM_TYPE_WRAP_BOX, NULL);

  self->back = seam_button_new ("Back", NULL, "Step before (Alt+Left)", "win.lesson-step(-1)");
  self->next = seam_button_new ("Next", NULL, NULL, "win.lesson-step(1)");
  self->commit = seam_button_new ("Commit prediction", "suggested-action", NULL, NULL);
  self->look =
      seam_button_new ("I have no idea, show me", "flat", "Opens everything, for 0 points", NULL);
  self->furthest = seam_button_new ("", "flat", "Where you were", NULL);
  gtk_widget_set_hexpand (GTK_WIDGET (self->furthest), TRUE);
  gtk_widget_set_halign (GTK_WIDGET (self->furthest), GTK_ALIGN_END);
  g_signal_connect_swapped (self->commit, "clicked", G_CALLBACK (commit), self);
  g_signal_connect_swapped (self->look, "clicked", G_CALLBACK (show_me_cb), self);
  /* Back and Next stay where they are: a second click on Next gives up no question. */
  GtkWidget *ways =
      seam_box_new (GTK_ORIENTATION_HORIZONTAL, 6, NULL, self->back, self->next, NULL);
  gpointer const children[] = { self->commit, self->look, ways, self->furthest };
  for (gsize i = 0; i < G_N_ELEMENTS (children); i++)
    gtk_widget_set_parent (children[i], foot);
  gtk_widget_add_css_class (foot, "lesson-foot");
  return foot;
}

void
seam_lesson_pane_set_room (SeamLessonPane *self, gboolean wide, gboolean low)
{
  adw_clamp_set_maximum_size (ADW_CLAMP (adw_bin_get_child (ADW_BIN (self))),
                              wide ? (int)(2 * WIDTH * seam_text_scale_get ()) : WIDTH);
  if (low == self->low || self->counts == NULL)
    return;
  self->low = low;
  update_room (self);
  scroll (self, FALSE);
}

static void
seam_lesson_pane_init (SeamLessonPane *self)
{
  self->shown = -1;
  self->title = seam_label_new (NULL, "title-2", SEAM_LABEL_WRAPS);
  self->facts_line = seam_label_new (NULL, "dim-label", SEAM_LABEL_WRAPS);
  self->where = seam_label_new (NULL, "dim-label", SEAM_LABEL_WRAPS);
  self->marks = seam_box_new (GTK_ORIENTATION_VERTICAL, 2, NULL, NULL);
  self->content = seam_box_new (GTK_ORIENTATION_VERTICAL, 10, "lesson-content", NULL);
  self->asked = seam_box_new (GTK_ORIENTATION_VERTICAL, 6, "lesson-asked", NULL);
  /* The head scrolls with the text: a low window has no room for both. */
  self->head = seam_box_new (GTK_ORIENTATION_VERTICAL, 4, "lesson-head", make_head (), self->title,
                             self->facts_line, self->where, self->marks, NULL);
  self->scroll = seam_scrolled_new (
      seam_box_new (GTK_ORIENTATION_VERTICAL, 0, NULL, self->head, self->content, NULL));
  gtk_scrolled_window_set_min_content_height (self->scroll, TEXT_HEIGHT);
  /* Both scroll together only where the window is lower than the question. */
  GtkWidget *both = seam_scrolled_new (
      seam_box_new (GTK_ORIENTATION_VERTICAL, 0, NULL, self->scroll, self->asked, NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self), "seam-sidebar");
  /* As wide as its texts need at most, whatever is the longest paragraph. */
  GtkWidget *clamp = g_object_new (
      ADW_TYPE_CLAMP, "maximum-size", WIDTH, "tightening-threshold", WIDTH, "hexpand", FALSE,
      "width-request", WIDTH, "child",
      seam_box_new (GTK_ORIENTATION_VERTICAL, 0, NULL, both, make_foot (self), NULL), NULL);
  adw_bin_set_child (ADW_BIN (self), clamp);
}
