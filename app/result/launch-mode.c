/* SPDX-License-Identifier: MIT
 *
 * Names of the launch modes.
 */
#include "app/result/launch-mode.h"

#include "app/base/error.h"

static const char *const names[SEAM_N_LAUNCH_MODES] = {
  [SEAM_LAUNCH_STREAM] = "stream",
  [SEAM_LAUNCH_GRAPH] = "graph",
};

const char *
seam_launch_mode_get_name (SeamLaunchMode mode)
{
  return names[mode];
}

gboolean
seam_launch_mode_parse (const char *text, SeamLaunchMode *mode, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (text, names[i]) == 0) {
      *mode = (SeamLaunchMode)i;
      return TRUE;
    }
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "The launch mode is stream (a call for every kernel) or graph (one call for the "
               "whole plan), not “%s”.",
               text);
  return FALSE;
}

const char *
seam_launch_mode_refuse (SeamLaunchMode mode, const char *target)
{
  if (mode == SEAM_LAUNCH_STREAM || g_str_has_prefix (target, "cuda:"))
    return NULL;
  return "Only a GPU can be given a whole plan as one CUDA graph: on the CPU nothing is launched. "
         "Choose launch mode stream, or a GPU as target.";
}

gboolean
seam_launch_mode_check (SeamLaunchMode mode, const char *target, GError **error)
{
  const char *why = seam_launch_mode_refuse (mode, target);

  if (why != NULL)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED, why);
  return why == NULL;
}
