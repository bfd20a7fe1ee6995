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
  void *library;              /* libcupti, from dlopen() */
  int ordinal;                /* of the device */
  void *context;              /* CUcontext, current */
  const char *const *metrics; /* as ncu names them: "dram__bytes_read.sum" */
  int n_metrics;              /* at most 32 */
  int max_kernels;            /* room in `values` */
  int (*run) (void *data);    /* enqueues and waits; 0 on success */
  void *data;
  double *values; /* [max_kernels][n_metrics], NaN if the chip has no such metric */
  int n_kernels;  /* out: in the order of their launches */
  int n_passes;   /* out */
  char message[CUPTI_COUNTERS_MESSAGE]; /* out: why it failed, a sentence without its full stop */
} CuptiCounterRequest;

/* 1 if counters were collected, 0 with `message`. In any case the profiler is off afterwards, and
 * tracing works again. */
int cupti_counters_collect (CuptiCounterRequest *request);

#ifdef __cplusplus
}
#endif
