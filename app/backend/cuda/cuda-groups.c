/* SPDX-License-Identifier: MIT
 *
 * The fusion rules of the CUDA backend, with their sentences for people.
 */
#include "app/backend/cuda/cuda-groups.h"

#include "app/backend/cuda/hand.h"
#include "app/backend/cuda/nest-kernels.h"
#include "app/base/text.h"
#include "app/pipeline/defect.h"
#include "app/plan/fuse.h"

#include <string.h>

#define CHOICE(NAME, name, LIBRARY) [SEAM_OP_##NAME] = LIBRARY_##LIBRARY,
static const Library op_libraries[SEAM_N_OP_TYPES] = { SEAM_OPS (CHOICE, SEAM_OP_SKIP,
                                                                 SEAM_OP_SKIP) };
#undef CHOICE

static const struct {
  const char *name, *title,
      *first; /* its name in plans, its name for people, and what its groups start with */
} libraries[] = {
  [LIBRARY_CUDNN] = { "cudnn", "cuDNN", "a convolution" },
  [LIBRARY_CUBLASLT] = { "cublaslt", "cuBLASLt", "a matmul" },
};

Library
group_op_get_library (const SeamOp *op)
{
  return op_libraries[op->type];
}

/* Whether a tensor has 16 bits in memory. */
static gboolean
stores_16_bits (const SeamProblem *problem, int tensor)
{
  return problem->tensors[tensor].type != SEAM_OPERAND_FP32;
}

/* Adds a copy of the tensor in another type, which is written and then read instead of it. */
static void
add_copy (const SeamGroupSpec *spec, int tensor, SeamOperandType type, GroupScheme *scheme)
{
  gint64 n = spec->problem->tensors[tensor].n_elements;

  scheme->support.copied_bytes += 2.0 * (double)(n * seam_storage_get_element_bytes (type));
}

/* Adds the copies of a matrix op's operands in the type that it reads, one for each operand that
 * has another type in memory; returns how many. */
static int
add_copies (const SeamGroupSpec *spec, const SeamSegment *s, SeamOperandType operand,
            GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const int tensors[] = { s->inputs[0],
                          SEAM_TENSOR_PARAM (chain->n_ops, chain->ops[s->first].params[0]) };
  int n = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (tensors); i++)
    if (spec->problem->tensors[tensors[i]].type != operand) {
      add_copy (spec, tensors[i], operand, scheme);
      n++;
    }
  return n;
}

/* Launches of a segment: the passes of a large GroupNorm, else one. A library call counts as one,
 * even if it launches more inside or for the layout; copies of operands count in addition, and
 * their bytes are added. */
static int
count_launches (const SeamGroupSpec *spec, GroupScheme *scheme, const SeamSegment *s)
{
  const SeamProblem *problem = spec->problem;
  const SeamOperandType operand = seam_math_mode_get_operand (spec->math_mode);

  /* Hopper's matmul splits one operand in FP32, and reads copies of 16-bit operands. */
  if (s->library && scheme->hand.version != NULL) {
    if (scheme->hand.scaled) {
      /* One kernel copies both operands of a matmul; a convolution rounds what it has read. */
      if (group_op_get_library (&seam_plan_get_chain (spec->plan)->ops[s->first])
          == LIBRARY_CUBLASLT)
        add_copies (spec, s, SEAM_OPERAND_FP16, scheme);
      return scheme->hand.version->n_scaled_kernels;
    }
    if (scheme->hand.version->specific && operand != SEAM_OPERAND_FP32)
      return 1 + add_copies (spec, s, operand, scheme);
    if (spec->math_mode == SEAM_MATH_FP32 && scheme->hand.version->n_split_kernels > 0)
      return scheme->hand.version->n_split_kernels;
    return scheme->hand.problem.groupnorm >= 0 ? scheme->hand.version->n_groupnorm_kernels
                                               : scheme->hand.version->n_kernels;
  }
  if (s->library && scheme->half_sums) { /* this op reads and stores FP32 */
    const int output = SEAM_TENSOR_OUTPUT (s->last);

    if (stores_16_bits (problem, output))
      add_copy (spec, output, SEAM_OPERAND_FP32, scheme);
    return 1 + add_copies (spec, s, SEAM_OPERAND_FP32, scheme) + stores_16_bits (problem, output);
  }
  if (s->library)
    return 1 + add_copies (spec, s, operand, scheme);
  if (s->groupnorm >= 0)
    return seam_op_get_reach (problem, seam_plan_get_chain (spec->plan), s->groupnorm)
                   <= SEAM_CUDA_ONE_PASS_ELEMENTS
               ? 1
               : 2;
  return 1;
}

gboolean
group_scheme_is_precompiled (const SeamGroupSpec *spec, const GroupScheme *scheme,
                             const SeamSegment *segment)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];

  /* These kernels handle FP32 only. */
  for (int i = 0; i < segment->n_inputs; i++)
    if (stores_16_bits (spec->problem, segment->inputs[i]))
      return FALSE;
  for (int i = 0; i < segment->n_outputs; i++)
    if (stores_16_bits (spec->problem, segment->outputs[i]))
      return FALSE;
  return !scheme->each && !segment->library && segment->first == segment->last
         && seam_plan_get_chain (spec->plan)->ops[segment->first].defect == SEAM_DEFECT_NONE
         && !seam_group_is (group, SEAM_IMPLEMENTATION_GENERATED)
         && !seam_group_is (group, SEAM_IMPLEMENTATION_EDITED) && group->first == group->last;
}

gboolean
group_scheme_is_edited (const SeamGroupSpec *spec, const GroupScheme *scheme,
                        const SeamSegment *segment)
{
  return spec->edit != NULL
         && seam_group_is (&spec->plan->groups[spec->group], SEAM_IMPLEMENTATION_EDITED)
         && segment->library == (scheme->hand.version != NULL);
}

/* Whether the group reads or writes a tensor of 16 bits. */
static gboolean
moves_16_bits (const SeamGroupSpec *spec)
{
  SeamGroupTensors tensors;
  gboolean found = FALSE;

  seam_plan_get_group_tensors (spec->plan, spec->group, &tensors);
  for (int i = 0; i < tensors.n_inputs; i++)
    found = found || stores_16_bits (spec->problem, tensors.inputs[i]);
  for (int i = 0; i < tensors.n_outputs; i++)
    found = found || stores_16_bits (spec->problem, tensors.outputs[i]);
  return found;
}

static void
refuse (GroupScheme *scheme, char *reason)
{
  g_free (scheme->support.reason);
  scheme->support.level = SEAM_SUPPORT_NO;
  scheme->support.reason = reason;
  scheme->support.n_kernels = -1;
}

static char *
join_labels (const SeamChain *chain, int first, int last)
{
  const char *labels[SEAM_MAX_OPS + 1];
  int n = 0;

  for (int op = first; op <= last; op++)
    labels[n++] = chain->ops[op].label;
  labels[n] = NULL;
  return seam_text_list (labels);
}

/* For a group that starts with conv2d: cuDNN alone, its fused graph, or a cut after it. */
static int
choose_convolution (CudaDevice *device, const SeamGroupSpec *spec, gboolean allow_fused,
                    GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const char *why = NULL;
  int last = g->first;

  if (g->first == g->last)
    return 1;
  while (last < g->last && seam_op_is_map (&chain->ops[last + 1]))
    last++;
  if (last == g->first)
    why = "cuDNN cannot apply GroupNorm.";
  else if (!seam_segment_can_absorb (spec->plan, spec->group, last))
    why = "A value inside the group is also needed outside of what cuDNN would fuse.";
  else if (!allow_fused)
    why = "cuDNN has no engine that fuses these ops into this convolution.";
  else if (convolution_can_fuse (device, spec->problem, spec->plan,
                                 seam_math_mode_get_base (spec->math_mode), g->first, last, &why)) {
    scheme->fused = TRUE;
    why = "cuDNN cannot apply GroupNorm.";
  }
  if (!scheme->fused || last < g->last) {
    g_autofree char *tail = join_labels (chain, scheme->fused ? last + 1 : g->first + 1, g->last);
    scheme->support.level = SEAM_SUPPORT_SPLIT;
    scheme->support.reason = g_strdup_printf (
        "conv2d cannot be joined with %s here, so the tensor between them goes through memory. %s",
        tail, why);
  } else {
    scheme->support.reason =
        g_strdup ("cuDNN fuses with channels last; input, weight and output change layout around "
                  "it, which counts as copies.");
  }
  return scheme->fused ? last - g->first + 1 : 1;
}

/* For a group that starts with matmul: cuBLASLt with as much of the tail as its epilogue takes. */
static int
choose_matmul (const SeamGroupSpec *spec, GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  int n = matmul_count_absorbed (spec->problem, spec->plan, spec->group);

  if (g->first + n - 1 < g->last) {
    g_autofree char *taken = join_labels (chain, g->first, g->first + n - 1);
    g_autofree char *tail = join_labels (chain, g->first + n, g->last);
    scheme->support.level = SEAM_SUPPORT_SPLIT;
    scheme->support.reason = g_strdup_printf (
        "%s cannot be joined with %s here, so the tensor between them goes through memory. %s",
        taken, tail,
        n == 1 && seam_op_get_info (&chain->ops[g->first + 1])->epilogue == SEAM_EPILOGUE_BIAS
                && stores_16_bits (spec->problem, SEAM_TENSOR_OUTPUT (g->first + 1))
            ? "cuBLASLt adds a bias of the output's type only: here the output has 16 bits, and "
              "vectors are FP32."
            : "cuBLASLt's epilogues are bias, ReLU and GELU.");
  }
  return n;
}

/* For a group that a hand-written kernel starts: the number of ops that it takes. `reason`: why not
 * more. */
static int
choose_hand (const SeamGroupSpec *spec, const char *reason, GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  int last = scheme->hand.problem.last;

  scheme->support.implementation = g_strdup (
      seam_group_is (g, SEAM_IMPLEMENTATION_EDITED) ? SEAM_IMPLEMENTATION_EDITED : HAND_BEST);
  if (last < g->last) {
    g_autofree char *taken = join_labels (chain, g->first, last);
    g_autofree char *tail = join_labels (chain, last + 1, g->last);
    scheme->support.level = SEAM_SUPPORT_SPLIT;
    scheme->support.reason = g_strdup_printf (
        "%s cannot be joined with %s here, so the tensor between them goes through memory. %s",
        taken, tail, reason != NULL ? reason : "The hand-written kernel ends there.");
  } else if (scheme->hand.version->explains) {
    /* If this version was asked for, no reason against a better one is given. */
    scheme->support.reason = g_strdup (reason);
  }
  return last - g->first + 1;
}

/* Puts the requirements of a hand-written kernel before the sentences of the libraries. */
static void
explain_no_hand (GroupScheme *scheme, const char *reason)
{
  if (reason == NULL || scheme->support.level != SEAM_SUPPORT_SPLIT)
    return;
  g_autofree char *library = g_steal_pointer (&scheme->support.reason);
  scheme->support.reason = g_strconcat (library, " ", reason, NULL);
}

/* For a group of an exhibit whose op `defect` carries a mistake. Only generated kernels make
 * mistakes, and for sums in FP16 a kernel of this program. So a library op stands alone, and a
 * fused plan is split. */
static int
choose_exhibit (const SeamGroupSpec *spec, int defect, GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const SeamOp *first = &chain->ops[g->first];

  scheme->half_sums = first->defect == SEAM_DEFECT_HALF_SUMS;
  scheme->support.implementation =
      g_strdup (!seam_op_is_matrix (first) ? SEAM_IMPLEMENTATION_GENERATED
                : scheme->half_sums        ? HAND_BEST
                                           : libraries[group_op_get_library (first)].name);
  if (!seam_op_is_matrix (first) || g->first == g->last)
    return 1;
  scheme->support.level = SEAM_SUPPORT_SPLIT;
  scheme->support.reason =
      g_strdup_printf ("%s carries a mistake on purpose, which no library and no hand-written "
                       "kernel has, so %s stands alone and its tensor goes through memory.",
                       chain->ops[defect].label, first->label);
  return 1;
}

static int
count_generated (const GroupScheme *scheme)
{
  int n = 0;

  for (int i = 0; i < scheme->segments.n; i++)
    n += !scheme->segments.segments[i].library;
  return n;
}

/* --- The implementation that a plan asks for --- */

static void
check_library (Library library, const SeamGroupSpec *spec, GroupScheme *scheme)
{
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const SeamOp *first = &seam_plan_get_chain (spec->plan)->ops[g->first];

  if (group_op_get_library (first) != library)
    refuse (scheme,
            g_strdup_printf ("%s executes groups that start with %s; this one starts with "
                             "%s.",
                             libraries[library].title, libraries[library].first, first->label));
  else if (scheme->support.level == SEAM_SUPPORT_SPLIT)
    refuse (scheme, g_strdup_printf ("%s cannot execute this group alone: %s",
                                     libraries[library].title, scheme->support.reason));
}

static void
check_cudnn (const SeamGroupSpec *spec, const char *no_hand, GroupScheme *scheme)
{
  check_library (LIBRARY_CUDNN, spec, scheme);
}

static void
check_cublaslt (const SeamGroupSpec *spec, const char *no_hand, GroupScheme *scheme)
{
  check_library (LIBRARY_CUBLASLT, spec, scheme);
}

static void
check_generated (const SeamGroupSpec *spec, const char *no_hand, GroupScheme *scheme)
{
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const SeamOp *first = &seam_plan_get_chain (spec->plan)->ops[g->first];

  if (seam_op_is_matrix (first) && scheme->segments.segments[0].library)
    refuse (scheme, g_strdup_printf ("Generated kernels cover elementwise ops and GroupNorm, not "
                                     "%s.",
                                     first->label));
}

static void
check_edited (const SeamGroupSpec *spec, const char *no_hand, GroupScheme *scheme)
{
  if (spec->edit == NULL)
    refuse (scheme, g_strdup (SEAM_BACKEND_NO_EDIT));
  else if (scheme->hand.version != NULL)
    return;
  else if (no_hand != NULL || hand_read_name (spec->edit, NULL))
    refuse (scheme,
            g_strdup_printf ("The edited text is of a hand-written kernel, which cannot execute "
                             "this group here. %s",
                             no_hand != NULL ? no_hand
                                             : "It needs a group that starts with "
                                               "conv2d or matmul."));
  else if (count_generated (scheme) != 1)
    refuse (scheme, g_strdup_printf ("This text is of a generated kernel, and the group has %d "
                                     "of them; give it a text that “source --output” writes.",
                                     count_generated (scheme)));
}

static void
check_hand (const SeamGroupSpec *spec, const char *no_hand, GroupScheme *scheme)
{
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const SeamOp *first = &seam_plan_get_chain (spec->plan)->ops[g->first];

  if (scheme->each) {
    refuse (scheme, g_strdup_printf ("There is no hand-written kernel of “%s” as it is here; leave "
                                     "“@%s” out.",
                                     first->label, g->implementation));
  } else if (!seam_op_is_matrix (first) && g->first == g->last && seam_group_is (g, HAND_BEST)) {
    /* The rest is for a precompiled kernel. */
    if (moves_16_bits (spec))
      refuse (scheme, g_strdup ("The precompiled kernels of single ops read and write FP32, and "
                                "a tensor of this group has 16 bits in memory; write "
                                "“@generated”, or leave it out."));
  } else if (!seam_op_is_matrix (first)) {
    refuse (scheme, g_strdup_printf ("The hand-written kernels are groups that start with conv2d "
                                     "or matmul, and single ops; this one starts with %s.",
                                     first->label));
  } else if (scheme->hand.version == NULL) {
    refuse (scheme, g_strdup_printf ("@%s cannot execute this group. %s", g->implementation,
                                     no_hand != NULL
                                         ? no_hand
                                         : "There is no such hand-written kernel for its ops."));
  }
}

/* An implementation that a plan can name, besides hand-written versions. */
typedef struct {
  SeamImplementation implementation;
  /* Refuses a group that it cannot execute; NULL: it can execute all groups. `no_hand`: why a
   * hand-written kernel cannot, or NULL. */
  void (*check) (const SeamGroupSpec *spec, const char *no_hand, GroupScheme *scheme);
  gboolean has_defects; /* it makes the mistakes of exhibits */
} Choice;

static const Choice choices[] = {
  { { SEAM_IMPLEMENTATION_AUTO, "Automatic: the best there is", FALSE }, NULL, TRUE },
  { { SEAM_IMPLEMENTATION_LIBRARY, "Libraries and generated kernels", FALSE }, NULL, TRUE },
  { { "cudnn", NULL, FALSE }, check_cudnn, FALSE },
  { { "cublaslt", NULL, FALSE }, check_cublaslt, FALSE },
  { { SEAM_IMPLEMENTATION_GENERATED, NULL, FALSE }, check_generated, TRUE },
  { { SEAM_IMPLEMENTATION_EDITED, NULL, FALSE }, check_edited, FALSE },
};

void
group_list_implementations (SeamDeviceInfo *info)
{
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    seam_device_info_add_implementation (info, &choices[i].implementation);
  hand_list_implementations (info);
}

static const Choice *
find_choice (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (choices); i++)
    if (strcmp (choices[i].implementation.name, name) == 0)
      return &choices[i];
  return NULL;
}

static void
refuse_unknown (const CudaDevice *device, const char *name, GroupScheme *scheme)
{
  g_autoptr (SeamDeviceInfo) all = seam_device_info_new (device->base.info->id);
  char *reason = NULL;

  group_list_implementations (all);
  seam_implementations_check (all->implementations, all->n_implementations, all->id, name, &reason);
  refuse (scheme, reason);
}

/* Checks the implementation that the plan asks for against the group. */
static void
check_choice (const CudaDevice *device, const SeamGroupSpec *spec, const char *no_hand,
              GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const Choice *choice = g->implementation != NULL ? find_choice (g->implementation) : NULL;
  int defect = seam_chain_find_defect (chain, g->first, g->last);

  if (g->implementation == NULL)
    return;
  if (choice == NULL && !hand_is_name (g->implementation))
    refuse_unknown (device, g->implementation, scheme);
  else if (defect >= 0 && (choice == NULL || !choice->has_defects))
    refuse (scheme, g_strdup_printf ("%s carries a mistake on purpose, which @%s has not; leave it "
                                     "out.",
                                     chain->ops[defect].label, g->implementation));
  else if (choice == NULL)
    check_hand (spec, no_hand, scheme);
  else if (choice->check != NULL)
    choice->check (spec, no_hand, scheme);
}

/* The name of a hand-written version, and how it multiplies if the math mode does not say that. */
static char *
describe_hand (const GroupScheme *scheme)
{
  const char *name = scheme->hand.version->implementation.name;
  const char *split = hand_get_split (&scheme->hand);

  return split != NULL ? g_strdup_printf ("%s (%s)", name, split) : g_strdup (name);
}

/* Whether the math mode scales rows, but the kernel of this matrix op does not. */
static gboolean
is_unscaled (const SeamGroupSpec *spec, const GroupScheme *scheme)
{
  return seam_math_mode_is_scaled (spec->math_mode) && !scheme->half_sums
         && seam_op_is_matrix (
             &seam_plan_get_chain (spec->plan)->ops[spec->plan->groups[spec->group].first])
         && !scheme->hand.scaled;
}

static void
explain_unscaled (const SeamGroupSpec *spec, GroupScheme *scheme)
{
  const SeamOp *op = &seam_plan_get_chain (spec->plan)->ops[spec->plan->groups[spec->group].first];
  g_autofree char *before = g_steal_pointer (&scheme->support.reason);
  g_autofree char *sentence = g_strdup_printf (
      "%s is executed in %s, no less accurate than math mode %s. Only two hand-written kernels for "
      "Hopper multiply FP16 with powers of two: for a matmul whose rows have a multiple of 8 "
      "numbers, and for a convolution over many channels.",
      op->label, scheme->hand.version != NULL ? hand_get_split (&scheme->hand) : "TF32",
      seam_math_mode_get_name (spec->math_mode));

  scheme->support.reason = g_strjoin (" ", sentence, before, NULL);
}

static char *
describe_execution (const SeamGroupSpec *spec, const GroupScheme *scheme)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();
  g_autofree char *hand = scheme->hand.version != NULL ? describe_hand (scheme) : NULL;
  const SeamOp *first =
      &seam_plan_get_chain (spec->plan)->ops[spec->plan->groups[spec->group].first];
  g_autofree char *library = g_strconcat (libraries[group_op_get_library (first)].name,
                                          is_unscaled (spec, scheme) ? " (TF32)" : "", NULL);

  for (int i = 0; i < scheme->segments.n; i++) {
    const SeamSegment *s = &scheme->segments.segments[i];
    const char *word = "generated";

    if (group_scheme_is_edited (spec, scheme, s))
      word = "edited";
    else if (s->library && scheme->half_sums)
      word = "hand (FP16 sums)";
    else if (s->library && scheme->hand.version != NULL)
      word = hand;
    else if (s->library)
      word = library;
    else if (group_scheme_is_precompiled (spec, scheme, s))
      word = HAND_BEST;
    if (words->len == 0 || !g_str_equal (words->pdata[words->len - 1], word))
      g_ptr_array_add (words, (gpointer)word);
  }
  g_ptr_array_add (words, NULL);
  return g_strjoinv (" + ", (char **)words->pdata);
}

/* --- Ops by themselves --- */

/* Whether the kernels of fused groups take the group: values of one shape, whose first axes are
 * samples and channels, each op on the one before. */
static gboolean
is_joint (const SeamGroupSpec *spec)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const SeamShape *y = seam_problem_get_shape (spec->problem, SEAM_TENSOR_OUTPUT (g->last));

  if (y->n_dims < 2 || chain->ops[g->first].inputs[0] != SEAM_TENSOR_OUTPUT (g->first - 1)
      || seam_nest_is_plain (spec)
      || !seam_ops_can_fuse (spec->problem, chain, g->first, g->last, NULL))
    return FALSE;
  for (int i = g->first; i <= g->last; i++) {
    const SeamOp *op = &chain->ops[i];

    if (seam_op_get_scalar_param (op) >= 0 || op->inputs[1] > chain->n_ops
        || op->inputs[1] == SEAM_TENSOR_INPUT)
      return FALSE;
  }
  return TRUE;
}

/* For a group whose ops run one by one, or that is one nest with maps onto its input; a convolution
 * by cuDNN only if `allow_library`. */
static void
choose_each (const CudaDevice *device, const SeamGroupSpec *spec, gboolean allow_library,
             GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const SeamOperandType operand = seam_math_mode_get_operand (spec->math_mode);
  const int defect = seam_chain_find_defect (chain, g->first, g->last);
  const Library which = group_op_get_library (&chain->ops[g->first]);
  const gboolean library =
      !spec->plainly && !seam_group_is (g, SEAM_IMPLEMENTATION_GENERATED)
      && !seam_group_is (g, SEAM_IMPLEMENTATION_EDITED)
      && (which == LIBRARY_CUBLASLT || (which == LIBRARY_CUDNN && allow_library));
  char *reason = NULL;

  scheme->each = TRUE;
  const gboolean has_maps = g->first < g->last && seam_nest_is_plain (spec)
                            && seam_ops_can_fuse (spec->problem, chain, g->first, g->last, NULL);
  seam_segments_build (spec->plan, spec->group, has_maps ? 0 : -1, &scheme->segments);
  scheme->segments.segments[0].library = library;
  if (defect >= 0)
    reason = g_strdup_printf ("“%s” carries a mistake on purpose, which the kernel of this op does "
                              "not make.",
                              chain->ops[defect].label);
  else if (g->first < g->last)
    seam_ops_can_fuse (spec->problem, chain, g->first, g->last, &reason);
  if (reason != NULL) {
    refuse (scheme, reason);
    return;
  }
  scheme->support.implementation =
      g_strdup (library ? libraries[which].name : SEAM_IMPLEMENTATION_GENERATED);
  if (g->first < g->last && !has_maps) {
    scheme->support.level = SEAM_SUPPORT_SPLIT;
    scheme->support.reason = g_strdup (
        "On a GPU no kernel fuses ops that read a further input, the chain's input again, a number "
        "from a parameter, or values without channels. So each op of this group has a kernel of "
        "its own, and the tensors between them go through memory.");
  }
  for (int i = 0; i < scheme->segments.n; i++) {
    const SeamSegment *s = &scheme->segments.segments[i];
    g_autoptr (NestKernels) k = s->library
                                    ? NULL
                                    : nest_kernels_new (spec, s->first, s->last, operand,
                                                        device->base.info->n_processors, NULL);

    scheme->support.n_kernels += s->library ? 1 : k != NULL ? k->n_kernels : 1;
    scheme->support.partial_bytes += k != NULL ? (double)k->partial_bytes : 0;
    if (seam_op_is_matrix (&chain->ops[s->first]))
      scheme->support.n_kernels += add_copies (spec, s, operand, scheme);
  }
}

void
group_scheme_make (CudaDevice *device, const SeamGroupSpec *spec, gboolean allow_fused,
                   GroupScheme *scheme)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamGroup *g = &spec->plan->groups[spec->group];
  const Library library = group_op_get_library (&chain->ops[g->first]);
  g_autofree char *no_hand = NULL;
  int n_library = 0, defect;

  *scheme = (GroupScheme){ 0 };
  scheme->support.level = SEAM_SUPPORT_YES;
  if (!is_joint (spec)) {
    choose_each (device, spec, allow_fused, scheme);
    if (scheme->support.level != SEAM_SUPPORT_NO)
      check_choice (device, spec, NULL, scheme);
    scheme->support.executed = describe_execution (spec, scheme);
    return;
  }
  defect = seam_chain_find_defect (chain, g->first, g->last);
  if (defect < 0)
    hand_choose (device, spec, &scheme->hand, &no_hand);
  if (defect >= 0) {
    n_library = choose_exhibit (spec, defect, scheme);
  } else if (spec->plainly && library != LIBRARY_NONE) {
    scheme->half_sums = TRUE;
    scheme->support.implementation = g_strdup (HAND_BEST);
    n_library = 1;
  } else if (scheme->hand.version != NULL) {
    n_library = choose_hand (spec, no_hand, scheme);
  } else if (library == LIBRARY_CUDNN) {
    scheme->support.implementation = g_strdup (libraries[library].name);
    n_library = choose_convolution (device, spec, allow_fused, scheme);
  } else if (library == LIBRARY_CUBLASLT) {
    scheme->support.implementation = g_strdup (libraries[library].name);
    n_library = choose_matmul (spec, scheme);
  } else if (seam_group_is (g, SEAM_IMPLEMENTATION_EDITED)) {
    scheme->support.implementation = g_strdup (SEAM_IMPLEMENTATION_EDITED);
  } else if (g->first == g->last && !seam_group_is (g, SEAM_IMPLEMENTATION_GENERATED)
             && !moves_16_bits (spec)) {
    scheme->support.implementation = g_strdup (HAND_BEST);
  } else {
    scheme->support.implementation = g_strdup (SEAM_IMPLEMENTATION_GENERATED);
  }
  explain_no_hand (scheme, no_hand);
  seam_segments_build (spec->plan, spec->group, n_library, &scheme->segments);

  for (int i = 0; i < scheme->segments.n; i++)
    scheme->support.n_kernels += count_launches (spec, scheme, &scheme->segments.segments[i]);
  if (scheme->segments.n > 1 && scheme->support.reason == NULL) {
    scheme->support.level = SEAM_SUPPORT_SPLIT;
    scheme->support.reason = g_strdup (
        "A kernel holds one GroupNorm, so the tensor before the second goes through memory.");
  }
  if (scheme->support.level != SEAM_SUPPORT_NO)
    check_choice (device, spec, no_hand, scheme);
  if (scheme->support.level != SEAM_SUPPORT_NO && is_unscaled (spec, scheme))
    explain_unscaled (spec, scheme);
  scheme->support.executed = describe_execution (spec, scheme);
}

void
group_scheme_clear (GroupScheme *scheme)
{
  seam_support_clear (&scheme->support);
}

void
cuda_supports (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support)
{
  GroupScheme scheme;

  cuda_device_enter ((CudaDevice *)device, NULL);
  group_scheme_make ((CudaDevice *)device, spec, TRUE, &scheme);
  *support = scheme.support;
}
