/* SPDX-License-Identifier: MIT
 *
 * Computes limits from bytes, operations and rates.
 */
#include "app/plan/ceiling.h"

#include <math.h>

static double
get_memory_ns (const SeamRates *rates, double bytes)
{
  return rates->bytes_per_s > 0 ? 1e9 * bytes / rates->bytes_per_s : NAN;
}

static double
get_compute_ns (const SeamRates *rates, double flop)
{
  return rates->flop_per_s > 0 ? 1e9 * flop / rates->flop_per_s : NAN;
}

/* NaN (unknown) if either time is. */
static double
get_slower (double memory_ns, double compute_ns)
{
  return isnan (memory_ns) || isnan (compute_ns) ? NAN : fmax (memory_ns, compute_ns);
}

/* The bytes of a group that cannot come from the cache, whatever the schedule: each tensor crosses
 * once, less what the cache may hold when the group begins and what may remain in it when the group
 * ends. */
static double
get_compulsory_bytes (const SeamProblem *problem, const SeamPlan *plan, int group,
                      const SeamRates *rates)
{
  SeamGroupTensors tensors;
  double read = 0, written = 0;
  gboolean empty = group == 0 && rates->cold;

  seam_plan_get_group_tensors (plan, group, &tensors);
  for (int i = 0; i < tensors.n_inputs; i++)
    read += (double)problem->tensors[tensors.inputs[i]].bytes;
  for (int i = 0; i < tensors.n_params; i++)
    read += (double)problem->tensors[tensors.params[i]].bytes;
  for (int i = 0; i < tensors.n_outputs; i++)
    written += (double)problem->tensors[tensors.outputs[i]].bytes;
  if (!empty)
    read -= fmin (rates->cache_bytes, read);
  return read + written - fmin (rates->cache_bytes, written);
}

void
seam_plan_limit (const SeamProblem *problem, const SeamPlan *plan, const SeamRates *rates,
                 SeamPlanLimit *limit)
{
  SeamFloor floor;
  double memory_part = 0;

  *limit = (SeamPlanLimit){ 0 };
  for (int i = 0; i < plan->n_groups; i++) {
    SeamGroupCost cost;
    seam_group_cost (problem, plan, i, &cost);
    double bytes = cost.bytes_read + cost.bytes_written;
    double memory_ns = get_memory_ns (rates, bytes);
    double compute_ns = get_compute_ns (rates, cost.flop);
    double least_ns = get_memory_ns (rates, get_compulsory_bytes (problem, plan, i, rates));

    limit->bytes += bytes;
    limit->flop += cost.flop;
    limit->full_rate_ns += get_slower (memory_ns, compute_ns);
    /* A single known limit is a floor, too: fmax() returns it if the other is NaN. */
    limit->floor_ns += fmax (least_ns, compute_ns);
    if (!(compute_ns > memory_ns))
      memory_part += memory_ns;
  }
  limit->memory_bound = memory_part > limit->full_rate_ns / 2;
  /* By the rule above, tensors that a later group reads for the first time may be in the cache;
   * after a cold start they are not, which the floor of the problem takes into account. */
  seam_problem_get_floor (problem, rates->cache_bytes, rates->cold, rates->bytes_per_s,
                          rates->flop_per_s, &floor);
  limit->floor_ns = rates->more_caches ? floor.floor_ns : fmax (limit->floor_ns, floor.floor_ns);
}

/* Whether the cache holds a whole tensor between two ops. */
static gboolean
fits_cache (const SeamProblem *problem, const SeamRates *rates)
{
  int n_ops = problem->pipeline->chains[0].n_ops;

  return n_ops > 1 && (double)problem->tensors[SEAM_TENSOR_OUTPUT (0)].bytes <= rates->cache_bytes;
}

void
seam_ceiling (const SeamProblem *problem, const SeamRates *rates, SeamCeiling *ceiling)
{
  g_autoptr (SeamPlan) unfused = seam_plan_new (problem->pipeline, 0, 0);
  SeamPlanLimit limit;
  SeamFloor memory;

  *ceiling = (SeamCeiling){ .rates = *rates };
  seam_problem_get_floor (problem, rates->cache_bytes, rates->cold, rates->bytes_per_s,
                          rates->flop_per_s, &ceiling->floor);
  /* At one byte per ns, a time is a number of bytes. */
  seam_problem_get_floor (problem, rates->cache_bytes, rates->cold, 1e9, 0, &memory);
  seam_plan_limit (problem, unfused, rates, &limit);
  ceiling->memory_bytes = memory.floor_ns;
  ceiling->memory_ns = get_memory_ns (rates, ceiling->memory_bytes);
  ceiling->compute_ns = get_compute_ns (rates, ceiling->floor.flop);
  ceiling->unfused_bytes = limit.bytes;
  ceiling->unfused_ns = limit.full_rate_ns;
  ceiling->gain_bytes = ceiling->unfused_bytes / ceiling->floor.bytes;
  ceiling->tensors_fit_cache = fits_cache (problem, rates);
}
