/* SPDX-License-Identifier: MIT
 *
 * SeamDifferenceSubject: what the Difference tab is about: the plans of one result, the pair of
 * them that is compared, the tolerances, and the shape of the output. It owns the source of the
 * differences and slices (difference-source.h) and tells it what to ask for. Knows no widget.
 *
 * Properties, each notified when it changes:
 *   "result"        the result, its plans, and where they come from
 *   "choice"        the pair that is compared; notified before the source is asked about it
 *   "atol", "rtol"  the tolerances; NaN: each element has its bound
 */
#pragma once

#include "ui/difference/difference-shape.h"
#include "ui/difference/difference-source.h"

#include "app/figure/map.h"
#include "app/plan/plan.h"

#define SEAM_TYPE_DIFFERENCE_SUBJECT (seam_difference_subject_get_type ())
G_DECLARE_FINAL_TYPE (SeamDifferenceSubject, seam_difference_subject, SEAM, DIFFERENCE_SUBJECT,
                      GObject)

/* `tested` is judged against `against`: indices into result->plans, or SEAM_SIDE_FP64. */
typedef struct {
  int tested, against;
} SeamDifferencePair;

SeamDifferenceSubject *seam_difference_subject_new (void);

/* Sets the first `n_plans` plans of the result; the pair is A with the plan at `beside` (-1:
 * none) at first. `client` NULL: the worker no longer holds the outputs. `result` NULL, or a result
 * of another version that cannot be read: no result. */
void seam_difference_subject_set_result (SeamDifferenceSubject *self, SeamWorkerClient *client,
                                         SeamResult *result, int n_plans, int beside);
/* Sets the run from a session that the next result belongs to, and its file; NULL: measured
 * here. */
void seam_difference_subject_set_kept (SeamDifferenceSubject *self, SeamSessionRun *kept,
                                       const char *file_name);

SeamDifferenceSource *seam_difference_subject_get_source (SeamDifferenceSubject *self);
/* The four getters below return NULL if there is no result; a single plan can be NULL, too. */
SeamResult *seam_difference_subject_get_result (SeamDifferenceSubject *self);
const SeamProblem *seam_difference_subject_get_problem (SeamDifferenceSubject *self);
const SeamPlan *seam_difference_subject_get_plan (SeamDifferenceSubject *self, int index);
const char *seam_difference_subject_get_plan_title (SeamDifferenceSubject *self, int index);
/* The plan that stands beside A; -1: none. */
int seam_difference_subject_get_beside (SeamDifferenceSubject *self);
/* Whether the result comes from a session, and the name of its file. */
gboolean seam_difference_subject_is_kept (SeamDifferenceSubject *self);
const char *seam_difference_subject_get_file_name (SeamDifferenceSubject *self);

/* Every plan with each plan before it, then with the reference. */
guint seam_difference_subject_get_n_pairs (SeamDifferenceSubject *self);
SeamDifferencePair seam_difference_subject_get_pair (SeamDifferenceSubject *self, guint i);
guint seam_difference_subject_get_choice (SeamDifferenceSubject *self);
void seam_difference_subject_set_choice (SeamDifferenceSubject *self, guint choice);
/* The chosen pair, and the names of its sides. */
SeamDifferencePair seam_difference_subject_get_sides (SeamDifferenceSubject *self);
SeamSideNames seam_difference_subject_get_names (SeamDifferenceSubject *self);

/* The tolerances, in a spec without sizes. */
SeamDifferenceSpec seam_difference_subject_get_limits (SeamDifferenceSubject *self);
double seam_difference_subject_get_atol (SeamDifferenceSubject *self);
double seam_difference_subject_get_rtol (SeamDifferenceSubject *self);
void seam_difference_subject_set_tolerances (SeamDifferenceSubject *self, double atol, double rtol);

/* Shape of the output; borrowed until the result changes. */
const SeamDifferenceShape *seam_difference_subject_get_shape (SeamDifferenceSubject *self);
