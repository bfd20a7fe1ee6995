/* SPDX-License-Identifier: MIT
 *
 * An open GPU: stream, events, library handles, workspace, and earlier answers and choices. The
 * files of the CUDA backend share this struct and the launches of launch.h; no code outside
 * app/backend/cuda uses either.
 */
#pragma once

#include "app/backend/backend.h"
#include "app/backend/choices.h"
#include "app/backend/cuda/cuda-check.h"
#include "app/backend/cuda/nvml.h"

#include <cuda.h>

typedef struct {
  SeamDevice base;
  int ordinal;
  int major, minor; /* compute capability */
  int shared_limit; /* dynamic shared memory available to one block, bytes */
  /* Blocks of a hand-written kernel that takes all of the shared memory, as many as the GPU holds
   * at once: blocks a multiprocessor x multiprocessors that this process may use. */
  int n_resident_blocks;
  cudaStream_t stream;
  cudaEvent_t start, end;
  cublasLtHandle_t cublaslt; /* made on first use */
  cudnnHandle_t cudnn;       /* made on first use */
  /* Shared by all library calls. It grows while groups are prepared, so launches read it when they
   * are enqueued. */
  void *workspace;
  gsize workspace_bytes;
  float *flush; /* twice the L2, made on the first cold run */
  gint64 flush_elements;
  void *staging; /* pinned memory for uploads and downloads */
  Nvml *nvml;
  SeamChoices *choices; /* the fastest variant of each library call */
  GHashTable *answers;  /* cuDNN's answers on fused graphs: text -> sentence, "" for yes */
  void *benchmark;      /* memory of cuda-benchmark.c; NULL until needed */
  gint64 benchmark_bytes;
  struct CudaProduct *product; /* matrix product of the benchmark; NULL until needed */
} CudaDevice;

struct SeamBuffer {
  void *data;
  gint64 bytes;
};

/* Makes the device current in the calling thread; every entry point calls it first. */
gboolean cuda_device_enter (CudaDevice *device, GError **error);
/* The runtime's context of the calling thread. The driver API is found through the runtime, so that
 * nothing links libcuda. SEAM_ERROR_UNSUPPORTED. */
gboolean cuda_device_get_context (CUcontext *context, GError **error);
gboolean cuda_device_reserve_workspace (CudaDevice *device, gsize bytes, GError **error);
/* The largest workspace that an algorithm may take now. */
gsize cuda_device_workspace_limit (CudaDevice *device);
cublasLtHandle_t cuda_device_get_cublaslt (CudaDevice *device, GError **error);
cudnnHandle_t cuda_device_get_cudnn (CudaDevice *device, GError **error);

extern const SeamBackend cuda_backend; /* module.c */

/* How long the stream is kept busy before a timed plan, so that the plan's launches are queued when
 * it begins, and the host's launch times are not measured. */
#define CUDA_HEAD_START_NS 60000
/* Replaces the L2's content by data that no plan reads. */
gboolean cuda_device_flush_l2 (CudaDevice *device, GError **error); /* cuda-execute.c */

/* Backend functions (backend.h), by file. */
void cuda_probe (GPtrArray *infos);
SeamDevice *cuda_open (const char *target, GError **error);
void cuda_close (SeamDevice *device);
void cuda_check (GPtrArray *checks); /* cuda-doctor.c */

guint64 cuda_get_free_memory (SeamDevice *device); /* cuda-memory.c */
SeamBuffer *cuda_allocate (SeamDevice *device, gint64 bytes, GError **error);
void cuda_release (SeamDevice *device, SeamBuffer *buffer);
gboolean cuda_upload (SeamDevice *device, SeamBuffer *buffer, gint64 offset, const void *data,
                      gint64 bytes, GError **error);
gboolean cuda_download (SeamDevice *device, void *data, SeamBuffer *buffer, gint64 offset,
                        gint64 bytes, GError **error);
gboolean cuda_poison (SeamDevice *device, SeamBuffer *buffer, SeamCancel *cancel, GError **error);

void cuda_supports (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support);
GPtrArray *cuda_get_source (SeamDevice *device, const SeamGroupSpec *spec, GError **error);
SeamListing *cuda_get_listing (SeamDevice *device, const SeamGroupSpec *spec, int part,
                               SeamListingKind kind, SeamCancel *cancel, GError **error);
SeamPrepared *cuda_prepare (SeamDevice *device, const SeamGroupSpec *spec,
                            SeamBuffer *const *tensors, SeamCancel *cancel, GError **error);
void cuda_free_prepared (SeamDevice *device, SeamPrepared *prepared);
const char *cuda_get_executed (SeamPrepared *prepared);
void cuda_get_tile (SeamPrepared *prepared, SeamTile *tile);
const char *cuda_get_note (SeamPrepared *prepared);

gboolean cuda_run (SeamDevice *device, SeamPrepared *const *groups, int n_groups,
                   SeamCancel *cancel, GError **error);
gboolean cuda_capture (SeamDevice *device, SeamPrepared *const *groups, int n_groups,
                       GError **error); /* graph.c */
gboolean cuda_time (SeamDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
                    SeamSample *sample, GError **error);
SeamTrace *cuda_trace (SeamDevice *device, SeamPrepared *const *groups, int n_groups, gboolean cold,
                       GError **error);
GArray *cuda_count (SeamDevice *device, SeamPrepared *const *groups, int n_groups, GError **error);
gboolean cuda_compare (SeamDevice *device, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
                       SeamBuffer *bounds, SeamDifference *difference, GError **error);
/* cuda-bound.c */
gboolean cuda_spread (SeamDevice *device, SeamBuffer *to, SeamBuffer *from, SeamOperandType type,
                      gint64 first, gint64 n, double least, double scale, GError **error);
gboolean cuda_bound (SeamDevice *device, const SeamProblem *problem, const SeamChain *chain,
                     int matrix, int last, SeamBuffer *const *tensors, const SeamBoundRule *rule,
                     SeamBuffer *squares, double unscale, SeamBuffer *bounds, gint64 first,
                     SeamCancel *cancel, GError **error);
gboolean cuda_reference (SeamDevice *device, const SeamReferenceStep *step,
                         GError **error); /* cuda-reference.c */
gboolean cuda_benchmark (SeamDevice *device, SeamRateKind kind, gint64 bytes, double *amount,
                         double *time_ns, GError **error); /* cuda-benchmark.c */
void cuda_end_benchmarks (SeamDevice *device);
void cuda_get_vitals (SeamDevice *device, SeamVitals *vitals);
