/* SPDX-License-Identifier: MIT
 *
 * Chooses a hand-written version. Shared by all versions: the tail's source, compiling, launching.
 */
#include "app/backend/cuda/hand.h"

#include "app/backend/cuda/generator.h"
#include "app/backend/generate.h"
#include "kernels/embedded.h"

#include <cuda.h>
#include <string.h>

#define HOPPER_SHARED_BYTES 232448

/* Separates the text that a person may edit from the part that the program writes for the current
 * shape. */
#define OWN_PART                                                                                   \
  "// ==== Below: the numbers of this shape, and the entries. The program writes them anew for "   \
  "every run;\n// changes below this line are not taken. ===="

/* Collects the maps after the matrix op and a GroupNorm after them, as far as they are in the group
 * and no value between them is needed elsewhere. */
static void
find_extent (const SeamGroupSpec *spec, HandProblem *problem)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  int last = g->first;

  while (last < g->last && seam_op_is_map (&chain->ops[last + 1]))
    last++;
  *problem = (HandProblem){
    .spec = spec,
    .convolution = group_op_get_library (&chain->ops[g->first]) == LIBRARY_CUDNN,
    .first = g->first,
    .last = last,
    .last_elementwise = last,
    .groupnorm = -1,
    .math_mode = seam_math_mode_get_base (spec->math_mode),
    .may_scale = seam_math_mode_is_scaled (spec->math_mode),
  };
  if (last < g->last && seam_op_is_normalisation (&chain->ops[last + 1])
      && seam_segment_can_absorb (spec->plan, spec->group, last + 1)) {
    problem->groupnorm = last + 1;
    problem->last = last + 1;
  }
}

int
hand_count_vectors (const HandProblem *problem)
{
  const SeamChain *chain = seam_plan_get_chain (problem->spec->plan);
  int n = problem->groupnorm >= 0 ? 2 : 0;

  for (int op = problem->first + 1; op <= problem->last_elementwise; op++)
    n += chain->ops[op].params[0] >= 0;
  return n;
}

static const HandVersion *const lists[] = { hand_matmul_versions, hand_convolution_versions };

/* The first version of that name, or NULL. */
static const HandVersion *
find_version (const char *name)
{
  for (gsize i = 0; name != NULL && i < G_N_ELEMENTS (lists); i++)
    for (const HandVersion *v = lists[i]; v->fits != NULL; v++)
      if (strcmp (v->implementation.name, name) == 0)
        return v;
  return NULL;
}

gboolean
hand_is_name (const char *name)
{
  return find_version (name) != NULL;
}

void
hand_list_implementations (SeamDeviceInfo *info)
{
  for (gsize i = 0; i < G_N_ELEMENTS (lists); i++)
    for (const HandVersion *v = lists[i]; v->fits != NULL; v++)
      if (find_version (v->implementation.name) == v)
        seam_device_info_add_implementation (info, &v->implementation);
}

static gboolean
multiplies_fp32 (const HandVersion *version)
{
  return g_strcmp0 (version->split, "FP32") == 0;
}

/* In math mode fp32 a split keeps 22 bits. In sums of many products the rounding of the sums hides
 * the rest; in short ones hand-simt errs less. */
#define LEAST_SPLIT_PRODUCTS 16

static gboolean
is_too_short_to_split (const HandProblem *problem)
{
  const SeamMatrixDims d = seam_matrix_get_dims (problem->spec->problem, 0);

  return problem->math_mode == SEAM_MATH_FP32 && d.c * d.r * d.r < LEAST_SPLIT_PRODUCTS;
}

/* Whether the name in the plan, NULL for the best, allows the version for the problem. */
static gboolean
is_asked_for (const char *asked, const HandVersion *version, const HandProblem *problem)
{
  if (asked == NULL || strcmp (asked, HAND_BEST) == 0)
    return is_too_short_to_split (problem) ? multiplies_fp32 (version) : !version->only_by_name;
  return strcmp (asked, version->implementation.name) == 0;
}

static gboolean
has_enough_products (const HandVersion *version, const HandProblem *problem, char **reason)
{
  if (multiplies_fp32 (version) || !is_too_short_to_split (problem))
    return TRUE;
  *reason = g_strdup_printf ("In fp32 this version splits numbers and needs sums of %d products or "
                             "more; @hand and @hand-simt compute shorter ones.",
                             LEAST_SPLIT_PRODUCTS);
  return FALSE;
}

static gboolean
try_versions (const CudaDevice *device, const char *asked, HandChoice *choice, char **reason)
{
  const HandVersion *versions =
      choice->problem.convolution ? hand_convolution_versions : hand_matmul_versions;

  for (const HandVersion *v = versions; v->fits != NULL; v++) {
    g_autofree char *why = NULL;

    if (!is_asked_for (asked, v, &choice->problem))
      continue;
    if (has_enough_products (v, &choice->problem, &why)
        && v->fits (device, &choice->problem, v->mode, &why)) {
      choice->version = v;
      choice->scaled = v->scales != NULL && v->scales (device, &choice->problem);
      return TRUE;
    }
    /* The reason of the first version is given, because people expect that one. */
    if (*reason == NULL)
      *reason = g_steal_pointer (&why);
  }
  return FALSE;
}

void
hand_choose (const CudaDevice *device, const SeamGroupSpec *spec, HandChoice *choice, char **reason)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const char *asked = g->implementation;

  *choice = (HandChoice){ 0 };
  *reason = NULL;
  if (!seam_op_is_matrix (&chain->ops[g->first]) || g->first != 0)
    return;
  if (seam_group_is (g, SEAM_IMPLEMENTATION_EDITED) && !hand_read_name (spec->edit, &asked))
    return;
  /* A single op goes to the library unless the plan names a hand-written version. */
  if (asked == NULL ? g->first == g->last : !hand_is_name (asked))
    return;
  find_extent (spec, &choice->problem);
  if (!seam_segment_can_absorb (spec->plan, spec->group, choice->problem.last)) {
    *reason = g_strdup ("A value inside the group is also needed outside of it, and a hand-written "
                        "kernel writes its last value only.");
    return;
  }
  if (hand_count_vectors (&choice->problem)
      > HAND_MAX_VECTORS + (choice->problem.groupnorm >= 0 ? 2 : 0)) {
    *reason = g_strdup_printf ("The hand-written kernels take up to %d channel vectors.",
                               HAND_MAX_VECTORS);
    return;
  }
  if (try_versions (device, asked, choice, reason))
    return;
  /* Tries without the GroupNorm, which then follows as a separate kernel. */
  if (choice->problem.groupnorm >= 0
      && (choice->problem.last_elementwise > g->first || asked != NULL)
      && seam_segment_can_absorb (spec->plan, spec->group, choice->problem.last_elementwise)) {
    g_autofree char *ignored = NULL;

    choice->problem.groupnorm = -1;
    choice->problem.last = choice->problem.last_elementwise;
    try_versions (device, asked, choice, *reason == NULL ? reason : &ignored);
  }
}

/* Hopper's kernels with a GroupNorm use the tail for rounded operands, because it is faster there
 * (kernels/ladder.csv); without a GroupNorm it is not. */
static GeneratedTailFlags
get_tail_flags (const HandProblem *problem, gboolean specific)
{
  return problem->groupnorm < 0 ? GENERATED_TAIL_EXACT
         : specific && problem->math_mode != SEAM_MATH_FP32
             ? GENERATED_TAIL_GROUPNORM | GENERATED_TAIL_ROUNDED
             : GENERATED_TAIL_GROUPNORM;
}

gboolean
hand_has_bounded_tail (const HandProblem *problem)
{
  return generated_has_bounded_tail (seam_plan_get_chain (problem->spec->plan), problem->first + 1,
                                     problem->last_elementwise, get_tail_flags (problem, TRUE));
}

static void
make_tail (const HandChoice *choice, HandTail *tail)
{
  const HandProblem *problem = &choice->problem;
  const SeamGroupSpec *spec = problem->spec;
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  GString *text = g_string_new (NULL);
  int vectors[SEAM_MAX_PARAMS];

  *tail = (HandTail){ 0 };
  tail->n_vectors = generated_append_tail (
      spec->problem, spec->plan, problem->first + 1, problem->last_elementwise,
      get_tail_flags (problem, choice->version->specific), text, vectors);
  g_assert (tail->n_vectors <= HAND_MAX_VECTORS);
  memcpy (tail->vectors, vectors, sizeof (int) * (gsize)tail->n_vectors);
  for (int i = 0; i < 2 && problem->groupnorm >= 0; i++)
    tail->vectors[tail->n_vectors + i] =
        SEAM_TENSOR_PARAM (chain->n_ops, chain->ops[problem->groupnorm].params[i]);
  tail->source = g_string_free (text, FALSE);
}

/* Inserts the kernel's file in place of its #include, so that a person reads and edits a single
 * text. */
static void
append_header (GString *source, const char *name)
{
  static const char once[] = "#pragma once\n";
  const char *text = NULL, *found;

  for (int i = 0; i < seam_n_cuda_texts && text == NULL; i++)
    if (strcmp (seam_cuda_texts[i].name, name) == 0)
      text = seam_cuda_texts[i].text;
  g_assert (text != NULL);
  /* Leaves out this line: outside an included file the compiler warns about it. */
  found = strstr (text, once);
  if (found != NULL) {
    g_string_append_len (source, text, found - text);
    text = found + strlen (once);
  }
  g_string_append (source, text);
}

static void
append_own_part (const CudaDevice *device, const HandChoice *choice, GString *source)
{
  g_string_append (source, OWN_PART "\n\n");
  choice->version->write (device, &choice->problem, choice->version->mode, source);
}

static char *
write_source (const CudaDevice *device, const HandChoice *choice, const HandTail *tail)
{
  const HandProblem *problem = &choice->problem;
  GString *source = g_string_new ("// " SEAM_SOURCE_HAND_HEAD);

  g_string_append_printf (source, "%s) for ", choice->version->implementation.name);
  seam_generate_append_ops (source, problem->spec->problem->pipeline->id,
                            seam_plan_get_chain (problem->spec->plan), problem->first,
                            problem->last);
  g_string_append_printf (
      source,
      "\n// First the kernel, which is %s; at the end this group's own ops\n// (struct Tail) "
      "and numbers. Sums on tensor cores err by more than the fast exponential.\n#define "
      "SEAM_EXP __expf\n#include \"kernels/ops.h\"\n\n",
      choice->version->header);
  append_header (source, choice->version->header);
  g_string_append_printf (source, "\n%s\n", tail->source);
  append_own_part (device, choice, source);
  return g_string_free (source, FALSE);
}

gboolean
hand_read_name (const char *edit, const char **name)
{
  const char *at = edit != NULL ? strstr (edit, SEAM_SOURCE_HAND_HEAD) : NULL;

  if (at == NULL)
    return FALSE;
  at += strlen (SEAM_SOURCE_HAND_HEAD);
  g_autofree char *word = g_strndup (at, strcspn (at, ")\n"));
  const HandVersion *version = find_version (word);
  if (name != NULL)
    *name = version != NULL ? version->implementation.name : HAND_BEST;
  return TRUE;
}

char *
hand_write_compiled (const CudaDevice *device, const HandChoice *choice, const char *edit,
                     GError **error)
{
  const char *own = edit != NULL ? strstr (edit, OWN_PART) : NULL;

  if (edit == NULL)
    return hand_write_source (device, choice);
  if (own == NULL)
    return seam_fail_null (
        error, SEAM_ERROR_UNSUPPORTED,
        "The edited text has lost the two lines that begin with “// ==== Below:”. They say where "
        "the program's own part starts; put them back behind struct Tail.");
  GString *source = g_string_new_len (edit, own - edit);
  append_own_part (device, choice, source);
  return g_string_free (source, FALSE);
}

char *
hand_write_source (const CudaDevice *device, const HandChoice *choice)
{
  HandTail tail;

  make_tail (choice, &tail);
  char *source = write_source (device, choice, &tail);
  g_free (tail.source);
  return source;
}

const char *
hand_get_split (const HandChoice *choice)
{
  if (choice->problem.may_scale)
    return choice->scaled                      ? choice->version->scaled_split
           : multiplies_fp32 (choice->version) ? "FP32"
                                               : "TF32";
  return choice->problem.math_mode == SEAM_MATH_FP32 ? choice->version->split : NULL;
}

CompilerFlags
hand_get_flags (const HandChoice *choice)
{
  return COMPILER_FLUSH | (choice->version->specific ? COMPILER_SPECIFIC : 0);
}

gboolean
preparation_add_hand (Preparation *p, const HandChoice *choice, GError **error)
{
  g_autoptr (GBytes) code = NULL;
  cudaLibrary_t module = NULL;
  HandTail tail;

  make_tail (choice, &tail);
  g_autofree char *source = hand_write_compiled (p->device, choice, p->spec->edit, error);
  code = source != NULL ? compiler_compile (source, p->device->major, p->device->minor,
                                            hand_get_flags (choice), p->cancel, error)
                        : NULL;
  gboolean good = code != NULL
                  && CUDA_TRY (cudaLibraryLoadData (&module, g_bytes_get_data (code, NULL), NULL,
                                                    NULL, 0, NULL, NULL, 0),
                               error);
  if (good) {
    g_ptr_array_add (p->prepared->modules, module);
    good =
        p->only_code
        || choice->version->add (p, &choice->problem, choice->version->mode, &tail, module, error);
  }
  if (p->prepared->note == NULL && g_strcmp0 (hand_get_split (choice), "FP16x3") == 0)
    p->prepared->note = g_strdup ("FP16x3: numbers far smaller than the largest of their row or "
                                  "sample lose bits, and infinity makes NaN. See math-modes in the "
                                  "help.");
  g_free (tail.source);
  return good;
}

void
hand_append_config (GString *text, const char *name, const void *values, const HandField *fields,
                    gsize n_fields)
{
  g_string_append_printf (text, "struct %s {\n", name);
  for (gsize i = 0; i < n_fields; i++) {
    int value;

    memcpy (&value, (const char *)values + fields[i].offset, sizeof value);
    g_string_append_printf (text, "  static constexpr int %s = %d;\n", fields[i].name, value);
  }
  g_string_append (text, "};\n");
}

void
hand_append_kernel (GString *text, const char *name, const char *type, const char *bounds,
                    const char *call)
{
  g_string_append_printf (text,
                          "\nextern \"C\" __global__ void __launch_bounds__ (%s)\n"
                          "%s (const __grid_constant__ %s a)\n"
                          "{\n"
                          "  %s (a);\n"
                          "}\n",
                          bounds, name, type, call);
}

typedef struct {
  dim3 grid;
  unsigned int threads, cluster, shared_bytes;
  gboolean cooperative;
  void *fill;
  gsize fill_bytes;
  void *arguments; /* aligned as a tensor map must be */
} HandLaunch;

#define ARGUMENT_ALIGNMENT 64

static gboolean
enqueue_hand (CudaDevice *device, Launch *launch, GError **error)
{
  HandLaunch *hand = launch->library;
  void *parameters[] = { hand->arguments };
  cudaLaunchAttribute attributes[2];
  cudaLaunchConfig_t config = {
    .gridDim = hand->grid,
    .blockDim = { hand->threads, 1, 1 },
    .dynamicSmemBytes = hand->shared_bytes,
    .stream = device->stream,
    .attrs = attributes,
  };

  if (hand->cluster > 1)
    attributes[config.numAttrs++] = (cudaLaunchAttribute){
      .id = cudaLaunchAttributeClusterDimension,
      .val.clusterDim = { hand->cluster, 1, 1 },
    };
  if (hand->cooperative)
    attributes[config.numAttrs++] = (cudaLaunchAttribute){
      .id = cudaLaunchAttributeCooperative,
      .val.cooperative = 1,
    };
  if (hand->fill != NULL
      && !CUDA_TRY (cudaMemsetAsync (hand->fill, 0xff, hand->fill_bytes, device->stream), error))
    return FALSE;
  return CUDA_TRY (cudaLaunchKernelExC (&config, (const void *)launch->kernel, parameters), error);
}

static void
clear_hand (Launch *launch)
{
  HandLaunch *hand = launch->library;

  g_aligned_free (hand->arguments);
  g_free (hand);
}

gboolean
hand_add_launch (Preparation *p, cudaLibrary_t module, const HandLaunchSpec *spec,
                 const void *arguments, gsize size, GError **error)
{
  Launch *launch = preparation_add_launch (p, spec->first_op, spec->last_op, spec->short_name,
                                           p->spec->edit != NULL ? "edited" : "hand", spec->bytes);
  HandLaunch *hand = g_new0 (HandLaunch, 1);

  launch->library = hand;
  launch->clear = clear_hand;
  launch->enqueue = enqueue_hand;
  launch->is_copy = spec->is_copy;
  hand->grid = spec->grid;
  hand->threads = spec->threads;
  hand->cluster = spec->cluster;
  hand->shared_bytes = spec->shared_bytes;
  hand->cooperative = spec->cooperative;
  hand->fill = spec->fill;
  hand->fill_bytes = spec->fill_bytes;
  hand->arguments = g_aligned_alloc0 (
      1, (size + ARGUMENT_ALIGNMENT - 1) / ARGUMENT_ALIGNMENT * ARGUMENT_ALIGNMENT,
      ARGUMENT_ALIGNMENT);
  memcpy (hand->arguments, arguments, size);
  if (!CUDA_TRY (cudaLibraryGetKernel (&launch->kernel, module, spec->function), error))
    return FALSE;
  return CUDA_TRY (cudaKernelSetAttributeForDevice (launch->kernel,
                                                    cudaFuncAttributeMaxDynamicSharedMemorySize,
                                                    (int)spec->shared_bytes, p->device->ordinal),
                   error);
}

double
hand_fused_bytes (const Preparation *p, const HandProblem *problem)
{
  double bytes = preparation_tensor_bytes (p, SEAM_TENSOR_INPUT)
                 + preparation_tensor_bytes (p, SEAM_TENSOR_OUTPUT (problem->last));

  for (int op = problem->first; op <= problem->last; op++)
    for (int which = 0; which < 2; which++)
      if (p->chain->ops[op].params[which] >= 0)
        bytes += preparation_tensor_bytes (p, preparation_param_tensor (p, op, which));
  return bytes;
}

float *
hand_get_weight (const Preparation *p, const HandProblem *problem)
{
  return p->tensors[preparation_param_tensor (p, problem->first, 0)];
}

float *
hand_get_output (const Preparation *p, const HandProblem *problem)
{
  return p->tensors[SEAM_TENSOR_OUTPUT (problem->last)];
}

SeamOperandType
hand_get_input_type (const HandProblem *problem)
{
  return problem->spec->problem->tensors[SEAM_TENSOR_INPUT].type;
}

SeamOperandType
hand_get_output_type (const HandProblem *problem)
{
  return problem->spec->problem->tensors[SEAM_TENSOR_OUTPUT (problem->last)].type;
}

gboolean
hand_check_reads_fp32 (const HandProblem *problem, char **reason)
{
  const SeamProblem *p = problem->spec->problem;
  const SeamChain *chain = seam_plan_get_chain (problem->spec->plan);
  const int weight = SEAM_TENSOR_PARAM (chain->n_ops, chain->ops[problem->first].params[0]);

  if (p->tensors[SEAM_TENSOR_INPUT].type == SEAM_OPERAND_FP32
      && p->tensors[weight].type == SEAM_OPERAND_FP32)
    return TRUE;
  *reason = g_strdup ("This hand-written kernel reads an FP32 input and weight, and with this "
                      "storage they have 16 bits in memory.");
  return FALSE;
}

void
hand_set_vectors (const Preparation *p, const HandProblem *problem, const HandTail *tail,
                  const float **vectors)
{
  for (int i = 0; i < tail->n_vectors + (problem->groupnorm >= 0 ? 2 : 0); i++)
    vectors[i] = p->tensors[tail->vectors[i]];
}

gboolean
hand_check_hopper (const CudaDevice *device, char **reason)
{
  if (device->major == 9 && device->minor == 0 && device->shared_limit >= HOPPER_SHARED_BYTES)
    return TRUE;
  *reason = g_strdup_printf (
      "This hand-written kernel uses instructions of NVIDIA's Hopper GPUs (compute capability 9.0 "
      "with 227 KB of shared memory); %s has %d.%d.",
      device->base.info->name, device->major, device->minor);
  return FALSE;
}

typedef CUresult (*EncodeFunc) (CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

gboolean
hand_encode_map (const HandTensorMap *spec, void *map, GError **error)
{
  const cuuint32_t steps[5] = { 1, 1, 1, 1, 1 };
  enum cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  void *function = NULL;
  cuuint64_t sizes[5], strides[4];
  CUtensorMapDataType type = spec->type == SEAM_OPERAND_BF16   ? CU_TENSOR_MAP_DATA_TYPE_BFLOAT16
                             : spec->type == SEAM_OPERAND_FP16 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT16
                             : spec->round                     ? CU_TENSOR_MAP_DATA_TYPE_TFLOAT32
                                                               : CU_TENSOR_MAP_DATA_TYPE_FLOAT32;

  if (!CUDA_TRY (cudaGetDriverEntryPointByVersion ("cuTensorMapEncodeTiled", &function, 12000,
                                                   cudaEnableDefault, &found),
                 error))
    return FALSE;
  if (found != cudaDriverEntryPointSuccess || function == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "The NVIDIA driver has no tensor maps (cuTensorMapEncodeTiled); update it.");
  for (guint i = 0; i < spec->rank; i++)
    sizes[i] = spec->sizes[i];
  for (guint i = 0; i + 1 < spec->rank; i++)
    strides[i] = spec->strides[i];
  CUresult result = ((EncodeFunc)function) (
      map, type, spec->rank, (void *)spec->data, sizes, strides, spec->box, steps,
      CU_TENSOR_MAP_INTERLEAVE_NONE,
      spec->swizzle ? CU_TENSOR_MAP_SWIZZLE_128B : CU_TENSOR_MAP_SWIZZLE_NONE,
      spec->narrow ? CU_TENSOR_MAP_L2_PROMOTION_L2_128B : CU_TENSOR_MAP_L2_PROMOTION_L2_256B,
      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "The driver refused a tensor map for this shape (error %d).", (int)result);
  return TRUE;
}
