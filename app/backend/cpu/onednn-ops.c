/* SPDX-License-Identifier: MIT
 *
 * What oneDNN can do for a group: its post-ops for the ops of the table (kernels/ops.h), its types,
 * and the instructions that it uses here.
 */
#include "app/backend/cpu/onednn.h"

#include "kernels/ops.h"

#include <dnnl.h>

/* --- Post-ops --- */

static SeamPostOp
get_post_op (const SeamOp *op)
{
#define NONE                       .algorithm = 0
#define BINARY(NAME)               .algorithm = dnnl_binary_##NAME, .is_binary = TRUE
#define ELTWISE(NAME, ALPHA, BETA) .algorithm = dnnl_eltwise_##NAME, .alpha = ALPHA, .beta = BETA
#define NUMBER(NAME, ALPHA, BETA)  ELTWISE (NAME, ALPHA, BETA), .makes_numbers = TRUE
#define POST_OP(NAME, name, KIND, READS, OPERATIONS, NUMBERS, EXPRESSION, CUDNN, EPILOGUE, ONEDNN, \
                ...)                                                                               \
  [SEAM_OP_##NAME] = { ONEDNN },
  const double a = op->scalars[0], b = op->scalars[1];
  const SeamPostOp all[SEAM_N_OP_TYPES] = { SEAM_OPS (SEAM_OP_SKIP, POST_OP, SEAM_OP_SKIP) };
#undef POST_OP
#undef NUMBER
#undef ELTWISE
#undef BINARY
#undef NONE

  return all[op->type];
}

/* Whether op `i` multiplies the input of the op before it by that op's output: x sigmoid (x). */
static gboolean
is_swish (const SeamChain *chain, int first, int i)
{
  return i - 2 >= first && chain->ops[i].type == SEAM_OP_MULTIPLY_TENSOR
         && chain->ops[i - 1].type == SEAM_OP_SIGMOID
         && chain->ops[i].inputs[1] == SEAM_TENSOR_OUTPUT (i - 2);
}

/* Whether ops i - 3 to i are x clamp ((x + 3) / 6, 0, 1). */
static gboolean
is_hardswish (const SeamChain *chain, int first, int i)
{
  const SeamOp *ops = &chain->ops[i - 3];

  return i - 4 >= first && ops[3].type == SEAM_OP_MULTIPLY_TENSOR
         && ops[3].inputs[1] == SEAM_TENSOR_OUTPUT (i - 4) && ops[2].type == SEAM_OP_CLAMP
         && ops[2].scalars[0] == 0 && ops[2].scalars[1] == 1 && ops[1].type == SEAM_OP_DIVIDE_SCALAR
         && ops[1].scalars[0] == 6 && ops[0].type == SEAM_OP_ADD_SCALAR && ops[0].scalars[0] == 3;
}

int
seam_onednn_match (const SeamChain *chain, const SeamGroup *group, int i, SeamPostOp *post)
{
  if (i + 1 <= group->last && is_swish (chain, group->first, i + 1)) {
    *post = (SeamPostOp){ .algorithm = dnnl_eltwise_swish, .alpha = 1 };
    return 2;
  }
  if (i + 3 <= group->last && is_hardswish (chain, group->first, i + 3)) {
    *post = (SeamPostOp){ .algorithm = dnnl_eltwise_hardswish };
    return 4;
  }
  if (seam_op_is_normalisation (&chain->ops[i]))
    return 0;
  *post = get_post_op (&chain->ops[i]);
  return post->algorithm == 0 ? 0 : 1;
}

const SeamOp *
seam_onednn_get_bias (const SeamChain *chain, const SeamGroup *group)
{
  const SeamOp *next = &chain->ops[group->first + 1];

  return group->last > group->first && get_post_op (next).algorithm == dnnl_binary_add ? next
                                                                                       : NULL;
}

/* --- What it can do --- */

gboolean
seam_onednn_has_bf16 (void)
{
#if defined(__x86_64__)
  dnnl_cpu_isa_t isa = dnnl_get_effective_cpu_isa ();

  return isa == dnnl_cpu_isa_avx512_core_bf16 || isa == dnnl_cpu_isa_avx512_core_amx;
#else
  return FALSE;
#endif
}

const char *
seam_onednn_get_version (void)
{
  static char text[32];
  static gsize once = 0;

  if (g_once_init_enter (&once)) {
    const dnnl_version_t *version = dnnl_version ();
    g_snprintf (text, sizeof text, "oneDNN %d.%d.%d", version->major, version->minor,
                version->patch);
    g_once_init_leave (&once, 1);
  }
  return text;
}

const char *
seam_onednn_get_isa (void)
{
  switch (dnnl_get_effective_cpu_isa ()) {
  case dnnl_cpu_isa_sse41:
    return "SSE4.1";
  case dnnl_cpu_isa_avx:
    return "AVX";
  case dnnl_cpu_isa_avx2:
    return "AVX2";
  case dnnl_cpu_isa_avx2_vnni:
    return "AVX2";
  case dnnl_cpu_isa_avx512_mic:
  case dnnl_cpu_isa_avx512_mic_4ops:
  case dnnl_cpu_isa_avx512_core:
  case dnnl_cpu_isa_avx512_core_vnni:
    return "AVX-512";
  case dnnl_cpu_isa_avx512_core_bf16:
    return "AVX-512 with bf16";
  case dnnl_cpu_isa_avx512_core_amx:
    return "AMX";
  default:
    return "generic";
  }
}

gboolean
seam_onednn_uses_bf16 (const SeamGroupSpec *spec)
{
  return seam_math_mode_get_product (spec->math_mode) == SEAM_OPERAND_BF16
         && seam_onednn_has_bf16 ();
}

gboolean
seam_onednn_supports (const SeamGroupSpec *spec, gboolean *keeps_nan, char **reason)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  SeamGroupTensors tensors;
  SeamPostOp posts[SEAM_MAX_OPS];
  gboolean keeps = TRUE;
  int n, n_posts = 0;

  *reason = NULL;
  if (!seam_cpu_has_matrix (spec))
    *reason = g_strdup_printf ("oneDNN executes groups that start with a convolution or a matrix "
                               "product; this one starts with %s.",
                               chain->ops[group->first].label);
  for (int i = group->first; i <= group->last && *reason == NULL; i++)
    if (chain->ops[i].defect != SEAM_DEFECT_NONE)
      *reason = g_strdup_printf ("%s carries a mistake on purpose, which oneDNN does not make.",
                                 chain->ops[i].label);
  for (int i = group->first + 1; i <= group->last && *reason == NULL; i += n) {
    const SeamPostOp *post = &posts[n_posts], *twin = posts;

    n = seam_onednn_match (chain, group, i, &posts[n_posts]);
    /* oneDNN 2.6 compiles each elementwise algorithm once for a primitive, with the constants of
     * its first use. */
    while (twin < post
           && (twin->algorithm != post->algorithm
               || (twin->alpha == post->alpha && twin->beta == post->beta)))
      twin++;
    if (n == 0)
      *reason = g_strdup_printf ("oneDNN cannot compute %s after a matrix op in one primitive; cut "
                                 "the chain before it, or leave the choice to the program.",
                                 chain->ops[i].label);
    else if (twin < post)
      *reason = g_strdup_printf ("oneDNN would compute %s with the constants of an earlier op of "
                                 "this group; cut the chain before it, or leave the choice to the "
                                 "program.",
                                 chain->ops[i].label);
    else if (post->makes_numbers)
      keeps = FALSE;
    n_posts++;
  }
  seam_plan_get_group_tensors (spec->plan, spec->group, &tensors);
  if (*reason == NULL && tensors.n_outputs > 1)
    *reason = g_strdup ("oneDNN writes only the last output of a group, and a later group reads "
                        "another one as well.");
  if (*reason == NULL && !seam_onednn_uses_bf16 (spec)
      && spec->problem->tensors[SEAM_TENSOR_OUTPUT (group->last)].type != SEAM_OPERAND_FP32)
    *reason = g_strdup_printf (
        "On this processor oneDNN stores FP32, and the output has %s in memory.",
        seam_storage_get_type_title (seam_math_mode_get_operand (spec->math_mode)));
  if (keeps_nan != NULL)
    *keeps_nan = keeps;
  return *reason == NULL;
}
