/* SPDX-License-Identifier: MIT
 *
 * What a learner answered in one lesson: kept on this computer, and the file that a learner hands
 * in. Names nobody unless the learner gave a name.
 */
#pragma once

#include "app/lesson/lesson.h"

#define SEAM_ANSWERS_SUFFIX ".seamanswers"

/* Of the files that this version writes. Files of format 1 do not state it. */
#define SEAM_ANSWERS_FORMAT 2

/* Of a file; JSON escapes some characters of the code. */
#define SEAM_ANSWERS_MAX_BYTES (3 * SEAM_EDIT_MAX_BYTES)

typedef struct {
  char *step;   /* id */
  char *ask;    /* "number", "choice", "cut", "cell" of a prediction; "run", "check" of a run */
  double value; /* the number in its base unit; position of a choice, seam or cell from 0. NaN: the
                 * learner looked without an answer. Of a run 1; of a check 1: passed, 0: failed,
                 * NaN: unclear */
  int reason;   /* of a cut, from 0; -1: none */
  double guess, guess_low, guess_high;          /* the model's, stored with the answer; NaN: none */
  double measured, measured_low, measured_high; /* what the answer was judged by; NaN: not yet */
  int points;                                   /* -1: not judged yet */
  gboolean recorded;                            /* the run that it is about is a recorded one */
  int attempts;                                 /* of a check: runs that were judged */
  char *committed_at; /* ISO 8601, UTC; of a run or a check, of the last one */
  gint64 run;         /* of the history on this computer: what it was judged by; 0: none */
  char *reply;        /* the sentence that judged it, with its numbers; NULL: none */
} SeamLessonAnswer;

typedef struct {
  int format;
  char *id; /* random; tells a copy of these answers from another learner's. NULL: an older file */
  char *lesson;      /* name of its file, without folder and ending */
  char *title;       /* of the lesson */
  char **steps;      /* ids of its steps; NULL: an older file */
  char *lesson_hash; /* SHA-256 of its text; NULL: an older file */
  char *learner;     /* NULL: none given */
  int step;          /* where the learner is, from 0; the number of steps: on the last page */
  int furthest;      /* the furthest that the learner was; -1: an older file */
  gboolean done;     /* see seam_lesson_is_done() */
  char *code;        /* what the learner wrote in place of a skeleton; NULL: nothing yet */
  char *mistake;     /* what the compiler said of it; NULL: nothing */
  char *program_version;
  int n_answers;
  SeamLessonAnswer *answers;
  int n_first;
  SeamLessonAnswer *first; /* those of before, if the lesson was taken again: their points count */
  char *kept_as;           /* in no file: what they are kept on this computer as; NULL: not kept */
  char *file;              /* in no file: the one that a class read, as shown; NULL: none */
  char *latest;            /* in no file: date of the latest answer in a class's file */
  char *seen; /* in no file: the text that is kept, as last read or written; NULL: none was */
} SeamLessonAnswers;

extern const SeamRecordType seam_lesson_answers_type, seam_lesson_answer_type;

SeamLessonAnswers *seam_lesson_answers_new (const SeamLesson *lesson);
void seam_lesson_answers_free (SeamLessonAnswers *answers);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamLessonAnswers, seam_lesson_answers_free)
/* NULL: none; borrowed. */
const SeamLessonAnswer *seam_lesson_answers_find (const SeamLessonAnswers *answers,
                                                  const char *step);
/* Adds the answer, whose fields are copied; a prediction is made once: FALSE if it was before. */
gboolean seam_lesson_answers_add (SeamLessonAnswers *answers, const SeamLessonAnswer *answer);
/* Takes the place of an answer to the same step: a run or a check may be made again. */
void seam_lesson_answers_replace (SeamLessonAnswers *answers, const SeamLessonAnswer *answer);
/* Whether both are to the same lesson: the name of its file, its title and the ids of its steps, as
 * far as they are known. */
gboolean seam_lesson_answers_match (const SeamLessonAnswers *a, const SeamLessonAnswers *b);
/* Takes the lesson again: the first answer to each step that was judged is kept as such; of a run
 * or check the first that passed, or else the last. */
void seam_lesson_answers_begin_again (SeamLessonAnswers *answers);
/* A prediction counts once, and a check that passed stays so: the first answer takes the place of a
 * later one. A run or check that was not made again counts, too. */
void seam_lesson_answers_count_first (SeamLessonAnswers *answers);
/* When the last of them was given; NULL: there are none. */
const char *seam_lesson_answers_get_date (const SeamLessonAnswers *answers);
/* Of first answers, too. */
int seam_lesson_answers_get_points (const SeamLessonAnswers *answers);

/* JSON. SEAM_ERROR_FILE. */
gboolean seam_lesson_answers_save (const SeamLessonAnswers *answers, const char *path,
                                   GError **error);
SeamLessonAnswers *seam_lesson_answers_load (const char *path, GError **error);

/* In the state folder, for the lesson's canonical path: two lessons of the same name have nothing
 * in common. load_kept() gives new answers where there are none. */
SeamLessonAnswers *seam_lesson_answers_load_kept (const SeamLesson *lesson);
gboolean seam_lesson_answers_keep (SeamLessonAnswers *answers, GError **error);
/* Before keep(): takes the answers that another window has kept there since, also in place of those
 * here to the same prediction. FALSE: there are none. */
gboolean seam_lesson_answers_refresh (SeamLessonAnswers *answers);
gboolean seam_lesson_answers_forget_all (GError **error);
