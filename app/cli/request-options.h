/* SPDX-License-Identifier: MIT
 *
 * The options of a request (pipeline, shape, plans, target, math mode, cache, …), which all
 * commands read in the same way.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/runner/runner.h"

/* Entries for tables of SeamOption, so that all commands describe an option in the same words. */
/* clang-format off */
#define SEAM_OPTIONS_SHAPE \
  { "preset", "NAME", "shape to start from: tiny, laptop (default), kernelbench", FALSE }, \
  { "shape", "KEY=VALUE,…", \
    "shape fields that differ from the preset's; the command “list” names the keys", TRUE }
#define SEAM_OPTION_TARGET \
  { "target", "TARGET", "cpu, cuda:0, … (default: a GPU that works, else the CPU)", FALSE }
/* Stands for the options of all settings with one of these concerns (SeamConcerns), in their order,
 * except those that the table contains itself. */
#define SEAM_OPTIONS_SETTINGS(c) { "", .concerns = (c) }
/* clang-format on */

/* The options of a command, with SEAM_OPTIONS_SETTINGS and SEAM_OPTIONS_PRODUCTS (product-files.h)
 * expanded. The array is newly allocated, its texts are not. */
SeamOption *seam_cli_list_options (const SeamOption *options);

/* SEAM_ERROR_INPUT for wrong words or options. Opens no device. */
SeamRunRequest *seam_cli_make_request (const SeamArguments *arguments, GError **error);

/* For the tables of options of commands that run plans. */
#define SEAM_OPTION_EDIT                                                                           \
  {                                                                                                \
    "edit", "PLAN:GROUP=FILE",                                                                     \
        "measure the plan once more, with this text in place of the generated code\n"              \
        "or hand-written kernel of a group (counted from 1); “source” writes the\n"            \
        "text to begin with",                                                                      \
        TRUE                                                                                       \
  }
