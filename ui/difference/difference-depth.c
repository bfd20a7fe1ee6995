/* SPDX-License-Identifier: MIT
 *
 * The planes of all depths: see difference-depth.h. Drawing is app/figure/map.h.
 */
#include "ui/difference/difference-depth.h"

#include "ui/class/class.h"
#include "ui/state/watch.h"
#include "ui/widgets/figure-view.h"

#include "app/base/text.h"

/* Four planes of 58 px in a row; four rows of the smallest ones, px. */
#define WIDTH  284
#define HEIGHT 230

struct _SeamDifferenceDepth {
  AdwBin parent_instance;

  SeamFigureView *view;
  SeamDifferenceNavigator *navigator;
  SeamDifferenceSubject *subject; /* belongs to the navigator */
  SeamDifferenceSource *source;   /* belongs to the subject */
  SeamDifferenceLook *look;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceDepth, seam_difference_depth, ADW_TYPE_BIN)

/* Of a file, the only slice: its plane is shown if it is whole. */
static const SeamSlice *
get_planes (SeamDifferenceDepth *self)
{
  return seam_difference_source_can_ask (self->source)
             ? seam_difference_source_get_planes (self->source)
             : seam_difference_source_get_slice (self->source);
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamDifferenceDepth *self = data;
  const SeamProblem *problem = seam_difference_subject_get_problem (self->subject);
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  SeamMapOptions options = { .width = width,
                             .height = height,
                             .all_planes = seam_difference_source_can_ask (self->source),
                             .spec = seam_difference_subject_get_limits (self->subject) };

  if (problem == NULL || difference == NULL)
    return NULL;
  options.scale = seam_difference_look_make_scale (self->look, difference);
  return seam_depth_figure_new (problem, get_planes (self),
                                seam_difference_navigator_get_sample (self->navigator),
                                seam_difference_navigator_get_channel (self->navigator),
                                seam_difference_navigator_get_depth (self->navigator), &options);
}

static gint64
get_depth (SeamDifferenceDepth *self, const SeamHit *hit)
{
  gint64 first =
      seam_difference_navigator_get_depth (self->navigator) / SEAM_DEPTH_PLANES * SEAM_DEPTH_PLANES;

  return first + hit->plan * SEAM_DEPTH_ACROSS + hit->index;
}

/* "Depth 7 of 0 to 15, 1,013 of 1,024 elements fail" */
static char *
describe_plane (const SeamHit *hit, gpointer data)
{
  SeamDifferenceDepth *self = data;
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (self->subject);
  const SeamDifferenceSpec limits = seam_difference_subject_get_limits (self->subject);
  const SeamSlice *planes = get_planes (self);
  gint64 depth = get_depth (self, hit), first = depth * shape->area_rows;
  g_autofree char *name = g_strdup_printf ("Depth %" G_GINT64_FORMAT " of 0 to %" G_GINT64_FORMAT,
                                           depth, shape->depth - 1);

  if (planes == NULL || first < planes->first_row
      || first + shape->area_rows > planes->first_row + planes->n_rows)
    return g_steal_pointer (&name);
  g_autofree char *all = seam_text_count (shape->area_rows * planes->n_columns);
  g_autofree char *failing = seam_text_count (
      seam_slice_count_failing (planes, &limits, first - planes->first_row, shape->area_rows));
  return g_strdup_printf ("%s, %s of %s elements fail", name, failing, all);
}

static void
activated_cb (SeamFigureView *view, const SeamHit *hit, SeamDifferenceDepth *self)
{
  g_object_set (self->navigator, "depth", get_depth (self, hit), NULL);
}

static gboolean
is_shown (const SeamHit *hit, gpointer data)
{
  SeamDifferenceDepth *self = data;

  return get_depth (self, hit) == seam_difference_navigator_get_depth (self->navigator);
}

static void
result_cb (SeamDifferenceDepth *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self),
                          seam_difference_subject_get_shape (self->subject)->depth > 1);
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_depth_class_init (SeamDifferenceDepthClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamDifferenceDepth, g_object_unref, look, source, subject, navigator);
}

static void
seam_difference_depth_init (SeamDifferenceDepth *self)
{
  self->view = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->view));
}

void
seam_difference_depth_follow (SeamDifferenceDepth *self, SeamDifferenceNavigator *navigator,
                              SeamDifferenceLook *look)
{
  const GCallback redraw = G_CALLBACK (seam_figure_view_invalidate);

  self->navigator = g_object_ref (navigator);
  self->subject = g_object_ref (seam_difference_navigator_get_subject (navigator));
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  self->look = g_object_ref (look);
  seam_watch_now (self->view, redraw, navigator, "sample channel depth");
  seam_watch_now (self->view, redraw, self->subject, "atol");
  seam_watch_now (self->view, redraw, self->source, "difference planes slice client");
  seam_watch_now (self->view, redraw, look, "unit within");
  seam_watch_now (self, G_CALLBACK (result_cb), self->subject, "result");
  seam_figure_view_set_minimum_width (self->view, WIDTH);
  seam_figure_view_set_minimum_height (self->view, HEIGHT);
  seam_figure_view_set_builder (self->view, build_cb, self, NULL);
  seam_figure_view_set_tooltip_func (self->view, describe_plane, self);
  seam_figure_view_set_pressed_func (self->view, is_shown, self);
  seam_figure_view_set_focus_kinds (self->view, SEAM_HIT_SAMPLE);
  g_signal_connect (self->view, "hit-activated", G_CALLBACK (activated_cb), self);
}
