/* SPDX-License-Identifier: MIT
 *
 * Edits as a list.
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

char *
seam_edit_name_group (const char *notation, int group)
{
  return g_strdup_printf ("Group %d of %s: ", group + 1, notation);
}

static void
check_text (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const SeamEdit *edit = record;

  if (edit->text != NULL && strlen (edit->text) > SEAM_EDIT_MAX_BYTES)
    seam_reader_fail (reader, "its text has more than %d bytes", SEAM_EDIT_MAX_BYTES);
}

static const SeamField edit_fields[] = {
  { SEAM_FIELD (SeamEdit, plan, INT), .flags = SEAM_REQUIRED, .max = 1000 },
  { SEAM_FIELD (SeamEdit, group, INT), .flags = SEAM_REQUIRED, .max = 1000 },
  { SEAM_FIELD (SeamEdit, text, TEXT), .flags = SEAM_REQUIRED | SEAM_LONG, .check = check_text },
  { NULL },
};

static const SeamRecordType edit_type = {
  .name = "edit",
  .size = sizeof (SeamEdit),
  .fields = edit_fields,
  .max = 1000,
};

static const SeamField edits_fields[] = {
  { .name = "edits",
    SEAM_AT (SeamEdits, list, RECORDS),
    SEAM_COUNT (SeamEdits, n),
    .flags = SEAM_OMITTED | SEAM_AS_MEMBER | SEAM_LARGE,
    .type = &edit_type },
  { NULL },
};

const SeamRecordType seam_edits_type = {
  .name = "edits",
  .size = sizeof (SeamEdits),
  .fields = edits_fields,
  .max = 1,
};

static int
find (const SeamEdits *edits, int plan, int group)
{
  for (int i = 0; i < edits->n; i++)
    if (edits->list[i].plan == plan && edits->list[i].group == group)
      return i;
  return -1;
}

const char *
seam_edits_find (const SeamEdits *edits, int plan, int group)
{
  int at = find (edits, plan, group);

  return at >= 0 ? edits->list[at].text : NULL;
}

void
seam_edits_set (SeamEdits *edits, int plan, int group, const char *text)
{
  int at = find (edits, plan, group);
  char *copy = g_strdup (text);

  if (text == NULL && at < 0)
    return;
  if (text == NULL) {
    seam_record_clear (&edit_type, &edits->list[at]);
    edits->n--;
    memmove (&edits->list[at], &edits->list[at + 1], (gsize)(edits->n - at) * sizeof (SeamEdit));
    return;
  }
  if (at < 0) {
    at = edits->n++;
    edits->list = g_renew (SeamEdit, edits->list, edits->n);
    edits->list[at] = (SeamEdit){ plan, group, NULL };
  }
  g_free (edits->list[at].text);
  edits->list[at].text = copy;
}
