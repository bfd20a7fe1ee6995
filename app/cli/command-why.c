/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli why: of every seam of a plan, or of one, what fusing it would need, and the
 * target's answer; one seam as a picture. Runs nothing.
 */
#include "app/report/page.h"
#include "app/base/npy.h"
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/cli/request-options.h"
#include "app/cli/result-files.h"
#include "app/figure/why.h"
#include "app/runner/run.h"

#include <string.h>

#define PAGE_WIDTH 1000

static const SeamOption options[] = {
  { "preset", "NAME", "shape to start from: tiny, laptop (default), kernelbench", FALSE },
  { "shape", "KEY=VALUE,…", "shape fields that differ from the preset's; “list” names the keys",
    TRUE },
  { "plan", "PLAN", "what stands around the seam (default: unfused)", FALSE },
  { "seam", "N", "this seam alone; 1 is the one after the first op", FALSE },
  { "target", "TARGET", "cpu, cuda:0, … (default: a GPU that works, else the CPU)", FALSE },
  { "math", "MODE", "fp32 (default), tf32, fp16 or bf16: of convolution and matrix product",
    FALSE },
  { "csv", "FILE", "write a table with one row a seam", FALSE },
  { "figure", "FILE", "write the picture of --seam as PNG, SVG or PDF by its ending", FALSE },
  { NULL },
};

static void
print_why (const SeamWhy *why, const SeamChain *chain)
{
  seam_cli_print (stdout, "Seam %d, %s to %s\n  %s\n  %s: %s.\n", why->seam + 1,
                  chain->ops[why->seam].label, chain->ops[why->seam + 1].label, why->sentence,
                  why->number, why->caption);
  if (why->halo_sentence != NULL)
    seam_cli_print (stdout, "  %s\n", why->halo_sentence);
  seam_cli_print (stdout, "  %s\n  %s\n", why->resources, why->answer);
}

/* -1: every seam. */
static gboolean
read_seam (const SeamArguments *arguments, const SeamChain *chain, int *seam, GError **error)
{
  const char *text = seam_arguments_get (arguments, "seam");
  gint64 number = 0;

  if (text != NULL && !seam_text_parse_int64 (text, "--seam", 1, chain->n_ops - 1, &number, error))
    return FALSE;
  if (text == NULL && seam_arguments_has (arguments, "figure")) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "--figure draws one seam: say which with --seam N.");
    return FALSE;
  }
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
  g_autofree char *provenance = NULL;
  const char *path = seam_arguments_get (arguments, "figure");
  const char *table = seam_arguments_get (arguments, "csv");
  g_autoptr (GString) csv = g_string_new (NULL);
  SeamDevice *device;
  int only;

  if (request == NULL)
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

  if (table != NULL && !seam_cli_check_path (table, &error))
    return seam_cli_fail (error);
  seam_why_append_csv (csv, NULL, problem, plan, FALSE);
  provenance = seam_estimate_get_provenance (request, device->info, problem);
  seam_cli_print (stdout, "%s\n%s\n\n", provenance, plan->notation);
  for (int seam = 0; seam < estimate->plans[0].n_seams; seam++) {
    g_autoptr (SeamWhy) why = NULL;

    if (only >= 0 && seam != only)
      continue;
    why = seam_why_new (problem, plan, seam, estimate->plans[0].seams[seam].can_toggle,
                        estimate->plans[0].seams[seam].reason, device->info);
    seam_why_append_csv (csv, why, problem, plan, estimate->plans[0].seams[seam].can_toggle);
    print_why (why, seam_plan_get_chain (plan));
    if (path != NULL) {
      g_autoptr (SeamFigure) figure = seam_why_page_new (why, problem, provenance, PAGE_WIDTH);
      if (!seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, &error))
        return seam_cli_fail (error);
    }
    if (seam + 1 == estimate->plans[0].n_seams || only >= 0)
      seam_cli_print (stdout, "\n%s\n", why->sources);
  }
  if (table != NULL && !seam_file_write (table, csv->str, csv->len, &error))
    return seam_cli_fail (error);
  return SEAM_EXIT_DONE;
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
