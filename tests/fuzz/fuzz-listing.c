/* SPDX-License-Identifier: MIT
 *
 * The output of compilers and disassemblers: listings, diagnostics, and the lines of ptxas about
 * registers.
 */
#include "app/backend/diagnostic.h"
#include "app/backend/listing.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init ();
  return 0;
}

/* A listing consists of whole lines, its places exist, and it reaches the window unchanged. */
static void
check_listing (SeamListingKind kind, void (*read) (SeamListing *listing, const char *text),
               const char *text)
{
  g_autoptr (SeamListing) listing = seam_listing_new (kind, g_strdup ("title"));
  g_autoptr (GVariant) variant = NULL;
  g_autoptr (GVariant) again = NULL;
  g_autoptr (SeamListing) back = NULL;
  g_autoptr (GError) error = NULL;
  g_autoptr (GArray) lines = NULL;

  read (listing, text);
  g_assert_true (g_utf8_validate (listing->text, -1, NULL));
  for (guint i = 0; i < listing->places->len; i++)
    g_assert_cmpuint (g_array_index (listing->places, SeamListingPlace, i).file, <,
                      listing->files->len);
  lines = seam_listing_find_lines (listing, "", 1);
  fuzz_take_text (seam_listing_annotate (listing, "first line\nsecond line\n"));
  variant = g_variant_ref_sink (seam_listing_to_variant (listing));
  back = seam_listing_from_variant (variant, &error);
  fuzz_check (back != NULL, error);
  if (back == NULL)
    g_error ("a listing does not reach the window: %s", error->message);
  again = g_variant_ref_sink (seam_listing_to_variant (back));
  g_assert_true (g_variant_equal (variant, again));
}

static void
check_diagnostics (const char *text)
{
  g_autoptr (GPtrArray) list = seam_diagnostics_parse (text);
  g_autofree char *explained = seam_diagnostics_explain ("It does not compile", text);

  fuzz_take_text (seam_diagnostics_format (list));
  for (guint i = 0; i < list->len; i++) {
    const SeamDiagnostic *diagnostic = list->pdata[i];
    g_assert_true (diagnostic->line >= 0 && diagnostic->column >= 0);
    g_assert_nonnull (diagnostic->text);
  }
  g_assert_true (g_str_has_prefix (explained, "It does not compile:"));
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);

  fuzz_take_text (seam_listing_describe_ptxas (text));
  fuzz_take_text (seam_listing_describe_native (text));
  check_listing (SEAM_LISTING_PTX, seam_listing_read_loc, text);
  check_listing (SEAM_LISTING_SASS, seam_listing_read_sass, text);
  check_listing (SEAM_LISTING_NATIVE, seam_listing_read_objdump, text);
  check_diagnostics (text);
  return 0;
}
