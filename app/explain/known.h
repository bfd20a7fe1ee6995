/* SPDX-License-Identifier: MIT
 *
 * What is known before a run about a device, a shape and a way of computing: the calibrated rates,
 * and the times of groups that earlier results measured there. app/explain/guess.h guesses times
 * from it.
 */
#pragma once

#include "app/base/owner.h"
#include "app/plan/ceiling.h"
#include "app/result/result.h"

/* A group of a plan whose time was measured. */
typedef struct {
  char *ops;                       /* names of its ops: "conv+conv_bias" */
  char *implementation;            /* that executed it: "cudnn", "hand", "cudnn + generated" */
  double ns;                       /* of its kernels together, median of the runs */
  GArray *times_ns;                /* of each of them: double */
  const char *started_at;          /* the newest of them; NULL: unknown */
  int n_ops, n_outputs, n_tensors; /* tensors read and written, without parameters */
  gboolean is_matrix;              /* begins with the matrix op */
  gboolean is_reduced;             /* contains a reduction */
  double bytes;                    /* modelled */
  double operations;               /* seam_known_count_operations() */
} SeamKnownGroup;

typedef struct {
  SeamRates rates;
  /* Of a matrix product that neither splits operands nor scales rows for the tensor cores, as only
   * some hand-written kernels do: the FP32 rate in the mode fp32, that of TF32 in tf32x; <= 0:
   * unknown. */
  double plain_flop_per_s;
  char *plain;      /* how the name of a hand-written kernel says that: " (FP32)"; owned */
  double flop_fp32; /* a second; <= 0: unknown */
  /* Operations of maps and reductions a second; <= 0: unknown. A matrix product has one load for
   * many operations, an elementwise loop one for each, so this is a share of the FP32 rate. */
  double scalar_per_s;
  double launch_ns;       /* of one kernel; 0: unknown */
  gboolean is_device;     /* a processor beside the host */
  int n_threads;          /* of a CPU; 0: it is none */
  SeamDeviceInfo *device; /* it, and the next two: what a result must have to fit; owned */
  char *problem;          /* pipeline and shape */
  char *settings;         /* key of the settings that decide on code and cache */
  GPtrArray *groups;      /* of SeamKnownGroup */
  GPtrArray *results;     /* of SeamResult, as they were added */
} SeamKnown;

/* Knows the rates of the device, and no times. `settings`: those of the run, with the math mode
 * that the target really computes in. `rates` NULL: those of the device. */
SeamKnown *seam_known_new (const SeamDeviceInfo *device, const SeamProblem *problem,
                           const SeamSettings *settings, const SeamRates *rates);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamKnown, seam_owner_free)
/* The same for the device, shape and settings of a result, without its times. NULL and
 * SEAM_ERROR_FILE if the result cannot be read, or names no device. */
SeamKnown *seam_known_new_for_result (const SeamResult *result, GError **error);
/* Adds the times of the groups of plan `index`, or of all plans (-1); returns how many are new. Of
 * several results the newest comes first. Adds nothing from a result of another device, pipeline,
 * shape or way of computing, or with a pitfall; nor exhibits and edited groups; nor times of a
 * noisy run, which would make an estimate worse than the rates alone. */
int seam_known_add (SeamKnown *known, const SeamResult *result, int index);
/* How these ops were measured with this implementation, or with any (NULL); NULL: they were not. */
const SeamKnownGroup *seam_known_find (const SeamKnown *known, const char *ops,
                                       const char *implementation);

/* The newest run of a plan with these settings, its place there, and its first estimate, which the
 * oldest run kept; NaN: none. NULL: it was not run. */
const SeamResult *seam_known_find_run (const SeamKnown *known, const char *notation, int *plan,
                                       double *guess_ns);

/* The names of the ops `first` to `last` of the plan's chain: "conv+conv_bias"; newly allocated. */
char *seam_known_name_ops (const SeamPlan *plan, int first, int last);
/* Operations of the maps and reductions among them; the matrix product is not counted. */
double seam_known_count_operations (const SeamProblem *problem, const SeamPlan *plan, int first,
                                    int last);
/* The implementations in "conv@cudnn|relu@hand", one for each group of the plan; NULL-terminated,
 * newly allocated. NULL: the text is NULL, or of another plan. */
char **seam_known_split_executed (const char *executed, const SeamPlan *plan);
