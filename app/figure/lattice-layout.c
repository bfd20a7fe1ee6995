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
  double known[SEAM_LATTICE_MAX_NODES];
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
place_row (SeamLatticeLayout *layout, const SeamSearch *search, const double *times_ns, int row)
{
  Place places[SEAM_LATTICE_MAX_NODES];
  double space = layout->width - layout->left, pitch, strip;
  int n = 0;

  for (int i = 0; i < layout->n_nodes; i++)
    if (__builtin_popcount ((unsigned)i) == row)
      places[n++].node = i;
  order_row (search, times_ns, places, n);
  pitch = fmin (space / n, MAX_PITCH);
  strip = fmin (MAX_STRIP, pitch - 7);
  for (int i = 0; i < n; i++) {
    SeamLatticeNode *node = &layout->nodes[places[i].node];
    double time_ns = times_ns[places[i].node], most = fmin (MAX_SIDE, pitch - 4);
    double least = fmin (MIN_SIDE, most - 4);

    node->side = isnan (time_ns) ? (least + most) / 2 : least + (most - least) * node->t;
    node->text = seam_keep (layout, format_node (layout, node, &search->points[places[i].node],
                                                 time_ns, fmax (pitch - 4, 0)));
    node->x = layout->left + space / 2 + (i - (n - 1) / 2.0) * pitch;
    node->y = layout->row_y[row];
    node->strip = (SeamRect){ node->x - strip / 2, node->y + MAX_SIDE / 2 + 5, strip, STRIP };
    node->text_y = node->strip.y + STRIP + 14;
    node->area =
        (SeamRect){ node->x - pitch / 2 + 1, node->y - ABOVE, pitch - 2, ABOVE + BELOW + 4 };
  }
}

static void
place_rows (SeamLatticeLayout *layout, double top, double height, gboolean is_wide)
{
  int n_rows = layout->n_seams + 1;
  double pitch = fmax (MIN_ROW, n_rows > 1 ? (height - top - ABOVE - BELOW - 6) / (n_rows - 1) : 0);

  for (int row = 0; row < n_rows; row++) {
    layout->row_y[row] = top + ABOVE + (n_rows - 1 - row) * pitch;
    /* A legend beside the top row takes the place of that row's label. */
    layout->row_labels[row] =
        seam_keep (layout, row == 0                       ? g_strdup ("unfused")
                           : is_wide && row == n_rows - 1 ? g_strdup ("")
                                                          : g_strdup_printf ("%d fused", row));
  }
  layout->height = layout->row_y[0] + BELOW + 6;
}

static void
add_edges (SeamLatticeLayout *layout)
{
  for (int node = 0; node < layout->n_nodes; node++)
    for (int seam = 0; seam < layout->n_seams; seam++) {
      int to = node | 1 << seam;

      if (to != node)
        layout->edges[layout->n_edges++] =
            (SeamLatticeEdge){ node, to, layout->nodes[node].on_path && layout->nodes[to].on_path };
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
  };

  seam_keep_full (layout, &layout->legend, (GDestroyNotify)seam_legend_clear);
  for (gsize i = 0; i < G_N_ELEMENTS (entries); i++)
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

  seam_search_get_times (search, times_ns);
  layout->width = fmax (options->width, 360);
  layout->left = LEFT;
  layout->n_ops = chain->n_ops;
  layout->n_seams = view->n_seams;
  layout->n_nodes = MIN (search->n_points, SEAM_LATTICE_MAX_NODES);
  for (int i = 0; i < chain->n_ops; i++)
    layout->kinds[i] = seam_op_get_kind (&chain->ops[i]);

  /* Puts legend and words beside the top node if there is room. */
  is_wide = layout->width >= WIDE && layout->n_seams >= 2;
  middle = layout->left + (layout->width - layout->left) / 2;
  place_legend (layout, is_wide ? middle - MAX_PITCH / 2 - LEGEND_GAP : layout->width);
  layout->bar = (SeamRect){ 0, BAR_TOP, 170, BAR_HEIGHT };
  choose_scale (layout, search, times_ns);
  layout->best_x = is_wide ? middle + 56 : 0;
  layout->best_y = is_wide ? 16 : layout->key.height + 16;
  layout->best_width = layout->width - layout->best_x;
  add_words (layout, search, view);
  /* The top node's edges begin below the legend, which they would otherwise cross. */
  top = is_wide ? layout->key.height - ABOVE - BELOW : layout->key.height + 44;
  place_rows (layout, top, options->height, is_wide);
  /* The legend is higher than the top row, so the second row begins below it. */
  if (is_wide && layout->n_seams >= 1) {
    double missing = layout->key.height + 8 - (layout->row_y[layout->n_seams - 1] - ABOVE);
    if (missing > 0) {
      for (int row = 0; row < layout->n_seams; row++)
        layout->row_y[row] += missing;
      layout->height += missing;
    }
  }
  for (int i = 0; i < layout->n_nodes; i++)
    fill_node (layout, search, view, times_ns, i);
  for (int row = 0; row <= layout->n_seams; row++)
    place_row (layout, search, times_ns, row);
  add_edges (layout);
  return layout;
}
