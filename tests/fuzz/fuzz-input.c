/* SPDX-License-Identifier: MIT
 *
 * The input files and texts of a run: pipeline files, plans in notation, tensors as .npy. The first
 * line of an input says what the rest is:
 *
 *   pipeline     a pipeline file
 *   plan NAME    a plan of the pipeline with this name or number
 *   npy          a file of a tensor
 */
#include "app/base/npy.h"
#include "app/pipeline/pipeline.h"
#include "app/plan/plan.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

static char *path;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init ();
  path = fuzz_path ("tensor.npy");
  return 0;
}

static void
check_pipeline (const char *text)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text, "fuzzed", &error);

  fuzz_check (pipeline != NULL, error);
}

/* A plan's own notation parses as the same plan. */
static void
check_plan (const char *name, const char *text)
{
  g_autoptr (SeamPipeline) pipeline =
      strchr (name, '/') == NULL ? seam_pipeline_find (name, NULL) : NULL;
  g_autoptr (SeamPlan) plan = NULL;
  g_autoptr (SeamPlan) again = NULL;
  g_autoptr (GError) error = NULL;

  if (pipeline == NULL)
    return;
  plan = seam_plan_parse (pipeline, text, &error);
  fuzz_check_sentence (plan != NULL, error);
  if (plan == NULL)
    return;
  again = seam_plan_parse (pipeline, plan->notation, &error);
  g_assert_no_error (error);
  g_assert_true (seam_plan_equal (plan, again));
}

/* The elements of an accepted tensor are all in the file. */
static void
check_npy (const uint8_t *data, size_t size)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamNpy) npy = NULL;

  g_file_set_contents (path, (const char *)data, (gssize)size, NULL);
  npy = seam_npy_read (path, &error);
  fuzz_check (npy != NULL, error);
  if (npy != NULL)
    g_assert_cmpint (npy->n_elements * (npy->is_double ? 8 : 4), <=, (gint64)size);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  const uint8_t *end = size > 0 ? memchr (data, '\n', size) : NULL;
  g_autofree char *line = end != NULL ? fuzz_text (data, (size_t)(end - data)) : NULL;
  size_t n_rest = end != NULL ? size - (size_t)(end + 1 - data) : 0;
  g_autofree char *text = end != NULL ? fuzz_text (end + 1, n_rest) : NULL;

  if (end == NULL)
    return -1;
  if (strcmp (line, "pipeline") == 0)
    check_pipeline (text);
  else if (g_str_has_prefix (line, "plan "))
    check_plan (line + strlen ("plan "), text);
  else if (strcmp (line, "npy") == 0)
    check_npy (end + 1, n_rest);
  else
    return -1;
  return 0;
}
