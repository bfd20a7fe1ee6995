/* SPDX-License-Identifier: MIT
 *
 * The files that a command writes: their options, help, checks and writing follow from the entries
 * of app/report/products.h. Commands whose products have a single subject use this alone;
 * result-files.h chooses from the runs and searches of a session.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/report/products.h"

typedef struct SeamProductFiles SeamProductFiles;

/* An entry in a table of SeamOption that stands for the options of all products made from one of
 * `of` (a set of SeamProductOf): one option for each text, and --figure FILE, or --figure NAME=FILE
 * if there are several figures. */
/* clang-format off */
#define SEAM_OPTIONS_PRODUCTS(of) { "", .products = (of) }
/* clang-format on */

/* Appends the options that such an entry stands for to an array of SeamOption; texts are static. */
void seam_product_files_add_options (GArray *options, guint of);

/* Reads the options and checks folders and file endings; only one file may go to standard output.
 * SEAM_ERROR_INPUT for wrong options, SEAM_ERROR_FILE for a folder that cannot be written. */
SeamProductFiles *seam_product_files_new (const SeamArguments *arguments, guint of, GError **error);
void seam_product_files_free (SeamProductFiles *files);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamProductFiles, seam_product_files_free)

guint seam_product_files_get_n (const SeamProductFiles *files);
const SeamProduct *seam_product_files_get_product (const SeamProductFiles *files, guint i);
/* Whether the rows of a table are written as JSON. */
gboolean seam_product_files_is_json (const SeamProductFiles *files, guint i);
/* NULL: standard output. */
const char *seam_product_files_get_path (const SeamProductFiles *files, guint i);
/* Whether a file named "-" takes standard output. */
gboolean seam_product_files_use_stdout (const SeamProductFiles *files);

gboolean seam_product_files_write_at (const SeamProductFiles *files, guint i,
                                      const SeamProductSource *source, GError **error);
/* Writes all files; stops at the first that fails. */
gboolean seam_product_files_write (const SeamProductFiles *files, const SeamProductSource *source,
                                   GError **error);

/* "timing=FILE, traffic=FILE or samples=FILE": the figures made from one of `of`, with `before`
 * before each and `last` before the last. */
char *seam_cli_list_figures (guint of, const char *before, const char *last);

/* Whether a file can be written there, as far as that is known beforehand: the folder exists and is
 * writable. SEAM_ERROR_FILE. */
gboolean seam_cli_check_path (const char *path, GError **error);
