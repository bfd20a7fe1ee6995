/* SPDX-License-Identifier: MIT
 *
 * The history on disk: the next program finds every entry, also after a kill; the oldest entries
 * that are not pinned make room; a file that is not a history is refused with a sentence.
 */
#include "app/session/history.h"

#include "app/base/error.h"
#include "app/session/schema.h"

#include <errno.h>
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
  SeamHistory *history = seam_history_open (fixture->path, NULL, &error);

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

static void
change (SeamHistory *history, gint64 id, SeamHistoryChange what, const char *name)
{
  g_autoptr (GBytes) value = name != NULL ? g_bytes_new (name, strlen (name)) : NULL;
  g_autoptr (GError) error = NULL;

  seam_history_change (history, id, what, value, &error);
  g_assert_no_error (error);
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
    change (history, first, SEAM_CHANGE_NAME, "before the change");
    change (history, first, SEAM_CHANGE_PIN, NULL);
    change (history, second, SEAM_CHANGE_SAVED, NULL);
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

  change (history, first, SEAM_CHANGE_UNPIN, NULL);
  change (history, first, SEAM_CHANGE_NAME, NULL);
  g_autoptr (GPtrArray) later = seam_history_list (history, NULL);
  oldest = later->pdata[1];
  g_assert_false (oldest->pinned);
  g_assert_null (oldest->name);
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
  change (history, id, SEAM_CHANGE_NAME, "mine");
  change (history, id, SEAM_CHANGE_SAVED, NULL);
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
  change (history, id, SEAM_CHANGE_REMOVE, NULL);
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
  change (history, pinned, SEAM_CHANGE_PIN, NULL);
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

  change (history, b, SEAM_CHANGE_REMOVE, NULL);
  assert_listed (history, "a ");
  g_assert_null (seam_history_read (history, b, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  /* A number is never given twice: whoever holds the number of the removed entry does not get
   * another one. */
  g_assert_cmpint (put (history, "c", 10, 0, NULL), >, b);
  change (history, a, SEAM_CHANGE_REMOVE, NULL);
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
      SeamHistory *history = seam_history_open (fixture->path, NULL, NULL);
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
  g_assert_null (seam_history_open (fixture->path, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, fixture->path));
  /* There is a file where the folder should be. */
  g_assert_null (seam_history_open (below, NULL, &no_folder));
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

/* Runs SQL on the file as another program would. */
static void
change_file (const Fixture *fixture, const char *sql)
{
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);
  execute (db, sql);
  sqlite3_close (db);
}

static void
assert_not_opened (const Fixture *fixture, const char *remedy)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamHistory) history = seam_history_open (fixture->path, NULL, &error);

  assert_refused (history != NULL, &error, fixture, remedy);
}

/* A database that is no history is called what it is, and no byte of it changes. */
static void
test_other_databases (Fixture *fixture, gconstpointer data)
{
  g_autofree char *session = g_strdup_printf ("PRAGMA application_id = %d; CREATE TABLE run (key)",
                                              SEAM_SESSION_APPLICATION_ID);
  const struct {
    const char *sql, *remedy;
  } files[] = {
    { session, "it is a session. Move it to another folder" },
    { "PRAGMA application_id = 77; CREATE TABLE entry (id)", "another program" },
    { "PRAGMA application_id = 77; PRAGMA journal_mode = WAL", "another program" },
    { "CREATE TABLE bookmark (id)", "another program" },
    { "CREATE VIEW entry AS SELECT 1 AS id", "another program" },
    { "PRAGMA user_version = 7; CREATE TABLE entry (id)", "another program" },
    { "CREATE TABLE entry (id INTEGER PRIMARY KEY, kind)", "It is damaged, or no history" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *before = NULL, *after = NULL;
    gsize n_before, n_after;

    seam_history_free (open_history (fixture));
    g_assert_cmpint (g_unlink (fixture->path), ==, 0);
    change_file (fixture, files[i].sql);
    g_assert_true (g_file_get_contents (fixture->path, &before, &n_before, NULL));
    assert_not_opened (fixture, files[i].remedy);
    g_assert_true (g_file_get_contents (fixture->path, &after, &n_after, NULL));
    /* The last one could be an old history: its header is made ready for this version. */
    if (i + 1 < G_N_ELEMENTS (files))
      g_assert_cmpmem (before, n_before, after, n_after);
    g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  }
}

/* What lacks something is damaged, and no SQL is quoted; an older history has no id yet. */
static void
test_damaged_table (Fixture *fixture, gconstpointer data)
{
  static const char *const damages[] = { "DROP TABLE entry", "ALTER TABLE entry DROP COLUMN detail",
                                         "ALTER TABLE entry DROP COLUMN content" };

  for (gsize i = 0; i < G_N_ELEMENTS (damages); i++) {
    seam_history_free (open_history (fixture));
    change_file (fixture, damages[i]);
    assert_not_opened (fixture,
                       "a table or a column is missing. It is damaged, or no history: move it");
    g_assert_cmpint (g_unlink (fixture->path), ==, 0);
  }

  SeamHistory *history = open_history (fixture);
  put (history, "old", 10, 1, NULL);
  seam_history_free (history);
  change_file (fixture, "PRAGMA application_id = 0");
  history = open_history (fixture);
  assert_listed (history, "old ");
  seam_history_free (history);
  change_file (fixture, "DROP TABLE entry");
  assert_not_opened (fixture, "It is damaged");
}

/* As root, a file is only read-only for somebody else. */
static void
become (uid_t user)
{
  if (getuid () == 0 || user == 0)
    g_assert_cmpint (setresuid (user, user, 0), ==, 0);
}

/* A history that cannot be written is listed all the same, without a file beside it; only keeping
 * a result is refused, until it can be written. */
static void
test_read_only (Fixture *fixture, gconstpointer data)
{
  enum { NOBODY = 65534 };
  static const int modes[][2] = { { 0555, 0444 }, { 0777, 0444 }, { 0555, 0666 } };
  const gboolean is_root = getuid () == 0;
  g_autofree char *folder = g_path_get_dirname (fixture->path);
  g_autofree char *log = g_strconcat (fixture->path, "-wal", NULL);
  SeamHistory *history = open_history (fixture);

  put (history, "a", 100, 1, NULL);
  seam_history_free (history);
  g_assert_cmpint (g_chmod (fixture->folder, 0755), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
    g_autoptr (GBytes) content = make_content (100, 1);
    g_autoptr (GError) error = NULL;

    g_assert_cmpint (g_chmod (fixture->path, modes[i][1]), ==, 0);
    g_assert_cmpint (g_chmod (folder, modes[i][0]), ==, 0);
    if (is_root)
      become (NOBODY);
    history = open_history (fixture);
    assert_listed (history, i == 0 ? "a " : i == 1 ? "b a " : "b b a ");
    assert_refused (seam_history_put (history, entry, content, NULL, &error), &error, fixture,
                    "Make it a file that you may write");
    g_assert_false (g_file_test (log, G_FILE_TEST_EXISTS));
    if (is_root)
      become (0);
    g_assert_cmpint (g_chmod (folder, 0755), ==, 0);
    g_assert_cmpint (g_chmod (fixture->path, 0644), ==, 0);
    /* The same history is written as soon as that is possible, and then is listed anew. */
    put (history, "b", 100, 1, NULL);
    g_assert_true (seam_history_has_changed (history));
    seam_history_free (history);
  }
}

static int failure;

static ssize_t
fail_write (int fd, const void *bytes, size_t n)
{
  errno = failure;
  return -1;
}

static ssize_t
fail_pwrite (int fd, const void *bytes, size_t n, off_t offset)
{
  return fail_write (fd, bytes, n);
}

/* Makes every write of SQLite fail with this errno; 0: none fails. */
static void
fail_writes (int code)
{
  sqlite3_vfs *vfs = sqlite3_vfs_find (NULL);

  failure = code;
  vfs->xSetSystemCall (vfs, "write", code != 0 ? (sqlite3_syscall_ptr)fail_write : NULL);
  vfs->xSetSystemCall (vfs, "pwrite", code != 0 ? (sqlite3_syscall_ptr)fail_pwrite : NULL);
  vfs->xSetSystemCall (vfs, "pwrite64", code != 0 ? (sqlite3_syscall_ptr)fail_pwrite : NULL);
}

/* SQLite calls a full disk an I/O error where it is not a page that has no room. */
static void
test_full (Fixture *fixture, gconstpointer data)
{
  static const struct {
    int code;
    const char *remedy;
  } failures[] = {
    { ENOSPC, "disk is full. Make room on the disk" },
    { EDQUOT, "disk is full. Make room on the disk" },
    { EFBIG, "raise the limit (ulimit -f)" },
    { EIO, "Try again" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (failures); i++) {
    g_autoptr (SeamHistory) history = open_history (fixture);
    g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
    g_autoptr (GBytes) content = make_content (100000, 1);
    g_autoptr (GError) error = NULL;

    fail_writes (failures[i].code);
    gboolean done = seam_history_put (history, entry, content, NULL, &error);
    fail_writes (0);
    assert_refused (done, &error, fixture, failures[i].remedy);
    assert_listed (history, "");
    g_clear_pointer (&history, seam_history_free);
    fail_writes (failures[i].code);
    history = seam_history_open (fixture->path, NULL, &error);
    fail_writes (0);
    assert_refused (history != NULL, &error, fixture, failures[i].remedy);
  }
}

/* Rows as only other programs write them. */
static void
test_odd_rows (Fixture *fixture, gconstpointer data)
{
  static const struct {
    const char *bytes, *room;
  } sizes[] = {
    { "1500", "1.6\u00a0kB of 1 GB" },
    { "0", "100 bytes of 1 GB" },
    { "-1", "– of 1 GB" },
    { "-9223372036854775808", "– of 1 GB" },
    { "9223372036854775807", "– of 1 GB" },
    { "1e999", "– of 1 GB" },
  };
  g_autoptr (SeamHistory) history = open_history (fixture);

  put (history, "a", 100, 1, NULL);
  put (history, "b", 100, 1, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    g_autofree char *sql =
        g_strdup_printf ("UPDATE entry SET bytes = %s WHERE id = 2", sizes[i].bytes);
    change_file (fixture, sql);
    g_autoptr (GPtrArray) entries = seam_history_list (history, NULL);
    g_autofree char *room = seam_history_format_room (entries);
    g_assert_cmpstr (room, ==, sizes[i].room);
  }
  /* The window has ids below 0 for what is not in the file. */
  change_file (fixture, "UPDATE entry SET id = -1 WHERE id = 2");
  assert_listed (history, "a ");
}

static int n_told;

static gboolean
give_up (void)
{
  n_told++;
  return FALSE;
}

/* Each reason has its own remedy; nothing waits for a lock in the main thread of a window. */
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
  history = seam_history_open (fixture->path, NULL, &error);
  assert_refused (history != NULL, &error, fixture, "Another program has locked it");
  g_assert_cmpint (g_get_monotonic_time () - start, <, G_USEC_PER_SEC);
  /* Whoever is told that it waits can give up. */
  history = seam_history_open (fixture->path, give_up, &error);
  assert_refused (history != NULL, &error, fixture, "Another program has locked it");
  g_assert_cmpint (n_told, ==, 1);
  execute (db, "COMMIT");
  sqlite3_close (db);
  g_assert_cmpint (sqlite3_open (fixture->path, &db), ==, SQLITE_OK);

  /* Another program writes: reading goes on. */
  history = seam_history_open (fixture->path, NULL, &error);
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
  history = seam_history_open (fixture->path, NULL, &error);
  assert_refused (history != NULL, &error, fixture, "Update this one");

  g_assert_true (g_file_set_contents (fixture->path, "no database; this is just a text", -1, NULL));
  history = seam_history_open (fixture->path, NULL, &error);
  assert_refused (history != NULL, &error, fixture, "It is damaged");
  /* As where there is no right to write, which a test as root would have. */
  g_unlink (fixture->path);
  g_assert_cmpint (g_mkdir (fixture->path, 0700), ==, 0);
  history = seam_history_open (fixture->path, NULL, &error);
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
  ADD ("other-databases", test_other_databases);
  ADD ("damaged-table", test_damaged_table);
  ADD ("read-only", test_read_only);
  ADD ("full", test_full);
  ADD ("odd-rows", test_odd_rows);
  return g_test_run ();
}
