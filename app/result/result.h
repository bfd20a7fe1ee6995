/* SPDX-License-Identifier: MIT
 *
 * The result of a run, as immutable plain data: all samples, kernel records and the difference of
 * each plan, and the provenance. It travels from worker to window, becomes CSV and JSON, and is all
 * that figures need. Knows no backend. app/report/plans.h writes it as CSV, because a row contains
 * its verdict.
 */
#pragma once

#include "app/base/statistics.h"
#include "app/pipeline/pipeline.h"
#include "app/result/device.h"
#include "app/result/difference.h"
#include "app/result/edit.h"
#include "app/result/pitfall.h"
#include "app/result/throttle.h"
#include "app/result/tile.h"
#include "app/settings/settings.h"

/* One timed execution of a plan. */
typedef struct {
  double elapsed_ns; /* CUDA: between events, CUPTI off. CPU: monotonic clock */
  double clock_mhz;  /* SM clock right after; NaN: unknown */
  int order;         /* position in the true order of all samples of the run, from 0 */
  gint32 throttle;   /* why the clock was low right after, see throttle.h; 0: unknown */
} SeamSample;

/* One kernel (CUDA) or one group (CPU) of a plan, over all traced executions. */
typedef struct {
  char *name;            /* full, demangled */
  char *short_name;      /* "conv2d", "groupnorm apply" */
  int group;             /* index of the group in the plan */
  int first_op, last_op; /* indices of ops in the chain */
  char *implementation;  /* "cudnn", "generated", … */
  gboolean is_copy;      /* a layout change that a library needs; drawn as a copy */
  double median_ns;
  double start_ns; /* median distance from the first kernel's start; the segment is drawn there */
  /* Median time of the host's call, from the first kernel's start, so mostly below 0, and median
   * duration of the call with tracing on; NaN: unknown, or no call of its own. */
  double call_start_ns, call_ns;
  double bytes; /* modelled; NaN: unknown */
  /* Bytes of one execution, counted by the hardware; NaN: not measured. */
  double dram_bytes_read, dram_bytes_written;
  double l2_bytes;     /* bytes between L2 and everything else */
  double l2_sm_bytes;  /* of these, between L2 and the multiprocessors */
  double dram_percent; /* of peak throughput over the kernel's duration, as the next three */
  double sm_percent, tensor_percent, l2_percent;
  double occupancy_percent; /* warps on an SM, in percent of the warps that fit on it */
  int n_samples;
  double *samples_ns;       /* owned */
  double *starts_ns;        /* of each sample, from the start of the execution's first kernel; NULL:
                             * unknown, as in older sessions. Owned */
  int registers;            /* for each thread; -1: unknown */
  gint64 shared_bytes;      /* for each block, static + dynamic; -1: unknown */
  gint64 grid[3], block[3]; /* 0: unknown */
} SeamKernel;

extern const SeamRecordType seam_sample_type, seam_kernel_type;
/* The largest position in a chain that a file may state. */
#define SEAM_MAX_OP 255
/* Makes all fields unknown, as in the table of fields. `kernel` may be uninitialised memory. */
void seam_kernel_init (SeamKernel *kernel);
/* Whether counters see it. They do not see a memset or a copy by the driver, which has no grid. */
gboolean seam_kernel_is_counted (const SeamKernel *kernel);
/* Bytes between chip and memory by counters; 0 for a memset beside a kernel, which moves hardly
 * any. NaN: not measured. */
double seam_kernel_get_counted_bytes (const SeamKernel *kernel);
/* Under this share of the time, in percent, the tensor cores count as unused. */
#define SEAM_TENSOR_UNUSED 1.0

typedef enum {
  SEAM_PLAN_MEASURED,
  SEAM_PLAN_STOPPED_EARLY, /* has samples, but the person pressed Stop */
  SEAM_PLAN_NOT_MEASURED,  /* no valid sample; `message` says why */
  SEAM_PLAN_FAULTED,       /* the device or worker was lost while it ran */
} SeamPlanState;

typedef struct {
  char *name;     /* "published" or NULL */
  char *notation; /* canonical, parses back */
  char *executed; /* notation with the implementation of every group: "conv@cudnn|…@generated" */
  gboolean exhibit;
  SeamPlanState state;
  char *message; /* a message about this plan ("conv2d cannot be joined …"), or NULL */

  int n_groups;
  SeamTile *tiles; /* how each group's output is written; NULL: not recorded; owned */
  int n_samples;
  SeamSample *samples;                     /* all samples, in order; owned */
  int n_places;                            /* places in memory in which it was timed; 0: unknown */
  double median_ns, ci_low_ns, ci_high_ns; /* NaN without enough samples */
  double span_median_ns, kernels_sum_median_ns; /* NaN if not traced */
  int n_traces;
  double trace_clock_mhz;                /* median SM clock right after these; NaN unknown */
  int n_kernels;                         /* distinct launches of one execution; -1: not traced */
  SeamKernel *kernels;                   /* owned; n_kernels of them in launch order */
  int n_launches, n_records, n_rejected; /* of the last traced execution; n_rejected: zero or
                                          * reversed */
  double bytes, flop;                    /* modelled */
  /* The first estimate for exactly these settings, from before any run of them, and, if they had
   * been run, the elapsed median of the last run and when that began; NaN, NULL: none. */
  double guess_ns, recalled_ns;
  char *recalled_at;

  SeamDifference *difference; /* from the plan compared with; NULL when this is that plan, or
                                 not compared; owned */
  gboolean stable;            /* output after timing equals the output before, bit by bit; TRUE if
                               * it was not run again (stopped) */
} SeamPlanResult;

extern const SeamRecordType seam_plan_result_type;
/* The plan's name, else its notation. */
const char *seam_plan_result_get_name (const SeamPlanResult *plan);
/* Median and 95 % interval of the samples, which become those of the plan; without samples it keeps
 * its own. Every plan that is measured or read has them from here. */
SeamMedian seam_plan_result_summarise (SeamPlanResult *plan);
/* How many executions were traced of which every kernel has its duration; 0: none. */
int seam_plan_result_count_executions (const SeamPlanResult *plan);
/* How long no kernel ran before `kernel` in one of these executions; 0: it is the first, or began
 * before the other ended. NaN: the starts were not kept. */
double seam_plan_result_get_gap (const SeamPlanResult *plan, int kernel, int execution);

/* What a device did while plans were timed: each sample has the clock and the reasons for a low one
 * right after it. Files of every version have it if their samples do. */
#define SEAM_N_REASONS 30
typedef struct {
  int n_known;                   /* samples whose reasons are known */
  int n_slowed;                  /* of these, slowed by the device because of power or heat */
  int n_samples[SEAM_N_REASONS]; /* with each bit of throttle.h */
  double low_mhz, median_mhz;    /* NaN: unknown */
} SeamUnderLoad;

typedef struct {
  gatomicrefcount ref_count;
  char *pipeline_id;
  char *pipeline_text;    /* the .ini text, so that a result can be drawn without the file */
  gsize is_parsed;        /* into one of the next two, by seam_result_get_pipeline() */
  SeamPipeline *pipeline; /* owned reference */
  GError *pipeline_error; /* owned */
  char *shape;            /* "batch=128,…" */
  char *shape_text;       /* for people */
  gint64 *values;         /* shape fields, n_values of them; owned */
  int n_values;
  char *preset;           /* NULL if the shape is not that of a preset */
  SeamSettings settings;  /* resolved: what ran, even if something else was requested */
  SeamDeviceInfo *device; /* owned */
  char *program_version;
  char *started_at; /* ISO 8601, UTC */
  char *trace_note; /* why there are no kernel records, or what is odd about them; NULL: nothing */
  char *throttle;   /* of all samples, "SW power cap in 100 % of samples, SM clock
                     * 1.44 GHz of 1.98", "none"; NULL unknown */
  gboolean under_load;           /* the next two were read between the samples */
  double power_w, temperature_c; /* highest under load; NaN unknown */
  gboolean stopped;              /* Stop was pressed; earlier samples are kept */
  double floor_ns;               /* NaN unknown */
  gboolean floor_memory_bound;
  double duration_s;   /* whole run, wall clock */
  double foreign_load; /* of a CPU: share of its time that other programs used while the plans were
                          measured, 0 to 1; NaN unknown */
  char *pitfalls;      /* made on purpose, names as in pitfall.h: "zeros,warm-l2"; NULL: none */

  SeamEdits edits; /* the texts that groups of “@edited” plans ran */

  int n_plans;
  SeamPlanResult *plans; /* owned */
  int against;           /* index of the plan compared with, or -1 for FP64 */
  SeamUnderLoad load;    /* of all samples of the run, of which throttle, power and temperature are,
                          * too; also where only some of its plans are here */
} SeamResult;

extern const SeamRecordType seam_result_type;
SeamResult *seam_result_new (int n_plans); /* everything unknown (NaN, -1, NULL) */
SeamResult *seam_result_ref (SeamResult *result);
void seam_result_unref (SeamResult *result);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamResult, seam_result_unref)

void seam_under_load_count (const SeamPlanResult *plans, int n_plans, SeamUnderLoad *load);

/* Only for code that makes a result; a published result never changes. The second makes throttle
 * from the samples, and leaves power and temperature unknown if they were not read under load. */
void seam_result_set_pipeline (SeamResult *result, SeamPipeline *pipeline);
void seam_result_summarise_load (SeamResult *result);
/* Borrowed; the text is parsed at the first call. NULL with SEAM_ERROR_FILE and the reason if the
 * result came without its pipeline, or with one that this version cannot read. All other fields of
 * such a result are valid. */
SeamPipeline *seam_result_get_pipeline (const SeamResult *result, GError **error);
/* seam_plan_get_title() of a plan; without the pipeline its name, or its notation. Newly
 * allocated, "" if it has none of them. */
char *seam_result_format_plan_title (const SeamResult *result, int plan);

/* a{sv}, floating. With `bulk` it includes the difference grids (from worker to window); without,
 * --json adds verdicts to it (app/report/plans.h). from_variant is safe for any input: NULL and an
 * error. */
GVariant *seam_result_to_variant (const SeamResult *result, gboolean bulk);
SeamResult *seam_result_from_variant (GVariant *variant, GError **error);

/* The kernel that computes the matrix product: the longest one of the matrix op; others only help
 * it (reductions of partial sums, layout copies). -1: none, or not traced. */
int seam_plan_result_find_product (const SeamPlanResult *plan);
/* Which arithmetic that kernel executed: by its counters, else by what is known of who executed it.
 * SEAM_ROOF_MODE where nothing tells. */
SeamRoof seam_plan_result_get_roof (const SeamPlanResult *plan, SeamMathMode mode);

/* The letter of a plan wherever it is shown: its place in the run. */
static inline char
seam_plan_get_letter (int plan)
{
  return plan >= 0 && plan < 26 ? (char)('A' + plan) : '?';
}

/* The place in a run of plan `i` of `n`. The window shows the first three plans, so among more of
 * them `full`, the result of all fusion, is B. `full`: where it stands, negative for none. Requests
 * of the command line and runs from files are put into this order, so that every page agrees. */
static inline int
seam_plan_get_place (int i, int full, int n)
{
  return n <= 3 || i < 1 || i > full ? i : i == full ? 1 : i + 1;
}

/* From this share on a machine is called busy. */
#define SEAM_BUSY_LOAD 0.1
/* "Other programs used 43 % of the processor’s time during the run." Newly allocated; NULL where
 * they used less than SEAM_BUSY_LOAD, or nobody knows. */
char *seam_load_describe (double foreign_load);
/* The same before a run: "Other programs use 43 % …, so times will be longer and vary more." */
char *seam_load_warn (double foreign_load);

/* Whether each execution was one launch of a CUDA graph. */
gboolean seam_result_is_graph (const SeamResult *result);

/* "NVIDIA H200 · driver 580 · … · Seamscope 0.1": the footer of every figure. */
char *seam_result_get_provenance (const SeamResult *result);

/* Progress of a run, coalesced by the sender to 10 a second. */
typedef enum {
  SEAM_STEP_ALLOCATE,
  SEAM_STEP_REFERENCE, /* only when compared against fp64 */
  SEAM_STEP_CHECK,
  SEAM_STEP_WARM_UP,
  SEAM_STEP_MEASURE,
  SEAM_STEP_TRACE,
  SEAM_STEP_CHECK_AGAIN,
  SEAM_STEP_DONE,
  SEAM_N_STEPS
} SeamStep;

typedef struct {
  SeamStep step;
  gboolean with_reference;    /* whether SEAM_STEP_REFERENCE is one of the steps */
  double fraction;            /* of the step, 0..1; NaN unknown */
  double elapsed_s, budget_s; /* of measuring */
  int plan;                   /* index of the running plan, or -1 */
  double bytes_allocated;
  double clock_mhz, power_w, temperature_c; /* NaN unknown */
  double load_power_w, load_temperature_c;  /* highest while measuring; NaN unknown */
  int n_new;                                /* number of samples since the last progress */
  int *new_plans;                           /* plan of each new sample; owned */
  SeamSample *new_samples;                  /* owned */
} SeamProgress;

extern const SeamRecordType seam_progress_type;
const char *seam_step_get_title (SeamStep step); /* "Allocate", "Check outputs", "Warm up", … */

typedef void (*SeamProgressFunc) (const SeamProgress *progress, gpointer data);
