/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli doctor: reports what this machine has, what is missing, and what to do about it.
 */
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/record/variant.h"
#include "app/runner/runner.h"
#include "app/version.h"

static const SeamOption options[] = {
  { "json", NULL, "print the report as JSON", FALSE },
  { NULL },
};

static const char *const words[] = {
  [SEAM_CHECK_OK] = "ok",
  [SEAM_CHECK_FAILED] = "failed",
  [SEAM_CHECK_UNKNOWN] = "unknown",
};

static void
add_member (GVariantBuilder *builder, const char *name, const char *value)
{
  if (value != NULL)
    seam_builder_string (builder, name, value);
  else
    g_variant_builder_add (builder, "{sv}", name,
                           g_variant_new_maybe (G_VARIANT_TYPE_STRING, NULL));
}

static void
print_json (GPtrArray *checks, GPtrArray *targets)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  seam_builder_string (&builder, "version", seam_version ());
  seam_builder_open_list (&builder, "targets");
  for (guint i = 0; i < targets->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (targets, i);
    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    add_member (&builder, "id", info->id);
    add_member (&builder, "name", info->name);
    seam_builder_boolean (&builder, "available", info->available);
    add_member (&builder, "reason", info->reason);
    add_member (&builder, "remedy", info->remedy);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  seam_builder_open_list (&builder, "checks");
  for (guint i = 0; i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    add_member (&builder, "state", words[check->state]);
    add_member (&builder, "title", check->title);
    add_member (&builder, "detail", check->detail);
    add_member (&builder, "remedy", check->remedy);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  g_autoptr (GVariant) root = g_variant_ref_sink (g_variant_builder_end (&builder));
  g_autofree char *text = seam_variant_to_json (root);
  seam_cli_print_data (text);
}

static void
print_text (GPtrArray *checks, GPtrArray *targets)
{
  int n_failed = 0;

  seam_cli_print (stdout, "Seamscope %s\n\nTargets\n", seam_version ());
  for (guint i = 0; i < targets->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (targets, i);
    seam_cli_print (stdout, "  %-8s %-8s %s\n", info->available ? "ok" : "failed", info->id,
                    info->name ? info->name : "");
    if (info->reason)
      seam_cli_print (stdout, "           %s\n", info->reason);
    if (info->remedy)
      seam_cli_print (stdout, "           Remedy: %s\n", info->remedy);
  }
  seam_cli_print (stdout, "\nChecks\n");
  for (guint i = 0; i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    seam_cli_print (stdout, "  %-8s %s\n", words[check->state], check->title);
    if (check->detail && *check->detail)
      seam_cli_print (stdout, "           %s\n", check->detail);
    if (check->remedy && *check->remedy)
      seam_cli_print (stdout, "           Remedy: %s\n", check->remedy);
    n_failed += check->state == SEAM_CHECK_FAILED;
  }
  if (n_failed == 0)
    seam_cli_print (stdout, "\nNothing is missing.\n");
  else
    seam_cli_print (stdout,
                    "\n%d of these checks failed; the rest of the program works without them.\n",
                    n_failed);
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;

  if (!seam_arguments_expect_words (arguments, 0, "no words", &error))
    return seam_cli_fail (error);
  g_autoptr (GPtrArray) targets = seam_backend_list_targets ();
  g_autoptr (GPtrArray) checks = seam_run_doctor ();
  if (seam_arguments_has (arguments, "json"))
    print_json (checks, targets);
  else
    print_text (checks, targets);
  return SEAM_EXIT_DONE;
}

const SeamCommand seam_command_doctor = {
  .name = "doctor",
  .summary = "Say what this machine has, what is missing, and the remedy for it",
  .synopsis = "doctor [--json]",
  .options = options,
  .text = "Names every library with its path and version, the driver and the GPUs, and whether "
          "kernels\n"
          "can be traced and counters read.\n"
          "\n"
          "Examples:\n"
          "  seamscope-cli doctor\n"
          "  seamscope-cli doctor --json | jq '.checks[] | select(.state == \"failed\")'\n",
  .run = run,
};
