/* SPDX-License-Identifier: MIT
 *
 * Chooses the part of the output that the FP64 reference computes: all of it if that takes only
 * seconds, else slices spread over the output, the same ones for the same seed. The reference can
 * compute each slice by itself: whole GroupNorm groups, planes of channels or rows of them, or
 * columns of one row of a matrix.
 */
#include "app/runner/run-private.h"

#include "app/base/random.h"

/* WHOLE_MACS: most multiply-adds with which the host computes the whole output, a matter of seconds
 * (tests/core/test-sampled-reference.c measured 4.8e8 per second on two busy processors).
 * SAMPLED_MACS: multiply-adds of all sampled slices together. */
#define WHOLE_MACS   4e9
#define SAMPLED_MACS 2e9

/* At least this many places for each slice, if slices can be made smaller. */
#define PLACES_PER_SLICE 4

/* Multiply-adds of the whole reference. An element that passes an op takes as long as ten. */
static double
count_macs (const SeamProblem *problem)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  double macs = 0, elements = 0;

  for (int i = 0; i < chain->n_ops; i++) {
    const double n = (double)problem->tensors[SEAM_TENSOR_OUTPUT (i)].n_elements;
    elements += n;
    if (seam_op_is_matrix (&chain->ops[i]))
      macs += n * (double)seam_op_get_reach (problem, chain, i);
  }
  return MAX (macs, 10 * elements);
}

gboolean
seam_reference_is_whole (const SeamProblem *problem, SeamReferenceExtent extent, double device_macs)
{
  if (extent != SEAM_REFERENCE_AUTO)
    return extent == SEAM_REFERENCE_WHOLE;
  return count_macs (problem) <= MAX (device_macs, WHOLE_MACS);
}

/* Multiply-adds of one part; at least one for each of its elements. */
static double
get_macs (const SeamProblem *problem, gint64 n_channels, gint64 n_rows)
{
  const SeamReferencePart part = { 0, 0, n_channels, 0, n_rows };
  SeamReferenceNeed need;

  seam_reference_get_need (problem, &part, &need);
  return MAX (need.macs,
              (double)(n_channels * n_rows * seam_problem_get_output_view (problem).width));
}

gint64
seam_reference_get_channel_step (const SeamProblem *problem)
{
  const gint64 groups = seam_problem_get_n_groups (problem);

  return groups > 1 ? seam_problem_get_output_view (problem).channels / groups : 1;
}

/* Uniform in 0 .. n - 1; `draw` is the number of the draw for this seed. */
static gint64
draw_below (guint64 seed, guint64 draw, gint64 n)
{
  guint32 words[4];

  seam_random_block (seed, seam_random_stream ("fp64 slices"), draw, words);
  return (gint64)((((guint64)words[0] << 32 | words[1]) >> 1) % (guint64)n);
}

void
seam_reference_choose (const SeamProblem *problem, guint64 seed, SeamReferenceChoice *choice)
{
  const SeamShapeView v = seam_problem_get_output_view (problem);
  const gint64 height = v.inner / v.width;
  gint64 step = seam_reference_get_channel_step (problem), n_rows = height;
  double budget = SAMPLED_MACS / SEAM_REFERENCE_SLICES;
  double step_macs = get_macs (problem, step, height), row_macs = get_macs (problem, step, 1);
  const gboolean needs_planes = height > 1 && row_macs > 0.5 * step_macs;
  /* More places than slices, so that a small output is sampled instead of covered. */
  gint64 spread = v.outer * (v.channels / step) / (SEAM_REFERENCE_SLICES * PLACES_PER_SLICE);
  gint64 n_steps = CLAMP (MIN ((gint64)(budget / step_macs), spread), 1, v.channels / step);
  gint64 n_slices = SEAM_REFERENCE_SLICES;

  if (step_macs > budget && (needs_planes || height == 1))
    n_slices = CLAMP ((gint64)(SAMPLED_MACS / step_macs), 1, n_slices);
  else if (step_macs > budget) {
    /* Rows of one channel are contiguous. */
    step = n_steps = 1;
    n_rows = CLAMP ((gint64)(budget / get_macs (problem, 1, 1)), 1, height);
  }

  gint64 channels = step * n_steps, n_across = (v.channels + channels - 1) / channels;
  gint64 n_places = v.outer * n_across;
  n_slices = MIN (n_slices, n_places);

  /* One place from each of n_slices equal ranges; always the first and the last place, since tails
   * and corners are there. */
  *choice = (SeamReferenceChoice){ .n_parts = (int)n_slices };
  for (int i = 0; i < n_slices; i++) {
    gint64 first = n_places / n_slices * i + n_places % n_slices * i / n_slices;
    gint64 last = n_places / n_slices * (i + 1) + n_places % n_slices * (i + 1) / n_slices;
    gint64 place = first + draw_below (seed, 2 * (guint64)i, last - first);
    SeamReferencePart *part = &choice->parts[i];

    if (i == 0)
      place = 0;
    else if (i == n_slices - 1)
      place = n_places - 1;
    part->sample = place / n_across;
    part->first_channel = place % n_across * channels;
    part->n_channels = MIN (channels, v.channels - part->first_channel);
    part->n_rows = n_rows;
    part->first_row = i == 0 ? 0
                      : i == n_slices - 1
                          ? height - n_rows
                          : draw_below (seed, 2 * (guint64)i + 1, height - n_rows + 1);
    choice->n_elements += part->n_channels * part->n_rows * v.width;
  }
}
