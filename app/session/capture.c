/* SPDX-License-Identifier: MIT */
#include "app/session/capture.h"

#include "app/explain/read-result.h"
#include "app/figure/map.h"
#include "app/runner/runner-source.h"

void
seam_session_run_capture (SeamSessionRun *run, SeamRunner *runner, const SeamRunRequest *request)
{
  const SeamResult *result = run->result;
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, NULL);
  /* If a target cannot show its code, the run is kept without it. */
  g_autoptr (SeamCode) code = request != NULL ? seam_runner_get_code (runner, request, NULL) : NULL;

  if (code != NULL)
    seam_session_run_set_code (run, seam_code_to_variant (code));
  for (int i = 0; problem != NULL && i < result->n_plans; i++) {
    const SeamDifference *difference = result->plans[i].difference;
    SeamSlice wanted, *slice;
    if (difference == NULL || difference->cells == NULL)
      continue;
    seam_slice_choose_worst (problem, difference, &wanted);
    /* A plan without an output (after Stop) has none. */
    slice = seam_runner_slice (runner, i, result->against, &wanted, NULL);
    if (slice != NULL)
      seam_session_run_add_slice (run, i, result->against, slice);
  }
}
