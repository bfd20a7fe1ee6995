/* SPDX-License-Identifier: MIT
 *
 * The shape of an output: see difference-shape.h.
 */
#include "ui/difference/difference-shape.h"

SeamDifferenceShape
seam_difference_shape_read (const SeamProblem *problem)
{
  const SeamShapeView view = seam_problem_get_output_view (problem);
  SeamDifferenceShape shape = { .rows = view.outer,
                                .columns = view.channels,
                                .plane = view.inner,
                                .depth = view.depth,
                                .n_groups = seam_problem_get_n_groups (problem),
                                .spec = seam_difference_spec_for (&view) };

  seam_shape_view_get_area (&view, &shape.area_rows, &shape.area_columns);
  shape.area_rows /= view.depth;
  return shape;
}

SeamDifferenceElement
seam_difference_shape_find (const SeamDifferenceShape *shape, gint64 index)
{
  gint64 area = shape->area_rows * shape->area_columns, plane = index / area;

  return (SeamDifferenceElement){ .sample = plane / shape->depth / shape->columns,
                                  .channel = plane / shape->depth % shape->columns,
                                  .depth = plane % shape->depth,
                                  .row = index % area / shape->area_columns,
                                  .column = index % shape->area_columns };
}

gint64
seam_difference_shape_get_index (const SeamDifferenceShape *shape,
                                 const SeamDifferenceElement *element)
{
  gint64 plane =
      seam_difference_shape_has_planes (shape)
          ? (element->sample * shape->columns + element->channel) * shape->depth + element->depth
          : 0;

  return (plane * shape->area_rows + element->row) * shape->area_columns + element->column;
}
