/* SPDX-License-Identifier: MIT
 *
 * Difference maps: the overview (worst |A - B| a cell), a slice at full resolution, and their
 * shared logarithmic viridis scale with its legend. Square cells where the shape allows, no
 * interpolation; a slice uses whole pixels, the same number for every element. Elements within
 * their limit are plain card colour, NaN magenta with a cross. Hits: SEAM_HIT_CELL with row and
 * column of the cell (overview), or of the element in the whole matrix or plane (slice: first_row +
 * …). Both figures carry their title line, axes and axis titles; `hover` draws crosshair and box,
 * `focus` too.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/pipeline/problem.h"
#include "app/result/difference.h"
#include "app/result/tile.h"

/* The quantity that the maps show of a pair. It does not affect which elements are outside
 * tolerance. */
typedef enum {
  SEAM_UNIT_ABSOLUTE, /* |A - B| */
  SEAM_UNIT_RELATIVE, /* divided by the largest |A| of the whole output */
  SEAM_UNIT_ULP,      /* steps of FP32 from A to B */
  SEAM_UNIT_BOUND,    /* divided by the bound of the element */
  SEAM_N_UNITS,
  SEAM_UNIT_BEST = SEAM_N_UNITS /* by the bound where bounds judge, else absolute */
} SeamMapUnit;

/* Names of the two sides; static strings. */
typedef struct {
  const char *against; /* "A", "FP64" */
  const char *tested;  /* "B", "C" */
} SeamSideNames;

/* The name of plan `index` of a run, as in the window; -1: "FP64". */
const char *seam_side_get_name (int index);
/* "|A − C|"; newly allocated. */
char *seam_side_names_format_error (const SeamSideNames *names);

/* The unit itself; in place of SEAM_UNIT_BEST the one that it stands for. */
SeamMapUnit seam_map_unit_for (const SeamDifference *difference, SeamMapUnit unit);
/* SEAM_ERROR_INPUT. */
gboolean seam_map_unit_parse (const char *text, SeamMapUnit *unit, GError **error);

/* One colour scale for overview and slice. */
typedef struct {
  double low,
      high; /* in the unit, at the scale's ends, low > 0; values under low have its colour */
  SeamMapUnit unit;
  double divisor;   /* the largest |b| of the whole output; 1 where the scale is not relative */
  gboolean sampled; /* parts of the output were not looked at */
  gboolean empty;   /* no element is over its limit: there is nothing to colour */
  gboolean within;  /* differences within the limits have a colour, too; equal elements have none */
} SeamMapScale;

SeamMapScale seam_map_scale_for (const SeamDifference *difference, SeamMapUnit unit);
/* Where all elements agree and some are not equal: a scale of these differences.
 * Else the same as above. */
SeamMapScale seam_map_scale_within (const SeamDifference *difference, SeamMapUnit unit);
/* "5.1×10⁻⁶", "310 ULP": a largest difference in the unit, NULL where that is not known; newly
 * allocated. */
char *seam_map_format_largest (const SeamDifference *difference, SeamMapUnit unit);

/* Whether all elements were compared and agree, so that a map of what fails would be
 * empty. The texts that then replace the map are newly allocated: "All 4,096 elements agree", and
 * the largest difference in the unit. */
gboolean seam_map_describe_agreement (const SeamDifference *difference, SeamMapUnit unit,
                                      char **title, char **text);

/* A slice shows the difference of the sides, or the values of one of them, in the same colours for
 * both. */
typedef enum { SEAM_VIEW_DIFFERENCE, SEAM_VIEW_AGAINST, SEAM_VIEW_TESTED } SeamSliceView;

typedef struct {
  double width, height;
  SeamSliceView view;    /* of a slice */
  const char *view_name; /* name of the side that is shown: "A", "FP64" */
  SeamMapScale scale;
  SeamDifferenceSpec spec; /* with the limits of an element */
  /* The slice's frame on the overview, in elements; n_rows 0: none. For plane > 1 rows are samples
   * and columns channels. */
  gint64 frame_row, frame_column, frame_rows, frame_columns;
  gboolean all_planes; /* planes of a depth that were not asked for can be chosen, too */
  gint64 n_groups;     /* GroupNorm groups: dashed borders on a matrix slice; 0 or 1: none */
  /* Borders of the tiles in which a plan's last kernel writes the output; NULL: none. Borders too
   * close to distinguish are left out, and the subtitle says so. */
  const SeamTile *tile;
} SeamMapOptions;

/* Options for all maps of a sheet. */
typedef struct {
  SeamMapUnit unit;
  gboolean tiles, against_tiles; /* tiles of the tested side, or of the other */
} SeamMapLook;

/* "384, 0": values that are NaN, and infinite ones, of both sides. Newly allocated. */
char *seam_map_format_odd (const SeamDifference *difference);
/* Largest and mean difference in the unit; NaN unknown. */
void seam_map_get_extremes (const SeamDifference *difference, SeamMapUnit unit, double *largest,
                            double *mean);
/* Such a number with three digits: "3.30", "5.1×10⁻⁶", "–"; newly allocated. */
char *seam_map_format_value (double value);

/* Describes the lines drawn for `tile`, or why there are none, in a sentence: "Tiles of B: 128 rows
 * × 128 columns."; newly allocated. `name`: name of the side. */
char *seam_map_describe_tile (const SeamTile *tile, const SeamProblem *problem, const char *name);

/* `problem` names the axes ("batch row", "output feature (column)", "channel"). Copies the cells.
 */
SeamFigure *seam_overview_figure_new (const SeamProblem *problem, const SeamDifference *difference,
                                      const SeamMapOptions *options);
SeamFigure *seam_slice_figure_new (const SeamProblem *problem, const SeamSlice *slice,
                                   const SeamMapOptions *options);
/* The planes of a sample and channel, at most SEAM_DEPTH_PLANES of them, in which `depth`, which is
 * marked, is one. `planes`: whole planes, hatched where they are missing; NULL: none. Hits:
 * SEAM_HIT_SAMPLE with plan and index, the row and the column of the plane in the figure. */
#define SEAM_DEPTH_ACROSS 4
#define SEAM_DEPTH_PLANES 16
SeamFigure *seam_depth_figure_new (const SeamProblem *problem, const SeamSlice *planes,
                                   gint64 sample, gint64 channel, gint64 depth,
                                   const SeamMapOptions *options);
/* In place of overview and slice for outputs of one number a sample: a dot for each sample of the
 * slice, its |A - B| as a multiple of its limit on a logarithmic scale; hollow within the limit,
 * filled over it; equal ones in a row at the foot, NaN in one at the top. Where there are many, the
 * worst of each pixel. Hits: SEAM_HIT_CELL, row: the sample. */
SeamFigure *seam_dots_figure_new (const SeamSlice *slice, const SeamSideNames *names,
                                  const SeamMapOptions *options);
/* Smallest and largest finite value of both sides; 0 and 1 if there is none. */
void seam_slice_get_range (const SeamSlice *slice, double *low, double *high);
/* The linear scale of values that both sides of a slice share. */
SeamFigure *seam_value_legend_figure_new (double low, double high, double width, double height);
SeamFigure *seam_map_legend_figure_new (const SeamMapScale *scale, const SeamSideNames *names,
                                        double width, double height);

/* How many rows and columns of elements fit a slice figure of this size best: whole pixels for
 * each, a square if there are enough elements, at most `max` along each side. */
void seam_slice_choose_size (double width, double height, gint64 available_rows,
                             gint64 available_columns, gint64 max, gint64 *n_rows,
                             gint64 *n_columns);

/* The square around the worst element, inside its plane or matrix, for sheets and sessions. Fills
 * `slice` except for its grids, which are set to NULL. */
void seam_slice_choose_worst (const SeamProblem *problem, const SeamDifference *difference,
                              SeamSlice *slice);
