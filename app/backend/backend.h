/* SPDX-License-Identifier: MIT
 *
 * The interface of backends: a struct of functions that execute groups of ops on a target. `cpu`,
 * `cuda` (a module, opened at run time) and `reference` (FP64) implement it; outside of
 * app/backend/ only app/runner/ and app/measure/ call its functions. Calls on one device come from
 * one thread at a time, not always the same thread.
 */
#pragma once

#include "app/backend/bound.h"
#include "app/backend/listing.h"
#include "app/backend/source.h"
#include "app/base/error.h"
#include "app/plan/traffic.h"
#include "app/result/calibration.h"
#include "app/result/check.h"
#include "app/result/result.h"
#include "kernels/operand.h"

typedef struct SeamBackend SeamBackend;

/* Base of every backend's device; a backend embeds it first. */
typedef struct {
  const SeamBackend *backend;
  SeamDeviceInfo *info;         /* owned by the device; memory_free dates from the opening */
  SeamDeviceInfo *uncalibrated; /* `info` as it was before its calibration was applied; owned */
  gint64 private_cache_bytes;   /* of all caches together that reads fill before the last level; 0:
                                 * none */
  double reference_macs; /* multiply-adds of the FP64 reference that take it some seconds; 0: the
                          * host computes it */
  gboolean keeps_code;   /* threads of a person's code may still run: it stays loaded, and nothing
                          * that they may use is freed; the process should end soon */
} SeamDevice;

/* Device memory; opaque to callers. */
typedef struct SeamBuffer SeamBuffer;

/* One group of a plan, ready to run; opaque to callers. */
typedef struct SeamPrepared SeamPrepared;

typedef enum {
  SEAM_SUPPORT_YES,   /* one kernel, one library call, or the passes the mathematics needs */
  SEAM_SUPPORT_SPLIT, /* runs, but as several launches with the tensor through memory between them,
                       * which is no real fusion; `reason` says why */
  SEAM_SUPPORT_NO,    /* cannot run; `reason` says why */
} SeamSupportLevel;

typedef struct {
  SeamSupportLevel level;
  char *implementation; /* the one that would execute it (of the main op if SPLIT) */
  char *executed;       /* "cudnn", "cublaslt", "generated", "cudnn + generated", for people */
  char *reason;         /* one sentence; NULL for an unremarkable YES */
  int n_kernels;        /* expected launches; -1 unknown */
  /* Bytes that copies of operands move beside the group's modelled bytes (app/plan/traffic.h): a
   * copy is written, and read instead of the operand. And whether the target knows all copies
   * before it prepares the group. */
  gboolean knows_copies;
  double copied_bytes;
  /* Bytes of the results of parts of sets, which a finishing kernel merges; 0: there is none. */
  double partial_bytes;
} SeamSupport;

extern const SeamRecordType seam_support_type;
void seam_support_clear (SeamSupport *support);

/* The group that supports() and prepare() are asked about. */
typedef struct {
  const SeamProblem *problem;
  const SeamPlan *plan;
  int group;
  SeamMathMode math_mode;
  const char *edit; /* the person's text for a group that is “@edited”; NULL: none */
  /* A group of one op, by the simplest kernel: what other ways are compared with (candidate.h). */
  gboolean plainly;
} SeamGroupSpec;

/* The message if a plan says “@edited” without an edited text. */
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
  /* The host's call for the launch, on the same clock, with tracing on; NaN: unknown, or no
   * call. */
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
  double clock_mhz;       /* SM clock right after; NaN: unknown */
  char *note;             /* irregularities, a sentence; NULL */
} SeamTrace;

/* Lets every user read hardware counters, after a restart. */
#define SEAM_COUNTERS_REMEDY                                                                       \
  "echo 'options nvidia NVreg_RestrictProfilingToAdminUsers=0' | sudo tee "                        \
  "/etc/modprobe.d/nvidia-counters.conf"

/* Hardware counters of one kernel; NaN: the chip lacks the counter. */
typedef struct {
  double dram_bytes_read, dram_bytes_written, l2_bytes;
  double dram_percent, sm_percent, tensor_percent; /* of peak, over the kernel's duration */
  double occupancy_percent, l2_percent;
  double l2_sm_bytes;
} SeamCounters;

SeamTrace *seam_trace_new (void);
void seam_trace_free (SeamTrace *trace);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTrace, seam_trace_free)

typedef struct {
  double clock_mhz, power_w, temperature_c; /* NaN unknown */
} SeamVitals;

/* How an execution is timed. The last two are mistakes, made only for a pitfall. */
typedef enum {
  SEAM_TIMING_COLD = 1 << 0,         /* L2 flushed before the first kernel */
  SEAM_TIMING_HOST = 1 << 1,         /* CUDA: host clock around the launches, without waiting for
                                      * the device; CPU: processor time of all threads together */
  SEAM_TIMING_FLUSH_INSIDE = 1 << 2, /* with COLD: the flush is part of the time */
} SeamTiming;

/* One op of the FP64 reference on a device. `values` and `bounds` are doubles, by tensor number. */
typedef struct {
  const SeamProblem *problem; /* of the samples at hand */
  int op;                     /* of chain 0 */
  int given;                  /* instead of an op: the tensor to be widened; -1: none */
  gint64 given_first;         /* its first element */
  gboolean given_is_rounded;  /* by rule->given, where it is stored in 16 bits */
  SeamBuffer *const *tensors; /* what is given, and parameters, by tensor number */
  SeamBuffer *const *params;  /* the op's own, in FP32; NULL: has none */
  SeamBuffer *const *values, *const *bounds;
  const SeamBoundRule *rule;
  SeamBuffer *squares, *errors; /* doubles, as many as outputs, where rule->reach is over 0 */
  SeamBuffer
      *narrow; /* takes the bounds in FP32 instead, as `values` from `first` on; NULL: none */
  gint64 first;
  SeamBuffer *counts; /* two 64-bit numbers: inputs below and above the op's numbers; NULL */
} SeamReferenceStep;

struct SeamBackend {
  const char *name; /* "cpu", "cuda", "reference" */

  /* Appends a SeamDeviceInfo for every target of this backend; a target that cannot be opened has a
   * reason and a remedy. Cheap: no context is kept. */
  void (*probe) (GPtrArray *infos);
  /* Appends the doctor's rows of this backend (SeamCheck): libraries with path and version, driver,
   * devices, tracing, counters, each with its remedy. */
  void (*check) (GPtrArray *checks);

  SeamDevice *(*open) (const char *target, GError **error);
  void (*close) (SeamDevice *device); /* accepts NULL */
  /* Free bytes at the moment. */
  guint64 (*get_free_memory) (SeamDevice *device);

  SeamBuffer *(*allocate) (SeamDevice *device, gint64 bytes, GError **error);
  void (*release) (SeamDevice *device, SeamBuffer *buffer); /* accepts NULL */
  gboolean (*upload) (SeamDevice *device, SeamBuffer *buffer, gint64 offset, const void *data,
                      gint64 bytes, GError **error);
  gboolean (*download) (SeamDevice *device, void *data, SeamBuffer *buffer, gint64 offset,
                        gint64 bytes, GError **error);
  /* Fills the buffer with quiet NaN (poison). Polls `cancel` (may be NULL) if that takes long. */
  gboolean (*poison) (SeamDevice *device, SeamBuffer *buffer, SeamCancel *cancel, GError **error);

  void (*supports) (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support);

  /* The code that would execute the group: array of SeamSource in launch order. Takes no memory on
   * the device and runs nothing. SEAM_ERROR_UNSUPPORTED if supports() says no. NULL function: this
   * target shows no code. */
  GPtrArray *(*get_source) (SeamDevice *device, const SeamGroupSpec *spec, GError **error);

  /* The compiler's listing for source `part` of get_source()'s array. Compiles, and runs nothing of
   * it. `cancel` may be NULL. SEAM_ERROR_UNSUPPORTED with the reason and, if there is one, the
   * remedy: a part in words, a kind of another target, a missing tool, code that does not compile.
   * NULL function: no listings. */
  SeamListing *(*get_listing) (SeamDevice *device, const SeamGroupSpec *spec, int part,
                               SeamListingKind kind, SeamCancel *cancel, GError **error);

  /* Compiles, chooses algorithms, takes workspace. `tensors` is indexed by tensor number
   * (SEAM_TENSOR_…), NULL for tensors that are not materialised; buffers must outlive the prepared
   * group. `cancel` may be NULL; it must outlive the prepared group, too, because time() and
   * trace(), which have no own one, may poll it and end with SEAM_ERROR_CANCELLED. Without
   * `tensors` (NULL) it only compiles the text of an “@edited” group, for its mistakes. */
  SeamPrepared *(*prepare) (SeamDevice *device, const SeamGroupSpec *spec,
                            SeamBuffer *const *tensors, SeamCancel *cancel, GError **error);
  void (*free_prepared) (SeamDevice *device, SeamPrepared *prepared); /* accepts NULL */
  /* "cudnn", "generated", "cudnn + generated"; borrowed from the prepared group. */
  const char *(*get_executed) (SeamPrepared *prepared);
  /* A sentence if another implementation executes the group than supports() said, or NULL;
   * borrowed. NULL function: never. */
  const char *(*get_note) (SeamPrepared *prepared);

  /* How the kernel that writes the group's output divides it into tiles. NULL: unknown. */
  void (*get_tile) (SeamPrepared *prepared, SeamTile *tile);

  /* Executes the groups in order once and waits for the end. Does not time. */
  gboolean (*run) (SeamDevice *device, SeamPrepared *const *groups, int n_groups,
                   SeamCancel *cancel, GError **error);

  /* Captures the groups, in this order and after they have run, as one graph. From then on run(),
   * time() and trace() of the same groups launch the graph, while count() still launches every
   * kernel. The graph is freed with the first group. SEAM_ERROR_UNSUPPORTED with a sentence if they
   * cannot be captured; then nothing has changed. NULL function: this target has no graphs. */
  gboolean (*capture) (SeamDevice *device, SeamPrepared *const *groups, int n_groups,
                       GError **error);

  /* Executes once and times it. With SEAM_TIMING_COLD in `timing`, L2 is flushed before the first
   * kernel, never between kernels. Fills elapsed_ns, clock_mhz and throttle of `sample`. */
  gboolean (*time) (SeamDevice *device, SeamPrepared *const *groups, int n_groups, guint timing,
                    SeamSample *sample, GError **error);

  /* Executes once and records every kernel. Only for devices with SEAM_ABILITY_TRACE.
   * SEAM_ERROR_UNSUPPORTED if tracing is impossible here; the message says why. */
  SeamTrace *(*trace) (SeamDevice *device, SeamPrepared *const *groups, int n_groups, gboolean cold,
                       GError **error);

  /* Executes once with hardware counters, which replay every kernel as often as necessary: array of
   * SeamCounters, one per kernel in launch order. Only for devices with SEAM_ABILITY_COUNTERS.
   * SEAM_ERROR_UNSUPPORTED if counters are not permitted here; the message says why. */
  GArray *(*count) (SeamDevice *device, SeamPrepared *const *groups, int n_groups, GError **error);

  /* Reduces |a - b| on the device that holds the tensors; fills all of `difference` except its
   * spec. `a` has elements of the type spec.stored, `b` the same or (b_is_double) doubles. `bounds`
   * has the bound of each element's error in FP32; NULL: unknown. */
  gboolean (*compare) (SeamDevice *device, SeamBuffer *a, SeamBuffer *b, gboolean b_is_double,
                       SeamBuffer *bounds, SeamDifference *difference, GError **error);

  /* to[0 .. n) = elements of `from` from `first` on, of type `type`, as FP32; with `scale` over 0
   * the squares of (|x| + least) * scale. */
  gboolean (*spread) (SeamDevice *device, SeamBuffer *to, SeamBuffer *from, SeamOperandType type,
                      gint64 first, gint64 n, double least, double scale, GError **error);
  /* The bounds of the output of op `last` of a chain (app/backend/bound.h), of each element in
   * FP32, into `bounds` from element `first` on. `tensors` has the parameters, and what the matrix
   * op number `matrix` made of the operands as its output; `squares` is what it made of their
   * squares, the root of which times `unscale` counts. */
  gboolean (*bound) (SeamDevice *device, const SeamProblem *problem, const SeamChain *chain,
                     int matrix, int last, SeamBuffer *const *tensors, const SeamBoundRule *rule,
                     SeamBuffer *squares, double unscale, SeamBuffer *bounds, gint64 first,
                     SeamCancel *cancel, GError **error);

  /* Computes one op of the FP64 reference and its bounds. NULL function: the host computes it. */
  gboolean (*reference) (SeamDevice *device, const SeamReferenceStep *step, GError **error);

  void (*get_vitals) (SeamDevice *device, SeamVitals *vitals); /* may be NULL */

  /* Measures the rates of the device's info again and keeps the better of each, in under 0.15 s.
   * NULL if other programs do not disturb the rates. */
  void (*refresh_rates) (SeamDevice *device);

  /* One timed execution of a microbenchmark, of some milliseconds: how much it did (bytes,
   * operations, launches) and how long that took. `bytes` is the working set of copy (both sides
   * together), read and write; the others ignore it. Memory is taken on the first call and kept for
   * later ones, so the largest working set should come first. SEAM_ERROR_UNSUPPORTED if this target
   * has no such rate; the message says why. NULL function: the target cannot be calibrated. */
  gboolean (*benchmark) (SeamDevice *device, SeamRateKind kind, gint64 bytes, double *amount,
                         double *time_ns, GError **error);
  void (*end_benchmarks) (SeamDevice *device); /* frees that memory */
};

extern const SeamBackend seam_backend_cpu;

/* How many elements of a reference took each part of its maps (SeamOpAttributes.parts). */
typedef struct {
  gint64 n; /* of the last op's elements */
  gint64 parts[SEAM_MAX_OPS][SEAM_N_OP_PARTS];
} SeamReferenceUse;

/* The FP64 reference: plain loops in double precision. Computes the output of `chain` 0 from host
 * tensors (indexed by tensor number: input and parameters; others NULL) into `output` (doubles,
 * output's size) and, by `rule` (app/backend/bound.h), how far a right implementation may be from
 * it into `bounds` (both NULL: not). Adds to `use` (may be NULL). Polls `cancel`; `progress` (0..1)
 * may be NULL. Slow and obviously right. */
gboolean seam_reference_run (const SeamProblem *problem, float *const *tensors,
                             const SeamBoundRule *rule, double *output, float *bounds,
                             SeamReferenceUse *use, SeamCancel *cancel,
                             void (*progress) (double fraction, gpointer data),
                             gpointer progress_data, GError **error);

/* Whether each sample of the output needs only its own sample of the values before it. */
gboolean seam_reference_has_separate_samples (const SeamProblem *problem);
/* The same on a device that has a reference of its own: from its `tensors` into its buffers
 * `output` (doubles; NULL: not kept) and `bounds` (FP32), in parts where memory is short. Sets
 * `use`. SEAM_ERROR_UNSUPPORTED: the device has none. In device-reference.c. */
gboolean seam_device_reference (SeamDevice *device, const SeamProblem *problem,
                                SeamBuffer *const *tensors, const SeamBoundRule *rule,
                                SeamBuffer *output, SeamBuffer *bounds, SeamReferenceUse *use,
                                SeamCancel *cancel,
                                void (*progress) (double fraction, gpointer data),
                                gpointer progress_data, GError **error);

/* What a matrix op made of the operands, and of their squares; as many samples as the problem has.
 * Operands are scaled before they are squared, so that FP32 does not overflow: the root of a number
 * of `squares`, times `unscale`, is that of the sum of the products' squares. */
typedef struct {
  const float *sums, *squares;
  double unscale;
} SeamReferenceSums;

/* Only the bounds of the output of op `last` of a chain, without the sums of the matrix op number
 * `matrix`, which are `given`. */
gboolean seam_reference_bound (const SeamProblem *problem, const SeamChain *chain, int matrix,
                               int last, float *const *tensors, const SeamBoundRule *rule,
                               const SeamReferenceSums *given, float *bounds, SeamCancel *cancel,
                               GError **error);
/* The bounds of the output of op `last` of a chain, of each element in FP32, into `bounds`: of ops
 * that fuse with the matrix op number `matrix`, whose input is exact. `tensors` (that input and
 * parameters) and `bounds` are the device's. `plainly`: by the simplest
 * kernels (SeamGroupSpec). Takes the samples in several parts if there is not enough memory. In
 * device-bound.c. */
gboolean seam_device_bound (SeamDevice *device, const SeamProblem *problem, const SeamChain *chain,
                            int matrix, int last, SeamBuffer *const *tensors,
                            const SeamBoundRule *rule, gboolean plainly, SeamBuffer *bounds,
                            SeamCancel *cancel, GError **error);

/* A part of one sample's output (of one row's for a matmul, whose planes are 1 x 1): whole rows of
 * the planes of some channels. */
typedef struct {
  gint64 sample;
  gint64 first_channel, n_channels;
  gint64 first_row, n_rows;
} SeamReferencePart;

/* What a part needs: samples of the input, and multiply-adds. */
typedef struct {
  gint64 first_sample, n_samples;
  double macs;
} SeamReferenceNeed;

void seam_reference_get_need (const SeamProblem *problem, const SeamReferencePart *part,
                              SeamReferenceNeed *need);
/* The same for one part, into `values` and `bounds` [n_channels, n_rows, Q]. `input` has the
 * samples that the part needs; the input in `tensors` is not read. Uses all threads. */
gboolean seam_reference_run_part (const SeamProblem *problem, float *const *tensors,
                                  const float *input, const SeamReferencePart *part,
                                  const SeamBoundRule *rule, double *values, float *bounds,
                                  SeamReferenceUse *use, SeamCancel *cancel, GError **error);
/* "This input tests no part above clamp's upper bound: 0 of 896 elements." NULL: every part of the
 * chain was taken. Newly allocated. */
char *seam_reference_describe_use (const SeamProblem *problem, const SeamReferenceUse *use);

/* All targets of all backends: the CPU first, then GPUs (or one unavailable GPU with the reason: no
 * module, no driver, no device). Opens each module once. Array of SeamDeviceInfo. */
GPtrArray *seam_backend_list_targets (void);
/* `target`: "cpu", "cuda:0", or NULL for the best (a GPU that works, else the CPU). If the person's
 * data folder has a calibration of the device, its rates are used. */
SeamDevice *seam_backend_open (const char *target, GError **error);
void seam_device_close (SeamDevice *device);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDevice, seam_device_close)

/* A backend by its name, or NULL with the reason (newly allocated): for instance, its module was
 * not built or lacks a library. */
const SeamBackend *seam_backend_find (const char *name, char **reason);
/* Appends the doctor's rows of all backends, and a row for each module that cannot be opened. */
void seam_backend_check_all (GPtrArray *checks);
/* Name of the function that a backend module exports: `const SeamBackend *seam_backend_module
 * (void)`. */
#define SEAM_BACKEND_MODULE_SYMBOL "seam_backend_module"
