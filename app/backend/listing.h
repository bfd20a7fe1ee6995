/* SPDX-License-Identifier: MIT
 *
 * A compiler's listing of a group's code: PTX, SASS or the processor's assembly, with the source
 * lines of every instruction through all inlined functions. It is read from the output of NVRTC,
 * nvdisasm, cuobjdump, objdump and `cc -S`; this module runs none of them.
 */
#pragma once

#include "app/base/error.h"

typedef enum {
  SEAM_LISTING_PTX,    /* CUDA: NVRTC's virtual instructions */
  SEAM_LISTING_SASS,   /* CUDA: the GPU's own instructions, from nvdisasm */
  SEAM_LISTING_NATIVE, /* the CPU's instructions */
  SEAM_N_LISTINGS
} SeamListingKind;

const char *seam_listing_kind_get_name (SeamListingKind kind); /* "ptx", "sass", "native" */
gboolean seam_listing_kind_parse (const char *text, SeamListingKind *kind, GError **error);

/* A source line that a line of the listing comes from. */
typedef struct {
  guint line;        /* of the listing, from 0 */
  guint file;        /* index into `files` */
  guint source_line; /* from 1 */
} SeamListingPlace;

typedef struct {
  SeamListingKind kind;
  char *title;      /* "PTX for sm_90, NVRTC 13.0" */
  char *text;       /* UTF-8, lines end with a line feed; without the directives that the reader
                     * used */
  char *note;       /* registers, spills, memory, remarks; one sentence per line; NULL: none */
  GPtrArray *files; /* of char *: "" is the group's own text, "kernels/ops.h" a file it includes */
  GArray *places;   /* of SeamListingPlace, sorted by `line`; within a line the innermost place
                     * first */
} SeamListing;

/* Takes `title`. The text is empty until one of the readers below fills it. */
SeamListing *seam_listing_new (SeamListingKind kind, char *title);
void seam_listing_free (SeamListing *listing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamListing, seam_listing_free)

/* Places of one line, borrowed; NULL and 0 if it has none. */
const SeamListingPlace *seam_listing_get_places (const SeamListing *listing, guint line, guint *n);
/* The listing's lines (guint, ascending) that come from this line of a file ("" or its name in the
 * #include), directly or inlined; newly allocated, may be empty. */
GArray *seam_listing_find_lines (const SeamListing *listing, const char *file, guint source_line);
/* The text with comments that quote lines of `source`, the group's own text: one before every
 * instruction that comes from another line than the previous one. Newly allocated. */
char *seam_listing_annotate (const SeamListing *listing, const char *source);

/* The readers fill text, files and places; unknown text gives lines without places, never an error.
 * PTX and assembler source, by `.file` and `.loc`: */
void seam_listing_read_loc (SeamListing *listing, const char *text);
/* `nvdisasm --print-code --print-line-info-inline`, or `cuobjdump --dump-sass` (no places): */
void seam_listing_read_sass (SeamListing *listing, const char *text);
/* `objdump --disassemble --line-numbers --inlines --no-show-raw-insn --no-addresses` (GNU): */
void seam_listing_read_objdump (SeamListing *listing, const char *text);

/* Sentences about the output of `ptxas -v` in NVRTC's log: registers, spills and static shared
 * memory of each kernel. Newly allocated; NULL if there is none. */
char *seam_listing_describe_ptxas (const char *log);
/* The same for an x86-64 or AArch64 listing: vector registers used and spilled; NULL for others. */
char *seam_listing_describe_native (const char *text);

/* a{sv}, floating; reading checks everything. */
GVariant *seam_listing_to_variant (const SeamListing *listing);
SeamListing *seam_listing_from_variant (GVariant *variant, GError **error);
