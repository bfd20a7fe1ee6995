/* SPDX-License-Identifier: MIT
 *
 * Default tolerances, derived from the length of the sums and the precision of their products; a
 * person may edit them. They are not the project's acceptance classes, which the tests assert.
 */
#include "app/compare/compare.h"

#include <math.h>

/* Unit roundoff of IEEE FP32: 24-bit significand. */
#define UNIT_FP32 0x1p-24

/* How many standard deviations from 0 the largest of 10^8 to 10^9 errors lies (normal errors: the
 * expected maximum of 10^9 is 6.0). */
#define LARGEST_ERROR_SIGMAS 6.0

/* FP32 outputs of two libraries differ by more than the rounding of one sum: a Winograd convolution
 * rounds transformed tiles, with about ten times the error of direct summation. */
#define LEAST_FP32 2e-5

/* TF32 rounds both factors to an 11-bit significand (unit roundoff 2^-11). With inputs and weights
 * as the problems make them (inputs of order 1, weights of order 1/sqrt (L)) the L products' errors
 * add as a random walk whose deviation does not depend on L; the largest error of the whole chain
 * was simulated to 3e-4 to 4e-4 against FP64 on the five problems, so two TF32 plans
 * differ by at most the sum. */
#define TF32 1e-3

/* FP16 has TF32's significand; its loss on weights under 2^-14, 2^-25 of each, is far smaller. bf16
 * has 8 bits, so each rounding and their sum are 8 times as large. The relative part covers the
 * addition of a library that stores its result in the operands' type: half of 2^-11 or 2^-8. */
#define FP16 TF32
#define BF16 (8 * TF32)

static const double roundings[SEAM_N_MATH_MODES] = {
  [SEAM_MATH_TF32] = TF32, [SEAM_MATH_FP16] = FP16, [SEAM_MATH_BF16] = BF16
};

/* GroupNorm divides by the deviation of its group, which is well under 1 after a sigmoid and so
 * multiplies earlier errors. Simulation gave 2.3e-3 for TF32 in problem #21, six times the other
 * problems; 5 keeps class T of that problem (5e-3). This holds for weights of 1; the weight of the
 * GroupNorm multiplies the errors again. */
#define GROUPNORM_GAIN 5.0

/* GroupNorm divides by no less than sqrt (eps), eps = 1e-5. */
#define LARGEST_GAIN 316.0

/* FP32: a sum of L products that each round, in any order, drifts as a random walk: deviation
 * u * sqrt (L) of its terms' scale, largest of many 6 of those. Modes that round the factors: the
 * constants above, where that outweighs the sum's own rounding. The relative part equals the
 * absolute one, so that the limit is t * (1 + |b|): between 1 and 2 times t * max (1, |b|). */
void
seam_tolerance_get_default (SeamMathMode math_mode, gint64 reduction_length, double norm_scale,
                            double *atol, double *rtol)
{
  double sum = LARGEST_ERROR_SIGMAS * UNIT_FP32 * sqrt ((double)MAX (reduction_length, 1));
  double tolerance = MAX (sum, LEAST_FP32);

  if ((guint)math_mode < SEAM_N_MATH_MODES)
    tolerance = MAX (tolerance, roundings[seam_math_mode_get_base (math_mode)]);
  if (norm_scale > 0)
    tolerance *= GROUPNORM_GAIN * norm_scale;
  /* Two significant digits, rounded up: an entry shows the number, and the derivation does not
   * justify more. It is converted through text, so that the entry parses back to the same
   * number. */
  double digit = pow (10, floor (log10 (tolerance)) - 1);
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  g_ascii_formatd (text, sizeof text, "%.1e", ceil (tolerance / digit - 1e-9) * digit);
  *atol = *rtol = g_ascii_strtod (text, NULL);
}

/* Unit roundoffs of 11 and 8 significant bits. */
#define UNIT_FP16 0x1p-11
#define UNIT_BF16 0x1p-8

static double
get_unit (SeamMathMode math_mode)
{
  return math_mode == SEAM_MATH_BF16 ? UNIT_BF16 : UNIT_FP16;
}

/* Each tensor that is stored in 16 bits rounds its elements once, by at most u of their size. The
 * values between the ops are of the order of 1 or of the output (as the problems make them, but for
 * the distribution offset, which 16 bits do not bear), so n such tensors add at most n u, and a
 * GroupNorm behind them multiplies that like any error before it. A plan with fewer cuts stores
 * fewer: the limit is that of the plan that stores most, the same for all plans of a run. */
double
seam_tolerance_get_storage (SeamMathMode math_mode, int n_stored, double norm_scale)
{
  return n_stored * get_unit (math_mode) * (norm_scale > 0 ? GROUPNORM_GAIN * norm_scale : 1);
}

/* The output rounds behind every op, a GroupNorm among them, so nothing multiplies that: u of its
 * size on each of the two sides that are compared (two neighbours of the type lie 2 u apart), one
 * against FP64. All of it is relative: where FP16 is subnormal, under 2^-14, 2 times 2^-25 is
 * nothing beside any absolute tolerance. Input and weight add nothing: the math mode rounds them to
 * the same type wherever they come from, and its tolerance has that. */
double
seam_tolerance_get_output (SeamMathMode math_mode)
{
  return 2 * get_unit (math_mode);
}

/* Groups with at least this many channels have the deviation for which GROUPNORM_GAIN was
 * simulated: problem #21 has 8 groups of 4. */
#define ENOUGH_CHANNELS 4

/* Share of all seeds whose vectors may be worse than the tolerance allows for. */
#define RARE 1e-3

/* Channels of a convolution differ by their bias and scale, far more than the positions of one of
 * them: a group with few channels lacks that difference. What is left is as small as the
 * channel's own scale or its sigmoid's slope, while the tensor before the GroupNorm is still
 * rounded to u of its size: an error of u / 2 of an element of order 1 and another of its group's
 * mean, divided by the deviation. Errors of the tensors before carry the same scale and slope, so
 * those cancel. With c channels of random vectors the deviation is under s times the usual with a
 * probability near s^c; least of n groups, and for all but RARE of the seeds, s is (RARE /
 * n)^(1/c), and never is the divisor under sqrt (eps). Simulated with FP16 (all five tensors of
 * problem #21 stored, 2, 8 and 32 groups, 2000 to 250 seeds): the largest error was 251 u for one
 * channel, 151 u for two and 98 u for three, 41 u for four, of which seam_tolerance_get_storage()
 * has 25 u. */
double
seam_tolerance_get_few_channels (SeamMathMode math_mode, gint64 n_groups, gint64 group_channels,
                                 gint64 plane)
{
  if (plane <= 1 || group_channels >= ENOUGH_CHANNELS)
    return 0;
  double gain = GROUPNORM_GAIN
                * pow ((double)MAX (n_groups, 1) / RARE, 1.0 / (double)MAX (group_channels, 1));
  return get_unit (math_mode) * MIN (gain, LARGEST_GAIN);
}

/* From this many values on, a group's deviation is never far below the usual. */
#define LARGE_GROUP 32

/* The deviation of m values is under s times the usual one with a probability near s^(m-1), so the
 * least of n groups is near n^(-1/(m-1)) of it, and its errors grow by the inverse. A single value
 * minus its mean is exactly 0. */
double
seam_tolerance_get_group_gain (gint64 n_groups, gint64 group_elements)
{
  if (group_elements <= 1 || group_elements >= LARGE_GROUP)
    return 1;
  return MIN (pow ((double)MAX (n_groups, 1), 1.0 / (double)(group_elements - 1)), LARGEST_GAIN);
}
