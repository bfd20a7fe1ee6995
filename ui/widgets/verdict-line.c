/* SPDX-License-Identifier: MIT
 *
 * Two labels in a card: the headline, which is never cut, and the details, which may end in an
 * ellipsis and are whole in the tooltip.
 */
#include "ui/widgets/verdict-line.h"

#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/label.h"
#include "ui/widgets/run-progress.h"

#include "app/report/summary.h"

struct _SeamVerdictLine {
  AdwBin parent_instance;

  SeamModel *model;
  GtkWidget *card;
  GtkLabel *headline, *ratio, *detail;
};

G_DEFINE_FINAL_TYPE (SeamVerdictLine, seam_verdict_line, ADW_TYPE_BIN)

static void
set_texts (SeamVerdictLine *self, const char *headline, const char *struck, const char *detail)
{
  gtk_label_set_text (self->headline, headline);
  gtk_widget_set_visible (GTK_WIDGET (self->ratio), struck != NULL);
  if (struck != NULL) {
    g_autofree char *markup = g_markup_printf_escaped ("<s>%s</s>", struck);

    gtk_label_set_markup (self->ratio, markup);
  }
  gtk_label_set_text (self->detail, detail != NULL ? detail : "");
  gtk_widget_set_tooltip_text (GTK_WIDGET (self), detail);
}

static void
show_result (SeamVerdictLine *self, SeamResult *result)
{
  SeamMeasurement *measurement = self->model->measurement;
  const char *stale = seam_measurement_get_stale_reason (measurement);
  SeamSummarySides sides = { .result = result,
                             .compared = seam_measurement_get_compared (measurement) };
  g_autoptr (SeamSummary) summary = NULL;
  g_autofree char *detail = NULL;

  sides.n_plans = MIN (MIN (seam_measurement_get_n_plans (measurement), SEAM_SUMMARY_MAX_PLANS),
                       result->n_plans);
  for (int i = 0; i < sides.n_plans; i++) {
    sides.plans[i] = i;
    sides.letters[i] = seam_plan_get_letter (i);
  }
  summary = seam_summary_new (&sides);
  detail = g_strjoin (" · ", stale != NULL ? stale : summary->compared,
                      stale != NULL ? summary->compared : summary->medians,
                      stale != NULL ? summary->medians : summary->others,
                      stale != NULL ? summary->others : NULL, NULL);
  set_texts (self, summary->headline, summary->struck, detail);
  seam_css_class_set (self->headline, "error", summary->tone == SEAM_TONE_BAD);
  seam_css_class_set (self->headline, "dim-label", stale != NULL);
}

static void
update (SeamVerdictLine *self)
{
  SeamMeasurement *measurement = self->model->measurement;
  SeamResult *result = seam_measurement_get_result (measurement);
  gboolean runs = seam_measurement_get_state (measurement) != SEAM_RUN_IDLE;

  gtk_widget_set_visible (self->card, runs || result != NULL);
  if (runs) {
    g_autofree char *detail = seam_run_progress_describe (measurement);

    set_texts (self, seam_run_progress_get_title (measurement), NULL, detail);
    seam_css_class_set (self->headline, "error", FALSE);
    seam_css_class_set (self->headline, "dim-label", FALSE);
  } else if (result != NULL) {
    show_result (self, result);
  } else {
    /* Its tooltip would still tell. */
    set_texts (self, "", NULL, NULL);
  }
}

static void
progress_changed_cb (SeamVerdictLine *self)
{
  if (seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE)
    update (self);
}

void
seam_verdict_line_set_model (SeamVerdictLine *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (update), model->setup, "pipeline compared", model->measurement,
              "state result", NULL);
  seam_watch (self, G_CALLBACK (progress_changed_cb), model->measurement, "progress", NULL);
  update (self);
}

static void
seam_verdict_line_class_init (SeamVerdictLineClass *klass)
{
  SEAM_OWNS (klass, SeamVerdictLine, g_object_unref, model);
}

static GtkLabel *
add_label (SeamVerdictLine *self, const char *classes)
{
  GtkWidget *label = seam_label_new (NULL, classes, 0);

  gtk_widget_set_valign (label, GTK_ALIGN_BASELINE);
  gtk_box_append (GTK_BOX (self->card), label);
  return GTK_LABEL (label);
}

static void
seam_verdict_line_init (SeamVerdictLine *self)
{
  self->card = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_widget_add_css_class (self->card, "card");
  gtk_widget_add_css_class (self->card, "verdict-line");
  gtk_widget_set_visible (self->card, FALSE);
  self->headline = add_label (self, "verdict-headline");
  self->ratio = add_label (self, "dim-label");
  self->detail = add_label (self, "dim-label small-text");
  gtk_label_set_ellipsize (self->detail, PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand (GTK_WIDGET (self->detail), TRUE);
  adw_bin_set_child (ADW_BIN (self), self->card);
}
