/* SPDX-License-Identifier: MIT
 *
 * Why a seam can or cannot be fused, on the tensor itself: which elements the op after the seam
 * needs for one of its outputs, whether one tile of the kernel before it holds them, what that
 * comes to in bytes, and what a block of the device has. Where the fused kernel begins with a
 * convolution, the input rows that neighbouring tiles both read, too. Pure, from shapes;
 * app/figure/why-figure.h draws it.
 */
#pragma once

#include "app/plan/traffic.h"
#include "app/result/device.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_WHY_ELEMENT,     /* one element needs one element */
  SEAM_WHY_GROUP_FITS,  /* a GroupNorm group lies inside one tile */
  SEAM_WHY_GROUP_HELD,  /* over several tiles, but few enough bytes for the chip */
  SEAM_WHY_GROUP_LARGE, /* more than a block holds */
} SeamWhyKind;

/* Outputs of one block of the hand-written matrix kernels: 128 rows or pixels by up to 128 columns
 * or channels (kernels/cuda/hand; other kernels have others of about this size). */
#define SEAM_WHY_TILE 128

typedef struct {
  SeamWhyKind kind;
  int seam;                    /* between op `seam` and the next */
  gint64 rows, columns, plane; /* the tensor between them: [rows, columns, plane] */
  gint64 height, width;        /* of the plane */
  gint64 span_columns;         /* neighbouring columns (channels) of one row that belong together */
  gint64 span;                 /* elements: span_columns whole planes, or 1 */
  gint64 n_tiles;              /* that one span touches */
  double bytes_saved; /* of traffic by fusing this seam alone, modelled (app/plan/traffic.h) */
  double bytes_span;  /* of one span, FP32 */
  double bytes_chip;  /* that a block holds between statistics and apply (app/plan/traffic.h) */
  double bytes_twice; /* read a second time because a span does not fit; 0 where it does */
  /* For a convolution at the head of the fused kernel. Tiles of tile_height x tile_width outputs
   * read `halo` rows and columns more of the input than they write of the output; 0: no halo. */
  gint64 halo, tile_height, tile_width, channels;
  double bytes_patch;     /* input of one inner tile, FP32 */
  double bytes_input;     /* the whole input */
  double bytes_again;     /* input that more than one tile reads, beyond the first time */
  double bytes_sums;      /* of one tile's sums: what the block keeps in registers */
  double bytes_registers; /* that a block of the device may have; 0: unknown */
  double bytes_shared;
  char *halo_sentence; /* NULL: no halo; owned */
  char *resources;     /* what it needs of what the device has; owned */
  char *sentence;      /* owned */
  char *number;        /* the one number, with unit; owned */
  char *caption;       /* of what it is; owned */
  char *answer;        /* of the target: its sentence, or that it fuses; owned */
  char *sources;       /* where the numbers come from; owned */
} SeamWhy;

/* `plan` decides what stands around the seam. `can_fuse` and `reason` (may be NULL) are the
 * target's answer for this seam (SeamPlanEstimate.seams); `device` (may be NULL) the target. */
SeamWhy *seam_why_new (const SeamProblem *problem, const SeamPlan *plan, int seam,
                       gboolean can_fuse, const char *reason, const SeamDeviceInfo *device);
/* The header where `why` is NULL, else its row. */
void seam_why_append_csv (GString *csv, const SeamWhy *why, const SeamProblem *problem,
                          const SeamPlan *plan, gboolean can_fuse);
void seam_why_free (SeamWhy *why);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamWhy, seam_why_free)

G_END_DECLS
