/* SPDX-License-Identifier: MIT
 *
 * The slice of the Difference tab: see difference-slice.h. The window depends on how many elements
 * the widget has room for, so the figure's builder asks for another window if they do not fit.
 */
#include "ui/difference/difference-slice.h"

#include "ui/class/class.h"
#include "ui/difference/difference-keys.h"
#include "ui/state/watch.h"
#include "ui/widgets/figure-view.h"

/* Elements on a side: at 2 pixels each, the pointer can still hit one. */
#define MAX_MATRIX_SLICE 256
#define MAX_PLANE_SLICE  1024
/* Smallest size, px: a map that is still readable in a window of 1024 x 700. */
#define MINIMUM 280
/* A slice that comes within this time replaces the old one without a word, ms. */
#define LATE_MS 120
/* Letters in a line of the message. */
#define MESSAGE_WIDTH 40

struct _SeamDifferenceSlice {
  AdwBin parent_instance;

  SeamFigureView *view;
  GtkLabel *message; /* over the map, while there is no slice */
  SeamDifferenceNavigator *navigator;
  SeamDifferenceSubject *subject; /* belongs to the navigator */
  SeamDifferenceSource *source;   /* belongs to the subject */
  SeamDifferenceLook *look;

  gint64 fitting_rows, fitting_columns; /* number that the widget has room for */
  guint resize_id, late_id;             /* late_id: while the slice may come soon */
};

G_DEFINE_FINAL_TYPE (SeamDifferenceSlice, seam_difference_slice, ADW_TYPE_BIN)

/* -- The figure -------------------------------------------------------------------------------- */

static gboolean
resize_cb (gpointer data)
{
  SeamDifferenceSlice *self = data;

  self->resize_id = 0;
  seam_difference_navigator_resize_window (self->navigator, self->fitting_rows,
                                           self->fitting_columns);
  return G_SOURCE_REMOVE;
}

static void
choose_size (SeamDifferenceSlice *self, double width, double height)
{
  const SeamDifferenceWindow *window = seam_difference_navigator_get_window (self->navigator);
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (self->subject);
  gboolean has_planes = seam_difference_shape_has_planes (shape);

  seam_slice_choose_size (width, height, shape->area_rows, shape->area_columns,
                          has_planes ? MAX_PLANE_SLICE : MAX_MATRIX_SLICE, &self->fitting_rows,
                          &self->fitting_columns);
  if (seam_difference_source_can_ask (self->source)
      && (self->fitting_rows != window->n_rows || self->fitting_columns != window->n_columns)
      && self->resize_id == 0)
    self->resize_id = g_idle_add (resize_cb, self);
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamDifferenceSlice *self = data;
  const SeamProblem *problem = seam_difference_subject_get_problem (self->subject);
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  SeamSideNames names = seam_difference_subject_get_names (self->subject);
  SeamMapOptions options = { .width = width,
                             .height = height,
                             .spec = seam_difference_subject_get_limits (self->subject) };
  SeamTile tile;
  int side;

  if (problem == NULL)
    return NULL;
  choose_size (self, width, height);
  if (slice == NULL || difference == NULL)
    return NULL;
  options.scale = seam_difference_look_make_scale (self->look, difference);
  options.tile = seam_difference_look_find_tile (self->look, self->subject, &tile, &side);
  options.n_groups = seam_difference_subject_get_shape (self->subject)->n_groups;
  options.view = seam_difference_look_get_view (self->look);
  options.view_name = options.view == SEAM_VIEW_TESTED ? names.tested : names.against;
  return seam_slice_figure_new (problem, slice, &options);
}

static const char *
find_message (SeamDifferenceSlice *self)
{
  const char *error = seam_difference_source_get_slice_error (self->source);

  if (error != NULL)
    return error;
  if (seam_difference_source_can_ask (self->source))
    return "Asking for the slice…";
  if (seam_difference_subject_is_kept (self->subject))
    return "The file does not hold single elements of these two sides.";
  return "The worker no longer holds the outputs of this run. After the next run single elements "
         "can be looked at again.";
}

/* Whether the slice of another plane is still shown. */
static gboolean
is_old (SeamDifferenceSlice *self)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);

  return slice != NULL && seam_difference_source_can_ask (self->source)
         && !seam_difference_shape_is_of (seam_difference_subject_get_shape (self->subject), slice,
                                          seam_difference_navigator_get_sample (self->navigator),
                                          seam_difference_navigator_get_channel (self->navigator),
                                          seam_difference_navigator_get_depth (self->navigator));
}

static void
set_message (SeamDifferenceSlice *self, const char *message, gboolean is_late)
{
  gtk_label_set_text (self->message, message != NULL ? message : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), message != NULL);
  gtk_widget_set_opacity (GTK_WIDGET (self->view), is_late ? .4 : 1);
}

static gboolean
late_cb (gpointer data)
{
  SeamDifferenceSlice *self = data;
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (self->subject);
  g_autofree char *text =
      shape->depth > 1 ? g_strdup_printf ("Loading depth %" G_GINT64_FORMAT "…",
                                          seam_difference_navigator_get_depth (self->navigator))
                       : g_strdup ("Loading the slice…");

  self->late_id = 0;
  if (is_old (self))
    set_message (self, text, TRUE);
  return G_SOURCE_REMOVE;
}

static void
update_message (SeamDifferenceSlice *self)
{
  gboolean none = seam_difference_source_get_slice (self->source) == NULL;

  if (seam_difference_subject_get_problem (self->subject) == NULL)
    return;
  if (!is_old (self)) {
    g_clear_handle_id (&self->late_id, g_source_remove);
    set_message (self, none ? find_message (self) : NULL, FALSE);
  } else if (self->late_id == 0) {
    self->late_id = g_timeout_add (LATE_MS, late_cb, self);
  }
}

/* -- The element that is pointed at ------------------------------------------------------------ */

static void
place_cb (SeamDifferenceSlice *self)
{
  const SeamDifferencePlace *place = seam_difference_navigator_get_place (self->navigator);
  SeamHit hit = { .kind = SEAM_HIT_CELL, .row = place->row, .column = place->column };

  if (place->row >= 0)
    seam_figure_view_set_focused (self->view, place->elsewhere ? NULL : &hit);
}

static void
hovered_cb (SeamFigureView *view, const SeamHit *hit, SeamDifferenceSlice *self)
{
  if (hit != NULL && hit->kind == SEAM_HIT_CELL)
    seam_difference_navigator_point_at (self->navigator, hit->row, hit->column);
}

static void
move_cb (gpointer data, gint64 rows, gint64 columns)
{
  SeamDifferenceSlice *self = data;

  seam_difference_navigator_move_pointer (self->navigator, rows, columns);
}

void
seam_difference_slice_set_description (SeamDifferenceSlice *self, const char *text)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

/* -- Object ------------------------------------------------------------------------------------ */

/* Forgets the size that fitted the output of another result. */
static void
forget_size (SeamDifferenceSlice *self)
{
  g_clear_handle_id (&self->resize_id, g_source_remove);
}

static void
seam_difference_slice_class_init (SeamDifferenceSliceClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamDifferenceSlice, g_source_remove, resize_id, late_id);
  SEAM_OWNS (klass, SeamDifferenceSlice, g_object_unref, look, source, subject, navigator);
}

static void
seam_difference_slice_init (SeamDifferenceSlice *self)
{
  GtkWidget *overlay = gtk_overlay_new ();

  self->view = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  self->message = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_wrap (self->message, TRUE);
  gtk_label_set_max_width_chars (self->message, MESSAGE_WIDTH);
  gtk_label_set_justify (self->message, GTK_JUSTIFY_CENTER);
  gtk_widget_set_halign (GTK_WIDGET (self->message), GTK_ALIGN_CENTER);
  gtk_widget_set_valign (GTK_WIDGET (self->message), GTK_ALIGN_CENTER);
  gtk_widget_set_can_target (GTK_WIDGET (self->message), FALSE);
  gtk_widget_add_css_class (GTK_WIDGET (self->message), "dim-label");
  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (self->view));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), GTK_WIDGET (self->message));
  adw_bin_set_child (ADW_BIN (self), overlay);
}

static void
follow_changes (SeamDifferenceSlice *self)
{
  const GCallback redraw = G_CALLBACK (seam_figure_view_invalidate);

  seam_watch_now (self->view, redraw, self->subject, "atol");
  seam_watch_now (self->view, redraw, self->source, "difference slice client");
  seam_watch_now (self->view, redraw, self->look, "unit within view tiles against-tiles");
  seam_watch_now (self, G_CALLBACK (update_message), self->source, "slice client");
  seam_watch (self, G_CALLBACK (update_message), self->navigator, "sample channel depth", NULL);
  seam_watch_now (self, G_CALLBACK (forget_size), self->subject, "result");
  seam_watch_now (self, G_CALLBACK (place_cb), self->navigator, "place");
}

void
seam_difference_slice_follow (SeamDifferenceSlice *self, SeamDifferenceNavigator *navigator,
                              SeamDifferenceLook *look)
{
  self->navigator = g_object_ref (navigator);
  self->subject = g_object_ref (seam_difference_navigator_get_subject (navigator));
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  self->look = g_object_ref (look);
  follow_changes (self);
  seam_figure_view_set_minimum_width (self->view, MINIMUM);
  seam_figure_view_set_minimum_height (self->view, MINIMUM);
  seam_figure_view_set_builder (self->view, build_cb, self, NULL);
  seam_figure_view_set_focus_kinds (self->view, SEAM_HIT_CELL);
  g_signal_connect (self->view, "hit-hovered", G_CALLBACK (hovered_cb), self);
  seam_difference_add_arrow_keys (GTK_WIDGET (self->view), move_cb, self);
}
