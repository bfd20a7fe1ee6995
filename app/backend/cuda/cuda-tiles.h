/* SPDX-License-Identifier: MIT
 *
 * The tiles by which this program's own kernels write the output of a group, from the geometry of
 * their launch. What the hand-written matrix kernels have stands with their launches.
 */
#pragma once

#include "app/result/tile.h"
#include "kernels/cuda/geometry.h"

G_BEGIN_DECLS

SeamTile tile_of_elementwise (const SeamCudaArguments *a, const SeamCudaGeometry *g);
SeamTile tile_of_one_pass (const SeamCudaArguments *a, const SeamCudaGeometry *g);
SeamTile tile_of_two_pass (const SeamCudaArguments *a, const SeamCudaGeometry *g);

G_END_DECLS
