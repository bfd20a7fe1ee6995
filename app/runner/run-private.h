/* SPDX-License-Identifier: MIT
 *
 * What the files of runner/ share: plans resolved for a target, the memory that a run takes, and
 * the runner's own state. Nobody outside runner/ includes it.
 */
#pragma once

#include "app/measure/load.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

#define SEAM_RUN_MAX_PLANS 32

/* --- request.c --- */

/* Number of plans, budget, tolerances; SEAM_ERROR_INPUT. */
gboolean seam_run_request_check (const SeamRunRequest *request, GError **error);

/* Every pitfall of the request can be made; SEAM_ERROR_INPUT or _UNSUPPORTED with the sentence. */
gboolean seam_run_check_pitfalls (SeamDevice *device, const SeamRunRequest *request,
                                  GError **error);

/* --- resolve.c: a plan as asked for, and what the target makes of it --- */

typedef struct {
  char *text; /* as asked for */
  SeamPlan *plan;
  char *name; /* "full" stays the name of what it resolves to; NULL for none */
  gboolean can_run;
  char *message; /* sentences for the person, or NULL */
  int n_groups;
  SeamSupport groups[SEAM_MAX_OPS];
  const char *edits[SEAM_MAX_OPS]; /* texts of edited groups; borrowed from the request */
} SeamResolved;

/* SEAM_ERROR_INPUT for a text that is no plan; a plan that cannot run is no error. */
gboolean seam_resolve (SeamDevice *device, const SeamProblem *problem,
                       const SeamRunRequest *request, SeamMathMode mode, const char *text,
                       SeamResolved *resolved, GError **error);
/* The same for a plan of the request's list: the groups that have an edit become “@edited”. */
gboolean seam_resolve_listed (SeamDevice *device, const SeamProblem *problem,
                              const SeamRunRequest *request, SeamMathMode mode, int index,
                              SeamResolved *resolved, GError **error);
void seam_resolved_clear (SeamResolved *resolved);

/* --- memory.c: where the tensors of a plan lie --- */

#define SEAM_SLOT_NONE   (-1) /* not in memory, or not an intermediate */
#define SEAM_SLOT_OUTPUT (-2) /* the plan's own output */

/* Every activation of a problem has the output's size, and plans run one after another: so they
 * share a pool of buffers ("slots"), each reused as soon as its tensor has had its last reader, as
 * an eager framework's allocator does. */
typedef struct {
  int n_slots;
  int slots[SEAM_MAX_TENSORS]; /* by tensor number */
} SeamPlacement;

void seam_memory_place (const SeamPlan *plan, SeamPlacement *placement);
/* Bytes that a run of these plans takes on the device: tensors, flush buffer, and copies of the
 * operands where `mode` rounds them; what libraries of a GPU take beside them, seam_memory_check()
 * adds. `with_fp64`: the reference in double precision of the whole output, too. */
double seam_memory_needed (const SeamProblem *problem, SeamPlan *const *plans, int n_plans,
                           const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                           gboolean with_fp64);
/* NULL where the run fits; else the sentence with both sizes and what to choose instead. `free` 0:
 * unknown, fits. */
gboolean seam_memory_check (const SeamProblem *problem, SeamPlan *const *plans, int n_plans,
                            const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                            gboolean with_fp64, double free, GError **error);

/* --- floor.c --- */

/* The rates of the device, for the mode that it really computes in, and the floor at them. */
void seam_run_get_rates (SeamDevice *device, SeamMathMode mode, gboolean cold, SeamRates *rates);
void seam_run_get_floor (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
                         gboolean cold, SeamFloor *floor);

/* No run of plan `index` of the result is faster at the rates of the open device. */
double seam_run_get_plan_floor (SeamRunner *runner, SeamMathMode mode, const SeamResult *result,
                                int index);

/* --- settle.c --- */

/* After timing: looks again at rates that a plan seems to beat, and raises those that one has
 * beaten. */
void seam_run_settle_floor (SeamRunner *runner, SeamMathMode mode, SeamResult *result);
/* The device's quick rates, measured again; the better ones are kept. Of a calibrated device only
 * what it is like before its calibration. The backend must have refresh_rates(). */
void seam_run_probe_rates (SeamDevice *device);

/* --- raise.c --- */

/* The plan's time says what the device can do: its output was checked and is right, before timing
 * and after it, and nothing was made wrong on purpose or edited by the person. */
gboolean seam_run_is_proof (const SeamResult *result, int index);
/* Where such plans reached more than the device is said to reach: raises its rates, on disk and in
 * the open device, and says so in the plan's message. */
void seam_run_raise_rates (SeamRunner *runner, SeamMathMode mode, SeamResult *result);

/* --- truth-choice.c, truth.c: the FP64 truth of a large output, on sampled slices --- */

#define SEAM_TRUTH_SLICES 64

typedef struct {
  int n_parts;
  SeamReferencePart
      parts[SEAM_TRUTH_SLICES]; /* each lies in one piece in the output; none overlap */
  gint64 n_elements;            /* of all parts */
} SeamTruthChoice;

gboolean seam_truth_is_whole (const SeamProblem *problem, SeamTruthExtent extent);
/* The same slices for the same problem and seed, the first and the last one always among them. */
void seam_truth_choose (const SeamProblem *problem, guint64 seed, SeamTruthChoice *choice);
/* Channels that can only be computed together: those of a GroupNorm group, else 1. */
gint64 seam_truth_get_channel_step (const SeamProblem *problem);
/* Multiply-adds of so many output elements. */
double seam_truth_get_macs (const SeamProblem *problem, double n_elements);

typedef struct SeamSampledTruth SeamSampledTruth;

/* From the runner's tensors; `progress` gets the share that is done. */
SeamSampledTruth *seam_sampled_truth_new (SeamRunner *runner, guint64 seed, SeamCancel *cancel,
                                          void (*progress) (double fraction, gpointer data),
                                          gpointer progress_data, GError **error);
void seam_sampled_truth_free (SeamSampledTruth *truth);
/* Fills `difference`, which says that it is of slices. */
gboolean seam_sampled_truth_compare (SeamRunner *runner, const SeamSampledTruth *truth,
                                     SeamBuffer *output, SeamDifference *difference,
                                     GError **error);
/* The truth of a rectangle (inside the output), sampled or not: [n_rows, n_columns] of `slice`.
 * SEAM_ERROR_UNSUPPORTED where that takes too long. */
gboolean seam_sampled_truth_read (SeamRunner *runner, const SeamSampledTruth *truth,
                                  const SeamSlice *slice, float *values, GError **error);

/* --- the runner --- */

typedef struct {
  SeamResolved resolved;
  SeamPlacement placement;
  SeamBuffer *output;
  gboolean has_output; /* it holds what the plan computed */
  SeamPrepared *prepared[SEAM_MAX_OPS];
  int n_prepared;
  SeamMathMode mode; /* that it computes in */
  guint64 hash;      /* of the output before timing, where it was computed (was_checked) */
  gboolean was_checked;
  gboolean is_doubtful; /* Stop may have left the output half written */
} SeamRunnerPlan;

struct SeamRunner {
  SeamDevice *device;
  char *asked;       /* the target that was asked for when it was opened; NULL: the best */
  SeamLoadMark load; /* of the last question; other programs have used `foreign_load` before it */
  double foreign_load;
  /* What is kept of the last run. */
  SeamProblem *problem;
  SeamBuffer *tensors[SEAM_MAX_TENSORS]; /* input and parameters, by tensor number of chain 0 */
  int n_slots;
  SeamBuffer *slots[SEAM_MAX_OPS];
  int n_plans;
  SeamRunnerPlan *plans;
  guint pitfalls;
  SeamTruthExtent truth;
  guint64 seed;
  SeamDistribution distribution;
  SeamInitMode init_mode;
  float *given[SEAM_MAX_TENSORS]; /* FP32 numbers from files, of tensors of 16 bits; owned */
  SeamBuffer *fp64;               /* doubles; NULL until asked for */
  SeamSampledTruth *sampled;      /* instead of it, where the output is too large */
  double bytes_held;
};

/* runner.c: releases everything of the last run; the device stays open. */
void seam_runner_release (SeamRunner *runner);
/* Only what questions about the run do not need: prepared groups and intermediates. */
void seam_runner_release_work (SeamRunner *runner);
void seam_runner_release_outputs (SeamRunner *runner);

/* tensors.c: makes or reads input and parameters and puts them on the device. */
gboolean seam_runner_make_tensors (SeamRunner *runner, const SeamRunRequest *request,
                                   SeamCancel *cancel,
                                   void (*progress) (double fraction, gpointer data),
                                   gpointer progress_data, GError **error);
/* Which parameters have no file in the folder and are therefore all ones or zeros, in sentences;
 * NULL: none, or there is no folder. Newly allocated. */
char *seam_runner_describe_missing_files (const SeamProblem *problem,
                                          const SeamRunRequest *request);
/* Elements first .. first + n - 1 of the input or a parameter as the run was given them, before
 * they were rounded to the type that they have in memory: what the FP64 truth is computed from. */
gboolean seam_runner_read_given (SeamRunner *runner, int index, gint64 first, gint64 n,
                                 float *values, SeamCancel *cancel, GError **error);

/* transfer.c: memory, and numbers from host to device and back, in pieces between which Stop acts.
 * Of a tensor of 16 bits the host has FP32, rounded to nearest even on the way to the device. */
gboolean seam_runner_upload (SeamRunner *runner, SeamBuffer *buffer, gint64 first_byte,
                             const void *data, gint64 bytes, SeamCancel *cancel, GError **error);
gboolean seam_runner_upload_values (SeamRunner *runner, SeamBuffer *buffer, SeamOperandType type,
                                    gint64 first, const float *values, gint64 n, SeamCancel *cancel,
                                    GError **error);
gboolean seam_runner_download_values (SeamRunner *runner, float *values, SeamBuffer *buffer,
                                      SeamOperandType type, gint64 first, gint64 n,
                                      SeamCancel *cancel, GError **error);
SeamBuffer *seam_runner_allocate (SeamRunner *runner, gint64 bytes, GError **error);
gpointer seam_runner_host_memory (gint64 bytes, GError **error);

/* outputs.c: what a plan computed. The tensor that the outputs of all plans are. */
const SeamTensor *seam_runner_get_output (const SeamRunner *runner);
gboolean seam_runner_execute (SeamRunner *runner, SeamRunnerPlan *plan, SeamCancel *cancel,
                              guint64 *hash, GError **error);
gboolean seam_runner_hash (SeamRunner *runner, SeamBuffer *output, SeamCancel *cancel,
                           guint64 *hash, GError **error);
gboolean seam_runner_ensure_fp64 (SeamRunner *runner, SeamCancel *cancel,
                                  void (*progress) (double fraction, gpointer data),
                                  gpointer progress_data, GError **error);
/* `b` -1: FP64, which must be there. */
SeamDifference *seam_runner_compare (SeamRunner *runner, int a, int b, double atol, double rtol,
                                     gint64 max_side, GError **error);

/* --- a run under way; execute.c, prepare.c, runner-check.c --- */

typedef struct {
  SeamRunner *runner;
  const SeamRunRequest *request;
  SeamMathMode mode;
  gboolean cold; /* what is done, whatever was asked for */
  SeamCancel *cancel;
  SeamProgressFunc progress;
  gpointer progress_data;
  SeamProgress state;
  SeamResult *result;
  int reference; /* index of the trusted plan; -1: FP64 */
  double atol, rtol;
  int *measured; /* the run's plan of each measured one */
} SeamRun;

void seam_run_begin_step (SeamRun *run, SeamStep step);
/* Progress of the step; `data` is the run. */
void seam_run_fraction_cb (double fraction, gpointer data);
void seam_run_add_message (SeamPlanResult *plan, const char *message);
/* What the failure of one plan means: TRUE, it is out and the others go on; FALSE, the run ends
 * (Stop, or the device is lost), and `error` is set. Takes the failure. */
gboolean seam_run_fail_plan (SeamRun *run, int index, GError *failure, GError **error);

gboolean seam_run_add_plans (SeamRun *run, GError **error);
gboolean seam_run_check_memory (SeamRun *run, GError **error);
void seam_run_choose_tolerances (SeamRun *run);
void seam_run_describe (SeamRun *run);
gboolean seam_run_allocate (SeamRun *run, GError **error);
/* Intermediates, outputs and groups of all plans, which must not be there. */
gboolean seam_run_prepare_plans (SeamRun *run, GError **error);

gboolean seam_run_check_outputs (SeamRun *run, GError **error);
gboolean seam_run_check_outputs_again (SeamRun *run, GError **error);

G_END_DECLS
