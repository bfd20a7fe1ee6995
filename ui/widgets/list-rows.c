/* SPDX-License-Identifier: MIT
 *
 * Rows that stay while they are equal: see list-rows.h.
 */
#include "ui/widgets/list-rows.h"

#include "ui/widgets/label.h"

#include <adwaita.h>

#define KEY_TEXTS "seam-texts"

GtkWidget *
seam_action_row_new (const char *title, const char *subtitle, const char *verdict,
                     const char *action)
{
  GtkWidget *row =
      g_object_new (ADW_TYPE_ACTION_ROW, "use-markup", FALSE, "title", title, "subtitle", subtitle,
                    "subtitle-lines", 2, "activatable", action != NULL, NULL);

  gtk_widget_set_sensitive (row, action != NULL);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  subtitle, -1);
  if (verdict != NULL)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               seam_label_new (verdict, "verdict-headline", 0));
  if (action == NULL)
    return row;
  seam_widget_set_action (row, action);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                             gtk_image_new_from_icon_name ("go-next-symbolic"));
  return row;
}

void
seam_list_row_set_texts (GtkWidget *row, const char *name, const char *tooltip)
{
  /* In the place of what an AdwActionRow says: its title and subtitle. */
  gtk_accessible_reset_relation (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_RELATION_LABELLED_BY);
  gtk_accessible_reset_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
  seam_widget_set_name (row, name);
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
  if (has_rows (list, rows))
    return;
  seam_widget_clear (list, G_CALLBACK (gtk_list_box_remove));
  for (guint i = 0; i < rows->len; i++)
    gtk_list_box_append (list, rows->pdata[i]);
}
