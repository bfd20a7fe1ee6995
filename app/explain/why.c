/* SPDX-License-Identifier: MIT
 *
 * The span of an op's input against a tile, in numbers and in a sentence.
 */
#include "app/explain/why.h"

#include "app/base/text.h"

static gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

/* Tiles of one row of the tensor (plane 1) or of one sample that `n` channels from a multiple of
 * `n` on touch at most. */
static gint64
count_tiles (const SeamWhy *why, gint64 n)
{
  gint64 most = 1;

  for (gint64 first = 0; first < why->columns; first += n)
    most = MAX (most, (first + n - 1) / SEAM_WHY_TILE - first / SEAM_WHY_TILE + 1);
  return most * divide_up (why->plane, SEAM_WHY_TILE);
}

static void
find_span (SeamWhy *why, const SeamProblem *problem, const SeamOp *reader)
{
  why->span_columns = why->span = why->n_tiles = 1;
  why->bytes_chip = SEAM_GROUPNORM_ONE_PASS_ELEMENTS * sizeof (float);
  if (reader->type == SEAM_OP_GROUPNORM) {
    why->span_columns = why->columns / problem->dims.groups;
    why->span = why->span_columns * why->plane;
    why->n_tiles = count_tiles (why, why->span_columns);
    why->kind = why->n_tiles == 1                               ? SEAM_WHY_GROUP_FITS
                : why->span <= SEAM_GROUPNORM_ONE_PASS_ELEMENTS ? SEAM_WHY_GROUP_HELD
                                                                : SEAM_WHY_GROUP_LARGE;
  }
  why->bytes_span = (double)why->span * sizeof (float);
  if (why->span > SEAM_GROUPNORM_ONE_PASS_ELEMENTS)
    why->bytes_twice = (double)problem->tensors[SEAM_TENSOR_OUTPUT (why->seam)].bytes;
}

static void
describe_element (SeamWhy *why, const SeamOp *before, const SeamOp *after)
{
  g_autofree char *saved = seam_text_bytes (why->bytes_saved);

  why->sentence = g_strdup_printf (
      "Each output of %s needs one element of %s%s, so a thread can do "
      "both while the value is in a register.",
      after->label, before->label, after->operand >= 0 ? " and one of an earlier op" : "");
  why->number = g_steal_pointer (&saved);
  why->caption = g_strdup ("of traffic between cut and fused");
}

static void
describe_group (SeamWhy *why, const SeamOp *after)
{
  g_autofree char *count = seam_text_count (why->span);
  g_autofree char *tiles = seam_text_count (why->n_tiles);
  g_autofree char *bytes = seam_text_bytes (why->bytes_span);
  g_autofree char *chip = seam_text_bytes (why->bytes_chip);
  g_autofree char *twice = seam_text_bytes (why->bytes_twice);
  g_autofree char *pixels = seam_text_count (why->plane);
  g_autofree char *where =
      why->plane == 1 ? g_strdup_printf ("%" G_GINT64_FORMAT " neighbouring columns of one row",
                                         why->span_columns)
                      : g_strdup_printf ("%" G_GINT64_FORMAT
                                         " channels × %s pixels = %s elements of one sample",
                                         why->span_columns, pixels, count);

  if (why->kind == SEAM_WHY_GROUP_FITS)
    why->sentence = g_strdup_printf (
        "A group of %s spans %s, all inside one tile of a matrix kernel: the block that makes "
        "them knows mean and variance before it writes.",
        after->label, where);
  else if (why->kind == SEAM_WHY_GROUP_HELD)
    why->sentence = g_strdup_printf (
        "A group of %s spans %s, over %s tiles: one block can hold them (%s of %s), but only if it "
        "makes all of them itself.",
        after->label, where, tiles, bytes, chip);
  else
    why->sentence = g_strdup_printf (
        "A group of %s spans %s, over %s tiles: nobody knows mean and variance before all of them "
        "are done, and a group is more than a block holds (%s). So %s is read twice, or computed "
        "twice.",
        after->label, where, tiles, chip, twice);
  why->number = g_strdup_printf ("%s of %s", bytes, chip);
  why->caption = g_strdup ("one group, of what a block holds on the chip");
}

SeamWhy *
seam_why_new (const SeamProblem *problem, const SeamPlan *plan, int seam, gboolean can_fuse,
              const char *reason)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  SeamWhy *why;

  g_return_val_if_fail (seam >= 0 && seam + 1 < chain->n_ops, NULL);
  why = g_new0 (SeamWhy, 1);
  why->seam = seam;
  seam_problem_get_output_view (problem, &why->rows, &why->columns, &why->plane);
  why->height = problem->dims.p;
  why->width = problem->dims.q;
  why->bytes_saved = seam_plan_seam_bytes (problem, plan, seam);
  find_span (why, problem, &chain->ops[seam + 1]);
  if (why->kind == SEAM_WHY_ELEMENT)
    describe_element (why, &chain->ops[seam], &chain->ops[seam + 1]);
  else
    describe_group (why, &chain->ops[seam + 1]);
  why->answer = reason != NULL ? g_strdup (reason)
                : !can_fuse    ? g_strdup ("This target does not fuse here.")
                : why->bytes_twice > 0
                    ? g_strdup ("This target can run both as one group, in two passes.")
                    : g_strdup ("This target can run both as one group, in one pass.");
  why->sources = g_strdup_printf (
      "Spans and bytes: modelled from the shape, FP32. Tile: %d × %d outputs, as the hand-written "
      "matrix kernels have. On the chip: 8,192 values, what the program's kernels keep between "
      "statistics and apply.",
      SEAM_WHY_TILE, SEAM_WHY_TILE);
  return why;
}

void
seam_why_free (SeamWhy *why)
{
  if (why == NULL)
    return;
  g_free (why->sentence);
  g_free (why->number);
  g_free (why->caption);
  g_free (why->answer);
  g_free (why->sources);
  g_free (why);
}
