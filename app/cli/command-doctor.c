/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli doctor: reports what this machine has, what is missing, and what to do about it.
 */
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/runner/runner.h"
#include "app/version.h"

#include <json-glib/json-glib.h>

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
add_member (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  if (value)
    json_builder_add_string_value (builder, value);
  else
    json_builder_add_null_value (builder);
}

static void
print_json (GPtrArray *checks, GPtrArray *targets)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  add_member (builder, "version", seam_version ());
  json_builder_set_member_name (builder, "targets");
  json_builder_begin_array (builder);
  for (guint i = 0; i < targets->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (targets, i);
    json_builder_begin_object (builder);
    add_member (builder, "id", info->id);
    add_member (builder, "name", info->name);
    json_builder_set_member_name (builder, "available");
    json_builder_add_boolean_value (builder, info->available);
    add_member (builder, "reason", info->reason);
    add_member (builder, "remedy", info->remedy);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
  json_builder_set_member_name (builder, "checks");
  json_builder_begin_array (builder);
  for (guint i = 0; i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    json_builder_begin_object (builder);
    add_member (builder, "state", words[check->state]);
    add_member (builder, "title", check->title);
    add_member (builder, "detail", check->detail);
    add_member (builder, "remedy", check->remedy);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, TRUE);
  seam_cli_print_data (text);
  seam_cli_print_data ("\n");
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
  g_autoptr (GPtrArray) targets = NULL;
  g_autoptr (GPtrArray) checks = NULL;
  g_autoptr (GError) error = NULL;

  if (!seam_arguments_expect_words (arguments, 0, "no words", &error))
    return seam_cli_fail (error);
  targets = seam_backend_list_targets ();
  checks = seam_run_doctor ();
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
