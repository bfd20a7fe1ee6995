/* SPDX-License-Identifier: MIT
 *
 * The options that say what is run (pipeline, shape, plans, target, math mode, cache, …), read the
 * same way by every command that takes them.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/runner/run.h"

G_BEGIN_DECLS

/* SEAM_ERROR_INPUT for what was typed. Opens no device. */
SeamRunRequest *seam_cli_make_request (const SeamArguments *arguments, GError **error);

G_END_DECLS
