/* SPDX-License-Identifier: MIT
 *
 * Places of a sweep's figure: lines over one field, or cells over two.
 */
#include "app/figure/sweep-layout.h"

#include "app/figure/paint.h"

#include <math.h>
#include <string.h>

#define LEFT       112.0
#define RIGHT      24.0
#define MAX_TICKS  11
#define PANEL      210.0
#define PANEL_GAP  34.0
#define MIN_WIDTH  640.0
#define MAX_CELL_W 110.0
#define MAX_CELL_H 46.0
#define MIN_CELL_H 22.0
/* From this range on the axis is logarithmic, which suits steps by a factor better. */
#define LOG_RANGE 8.0

static void
place_legend (SeamSweepLayout *layout, const SeamSweep *sweep)
{
  double swatch = SEAM_BADGE_SIZE + (sweep->n_axes == 2 ? 0 : SEAM_SWEEP_KEY_MARK);

  for (int i = 0; i < layout->n_plans; i++)
    seam_legend_add (&layout->legend, i | sweep->letters[i] << 8, swatch, sweep->plans[i]);
  seam_legend_place (&layout->legend, 0, 4, layout->width);
  layout->height = layout->legend.area.y + layout->legend.area.height + 10;
}

static gboolean
is_log (const SeamSweepAxis *axis)
{
  return axis->n_values > 2
         && (double)axis->values[axis->n_values - 1] >= LOG_RANGE * (double)axis->values[0];
}

/* The values themselves as ticks, as many as an axis can have; `by_number`: equally spaced. */
static void
add_values (SeamAxis *axis, const SeamSweepAxis *values, gboolean by_number)
{
  int step = (values->n_values + SEAM_AXIS_MAX_TICKS - 1) / SEAM_AXIS_MAX_TICKS;

  for (int i = 0; i < values->n_values; i += step) {
    g_autofree char *text = seam_text_count (values->values[i]);

    seam_axis_add_tick (axis, by_number ? i : (double)values->values[i], text);
  }
}

/* --- one axis --- */

static double
get_x (const SeamSweepLayout *layout, const SeamSweep *sweep, int x)
{
  return seam_axis_get_px (&layout->x, (double)sweep->axes[0].values[x]);
}

static void
place_values (SeamSweepLayout *layout, const SeamSweepAxis *axis)
{
  layout->x = (SeamAxis){ .from = (double)axis->values[0],
                          .to = (double)axis->values[axis->n_values - 1],
                          .is_log = is_log (axis) };
  add_values (&layout->x, axis, FALSE);
  seam_axis_place_x (&layout->x, LEFT + 16, layout->width - RIGHT - 16);
}

/* NaN: not known. */
static double
get_time (const SeamPoint *point, gboolean predicted)
{
  if (predicted)
    return seam_sweep_get_predicted (point);
  return point->state == SEAM_POINT_MEASURED ? point->median_ns : NAN;
}

static void
fill_times (SeamSweepLayout *layout, const SeamSweep *sweep, SeamSweepPanel *panel)
{
  const SeamRect *plot = &panel->plot;
  double low = INFINITY, high = 0;
  SeamUnit unit;
  gboolean any;

  for (int i = 0; i < sweep->search->n_points; i++) {
    double ns = get_time (&sweep->search->points[i], layout->is_predicted);
    if (isnan (ns))
      continue;
    low = fmin (low, ns);
    high = fmax (high, ns);
  }
  any = high > 0;
  if (!any)
    low = high = 1;
  unit = seam_unit_for_time (high);
  panel->title = seam_keep (
      layout, layout->is_predicted
                  ? g_strdup_printf ("Predicted (%s), dashed: nothing is measured yet", unit.name)
              : any ? g_strdup_printf ("Elapsed, median (%s)", unit.name)
                    : g_strdup ("Elapsed, median: nothing is measured yet"));
  low /= 1.15;
  high *= 1.15;
  /* At least one whole step, so that the axis has a number. */
  if (high < 2.2 * low) {
    low /= 1.5;
    high *= 1.5;
  }
  panel->y = seam_axis_log (low, high, unit, MAX_TICKS);
  if (!any)
    panel->y.n_ticks = 0;
  seam_axis_place_y (&panel->y, plot->y + plot->height, plot->y);
  for (int plan = 0; plan < layout->n_plans; plan++)
    for (int x = 0; x < layout->n_x; x++) {
      const SeamPoint *point = &sweep->search->points[seam_sweep_get_point (sweep, x, 0, plan)];
      SeamSeriesPoint *mark = &panel->marks[plan * layout->n_x + x];

      double ns = get_time (point, layout->is_predicted);
      *mark = (SeamSeriesPoint){ get_x (layout, sweep, x), seam_axis_get_px (&panel->y, ns),
                                 seam_axis_get_px (&panel->y, fmax (low, point->ci_low_ns)),
                                 seam_axis_get_px (&panel->y, fmin (high, point->ci_high_ns)) };
      if (isnan (ns))
        mark->y = mark->low_y = mark->high_y = NAN;
      if (layout->is_predicted || isnan (point->ci_low_ns) || isnan (point->ci_high_ns))
        mark->low_y = mark->high_y = NAN;
    }
}

static void
fill_ratios (SeamSweepLayout *layout, const SeamSweep *sweep, SeamSweepPanel *panel)
{
  const SeamRect *plot = &panel->plot;
  double most = 1;

  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      panel->y = seam_axis_from_zero (most * 1.05, (SeamUnit){ NULL, 1 }, 5);
      seam_axis_decorate (&panel->y, "", SEAM_TIMES);
      seam_axis_place_y (&panel->y, plot->y + plot->height, plot->y);
    }
    for (int plan = 0; plan < layout->n_plans; plan++)
      for (int x = 0; x < layout->n_x; x++) {
        const SeamPoint *points = &sweep->search->points[seam_sweep_get_point (sweep, x, 0, 0)];
        double ratio = get_time (&points[0], layout->is_predicted)
                       / get_time (&points[plan], layout->is_predicted);
        if (pass == 0)
          most = ratio > most ? ratio : most;
        else
          panel->marks[plan * layout->n_x + x] =
              (SeamSeriesPoint){ get_x (layout, sweep, x), seam_axis_get_px (&panel->y, ratio), NAN,
                                 NAN };
      }
  }
  panel->title = layout->is_predicted ? "Times faster than the first plan, predicted"
                                      : "Times faster than the first plan";
}

/* The borders of a value's column: halfway to its neighbours. */
static void
get_column (const SeamSweepLayout *layout, const SeamSweep *sweep, int x, double *x1, double *x2)
{
  *x1 = x > 0 ? (get_x (layout, sweep, x - 1) + get_x (layout, sweep, x)) / 2 : LEFT;
  *x2 = x < layout->n_x - 1 ? (get_x (layout, sweep, x) + get_x (layout, sweep, x + 1)) / 2
                            : layout->width - RIGHT;
}

static void
fill_rows (SeamSweepLayout *layout, const SeamSweep *sweep)
{
  static const char *const labels[] = { "fastest", "tensor fits cache", "launch-bound" };

  for (int row = 0; row < SEAM_SWEEP_N_ROWS; row++) {
    layout->rows[row].label = labels[row];
    layout->rows[row].y = layout->height;
    layout->rows[row].spans = seam_keep (layout, g_new0 (SeamSweepSpan, layout->n_x));
    layout->height += SEAM_SWEEP_ROW + 6;
  }
  for (int x = 0; x < layout->n_x; x++) {
    SeamSweepShape shape;
    double x1, x2;

    seam_sweep_get_shape (sweep, x, 0, &shape);
    get_column (layout, sweep, x, &x1, &x2);
    const int values[] = { shape.winner, shape.fits_cache ? 0 : -1, shape.launch_bound ? 0 : -1 };
    for (int row = 0; row < SEAM_SWEEP_N_ROWS; row++) {
      SeamSweepRow *strip = &layout->rows[row];
      SeamSweepSpan *last = strip->n_spans > 0 ? &strip->spans[strip->n_spans - 1] : NULL;
      if (values[row] < 0)
        continue;
      gboolean is_clear = row > 0 || shape.is_clear;
      if (last != NULL && last->plan == values[row] && last->is_clear == is_clear
          && last->x2 >= x1 - .01)
        last->x2 = x2;
      else
        strip->spans[strip->n_spans++] = (SeamSweepSpan){ x1, x2, values[row], is_clear };
    }
  }
}

static void
place_lines (SeamSweepLayout *layout, const SeamSweep *sweep)
{
  layout->n_panels = layout->n_plans > 1 ? 2 : 1;
  place_values (layout, &sweep->axes[0]);
  for (int i = 0; i < layout->n_panels; i++) {
    SeamSweepPanel *panel = &layout->panels[i];

    panel->plot = (SeamRect){ LEFT, layout->height + 22, layout->width - LEFT - RIGHT, PANEL };
    panel->marks = seam_keep (layout, g_new0 (SeamSeriesPoint, layout->n_plans * layout->n_x));
    if (i == 0)
      fill_times (layout, sweep, panel);
    else
      fill_ratios (layout, sweep, panel);
    layout->height = panel->plot.y + PANEL + PANEL_GAP - 12;
  }
  layout->height += SEAM_AXIS_TITLE_BELOW - 10;
  fill_rows (layout, sweep);
}

/* --- two axes --- */

static void
place_cells (SeamSweepLayout *layout, const SeamSweep *sweep)
{
  double cell_w = fmin (MAX_CELL_W, (layout->width - LEFT - RIGHT) / layout->n_x);
  double cell_h = CLAMP (cell_w * .5, MIN_CELL_H, MAX_CELL_H), top = layout->height + 24;

  layout->cells = seam_keep (layout, g_new0 (SeamSweepCell, layout->n_x * layout->n_y));
  layout->map = (SeamRect){ LEFT, top, layout->n_x * cell_w, layout->n_y * cell_h };
  layout->most_gain = 1;
  for (int i = 0; i < layout->n_x * layout->n_y; i++) {
    SeamSweepCell *cell = &layout->cells[i];
    int x = i % layout->n_x, y = i / layout->n_x;
    double gain;

    if (layout->is_predicted)
      seam_sweep_predict_shape (sweep, x, y, &cell->shape);
    else
      seam_sweep_get_shape (sweep, x, y, &cell->shape);
    cell->rect = (SeamRect){ LEFT + x * cell_w, top + (layout->n_y - 1 - y) * cell_h, cell_w - 1,
                             cell_h - 1 };
    gain = cell->shape.against_ns / cell->shape.winner_ns;
    if (gain > layout->most_gain)
      layout->most_gain = gain;
    if (cell->shape.winner >= 0) {
      g_autofree char *ratio = seam_text_ratio (gain);
      cell->text = seam_keep_printf (layout, "%c%s %s", sweep->letters[cell->shape.winner],
                                     cell->shape.is_clear ? "" : "?", isnan (gain) ? "" : ratio);
      if (seam_paint_measure (cell->text, SEAM_SIZE_SMALL, SEAM_BOLD) > cell_w - 12)
        cell->text[cell->shape.is_clear ? 1 : 2] = '\0';
    } else {
      cell->text = seam_keep (layout, g_strdup (""));
    }
  }
  for (int i = 0; i < layout->n_x * layout->n_y; i++) {
    double gain = layout->cells[i].shape.against_ns / layout->cells[i].shape.winner_ns;
    layout->cells[i].t =
        layout->most_gain > 1 && gain > 1 ? log (gain) / log (layout->most_gain) : 0;
  }
  for (int i = 0; i < 2; i++) {
    SeamAxis *axis = i == 0 ? &layout->x : &layout->y;

    *axis = (SeamAxis){ .from = -.5, .to = sweep->axes[i].n_values - .5 };
    add_values (axis, &sweep->axes[i], TRUE);
  }
  layout->height = top + layout->map.height;
  seam_axis_place_x (&layout->x, LEFT, LEFT + layout->map.width);
  seam_axis_place_y (&layout->y, layout->height, top);
  seam_legend_add (&layout->cell_legend, 0, SEAM_LEGEND_SWATCH, layout->cache_text);
  g_autofree char *launch_bound = g_strdup_printf (
      "launch-bound: kernels of %c run for less than half of its span", sweep->letters[0]);
  seam_legend_add (&layout->cell_legend, 1, SEAM_LEGEND_SWATCH, launch_bound);
  seam_legend_place (&layout->cell_legend, 0, layout->height + SEAM_AXIS_TITLE_BELOW + 28,
                     layout->width);
  layout->height = layout->cell_legend.area.y + layout->cell_legend.area.height + 4;
}

/* "Batch", "Height and Width". */
static char *
name_axis (const SeamSweep *sweep, const SeamSweepAxis *axis)
{
  const SeamShapeField *fields = sweep->search->request->pipeline->fields;
  GString *text = g_string_new (fields[axis->fields[0]].label);
  const char *unit = fields[axis->fields[0]].unit;

  for (int i = 1; i < axis->n_fields; i++)
    g_string_append_printf (text, " = %s", fields[axis->fields[i]].label);
  if (unit != NULL && *unit != '\0')
    g_string_append_printf (text, " (%s)", unit);
  return g_string_free (text, FALSE);
}

SeamSweepLayout *
seam_sweep_layout_new (const SeamSweep *sweep, double width)
{
  SeamSweepLayout *layout = seam_owner_new (SeamSweepLayout);
  const SeamDeviceInfo *device = sweep->search->device;

  seam_keep_full (layout, &layout->legend, (GDestroyNotify)seam_legend_clear);
  seam_keep_full (layout, &layout->cell_legend, (GDestroyNotify)seam_legend_clear);
  layout->width = fmax (width, MIN_WIDTH);
  layout->n_x = seam_sweep_get_n_x (sweep);
  layout->n_y = seam_sweep_get_n_y (sweep);
  layout->n_plans = sweep->n_plans;
  /* Before anything is measured, the prediction stands in its place. */
  layout->is_predicted = seam_sweep_is_predicted (sweep);
  layout->x_title = seam_keep (layout, name_axis (sweep, &sweep->axes[0]));
  if (sweep->n_axes == 2)
    layout->y_title = seam_keep (layout, name_axis (sweep, &sweep->axes[1]));
  if (device != NULL && device->l2_bytes > 0) {
    g_autofree char *bytes = seam_text_bytes ((double)device->l2_bytes);
    layout->cache_text =
        seam_keep_printf (layout, "an intermediate tensor fits the last-level cache of %s", bytes);
  } else {
    layout->cache_text = "an intermediate tensor fits the last-level cache";
  }
  memcpy (layout->letters, sweep->letters, sizeof layout->letters);
  place_legend (layout, sweep);
  if (sweep->n_axes == 2)
    place_cells (layout, sweep);
  else
    place_lines (layout, sweep);
  return layout;
}
