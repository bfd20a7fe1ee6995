/* SPDX-License-Identifier: MIT
 *
 * The shape that a person types: the values of a request, what is wrong with the text of a field or
 * with the shape as a whole, and the last valid problem.
 */
#pragma once

#include "app/runner/runner.h"

G_BEGIN_DECLS

typedef struct SeamShapeEntry SeamShapeEntry;

/* `request`: its values and preset are those of the shape; outlives it. */
SeamShapeEntry *seam_shape_entry_new (SeamRunRequest *request);
void seam_shape_entry_free (SeamShapeEntry *self);

/* The request has another pipeline: the preset stays the same one where that has it. */
void seam_shape_entry_begin (SeamShapeEntry *self);
/* SEAM_ERROR_INPUT where there is none of that name. */
gboolean seam_shape_entry_set_preset (SeamShapeEntry *self, const char *name, GError **error);
/* Takes the text of a field as it is typed; invalid text is remembered as this field's error. */
void seam_shape_entry_set_field_text (SeamShapeEntry *self, int field, const char *text);
/* A whole shape that has been checked. `preset` NULL: the one with these values, if any. */
void seam_shape_entry_adopt (SeamShapeEntry *self, const gint64 *values, const char *preset);

/* Sentence of what is wrong with a field, or NULL; -1: the first thing that is wrong at all. */
const char *seam_shape_entry_get_error (const SeamShapeEntry *self, int field);
/* The last valid one; NULL only before there was any. The settings of the request hold for it. */
SeamProblem *seam_shape_entry_get_problem (const SeamShapeEntry *self);

G_END_DECLS
