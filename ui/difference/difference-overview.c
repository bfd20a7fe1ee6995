/* SPDX-License-Identifier: MIT
 *
 * The overview of the Difference tab: see difference-overview.h. Drawing is app/figure/map.h.
 */
#include "ui/difference/difference-overview.h"

#include "ui/class/class.h"
#include "ui/difference/difference-keys.h"
#include "ui/state/watch.h"
#include "ui/widgets/figure-view.h"

#include "app/base/text.h"

#include <math.h>

/* Smallest size, px: a map that is still readable in a window of 1024 x 700. */
#define MINIMUM_WIDTH  240
#define MINIMUM_HEIGHT 160

struct _SeamDifferenceOverview {
  AdwBin parent_instance;

  SeamFigureView *view;
  SeamDifferenceNavigator *navigator;
  SeamDifferenceSubject *subject; /* belongs to the navigator */
  SeamDifferenceSource *source;   /* belongs to the subject */
  SeamDifferenceLook *look;
};

G_DEFINE_FINAL_TYPE (SeamDifferenceOverview, seam_difference_overview, ADW_TYPE_BIN)

/* -- The figure -------------------------------------------------------------------------------- */

static gboolean
is_dots (SeamDifferenceOverview *self)
{
  return seam_difference_shape_is_dots (seam_difference_subject_get_shape (self->subject));
}

/* If no other slice is available, the plane of the existing slice. */
static void
add_frame (SeamDifferenceOverview *self, SeamMapOptions *options)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  const SeamDifferenceWindow *window = seam_difference_navigator_get_window (self->navigator);
  gboolean can_ask = seam_difference_source_can_ask (self->source);

  if (slice == NULL)
    return;
  if (seam_difference_shape_has_planes (seam_difference_subject_get_shape (self->subject))) {
    options->frame_row =
        can_ask ? seam_difference_navigator_get_sample (self->navigator) : slice->sample;
    options->frame_column =
        can_ask ? seam_difference_navigator_get_channel (self->navigator) : slice->channel;
    options->frame_rows = options->frame_columns = 1;
  } else {
    options->frame_row = window->first_row;
    options->frame_column = window->first_column;
    options->frame_rows = window->n_rows;
    options->frame_columns = window->n_columns;
  }
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamDifferenceOverview *self = data;
  const SeamProblem *problem = seam_difference_subject_get_problem (self->subject);
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  SeamMapOptions options = { .width = width,
                             .height = height,
                             .spec = seam_difference_subject_get_limits (self->subject) };
  SeamTile tile;
  int side;

  if (problem == NULL || difference == NULL || difference->cells == NULL)
    return NULL;
  if (is_dots (self)) {
    const SeamSlice *slice = seam_difference_source_get_slice (self->source);
    const SeamSideNames names = seam_difference_subject_get_names (self->subject);
    return slice != NULL ? seam_dots_figure_new (slice, &names, &options) : NULL;
  }
  options.scale = seam_difference_look_make_scale (self->look, difference);
  options.tile = seam_difference_look_find_tile (self->look, self->subject, &tile, &side);
  add_frame (self, &options);
  return seam_overview_figure_new (problem, difference, &options);
}

/* -- Description of a cell --------------------------------------------------------------------- */

/* The cell's largest difference in the unit of the maps. */
static char *
format_cell (SeamMapUnit unit, const SeamDifference *difference, gint64 cell)
{
  double value = difference->cells[cell];

  if (!isfinite (value))
    return g_strdup ("not finite");
  if (unit == SEAM_UNIT_BOUND)
    return difference->shares != NULL ? seam_agreement_format_bound (difference->shares[cell])
                                      : g_strdup ("without a bound");
  if (unit == SEAM_UNIT_ULP) {
    g_autofree char *count =
        difference->ulps != NULL ? seam_text_count (difference->ulps[cell]) : NULL;
    return count != NULL ? g_strconcat (count, " ULP", NULL) : g_strdup ("not counted in ULP");
  }
  if (unit == SEAM_UNIT_RELATIVE && difference->max_abs_b > 0) {
    g_autofree char *text = seam_map_format_value (value / difference->max_abs_b);
    return g_strconcat (text, " of the largest value", NULL);
  }
  return seam_map_format_value (value);
}

/* "Row 7,552 to 7,615", or "Row 5" if a cell has only one row. */
static char *
format_range (const char *name, gint64 first, gint64 n, gint64 end)
{
  gint64 last = MIN (first + n, end) - 1;
  g_autofree char *from = seam_text_count (first);
  g_autofree char *to = seam_text_count (last);

  return last > first ? g_strdup_printf ("%s %s to %s", name, from, to)
                      : g_strdup_printf ("%s %s", name, from);
}

/* "sample 97, 22 times the limit, fails" */
static char *
describe_dot (SeamDifferenceOverview *self, gint64 sample)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  const SeamDifferenceSpec spec = seam_difference_subject_get_limits (self->subject);
  gint64 i = slice != NULL ? sample - slice->first_row : -1;

  if (i < 0 || i >= slice->n_rows)
    return NULL;
  double a = slice->a[i], b = seam_slice_get_b (slice, i), bound = seam_slice_get_bound (slice, i);
  double ratio = fabs (a - b) / seam_difference_get_limit (&spec, b, bound);
  g_autofree char *name = seam_text_count (sample);
  g_autofree char *times = seam_text_times (ratio);
  const char *limit = seam_difference_is_by_bound (&spec) ? "bound" : "limit";
  const char *verdict = seam_element_fails (&spec, a, b, bound) ? "fails" : "agrees";
  return a == b ? g_strdup_printf ("sample %s, equal", name)
         : isfinite (ratio)
             ? g_strdup_printf ("sample %s, %s times the %s, %s", name, times, limit, verdict)
             : g_strdup_printf ("sample %s, %s", name, verdict);
}

static char *
describe_cell (const SeamHit *hit, gpointer data)
{
  SeamDifferenceOverview *self = data;
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  SeamPlaceAxis axes[SEAM_PLACE_AXES];
  const SeamDifferenceSpec *spec;
  gint64 cell;
  g_autofree char *worst = NULL, *failing = NULL, *rows = NULL, *columns = NULL;

  if (hit->kind == SEAM_HIT_CELL && is_dots (self))
    return describe_dot (self, hit->row);
  if (difference == NULL || hit->kind != SEAM_HIT_CELL || hit->row < 0 || hit->column < 0
      || hit->row >= difference->n_cell_rows || hit->column >= difference->n_cell_columns)
    return NULL;
  spec = &difference->spec;
  cell = hit->row * difference->n_cell_columns + hit->column;
  seam_difference_find_place (&seam_difference_subject_get_shape (self->subject)->spec, 0, axes);
  rows = format_range (g_str_equal (axes[0].name, "sample") ? "Sample" : "Row",
                       hit->row * spec->rows_per_cell, spec->rows_per_cell, spec->rows);
  columns = format_range (axes[1].name, hit->column * spec->columns_per_cell,
                          spec->columns_per_cell, spec->columns);
  if (difference->looked != NULL && difference->looked[cell] == 0)
    return g_strdup_printf ("%s, %s: not among the sampled slices. Click to see the elements.",
                            rows, columns);
  worst = format_cell (seam_difference_look_get_unit (self->look), difference, cell);
  failing = seam_text_count (difference->failing[cell]);
  return g_strdup_printf ("%s, %s: largest difference %s, %s element%s. Click to see the elements.",
                          rows, columns, worst, failing,
                          difference->failing[cell] == 1 ? " fails" : "s fail");
}

/* -- Pointer and keys -------------------------------------------------------------------------- */

static void
dragged_cb (SeamFigureView *view, const SeamHit *hit, SeamDifferenceOverview *self)
{
  if (hit->kind == SEAM_HIT_CELL && !is_dots (self))
    seam_difference_navigator_show_cell (self->navigator, hit->row, hit->column);
}

static void
hovered_cb (SeamFigureView *view, const SeamHit *hit, SeamDifferenceOverview *self)
{
  if (hit != NULL && hit->kind == SEAM_HIT_CELL && is_dots (self))
    seam_difference_navigator_point_at (self->navigator, hit->row, 0);
}

/* A dot that is pointed at is marked; in a map the frame of the slice is. */
static void
place_cb (SeamDifferenceOverview *self)
{
  const SeamDifferencePlace *place = seam_difference_navigator_get_place (self->navigator);
  SeamHit hit = { .kind = SEAM_HIT_CELL, .row = place->row };

  seam_figure_view_set_focused (self->view, is_dots (self) && place->row >= 0 ? &hit : NULL);
}

static void
move_cb (gpointer data, gint64 rows, gint64 columns)
{
  SeamDifferenceOverview *self = data;

  if (is_dots (self))
    return seam_difference_navigator_move_pointer (self->navigator, columns - rows, 0);
  seam_difference_navigator_move_window (self->navigator, rows, columns);
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_overview_class_init (SeamDifferenceOverviewClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamDifferenceOverview, g_object_unref, look, source, subject, navigator);
}

static void
seam_difference_overview_init (SeamDifferenceOverview *self)
{
  self->view = SEAM_FIGURE_VIEW (seam_figure_view_new ());
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->view));
}

void
seam_difference_overview_follow (SeamDifferenceOverview *self, SeamDifferenceNavigator *navigator,
                                 SeamDifferenceLook *look)
{
  const GCallback redraw = G_CALLBACK (seam_figure_view_invalidate);

  self->navigator = g_object_ref (navigator);
  self->subject = g_object_ref (seam_difference_navigator_get_subject (navigator));
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  self->look = g_object_ref (look);
  seam_watch_now (self->view, redraw, navigator, "sample channel window");
  seam_watch_now (self->view, redraw, self->subject, "atol");
  seam_watch_now (self->view, redraw, self->source, "difference slice client");
  seam_watch_now (self->view, redraw, look, "unit within tiles against-tiles");
  seam_figure_view_set_minimum_width (self->view, MINIMUM_WIDTH);
  seam_figure_view_set_minimum_height (self->view, MINIMUM_HEIGHT);
  seam_figure_view_set_builder (self->view, build_cb, self, NULL);
  seam_figure_view_set_tooltip_func (self->view, describe_cell, self);
  seam_figure_view_set_focus_kinds (self->view, SEAM_HIT_CELL);
  g_signal_connect (self->view, "hit-dragged", G_CALLBACK (dragged_cb), self);
  g_signal_connect (self->view, "hit-hovered", G_CALLBACK (hovered_cb), self);
  seam_watch_now (self, G_CALLBACK (place_cb), navigator, "place");
  seam_difference_add_arrow_keys (GTK_WIDGET (self->view), move_cb, self);
}
