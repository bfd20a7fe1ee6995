/* SPDX-License-Identifier: MIT
 *
 * The table of settings, and the lists of their choices. settings-choose.c has the functions that
 * follow from it.
 */
#include "app/settings/settings.h"

const SeamChoice seam_math_modes[] = {
  [SEAM_MATH_FP32] = { "fp32", "FP32" },
  [SEAM_MATH_TF32] = { "tf32", "TF32", NULL, "TF32 allowed" },
  [SEAM_MATH_TF32X] = { "tf32x", "TF32x", "TF32-accurate: FP16 with one power of two a row",
                        "TF32-accurate, in FP16" },
  [SEAM_MATH_FP16] = { "fp16", "FP16" },
  [SEAM_MATH_BF16] = { "bf16", "BF16" },
  { NULL },
};

/* Properties of each math mode. */
static const struct {
  SeamOperandType operand, product;
  SeamMathMode base;
} math[SEAM_N_MATH_MODES] = {
  [SEAM_MATH_FP32] = { SEAM_OPERAND_FP32, SEAM_OPERAND_FP32, SEAM_MATH_FP32 },
  [SEAM_MATH_TF32] = { SEAM_OPERAND_FP32, SEAM_OPERAND_FP32, SEAM_MATH_TF32 },
  [SEAM_MATH_TF32X] = { SEAM_OPERAND_FP32, SEAM_OPERAND_FP16, SEAM_MATH_TF32 },
  [SEAM_MATH_FP16] = { SEAM_OPERAND_FP16, SEAM_OPERAND_FP16, SEAM_MATH_FP16 },
  [SEAM_MATH_BF16] = { SEAM_OPERAND_BF16, SEAM_OPERAND_BF16, SEAM_MATH_BF16 },
};

const SeamChoice seam_storages[] = {
  [SEAM_STORAGE_FP32] = { "fp32", "FP32", "every tensor in memory" },
  [SEAM_STORAGE_BETWEEN] = { "between", "16 bits between kernels",
                             "16 bits for tensors between kernels, FP32 for input, parameters and "
                             "output" },
  [SEAM_STORAGE_ALL] = { "all", "16 bits for all but vectors",
                         "16 bits for input, weight and output, too, FP32 for vectors" },
  { NULL },
};

const SeamChoice seam_distributions[] = {
  [SEAM_DISTRIBUTION_UNIFORM] = { "uniform", NULL, NULL, "Uniform 0 to 1" },
  [SEAM_DISTRIBUTION_NORMAL] = { "normal", NULL, NULL, "Normal" },
  [SEAM_DISTRIBUTION_OFFSET] = { "offset", NULL, NULL, "Offset: mean 200" },
  [SEAM_DISTRIBUTION_FILES] = { "files" },
  [SEAM_DISTRIBUTION_ZEROS] = { "zeros" },
  { NULL },
};

const SeamChoice seam_init_modes[] = {
  [SEAM_INIT_MODE_FRAMEWORK] = { "framework", NULL, "GroupNorm's weight 1, its bias 0",
                                 "Framework" },
  [SEAM_INIT_MODE_SPREAD] = { "spread", NULL, "weights around 1, biases around 0", "Spread" },
  { NULL },
};

static const SeamChoice statistics[] = {
  [SEAM_STATISTICS_BATCH] = { "batch", NULL, "those of the batch" },
  [SEAM_STATISTICS_RUNNING] = { "running", NULL, "its running ones" },
  { NULL },
};

const SeamChoice seam_launch_modes[] = {
  [SEAM_LAUNCH_STREAM] = { "stream", NULL, "a call for every kernel", "Stream" },
  [SEAM_LAUNCH_GRAPH] = { "graph", NULL, "one call for the whole plan", "CUDA graph" },
  { NULL },
};

const SeamChoice seam_reference_extents[] = {
  [SEAM_REFERENCE_AUTO] = { "auto", NULL, "whole where that takes seconds" },
  [SEAM_REFERENCE_WHOLE] = { "whole" },
  [SEAM_REFERENCE_SAMPLED] = { "sampled" },
  { NULL },
};

const SeamChoice seam_abilities[] = {
  { "graphs" }, { "tf32" },     { "storage" }, { "device" },
  { "trace" },  { "counters" }, { "bf16" },    { NULL },
};

static const SeamChoice l2_states[] = {
  { "warm", NULL, NULL, "Warm" },
  { "cold", NULL, NULL, "Cold" },
  { NULL },
};

/* The notation of a plan has no row of its own: the choice there is plan A or FP64. */
static const SeamChoice compared_with[] = {
  { "", NULL, NULL, "Plan A" },
  { SEAM_AGAINST_FP64, NULL, NULL, "FP64 reference" },
  { NULL },
};

static const char *
refuse_storage (int choice, const SeamSettings *settings, SeamAbilities abilities)
{
  if ((guint)choice >= SEAM_N_STORAGES)
    return "This version of Seamscope does not know the storage.";
  if (choice == SEAM_STORAGE_FP32)
    return NULL;
  if ((abilities & SEAM_ABILITY_STORAGE) == 0)
    return "This target keeps tensors in FP32 only: choose storage fp32, or another target.";
  if (seam_math_mode_get_operand (settings->math_mode) != SEAM_OPERAND_FP32)
    return NULL;
  return "Tensors are stored in the 16-bit type of the math mode, and fp32, tf32 and tf32x have "
         "none: choose math mode fp16 or bf16, or storage fp32.";
}

static const char *
refuse_launch (int choice, const SeamSettings *settings, SeamAbilities abilities)
{
  if (choice == SEAM_LAUNCH_STREAM || (abilities & SEAM_ABILITY_GRAPHS) != 0)
    return NULL;
  return "Only a GPU can be given a whole plan as one CUDA graph: on the CPU nothing is launched. "
         "Choose launch mode stream, or a GPU as target.";
}

static const char *
describe_storage (const SeamSettings *settings)
{
  return seam_storage_describe (settings->storage, settings->math_mode);
}

static const char *
describe_launch (const SeamSettings *settings)
{
  return settings->launch == SEAM_LAUNCH_GRAPH ? "launched as a CUDA graph" : NULL;
}

#define SETTING(...)                                                                               \
  .setting = &(const SeamSetting)                                                                  \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }

static const SeamField fields[] = {
  { SEAM_FIELD (SeamSettings, seed, UINT64), .flags = SEAM_LISTED, .words = "of the random tensors",
    SETTING (.order = 9, .concerns = SEAM_CONCERN_TENSORS,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_SAID, .option = "seed", .takes = "N",
             .help = "of the random tensors", .noun = "seed", .title = "Seed",
             .words = "The same seed makes the same numbers on every target", .prefix = "seed ") },
  { SEAM_FIELD (SeamSettings, distribution, CHOICE), .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_distributions, .words = "uniform, normal, offset, files or zeros",
    SETTING (.order = 5, .concerns = SEAM_CONCERN_TENSORS,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_SAID, .option = "distribution",
             .takes = "NAME",
             .help = "values: uniform (default, 0 to 1), normal, or offset (a mean of 200)",
             .noun = "distribution", .title = "Input values", .n_choices = SEAM_N_DISTRIBUTIONS) },
  { .name = "init",
    SEAM_AT (SeamSettings, init_mode, CHOICE),
    .flags = SEAM_AS_MEMBER,
    .choices = seam_init_modes,
    SETTING (.order = 6, .concerns = SEAM_CONCERN_TENSORS,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_SAID, .option = "init", .takes = "HOW",
             .help = "parameters that start as 1 or 0: spread around it (default), or framework",
             .noun = "init of the parameters", .title = "Initial parameters",
             .words =
                 "Those that a framework starts as 1 or 0: as it starts them, or spread around",
             .n_choices = SEAM_N_INIT_MODES, .prefix = "init ") },
  { SEAM_FIELD (SeamSettings, math_mode, CHOICE), .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_math_modes, .words = "fp32, tf32; from 1.4 fp16, bf16; from 1.5 tf32x",
    SETTING (.order = 1, .concerns = SEAM_CONCERN_CODE,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_PREVENTS | SEAM_SETTING_SAID,
             .option = "math", .takes = "MODE",
             .help = "fp32 (default), tf32, tf32x, fp16 or bf16: of convolution and matrix product",
             .noun = "math mode", .title = "Math mode",
             .words = "Of convolution and matmul: TF32 allows them to round input and weight to 10 "
                      "bits, TF32x to FP16, which has as many, after a power of two a row; FP16 "
                      "and BF16 round them to that type. Sums are FP32",
             .needs = SEAM_ABILITY_TF32,
             .words_without =
                 "FP16 and BF16 round input and weight of convolution and matmul to that type, "
                 "TF32x "
                 "to FP16 after a power of two a row; the CPU then multiplies them in FP32, no "
                 "faster, but BF16 with instructions of its own where it has them. It has no TF32 "
                 "and computes in FP32 instead",
             .n_choices = SEAM_N_MATH_MODES) },
  { SEAM_FIELD (SeamSettings, storage, CHOICE), .flags = SEAM_AS_MEMBER | SEAM_LISTED | SEAM_LATER,
    .choices = seam_storages,
    SETTING (.order = 2, .concerns = SEAM_CONCERN_CODE,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_PREVENTS | SEAM_SETTING_IF_OTHER,
             .option = "storage", .takes = "WHAT",
             .help = "fp32 (default), or 16 bits: between (kernels), or all but vectors",
             .noun = "storage", .title = "Storage",
             .words = "In which type tensors lie in memory: FP32, or the 16-bit type of the math "
                      "mode for those between kernels, or for input, weight and output, too. All "
                      "arithmetic stays FP32",
             .n_choices = SEAM_N_STORAGES, .refuse = refuse_storage,
             .describe = describe_storage) },
  { SEAM_FIELD (SeamSettings, statistics, CHOICE),
    .flags = SEAM_AS_MEMBER | SEAM_OMITTED | SEAM_LATER, .choices = statistics,
    SETTING (.order = 12, .concerns = SEAM_CONCERN_CODE,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_PREVENTS | SEAM_SETTING_IF_OTHER,
             .option = "statistics", .takes = "WHICH",
             .help = "of a BatchNorm: batch (default, as in training), or running",
             .noun = "statistics", .n_choices = SEAM_N_STATISTICS, .suffix = " statistics") },
  { SEAM_FIELD (SeamSettings, dropout, DOUBLE),
    .flags = SEAM_AS_MEMBER | SEAM_OMITTED | SEAM_OPTIONAL,
    SETTING (.order = 13, .concerns = SEAM_CONCERN_CODE,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_PREVENTS | SEAM_SETTING_IF_OTHER,
             .option = "dropout", .takes = "P",
             .help = "share that a dropout makes 0 (default: as in the pipeline)",
             .noun = "share of dropouts", .most = 0.999, .prefix = "dropout ") },
  { SEAM_FIELD (SeamSettings, cold, BOOLEAN), .flags = SEAM_LISTED, .choices = l2_states,
    .column = "l2_state", .words = "last-level cache flushed before every sample",
    SETTING (.order = 3, .concerns = SEAM_CONCERN_CACHE,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_PREVENTS | SEAM_SETTING_SAID,
             .option = "l2", .takes = "STATE",
             .help = "cold (default): the last-level cache is flushed before every sample; warm",
             .noun = "state of the last-level cache", .title = "Cache",
             .words = "State of the last-level cache before each sample: flushed (cold) or as the "
                      "previous sample left it (warm)",
             .condition = "Cache before a sample", .n_choices = 2, .suffix = " cache") },
  { .name = "launch_mode",
    SEAM_AT (SeamSettings, launch, CHOICE),
    .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_launch_modes,
    .place = 2,
    .words = "stream: a call for every kernel; graph: one for the plan",
    SETTING (.order = 4, .concerns = SEAM_CONCERN_MEASURING,
             .marks = SEAM_SETTING_STALES | SEAM_SETTING_QUALIFIES, .option = "launch",
             .takes = "MODE",
             .help = "stream (default): a call for every kernel; graph: the plan as one CUDA graph",
             .noun = "launch mode", .title = "Launch mode",
             .words = "A call of the host for every kernel (stream), or one for the whole plan, "
                      "captured before as a CUDA graph: gaps between kernels are shorter then",
             .n_choices = SEAM_N_LAUNCH_MODES, .refuse = refuse_launch,
             .describe = describe_launch) },
  { SEAM_FIELD (SeamSettings, budget_s, DOUBLE), .unit = "s", .words = "seconds for measuring",
    SETTING (.order = 8, .concerns = SEAM_CONCERN_MEASURING, .option = "budget", .takes = "SECONDS",
             .help = "time for measuring; it ends sooner when the intervals are narrow",
             .noun = "time budget", .title = "Time budget",
             .words =
                 "Seconds for measuring. A run ends earlier once both intervals are narrow enough",
             .least = 0.01, .most = SEAM_MAX_BUDGET_S) },
  { SEAM_FIELD (SeamSettings, against, TEXT),
    .words = "plan or fp64: what outputs are compared with",
    SETTING (.order = 7, .concerns = SEAM_CONCERN_AGAINST, .marks = SEAM_SETTING_STALES,
             .option = "against", .takes = "PLAN|fp64",
             .help = "what outputs are compared with (default: the first plan)",
             .noun = "plan compared with", .title = "Compare with",
             .words = "What outputs are checked against: plan A, or a slow computation in double "
                      "precision",
             .entries = compared_with) },
  { SEAM_FIELD (SeamSettings, atol, DOUBLE), .words = "absolute tolerance",
    SETTING (.order = 10, .concerns = SEAM_CONCERN_VERDICT, .option = "atol", .takes = "X",
             .help = "absolute tolerance of the comparison (default: the bound judges)",
             .noun = "absolute tolerance", .most = 1e30) },
  { SEAM_FIELD (SeamSettings, rtol, DOUBLE), .words = "relative tolerance",
    SETTING (.order = 11, .concerns = SEAM_CONCERN_VERDICT, .option = "rtol", .takes = "X",
             .help = "relative tolerance of the comparison (default: the bound judges)",
             .noun = "relative tolerance", .most = 1e30) },
  { NULL },
};

const SeamRecordType seam_settings_type = {
  .name = "run",
  .size = sizeof (SeamSettings),
  .fields = fields,
  .max = 1,
};

#define DEFAULT_BUDGET_S 10.0

void
seam_settings_init (SeamSettings *settings)
{
  seam_record_init (&seam_settings_type, settings);
  settings->seed = 1;
  settings->init_mode = SEAM_INIT_MODE_SPREAD;
  settings->cold = TRUE;
  settings->budget_s = DEFAULT_BUDGET_S;
}

/* An unknown mode of a later version, which only results can have, counts as fp32. */
SeamOperandType
seam_math_mode_get_operand (SeamMathMode mode)
{
  return (guint)mode < SEAM_N_MATH_MODES ? math[mode].operand : SEAM_OPERAND_FP32;
}

SeamOperandType
seam_math_mode_get_product (SeamMathMode mode)
{
  return (guint)mode < SEAM_N_MATH_MODES ? math[mode].product : SEAM_OPERAND_FP32;
}

gboolean
seam_math_mode_is_scaled (SeamMathMode mode)
{
  return seam_math_mode_get_product (mode) != seam_math_mode_get_operand (mode);
}

SeamMathMode
seam_math_mode_get_base (SeamMathMode mode)
{
  return (guint)mode < SEAM_N_MATH_MODES ? math[mode].base : mode;
}

const char *
seam_storage_get_type_title (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP16 ? "FP16" : type == SEAM_OPERAND_BF16 ? "BF16" : "FP32";
}

const char *
seam_storage_describe (SeamStorage storage, SeamMathMode mode)
{
  gboolean is_fp16 = mode == SEAM_MATH_FP16;

  if (seam_math_mode_get_operand (mode) == SEAM_OPERAND_FP32)
    return NULL;
  if (storage == SEAM_STORAGE_BETWEEN)
    return is_fp16 ? "FP16 storage between kernels" : "BF16 storage between kernels";
  if (storage == SEAM_STORAGE_ALL)
    return is_fp16 ? "FP16 storage of all tensors but vectors"
                   : "BF16 storage of all tensors but vectors";
  return NULL;
}
