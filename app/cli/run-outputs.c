/* SPDX-License-Identifier: MIT
 *
 * Files that need the outputs of a run that has just ended: tensors, outputs, and the session that
 * keeps it.
 */
#include "app/cli/run-outputs.h"

#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/result-files.h"
#include "app/cli/session-options.h"
#include "app/session/capture.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

typedef enum { OUTPUT_TENSORS, OUTPUT_PLAN, OUTPUT_FP64, OUTPUT_BOUND, OUTPUT_SESSION } OutputKind;

typedef struct {
  OutputKind kind;
  char *path;
  int plan; /* OUTPUT_PLAN: the index in the request, and in the result */
} Output;

struct SeamRunOutputs {
  SeamResultFiles *files;
  GArray *list;                  /* of Output */
  SeamSessionTarget session;     /* the session that keeps the run */
  const SeamRunRequest *request; /* borrowed */
};

static void
clear_output (Output *output)
{
  g_free (output->path);
}

void
seam_run_outputs_free (SeamRunOutputs *outputs)
{
  if (outputs == NULL)
    return;
  seam_result_files_free (outputs->files);
  g_array_unref (outputs->list);
  seam_session_target_clear (&outputs->session);
  g_free (outputs);
}

static void
add_output (SeamRunOutputs *outputs, OutputKind kind, const char *path, int plan)
{
  Output output = { kind, g_strdup (path), plan };

  g_array_append_val (outputs->list, output);
}

/* The index of a plan in the request; -1: it is not run. What names no “@edited” means an edited
 * plan only if the plan itself is not run. */
static int
find_plan (const SeamRunRequest *request, const SeamPlan *wanted)
{
  int found = -1;

  for (int i = 0; request->plans[i]; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, request->plans[i], NULL);

    if (found < 0 && plan != NULL && seam_plan_equal (plan, wanted))
      found = i;
    for (int group = 0; plan != NULL && group < plan->n_groups; group++)
      if (seam_edits_find (&request->edits, i, group) != NULL) {
        SeamPlan *edited = seam_plan_choose (plan, group, SEAM_IMPLEMENTATION_EDITED);
        seam_plan_unref (plan);
        plan = edited;
      }
    if (plan != NULL && seam_plan_equal (plan, wanted))
      return i;
  }
  return found;
}

static gboolean
add_plan_output (SeamRunOutputs *outputs, const char *value, const SeamRunRequest *request,
                 GError **error)
{
  const char *equals = strchr (value, '=');

  if (equals == NULL || equals[1] == '\0')
    return seam_fail (error, SEAM_ERROR_INPUT, "--save-output takes PLAN=FILE.npy, not “%s”.",
                      value);
  g_autofree char *text = g_strndup (value, equals - value);
  const gboolean is_bound = strcmp (text, "bound") == 0;
  if (is_bound || strcmp (text, SEAM_AGAINST_FP64) == 0) {
    if (!seam_cli_check_path (equals + 1, error))
      return FALSE;
    add_output (outputs, is_bound ? OUTPUT_BOUND : OUTPUT_FP64, equals + 1, -1);
    return TRUE;
  }
  g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, text, error);
  if (plan == NULL) {
    g_prefix_error (error, "--save-output: ");
    return FALSE;
  }
  int index = find_plan (request, plan);
  if (index >= 0) {
    if (!seam_cli_check_path (equals + 1, error))
      return FALSE;
    add_output (outputs, OUTPUT_PLAN, equals + 1, index);
    return TRUE;
  }
  g_autofree char *list = seam_text_list ((const char *const *)request->plans);
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "--save-output: the plan “%s” is not run here (%s are); add --plan '%s'.", text,
                    list, text);
}

static gboolean
add_tensors (SeamRunOutputs *outputs, const char *folder, GError **error)
{
  if (g_mkdir_with_parents (folder, 0777) != 0 || g_access (folder, W_OK) != 0)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "The folder %s cannot be made or written to (%s); choose another.", folder,
                      g_strerror (errno));
  add_output (outputs, OUTPUT_TENSORS, folder, -1);
  return TRUE;
}

static gboolean
add_session (SeamRunOutputs *outputs, const SeamArguments *arguments, GError **error)
{
  if (!seam_session_target_read (arguments, &outputs->session, error))
    return FALSE;
  if (outputs->session.path != NULL)
    add_output (outputs, OUTPUT_SESSION, outputs->session.path, -1);
  return TRUE;
}

SeamRunOutputs *
seam_run_outputs_new (const SeamArguments *arguments, const SeamRunRequest *request, GError **error)
{
  g_autoptr (SeamRunOutputs) outputs = g_new0 (SeamRunOutputs, 1);
  g_autofree const char **plans = seam_arguments_get_all (arguments, "save-output");
  const char *tensors = seam_arguments_get (arguments, "save-tensors");
  gboolean several = g_strv_length (request->plans) > 1;
  gboolean with_fp64 = seam_settings_is_against_fp64 (&request->settings);

  outputs->request = request;
  outputs->list = g_array_new (FALSE, FALSE, sizeof (Output));
  g_array_set_clear_func (outputs->list, (GDestroyNotify)clear_output);
  outputs->files =
      seam_result_files_new (arguments, several || (request->settings.against && !with_fp64),
                             several || request->settings.against, SEAM_OF_RESULTS, error);
  if (outputs->files == NULL)
    return NULL;
  for (int i = 0; plans[i]; i++)
    if (!add_plan_output (outputs, plans[i], request, error))
      return NULL;
  if (tensors && !add_tensors (outputs, tensors, error))
    return NULL;
  return add_session (outputs, arguments, error) ? g_steal_pointer (&outputs) : NULL;
}

gboolean
seam_run_outputs_use_stdout (const SeamRunOutputs *outputs)
{
  return seam_product_files_use_stdout (seam_result_files_get_products (outputs->files));
}

static gboolean
keep_run (const SeamRunOutputs *outputs, SeamSessionRun *run, GError **error)
{
  g_autoptr (SeamSession) session = seam_session_new ();

  seam_session_add_run (session, run);
  return seam_session_target_write (&outputs->session, session, error);
}

static gboolean
write_output (SeamRunOutputs *outputs, const Output *output, SeamRunner *runner,
              SeamSessionRun *run, GError **error)
{
  switch (output->kind) {
  case OUTPUT_TENSORS:
    return seam_runner_save_tensors (runner, output->path, error);
  case OUTPUT_FP64:
  case OUTPUT_BOUND:
    return seam_runner_save_reference (runner, output->kind == OUTPUT_BOUND, output->path, error);
  case OUTPUT_PLAN:
    return seam_runner_save_output (runner, output->plan, output->path, error);
  case OUTPUT_SESSION:
    return keep_run (outputs, run, error);
  }
  return FALSE;
}

gboolean
seam_run_outputs_write (SeamRunOutputs *outputs, SeamRunner *runner, SeamResult *result,
                        GString *log)
{
  g_autoptr (SeamSessionRun) run = seam_session_run_new (result, outputs->session.note);
  const gboolean is_kept = outputs->session.path != NULL;

  if (is_kept || seam_result_files_need_slices (outputs->files))
    seam_session_run_capture (run, runner, is_kept ? outputs->request : NULL);
  gboolean all_written = seam_result_files_write (outputs->files, &run, 1, log);

  for (guint i = 0; i < outputs->list->len; i++) {
    const Output *output = &g_array_index (outputs->list, Output, i);
    g_autoptr (GError) error = NULL;
    if (write_output (outputs, output, runner, run, &error)) {
      g_string_append_printf (log, "Wrote %s\n", output->path);
    } else {
      seam_cli_complain (error->message);
      all_written = FALSE;
    }
  }
  return all_written;
}
