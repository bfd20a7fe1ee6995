/* SPDX-License-Identifier: MIT
 *
 * Hardware counters of every kernel of one execution, from CUPTI's range profiler: each kernel is
 * replayed as often as the counters need, its memory restored in between. Compiled as CUDA because
 * CUPTI's header for this is C++. Knows no GLib.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define CUPTI_COUNTERS_MESSAGE 512

typedef struct {
  void *library;              /* of dlopen(): libcupti */
  int ordinal;                /* of the device */
  void *context;              /* CUcontext, current */
  const char *const *metrics; /* as ncu names them: "dram__bytes_read.sum" */
  int n_metrics;              /* at most 32 */
  int max_kernels;            /* room in `values` */
  int (*run) (void *data);    /* enqueues and waits; 0 when all went well */
  void *data;
  double *values; /* [max_kernels][n_metrics], NaN where the chip has no such metric */
  int n_kernels;  /* out: in the order of their launches */
  int n_passes;   /* out */
  char message[CUPTI_COUNTERS_MESSAGE]; /* out: why not, a sentence without full stop at the end */
} CuptiCounterRequest;

/* 1 when counters were collected, 0 with `message`. Whatever happens, the profiler is off after it
 * and tracing works again. */
int cupti_counters_collect (CuptiCounterRequest *request);

#ifdef __cplusplus
}
#endif
