/* SPDX-License-Identifier: MIT
 *
 * In which type tensors lie in memory. Arithmetic is FP32 whatever this is: a kernel that reads a
 * 16-bit tensor widens what it reads, and rounds to nearest even what it stores. Here are the names
 * and which math modes have them; problem.h gives every tensor its type.
 */
#pragma once

#include "kernels/operand.h"

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  SEAM_STORAGE_FP32,    /* every tensor */
  SEAM_STORAGE_BETWEEN, /* what a plan puts into memory between its kernels has the math mode's
                           16-bit type; input, parameters and output are FP32 */
  SEAM_STORAGE_ALL,     /* the matrix op's input and weight and the output, too; vectors (biases,
                           scale, parameters of GroupNorm) are FP32 */
  SEAM_N_STORAGES
} SeamStorage;

const char *seam_storage_get_name (SeamStorage storage); /* "fp32", "between", "all" */
/* For people, in a list of all: "FP32", "16 bits between kernels", "16 bits for all but vectors".
 */
const char *seam_storage_get_title (SeamStorage storage);
/* SEAM_ERROR_INPUT with the names there are. */
gboolean seam_storage_parse (const char *text, SeamStorage *storage, GError **error);
/* Why a math mode ("fp32", "tf32", …) has not this storage, a sentence with what to do; NULL: it
 * has it. */
const char *seam_storage_refuse (SeamStorage storage, const char *math_mode);
/* The math mode's refusal as SEAM_ERROR_INPUT. */
gboolean seam_storage_check (SeamStorage storage, const char *math_mode, GError **error);

/* The 16-bit type of a math mode; FP32 for those that have none. */
SeamOperandType seam_storage_get_type (const char *math_mode);
/* Bytes of one element: 4 or 2. */
static inline gint64
seam_storage_get_element_bytes (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP32 ? 4 : 2;
}
/* "FP32", "FP16", "BF16". */
const char *seam_storage_get_type_title (SeamOperandType type);
/* Of names, as results carry them: "FP16 storage between kernels", "FP16 storage of all tensors but
 * vectors"; NULL where all is FP32. */
const char *seam_storage_describe (const char *storage, const char *math_mode);

G_END_DECLS
