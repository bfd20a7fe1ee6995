/* SPDX-License-Identifier: MIT
 *
 * Session files that are large, that several programs write at once, or that want too much memory:
 * the list of runs is read without their arrays, no appended run is lost, and one bad run does not
 * keep the others from being read. The contents of runs are tested in test-session.c.
 */
#include "app/base/error.h"
#include "app/session/checksum.h"
#include "app/session/session.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zlib.h>

#define MB (1 << 20)

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static SeamSessionRun *
make_run (guint64 seed, int n_plans)
{
  g_autoptr (SeamResult) result = seam_result_new (n_plans);
  SeamSessionRun *run;

  result->pipeline_id = g_strdup ("gemm-bias-relu");
  result->shape = g_strdup ("batch=2");
  result->settings.math_mode = SEAM_MATH_FP32;
  result->settings.seed = seed;
  result->device = seam_device_info_new ("cpu");
  for (int i = 0; i < n_plans; i++) {
    SeamPlanResult *plan = &result->plans[i];
    plan->notation = g_strdup ("matmul|bias|relu");
    plan->state = SEAM_PLAN_MEASURED;
    plan->n_samples = 500;
    plan->samples = g_new0 (SeamSample, plan->n_samples);
    for (int k = 0; k < plan->n_samples; k++)
      plan->samples[k] = (SeamSample){ 1e6 / (k + 1.0 + (double)seed), 1980, k };
  }
  run = seam_session_run_new (result, NULL);
  for (int i = 0; i < n_plans; i++) {
    SeamSlice *slice = seam_slice_new (40, 40);
    for (int k = 0; k < 1600; k++)
      slice->a[k] = slice->b[k] = 1.f / (float)(k + 1);
    seam_session_run_add_slice (run, i, -1, slice);
  }
  return run;
}

static SeamSession *
make_session (guint n_runs)
{
  SeamSession *session = seam_session_new ();

  for (guint i = 0; i < n_runs; i++) {
    g_autoptr (SeamSessionRun) run = make_run (i, 3);
    seam_session_add_run (session, run);
  }
  return session;
}

static SeamSession *
load (const char *path)
{
  g_autoptr (GError) error = NULL;
  SeamSession *session = seam_session_load (path, &error);

  g_assert_no_error (error);
  return session;
}

static void
save (const SeamSession *session, const char *path)
{
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_session_save (session, path, &error));
  g_assert_no_error (error);
}

/* Changes a file behind the program's back. */
static void
edit (const char *path, const char *sql, const void *blob, gsize size)
{
  sqlite3_stmt *statement;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_exec (db, "PRAGMA synchronous = OFF", NULL, NULL, NULL), ==, SQLITE_OK);
  g_assert_cmpint (sqlite3_prepare_v2 (db, sql, -1, &statement, NULL), ==, SQLITE_OK);
  if (blob != NULL)
    sqlite3_bind_blob64 (statement, 1, blob, size, SQLITE_STATIC);
  g_assert_cmpint (sqlite3_step (statement), ==, SQLITE_DONE);
  sqlite3_finalize (statement);
  sqlite3_close (db);
}

/* Makes the file's checksum fit again, and removes those of the runs. */
static void
mend (const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *checksum = NULL;
  sqlite3 *db;

  edit (path, "DELETE FROM meta WHERE \"key\" LIKE 'sha256%'", NULL, 0);
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  checksum = seam_session_make_checksum (db, 1 << 30, &error);
  g_assert_no_error (error);
  sqlite3_close (db);
  edit (path, "INSERT INTO meta VALUES ('sha256', CAST (? AS TEXT))", checksum, strlen (checksum));
}

static void
assert_read (const SeamSession *session, guint i, guint64 seed)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, i, &error);

  g_assert_no_error (error);
  g_assert_cmpuint (run->result->settings.seed, ==, seed);
  g_assert_cmpuint (run->slices->len, ==, (guint)run->result->n_plans);
  g_assert_cmpfloat (run->result->plans[2].samples[499].elapsed_ns, ==,
                     1e6 / (500. + (double)seed));
}

static void
assert_refused (const SeamSession *session, guint i, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, i, &error);
  g_autofree char *begin = g_strdup_printf ("Run %u of ", i + 1);

  g_assert_null (run);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, begin));
  g_assert_nonnull (strstr (error->message, says));
}

/* The largest memory that this process has had, in bytes. */
static gsize
get_peak (void)
{
  struct rusage usage;

  getrusage (RUSAGE_SELF, &usage);
  return (gsize)usage.ru_maxrss * 1024;
}

/* Runs `function` in a process of its own and returns by how many bytes its memory grew. */
static gsize
measure_growth (void (*function) (const char *path), const char *path)
{
  gsize growth = 0;
  int ends[2], status;
  pid_t child;

  g_assert_cmpint (pipe (ends), ==, 0);
  child = fork ();
  g_assert_cmpint (child, >=, 0);
  if (child == 0) {
    gsize before = get_peak ();
    function (path);
    growth = get_peak () - before;
    _exit (write (ends[1], &growth, sizeof growth) == sizeof growth ? 0 : 1);
  }
  waitpid (child, &status, 0);
  g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  g_assert_cmpint (read (ends[0], &growth, sizeof growth), ==, sizeof growth);
  close (ends[0]);
  close (ends[1]);
  return growth;
}

static void
list (const char *path)
{
  g_autoptr (SeamSession) session = load (path);

  for (guint i = 0; i < seam_session_get_n_runs (session); i++) {
    g_autofree char *line = seam_session_describe_run (session, i);
    g_assert_cmpstr (line, ==, "gemm-bias-relu, FP32, cpu, 3 plans");
    g_assert_cmpuint (seam_session_get_heading (session, i)->settings.seed, ==, i % 125);
  }
}

/* A thousand runs are listed without reading any of their arrays, all of which are destroyed
 * here. */
static void
test_many (void)
{
  g_autofree char *path = in_folder ("many" SEAM_SESSION_SUFFIX);
  g_autoptr (SeamSession) session = make_session (125);
  g_autoptr (GError) error = NULL;
  gsize growth;

  save (session, path);
  /* The file's own runs once more: they are copied, which takes less time than packing them. */
  for (int i = 0; i < 3; i++) {
    g_autoptr (SeamSession) half = load (path);
    g_autoptr (SeamSession) whole = seam_session_append (path, half, &error);
    g_assert_no_error (error);
  }
  g_autoptr (SeamSession) loaded = load (path);
  g_assert_cmpuint (seam_session_get_n_runs (loaded), ==, 1000);
  assert_read (loaded, 0, 0);
  assert_read (loaded, 999, 124);
  edit (path, "UPDATE slice SET a = x'00', b = x'00'", NULL, 0);
  edit (path, "UPDATE plan SET samples_elapsed_ns = x'00', samples_order = x'00'", NULL, 0);
  growth = measure_growth (list, path);
  g_test_message ("%" G_GSIZE_FORMAT " kB for the list", growth / 1024);
  g_assert_cmpuint (growth, <, 40 * MB);
  g_autoptr (SeamSession) changed = load (path);
  g_assert_false (seam_session_is_current (loaded));
  assert_refused (changed, 500, "damaged");
}

/* A damaged run says so; the list and the other runs can be read. */
static void
test_damaged_run (void)
{
  g_autofree char *path = in_folder ("damaged" SEAM_SESSION_SUFFIX);
  g_autoptr (SeamSession) session = make_session (3);
  g_autoptr (GError) error = NULL;

  save (session, path);
  edit (path, "UPDATE plan SET message = 'changed' WHERE \"key\" = 5", NULL, 0);
  g_autoptr (SeamSession) loaded = load (path);
  g_assert_cmpuint (seam_session_get_n_runs (loaded), ==, 3);
  assert_read (loaded, 0, 0);
  assert_refused (loaded, 1, "its checksum does not fit");
  assert_read (loaded, 2, 2);
  /* The damaged run is not copied into a file where it would look whole. */
  g_assert_false (seam_session_verify (loaded, &error));
  g_clear_error (&error);
  g_assert_null (seam_session_append (path, session, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
}

/* A block of `size` zeros in the format of blob.h. */
static GByteArray *
make_zeros (guint32 size)
{
  g_autofree guint8 *zeros = g_malloc0 (size);
  uLongf length = compressBound (size);
  GByteArray *blob = g_byte_array_sized_new ((guint)(8 + length));
  guint32 little = GUINT32_TO_LE (size);

  g_byte_array_set_size (blob, (guint)(8 + length));
  memset (blob->data, 0, 8);
  blob->data[0] = blob->data[1] = 1;
  memcpy (blob->data + 4, &little, sizeof little);
  g_assert_cmpint (compress2 (blob->data + 8, &length, zeros, size, 1), ==, Z_OK);
  g_byte_array_set_size (blob, (guint)(8 + length));
  return blob;
}

static void
add_member (const char *path, const char *name, const GByteArray *blob)
{
  g_autofree char *sql = g_strdup_printf (
      "INSERT INTO member (owner, \"row\", name, type, value) VALUES ('run', 1, '%s', 'ay', ?)",
      name);

  for (int i = 0; i < 5; i++)
    edit (path, sql, blob->data, blob->len);
}

static void
read_first (const char *path)
{
  g_autoptr (SeamSession) session = load (path);

  assert_read (session, 0, 0);
}

/* 300 MB in a file of 1.4 MB: skipped if no reader knows the member's name, else the run is
 * refused. */
static void
test_large_members (void)
{
  g_autofree char *path = in_folder ("large" SEAM_SESSION_SUFFIX);
  g_autoptr (SeamSession) session = make_session (2);
  g_autoptr (GByteArray) zeros = make_zeros (60 * MB);
  gsize growth;

  save (session, path);
  add_member (path, "unheard-of", zeros);
  mend (path);
  growth = measure_growth (read_first, path);
  g_test_message ("%" G_GSIZE_FORMAT " kB with members that nobody knows", growth / 1024);
  g_assert_cmpuint (growth, <, 40 * MB);
  add_member (path, "code", zeros);
  mend (path);
  g_autoptr (SeamSession) loaded = load (path);
  assert_refused (loaded, 0, "256 MB");
  assert_read (loaded, 1, 1);
}

/* The program saves nothing that it could not read again. */
static void
test_unreadable (void)
{
  g_autofree char *path = in_folder ("unreadable" SEAM_SESSION_SUFFIX);
  g_autoptr (SeamSession) session = make_session (2);
  g_autoptr (SeamSession) more = seam_session_new ();
  g_autoptr (SeamSessionRun) run = make_run (1, 300);
  g_autoptr (GError) error = NULL;

  save (session, path);
  seam_session_add_run (more, run);
  g_assert_null (seam_session_append (path, more, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, path));
  g_clear_error (&error);
  g_assert_false (seam_session_save (more, path, &error));
  g_autoptr (SeamSession) loaded = load (path);
  g_assert_cmpuint (seam_session_get_n_runs (loaded), ==, 2);
}

/* Programs append at the same time. */
static void
test_appenders (void)
{
  g_autofree char *path = in_folder ("appended" SEAM_SESSION_SUFFIX);
  g_autoptr (GDir) dir = NULL;
  pid_t children[20];
  gboolean found[20] = { FALSE };
  const char *name;

  for (guint i = 0; i < G_N_ELEMENTS (children); i++) {
    children[i] = fork ();
    g_assert_cmpint (children[i], >=, 0);
    if (children[i] == 0) {
      g_autoptr (SeamSession) more = seam_session_new ();
      g_autoptr (SeamSessionRun) run = make_run (i, 3);
      seam_session_add_run (more, run);
      g_autoptr (SeamSession) whole = seam_session_append (path, more, NULL);
      guint n = whole != NULL ? seam_session_get_n_runs (whole) : 0;
      /* The last run is the process's own, whatever the others do. */
      _exit (n > 0 && seam_session_get_heading (whole, n - 1)->settings.seed == i ? 0 : 1);
    }
  }
  for (guint i = 0; i < G_N_ELEMENTS (children); i++) {
    int status;
    waitpid (children[i], &status, 0);
    g_assert_true (WIFEXITED (status) && WEXITSTATUS (status) == 0);
  }
  g_autoptr (SeamSession) loaded = load (path);
  g_assert_cmpuint (seam_session_get_n_runs (loaded), ==, G_N_ELEMENTS (children));
  for (guint i = 0; i < G_N_ELEMENTS (children); i++) {
    guint64 seed = seam_session_get_heading (loaded, i)->settings.seed;
    assert_read (loaded, i, seed);
    found[seed] = TRUE;
  }
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    g_assert_true (found[i]);
  /* Neither locks nor temporary files remain. */
  dir = g_dir_open (folder, 0, NULL);
  while ((name = g_dir_read_name (dir)) != NULL)
    g_assert_false (g_str_has_prefix (name, ".seamscope-"));
}

/* A session knows whether its file has changed since, and stays readable if it has. */
static void
test_current (void)
{
  g_autofree char *path = in_folder ("current" SEAM_SESSION_SUFFIX);
  g_autoptr (SeamSession) session = make_session (2);
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_session_is_current (session));
  save (session, path);
  g_autoptr (SeamSession) first = load (path);
  g_assert_true (seam_session_is_current (first));
  g_autoptr (SeamSession) second = seam_session_append (path, session, &error);
  g_assert_no_error (error);
  g_assert_cmpuint (seam_session_get_n_runs (second), ==, 4);
  g_assert_true (seam_session_is_current (second));
  g_assert_false (seam_session_is_current (first));
  assert_read (first, 1, 1);
  assert_read (second, 3, 1);
  g_unlink (path);
  g_assert_false (seam_session_is_current (second));
  assert_read (second, 2, 0);
  /* Another file starts with the runs of this one, copied as they are. */
  g_autoptr (SeamSession) longer = seam_session_extend (second);
  g_autoptr (SeamSessionRun) run = make_run (7, 3);
  seam_session_add_run (longer, run);
  save (longer, path);
  g_autoptr (SeamSession) third = load (path);
  g_assert_cmpuint (seam_session_get_n_runs (third), ==, 5);
  assert_read (third, 0, 0);
  assert_read (third, 4, 7);
  g_assert_true (seam_session_verify (third, &error));
}

static void
remove_folder (void)
{
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = in_folder (name);
    g_unlink (path);
  }
  g_rmdir (folder);
  g_free (folder);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  folder = g_dir_make_tmp ("seam-session-XXXXXX", NULL);
  g_test_add_func ("/session-file/many", test_many);
  g_test_add_func ("/session-file/damaged-run", test_damaged_run);
  g_test_add_func ("/session-file/large-members", test_large_members);
  g_test_add_func ("/session-file/unreadable", test_unreadable);
  g_test_add_func ("/session-file/appenders", test_appenders);
  g_test_add_func ("/session-file/current", test_current);
  status = g_test_run ();
  remove_folder ();
  return status;
}
