/* SPDX-License-Identifier: MIT
 *
 * The roofline of a result: operations per second over operations per byte for kernels and whole
 * plans, and the bounds of the device. Bytes are measured if counters know them, else modelled;
 * each point says which. Its operations are all operations; the FLOP of other tables are those of
 * the matrix product (app/plan/traffic.h). Pure data; app/figure/roofline-figure.h draws it.
 */
#pragma once

#include "app/base/owner.h"
#include "app/plan/plan.h"
#include "app/result/result.h"

typedef struct {
  int side;            /* 0: A, 1: B */
  int kernel;          /* index in the plan; -1: the whole plan */
  SeamOpKind op_kind;  /* for kernels: the kind of the main op */
  char *label;         /* "conv2d", "groupnorm apply"; a plan's title */
  double operations;   /* multiply-adds of the matrix op count two; kernels/ops.h has the counts of
                        * elementwise ops */
  double bytes;        /* between chip and memory */
  gboolean measured;   /* bytes are from counters, not from the model */
  gboolean is_cache;   /* bytes between L2 and multiprocessors instead of memory; kernels with such
                        * counters have a second point of this kind */
  double time_ns;      /* kernel: median; plan: elapsed median */
  double intensity;    /* operations per byte */
  double rate;         /* operations per second */
  double attainable;   /* the lowest bound at this intensity; NaN: no bound known */
  gboolean multiplies; /* does the matrix product */
  int arithmetic; /* index of the bound of the arithmetic that it executed; FP32's for one that uses
                   * no tensor core; of a whole plan, the math mode's; -1: none */
} SeamRooflinePoint;

typedef enum { SEAM_BOUND_MEMORY, SEAM_BOUND_ARITHMETIC } SeamBoundKind;

typedef struct {
  SeamBoundKind kind;
  char *label;       /* "DRAM", "TF32", "BF16", "FP16×3", "FP32" */
  double rate;       /* bytes or operations per second */
  gboolean measured; /* on this device; else from the data sheet */
  gboolean in_force; /* applies to the result's math mode */
  gboolean is_cache; /* bandwidth of the last-level cache; only calibration knows it */
} SeamRooflineBound;

typedef struct {
  int n_sides;
  char letters[2]; /* of the plans: seam_plan_get_letter() */
  int n_points;
  SeamRooflinePoint *points; /* those with known bytes and time */
  int n_bounds;
  SeamRooflineBound *bounds; /* memory first, the cache last */
  int mode, fp32;            /* indices of the arithmetic bounds of the math mode and of FP32, the
                              * slowest; -1: none */
  int n_left_out;            /* kernels without known bytes */
} SeamRoofline;

/* Plans `a` and `b` (b -1: only `a`). SEAM_ERROR_INPUT if there is no such plan, SEAM_ERROR_FILE if
 * the result's pipeline cannot be read. A plan that was not timed has no points. */
SeamRoofline *seam_roofline_new (const SeamResult *result, int a, int b, GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamRoofline, seam_owner_free)
