/* SPDX-License-Identifier: MIT
 *
 * SeamFigureView: a widget that shows one SeamFigure in the current palette (light, dark,
 * high contrast), with pointer and keyboard on the figure's hits. It knows no figure kind: a
 * builder makes the figure for the width at hand, and the view asks the figure where things are.
 * Every hit of the focus kind is also a small accessible child (a button or a toggle) at its place.
 */
#pragma once

#include "app/figure/figure.h"

#include <gtk/gtk.h>

#define SEAM_TYPE_FIGURE_VIEW (seam_figure_view_get_type ())
G_DECLARE_FINAL_TYPE (SeamFigureView, seam_figure_view, SEAM, FIGURE_VIEW, GtkWidget)

/* Widths and heights of figures and their minima are pixels at the usual size of text.
 *
 * Makes the figure for a width, and a height where the view has one (else 0: the figure's own
 * height decides). If it returns NULL, nothing is drawn. */
typedef SeamFigure *(*SeamFigureBuildFunc) (double width, double height, gpointer data);
/* Text for a hit, newly allocated; NULL for none. */
typedef char *(*SeamFigureTextFunc) (const SeamHit *hit, gpointer data);
typedef gboolean (*SeamFigureStateFunc) (const SeamHit *hit, gpointer data);

/* Signals, all with a `const SeamHit *` that is valid during the emission:
 *   "hit-activated"  click, or Space or Enter on the focused hit (only the focus kind)
 *   "hit-hovered"    the hit under the pointer; NULL: none
 *   "hit-focused"    the hit that got the keyboard focus; NULL when the focus left
 *   "hit-dragged"    with button 1 down: each new hit under the pointer, the pressed one first
 *   "step-out"       (GtkDirectionType) an arrow or Up/Down key that leaves this figure
 */
GtkWidget *seam_figure_view_new (void);

/* The figure now shown, or NULL; borrowed, valid until the next invalidate or resize. It has its
 * own pixels: if the person wants larger text, it is drawn larger by the factor
 * seam_text_scale_get().
 */
SeamFigure *seam_figure_view_get_figure (SeamFigureView *view);
/* The hit at (x, y) of the widget, and the place of a hit in it; FALSE: none. */
gboolean seam_figure_view_pick (SeamFigureView *view, double x, double y, SeamHit *hit);
gboolean seam_figure_view_locate (SeamFigureView *view, const SeamHit *hit, SeamRect *rect);
void seam_figure_view_set_builder (SeamFigureView *view, SeamFigureBuildFunc build, gpointer data,
                                   GDestroyNotify destroy);
/* Call after the data behind the builder changed: it is built again before the next frame. */
void seam_figure_view_invalidate (SeamFigureView *view);

void seam_figure_view_set_minimum_width (SeamFigureView *view, int width);
/* Draws the figure so much smaller, from 0 to 1 (the default), and builds it for more width. */
void seam_figure_view_set_shrink (SeamFigureView *view, double shrink);
/* 0 (the default): the figure's own height for the width. Above 0: the view takes the height
 * that it is given, at least this, and the builder fills it. */
void seam_figure_view_set_minimum_height (SeamFigureView *view, int height);

/* The kind that can be activated and reached with the keyboard: Tab enters, Left and Right walk,
 * Up and Down go to another plan of the figure or emit "step-out", Home, End, Space, Enter.
 * SEAM_HIT_CELL: the view itself takes the focus and leaves all keys to its owner.
 * SEAM_HIT_NONE (the default): a picture. Call before the view is shown. */
void seam_figure_view_set_focus_kinds (SeamFigureView *view, SeamHitKind kind);
/* Tooltip below the hit, also shown while the hit has keyboard focus. */
void seam_figure_view_set_tooltip_func (SeamFigureView *view, SeamFigureTextFunc func,
                                        gpointer data);
/* Accessible name of a hit; by default the tooltip's text. */
void seam_figure_view_set_name_func (SeamFigureView *view, SeamFigureTextFunc func, gpointer data);
/* Makes the hits toggle buttons for assistive technology, pressed if `func` returns TRUE. Call
 * before the view is shown. */
void seam_figure_view_set_pressed_func (SeamFigureView *view, SeamFigureStateFunc func,
                                        gpointer data);

/* The selected hit is drawn as ring with fill, however it was chosen, the one that it is compared
 * with as dashed ring; NULL clears. */
void seam_figure_view_set_selected (SeamFigureView *view, const SeamHit *hit);
void seam_figure_view_set_beside (SeamFigureView *view, const SeamHit *hit);
/* Sets the focused hit and moves keyboard focus there if the view has it. NULL clears. */
void seam_figure_view_set_focused (SeamFigureView *view, const SeamHit *hit);
/* Moves keyboard focus to the hit nearest to horizontal position x, after a neighbour's
 * "step-out"; FALSE if there is none. */
gboolean seam_figure_view_grab_focus_at (SeamFigureView *view, double x);
/* Horizontal centre of the focused hit, or 0. */
double seam_figure_view_get_focus_x (SeamFigureView *view);

/* Tooltips open below the view's `ancestor`, not below the hit, so that they hide none of its
 * figures. */
void seam_figure_view_set_bubble_below (SeamFigureView *view, GtkWidget *ancestor);
