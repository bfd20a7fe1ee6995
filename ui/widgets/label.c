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
add_classes (GtkWidget *widget, const char *classes)
{
  g_auto (GStrv) names = g_strsplit (classes != NULL ? classes : "", " ", -1);

  for (int i = 0; names[i] != NULL; i++)
    gtk_widget_add_css_class (widget, names[i]);
}

gpointer
seam_box_new (GtkOrientation orientation, int spacing, const char *classes, ...)
{
  GtkWidget *box = gtk_box_new (orientation, spacing), *child;
  va_list children;

  add_classes (box, classes);
  va_start (children, classes);
  while ((child = va_arg (children, GtkWidget *)) != NULL)
    gtk_box_append (GTK_BOX (box), child);
  va_end (children);
  return box;
}

gpointer
seam_scrolled_new (gpointer child)
{
  return g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", child, "hscrollbar-policy",
                       GTK_POLICY_NEVER, "vexpand", TRUE, NULL);
}

gpointer
seam_button_new (const char *label, const char *classes, const char *tooltip, const char *action)
{
  GtkWidget *button = g_str_has_suffix (label, "-symbolic") ? gtk_button_new_from_icon_name (label)
                                                            : gtk_button_new_with_label (label);

  add_classes (button, classes);
  gtk_widget_set_tooltip_text (button, tooltip);
  if (action != NULL)
    seam_widget_set_action (button, action);
  return button;
}

void
seam_widget_set_action (gpointer widget, const char *action)
{
  g_autofree char *name = NULL;
  g_autoptr (GVariant) target = NULL;

  if (!g_action_parse_detailed_name (action, &name, &target, NULL))
    g_assert_not_reached ();
  /* GTK would see the new action with the old target for a moment, and warn. */
  gtk_actionable_set_action_name (widget, NULL);
  gtk_actionable_set_action_target_value (widget, target);
  gtk_actionable_set_action_name (widget, name);
}

void
seam_widget_set_name (gpointer widget, const char *name)
{
  gtk_accessible_update_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

void
seam_widget_clear (gpointer container, GCallback remove)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (container)) != NULL)
    ((void (*) (gpointer, GtkWidget *))remove) (container, child);
}

static void
copy_cb (GtkWidget *button, GtkLabel *command)
{
  gdk_clipboard_set_text (gtk_widget_get_clipboard (button), gtk_label_get_text (command));
}

GtkWidget *
seam_command_new (const char *command)
{
  GtkWidget *label =
      seam_label_new (command, "command monospace", SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  GtkWidget *copy = seam_button_new ("Copy", NULL, NULL, NULL);

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_widget_set_valign (copy, GTK_ALIGN_CENTER);
  gtk_accessible_update_property (GTK_ACCESSIBLE (copy), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  command, -1);
  g_signal_connect (copy, "clicked", G_CALLBACK (copy_cb), label);
  return seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL, label, copy, NULL);
}
