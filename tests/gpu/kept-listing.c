/* SPDX-License-Identifier: MIT
 *
 * One file for each listing; its name is the SHA-256 of everything that the listing depends on:
 * NVRTC, compiler.c with its options, the headers that a kernel includes, and the source.
 */
#include "tests/gpu/kept-listing.h"

#include "kernels/embedded.h"
#include "tests/gpu/content-key.h"

#define KEPT_TYPE "(msay)" /* log, PTX */

/* Newly allocated; NULL: no listings are kept. */
static char *
get_path (const char *source, int major, CompilerFlags flags)
{
  const char *cache = g_getenv ("SEAMSCOPE_TEST_CACHE");
  const char *compiler = g_getenv ("SEAMSCOPE_TEST_COMPILER");
  g_autoptr (GChecksum) key = g_checksum_new (G_CHECKSUM_SHA256);
  g_autofree char *version = compiler_get_version ();
  g_autofree char *target = g_strdup_printf ("%d %d", major, (int)flags);
  g_autofree char *folder = NULL;

  if (cache == NULL || compiler == NULL)
    return NULL;
  content_key_add (key, version);
  content_key_add (key, target);
  content_key_add_file (key, compiler);
  for (int i = 0; i < seam_n_cuda_texts; i++)
    content_key_add (key, seam_cuda_texts[i].text);
  content_key_add (key, source);
  folder = g_build_filename (cache, "listings", NULL);
  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, g_checksum_get_string (key), NULL);
}

static gboolean
read_kept (const char *path, CompilerListing *found)
{
  g_autoptr (GVariant) kept = NULL, ptx = NULL;
  char *text;
  gsize length;

  if (!g_file_get_contents (path, &text, &length, NULL))
    return FALSE;
  kept = g_variant_ref_sink (
      g_variant_new_from_data (G_VARIANT_TYPE (KEPT_TYPE), text, length, FALSE, g_free, text));
  if (!g_variant_is_normal_form (kept))
    return FALSE;
  g_variant_get (kept, "(ms@ay)", &found->log, &ptx);
  found->ptx = g_variant_get_data_as_bytes (ptx);
  return TRUE;
}

void
kept_listing_get (const char *source, int major, CompilerFlags flags, CompilerListing *found)
{
  g_autofree char *path = get_path (source, major, flags);
  g_autoptr (GVariant) kept = NULL;
  g_autoptr (GError) error = NULL;

  *found = (CompilerListing){ 0 };
  if (path != NULL && read_kept (path, found))
    return;
  compiler_list (source, major, 0, flags, NULL, found, &error);
  g_assert_no_error (error);
  g_clear_pointer (&found->cubin, g_bytes_unref);
  g_clear_pointer (&found->architecture, g_free);
  if (path == NULL)
    return;
  kept = g_variant_ref_sink (
      g_variant_new ("(ms@ay)", found->log,
                     g_variant_new_from_bytes (G_VARIANT_TYPE_BYTESTRING, found->ptx, TRUE)));
  g_file_set_contents (path, g_variant_get_data (kept), (gssize)g_variant_get_size (kept), &error);
  g_assert_no_error (error);
}
