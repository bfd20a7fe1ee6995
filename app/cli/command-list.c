/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli list: lists the pipelines with their ops, named plans, presets and shape fields.
 */
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/plan/plan.h"
#include "app/record/variant.h"

#include <string.h>

static const SeamOption options[] = {
  { "level", "2", "also the other problems of KernelBench's level 2", FALSE },
  { "json", NULL, "print the list as JSON", FALSE },
  { NULL },
};

static void
print_plans (SeamPipeline *pipeline)
{
  g_auto (GStrv) names = seam_plan_list_names (pipeline);

  gboolean exhibits = FALSE;

  for (int i = 0; names[i]; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, names[i], NULL);
    if (plan->chain == 0) {
      seam_cli_print (stdout, "    %-8s %-13s %s\n", i == 0 ? "plans" : "", names[i],
                      plan->notation);
      continue;
    }
    if (!exhibits)
      seam_cli_print (stdout, "    exhibits, wrong on purpose\n");
    exhibits = TRUE;
    seam_cli_print (stdout, "    %-8s %s\n    %-8s   %s\n", "", names[i], "",
                    seam_plan_get_chain (plan)->note);
  }
}

static void
print_text (GPtrArray *pipelines)
{
  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    seam_cli_print (stdout, "%s%s  %s (%s)\n    %s\n", i ? "\n" : "", pipeline->id, pipeline->title,
                    pipeline->source, pipeline->description);
    print_plans (pipeline);
    for (int j = 0; j < pipeline->n_presets; j++) {
      g_autoptr (SeamProblem) problem =
          seam_problem_new (pipeline, pipeline->presets[j].values, NULL);
      g_autofree char *shape = seam_problem_describe_shape (problem);
      seam_cli_print (stdout, "    %-8s %-13s %s\n", j == 0 ? "presets" : "",
                      pipeline->presets[j].name, shape);
    }
    seam_cli_print (stdout, "    %-8s ", "shape");
    for (int j = 0; j < pipeline->n_fields; j++)
      seam_cli_print (stdout, "%s%s", j ? ", " : "", pipeline->fields[j].key);
    seam_cli_print (stdout, "\n");
  }
}

static void
add_ops (GVariantBuilder *builder, const SeamPipeline *pipeline)
{
  const SeamChain *chain = &pipeline->chains[0];

  seam_builder_open_list (builder, "ops");
  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOp *op = &chain->ops[i];
    g_variant_builder_add_parsed (
        builder, "{'name': <%s>, 'label': <%s>, 'type': <%s>, 'kind': <%s>}", op->name, op->label,
        seam_op_type_get_name (op->type), seam_op_kind_get_name (seam_op_get_kind (op)));
  }
  seam_builder_close_list (builder);
}

static void
add_plans (GVariantBuilder *builder, SeamPipeline *pipeline)
{
  g_auto (GStrv) names = seam_plan_list_names (pipeline);

  seam_builder_open_list (builder, "plans");
  for (int i = 0; names[i]; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, names[i], NULL);
    g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (builder, "name", names[i]);
    seam_builder_string (builder, "notation", plan->notation);
    seam_builder_boolean (builder, "exhibit", plan->chain > 0);
    if (plan->chain > 0)
      seam_builder_string (builder, "note", seam_plan_get_chain (plan)->note);
    g_variant_builder_close (builder);
  }
  seam_builder_close_list (builder);
}

static void
add_shapes (GVariantBuilder *builder, const SeamPipeline *pipeline)
{
  seam_builder_open_list (builder, "fields");
  for (int i = 0; i < pipeline->n_fields; i++) {
    const SeamShapeField *field = &pipeline->fields[i];
    g_variant_builder_add_parsed (
        builder, "{'key': <%s>, 'label': <%s>, 'unit': <%s>, 'min': <%x>, 'max': <%x>}", field->key,
        field->label, field->unit, field->min, field->max);
  }
  seam_builder_close_list (builder);
  seam_builder_open_list (builder, "presets");
  for (int i = 0; i < pipeline->n_presets; i++) {
    g_auto (GVariantBuilder) shape = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);
    for (int j = 0; j < pipeline->n_fields; j++)
      seam_builder_int64 (&shape, pipeline->fields[j].key, pipeline->presets[i].values[j]);
    g_variant_builder_add_parsed (builder, "{'name': <%s>, 'shape': <%@a{sv}>}",
                                  pipeline->presets[i].name, g_variant_builder_end (&shape));
  }
  seam_builder_close_list (builder);
}

static void
print_json (GPtrArray *pipelines)
{
  g_auto (GVariantBuilder) builder = G_VARIANT_BUILDER_INIT (G_VARIANT_TYPE_VARDICT);

  seam_builder_open_list (&builder, "pipelines");
  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    g_autofree const char **params = g_new0 (const char *, pipeline->n_params + 1);
    for (int j = 0; j < pipeline->n_params; j++)
      params[j] = pipeline->params[j].name;
    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (&builder, "id", pipeline->id);
    seam_builder_int64 (&builder, "number", pipeline->number);
    seam_builder_string (&builder, "title", pipeline->title);
    seam_builder_string (&builder, "description", pipeline->description);
    seam_builder_string (&builder, "source", pipeline->source);
    add_ops (&builder, pipeline);
    g_variant_builder_add (&builder, "{sv}", "parameters", g_variant_new_strv (params, -1));
    add_plans (&builder, pipeline);
    add_shapes (&builder, pipeline);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  g_autoptr (GVariant) root = g_variant_ref_sink (g_variant_builder_end (&builder));
  g_autofree char *text = seam_variant_to_json (root);
  seam_cli_print_data (text);
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;

  if (!seam_arguments_expect_words (arguments, 0, "no words", &error))
    return seam_cli_fail (error);
  const char *level = seam_arguments_get (arguments, "level");
  if (level != NULL && strcmp (level, "2") != 0) {
    g_set_error (&error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "--level: only KernelBench's level 2 is here, not “%s”.", level);
    return seam_cli_fail (error);
  }
  g_autoptr (GPtrArray) pipelines =
      level != NULL ? seam_pipeline_list_level (&error) : seam_pipeline_list (&error);
  if (pipelines == NULL)
    return seam_cli_fail (error);
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_ptr_array_extend_and_steal (pipelines, seam_pipeline_list_own (problems));
  for (guint i = 0; i < problems->len; i++)
    seam_cli_print (stderr, "%s\n", (const char *)problems->pdata[i]);
  if (seam_arguments_has (arguments, "json"))
    print_json (pipelines);
  else
    print_text (pipelines);
  return SEAM_EXIT_DONE;
}

const SeamCommand seam_command_list = {
  .name = "list",
  .summary = "List the pipelines with their plans, presets and shape keys",
  .synopsis = "list [--level 2] [--json]",
  .options = options,
  .text =
      "In a plan “+” joins neighbouring ops into one kernel and “|” cuts between them. Files of "
      "your own\n"
      "in ~/.local/share/seamscope/pipelines are listed, too.\n"
      "\n"
      "Examples:\n"
      "  seamscope-cli list\n"
      "  seamscope-cli list --level 2\n"
      "  seamscope-cli list --json | jq -r '.pipelines[].id'\n",
  .run = run,
};
