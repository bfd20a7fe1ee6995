/* SPDX-License-Identifier: MIT */
#include "ui/lesson/prediction-card.h"

#include "ui/class/class.h"
#include "ui/state/watch.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"

#include "app/figure/prediction-figure.h"

#include <math.h>

#define MIN_WIDTH 420

struct _SeamPredictionCard {
  AdwBin parent_instance;

  SeamLessonPlayer *player;
  GtkLabel *title, *words;
  SeamFigureView *view;
};

G_DEFINE_FINAL_TYPE (SeamPredictionCard, seam_prediction_card, ADW_TYPE_BIN)

/* The plan whose time the question asks for; -1: it asks for something else, or nothing is
 * known. */
static int
find_plan (SeamPredictionCard *self)
{
  const SeamLessonStep *question = seam_lesson_player_get_question (self->player);
  const SeamLessonStep *step = self->player->step;
  const SeamLessonFacts *facts = self->player->facts;
  int plan = question != NULL ? seam_lesson_step_get_asked_plan (question) : -1;

  /* A question of a later step may have other plans. */
  if (plan < 1 || facts == NULL || facts->result == NULL || plan >= facts->n_plans
      || question->plans == NULL || step->plans == NULL
      || !g_strv_equal ((const char *const *)question->plans, (const char *const *)step->plans)
      || facts->places[0] < 0 || facts->places[plan] < 0)
    return -1;
  return plan;
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamPredictionCard *self = data;
  const SeamLessonStep *question = seam_lesson_player_get_question (self->player);
  const SeamLessonFacts *facts = self->player->facts;
  const SeamLessonAnswer *answer = seam_lesson_player_get_answer (self->player);
  int plan = find_plan (self);
  g_auto (SeamScore) score = { 0 };
  g_autofree char *yours_words = NULL, *guess_words = NULL;

  if (plan < 0)
    return NULL;
  if (answer != NULL && seam_lesson_player_get_score (self->player, &score)) {
    if (!isnan (answer->value))
      yours_words = seam_score_describe_ratio (answer->value, score.measured);
    if (!isnan (answer->guess))
      guess_words = seam_score_describe_ratio (answer->guess, score.measured);
  }
  return seam_prediction_figure_new (&(SeamPredictionOptions){
      .width = width,
      .result = facts->result,
      .a = facts->places[0],
      .b = facts->places[plan],
      .covered = answer == NULL,
      .yours_ns = answer != NULL ? answer->value : self->player->draft,
      .looked = answer != NULL && isnan (answer->value),
      .guess_ns = answer != NULL ? answer->guess : NAN,
      .guess_low_ns = answer != NULL ? answer->guess_low : NAN,
      .guess_high_ns = answer != NULL ? answer->guess_high : NAN,
      .range_ns = question->high,
      .bands = seam_score_bands,
      .n_bands = SEAM_SCORE_MOST,
      .yours_words = yours_words,
      .guess_words = guess_words,
  });
}

static void
update (SeamPredictionCard *self)
{
  gboolean covered = seam_lesson_player_get_answer (self->player) == NULL;
  gboolean shown = seam_lesson_player_get_question (self->player) != NULL && find_plan (self) >= 0;

  gtk_widget_set_visible (GTK_WIDGET (self), shown);
  g_autofree char *hidden = g_strdup_printf (
      "Hidden here: the verdict, plan %c’s time and kernels, and the model’s guess. Plan A is "
      "shown. " SEAM_SCORE_RULE ".",
      'A' + MAX (find_plan (self), 1));
  gtk_label_set_text (self->title, covered ? SEAM_COVERED_TITLE : "Predicted and measured");
  gtk_label_set_text (self->words, covered ? hidden : SEAM_SCORE_RULE ".");
  seam_figure_view_invalidate (self->view);
}

/* From its begin on. */
static void
drag_cb (GtkGestureDrag *gesture, double x, double y, SeamPredictionCard *self)
{
  SeamFigure *figure = seam_figure_view_get_figure (self->view);
  double scale = figure != NULL && figure->width > 0
                     ? gtk_widget_get_width (GTK_WIDGET (self->view)) / figure->width
                     : 1;

  if (figure == NULL || !seam_lesson_player_is_asking (self->player)
      || !gtk_gesture_get_bounding_box_center (GTK_GESTURE (gesture), &x, &y))
    return;
  double time = seam_prediction_figure_get_time (figure, x / scale);
  if (time > 0)
    seam_lesson_player_set_draft (self->player, time);
}

void
seam_prediction_card_set_player (SeamPredictionCard *self, SeamLessonPlayer *player)
{
  g_return_if_fail (self->player == NULL);
  self->player = g_object_ref (player);
  seam_watch (self, G_CALLBACK (update), player, "step answer draft", NULL);
  update (self);
}

static void
seam_prediction_card_class_init (SeamPredictionCardClass *klass)
{
  SEAM_OWNS (klass, SeamPredictionCard, g_object_unref, player);
}

static void
seam_prediction_card_init (SeamPredictionCard *self)
{
  GtkGesture *drag = gtk_gesture_drag_new ();

  self->title = seam_label_new (NULL, "title-3", SEAM_LABEL_WRAPS);
  self->words = seam_label_new (NULL, "dim-label", SEAM_LABEL_WRAPS);
  self->view = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  seam_figure_view_set_minimum_width (self->view, MIN_WIDTH);
  seam_figure_view_set_builder (self->view, build_cb, self, NULL);
  g_signal_connect (drag, "drag-begin", G_CALLBACK (drag_cb), self);
  g_signal_connect (drag, "drag-update", G_CALLBACK (drag_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->view), GTK_EVENT_CONTROLLER (drag));
  adw_bin_set_child (ADW_BIN (self),
                     seam_box_new (GTK_ORIENTATION_VERTICAL, 6, "card prediction-card", self->title,
                                   self->words, self->view, NULL));
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
