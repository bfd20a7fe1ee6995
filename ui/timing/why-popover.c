/* SPDX-License-Identifier: MIT
 *
 * Builds the popover of one seam.
 */
#include "ui/timing/why-popover.h"

#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"

#define WIDTH      640 /* as wide as the figure needs */
#define TEXT_CHARS 80

static GtkWidget *
make_label (const char *text, const char *css_class)
{
  GtkWidget *label = seam_label_new (text, css_class, SEAM_LABEL_WRAPS);

  gtk_label_set_max_width_chars (GTK_LABEL (label), TEXT_CHARS);
  return label;
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  return seam_why_figure_new (data, width);
}

static GtkWidget *
make_number (const SeamWhy *why)
{
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *caption = make_label (why->caption, "dim-label");

  gtk_widget_set_valign (caption, GTK_ALIGN_BASELINE);
  gtk_box_append (GTK_BOX (line), make_label (why->number, "title-2"));
  gtk_box_append (GTK_BOX (line), caption);
  return line;
}

/* Runs later, because the popover itself is still using it. */
static gboolean
remove_cb (gpointer popover)
{
  gtk_widget_unparent (popover);
  return G_SOURCE_REMOVE;
}

static void
closed_cb (GtkPopover *popover)
{
  g_idle_add_full (G_PRIORITY_DEFAULT_IDLE, remove_cb, g_object_ref (popover), g_object_unref);
}

void
seam_why_popover_open (GtkWidget *parent, const GdkRectangle *place, const char *title,
                       SeamWhy *why)
{
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *view = seam_figure_view_new ();

  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (view), build_cb, why, seam_owner_free);
  seam_figure_view_set_minimum_width (SEAM_FIGURE_VIEW (view), WIDTH);
  gtk_box_append (GTK_BOX (box), make_label (title, "heading"));
  gtk_box_append (GTK_BOX (box), make_label (why->sentence, NULL));
  gtk_box_append (GTK_BOX (box), make_number (why));
  gtk_box_append (GTK_BOX (box), view);
  if (why->halo_sentence != NULL)
    gtk_box_append (GTK_BOX (box), make_label (why->halo_sentence, NULL));
  gtk_box_append (GTK_BOX (box), make_label (why->resources, NULL));
  gtk_box_append (GTK_BOX (box), make_label (why->answer, NULL));
  gtk_box_append (GTK_BOX (box), make_label (why->sources, "dim-label"));
  gtk_widget_set_margin_start (box, 6);
  gtk_widget_set_margin_end (box, 6);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_popover_set_pointing_to (GTK_POPOVER (popover), place);
  gtk_accessible_update_property (GTK_ACCESSIBLE (popover), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  -1);
  gtk_widget_set_parent (popover, parent);
  g_signal_connect (popover, "closed", G_CALLBACK (closed_cb), NULL);
  gtk_popover_popup (GTK_POPOVER (popover));
}
