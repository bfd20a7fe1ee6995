/* SPDX-License-Identifier: MIT */
#include "ui/help/help-window.h"

#include "app/pipeline/pipeline.h"
#include "ui/class/class.h"
#include "ui/help/help-contents.h"
#include "ui/help/help-view.h"

#include <string.h>

#define WIDTH      1240
#define HEIGHT     820
#define PAGE_WIDTH 760
#define SIDE_WIDTH 250
#define WIDE       1120 /* px: from this window width on, the right column is shown */
#define SIZE       15.5 /* px: size of the text */
#define SIZE_STEP  1.5
#define MAX_WORDS  8
#define MAX_NEXT   4
#define TOP_MARGIN 24 /* px of space above the heading that was scrolled to */
#define KEY        "seam-help-address"

struct _SeamHelpWindow {
  AdwApplicationWindow parent_instance;

  GPtrArray *pages; /* SeamHelpPage items */
  GPtrArray *terms; /* SeamHelpTerm items */
  const SeamHelpPage *page;
  char *sought;
  GPtrArray *back, *forward; /* addresses */
  char *address;             /* address of the shown page */
  double size;
  GtkCssProvider *provider;
  guint mark; /* index of the visited sought word on the page */
  guint scroll_id;
  GtkWidget *scroll_to; /* borrowed, while scroll_id is set */

  AdwWindowTitle *title;
  AdwFlap *flap;
  SeamHelpContents *contents;
  GtkScrolledWindow *scroller;
  SeamHelpView *view;
  GtkWidget *side, *words, *next, *marks;
  GtkLabel *marks_label;
};

G_DEFINE_FINAL_TYPE (SeamHelpWindow, seam_help_window, ADW_TYPE_APPLICATION_WINDOW)

/* --- Places in the page --- */

static gboolean
scroll_cb (gpointer data)
{
  SeamHelpWindow *self = data;
  graphene_rect_t bounds;

  self->scroll_id = 0;
  if (self->scroll_to == NULL)
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller), 0);
  else if (gtk_widget_compute_bounds (self->scroll_to, GTK_WIDGET (self->view), &bounds))
    gtk_adjustment_set_value (gtk_scrolled_window_get_vadjustment (self->scroller),
                              MAX (0, bounds.origin.y - TOP_MARGIN));
  return G_SOURCE_REMOVE;
}

/* Scrolls after layout and drawing, when the new page has its size. NULL: to the top. */
static void
scroll_to (SeamHelpWindow *self, GtkWidget *widget)
{
  self->scroll_to = widget;
  if (self->scroll_id == 0)
    self->scroll_id = g_timeout_add_full (G_PRIORITY_LOW, 60, scroll_cb, self, NULL);
}

static void
show_mark (SeamHelpWindow *self, guint mark)
{
  guint n = seam_help_view_get_n_marks (self->view);
  g_autofree char *text = n > 0 ? g_strdup_printf ("%u of %u here", mark + 1, n) : NULL;

  self->mark = mark;
  gtk_widget_set_visible (self->marks, n > 0);
  if (n == 0)
    return;
  gtk_label_set_text (self->marks_label, text);
  scroll_to (self, seam_help_view_get_mark (self->view, mark));
}

static void
step_mark (SeamHelpWindow *self, int step)
{
  guint n = seam_help_view_get_n_marks (self->view);

  if (n > 0)
    show_mark (self, (self->mark + n + (guint)(step + (int)n) % n) % n);
}

/* --- The right column --- */

static void
empty (GtkWidget *box)
{
  GtkWidget *child;

  while ((child = gtk_widget_get_first_child (box)) != NULL)
    gtk_box_remove (GTK_BOX (box), child);
}

static gboolean go_cb (GtkWidget *label, const char *address, SeamHelpWindow *self);

static void
append_label (SeamHelpWindow *self, GtkWidget *box, const char *markup)
{
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_markup (GTK_LABEL (label), markup);
  gtk_label_set_wrap (GTK_LABEL (label), TRUE);
  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_widget_add_css_class (label, "small-text");
  g_signal_connect_object (label, "activate-link", G_CALLBACK (go_cb), self, 0);
  gtk_box_append (GTK_BOX (box), label);
}

static gboolean
has_word (const SeamHelpPage *page, const char *word)
{
  g_autofree char *escaped = g_regex_escape_string (word, -1);
  g_autofree char *pattern = g_strdup_printf ("\\b%s(s|es)?\\b", escaped);

  for (guint k = 0; k < page->sections->len; k++)
    if (g_regex_match_simple (pattern, ((SeamHelpSection *)page->sections->pdata[k])->words,
                              G_REGEX_CASELESS, 0))
      return TRUE;
  return FALSE;
}

static void
show_words (SeamHelpWindow *self)
{
  int n = 0;

  empty (self->words);
  if (self->terms == NULL || strcmp (self->page->topic, SEAM_HELP_GLOSSARY) == 0)
    return;
  append_label (self, self->words, "<b>Words on this page</b>");
  for (guint i = 0; i < self->terms->len && n < MAX_WORDS; i++) {
    const SeamHelpTerm *term = self->terms->pdata[i];
    g_autofree char *markup = NULL;
    if (!has_word (self->page, term->term))
      continue;
    markup = g_markup_printf_escaped ("<b>%s:</b> %s", term->term, term->definition);
    append_label (self, self->words, markup);
    n++;
  }
  if (n == 0)
    empty (self->words);
}

static void
list_links (const SeamMarkdown *node, GPtrArray *addresses)
{
  if (node->kind == SEAM_MARKDOWN_LINK && node->address != NULL)
    g_ptr_array_add (addresses, node->address);
  for (guint i = 0; i < node->children->len; i++)
    list_links (seam_markdown_get_child (node, i), addresses);
}

/* Splits "plans.md#exhibits", "plans" or "#exhibits" into the page, or NULL, and the anchor,
 * newly allocated. */
static const SeamHelpPage *
resolve (SeamHelpWindow *self, const char *address, char **anchor)
{
  g_auto (GStrv) parts = g_strsplit (address, "#", 2);

  *anchor = parts[0] != NULL ? g_strdup (parts[1]) : NULL;
  if (parts[0] == NULL || parts[0][0] == '\0')
    return self->page;
  return seam_help_find (self->pages, parts[0]);
}

static void
show_next (SeamHelpWindow *self)
{
  g_autoptr (GPtrArray) addresses = g_ptr_array_new ();
  g_autoptr (GPtrArray) shown = g_ptr_array_new ();

  empty (self->next);
  list_links (self->page->tree, addresses);
  for (guint i = 0; i < addresses->len && shown->len < MAX_NEXT; i++) {
    g_autofree char *anchor = NULL, *markup = NULL;
    const SeamHelpPage *page = resolve (self, addresses->pdata[i], &anchor);

    if (page == NULL || page == self->page || g_ptr_array_find (shown, page, NULL))
      continue;
    if (shown->len == 0)
      append_label (self, self->next, "<b>Read next</b>");
    g_ptr_array_add (shown, (gpointer)page);
    markup = g_markup_printf_escaped ("<a href=\"%s\">%s</a>", page->topic, page->title);
    append_label (self, self->next, markup);
  }
}

/* --- Going --- */

static void
show_page (SeamHelpWindow *self, const SeamHelpPage *page)
{
  g_autofree char *folder = g_build_filename (seam_data_dir (), "help", NULL);

  self->page = page;
  self->scroll_to = NULL;
  adw_window_title_set_subtitle (self->title, page->title);
  seam_help_view_show (self->view, page->tree, folder, self->sought);
  seam_help_contents_set_page (self->contents, page);
  show_words (self);
  show_next (self);
  show_mark (self, 0);
}

static void
update_history (SeamHelpWindow *self)
{
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "help.back", self->back->len > 0);
  gtk_widget_action_set_enabled (GTK_WIDGET (self), "help.forward", self->forward->len > 0);
}

/* FALSE: there is no such page. */
static gboolean
show_address (SeamHelpWindow *self, const char *address)
{
  g_autofree char *anchor = NULL, *whole = NULL;
  const SeamHelpPage *page = resolve (self, address, &anchor);

  if (page == NULL)
    return FALSE;
  whole = anchor != NULL ? g_strdup_printf ("%s#%s", page->topic, anchor) : g_strdup (page->topic);
  if (page != self->page)
    show_page (self, page);
  if (anchor != NULL && seam_help_view_find_heading (self->view, anchor) == NULL)
    g_warning ("The help page “%s” has no section “%s”.", page->topic, anchor);
  if (anchor != NULL || seam_help_view_get_n_marks (self->view) == 0)
    scroll_to (self, anchor != NULL ? seam_help_view_find_heading (self->view, anchor) : NULL);
  g_free (self->address);
  self->address = g_steal_pointer (&whole);
  return TRUE;
}

static gboolean
go (SeamHelpWindow *self, const char *address)
{
  g_autofree char *before = g_strdup (self->address);

  if (!show_address (self, address))
    return FALSE;
  if (before != NULL && strcmp (before, self->address) != 0) {
    g_ptr_array_add (self->back, g_steal_pointer (&before));
    g_ptr_array_set_size (self->forward, 0);
  }
  update_history (self);
  return TRUE;
}

static void
step_history (SeamHelpWindow *self, GPtrArray *from, GPtrArray *to)
{
  g_autofree char *address = NULL;

  if (from->len == 0)
    return;
  address = g_ptr_array_steal_index (from, from->len - 1);
  g_ptr_array_add (to, g_strdup (self->address));
  show_address (self, address);
  update_history (self);
}

static void
open_outside_cb (AdwMessageDialog *dialog, const char *response, const char *address)
{
  if (strcmp (response, "open") == 0)
    gtk_show_uri (gtk_window_get_transient_for (GTK_WINDOW (dialog)), address, GDK_CURRENT_TIME);
}

/* A link that leaves the help: its address is shown before anything opens it. */
static void
ask_outside (SeamHelpWindow *self, const char *address)
{
  gboolean is_web = g_str_has_prefix (address, "https://");
  GtkWidget *dialog = adw_message_dialog_new (
      GTK_WINDOW (self), is_web ? "Open in the browser?" : "Not a page of the help", address);

  if (is_web) {
    adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "_Cancel", "open",
                                      "_Open", NULL);
  } else {
    g_autofree char *body =
        g_strdup_printf ("%s lies in the program's repository, not in its help.", address);
    adw_message_dialog_set_body (ADW_MESSAGE_DIALOG (dialog), body);
    adw_message_dialog_add_responses (ADW_MESSAGE_DIALOG (dialog), "cancel", "_Close", NULL);
  }
  adw_message_dialog_set_close_response (ADW_MESSAGE_DIALOG (dialog), "cancel");
  g_signal_connect_data (dialog, "response", G_CALLBACK (open_outside_cb), g_strdup (address),
                         (GClosureNotify)(GCallback)g_free, 0);
  gtk_window_present (GTK_WINDOW (dialog));
}

static gboolean
go_cb (GtkWidget *label, const char *address, SeamHelpWindow *self)
{
  /* The label may be freed with the page, so its text is copied. */
  g_autofree char *copy = g_strdup (address);
  g_autofree char *path = g_build_filename (seam_data_dir (), "help", copy, NULL);
  g_autofree char *uri = g_filename_to_uri (path, NULL, NULL);

  if (go (self, copy))
    return TRUE;
  /* A picture beside the pages opens in the desktop's viewer. */
  if (uri != NULL && g_file_test (path, G_FILE_TEST_IS_REGULAR))
    gtk_show_uri (GTK_WINDOW (self), uri, GDK_CURRENT_TIME);
  else
    ask_outside (self, copy);
  return TRUE;
}

static void
follow_cb (SeamHelpView *view, const char *address, SeamHelpWindow *self)
{
  go_cb (NULL, address, self);
}

static void
contents_go_cb (SeamHelpContents *contents, const char *address, SeamHelpWindow *self)
{
  go (self, address);
}

static void
search_cb (SeamHelpContents *contents, const char *text, SeamHelpWindow *self)
{
  const SeamHelpPage *page = self->page;
  g_autofree char *folder = g_build_filename (seam_data_dir (), "help", NULL);

  g_free (self->sought);
  self->sought = g_strdup (text);
  seam_help_view_show (self->view, page->tree, folder, self->sought);
  show_mark (self, 0);
}

/* --- Text size --- */

static void
set_size (SeamHelpWindow *self, double size)
{
  g_autofree char *css = NULL;

  self->size = CLAMP (size, 10, 32);
  css = g_strdup_printf (".help-page { font-size: %.1fpx; }", self->size);
  gtk_css_provider_load_from_data (self->provider, css, -1);
}

/* --- Actions --- */

static void
action_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  SeamHelpWindow *self = SEAM_HELP_WINDOW (widget);

  if (strcmp (action, "help.back") == 0)
    step_history (self, self->back, self->forward);
  else if (strcmp (action, "help.forward") == 0)
    step_history (self, self->forward, self->back);
  else if (strcmp (action, "help.larger") == 0)
    set_size (self, self->size + SIZE_STEP);
  else if (strcmp (action, "help.smaller") == 0)
    set_size (self, self->size - SIZE_STEP);
  else if (strcmp (action, "help.normal") == 0)
    set_size (self, SIZE);
  else if (strcmp (action, "help.next") == 0)
    step_mark (self, 1);
  else if (strcmp (action, "help.previous") == 0)
    step_mark (self, -1);
  else if (strcmp (action, "help.search") == 0) {
    adw_flap_set_reveal_flap (self->flap, TRUE);
    seam_help_contents_focus_search (self->contents);
  }
}

/* --- Making --- */

static GtkWidget *
make_button (const char *icon, const char *action, const char *tooltip)
{
  GtkWidget *button = gtk_button_new_from_icon_name (icon);

  gtk_actionable_set_action_name (GTK_ACTIONABLE (button), action);
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  return button;
}

static GtkWidget *
make_size_button (const char *label, const char *action, const char *tooltip)
{
  GtkWidget *button = make_button ("", action, tooltip);

  gtk_button_set_label (GTK_BUTTON (button), label);
  gtk_widget_add_css_class (button, "flat");
  return button;
}

static GtkWidget *
make_header (SeamHelpWindow *self)
{
  GtkWidget *header = adw_header_bar_new ();
  GtkWidget *toggle = gtk_toggle_button_new ();

  gtk_button_set_icon_name (GTK_BUTTON (toggle), "sidebar-show-symbolic");
  gtk_widget_set_tooltip_text (toggle, "Show or hide the contents");
  gtk_accessible_update_property (GTK_ACCESSIBLE (toggle), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Contents", -1);
  g_object_bind_property (self->flap, "reveal-flap", toggle, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  self->title = ADW_WINDOW_TITLE (adw_window_title_new ("Help", ""));
  adw_header_bar_set_title_widget (ADW_HEADER_BAR (header), GTK_WIDGET (self->title));
  adw_header_bar_pack_start (ADW_HEADER_BAR (header), toggle);
  adw_header_bar_pack_start (ADW_HEADER_BAR (header),
                             make_button ("go-previous-symbolic", "help.back", "Back (Alt+Left)"));
  adw_header_bar_pack_start (
      ADW_HEADER_BAR (header),
      make_button ("go-next-symbolic", "help.forward", "Forward (Alt+Right)"));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header),
                           make_size_button ("A+", "help.larger", "Larger text (Ctrl++)"));
  adw_header_bar_pack_end (ADW_HEADER_BAR (header),
                           make_size_button ("A−", "help.smaller", "Smaller text (Ctrl+−)"));
  return header;
}

/* "1 of 4 here", up, down */
static GtkWidget *
make_marks (SeamHelpWindow *self)
{
  self->marks = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 2);
  self->marks_label = GTK_LABEL (gtk_label_new (NULL));
  gtk_widget_add_css_class (self->marks, "card");
  gtk_widget_add_css_class (self->marks, "help-marks");
  gtk_widget_set_halign (self->marks, GTK_ALIGN_END);
  gtk_widget_set_valign (self->marks, GTK_ALIGN_START);
  gtk_widget_set_margin_top (self->marks, 10);
  gtk_widget_set_margin_end (self->marks, 18);
  gtk_box_append (GTK_BOX (self->marks), GTK_WIDGET (self->marks_label));
  gtk_box_append (GTK_BOX (self->marks),
                  make_button ("go-up-symbolic", "help.previous", "Previous place (Shift+F3)"));
  gtk_box_append (GTK_BOX (self->marks),
                  make_button ("go-down-symbolic", "help.next", "Next place (F3)"));
  for (GtkWidget *child = gtk_widget_get_first_child (self->marks); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    gtk_widget_add_css_class (child, "flat");
  return self->marks;
}

static GtkWidget *
make_page (SeamHelpWindow *self)
{
  GtkWidget *clamp = adw_clamp_new (), *overlay = gtk_overlay_new ();
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 24);

  self->view = SEAM_HELP_VIEW (seam_help_view_new ());
  self->scroller = GTK_SCROLLED_WINDOW (gtk_scrolled_window_new ());
  self->side = gtk_box_new (GTK_ORIENTATION_VERTICAL, 18);
  self->words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  self->next = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  g_signal_connect (self->view, "follow", G_CALLBACK (follow_cb), self);
  adw_clamp_set_maximum_size (ADW_CLAMP (clamp), PAGE_WIDTH);
  adw_clamp_set_child (ADW_CLAMP (clamp), GTK_WIDGET (self->view));
  gtk_widget_set_hexpand (clamp, TRUE);
  gtk_widget_set_size_request (self->side, SIDE_WIDTH, -1);
  gtk_widget_set_margin_top (self->side, 40);
  gtk_box_append (GTK_BOX (self->side), self->words);
  gtk_box_append (GTK_BOX (self->side), self->next);
  gtk_widget_add_css_class (box, "help-sheet");
  gtk_box_append (GTK_BOX (box), clamp);
  gtk_box_append (GTK_BOX (box), self->side);
  gtk_scrolled_window_set_policy (self->scroller, GTK_POLICY_NEVER, GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child (self->scroller, box);
  gtk_widget_set_vexpand (GTK_WIDGET (self->scroller), TRUE);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), GTK_WIDGET (self->scroller));
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), make_marks (self));
  return overlay;
}

static void
width_changed_cb (SeamHelpWindow *self)
{
  int width, height;

  gtk_window_get_default_size (GTK_WINDOW (self), &width, &height);
  gtk_widget_set_visible (self->side, width >= WIDE);
}

static GtkWidget *
make_failure (const GError *error)
{
  GtkWidget *page = adw_status_page_new ();
  g_autofree char *escaped = g_markup_escape_text (error->message, -1);

  adw_status_page_set_icon_name (ADW_STATUS_PAGE (page), "dialog-error-symbolic");
  adw_status_page_set_title (ADW_STATUS_PAGE (page), "The help is not there");
  adw_status_page_set_description (ADW_STATUS_PAGE (page), escaped);
  gtk_widget_set_vexpand (page, TRUE);
  return page;
}

static void
make_content (SeamHelpWindow *self)
{
  GtkWidget *whole = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  g_autoptr (GError) error = NULL;
  const SeamHelpPage *glossary;

  self->flap = ADW_FLAP (adw_flap_new ());
  gtk_box_append (GTK_BOX (whole), make_header (self));
  self->pages = seam_help_list (&error);
  if (self->pages == NULL) {
    gtk_box_append (GTK_BOX (whole), make_failure (error));
  } else {
    glossary = seam_help_find (self->pages, SEAM_HELP_GLOSSARY);
    self->terms = glossary != NULL ? seam_help_list_terms (glossary) : NULL;
    self->contents = SEAM_HELP_CONTENTS (seam_help_contents_new (self->pages));
    seam_help_contents_capture_keys (self->contents, GTK_WIDGET (self));
    g_signal_connect (self->contents, "go", G_CALLBACK (contents_go_cb), self);
    g_signal_connect (self->contents, "search", G_CALLBACK (search_cb), self);
    adw_flap_set_flap (self->flap, GTK_WIDGET (self->contents));
    adw_flap_set_separator (self->flap, gtk_separator_new (GTK_ORIENTATION_VERTICAL));
    adw_flap_set_content (self->flap, make_page (self));
    gtk_widget_set_vexpand (GTK_WIDGET (self->flap), TRUE);
    gtk_box_append (GTK_BOX (whole), GTK_WIDGET (self->flap));
  }
  adw_application_window_set_content (ADW_APPLICATION_WINDOW (self), whole);
}

static void
remove_provider (SeamHelpWindow *self)
{
  if (self->provider != NULL)
    gtk_style_context_remove_provider_for_display (gdk_display_get_default (),
                                                   GTK_STYLE_PROVIDER (self->provider));
}

static void
seam_help_window_class_init (SeamHelpWindowClass *klass)
{
  static const struct {
    const char *action;
    guint key;
    GdkModifierType modifiers;
  } bindings[] = {
    { "help.back", GDK_KEY_Left, GDK_ALT_MASK },
    { "help.forward", GDK_KEY_Right, GDK_ALT_MASK },
    { "help.larger", GDK_KEY_plus, GDK_CONTROL_MASK },
    { "help.larger", GDK_KEY_equal, GDK_CONTROL_MASK },
    { "help.larger", GDK_KEY_KP_Add, GDK_CONTROL_MASK },
    { "help.smaller", GDK_KEY_minus, GDK_CONTROL_MASK },
    { "help.smaller", GDK_KEY_KP_Subtract, GDK_CONTROL_MASK },
    { "help.normal", GDK_KEY_0, GDK_CONTROL_MASK },
    { "help.next", GDK_KEY_F3, 0 },
    { "help.previous", GDK_KEY_F3, GDK_SHIFT_MASK },
    { "help.search", GDK_KEY_f, GDK_CONTROL_MASK },
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (remove_provider));
  SEAM_OWNS (klass, SeamHelpWindow, g_source_remove, scroll_id);
  SEAM_OWNS (klass, SeamHelpWindow, g_object_unref, provider);
  SEAM_OWNS (klass, SeamHelpWindow, g_ptr_array_unref, terms, pages, back, forward);
  SEAM_OWNS (klass, SeamHelpWindow, g_free, address, sought);
  for (gsize i = 0; i < G_N_ELEMENTS (bindings); i++) {
    gtk_widget_class_install_action (widget_class, bindings[i].action, NULL, action_cb);
    gtk_widget_class_add_binding_action (widget_class, bindings[i].key, bindings[i].modifiers,
                                         bindings[i].action, NULL);
  }
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
seam_help_window_init (SeamHelpWindow *self)
{
  self->back = g_ptr_array_new_with_free_func (g_free);
  self->forward = g_ptr_array_new_with_free_func (g_free);
  self->provider = gtk_css_provider_new ();
  gtk_style_context_add_provider_for_display (gdk_display_get_default (),
                                              GTK_STYLE_PROVIDER (self->provider),
                                              GTK_STYLE_PROVIDER_PRIORITY_APPLICATION + 1);
  set_size (self, SIZE);
  make_content (self);
  gtk_window_set_title (GTK_WINDOW (self), "Help");
  gtk_window_set_default_size (GTK_WINDOW (self), WIDTH, HEIGHT);
  update_history (self);
  if (self->pages != NULL) {
    g_signal_connect (self, "notify::default-width", G_CALLBACK (width_changed_cb), NULL);
    width_changed_cb (self);
    go (self, SEAM_HELP_INDEX);
  }
}

/* An open help window alone does not keep the program running. */
static void
window_removed_cb (GtkApplication *application, GtkWindow *window, SeamHelpWindow *self)
{
  GList *windows = gtk_application_get_windows (application);

  if (window != GTK_WINDOW (self) && windows != NULL && windows->next == NULL)
    gtk_window_destroy (GTK_WINDOW (self));
}

/* Keeps the person's place for the next time. */
static void
closed_cb (SeamHelpWindow *self, GtkApplication *application)
{
  g_object_set_data_full (G_OBJECT (application), KEY, g_strdup (self->address), g_free);
}

static SeamHelpWindow *
make_window (GtkApplication *application)
{
  SeamHelpWindow *self = g_object_new (SEAM_TYPE_HELP_WINDOW, "application", application, NULL);
  const char *address = g_object_get_data (G_OBJECT (application), KEY);

  g_signal_connect_object (application, "window-removed", G_CALLBACK (window_removed_cb), self, 0);
  g_signal_connect_object (self, "destroy", G_CALLBACK (closed_cb), application, 0);
  if (address != NULL && self->pages != NULL)
    go (self, address);
  return self;
}

void
seam_help_window_present (GtkApplication *application, const char *address)
{
  SeamHelpWindow *self = NULL;

  for (GList *at = gtk_application_get_windows (application); at != NULL; at = at->next)
    if (SEAM_IS_HELP_WINDOW (at->data))
      self = at->data;
  if (self == NULL)
    self = make_window (application);
  if (address != NULL && self->pages != NULL)
    go (self, address);
  gtk_window_present (GTK_WINDOW (self));
}
