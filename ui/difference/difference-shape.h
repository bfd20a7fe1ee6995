/* SPDX-License-Identifier: MIT
 *
 * The shape of an output as the Difference tab sees it: a matrix of elements, or of planes
 * (sample, channel) with elements of their own.
 */
#pragma once

#include "app/pipeline/problem.h"

typedef struct {
  gint64 rows, columns;           /* of the matrix; samples and channels if it consists of planes */
  gint64 plane;                   /* elements of a plane; 1: a matrix of elements */
  gint64 area_rows, area_columns; /* the area that contains a slice: the plane, or the matrix */
  gint64 n_groups;                /* of GroupNorm; 1: there are none */
} SeamDifferenceShape;

/* A place in an output; sample and channel are 0 in a matrix of elements. */
typedef struct {
  gint64 sample, channel, row, column;
} SeamDifferenceElement;

SeamDifferenceShape seam_difference_shape_read (const SeamProblem *problem);

static inline gboolean
seam_difference_shape_has_planes (const SeamDifferenceShape *shape)
{
  return shape->plane > 1;
}

/* Converts a flat index to an element, and back. */
SeamDifferenceElement seam_difference_shape_find (const SeamDifferenceShape *shape, gint64 index);
gint64 seam_difference_shape_get_index (const SeamDifferenceShape *shape,
                                        const SeamDifferenceElement *element);
