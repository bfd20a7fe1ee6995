/* SPDX-License-Identifier: MIT
 *
 * A title, the figure of app/figure/sequence.c and its text. A sample under the pointer shows its
 * time and clock.
 */
#include "ui/timing/samples-card.h"

#include "ui/class/class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"

#include "app/figure/sequence.h"

struct _SeamSamplesCard {
  AdwBin parent_instance;

  SeamResult *result;
  int second; /* plan beside the first; -1: there is only one */
  SeamFigureView *view;
  GtkLabel *words;
};

G_DEFINE_FINAL_TYPE (SeamSamplesCard, seam_samples_card, ADW_TYPE_BIN)

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamSamplesCard *self = data;

  if (self->result == NULL)
    return NULL;
  return seam_sequence_figure_new (self->result, 0, self->second, width);
}

static char *
describe_cb (const SeamHit *hit, gpointer data)
{
  SeamSamplesCard *self = data;

  if (self->result == NULL)
    return NULL;
  return seam_sequence_describe_sample (self->result, 0, self->second, hit);
}

void
seam_samples_card_set_result (SeamSamplesCard *self, SeamResult *result, int second)
{
  SeamResult *old = self->result;
  int n_samples = 0;

  if (result == old && second == self->second)
    return;
  self->result = result != NULL ? seam_result_ref (result) : NULL;
  self->second = second;
  g_clear_pointer (&old, seam_result_unref);
  for (int i = 0; result != NULL && i < result->n_plans; i++)
    if ((i == 0 || i == second) && result->plans[i].samples != NULL)
      n_samples += result->plans[i].n_samples;
  gtk_widget_set_visible (GTK_WIDGET (self), n_samples > 0);
  if (n_samples > 0) {
    g_autofree char *words = seam_sequence_describe (result, 0, self->second);

    gtk_label_set_text (self->words, words);
  }
  seam_figure_view_invalidate (self->view);
}

static void
seam_samples_card_class_init (SeamSamplesCardClass *klass)
{
  SEAM_OWNS (klass, SeamSamplesCard, seam_result_unref, result);
}

static void
seam_samples_card_init (SeamSamplesCard *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);

  self->view = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  self->words = seam_label_new (NULL, "dim-label note", SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  seam_figure_view_set_minimum_width (self->view, 480);
  seam_figure_view_set_builder (self->view, build_cb, self, NULL);
  seam_figure_view_set_tooltip_func (self->view, describe_cb, self);
  gtk_widget_add_css_class (box, "card");
  gtk_widget_add_css_class (box, "samples-card");
  gtk_box_append (GTK_BOX (box), seam_label_new ("Samples", "heading", 0));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->view));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->words));
  adw_bin_set_child (ADW_BIN (self), box);
  gtk_widget_set_visible (GTK_WIDGET (self), FALSE);
}
