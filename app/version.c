/* SPDX-License-Identifier: MIT
 *
 * The program's version, compiled into the engine's library.
 */
#include "app/version.h"

#include "seam-config.h"

#include <dlfcn.h>
#include <glib.h>
#include <link.h>
#include <string.h>

#define BUILD_BYTES 8 /* of the 20 of a build ID */

const char *
seam_version (void)
{
  return SEAM_VERSION;
}

/* The note that the linker puts into every library, in the segments of the one at `base`; NULL if
 * it has none. */
static const guint8 *
find_build_id (const char *base)
{
  const ElfW (Ehdr) *file = (gconstpointer)base;
  const ElfW (Phdr) *segments = (gconstpointer)(base + file->e_phoff);

  for (int i = 0; i < file->e_phnum; i++) {
    const char *at = base + segments[i].p_vaddr, *end = at + segments[i].p_memsz;
    while (segments[i].p_type == PT_NOTE && at + sizeof (ElfW (Nhdr)) < end) {
      const ElfW (Nhdr) *note = (gconstpointer)at;
      const char *name = at + sizeof *note, *content = name + ((note->n_namesz + 3) & ~3U);
      if (note->n_type == NT_GNU_BUILD_ID && note->n_descsz >= BUILD_BYTES
          && strcmp (name, ELF_NOTE_GNU) == 0)
        return (const guint8 *)content;
      at = content + ((note->n_descsz + 3) & ~3U);
    }
  }
  return NULL;
}

const char *
seam_version_get_build (void)
{
  static char build[sizeof SEAM_VERSION + 1 + 2 * BUILD_BYTES] = SEAM_VERSION;
  static gsize done;
  Dl_info library;
  const guint8 *id = NULL;

  if (!g_once_init_enter (&done))
    return build;
  if (dladdr (build, &library) != 0)
    id = find_build_id (library.dli_fbase);
  for (int i = -1; id != NULL && i < BUILD_BYTES; i++)
    g_snprintf (build + strlen (build), 3, i < 0 ? "+" : "%02x", i < 0 ? 0 : id[i]);
  g_once_init_leave (&done, 1);
  return build;
}
