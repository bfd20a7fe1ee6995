/* SPDX-License-Identifier: MIT
 *
 * Machine code beside the text of the page Source. It is asked for when a kind is chosen, and again
 * when the text has changed; a line that the cursor is on, on either side, marks the lines of the
 * other that belong to it, and a sentence below says which.
 */
#include "ui/source/source-private.h"

#include "ui/source/source-tint.h"

#include <string.h>

#define BESIDE_WIDTH 1150 /* of the page, from which on both stand side by side */

/* In the menu, and in a sentence. */
static const struct {
  const char *label, *word;
} kinds[SEAM_N_LISTINGS] = {
  [SEAM_LISTING_PTX] = { "PTX", "PTX" },
  [SEAM_LISTING_SASS] = { "SASS", "SASS" },
  [SEAM_LISTING_NATIVE] = { "Assembly", "assembly" },
};

/* The kind of the n-th entry (from 1) for the language; -1: none. */
static int
find_choice (const char *language, int n)
{
  const SeamLanguage *found = seam_language_find (language);

  return n <= found->n_listings ? (int)found->listings[n - 1] : -1;
}

/* The kind that is wanted of what is shown; -1: none. */
static int
get_choice (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);
  int choice;

  if (source == NULL || self->is_kept || self->listing_choice <= 0)
    return -1;
  choice = find_choice (source->language, self->listing_choice);
  /* Who looked at SASS sees the assembly of a group on the CPU. */
  return choice >= 0 ? choice : find_choice (source->language, 1);
}

/* The entries that the text's language has; none: hidden. */
static void
fill_kinds (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const char *language = source != NULL && !self->is_kept ? source->language : "";
  const char *shown = g_object_get_data (G_OBJECT (self->kinds), "language");
  int n = 0;

  gtk_widget_set_visible (GTK_WIDGET (self->kinds), find_choice (language, 1) >= 0);
  if (g_strcmp0 (shown, language) == 0)
    return;
  g_object_set_data_full (G_OBJECT (self->kinds), "language", g_strdup (language), g_free);
  gtk_string_list_append (names, "Text alone");
  for (int choice; (choice = find_choice (language, n + 1)) >= 0; n++)
    gtk_string_list_append (names, kinds[choice].label);
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->kinds, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->kinds, (guint)MIN (self->listing_choice, n));
  self->is_filling = FALSE;
}

/* --- Lines that belong together --- */

static const char *
get_file_name (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);
  guint file = seam_source_page_get_file (self);

  if (source == NULL || file == 0 || file > source->includes->len)
    return "";
  return ((SeamSourceFile *)source->includes->pdata[file - 1])->name;
}

static guint
get_cursor_line (GtkTextView *view)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_mark (buffer, &at, gtk_text_buffer_get_insert (buffer));
  return (guint)gtk_text_iter_get_line (&at);
}

/* Moves as little as is needed to see the line. */
static void
scroll_to_line (GtkTextView *view, guint line)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (view);
  GtkTextMark *mark = gtk_text_buffer_get_mark (buffer, "seam-scroll");
  GtkTextIter at;

  gtk_text_buffer_get_iter_at_line (buffer, &at, (int)line);
  if (mark == NULL)
    mark = gtk_text_buffer_create_mark (buffer, "seam-scroll", &at, TRUE);
  else
    gtk_text_buffer_move_mark (buffer, mark, &at);
  gtk_text_view_scroll_to_mark (view, mark, 0.1, FALSE, 0, 0);
}

static void
say_link (SeamSourcePage *self, const char *text)
{
  gtk_label_set_text (self->link_note, text);
  gtk_widget_set_visible (GTK_WIDGET (self->link_note), self->listing != NULL);
}

static void
choose_both (SeamSourcePage *self, guint source_line, const GArray *lines)
{
  guint line = source_line - 1;

  seam_source_choose_lines (GTK_TEXT_VIEW (self->view), &line, lines->len > 0 ? 1 : 0);
  seam_source_choose_lines (GTK_TEXT_VIEW (self->asm_view), (const guint *)(void *)lines->data,
                            lines->len);
}

static const char *
get_word (SeamSourcePage *self)
{
  return kinds[self->listing->kind].word;
}

static void
link_from_source (SeamSourcePage *self)
{
  guint line = get_cursor_line (GTK_TEXT_VIEW (self->view)) + 1;
  g_autoptr (GArray) lines = NULL;
  g_autofree char *text = NULL;

  self->is_from_listing = FALSE;
  if (self->listing == NULL)
    return;
  lines = seam_listing_find_lines (self->listing, get_file_name (self), line);
  choose_both (self, line, lines);
  if (lines->len == 0)
    text = g_strdup_printf ("Line %u: no %s of its own.", line, get_word (self));
  else
    text = g_strdup_printf ("Line %u: %u line%s of %s, from line %u on.", line, lines->len,
                            lines->len == 1 ? "" : "s", get_word (self),
                            g_array_index (lines, guint, 0) + 1);
  say_link (self, text);
  if (lines->len > 0)
    scroll_to_line (GTK_TEXT_VIEW (self->asm_view), g_array_index (lines, guint, 0));
}

/* "line 4 of kernels/ops.h, inlined at line 14": the innermost place first. */
static char *
describe_places (const SeamListing *listing, const SeamListingPlace *places, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++) {
    const char *file = listing->files->pdata[places[i].file];
    g_string_append_printf (text, "%sline %u%s%s", i > 0 ? ", inlined at " : "",
                            places[i].source_line, *file != '\0' ? " of " : "", file);
  }
  return g_string_free (text, FALSE);
}

static void
link_from_listing (SeamSourcePage *self)
{
  guint line = get_cursor_line (GTK_TEXT_VIEW (self->asm_view)), n = 0, found = 0;
  const SeamListingPlace *places;
  g_autofree char *origin = NULL, *text = NULL;
  g_autoptr (GArray) lines = NULL;

  self->is_from_listing = TRUE;
  if (self->listing == NULL)
    return;
  places = seam_listing_get_places (self->listing, line, &n);
  while (found < n
         && strcmp (self->listing->files->pdata[places[found].file], get_file_name (self)) != 0)
    found++;
  lines = found < n ? seam_listing_find_lines (self->listing, get_file_name (self),
                                               places[found].source_line)
                    : g_array_new (FALSE, FALSE, sizeof (guint));
  choose_both (self, found < n ? places[found].source_line : 1, lines);
  origin = describe_places (self->listing, places, n);
  text = n > 0 ? g_strdup_printf ("Line %u of %s comes from %s.", line + 1, get_word (self), origin)
               : g_strdup_printf ("Line %u of %s comes from no line of the text.", line + 1,
                                  get_word (self));
  say_link (self, text);
  if (found < n)
    scroll_to_line (GTK_TEXT_VIEW (self->view), places[found].source_line - 1);
}

/* Marks the same lines again, in a text that has been written or coloured anew. */
static void
link_again (SeamSourcePage *self)
{
  if (self->is_from_listing)
    link_from_listing (self);
  else
    link_from_source (self);
}

static void
source_moved_cb (SeamSourcePage *self)
{
  if (!self->is_filling)
    link_from_source (self);
}

static void
listing_moved_cb (SeamSourcePage *self)
{
  if (!self->is_filling)
    link_from_listing (self);
}

void
seam_source_page_recolor_assembly (SeamSourcePage *self)
{
  seam_source_set_scheme (
      GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->asm_view))));
  link_again (self);
}

/* --- Asking --- */

typedef struct {
  SeamSourcePage *self;
  guint serial;
} Question;

static void
set_listing (SeamSourcePage *self, SeamListing *listing, const char *note)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->asm_view));
  GtkTextIter start;

  g_clear_pointer (&self->listing, seam_listing_free);
  self->listing = listing;
  self->is_filling = TRUE;
  gtk_text_buffer_set_text (buffer, listing != NULL ? listing->text : "", -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  self->is_filling = FALSE;
  gtk_label_set_text (self->asm_note, note);
  gtk_widget_set_visible (GTK_WIDGET (self->link_note), FALSE);
  if (listing == NULL)
    seam_source_choose_lines (GTK_TEXT_VIEW (self->view), NULL, 0);
  else
    link_from_source (self);
}

static void
answer_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  Question *question = data;
  g_autoptr (SeamSourcePage) self = question->self;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamListing) listing =
      seam_worker_client_listing_finish (SEAM_WORKER_CLIENT (source), async, &error);
  gboolean is_current = question->serial == self->listing_serial && self->model != NULL;

  g_free (question);
  if (!is_current)
    return;
  if (listing != NULL) {
    g_autofree char *note = listing->note != NULL
                                ? g_strdup_printf ("%s\n%s", listing->title, listing->note)
                                : g_strdup (listing->title);
    set_listing (self, g_steal_pointer (&listing), note);
    return;
  }
  set_listing (self, NULL, error->message);
  self->listing_errors = seam_diagnostics_parse (error->message);
  if (self->listing_errors->len == 0) {
    g_clear_pointer (&self->listing_errors, g_ptr_array_unref);
    /* Not the text's fault, so the next time that it is written it is asked for again. */
    g_clear_pointer (&self->listing_key, g_free);
  } else
    gtk_label_set_text (self->asm_note, "The text does not compile; what is wrong stands below.");
  seam_source_page_update_edit (self);
}

/* The plan of the shown group alone, with the person's text where there is one. */
static SeamRunRequest *
make_request (SeamSourcePage *self)
{
  const char *edit = seam_source_page_get_edit (self);
  char **plans = g_new0 (char *, 2);
  SeamRunRequest *request;

  plans[0] = g_strdup (self->code->plans[self->plan].notation);
  request = seam_source_page_make_request (self, plans);
  seam_setup_add_edits (self->model->setup, request);
  if (edit != NULL)
    seam_edits_set (&request->edits, 0, self->group, edit);
  return request;
}

static gboolean
ask_cb (gpointer data)
{
  SeamSourcePage *self = data;
  SeamWorkerClient *worker = self->model->worker;
  int choice = get_choice (self);

  self->listing_timeout = 0;
  if (worker == NULL || choice < 0 || self->code == NULL)
    return G_SOURCE_REMOVE;
  g_autoptr (SeamRunRequest) request = make_request (self);
  Question *question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->serial = ++self->listing_serial;
  gtk_label_set_text (self->asm_note,
                      seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE
                          ? "It is shown when the run is over."
                          : "Compiling…");
  seam_worker_client_listing (worker, request, 0, self->group, self->part, (SeamListingKind)choice,
                              NULL, answer_cb, question);
  return G_SOURCE_REMOVE;
}

/* What decides the listing; newly allocated. */
static char *
make_key (SeamSourcePage *self, int choice)
{
  const SeamSource *source = seam_source_page_get_source (self);
  const char *edit = seam_source_page_get_edit (self);
  const SeamRunRequest *request = seam_setup_get_request (self->model->setup);
  g_autofree char *settings = seam_settings_make_key (&request->settings, SEAM_CONCERN_CODE);

  return g_strdup_printf ("%d %d %d %s\n%s\n%s\n%s", choice, self->group, self->part, settings,
                          request->target != NULL ? request->target : "",
                          self->code->plans[self->plan].notation,
                          edit != NULL ? edit : source->text);
}

void
seam_source_page_update_assembly (SeamSourcePage *self, guint delay_ms)
{
  int choice = get_choice (self);
  g_autofree char *key = choice >= 0 ? make_key (self, choice) : NULL;

  fill_kinds (self);
  gtk_widget_set_visible (self->asm_box, choice >= 0);
  if (choice >= 0 && g_strcmp0 (key, self->listing_key) == 0) {
    /* The same text, written anew or another of its files. */
    link_again (self);
    return;
  }
  g_clear_handle_id (&self->listing_timeout, g_source_remove);
  g_clear_pointer (&self->listing_errors, g_ptr_array_unref);
  g_free (self->listing_key);
  self->listing_key = g_steal_pointer (&key);
  self->listing_serial++;
  set_listing (self, NULL, "");
  if (choice >= 0)
    self->listing_timeout = g_timeout_add (delay_ms, ask_cb, self);
}

static void
kind_changed_cb (SeamSourcePage *self)
{
  guint selected = gtk_drop_down_get_selected (self->kinds);

  if (self->is_filling || selected == GTK_INVALID_LIST_POSITION)
    return;
  self->listing_choice = (int)selected;
  seam_source_page_update_assembly (self, 0);
}

/* --- The pane --- */

static gboolean
layout_cb (gpointer data)
{
  SeamSourcePage *self = data;
  GtkOrientation wanted = gtk_widget_get_width (GTK_WIDGET (self)) >= BESIDE_WIDTH
                              ? GTK_ORIENTATION_HORIZONTAL
                              : GTK_ORIENTATION_VERTICAL;

  self->layout_id = 0;
  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->pair)) != wanted) {
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->pair), wanted);
    g_object_set (self->pair, "position-set", FALSE, NULL);
  }
  return G_SOURCE_REMOVE;
}

/* While it is being laid out; the change waits for its end. */
static void
resized_cb (SeamSourcePage *self)
{
  if (self->layout_id == 0)
    self->layout_id = g_idle_add (layout_cb, self);
}

static void
follow_keyboard (SeamSourcePage *self, GtkSourceView *view, GCallback callback)
{
  GtkEventController *controller = gtk_event_controller_focus_new ();

  g_signal_connect_object (controller, "enter", callback, self, G_CONNECT_SWAPPED);
  gtk_widget_add_controller (GTK_WIDGET (view), controller);
}

void
seam_source_page_init_assembly (SeamSourcePage *self)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->asm_view));

  gtk_source_buffer_set_highlight_matching_brackets (GTK_SOURCE_BUFFER (buffer), FALSE);
  seam_source_set_scheme (GTK_SOURCE_BUFFER (buffer));
  gtk_source_completion_block_interactive (gtk_source_view_get_completion (self->asm_view));
  gtk_source_view_set_tab_width (self->asm_view, 4);
  g_signal_connect_object (self->kinds, "notify::selected", G_CALLBACK (kind_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (buffer, "notify::cursor-position", G_CALLBACK (listing_moved_cb), self,
                           G_CONNECT_SWAPPED);
  /* A click on the line where the cursor has been does not move it. */
  follow_keyboard (self, self->view, G_CALLBACK (source_moved_cb));
  follow_keyboard (self, self->asm_view, G_CALLBACK (listing_moved_cb));
  g_signal_connect_object (seam_source_page_get_buffer (self), "notify::cursor-position",
                           G_CALLBACK (source_moved_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (gtk_scrolled_window_get_hadjustment (self->code_window),
                           "notify::page-size", G_CALLBACK (resized_cb), self, G_CONNECT_SWAPPED);
}

void
seam_source_page_clear_assembly (SeamSourcePage *self)
{
  g_clear_handle_id (&self->listing_timeout, g_source_remove);
  g_clear_handle_id (&self->layout_id, g_source_remove);
  g_clear_pointer (&self->listing, seam_listing_free);
  g_clear_pointer (&self->listing_errors, g_ptr_array_unref);
  g_clear_pointer (&self->listing_key, g_free);
  self->listing_serial++;
}
