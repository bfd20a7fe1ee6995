/* SPDX-License-Identifier: MIT
 *
 * Resolves a plan for a target. A plan in explicit notation runs as it is written, in several
 * launches if the target cannot join a group. The name `full` asks for as much fusion as possible
 * and becomes the best cut that the target has.
 */
#include "app/runner/run-private.h"

#include "app/pipeline/defect.h"
#include "app/plan/fuse.h"

#include <string.h>

SeamMathMode
seam_resolve_mode (SeamDevice *device, SeamMathMode mode)
{
  gboolean has_types = (seam_device_info_get_abilities (device->info) & SEAM_ABILITY_TF32) != 0;

  return mode == SEAM_MATH_TF32 && !has_types ? SEAM_MATH_FP32 : mode;
}

void
seam_resolved_clear (SeamResolved *resolved)
{
  g_clear_pointer (&resolved->text, g_free);
  g_clear_pointer (&resolved->plan, seam_plan_unref);
  g_clear_pointer (&resolved->name, g_free);
  g_clear_pointer (&resolved->message, g_free);
  for (int i = 0; i < resolved->n_groups; i++)
    seam_support_clear (&resolved->groups[i]);
  resolved->n_groups = 0;
}

static void
add_sentence (char **message, const char *sentence)
{
  if (sentence == NULL || sentence[0] == '\0')
    return;
  /* Two groups may be refused for the same reason; once is enough. */
  if (*message != NULL && strstr (*message, sentence) != NULL)
    return;
  char *joined =
      *message != NULL ? g_strconcat (*message, " ", sentence, NULL) : g_strdup (sentence);
  g_free (*message);
  *message = joined;
}

/* The target's answer to ops `first` to `last` as one group, with the seams before and after it
 * cut. The answer does not depend on the other groups. */
static SeamSupportLevel
ask (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode, const SeamPlan *like,
     int first, int last, char **reason)
{
  guint32 fused = 0;

  for (int seam = first; seam < last; seam++)
    fused |= 1u << seam;
  g_autoptr (SeamPlan) plan = seam_plan_new (like->pipeline, like->chain, fused);
  SeamGroupSpec spec = { .problem = problem, .plan = plan, .math_mode = mode };
  SeamSupport support = { 0 };
  while (plan->groups[spec.group].first != first)
    spec.group++;
  device->backend->supports (device, &spec, &support);
  SeamSupportLevel level = support.level;
  if (reason != NULL)
    *reason = g_strdup (support.reason);
  seam_support_clear (&support);
  return level;
}

/* The last op of the group that begins with op `first`: the target joins as many ops as it can, of
 * those that any kernel could join.
 * A matrix op that cannot take in all of them stays alone. A library could join some (a bias,
 * an activation), but would need another layout for them and would save no tensor, since the
 * remaining ops read one from memory anyway (#1: the layout copies of cuDNN cost more than its
 * convolution). */
static int
find_group_end (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode,
                const SeamPlan *full, int first)
{
  const SeamChain *chain = seam_plan_get_chain (full);
  int last = chain->n_ops - 1;

  while (last > first && !seam_ops_can_fuse (problem, chain, first, last, NULL))
    last--;
  if (ask (device, problem, mode, full, first, last, NULL) == SEAM_SUPPORT_YES)
    return last;
  if (seam_op_get_kind (&chain->ops[first]) == SEAM_KIND_MATRIX)
    return first;
  while (last > first && ask (device, problem, mode, full, first, last, NULL) != SEAM_SUPPORT_YES)
    last--;
  return last;
}

/* Replaces the all-fused plan by the fewest groups that the target really joins, with a message. */
static SeamPlan *
resolve_full (SeamDevice *device, const SeamProblem *problem, SeamMathMode mode, SeamPlan *full,
              char **message)
{
  int n_ops = seam_plan_get_chain (full)->n_ops;
  g_autofree char *reason = NULL;
  guint32 fused = 0;

  if (ask (device, problem, mode, full, 0, n_ops - 1, &reason) == SEAM_SUPPORT_YES)
    return seam_plan_ref (full);
  for (int first = 0; first < n_ops;) {
    int last = find_group_end (device, problem, mode, full, first);
    for (int seam = first; seam < last; seam++)
      fused |= 1u << seam;
    first = last + 1;
  }
  SeamPlan *plan = seam_plan_new (full->pipeline, full->chain, fused);
  g_autofree char *sentence = g_strdup_printf ("full runs on this target as %s.", plan->notation);
  add_sentence (message, reason);
  add_sentence (message, sentence);
  return plan;
}

/* Groups with an edited text become “@edited”; such a plan has no name. */
static gboolean
apply_edits (SeamResolved *resolved, const SeamEdits *edits, int index, GError **error)
{
  for (int i = 0; i < edits->n; i++) {
    const SeamEdit *edit = &edits->list[i];

    if (edit->plan != index)
      continue;
    if (edit->group >= resolved->plan->n_groups)
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "There is no group %d to be edited; the plan “%s” has %d here.",
                        edit->group + 1, resolved->plan->notation, resolved->plan->n_groups);
    SeamPlan *plan = seam_plan_choose (resolved->plan, edit->group, SEAM_IMPLEMENTATION_EDITED);
    seam_plan_unref (resolved->plan);
    resolved->plan = plan;
    resolved->edits[edit->group] = edit->text;
    g_clear_pointer (&resolved->name, g_free);
  }
  return TRUE;
}

/* Objections to the edited text of a group, or NULL. If the target generates code for the same ops,
 * that code is compared with the text. */
static char *
describe_edit (SeamDevice *device, const SeamGroupSpec *edited)
{
  g_autoptr (SeamPlan) plan =
      seam_plan_choose (edited->plan, edited->group, SEAM_IMPLEMENTATION_GENERATED);
  const SeamGroupSpec spec = { edited->problem, plan, edited->group, edited->math_mode, NULL };
  g_autoptr (GPtrArray) sources = NULL;
  const char *generated = NULL;

  if (device->backend->get_source != NULL)
    sources = device->backend->get_source (device, &spec, NULL);
  for (guint i = 0; sources != NULL && generated == NULL && i < sources->len; i++) {
    const SeamSource *source = sources->pdata[i];
    if (g_str_has_prefix (source->title, "generated "))
      generated = source->text;
  }
  return seam_source_describe_other_storage (edited->edit, generated, edited->problem);
}

/* `index`: place in the request's plans, for the edits; -1: none. */
static gboolean
resolve (SeamDevice *device, const SeamProblem *problem, const SeamRunRequest *request,
         SeamMathMode mode, const char *text, int index, SeamResolved *resolved, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_strdup (text));
  g_autoptr (SeamPlan) asked = seam_plan_parse (problem->pipeline, text, error);

  *resolved = (SeamResolved){ 0 };
  if (asked == NULL)
    return FALSE;
  resolved->text = g_strdup (text);
  resolved->name = g_strdup (asked->name);
  mode = seam_resolve_mode (device, mode);
  const SeamChain *chain = seam_plan_get_chain (asked);
  if (asked->chain > 0) {
    g_autofree char *here = NULL;
    seam_exhibit_shows (problem, asked->chain,
                        request->tensors_dir != NULL ? NULL : &request->settings, &here);
    add_sentence (&resolved->message, chain->note);
    add_sentence (&resolved->message, here);
  }
  /* Only the name `full` may be replaced; the same partition in notation runs as written. */
  if (g_ascii_strcasecmp (stripped, "full") == 0)
    resolved->plan = resolve_full (device, problem, mode, asked, &resolved->message);
  else
    resolved->plan = seam_plan_ref (asked);
  if (!apply_edits (resolved, &request->edits, index, error)) {
    seam_resolved_clear (resolved);
    return FALSE;
  }

  SeamGroupSpec spec = { .problem = problem, .plan = resolved->plan, .math_mode = mode };
  resolved->can_run = TRUE;
  resolved->n_groups = resolved->plan->n_groups;
  for (spec.group = 0; spec.group < resolved->n_groups; spec.group++) {
    SeamSupport *support = &resolved->groups[spec.group];
    spec.edit = resolved->edits[spec.group];
    device->backend->supports (device, &spec, support);
    add_sentence (&resolved->message, support->reason);
    if (support->level == SEAM_SUPPORT_NO) {
      resolved->can_run = FALSE;
    } else if (spec.edit != NULL) {
      g_autofree char *other = describe_edit (device, &spec);
      add_sentence (&resolved->message, other);
    }
  }
  return TRUE;
}

gboolean
seam_resolve (SeamDevice *device, const SeamProblem *problem, const SeamRunRequest *request,
              SeamMathMode mode, const char *text, SeamResolved *resolved, GError **error)
{
  return resolve (device, problem, request, mode, text, -1, resolved, error);
}

gboolean
seam_resolve_listed (SeamDevice *device, const SeamProblem *problem, const SeamRunRequest *request,
                     SeamMathMode mode, int index, SeamResolved *resolved, GError **error)
{
  return resolve (device, problem, request, mode, request->plans[index], index, resolved, error);
}
