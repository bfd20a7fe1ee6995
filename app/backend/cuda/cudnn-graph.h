/* SPDX-License-Identifier: MIT
 *
 * cuDNN's backend API as one operation graph: a convolution with elementwise ops after it, the
 * engines cuDNN proposes for it, and plans of them. Descriptors live as long as their owner.
 */
#pragma once

#include "app/backend/cuda/cuda-check.h"
#include "app/backend/backend.h"

#define GRAPH_MAX_TENSORS (SEAM_MAX_TENSORS + 2 * SEAM_MAX_OPS)

typedef struct {
  cudnnHandle_t handle; /* NULL: made for `device_properties`, without a GPU */
  cudnnBackendDescriptor_t device_properties; /* borrowed; NULL with a handle */
  cudnnBackendDescriptor_t graph;             /* among the descriptors */
  GPtrArray *descriptors;                     /* in order of creation; destroyed in reverse */
  gsize n_uids;
  gint64 uids[GRAPH_MAX_TENSORS];   /* ids of tensors that need a pointer */
  int tensors[GRAPH_MAX_TENSORS];   /* tensor number of each, or -1 for a scalar */
  float scalars[GRAPH_MAX_TENSORS]; /* the scalar's value */
} CudnnGraph;

/* The ops of a graph, and the layout and types of its tensors. */
typedef struct {
  const SeamProblem *problem;
  const SeamChain *chain;
  int first, last; /* ops: first is the conv2d */
  gboolean channels_last;
  SeamOperandType operand; /* type of input and weight; sums, vectors, virtual tensors: FP32 */
  SeamOperandType output;
} CudnnGraphSpec;

/* `device_properties` is NULL if there is a handle. */
CudnnGraph *cudnn_graph_new (cudnnHandle_t handle, cudnnBackendDescriptor_t device_properties,
                             const CudnnGraphSpec *spec, GError **error);
void cudnn_graph_free (CudnnGraph *graph);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CudnnGraph, cudnn_graph_free)

/* Engine configurations (descriptors that the graph owns), best first by cuDNN's prediction,
 * without those whose arithmetic the math mode forbids. May be empty. */
GPtrArray *cudnn_graph_list_configs (CudnnGraph *graph, SeamMathMode math_mode, GError **error);

typedef struct {
  CudnnGraph *graph; /* borrowed */
  cudnnBackendDescriptor_t plan, pack;
  void *pack_workspace; /* the workspace that `pack` was made for */
  gint64 workspace_bytes;
} CudnnPlan;

/* Compiles an engine; SEAM_ERROR_UNSUPPORTED if it cannot run this graph after all. */
CudnnPlan *cudnn_plan_new (CudnnGraph *graph, cudnnBackendDescriptor_t config, GError **error);
void cudnn_plan_free (CudnnPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (CudnnPlan, cudnn_plan_free)

/* `tensors` is indexed by tensor number. */
gboolean cudnn_plan_enqueue (CudnnPlan *plan, float *const *tensors, void *workspace,
                             GError **error);
