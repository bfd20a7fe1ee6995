/* SPDX-License-Identifier: MIT
 *
 * The score of a prediction, the conditions of a check, and what both leave covered. One rule for
 * everybody, which the window shows beside the score.
 */
#pragma once

#include "app/lesson/answers.h"

#define SEAM_SCORE_MOST 3
/* Points for a number within this ratio of the measured one, either way: 3, 2, 1. */
extern const double seam_score_bands[SEAM_SCORE_MOST];
#define SEAM_SCORE_RULE "3 points within 1.1×, 2 within 1.5×, 1 within 2×"

typedef struct {
  int points;
  double measured, measured_low, measured_high; /* as in SeamLessonAnswer */
  char *reply; /* the sentence of the file for this answer; without an answer, why the right one is
                * right; or NULL */
} SeamScore;

/* Judges an answer by the step's facts; without them, or without a result, `measured` is NaN. If
 * the interval is wider than a band, the better band counts. */
void seam_score_answer (const SeamLessonStep *step, const SeamLessonFacts *facts,
                        const SeamLessonAnswer *answer, SeamScore *score);
/* Whether a choice (of a cut, a reason; from 0) is right by these facts. */
gboolean seam_score_is_right (const SeamLessonStep *step, const SeamLessonFacts *facts, int choice);
void seam_score_clear (SeamScore *score);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SeamScore, seam_score_clear)
/* "1.85× too small", "within 1 %" or "exact", for a guess as well; newly allocated. */
char *seam_score_describe_ratio (double value, double measured);

typedef enum {
  SEAM_CONDITION_HOLDS,
  SEAM_CONDITION_FAILS,
  SEAM_CONDITION_UNCLEAR, /* it holds at one end of the intervals, and not at the other */
} SeamConditionOutcome;

/* A condition of a check, judged. */
typedef struct {
  SeamConditionOutcome state;
  const char *found; /* "1.02× faster, 95 % interval 0.98× to 1.06×, …", as plain words */
  const char *reply; /* Markdown: what to do; NULL: it holds */
} SeamLessonCondition;

/* Of each condition of the step, in its order, as SeamLessonCondition. Free with
 * g_ptr_array_unref(). */
GPtrArray *seam_lesson_check_conditions (const SeamLessonStep *step, const SeamLessonFacts *facts);
/* As in SeamLessonAnswer: 1 if all hold, 0 if one fails, NaN if one is unclear. `first` (may be
 * NULL) receives the first that decides that, borrowed; NULL: all hold. */
double seam_lesson_check_judge (const GPtrArray *conditions, const SeamLessonCondition **first);

/* What became of a step. */
typedef enum {
  SEAM_MARK_NOTHING,  /* the step asks nothing */
  SEAM_MARK_OPEN,     /* not answered yet, or not judged */
  SEAM_MARK_CHECKED,  /* some points; a check that passed; a run */
  SEAM_MARK_MISSED,   /* answered, no points; a check that failed last */
  SEAM_MARK_RECORDED, /* done with a recorded run where this computer's was asked for */
  SEAM_MARK_SKIPPED,  /* looked without an answer; a run or check that was passed over */
  SEAM_N_MARKS
} SeamLessonMark;
extern const SeamChoice seam_lesson_marks[]; /* "checked"; "from a recording" */

/* `step`: from 0. */
SeamLessonMark seam_lesson_get_mark (const SeamLesson *lesson, const SeamLessonAnswers *answers,
                                     int step);
/* Whether every check has passed, here or with a recording, and the last step was seen. Questions
 * that were skipped or missed do not matter. */
gboolean seam_lesson_is_done (const SeamLesson *lesson, const SeamLessonAnswers *answers);

/* What of a recorded run stays covered at a step is whatever a question that is not answered yet
 * asks for, from the first step that shows the run on. This is the question whose answer the run of
 * the step would tell: the step itself, or a later one about the same run. NULL: the run can be
 * shown. Plans that an answered question asked for are known, so that a later question about them
 * covers nothing before its own step. */
const SeamLessonStep *seam_lesson_find_cover (const SeamLesson *lesson,
                                              const SeamLessonAnswers *answers, int step);
/* Whether a later question about the same recorded run waits for an answer: the run is shown with
 * the plans of this step only. */
gboolean seam_lesson_is_asked_later (const SeamLesson *lesson, const SeamLessonAnswers *answers,
                                     int step);
