/* SPDX-License-Identifier: MIT
 *
 * The description of a target (a CPU or a GPU), available or not, as plain data that travels from
 * worker to window and into every result.
 */
#pragma once

#include "app/plan/ceiling.h"
#include "app/settings/settings.h"

/* How far a measured rate may exceed its peak: "100 %" may be rounded down from this. */
#define SEAM_PEAK_SLACK 1.005
/* The same for a peak that was measured on the device: probes of one machine repeat to a few per
 * cent, and a kernel that beats them by so little shows that they were too low. */
#define SEAM_PEAK_SLACK_MEASURED 1.10

typedef struct {
  char *id;   /* "cpu", "cuda:0" */
  char *name; /* "NVIDIA H200", "AMD EPYC 9554" */
  gboolean available;
  char *reason;     /* why it is not available, a sentence; NULL if it is */
  char *remedy;     /* a command or step to take; NULL: none */
  char *driver;     /* "580.159.04"; NULL on the CPU */
  char *libraries;  /* "CUDA 13.0, cuDNN 9.14.0, cuBLASLt 13.1"; "oneDNN 2.6.3, OpenMP 4.5" */
  int n_processors; /* SMs or hardware threads used */
  guint64 memory_total, memory_free; /* bytes; 0: unknown */
  guint64 l2_bytes;                  /* last-level cache that a cold run must flush; 0: unknown */
  /* Limits of one thread block; 0: unknown, and on the CPU, which has no blocks. */
  guint64 block_register_bytes, block_shared_bytes;
  double bytes_per_s;          /* attainable memory bandwidth (read + write); <= 0: unknown */
  double flop_fp32, flop_tf32; /* attainable per second; <= 0: unknown */
  /* Known only from calibration (calibration.h), the last on a CPU also without; <= 0: unknown. */
  double flop_bf16;      /* attainable per second */
  double l2_bytes_per_s; /* for reads that the last-level cache answers */
  double launch_ns;      /* for each launch of many in a row; on a CPU a parallel region */
  char *calibrated;      /* date of the calibration, "21 Nov 2026"; NULL: not calibrated */
  char *rates_source;    /* "calibrated 21 Nov 2026", "data sheet": shown beside the floor */
  /* From the data sheet (clocks, widths, units): an upper bound of measurements. <= 0: unknown. */
  double peak_bytes_per_s, peak_flop_fp32, peak_flop_tf32;
  double max_clock_mhz; /* the highest of the SMs, from NVML; NaN: unknown, and on a CPU */
  char *chip; /* 16 hexadecimal digits of a hash of the UUID of the GPU or MIG instance, to tell two
               * of one name apart; NULL on the CPU, in older results, or unknown */
  char *identity;     /* name and UUID of the GPU, or the CPU's model and threads; NULL: unknown.
                       * Stays on this computer: no variant contains it */
  gboolean can_trace; /* this machine has what SEAM_ABILITY_TRACE needs (CUPTI for CUDA) */
  char *trace_reason; /* why it cannot trace; NULL if it can */
  char *compute_capability; /* "9.0"; NULL on the CPU */
  SeamAbilities abilities;  /* seam_device_info_get_abilities() reads it: older results have none */
  /* The implementations that a plan can name for this target, in the order of menus. Only for a
   * target that can run plans now: no result has them. */
  int n_implementations;
  SeamImplementation *implementations;
} SeamDeviceInfo;

/* Names, as people use them, for parts that every device has in some form. */
typedef struct {
  const char *memory;       /* "DRAM" */
  const char *cache;        /* "L2": the last level */
  const char *clock;        /* "SM clock" */
  const char *elapsed;      /* how elapsed time is taken: "Elapsed by events, CUPTI off" */
  const char *parts;        /* the parts of a traced execution: "kernels" */
  const char *uncalibrated; /* where its rates come from before calibration; a sentence */
} SeamDeviceWords;

extern const SeamRecordType seam_device_info_type;

SeamDeviceInfo *seam_device_info_new (const char *id);
/* Names the chip by its UUID, of which nothing else leaves this computer. */
void seam_device_info_set_chip (SeamDeviceInfo *info, const char *uuid);
/* Whether both are one chip, or, where one of them does not say, have one name. */
gboolean seam_device_info_is_same (const SeamDeviceInfo *a, const SeamDeviceInfo *b);
/* A copy without the implementations. */
SeamDeviceInfo *seam_device_info_copy (const SeamDeviceInfo *info);
void seam_device_info_free (SeamDeviceInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDeviceInfo, seam_device_info_free)

/* For people; without a name its id. */
static inline const char *
seam_device_info_get_name (const SeamDeviceInfo *info)
{
  return info->name != NULL ? info->name : info->id;
}

/* These accept NULL for a target that is not yet known, which has every ability. */
SeamAbilities seam_device_info_get_abilities (const SeamDeviceInfo *info);
/* Whether it is a processor beside the host. */
gboolean seam_device_info_is_device (const SeamDeviceInfo *info);
const SeamDeviceWords *seam_device_info_get_words (const SeamDeviceInfo *info);
/* The best of a list of SeamDeviceInfo: the first available device beside the host, else the first
 * available target; NULL if none is available. */
const SeamDeviceInfo *seam_device_info_find_best (const GPtrArray *infos);
/* Appends a copy of the implementation. */
void seam_device_info_add_implementation (SeamDeviceInfo *info,
                                          const SeamImplementation *implementation);
/* Whether the target has every implementation that the plan names. SEAM_ERROR_INPUT lists those
 * that it has. */
gboolean seam_device_info_check_plan (const SeamDeviceInfo *info, const SeamPlan *plan,
                                      GError **error);

/* Tensor cores can also give results as accurate as FP32's, by three products of 16-bit halves
 * (FP16x3, kernels/cuda/hand). Operations a second of that: from the rate of BF16, which is that of
 * FP16, or from half of TF32's. 0: unknown, and on a CPU, which has none. */
double seam_device_info_get_split_rate (const SeamDeviceInfo *info);
/* Operations a second for products of 16-bit operands with FP32 sums: the tensor cores' rate for
 * BF16, or, if that is unknown, twice that of TF32. 0: unknown, and on a CPU, which has none. */
double seam_device_info_get_half_rate (const SeamDeviceInfo *info);
/* The fastest arithmetic of a math mode: TF32 or 16-bit products if they are allowed and known,
 * else FP32 or FP16x3. <= 0: unknown. */
double seam_device_info_get_flop_rate (const SeamDeviceInfo *info, SeamMathMode math_mode);

/* The arithmetic that a matrix product was executed with: the fastest of the math mode, that of the
 * mode which it refines (TF32 in tf32x), or FP32 without tensor cores. */
typedef enum { SEAM_ROOF_MODE, SEAM_ROOF_BASE, SEAM_ROOF_FP32, SEAM_N_ROOFS } SeamRoof;
/* Its operations a second. <= 0: unknown. */
double seam_device_info_get_roof (const SeamDeviceInfo *info, SeamMathMode math_mode,
                                  SeamRoof roof);

/* What the device does at best in a math mode: the rates of every bound (app/plan/ceiling.h). */
void seam_device_info_get_rates (const SeamDeviceInfo *info, SeamMathMode math_mode, gboolean cold,
                                 SeamRates *rates);

/* What no measurement is over: the data sheet's peaks, or where they are not known what is
 * attainable. <= 0: unknown. */
double seam_device_info_get_peak_bytes (const SeamDeviceInfo *info);
double seam_device_info_get_peak_flop (const SeamDeviceInfo *info, SeamMathMode math_mode,
                                       SeamRoof roof);

/* Ignores unknown members; missing members, and those of a wrong type, stay unknown. */
SeamDeviceInfo *seam_device_info_from_variant (GVariant *variant);
