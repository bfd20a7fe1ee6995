/* SPDX-License-Identifier: MIT
 *
 * Difference maps: the overview (worst |A - B| a cell), a slice at full resolution, and their
 * shared logarithmic viridis scale with its legend. Square cells where the shape allows, no
 * interpolation; a slice uses whole pixels, the same number for every element. Elements within
 * tolerance are plain card colour, NaN magenta with a cross. Hits: SEAM_HIT_CELL with row and
 * column of the cell (overview), or of the element in the whole matrix or plane (slice: first_row +
 * …). Both figures carry their title line, axes and axis titles; `hover` draws crosshair and box,
 * `focus` too.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/pipeline/problem.h"
#include "app/result/difference.h"

G_BEGIN_DECLS

/* One colour scale for overview and slice. */
typedef struct {
  double low, high;  /* |A - B| at the scale's ends, low > 0; values under low take its colour */
  gboolean relative; /* values are divided by the largest |b| */
  double divisor;    /* that |b| of the whole output; 1 where the scale is absolute */
  gboolean sampled;  /* parts of the output were not looked at */
  gboolean empty;    /* no element is outside tolerance: there is nothing to colour */
} SeamMapScale;

SeamMapScale seam_map_scale_for (const SeamDifference *difference, gboolean relative);

/* What a slice shows: how far apart the sides are, or the values of one of them, in the same
 * colours for both. */
typedef enum { SEAM_VIEW_DIFFERENCE, SEAM_VIEW_TRUSTED, SEAM_VIEW_TESTED } SeamSliceView;

typedef struct {
  double width, height;
  SeamSliceView view;    /* of a slice */
  const char *view_name; /* of the side that is shown: "A", "FP64" */
  SeamMapScale scale;
  double atol, rtol;
  /* The slice's frame drawn on the overview, in elements; n_rows 0: none. For plane > 1 rows are
   * samples and columns channels. */
  gint64 frame_row, frame_column, frame_rows, frame_columns;
  gint64 n_groups; /* GroupNorm groups: dashed borders on a matrix slice; 0 or 1: none */
} SeamMapOptions;

/* `problem` names the axes ("batch row", "output feature (column)", "channel"). Copies the cells.
 */
SeamFigure *seam_overview_figure_new (const SeamProblem *problem, const SeamDifference *difference,
                                      const SeamMapOptions *options);
SeamFigure *seam_slice_figure_new (const SeamProblem *problem, const SeamSlice *slice,
                                   const SeamMapOptions *options);
/* Smallest and largest finite value of both sides; 0 and 1 where there is none. */
void seam_slice_get_range (const SeamSlice *slice, double *low, double *high);
/* The linear scale of values that both sides of a slice share. */
SeamFigure *seam_value_legend_figure_new (double low, double high, double width, double height);
SeamFigure *seam_map_legend_figure_new (const SeamMapScale *scale, double atol, double width,
                                        double height);

/* How many rows and columns of elements a slice figure of this size shows best (whole pixels each,
 * a square where there are elements enough,
 * at most `max` a side). */
void seam_slice_choose_size (double width, double height, gint64 available_rows,
                             gint64 available_columns, gint64 max, gint64 *n_rows,
                             gint64 *n_columns);

/* The square around the worst element, inside its plane or matrix: what sheets show and sessions
 * keep. Fills `slice` but for its grids, which are set to NULL. */
void seam_slice_choose_worst (const SeamProblem *problem, const SeamDifference *difference,
                              SeamSlice *slice);

G_END_DECLS
