/* SPDX-License-Identifier: MIT
 *
 * Tables of CSV: the reader, and the points that `explore --resume` and `sweep --resume` take from
 * a table into their search.
 */
#include "app/base/csv-read.h"
#include "app/cli/search-report.h"
#include "app/explore/explore.h"
#include "app/explore/lattice.h"
#include "app/explore/search-store.h"
#include "app/explore/sweep.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static SeamRunRequest *request;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  static const char *const plans[] = { "unfused", "full", NULL };
  g_autoptr (SeamPipeline) pipeline = NULL;

  fuzz_init ();
  pipeline = seam_pipeline_find ("gemm-bias-relu", NULL);
  request = seam_run_request_new (pipeline);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  return 0;
}

/* Fills a search as seam_search_predict() does, for the same imaginary device on every machine. */
static void
predict (SeamSearch *search)
{
  search->device = seam_device_info_new ("cpu");
  search->device->name = g_strdup ("fuzz");
  search->math_mode = SEAM_MATH_FP32;
}

/* Points that were read must survive being written and read again, by an empty search of the
 * same kind. */
static void
check_merge (SeamSearch *search, SeamSearch *empty, const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *before = NULL;
  g_autofree char *after = NULL;
  g_autofree char *again = NULL;
  gboolean is_merged;

  predict (search);
  predict (empty);
  before = seam_search_to_rows (search, SEAM_ROWS_CSV);
  is_merged = seam_search_merge_csv (search, text, &error);
  fuzz_check_sentence (is_merged, error);
  after = seam_search_to_rows (search, SEAM_ROWS_CSV);
  if (!is_merged) {
    g_assert_cmpstr (before, ==, after);
    return;
  }
  if (!seam_search_merge_csv (empty, after, &error))
    g_error ("%s", error->message);
  again = seam_search_to_rows (empty, SEAM_ROWS_CSV);
  if (strcmp (after, again) != 0)
    g_error ("written %s\nread %s", after, again);
}

static void
check_csv (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCsv) csv = seam_csv_parse (text, &error);

  fuzz_check_sentence (csv != NULL, error);
  for (int row = 0; csv != NULL && row < seam_csv_get_n_rows (csv); row++) {
    seam_csv_get (csv, row, "plan");
    seam_csv_get_number (csv, row, "elapsed_median_ns");
    seam_csv_get_integer (csv, row, "n_samples", 0, -1);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_autoptr (SeamSearch) explore = seam_explore_new (request, NULL);
  g_autoptr (SeamSearch) other = seam_explore_new (request, NULL);
  g_autoptr (SeamSearch) sweep = seam_sweep_new_from_texts (request, "batch=1,2", NULL, NULL);
  g_autoptr (SeamSearch) another = seam_sweep_new_from_texts (request, "batch=1,2", NULL, NULL);

  check_csv (text);
  check_merge (explore, other, text);
  check_merge (sweep, another, text);
  fuzz_take_text (seam_search_report_format (explore));
  return 0;
}
