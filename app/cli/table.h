/* SPDX-License-Identifier: MIT
 *
 * A table on the terminal: columns as wide as their widest cell, counted in characters rather than
 * bytes, numbers to the right.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct SeamTable SeamTable;

SeamTable *seam_table_new (void);
void seam_table_free (SeamTable *table);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamTable, seam_table_free)

/* All columns come before the first row. A title may have several lines. */
void seam_table_add_column (SeamTable *table, const char *title, gboolean to_the_right);
/* The next cell, row by row; takes `text`. What is no character to print (a line feed, say) is
 * shown as U+FFFD, a very long text shortened. */
void seam_table_take (SeamTable *table, char *text);
void seam_table_add (SeamTable *table, const char *text);
/* The whole table with its header, newly allocated. */
char *seam_table_format (const SeamTable *table);

G_END_DECLS
