/* SPDX-License-Identifier: MIT
 *
 * Builds info bars. Their buttons act on the model and close the bar.
 */
#include "ui/messages.h"

#define MAX_BARS 2

enum { RESPONSE_TRY_AGAIN = 1, RESPONSE_RUN_A };

static void
response_cb (GtkInfoBar *bar, int response, SeamModel *model)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (bar));

  gtk_box_remove (GTK_BOX (parent), GTK_WIDGET (bar));
  if (response == RESPONSE_TRY_AGAIN)
    seam_model_run (model);
  else if (response == RESPONSE_RUN_A)
    seam_model_run_only (model, 0);
}

/* What the worker wrote, in a popover: long, and wanted by few. */
static GtkWidget *
make_details_button (SeamModel *model, const char *text)
{
  const char *log = seam_worker_client_get_log (seam_model_get_worker (model));
  g_autofree char *all = g_strdup_printf (
      "%s\n\n%s", text, log[0] != '\0' ? log : "The worker wrote nothing to its log.");
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *scroller = gtk_scrolled_window_new ();
  GtkWidget *label = gtk_label_new (all);

  gtk_label_set_selectable (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "log");
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), label);
  gtk_scrolled_window_set_min_content_width (GTK_SCROLLED_WINDOW (scroller), 520);
  gtk_scrolled_window_set_min_content_height (GTK_SCROLLED_WINDOW (scroller), 200);
  gtk_popover_set_child (GTK_POPOVER (popover), scroller);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), "Details");
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static GtkMessageType
get_type (SeamMessageKind kind)
{
  return kind == SEAM_MESSAGE_WARNING ? GTK_MESSAGE_WARNING : GTK_MESSAGE_ERROR;
}

void
seam_messages_show (GtkBox *box, SeamModel *model, SeamMessageKind kind, const char *title,
                    const char *text)
{
  GtkWidget *bar = gtk_info_bar_new ();
  GtkWidget *label = gtk_label_new (NULL);
  GtkWidget *icon = gtk_image_new_from_icon_name (
      kind == SEAM_MESSAGE_WARNING ? "dialog-warning-symbolic" : "dialog-error-symbolic");
  GtkWidget *next;
  int n_bars = 0;

  for (GtkWidget *old = gtk_widget_get_first_child (GTK_WIDGET (box)); old != NULL; old = next) {
    next = gtk_widget_get_next_sibling (old);
    if (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (old), "kind")) == (int)kind + 1
        || ++n_bars >= MAX_BARS)
      gtk_box_remove (box, old);
  }

  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b> %s", title, text);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_info_bar_set_message_type (GTK_INFO_BAR (bar), get_type (kind));
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (bar), TRUE);
  gtk_info_bar_add_child (GTK_INFO_BAR (bar), icon);
  gtk_info_bar_add_child (GTK_INFO_BAR (bar), label);
  if (kind == SEAM_MESSAGE_WORKER_LOST) {
    gtk_info_bar_add_action_widget (GTK_INFO_BAR (bar), make_details_button (model, text),
                                    GTK_RESPONSE_NONE);
    gtk_info_bar_add_button (GTK_INFO_BAR (bar), "Run A only", RESPONSE_RUN_A);
  }
  if (kind == SEAM_MESSAGE_WORKER_LOST || kind == SEAM_MESSAGE_RUN_FAILED)
    gtk_info_bar_add_button (GTK_INFO_BAR (bar), "Try again", RESPONSE_TRY_AGAIN);
  g_object_set_data (G_OBJECT (bar), "kind", GINT_TO_POINTER ((int)kind + 1));
  g_signal_connect_object (bar, "response", G_CALLBACK (response_cb), model, 0);
  gtk_box_prepend (box, bar);

  g_autofree char *plain = g_strdup_printf ("%s %s", title, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, plain, -1);
}

void
seam_messages_clear (GtkBox *box)
{
  GtkWidget *bar;

  while ((bar = gtk_widget_get_first_child (GTK_WIDGET (box))) != NULL)
    gtk_box_remove (box, bar);
}
