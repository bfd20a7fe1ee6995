/* SPDX-License-Identifier: MIT
 *
 * A seam in words: the tooltip's sentences and the accessible name.
 */
#include "app/base/text.h"
#include "app/figure/strip.h"

#include <string.h>

static gboolean
is_seam (const SeamPlan *plan, int seam)
{
  return seam >= 0 && seam < seam_plan_get_chain (plan)->n_ops - 1;
}

static void
append_seam (GString *text, const SeamProblem *problem, const SeamPlan *plan, int seam,
             gboolean is_fused)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const SeamTensor *tensor = &problem->tensors[SEAM_TENSOR_OUTPUT (seam)];
  g_autofree char *bytes = seam_text_bytes (tensor->bytes);
  g_autofree char *dims = seam_text_dims (tensor->shape.dims, tensor->shape.n_dims);
  SeamGroupCost cost;

  if (is_fused) {
    g_string_append_printf (text, "Seam %d is fused. The %s %s between %s and %s stay on the chip.",
                            seam + 1, bytes, dims, chain->ops[seam].label,
                            chain->ops[seam + 1].label);
    return;
  }
  seam_group_cost (problem, plan, seam_strip_find_group (plan, seam + 1), &cost);
  g_string_append_printf (text, "Seam %d is cut. %s writes %s %s; the next group reads it %s.",
                          seam + 1, chain->ops[seam].label, bytes, dims,
                          cost.n_passes > 1 ? "twice" : "once");
}

char *
seam_strip_describe_seam (const SeamProblem *problem, const SeamPlan *plan,
                          const SeamPlanEstimate *estimate, int seam)
{
  GString *text = g_string_new (NULL);
  gboolean fused, known, can_toggle = TRUE;
  const char *reason = NULL;
  g_autofree char *bytes = NULL;
  double changed;

  if (!is_seam (plan, seam))
    return g_string_free (text, FALSE);

  fused = seam_plan_get_fused_seams (plan) >> seam & 1;
  known = estimate != NULL && seam < estimate->n_seams;
  if (known) {
    can_toggle = estimate->seams[seam].can_toggle;
    reason = estimate->seams[seam].reason;
  }
  changed = known ? estimate->seams[seam].bytes : seam_plan_seam_bytes (problem, plan, seam);
  bytes = seam_text_bytes (changed);

  append_seam (text, problem, plan, seam, fused);

  if (reason != NULL && *reason != '\0') {
    g_string_append_printf (text, " %s", reason);
    if (!strchr (".!?", text->str[text->len - 1]))
      g_string_append_c (text, '.');
  }
  if (!can_toggle) {
    if (reason == NULL || *reason == '\0')
      g_string_append_printf (text, " It cannot be %s on this target.", fused ? "cut" : "fused");
    return g_string_free (text, FALSE);
  }
  if (changed > 0)
    g_string_append_printf (text, " %s %s of traffic.",
                            fused ? "Cutting would cost" : "Fusing would save", bytes);
  g_string_append_printf (text, " Click or press Space to %s.", fused ? "cut" : "fuse");
  return g_string_free (text, FALSE);
}

/* "1.06 GB" as spoken text. */
static char *
spell_bytes (double bytes)
{
  static const char *const words[][2] = {
    { "TB", "terabytes" }, { "GB", "gigabytes" }, { "MB", "megabytes" },
    { "kB", "kilobytes" }, { "KB", "kilobytes" }, { "B", "bytes" },
  };
  g_autofree char *text = seam_text_bytes (bytes);
  char *unit = strrchr (text, ' ');

  for (guint i = 0; unit != NULL && i < G_N_ELEMENTS (words); i++)
    if (strcmp (unit + 1, words[i][0]) == 0) {
      *unit = '\0';
      return g_strdup_printf ("%s %s", text, words[i][1]);
    }
  return g_steal_pointer (&text);
}

char *
seam_strip_name_seam (const SeamProblem *problem, const SeamPlan *plan, int seam)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  g_autofree char *bytes = NULL;

  if (!is_seam (plan, seam))
    return g_strdup ("");
  bytes = spell_bytes (problem->tensors[SEAM_TENSOR_OUTPUT (seam)].bytes);
  return g_strdup_printf ("Seam %d, %s to %s, %s, %s", seam + 1, chain->ops[seam].label,
                          chain->ops[seam + 1].label,
                          seam_plan_get_fused_seams (plan) >> seam & 1 ? "fused" : "cut", bytes);
}
