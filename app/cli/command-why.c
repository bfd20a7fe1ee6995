/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli why: says for each seam of a plan, or for one, what fusing it would need, and the
 * target's answer; can draw one seam as a picture. Runs nothing.
 */
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/product-files.h"
#include "app/cli/request-options.h"
#include "app/runner/runner.h"

static const SeamOption options[] = {
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN", "what stands around the seam (default: unfused)", FALSE },
  { "seam", "N", "this seam alone; 1 is the one after the first op", FALSE },
  SEAM_OPTION_TARGET,
  { "math", "MODE", "fp32 (default), tf32, fp16 or bf16: of convolution and matrix product",
    FALSE },
  SEAM_OPTIONS_PRODUCTS (SEAM_OF_WHY),
  { NULL },
};

static void
print_why (FILE *stream, const SeamWhy *why, const SeamChain *chain)
{
  seam_cli_print (stream, "Seam %d, %s to %s\n  %s\n  %s: %s.\n", why->seam + 1,
                  chain->ops[why->seam].label, chain->ops[why->seam + 1].label, why->sentence,
                  why->number, why->caption);
  if (why->halo_sentence != NULL)
    seam_cli_print (stream, "  %s\n", why->halo_sentence);
  seam_cli_print (stream, "  %s\n  %s\n", why->resources, why->answer);
}

/* The seam's number; -1 for every seam. */
static gboolean
read_seam (const SeamArguments *arguments, const SeamChain *chain, int *seam, GError **error)
{
  const char *text = seam_arguments_get (arguments, "seam");
  gint64 number = 0;

  if (text != NULL && !seam_text_parse_int64 (text, "--seam", 1, chain->n_ops - 1, &number, error))
    return FALSE;
  if (text == NULL && seam_arguments_has (arguments, "figure"))
    return seam_fail (error, SEAM_ERROR_INPUT, "--figure draws one seam: say which with --seam N.");
  *seam = (int)number - 1;
  return TRUE;
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  g_autoptr (SeamRunner) runner = NULL;
  g_autoptr (SeamProblem) problem = NULL;
  g_autoptr (SeamEstimate) estimate = NULL;
  g_autoptr (SeamPlan) plan = NULL;
  g_autoptr (GPtrArray) whys = g_ptr_array_new_with_free_func (seam_owner_free);
  g_autoptr (SeamProductFiles) files =
      request != NULL ? seam_product_files_new (arguments, SEAM_OF_WHY, &error) : NULL;
  SeamDevice *device;
  int only;

  if (files == NULL)
    return seam_cli_fail (error);
  if (!seam_arguments_has (arguments, "plan")) {
    g_strfreev (request->plans);
    request->plans = g_strdupv ((char **)(const char *[]){ "unfused", NULL });
  }
  problem = seam_run_request_new_problem (request, &error);
  runner = seam_runner_new ();
  if (problem == NULL || !read_seam (arguments, &request->pipeline->chains[0], &only, &error)
      || (device = seam_runner_open (runner, request->target, &error)) == NULL
      || (estimate = seam_runner_estimate (runner, request, &error)) == NULL
      || (plan = seam_plan_parse (request->pipeline, estimate->plans[0].notation, &error)) == NULL)
    return seam_cli_fail (error);

  g_autofree char *provenance = seam_estimate_get_provenance (request, device->info, problem);
  FILE *stream = seam_product_files_use_stdout (files) ? stderr : stdout;
  seam_cli_print (stream, "%s\n%s\n\n", provenance, plan->notation);
  for (int seam = 0; seam < estimate->plans[0].n_seams; seam++) {
    if (only >= 0 && seam != only)
      continue;
    SeamWhy *why = seam_why_new (problem, plan, seam, estimate->plans[0].seams[seam].can_toggle,
                                 estimate->plans[0].seams[seam].reason, device->info);
    g_ptr_array_add (whys, why);
    print_why (stream, why, seam_plan_get_chain (plan));
    if (seam + 1 == estimate->plans[0].n_seams || only >= 0)
      seam_cli_print (stream, "\n%s\n", why->sources);
  }
  SeamProductSource source = (SeamProductSource){
    .estimate = estimate,
    .request = request,
    .target = device->info,
    .problem = problem,
    .whys = (SeamWhy *const *)whys->pdata,
    .n_whys = (int)whys->len,
    .plan = plan,
  };
  return seam_product_files_write (files, &source, &error) ? SEAM_EXIT_DONE : seam_cli_fail (error);
}

const SeamCommand seam_command_why = {
  .name = "why",
  .summary = "Say what fusing a seam would need, and whether the target can",
  .synopsis = "why PIPELINE [--seam N] [OPTION…]",
  .options = options,
  .text =
      "Which elements the op after the seam needs, whether one tile holds them, and the bytes.\n"
      "Modelled from the shape; nothing is run.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli why '#37' --preset kernelbench\n"
      "  seamscope-cli why '#21' --preset kernelbench --seam 5 --figure why.png\n",
  .run = run,
};
