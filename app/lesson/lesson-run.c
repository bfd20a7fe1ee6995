/* SPDX-License-Identifier: MIT */
#include "app/lesson/lesson-run.h"

#include "app/base/error.h"
#include "app/lesson/lesson-read.h"

#include <string.h>

gboolean
seam_lesson_step_runs_here (const SeamLessonStep *step)
{
  return step->sample == NULL && step->pipeline != NULL && step->plans != NULL
         && step->kind != SEAM_STEP_SAY;
}

static gboolean
are_equal (char *const *a, char *const *b)
{
  static char *const none[] = { NULL };

  return g_strv_equal ((const char *const *)(a != NULL ? a : none),
                       (const char *const *)(b != NULL ? b : none));
}

gboolean
seam_lesson_steps_share_run (const SeamLessonStep *a, const SeamLessonStep *b)
{
  return seam_lesson_step_runs_here (a) && seam_lesson_step_runs_here (b)
         && g_strcmp0 (a->pipeline, b->pipeline) == 0 && g_strcmp0 (a->preset, b->preset) == 0
         && g_strcmp0 (a->target, b->target) == 0 && are_equal (a->plans, b->plans)
         && are_equal (a->settings, b->settings);
}

static gboolean
check_plans (SeamPipeline *pipeline, char *const *plans, GError **error)
{
  for (int i = 0; plans[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, plans[i], error);

    if (plan == NULL)
      return FALSE;
    for (int g = 0; g < plan->n_groups; g++)
      if (seam_group_is (&plan->groups[g], SEAM_IMPLEMENTATION_EDITED))
        return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                          "Somebody writes code for this run: open the lesson in the window.");
  }
  return TRUE;
}

SeamRunRequest *
seam_lesson_step_make_request (const SeamLessonStep *step, const char *target, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = seam_lesson_step_find_pipeline (step, error);

  if (pipeline == NULL || !check_plans (pipeline, step->plans, error))
    return NULL;
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  if (step->preset != NULL) {
    const SeamPreset *preset = seam_pipeline_get_preset (pipeline, step->preset, error);

    if (preset == NULL)
      return NULL;
    memcpy (request->values, preset->values, sizeof request->values);
    g_free (request->preset);
    request->preset = g_strdup (preset->name);
  }
  g_strfreev (request->plans);
  request->plans = g_strdupv (step->plans);
  request->target = g_strdup (step->target != NULL ? step->target : target);
  if (!seam_lesson_step_apply_settings (step, &request->settings, error))
    return NULL;
  return g_steal_pointer (&request);
}
