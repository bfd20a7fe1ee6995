/* SPDX-License-Identifier: MIT
 *
 * Kernel records of one execution, attributed to the launches of the plan. Without a graph, CUPTI's
 * correlation ids distinguish the launches. With a graph, one call starts all kernels: a record
 * names its node of the graph, and graph.c knows which launch that belongs to.
 */
#include "app/backend/cuda/cupti.h"
#include "app/backend/cuda/graph.h"
#include "app/backend/cuda/launch.h"

#include <math.h>
#include <string.h>

/* Enqueues every launch of the groups, and announces its number to CUPTI, from 1 on. */
static gboolean
enqueue_traced (CudaDevice *device, SeamPrepared *const *groups, int n_groups, GError **error)
{
  guint64 id = 0;

  for (int i = 0; i < n_groups; i++) {
    GPtrArray *launches = groups[i]->launches;
    for (guint j = 0; j < launches->len; j++) {
      Launch *launch = launches->pdata[j];

      cupti_push_launch (++id);
      gboolean good = launch->enqueue (device, launch, error);
      cupti_pop_launch ();
      if (!good) {
        launch_name_error (launch, error);
        return FALSE;
      }
    }
  }
  return CUDA_TRY (cudaStreamSynchronize (device->stream), error);
}

static const Launch *
find_launch (SeamPrepared *const *groups, int n_groups, guint64 id, int *group)
{
  for (int i = 0; i < n_groups; i++) {
    GPtrArray *launches = groups[i]->launches;
    if (id >= 1 && id <= launches->len) {
      *group = groups[i]->group;
      return launches->pdata[id - 1];
    }
    id -= MIN (id, launches->len);
    if (id == 0)
      break;
  }
  return NULL;
}

/* Whether this is one of cuDNN's own layout changes, by the names of its kernels since version
 * 7. */
static gboolean
is_layout_kernel (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  return strstr (lower, "nchwtonhwc") != NULL || strstr (lower, "nhwctonchw") != NULL
         || strstr (lower, "transpose") != NULL || strstr (lower, "nchw2nhwc") != NULL
         || strstr (lower, "nhwc2nchw") != NULL;
}

/* Whether `record` is the longest kernel of its launch. If a library call consists of several
 * kernels, this one carries the launch's name and bytes. */
static gboolean
is_main_record (const CuptiCapture *capture, guint index)
{
  const CuptiRecord *record = &g_array_index (capture->records, CuptiRecord, index);

  for (guint i = 0; i < capture->records->len; i++) {
    const CuptiRecord *other = &g_array_index (capture->records, CuptiRecord, i);
    if (i != index && other->launch == record->launch
        && (other->duration_ns > record->duration_ns
            || (other->duration_ns == record->duration_ns && i < index)))
      return FALSE;
  }
  return TRUE;
}

static void
add_record (SeamTrace *trace, const CuptiCapture *capture, guint index, const Launch *launch,
            int group, double first_ns)
{
  const CuptiRecord *record = &g_array_index (capture->records, CuptiRecord, index);
  gboolean main_record = is_main_record (capture, index);
  SeamTraceRecord to = { 0 };

  to.name = g_strdup (record->name);
  to.group = group;
  to.first_op = launch->first_op;
  to.last_op = launch->last_op;
  to.implementation = g_strdup (launch->implementation);
  to.is_copy = launch->is_copy;
  if (main_record) {
    to.short_name = g_strdup (launch->short_name);
  } else if (!record->is_kernel || is_layout_kernel (record->name)) {
    to.short_name = g_strdup_printf ("%s %s", launch->short_name,
                                     !record->is_kernel ? record->name : "layout change");
    to.is_copy = TRUE;
  } else {
    to.short_name = g_strdup_printf ("%s, auxiliary", launch->short_name);
  }
  to.start_ns = record->start_ns - first_ns;
  to.duration_ns = record->duration_ns;
  to.call_start_ns = record->call_start_ns - first_ns;
  to.call_ns = record->call_ns;
  to.bytes = main_record ? launch->bytes : NAN;
  to.registers = record->registers;
  to.shared_bytes = record->shared_bytes;
  memcpy (to.grid, record->grid, sizeof to.grid);
  memcpy (to.block, record->block, sizeof to.block);
  g_array_append_val (trace->records, to);
}

/* `n_launches`: the number of requested kernel launches. */
static SeamTrace *
make_trace (SeamPrepared *const *groups, int n_groups, const CuptiCapture *capture, int n_launches)
{
  SeamTrace *trace = seam_trace_new ();
  int n_unattributed = 0;
  double first = 0, end = 0;

  if (capture->records->len > 0)
    first = g_array_index (capture->records, CuptiRecord, 0).start_ns;
  end = first;
  for (guint i = 0; i < capture->records->len; i++) {
    const CuptiRecord *record = &g_array_index (capture->records, CuptiRecord, i);
    int group = 0;
    const Launch *launch = find_launch (groups, n_groups, record->launch, &group);

    if (launch == NULL) {
      n_unattributed += record->is_kernel;
      continue;
    }
    add_record (trace, capture, i, launch, group, first);
    trace->sum_ns += record->duration_ns;
    end = MAX (end, record->start_ns + record->duration_ns);
  }
  trace->span_ns = end - first;
  trace->clock_mhz = capture->clock_mhz;
  trace->n_launches = n_launches;
  /* A kernel without a launch means that some launch lacks one. */
  trace->n_records = capture->n_kernels - n_unattributed;
  trace->n_rejected = capture->n_rejected;
  trace->n_dropped = capture->n_dropped;
  if (capture->n_kernels != n_launches || n_unattributed > 0 || capture->n_rejected > 0
      || capture->n_dropped > 0)
    trace->note = g_strdup_printf (
        "CUPTI recorded %d of %d kernel launches (%d without valid times, %d dropped, %d without a "
        "launch), so the sum of kernels may be short.",
        capture->n_kernels, n_launches, capture->n_rejected, capture->n_dropped, n_unattributed);
  return trace;
}

/* Work that is not recorded: it ends before the first recorded launch, or runs ahead of it in the
 * stream, and has no launch number. */
static gboolean
lead_in (CudaDevice *device, gboolean cold, GError **error)
{
  return (!cold || cuda_device_flush_l2 (device, error))
         && CUDA_TRY (seam_cuda_wait (2 * CUDA_HEAD_START_NS, device->stream), error);
}

/* Reads the clock as after a timed execution: at once, since CUPTI takes its time. */
static CuptiCapture *
end_capture (CudaDevice *device, gboolean good, GError **error)
{
  double clock_mhz = nvml_read_clock (device->nvml);
  CuptiCapture *capture = cupti_end (good ? error : NULL);

  if (!good)
    g_clear_pointer (&capture, cupti_capture_free);
  if (capture != NULL)
    capture->clock_mhz = clock_mhz;
  return capture;
}

/* Captures one execution; NULL with the error. */
static CuptiCapture *
capture_launches (CudaDevice *device, SeamPrepared *const *groups, int n_groups, gboolean cold,
                  GError **error)
{
  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error) || !cupti_begin (error))
    return NULL;
  gboolean good = lead_in (device, cold, error) && enqueue_traced (device, groups, n_groups, error);
  return end_capture (device, good, error);
}

static gboolean
enqueue_graph (CudaDevice *device, const CudaGraph *graph, gboolean cold, GError **error)
{
  cudaGraphExec_t executable;

  /* Instantiates the graph again while CUPTI is on, which reports the nodes cloned into it. The
   * executable that is timed never runs with CUPTI on. */
  for (guint i = 0; i < graph->nodes->len; i++) {
    const CudaGraphNode *node = &g_array_index (graph->nodes, CudaGraphNode, i);
    cupti_add_node (node->node, node->launch);
  }
  executable = cuda_graph_instantiate (device, graph, error);
  if (executable == NULL)
    return FALSE;
  gboolean good = lead_in (device, cold, error);
  if (good) {
    cupti_push_graph ();
    good = CUDA_TRY (cudaGraphLaunch (executable, device->stream), error);
    cupti_pop_launch ();
  }
  good = good && CUDA_TRY (cudaStreamSynchronize (device->stream), error);
  cudaGraphExecDestroy (executable);
  return good;
}

static gboolean
is_attributed (const CuptiCapture *capture)
{
  for (guint i = 0; i < capture->records->len; i++)
    if (g_array_index (capture->records, CuptiRecord, i).launch == 0)
      return FALSE;
  return TRUE;
}

/* Fallback if CUPTI did not name the nodes: a graph captured from one stream runs the same kernels
 * in the same order as the stream. Used only if every name agrees. */
static void
attribute_by_order (CuptiCapture *capture, const CuptiCapture *launched)
{
  if (capture->records->len != launched->records->len)
    return;
  for (guint i = 0; i < capture->records->len; i++)
    if (strcmp (g_array_index (capture->records, CuptiRecord, i).name,
                g_array_index (launched->records, CuptiRecord, i).name)
        != 0)
      return;
  for (guint i = 0; i < capture->records->len; i++)
    g_array_index (capture->records, CuptiRecord, i).launch =
        g_array_index (launched->records, CuptiRecord, i).launch;
}

static SeamTrace *
trace_graph (CudaDevice *device, const CudaGraph *graph, SeamPrepared *const *groups, int n_groups,
             gboolean cold, GError **error)
{
  g_autoptr (CuptiCapture) capture = NULL;
  gboolean good, by_order;

  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error) || !cupti_begin (error))
    return NULL;
  good = enqueue_graph (device, graph, cold, error);
  capture = end_capture (device, good, error);
  if (capture == NULL)
    return NULL;
  by_order = !is_attributed (capture);
  if (by_order) {
    g_autoptr (CuptiCapture) launched = capture_launches (device, groups, n_groups, cold, error);
    if (launched == NULL)
      return NULL;
    attribute_by_order (capture, launched);
  }
  SeamTrace *trace = make_trace (groups, n_groups, capture, graph->n_kernels);
  if (by_order && trace->note == NULL)
    trace->note = g_strdup ("CUPTI did not name the nodes of the graph, so its kernels were told "
                            "apart by their order and names.");
  return trace;
}

SeamTrace *
cuda_trace (SeamDevice *base, SeamPrepared *const *groups, int n_groups, gboolean cold,
            GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  const CudaGraph *graph = cuda_graph_find (groups, n_groups);
  g_autoptr (CuptiCapture) capture = NULL;

  if (!cuda_device_enter (device, error))
    return NULL;
  if (graph != NULL)
    return trace_graph (device, graph, groups, n_groups, cold, error);
  capture = capture_launches (device, groups, n_groups, cold, error);
  return capture != NULL ? make_trace (groups, n_groups, capture, capture->n_launches) : NULL;
}
