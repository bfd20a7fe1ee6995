/* SPDX-License-Identifier: MIT */
#include "ui/widgets/label.h"

gpointer
seam_label_new (const char *text, const char *classes, SeamLabelFlags flags)
{
  g_auto (GStrv) names = g_strsplit (classes != NULL ? classes : "", " ", -1);
  PangoEllipsizeMode ellipsize =
      flags & SEAM_LABEL_SHORTENS ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE;

  return g_object_new (GTK_TYPE_LABEL, "label", text != NULL ? text : "", "xalign", 0.0, "wrap",
                       (flags & SEAM_LABEL_WRAPS) != 0, "ellipsize", ellipsize, "selectable",
                       (flags & SEAM_LABEL_SELECTABLE) != 0, "css-classes", names, NULL);
}

static void
copy_cb (GtkWidget *button, GtkLabel *command)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (button), gtk_label_get_text (command));
}

GtkWidget *
seam_command_new (const char *command)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *label =
      seam_label_new (command, "command monospace", SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  GtkWidget *copy = gtk_button_new_with_label ("Copy");

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (copy, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  command, -1);
  g_signal_connect (copy, "clicked", G_CALLBACK (copy_cb), label);
  gtk_box_append (GTK_BOX (box), label);
  gtk_box_append (GTK_BOX (box), copy);
  return box;
}
