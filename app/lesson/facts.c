/* SPDX-License-Identifier: MIT
 *
 * The functions of lessons, and where their values come from.
 */
#include "app/lesson/facts.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/explain/bounds.h"
#include "app/explain/guess.h"
#include "app/explain/read-result.h"
#include "app/plan/ceiling.h"

#include <math.h>
#include <string.h>

/* A call of a function in a formula, with what its arguments stand for. */
struct SeamLessonCall {
  const SeamLessonFacts *facts;
  const SeamLessonArguments *arguments;
  const SeamPlan *plan;        /* the first that it names; NULL: none */
  const SeamPlanResult *a, *b; /* what a run found of the plans that it names; NULL: nothing */
  int op;                      /* place of the op that it names in the chain; -1: no such op */
};

const SeamPlanResult *
seam_lesson_facts_get_measured (const SeamLessonFacts *facts, int plan)
{
  return facts != NULL && facts->result != NULL && plan >= 0 && plan < facts->n_plans
                 && facts->places[plan] >= 0
             ? &facts->result->plans[facts->places[plan]]
             : NULL;
}

static int
find_op (const SeamChain *chain, const char *name)
{
  for (int i = 0; name != NULL && i < chain->n_ops; i++)
    if (strcmp (chain->ops[i].name, name) == 0)
      return i;
  return -1;
}

/* FALSE: the facts do not have what the arguments name. */
static gboolean
prepare_call (SeamLessonCall *call, const SeamLessonFacts *facts,
              const SeamLessonArguments *arguments)
{
  const int *plans = arguments->plans;

  if (facts == NULL || facts->problem == NULL || MAX (plans[0], plans[1]) >= facts->n_plans)
    return FALSE;
  *call = (SeamLessonCall){ .facts = facts, .arguments = arguments };
  call->plan = plans[0] >= 0 ? facts->plans[plans[0]] : NULL;
  call->a = seam_lesson_facts_get_measured (facts, plans[0]);
  call->b = seam_lesson_facts_get_measured (facts, plans[1]);
  call->op = find_op (call->plan != NULL ? seam_plan_get_chain (call->plan)
                                         : &facts->problem->pipeline->chains[0],
                      arguments->op);
  return TRUE;
}

void
seam_lesson_function_call (const SeamLessonFunction *function, const SeamLessonFacts *facts,
                           const SeamLessonArguments *arguments, SeamLessonValue *value)
{
  SeamLessonCall call;

  if (prepare_call (&call, facts, arguments))
    function->get (&call, value);
}

/* All zero: not known. */
static SeamRates
get_rates (const SeamLessonFacts *facts)
{
  SeamRates rates = { 0 };

  return facts->result != NULL && seam_bounds_get_rates (facts->result, facts->problem, &rates)
             ? rates
             : (SeamRates){ 0 };
}

static SeamCeiling
get_ceiling (const SeamLessonFacts *facts)
{
  SeamRates rates = get_rates (facts);
  SeamCeiling ceiling;

  seam_ceiling (facts->problem, &rates, &ceiling);
  return ceiling;
}

static double
find_fewest_bytes (const SeamLessonFacts *facts)
{
  SeamFloor floor;

  seam_problem_get_floor (facts->problem, 0, TRUE, 0, 0, &floor);
  return floor.bytes;
}

static double
find_bytes (const SeamLessonCall *of)
{
  SeamPlanCost cost;

  seam_plan_cost (of->facts->problem, of->plan, &cost);
  return cost.bytes;
}

/* Of two plans that were measured. */
static SeamVerdict *
make_verdict (const SeamLessonCall *of)
{
  const int *plans = of->arguments->plans;

  return seam_verdict_new (of->facts->result, of->facts->places[plans[0]],
                           of->facts->places[plans[1]]);
}

/* 1: the end at which the second plan of the call is fastest. */
static int
get_end (const SeamLessonCall *of)
{
  const int *plans = of->arguments->plans;

  return plans[0] < plans[1] ? of->facts->end : -of->facts->end;
}

static gboolean
has_verdict (const SeamLessonCall *of, SeamVerdictKind kind)
{
  g_autoptr (SeamVerdict) verdict = make_verdict (of);

  return verdict->kind == kind
         || (verdict->kind == SEAM_VERDICT_UNCLEAR
             && get_end (of) == (kind == SEAM_VERDICT_FASTER ? 1 : -1));
}

static double
find_elapsed (const SeamLessonCall *of)
{
  int end = of->arguments->plans[0] == 0 ? of->facts->end : -of->facts->end;
  double bound = end == 0 ? NAN : end > 0 ? of->a->ci_high_ns : of->a->ci_low_ns;

  return isnan (bound) ? of->a->median_ns : bound;
}

static double
find_ratio (const SeamLessonCall *of)
{
  g_autoptr (SeamVerdict) verdict = of->facts->end != 0 ? make_verdict (of) : NULL;
  double bound = verdict == NULL    ? NAN
                 : get_end (of) > 0 ? verdict->ratio_high
                                    : verdict->ratio_low;

  return isnan (bound) ? of->a->median_ns / of->b->median_ns : bound;
}

/* A function whose number is the last argument, if the one before says that it is known. */
#define GET(function, known, value_)                                                               \
  static void function (const SeamLessonCall *of, SeamLessonValue *value)                          \
  {                                                                                                \
    if (known)                                                                                     \
      value->number = (double)(value_);                                                            \
  }
#define DIFFERENCE of->a->difference
#define DEVICE     of->facts->device
#define PROBLEM    of->facts->problem
#define EXPLORED   of->facts->explored
#define SEAM       of->arguments->seam
#define WORDS      of->arguments->words
GET (get_elapsed, of->a != NULL, find_elapsed (of))
GET (get_low, of->a != NULL, of->a->ci_low_ns)
GET (get_high, of->a != NULL, of->a->ci_high_ns)
/* Those of the kernels that ran: what a hand-written kernel stores and reads again is in them. */
GET (get_traffic, of->a != NULL, of->a->bytes)
GET (get_ratio, of->a != NULL && of->b != NULL && of->b->median_ns > 0, find_ratio (of))
GET (get_kernels, of->a != NULL && of->a->n_kernels >= 0, of->a->n_kernels)
GET (get_error, of->a != NULL && DIFFERENCE != NULL, DIFFERENCE->max_error_ratio)
GET (get_failing, of->a != NULL && DIFFERENCE != NULL && DIFFERENCE->n_elements > 0,
     (double)DIFFERENCE->n_failing / (double)DIFFERENCE->n_elements)
GET (get_is_faster, of->a != NULL && of->b != NULL, has_verdict (of, SEAM_VERDICT_FASTER))
GET (get_is_slower, of->a != NULL && of->b != NULL, has_verdict (of, SEAM_VERDICT_SLOWER))
GET (get_guess, TRUE, of->facts->guess_ns[of->arguments->plans[0]])
GET (get_groups, TRUE, of->plan->n_groups)
GET (get_ops, TRUE, PROBLEM->pipeline->chains[0].n_ops)
GET (get_bytes, TRUE, find_bytes (of))
GET (get_tensor, of->op >= 0, PROBLEM->tensors[SEAM_TENSOR_OUTPUT (of->op)].bytes)
GET (get_input, TRUE, PROBLEM->tensors[SEAM_TENSOR_INPUT].bytes)
GET (get_seam_bytes, SEAM < seam_plan_get_chain (of->plan)->n_ops - 1,
     seam_plan_seam_bytes (PROBLEM, of->plan, SEAM))
GET (get_fused, SEAM < seam_plan_get_chain (of->plan)->n_ops - 1,
     (seam_plan_get_fused_seams (of->plan) >> SEAM) & 1)
GET (get_is_plan, TRUE, g_strcmp0 (of->plan->name, WORDS[0]) == 0)
GET (get_is_pipeline, TRUE, strcmp (PROBLEM->pipeline->id, WORDS[0]) == 0)
GET (get_is_preset, of->facts->result != NULL, g_strcmp0 (of->facts->result->preset, WORDS[0]) == 0)
GET (get_block_memory, DEVICE != NULL && DEVICE->block_shared_bytes > 0, DEVICE->block_shared_bytes)
GET (get_rate, get_rates (of->facts).bytes_per_s > 0, get_rates (of->facts).bytes_per_s)
GET (get_cache, get_rates (of->facts).cache_bytes > 0, get_rates (of->facts).cache_bytes)
GET (get_floor, DEVICE != NULL, get_ceiling (of->facts).floor.floor_ns)
GET (get_memory_time, DEVICE != NULL, get_ceiling (of->facts).memory_ns)
GET (get_compute_time, DEVICE != NULL, get_ceiling (of->facts).compute_ns)
GET (get_memory_bound, DEVICE != NULL && isfinite (get_ceiling (of->facts).floor.floor_ns),
     get_ceiling (of->facts).floor.memory_bound)
GET (get_fewest_bytes, TRUE, find_fewest_bytes (of->facts))
GET (get_worth, EXPLORED != NULL && SEAM < EXPLORED->n_seams, EXPLORED->worth[SEAM].mean)
GET (get_best_time, EXPLORED != NULL && EXPLORED->best >= 0, EXPLORED->times_ns[EXPLORED->best])

/* The time of the kernels that execute the op: of a fused kernel its whole time. Without an op that
 * of all kernels, copies included. */
static void
get_kernel (const SeamLessonCall *of, SeamLessonValue *value)
{
  for (int i = 0; of->a != NULL && of->a->kernels != NULL && i < of->a->n_kernels; i++) {
    const SeamKernel *kernel = &of->a->kernels[i];
    if (of->arguments->op == NULL
        || (of->op >= 0 && kernel->first_op <= of->op && of->op <= kernel->last_op
            && !kernel->is_copy))
      value->number = kernel->median_ns + (isnan (value->number) ? 0 : value->number);
  }
}

/* The bytes that the group with the op reads and writes. */
static void
get_group_bytes (const SeamLessonCall *of, SeamLessonValue *value)
{
  for (int i = 0; i < of->plan->n_groups; i++)
    if (of->op >= of->plan->groups[i].first && of->op <= of->plan->groups[i].last) {
      SeamGroupCost cost;
      seam_group_cost (PROBLEM, of->plan, i, &cost);
      value->number = cost.bytes_read + cost.bytes_written;
    }
}

static void
get_field (const SeamLessonCall *of, SeamLessonValue *value)
{
  const SeamPipeline *pipeline = PROBLEM->pipeline;

  for (int i = 0; i < pipeline->n_fields; i++)
    if (strcmp (pipeline->fields[i].key, WORDS[0]) == 0)
      value->number = (double)PROBLEM->values[i];
}

static void
get_best_seam (const SeamLessonCall *of, SeamLessonValue *value)
{
  double most = 0;

  for (int i = 0; EXPLORED != NULL && i < EXPLORED->n_seams; i++)
    if (EXPLORED->worth[i].mean > most) {
      most = EXPLORED->worth[i].mean;
      value->number = i + 1;
    }
}

/* Whether outputs were compared with something that may be relied on, on inputs that show what is
 * wrong: a person may compare with an exhibit or with code of their own, or make mistakes on
 * purpose. */
static gboolean
is_honest (const SeamResult *result)
{
  if (result->pitfalls != NULL)
    return FALSE;
  if (result->against < 0)
    return TRUE;
  const SeamPlanResult *against = &result->plans[result->against];
  return !against->exhibit
         && (against->executed == NULL
             || strstr (against->executed, "@" SEAM_IMPLEMENTATION_EDITED) == NULL);
}

/* Whether the outputs of the other plans were compared with that of this one. */
static gboolean
is_reference (const SeamLessonCall *of)
{
  return of->a != NULL && of->facts->places[of->arguments->plans[0]] == of->facts->result->against;
}

static void
get_agrees (const SeamLessonCall *of, SeamLessonValue *value)
{
  if (of->a == NULL || of->a->n_samples == 0 || !is_honest (of->facts->result)
      || seam_difference_judge (DIFFERENCE) == SEAM_OUTPUTS_SHOWN_NOTHING)
    return;
  if (DIFFERENCE != NULL)
    value->number = DIFFERENCE->n_failing == 0 && of->a->stable;
  else if (is_reference (of))
    value->number = of->a->stable;
}

static void
get_is_wrong (const SeamLessonCall *of, SeamLessonValue *value)
{
  get_agrees (of, value);
  value->number = 1 - value->number;
}

/* Whether the person's own text ran in the group with the op. */
static void
get_edited (const SeamLessonCall *of, SeamLessonValue *value)
{
  if (of->a == NULL || of->op < 0 || of->a->executed == NULL)
    return;
  g_autoptr (SeamPlan) executed = seam_plan_parse (PROBLEM->pipeline, of->a->executed, NULL);
  value->number = 0;
  for (int i = 0; executed != NULL && i < executed->n_groups; i++)
    if (of->op >= executed->groups[i].first && of->op <= executed->groups[i].last)
      value->number = seam_group_is (&executed->groups[i], SEAM_IMPLEMENTATION_EDITED);
}

/* The value of the setting that is asked for; NULL: there was no run, or no such setting. */
static char *
format_setting (const SeamLessonCall *of)
{
  const SeamField *field = seam_settings_find_option (WORDS[0]);

  return field != NULL && of->facts->result != NULL
             ? seam_setting_format (field, &of->facts->result->settings)
             : NULL;
}

static void
get_setting (const SeamLessonCall *of, SeamLessonValue *value)
{
  g_autofree char *text = format_setting (of);

  if (text != NULL)
    value->number = strcmp (text, WORDS[1]) == 0;
}

/* A function whose text is the last argument. */
#define GET_TEXT(function, text_)                                                                  \
  static void function (const SeamLessonCall *of, SeamLessonValue *value)                          \
  {                                                                                                \
    value->text = text_;                                                                           \
  }
GET_TEXT (get_device, g_strdup (DEVICE != NULL ? DEVICE->name : NULL))
GET_TEXT (get_shape, seam_problem_describe_shape (PROBLEM))
GET_TEXT (get_plan, g_strdup (seam_plan_get_title (of->plan)))
GET_TEXT (get_math, g_strdup (of->facts->result != NULL
                                  ? seam_choice_get_title (seam_math_modes,
                                                           of->facts->result->settings.math_mode)
                                  : NULL))

/* ---- what a check found ---- */

static char *
find_verdict (const SeamLessonCall *of)
{
  g_autoptr (SeamVerdict) verdict = of->a != NULL && of->b != NULL ? make_verdict (of) : NULL;

  if (verdict == NULL || verdict->kind == SEAM_VERDICT_NONE)
    return g_strdup ("no times");
  return g_strjoin (", ", verdict->headline,
                    verdict->detail != NULL ? verdict->detail : verdict->next_step,
                    verdict->detail != NULL ? verdict->next_step : NULL, NULL);
}

static char *
find_outputs (const SeamLessonCall *of)
{
  g_autoptr (SeamAgreement) agreement =
      of->a != NULL && DIFFERENCE != NULL ? seam_agreement_new (DIFFERENCE) : NULL;

  if (agreement == NULL && is_reference (of))
    return g_strdup_printf ("%c is what the others are compared with",
                            'A' + of->arguments->plans[0]);
  return g_strdup (agreement != NULL ? agreement->headline : "outputs were not compared");
}

/* A function that finds the last argument. */
#define FIND(function, text_)                                                                      \
  static char *function (const SeamLessonCall *of)                                                 \
  {                                                                                                \
    return text_;                                                                                  \
  }
FIND (find_plan,
      g_strdup_printf ("%c is %s", 'A' + of->arguments->plans[0], seam_plan_get_title (of->plan)))
FIND (find_pipeline, g_strdup (PROBLEM->pipeline->id))
FIND (find_preset, of->facts->result != NULL ? g_strdup (of->facts->result->preset) : NULL)

static char *
find_setting (const SeamLessonCall *of)
{
  g_autofree char *text = format_setting (of);

  return text != NULL ? g_strdup_printf ("%s: %s", WORDS[0], text) : NULL;
}

#define BYTES  SEAM_VALUE_BYTES
#define COUNT  SEAM_VALUE_COUNT
#define NUMBER SEAM_VALUE_NUMBER
#define RATE   SEAM_VALUE_RATE
#define RATIO  SEAM_VALUE_RATIO
#define SHARE  SEAM_VALUE_SHARE
#define TEXT   SEAM_VALUE_TEXT
#define TIME   SEAM_VALUE_TIME
#define YES_NO SEAM_VALUE_YES_NO
const SeamLessonFunction seam_lesson_functions[] = {
  { "elapsed", "p", TIME, TRUE, "median time of a plan", get_elapsed },
  { "low", "p", TIME, TRUE, "lower end of the 95 % interval of a plan", get_low },
  { "high", "p", TIME, TRUE, "upper end of the 95 % interval of a plan", get_high },
  { "ratio", "pp", RATIO, TRUE, "how many times faster the second plan is", get_ratio,
    find_verdict },
  { "kernel", "po", TIME, TRUE, "time of the kernels that execute an op in a plan", get_kernel },
  { "all_kernels", "p", TIME, TRUE, "time of all kernels of a plan, copies included", get_kernel },
  { "kernels", "p", COUNT, TRUE, "kernels that a plan launches", get_kernels },
  { "error", "p", NUMBER, TRUE, "largest error of a plan's output", get_error },
  { "failing", "p", SHARE, TRUE, "share of a plan's elements over their limit", get_failing },
  { "is_faster", "pp", YES_NO, TRUE, "the verdict: the second plan is faster", get_is_faster,
    find_verdict },
  { "is_slower", "pp", YES_NO, TRUE, "the verdict: the second plan is slower", get_is_slower,
    find_verdict },
  { "agrees", "p", YES_NO, TRUE, "the plan's output is within its limits", get_agrees,
    find_outputs },
  { "is_wrong", "p", YES_NO, TRUE, "its output is over its limits", get_is_wrong, find_outputs },
  { "edited", "po", YES_NO, TRUE, "a person's own code computed an op in a plan", get_edited },
  { "worth", "s", TIME, TRUE, "time that fusing a seam saves, from Explore", get_worth },
  { "best_seam", "", COUNT, TRUE, "the seam that saves most, from Explore", get_best_seam },
  { "best_time", "", TIME, TRUE, "the fastest partition's time, from Explore", get_best_time },
  { "guess", "p", TIME, FALSE, "the model's guess of a plan's time", get_guess },
  { "groups", "p", COUNT, FALSE, "groups of a plan", get_groups },
  { "ops", "", COUNT, FALSE, "ops of the pipeline", get_ops },
  { "bytes", "p", BYTES, FALSE, "bytes that a plan moves, modelled", get_bytes },
  { "traffic", "p", BYTES, FALSE, "bytes of the kernels that a plan ran, modelled", get_traffic },
  { "group_bytes", "po", BYTES, FALSE, "bytes that the group with an op moves in a plan",
    get_group_bytes },
  { "seam_bytes", "ps", BYTES, FALSE, "bytes that toggling a seam of a plan saves or costs",
    get_seam_bytes },
  { "tensor", "o", BYTES, FALSE, "size of an op's output", get_tensor },
  { "input", "", BYTES, FALSE, "size of the input", get_input },
  { "fewest_bytes", "", BYTES, FALSE, "bytes that every plan must move", get_fewest_bytes },
  { "floor", "", TIME, FALSE, "no correct plan is faster", get_floor },
  { "memory_time", "", TIME, FALSE,
    "the fewest bytes, less what the cache holds, at the memory rate", get_memory_time },
  { "compute_time", "", TIME, FALSE, "the operations at the device's full rate", get_compute_time },
  { "memory_bound", "", YES_NO, FALSE, "memory, not arithmetic, makes the floor",
    get_memory_bound },
  { "rate", "", RATE, FALSE, "memory rate of the device", get_rate },
  { "cache", "", BYTES, FALSE, "last-level cache of the device", get_cache },
  { "fused", "ps", YES_NO, FALSE, "a plan fuses a seam", get_fused },
  { "is_plan", "pw", YES_NO, FALSE, "it is the plan of that name", get_is_plan, find_plan },
  { "setting", "ww", YES_NO, FALSE, "a setting of the run has that value", get_setting,
    find_setting },
  { "is_pipeline", "w", YES_NO, FALSE, "it is the pipeline of that name", get_is_pipeline,
    find_pipeline },
  { "is_preset", "w", YES_NO, FALSE, "the shape is the preset of that name", get_is_preset,
    find_preset },
  { "field", "w", COUNT, FALSE, "a field of the shape", get_field },
  { "block_memory", "", BYTES, FALSE, "shared memory that one thread block of a GPU can use",
    get_block_memory },
  { "device", "", TEXT, FALSE, "name of the device", get_device },
  { "shape", "", TEXT, FALSE, "the shape", get_shape },
  { "plan", "p", TEXT, FALSE, "title of a plan", get_plan },
  { "math", "", TEXT, FALSE, "the math mode", get_math },
  { .name = NULL },
};

/* "median time of plan B: 1.84 ms": the words of the table, of what the arguments name. */
static char *
describe_value (const SeamLessonFunction *function, const SeamLessonCall *of)
{
  g_autoptr (GString) words = g_string_new (function->words);
  g_autofree char *plan = g_strdup_printf ("plan %c", 'A' + of->arguments->plans[0]);
  g_autofree char *seam = g_strdup_printf ("seam %d", SEAM + 1);
  SeamLessonValue value = { .kind = function->kind, .number = NAN };

  g_string_replace (words, "a plan", plan, 0);
  g_string_replace (words, "a seam", seam, 0);
  g_string_replace (words, "an op", of->arguments->op != NULL ? of->arguments->op : "", 0);
  g_string_replace (words, "a field", WORDS[0] != NULL ? WORDS[0] : "", 0);
  function->get (of, &value);
  g_autofree char *text = seam_lesson_value_format (&value, NULL);
  seam_lesson_value_clear (&value);
  return g_strdup_printf ("%s: %s", words->str, text);
}

char *
seam_lesson_function_describe (const SeamLessonFunction *function, const SeamLessonFacts *facts,
                               const SeamLessonArguments *arguments)
{
  SeamLessonCall call;

  if (!prepare_call (&call, facts, arguments))
    return g_strdup_printf ("no plan %c", 'A' + MAX (arguments->plans[0], arguments->plans[1]));
  return function->found != NULL ? function->found (&call) : describe_value (function, &call);
}

/* Whether plan `place` of the result is the one that a lesson names. */
static gboolean
is_same_plan (const SeamPlanResult *measured, const SeamPlan *plan, const char *wanted)
{
  return g_strcmp0 (measured->name, wanted) == 0 || g_strcmp0 (measured->notation, wanted) == 0
         || g_strcmp0 (measured->notation, plan->notation) == 0;
}

/* Takes the problem; NULL if there is none, or if a plan cannot be read. */
static SeamLessonFacts *
facts_new (SeamProblem *problem, SeamResult *result, const char *const *letters, GError **error)
{
  g_autoptr (SeamLessonFacts) facts = problem != NULL ? seam_owner_new (SeamLessonFacts) : NULL;

  if (facts == NULL)
    return NULL;
  facts->problem = seam_keep_full (facts, problem, (GDestroyNotify)seam_problem_free);
  if (result != NULL) {
    facts->result =
        seam_keep_full (facts, seam_result_ref (result), (GDestroyNotify)seam_result_unref);
    facts->device = result->device;
  }
  for (int i = 0; i < SEAM_LESSON_MAX_PLANS; i++) {
    facts->places[i] = -1;
    facts->guess_ns[i] = facts->guess_low_ns[i] = facts->guess_high_ns[i] = NAN;
  }
  for (int i = 0; letters != NULL && letters[i] != NULL; i++) {
    if (i == SEAM_LESSON_MAX_PLANS)
      return seam_fail_null (error, SEAM_ERROR_INPUT, "A step has at most %d plans.",
                             SEAM_LESSON_MAX_PLANS);
    facts->plans[i] = seam_keep_full (facts, seam_plan_parse (problem->pipeline, letters[i], error),
                                      (GDestroyNotify)seam_plan_unref);
    if (facts->plans[i] == NULL)
      return NULL;
    facts->n_plans = i + 1;
    for (int k = 0; result != NULL && k < result->n_plans; k++)
      if (is_same_plan (&result->plans[k], facts->plans[i], letters[i]))
        facts->places[i] = k;
    if (result != NULL && facts->places[i] < 0)
      return seam_fail_null (error, SEAM_ERROR_INPUT, "The run has no plan “%s”.", letters[i]);
  }
  return g_steal_pointer (&facts);
}

/* Guesses what a learner may predict: from the times of plan A, and from nothing else that the
 * result knows. */
static void
guess_times (SeamLessonFacts *facts)
{
  g_autoptr (SeamKnown) known = seam_known_new_for_result (facts->result, NULL);

  if (known == NULL || facts->n_plans == 0)
    return;
  seam_known_add (known, facts->result, facts->places[0]);
  for (int i = 0; i < facts->n_plans; i++) {
    SeamGuess guess;
    g_auto (GStrv) executed = seam_known_split_executed (
        facts->result->plans[facts->places[i]].executed, facts->plans[i]);
    seam_guess (known, facts->problem, facts->plans[i], (const char *const *)executed, NULL,
                &guess);
    facts->guess_ns[i] = guess.ns;
    facts->guess_low_ns[i] = guess.low_ns;
    facts->guess_high_ns[i] = guess.high_ns;
  }
}

SeamLessonFacts *
seam_lesson_facts_new (SeamResult *result, const char *const *letters, GError **error)
{
  SeamLessonFacts *facts =
      facts_new (seam_explain_read_problem (result, error), result, letters, error);

  if (facts != NULL)
    guess_times (facts);
  return facts;
}

SeamLessonFacts *
seam_lesson_facts_new_measured (SeamResult *result, GError **error)
{
  const char *letters[SEAM_LESSON_MAX_PLANS + 1] = { NULL };

  for (int i = 0; i < MIN (result->n_plans, SEAM_LESSON_MAX_PLANS); i++)
    letters[i] = seam_plan_result_get_name (&result->plans[i]);
  return seam_lesson_facts_new (result, letters, error);
}

SeamLessonFacts *
seam_lesson_facts_new_planned (SeamPipeline *pipeline, const char *preset,
                               const char *const *letters, GError **error)
{
  return facts_new (seam_problem_new_from_text (pipeline, preset, NULL, error), NULL, letters,
                    error);
}

void
seam_lesson_value_clear (SeamLessonValue *value)
{
  g_clear_pointer (&value->text, g_free);
}

static char *
format_count (double number, gboolean in_words)
{
  static const char *const words[] = { "no",    "one",   "two",  "three", "four",   "five",  "six",
                                       "seven", "eight", "nine", "ten",   "eleven", "twelve" };

  if (in_words && number >= 0 && number < G_N_ELEMENTS (words))
    return g_strdup (words[(int)number]);
  return seam_text_count ((gint64)llround (number));
}

char *
seam_lesson_value_format (const SeamLessonValue *value, const char *form)
{
  if (value->kind == SEAM_VALUE_TEXT)
    return g_strdup (value->text != NULL ? value->text : SEAM_DASH);
  if (!(fabs (value->number) <= SEAM_LESSON_LARGEST))
    return g_strdup (SEAM_DASH);
  switch (value->kind) {
  case SEAM_VALUE_TIME:
    return seam_text_time (value->number);
  case SEAM_VALUE_BYTES:
    return seam_text_bytes (value->number);
  case SEAM_VALUE_RATE:
    return seam_text_rate (value->number);
  case SEAM_VALUE_RATIO:
    return seam_text_ratio (value->number);
  case SEAM_VALUE_SHARE: {
    g_autofree char *percent = seam_text_percent (value->number);
    return g_strconcat (percent, " %", NULL);
  }
  case SEAM_VALUE_COUNT:
    return format_count (value->number, g_strcmp0 (form, "words") == 0);
  case SEAM_VALUE_YES_NO:
    return g_strdup (value->number != 0 ? "yes" : "no");
  case SEAM_VALUE_NUMBER:
  case SEAM_VALUE_TEXT:
    break;
  }
  return fabs (value->number) < 0.01 && value->number != 0
             ? seam_text_scientific (value->number)
             : seam_text_significant (value->number, 3);
}
