/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli list: lists the pipelines with their ops, named plans, presets and shape fields.
 */
#include "app/cli/cli.h"
#include "app/cli/print.h"
#include "app/plan/plan.h"

#include <json-glib/json-glib.h>
#include <string.h>

static const SeamOption options[] = {
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
add_string (JsonBuilder *builder, const char *name, const char *value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_string_value (builder, value);
}

static void
add_int (JsonBuilder *builder, const char *name, gint64 value)
{
  json_builder_set_member_name (builder, name);
  json_builder_add_int_value (builder, value);
}

static void
begin_array (JsonBuilder *builder, const char *name)
{
  json_builder_set_member_name (builder, name);
  json_builder_begin_array (builder);
}

static void
add_ops (JsonBuilder *builder, const SeamPipeline *pipeline)
{
  const SeamChain *chain = &pipeline->chains[0];

  begin_array (builder, "ops");
  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOp *op = &chain->ops[i];
    json_builder_begin_object (builder);
    add_string (builder, "name", op->name);
    add_string (builder, "label", op->label);
    add_string (builder, "type", seam_op_type_get_name (op->type));
    add_string (builder, "kind", seam_op_kind_get_name (seam_op_get_kind (op)));
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_plans (JsonBuilder *builder, SeamPipeline *pipeline)
{
  g_auto (GStrv) names = seam_plan_list_names (pipeline);

  begin_array (builder, "plans");
  for (int i = 0; names[i]; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, names[i], NULL);
    json_builder_begin_object (builder);
    add_string (builder, "name", names[i]);
    add_string (builder, "notation", plan->notation);
    json_builder_set_member_name (builder, "exhibit");
    json_builder_add_boolean_value (builder, plan->chain > 0);
    if (plan->chain > 0)
      add_string (builder, "note", seam_plan_get_chain (plan)->note);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
add_shapes (JsonBuilder *builder, const SeamPipeline *pipeline)
{
  begin_array (builder, "fields");
  for (int i = 0; i < pipeline->n_fields; i++) {
    const SeamShapeField *field = &pipeline->fields[i];
    json_builder_begin_object (builder);
    add_string (builder, "key", field->key);
    add_string (builder, "label", field->label);
    add_string (builder, "unit", field->unit);
    add_int (builder, "min", field->min);
    add_int (builder, "max", field->max);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
  begin_array (builder, "presets");
  for (int i = 0; i < pipeline->n_presets; i++) {
    json_builder_begin_object (builder);
    add_string (builder, "name", pipeline->presets[i].name);
    json_builder_set_member_name (builder, "shape");
    json_builder_begin_object (builder);
    for (int j = 0; j < pipeline->n_fields; j++)
      add_int (builder, pipeline->fields[j].key, pipeline->presets[i].values[j]);
    json_builder_end_object (builder);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
}

static void
print_json (GPtrArray *pipelines)
{
  g_autoptr (JsonBuilder) builder = json_builder_new ();
  g_autoptr (JsonNode) root = NULL;
  g_autofree char *text = NULL;

  json_builder_begin_object (builder);
  begin_array (builder, "pipelines");
  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    json_builder_begin_object (builder);
    add_string (builder, "id", pipeline->id);
    add_int (builder, "number", pipeline->number);
    add_string (builder, "title", pipeline->title);
    add_string (builder, "description", pipeline->description);
    add_string (builder, "source", pipeline->source);
    add_ops (builder, pipeline);
    begin_array (builder, "parameters");
    for (int j = 0; j < pipeline->n_params; j++)
      json_builder_add_string_value (builder, pipeline->params[j].name);
    json_builder_end_array (builder);
    add_plans (builder, pipeline);
    add_shapes (builder, pipeline);
    json_builder_end_object (builder);
  }
  json_builder_end_array (builder);
  json_builder_end_object (builder);
  root = json_builder_get_root (builder);
  text = json_to_string (root, TRUE);
  seam_cli_print_data (text);
  seam_cli_print_data ("\n");
}

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GPtrArray) pipelines = NULL;
  g_autoptr (GError) error = NULL;

  if (!seam_arguments_expect_words (arguments, 0, "no words", &error))
    return seam_cli_fail (error);
  pipelines = seam_pipeline_list (&error);
  if (pipelines == NULL)
    return seam_cli_fail (error);
  if (seam_arguments_has (arguments, "json"))
    print_json (pipelines);
  else
    print_text (pipelines);
  return SEAM_EXIT_DONE;
}

const SeamCommand seam_command_list = {
  .name = "list",
  .summary = "List the pipelines with their plans, presets and shape keys",
  .synopsis = "list [--json]",
  .options = options,
  .text = "In a plan “+” joins neighbouring ops into one kernel and “|” cuts between them.\n"
          "\n"
          "Examples:\n"
          "  seamscope-cli list\n"
          "  seamscope-cli list --json | jq -r '.pipelines[].id'\n",
  .run = run,
};
