/* SPDX-License-Identifier: MIT
 *
 * The rates that the floor rests on. Bandwidth is the faster of the driver's copy and this
 * program's copy kernel, bytes read plus bytes written, with buffers far larger than the L2.
 */
#include "app/backend/cuda/rates.h"

#include "kernels/cuda/kernels.h"

#define COPY_BYTES   (G_GINT64_CONSTANT (512) << 20) /* each way; 0.25 ms on an H200 */
#define COPY_REPEATS 4

void
rates_from_data_sheet (int major, int minor, int n_processors, double clock_hz, double *fp32,
                       double *tf32)
{
  /* Fused multiply-adds for each clock and multiprocessor. FP32: CUDA C++ Programming Guide,
   * "Arithmetic Instructions". TF32: dense peaks in the data sheets of A100, GA102, AD102, H100,
   * B200 and GB202, divided by multiprocessors and boost clock. Missing values are unknown. */
  static const struct {
    int major, minor;
    double fp32, tf32;
  } parts[] = {
    { 7, 0, 64, 0 },    { 7, 5, 64, 0 },     { 8, 0, 64, 512 },    { 8, 6, 128, 128 },
    { 8, 9, 128, 128 }, { 9, 0, 128, 1024 }, { 10, 0, 128, 2048 }, { 12, 0, 128, 128 },
  };

  *fp32 = *tf32 = 0;
  for (guint i = 0; i < G_N_ELEMENTS (parts); i++) {
    if (parts[i].major == major && parts[i].minor == minor) {
      *fp32 = 2 * parts[i].fp32 * n_processors * clock_hz;
      *tf32 = 2 * parts[i].tf32 * n_processors * clock_hz;
    }
  }
}

static double
measure_copy (CudaDevice *device, float *to, const float *from, gboolean by_driver)
{
  double best = 0;

  for (int i = 0; i < COPY_REPEATS; i++) {
    float ms = 0;

    if (cudaEventRecord (device->start, device->stream) != cudaSuccess)
      return 0;
    if ((by_driver
             ? cudaMemcpyAsync (to, from, COPY_BYTES, cudaMemcpyDeviceToDevice, device->stream)
             : seam_cuda_copy (to, from, COPY_BYTES / 4, device->stream))
        != cudaSuccess)
      return 0;
    if (cudaEventRecord (device->end, device->stream) != cudaSuccess
        || cudaEventSynchronize (device->end) != cudaSuccess
        || cudaEventElapsedTime (&ms, device->start, device->end) != cudaSuccess)
      return 0;
    if (ms > 0)
      best = MAX (best, 2.0 * COPY_BYTES / (ms * 1e-3));
  }
  return best;
}

void
rates_measure (CudaDevice *device)
{
  SeamDeviceInfo *info = device->base.info;
  int clock_khz = 0, memory_khz = 0, bus_bits = 0;
  float *from = NULL, *to = NULL;
  gboolean measured = FALSE;

  cudaDeviceGetAttribute (&clock_khz, cudaDevAttrClockRate, device->ordinal);
  rates_from_data_sheet (device->major, device->minor, info->n_processors, clock_khz * 1e3,
                         &info->flop_fp32, &info->flop_tf32);
  info->peak_flop_fp32 = info->flop_fp32;
  info->peak_flop_tf32 = info->flop_tf32;
  /* Two transfers a clock. */
  if (cudaDeviceGetAttribute (&memory_khz, cudaDevAttrMemoryClockRate, device->ordinal)
          == cudaSuccess
      && cudaDeviceGetAttribute (&bus_bits, cudaDevAttrGlobalMemoryBusWidth, device->ordinal)
             == cudaSuccess)
    info->peak_bytes_per_s = 2.0 * memory_khz * 1e3 * bus_bits / 8;

  if (info->memory_free > 4 * COPY_BYTES && cudaMalloc ((void **)&from, COPY_BYTES) == cudaSuccess
      && cudaMalloc ((void **)&to, COPY_BYTES) == cudaSuccess
      && seam_cuda_fill (from, COPY_BYTES / 4, 0.7f, device->stream) == cudaSuccess) {
    double by_driver = measure_copy (device, to, from, TRUE);
    double by_kernel = measure_copy (device, to, from, FALSE);
    info->bytes_per_s = MAX (by_driver, by_kernel);
    measured = info->bytes_per_s > 0;
  }
  cudaFree (from);
  cudaFree (to);
  if (!measured) /* copies reach nine tenths of the peak at most */
    info->bytes_per_s = 0.9 * info->peak_bytes_per_s;
  cudaGetLastError ();
  g_free (info->rates_source);
  info->rates_source = g_strdup (
      measured ? "bandwidth measured here just now, arithmetic from the data sheet" : "data sheet");
}
