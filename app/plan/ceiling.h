/* SPDX-License-Identifier: MIT
 *
 * Limits known before anything runs: the fewest bytes and operations of a problem, how long they
 * take at the rates of a device, which of the two limits binds, and the most that fusion can save.
 * Pure arithmetic on shapes and rates; the byte model is traffic.h. Every bound and every predicted
 * time that the program shows comes from here, at the rates of seam_device_info_get_rates().
 */
#pragma once

#include "app/plan/traffic.h"

/* The best rates of a device. */
typedef struct {
  double bytes_per_s, flop_per_s; /* of the math mode; <= 0: unknown */
  double cache_bytes;             /* last-level cache; 0: none, or unknown */
  gboolean cold;                  /* the cache holds nothing of use when a run begins */
  gboolean more_caches; /* there may be other caches of unknown size; they may hold what one group
                         * leaves for the next */
} SeamRates;

typedef struct {
  SeamFloor floor; /* fewest bytes, operations, floor and which limit binds */
  /* The two limits, of which the larger is the floor: the fewest bytes, less what the cache may
   * keep, at full bandwidth, and the operations at full rate. NaN: unknown. */
  double memory_ns, compute_ns;
  double memory_bytes; /* the bytes of memory_ns: those that the cache cannot keep */
  SeamRates rates;
  double unfused_bytes; /* with every seam cut */
  double unfused_ns;    /* these bytes at full rate, group after group; NaN: unknown */
  /* The most that fusion can save: unfused bytes over fewest bytes. Time has no such bound, since
   * no rate says how slow the unfused kernels are. */
  double gain_bytes;
  gboolean tensors_fit_cache; /* an intermediate tensor fits: cutting costs less than its bytes */
} SeamCeiling;

void seam_ceiling (const SeamProblem *problem, const SeamRates *rates, SeamCeiling *ceiling);

/* The limits of one plan. Groups run one after the other, so their times add up. */
typedef struct {
  double bytes, flop;    /* modelled, with re-reads */
  double full_rate_ns;   /* each group's modelled bytes or operations at full rate; NaN: unknown */
  double floor_ns;       /* no run of the plan is faster: re-reads may come from the cache, and so
                          * may as much of the tensors between two groups as it holds; never below
                          * the floor of the problem, and equal to it if there may be more caches;
                          * NaN: unknown */
  gboolean memory_bound; /* memory causes the larger part of full_rate_ns */
} SeamPlanLimit;

void seam_plan_limit (const SeamProblem *problem, const SeamPlan *plan, const SeamRates *rates,
                      SeamPlanLimit *limit);
