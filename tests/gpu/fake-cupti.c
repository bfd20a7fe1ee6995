/* SPDX-License-Identifier: MIT
 *
 * CUPTI's activity tracing as far as app/backend/cuda/cupti.c uses it, for the emulated module:
 * the subscriber hears of calls, and executions become records of one kernel or memset each.
 * SEAMSCOPE_EMULATE_NODES selects the node that the records of a graph name: "clone" (the node of
 * the executable graph; the default), "captured" (the one that it was made of), or "none".
 */
#include "tests/gpu/fake-graph.h"

#include <cupti.h>

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define MAX_CLONES 4096
/* The length of one step of the clock: a call, a kernel, or the time between them. */
#define STEP_NS 1000

static struct {
  CUpti_CallbackFunc callback;
  void *data;
  bool domains[CUPTI_CB_DOMAIN_SIZE];
  bool clones_wanted;
  bool kinds[CUPTI_ACTIVITY_KIND_COUNT];
  CUpti_BuffersCallbackRequestFunc request;
  CUpti_BuffersCallbackCompleteFunc complete;
  uint8_t *buffer;
  size_t size, filled;
  uint32_t last_id;
  uint64_t now;
} cupti;

static struct {
  void *clone, *original;
} clones[MAX_CLONES];
static int n_clones;

static uint64_t
tick (void)
{
  return cupti.now = (cupti.now > 0 ? cupti.now : 1700000000000000000) + STEP_NS;
}

uint64_t
fake_cupti_identify (void *node)
{
  const char *mode = getenv ("SEAMSCOPE_EMULATE_NODES");

  if (mode != NULL && strcmp (mode, "none") == 0)
    return 0;
  /* A later graph may reuse an address: the last clone counts. */
  for (int i = n_clones - 1; i >= 0 && mode != NULL && strcmp (mode, "captured") == 0; i--)
    if (clones[i % MAX_CLONES].clone == node)
      return (uint64_t)(uintptr_t)clones[i % MAX_CLONES].original;
  return (uint64_t)(uintptr_t)node;
}

static void
announce (CUpti_ApiCallbackSite site, uint32_t id, int is_graph, cudaError_t *status)
{
  CUpti_CallbackData info = {
    .callbackSite = site,
    .correlationId = id,
    .functionReturnValue = status,
  };

  if (cupti.domains[CUPTI_CB_DOMAIN_RUNTIME_API])
    cupti.callback (cupti.data, CUPTI_CB_DOMAIN_RUNTIME_API,
                    is_graph ? CUPTI_RUNTIME_TRACE_CBID_cudaGraphLaunch_v10000
                             : CUPTI_RUNTIME_TRACE_CBID_cudaLaunchKernel_v7000,
                    &info);
}

uint32_t
fake_cupti_enter (int is_graph)
{
  if (cupti.callback == NULL)
    return 0;
  announce (CUPTI_API_ENTER, ++cupti.last_id, is_graph, NULL);
  return cupti.last_id;
}

void
fake_cupti_exit (uint32_t id, int is_graph, cudaError_t status)
{
  announce (CUPTI_API_EXIT, id, is_graph, &status);
}

static void *
take (size_t size)
{
  void *at;

  if (cupti.buffer == NULL) {
    size_t max_records = 0;
    cupti.request (&cupti.buffer, &cupti.size, &max_records);
    cupti.filled = 0;
  }
  assert (cupti.buffer != NULL && cupti.filled + size <= cupti.size);
  at = cupti.buffer + cupti.filled;
  cupti.filled += (size + 7) / 8 * 8;
  return memset (at, 0, size);
}

void
fake_cupti_record (uint32_t id, const char *name, uint64_t node)
{
  if (id == 0 || cupti.callback == NULL)
    return;
  if (strcmp (name, "memset") != 0 && cupti.kinds[CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL]) {
    CUpti_ActivityKernel10 *kernel = take (sizeof *kernel);
    kernel->kind = CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL;
    kernel->start = tick ();
    kernel->end = tick ();
    kernel->correlationId = id;
    kernel->graphNodeId = node;
    kernel->name = strdup (name);
    kernel->gridX = kernel->gridY = kernel->gridZ = 1;
    kernel->blockX = kernel->blockY = kernel->blockZ = 1;
  }
}

void
fake_cupti_clone (void *clone, void *original)
{
  CUpti_GraphData graph = { .node = clone, .originalNode = original };
  CUpti_ResourceData resource = { .resourceDescriptor = &graph };

  clones[n_clones % MAX_CLONES].clone = clone;
  clones[n_clones++ % MAX_CLONES].original = original;
  if (cupti.callback != NULL && cupti.clones_wanted)
    cupti.callback (cupti.data, CUPTI_CB_DOMAIN_RESOURCE, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED,
                    &resource);
}

/* --- the library's functions --- */

CUptiResult
cuptiSubscribe_v2 (CUpti_SubscriberHandle *subscriber, CUpti_CallbackFunc callback, void *data,
                   CUpti_SubscriberParams *params)
{
  if (cupti.callback != NULL)
    return CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED;
  cupti.callback = callback;
  cupti.data = data;
  *subscriber = (CUpti_SubscriberHandle)1;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiUnsubscribe (CUpti_SubscriberHandle subscriber)
{
  cupti.callback = NULL;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableDomain (uint32_t enable, CUpti_SubscriberHandle subscriber, CUpti_CallbackDomain domain)
{
  cupti.domains[domain] = enable;
  if (domain == CUPTI_CB_DOMAIN_RESOURCE)
    cupti.clones_wanted = enable;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiEnableCallback (uint32_t enable, CUpti_SubscriberHandle subscriber,
                     CUpti_CallbackDomain domain, CUpti_CallbackId id)
{
  if (domain == CUPTI_CB_DOMAIN_RESOURCE && id == CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED)
    cupti.clones_wanted = enable;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityEnable (CUpti_ActivityKind kind)
{
  /* This kind would hide the kernels of a graph. */
  assert (kind != CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
  cupti.kinds[kind] = true;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityDisable (CUpti_ActivityKind kind)
{
  cupti.kinds[kind] = false;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityRegisterCallbacks (CUpti_BuffersCallbackRequestFunc request,
                                CUpti_BuffersCallbackCompleteFunc complete)
{
  cupti.request = request;
  cupti.complete = complete;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityFlushAll (uint32_t flag)
{
  uint8_t *buffer = cupti.buffer;

  cupti.buffer = NULL;
  if (buffer != NULL)
    cupti.complete (NULL, 0, buffer, cupti.size, cupti.filled);
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityGetNextRecord (uint8_t *buffer, size_t n_valid_bytes, CUpti_Activity **record)
{
  size_t at = *record == NULL ? 0
                              : (size_t)((uint8_t *)*record - buffer)
                                    + (sizeof (CUpti_ActivityKernel10) + 7) / 8 * 8;

  if (at >= n_valid_bytes)
    return CUPTI_ERROR_MAX_LIMIT_REACHED;
  *record = (CUpti_Activity *)(buffer + at);
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiActivityGetNumDroppedRecords (CUcontext context, uint32_t stream, size_t *dropped)
{
  *dropped = 0;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetGraphNodeId (CUgraphNode node, uint64_t *id)
{
  *id = (uint64_t)(uintptr_t)node;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetTimestamp (uint64_t *timestamp)
{
  *timestamp = tick ();
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetVersion (uint32_t *version)
{
  *version = 130000;
  return CUPTI_SUCCESS;
}

CUptiResult
cuptiGetResultString (CUptiResult result, const char **text)
{
  *text = "an emulated error";
  return CUPTI_SUCCESS;
}
