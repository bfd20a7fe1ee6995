/* SPDX-License-Identifier: MIT
 *
 * The tiles in which this program's elementwise and GroupNorm kernels write the output of a group,
 * from the geometry of their launch. Those of hand-written matrix kernels are set beside their
 * launches.
 */
#pragma once

#include "app/result/tile.h"
#include "kernels/cuda/geometry.h"

SeamTile tile_of_elementwise (const SeamCudaArguments *a, const SeamCudaGeometry *g);
SeamTile tile_of_one_pass (const SeamCudaArguments *a, const SeamCudaGeometry *g);
SeamTile tile_of_two_pass (const SeamCudaArguments *a, const SeamCudaGeometry *g);
