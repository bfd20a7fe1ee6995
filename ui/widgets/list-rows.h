/* SPDX-License-Identifier: MIT
 *
 * Rows of a GtkListBox whose contents arrive again and again, mostly unchanged.
 */
#pragma once

#include <gtk/gtk.h>

/* An AdwActionRow with plain texts, a verdict (NULL: none) and an arrow, which does the action:
 * "win.begin::gemm". Without an action it is insensitive. */
GtkWidget *seam_action_row_new (const char *title, const char *subtitle, const char *verdict,
                                const char *action);
/* Sets what tells the row from others: its name for assistive technology, and its tooltip (NULL:
 * none). */
void seam_list_row_set_texts (GtkWidget *row, const char *name, const char *tooltip);
/* Puts `rows` (of GtkWidget, with texts; the caller keeps the array) in the place of the list's
 * rows. If all texts are equal, the list keeps its rows, and with them the focus, the selection and
 * a pressed button of the pointer: GTK 4.8 warns when a pressed row goes away. */
void seam_list_rows_fill (GtkListBox *list, GPtrArray *rows);
