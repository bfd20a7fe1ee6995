/* SPDX-License-Identifier: MIT
 *
 * The list of what an owner keeps lies before it, in the same block.
 */
#include "app/base/owner.h"

#include <stddef.h>

typedef struct {
  gpointer memory;
  GDestroyNotify free;
} Part;

typedef union {
  GArray *parts;
  max_align_t alignment;
} Head;

static void
clear_part (gpointer data)
{
  Part *part = data;

  part->free (part->memory);
}

gpointer
seam_owner_alloc (gsize size)
{
  Head *head = g_malloc0 (sizeof *head + size);

  head->parts = g_array_new (FALSE, FALSE, sizeof (Part));
  g_array_set_clear_func (head->parts, clear_part);
  return head + 1;
}

gpointer
seam_keep_full (gpointer owner, gpointer part, GDestroyNotify free)
{
  if (part != NULL)
    g_array_append_val (((Head *)owner - 1)->parts, ((Part){ part, free }));
  return part;
}

GPtrArray *
seam_keep_array (gpointer owner, GDestroyNotify free)
{
  return seam_keep_full (owner, g_ptr_array_new_with_free_func (free),
                         (GDestroyNotify)g_ptr_array_unref);
}

char *
seam_keep_printf (gpointer owner, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return seam_keep (owner, text);
}

void
seam_owner_free (gpointer owner)
{
  if (owner == NULL)
    return;
  g_array_unref (((Head *)owner - 1)->parts);
  g_free ((Head *)owner - 1);
}
