/* SPDX-License-Identifier: MIT
 *
 * Adds texts to the SHA-256 under which the suite keeps compiled code from one run to the next.
 * Each text includes its terminating 0, so that different lists of texts have different keys.
 */
#pragma once

#include <glib.h>
#include <string.h>

static inline void
content_key_add (GChecksum *key, const char *text)
{
  g_checksum_update (key, (const guchar *)text, (gssize)strlen (text) + 1);
}

static inline void
content_key_add_file (GChecksum *key, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!g_file_get_contents (path, &text, NULL, &error))
    g_error ("%s", error->message);
  content_key_add (key, text);
}
