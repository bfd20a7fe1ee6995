/* SPDX-License-Identifier: MIT
 *
 * The table of mistakes, and the effect of each at a shape.
 */
#include "app/pipeline/defect.h"

#include "app/base/text.h"

#include <string.h>

static const SeamDefectKind kinds[] = {
  { "missing-tail", SEAM_DEFECT_MISSING_TAIL, 4, 2, 1024, TRUE, "a map or a groupnorm" },
  { "index-overflow", SEAM_DEFECT_INDEX_OVERFLOW, 31, 7, 31, TRUE, "a map or a groupnorm" },
  { "lost-update", SEAM_DEFECT_LOST_UPDATE, 8, 2, 32, FALSE, "a groupnorm" },
  { "one-pass-variance", SEAM_DEFECT_ONE_PASS_VARIANCE, 0, 0, 0, FALSE, "a groupnorm" },
  { "half-sums", SEAM_DEFECT_HALF_SUMS, 0, 0, 0, FALSE, "a conv2d or matmul" },
  { "without-affine", SEAM_DEFECT_WITHOUT_AFFINE, 0, 0, 0, FALSE, "a groupnorm" },
};

G_STATIC_ASSERT (G_N_ELEMENTS (kinds) == SEAM_N_DEFECT_TYPES - 1);

const SeamDefectKind *
seam_defect_find (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (strcmp (kinds[i].name, name) == 0)
      return &kinds[i];
  return NULL;
}

const SeamDefectKind *
seam_defect_get_kind (SeamDefectType type)
{
  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    if (kinds[i].type == type)
      return &kinds[i];
  g_return_val_if_reached (NULL);
}

gboolean
seam_defect_fits (const SeamDefectKind *kind, SeamOpType type)
{
  const SeamOp op = { .type = type };
  const gboolean is_groupnorm = seam_op_has_number (&op, SEAM_NUMBER_GROUPS);

  if (kind->in_stores)
    return seam_op_is_map (&op) || is_groupnorm;
  return kind->type == SEAM_DEFECT_HALF_SUMS ? seam_op_get_info (&op)->fuses : is_groupnorm;
}

const char **
seam_defect_list_names (void)
{
  const char **names = g_new0 (const char *, G_N_ELEMENTS (kinds) + 1);

  for (gsize i = 0; i < G_N_ELEMENTS (kinds); i++)
    names[i] = kinds[i].name;
  return names;
}

int
seam_chain_find_defect (const SeamChain *chain, int first, int last)
{
  for (int i = first; i <= last; i++)
    if (chain->ops[i].defect != SEAM_DEFECT_NONE)
      return i;
  return -1;
}

gboolean
seam_chain_has_store_defect (const SeamChain *chain)
{
  for (int i = 0; i < chain->n_ops; i++)
    if (chain->ops[i].defect != SEAM_DEFECT_NONE
        && seam_defect_get_kind (chain->ops[i].defect)->in_stores)
      return TRUE;
  return FALSE;
}

static gboolean
describe_tail (const SeamTensor *tensor, int unit, char **sentence)
{
  gint64 row = tensor->shape.dims[tensor->shape.n_dims - 1], left = row % unit;
  g_autofree char *total = seam_text_count (tensor->n_elements / row * left);

  if (left == 0)
    *sentence = g_strdup_printf ("Rows of %" G_GINT64_FORMAT " elements are whole blocks of %d, so "
                                 "nothing is left out at this shape and the outputs agree.",
                                 row, unit);
  else
    *sentence =
        g_strdup_printf ("Here a row has %" G_GINT64_FORMAT " elements: its last %" G_GINT64_FORMAT
                         " stay unwritten, %s in all.",
                         row, left, total);
  return left > 0;
}

static gboolean
describe_overflow (const SeamTensor *tensor, int bits, char **sentence)
{
  gint64 first = G_GINT64_CONSTANT (1) << bits;
  g_autofree char *limit = seam_text_count (first);
  g_autofree char *size = seam_text_count (tensor->n_elements);

  if (tensor->n_elements <= first)
    *sentence = g_strdup_printf ("The tensor has %s elements and the index overflows at %s, so the "
                                 "outputs agree at this shape.",
                                 size, limit);
  else
    *sentence = g_strdup_printf (
        "Here elements %s to the last of %s are never written, because their index is negative.",
        limit, size);
  return tensor->n_elements > first;
}

static gboolean
describe_lost_update (const SeamProblem *problem, int parts, char **sentence)
{
  const SeamShapeView view = seam_problem_get_output_view (problem);
  const gint64 size = view.channels / seam_problem_get_n_groups (problem) * view.inner;
  g_autofree char *text = seam_text_count (size);

  *sentence = g_strdup_printf (
      "Here a group has %s elements, added in %d parts; in seven groups of eight one part of them "
      "is lost. Which one is computed from the group's number, so that it can be repeated: in a "
      "true race it changes from run to run.",
      text, parts);
  /* In a group with fewer elements than parts, the lost part is mostly empty. */
  return size >= parts;
}

/* Whether these inputs give the values before op `norm` a mean of 200. */
static gboolean
is_offset (const SeamPipeline *pipeline, const SeamChain *chain, int norm,
           const SeamSettings *settings)
{
  const SeamOp *before = &chain->ops[norm - 1];

  return settings != NULL && settings->distribution == SEAM_DISTRIBUTION_OFFSET
         && seam_op_get_kind (before) == SEAM_KIND_CHANNEL_ADD
         && pipeline->params[before->params[0]].init == SEAM_INIT_NORMAL;
}

/* Whether the parameters of op `norm` are ones and zeros. */
static gboolean
is_identity (const SeamPipeline *pipeline, const SeamOp *norm, const SeamSettings *settings)
{
  return settings != NULL && settings->init_mode == SEAM_INIT_MODE_FRAMEWORK
         && pipeline->params[norm->params[0]].init == SEAM_INIT_ONES
         && pipeline->params[norm->params[1]].init == SEAM_INIT_ZEROS;
}

gboolean
seam_exhibit_shows (const SeamProblem *problem, int chain, const SeamSettings *settings,
                    char **sentence)
{
  const SeamChain *wrong = &problem->pipeline->chains[chain];
  int at = seam_chain_find_defect (wrong, 0, wrong->n_ops - 1);
  const SeamTensor *output = &problem->tensors[SEAM_TENSOR_OUTPUT (wrong->n_ops - 1)];
  g_autofree char *text = NULL;
  gboolean shows = TRUE;

  if (at >= 0) {
    int parameter = wrong->ops[at].defect_parameter;
    switch (wrong->ops[at].defect) {
    case SEAM_DEFECT_MISSING_TAIL:
      shows = describe_tail (output, parameter, &text);
      break;
    case SEAM_DEFECT_INDEX_OVERFLOW:
      shows = describe_overflow (output, parameter, &text);
      break;
    case SEAM_DEFECT_LOST_UPDATE:
      shows = describe_lost_update (problem, parameter, &text);
      break;
    case SEAM_DEFECT_ONE_PASS_VARIANCE:
      shows = is_offset (problem->pipeline, wrong, at, settings);
      text = g_strdup (shows ? "Here the values lie around 200, so that 4 to 5 of FP32's 7 digits "
                               "of E[x²] cancel."
                       : settings == NULL
                           ? "It shows where the mean of a group is large against its spread."
                           : "With these inputs the mean is small against the spread and nothing "
                             "cancels, so the outputs agree; the inputs “offset” show it.");
      break;
    case SEAM_DEFECT_HALF_SUMS:
      text = g_strdup_printf ("Here a sum has %" G_GINT64_FORMAT
                              " products; FP16 keeps 11 bits of it after each.",
                              seam_op_get_reach (problem, wrong, at));
      break;
    case SEAM_DEFECT_WITHOUT_AFFINE:
      shows = !is_identity (problem->pipeline, &wrong->ops[at], settings);
      text = g_strdup (!shows ? "With init “framework” the weight is all ones and the bias all "
                                "zeros, so leaving them out changes nothing and the outputs agree."
                       : settings == NULL
                           ? "It shows where the weight is not all ones or the bias not all zeros."
                           : "Here the weight is drawn around 1 and the bias around 0, so that "
                             "leaving them out shows.");
      break;
    case SEAM_DEFECT_NONE:
    case SEAM_N_DEFECT_TYPES:
      break;
    }
  }
  if (sentence != NULL)
    *sentence = g_steal_pointer (&text);
  return shows;
}
