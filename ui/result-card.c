/* SPDX-License-Identifier: MIT
 *
 * Turns a result and its verdict into the card's texts. All judging is app/compare's; all drawing
 * is app/figure's.
 */
#include "ui/result-card.h"

#include "ui/compared-choice.h"
#include "ui/figure-view.h"
#include "ui/plan-menu.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/compare/rails.h"
#include "app/figure/bars.h"

#include <math.h>
#include <string.h>

#define BARS_MIN_WIDTH 420

struct _SeamResultCard {
  AdwBin parent_instance;

  SeamResult *result;
  char letters[SEAM_MODEL_MAX_PLANS + 1];
  int n_plans;  /* of the result that are looked at */
  int compared; /* of those, the one that stands beside the first; -1: there is one */
  gboolean narrow;

  GtkWidget *card;
  GtkLabel *headline, *ratio, *detail, *interval;
  GtkWidget *facts[3];
  GtkLabel *captions[3], *values[3];
  GtkWidget *buttons;
  SeamComparedChoice *choice;
  GtkWidget *details, *stale_box;
  GtkLabel *stale;
  SeamFigureView *bars;
  GtkLabel *note;
};

G_DEFINE_FINAL_TYPE (SeamResultCard, seam_result_card, ADW_TYPE_BIN)

enum { SIGNAL_KERNEL_SELECTED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
set_class (gpointer widget, const char *css_class, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}

GtkWidget *
seam_fact_new (GtkLabel **caption, GtkLabel **value)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  *caption = GTK_LABEL (gtk_label_new (NULL));
  *value = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_xalign (*caption, 0);
  gtk_label_set_xalign (*value, 0);
  /* Facts give way in a narrow window: nothing here may widen it. */
  gtk_label_set_ellipsize (*caption, PANGO_ELLIPSIZE_END);
  gtk_label_set_ellipsize (*value, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (GTK_WIDGET (*caption), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (*caption), "note");
  gtk_widget_add_css_class (GTK_WIDGET (*value), "fact-value");
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
  static const int plans[SEAM_MODEL_MAX_PLANS] = { 0, 1, 2 };
  SeamBarsOptions options = { .width = width, .compact = self->narrow };

  if (self->result == NULL)
    return NULL;
  return seam_bars_figure_new (self->result, plans, self->n_plans, &options);
}

/* "groupnorm apply: 0.566 ms, conv_bias + bias, generated" */
static char *
describe_kernel_cb (const SeamHit *hit, gpointer data)
{
  SeamResultCard *self = data;

  if (self->result == NULL || hit->plan < 0 || hit->plan >= self->result->n_plans)
    return NULL;
  const SeamPlanResult *plan = &self->result->plans[hit->plan];
  if (hit->index < 0 || hit->index >= plan->n_kernels)
    return NULL;
  const SeamKernel *kernel = &plan->kernels[hit->index];
  g_autofree char *time = seam_text_time (kernel->median_ns);
  if (hit->kind == SEAM_HIT_GAP)
    return g_strdup_printf ("Gap after %s of plan %c: no kernel runs here.", kernel->short_name,
                            self->letters[hit->plan]);
  if (hit->kind != SEAM_HIT_KERNEL)
    return NULL;
  g_autofree char *share = seam_text_percent (kernel->median_ns / plan->kernels_sum_median_ns);
  return g_strdup_printf ("%c, %s: %s, %s %% of its plan's kernels. %s", self->letters[hit->plan],
                          kernel->short_name, time, share,
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

static char
get_letter (const SeamResultCard *self)
{
  return self->compared > 0 ? self->letters[self->compared] : self->letters[0];
}

static char *
format_difference_caption (const SeamResultCard *self)
{
  int reference = self->result->reference;

  if (reference < 0)
    return g_strdup_printf ("max |%c−FP64|", get_letter (self));
  /* A run from a session may be compared with a plan that is not looked at. */
  return reference == 0 || reference == self->compared
             ? g_strdup_printf ("max |A−%c|", get_letter (self))
             : g_strdup_printf ("max |%c−reference|", get_letter (self));
}

/* Of the plan beside A, or of A where that is the one that was compared. */
static const SeamDifference *
get_difference (const SeamResultCard *self)
{
  const SeamPlanResult *plans = self->result->plans;

  return self->compared > 0 && plans[self->compared].difference != NULL
             ? plans[self->compared].difference
             : plans[0].difference;
}

static void
set_fact (SeamResultCard *self, int i, const char *caption, const char *value,
          const char *css_class)
{
  gtk_widget_set_visible (self->facts[i], caption != NULL);
  gtk_label_set_text (self->captions[i], caption != NULL ? caption : "");
  gtk_label_set_text (self->values[i], value != NULL ? value : "");
  set_class (self->values[i], "success", g_strcmp0 (css_class, "success") == 0);
  set_class (self->values[i], "error", g_strcmp0 (css_class, "error") == 0);
}

static void
update_agreement (SeamResultCard *self)
{
  const SeamResult *result = self->result;
  const SeamDifference *difference = get_difference (self);

  if (difference == NULL) {
    set_fact (self, 0, result->n_plans > 1 ? "Outputs" : NULL, "not compared", NULL);
    return;
  }
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (difference);
  g_autofree char *largest = seam_text_scientific (difference->max_abs);
  g_autofree char *measure = format_difference_caption (self);
  g_autofree char *value = self->narrow ? g_strdup_printf ("max %s", largest)
                                        : g_strdup_printf ("%s %s", measure, largest);
  g_autofree char *caption = g_strdup_printf (
      "%s %s", agreement->agree ? "Outputs agree" : "Outputs differ", agreement->agree ? "✓" : "✗");
  set_fact (self, 0, caption, value, agreement->agree ? "success" : "error");
  gtk_widget_set_tooltip_text (self->facts[0], agreement->detail);
}

static void
update_traffic (SeamResultCard *self)
{
  const SeamResult *result = self->result;
  double largest = 0;

  for (int i = 0; i < self->n_plans; i++)
    largest = MAX (largest, isnan (result->plans[i].bytes) ? 0 : result->plans[i].bytes);
  SeamUnit unit = seam_unit_for_bytes (largest);
  GString *text = g_string_new (NULL);
  for (int i = 0; i < self->n_plans; i++) {
    g_autofree char *value = seam_text_fixed (result->plans[i].bytes / unit.scale, 2);
    g_string_append_printf (text, "%s%s", i > 0 ? " → " : "", value);
  }
  g_string_append_printf (text, " %s", unit.name);
  set_fact (self, 1, self->narrow ? "Traffic" : "Memory traffic, modelled", text->str, NULL);
  gtk_widget_set_tooltip_text (self->facts[1],
                               "Bytes that each plan must read and write, from shapes alone");
  g_string_free (text, TRUE);
}

static void
update_floor (SeamResultCard *self)
{
  const SeamResult *result = self->result;

  if (isnan (result->floor_ns) || self->narrow) {
    set_fact (self, 2, NULL, NULL, NULL);
    return;
  }
  g_autofree char *value = seam_text_time (result->floor_ns);
  set_fact (self, 2, result->floor_memory_bound ? "Floor, memory bound" : "Floor, compute bound",
            value, NULL);
  g_autofree char *tooltip = g_strdup_printf (
      "No plan can be faster on this device%s%s",
      result->device != NULL && result->device->rates_source != NULL ? "; rates: " : "",
      result->device != NULL && result->device->rates_source != NULL ? result->device->rates_source
                                                                     : "");
  gtk_widget_set_tooltip_text (self->facts[2], tooltip);
}

/* Some kernel of the plans has a rate that no device can have. */
static gboolean
is_over_peak (const SeamResultCard *self)
{
  for (int i = 0; i < self->n_plans; i++) {
    g_autoptr (GPtrArray) rails = seam_rails_new (self->result, i);

    if (rails->len > 0)
      return TRUE;
  }
  return FALSE;
}

static char *
format_plan (const SeamResultCard *self, int i)
{
  const SeamPlanResult *plan = &self->result->plans[i];

  return g_strdup_printf ("%c %s", self->letters[i],
                          plan->name != NULL ? plan->name : plan->notation);
}

/* What is special about a plan, in a sentence each. */
static void
append_plan_notes (SeamResultCard *self, GString *text)
{
  for (int i = 0; i < self->n_plans; i++) {
    const SeamPlanResult *plan = &self->result->plans[i];
    if (plan->message != NULL && plan->message[0] != '\0')
      g_string_append_printf (text, "%sPlan %c: %s", text->len > 0 ? " " : "", self->letters[i],
                              plan->message);
  }
}

/* One line that may end in an ellipsis: all of it is its tooltip. */
static void
set_line (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (label), text);
  gtk_widget_set_visible (GTK_WIDGET (label), text[0] != '\0');
}

/* " · B published: 1.84× faster": the plans that the headline is not about. */
static char *
describe_others (const SeamResultCard *self)
{
  GString *text = g_string_new (NULL);

  for (int i = 1; i < self->n_plans; i++)
    if (i != self->compared) {
      g_autoptr (SeamVerdict) verdict = seam_verdict_new (self->result, 0, i);
      g_autofree char *plan = format_plan (self, i);
      g_string_append_printf (text, " · %s: %s", plan, verdict->headline);
    }
  return g_string_free (text, FALSE);
}

static void
update_headline (SeamResultCard *self)
{
  const SeamResult *result = self->result;
  g_autofree char *a = format_plan (self, 0);

  set_class (self->headline, "error", FALSE);
  gtk_widget_set_visible (GTK_WIDGET (self->ratio), FALSE);
  if (self->compared < 0) {
    const SeamPlanResult *plan = &result->plans[0];
    g_autofree char *time =
        isnan (plan->median_ns) ? g_strdup ("No time") : seam_text_time (plan->median_ns);
    g_autofree char *low = seam_text_time (plan->ci_low_ns);
    g_autofree char *high = seam_text_time (plan->ci_high_ns);
    g_autofree char *detail = g_strdup_printf (
        "%s alone, nothing to compare with\n95 %% interval %s to %s", a, low, high);
    g_autofree char *marked = g_strconcat ("⚠ ", time, ", with pitfall", NULL);
    gtk_label_set_text (self->headline, result->pitfalls != NULL ? marked : time);
    set_class (self->headline, "error", result->pitfalls != NULL);
    gtk_label_set_text (self->detail, detail);
    return;
  }

  g_autofree char *b = format_plan (self, self->compared);
  g_autofree char *others = describe_others (self);
  g_autoptr (SeamVerdict) verdict = seam_verdict_new (result, 0, self->compared);
  g_autofree char *detail = g_strdup_printf ("%s against %s%s%s", b, a, others,
                                             result->stopped ? " · stopped early" : "");
  gboolean is_over = is_over_peak (self);
  g_autofree char *interval =
      g_strdup_printf ("%s%s%s%s", verdict->detail != NULL ? verdict->detail : "",
                       verdict->detail != NULL && verdict->next_step != NULL ? "; " : "",
                       verdict->next_step != NULL ? verdict->next_step : "",
                       is_over ? " · a kernel is over a peak of the device, see its row" : "");
  g_autofree char *headline =
      g_strconcat (result->pitfalls != NULL || is_over || verdict->below_floor ? "⚠ " : "",
                   verdict->headline, NULL);
  gtk_label_set_text (self->headline, headline);
  set_class (self->headline, "error",
             verdict->kind == SEAM_VERDICT_WRONG || verdict->kind == SEAM_VERDICT_PITFALL
                 || verdict->below_floor || is_over);
  set_line (self->detail, detail);
  set_line (self->interval, interval);
  if (verdict->kind == SEAM_VERDICT_WRONG && !isnan (verdict->ratio)) {
    /* The ratio of a wrong answer is worth little: after the verdict, small and struck through. */
    g_autofree char *ratio = seam_text_ratio (verdict->ratio);
    g_autofree char *markup = g_strdup_printf ("<s>%s</s>", ratio);
    gtk_label_set_markup (self->ratio, markup);
    gtk_widget_set_visible (GTK_WIDGET (self->ratio), TRUE);
  }
}

static void
append_times (SeamResultCard *self, GString *text, const char *what, gsize offset, SeamUnit unit)
{
  g_string_append (text, what);
  for (int i = 0; i < self->n_plans; i++) {
    double value = G_STRUCT_MEMBER (double, &self->result->plans[i], offset);
    g_autofree char *number = seam_text_fixed (value / unit.scale, 3);
    g_string_append_printf (text, "%s%s", i > 0 ? " and " : " ", number);
  }
}

static void
update_note (SeamResultCard *self)
{
  const SeamResult *result = self->result;
  GString *text = g_string_new (NULL);
  double largest = 0;
  const SeamDeviceWords *words = seam_device_info_get_words (result->device);
  gboolean traced = FALSE;

  for (int i = 0; i < self->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    largest = fmax (largest, isnan (plan->median_ns) ? 0 : plan->median_ns);
    traced = traced || plan->n_kernels > 0;
  }
  SeamUnit unit = seam_unit_for_time (largest);
  g_autofree char *elapsed = g_strconcat (words->elapsed, ":", NULL);
  g_autofree char *sum = g_strconcat (", sum of ", words->parts, NULL);
  append_times (self, text, elapsed, G_STRUCT_OFFSET (SeamPlanResult, median_ns), unit);
  g_string_append_printf (text, " %s. ", unit.name);
  if (traced) {
    append_times (self, text, "Traced pass: span", G_STRUCT_OFFSET (SeamPlanResult, span_median_ns),
                  unit);
    append_times (self, text, sum, G_STRUCT_OFFSET (SeamPlanResult, kernels_sum_median_ns), unit);
    g_string_append (text, ", gaps");
    for (int i = 0; i < self->n_plans; i++) {
      g_autofree char *gap = seam_text_fixed (
          (result->plans[i].span_median_ns - result->plans[i].kernels_sum_median_ns) / unit.scale,
          3);
      g_string_append_printf (text, "%s%s", i > 0 ? " and " : " ", gap);
    }
    g_string_append_printf (text, " %s. ", unit.name);
  }
  if (result->trace_note != NULL)
    g_string_append_printf (text, "%s ", result->trace_note);
  append_plan_notes (self, text);
  g_autofree char *shown = seam_text_show (g_strchomp (text->str));
  gtk_label_set_text (self->note, shown);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->note), shown);
  g_string_free (text, TRUE);
}

static void
update (SeamResultCard *self)
{
  if (self->result == NULL)
    return;
  update_headline (self);
  update_agreement (self);
  update_traffic (self);
  update_floor (self);
  update_note (self);
  seam_figure_view_invalidate (self->bars);
}

void
seam_result_card_set_result (SeamResultCard *self, SeamResult *result, const char *letters,
                             int compared)
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
  g_strlcpy (self->letters, letters, sizeof self->letters);
  self->n_plans = result != NULL ? MIN ((int)strlen (self->letters), result->n_plans) : 0;
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
  /* In the place of the details, so that nothing moves. */
  gtk_widget_set_visible (self->stale_box, reason != NULL);
  gtk_widget_set_visible (self->details, reason == NULL);
  gtk_label_set_text (self->stale, reason != NULL ? reason : "");
  set_class (self->card, "stale", reason != NULL);
}

void
seam_result_card_set_narrow (SeamResultCard *self, gboolean narrow)
{
  if (self->narrow == narrow)
    return;
  self->narrow = narrow;
  gtk_widget_set_visible (GTK_WIDGET (self->note), !narrow);
  update (self);
}

void
seam_result_card_select (SeamResultCard *self, int plan, int kernel)
{
  SeamHit hit = { .kind = SEAM_HIT_KERNEL, .plan = plan, .index = kernel };

  seam_figure_view_set_selected (self->bars, plan >= 0 && kernel >= 0 ? &hit : NULL);
}

static void
seam_result_card_finalize (GObject *object)
{
  SeamResultCard *self = SEAM_RESULT_CARD (object);

  g_clear_pointer (&self->result, seam_result_unref);
  G_OBJECT_CLASS (seam_result_card_parent_class)->finalize (object);
}

static void
seam_result_card_class_init (SeamResultCardClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = seam_result_card_finalize;
  signals[SIGNAL_KERNEL_SELECTED] =
      g_signal_new ("kernel-selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 2, G_TYPE_INT, G_TYPE_INT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/seamscope/Seamscope/result-card.ui");
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, card);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, headline);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, ratio);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, detail);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, interval);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, buttons);
  gtk_widget_class_bind_template_child_full (widget_class, "compared", FALSE,
                                             G_STRUCT_OFFSET (SeamResultCard, choice));
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, stale_box);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, details);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, stale);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, bars);
  gtk_widget_class_bind_template_child (widget_class, SeamResultCard, note);
}

static void
seam_result_card_init (SeamResultCard *self)
{
  g_type_ensure (SEAM_TYPE_COMPARED_CHOICE);
  g_type_ensure (SEAM_TYPE_FIGURE_VIEW);
  gtk_widget_init_template (GTK_WIDGET (self));
  for (int i = 0; i < 3; i++) {
    self->facts[i] = seam_fact_new (&self->captions[i], &self->values[i]);
    gtk_widget_insert_before (self->facts[i], gtk_widget_get_parent (self->buttons), self->buttons);
  }
  seam_figure_view_set_builder (self->bars, build_bars_cb, self, NULL);
  seam_figure_view_set_minimum_width (self->bars, BARS_MIN_WIDTH);
  seam_figure_view_set_focus_kinds (self->bars, SEAM_HIT_KERNEL);
  seam_figure_view_set_tooltip_func (self->bars, describe_kernel_cb, self);
  g_signal_connect (self->bars, "hit-activated", G_CALLBACK (bar_activated_cb), self);
}

GtkWidget *
seam_result_card_new (void)
{
  return g_object_new (SEAM_TYPE_RESULT_CARD, NULL);
}
