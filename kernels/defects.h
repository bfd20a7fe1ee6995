/* SPDX-License-Identifier: MIT
 *
 * The mistakes that exhibits carry: kernels that are wrong on purpose, in ways that real fused
 * kernels are. Plain C that gcc, nvcc and NVRTC all accept, and the only definition of each
 * mistake, as ops.h is for the mathematics: CPU loops and generated kernels include it. No mistake
 * touches memory outside of a tensor. app/pipeline decides which op of a plan carries which
 * mistake.
 */
#ifndef SEAM_DEFECTS_H
#define SEAM_DEFECTS_H

#include "kernels/operand.h"
#include "kernels/ops.h"

typedef enum {
  SEAM_DEFECT_NONE,
  SEAM_DEFECT_MISSING_TAIL, /* rows are written `parameter` elements at a time, without the rest */
  SEAM_DEFECT_INDEX_OVERFLOW,    /* the index is signed and has `parameter` bits besides its sign */
  SEAM_DEFECT_LOST_UPDATE,       /* groupnorm: one of `parameter` partial sums is overwritten */
  SEAM_DEFECT_ONE_PASS_VARIANCE, /* groupnorm: E[x^2] - E[x]^2 with FP32 sums */
  SEAM_DEFECT_HALF_SUMS,         /* conv2d, matmul: rounded to FP16 after every addition */
  SEAM_DEFECT_WITHOUT_AFFINE,    /* groupnorm: its weight counts as 1 and its bias as 0 */
  SEAM_N_DEFECT_TYPES
} SeamDefectType;

/* Whether a kernel with a mistake in its stores writes element `index` of a tensor whose rows (the
 * last dimension) have `row` elements. */
SEAM_OP_FUNCTION int
seam_defect_writes (SeamDefectType type, int parameter, long long index, long long row)
{
  if (type == SEAM_DEFECT_MISSING_TAIL)
    return index % row < row - row % parameter;
  /* Past the largest value the index is negative, and the kernel's check leaves it out. */
  if (type == SEAM_DEFECT_INDEX_OVERFLOW)
    return index < 1LL << parameter;
  return 1;
}

/* Which of `parts` equal pieces of normalisation group `group` lost its update of the sums, or -1
 * if none did. A real race gives another answer each time; this one can be repeated: it follows
 * from mixed bits of the group's number (the finaliser of MurmurHash3), and one group in eight
 * loses nothing. */
SEAM_OP_FUNCTION int
seam_defect_lost_part (long long group, int parts)
{
  unsigned int h = (unsigned int)group;
  h ^= h >> 16;
  h *= 0x85ebca6bu;
  h ^= h >> 13;
  h *= 0xc2b2ae35u;
  h ^= h >> 16;
  return h % 8u == 0 ? -1 : (int)((h / 8u) % (unsigned int)parts);
}

/* First element of piece `part` of a group of `size` elements; for part == parts it is `size`. */
SEAM_OP_FUNCTION long long
seam_defect_part_start (long long size, int part, int parts)
{
  return size * part / parts;
}

/* The value that the statistics of normalisation group `group` use for its element `index`, whose
 * value is `x`. A lost update leaves the sum and the sum of squares as if the element were 0. */
SEAM_OP_FUNCTION float
seam_defect_statistic (float x, long long group, long long index, long long size, int parts)
{
  const int lost = seam_defect_lost_part (group, parts);
  return lost >= 0 && index >= seam_defect_part_start (size, lost, parts)
                 && index < seam_defect_part_start (size, lost + 1, parts)
             ? 0.0f
             : x;
}

/* E[x^2] - E[x]^2, each rounded to FP32: cancellation may even leave it negative. */
SEAM_OP_FUNCTION float
seam_defect_one_pass_variance (float sum, float sum_of_squares, float count)
{
  const float mean = sum / count;
  const float square = mean * mean;
  return sum_of_squares / count - square;
}

/* One step of a sum kept in FP16. The product is exact, as on tensor cores: it is computed in FP64,
 * where it fits, so that every compiler and target gets the same bits, with or without fused
 * multiply-add. */
SEAM_OP_FUNCTION float
seam_defect_add_half (float sum, float x, float y)
{
  return seam_operand_round_fp16 ((float)((double)sum + (double)x * (double)y));
}

#endif
