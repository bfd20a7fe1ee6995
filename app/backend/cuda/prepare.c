/* SPDX-License-Identifier: MIT
 *
 * From a group's scheme to its launches: scratch memory, arguments, compiled kernels, chosen
 * algorithms.
 */
#include "app/backend/cuda/compiler.h"
#include "app/backend/cuda/generator.h"
#include "app/backend/cuda/groups.h"
#include "app/backend/cuda/launch.h"

/* What prepare() carries from segment to segment. */
typedef struct {
  CudaDevice *device;
  const SeamGroupSpec *spec;
  const SeamChain *chain;
  const GroupScheme *scheme;
  SeamCancel *cancel;
  SeamPrepared *prepared;
  float *tensors[SEAM_MAX_TENSORS]; /* device addresses; NULL until somebody needs one */
} Preparation;

void
launch_free (Launch *launch)
{
  if (launch == NULL)
    return;
  if (launch->library != NULL && launch->clear != NULL)
    launch->clear (launch);
  g_free (launch->short_name);
  g_free (launch);
}

static void
free_device_memory (gpointer data)
{
  cudaFree (data);
}

static void
unload (gpointer data)
{
  cudaLibraryUnload (data);
}

static float *
take_scratch (Preparation *p, gint64 bytes, GError **error)
{
  void *data = NULL;

  if (!CUDA_TRY (cudaMalloc (&data, MAX (bytes, 16)), error))
    return NULL;
  g_ptr_array_add (p->prepared->scratch, data);
  return data;
}

/* Whether `tensor`, made by segment `index` and not the group's, is read by the next segment
 * only, as its chain value: then it may lie where the group's last output will. */
static gboolean
can_share_output (const Preparation *p, int index, int tensor)
{
  const Segments *segments = &p->scheme->segments;

  if (tensor != SEAM_TENSOR_OUTPUT (segments->segments[index].last) || index + 1 >= segments->n)
    return FALSE;
  for (int i = index + 2; i < segments->n; i++)
    for (int j = 0; j < segments->segments[i].n_inputs; j++)
      if (segments->segments[i].inputs[j] == tensor)
        return FALSE;
  return TRUE;
}

/* Gives every output of segment `index` an address. */
static gboolean
place_outputs (Preparation *p, int index, GError **error)
{
  const Segment *s = &p->scheme->segments.segments[index];
  int last = SEAM_TENSOR_OUTPUT (p->spec->plan->groups[p->spec->group].last);

  for (int i = 0; i < s->n_outputs; i++) {
    int tensor = s->outputs[i];

    if (p->tensors[tensor] != NULL)
      continue;
    if (can_share_output (p, index, tensor))
      p->tensors[tensor] = p->tensors[last];
    else if ((p->tensors[tensor] = take_scratch (p, p->spec->problem->tensors[tensor].bytes, error))
             == NULL)
      return FALSE;
  }
  return TRUE;
}

static Launch *
add_launch (Preparation *p, int first, int last, char *short_name, const char *implementation,
            double bytes)
{
  Launch *launch = g_new0 (Launch, 1);

  launch->first_op = first;
  launch->last_op = last;
  launch->short_name = short_name;
  launch->implementation = implementation;
  launch->bytes = bytes;
  g_ptr_array_add (p->prepared->launches, launch);
  return launch;
}

/* "conv2d", "conv_bias + relu + bias" */
static char *
name_ops (const Preparation *p, int first, int last)
{
  GString *name = g_string_new (p->chain->ops[first].label);
  for (int op = first + 1; op <= last; op++)
    g_string_append_printf (name, " + %s", p->chain->ops[op].label);
  return g_string_free (name, FALSE);
}

static double
tensor_bytes (const Preparation *p, int tensor)
{
  return (double)p->spec->problem->tensors[tensor].bytes;
}

/* Input, weight, vectors and output, each once. */
static double
library_bytes (const Preparation *p, const Segment *s)
{
  double bytes = tensor_bytes (p, SEAM_TENSOR_OUTPUT (s->last));

  for (int i = 0; i < s->n_inputs; i++)
    bytes += tensor_bytes (p, s->inputs[i]);
  for (int op = s->first; op <= s->last; op++)
    if (p->chain->ops[op].params[0] >= 0)
      bytes += tensor_bytes (p, SEAM_TENSOR_PARAM (p->chain->n_ops, p->chain->ops[op].params[0]));
  return bytes;
}

static int
param_tensor (const Preparation *p, int op, int which)
{
  return SEAM_TENSOR_PARAM (p->chain->n_ops, p->chain->ops[op].params[which]);
}

static gboolean
add_matmul (Preparation *p, const Segment *s, GError **error)
{
  const float *bias = NULL;
  gboolean relu = FALSE;
  Launch *launch = add_launch (p, s->first, s->last, name_ops (p, s->first, s->last), "cublaslt",
                               library_bytes (p, s));

  for (int op = s->first + 1; op <= s->last; op++) {
    if (p->chain->ops[op].type == SEAM_OP_RELU)
      relu = TRUE;
    else
      bias = p->tensors[param_tensor (p, op, 0)];
  }
  return matmul_prepare (p->device, launch, &p->spec->problem->dims, p->spec->math_mode,
                         p->tensors[s->inputs[0]], p->tensors[param_tensor (p, s->first, 0)], bias,
                         relu, p->tensors[SEAM_TENSOR_OUTPUT (s->last)], p->cancel, error);
}

static gboolean
enqueue_layout (CudaDevice *device, Launch *launch, GError **error)
{
  const SeamCudaArguments *a = &launch->arguments;

  if (launch->geometry.matrix) /* which way */
    return CUDA_TRY (seam_cuda_to_channels_first (a->outputs[0], a->inputs[0], a->rows, a->channels,
                                                  a->plane, device->stream),
                     error);
  return CUDA_TRY (seam_cuda_to_channels_last (a->outputs[0], a->inputs[0], a->rows, a->channels,
                                               a->plane, device->stream),
                   error);
}

static void
add_layout (Preparation *p, int op, gboolean to_first, const float *from, float *to, gint64 rows,
            gint64 channels, gint64 plane)
{
  Launch *launch =
      add_launch (p, op, op, g_strdup (to_first ? "to channels first" : "to channels last"), "hand",
                  8.0 * (double)rows * (double)channels * (double)plane);

  launch->is_copy = TRUE;
  launch->enqueue = enqueue_layout;
  launch->geometry.matrix = to_first;
  launch->arguments.inputs[0] = from;
  launch->arguments.outputs[0] = to;
  launch->arguments.rows = rows;
  launch->arguments.channels = channels;
  launch->arguments.plane = plane;
}

/* The convolution (with the tail it takes along) on NCHW tensors as they are. */
static gboolean
add_channels_first (Preparation *p, const Segment *s, GError **error)
{
  Launch *launch = add_launch (p, s->first, s->last, name_ops (p, s->first, s->last), "cudnn",
                               library_bytes (p, s));

  return convolution_prepare (p->device, launch, p->spec->problem, p->spec->plan,
                              p->spec->math_mode, FALSE, p->tensors, p->cancel, error);
}

/* The same with channels last, between layout changes of our own. */
static gboolean
add_channels_last (Preparation *p, const Segment *s, GError **error)
{
  const SeamProblem *problem = p->spec->problem;
  const SeamDims *d = &problem->dims;
  int x = s->inputs[0], w = param_tensor (p, s->first, 0), y = SEAM_TENSOR_OUTPUT (s->last);
  float *tensors[SEAM_MAX_TENSORS];
  Launch *launch;

  for (int i = 0; i < problem->n_tensors; i++)
    tensors[i] = p->tensors[i];
  if ((tensors[x] = take_scratch (p, problem->tensors[x].bytes, error)) == NULL
      || (tensors[w] = take_scratch (p, problem->tensors[w].bytes, error)) == NULL
      || (tensors[y] = take_scratch (p, problem->tensors[y].bytes, error)) == NULL)
    return FALSE;
  add_layout (p, s->first, FALSE, p->tensors[x], tensors[x], d->n, d->c, d->h * d->w);
  add_layout (p, s->first, FALSE, p->tensors[w], tensors[w], d->k, d->c, d->r * d->r);
  launch = add_launch (p, s->first, s->last, name_ops (p, s->first, s->last), "cudnn",
                       library_bytes (p, s));
  if (!convolution_prepare (p->device, launch, problem, p->spec->plan, p->spec->math_mode, TRUE,
                            tensors, p->cancel, error))
    return FALSE;
  add_layout (p, s->last, TRUE, tensors[y], p->tensors[y], d->n, d->k, d->p * d->q);
  return TRUE;
}

/* One way to execute a segment: a range of the prepared launches and scratch. */
typedef struct {
  guint first_launch, n_launches, first_scratch, n_scratch;
} Variant;

typedef struct {
  SeamPrepared *prepared;
  Variant variants[2];
} Variants;

static gboolean
run_variant (CudaDevice *device, gpointer data, int i, GError **error)
{
  const Variants *v = data;

  for (guint j = 0; j < v->variants[i].n_launches; j++) {
    Launch *launch = v->prepared->launches->pdata[v->variants[i].first_launch + j];
    if (!launch->enqueue (device, launch, error))
      return FALSE;
  }
  return TRUE;
}

static void
remove_variant (SeamPrepared *prepared, const Variant *v)
{
  if (v->n_launches > 0)
    g_ptr_array_remove_range (prepared->launches, v->first_launch, v->n_launches);
  if (v->n_scratch > 0)
    g_ptr_array_remove_range (prepared->scratch, v->first_scratch, v->n_scratch);
}

/* Tensors are NCHW, but cuDNN's tensor-core kernels want channels last: it then changes the layout
 * itself, or we do. Which is faster depends on the shape, so both are tried. */
static gboolean
add_convolution (Preparation *p, const Segment *s, GError **error)
{
  static gboolean (*const add[2]) (Preparation *, const Segment *,
                                   GError **) = { add_channels_first, add_channels_last };
  const SeamDims *d = &p->spec->problem->dims;
  g_autofree char *ops = name_ops (p, s->first, s->last);
  g_autofree char *key = NULL;
  g_autoptr (GError) first = NULL;
  Variants v = { .prepared = p->prepared };
  int n = 0, known;

  key = g_strdup_printf ("the layout of %s [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                         ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT "] to %" G_GINT64_FORMAT
                         " channels, kernel size %" G_GINT64_FORMAT " in %s",
                         ops, d->n, d->c, d->h, d->w, d->k, d->r,
                         seam_math_mode_get_name (p->spec->math_mode));
  known = launch_get_choice (p->device, key);
  for (int way = 0; way < 2; way++) {
    Variant *variant = &v.variants[n];
    g_autoptr (GError) local = NULL;
    gboolean good;

    if (known >= 0 && way != known)
      continue;
    variant->first_launch = p->prepared->launches->len;
    variant->first_scratch = p->prepared->scratch->len;
    good = add[way](p, s, &local);
    variant->n_launches = p->prepared->launches->len - variant->first_launch;
    variant->n_scratch = p->prepared->scratch->len - variant->first_scratch;
    if (good) {
      n++;
      continue;
    }
    remove_variant (p->prepared, variant);
    if (!g_error_matches (local, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)
        && !g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY)) {
      g_propagate_error (error, g_steal_pointer (&local));
      return FALSE;
    }
    /* What was chosen with more memory free may not fit now. */
    if (known >= 0) {
      known = -1;
      way = -1;
      continue;
    }
    if (first == NULL)
      first = g_steal_pointer (&local);
  }
  if (n == 0) {
    g_propagate_error (error, g_steal_pointer (&first));
    return FALSE;
  }
  if (n == 2) {
    int chosen = launch_choose_fastest (p->device, key, n, run_variant, &v, p->cancel, error);
    if (chosen < 0)
      return FALSE;
    remove_variant (p->prepared, &v.variants[1 - chosen]);
  }
  return TRUE;
}

static gboolean
enqueue_elementwise (CudaDevice *device, Launch *launch, GError **error)
{
  return CUDA_TRY (seam_cuda_elementwise (launch->type, &launch->arguments, device->stream), error);
}

static gboolean
enqueue_one_pass (CudaDevice *device, Launch *launch, GError **error)
{
  return CUDA_TRY (seam_cuda_groupnorm_one_pass (&launch->arguments, device->stream), error);
}

static gboolean
enqueue_statistics (CudaDevice *device, Launch *launch, GError **error)
{
  return CUDA_TRY (seam_cuda_groupnorm_statistics (&launch->arguments, device->stream), error);
}

static gboolean
enqueue_apply (CudaDevice *device, Launch *launch, GError **error)
{
  return CUDA_TRY (seam_cuda_groupnorm_apply (&launch->arguments, device->stream), error);
}

static gboolean
enqueue_generated (CudaDevice *device, Launch *launch, GError **error)
{
  void *parameters[] = { &launch->arguments };
  const dim3 grid = { (unsigned int)launch->geometry.blocks, 1, 1 };
  const dim3 block = { launch->geometry.threads, 1, 1 };

  /* A cudaKernel_t may stand where a kernel's host address may (cudaLaunchKernel, CUDA 12.8). */
  return CUDA_TRY (
      cudaLaunchKernel ((const void *)launch->kernel, grid, block, parameters, 0, device->stream),
      error);
}

/* Tensors of a segment without a library op. */
static void
set_tensors (const Preparation *p, const Segment *s, SeamCudaArguments *a)
{
  for (int i = 0; i < s->n_inputs; i++)
    a->inputs[i] = p->tensors[s->inputs[i]];
  for (int i = 0; i < s->n_outputs; i++)
    a->outputs[i] = p->tensors[s->outputs[i]];
  if (s->groupnorm >= 0) {
    a->weight = p->tensors[param_tensor (p, s->groupnorm, 0)];
    a->bias = p->tensors[param_tensor (p, s->groupnorm, 1)];
  }
}

/* Bytes that a pass moves: its inputs, its outputs unless it only gathers statistics, vectors. */
static double
pass_bytes (const Preparation *p, const Segment *s, gboolean writes)
{
  double bytes = 0;

  for (int i = 0; i < s->n_inputs; i++)
    bytes += tensor_bytes (p, s->inputs[i]);
  for (int i = 0; i < s->n_outputs && writes; i++)
    bytes += tensor_bytes (p, s->outputs[i]);
  for (int op = s->first; op <= s->last; op++)
    for (int which = 0; which < 2; which++)
      if (p->chain->ops[op].params[which] >= 0)
        bytes += tensor_bytes (p, param_tensor (p, op, which));
  return bytes;
}

/* The two passes of a large GroupNorm share their tile statistics. */
static gboolean
take_partials (Preparation *p, SeamCudaArguments *a, gint64 n_partials, GError **error)
{
  a->partials = take_scratch (p, n_partials * (gint64)sizeof (float), error);
  return a->partials != NULL;
}

static gboolean
check_blocks (const SeamCudaGeometry *g, GError **error)
{
  if (g->blocks <= SEAM_CUDA_MAX_BLOCKS)
    return TRUE;
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
               "A tensor of this shape has too many planes for one kernel launch; choose a "
               "smaller batch.");
  return FALSE;
}

static gboolean
add_precompiled (Preparation *p, const Segment *s, GError **error)
{
  const SeamOp *op = &p->chain->ops[s->first];
  SeamCudaArguments a = { 0 };
  SeamCudaGeometry g;
  Launch *launch;

  generated_set_shape (&a, p->spec->problem);
  set_tensors (p, s, &a);
  a.scalars[0] = (float)op->scalars[0];
  a.scalars[1] = (float)op->scalars[1];
  if (op->type == SEAM_OP_ADD_CHANNEL || op->type == SEAM_OP_MULTIPLY_CHANNEL)
    a.vectors[0] = p->tensors[param_tensor (p, s->first, 0)];
  /* x * x reads one tensor twice: the second input is then the first. */
  if (op->type == SEAM_OP_MULTIPLY_TENSOR && s->n_inputs == 1)
    a.inputs[1] = a.inputs[0];

  if (op->type != SEAM_OP_GROUPNORM) {
    g = seam_cuda_geometry_elementwise (&a);
    launch =
        add_launch (p, s->first, s->last, g_strdup (op->label), "hand", pass_bytes (p, s, TRUE));
    launch->enqueue = enqueue_elementwise;
  } else if (a.group_elements <= SEAM_CUDA_ONE_PASS_ELEMENTS) {
    g = seam_cuda_geometry_one_pass (&a);
    launch =
        add_launch (p, s->first, s->last, g_strdup (op->label), "hand", pass_bytes (p, s, TRUE));
    launch->enqueue = enqueue_one_pass;
  } else {
    g = seam_cuda_geometry_two_pass (&a);
    if (!check_blocks (&g, error) || !take_partials (p, &a, g.n_partials, error))
      return FALSE;
    launch = add_launch (p, s->first, s->last, g_strdup_printf ("%s statistics", op->label), "hand",
                         pass_bytes (p, s, FALSE));
    launch->type = op->type;
    launch->arguments = a;
    launch->enqueue = enqueue_statistics;
    launch = add_launch (p, s->first, s->last, g_strdup_printf ("%s apply", op->label), "hand",
                         pass_bytes (p, s, TRUE));
    launch->enqueue = enqueue_apply;
  }
  launch->type = op->type;
  launch->arguments = a;
  return check_blocks (&g, error);
}

static gboolean
add_generated (Preparation *p, const Segment *s, GError **error)
{
  g_autoptr (Generated) generated = generated_new (p->spec->problem, p->spec->plan, s, error);
  g_autoptr (GBytes) code = NULL;
  g_autofree char *ops = name_ops (p, s->first, s->last);
  cudaLibrary_t module = NULL;
  SeamCudaArguments *a;

  if (generated == NULL)
    return FALSE;
  code = compiler_compile (generated->source, p->device->major, p->device->minor, error);
  if (code == NULL
      || !CUDA_TRY (cudaLibraryLoadData (&module, g_bytes_get_data (code, NULL), NULL, NULL, 0,
                                         NULL, NULL, 0),
                    error))
    return FALSE;
  g_ptr_array_add (p->prepared->modules, module);

  a = &generated->arguments;
  set_tensors (p, s, a);
  for (int i = 0; i < generated->n_vectors; i++)
    a->vectors[i] = p->tensors[generated->vectors[i]];
  if (generated->n_kernels == 2
      && !take_partials (p, a, generated->geometries[0].n_partials, error))
    return FALSE;

  for (int i = 0; i < generated->n_kernels; i++) {
    gboolean statistics = generated->n_kernels == 2 && i == 0;
    const char *suffix = generated->n_kernels == 1 ? "" : statistics ? " statistics" : " apply";
    Launch *launch = add_launch (p, s->first, s->last, g_strconcat (ops, suffix, NULL), "generated",
                                 pass_bytes (p, s, !statistics));

    launch->arguments = *a;
    launch->geometry = generated->geometries[i];
    launch->enqueue = enqueue_generated;
    if (!CUDA_TRY (cudaLibraryGetKernel (&launch->kernel, module, generated->names[i]), error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
add_segment (Preparation *p, int index, GError **error)
{
  const Segment *s = &p->scheme->segments.segments[index];

  if (!place_outputs (p, index, error))
    return FALSE;
  if (s->library)
    return p->chain->ops[s->first].type == SEAM_OP_CONV2D ? add_convolution (p, s, error)
                                                          : add_matmul (p, s, error);
  if (group_scheme_is_precompiled (p->spec, p->scheme, s))
    return add_precompiled (p, s, error);
  return add_generated (p, s, error);
}

static SeamPrepared *
prepare_scheme (CudaDevice *device, const SeamGroupSpec *spec, const GroupScheme *scheme,
                SeamBuffer *const *tensors, SeamCancel *cancel, GError **error)
{
  SeamPrepared *prepared = g_new0 (SeamPrepared, 1);
  Preparation p = {
    .device = device,
    .spec = spec,
    .chain = seam_plan_get_chain (spec->plan),
    .scheme = scheme,
    .cancel = cancel,
    .prepared = prepared,
  };

  prepared->group = spec->group;
  prepared->executed = g_strdup (scheme->support.executed);
  prepared->launches = g_ptr_array_new_with_free_func ((GDestroyNotify)launch_free);
  prepared->scratch = g_ptr_array_new_with_free_func (free_device_memory);
  prepared->modules = g_ptr_array_new_with_free_func (unload);
  for (int i = 0; i < spec->problem->n_tensors; i++)
    p.tensors[i] = tensors[i] != NULL ? tensors[i]->data : NULL;
  for (int i = 0; i < scheme->segments.n; i++) {
    if (seam_cancel_check (cancel, error) || !add_segment (&p, i, error)) {
      cuda_free_prepared (&device->base, prepared);
      return NULL;
    }
  }
  return prepared;
}

SeamPrepared *
cuda_prepare (SeamDevice *base, const SeamGroupSpec *spec, SeamBuffer *const *tensors,
              SeamCancel *cancel, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  g_autoptr (GError) local = NULL;
  SeamPrepared *prepared = NULL;
  GroupScheme scheme;
  gboolean chosen = spec->plan->groups[spec->group].implementation != SEAM_IMPLEMENTATION_AUTO;

  if (!cuda_device_enter (device, error))
    return NULL;
  group_scheme_make (device, spec, TRUE, &scheme);
  if (scheme.support.level != SEAM_SUPPORT_NO)
    prepared = prepare_scheme (device, spec, &scheme, tensors, cancel, &local);
  else
    local = g_error_new_literal (SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, scheme.support.reason);

  /* An engine that cuDNN proposed can still refuse when it is compiled or run: then the group is
   * cut after the convolution, unless cuDNN was asked for by name. */
  if (prepared == NULL && scheme.fused && !chosen
      && (g_error_matches (local, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)
          || g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY))) {
    g_clear_error (&local);
    group_scheme_clear (&scheme);
    group_scheme_make (device, spec, FALSE, &scheme);
    prepared = prepare_scheme (device, spec, &scheme, tensors, cancel, &local);
  }
  group_scheme_clear (&scheme);
  if (prepared == NULL)
    g_propagate_error (error, g_steal_pointer (&local));
  return prepared;
}

void
cuda_free_prepared (SeamDevice *base, SeamPrepared *prepared)
{
  CudaDevice *device = (CudaDevice *)base;

  if (prepared == NULL)
    return;
  cuda_device_enter (device, NULL);
  cudaStreamSynchronize (device->stream);
  g_ptr_array_unref (prepared->launches);
  g_ptr_array_unref (prepared->modules);
  g_ptr_array_unref (prepared->scratch);
  cudaGetLastError ();
  g_free (prepared->executed);
  g_free (prepared);
}

const char *
cuda_get_executed (SeamPrepared *prepared)
{
  return prepared->executed;
}
