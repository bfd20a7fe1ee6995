/* SPDX-License-Identifier: MIT
 *
 * Tiles of elementwise kernels and GroupNorm: see cuda-tiles.h. The kernels of
 * kernels/cuda/elementwise.cuh and groupnorm.cuh find their elements by the same numbers.
 */
#include "app/backend/cuda/cuda-tiles.h"

SeamTile
tile_of_elementwise (const SeamCudaArguments *a, const SeamCudaGeometry *g)
{
  gint64 line = (gint64)g->threads * g->vector;

  if (g->matrix)
    return (SeamTile){ .kind = SEAM_TILE_BOX, .rows = SEAM_CUDA_ROWS (g->vector), .columns = line };
  return (SeamTile){
    .kind = SEAM_TILE_RUN, .rows = 1, .columns = 1, .run = line * SEAM_CUDA_LOADS (g->vector)
  };
}

/* Tiles of whole groups, one after another over samples and channels. */
SeamTile
tile_of_one_pass (const SeamCudaArguments *a, const SeamCudaGeometry *g)
{
  return (SeamTile){ .kind = SEAM_TILE_RUN,
                     .run = (gint64)(g->threads / a->lanes) * g->repeat * a->group_elements };
}

/* Tiles that are parts of a plane, or of a group's columns. */
SeamTile
tile_of_two_pass (const SeamCudaArguments *a, const SeamCudaGeometry *g)
{
  gint64 run = (gint64)g->threads * SEAM_CUDA_TILE_LOADS (g->vector) * g->vector;

  if (g->matrix)
    return (SeamTile){ .kind = SEAM_TILE_BOX,
                       .rows = 1,
                       .columns = MIN (run, a->group_elements),
                       .column_period = a->group_elements };
  return (SeamTile){ .kind = SEAM_TILE_RUN, .rows = 1, .columns = 1, .run = run };
}
