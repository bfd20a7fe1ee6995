/* SPDX-License-Identifier: MIT
 *
 * SeamFigureSpot: one place of a figure that keyboard and assistive technology can reach (a seam, a
 * kernel). It draws nothing and takes no pointer; SeamFigureView owns it and sets its hit and
 * place.
 */
#pragma once

#include "app/figure/figure.h"

#include <gtk/gtk.h>

#define SEAM_TYPE_FIGURE_SPOT (seam_figure_spot_get_type ())
G_DECLARE_FINAL_TYPE (SeamFigureSpot, seam_figure_spot, SEAM, FIGURE_SPOT, GtkWidget)

typedef struct {
  SeamHit hit;
  SeamRect rect;
} SeamFigurePlace;

/* All hits of `kind` that have spots, by plan and then from left to right, nodes of a lattice row
 * by row; free with g_array_unref(). Empty for cells, which are too many. */
GArray *seam_figure_list_places (SeamFigure *figure, SeamHitKind kind);

GtkWidget *seam_figure_spot_new (void);
const SeamHit *seam_figure_spot_get_hit (SeamFigureSpot *spot);
double seam_figure_spot_get_centre (SeamFigureSpot *spot); /* horizontal */
void seam_figure_spot_set_place (SeamFigureSpot *spot, const SeamFigurePlace *place);
/* Text for assistive technology; `pressed` only if the spot is a toggle. */
void seam_figure_spot_describe (SeamFigureSpot *spot, const char *name, const char *description,
                                gboolean is_toggle, gboolean pressed);
void seam_figure_spot_allocate (SeamFigureSpot *spot);
