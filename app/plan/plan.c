/* SPDX-License-Identifier: MIT
 *
 * Plans: creation, canonical notation, names, and the tensors that groups read and write.
 * plan-parse.c reads the notation.
 */
#include "app/plan/plan.h"

#include "app/plan/plan-private.h"

#include <string.h>

gboolean
seam_group_is (const SeamGroup *group, const char *implementation)
{
  return g_strcmp0 (group->implementation, implementation) == 0;
}

static char *
format_notation (const SeamPlan *plan)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  GString *text = g_string_new (NULL);

  if (plan->chain > 0)
    g_string_append_printf (text, "%s:", chain->name);
  for (int i = 0; i < plan->n_groups; i++) {
    const SeamGroup *group = &plan->groups[i];
    if (i > 0)
      g_string_append_c (text, '|');
    for (int op = group->first; op <= group->last; op++)
      g_string_append_printf (text, "%s%s", op > group->first ? "+" : "", chain->ops[op].name);
    if (group->implementation != NULL)
      g_string_append_printf (text, "@%s", group->implementation);
  }
  return g_string_free (text, FALSE);
}

static guint32
get_all_seams (const SeamPipeline *pipeline, int chain)
{
  return (1u << (pipeline->chains[chain].n_ops - 1)) - 1;
}

gboolean
seam_plan_find_named (const SeamPipeline *pipeline, const char *name, guint32 *fused,
                      const SeamNamedCut **cut, const char **canonical)
{
  static const char *const builtin[] = { "unfused", "full" };

  *cut = NULL;
  for (int i = 0; i < 2; i++)
    if (g_ascii_strcasecmp (name, builtin[i]) == 0) {
      *fused = i == 0 ? 0 : get_all_seams (pipeline, 0);
      *canonical = builtin[i];
      return TRUE;
    }
  for (int i = 0; i < pipeline->n_cuts; i++)
    if (g_ascii_strcasecmp (name, pipeline->cuts[i].name) == 0) {
      *cut = &pipeline->cuts[i];
      *canonical = pipeline->cuts[i].name;
      return TRUE;
    }
  return FALSE;
}

/* The name of a plan by its groups and implementations, or NULL. If two names mean the same,
 * "unfused" and "full" precede the names of the file, because they describe the plan. */
static const char *
find_name (const SeamPlan *plan, guint32 fused, gboolean all_auto)
{
  const SeamPipeline *pipeline = plan->pipeline;
  const char *colon = strchr (plan->notation, ':');
  const char *notation = colon != NULL ? colon + 1 : plan->notation;

  if (plan->chain == 0 && all_auto && fused == 0)
    return "unfused";
  if (plan->chain == 0 && all_auto && fused == get_all_seams (pipeline, 0))
    return "full";
  for (int i = 0; i < pipeline->n_cuts; i++)
    if (pipeline->cuts[i].chain == plan->chain
        && strcmp (pipeline->cuts[i].notation, notation) == 0)
      return pipeline->cuts[i].name;
  return NULL;
}

/* For people: "As published", "Full @hand-reload", or the notation. */
static char *
make_title (const SeamPlan *plan, guint32 fused)
{
  g_autoptr (SeamPlan) partition = NULL;
  const char *chosen = NULL, *name = plan->name;

  if (name == NULL) {
    chosen = plan->groups[0].implementation;
    for (int i = 1; i < plan->n_groups && chosen != NULL; i++)
      if (plan->groups[i].implementation != NULL)
        chosen = NULL;
    partition = chosen != NULL ? seam_plan_new (plan->pipeline, plan->chain, fused) : NULL;
    name = partition != NULL ? partition->name : NULL;
  }
  if (name == NULL)
    return g_strdup (plan->notation);
  g_autofree char *words = g_strdelimit (g_strdup (name), "-_", ' ');
  char first[8] = { 0 };
  g_unichar_to_utf8 (g_unichar_toupper (g_utf8_get_char (words)), first);
  return g_strconcat (first, g_utf8_next_char (words), chosen != NULL ? " @" : NULL, chosen, NULL);
}

SeamPlan *
seam_plan_build (SeamPipeline *pipeline, int chain, guint32 fused_seams,
                 const char *const *implementations, const char *name)
{
  SeamPlan *plan = g_new0 (SeamPlan, 1);
  gboolean all_auto = TRUE;

  g_atomic_ref_count_init (&plan->ref_count);
  plan->pipeline = seam_pipeline_ref (pipeline);
  plan->chain = chain;
  fused_seams &= get_all_seams (pipeline, chain);
  for (int op = 0; op < pipeline->chains[chain].n_ops; op++) {
    SeamGroup *group;
    if (op == 0 || !(fused_seams >> (op - 1) & 1)) {
      group = &plan->groups[plan->n_groups++];
      group->first = op;
      if (implementations != NULL && g_strcmp0 (implementations[op], SEAM_IMPLEMENTATION_AUTO) != 0)
        group->implementation = g_intern_string (implementations[op]);
      all_auto = all_auto && group->implementation == NULL;
    }
    group = &plan->groups[plan->n_groups - 1];
    group->last = op;
  }
  plan->notation = format_notation (plan);
  plan->name = g_strdup (name != NULL ? name : find_name (plan, fused_seams, all_auto));
  plan->title = make_title (plan, fused_seams);
  return plan;
}

SeamPlan *
seam_plan_new (SeamPipeline *pipeline, int chain, guint32 fused_seams)
{
  g_return_val_if_fail (chain >= 0 && chain < pipeline->n_chains, NULL);
  return seam_plan_build (pipeline, chain, fused_seams, NULL, NULL);
}

SeamPlan *
seam_plan_toggle (const SeamPlan *plan, int seam)
{
  const char *implementations[SEAM_MAX_OPS] = { NULL };

  g_return_val_if_fail (seam >= 0 && seam < seam_plan_get_chain (plan)->n_ops - 1, NULL);
  for (int i = 0; i < plan->n_groups; i++) {
    const SeamGroup *group = &plan->groups[i];
    /* The seam lies after op `seam`, so it touches the groups of that op and of the next one. */
    gboolean touched = group->first <= seam + 1 && group->last >= seam;
    if (!touched)
      implementations[group->first] = group->implementation;
  }
  return seam_plan_build (plan->pipeline, plan->chain,
                          seam_plan_get_fused_seams (plan) ^ (1u << seam), implementations, NULL);
}

SeamPlan *
seam_plan_choose (const SeamPlan *plan, int group, const char *implementation)
{
  const char *implementations[SEAM_MAX_OPS] = { NULL };

  g_return_val_if_fail (group >= 0 && group < plan->n_groups, NULL);
  for (int i = 0; i < plan->n_groups; i++)
    implementations[plan->groups[i].first] = plan->groups[i].implementation;
  implementations[plan->groups[group].first] = implementation;
  return seam_plan_build (plan->pipeline, plan->chain, seam_plan_get_fused_seams (plan),
                          implementations, NULL);
}

SeamPlan *
seam_plan_parse_as (SeamPipeline *pipeline, const char *notation, const char *name, GError **error)
{
  g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, notation, error);
  const char *implementations[SEAM_MAX_OPS] = { NULL };

  if (plan == NULL || plan->name != NULL || name == NULL)
    return g_steal_pointer (&plan);
  for (int i = 0; i < plan->n_groups; i++)
    implementations[plan->groups[i].first] = plan->groups[i].implementation;
  return seam_plan_build (pipeline, plan->chain, seam_plan_get_fused_seams (plan), implementations,
                          name);
}

SeamPlan *
seam_plan_ref (SeamPlan *plan)
{
  g_atomic_ref_count_inc (&plan->ref_count);
  return plan;
}

void
seam_plan_unref (SeamPlan *plan)
{
  if (plan == NULL || !g_atomic_ref_count_dec (&plan->ref_count))
    return;
  seam_pipeline_unref (plan->pipeline);
  g_free (plan->name);
  g_free (plan->title);
  g_free (plan->notation);
  g_free (plan);
}

const SeamChain *
seam_plan_get_chain (const SeamPlan *plan)
{
  return &plan->pipeline->chains[plan->chain];
}

guint32
seam_plan_get_fused_seams (const SeamPlan *plan)
{
  guint32 fused = get_all_seams (plan->pipeline, plan->chain);

  for (int i = 0; i + 1 < plan->n_groups; i++)
    fused &= ~(1u << plan->groups[i].last);
  return fused;
}

gboolean
seam_plan_equal (const SeamPlan *a, const SeamPlan *b)
{
  /* The notation contains chain, partition and implementations. */
  return strcmp (a->pipeline->id, b->pipeline->id) == 0 && strcmp (a->notation, b->notation) == 0;
}

const char *
seam_plan_get_title (const SeamPlan *plan)
{
  return plan->title;
}

char *
seam_plan_describe (const SeamPlan *plan)
{
  static const struct {
    const char *name, *sentence;
  } sentences[] = {
    { "unfused", "Every op is a kernel of its own, as a framework launches them one by one." },
    { "published", "Cut where the published solution of this problem cuts it." },
    { "epilogue", "A library fuses the ops behind its matrix op; the rest is cut." },
    { "full", "One kernel wherever the target can fuse." },
  };
  const char *note = seam_plan_get_chain (plan)->note;

  if (plan->chain > 0)
    return g_strdup_printf ("Wrong on purpose. %s", note != NULL ? note : "");
  for (gsize i = 0; plan->name != NULL && i < G_N_ELEMENTS (sentences); i++)
    if (strcmp (plan->name, sentences[i].name) == 0)
      return g_strdup (sentences[i].sentence);
  return NULL;
}

char **
seam_plan_list_names (const SeamPipeline *pipeline)
{
  g_autoptr (GStrvBuilder) builder = g_strv_builder_new ();

  g_strv_builder_add (builder, "unfused");
  for (int i = 0; i < pipeline->n_cuts; i++)
    if (pipeline->cuts[i].chain == 0)
      g_strv_builder_add (builder, pipeline->cuts[i].name);
  g_strv_builder_add (builder, "full");
  for (int i = 0; i < pipeline->n_cuts; i++)
    if (pipeline->cuts[i].chain > 0)
      g_strv_builder_add (builder, pipeline->cuts[i].name);
  return g_strv_builder_end (builder);
}

/* Appends `tensor` unless it is there already. */
static void
add_tensor (int *tensors, int *n, int tensor)
{
  for (int i = 0; i < *n; i++)
    if (tensors[i] == tensor)
      return;
  tensors[(*n)++] = tensor;
}

/* Whether an op after `last` reads the output of `op`. */
static gboolean
is_read_after (const SeamChain *chain, int op, int last)
{
  for (int later = last + 1; later < chain->n_ops; later++)
    if (seam_op_reads (&chain->ops[later], SEAM_TENSOR_OUTPUT (op)))
      return TRUE;
  return FALSE;
}

void
seam_plan_get_group_tensors (const SeamPlan *plan, int group, SeamGroupTensors *tensors)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  const SeamGroup *range = &plan->groups[group];

  memset (tensors, 0, sizeof *tensors);
  for (int i = range->first; i <= range->last; i++) {
    const SeamOp *op = &chain->ops[i];
    for (int j = 0; j < SEAM_MAX_OP_INPUTS; j++)
      if (op->inputs[j] >= 0
          && !(op->inputs[j] >= SEAM_TENSOR_OUTPUT (range->first)
               && op->inputs[j] <= SEAM_TENSOR_OUTPUT (range->last)))
        add_tensor (tensors->inputs, &tensors->n_inputs, op->inputs[j]);
    for (int j = 0; j < SEAM_MAX_OP_PARAMS; j++)
      if (op->params[j] >= 0)
        add_tensor (tensors->params, &tensors->n_params,
                    SEAM_TENSOR_PARAM (chain->n_ops, op->params[j]));
    if (i == chain->n_ops - 1 || is_read_after (chain, i, range->last))
      add_tensor (tensors->outputs, &tensors->n_outputs, SEAM_TENSOR_OUTPUT (i));
  }
}

gboolean
seam_plan_is_materialised (const SeamPlan *plan, int tensor)
{
  int n_ops = seam_plan_get_chain (plan)->n_ops;

  if (tensor == SEAM_TENSOR_INPUT || tensor >= SEAM_TENSOR_PARAM (n_ops, 0))
    return TRUE;
  for (int i = 0; i < plan->n_groups; i++) {
    SeamGroupTensors tensors;
    seam_plan_get_group_tensors (plan, i, &tensors);
    for (int j = 0; j < tensors.n_outputs; j++)
      if (tensors.outputs[j] == tensor)
        return TRUE;
  }
  return FALSE;
}
