/* SPDX-License-Identifier: MIT
 *
 * Reading CSV by RFC 4180 as csv-text.h writes it: a header of names, then rows. Line ends may be
 * those of any system, and a byte order mark is skipped: the file may have been in a spreadsheet.
 */
#pragma once

#include <glib.h>

typedef struct SeamCsv SeamCsv;

/* SEAM_ERROR_FILE for text that is not UTF-8, and, with the line, for a quote that is not closed or
 * a row with more or fewer fields than the header. Empty lines are skipped. */
SeamCsv *seam_csv_parse (const char *text, GError **error);
void seam_csv_free (SeamCsv *csv);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamCsv, seam_csv_free)

int seam_csv_get_n_rows (const SeamCsv *csv);
gboolean seam_csv_has_column (const SeamCsv *csv, const char *column);
/* A field; "" if it is empty or there is no such column. Borrowed. */
const char *seam_csv_get (const SeamCsv *csv, int row, const char *column);
/* NaN if the field is empty or no number. */
double seam_csv_get_number (const SeamCsv *csv, int row, const char *column);
/* `unknown` if the field is empty or no whole number from `min` on. */
gint64 seam_csv_get_integer (const SeamCsv *csv, int row, const char *column, gint64 min,
                             gint64 unknown);
