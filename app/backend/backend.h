/* SPDX-License-Identifier: MIT
 *
 * What a backend is: one struct of functions that executes groups of ops on a target. `cpu`, `cuda`
 * (a module, opened at run time) and `reference` (FP64) implement it; outside of app/backend/ only
 * app/runner/ and app/measure/ call its functions. Calls on one device come from one thread at a
 * time, not always the same thread.
 */
#pragma once

#include "app/backend/listing.h"
#include "app/backend/source.h"
#include "app/base/error.h"
#include "app/plan/traffic.h"
#include "app/result/calibration.h"
#include "app/result/check.h"
#include "app/result/result.h"
#include "kernels/operand.h"

G_BEGIN_DECLS

typedef struct SeamBackend SeamBackend;

/* Base of every backend's device; a backend embeds it first. */
typedef struct {
  const SeamBackend *backend;
  SeamDeviceInfo *info;         /* owned by the device; memory_free is of the time of opening */
  SeamDeviceInfo *uncalibrated; /* `info` as it was before its calibration was applied; owned */
  gint64 private_cache_bytes;   /* of all caches nearer than the last level that reads fill,
                                   together; 0: none */
} SeamDevice;

/* Device memory; opaque to callers. */
typedef struct SeamBuffer SeamBuffer;

/* One group of a plan, ready to run; opaque to callers. */
typedef struct SeamPrepared SeamPrepared;

typedef enum {
  SEAM_SUPPORT_YES,   /* one kernel, one library call, or the passes the mathematics needs */
  SEAM_SUPPORT_SPLIT, /* runs, but as several launches with the tensor through memory between: not a
                         real fusion; `reason` says why */
  SEAM_SUPPORT_NO,    /* cannot run; `reason` says why */
} SeamSupportLevel;

typedef struct {
  SeamSupportLevel level;
  char *implementation; /* that would execute it (of the main op when SPLIT) */
  char *executed; /* "cudnn", "cublaslt", "generated", "cudnn + generated": words for people */
  char *reason;   /* one sentence; NULL for an unremarkable YES */
  int n_kernels;  /* launches expected; -1 unknown */
  /* What copies of operands move beside the group's modelled bytes (app/plan/traffic.h), where the
   * target knows all copies before it prepares the group. */
  gboolean knows_copies;
  double copied_bytes;
} SeamSupport;

extern const SeamRecordType seam_support_type;
void seam_support_clear (SeamSupport *support);

/* What supports() and prepare() are asked about. */
typedef struct {
  const SeamProblem *problem;
  const SeamPlan *plan;
  int group;
  SeamMathMode math_mode;
  const char *edit; /* the text for a group that is “@edited”; NULL: none */
} SeamGroupSpec;

/* What a person reads where a plan says “@edited” and no edited text comes with it. */
#define SEAM_BACKEND_NO_EDIT                                                                          \
  "“@edited” needs the edited code, and none comes with this plan: edit the group in the Source " \
  "tab, "                                                                                             \
  "or give its file with “--edit”."

/* Kernel records of one traced execution of a plan. */
typedef struct {
  char *name;
  char *short_name;
  int group, first_op, last_op;
  char *implementation;
  gboolean is_copy;
  double start_ns, duration_ns; /* start relative to the first kernel of the execution */
  /* The host's call for it, on the same clock, with tracing on; NaN: unknown, or no call. */
  double call_start_ns, call_ns;
  double bytes; /* modelled; NaN unknown */
  int registers;
  gint64 shared_bytes;
  gint64 grid[3], block[3];
} SeamTraceRecord;

typedef struct {
  GArray *records; /* of SeamTraceRecord, in start order; cleared by the array's clear function */
  int n_launches, n_records, n_rejected, n_dropped;
  double span_ns, sum_ns; /* first start to last end; sum of durations */
  char *note;             /* what is odd, a sentence; NULL */
} SeamTrace;

/* What hardware counters found of one kernel; NaN: the chip has no such counter. */
typedef struct {
  double dram_bytes_read, dram_bytes_written, l2_bytes;
  double dram_percent, sm_percent, tensor_percent; /* of peak, over the kernel's duration */
  double occupancy_percent;
} SeamCounters;

SeamTrace *seam_trace_new (void);
void seam_trace_free (SeamTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTrace, seam_trace_free)

typedef struct {
  double clock_mhz, power_w, temperature_c; /* NaN unknown */
  char *throttle; /* newly allocated; "none", "power cap, thermal"; NULL unknown */
} SeamVitals;

/* How an execution is timed. The last two are mistakes, made where a pitfall is asked for. */
typedef enum {
  SEAM_TIMING_COLD = 1 << 0,         /* L2 flushed before the first kernel */
  SEAM_TIMING_HOST = 1 << 1,         /* CUDA: host clock around the launches only, the device is not
                                        waited for; CPU: processor time of all threads together */
  SEAM_TIMING_FLUSH_INSIDE = 1 << 2, /* with COLD: the flush is part of the time */
} SeamTiming;

struct SeamBackend {
  const char *name; /* "cpu", "cuda", "reference" */

  /* Appends a SeamDeviceInfo for every target of this backend, those that cannot be opened with
   * reason and remedy. Cheap: no context is kept. */
  void (*probe) (GPtrArray *infos);
  /* Appends the doctor's rows of this backend (SeamCheck): libraries with path and version, driver,
   * devices, tracing, counters, each with its remedy. */
  void (*check) (GPtrArray *checks);

  SeamDevice *(*open) (const char *target, GError **error);
  void (*close) (SeamDevice *device); /* accepts NULL */
  /* Free bytes now. */
  guint64 (*get_free_memory) (SeamDevice *device);

  SeamBuffer *(*allocate) (SeamDevice *device, gint64 bytes, GError **error);
  void (*release) (SeamDevice *device, SeamBuffer *buffer); /* accepts NULL */
  gboolean (*upload) (SeamDevice *device, SeamBuffer *buffer, gint64 offset, const void *data,
                      gint64 bytes, GError **error);
  gboolean (*download) (SeamDevice *device, void *data, SeamBuffer *buffer, gint64 offset,
                        gint64 bytes, GError **error);
  /* Fills with quiet NaN (poison). `cancel` (may be NULL) is polled where that takes long. */
  gboolean (*poison) (SeamDevice *device, SeamBuffer *buffer, SeamCancel *cancel, GError **error);

  void (*supports) (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support);

  /* The code that would execute the group: array of SeamSource in launch order. Takes no memory on
   * the device and runs nothing. SEAM_ERROR_UNSUPPORTED where supports() says no. NULL: none. */
  GPtrArray *(*get_source) (SeamDevice *device, const SeamGroupSpec *spec, GError **error);

  /* What a compiler makes of source `part` of get_source()'s array. Compiles, and runs nothing of
   * it. `cancel` may be NULL. SEAM_ERROR_UNSUPPORTED with the reason and, where there is one, the
   * remedy: a part in words, a kind of another target, a tool that is missing, code that does not
   * compile. NULL function: no listings. */
  SeamListing *(*get_listing) (SeamDevice *device, const SeamGroupSpec *spec, int part,
                               SeamListingKind kind, SeamCancel *cancel, GError **error);

  /* Compiles, chooses algorithms, takes workspace. `tensors` is indexed by tensor number
   * (SEAM_TENSOR_…), NULL where not materialised; buffers must outlive the prepared group.
   * `cancel` may be NULL; it must outlive the prepared group too, because time() and trace(), which
   * have none of their own, may poll it and end with SEAM_ERROR_CANCELLED. */
  SeamPrepared *(*prepare) (SeamDevice *device, const SeamGroupSpec *spec,
                            SeamBuffer *const *tensors, SeamCancel *cancel, GError **error);
  void (*free_prepared) (SeamDevice *device, SeamPrepared *prepared); /* accepts NULL */
  /* "cudnn", "generated", "cudnn + generated"; borrowed from the prepared group. */
  const char *(*get_executed) (SeamPrepared *prepared);
  /* A sentence where something else executes it than supports() said, or NULL; borrowed. NULL
   * function: never. */
  const char *(*get_note) (SeamPrepared *prepared);

  /* How the kernel that writes the group's output divides it. NULL: not known. */
  void (*get_tile) (SeamPrepared *prepared, SeamTile *tile);

  /* Executes the groups in order once and waits for the end. No timing. */
  gboolean (*run) (SeamDevice *device, SeamPrepared *const *groups, int n_groups,
                   SeamCancel *cancel, GError **error);

  /* Captures the groups, in this order and after they have run, as one graph: from then on run(),
   * time() and trace() of the same groups launch that, and count() goes on kernel by kernel. It is
   * freed with the first group. SEAM_ERROR_UNSUPPORTED with the sentence where they cannot be
   * captured; nothing has changed then. NULL function: this target has no graphs. */
  gboolean (*capture) (SeamDevice *device, SeamPrepared *const *groups, int n_groups,
                       GError **error);

  /* Executes once and times it: L2 flushed before the first kernel when SEAM_TIMING_COLD is set in
   * `timing`, never between kernels. Fills elapsed_ns, clock_mhz and throttle of `sample`. */
  gboolean (*time) (SeamDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
                    SeamSample *sample, GError **error);

  /* Executes once and records every kernel. Devices with SEAM_ABILITY_TRACE have it.
   * SEAM_ERROR_UNSUPPORTED: it cannot here, the message says why. */
  SeamTrace *(*trace) (SeamDevice *device, SeamPrepared *const *groups, int n_groups, gboolean cold,
                       GError **error);

  /* Executes once with hardware counters, every kernel replayed as often as they need: array of
   * SeamCounters, one a kernel in launch order. Devices with SEAM_ABILITY_COUNTERS have it.
   * SEAM_ERROR_UNSUPPORTED: it may not here, the message says why. */
  GArray *(*count) (SeamDevice *device, SeamPrepared *const *groups, int n_groups, GError **error);

  /* Reduces |a - b| where the tensors live; fills everything of `difference` but its spec. `a`
   * holds elements of the type spec.stored, `b` the same or (b_is_double) doubles. */
  gboolean (*compare) (SeamDevice *device, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
                       SeamDifference *difference, GError **error);

  void (*get_vitals) (SeamDevice *device, SeamVitals *vitals); /* may be NULL */

  /* Measures the rates of the device's info once more and keeps the better of each, in under
   * 0.15 s. NULL where other programs do not spoil them. */
  void (*refresh_rates) (SeamDevice *device);

  /* One timed execution of a microbenchmark, of some milliseconds: what it did (bytes, operations,
   * launches) and how long that took. `bytes` is the working set of copy (both sides together),
   * read and write; the others ignore it. Memory is taken on the first call and kept for the next;
   * the largest working set should come first. SEAM_ERROR_UNSUPPORTED: this target has no such
   * rate, the message says why. NULL function: it cannot be calibrated. */
  gboolean (*benchmark) (SeamDevice *device, SeamRateKind kind, gint64 bytes, double *amount,
                         double *time_ns, GError **error);
  void (*end_benchmarks) (SeamDevice *device); /* gives that memory back */
};

extern const SeamBackend seam_backend_cpu;

/* The reference: plain loops in double precision. Computes the output of `chain` 0 from host
 * tensors (indexed by tensor number: input and parameters; others NULL) into `output` (doubles,
 * output's size). Polls `cancel`; `progress` (0..1) may be NULL. Slow and obviously right. */
gboolean seam_reference_run (const SeamProblem *problem, float *const *tensors, double *output,
                             SeamCancel *cancel, void (*progress) (double fraction, gpointer data),
                             gpointer progress_data, GError **error);

/* A part of one sample's output (of one row's, for a matmul, whose planes are 1 x 1): whole rows of
 * the planes of some channels. With a GroupNorm in the chain its groups have to be whole. */
typedef struct {
  gint64 sample;
  gint64 first_channel, n_channels;
  gint64 first_row, n_rows;
} SeamReferencePart;

/* The same for one part: into `values` [n_channels, n_rows, Q]. `input` is the sample's [C, H, W];
 * the input among `tensors` is not read. Uses all threads. */
gboolean seam_reference_run_part (const SeamProblem *problem, float *const *tensors,
                                  const float *input, const SeamReferencePart *part, double *values,
                                  SeamCancel *cancel, GError **error);

/* All targets of all backends: the CPU first, then GPUs (or one that is not available, with the
 * reason: no module, no driver, no device). Opens each module once. Array of SeamDeviceInfo. */
GPtrArray *seam_backend_list_targets (void);
/* "cpu", "cuda:0", or NULL for the best there is (a GPU that works, else the CPU). The rates of its
 * description are those of its calibration, where the person's data folder has one. */
SeamDevice *seam_backend_open (const char *target, GError **error);
void seam_device_close (SeamDevice *device);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDevice, seam_device_close)

/* A backend by its name, or NULL with the reason (newly allocated): its module is not built, lacks
 * a library, … */
const SeamBackend *seam_backend_find (const char *name, char **reason);
/* Appends the doctor's rows of all backends, and one for each module that cannot be opened. */
void seam_backend_check_all (GPtrArray *checks);
/* Name of the function a backend module exports: `const SeamBackend *seam_backend_module (void)`.
 */
#define SEAM_BACKEND_MODULE_SYMBOL "seam_backend_module"

G_END_DECLS
