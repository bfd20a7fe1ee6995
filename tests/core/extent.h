/* SPDX-License-Identifier: MIT
 *
 * How much the tests of plans try. Static functions, included by one test program each.
 *
 * A test that computes every partition of a chain takes most of its time for cuts that cannot fail
 * for a reason of their own: what can go wrong lies in a group and at the two cuts beside it. So by
 * default one chain with a convolution and one with a matmul, the longest that end in a GroupNorm,
 * run in every partition; of the others any two seams are seen cut and fused in all four ways.
 */
#pragma once

#include "app/pipeline/pipeline.h"

#include <string.h>

#ifdef __has_feature
#define EXTENT_IS_SANITIZED __has_feature (address_sanitizer)
#elif defined __SANITIZE_ADDRESS__
#define EXTENT_IS_SANITIZED 1
#else
#define EXTENT_IS_SANITIZED 0
#endif

/* Set by `tests/run --all`. */
static inline gboolean
extent_is_all (void)
{
  return g_getenv ("SEAMSCOPE_TEST_ALL") != NULL;
}

/* Whether the partition is one of a few in which any two of `n_seams` seams are both cut, both
 * fused, and one of each. Two different numbers differ in a bit: a partition for each bit of the
 * seams' numbers fuses those seams that have it, and another those that do not. */
static inline gboolean
extent_is_pair (guint32 seams, int n_seams)
{
  const guint32 all = (1u << n_seams) - 1;

  for (int bit = 0; bit < 5; bit++) {
    guint32 having = 0;

    for (int seam = 0; seam < n_seams; seam++)
      having |= (guint32)(seam >> bit & 1) << seam;
    if (seams == having || seams == (all & ~having))
      return TRUE; /* without any seam that has the bit: none is fused, or all are */
  }
  return FALSE;
}

/* Whether a test of the chain runs the partition. With sanitizers, which look for accesses outside
 * of memory, a pair of seams shows as much as all. */
static inline gboolean
extent_takes (const SeamPipeline *pipeline, int n_ops, guint32 seams)
{
  const gboolean is_whole = strcmp (pipeline->id, "conv-bias-scale-sigmoid-groupnorm") == 0
                            || strcmp (pipeline->id, "matmul-swish-bias-groupnorm") == 0;

  return extent_is_all () || (is_whole && !EXTENT_IS_SANITIZED)
         || extent_is_pair (seams, n_ops - 1);
}
