/* SPDX-License-Identifier: MIT
 *
 * Hardware counters of a plan's kernels: which ones are read, and whether this process may read
 * them.
 */
#include "app/backend/cuda/cupti-counters.h"
#include "app/backend/cuda/cupti.h"
#include "app/backend/cuda/launch.h"

#include <cuda.h>
#include <math.h>
#include <string.h>

/* What multiprocessors ask the L2 for, as calibration counts it. lts__t_bytes also counts what the
 * two halves of an H200's L2 send each other: 1.56 times as much for an elementwise kernel (ncu).
 */
#define SECTORS      "lts__t_sectors_srcunit_tex.sum"
#define SECTOR_BYTES 32

/* In the order of SeamCounters. */
static const char *const metrics[] = {
  "dram__bytes_read.sum",
  "dram__bytes_write.sum",
  "lts__t_bytes.sum",
  "gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
  "sm__throughput.avg.pct_of_peak_sustained_elapsed",
  "sm__pipe_tensor_cycles_active.avg.pct_of_peak_sustained_elapsed",
  "sm__warps_active.avg.pct_of_peak_sustained_active",
  "lts__throughput.avg.pct_of_peak_sustained_elapsed",
  SECTORS,
};

G_STATIC_ASSERT (sizeof (SeamCounters) == G_N_ELEMENTS (metrics) * sizeof (double));

/* Room for a library call that is several kernels. */
#define KERNELS_A_LAUNCH 8

typedef struct {
  CudaDevice *device;
  SeamPrepared *const *groups;
  int n_groups;
  GError *error;
} Execution;

static int
execute_cb (void *data)
{
  Execution *e = data;

  for (int i = 0; i < e->n_groups; i++) {
    GPtrArray *launches = e->groups[i]->launches;
    for (guint j = 0; j < launches->len; j++) {
      Launch *launch = launches->pdata[j];
      if (!launch->enqueue (e->device, launch, &e->error))
        return 1;
    }
  }
  return CUDA_TRY (cudaStreamSynchronize (e->device->stream), &e->error) ? 0 : 1;
}

GArray *
cuda_count (SeamDevice *base, SeamPrepared *const *groups, int n_groups, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  Execution execution = { device, groups, n_groups, NULL };
  CuptiCounterRequest request = {
    .ordinal = device->ordinal,
    .metrics = metrics,
    .n_metrics = G_N_ELEMENTS (metrics),
    .run = execute_cb,
    .data = &execution,
  };
  g_autofree char *reason = NULL, *remedy = NULL;
  CUcontext context = NULL;

  if (!cupti_counters_allowed (&reason, &remedy))
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED, "Hardware counters were not read. %s%s%s",
                           reason, remedy != NULL ? " " : "", remedy != NULL ? remedy : "");
  if (!cuda_device_enter (device, error) || !cuda_device_get_context (&context, error))
    return NULL;
  request.context = context;
  request.library = cupti_get_handle ();
  for (int i = 0; i < n_groups; i++)
    request.max_kernels += (int)groups[i]->launches->len * KERNELS_A_LAUNCH;
  g_autofree SeamCounters *values = g_new0 (SeamCounters, request.max_kernels);
  request.values = (double *)values;
  if (!cupti_counters_collect (&request)) {
    if (execution.error != NULL)
      g_propagate_error (error, execution.error);
    else
      g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                   "Hardware counters were not read: %s.", request.message);
    return NULL;
  }
  for (int i = 0; i < request.n_kernels; i++)
    values[i].l2_sm_bytes *= SECTOR_BYTES;
  GArray *counters = g_array_new (FALSE, FALSE, sizeof (SeamCounters));
  g_array_append_vals (counters, values, (guint)request.n_kernels);
  return counters;
}
