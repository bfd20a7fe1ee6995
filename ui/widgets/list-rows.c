/* SPDX-License-Identifier: MIT
 *
 * Rows that stay while they are equal: see list-rows.h.
 */
#include "ui/widgets/list-rows.h"

#define KEY_TEXTS "seam-texts"

void
seam_list_row_set_texts (GtkWidget *row, const char *name, const char *tooltip)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_widget_set_tooltip_text (row, tooltip);
  g_object_set_data_full (G_OBJECT (row), KEY_TEXTS,
                          g_strdup_printf ("%s\n%s", name, tooltip != NULL ? tooltip : ""), g_free);
}

static gboolean
has_rows (GtkListBox *list, GPtrArray *rows)
{
  GtkWidget *old = gtk_widget_get_first_child (GTK_WIDGET (list));

  for (guint i = 0; i < rows->len; i++, old = gtk_widget_get_next_sibling (old))
    if (old == NULL
        || g_strcmp0 (g_object_get_data (G_OBJECT (old), KEY_TEXTS),
                      g_object_get_data (rows->pdata[i], KEY_TEXTS))
               != 0)
      return FALSE;
  return old == NULL;
}

void
seam_list_rows_fill (GtkListBox *list, GPtrArray *rows)
{
  GtkWidget *old;

  if (has_rows (list, rows))
    return;
  while ((old = gtk_widget_get_first_child (GTK_WIDGET (list))) != NULL)
    gtk_list_box_remove (list, old);
  for (guint i = 0; i < rows->len; i++)
    gtk_list_box_append (list, rows->pdata[i]);
}
