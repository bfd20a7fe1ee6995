/* SPDX-License-Identifier: MIT
 *
 * Names of the init modes.
 */
#include "app/base/init-mode.h"

#include "app/base/error.h"

static const char *const names[SEAM_N_INIT_MODES] = {
  [SEAM_INIT_MODE_FRAMEWORK] = "framework",
  [SEAM_INIT_MODE_SPREAD] = "spread",
};

const char *
seam_init_mode_get_name (SeamInitMode mode)
{
  return names[mode];
}

gboolean
seam_init_mode_parse (const char *text, SeamInitMode *mode, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_ascii_strcasecmp (text, names[i]) == 0) {
      *mode = (SeamInitMode)i;
      return TRUE;
    }
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "The init of the parameters is spread (weights around 1, biases around 0) or "
               "framework (GroupNorm's weight 1, its bias 0), not “%s”.",
               text);
  return FALSE;
}
