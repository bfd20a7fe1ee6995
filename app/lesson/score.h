/* SPDX-License-Identifier: MIT
 *
 * The score of a prediction, and the conditions of a check. One rule for everybody, which the
 * window shows beside the score.
 */
#pragma once

#include "app/lesson/answers.h"

G_BEGIN_DECLS

#define SEAM_SCORE_MOST 3
/* Points for a number within this ratio of the measured one, either way: 3, 2, 1. */
extern const double seam_score_bands[SEAM_SCORE_MOST];
#define SEAM_SCORE_RULE "3 points within 1.1×, 2 within 1.5×, 1 within 2×"

typedef struct {
  int points;
  double measured, measured_low, measured_high; /* as in SeamLessonAnswer */
  char *verdict; /* "1.85× too short", "right", "the best seam is 3" */
  char *reply;   /* the sentence of the file for this answer, or NULL */
} SeamScore;

/* Judges an answer by the step's facts; without them, or without a result, `measured` is NaN. If
 * the interval is wider than a band, the better band counts. */
void seam_score_answer (const SeamLessonStep *step, const SeamLessonFacts *facts,
                        const SeamLessonAnswer *answer, SeamScore *score);
void seam_score_clear (SeamScore *score);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC (SeamScore, seam_score_clear)
/* "1.85× too short", for a guess as well; newly allocated. */
char *seam_score_describe_ratio (double value, double measured);

/* The replies of the conditions that do not hold, as char *; empty: the check is passed. */
GPtrArray *seam_lesson_check (const SeamLessonStep *step, const SeamLessonFacts *facts);

G_END_DECLS
