/* SPDX-License-Identifier: MIT
 *
 * Shows a result's summary. All words come from app/report, all drawing from app/figure.
 */
#include "ui/timing/result-card.h"

#include "ui/help/definition.h"
#include "ui/widgets/compared-choice.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/template.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/explain/pieces.h"
#include "app/figure/bars.h"
#include "app/report/summary.h"

#include <string.h>

#define BARS_MIN_WIDTH 420

struct _SeamResultCard {
  AdwBin parent_instance;

  SeamResult *result;
  int n_plans;  /* number of shown plans of the result */
  int compared; /* index of the shown plan beside the first; -1: there is only one */
  gboolean narrow;

  GtkWidget *card;
  GtkLabel *headline, *ratio, *detail, *interval;
  GtkWidget *facts[3];
  GtkLabel *captions[3], *values[3];
  GtkWidget *buttons;
  SeamComparedChoice *choice;
  GtkWidget *details, *stale_box;
  GtkLabel *stale;
  GtkWidget *throttle_line;
  GtkLabel *throttle;
  SeamFigureView *bars;
  GtkLabel *note;
};

G_DEFINE_FINAL_TYPE (SeamResultCard, seam_result_card, ADW_TYPE_BIN)

enum { SIGNAL_KERNEL_SELECTED, N_SIGNALS };
static guint signals[N_SIGNALS];

G_STATIC_ASSERT (SEAM_SUMMARY_MAX_PLANS == SEAM_MAX_CHOSEN_PLANS);

GtkWidget *
seam_fact_new (GtkLabel **caption, GtkLabel **value)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  *caption = seam_label_new (NULL, "dim-label note", 0);
  *value = seam_label_new (NULL, "fact-value", 0);
  gtk_widget_add_css_class (box, "fact");
  gtk_widget_set_valign (box, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (*caption));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (*value));
  return box;
}

/* Bars. */

static SeamFigure *
build_bars_cb (double width, double height, gpointer data)
{
  SeamResultCard *self = data;
  static const int plans[SEAM_MAX_CHOSEN_PLANS] = { 0, 1, 2 };
  SeamBarsOptions options = { .width = width, .compact = self->narrow };

  if (self->result == NULL)
    return NULL;
  return seam_bars_figure_new (self->result, plans, self->n_plans, &options);
}

/* "First guess 0.78 ms, 8 % low. From your run of 08:13: 0.846 ms." */
static char *
describe_guess (const SeamPlanResult *plan, char letter)
{
  SeamUnit unit = seam_unit_for_time (plan->median_ns);
  g_autofree char *score = seam_bars_score_guess (plan, unit);
  g_autofree char *when = seam_text_when (plan->recalled_at);
  g_autofree char *recalled = seam_text_time (plan->recalled_ns);

  return plan->recalled_ns > 0 ? g_strdup_printf ("%c, first %s (%s). From your run of %s: %s.",
                                                  letter, score, unit.name, when, recalled)
                               : g_strdup_printf ("%c, first %s (%s), made before any run.", letter,
                                                  score, unit.name);
}

/* "B, not traced: 0.096 ms, 11.4 % of the elapsed time. The clock, 0.094. …" */
static char *
describe_rest (const SeamResult *result, int plan, char letter)
{
  SeamPieces pieces;

  seam_pieces_init (&pieces, result, plan);
  g_autofree char *time = seam_text_time (pieces.rest_ns);
  g_autofree char *share = seam_text_percent (pieces.share);
  g_autofree char *why =
      seam_pieces_explain (&pieces, seam_unit_for_time (result->plans[plan].median_ns));
  why[0] = g_ascii_toupper (why[0]);
  return g_strdup_printf ("%c, %s: %s, %s %% of the elapsed time. %s", letter,
                          seam_pieces_get_name (&pieces), time, share, why);
}

/* "groupnorm apply: 0.566 ms, conv_bias + bias, generated" */
static char *
describe_kernel_cb (const SeamHit *hit, gpointer data)
{
  SeamResultCard *self = data;

  if (self->result == NULL || hit->plan < 0 || hit->plan >= self->result->n_plans)
    return NULL;
  const SeamPlanResult *plan = &self->result->plans[hit->plan];
  char letter = seam_plan_get_letter (hit->plan);
  if (hit->kind == SEAM_HIT_SAMPLE)
    return describe_guess (plan, letter);
  if (hit->index == plan->n_kernels)
    return describe_rest (self->result, hit->plan, letter);
  if (hit->index < 0 || hit->index > plan->n_kernels)
    return NULL;
  const SeamKernel *kernel = &plan->kernels[hit->index];
  g_autofree char *time = seam_text_time (kernel->median_ns);
  if (hit->kind == SEAM_HIT_GAP)
    return g_strdup_printf ("Gap after %s of plan %c: no kernel runs here.", kernel->short_name,
                            letter);
  if (hit->kind != SEAM_HIT_KERNEL)
    return NULL;
  g_autofree char *share = seam_text_percent (kernel->median_ns / plan->median_ns);
  return g_strdup_printf ("%c, %s: %s, %s %% of the elapsed time. %s", letter, kernel->short_name,
                          time, share,
                          kernel->implementation != NULL ? kernel->implementation : "");
}

static void
bar_activated_cb (SeamFigureView *view, const SeamHit *hit, SeamResultCard *self)
{
  if (hit->kind == SEAM_HIT_KERNEL) {
    seam_result_card_select (self, hit->plan, hit->index);
    g_signal_emit (self, signals[SIGNAL_KERNEL_SELECTED], 0, hit->plan, hit->index);
  }
}

/* Texts. */

/* One line that may end in an ellipsis; its tooltip is the whole text. */
static void
set_line (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
  gtk_widget_set_visible (GTK_WIDGET (label), text[0] != '\0');
}

static void
update_headline (SeamResultCard *self, const SeamSummary *summary)
{
  g_autofree char *compared = g_strjoin (" · ", summary->compared, summary->others, NULL);

  gtk_label_set_text (self->headline, summary->headline);
  seam_css_class_set (self->headline, "error", summary->tone == SEAM_TONE_BAD);
  set_line (self->detail, compared);
  set_line (self->interval, summary->detail);
  if (summary->medians != NULL) {
    g_autofree char *words = g_strconcat (summary->detail, "\n" SEAM_VERDICT_LEVEL, NULL);

    gtk_widget_set_tooltip_text (GTK_WIDGET (self->interval), words);
  }
  gtk_widget_set_visible (GTK_WIDGET (self->ratio), summary->struck != NULL);
  if (summary->struck != NULL) {
    g_autofree char *markup = g_markup_printf_escaped ("<s>%s</s>", summary->struck);

    gtk_label_set_markup (self->ratio, markup);
  }
}

static void
update_fact (SeamResultCard *self, int i, const SeamSummaryFact *fact)
{
  const char *caption = self->narrow ? fact->short_caption : fact->caption;
  const char *value = self->narrow ? fact->short_value : fact->value;

  gtk_widget_set_visible (self->facts[i], value != NULL);
  gtk_label_set_text (self->captions[i], caption != NULL ? caption : "");
  gtk_label_set_text (self->values[i], value != NULL ? value : "");
  gtk_widget_set_tooltip_text (self->facts[i], fact->words);
  seam_css_class_set (self->values[i], "success", fact->tone == SEAM_TONE_GOOD);
  seam_css_class_set (self->values[i], "warning", fact->tone == SEAM_TONE_WARNING);
  seam_css_class_set (self->values[i], "error", fact->tone == SEAM_TONE_BAD);
}

/* Narrow, the second sentence goes to the tooltip. */
static void
update_throttle (SeamResultCard *self, const SeamSummary *summary)
{
  gtk_widget_set_visible (self->throttle_line, summary->throttle != NULL);
  if (summary->throttle == NULL)
    return;
  gboolean is_short = self->narrow || summary->load == NULL;
  g_autofree char *whole = g_strjoin (". ", summary->throttle, summary->load, NULL);
  g_autofree char *markup = g_markup_printf_escaped (
      "<b>%s</b>%s%s", summary->throttle, is_short ? "" : "  ", is_short ? "" : summary->load);
  gtk_label_set_markup (self->throttle, markup);
  gtk_widget_set_tooltip_text (self->throttle_line, self->narrow ? summary->load : NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->throttle_line),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, whole, -1);
}

static void
update (SeamResultCard *self)
{
  static const SeamSummaryFact none;
  SeamSummarySides sides = {
    .result = self->result, .in_window = TRUE, .n_plans = self->n_plans, .compared = self->compared
  };
  g_autoptr (SeamSummary) summary = NULL;
  g_autofree char *notes = NULL, *note = NULL, *shown = NULL;

  if (self->result == NULL)
    return;
  for (int i = 0; i < self->n_plans; i++) {
    sides.plans[i] = i;
    sides.letters[i] = seam_plan_get_letter (i);
  }
  summary = seam_summary_new (&sides);
  update_headline (self, summary);
  update_throttle (self, summary);
  for (int i = 0; i < SEAM_SUMMARY_MAX_FACTS; i++)
    update_fact (self, i, i < summary->n_facts ? &summary->facts[i] : &none);
  notes = seam_summary_format_notes (&sides);
  /* Narrow, only what limits the result has a place; the bars say the times. */
  note = self->narrow ? g_strdup (notes)
                      : g_strjoin (" ", summary->times, *notes != '\0' ? notes : NULL, NULL);
  shown = seam_text_show (note);
  gtk_widget_set_visible (GTK_WIDGET (self->note), *shown != '\0');
  gtk_label_set_text (self->note, shown);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->note), shown);
  seam_figure_view_invalidate (self->bars);
}

void
seam_result_card_set_result (SeamResultCard *self, SeamResult *result, int n_shown, int compared)
{
  if (result == self->result && compared == self->compared)
    return;
  self->compared = compared;
  if (result == self->result) {
    update (self);
    return;
  }
  g_clear_pointer (&self->result, seam_result_unref);
  self->result = result != NULL ? seam_result_ref (result) : NULL;
  self->n_plans = n_shown;
  seam_figure_view_set_selected (self->bars, NULL);
  update (self);
}

void
seam_result_card_set_model (SeamResultCard *self, SeamModel *model)
{
  seam_compared_choice_set_model (self->choice, model);
}

void
seam_result_card_set_stale (SeamResultCard *self, const char *reason)
{
  /* It replaces the details, so that nothing moves. */
  gtk_widget_set_visible (self->stale_box, reason != NULL);
  gtk_widget_set_visible (self->details, reason == NULL);
  gtk_label_set_text (self->stale, reason != NULL ? reason : "");
  seam_css_class_set (self->card, "stale", reason != NULL);
}

void
seam_result_card_set_narrow (SeamResultCard *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  update (self);
}

void
seam_result_card_select (SeamResultCard *self, int plan, int kernel)
{
  SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = plan, .index = kernel };

  seam_figure_view_set_selected (self->bars, plan >= 0 && kernel >= 0 ? &hit : NULL);
}

void
seam_result_card_set_beside (SeamResultCard *self, int plan, int kernel)
{
  SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = plan, .index = kernel };

  seam_figure_view_set_beside (self->bars, plan >= 0 ? &hit : NULL);
}

static void
seam_result_card_class_init (SeamResultCardClass *klass)
{
  SEAM_OWNS (klass, SeamResultCard, seam_result_unref, result);
  signals[SIGNAL_KERNEL_SELECTED] =
      g_signal_new ("kernel-selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  SEAM_TEMPLATE (klass, SeamResultCard, "result-card.ui", card, headline, ratio, detail, interval,
                 buttons, choice, stale_box, details, stale, throttle_line, throttle, bars, note);
}

static void
seam_result_card_init (SeamResultCard *self)
{
  static const char *const terms[] = { "tolerance", "modelled", "floor" };

  gtk_widget_init_template (GTK_WIDGET (self));
  for (int i = 0; i < 3; i++) {
    self->facts[i] = seam_fact_new (&self->captions[i], &self->values[i]);
    seam_definition_add (GTK_WIDGET (self->captions[i]), terms[i]);
    gtk_widget_insert_before (self->facts[i], gtk_widget_get_parent (self->buttons), self->buttons);
  }
  seam_definition_add (GTK_WIDGET (self->interval), "interval");
  seam_figure_view_set_builder (self->bars, build_bars_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->bars, BARS_MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->bars, SEAM_HIT_KERNEL);
  seam_figure_view_set_tooltip_func (self->bars, describe_kernel_cb, self);
  g_signal_connect (self->bars, "hit-activated", G_CALLBACK (bar_activated_cb), self);
}
