/* SPDX-License-Identifier: MIT
 *
 * Executes a prepared group on the CPU: backend-cpu.h describes tiles, runs and bundles. Results do
 * not depend on the number or order of threads: every thread computes a tile in the same way, and
 * partial statistics are combined in the order of tiles.
 */
#include "app/backend/cpu/onednn.h"
#include "app/backend/cpu/plain.h"

#include <math.h>
#include <omp.h>

static inline gint64
divide_up (gint64 a, gint64 b)
{
  return (a + b - 1) / b;
}

static inline gboolean
is_raised (SeamCancel *a, SeamCancel *b)
{
  return (a != NULL && g_atomic_int_get (&a->raised))
         || (b != NULL && g_atomic_int_get (&b->raised));
}

/* A run: its place in whole tensors, and its first channel. */
typedef struct {
  gint64 offset;
  gint64 tile_offset; /* in the scratch tile */
  gint64 sample, channel;
  gint64 n;
} Run;

static inline float *
resolve (const SeamPrepared *g, const SeamCpuPlace *place, const SeamCpuScratch *scratch,
         const Run *run)
{
  if (place->memory != NULL)
    return place->memory + run->offset;
  if (place->is_tile)
    return scratch->tile + run->tile_offset;
  return scratch->slots + (gint64)place->slot * g->device->run;
}

static void
set_norm (const SeamCpuStage *stage, const SeamCpuMoments *moments, float *norm)
{
  if (stage->defect == SEAM_DEFECT_ONE_PASS_VARIANCE) {
    float sum = (float)moments->mean, count = (float)moments->count;
    norm[0] = sum / count;
    norm[1] = 1.0f
              / sqrtf (seam_defect_one_pass_variance (sum, (float)moments->m2, count)
                       + (float)SEAM_GROUPNORM_EPSILON);
    return;
  }
  double variance = moments->m2 / moments->count; /* the biased variance, as the frameworks use */
  norm[0] = (float)moments->mean;
  norm[1] = (float)(1.0 / sqrt (variance + SEAM_GROUPNORM_EPSILON));
}

/* Mean and deviation of the group of `channel`; NULL if the stage normalizes nothing. */
static inline const float *
find_norms (const SeamPrepared *g, const SeamCpuScratch *scratch, const Run *run, gint64 channel,
            gint64 first_group)
{
  const float *norms = g->plane > 1 ? g->norms : scratch->norms;
  gint64 group = channel / (g->k / g->groups);

  if (norms == NULL)
    return NULL;
  return norms + 2 * (g->plane > 1 ? run->sample * g->groups + group : group - first_group);
}

static inline const float *
at_channel (const float *vector, gint64 channel)
{
  return vector != NULL ? vector + channel : NULL;
}

/* The last step of groupnorm over a run. In the plane layout a run lies in one channel, so in one
 * group; in the matrix layout it is cut at the ends of groups. */
static void
normalize_run (const SeamPrepared *g, const SeamCpuAction *action, const SeamCpuScratch *scratch,
               const Run *run, gint64 first_group, float *target, const float *source)
{
  const SeamCpuLoops *loops = g->device->loops;
  gint64 group_channels = g->k / g->groups;

  if (g->plane > 1) {
    const float *norm = find_norms (g, scratch, run, run->channel, first_group);
    loops->normalize (target, source, norm[0], norm[1], at_channel (action->weight, run->channel),
                      at_channel (action->bias, run->channel), 0, run->n);
    return;
  }
  gint64 end = run->channel + run->n;
  for (gint64 k = run->channel; k < end;) {
    gint64 group = k / group_channels;
    gint64 n = MIN (end, (group + 1) * group_channels) - k;
    const float *norm = find_norms (g, scratch, run, k, first_group);
    loops->normalize (target + (k - run->channel), source + (k - run->channel), norm[0], norm[1],
                      at_channel (action->weight, k), at_channel (action->bias, k), 1, n);
    k += n;
  }
}

static inline void *
locate (const SeamPrepared *g, const SeamCpuPlace *place, const SeamCpuScratch *scratch,
        const Run *run)
{
  return place->packed != NULL ? (void *)(place->packed + run->offset)
                               : (void *)resolve (g, place, scratch, run);
}

/* Applies the stage's generated function to a run; `norms` as in SeamCpuRun. */
static void
call_function (const SeamPrepared *g, const SeamCpuStage *stage, const SeamCpuScratch *scratch,
               const Run *run, const float *norms)
{
  SeamCpuRun given = { .n = run->n, .norms = norms };

  for (int i = 0; i < stage->text.n_reads; i++)
    given.read[i] = locate (g, &stage->reads[i], scratch, run);
  for (int i = 0; i < stage->text.n_writes + stage->text.n_packs; i++)
    given.write[i] = locate (g, &stage->writes[i], scratch, run);
  for (int i = 0; i < stage->text.n_vectors; i++)
    given.vector[i] = stage->vectors[i] + (stage->is_scalar[i] ? 0 : run->channel);
  stage->function (&given);
}

/* Stores the elements of an op's output that the kernel writes. */
static void
store (const SeamPrepared *g, const SeamCpuAction *action, const Run *run, const float *source)
{
  unsigned short *packed = action->target.packed;
  float *target = action->target.memory;

  if (packed != NULL && action->defect == SEAM_DEFECT_NONE) {
    g->device->loops->pack (g->storage, packed + run->offset, source, run->n);
    return;
  }
  for (gint64 j = 0; j < run->n; j++) {
    if (!seam_defect_writes (action->defect, action->defect_parameter, run->offset + j, g->row))
      continue;
    if (packed != NULL)
      packed[run->offset + j] = seam_operand_pack (g->storage, source[j]);
    else
      target[run->offset + j] = source[j];
  }
}

static void
apply_actions (const SeamPrepared *g, const SeamCpuStage *stage, const SeamCpuScratch *scratch,
               const Run *run, gint64 first_group)
{
  if (stage->function != NULL) {
    call_function (g, stage, scratch, run, find_norms (g, scratch, run, run->channel, first_group));
    return;
  }
  for (int i = 0; i < stage->n_actions; i++) {
    const SeamCpuAction *action = &stage->actions[i];
    float *target = locate (g, &action->target, scratch, run);
    const float *source = locate (g, &action->source, scratch, run);
    switch (action->kind) {
    case SEAM_CPU_NORMALIZE:
      normalize_run (g, action, scratch, run, first_group, target, source);
      break;
    case SEAM_CPU_STEP: {
      SeamCpuStep step = action->step;
      if (action->scalar != NULL)
        step.scalars[0] = *action->scalar;
      g->device->loops->apply (&step, target, source, resolve (g, &action->operand, scratch, run),
                               run->channel, g->plane == 1, run->n);
      break;
    }
    case SEAM_CPU_LOAD:
      g->device->loops->unpack (g->storage, target, action->source.packed + run->offset, run->n);
      break;
    case SEAM_CPU_STORE:
      store (g, action, run, source);
      break;
    }
  }
}

/* Merges `part` into `moments`; for the defect of one-pass variance, mean and m2 are FP32 sums. */
static void
merge_moments (const SeamCpuStage *stage, SeamCpuMoments *moments, const SeamCpuMoments *part)
{
  if (stage->defect != SEAM_DEFECT_ONE_PASS_VARIANCE) {
    seam_cpu_moments_merge (moments, part);
    return;
  }
  moments->count += part->count;
  moments->mean = (float)moments->mean + (float)part->mean;
  moments->m2 = (float)moments->m2 + (float)part->m2;
}

static void
add_run (const SeamCpuLoops *loops, SeamCpuMoments *moments, const float *values, gint64 n)
{
  for (gint64 i = 0; i < n; i += SEAM_CPU_MAX_RUN)
    loops->add_moments (moments, values + i, MIN (SEAM_CPU_MAX_RUN, n - i));
}

/* Moments after a lost update: the elements of one part of the group count as 0. */
static void
add_updates (const SeamPrepared *g, int parts, SeamCpuMoments *moments, const float *values,
             gint64 n, gint64 group, gint64 index)
{
  gint64 size = g->k / g->groups * g->plane;
  int part = seam_defect_lost_part (group, parts);
  gint64 lost = part < 0 ? size : seam_defect_part_start (size, part, parts);
  gint64 kept = part < 0 ? size : seam_defect_part_start (size, part + 1, parts);
  /* The lost part of this run goes from `before` to `after`. */
  gint64 before = CLAMP (lost - index, 0, n), after = CLAMP (kept - index, 0, n);
  SeamCpuMoments zeros = { .count = (double)(after - before) };

  add_run (g->device->loops, moments, values, before);
  seam_cpu_moments_merge (moments, &zeros);
  add_run (g->device->loops, moments, values + after, n - after);
}

/* Adds n values to the moments. The first is element `index` of normalisation group `group` of the
 * whole tensor. */
static void
add_moments (const SeamPrepared *g, const SeamCpuStage *stage, SeamCpuMoments *moments,
             const float *values, gint64 n, gint64 group, gint64 index)
{
  if (stage->defect == SEAM_DEFECT_ONE_PASS_VARIANCE) {
    float sum = 0, squares = 0;
    for (gint64 i = 0; i < n; i++) {
      sum += values[i];
      squares += values[i] * values[i];
    }
    SeamCpuMoments run = { .count = (double)n, .mean = sum, .m2 = squares };
    merge_moments (stage, moments, &run);
  } else if (stage->defect == SEAM_DEFECT_LOST_UPDATE) {
    add_updates (g, stage->defect_parameter, moments, values, n, group, index);
  } else {
    add_run (g->device->loops, moments, values, n);
  }
}

/* The same for the values that the stage's groupnorm reads, from element `offset` of the tensor. */
static void
add_normalized (const SeamPrepared *g, const SeamCpuStage *stage, const SeamCpuScratch *scratch,
                SeamCpuMoments *moments, gint64 offset, gint64 n, gint64 group, gint64 index)
{
  const SeamCpuPlace *place = &stage->normalized;

  if (place->packed == NULL) {
    add_moments (g, stage, moments, place->memory + offset, n, group, index);
    return;
  }
  for (gint64 i = 0; i < n; i += g->device->run) {
    gint64 piece = MIN (g->device->run, n - i);
    g->device->loops->unpack (g->storage, scratch->widened, place->packed + offset + i, piece);
    add_moments (g, stage, moments, scratch->widened, piece, group, index + i);
  }
}

/* --- Matrix layout: a tile is rows x columns; every row of it is finished at once. --- */

static void
run_row (const SeamPrepared *g, const SeamCpuScratch *scratch, const SeamCpuTile *tile, gint64 row)
{
  gint64 group_channels = g->k / g->groups;
  gint64 first_group = tile->k0 / group_channels;

  for (int s = 0; s < g->n_stages; s++) {
    const SeamCpuStage *stage = &g->stages[s];
    /* A function keeps its values in registers and needs no slots, so it takes the whole row, since
     * its normalisation groups must be whole. */
    gint64 length = stage->function != NULL ? tile->k1 - tile->k0 : g->device->run;
    for (gint64 k = tile->k0; k < tile->k1 && stage->n_actions > 0; k += length) {
      Run run = {
        .offset = row * g->k + k,
        .tile_offset = (row - tile->n0) * g->tile_columns + (k - tile->k0),
        .sample = row,
        .channel = k,
        .n = MIN (length, tile->k1 - k),
      };
      apply_actions (g, stage, scratch, &run, first_group);
    }
    if (!stage->has_moments)
      continue;
    for (gint64 k = tile->k0; k < tile->k1; k += group_channels) {
      SeamCpuMoments moments = { 0 };
      add_normalized (g, stage, scratch, &moments, row * g->k + k, group_channels,
                      row * g->groups + k / group_channels, 0);
      set_norm (stage, &moments, scratch->norms + 2 * (k / group_channels - first_group));
    }
  }
}

static void
run_matrix_tile (SeamPrepared *g, const SeamCpuScratch *scratch, const SeamCpuTile *tile)
{
  float *target = scratch->tile;
  gint64 stride = g->tile_columns;

  if (g->matrix_target != NULL) {
    target = g->matrix_target + tile->n0 * g->k + tile->k0;
    stride = g->k;
  }
  if (g->half_sums)
    seam_cpu_matmul_half (g->device->loops, tile->n1 - tile->n0, tile->k1 - tile->k0, g->depth,
                          seam_cpu_get_input (g) + tile->n0 * g->depth, g->depth,
                          seam_cpu_get_weight (g) + tile->k0 * g->depth, g->depth, target, stride);
  else if (g->has_matrix
           && !seam_cpu_matmul (tile->n1 - tile->n0, tile->k1 - tile->k0, g->depth,
                                seam_cpu_get_input (g) + tile->n0 * g->depth, g->depth,
                                seam_cpu_get_weight (g) + tile->k0 * g->depth, g->depth, target,
                                stride))
    g_atomic_int_set (&g->failed, TRUE);
  for (gint64 row = tile->n0; row < tile->n1; row++)
    run_row (g, scratch, tile, row);
}

static void
run_matrix_layout (SeamPrepared *g, SeamCancel *cancel, SeamCancel *also)
{
  gint64 n_columns = divide_up (g->k, g->tile_columns);
  gint64 n_tiles = divide_up (g->n, g->tile_rows) * n_columns;

#pragma omp parallel for schedule(dynamic) num_threads(g->n_threads)
  for (gint64 i = 0; i < n_tiles; i++) {
    if (is_raised (cancel, also))
      continue;
    SeamCpuTile tile = { .n0 = i / n_columns * g->tile_rows,
                         .k0 = i % n_columns * g->tile_columns };
    tile.n1 = MIN (tile.n0 + g->tile_rows, g->n);
    tile.k1 = MIN (tile.k0 + g->tile_columns, g->k);
    run_matrix_tile (g, &g->scratch[omp_get_thread_num ()], &tile);
  }
}

/* --- Plane layout: bundles of whole planes, cut into tiles for each stage. --- */

static void
get_bundle (const SeamPrepared *g, gint64 index, SeamCpuTile *bundle)
{
  gint64 n_channels = divide_up (g->k, g->bundle_channels);
  bundle->n0 = index / n_channels * g->bundle_samples;
  bundle->n1 = MIN (bundle->n0 + g->bundle_samples, g->n);
  bundle->k0 = index % n_channels * g->bundle_channels;
  bundle->k1 = MIN (bundle->k0 + g->bundle_channels, g->k);
  bundle->p0 = 0;
  bundle->p1 = g->plane;
}

static gint64
count_tiles (const SeamPrepared *g, const SeamCpuStage *stage, const SeamCpuTile *bundle)
{
  return (bundle->n1 - bundle->n0) * divide_up (bundle->k1 - bundle->k0, stage->tile_channels)
         * divide_up (g->plane, stage->tile_pixels);
}

static void
convolve (SeamPrepared *g, const SeamCpuScratch *scratch, const SeamCpuTile *tile, gint64 k0,
          gint64 k1)
{
  const SeamCpuConvolution *sizes = &g->convolution;
  float *target = scratch->tile;
  gint64 stride = g->stages[0].tile_pixels;
  const float *input = seam_cpu_get_input (g) + tile->n0 * sizes->c * sizes->h * sizes->w;
  const float *weight = seam_cpu_get_weight (g) + k0 * g->depth;

  if (g->matrix_target != NULL) {
    target = g->matrix_target + (tile->n0 * g->k + k0) * g->plane + tile->p0;
    stride = g->plane;
  }
  if (g->is_direct)
    g->device->loops->convolve (sizes, input, weight, k1 - k0, tile->p0 / sizes->q,
                                (tile->p1 - tile->p0) / sizes->q, target, stride);
  else if (!seam_cpu_convolve_columns (sizes, g->half_sums ? g->device->loops : NULL, input, weight,
                                       k1 - k0, tile->p0, tile->p1 - tile->p0, scratch->columns,
                                       target, stride))
    g_atomic_int_set (&g->failed, TRUE);
}

/* Applies all ops of a stage to the channels k0 to k1 of a tile (of one sample). */
static void
run_channels (const SeamPrepared *g, const SeamCpuStage *stage, const SeamCpuScratch *scratch,
              SeamCpuMoments *moments, const SeamCpuTile *bundle, const SeamCpuTile *tile,
              gint64 k0, gint64 k1)
{
  gint64 n_blocks = divide_up (g->plane, stage->tile_pixels);
  gint64 group_channels = g->k / g->groups;

  for (gint64 k = k0; k < k1; k++) {
    gint64 plane = tile->n0 * g->k + k;
    SeamCpuMoments sum = { 0 };
    for (gint64 p = tile->p0; p < tile->p1; p += g->device->run) {
      Run run = {
        .offset = plane * g->plane + p,
        .tile_offset = (k - k0) * g->stages[0].tile_pixels + (p - tile->p0),
        .sample = tile->n0,
        .channel = k,
        .n = MIN (g->device->run, tile->p1 - p),
      };
      apply_actions (g, stage, scratch, &run, 0);
      if (stage->has_moments)
        add_normalized (g, stage, scratch, &sum, run.offset, run.n,
                        tile->n0 * g->groups + k / group_channels,
                        k % group_channels * g->plane + p);
    }
    if (stage->has_moments) {
      gint64 row = (tile->n0 - bundle->n0) * (bundle->k1 - bundle->k0) + (k - bundle->k0);
      moments[row * n_blocks + tile->p0 / stage->tile_pixels] = sum;
    }
  }
}

static void
run_plane_tile (SeamPrepared *g, int stage_index, const SeamCpuScratch *scratch,
                SeamCpuMoments *moments, const SeamCpuTile *bundle, gint64 index)
{
  const SeamCpuStage *stage = &g->stages[stage_index];
  gint64 n_pixel_blocks = divide_up (g->plane, stage->tile_pixels);
  gint64 n_channel_blocks = divide_up (bundle->k1 - bundle->k0, stage->tile_channels);

  SeamCpuTile tile;
  tile.p0 = index % n_pixel_blocks * stage->tile_pixels;
  tile.p1 = MIN (tile.p0 + stage->tile_pixels, g->plane);
  index /= n_pixel_blocks;
  tile.k0 = bundle->k0 + index % n_channel_blocks * stage->tile_channels;
  tile.k1 = MIN (tile.k0 + stage->tile_channels, bundle->k1);
  tile.n0 = bundle->n0 + index / n_channel_blocks;
  tile.n1 = tile.n0 + 1;

  if (stage_index > 0 || !g->has_matrix) {
    run_channels (g, stage, scratch, moments, bundle, &tile, tile.k0, tile.k1);
    return;
  }
  for (gint64 k = tile.k0; k < tile.k1; k += g->matrix_channels) {
    gint64 end = MIN (k + g->matrix_channels, tile.k1);
    convolve (g, scratch, &tile, k, end);
    run_channels (g, stage, scratch, moments, bundle, &tile, k, end);
  }
}

static gint64
count_groups (const SeamPrepared *g, const SeamCpuTile *bundle)
{
  return (bundle->n1 - bundle->n0) * ((bundle->k1 - bundle->k0) / (g->k / g->groups));
}

/* Combines the statistics of normalisation group `index` of the bundle, in the order of tiles. */
static void
finish_group (SeamPrepared *g, const SeamCpuStage *stage, const SeamCpuMoments *moments,
              const SeamCpuTile *bundle, gint64 index)
{
  gint64 group_channels = g->k / g->groups;
  gint64 n_groups = (bundle->k1 - bundle->k0) / group_channels;
  gint64 n_blocks = divide_up (g->plane, stage->tile_pixels);
  gint64 n_parts = group_channels * n_blocks; /* the rows of one sample are contiguous */

  SeamCpuMoments total = { 0 };
  for (gint64 i = 0; i < n_parts; i++)
    merge_moments (stage, &total, &moments[index * n_parts + i]);
  gint64 sample = bundle->n0 + index / n_groups;
  gint64 group = bundle->k0 / group_channels + index % n_groups;
  set_norm (stage, &total, g->norms + 2 * (sample * g->groups + group));
}

/* One thread computes a whole bundle, so that the bundle is normalised while it is in that thread's
 * cache. */
static void
run_bundles_hot (SeamPrepared *g, gint64 n_bundles, SeamCancel *cancel, SeamCancel *also)
{
#pragma omp parallel for schedule(dynamic) num_threads(g->n_threads)
  for (gint64 i = 0; i < n_bundles; i++) {
    const SeamCpuScratch *scratch = &g->scratch[omp_get_thread_num ()];
    SeamCpuTile bundle;
    get_bundle (g, i, &bundle);
    for (int s = 0; s < g->n_stages; s++) {
      gint64 n_tiles = count_tiles (g, &g->stages[s], &bundle);
      for (gint64 t = 0; t < n_tiles && !is_raised (cancel, also); t++)
        run_plane_tile (g, s, scratch, scratch->moments, &bundle, t);
      if (g->stages[s].has_moments)
        for (gint64 u = 0; u < count_groups (g, &bundle); u++)
          finish_group (g, &g->stages[s], scratch->moments, &bundle, u);
    }
  }
}

/* All threads share one bundle after another, for few large bundles or without a groupnorm. */
static void
run_bundles_together (SeamPrepared *g, gint64 n_bundles, SeamCancel *cancel, SeamCancel *also)
{
  SeamCpuMoments *moments = g->scratch[0].moments;

#pragma omp parallel num_threads(g->n_threads)
  for (gint64 i = 0; i < n_bundles; i++) {
    const SeamCpuScratch *scratch = &g->scratch[omp_get_thread_num ()];
    SeamCpuTile bundle;
    get_bundle (g, i, &bundle);
    for (int s = 0; s < g->n_stages; s++) {
      gint64 n_tiles = count_tiles (g, &g->stages[s], &bundle);
#pragma omp for schedule(dynamic)
      for (gint64 t = 0; t < n_tiles; t++)
        if (!is_raised (cancel, also))
          run_plane_tile (g, s, scratch, moments, &bundle, t);
      if (!g->stages[s].has_moments)
        continue;
      gint64 n_groups = count_groups (g, &bundle);
#pragma omp for schedule(static)
      for (gint64 u = 0; u < n_groups; u++)
        finish_group (g, &g->stages[s], moments, &bundle, u);
    }
  }
}

static void
run_tiles (SeamPrepared *g, SeamCancel *cancel, SeamCancel *also)
{
  int n_threads = omp_get_max_threads ();

  /* A parallel region of one thread is none to oneDNN, which would start threads of its own. */
  omp_set_num_threads (g->n_threads);
  if (g->plane == 1) {
    run_matrix_layout (g, cancel, also);
  } else {
    gint64 n_bundles = divide_up (g->n, g->bundle_samples) * divide_up (g->k, g->bundle_channels);

    if (g->is_hot)
      run_bundles_hot (g, n_bundles, cancel, also);
    else
      run_bundles_together (g, n_bundles, cancel, also);
  }
  omp_set_num_threads (n_threads);
}

void
seam_cpu_run_part (SeamPrepared *g, int part, SeamCancel *cancel, SeamCancel *also)
{
  if (is_raised (cancel, also))
    return;
  switch (g->parts[part].kind) {
  case SEAM_CPU_PART_COPIES:
    seam_cpu_copy_operands (g, cancel, also);
    break;
  case SEAM_CPU_PART_TILES:
    run_tiles (g, cancel, also);
    break;
  case SEAM_CPU_PART_PLAIN:
    seam_cpu_plain_run (g->plain, g, cancel, also);
    break;
  case SEAM_CPU_PART_ONEDNN:
    seam_onednn_run (g->onednn, g, g->parts[part].index);
    break;
  }
}

void
seam_cpu_run_group (SeamPrepared *g, SeamCancel *cancel, SeamCancel *also)
{
  for (int i = 0; i < g->n_parts; i++)
    seam_cpu_run_part (g, i, cancel, also);
}
