/* SPDX-License-Identifier: MIT
 *
 * Declarations that the files of runner/ share: plans resolved for a target, the memory that a run
 * takes, and the runner's own state. Nobody outside runner/ includes it.
 */
#pragma once

#include "app/measure/load.h"
#include "app/runner/runner.h"

#define SEAM_RUN_MAX_PLANS 32

/* --- request.c --- */

/* Checks number of plans, budget and tolerances; SEAM_ERROR_INPUT. */
gboolean seam_run_request_check (const SeamRunRequest *request, GError **error);

/* Checks that the run can make every pitfall of the request; SEAM_ERROR_INPUT or _UNSUPPORTED. */
gboolean seam_run_check_pitfalls (SeamDevice *device, const SeamRunRequest *request,
                                  GError **error);

/* --- resolve.c: a plan as asked for, resolved for the target --- */

typedef struct {
  char *text; /* as asked for */
  SeamPlan *plan;
  char *name; /* "full" keeps its name after resolving; NULL for none */
  gboolean can_run;
  char *message; /* sentences for the person, or NULL */
  int n_groups;
  SeamSupport groups[SEAM_MAX_OPS];
  const char *edits[SEAM_MAX_OPS]; /* texts of edited groups; borrowed from the request */
} SeamResolved;

/* SEAM_ERROR_INPUT if the text is not a plan; a plan that cannot run is no error. */
gboolean seam_resolve (SeamDevice *device, const SeamProblem *problem,
                       const SeamRunRequest *request, SeamMathMode mode, const char *text,
                       SeamResolved *resolved, GError **error);
/* The same for a plan of the request's list: groups that have an edit become “@edited”. */
gboolean seam_resolve_listed (SeamDevice *device, const SeamProblem *problem,
                              const SeamRunRequest *request, SeamMathMode mode, int index,
                              SeamResolved *resolved, GError **error);
void seam_resolved_clear (SeamResolved *resolved);

/* --- memory.c: the places of a plan's tensors in memory --- */

#define SEAM_SLOT_NONE   (-1) /* not in memory, or not an intermediate */
#define SEAM_SLOT_OUTPUT (-2) /* the plan's own output */

/* Plans run one after another, so they share a pool of buffers ("slots"). As in an eager
 * framework's allocator, a buffer is reused as soon as its tensor has had its last reader, by the
 * next tensor that it is large enough for. */
typedef struct {
  int n_slots;
  gint64 bytes[SEAM_MAX_OPS];  /* by slot */
  int slots[SEAM_MAX_TENSORS]; /* by tensor number */
} SeamPlacement;

/* `shares_output`: intermediates may lie in the output's place before the output does. */
void seam_memory_place (const SeamProblem *problem, const SeamPlan *plan, gboolean shares_output,
                        SeamPlacement *placement);
/* Adds the slots of `placement` to those of `pool`, or makes them larger. */
void seam_memory_pool (const SeamPlacement *placement, SeamPlacement *pool);
/* Bytes that a run of these plans takes on the device: tensors, flush buffer, and copies of the
 * operands if `mode` rounds them. Memory of GPU libraries is not included; seam_memory_check() adds
 * it. `with_fp64`: adds the reference of the whole output in double precision. */
double seam_memory_needed (const SeamProblem *problem, SeamPlan *const *plans, int n_plans,
                           const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                           gboolean with_fp64, gboolean shares_output);
/* TRUE if the run fits; else an error with both sizes and a proposal. `free` 0: unknown, so it
 * fits. `shares_output`: whether it only fits so. */
gboolean seam_memory_check (const SeamProblem *problem, SeamPlan *const *plans, int n_plans,
                            const SeamDeviceInfo *info, SeamMathMode mode, gboolean cold,
                            gboolean with_fp64, double free, gboolean *shares_output,
                            GError **error);

/* --- floor.c --- */

/* The rates of the device for the mode that it really computes in, and the floor at these rates. */
void seam_run_get_rates (SeamDevice *device, SeamMathMode mode, gboolean cold, SeamRates *rates);
void seam_run_get_floor (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
                         gboolean cold, SeamFloor *floor);

/* The floor of plan `index` of the result, at the rates of the open device. */
double seam_run_get_plan_floor (SeamRunner *runner, SeamMathMode mode, const SeamResult *result,
                                int index);

/* --- settle.c --- */

/* After timing: measures rates again that a plan seems to exceed, and raises those that a plan has
 * exceeded. */
void seam_run_settle_floor (SeamRunner *runner, SeamMathMode mode, SeamResult *result);
/* Measures the device's quick rates again and keeps the better ones. For a calibrated device, this
 * changes only the rates from before its calibration. The backend must have refresh_rates(). */
void seam_run_probe_rates (SeamDevice *device);

/* --- raise.c --- */

/* Whether the plan's time proves something about the device: its output was right before and after
 * timing, and the run has no pitfalls and no edited code. */
gboolean seam_run_is_proof (const SeamResult *result, int index);
/* If such plans exceeded the rates of the device: raises these, on disk and in the open device, and
 * says so in the plan's message. */
void seam_run_raise_rates (SeamRunner *runner, SeamMathMode mode, SeamResult *result);

/* --- reference-choice.c, sampled-reference.c: the FP64 reference of a large output --- */

#define SEAM_REFERENCE_SLICES 64

typedef struct {
  int n_parts;
  SeamReferencePart parts[SEAM_REFERENCE_SLICES]; /* contiguous in the output; none overlap */
  gint64 n_elements;                              /* of all parts */
} SeamReferenceChoice;

/* `device_macs`: SeamDevice.reference_macs. */
gboolean seam_reference_is_whole (const SeamProblem *problem, SeamReferenceExtent extent,
                                  double device_macs);
/* Chooses the same slices for the same problem and seed; the first and the last place are always
 * among them. */
void seam_reference_choose (const SeamProblem *problem, guint64 seed, SeamReferenceChoice *choice);
/* The number of channels that are computed together anyway: those of a GroupNorm group, else 1. */
gint64 seam_reference_get_channel_step (const SeamProblem *problem);

typedef struct SeamSampledReference SeamSampledReference;

/* Computes the reference from the runner's tensors; `progress` gets the share that is done. */
SeamSampledReference *seam_sampled_reference_new (SeamRunner *runner, guint64 seed,
                                                  SeamCancel *cancel,
                                                  void (*progress) (double fraction, gpointer data),
                                                  gpointer progress_data, GError **error);
void seam_sampled_reference_free (SeamSampledReference *sampled);
/* Fills `difference` and marks it as one of slices. */
gboolean seam_sampled_reference_compare (SeamRunner *runner, const SeamSampledReference *sampled,
                                         SeamBuffer *output, SeamDifference *difference,
                                         GError **error);
/* Fills `b` and `bounds` of a rectangle (inside the output), sampled or not.
 * SEAM_ERROR_UNSUPPORTED if that takes too long. */
gboolean seam_sampled_reference_read (SeamRunner *runner, const SeamSampledReference *sampled,
                                      SeamSlice *slice, GError **error);

/* --- the runner --- */

typedef struct {
  SeamResolved resolved;
  SeamDevice *device; /* executes it: the runner's, or another that stays open as long as the run */
  SeamPlacement placement;
  SeamBuffer *away[SEAM_MAX_TENSORS]; /* all its tensors, if it is another device */
  SeamBuffer *output;                 /* on the runner's device */
  gboolean has_output;                /* it contains the plan's result */
  SeamPrepared *prepared[SEAM_MAX_OPS];
  int n_prepared;
  SeamMathMode mode; /* the mode of the plan's computation */
  guint64 hash;      /* of the output before timing, if was_checked */
  gboolean was_checked;
  gboolean is_doubtful; /* Stop may have left the output half written */
} SeamRunnerPlan;

struct SeamRunner {
  SeamDevice *device;
  char *asked;       /* the target in the request that opened the device; NULL: the best */
  SeamLoadMark load; /* at the last question; `foreign_load` is the share of other programs up to
                      * then */
  double foreign_load;
  SeamRecall recall;
  /* Data of the last run. */
  SeamProblem *problem;
  SeamBuffer *tensors[SEAM_MAX_TENSORS]; /* input and parameters, by tensor number of chain 0 */
  SeamPlacement pool;                    /* bytes of the slots */
  gboolean shares_output;                /* of the plans: memory is short */
  SeamBuffer *slots[SEAM_MAX_OPS];
  SeamBuffer *gap; /* keeps the next buffers from the places of those before; NULL: none */
  int n_plans;
  SeamRunnerPlan *plans;
  guint pitfalls;
  SeamReferenceExtent reference_extent;
  guint64 seed;
  SeamDistribution distribution;
  SeamInitMode init_mode;
  float *given[SEAM_MAX_TENSORS]; /* FP32 numbers from files, for 16-bit tensors; owned */
  SeamBuffer *fp64;               /* doubles; NULL until asked for */
  SeamMathMode mode;              /* of the run, which the bounds are for */
  SeamBuffer *bounds;             /* of each element of `fp64` (app/backend/bound.h), FP32 */
  SeamBuffer *pair_bounds;        /* the same for two plans: the sum of their bounds */
  SeamRunRequest *pair_request;   /* what they were computed for: the next run of the same numbers
                                   * keeps   them; NULL: none */
  SeamReferenceUse use;           /* what the reference took of its maps */
  SeamSampledReference *sampled;  /* instead of both, if the output is too large */
  double bytes_held;
};

/* runner.c: releases only what questions about the run do not need: prepared groups and
 * intermediates. */
void seam_runner_release_work (SeamRunner *runner);
void seam_runner_release_slot (SeamRunner *runner, int slot);
void seam_runner_release_outputs (SeamRunner *runner);
void seam_runner_release_pair_bounds (SeamRunner *runner);

/* tensors.c: makes or reads input and parameters and puts them on the device. Adds sentences about
 * numbers that FP32 does not have to `changes`. */
gboolean seam_runner_make_tensors (SeamRunner *runner, const SeamRunRequest *request,
                                   GString *changes, SeamCancel *cancel,
                                   void (*progress) (double fraction, gpointer data),
                                   gpointer progress_data, GError **error);
/* Sentences that name the parameters without a file in the folder, which are therefore all ones or
 * zeros; NULL: none, or there is no folder. Newly allocated. */
char *seam_runner_describe_missing_files (const SeamProblem *problem,
                                          const SeamRunRequest *request);
/* Elements first .. first + n - 1 of the input or a parameter as they were given, before they were
 * rounded to their type in memory. The FP64 reference is computed from these. */
gboolean seam_runner_read_given (SeamRunner *runner, int index, gint64 first, gint64 n,
                                 float *values, SeamCancel *cancel, GError **error);

/* transfer.c: memory, and transfers between host and device in pieces, so that Stop can act between
 * them. The host has 16-bit tensors as FP32; they are rounded to nearest even on the way to the
 * device. */
gboolean seam_runner_upload (SeamRunner *runner, SeamBuffer *buffer, gint64 first_byte,
                             const void *data, gint64 bytes, SeamCancel *cancel, GError **error);
gboolean seam_runner_upload_values (SeamRunner *runner, SeamBuffer *buffer, SeamOperandType type,
                                    gint64 first, const float *values, gint64 n, SeamCancel *cancel,
                                    GError **error);
gboolean seam_runner_download_values (SeamRunner *runner, float *values, SeamBuffer *buffer,
                                      SeamOperandType type, gint64 first, gint64 n,
                                      SeamCancel *cancel, GError **error);
/* Copies a buffer of the runner's device to one of another device, or (`back`) from there. */
gboolean seam_runner_carry (SeamRunner *runner, SeamBuffer *here, SeamDevice *other,
                            SeamBuffer *there, gint64 bytes, gboolean back, SeamCancel *cancel,
                            GError **error);
SeamBuffer *seam_runner_allocate (SeamRunner *runner, gint64 bytes, GError **error);
gpointer seam_runner_host_memory (gint64 bytes, GError **error);

/* outputs.c: the results of plans. This is the tensor that every plan writes as its output. */
const SeamTensor *seam_runner_get_output (const SeamRunner *runner);
gboolean seam_runner_execute (SeamRunner *runner, SeamRunnerPlan *plan, SeamCancel *cancel,
                              guint64 *hash, GError **error);
gboolean seam_runner_hash (SeamRunner *runner, SeamBuffer *output, SeamCancel *cancel,
                           guint64 *hash, GError **error);
gboolean seam_runner_ensure_fp64 (SeamRunner *runner, SeamCancel *cancel,
                                  void (*progress) (double fraction, gpointer data),
                                  gpointer progress_data, GError **error);
/* The bounds for comparisons of two plans. */
gboolean seam_runner_ensure_pair_bounds (SeamRunner *runner, SeamCancel *cancel, GError **error);
/* `b` -1: FP64. That or the bounds for two plans must have been computed. */
SeamDifference *seam_runner_compare (SeamRunner *runner, int a, int b, double atol, double rtol,
                                     gint64 max_side, GError **error);

/* --- a run in progress; execute.c, prepare.c, runner-check.c --- */

typedef struct {
  SeamRunner *runner;
  const SeamRunRequest *request;
  SeamMathMode mode;
  gboolean cold; /* as the run really is, whatever was asked for */
  SeamCancel *cancel;
  SeamProgressFunc progress;
  gpointer progress_data;
  SeamProgress state;
  SeamResult *result;
  int against;       /* index of the plan compared with; -1: FP64 */
  double atol, rtol; /* NaN: the bounds judge */
  double prepare_s;  /* what it took to prepare the plans */
  gboolean turned; /* the last plan is prepared first, so that plans swap their places in memory */
  int *measured;   /* for each measured plan, its index in the run */
} SeamRun;

void seam_run_begin_step (SeamRun *run, SeamStep step);
/* Progress of the step; `data` is the run. */
void seam_run_fraction_cb (double fraction, gpointer data);
void seam_run_add_message (SeamPlanResult *plan, const char *message);
/* Handles the failure of one plan. TRUE: the plan is out and the others go on; FALSE: the run ends
 * (Stop, or the device is lost), and `error` is set. Takes the failure. */
gboolean seam_run_fail_plan (SeamRun *run, int index, GError *failure, GError **error);

gboolean seam_run_add_plans (SeamRun *run, GError **error);
gboolean seam_run_check_edits (SeamRun *run, GError **error);
gboolean seam_run_check_memory (SeamRun *run, GError **error);
void seam_run_describe (SeamRun *run);
/* Keeps the first estimate of every plan with its result. */
void seam_run_guess (SeamRun *run);
gboolean seam_run_allocate (SeamRun *run, GError **error);
/* Creates intermediates, outputs and groups of all plans, which must not exist yet. */
gboolean seam_run_prepare_plans (SeamRun *run, GError **error);
/* Creates them again elsewhere in memory, and executes each once, so that its pages are touched;
 * `data` is the run, whose plans have been checked. SEAM_ERROR_UNSUPPORTED if that takes too long
 * or there is not enough memory. */
gboolean seam_run_move_cb (gpointer data, GError **error);

/* The parts of seam_runner_run(), for a run whose runner, request, cancel and progress are set.
 * Open: opens the target, checks the request and finds the plans, each of which may then get
 * another device. Begin: makes tensors, prepares the plans and computes the FP64 reference if
 * outputs are compared with it; if one of these fails and there is no result, nothing is left of
 * the run. Check: executes every plan and compares its output. Measure: times the plans. */
gboolean seam_run_open (SeamRun *run, GError **error);
gboolean seam_run_begin (SeamRun *run, GError **error);
gboolean seam_run_check_outputs (SeamRun *run, GError **error);
/* Captures a plan if the run launches graphs. */
gboolean seam_run_capture_plan (SeamRun *run, SeamRunnerPlan *plan, GError **error);
gboolean seam_run_measure (SeamRun *run, GError **error);
gboolean seam_run_check_outputs_again (SeamRun *run, GError **error);
