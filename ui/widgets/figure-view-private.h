/* SPDX-License-Identifier: MIT
 *
 * The fields of SeamFigureView, shared by figure-view.c (figure, places, tooltip, the widget) and
 * figure-view-input.c (keys and pointer). Nobody else includes this.
 */
#pragma once

#include "ui/widgets/figure-view.h"

/* Number of widths, as asked by GTK, with a remembered height. */
#define SEAM_FIGURE_VIEW_MEASURED 4

struct _SeamFigureView {
  GtkWidget parent_instance;

  SeamFigureBuildFunc build;
  gpointer build_data;
  GDestroyNotify build_destroy;
  SeamFigure *figure;
  gboolean is_built;         /* requested; the builder may have had nothing to show */
  int for_width, for_height; /* the widget's size when the figure was built */
  double shrink;             /* 1: not drawn smaller */
  double scale;              /* pixels of the widget per pixel of the figure: of the text, shrunk */
  int minimum_width, minimum_height;
  struct {
    int width, height;
  } measured[SEAM_FIGURE_VIEW_MEASURED];
  int n_measured;

  SeamHitKind focus_kind;
  SeamFigureTextFunc tooltip_func, name_func;
  gpointer tooltip_data, name_data;
  SeamFigureStateFunc pressed_func;
  gpointer pressed_data;

  SeamHit hover, focus, selected, beside, pressed, dragged;
  double pointer_x, pointer_y;
  gboolean is_pressed;
  GPtrArray *spots; /* SeamFigureSpot, children */
  guint sync_id;
  GtkWidget *bubble, *bubble_below; /* the tooltip, and the widget that it must not cover, or
                                     * NULL */
  guint bubble_id;
};

/* Converts pixels of the figure to pixels of the widget. */
SeamRect seam_figure_view_scale (SeamFigureView *view, const SeamRect *rect);

/* Builds the figure for the present size, unless it is built. */
void seam_figure_view_ensure (SeamFigureView *view);

/* Places that the keyboard can reach: the index of a hit, or -1. */
int seam_figure_view_find_spot (SeamFigureView *view, const SeamHit *hit);
gboolean seam_figure_view_focus_spot (SeamFigureView *view, int i);
gboolean seam_figure_view_has_focus_within (SeamFigureView *view);

void seam_figure_view_hide_bubble (SeamFigureView *view);
/* Shows the tooltip of the hit under the pointer after a moment. */
void seam_figure_view_queue_bubble (SeamFigureView *view);

/* figure-view-input.c: adds the controllers. */
void seam_figure_view_connect_input (SeamFigureView *view);
