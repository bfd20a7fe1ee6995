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
#define KEY_ROW    20.0
#define PANEL      210.0
#define PANEL_GAP  34.0
#define MIN_WIDTH  640.0
#define MAX_CELL_W 110.0
#define MAX_CELL_H 46.0
#define MIN_CELL_H 22.0
/* From here on steps in the same proportion are seen better than equal ones. */
#define LOG_RANGE 8.0

static void
place_keys (SeamSweepLayout *layout, const SeamSweep *sweep)
{
  double x = 0, y = 4;

  layout->titles = g_strdupv (sweep->plans);
  for (int i = 0; i < layout->n_plans; i++) {
    double needed = 58 + seam_paint_measure (layout->titles[i], 13, SEAM_REGULAR) + 22;
    if (x > 0 && x + needed > layout->width) {
      x = 0;
      y += KEY_ROW + 8;
    }
    if (needed > layout->width) {
      char *fitted = seam_paint_ellipsize (layout->titles[i], layout->width - 80, 13, SEAM_REGULAR);
      g_free (layout->titles[i]);
      layout->titles[i] = fitted;
    }
    layout->key_x[i] = x;
    layout->key_y[i] = y;
    x += needed;
  }
  layout->height = y + KEY_ROW + 10;
}

static gboolean
is_log (const SeamSweepAxis *axis)
{
  return axis->n_values > 2
         && (double)axis->values[axis->n_values - 1] >= LOG_RANGE * (double)axis->values[0];
}

/* --- one axis --- */

static void
place_values (SeamSweepLayout *layout, const SeamSweepAxis *axis)
{
  double width = layout->width - LEFT - RIGHT, first = (double)axis->values[0];
  double last = (double)axis->values[axis->n_values - 1], free_from = -INFINITY;
  gboolean use_log = is_log (axis);

  for (int i = 0; i < layout->n_x; i++) {
    double value = (double)axis->values[i], t = .5;
    g_autofree char *text = seam_text_count (axis->values[i]);
    double half = seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_REGULAR) / 2;

    if (last > first)
      t = use_log ? log (value / first) / log (last / first) : (value - first) / (last - first);
    layout->x[i] = LEFT + 16 + t * (width - 32);
    if (layout->x[i] - half < free_from)
      continue;
    free_from = layout->x[i] + half + 8;
    layout->x_texts[i] = g_steal_pointer (&text);
  }
}

/* 1, 2, 5 times powers of ten between the ends; `scale` logarithmic. */
static int
choose_log_ticks (double low, double high, double *ticks, int max)
{
  static const double mantissas[] = { 1, 2, 5 };
  gboolean decades_only = log10 (high / low) > 3.5;
  int n = 0;

  for (double power = pow (10, floor (log10 (low))); power <= high && n < max; power *= 10)
    for (int i = 0; i < (decades_only ? 1 : 3) && n < max; i++) {
      double value = power * mantissas[i];
      if (value >= low * .999 && value <= high * 1.001)
        ticks[n++] = value;
    }
  return n;
}

static void
fill_times (SeamSweepLayout *layout, const SeamSweep *sweep, SeamSweepPanel *panel)
{
  double low = INFINITY, high = 0, ticks[16];
  SeamUnit unit;
  gboolean any;

  for (int i = 0; i < sweep->survey->n_points; i++) {
    double ns = sweep->survey->points[i].median_ns;
    if (sweep->survey->points[i].state != SEAM_POINT_MEASURED)
      continue;
    low = fmin (low, ns);
    high = fmax (high, ns);
  }
  any = high > 0;
  if (!any)
    low = high = 1;
  unit = seam_unit_for_time (high);
  panel->title = any ? g_strdup_printf ("Elapsed, median (%s)", unit.name)
                     : g_strdup ("Elapsed, median: nothing is measured yet");
  low = low / unit.scale / 1.15;
  high = high / unit.scale * 1.15;
  /* At least one whole step, so that the axis says where it is. */
  if (high < 2.2 * low) {
    low /= 1.5;
    high *= 1.5;
  }
  panel->n_ticks = any ? choose_log_ticks (low, high, ticks, G_N_ELEMENTS (ticks)) : 0;
  for (int i = 0; i < panel->n_ticks; i++) {
    panel->tick_y[i] =
        panel->plot.y + panel->plot.height * (1 - log (ticks[i] / low) / log (high / low));
    panel->tick_texts[i] = seam_map_scale_format (ticks[i]);
  }
  for (int plan = 0; plan < layout->n_plans; plan++)
    for (int x = 0; x < layout->n_x; x++) {
      const SeamPoint *point = &sweep->survey->points[seam_sweep_get_point (sweep, x, 0, plan)];
      SeamSweepMark *mark = &panel->marks[plan * layout->n_x + x];
      const double values[] = { point->median_ns, point->ci_low_ns, point->ci_high_ns };
      double places[3];

      for (int k = 0; k < 3; k++)
        places[k] =
            panel->plot.y
            + panel->plot.height
                  * (1 - CLAMP (log (values[k] / unit.scale / low) / log (high / low), 0, 1));
      *mark = (SeamSweepMark){ layout->x[x], places[0], places[1], places[2] };
      if (point->state != SEAM_POINT_MEASURED)
        mark->y = mark->low_y = mark->high_y = NAN;
      if (isnan (point->ci_low_ns) || isnan (point->ci_high_ns))
        mark->low_y = mark->high_y = NAN;
    }
}

static void
fill_ratios (SeamSweepLayout *layout, const SeamSweep *sweep, SeamSweepPanel *panel)
{
  double most = 1, end = 1;
  SeamAxis axis;

  for (int pass = 0; pass < 2; pass++) {
    if (pass == 1) {
      axis = seam_axis_from_zero (most * 1.05, 5);
      end = seam_axis_get_end (&axis);
      panel->n_ticks = MIN (axis.n_ticks, (int)G_N_ELEMENTS (panel->tick_y));
      for (int i = 0; i < panel->n_ticks; i++) {
        g_autofree char *text = seam_text_fixed (i * axis.step, axis.decimals);
        panel->tick_y[i] = panel->plot.y + panel->plot.height * (1 - i * axis.step / end);
        panel->tick_texts[i] = g_strconcat (i == 0 ? "0" : text, SEAM_TIMES, NULL);
      }
    }
    for (int plan = 0; plan < layout->n_plans; plan++)
      for (int x = 0; x < layout->n_x; x++) {
        const SeamPoint *points = &sweep->survey->points[seam_sweep_get_point (sweep, x, 0, 0)];
        double ratio =
            points[0].state == SEAM_POINT_MEASURED && points[plan].state == SEAM_POINT_MEASURED
                ? points[0].median_ns / points[plan].median_ns
                : NAN;
        if (pass == 0)
          most = ratio > most ? ratio : most;
        else
          panel->marks[plan * layout->n_x + x] =
              (SeamSweepMark){ layout->x[x], panel->plot.y + panel->plot.height * (1 - ratio / end),
                               NAN, NAN };
      }
  }
  panel->title = g_strdup_printf ("Times faster than A");
}

/* The borders of a value's column: halfway to its neighbours. */
static void
get_column (const SeamSweepLayout *layout, int x, double *x1, double *x2)
{
  *x1 = x > 0 ? (layout->x[x - 1] + layout->x[x]) / 2 : LEFT;
  *x2 = x < layout->n_x - 1 ? (layout->x[x] + layout->x[x + 1]) / 2 : layout->width - RIGHT;
}

static void
fill_rows (SeamSweepLayout *layout, const SeamSweep *sweep)
{
  static const char *const labels[] = { "fastest", "tensor fits cache", "launch-bound" };

  for (int row = 0; row < SEAM_SWEEP_N_ROWS; row++) {
    layout->rows[row].label = labels[row];
    layout->rows[row].y = layout->height;
    layout->rows[row].spans = g_new0 (SeamSweepSpan, layout->n_x);
    layout->height += SEAM_SWEEP_ROW + 6;
  }
  for (int x = 0; x < layout->n_x; x++) {
    SeamSweepShape shape;
    double x1, x2;

    seam_sweep_get_shape (sweep, x, 0, &shape);
    get_column (layout, x, &x1, &x2);
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
    panel->marks = g_new0 (SeamSweepMark, layout->n_plans * layout->n_x);
    if (i == 0)
      fill_times (layout, sweep, panel);
    else
      fill_ratios (layout, sweep, panel);
    layout->height = panel->plot.y + PANEL + PANEL_GAP - 12;
  }
  /* The title stands left of the values, under the last label of the upright axis. */
  layout->x_text_y = layout->height - 1;
  layout->height += 24;
  fill_rows (layout, sweep);
}

/* --- two axes --- */

static void
place_cells (SeamSweepLayout *layout, const SeamSweep *sweep)
{
  double cell_w = fmin (MAX_CELL_W, (layout->width - LEFT - RIGHT) / layout->n_x);
  double cell_h = CLAMP (cell_w * .5, MIN_CELL_H, MAX_CELL_H), top = layout->height + 24;
  double free_from = -INFINITY;

  layout->cells = g_new0 (SeamSweepCell, layout->n_x * layout->n_y);
  layout->y_texts = g_new0 (char *, layout->n_y + 1);
  layout->most_gain = 1;
  for (int i = 0; i < layout->n_x * layout->n_y; i++) {
    SeamSweepCell *cell = &layout->cells[i];
    int x = i % layout->n_x, y = i / layout->n_x;
    double gain;

    seam_sweep_get_shape (sweep, x, y, &cell->shape);
    cell->rect = (SeamRect){ LEFT + x * cell_w, top + (layout->n_y - 1 - y) * cell_h, cell_w - 1,
                             cell_h - 1 };
    gain = cell->shape.reference_ns / cell->shape.winner_ns;
    if (gain > layout->most_gain)
      layout->most_gain = gain;
    if (cell->shape.winner >= 0) {
      g_autofree char *ratio = seam_text_ratio (gain);
      cell->text = g_strdup_printf ("%c%s %s", 'A' + cell->shape.winner,
                                    cell->shape.is_clear ? "" : "?", isnan (gain) ? "" : ratio);
      if (seam_paint_measure (cell->text, SEAM_SIZE_SMALL, SEAM_BOLD) > cell_w - 12)
        cell->text[cell->shape.is_clear ? 1 : 2] = '\0';
    } else {
      cell->text = g_strdup ("");
    }
  }
  for (int i = 0; i < layout->n_x * layout->n_y; i++) {
    double gain = layout->cells[i].shape.reference_ns / layout->cells[i].shape.winner_ns;
    layout->cells[i].t =
        layout->most_gain > 1 && gain > 1 ? log (gain) / log (layout->most_gain) : 0;
  }
  for (int x = 0; x < layout->n_x; x++) {
    g_autofree char *text = seam_text_count (sweep->axes[0].values[x]);
    double half = seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_REGULAR) / 2;

    layout->x[x] = LEFT + (x + .5) * cell_w;
    if (layout->x[x] - half < free_from)
      continue;
    free_from = layout->x[x] + half + 8;
    layout->x_texts[x] = g_steal_pointer (&text);
  }
  for (int y = 0; y < layout->n_y; y++)
    layout->y_texts[y] = seam_text_count (sweep->axes[1].values[y]);
  layout->height = top + layout->n_y * cell_h;
  layout->x_text_y = layout->height + 14;
  layout->height += 34 + 3 * 18;
}

/* "Batch", "Height and Width". */
static char *
name_axis (const SeamSweep *sweep, const SeamSweepAxis *axis)
{
  const SeamShapeField *fields = sweep->survey->request->pipeline->fields;
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
  SeamSweepLayout *layout = g_new0 (SeamSweepLayout, 1);
  const SeamDeviceInfo *device = sweep->survey->device;

  layout->width = fmax (width, MIN_WIDTH);
  layout->n_x = seam_sweep_get_n_x (sweep);
  layout->n_y = seam_sweep_get_n_y (sweep);
  layout->n_plans = sweep->n_plans;
  layout->x = g_new0 (double, layout->n_x);
  layout->x_texts = g_new0 (char *, layout->n_x + 1);
  layout->x_title = name_axis (sweep, &sweep->axes[0]);
  if (sweep->n_axes == 2)
    layout->y_title = name_axis (sweep, &sweep->axes[1]);
  if (device != NULL && device->l2_bytes > 0) {
    g_autofree char *bytes = seam_text_bytes ((double)device->l2_bytes);
    layout->cache_text =
        g_strdup_printf ("an intermediate tensor fits the last-level cache of %s", bytes);
  } else {
    layout->cache_text = g_strdup ("an intermediate tensor fits the last-level cache");
  }
  place_keys (layout, sweep);
  if (sweep->n_axes == 2)
    place_cells (layout, sweep);
  else
    place_lines (layout, sweep);
  return layout;
}

void
seam_sweep_layout_free (SeamSweepLayout *layout)
{
  if (layout == NULL)
    return;
  for (int i = 0; i < 2; i++) {
    g_free (layout->panels[i].title);
    g_free (layout->panels[i].marks);
    for (int k = 0; k < layout->panels[i].n_ticks; k++)
      g_free (layout->panels[i].tick_texts[k]);
  }
  for (int i = 0; i < SEAM_SWEEP_N_ROWS; i++)
    g_free (layout->rows[i].spans);
  for (int i = 0; layout->cells != NULL && i < layout->n_x * layout->n_y; i++)
    g_free (layout->cells[i].text);
  for (int i = 0; i < layout->n_x; i++)
    g_free (layout->x_texts[i]);
  g_free (layout->cells);
  g_free (layout->x_texts);
  g_free (layout->x);
  g_strfreev (layout->y_texts);
  g_strfreev (layout->titles);
  g_free (layout->x_title);
  g_free (layout->y_title);
  g_free (layout->cache_text);
  g_free (layout);
}
