/* SPDX-License-Identifier: MIT
 *
 * Two small companions of the strip: the chain of a pipeline as one line of bands, and the legend
 * of the kinds it uses.
 */
#include "app/figure/legend.h"
#include "app/figure/strip.h"

#include <math.h>

typedef struct {
  int n_ops;
  SeamOpKind kinds[SEAM_MAX_OPS];
  guint32 fused;
  double block, gap;
  /* Of a chain with marks. */
  double top, side;          /* px above and beside the blocks */
  guint32 ringed, fed;       /* ops in a ring, and with a further input; bit i: op i */
  int sources[SEAM_MAX_OPS]; /* where the earlier value that an op reads comes from: an op, or -1
                              * for the input; -2: it reads none */
} Chain;

static double
get_chain_gap (double block_width)
{
  return CLAMP (round (block_width * .35), 4, 10);
}

/* Rings lie around blocks; arcs and strokes end at their upper edges. */
static void
draw_marks (const Chain *chain, cairo_t *cr, const SeamPalette *palette, double height)
{
  double pitch = chain->block + chain->gap;

  for (int i = 0; i < chain->n_ops; i++) {
    const SeamRect ring = { i * pitch - 3, -3, chain->block + 6, height + 6 };
    double x = i * pitch + chain->block / 2, from = chain->sources[i] * pitch + chain->block / 2;

    if (chain->ringed >> i & 1)
      seam_paint_box (cr, &ring, 4, NULL, &palette->text, 1.8);
    if (chain->fed >> i & 1)
      seam_paint_line (cr, &palette->dim_text, 1.4, x, -chain->top, x, -1);
    if (chain->sources[i] < -1)
      continue;
    from = chain->sources[i] < 0 ? -chain->side / 2 : from;
    seam_paint_line (cr, &palette->dim_text, 1.4, from, -1, from, 2 - chain->top);
    seam_paint_line (cr, &palette->dim_text, 1.4, from, 2 - chain->top, x, 2 - chain->top);
    seam_paint_line (cr, &palette->dim_text, 1.4, x, 2 - chain->top, x, -1);
  }
}

static void
chain_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const Chain *chain = figure->layout;
  double pitch = chain->block + chain->gap, height = figure->height - chain->top - chain->side;

  cairo_translate (cr, chain->side, chain->top);
  for (int i = 0; i < chain->n_ops; i++) {
    gboolean joined_left = i > 0 && (chain->fused >> (i - 1) & 1);
    gboolean joined_right = i < chain->n_ops - 1 && (chain->fused >> i & 1);
    double x1 = i * pitch - (joined_left ? chain->gap / 2 : 0);
    double x2 = i * pitch + chain->block + (joined_right ? chain->gap / 2 : 0);
    SeamRect rect = { x1, 0, x2 - x1, height };

    if (i > 0 && !joined_left)
      seam_paint_line (cr, &palette->glyph, 1.3, i * pitch - chain->gap, height / 2, i * pitch,
                       height / 2);
    cairo_save (cr);
    seam_paint_rounded (cr, &rect, joined_left || joined_right ? 1 : 2);
    cairo_clip (cr);
    seam_palette_fill_kind (cr, palette, chain->kinds[i], rect.x, rect.y, rect.width, rect.height);
    cairo_restore (cr);
    /* Separates neighbours of one kind, which would look like one block. */
    if (joined_left && chain->kinds[i] == chain->kinds[i - 1])
      seam_paint_line (cr, &palette->card, 1, x1, 0, x1, height);
  }
  if (chain->top > 0)
    draw_marks (chain, cr, palette, height);
}

static const SeamFigureClass chain_class = { .draw = chain_draw };

SeamFigure *
seam_chain_figure_new (const SeamPipeline *pipeline, const SeamPlan *plan, double block_width,
                       double block_height)
{
  const SeamChain *source = plan != NULL ? seam_plan_get_chain (plan) : &pipeline->chains[0];
  Chain *chain = seam_owner_new (Chain);
  GString *summary = g_string_new (NULL);

  chain->n_ops = source->n_ops;
  chain->fused = plan != NULL ? seam_plan_get_fused_seams (plan) : 0;
  chain->block = block_width;
  chain->gap = get_chain_gap (block_width);
  for (int i = 0; i < source->n_ops; i++) {
    chain->kinds[i] = seam_op_get_kind (&source->ops[i]);
    if (i > 0)
      g_string_append (summary, chain->fused >> (i - 1) & 1 ? " + " : ", ");
    g_string_append (summary, source->ops[i].label);
  }
  return seam_figure_new (&chain_class, chain,
                          source->n_ops * block_width + (source->n_ops - 1) * chain->gap,
                          block_height, g_string_free (summary, FALSE));
}

SeamFigure *
seam_marked_chain_figure_new (const SeamPipeline *pipeline, guint32 ringed, double block_width,
                              double block_height)
{
  const SeamChain *source = &pipeline->chains[0];
  SeamFigure *figure = seam_chain_figure_new (pipeline, NULL, block_width, block_height);
  Chain *chain = figure->layout;

  chain->top = 8;
  chain->side = 4;
  chain->ringed = ringed;
  for (int op = 0; op < source->n_ops; op++) {
    chain->sources[op] = -2;
    for (int i = 0; i < SEAM_MAX_OP_INPUTS; i++) {
      const int tensor = source->ops[op].inputs[i];

      if (seam_chain_reads_earlier (source, op, i))
        chain->sources[op] = seam_tensor_get_op (source, tensor);
      else if (tensor > source->n_ops)
        chain->fed |= 1u << op;
    }
  }
  figure->width += 2 * chain->side;
  figure->height += chain->top + chain->side;
  return figure;
}

/* ---- legend ---- */

/* The kinds, then the tensor. */
static void
draw_swatch (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  SeamRect rect = { swatch->x, swatch->y + swatch->height / 2 - 4.5, swatch->width, 9 };
  SeamOpKind kind = (SeamOpKind)what;

  if (what < SEAM_N_KINDS) {
    seam_paint_band (cr, palette, &kind, 1, kind, &rect);
    return;
  }
  seam_paint_box (cr, &rect, 2, &palette->card, &palette->glyph, 1.3);
  for (int i = 1; i <= 2; i++) {
    double x = rect.x + .5 + 5 * i;

    seam_paint_line (cr, &palette->glyph, 1, x, rect.y + .5, x, rect.y + 8.5);
  }
}

static void
legend_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  seam_legend_draw (figure->layout, draw_swatch, cr, palette);
}

static const SeamFigureClass legend_class = { .draw = legend_draw };

SeamFigure *
seam_kind_legend_figure_new (const SeamPipeline *pipeline, double width)
{
  SeamLegend *legend = seam_owner_new (SeamLegend);
  gboolean used[SEAM_N_KINDS + 1] = { [SEAM_N_KINDS] = TRUE };
  GString *text = g_string_new ("Legend: ");

  for (int i = 0; i < pipeline->chains[0].n_ops; i++)
    used[seam_op_get_kind (&pipeline->chains[0].ops[i])] = TRUE;
  for (int kind = 0; kind <= SEAM_N_KINDS; kind++) {
    const char *name =
        kind == SEAM_N_KINDS ? "tensor through memory" : seam_op_kind_get_name ((SeamOpKind)kind);

    if (!used[kind])
      continue;
    g_string_append_printf (text, "%s%s", legend->n_entries > 0 ? ", " : "", name);
    seam_legend_add (legend, kind, SEAM_LEGEND_SWATCH, name);
  }
  g_string_append_c (text, '.');
  seam_keep_full (legend, legend, (GDestroyNotify)seam_legend_clear);
  seam_legend_place (legend, 0, 0, fmax (width, 1));
  return seam_figure_new (&legend_class, legend, fmax (width, legend->area.width),
                          legend->area.height, g_string_free (text, FALSE));
}
