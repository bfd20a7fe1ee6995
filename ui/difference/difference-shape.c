/* SPDX-License-Identifier: MIT
 *
 * The shape of an output: see difference-shape.h.
 */
#include "ui/difference/difference-shape.h"

SeamDifferenceShape
seam_difference_shape_read (const SeamProblem *problem)
{
  SeamDifferenceShape shape;
  gboolean has_planes;

  seam_problem_get_output_view (problem, &shape.rows, &shape.columns, &shape.plane);
  has_planes = seam_difference_shape_has_planes (&shape);
  shape.area_rows = has_planes ? problem->dims.p : shape.rows;
  shape.area_columns = has_planes ? problem->dims.q : shape.columns;
  shape.n_groups = seam_pipeline_get_field (problem->pipeline, "groups") >= 0
                       ? MAX (problem->dims.groups, 1)
                       : 1;
  return shape;
}

SeamDifferenceElement
seam_difference_shape_find (const SeamDifferenceShape *shape, gint64 index)
{
  gint64 area = shape->area_rows * shape->area_columns;
  gboolean has_planes = seam_difference_shape_has_planes (shape);

  return (SeamDifferenceElement){ .sample = has_planes ? index / area / shape->columns : 0,
                                  .channel = has_planes ? index / area % shape->columns : 0,
                                  .row = index % area / shape->area_columns,
                                  .column = index % shape->area_columns };
}

gint64
seam_difference_shape_get_index (const SeamDifferenceShape *shape,
                                 const SeamDifferenceElement *element)
{
  gint64 plane = seam_difference_shape_has_planes (shape)
                     ? element->sample * shape->columns + element->channel
                     : 0;

  return (plane * shape->area_rows + element->row) * shape->area_columns + element->column;
}
