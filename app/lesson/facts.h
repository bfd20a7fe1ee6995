/* SPDX-License-Identifier: MIT
 *
 * What a step of a lesson may speak of: the plans of one run, by their letters, and everything that
 * was modelled, guessed or measured of them. Formulas (formula.h) read it through one table of
 * functions, so that no number of a lesson is typed in.
 */
#pragma once

#include "app/base/owner.h"
#include "app/explore/explore.h"
#include "app/result/result.h"

#define SEAM_LESSON_MAX_PLANS 6

/* Before a run `result` is NULL, and only what is modelled is known. */
typedef struct {
  const SeamProblem *problem;
  const SeamDeviceInfo *device;
  int n_plans;
  SeamPlan *plans[SEAM_LESSON_MAX_PLANS]; /* A, B, … as the step names them */
  SeamResult *result;
  int places[SEAM_LESSON_MAX_PLANS]; /* of the plans in the result; -1: not in it */
  const SeamExploreView *explored;   /* every partition of the pipeline on this device, or NULL */
  const SeamSearch *search;          /* what `explored` shows, or NULL */
  double guess_ns[SEAM_LESSON_MAX_PLANS]; /* the model's guess; NaN: none */
  double guess_low_ns[SEAM_LESSON_MAX_PLANS], guess_high_ns[SEAM_LESSON_MAX_PLANS];
  int end; /* 0: medians count. 1, -1: of each time and ratio the end of its interval at which plan
            * A is slowest, or fastest, beside the others */
} SeamLessonFacts;

/* What the run found of a plan; NULL: nothing, or there are no facts. */
const SeamPlanResult *seam_lesson_facts_get_measured (const SeamLessonFacts *facts, int plan);

/* What a value is a number of. */
typedef enum {
  SEAM_VALUE_TIME, /* ns */
  SEAM_VALUE_BYTES,
  SEAM_VALUE_RATE,  /* bytes/s */
  SEAM_VALUE_RATIO, /* "1.84×" */
  SEAM_VALUE_SHARE, /* a fraction, shown in percent */
  SEAM_VALUE_COUNT,
  SEAM_VALUE_NUMBER, /* has no unit: a literal, an error */
  SEAM_VALUE_YES_NO, /* 1 or 0 */
  SEAM_VALUE_TEXT,
} SeamValueKind;

typedef struct {
  SeamValueKind kind;
  double number; /* NaN: unknown */
  char *text;    /* of SEAM_VALUE_TEXT, owned; NULL: unknown */
} SeamLessonValue;

/* Arguments of a function, as a formula writes them: "kernel(A, conv2d)". */
typedef struct {
  int plans[2];   /* places of letters; those that are not used are -1 */
  const char *op; /* name of an op */
  int seam;       /* from 0 */
  const char *words[2];
} SeamLessonArguments;

typedef struct SeamLessonCall SeamLessonCall;

typedef struct {
  const char *name;
  const char *takes; /* p: plan, o: op, s: seam, w: word */
  SeamValueKind kind;
  gboolean measured; /* tells what a run of its plans found */
  const char *words; /* for the help page */
  void (*get) (const SeamLessonCall *call, SeamLessonValue *value);
  char *(*found) (
      const SeamLessonCall *call); /* what is there, in words; NULL: the value says it */
} SeamLessonFunction;

/* Ends with an entry without a name. */
extern const SeamLessonFunction seam_lesson_functions[];
/* Plans that the step does not have leave the value unknown; without facts (NULL: nothing was run
 * yet) every value is. */
void seam_lesson_function_call (const SeamLessonFunction *function, const SeamLessonFacts *facts,
                                const SeamLessonArguments *arguments, SeamLessonValue *value);

/* What a check found where it asked for this: "B is full"; NULL: nothing is known. Newly allocated.
 */
char *seam_lesson_function_describe (const SeamLessonFunction *function,
                                     const SeamLessonFacts *facts,
                                     const SeamLessonArguments *arguments);

/* Plans, problem and device of a result. `letters` are plans by name or notation, in the order of
 * their letters. Free it with seam_owner_free(). SEAM_ERROR_INPUT names a plan that the result does
 * not have. */
SeamLessonFacts *seam_lesson_facts_new (SeamResult *result, const char *const *letters,
                                        GError **error);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamLessonFacts, seam_owner_free)
/* Of a run that the learner made: its plans have letters in their order. */
SeamLessonFacts *seam_lesson_facts_new_measured (SeamResult *result, GError **error);
/* The same before a run, on no device. */
SeamLessonFacts *seam_lesson_facts_new_planned (SeamPipeline *pipeline, const char *preset,
                                                const char *const *letters, GError **error);

/* Larger numbers are not exact, and fit no integer; they are unknown. */
#define SEAM_LESSON_LARGEST 9007199254740992.0
void seam_lesson_value_clear (SeamLessonValue *value);
/* "0.923 ms", "4.51×", "63.0 %", "seven" (`form` "words"); `form` may be NULL. Newly allocated. */
char *seam_lesson_value_format (const SeamLessonValue *value, const char *form);
