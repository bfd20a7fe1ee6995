/* SPDX-License-Identifier: MIT
 *
 * The CUDA module's one exported function. The module can be loaded on a machine without a driver:
 * it links the runtime and the libraries, which load libcuda themselves when a GPU is used.
 */
#include "app/backend/cuda/cuda-device.h"

const SeamBackend cuda_backend = {
  .name = "cuda",
  .probe = cuda_probe,
  .check = cuda_check,
  .open = cuda_open,
  .close = cuda_close,
  .get_free_memory = cuda_get_free_memory,
  .allocate = cuda_allocate,
  .release = cuda_release,
  .upload = cuda_upload,
  .download = cuda_download,
  .poison = cuda_poison,
  .supports = cuda_supports,
  .get_source = cuda_get_source,
  .get_listing = cuda_get_listing,
  .prepare = cuda_prepare,
  .free_prepared = cuda_free_prepared,
  .get_executed = cuda_get_executed,
  .get_tile = cuda_get_tile,
  .get_note = cuda_get_note,
  .run = cuda_run,
  .capture = cuda_capture,
  .time = cuda_time,
  .trace = cuda_trace,
  .count = cuda_count,
  .compare = cuda_compare,
  .spread = cuda_spread,
  .bound = cuda_bound,
  .reference = cuda_reference,
  .get_vitals = cuda_get_vitals,
  .benchmark = cuda_benchmark,
  .end_benchmarks = cuda_end_benchmarks,
};

const SeamBackend *seam_backend_module (void);

__attribute__ ((visibility ("default"))) const SeamBackend *
seam_backend_module (void)
{
  return &cuda_backend;
}
