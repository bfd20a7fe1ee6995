/* SPDX-License-Identifier: MIT
 *
 * Two small companions of the strip: the chain of a pipeline as one line of bands, and the legend
 * of the kinds it uses.
 */
#include "app/figure/paint.h"
#include "app/figure/strip.h"

#include <math.h>

typedef struct {
  SeamFigure base;
  int n_ops;
  SeamOpKind kinds[SEAM_MAX_OPS];
  guint32 fused;
  double block, gap;
  char *summary;
} Chain;

static double
get_chain_gap (double block_width)
{
  return CLAMP (round (block_width * .35), 4, 10);
}

static void
chain_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Chain *chain = (Chain *)figure;
  double pitch = chain->block + chain->gap, height = figure->height;

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
    /* Neighbours of one kind would run into one block without this. */
    if (joined_left && chain->kinds[i] == chain->kinds[i - 1])
      seam_paint_line (cr, &palette->card, 1, x1, 0, x1, height);
  }
}

static char *
chain_summarize (SeamFigure *figure)
{
  return g_strdup (((Chain *)figure)->summary);
}

static void
chain_finalize (SeamFigure *figure)
{
  g_free (((Chain *)figure)->summary);
}

static const SeamFigureClass chain_class = {
  .draw = chain_draw,
  .summarize = chain_summarize,
  .finalize = chain_finalize,
};

SeamFigure *
seam_chain_figure_new (const SeamPipeline *pipeline, const SeamPlan *plan, double block_width,
                       double block_height)
{
  const SeamChain *source = plan != NULL ? seam_plan_get_chain (plan) : &pipeline->chains[0];
  Chain *chain = g_new0 (Chain, 1);
  GString *summary = g_string_new (NULL);

  chain->base.klass = &chain_class;
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
  chain->summary = g_string_free (summary, FALSE);
  chain->base.width = source->n_ops * block_width + (source->n_ops - 1) * chain->gap;
  chain->base.height = block_height;
  return &chain->base;
}

/* ---- legend ---- */

#define LEGEND_ROW   20.0
#define SWATCH_WIDTH 16.0

typedef struct {
  SeamFigure base;
  int n_entries;
  struct {
    gboolean is_tensor;
    SeamOpKind kind;
    const char *name;
    double x, y;
  } entries[SEAM_N_KINDS + 1];
} Legend;

static void
legend_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  Legend *legend = (Legend *)figure;

  for (int i = 0; i < legend->n_entries; i++) {
    double x = legend->entries[i].x, middle = legend->entries[i].y + LEGEND_ROW / 2;
    SeamRect swatch = { x, middle - 4.5, SWATCH_WIDTH, 9 };

    if (legend->entries[i].is_tensor) {
      seam_paint_box (cr, &swatch, 2, &palette->card, &palette->glyph, 1.3);
      seam_paint_line (cr, &palette->glyph, 1, x + 5.5, middle - 4, x + 5.5, middle + 4);
      seam_paint_line (cr, &palette->glyph, 1, x + 10.5, middle - 4, x + 10.5, middle + 4);
    } else {
      seam_paint_band (cr, palette, &legend->entries[i].kind, 1, legend->entries[i].kind, &swatch);
    }
    seam_paint_text (cr, &palette->dim_text, legend->entries[i].name, x + SWATCH_WIDTH + 6,
                     middle + SEAM_BASELINE (SEAM_SIZE_SMALL), SEAM_SIZE_SMALL, SEAM_REGULAR,
                     SEAM_ALIGN_START);
  }
}

static char *
legend_summarize (SeamFigure *figure)
{
  Legend *legend = (Legend *)figure;
  GString *text = g_string_new ("Legend: ");

  for (int i = 0; i < legend->n_entries; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? ", " : "", legend->entries[i].name);
  g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}

static const SeamFigureClass legend_class = {
  .draw = legend_draw,
  .summarize = legend_summarize,
};

SeamFigure *
seam_kind_legend_figure_new (const SeamPipeline *pipeline, double width)
{
  Legend *legend = g_new0 (Legend, 1);
  gboolean used[SEAM_N_KINDS] = { FALSE };
  double x = 0, y = 0;

  legend->base.klass = &legend_class;
  for (int i = 0; i < pipeline->chains[0].n_ops; i++)
    used[seam_op_get_kind (&pipeline->chains[0].ops[i])] = TRUE;
  for (int kind = 0; kind <= SEAM_N_KINDS; kind++) {
    gboolean is_tensor = kind == SEAM_N_KINDS;
    const char *name =
        is_tensor ? "tensor through memory" : seam_op_kind_get_name ((SeamOpKind)kind);
    double needed = SWATCH_WIDTH + 6 + seam_paint_measure (name, SEAM_SIZE_SMALL, SEAM_REGULAR);
    int n = legend->n_entries;

    if (!is_tensor && !used[kind])
      continue;
    if (x > 0 && x + needed > width) {
      x = 0;
      y += LEGEND_ROW;
    }
    legend->entries[n].is_tensor = is_tensor;
    legend->entries[n].kind = is_tensor ? SEAM_KIND_COPY : (SeamOpKind)kind;
    legend->entries[n].name = name;
    legend->entries[n].x = x;
    legend->entries[n].y = y;
    legend->n_entries++;
    legend->base.width = MAX (legend->base.width, x + needed);
    x += needed + 16;
  }
  legend->base.width = MAX (legend->base.width, width);
  legend->base.height = y + LEGEND_ROW;
  return &legend->base;
}
