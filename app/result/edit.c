/* SPDX-License-Identifier: MIT
 *
 * Edits as a list, and as a member of a variant.
 */
#include "app/result/edit.h"

#include <string.h>

#define LIMIT_S      30
#define LIMIT_SWITCH "SEAMSCOPE_EDIT_LIMIT"

double
seam_edit_get_limit_s (void)
{
  const char *wanted = g_getenv (LIMIT_SWITCH);
  double limit_s = wanted != NULL ? g_ascii_strtod (wanted, NULL) : LIMIT_S;

  return limit_s >= 1 && limit_s <= 86400 ? limit_s : LIMIT_S;
}

char *
seam_edit_describe_limit (void)
{
  return g_strdup_printf ("The edited code was ended: it showed no progress for %g seconds, so it "
                          "may never end. Look at its loops.",
                          seam_edit_get_limit_s ());
}

static void
edit_free (gpointer data)
{
  SeamEdit *edit = data;

  g_free (edit->text);
  g_free (edit);
}

GPtrArray *
seam_edits_new (void)
{
  return g_ptr_array_new_with_free_func (edit_free);
}

static SeamEdit *
find (GPtrArray *edits, int plan, int group)
{
  for (guint i = 0; edits != NULL && i < edits->len; i++) {
    SeamEdit *edit = edits->pdata[i];
    if (edit->plan == plan && edit->group == group)
      return edit;
  }
  return NULL;
}

const char *
seam_edits_find (GPtrArray *edits, int plan, int group)
{
  const SeamEdit *edit = find (edits, plan, group);

  return edit != NULL ? edit->text : NULL;
}

void
seam_edits_set (GPtrArray *edits, int plan, int group, const char *text)
{
  SeamEdit *edit = find (edits, plan, group);
  char *copy = g_strdup (text);

  if (text == NULL) {
    if (edit != NULL)
      g_ptr_array_remove (edits, edit);
    return;
  }
  if (edit == NULL) {
    edit = g_new0 (SeamEdit, 1);
    edit->plan = plan;
    edit->group = group;
    g_ptr_array_add (edits, edit);
  }
  g_free (edit->text);
  edit->text = copy;
}

GPtrArray *
seam_edits_copy (GPtrArray *edits)
{
  GPtrArray *copy = seam_edits_new ();

  for (guint i = 0; edits != NULL && i < edits->len; i++) {
    const SeamEdit *edit = edits->pdata[i];
    seam_edits_set (copy, edit->plan, edit->group, edit->text);
  }
  return copy;
}

void
seam_edits_build (GVariantBuilder *builder, GPtrArray *edits)
{
  GVariantBuilder list;

  if (edits == NULL || edits->len == 0)
    return;
  g_variant_builder_init (&list, G_VARIANT_TYPE ("aa{sv}"));
  for (guint i = 0; i < edits->len; i++) {
    const SeamEdit *edit = edits->pdata[i];
    g_variant_builder_open (&list, G_VARIANT_TYPE_VARDICT);
    seam_builder_int64 (&list, "plan", edit->plan);
    seam_builder_int64 (&list, "group", edit->group);
    seam_builder_string (&list, "text", edit->text);
    g_variant_builder_close (&list);
  }
  g_variant_builder_add (builder, "{sv}", "edits", g_variant_builder_end (&list));
}

static void
read_edit (SeamReader *reader, GVariant *item, GPtrArray *edits)
{
  g_autofree char *text = NULL;
  g_autoptr (GError) error = NULL;
  SeamReader own;
  int plan = -1, group = -1;

  seam_reader_init (&own, item, "edit");
  seam_reader_require (&own, "plan");
  seam_reader_require (&own, "group");
  seam_reader_require (&own, "text");
  seam_reader_int (&own, "plan", 0, 1000, &plan);
  seam_reader_int (&own, "group", 0, 1000, &group);
  seam_reader_text (&own, "text", &text);
  if (text != NULL && strlen (text) > SEAM_EDIT_MAX_BYTES)
    seam_reader_fail (&own, "its text has more than %d bytes", SEAM_EDIT_MAX_BYTES);
  if (seam_reader_finish (&own, &error))
    seam_edits_set (edits, plan, group, text);
  else
    seam_reader_fail (reader, "%s", error->message);
}

GPtrArray *
seam_edits_read (SeamReader *reader)
{
  GPtrArray *edits = seam_edits_new ();
  g_autoptr (GVariant) list = seam_reader_value (reader, "edits", "aa{sv}");

  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) item = g_variant_get_child_value (list, i);
    read_edit (reader, item, edits);
  }
  return edits;
}
