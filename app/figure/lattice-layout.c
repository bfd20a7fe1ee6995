/* SPDX-License-Identifier: MIT
 *
 * Places of the lattice: rows from the bottom, nodes of a row from fast to slow, edges between.
 */
#include "app/figure/lattice-layout.h"

#include "app/base/doubles.h"
#include "app/figure/paint.h"

#include <math.h>

#define LEFT       76.0 /* row labels */
#define MIN_ROW    104.0
#define MIN_SIDE   15.0
#define MAX_SIDE   32.0
#define STRIP      6.0  /* height of the strip under a mark */
#define MAX_STRIP  64.0 /* its width */
#define BAR_TOP    22.0
#define BAR_HEIGHT 12.0
#define LEGEND_TOP 54.0 /* under the bar and its numbers */
#define LEGEND_GAP 12.0 /* to the top node beside it */
#define MAX_PITCH  150.0
/* If nodes of a row would be closer, all but the important ones become marks, which are far enough
 * from each other to be clicked. */
#define MIN_PITCH  38.0
#define MARK       24.0 /* pitch of marks, in both directions */
#define MAX_MARK   32.0
#define FULL_PITCH 76.0 /* of the full nodes before the marks */
/* In a figure of at least this width, the legend and the words about the best node are beside the
 * top node; in a narrower figure they are above all rows. */
#define WIDE 860.0

/* Extent of a node's mark, strip and text above the middle of the mark. */
#define ABOVE (MAX_SIDE / 2 + 6)
#define BELOW (MAX_SIDE / 2 + 6 + STRIP + 18)

typedef struct {
  int node;
  double key;
} Place;

static int
compare_places (gconstpointer a, gconstpointer b)
{
  const Place *x = a, *y = b;

  if (isnan (x->key) != isnan (y->key))
    return isnan (x->key) ? 1 : -1;
  if (x->key != y->key && !isnan (x->key))
    return x->key < y->key ? -1 : 1;
  return x->node - y->node;
}

static SeamNodeState
get_state (const SeamPoint *point)
{
  switch (point->state) {
  case SEAM_POINT_MEASURED:
    if (seam_point_is_wrong (point))
      return SEAM_NODE_WRONG;
    return seam_explore_get_error_level (point->max_error_ratio) > 0 ? SEAM_NODE_LOOSE
                                                                     : SEAM_NODE_RIGHT;
  case SEAM_POINT_PENDING:
    return SEAM_NODE_PENDING;
  default:
    return SEAM_NODE_NO_TIME;
  }
}

/* The unit suits the middle time, so that one outlier does not make all other numbers small. */
static void
choose_scale (SeamLatticeLayout *layout, const SeamSearch *search, const double *times_ns)
{
  g_autofree double *known = g_new (double, layout->n_nodes);
  SeamUnit unit;
  int n = 0;

  for (int i = 0; i < layout->n_nodes; i++)
    if (!isnan (times_ns[i]))
      known[n++] = times_ns[i];
  layout->axis.unit = seam_unit_for_time (search->points[0].guess_ns);
  if (n == 0)
    return;
  qsort (known, (size_t)n, sizeof *known, seam_compare_doubles);
  unit = seam_unit_for_time (known[n / 2]);
  if (known[n - 1] > known[0]) {
    SeamMapScale scale = { .low = known[0] / unit.scale, .high = known[n - 1] / unit.scale };

    layout->axis = seam_axis_of_scale (&scale, unit);
    seam_axis_place_x (&layout->axis, layout->bar.x, layout->bar.x + layout->bar.width);
  }
  layout->axis.unit = unit;
}

static void
fill_node (SeamLatticeLayout *layout, const SeamSearch *search, const SeamExploreView *view,
           const double *times_ns, int index)
{
  SeamLatticeNode *node = &layout->nodes[index];
  const SeamPoint *point = &search->points[index];

  node->state = get_state (point);
  node->fused = (guint32)index;
  node->t = layout->axis.n_ticks == 0 || isnan (times_ns[index])
                ? 0
                : CLAMP (seam_axis_get_share (&layout->axis, times_ns[index]), 0, 1);
  node->is_pareto = view->is_pareto[index];
  node->is_best = view->best == index;
  node->on_path = seam_explore_view_is_on_path (view, index);
}

/* Marks the path to plan B, if it leads through nodes that are shown. */
static void
mark_chosen (SeamLatticeLayout *layout, const SeamSearch *search, const SeamExploreView *view,
             int selected)
{
  guint32 path[SEAM_LATTICE_MAX_SEAMS + 1];
  int n = layout->has_marks && selected > 0 && selected < layout->n_nodes
              ? seam_explore_find_path (search, view, (guint32)selected, path)
              : 0;

  for (int i = 0; i < n; i++)
    if (!layout->nodes[path[i]].is_shown)
      return;
  for (int i = 0; i < n; i++)
    layout->nodes[path[i]].on_chosen = TRUE;
  layout->has_chosen = n > 0;
}

/* With as many digits as fit, at most three: "1.22", "1.2"; a predicted time is in brackets; "" if
 * not even one digit fits. */
static char *
format_node (const SeamLatticeLayout *layout, const SeamLatticeNode *node, const SeamPoint *point,
             double time_ns, double width)
{
  gboolean is_open = isnan (time_ns);
  double value = (is_open ? point->guess_ns : time_ns) / layout->axis.unit.scale;

  if (isnan (value) || (is_open && node->state != SEAM_NODE_PENDING))
    return g_strdup ("");
  for (int digits = 3; digits > 0; digits--) {
    g_autofree char *number = seam_text_significant (value, digits);
    g_autofree char *text = is_open ? g_strdup_printf ("(%s)", number) : g_strdup (number);
    if (seam_paint_measure (text, SEAM_SIZE_AXIS, SEAM_BOLD) <= width)
      return g_steal_pointer (&text);
  }
  return g_strdup ("");
}

/* Orders an incomplete row by predicted times, so that nodes do not change places with every new
 * time. */
static void
order_row (const SeamSearch *search, const double *times_ns, Place *places, int n)
{
  gboolean complete = TRUE;

  for (int i = 0; i < n; i++)
    complete = complete && search->points[places[i].node].state != SEAM_POINT_PENDING;
  for (int i = 0; i < n; i++)
    places[i].key = complete ? times_ns[places[i].node] : search->points[places[i].node].guess_ns;
  qsort (places, (size_t)n, sizeof *places, compare_places);
}

static void
place_node (SeamLatticeLayout *layout, const SeamPoint *point, double time_ns,
            SeamLatticeNode *node, double x, double y, double pitch)
{
  double most = fmin (MAX_SIDE, pitch - 4), least = fmin (MIN_SIDE, most - 4);
  double strip = node->is_mark ? 0 : fmin (MAX_STRIP, pitch - 7);

  node->side = isnan (time_ns) ? (least + most) / 2 : least + (most - least) * node->t;
  node->x = x;
  node->y = y;
  if (node->is_mark) {
    node->text = "";
    node->bottom = y + node->side / 2 + 1;
    node->area = (SeamRect){ x - pitch / 2 + 1, y - MARK / 2 + 1, pitch - 2, MARK - 2 };
    return;
  }
  node->text = seam_keep (layout, format_node (layout, node, point, time_ns, fmax (pitch - 4, 0)));
  node->strip = (SeamRect){ x - strip / 2, y + MAX_SIDE / 2 + 5, strip, STRIP };
  node->text_y = node->strip.y + STRIP + 14;
  node->bottom = node->text_y + 4;
  node->area = (SeamRect){ x - pitch / 2 + 1, y - ABOVE, pitch - 2, ABOVE + BELOW + 4 };
}

/* Whether a node always stays full in a row of marks; besides it those of the path to plan B. */
static gboolean
is_important (const SeamLatticeNode *node)
{
  return node->on_path || node->is_best;
}

/* The width of the full nodes before the marks of a row. There is room for two in any case, so that
 * marks keep their places when another partition becomes plan B. */
static double
get_full_width (const SeamLatticeLayout *layout, int row)
{
  int n = 0;

  for (int i = 0; i < layout->n_nodes; i++)
    n += layout->nodes[i].is_shown && __builtin_popcount ((unsigned)i) == row
         && (is_important (&layout->nodes[i]) || layout->nodes[i].on_chosen);
  return FULL_PITCH * MAX (n, 2);
}

/* How the nodes of a row, from fast to slow, become a grid of `pitch` by MARK. */
typedef struct {
  double x, y, pitch;
  int per_line;
} Grid;

static Grid
make_grid (const SeamLatticeLayout *layout, int row, int n)
{
  const SeamLatticeRow *it = &layout->rows[row];
  double space = layout->width - layout->left, full = get_full_width (layout, row);
  Grid grid = { .pitch = fmin (space / n, MAX_PITCH), .per_line = n, .y = it->y - MARK / 2 };

  grid.x = layout->left + space / 2 - n / 2.0 * grid.pitch;
  if (it->n_lines == 0)
    return grid;
  grid.per_line = MAX ((n + it->n_lines - 1) / it->n_lines, 1);
  grid.x = layout->left + full;
  grid.y = it->y - ABOVE + fmax (0, ABOVE + BELOW - it->n_lines * MARK) / 2;
  grid.pitch = fmin ((space - full) / grid.per_line, MAX_MARK);
  return grid;
}

static void
place_row (SeamLatticeLayout *layout, const SeamSearch *search, const double *times_ns, int row)
{
  g_autofree Place *places = g_new (Place, layout->n_nodes);
  gboolean has_marks = layout->rows[row].n_lines > 0;
  double full_x = layout->left + FULL_PITCH / 2;
  int n = 0, n_important = 0, cell = 0;

  for (int i = 0; i < layout->n_nodes; i++)
    if (layout->nodes[i].is_shown && __builtin_popcount ((unsigned)i) == row) {
      n_important += has_marks && is_important (&layout->nodes[i]);
      places[n++].node = i;
    }
  order_row (search, times_ns, places, n);
  Grid grid = make_grid (layout, row, n - n_important);
  /* The place that a node of the path to plan B has among the marks stays empty meanwhile. */
  for (int i = 0; i < n; i++) {
    int mask = places[i].node;
    SeamLatticeNode *node = &layout->nodes[mask];
    gboolean is_first = has_marks && (is_important (node) || node->on_chosen);

    node->is_mark = has_marks && !is_first;
    if (is_first) {
      place_node (layout, &search->points[mask], times_ns[mask], node, full_x, layout->rows[row].y,
                  FULL_PITCH);
      full_x += FULL_PITCH;
      layout->order[layout->n_shown++] = mask;
    } else {
      place_node (layout, &search->points[mask], times_ns[mask], node,
                  grid.x + (cell % grid.per_line + .5) * grid.pitch,
                  grid.y + (cell / grid.per_line + .5) * MARK, grid.pitch);
    }
    cell += !has_marks || !is_important (node);
  }
  for (int i = 0; i < n; i++)
    if (!has_marks || layout->nodes[places[i].node].is_mark)
      layout->order[layout->n_shown++] = places[i].node;
}

static void
count_rows (SeamLatticeLayout *layout)
{
  for (int i = 0; i < layout->n_nodes; i++)
    layout->rows[__builtin_popcount ((unsigned)i)].n_shown += layout->nodes[i].is_shown;
  for (int row = 0; row <= layout->n_seams; row++)
    layout->has_marks =
        layout->has_marks || (layout->width - layout->left) / layout->rows[row].n_shown < MIN_PITCH;
}

/* `top_row`: the highest row with a node. */
static void
place_rows (SeamLatticeLayout *layout, int top_row, double top, double height, gboolean is_wide)
{
  double pitch = fmax (MIN_ROW, top_row > 0 ? (height - top - ABOVE - BELOW - 6) / top_row : 0);
  double y = top + ABOVE;

  for (int row = layout->n_seams; row >= 0; row--) {
    SeamLatticeRow *it = &layout->rows[row];

    it->y = y;
    /* A legend beside the top row takes the place of that row's label. */
    it->label = seam_keep (layout, row == 0 ? g_strdup ("unfused")
                                   : it->n_shown == 0 || (is_wide && row == top_row)
                                       ? g_strdup ("")
                                       : g_strdup_printf ("%d fused", row));
    if (it->n_shown == 0)
      continue;
    if ((layout->width - layout->left) / it->n_shown < MIN_PITCH) {
      double space = layout->width - layout->left - get_full_width (layout, row);
      int per_line = MAX ((int)(space / MARK), 1);
      it->n_lines = (it->n_shown + per_line - 1) / per_line;
    }
    layout->height = y + BELOW + 6 + fmax (0, it->n_lines * MARK - ABOVE - BELOW);
    y += pitch + fmax (0, it->n_lines * MARK - ABOVE - BELOW);
  }
}

static void
add_edges (SeamLatticeLayout *layout)
{
  for (int node = 0; node < layout->n_nodes; node++)
    for (int seam = 0; seam < layout->n_seams; seam++) {
      int to = node | 1 << seam;
      const SeamLatticeNode *low = &layout->nodes[node], *high = &layout->nodes[to];

      if (to != node && low->is_shown && high->is_shown)
        layout->edges[layout->n_edges++] =
            (SeamLatticeEdge){ node, to, low->on_path && high->on_path,
                               low->on_chosen && high->on_chosen };
    }
}

/* "all fused", or the notation. */
static char *
name_node (const SeamSearch *search, int node)
{
  if (node == search->n_points - 1)
    return g_strdup ("all fused");
  if (node == 0)
    return g_strdup ("unfused");
  return g_strdup (search->points[node].notation != NULL ? search->points[node].notation
                                                         : search->points[node].plan);
}

static void
add_words (SeamLatticeLayout *layout, const SeamSearch *search, const SeamExploreView *view)
{
  double unfused_ns = view->times_ns[0];

  if (!isnan (unfused_ns)) {
    g_autofree char *time = seam_text_time (unfused_ns);
    layout->unfused = seam_keep_printf (layout, "Unfused, %s", time);
  }
  if (view->best < 0)
    return;
  g_autofree char *name = name_node (search, view->best);
  g_autofree char *time = seam_text_time (view->times_ns[view->best]);
  g_autofree char *ratio = seam_text_ratio (unfused_ns / view->times_ns[view->best]);
  g_autofree char *floor = seam_text_time (search->ceiling.floor.floor_ns);
  g_autofree char *over =
      seam_text_ratio (view->times_ns[view->best] / search->ceiling.floor.floor_ns);
  gboolean all = seam_search_count (search, SEAM_POINT_PENDING) == 0;

  layout->best[0] =
      seam_keep_printf (layout, "%s: %s, %s", all ? "Best" : "Best so far", time, name);
  layout->best[1] =
      seam_keep (layout, isnan (unfused_ns) || view->best == 0
                             ? g_strdup (view->best == 0 ? "no fusion is faster" : "")
                         : search->ceiling.floor.floor_ns > 0
                             ? g_strdup_printf ("%s faster than unfused, %s the floor (%s)", ratio,
                                                over, floor)
                             : g_strdup_printf ("%s faster than unfused", ratio));
  g_autofree char *doubt = seam_lattice_describe_rival (search, view);
  if (doubt != NULL)
    layout->best[1] = seam_keep (
        layout, g_strconcat (layout->best[1], *layout->best[1] != '\0' ? "; " : "", doubt, NULL));
  for (int i = 0; i < 2; i++)
    layout->best[i] = seam_keep (layout, seam_paint_ellipsize (layout->best[i], layout->best_width,
                                                               i == 0 ? 13 : 12,
                                                               i == 0 ? SEAM_BOLD : SEAM_REGULAR));
}

static void
place_legend (SeamLatticeLayout *layout, double width)
{
  static const struct {
    int what;
    const char *text;
  } entries[] = {
    { SEAM_NODE_RIGHT, "error as FP32 rounds" },
    { SEAM_NODE_LOOSE, "larger error, within its limit" },
    { SEAM_NODE_NO_TIME, "no time" },
    { SEAM_NODE_PENDING, "not measured, (guess)" },
    { SEAM_LATTICE_PARETO, "Pareto: time, kernels, bytes, error" },
    { SEAM_LATTICE_PATH, "best path, one seam a step" },
    { SEAM_LATTICE_CHOSEN, "best path to plan B" },
  };

  seam_keep_full (layout, &layout->legend, (GDestroyNotify)seam_legend_clear);
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
    if (entries[i].what != SEAM_LATTICE_CHOSEN || layout->has_chosen)
      seam_legend_add (&layout->legend, entries[i].what, SEAM_LEGEND_SWATCH, entries[i].text);
  seam_legend_place (&layout->legend, 0, LEGEND_TOP, width);
  layout->key =
      (SeamRect){ 0, 0, layout->legend.area.width, LEGEND_TOP + layout->legend.area.height };
}

SeamLatticeLayout *
seam_lattice_layout_new (const SeamSearch *search, const SeamExploreView *view,
                         const SeamLatticeOptions *options)
{
  SeamLatticeLayout *layout = seam_owner_new (SeamLatticeLayout);
  const SeamChain *chain = &search->request->pipeline->chains[0];
  g_autofree double *times_ns = g_new (double, search->n_points);
  double top, middle;
  gboolean is_wide;
  int top_row;

  seam_search_get_times (search, times_ns);
  layout->width = fmax (options->width, 360);
  layout->left = LEFT;
  layout->n_ops = chain->n_ops;
  layout->n_seams = top_row = view->n_seams;
  layout->n_nodes = search->n_points;
  layout->nodes = seam_keep (layout, g_new0 (SeamLatticeNode, layout->n_nodes));
  layout->edges =
      seam_keep (layout, g_new (SeamLatticeEdge, layout->n_nodes * MAX (layout->n_seams, 1)));
  layout->order = seam_keep (layout, g_new (int, layout->n_nodes));
  for (int i = 0; i < chain->n_ops; i++)
    layout->kinds[i] = seam_op_get_kind (&chain->ops[i]);
  for (int i = 0; i < layout->n_nodes; i++)
    layout->nodes[i].is_shown = options->show_all || !view->is_hidden[i];
  count_rows (layout);
  mark_chosen (layout, search, view, options->selected);
  while (top_row > 0 && layout->rows[top_row].n_shown == 0)
    top_row--;

  /* Puts legend and words beside the top node if there is room. */
  is_wide = layout->width >= WIDE && layout->n_seams >= 2 && layout->rows[top_row].n_shown == 1;
  middle = layout->left + (layout->width - layout->left) / 2;
  place_legend (layout, is_wide ? middle - MAX_PITCH / 2 - LEGEND_GAP : layout->width);
  layout->bar = (SeamRect){ 0, BAR_TOP, 170, BAR_HEIGHT };
  choose_scale (layout, search, times_ns);
  layout->best_x = is_wide ? middle + 56 : 0;
  layout->best_y = is_wide ? 16 : layout->key.height + 16;
  layout->best_width = layout->width - layout->best_x;
  add_words (layout, search, view);
  for (int i = 0; i < layout->n_nodes; i++)
    fill_node (layout, search, view, times_ns, i);
  /* The top node's edges begin below the legend, which they would otherwise cross. */
  top = is_wide ? layout->key.height - ABOVE - BELOW : layout->key.height + 44;
  place_rows (layout, top_row, top, options->height, is_wide);
  /* The legend is higher than the top row, so the second row begins below it. */
  if (is_wide && top_row >= 1) {
    double missing = layout->key.height + 8 - (layout->rows[top_row - 1].y - ABOVE);
    if (missing > 0) {
      for (int row = 0; row < top_row; row++)
        layout->rows[row].y += missing;
      layout->height += missing;
    }
  }
  for (int row = layout->n_seams; row >= 0; row--)
    if (layout->rows[row].n_shown > 0)
      place_row (layout, search, times_ns, row);
  add_edges (layout);
  return layout;
}
