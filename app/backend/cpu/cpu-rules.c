/* SPDX-License-Identifier: MIT
 *
 * What the CPU can execute, by which implementation, and what a person should know about it.
 */
#include "app/backend/cpu/onednn.h"
#include "app/backend/cpu/plain.h"

#include "app/pipeline/defect.h"
#include "app/plan/fuse.h"

#include <string.h>

gboolean
seam_cpu_has_store_defect (const SeamOp *op)
{
  return op->defect != SEAM_DEFECT_NONE && seam_defect_get_kind (op->defect)->in_stores;
}

/* Most ops that one function of the group would apply: those of a stage except the matrix op. */
static int
count_generated (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];
  int most = 0, n = 0;

  for (int i = group->first; i <= group->last; i++) {
    if (seam_op_is_normalisation (&chain->ops[i]))
      n = 0;
    n += !seam_op_is_matrix (&chain->ops[i]);
    most = MAX (most, n);
  }
  return most;
}

static const SeamOp *
find_store_defect (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];

  for (int i = group->first; i <= group->last; i++)
    if (seam_cpu_has_store_defect (&chain->ops[i]))
      return &chain->ops[i];
  return NULL;
}

static gboolean
asks_for_generated (const SeamGroup *group)
{
  return seam_group_is (group, SEAM_IMPLEMENTATION_GENERATED)
         || seam_group_is (group, SEAM_IMPLEMENTATION_EDITED);
}

gboolean
seam_cpu_would_generate (const SeamGroupSpec *spec)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];

  if (spec->plainly || find_store_defect (spec) != NULL || seam_group_is (group, SEAM_CPU_LOOPS)
      || seam_nest_is_plain (spec))
    return FALSE;
  if (asks_for_generated (group))
    return TRUE;
  return count_generated (spec) > 1 && seam_cpu_compiler_get () != NULL;
}

/* Implementations that a plan can name. */
static const SeamImplementation implementations[] = {
  { SEAM_IMPLEMENTATION_AUTO, "Automatic: the best there is", FALSE },
  { SEAM_IMPLEMENTATION_GENERATED, "Generated C", FALSE },
  { SEAM_CPU_LOOPS, "Loops, op after op", FALSE },
  { SEAM_IMPLEMENTATION_ONEDNN, "oneDNN", FALSE },
  { SEAM_IMPLEMENTATION_EDITED, NULL, FALSE },
  { SEAM_IMPLEMENTATION_LIBRARY, NULL, FALSE },
};

void
seam_cpu_list_implementations (SeamDeviceInfo *info)
{
  for (gsize i = 0; i < G_N_ELEMENTS (implementations); i++)
    seam_device_info_add_implementation (info, &implementations[i]);
}

/* Why the plan's choice after “@” is impossible, or NULL. */
static char *
refuse_choice (const SeamGroupSpec *spec)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];
  char *reason = NULL;

  if (!seam_implementations_check (implementations, G_N_ELEMENTS (implementations), "cpu",
                                   group->implementation, &reason))
    return reason;
  if (seam_group_is (group, SEAM_IMPLEMENTATION_ONEDNN)) {
    seam_onednn_supports (spec, NULL, &reason);
    return reason;
  }
  if (!asks_for_generated (group))
    return NULL;
  if (seam_nest_is_plain (spec))
    return g_strdup_printf (
        "Generated code is for maps of one shape and GroupNorm; “%s” runs by the program's loops. "
        "Write “@cpu” or leave it out.",
        seam_plan_get_chain (spec->plan)->ops[group->last].label);
  if (seam_group_is (group, SEAM_IMPLEMENTATION_EDITED)) {
    if (spec->edit == NULL)
      return g_strdup (SEAM_BACKEND_NO_EDIT);
    if (strstr (spec->edit, SEAM_SOURCE_HAND_HEAD) != NULL)
      return g_strdup ("The edited text is a CUDA kernel, and the CPU runs C: choose a GPU as the "
                       "target, or reset the text.");
  }
  if (find_store_defect (spec) != NULL)
    return g_strdup_printf ("%s carries a mistake on purpose, which “@generated” has not; write "
                            "“@cpu” or leave it out.",
                            find_store_defect (spec)->label);
  if (count_generated (spec) == 0)
    return g_strdup_printf (
        "Generated code is for elementwise ops and GroupNorm; this group is %s alone.",
        seam_plan_get_chain (spec->plan)->ops[group->first].label);
  if (seam_cpu_compiler_get () == NULL)
    return g_strdup ("Generated code needs a C compiler (cc, gcc or clang), and there is none; "
                     "install gcc, or write “@cpu”.");
  return NULL;
}

/* What a person should know about a group that can run; NULL: nothing. */
static char *
remark (const SeamGroupSpec *spec, SeamCpuWay way)
{
  const SeamOp *first =
      &seam_plan_get_chain (spec->plan)->ops[spec->plan->groups[spec->group].first];
  gboolean is_narrow = spec->problem->tensors[first->inputs[0]].type != SEAM_OPERAND_FP32;
  SeamOperandType product = seam_math_mode_get_product (spec->math_mode);
  g_autofree char *refused = NULL;
  gboolean keeps_nan;

  if (way == SEAM_CPU_BY_ONEDNN && seam_onednn_supports (spec, &keeps_nan, &refused) && !keeps_nan)
    return g_strdup (
        "oneDNN's relu and clamp make a number of NaN, which every other implementation "
        "keeps.");
  if (spec->math_mode == SEAM_MATH_TF32 && seam_cpu_has_matrix (spec))
    return g_strdup ("The CPU computes in FP32; TF32 is a mode of NVIDIA's tensor cores.");
  if (way == SEAM_CPU_BY_ONEDNN && product == SEAM_OPERAND_BF16 && seam_onednn_has_bf16 ())
    return NULL;
  if (!seam_cpu_copies_operands (spec))
    return NULL;
  return g_strdup_printf (
      "The CPU %s input and weight %s %s%s and multiplies them in FP32: the numbers are those "
      "of the mode, the speed is not.",
      is_narrow ? "widens" : "rounds", is_narrow ? "from" : "to",
      seam_storage_get_type_title (product),
      seam_math_mode_is_scaled (spec->math_mode)
          ? ", after a power of two for each sample of the input and each filter of the weight,"
          : "");
}

void
seam_cpu_supports (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *group = &spec->plan->groups[spec->group];

  memset (support, 0, sizeof *support);
  support->level = SEAM_SUPPORT_NO;
  support->n_kernels = -1;
  const int defect = seam_chain_find_defect (chain, group->first, group->last);
  if (defect >= 0 && seam_nest_is_plain (spec))
    support->reason = g_strdup_printf ("“%s” carries a mistake on purpose, which the kernel of "
                                       "this op does not make.",
                                       chain->ops[defect].label);
  else if (group->first == group->last
           || seam_ops_can_fuse (spec->problem, chain, group->first, group->last, &support->reason))
    support->reason = refuse_choice (spec);
  if (support->reason != NULL) {
    support->implementation = g_strdup (group->implementation);
    return;
  }
  SeamCpuWay way = seam_cpu_choose_way (device, spec);
  /* Before it was tried: the convolution of tiles is mostly the faster, and oneDNN's matmul. */
  if (way == SEAM_CPU_BY_TRYING)
    way = seam_op_get_info (&chain->ops[group->first])->attributes->rank > 0 ? SEAM_CPU_BY_TILES
                                                                             : SEAM_CPU_BY_ONEDNN;
  support->implementation =
      g_strdup (seam_group_is (group, SEAM_IMPLEMENTATION_EDITED) ? group->implementation
                : way == SEAM_CPU_BY_ONEDNN                       ? SEAM_IMPLEMENTATION_ONEDNN
                : seam_cpu_would_generate (spec)                  ? SEAM_IMPLEMENTATION_GENERATED
                                                                  : SEAM_CPU_LOOPS);
  support->level = SEAM_SUPPORT_YES;
  support->executed = g_strdup (support->implementation);
  support->n_kernels = 1;
  support->reason = remark (spec, way);
  support->copied_bytes = seam_cpu_get_copied_bytes (spec);
  support->n_kernels = support->copied_bytes > 0 ? 2 : 1;
  support->knows_copies = way == SEAM_CPU_BY_TILES;
  /* oneDNN's layouts are not known before it is asked for a primitive. */
  if (way == SEAM_CPU_BY_ONEDNN)
    support->n_kernels = -1;
}
