/* SPDX-License-Identifier: MIT
 *
 * Places, texts and drawing of the ticks of an axis.
 */
#include "app/figure/axis.h"

#include "app/figure/marks.h"

#include <math.h>

/* Distances from the plot, in addition to those in the header. */
#define NUMBER_LEFT 8.0
#define TITLE_X     10.0 /* middle of the upright title, from the figure's left edge */
#define UNIT_GAP    10.0
#define STROKE      5.0
/* Least distance between two texts. */
#define TEXT_GAP    6.0
#define TEXT_HEIGHT 15.0
#define MARK_SIZE   10.0

/* Smallest of 1, 2, 5 times a power of ten that is >= value. */
static double
round_step (double value)
{
  double power = pow (10, floor (log10 (value)));
  double factor = value / power;

  /* log10 of 0.001 is not exactly -3, so a value slightly over a round number counts as that
   * number. */
  if (factor <= 1 + 1e-9)
    return power;
  if (factor <= 2 + 1e-9)
    return 2 * power;
  if (factor <= 5 + 1e-9)
    return 5 * power;
  return 10 * power;
}

static int
decimals_of (double step)
{
  return step >= 1 - 1e-9 ? 0 : (int)-floor (log10 (step) + 1e-9);
}

double
seam_axis_get_share (const SeamAxis *axis, double value)
{
  if (!(axis->to > axis->from))
    return .5;
  return axis->is_log ? log (value / axis->from) / log (axis->to / axis->from)
                      : (value - axis->from) / (axis->to - axis->from);
}

double
seam_axis_get_px (const SeamAxis *axis, double value)
{
  return axis->start + seam_axis_get_share (axis, value) * (axis->end - axis->start);
}

double
seam_axis_get_value (const SeamAxis *axis, double px)
{
  double share = (px - axis->start) / (axis->end - axis->start);

  return axis->is_log ? axis->from * pow (axis->to / axis->from, share)
                      : axis->from + share * (axis->to - axis->from);
}

double
seam_axis_get_density (const SeamAxis *axis)
{
  return (axis->end - axis->start) / (axis->to - axis->from);
}

static gboolean
collide (const SeamAxis *axis, const SeamTick *a, const SeamTick *b)
{
  double needed = axis->upright ? TEXT_HEIGHT : (a->width + b->width) / 2 + TEXT_GAP;

  return *a->text != '\0' && *b->text != '\0' && fabs (a->px - b->px) < needed;
}

/* If two texts collide, the earlier one is dropped if this one `wins`. */
static void
place_tick (SeamAxis *axis, int index, gboolean wins)
{
  SeamTick *tick = &axis->ticks[index];

  tick->px = seam_axis_get_px (axis, tick->value);
  tick->width = seam_paint_measure (tick->text, SEAM_SIZE_AXIS, SEAM_REGULAR);
  for (int i = 0; i < index; i++)
    if (collide (axis, &axis->ticks[i], tick))
      *(wins ? axis->ticks[i].text : tick->text) = '\0';
}

void
seam_axis_add_tick (SeamAxis *axis, double value, const char *text)
{
  if (axis->n_ticks == SEAM_AXIS_MAX_TICKS)
    return;
  axis->ticks[axis->n_ticks] = (SeamTick){ .value = value };
  g_strlcpy (axis->ticks[axis->n_ticks++].text, text, sizeof axis->ticks->text);
  if (axis->end != axis->start)
    place_tick (axis, axis->n_ticks - 1, TRUE);
}

/* `step` is in the unit. */
static SeamAxis
make_linear (double from, double to, SeamUnit unit, double step)
{
  SeamAxis axis = { .from = from, .to = to, .unit = unit, .step = step * unit.scale };

  for (double i = ceil (from / axis.step - 1e-9); i * axis.step <= to + 1e-9 * axis.step; i++) {
    g_autofree char *text = seam_text_fixed (i * step, decimals_of (step));

    /* Nearly, because a product of 0 and a fraction may be written -0. */
    seam_axis_add_tick (&axis, i * axis.step, i == 0 ? "0" : text);
    if (axis.n_ticks == SEAM_AXIS_MAX_TICKS)
      break;
  }
  return axis;
}

SeamAxis
seam_axis_between (double from, double to, SeamUnit unit, int n_steps)
{
  if (!isfinite (from) || !isfinite (to) || !(to > from)) {
    from = 0;
    to = unit.scale;
  }
  const double length = (to - from) / unit.scale;
  double step = round_step (length / MAX (1, n_steps));
  /* A step longer than the axis leaves a single tick: half of 4.5 is rounded up to 5. */
  if (step > length)
    step = round_step (length / (MAX (1, n_steps) + 1));
  return make_linear (from, to, unit, step);
}

SeamAxis
seam_axis_around (double low, double high, SeamUnit unit, int n_steps)
{
  double step;

  if (!isfinite (low) || !isfinite (high) || !(high > low)) {
    low = -unit.scale;
    high = unit.scale;
  }
  low /= unit.scale;
  high /= unit.scale;
  step = round_step ((high - low) / MAX (1, n_steps));
  low = floor (low / step + 1e-9) * step;
  high = ceil (high / step - 1e-9) * step;
  return make_linear (low * unit.scale, high * unit.scale, unit, step);
}

SeamAxis
seam_axis_from_zero (double largest, SeamUnit unit, int n_steps)
{
  return seam_axis_around (0, isfinite (largest) && largest > 0 ? largest : unit.scale, unit,
                           n_steps);
}

SeamAxis
seam_axis_log (double from, double to, SeamUnit unit, int max_ticks)
{
  static const double mantissas[] = { 1, 2, 5 };
  SeamAxis axis = { .is_log = TRUE, .unit = unit };
  double low, high;
  int n_mantissas, step;

  /* A value that has no logarithm comes from a damaged file. */
  if (!(from > 0) || !isfinite (to) || !(to > from)) {
    from = unit.scale;
    to = 10 * unit.scale;
  }
  axis.from = from;
  axis.to = to;
  low = log10 (from / unit.scale);
  high = log10 (to / unit.scale);
  n_mantissas = 3 * (high - low) <= max_ticks ? 3 : 1;
  step = n_mantissas == 3 ? 1 : 1 + (int)((high - low) / MAX (1, max_ticks));
  for (int power = (int)floor (low) / step * step - step; power <= high + 1e-9; power += step)
    for (int i = 0; i < n_mantissas; i++) {
      double value = mantissas[i] * pow (10, power);
      g_autofree char *text = seam_map_scale_format (value);

      if (log10 (value) >= low - 1e-9 && log10 (value) <= high + 1e-9)
        seam_axis_add_tick (&axis, value * unit.scale, text);
    }
  return axis;
}

SeamAxis
seam_axis_of_scale (const SeamMapScale *scale, SeamUnit unit)
{
  SeamAxis axis = {
    .from = scale->low * unit.scale, .to = scale->high * unit.scale, .is_log = TRUE, .unit = unit
  };
  double values[12];
  int n = seam_map_scale_ticks (scale, values, G_N_ELEMENTS (values));

  /* The ends come first, because their texts are required. */
  for (int i = 0; i < n; i++) {
    double value = values[i < 2 ? i * (n - 1) : i - 1];
    g_autofree char *text = seam_map_scale_format (value);

    seam_axis_add_tick (&axis, value * unit.scale, text);
  }
  return axis;
}

SeamAxis
seam_axis_of_elements (gint64 first, gint64 n, int max_ticks)
{
  gint64 step = seam_axis_index_step (n, max_ticks);
  SeamAxis axis = { .from = (double)first, .to = (double)(first + n), .unit.scale = 1 };

  for (gint64 tick = (first + step - 1) / step * step; tick <= first + n; tick += step) {
    g_autofree char *text = seam_text_count (tick);

    seam_axis_add_tick (&axis, (double)tick, text);
  }
  return axis;
}

SeamAxis
seam_axis_of_samples (gint64 n, int max_ticks)
{
  gint64 step = seam_axis_index_step (MAX (1, n), max_ticks);
  SeamAxis axis = { .from = .5, .to = (double)MAX (1, n) + .5, .unit.scale = 1 };

  for (gint64 tick = 0; tick <= n; tick += step) {
    g_autofree char *text = seam_text_count (MAX (1, tick));

    seam_axis_add_tick (&axis, (double)MAX (1, tick), text);
  }
  return axis;
}

/* Whether the multiples of a number are easy to read: a small number, or a multiple of 8 or 25. */
static gboolean
is_plain_step (gint64 step)
{
  return step < 10 || step % 8 == 0 || step % 25 == 0;
}

gint64
seam_axis_index_step (gint64 n, int max_ticks)
{
  gint64 step = 1;

  n = MAX (n, 1);
  max_ticks = MAX (max_ticks, 1);
  if (n <= max_ticks)
    return 1;

  for (gint64 parts = 2; parts <= max_ticks; parts *= 2)
    if (n % parts == 0)
      step = n / parts;
  if (n / step <= max_ticks && (n / step) * 2 > max_ticks && is_plain_step (step))
    return step;
  return MAX (1, (gint64)llround (round_step ((double)n / max_ticks)));
}

void
seam_axis_decorate (SeamAxis *axis, const char *plus, const char *suffix)
{
  for (int i = 0; i < axis->n_ticks; i++) {
    SeamTick *tick = &axis->ticks[i];
    g_autofree char *text =
        g_strconcat (tick->value > axis->step / 2 ? plus : "", tick->text, suffix, NULL);

    g_strlcpy (tick->text, text, sizeof tick->text);
  }
}

/* ---- places ---- */

static void
place (SeamAxis *axis, double start, double end, gboolean upright)
{
  axis->start = start;
  axis->end = end;
  axis->upright = upright;
  for (int i = 0; i < axis->n_ticks; i++)
    place_tick (axis, i, FALSE);
}

void
seam_axis_place_x (SeamAxis *axis, double start, double end)
{
  place (axis, start, end, FALSE);
}

void
seam_axis_place_y (SeamAxis *axis, double start, double end)
{
  place (axis, start, end, TRUE);
}

void
seam_axis_set_mark (SeamAxis *axis, double value, const char *text, double right)
{
  double half = seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_BOLD) / 2;
  double first = axis->n_ticks > 0 ? axis->ticks[0].px + axis->ticks[0].width / 2 : axis->start;

  g_strlcpy (axis->mark_text, text, sizeof axis->mark_text);
  axis->mark_px = seam_axis_get_px (axis, value);
  axis->mark_text_px = fmin (fmax (axis->mark_px, first + TEXT_GAP + half), right - half);
  for (int i = 1; i < axis->n_ticks; i++) {
    SeamTick *tick = &axis->ticks[i];

    if (fabs (tick->px - axis->mark_text_px) < half + tick->width / 2 + UNIT_GAP)
      *tick->text = '\0';
  }
}

char *
seam_unit_format (SeamUnit unit, double value, int digits)
{
  g_autofree char *number = seam_text_significant (value / unit.scale, digits);

  return isnan (value) ? g_steal_pointer (&number) : g_strdup_printf ("%s %s", number, unit.name);
}

/* ---- drawing ---- */

void
seam_axis_draw_grid (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                     const SeamPalette *palette)
{
  for (int i = 0; i < axis->n_ticks; i++) {
    double px = floor (axis->ticks[i].px) + .5;

    if (axis->upright)
      seam_paint_line (cr, &palette->grid, 1, plot->x, px, plot->x + plot->width, px);
    else
      seam_paint_line (cr, &palette->grid, 1, px, plot->y, px, plot->y + plot->height);
  }
}

void
seam_axis_draw_strokes (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                        const SeamPalette *palette)
{
  double foot = plot->y + plot->height;

  for (int i = 0; i < axis->n_ticks; i++) {
    double px = floor (axis->ticks[i].px) + .5;

    if (axis->upright)
      seam_paint_line (cr, &palette->dim_text, 1, plot->x - STROKE, px, plot->x, px);
    else
      seam_paint_line (cr, &palette->dim_text, 1, px, foot, px, foot + STROKE);
  }
}

void
seam_axis_draw_numbers (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr,
                        const SeamPalette *palette)
{
  for (int i = 0; i < axis->n_ticks; i++) {
    double px = floor (axis->ticks[i].px) + .5;

    if (axis->upright)
      seam_paint_text (cr, &palette->dim_text, axis->ticks[i].text, plot->x - NUMBER_LEFT,
                       px + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS, SEAM_REGULAR,
                       SEAM_ALIGN_END);
    else
      seam_paint_text (cr, &palette->dim_text, axis->ticks[i].text, px,
                       plot->y + plot->height + SEAM_AXIS_NUMBER_BELOW, SEAM_SIZE_AXIS,
                       SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
  }
  if (*axis->mark_text == '\0')
    return;
  seam_mark_draw (cr, SEAM_MARK_TRIANGLE, axis->mark_px, plot->y + plot->height, MARK_SIZE,
                  &palette->text, NULL, 0);
  seam_paint_text (cr, &palette->text, axis->mark_text, axis->mark_text_px,
                   plot->y + plot->height + SEAM_AXIS_NUMBER_BELOW, SEAM_SIZE_AXIS, SEAM_BOLD,
                   SEAM_ALIGN_MIDDLE);
}

void
seam_axis_draw_title (const SeamAxis *axis, const SeamRect *plot, const char *title, cairo_t *cr,
                      const SeamPalette *palette)
{
  g_autofree char *text = axis->unit.name != NULL
                              ? g_strdup_printf ("%s (%s)", title, axis->unit.name)
                              : g_strdup (title);

  if (axis->upright)
    seam_paint_text_upwards (cr, &palette->dim_text, text, TITLE_X, plot->y + plot->height / 2,
                             SEAM_SIZE_AXIS, SEAM_REGULAR);
  else
    seam_paint_text (cr, &palette->dim_text, text, plot->x + plot->width / 2,
                     plot->y + plot->height + SEAM_AXIS_TITLE_BELOW, SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_MIDDLE);
}

static void
draw_unit (const SeamAxis *axis, const SeamRect *plot, cairo_t *cr, const SeamPalette *palette)
{
  double end = *axis->mark_text == '\0'
                   ? axis->start
                   : axis->mark_text_px
                         + seam_paint_measure (axis->mark_text, SEAM_SIZE_AXIS, SEAM_BOLD) / 2;

  for (int i = 0; i < axis->n_ticks; i++)
    if (*axis->ticks[i].text != '\0')
      end = fmax (end, axis->ticks[i].px + axis->ticks[i].width / 2);
  seam_paint_text (cr, &palette->dim_text, axis->unit.name, end + UNIT_GAP,
                   plot->y + plot->height + SEAM_AXIS_NUMBER_BELOW, SEAM_SIZE_AXIS, SEAM_REGULAR,
                   SEAM_ALIGN_START);
}

void
seam_axis_draw (const SeamAxis *axis, const SeamRect *plot, const char *title, cairo_t *cr,
                const SeamPalette *palette)
{
  seam_axis_draw_grid (axis, plot, cr, palette);
  seam_axis_draw_numbers (axis, plot, cr, palette);
  if (title != NULL)
    seam_axis_draw_title (axis, plot, title, cr, palette);
  else
    draw_unit (axis, plot, cr, palette);
}
