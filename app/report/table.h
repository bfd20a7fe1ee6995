/* SPDX-License-Identifier: MIT
 *
 * A table for people: typed columns and rows, made once and rendered as terminal text, as a figure
 * on a sheet, and by ui/ as a list model. Numbers are kept as values in base units (ns, bytes,
 * fractions) and formatted when they are shown, with one unit for all columns of a quantity. CSV is
 * made by SeamView (app/record/record.h); a column can show a value of such a view by its name, so
 * that each number is computed in one place.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/figure.h"
#include "app/pipeline/pipeline.h"
#include "app/record/record.h"

/* The type of a column's cells. All but text is aligned right and sorted by value. */
typedef enum {
  SEAM_CELL_TEXT,
  SEAM_CELL_NUMBER,   /* the maker of the row writes the text */
  SEAM_CELL_COUNT,    /* "134,217,728" */
  SEAM_CELL_TIME,     /* in ns; three decimals, with the unit in the title */
  SEAM_CELL_INTERVAL, /* in ns: "0.540 to 0.542" */
  SEAM_CELL_BYTES,    /* two decimals, with the unit in the title */
  SEAM_CELL_MOVED,    /* the same with a sign: "−2.11", "+1.06", "0" */
  SEAM_CELL_RATE,     /* in bytes/s, two decimals */
  SEAM_CELL_FLOP,     /* likewise for operations */
  SEAM_CELL_FLOP_RATE,
  SEAM_CELL_PERCENT, /* a fraction: 0.674 is "67.4" */
  SEAM_CELL_APART,   /* the same with a sign */
  SEAM_CELL_RATIO,   /* "1.84×" */
  SEAM_CELL_ERROR,   /* "1.4×10⁻⁶" */
  SEAM_CELL_DIGITS,  /* three significant digits: "0.0123" */
} SeamCellKind;

/* Where a column is shown; 0: everywhere. */
typedef enum {
  SEAM_SHOWN_ON_TERMINAL = 1 << 0,
  SEAM_SHOWN_IN_WINDOW = 1 << 1,
  SEAM_SHOWN_ON_SHEET = 1 << 2,
  SEAM_SHOWN_NOWHERE = 1 << 3,
} SeamShownWhere;

typedef struct {
  const char *name;  /* stable: settings store the names of hidden columns */
  const char *title; /* without its unit */
  SeamCellKind kind;
  guint where;          /* bits of SeamShownWhere */
  const char *value;    /* column of the table's CSV that it shows; NULL: the maker sets the cell */
  gboolean shares_unit; /* the title of a neighbouring column names the unit */
  gboolean zero_is_dash; /* for instance, if nothing is moved */
  /* The look, except in plain text: */
  gboolean dim, bold;
  gboolean expand;      /* takes the spare width */
  gboolean wide_only;   /* left out if there is no room */
  gboolean shows_kinds; /* chips in kind colours before the text */
  int min_chars;        /* of a text that is shortened if there is no room; 0: no minimum */
} SeamColumn;

typedef enum {
  SEAM_TONE_PLAIN,
  SEAM_TONE_GOOD,
  SEAM_TONE_WARNING,
  SEAM_TONE_BAD,
  SEAM_TONE_GONE, /* struck through */
} SeamTone;

typedef struct {
  char *text;         /* owned; NULL: formatted from the value */
  double value, high; /* NaN: unknown; if `high` is known, the cell is an interval, "0.540 to
                       * 0.542" */
  char *words;        /* owned: tooltip; may be NULL */
  SeamTone tone;
  gboolean is_marked; /* has "! " before it, so that not only the tone marks it */
} SeamCell;

typedef struct {
  SeamCell *cells; /* one for each column of the table */
  SeamOpKind kinds[SEAM_MAX_OPS];
  int n_kinds;
  int plan, index;   /* what the row is about; -1: unknown */
  gboolean is_total; /* below a line, and empty if nothing is set; not in the window, where rows are
                      * sorted */
} SeamTableRow;

/* Reference counted: widgets and figures keep it. */
typedef struct SeamTable SeamTable;

/* Copies `columns` and their texts. */
SeamTable *seam_table_new (const SeamColumn *columns, int n_columns);
SeamTable *seam_table_ref (SeamTable *table);
void seam_table_unref (SeamTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTable, seam_table_unref)

/* Adds a column; all columns come before the first row. A title may have several lines. */
void seam_table_add_column (SeamTable *table, const char *title, gboolean to_the_right);
/* Hides the column everywhere in this table, which has no values for it. */
void seam_table_leave_out (SeamTable *table, const char *name);
/* Replaces the column's own title. */
void seam_table_set_title (SeamTable *table, const char *name, const char *title);
/* Replaces the unit that is chosen for the largest value in the table's columns of this
 * quantity. */
void seam_table_set_unit (SeamTable *table, SeamCellKind kind, SeamUnit unit);
/* Adds a row with all cells unknown; valid until the next row is added. */
SeamTableRow *seam_table_add_row (SeamTable *table);
/* The same, with plan and index. */
SeamTableRow *seam_table_append (SeamTable *table, int plan, int index);
int seam_table_get_column_index (const SeamTable *table, const char *name);
/* The cell of a row in the column called `name`. */
SeamCell *seam_table_get_cell (SeamTable *table, SeamTableRow *row, const char *name);
/* Sets the cells of all columns that show a value of `view`. */
void seam_table_read_row (SeamTable *table, SeamTableRow *row, const SeamView *view,
                          const SeamPath *path);
/* Takes `text`; `words` may be NULL and are copied. */
void seam_cell_take (SeamCell *cell, char *text, const char *words);

/* Sets all of one cell: takes `text`, copies `words`, which may be NULL. A text column is sorted by
 * `value` if it is known. */
void seam_row_take (SeamTableRow *row, int column, char *text, double value, const char *words);
void seam_row_set_kinds (SeamTableRow *row, const SeamOpKind *kinds, int n_kinds);

/* Sets the next cell, row by row, of a table of texts; takes `text`. The first cell of a row adds
 * the row. */
void seam_table_take (SeamTable *table, char *text);
void seam_table_add (SeamTable *table, const char *text);

int seam_table_get_n_columns (const SeamTable *table);
const SeamColumn *seam_table_get_column (const SeamTable *table, int column);
int seam_table_get_n_rows (const SeamTable *table);
const SeamTableRow *seam_table_get_row (const SeamTable *table, int row);
gboolean seam_table_is_shown (const SeamTable *table, int column, SeamShownWhere where);
/* "ms": the unit of the column, chosen by the rows; NULL: none, or no number is known. Borrowed. */
const char *seam_table_get_unit (const SeamTable *table, int column);
/* "Median (ms)", on one line; newly allocated. */
char *seam_table_format_title (const SeamTable *table, int column);
/* The cell's text as it is shown; newly allocated. Call it after all rows and values are set. */
char *seam_table_format_cell (const SeamTable *table, int row, int column);

/* The whole table with its header for a terminal: columns as wide as their widest cell, counted in
 * characters rather than bytes, numbers aligned right. A character that cannot be printed (a line
 * feed, for instance) is shown as U+FFFD, a very long text is shortened. Newly allocated. */
char *seam_table_format (const SeamTable *table);

/* The whole table as a figure. If there is no room, columns that expand get narrower, and those
 * that are `wide_only` are left out, the last one first. Takes `summary`. */
SeamFigure *seam_table_figure_new (const SeamTable *table, double width, char *summary);
