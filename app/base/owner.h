/* SPDX-License-Identifier: MIT
 *
 * Memory that owns other memory: what is kept with an owner is freed with it, so that a struct of
 * many texts and arrays needs no function that frees each of them.
 */
#pragma once

#include <glib.h>

/* Zeroed; free it with seam_owner_free(). */
#define seam_owner_new(Type) ((Type *)seam_owner_alloc (sizeof (Type)))
gpointer seam_owner_alloc (gsize size);
/* Returns `part`, which may be NULL and which `free` frees with the owner, before its memory. */
gpointer seam_keep_full (gpointer owner, gpointer part, GDestroyNotify free);
#define seam_keep(owner, part) seam_keep_full (owner, part, g_free)
/* The same for a text. */
char *seam_keep_printf (gpointer owner, const char *format, ...) G_GNUC_PRINTF (2, 3);
/* A new array that is kept, whose elements `free` (may be NULL) frees. */
GPtrArray *seam_keep_array (gpointer owner, GDestroyNotify free);
void seam_owner_free (gpointer owner);
