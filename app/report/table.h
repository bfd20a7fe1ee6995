/* SPDX-License-Identifier: MIT
 *
 * A table for people: typed columns and rows, made once and rendered as terminal text, as a figure
 * on a sheet, and by ui/ as a list model. Numbers are kept as values in base units (ns, bytes,
 * fractions) and written when they are shown, with one unit for all columns of a quantity. CSV is
 * made by SeamView (app/record/record.h), whose values a column can show by name, so that a number
 * is computed in one place.
 */
#pragma once

#include "app/base/text.h"
#include "app/figure/figure.h"
#include "app/pipeline/pipeline.h"
#include "app/record/record.h"

G_BEGIN_DECLS

/* What a column holds. All but text stands at the right and is sorted by value. */
typedef enum {
  SEAM_CELL_TEXT,
  SEAM_CELL_NUMBER,   /* whose text the maker of the row writes */
  SEAM_CELL_COUNT,    /* "134,217,728" */
  SEAM_CELL_TIME,     /* of ns; three decimals of the unit in the title */
  SEAM_CELL_INTERVAL, /* of ns: "0.540 to 0.542" */
  SEAM_CELL_BYTES,    /* two decimals of the unit in the title */
  SEAM_CELL_MOVED,    /* the same with its sign: "−2.11", "+1.06", "0" */
  SEAM_CELL_RATE,     /* of bytes/s, two decimals */
  SEAM_CELL_FLOP,     /* likewise */
  SEAM_CELL_FLOP_RATE,
  SEAM_CELL_PERCENT, /* of a fraction: 0.674 is "67.4" */
  SEAM_CELL_APART,   /* the same with its sign */
  SEAM_CELL_RATIO,   /* "1.84×" */
  SEAM_CELL_ERROR,   /* "1.4×10⁻⁶" */
  SEAM_CELL_DIGITS,  /* three of them: "0.0123" */
} SeamCellKind;

/* Where a column is shown; 0: everywhere. */
typedef enum {
  SEAM_SHOWN_ON_TERMINAL = 1 << 0,
  SEAM_SHOWN_IN_WINDOW = 1 << 1,
  SEAM_SHOWN_ON_SHEET = 1 << 2,
  SEAM_SHOWN_NOWHERE = 1 << 3,
} SeamShownWhere;

typedef struct {
  const char *name;  /* stable: remembered as hidden */
  const char *title; /* without its unit */
  SeamCellKind kind;
  guint where;          /* of SeamShownWhere */
  const char *value;    /* column of the table's CSV that it shows; NULL: the maker sets the cell */
  gboolean shares_unit; /* that the title of a column beside it says */
  gboolean zero_is_dash; /* nothing is moved, say */
  /* How it looks where there is more than text: */
  gboolean dim, bold;
  gboolean expand;      /* takes the spare width */
  gboolean wide_only;   /* left out where there is no room */
  gboolean shows_kinds; /* chips in kind colours before the text */
  int min_chars;        /* of text that is shortened where it has no room; 0: none is promised */
} SeamColumn;

typedef enum {
  SEAM_TONE_PLAIN,
  SEAM_TONE_GOOD,
  SEAM_TONE_WARNING,
  SEAM_TONE_BAD,
  SEAM_TONE_GONE, /* struck through */
} SeamTone;

typedef struct {
  char *text;         /* owned; NULL: written from the value */
  double value, high; /* NaN: unknown; with `high` it is an interval, "0.540 to 0.542" */
  char *words;        /* owned: what is said on hover; may be NULL */
  SeamTone tone;
  gboolean is_marked; /* by "! " before it: its tone is not all that says it */
} SeamCell;

typedef struct {
  SeamCell *cells; /* as many as the table has columns */
  SeamOpKind kinds[SEAM_MAX_OPS];
  int n_kinds;
  int plan, index;   /* of what the row is about, for who shows it; -1: unknown */
  gboolean is_total; /* below a line, empty where nothing is set; not in the window, where
                        rows are sorted */
} SeamTableRow;

/* Counted by references: widgets and figures keep it. */
typedef struct SeamTable SeamTable;

/* `columns` are copied, with their texts. */
SeamTable *seam_table_new (const SeamColumn *columns, int n_columns);
SeamTable *seam_table_ref (SeamTable *table);
void seam_table_unref (SeamTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTable, seam_table_unref)

/* One more column; all come before the first row. A title may have several lines. */
void seam_table_add_column (SeamTable *table, const char *title, gboolean to_the_right);
/* The column is shown nowhere: this table has nothing for it. */
void seam_table_leave_out (SeamTable *table, const char *name);
/* Instead of the column's own. */
void seam_table_set_title (SeamTable *table, const char *name, const char *title);
/* Instead of one that is chosen for the largest value of the table's columns of this quantity. */
void seam_table_set_unit (SeamTable *table, SeamCellKind kind, SeamUnit unit);
/* The next row, all of whose cells are unknown; valid until the next one. */
SeamTableRow *seam_table_add_row (SeamTable *table);
/* The same, of plan and index. */
SeamTableRow *seam_table_append (SeamTable *table, int plan, int index);
int seam_table_get_column_index (const SeamTable *table, const char *name);
/* The cell of a row in the column called `name`. */
SeamCell *seam_table_get_cell (SeamTable *table, SeamTableRow *row, const char *name);
/* Sets the cells of all columns that show a value of `view`. */
void seam_table_read_row (SeamTable *table, SeamTableRow *row, const SeamView *view,
                          const SeamPath *path);
/* Takes `text`; `words` may be NULL and are copied. */
void seam_cell_take (SeamCell *cell, char *text, const char *words);

/* Sets all of one cell: takes `text`, copies `words`, which may be NULL. A text column sorts by
 * `value` where it is known. */
void seam_row_take (SeamTableRow *row, int column, char *text, double value, const char *words);
void seam_row_set_kinds (SeamTableRow *row, const SeamOpKind *kinds, int n_kinds);

/* For tables of texts: the next cell, row by row; the first takes `text`. */
void seam_table_take (SeamTable *table, char *text);
void seam_table_add (SeamTable *table, const char *text);

int seam_table_get_n_columns (const SeamTable *table);
const SeamColumn *seam_table_get_column (const SeamTable *table, int column);
int seam_table_get_n_rows (const SeamTable *table);
const SeamTableRow *seam_table_get_row (const SeamTable *table, int row);
gboolean seam_table_is_shown (const SeamTable *table, int column, SeamShownWhere where);
/* "ms": of the column's numbers, chosen by the rows; NULL: none, or no number is known. Borrowed.
 */
const char *seam_table_get_unit (const SeamTable *table, int column);
/* "Median (ms)", in one line; newly allocated. */
char *seam_table_format_title (const SeamTable *table, int column);
/* The cell's text as it is shown; newly allocated. Call it when all rows and values are there. */
char *seam_table_format_cell (const SeamTable *table, int row, int column);

/* The whole table with its header for a terminal: columns as wide as their widest cell, counted in
 * characters rather than bytes, numbers at the right. What is no character to print (a line feed,
 * say) is shown as U+FFFD, a very long text shortened. Newly allocated. */
char *seam_table_format (const SeamTable *table);

/* The whole table as a figure: columns that expand give way where there is no room, those that need
 * a wide place are left out, the last one first. Takes `summary`. */
SeamFigure *seam_table_figure_new (const SeamTable *table, double width, char *summary);

G_END_DECLS
