/* SPDX-License-Identifier: MIT
 *
 * The parts of get_source(): cuda-source.c gives the text of kernels, source-words.c describes
 * library calls.
 */
#pragma once

#include "app/backend/cuda/cuda-groups.h"

char *source_describe_convolution (CudaDevice *device, const SeamGroupSpec *spec,
                                   const SeamSegment *s);
char *source_describe_matmul (const SeamGroupSpec *spec, const SeamSegment *s);
