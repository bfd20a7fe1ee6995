/* SPDX-License-Identifier: MIT
 *
 * The checks of the lessons that come with the program: a right solution passes each, and none of
 * the wrong ones that are planted here does. A solution is a recorded run, or a run made here on a
 * tiny shape, perhaps spoiled afterwards in the way of a run that was stopped, slow or wrong.
 */
#include "app/lesson/score.h"
#include "app/runner/runner.h"
#include "app/session/session.h"

#include <math.h>
#include <string.h>

#define LEAST_WRONG 50

#define HARDSWISH "conv-relu-hardswish"
#define SWISH     "matmul-swish-bias-groupnorm"
#define GEMM      "gemm-bias-relu"
#define NORM      "conv-bias-scale-sigmoid-groupnorm"
#define SWISH_CUT "matmul|matmul_bias|sigmoid+mul|bias|groupnorm"

/* `last` is the last plan that the letters name. */
typedef void (*Spoil) (SeamResult *result, SeamPlanResult *last);

/* Inputs and shape of a run here: uniform and tiny, or those that show a missing clamp, or only
 * some of that. */
typedef enum { USUAL, PROBE, MANY_PRODUCTS, FEW_ELEMENTS } Inputs;

typedef struct {
  int lesson;
  const char *step;
  gboolean right;
  const char *words;   /* what is wrong */
  const char *run;     /* a sample, or a pipeline that is run here with the letters as plans */
  const char *letters; /* plans A, B, … of the learner */
  SeamInitMode init_mode;
  Spoil spoil;
  Inputs inputs;
} Solution;

static void
be_wrong (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  last->difference->n_failing = 1;
}

static void
be_nan (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  last->difference->n_failing = last->difference->n_nan_a = last->difference->n_elements;
}

static void
be_unstable (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  last->stable = FALSE;
}

static void
be_uncompared (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  seam_difference_free (last->difference);
  last->difference = NULL;
}

static void
be_unmeasured (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  last->state = SEAM_PLAN_NOT_MEASURED;
  last->n_samples = 0;
  last->median_ns = last->ci_low_ns = last->ci_high_ns = NAN;
}

static void
be_stopped (SeamResult *result, SeamPlanResult *last)
{
  be_unmeasured (result, last);
  last->state = SEAM_PLAN_STOPPED_EARLY;
  result->stopped = TRUE;
}

static void
scale (SeamPlanResult *plan, double factor)
{
  for (int i = 0; i < plan->n_samples; i++)
    plan->samples[i].elapsed_ns *= factor;
  plan->median_ns *= factor;
  plan->ci_low_ns *= factor;
  plan->ci_high_ns *= factor;
  for (int i = 0; i < plan->n_kernels; i++)
    plan->kernels[i].median_ns *= factor;
}

static void
be_slow (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  scale (last, 20);
}

static void
be_fast (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  scale (last, 0.02);
}

/* As fast as plan A: the times of A. */
static void
be_same (SeamResult *result, SeamPlanResult *last)
{
  const SeamPlanResult *a = &result->plans[0];

  last->n_samples = MIN (last->n_samples, a->n_samples);
  for (int i = 0; i < last->n_samples; i++)
    last->samples[i].elapsed_ns = a->samples[i].elapsed_ns;
  last->median_ns = a->median_ns;
  last->ci_low_ns = a->ci_low_ns;
  last->ci_high_ns = a->ci_high_ns;
}

/* Stopped after a few samples, which give no interval. */
static void
be_short (SeamResult *result, SeamPlanResult *last)
{
  result->stopped = TRUE;
  last->n_samples = MIN (last->n_samples, 3);
  last->ci_low_ns = last->ci_high_ns = NAN;
}

static void
be_zeros (SeamResult *result, SeamPlanResult *last)
{
  (void)last;
  result->pitfalls = g_strdup ("zeros");
}

/* The learner compares with the plan in question itself. */
static void
be_edited (SeamResult *result, SeamPlanResult *last)
{
  (void)result;
  g_free (last->executed);
  last->executed = g_strdup ("conv@cpu|conv_bias+relu+add3+div6+clamp+mul@edited");
  scale (last, 0.02);
}

static void
be_own_reference (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  be_uncompared (result, last);
  result->against = (int)(last - result->plans);
}

static void
be_edited_wrong (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  be_wrong (result, last);
}

static void
be_edited_nan (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  be_nan (result, last);
}

static void
be_edited_slow (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  scale (last, 1000);
}

static void
be_edited_same (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  be_same (result, last);
}

static void
be_edited_unstable (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  be_unstable (result, last);
}

static void
be_edited_stopped (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  be_stopped (result, last);
}

static void
be_edited_zeros (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  be_zeros (result, last);
}

static void
be_uniform (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  result->settings.distribution = SEAM_DISTRIBUTION_UNIFORM;
}

static void
be_other_group (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  g_free (last->executed);
  last->executed = g_strdup ("conv@edited|conv_bias+relu+add3+div6+clamp+mul@generated");
}

static void
be_part (SeamResult *result, SeamPlanResult *last)
{
  be_edited (result, last);
  g_free (last->executed);
  last->executed = g_strdup ("conv@cpu|conv_bias+relu@edited|add3+div6+clamp+mul@generated");
}

#define SPREAD    SEAM_INIT_MODE_SPREAD
#define FRAMEWORK SEAM_INIT_MODE_FRAMEWORK

static const Solution solutions[] = {
  { 1, "check", TRUE, "", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD, NULL },
  { 1, "check", FALSE, "other pipeline", "laptop-cpu-conv-relu-bias", "unfused,full", SPREAD,
    NULL },
  { 1, "check", FALSE, "unfused twice", HARDSWISH, "unfused,unfused", SPREAD, NULL },
  { 1, "check", FALSE, "published, not full", "laptop-cpu-" HARDSWISH, "unfused,published", SPREAD,
    NULL },
  { 1, "check", FALSE, "the plans are swapped", "laptop-cpu-" HARDSWISH, "full,unfused", SPREAD,
    NULL },
  { 1, "check", FALSE, "an exhibit", HARDSWISH, "unfused,missing-tail", SPREAD, NULL },
  { 1, "check", FALSE, "wrong output", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD, be_wrong },
  { 1, "check", FALSE, "nothing but NaN", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD, be_nan },
  { 1, "check", FALSE, "unstable output", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD,
    be_unstable },
  { 1, "check", FALSE, "not measured", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD,
    be_unmeasured },
  { 1, "check", FALSE, "slower", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD, be_slow },
  { 1, "check", FALSE, "the same time", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD, be_same },
  { 1, "check", FALSE, "too few samples", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD,
    be_short },
  { 1, "check", FALSE, "zeros as input", "laptop-cpu-" HARDSWISH, "unfused,full", SPREAD,
    be_zeros },

  { 2, "check", TRUE, "", SWISH, "unfused," SWISH_CUT, SPREAD, NULL },
  { 2, "check", FALSE, "other pipeline", NORM,
    "unfused,conv|conv_bias|bias+scale|sigmoid|groupnorm", SPREAD, NULL },
  { 2, "check", FALSE, "no seam fused", SWISH, "unfused,unfused", SPREAD, NULL },
  { 2, "check", FALSE, "another seam fused", SWISH,
    "unfused,matmul|matmul_bias+sigmoid|mul|bias|groupnorm", SPREAD, NULL },
  { 2, "check", FALSE, "one seam too many", SWISH,
    "unfused,matmul|matmul_bias+sigmoid+mul|bias|groupnorm", SPREAD, NULL },
  { 2, "check", FALSE, "everything fused", SWISH, "unfused,full", SPREAD, NULL },
  { 2, "check", FALSE, "A is not unfused", SWISH, "published," SWISH_CUT, SPREAD, NULL },
  { 2, "check", FALSE, "stopped before a sample", SWISH, "unfused," SWISH_CUT, SPREAD, be_stopped },
  { 2, "check", FALSE, "wrong output", SWISH, "unfused," SWISH_CUT, SPREAD, be_wrong },
  { 2, "check", FALSE, "not compared", SWISH, "unfused," SWISH_CUT, SPREAD, be_uncompared },

  { 3, "check", TRUE, "", "laptop-cpu-" GEMM, "unfused,epilogue", SPREAD, NULL },
  { 3, "check", FALSE, "other pipeline", "laptop-cpu-" HARDSWISH, "unfused,epilogue", SPREAD,
    NULL },
  { 3, "check", FALSE, "full, not epilogue", "laptop-cpu-" GEMM, "unfused,full", SPREAD, NULL },
  { 3, "check", FALSE, "unfused twice", GEMM, "unfused,unfused", SPREAD, NULL },
  { 3, "check", FALSE, "half of the sums", GEMM, "unfused,half-sums", SPREAD, NULL },
  { 3, "check", FALSE, "wrong output", "laptop-cpu-" GEMM, "unfused,epilogue", SPREAD, be_wrong },
  { 3, "check", FALSE, "not measured", "laptop-cpu-" GEMM, "unfused,epilogue", SPREAD,
    be_unmeasured },
  { 3, "check", FALSE, "A is not unfused", "laptop-cpu-" GEMM, "published,epilogue", SPREAD, NULL },
  { 3, "check", FALSE, "zeros as input", "laptop-cpu-" GEMM, "unfused,epilogue", SPREAD, be_zeros },

  { 4, "check", TRUE, "", "laptop-cpu-" NORM, "unfused,full", SPREAD, NULL },
  { 4, "check", FALSE, "the first chain of the lesson", "laptop-cpu-" SWISH, "unfused,full", SPREAD,
    NULL },
  { 4, "check", FALSE, "published, not full", "laptop-cpu-" NORM, "unfused,published", SPREAD,
    NULL },
  { 4, "check", FALSE, "a race in the statistics", NORM, "unfused,race-in-reduction", SPREAD,
    NULL },
  { 4, "check", FALSE, "unstable output", "laptop-cpu-" NORM, "unfused,full", SPREAD, be_unstable },
  { 4, "check", FALSE, "slower", "laptop-cpu-" NORM, "unfused,full", SPREAD, be_slow },
  { 4, "check", FALSE, "the same time", "laptop-cpu-" NORM, "unfused,full", SPREAD, be_same },
  { 4, "check", FALSE, "too few samples", "laptop-cpu-" NORM, "unfused,full", SPREAD, be_short },

  { 5, "check", TRUE, "", "laptop-cpu-" NORM, "published,full", SPREAD, NULL },
  { 5, "check", FALSE, "other pipeline", "laptop-cpu-" SWISH, "published,full", SPREAD, NULL },
  { 5, "check", FALSE, "A is unfused", "laptop-cpu-" NORM, "unfused,full", SPREAD, NULL },
  { 5, "check", FALSE, "the plans are swapped", "laptop-cpu-" NORM, "full,published", SPREAD,
    NULL },
  { 5, "check", FALSE, "published twice", NORM, "published,published", SPREAD, NULL },
  { 5, "check", FALSE, "wrong output", "laptop-cpu-" NORM, "published,full", SPREAD, be_wrong },
  { 5, "check", FALSE, "not compared", "laptop-cpu-" NORM, "published,full", SPREAD,
    be_uncompared },
  { 5, "check", FALSE, "stopped", "laptop-cpu-" NORM, "published,full", SPREAD, be_stopped },

  { 6, "check-framework", TRUE, "", SWISH, "unfused,without-affine", FRAMEWORK, NULL },
  { 6, "check-framework", FALSE, "spread", SWISH, "unfused,without-affine", SPREAD, NULL },
  { 6, "check-framework", FALSE, "a right plan", SWISH, "unfused,published", FRAMEWORK, NULL },
  { 6, "check-framework", FALSE, "another exhibit", SWISH, "unfused,as-published", FRAMEWORK,
    NULL },
  { 6, "check-framework", FALSE, "other pipeline", NORM, "unfused,without-affine", FRAMEWORK,
    NULL },
  { 6, "check-framework", FALSE, "not measured", SWISH, "unfused,without-affine", FRAMEWORK,
    be_unmeasured },
  { 6, "check-framework", FALSE, "zeros as input", SWISH, "unfused,without-affine", FRAMEWORK,
    be_zeros },

  { 6, "check-spread", TRUE, "", SWISH, "unfused,without-affine", SPREAD, NULL },
  { 6, "check-spread", FALSE, "framework", SWISH, "unfused,without-affine", FRAMEWORK, NULL },
  { 6, "check-spread", FALSE, "a right plan", SWISH, "unfused,published", SPREAD, NULL },
  { 6, "check-spread", FALSE, "another exhibit", SWISH, "unfused,as-published", SPREAD, NULL },
  { 6, "check-spread", FALSE, "other pipeline", NORM, "unfused,without-affine", SPREAD, NULL },
  { 6, "check-spread", FALSE, "stopped before a sample", SWISH, "unfused,without-affine", SPREAD,
    be_stopped },
  { 6, "check-spread", FALSE, "not compared", SWISH, "unfused,without-affine", SPREAD,
    be_uncompared },

  { 7, "check", TRUE, "", "laptop-cpu-" HARDSWISH, "unfused,published,full", SPREAD, be_edited },
  { 7, "check", FALSE, "generated code, unchanged", "laptop-cpu-" HARDSWISH,
    "unfused,published,full", SPREAD, be_fast },
  { 7, "check", FALSE, "no third plan", "laptop-cpu-" HARDSWISH, "unfused,published", SPREAD,
    NULL },
  { 7, "check", FALSE, "the convolution edited", "laptop-cpu-" HARDSWISH, "unfused,published,full",
    SPREAD, be_other_group },
  { 7, "check", FALSE, "only a part written", "laptop-cpu-" HARDSWISH, "unfused,published,full",
    SPREAD, be_part },
  { 7, "check", FALSE, "wrong output", "laptop-cpu-" HARDSWISH, "unfused,published,full", SPREAD,
    be_edited_wrong },
  { 7, "check", FALSE, "nothing written", "laptop-cpu-" HARDSWISH, "unfused,published,full", SPREAD,
    be_edited_nan },
  { 7, "check", FALSE, "slower than unfused", "laptop-cpu-" HARDSWISH, "unfused,published,full",
    SPREAD, be_edited_slow },
  { 7, "check", FALSE, "as slow as unfused", "laptop-cpu-" HARDSWISH, "unfused,published,full",
    SPREAD, be_edited_same },
  { 7, "check", FALSE, "unstable output", "laptop-cpu-" HARDSWISH, "unfused,published,full", SPREAD,
    be_edited_unstable },
  { 7, "check", FALSE, "stopped before a sample", "laptop-cpu-" HARDSWISH, "unfused,published,full",
    SPREAD, be_edited_stopped },
  { 7, "check", FALSE, "zeros as input", "laptop-cpu-" HARDSWISH, "unfused,published,full", SPREAD,
    be_edited_zeros },
  { 7, "check", FALSE, "compared with itself", "laptop-cpu-" HARDSWISH, "unfused,published,full",
    SPREAD, be_own_reference },
  { 7, "check", FALSE, "A is not unfused", "laptop-cpu-" HARDSWISH, "published,unfused,full",
    SPREAD, be_edited },

  { 7, "check-clamp", TRUE, "", HARDSWISH, "unfused,published,full", SPREAD, be_edited, PROBE },
  { 7, "check-clamp", FALSE, "no clamp", HARDSWISH, "unfused,published,full", SPREAD,
    be_edited_wrong, PROBE },
  { 7, "check-clamp", FALSE, "the usual input values", HARDSWISH, "unfused,published,full", SPREAD,
    be_uniform, PROBE },
  { 7, "check-clamp", FALSE, "many products", HARDSWISH, "unfused,published,full", SPREAD,
    be_edited, MANY_PRODUCTS },
  { 7, "check-clamp", FALSE, "few elements", HARDSWISH, "unfused,published,full", SPREAD, be_edited,
    FEW_ELEMENTS },
  { 7, "check-clamp", FALSE, "not edited", HARDSWISH, "unfused,published,full", SPREAD, be_fast,
    PROBE },
  { 7, "check-clamp", FALSE, "stopped before a sample", HARDSWISH, "unfused,published,full", SPREAD,
    be_edited_stopped, PROBE },
  { 7, "check-clamp", FALSE, "compared with itself", HARDSWISH, "unfused,published,full", SPREAD,
    be_own_reference, PROBE },
};

static GHashTable *results; /* run and letters -> SeamResult */
static SeamRunner *runner;

static SeamResult *
load_sample (const char *name)
{
  g_autofree char *path = seam_lesson_get_sample_path (name);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_load (path, &error);
  g_assert_no_error (error);
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, 0, &error);
  g_assert_no_error (error);

  return seam_result_ref (run->result);
}

static SeamResult *
run_here (const Solution *solution, char **plans)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (solution->run, &error);
  g_assert_no_error (error);
  const SeamPreset *preset = seam_pipeline_get_preset (pipeline, "tiny", &error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);

  memcpy (request->values, preset->values, sizeof request->values);
  request->target = g_strdup ("cpu");
  request->settings.budget_s = 0.05;
  request->settings.init_mode = solution->init_mode;
  for (int i = 0; i < pipeline->n_fields && solution->inputs != USUAL; i++) {
    const char *key = pipeline->fields[i].key;
    request->settings.distribution = SEAM_DISTRIBUTION_NORMAL;
    if (solution->inputs != MANY_PRODUCTS
        && (g_str_equal (key, "in_channels") || g_str_equal (key, "kernel_size")))
      request->values[i] = 1;
    if (solution->inputs != FEW_ELEMENTS
        && (g_str_equal (key, "height") || g_str_equal (key, "width")))
      request->values[i] = 128;
  }
  g_strfreev (request->plans);
  request->plans = g_strdupv (plans);
  SeamResult *result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  return result;
}

/* A copy that may be spoiled. */
static SeamResult *
get_result (const Solution *solution, char **plans)
{
  g_autofree char *key =
      g_strdup_printf ("%s %s %d %d", solution->run,
                       g_str_has_prefix (solution->run, "laptop") ? "" : solution->letters,
                       solution->init_mode, solution->inputs);
  SeamResult *result = g_hash_table_lookup (results, key);
  g_autoptr (GError) error = NULL;

  if (result == NULL) {
    result = g_str_has_prefix (solution->run, "laptop") ? load_sample (solution->run)
                                                        : run_here (solution, plans);
    g_hash_table_insert (results, g_steal_pointer (&key), result);
  }
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_result_to_variant (result, TRUE));
  SeamResult *copy = seam_result_from_variant (variant, &error);
  g_assert_no_error (error);
  return copy;
}

/* Letters are the learner's plans, in the order of the run; of a recorded run those that are
 * named. */
static void
check_solution (const Solution *solution)
{
  g_autofree char *number = g_strdup_printf ("%d", solution->lesson);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_find (number, &error);
  g_assert_no_error (error);
  const SeamLessonStep *step =
      seam_lesson_get_step (lesson, (guint)seam_lesson_find_step (lesson, solution->step));
  g_auto (GStrv) letters = g_strsplit (solution->letters, ",", -1);
  g_autoptr (SeamResult) result = get_result (solution, letters);
  g_autoptr (SeamLessonFacts) facts =
      seam_lesson_facts_new (result, (const char *const *)letters, &error);
  g_assert_no_error (error);

  if (solution->spoil != NULL)
    solution->spoil (result, &result->plans[facts->places[facts->n_plans - 1]]);
  g_autoptr (GPtrArray) conditions = seam_lesson_check_conditions (step, facts);
  const SeamLessonCondition *first;
  double passed = seam_lesson_check_judge (conditions, &first);
  if (solution->right && passed != 1)
    g_error ("lesson %d refuses a right solution: %s", solution->lesson, first->reply);
  if (!solution->right && passed == 1)
    g_error ("lesson %d (%s) passes: %s", solution->lesson, solution->step, solution->words);
  g_assert_true ((passed == 1) == (first == NULL));
  for (guint i = 0; i < conditions->len; i++) {
    const SeamLessonCondition *condition = conditions->pdata[i];
    g_assert_cmpuint (strlen (condition->found), >, 3);
    if (condition->state == SEAM_CONDITION_HOLDS) {
      g_assert_null (condition->reply);
      /* What nobody has compared does not agree, nor is it wrong. */
      g_assert_null (strstr (condition->found, "not compared"));
    } else {
      g_assert_cmpuint (strlen (condition->reply), >, 20);
    }
  }
}

static void
test_solutions (void)
{
  int n_right = 0, n_wrong = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (solutions); i++) {
    check_solution (&solutions[i]);
    n_right += solutions[i].right;
    n_wrong += !solutions[i].right;
  }
  g_assert_cmpint (n_right, ==, 9);
  g_assert_cmpint (n_wrong, >=, LEAST_WRONG);
  g_test_message ("%d right and %d wrong solutions", n_right, n_wrong);
}

/* Every check of every lesson has a right and a wrong solution above, and nothing passes where
 * nothing was run. */
static void
test_complete (void)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  int n = 0;

  for (guint i = 0; i < lessons->len; i++)
    for (guint k = 0; k < ((SeamLesson *)lessons->pdata[i])->steps->len; k++) {
      const SeamLessonStep *step = seam_lesson_get_step (lessons->pdata[i], k);
      int found[2] = { 0 };
      if (step->kind != SEAM_STEP_PROVE)
        continue;
      for (gsize s = 0; s < G_N_ELEMENTS (solutions); s++)
        if (solutions[s].lesson == (int)i + 1 && strcmp (solutions[s].step, step->id) == 0)
          found[solutions[s].right]++;
      g_assert_cmpint (found[TRUE], ==, 1);
      g_assert_cmpint (found[FALSE], >=, 5);
      g_autoptr (GPtrArray) conditions = seam_lesson_check_conditions (step, NULL);
      g_assert_cmpuint (conditions->len, ==, step->checks->len);
      for (guint c = 0; c < conditions->len; c++)
        g_assert_cmpint (((SeamLessonCondition *)conditions->pdata[c])->state, ==,
                         SEAM_CONDITION_FAILS);
      n++;
    }
  g_assert_cmpint (n, ==, 9);
}

/* A check passes with the recorded run that it, or the run before it, offers. */
static void
test_recorded (void)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  int n = 0;

  for (guint i = 0; i < lessons->len; i++) {
    const char *recorded = NULL;
    for (guint k = 0; k < ((SeamLesson *)lessons->pdata[i])->steps->len; k++) {
      const SeamLessonStep *step = seam_lesson_get_step (lessons->pdata[i], k);
      g_autoptr (GError) error = NULL;
      recorded = step->recorded != NULL ? step->recorded : recorded;
      if (step->kind != SEAM_STEP_PROVE || recorded == NULL)
        continue;
      g_autoptr (SeamLessonFacts) facts =
          seam_lesson_load_sample (recorded, (const char *const *)step->plans, &error);
      g_assert_no_error (error);
      g_autoptr (GPtrArray) conditions = seam_lesson_check_conditions (step, facts);
      g_test_message ("%s, %s: %s", ((SeamLesson *)lessons->pdata[i])->name, step->id, recorded);
      g_assert_cmpfloat (seam_lesson_check_judge (conditions, NULL), ==, 1);
      n++;
    }
  }
  g_assert_cmpint (n, ==, 5);
}

int
main (int argc, char **argv)
{
  int status;

  g_test_init (&argc, &argv, NULL);
  results =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, (GDestroyNotify)seam_result_unref);
  runner = seam_runner_new ();
  g_test_add_func ("/lesson-checks/solutions", test_solutions);
  g_test_add_func ("/lesson-checks/complete", test_complete);
  g_test_add_func ("/lesson-checks/recorded", test_recorded);
  status = g_test_run ();
  seam_runner_free (runner);
  g_hash_table_unref (results);
  return status;
}
