/* SPDX-License-Identifier: MIT
 *
 * How much the tests of plans try. Static functions, included by one test program each.
 *
 * What can go wrong in a partition lies in a group and at the cuts around it. So by default one
 * chain with a convolution and one with a matmul, the longest that end in a GroupNorm, run in every
 * partition; the others in those whose groups have one length, but for the first and the last
 * group. Each possible group is one of them, and any two seams are both cut, both fused, and one of
 * each: 16 of the 64 partitions of seven ops.
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

/* Whether all groups but the first and the last have one length: seam s, which is between ops s and
 * s + 1, is cut where s + 1 leaves a certain rest. */
static inline gboolean
extent_is_even (guint32 seams, int n_ops)
{
  for (int length = 1; length <= n_ops; length++)
    for (int rest = 0; rest < length; rest++) {
      guint32 fused = 0;

      for (int seam = 0; seam < n_ops - 1; seam++)
        fused |= (guint32)((seam + 1) % length != rest) << seam;
      if (seams == fused)
        return TRUE;
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

  return extent_is_all () || (is_whole && !EXTENT_IS_SANITIZED) || extent_is_even (seams, n_ops);
}
