/* SPDX-License-Identifier: MIT
 *
 * Help about the program itself: shortcuts, About.
 */
#include "ui/window/shortcuts.h"

#include "app/version.h"

#include <adwaita.h>

GtkShortcutsWindow *
seam_shortcuts_window_new (void)
{
  g_autoptr (GtkBuilder) builder =
      gtk_builder_new_from_resource ("/io/github/seamscope/Seamscope/shortcuts.ui");
  return GTK_SHORTCUTS_WINDOW (gtk_builder_get_object (builder, "help_overlay"));
}

/* The facts that a bug report needs. */
static char *
make_debug_info (GtkWindow *parent)
{
  GskRenderer *renderer = gtk_native_get_renderer (GTK_NATIVE (parent));
  return g_strdup_printf (
      "Seamscope %s\nGTK %u.%u.%u\nlibadwaita %u.%u.%u\nDisplay %s\nRenderer %s\n", seam_version (),
      gtk_get_major_version (), gtk_get_minor_version (), gtk_get_micro_version (),
      adw_get_major_version (), adw_get_minor_version (), adw_get_micro_version (),
      G_OBJECT_TYPE_NAME (gtk_widget_get_display (GTK_WIDGET (parent))),
      renderer != NULL ? G_OBJECT_TYPE_NAME (renderer) : "none");
}

void
seam_show_about (GtkWindow *parent)
{
  g_autofree char *debug = make_debug_info (parent);
  GtkWidget *about = adw_about_window_new ();

  g_object_set (about, "transient-for", parent, "modal", TRUE, "application-name", "Seamscope",
                "application-icon", "io.github.seamscope.Seamscope", "version", seam_version (),
                "developer-name", "The Seamscope developers", "license-type", GTK_LICENSE_MIT_X11,
                "comments",
                "Takes chains of GPU operations apart at their seams and puts them together again, "
                "and shows what that does to time, memory traffic and numbers.",
                "debug-info", debug, "debug-info-filename", "seamscope.txt", NULL);
  gtk_window_present (GTK_WINDOW (about));
}
