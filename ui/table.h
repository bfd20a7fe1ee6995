/* SPDX-License-Identifier: MIT
 *
 * SeamTable: a GtkColumnView over rows of text cells. Numbers stand at the right and sort by value,
 * any column can be hidden from the header's menu, Ctrl+C copies rows as tab-separated text. Rows
 * hold all state; widgets are recycled.
 *
 * Signals:
 *   "row-selected" (SeamTableRow or NULL)  by the person, not by seam_table_select()
 */
#pragma once

#include "app/pipeline/pipeline.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define SEAM_TYPE_TABLE_ROW (seam_table_row_get_type ())
G_DECLARE_FINAL_TYPE (SeamTableRow, seam_table_row, SEAM, TABLE_ROW, GObject)

typedef struct {
  const char *id; /* stable: remembered as hidden */
  const char *title;
  gboolean numeric;     /* right-aligned, sorted by value, first descending */
  gboolean dim;         /* dim text */
  gboolean bold;        /* bold text */
  gboolean expand;      /* takes the spare width */
  gboolean wide_only;   /* hidden in a narrow window */
  gboolean shows_kinds; /* chips in kind colours before the text */
  int min_chars;        /* of text that is shortened where it has no room; 0: none is promised */
} SeamColumn;

/* `plan` and `index` are the caller's (a kernel of a plan); `n_cells` as the table has columns. */
SeamTableRow *seam_table_row_new (int plan, int index, int n_cells);
int seam_table_row_get_plan (SeamTableRow *row);
int seam_table_row_get_index (SeamTableRow *row);
/* Takes `text`. `value` sorts (NaN: unknown, always last); `tooltip` may be NULL and is copied. */
void seam_table_row_take_cell (SeamTableRow *row, int column, char *text, double value,
                               const char *tooltip);
void seam_table_row_set_kinds (SeamTableRow *row, const SeamOpKind *kinds, int n_kinds);
/* CSS class of one cell ("success", "error"); static string. */
void seam_table_row_set_class (SeamTableRow *row, int column, const char *css_class);

#define SEAM_TYPE_TABLE (seam_table_get_type ())
G_DECLARE_FINAL_TYPE (SeamTable, seam_table, SEAM, TABLE, AdwBin)

/* `columns` must be static. `sort_column` (or -1) is sorted at first, largest value first.
 * `label` names the table for assistive technology. */
SeamTable *seam_table_new (const SeamColumn *columns, int n_columns, int sort_column,
                           gboolean selectable, const char *label);
/* Replaces all rows (SeamTableRow); keeps sorting and, where such a row exists, the selection. */
void seam_table_set_rows (SeamTable *self, GPtrArray *rows);
void seam_table_set_column_title (SeamTable *self, int column, const char *title);
void seam_table_set_narrow (SeamTable *self, gboolean narrow);
/* For few rows on a page that scrolls itself: the table is as high as it needs. */
void seam_table_show_all_rows (SeamTable *self);
/* Selects the row of (plan, index); nothing for plan < 0. Emits nothing. */
void seam_table_select (SeamTable *self, int plan, int index);
/* Ids of columns that the person has hidden, separated by commas; newly allocated. */
char *seam_table_get_hidden (SeamTable *self);
void seam_table_set_hidden (SeamTable *self, const char *ids);
/* Mistakes made on purpose that the rows were measured with, as SeamResult names them; NULL: none.
 * They are one more column of what is copied. */
void seam_table_set_pitfalls (SeamTable *self, const char *pitfalls);
/* The selected row, or all, with the header; newly allocated. */
char *seam_table_make_tsv (SeamTable *self);

G_END_DECLS
