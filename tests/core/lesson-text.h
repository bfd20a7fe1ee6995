/* SPDX-License-Identifier: MIT
 *
 * Texts of lessons and formulas for tests, and what an error must say of them.
 */
#pragma once

#include <glib.h>
#include <string.h>

/* The head of a lesson, 7 lines; the keys of a step. */
#define HEAD      "---\ntitle: T\ntopic: X\nminutes: 3\ngoal: G\n---\n\n"
#define KEYS(...) "```seamscope\n" __VA_ARGS__ "```\n"
#define SAMPLE    "sample = h200-conv-relu-hardswish\nplans = unfused, published\n"

static inline void
assert_says (const GError *error, const char *words)
{
  g_assert_nonnull (error);
  if (strstr (error->message, words) == NULL)
    g_error ("“%s” does not say “%s”", error->message, words);
}

/* `text` n times, the middle, and `end` n times; newly allocated. */
static inline char *
repeat (const char *text, int n, const char *middle, const char *end)
{
  GString *all = g_string_new (NULL);

  for (int i = 0; i < n; i++)
    g_string_append (all, text);
  g_string_append (all, middle);
  for (int i = 0; i < n; i++)
    g_string_append (all, end);
  return g_string_free (all, FALSE);
}
