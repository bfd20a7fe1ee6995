/* SPDX-License-Identifier: MIT
 *
 * The tables, the JSON, the trace and the figures that `run` and `export` write with the same
 * options: --csv, --csv-kernels and the like, --json, --trace, --figure.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/session/session.h"

G_BEGIN_DECLS

typedef struct SeamResultFiles SeamResultFiles;

/* The tables, as entries of a table of SeamOption. */
/* clang-format off */
#define SEAM_OPTIONS_TABLES \
  { "csv", "FILE", "write a table with one row a plan (“-”: standard output)", FALSE }, \
  { "csv-kernels", "FILE", "write a table with one row a kernel (or “-”)", FALSE }, \
  { "csv-samples", "FILE", "write a table with one row a sample (or “-”)", FALSE }, \
  { "csv-ledger", "FILE", "write which group reads and writes which tensor, in bytes (or “-”)", \
    FALSE }, \
  { "csv-traffic", "FILE", "write the bytes of each group, modelled and measured (or “-”)", FALSE }, \
  { "csv-waterfall", "FILE", "write the steps from one plan's time to the other's (or “-”)", \
    FALSE }, \
  { "csv-roofline", "FILE", "write operations, bytes and rates of plans and kernels (or “-”)", \
    FALSE }, \
  { "csv-worst", "FILE", "write the elements with the largest errors (or “-”)", FALSE }, \
  { "csv-histogram", "FILE", "write how many elements have which error (or “-”)", FALSE }

/* How the maps look, likewise. */
#define SEAM_OPTIONS_MAP \
  { "map-unit", "UNIT", "of the maps in difference=FILE: abs (default), rel or ulp", FALSE }, \
  { "map-tiles", "PLAN", \
    "draw over the maps by which tiles plan b (the judged one) or a writes the\n" \
    "output", \
    FALSE }
/* clang-format on */

/* Reads the options and checks folders and endings. `can_time` and `can_compare`: there are two
 * sides for the figure. `has_surveys`: explorations and sweeps may be asked for. SEAM_ERROR_INPUT
 * for what was typed, SEAM_ERROR_FILE for a folder that cannot be written. */
SeamResultFiles *seam_result_files_new (const SeamArguments *arguments, gboolean can_time,
                                        gboolean can_compare, gboolean has_surveys, GError **error);
void seam_result_files_free (SeamResultFiles *files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamResultFiles, seam_result_files_free)

/* The explorations and sweeps (SeamSessionSurvey) that there are, borrowed; `chosen` is the one to
 * write from, -1: the only one of its kind. */
void seam_result_files_set_surveys (SeamResultFiles *files, GPtrArray *surveys, int chosen);

guint seam_result_files_get_n (const SeamResultFiles *files);
/* Whether standard output is taken by a file named "-". */
gboolean seam_result_files_use_stdout (const SeamResultFiles *files);
/* Whether any of them is about runs, not surveys. */
gboolean seam_result_files_need_runs (const SeamResultFiles *files);
/* Whether any of them is about one run; a trace may be of several. */
gboolean seam_result_files_need_one_run (const SeamResultFiles *files);
/* Whether any of them shows elements at full resolution. */
gboolean seam_result_files_need_slices (const SeamResultFiles *files);
/* Writes all of them from the first run (a trace from all, of surveys from theirs); goes on after
 * one that fails, which is complained about. FALSE when one failed. `log` gets a line for each file
 * written. */
gboolean seam_result_files_write (const SeamResultFiles *files, SeamSessionRun *const *runs,
                                  guint n_runs, GString *log);

/* Whether a file can be written there, as far as can be known before: the folder exists and is
 * writable. SEAM_ERROR_FILE. */
gboolean seam_cli_check_path (const char *path, GError **error);
/* The same for a figure, whose format the ending decides. SEAM_ERROR_INPUT for another one. */
gboolean seam_cli_check_figure (const char *path, GError **error);

G_END_DECLS
