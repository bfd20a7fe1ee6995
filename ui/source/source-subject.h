/* SPDX-License-Identifier: MIT
 *
 * SeamSourceSubject: the code that executes the plans as they are now, and the place in it that is
 * shown. It follows the model: while it is active, it asks the worker for the code of all plans
 * when they or the target change, or takes what a session kept. The person's own texts are kept by
 * the model. Knows no widget.
 *
 * Properties, each notified when it changes:
 *   "code"      the code, loaded or gone
 *   "place"     the place of the shown code; also notified when its code changes
 *   "message"   why there is no code, or that it comes later
 *   "has-kept"  whether the session's file has the code that ran
 */
#pragma once

#include "ui/state/model.h"

#include "app/backend/source.h"

#define SEAM_TYPE_SOURCE_SUBJECT (seam_source_subject_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceSubject, seam_source_subject, SEAM, SOURCE_SUBJECT, GObject)

/* Numbers from 0. */
typedef struct {
  int plan, group, part; /* the part is one of the group's sources */
} SeamSourcePlace;

SeamSourceSubject *seam_source_subject_new (SeamModel *model);

SeamModel *seam_source_subject_get_model (SeamSourceSubject *self);
/* The code of all plans; NULL: not there yet, or refused. */
const SeamCode *seam_source_subject_get_code (SeamSourceSubject *self);
/* The pipeline of the code. */
const SeamPipeline *seam_source_subject_get_pipeline (SeamSourceSubject *self);
const SeamChain *seam_source_subject_get_chain (SeamSourceSubject *self, int plan);
/* Whether the code comes from a session, as it ran, and is read-only. */
gboolean seam_source_subject_is_kept (SeamSourceSubject *self);
/* Whether the session has such code, and whether to show it. */
gboolean seam_source_subject_has_kept (SeamSourceSubject *self);
void seam_source_subject_set_wants_kept (SeamSourceSubject *self, gboolean wants);
/* Whether the page is shown. */
void seam_source_subject_set_active (SeamSourceSubject *self, gboolean active);
const char *seam_source_subject_get_message (SeamSourceSubject *self);

SeamSourcePlace seam_source_subject_get_place (SeamSourceSubject *self);
void seam_source_subject_set_place (SeamSourceSubject *self, SeamSourcePlace place);
/* Shows a place by the person's own choice, which stays when other code is loaded. */
void seam_source_subject_choose_place (SeamSourceSubject *self, SeamSourcePlace place);
/* The chosen place; without one, the first group with a person's own text, else the first whose
 * text can be changed, else the first with a text. */
SeamSourcePlace seam_source_subject_find_place (SeamSourceSubject *self);
/* The plan is shown at the same group as soon as its code is there, unless the person chooses
 * another place before. Until then the place stays, and its text can be changed. */
void seam_source_subject_expect_plan (SeamSourceSubject *self, int plan);
/* What is shown; NULL if there is nothing. */
const SeamPlanCode *seam_source_subject_get_plan (SeamSourceSubject *self);
const SeamGroupCode *seam_source_subject_get_group (SeamSourceSubject *self);
const SeamSource *seam_source_subject_get_source (SeamSourceSubject *self);

/* Whether the person can change the source that is shown; and the person's own text for it, or
 * NULL. */
gboolean seam_source_subject_is_editable (SeamSourceSubject *self);
const char *seam_source_subject_get_edit (SeamSourceSubject *self);
/* Sets the person's text; a text equal to the program's own is no edit. */
void seam_source_subject_set_edit (SeamSourceSubject *self, const char *text);
void seam_source_subject_reset_edit (SeamSourceSubject *self);

/* The model's request with `plans` (NULL-terminated, taken) and the person's texts. */
SeamRunRequest *seam_source_subject_make_request (SeamSourceSubject *self, char **plans);
