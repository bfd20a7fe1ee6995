/* SPDX-License-Identifier: MIT
 *
 * Sessions: a file gives back what was saved, bit by bit; any other file is refused in a sentence;
 * nothing that happens during a save damages the old file.
 */
#include "app/base/error.h"
#include "app/session/blob.h"
#include "app/session/checksum.h"
#include "app/session/session.h"

#include <glib/gstdio.h>
#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static char *folder;

static char *
in_folder (const char *name)
{
  return g_build_filename (folder, name, NULL);
}

static void
fill_plan (SeamPlanResult *plan, int index, int n_samples)
{
  SeamDifferenceSpec spec = { 37, 11, 6, 3, 2, 1e-4, 1e-5 };

  plan->name = index == 1 ? NULL : g_strdup (index == 0 ? "unfused" : "as-published");
  plan->notation = g_strdup ("conv+conv_bias|relu+bias");
  plan->executed = g_strdup ("conv+conv_bias@cudnn|relu+bias@generated");
  plan->exhibit = index == 2;
  plan->state = index == 1 ? SEAM_PLAN_STOPPED_EARLY : SEAM_PLAN_MEASURED;
  plan->message = index == 1 ? g_strdup ("“Stop” – nach 5 Proben; 一") : NULL;
  plan->n_groups = 2;
  plan->tiles = g_new0 (SeamTile, 2);
  plan->tiles[0].kind = SEAM_TILE_LIBRARY;
  plan->tiles[1] = (SeamTile){ .kind = SEAM_TILE_RUN, .rows = 1, .columns = 1, .run = 1024 };
  plan->n_samples = n_samples;
  plan->samples = g_new0 (SeamSample, n_samples);
  for (int i = 0; i < n_samples; i++)
    plan->samples[i] = (SeamSample){ 1e6 / 3 + i * .1, i % 7 == 0 ? NAN : 1980, 3 * i + index };
  plan->median_ns = 1e6 / 3;
  plan->ci_low_ns = index == 1 ? NAN : 1e6 / 3.1;
  plan->ci_high_ns = INFINITY;
  seam_plan_result_summarise (plan); /* as in every plan that is read */
  plan->n_traces = 10;
  plan->n_launches = plan->n_records = 2;
  plan->n_rejected = index;
  plan->bytes = 1.06e9;
  plan->flop = -0.0;
  plan->stable = index != 2;
  if (index != 1) {
    plan->n_kernels = 2;
    plan->kernels = g_new0 (SeamKernel, 2);
    for (int k = 0; k < 2; k++) {
      SeamKernel *kernel = &plan->kernels[k];

      seam_kernel_init (kernel);
      kernel->name = g_strdup ("void f<int, 3>(float const*)");
      kernel->short_name = g_strdup ("conv2d");
      kernel->group = kernel->first_op = k;
      kernel->last_op = k + 1;
      kernel->implementation = g_strdup ("cudnn");
      kernel->is_copy = k == 1;
      kernel->median_ns = 1e5 / 7;
      kernel->start_ns = k * 2e5 / 7;
      kernel->bytes = k == 0 ? NAN : 4096;
      kernel->n_samples = 10 * k;
      kernel->samples_ns = g_new (double, 10);
      for (int i = 0; i < 10; i++)
        kernel->samples_ns[i] = 1e5 / (7 + i);
      if (k == 1) {
        kernel->starts_ns = g_new (double, 10);
        for (int i = 0; i < 10; i++)
          kernel->starts_ns[i] = 1e5 / 3 + i;
        kernel->dram_bytes_read = 1e9 / 3;
        kernel->occupancy_percent = 62.5;
      }
      kernel->registers = k == 0 ? -1 : 168;
      kernel->shared_bytes = k == 0 ? -1 : 232448;
      kernel->grid[0] = 132 + k;
      kernel->block[2] = 64;
    }
  }
  if (index > 0) {
    plan->difference = seam_difference_new (&spec);
    plan->difference->n_failing = 17 + index;
    plan->difference->max_abs = 3.3;
    plan->difference->worst_index = 100;
    plan->difference->worst_a = -0.0;
    plan->difference->worst_b = NAN;
    /* The second plan has none, as in a file of format 1.0. */
    if (index == 1) {
      plan->difference->n_worst = 2;
      plan->difference->worst[0] = (SeamWorstElement){ 100, -0.0, NAN };
      plan->difference->worst[1] = (SeamWorstElement){ 7, 1.5, -INFINITY };
      plan->difference->histogram = g_new0 (gint64, SEAM_HISTOGRAM_BINS);
      plan->difference->histogram[17] = 2000;
    }
    for (gint64 i = 0; i < 13 * 6; i++) {
      plan->difference->cells[i] = i == 5 ? NAN : (float)sin ((double)i + index);
      plan->difference->failing[i] = i == 7 ? G_MAXUINT32 : (guint32)(i % 3);
    }
  }
}

static SeamResult *
make_result (int n_samples)
{
  SeamResult *result = seam_result_new (3);

  result->pipeline_id = g_strdup ("conv-relu-bias");
  result->pipeline_text = g_strdup ("[pipeline]\ntitle=…\n");
  result->shape = g_strdup ("batch=2,in_channels=3");
  result->shape_text = g_strdup ("N 2, C 3→K 4");
  result->n_values = 2;
  result->values = g_new (gint64, 2);
  result->values[0] = 2;
  result->values[1] = G_MAXINT64;
  result->settings.seed = G_MAXUINT64;
  result->settings.distribution = SEAM_DISTRIBUTION_UNIFORM;
  result->settings.math_mode = SEAM_MATH_TF32;
  result->settings.cold = TRUE;
  result->settings.launch = SEAM_LAUNCH_GRAPH;
  result->settings.budget_s = 0.1;
  result->settings.against = g_strdup ("unfused");
  result->settings.atol = 1e-4;
  result->settings.rtol = -0.0;
  result->device = seam_device_info_new ("cuda:0");
  result->device->name = g_strdup ("NVIDIA H200");
  seam_device_info_set_chip (result->device, "GPU-a");
  result->device->memory_total = 150123456789;
  result->device->bytes_per_s = 4.1e12;
  result->device->compute_capability = g_strdup ("9.0");
  result->program_version = g_strdup ("0.1.0");
  result->started_at = g_strdup ("2026-11-21T12:00:00Z");
  result->under_load = TRUE;
  result->power_w = 512.25;
  result->floor_ns = 1e6 / 9;
  result->duration_s = 12;
  result->foreign_load = 0.43;
  result->against = 0;
  for (int i = 0; i < 3; i++)
    fill_plan (&result->plans[i], i, i == 1 ? 0 : n_samples);
  return result;
}

static SeamSessionRun *
make_run (int n_samples)
{
  g_autoptr (SeamResult) result = make_result (n_samples);
  SeamSessionRun *run = seam_session_run_new (result, "for the lecture: “before”");

  for (int i = 1; i < 3; i++) {
    SeamSlice *slice = seam_slice_new (5, 8);
    slice->sample = i;
    slice->first_row = 10;
    slice->first_column = 20;
    for (int j = 0; j < 40; j++) {
      slice->a[j] = j == 3 ? NAN : (float)cos (j);
      slice->b[j] = (float)j * -0.0f;
    }
    seam_session_run_add_slice (run, i, i == 1 ? 0 : -1, slice);
  }
  return run;
}

/* A session of two runs. */
static SeamSession *
make_session (int n_samples)
{
  SeamSession *session = seam_session_new ();

  for (int i = 0; i < 2; i++) {
    g_autoptr (SeamSessionRun) run = make_run (n_samples + i);
    seam_session_add_run (session, run);
  }
  return session;
}

/* All contents of a run as bytes: the variant with the grids, and the slices. */
static GBytes *
dump_run (const SeamSessionRun *run)
{
  GByteArray *dump = g_byte_array_new ();
  g_autoptr (GVariant) result = g_variant_ref_sink (seam_result_to_variant (run->result, TRUE));

  g_byte_array_append (dump, g_variant_get_data (result), (guint)g_variant_get_size (result));
  for (guint i = 0; i < run->slices->len; i++) {
    const SeamSessionSlice *kept = g_ptr_array_index (run->slices, i);
    g_autoptr (GVariant) slice =
        g_variant_ref_sink (seam_record_to_variant (&seam_slice_type, kept->slice, TRUE));
    g_byte_array_append (dump, (const guint8 *)&kept->plan, 2 * sizeof (int));
    g_byte_array_append (dump, g_variant_get_data (slice), (guint)g_variant_get_size (slice));
  }
  g_byte_array_append (dump, (const guint8 *)run->note, (guint)strlen (run->note));
  return g_byte_array_free_to_bytes (dump);
}

static SeamSessionRun *
get_run (const SeamSession *session, guint i)
{
  g_autoptr (GError) error = NULL;
  SeamSessionRun *run = seam_session_get_run (session, i, &error);

  g_assert_no_error (error);
  return run;
}

static gboolean
run_equal (const SeamSessionRun *a, const SeamSessionRun *b)
{
  g_autoptr (GBytes) one = dump_run (a);
  g_autoptr (GBytes) two = dump_run (b);

  return g_bytes_equal (one, two);
}

static gboolean
session_equal (const SeamSession *a, const SeamSession *b)
{
  guint n = seam_session_get_n_runs (a);
  gboolean equal = n == seam_session_get_n_runs (b);

  for (guint i = 0; equal && i < n; i++) {
    g_autoptr (SeamSessionRun) one = get_run (a, i);
    g_autoptr (SeamSessionRun) two = get_run (b, i);
    equal = run_equal (one, two);
  }
  return equal;
}

static GBytes *
make_bytes (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = make_session (50);
  GBytes *bytes = seam_session_to_bytes (session, &error);

  g_assert_no_error (error);
  return bytes;
}

/* A fitting checksum for the file, none for the runs. */
static void
mend_checksums (sqlite3 *db)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *update = NULL;
  g_autofree char *checksum = NULL;

  g_assert_true (
      seam_session_execute (db, "DELETE FROM meta WHERE \"key\" LIKE 'sha256 %'", &error));
  checksum = seam_session_make_checksum (db, 1 << 30, &error);
  g_assert_no_error (error);
  update = g_strdup_printf ("UPDATE meta SET value = '%s' WHERE \"key\" = 'sha256'", checksum);
  g_assert_true (seam_session_execute (db, update, &error));
}

/* The session's bytes after `sql`; with `mend`, with a checksum that fits again. */
static GBytes *
edit (const char *sql, gboolean mend)
{
  g_autofree char *path = in_folder ("edited");
  g_autoptr (SeamSession) session = make_session (50);
  g_autoptr (GError) error = NULL;
  g_autofree char *data = NULL;
  gsize size;
  sqlite3 *db;

  g_assert_true (seam_session_save (session, path, &error));
  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_true (seam_session_execute (db, sql, &error));
  g_assert_no_error (error);
  if (mend)
    mend_checksums (db);
  sqlite3_close (db);
  g_assert_true (g_file_get_contents (path, &data, &size, &error));
  return g_bytes_new_take (g_steal_pointer (&data), size);
}

static void
assert_refused (GBytes *bytes, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_from_bytes (bytes, "x.seamscope", &error);

  g_assert_null (session);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  if (strstr (error->message, reason) == NULL
      || !g_str_has_prefix (error->message, "x.seamscope cannot be opened. ")
      || !g_str_has_suffix (error->message, "."))
    g_error ("“%s” does not say “%s”", error->message, reason);
}

/* The file can be listed, but its first run is refused. */
static void
assert_run_refused (GBytes *bytes, const char *reason)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_from_bytes (bytes, "x.seamscope", &error);
  g_autoptr (SeamSessionRun) run = NULL;

  g_assert_no_error (error);
  run = seam_session_get_run (session, 0, &error);
  g_assert_null (run);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  if (strstr (error->message, reason) == NULL
      || !g_str_has_prefix (error->message, "Run 1 of x.seamscope cannot be read. ")
      || !g_str_has_suffix (error->message, "."))
    g_error ("“%s” does not say “%s”", error->message, reason);
}

static void
test_round_trip (void)
{
  g_autofree char *path = in_folder ("a" SEAM_SESSION_SUFFIX);
  g_autoptr (SeamSession) session = make_session (50);
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_session_save (session, path, &error));
  g_assert_no_error (error);
  g_autoptr (SeamSession) loaded = seam_session_load (path, &error);
  g_assert_no_error (error);
  g_assert_true (session_equal (session, loaded));
  g_assert_false (seam_session_is_partial (loaded));
  g_assert_true (seam_session_verify (loaded, &error));

  /* The comparison above notices a single bit. */
  g_autoptr (SeamSessionRun) run = get_run (loaded, 1);
  g_autoptr (SeamSessionRun) saved = get_run (session, 1);
  g_assert_true (run_equal (run, saved));
  g_assert_true (signbit (run->result->plans[1].difference->worst_a));
  run->result->plans[1].difference->worst_a = 0;
  g_assert_false (run_equal (run, saved));
  g_assert_cmpuint (run->result->settings.seed, ==, G_MAXUINT64);
  g_assert_cmpstr (run->note, ==, "for the lecture: “before”");
  g_assert_cmpint (run->result->plans[1].n_kernels, ==, -1);
}

/* The data of figures and tables reads the same. */
static void
test_texts (void)
{
  g_autoptr (GBytes) bytes = make_bytes ();
  g_autoptr (SeamSession) session = make_session (50);
  g_autoptr (SeamSession) loaded = seam_session_from_bytes (bytes, "x", NULL);

  for (guint i = 0; i < 2; i++) {
    g_autoptr (SeamSessionRun) a = get_run (session, i);
    g_autoptr (SeamSessionRun) b = get_run (loaded, i);
    g_autofree char *one = seam_record_to_json (&seam_result_type, a->result);
    g_autofree char *two = seam_record_to_json (&seam_result_type, b->result);
    g_autofree char *here = seam_result_get_provenance (a->result);
    g_autofree char *there = seam_result_get_provenance (b->result);
    g_autofree char *line = seam_session_describe_run (loaded, i);
    g_assert_cmpstr (one, ==, two);
    g_assert_cmpstr (here, ==, there);
    g_assert_cmpstr (line, ==,
                     "conv-relu-bias, N 2, C 3→K 4, TF32, NVIDIA H200, 3 plans, "
                     "2026-11-21T12:00:00Z, for the lecture: “before”");
  }
}

static void
test_slices (void)
{
  g_autoptr (SeamSessionRun) run = make_run (1);
  SeamSlice wanted = { 1, 0, 11, 22, 3, 4, NULL, NULL };
  g_autoptr (SeamSlice) cut = seam_session_run_cut_slice (run, 1, 0, &wanted);

  g_assert_nonnull (cut);
  g_assert_cmpfloat (cut->a[0], ==, (float)cos (8 + 2));
  g_assert_cmpfloat (cut->a[2 * 4 + 3], ==, (float)cos (3 * 8 + 5));
  g_assert_null (seam_session_run_cut_slice (run, 1, -1, &wanted));
  wanted.n_columns = 7;
  g_assert_null (seam_session_run_cut_slice (run, 1, 0, &wanted));
  wanted.n_columns = 6;
  wanted.first_row = 9;
  g_assert_null (seam_session_run_cut_slice (run, 1, 0, &wanted));
  wanted.first_row = G_MAXINT64;
  g_assert_null (seam_session_run_cut_slice (run, 1, 0, &wanted));
  g_assert_nonnull (seam_session_run_get_slice (run, 2, -1));
  g_assert_null (seam_session_run_get_slice (run, 2, 0));
}

/* The code that ran is kept as it was given, and is never interpreted. */
static void
test_code (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_new ();
  g_autoptr (SeamSessionRun) run = make_run (1);
  g_autoptr (SeamSessionRun) chosen = NULL;
  const int plans[] = { 0, 1 };

  seam_session_run_set_code (
      run, g_variant_new_parsed ("{'plans': <[{'text': <'unfused'>}]>, 'files': <[{'n': <1>}]>}"));
  seam_session_add_run (session, run);
  g_autoptr (GBytes) bytes = seam_session_to_bytes (session, &error);
  g_autoptr (SeamSession) loaded = seam_session_from_bytes (bytes, "x", &error);
  g_assert_no_error (error);
  g_autoptr (SeamSessionRun) again = get_run (loaded, 0);
  g_assert_true (g_variant_equal (run->code, again->code));
  chosen = seam_session_run_choose (again, plans, 2, &error);
  g_assert_no_error (error);
  g_assert_true (g_variant_equal (run->code, chosen->code));
}

/* Two plans of three: the plan compared with stays, and positions are renumbered. */
static void
test_choose (void)
{
  g_autoptr (SeamSessionRun) run = make_run (5);
  g_autoptr (GError) error = NULL;
  SeamResult *whole = run->result;

  for (int p = 0; p < whole->n_plans; p++)
    for (int i = 0; whole->plans[p].samples != NULL && i < whole->plans[p].n_samples; i++)
      whole->plans[p].samples[i].throttle = SEAM_THROTTLE_KNOWN | (p == 0 ? 0x4 : 0);
  seam_result_summarise_load (whole);
  g_autoptr (SeamSessionRun) pair = seam_session_run_choose (run, (const int[]){ 2, 1 }, 2, &error);
  g_autoptr (SeamSessionRun) one = seam_session_run_choose (run, (const int[]){ 0, 1 }, 2, &error);

  g_assert_no_error (error);
  g_assert_cmpint (pair->result->n_plans, ==, 3);
  g_assert_cmpint (pair->result->against, ==, 2);
  g_assert_cmpstr (pair->result->plans[0].name, ==, "as-published");
  g_assert_cmpint (pair->result->plans[1].state, ==, SEAM_PLAN_STOPPED_EARLY);
  g_assert_cmpint (pair->result->plans[0].difference->n_failing, ==, 19);
  /* Plan 1 was compared with plan 0, plan 2 with FP64. */
  g_assert_nonnull (seam_session_run_get_slice (pair, 1, 2));
  g_assert_nonnull (seam_session_run_get_slice (pair, 0, -1));
  g_assert_cmpfloat (seam_session_run_get_slice (pair, 1, 2)->a[8], ==, (float)cos (8));
  g_assert_cmpuint (pair->slices->len, ==, 2);
  g_assert_cmpint (one->result->n_plans, ==, 2);
  g_assert_cmpint (one->result->against, ==, 0);
  g_assert_cmpuint (one->slices->len, ==, 1);
  /* Throttling is that of the whole run. */
  g_assert_true (g_str_has_prefix (whole->throttle, "SW power cap in "));
  g_assert_cmpstr (one->result->throttle, ==, whole->throttle);
  g_assert_cmpint (one->result->load.n_known, ==, whole->load.n_known);
}

/* Thousands of samples and large maps must not make large files. */
static void
test_size (void)
{
  g_autoptr (SeamSession) session = make_session (5000);
  g_autoptr (GBytes) bytes = seam_session_to_bytes (session, NULL);

  /* 2 runs x 2 plans x 5000 samples x 20 bytes are 400 kB. */
  g_assert_cmpuint (g_bytes_get_size (bytes), <, 220000);
}

static void
test_refused (void)
{
  g_autoptr (GBytes) good = make_bytes ();
  gsize size;
  const guint8 *data = g_bytes_get_data (good, &size);
  g_autofree guint8 *copy = g_memdup2 (data, size);
  g_autoptr (GBytes) empty = g_bytes_new_static ("", 0);
  g_autoptr (GBytes) text = g_bytes_new_static ("Seamscope session\n", 18);
  g_autoptr (GBytes) half = g_bytes_new (data, size / 2);
  g_autoptr (GBytes) newer = edit ("PRAGMA user_version = 2000", TRUE);
  g_autoptr (GBytes) foreign = edit ("PRAGMA application_id = 5", TRUE);
  g_autoptr (GBytes) changed = edit ("UPDATE plan SET elapsed_median_ns = 1", FALSE);
  g_autoptr (GBytes) none = edit ("DELETE FROM slice; DELETE FROM difference; DELETE FROM kernel; "
                                  "DELETE FROM plan; DELETE FROM device; DELETE FROM run",
                                  TRUE);
  g_autoptr (GBytes) lacks = edit ("DROP TABLE kernel", TRUE);
  g_autoptr (GBytes) wrong = edit ("UPDATE plan SET state = 'fine'", TRUE);
  g_autoptr (GBytes) boolean = edit ("UPDATE run SET cold = 7", TRUE);
  g_autoptr (GBytes) blob =
      edit ("UPDATE plan SET samples_elapsed_ns = x'0108000000000080ff'", TRUE);

  assert_refused (empty, "The file is empty");
  assert_refused (text, "no Seamscope session");
  assert_refused (half, "cut short");
  assert_refused (newer, "newer Seamscope (its format is 2.0");
  assert_refused (foreign, "another program");
  assert_run_refused (changed, "checksum");
  assert_refused (none, "no run");
  assert_refused (lacks, "kernel");
  assert_run_refused (wrong, "fine");
  assert_run_refused (boolean, "cold");
  assert_run_refused (blob, "memory");

  copy[18] = copy[19] = 2;
  g_autoptr (GBytes) wal = g_bytes_new (copy, size);
  assert_refused (wal, "write-ahead");
}

/* Code that a schema could execute is refused and not executed. */
static void
test_executes_nothing (void)
{
  g_autoptr (GBytes) view = edit ("CREATE VIEW v AS SELECT randomblob (1000000000)", FALSE);
  g_autoptr (GBytes) trigger =
      edit ("CREATE TRIGGER t AFTER INSERT ON meta BEGIN DELETE FROM run; END", FALSE);
  g_autoptr (GBytes) index = edit ("CREATE INDEX i ON run (length (hex (shape)))", FALSE);
  g_autoptr (GBytes) generated =
      edit ("ALTER TABLE run ADD COLUMN extra TEXT AS (hex (zeroblob (100000000)))", FALSE);

  assert_refused (view, "more than tables");
  assert_refused (trigger, "more than tables");
  assert_refused (index, "more than tables");
  assert_refused (generated, "computed");
}

static void
test_paths (void)
{
  g_autofree char *missing = in_folder ("missing" SEAM_SESSION_SUFFIX);
  g_autofree char *nowhere = g_build_filename (folder, "no", "where", NULL);
  g_autoptr (SeamSession) session = make_session (1);
  g_autoptr (GError) error = NULL;

  g_assert_null (seam_session_load (missing, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_nonnull (strstr (error->message, "There is no such file."));
  g_clear_error (&error);
  g_assert_null (seam_session_load (folder, &error));
  g_assert_nonnull (strstr (error->message, "It is a folder."));
  g_clear_error (&error);
  g_assert_null (seam_session_load ("/dev/null", &error));
  g_assert_nonnull (strstr (error->message, "It is no regular file."));
  g_clear_error (&error);
  g_assert_false (seam_session_save (session, nowhere, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
}

/* A later minor version has more columns, tables and members. */
static void
test_newer_minor (void)
{
  G_STATIC_ASSERT (SEAM_SESSION_MINOR < 99);
  g_autoptr (GBytes) newer = edit ("PRAGMA user_version = 1099;"
                                   "ALTER TABLE plan ADD COLUMN colour TEXT;"
                                   "CREATE TABLE counter (\"key\" INTEGER PRIMARY KEY, v REAL);"
                                   "INSERT INTO counter (v) VALUES (0.5);"
                                   "INSERT INTO member (owner, \"row\", name, type, value) VALUES "
                                   "('run', 1, 'dram_bytes', 'd', "
                                   "x'0001000008000000000000000000F03F')",
                                   TRUE);
  g_autoptr (SeamSession) session = make_session (50);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) loaded = seam_session_from_bytes (newer, "x", &error);

  g_assert_no_error (error);
  g_assert_true (seam_session_is_partial (loaded));
  g_assert_true (session_equal (session, loaded));
}

/* A file of the draft (major version 0), made by hand. */
static void
test_migrates (void)
{
  static const char draft[] =
      "PRAGMA application_id = 1399153005; PRAGMA user_version = 0;"
      "CREATE TABLE run (\"key\" INTEGER PRIMARY KEY, pipeline TEXT, seed INTEGER, cold INTEGER,"
      " atol REAL);"
      "CREATE TABLE device (\"key\" INTEGER PRIMARY KEY, run_key INTEGER, id TEXT, name TEXT);"
      "CREATE TABLE plan (\"key\" INTEGER PRIMARY KEY, run_key INTEGER, notation TEXT, state TEXT,"
      " n_kernels INTEGER, median_ns REAL);"
      "CREATE TABLE kernel (\"key\" INTEGER PRIMARY KEY, plan_key INTEGER, name TEXT,"
      " median_ns REAL);"
      "INSERT INTO run VALUES (1, 'gemm-bias-relu', 42, 1, 0.25);"
      "INSERT INTO device VALUES (1, 1, 'cpu', 'AMD EPYC');"
      "INSERT INTO plan VALUES (1, 1, 'matmul|bias|relu', 'measured', 0, 1234.5);"
      "INSERT INTO plan VALUES (2, 1, 'matmul+bias+relu', 'measured', 1, 617.25);"
      "INSERT INTO kernel VALUES (1, 2, 'fused', 600.5);";
  g_autofree char *path = in_folder ("draft" SEAM_SESSION_SUFFIX);
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autoptr (GError) error = NULL;
  gsize size_before, size_after;
  sqlite3 *db;

  g_assert_cmpint (sqlite3_open (path, &db), ==, SQLITE_OK);
  g_assert_true (seam_session_execute (db, draft, &error));
  sqlite3_close (db);
  g_assert_true (g_file_get_contents (path, &before, &size_before, NULL));
  g_autoptr (SeamSession) loaded = seam_session_load (path, &error);
  g_assert_no_error (error);
  g_autoptr (SeamSessionRun) run = get_run (loaded, 0);
  const SeamResult *result = run->result;
  g_assert_cmpstr (result->pipeline_id, ==, "gemm-bias-relu");
  g_assert_cmpuint (result->settings.seed, ==, 42);
  g_assert_cmpfloat (result->settings.atol, ==, 0.25);
  g_assert_cmpstr (result->device->name, ==, "AMD EPYC");
  g_assert_cmpint (result->n_plans, ==, 2);
  g_assert_cmpfloat (result->plans[1].median_ns, ==, 617.25);
  g_assert_true (isnan (result->plans[1].ci_low_ns));
  g_assert_cmpfloat (result->plans[1].kernels[0].median_ns, ==, 600.5);
  g_assert_false (seam_session_is_partial (loaded));
  /* The file on disk stays unchanged; saving writes the present version. */
  g_assert_true (g_file_get_contents (path, &after, &size_after, NULL));
  g_assert_cmpmem (before, size_before, after, size_after);
  g_assert_true (seam_session_save (loaded, path, &error));
  g_autoptr (SeamSession) again = seam_session_load (path, &error);
  g_assert_no_error (error);
  g_autoptr (SeamSessionRun) saved = get_run (again, 0);
  g_assert_cmpfloat (saved->result->plans[1].median_ns, ==, 617.25);
}

static void
check_sentence (const GError *error)
{
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_true (g_str_has_suffix (error->message, "."));
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
}

/* Each run of a damaged file is either one of the saved runs or refused. */
static void
check_runs (const SeamSession *damaged, const SeamSession *saved)
{
  for (guint i = 0; i < seam_session_get_n_runs (damaged); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *line = seam_session_describe_run (damaged, i);
    g_autoptr (SeamSessionRun) run = seam_session_get_run (damaged, i, &error);
    gboolean found = run == NULL;

    g_assert_true (g_utf8_validate (line, -1, NULL));
    if (run == NULL)
      check_sentence (error);
    for (guint k = 0; k < seam_session_get_n_runs (saved) && !found; k++) {
      g_autoptr (SeamSessionRun) other = get_run (saved, k);
      found = run_equal (run, other);
    }
    if (!found)
      g_error ("a damaged file was read as another session");
  }
}

/* Any damage is refused in a sentence, unless it lies outside all data. */
static void
test_random_damage (void)
{
  g_autoptr (GBytes) good = make_bytes ();
  g_autoptr (SeamSession) session = make_session (50);
  gsize size;
  const guint8 *data = g_bytes_get_data (good, &size);
  const int n = 100;
  int n_opened = 0;

  for (int round = 0; round < n; round++) {
    g_autofree guint8 *copy = g_memdup2 (data, size);
    gsize length = size;
    int n_changes = g_test_rand_int_range (0, 6);

    for (int i = 0; i < n_changes; i++) {
      /* Half of the damage hits the structure: the header and the beginnings of pages. */
      gsize at = (gsize)g_test_rand_int_range (0, (gint32)size);
      if (g_test_rand_bit ())
        at = at / 4096 * 4096 + (gsize)g_test_rand_int_range (0, 120);
      copy[MIN (at, size - 1)] = (guint8)g_test_rand_int_range (0, 256);
    }
    if (g_test_rand_int_range (0, 8) == 0)
      length = (gsize)g_test_rand_int_range (0, (gint32)size);
    g_autoptr (GBytes) bytes = g_bytes_new (copy, length);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamSession) loaded = seam_session_from_bytes (bytes, "fuzzed", &error);
    if (loaded != NULL) {
      n_opened++;
      check_runs (loaded, session);
    } else {
      check_sentence (error);
    }
  }
  g_test_message ("%d files, of which %d were opened", n, n_opened);
  g_assert_cmpint (n_opened, >, 0);
  g_assert_cmpint (n_opened, <, n);
}

/* A process killed in the middle of a save leaves the old file or the new one. */
static void
test_killed (void)
{
  g_autofree char *path = in_folder ("killed" SEAM_SESSION_SUFFIX);
  /* Saving either takes as long, so that each is on disk half of the time. */
  g_autoptr (SeamSession) one = make_session (1500);
  g_autoptr (SeamSession) other = make_session (1499);
  gint64 start = g_get_monotonic_time ();
  int n_one = 0, n_other = 0, duration_us;

  g_assert_true (seam_session_save (one, path, NULL));
  g_assert_true (seam_session_save (other, path, NULL));
  duration_us = (int)(g_get_monotonic_time () - start);
  /* On a busy machine it takes more attempts to see both. */
  for (int i = 0; i < 30 || (i < 400 && (n_one == 0 || n_other == 0)); i++) {
    int ends[2];
    char saved;
    g_assert_cmpint (pipe (ends), ==, 0);
    pid_t child = fork ();
    g_assert_cmpint (child, >=, 0);
    if (child == 0) {
      for (;;)
        if (!seam_session_save (one, path, NULL) || write (ends[1], "1", 1) != 1
            || !seam_session_save (other, path, NULL))
          _exit (1);
    }
    close (ends[1]);
    /* Every second one only after its first save, however long that takes. */
    if (i % 2 == 0)
      g_assert_cmpint (read (ends[0], &saved, 1), ==, 1);
    g_usleep ((gulong)g_test_rand_int_range (0, 3 * duration_us));
    kill (child, SIGKILL);
    close (ends[0]);
    int status;
    waitpid (child, &status, 0);
    g_assert_true (WIFSIGNALED (status));
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamSession) loaded = seam_session_load (path, &error);
    g_assert_no_error (error);
    if (session_equal (loaded, one))
      n_one++;
    else if (session_equal (loaded, other))
      n_other++;
    else
      g_error ("the file is neither the old session nor the new one");
  }
  g_test_message ("%d with the one session, %d with the other", n_one, n_other);
  g_assert_cmpint (n_one, >, 0);
  g_assert_cmpint (n_other, >, 0);
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
  g_test_add_func ("/session/round-trip", test_round_trip);
  g_test_add_func ("/session/texts", test_texts);
  g_test_add_func ("/session/slices", test_slices);
  g_test_add_func ("/session/code", test_code);
  g_test_add_func ("/session/choose", test_choose);
  g_test_add_func ("/session/size", test_size);
  g_test_add_func ("/session/refused", test_refused);
  g_test_add_func ("/session/executes-nothing", test_executes_nothing);
  g_test_add_func ("/session/paths", test_paths);
  g_test_add_func ("/session/newer-minor", test_newer_minor);
  g_test_add_func ("/session/migrates", test_migrates);
  g_test_add_func ("/session/random-damage", test_random_damage);
  g_test_add_func ("/session/killed", test_killed);
  status = g_test_run ();
  remove_folder ();
  return status;
}
