/* SPDX-License-Identifier: MIT
 *
 * A prepared plan as a CUDA graph: captured once, then launched as a whole. Knows the launch of
 * each node.
 */
#pragma once

#include "app/backend/cuda/cuda-device.h"

typedef struct {
  cudaGraphNode_t node;
  guint64 launch; /* number of the plan's launch that made it, from 1 */
} CudaGraphNode;

typedef struct CudaGraph {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  GPtrArray *groups; /* captured groups (SeamPrepared), in order; borrowed */
  GArray *nodes;     /* of CudaGraphNode, in the order of the capture */
  int n_kernels;     /* kernels among the nodes */
} CudaGraph;

/* The captured graph of these groups; NULL: they are launched one after the other. */
CudaGraph *cuda_graph_find (SeamPrepared *const *groups, int n_groups);
/* Enqueues the whole plan with one call. */
gboolean cuda_graph_launch (CudaDevice *device, const CudaGraph *graph, GError **error);
/* A second executable of the same graph, for a trace; free it with cudaGraphExecDestroy(). NULL
 * with the error. */
cudaGraphExec_t cuda_graph_instantiate (CudaDevice *device, const CudaGraph *graph, GError **error);
void cuda_graph_free (CudaGraph *graph); /* accepts NULL */
