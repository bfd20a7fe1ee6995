/* SPDX-License-Identifier: MIT
 *
 * Writing CSV by RFC 4180 (comma, CRLF, quotes only where needed) in the C locale. Unknown is an
 * empty field. Every add function ends its field with a comma; seam_csv_end_row() makes the last
 * one the end of the line.
 */
#pragma once

#include <glib.h>

/* NULL: empty. A text that a spreadsheet would take for a formula gets an apostrophe before it,
 * which csv-read.h removes again. */
void seam_csv_add_text (GString *csv, const char *text);
/* Whether `text` gets such an apostrophe when it is written, or may already have one: any number of
 * apostrophes, then "=", "+", "-", "@", a tab or a carriage return. */
gboolean seam_csv_is_guarded (const char *text);
/* The shortest text that reads back as the same number; NaN: empty; "inf", "-inf". */
void seam_csv_add_number (GString *csv, double value);
void seam_csv_add_integer (GString *csv, gint64 value);
/* For counts that have a special value for unknown (-1, or 0 for sizes of a launch). */
void seam_csv_add_known (GString *csv, gint64 value, gboolean known);
void seam_csv_add_boolean (GString *csv, gboolean value); /* "yes", "no" */
void seam_csv_end_row (GString *csv);
/* A whole line of names; NULL-terminated. */
void seam_csv_add_header (GString *csv, const char *const *names);
