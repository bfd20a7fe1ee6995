/* SPDX-License-Identifier: MIT
 *
 * Private to the CPU backend: the plain executor. It runs one op of any class by the loop nests of
 * kernels/cpu, without a compiler at hand; oneDNN takes its place for convolutions where it has
 * one.
 */
#pragma once

#include "app/backend/cpu/backend-cpu.h"
#include "app/backend/nest.h"

/* One op, ready to run; opaque outside plain.c. */
typedef struct SeamCpuPlain SeamCpuPlain;

/* Reads sizes from the spec and buffers from `tensors`. The factors of a matrix op are those of
 * `prepared`. SEAM_ERROR_MEMORY. */
SeamCpuPlain *seam_cpu_plain_new (const SeamPrepared *prepared, const SeamGroupSpec *spec,
                                  SeamBuffer *const *tensors, GError **error);
void seam_cpu_plain_free (SeamCpuPlain *plain); /* accepts NULL */
void seam_cpu_plain_run (SeamCpuPlain *plain, const SeamPrepared *prepared, SeamCancel *cancel,
                         SeamCancel *also);
/* The loops in words. */
void seam_cpu_plain_describe (const SeamGroupSpec *spec, GString *text);
