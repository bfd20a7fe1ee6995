/* SPDX-License-Identifier: MIT
 *
 * SeamTableView: a GtkColumnView over a SeamTable. Numbers stand at the right and sort by value,
 * any column can be hidden from the header's menu, columns without known values hide themselves,
 * Ctrl+C copies rows as tab-separated text.
 *
 * Signals:
 *   "row-selected" (const SeamTableRow * or NULL)  the person selected a row; not
 *     emitted for seam_table_view_select()
 *   "row-activated" (const SeamTableRow *)  by Enter or a double click; a table whose rows cannot
 * be selected has none
 */
#pragma once

#include "app/report/table.h"

#include <adwaita.h>

#define SEAM_TYPE_TABLE_VIEW (seam_table_view_get_type ())
G_DECLARE_FINAL_TYPE (SeamTableView, seam_table_view, SEAM, TABLE_VIEW, AdwBin)

/* Takes `table`, an empty one, for its columns. It is sorted at first by the column `sorted_by`
 * (NULL: none), largest value first. `label` names the table for assistive technology. */
SeamTableView *seam_table_view_new (SeamTable *table, const char *sorted_by, gboolean selectable,
                                    const char *label);
/* Shows the rows and titles of `table`, which must have the same columns; keeps the sorting and,
 * if such a row exists, the selection. */
void seam_table_view_set_table (SeamTableView *self, SeamTable *table);
/* Whether `table` has the columns of this view. */
gboolean seam_table_view_fits (SeamTableView *self, const SeamTable *table);
/* Sets the column's title until another table replaces it. */
void seam_table_view_set_column_title (SeamTableView *self, int column, const char *title);
/* Keeps columns without known values visible, for a table that fills while it is shown. */
void seam_table_view_keep_columns (SeamTableView *self);
void seam_table_view_set_narrow (SeamTableView *self, gboolean narrow);
/* For few rows on a page that scrolls itself: the table is as high as it needs. */
void seam_table_view_show_all_rows (SeamTableView *self);
/* Selects the row of (plan, index); nothing for plan < 0. Emits nothing. */
void seam_table_view_select (SeamTableView *self, int plan, int index);
/* The selected row gets the focus, which may not be where the list had it last. */
void seam_table_view_focus_selected (SeamTableView *self);
/* Rings the row that the selected one is compared with; plan < 0: none. */
void seam_table_view_set_beside (SeamTableView *self, int plan, int index);
/* Ids of columns that the person has hidden, separated by commas; newly allocated. */
char *seam_table_view_get_hidden (SeamTableView *self);
void seam_table_view_set_hidden (SeamTableView *self, const char *ids);
/* Only rows that say this, whatever the case; NULL or empty: all. */
void seam_table_view_set_search (SeamTableView *self, const char *text);
/* The row at the top, borrowed until another table; NULL: none is shown. */
const SeamTableRow *seam_table_view_get_first (SeamTableView *self);
/* Mistakes made on purpose that the rows were measured with, as SeamResult names them; NULL: none.
 * They are one more column of what is copied. */
void seam_table_view_set_pitfalls (SeamTableView *self, const char *pitfalls);
/* The selected row, or all, with the header; newly allocated. */
char *seam_table_view_make_tsv (SeamTableView *self);
