/* SPDX-License-Identifier: MIT
 *
 * Differences kept in results and session files: see difference-kept.h.
 */
#include "ui/difference/difference-kept.h"

#include "app/explain/read-result.h"
#include "ui/difference/difference-shape.h"

const SeamDifference *
seam_difference_find_kept (const SeamResult *result, int tested, int against)
{
  const SeamDifference *kept;

  if (tested < 0 || tested >= result->n_plans || result->against != against)
    return NULL;
  kept = result->plans[tested].difference;
  return kept != NULL && kept->cells != NULL ? kept : NULL;
}

SeamSlice *
seam_difference_copy_kept_slice (const SeamSessionRun *run, int tested, int against)
{
  const SeamSlice *slice = seam_session_run_get_slice (run, tested, against);
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (run->result, NULL);

  if (slice == NULL || problem == NULL)
    return NULL;
  SeamSlice wanted = *slice;
  const SeamDifferenceShape shape = seam_difference_shape_read (problem);
  if (shape.depth > 1) {
    /* A file of an older version may hold rows of several depths: those of the middle one. */
    gint64 first = (slice->first_row + slice->n_rows / 2) / shape.area_rows * shape.area_rows;
    wanted.first_row = MAX (slice->first_row, first);
    wanted.n_rows =
        MIN (slice->first_row + slice->n_rows, first + shape.area_rows) - wanted.first_row;
  }
  return seam_session_run_cut_slice (run, tested, against, &wanted);
}

char *
seam_difference_explain_kept (const SeamResult *result)
{
  const char *name;

  if (result->against < 0 || result->against >= result->n_plans)
    return g_strdup ("The file holds differences against FP64 only, not of these two sides.");
  name = seam_plan_result_get_name (&result->plans[result->against]);
  return g_strdup_printf ("The file holds differences against the plan %s only, not of these two "
                          "sides: choose %s as plan A.",
                          name, name);
}
