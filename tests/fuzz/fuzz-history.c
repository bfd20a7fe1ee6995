/* SPDX-License-Identifier: MIT
 *
 * Rows of a history that another program wrote. An input has one change a line, "COLUMN VALUE",
 * where VALUE is text of SQL, such as 'x', x'00', -1, 1e999 or NULL; a line without a value begins
 * another row. What SQLite refuses has no effect.
 */
#include "app/session/history.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session-image.h"

#include <sqlite3.h>
#include <string.h>

#define MAX_ROWS 8

static SeamHistory *history;
static sqlite3 *db;
static GBytes *content;

static gint64
add_row (void)
{
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
  g_autoptr (GError) error = NULL;

  seam_history_put (history, entry, content, NULL, &error);
  g_assert_no_error (error);
  return entry->id;
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_autofree char *path = NULL;
  g_autoptr (GError) error = NULL;

  fuzz_init ();
  if (fuzz_is_search ()) {
    /* The history is no file, so that most of the time is not spent on writing it. */
    fuzz_session_init ();
    g_assert_cmpint (sqlite3_vfs_register (sqlite3_vfs_find ("memdb"), TRUE), ==, SQLITE_OK);
  }
  path = seam_history_get_path ();
  content = fuzz_session_make_base ("laptop-cpu-gemm-bias-relu.seamscope",
                                    "DELETE FROM survey; DELETE FROM point; DELETE FROM kernel;"
                                    "DELETE FROM difference; DELETE FROM slice; DELETE FROM member;"
                                    "UPDATE plan SET n_kernels = -1;");
  history = seam_history_open (path, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  sqlite3_exec (db, "PRAGMA synchronous = OFF", NULL, NULL, NULL);
  return 0;
}

/* Only a literal: a whole expression could take any time and memory. */
static gboolean
is_literal (const char *value)
{
  gsize n = strlen (value);
  const char *inner = value + (*value == 'x');

  if (g_ascii_strcasecmp (value, "null") == 0)
    return TRUE;
  if (*inner == '\'')
    return strchr (inner + 1, '\'') == value + n - 1;
  return *value != '\0' && strspn (value, "+-.0123456789eE") == n;
}

static void
change (gint64 id, const char *line)
{
  static const char *const columns[] = { "kind",     "pipeline", "outcome", "detail", "device",
                                         "ended_at", "partial",  "wrong",   "saved",  "pinned",
                                         "name",     "bytes",    "content", NULL };
  g_auto (GStrv) words = g_strsplit (line, " ", 2);
  g_autofree char *sql = NULL;

  if (words[0] == NULL || words[1] == NULL
      || !g_strv_contains ((const char *const *)columns, words[0]) || !is_literal (words[1]))
    return;
  sql = g_strdup_printf ("UPDATE entry SET %s = %s WHERE id = %" G_GINT64_FORMAT, words[0],
                         words[1], id);
  sqlite3_exec (db, sql, NULL, NULL, NULL);
}

static void
use (const SeamHistoryEntry *entry)
{
  const char *const texts[] = { entry->pipeline, entry->outcome,  entry->detail,
                                entry->device,   entry->ended_at, entry->name };
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) bytes = seam_history_read (history, entry->id, &error);

  fuzz_check_sentence (bytes != NULL, error);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    fuzz_take_text (g_strdup (texts[i]));
  if (bytes == NULL || (fuzz_is_search () && g_bytes_equal (bytes, content)))
    return;
  g_autoptr (SeamSession) session = seam_session_new ();
  gboolean done = seam_history_unpack (entry, bytes, session, &error);
  fuzz_check_sentence (done, error);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_auto (GStrv) lines = g_strsplit (text, "\n", 64);
  g_autoptr (GPtrArray) entries = NULL;
  g_autoptr (GError) error = NULL;
  gint64 id = add_row ();
  int n_rows = 1;

  sqlite3_exec (db, "BEGIN", NULL, NULL, NULL);
  for (int i = 0; lines[i] != NULL; i++) {
    if (strchr (lines[i], ' ') != NULL) {
      change (id, lines[i]);
    } else if (n_rows++ < MAX_ROWS) {
      sqlite3_exec (db, "COMMIT", NULL, NULL, NULL);
      id = add_row ();
      sqlite3_exec (db, "BEGIN", NULL, NULL, NULL);
    }
  }
  sqlite3_exec (db, "COMMIT", NULL, NULL, NULL);
  g_assert_true (seam_history_has_changed (history) || n_rows > 0);
  entries = seam_history_list (history, &error);
  fuzz_check_sentence (entries != NULL, error);
  for (guint i = 0; entries != NULL && i < entries->len; i++)
    use (entries->pdata[i]);
  if (!fuzz_is_search () || g_str_hash (text) % 64 == 0)
    fuzz_run_command (&seam_command_history, (const char *const[]){ NULL });
  if (!fuzz_is_search () || strstr (text, "bytes ") != NULL) {
    /* Rows that state any size still let the next entry in. */
    seam_history_set_limit (history, 100000);
    add_row ();
    seam_history_set_limit (history, SEAM_HISTORY_MAX_BYTES);
  }
  sqlite3_exec (db, "DELETE FROM entry", NULL, NULL, NULL);
  return 0;
}
