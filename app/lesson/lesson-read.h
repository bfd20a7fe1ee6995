/* SPDX-License-Identifier: MIT
 *
 * The reader of a lesson file. Private to app/lesson/.
 */
#pragma once

#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* Checks what only all steps together show: that no step tells the answer of a later one, that ids
 * are unique, that a step to compare follows a prediction. `what` is the file's name, for
 * messages. */
gboolean seam_lesson_check_steps (SeamLesson *lesson, const char *what, GError **error);
gboolean seam_lesson_fail (GError **error, const char *what, int line, const char *format, ...)
    G_GNUC_PRINTF (4, 5);
/* SEAM_ERROR_INPUT: an option or a value that there is not. */
gboolean seam_lesson_step_apply_settings (const SeamLessonStep *step, SeamSettings *settings,
                                          GError **error);
/* The text, or as much of it as a step may show and a sentence that says so; newly allocated. */
char *seam_lesson_cut_text (const char *text);

G_END_DECLS
