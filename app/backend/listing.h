/* SPDX-License-Identifier: MIT
 *
 * What a compiler made of a group's code, line by line: PTX, SASS or the processor's assembly, and
 * for every instruction the source lines that it comes from, through all functions that were
 * inlined. Read from what NVRTC, nvdisasm, cuobjdump, objdump and `cc -S` print; runs none of them.
 */
#pragma once

#include "app/base/error.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_LISTING_PTX,    /* CUDA: NVRTC's virtual instructions */
  SEAM_LISTING_SASS,   /* CUDA: the GPU's own, as nvdisasm prints them */
  SEAM_LISTING_NATIVE, /* the CPU's */
  SEAM_N_LISTINGS
} SeamListingKind;

const char *seam_listing_kind_get_name (SeamListingKind kind); /* "ptx", "sass", "native" */
gboolean seam_listing_kind_parse (const char *text, SeamListingKind *kind, GError **error);

/* One source line of one line of the listing. */
typedef struct {
  guint line;        /* of the listing, from 0 */
  guint file;        /* index into `files` */
  guint source_line; /* from 1 */
} SeamListingPlace;

typedef struct {
  SeamListingKind kind;
  char *title;      /* "PTX for sm_90, NVRTC 13.0" */
  char *text;       /* UTF-8, lines end with a line feed; without the directives that were read */
  char *note;       /* registers, spills, memory, remarks; one sentence a line; NULL: none */
  GPtrArray *files; /* of char *: "" is the group's own text, "kernels/ops.h" a file it includes */
  GArray *places;   /* of SeamListingPlace by `line`; of one line the innermost place first */
} SeamListing;

/* Takes `title`. The text is empty until one of the readers below fills it. */
SeamListing *seam_listing_new (SeamListingKind kind, char *title);
void seam_listing_free (SeamListing *listing);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamListing, seam_listing_free)

/* Places of one line, borrowed; NULL and 0 where it has none. */
const SeamListingPlace *seam_listing_get_places (const SeamListing *listing, guint line, guint *n);
/* The listing's lines (guint, ascending) that come from this line of a file ("" or as included),
 * directly or inlined; newly allocated, perhaps empty. */
GArray *seam_listing_find_lines (const SeamListing *listing, const char *file, guint source_line);
/* The text with a comment before every instruction whose line of the group's own text `source`
 * differs from that of the one before: that line. Newly allocated. */
char *seam_listing_annotate (const SeamListing *listing, const char *source);

/* Fill text, files and places; foreign text gives lines without places, never an error. PTX and an
 * assembler's source, by `.file` and `.loc`: */
void seam_listing_read_loc (SeamListing *listing, const char *text);
/* `nvdisasm --print-code --print-line-info-inline`, or `cuobjdump --dump-sass` (no places): */
void seam_listing_read_sass (SeamListing *listing, const char *text);
/* `objdump --disassemble --line-numbers --inlines --no-show-raw-insn --no-addresses` (GNU): */
void seam_listing_read_objdump (SeamListing *listing, const char *text);

/* Sentences about what `ptxas -v` said in NVRTC's log: registers, spills and static shared memory
 * of each kernel. Newly allocated; NULL where it said nothing. */
char *seam_listing_describe_ptxas (const char *log);
/* The same of an x86-64 or AArch64 listing: vector registers used and spilled; NULL elsewhere. */
char *seam_listing_describe_native (const char *text);

/* a{sv}, floating; reading trusts nothing. */
GVariant *seam_listing_to_variant (const SeamListing *listing);
SeamListing *seam_listing_from_variant (GVariant *variant, GError **error);

G_END_DECLS
