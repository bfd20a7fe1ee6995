/* SPDX-License-Identifier: MIT
 *
 * The history on disk: the next program finds every entry, also after a kill; the oldest entries
 * that are not pinned make room; a file that is not a history is refused with a sentence.
 */
#include "app/session/history.h"

#include "app/base/error.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct {
  char *folder, *path;
} Fixture;

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->folder = g_dir_make_tmp ("seam-history-XXXXXX", NULL);
  /* Opening the history makes the folder below. */
  fixture->path = g_build_filename (fixture->folder, "state", "history.db", NULL);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", fixture->folder);

  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, NULL));
  g_free (fixture->folder);
  g_free (fixture->path);
}

static SeamHistory *
open_history (const Fixture *fixture)
{
  g_autoptr (GError) error = NULL;
  SeamHistory *history = seam_history_open (fixture->path, &error);

  g_assert_no_error (error);
  return history;
}

static GBytes *
make_content (gsize size, int value)
{
  guint8 *data = g_malloc (size);

  memset (data, value, size);
  return g_bytes_new_take (data, size);
}

static gint64
put (SeamHistory *history, const char *pipeline, gsize size, int value, int *n_removed)
{
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
  g_autoptr (GBytes) content = make_content (size, value);
  g_autoptr (GError) error = NULL;

  entry->pipeline = g_strdup (pipeline);
  entry->outcome = g_strdup ("1.50× faster");
  seam_history_put (history, entry, content, n_removed, &error);
  g_assert_no_error (error);
  g_assert_cmpint (entry->bytes, ==, size);
  return entry->id;
}

static char *
list_pipelines (SeamHistory *history)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) entries = seam_history_list (history, &error);
  GString *text = g_string_new (NULL);

  g_assert_no_error (error);
  for (guint i = 0; i < entries->len; i++)
    g_string_append_printf (text, "%s ", ((SeamHistoryEntry *)entries->pdata[i])->pipeline);
  return g_string_free (text, FALSE);
}

static void
assert_listed (SeamHistory *history, const char *expected)
{
  g_autofree char *listed = list_pipelines (history);

  g_assert_cmpstr (listed, ==, expected);
}

static void
test_is_kept (Fixture *fixture, gconstpointer data)
{
  gint64 first, second;

  {
    g_autoptr (SeamHistory) history = open_history (fixture);
    first = put (history, "a", 100, 1, NULL);
    second = put (history, "b", 200, 2, NULL);
    g_assert_cmpint (second, >, first);
    g_assert_true (seam_history_set_name (history, first, "before the change", NULL));
    g_assert_true (seam_history_set_pinned (history, first, TRUE, NULL));
    g_assert_true (seam_history_set_saved (history, second, TRUE, NULL));
  }
  g_autoptr (SeamHistory) history = open_history (fixture);
  g_autoptr (GPtrArray) entries = seam_history_list (history, NULL);
  const SeamHistoryEntry *newest = entries->pdata[0], *oldest = entries->pdata[1];
  g_autoptr (GBytes) content = seam_history_read (history, second, NULL);
  g_autoptr (GBytes) expected = make_content (200, 2);

  g_assert_cmpuint (entries->len, ==, 2);
  g_assert_cmpint (newest->id, ==, second);
  g_assert_cmpstr (newest->pipeline, ==, "b");
  g_assert_cmpstr (newest->outcome, ==, "1.50× faster");
  g_assert_nonnull (newest->ended_at);
  g_assert_null (newest->name);
  g_assert_true (newest->saved && !newest->pinned);
  g_assert_cmpstr (oldest->name, ==, "before the change");
  g_assert_true (oldest->pinned && !oldest->saved);
  g_assert_true (g_bytes_equal (content, expected));
}

/* An exploration that is resumed replaces its own entry; all other results add one. */
static void
test_grows (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamHistory) history = open_history (fixture);
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_EXPLORATION);
  g_autoptr (GBytes) few = make_content (10, 1), many = make_content (20, 2);
  g_autoptr (GBytes) content = NULL;
  gint64 id;

  entry->pipeline = g_strdup ("e");
  g_assert_true (seam_history_put (history, entry, few, NULL, NULL));
  id = entry->id;
  put (history, "r", 5, 3, NULL);
  g_assert_true (seam_history_set_name (history, id, "mine", NULL));
  g_assert_true (seam_history_set_saved (history, id, TRUE, NULL));
  g_assert_true (seam_history_put (history, entry, many, NULL, NULL));
  g_assert_cmpint (entry->id, ==, id);
  assert_listed (history, "r e ");
  content = seam_history_read (history, id, NULL);
  g_assert_true (g_bytes_equal (content, many));

  g_autoptr (GPtrArray) entries = seam_history_list (history, NULL);
  const SeamHistoryEntry *grown = entries->pdata[1];
  g_assert_cmpstr (grown->name, ==, "mine");
  /* The saved file does not hold the new points, so the entry is not saved. */
  g_assert_false (grown->saved);
  g_assert_cmpint (grown->bytes, ==, 20);

  /* An entry that is removed while it is measured comes back with its new points. */
  g_assert_true (seam_history_remove (history, id, NULL));
  g_assert_true (seam_history_put (history, entry, many, NULL, NULL));
  g_assert_cmpint (entry->id, >, id);
  assert_listed (history, "e r ");
}

static void
test_makes_room (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamHistory) history = open_history (fixture);
  int removed = -1;
  gint64 pinned;

  seam_history_set_limit (history, 1000);
  pinned = put (history, "pinned", 300, 0, &removed);
  seam_history_set_pinned (history, pinned, TRUE, NULL);
  put (history, "old", 300, 0, &removed);
  put (history, "newer", 300, 0, &removed);
  g_assert_cmpint (removed, ==, 0);
  put (history, "newest", 300, 0, &removed);
  g_assert_cmpint (removed, ==, 1);
  assert_listed (history, "newest newer pinned ");
  /* An entry larger than the limit is kept: it was just measured. */
  put (history, "huge", 2000, 0, &removed);
  g_assert_cmpint (removed, ==, 2);
  assert_listed (history, "huge pinned ");
}

/* The changes of another program are noticed once, and one's own are none. */
static void
test_has_changed (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamHistory) history = open_history (fixture);
  g_autoptr (SeamHistory) other = open_history (fixture);

  /* Opening it may write, too. */
  seam_history_has_changed (history);
  put (history, "a", 100, 1, NULL);
  g_assert_false (seam_history_has_changed (history));
  put (other, "b", 100, 1, NULL);
  g_assert_true (seam_history_has_changed (history));
  g_assert_false (seam_history_has_changed (history));
  assert_listed (history, "b a ");
}

static void
test_remove (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamHistory) history = open_history (fixture);
  g_autoptr (GError) error = NULL;
  gint64 a = put (history, "a", 10, 0, NULL), b = put (history, "b", 10, 0, NULL);

  g_assert_true (seam_history_remove (history, b, NULL));
  assert_listed (history, "a ");
  g_assert_null (seam_history_read (history, b, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  /* A number is never given twice: whoever holds the number of the removed entry does not get
   * another one. */
  g_assert_cmpint (put (history, "c", 10, 0, NULL), >, b);
  g_assert_true (seam_history_remove (history, a, NULL));
  assert_listed (history, "c ");
}

/* A writer that is killed at any moment, every second one only after its first entry: every entry
 * whose put() had returned is there and whole. */
static void
test_survives_kill (Fixture *fixture, gconstpointer data)
{
  enum { N_KILLS = 40 };
  gint64 last = 0;

  for (int k = 0; k < N_KILLS; k++) {
    int ends[2];
    gint64 id, told = 0;
    pid_t child;

    g_assert_cmpint (pipe (ends), ==, 0);
    child = fork ();
    g_assert_cmpint (child, >=, 0);
    if (child == 0) {
      SeamHistory *history = seam_history_open (fixture->path, NULL);
      for (;;) {
        id = put (history, "killed", 3000, 7, NULL);
        if (write (ends[1], &id, sizeof id) != sizeof id)
          _exit (1);
      }
    }
    close (ends[1]);
    if (k % 2 == 0)
      g_assert_cmpint (read (ends[0], &told, sizeof told), ==, sizeof told);
    g_usleep (2000 + (gulong)g_random_int_range (0, 8000));
    kill (child, SIGKILL);
    waitpid (child, NULL, 0);
    while (read (ends[0], &id, sizeof id) == sizeof id)
      told = id;
    close (ends[0]);

    g_autoptr (SeamHistory) history = open_history (fixture);
    g_autoptr (GPtrArray) entries = seam_history_list (history, NULL);
    gint64 newest = entries->len > 0 ? ((SeamHistoryEntry *)entries->pdata[0])->id : 0;
    g_assert_cmpint (newest, >=, MAX (told, last));
    last = newest;
    if (newest > 0) {
      g_autoptr (GBytes) content = seam_history_read (history, newest, NULL);
      g_autoptr (GBytes) expected = make_content (3000, 7);
      g_assert_true (g_bytes_equal (content, expected));
    }
  }
  g_assert_cmpint (last, >=, N_KILLS / 2);
}

static void
test_foreign (Fixture *fixture, gconstpointer data)
{
  g_autofree char *folder = g_path_get_dirname (fixture->path);
  g_autofree char *below = g_build_filename (fixture->path, "history.db", NULL);
  g_autoptr (GError) error = NULL, no_folder = NULL;

  g_mkdir_with_parents (folder, 0700);
  g_assert_true (g_file_set_contents (fixture->path, "not a database, just text", -1, NULL));
  g_assert_null (seam_history_open (fixture->path, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, fixture->path));
  /* There is a file where the folder should be. */
  g_assert_null (seam_history_open (below, &no_folder));
  g_assert_error (no_folder, SEAM_ERROR, SEAM_ERROR_FILE);
}

static void
execute (sqlite3 *db, const char *sql)
{
  if (sqlite3_exec (db, sql, NULL, NULL, NULL) != SQLITE_OK)
    g_error ("%s", sqlite3_errmsg (db));
}

static void
assert_refused (gboolean done, GError **error, const Fixture *fixture, const char *remedy)
{
  g_assert_false (done);
  g_assert_error (*error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_nonnull (strstr ((*error)->message, fixture->path));
  if (strstr ((*error)->message, remedy) == NULL)
    g_error ("“%s” does not say “%s”", (*error)->message, remedy);
  g_assert_true (g_str_has_suffix ((*error)->message, "."));
  g_clear_error (error);
}

/* Each reason has its own remedy; nothing waits for a lock in a window. */
static void
test_remedies (Fixture *fixture, gconstpointer data)
{
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
  g_autoptr (GBytes) content = make_content (100000, 1);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  SeamHistory *history = open_history (fixture);
  gint64 start;
  sqlite3 *db;

  put (history, "a", 100, 1, NULL);
  seam_history_free (history);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);

  /* Locked as a whole, so that nobody else can even read it. */
  execute (db, "PRAGMA locking_mode = EXCLUSIVE");
  execute (db, "BEGIN EXCLUSIVE");
  execute (db, "UPDATE entry SET name = 'x'");
  start = g_get_monotonic_time ();
  history = seam_history_open_now (fixture->path, &error);
  assert_refused (history != NULL, &error, fixture, "Another program has locked it");
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC);
  execute (db, "COMMIT");
  sqlite3_close (db);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);

  /* Another program writes: reading goes on. */
  history = seam_history_open_now (fixture->path, &error);
  g_assert_no_error (error);
  execute (db, "BEGIN IMMEDIATE");
  entries = seam_history_list (history, &error);
  g_assert_no_error (error);
  g_assert_cmpint (entries->len, ==, 1);
  assert_refused (seam_history_put (history, entry, content, NULL, &error), &error, fixture,
                  "Another program has locked it");
  g_assert_cmpint (entry->id, ==, 0);
  execute (db, "COMMIT");
  g_assert_true (seam_history_put (history, entry, content, NULL, &error));

  /* Sizes as nobody has them, which a foreign file may state. */
  execute (db, "UPDATE entry SET bytes = 9223372036854775807");
  entry->id = 0;
  g_assert_true (seam_history_put (history, entry, content, NULL, &error));
  g_clear_pointer (&entries, g_ptr_array_unref);
  entries = seam_history_list (history, &error);
  g_assert_cmpint (entries->len, ==, 1);
  g_assert_cmpint (((SeamHistoryEntry *)entries->pdata[0])->id, ==, entry->id);
  seam_history_free (history);

  execute (db, "PRAGMA user_version = 1");
  sqlite3_close (db);
  history = seam_history_open (fixture->path, &error);
  assert_refused (history != NULL, &error, fixture, "Update this one");

  g_assert_true (g_file_set_contents (fixture->path, "no database; this is just a text", -1, NULL));
  history = seam_history_open (fixture->path, &error);
  assert_refused (history != NULL, &error, fixture, "It is damaged");
  /* As where there is no right to write, which a test as root would have. */
  g_unlink (fixture->path);
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  history = seam_history_open (fixture->path, &error);
  assert_refused (history != NULL, &error, fixture, "that you may write");
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
#define ADD(name, function)                                                                        \
  g_test_add ("/history/" name, Fixture, NULL, set_up, function, tear_down)
  ADD ("is-kept", test_is_kept);
  ADD ("grows", test_grows);
  ADD ("makes-room", test_makes_room);
  ADD ("has-changed", test_has_changed);
  ADD ("remove", test_remove);
  ADD ("survives-kill", test_survives_kill);
  ADD ("foreign", test_foreign);
  ADD ("remedies", test_remedies);
  return g_test_run ();
}
