/* SPDX-License-Identifier: MIT
 *
 * Launches of library calls: matmul with its epilogue, and convolutions in the faster of two
 * layouts. In math modes fp16 and bf16 a call reads copies of its operands in that type. Kernels of
 * this program make them before it, together with a change of layout if there is one.
 */
#include "app/backend/cuda/cuda-prepare.h"

#include <string.h>

/* Whether a tensor has 16 bits in memory. */
static gboolean
is_stored (const Preparation *p, int tensor)
{
  return p->spec->problem->tensors[tensor].type != SEAM_OPERAND_FP32;
}

/* Bytes that the call itself moves: input, weight, vectors and output, each once; operands, and an
 * output that is rounded, in the math mode's type. */
static double
library_bytes (const Preparation *p, const SeamSegment *s, gboolean rounded)
{
  const SeamTensor *tensors = p->spec->problem->tensors;
  const SeamTensor *output = &tensors[SEAM_TENSOR_OUTPUT (s->last)];
  const double operand_bytes =
      (double)seam_storage_get_element_bytes (seam_math_mode_get_operand (p->spec->math_mode));
  double bytes = rounded ? operand_bytes * (double)output->n_elements : (double)output->bytes;

  for (int i = 0; i < s->n_inputs; i++)
    bytes += i == 0 ? operand_bytes * (double)tensors[s->inputs[i]].n_elements
                    : (double)tensors[s->inputs[i]].bytes;
  for (int op = s->first; op <= s->last; op++) {
    const SeamTensor *param =
        p->chain->ops[op].params[0] >= 0 ? &tensors[preparation_param_tensor (p, op, 0)] : NULL;
    if (param != NULL)
      bytes += op == s->first ? operand_bytes * (double)param->n_elements : (double)param->bytes;
  }
  return bytes;
}

/* In both, `geometry.matrix` is the direction. */
ENQUEUE (conversion, launch->geometry.matrix
                         ? seam_cuda_from_operand (launch->operand, launch->arguments.outputs[0],
                                                   launch->arguments.inputs[0],
                                                   launch->arguments.rows, device->stream)
                         : seam_cuda_to_operand (launch->operand, launch->arguments.outputs[0],
                                                 launch->arguments.inputs[0],
                                                 launch->arguments.rows, device->stream))
ENQUEUE (layout,
         (launch->geometry.matrix ? seam_cuda_to_channels_first : seam_cuda_to_channels_last) (
             launch->operand, launch->first, launch->arguments.outputs[0],
             launch->arguments.inputs[0], launch->arguments.rows, launch->arguments.channels,
             launch->arguments.plane, device->stream))

/* "input", "weight", "output": the source of a copy. */
static const char *
get_role (const Preparation *p, int op, int tensor)
{
  return tensor == p->chain->ops[op].inputs[0]             ? "input"
         : tensor < SEAM_TENSOR_PARAM (p->chain->n_ops, 0) ? "output"
                                                           : "weight";
}

/* Adds a copy of a whole tensor in the math mode's type, or of a library's result from that type to
 * FP32. */
static void
add_conversion (Preparation *p, int op, int tensor, gboolean to_fp32, const void *from, void *to)
{
  const SeamOperandType operand = seam_math_mode_get_operand (p->spec->math_mode);
  char *name = g_strdup_printf ("%s to %s", get_role (p, op, tensor),
                                to_fp32 ? "fp32" : seam_math_mode_get_name (p->spec->math_mode));
  /* Bytes: four on one side, two on the other. */
  Launch *launch = preparation_add_launch (
      p, op, op, name, "hand", 6.0 * (double)p->spec->problem->tensors[tensor].n_elements);

  launch->is_copy = TRUE;
  launch->enqueue = enqueue_conversion;
  launch->operand = operand;
  launch->geometry.matrix = to_fp32;
  launch->arguments.inputs[0] = from;
  launch->arguments.outputs[0] = to;
  launch->arguments.rows = p->spec->problem->tensors[tensor].n_elements;
}

void
preparation_add_narrowing (Preparation *p, int op, int tensor, const float *from)
{
  add_conversion (p, op, tensor, FALSE, from, p->tensors[tensor]);
}

void *
preparation_get_operand (Preparation *p, int op, int tensor, GError **error)
{
  const SeamTensor *t = &p->spec->problem->tensors[tensor];
  const SeamOperandType operand = seam_math_mode_get_operand (p->spec->math_mode);

  if (t->type == operand)
    return p->tensors[tensor];
  void *copy =
      preparation_take_scratch (p, t->n_elements * seam_storage_get_element_bytes (operand), error);
  if (copy != NULL)
    add_conversion (p, op, tensor, FALSE, p->tensors[tensor], copy);
  return copy;
}

ENQUEUE (scaling, seam_cuda_scale (launch->library, device->stream))
ENQUEUE (guess, seam_cuda_guess_scales (launch->library, device->stream))

const SeamCudaScaling *
preparation_add_scaling (Preparation *p, int op, GError **error)
{
  const int tensors[] = { SEAM_TENSOR_INPUT, preparation_param_tensor (p, op, 0) };
  SeamCudaScaling *a = g_new0 (SeamCudaScaling, 1);
  Launch *launch =
      preparation_add_launch (p, op, op, g_strdup ("input and weight to fp16, scaled"), "hand", 0);

  launch->is_copy = TRUE;
  launch->enqueue = enqueue_scaling;
  launch->library = a;
  for (int i = 0; i < 2; i++) {
    const SeamTensor *t = &p->spec->problem->tensors[tensors[i]];

    a->from[i] = p->tensors[tensors[i]];
    a->rows[i] = t->shape.dims[0];
    a->columns = t->n_elements / t->shape.dims[0];
    launch->bytes += 6.0 * (double)t->n_elements + 4.0 * (double)t->shape.dims[0];
    if ((a->to[i] = preparation_take_scratch (p, t->n_elements * 2, error)) == NULL
        || (a->inverses[i] = preparation_take_scratch (p, t->shape.dims[0] * 4, error)) == NULL)
      return NULL;
  }
  return a;
}

const SeamCudaGuess *
preparation_add_guess (Preparation *p, int op, const SeamCudaGuess *before, GError **error)
{
  const SeamTensor *x = &p->spec->problem->tensors[SEAM_TENSOR_INPUT];
  const int weight_tensor = preparation_param_tensor (p, op, 0);
  const SeamTensor *weight = &p->spec->problem->tensors[weight_tensor];
  SeamCudaGuess *a = g_new0 (SeamCudaGuess, 1);
  Launch *launch =
      preparation_add_launch (p, op, op,
                              g_strdup (before == NULL ? "powers of two of input and weight"
                                                       : "powers of two … again, out of range"),
                              "hand", 0);

  launch->is_copy = TRUE;
  launch->enqueue = enqueue_guess;
  launch->library = a;
  *a = (SeamCudaGuess){
    .x = p->tensors[SEAM_TENSOR_INPUT],
    .weight = p->tensors[weight_tensor],
    .samples = x->shape.dims[0],
    .sample_elements = x->n_elements / x->shape.dims[0],
    .filters = weight->shape.dims[0],
    .filter_elements = weight->n_elements / weight->shape.dims[0],
  };
  if (before != NULL) {
    *a = *before;
    a->again = TRUE;
    return a;
  }
  launch->bytes = (double)(a->samples * MIN (a->sample_elements, SEAM_CUDA_GUESS_ELEMENTS)
                           + weight->n_elements + a->samples + a->filters)
                  * sizeof (float);
  a->scales =
      preparation_take_scratch (p, (a->samples + a->filters) * (gint64)sizeof (float), error);
  if (a->scales == NULL)
    return NULL;
  a->exceeded = (unsigned int *)preparation_take_scratch (p, sizeof *a->exceeded, error);
  return a->exceeded != NULL ? a : NULL;
}

const float *
preparation_get_fp32 (Preparation *p, int op, int tensor, GError **error)
{
  const SeamTensor *t = &p->spec->problem->tensors[tensor];
  /* The numbers that a library multiplies are rounded to the math mode's type. */
  void *from = p->spec->plainly ? preparation_get_operand (p, op, tensor, error)
                                : (void *)p->tensors[tensor];
  float *copy;

  if (from == NULL || (from == p->tensors[tensor] && t->type == SEAM_OPERAND_FP32))
    return from;
  copy = preparation_take_scratch (p, t->n_elements * (gint64)sizeof *copy, error);
  if (copy != NULL)
    add_conversion (p, op, tensor, TRUE, from, copy);
  return copy;
}

gboolean
preparation_add_matmul (Preparation *p, const SeamSegment *s, GError **error)
{
  const SeamMatrixDims sizes = seam_matrix_get_dims (p->spec->problem, s->first);
  const int weight = preparation_param_tensor (p, s->first, 0);
  const void *x = preparation_get_operand (p, s->first, s->inputs[0], error);
  const void *w = x != NULL ? preparation_get_operand (p, s->first, weight, error) : NULL;
  const float *bias = NULL;
  gboolean relu = FALSE;

  if (w == NULL)
    return FALSE;
  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_LIBRARY };
  p->call = preparation_add_launch (p, s->first, s->last,
                                    seam_chain_name_ops (p->chain, s->first, s->last), "cublaslt",
                                    library_bytes (p, s, FALSE));
  for (int op = s->first + 1; op <= s->last; op++) {
    if (seam_op_get_info (&p->chain->ops[op])->epilogue == SEAM_EPILOGUE_RELU)
      relu = TRUE;
    else
      bias = p->tensors[preparation_param_tensor (p, op, 0)];
  }
  return matmul_prepare (p->device, p->call, &sizes, seam_math_mode_get_base (p->spec->math_mode),
                         x, w, bias, relu,
                         p->spec->problem->tensors[SEAM_TENSOR_OUTPUT (s->last)].type,
                         p->tensors[SEAM_TENSOR_OUTPUT (s->last)], p->cancel, error);
}

/* Adds a change of a tensor's layout; with channels last it has the type `last`. */
static void
add_layout (Preparation *p, int op, gboolean to_first, SeamOperandType last, int tensor,
            const void *from, void *to)
{
  const SeamTensor *t = &p->spec->problem->tensors[tensor];
  const SeamOperandType first = t->type;
  const gint64 rows = t->shape.dims[0], channels = t->shape.dims[1];
  const gint64 plane = t->n_elements / (rows * channels);
  const char *type = to_first ? "fp32" : seam_math_mode_get_name (p->spec->math_mode);
  char *name = g_strconcat ("to channels ", to_first ? "first" : "last",
                            last == first ? NULL : ", ", type, NULL);
  Launch *launch = preparation_add_launch (
      p, op, op, name, "hand",
      (double)(seam_storage_get_element_bytes (last) + seam_storage_get_element_bytes (first))
          * (double)rows * (double)channels * (double)plane);

  launch->is_copy = TRUE;
  launch->enqueue = enqueue_layout;
  launch->operand = last;
  launch->first = first;
  launch->geometry.matrix = to_first;
  launch->arguments.inputs[0] = from;
  launch->arguments.outputs[0] = to;
  launch->arguments.rows = rows;
  launch->arguments.channels = channels;
  launch->arguments.plane = plane;
}

/* Adds the convolution's launch on `tensors`, which differ from the group's if they are copies. */
static gboolean
add_convolution_call (Preparation *p, const SeamSegment *s, ConvolutionForm form,
                      float *const *tensors, GError **error)
{
  p->call = preparation_add_launch (p, s->first, s->last,
                                    seam_chain_name_ops (p->chain, s->first, s->last), "cudnn",
                                    library_bytes (p, s, convolution_form_is_rounded (form)));
  return convolution_prepare (p->device, p->call, p->spec->problem, p->spec->plan,
                              seam_math_mode_get_base (p->spec->math_mode), form, tensors,
                              p->cancel, error);
}

/* Adds the convolution (with its part of the tail) on NCHW tensors, or on copies of both operands
 * in the math mode's type; a rounded output is converted back to FP32. */
static gboolean
add_channels_first (Preparation *p, const SeamSegment *s, gboolean rounded, GError **error)
{
  const SeamProblem *problem = p->spec->problem;
  int x = s->inputs[0], w = preparation_param_tensor (p, s->first, 0),
      y = SEAM_TENSOR_OUTPUT (s->last);
  float *tensors[SEAM_MAX_TENSORS];

  memcpy (tensors, p->tensors, sizeof tensors);
  if ((tensors[x] = preparation_get_operand (p, s->first, x, error)) == NULL
      || (tensors[w] = preparation_get_operand (p, s->first, w, error)) == NULL)
    return FALSE;
  if (rounded && !is_stored (p, y)
      && (tensors[y] = preparation_take_scratch (p, problem->tensors[y].bytes / 2, error)) == NULL)
    return FALSE;
  if (!add_convolution_call (p, s, rounded ? CONVOLUTION_ROUNDED_FIRST : CONVOLUTION_CHANNELS_FIRST,
                             tensors, error))
    return FALSE;
  if (rounded && !is_stored (p, y))
    add_conversion (p, s->last, y, TRUE, tensors[y], p->tensors[y]);
  return TRUE;
}

/* The same with channels last, between this program's layout changes. */
static gboolean
add_channels_last (Preparation *p, const SeamSegment *s, gboolean rounded, GError **error)
{
  const SeamProblem *problem = p->spec->problem;
  const SeamOperandType operand = seam_math_mode_get_operand (p->spec->math_mode);
  const SeamOperandType output = rounded ? operand : SEAM_OPERAND_FP32;
  const int x = s->inputs[0], w = preparation_param_tensor (p, s->first, 0),
            y = SEAM_TENSOR_OUTPUT (s->last);
  const struct {
    int tensor;
    SeamOperandType type;
  } copies[] = { { x, operand }, { w, operand }, { y, output } };
  float *tensors[SEAM_MAX_TENSORS];
  void *last[G_N_ELEMENTS (copies)];

  memcpy (tensors, p->tensors, sizeof tensors);
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++) {
    const gint64 bytes = problem->tensors[copies[i].tensor].n_elements
                         * seam_storage_get_element_bytes (copies[i].type);
    last[i] = preparation_take_scratch (p, bytes, error);
    if (last[i] == NULL)
      return FALSE;
    tensors[copies[i].tensor] = last[i];
  }
  add_layout (p, s->first, FALSE, operand, x, p->tensors[x], last[0]);
  add_layout (p, s->first, FALSE, operand, w, p->tensors[w], last[1]);
  if (!add_convolution_call (p, s, rounded ? CONVOLUTION_ROUNDED_LAST : CONVOLUTION_CHANNELS_LAST,
                             tensors, error))
    return FALSE;
  add_layout (p, s->last, TRUE, output, y, last[2], p->tensors[y]);
  return TRUE;
}

static gboolean
add_form (Preparation *p, const SeamSegment *s, ConvolutionForm form, GError **error)
{
  return (convolution_form_is_last (form) ? add_channels_last : add_channels_first) (
      p, s, convolution_form_is_rounded (form), error);
}

/* One way to execute a segment: a range of prepared launches and scratch memory. */
typedef struct {
  Launch *call;
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

/* Tries the forms `first` and `first` + 1 of the segment, or only `known` unless it is negative.
 * Returns how many can run, -1 for an error that ends everything. `problem` receives the first
 * reason. */
static int
try_forms (Preparation *p, const SeamSegment *s, int first, int known, Variants *v,
           GError **problem, GError **error)
{
  int n = 0;

  for (int form = known >= 0 ? known : first; form <= (known >= 0 ? known : first + 1); form++) {
    Variant *variant = &v->variants[n];
    g_autoptr (GError) local = NULL;

    variant->first_launch = p->prepared->launches->len;
    variant->first_scratch = p->prepared->scratch->len;
    gboolean good = add_form (p, s, form, &local);
    variant->n_launches = p->prepared->launches->len - variant->first_launch;
    variant->n_scratch = p->prepared->scratch->len - variant->first_scratch;
    if (good) {
      variant->call = p->call;
      n++;
      continue;
    }
    remove_variant (p->prepared, variant);
    if (!g_error_matches (local, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED)
        && !g_error_matches (local, SEAM_ERROR, SEAM_ERROR_MEMORY)) {
      g_propagate_error (error, g_steal_pointer (&local));
      return -1;
    }
    if (*problem == NULL)
      *problem = g_steal_pointer (&local);
  }
  return n;
}

/* Tensors are NCHW, but cuDNN's tensor-core kernels need channels last: either cuDNN changes the
 * layout itself, or this program does. Which is faster depends on the shape, so both are tried. A
 * form that rounds the output once more is used only if no engine stores FP32, or if the output has
 * 16 bits in memory, where no other form will do. */
gboolean
preparation_add_convolution (Preparation *p, const SeamSegment *s, GError **error)
{
  const int n_forms = convolution_count_forms (p->spec->math_mode);
  g_autofree char *key =
      convolution_make_key (p->spec->problem, p->spec->plan,
                            seam_math_mode_get_base (p->spec->math_mode), s->first, s->last);
  g_autoptr (GError) problem = NULL;
  Variants v = { .prepared = p->prepared };
  const gboolean stored = is_stored (p, SEAM_TENSOR_OUTPUT (s->last));
  const int first_form = stored ? CONVOLUTION_ROUNDED_FIRST : CONVOLUTION_CHANNELS_FIRST;
  int known = convolution_get_form (seam_choices_get (p->device->choices, key)), n = 0, chosen = 0;

  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_LIBRARY };
  if (known >= first_form && known < n_forms)
    n = try_forms (p, s, 0, known, &v, &problem, error);
  /* A form chosen when more memory was free may not fit now. */
  for (int first = first_form; first < n_forms && n == 0; first += 2)
    n = try_forms (p, s, first, -1, &v, &problem, error);
  if (n < 0)
    return FALSE;
  if (n == 0) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return FALSE;
  }
  if (!stored && convolution_form_is_rounded (convolution_get_form (v.variants[0].call->number))) {
    g_autofree char *type = g_ascii_strup (seam_math_mode_get_name (p->spec->math_mode), -1);
    g_free (p->prepared->note);
    p->prepared->note =
        g_strdup_printf ("cuDNN has no engine that stores FP32 of %s operands here: the output of "
                         "the convolution was rounded to %s, too.",
                         type, type);
  }
  if (n == 2) {
    const int numbers[] = { v.variants[0].call->number, v.variants[1].call->number };

    chosen = launch_choose_fastest (p->device, key, numbers, 2, run_variant, &v, p->cancel, error);
    if (chosen < 0)
      return FALSE;
    remove_variant (p->prepared, &v.variants[1 - chosen]);
  }
  p->call = v.variants[chosen].call;
  return TRUE;
}
