/* SPDX-License-Identifier: MIT
 *
 * The answers of a class, merged from files that learners hand in. No server, no accounts. Nothing
 * in such a file makes the program open another one.
 */
#pragma once

#include "app/lesson/score.h"

typedef struct {
  GPtrArray *members;  /* SeamLessonAnswers, owned: of files, and called out (one answer each) */
  GPtrArray *problems; /* char *: a sentence for each file or answer that was left out */
  GHashTable *seen;    /* device and inode of every file and folder */
  GHashTable *by_id;   /* members of files, by id, name and title of the lesson; borrowed */
  char *root;          /* folder that is being added; links do not lead out of it. NULL: a file */
  int n_files;         /* that were read */
  int n_copies;        /* of them, that are equal to another */
  int n_merged;        /* of them, whose answers went to another of the same learner */
  int n_entries;       /* that were looked at in folders */
} SeamClass;

SeamClass *seam_class_new (void);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamClass, seam_owner_free)
/* Adds a file, or every file of a folder and the folders in it whose name ends as answers do
 * (SEAM_ANSWERS_SUFFIX); what cannot be read is named in `problems` and left out. The same file is
 * added once, by whatever path. A copy counts once, too: files with the same id are one learner's,
 * whose answers are merged, so a folder can be read again while the class goes on. If
 * a name or an answer differs, the newer counts and the other is a problem. Equal files with two
 * ids are two learners, who may give one answer in the same second. */
void seam_class_add (SeamClass *self, const char *path);
/* Adds a prediction that somebody called out; `value` as in SeamLessonAnswer. */
void seam_class_call_out (SeamClass *self, const SeamLesson *lesson, const SeamLessonStep *step,
                          double value);
/* Leaves out the answers that the lesson's questions cannot have; a problem each. Judges the others
 * to questions about a recorded run: the points in a file may have been edited. */
void seam_class_check (SeamClass *self, const SeamLesson *lesson);
/* "100 files of answers", and how many are copies or were merged; newly allocated. */
char *seam_class_describe_files (const SeamClass *self);
/* Names of the lessons that were handed in, the most frequent first; two of one name have their
 * titles, too. Newly allocated. */
char **seam_class_list_lessons (const SeamClass *self);
/* The one of the most frequent name, if it came with the program. SEAM_ERROR_INPUT. */
SeamLesson *seam_class_find_lesson (const SeamClass *self, GError **error);
/* One that came with the program and to which files are that are not to `lesson`; NULL: none. */
SeamLesson *seam_class_find_other (const SeamClass *self, const SeamLesson *lesson);
/* A sentence for each lesson whose text was not the same for everybody, `lesson` (or NULL)
 * included, and one that names the files of other lessons, with `way` to these after it (a space
 * and a sentence, or ""); newly allocated. NULL: none. */
char *seam_class_warn (const SeamClass *self, const SeamLesson *lesson, const char *way);

/* How a check ended for a learner who handed in. */
typedef enum {
  SEAM_OUTCOME_PASSED,
  SEAM_OUTCOME_SECOND_TRY,
  SEAM_OUTCOME_LATER_TRY,
  SEAM_OUTCOME_RECORDED, /* passed with a recorded run */
  SEAM_OUTCOME_FAILED,
  SEAM_OUTCOME_SKIPPED,
  SEAM_OUTCOME_OPEN,
  SEAM_N_OUTCOMES
} SeamClassOutcome;

/* The values that were predicted for a step, or how its check ended (SeamClassOutcome), sorted;
 * newly allocated, `n` of them. */
double *seam_class_get_values (const SeamClass *self, const SeamLesson *lesson, const char *step,
                               int *n);
/* The reasons that were given for a cut, from 0, in the same way. */
double *seam_class_get_reasons (const SeamClass *self, const SeamLesson *lesson, const char *step,
                                int *n);
/* One of these values: "passed at the 2nd try", or as seam_lesson_step_name_answer(). Newly
 * allocated. */
char *seam_class_name_value (const SeamLessonStep *step, const SeamLessonFacts *facts,
                             double value);
/* A row for each answer: lesson, step, learner, value, unit, guess, measured, points, date, reason,
 * recorded, attempts. Values are in base units (ns, B); those of a choice, seam or cell, and
 * reasons, are its position from 1. Newly allocated. */
char *seam_class_format_csv (const SeamClass *self);
