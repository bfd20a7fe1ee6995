/* SPDX-License-Identifier: MIT
 *
 * The code that executes the plans of a request, group by group, for `seamscope-cli source`, the
 * worker's call `source` and the window's page. Nothing is run and no tensor is allocated.
 */
#pragma once

#include "app/runner/runner.h"

typedef struct {
  int first, last;    /* ops, inclusive */
  char *executed;     /* "cudnn", "generated", as in SeamSupport */
  char *message;      /* why there is no code, or the target's remark on the group; NULL */
  GPtrArray *sources; /* of SeamSource, in launch order; empty where there is none */
} SeamGroupCode;

typedef struct {
  char *text;     /* as asked for */
  char *notation; /* resolved for the target */
  char *name;     /* or NULL */
  int chain;      /* index in the pipeline; first, last and the sources count its ops */
  int n_groups;
  SeamGroupCode groups[SEAM_MAX_OPS];
} SeamPlanCode;

typedef struct {
  int n_plans;
  SeamPlanCode *plans; /* owned */
} SeamCode;

/* The code of every plan of the request on its target, which is opened if necessary. If a group
 * cannot run, its message says so; that is no error. SEAM_ERROR_UNSUPPORTED if the target shows no
 * code. */
SeamCode *seam_runner_get_code (SeamRunner *runner, const SeamRunRequest *request, GError **error);
void seam_code_free (SeamCode *code);
/* Frees all plans but the first `n`. */
void seam_code_truncate (SeamCode *code, int n);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamCode, seam_code_free)

/* The compiler's listing for one text of the code: source `part` of group `group` of the request's
 * plan `plan`, all from 0. Compiles, and runs nothing. `cancel` may be NULL. SEAM_ERROR_UNSUPPORTED
 * with a reason and a remedy if there is no such listing, or the code does not compile. */
SeamListing *seam_runner_get_listing (SeamRunner *runner, const SeamRunRequest *request, int plan,
                                      int group, int part, SeamListingKind kind, SeamCancel *cancel,
                                      GError **error);

/* a{sv}, floating: plans aa{sv} and, once for all, files aa{sv}. */
GVariant *seam_code_to_variant (const SeamCode *code);
SeamCode *seam_code_from_variant (GVariant *variant, GError **error);
