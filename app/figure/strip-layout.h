/* SPDX-License-Identifier: MIT
 *
 * Places of all parts of a strip: pure geometry from op count, fused seams and width, without text
 * or colour. Internal to app/figure/ and its test.
 */
#pragma once

#include "app/figure/figure.h"

#define SEAM_STRIP_BLOCK_HEIGHT 44.0
#define SEAM_STRIP_OUTLINE      6.0 /* distance from a block to its fused outline */

typedef struct {
  int n_ops;
  guint32 fused;                /* bit i: the seam between op i and i + 1 */
  double width, height;         /* of the strip, with the left column */
  double left;                  /* left column */
  double block, gap, edge;      /* widths of a block, a seam, and the ends with the tensor glyphs */
  double top;                   /* of the blocks */
  gboolean flat;                /* blocks without a second line */
  double op_x[SEAM_MAX_OPS];    /* left side of each nominal block: the same for every plan */
  SeamRect ops[SEAM_MAX_OPS];   /* as drawn: extended to the stitch if fused */
  SeamRect seams[SEAM_MAX_OPS]; /* area between two nominal blocks, which can be clicked */
  SeamRect seam_rings[SEAM_MAX_OPS]; /* the part of it that gets the ring */
  SeamRect input, output;            /* tensor glyphs with their labels */
  double input_x, output_x;          /* centres of the glyphs */
} SeamStripLayout;

void seam_strip_layout (SeamStripLayout *layout, int n_ops, guint32 fused, double width,
                        double left, gboolean compact, gboolean has_back_reference);
/* The least width of a strip of `n_ops` ops; in less room the window scrolls. */
double seam_strip_get_min_width (int n_ops, double left);

/* First and last op of the group that `op` is in. */
void seam_strip_get_group (const SeamStripLayout *layout, int op, int *first, int *last);
/* Outline of the group of ops first..last. */
SeamRect seam_strip_get_outline (const SeamStripLayout *layout, int first, int last);
