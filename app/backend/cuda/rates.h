/* SPDX-License-Identifier: MIT
 *
 * The two limiting rates of a GPU: measured memory bandwidth, and arithmetic from data sheets.
 */
#pragma once

#include "app/backend/cuda/cuda-device.h"

/* Fills bytes_per_s, flop_fp32, flop_tf32, their peaks and rates_source of the device's info. Never
 * fails: a rate that cannot be found stays unknown. */
void rates_measure (CudaDevice *device);
/* Dense FP32 and TF32 operations a second; 0 if no known data sheet says. Pure. */
void rates_from_data_sheet (int major, int minor, int n_processors, double clock_hz, double *fp32,
                            double *tf32);
