/* SPDX-License-Identifier: MIT
 *
 * Why a seam can or cannot be fused, on the tensor itself: which elements the op after the seam
 * needs for one of its outputs, whether one tile of the kernel before it holds them, and what that
 * comes to in bytes. Pure, from shapes; app/figure/why.h draws it.
 */
#pragma once

#include "app/plan/traffic.h"

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
  char *sentence;     /* owned */
  char *number;       /* the one number, with unit; owned */
  char *caption;      /* of what it is; owned */
  char *answer;       /* of the target: its sentence, or that it fuses; owned */
  char *sources;      /* where the numbers come from; owned */
} SeamWhy;

/* `plan` decides what stands around the seam. `can_fuse` and `reason` (may be NULL) are the
 * target's answer for this seam (SeamPlanEstimate.seams). */
SeamWhy *seam_why_new (const SeamProblem *problem, const SeamPlan *plan, int seam,
                       gboolean can_fuse, const char *reason);
void seam_why_free (SeamWhy *why);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamWhy, seam_why_free)

G_END_DECLS
