/* SPDX-License-Identifier: MIT
 *
 * A text of code: see source-code-view.h.
 */
#include "ui/source/source-code-view.h"

#include "ui/class/class.h"
#include "ui/source/source-tint.h"
#include "ui/widgets/gtk-repairs.h"

#define MINIMUM_HEIGHT 110 /* of the window, px */

struct _SeamSourceCodeView {
  AdwBin parent_instance;

  GtkScrolledWindow *window;
  GtkSourceView *view;
  gboolean is_writing;
};

G_DEFINE_FINAL_TYPE (SeamSourceCodeView, seam_source_code_view, ADW_TYPE_BIN)

/* --- The text --- */

GtkSourceView *
seam_source_code_view_get_view (SeamSourceCodeView *self)
{
  return self->view;
}

GtkSourceBuffer *
seam_source_code_view_get_buffer (SeamSourceCodeView *self)
{
  return GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view)));
}

GtkAdjustment *
seam_source_code_view_get_hadjustment (SeamSourceCodeView *self)
{
  return gtk_scrolled_window_get_hadjustment (self->window);
}

char *
seam_source_code_view_get_text (SeamSourceCodeView *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (seam_source_code_view_get_buffer (self));
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  return gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
}

void
seam_source_code_view_set_text (SeamSourceCodeView *self, const char *text)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (seam_source_code_view_get_buffer (self));
  GtkTextIter start;

  self->is_writing = TRUE;
  gtk_text_buffer_set_text (buffer, text, -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  self->is_writing = FALSE;
}

guint
seam_source_code_view_get_cursor_line (SeamSourceCodeView *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (seam_source_code_view_get_buffer (self));
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  return (guint)gtk_text_iter_get_line (&at);
}

void
seam_source_code_view_scroll_to_line (SeamSourceCodeView *self, guint line)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (seam_source_code_view_get_buffer (self));
  GtkTextMark *mark = gtk_text_buffer_get_mark (buffer, "seam-scroll");
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (buffer, &at, (int)line);
  if (mark == NULL)
    mark = gtk_text_buffer_create_mark (buffer, "seam-scroll", &at, TRUE);
  else
    gtk_text_buffer_move_mark (buffer, mark, &at);
  gtk_text_view_scroll_to_mark (GTK_TEXT_VIEW (self->view), mark, 0.1, FALSE, 0, 0);
}

/* --- Signals --- */

static void
emit_unless_writing (SeamSourceCodeView *self, const char *signal)
{
  if (!self->is_writing)
    g_signal_emit_by_name (self, signal);
}

static void
changed_cb (SeamSourceCodeView *self)
{
  emit_unless_writing (self, "edited");
}

static void
moved_cb (SeamSourceCodeView *self)
{
  emit_unless_writing (self, "moved");
}

static void
style_changed_cb (SeamSourceCodeView *self)
{
  seam_source_set_scheme (seam_source_code_view_get_buffer (self));
  emit_unless_writing (self, "restyled");
}

static void
follow (SeamSourceCodeView *self, gpointer object, const char *signal, GCallback callback)
{
  g_signal_connect_object (object, signal, callback, self, G_CONNECT_SWAPPED);
}

static void
follow_all (SeamSourceCodeView *self)
{
  GtkSourceBuffer *buffer = seam_source_code_view_get_buffer (self);
  AdwStyleManager *style = adw_style_manager_get_default ();
  GtkEventController *focus = gtk_event_controller_focus_new ();

  follow (self, buffer, "changed", G_CALLBACK (changed_cb));
  follow (self, buffer, "notify::cursor-position", G_CALLBACK (moved_cb));
  /* A click on the cursor's own line does not move the cursor. */
  follow (self, focus, "enter", G_CALLBACK (moved_cb));
  gtk_widget_add_controller (GTK_WIDGET (self->view), focus);
  follow (self, style, "notify::dark", G_CALLBACK (style_changed_cb));
  follow (self, style, "notify::high-contrast", G_CALLBACK (style_changed_cb));
}

/* --- Object --- */

static void
seam_source_code_view_class_init (SeamSourceCodeViewClass *klass)
{
  seam_signals_install (klass, G_TYPE_NONE, "edited moved restyled");
}

static void
make_view (SeamSourceCodeView *self)
{
  GtkTextView *view;

  self->view = GTK_SOURCE_VIEW (gtk_source_view_new ());
  view = GTK_TEXT_VIEW (self->view);
  gtk_text_view_set_editable (view, FALSE);
  /* Tab leaves the view, as it leaves everything else; the code is indented by spaces. */
  gtk_text_view_set_accepts_tab (view, FALSE);
  gtk_text_view_set_monospace (view, TRUE);
  gtk_text_view_set_left_margin (view, 6);
  gtk_text_view_set_top_margin (view, 4);
  gtk_text_view_set_bottom_margin (view, 4);
  gtk_source_view_set_show_line_numbers (self->view, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "source-text");
  gtk_source_buffer_set_highlight_matching_brackets (seam_source_code_view_get_buffer (self),
                                                     FALSE);
  seam_source_set_scheme (seam_source_code_view_get_buffer (self));
  /* There are no completions; without this, their empty popover appears. */
  gtk_source_completion_block_interactive (gtk_source_view_get_completion (self->view));
}

static void
seam_source_code_view_init (SeamSourceCodeView *self)
{
  GtkWidget *grid = gtk_grid_new (), *window = gtk_scrolled_window_new ();

  make_view (self);
  self->window = GTK_SCROLLED_WINDOW (window);
  gtk_scrolled_window_set_policy (self->window, GTK_POLICY_EXTERNAL, GTK_POLICY_EXTERNAL);
  gtk_scrolled_window_set_min_content_height (self->window, MINIMUM_HEIGHT);
  gtk_scrolled_window_set_has_frame (self->window, TRUE);
  gtk_scrolled_window_set_child (self->window, GTK_WIDGET (self->view));
  gtk_widget_set_hexpand (window, TRUE);
  gtk_widget_set_vexpand (window, TRUE);
  gtk_grid_attach (GTK_GRID (grid), window, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid),
                   seam_gtk_late_scrollbar_new (GTK_ORIENTATION_VERTICAL,
                                                gtk_scrolled_window_get_vadjustment (self->window)),
                   1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid),
                   seam_gtk_late_scrollbar_new (GTK_ORIENTATION_HORIZONTAL,
                                                gtk_scrolled_window_get_hadjustment (self->window)),
                   0, 1, 1, 1);
  adw_bin_set_child (ADW_BIN (self), grid);
  follow_all (self);
}

GtkWidget *
seam_source_code_view_new (const char *label)
{
  SeamSourceCodeView *self = g_object_new (SEAM_TYPE_SOURCE_CODE_VIEW, NULL);

  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  return GTK_WIDGET (self);
}
