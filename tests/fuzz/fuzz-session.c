/* SPDX-License-Identifier: MIT
 *
 * Sessions from anywhere: changed rows and members (session-image.h) are loaded, and a session that
 * loads goes through every report, table and figure of `seamscope-cli export` and `compare`.
 */
#include "app/explore/explore.h"
#include "app/explore/sweep.h"
#include "app/explore/search-store.h"
#include "app/session/session.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session-image.h"

#include <string.h>

size_t LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned int seed);

static GBytes *base;
static char *path;

/* The products of a session that loads. The corpus programs make all of them for every input; a
 * search makes one for some inputs, because they take a hundred times as long as reading does. "@"
 * stands for the scratch folder, "a" is the session. */
static const char *const steps[][16] = {
  { "@a.seamscope", "--run=1", "--text", "--json=@json", "--trace=@trace", "--csv=@plans",
    "--csv-kernels=@kernels", "--csv-samples=@samples", "--csv-ledger=@ledger",
    "--csv-traffic=@traffic", "--csv-waterfall=@waterfall", "--csv-roofline=@roofline",
    "--csv-worst=@worst", "--csv-histogram=@histogram" },
  { "@a.seamscope", "--run=1", "--figure=timing=@timing.svg" },
  { "@a.seamscope", "--run=1", "--figure=difference=@difference.pdf" },
  { "@a.seamscope", "--run=1", "--figure=numbers=@numbers.svg" },
  { "@a.seamscope", "--run=1", "--figure=traffic=@traffic.svg" },
  { "@a.seamscope", "--run=1", "--figure=roofline=@roofline.svg" },
  { "@a.seamscope", "--run=1", "--figure=timeline=@timeline.svg" },
  { "@a.seamscope", "--run=1", "--figure=samples=@samples.svg" },
  { "@a.seamscope", "--survey=1", "--csv-survey=@survey", "--figure=lattice=@lattice.svg" },
  { "@a.seamscope", "--survey=2", "--csv-survey=@survey", "--figure=sweep=@sweep.svg" },
  { "@a.seamscope", "--text" }, /* searches too */
  { "@base.seamscope", "@a.seamscope", "--all", "--figure=@comparison.svg" },
};
#define COMPARE_STEP   (G_N_ELEMENTS (steps) - 1)
#define PRODUCTS_EVERY 2048
#define DAMAGE_EVERY   32 /* inputs with damage, which take as long as three others */

/* Makes two points look measured. */
static void
measure (SeamSearch *search)
{
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GError) error = NULL;

  seam_search_predict (search, runner, &error);
  g_assert_no_error (error);
  g_free (search->device->name);
  search->device->name = g_strdup ("fuzz");
  for (int i = 0; i < 2; i++) {
    SeamPoint *point = &search->points[i];
    point->state = SEAM_POINT_MEASURED;
    point->median_ns = point->against_ns = 1e6 + i;
    point->n_samples = 10;
  }
}

/* The session API is used here and in load_and_save(), and nowhere else in this file. */
static GBytes *
add_searches (GBytes *bytes)
{
  static const char *const plans[] = { "unfused", "full", NULL };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_from_bytes (bytes, "base", &error);
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", NULL);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamSearch) explore = NULL;
  g_autoptr (SeamSearch) sweep = NULL;
  GBytes *changed;

  g_assert_no_error (error);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cpu");
  explore = seam_explore_new (request, &error);
  measure (explore);
  sweep = seam_sweep_new_from_texts (request, "batch=1,2", NULL, &error);
  g_assert_no_error (error);
  measure (sweep);
  seam_session_add_search (session, seam_search_store (explore), NULL);
  seam_session_add_search (session, seam_search_store (sweep), "a note");
  changed = seam_session_to_bytes (session, &error);
  g_assert_no_error (error);
  return changed;
}

/* NULL if the file is refused. */
static GBytes *
load_and_save (GBytes *bytes)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_from_bytes (bytes, "fuzzed", &error);

  fuzz_check_sentence (session != NULL, error);
  return session != NULL ? seam_session_to_bytes (session, NULL) : NULL;
}

static SeamExit
run_step (guint step)
{
  const SeamCommand *command = step == COMPARE_STEP ? &seam_command_compare : &seam_command_export;
  g_autofree char *scratch = fuzz_path ("x");
  g_autofree char *folder = g_strndup (scratch, strlen (scratch) - 1);
  g_autoptr (GPtrArray) arguments = g_ptr_array_new_with_free_func (g_free);

  for (gsize i = 0; steps[step][i] != NULL; i++) {
    g_auto (GStrv) parts = g_strsplit (steps[step][i], "@", 2);
    g_ptr_array_add (arguments, g_strjoinv (folder, parts));
  }
  g_ptr_array_add (arguments, NULL);
  return fuzz_run_command (command, (const char *const *)arguments->pdata);
}

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  g_autoptr (GBytes) sample = NULL;
  g_autofree char *base_path = NULL;

  fuzz_init ();
  if (fuzz_is_search ())
    fuzz_session_init ();
  /* A tiny shape, and two plans of three: a search reads hundreds of such files a second. */
  sample = fuzz_session_make_base (
      "../../tests/net/sessions/three-plans.seamscope",
      "DELETE FROM survey; DELETE FROM point; DELETE FROM plan WHERE \"key\" = 3;"
      "DELETE FROM kernel WHERE plan_key = 3; DELETE FROM difference WHERE plan_key = 3;"
      "DELETE FROM slice WHERE plan_key = 3; DELETE FROM member WHERE owner = 'survey'"
      " OR name = 'code' OR owner = 'plan' AND \"row\" = 3"
      " OR owner = 'difference' AND \"row\" = 2;");
  base = add_searches (sample);
  base_path = fuzz_path ("base.seamscope");
  path = fuzz_path ("a.seamscope");
  g_file_set_contents (base_path, g_bytes_get_data (base, NULL), (gssize)g_bytes_get_size (base),
                       NULL);
  /* The unchanged session must give all products. */
  g_file_set_contents (path, g_bytes_get_data (base, NULL), (gssize)g_bytes_get_size (base), NULL);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    g_assert_cmpint (run_step (i), ==, SEAM_EXIT_DONE);
  return 0;
}

/* Reads what the changes are about: the runs, or one of the searches. The file has no checksum: to
 * make and to verify one would take most of the time. */
static void
read_changed (GBytes *bytes, const char *changes)
{
  gboolean of_search = strstr (changes, " survey ") != NULL || strstr (changes, " point ") != NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_from_bytes (bytes, "fuzzed", &error);
  GPtrArray *searches = session != NULL ? seam_session_get_searches (session) : NULL;

  fuzz_check_sentence (session != NULL, error);
  if (session != NULL)
    fuzz_session_trust (session);
  for (guint i = 0; session != NULL && !of_search && i < seam_session_get_n_runs (session); i++) {
    g_autoptr (GError) problem = NULL;
    g_autoptr (SeamSessionRun) run = seam_session_get_run (session, i, &problem);
    fuzz_check_sentence (run != NULL, problem);
  }
  if (searches != NULL && of_search && searches->len > 0) {
    guint chosen = g_str_hash (changes) % searches->len;
    GVariant *content = seam_session_search_get_content (searches->pdata[chosen], NULL);
    g_autoptr (SeamSearch) search = content != NULL ? seam_search_restore (content, NULL) : NULL;
  }
}

/* Damage that the checksum does not notice must lie outside all data. */
static void
check_damage (GBytes *undamaged, GBytes *damaged)
{
  g_autoptr (GBytes) saved = load_and_save (damaged);
  g_autoptr (GBytes) expected = saved != NULL ? load_and_save (undamaged) : NULL;

  if (saved != NULL && (expected == NULL || !g_bytes_equal (saved, expected)))
    g_error ("a damaged file is read as another session");
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *changes = fuzz_text (data, size);
  guint hash = g_str_hash (changes);
  guint chosen = hash / PRODUCTS_EVERY % G_N_ELEMENTS (steps);
  gboolean makes_products = !fuzz_is_search () || hash % PRODUCTS_EVERY == 0;
  gboolean may_damage = !fuzz_is_search () || hash % DAMAGE_EVERY == 0;
  gboolean is_damage = may_damage && strstr (changes, "damage ") != NULL;
  g_autoptr (GBytes) bytes = fuzz_session_change (base, changes, makes_products || is_damage);
  g_autoptr (GBytes) damaged = is_damage ? fuzz_session_damage (bytes, changes) : NULL;

  if (damaged != NULL && !g_bytes_equal (bytes, damaged)) {
    check_damage (bytes, damaged);
    return 0;
  }
  if (!makes_products) {
    read_changed (bytes, changes);
    return 0;
  }
  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes),
                       NULL);
  for (guint i = 0; i < G_N_ELEMENTS (steps); i++)
    if (!fuzz_is_search () || i == chosen)
      run_step (i);
  return 0;
}

size_t
LLVMFuzzerCustomMutator (uint8_t *data, size_t size, size_t max_size, unsigned int seed)
{
  return fuzz_session_mutate (data, size, max_size, seed);
}
