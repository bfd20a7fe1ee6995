/* SPDX-License-Identifier: MIT
 *
 * Generated sources to machine code with NVRTC, through a disk cache
 * ($XDG_CACHE_HOME/seamscope/kernels). Needs no driver and no GPU: it only makes bytes.
 */
#pragma once

#include "app/backend/cuda/check.h"

G_BEGIN_DECLS

typedef enum {
  COMPILER_SPECIFIC = 1 << 0, /* with the instructions of that capability alone ("sm_90a"), which
                                 its successors lack */
  COMPILER_FLUSH = 1 << 1,    /* values under 1e-38 become 0 */
} CompilerFlags;

/* Machine code (or, for a GPU newer than the compiler, PTX) of `source` for a compute capability.
 * A source that does not compile gives SEAM_ERROR_UNSUPPORTED with the compiler's log. Waits no
 * longer than until `cancel` (may be NULL) is raised. */
GBytes *compiler_compile (const char *source, int major, int minor, CompilerFlags flags,
                          SeamCancel *cancel, GError **error);

/* "13.0" */
char *compiler_get_version (void);

G_END_DECLS
