/* SPDX-License-Identifier: MIT
 *
 * Compiles generated sources to machine code with NVRTC, through a disk cache
 * ($XDG_CACHE_HOME/seamscope/kernels). Needs no driver and no GPU.
 */
#pragma once

#include "app/backend/cuda/cuda-check.h"

typedef enum {
  COMPILER_SPECIFIC = 1 << 0, /* with the instructions of that capability alone ("sm_90a"), which
                               * its successors lack */
  COMPILER_FLUSH = 1 << 1,    /* values under 1e-38 become 0 */
} CompilerFlags;

/* Machine code (or, for a GPU newer than the compiler, PTX) of `source` for a compute capability. A
 * source that does not compile gives SEAM_ERROR_UNSUPPORTED with the compiler's log. Stops waiting
 * when `cancel` (may be NULL) is raised. */
GBytes *compiler_compile (const char *source, int major, int minor, CompilerFlags flags,
                          SeamCancel *cancel, GError **error);

/* A source compiled for reading, with lines and inlined functions. */
typedef struct {
  GBytes *ptx;
  GBytes *cubin;      /* NULL for a GPU newer than the compiler */
  char *log;          /* ptxas's messages about registers; NULL: none */
  char *architecture; /* "sm_90a", "compute_90" */
} CompilerListing;

/* Compiles the same source for a listing; keeps nothing on disk. */
gboolean compiler_list (const char *source, int major, int minor, CompilerFlags flags,
                        SeamCancel *cancel, CompilerListing *listing, GError **error);
void compiler_listing_clear (CompilerListing *listing);

/* "13.0" */
char *compiler_get_version (void);
