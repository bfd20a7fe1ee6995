/* SPDX-License-Identifier: MIT
 *
 * The modelled cost of a plan: the bytes that must move and the operations that must be done, from
 * shapes alone. A tensor is read once by each group that needs it, except by a groupnorm whose
 * groups do not fit on the chip: it reads its input twice (statistics, then apply).
 */
#pragma once

#include "app/plan/plan.h"

G_BEGIN_DECLS

/* Most elements of a GroupNorm group that the backends hold on the chip between statistics and
 * apply, so that it is read once: 32 KB, in the registers of one thread block or in a CPU's L1. */
#define SEAM_GROUPNORM_ONE_PASS_ELEMENTS 8192

typedef struct {
  double bytes_read, bytes_written;
  double flop;  /* of the group's matrix op: 2 * multiply-adds; elementwise work is not counted */
  int n_passes; /* over its activation input: 2 with a large groupnorm, else 1 */
} SeamGroupCost;

void seam_group_cost (const SeamProblem *problem, const SeamPlan *plan, int group,
                      SeamGroupCost *cost);
/* How often a group reads one of its activation inputs: 2 if a large groupnorm needs it for the
 * statistics and again to apply them, else 1. */
int seam_group_count_reads (const SeamProblem *problem, const SeamPlan *plan, int group,
                            int tensor);

typedef struct {
  double bytes; /* read + written, all groups */
  double flop;
  double bytes_allocated; /* input, parameters, materialised tensors: one plan's memory */
} SeamPlanCost;

void seam_plan_cost (const SeamProblem *problem, const SeamPlan *plan, SeamPlanCost *cost);

/* Bytes that toggling `seam` saves (cut -> fused) or would cost (fused -> cut); >= 0. */
double seam_plan_seam_bytes (const SeamProblem *problem, const SeamPlan *plan, int seam);

/* The fewest bytes that any plan must move (input, parameters, output, each once), the operations,
 * and the floor in ns on a machine of `bytes_per_s` and `flop_per_s` (<= 0: unknown, that bound is
 * left out; both unknown: NaN). `memory_bound` says which bound is larger. A last-level cache of
 * `cache_bytes` (0: none) may keep data that need not cross to memory during the measured time: the
 * end of the output and, in a warm run, a part of the input. */
typedef struct {
  double bytes, flop, floor_ns;
  gboolean memory_bound;
} SeamFloor;

void seam_problem_get_floor (const SeamProblem *problem, double cache_bytes, gboolean cold,
                             double bytes_per_s, double flop_per_s, SeamFloor *floor);

G_END_DECLS
