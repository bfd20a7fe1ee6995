/* SPDX-License-Identifier: MIT
 *
 * Launches of this program's own kernels: precompiled single ops, and generated groups.
 */
#include "app/backend/cuda/cuda-prepare.h"

#include "app/backend/cuda/compiler.h"
#include "app/backend/cuda/cuda-tiles.h"
#include "app/backend/cuda/generator.h"
#include "app/backend/cuda/nest-kernels.h"

ENQUEUE (elementwise, seam_cuda_elementwise (launch->type, &launch->arguments, device->stream))
ENQUEUE (one_pass, seam_cuda_groupnorm_one_pass (&launch->arguments, device->stream))
ENQUEUE (statistics, seam_cuda_groupnorm_statistics (&launch->arguments, device->stream))
ENQUEUE (apply, seam_cuda_groupnorm_apply (&launch->arguments, device->stream))
ENQUEUE (half_sums, seam_cuda_half_sums (launch->library, device->stream))

static gboolean
enqueue_generated (CudaDevice *device, Launch *launch, GError **error)
{
  void *parameters[] = { &launch->arguments };
  const dim3 grid = { (unsigned int)launch->geometry.blocks, 1, 1 };
  const dim3 block = { launch->geometry.threads, 1, 1 };

  /* cudaLaunchKernel accepts a cudaKernel_t in place of a kernel's host address (CUDA 12.8). */
  return CUDA_TRY (
      cudaLaunchKernel ((const void *)launch->kernel, grid, block, parameters, 0, device->stream),
      error);
}

/* Tensors of a segment without a library op. */
static void
set_tensors (const Preparation *p, const SeamSegment *s, SeamCudaArguments *a)
{
  for (int i = 0; i < s->n_inputs; i++)
    a->inputs[i] = p->tensors[s->inputs[i]];
  for (int i = 0; i < s->n_outputs; i++)
    a->outputs[i] = p->tensors[s->outputs[i]];
  if (s->groupnorm >= 0) {
    a->weight = p->tensors[preparation_param_tensor (p, s->groupnorm, 0)];
    a->bias = p->tensors[preparation_param_tensor (p, s->groupnorm, 1)];
  }
}

/* Bytes that a pass moves: its inputs, its outputs (unless it only gathers statistics), and
 * vectors. */
static double
pass_bytes (const Preparation *p, const SeamSegment *s, gboolean writes)
{
  double bytes = 0;

  for (int i = 0; i < s->n_inputs; i++)
    bytes += preparation_tensor_bytes (p, s->inputs[i]);
  for (int i = 0; i < s->n_outputs && writes; i++)
    bytes += preparation_tensor_bytes (p, s->outputs[i]);
  for (int op = s->first; op <= s->last; op++)
    for (int which = 0; which < SEAM_MAX_OP_PARAMS; which++)
      if (p->chain->ops[op].params[which] >= 0)
        bytes += preparation_tensor_bytes (p, preparation_param_tensor (p, op, which));
  return bytes;
}

/* The two passes of a large GroupNorm share their tile statistics. */
static gboolean
take_partials (Preparation *p, SeamCudaArguments *a, gint64 n_partials, GError **error)
{
  a->partials = preparation_take_scratch (p, n_partials * (gint64)sizeof (float), error);
  return a->partials != NULL;
}

static gboolean
check_blocks (const SeamCudaGeometry *g, GError **error)
{
  if (g->blocks <= SEAM_CUDA_MAX_BLOCKS)
    return TRUE;
  return seam_fail (
      error, SEAM_ERROR_UNSUPPORTED,
      "A tensor of this shape has too many planes for one kernel launch; choose a smaller batch.");
}

gboolean
preparation_add_precompiled (Preparation *p, const SeamSegment *s, GError **error)
{
  const SeamOp *op = &p->chain->ops[s->first];
  SeamCudaArguments a = { 0 };
  SeamCudaGeometry g;
  Launch *launch;

  generated_set_shape (&a, p->spec->problem, p->chain, s);
  set_tensors (p, s, &a);
  a.scalars[0] = (float)op->scalars[0];
  a.scalars[1] = (float)op->scalars[1];
  if (seam_op_get_info (op)->reads == SEAM_READS_VECTOR)
    a.vectors[0] = p->tensors[preparation_param_tensor (p, s->first, 0)];
  /* x * x reads one tensor twice, so the second input is the first one. */
  if (op->inputs[1] >= 0 && s->n_inputs == 1)
    a.inputs[1] = a.inputs[0];

  if (!seam_op_is_normalisation (op) || a.group_elements <= SEAM_CUDA_ONE_PASS_ELEMENTS) {
    const gboolean is_map = !seam_op_is_normalisation (op);

    g = is_map ? seam_cuda_geometry_elementwise (&a) : seam_cuda_geometry_one_pass (&a);
    launch = preparation_add_launch (p, s->first, s->last, g_strdup (op->label), "hand",
                                     pass_bytes (p, s, TRUE));
    launch->enqueue = is_map ? enqueue_elementwise : enqueue_one_pass;
    p->prepared->tile = is_map ? tile_of_elementwise (&a, &g) : tile_of_one_pass (&a, &g);
  } else {
    g = seam_cuda_geometry_two_pass (&a);
    if (!check_blocks (&g, error) || !take_partials (p, &a, g.n_partials, error))
      return FALSE;
    launch =
        preparation_add_launch (p, s->first, s->last, g_strdup_printf ("%s statistics", op->label),
                                "hand", pass_bytes (p, s, FALSE));
    launch->type = op->type;
    launch->arguments = a;
    launch->enqueue = enqueue_statistics;
    launch = preparation_add_launch (p, s->first, s->last, g_strdup_printf ("%s apply", op->label),
                                     "hand", pass_bytes (p, s, TRUE));
    launch->enqueue = enqueue_apply;
    p->prepared->tile = tile_of_two_pass (&a, &g);
  }
  launch->type = op->type;
  launch->arguments = a;
  return check_blocks (&g, error);
}

gboolean
preparation_add_half_sums (Preparation *p, const SeamSegment *s, GError **error)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (p->spec->problem, s->first), *d = &sizes;
  const SeamOp *op = &p->chain->ops[s->first];
  const int weight = preparation_param_tensor (p, s->first, 0);
  const int output = SEAM_TENSOR_OUTPUT (s->last);
  const SeamTensor *tensors = p->spec->problem->tensors;
  /* This kernel reads and stores FP32. */
  const float *x = preparation_get_fp32 (p, s->first, s->inputs[0], error);
  const float *w = x != NULL ? preparation_get_fp32 (p, s->first, weight, error) : NULL;
  float *sums = p->tensors[output];

  if (w == NULL
      || (tensors[output].type != SEAM_OPERAND_FP32
          && (sums = preparation_take_scratch (p, tensors[output].n_elements * (gint64)sizeof *sums,
                                               error))
                 == NULL))
    return FALSE;
  SeamCudaHalfSums *a = g_new (SeamCudaHalfSums, 1);
  Launch *launch = preparation_add_launch (p, s->first, s->last, g_strdup (op->label), "hand",
                                           4.0
                                               * (double)(tensors[s->inputs[0]].n_elements
                                                          + tensors[weight].n_elements
                                                          + tensors[output].n_elements));
  *a = (SeamCudaHalfSums){
    .x = x,
    .weight = w,
    .y = sums,
    .n = d->n,
    .c = d->c,
    .h = d->h,
    .w = d->w,
    .k = d->k,
    .r = d->r,
    .exact = p->spec->plainly,
  };
  /* Pixels are counted over the whole batch. */
  p->prepared->tile = d->p * d->q == 1 ? (SeamTile){ .kind = SEAM_TILE_BOX,
                                                     .rows = SEAM_CUDA_HALF_SUMS_TILE,
                                                     .columns = SEAM_CUDA_HALF_SUMS_TILE }
                                       : (SeamTile){ .kind = SEAM_TILE_RUN,
                                                     .columns = SEAM_CUDA_HALF_SUMS_TILE,
                                                     .run = SEAM_CUDA_HALF_SUMS_TILE };
  launch->library = a;
  launch->enqueue = enqueue_half_sums;
  if (sums != p->tensors[output])
    preparation_add_narrowing (p, s->last, output, sums);
  return check_blocks (&(SeamCudaGeometry){ .blocks = seam_cuda_half_sums_blocks (a) }, error);
}

/* Finds a function of the module, which a person's text may lack. */
static gboolean
get_kernel (cudaKernel_t *kernel, cudaLibrary_t module, const char *name, gboolean edited,
            GError **error)
{
  g_autoptr (GError) local = NULL;

  if (CUDA_TRY (cudaLibraryGetKernel (kernel, module, name), &local))
    return TRUE;
  if (edited)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                 "The code has no kernel “%s”; keep its name and its parameter, and extern \"C\".",
                 name);
  else
    g_propagate_error (error, g_steal_pointer (&local));
  return FALSE;
}

/* Compiles the segment's kernels, from a person's text or `source`. */
static gboolean
compile (Preparation *p, const char *edit, const char *source, int n, const char *const *names,
         cudaKernel_t *kernels, GError **error)
{
  cudaLibrary_t module = NULL;
  g_autoptr (GBytes) code = compiler_compile (edit != NULL ? edit : source, p->device->major,
                                              p->device->minor, 0, p->cancel, error);

  if (code == NULL
      || !CUDA_TRY (cudaLibraryLoadData (&module, g_bytes_get_data (code, NULL), NULL, NULL, 0,
                                         NULL, NULL, 0),
                    error))
    return FALSE;
  g_ptr_array_add (p->prepared->modules, module);
  for (int i = 0; i < n; i++)
    if (!get_kernel (&kernels[i], module, names[i], edit != NULL, error))
      return FALSE;
  return TRUE;
}

static const char *
get_edit (const Preparation *p, const SeamSegment *s)
{
  return group_scheme_is_edited (p->spec, p->scheme, s) ? p->spec->edit : NULL;
}

gboolean
preparation_add_generated (Preparation *p, const SeamSegment *s, GError **error)
{
  g_autoptr (Generated) generated = generated_new (p->spec->problem, p->spec->plan, s, error);
  const char *edit = get_edit (p, s);
  cudaKernel_t kernels[GENERATED_MAX_KERNELS];

  if (generated == NULL
      || !compile (p, edit, generated->source, generated->n_kernels,
                   (const char *const *)generated->names, kernels, error))
    return FALSE;
  if (p->only_code)
    return TRUE;

  SeamCudaArguments *a = &generated->arguments;
  set_tensors (p, s, a);
  for (int i = 0; i < generated->n_vectors; i++)
    a->vectors[i] = p->tensors[generated->vectors[i]];
  if (generated->n_kernels == 2
      && !take_partials (p, a, generated->geometries[0].n_partials, error))
    return FALSE;

  for (int i = 0; i < generated->n_kernels; i++) {
    gboolean statistics = generated->n_kernels == 2 && i == 0;
    char *name = generated->n_kernels == 1
                     ? seam_chain_name_ops (p->chain, s->first, s->last)
                     : g_strdup (statistics ? "groupnorm statistics" : "groupnorm apply");
    Launch *launch =
        preparation_add_launch (p, s->first, s->last, name, edit != NULL ? "edited" : "generated",
                                pass_bytes (p, s, !statistics));

    launch->arguments = *a;
    launch->geometry = generated->geometries[i];
    launch->kernel = kernels[i];
    launch->enqueue = enqueue_generated;
    p->prepared->tile = s->groupnorm < 0            ? tile_of_elementwise (a, &launch->geometry)
                        : generated->n_kernels == 1 ? tile_of_one_pass (a, &launch->geometry)
                                                    : tile_of_two_pass (a, &launch->geometry);
  }
  return TRUE;
}

/* --- One op of any class --- */

static gboolean
enqueue_nest (CudaDevice *device, Launch *launch, GError **error)
{
  void *parameters[] = { launch->library };
  const dim3 grid = { (unsigned int)launch->geometry.blocks, 1, 1 };
  const dim3 block = { SEAM_NEST_THREADS, 1, 1 };

  return CUDA_TRY (
      cudaLaunchKernel ((const void *)launch->kernel, grid, block, parameters, 0, device->stream),
      error);
}

/* The addresses of a nest's tensors; a matrix op's factors in the math mode's type. */
static gboolean
set_nest_tensors (Preparation *p, const SeamSegment *s, const NestKernels *k, SeamNestArguments *a,
                  GError **error)
{
  const int index = s->last;
  const SeamNest *nest = &k->nest;
  const SeamOp *op = &p->chain->ops[index];
  const int scalar = seam_op_get_scalar_param (op);
  const float *params[SEAM_MAX_OP_PARAMS] = { NULL };

  for (int i = 0; i < SEAM_MAX_OP_PARAMS; i++)
    if (op->params[i] >= 0)
      params[i] = p->tensors[preparation_param_tensor (p, index, i)];
  a->output = p->tensors[SEAM_TENSOR_OUTPUT (index)];
  if (seam_op_is_matrix (op)) {
    a->inputs[0] = preparation_get_operand (p, index, op->inputs[0], error);
    a->inputs[1] =
        a->inputs[0] == NULL
            ? NULL
            : preparation_get_operand (p, index, preparation_param_tensor (p, index, 0), error);
    return a->inputs[1] != NULL;
  }
  a->inputs[SEAM_NEST_X] = p->tensors[p->chain->ops[s->first].inputs[0]];
  for (int i = 0; i < s->last - s->first; i++)
    a->maps[i] = k->maps[i] >= 0 ? p->tensors[k->maps[i]] : NULL;
  a->inputs[SEAM_NEST_T] = op->inputs[1] >= 0 ? p->tensors[op->inputs[1]] : NULL;
  if (scalar >= 0)
    a->inputs[SEAM_NEST_A] = p->tensors[SEAM_TENSOR_PARAM (p->chain->n_ops, scalar)];
  else if (nest->c.info->reads == SEAM_READS_VECTOR)
    a->inputs[SEAM_NEST_V] = params[0];
  else if (nest->c.info->op_class == SEAM_CLASS_NORMALISE) {
    a->weight = params[0];
    a->bias = params[1];
    a->mean = params[2];
    a->variance = params[3];
  }
  return TRUE;
}

gboolean
preparation_add_nest (Preparation *p, const SeamSegment *s, GError **error)
{
  g_autofree char *ops = seam_chain_name_ops (p->chain, s->first, s->last);
  const char *edit = get_edit (p, s);
  g_autoptr (NestKernels) k =
      nest_kernels_new (p->spec, s->first, s->last, seam_math_mode_get_operand (p->spec->math_mode),
                        p->device->base.info->n_processors, error);
  SeamNestArguments *a = k != NULL ? &k->arguments : NULL;
  cudaKernel_t kernels[NEST_MAX_KERNELS];

  if (k == NULL || !compile (p, edit, k->source, k->n_kernels, k->names, kernels, error))
    return FALSE;
  if (p->only_code)
    return TRUE;
  if (!set_nest_tensors (p, s, k, a, error))
    return FALSE;
  if (k->partial_bytes > 0
      && (a->partials = (double *)preparation_take_scratch (p, k->partial_bytes, error)) == NULL)
    return FALSE;
  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_UNKNOWN };
  for (int i = 0; i < k->n_kernels; i++) {
    const gboolean gathers = k->n_kernels == 2 && i == 0;
    const gboolean merges = i == 1 && k->nest.c.info->op_class == SEAM_CLASS_REDUCE;
    char *name = gathers  ? g_strdup_printf ("%s in parts", ops)
                 : i == 1 ? g_strdup_printf ("%s from parts", ops)
                          : g_strdup (ops);
    Launch *launch =
        preparation_add_launch (p, s->first, s->last, name, edit != NULL ? "edited" : "generated",
                                merges ? (double)k->partial_bytes : pass_bytes (p, s, !gathers));

    launch->library = g_memdup2 (a, sizeof *a);
    launch->geometry.blocks = k->blocks[i];
    launch->kernel = kernels[i];
    launch->enqueue = enqueue_nest;
  }
  return TRUE;
}
