/* SPDX-License-Identifier: MIT
 *
 * The sources that generated kernels include, as strings made from the files themselves at build
 * time (embed.sh), so that what NVRTC compiles is what nvcc compiled.
 */
#pragma once

extern const char seam_text_elementwise_cuh[];
extern const char seam_text_geometry_h[];
extern const char seam_text_groupnorm_cuh[];
extern const char seam_text_ops_h[];
