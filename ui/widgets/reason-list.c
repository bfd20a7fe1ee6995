/* SPDX-License-Identifier: MIT
 *
 * Two factories of a drop-down: one line for the closed control, name and reason for the open list.
 */
#include "ui/widgets/reason-list.h"

#include "ui/widgets/label.h"

#define REASON_CHARS 44 /* letters in a line of a reason */

typedef struct {
  int max_chars;
  SeamReasonFunc get_reason;
  gpointer data;
} Reasons;

static const char *
get_text (GtkListItem *item)
{
  return gtk_string_object_get_string (gtk_list_item_get_item (item));
}

static void
setup_button_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Reasons *reasons)
{
  GtkWidget *label = seam_label_new (NULL, NULL, SEAM_LABEL_SHORTENS);

  gtk_label_set_max_width_chars (GTK_LABEL (label), reasons->max_chars);
  gtk_label_set_xalign (GTK_LABEL (label), 1);
  gtk_list_item_set_child (item, label);
}

static void
bind_button_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Reasons *reasons)
{
  gtk_label_set_text (GTK_LABEL (gtk_list_item_get_child (item)), get_text (item));
}

static void
setup_row_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Reasons *reasons)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *name = seam_label_new (NULL, NULL, 0);
  GtkWidget *reason = seam_label_new (NULL, "dim-label note", SEAM_LABEL_WRAPS);

  gtk_label_set_width_chars (GTK_LABEL (reason), REASON_CHARS);
  gtk_label_set_max_width_chars (GTK_LABEL (reason), REASON_CHARS);
  gtk_box_append (GTK_BOX (box), name);
  gtk_box_append (GTK_BOX (box), reason);
  gtk_list_item_set_child (item, box);
}

static void
bind_row_cb (GtkSignalListItemFactory *factory, GtkListItem *item, Reasons *reasons)
{
  GtkWidget *box = gtk_list_item_get_child (item);
  GtkWidget *name = gtk_widget_get_first_child (box);
  GtkWidget *reason = gtk_widget_get_last_child (box);
  g_autofree char *why = reasons->get_reason (gtk_list_item_get_position (item), reasons->data);

  gtk_label_set_text (GTK_LABEL (name), get_text (item));
  gtk_label_set_text (GTK_LABEL (reason), why != NULL ? why : "");
  gtk_widget_set_visible (reason, why != NULL);
  gtk_widget_set_sensitive (name, why == NULL);
  gtk_list_item_set_activatable (item, why == NULL);
  gtk_list_item_set_selectable (item, why == NULL);
}

void
seam_reason_list_update (GtkDropDown *drop_down)
{
  Reasons *reasons = g_object_get_data (G_OBJECT (drop_down), "reasons");
  g_autoptr (GtkListItemFactory) row = gtk_signal_list_item_factory_new ();

  g_signal_connect (row, "setup", G_CALLBACK (setup_row_cb), reasons);
  g_signal_connect (row, "bind", G_CALLBACK (bind_row_cb), reasons);
  gtk_drop_down_set_list_factory (drop_down, row);
}

void
seam_reason_list_attach (GtkDropDown *drop_down, int max_chars, SeamReasonFunc get_reason,
                         gpointer data)
{
  g_autoptr (GtkListItemFactory) button = gtk_signal_list_item_factory_new ();
  Reasons *reasons = g_new (Reasons, 1);

  reasons->max_chars = max_chars;
  reasons->get_reason = get_reason;
  reasons->data = data;
  g_object_set_data_full (G_OBJECT (drop_down), "reasons", reasons, g_free);
  g_signal_connect (button, "setup", G_CALLBACK (setup_button_cb), reasons);
  g_signal_connect (button, "bind", G_CALLBACK (bind_button_cb), reasons);
  gtk_drop_down_set_factory (drop_down, button);
  seam_reason_list_update (drop_down);
}
