/* SPDX-License-Identifier: MIT
 *
 * The difference of two outputs, as plain data: totals, an overview map with one cell for each
 * block of elements, a histogram of the errors, and the worst elements. A backend computes it where
 * the tensors are; compare/ and figures read it.
 */
#pragma once

#include "app/pipeline/op.h"
#include "app/settings/settings.h"
#include "app/record/record.h"
#include "app/result/histogram.h"

#include <math.h>

/* What to compare. The output is seen as [rows, columns, plane] (seam_problem_get_output_view); a
 * cell of the overview is rows_per_cell x columns_per_cell x the whole plane. */
typedef struct {
  gint64 rows, columns, plane;
  gint64 rows_per_cell, columns_per_cell;
  double atol, rtol;      /* a person's tolerances; NaN: the bound of each element judges */
  gint64 plane_width;     /* columns of a plane; 0: unknown */
  gint64 depth;           /* planes that `plane` consists of; 0: unknown */
  int rank;               /* dimensions of the output; 0: unknown */
  SeamOperandType stored; /* type of the outputs' elements in memory while they are compared; FP32
                           * if read back from a file */
} SeamDifferenceSpec;

/* Most elements that are kept individually. */
#define SEAM_DIFFERENCE_WORST 16

typedef struct {
  gint64 index; /* flat */
  double a, b;
  double bound; /* NaN: unknown */
} SeamWorstElement;

typedef struct {
  SeamDifferenceSpec spec;
  gint64 n_elements; /* of the output */
  gint64 n_looked;   /* elements compared: all, or fewer if the reference has sampled slices only */
  int n_slices;      /* number of sampled slices; 0: every element was compared. All fields below
                      * are about the compared elements */
  gint64 n_failing;  /* seam_element_fails(); a is compared with b */
  gint64 n_unjudged; /* elements without a bound: operands or reference are infinite, or |b| and its
                      * bound leave FP32 */
  gint64 n_shown;    /* elements with |b| over their bound, for which a 0 would fail; -1: unknown */
  gint64 n_nan_a, n_nan_b, n_infinite_a, n_infinite_b;
  double max_abs, mean_abs; /* over pairs that are both finite */
  double rms_abs, rms_b;    /* root mean square of a - b, and of b; NaN: unknown */
  double max_rel, mean_rel; /* max_abs and mean_abs divided by max_abs_b: relative to the output's
                             * scale, so that elements close to zero do not decide */
  gint64 max_ulps; /* largest distance in FP32's units in the last place; -1: unknown. Files up to
                    * format 1.3 have no ULP and no `hits` */
  double mean_ulps;
  double max_abs_b;       /* the output's scale */
  double max_error_ratio; /* largest |a - b| / max(1, |b|): the error of the project's tolerances */
  double max_bound_ratio; /* largest |a - b| over the bound of a right implementation's error
                           * (app/backend/bound.h); NaN: unknown */
  gint64 bound_index;     /* flat index of that element; -1: unknown */
  gint64 worst_index;     /* flat index of the element with the largest |a - b|, a non-finite pair
                           * first; -1 if all are equal */
  double worst_a, worst_b;
  gint64 n_cell_rows, n_cell_columns; /* ceil (rows / rows_per_cell), … */
  float *cells;  /* largest |a - b| of each cell [n_cell_rows, n_cell_columns]; NaN if the cell has
                  * a NaN or infinity on either side; owned */
  guint32 *ulps; /* largest distance in ULP of each cell, same layout; NULL: unknown; owned */
  float *shares; /* largest |a - b| over its bound of each cell, same layout, of the elements that
                  * have one; at most G_MAXFLOAT; NULL: no bounds; owned */
  guint32 *failing;       /* failing elements of each cell (saturating), same layout; owned */
  guint32 *looked;        /* compared elements of each cell (saturating), same layout; NULL: all;
                           * owned */
  gint64 *histogram;      /* finite pairs by |a - b| and |b| [SEAM_HISTOGRAM_ERRORS,
                             SEAM_HISTOGRAM_MAGNITUDES]; NULL: unknown; owned */
  gint64 *histogram_ulps; /* finite pairs by distance [SEAM_HISTOGRAM_ULPS]; NULL: unknown; owned */
  gint64 *histogram_shares; /* finite pairs that have a bound by |a - b| over it
                             * [SEAM_HISTOGRAM_ERRORS]; NULL: no bounds; owned */
  float *depth_shares; /* share of the compared elements that fail at each depth, of all samples and
                        * channels [spec.depth]; NaN: none was compared; NULL: no depth, or none
                        * fails; owned */
  guint8 *hits; /* 1 where an element fails [seam_difference_count_hits()]: rows, columns, rows
                   of planes, columns of planes; NULL: unknown; owned */
  char *region; /* where elements fail, in a sentence (compare/region.c); NULL: nowhere or unknown;
                 * owned */
  char *shows_nothing; /* why an agreement says nothing, in a sentence (compare/agreement.c); NULL:
                        * it does say something, or unknown; owned */
  char *untested;      /* parts of the chain that the input does not reach, in a sentence
                        * (seam_reference_describe_use); NULL: none, or unknown; owned */
  int n_worst;         /* -1: unknown, as in files of format 1.0; 0: all are equal */
  /* Elements that differ: pairs that are not finite first, then by falling |a - b|, equal ones by
   * rising index; the first is worst_index. A new difference has room for SEAM_DIFFERENCE_WORST.
   * NULL unless n_worst is over 0; owned. */
  SeamWorstElement *worst;
} SeamDifference;

/* A row of the table of worst elements: its error, its part of the limit, and its place. */
typedef struct {
  int rank;                    /* from 1 */
  gint64 index;                /* flat */
  gint64 row, column, element; /* sample, channel and element of the plane; 0 without a plane */
  gint64 depth, height, width; /* the element by its axes; -1: the output lacks the axis */
  double a, b;
  double error;       /* |a - b|; NaN or infinite for a pair that is not finite */
  double limit;       /* that it may have at most; NaN: none */
  double limit_ratio; /* error over the limit of the element: over 1 fails; NaN: unknown */
  gint64 n_ulps;      /* -1: unknown */
} SeamWorstRow;

/* Whether the bound of each element judges, and not a person's tolerances. */
static inline gboolean
seam_difference_is_by_bound (const SeamDifferenceSpec *spec)
{
  return isnan (spec->atol);
}

/* "outside tolerance" or "over the bound"; "within tolerance" or "within the bound". */
#define SEAM_OUTSIDE(spec)                                                                         \
  (seam_difference_is_by_bound (spec) ? "over the bound" : "outside tolerance")
#define SEAM_WITHIN(spec)                                                                          \
  (seam_difference_is_by_bound (spec) ? "within the bound" : "within tolerance")

/* The error that an element may have at most. */
static inline double
seam_difference_get_limit (const SeamDifferenceSpec *spec, double b, double bound)
{
  return seam_difference_is_by_bound (spec) ? bound : spec->atol + spec->rtol * fabs (b);
}

/* Whether the element (a, b) is not judged: of infinite operands, or where a right value may leave
 * FP32. */
static inline gboolean
seam_element_is_unjudged (const SeamDifferenceSpec *spec, double b, double bound)
{
  return seam_difference_is_by_bound (spec) && fabs (b) + bound > G_MAXFLOAT;
}

/* Whether it fails; the only definition. NaN fails; where the chain makes NaN (a bound of NaN),
 * everything else does. */
static inline gboolean
seam_element_fails (const SeamDifferenceSpec *spec, double a, double b, double bound)
{
  if (seam_difference_is_by_bound (spec) && isnan (bound))
    return !isnan (a);
  return !(fabs (a - b) <= seam_difference_get_limit (spec, b, bound)) && !(a == b)
         && !seam_element_is_unjudged (spec, b, bound);
}

/* An element's index along an axis of the output, in the words of its shape. */
typedef struct {
  const char *name; /* "sample", "row", "channel", "feature", "column", "depth", "element" */
  gint64 size, at;
} SeamPlaceAxis;

#define SEAM_PLACE_AXES SEAM_MAX_DIMS

/* A spec for an output, without cells and tolerances. */
SeamDifferenceSpec seam_difference_spec_for (const SeamShapeView *view);
/* Planes of a channel; 1 if there are none, or unknown. */
gint64 seam_difference_get_depth (const SeamDifferenceSpec *spec);
/* Whether the output has one number a sample. */
gboolean seam_difference_is_dots (const SeamDifferenceSpec *spec);
/* Fills in the axes of the output, slowest first, with the place of the element at flat index
 * `index`; returns how many there are. Those of length 1 within a plane are left out. */
int seam_difference_find_place (const SeamDifferenceSpec *spec, gint64 index,
                                SeamPlaceAxis axes[SEAM_PLACE_AXES]);
/* "sample 7, channel 12, depth 3, row 17, column 22"; newly allocated. */
char *seam_difference_format_place (const SeamDifferenceSpec *spec, gint64 index);
/* The same without rows and columns of planes. */
char *seam_difference_format_plane (const SeamDifferenceSpec *spec, gint64 index);

/* Zeroed, with cells allocated for the spec. */
SeamDifference *seam_difference_new (const SeamDifferenceSpec *spec);
/* Makes room for `shares` and their histogram, all 0. */
void seam_difference_add_shares (SeamDifference *difference);
/* Length of `hits`: rows + columns, and height + width of the planes if they are known. */
gsize seam_difference_count_hits (const SeamDifferenceSpec *spec);
/* Whether `hits` has rows and columns of planes. */
gboolean seam_difference_has_plane_hits (const SeamDifferenceSpec *spec);
/* Marks the element at flat index `index`; may be called from any thread. */
void seam_difference_mark (SeamDifference *difference, gint64 index);
/* Sets the largest and mean distance in ULP, from `ulps` and the sum over `n_finite` pairs. */
void seam_difference_finish_ulps (SeamDifference *difference, guint64 sum_ulps, gint64 n_finite);
/* What a comparison found; everything that says so derives it from here. */
typedef enum {
  SEAM_OUTPUTS_DIFFER,        /* elements are over their limit */
  SEAM_OUTPUTS_SHOWN_NOTHING, /* no element has a bound, or with a person's tolerances all values of
                               * b and all differences, not all 0, are under the absolute tolerance:
                               * an output of zeros would agree, too */
  SEAM_OUTPUTS_AGREE,
  SEAM_OUTPUTS_NOT_COMPARED, /* no difference (NULL) */
} SeamOutputs;
SeamOutputs seam_difference_judge (const SeamDifference *difference);
/* What orders cells from the worst: the part of the bound where bounds judge, else the cells. */
static inline const float *
seam_difference_get_ranks (const SeamDifference *difference)
{
  return difference->shares != NULL && seam_difference_is_by_bound (&difference->spec)
             ? difference->shares
             : difference->cells;
}

/* max_abs; NaN if pairs are not finite and all others are equal, so that a 0 hides no NaN. */
double seam_difference_get_largest (const SeamDifference *difference);
/* `i` is below n_worst. */
void seam_difference_get_worst (const SeamDifference *difference, int i, SeamWorstRow *row);
void seam_difference_free (SeamDifference *difference);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDifference, seam_difference_free)

/* In variants the grids are `ay` (little-endian). Without grids (as in JSON), cells, failing and
 * histogram are NULL and both cell counts are 0. */
extern const SeamRecordType seam_difference_type;

/* Chooses cell sizes for an output so that neither side of the overview has over `max_side`
 * cells. */
void seam_difference_choose_cells (SeamDifferenceSpec *spec, gint64 max_side);

/* A rectangle of both outputs at full resolution. For plane > 1 it is part of the P x Q plane of
 * (row, column); for plane == 1 part of the rows x columns matrix. */
typedef struct {
  gint64 sample, channel;         /* which plane; 0, 0 for a matrix */
  gint64 first_row, first_column; /* in the plane, or in the matrix */
  gint64 n_rows, n_columns;
  float *a, *b;  /* [n_rows, n_columns], owned */
  float *rest;   /* what FP64 values of b have more than b, same layout; NULL: nothing; owned */
  float *bounds; /* of each pair, same layout; NULL: unknown; owned */
} SeamSlice;

SeamSlice *seam_slice_new (gint64 n_rows, gint64 n_columns);
/* b of pair number `i`, in FP64 where it is the reference. */
static inline double
seam_slice_get_b (const SeamSlice *slice, gint64 i)
{
  return (double)slice->b[i] + (slice->rest != NULL ? (double)slice->rest[i] : 0);
}
/* Sets it, where there is room for the rest. */
static inline void
seam_slice_set_b (SeamSlice *slice, gint64 i, double b)
{
  slice->b[i] = (float)b;
  slice->rest[i] = isfinite (slice->b[i]) ? (float)(b - (double)slice->b[i]) : 0;
}
/* Of pair number `i`; infinite, so that nothing is judged, where it is unknown. */
static inline double
seam_slice_get_bound (const SeamSlice *slice, gint64 i)
{
  return slice->bounds != NULL ? slice->bounds[i] : INFINITY;
}
/* Elements of `n_rows` rows of the slice, from its row number `first` on, that fail. */
gint64 seam_slice_count_failing (const SeamSlice *slice, const SeamDifferenceSpec *spec,
                                 gint64 first, gint64 n_rows);
void seam_slice_free (SeamSlice *slice);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSlice, seam_slice_free)
extern const SeamRecordType seam_slice_type;
