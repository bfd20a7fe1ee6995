/* SPDX-License-Identifier: MIT
 *
 * The files that `run`, `aa` and `export` write with the same options from runs and searches:
 * chooses the data, while options and checks are those of product-files.h.
 */
#pragma once

#include "app/cli/product-files.h"
#include "app/session/session.h"

typedef struct SeamResultFiles SeamResultFiles;

/* clang-format off */
/* The options for the plans that figures show, and for the look of maps. */
#define SEAM_OPTIONS_FIGURES \
  { "pair", "A,B", \
    "the plans of --figure and --csv-waterfall, by letter (A is the run's\n" \
    "first) or name: the one compared with, then the one that is judged", \
    FALSE }, \
  { "map-unit", "UNIT", \
    "of the maps in difference=FILE: abs, rel, ulp, or bound (error over\n" \
    "bound), the default where bounds judge", \
    FALSE }, \
  { "map-tiles", "PLAN", \
    "draw over the maps by which tiles plan b (the judged one) or a writes the\n" \
    "output", \
    FALSE }
/* clang-format on */

/* Like seam_product_files_new(). `can_time` and `can_compare`: there are two sides for the
 * figure. */
SeamResultFiles *seam_result_files_new (const SeamArguments *arguments, gboolean can_time,
                                        gboolean can_compare, guint of, GError **error);
void seam_result_files_free (SeamResultFiles *files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamResultFiles, seam_result_files_free)

/* Sets the explorations and sweeps (SeamSessionSearch), borrowed; `chosen` is the one to write
 * from, -1: the only one of its kind. */
void seam_result_files_set_searches (SeamResultFiles *files, GPtrArray *searches, int chosen);

/* Sets the smallest claimable difference, borrowed, for the JSON of `aa`. */
void seam_result_files_set_claimable (SeamResultFiles *files, const double *claimable);

const SeamProductFiles *seam_result_files_get_products (const SeamResultFiles *files);
/* Whether any of the files is made from one of `of`. */
gboolean seam_result_files_need (const SeamResultFiles *files, guint of);
/* Whether any of the files shows elements at full resolution. */
gboolean seam_result_files_need_slices (const SeamResultFiles *files);
/* Writes all files: from the first run (a trace from all runs, files of searches from searches).
 * Continues after a file that fails, and reports it; FALSE if one failed. `log` gets a line for
 * each file written. */
gboolean seam_result_files_write (const SeamResultFiles *files, SeamSessionRun *const *runs,
                                  guint n_runs, GString *log);
