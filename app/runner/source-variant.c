/* SPDX-License-Identifier: MIT
 *
 * Converts code to and from variants for the way from worker to window; each included file is sent
 * once. Reading checks everything.
 */
#include "app/runner/runner-source.h"

#include "app/record/record.h"
#include "app/runner/run-private.h"

/* Fields, without nested lists. */

static void
check_last_op (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamSource *source = record;

  if (source->last_op < source->first_op)
    seam_reader_fail (reader, "its last op is before its first");
}

#define OP(T, m) SEAM_FIELD (T, m, INT), .max = SEAM_MAX_OPS - 1

static const SeamField source_fields[] = {
  { SEAM_FIELD (SeamSource, title, TEXT) },
  { SEAM_FIELD (SeamSource, language, TEXT), .flags = SEAM_REQUIRED },
  { OP (SeamSource, first_op) },
  { OP (SeamSource, last_op), .check = check_last_op },
  { SEAM_FIELD (SeamSource, text, TEXT), .flags = SEAM_REQUIRED | SEAM_LONG },
  { NULL },
};

static const SeamRecordType source_type = {
  .name = "source",
  .size = sizeof (SeamSource),
  .fields = source_fields,
};

static void
check_last (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamGroupCode *group = record;

  if (group->last < group->first)
    seam_reader_fail (reader, "its last op is before its first");
}

static const SeamField group_fields[] = {
  { OP (SeamGroupCode, first) },
  { OP (SeamGroupCode, last), .check = check_last },
  { SEAM_FIELD (SeamGroupCode, executed, TEXT) },
  { SEAM_FIELD (SeamGroupCode, message, TEXT), .flags = SEAM_LONG },
  { NULL },
};

static const SeamRecordType group_type = {
  .name = "group",
  .size = sizeof (SeamGroupCode),
  .fields = group_fields,
};

static const SeamField plan_fields[] = {
  { SEAM_FIELD (SeamPlanCode, text, TEXT) },
  { SEAM_FIELD (SeamPlanCode, notation, TEXT), .flags = SEAM_REQUIRED },
  { SEAM_FIELD (SeamPlanCode, name, TEXT) },
  { SEAM_FIELD (SeamPlanCode, chain, INT), .max = G_MAXINT },
  { NULL },
};

static const SeamRecordType plan_type = {
  .name = "plan",
  .size = sizeof (SeamPlanCode),
  .fields = plan_fields,
};

static const SeamField file_fields[] = {
  { SEAM_FIELD (SeamSourceFile, name, TEXT) },
  { SEAM_FIELD (SeamSourceFile, text, TEXT) },
  { NULL },
};

static const SeamRecordType file_type = {
  .name = "file",
  .size = sizeof (SeamSourceFile),
  .fields = file_fields,
};

/* Writing. */

/* `files`: name -> text of the files included so far; borrowed. */
static void
add_source (GVariantBuilder *builder, const SeamSource *source, GHashTable *files)
{
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < source->includes->len; i++) {
    const SeamSourceFile *file = source->includes->pdata[i];
    g_ptr_array_add (names, file->name);
    g_hash_table_insert (files, file->name, file->text);
  }
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_record_build (&source_type, source, TRUE, builder);
  g_variant_builder_add (
      builder, "{sv}", "includes",
      g_variant_new_strv ((const char *const *)names->pdata, (gssize)names->len));
  g_variant_builder_close (builder);
}

static void
add_group (GVariantBuilder *builder, const SeamGroupCode *group, GHashTable *files)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_record_build (&group_type, group, TRUE, builder);
  seam_builder_open_list (builder, "sources");
  for (guint i = 0; i < group->sources->len; i++)
    add_source (builder, group->sources->pdata[i], files);
  seam_builder_close_list (builder);
  g_variant_builder_close (builder);
}

GVariant *
seam_code_to_variant (const SeamCode *code)
{
  g_autoptr (GHashTable) files = g_hash_table_new (g_str_hash, g_str_equal);
  GVariantBuilder builder;
  GHashTableIter iter;
  SeamSourceFile file;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_open_list (&builder, "plans");
  for (int i = 0; i < code->n_plans; i++) {
    const SeamPlanCode *plan = &code->plans[i];

    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    seam_record_build (&plan_type, plan, TRUE, &builder);
    seam_builder_open_list (&builder, "groups");
    for (int g = 0; g < plan->n_groups; g++)
      add_group (&builder, &plan->groups[g], files);
    seam_builder_close_list (&builder);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  seam_builder_open_list (&builder, "files");
  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, (gpointer *)&file.name, (gpointer *)&file.text))
    g_variant_builder_add_value (&builder, seam_record_to_variant (&file_type, &file, TRUE));
  seam_builder_close_list (&builder);
  return g_variant_builder_end (&builder);
}

/* Reading. */

static SeamSource *
read_source (GVariant *dict, GHashTable *files, GError **error)
{
  g_autoptr (SeamSource) source = seam_source_new (NULL, NULL, 0, 0);
  g_auto (GStrv) includes = NULL;
  SeamReader reader;

  seam_reader_init (&reader, dict, source_type.name);
  seam_record_read (&source_type, &reader, NULL, source);
  seam_reader_strings (&reader, "includes", &includes);
  if (!seam_reader_finish (&reader, error))
    return NULL;
  for (int i = 0; includes != NULL && includes[i] != NULL; i++) {
    const char *found = g_hash_table_lookup (files, includes[i]);
    if (found != NULL)
      seam_source_add_include (source, includes[i], found);
  }
  return g_steal_pointer (&source);
}

static gboolean
read_group (GVariant *dict, GHashTable *files, SeamGroupCode *group, GError **error)
{
  g_autoptr (GVariant) sources = NULL;
  SeamReader reader;

  group->sources = seam_source_list_new ();
  seam_reader_init (&reader, dict, group_type.name);
  seam_record_read (&group_type, &reader, NULL, group);
  sources = seam_reader_value (&reader, "sources", "aa{sv}");
  if (!seam_reader_finish (&reader, error))
    return FALSE;
  for (gsize i = 0; sources != NULL && i < g_variant_n_children (sources); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (sources, i);
    SeamSource *source = read_source (child, files, error);

    if (source == NULL)
      return FALSE;
    g_ptr_array_add (group->sources, source);
  }
  return TRUE;
}

static gboolean
read_plan (GVariant *dict, GHashTable *files, SeamPlanCode *plan, GError **error)
{
  g_autoptr (GVariant) groups = NULL;
  SeamReader reader;

  seam_reader_init (&reader, dict, plan_type.name);
  seam_record_read (&plan_type, &reader, NULL, plan);
  groups = seam_reader_value (&reader, "groups", "aa{sv}");
  if (groups != NULL && g_variant_n_children (groups) > SEAM_MAX_OPS)
    seam_reader_fail (&reader, "it has more groups than ops");
  if (!seam_reader_finish (&reader, error))
    return FALSE;
  for (gsize i = 0; groups != NULL && i < g_variant_n_children (groups); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (groups, i);

    /* Counts the group first, so that a partly read group is freed. */
    plan->n_groups++;
    if (!read_group (child, files, &plan->groups[i], error))
      return FALSE;
  }
  return TRUE;
}

static GHashTable *
read_files (GVariant *list)
{
  GHashTable *files = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    char *name = NULL, *text = NULL;

    if (g_variant_lookup (child, "name", "s", &name)
        && g_variant_lookup (child, "text", "s", &text))
      g_hash_table_insert (files, name, text);
    else
      g_free (name);
  }
  return files;
}

SeamCode *
seam_code_from_variant (GVariant *variant, GError **error)
{
  g_autoptr (SeamCode) code = g_new0 (SeamCode, 1);
  g_autoptr (GVariant) plans = NULL, list = NULL;
  SeamReader reader;

  seam_reader_init (&reader, variant, "code");
  seam_reader_require (&reader, "plans");
  plans = seam_reader_value (&reader, "plans", "aa{sv}");
  list = seam_reader_value (&reader, "files", "aa{sv}");
  if (plans != NULL && g_variant_n_children (plans) > SEAM_RUN_MAX_PLANS)
    seam_reader_fail (&reader, "it has more plans than a run takes");
  if (!seam_reader_finish (&reader, error))
    return NULL;
  g_autoptr (GHashTable) files = read_files (list);
  code->plans = g_new0 (SeamPlanCode, g_variant_n_children (plans) + 1);
  for (gsize i = 0; i < g_variant_n_children (plans); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (plans, i);

    code->n_plans++;
    if (!read_plan (child, files, &code->plans[i], error))
      return NULL;
  }
  return g_steal_pointer (&code);
}
