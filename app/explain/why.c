/* SPDX-License-Identifier: MIT
 *
 * Compares the span of an op's input with a tile, in numbers and in a sentence.
 */
#include "app/explain/why.h"

#include "app/base/owner.h"
#include "app/base/text.h"
#include "app/plan/fuse.h"
#include "app/record/record.h"

/* Outputs of a tile in one row of the plane. */
#define TILE_WIDTH 32

static gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

/* Most tiles that a span of `n` channels touches, in one row of the tensor (plane 1) or in one
 * sample; spans begin at multiples of `n`. */
static gint64
count_tiles (const SeamWhy *why, gint64 n)
{
  gint64 most = 1;

  for (gint64 first = 0; first < why->columns; first += n)
    most = MAX (most, (first + n - 1) / SEAM_WHY_TILE - first / SEAM_WHY_TILE + 1);
  return most * divide_up (why->plane, SEAM_WHY_TILE);
}

static void
find_span (SeamWhy *why, const SeamProblem *problem, const SeamChain *chain, const SeamOp *reader)
{
  why->span_columns = why->span = why->n_tiles = 1;
  why->bytes_chip = SEAM_GROUPNORM_ONE_PASS_ELEMENTS * sizeof (float);
  if (seam_op_has_number (reader, SEAM_NUMBER_GROUPS)) {
    const int op = why->seam + 1;
    SeamAxisNeed axes[SEAM_MAX_DIMS];
    seam_op_get_axes (problem, chain, op, axes);
    why->span_columns = axes[1].size;
    why->span = seam_op_get_reach (problem, chain, op);
    why->n_tiles = count_tiles (why, why->span_columns);
    why->kind = why->n_tiles == 1                               ? SEAM_WHY_GROUP_FITS
                : why->span <= SEAM_GROUPNORM_ONE_PASS_ELEMENTS ? SEAM_WHY_GROUP_HELD
                                                                : SEAM_WHY_GROUP_LARGE;
  }
  why->bytes_span = (double)why->span * sizeof (float);
  if (why->span > SEAM_GROUPNORM_ONE_PASS_ELEMENTS)
    why->bytes_twice = (double)problem->tensors[SEAM_TENSOR_OUTPUT (why->seam)].bytes;
}

/* Tiles of SEAM_WHY_TILE outputs, wide ones, like those of kernels. Of n tiles along a side, each
 * but one reads r - 1 elements that another tile reads, too. */
static void
find_halo (SeamWhy *why, const SeamProblem *problem, const SeamPlan *plan)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  SeamAxisNeed axes[SEAM_MAX_DIMS];
  gint64 n_down, n_across;
  int group = 0;

  while (plan->groups[group].last < why->seam)
    group++;
  const SeamOp *first = &chain->ops[plan->groups[group].first];
  seam_op_get_axes (problem, chain, plan->groups[group].first, axes);
  /* Of images, without stride and padding. */
  if (!seam_op_is_matrix (first) || axes[2].kind != SEAM_AXIS_WINDOW || axes[2].size < 2
      || !seam_ops_can_fuse (problem, chain, plan->groups[group].first, plan->groups[group].first,
                             NULL))
    return;
  const SeamShapeView y = seam_shape_view (
      seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (plan->groups[group].first)));
  const gint64 height = y.inner / y.width;
  const SeamTensor *input = &problem->tensors[first->inputs[0]];
  const gint64 *x = input->shape.dims;
  why->halo = axes[2].size - 1;
  why->channels = x[1];
  why->tile_width = MIN (y.width, TILE_WIDTH);
  why->tile_height = MIN (height, SEAM_WHY_TILE / why->tile_width);
  n_down = divide_up (height, why->tile_height);
  n_across = divide_up (y.width, why->tile_width);
  why->bytes_patch = 4.0 * (double)x[1] * (double)(why->tile_height + why->halo)
                     * (double)(why->tile_width + why->halo);
  why->bytes_input = (double)input->bytes;
  why->bytes_again = (double)seam_storage_get_element_bytes (input->type) * (double)(x[0] * x[1])
                         * (double)(height + n_down * why->halo)
                         * (double)(y.width + n_across * why->halo)
                     - why->bytes_input;
  why->bytes_sums =
      4.0 * (double)(why->tile_height * why->tile_width) * (double)MIN (y.channels, SEAM_WHY_TILE);
}

static void
describe_halo (SeamWhy *why, const SeamOp *convolution)
{
  g_autofree char *again = seam_text_bytes (why->bytes_again);
  g_autofree char *input = seam_text_bytes (why->bytes_input);
  g_autofree char *patch = seam_text_bytes (why->bytes_patch);

  if (why->halo == 0)
    return;
  why->halo_sentence = seam_keep_printf (
      why,
      "The pixels of a tile are %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
      " outputs of %s, which read %" G_GINT64_FORMAT " × %" G_GINT64_FORMAT
      " inputs of %" G_GINT64_FORMAT " channel%s (%s): the %" G_GINT64_FORMAT
      " row%s at its lower edge and as many columns belong to the next tile, too. Over all tiles "
      "%s are read again, beside the input's %s: from the cache where they stay in it.",
      why->tile_height, why->tile_width, convolution->label, why->tile_height + why->halo,
      why->tile_width + why->halo, why->channels, why->channels == 1 ? "" : "s", patch, why->halo,
      why->halo == 1 ? "" : "s", again, input);
}

/* Describes how much memory one block needs, and how much it may have. */
static void
describe_resources (SeamWhy *why, const SeamDeviceInfo *device)
{
  double values = why->bytes_span + why->bytes_sums;
  g_autofree char *kept = seam_text_bytes (values), *patch = seam_text_bytes (why->bytes_patch);
  g_autofree char *registers = NULL, *shared = NULL;
  GString *text = g_string_new (NULL);

  if (device != NULL) {
    why->bytes_registers = (double)device->block_register_bytes;
    why->bytes_shared = (double)device->block_shared_bytes;
  }
  registers = seam_text_bytes (why->bytes_registers);
  shared = seam_text_bytes (why->bytes_shared);
  g_string_append_printf (text, "A block would keep %s of values%s%s", kept,
                          why->halo > 0 ? " and a patch of the input of " : "",
                          why->halo > 0 ? patch : "");
  if (why->bytes_registers > 0 && why->bytes_shared > 0)
    g_string_append_printf (text,
                            "; on this device it may have %s of registers and %s of shared "
                            "memory. %s",
                            registers, shared,
                            values <= why->bytes_registers && why->bytes_patch <= why->bytes_shared
                                ? "That fits."
                                : "That does not fit.");
  else
    g_string_append (text, "; this target has no thread blocks with registers and shared memory of "
                           "their own, or does not say how much they have.");
  why->resources = seam_keep (why, g_string_free (text, FALSE));
}

static void
describe_element (SeamWhy *why, const SeamOp *before, const SeamOp *after)
{
  g_autofree char *saved = seam_text_bytes (why->bytes_saved);

  why->sentence = seam_keep_printf (why,
                                    "Each output of %s needs one element of %s%s, so a thread can "
                                    "do both while the value is in a register.",
                                    after->label, before->label,
                                    after->inputs[1] >= 0 && after->inputs[1] != after->inputs[0]
                                        ? " and one of an earlier op"
                                        : "");
  why->number = seam_keep (why, g_steal_pointer (&saved));
  why->caption = seam_keep (why, g_strdup ("of traffic between cut and fused"));
}

/* An op of another class than maps and GroupNorm. */
static void
describe_set (SeamWhy *why, const SeamProblem *problem, const SeamChain *chain)
{
  const SeamOp *before = &chain->ops[why->seam], *after = &chain->ops[why->seam + 1];
  g_autofree char *count = seam_text_count (seam_op_get_reach (problem, chain, why->seam + 1));

  why->sentence = seam_keep_printf (why,
                                    "Each output of %s needs %s elements of %s, so a thread that "
                                    "has made one of them does not have the others.",
                                    after->label, count, before->label);
  why->number = seam_keep (why, g_steal_pointer (&count));
  why->caption = seam_keep (why, g_strdup ("elements for one output"));
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
    why->sentence =
        seam_keep_printf (why,
                          "A group of %s spans %s, all inside one tile of a matrix kernel: the "
                          "block that makes them knows mean and variance before it writes.",
                          after->label, where);
  else if (why->kind == SEAM_WHY_GROUP_HELD)
    why->sentence = seam_keep_printf (why,
                                      "A group of %s spans %s, over %s tiles: one block can hold "
                                      "them (%s of %s), but only if it makes all of them itself.",
                                      after->label, where, tiles, bytes, chip);
  else
    why->sentence =
        seam_keep_printf (why,
                          "A group of %s spans %s, over %s tiles: nobody knows mean and variance "
                          "before all of them are done, and a group is more than a block holds "
                          "(%s). So %s is read twice, or computed twice.",
                          after->label, where, tiles, chip, twice);
  why->number = seam_keep_printf (why, "%s of %s", bytes, chip);
  why->caption = seam_keep (why, g_strdup ("one group, of what a block holds on the chip"));
}

SeamWhy *
seam_why_new (const SeamProblem *problem, const SeamPlan *plan, int seam, gboolean can_fuse,
              const char *reason, const SeamDeviceInfo *device)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const SeamShapeView view = seam_problem_get_output_view (problem);

  g_return_val_if_fail (seam >= 0 && seam + 1 < chain->n_ops, NULL);
  SeamWhy *why = seam_owner_new (SeamWhy);
  why->seam = seam;
  why->can_fuse = can_fuse;
  why->rows = view.outer;
  why->columns = view.channels;
  why->plane = view.inner;
  why->height = view.inner / view.width;
  why->width = view.width;
  why->bytes_saved = seam_plan_seam_bytes (problem, plan, seam);
  find_span (why, problem, chain, &chain->ops[seam + 1]);
  find_halo (why, problem, plan);
  describe_halo (why, &chain->ops[0]);
  describe_resources (why, device);
  if (why->kind == SEAM_WHY_ELEMENT && seam_op_get_reach (problem, chain, seam + 1) > 1)
    describe_set (why, problem, chain);
  else if (why->kind == SEAM_WHY_ELEMENT)
    describe_element (why, &chain->ops[seam], &chain->ops[seam + 1]);
  else
    describe_group (why, &chain->ops[seam + 1]);
  why->answer =
      seam_keep (why, g_strdup (reason != NULL ? reason
                                : !can_fuse    ? "This target does not fuse here."
                                : why->bytes_twice > 0
                                    ? "This target can run both as one group, in two passes."
                                    : "This target can run both as one group, in one pass."));
  /* The same tile in either form: channels × pixels, or outputs. */
  g_autofree char *tile =
      why->halo > 0 ? g_strdup_printf (
          "%d channels × %" G_GINT64_FORMAT " pixels (%" G_GINT64_FORMAT " × %" G_GINT64_FORMAT ")",
          SEAM_WHY_TILE, why->tile_height * why->tile_width, why->tile_height, why->tile_width)
                    : g_strdup_printf ("%d × %d outputs", SEAM_WHY_TILE, SEAM_WHY_TILE);
  why->sources =
      seam_keep_printf (why,
                        "Spans and bytes: modelled from the shape and the types in memory. Tile: "
                        "%s, as the hand-written matrix kernels have. On the chip: 8,192 values, "
                        "what the program's kernels keep between statistics and apply.",
                        tile);
  return why;
}

/* --- CSV --- */

/* What all rows have in common. */
typedef struct {
  const SeamProblem *problem;
  const SeamPlan *plan;
} Subject;

static const SeamOp *
get_op (const SeamPath *path, int after)
{
  const Subject *subject = path->data;
  const SeamWhy *why = path->record;

  return &seam_plan_get_chain (subject->plan)->ops[why->seam + after];
}

SEAM_COMPUTE (compute_pipeline, text, ((const Subject *)path->data)->problem->pipeline->id)
SEAM_COMPUTE (compute_plan, text, ((const Subject *)path->data)->plan->notation)
SEAM_COMPUTE (compute_seam, integer, SEAM_RECORD (SeamWhy, path)->seam + 1)
SEAM_COMPUTE (compute_before, text, get_op (path, 0)->name)
SEAM_COMPUTE (compute_after, text, get_op (path, 1)->name)

static const SeamField why_columns[] = {
  SEAM_COMPUTED ("pipeline", compute_pipeline), SEAM_COMPUTED ("plan", compute_plan),
  SEAM_COMPUTED ("seam", compute_seam),         SEAM_COMPUTED ("before", compute_before),
  SEAM_COMPUTED ("after", compute_after),       { NULL },
};

static gboolean
has_halo (gconstpointer record)
{
  return ((const SeamWhy *)record)->halo > 0;
}

#define COLUMN(m, K, c) .name = c, SEAM_AT (SeamWhy, m, K)

static const SeamField why_fields[] = {
  { SEAM_FIELD (SeamWhy, can_fuse, BOOLEAN) },
  { COLUMN (span, INT64, "span_elements") },
  { COLUMN (n_tiles, INT64, "span_tiles") },
  { COLUMN (bytes_span, DOUBLE, "span_bytes") },
  { COLUMN (bytes_chip, DOUBLE, "held_bytes") },
  { COLUMN (bytes_twice, DOUBLE, "read_twice_bytes") },
  { COLUMN (bytes_saved, DOUBLE, "saved_bytes") },
  { SEAM_FIELD (SeamWhy, halo, INT64) },
  { SEAM_FIELD (SeamWhy, tile_height, INT64), .is_known = has_halo },
  { SEAM_FIELD (SeamWhy, tile_width, INT64), .is_known = has_halo },
  { COLUMN (bytes_patch, DOUBLE, "patch_bytes") },
  { COLUMN (bytes_again, DOUBLE, "halo_bytes") },
  { COLUMN (bytes_registers, DOUBLE, "block_registers_bytes"), .flags = SEAM_OPTIONAL },
  { COLUMN (bytes_shared, DOUBLE, "block_shared_bytes"), .flags = SEAM_OPTIONAL },
  { SEAM_FIELD (SeamWhy, answer, TEXT) },
  { NULL },
};

static const SeamRecordType why_type = {
  .name = "seam",
  .size = sizeof (SeamWhy),
  .fields = why_fields,
};

static const SeamView why_view = {
  .header = "pipeline,plan,seam,before,after,can_fuse,span_elements,span_tiles,span_bytes,"
            "held_bytes,read_twice_bytes,saved_bytes,halo,tile_height,tile_width,patch_bytes,"
            "halo_bytes,block_registers_bytes,block_shared_bytes,answer",
  .computed = why_columns,
};

char *
seam_whys_to_rows (SeamWhy *const *whys, int n, const SeamProblem *problem, const SeamPlan *plan,
                   SeamRowsFormat format)
{
  Subject subject = { problem, plan };
  SeamPath path = { .type = &why_type, .data = &subject };
  SeamViewWriter *writer = seam_view_open_as (&why_view, &path, format);

  for (path.index = 0; path.index < n; path.index++) {
    path.record = whys[path.index];
    seam_view_add_row (writer, &path);
  }
  return seam_view_close (writer);
}
