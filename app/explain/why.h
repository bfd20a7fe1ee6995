/* SPDX-License-Identifier: MIT
 *
 * Why a seam can or cannot be fused, on the tensor itself: which elements the op after the seam
 * needs for one of its outputs, whether one tile of the kernel before it holds them, how many bytes
 * that takes, and how many a block of the device has. If the fused kernel begins with a
 * convolution, also the input rows that neighbouring tiles both read. Pure, from shapes;
 * app/figure/why-figure.h draws it.
 */
#pragma once

#include "app/base/owner.h"
#include "app/plan/traffic.h"
#include "app/record/record.h"
#include "app/result/device.h"

typedef enum {
  SEAM_WHY_ELEMENT,     /* one element needs one element */
  SEAM_WHY_GROUP_FITS,  /* a GroupNorm group lies inside one tile */
  SEAM_WHY_GROUP_HELD,  /* over several tiles, but small enough for the chip */
  SEAM_WHY_GROUP_LARGE, /* more bytes than a block holds */
} SeamWhyKind;

/* Outputs of one block of the hand-written matrix kernels: 128 rows or pixels by up to 128 columns
 * or channels (kernels/cuda/hand; other kernels have similar tiles). */
#define SEAM_WHY_TILE 128

typedef struct {
  SeamWhyKind kind;
  int seam;                    /* between op `seam` and the next */
  gboolean can_fuse;           /* the target's answer */
  gint64 rows, columns, plane; /* the tensor between them: [rows, columns, plane] */
  gint64 height, width;        /* of the plane */
  gint64 span_columns;         /* neighbouring columns (channels) of one row that belong together */
  gint64 span;                 /* elements: span_columns whole planes, or 1 */
  gint64 n_tiles;              /* tiles that one span touches */
  double bytes_saved; /* modelled traffic that fusing only this seam saves (app/plan/traffic.h) */
  double bytes_span;  /* of one span, FP32 */
  double bytes_chip;  /* most bytes that a block holds between statistics and apply
                       * (app/plan/traffic.h) */
  double bytes_twice; /* bytes read a second time because a span does not fit; 0 if it does */
  /* For a convolution at the head of the fused kernel: tiles of tile_height x tile_width outputs
   * read `halo` more rows and columns of the input than they write of the output; 0: no halo. */
  gint64 halo, tile_height, tile_width, channels;
  double bytes_patch;     /* input of one inner tile, FP32 */
  double bytes_input;     /* the whole input */
  double bytes_again;     /* input that several tiles read, without the first time */
  double bytes_sums;      /* one tile's sums, which the block keeps in registers */
  double bytes_registers; /* bytes of registers that a block of the device may have; 0: unknown */
  double bytes_shared;
  char *halo_sentence; /* NULL: no halo; owned */
  char *resources;     /* the need and the resources of the device; owned */
  char *sentence;      /* owned */
  char *number;        /* the one number, with unit; owned */
  char *caption;       /* names the number; owned */
  char *answer;        /* the target's sentence, or that it fuses; owned */
  char *sources;       /* origin of the numbers; owned */
} SeamWhy;

/* `plan` decides what surrounds the seam. `can_fuse` and `reason` (may be NULL) are the target's
 * answer for this seam (SeamPlanEstimate.seams); `device` (may be NULL) is the target. */
SeamWhy *seam_why_new (const SeamProblem *problem, const SeamPlan *plan, int seam,
                       gboolean can_fuse, const char *reason, const SeamDeviceInfo *device);
/* A row for each seam of `plan`; newly allocated. */
char *seam_whys_to_rows (SeamWhy *const *whys, int n, const SeamProblem *problem,
                         const SeamPlan *plan, SeamRowsFormat format);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamWhy, seam_owner_free)
