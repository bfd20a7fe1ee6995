/* SPDX-License-Identifier: MIT
 *
 * The table of settings, and the lists of what can be chosen.
 */
#include "app/settings/settings.h"

#include "app/base/text.h"

const SeamChoice seam_math_modes[] = {
  [SEAM_MATH_FP32] = { "fp32", "FP32" },
  [SEAM_MATH_TF32] = { "tf32", "TF32" },
  [SEAM_MATH_FP16] = { "fp16", "FP16" },
  [SEAM_MATH_BF16] = { "bf16", "BF16" },
  { NULL },
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
  [SEAM_DISTRIBUTION_UNIFORM] = { "uniform" }, [SEAM_DISTRIBUTION_NORMAL] = { "normal" },
  [SEAM_DISTRIBUTION_OFFSET] = { "offset" },   [SEAM_DISTRIBUTION_FILES] = { "files" },
  [SEAM_DISTRIBUTION_ZEROS] = { "zeros" },     { NULL },
};

const SeamChoice seam_init_modes[] = {
  [SEAM_INIT_MODE_FRAMEWORK] = { "framework", NULL, "GroupNorm's weight 1, its bias 0" },
  [SEAM_INIT_MODE_SPREAD] = { "spread", NULL, "weights around 1, biases around 0" },
  { NULL },
};

const SeamChoice seam_launch_modes[] = {
  [SEAM_LAUNCH_STREAM] = { "stream", NULL, "a call for every kernel" },
  [SEAM_LAUNCH_GRAPH] = { "graph", NULL, "one call for the whole plan" },
  { NULL },
};

const SeamChoice seam_truth_extents[] = {
  [SEAM_TRUTH_AUTO] = { "auto", NULL, "whole where that takes seconds" },
  [SEAM_TRUTH_WHOLE] = { "whole" },
  [SEAM_TRUTH_SAMPLED] = { "sampled" },
  { NULL },
};

const SeamChoice seam_l2_states[] = { { "warm" }, { "cold" }, { NULL } };

#define SETTING(...)                                                                               \
  .setting = &(const SeamSetting)                                                                  \
  {                                                                                                \
    __VA_ARGS__                                                                                    \
  }

static const SeamField fields[] = {
  { SEAM_FIELD (SeamSettings, seed, UINT64), .flags = SEAM_LISTED, .words = "of the random tensors",
    SETTING ("seed", "seed") },
  { SEAM_FIELD (SeamSettings, distribution, CHOICE), .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_distributions, .words = "uniform, normal, offset, files or zeros",
    SETTING ("distribution", "distribution", SEAM_N_DISTRIBUTIONS) },
  { .name = "init",
    SEAM_AT (SeamSettings, init_mode, CHOICE),
    .flags = SEAM_AS_MEMBER,
    .choices = seam_init_modes,
    SETTING ("init", "init of the parameters", SEAM_N_INIT_MODES) },
  { SEAM_FIELD (SeamSettings, math_mode, CHOICE), .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_math_modes, .words = "fp32, tf32; from 1.4 fp16, bf16",
    SETTING ("math", "math mode", SEAM_N_MATH_MODES) },
  { SEAM_FIELD (SeamSettings, storage, CHOICE), .flags = SEAM_AS_MEMBER | SEAM_LISTED | SEAM_LATER,
    .choices = seam_storages, SETTING ("storage", "storage", SEAM_N_STORAGES) },
  { SEAM_FIELD (SeamSettings, cold, BOOLEAN), .flags = SEAM_LISTED, .choices = seam_l2_states,
    .column = "l2_state", .words = "last-level cache flushed before every sample",
    SETTING ("l2", "state of the last-level cache", 2) },
  { .name = "launch_mode",
    SEAM_AT (SeamSettings, launch, CHOICE),
    .flags = SEAM_LISTED | SEAM_LATER,
    .choices = seam_launch_modes,
    .place = 2,
    .words = "stream: a call for every kernel; graph: one for the plan",
    SETTING ("launch", "launch mode", SEAM_N_LAUNCH_MODES) },
  { SEAM_FIELD (SeamSettings, budget_s, DOUBLE), .unit = "s", .words = "seconds for measuring",
    SETTING ("budget", "time budget", .least = 0.01, .most = 3600) },
  { SEAM_FIELD (SeamSettings, against, TEXT),
    .words = "plan or fp64: what outputs are compared with" },
  { SEAM_FIELD (SeamSettings, atol, DOUBLE), .words = "absolute tolerance",
    SETTING ("atol", "absolute tolerance", .most = 1e30) },
  { SEAM_FIELD (SeamSettings, rtol, DOUBLE), .words = "relative tolerance",
    SETTING ("rtol", "relative tolerance", .most = 1e30) },
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

/* Choices. */

static void
set_not_a_choice (const SeamChoice *choices, int n, const char *text, const char *what,
                  GError **error)
{
  g_autofree char *list = seam_choice_list (choices, n);

  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT, "The %s is %s, not “%s”.", what, list, text);
}

gboolean
seam_choice_parse (const SeamChoice *choices, int n, const char *text, const char *what,
                   int *choice, GError **error)
{
  for (int i = 0; i < n; i++)
    if (g_ascii_strcasecmp (text, choices[i].name) == 0) {
      *choice = i;
      return TRUE;
    }
  set_not_a_choice (choices, n, text, what, error);
  return FALSE;
}

gboolean
seam_setting_parse (const SeamField *field, const char *text, SeamSettings *settings,
                    GError **error)
{
  const SeamSetting *setting = field->setting;
  gpointer at = &G_STRUCT_MEMBER (char, settings, field->offset);
  g_autofree char *what = g_strconcat ("--", setting->option, NULL);

  if (field->choices != NULL) {
    if (seam_choice_parse (field->choices, setting->n_choices, text, setting->noun, at, error))
      return TRUE;
    g_prefix_error (error, "%s: ", what);
    return FALSE;
  }
  if (field->kind == SEAM_KIND_DOUBLE)
    return seam_text_parse_double (text, what, setting->least, setting->most, at, error);
  if (g_ascii_string_to_unsigned (text, 10, 0, G_MAXUINT64, at, NULL))
    return TRUE;
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "%s: “%s” is not a whole number from 0 to 18,446,744,073,709,551,615.", what, text);
  return FALSE;
}

gboolean
seam_settings_check (const SeamSettings *settings, GError **error)
{
  const char *why;

  /* What only a result has, and what a later version has, cannot be asked for. */
  SEAM_FOR_EACH_FIELD (field, &seam_settings_type)
  {
    int choice = field->choices != NULL ? G_STRUCT_MEMBER (int, settings, field->offset) : 0;
    if (field->choices == NULL || choice < field->setting->n_choices)
      continue;
    set_not_a_choice (field->choices, field->setting->n_choices,
                      seam_choice_get_name (field->choices, choice), field->setting->noun, error);
    return FALSE;
  }
  why = seam_storage_refuse (settings->storage, settings->math_mode);
  if (why != NULL)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT, why);
  return why == NULL;
}

SeamOperandType
seam_math_mode_get_operand (SeamMathMode mode)
{
  return mode == SEAM_MATH_FP16   ? SEAM_OPERAND_FP16
         : mode == SEAM_MATH_BF16 ? SEAM_OPERAND_BF16
                                  : SEAM_OPERAND_FP32;
}

const char *
seam_storage_refuse (SeamStorage storage, SeamMathMode mode)
{
  if ((guint)storage >= SEAM_N_STORAGES)
    return "This version of Seamscope does not know the storage.";
  if (storage == SEAM_STORAGE_FP32 || seam_math_mode_get_operand (mode) != SEAM_OPERAND_FP32)
    return NULL;
  return "Tensors are stored in the 16-bit type of the math mode, and fp32 and tf32 have none: "
         "choose math mode fp16 or bf16, or storage fp32.";
}

const char *
seam_launch_mode_refuse (SeamLaunchMode launch, const char *target)
{
  if (launch == SEAM_LAUNCH_STREAM || g_str_has_prefix (target, "cuda:"))
    return NULL;
  return "Only a GPU can be given a whole plan as one CUDA graph: on the CPU nothing is launched. "
         "Choose launch mode stream, or a GPU as target.";
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
