/* SPDX-License-Identifier: MIT
 *
 * The reader of a lesson file. Private to app/lesson/.
 */
#pragma once

#include "app/lesson/lesson.h"

typedef struct SeamLessonReader SeamLessonReader;

/* A key of a step's block. */
typedef struct {
  const char *name, *words; /* the help page has both, too */
  guint kinds;              /* bits of SeamStepKind: steps that may have it */
  gboolean (*take) (SeamLessonReader *reader, SeamLessonStep *step,
                    const char *value); /* NULL: a text */
  gsize offset;                         /* of a char * */
  guint marks;
} SeamLessonKey;
extern const SeamLessonKey seam_lesson_keys[]; /* ends with an entry without a name */

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
