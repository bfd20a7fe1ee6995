/* SPDX-License-Identifier: MIT
 *
 * Makes a request from words and options; an option that a command does not have keeps its default.
 */
#include "app/cli/request-options.h"

#include "app/base/read-file.h"
#include "app/base/text.h"
#include "app/cli/cli.h"
#include "app/cli/product-files.h"

#include <string.h>

static gboolean
set_shape (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  const char *preset = seam_arguments_get (arguments, "preset");
  g_autofree const char **shapes = seam_arguments_get_all (arguments, "shape");
  g_autofree char *shape = g_strjoinv (",", (char **)shapes);
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (request->pipeline, preset, shape, error);

  if (problem == NULL)
    return FALSE;
  memcpy (request->values, problem->values, sizeof request->values);
  const SeamPreset *base = preset ? seam_pipeline_get_preset (request->pipeline, preset, NULL)
                                  : seam_pipeline_get_default_preset (request->pipeline);
  g_clear_pointer (&request->preset, g_free);
  /* The request names a preset only if it has the preset's shape. */
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
  const char *against = request->settings.against;
  int full = -1, n;

  /* Checked before a device is opened and memory is allocated. */
  for (n = 0; plans[n]; n++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, plans[n], error);
    if (plan == NULL)
      return FALSE;
    if (g_strcmp0 (plan->name, "full") == 0 && !seam_arguments_has (arguments, "edit"))
      full = n;
  }
  if (n > 0) {
    g_strfreev (request->plans);
    request->plans = g_new0 (char *, (gsize)n + 1);
  }
  for (int i = 0; i < n; i++)
    request->plans[seam_plan_get_place (i, full, n)] = g_strdup (plans[i]);
  if (against != NULL && !seam_settings_is_against_fp64 (&request->settings)) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, against, error);
    if (plan == NULL) {
      g_prefix_error (error, "--against takes fp64 or a plan. ");
      return FALSE;
    }
  }
  return TRUE;
}

/* Index of the extra plan for the edits of `plan`; the first edit appends it. */
static int
find_edited (SeamRunRequest *request, const char *plan, guint n_own)
{
  guint n = g_strv_length (request->plans);

  for (guint i = n_own; i < n; i++)
    if (strcmp (request->plans[i], plan) == 0)
      return (int)i;
  request->plans = g_renew (char *, request->plans, n + 2);
  request->plans[n] = g_strdup (plan);
  request->plans[n + 1] = NULL;
  return (int)n;
}

static gboolean
add_edit (SeamRunRequest *request, const char *option, guint n_own, GError **error)
{
  g_auto (GStrv) sides = g_strsplit (option, "=", 2);
  char *colon = sides[0] != NULL ? strrchr (sides[0], ':') : NULL;
  gint64 group = 0;

  if (colon == NULL || sides[1] == NULL || *sides[1] == '\0')
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "--edit takes PLAN:GROUP=FILE, such as published:2=tail.c, not “%s”.",
                      option);
  *colon = '\0';
  g_autoptr (SeamPlan) plan = seam_plan_parse (request->pipeline, sides[0], error);
  if (plan == NULL
      || !seam_text_parse_int64 (colon + 1, "--edit, the group", 1, SEAM_MAX_OPS, &group, error))
    return FALSE;
  g_autofree char *text = seam_file_read_text (sides[1], SEAM_EDIT_MAX_BYTES, error);
  if (text == NULL)
    return FALSE;
  int index = find_edited (request, sides[0], n_own);
  if (seam_edits_find (&request->edits, index, (int)group - 1) != NULL)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "--edit: %s:%d has a text already; measure another one in a run of its own.",
                      sides[0], (int)group);
  seam_edits_set (&request->edits, index, (int)group - 1, text);
  return TRUE;
}

static gboolean
set_edits (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  g_autofree const char **edits = seam_arguments_get_all (arguments, "edit");
  guint n_own = g_strv_length (request->plans);

  for (int i = 0; edits[i] != NULL; i++)
    if (!add_edit (request, edits[i], n_own, error))
      return FALSE;
  return TRUE;
}

static gboolean
set_settings (SeamSettings *settings, const SeamArguments *arguments, GError **error)
{
  const char *why;

  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    const char *option = (*field)->setting->option;
    const char *text = seam_arguments_get (arguments, option);
    g_autofree char *what = g_strconcat ("--", option, NULL);

    if (text != NULL && !seam_setting_parse (*field, what, text, settings, error))
      return FALSE;
  }
  /* After all options, because one may depend on another; the target is asked later. */
  const SeamField *refused = seam_settings_find_refused (settings, SEAM_ABILITY_ALL, &why);
  if (refused != NULL)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "--%s: %s", refused->setting->option, why);
  return refused == NULL;
}

static gboolean
set_pitfalls (SeamRunRequest *request, const SeamArguments *arguments, GError **error)
{
  g_autofree const char **names = seam_arguments_get_all (arguments, "pitfall");

  for (int i = 0; names[i]; i++) {
    guint pitfalls = 0;
    if (!seam_pitfalls_parse (names[i], &pitfalls, error)) {
      g_prefix_error (error, "--pitfall: ");
      return FALSE;
    }
    request->pitfalls |= pitfalls;
  }
  return TRUE;
}

static gboolean
has_option (const SeamOption *options, const char *name)
{
  for (; options->name != NULL; options++)
    if (strcmp (options->name, name) == 0)
      return TRUE;
  return FALSE;
}

SeamOption *
seam_cli_list_options (const SeamOption *options)
{
  GArray *list = g_array_new (TRUE, FALSE, sizeof (SeamOption));

  for (const SeamOption *option = options; option->name != NULL; option++) {
    if (option->products != 0)
      seam_product_files_add_options (list, option->products);
    else if (option->concerns == 0)
      g_array_append_val (list, *option);
    for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
      const SeamSetting *setting = (*field)->setting;
      SeamOption own = { setting->option, setting->takes, setting->help };

      if ((setting->concerns & option->concerns) != 0 && !has_option (options, own.name))
        g_array_append_val (list, own);
    }
  }
  return (SeamOption *)(void *)g_array_free (list, FALSE);
}

SeamRunRequest *
seam_cli_make_request (const SeamArguments *arguments, GError **error)
{
  gint64 side = SEAM_OVERVIEW_SIDE;

  if (!seam_arguments_expect_words (arguments, 1, "one PIPELINE; “list” names them", error))
    return NULL;
  g_autoptr (SeamPipeline) pipeline =
      seam_pipeline_find (g_ptr_array_index (arguments->words, 0), error);
  if (pipeline == NULL)
    return NULL;
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  request->target = g_strdup (seam_arguments_get (arguments, "target"));
  if (!set_shape (request, arguments, error) || !set_settings (&request->settings, arguments, error)
      || !set_plans (request, arguments, error) || !set_edits (request, arguments, error))
    return NULL;
  const char *text = seam_arguments_get (arguments, "truth");
  if (text
      && !seam_choice_parse (seam_reference_extents, SEAM_N_REFERENCE_EXTENTS, text,
                             "FP64 reference", (int *)&request->reference_extent, error))
    return NULL;
  request->counters = !seam_arguments_has (arguments, "no-counters");
  text = seam_arguments_get (arguments, "overview");
  if (text && !seam_text_parse_int64 (text, "--overview", 1, SEAM_OVERVIEW_SIDE, &side, error))
    return NULL;
  request->overview_side = (int)side;
  if (!set_pitfalls (request, arguments, error))
    return NULL;
  request->tensors_dir = g_strdup (seam_arguments_get (arguments, "tensors"));
  return g_steal_pointer (&request);
}
