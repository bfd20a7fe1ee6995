/* SPDX-License-Identifier: MIT
 *
 * Captures a plan: enqueues its launches while the stream records instead of executing. The nodes
 * of a launch are those that the graph has gained during it, so that all kernels of a library call
 * are known. cuda-trace.c needs that, because the order in which a graph lists its nodes is not
 * documented.
 */
#include "app/backend/cuda/graph.h"

#include "app/backend/cuda/launch.h"

CudaGraph *
cuda_graph_find (SeamPrepared *const *groups, int n_groups)
{
  CudaGraph *graph = n_groups > 0 ? groups[0]->graph : NULL;

  if (graph == NULL || (int)graph->groups->len != n_groups)
    return NULL;
  for (int i = 0; i < n_groups; i++)
    if (graph->groups->pdata[i] != groups[i])
      return NULL;
  return graph;
}

void
cuda_graph_free (CudaGraph *graph)
{
  if (graph == NULL)
    return;
  if (graph->executable != NULL)
    cudaGraphExecDestroy (graph->executable);
  if (graph->graph != NULL)
    cudaGraphDestroy (graph->graph);
  g_ptr_array_unref (graph->groups);
  g_array_unref (graph->nodes);
  g_free (graph);
}

gboolean
cuda_graph_launch (CudaDevice *device, const CudaGraph *graph, GError **error)
{
  return CUDA_TRY (cudaGraphLaunch (graph->executable, device->stream), error);
}

static gboolean
is_known (const CudaGraph *graph, cudaGraphNode_t node)
{
  for (guint i = 0; i < graph->nodes->len; i++)
    if (g_array_index (graph->nodes, CudaGraphNode, i).node == node)
      return TRUE;
  return FALSE;
}

/* Records the nodes that launch `id` has added to the graph under capture. */
static gboolean
note_nodes (CudaDevice *device, CudaGraph *graph, guint64 id, GError **error)
{
  enum cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  unsigned long long capture = 0;
  cudaGraph_t captured = NULL;
  size_t n = 0;

  if (!CUDA_TRY (
          cudaStreamGetCaptureInfo (device->stream, &status, &capture, &captured, NULL, NULL, NULL),
          error))
    return FALSE;
  if (status != cudaStreamCaptureStatusActive || captured == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "it does something that ends a capture, such as waiting for the GPU.");
  if (!CUDA_TRY (cudaGraphGetNodes (captured, NULL, &n), error))
    return FALSE;
  g_autofree cudaGraphNode_t *nodes = g_new0 (cudaGraphNode_t, n + 1);
  if (!CUDA_TRY (cudaGraphGetNodes (captured, nodes, &n), error))
    return FALSE;
  for (size_t i = 0; i < n; i++) {
    CudaGraphNode added = { nodes[i], id };
    enum cudaGraphNodeType type = cudaGraphNodeTypeEmpty;

    if (is_known (graph, nodes[i]))
      continue;
    if (!CUDA_TRY (cudaGraphNodeGetType (nodes[i], &type), error))
      return FALSE;
    g_array_append_val (graph->nodes, added);
    graph->n_kernels += type == cudaGraphNodeTypeKernel;
  }
  return TRUE;
}

static gboolean
enqueue_captured (CudaDevice *device, CudaGraph *graph, GError **error)
{
  guint64 id = 0;

  for (guint i = 0; i < graph->groups->len; i++) {
    const SeamPrepared *group = graph->groups->pdata[i];
    for (guint j = 0; j < group->launches->len; j++) {
      Launch *launch = group->launches->pdata[j];
      if (!launch->enqueue (device, launch, error) || !note_nodes (device, graph, ++id, error)) {
        launch_name_error (launch, error);
        return FALSE;
      }
    }
  }
  return TRUE;
}

cudaGraphExec_t
cuda_graph_instantiate (CudaDevice *device, const CudaGraph *graph, GError **error)
{
  cudaGraphExec_t executable = NULL;

  if (!CUDA_TRY (cudaGraphInstantiate (&executable, graph->graph, 0), error))
    return NULL;
  /* Otherwise the first launch would upload the graph, and take longer than the others. */
  if (CUDA_TRY (cudaGraphUpload (executable, device->stream), error)
      && CUDA_TRY (cudaStreamSynchronize (device->stream), error))
    return executable;
  cudaGraphExecDestroy (executable);
  return NULL;
}

/* Captures the calls of this thread only: what other threads call meanwhile cannot end up in the
 * graph or break the capture. */
static gboolean
capture (CudaDevice *device, CudaGraph *graph, GError **error)
{
  if (!CUDA_TRY (cudaStreamBeginCapture (device->stream, cudaStreamCaptureModeThreadLocal), error))
    return FALSE;
  gboolean good = enqueue_captured (device, graph, error);
  /* Also after a failure: a stream cannot be used before its capture has ended. */
  if (!CUDA_TRY (cudaStreamEndCapture (device->stream, &graph->graph), good ? error : NULL))
    return FALSE;
  return good;
}

gboolean
cuda_capture (SeamDevice *base, SeamPrepared *const *groups, int n_groups, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  g_autoptr (GError) failure = NULL;

  if (!cuda_device_enter (device, error)
      || !CUDA_TRY (cudaStreamSynchronize (device->stream), error))
    return FALSE;
  g_clear_pointer (&groups[0]->graph, cuda_graph_free);
  CudaGraph *graph = g_new0 (CudaGraph, 1);
  graph->groups = g_ptr_array_new ();
  graph->nodes = g_array_new (FALSE, FALSE, sizeof (CudaGraphNode));
  for (int i = 0; i < n_groups; i++)
    g_ptr_array_add (graph->groups, groups[i]);
  if (capture (device, graph, &failure))
    graph->executable = cuda_graph_instantiate (device, graph, &failure);
  if (graph->executable != NULL) {
    groups[0]->graph = graph;
    return TRUE;
  }
  cuda_graph_free (graph);
  cudaGetLastError ();
  /* If the device still answers, the failed capture is not a lost device. */
  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error))
    return FALSE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                    "This plan cannot be launched as a CUDA graph, because it cannot be captured: "
                    "%s Choose launch mode stream for it.",
                    failure->message);
}
