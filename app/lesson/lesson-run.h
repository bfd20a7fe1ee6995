/* SPDX-License-Identifier: MIT
 *
 * The runs of this computer that the steps of a lesson are about.
 */
#pragma once

#include "app/lesson/lesson.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

/* Whether the step is about a run of this computer. */
gboolean seam_lesson_step_runs_here (const SeamLessonStep *step);
/* Whether one run of this computer serves both steps; a text after a run stands beside it. */
gboolean seam_lesson_steps_share_run (const SeamLessonStep *a, const SeamLessonStep *b);
/* The run that the step asks for, without edited code. `target`: where, unless the step names a
 * target; NULL: the best there is. SEAM_ERROR_INPUT; SEAM_ERROR_UNSUPPORTED if a plan needs such
 * code. */
SeamRunRequest *seam_lesson_step_make_request (const SeamLessonStep *step, const char *target,
                                               GError **error);

G_END_DECLS
