/* SPDX-License-Identifier: MIT
 *
 * The maps of the Difference tab and what explains them: see difference-maps.h. Each part follows
 * what it shows by itself; here they are put together.
 */
#include "ui/difference/difference-maps.h"

#include "ui/difference/difference-depth.h"
#include "ui/difference/difference-layout.h"
#include "ui/difference/difference-overview.h"
#include "ui/difference/difference-readout.h"
#include "ui/difference/difference-slice.h"
#include "ui/state/watch.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/template.h"

/* The legend's figure needs this height in px, or its foot is cut off. */
#define LEGEND_MINIMUM 176

struct _SeamDifferenceMaps {
  AdwBin parent_instance;

  SeamDifferenceLayout *layout;
  SeamDifferenceOverview *overview;
  SeamDifferenceDepth *depth;
  SeamDifferenceSlice *slice;
  SeamFigureView *legend;
  SeamDifferenceReadout *readout;
  GtkLabel *tiles_note, *agreement_title, *agreement_text;
  GtkWidget *agreement, *within;

  SeamDifferenceSubject *subject;
  SeamDifferenceSource *source; /* belongs to the subject */
  SeamDifferenceLook *look;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceMaps, seam_difference_maps, ADW_TYPE_BIN)

static SeamFigure *
build_legend_cb (double width, double height, gpointer data)
{
  SeamDifferenceMaps *self = data;
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  SeamSideNames names = seam_difference_subject_get_names (self->subject);
  SeamMapScale scale;

  if (seam_difference_subject_get_problem (self->subject) == NULL || difference == NULL)
    return NULL;
  if (slice != NULL && seam_difference_look_get_view (self->look) != SEAM_VIEW_DIFFERENCE) {
    double low, high;
    seam_slice_get_range (slice, &low, &high);
    return seam_value_legend_figure_new (low, high, width, height);
  }
  scale = seam_difference_look_make_scale (self->look, difference);
  return seam_map_legend_figure_new (&scale, &names, width, height);
}

static void
update_note (SeamDifferenceMaps *self)
{
  const SeamProblem *problem = seam_difference_subject_get_problem (self->subject);
  SeamTile storage;
  int side;
  const SeamTile *tile =
      seam_difference_look_find_tile (self->look, self->subject, &storage, &side);
  g_autofree char *text = NULL;

  if (problem == NULL)
    tile = NULL;
  gtk_widget_set_visible (GTK_WIDGET (self->tiles_note), tile != NULL);
  if (tile == NULL)
    return;
  text = seam_map_describe_tile (tile, problem, seam_side_get_name (side));
  gtk_label_set_text (self->tiles_note, text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (self->tiles_note), text);
}

/* If all elements agree, both maps would be empty, and a note says so instead. Dots show how far
 * from the limit they are. */
static void
update_agreement (SeamDifferenceMaps *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  g_autofree char *title = NULL, *text = NULL;
  gboolean agrees = difference != NULL && !seam_difference_is_dots (&difference->spec)
                    && seam_map_describe_agreement (
                        difference, seam_difference_look_get_unit (self->look), &title, &text);
  gboolean is_equal = agrees && !(difference->max_abs > 0);
  gboolean noted = agrees && (is_equal || !seam_difference_look_get_within (self->look))
                   && seam_difference_look_get_view (self->look) == SEAM_VIEW_DIFFERENCE;

  gtk_widget_set_visible (self->agreement, noted);
  gtk_widget_set_visible (self->within, agrees && !is_equal);
  gtk_widget_set_visible (GTK_WIDGET (self->layout), !noted);
  if (!noted)
    return;
  gtk_label_set_text (self->agreement_title, title);
  gtk_label_set_text (self->agreement_text, text);
}

static void
difference_cb (SeamDifferenceMaps *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);

  if (difference != NULL)
    seam_difference_layout_set_cells (self->layout, difference->n_cell_rows,
                                      difference->n_cell_columns);
  update_agreement (self);
}

/* Dots stand in the place of the maps. */
static void
result_cb (SeamDifferenceMaps *self)
{
  const gboolean is_dots =
      seam_difference_shape_is_dots (seam_difference_subject_get_shape (self->subject));

  gtk_widget_set_visible (GTK_WIDGET (self->slice), !is_dots);
  gtk_widget_set_visible (GTK_WIDGET (self->legend), !is_dots);
}

static void
text_cb (SeamDifferenceMaps *self)
{
  seam_difference_slice_set_description (self->slice,
                                         seam_difference_readout_get_text (self->readout));
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_maps_class_init (SeamDifferenceMapsClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamDifferenceMaps, g_object_unref, look, source, subject);
  SEAM_TEMPLATE (klass, SeamDifferenceMaps, "difference-maps.ui", agreement, agreement_title,
                 agreement_text, depth, within, layout, legend, overview, readout, slice,
                 tiles_note);
}

static void
seam_difference_maps_init (SeamDifferenceMaps *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
}

static void
follow_changes (SeamDifferenceMaps *self)
{
  const GCallback redraw = G_CALLBACK (seam_figure_view_invalidate);

  seam_watch_now (self, G_CALLBACK (difference_cb), self->source, "difference");
  seam_watch_now (self, G_CALLBACK (result_cb), self->subject, "result");
  seam_watch_now (self, G_CALLBACK (update_note), self->subject, "choice");
  seam_watch_now (self, G_CALLBACK (update_note), self->look, "tiles against-tiles");
  seam_watch_now (self, G_CALLBACK (update_agreement), self->look, "unit within view");
  g_object_bind_property (self->look, "within", self->within, "active",
                          G_BINDING_BIDIRECTIONAL | G_BINDING_SYNC_CREATE);
  seam_watch_now (self, G_CALLBACK (text_cb), self->readout, "text");
  seam_watch_now (self->legend, redraw, self->source, "difference slice");
  seam_watch_now (self->legend, redraw, self->look, "unit within view");
}

void
seam_difference_maps_follow (SeamDifferenceMaps *self, SeamDifferenceNavigator *navigator,
                             SeamDifferenceLook *look)
{
  self->subject = g_object_ref (seam_difference_navigator_get_subject (navigator));
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  self->look = g_object_ref (look);
  follow_changes (self);
  seam_difference_overview_follow (self->overview, navigator, look);
  seam_difference_depth_follow (self->depth, navigator, look);
  seam_difference_slice_follow (self->slice, navigator, look);
  seam_difference_readout_follow (self->readout, navigator, look);
  seam_figure_view_set_minimum_height (self->legend, LEGEND_MINIMUM);
  seam_figure_view_set_builder (self->legend, build_legend_cb, self, NULL);
}

int
seam_difference_maps_get_height (SeamDifferenceMaps *self)
{
  return gtk_widget_get_mapped (GTK_WIDGET (self->layout))
             ? gtk_widget_get_height (GTK_WIDGET (self->layout))
             : 0;
}

void
seam_difference_maps_set_room (SeamDifferenceMaps *self, int room)
{
  seam_difference_layout_set_room (self->layout, room);
}
