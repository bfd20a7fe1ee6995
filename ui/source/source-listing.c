/* SPDX-License-Identifier: MIT
 *
 * Machine code beside the text of the page Source: see source-listing.h.
 */
#include "ui/source/source-listing.h"

#include "ui/source/source-tint.h"

#include <string.h>

#define TYPING_MS 700 /* a pause in typing, before what was typed is compiled for its listing */

struct _SeamSourceListing {
  AdwBin parent_instance;

  GtkLabel *note;
  SeamSourceCodeView *code_view;
  GtkDropDown *kinds;
  GtkLabel *link_note;
  SeamSourceSubject *subject;
  SeamSourceText *text;

  int choice;           /* of `kinds`: 0 none */
  SeamListing *listing; /* of the text that is shown; NULL: not asked for, or not there yet */
  char *key;            /* what `listing`, or the question under way, is of */
  GPtrArray *diagnostics;
  guint serial, timeout;
  gboolean is_from_listing; /* the lines that belong together follow the cursor there */
  char *language;           /* that `kinds` has the entries of */
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (SeamSourceListing, seam_source_listing, ADW_TYPE_BIN)

enum { PROP_DIAGNOSTICS = 1, N_PROPS };

static GParamSpec *properties[N_PROPS];

/* --- Kinds --- */

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
find_kind (const char *language, int n)
{
  const SeamLanguage *found = seam_language_find (language);

  return n <= found->n_listings ? (int)found->listings[n - 1] : -1;
}

/* The kind that is wanted of what is shown; -1: none. */
static int
get_kind (SeamSourceListing *self)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  int kind;

  if (source == NULL || seam_source_subject_is_kept (self->subject) || self->choice <= 0)
    return -1;
  kind = find_kind (source->language, self->choice);
  /* Who looked at SASS sees the assembly of a group on the CPU. */
  return kind >= 0 ? kind : find_kind (source->language, 1);
}

/* The entries that the text's language has; none: hidden. */
static void
fill_kinds (SeamSourceListing *self)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  const char *language =
      source != NULL && !seam_source_subject_is_kept (self->subject) ? source->language : "";
  int n = 0;

  gtk_widget_set_visible (GTK_WIDGET (self->kinds), find_kind (language, 1) >= 0);
  if (g_strcmp0 (self->language, language) == 0)
    return;
  g_free (self->language);
  self->language = g_strdup (language);
  gtk_string_list_append (names, "Text alone");
  for (int kind; (kind = find_kind (language, n + 1)) >= 0; n++)
    gtk_string_list_append (names, kinds[kind].label);
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->kinds, G_LIST_MODEL (names));
  gtk_drop_down_set_selected (self->kinds, (guint)MIN (self->choice, n));
  self->is_filling = FALSE;
}

static const char *
get_word (SeamSourceListing *self)
{
  return kinds[self->listing->kind].word;
}

/* --- Lines that belong together --- */

static GtkTextView *
get_text_view (SeamSourceListing *self)
{
  return GTK_TEXT_VIEW (
      seam_source_code_view_get_view (seam_source_text_get_code_view (self->text)));
}

static void
say_link (SeamSourceListing *self, const char *text)
{
  gtk_label_set_text (self->link_note, text);
  gtk_widget_set_visible (GTK_WIDGET (self->link_note), self->listing != NULL);
}

static void
choose_both (SeamSourceListing *self, guint source_line, const GArray *lines)
{
  guint line = source_line - 1;

  seam_source_choose_lines (get_text_view (self), &line, lines->len > 0 ? 1 : 0);
  seam_source_choose_lines (GTK_TEXT_VIEW (seam_source_code_view_get_view (self->code_view)),
                            (const guint *)(void *)lines->data, lines->len);
}

static void
link_from_text (SeamSourceListing *self)
{
  SeamSourceCodeView *text_view = seam_source_text_get_code_view (self->text);
  guint line = seam_source_code_view_get_cursor_line (text_view) + 1;
  g_autoptr (GArray) lines = NULL;
  g_autofree char *text = NULL;

  self->is_from_listing = FALSE;
  if (self->listing == NULL)
    return;
  lines =
      seam_listing_find_lines (self->listing, seam_source_text_get_file_name (self->text), line);
  choose_both (self, line, lines);
  if (lines->len == 0)
    text = g_strdup_printf ("Line %u: no %s of its own.", line, get_word (self));
  else
    text = g_strdup_printf ("Line %u: %u line%s of %s, from line %u on.", line, lines->len,
                            lines->len == 1 ? "" : "s", get_word (self),
                            g_array_index (lines, guint, 0) + 1);
  say_link (self, text);
  if (lines->len > 0)
    seam_source_code_view_scroll_to_line (self->code_view, g_array_index (lines, guint, 0));
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
link_from_listing (SeamSourceListing *self)
{
  const char *file = seam_source_text_get_file_name (self->text);
  guint line = seam_source_code_view_get_cursor_line (self->code_view), n = 0, found = 0;
  const SeamListingPlace *places;
  g_autofree char *origin = NULL, *text = NULL;
  g_autoptr (GArray) lines = NULL;

  self->is_from_listing = TRUE;
  if (self->listing == NULL)
    return;
  places = seam_listing_get_places (self->listing, line, &n);
  while (found < n && strcmp (self->listing->files->pdata[places[found].file], file) != 0)
    found++;
  lines = found < n ? seam_listing_find_lines (self->listing, file, places[found].source_line)
                    : g_array_new (FALSE, FALSE, sizeof (guint));
  choose_both (self, found < n ? places[found].source_line : 1, lines);
  origin = describe_places (self->listing, places, n);
  text = n > 0 ? g_strdup_printf ("Line %u of %s comes from %s.", line + 1, get_word (self), origin)
               : g_strdup_printf ("Line %u of %s comes from no line of the text.", line + 1,
                                  get_word (self));
  say_link (self, text);
  if (found < n)
    seam_source_code_view_scroll_to_line (seam_source_text_get_code_view (self->text),
                                          places[found].source_line - 1);
}

/* Marks the same lines again, in a text that has been written or coloured anew. */
static void
link_again (SeamSourceListing *self)
{
  if (self->is_from_listing)
    link_from_listing (self);
  else
    link_from_text (self);
}

/* --- Asking --- */

GPtrArray *
seam_source_listing_get_diagnostics (SeamSourceListing *self)
{
  return self->diagnostics;
}

/* Takes `diagnostics`. */
static void
set_diagnostics (SeamSourceListing *self, GPtrArray *diagnostics)
{
  g_clear_pointer (&self->diagnostics, g_ptr_array_unref);
  self->diagnostics = diagnostics;
  g_object_notify_by_pspec (G_OBJECT (self), properties[PROP_DIAGNOSTICS]);
}

/* Takes `listing`. */
static void
set_listing (SeamSourceListing *self, SeamListing *listing, const char *note)
{
  g_clear_pointer (&self->listing, seam_listing_free);
  self->listing = listing;
  seam_source_code_view_set_text (self->code_view, listing != NULL ? listing->text : "");
  gtk_label_set_text (self->note, note);
  gtk_widget_set_visible (GTK_WIDGET (self->link_note), FALSE);
  if (listing == NULL)
    seam_source_choose_lines (get_text_view (self), NULL, 0);
  else
    link_from_text (self);
}

typedef struct {
  SeamSourceListing *self;
  guint serial;
} Question;

static void
show_refusal (SeamSourceListing *self, const char *message)
{
  g_autoptr (GPtrArray) diagnostics = seam_diagnostics_parse (message);

  set_listing (self, NULL, message);
  if (diagnostics->len == 0) {
    /* Not the text's fault, so the next time that it is written it is asked for again. */
    g_clear_pointer (&self->key, g_free);
    return set_diagnostics (self, NULL);
  }
  gtk_label_set_text (self->note, "The text does not compile; what is wrong stands below.");
  set_diagnostics (self, g_steal_pointer (&diagnostics));
}

static void
answer_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  Question *question = data;
  g_autoptr (SeamSourceListing) self = question->self;
  g_autoptr (GError) error = NULL;
  g_autofree char *note = NULL;
  SeamListing *listing =
      seam_worker_client_listing_finish (SEAM_WORKER_CLIENT (source), async, &error);
  gboolean is_current = question->serial == self->serial && self->subject != NULL;

  g_free (question);
  if (!is_current)
    return seam_listing_free (listing);
  if (listing == NULL)
    return show_refusal (self, error->message);
  note = listing->note != NULL ? g_strdup_printf ("%s\n%s", listing->title, listing->note)
                               : g_strdup (listing->title);
  set_listing (self, listing, note);
}

/* The plan of the shown group alone, with the person's text where there is one. */
static SeamRunRequest *
make_request (SeamSourceListing *self)
{
  const char *edit = seam_source_subject_get_edit (self->subject);
  char **plans = g_new0 (char *, 2);
  SeamRunRequest *request;

  plans[0] = g_strdup (seam_source_subject_get_plan (self->subject)->notation);
  request = seam_source_subject_make_request (self->subject, plans);
  if (edit != NULL)
    seam_edits_set (&request->edits, 0, seam_source_subject_get_place (self->subject).group, edit);
  return request;
}

static gboolean
ask_cb (gpointer data)
{
  SeamSourceListing *self = data;
  SeamModel *model = seam_source_subject_get_model (self->subject);
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);
  SeamWorkerClient *worker = model->worker;
  int kind = get_kind (self);

  self->timeout = 0;
  if (worker == NULL || kind < 0)
    return G_SOURCE_REMOVE;
  g_autoptr (SeamRunRequest) request = make_request (self);
  Question *question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->serial = ++self->serial;
  gtk_label_set_text (self->note, seam_measurement_get_state (model->measurement) != SEAM_RUN_IDLE
                                      ? "It is shown when the run is over."
                                      : "Compiling…");
  seam_worker_client_listing (worker, request, 0, place.group, place.part, (SeamListingKind)kind,
                              NULL, answer_cb, question);
  return G_SOURCE_REMOVE;
}

/* What decides the listing; newly allocated. */
static char *
make_key (SeamSourceListing *self, int kind)
{
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  const char *edit = seam_source_subject_get_edit (self->subject);
  const SeamRunRequest *request =
      seam_setup_get_request (seam_source_subject_get_model (self->subject)->setup);
  g_autofree char *settings = seam_settings_make_key (&request->settings, SEAM_CONCERN_CODE);

  return g_strdup_printf ("%d %d %d %s\n%s\n%s\n%s", kind, place.group, place.part, settings,
                          request->target != NULL ? request->target : "",
                          seam_source_subject_get_plan (self->subject)->notation,
                          edit != NULL ? edit : source->text);
}

static void
update (SeamSourceListing *self, guint delay_ms)
{
  int kind = get_kind (self);
  g_autofree char *key = kind >= 0 ? make_key (self, kind) : NULL;

  fill_kinds (self);
  gtk_widget_set_visible (GTK_WIDGET (self), kind >= 0);
  /* The same text, written anew or another of its files. */
  if (kind >= 0 && g_strcmp0 (key, self->key) == 0)
    return link_again (self);
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_free (self->key);
  self->key = g_steal_pointer (&key);
  self->serial++;
  set_listing (self, NULL, "");
  set_diagnostics (self, NULL);
  if (kind >= 0)
    self->timeout = g_timeout_add (delay_ms, ask_cb, self);
}

/* --- Following --- */

static void
text_shown_cb (SeamSourceListing *self)
{
  update (self, 0);
}

static void
text_edited_cb (SeamSourceListing *self)
{
  /* What was said of another text says nothing of this one. */
  set_diagnostics (self, NULL);
  update (self, TYPING_MS);
}

static void
kind_cb (SeamSourceListing *self)
{
  guint selected = gtk_drop_down_get_selected (self->kinds);

  if (self->is_filling || selected == GTK_INVALID_LIST_POSITION)
    return;
  self->choice = (int)selected;
  update (self, 0);
}

/* --- Object --- */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  if (id == PROP_DIAGNOSTICS)
    g_value_set_boxed (value, SEAM_SOURCE_LISTING (object)->diagnostics);
  else
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

static void
dispose (GObject *object)
{
  SeamSourceListing *self = SEAM_SOURCE_LISTING (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_pointer (&self->listing, seam_listing_free);
  g_clear_pointer (&self->diagnostics, g_ptr_array_unref);
  g_clear_pointer (&self->key, g_free);
  g_clear_pointer (&self->language, g_free);
  g_clear_object (&self->kinds);
  g_clear_object (&self->link_note);
  g_clear_object (&self->text);
  g_clear_object (&self->subject);
  G_OBJECT_CLASS (seam_source_listing_parent_class)->dispose (object);
}

static void
seam_source_listing_class_init (SeamSourceListingClass *klass)
{
  G_OBJECT_CLASS (klass)->dispose = dispose;
  G_OBJECT_CLASS (klass)->get_property = get_property;
  properties[PROP_DIAGNOSTICS] =
      g_param_spec_boxed ("diagnostics", NULL, NULL, G_TYPE_PTR_ARRAY,
                          G_PARAM_READABLE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS);
  g_object_class_install_properties (G_OBJECT_CLASS (klass), N_PROPS, properties);
}

static void
seam_source_listing_init (SeamSourceListing *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  self->note = GTK_LABEL (gtk_label_new (NULL));
  gtk_label_set_max_width_chars (self->note, 40);
  gtk_label_set_xalign (self->note, 0);
  gtk_label_set_wrap (self->note, TRUE);
  gtk_label_set_selectable (self->note, TRUE);
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "dim-label");
  gtk_widget_add_css_class (GTK_WIDGET (self->note), "note");
  self->code_view = SEAM_SOURCE_CODE_VIEW (seam_source_code_view_new ("Instructions"));
  gtk_source_view_set_tab_width (seam_source_code_view_get_view (self->code_view), 4);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->note));
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->code_view));
  adw_bin_set_child (ADW_BIN (self), box);
}

void
seam_source_listing_follow (SeamSourceListing *self, SeamSourceSubject *subject,
                            SeamSourceText *text, GtkDropDown *kind_menu, GtkLabel *link_note)
{
  self->subject = g_object_ref (subject);
  self->text = g_object_ref (text);
  self->kinds = g_object_ref (kind_menu);
  self->link_note = g_object_ref (link_note);
  const struct {
    gpointer object;
    const char *signal;
    GCallback callback;
  } followed[] = {
    { text, "shown", G_CALLBACK (text_shown_cb) },
    { text, "edited", G_CALLBACK (text_edited_cb) },
    { seam_source_text_get_code_view (text), "moved", G_CALLBACK (link_from_text) },
    { self->code_view, "moved", G_CALLBACK (link_from_listing) },
    { self->code_view, "restyled", G_CALLBACK (link_again) },
    { kind_menu, "notify::selected", G_CALLBACK (kind_cb) },
  };

  for (guint i = 0; i < G_N_ELEMENTS (followed); i++)
    g_signal_connect_object (followed[i].object, followed[i].signal, followed[i].callback, self,
                             G_CONNECT_SWAPPED);
}
