/* SPDX-License-Identifier: MIT
 *
 * JSON. What is read was written by other people or processes, and json-glib recurses once for each
 * level of a text, so that brackets alone overflow the stack. So every text passes a limit of depth
 * before json-glib sees it, and no other file of the program calls a parser of JSON.
 */
#pragma once

#include <glib.h>

/* Levels of objects and arrays, the outermost being the first. No text of the program has more than
 * ten. */
#define SEAM_JSON_LEVELS 32

/* A position in a text; zeroed at the start. */
typedef struct {
  int depth;
  gboolean in_string, escaped;
} SeamJsonNesting;

/* What json-glib may see of the next byte. A value that is nested deeper than SEAM_JSON_LEVELS
 * becomes a 0 followed by spaces, so that the text keeps its length. */
char seam_json_flatten (SeamJsonNesting *self, char byte);

/* As seam_variant_to_json() (variant.h), which indents by 2. */
char *seam_json_write (GVariant *variant, guint indent);

/* The text as a variant that only readers of records understand (app/record/variant.h); a new
 * reference. The caller limits its size. SEAM_ERROR_FILE with a clause: "it is damaged". */
GVariant *seam_json_parse (const char *text, GError **error);
