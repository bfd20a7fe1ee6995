/* SPDX-License-Identifier: MIT
 *
 * Machine code beside the text of the Source tab: see source-listing.h.
 */
#include "ui/source/source-listing.h"

#include "ui/class/class.h"
#include "ui/source/source-links.h"
#include "ui/widgets/label.h"

#include "app/backend/diagnostic.h"

#define TYPING_MS 700 /* pause after typing before the text is compiled for its listing */

struct _SeamSourceListing {
  AdwBin parent_instance;

  GtkLabel *note;
  SeamSourceCodeView *code_view;
  GtkDropDown *kinds;
  SeamSourceLinks *links;
  SeamSourceSubject *subject;
  SeamSourceText *text;

  int choice;           /* index in `kinds`; 0: none */
  SeamListing *listing; /* listing of the shown text; NULL: not requested, or not there yet */
  char *key;            /* key of `listing`, or of the request in progress */
  GPtrArray *diagnostics;
  guint serial, timeout;
  char *language; /* language of the entries in `kinds` */
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (SeamSourceListing, seam_source_listing, ADW_TYPE_BIN)

/* --- Kinds --- */

/* Names for the menu, and for a sentence. */
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

/* The kind to show for the current text; -1: none. */
static int
get_kind (SeamSourceListing *self)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  int kind;

  if (source == NULL || seam_source_subject_is_kept (self->subject) || self->choice <= 0)
    return -1;
  kind = find_kind (source->language, self->choice);
  /* A person who chose SASS gets assembly for a group on the CPU. */
  return kind >= 0 ? kind : find_kind (source->language, 1);
}

/* Fills in the entries for the text's language; without any, the menu is hidden. */
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
  seam_watch_notify (self, "diagnostics");
}

/* Takes `listing`. */
static void
set_listing (SeamSourceListing *self, SeamListing *listing, const char *note)
{
  SeamListing *old = self->listing;

  self->listing = listing;
  seam_source_code_view_set_text (self->code_view, listing != NULL ? listing->text : "");
  gtk_label_set_text (self->note, note);
  seam_source_links_set_listing (self->links, listing,
                                 listing != NULL ? kinds[listing->kind].word : NULL);
  seam_listing_free (old);
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
    /* The text is not to blame, so the listing is requested again when the text is next written. */
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
  SeamListing *listing = seam_worker_client_finish (async, &error);
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

/* The plan of the shown group alone, with the person's text if there is one. */
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
  SeamWorkerClient *worker = model->workers.here;
  int kind = get_kind (self);

  self->timeout = 0;
  if (worker == NULL || kind < 0)
    return G_SOURCE_REMOVE;
  g_autoptr (SeamRunRequest) request = make_request (self);
  if (seam_setup_find_foreign (model->setup, &request->edits) != NULL) {
    gtk_label_set_text (self->note, "This is somebody else's code: it is compiled only after you "
                                    "have let it run.");
    g_clear_pointer (&self->key, g_free);
    return G_SOURCE_REMOVE;
  }
  Question *question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->serial = ++self->serial;
  gtk_label_set_text (self->note, seam_measurement_get_state (model->measurement) != SEAM_RUN_IDLE
                                      ? "It is shown when the run is over."
                                      : "Compiling…");
  g_auto (GVariantDict) dict = G_VARIANT_DICT_INIT (NULL);
  g_autoptr (GVariant) asked = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_variant_dict_init (&dict, asked);
  g_variant_dict_insert (&dict, "plan", "x", (gint64)0);
  g_variant_dict_insert (&dict, "group", "x", (gint64)place.group);
  g_variant_dict_insert (&dict, "part", "x", (gint64)place.part);
  g_variant_dict_insert (&dict, "kind", "s", seam_listing_kind_get_name ((SeamListingKind)kind));
  seam_worker_client_call (worker, SEAM_METHOD_LISTING, g_variant_dict_end (&dict), NULL, answer_cb,
                           question);
  return G_SOURCE_REMOVE;
}

/* A key of everything that decides the listing; newly allocated. */
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
  /* The same text was written anew, or another of its files was chosen. */
  if (kind >= 0 && g_strcmp0 (key, self->key) == 0)
    return seam_source_links_mark_again (self->links);
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
  /* Diagnostics of another text do not apply to this one. */
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
seam_source_listing_class_init (SeamSourceListingClass *klass)
{
  SEAM_OWNS (klass, SeamSourceListing, g_source_remove, timeout);
  SEAM_OWNS (klass, SeamSourceListing, g_object_unref, kinds, links, text, subject);
  SEAM_OWNS (klass, SeamSourceListing, seam_listing_free, listing);
  SEAM_OWNS (klass, SeamSourceListing, g_ptr_array_unref, diagnostics);
  SEAM_OWNS (klass, SeamSourceListing, g_free, key, language);
  seam_watch_install (klass, "diagnostics");
}

static void
seam_source_listing_init (SeamSourceListing *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 4);

  self->note = seam_label_new (NULL, "dim-label note", SEAM_LABEL_WRAPS | SEAM_LABEL_SELECTABLE);
  gtk_label_set_max_width_chars (self->note, 40);
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
  self->links = seam_source_links_new (text, self->code_view, link_note);
  g_signal_connect_object (text, "shown", G_CALLBACK (text_shown_cb), self, G_CONNECT_SWAPPED);
  g_signal_connect_object (text, "edited", G_CALLBACK (text_edited_cb), self, G_CONNECT_SWAPPED);
  seam_watch_now (self, G_CALLBACK (kind_cb), kind_menu, "selected");
}
