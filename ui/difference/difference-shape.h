/* SPDX-License-Identifier: MIT
 *
 * The shape of an output as the Difference tab sees it: a matrix of elements, or of planes
 * (sample, channel, depth) with elements of their own. The rows of a SeamSlice count through all
 * depths of a channel.
 */
#pragma once

#include "app/pipeline/problem.h"
#include "app/result/difference.h"

typedef struct {
  gint64 rows, columns;           /* of the matrix; samples and channels if it consists of planes */
  gint64 plane;                   /* elements of a channel; 1: a matrix of elements */
  gint64 depth;                   /* planes of a channel */
  gint64 area_rows, area_columns; /* the area that contains a slice: the plane, or the matrix */
  gint64 n_groups;                /* of GroupNorm; 1: there are none */
  SeamDifferenceSpec spec;        /* without cells and limits */
} SeamDifferenceShape;

/* A place in an output; sample, channel and depth are 0 in a matrix of elements. */
typedef struct {
  gint64 sample, channel, depth, row, column;
} SeamDifferenceElement;

SeamDifferenceShape seam_difference_shape_read (const SeamProblem *problem);

static inline gboolean
seam_difference_shape_has_planes (const SeamDifferenceShape *shape)
{
  return shape->plane > 1;
}

/* Whether the output has one number a sample. */
static inline gboolean
seam_difference_shape_is_dots (const SeamDifferenceShape *shape)
{
  return seam_difference_is_dots (&shape->spec);
}

/* The depth of a slice, and its first row in the plane. */
static inline gint64
seam_difference_shape_get_depth (const SeamDifferenceShape *shape, const SeamSlice *slice)
{
  return slice->first_row / shape->area_rows;
}

static inline gint64
seam_difference_shape_get_row (const SeamDifferenceShape *shape, const SeamSlice *slice)
{
  return slice->first_row % shape->area_rows;
}

/* Whether the slice is of this sample, channel and depth; always in a matrix. */
static inline gboolean
seam_difference_shape_is_of (const SeamDifferenceShape *shape, const SeamSlice *slice,
                             gint64 sample, gint64 channel, gint64 depth)
{
  return !seam_difference_shape_has_planes (shape)
         || (slice->sample == sample && slice->channel == channel
             && seam_difference_shape_get_depth (shape, slice) == depth);
}

/* Converts a flat index to an element, and back. */
SeamDifferenceElement seam_difference_shape_find (const SeamDifferenceShape *shape, gint64 index);
gint64 seam_difference_shape_get_index (const SeamDifferenceShape *shape,
                                        const SeamDifferenceElement *element);
