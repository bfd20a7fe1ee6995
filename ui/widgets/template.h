/* SPDX-License-Identifier: MIT
 *
 * What a class with a template says in its class_init: the file, and which children it keeps.
 */
#pragma once

#include "ui/class/class.h"

#include <gtk/gtk.h>

/* SEAM_TEMPLATE (klass, SeamRunCard, "run-card.ui", head, headline): the template, and the members
 * of the struct that are its children of the same names. SEAM_TEMPLATE_PRIVATE: members of the
 * private struct. The widgets are released with the child of an AdwBin:
 * gtk_widget_dispose_template() of GTK 4.8 fails if a template contains another one. */
#define SEAM_TEMPLATE(klass, Type, file, ...)                                                      \
  SEAM_TEMPLATE_AT (klass, G_STRUCT_OFFSET, Type, file, __VA_ARGS__)
#define SEAM_TEMPLATE_PRIVATE(klass, Type, file, ...)                                              \
  SEAM_TEMPLATE_AT (klass, G_PRIVATE_OFFSET, Type, file, __VA_ARGS__)

#define SEAM_TEMPLATE_AT(klass, offset, Type, file, ...)                                           \
  G_STMT_START                                                                                     \
  {                                                                                                \
    GtkWidgetClass *with_template = GTK_WIDGET_CLASS (klass);                                      \
                                                                                                   \
    gtk_widget_class_set_template_from_resource (with_template,                                    \
                                                 "/io/github/seamscope/Seamscope/" file);          \
    SEAM_EACH (SEAM_BIND, offset, Type, __VA_ARGS__)                                               \
  }                                                                                                \
  G_STMT_END

#define SEAM_BIND(offset, Type, name)                                                              \
  gtk_widget_class_bind_template_child_full (with_template, #name, FALSE, offset (Type, name));
