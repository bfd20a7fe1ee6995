/* SPDX-License-Identifier: MIT
 *
 * Runs and times prepared groups on the device's only stream: launch by launch, or as their
 * captured graph. Tracing is in cuda-trace.c.
 */
#include "app/backend/cuda/graph.h"
#include "app/backend/cuda/launch.h"

#include <time.h>

void
launch_name_error (const Launch *launch, GError **error)
{
  if (error != NULL && *error != NULL)
    g_prefix_error (error, "In %s (%s): ", launch->short_name, launch->implementation);
}

static gboolean
enqueue_all (CudaDevice *device, SeamPrepared *const *groups, int n_groups, GError **error)
{
  const CudaGraph *graph = cuda_graph_find (groups, n_groups);

  if (graph != NULL)
    return cuda_graph_launch (device, graph, error);
  for (int i = 0; i < n_groups; i++) {
    GPtrArray *launches = groups[i]->launches;
    for (guint j = 0; j < launches->len; j++) {
      Launch *launch = launches->pdata[j];
      if (!launch->enqueue (device, launch, error)) {
        launch_name_error (launch, error);
        return FALSE;
      }
    }
  }
  return TRUE;
}

gboolean
cuda_run (SeamDevice *base, SeamPrepared *const *groups, int n_groups, SeamCancel *cancel,
          GError **error)
{
  CudaDevice *device = (CudaDevice *)base;

  if (!cuda_device_enter (device, error))
    return FALSE;
  if (cuda_graph_find (groups, n_groups) != NULL) {
    if (seam_cancel_check (cancel, error))
      return FALSE;
    if (enqueue_all (device, groups, n_groups, error)
        && CUDA_TRY (cudaStreamSynchronize (device->stream), error))
      return TRUE;
    g_prefix_error (error, "In the CUDA graph of the plan: ");
    return FALSE;
  }
  for (int i = 0; i < n_groups; i++) {
    GPtrArray *launches = groups[i]->launches;
    if (seam_cancel_check (cancel, error))
      return FALSE;
    for (guint j = 0; j < launches->len; j++) {
      Launch *launch = launches->pdata[j];
      /* Waiting after each launch costs nothing here and shows which one failed. */
      if (!launch->enqueue (device, launch, error)
          || !CUDA_TRY (cudaStreamSynchronize (device->stream), error)) {
        launch_name_error (launch, error);
        return FALSE;
      }
    }
  }
  return TRUE;
}

gboolean
cuda_device_flush_l2 (CudaDevice *device, GError **error)
{
  if (device->flush == NULL) {
    gint64 bytes = MAX (2 * (gint64)device->base.info->l2_bytes, (gint64)16 << 20);
    void *data = NULL;
    if (!CUDA_TRY (cudaMalloc (&data, bytes), error))
      return FALSE;
    device->flush = data;
    device->flush_elements = bytes / 4;
  }
  return CUDA_TRY (seam_cuda_fill (device->flush, device->flush_elements, 0.25f, device->stream),
                   error);
}

/* Times one execution between the device's events, after everything before it has finished. */
static gboolean
execute_timed (CudaDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
               GError **error)
{
  gboolean flush_first = (timing & SEAM_TIMING_COLD) && !(timing & SEAM_TIMING_FLUSH_INSIDE);
  gboolean flush_inside = (timing & SEAM_TIMING_COLD) && (timing & SEAM_TIMING_FLUSH_INSIDE);

  return CUDA_TRY (cudaStreamSynchronize (device->stream), error)
         && (!flush_first || cuda_device_flush_l2 (device, error))
         && CUDA_TRY (seam_cuda_wait (CUDA_HEAD_START_NS, device->stream), error)
         && CUDA_TRY (cudaEventRecord (device->start, device->stream), error)
         && (!flush_inside || cuda_device_flush_l2 (device, error))
         && enqueue_all (device, groups, n_groups, error)
         && CUDA_TRY (cudaEventRecord (device->end, device->stream), error)
         && CUDA_TRY (cudaEventSynchronize (device->end), error);
}

static double
host_ns (void)
{
  struct timespec now;

  clock_gettime (CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

/* The pitfall of a host timer: a launch returns at once, so this measures the time of launching. It
 * waits for the device only after it has read the clock. */
static gboolean
execute_on_host_clock (CudaDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
                       double *elapsed_ns, GError **error)
{
  double start = 0;

  if ((timing & SEAM_TIMING_COLD) && !(timing & SEAM_TIMING_FLUSH_INSIDE)
      && !cuda_device_flush_l2 (device, error))
    return FALSE;
  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error))
    return FALSE;
  start = host_ns ();
  if ((timing & SEAM_TIMING_COLD) && (timing & SEAM_TIMING_FLUSH_INSIDE)
      && !cuda_device_flush_l2 (device, error))
    return FALSE;
  if (!enqueue_all (device, groups, n_groups, error))
    return FALSE;
  *elapsed_ns = host_ns () - start;
  return CUDA_TRY (cudaStreamSynchronize (device->stream), error);
}

gboolean
cuda_time (SeamDevice *base, SeamPrepared *const *groups, int n_groups, guint timing,
           SeamSample *sample, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  float ms = 0;

  if (!cuda_device_enter (device, error))
    return FALSE;
  if (timing & SEAM_TIMING_HOST) {
    if (!execute_on_host_clock (device, groups, n_groups, timing, &sample->elapsed_ns, error))
      return FALSE;
  } else {
    if (!execute_timed (device, groups, n_groups, timing, error)
        || !CUDA_TRY (cudaEventElapsedTime (&ms, device->start, device->end), error))
      return FALSE;
    sample->elapsed_ns = (double)ms * 1e6;
  }
  sample->clock_mhz = nvml_read_clock (device->nvml);
  sample->throttle = nvml_read_throttle (device->nvml);
  return TRUE;
}
