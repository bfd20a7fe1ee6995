/* SPDX-License-Identifier: MIT
 *
 * Rows of the doctor's report: creates, frees and sends them between processes.
 */
#include "app/result/check.h"

#include "app/record/record.h"

static const SeamChoice states[] = {
  [SEAM_CHECK_OK] = { "ok" },
  [SEAM_CHECK_FAILED] = { "failed" },
  [SEAM_CHECK_UNKNOWN] = { "unknown" },
  { NULL },
};

static const SeamField fields[] = {
  /* A state from a newer program counts as unknown. */
  { SEAM_FIELD (SeamCheck, state, CHOICE), .flags = SEAM_LENIENT, .choices = states,
    .initial = SEAM_CHECK_UNKNOWN },
  { SEAM_FIELD (SeamCheck, title, TEXT), .flags = SEAM_REQUIRED },
  { SEAM_FIELD (SeamCheck, detail, TEXT), .flags = SEAM_LONG },
  { SEAM_FIELD (SeamCheck, remedy, TEXT), .flags = SEAM_LONG },
  { NULL },
};

static const SeamRecordType check_type = {
  .name = "report",
  .size = sizeof (SeamCheck),
  .fields = fields,
};

SeamCheck *
seam_check_new (SeamCheckState state, const char *title, const char *detail, const char *remedy)
{
  SeamCheck *check = seam_record_new (&check_type);

  check->state = state;
  check->title = g_strdup (title);
  check->detail = g_strdup (detail);
  check->remedy = g_strdup (remedy);
  return check;
}

void
seam_check_free (SeamCheck *check)
{
  seam_record_free (&check_type, check);
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
  for (guint i = 0; i < checks->len; i++)
    g_variant_builder_add_value (&builder,
                                 seam_record_to_variant (&check_type, checks->pdata[i], TRUE));
  return g_variant_builder_end (&builder);
}

GPtrArray *
seam_checks_from_variant (GVariant *variant, GError **error)
{
  if (variant == NULL || !g_variant_is_of_type (variant, G_VARIANT_TYPE ("aa{sv}")))
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "The report cannot be read: it is no list of dictionaries.");
  g_autoptr (GPtrArray) checks = seam_checks_new ();
  gsize n = g_variant_n_children (variant);
  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) row = g_variant_get_child_value (variant, i);
    SeamCheck *check = seam_record_new_from_variant (&check_type, row, error);
    if (check == NULL)
      return NULL;
    g_ptr_array_add (checks, check);
  }
  return g_steal_pointer (&checks);
}
