/* SPDX-License-Identifier: MIT
 *
 * Which pitfalls a run can make: some need a property that the target or the request may lack.
 */
#include "app/runner/run-private.h"

static const char *
refuse (SeamDevice *device, const SeamRunRequest *request, SeamPitfall pitfall)
{
  switch (pitfall) {
  case SEAM_PITFALL_NO_WARM_UP:
    if (request->settings.launch == SEAM_LAUNCH_GRAPH)
      return "A CUDA graph is captured from a plan that has run: choose launch mode stream.";
    break;
  case SEAM_PITFALL_WARM_L2:
    if (!request->settings.cold)
      return "The cache is left warm in this run anyway, and the result says so: choose a cold one "
             "to be wrong about.";
    break;
  case SEAM_PITFALL_HIDDEN_TF32:
    if (seam_math_mode_get_operand (request->settings.math_mode) != SEAM_OPERAND_FP32)
      return "This run rounds to 16 bits anyway, no finer than TF32, and the result says so: "
             "choose math mode FP32.";
    if (request->settings.math_mode != SEAM_MATH_FP32)
      return "TF32 is allowed in this run anyway, and the result says so: choose math mode FP32.";
    if (device != NULL && seam_resolve_mode (device, SEAM_MATH_TF32) != SEAM_MATH_TF32)
      return "The CPU has no TF32: nothing can be computed in it in secret.";
    break;
  case SEAM_PITFALL_FLUSH_INSIDE:
    if (!request->settings.cold)
      return "Nothing is flushed in a run with a warm cache: choose a cold one.";
    if (request->pitfalls & SEAM_PITFALL_WARM_L2)
      return "With the pitfall warm L2 nothing is flushed: choose one of the two.";
    break;
  default:
    break;
  }
  return NULL;
}

char *
seam_run_refuse_pitfall (SeamDevice *device, const SeamRunRequest *request, SeamPitfall pitfall)
{
  return g_strdup (refuse (device, request, pitfall));
}

gboolean
seam_run_check_pitfalls (SeamDevice *device, const SeamRunRequest *request, GError **error)
{
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    SeamPitfall pitfall = SEAM_PITFALL_AT (i);
    const char *why = request->pitfalls & (guint)pitfall ? refuse (device, request, pitfall) : NULL;

    if (why != NULL)
      return seam_fail (error, device != NULL ? SEAM_ERROR_UNSUPPORTED : SEAM_ERROR_INPUT,
                        "The pitfall “%s” cannot be made here. %s",
                        seam_pitfall_get_title (pitfall), why);
  }
  return TRUE;
}
