/* SPDX-License-Identifier: MIT
 *
 * The limits come from the table “Technical specifications per compute capability” of the CUDA C++
 * Programming Guide 13.0; the rounding is that of NVIDIA's occupancy calculator (cuda_occupancy.h).
 */
#include "app/explain/occupancy.h"

#include <string.h>

#define REGISTERS     65536 /* of a multiprocessor, from capability 5.0 on */
#define REGISTER_STEP 256   /* registers are allocated to a warp in multiples of this */
#define SHARED_RESERVED                                                                            \
  1024 /* bytes that the system takes from each block, from capability 8.0                         \
        * on */
#define SHARED_STEP   128
#define WARP          32
#define SUBPARTITIONS 4 /* the registers of a warp lie in one of them */

typedef struct {
  const char *capability;
  int warps, blocks, shared_kib; /* of a multiprocessor */
} Limits;

static const Limits limits[] = {
  { "7.0", 64, 32, 96 },   { "7.5", 32, 16, 64 },   { "8.0", 64, 32, 164 }, { "8.6", 48, 16, 100 },
  { "8.7", 48, 16, 164 },  { "8.9", 48, 24, 100 },  { "9.0", 64, 32, 228 }, { "10.0", 64, 32, 228 },
  { "10.3", 64, 32, 228 }, { "12.0", 48, 24, 100 },
};

static gint64
round_up (gint64 value, gint64 step)
{
  return (value + step - 1) / step * step;
}

gboolean
seam_occupancy_compute (const char *capability, int registers, gint64 shared_bytes, gint64 threads,
                        SeamOccupancy *occupancy)
{
  const Limits *found = NULL;
  gint64 warps, fits[SEAM_N_OCCUPANCY_LIMITS];

  for (gsize i = 0; i < G_N_ELEMENTS (limits) && capability != NULL; i++)
    if (strcmp (limits[i].capability, capability) == 0)
      found = &limits[i];
  if (found == NULL || registers < 0 || shared_bytes < 0 || threads < 1 || threads > 1024)
    return FALSE;
  warps = (threads + WARP - 1) / WARP;
  fits[SEAM_OCCUPANCY_BY_WARPS] = found->warps / warps;
  fits[SEAM_OCCUPANCY_BY_BLOCKS] = found->blocks;
  fits[SEAM_OCCUPANCY_BY_REGISTERS] = found->blocks;
  if (registers > 0) {
    gint64 a_warp = round_up ((gint64)registers * WARP, REGISTER_STEP);
    gint64 of_part = REGISTERS / SUBPARTITIONS / a_warp;
    fits[SEAM_OCCUPANCY_BY_REGISTERS] = of_part * SUBPARTITIONS / warps;
  }
  shared_bytes += *capability == '7' ? 0 : SHARED_RESERVED;
  fits[SEAM_OCCUPANCY_BY_SHARED] = found->blocks;
  if (shared_bytes > 0)
    fits[SEAM_OCCUPANCY_BY_SHARED] =
        (gint64)found->shared_kib * 1024 / round_up (shared_bytes, SHARED_STEP);

  *occupancy = (SeamOccupancy){ .shared_bytes = shared_bytes, .limit = SEAM_OCCUPANCY_BY_WARPS };
  for (int i = 0; i < SEAM_N_OCCUPANCY_LIMITS; i++) {
    occupancy->by[i] = (int)fits[i];
    occupancy->percents[i] = MIN (100.0 * (double)(occupancy->by[i] * warps) / found->warps, 100);
    if (fits[i] < fits[occupancy->limit])
      occupancy->limit = (SeamOccupancyLimit)i;
  }
  occupancy->blocks = occupancy->by[occupancy->limit];
  occupancy->percent = occupancy->percents[occupancy->limit];
  return occupancy->blocks > 0;
}

char *
seam_occupancy_describe (const SeamOccupancy *occupancy)
{
  static const char *const words[] = { "the number of warps", "the number of blocks", "registers",
                                       "shared memory" };

  return g_strdup_printf (
      "%d block%s on a multiprocessor at once (%.1f %% of its warps, limited by "
      "%s)",
      occupancy->blocks, occupancy->blocks == 1 ? " fits" : "s fit", occupancy->percent,
      words[occupancy->limit]);
}
