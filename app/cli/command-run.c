/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli run: options to a request, the run, its report and files, and the exit status.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/run-outputs.h"
#include "app/cli/run-progress.h"
#include "app/cli/run-report.h"
#include "app/runner/run.h"

#include <math.h>
#include <string.h>

static const SeamOption options[] = {
  { "preset", "NAME", "shape to start from: tiny, laptop (default), kernelbench", FALSE },
  { "shape", "KEY=VALUE,…", "shape fields that differ from the preset's; “list” names the keys",
    TRUE },
  { "plan", "PLAN",
    "a named plan or a notation such as 'conv+conv_bias|relu+bias'\n"
    "(default: unfused and published); several are measured in alternation",
    TRUE },
  { "target", "TARGET", "cpu, cuda:0, … (default: a GPU that works, else the CPU)", FALSE },
  { "math", "MODE", "fp32 (default) or tf32: for convolution and matrix product", FALSE },
  { "seed", "N", "of the random tensors", FALSE },
  { "distribution", "NAME", "of the input: uniform (default, 0 to 1) or normal", FALSE },
  { "l2", "STATE", "cold (default): the last-level cache is flushed before every sample; warm",
    FALSE },
  { "budget", "SECONDS", "time for measuring; it ends sooner when the intervals are narrow",
    FALSE },
  { "against", "PLAN|fp64", "what outputs are compared with (default: the first plan)", FALSE },
  { "atol", "X", "absolute tolerance of the comparison (default: by math mode)", FALSE },
  { "rtol", "X", "relative tolerance of the comparison (default: by math mode)", FALSE },
  { "tensors", "DIR", "read the input and parameters from NAME.npy files there", FALSE },
  { "save-tensors", "DIR", "write the input and parameters there as NAME.npy", FALSE },
  { "save-output", "PLAN=FILE.npy", "write the output of a plan", TRUE },
  { "csv", "FILE", "write a table with one row a plan (“-”: standard output)", FALSE },
  { "csv-kernels", "FILE", "write a table with one row a kernel (or “-”)", FALSE },
  { "csv-samples", "FILE", "write a table with one row a sample (or “-”)", FALSE },
  { "json", "FILE", "write everything that was found (or “-”)", FALSE },
  { "figure", "KIND=FILE",
    "write timing=FILE or difference=FILE as PNG, SVG or PDF by its ending:\n"
    "the plan compared against, and the first other one",
    TRUE },
  { NULL },
};

/* One of two words. */
static gboolean
parse_choice (const char *option, const char *text, const char *first, const char *second,
              gboolean *is_second, GError **error)
{
  if (text == NULL)
    return TRUE;
  if (strcmp (text, first) == 0 || strcmp (text, second) == 0) {
    *is_second = strcmp (text, second) == 0;
    return TRUE;
  }
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "--%s is %s or %s, not “%s”.", option, first,
               second, text);
  return FALSE;
}

static gboolean
set_shape (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  const char *preset = seam_arguments_get (arguments, "preset");
  g_autofree const char **shapes = seam_arguments_get_all (arguments, "shape");
  g_autofree char *shape = g_strjoinv (",", (char **)shapes);
  const SeamPreset *base;
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (request->pipeline, preset, shape, error);

  if (problem == NULL)
    return FALSE;
  memcpy (request->values, problem->values, sizeof request->values);
  base = preset ? seam_pipeline_get_preset (request->pipeline, preset, NULL)
                : seam_pipeline_get_default_preset (request->pipeline);
  g_clear_pointer (&request->preset, g_free);
  /* A preset with another shape is no longer that preset. */
  if (memcmp (base->values, problem->values,
              sizeof *base->values * (gsize)request->pipeline->n_fields)
      == 0)
    request->preset = g_strdup (base->name);
  return TRUE;
}

static gboolean
set_plans (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  g_autofree const char **plans = seam_arguments_get_all (arguments, "plan");
  const char *against = seam_arguments_get (arguments, "against");

  if (plans[0]) {
    g_strfreev (request->plans);
    request->plans = g_strdupv ((char **)plans);
  }
  /* Before a device is opened and anything is allocated. */
  for (int i = 0; request->plans[i]; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, request->plans[i], error);
    if (plan == NULL)
      return FALSE;
  }
  if (against && g_ascii_strcasecmp (against, "fp64") != 0) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, against, error);
    if (plan == NULL) {
      g_prefix_error (error, "--against takes fp64 or a plan. ");
      return FALSE;
    }
  }
  request->against = g_strdup (against);
  return TRUE;
}

static gboolean
set_tolerance (double *tolerance, const SeamArguments *arguments, const char *option,
               GError **error)
{
  const char *text = seam_arguments_get (arguments, option);
  g_autofree char *what = g_strconcat ("--", option, NULL);

  return text == NULL || seam_text_parse_double (text, what, 0, 1e30, tolerance, error);
}

static SeamRunRequest *
make_request (const SeamArguments *arguments, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = NULL;
  g_autoptr (SeamRunRequest) request = NULL;
  const char *text;
  gboolean is_normal = FALSE, is_warm = FALSE;

  if (!seam_arguments_expect_words (arguments, 1, "one PIPELINE; “list” names them", error))
    return NULL;
  pipeline = seam_pipeline_find (g_ptr_array_index (arguments->words, 0), error);
  if (pipeline == NULL)
    return NULL;
  request = seam_run_request_new (pipeline);
  if (!set_shape (request, arguments, error) || !set_plans (request, arguments, error))
    return NULL;
  request->target = g_strdup (seam_arguments_get (arguments, "target"));
  text = seam_arguments_get (arguments, "math");
  if (text && !seam_math_mode_parse (text, &request->math_mode, error))
    return NULL;
  text = seam_arguments_get (arguments, "seed");
  if (text && !g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, &request->seed, NULL)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "--seed: “%s” is not a whole number from 0 to 18,446,744,073,709,551,615.", text);
    return NULL;
  }
  if (!parse_choice ("distribution", seam_arguments_get (arguments, "distribution"), "uniform",
                     "normal", &is_normal, error)
      || !parse_choice ("l2", seam_arguments_get (arguments, "l2"), "cold", "warm", &is_warm,
                        error))
    return NULL;
  request->distribution = is_normal ? SEAM_DISTRIBUTION_NORMAL : SEAM_DISTRIBUTION_UNIFORM;
  request->cold = !is_warm;
  text = seam_arguments_get (arguments, "budget");
  if (text && !seam_text_parse_double (text, "--budget", 0.01, 3600, &request->budget_s, error))
    return NULL;
  if (!set_tolerance (&request->atol, arguments, "atol", error)
      || !set_tolerance (&request->rtol, arguments, "rtol", error))
    return NULL;
  request->tensors_dir = g_strdup (seam_arguments_get (arguments, "tensors"));
  return g_steal_pointer (&request);
}

/* Of what was run; files come on top. */
static SeamExit
judge (const SeamResult *result)
{
  SeamExit status = SEAM_EXIT_DONE;

  for (int i = 0; i < result->n_plans; i++) {
    const SeamPlanResult *plan = &result->plans[i];
    if (plan->state == SEAM_PLAN_NOT_MEASURED || plan->state == SEAM_PLAN_FAULTED)
      return SEAM_EXIT_COULD_NOT_RUN;
    if ((plan->difference && plan->difference->n_failing > 0) || !plan->stable)
      status = SEAM_EXIT_DIFFERENT;
  }
  return status;
}

static SeamExit
run (SeamArguments *arguments)
{
  static SeamCancel cancel;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = make_request (arguments, &error);
  g_autoptr (SeamRunOutputs) outputs = NULL;
  g_autoptr (SeamRunner) runner = NULL;
  g_autoptr (SeamResult) result = NULL;
  g_autoptr (SeamResult) partial = NULL;
  g_autoptr (GString) log = g_string_new (NULL);
  g_autofree char *report = NULL;
  SeamRunProgress progress;
  SeamExit status;
  FILE *stream;

  if (request == NULL)
    return seam_cli_fail (error);
  outputs = seam_run_outputs_new (arguments, request, &error);
  if (outputs == NULL)
    return seam_cli_fail (error);

  runner = seam_runner_new ();
  seam_run_progress_init (&progress, request->plans);
  seam_run_catch_signals (&cancel);
  result = seam_runner_run (runner, request, &cancel, seam_run_progress_report, &progress, &partial,
                            &error);
  seam_run_progress_end (&progress);

  stream = seam_run_outputs_use_stdout (outputs) ? stderr : stdout;
  if (result == NULL) {
    if (partial) {
      report = seam_run_report_format (partial);
      fputs (report, stream);
    }
    return seam_cli_fail (error);
  }
  /* First the table: what a full disk may swallow is on the screen already. */
  report = seam_run_report_format (result);
  fputs (report, stream);
  fflush (stream);
  status = judge (result);
  if (status == SEAM_EXIT_COULD_NOT_RUN)
    seam_cli_complain (result->stopped
                           ? "Stopped at your request before every plan was timed."
                           : "Not every plan could be run; the notes of the report say why.");
  if (!seam_run_outputs_write (outputs, runner, result, log))
    status = SEAM_EXIT_COULD_NOT_RUN;
  fputs (log->str, stream);
  return status;
}

const SeamCommand seam_command_run = {
  .name = "run",
  .summary = "Run plans of a pipeline, time them in alternation, compare their outputs",
  .synopsis = "run PIPELINE [OPTION…]",
  .options = options,
  .text =
      "PIPELINE is an id, a KernelBench number ('#57') or the path of a pipeline file (.ini).\n"
      "A plan is unfused, published, epilogue, full, an exhibit, or a notation: the ops in order\n"
      "with + (fused) or | (cut) between, and @implementation after a group. Quote it in a shell.\n"
      "Ctrl-C stops and keeps the samples so far.\n"
      "\n"
      "Exit status: 0 done, 1 ran but outputs differ, 2 bad use, 3 could not run.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli run conv-relu-hardswish\n"
      "  seamscope-cli run '#37' --plan unfused --plan as-published --figure difference=map.png\n"
      "  seamscope-cli run conv-relu-bias --shape batch=8,height=64 \\\n"
      "      --plan unfused --plan 'conv+conv_bias|relu+bias' --against fp64 --csv -\n"
      "  seamscope-cli run gemm-bias-relu --preset kernelbench --target cuda:0 --math tf32\n",
  .run = run,
};
