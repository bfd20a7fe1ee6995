/* SPDX-License-Identifier: MIT
 *
 * Overview and slice as figures. The shared drawing is in map-common.c, the legend in
 * map-legend.c.
 */
#include "app/figure/map.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/figure/map-common.h"
#include "app/figure/paint.h"

#include <math.h>

#define WORST_SIDE 64 /* of the square around the worst element; each has several pixels */
/* Least size of a cell in which its number stands. */
#define NUMBER_WIDTH  40
#define NUMBER_HEIGHT 18

typedef struct {
  SeamMapGrid grid;
  gboolean is_slice;
  gint64 frame_row, frame_column, frame_rows, frame_columns; /* in cells; overview */
  gint64 channels_per_group;                                 /* slice of a matrix; 0: none */
  SeamMapScale scale;
  const float *values; /* of the cells, which are large enough for numbers; NULL: none */
  const guint8 *states;
  SeamMapTiles tiles;
} Map;

static const char *
title_axis (Map *map, const char *what, gint64 per_cell)
{
  g_autofree char *count = seam_text_count (per_cell);

  return seam_keep_printf (map, "%s, %s a cell", what, count);
}

/* ---- drawing ---- */

static void
draw_frame (Map *map, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *area = &map->grid.area;
  SeamRect frame = {
    area->x + map->frame_column * map->grid.cell_width,
    area->y + map->frame_row * map->grid.cell_height,
    map->frame_columns * map->grid.cell_width,
    map->frame_rows * map->grid.cell_height,
  };
  double grow_x = MAX (0, 14 - frame.width) / 2, grow_y = MAX (0, 12 - frame.height) / 2;

  if (map->frame_rows <= 0 || map->frame_columns <= 0)
    return;
  frame.x -= grow_x;
  frame.width += 2 * grow_x;
  frame.y -= grow_y;
  frame.height += 2 * grow_y;
  seam_map_draw_frame (cr, palette, &frame);
}

static void
draw_group_borders (Map *map, cairo_t *cr, const SeamPalette *palette)
{
  const SeamRect *area = &map->grid.area;
  gint64 first = map->grid.columns.first, step = map->channels_per_group;

  if (step <= 0)
    return;
  for (gint64 border = (first / step + 1) * step; border < first + map->grid.columns.count;
       border += step) {
    double x = area->x + (border - first) * map->grid.cell_width;

    SeamColor shade = palette->ring_outer;

    shade.a = .45;
    seam_paint_dashed (cr, &shade, 3, x, area->y, x, area->y + area->height);
    seam_paint_dashed (cr, &palette->ring_inner, 1.5, x, area->y, x, area->y + area->height);
    seam_paint_line (cr, &palette->text, 1.5, x, area->y - 6, x, area->y - 1);
  }
}

/* Keeps the values of large cells, which are few, in a unit whose numbers are short. */
static void
keep_values (Map *map, const float *values, const guint8 *states, const SeamMapScale *scale)
{
  gsize n = (gsize)(map->grid.n_rows * map->grid.n_columns);

  if ((scale->unit != SEAM_UNIT_BOUND && scale->unit != SEAM_UNIT_ULP)
      || map->grid.cell_width < NUMBER_WIDTH || map->grid.cell_height < NUMBER_HEIGHT)
    return;
  map->scale = *scale;
  map->values = seam_keep (map, g_memdup2 (values, n * sizeof *values));
  map->states = seam_keep (map, g_memdup2 (states, n));
}

static char *
format_short (double value)
{
  return value >= 1e5   ? g_strdup ("> 10⁵")
         : value >= 10  ? seam_text_count (llround (value))
         : value >= .01 ? seam_text_significant (value, 2)
         : value > 0    ? g_strdup ("< .01")
                        : g_strdup ("0");
}

static void
draw_values (const Map *map, cairo_t *cr, const SeamPalette *palette)
{
  for (gint64 i = 0; map->values != NULL && i < map->grid.n_rows * map->grid.n_columns; i++) {
    SeamRect cell =
        seam_map_grid_get_cell (&map->grid, i / map->grid.n_columns, i % map->grid.n_columns);
    gboolean is_dark = seam_map_scale_position (&map->scale, map->values[i]) < .6;
    SeamColor ink = { is_dark, is_dark, is_dark, 1 }; /* white or black */
    g_autofree char *text = format_short (map->values[i]);

    if (map->states[i] > SEAM_CELL_DIFFERS
        || seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_REGULAR) > cell.width - 4)
      continue;
    seam_paint_text (cr, map->states[i] == SEAM_CELL_DIFFERS ? &ink : &palette->dim_text, text,
                     cell.x + cell.width / 2,
                     cell.y + cell.height / 2 + SEAM_BASELINE (SEAM_SIZE_AXIS), SEAM_SIZE_AXIS,
                     SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
  }
}

static gboolean
get_cell (Map *map, const SeamHit *hit, gint64 *row, gint64 *column)
{
  if (hit->kind != SEAM_HIT_CELL)
    return FALSE;
  *row = hit->row - (map->is_slice ? map->grid.rows.first : 0);
  *column = hit->column - (map->is_slice ? map->grid.columns.first : 0);
  return *row >= 0 && *row < map->grid.n_rows && *column >= 0 && *column < map->grid.n_columns;
}

/* The middle of the cell that stays marked; NAN: none. */
static double
get_marked_y (const SeamFigure *figure)
{
  Map *map = figure->layout;
  const SeamHit *hits[] = { &figure->selected, &figure->focus };
  gint64 row, column;

  for (int i = 0; i < 2; i++)
    if (get_cell (map, hits[i], &row, &column)) {
      SeamRect cell = seam_map_grid_get_cell (&map->grid, row, column);
      return cell.y + cell.height / 2;
    }
  return NAN;
}

static void
map_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Map *map = figure->layout;
  gint64 row, column;

  seam_map_grid_draw (&map->grid, cr, palette);
  draw_values (map, cr, palette);
  draw_group_borders (map, cr, palette);
  seam_map_tiles_draw (&map->tiles, cr, palette);
  if (map->is_slice && get_cell (map, &figure->focus, &row, &column))
    seam_map_grid_draw_crosshair (&map->grid, cr, palette, row, column);
  if (map->is_slice && get_cell (map, &figure->hover, &row, &column))
    seam_map_grid_draw_crosshair (&map->grid, cr, palette, row, column);
  seam_map_grid_draw_message (&map->grid, cr, palette, get_marked_y (figure));
  draw_frame (map, cr, palette);
  if (get_cell (map, &figure->selected, &row, &column))
    seam_map_grid_draw_pointer (&map->grid, cr, palette, row, column, FALSE);
  if (get_cell (map, &figure->focus, &row, &column))
    seam_map_grid_draw_pointer (&map->grid, cr, palette, row, column, TRUE);
  if (get_cell (map, &figure->hover, &row, &column))
    seam_map_grid_draw_pointer (&map->grid, cr, palette, row, column, FALSE);
}

static gboolean
map_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  Map *map = figure->layout;
  gint64 row, column;

  if (!seam_map_grid_find_cell (&map->grid, x, y, &row, &column))
    return FALSE;
  *hit = (SeamHit){
    .kind = SEAM_HIT_CELL,
    .row = row + (map->is_slice ? map->grid.rows.first : 0),
    .column = column + (map->is_slice ? map->grid.columns.first : 0),
  };
  return TRUE;
}

static gboolean
map_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  Map *map = figure->layout;
  gint64 row, column;

  if (!get_cell (map, hit, &row, &column))
    return FALSE;
  *rect = seam_map_grid_get_cell (&map->grid, row, column);
  return TRUE;
}

static const SeamFigureClass map_class = {
  .draw = map_draw,
  .pick = map_pick,
  .locate = map_locate,
};

static SeamFigure *
map_new (double width, double height, gint64 n_rows, gint64 n_columns, gboolean is_slice)
{
  Map *map = seam_owner_new (Map);
  SeamFigure *figure = seam_figure_new (&map_class, map, MAX (width, 220), MAX (height, 160), NULL);

  map->grid.owner = map;
  seam_keep_full (map, &map->tiles, (GDestroyNotify)seam_map_tiles_clear);
  map->is_slice = is_slice;
  map->grid.n_rows = MAX (1, n_rows);
  map->grid.n_columns = MAX (1, n_columns);
  seam_map_grid_place (&map->grid, figure->width, figure->height, is_slice);
  return figure;
}

/* Words of the axes of rows and columns that are no planes. */
static const char *
name_row (const SeamShapeView *view)
{
  return view->rank > 2 ? "sample" : "batch row";
}

static const char *
name_column (const SeamShapeView *view)
{
  return view->rank > 2 ? "output channel" : "output feature (column)";
}

/* ---- overview ---- */

static guint8
get_overview_state (const SeamDifference *difference, gint64 cell, gboolean within)
{
  if (difference->looked != NULL && difference->looked[cell] == 0)
    return SEAM_CELL_NOT_LOOKED;
  if (isnan (difference->cells[cell]))
    return SEAM_CELL_NOT_FINITE;
  return difference->failing[cell] > 0 || (within && difference->cells[cell] > 0)
             ? SEAM_CELL_DIFFERS
             : SEAM_CELL_AGREES;
}

/* Puts a text in the middle of a map without colours. Takes `largest`, a difference; NULL: there is
 * none. */
static void
set_agreement_message (Map *map, const SeamDifferenceSpec *spec, SeamMapUnit unit,
                       gint64 n_elements, char *largest)
{
  g_autofree char *count = seam_text_count (n_elements);
  g_autofree char *text = largest;

  map->grid.message[0] = seam_keep_printf (map, "All %s elements agree", count);
  if (text != NULL)
    map->grid.message[1] =
        unit == SEAM_UNIT_BOUND
            ? seam_keep_printf (map, "at most %s", text)
            : seam_keep_printf (map, "largest difference %s, %s", text, SEAM_WITHIN (spec));
  /* A message wider than its map would cross the axis. */
  for (int i = 0; i < 2; i++)
    if (map->grid.message[i] != NULL
        && seam_paint_measure (map->grid.message[i], i == 0 ? SEAM_SIZE_TITLE : 12.5,
                               i == 0 ? SEAM_BOLD : SEAM_REGULAR)
               > map->grid.area.width - 8)
      map->grid.message[i] = NULL;
  if (map->grid.message[0] == NULL && map->grid.subtitle == NULL)
    map->grid.subtitle = seam_keep_printf (map, "all %s agree", count);
}

/* Says in the subtitle if tiles are requested but none can be drawn. */
static void
set_tiles (Map *map, const SeamProblem *problem, const SeamMapOptions *options,
           const SeamDifferenceSpec *spec, const SeamSlice *slice)
{
  SeamTileView view = seam_map_get_tile_view (problem);
  const char *none;

  if (options->tile == NULL || !seam_tile_is_known (options->tile))
    return;
  none = slice != NULL
             ? seam_map_tiles_find_in_slice (&map->tiles, &map->grid, options->tile, &view, slice)
             : seam_map_tiles_find (&map->tiles, &map->grid, options->tile, &view, spec);
  if (none == NULL)
    return;
  map->grid.subtitle = map->grid.subtitle != NULL
                           ? seam_keep_printf (map, "%s · %s", map->grid.subtitle, none)
                           : none;
}

/* The cells' largest differences in the unit, newly allocated; NULL: unknown. */
static float *
get_cells (const SeamDifference *difference, SeamMapUnit unit)
{
  gint64 n_cells = difference->n_cell_rows * difference->n_cell_columns;
  const float *known = unit == SEAM_UNIT_BOUND ? difference->shares : difference->cells;
  float *values;

  if (known == NULL || (unit == SEAM_UNIT_ULP && difference->ulps == NULL))
    return NULL;
  values = g_new (float, n_cells);
  for (gint64 i = 0; i < n_cells; i++)
    values[i] = unit == SEAM_UNIT_ULP ? (float)difference->ulps[i] : known[i];
  return values;
}

/* The difference of an element in the unit; not finite where |a - b| is not. */
static float
measure (const SeamSlice *slice, gint64 i, SeamMapUnit unit)
{
  float distance = (float)fabs ((double)slice->a[i] - seam_slice_get_b (slice, i));

  if (!isfinite (distance) || distance == 0)
    return distance;
  return unit == SEAM_UNIT_ULP ? (float)seam_ulp_count (slice->a[i], seam_slice_get_b (slice, i))
         : unit == SEAM_UNIT_BOUND ? distance / (float)seam_slice_get_bound (slice, i)
                                   : distance;
}

static void
set_frame (Map *map, const SeamDifferenceSpec *spec, const SeamMapOptions *options)
{
  gint64 last_row, last_column;

  if (options->frame_rows <= 0 || options->frame_columns <= 0)
    return;
  /* A frame around the whole output would show nothing. */
  if (spec->plane == 1 && options->frame_rows >= spec->rows
      && options->frame_columns >= spec->columns)
    return;
  map->frame_row = options->frame_row / spec->rows_per_cell;
  map->frame_column = options->frame_column / spec->columns_per_cell;
  last_row = (options->frame_row + options->frame_rows - 1) / spec->rows_per_cell;
  last_column = (options->frame_column + options->frame_columns - 1) / spec->columns_per_cell;
  map->frame_row = CLAMP (map->frame_row, 0, map->grid.n_rows - 1);
  map->frame_column = CLAMP (map->frame_column, 0, map->grid.n_columns - 1);
  map->frame_rows = MIN (last_row, map->grid.n_rows - 1) - map->frame_row + 1;
  map->frame_columns = MIN (last_column, map->grid.n_columns - 1) - map->frame_column + 1;
}

SeamFigure *
seam_overview_figure_new (const SeamProblem *problem, const SeamDifference *difference,
                          const SeamMapOptions *options)
{
  const SeamDifferenceSpec *spec = &difference->spec;
  SeamFigure *figure = map_new (options->width, options->height, difference->n_cell_rows,
                                difference->n_cell_columns, FALSE);
  Map *map = figure->layout;
  gint64 n_cells = difference->n_cell_rows * difference->n_cell_columns;
  g_autofree guint8 *states = g_malloc ((gsize)MAX (1, n_cells));
  g_autofree char *failing = seam_text_count (difference->n_failing);
  g_autofree char *all = seam_text_count (difference->n_looked);
  g_autofree char *extent = seam_agreement_describe_extent (difference);
  const SeamShapeView view = seam_problem_get_output_view (problem);
  g_autofree float *values = get_cells (difference, options->scale.unit);

  map->grid.rows = (SeamMapAxis){ 0, spec->rows, spec->rows_per_cell,
                                  title_axis (map, name_row (&view), spec->rows_per_cell) };
  map->grid.columns =
      (SeamMapAxis){ 0, spec->columns, spec->columns_per_cell,
                     title_axis (map, name_column (&view), spec->columns_per_cell) };
  map->grid.title = "Overview";
  for (gint64 i = 0; i < n_cells; i++)
    states[i] = values == NULL ? SEAM_CELL_NOT_LOOKED
                               : get_overview_state (difference, i, options->scale.within);
  seam_map_grid_set_cells (&map->grid, values != NULL ? values : difference->cells, states,
                           &options->scale);
  if (options->scale.within || difference->n_failing > 0)
    keep_values (map, values != NULL ? values : difference->cells, states, &options->scale);
  /* Words over hatching would be hard to read. */
  map->grid.subtitle = seam_keep (map, seam_agreement_describe_extent (difference));
  if (seam_difference_judge (difference) == SEAM_OUTPUTS_SHOWN_NOTHING && !options->scale.within
      && map->grid.subtitle == NULL)
    map->grid.subtitle = "this comparison shows nothing";
  if (difference->n_failing == 0 && !options->scale.within && map->grid.n_crosses == 0
      && map->grid.subtitle == NULL)
    set_agreement_message (
        map, spec, options->scale.unit, difference->n_elements,
        difference->max_abs > 0 ? seam_map_format_largest (difference, options->scale.unit) : NULL);
  if (values == NULL)
    map->grid.subtitle = options->scale.unit == SEAM_UNIT_ULP ? "ULP were not counted in this run"
                                                              : "this run has no bounds";
  if (map->grid.subtitle == NULL)
    map->grid.subtitle = "worst value a cell";
  set_tiles (map, problem, options, spec, NULL);
  seam_map_grid_fit_titles (&map->grid, figure->width, figure->height, "Overview");
  set_frame (map, spec, options);

  figure->summary =
      g_strdup_printf ("Overview of the difference, %" G_GINT64_FORMAT " by %" G_GINT64_FORMAT
                       " cells: %s of %s elements %s%s%s.",
                       map->grid.n_rows, map->grid.n_columns, failing, all, SEAM_OUTSIDE (spec),
                       extent != NULL ? ", on " : "", extent != NULL ? extent : "");
  return figure;
}

/* ---- slice ---- */

static guint8
get_slice_state (double a, double b, double bound, const SeamMapOptions *options)
{
  if (isnan (a) || isnan (b))
    return SEAM_CELL_NOT_FINITE;
  if (!seam_element_fails (&options->spec, a, b, bound))
    return SEAM_CELL_AGREES;
  return isfinite (a) && isfinite (b) ? SEAM_CELL_DIFFERS : SEAM_CELL_NOT_FINITE;
}

void
seam_slice_get_range (const SeamSlice *slice, double *low, double *high)
{
  gint64 n = slice->n_rows * slice->n_columns;

  *low = INFINITY;
  *high = -INFINITY;
  for (gint64 i = 0; i < 2 * n; i++) {
    double value = i < n ? slice->a[i] : slice->b[i - n];
    if (!isfinite (value))
      continue;
    *low = MIN (*low, value);
    *high = MAX (*high, value);
  }
  if (!(*low <= *high)) {
    *low = 0;
    *high = 1;
  } else if (*low == *high) {
    *high = *low + MAX (fabs (*low), 1) * 1e-3;
  }
}

/* Fills in the values of one side. The map's scale is logarithmic, so a position on the linear
 * scale from low to high becomes a power of e, on a scale from 1 to e. */
static SeamMapScale
fill_values (const SeamSlice *slice, SeamSliceView view, float *values, guint8 *states)
{
  const float *side = view == SEAM_VIEW_TESTED ? slice->a : slice->b;
  double low, high;

  seam_slice_get_range (slice, &low, &high);
  for (gint64 i = 0; i < slice->n_rows * slice->n_columns; i++) {
    gboolean is_number = isfinite (side[i]);
    values[i] = is_number ? (float)exp ((side[i] - low) / (high - low)) : 0;
    states[i] = is_number ? SEAM_CELL_DIFFERS : SEAM_CELL_NOT_FINITE;
  }
  return (SeamMapScale){ .low = 1, .high = G_E, .divisor = 1 };
}

gint64
seam_map_read_elements (const SeamSlice *slice, gint64 first, gint64 n,
                        const SeamMapOptions *options, float *values, guint8 *states,
                        double *largest)
{
  gint64 n_failing = 0;

  *largest = 0;
  for (gint64 i = 0; i < n; i++) {
    gint64 at = first + i;
    values[i] = measure (slice, at, options->scale.unit);
    *largest = fmax (*largest, values[i]); /* fmax() ignores NaN */
    states[i] = get_slice_state (slice->a[at], seam_slice_get_b (slice, at),
                                 seam_slice_get_bound (slice, at), options);
    n_failing += states[i] != SEAM_CELL_AGREES;
    if (options->scale.within && states[i] == SEAM_CELL_AGREES && values[i] > 0)
      states[i] = SEAM_CELL_DIFFERS;
  }
  return n_failing;
}

static void
title_slice (Map *map, const SeamShapeView *view, const SeamSlice *slice, gboolean is_matrix,
             const SeamMapOptions *options)
{
  g_autofree char *rows = seam_text_count (slice->n_rows);
  g_autofree char *columns = seam_text_count (slice->n_columns);

  map->grid.title = options->view == SEAM_VIEW_DIFFERENCE
                        ? "Slice at full resolution"
                        : seam_keep_printf (map, "Values of %s", options->view_name);
  map->grid.corner = seam_keep_printf (map, "%s %s %s", rows, SEAM_TIMES, columns);
  if (!is_matrix) {
    g_autofree char *sample = seam_text_count (slice->sample);
    g_autofree char *channel = seam_text_count (slice->channel);

    gint64 plane = view->inner / view->depth;
    g_autofree char *depth = seam_text_count (slice->first_row * view->width / plane);

    map->grid.subtitle =
        seam_keep_printf (map, "sample %s, channel %s%s%s", sample, channel,
                          view->depth > 1 ? ", depth " : "", view->depth > 1 ? depth : "");
  }
}

/* The largest difference in a slice as text; NULL: both outputs are equal there. */
static char *
format_largest (double largest, const SeamMapScale *scale)
{
  g_autofree char *text = seam_map_scale_format (largest / scale->divisor);

  static const char *const suffixes[SEAM_N_UNITS] = {
    [SEAM_UNIT_ULP] = " ULP", [SEAM_UNIT_BOUND] = " of the bound"
  };

  if (!(largest > 0))
    return NULL;
  return g_strconcat (text, suffixes[scale->unit], NULL);
}

SeamFigure *
seam_slice_figure_new (const SeamProblem *problem, const SeamSlice *slice,
                       const SeamMapOptions *options)
{
  SeamFigure *figure =
      map_new (options->width, options->height, slice->n_rows, slice->n_columns, TRUE);
  Map *map = figure->layout;
  gint64 n_cells = slice->n_rows * slice->n_columns, n_failing;
  const SeamShapeView view = seam_problem_get_output_view (problem);
  const gint64 height = view.inner > 1 ? view.inner / view.depth / view.width : view.outer;
  g_autofree guint8 *states = g_malloc ((gsize)MAX (1, n_cells));
  g_autofree float *values = g_malloc_n ((gsize)MAX (1, n_cells), sizeof (float));
  g_autofree char *failing = NULL, *all = NULL;
  const char *title;
  SeamMapScale scale = options->scale;
  gboolean is_matrix, has_borders = FALSE;
  double largest;

  is_matrix = view.inner == 1;
  if (is_matrix && options->n_groups > 1 && view.channels % options->n_groups == 0) {
    map->channels_per_group = view.channels / options->n_groups;
    /* Borders a few pixels apart would hide the cells. */
    if (map->channels_per_group * map->grid.cell_width < 8)
      map->channels_per_group = 0;
    has_borders = map->channels_per_group > 0
                  && slice->first_column / map->channels_per_group
                         != (slice->first_column + slice->n_columns - 1) / map->channels_per_group;
  }

  n_failing = seam_map_read_elements (slice, 0, n_cells, options, values, states, &largest);
  title = title_axis (map, is_matrix ? name_column (&view) : "column of the plane", 1);
  map->grid.rows =
      (SeamMapAxis){ slice->first_row % height, slice->n_rows, 1,
                     title_axis (map, is_matrix ? name_row (&view) : "row of the plane", 1) };
  map->grid.columns = (SeamMapAxis){
    slice->first_column,
    slice->n_columns,
    1,
    has_borders ? seam_keep_printf (map, "%s · dashed: border of two GroupNorm groups", title)
                : title,
  };
  title_slice (map, &view, slice, is_matrix, options);
  if (seam_paint_measure (map->grid.columns.title, 12.5, SEAM_REGULAR)
      > figure->width - SEAM_MAP_LEFT + 40)
    map->grid.columns.title = title;
  if (options->view != SEAM_VIEW_DIFFERENCE)
    scale = fill_values (slice, options->view, values, states);
  else if (n_failing == 0 && !scale.within)
    set_agreement_message (map, &options->spec, scale.unit, n_cells,
                           format_largest (largest, &scale));
  set_tiles (map, problem, options, NULL, slice);
  seam_map_grid_fit_titles (&map->grid, figure->width, figure->height,
                            options->view == SEAM_VIEW_DIFFERENCE ? "Slice" : options->view_name);
  seam_map_grid_set_cells (&map->grid, values, states, &scale);
  if (options->view == SEAM_VIEW_DIFFERENCE && (scale.within || n_failing > 0))
    keep_values (map, values, states, &scale);

  failing = seam_text_count (n_failing);
  all = seam_text_count (n_cells);
  figure->summary = g_strdup_printf (
      "Slice at full resolution from row %" G_GINT64_FORMAT ", column %" G_GINT64_FORMAT
      ": %s of %s elements %s.%s%s%s",
      slice->first_row % height, slice->first_column, failing, all, SEAM_OUTSIDE (&options->spec),
      options->view != SEAM_VIEW_DIFFERENCE ? " It shows the values of " : "",
      options->view != SEAM_VIEW_DIFFERENCE ? options->view_name : "",
      options->view != SEAM_VIEW_DIFFERENCE ? "." : "");
  return figure;
}

void
seam_slice_choose_size (double width, double height, gint64 available_rows,
                        gint64 available_columns, gint64 max, gint64 *n_rows, gint64 *n_columns)
{
  double room_x = MAX (40, floor (width - SEAM_MAP_LEFT - SEAM_MAP_RIGHT));
  double room_y = MAX (40, floor (height - SEAM_MAP_TOP - SEAM_MAP_BOTTOM));
  gint64 side = 1;

  available_rows = MAX (1, available_rows);
  available_columns = MAX (1, available_columns);
  max = MAX (1, max);

  /* A square, like the overview, if there are enough elements. */
  if (MIN (available_rows, available_columns) >= MIN (MIN (room_x, room_y), max))
    room_x = room_y = MIN (room_x, room_y);

  /* Up to `max` elements, then as large as possible. */
  while (MIN (available_columns, (gint64)room_x / side) > max
         || MIN (available_rows, (gint64)room_y / side) > max)
    side++;
  while (available_columns * (side + 1) <= room_x && available_rows * (side + 1) <= room_y)
    side++;
  *n_columns = CLAMP ((gint64)room_x / side, 1, MIN (available_columns, max));
  *n_rows = CLAMP ((gint64)room_y / side, 1, MIN (available_rows, max));
}

void
seam_slice_choose_worst (const SeamProblem *problem, const SeamDifference *difference,
                         SeamSlice *slice)
{
  const SeamShapeView view = seam_problem_get_output_view (problem);
  gint64 height, width, row, column;
  gint64 index = MAX (difference->worst_index, 0);

  *slice = (SeamSlice){ 0 };
  seam_shape_view_get_area (&view, &height, &width);
  if (view.inner > 1) {
    slice->sample = index / view.inner / view.channels;
    slice->channel = index / view.inner % view.channels;
    index %= view.inner;
  }
  /* The planes of a depth are below each other. */
  height /= view.depth;
  row = index / width % height;
  column = index % width;
  slice->n_rows = MIN (height, width > 1 ? WORST_SIDE : WORST_SIDE * WORST_SIDE);
  slice->n_columns = MIN (width, WORST_SIDE);
  slice->first_row =
      CLAMP (row - slice->n_rows / 2, 0, height - slice->n_rows) + index / width / height * height;
  slice->first_column = CLAMP (column - slice->n_columns / 2, 0, width - slice->n_columns);
}
