/* SPDX-License-Identifier: MIT
 *
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy as 1, 2, 3", 2011)
 * and the two distributions made from it.
 */
#include "app/base/random.h"

#include <math.h>

/* Multipliers and key increments of the paper, table 2 and section 4. */
#define PHILOX_M0       0xD2511F53u
#define PHILOX_M1       0xCD9E8D57u
#define PHILOX_W0       0x9E3779B9u
#define PHILOX_W1       0xBB67AE85u
#define PHILOX_N_ROUNDS 10

/* With fewer blocks, starting threads costs more than it saves. */
#define PARALLEL_BLOCKS 16384

void
seam_random_philox (const guint32 counter[4], const guint32 key[2], guint32 out[4])
{
  guint32 c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
  guint32 k0 = key[0], k1 = key[1];

  for (int i = 0; i < PHILOX_N_ROUNDS; i++) {
    guint64 p0 = (guint64)PHILOX_M0 * c0;
    guint64 p1 = (guint64)PHILOX_M1 * c2;
    c0 = (guint32)(p1 >> 32) ^ c1 ^ k0;
    c1 = (guint32)p1;
    c2 = (guint32)(p0 >> 32) ^ c3 ^ k1;
    c3 = (guint32)p0;
    k0 += PHILOX_W0;
    k1 += PHILOX_W1;
  }
  out[0] = c0;
  out[1] = c1;
  out[2] = c2;
  out[3] = c3;
}

void
seam_random_block (guint64 seed, guint32 stream, guint64 counter, guint32 out[4])
{
  guint32 words[4] = { (guint32)counter, (guint32)(counter >> 32), stream, 0 };
  guint32 key[2] = { (guint32)seed, (guint32)(seed >> 32) };

  seam_random_philox (words, key, out);
}

guint32
seam_random_stream (const char *name)
{
  guint32 hash = 2166136261u;

  for (const char *p = name; *p; p++)
    hash = (hash ^ (guint8)*p) * 16777619u;
  return hash;
}

void
seam_random_uniform_part (float *data, gint64 first, gint64 n, guint64 seed, guint32 stream,
                          float low, float high)
{
  gint64 n_blocks = (n + 3) / 4;
  float width = high - low;
  float last = nextafterf (high, low);

#pragma omp parallel for schedule(static) if (n_blocks > PARALLEL_BLOCKS)
  for (gint64 block = 0; block < n_blocks; block++) {
    guint32 words[4];
    gint64 start = 4 * block;
    seam_random_block (seed, stream, (guint64)(first / 4 + block), words);
    for (gint64 i = start; i < MIN (start + 4, n); i++) {
      float value = low + width * ((float)(words[i - start] >> 8) * 0x1p-24f);
      /* Rounding of the sum may reach `high`, which is excluded. */
      data[i] = value < high ? value : last;
    }
  }
}

void
seam_random_normal_part (float *data, gint64 first, gint64 n, guint64 seed, guint32 stream,
                         float mean, float deviation)
{
  gint64 n_blocks = (n + 3) / 4;

#pragma omp parallel for schedule(static) if (n_blocks > PARALLEL_BLOCKS)
  for (gint64 block = 0; block < n_blocks; block++) {
    guint32 words[4];
    double values[4];
    gint64 start = 4 * block;
    seam_random_block (seed, stream, (guint64)(first / 4 + block), words);
    for (int pair = 0; pair < 2; pair++) {
      /* (0, 1], so that the logarithm is finite. */
      double radius = sqrt (-2 * log (((double)words[2 * pair] + 1) * 0x1p-32));
      double angle = 2 * G_PI * ((double)words[2 * pair + 1] * 0x1p-32);
      values[2 * pair] = radius * cos (angle);
      values[2 * pair + 1] = radius * sin (angle);
    }
    for (gint64 i = start; i < MIN (start + 4, n); i++)
      data[i] = (float)(mean + deviation * values[i - start]);
  }
}
