/* SPDX-License-Identifier: MIT
 *
 * The way of code from worker to window; included files travel once. Reading trusts nothing.
 */
#include "app/runner/source.h"

#include "app/record/variant.h"
#include "app/runner/run-private.h"

/* `files`: name -> text of what was included so far; borrowed. */
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
  seam_builder_string (builder, "title", source->title);
  seam_builder_string (builder, "language", source->language);
  seam_builder_int64 (builder, "first_op", source->first_op);
  seam_builder_int64 (builder, "last_op", source->last_op);
  seam_builder_string (builder, "text", source->text);
  g_variant_builder_add (
      builder, "{sv}", "includes",
      g_variant_new_strv ((const char *const *)names->pdata, (gssize)names->len));
  g_variant_builder_close (builder);
}

static void
add_group (GVariantBuilder *builder, const SeamGroupCode *group, GHashTable *files)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_int64 (builder, "first", group->first);
  seam_builder_int64 (builder, "last", group->last);
  seam_builder_string (builder, "executed", group->executed);
  seam_builder_string (builder, "message", group->message);
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
  gpointer name, text;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_open_list (&builder, "plans");
  for (int i = 0; i < code->n_plans; i++) {
    const SeamPlanCode *plan = &code->plans[i];

    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (&builder, "text", plan->text);
    seam_builder_string (&builder, "notation", plan->notation);
    seam_builder_string (&builder, "name", plan->name);
    seam_builder_int64 (&builder, "chain", plan->chain);
    seam_builder_open_list (&builder, "groups");
    for (int g = 0; g < plan->n_groups; g++)
      add_group (&builder, &plan->groups[g], files);
    seam_builder_close_list (&builder);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  seam_builder_open_list (&builder, "files");
  g_hash_table_iter_init (&iter, files);
  while (g_hash_table_iter_next (&iter, &name, &text)) {
    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (&builder, "name", name);
    seam_builder_string (&builder, "text", text);
    g_variant_builder_close (&builder);
  }
  seam_builder_close_list (&builder);
  return g_variant_builder_end (&builder);
}

/* --- Reading --- */

static SeamSource *
read_source (GVariant *dict, GHashTable *files, GError **error)
{
  g_autofree char *title = NULL, *language = NULL, *text = NULL;
  g_auto (GStrv) includes = NULL;
  int first = 0, last = 0;
  SeamReader reader;
  SeamSource *source;

  seam_reader_init (&reader, dict, "source");
  seam_reader_require (&reader, "language");
  seam_reader_require (&reader, "text");
  seam_reader_string (&reader, "title", &title);
  seam_reader_string (&reader, "language", &language);
  seam_reader_text (&reader, "text", &text);
  seam_reader_int (&reader, "first_op", 0, SEAM_MAX_OPS - 1, &first);
  seam_reader_int (&reader, "last_op", first, SEAM_MAX_OPS - 1, &last);
  seam_reader_strings (&reader, "includes", &includes);
  if (!seam_reader_finish (&reader, error))
    return NULL;
  source = seam_source_new (title, language, first, last);
  source->text = g_steal_pointer (&text);
  for (int i = 0; includes != NULL && includes[i] != NULL; i++) {
    const char *found = g_hash_table_lookup (files, includes[i]);
    if (found != NULL)
      seam_source_add_include (source, includes[i], found);
  }
  return source;
}

static gboolean
read_group (GVariant *dict, GHashTable *files, SeamGroupCode *group, GError **error)
{
  g_autoptr (GVariant) sources = NULL;
  SeamReader reader;

  group->sources = seam_source_list_new ();
  seam_reader_init (&reader, dict, "group");
  seam_reader_int (&reader, "first", 0, SEAM_MAX_OPS - 1, &group->first);
  seam_reader_int (&reader, "last", group->first, SEAM_MAX_OPS - 1, &group->last);
  seam_reader_string (&reader, "executed", &group->executed);
  seam_reader_text (&reader, "message", &group->message);
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

  seam_reader_init (&reader, dict, "plan");
  seam_reader_require (&reader, "notation");
  seam_reader_string (&reader, "text", &plan->text);
  seam_reader_string (&reader, "notation", &plan->notation);
  seam_reader_string (&reader, "name", &plan->name);
  seam_reader_int (&reader, "chain", 0, G_MAXINT, &plan->chain);
  groups = seam_reader_value (&reader, "groups", "aa{sv}");
  if (groups != NULL && g_variant_n_children (groups) > SEAM_MAX_OPS)
    seam_reader_fail (&reader, "it has more groups than ops");
  if (!seam_reader_finish (&reader, error))
    return FALSE;
  for (gsize i = 0; groups != NULL && i < g_variant_n_children (groups); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (groups, i);

    /* Counted first, so that a half read one is freed. */
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
  g_autoptr (GHashTable) files = NULL;
  SeamReader reader;

  seam_reader_init (&reader, variant, "code");
  seam_reader_require (&reader, "plans");
  plans = seam_reader_value (&reader, "plans", "aa{sv}");
  list = seam_reader_value (&reader, "files", "aa{sv}");
  if (plans != NULL && g_variant_n_children (plans) > SEAM_RUN_MAX_PLANS)
    seam_reader_fail (&reader, "it has more plans than a run takes");
  if (!seam_reader_finish (&reader, error))
    return NULL;
  files = read_files (list);
  code->plans = g_new0 (SeamPlanCode, g_variant_n_children (plans) + 1);
  for (gsize i = 0; i < g_variant_n_children (plans); i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (plans, i);

    code->n_plans++;
    if (!read_plan (child, files, &code->plans[i], error))
      return NULL;
  }
  return g_steal_pointer (&code);
}
