/* SPDX-License-Identifier: MIT
 *
 * Builds info bars. Their buttons act on the model and close the bar.
 */
#include "ui/window/messages.h"

#include "app/base/text.h"
#include "ui/state/remembered.h"
#include "ui/widgets/label.h"

#define MAX_BARS 2

enum { RESPONSE_TRY_AGAIN = 1, RESPONSE_RUN_A, RESPONSE_NEVER };
/* Subject of a bar: the counters, or a SeamMessageKind. */
enum { KIND_COUNTERS = 1, KIND_FIRST };

static void
response_cb (GtkInfoBar *bar, int response, SeamModel *model)
{
  GtkWidget *parent = gtk_widget_get_parent (GTK_WIDGET (bar));

  gtk_box_remove (GTK_BOX (parent), GTK_WIDGET (bar));
  if (response == RESPONSE_TRY_AGAIN)
    seam_measurement_run (model->measurement);
  else if (response == RESPONSE_RUN_A)
    seam_measurement_run_first (model->measurement, 1);
}

/* The worker's log, in a popover, because it is long and few people want it. */
static GtkWidget *
make_details_button (SeamModel *model, const char *text)
{
  const char *log = seam_worker_client_get_log (model->workers.here);
  g_autofree char *all = g_strdup_printf (
      "%s\n\n%s", text, log[0] != '\0' ? log : "The worker wrote nothing to its log.");
  GtkWidget *label = seam_label_new (all, "log", SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);

  gtk_label_set_wrap_mode (GTK_LABEL (label), PANGO_WRAP_WORD_CHAR);
  gtk_label_set_yalign (GTK_LABEL (label), 0);
  GtkWidget *scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", label, "min-content-width",
                                      520, "min-content-height", 200, NULL);
  return g_object_new (GTK_TYPE_MENU_BUTTON, "label", "Details", "valign", GTK_ALIGN_CENTER,
                       "popover", g_object_new (GTK_TYPE_POPOVER, "child", scroller, NULL), NULL);
}

/* Adds a bar in front of the others: it replaces one of the same kind, and the oldest one if
 * there are already two. */
static GtkInfoBar *
add_bar (GtkBox *box, int kind, gboolean is_error, const char *title, const char *text)
{
  GtkWidget *bar = gtk_info_bar_new ();
  GtkWidget *label = seam_label_new (NULL, NULL, SEAM_LABEL_WRAPS);
  GtkWidget *icon =
      gtk_image_new_from_icon_name (is_error ? "dialog-error-symbolic" : "dialog-warning-symbolic");
  GtkWidget *next;
  int n_bars = 0;

  for (GtkWidget *old = gtk_widget_get_first_child (GTK_WIDGET (box)); old != NULL; old = next) {
    next = gtk_widget_get_next_sibling (old);
    if (GPOINTER_TO_INT (g_object_get_data (G_OBJECT (old), "kind")) == kind
        || ++n_bars >= MAX_BARS)
      gtk_box_remove (box, old);
  }

  g_autofree char *shown = seam_text_show (text);
  g_autofree char *markup = g_markup_printf_escaped ("<b>%s</b> %s", title, shown);
  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_widget_set_hexpand (label, TRUE);
  gtk_info_bar_set_message_type (GTK_INFO_BAR (bar),
                                 is_error ? GTK_MESSAGE_ERROR : GTK_MESSAGE_WARNING);
  gtk_info_bar_set_show_close_button (GTK_INFO_BAR (bar), TRUE);
  gtk_info_bar_add_child (GTK_INFO_BAR (bar), icon);
  gtk_info_bar_add_child (GTK_INFO_BAR (bar), label);
  g_object_set_data (G_OBJECT (bar), "kind", GINT_TO_POINTER (kind));
  g_object_set_data_full (G_OBJECT (bar), "title", g_strdup (title), g_free);
  gtk_box_prepend (box, bar);

  g_autofree char *plain = g_strdup_printf ("%s %s", title, text);
  gtk_accessible_update_property (GTK_ACCESSIBLE (bar), GTK_ACCESSIBLE_PROPERTY_LABEL, plain, -1);
  return GTK_INFO_BAR (bar);
}

void
seam_messages_show (GtkBox *box, SeamModel *model, SeamMessageKind kind, const char *title,
                    const char *text)
{
  GtkInfoBar *bar =
      add_bar (box, KIND_FIRST + (int)kind, kind != SEAM_MESSAGE_WARNING, title, text);

  if (kind == SEAM_MESSAGE_WORKER_LOST) {
    gtk_info_bar_add_action_widget (bar, make_details_button (model, text), GTK_RESPONSE_NONE);
    gtk_info_bar_add_button (bar, "Run A only", RESPONSE_RUN_A);
  }
  if (kind == SEAM_MESSAGE_WORKER_LOST || kind == SEAM_MESSAGE_RUN_FAILED)
    gtk_info_bar_add_button (bar, "Try again", RESPONSE_TRY_AGAIN);
  g_signal_connect_object (bar, "response", G_CALLBACK (response_cb), model, 0);
}

static GtkWidget *
make_remedy_button (const SeamCheck *check)
{
  GtkWidget *button = gtk_menu_button_new ();
  GtkWidget *popover = gtk_popover_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 8);
  GtkWidget *detail = seam_label_new (check->detail, NULL, SEAM_LABEL_WRAPS);
  GtkWidget *remedy = seam_command_new (check->remedy);
  GtkLabel *command = GTK_LABEL (gtk_widget_get_first_child (remedy));

  gtk_label_set_max_width_chars (GTK_LABEL (detail), 70);
  gtk_label_set_width_chars (command, 44);
  gtk_label_set_max_width_chars (command, 60);
  gtk_box_append (GTK_BOX (box), detail);
  gtk_box_append (GTK_BOX (box), remedy);
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  gtk_menu_button_set_label (GTK_MENU_BUTTON (button), "Show remedy");
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (button), popover);
  gtk_widget_set_valign (button, GTK_ALIGN_CENTER);
  return button;
}

static void
counters_response_cb (GtkInfoBar *bar, int response, gpointer data)
{
  if (response == RESPONSE_NEVER)
    seam_remembered_set_boolean ("hide-counters-note", TRUE);
  gtk_box_remove (GTK_BOX (gtk_widget_get_parent (GTK_WIDGET (bar))), GTK_WIDGET (bar));
}

void
seam_messages_show_counters (GtkBox *box, const SeamCheck *check)
{
  GtkInfoBar *bar = add_bar (box, KIND_COUNTERS, FALSE,
                             "Hardware counters are refused here, times are not affected.",
                             "Memory traffic is modelled from the shapes.");

  if (check->remedy != NULL)
    gtk_info_bar_add_action_widget (bar, make_remedy_button (check), GTK_RESPONSE_NONE);
  gtk_info_bar_add_button (bar, "Do not show again", RESPONSE_NEVER);
  g_signal_connect (bar, "response", G_CALLBACK (counters_response_cb), NULL);
}

void
seam_messages_clear (GtkBox *box, const char *title)
{
  GtkWidget *next;

  for (GtkWidget *bar = gtk_widget_get_first_child (GTK_WIDGET (box)); bar != NULL; bar = next) {
    next = gtk_widget_get_next_sibling (bar);
    if (title != NULL
            ? g_strcmp0 (g_object_get_data (G_OBJECT (bar), "title"), title) == 0
            : GPOINTER_TO_INT (g_object_get_data (G_OBJECT (bar), "kind")) != KIND_COUNTERS)
      gtk_box_remove (box, bar);
  }
}

static void
asked_cb (AdwMessageDialog *dialog, const char *response, SeamModel *model)
{
  if (strcmp (response, "run") != 0)
    return;
  seam_setup_mark_foreign (model->setup, g_object_get_data (G_OBJECT (dialog), "seam-code"), TRUE);
  seam_measurement_run (model->measurement);
}

void
seam_messages_ask (GtkWindow *window, SeamModel *model, const char *title, const char *code)
{
  GtkWidget *dialog = adw_message_dialog_new (window, title, NULL);
  AdwMessageDialog *question = ADW_MESSAGE_DIALOG (dialog);
  GtkWidget *view = g_object_new (GTK_TYPE_TEXT_VIEW, "wrap-mode", GTK_WRAP_WORD_CHAR,
                                  "accepts-tab", FALSE, "editable", FALSE, "monospace", TRUE, NULL);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  g_autofree char *printable = seam_text_make_printable (code, "\n\t");
  /* A line of 190 kB would freeze the window. */
  g_autoptr (GRegex) long_line = g_regex_new ("(.{1000})(?=.)", 0, 0, NULL);
  g_autofree char *shown = g_regex_replace (long_line, printable, -1, 0, "\\1\n", 0, NULL);
  GtkTextIter start;

  /* A hyphen where a word goes on would look like code. */
  GtkTextTag *tag = gtk_text_buffer_create_tag (buffer, NULL, "insert-hyphens", FALSE, NULL);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_insert_with_tags (buffer, &start, shown, -1, tag, NULL);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  int n_lines = gtk_text_buffer_get_line_count (buffer) - g_str_has_suffix (shown, "\n");
  adw_message_dialog_format_body (
      question,
      "It came with a lesson or a session. Compiled and run, it can do on this computer whatever "
      "you can do. Read it first: it has %d line%s.",
      n_lines, n_lines == 1 ? "" : "s");
  seam_widget_set_name (view, "Code");
  GtkWidget *scroller = g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", view, NULL);
  gtk_widget_set_size_request (scroller, 520, 240);
  adw_message_dialog_add_responses (question, "cancel", "_Cancel", "run", "_Run it", NULL);
  adw_message_dialog_set_response_appearance (question, "run", ADW_RESPONSE_DESTRUCTIVE);
  adw_message_dialog_set_default_response (question, "cancel");
  adw_message_dialog_set_close_response (question, "cancel");
  adw_message_dialog_set_extra_child (question, scroller);
  g_object_set_data_full (G_OBJECT (dialog), "seam-code", g_strdup (code), g_free);
  g_signal_connect_object (dialog, "response", G_CALLBACK (asked_cb), model, 0);
  gtk_window_present (GTK_WINDOW (dialog));
  /* The arrow and page keys scroll. */
  gtk_widget_grab_focus (view);
}
