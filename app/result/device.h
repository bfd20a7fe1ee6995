/* SPDX-License-Identifier: MIT
 *
 * What is known of a target (a CPU or a GPU), available or not, as plain data that travels from
 * worker to window and into every result.
 */
#pragma once

#include "app/plan/ceiling.h"
#include "app/settings/settings.h"

G_BEGIN_DECLS

/* What a measured rate may be over its peak, which is what "100 %" is rounded from. */
#define SEAM_PEAK_SLACK 1.005
/* The same where the peak itself is a rate that was measured on the device: probes of one machine
 * repeat to a few per cent, and a kernel that beats them by so little shows that they were low. */
#define SEAM_PEAK_SLACK_MEASURED 1.10

typedef struct {
  char *id;   /* "cpu", "cuda:0" */
  char *name; /* "NVIDIA H200", "AMD EPYC 9554" */
  gboolean available;
  char *reason;     /* why not, a sentence; NULL when available */
  char *remedy;     /* a command or step to take; NULL when there is none */
  char *driver;     /* "580.159.04"; NULL on the CPU */
  char *libraries;  /* "CUDA 13.0, cuDNN 9.14.0, cuBLASLt 13.1"; "OpenBLAS 0.3.21, OpenMP 4.5" */
  int n_processors; /* SMs or hardware threads used */
  guint64 memory_total, memory_free; /* bytes; 0: unknown */
  guint64 l2_bytes;                  /* last-level cache that a cold run must flush; 0: unknown */
  /* That one thread block may have; 0: unknown, and on the CPU, which has no such thing. */
  guint64 block_register_bytes, block_shared_bytes;
  double bytes_per_s;          /* attainable memory bandwidth (read + write); <= 0: unknown */
  double flop_fp32, flop_tf32; /* attainable per second; <= 0: unknown */
  /* Only calibration knows these (calibration.h); <= 0: unknown. */
  double flop_bf16;      /* attainable per second */
  double l2_bytes_per_s; /* of reads that the last-level cache answers */
  double launch_ns;      /* for each launch of many in a row */
  char *calibrated;      /* date of the calibration, "21 Nov 2026"; NULL: not calibrated */
  char *rates_source;    /* "calibrated 21 Nov 2026", "data sheet": shown beside the floor */
  /* From the data sheet (clocks, widths, units): no measurement is over it. <= 0: unknown. */
  double peak_bytes_per_s, peak_flop_fp32, peak_flop_tf32;
  char *identity;     /* name and UUID of the GPU, or the CPU's model and threads; NULL unknown. It
                         stays on the computer: no variant carries it */
  gboolean can_trace; /* what SEAM_ABILITY_TRACE needs is on this machine (CUPTI for CUDA) */
  char *trace_reason; /* why not; NULL when it can */
  char *compute_capability; /* "9.0"; NULL on the CPU */
  SeamAbilities abilities;  /* seam_device_info_get_abilities() reads it: older results have none */
  /* Those that a plan can name for this target, in the order of menus; only while it is here to run
   * plans: no result has them. */
  int n_implementations;
  SeamImplementation *implementations;
} SeamDeviceInfo;

/* How people call what every device has in some form. */
typedef struct {
  const char *memory;       /* "DRAM" */
  const char *cache;        /* "L2": the last level */
  const char *clock;        /* "SM clock" */
  const char *elapsed;      /* "Elapsed by events, CUPTI off": how it takes time */
  const char *parts;        /* "kernels": what a traced execution consists of */
  const char *uncalibrated; /* how its rates are known before calibration; a sentence */
} SeamDeviceWords;

extern const SeamRecordType seam_device_info_type;

SeamDeviceInfo *seam_device_info_new (const char *id);
/* Without the implementations. */
SeamDeviceInfo *seam_device_info_copy (const SeamDeviceInfo *info);
void seam_device_info_free (SeamDeviceInfo *info);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamDeviceInfo, seam_device_info_free)

/* These take NULL for a target that is not known yet: it has every ability. */
SeamAbilities seam_device_info_get_abilities (const SeamDeviceInfo *info);
/* Whether it is a processor beside the host. */
gboolean seam_device_info_is_device (const SeamDeviceInfo *info);
const SeamDeviceWords *seam_device_info_get_words (const SeamDeviceInfo *info);
/* The best of a list of SeamDeviceInfo: the first available one that is a device beside the host,
 * else the first available one; NULL: none is. */
const SeamDeviceInfo *seam_device_info_find_best (const GPtrArray *infos);
/* Appends a copy. */
void seam_device_info_add_implementation (SeamDeviceInfo *info,
                                          const SeamImplementation *implementation);
/* Whether the target has every implementation that the plan names. SEAM_ERROR_INPUT says which it
 * has. */
gboolean seam_device_info_check_plan (const SeamDeviceInfo *info, const SeamPlan *plan,
                                      GError **error);

/* Results as good as FP32's come from tensor cores too, by three products of bf16 halves (BF16x3,
 * kernels/cuda/hand): operations a second of that, from the rate of BF16, or from that of TF32,
 * half of it. 0: unknown. */
double seam_device_info_get_split_rate (const SeamDeviceInfo *info);
/* Products of 16-bit operands with FP32 sums, of either type: the tensor cores' rate for BF16, or
 * where that is not known twice that of TF32. 0: unknown, and on a CPU, which has none. */
double seam_device_info_get_half_rate (const SeamDeviceInfo *info);
/* The fastest arithmetic of a math mode: TF32 or 16-bit products where they are allowed
 * and known, else FP32 or what gives results as good. <= 0: unknown. */
double seam_device_info_get_flop_rate (const SeamDeviceInfo *info, SeamMathMode math_mode);

/* What the device does at best in a math mode: the rates of every bound (app/plan/ceiling.h). */
void seam_device_info_get_rates (const SeamDeviceInfo *info, SeamMathMode math_mode, gboolean cold,
                                 SeamRates *rates);

/* What no measurement is over: the data sheet's peaks, or where they are not known what is
 * attainable. <= 0: unknown. */
double seam_device_info_get_peak_bytes (const SeamDeviceInfo *info);
double seam_device_info_get_peak_flop (const SeamDeviceInfo *info, SeamMathMode math_mode);

/* Unknown members are ignored; missing ones, and those of a wrong type, stay unknown. */
SeamDeviceInfo *seam_device_info_from_variant (GVariant *variant);

G_END_DECLS
