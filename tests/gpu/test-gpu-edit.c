/* SPDX-License-Identifier: MIT
 *
 * A generated GroupNorm whose text is edited so that it leaves out weight and bias: a plain run
 * calls it wrong, and calls the unedited one right. Texts with a mistake. Part of test-gpu.
 */
#include "app/runner/runner-source.h"
#include "tests/gpu/gpu-fixture.h"

#define INCLUDE "#include \"kernels/cuda/groupnorm.cuh\"\n"

/* The affine step is in the included header, so that the edit replaces its function before the
 * header is read. */
#define WITHOUT_AFFINE                                                                             \
  "#include \"kernels/cuda/elementwise.cuh\"\n"                                                    \
  "#define seam_op_normalize(x, mean, rstd, weight, bias) (((x) - (mean)) * (rstd))\n" INCLUDE

static SeamRunRequest *
make_request (const char *id, SeamInitMode init_mode)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  const SeamPreset *tiny = seam_pipeline_get_preset (pipeline, "tiny", &error);
  SeamRunRequest *request = seam_run_request_new (pipeline);
  const char *const plans[] = { "unfused", "published", "published", NULL };

  memcpy (request->values, tiny->values, sizeof request->values);
  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cuda:0");
  request->settings.budget_s = 0.2;
  request->settings.init_mode = init_mode;
  return request;
}

static void
check_run (const char *id, SeamInitMode init_mode, gboolean is_caught)
{
  g_autoptr (SeamRunRequest) request = make_request (id, init_mode);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCode) code = seam_runner_get_code (runner, request, &error);
  g_autoptr (GString) text = NULL;

  g_assert_no_error (error);
  const GPtrArray *sources = code->plans[2].groups[1].sources;
  g_assert_cmpuint (sources->len, ==, 1);
  text = g_string_new (((SeamSource *)sources->pdata[0])->text);
  g_assert_cmpuint (g_string_replace (text, INCLUDE, WITHOUT_AFFINE, 0), ==, 1);
  seam_edits_set (&request->edits, 2, 1, text->str);
  g_autoptr (SeamResult) result = seam_runner_run (runner, request, NULL, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  for (int i = 1; i < 3; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    if (plan->state != SEAM_PLAN_MEASURED)
      g_error ("%s, plan %d: %s", id, i, plan->message);
    g_test_message ("%s, init %s: %s differs by %g of the bound", id,
                    seam_choice_get_name (seam_init_modes, init_mode), plan->executed,
                    plan->difference->max_error_ratio);
  }
  g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
  g_assert_nonnull (strstr (result->plans[2].executed, "@edited"));
  const SeamDifference *edited = result->plans[2].difference;
  if (is_caught)
    g_assert_cmpint (edited->n_failing, >, edited->n_elements / 2);
  else
    g_assert_cmpint (edited->n_failing, ==, 0);
}

static void
test_affine (void)
{
  if (skip_without_gpu ())
    return;
  check_run ("#21", SEAM_INIT_MODE_SPREAD, TRUE);
  check_run ("#37", SEAM_INIT_MODE_SPREAD, TRUE);
  /* This is why the default draws spread values: with ones and zeros the error does not show. */
  check_run ("#21", SEAM_INIT_MODE_FRAMEWORK, FALSE);
}

static void
no_step_cb (const SeamProgress *progress, gpointer data)
{
  g_error ("The run has begun its step “%s”.", seam_step_get_title (progress->step));
}

/* A mistake in an edited text ends the run before its first step. */
static void
test_mistake (void)
{
  static const struct {
    const char *text, *says;
  } cases[] = {
    { "#error mine\n", "could not compile" },
    { INCLUDE, "The code has no kernel “" },
  };

  if (skip_without_gpu ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamRunRequest) request = make_request ("#21", SEAM_INIT_MODE_SPREAD);
    g_autoptr (SeamRunner) runner = seam_runner_new ();
    g_autoptr (GError) error = NULL;

    seam_edits_set (&request->edits, 2, 1, cases[i].text);
    g_assert_null (seam_runner_run (runner, request, NULL, no_step_cb, NULL, NULL, &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
    g_assert_true (g_str_has_prefix (error->message, "Group 2 of "));
    g_assert_nonnull (strstr (error->message, cases[i].says));
  }
}

void
gpu_edit_add_tests (SeamDevice *device, char *why_not)
{
  gpu = device;
  no_gpu = why_not;
  g_test_add_func ("/gpu/edit/affine", test_affine);
  g_test_add_func ("/gpu/edit/mistake", test_mistake);
}
