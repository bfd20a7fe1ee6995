/* SPDX-License-Identifier: MIT
 *
 * Builds, queries and executes cuDNN operation graphs. Layouts are strides: the same dimensions [N,
 * K, P, Q] with the channel's stride 1 are channels-last.
 */
#include "app/backend/cuda/cudnn-graph.h"
#include "app/backend/nest.h"

#include <stdbool.h>

/* Number of proposals of each kind to try. */
#define MAX_CONFIGS 8

#define SET(descriptor, attribute, type, n, values, error)                                         \
  CUDNN_TRY (cudnnBackendSetAttribute (descriptor, attribute, type, n, values), error)
/* An attribute that is another descriptor. */
#define SET_PART(descriptor, attribute, part, error)                                               \
  SET (descriptor, attribute, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &(part), error)

static void
destroy_descriptor (gpointer descriptor)
{
  cudnnBackendDestroyDescriptor (descriptor);
}

/* A new descriptor that the graph owns. */
static cudnnBackendDescriptor_t
create (CudnnGraph *graph, cudnnBackendDescriptorType_t type, GError **error)
{
  cudnnBackendDescriptor_t descriptor = NULL;

  if (!CUDNN_TRY (cudnnBackendCreateDescriptor (type, &descriptor), error))
    return NULL;
  g_ptr_array_add (graph->descriptors, descriptor);
  return descriptor;
}

static gboolean
finalize (cudnnBackendDescriptor_t descriptor, GError **error)
{
  return CUDNN_TRY (cudnnBackendFinalize (descriptor), error);
}

/* Dimensions of all tensors of a graph: samples, channels, space. */
#define MAX_DIMS SEAM_MAX_DIMS

typedef struct {
  int n_dims;
  const gint64 *dims, *strides;
  gint64 uid;
  gboolean is_virtual, by_value;
  SeamOperandType type;
} TensorSpec;

static cudnnBackendDescriptor_t
create_tensor (CudnnGraph *graph, const TensorSpec *spec, GError **error)
{
  const cudnnDataType_t type = spec->type == SEAM_OPERAND_FP16   ? CUDNN_DATA_HALF
                               : spec->type == SEAM_OPERAND_BF16 ? CUDNN_DATA_BFLOAT16
                                                                 : CUDNN_DATA_FLOAT;
  const gint64 alignment = spec->by_value ? 4 : 16;
  const bool is_virtual = spec->is_virtual, by_value = spec->by_value;
  cudnnBackendDescriptor_t t = create (graph, CUDNN_BACKEND_TENSOR_DESCRIPTOR, error);

  if (t == NULL || !SET (t, CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type, error)
      || !SET (t, CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, spec->n_dims, spec->dims, error)
      || !SET (t, CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, spec->n_dims, spec->strides, error)
      || !SET (t, CUDNN_ATTR_TENSOR_UNIQUE_ID, CUDNN_TYPE_INT64, 1, &spec->uid, error)
      || !SET (t, CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, CUDNN_TYPE_INT64, 1, &alignment, error)
      || !SET (t, CUDNN_ATTR_TENSOR_IS_VIRTUAL, CUDNN_TYPE_BOOLEAN, 1, &is_virtual, error)
      || (by_value
          && !SET (t, CUDNN_ATTR_TENSOR_IS_BY_VALUE, CUDNN_TYPE_BOOLEAN, 1, &by_value, error))
      || !finalize (t, error))
    return NULL;
  return t;
}

static void
set_strides (int n_dims, const gint64 *dims, gboolean channels_last, gint64 strides[MAX_DIMS])
{
  gint64 stride = channels_last ? dims[1] : 1;

  for (int i = n_dims - 1; i >= 0; i--)
    if (i != 1 || !channels_last) {
      strides[i] = stride;
      stride *= dims[i];
    }
  if (channels_last)
    strides[1] = 1;
}

/* A tensor of the chain. A run needs pointers for tensors that are not virtual. */
static cudnnBackendDescriptor_t
create_chain_tensor (CudnnGraph *graph, int n_dims, const gint64 *dims, gboolean channels_last,
                     int tensor, gboolean is_virtual, SeamOperandType type, GError **error)
{
  gint64 strides[MAX_DIMS];
  TensorSpec spec = { n_dims, dims, strides, tensor + 1, is_virtual, FALSE, type };

  set_strides (n_dims, dims, channels_last, strides);
  if (!is_virtual) {
    graph->uids[graph->n_uids] = spec.uid;
    graph->tensors[graph->n_uids++] = tensor;
  }
  return create_tensor (graph, &spec, error);
}

/* A scalar operand, passed by value. */
static cudnnBackendDescriptor_t
create_scalar (CudnnGraph *graph, int n_dims, double value, GError **error)
{
  static const gint64 ones[MAX_DIMS] = { 1, 1, 1, 1, 1 };
  TensorSpec spec = { n_dims,           ones, ones, 1000 + (gint64)graph->n_uids, FALSE, TRUE,
                      SEAM_OPERAND_FP32 };

  graph->uids[graph->n_uids] = spec.uid;
  graph->tensors[graph->n_uids] = -1;
  graph->scalars[graph->n_uids++] = (float)value;
  return create_tensor (graph, &spec, error);
}

/* A tensor between two steps of one op; never in memory. */
static cudnnBackendDescriptor_t
create_between (CudnnGraph *graph, int n_dims, const gint64 *dims, gboolean channels_last, int op,
                GError **error)
{
  gint64 strides[MAX_DIMS];
  TensorSpec spec = { n_dims, dims, strides, 2000 + op, TRUE, FALSE, SEAM_OPERAND_FP32 };

  set_strides (n_dims, dims, channels_last, strides);
  return create_tensor (graph, &spec, error);
}

static cudnnBackendDescriptor_t
create_convolution (CudnnGraph *graph, const SeamNest *nest, cudnnBackendDescriptor_t x,
                    cudnnBackendDescriptor_t w, cudnnBackendDescriptor_t y, GError **error)
{
  const cudnnDataType_t type = CUDNN_DATA_FLOAT;
  const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
  const SeamGeneral *g = &nest->general;
  const gint64 n_dims = nest->c.info->attributes->rank, ones[3] = { 1, 1, 1 };
  const SeamSize *padding = g->padding + 3 - n_dims, *stride = g->stride + 3 - n_dims;
  const float alpha = 1.0f, beta = 0.0f;
  cudnnBackendDescriptor_t c = create (graph, CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR, error), op;

  if (c == NULL || !SET (c, CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type, error)
      || !SET (c, CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode, error)
      || !SET (c, CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, CUDNN_TYPE_INT64, 1, &n_dims, error)
      || !SET (c, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, n_dims, padding, error)
      || !SET (c, CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, n_dims, padding, error)
      || !SET (c, CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, n_dims, ones, error)
      || !SET (c, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, n_dims, stride, error)
      || !finalize (c, error))
    return NULL;
  if (g->is_transposed) {
    /* The data gradient of the convolution whose output is x. */
    op = create (graph, CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR, error);
    if (op == NULL || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC, c, error)
        || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY, x, error)
        || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W, w, error)
        || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX, y, error)
        || !SET (op, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_ALPHA, CUDNN_TYPE_FLOAT, 1, &alpha,
                 error)
        || !SET (op, CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_BETA, CUDNN_TYPE_FLOAT, 1, &beta,
                 error)
        || !finalize (op, error))
      return NULL;
    return op;
  }
  op = create (graph, CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR, error);
  if (op == NULL || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, c, error)
      || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x, error)
      || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w, error)
      || !SET_PART (op, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y, error)
      || !SET (op, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1, &alpha,
               error)
      || !SET (op, CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 1, &beta, error)
      || !finalize (op, error))
    return NULL;
  return op;
}

/* y = mode (x) or mode (x, b). */
static cudnnBackendDescriptor_t
create_pointwise (CudnnGraph *graph, cudnnPointwiseMode_t mode, cudnnBackendDescriptor_t x,
                  cudnnBackendDescriptor_t b, cudnnBackendDescriptor_t y, GError **error)
{
  const cudnnDataType_t type = CUDNN_DATA_FLOAT;
  cudnnBackendDescriptor_t p = create (graph, CUDNN_BACKEND_POINTWISE_DESCRIPTOR, error), op;

  if (p == NULL || !SET (p, CUDNN_ATTR_POINTWISE_MODE, CUDNN_TYPE_POINTWISE_MODE, 1, &mode, error)
      || !SET (p, CUDNN_ATTR_POINTWISE_MATH_PREC, CUDNN_TYPE_DATA_TYPE, 1, &type, error)
      || !finalize (p, error))
    return NULL;
  op = create (graph, CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR, error);
  if (op == NULL || !SET_PART (op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR, p, error)
      || !SET_PART (op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC, x, error)
      || (b != NULL && !SET_PART (op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC, b, error))
      || !SET_PART (op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC, y, error) || !finalize (op, error))
    return NULL;
  return op;
}

typedef struct {
  CudnnGraph *graph;
  const SeamProblem *problem;
  const SeamChain *chain;
  int first, last;
  gboolean channels_last;
  SeamOperandType operand, output;
  SeamNest nest; /* of the convolution */
  int n_dims;
  const gint64 *y_dims;
  cudnnBackendDescriptor_t values[SEAM_MAX_OPS]; /* output of each op */
  cudnnBackendDescriptor_t vectors[SEAM_MAX_PARAMS];
  GPtrArray *operations;
} Builder;

static gboolean
add_operation (Builder *b, cudnnBackendDescriptor_t operation)
{
  if (operation == NULL)
    return FALSE;
  g_ptr_array_add (b->operations, operation);
  return TRUE;
}

/* [1, K, 1, …], each parameter once. */
static cudnnBackendDescriptor_t
get_vector (Builder *b, int param, GError **error)
{
  const gint64 dims[MAX_DIMS] = { 1, b->y_dims[1], 1, 1, 1 };

  if (b->vectors[param] == NULL)
    b->vectors[param] = create_chain_tensor (b->graph, b->n_dims, dims, b->channels_last,
                                             SEAM_TENSOR_PARAM (b->chain->n_ops, param), FALSE,
                                             SEAM_OPERAND_FP32, error);
  return b->vectors[param];
}

/* The operands of pointwise operations, named as in kernels/ops.h, which lists the operations of
 * each op. */
typedef enum { OPERAND_END, OPERAND_NOTHING, OPERAND_v, OPERAND_t, OPERAND_a, OPERAND_b } Operand;

typedef struct {
  Operand operand;
  cudnnPointwiseMode_t mode;
} Pointwise;

/* Only one tensor can lie between the operations of an op: create_between(). */
#define MAX_POINTWISE             2
#define POINTWISE(MODE, argument) { OPERAND_##argument, CUDNN_POINTWISE_##MODE },
#define OPERATIONS(NAME, name, KIND, READS, N, NUMBERS, EXPRESSION, CUDNN, ...)                    \
  [SEAM_OP_##NAME] = { CUDNN },
static const Pointwise pointwise[SEAM_N_OP_TYPES][MAX_POINTWISE] = { SEAM_OPS (
    SEAM_OP_SKIP, OPERATIONS, SEAM_OP_SKIP) };
#undef OPERATIONS
#undef POINTWISE

/* The operand of an operation besides the value so far; NULL if there is none. */
static gboolean
get_operand (Builder *b, const SeamOp *op, Operand which, cudnnBackendDescriptor_t *operand,
             GError **error)
{
  *operand = NULL;
  switch (which) {
  case OPERAND_v:
    *operand = get_vector (b, op->params[0], error);
    break;
  case OPERAND_t:
    if (op->inputs[1] < SEAM_TENSOR_OUTPUT (b->first))
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                   "cuDNN's graph cannot read a tensor made before the convolution.");
    else
      *operand = b->values[op->inputs[1] - 1];
    break;
  case OPERAND_a:
  case OPERAND_b:
    *operand = create_scalar (b->graph, b->n_dims, op->scalars[which == OPERAND_b], error);
    break;
  case OPERAND_NOTHING:
  case OPERAND_END:
    return TRUE;
  }
  return *operand != NULL;
}

static gboolean
add_op (Builder *b, int index, GError **error)
{
  const SeamOp *op = &b->chain->ops[index];
  cudnnBackendDescriptor_t x = b->values[index - 1];

  if (pointwise[op->type][0].operand == OPERAND_END)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "cuDNN cannot apply %s after a convolution.",
                      op->label);
  for (int i = 0; i < MAX_POINTWISE && pointwise[op->type][i].operand != OPERAND_END; i++) {
    const Pointwise *o = &pointwise[op->type][i];
    cudnnBackendDescriptor_t operand, y;

    if (!get_operand (b, op, o->operand, &operand, error))
      return FALSE;
    if (i + 1 < MAX_POINTWISE && o[1].operand != OPERAND_END)
      y = create_between (b->graph, b->n_dims, b->y_dims, b->channels_last, index, error);
    else
      y = create_chain_tensor (b->graph, b->n_dims, b->y_dims, b->channels_last,
                               SEAM_TENSOR_OUTPUT (index), index != b->last,
                               index != b->last ? SEAM_OPERAND_FP32 : b->output, error);
    if (y == NULL || !add_operation (b, create_pointwise (b->graph, o->mode, x, operand, y, error)))
      return FALSE;
    x = y;
  }
  b->values[index] = x;
  return TRUE;
}

static gboolean
build (Builder *b, GError **error)
{
  const SeamOp *conv = &b->chain->ops[b->first];
  const int weight = SEAM_TENSOR_PARAM (b->chain->n_ops, conv->params[0]);
  CudnnGraph *graph = b->graph;
  cudnnBackendDescriptor_t x, w, y;

  x = create_chain_tensor (graph, b->n_dims, b->nest.c.in[0].dims, b->channels_last,
                           conv->inputs[0], FALSE, b->operand, error);
  w = x == NULL ? NULL
                : create_chain_tensor (graph, b->n_dims,
                                       seam_problem_get_shape (b->problem, weight)->dims,
                                       b->channels_last, weight, FALSE, b->operand, error);
  y = w == NULL ? NULL
                : create_chain_tensor (graph, b->n_dims, b->y_dims, b->channels_last,
                                       SEAM_TENSOR_OUTPUT (b->first), b->first != b->last,
                                       b->first != b->last ? SEAM_OPERAND_FP32 : b->output, error);
  if (y == NULL || !add_operation (b, create_convolution (graph, &b->nest, x, w, y, error)))
    return FALSE;
  b->values[b->first] = y;
  for (int op = b->first + 1; op <= b->last; op++)
    if (!add_op (b, op, error))
      return FALSE;

  graph->graph = create (graph, CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR, error);
  if (graph->graph == NULL
      || !SET (graph->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, CUDNN_TYPE_BACKEND_DESCRIPTOR,
               b->operations->len, b->operations->pdata, error))
    return FALSE;
  if (graph->handle != NULL
      && !SET (graph->graph, CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &graph->handle,
               error))
    return FALSE;
  return finalize (graph->graph, error);
}

CudnnGraph *
cudnn_graph_new (cudnnHandle_t handle, cudnnBackendDescriptor_t device_properties,
                 const CudnnGraphSpec *spec, GError **error)
{
  g_autoptr (CudnnGraph) graph = g_new0 (CudnnGraph, 1);
  g_autoptr (GPtrArray) operations = g_ptr_array_new ();
  Builder b = {
    .graph = graph,
    .problem = spec->problem,
    .chain = spec->chain,
    .first = spec->first,
    .last = spec->last,
    .channels_last = spec->channels_last,
    .operand = spec->operand,
    .output = spec->output,
    .operations = operations,
  };

  seam_nest_init (&b.nest, spec->problem, spec->chain, spec->first);
  b.n_dims = b.nest.c.out.n_dims;
  b.y_dims = b.nest.c.out.dims;
  graph->handle = handle;
  graph->device_properties = device_properties;
  graph->descriptors = g_ptr_array_new ();
  if (!build (&b, error))
    return NULL;
  return g_steal_pointer (&graph);
}

void
cudnn_graph_free (CudnnGraph *graph)
{
  if (graph == NULL)
    return;
  for (guint i = graph->descriptors->len; i > 0; i--)
    destroy_descriptor (graph->descriptors->pdata[i - 1]);
  g_ptr_array_unref (graph->descriptors);
  g_free (graph);
}

/* Whether an engine's arithmetic fits the math mode. FP32: no TF32, no transforms that lose digits.
 * 16-bit operands: tensor cores, but neither transforms nor sums of fewer bits. Always: the same
 * bits every time. */
static gboolean
is_allowed (CudnnGraph *graph, cudnnBackendDescriptor_t config, SeamMathMode math_mode)
{
  cudnnBackendNumericalNote_t notes[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
  cudnnBackendDescriptor_t engine = create (graph, CUDNN_BACKEND_ENGINE_DESCRIPTOR, NULL);
  gint64 n = 0;

  if (engine == NULL
      || !CUDNN_TRY (cudnnBackendGetAttribute (config, CUDNN_ATTR_ENGINECFG_ENGINE,
                                               CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &n, &engine),
                     NULL)
      || !CUDNN_TRY (cudnnBackendGetAttribute (engine, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE,
                                               CUDNN_TYPE_NUMERICAL_NOTE,
                                               CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &n, notes),
                     NULL))
    return FALSE;
  for (gint64 i = 0; i < n; i++) {
    switch (notes[i]) {
    case CUDNN_NUMERICAL_NOTE_NONDETERMINISTIC:
      return FALSE;
    case CUDNN_NUMERICAL_NOTE_TENSOR_CORE:
      if (math_mode == SEAM_MATH_FP32)
        return FALSE;
      break;
    case CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS:
    case CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION:
    case CUDNN_NUMERICAL_NOTE_FFT:
    case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4:
    case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6:
    case CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13:
      if (math_mode != SEAM_MATH_TF32)
        return FALSE;
      break;
    default:
      break;
    }
  }
  return TRUE;
}

static gboolean
add_configs (CudnnGraph *graph, cudnnBackendHeurMode_t mode, SeamMathMode math_mode,
             GPtrArray *configs, GError **error)
{
  cudnnBackendDescriptor_t heuristic, results[MAX_CONFIGS];
  gint64 n = 0;

  heuristic = create (graph, CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR, error);
  if (heuristic == NULL
      || !SET_PART (heuristic, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph->graph, error)
      || !SET (heuristic, CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode, error)
      || (graph->device_properties != NULL
          && !SET_PART (heuristic, CUDNN_ATTR_ENGINEHEUR_DEVICEPROP, graph->device_properties,
                        error))
      || !finalize (heuristic, error))
    return FALSE;
  for (int i = 0; i < MAX_CONFIGS; i++)
    if ((results[i] = create (graph, CUDNN_BACKEND_ENGINECFG_DESCRIPTOR, error)) == NULL)
      return FALSE;
  if (!CUDNN_TRY (cudnnBackendGetAttribute (heuristic, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                            CUDNN_TYPE_BACKEND_DESCRIPTOR, MAX_CONFIGS, &n,
                                            results),
                  error))
    return FALSE;
  for (gint64 i = 0; i < MIN (n, MAX_CONFIGS); i++)
    if (is_allowed (graph, results[i], math_mode))
      g_ptr_array_add (configs, results[i]);
  return TRUE;
}

GPtrArray *
cudnn_graph_list_configs (CudnnGraph *graph, SeamMathMode math_mode, GError **error)
{
  static const cudnnBackendHeurMode_t modes[] = { CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_B,
                                                  CUDNN_HEUR_MODE_FALLBACK };
  g_autoptr (GPtrArray) configs = g_ptr_array_new ();
  g_autoptr (GError) first = NULL;

  for (guint i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autoptr (GError) local = NULL;

    if (!add_configs (graph, modes[i], math_mode, configs, &local)) {
      if (local->code != SEAM_ERROR_UNSUPPORTED && first == NULL)
        first = g_steal_pointer (&local);
    }
  }
  if (configs->len == 0 && first != NULL) {
    g_propagate_error (error, g_steal_pointer (&first));
    return NULL;
  }
  return g_steal_pointer (&configs);
}

CudnnPlan *
cudnn_plan_new (CudnnGraph *graph, cudnnBackendDescriptor_t config, GError **error)
{
  g_autoptr (CudnnPlan) plan = g_new0 (CudnnPlan, 1);
  gint64 n = 0;

  plan->graph = graph;
  if (!CUDNN_TRY (
          cudnnBackendCreateDescriptor (CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR, &plan->plan),
          error)
      || (graph->handle != NULL ? !SET (plan->plan, CUDNN_ATTR_EXECUTION_PLAN_HANDLE,
                                        CUDNN_TYPE_HANDLE, 1, &graph->handle, error)
                                : !SET_PART (plan->plan, CUDNN_ATTR_EXECUTION_PLAN_DEVICEPROP,
                                             graph->device_properties, error))
      || !SET_PART (plan->plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config, error)
      || !finalize (plan->plan, error)
      || !CUDNN_TRY (cudnnBackendGetAttribute (plan->plan, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                               CUDNN_TYPE_INT64, 1, &n, &plan->workspace_bytes),
                     error))
    return NULL;
  return g_steal_pointer (&plan);
}

void
cudnn_plan_free (CudnnPlan *plan)
{
  if (plan == NULL)
    return;
  if (plan->pack != NULL)
    cudnnBackendDestroyDescriptor (plan->pack);
  if (plan->plan != NULL)
    cudnnBackendDestroyDescriptor (plan->plan);
  g_free (plan);
}

/* The pointers of a run; made again if the workspace has moved. */
static gboolean
make_pack (CudnnPlan *plan, float *const *tensors, void *workspace, GError **error)
{
  CudnnGraph *graph = plan->graph;
  void *pointers[GRAPH_MAX_TENSORS];
  cudnnBackendDescriptor_t pack = NULL;

  for (gsize i = 0; i < graph->n_uids; i++)
    pointers[i] =
        graph->tensors[i] < 0 ? (void *)&graph->scalars[i] : (void *)tensors[graph->tensors[i]];
  if (!CUDNN_TRY (cudnnBackendCreateDescriptor (CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR, &pack),
                  error))
    return FALSE;
  if (!SET (pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, graph->n_uids, graph->uids,
            error)
      || !SET (pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, graph->n_uids,
               pointers, error)
      || !SET (pack, CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace, error)
      || !finalize (pack, error)) {
    cudnnBackendDestroyDescriptor (pack);
    return FALSE;
  }
  if (plan->pack != NULL)
    cudnnBackendDestroyDescriptor (plan->pack);
  plan->pack = pack;
  plan->pack_workspace = workspace;
  return TRUE;
}

gboolean
cudnn_plan_enqueue (CudnnPlan *plan, float *const *tensors, void *workspace, GError **error)
{
  if ((plan->pack == NULL || plan->pack_workspace != workspace)
      && !make_pack (plan, tensors, workspace, error))
    return FALSE;
  return CUDNN_TRY (cudnnBackendExecute (plan->graph->handle, plan->plan, plan->pack), error);
}
