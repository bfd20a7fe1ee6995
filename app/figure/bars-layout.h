/* SPDX-License-Identifier: MIT
 *
 * Places of all parts of the bars, and the labels that fit: no colour, no surface. Internal to
 * app/figure/ and its test.
 */
#pragma once

#include "app/explain/pieces.h"
#include "app/figure/axis.h"
#include "app/figure/bars.h"
#include "app/figure/legend.h"

typedef struct {
  int kernel;    /* index in the plan; -1: the whole plan, not traced */
  SeamRect rect; /* at least half a pixel wide, never over the next one */
  double start_ns, end_ns;
  SeamOpKind kinds[SEAM_MAX_OPS];
  int n_kinds;
  SeamOpKind main_kind;
  char *name;    /* fitted, or NULL */
  char *value;   /* fitted, or NULL */
  SeamRect gap;  /* between this segment and the next; width 0: none */
  SeamRect past; /* the part of `rect` past the mark; width 0: none */
} SeamBarSegment;

typedef struct {
  int plan; /* index into result->plans */
  char letter;
  char *title; /* fitted to the left column; NULL when compact */
  double y;    /* top of the bar */
  gboolean measured;
  char *absent; /* why there is no bar */
  char *cover;  /* text of the cover over the bar; NULL: none */
  int n_segments;
  SeamBarSegment *segments;
  SeamPieces pieces; /* of a measured plan without a cover */
  SeamRect rest;     /* from the end of the trace to the mark; width 0: none */
  /* Under the bar: the rest, and its reason; NULL: too small to say. A narrow figure has the guess
   * there, too. */
  char *lead, *caption;
  double caption_x, caption_y, caption_height;
  char *guess;                      /* "guess 0.78, 8 % low"; NULL: none */
  double end_x;                     /* right end of the last segment */
  double whisker_low, whisker_high; /* x; NaN: no interval */
  double whisker_y;                 /* middle of the bar, or below it to avoid crossing a label */
  double elapsed_x;                 /* the mark */
  double guess_x;                   /* of the first guess; NaN: none */
  gboolean guess_beyond;
  double label_x;
  char *label; /* "4.72 ms" */
  char *note;  /* below it: "under the floor", "stopped early", "△ guess 0.78, 8 % low"; NULL */
  gboolean below_floor;
  char *less;         /* "2.15 ms less" beside the longer bar's end; NULL */
  gboolean less_good; /* the later plan takes less time */
  double less_x1, less_x2, less_text_x;
  double less_from_y; /* the mark at the longer end starts here */
} SeamBarRow;

typedef struct {
  double width, height, bar_height;
  gboolean is_compact;
  int caption_lines; /* at most */
  SeamRect plot;
  SeamAxis axis; /* times; its mark is the floor, if that is known */
  int n_rows;
  SeamBarRow *rows;
  SeamLegend legend;
} SeamBarsLayout;

/* What the legend explains. */
typedef enum {
  SEAM_BARS_KERNEL,
  SEAM_BARS_REST,
  SEAM_BARS_PAST,
  SEAM_BARS_ELAPSED,
  SEAM_BARS_GUESS,
} SeamBarsSwatch;

SeamBarsLayout *seam_bars_layout_new (const SeamResult *result, const int *plans, int n_plans,
                                      const SeamBarsOptions *options);
/* Draws axis and rows; for figures that contain bars. */
void seam_bars_layout_draw (const SeamBarsLayout *layout, cairo_t *cr, const SeamPalette *palette);
/* The bars in words; newly allocated. */
char *seam_bars_layout_summarize (const SeamResult *result, const SeamBarsLayout *layout);
/* Adds the kernels and gaps to a figure that has the bars at `y`. */
void seam_bars_layout_add_spots (const SeamBarsLayout *layout, SeamFigure *figure, double y);

/* Kinds of the ops that a kernel executes, in order, and the kind that represents it; returns their
 * number (1 to SEAM_MAX_OPS). A copy, or an unknown chain, is SEAM_KIND_COPY. */
int seam_bars_get_kinds (const SeamChain *chain, const SeamKernel *kernel, SeamOpKind *kinds,
                         SeamOpKind *main_kind);
