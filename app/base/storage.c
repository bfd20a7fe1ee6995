/* SPDX-License-Identifier: MIT
 *
 * Names of the storages, and which math modes have them.
 */
#include "app/base/storage.h"

#include "app/base/error.h"

static const struct {
  const char *name, *title;
  const char *fp16, *bf16; /* what it is in these math modes; NULL: nothing to say */
} storages[SEAM_N_STORAGES] = {
  [SEAM_STORAGE_FP32] = { .name = "fp32", .title = "FP32" },
  [SEAM_STORAGE_BETWEEN] = { .name = "between",
                             .title = "16 bits between kernels",
                             .fp16 = "FP16 storage between kernels",
                             .bf16 = "BF16 storage between kernels" },
  [SEAM_STORAGE_ALL] = { .name = "all",
                         .title = "16 bits for all but vectors",
                         .fp16 = "FP16 storage of all tensors but vectors",
                         .bf16 = "BF16 storage of all tensors but vectors" },
};

const char *
seam_storage_get_name (SeamStorage storage)
{
  return storages[storage].name;
}

const char *
seam_storage_get_title (SeamStorage storage)
{
  return storages[storage].title;
}

gboolean
seam_storage_parse (const char *text, SeamStorage *storage, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (storages); i++)
    if (g_ascii_strcasecmp (text, storages[i].name) == 0) {
      *storage = (SeamStorage)i;
      return TRUE;
    }
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
               "The storage is fp32 (every tensor in memory), between (16 bits for tensors "
               "between kernels, FP32 for input, parameters and output) or all (16 bits for "
               "input, weight and output, too, FP32 for vectors), not “%s”.",
               text);
  return FALSE;
}

SeamOperandType
seam_storage_get_type (const char *math_mode)
{
  if (g_strcmp0 (math_mode, "fp16") == 0)
    return SEAM_OPERAND_FP16;
  return g_strcmp0 (math_mode, "bf16") == 0 ? SEAM_OPERAND_BF16 : SEAM_OPERAND_FP32;
}

const char *
seam_storage_refuse (SeamStorage storage, const char *math_mode)
{
  if (storage == SEAM_STORAGE_FP32 || seam_storage_get_type (math_mode) != SEAM_OPERAND_FP32)
    return NULL;
  return "Tensors are stored in the 16-bit type of the math mode, and fp32 and tf32 have none: "
         "choose math mode fp16 or bf16, or storage fp32.";
}

gboolean
seam_storage_check (SeamStorage storage, const char *math_mode, GError **error)
{
  const char *why = seam_storage_refuse (storage, math_mode);

  if (why != NULL)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT, why);
  return why == NULL;
}

const char *
seam_storage_get_type_title (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP16 ? "FP16" : type == SEAM_OPERAND_BF16 ? "BF16" : "FP32";
}

const char *
seam_storage_describe (const char *storage, const char *math_mode)
{
  SeamOperandType type = seam_storage_get_type (math_mode);

  for (gsize i = 0; i < G_N_ELEMENTS (storages) && type != SEAM_OPERAND_FP32; i++)
    if (g_strcmp0 (storage, storages[i].name) == 0)
      return type == SEAM_OPERAND_FP16 ? storages[i].fp16 : storages[i].bf16;
  return NULL;
}
