/* SPDX-License-Identifier: MIT
 *
 * Launches of library calls: matmul with its epilogue, and convolutions in the faster of two
 * layouts.
 */
#include "app/backend/cuda/prepare.h"

/* Input, weight, vectors and output, each once. */
static double
library_bytes (const Preparation *p, const Segment *s)
{
  double bytes = preparation_tensor_bytes (p, SEAM_TENSOR_OUTPUT (s->last));

  for (int i = 0; i < s->n_inputs; i++)
    bytes += preparation_tensor_bytes (p, s->inputs[i]);
  for (int op = s->first; op <= s->last; op++)
    if (p->chain->ops[op].params[0] >= 0)
      bytes += preparation_tensor_bytes (
          p, SEAM_TENSOR_PARAM (p->chain->n_ops, p->chain->ops[op].params[0]));
  return bytes;
}

gboolean
preparation_add_matmul (Preparation *p, const Segment *s, GError **error)
{
  const float *bias = NULL;
  gboolean relu = FALSE;
  Launch *launch =
      preparation_add_launch (p, s->first, s->last, preparation_name_ops (p, s->first, s->last),
                              "cublaslt", library_bytes (p, s));

  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_LIBRARY };
  for (int op = s->first + 1; op <= s->last; op++) {
    if (p->chain->ops[op].type == SEAM_OP_RELU)
      relu = TRUE;
    else
      bias = p->tensors[preparation_param_tensor (p, op, 0)];
  }
  return matmul_prepare (p->device, launch, &p->spec->problem->dims, p->spec->math_mode,
                         p->tensors[s->inputs[0]],
                         p->tensors[preparation_param_tensor (p, s->first, 0)], bias, relu,
                         p->tensors[SEAM_TENSOR_OUTPUT (s->last)], p->cancel, error);
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
  Launch *launch = preparation_add_launch (
      p, op, op, g_strdup (to_first ? "to channels first" : "to channels last"), "hand",
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
  Launch *launch =
      preparation_add_launch (p, s->first, s->last, preparation_name_ops (p, s->first, s->last),
                              "cudnn", library_bytes (p, s));

  return convolution_prepare (p->device, launch, p->spec->problem, p->spec->plan,
                              p->spec->math_mode, FALSE, p->tensors, p->cancel, error);
}

/* The same with channels last, between layout changes of our own. */
static gboolean
add_channels_last (Preparation *p, const Segment *s, GError **error)
{
  const SeamProblem *problem = p->spec->problem;
  const SeamDims *d = &problem->dims;
  int x = s->inputs[0], w = preparation_param_tensor (p, s->first, 0),
      y = SEAM_TENSOR_OUTPUT (s->last);
  float *tensors[SEAM_MAX_TENSORS];
  Launch *launch;

  for (int i = 0; i < problem->n_tensors; i++)
    tensors[i] = p->tensors[i];
  if ((tensors[x] = preparation_take_scratch (p, problem->tensors[x].bytes, error)) == NULL
      || (tensors[w] = preparation_take_scratch (p, problem->tensors[w].bytes, error)) == NULL
      || (tensors[y] = preparation_take_scratch (p, problem->tensors[y].bytes, error)) == NULL)
    return FALSE;
  add_layout (p, s->first, FALSE, p->tensors[x], tensors[x], d->n, d->c, d->h * d->w);
  add_layout (p, s->first, FALSE, p->tensors[w], tensors[w], d->k, d->c, d->r * d->r);
  launch =
      preparation_add_launch (p, s->first, s->last, preparation_name_ops (p, s->first, s->last),
                              "cudnn", library_bytes (p, s));
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

char *
library_make_layout_key (const SeamGroupSpec *spec, const Segment *s)
{
  const SeamDims *d = &spec->problem->dims;

  return g_strdup_printf ("the layout of %s, chain %d, ops %d to %d [%" G_GINT64_FORMAT
                          ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
                          "] to %" G_GINT64_FORMAT " channels, kernel size %" G_GINT64_FORMAT
                          " in %s",
                          spec->problem->pipeline->id, spec->plan->chain, s->first, s->last, d->n,
                          d->c, d->h, d->w, d->k, d->r, seam_math_mode_get_name (spec->math_mode));
}

/* Tensors are NCHW, but cuDNN's tensor-core kernels want channels last: it then changes the layout
 * itself, or we do. Which is faster depends on the shape, so both are tried. */
gboolean
preparation_add_convolution (Preparation *p, const Segment *s, GError **error)
{
  static gboolean (*const add[2]) (Preparation *, const Segment *,
                                   GError **) = { add_channels_first, add_channels_last };
  g_autofree char *key = NULL;
  g_autoptr (GError) first = NULL;
  Variants v = { .prepared = p->prepared };
  int n = 0, known;

  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_LIBRARY };
  key = library_make_layout_key (p->spec, s);
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
