/* SPDX-License-Identifier: MIT
 *
 * A survey: many points (a plan at a shape) of one pipeline on one target, predicted first and then
 * measured batch by batch within a time budget. It can be stopped at any time and goes on where it
 * was, in the same process or from its CSV file. `explore` (every partition at one shape,
 * explore.h) and `sweep` (some plans at many shapes, sweep.h) are surveys.
 *
 * Every batch measures the reference plan in alternation with its points, so that a drift of the
 * machine between batches can be taken out: seam_survey_get_times().
 */
#pragma once

#include "app/explore/survey-part.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

#define SEAM_SURVEY_MAX_POINTS       4096
#define SEAM_SURVEY_DEFAULT_BUDGET_S 60.0

typedef struct SeamSweep SeamSweep;

typedef struct {
  SeamSurveyKind kind;
  SeamSweep *sweep;        /* what varies, of `sweep`; NULL of `explore`. Owned */
  SeamRunRequest *request; /* what all points share; values: of `explore`. Its budget is the whole
                              survey's. Owned */
  char *reference;         /* plan that others are compared with; the first of each batch */
  char *varied;            /* of `sweep`: the fields that vary, for people; NULL */
  int max_batch;           /* points measured in alternation, besides the reference */
  int n_points, n_allocated;
  SeamPoint *points; /* owned, those of one shape side by side; of `explore` point m fuses the seams
                        of mask m */
  int *order;        /* indices of all points in the order of measuring; owned */
  int n_fixed;       /* of `order`, -1: all; those behind are sorted by time when it is predicted */

  /* From seam_survey_predict(): */
  SeamDeviceInfo *device; /* owned; NULL before */
  /* That the target really computes in; SEAM_N_MATH_MODES: not known yet. */
  SeamMathMode math_mode;
  SeamCeiling ceiling; /* of `explore` */
  char *floor_source;
} SeamSurvey;

/* Copies the request. `reference` is a plan of its pipeline. */
SeamSurvey *seam_survey_new (SeamSurveyKind kind, const SeamRunRequest *request,
                             const char *reference, int max_batch);
void seam_survey_free (SeamSurvey *survey);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSurvey, seam_survey_free)
/* A point behind the others. `values` as in a problem, `plan` a name or notation. */
void seam_survey_add (SeamSurvey *survey, const gint64 *values, const char *plan);

/* Opens the target and fills in what is predicted of every point; those that cannot run become
 * IMPOSSIBLE. Executes nothing. */
gboolean seam_survey_predict (SeamSurvey *survey, SeamRunner *runner, GError **error);

int seam_survey_count (const SeamSurvey *survey, SeamPointState state);
/* At full rate, what the executions that every pending point needs at least would take, in
 * seconds; NaN: unknown. Real kernels are slower: a lower bound, known before anything runs. */
double seam_survey_get_least_s (const SeamSurvey *survey);

/* How a survey ended. */
typedef enum {
  SEAM_SURVEY_DONE,    /* no point is pending */
  SEAM_SURVEY_STOPPED, /* at the person's request */
  SEAM_SURVEY_BUDGET,  /* the time was used up */
} SeamSurveyEnd;

typedef struct {
  int n_points, n_pending;
  double elapsed_s, budget_s;
  double expected_s; /* more until all are done, from the batches so far; NaN: unknown */
  const int *fresh;  /* indices of points that just got a new state */
  int n_fresh;
  int current;             /* point that is running, -1: none or the reference */
  const SeamProgress *run; /* of the batch under way; NULL between batches */
} SeamSurveyProgress;

typedef void (*SeamSurveyFunc) (const SeamSurveyProgress *progress, gpointer data);

typedef struct {
  SeamCancel *cancel;
  const char *file; /* CSV written after every batch, atomically; NULL: none */
  SeamSurveyFunc progress;
  gpointer data;
} SeamSurveyOptions;

/* Measures pending points until none is left, the budget ends (the batch under way is finished) or
 * Stop. FALSE: the device was lost (the point that did it is FAILED and is not tried again) or the
 * file cannot be written; the points so far are kept in any case. */
gboolean seam_survey_run (SeamSurvey *survey, SeamRunner *runner, const SeamSurveyOptions *options,
                          SeamSurveyEnd *end, GError **error);

/* The times of all points for comparison with the others of their shape, n_points of them: the
 * median, in proportion as the reference was slower or faster in the point's batch than in all
 * batches of the shape. NaN: not measured. */
void seam_survey_get_times (const SeamSurvey *survey, double *times_ns);
/* The points that are fastest at their shape among those whose output is right. */
void seam_survey_mark_fastest (const SeamSurvey *survey, gboolean *is_fastest);

/* One row a point, pending ones too; the columns are listed at the head of survey-csv.c. */
char *seam_survey_to_csv (const SeamSurvey *survey);
/* Takes over what the rows say was measured. SEAM_ERROR_FILE where the file is of another pipeline,
 * target, math mode, …, or has points that this survey has not: nothing is changed then. */
gboolean seam_survey_merge_csv (SeamSurvey *survey, const char *text, GError **error);
gboolean seam_survey_merge_file (SeamSurvey *survey, const char *path, GError **error);

/* All of it, borrowed: nothing is to be freed. */
void seam_survey_get_part (const SeamSurvey *survey, SeamSurveyPart *part);
/* Takes over what a part says of this survey's points, out of `part`, which is to be cleared.
 * SEAM_ERROR_INPUT where a point is not its own: nothing is changed then. */
gboolean seam_survey_merge_part (SeamSurvey *survey, SeamSurveyPart *part, GError **error);
/* What is known of the target and points `indices` (NULL: all) with their places: a part, as a{sv},
 * floating. */
GVariant *seam_survey_to_variant (const SeamSurvey *survey, const int *indices, int n);
/* The same of such a variant. SEAM_ERROR_INPUT. */
gboolean seam_survey_merge_variant (SeamSurvey *survey, GVariant *variant, GError **error);
/* A report of seam_survey_run(), with its fresh points. a{sv}, floating. */
GVariant *seam_survey_progress_to_variant (const SeamSurvey *survey,
                                           const SeamSurveyProgress *progress);
/* Fills all but fresh and run; `survey` receives what seam_survey_merge_variant() takes, or NULL.
 */
gboolean seam_survey_progress_from_variant (GVariant *variant, SeamSurveyProgress *progress,
                                            GVariant **survey, GError **error);

/* "NVIDIA H200 · … · 32 of 32 partitions · Seamscope 0.1": for the foot of a figure. */
char *seam_survey_get_provenance (const SeamSurvey *survey);

G_END_DECLS
