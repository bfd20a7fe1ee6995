/* SPDX-License-Identifier: MIT
 *
 * Writes a segment as a struct `Group` and one kernel (two where a GroupNorm needs two passes). The
 * text has the names of ops and tensors in it, so that a person can read what runs; it holds no
 * address and no date, so that the same group gives the same text and is found in the cache.
 */
#include "app/backend/cuda/generator.h"

#include "app/backend/generate.h"
#include "app/base/error.h"
#include "app/pipeline/defect.h"

#include <math.h>
#include <string.h>

typedef struct {
  const SeamProblem *problem;
  const SeamChain *chain;
  const SeamSegment *segment;
  Generated *generated;
} Writer;

static int
find_output (const SeamSegment *segment, int op)
{
  for (int i = 0; i < segment->n_outputs; i++)
    if (segment->outputs[i] == SEAM_TENSOR_OUTPUT (op))
      return i;
  return -1;
}

/* The name of `op`'s output in the function whose first op is `first`. */
static char *
refer (const Writer *w, int op, int first)
{
  const SeamSegment *s = w->segment;
  g_autofree char *value = seam_generate_value_name (w->chain, op);

  if (op >= s->first && op < first && op != s->groupnorm)
    return g_strconcat ("kept.", value, NULL);
  return g_steal_pointer (&value);
}

/* Whether op `index` is a clamp to 0…1 whose output only the next op reads, and multiplies by a
 * value from which this kernel computes the clamp's input, through ops that make no NaN. Then the
 * clamp itself need not keep a NaN (seam_op_clamp_unit). */
static gboolean
is_unit_clamp (const Writer *w, int index)
{
  const SeamOp *ops = w->chain->ops, *op = &ops[index];

  if (op->type != SEAM_OP_CLAMP || op->scalars[0] != 0.0 || op->scalars[1] != 1.0
      || index >= w->segment->last || ops[index + 1].type != SEAM_OP_MULTIPLY_TENSOR
      || ops[index + 1].inputs[1] < w->segment->first || ops[index + 1].inputs[1] > index
      || find_output (w->segment, index) >= 0)
    return FALSE;
  for (int i = index + 2; i < w->chain->n_ops; i++)
    if (ops[i].inputs[1] == SEAM_TENSOR_OUTPUT (index))
      return FALSE;
  for (int i = ops[index + 1].inputs[1]; i < index; i++)
    if (!seam_op_get_info (&ops[i])->keeps_numbers)
      return FALSE;
  return TRUE;
}

/* Appends the vector of an op that has one. */
static void
append_vector (const Writer *w, GString *text, const SeamOp *op)
{
  Generated *g = w->generated;
  int tensor = SEAM_TENSOR_PARAM (w->chain->n_ops, op->params[0]);

  g_string_append_printf (text, "v[%d] /* ",
                          seam_generate_find_or_add (g->vectors, &g->n_vectors, tensor));
  seam_generate_append_name (text, w->problem->tensors[tensor].name);
  g_string_append (text, " */");
}

/* "    const float after_relu = seam_op_relu (after_conv);" */
static void
append_op (const Writer *w, GString *text, int index, int first)
{
  const SeamOp *op = &w->chain->ops[index];
  g_autofree char *value = seam_generate_value_name (w->chain, index);
  g_autofree char *previous = refer (w, index - 1, first);
  g_autofree char *operand = op->inputs[1] >= 0 ? refer (w, op->inputs[1] - 1, first) : NULL;
  g_autoptr (GString) vector = g_string_new (NULL);

  if (op->params[0] >= 0)
    append_vector (w, vector, op);
  g_string_append_printf (text, "    const float %s = ", value);
  if (is_unit_clamp (w, index))
    g_string_append_printf (text, "seam_op_clamp_unit (%s)", previous);
  else
    seam_generate_append_expression (text, op, previous, vector->str, operand);
  g_string_append (text, ";\n");
  if (find_output (w->segment, index) >= 0)
    g_string_append_printf (text, "    y[%d] = %s;\n", find_output (w->segment, index), value);
}

/* "    const float after_conv = x[0];" for every input that ops first…last read. */
static void
append_inputs (const Writer *w, GString *text, int first, int last)
{
  const SeamSegment *s = w->segment;

  for (int i = 0; i < s->n_inputs; i++) {
    gboolean used = first == s->first && i == 0;
    g_autofree char *name = seam_generate_value_name (w->chain, s->inputs[i] - 1);

    for (int op = first; op <= last; op++)
      if (w->chain->ops[op].inputs[1] == s->inputs[i])
        used = TRUE;
    if (used)
      g_string_append_printf (text, "    const float %s = x[%d];\n", name, i);
  }
}

static void
append_elementwise (const Writer *w, GString *text)
{
  const SeamSegment *s = w->segment;

  g_string_append (text, "  static __device__ __forceinline__ void\n"
                         "  apply (const float *x, const float *v, const float *, float *y)\n"
                         "  {\n");
  append_inputs (w, text, s->first, s->last);
  for (int op = s->first; op <= s->last; op++)
    append_op (w, text, op, s->first);
  g_string_append (text, "  }\n");
}

/* Finds the ops before the GroupNorm whose output an op after it reads. */
static gboolean
is_kept (const Writer *w, int op)
{
  for (int i = w->segment->groupnorm + 1; i <= w->segment->last; i++)
    if (w->chain->ops[i].inputs[1] == SEAM_TENSOR_OUTPUT (op))
      return TRUE;
  return FALSE;
}

static void
append_groupnorm (const Writer *w, GString *text)
{
  const SeamSegment *s = w->segment;
  g_autofree char *before = seam_generate_value_name (w->chain, s->groupnorm - 1);
  g_autofree char *normalised = seam_generate_value_name (w->chain, s->groupnorm);
  gboolean recompute = FALSE;

  for (int op = s->first; op < s->groupnorm; op++)
    recompute = recompute || is_kept (w, op) || find_output (s, op) >= 0;

  g_string_append_printf (text, "  static constexpr bool recompute = %s;\n",
                          recompute ? "true" : "false");
  g_string_append (text, "  struct Kept {\n");
  for (int op = s->first; op < s->groupnorm; op++) {
    if (is_kept (w, op)) {
      g_autofree char *value = seam_generate_value_name (w->chain, op);
      g_string_append_printf (text, "    float %s;\n", value);
    }
  }
  g_string_append (
      text, "  };\n\n"
            "  static __device__ __forceinline__ float\n"
            "  before (const float *x, const float *v, const float *, float *y, Kept &kept)\n"
            "  {\n");
  append_inputs (w, text, s->first, s->groupnorm - 1);
  for (int op = s->first; op < s->groupnorm; op++) {
    append_op (w, text, op, s->first);
    if (is_kept (w, op)) {
      g_autofree char *value = seam_generate_value_name (w->chain, op);
      g_string_append_printf (text, "    kept.%s = %s;\n", value, value);
    }
  }
  g_string_append_printf (text,
                          "    return %s;\n"
                          "  }\n\n"
                          "  static __device__ __forceinline__ void\n"
                          "  after (float %s, const float *x, const float *v, const float *, float "
                          "*y, const Kept &kept)\n"
                          "  {\n",
                          before, normalised);
  append_inputs (w, text, s->groupnorm + 1, s->last);
  if (find_output (s, s->groupnorm) >= 0)
    g_string_append_printf (text, "    y[%d] = %s;\n", find_output (s, s->groupnorm), normalised);
  for (int op = s->groupnorm + 1; op <= s->last; op++)
    append_op (w, text, op, s->groupnorm + 1);
  g_string_append (text, "  }\n");
}

/* The name of a mistake in kernels/defects.h. */
static const char *
get_defect_word (SeamDefectType type)
{
  return type == SEAM_DEFECT_MISSING_TAIL ? "SEAM_DEFECT_MISSING_TAIL"
                                          : "SEAM_DEFECT_INDEX_OVERFLOW";
}

/* Appends writes() for an exhibit whose stores leave elements out. */
static void
append_store_defects (const Writer *w, GString *text)
{
  const SeamSegment *s = w->segment;
  g_autoptr (GString) conditions = g_string_new (NULL);

  for (int i = 0; i < s->n_outputs; i++) {
    const SeamTensor *tensor = &w->problem->tensors[s->outputs[i]];
    const SeamOp *op = &w->chain->ops[s->outputs[i] - SEAM_TENSOR_OUTPUT (0)];

    if (op->defect == SEAM_DEFECT_NONE || !seam_defect_get_kind (op->defect)->in_stores)
      continue;
    g_string_append_printf (
        conditions, "%s(output != %d || seam_defect_writes (%s, %d, at, %" G_GINT64_FORMAT "))",
        conditions->len > 0 ? "\n           && " : "", i, get_defect_word (op->defect),
        op->defect_parameter, tensor->shape.dims[tensor->shape.n_dims - 1]);
  }
  if (conditions->len > 0)
    g_string_append_printf (text,
                            "\n  // Wrong on purpose, an exhibit: some elements are not written.\n"
                            "  static __device__ __forceinline__ bool\n"
                            "  writes (int output, long long at)\n"
                            "  {\n"
                            "    return %s;\n"
                            "  }\n",
                            conditions->str);
}

/* Appends the mistake in the GroupNorm of an exhibit. */
static void
append_norm_defect (const Writer *w, GString *text)
{
  const SeamOp *op = &w->chain->ops[w->segment->groupnorm];

  if (op->defect == SEAM_DEFECT_ONE_PASS_VARIANCE)
    g_string_append (text, "\n  // Wrong on purpose, an exhibit: E[x^2] - E[x]^2.\n"
                           "  static constexpr bool one_pass_variance = true;\n");
  if (op->defect == SEAM_DEFECT_WITHOUT_AFFINE)
    g_string_append (text, "\n  // Wrong on purpose, an exhibit: without weight and bias.\n"
                           "  static constexpr bool without_affine = true;\n");
  if (op->defect == SEAM_DEFECT_LOST_UPDATE)
    g_string_append_printf (text,
                            "\n  // Wrong on purpose, an exhibit: the sums miss what a lost update "
                            "held.\n"
                            "  static __device__ __forceinline__ float\n"
                            "  statistic (float x, long long group, long long index, long long "
                            "size)\n"
                            "  {\n"
                            "    return seam_defect_statistic (x, group, index, size, %d);\n"
                            "  }\n",
                            op->defect_parameter);
}

/* A bit for each tensor of the list that has 16 bits. */
static guint
mark_16_bits (const Writer *w, const int *tensors, int n)
{
  guint bits = 0;

  for (int i = 0; i < n; i++)
    if (w->problem->tensors[tensors[i]].type != SEAM_OPERAND_FP32)
      bits |= 1u << i;
  return bits;
}

/* Appends which tensors have 16 bits in memory; nothing if all are FP32. */
static void
append_stored (const Writer *w, GString *text)
{
  const SeamSegment *s = w->segment;
  const guint inputs = mark_16_bits (w, s->inputs, s->n_inputs);
  const guint outputs = mark_16_bits (w, s->outputs, s->n_outputs);

  if ((inputs | outputs) == 0)
    return;
  SeamOperandType type = w->problem
                             ->tensors[inputs != 0 ? s->inputs[g_bit_nth_lsf (inputs, -1)]
                                                   : s->outputs[g_bit_nth_lsf (outputs, -1)]]
                             .type;
  g_string_append_printf (
      text,
      "\n  // Which inputs and outputs have 16 bits in memory, a bit each: they "
      "become FP32 when\n  // read, and are rounded to nearest even when "
      "stored. The arithmetic is FP32.\n"
      "  static constexpr SeamOperandType stored = SEAM_OPERAND_%s;\n"
      "  static constexpr unsigned int stored_inputs = %uu, stored_outputs = "
      "%uu;\n",
      seam_storage_get_type_title (type), inputs, outputs);
  w->generated->arguments.stored = 1;
}

/* Appends a tensor to the list at the head of the source. */
static void
append_tensor (const Writer *w, GString *text, const char *name, int index, int tensor)
{
  const SeamTensor *t = &w->problem->tensors[tensor];

  g_string_append_printf (text, "//   %s[%d]: ", name, index);
  seam_generate_append_shape (text, t);
  if (t->type != SEAM_OPERAND_FP32)
    g_string_append_printf (text, ", %s", seam_storage_get_type_title (t->type));
  g_string_append_c (text, '\n');
}

static void
append_head (const Writer *w, GString *text)
{
  const SeamSegment *s = w->segment;

  g_string_append (text, "// Generated by Seamscope for ");
  seam_generate_append_ops (text, w->problem->pipeline->id, w->chain, s->first, s->last);
  g_string_append (text, "\n// The loops are in the included file, the mathematics in "
                         "kernels/ops.h.\n");
  for (int i = 0; i < s->n_inputs; i++)
    append_tensor (w, text, "x", i, s->inputs[i]);
  for (int i = 0; i < w->generated->n_vectors; i++)
    append_tensor (w, text, "v", i, w->generated->vectors[i]);
  for (int i = 0; i < s->n_outputs; i++)
    append_tensor (w, text, "y", i, s->outputs[i]);
}

static void
append_kernel (Writer *w, GString *text, const char *suffix, const char *body,
               const SeamCudaGeometry *geometry)
{
  Generated *generated = w->generated;
  GString *name = g_string_new ("seam");
  int n = generated->n_kernels++;

  for (int op = w->segment->first; op <= w->segment->last && name->len < 96; op++) {
    g_autofree char *identifier = seam_generate_identifier (w->chain->ops[op].name);
    g_string_append_printf (name, "_%s", identifier);
  }
  g_string_append (name, suffix);
  g_string_append_printf (text,
                          "\nextern \"C\" __global__ void\n"
                          "__launch_bounds__ (SEAM_CUDA_THREADS)\n"
                          "%s (const SeamCudaArguments a)\n"
                          "{\n"
                          "  %s (a);\n"
                          "}\n",
                          name->str, body);
  generated->names[n] = g_string_free (name, FALSE);
  generated->geometries[n] = *geometry;
}

void
generated_set_shape (SeamCudaArguments *arguments, const SeamProblem *problem,
                     const SeamChain *chain, const SeamSegment *segment)
{
  const SeamShapeView view =
      seam_shape_view (seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (segment->last)));

  seam_cuda_set_shape (arguments, view.outer, view.channels, view.inner,
                       seam_chain_get_n_groups (problem, chain, segment->first, segment->last));
  arguments->epsilon = (float)SEAM_GROUPNORM_EPSILON;
}

static void
append_groupnorm_kernels (Writer *w, GString *text)
{
  Generated *generated = w->generated;
  SeamCudaArguments *a = &generated->arguments;

  if (a->group_elements <= SEAM_CUDA_ONE_PASS_ELEMENTS) {
    SeamCudaGeometry g = seam_cuda_geometry_one_pass (a);
    g_autofree char *body =
        g_strdup_printf ("seam_groupnorm_one_pass<Group, %d, %s, %d, %d, %u>", g.vector,
                         g.matrix ? "true" : "false", g.items, g.repeat, a->lanes);
    append_kernel (w, text, "_one_pass", body, &g);
  } else {
    SeamCudaGeometry g = seam_cuda_geometry_two_pass (a);
    g_autofree char *statistics = g_strdup_printf ("seam_groupnorm_statistics<Group, %d, %s>",
                                                   g.vector, g.matrix ? "true" : "false");
    g_autofree char *apply = g_strdup_printf ("seam_groupnorm_apply<Group, %d, %s>", g.vector,
                                              g.matrix ? "true" : "false");
    append_kernel (w, text, "_statistics", statistics, &g);
    append_kernel (w, text, "_apply", apply, &g);
  }
}

Generated *
generated_new (const SeamProblem *problem, const SeamPlan *plan, const SeamSegment *segment,
               GError **error)
{
  g_autoptr (Generated) generated = g_new0 (Generated, 1);
  Writer w = { problem, seam_plan_get_chain (plan), segment, generated };
  g_autoptr (GString) functions = g_string_new (NULL);

  generated_set_shape (&generated->arguments, problem, w.chain, segment);
  if (segment->groupnorm >= 0)
    append_groupnorm (&w, functions);
  else
    append_elementwise (&w, functions);
  append_store_defects (&w, functions);
  append_stored (&w, functions);
  if (segment->groupnorm >= 0)
    append_norm_defect (&w, functions);

  GString *text = g_string_new (NULL);
  append_head (&w, text);
  g_string_append_printf (text,
                          "#include \"kernels/cuda/%s.cuh\"\n\n"
                          "struct Group {\n"
                          "  static constexpr int n_inputs = %d, n_outputs = %d, n_vectors = %d;\n"
                          "%s};\n",
                          segment->groupnorm >= 0 ? "groupnorm" : "elementwise", segment->n_inputs,
                          segment->n_outputs, generated->n_vectors, functions->str);
  if (segment->groupnorm >= 0) {
    append_groupnorm_kernels (&w, text);
  } else {
    SeamCudaGeometry g = seam_cuda_geometry_elementwise (&generated->arguments);
    g_autofree char *body = g_strdup_printf ("seam_elementwise_%s<Group, %d>",
                                             g.matrix ? "matrix" : "planes", g.vector);
    append_kernel (&w, text, "", body, &g);
  }
  generated->source = g_string_free (text, FALSE);
  for (int i = 0; i < generated->n_kernels; i++) {
    if (generated->geometries[i].blocks > SEAM_CUDA_MAX_BLOCKS)
      return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                             "A tensor of this shape has too many planes for one kernel launch; "
                             "choose a smaller batch.");
  }
  return g_steal_pointer (&generated);
}

/* --- Tails of products whose operands were rounded to TF32 or 16 bits, with an error of 2^-12
 * or more each. Adds and multiplies become one multiply-add, and a sigmoid one special function.
 * --- */

/* x * scale + offset, with two names or numbers of the text; NULL: none. */
typedef struct {
  char *scale, *offset;
} Affine;

static void
affine_clear (Affine *affine)
{
  g_free (affine->scale);
  g_free (affine->offset);
}

static gboolean
is_affine (const SeamOp *op)
{
  const SeamArithmetic arithmetic = seam_generate_get_arithmetic (op->type);
  const double size = fabs (op->scalars[0]);

  if (arithmetic == SEAM_ARITHMETIC_NONE || op->params[0] >= 0)
    return arithmetic != SEAM_ARITHMETIC_NONE;
  return arithmetic == SEAM_ARITHMETIC_DIVIDE ? size > 1e-30 && size < 1e30 : isfinite (size);
}

/* Whether only the next op of the segment reads the output of op `index`. */
static gboolean
is_passed_on (const Writer *w, int index)
{
  if (index >= w->segment->last || find_output (w->segment, index) >= 0)
    return FALSE;
  for (int i = index + 1; i < w->chain->n_ops; i++)
    if (w->chain->ops[i].inputs[1] == SEAM_TENSOR_OUTPUT (index))
      return FALSE;
  return TRUE;
}

/* " const float scale_3 = v[2] /…/, offset_3 = offset_2 * v[2] /…/; // of after_scale": `affine`
 * followed by op `index`. */
static void
append_affine_op (const Writer *w, GString *text, int index, Affine *affine)
{
  const SeamOp *op = &w->chain->ops[index];
  g_autofree char *value = seam_generate_value_name (w->chain, index);
  g_autoptr (GString) factor = g_string_new (NULL);
  const SeamArithmetic arithmetic = seam_generate_get_arithmetic (op->type);
  const gboolean adds = arithmetic == SEAM_ARITHMETIC_ADD;
  Affine with = { 0 };

  if (op->params[0] >= 0)
    append_vector (w, factor, op);
  else
    seam_generate_append_literal (
        factor, arithmetic == SEAM_ARITHMETIC_DIVIDE ? 1.0 / op->scalars[0] : op->scalars[0]);
  g_string_append (text, "    const float ");
  if (adds) {
    with.scale = g_steal_pointer (&affine->scale);
  } else {
    with.scale = g_strdup_printf ("scale_%d", index);
    g_string_append_printf (text, "%s = %s%s%s", with.scale,
                            affine->scale != NULL ? affine->scale : "",
                            affine->scale != NULL ? " * " : "", factor->str);
  }
  if (adds || affine->offset != NULL) {
    with.offset = g_strdup_printf ("offset_%d", index);
    g_string_append_printf (text, "%s%s = %s%s%s", adds ? "" : ", ", with.offset,
                            affine->offset != NULL ? affine->offset : "",
                            affine->offset == NULL ? ""
                            : adds                 ? " + "
                                                   : " * ",
                            factor->str);
  }
  g_string_append_printf (text, "; // of %s\n", value);
  affine_clear (affine);
  *affine = with;
}

/* x * scale + offset, times `half` ("0.5f * " or ""). */
static char *
apply_affine (const Affine *affine, const char *x, const char *half)
{
  const gboolean halved = *half != '\0';

  if (affine->offset != NULL && (affine->scale != NULL || halved))
    return g_strdup_printf ("seam_op_multiply_add (%s, %s%s, %s%s)", x,
                            affine->scale != NULL ? half : "0.5f",
                            affine->scale != NULL ? affine->scale : "", half, affine->offset);
  if (affine->offset != NULL)
    return g_strdup_printf ("seam_op_add (%s, %s)", x, affine->offset);
  return g_strdup_printf ("seam_op_multiply (%s, %s%s)", x, affine->scale != NULL ? half : "0.5f",
                          affine->scale != NULL ? affine->scale : "");
}

/* Appends the ops from `first` on that form one multiply-add, together with a sigmoid or unit clamp
 * that reads it, or one other op. `normalised`: the last op is a sigmoid before GroupNorm, for
 * which tanh (x / 2) gives the same result as 0.5 tanh (x / 2) + 0.5 if epsilon is multiplied by 4.
 * Returns the op after them. */
static int
append_rounded_ops (const Writer *w, GString *text, int first, gboolean normalised)
{
  const SeamOp *ops = w->chain->ops;
  const int last = w->segment->last;
  g_autofree char *previous = refer (w, first - 1, w->segment->first), *value = NULL;
  Affine affine = { 0 };
  int op = first, n = 0;
  gboolean read_on, sigmoid, clamp;

  while (op + n <= last && is_affine (&ops[op + n]) && (n == 0 || is_passed_on (w, op + n - 1)))
    n++;
  op += n;
  read_on = op <= last && (n == 0 || is_passed_on (w, op - 1));
  sigmoid = read_on && ops[op].type == SEAM_OP_SIGMOID;
  clamp = read_on && n > 0 && is_unit_clamp (w, op);
  if (n < 2 && !sigmoid && !clamp) {
    append_op (w, text, first, w->segment->first);
    return first + 1;
  }
  for (int i = first; i < op; i++)
    append_affine_op (w, text, i, &affine);
  g_autofree char *expression =
      clamp ? g_strdup_printf ("seam_op_multiply_add_unit (%s, %s, %s)", previous,
                               affine.scale != NULL ? affine.scale : "1.0f",
                               affine.offset != NULL ? affine.offset : "0.0f")
            : apply_affine (&affine, previous, sigmoid ? "0.5f * " : "");
  affine_clear (&affine);
  op += sigmoid || clamp;
  value = seam_generate_value_name (w->chain, op - 1);
  if (sigmoid && normalised && op - 1 == last)
    g_string_append_printf (text, "    const float %s = seam_op_tanh (%s); // 2 %s - 1\n", value,
                            expression, value);
  else if (sigmoid)
    g_string_append_printf (text, "    const float %s = seam_op_sigmoid_of_half (%s);\n", value,
                            expression);
  else
    g_string_append_printf (text, "    const float %s = %s;\n", value, expression);
  if (find_output (w->segment, op - 1) >= 0)
    g_string_append_printf (text, "    y[%d] = %s;\n", find_output (w->segment, op - 1), value);
  return op;
}

gboolean
generated_has_bounded_tail (const SeamChain *chain, int first, int last, GeneratedTailFlags flags)
{
  const GeneratedTailFlags both = GENERATED_TAIL_GROUPNORM | GENERATED_TAIL_ROUNDED;

  return (flags & both) == both && last >= first && chain->ops[last].type == SEAM_OP_SIGMOID;
}

int
generated_append_tail (const SeamProblem *problem, const SeamPlan *plan, int first, int last,
                       GeneratedTailFlags flags, GString *text, int *vectors)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const gboolean groupnorm = (flags & GENERATED_TAIL_GROUPNORM) != 0;
  const gboolean rounded = (flags & GENERATED_TAIL_ROUNDED) != 0;
  const gboolean bounded = generated_has_bounded_tail (chain, first, last, flags);
  const SeamSegment segment = {
    .first = first,
    .last = last,
    .groupnorm = -1,
    .n_inputs = 1,
    .inputs = { SEAM_TENSOR_OUTPUT (first - 1) },
    .n_outputs = 1,
    .outputs = { SEAM_TENSOR_OUTPUT (last) },
  };
  Generated generated = { 0 };
  const Writer w = { problem, chain, &segment, &generated };
  g_autoptr (GString) function = g_string_new (NULL);

  g_string_append (function, "  static __device__ __forceinline__ void\n"
                             "  apply (const float *x, const float *v, const float *, float *y)\n"
                             "  {\n");
  if (last >= first)
    append_inputs (&w, function, first, last);
  for (int op = first; op <= last;)
    if (rounded)
      op = append_rounded_ops (&w, function, op, bounded);
    else
      append_op (&w, function, op++, first);
  if (last < first)
    g_string_append (function, "    y[0] = x[0];\n");
  g_string_append (function, "  }\n");
  for (int i = 0; i < generated.n_vectors; i++) {
    g_string_append_printf (text, "//   v[%d]: ", i);
    seam_generate_append_shape (text, &problem->tensors[generated.vectors[i]]);
    g_string_append_c (text, '\n');
  }
  g_string_append_printf (
      text,
      "struct Tail {\n"
      "  static constexpr int n_vectors = %d;\n"
      "  static constexpr bool groupnorm = %s;\n"
      "  static constexpr bool bounded = %s; // y lies from -1 to 1\n"
      "  static constexpr double epsilon = %s; // of the GroupNorm\n"
      "%s"
      "  static __device__ __forceinline__ float\n"
      "  apply (float x, const float *v)\n"
      "  {\n"
      "    float y;\n"
      "    apply (&x, v, nullptr, &y);\n"
      "    return y;\n"
      "  }\n"
      "};\n",
      generated.n_vectors, groupnorm ? "true" : "false", bounded ? "true" : "false",
      bounded ? "4 * SEAM_GROUPNORM_EPSILON" : "SEAM_GROUPNORM_EPSILON", function->str);
  memcpy (vectors, generated.vectors, sizeof generated.vectors);
  return generated.n_vectors;
}

void
generated_free (Generated *generated)
{
  if (generated == NULL)
    return;
  for (int i = 0; i < generated->n_kernels; i++)
    g_free (generated->names[i]);
  g_free (generated->source);
  g_free (generated);
}
