/* SPDX-License-Identifier: MIT
 *
 * The history: every run is in the list "Runs" from the moment it ends, survives the window, and
 * can be shown, compared, pinned, named, saved and removed. A recorded result is only viewed: it
 * does not change the chosen settings, and there is a way back.
 */
#include "app/runner/runner.h"
#include "app/session/history.h"
#include "tests/core/extent.h"
#include "tests/ui/window-fixture.h"
#include "ui/state/history-list.h"

#include <glib/gstdio.h>
#include <signal.h>
#include <sqlite3.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define BACK     "^Back to your settings$"
#define RECORDED "^Recorded run from the history, "
#define SEED     "^Seed$"
#define A_RUN    "^gemm-bias-relu, .*unfused, published"

/* The names of the list's rows, from the top. */
static GStrv
read_rows (void)
{
  g_autoptr (GPtrArray) rows =
      ui_list (NULL, "unfused, published|Kept| partitions\n", GTK_TYPE_LIST_BOX_ROW);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < rows->len; i++) {
    g_autofree char *name = ui_get_name (rows->pdata[i]);
    g_strv_builder_add (names, name);
  }
  return g_strv_builder_end (names);
}

static gboolean
has_n_rows (gpointer data)
{
  g_auto (GStrv) rows = read_rows ();

  return g_strv_length (rows) == GPOINTER_TO_UINT (data);
}

static void
wait_for_rows (guint n)
{
  g_autofree char *what = g_strdup_printf ("%u entries of the history", n);

  ui_wait (what, has_n_rows, GUINT_TO_POINTER (n));
}

static char *
read_seed (void)
{
  return g_strdup (gtk_editable_get_text (GTK_EDITABLE (ui_see (SEED, GTK_TYPE_ENTRY))));
}

static gboolean
is_seed (gpointer data)
{
  g_autofree char *seed = read_seed ();

  return strcmp (seed, data) == 0;
}

static void
run_with_seed (const char *seed, guint n_rows)
{
  ui_type (ui_see (SEED, GTK_TYPE_ENTRY), seed);
  ui_wait_for_run ();
  ui_press ("<Control>r");
  wait_for_rows (n_rows);
  ui_wait_for_run ();
}

static GtkWidget *
get_row (guint i)
{
  g_autoptr (GPtrArray) rows = ui_list (NULL, "unfused, published|Kept", GTK_TYPE_LIST_BOX_ROW);

  g_assert_cmpuint (i, <, rows->len);
  return rows->pdata[i];
}

/* The list is below the settings, and the wheel over it scrolls the sidebar. */
static void
check_place (void)
{
  GtkWidget *row = get_row (0), *seed = ui_see (SEED, GTK_TYPE_ENTRY);
  GtkWidget *scroller = gtk_widget_get_ancestor (row, GTK_TYPE_SCROLLED_WINDOW);
  graphene_rect_t of_row, of_seed;

  g_assert_true (scroller == gtk_widget_get_ancestor (seed, GTK_TYPE_SCROLLED_WINDOW));
  g_assert_true (gtk_widget_compute_bounds (row, scroller, &of_row));
  g_assert_true (gtk_widget_compute_bounds (seed, scroller, &of_seed));
  g_assert_cmpfloat (of_row.origin.y, >, of_seed.origin.y);
}

static gint64
get_id (guint i)
{
  return *(gint64 *)g_object_get_data (G_OBJECT (get_row (i)), "id");
}

/* A second run adds a row; the newest is on top; a later window has all of them; an older one
 * can be shown. */
static void
test_is_kept (void)
{
  g_autofree char *own = NULL;

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  run_with_seed ("5", 1);
  run_with_seed ("6", 2);
  ui_see ("^✓ .* •$", GTK_TYPE_LABEL);
  ui_close ();

  ui_open (NULL);
  wait_for_rows (2);
  check_place ();
  ui_click (ui_see ("^Last run [0-9]", GTK_TYPE_BUTTON));
  ui_wait ("the seed of the last run", is_seed, (gpointer) "6");
  ui_click (ui_see (BACK, GTK_TYPE_BUTTON));
  /* Another pipeline has none. */
  ui_click (ui_see ("^conv-relu-bias:", GTK_TYPE_LIST_BOX_ROW));
  ui_miss ("^Last run [0-9]", GTK_TYPE_BUTTON);
  ui_click (ui_see ("^gemm-bias-relu: ", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^Last run [0-9]", GTK_TYPE_BUTTON);
  ui_type (ui_see (SEED, GTK_TYPE_ENTRY), "9");
  ui_click (get_row (1));
  ui_see (RECORDED, GTK_TYPE_LABEL);
  ui_wait ("the seed of the first run", is_seed, (gpointer) "5");
  ui_click (get_row (0));
  ui_wait ("the seed of the second run", is_seed, (gpointer) "6");
  ui_see ("^From the history, ", GTK_TYPE_LABEL);
  ui_click (ui_see (BACK, GTK_TYPE_BUTTON));
  ui_wait ("the person's own seed", is_seed, (gpointer) "9");
  ui_miss (RECORDED, GTK_TYPE_LABEL);
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);

  /* A window that is closed while it shows a recorded result remembers the person's own
   * settings. */
  ui_click (get_row (1));
  ui_wait ("the seed of the first run", is_seed, (gpointer) "5");
  ui_close ();
  ui_open (NULL);
  own = read_seed ();
  g_assert_cmpstr (own, ==, "9");
  ui_close ();
}

/* The result measured here returns when the recorded one is closed. A run in the view uses the
 * recorded settings and does not change one's own. */
static void
test_view (void)
{
  g_autofree char *sample = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                              "laptop-cpu-gemm-bias-relu.seamscope", NULL);
  g_autofree char *uri = g_filename_to_uri (sample, NULL, NULL);
  g_autofree char *action = g_strdup_printf ("win.open-recent('%s')", uri);

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  run_with_seed ("5", 1);
  ui_activate (action);
  ui_see ("^Recorded run from laptop-cpu-gemm-bias-relu.seamscope$", GTK_TYPE_LABEL);
  ui_wait ("the seed of the sample", is_seed, (gpointer) "1");
  ui_click (ui_see (BACK, GTK_TYPE_BUTTON));
  ui_wait ("the person's own seed", is_seed, (gpointer) "5");
  ui_see ("^B published against A unfused$", GTK_TYPE_LABEL);
  ui_miss ("changed since this run", GTK_TYPE_LABEL);
  ui_miss ("^From ", GTK_TYPE_LABEL);

  /* With another pipeline, the person continues with their own settings. */
  ui_activate (action);
  ui_wait ("the seed of the sample", is_seed, (gpointer) "1");
  ui_click (ui_see ("^conv-relu-bias:", GTK_TYPE_LIST_BOX_ROW));
  ui_wait ("the person's own seed", is_seed, (gpointer) "5");
  ui_miss (BACK, GTK_TYPE_BUTTON);

  ui_click (get_row (0));
  ui_see (RECORDED, GTK_TYPE_LABEL);
  ui_type (ui_see (SEED, GTK_TYPE_ENTRY), "8");
  ui_wait_for_run ();
  ui_press ("<Control>r");
  wait_for_rows (2);
  ui_see ("^Measured here, with the settings from the history", GTK_TYPE_LABEL);
  ui_click (ui_see (BACK, GTK_TYPE_BUTTON));
  ui_wait ("the person's own seed", is_seed, (gpointer) "5");
  ui_close ();
}

static gboolean
is_top (gpointer id)
{
  return get_id (0) == *(gint64 *)id;
}

static void
test_marks (void)
{
  gint64 first, second;

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  run_with_seed ("5", 1);
  run_with_seed ("6", 2);
  first = get_id (1);
  second = get_id (0);
  ui_activate_with ("win.history-rename", g_variant_new ("(xs)", first, "Kept as baseline"));
  ui_activate_with ("win.history-pin", g_variant_new_int64 (first));
  /* The name does not take the place of pipeline and time. */
  ui_see ("^Kept as baseline: [^\n]*\ngemm-bias-relu, [0-9]", GTK_TYPE_LIST_BOX_ROW);
  /* A row says what tells it from other runs of the pipeline. */
  ui_see ("^unfused, published · N 6, 16→12 · FP32$", GTK_TYPE_LABEL);
  /* Pinned entries come first. */
  ui_wait ("the pinned entry on top", is_top, &first);
  ui_activate_with ("win.compare-entry", g_variant_new_int64 (first));
  ui_see ("^A: .* seed 6", GTK_TYPE_LABEL);
  ui_see ("^B: .* seed 5", GTK_TYPE_LABEL);
  ui_turn_to ("Compare runs");
  gtk_window_close (GTK_WINDOW (gtk_widget_get_root (ui_see ("^B: .* seed 5", GTK_TYPE_LABEL))));
  ui_miss ("^B: .* seed 5", GTK_TYPE_LABEL);

  ui_activate_with ("win.history-remove", g_variant_new_int64 (second));
  ui_see ("no session file holds it", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Remove$", GTK_TYPE_BUTTON));
  wait_for_rows (1);
  g_assert_cmpint (get_id (0), ==, first);
  ui_close ();
}

/* Chosen entries are saved in a file, with their names as notes. */
static void
test_saves (void)
{
  g_autofree char *path = NULL;

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  run_with_seed ("5", 1);
  run_with_seed ("6", 2);
  ui_activate_with ("win.history-rename", g_variant_new ("(xs)", get_id (0), "Kept with a name"));
  ui_press ("<Control>s");
  ui_see ("^Save which results[?]$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^gemm-bias-relu, .*: ", GTK_TYPE_CHECK_BUTTON));
  ui_see ("^Kept with a name: ", GTK_TYPE_CHECK_BUTTON);
  ui_click (ui_see ("^Cancel$", GTK_TYPE_BUTTON));
  ui_miss ("^Save which results", GTK_TYPE_LABEL);
  path = ui_write ("save-to", "kept.seamscope");
  ui_see ("^Saved 2 runs in kept.seamscope$", GTK_TYPE_LABEL);
  /* The dot has gone, because a file holds the run. */
  ui_see ("^✓ [^•]*$", GTK_TYPE_LABEL);
  ui_close ();

  ui_open ((const char *[]){ path, NULL });
  ui_choose (ui_see ("^Run of the session$", GTK_TYPE_DROP_DOWN), "Kept with a name");
  ui_wait ("its seed", is_seed, (gpointer) "6");
  ui_close ();
}

/* When a worker dies, earlier measurements stay. */
static void
test_worker_lost (void)
{
  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  run_with_seed ("5", 1);
  ui_type (ui_see (SEED, GTK_TYPE_ENTRY), "6");
  /* Enough for the warm-up and some samples. */
  ui_hold_after (2000);
  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see ("^[1-9][0-9]* samples", GTK_TYPE_LABEL);
  ui_kill_worker ();
  ui_hold (FALSE);
  ui_see ("^The worker stopped", GTK_TYPE_LABEL);
  wait_for_rows (2);
  ui_see ("stopped early: ", GTK_TYPE_LIST_BOX_ROW);
  ui_click (get_row (1));
  ui_wait ("the seed of the first run", is_seed, (gpointer) "5");
  ui_see ("^From the history, ", GTK_TYPE_LABEL);
  ui_close ();
}

static void
forget_history (void)
{
  g_autofree char *path = seam_history_get_path ();
  g_autofree char *log = g_strconcat (path, "-wal", NULL);
  g_autofree char *index = g_strconcat (path, "-shm", NULL);

  g_unlink (path);
  g_unlink (log);
  g_unlink (index);
}

static void
message_cb (SeamNotices *notices, SeamMessageKind kind, const char *title, const char *text,
            GString *said)
{
  g_string_append_printf (said, "%s%.30s", kind == SEAM_MESSAGE_OVER ? " − " : " + ", title);
}

static gpointer
unlock_soon (gpointer db)
{
  g_usleep (G_USEC_PER_SEC / 5);
  sqlite3_close (db);
  return NULL;
}

/* A locked history delays nothing for long. The list says so, keeps what is measured, and writes it
 * once the lock is gone, which it says, too; if that is soon, without a word. */
static void
try_locked (SeamResult *result)
{
  g_autofree char *path = seam_history_get_path ();
  g_autoptr (SeamNotices) notices = seam_notices_new ();
  g_autoptr (GString) said = g_string_new (NULL);
  g_autoptr (SeamHistoryList) list = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run = seam_session_run_new (result, NULL);
  g_autoptr (SeamHistoryEntry) entry = NULL;
  gint64 start;
  sqlite3 *db;

  forget_history ();
  seam_history_free (seam_history_open (path, NULL, &error));
  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db,
                                 "PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE;"
                                 "DELETE FROM entry",
                                 NULL, NULL, NULL),
                   ==, SQLITE_OK);
  start = g_get_monotonic_time ();
  g_signal_connect (notices, "message", G_CALLBACK (message_cb), said);
  list = seam_history_list_new (notices);
  seam_history_list_refresh (list);
  entry = seam_history_list_add_run (list, run);
  seam_history_list_flush (list);
  g_assert_cmpint (g_get_monotonic_time () - start, <, 2 * G_USEC_PER_SEC);
  g_assert_true (seam_history_list_is_lost (list, entry->id));
  sqlite3_close (db);
  seam_history_list_refresh (list);
  seam_history_list_flush (list);
  g_assert_cmpuint (seam_history_list_count_lost (list), ==, 0);
  g_assert_cmpuint (seam_history_list_get (list)->len, ==, 1);
  g_assert_cmpint (((SeamHistoryEntry *)seam_history_list_get (list)->pdata[0])->id, >, 0);
  g_assert_cmpstr (said->str, ==,
                   " + The history cannot be read. + The result is not in the histo"
                   " − The result is not in the histo − The history cannot be read.");

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "BEGIN IMMEDIATE", NULL, NULL, NULL), ==, SQLITE_OK);
  g_string_truncate (said, 0);
  g_autoptr (SeamHistoryEntry) second = seam_history_list_add_run (list, run);
  GThread *thread = g_thread_new ("unlock", unlock_soon, db);
  seam_history_list_flush (list);
  g_thread_join (thread);
  g_assert_cmpint (second->id, >, 0);
  g_assert_cmpstr (said->str, ==, "");
}

/* Adds runs and their details, as the window does, and tells each id once it is written. */
static void
write_until_killed (SeamResult *result, int told)
{
  g_autoptr (SeamNotices) notices = seam_notices_new ();
  g_autoptr (SeamHistoryList) list = seam_history_list_new (notices);

  for (;;) {
    g_autoptr (SeamSessionRun) run = seam_session_run_new (result, "with its details");
    g_autoptr (SeamHistoryEntry) entry = seam_history_list_add_run (list, run);

    seam_history_list_flush (list);
    if (entry->id <= 0 || write (told, &entry->id, sizeof entry->id) != sizeof entry->id)
      _exit (1);
  }
}

static gint64
query (sqlite3 *db, const char *sql)
{
  sqlite3_stmt *statement;
  gint64 value;

  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_ROW);
  value = sqlite3_column_int64 (statement, 0);
  sqlite3_finalize (statement);
  return value;
}

/* The entries are those with the ids 1 to the returned one, and each is a whole run. */
static gint64
check_whole (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamHistory) history = seam_history_open (path, NULL, &error);
  gint64 newest, n;
  sqlite3 *db;

  g_assert_no_error (error);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (query (db, "SELECT integrity_check = 'ok' FROM pragma_integrity_check"), ==, 1);
  newest = query (db, "SELECT total (seq) FROM sqlite_sequence");
  n = query (db, "SELECT count (*) FROM entry");
  sqlite3_close (db);
  g_assert_cmpint (n, ==, newest);
  if (n == 0)
    return 0;
  g_autoptr (GBytes) content = seam_history_read (history, newest, &error);
  g_autoptr (SeamSession) session = seam_session_from_bytes (content, "the entry", &error);
  g_assert_no_error (error);
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, 0, &error);
  g_assert_no_error (error);
  return newest;
}

/* A kill at any moment, every second one only after the first run of the child, loses at most the
 * run that is being written. */
static void
try_killed (SeamResult *result)
{
  const int n_kills = extent_is_all () ? 200 : G_MAXINT;
  gint64 end = g_get_monotonic_time () + 3 * G_USEC_PER_SEC, written = 0;
  g_autofree char *path = seam_history_get_path ();
  int k;

  /* A child would wait for the parent's idle threads, which it does not have. */
  g_thread_pool_set_max_unused_threads (0);
  while (g_thread_pool_get_num_unused_threads () > 0)
    g_usleep (1000);
  for (k = 0; k < n_kills && (extent_is_all () || g_get_monotonic_time () < end); k++) {
    gint64 id;
    int ends[2];
    pid_t child;

    g_assert_cmpint (pipe (ends), ==, 0);
    child = fork ();
    g_assert_cmpint (child, >=, 0);
    if (child == 0)
      write_until_killed (result, ends[1]);
    close (ends[1]);
    if (k % 2 == 0)
      g_assert_cmpint (read (ends[0], &written, sizeof written), ==, sizeof written);
    g_usleep (2000 + (gulong)g_random_int_range (0, 40000));
    g_assert_cmpint (waitpid (child, NULL, WNOHANG), ==, 0);
    kill (child, SIGKILL);
    waitpid (child, NULL, 0);
    while (read (ends[0], &id, sizeof id) == sizeof id) {
      g_assert_cmpint (id, >, written);
      written = id;
    }
    close (ends[0]);
    id = check_whole (path);
    g_assert_cmpint (id, >=, written);
    written = id;
  }
  g_test_message ("%d kills, %" G_GINT64_FORMAT " runs written", k, written);
  g_assert_cmpint (written, >=, k / 2);
}

/* A plan that cannot run does not make its run a stopped one. */
static void
test_plan_without_run (void)
{
  static const char *const plans[] = { "unfused", "published", "matmul@generated|bias|relu", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamNotices) notices = seam_notices_new ();
  g_autoptr (SeamHistoryList) list = seam_history_list_new (notices);

  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cpu");
  memcpy (request->values, seam_pipeline_get_preset (pipeline, "tiny", &error)->values,
          sizeof request->values);
  request->settings.budget_s = 0.05;
  g_autoptr (SeamResult) result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (result->plans[2].state, ==, SEAM_PLAN_NOT_MEASURED);
  for (int i = 0; i < 3; i++) {
    result->stopped = i == 1;
    if (i == 2)
      result->plans[1].state = SEAM_PLAN_FAULTED; /* the device was lost in it */
    g_autoptr (SeamSessionRun) run = seam_session_run_new (result, NULL);
    g_autoptr (SeamHistoryEntry) entry = seam_history_list_add_run (list, run);
    seam_history_list_flush (list);
    g_assert_cmpint (seam_history_list_find (list, entry->id)->partial, ==, i > 0);
    seam_history_list_change (list, entry->id, SEAM_CHANGE_REMOVE, NULL);
  }
  g_clear_object (&list);
  forget_history ();
  try_killed (result);
  try_locked (result);
}

/* If the history cannot be written, the window says so at once, and again before it closes. */
static void
test_not_written (void)
{
  g_autofree char *path = ui_path ("state/seamscope/history.db");
  g_autofree char *folder = g_path_get_dirname (path);

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  ui_close ();
  g_unlink (path);
  g_assert_cmpint (g_mkdir_with_parents (path, 0700), ==, 0);
  ui_open (NULL);
  run_with_seed ("5", 1);
  ui_see ("The result is not in the history", GTK_TYPE_LABEL);
  ui_see ("Not on the disk", GTK_TYPE_LIST_BOX_ROW);
  ui_press ("<Control>q");
  ui_see ("^Save before closing[?]$", GTK_TYPE_LABEL);
  ui_see ("^gemm-bias-relu, ", GTK_TYPE_LABEL);
  ui_click (ui_see ("^Cancel$", GTK_TYPE_BUTTON));
  ui_miss ("^Save before closing", GTK_TYPE_LABEL);
  /* When there is room again, it is written, and the message goes. */
  g_assert_cmpint (g_rmdir (path), ==, 0);
  ui_miss ("The result is not in the history", GTK_TYPE_LABEL);
  ui_miss ("Not on the disk", GTK_TYPE_LIST_BOX_ROW);
  run_with_seed ("6", 2);
  ui_close ();
  ui_open (NULL);
  wait_for_rows (2);
  ui_close ();
}

/* A second window uses the same file. Its entries come and go in this one's list, and what is shown
 * here stays: the view, the row with the focus and an open menu. */
static void
test_other_window (void)
{
  g_autoptr (SeamHistoryEntry) entry = seam_history_entry_new (SEAM_ENTRY_RUN);
  g_autofree char *path = NULL;
  g_autoptr (SeamHistory) other = NULL;
  g_autoptr (GBytes) content = NULL;
  GtkWidget *row;

  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  path = ui_path ("state/seamscope/history.db");
  run_with_seed ("5", 1);
  row = get_row (0);
  ui_click (row);
  ui_see (RECORDED, GTK_TYPE_LABEL);
  gtk_widget_grab_focus (row);
  ui_click (ui_see ("^Menu of gemm-bias-relu", GTK_TYPE_BUTTON));
  ui_see ("^Pin$", GTK_TYPE_WIDGET);

  other = seam_history_open (path, NULL, NULL);
  content = seam_history_read (other, get_id (0), NULL);
  entry->pipeline = g_strdup ("gemm-bias-relu");
  entry->outcome = g_strdup ("2.50× faster");
  entry->detail = g_strdup ("unfused, published, of another window");
  g_assert_true (seam_history_put (other, entry, content, NULL, NULL));
  wait_for_rows (2);
  g_assert_cmpint (get_id (0), ==, entry->id);
  g_assert_true (get_row (1) == row);
  g_assert_true (gtk_widget_get_mapped (ui_see ("^Pin$", GTK_TYPE_WIDGET)));
  ui_see (RECORDED, GTK_TYPE_LABEL);

  g_assert_true (seam_history_change (other, entry->id, SEAM_CHANGE_REMOVE, NULL, NULL));
  wait_for_rows (1);
  g_assert_true (get_row (0) == row);
  /* The row goes while its menu is open. */
  g_assert_true (seam_history_change (other, get_id (0), SEAM_CHANGE_REMOVE, NULL, NULL));
  wait_for_rows (0);
  ui_see (RECORDED, GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  /* Without a window so far: this one forks. */
  g_test_add_func ("/history/plan-without-run", test_plan_without_run);
  g_test_add_func ("/history/is-kept", test_is_kept);
  g_test_add_func ("/history/view", test_view);
  g_test_add_func ("/history/marks", test_marks);
  g_test_add_func ("/history/saves", test_saves);
  g_test_add_func ("/history/worker-lost", test_worker_lost);
  g_test_add_func ("/history/not-written", test_not_written);
  g_test_add_func ("/history/other-window", test_other_window);
  return ui_run ();
}
