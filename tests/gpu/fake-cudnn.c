/* SPDX-License-Identifier: MIT
 *
 * cuDNN's backend API as far as app/backend/cuda/cudnn-graph.c uses it, for the emulated module:
 * descriptors are lists of attributes, a plan walks the operations with plain loops.
 */
#include "tests/gpu/fake-graph.h"

#include <cudnn.h>

#include "kernels/operand.h"

#include <assert.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ATTRIBUTES 12
#define MAX_BYTES      512

typedef struct {
  cudnnBackendDescriptorType_t type;
  bool final;
  int n;
  struct {
    cudnnBackendAttributeName_t name;
    int64_t count;
    char data[MAX_BYTES];
  } attributes[MAX_ATTRIBUTES];
} Descriptor;

static size_t
size_of (cudnnBackendAttributeType_t type)
{
  switch (type) {
  case CUDNN_TYPE_BOOLEAN:
    return 1;
  case CUDNN_TYPE_FLOAT:
    return 4;
  case CUDNN_TYPE_INT64:
  case CUDNN_TYPE_VOID_PTR:
  case CUDNN_TYPE_HANDLE:
  case CUDNN_TYPE_BACKEND_DESCRIPTOR:
    return 8;
  default:
    return 4; /* enumerations */
  }
}

static const void *
find (const Descriptor *d, cudnnBackendAttributeName_t name, int64_t *count)
{
  for (int i = 0; i < d->n; i++) {
    if (d->attributes[i].name == name) {
      if (count != NULL)
        *count = d->attributes[i].count;
      return d->attributes[i].data;
    }
  }
  return NULL;
}

static Descriptor *
find_descriptor (const Descriptor *d, cudnnBackendAttributeName_t name)
{
  Descriptor *const *found = find (d, name, NULL);
  return found != NULL ? *found : NULL;
}

size_t
cudnnGetVersion (void)
{
  return 91400;
}

const char *
cudnnGetErrorString (cudnnStatus_t status)
{
  return "emulated cuDNN error";
}

void
cudnnGetLastErrorString (char *message, size_t size)
{
  message[0] = '\0';
}

cudnnStatus_t
cudnnCreate (cudnnHandle_t *handle)
{
  *handle = malloc (1);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnDestroy (cudnnHandle_t handle)
{
  free (handle);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnSetStream (cudnnHandle_t handle, cudaStream_t stream)
{
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendCreateDescriptor (cudnnBackendDescriptorType_t type, cudnnBackendDescriptor_t *to)
{
  Descriptor *d = calloc (1, sizeof *d);
  d->type = type;
  *to = d;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendDestroyDescriptor (cudnnBackendDescriptor_t descriptor)
{
  free (descriptor);
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendSetAttribute (cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                          cudnnBackendAttributeType_t type, int64_t count, const void *data)
{
  Descriptor *d = descriptor;
  assert (!d->final && d->n < MAX_ATTRIBUTES && size_of (type) * (size_t)count <= MAX_BYTES);
  d->attributes[d->n].name = name;
  d->attributes[d->n].count = count;
  memcpy (d->attributes[d->n++].data, data, size_of (type) * (size_t)count);
  return CUDNN_STATUS_SUCCESS;
}

/* The tensor that a convolution, or its data gradient, reads. */
static cudnnBackendAttributeName_t
name_input (const Descriptor *op)
{
  return op->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR
             ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY
             : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X;
}

static cudnnBackendAttributeName_t
name_output (const Descriptor *op)
{
  return op->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR
             ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX
         : op->type == CUDNN_BACKEND_OPERATION_POINTWISE_DESCRIPTOR
             ? CUDNN_ATTR_OPERATION_POINTWISE_YDESC
             : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y;
}

static cudnnDataType_t
find_type (const Descriptor *op, cudnnBackendAttributeName_t tensor)
{
  return *(const cudnnDataType_t *)find (find_descriptor (op, tensor), CUDNN_ATTR_TENSOR_DATA_TYPE,
                                         NULL);
}

/* Whether the graph's operands have 16 bits and its result has 32. */
static bool
mixes_types (const Descriptor *graph)
{
  int64_t n = 0;
  Descriptor *const *operations = find (graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, &n);

  return find_type (operations[0], name_input (operations[0])) != CUDNN_DATA_FLOAT
         && find_type (operations[n - 1], name_output (operations[n - 1])) == CUDNN_DATA_FLOAT;
}

/* Whether the graph convolves operands of 16 bits with channels last. */
static bool
is_small_last (const Descriptor *graph)
{
  const Descriptor *convolution = find_descriptor (graph, CUDNN_ATTR_OPERATIONGRAPH_OPS);
  const Descriptor *x = find_descriptor (convolution, name_input (convolution));

  return ((const int64_t *)find (x, CUDNN_ATTR_TENSOR_STRIDES, NULL))[1] == 1
         && find_type (convolution, name_input (convolution)) != CUDNN_DATA_FLOAT;
}

cudnnStatus_t
cudnnBackendFinalize (cudnnBackendDescriptor_t descriptor)
{
  Descriptor *d = descriptor;
  if (d->type == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR && getenv ("SEAMSCOPE_EMULATE_NO_FUSION")) {
    int64_t n = 0;
    find (find_descriptor (d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH), CUDNN_ATTR_OPERATIONGRAPH_OPS,
          &n);
    if (n > 1)
      return CUDNN_STATUS_NOT_SUPPORTED;
  }
  /* The environment can remove the engine that stores FP32 for 16-bit operands. */
  if (d->type == CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR && getenv ("SEAMSCOPE_EMULATE_NO_FP32_OUTPUT")
      && mixes_types (find_descriptor (d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH)))
    return CUDNN_STATUS_NOT_SUPPORTED;
  d->final = true;
  return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t
cudnnBackendGetAttribute (cudnnBackendDescriptor_t descriptor, cudnnBackendAttributeName_t name,
                          cudnnBackendAttributeType_t type, int64_t wanted, int64_t *count,
                          void *data)
{
  Descriptor *d = descriptor;

  assert (d->final || name == CUDNN_ATTR_ENGINECFG_ENGINE
          || name == CUDNN_ATTR_ENGINE_NUMERICAL_NOTE);
  switch (name) {
  case CUDNN_ATTR_ENGINEHEUR_RESULTS: {
    /* There is one proposal; the configuration remembers the graph. */
    Descriptor *config = ((Descriptor **)data)[0];
    Descriptor *graph = find_descriptor (d, CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH);
    assert (wanted >= 1);
    cudnnBackendSetAttribute (config, CUDNN_ATTR_ENGINE_OPERATION_GRAPH,
                              CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &graph);
    *count = 1;
    break;
  }
  case CUDNN_ATTR_ENGINECFG_ENGINE:
    *count = 1;
    break;
  case CUDNN_ATTR_ENGINE_NUMERICAL_NOTE:
    *count = 0;
    break;
  case CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE:
    /* With channels last, cuDNN's engines copy nothing into another layout. */
    *(int64_t *)data = is_small_last (find_descriptor (
                           find_descriptor (d, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG),
                           CUDNN_ATTR_ENGINE_OPERATION_GRAPH))
                           ? 0
                           : 1024;
    *count = 1;
    break;
  default:
    return CUDNN_STATUS_BAD_PARAM;
  }
  return CUDNN_STATUS_SUCCESS;
}

/* --- Execution --- */

typedef struct {
  void *data;
  int64_t dims[5], strides[5]; /* samples, channels, depth (1 of images), height, width */
  bool by_value;
  cudnnDataType_t type;
} Tensor;

typedef struct {
  const int64_t *uids;
  void *const *pointers;
  int64_t n;
  int64_t virtual_uids[64];
  float *virtual_data[64];
  int n_virtual;
} Run;

static Tensor
get_tensor (Run *run, const Descriptor *d)
{
  const int64_t uid = *(const int64_t *)find (d, CUDNN_ATTR_TENSOR_UNIQUE_ID, NULL);
  const bool *by_value = find (d, CUDNN_ATTR_TENSOR_IS_BY_VALUE, NULL);
  int64_t n_dims = 0;
  const int64_t *dims = find (d, CUDNN_ATTR_TENSOR_DIMENSIONS, &n_dims);
  const int64_t *strides = find (d, CUDNN_ATTR_TENSOR_STRIDES, NULL);
  Tensor t = { .by_value = by_value != NULL && *by_value,
               .type = *(const cudnnDataType_t *)find (d, CUDNN_ATTR_TENSOR_DATA_TYPE, NULL) };

  for (int i = 0; i < 5; i++) {
    const int own = i < 2 ? i : i - (int)(5 - n_dims);
    t.dims[i] = i >= 2 && own < 2 ? 1 : dims[own];
    t.strides[i] = i >= 2 && own < 2 ? 0 : strides[own];
  }

  if (!*(const bool *)find (d, CUDNN_ATTR_TENSOR_IS_VIRTUAL, NULL)) {
    for (int64_t i = 0; i < run->n; i++)
      if (run->uids[i] == uid)
        t.data = run->pointers[i];
    assert (t.data != NULL);
    return t;
  }
  for (int i = 0; i < run->n_virtual; i++)
    if (run->virtual_uids[i] == uid)
      t.data = run->virtual_data[i];
  if (t.data == NULL) {
    const size_t n = (size_t)(t.dims[0] * t.dims[1] * t.dims[2] * t.dims[3] * t.dims[4]);
    t.data = malloc (n * sizeof (float));
    memset (t.data, 0xff, n * sizeof (float));
    run->virtual_uids[run->n_virtual] = uid;
    run->virtual_data[run->n_virtual++] = t.data;
  }
  return t;
}

static int64_t
at (const Tensor *t, const int64_t index[5])
{
  int64_t place = 0;

  for (int i = 0; i < 5; i++)
    place += t->dims[i] == 1 ? 0 : index[i] * t->strides[i];
  return place;
}

static SeamOperandType
get_type (const Tensor *t)
{
  return t->type == CUDNN_DATA_HALF       ? SEAM_OPERAND_FP16
         : t->type == CUDNN_DATA_BFLOAT16 ? SEAM_OPERAND_BF16
                                          : SEAM_OPERAND_FP32;
}

static float
get (const Tensor *t, const int64_t index[5])
{
  return get_type (t) == SEAM_OPERAND_FP32
             ? ((const float *)t->data)[at (t, index)]
             : seam_operand_unpack (get_type (t), ((const uint16_t *)t->data)[at (t, index)]);
}

static void
put (const Tensor *t, const int64_t index[5], float value)
{
  if (get_type (t) == SEAM_OPERAND_FP32)
    ((float *)t->data)[at (t, index)] = value;
  else
    ((uint16_t *)t->data)[at (t, index)] = seam_operand_pack (get_type (t), value);
}

/* Goes to the next index of a tensor of these dimensions; false behind the last one. */
static bool
go_on (const int64_t dims[5], int64_t index[5])
{
  for (int i = 4; i >= 0; i--) {
    if (++index[i] < dims[i])
      return true;
    index[i] = 0;
  }
  return false;
}

/* The convolution, or with `transposed` its data gradient: then x is DY and y is DX. */
static void
convolve (Run *run, const Descriptor *op, bool transposed)
{
  const Tensor x = get_tensor (
      run, find_descriptor (op, transposed ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DY
                                           : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X));
  const Tensor w = get_tensor (
      run, find_descriptor (op, transposed ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_W
                                           : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W));
  const Tensor y = get_tensor (
      run, find_descriptor (op, transposed ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_DX
                                           : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y));
  const Descriptor *c =
      find_descriptor (op, transposed ? CUDNN_ATTR_OPERATION_CONVOLUTION_BWD_DATA_CONV_DESC
                                      : CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC);
  int64_t rank = 0, at_y[5] = { 0 };
  const int64_t *paddings = find (c, CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, &rank);
  const int64_t *strides = find (c, CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, NULL);

  do {
    const int channel = transposed ? 1 : 0; /* the filter's axis of the output's channels */
    int64_t taps[5], at_tap[5] = { 0 };
    float sum = 0;

    memcpy (taps, w.dims, sizeof taps);
    taps[channel] = 1;
    do {
      int64_t at_w[5], at_x[5] = { at_y[0], at_tap[1 - channel] };
      bool exists = true;

      memcpy (at_w, at_tap, sizeof at_w);
      at_w[channel] = at_y[1];

      for (int i = 2; i < 5 && exists; i++) {
        const int own = i - 2 - (int)(3 - rank);
        const int64_t stride = own < 0 ? 1 : strides[own], padding = own < 0 ? 0 : paddings[own];
        const int64_t shift =
            transposed ? at_y[i] + padding - at_w[i] : at_y[i] * stride + at_w[i] - padding;

        at_x[i] = transposed ? shift / stride : shift;
        exists = shift >= 0 && (!transposed || shift % stride == 0) && at_x[i] < x.dims[i];
      }
      if (exists)
        sum += get (&x, at_x) * get (&w, at_w);
    } while (go_on (taps, at_tap));
    put (&y, at_y, sum);
  } while (go_on (y.dims, at_y));
}

static float
apply (cudnnPointwiseMode_t mode, float x, float b)
{
  switch (mode) {
  case CUDNN_POINTWISE_ADD:
    return x + b;
  case CUDNN_POINTWISE_MUL:
    return x * b;
  case CUDNN_POINTWISE_DIV:
    return x / b;
  case CUDNN_POINTWISE_MAX:
    return fmaxf (x, b);
  case CUDNN_POINTWISE_MIN:
    return fminf (x, b);
  case CUDNN_POINTWISE_RELU_FWD:
    return x > 0 ? x : 0;
  case CUDNN_POINTWISE_SIGMOID_FWD:
    return 1 / (1 + expf (-x));
  default:
    abort ();
  }
}

static void
apply_pointwise (Run *run, const Descriptor *op)
{
  const Descriptor *b_descriptor = find_descriptor (op, CUDNN_ATTR_OPERATION_POINTWISE_BDESC);
  const Descriptor *p = find_descriptor (op, CUDNN_ATTR_OPERATION_POINTWISE_PW_DESCRIPTOR);
  const cudnnPointwiseMode_t mode =
      *(const cudnnPointwiseMode_t *)find (p, CUDNN_ATTR_POINTWISE_MODE, NULL);
  const Tensor x = get_tensor (run, find_descriptor (op, CUDNN_ATTR_OPERATION_POINTWISE_XDESC));
  const Tensor y = get_tensor (run, find_descriptor (op, CUDNN_ATTR_OPERATION_POINTWISE_YDESC));
  Tensor b = { NULL };

  if (b_descriptor != NULL)
    b = get_tensor (run, b_descriptor);
  /* The environment can make the library add what it should multiply by. */
  const bool is_wrong =
      getenv ("SEAMSCOPE_EMULATE_WRONG_FUSION") != NULL && mode == CUDNN_POINTWISE_MUL;
  int64_t index[5] = { 0 };
  do {
    put (&y, index,
         apply (is_wrong ? CUDNN_POINTWISE_ADD : mode, get (&x, index),
                b.data != NULL ? get (&b, index) : 0));
  } while (go_on (y.dims, index));
}

#define MAX_POINTERS 32

/* A copy of what a launch needs, because the caller may change its descriptors before a graph is
 * launched. */
typedef struct {
  const Descriptor *graph;
  int64_t n;
  int64_t uids[MAX_POINTERS];
  void *pointers[MAX_POINTERS];
} Execution;

static cudaError_t
execute (void *data)
{
  const Execution *e = data;
  int64_t n_operations = 0;
  Descriptor *const *operations = find (e->graph, CUDNN_ATTR_OPERATIONGRAPH_OPS, &n_operations);
  Run run = { .uids = e->uids, .pointers = e->pointers, .n = e->n };

  for (int64_t i = 0; i < n_operations; i++) {
    assert (operations[i]->final);
    if (operations[i]->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR)
      convolve (&run, operations[i], false);
    else if (operations[i]->type == CUDNN_BACKEND_OPERATION_CONVOLUTION_BACKWARD_DATA_DESCRIPTOR)
      convolve (&run, operations[i], true);
    else
      apply_pointwise (&run, operations[i]);
  }
  for (int i = 0; i < run.n_virtual; i++)
    free (run.virtual_data[i]);
  return cudaSuccess;
}

static cudaError_t
do_nothing (void *data)
{
  return cudaSuccess;
}

cudnnStatus_t
cudnnBackendExecute (cudnnHandle_t handle, cudnnBackendDescriptor_t plan_descriptor,
                     cudnnBackendDescriptor_t pack_descriptor)
{
  const Descriptor *plan = plan_descriptor, *pack = pack_descriptor;
  const Descriptor *config = find_descriptor (plan, CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG);
  Execution e = { .graph = find_descriptor (config, CUDNN_ATTR_ENGINE_OPERATION_GRAPH) };
  const int64_t *uids = find (pack, CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, &e.n);
  void *const *pointers = find (pack, CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, NULL);

  assert (e.n <= MAX_POINTERS);
  memcpy (e.uids, uids, sizeof *uids * (size_t)e.n);
  memcpy (e.pointers, pointers, sizeof *pointers * (size_t)e.n);
  /* A call of cuDNN often launches several kernels: here one before the kernel that computes. */
  return fake_launch (do_nothing, &e, 1, "emulated_nchwToNhwc") == cudaSuccess
                 && fake_launch (execute, &e, sizeof e, "emulated_convolution") == cudaSuccess
             ? CUDNN_STATUS_SUCCESS
             : CUDNN_STATUS_EXECUTION_FAILED;
}
