/* SPDX-License-Identifier: MIT
 *
 * Running, timing and tracing prepared groups on the device's one stream.
 */
#include "app/backend/cuda/launch.h"

#include "app/measure/cupti.h"

#include <math.h>
#include <string.h>
#include <time.h>

/* The stream is kept busy this long before the first event, so that the launches of a plan are
 * queued when it is recorded and the host's launch times are not measured. */
#define HEAD_START_NS 60000

/* Adds to a device error which launch it happened in. */
static void
name_launch (GError **error, const Launch *launch)
{
  if (error != NULL && *error != NULL)
    g_prefix_error (error, "In %s (%s): ", launch->short_name, launch->implementation);
}

static gboolean
enqueue_all (CudaDevice *device, SeamPrepared *const *groups, int n_groups, GError **error)
{
  for (int i = 0; i < n_groups; i++) {
    GPtrArray *launches = groups[i]->launches;
    for (guint j = 0; j < launches->len; j++) {
      Launch *launch = launches->pdata[j];
      if (!launch->enqueue (device, launch, error)) {
        name_launch (error, launch);
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
  for (int i = 0; i < n_groups; i++) {
    GPtrArray *launches = groups[i]->launches;
    if (seam_cancel_check (cancel, error))
      return FALSE;
    for (guint j = 0; j < launches->len; j++) {
      Launch *launch = launches->pdata[j];
      /* Waiting after each one costs nothing here and says which one failed. */
      if (!launch->enqueue (device, launch, error)
          || !CUDA_TRY (cudaStreamSynchronize (device->stream), error)) {
        name_launch (error, launch);
        return FALSE;
      }
    }
  }
  return TRUE;
}

/* Replaces the L2's content with something no plan reads. */
static gboolean
flush_l2 (CudaDevice *device, GError **error)
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

/* One execution between the device's events, begun with everything before it finished. */
static gboolean
execute_timed (CudaDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
               GError **error)
{
  gboolean flush_first = (timing & SEAM_TIMING_COLD) && !(timing & SEAM_TIMING_FLUSH_INSIDE);
  gboolean flush_inside = (timing & SEAM_TIMING_COLD) && (timing & SEAM_TIMING_FLUSH_INSIDE);

  return CUDA_TRY (cudaStreamSynchronize (device->stream), error)
         && (!flush_first || flush_l2 (device, error))
         && CUDA_TRY (seam_cuda_wait (HEAD_START_NS, device->stream), error)
         && CUDA_TRY (cudaEventRecord (device->start, device->stream), error)
         && (!flush_inside || flush_l2 (device, error))
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

/* The mistake: a launch returns at once, so that this is the time of launching. The device is
 * waited for after the clock has been read. */
static gboolean
execute_on_host_clock (CudaDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
                       double *elapsed_ns, GError **error)
{
  double start = 0;

  if ((timing & SEAM_TIMING_COLD) && !(timing & SEAM_TIMING_FLUSH_INSIDE)
      && !flush_l2 (device, error))
    return FALSE;
  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error))
    return FALSE;
  start = host_ns ();
  if ((timing & SEAM_TIMING_COLD) && (timing & SEAM_TIMING_FLUSH_INSIDE)
      && !flush_l2 (device, error))
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
  sample->clock_mhz = seam_vitals_nvml_read_clock (device->nvml);
  sample->throttle = seam_vitals_nvml_read_throttle (device->nvml);
  return TRUE;
}

/* Every launch of the groups with the number it is pushed under, from 1. */
static gboolean
enqueue_traced (CudaDevice *device, SeamPrepared *const *groups, int n_groups, GError **error)
{
  guint64 id = 0;

  for (int i = 0; i < n_groups; i++) {
    GPtrArray *launches = groups[i]->launches;
    for (guint j = 0; j < launches->len; j++) {
      Launch *launch = launches->pdata[j];
      gboolean good;

      seam_cupti_push_launch (++id);
      good = launch->enqueue (device, launch, error);
      seam_cupti_pop_launch ();
      if (!good) {
        name_launch (error, launch);
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

/* cuDNN's own layout changes, by the names its kernels have had since version 7. */
static gboolean
is_layout_kernel (const char *name)
{
  g_autofree char *lower = g_ascii_strdown (name, -1);
  return strstr (lower, "nchwtonhwc") != NULL || strstr (lower, "nhwctonchw") != NULL
         || strstr (lower, "transpose") != NULL || strstr (lower, "nchw2nhwc") != NULL
         || strstr (lower, "nhwc2nchw") != NULL;
}

/* Whether `record` is the longest kernel of its launch: the one that carries the launch's name and
 * its bytes when a library call is several kernels. */
static gboolean
is_main_record (const SeamCuptiCapture *capture, guint index)
{
  const SeamCuptiRecord *record = &g_array_index (capture->records, SeamCuptiRecord, index);

  for (guint i = 0; i < capture->records->len; i++) {
    const SeamCuptiRecord *other = &g_array_index (capture->records, SeamCuptiRecord, i);
    if (i != index && other->launch == record->launch
        && (other->duration_ns > record->duration_ns
            || (other->duration_ns == record->duration_ns && i < index)))
      return FALSE;
  }
  return TRUE;
}

static void
add_record (SeamTrace *trace, const SeamCuptiCapture *capture, guint index, const Launch *launch,
            int group, double first_ns)
{
  const SeamCuptiRecord *record = &g_array_index (capture->records, SeamCuptiRecord, index);
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

static SeamTrace *
make_trace (SeamPrepared *const *groups, int n_groups, const SeamCuptiCapture *capture)
{
  SeamTrace *trace = seam_trace_new ();
  int n_unattributed = 0;
  double first = 0, end = 0;

  if (capture->records->len > 0)
    first = g_array_index (capture->records, SeamCuptiRecord, 0).start_ns;
  end = first;
  for (guint i = 0; i < capture->records->len; i++) {
    const SeamCuptiRecord *record = &g_array_index (capture->records, SeamCuptiRecord, i);
    int group = 0;
    const Launch *launch = find_launch (groups, n_groups, record->launch, &group);

    if (launch == NULL) {
      n_unattributed++;
      continue;
    }
    add_record (trace, capture, i, launch, group, first);
    trace->sum_ns += record->duration_ns;
    end = MAX (end, record->start_ns + record->duration_ns);
  }
  trace->span_ns = end - first;
  trace->n_launches = capture->n_launches;
  trace->n_records = capture->n_kernels;
  trace->n_rejected = capture->n_rejected;
  trace->n_dropped = capture->n_dropped;
  if (capture->n_kernels != capture->n_launches || n_unattributed > 0 || capture->n_rejected > 0
      || capture->n_dropped > 0)
    trace->note = g_strdup_printf (
        "CUPTI recorded %d of %d kernel launches (%d without valid times, %d dropped, %d without a "
        "launch), so the sum of kernels may be short.",
        capture->n_kernels, capture->n_launches, capture->n_rejected, capture->n_dropped,
        n_unattributed);
  return trace;
}

SeamTrace *
cuda_trace (SeamDevice *base, SeamPrepared *const *groups, int n_groups, gboolean cold,
            GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  g_autoptr (SeamCuptiCapture) capture = NULL;
  gboolean good;

  if (!cuda_device_enter (device, error))
    return NULL;
  /* The flush and the head start are over before the first launch that is recorded, or run ahead
   * of it in the stream: they are pushed under no launch, so no record of theirs is kept. */
  if (!CUDA_TRY (cudaStreamSynchronize (device->stream), error) || !seam_cupti_begin (error))
    return NULL;
  good = (!cold || flush_l2 (device, error))
         && CUDA_TRY (seam_cuda_wait (2 * HEAD_START_NS, device->stream), error)
         && enqueue_traced (device, groups, n_groups, error);
  capture = seam_cupti_end (good ? error : NULL);
  if (!good || capture == NULL)
    return NULL;
  return make_trace (groups, n_groups, capture);
}
