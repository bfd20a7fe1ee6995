/* SPDX-License-Identifier: MIT
 *
 * The description of a target: its fields, and rates that follow from them.
 */
#include "app/result/device.h"

#include "app/base/error.h"

#include <math.h>
#include <string.h>

#define FIELD(m, K, w)                                                                             \
  {                                                                                                \
    SEAM_FIELD (SeamDeviceInfo, m, K), .words = w                                                  \
  }
/* A session has no row for an unknown rate. */
#define RATE(m)                                                                                    \
  {                                                                                                \
    SEAM_FIELD (SeamDeviceInfo, m, DOUBLE), .from_zero = TRUE,                                     \
                                            .flags = SEAM_AS_MEMBER | SEAM_OMITTED                 \
  }

static gboolean
has_block (gconstpointer record)
{
  return ((const SeamDeviceInfo *)record)->block_shared_bytes > 0;
}

/* The abilities in a file of an older version, which has only the target's id. */
#define UNKNOWN_ABILITIES -1

static const SeamField fields[] = {
  { SEAM_FIELD (SeamDeviceInfo, id, TEXT), .flags = SEAM_LISTED, .column = "target",
    .words = "cpu, cuda:0" },
  { SEAM_FIELD (SeamDeviceInfo, name, TEXT), .flags = SEAM_LISTED, .column = "device",
    .words = "of the processor" },
  FIELD (available, BOOLEAN, ""),
  { SEAM_FIELD (SeamDeviceInfo, reason, TEXT), .flags = SEAM_LONG, .words = "why not" },
  { SEAM_FIELD (SeamDeviceInfo, remedy, TEXT), .flags = SEAM_LONG, .words = "against that" },
  FIELD (driver, TEXT, "version"),
  FIELD (libraries, TEXT, "with their versions"),
  { SEAM_FIELD (SeamDeviceInfo, n_processors, INT), .max = G_MAXINT,
    .words = "SMs or hardware threads" },
  FIELD (memory_total, UINT64, "bytes; 0: unknown"),
  FIELD (memory_free, UINT64, "bytes; 0: unknown"),
  FIELD (l2_bytes, UINT64, "last-level cache, bytes; 0: unknown"),
  { SEAM_FIELD (SeamDeviceInfo, block_register_bytes, UINT64), .flags = SEAM_AS_MEMBER,
    .is_written = has_block },
  { SEAM_FIELD (SeamDeviceInfo, block_shared_bytes, UINT64), .flags = SEAM_AS_MEMBER,
    .is_written = has_block },
  { SEAM_FIELD (SeamDeviceInfo, bytes_per_s, DOUBLE), .from_zero = TRUE,
    .words = "memory bandwidth; not over 0: unknown" },
  { SEAM_FIELD (SeamDeviceInfo, flop_fp32, DOUBLE), .from_zero = TRUE,
    .words = "a second; not over 0: unknown" },
  { SEAM_FIELD (SeamDeviceInfo, flop_tf32, DOUBLE), .from_zero = TRUE,
    .words = "a second; not over 0: unknown" },
  RATE (flop_bf16),
  RATE (l2_bytes_per_s),
  RATE (launch_ns),
  RATE (peak_bytes_per_s),
  RATE (peak_flop_fp32),
  RATE (peak_flop_tf32),
  { SEAM_FIELD (SeamDeviceInfo, max_clock_mhz, DOUBLE), .flags = SEAM_AS_MEMBER | SEAM_OMITTED },
  { SEAM_FIELD (SeamDeviceInfo, calibrated, TEXT), .flags = SEAM_AS_MEMBER },
  FIELD (rates_source, TEXT, "where the three rates come from"),
  { SEAM_FIELD (SeamDeviceInfo, chip, TEXT), .flags = SEAM_AS_MEMBER },
  { SEAM_FIELD (SeamDeviceInfo, identity, TEXT), .flags = SEAM_PRIVATE | SEAM_AS_MEMBER },
  FIELD (can_trace, BOOLEAN, "kernel records"),
  { SEAM_FIELD (SeamDeviceInfo, trace_reason, TEXT), .flags = SEAM_LONG, .words = "why not" },
  FIELD (compute_capability, TEXT, "9.0; NULL on a CPU"),
  { SEAM_FIELD (SeamDeviceInfo, abilities, FLAGS), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .initial = UNKNOWN_ABILITIES, .choices = seam_abilities },
  { SEAM_FIELD (SeamDeviceInfo, implementations, RECORDS),
    SEAM_COUNT (SeamDeviceInfo, n_implementations), .flags = SEAM_AS_MEMBER | SEAM_OMITTED,
    .type = &seam_implementation_type },
  { NULL },
};

static void
complete (gpointer record, const SeamPath *outer, SeamReader *reader)
{
  SeamDeviceInfo *info = record;

  if (info->id == NULL)
    info->id = g_strdup ("");
  /* Older versions kept the peak that follows from the clock. Fused multiply-adds for each clock
   * and SM from compute capability 8.0 on: CUDA C++ Programming Guide, "Arithmetic Instructions".
   */
  if (isnan (info->max_clock_mhz) && info->compute_capability != NULL && info->peak_flop_fp32 > 0
      && info->n_processors > 0)
    info->max_clock_mhz =
        info->peak_flop_fp32 / 2e6
        / (info->n_processors * (strcmp (info->compute_capability, "8.0") == 0 ? 64 : 128));
}

const SeamRecordType seam_device_info_type = {
  .name = "target",
  .size = sizeof (SeamDeviceInfo),
  .fields = fields,
  .max = 1,
  .is_lenient = TRUE,
  .complete = complete,
};

SeamDeviceInfo *
seam_device_info_new (const char *id)
{
  SeamDeviceInfo *info = seam_record_new (&seam_device_info_type);

  info->id = g_strdup (id);
  return info;
}

void
seam_device_info_set_chip (SeamDeviceInfo *info, const char *uuid)
{
  g_autofree char *hash = g_compute_checksum_for_string (G_CHECKSUM_SHA256, uuid, -1);

  g_free (info->chip);
  info->chip = g_strndup (hash, 16);
}

gboolean
seam_device_info_is_same (const SeamDeviceInfo *a, const SeamDeviceInfo *b)
{
  return g_strcmp0 (a->name, b->name) == 0
         && (a->chip == NULL || b->chip == NULL || g_str_equal (a->chip, b->chip));
}

SeamDeviceInfo *
seam_device_info_copy (const SeamDeviceInfo *info)
{
  if (info == NULL)
    return NULL;
  SeamDeviceInfo without = *info;
  without.n_implementations = 0;
  without.implementations = NULL;
  return seam_record_dup (&seam_device_info_type, &without);
}

void
seam_device_info_free (SeamDeviceInfo *info)
{
  seam_record_free (&seam_device_info_type, info);
}

SeamAbilities
seam_device_info_get_abilities (const SeamDeviceInfo *info)
{
  if (info == NULL)
    return SEAM_ABILITY_ALL;
  if ((int)info->abilities == UNKNOWN_ABILITIES)
    return g_strcmp0 (info->id, "cpu") == 0 ? SEAM_ABILITY_STORAGE | SEAM_ABILITY_TRACE
                                            : SEAM_ABILITY_ALL;
  return info->abilities;
}

gboolean
seam_device_info_is_device (const SeamDeviceInfo *info)
{
  return (seam_device_info_get_abilities (info) & SEAM_ABILITY_DEVICE) != 0;
}

const SeamDeviceWords *
seam_device_info_get_words (const SeamDeviceInfo *info)
{
  static const SeamDeviceWords host = {
    .memory = "memory",
    .cache = "cache",
    .clock = "Clock",
    .elapsed = "Elapsed by a monotonic clock",
    .parts = "groups",
    .uncalibrated = "Not calibrated: a quick measurement at each start stands in for it.",
  };
  static const SeamDeviceWords device = {
    .memory = "DRAM",
    .cache = "L2",
    .clock = "SM clock",
    .elapsed = "Elapsed by events, CUPTI off",
    .parts = "kernels",
    .uncalibrated = "Not calibrated: arithmetic rates are those of the data sheet, bandwidth is a "
                    "quick measurement.",
  };

  return seam_device_info_is_device (info) ? &device : &host;
}

const SeamDeviceInfo *
seam_device_info_find_best (const GPtrArray *infos)
{
  const SeamDeviceInfo *best = NULL;

  for (guint i = 0; infos != NULL && i < infos->len; i++) {
    const SeamDeviceInfo *info = infos->pdata[i];
    if (info->available
        && (best == NULL
            || (seam_device_info_is_device (info) && !seam_device_info_is_device (best))))
      best = info;
  }
  return best;
}

void
seam_device_info_add_implementation (SeamDeviceInfo *info, const SeamImplementation *implementation)
{
  int n = info->n_implementations++;

  info->implementations =
      g_renew (SeamImplementation, info->implementations, info->n_implementations);
  seam_record_copy (&seam_implementation_type, &info->implementations[n], implementation);
}

gboolean
seam_device_info_check_plan (const SeamDeviceInfo *info, const SeamPlan *plan, GError **error)
{
  for (int i = 0; i < plan->n_groups; i++) {
    g_autofree char *reason = NULL;
    if (seam_implementations_check (info->implementations, info->n_implementations, info->id,
                                    plan->groups[i].implementation, &reason))
      continue;
    return seam_fail (error, SEAM_ERROR_INPUT, "%s", reason);
  }
  return TRUE;
}

double
seam_device_info_get_split_rate (const SeamDeviceInfo *info)
{
  if ((seam_device_info_get_abilities (info) & SEAM_ABILITY_TF32) == 0)
    return 0;
  if (info->flop_bf16 > 0)
    return info->flop_bf16 / 3;
  return info->flop_tf32 > 0 ? info->flop_tf32 * 2 / 3 : 0;
}

double
seam_device_info_get_half_rate (const SeamDeviceInfo *info)
{
  if ((seam_device_info_get_abilities (info) & SEAM_ABILITY_TF32) == 0)
    return 0;
  return info->flop_bf16 > 0 ? info->flop_bf16 : MAX (2 * info->flop_tf32, 0);
}

double
seam_device_info_get_flop_rate (const SeamDeviceInfo *info, SeamMathMode math_mode)
{
  double half = seam_device_info_get_half_rate (info);

  if (seam_math_mode_get_product (math_mode) != SEAM_OPERAND_FP32 && half > 0)
    return half;
  /* A CPU that multiplies bf16 is faster with it than with FP32, by how much only calibration
   * knows. */
  if (seam_math_mode_get_product (math_mode) == SEAM_OPERAND_BF16
      && (seam_device_info_get_abilities (info) & SEAM_ABILITY_BF16) != 0)
    return MAX (info->flop_bf16, 0);
  if (seam_math_mode_get_base (math_mode) == SEAM_MATH_TF32 && info->flop_tf32 > 0)
    return info->flop_tf32;
  return MAX (info->flop_fp32, seam_device_info_get_split_rate (info));
}

double
seam_device_info_get_roof (const SeamDeviceInfo *info, SeamMathMode math_mode, SeamRoof roof)
{
  if (roof == SEAM_ROOF_FP32)
    return info->flop_fp32;
  return seam_device_info_get_flop_rate (
      info, roof == SEAM_ROOF_BASE ? seam_math_mode_get_base (math_mode) : math_mode);
}

void
seam_device_info_get_rates (const SeamDeviceInfo *info, SeamMathMode math_mode, gboolean cold,
                            SeamRates *rates)
{
  *rates = (SeamRates){
    .bytes_per_s = info->bytes_per_s,
    .flop_per_s = seam_device_info_get_flop_rate (info, math_mode),
    .cache_bytes = (double)info->l2_bytes,
    .cold = cold,
    /* The system names the last-level cache of one core: there may be several, and each core has
     * caches of its own. */
    .more_caches = !seam_device_info_is_device (info),
  };
}

double
seam_device_info_get_peak_bytes (const SeamDeviceInfo *info)
{
  return info->peak_bytes_per_s > 0 ? info->peak_bytes_per_s : info->bytes_per_s;
}

double
seam_device_info_get_peak_flop (const SeamDeviceInfo *info, SeamMathMode math_mode, SeamRoof roof)
{
  /* Treats the peaks as attainable rates. */
  const SeamDeviceInfo peak = { .abilities = seam_device_info_get_abilities (info),
                                .flop_fp32 = info->peak_flop_fp32,
                                .flop_tf32 = info->peak_flop_tf32 };
  double flop = seam_device_info_get_roof (&peak, math_mode, roof);

  return flop > 0 ? flop : seam_device_info_get_roof (info, math_mode, roof);
}

SeamDeviceInfo *
seam_device_info_from_variant (GVariant *variant)
{
  SeamDeviceInfo *info = g_new (SeamDeviceInfo, 1);

  /* Reading is lenient: anything but a dictionary leaves all fields unknown. */
  if (!seam_record_from_variant (&seam_device_info_type, variant, "target", NULL, info, NULL))
    info->id = g_strdup ("");
  return info;
}
