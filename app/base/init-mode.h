/* SPDX-License-Identifier: MIT
 *
 * How the parameters of a run get their values where its pipeline file starts them as ones or
 * zeros. The draws themselves are in app/pipeline/problem.c.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  /* As the pipeline file says, which is how a framework starts them: GroupNorm's weight is 1 and
   * its bias 0, so a kernel that leaves both out computes the same. Results that do not say how
   * were made like this. */
  SEAM_INIT_MODE_FRAMEWORK,
  /* Ones are drawn around 1 and zeros around 0, so a kernel that leaves a parameter out is wrong.
   */
  SEAM_INIT_MODE_SPREAD,
  SEAM_N_INIT_MODES
} SeamInitMode;

const char *seam_init_mode_get_name (SeamInitMode mode); /* "framework", "spread" */
/* SEAM_ERROR_INPUT with the names there are. */
gboolean seam_init_mode_parse (const char *text, SeamInitMode *mode, GError **error);

G_END_DECLS
