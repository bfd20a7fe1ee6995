/* SPDX-License-Identifier: MIT
 *
 * Why points of a search are impossible. The message of a point joins the reasons of all its groups
 * that the target refuses. In a search over partitions each reason also occurs alone, so that a
 * message that consists of shorter ones is taken apart.
 */
#include "app/explore/search.h"

#include <string.h>

typedef struct {
  const char *text;
  int n_points;
} Reason;

static int
compare_lengths (gconstpointer a, gconstpointer b)
{
  return (int)strlen (*(const char *const *)a) - (int)strlen (*(const char *const *)b);
}

static int
compare_counts (gconstpointer a, gconstpointer b)
{
  return ((const Reason *)b)->n_points - ((const Reason *)a)->n_points;
}

/* The longest known reason with which `text` begins; NULL: none. */
static Reason *
find_reason (GArray *reasons, const char *text)
{
  Reason *best = NULL;
  gsize most = 0;

  for (guint i = 0; i < reasons->len; i++) {
    Reason *reason = &g_array_index (reasons, Reason, i);
    gsize length = strlen (reason->text);

    if (length > most && strncmp (text, reason->text, length) == 0
        && (text[length] == ' ' || text[length] == '\0')) {
      best = reason;
      most = length;
    }
  }
  return best;
}

/* Counts the reasons of one message; a rest that is not known is a reason of its own. */
static void
count_message (GArray *reasons, const char *text)
{
  while (*text != '\0') {
    Reason *reason = find_reason (reasons, text);

    if (reason == NULL) {
      const Reason fresh = { text, 1 };

      g_array_append_val (reasons, fresh);
      return;
    }
    reason->n_points++;
    text += strlen (reason->text);
    text += *text == ' ';
  }
}

char *
seam_search_list_reasons (const SeamSearch *search)
{
  g_autoptr (GPtrArray) messages = g_ptr_array_new ();
  g_autoptr (GArray) reasons = g_array_new (FALSE, FALSE, sizeof (Reason));
  GString *text = g_string_new (NULL);

  for (int i = 0; i < search->n_points; i++)
    if (search->points[i].state == SEAM_POINT_IMPOSSIBLE && search->points[i].message != NULL)
      g_ptr_array_add (messages, search->points[i].message);
  g_ptr_array_sort (messages, compare_lengths);
  for (guint i = 0; i < messages->len; i++)
    count_message (reasons, messages->pdata[i]);
  g_array_sort (reasons, compare_counts);
  for (guint i = 0; i < reasons->len; i++) {
    const Reason *reason = &g_array_index (reasons, Reason, i);
    gsize length = strlen (reason->text);

    length -= length > 0 && reason->text[length - 1] == '.';
    g_string_append_printf (text, "%s%d because %.*s", i > 0 ? "; " : "", reason->n_points,
                            (int)length, reason->text);
  }
  if (reasons->len > 0)
    g_string_append_c (text, '.');
  return g_string_free (text, FALSE);
}
