/* SPDX-License-Identifier: MIT
 *
 * The sizes of tiles and bundles of a group on the CPU, and the scratch memory of its threads.
 * backend-cpu.h describes the scheme.
 */
#include "app/backend/cpu/backend-cpu.h"

#include <stdlib.h>
#include <string.h>

/* Channels that are convolved before the rest of the chain follows: two register blocks. The tile
 * has the size of an L1 cache. */
#define DIRECT_CHANNELS 8
/* A tile of sgemm, and the columns of im2col, take half of a core's cache each. Rows and columns of
 * a matmul's tile: oneDNN copies a tile's part of the weight, so more rows share its cost. Measured
 * on two cores (Zen 5, 1 MB for each core), GFLOP/s at 2048 x 256 x 4096: 64 x 512 465, 128 x 512
 * 499, 256 x 512 520, 512 x 512 519; at 1024 x 1024 x 1024: 347, 414, 465, 485. */
#define CORE_PARTS     2
#define MATMUL_COLUMNS 512
#define MATMUL_ROWS    512
#define LEAST_ROWS     32
/* A tile without a matrix op takes this part of a core's cache, a few microseconds of work. */
#define PASS_PARTS 8
/* Least tiles for each thread, so that the last tiles do not leave other threads idle. */
#define TILES_PER_THREAD 4

static inline gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

static gint64
round_up (gint64 a, gint64 unit)
{
  return divide_up (a, unit) * unit;
}

/* --- Sizes of tiles --- */

/* Floats of one of `parts` parts of a core's cache. */
static gint64
divide_core (const SeamPrepared *g, gint64 parts)
{
  return MAX (g->device->caches.core / parts / (gint64)sizeof (float), 4096);
}

static void
choose_matrix_tiles (SeamPrepared *g)
{
  gint64 group_channels = g->k / g->groups;
  gint64 wanted_tiles = TILES_PER_THREAD * g->n_threads;
  gint64 pass = divide_core (g, PASS_PARTS);
  gint64 columns = g->has_matrix ? MATMUL_COLUMNS : pass;

  /* A tile contains whole normalisation groups, so that all its rows can be finished at once. */
  if (g->n_stages > 1)
    columns = MAX (1, columns / group_channels) * group_channels;
  g->tile_columns = MIN (columns, g->k);
  if (!g->has_matrix) {
    g->tile_rows = CLAMP (pass / g->tile_columns, 1, g->n);
    return;
  }
  g->tile_rows = CLAMP (divide_core (g, CORE_PARTS) / g->tile_columns, LEAST_ROWS, MATMUL_ROWS);
  g->tile_rows = MIN (g->tile_rows, g->n);
  while (divide_up (g->n, g->tile_rows) * divide_up (g->k, g->tile_columns) < wanted_tiles
         && g->tile_rows > LEAST_ROWS)
    g->tile_rows = divide_up (g->tile_rows, 2);
  while (divide_up (g->n, g->tile_rows) * divide_up (g->k, g->tile_columns) < wanted_tiles
         && g->n_stages == 1 && g->tile_columns > 64)
    g->tile_columns = round_up (g->tile_columns / 2, 16);
}

static void
choose_bundles (SeamPrepared *g)
{
  gint64 group_channels = g->k / g->groups;

  gint64 pass = divide_core (g, PASS_PARTS);

  g->bundle_samples = g->n;
  g->bundle_channels = g->k;
  if (g->n_stages == 1)
    return; /* no groupnorm has to wait */

  gint64 unit = group_channels * g->plane;
  gint64 n_units = 1;
  if (g->has_matrix && g->is_direct)
    n_units = divide_up (4, group_channels); /* a register block of the direct loops */
  else if (g->has_matrix)
    n_units = g->groups; /* im2col only once for all channels */
  else
    n_units = MAX (1, pass / unit);
  n_units = MIN (n_units, g->groups);
  g->bundle_channels = n_units * group_channels;
  g->bundle_samples = 1;
  if (n_units == g->groups)
    g->bundle_samples = CLAMP (pass / (g->k * g->plane), 1, g->n);

  gint64 n_bundles = divide_up (g->n, g->bundle_samples) * divide_up (g->groups, n_units);
  gint64 rounds = divide_up (n_bundles, g->n_threads);
  double bytes = 4.0 * (double)g->bundle_samples * (double)g->bundle_channels * (double)g->plane;
  /* One thread per bundle if all their bundles fit into the cache together and no thread waits long
   * at the end; else all threads share one bundle, which then has the whole cache. */
  g->is_hot = bytes * g->n_threads <= (double)g->device->caches.last
              && (double)(rounds * g->n_threads) <= 1.15 * (double)n_bundles;
}

static void
choose_plane_tiles (SeamPrepared *g)
{
  gint64 pass = divide_core (g, PASS_PARTS), core = divide_core (g, CORE_PARTS);

  for (int s = 0; s < g->n_stages; s++) {
    g->stages[s].tile_pixels = MIN (g->plane, pass);
    g->stages[s].tile_channels = CLAMP (pass / g->plane, 1, g->bundle_channels);
  }
  if (!g->has_matrix)
    return;

  SeamCpuStage *stage = &g->stages[0];
  const SeamCpuConvolution *sizes = &g->convolution;
  gint64 unit = g->is_direct ? DIRECT_CHANNELS : 32;
  stage->tile_channels = g->bundle_channels;
  if (g->is_direct) {
    gint64 pixels = g->device->caches.l1 / (gint64)sizeof (float) / DIRECT_CHANNELS;
    gint64 n_rows = CLAMP (pixels / sizes->q, 1, g->plane / sizes->q);
    stage->tile_pixels = n_rows * sizes->q;
  } else {
    stage->tile_pixels = CLAMP (round_up (core / g->depth, 16), 64, g->device->run);
    stage->tile_pixels = MIN (stage->tile_pixels, g->plane);
    stage->tile_channels = MIN (stage->tile_channels, MAX (unit, core / stage->tile_pixels));
  }
  while (!g->is_hot && stage->tile_channels > unit
         && g->bundle_samples * divide_up (g->bundle_channels, stage->tile_channels)
                    * divide_up (g->plane, stage->tile_pixels)
                < TILES_PER_THREAD * g->n_threads)
    stage->tile_channels = round_up (stage->tile_channels / 2, unit);
  g->matrix_channels =
      g->is_direct ? MIN (DIRECT_CHANNELS, stage->tile_channels) : stage->tile_channels;
}

void
seam_cpu_choose_tiles (SeamPrepared *g)
{
  if (g->plane == 1) {
    choose_matrix_tiles (g);
  } else {
    choose_bundles (g);
    choose_plane_tiles (g);
  }
}

/* --- Scratch --- */

/* Reserves `n` elements of `size` bytes at the running offset, aligned. */
static gsize
reserve (gsize *offset, gint64 n, gsize size)
{
  gsize start = *offset;
  *offset += (gsize)round_up (n * (gint64)size, SEAM_CPU_ALIGNMENT);
  return start;
}

gboolean
seam_cpu_allocate_scratch (SeamPrepared *g, int n_slots, GError **error)
{
  gint64 columns = 0, n_norms = 0, n_moments = 0, tile = 0, widened = 0;

  for (int s = 0; s < g->n_stages; s++)
    if (g->stages[s].normalized.packed != NULL)
      widened = g->device->run;
  if (g->has_matrix && g->matrix_target == NULL)
    tile = g->plane == 1 ? g->tile_rows * g->tile_columns
                         : g->matrix_channels * g->stages[0].tile_pixels;
  if (g->plane == 1) {
    n_norms = g->n_stages > 1 ? 2 * (g->tile_columns / (g->k / g->groups)) : 0;
  } else {
    gint64 pixels = g->stages[0].tile_pixels;
    columns = g->has_matrix && !g->is_direct && g->convolution.r > 1 ? g->depth * pixels : 0;
    for (int s = 0; s < g->n_stages; s++)
      if (g->stages[s].has_moments)
        n_moments =
            g->bundle_samples * g->bundle_channels * divide_up (g->plane, g->stages[s].tile_pixels);
    if (g->n_stages > 1)
      g->norms = g_try_new0 (float, 2 * (gsize)(g->n * g->groups));
  }

  gsize bytes = 0;
  gsize slots_at = reserve (&bytes, (gint64)n_slots * g->device->run, sizeof (float));
  gsize columns_at = reserve (&bytes, columns, sizeof (float));
  gsize tile_at = reserve (&bytes, tile, sizeof (float));
  gsize widened_at = reserve (&bytes, widened, sizeof (float));
  gsize norms_at = reserve (&bytes, n_norms, sizeof (float));
  gsize moments_at = reserve (&bytes, n_moments, sizeof (SeamCpuMoments));
  gboolean is_short = g->plane > 1 && g->n_stages > 1 && g->norms == NULL;
  if (!is_short && bytes > 0
      && posix_memalign (&g->scratch_memory, SEAM_CPU_ALIGNMENT, bytes * (gsize)g->n_threads) != 0)
    is_short = TRUE;
  if (is_short) {
    g->scratch_memory = NULL;
    return seam_fail (
        error, SEAM_ERROR_MEMORY,
        "There is not enough memory for the scratch tiles of “%s”; choose a smaller shape.",
        g->name);
  }

  g->scratch = g_new0 (SeamCpuScratch, g->n_threads);
  for (int i = 0; i < g->n_threads && bytes > 0; i++) {
    char *start = (char *)g->scratch_memory + (gsize)i * bytes;
    g->scratch[i].slots = (float *)(start + slots_at);
    g->scratch[i].columns = (float *)(start + columns_at);
    g->scratch[i].tile = (float *)(start + tile_at);
    g->scratch[i].widened = (float *)(start + widened_at);
    g->scratch[i].norms = (float *)(start + norms_at);
    g->scratch[i].moments = (SeamCpuMoments *)(start + moments_at);
  }
  return TRUE;
}
