/* SPDX-License-Identifier: MIT
 *
 * The comparison's subject: see difference-subject.h. A change of the pair is announced before the
 * source requests anything, so that an object that follows both knows what the answers are about.
 */
#include "ui/difference/difference-subject.h"

#include "app/base/doubles.h"
#include "app/explain/read-result.h"
#include "ui/class/class.h"
#include "ui/state/watch.h"

#include <math.h>

/* Two sides that can be compared: all pairs of three plans, and each with the reference. */
#define MAX_PLANS 3
#define MAX_PAIRS 6

struct _SeamDifferenceSubject {
  GObject parent_instance;

  SeamDifferenceSource *source;
  SeamWorkerClient *client;
  SeamResult *result;
  SeamProblem *problem;
  SeamPlan *plans[MAX_PLANS]; /* of the result; NULL if one cannot be read */
  int n_plans;                /* number of shown plans of the result */
  int beside;
  SeamSessionRun *kept;
  char *file_name;
  SeamDifferencePair pairs[MAX_PAIRS];
  guint n_pairs, choice;
  double atol, rtol;
  SeamDifferenceShape shape; /* shape of the output */
};

G_DEFINE_FINAL_TYPE (SeamDifferenceSubject, seam_difference_subject, G_TYPE_OBJECT)

/* -- The pairs --------------------------------------------------------------------------------- */

static void
add_pair (SeamDifferenceSubject *self, int tested, int against)
{
  self->pairs[self->n_pairs++] = (SeamDifferencePair){ tested, against };
}

static void
list_pairs (SeamDifferenceSubject *self)
{
  self->n_pairs = 0;
  for (int against = 0; against < self->n_plans; against++)
    for (int tested = against + 1; tested < self->n_plans; tested++)
      add_pair (self, tested, against);
  for (int tested = 0; tested < self->n_plans; tested++)
    add_pair (self, tested, SEAM_SIDE_FP64);
}

/* The pair of A and the plan beside it; a run against FP64 already brought that difference. */
static guint
find_first_choice (SeamDifferenceSubject *self)
{
  int against = self->result->against == SEAM_SIDE_FP64 ? SEAM_SIDE_FP64 : 0;

  for (guint i = 0; self->beside > 0 && i < self->n_pairs; i++)
    if (self->pairs[i].tested == self->beside && self->pairs[i].against == against)
      return i;
  return 0;
}

static void
ask (SeamDifferenceSubject *self)
{
  SeamDifferencePair sides = seam_difference_subject_get_sides (self);

  seam_watch_notify (self, "choice");
  seam_difference_source_set_sides (self->source, self->client, self->result, sides.tested,
                                    sides.against, self->atol, self->rtol);
}

/* -- The result -------------------------------------------------------------------------------- */

static void
forget_result (SeamDifferenceSubject *self)
{
  g_clear_pointer (&self->result, seam_result_unref);
  g_clear_object (&self->client);
  g_clear_pointer (&self->problem, seam_problem_free);
  for (int i = 0; i < MAX_PLANS; i++)
    g_clear_pointer (&self->plans[i], seam_plan_unref);
}

static double
read_tolerance (double value)
{
  return isnan (value) || (isfinite (value) && value >= 0) ? value : 0;
}

/* A result may come from a file of another version; a result that cannot be read counts as none. */
static gboolean
read_result (SeamDifferenceSubject *self)
{
  if (self->result == NULL || self->n_plans < 1)
    return FALSE;
  self->problem = seam_explain_read_problem (self->result, NULL);
  if (self->problem == NULL)
    return FALSE;
  self->shape = seam_difference_shape_read (self->problem);
  for (int i = 0; i < self->n_plans; i++)
    self->plans[i] = seam_explain_read_plan (self->result, i, NULL);
  self->atol = read_tolerance (self->result->settings.atol);
  self->rtol = read_tolerance (self->result->settings.rtol);
  list_pairs (self);
  self->choice = find_first_choice (self);
  return TRUE;
}

static void
set_client (SeamDifferenceSubject *self, SeamWorkerClient *client)
{
  if (g_set_object (&self->client, client))
    seam_difference_source_set_client (self->source, client);
}

void
seam_difference_subject_set_result (SeamDifferenceSubject *self, SeamWorkerClient *client,
                                    SeamResult *result, int n_plans, int beside)
{
  if (result != NULL && result == self->result && n_plans == self->n_plans
      && beside == self->beside)
    return set_client (self, client);
  forget_result (self);
  self->result = result != NULL ? seam_result_ref (result) : NULL;
  self->client = client != NULL ? g_object_ref (client) : NULL;
  self->n_plans = result != NULL ? MIN (MIN (n_plans, result->n_plans), MAX_PLANS) : 0;
  self->beside = beside < self->n_plans ? beside : -1;
  if (read_result (self)) {
    seam_watch_notify (self, "result");
    ask (self);
  } else {
    forget_result (self);
    seam_difference_source_set_sides (self->source, NULL, NULL, 0, 0, 0, 0);
    seam_watch_notify (self, "result");
  }
}

void
seam_difference_subject_set_kept (SeamDifferenceSubject *self, SeamSessionRun *kept,
                                  const char *file_name)
{
  SeamSessionRun *old = self->kept;

  self->kept = kept != NULL ? seam_session_run_ref (kept) : NULL;
  g_clear_pointer (&old, seam_session_run_unref);
  g_free (self->file_name);
  self->file_name = g_strdup (file_name);
  seam_difference_source_set_kept (self->source, kept);
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_subject_class_init (SeamDifferenceSubjectClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (forget_result));
  SEAM_OWNS (klass, SeamDifferenceSubject, g_object_unref, source);
  SEAM_OWNS (klass, SeamDifferenceSubject, seam_session_run_unref, kept);
  SEAM_OWNS (klass, SeamDifferenceSubject, g_free, file_name);
  seam_watch_install (klass, "result choice atol rtol");
}

static void
seam_difference_subject_init (SeamDifferenceSubject *self)
{
  self->source = seam_difference_source_new ();
  self->beside = -1;
}

SeamDifferenceSubject *
seam_difference_subject_new (void)
{
  return g_object_new (SEAM_TYPE_DIFFERENCE_SUBJECT, NULL);
}

SeamDifferenceSource *
seam_difference_subject_get_source (SeamDifferenceSubject *self)
{
  return self->source;
}

SeamResult *
seam_difference_subject_get_result (SeamDifferenceSubject *self)
{
  return self->result;
}

const SeamProblem *
seam_difference_subject_get_problem (SeamDifferenceSubject *self)
{
  return self->problem;
}

const SeamPlan *
seam_difference_subject_get_plan (SeamDifferenceSubject *self, int index)
{
  return index >= 0 && index < self->n_plans ? self->plans[index] : NULL;
}

const char *
seam_difference_subject_get_plan_title (SeamDifferenceSubject *self, int index)
{
  if (self->result == NULL)
    return NULL;
  return self->plans[index] != NULL ? seam_plan_get_title (self->plans[index])
                                    : self->result->plans[index].notation;
}

int
seam_difference_subject_get_beside (SeamDifferenceSubject *self)
{
  return self->beside;
}

gboolean
seam_difference_subject_is_kept (SeamDifferenceSubject *self)
{
  return self->kept != NULL;
}

const char *
seam_difference_subject_get_file_name (SeamDifferenceSubject *self)
{
  return self->file_name;
}

guint
seam_difference_subject_get_n_pairs (SeamDifferenceSubject *self)
{
  return self->n_pairs;
}

SeamDifferencePair
seam_difference_subject_get_pair (SeamDifferenceSubject *self, guint i)
{
  return i < self->n_pairs ? self->pairs[i] : (SeamDifferencePair){ 0, SEAM_SIDE_FP64 };
}

guint
seam_difference_subject_get_choice (SeamDifferenceSubject *self)
{
  return self->choice;
}

void
seam_difference_subject_set_choice (SeamDifferenceSubject *self, guint choice)
{
  if (choice == self->choice || choice >= self->n_pairs || self->result == NULL)
    return;
  self->choice = choice;
  ask (self);
}

SeamDifferencePair
seam_difference_subject_get_sides (SeamDifferenceSubject *self)
{
  return seam_difference_subject_get_pair (self, self->choice);
}

SeamSideNames
seam_difference_subject_get_names (SeamDifferenceSubject *self)
{
  SeamDifferencePair sides = seam_difference_subject_get_sides (self);

  return (SeamSideNames){ .against = seam_side_get_name (sides.against),
                          .tested = seam_side_get_name (sides.tested) };
}

SeamDifferenceSpec
seam_difference_subject_get_limits (SeamDifferenceSubject *self)
{
  return (SeamDifferenceSpec){ .atol = self->atol, .rtol = self->rtol };
}

double
seam_difference_subject_get_atol (SeamDifferenceSubject *self)
{
  return self->atol;
}

double
seam_difference_subject_get_rtol (SeamDifferenceSubject *self)
{
  return self->rtol;
}

void
seam_difference_subject_set_tolerances (SeamDifferenceSubject *self, double atol, double rtol)
{
  if (self->result == NULL
      || (seam_doubles_equal (atol, self->atol) && seam_doubles_equal (rtol, self->rtol)))
    return;
  self->atol = atol;
  self->rtol = rtol;
  seam_difference_source_set_tolerances (self->source, atol, rtol);
  seam_watch_notify (self, "atol rtol");
}

const SeamDifferenceShape *
seam_difference_subject_get_shape (SeamDifferenceSubject *self)
{
  return &self->shape;
}
