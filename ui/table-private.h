/* SPDX-License-Identifier: MIT
 *
 * The fields of a table's row, for table.c and table-row.c only.
 */
#pragma once

#include "ui/table.h"

G_BEGIN_DECLS

typedef struct {
  char *text;
  double value; /* NaN: sorted by text, or unknown in a numeric column */
  char *tooltip;
  const char *css_class; /* static, or NULL */
} SeamTableCell;

struct _SeamTableRow {
  GObject parent_instance;

  int plan, index;
  int n_cells;
  SeamTableCell *cells;
  int n_kinds;
  SeamOpKind *kinds;
};

G_END_DECLS
