/* SPDX-License-Identifier: MIT
 *
 * The lattice figure: draws the layout of lattice-layout.c. lattice-text.c has its texts.
 */
#include "app/figure/lattice-figure.h"

#include "app/figure/lattice-layout.h"
#include "app/figure/marks.h"

#include <math.h>

#define PATH_WIDTH 2.2
/* The path to plan B is under the best path, and is seen where both are one. */
#define CHOSEN_WIDTH 5.0
#define DIAMOND      11.0

/* Yellow is fast, dark is slow. */
static SeamColor
get_color (double t)
{
  return seam_palette_viridis (1 - t);
}

static int
get_node (const SeamFigure *figure, const SeamHit *hit)
{
  const SeamLatticeLayout *layout = figure->layout;

  return hit->kind == SEAM_HIT_NODE && hit->index >= 0 && hit->index < layout->n_nodes
                 && layout->nodes[hit->index].is_shown
             ? hit->index
             : -1;
}

/* --- edges --- */

static void
draw_edge (const SeamLatticeLayout *layout, const SeamLatticeEdge *edge, cairo_t *cr,
           const SeamColor *color, double line_width)
{
  const SeamLatticeNode *low = &layout->nodes[edge->from], *high = &layout->nodes[edge->to];
  double x1 = low->x, y1 = low->y - low->side / 2 - 1;
  double x2 = high->x, y2 = high->bottom, middle = (y1 + y2) / 2;

  seam_palette_set_source (cr, color);
  cairo_set_line_width (cr, line_width);
  cairo_move_to (cr, x1, y1);
  cairo_curve_to (cr, x1, middle, x2, middle, x2, y2);
  cairo_stroke (cr);
}

static gboolean
touches (const SeamLatticeEdge *edge, int node)
{
  return node >= 0 && (edge->from == node || edge->to == node);
}

/* Whether an edge is drawn though it is on no path and of no chosen node: those of marks would
 * cover the figure. */
static gboolean
is_between_full (const SeamLatticeLayout *layout, const SeamLatticeEdge *edge)
{
  return !layout->nodes[edge->from].is_mark && !layout->nodes[edge->to].is_mark;
}

/* Draws faint edges first, then the paths, and on top the edges of the node under the pointer. */
static void
draw_edges (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamLatticeLayout *layout = figure->layout;
  int hover = get_node (figure, &figure->hover), selected = get_node (figure, &figure->selected);

  for (int i = 0; i < layout->n_edges; i++)
    if (!layout->edges[i].on_path && is_between_full (layout, &layout->edges[i]))
      draw_edge (layout, &layout->edges[i], cr, &palette->grid, palette->high_contrast ? 1.5 : 1);
  for (int i = 0; i < layout->n_edges; i++)
    if (touches (&layout->edges[i], selected))
      draw_edge (layout, &layout->edges[i], cr, &palette->selection, 1.5);
  for (int i = 0; i < layout->n_edges; i++)
    if (layout->edges[i].on_chosen)
      draw_edge (layout, &layout->edges[i], cr, &palette->selection, CHOSEN_WIDTH);
  for (int i = 0; i < layout->n_edges; i++)
    if (layout->edges[i].on_path)
      draw_edge (layout, &layout->edges[i], cr, &palette->text, PATH_WIDTH);
  for (int i = 0; i < layout->n_edges; i++)
    if (touches (&layout->edges[i], hover))
      draw_edge (layout, &layout->edges[i], cr, &palette->accent, 2);
}

/* --- nodes --- */

static void
trace_mark (const SeamLatticeNode *node, cairo_t *cr)
{
  double half = node->side / 2;

  if (node->state == SEAM_NODE_LOOSE) {
    cairo_new_sub_path (cr);
    cairo_arc (cr, node->x, node->y, half, 0, 2 * G_PI);
  } else {
    SeamRect rect = { node->x - half, node->y - half, node->side, node->side };
    seam_paint_rounded (cr, &rect, fmin (3, node->side / 7));
  }
}

static void
draw_cross (const SeamLatticeNode *node, cairo_t *cr, const SeamColor *color, double half)
{
  seam_paint_line (cr, color, 2, node->x - half, node->y - half, node->x + half, node->y + half);
  seam_paint_line (cr, color, 2, node->x - half, node->y + half, node->x + half, node->y - half);
}

static void
draw_mark (const SeamLatticeNode *node, cairo_t *cr, const SeamPalette *palette)
{
  static const double dashes[] = { 3, 3 };
  SeamColor color = get_color (node->t);

  switch (node->state) {
  case SEAM_NODE_NO_TIME:
    draw_cross (node, cr, &palette->dim_text, 6);
    return;
  case SEAM_NODE_PENDING:
    trace_mark (node, cr);
    seam_palette_set_source (cr, &palette->dim_text);
    cairo_set_line_width (cr, 1.2);
    cairo_set_dash (cr, dashes, 2, 0);
    cairo_stroke (cr);
    cairo_set_dash (cr, NULL, 0, 0);
    return;
  default:
    trace_mark (node, cr);
    seam_palette_set_source (cr, &color);
    cairo_fill_preserve (cr);
    seam_palette_set_source (cr, &palette->text);
    cairo_set_line_width (cr, node->is_best || node->on_path ? 2.2 : 1);
    cairo_stroke (cr);
    /* Plates keep the cross visible on any colour. */
    if (node->state == SEAM_NODE_WRONG) {
      SeamRect plate = { node->x - 9, node->y - 9, 18, 18 };
      seam_paint_plate (cr, palette, &plate);
      draw_cross (node, cr, &palette->bad, 6);
    }
    return;
  }
}

static void
draw_diamond (cairo_t *cr, const SeamPalette *palette, double x, double y, double size)
{
  seam_mark_draw (cr, SEAM_MARK_DIAMOND, x, y, size, &palette->card, &palette->text, 1.5);
}

static void
draw_swatch (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  double x = swatch->x + swatch->width / 2, y = swatch->y + swatch->height / 2;
  SeamLatticeNode node = { .state = (SeamNodeState)what, .x = x, .y = y, .side = 13, .t = .5 };

  if (what == SEAM_LATTICE_PARETO)
    draw_diamond (cr, palette, x, y, DIAMOND);
  else if (what == SEAM_LATTICE_PATH || what == SEAM_LATTICE_CHOSEN)
    seam_paint_line (cr, what == SEAM_LATTICE_PATH ? &palette->text : &palette->selection,
                     what == SEAM_LATTICE_PATH ? PATH_WIDTH : CHOSEN_WIDTH, swatch->x, y,
                     swatch->x + swatch->width, y);
  else
    draw_mark (&node, cr, palette);
}

static void
draw_legend (const SeamLatticeLayout *layout, cairo_t *cr, const SeamPalette *palette)
{
  const SeamAxis *axis = &layout->axis;
  const SeamRect *bar = &layout->bar;
  const char *title = "Elapsed, median";
  double y = bar->y + bar->height;

  seam_paint_text (cr, &palette->text, title, 0, 13, 12.5, SEAM_BOLD, SEAM_ALIGN_START);
  seam_paint_text (cr, &palette->dim_text, "larger and darker: slower",
                   seam_paint_measure (title, 12.5, SEAM_BOLD) + 10, 13, SEAM_SIZE_AXIS,
                   SEAM_REGULAR, SEAM_ALIGN_START);
  if (axis->n_ticks > 0) {
    seam_legend_draw_bar (axis, bar, TRUE, cr);
    /* Keeps the texts within the ends of the bar. */
    for (int i = 0; i < axis->n_ticks; i++) {
      double half = axis->ticks[i].width / 2;

      seam_paint_text (cr, &palette->dim_text, axis->ticks[i].text,
                       CLAMP (axis->ticks[i].px, bar->x + half, bar->x + bar->width - half), y + 13,
                       SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_MIDDLE);
    }
    seam_paint_text (cr, &palette->dim_text, axis->unit.name, bar->x + bar->width + 8, y - 2,
                     SEAM_SIZE_AXIS, SEAM_REGULAR, SEAM_ALIGN_START);
  } else {
    g_autofree char *text = g_strdup_printf ("times in %s", axis->unit.name);
    seam_paint_text (cr, &palette->dim_text, text, 0, bar->y + 11, SEAM_SIZE_AXIS, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
  seam_legend_draw (&layout->legend, draw_swatch, cr, palette);
}

/* Draws the partition itself: bands in kind colours, with gaps between groups. */
static void
draw_strip (const SeamLatticeLayout *layout, const SeamLatticeNode *node, cairo_t *cr,
            const SeamPalette *palette)
{
  const SeamRect *strip = &node->strip;
  double gap = fmin (4, strip->width / (4 * layout->n_ops));
  double block = (strip->width - gap * (layout->n_ops - 1)) / layout->n_ops;

  for (int i = 0; i < layout->n_ops; i++) {
    gboolean left = i > 0 && (node->fused >> (i - 1) & 1);
    gboolean right = i < layout->n_ops - 1 && (node->fused >> i & 1);
    double x1 = strip->x + i * (block + gap) - (left ? gap / 2 : 0);
    double x2 = strip->x + i * (block + gap) + block + (right ? gap / 2 : 0);
    seam_palette_fill_kind (cr, palette, layout->kinds[i], x1, strip->y, x2 - x1, strip->height);
  }
}

static void
draw_nodes (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamLatticeLayout *layout = figure->layout;

  for (int i = 0; i < layout->n_nodes; i++) {
    const SeamLatticeNode *node = &layout->nodes[i];
    gboolean is_open = node->state == SEAM_NODE_PENDING;

    if (!node->is_shown)
      continue;
    draw_mark (node, cr, palette);
    if (node->is_mark) {
      if (node->is_pareto)
        draw_diamond (cr, palette, node->x, node->y, DIAMOND - 2);
      continue;
    }
    if (node->is_pareto)
      draw_diamond (cr, palette, node->x + node->side / 2 + 8, node->y - node->side / 2 + 2,
                    DIAMOND);
    draw_strip (layout, node, cr, palette);
    seam_paint_text (cr, is_open ? &palette->dim_text : &palette->text, node->text, node->x,
                     node->text_y, SEAM_SIZE_AXIS, is_open ? SEAM_REGULAR : SEAM_BOLD,
                     SEAM_ALIGN_MIDDLE);
  }
}

static void
lattice_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamLatticeLayout *layout = figure->layout;
  const SeamLatticeNode *unfused = &layout->nodes[0];

  draw_edges (figure, cr, palette);
  draw_legend (layout, cr, palette);
  for (int row = 0; row <= layout->n_seams; row++)
    seam_paint_text (cr, &palette->dim_text, layout->rows[row].label, 0,
                     layout->rows[row].y + SEAM_BASELINE (12.5), 12.5,
                     row == 0 ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_START);
  draw_nodes (figure, cr, palette);
  for (int i = 0; i < 2; i++)
    if (layout->best[i] != NULL)
      seam_paint_text (cr, i == 0 ? &palette->text : &palette->dim_text, layout->best[i],
                       layout->best_x, layout->best_y + 17 * i, i == 0 ? 13 : 12,
                       i == 0 ? SEAM_BOLD : SEAM_REGULAR, SEAM_ALIGN_START);
  if (layout->unfused != NULL)
    seam_paint_text (cr, &palette->text, layout->unfused, unfused->x + 56,
                     unfused->y + SEAM_BASELINE (13), 13, SEAM_BOLD, SEAM_ALIGN_START);
}

static const SeamFigureClass lattice_class = {
  .draw = lattice_draw,
};

SeamFigure *
seam_lattice_figure_new (const SeamSearch *search, const SeamExploreView *view,
                         const SeamLatticeOptions *options)
{
  SeamLatticeLayout *layout = seam_lattice_layout_new (search, view, options);
  g_autofree char *hidden = layout->n_shown < layout->n_nodes
                                ? g_strdup_printf (", %d shown", layout->n_shown)
                                : g_strdup ("");
  SeamFigure *figure;

  figure = seam_figure_new (
      &lattice_class, layout, layout->width, layout->height,
      g_strdup_printf ("Lattice of %d partitions by fused seams, %d measured%s. %s%s%s",
                       search->n_points, seam_search_count (search, SEAM_POINT_MEASURED), hidden,
                       layout->best[0] != NULL ? layout->best[0] : "Nothing is measured yet",
                       layout->best[1] != NULL && *layout->best[1] != '\0' ? ", " : "",
                       layout->best[1] != NULL ? layout->best[1] : ""));
  for (int i = 0; i < layout->n_shown; i++) {
    int node = layout->order[i], row = __builtin_popcount ((unsigned)node);
    SeamHit hit = { .kind = SEAM_HIT_NODE, .plan = layout->n_seams - row, .index = node };

    seam_figure_add_spot (figure, hit, layout->nodes[node].area,
                          layout->nodes[node].is_mark ? 4 : 8);
  }
  return figure;
}
