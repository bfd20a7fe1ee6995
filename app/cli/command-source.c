/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli source: prints the code that executes each group of a plan, or writes it to files.
 */
#include "app/base/npy.h"
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/code-files.h"
#include "app/cli/print.h"
#include "app/cli/request-options.h"
#include "app/runner/runner-source.h"

#include <errno.h>
#include <string.h>

static const SeamOption options[] = {
  SEAM_OPTIONS_SHAPE,
  { "plan", "PLAN",
    "a named plan or a notation; may be repeated\n(default: unfused, and published or else full)",
    TRUE },
  { "group", "N", "only this group of each plan, counted from 1", FALSE },
  SEAM_OPTION_TARGET,
  SEAM_OPTIONS_SETTINGS (SEAM_CONCERN_CODE),
  { "asm", "KIND",
    "ptx, sass (GPU) or native (CPU): instead of the code\nwhat a compiler makes of it, each part "
    "under its source line",
    FALSE },
  { "output", "FILE",
    "write the code of one group (--group, one --plan) here, as “run --edit” takes it, or with\n"
    "--asm what is made of it",
    FALSE },
  { "out", "FOLDER", "write the texts here as .cu, .c and .txt, with the files they include",
    FALSE },
  { NULL },
};

static char *
name_ops (const SeamChain *chain, const SeamGroupCode *group)
{
  GString *text = g_string_new (NULL);

  for (int op = group->first; op <= group->last && op < chain->n_ops; op++)
    g_string_append_printf (text, "%s%s", op > group->first ? "+" : "", chain->ops[op].name);
  return g_string_free (text, FALSE);
}

static void
print_group (const SeamChain *chain, const SeamPlanCode *plan, int index)
{
  const SeamGroupCode *group = &plan->groups[index];
  g_autofree char *ops = name_ops (chain, group);

  seam_cli_print (stdout, "=== %s, group %d of %d: %s (%s)\n",
                  plan->name != NULL ? plan->name : plan->notation, index + 1, plan->n_groups, ops,
                  group->executed != NULL ? group->executed : SEAM_DASH);
  if (group->message != NULL)
    seam_cli_print (stdout, "%s\n", group->message);
  for (guint i = 0; i < group->sources->len; i++) {
    const SeamSource *source = group->sources->pdata[i];

    seam_cli_print (stdout, "--- %s\n", source->title);
    seam_cli_print_data (source->text);
    if (!g_str_has_suffix (source->text, "\n"))
      seam_cli_print (stdout, "\n");
    for (guint f = 0; f < source->includes->len; f++)
      seam_cli_print (stdout, "%s %s", f == 0 ? "--- includes:" : ",",
                      ((SeamSourceFile *)source->includes->pdata[f])->name);
    if (source->includes->len > 0)
      seam_cli_print (stdout, "\n");
  }
  seam_cli_print (stdout, "\n");
}

static gboolean
check_group (const SeamCode *code, gint64 wanted, GError **error)
{
  for (int i = 0; i < code->n_plans; i++)
    if (wanted <= code->plans[i].n_groups)
      return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "--group: there is no group %" G_GINT64_FORMAT "; the plan “%s” has %d.",
                    wanted, code->plans[0].text, code->plans[0].n_groups);
}

/* The single text of a group that can be edited. */
static gboolean
write_one (const SeamCode *code, gint64 wanted, const char *path, GError **error)
{
  const SeamSource *found = NULL;

  if (code->n_plans != 1 || wanted == 0)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "--output writes one text: choose it with one --plan and --group.");
  const GPtrArray *sources = code->plans[0].groups[wanted - 1].sources;
  for (guint i = 0; i < sources->len && found == NULL; i++)
    if (seam_source_is_editable (sources->pdata[i]))
      found = sources->pdata[i];
  if (found == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "Group %" G_GINT64_FORMAT
                      " has no code to edit on this target (it is run by %s); "
                      "--out writes what there is.",
                      wanted, code->plans[0].groups[wanted - 1].executed);
  return seam_file_write (path, found->text, strlen (found->text), error);
}

/* --- Listings --- */

/* Appends the listings of all texts of a group to `*text`. FALSE if no text has one, with the last
 * reason. */
static gboolean
list_group (SeamRunner *runner, const SeamRunRequest *request, const SeamCode *code, int plan,
            int group, SeamListingKind kind, GString *text, GError **error)
{
  const GPtrArray *sources = code->plans[plan].groups[group].sources;
  g_autoptr (GError) last = NULL;
  gboolean found = FALSE;

  for (guint part = 0; part < sources->len; part++) {
    const SeamSource *source = sources->pdata[part];

    g_clear_error (&last);
    g_autoptr (SeamListing) listing =
        seam_runner_get_listing (runner, request, plan, group, (int)part, kind, NULL, &last);
    if (listing == NULL)
      continue;
    g_autofree char *annotated = seam_listing_annotate (listing, source->text);
    found = TRUE;
    g_string_append_printf (text, "%s %s: %s\n", kind == SEAM_LISTING_NATIVE ? "#" : "//",
                            source->title, listing->title);
    if (listing->note != NULL) {
      g_auto (GStrv) notes = g_strsplit (listing->note, "\n", -1);
      for (int i = 0; notes[i] != NULL; i++)
        g_string_append_printf (text, "%s %s\n", kind == SEAM_LISTING_NATIVE ? "#" : "//",
                                notes[i]);
    }
    g_string_append (text, annotated);
  }
  if (!found && last != NULL)
    g_propagate_error (error, g_steal_pointer (&last));
  else if (!found)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, "%s",
                 code->plans[plan].groups[group].message != NULL
                     ? code->plans[plan].groups[group].message
                     : "The group has no code.");
  return found;
}

static SeamExit
list (SeamRunner *runner, const SeamRunRequest *request, const SeamCode *code, gint64 wanted,
      const char *kind_name, const char *path)
{
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;
  gboolean found = FALSE;
  SeamListingKind kind;

  if (!seam_listing_kind_parse (kind_name, &kind, &error))
    return seam_cli_fail (error);
  for (int i = 0; i < code->n_plans; i++)
    for (int g = 0; g < code->plans[i].n_groups; g++) {
      const SeamPlanCode *plan = &code->plans[i];
      g_autoptr (GError) why = NULL;
      g_autofree char *ops = name_ops (&request->pipeline->chains[plan->chain], &plan->groups[g]);

      if (wanted > 0 && g + 1 != wanted)
        continue;
      g_string_append_printf (
          text, "%s === %s, group %d of %d: %s\n", kind == SEAM_LISTING_NATIVE ? "#" : "//",
          plan->name != NULL ? plan->name : plan->notation, g + 1, plan->n_groups, ops);
      if (list_group (runner, request, code, i, g, kind, text, &why))
        found = TRUE;
      else if (wanted > 0 && code->n_plans == 1)
        return seam_cli_fail (why);
      else
        g_string_append_printf (text, "%s %s\n", kind == SEAM_LISTING_NATIVE ? "#" : "//",
                                why->message);
      g_string_append_c (text, '\n');
    }
  if (path == NULL)
    seam_cli_print_data (text->str);
  else if (!seam_file_write (path, text->str, text->len, &error))
    return seam_cli_fail (error);
  return found ? SEAM_EXIT_DONE : SEAM_EXIT_COULD_NOT_RUN;
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunRequest) request = seam_cli_make_request (arguments, &error);
  const char *text = seam_arguments_get (arguments, "group");
  const char *folder = seam_arguments_get (arguments, "out");
  const char *file = seam_arguments_get (arguments, "output");
  gint64 wanted = 0;
  gboolean found = FALSE;

  if (request == NULL
      || (text != NULL
          && !seam_text_parse_int64 (text, "--group", 1, SEAM_MAX_OPS, &wanted, &error)))
    return seam_cli_fail (error);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  g_autoptr (SeamCode) code = seam_runner_get_code (runner, request, &error);
  if (code == NULL || !check_group (code, wanted, &error))
    return seam_cli_fail (error);
  if (seam_arguments_get (arguments, "asm") != NULL)
    return list (runner, request, code, wanted, seam_arguments_get (arguments, "asm"), file);
  if (file != NULL)
    return write_one (code, wanted, file, &error) ? SEAM_EXIT_DONE : seam_cli_fail (error);
  if (folder != NULL && !seam_code_write (code, (int)wanted - 1, folder, stdout, &error))
    return seam_cli_fail (error);
  for (int i = 0; i < code->n_plans; i++) {
    const SeamPlanCode *plan = &code->plans[i];

    for (int g = 0; g < plan->n_groups; g++) {
      if (wanted > 0 && g + 1 != wanted)
        continue;
      found = found || plan->groups[g].sources->len > 0;
      if (folder == NULL)
        print_group (&request->pipeline->chains[plan->chain], plan, g);
    }
  }
  return found ? SEAM_EXIT_DONE : SEAM_EXIT_COULD_NOT_RUN;
}

const SeamCommand seam_command_source = {
  .name = "source",
  .summary = "Show the code that executes each group of a plan",
  .synopsis = "source PIPELINE [OPTION…]",
  .options = options,
  .text = "PIPELINE and plans are named as for “run”. Generated and hand-written kernels are CUDA\n"
          "C++, on the CPU C, with the names of ops and tensors; calls of cuDNN, cuBLASLt and\n"
          "oneDNN, and the loops of the CPU, are described in words. Nothing is run.\n"
          "\n"
          "PTX is NVRTC's; SASS needs nvdisasm of the CUDA toolkit; native is what the C compiler\n"
          "makes, with the callers of inlined functions where objdump is installed.\n"
          "\n"
          "A generated kernel of --out compiles with: nvcc -std=c++17 -I FOLDER -c FILE. A fused\n"
          "hand-written one is for NVRTC, with --device-as-default-execution-space.\n"
          "\n"
          "Examples:\n"
          "  seamscope-cli source '#57' --plan full\n"
          "  seamscope-cli source '#37' --plan published --group 2 --target cuda:0\n"
          "  seamscope-cli source '#57' --plan full --asm ptx\n"
          "  seamscope-cli source '#21' --preset kernelbench --plan full --out code\n",
  .run = run,
};
