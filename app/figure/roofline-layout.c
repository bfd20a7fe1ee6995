/* SPDX-License-Identifier: MIT
 *
 * Layout of the roofline. Axes cover whole decades, so that ticks are powers of ten.
 */
#include "app/figure/roofline-layout.h"

#include "app/figure/paint.h"

#include <math.h>
#include <string.h>

#define LEFT        66.0 /* ticks and title of the upright axis */
#define RIGHT       20.0
#define MAX_TICKS   8
#define TOP         20.0
#define BOTTOM      42.0
#define MARK_KERNEL 9.0
#define MARK_PLAN   15.0
#define LABEL_SIZE  12.0
#define HALF_TEXT   6.0  /* of a bound's label, upright */
#define LABEL_STEP  16.0 /* by which such a label is moved */
#define BELOW       15.0 /* from a level bound to the baseline of a label below it */
#define N_ALONG     40   /* points that stand for a line */
#define MIN_HEIGHT  260.0
#define MAX_HEIGHT  460.0
#define ASPECT      .46

static void
widen (double *low, double *high, double value)
{
  if (!(value > 0) || !isfinite (value))
    return;
  *low = fmin (*low, log10 (value));
  *high = fmax (*high, log10 (value));
}

/* The range of the axes: every point, every level bound, and the point where the memory bound meets
 * the highest of them. */
static void
choose_axes (SeamRooflineLayout *layout, const SeamRoofline *roofline)
{
  double x_low = INFINITY, x_high = -INFINITY, y_low = INFINITY, y_high = -INFINITY;
  double slowest = NAN, fastest = NAN, highest = NAN;

  for (int i = 0; i < roofline->n_points; i++) {
    widen (&x_low, &x_high, roofline->points[i].intensity);
    widen (&y_low, &y_high, roofline->points[i].rate);
  }
  for (int i = 0; i < roofline->n_bounds; i++) {
    const SeamRooflineBound *bound = &roofline->bounds[i];

    if (bound->kind == SEAM_BOUND_MEMORY) {
      slowest = fmin (slowest, bound->rate);
      fastest = fmax (fastest, bound->rate);
    } else {
      widen (&y_low, &y_high, bound->rate);
      highest = fmax (highest, bound->rate);
    }
  }
  widen (&x_low, &x_high, highest / slowest);
  widen (&x_low, &x_high, highest / fastest);
  if (!isfinite (x_low)) {
    x_low = -1;
    x_high = 2;
  }
  if (!isfinite (y_low)) {
    y_low = 9;
    y_high = 13;
  }
  x_low = pow (10, floor (x_low - .1));
  x_high = pow (10, ceil (x_high + .25));
  y_low = pow (10, floor (y_low - .1));
  y_high = pow (10, ceil (y_high + .15));
  layout->x = seam_axis_log (x_low, x_high, (SeamUnit){ "FLOP/B", 1 }, MAX_TICKS);
  layout->y = seam_axis_log (y_low, y_high, seam_unit_for_flop_rate (y_high / 2), MAX_TICKS);
  seam_axis_place_x (&layout->x, layout->plot.x, layout->plot.x + layout->plot.width);
  seam_axis_place_y (&layout->y, layout->plot.y + layout->plot.height, layout->plot.y);
}

/* ---- lines ---- */

static char *
describe_bound (const SeamRooflineBound *bound)
{
  g_autofree char *rate = bound->kind == SEAM_BOUND_MEMORY ? seam_text_rate (bound->rate)
                                                           : seam_text_flop_rate (bound->rate);

  return g_strdup_printf ("%s %s, %s", bound->label, rate,
                          bound->measured ? "measured" : "data sheet");
}

/* The bandwidth of the fastest level of memory: that of the cache, if it is known. */
static double
get_bandwidth (const SeamRoofline *roofline)
{
  double bandwidth = NAN;

  for (int i = 0; i < roofline->n_bounds; i++)
    if (roofline->bounds[i].kind == SEAM_BOUND_MEMORY)
      bandwidth = fmax (bandwidth, roofline->bounds[i].rate);
  return bandwidth;
}

/* A bandwidth rises to the highest level bound; a level bound begins where a bandwidth reaches
 * it. */
static void
place_line (SeamRooflineLayout *layout, const SeamRoofline *roofline, int index)
{
  const SeamRooflineBound *bound = &roofline->bounds[index];
  SeamRooflineLine *line = &layout->lines[index];
  double left = layout->plot.x, right = layout->plot.x + layout->plot.width;
  double bandwidth = get_bandwidth (roofline);

  line->kind = bound->kind;
  line->in_force = bound->in_force;
  line->is_cache = bound->is_cache;
  line->label = seam_keep (layout, describe_bound (bound));
  line->label_width = seam_paint_measure (line->label, LABEL_SIZE, SEAM_REGULAR);
  if (bound->kind == SEAM_BOUND_ARITHMETIC) {
    line->y1 = line->y2 = seam_axis_get_px (&layout->y, bound->rate);
    line->x1 = isnan (bandwidth)
                   ? left
                   : fmax (left, seam_axis_get_px (&layout->x, bound->rate / bandwidth));
    line->x2 = right;
    line->label_x = right - line->label_width / 2 - 4;
    line->label_y = line->y1 - 5;
    return;
  }
  {
    double highest = NAN, x_end = layout->x.to, x_begin = layout->x.from;
    double bottom = layout->y.from, top = layout->y.to, along;

    for (int i = 0; i < roofline->n_bounds; i++)
      if (roofline->bounds[i].kind == SEAM_BOUND_ARITHMETIC)
        highest = fmax (highest, roofline->bounds[i].rate);
    x_begin = fmax (x_begin, bottom / bound->rate);
    x_end = fmin (x_end, fmin (top, highest) / bound->rate);
    line->x1 = seam_axis_get_px (&layout->x, x_begin);
    line->y1 = seam_axis_get_px (&layout->y, x_begin * bound->rate);
    line->x2 = seam_axis_get_px (&layout->x, x_end);
    line->y2 = seam_axis_get_px (&layout->y, x_end * bound->rate);
    line->label_angle = atan2 (line->y2 - line->y1, line->x2 - line->x1);
    /* A third of the way up, above the line; the cache's label is higher, so that labels do not
     * meet. */
    along = bound->is_cache ? .62 : .36;
    line->label_x = line->x1 + along * (line->x2 - line->x1) + 6 * sin (line->label_angle);
    line->label_y = line->y1 + along * (line->y2 - line->y1) - 6 * cos (line->label_angle);
  }
}

/* A label that would cover a line close above its own is put below. */
static void
part_labels (SeamRooflineLayout *layout)
{
  for (int i = 0; i < layout->n_lines; i++)
    for (int k = 0; k < layout->n_lines; k++) {
      SeamRooflineLine *line = &layout->lines[i];
      const SeamRooflineLine *other = &layout->lines[k];

      if (i != k && line->kind == SEAM_BOUND_ARITHMETIC && other->kind == SEAM_BOUND_ARITHMETIC
          && other->y1 <= line->y1 && line->y1 - other->y1 < 20)
        line->label_y = line->y1 + BELOW;
    }
}

/* ---- marks ---- */

static gboolean
overlap (const SeamRect *a, const SeamRect *b)
{
  return a->x < b->x + b->width && b->x < a->x + a->width && a->y < b->y + b->height
         && b->y < a->y + a->height;
}

static SeamRect
get_mark_rect (const SeamRooflineMark *mark)
{
  return (SeamRect){ mark->x - mark->size / 2 - 1, mark->y - mark->size / 2 - 1, mark->size + 2,
                     mark->size + 2 };
}

/* The line through the middle of a bound's label. */
static void
get_text_line (const SeamRooflineLine *line, double ends[4])
{
  double dx = cos (line->label_angle) * line->label_width / 2;
  double dy = sin (line->label_angle) * line->label_width / 2;
  double x = line->label_x + 4 * sin (line->label_angle);
  double y = line->label_y - 4 * cos (line->label_angle);

  ends[0] = x - dx;
  ends[1] = y - dy;
  ends[2] = x + dx;
  ends[3] = y + dy;
}

static gboolean
crosses_text (const SeamRect *rect, const SeamRooflineLine *line)
{
  double ends[4];

  get_text_line (line, ends);
  return seam_rect_is_crossed (rect, ends[0], ends[1], ends[2], ends[3]);
}

/* Whether a bound's label lies over a mark or over the line that joins the plans. */
static gboolean
covers_marks (const SeamRooflineLayout *layout, const SeamRooflineLine *line)
{
  for (int i = 0; i < layout->n_marks; i++) {
    SeamRect mark = get_mark_rect (&layout->marks[i]);

    mark = (SeamRect){ mark.x - HALF_TEXT, mark.y - HALF_TEXT, mark.width + 2 * HALF_TEXT,
                       mark.height + 2 * HALF_TEXT };
    if (crosses_text (&mark, line))
      return TRUE;
  }
  for (int i = 0; i <= N_ALONG && layout->has_join; i++) {
    const double *join = layout->join;
    double x = join[0] + (join[2] - join[0]) * i / N_ALONG;
    double y = join[1] + (join[3] - join[1]) * i / N_ALONG;
    SeamRect point = { x - HALF_TEXT, y - HALF_TEXT, 2 * HALF_TEXT, 2 * HALF_TEXT };

    if (crosses_text (&point, line))
      return TRUE;
  }
  return FALSE;
}

/* Whether it lies over the label of another bound or over another bound itself. */
static void
find_covered (const SeamRooflineLayout *layout, const SeamRooflineLine *line, int index,
              gboolean *labels, gboolean *bounds)
{
  double ends[4];

  *labels = *bounds = FALSE;
  get_text_line (line, ends);
  for (int i = 0; i <= N_ALONG; i++) {
    double x = ends[0] + (ends[2] - ends[0]) * i / N_ALONG;
    double y = ends[1] + (ends[3] - ends[1]) * i / N_ALONG;
    SeamRect point = { x - HALF_TEXT, y - HALF_TEXT, 2 * HALF_TEXT, 2 * HALF_TEXT };

    for (int k = 0; k < layout->n_lines; k++) {
      const SeamRooflineLine *other = &layout->lines[k];

      *labels |= k != index && crosses_text (&point, other);
      *bounds |=
          k != index && seam_rect_is_crossed (&point, other->x1, other->y1, other->x2, other->y2);
    }
  }
}

static gboolean
is_inside (const SeamRooflineLayout *layout, const SeamRooflineLine *line)
{
  double ends[4];

  get_text_line (line, ends);
  return seam_rect_contains (&layout->plot, ends[0], ends[1])
         && seam_rect_contains (&layout->plot, ends[2], ends[3]);
}

/* Moves a bound's label that lies over marks to the nearest place along its line where it lies over
 * nothing, that of a level bound also below it; if there is none, it stays. A bound that runs close
 * beside its own is below the label anywhere. */
static void
clear_label (SeamRooflineLayout *layout, int index)
{
  SeamRooflineLine *line = &layout->lines[index];
  double length = hypot (line->x2 - line->x1, line->y2 - line->y1);
  double across = (line->x2 - line->x1) / fmax (length, 1);
  double down = (line->y2 - line->y1) / fmax (length, 1);
  int n_sides = line->kind == SEAM_BOUND_ARITHMETIC ? 2 : 1;
  gboolean on_label, on_bound, was_on_bound;

  if (!covers_marks (layout, line))
    return;
  find_covered (layout, line, index, &on_label, &was_on_bound);
  for (double by = 0; by < length; by += LABEL_STEP)
    for (int place = 0; place < 2 * n_sides; place++) {
      double step = place % 2 == 0 ? -by : by;
      SeamRooflineLine moved = *line;

      moved.label_x += step * across;
      moved.label_y += step * down;
      if (place >= 2)
        moved.label_y = line->y1 + BELOW;
      if (!is_inside (layout, &moved) || covers_marks (layout, &moved))
        continue;
      find_covered (layout, &moved, index, &on_label, &on_bound);
      if (on_label || (on_bound && !was_on_bound))
        continue;
      *line = moved;
      return;
    }
}

static gboolean
is_free (const SeamRooflineLayout *layout, const SeamRect *rect)
{
  const SeamRect *plot = &layout->plot;

  if (rect->x < plot->x + 2 || rect->x + rect->width > plot->x + plot->width
      || rect->y < plot->y - 4 || rect->y + rect->height > plot->y + plot->height)
    return FALSE;
  for (int i = 0; i < layout->n_marks; i++) {
    SeamRect mark = get_mark_rect (&layout->marks[i]);

    if (overlap (rect, &mark)
        || (layout->marks[i].label != NULL && overlap (rect, &layout->marks[i].label_rect)))
      return FALSE;
  }
  for (int i = 0; i < layout->n_lines; i++) {
    const SeamRooflineLine *line = &layout->lines[i];

    if (seam_rect_is_crossed (rect, line->x1, line->y1, line->x2, line->y2)
        || crosses_text (rect, line))
      return FALSE;
  }
  return !layout->has_join
         || !seam_rect_is_crossed (rect, layout->join[0], layout->join[1], layout->join[2],
                                   layout->join[3]);
}

/* If the same kernel of both plans lies in one place, one name is enough. */
static gboolean
is_named (const SeamRooflineLayout *layout, const SeamRooflineMark *mark, const char *text)
{
  for (int i = 0; i < layout->n_marks; i++) {
    const SeamRooflineMark *other = &layout->marks[i];

    if (other->label != NULL && strcmp (other->label, text) == 0
        && hypot (other->x - mark->x, other->y - mark->y) < mark->size)
      return TRUE;
  }
  return FALSE;
}

/* Tries right, left, above and below, and takes the first free place. A mark without a place has no
 * label; its tooltip has the name. */
static void
place_label (SeamRooflineLayout *layout, SeamRooflineMark *mark, const char *text, int weight)
{
  double width = seam_paint_measure (text, LABEL_SIZE, weight), gap = mark->size / 2 + 5;
  const double places[][2] = {
    { mark->x + gap, mark->y - 8 },
    { mark->x - gap - width, mark->y - 8 },
    { mark->x - width / 2, mark->y - gap - 14 },
    { mark->x - width / 2, mark->y + gap - 1 },
    { mark->x + gap, mark->y + 3 },
    { mark->x + gap, mark->y + 17 },
    { mark->x - gap - width, mark->y + 3 },
    { mark->x - gap - width, mark->y - 19 },
  };

  if (is_named (layout, mark, text))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (places); i++) {
    SeamRect rect = { places[i][0], places[i][1], width, 15 };

    if (!is_free (layout, &rect))
      continue;
    mark->label_rect = rect;
    mark->label_x = rect.x;
    mark->label_y = rect.y + 12;
    mark->label = seam_keep (layout, g_strdup (text));
    return;
  }
}

static void
place_marks (SeamRooflineLayout *layout, const SeamRoofline *roofline)
{
  const SeamRooflineMark *plans[2] = { NULL };

  for (int i = 0; i < roofline->n_points; i++) {
    const SeamRooflinePoint *point = &roofline->points[i];

    layout->marks[i] = (SeamRooflineMark){
      .x = seam_axis_get_px (&layout->x, point->intensity),
      .y = seam_axis_get_px (&layout->y, point->rate),
      .size = point->kernel < 0 ? MARK_PLAN : MARK_KERNEL,
      .point = i,
      .side = point->side,
      .kernel = point->kernel,
      .op_kind = point->op_kind,
      .measured = point->measured,
      .over = point->rate > point->attainable,
      .is_cache = point->is_cache,
    };
    if (point->kernel < 0)
      plans[point->side] = &layout->marks[i];
  }
  layout->n_marks = roofline->n_points;
  if (plans[0] != NULL && plans[1] != NULL) {
    layout->has_join = TRUE;
    layout->join[0] = plans[0]->x;
    layout->join[1] = plans[0]->y;
    layout->join[2] = plans[1]->x;
    layout->join[3] = plans[1]->y;
  }
  for (int i = 0; i < layout->n_lines; i++)
    clear_label (layout, i);
  /* Plans first, because their labels are required. */
  for (int pass = 0; pass < 2; pass++)
    for (int i = 0; i < layout->n_marks; i++) {
      SeamRooflineMark *mark = &layout->marks[i];
      const SeamRooflinePoint *point = &roofline->points[i];
      g_autofree char *text = NULL;

      /* The name of a kernel is at its point for memory. */
      if ((point->kernel < 0) != (pass == 0) || point->is_cache)
        continue;
      text = point->kernel < 0
                 ? g_strdup_printf ("%c %s", roofline->letters[point->side], point->label)
                 : g_strdup (point->label);
      place_label (layout, mark, text, point->kernel < 0 ? SEAM_BOLD : SEAM_REGULAR);
    }
}

static void
add_legend (SeamRooflineLayout *layout, const SeamRoofline *roofline)
{
  const char first[] = { roofline->letters[0], '\0' }, second[] = { roofline->letters[1], '\0' };
  g_autofree char *triangles =
      g_strdup_printf ("triangles: bytes of the cache, %s up, %s down", first, second);
  gboolean has_measured = FALSE, has_modelled = FALSE, has_cache = FALSE;

  for (int i = 0; i < roofline->n_points; i++) {
    has_cache = has_cache || roofline->points[i].is_cache;
    has_measured = has_measured || roofline->points[i].measured;
    has_modelled = has_modelled || !roofline->points[i].measured;
  }
  const struct {
    SeamRooflineKey key;
    const char *text;
    gboolean shown;
  } entries[] = {
    { SEAM_ROOFLINE_A, first, TRUE },
    { SEAM_ROOFLINE_B, second, roofline->n_sides > 1 },
    { SEAM_ROOFLINE_LARGE, "large: the whole plan, small: a kernel", TRUE },
    { SEAM_ROOFLINE_MODELLED, "hollow: modelled bytes", has_modelled },
    { SEAM_ROOFLINE_MEASURED, "filled: measured bytes", has_measured },
    { SEAM_ROOFLINE_CACHE, triangles, has_cache },
  };

  seam_keep_full (layout, &layout->legend, (GDestroyNotify)seam_legend_clear);
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].shown)
      seam_legend_add (&layout->legend, entries[i].key, SEAM_LEGEND_SWATCH, entries[i].text);
}

SeamRooflineLayout *
seam_roofline_layout_new (const SeamRoofline *roofline, double width, double height)
{
  SeamRooflineLayout *layout = seam_owner_new (SeamRooflineLayout);

  layout->width = fmax (width, 320);
  add_legend (layout, roofline);
  seam_legend_place (&layout->legend, LEFT, 0, layout->width - LEFT);
  layout->height = height > 0 ? fmax (height, 200 + layout->legend.area.height)
                              : CLAMP (ASPECT * layout->width, MIN_HEIGHT, MAX_HEIGHT)
                                    + layout->legend.area.height;
  seam_legend_place (&layout->legend, LEFT, layout->height - layout->legend.area.height,
                     layout->width - LEFT);
  layout->plot =
      (SeamRect){ LEFT, TOP, layout->width - LEFT - RIGHT, layout->legend.area.y - TOP - BOTTOM };
  choose_axes (layout, roofline);
  layout->lines = seam_keep (layout, g_new0 (SeamRooflineLine, MAX (1, roofline->n_bounds)));
  layout->n_lines = roofline->n_bounds;
  for (int i = 0; i < roofline->n_bounds; i++)
    place_line (layout, roofline, i);
  part_labels (layout);
  layout->marks = seam_keep (layout, g_new0 (SeamRooflineMark, MAX (1, roofline->n_points)));
  place_marks (layout, roofline);
  return layout;
}
