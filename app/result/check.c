/* SPDX-License-Identifier: MIT
 *
 * Rows of the doctor's report: making, freeing, and their way between processes.
 */
#include "app/result/check.h"

#include "app/record/variant.h"

static const char *const state_names[] = { "ok", "failed", "unknown" };

SeamCheck *
seam_check_new (SeamCheckState state, const char *title, const char *detail, const char *remedy)
{
  SeamCheck *check = g_new0 (SeamCheck, 1);

  check->state = state;
  check->title = g_strdup (title);
  check->detail = g_strdup (detail);
  check->remedy = g_strdup (remedy);
  return check;
}

void
seam_check_free (SeamCheck *check)
{
  if (check == NULL)
    return;
  g_free (check->title);
  g_free (check->detail);
  g_free (check->remedy);
  g_free (check);
}

GPtrArray *
seam_checks_new (void)
{
  return g_ptr_array_new_with_free_func ((GDestroyNotify)seam_check_free);
}

GVariant *
seam_checks_to_variant (GPtrArray *checks)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    g_variant_builder_open (&builder, G_VARIANT_TYPE_VARDICT);
    seam_builder_string (&builder, "state", state_names[check->state]);
    seam_builder_string (&builder, "title", check->title);
    seam_builder_string (&builder, "detail", check->detail);
    seam_builder_string (&builder, "remedy", check->remedy);
    g_variant_builder_close (&builder);
  }
  return g_variant_builder_end (&builder);
}

GPtrArray *
seam_checks_from_variant (GVariant *variant, GError **error)
{
  if (variant == NULL || !g_variant_is_of_type (variant, G_VARIANT_TYPE ("aa{sv}"))) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "The report cannot be read: it is no list of dictionaries.");
    return NULL;
  }
  g_autoptr (GPtrArray) checks = seam_checks_new ();
  gsize n = g_variant_n_children (variant);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) row = g_variant_get_child_value (variant, i);
    g_autofree char *state = NULL;
    SeamReader reader;
    SeamCheck *check = seam_check_new (SEAM_CHECK_UNKNOWN, NULL, NULL, NULL);
    g_ptr_array_add (checks, check);
    seam_reader_init (&reader, row, "report");
    seam_reader_require (&reader, "title");
    seam_reader_string (&reader, "title", &check->title);
    seam_reader_text (&reader, "detail", &check->detail);
    seam_reader_text (&reader, "remedy", &check->remedy);
    seam_reader_string (&reader, "state", &state);
    if (!seam_reader_finish (&reader, error))
      return NULL;
    /* A state that a newer program invented is unknown here. */
    for (int s = 0; s < (int)G_N_ELEMENTS (state_names); s++)
      if (g_strcmp0 (state, state_names[s]) == 0)
        check->state = (SeamCheckState)s;
  }
  return g_steal_pointer (&checks);
}
