/* SPDX-License-Identifier: MIT
 *
 * The modelled cost of a plan: the bytes that must move and the operations that must be done, from
 * shapes alone. A tensor is read once by each group that needs it, except by a groupnorm whose
 * groups do not fit on the chip: it reads its input twice (statistics, then apply).
 */
#pragma once

#include "app/plan/plan.h"

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
/* The least work of one thread of a CPU. Measured on two cores (Zen 5, AVX-512, cache warm), µs of
 * one thread, of two that were awake, and of two that had to be woken, as on a machine that others
 * use:
 *   conv 4.7 MFLOP 21, 12, 32; 19 MFLOP 72, 37, 81; 42 MFLOP 170, 89, 125;
 *   relu 0.6 MB 3.4, 2.5, 12; 1 MB 8.4, 4, 17; 2.4 MB 22, 11, 22.
 * With twice this work or more, a second thread pays even if it sleeps, or costs ten microseconds;
 * in smaller groups it saves as little if it is awake. Beside two busy loops, an execution of the
 * preset tiny took 20 to 29 µs on one thread, and 46 to 229 ms on two. */
#define SEAM_THREAD_BYTES 1e6
#define SEAM_THREAD_FLOP  8e6
/* The threads of a CPU that a group pays for, 1 to `most`: on a group that one thread finishes in
 * some ten microseconds, a second thread gains little on an idle machine, and on a busy one the
 * group waits for it, up to a time slice. `copied_bytes`: of operands, beside those of the cost. */
int seam_group_cost_count_threads (const SeamGroupCost *cost, double copied_bytes,
                                   double thread_bytes, double thread_flop, int most);
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
