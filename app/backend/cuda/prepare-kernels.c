/* SPDX-License-Identifier: MIT
 *
 * Launches of this program's own kernels: precompiled single ops, and generated groups.
 */
#include "app/backend/cuda/cuda-prepare.h"

#include "app/backend/cuda/compiler.h"
#include "app/backend/cuda/generator.h"
#include "app/backend/cuda/cuda-tiles.h"

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
    for (int which = 0; which < 2; which++)
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

  generated_set_shape (&a, p->spec->problem);
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
  const SeamMatrixDims sizes = seam_matrix_get_dims (p->spec->problem, 0), *d = &sizes;
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

gboolean
preparation_add_generated (Preparation *p, const SeamSegment *s, GError **error)
{
  g_autoptr (Generated) generated = generated_new (p->spec->problem, p->spec->plan, s, error);
  g_autoptr (GBytes) code = NULL;
  const char *edit = group_scheme_is_edited (p->spec, p->scheme, s) ? p->spec->edit : NULL;
  cudaLibrary_t module = NULL;
  cudaKernel_t kernels[GENERATED_MAX_KERNELS];

  if (generated == NULL)
    return FALSE;
  code = compiler_compile (edit != NULL ? edit : generated->source, p->device->major,
                           p->device->minor, 0, p->cancel, error);
  if (code == NULL
      || !CUDA_TRY (cudaLibraryLoadData (&module, g_bytes_get_data (code, NULL), NULL, NULL, 0,
                                         NULL, NULL, 0),
                    error))
    return FALSE;
  g_ptr_array_add (p->prepared->modules, module);
  for (int i = 0; i < generated->n_kernels; i++)
    if (!get_kernel (&kernels[i], module, generated->names[i], edit != NULL, error))
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
