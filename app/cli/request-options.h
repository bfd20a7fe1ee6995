/* SPDX-License-Identifier: MIT
 *
 * The options that say what is run (pipeline, shape, plans, target, math mode, cache, …), read the
 * same way by every command that takes them.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

/* Entries of a table of SeamOption, so that an option is told in the same words everywhere. */
/* clang-format off */
#define SEAM_OPTIONS_SHAPE \
  { "preset", "NAME", "shape to start from: tiny, laptop (default), kernelbench", FALSE }, \
  { "shape", "KEY=VALUE,…", "shape fields that differ from the preset's; “list” names the keys", \
    TRUE }
#define SEAM_OPTION_TARGET \
  { "target", "TARGET", "cpu, cuda:0, … (default: a GPU that works, else the CPU)", FALSE }
/* Stands for the options of all settings that are concerned (SeamConcerns), in their order, but for
 * those that the table has itself. */
#define SEAM_OPTIONS_SETTINGS(c) { "", .concerns = (c) }
/* clang-format on */

/* The options of a command, with those that SEAM_OPTIONS_SETTINGS and SEAM_OPTIONS_PRODUCTS
 * (product-files.h) stand for. The array is newly allocated, its texts are not. */
SeamOption *seam_cli_list_options (const SeamOption *options);

/* SEAM_ERROR_INPUT for what was typed. Opens no device. */
SeamRunRequest *seam_cli_make_request (const SeamArguments *arguments, GError **error);

/* For the lists of options of the commands that run plans. */
#define SEAM_OPTION_EDIT                                                                           \
  {                                                                                                \
    "edit", "PLAN:GROUP=FILE",                                                                     \
        "measure the plan once more, with this text in place of the generated code\n"              \
        "or hand-written kernel of a group (counted from 1); “source” writes the\n"            \
        "text to begin with",                                                                      \
        TRUE                                                                                       \
  }

G_END_DECLS
