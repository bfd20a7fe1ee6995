/* SPDX-License-Identifier: MIT
 *
 * The files that `seamscope-cli run` is asked to write: checked before the run as far as that is
 * cheap, written after it.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/runner/runner.h"

typedef struct SeamRunOutputs SeamRunOutputs;

/* Reads the options and checks folders, file endings and plans. `request` is borrowed and has to
 * outlive the object. SEAM_ERROR_INPUT for wrong options, SEAM_ERROR_FILE for a folder that cannot
 * be written. */
SeamRunOutputs *seam_run_outputs_new (const SeamArguments *arguments, const SeamRunRequest *request,
                                      GError **error);
void seam_run_outputs_free (SeamRunOutputs *outputs);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamRunOutputs, seam_run_outputs_free)

/* Whether a file named "-" takes standard output. */
gboolean seam_run_outputs_use_stdout (const SeamRunOutputs *outputs);
/* Writes all files. Continues after a file that fails, and reports it; FALSE if one failed. `log`
 * gets a line for each file written. */
gboolean seam_run_outputs_write (SeamRunOutputs *outputs, SeamRunner *runner, SeamResult *result,
                                 GString *log);
