/* SPDX-License-Identifier: MIT
 *
 * Finds the driver, libraries and devices of this machine, before any GPU is opened.
 */
#pragma once

#include <glib.h>

/* Number of GPUs; 0 with a sentence why and a remedy (a command; may stay NULL). Makes no context,
 * and does not fail if a library is missing. */
int driver_count_devices (char **reason, char **remedy);
/* "CUDA 13.0, cuDNN 9.14.0, cuBLASLt 13.1.0, NVRTC 13.0" */
char *driver_describe_libraries (void);
/* "13.0" from 13000 (CUDA's way) */
char *driver_format_version (int version);
/* "9.14.0" from 91400 (cuDNN's way and cuBLAS's) */
char *driver_format_library_version (gsize version);
