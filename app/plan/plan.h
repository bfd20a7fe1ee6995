/* SPDX-License-Identifier: MIT
 *
 * A plan: one choice for every seam of a chain, so a partition into groups, each with an optional
 * implementation, a word. Text notation: `conv+conv_bias|relu+bias@generated`. Immutable, reference
 * counted.
 */
#pragma once

#include "app/pipeline/problem.h"
#include "app/plan/implementation.h"

typedef struct {
  int first, last;            /* interned; each target knows its own words (implementation.h); NULL:
                               * the backend chooses */
  const char *implementation; /* interned: which word a target knows is its own (implementation.h);
                                 NULL: the backend chooses */
} SeamGroup;

/* Whether the plan asks for this implementation of the group. */
gboolean seam_group_is (const SeamGroup *group, const char *implementation);

typedef struct {
  gatomicrefcount ref_count;
  SeamPipeline *pipeline; /* owned reference */
  int chain;              /* index into pipeline->chains; > 0: an exhibit, wrong on purpose */
  int n_groups;
  SeamGroup groups[SEAM_MAX_OPS];
  char *name;     /* "unfused", "published", …, or NULL if the plan has no name */
  char *title;    /* the same for people, with a chosen implementation; else the notation */
  char *notation; /* canonical; parses back to an equal plan (for an exhibit "as-published:…") */
} SeamPlan;

/* `fused_seams` has one bit per seam: bit i set = the seam between op i and i + 1 is fused. */
SeamPlan *seam_plan_new (SeamPipeline *pipeline, int chain, guint32 fused_seams);
/* Named plan (`unfused`, `full`, a cut of the file such as `published`, `epilogue`, an exhibit) or
 * notation. `full` is the partition with every seam fused here; app/runner/runner.h finds the part
 * of it that a target can execute. Errors (SEAM_ERROR_INPUT) name the op at which the text goes
 * wrong, list the ops, and suggest the nearest name. */
SeamPlan *seam_plan_parse (SeamPipeline *pipeline, const char *text, GError **error);
/* The plan of a notation that was asked for by `name` (NULL: by none): `full` keeps its name where
 * a target runs it in several groups. */
SeamPlan *seam_plan_parse_as (SeamPipeline *pipeline, const char *notation, const char *name,
                              GError **error);
/* The same plan with seam `seam` toggled; the groups beside the seam lose their implementations, so
 * that the backend chooses. */
SeamPlan *seam_plan_toggle (const SeamPlan *plan, int seam);
/* The same plan with group `group` executed by `implementation`; NULL: the backend chooses. */
SeamPlan *seam_plan_choose (const SeamPlan *plan, int group, const char *implementation);
SeamPlan *seam_plan_ref (SeamPlan *plan);
void seam_plan_unref (SeamPlan *plan);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamPlan, seam_plan_unref)

const SeamChain *seam_plan_get_chain (const SeamPlan *plan);
guint32 seam_plan_get_fused_seams (const SeamPlan *plan);
gboolean seam_plan_equal (const SeamPlan *a, const SeamPlan *b);
/* For people, borrowed: of a named plan "As published", of such a partition with an implementation
 * that is chosen for the first group alone "Full @hand-reload", else the notation. */
const char *seam_plan_get_title (const SeamPlan *plan);
/* A sentence that describes a named plan; for an exhibit, that it is wrong on purpose, and how.
 * Newly allocated; NULL: it has no name. */
char *seam_plan_describe (const SeamPlan *plan);
/* NULL-terminated names that seam_plan_parse() accepts for this pipeline, in menu order:
 * unfused, published, epilogue, full, exhibits. */
char **seam_plan_list_names (const SeamPipeline *pipeline);

/* The tensors that a group reads and writes. A group writes the output of an op if a later group
 * reads it or the op is the last: usually one tensor, two if a back reference crosses the cut. */
typedef struct {
  int n_inputs;
  int inputs[2 * SEAM_MAX_OPS]; /* numbers of values, in order of first use: the chain's input,
                                 * further inputs, outputs of earlier groups; no parameters */
  int n_params;
  int params[SEAM_MAX_PARAMS]; /* parameter tensor numbers */
  int n_outputs;
  int outputs[SEAM_MAX_OPS];
} SeamGroupTensors;

void seam_plan_get_group_tensors (const SeamPlan *plan, int group, SeamGroupTensors *tensors);
/* Whether tensor number `tensor` lies in memory under this plan (inputs, parameters, group outputs)
 * instead of inside a fused group. */
gboolean seam_plan_is_materialised (const SeamPlan *plan, int tensor);
