/* SPDX-License-Identifier: MIT
 *
 * A session as a list of runs and searches, each in memory or still in its file.
 */
#include "app/session/session-private.h"

#include "app/session/load.h"

#include "app/base/error.h"
#include "app/explore/search-part.h"
#include "app/settings/settings.h"

#include <math.h>
#include <string.h>

/* Of entries and searches. */
static gpointer
ref_cb (gconstpointer data, gpointer unused)
{
  return g_atomic_rc_box_acquire ((gpointer)data);
}

static void
entry_clear (gpointer data)
{
  SeamSessionEntry *entry = data;

  seam_result_unref (entry->heading);
  g_free (entry->note);
  seam_session_run_unref (entry->run);
  seam_source_unref (entry->source);
}

static void
entry_unref (gpointer entry)
{
  g_atomic_rc_box_release_full (entry, entry_clear);
}

static SeamSessionSearch *
search_new (GVariant *light)
{
  SeamSessionSearch *search = g_atomic_rc_box_new0 (SeamSessionSearch);

  search->light = g_variant_ref_sink (light);
  return search;
}

static void
search_clear (gpointer data)
{
  SeamSessionSearch *search = data;

  g_variant_unref (search->light);
  g_clear_pointer (&search->content, g_variant_unref);
  seam_source_unref (search->source);
}

static void
search_unref (gpointer search)
{
  g_atomic_rc_box_release_full (search, search_clear);
}

SeamSession *
seam_session_new (void)
{
  SeamSession *session = g_new0 (SeamSession, 1);

  g_atomic_ref_count_init (&session->ref_count);
  session->runs = g_ptr_array_new_with_free_func (entry_unref);
  session->searches = g_ptr_array_new_with_free_func (search_unref);
  return session;
}

SeamSession *
seam_session_extend (const SeamSession *session)
{
  SeamSession *longer = seam_session_new ();

  g_ptr_array_extend (longer->runs, session->runs, ref_cb, NULL);
  g_ptr_array_extend (longer->searches, session->searches, ref_cb, NULL);
  longer->partial = session->partial;
  return longer;
}

SeamSession *
seam_session_ref (SeamSession *session)
{
  g_atomic_ref_count_inc (&session->ref_count);
  return session;
}

void
seam_session_free (SeamSession *session)
{
  if (session == NULL || !g_atomic_ref_count_dec (&session->ref_count))
    return;
  g_ptr_array_unref (session->runs);
  g_ptr_array_unref (session->searches);
  seam_source_unref (session->source);
  g_free (session);
}

void
seam_session_add_run (SeamSession *session, SeamSessionRun *run)
{
  SeamSessionEntry *entry = g_atomic_rc_box_new0 (SeamSessionEntry);

  entry->run = seam_session_run_ref (run);
  entry->heading = seam_result_ref (run->result);
  entry->note = g_strdup (run->note);
  g_ptr_array_add (session->runs, entry);
}

void
seam_session_add_search (SeamSession *session, GVariant *content, const char *note)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (content);
  g_autoptr (GVariantDict) dict = g_variant_dict_new (owned);

  g_variant_dict_remove (dict, "note");
  if (note != NULL) {
    g_autofree char *valid = g_utf8_make_valid (note, -1);
    g_variant_dict_insert (dict, "note", "s", valid);
  }
  SeamSessionSearch *search = search_new (g_variant_dict_end (dict));
  search->content = g_variant_ref (search->light);
  g_ptr_array_add (session->searches, search);
}

/* Whether they are one exploration or sweep that was continued. */
static gboolean
asks_the_same (SeamSessionSearch *search, GVariant *content)
{
  static const char *const keys[] = { "request", "vary_x", "vary_y" };
  GVariant *other = seam_session_search_get_content (search, NULL);

  for (guint i = 0; other != NULL && i < G_N_ELEMENTS (keys); i++) {
    g_autoptr (GVariant) a = g_variant_lookup_value (other, keys[i], NULL);
    g_autoptr (GVariant) b = g_variant_lookup_value (content, keys[i], NULL);

    if (a != NULL && b != NULL ? !g_variant_equal (a, b) : a != b)
      return FALSE;
  }
  return other != NULL;
}

static void
remove_replaced (SeamSession *session, GVariant *content)
{
  for (guint i = session->searches->len; i > 0; i--)
    if (asks_the_same (g_ptr_array_index (session->searches, i - 1), content))
      g_ptr_array_remove_index (session->searches, i - 1);
}

void
seam_session_put_search (SeamSession *session, GVariant *content, const char *note)
{
  g_autoptr (GVariant) owned = g_variant_ref_sink (content);

  remove_replaced (session, owned);
  seam_session_add_search (session, owned, note);
  ((SeamSessionSearch *)session->searches->pdata[session->searches->len - 1])->replaces = TRUE;
}

void
seam_session_add_all (SeamSession *session, const SeamSession *more)
{
  for (guint i = 0; i < more->searches->len; i++) {
    const SeamSessionSearch *search = g_ptr_array_index (more->searches, i);
    if (search->replaces && search->content != NULL)
      remove_replaced (session, search->content);
  }
  g_ptr_array_extend (session->runs, more->runs, ref_cb, NULL);
  g_ptr_array_extend (session->searches, more->searches, ref_cb, NULL);
}

guint
seam_session_get_n_runs (const SeamSession *session)
{
  return session->runs->len;
}

static const SeamSessionEntry *
get_entry (const SeamSession *session, guint i)
{
  g_assert (i < session->runs->len);
  return g_ptr_array_index (session->runs, i);
}

const SeamResult *
seam_session_get_heading (const SeamSession *session, guint i)
{
  return get_entry (session, i)->heading;
}

const char *
seam_session_get_note (const SeamSession *session, guint i)
{
  return get_entry (session, i)->note;
}

SeamSessionRun *
seam_session_get_run (const SeamSession *session, guint i, GError **error)
{
  const SeamSessionEntry *entry = get_entry (session, i);
  GError *problem = NULL;

  if (entry->run != NULL)
    return seam_session_run_ref (entry->run);
  g_mutex_lock (&entry->source->lock);
  SeamSessionRun *run = seam_session_read_run (entry->source, entry->key, &problem);
  g_mutex_unlock (&entry->source->lock);
  if (run == NULL) {
    g_autofree char *what =
        g_strdup_printf ("Run %u of %s cannot be read.", i + 1, entry->source->name);
    seam_source_set_damaged (what, problem, error);
  }
  return run;
}

GPtrArray *
seam_session_get_searches (const SeamSession *session)
{
  return session->searches;
}

gboolean
seam_session_is_partial (const SeamSession *session)
{
  return session->partial;
}

gboolean
seam_session_is_current (const SeamSession *session)
{
  return session->source == NULL || seam_source_is_current (session->source);
}

gboolean
seam_session_verify (const SeamSession *session, GError **error)
{
  GError *problem = NULL;

  if (session->source == NULL)
    return TRUE;
  g_mutex_lock (&session->source->lock);
  gboolean good = seam_source_verify (session->source, &problem);
  g_mutex_unlock (&session->source->lock);
  if (!good) {
    g_autofree char *what = g_strdup_printf ("%s cannot be opened.", session->source->name);
    seam_source_set_damaged (what, problem, error);
  }
  return good;
}

char *
seam_session_describe_run (const SeamSession *session, guint i)
{
  const SeamResult *result = seam_session_get_heading (session, i);
  const SeamDeviceInfo *device = result->device;
  const char *name = seam_device_info_get_name (device);
  g_autofree char *types = seam_settings_describe (&result->settings, SEAM_CONCERN_CODE, ", ");
  g_autofree char *plans =
      g_strdup_printf ("%d plan%s", result->n_plans, result->n_plans == 1 ? "" : "s");
  g_autofree char *words = seam_pitfalls_describe (result->pitfalls);
  g_autofree char *mark = words != NULL ? g_strconcat ("with pitfall: ", words, NULL) : NULL;
  const char *const parts[] = {
    result->pipeline_id,
    mark,
    result->shape_text,
    types,
    name,
    plans,
    result->started_at,
    seam_session_get_note (session, i),
  };
  GString *line = g_string_new (NULL);

  for (gsize k = 0; k < G_N_ELEMENTS (parts); k++)
    if (parts[k] != NULL && parts[k][0] != '\0')
      g_string_append_printf (line, "%s%s", line->len > 0 ? ", " : "", parts[k]);
  return g_string_free (line, FALSE);
}

const char *
seam_session_search_get_text (const SeamSessionSearch *search, const char *key)
{
  const char *text = NULL;

  g_variant_lookup (search->light, key, "&s", &text);
  return text;
}

int
seam_session_search_get_kind (const SeamSessionSearch *search)
{
  return seam_choice_find (seam_search_kinds, seam_session_search_get_text (search, "kind"));
}

const char *
seam_session_search_get_note (const SeamSessionSearch *search)
{
  return seam_session_search_get_text (search, "note");
}

char *
seam_session_search_describe (const SeamSessionSearch *search)
{
  int kind = seam_session_search_get_kind (search);
  const SeamSearchWords *words = &seam_search_words[kind >= 0 ? kind : SEAM_SEARCH_SWEEP];
  const char *pipeline = seam_session_search_get_text (search, "pipeline"),
             *mode = seam_session_search_get_text (search, "math_mode");
  const char *varied = seam_session_search_get_text (search, "varied"),
             *time = seam_session_search_get_text (search, "measured_at");
  const char *note = seam_session_search_get_note (search);
  g_autofree char *upper = mode != NULL ? g_ascii_strup (mode, -1) : NULL;
  gint64 n = 0;

  g_variant_lookup (search->light, "n_measured", "x", &n);
  return g_strdup_printf ("%s of %s%s%s%s%s, %" G_GINT64_FORMAT " %s measured%s%s%s%s",
                          words->search, pipeline != NULL ? pipeline : "",
                          varied != NULL ? " over " : "", varied != NULL ? varied : "",
                          upper != NULL ? ", " : "", upper != NULL ? upper : "", n, words->points,
                          time != NULL ? ", " : "", time != NULL ? time : "",
                          note != NULL ? ", " : "", note != NULL ? note : "");
}

GVariant *
seam_session_search_get_content (SeamSessionSearch *search, GError **error)
{
  GError *problem = NULL;

  if (search->source == NULL)
    return search->content;
  g_mutex_lock (&search->source->lock);
  if (search->content == NULL)
    search->content =
        seam_session_read_tree (search->source, SEAM_TABLE_SEARCH, search->key, FALSE, &problem);
  GVariant *content = search->content;
  g_mutex_unlock (&search->source->lock);
  if (content == NULL) {
    g_autofree char *what = g_strdup_printf ("A result of explore or sweep in %s cannot be read.",
                                             search->source->name);
    seam_source_set_damaged (what, problem, error);
  }
  return content;
}

static gboolean is_same_dictionary (GVariant *a, GVariant *b);

/* NaN if the column is missing. */
static gboolean
is_unknown (GVariant *value)
{
  return value == NULL
         || (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)
             && isnan (g_variant_get_double (value)));
}

static gboolean
is_same_value (GVariant *a, GVariant *b)
{
  if (is_unknown (a) || is_unknown (b))
    return is_unknown (a) && is_unknown (b);
  if (!g_variant_is_of_type (a, G_VARIANT_TYPE ("aa{sv}"))
      || !g_variant_is_of_type (b, G_VARIANT_TYPE ("aa{sv}")))
    return g_variant_equal (a, b);
  if (g_variant_n_children (a) != g_variant_n_children (b))
    return FALSE;
  for (gsize i = 0; i < g_variant_n_children (a); i++) {
    g_autoptr (GVariant) one = g_variant_get_child_value (a, i);
    g_autoptr (GVariant) two = g_variant_get_child_value (b, i);
    if (!is_same_dictionary (one, two))
      return FALSE;
  }
  return TRUE;
}

/* Whether `b` has every member of `a`. */
static gboolean
has_all (GVariant *a, GVariant *b)
{
  GVariantIter iter;
  const char *name;
  GVariant *value;

  g_variant_iter_init (&iter, a);
  while (g_variant_iter_loop (&iter, "{&sv}", &name, &value)) {
    g_autoptr (GVariant) other = g_variant_lookup_value (b, name, NULL);
    if (strcmp (name, "note") == 0 || is_same_value (value, other))
      continue;
    g_variant_unref (value);
    return FALSE;
  }
  return TRUE;
}

static gboolean
is_same_dictionary (GVariant *a, GVariant *b)
{
  return has_all (a, b) && has_all (b, a);
}

gboolean
seam_session_search_holds (SeamSessionSearch *search, GVariant *content)
{
  GVariant *own = seam_session_search_get_content (search, NULL);

  return own == content || (own != NULL && is_same_dictionary (own, content));
}

/* --- Loading --- */

/* A run whose heading cannot be read is listed nevertheless, so that the others can be shown. */
static SeamSessionEntry *
read_entry (SeamSource *source, gint64 key)
{
  SeamSessionEntry *entry = g_atomic_rc_box_new0 (SeamSessionEntry);
  g_autoptr (GVariant) light = seam_session_read_tree (source, SEAM_TABLE_RUN, key, TRUE, NULL);

  entry->source = seam_source_ref (source);
  entry->key = key;
  if (light != NULL) {
    entry->heading = seam_result_from_variant (light, NULL);
    g_variant_lookup (light, "note", "s", &entry->note);
  }
  if (entry->heading == NULL) {
    entry->heading = seam_result_new (0);
    entry->heading->pipeline_id = g_strdup ("damaged");
    entry->heading->device = seam_device_info_new ("");
  }
  return entry;
}

static SeamSessionSearch *
read_search (SeamSource *source, gint64 key)
{
  g_autoptr (GVariant) light = seam_session_read_tree (source, SEAM_TABLE_SEARCH, key, TRUE, NULL);
  SeamSessionSearch *search =
      search_new (light != NULL ? light : g_variant_new_parsed ("@a{sv} {}"));

  search->source = seam_source_ref (source);
  search->key = key;
  return search;
}

SeamSession *
seam_session_new_from_source (SeamSource *source, GError **error)
{
  g_autoptr (SeamSession) session = seam_session_new ();
  guint n_runs, n_searches;
  const SeamRowKey *runs = seam_source_find_rows (source, SEAM_TABLE_RUN, 0, &n_runs, error);
  const SeamRowKey *searches =
      runs != NULL ? seam_source_find_rows (source, SEAM_TABLE_SEARCH, 0, &n_searches, error)
                   : NULL;

  if (searches == NULL)
    return NULL;
  if (n_runs + n_searches == 0 || n_runs > seam_table_get (SEAM_TABLE_RUN)->max
      || n_searches > seam_table_get (SEAM_TABLE_SEARCH)->max)
    return seam_fail_null (error, SEAM_ERROR_FILE, "%s",
                           n_runs + n_searches == 0 ? "it holds no run" : "it holds too many runs");
  for (guint i = 0; i < n_runs; i++)
    g_ptr_array_add (session->runs, read_entry (source, runs[i].key));
  for (guint i = 0; i < n_searches; i++)
    g_ptr_array_add (session->searches, read_search (source, searches[i].key));
  session->source = seam_source_ref (source);
  session->partial = source->major == SEAM_SESSION_MAJOR && source->minor > SEAM_SESSION_MINOR;
  return g_steal_pointer (&session);
}

/* Takes ownership of `source`. */
static SeamSession *
load (SeamSource *opened, GError **error)
{
  g_autoptr (SeamSource) source = opened;
  GError *problem = NULL;

  if (source == NULL)
    return NULL;
  SeamSession *session = seam_session_new_from_source (source, &problem);
  if (session == NULL) {
    g_autofree char *what = g_strdup_printf ("%s cannot be opened.", source->name);
    seam_source_set_damaged (what, problem, error);
  }
  return session;
}

SeamSession *
seam_session_load (const char *path, GError **error)
{
  return load (seam_source_open (path, error), error);
}

SeamSession *
seam_session_from_bytes (GBytes *bytes, const char *name, GError **error)
{
  return load (seam_source_open_bytes (bytes, name, error), error);
}
