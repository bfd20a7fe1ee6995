/* SPDX-License-Identifier: MIT
 *
 * The calibration of a device: rates of memory and arithmetic, launch overhead, and the bandwidth
 * of reads over the size of the working set, with the knee where the cache ends. Plain data, kept
 * in a file for each device. app/measure/calibrate.h measures it.
 */
#pragma once

#include "app/result/device.h"

typedef enum {
  SEAM_RATE_COPY,  /* bytes a second, read plus written, of a buffer far larger than the cache */
  SEAM_RATE_READ,  /* the same, of reads alone */
  SEAM_RATE_WRITE, /* the same, of writes alone */
  SEAM_RATE_FP32,  /* operations a second of a matrix product; a multiply-add counts two */
  SEAM_RATE_TF32,
  SEAM_RATE_BF16,
  SEAM_RATE_FP64,
  SEAM_RATE_LAUNCH, /* ns for each launch of many in a row; on a CPU an OpenMP parallel region */
  SEAM_N_RATES
} SeamRateKind;

const char *seam_rate_get_key (SeamRateKind kind);        /* "copy", "fp32": in files */
const char *seam_rate_get_title (SeamRateKind kind);      /* "Copy bandwidth": for people */
const char *seam_rate_get_unit (SeamRateKind kind);       /* "bytes/s", "operations/s", "ns" */
char *seam_rate_format (SeamRateKind kind, double value); /* "4.30 TB/s", "2.1 µs" */

/* A measured rate; NaN and 0 if nothing was measured. */
typedef struct {
  double median, low, high; /* of the samples, with its 95 % interval (NaN under 6 samples) */
  double least, most;       /* of the samples */
  int n;
} SeamRate;

#define SEAM_RATE_UNKNOWN ((SeamRate){ NAN, NAN, NAN, NAN, NAN, 0 })

/* Data beside the numbers of a rate. */
typedef struct {
  double spread; /* interquartile range of the samples over their median; NaN: not recorded */
  char *reason;  /* why the rate is unknown, a sentence */
  /* A run reached more than calibration had measured, so the device can do at least that. For
   * SEAM_RATE_COPY it is the memory bandwidth that a run's mixture of reads and writes reached. */
  double raised;   /* the rate; NaN: none did */
  char *raised_by; /* pipeline of the run */
  char *raised_at; /* ISO 8601, UTC */
} SeamRateNotes;

/* Repeated reads of a working set of this size. */
typedef struct {
  double bytes;
  SeamRate rate; /* bytes a second */
} SeamCurvePoint;

#define SEAM_CURVE_MAX_POINTS 256

typedef struct {
  char *identity; /* identity of the device, as in SeamDeviceInfo */
  char *device;   /* its name */
  char *target;   /* "cuda:0" when it was measured */
  char *driver;   /* NULL on a CPU */
  char *libraries;
  char *program_version;
  char
      *measured_at; /* ISO 8601, UTC; NULL: nothing was measured, there is only what runs reached */
  double duration_s;
  double buffer_bytes; /* size of the buffers for the first three rates */
  double cache_bytes;  /* last-level cache as the device reports it; 0: unknown */
  /* From the data sheet, per second; NaN: unknown. No measured rate can be higher. */
  double peak_bytes_per_s, peak_fp32, peak_tf32;
  SeamRate rates[SEAM_N_RATES];
  SeamRateNotes notes[SEAM_N_RATES];
  int n_points;
  SeamCurvePoint *curve; /* by size, ascending; owned */
} SeamCalibration;

SeamCalibration *seam_calibration_new (void); /* everything unknown */
void seam_calibration_free (SeamCalibration *calibration);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamCalibration, seam_calibration_free)

extern const SeamRecordType seam_rate_type, seam_rate_notes_type, seam_curve_point_type,
    seam_calibration_type;
/* a{sv}, floating, without the identity. from_variant is safe on any input. */
GVariant *seam_calibration_to_variant (const SeamCalibration *calibration);
SeamCalibration *seam_calibration_from_variant (GVariant *variant, GError **error);

/* A buffer of at least this many times the cache counts as memory: the cache then answers at most a
 * few per cent of the reads. */
#define SEAM_CALIBRATION_FAR 16

/* The data sheet's peak of a rate; NaN unknown. */
double seam_calibration_get_peak (const SeamCalibration *calibration, SeamRateKind kind);
/* Whether its median is over its peak by more than SEAM_PEAK_SLACK. Such a rate is shown in red,
 * and nothing rests on it. */
gboolean seam_calibration_is_over_peak (const SeamCalibration *calibration, SeamRateKind kind);

/* Keeps a rate that a run of `pipeline` reached, unless an earlier run reached as much. */
void seam_calibration_raise (SeamCalibration *calibration, SeamRateKind kind, double rate,
                             const char *pipeline, const char *at);
/* Whether a run has raised any rate. */
gboolean seam_calibration_is_raised (const SeamCalibration *calibration);
/* A new calibration of the same device keeps what runs have reached. */
void seam_calibration_inherit (SeamCalibration *calibration, const SeamCalibration *older);

/* Where the cache ends. Of all ways to split the curve into two parts of at least two points, this
 * takes the one whose parts are flattest (least squares of the logarithms of the medians around
 * their means). The knee lies half-way, on a logarithmic scale, between the last size of the first
 * part and the first size of the second. The cache's rate is the median of the first part; the
 * memory's rate is that of the points SEAM_KNEE_FAR times beyond the knee, or, if there are fewer
 * than two of them, of the whole second part. FALSE, and NaN, if the cache's rate is less than
 * SEAM_KNEE_STEP times the memory's: then there is no visible knee. */
#define SEAM_KNEE_STEP 1.25
#define SEAM_KNEE_FAR  4

typedef struct {
  double bytes;       /* the largest working set that the cache still holds */
  double cache_rate;  /* bytes a second below it */
  double memory_rate; /* bytes a second above it */
  int first_memory;   /* index of the first point above it; -1: none */
} SeamKnee;

gboolean seam_calibration_find_knee (const SeamCalibration *calibration, SeamKnee *knee);

/* Puts the rates into `info`, with "calibrated 21 Nov 2026" as their source. The memory bandwidth
 * is the fastest of copying, reading and writing: no mixture of them is faster. What is over its
 * peak is left out; where nothing is left, the peak stands in. A rate that a run has raised is what
 * the run reached. What calibration does not know stays as it was. The source says which. Of a
 * device that was not calibrated only raised rates change. */
void seam_calibration_apply (const SeamCalibration *calibration, SeamDeviceInfo *info);

/* Restores the rates of `info` from `uncalibrated`, after its calibration was forgotten. */
void seam_calibration_undo (SeamDeviceInfo *info, const SeamDeviceInfo *uncalibrated);

/* "21 Nov 2026" for an ISO 8601 time; newly allocated. NULL if it is none. */
char *seam_calibration_format_date (const char *iso_8601);

/* --- the file of a device, in the person's data folder; calibration-file.c --- */

/* Newly allocated path, whether the file exists or not. */
char *seam_calibration_get_path (const char *identity);
/* TRUE and NULL if there is none. FALSE and SEAM_ERROR_FILE for a file that cannot be read or is
 * damaged: the sentence names the file, what is wrong, and what to do. */
gboolean seam_calibration_load (const char *identity, SeamCalibration **calibration,
                                GError **error);
/* The same; also what is kept of a device that was not calibrated: only what runs have reached. */
gboolean seam_calibration_load_kept (const char *identity, SeamCalibration **calibration,
                                     GError **error);
gboolean seam_calibration_save (const SeamCalibration *calibration, GError **error);
/* TRUE if there is no file any more; `existed` (may be NULL) says whether there was one. */
gboolean seam_calibration_forget (const char *identity, gboolean *existed, GError **error);
/* Loads and applies. A damaged file is named in the source of the rates and otherwise ignored. */
void seam_calibration_apply_stored (SeamDeviceInfo *info);

/* --- as text; calibration-text.c --- */

/* One row for each rate, then one for each point of the curve. The head of calibration-text.c
 * describes the columns. */
char *seam_calibration_to_csv (const SeamCalibration *calibration);
char *seam_calibration_to_json (const SeamCalibration *calibration);
/* "The last-level cache holds 58.2 MB …": the result of the curve, in sentences. Newly
 * allocated. */
char *seam_calibration_describe_knee (const SeamCalibration *calibration);
/* A sentence if the samples lie so far apart that something else used the device: half of the
 * samples of a rate spread over more than SEAM_UNSTEADY of its median, or its best sample is
 * SEAM_FAR_BETTER times as good as its median. (Six calibrations on two cores that other programs
 * kept busy had at least four such rates each, with spreads of 12 to 125 %; without interruptions,
 * samples spread over 0.2 to 7 %. The points of the curve are not judged, because close to the end
 * of the cache they spread on an idle machine, too.) NULL: all is well. Newly allocated. */
char *seam_calibration_describe_unsteady (const SeamCalibration *calibration);
#define SEAM_UNSTEADY   0.1
#define SEAM_FAR_BETTER 1.5
/* "FP32 matrix product: a run of conv-relu-bias on 23 Nov 2026 reached 36 GFLOP/s …"; NULL if the
 * rate was not raised. Newly allocated. */
char *seam_calibration_describe_raise (const SeamCalibration *calibration, SeamRateKind kind);
/* "Read bandwidth is 104 % of the data sheet's …, which cannot be …"; NULL if it is not over. Newly
 * allocated. */
char *seam_calibration_describe_over_peak (const SeamCalibration *calibration, SeamRateKind kind);
/* Every reason to doubt the calibration, in sentences: rates over their peak, copying faster than
 * reading, a knee far from the reported cache, a buffer too close to the cache size, rates that
 * runs have raised, unsteady rates. NULL: none. Newly allocated. */
char *seam_calibration_describe_doubts (const SeamCalibration *calibration);
/* "NVIDIA H200 · driver 580 · … · calibrated 21 Nov 2026 · Seamscope 0.1": for figures. */
char *seam_calibration_get_provenance (const SeamCalibration *calibration);
