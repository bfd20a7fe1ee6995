/* SPDX-License-Identifier: MIT
 *
 * The code that executes the plans of a request, group by group: what `seamscope-cli source`, the
 * worker's call `source` and the window's page show. Nothing is run and no tensor is allocated.
 */
#pragma once

#include "app/runner/run.h"

G_BEGIN_DECLS

typedef struct {
  int first, last;    /* ops, inclusive */
  char *executed;     /* "cudnn", "generated", as in SeamSupport */
  char *message;      /* why there is no code, or what the target says of the group; NULL */
  GPtrArray *sources; /* of SeamSource, in launch order; empty where there is none */
} SeamGroupCode;

typedef struct {
  char *text;     /* as asked for */
  char *notation; /* resolved for the target */
  char *name;     /* or NULL */
  int chain;      /* of the pipeline; its ops are what first, last and the sources count */
  int n_groups;
  SeamGroupCode groups[SEAM_MAX_OPS];
} SeamPlanCode;

typedef struct {
  int n_plans;
  SeamPlanCode *plans; /* owned */
} SeamCode;

/* Of every plan of the request on its target, which is opened or kept from before. A group that
 * cannot run is an answer, not an error. SEAM_ERROR_UNSUPPORTED where the target shows no code. */
SeamCode *seam_runner_get_code (SeamRunner *runner, const SeamRunRequest *request, GError **error);
void seam_code_free (SeamCode *code);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamCode, seam_code_free)

/* a{sv}, floating: plans aa{sv} and, once for all, files aa{sv}. */
GVariant *seam_code_to_variant (const SeamCode *code);
SeamCode *seam_code_from_variant (GVariant *variant, GError **error);

G_END_DECLS
