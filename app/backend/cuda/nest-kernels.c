/* SPDX-License-Identifier: MIT
 *
 * Writes the kernels of one op. The text holds no size, so that problems share it.
 */
#include "app/backend/cuda/nest-kernels.h"

#include "app/backend/generate.h"
#include "app/base/error.h"
#include "kernels/cuda/geometry.h"

/* Blocks a multiprocessor, so that the last ones to end cost little. */
#define BLOCKS_EACH 4
/* Fewest elements of a part: less than that is not worth a second kernel. */
#define SMALLEST_PART 2048
/* Most elements of a set that a part of a warp works on alone, without waiting for a block. */
#define LONGEST_OF_WARP 1024
/* Elements of a short set for each of its threads, and those that neighbouring threads read
 * together. */
#define ELEMENTS_EACH 16
#define NEIGHBOURS    16

#define TYPE_NAME(type)                                                                            \
  ((type) == SEAM_OPERAND_FP16   ? "SEAM_OPERAND_FP16"                                             \
   : (type) == SEAM_OPERAND_BF16 ? "SEAM_OPERAND_BF16"                                             \
                                 : "SEAM_OPERAND_FP32")

typedef struct {
  const SeamGroupSpec *spec;
  const SeamChain *chain;
  int first, op;            /* the first map onto its input, or itself */
  SeamOperandType types[3]; /* of x, t and y */
  int vector, columns;
  gboolean is_flat, is_wide;
  gboolean is_along; /* a block has several sets, each in neighbouring threads */
  SeamNestAffine affine;
} Writer;

static const char *
get_reduction_name (SeamReduction reduction)
{
#define NAME_OF(NAME, ...) #NAME,
  static const char *const names[] = { SEAM_REDUCTIONS (NAME_OF) };
#undef NAME_OF

  return names[reduction];
}

/* --- Sizes --- */

/* 4 if every operand goes on by fours along the last axis, or repeats. */
static int
choose_map_vector (const SeamNestMap *map)
{
  const int last = map->n_axes - 1;

  if (map->counts[last] % 4 != 0)
    return 1;
  for (int j = 0; j < SEAM_N_NEST_OPERANDS; j++) {
    if (map->steps[j][last] > 1)
      return 1;
    for (int axis = 0; axis < last; axis++)
      if (map->steps[j][last] == 1 && map->steps[j][axis] % 4 != 0)
        return 1;
  }
  return 4;
}

static void
add_kernel (NestKernels *k, const char *name, gint64 blocks)
{
  k->names[k->n_kernels] = name;
  k->blocks[k->n_kernels++] = blocks;
}

static gboolean
normalises (const NestKernels *k)
{
  return k->nest.c.info->op_class == SEAM_CLASS_NORMALISE;
}

static gboolean
reads_sets (const NestKernels *k)
{
  return normalises (k) || k->nest.c.info->op_class == SEAM_CLASS_REDUCE;
}

/* Sets of a block. Where neighbours in memory belong to different sets, neighbouring threads do,
 * too. Of short sets a block has as many as fill it with a few threads each. */
static int
choose_columns (Writer *w, const SeamNestArguments *a, gint64 wanted)
{
  const SeamSize *n = a->sets.sizes;
  const gboolean is_across = n[5] == 1 && n[4] > 1;
  const int most = is_across ? SEAM_NEST_THREADS / SEAM_NEST_COLUMNS : 32;
  int threads = is_across ? 1 : NEIGHBOURS / w->vector, columns;

  while (!is_across && threads / 2 * w->vector >= a->elements)
    threads /= 2;
  while (threads < most && threads * ELEMENTS_EACH < a->elements)
    threads *= 2;
  columns = SEAM_NEST_THREADS / threads;
  if (is_across)
    return a->n / columns >= wanted ? columns : SEAM_NEST_COLUMNS;
  w->is_along = a->elements <= LONGEST_OF_WARP && a->n / columns >= wanted;
  return w->is_along ? columns : 1;
}

/* `by_set`: elements are those of sets, else of the whole tensor. */
static SeamNestAffine
find_affine (const Writer *w, const SeamNestArguments *a, gboolean by_set)
{
  const SeamSize *n = a->sets.sizes, *stride = a->sets.strides;
  gboolean is_one = by_set;

  for (int axis = 1; axis < 6; axis += 2)
    is_one = is_one
             && (n[axis] == 1 || stride[axis] % (a->affine_inner * a->affine_count) == 0
                 || stride[axis] * n[axis] <= a->affine_inner);
  return is_one                                                     ? SEAM_NEST_AFFINE_SET
         : a->affine_inner % w->vector == 0                         ? SEAM_NEST_AFFINE_RUN
         : a->affine_inner == 1 && a->affine_count % w->vector == 0 ? SEAM_NEST_AFFINE_NEIGHBOURS
                                                                    : SEAM_NEST_AFFINE_ELEMENT;
}

/* Cuts sets into parts: what is read more than once must stay in a cache, and the chip have enough
 * blocks. */
static void
plan_sets (NestKernels *k, Writer *w, int n_multiprocessors)
{
  SeamNestArguments *a = &k->arguments;
  const SeamSize *n = a->sets.sizes;
  const gint64 n_sets = n[0] * n[2] * n[4];
  const gint64 wanted = (gint64)BLOCKS_EACH * n_multiprocessors;

  w->is_flat = (n[1] > 1) + (n[3] > 1) + (n[5] > 1) <= 1;
  w->vector = n[5] % 4 == 0 ? 4 : 1;
  w->affine = find_affine (w, a, TRUE);
  a->n = n_sets;
  a->elements = n[1] * n[3] * n[5];
  w->columns = choose_columns (w, a, wanted);
  const gint64 lines = w->is_along ? 1 : n[0] * n[2], line = n_sets / lines;
  const gint64 bundles = lines * ((line + w->columns - 1) / w->columns);
  const gint64 longest = SEAM_NEST_PART / w->columns;
  const gint64 smallest = SMALLEST_PART / w->columns;
  gint64 n_parts = 1;

  if (normalises (k) || k->nest.c.info->reduction == SEAM_REDUCTION_LOGSUMEXP)
    n_parts = (a->elements + longest - 1) / longest;
  if (bundles * n_parts < wanted)
    n_parts = MAX (n_parts, MIN ((wanted + bundles - 1) / bundles, a->elements / smallest));
  a->part = ((a->elements + n_parts - 1) / n_parts + 3) / 4 * 4;
  n_parts = (a->elements + a->part - 1) / a->part;
  a->n_parts = (unsigned int)n_parts;
  add_kernel (k, n_parts > 1 ? "seam_parts" : "seam_sets", bundles * n_parts);
  if (n_parts > 1) {
    add_kernel (k, "seam_finish", normalises (k) ? bundles * n_parts : bundles);
    k->partial_bytes = n_sets * n_parts * 2 * (gint64)sizeof (double);
  }
}

static void
plan_elements (NestKernels *k, const char *name, int vector)
{
  const gint64 each = (gint64)SEAM_NEST_THREADS * vector;

  k->arguments.n = seam_shape_count (&k->nest.c.out);
  add_kernel (k, name, (k->arguments.n + each - 1) / each);
}

static void
plan (NestKernels *k, Writer *w, int n_multiprocessors)
{
  const SeamNest *nest = &k->nest;

  switch (nest->c.info->op_class) {
  case SEAM_CLASS_MATRIX:
    plan_elements (k, "seam_convolution", 1);
    break;
  case SEAM_CLASS_MAP:
    w->vector = choose_map_vector (&nest->map);
    plan_elements (k, "seam_map", w->vector);
    break;
  case SEAM_CLASS_WINDOW:
    plan_elements (k, "seam_window", 1);
    break;
  case SEAM_CLASS_REDUCE:
  case SEAM_CLASS_NORMALISE:
    if (nest->c.running_statistics) {
      w->vector = nest->affine_inner % 4 == 0 ? 4 : 1;
      w->affine = find_affine (w, &k->arguments, FALSE);
      plan_elements (k, "seam_given", w->vector);
    } else {
      plan_sets (k, w, n_multiprocessors);
    }
    break;
  }
}

/* --- Text --- */

static void
append_tensor (const Writer *w, GString *text, const char *title, int tensor)
{
  if (tensor < 0)
    return;
  g_string_append_printf (text, "//   %s: ", title);
  seam_generate_append_shape (text, &w->spec->problem->tensors[tensor]);
  g_string_append_c (text, '\n');
}

/* What a map onto the input reads beside the value before it, a tensor's number; -1: nothing, or
 * the value of an earlier map. */
static int
get_map_operand (const SeamGroupSpec *spec, int first, int map)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamOp *op = &chain->ops[map];
  const int scalar = seam_op_get_scalar_param (op);

  if (op->inputs[1] >= 0)
    return seam_tensor_get_op (chain, op->inputs[1]) >= first ? -1 : op->inputs[1];
  if (scalar >= 0)
    return SEAM_TENSOR_PARAM (chain->n_ops, scalar);
  return seam_op_get_info (op)->reads == SEAM_READS_VECTOR
             ? SEAM_TENSOR_PARAM (chain->n_ops, op->params[0])
             : -1;
}

/* The maps onto the input, an expression each, as a member of Nest. */
static void
append_maps (const Writer *w, GString *text)
{
  g_string_append (text, "  template <int V> static __device__ __forceinline__ void\n"
                         "  head (const SeamNestArguments &a, SeamSize at, float (&x)[V])\n"
                         "  {\n");
  for (int i = w->first; i < w->op; i++) {
    const int tensor = get_map_operand (w->spec, w->first, i), map = i - w->first;
    if (w->chain->ops[i].inputs[1] >= 0 && tensor >= 0)
      g_string_append_printf (text,
                              "    float t%d[V];\n"
                              "    seam_nest_load<%s> (t%d, a.maps[%d], at);\n",
                              map, TYPE_NAME (w->spec->problem->tensors[tensor].type), map, map);
  }
  if (w->op > w->first)
    g_string_append (text, "#pragma unroll\n"
                           "    for (int e = 0; e < V; e++) {\n"
                           "      const float before = x[e];\n");
  for (int i = w->first; i < w->op; i++) {
    const SeamOp *op = &w->chain->ops[i];
    const int earlier = seam_tensor_get_op (w->chain, op->inputs[1]), map = i - w->first;
    g_autofree char *value = seam_generate_value_name (w->chain, i);
    g_autofree char *previous =
        i == w->first ? g_strdup ("before") : seam_generate_value_name (w->chain, i - 1);
    g_autofree char *vector =
        seam_op_get_scalar_param (op) >= 0
            ? g_strdup_printf ("seam_nest_read<SEAM_OPERAND_FP32> (a.maps[%d], 0)", map)
            : g_strdup_printf ("seam_nest_vector<Index> (a, %d, at + e)", map);
    g_autofree char *operand = op->inputs[1] >= 0 && earlier >= w->first
                                   ? seam_generate_value_name (w->chain, earlier)
                                   : g_strdup_printf ("t%d[e]", map);

    g_string_append_printf (text, "      const float %s = ", value);
    seam_generate_append_expression (text, op, previous, vector, operand);
    g_string_append (text, ";\n");
  }
  if (w->op > w->first) {
    g_autofree char *value = seam_generate_value_name (w->chain, w->op - 1);
    g_string_append_printf (text, "      x[e] = %s;\n    }\n", value);
  }
  g_string_append (text, "  }\n");
}

static void
append_head (const Writer *w, GString *text)
{
  const SeamOp *op = &w->chain->ops[w->op];

  g_string_append (text, "// Generated by Seamscope for ");
  seam_generate_append_ops (text, w->spec->problem->pipeline->id, w->chain, w->first, w->op);
  g_string_append (text, "\n// The loops are in the included file, the mathematics in "
                         "kernels/ops.h.\n");
  append_tensor (w, text, "inputs[0]", w->chain->ops[w->first].inputs[0]);
  for (int i = w->first; i < w->op; i++) {
    g_autofree char *title = g_strdup_printf ("maps[%d]", i - w->first);
    append_tensor (w, text, title, get_map_operand (w->spec, w->first, i));
  }
  append_tensor (w, text, "inputs[1]", op->inputs[1]);
  for (int i = 0; i < SEAM_MAX_OP_PARAMS; i++)
    if (op->params[i] >= 0)
      append_tensor (w, text, seam_op_get_info (op)->params[i],
                     SEAM_TENSOR_PARAM (w->chain->n_ops, op->params[i]));
  append_tensor (w, text, "output", SEAM_TENSOR_OUTPUT (w->op));
}

static void
append_kernel (const NestKernels *k, const Writer *w, int i, GString *text)
{
  const gboolean has_sets = reads_sets (k) && !k->nest.c.running_statistics;

  g_string_append_printf (text,
                          "\nextern \"C\" __global__ void __launch_bounds__ (SEAM_NEST_THREADS)\n"
                          "%s (const SeamNestArguments a)\n"
                          "{\n",
                          k->names[i]);
  if (has_sets)
    g_string_append_printf (text, "  seam_nest_%s<Nest, %d> (a);\n}\n", i == 0 ? "sets" : "finish",
                            w->columns);
  else
    g_string_append_printf (text, "  seam_nest_%s<Nest> (a);\n}\n", k->names[i] + strlen ("seam_"));
}

static char *
write_source (const NestKernels *k, const Writer *w)
{
  static const char *const affines[] = { "SET", "RUN", "NEIGHBOURS", "ELEMENT" };
  const SeamOp *op = &w->chain->ops[w->op];
  GString *text = g_string_new (NULL);

  append_head (w, text);
  g_string_append_printf (
      text,
      "#include \"kernels/cuda/nests.cuh\"\n\n"
      "struct Nest {\n"
      "  static constexpr SeamOperandType x_type = %s, t_type = %s, y_type = %s;\n"
      "  static constexpr SeamReduction reduction = SEAM_REDUCTION_%s; // of sets and windows\n"
      "  static constexpr int vector = %d;\n"
      "  static constexpr bool flat = %s, along = %s;\n"
      "  static constexpr SeamNestAffine affine = SEAM_NEST_AFFINE_%s;\n"
      "  typedef %s Index;\n",
      TYPE_NAME (w->types[0]), TYPE_NAME (w->types[1]), TYPE_NAME (w->types[2]),
      get_reduction_name (k->nest.c.info->reduction), w->vector, w->is_flat ? "true" : "false",
      w->is_along ? "true" : "false", affines[w->affine],
      w->is_wide ? "unsigned long" : "unsigned int");
  if (k->nest.c.info->op_class == SEAM_CLASS_MAP)
    g_string_append_printf (text,
                            "  static __device__ __forceinline__ float\n"
                            "  apply (float x, float v, float t, float a, float b)\n"
                            "  {\n"
                            "    return seam_op_apply_%s (x, v, t, a, b);\n"
                            "  }\n",
                            seam_op_type_get_name (op->type));
  if (reads_sets (k))
    append_maps (w, text);
  g_string_append (text, "};\n");
  for (int i = 0; i < k->n_kernels; i++)
    append_kernel (k, w, i, text);
  return g_string_free (text, FALSE);
}

NestKernels *
nest_kernels_new (const SeamGroupSpec *spec, int first, int last, SeamOperandType operand,
                  int n_multiprocessors, GError **error)
{
  g_autoptr (NestKernels) k = g_new0 (NestKernels, 1);
  Writer w = { spec, seam_plan_get_chain (spec->plan), first, last, .vector = 1 };
  const SeamOp *of = &w.chain->ops[last];
  const int input = w.chain->ops[first].inputs[0];
  const SeamTensor *tensors = spec->problem->tensors;

  seam_nest_init (&k->nest, spec->problem, w.chain, last);
  const SeamShapeView view = seam_shape_view (&k->nest.c.in[0]);
  k->arguments = (SeamNestArguments){
    .scalars = { (float)of->scalars[0], (float)of->scalars[1] },
    .epsilon = of->scalars[0],
    .map = k->nest.map,
    .window = k->nest.window,
    .general = k->nest.general,
    .sets = k->nest.sets,
    .affine_inner = k->nest.affine_inner,
    .affine_count = k->nest.affine_count,
    .map_channels = view.channels,
    .map_inner = view.inner,
    .n_parts = 1,
  };
  for (int i = first; i < last; i++)
    k->maps[i - first] = get_map_operand (spec, first, i);
  w.types[0] = tensors[input].type;
  w.types[1] = of->inputs[1] >= 0 ? tensors[of->inputs[1]].type : SEAM_OPERAND_FP32;
  if (k->nest.c.info->op_class == SEAM_CLASS_MATRIX)
    w.types[0] = w.types[1] = operand;
  w.types[2] = tensors[SEAM_TENSOR_OUTPUT (last)].type;
  w.is_wide =
      MAX (tensors[input].n_elements, tensors[SEAM_TENSOR_OUTPUT (last)].n_elements) > G_MAXINT32;
  plan (k, &w, n_multiprocessors);
  for (int i = 0; i < k->n_kernels; i++)
    if (k->blocks[i] > SEAM_CUDA_MAX_BLOCKS)
      return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                             "“%s” has too many elements for one kernel launch; choose a smaller "
                             "shape.",
                             of->label);
  k->source = write_source (k, &w);
  return g_steal_pointer (&k);
}

void
nest_kernels_free (NestKernels *k)
{
  if (k == NULL)
    return;
  g_free (k->source);
  g_free (k);
}
