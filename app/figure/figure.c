/* SPDX-License-Identifier: MIT
 *
 * Dispatch to the kind of figure. What every figure has in common and nothing else; writing to
 * files is in export.c.
 */
#include "app/figure/figure.h"

void
seam_figure_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  g_return_if_fail (figure != NULL && cr != NULL && palette != NULL);

  cairo_save (cr);
  cairo_new_path (cr);
  figure->klass->draw (figure, cr, palette);
  cairo_restore (cr);
}

gboolean
seam_figure_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  *hit = (SeamHit){ .kind = SEAM_HIT_NONE };
  if (figure == NULL || figure->klass->pick == NULL)
    return FALSE;
  return figure->klass->pick (figure, x, y, hit) && hit->kind != SEAM_HIT_NONE;
}

gboolean
seam_figure_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  *rect = (SeamRect){ 0 };
  if (figure == NULL || hit->kind == SEAM_HIT_NONE || figure->klass->locate == NULL)
    return FALSE;
  return figure->klass->locate (figure, hit, rect);
}

char *
seam_figure_summarize (SeamFigure *figure)
{
  g_return_val_if_fail (figure != NULL, NULL);

  return figure->klass->summarize (figure);
}

void
seam_figure_free (SeamFigure *figure)
{
  if (figure == NULL)
    return;
  if (figure->klass->finalize != NULL)
    figure->klass->finalize (figure);
  g_free (figure);
}

gboolean
seam_hit_equal (const SeamHit *a, const SeamHit *b)
{
  if (a->kind != b->kind)
    return FALSE;
  switch (a->kind) {
  case SEAM_HIT_NONE:
    return TRUE;
  case SEAM_HIT_OP:
  case SEAM_HIT_SEAM:
  case SEAM_HIT_TENSOR:
  case SEAM_HIT_NODE:
    return a->index == b->index;
  case SEAM_HIT_KERNEL:
  case SEAM_HIT_GAP:
  case SEAM_HIT_LAUNCH:
  case SEAM_HIT_SAMPLE:
    return a->plan == b->plan && a->index == b->index;
  case SEAM_HIT_CELL:
    return a->row == b->row && a->column == b->column;
  }
  return FALSE;
}
