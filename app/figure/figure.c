/* SPDX-License-Identifier: MIT
 *
 * Shared by all figures: calls the functions of a figure's kind, finds the spot under the pointer,
 * and draws rings. Writing to files is in figure-export.c.
 */
#include "app/figure/figure.h"

#include "app/figure/paint.h"

#include <math.h>

#define POINT_RADIUS 9.0 /* of a point's ring, and distance at which the pointer hits it */

SeamFigure *
seam_figure_new (const SeamFigureClass *klass, gpointer layout, double width, double height,
                 char *summary)
{
  SeamFigure *figure = g_new0 (SeamFigure, 1);

  figure->klass = klass;
  figure->layout = layout;
  figure->width = width;
  figure->height = height;
  figure->summary = summary;
  return figure;
}

void
seam_figure_add_spot_full (SeamFigure *figure, const SeamSpot *spot)
{
  if (figure->spots == NULL)
    figure->spots = g_array_new (FALSE, FALSE, sizeof (SeamSpot));
  g_array_append_val (figure->spots, *spot);
}

void
seam_figure_add_spot (SeamFigure *figure, SeamHit hit, SeamRect rect, double radius)
{
  seam_figure_add_spot_full (figure, &(SeamSpot){ hit, rect, rect, radius, FALSE });
}

void
seam_figure_add_row (SeamFigure *figure, SeamHit hit, SeamRect rect)
{
  seam_figure_add_spot_full (figure,
                             &(SeamSpot){ hit, rect, seam_rect_inset (&rect, 1), 4, FALSE });
}

void
seam_figure_add_point (SeamFigure *figure, SeamHit hit, double x, double y)
{
  SeamRect rect = { x - POINT_RADIUS, y - POINT_RADIUS, 2 * POINT_RADIUS, 2 * POINT_RADIUS };

  seam_figure_add_spot (figure, hit, rect, POINT_RADIUS);
}

static const SeamSpot *
get_spot (const SeamFigure *figure, guint index)
{
  return &g_array_index (figure->spots, SeamSpot, index);
}

static guint
count_spots (const SeamFigure *figure)
{
  return figure->spots != NULL ? figure->spots->len : 0;
}

static void
draw_rings (const SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamHit *hits[] = {
    [SEAM_RING_SELECTED] = &figure->selected,
    [SEAM_RING_BESIDE] = &figure->beside,
    [SEAM_RING_HOVER] = &figure->hover,
    [SEAM_RING_FOCUS] = &figure->focus,
  };

  for (SeamRing ring = 0; ring < G_N_ELEMENTS (hits); ring++)
    for (guint i = 0; hits[ring]->kind != SEAM_HIT_NONE && i < count_spots (figure); i++) {
      const SeamSpot *spot = get_spot (figure, i);

      if (seam_hit_equal (&spot->hit, hits[ring])
          && !(spot->shown_by_draw && ring == SEAM_RING_SELECTED))
        seam_paint_ring (cr, palette, ring, &spot->ring, spot->radius);
    }
}

void
seam_figure_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  g_return_if_fail (figure != NULL && cr != NULL && palette != NULL);

  cairo_save (cr);
  cairo_new_path (cr);
  figure->klass->draw (figure, cr, palette);
  draw_rings (figure, cr, palette);
  cairo_restore (cr);
}

gboolean
seam_figure_pick (SeamFigure *figure, double x, double y, SeamHit *hit)
{
  double nearest = INFINITY;

  *hit = (SeamHit){ .kind = SEAM_HIT_NONE };
  if (figure == NULL)
    return FALSE;
  if (figure->klass->pick != NULL)
    return figure->klass->pick (figure, x, y, hit) && hit->kind != SEAM_HIT_NONE;
  for (guint i = 0; i < count_spots (figure); i++) {
    const SeamSpot *spot = get_spot (figure, i);
    const SeamRect *rect = &spot->rect;
    double distance = hypot (x - rect->x - rect->width / 2, y - rect->y - rect->height / 2);

    if (seam_rect_contains (rect, x, y) && distance < nearest) {
      nearest = distance;
      *hit = spot->hit;
    }
  }
  return hit->kind != SEAM_HIT_NONE;
}

gboolean
seam_figure_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect)
{
  *rect = (SeamRect){ 0 };
  if (figure == NULL || hit->kind == SEAM_HIT_NONE)
    return FALSE;
  if (figure->klass->locate != NULL)
    return figure->klass->locate (figure, hit, rect);
  for (guint i = 0; i < count_spots (figure); i++)
    if (seam_hit_equal (&get_spot (figure, i)->hit, hit)) {
      *rect = get_spot (figure, i)->rect;
      return TRUE;
    }
  return FALSE;
}

char *
seam_figure_summarize (SeamFigure *figure)
{
  g_return_val_if_fail (figure != NULL, NULL);

  return g_strdup (figure->summary);
}

void
seam_figure_free (SeamFigure *figure)
{
  if (figure == NULL)
    return;
  (figure->klass->free_layout != NULL ? figure->klass->free_layout
                                      : seam_owner_free) (figure->layout);
  g_clear_pointer (&figure->spots, g_array_unref);
  g_free (figure->summary);
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
