/* SPDX-License-Identifier: MIT
 *
 * The roofline of a result: operations a second over operations a byte for kernels and whole plans,
 * and the bounds of the device. Bytes are measured where counters know them, else modelled; the
 * data says which. Pure data; app/figure/roofline-figure.h draws it.
 */
#pragma once

#include "app/plan/plan.h"
#include "app/result/result.h"

G_BEGIN_DECLS

typedef struct {
  int side;           /* 0: A, 1: B */
  int kernel;         /* of the plan; -1: the whole plan */
  SeamOpKind op_kind; /* of its main op; for kernels */
  char *label;        /* "conv2d", "groupnorm apply"; a plan's title */
  double operations;  /* multiply-adds of the matrix op count two; elementwise ops are counted as
                         kernels/ops.h says */
  double bytes;       /* that crossed to memory */
  gboolean measured;  /* bytes are from counters, not from the model */
  gboolean is_cache;  /* bytes are those between L2 and everything else, not of memory; kernels
                         with such counters have a second point of this kind */
  double time_ns;     /* kernel: median; plan: elapsed median */
  double intensity;   /* operations a byte */
  double rate;        /* operations a second */
  double attainable;  /* the lowest bound at this intensity; NaN: no bound known */
} SeamRooflinePoint;

typedef enum { SEAM_BOUND_MEMORY, SEAM_BOUND_ARITHMETIC } SeamBoundKind;

typedef struct {
  SeamBoundKind kind;
  char *label;       /* "DRAM", "TF32", "BF16", "BF16×3", "FP32" */
  double rate;       /* bytes or operations a second */
  gboolean measured; /* on this device; else from its data sheet */
  gboolean in_force; /* of the result's math mode */
  gboolean is_cache; /* bandwidth of the last-level cache; only calibration knows it */
} SeamRooflineBound;

typedef struct {
  int n_sides;
  char letters[2]; /* what they are called: A, and B or seam_result_get_letter() */
  int n_points;
  SeamRooflinePoint *points; /* those whose bytes and time are known */
  int n_bounds;
  SeamRooflineBound *bounds; /* memory first, the cache last */
  int n_left_out;            /* kernels without known bytes */
} SeamRoofline;

/* Plans `a` and `b` (b -1: `a` alone). SEAM_ERROR_INPUT when there is no such plan, SEAM_ERROR_FILE
 * when the result's pipeline cannot be read. A plan that was not timed has no points. */
SeamRoofline *seam_roofline_new (const SeamResult *result, int a, int b, GError **error);
void seam_roofline_free (SeamRoofline *roofline);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamRoofline, seam_roofline_free)

G_END_DECLS
