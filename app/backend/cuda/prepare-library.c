/* SPDX-License-Identifier: MIT
 *
 * Launches of library calls: matmul with its epilogue, and convolutions in the faster of two
 * layouts. In math modes fp16 and bf16 a call reads copies of its operands in that type. Kernels of
 * this program make them before it, together with a change of layout if there is one.
 */
#include "app/backend/cuda/cuda-prepare.h"

#include "app/backend/candidate.h"

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

static gboolean
enqueue_conversion (CudaDevice *device, Launch *launch, GError **error)
{
  const SeamCudaArguments *a = &launch->arguments;

  if (launch->geometry.matrix) /* the direction */
    return CUDA_TRY (seam_cuda_from_operand (launch->operand, a->outputs[0], a->inputs[0], a->rows,
                                             device->stream),
                     error);
  return CUDA_TRY (
      seam_cuda_to_operand (launch->operand, a->outputs[0], a->inputs[0], a->rows, device->stream),
      error);
}

/* "input", "weight", "output": the source of a copy. */
static const char *
get_role (const Preparation *p, int tensor)
{
  return tensor == SEAM_TENSOR_INPUT                       ? "input"
         : tensor < SEAM_TENSOR_PARAM (p->chain->n_ops, 0) ? "output"
                                                           : "weight";
}

/* Adds a copy of a whole tensor in the math mode's type, or of a library's result from that type to
 * FP32. */
static void
add_conversion (Preparation *p, int op, int tensor, gboolean to_fp32, const void *from, void *to)
{
  const SeamOperandType operand = seam_math_mode_get_operand (p->spec->math_mode);
  char *name = g_strdup_printf ("%s to %s", get_role (p, tensor),
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
  void *copy;

  if (t->type == operand)
    return p->tensors[tensor];
  copy =
      preparation_take_scratch (p, t->n_elements * seam_storage_get_element_bytes (operand), error);
  if (copy != NULL)
    add_conversion (p, op, tensor, FALSE, p->tensors[tensor], copy);
  return copy;
}

static gboolean
enqueue_scaling (CudaDevice *device, Launch *launch, GError **error)
{
  return CUDA_TRY (seam_cuda_scale (launch->library, device->stream), error);
}

static void
clear_scaling (Launch *launch)
{
  g_free (launch->library);
}

const SeamCudaScaling *
preparation_add_scaling (Preparation *p, int op, GError **error)
{
  const int tensors[] = { SEAM_TENSOR_INPUT, preparation_param_tensor (p, op, 0) };
  SeamCudaScaling *a = g_new0 (SeamCudaScaling, 1);
  Launch *launch =
      preparation_add_launch (p, op, op, g_strdup ("input and weight to fp16, scaled"), "hand", 0);

  launch->is_copy = TRUE;
  launch->enqueue = enqueue_scaling;
  launch->clear = clear_scaling;
  launch->library = a;
  for (int i = 0; i < 2; i++) {
    const SeamTensor *t = &p->spec->problem->tensors[tensors[i]];

    a->from[i] = p->tensors[tensors[i]];
    a->rows[i] = t->dims[0];
    a->columns = t->n_elements / t->dims[0];
    launch->bytes += 6.0 * (double)t->n_elements + 4.0 * (double)t->dims[0];
    if ((a->to[i] = preparation_take_scratch (p, t->n_elements * 2, error)) == NULL
        || (a->inverses[i] = preparation_take_scratch (p, t->dims[0] * 4, error)) == NULL)
      return NULL;
  }
  return a;
}

static gboolean
enqueue_guess (CudaDevice *device, Launch *launch, GError **error)
{
  return CUDA_TRY (seam_cuda_guess_scales (launch->library, device->stream), error);
}

const SeamCudaGuess *
preparation_add_guess (Preparation *p, int op, GError **error)
{
  const SeamTensor *x = &p->spec->problem->tensors[SEAM_TENSOR_INPUT];
  const int weight_tensor = preparation_param_tensor (p, op, 0);
  const SeamTensor *weight = &p->spec->problem->tensors[weight_tensor];
  SeamCudaGuess *a = g_new0 (SeamCudaGuess, 1);
  Launch *launch =
      preparation_add_launch (p, op, op, g_strdup ("powers of two of input and weight"), "hand", 0);

  launch->is_copy = TRUE;
  launch->enqueue = enqueue_guess;
  launch->clear = clear_scaling;
  launch->library = a;
  *a = (SeamCudaGuess){
    .x = p->tensors[SEAM_TENSOR_INPUT],
    .weight = p->tensors[weight_tensor],
    .samples = x->dims[0],
    .sample_elements = x->n_elements / x->dims[0],
    .filters = weight->dims[0],
    .filter_elements = weight->n_elements / weight->dims[0],
  };
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

/* The launches of a segment from `first` on, to be compared with its ops one by one. */
typedef struct {
  Preparation *p;
  const SeamSegment *segment;
  guint first;
} SegmentCheck;

static gboolean
compare_segment (gpointer data, gboolean *agrees, gboolean *shows, GError **error)
{
  const SegmentCheck *c = data;
  Preparation *p = c->p;
  SeamDevice *device = &p->device->base;
  const int tensor = SEAM_TENSOR_OUTPUT (c->segment->last);
  SeamBuffer output = { p->tensors[tensor], p->spec->problem->tensors[tensor].bytes };
  g_autoptr (GError) problem = NULL;

  if (p->check == NULL)
    p->check = seam_candidate_check_new (device, p->spec, c->segment->last, p->buffers, p->cancel,
                                         &problem);
  if (p->check == NULL) {
    /* What cannot be compared is used, but not kept. */
    *agrees = g_error_matches (problem, SEAM_ERROR, SEAM_ERROR_MEMORY)
              || g_error_matches (problem, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
    *shows = FALSE;
    if (!*agrees)
      g_propagate_error (error, g_steal_pointer (&problem));
    return *agrees;
  }
  if (!cuda_poison (device, &output, p->cancel, error))
    return FALSE;
  for (guint i = c->first; i < p->prepared->launches->len; i++) {
    Launch *launch = p->prepared->launches->pdata[i];
    if (!launch->enqueue (p->device, launch, error))
      return FALSE;
  }
  return CUDA_TRY (cudaStreamSynchronize (p->device->stream), error)
         && seam_candidate_check_output (p->check, &output, agrees, shows, error);
}

gboolean
preparation_add_matmul (Preparation *p, const SeamSegment *s, GError **error)
{
  const int weight = preparation_param_tensor (p, s->first, 0);
  SegmentCheck segment = { p, s, p->prepared->launches->len };
  const LaunchCheck check = { compare_segment, &segment };
  const void *x = preparation_get_operand (p, s->first, s->inputs[0], error);
  const void *w = x != NULL ? preparation_get_operand (p, s->first, weight, error) : NULL;
  const float *bias = NULL;
  gboolean relu = FALSE;
  Launch *launch;

  if (w == NULL)
    return FALSE;
  p->prepared->tile = (SeamTile){ .kind = SEAM_TILE_LIBRARY };
  launch = preparation_add_launch (p, s->first, s->last,
                                   seam_chain_name_ops (p->chain, s->first, s->last), "cublaslt",
                                   library_bytes (p, s, FALSE));
  for (int op = s->first + 1; op <= s->last; op++) {
    if (seam_op_get_info (&p->chain->ops[op])->epilogue == SEAM_EPILOGUE_RELU)
      relu = TRUE;
    else
      bias = p->tensors[preparation_param_tensor (p, op, 0)];
  }
  return matmul_prepare (p->device, launch, &p->spec->problem->dims,
                         seam_math_mode_get_base (p->spec->math_mode), x, w, bias, relu,
                         p->spec->problem->tensors[SEAM_TENSOR_OUTPUT (s->last)].type,
                         p->tensors[SEAM_TENSOR_OUTPUT (s->last)], &check, p->cancel, error);
}

static gboolean
enqueue_layout (CudaDevice *device, Launch *launch, GError **error)
{
  const SeamCudaArguments *a = &launch->arguments;

  if (launch->geometry.matrix) /* the direction */
    return CUDA_TRY (seam_cuda_to_channels_first (launch->operand, launch->first, a->outputs[0],
                                                  a->inputs[0], a->rows, a->channels, a->plane,
                                                  device->stream),
                     error);
  return CUDA_TRY (seam_cuda_to_channels_last (launch->operand, launch->first, a->outputs[0],
                                               a->inputs[0], a->rows, a->channels, a->plane,
                                               device->stream),
                   error);
}

/* Adds a change of layout. `last`, `first`: types of the tensors with channels last and first. */
static void
add_layout (Preparation *p, int op, gboolean to_first, SeamOperandType last, SeamOperandType first,
            const void *from, void *to, gint64 rows, gint64 channels, gint64 plane)
{
  const char *mode = seam_math_mode_get_name (p->spec->math_mode);
  char *name =
      g_strdup_printf ("to channels %s%s%s", to_first ? "first" : "last", last == first ? "" : ", ",
                       last == first ? ""
                       : to_first    ? "fp32"
                                     : mode);
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

/* Adds the convolution's launch on `tensors`, which differ from the group's if they are copies.
 * NULL: `error`. */
static Launch *
add_convolution_call (Preparation *p, const SeamSegment *s, ConvolutionForm form,
                      float *const *tensors, GError **error)
{
  Launch *launch = preparation_add_launch (
      p, s->first, s->last, seam_chain_name_ops (p->chain, s->first, s->last), "cudnn",
      library_bytes (p, s, convolution_form_is_rounded (form)));

  return convolution_prepare (p->device, launch, p->spec->problem, p->spec->plan,
                              seam_math_mode_get_base (p->spec->math_mode), form, tensors,
                              p->cancel, error)
             ? launch
             : NULL;
}

/* Chooses the engine of the call `launch`, given all launches of its form, from `first` on. */
static gboolean
choose_engine (Preparation *p, const SeamSegment *s, guint first, Launch *launch, GError **error)
{
  SegmentCheck segment = { p, s, first };
  const LaunchCheck check = { compare_segment, &segment };

  return convolution_choose (p->device, launch, &check, p->cancel, error);
}

/* Adds the convolution (with its part of the tail) on NCHW tensors, or on copies of both operands
 * in the math mode's type; a rounded output is converted back to FP32. */
static gboolean
add_channels_first (Preparation *p, const SeamSegment *s, gboolean rounded, GError **error)
{
  const SeamProblem *problem = p->spec->problem;
  int x = s->inputs[0], w = preparation_param_tensor (p, s->first, 0),
      y = SEAM_TENSOR_OUTPUT (s->last);
  const guint first = p->prepared->launches->len;
  float *tensors[SEAM_MAX_TENSORS];
  Launch *call;

  for (int i = 0; i < problem->n_tensors; i++)
    tensors[i] = p->tensors[i];
  if ((tensors[x] = preparation_get_operand (p, s->first, x, error)) == NULL
      || (tensors[w] = preparation_get_operand (p, s->first, w, error)) == NULL)
    return FALSE;
  if (rounded && !is_stored (p, y)
      && (tensors[y] = preparation_take_scratch (p, problem->tensors[y].bytes / 2, error)) == NULL)
    return FALSE;
  call = add_convolution_call (
      p, s, rounded ? CONVOLUTION_ROUNDED_FIRST : CONVOLUTION_CHANNELS_FIRST, tensors, error);
  if (call == NULL)
    return FALSE;
  if (rounded && !is_stored (p, y))
    add_conversion (p, s->last, y, TRUE, tensors[y], p->tensors[y]);
  return choose_engine (p, s, first, call, error);
}

/* The same with channels last, between this program's layout changes. */
static gboolean
add_channels_last (Preparation *p, const SeamSegment *s, gboolean rounded, GError **error)
{
  const SeamProblem *problem = p->spec->problem;
  const SeamDims *d = &problem->dims;
  const SeamOperandType operand = seam_math_mode_get_operand (p->spec->math_mode);
  const SeamOperandType output = rounded ? operand : SEAM_OPERAND_FP32;
  const int x = s->inputs[0], w = preparation_param_tensor (p, s->first, 0),
            y = SEAM_TENSOR_OUTPUT (s->last);
  const struct {
    int tensor;
    SeamOperandType type;
  } copies[] = { { x, operand }, { w, operand }, { y, output } };
  const guint first = p->prepared->launches->len;
  float *tensors[SEAM_MAX_TENSORS];
  void *last[G_N_ELEMENTS (copies)];
  Launch *call;

  for (int i = 0; i < problem->n_tensors; i++)
    tensors[i] = p->tensors[i];
  for (guint i = 0; i < G_N_ELEMENTS (copies); i++) {
    const gint64 bytes = problem->tensors[copies[i].tensor].n_elements
                         * seam_storage_get_element_bytes (copies[i].type);
    last[i] = preparation_take_scratch (p, bytes, error);
    if (last[i] == NULL)
      return FALSE;
    tensors[copies[i].tensor] = last[i];
  }
  add_layout (p, s->first, FALSE, operand, problem->tensors[x].type, p->tensors[x], last[0], d->n,
              d->c, d->h * d->w);
  add_layout (p, s->first, FALSE, operand, problem->tensors[w].type, p->tensors[w], last[1], d->k,
              d->c, d->r * d->r);
  call = add_convolution_call (p, s, rounded ? CONVOLUTION_ROUNDED_LAST : CONVOLUTION_CHANNELS_LAST,
                               tensors, error);
  if (call == NULL)
    return FALSE;
  add_layout (p, s->last, TRUE, output, problem->tensors[y].type, last[2], p->tensors[y], d->n,
              d->k, d->p * d->q);
  return choose_engine (p, s, first, call, error);
}

static gboolean
add_form (Preparation *p, const SeamSegment *s, ConvolutionForm form, GError **error)
{
  return (convolution_form_is_last (form) ? add_channels_last : add_channels_first) (
      p, s, convolution_form_is_rounded (form), error);
}

/* One way to execute a segment: a range of prepared launches and scratch memory. */
typedef struct {
  ConvolutionForm form;
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
library_make_layout_key (const SeamGroupSpec *spec, const SeamSegment *s)
{
  const SeamDims *d = &spec->problem->dims;
  const SeamTensor *tensors = spec->problem->tensors;

  g_autoptr (GString) ops = g_string_new (NULL);

  seam_choices_append_ops (ops, seam_plan_get_chain (spec->plan), s->first, s->last);
  return g_strdup_printf (
      "the layout of %s [%" G_GINT64_FORMAT ", %" G_GINT64_FORMAT ", %" G_GINT64_FORMAT
      ", %" G_GINT64_FORMAT "] to %" G_GINT64_FORMAT " channels, kernel size %" G_GINT64_FORMAT
      " in %s%s%s",
      ops->str, d->n, d->c, d->h, d->w, d->k, d->r,
      seam_math_mode_get_name (seam_math_mode_get_base (spec->math_mode)),
      tensors[s->inputs[0]].type != SEAM_OPERAND_FP32 ? " from 16 bits" : "",
      tensors[SEAM_TENSOR_OUTPUT (s->last)].type != SEAM_OPERAND_FP32 ? " into 16 bits" : "");
}

/* Chooses the faster of two variants. Keeps its index under the key, or, if both have a rounded
 * output, its form. */
static int
choose_variant (Preparation *p, const char *key, Variants *v, GError **error)
{
  const gboolean rounded = convolution_form_is_rounded (v->variants[0].form);
  g_autofree char *name = g_strconcat (key, rounded ? ", rounded output" : "", NULL);
  int chosen;

  /* The engine of each was compared. */
  if (!launch_choose_fastest (p->device, name, 2, run_variant, v, &chosen, NULL, NULL, p->cancel,
                              error))
    return -1;
  if (rounded)
    seam_choices_set (p->device->choices, key, v->variants[chosen].form);
  return chosen;
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
    gboolean good;

    variant->form = form;
    variant->first_launch = p->prepared->launches->len;
    variant->first_scratch = p->prepared->scratch->len;
    good = add_form (p, s, form, &local);
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
  g_autofree char *key = library_make_layout_key (p->spec, s);
  g_autoptr (GError) problem = NULL;
  Variants v = { .prepared = p->prepared };
  const gboolean stored = is_stored (p, SEAM_TENSOR_OUTPUT (s->last));
  const int first_form = stored ? CONVOLUTION_ROUNDED_FIRST : CONVOLUTION_CHANNELS_FIRST;
  int known = seam_choices_get (p->device->choices, key), n = 0;

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
  if (!stored && convolution_form_is_rounded (v.variants[0].form)) {
    g_autofree char *type = g_ascii_strup (seam_math_mode_get_name (p->spec->math_mode), -1);
    g_free (p->prepared->note);
    p->prepared->note =
        g_strdup_printf ("cuDNN has no engine that stores FP32 of %s operands here: the output of "
                         "the convolution was rounded to %s, too.",
                         type, type);
  }
  if (n == 2) {
    int chosen = choose_variant (p, key, &v, error);
    if (chosen < 0)
      return FALSE;
    remove_variant (p->prepared, &v.variants[1 - chosen]);
  }
  return TRUE;
}
