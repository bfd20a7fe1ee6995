/* SPDX-License-Identifier: MIT
 *
 * The strips of the Difference tab: see difference-strips.h.
 */
#include "ui/difference/difference-strips.h"

#include "ui/state/watch.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/template.h"

#include "app/figure/strip.h"

#include <math.h>

/* A block of the one-line strips, px. */
#define BLOCK_WIDTH  26
#define BLOCK_HEIGHT 12

#define N_STRIPS 2

typedef struct {
  GtkWidget *button;
  GtkLabel *badge, *title;
  SeamFigureView *view;
  const SeamPlan *plan; /* belongs to the subject; NULL: none is drawn */
} Strip;

struct _SeamDifferenceStrips {
  AdwBin parent_instance;

  Strip strips[N_STRIPS];
  GtkWidget *exhibit;
  SeamDifferenceSubject *subject;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceStrips, seam_difference_strips, ADW_TYPE_BIN)

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  const Strip *strip = data;

  if (strip->plan == NULL)
    return NULL;
  return seam_chain_figure_new (strip->plan->pipeline, strip->plan, BLOCK_WIDTH, BLOCK_HEIGHT);
}

static void
fill_strip (SeamDifferenceStrips *self, Strip *strip, int index)
{
  SeamResult *result = seam_difference_subject_get_result (self->subject);
  const char *letter = seam_side_get_name (index);
  const char *title = seam_difference_subject_get_plan_title (self->subject, index);
  g_autofree char *name = g_strdup_printf ("Plan %s, %s: edit on the Timing tab", letter, title);
  g_autoptr (SeamFigure) chain = NULL;

  strip->plan = seam_difference_subject_get_plan (self->subject, index);
  chain = build_cb (0, 0, strip);
  gtk_label_set_text (strip->badge, letter);
  seam_css_class_set (strip->badge, "filled", index > 0);
  gtk_label_set_text (strip->title, title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (strip->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  name, -1);
  gtk_widget_set_tooltip_text (strip->button, result->plans[index].notation);
  gtk_widget_set_visible (GTK_WIDGET (strip->view), chain != NULL);
  if (chain != NULL)
    seam_figure_view_set_minimum_width (strip->view, (int)ceil (chain->width));
  seam_figure_view_invalidate (strip->view);
}

/* Shows A, and the other compared plan, or else the plan that stands beside A. */
static void
choice_cb (SeamDifferenceStrips *self)
{
  SeamResult *result = seam_difference_subject_get_result (self->subject);
  SeamDifferencePair sides = seam_difference_subject_get_sides (self->subject);
  int beside = seam_difference_subject_get_beside (self->subject);
  int shown[N_STRIPS] = { sides.against > 0 ? sides.against : 0,
                          sides.tested > 0 ? sides.tested : beside };
  gboolean exhibit = FALSE;

  for (int i = 0; i < N_STRIPS; i++) {
    gtk_widget_set_visible (self->strips[i].button, shown[i] >= 0);
    if (shown[i] < 0)
      continue;
    fill_strip (self, &self->strips[i], shown[i]);
    exhibit |= result->plans[shown[i]].exhibit;
  }
  gtk_widget_set_visible (self->exhibit, exhibit);
}

/* The plans of the last result were freed with it. */
static void
result_cb (SeamDifferenceStrips *self)
{
  for (int i = 0; i < N_STRIPS; i++) {
    self->strips[i].plan = NULL;
    seam_figure_view_invalidate (self->strips[i].view);
  }
}

static void
clicked_cb (SeamDifferenceStrips *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "timing");
}

static void
seam_difference_strips_class_init (SeamDifferenceStripsClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamDifferenceStrips, g_object_unref, subject);
  SEAM_TEMPLATE (klass, SeamDifferenceStrips, "difference-strips.ui", exhibit, strips[0].button,
                 strips[1].button, strips[0].badge, strips[1].badge, strips[0].title,
                 strips[1].title, strips[0].view, strips[1].view);
}

static void
seam_difference_strips_init (SeamDifferenceStrips *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  for (int i = 0; i < N_STRIPS; i++) {
    seam_figure_view_set_builder (self->strips[i].view, build_cb, &self->strips[i], NULL);
    g_signal_connect_swapped (self->strips[i].button, "clicked", G_CALLBACK (clicked_cb), self);
  }
}

void
seam_difference_strips_follow (SeamDifferenceStrips *self, SeamDifferenceSubject *subject)
{
  self->subject = g_object_ref (subject);
  seam_watch_now (self, G_CALLBACK (result_cb), subject, "result");
  seam_watch_now (self, G_CALLBACK (choice_cb), subject, "choice");
}
