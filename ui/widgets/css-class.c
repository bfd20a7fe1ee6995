/* SPDX-License-Identifier: MIT */
#include "ui/widgets/css-class.h"

void
seam_css_class_set (gpointer widget, const char *css_class, gboolean on)
{
  if (on)
    gtk_widget_add_css_class (widget, css_class);
  else
    gtk_widget_remove_css_class (widget, css_class);
}
