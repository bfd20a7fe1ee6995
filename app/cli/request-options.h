/* SPDX-License-Identifier: MIT
 *
 * The options that say what is run (pipeline, shape, plans, target, math mode, cache, …), read the
 * same way by every command that takes them.
 */
#pragma once

#include "app/cli/arguments.h"
#include "app/runner/run.h"

G_BEGIN_DECLS

/* Entries of a table of SeamOption, so that an option is told in the same words everywhere. */
/* clang-format off */
#define SEAM_OPTIONS_SHAPE \
  { "preset", "NAME", "shape to start from: tiny, laptop (default), kernelbench", FALSE }, \
  { "shape", "KEY=VALUE,…", "shape fields that differ from the preset's; “list” names the keys", \
    TRUE }
#define SEAM_OPTION_TARGET \
  { "target", "TARGET", "cpu, cuda:0, … (default: a GPU that works, else the CPU)", FALSE }
#define SEAM_OPTION_MATH \
  { "math", "MODE", "fp32 (default), tf32, fp16 or bf16: of convolution and matrix product", FALSE }
#define SEAM_OPTION_STORAGE \
  { "storage", "WHAT", "fp32 (default), or 16 bits: between (kernels), or all but vectors", FALSE }
#define SEAM_OPTION_SEED \
  { "seed", "N", "of the random tensors", FALSE }
#define SEAM_OPTION_DISTRIBUTION \
  { "distribution", "NAME", "values: uniform (default, 0 to 1), normal, or offset (a mean of 200)", \
    FALSE }
#define SEAM_OPTION_INIT \
  { "init", "HOW", "parameters that start as 1 or 0: spread around it (default), or framework", \
    FALSE }
#define SEAM_OPTION_L2 \
  { "l2", "STATE", "cold (default): the last-level cache is flushed before every sample; warm", \
    FALSE }
#define SEAM_OPTION_LAUNCH \
  { "launch", "MODE", "stream (default): a call for every kernel; graph: the plan as one CUDA graph", \
    FALSE }
/* clang-format on */

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
