/* SPDX-License-Identifier: MIT
 *
 * A figure: a layout (pure, tested) that can draw itself with Cairo (pure), be hit with a pointer,
 * and describe itself in words. The same object draws in the window, in PNG, SVG and PDF. Concrete
 * figures are made by the constructors in strip.h, bars.h, samples.h, map.h and others.
 *
 * A new figure is a file and its header: a layout with axes (axis.h), a legend (legend.h) and the
 * places of its marks (marks.h), a function that draws it, and the spots that can be hit.
 */
#pragma once

#include "app/base/owner.h"
#include "app/figure/palette.h"

#include <cairo.h>

typedef struct {
  double x, y, width, height;
} SeamRect;

typedef enum {
  SEAM_HIT_NONE,
  SEAM_HIT_OP,     /* index: op */
  SEAM_HIT_SEAM,   /* index: seam */
  SEAM_HIT_TENSOR, /* index: tensor number (input and output glyphs) */
  SEAM_HIT_KERNEL, /* plan, index: kernel of that plan */
  SEAM_HIT_GAP,    /* plan, index: the kernel before the gap */
  SEAM_HIT_LAUNCH, /* plan, index: the kernel that the host's call launches */
  SEAM_HIT_SAMPLE, /* plan, index: sample */
  SEAM_HIT_CELL,   /* row, column: cell of an overview, or element of a slice */
  SEAM_HIT_NODE,   /* plan: row of a lattice from the top, index: mask of fused seams */
} SeamHitKind;

typedef struct {
  SeamHitKind kind;
  int plan, index;
  gint64 row, column;
} SeamHit;

typedef struct SeamFigure SeamFigure;

/* The functions of a kind of figure. Most kinds have only `draw`, and add spots that can be hit; a
 * figure that answers the pointer in another way has its own `pick` and `locate`. */
typedef struct {
  void (*draw) (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette);
  gboolean (*pick) (SeamFigure *figure, double x, double y, SeamHit *hit);
  gboolean (*locate) (SeamFigure *figure, const SeamHit *hit, SeamRect *rect);
  GDestroyNotify free_layout; /* NULL: seam_owner_free() */
} SeamFigureClass;

/* A part that can be hit, with the ring that is drawn round it. */
typedef struct {
  SeamHit hit;
  SeamRect rect, ring;
  double radius;          /* of the ring's corners */
  gboolean shown_by_draw; /* `draw` itself shows the selection, so no ring does */
} SeamSpot;

struct SeamFigure {
  const SeamFigureClass *klass;
  double width, height; /* px at scale 1 */
  gpointer layout;      /* layout of the kind; owned */
  char *summary;        /* owned */
  GArray *spots;        /* of SeamSpot; NULL: none */
  /* Drawn as ring, dashed ring, thick ring, dashed ring in the colour of the thick one. */
  SeamHit hover, focus, selected, beside;
};

/* Sets the font of all figures made afterwards (the window's interface font, so that figures look
 * like the labels around them); NULL for the program's own. Call it before threads draw. */
void seam_figure_set_font_family (const char *family);

/* For constructors of figures. Takes the layout, as a rule an owner (owner.h), and the summary. */
SeamFigure *seam_figure_new (const SeamFigureClass *klass, gpointer layout, double width,
                             double height, char *summary);
/* If spots overlap, the pointer hits the one whose middle is nearest. */
void seam_figure_add_spot (SeamFigure *figure, SeamHit hit, SeamRect rect, double radius);
void seam_figure_add_spot_full (SeamFigure *figure, const SeamSpot *spot);
/* Adds a row of a chart; its ring lies inside it. */
void seam_figure_add_row (SeamFigure *figure, SeamHit hit, SeamRect rect);
/* Adds a round spot at (x, y). */
void seam_figure_add_point (SeamFigure *figure, SeamHit hit, double x, double y);

void seam_figure_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette);
/* The spot under (x, y); FALSE and SEAM_HIT_NONE if there is none. */
gboolean seam_figure_pick (SeamFigure *figure, double x, double y, SeamHit *hit);
/* The place of `hit`; for keyboard focus and tooltips. */
gboolean seam_figure_locate (SeamFigure *figure, const SeamHit *hit, SeamRect *rect);
/* The figure in one or two sentences, for assistive technology; newly allocated. */
char *seam_figure_summarize (SeamFigure *figure);
void seam_figure_free (SeamFigure *figure);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamFigure, seam_figure_free)

gboolean seam_hit_equal (const SeamHit *a, const SeamHit *b);

/* Writes a figure to PNG (at 2 x), SVG (text as text) or PDF, depending on the ending of `path`, on
 * the palette's card colour. Atomic; SEAM_ERROR_INPUT for another ending, SEAM_ERROR_FILE if it
 * cannot be written. */
gboolean seam_figure_export (SeamFigure *figure, const SeamPalette *palette, const char *path,
                             GError **error);
