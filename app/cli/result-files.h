/* SPDX-License-Identifier: MIT
 *
 * The products that `run` and `export` write with the same options: --csv, --csv-kernels and the
 * like, --json, --trace, --figure; each is an entry of app/report/products.h.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/report/products.h"
#include "app/session/session.h"

G_BEGIN_DECLS

typedef struct SeamResultFiles SeamResultFiles;

/* Stands in a table of SeamOption for --figure and the options of all texts that are made of one of
 * `of` (a set of SeamProductOf). */
/* clang-format off */
#define SEAM_OPTIONS_PRODUCTS(of) { "", .products = (of) }

/* How the maps look. */
#define SEAM_OPTIONS_MAP \
  { "map-unit", "UNIT", "of the maps in difference=FILE: abs (default), rel or ulp", FALSE }, \
  { "map-tiles", "PLAN", \
    "draw over the maps by which tiles plan b (the judged one) or a writes the\n" \
    "output", \
    FALSE }
/* clang-format on */

/* What that entry stands for, appended to an array of SeamOption; texts are static. */
void seam_result_files_add_options (GArray *options, guint of);

/* Reads the options and checks folders and endings. `can_time` and `can_compare`: there are two
 * sides for the figure. `of`: what products may be made of. SEAM_ERROR_INPUT for what was typed,
 * SEAM_ERROR_FILE for a folder that cannot be written. */
SeamResultFiles *seam_result_files_new (const SeamArguments *arguments, gboolean can_time,
                                        gboolean can_compare, guint of, GError **error);
void seam_result_files_free (SeamResultFiles *files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamResultFiles, seam_result_files_free)

/* The explorations and sweeps (SeamSessionSurvey) that there are, borrowed; `chosen` is the one to
 * write from, -1: the only one of its kind. */
void seam_result_files_set_surveys (SeamResultFiles *files, GPtrArray *surveys, int chosen);

guint seam_result_files_get_n (const SeamResultFiles *files);
/* Whether standard output is taken by a file named "-". */
gboolean seam_result_files_use_stdout (const SeamResultFiles *files);
/* Whether any of them is made of one of `of`. */
gboolean seam_result_files_need (const SeamResultFiles *files, guint of);
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
/* --csv (a file, or “-”) and --figure of a command that writes one of each: borrowed and checked,
 * or NULL where they are not given. */
gboolean seam_cli_read_paths (const SeamArguments *arguments, const char **table,
                              const char **figure, GError **error);
/* One product to a file or, a text, to standard output ("-"). */
gboolean seam_cli_write_product (const SeamProduct *product, const SeamProductSource *source,
                                 const char *path, GError **error);
/* The figure of "NAME=FILE" that is made of one of `of`, and its path, which is checked.
 * SEAM_ERROR_INPUT lists those that there are. */
const SeamProduct *seam_cli_parse_figure (const char *value, guint of, const char **path,
                                          GError **error);

G_END_DECLS
