/* SPDX-License-Identifier: MIT
 *
 * Calibration: the backend's microbenchmarks timed until their medians are known, within a budget.
 * Only this module chooses sizes, warms up, samples and stops; app/result/calibration.h has the
 * result.
 */
#pragma once

#include "app/backend/backend.h"

#define SEAM_CALIBRATE_DEFAULT_S 6.0
#define SEAM_CALIBRATE_LEAST_S   0.1
#define SEAM_CALIBRATE_MOST_S    600.0

typedef struct {
  const char *what; /* "Read bandwidth", "Bandwidth of 12.6 MB": valid during the call */
  double fraction;  /* done share of the whole, 0..1 */
  double elapsed_s, budget_s;
} SeamCalibrateProgress;

typedef void (*SeamCalibrateFunc) (const SeamCalibrateProgress *progress, gpointer data);

typedef struct {
  double budget_s;            /* shared by all quantities; each takes at least 3 samples */
  SeamCancel *cancel;         /* may be NULL */
  SeamCalibrateFunc progress; /* may be NULL; before each quantity */
  gpointer data;
} SeamCalibrateOptions;

/* A quantity that the target does not have is unknown, with the reason. NULL with
 * SEAM_ERROR_CANCELLED after Stop, SEAM_ERROR_UNSUPPORTED if the target cannot be calibrated,
 * SEAM_ERROR_MEMORY if not even small buffers fit, or the failure of the device. */
SeamCalibration *seam_calibrate (SeamDevice *device, const SeamCalibrateOptions *options,
                                 GError **error);

/* The working sets of the sweep for a last-level cache of `cache_bytes` (0: unknown), from above
 * `private_bytes` up to SEAM_CALIBRATION_FAR times the cache and at most `most_bytes`: three per
 * octave, ascending, multiples of 64 KB. Array of gint64; empty if `most_bytes` leaves no room for
 * a curve. */
GArray *seam_calibrate_list_sizes (gint64 cache_bytes, gint64 private_bytes, gint64 most_bytes);
/* The buffer of the memory bandwidths: 64 times the cache, or less if it would take more than a
 * tenth of the budget at `bytes_per_s` (allocated, filled and read once; 0: unknown), but at least
 * 4 times the cache; at most `most_bytes`. A multiple of 64 KB. */
gint64 seam_calibrate_choose_buffer (gint64 cache_bytes, gint64 most_bytes, double bytes_per_s,
                                     double budget_s);
