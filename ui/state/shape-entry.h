/* SPDX-License-Identifier: MIT
 *
 * The shape that a person types: the values of a request, the errors of a field's text or of the
 * whole shape, and the last valid problem.
 */
#pragma once

#include "app/runner/runner.h"

typedef struct SeamShapeEntry SeamShapeEntry;

/* `request` holds the values and the preset of the shape, and outlives the entry. */
SeamShapeEntry *seam_shape_entry_new (SeamRunRequest *request);
void seam_shape_entry_free (SeamShapeEntry *self);

/* Call after the request got another pipeline. The preset keeps its name if the pipeline has it. */
void seam_shape_entry_begin (SeamShapeEntry *self);
/* SEAM_ERROR_INPUT if there is no preset of that name. */
gboolean seam_shape_entry_set_preset (SeamShapeEntry *self, const char *name, GError **error);
/* Takes the text of a field as it is typed; invalid text is remembered as this field's error. */
void seam_shape_entry_set_field_text (SeamShapeEntry *self, int field, const char *text);
/* Sets a whole shape that has been checked. `preset` NULL: the preset with these values, if any. */
void seam_shape_entry_adopt (SeamShapeEntry *self, const gint64 *values, const char *preset);

/* A sentence on what is wrong with a field, or NULL; -1: the first error of all. */
const char *seam_shape_entry_get_error (const SeamShapeEntry *self, int field);
/* The last valid problem; NULL only before there was any. The request's settings apply to it. */
SeamProblem *seam_shape_entry_get_problem (const SeamShapeEntry *self);
