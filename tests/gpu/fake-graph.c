/* SPDX-License-Identifier: MIT
 *
 * Streams that are captured, and CUDA graphs, for the emulated module: during a capture nothing is
 * executed and nothing may wait or take memory; a graph executes its nodes in order each time that
 * it is launched. Nodes are listed last first, because no order is promised.
 */
#include "tests/gpu/fake-graph.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_NODES 256
#define MAX_BYTES 4096

typedef struct {
  cudaError_t (*call) (void *);
  size_t size;
  char name[64];
  _Alignas(64) char data[MAX_BYTES];
} Node;

typedef struct {
  int n;
  Node *nodes[MAX_NODES];
} Graph;

static Graph *captured;
static bool spoilt;

static int
is_kernel (const Node *node)
{
  return strcmp (node->name, "memset") != 0 && strcmp (node->name, "memcpy") != 0;
}

cudaError_t
fake_launch (cudaError_t (*call) (void *), const void *data, size_t size, const char *name)
{
  Node *node = aligned_alloc (64, sizeof *node);
  cudaError_t status;
  uint32_t id;

  assert (size <= MAX_BYTES);
  node->call = call;
  node->size = size;
  strncpy (node->name, name, sizeof node->name - 1);
  node->name[sizeof node->name - 1] = '\0';
  memcpy (node->data, data, size);
  if (captured != NULL) {
    assert (captured->n < MAX_NODES);
    captured->nodes[captured->n++] = node;
    return cudaSuccess;
  }
  id = is_kernel (node) ? fake_cupti_enter (0) : 0;
  status = call (node->data);
  fake_cupti_record (id, node->name, 0);
  if (id != 0)
    fake_cupti_exit (id, 0, status);
  free (node);
  return status;
}

int
fake_may_wait (void)
{
  spoilt = spoilt || captured != NULL;
  return captured == NULL;
}

cudaError_t
cudaStreamBeginCapture (cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
  assert (captured == NULL && mode == cudaStreamCaptureModeThreadLocal);
  captured = calloc (1, sizeof *captured);
  spoilt = false;
  return cudaSuccess;
}

cudaError_t
cudaStreamGetCaptureInfo (cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                          unsigned long long *id, cudaGraph_t *graph,
                          const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges,
                          size_t *n_dependencies)
{
  *status = spoilt             ? cudaStreamCaptureStatusInvalidated
            : captured != NULL ? cudaStreamCaptureStatusActive
                               : cudaStreamCaptureStatusNone;
  *graph = spoilt ? NULL : (cudaGraph_t)captured;
  return cudaSuccess;
}

cudaError_t
cudaStreamEndCapture (cudaStream_t stream, cudaGraph_t *graph)
{
  *graph = (cudaGraph_t)captured;
  captured = NULL;
  if (!spoilt)
    return cudaSuccess;
  cudaGraphDestroy (*graph);
  *graph = NULL;
  spoilt = false;
  return cudaErrorStreamCaptureInvalidated;
}

cudaError_t
cudaGraphGetNodes (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *n)
{
  const Graph *g = (const Graph *)graph;

  for (int i = 0; nodes != NULL && i < g->n; i++)
    nodes[i] = (cudaGraphNode_t)g->nodes[g->n - 1 - i];
  *n = (size_t)g->n;
  return cudaSuccess;
}

cudaError_t
cudaGraphNodeGetType (cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
  *type = is_kernel ((const Node *)node) ? cudaGraphNodeTypeKernel : cudaGraphNodeTypeMemset;
  return cudaSuccess;
}

cudaError_t
cudaGraphInstantiate (cudaGraphExec_t *executable, cudaGraph_t graph, unsigned long long flags)
{
  const Graph *from = (const Graph *)graph;
  Graph *to = calloc (1, sizeof *to);

  to->n = from->n;
  for (int i = 0; i < from->n; i++) {
    to->nodes[i] = aligned_alloc (64, sizeof (Node));
    *to->nodes[i] = *from->nodes[i];
    fake_cupti_clone (to->nodes[i], from->nodes[i]);
  }
  *executable = (cudaGraphExec_t)to;
  return cudaSuccess;
}

cudaError_t
cudaGraphUpload (cudaGraphExec_t executable, cudaStream_t stream)
{
  return cudaSuccess;
}

cudaError_t
cudaGraphLaunch (cudaGraphExec_t executable, cudaStream_t stream)
{
  Graph *g = (Graph *)executable;
  uint32_t id = fake_cupti_enter (1);
  cudaError_t status = cudaSuccess;

  for (int i = 0; i < g->n && status == cudaSuccess; i++) {
    status = g->nodes[i]->call (g->nodes[i]->data);
    fake_cupti_record (id, g->nodes[i]->name, fake_cupti_identify (g->nodes[i]));
  }
  if (id != 0)
    fake_cupti_exit (id, 1, status);
  return status;
}

cudaError_t
cudaGraphDestroy (cudaGraph_t graph)
{
  Graph *g = (Graph *)graph;

  for (int i = 0; g != NULL && i < g->n; i++)
    free (g->nodes[i]);
  free (g);
  return cudaSuccess;
}

cudaError_t
cudaGraphExecDestroy (cudaGraphExec_t executable)
{
  return cudaGraphDestroy ((cudaGraph_t)executable);
}
