/* SPDX-License-Identifier: MIT
 *
 * The person's choices: pipeline, shape, two or three plans, target and settings; each is checked
 * when it is set. It neither calls the worker nor draws: other objects listen to its properties.
 *
 * Properties, for notify:::
 *   "pipelines"  the list of pipelines
 *   "pipeline"   the chosen one
 *   "shape"      the fields' values and errors, and the preset
 *   "plans"      the plans as requested; an estimate brings them as the target executes them
 *   "compared"   the plan that is compared with A
 *   "can-undo"   whether an edit of plans can be taken back changed without "plans"
 *   "targets"    the targets and checks of this machine
 *   "options"    target and settings
 */
#pragma once

#include "ui/state/chosen-plans.h"
#include "ui/state/chosen-settings.h"
#include "ui/state/notices.h"

#include "app/runner/runner.h"

#define SEAM_TYPE_SETUP (seam_setup_get_type ())
G_DECLARE_FINAL_TYPE (SeamSetup, seam_setup, SEAM, SETUP, GObject)

/* `pipelines`: at least one SeamPipeline; the first is chosen. Keeps references. */
SeamSetup *seam_setup_new (GPtrArray *pipelines, SeamNotices *notices);
/* The run request of these choices, without plans and edits; borrowed. */
const SeamRunRequest *seam_setup_get_request (SeamSetup *self);
/* The whole request, with the first `n_plans` plans; newly allocated. */
SeamRunRequest *seam_setup_make_request (SeamSetup *self, int n_plans);

/* --- Pipelines --- */

GPtrArray *seam_setup_get_pipelines (SeamSetup *self);   /* of SeamPipeline; borrowed */
SeamPipeline *seam_setup_get_pipeline (SeamSetup *self); /* borrowed */
void seam_setup_set_pipeline (SeamSetup *self, SeamPipeline *pipeline);
/* Appends to the list; keeps a reference. */
void seam_setup_add_pipeline (SeamSetup *self, SeamPipeline *pipeline);
/* Chooses the pipeline, in the place of an older reading of its file, else at the end of the list;
 * keeps a reference. */
void seam_setup_use_pipeline (SeamSetup *self, SeamPipeline *pipeline);
/* The same with a person's own file. */
gboolean seam_setup_open_pipeline (SeamSetup *self, const char *path, GError **error);

/* --- Shape --- */

const gint64 *seam_setup_get_values (SeamSetup *self);
const char *seam_setup_get_preset (SeamSetup *self); /* NULL: own values */
void seam_setup_set_preset (SeamSetup *self, const char *name);
/* Takes the text of a field as it is typed; invalid text is remembered as this field's error. */
void seam_setup_set_field_text (SeamSetup *self, int field, const char *text);
/* Sets a whole shape that has been checked; `preset` NULL: the preset with these values, if any. */
void seam_setup_adopt_shape (SeamSetup *self, const gint64 *values, const char *preset);
/* A sentence on what is wrong with a field, or NULL. */
const char *seam_setup_get_field_error (SeamSetup *self, int field);
/* The first error of the whole shape, or NULL. */
const char *seam_setup_get_shape_error (SeamSetup *self);
/* The last valid problem, which the strips show; NULL only before a pipeline is chosen. */
const SeamProblem *seam_setup_get_problem (SeamSetup *self);

/* --- Plans --- */

int seam_setup_get_n_plans (SeamSetup *self);
SeamPlan *seam_setup_get_plan (SeamSetup *self, int index); /* as requested; borrowed; C: or NULL */
void seam_setup_set_plan (SeamSetup *self, int index, SeamPlan *plan);
/* Parses a plan whose implementations the target has, as far as these are known. */
SeamPlan *seam_setup_parse_plan (SeamSetup *self, const char *text, GError **error);
gboolean seam_setup_set_plan_text (SeamSetup *self, int index, const char *text, GError **error);
/* Sets plan C; NULL removes it. */
void seam_setup_set_third_plan (SeamSetup *self, SeamPlan *plan);
/* Takes a point of a sweep: its shape becomes the current one, and its plan becomes B, unless it
 * is A. One undo step. */
void seam_setup_take_point (SeamSetup *self, const gint64 *values, SeamPlan *plan);
/* The plan as the target would execute it, as far as that is known; borrowed. */
SeamPlan *seam_setup_get_executed_plan (SeamSetup *self, int index);
/* Sets the target's answer, by plan; an entry may be NULL. */
void seam_setup_set_executed_plans (SeamSetup *self, SeamPlan *const plans[SEAM_MAX_CHOSEN_PLANS]);
/* The plan that stands beside A if two are compared: 1 or 2. */
int seam_setup_get_compared (SeamSetup *self);
void seam_setup_set_compared (SeamSetup *self, int index);
gboolean seam_setup_can_undo (SeamSetup *self);
void seam_setup_undo (SeamSetup *self);
void seam_setup_forget_undo (SeamSetup *self);
/* A key that identifies the plans and their edited code; newly allocated. */
char *seam_setup_make_plans_key (SeamSetup *self);

/* --- Edited code --- */

/* A person's own text that replaces the generated code of the group with these ops in any plan;
 * borrowed, or NULL. Setting it runs nothing and changes no plan; NULL forgets it. */
const char *seam_setup_get_edit (SeamSetup *self, int chain, int first, int last);
void seam_setup_set_edit (SeamSetup *self, int chain, int first, int last, const char *text);
/* Takes the text out, and lets plans that use it use generated code again. One undo step. */
void seam_setup_reset_edit (SeamSetup *self, int chain, int first, int last);
/* Why a run could not be made, such as what the compiler says of an edit (seam_edit_name_group());
 * NULL: nothing is wrong, or the edits have changed since. */
void seam_setup_set_mistake (SeamSetup *self, const char *sentence);
const char *seam_setup_get_mistake (SeamSetup *self);
/* All of them, of all pipelines; borrowed. */
const SeamEdits *seam_setup_get_edits (SeamSetup *self);
void seam_setup_set_edits (SeamSetup *self, const SeamEdits *edits);
/* Marks a text that comes from somebody's file. It is compiled only after the person has seen it
 * and allowed it, which holds for this text, in whatever place it stands. */
void seam_setup_mark_foreign (SeamSetup *self, const char *text, gboolean allowed);
gboolean seam_setup_is_foreign (SeamSetup *self, const char *text); /* and not allowed */
/* The first such text; NULL: there is none. */
const char *seam_setup_find_foreign (SeamSetup *self, const SeamEdits *edits);
/* Adds the texts of the “@edited” groups of the request's plans. */
void seam_setup_add_edits (SeamSetup *self, SeamRunRequest *request);

/* --- Target and settings --- */

GPtrArray *seam_setup_get_targets (SeamSetup *self); /* of SeamDeviceInfo; NULL before known */
GPtrArray *seam_setup_get_checks (SeamSetup *self);  /* of SeamCheck; NULL before known */
/* Takes both arrays, which come from the worker. If the chosen target is no longer available, or
 * was not chosen by the person, the best available one replaces it. */
void seam_setup_take_targets (SeamSetup *self, GPtrArray *targets, GPtrArray *checks);
const SeamDeviceInfo *seam_setup_get_target (SeamSetup *self); /* the chosen one; NULL unknown */
void seam_setup_set_target (SeamSetup *self, const char *id);
/* Whether the person chose the target, rather than "the best there is". */
gboolean seam_setup_is_target_chosen (SeamSetup *self);
/* The settings as they were chosen. The request has them as they were resolved for the target. */
SeamChosenSettings *seam_setup_get_settings (SeamSetup *self);
