/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli estimate: prints what is known about plans before they run. Opens the target for
 * its rates, allocates no tensor.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/product-files.h"
#include "app/cli/request-options.h"
#include "app/figure/ceiling-figure.h"
#include "app/report/table.h"
#include "app/session/past-runs.h"

#include <math.h>

static const SeamOption options[] = {
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN", "a named plan or a notation (default: every named plan)", TRUE },
  SEAM_OPTION_TARGET,
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_CODE | SEAM_CONCERN_CACHE),
  { "l2", "STATE", "cold (default) or warm: what the last-level cache holds at the start", FALSE },
  SEAM_OPTIONS_PRODUCTS (SEAM_OF_ESTIMATE),
  { NULL },
};

/* Adds every named plan that is right; exhibits have to be named. */
static void
use_all_plans (SeamRunRequest *request)
{
  g_auto (GStrv) names = seam_plan_list_names (request->pipeline);
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  for (int i = 0; names[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, names[i], NULL);
    if (plan->chain == 0)
      g_strv_builder_add (builder, names[i]);
  }
  g_strfreev (request->plans);
  request->plans = g_strv_builder_end (builder);
}

static void
append_limits (GString *text, const SeamEstimate *estimate)
{
  const SeamCeiling *ceiling = &estimate->ceiling;
  g_autofree char *bytes = seam_text_bytes (ceiling->floor.bytes);
  g_autofree char *beyond = seam_text_bytes (ceiling->memory_bytes);
  g_autofree char *flop = seam_text_flop (ceiling->floor.flop);
  g_autofree char *memory = seam_text_time (ceiling->memory_ns);
  g_autofree char *compute = seam_text_time (ceiling->compute_ns);
  g_autofree char *floor = seam_text_time (ceiling->floor.floor_ns);
  g_autofree char *bandwidth = seam_text_rate (estimate->rates.bytes_per_s);
  g_autofree char *rate = seam_text_flop_rate (estimate->rates.flop_per_s);
  gboolean known = !isnan (ceiling->memory_ns) && !isnan (ceiling->compute_ns);
  gboolean memory_bound = known && ceiling->floor.memory_bound;

  g_string_append_printf (text, "Fewest bytes   %s", bytes);
  if (!isnan (ceiling->memory_ns) && ceiling->memory_bytes < ceiling->floor.bytes)
    g_string_append_printf (text, "; %s beyond the cache take", beyond);
  if (!isnan (ceiling->memory_ns))
    g_string_append_printf (text, "%s %s at %s%s",
                            ceiling->memory_bytes < ceiling->floor.bytes ? "" : ",", memory,
                            bandwidth, memory_bound ? ": memory bound" : "");
  g_string_append_printf (text, "\nMatrix FLOP    %s", flop);
  if (!isnan (ceiling->compute_ns))
    g_string_append_printf (text, ", %s at %s%s", compute, rate,
                            known && !memory_bound ? ": compute bound" : "");
  if (!isnan (ceiling->floor.floor_ns))
    g_string_append_printf (text, "\nFloor          %s: no plan is faster here", floor);
  g_string_append_c (text, '\n');
}

static char *
format_between (const SeamPlanEstimate *plan, double scale)
{
  g_autofree char *low = seam_text_fixed (plan->guess_low_ns / scale, 3);
  g_autofree char *high = seam_text_fixed (plan->guess_high_ns / scale, 3);

  return isnan (plan->guess_ns) ? g_strdup (SEAM_DASH) : g_strdup_printf ("%s and %s", low, high);
}

/* Says how the guesses come about. */
static void
append_reasons (GString *text, const SeamEstimate *estimate)
{
  for (int i = 0; i < estimate->n_plans; i++)
    if (estimate->plans[i].guess_reason != NULL)
      g_string_append_printf (text, "%s: %s\n", estimate->plans[i].text,
                              estimate->plans[i].guess_reason);
}

static void
append_plans (GString *text, const SeamEstimate *estimate)
{
  g_autoptr (SeamTable) table = seam_table_new (NULL, 0);
  double bytes = 0, ns = 0, most = 0;

  for (int i = 0; i < estimate->n_plans; i++) {
    bytes = fmax (bytes, estimate->plans[i].bytes);
    most = fmax (most, estimate->plans[i].execution_bytes);
    ns = fmax (ns, estimate->plans[i].guess_ns);
  }
  SeamUnit unit = seam_unit_for_bytes (bytes), time = seam_unit_for_time (ns);
  SeamUnit size = seam_unit_for_bytes (most);
  g_autofree char *memory = g_strdup_printf ("Memory\n(%s)", size.name);
  g_autofree char *traffic = g_strdup_printf ("Traffic\n(%s)", unit.name);
  g_autofree char *guess = g_strdup_printf ("About\n(%s)", time.name);
  g_autofree char *between = g_strdup_printf ("Between\n(%s)", time.name);
  g_autofree char *floor = g_strdup_printf ("Floor\n(%s)", time.name);
  seam_table_add_column (table, "Plan", FALSE);
  seam_table_add_column (table, "Kernels", TRUE);
  seam_table_add_column (table, traffic, TRUE);
  seam_table_add_column (table, "Of the\nfewest", TRUE);
  seam_table_add_column (table, guess, TRUE);
  seam_table_add_column (table, between, TRUE);
  seam_table_add_column (table, floor, TRUE);
  seam_table_add_column (table, memory, TRUE);
  seam_table_add_column (table, "Runs as", FALSE);
  for (int i = 0; i < estimate->n_plans; i++) {
    const SeamPlanEstimate *plan = &estimate->plans[i];
    seam_table_add (table, plan->text);
    seam_table_take (table, plan->n_kernels >= 0 ? seam_text_count (plan->n_kernels)
                                                 : g_strdup (SEAM_DASH));
    seam_table_take (table, seam_text_fixed (plan->bytes / unit.scale, 3));
    seam_table_take (table, seam_text_ratio (plan->bytes / estimate->ceiling.floor.bytes));
    seam_table_take (table, seam_text_fixed (plan->guess_ns / time.scale, 3));
    seam_table_take (table, format_between (plan, time.scale));
    seam_table_take (table, seam_text_fixed (plan->floor_ns / time.scale, 3));
    seam_table_take (table, seam_text_fixed (plan->execution_bytes / size.scale, 3));
    seam_table_add (table, plan->can_run ? plan->notation : "cannot run here");
  }
  g_autofree char *formatted = seam_table_format (table);
  g_string_append_printf (text, "\n%s", formatted);
}

/* Adds sentences about copies of operands, which the limits above do not contain. */
static void
append_copies (GString *text, const SeamEstimate *estimate)
{
  gboolean known = TRUE;

  for (int i = 0; i < estimate->n_plans; i++) {
    const SeamPlanEstimate *plan = &estimate->plans[i];
    double copied = seam_plan_estimate_get_copied_bytes (plan);
    g_autofree char *bytes = seam_text_bytes (copied);

    if (copied > 0)
      g_string_append_printf (text, "%s: %s of its traffic are copies of operands.\n", plan->text,
                              bytes);
    known = known && seam_plan_estimate_knows_copies (plan);
  }
  if (!known)
    g_string_append (text, SEAM_ESTIMATE_NO_COPIES "\n");
}

static void
append_unknown_kernels (GString *text, const SeamEstimate *estimate)
{
  for (int i = 0; i < estimate->n_plans; i++)
    if (estimate->plans[i].n_kernels < 0 && estimate->plans[i].can_run) {
      g_string_append (text, "“" SEAM_DASH "” under Kernels: a library chooses its kernels when a "
                             "run prepares the plan, so their number is not known before.\n");
      return;
    }
}

static char *
make_report (const SeamEstimate *estimate, const SeamRunRequest *request,
             const SeamDeviceInfo *info, const SeamProblem *problem)
{
  GString *text = g_string_new (NULL);
  g_autofree char *shape = seam_problem_describe_shape (problem);
  g_autofree char *needed = seam_text_bytes (estimate->bytes_needed);
  g_autofree char *available = seam_text_bytes (estimate->bytes_free);
  const char *stored =
      seam_storage_describe (request->settings.storage, request->settings.math_mode);
  g_autofree char *sentences = seam_ceiling_describe (&estimate->ceiling, estimate->floor_source);
  g_autofree char *busy = seam_load_warn (estimate->foreign_load);

  g_string_append_printf (text, "%s  %s (%s)\n%s", problem->pipeline->id, problem->pipeline->title,
                          problem->pipeline->source, shape);
  if (request->preset != NULL)
    g_string_append_printf (text, " (%s)", request->preset);
  g_string_append_printf (text, " on %s, %s%s%s, %s L2; modelled, nothing was run\n\n",
                          seam_device_info_get_name (info),
                          seam_math_mode_get_name (request->settings.math_mode),
                          stored != NULL ? ", " : "", stored != NULL ? stored : "",
                          request->settings.cold ? "cold" : "warm");
  append_limits (text, estimate);
  append_plans (text, estimate);
  append_unknown_kernels (text, estimate);
  append_reasons (text, estimate);
  g_string_append_printf (text, "\n%s\n", sentences);
  append_copies (text, estimate);
  if (busy != NULL)
    g_string_append_printf (text, "%s\n", busy);
  g_string_append_printf (text, "Memory needed for a run of all of them: %s%s%s%s.\n", needed,
                          estimate->bytes_free > 0 ? " of " : "",
                          estimate->bytes_free > 0 ? available : "",
                          estimate->bytes_free > 0 ? " free" : "");
  if (estimate->no_memory != NULL)
    g_string_append_printf (text, "%s\n", estimate->no_memory);
  g_string_append (text,
                   "“Memory” is what one execution takes; the rest is for checking: an output "
                   "for each plan, bounds, and the buffer that empties the cache.\n");
  for (int i = 0; i < estimate->n_plans; i++)
    if (estimate->plans[i].message != NULL)
      g_string_append_printf (text, "%s: %s\n", estimate->plans[i].text,
                              estimate->plans[i].message);
  return g_string_free (text, FALSE);
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  g_autoptr (SeamPastRuns) past_runs = seam_past_runs_new (NULL);
  SeamRecall recall = seam_past_runs_get_recall (past_runs);
  g_autoptr (SeamProductFiles) files =
      request != NULL ? seam_product_files_new (arguments, SEAM_OF_ESTIMATE, &error) : NULL;

  if (files == NULL)
    return seam_cli_fail (error);
  if (!seam_arguments_has (arguments, "plan"))
    use_all_plans (request);
  g_autoptr (SeamProblem) problem = seam_run_request_new_problem (request, &error);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  seam_runner_set_recall (runner, &recall);
  SeamDevice *device = problem != NULL ? seam_runner_open (runner, request->target, &error) : NULL;
  g_autoptr (SeamEstimate) estimate =
      device != NULL ? seam_runner_estimate (runner, request, &error) : NULL;
  if (estimate == NULL)
    return seam_cli_fail (error);

  g_autofree char *report = make_report (estimate, request, device->info, problem);
  seam_cli_print (seam_product_files_use_stdout (files) ? stderr : stdout, "%s", report);
  SeamProductSource source = (SeamProductSource){
    .estimate = estimate, .request = request, .target = device->info, .problem = problem
  };
  return seam_product_files_write (files, &source, &error) ? SEAM_EXIT_DONE : seam_cli_fail (error);
}

const SeamCommand seam_command_estimate = {
  .name = "estimate",
  .summary = "Say what is known before running: traffic of plans, floor, what fusion can give",
  .synopsis = "estimate PIPELINE [OPTION…]",
  .options = options,
  .text =
      "PIPELINE and plans are named as for “run”. Nothing is run; the target is opened for\n"
      "its rates. “About” is the model's guess, and 9 of 10 measurements lie “between”: kernels\n"
      "that the window has measured here, at this shape, take that time, and the others the\n"
      "longer of their bytes and their arithmetic. No run is faster than the floor.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli estimate '#21' --preset kernelbench --math tf32\n"
      "  seamscope-cli estimate conv-relu-hardswish --plan "
      "'conv|conv_bias+relu|add3+div6+clamp+mul'\n"
      "  seamscope-cli estimate '#37' --csv - --figure ceiling.svg\n",
  .run = run,
};
