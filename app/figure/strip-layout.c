/* SPDX-License-Identifier: MIT
 *
 * Geometry of a strip. Spare width goes to the seams first,
 * then to the blocks; missing width is taken from both down to the compact size.
 */
#include "app/figure/strip-layout.h"

#include <math.h>

/* Regular and compact sizes, px. */
#define BLOCK         100.0
#define BLOCK_COMPACT 72.0
#define GAP           62.0
#define GAP_COMPACT   32.0 /* so that seven ops fit beside a lesson in a window of 1366 */
#define EDGE          63.0
#define EDGE_COMPACT  54.0

#define TOP                12.0
#define TOP_BACK_REFERENCE 30.0 /* room for the line of an operand above the blocks */
#define FOOT               38.0 /* tensor glyph with two lines, or the group's label */
#define RING_WIDTH         58.0

static double
total_width (int n_ops, double block, double gap, double edge)
{
  return 2 * edge + n_ops * block + (n_ops - 1) * gap;
}

double
seam_strip_get_min_width (int n_ops, double left)
{
  return left + total_width (n_ops, BLOCK_COMPACT, GAP_COMPACT, EDGE_COMPACT);
}

/* Spare width goes to seams and blocks in turn, so that neither looks lost on a very wide
 * screen. */
static const struct {
  double block, gap;
} wider[] = { { 100, 110 }, { 160, 110 }, { 160, 230 }, { 300, 230 }, { 300, 400 } };

static void
choose_sizes (SeamStripLayout *layout, double available)
{
  int n = layout->n_ops;
  double narrow = total_width (n, BLOCK_COMPACT, GAP_COMPACT, EDGE_COMPACT);
  double regular = total_width (n, BLOCK, GAP, EDGE);
  double spare;

  if (available < regular) {
    double t = CLAMP ((available - narrow) / (regular - narrow), 0, 1);

    layout->block = floor (BLOCK_COMPACT + t * (BLOCK - BLOCK_COMPACT));
    layout->edge = floor (EDGE_COMPACT + t * (EDGE - EDGE_COMPACT));
    layout->gap = GAP_COMPACT + t * (GAP - GAP_COMPACT);
    return;
  }

  layout->block = BLOCK;
  layout->gap = GAP;
  layout->edge = EDGE;
  spare = available - regular;
  for (gsize i = 0; i < G_N_ELEMENTS (wider); i++) {
    double wanted = n * (wider[i].block - layout->block) + (n - 1) * (wider[i].gap - layout->gap);
    double t = wanted > 0 ? MIN (1, spare / wanted) : 0;

    layout->block = floor (layout->block + t * (wider[i].block - layout->block));
    layout->gap += t * (wider[i].gap - layout->gap);
    spare -= t * wanted;
    if (t < 1 && wanted > 0)
      break;
  }
}

void
seam_strip_get_group (const SeamStripLayout *layout, int op, int *first, int *last)
{
  *first = *last = op;
  while (*first > 0 && (layout->fused >> (*first - 1) & 1))
    --*first;
  while (*last < layout->n_ops - 1 && (layout->fused >> *last & 1))
    ++*last;
}

SeamRect
seam_strip_get_outline (const SeamStripLayout *layout, int first, int last)
{
  double x = layout->op_x[first] - SEAM_STRIP_OUTLINE;

  return (SeamRect){ x, layout->top - SEAM_STRIP_OUTLINE,
                     layout->op_x[last] + layout->block + SEAM_STRIP_OUTLINE - x,
                     SEAM_STRIP_BLOCK_HEIGHT + 2 * SEAM_STRIP_OUTLINE };
}

static gboolean
is_joined (const SeamStripLayout *layout, int op)
{
  int first, last;

  seam_strip_get_group (layout, op, &first, &last);
  return last > first;
}

/* The ring does not touch the outlines on both sides. The group's label is below a stitch, so the
 * ring of a stitch ends at the outline. */
static SeamRect
get_seam_ring (const SeamStripLayout *layout, int seam)
{
  double left = layout->op_x[seam] + layout->block, right = layout->op_x[seam + 1];
  double middle = (left + right) / 2;
  gboolean fused = layout->fused >> seam & 1;
  double x1 = left + (fused ? 4 : is_joined (layout, seam) ? SEAM_STRIP_OUTLINE + 1 : 2);
  double x2 = right - (fused ? 4 : is_joined (layout, seam + 1) ? SEAM_STRIP_OUTLINE + 1 : 2);
  double top = layout->top - 8;

  x1 = MAX (x1, middle - RING_WIDTH / 2);
  x2 = MIN (x2, middle + RING_WIDTH / 2);
  return (SeamRect){ x1, top, x2 - x1,
                     fused ? SEAM_STRIP_BLOCK_HEIGHT + 16 : SEAM_STRIP_BLOCK_HEIGHT + 55 };
}

void
seam_strip_layout (SeamStripLayout *layout, int n_ops, guint32 fused, double width, double left,
                   gboolean compact, gboolean has_back_reference)
{
  double available;

  *layout = (SeamStripLayout){ .n_ops = CLAMP (n_ops, 1, SEAM_MAX_OPS), .left = left };
  layout->fused = fused & ((1u << (layout->n_ops - 1)) - 1);
  layout->width = MAX (width, seam_strip_get_min_width (layout->n_ops, left));
  available = layout->width - left;
  choose_sizes (layout, available);
  /* Splits the remaining spare width between both sides. */
  left += floor (
      MAX (0, available - total_width (layout->n_ops, layout->block, layout->gap, layout->edge))
      / 2);
  layout->flat = compact || layout->block < 84;
  layout->top = has_back_reference ? TOP_BACK_REFERENCE : TOP;
  layout->height = layout->top + SEAM_STRIP_BLOCK_HEIGHT + FOOT;

  /* Whole pixels, so that edges are sharp; one formula, so that all plans have the same
   * positions. */
  for (int i = 0; i < layout->n_ops; i++)
    layout->op_x[i] = left + layout->edge + floor (i * (layout->block + layout->gap));

  for (int i = 0; i < layout->n_ops; i++) {
    double x1 = layout->op_x[i], x2 = x1 + layout->block;

    if (i > 0 && (layout->fused >> (i - 1) & 1))
      x1 = floor ((layout->op_x[i - 1] + layout->block + layout->op_x[i]) / 2);
    if (i < layout->n_ops - 1 && (layout->fused >> i & 1))
      x2 = floor ((x2 + layout->op_x[i + 1]) / 2);
    layout->ops[i] = (SeamRect){ x1, layout->top, x2 - x1, SEAM_STRIP_BLOCK_HEIGHT };
  }
  for (int i = 0; i < layout->n_ops - 1; i++) {
    double x1 = layout->op_x[i] + layout->block;

    layout->seams[i] = (SeamRect){ x1, layout->top - 8, layout->op_x[i + 1] - x1,
                                   SEAM_STRIP_BLOCK_HEIGHT + FOOT + 8 };
    layout->seam_rings[i] = get_seam_ring (layout, i);
  }

  {
    double end = layout->op_x[layout->n_ops - 1] + layout->block;

    layout->input_x = left + layout->edge / 2 - 9;
    layout->output_x = end + layout->edge / 2 + 9;
    layout->input = (SeamRect){ left, layout->top, layout->edge - SEAM_STRIP_OUTLINE,
                                SEAM_STRIP_BLOCK_HEIGHT + 10 };
    layout->output = (SeamRect){ end + SEAM_STRIP_OUTLINE, layout->top,
                                 layout->edge - SEAM_STRIP_OUTLINE, SEAM_STRIP_BLOCK_HEIGHT + 10 };
  }
}
