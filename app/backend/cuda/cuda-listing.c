/* SPDX-License-Identifier: MIT
 *
 * get_listing(): PTX and SASS of a text that NVRTC compiles. NVRTC gives the PTX; nvdisasm (or,
 * without lines, cuobjdump) reads the SASS from the machine code if the CUDA toolkit is installed.
 */
#include "app/backend/cuda/compiler.h"
#include "app/backend/cuda/hand.h"
#include "app/base/npy.h"
#include "app/base/scratch.h"

#include <string.h>

/* Path of a program of the CUDA toolkit, which need not be in the PATH; newly allocated, or
 * NULL. */
static char *
find_tool (const char *name)
{
  static const char *const variables[] = { "CUDA_HOME", "CUDA_PATH" };
  char *path = g_find_program_in_path (name);

  for (gsize i = 0; path == NULL && i <= G_N_ELEMENTS (variables); i++) {
    const char *root = i < G_N_ELEMENTS (variables) ? g_getenv (variables[i]) : "/usr/local/cuda";
    g_autofree char *place = root != NULL ? g_build_filename (root, "bin", name, NULL) : NULL;

    if (place != NULL && g_file_test (place, G_FILE_TEST_IS_EXECUTABLE))
      path = g_steal_pointer (&place);
  }
  return path;
}

/* A program's output for the machine code; NULL if it fails. The code's file is the last
 * argument. */
static char *
dump (const char *path, const char *const *arguments)
{
  g_autoptr (GPtrArray) all = g_ptr_array_new ();
  g_autofree char *text = NULL;
  int status = 0;

  for (; *arguments != NULL; arguments++)
    g_ptr_array_add (all, (char *)*arguments);
  g_ptr_array_add (all, (char *)path);
  g_ptr_array_add (all, NULL);
  if (!g_spawn_sync (NULL, (char **)all->pdata, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &text,
                     NULL, &status, NULL)
      || !g_spawn_check_wait_status (status, NULL))
    return NULL;
  return g_steal_pointer (&text);
}

/* Disassembles with the best available tool; `*note` (newly allocated) says what that tool
 * lacks. */
static char *
disassemble (const char *path, char **note, GError **error)
{
  g_autofree char *nvdisasm = find_tool ("nvdisasm");
  g_autofree char *cuobjdump = find_tool ("cuobjdump");
  const char *const inlined[] = { nvdisasm, "--print-code", "--print-line-info-inline", NULL };
  const char *const lines[] = { nvdisasm, "--print-code", "--print-line-info", NULL };
  const char *const plain[] = { cuobjdump, "--dump-sass", NULL };
  char *text = NULL;

  if (nvdisasm != NULL)
    text = dump (path, inlined);
  if (nvdisasm != NULL && text == NULL)
    text = dump (path, lines);
  if (text != NULL)
    return text;
  if (cuobjdump != NULL)
    text = dump (path, plain);
  if (text != NULL)
    *note = g_strdup ("cuobjdump knows no source lines: install nvdisasm of the CUDA toolkit to "
                      "have them.");
  else
    g_set_error_literal (
        error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
        "SASS needs nvdisasm of the CUDA toolkit, which was not found in PATH or "
        "/usr/local/cuda/bin: install it (package cuda-nvdisasm-13-0, or the one of "
        "your CUDA), or look at PTX.");
  return text;
}

static SeamListing *
read_sass (CompilerListing *found, GError **error)
{
  g_autoptr (SeamScratch) scratch = NULL;
  g_autofree char *path = NULL, *text = NULL, *note = NULL;

  if (found->cubin == NULL)
    return seam_fail_null (error, SEAM_ERROR_UNSUPPORTED,
                           "This GPU is newer than the NVRTC library here, so its driver makes the "
                           "machine code: only PTX can be shown.");
  scratch = seam_scratch_new (error);
  if (scratch == NULL)
    return NULL;
  path = g_build_filename (scratch->path, "group.cubin", NULL);
  if (seam_file_write (path, g_bytes_get_data (found->cubin, NULL), g_bytes_get_size (found->cubin),
                       error))
    text = disassemble (path, &note, error);
  if (text == NULL)
    return NULL;
  SeamListing *listing =
      seam_listing_new (SEAM_LISTING_SASS, g_strdup_printf ("SASS for %s", found->architecture));
  seam_listing_read_sass (listing, text);
  listing->note = g_steal_pointer (&note);
  return listing;
}

static SeamListing *
read_ptx (CompilerListing *found)
{
  g_autofree char *version = compiler_get_version ();
  SeamListing *listing = seam_listing_new (
      SEAM_LISTING_PTX, g_strdup_printf ("PTX for %s by NVRTC %s", found->architecture, version));
  gsize length = 0;
  const char *text = g_bytes_get_data (found->ptx, &length);
  g_autofree char *copy = g_strndup (text, length);

  seam_listing_read_loc (listing, copy);
  return listing;
}

static gboolean
check_part (const SeamGroupSpec *spec, const GroupScheme *scheme, int part, SeamListingKind kind,
            GError **error)
{
  const SeamSegment *s =
      part >= 0 && part < scheme->segments.n ? &scheme->segments.segments[part] : NULL;

  if (scheme->support.level == SEAM_SUPPORT_NO)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "%s", scheme->support.reason);
  if (s == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "The group has no text %d.", part + 1);
  if (kind == SEAM_LISTING_NATIVE)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "“native” is the processor's assembly; for a GPU there are ptx and sass.");
  if (s->library && !scheme->half_sums && scheme->hand.version == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "This is a call of a closed library, whose kernels are not shown. A "
                      "hand-written kernel (“@" HAND_BEST "”) is.");
  if ((s->library && scheme->half_sums) || group_scheme_is_precompiled (spec, scheme, s))
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "This kernel was compiled ahead with nvcc, for all shapes. “@generated” has "
                      "its like for this group, compiled when it is used, and that is shown.");
  return TRUE;
}

/* The text to compile: the shown one, except that the program's own part is not from an edit. */
static char *
write_text (CudaDevice *device, const SeamGroupSpec *spec, const GroupScheme *scheme, int part,
            GError **error)
{
  const SeamSegment *s = &scheme->segments.segments[part];
  const char *edit = group_scheme_is_edited (spec, scheme, s) ? spec->edit : NULL;
  g_autoptr (GPtrArray) sources = NULL;

  if (s->library)
    return hand_write_compiled (device, &scheme->hand, edit, error);
  sources = cuda_get_source (&device->base, spec, error);
  return sources != NULL ? g_strdup (((SeamSource *)sources->pdata[part])->text) : NULL;
}

static void
prepend_note (SeamListing *listing, const char *log)
{
  g_autofree char *before = listing->note;
  g_autofree char *registers = seam_listing_describe_ptxas (log);

  if (registers == NULL)
    listing->note = g_steal_pointer (&before);
  else
    listing->note = g_strjoin ("\n", registers, before, NULL);
}

SeamListing *
cuda_get_listing (SeamDevice *base, const SeamGroupSpec *spec, int part, SeamListingKind kind,
                  SeamCancel *cancel, GError **error)
{
  CudaDevice *device = (CudaDevice *)base;
  g_autofree char *text = NULL;
  CompilerListing found = { 0 };
  CompilerFlags flags = 0;
  GroupScheme scheme;

  if (!cuda_device_enter (device, error))
    return NULL;
  group_scheme_make (device, spec, TRUE, &scheme);
  if (check_part (spec, &scheme, part, kind, error)) {
    text = write_text (device, spec, &scheme, part, error);
    if (scheme.segments.segments[part].library)
      flags = hand_get_flags (&scheme.hand);
  }
  group_scheme_clear (&scheme);
  if (text == NULL
      || !compiler_list (text, device->major, device->minor, flags, cancel, &found, error))
    return NULL;
  SeamListing *listing = kind == SEAM_LISTING_SASS ? read_sass (&found, error) : read_ptx (&found);
  if (listing != NULL)
    prepend_note (listing, found.log);
  compiler_listing_clear (&found);
  return listing;
}
