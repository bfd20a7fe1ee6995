/* SPDX-License-Identifier: MIT
 *
 * The instructions that the system's compiler makes of a group's generated C. objdump knows which
 * function was inlined where; without objdump, the listing is assembler source, which does not
 * tell.
 */
#include "app/backend/cpu/backend-cpu.h"

#include <string.h>

static gboolean
check_part (GPtrArray *sources, int part, SeamListingKind kind, GError **error)
{
  const SeamSource *source = part >= 0 && part < (int)sources->len ? sources->pdata[part] : NULL;

  if (source == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "The group has no text %d.", part + 1);
  if (kind != SEAM_LISTING_NATIVE)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "PTX and SASS are code of NVIDIA GPUs. For the CPU there is “native”, the "
                      "processor's assembly.");
  if (strcmp (source->language, "c") != 0)
    return seam_fail (
        error, SEAM_ERROR_UNSUPPORTED,
        "Loops of this program run the group, and nothing is compiled for it. Generated C, and its "
        "assembly, is for groups that fuse ops (or “@generated”) where there is a C compiler.");
  return TRUE;
}

static void
append_note (SeamListing *listing, const char *sentence)
{
  g_autofree char *before = listing->note;

  listing->note = before != NULL ? g_strconcat (before, "\n", sentence, NULL) : g_strdup (sentence);
}

SeamListing *
seam_cpu_get_listing (SeamDevice *base, const SeamGroupSpec *spec, int part, SeamListingKind kind,
                      SeamCancel *cancel, GError **error)
{
  const SeamCpuDevice *device = (SeamCpuDevice *)base;
  g_autoptr (GPtrArray) sources = seam_cpu_get_source (base, spec, error);
  g_autofree char *disassembler = g_find_program_in_path ("objdump");

  if (sources == NULL || !check_part (sources, part, kind, error))
    return NULL;
  g_autofree char *text = seam_cpu_list (device, ((SeamSource *)sources->pdata[part])->text,
                                         disassembler, cancel, error);
  if (text == NULL)
    return NULL;
  char *title =
      g_strdup_printf ("assembly by %s for %s", seam_cpu_compiler_get (), device->loops->name);
  SeamListing *listing = seam_listing_new (SEAM_LISTING_NATIVE, title);
  if (disassembler != NULL)
    seam_listing_read_objdump (listing, text);
  else
    seam_listing_read_loc (listing, text);
  listing->note = seam_listing_describe_native (listing->text);
  if (disassembler == NULL)
    append_note (listing, "Instructions of inlined functions are marked in those functions only: "
                          "install objdump (binutils) to see the lines that call them, too.");
  return listing;
}
