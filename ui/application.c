/* SPDX-License-Identifier: MIT
 *
 * Application actions and the first window. One window is enough: there is one worker to watch.
 */
#include "ui/application.h"

#include "ui/state/remembered.h"
#include "ui/widgets/gtk-repairs.h"
#include "ui/window/shortcuts.h"
#include "ui/window/pages.h"
#include "ui/window/window.h"

#include "app/figure/figure.h"
#include "app/version.h"

#include <glib-unix.h>

#define APPLICATION_ID "io.github.seamscope.Seamscope"

struct _SeamApplication {
  AdwApplication parent_instance;

  gint64 started_us;
  SeamWindow *window; /* weak */
};

G_DEFINE_FINAL_TYPE (SeamApplication, seam_application, ADW_TYPE_APPLICATION)

static const struct {
  const char *action;
  const char *accels[3];
} accelerators[] = {
  { "app.quit", { "<Control>q" } },
  { "window.close", { "<Control>w" } },
  { "win.run-when-ready", { "<Control>r", "F5" } },
  { "win.stop", { "Escape" } },
  { "win.start-page", { "<Alt>Home" } },
  { "win.open", { "<Control>o" } },
  { "win.save", { "<Control>s" } },
  { "win.save-as", { "<Control><Shift>s" } },
  { "win.pipelines", { "<Control>l" } },
  { "win.pitfalls", { "<Control><Shift>l" } },
  { "win.toggle-sidebar", { "F9" } },
  { "win.help", { "F1" } },
  { "win.present", { "F11" } },
  { "win.show-help-overlay", { "<Control>question" } },
};

static void
apply_color_scheme (const char *name)
{
  AdwColorScheme scheme = ADW_COLOR_SCHEME_DEFAULT;

  if (g_strcmp0 (name, "light") == 0)
    scheme = ADW_COLOR_SCHEME_FORCE_LIGHT;
  else if (g_strcmp0 (name, "dark") == 0)
    scheme = ADW_COLOR_SCHEME_FORCE_DARK;
  adw_style_manager_set_color_scheme (adw_style_manager_get_default (), scheme);
}

static void
color_scheme_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  const char *name = g_variant_get_string (state, NULL);

  seam_remembered_set_string ("color-scheme", name);
  apply_color_scheme (name);
  g_simple_action_set_state (action, state);
}

static void
about_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  seam_show_about (gtk_application_get_active_window (GTK_APPLICATION (data)));
}

static void
quit_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamApplication *self = data;

  /* Closing, rather than quitting, lets the window remember its state. */
  if (self->window != NULL)
    gtk_window_close (GTK_WINDOW (self->window));
  else
    g_application_quit (G_APPLICATION (self));
}

/* SIGTERM and SIGHUP close the window, which first stops a run that is being measured, and asks
 * where a result could not be written into the history. */
static gboolean
signal_cb (gpointer application)
{
  g_action_group_activate_action (G_ACTION_GROUP (application), "quit", NULL);
  return G_SOURCE_CONTINUE;
}

static const GActionEntry actions[] = {
  { .name = "about", .activate = about_cb },
  { .name = "quit", .activate = quit_cb },
  { .name = "color-scheme",
    .parameter_type = "s",
    .state = "'system'",
    .change_state = color_scheme_cb },
};

/* Without its pipelines the program is not installed correctly: the message names the missing
 * file. */
static void
show_broken_installation (SeamApplication *self, const char *reason)
{
  GtkWidget *window = adw_application_window_new (GTK_APPLICATION (self));
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *page = adw_status_page_new ();

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "dialog-error-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), "Seamscope is not installed completely");
  g_autofree char *escaped = g_markup_escape_text (reason, -1);
  adw_status_page_set_description (ADW_STATUS_PAGE (page), escaped);
  gtk_widget_set_vexpand (page, TRUE);
  gtk_box_append (GTK_BOX (box), adw_header_bar_new ());
  gtk_box_append (GTK_BOX (box), page);
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (window), box);
  gtk_window_set_title (GTK_WINDOW (window), "Seamscope");
  gtk_window_set_default_size (GTK_WINDOW (window), 640, 420);
  gtk_window_present (GTK_WINDOW (window));
}

static void
seam_application_activate (GApplication *application)
{
  SeamApplication *self = SEAM_APPLICATION (application);

  if (self->window == NULL) {
    g_autoptr (GError) error = NULL;
    g_autoptr (GPtrArray) pipelines = seam_pipeline_list (&error);
    if (pipelines == NULL || pipelines->len == 0) {
      show_broken_installation (self, error != NULL ? error->message : "No pipelines were found.");
      return;
    }
    g_autoptr (SeamModel) model = seam_model_new (pipelines);
    self->window = seam_window_new (GTK_APPLICATION (self), model, self->started_us);
    g_object_add_weak_pointer (G_OBJECT (self->window), (gpointer *)&self->window);
  }
  gtk_window_present (GTK_WINDOW (self->window));
}

static void
seam_application_open (GApplication *application, GFile **files, int n_files, const char *hint)
{
  SeamApplication *self = SEAM_APPLICATION (application);

  g_application_activate (application);
  for (int i = 0; i < n_files && self->window != NULL; i++)
    seam_window_open_file (self->window, files[i]);
}

static int
seam_application_handle_local_options (GApplication *application, GVariantDict *options)
{
  if (g_variant_dict_contains (options, "version")) {
    g_print ("Seamscope %s\n", seam_version ());
    return 0;
  }
  return -1;
}

/* Figures are drawn in the font of the labels around them. */
static void
use_interface_font (void)
{
  g_autofree char *name = NULL;
  GtkSettings *settings = gtk_settings_get_default ();

  if (settings != NULL)
    g_object_get (settings, "gtk-font-name", &name, NULL);
  if (name == NULL)
    return;
  PangoFontDescription *font = pango_font_description_from_string (name);
  seam_figure_set_font_family (pango_font_description_get_family (font));
  pango_font_description_free (font);
}

static void
style_without_compositor (void)
{
  GdkDisplay *display = gdk_display_get_default ();
  g_autoptr (GtkCssProvider) provider = NULL;

  if (display == NULL || gdk_display_is_composited (display))
    return;
  provider = gtk_css_provider_new ();
  gtk_css_provider_load_from_resource (provider, "/io/github/seamscope/Seamscope/style-plain.css");
  gtk_style_context_add_provider_for_display (display, GTK_STYLE_PROVIDER (provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
}

static void
seam_application_startup (GApplication *application)
{
  SeamApplication *self = SEAM_APPLICATION (application);
  g_autofree char *scheme = seam_remembered_get_string ("color-scheme");

  G_APPLICATION_CLASS (seam_application_parent_class)->startup (application);
  use_interface_font ();
  style_without_compositor ();
  seam_gtk_repairs_install ();
  gtk_window_set_default_icon_name (APPLICATION_ID);
  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  g_unix_signal_add (SIGTERM, signal_cb, self);
  g_unix_signal_add (SIGHUP, signal_cb, self);
  for (gsize i = 0; i < G_N_ELEMENTS (accelerators); i++)
    gtk_application_set_accels_for_action (GTK_APPLICATION (self), accelerators[i].action,
                                           accelerators[i].accels);
  seam_pages_add_keys (GTK_APPLICATION (self));
  if (scheme[0] != '\0') {
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "color-scheme");
    g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (scheme));
    apply_color_scheme (scheme);
  }
}

static void
seam_application_class_init (SeamApplicationClass *klass)
{
  GApplicationClass *application_class = G_APPLICATION_CLASS (klass);

  application_class->startup = seam_application_startup;
  application_class->activate = seam_application_activate;
  application_class->open = seam_application_open;
  application_class->handle_local_options = seam_application_handle_local_options;
}

static void
seam_application_init (SeamApplication *self)
{
  g_application_add_main_option (G_APPLICATION (self), "version", 0, G_OPTION_FLAG_NONE,
                                 G_OPTION_ARG_NONE, "Print the version and exit", NULL);
  g_application_set_option_context_parameter_string (G_APPLICATION (self),
                                                     "[SESSION.seamscope | PIPELINE.ini]");
}

SeamApplication *
seam_application_new (gint64 started_us)
{
  SeamApplication *self = g_object_new (
      SEAM_TYPE_APPLICATION, "application-id", APPLICATION_ID, "flags",
      G_APPLICATION_HANDLES_OPEN | G_APPLICATION_NON_UNIQUE, "register-session", TRUE, NULL);

  self->started_us = started_us;
  return self;
}
