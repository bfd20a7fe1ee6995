/* SPDX-License-Identifier: MIT
 *
 * A run, from request to result: resolves plans for the target, checks memory, makes tensors,
 * compares outputs, measures, checks again, and keeps the outputs alive so that
 * differences and slices can be asked for afterwards. The command line and the worker call this and
 * nothing below it.
 */
#pragma once

#include "app/backend/backend.h"
#include "app/explain/guess.h"
#include "app/measure/measure.h"
#include "app/plan/ceiling.h"

typedef struct {
  SeamPipeline *pipeline; /* owned reference */
  gint64 values[SEAM_MAX_FIELDS];
  char *preset; /* name of the preset that the values came from, or NULL */
  char **plans; /* names or notations, NULL-terminated; owned */
  char *target; /* "cpu", "cuda:0", NULL: the best */
  SeamSettings settings;
  gboolean counters; /* read hardware counters if that is allowed */
  char *tensors_dir; /* read input and parameters from NAME.npy here, or NULL */
  SeamReferenceExtent reference_extent;
  SeamEdits edits;   /* a group with an edit is “@edited” */
  int overview_side; /* most cells per side of the difference overviews; fewer make a smaller
                      * file */
  guint pitfalls;    /* SeamPitfall bits: mistakes to make on purpose */
  /* Set by a search for its batches; not sent to the worker. */
  double overtime_s; /* SeamMeasureOptions */
  int n_traces;      /* traced executions per plan; 0: the default */
} SeamRunRequest;

#define SEAM_OVERVIEW_SIDE 512

SeamRunRequest *seam_run_request_new (SeamPipeline *pipeline); /* defaults: default preset, plans
                                                                  unfused and published, cold,
                                                                  counters, 10 s */
SeamRunRequest *seam_run_request_copy (const SeamRunRequest *request);
void seam_run_request_free (SeamRunRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamRunRequest, seam_run_request_free)
/* Whether the target supports the request; SEAM_ERROR_UNSUPPORTED. */
gboolean seam_run_request_check_target (const SeamRunRequest *request, const SeamDeviceInfo *target,
                                        GError **error);
/* The problem of the request, with sizes and types of all tensors; SEAM_ERROR_INPUT. */
SeamProblem *seam_run_request_new_problem (const SeamRunRequest *request, GError **error);
/* a{sv}, floating; contains the pipeline's text, so that a person's own file reaches the worker. */
GVariant *seam_run_request_to_variant (const SeamRunRequest *request);
SeamRunRequest *seam_run_request_from_variant (GVariant *variant, GError **error);

/* The effect of toggling a seam on this target. */
typedef struct {
  gboolean fused;
  gboolean can_toggle; /* FALSE: the seam is locked; `reason` says why */
  char *reason;
  double bytes; /* traffic that toggling changes */
} SeamSeamEstimate;

/* Adds to `known` the times that earlier results of the pipeline measured. */
typedef struct {
  void (*add) (SeamKnown *known, const char *pipeline, gpointer data);
  gpointer data;
} SeamRecall;

/* The estimate of a plan, before a run. */
typedef struct {
  char *text;     /* as asked for */
  char *notation; /* resolved for the target (`full` becomes its best cut) */
  char *name;
  gboolean can_run;
  char *message;          /* why it cannot run, or a remark; NULL */
  double bytes, flop;     /* modelled; includes the known copies */
  double execution_bytes; /* memory that one execution alone takes: inputs, parameters, values
                           * between kernels, the output, and copies of operands */
  double full_rate_ns, floor_ns; /* as in SeamPlanLimit, full_rate_ns including these copies; NaN
                                  * unknown */
  /* The model's guess, as in SeamGuess, and the sentence that explains it; NULL: there is none. */
  double guess_ns, guess_low_ns, guess_high_ns;
  char *guess_reason;
  int n_kernels; /* expected launches; -1 unknown */
  int n_groups;
  SeamSupport *groups; /* owned */
  int n_seams;
  SeamSeamEstimate *seams; /* owned */
} SeamPlanEstimate;

typedef struct {
  double bytes_needed; /* memory for all plans together, as the run will allocate it */
  double bytes_free;   /* on the target now; 0 unknown */
  char *no_memory;     /* the sentence by which a run of all plans is refused; NULL: it fits */
  double foreign_load; /* CPU: share of its time that other programs used since the last question;
                        * NaN unknown */
  SeamFloor floor;
  char *floor_source;  /* origin of the rates */
  SeamRates rates;     /* of the target, in the mode of its computation */
  SeamCeiling ceiling; /* at these rates; its floor is the one above */
  int n_plans;
  SeamPlanEstimate *plans;         /* owned */
  char *pitfalls[SEAM_N_PITFALLS]; /* why a run cannot make this pitfall; NULL: it can */
} SeamEstimate;

extern const SeamRecordType seam_plan_estimate_type, seam_estimate_type;

/* Text instead of the bytes of copies, for a target that does not know all copies before a run. */
#define SEAM_ESTIMATE_NO_COPIES                                                                    \
  "Copies that change a layout or split an operand are counted after a run only."

/* Bytes of the known copies of the plan's groups (SeamSupport), and whether all copies are
 * known. */
double seam_plan_estimate_get_copied_bytes (const SeamPlanEstimate *plan);
gboolean seam_plan_estimate_knows_copies (const SeamPlanEstimate *plan);

/* Allocates no tensors. SEAM_ERROR_INPUT for a bad shape or plan text. `device` NULL: opens the
 * request's target for the question (slow on CUDA). `recall` NULL: guesses from rates alone. */
SeamEstimate *seam_run_estimate (SeamDevice *device, const SeamRunRequest *request,
                                 const SeamRecall *recall, GError **error);
void seam_estimate_free (SeamEstimate *estimate);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamEstimate, seam_estimate_free)
GVariant *seam_estimate_to_variant (const SeamEstimate *estimate);
SeamEstimate *seam_estimate_from_variant (GVariant *variant, GError **error);
/* One row per plan; the head of estimate-text.c lists the columns. Newly allocated. */
char *seam_estimate_to_rows (const SeamEstimate *estimate, const SeamRunRequest *request,
                             const SeamDeviceInfo *info, const SeamProblem *problem,
                             SeamRowsFormat format);
/* "NVIDIA H200 · driver 580 · … · modelled, nothing was run · Seamscope 0.1": for the foot of a
 * figure. Newly allocated. */
char *seam_estimate_get_provenance (const SeamRunRequest *request, const SeamDeviceInfo *info,
                                    const SeamProblem *problem);

/* The reason why a run cannot make this pitfall; NULL: it can. `device` NULL: judges only by the
 * request. Newly allocated. */
char *seam_run_refuse_pitfall (SeamDevice *device, const SeamRunRequest *request,
                               SeamPitfall pitfall);

/* Keeps a device open, and the tensors and outputs of the last run. */
typedef struct SeamRunner SeamRunner;

SeamRunner *seam_runner_new (void);
/* From now on, estimates guess with what `recall` (copied) knows. */
void seam_runner_set_recall (SeamRunner *runner, const SeamRecall *recall);
void seam_runner_free (SeamRunner *runner);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamRunner, seam_runner_free)

/* The device for `target`, newly opened or still open; owned by the runner. */
SeamDevice *seam_runner_open (SeamRunner *runner, const char *target, GError **error);
/* Opens it with the rates that another process measured on the same device, so that both predict
 * the same. */
gboolean seam_runner_take_rates (SeamRunner *runner, const char *target, const SeamDeviceInfo *from,
                                 GError **error);
SeamEstimate *seam_runner_estimate (SeamRunner *runner, const SeamRunRequest *request,
                                    GError **error);

/* For a CPU: the share of its time that other programs have used since the target was opened or
 * since the last question; NaN: unknown. */
double seam_runner_get_foreign_load (SeamRunner *runner);

/* Executes a run. A plan that cannot run is no error (NOT_MEASURED with its message). Errors: a bad
 * request, edited code with a mistake (SEAM_ERROR_UNSUPPORTED, before anything is measured), not
 * enough memory (with both sizes), no target, a lost device. If the device is lost,
 * `partial` (may be NULL) receives what was measured so far. */
SeamResult *seam_runner_run (SeamRunner *runner, const SeamRunRequest *request, SeamCancel *cancel,
                             SeamProgressFunc progress, gpointer progress_data,
                             SeamResult **partial, GError **error);

/* After a run: the difference of plan `a` (index) and the side `b` (index, or -1 for FP64,
 * computed on first use, of the whole output or of sampled slices as the run asked). max_side
 * bounds the overview (512). */
SeamDifference *seam_runner_difference (SeamRunner *runner, int a, int b, double atol, double rtol,
                                        gint64 max_side, SeamCancel *cancel, GError **error);
/* A slice of both outputs; the rectangle is clipped to the output (at most 1024 x 1024). */
SeamSlice *seam_runner_slice (SeamRunner *runner, int a, int b, const SeamSlice *wanted,
                              GError **error);
/* Writes the output of plan `index` (or the inputs and parameters) as .npy. SEAM_ERROR_UNSUPPORTED
 * if a pitfall changed the numbers, since such a file could not say so. */
gboolean seam_runner_save_output (SeamRunner *runner, int index, const char *path, GError **error);
/* The same of the FP64 reference (as doubles), or of the bound of each element against it. */
gboolean seam_runner_save_reference (SeamRunner *runner, gboolean bounds, const char *path,
                                     GError **error);
/* `n` bytes from `offset` on of the file that seam_runner_save_output() would write, fewer at its
 * end. Sets `size` to the bytes of all of it. */
GBytes *seam_runner_read_output (SeamRunner *runner, int index, gint64 offset, gint64 n,
                                 gint64 *size, GError **error);
gboolean seam_runner_save_tensors (SeamRunner *runner, const char *folder, GError **error);
/* Releases everything of the last run, so that these questions are errors; the device stays open.
 */
void seam_runner_release (SeamRunner *runner);

/* Whether edited code may go on running in threads of its own, see SeamDevice: nothing that it may
 * use is freed, and the process should end, without its exit handlers, when it has answered. */
gboolean seam_runner_keeps_code (const SeamRunner *runner);

/* The checks that doctor prints and the window's start page shows: CPU, memory, driver, each
 * CUDA library with path and version, GPUs, tracing, counters. Array of SeamCheck; leaves
 * nothing open. */
GPtrArray *seam_run_doctor (void);

/* The mode that the target really computes in: the CPU has no TF32. */
SeamMathMode seam_resolve_mode (SeamDevice *device, SeamMathMode mode);
