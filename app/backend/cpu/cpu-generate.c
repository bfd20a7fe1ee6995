/* SPDX-License-Identifier: MIT
 *
 * Writes the ops of a group, except its convolution or matmul, as C for the CPU, one function per
 * stage. The text contains the names of ops and tensors, since people read and change it, and
 * neither address nor date, so that the same group gives the same text and is found in the cache.
 */
#include "app/backend/cpu/backend-cpu.h"
#include "app/backend/generate.h"

#include <string.h>

typedef struct {
  const SeamProblem *problem;
  const SeamChain *chain;
  SeamPrepared *g;
  int stage;
  SeamCpuText *text; /* of the stage */
} Writer;

static gboolean
is_in_stage (const Writer *w, int op)
{
  return op >= w->g->first_op && op <= w->g->last_op && w->g->stage_of[op] == w->stage
         && !seam_op_is_matrix (&w->chain->ops[op]);
}

static int
get_param_tensor (const Writer *w, int op, int which)
{
  int param = w->chain->ops[op].params[which];

  return param < 0 ? -1 : SEAM_TENSOR_PARAM (w->chain->n_ops, param);
}

/* Collects the tensors that the stage reads and writes, and its parameters. */
static void
collect (const Writer *w)
{
  SeamCpuText *text = w->text;

  for (int op = w->g->first_op; op <= w->g->last_op; op++) {
    if (w->g->is_packed[op] && w->g->stage_of[op] == w->stage) {
      text->has_function = TRUE;
      /* The program computes the matrix op in FP32; the function stores it. */
      if (seam_op_is_matrix (&w->chain->ops[op]))
        seam_generate_find_or_add (text->reads, &text->n_reads, op);
      seam_generate_find_or_add (text->packs, &text->n_packs, op);
    }
    if (!is_in_stage (w, op))
      continue;
    text->has_function = TRUE;
    for (int i = 0; i < SEAM_MAX_OP_INPUTS; i++) {
      const int from = w->chain->ops[op].inputs[i] - 1;
      if (w->chain->ops[op].inputs[i] >= 0 && !is_in_stage (w, from))
        seam_generate_find_or_add (text->reads, &text->n_reads, from);
    }
    if (w->g->is_stored[op])
      seam_generate_find_or_add (text->writes, &text->n_writes, op);
    for (int which = 0; which < 2; which++)
      if (get_param_tensor (w, op, which) >= 0)
        seam_generate_find_or_add (text->vectors, &text->n_vectors,
                                   get_param_tensor (w, op, which));
  }
}

static const SeamTensor *
get_tensor (const Writer *w, int op)
{
  return &w->problem->tensors[SEAM_TENSOR_OUTPUT (op)];
}

/* The type in which the function reads a tensor: outputs of the group's own ops are FP32. */
static SeamOperandType
get_tensor_type (const Writer *w, int op)
{
  return op < w->g->first_op || op > w->g->last_op ? get_tensor (w, op)->type : SEAM_OPERAND_FP32;
}

static const char *
get_c_type (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP32 ? "float" : "unsigned short";
}

static const char *
get_cast (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP32 ? "" : "(const unsigned short *)";
}

static const char *
get_suffix (const Writer *w)
{
  return w->g->storage == SEAM_OPERAND_FP16 ? "fp16" : "bf16";
}

/* "v0", or "v0[i]" in the matrix layout, in which neighbours belong to different channels. */
static char *
refer_vector (const Writer *w, int op, int which)
{
  int tensor = get_param_tensor (w, op, which);

  if (tensor < 0)
    return NULL;
  const int index = seam_generate_find_or_add (w->text->vectors, &w->text->n_vectors, tensor);
  const gboolean is_scalar = w->problem->tensors[tensor].n_elements == 1;
  return g_strdup_printf ("v%d%s", index, w->g->plane == 1 && !is_scalar ? "[i]" : "");
}

static void
append_op (const Writer *w, GString *text, int index, const char *indent)
{
  const SeamOp *op = &w->chain->ops[index];
  g_autofree char *value = seam_generate_value_name (w->chain, index);
  g_autofree char *previous = seam_generate_value_name (w->chain, op->inputs[0] - 1);
  g_autofree char *operand =
      op->inputs[1] >= 0 ? seam_generate_value_name (w->chain, op->inputs[1] - 1) : NULL;
  gboolean is_plain = op->defect == SEAM_DEFECT_WITHOUT_AFFINE;
  g_autofree char *weight = is_plain ? g_strdup ("1.0f") : refer_vector (w, index, 0);
  g_autofree char *bias = is_plain ? g_strdup ("0.0f") : refer_vector (w, index, 1);

  if (is_plain)
    g_string_append_printf (text, "%s// Wrong on purpose, an exhibit: without weight and bias.\n",
                            indent);
  g_string_append_printf (text, "%sconst float %s = ", indent, value);
  if (seam_op_is_normalisation (op)) {
    g_string_append_printf (text, "seam_op_normalize (%s, mean, rstd, %s, %s)", previous, weight,
                            bias);
  } else {
    seam_generate_append_expression (text, op, previous, weight, operand);
  }
  g_string_append (text, ";\n");
}

static void
append_loop_body (const Writer *w, GString *text, const char *indent)
{
  for (int i = 0; i < w->text->n_reads; i++) {
    g_autofree char *name = seam_generate_value_name (w->chain, w->text->reads[i]);
    if (get_tensor_type (w, w->text->reads[i]) == SEAM_OPERAND_FP32)
      g_string_append_printf (text, "%sconst float %s = x%d[i];\n", indent, name, i);
    else
      g_string_append_printf (text, "%sconst float %s = seam_operand_unpack_%s (x%d[i]);\n", indent,
                              name, get_suffix (w), i);
  }
  for (int op = w->g->first_op; op <= w->g->last_op; op++)
    if (is_in_stage (w, op))
      append_op (w, text, op, indent);
  for (int i = 0; i < w->text->n_writes; i++) {
    g_autofree char *name = seam_generate_value_name (w->chain, w->text->writes[i]);
    g_string_append_printf (text, "%sy%d[i] = %s;\n", indent, i, name);
  }
  for (int i = 0; i < w->text->n_packs; i++) {
    g_autofree char *name = seam_generate_value_name (w->chain, w->text->packs[i]);
    g_string_append_printf (text, "%sy%d[i] = seam_operand_pack_%s (%s);\n", indent,
                            w->text->n_writes + i, get_suffix (w), name);
  }
}

static void
append_pointers (const Writer *w, GString *text)
{
  const SeamCpuText *t = w->text;

  for (int i = 0; i < t->n_reads; i++) {
    g_string_append_printf (text, "  const %s *x%d = %srun->read[%d]; // ",
                            get_c_type (get_tensor_type (w, t->reads[i])), i,
                            get_cast (get_tensor_type (w, t->reads[i])), i);
    seam_generate_append_shape (text, get_tensor (w, t->reads[i]));
    g_string_append_c (text, '\n');
  }
  for (int i = 0; i < t->n_vectors; i++) {
    g_string_append_printf (text,
                            w->g->plane == 1 && w->problem->tensors[t->vectors[i]].n_elements > 1
                                ? "  const float *v%d = run->vector[%d]; // "
                                : "  const float v%d = run->vector[%d][0]; // ",
                            i, i);
    seam_generate_append_shape (text, &w->problem->tensors[t->vectors[i]]);
    g_string_append_c (text, '\n');
  }
  for (int i = 0; i < t->n_writes; i++) {
    g_string_append_printf (text, "  float *y%d = run->write[%d]; // ", i, i);
    seam_generate_append_shape (text, get_tensor (w, t->writes[i]));
    g_string_append_c (text, '\n');
  }
  for (int i = 0; i < t->n_packs; i++) {
    int at = t->n_writes + i;
    g_string_append_printf (text, "  unsigned short *y%d = (unsigned short *)run->write[%d]; // ",
                            at, at);
    seam_generate_append_shape (text, get_tensor (w, t->packs[i]));
    g_string_append_c (text, '\n');
  }
}

static void
append_ops (const Writer *w, GString *text)
{
  gboolean is_first = TRUE;

  for (int op = w->g->first_op; op <= w->g->last_op; op++)
    if (is_in_stage (w, op)) {
      g_string_append (text, is_first ? "" : " + ");
      seam_generate_append_name (text, w->chain->ops[op].name);
      is_first = FALSE;
    }
}

static void
append_function (const Writer *w, GString *text)
{
  gint64 group = w->g->k / MAX (w->g->groups, 1);
  gboolean normalizes = w->stage > 0;

  g_string_append (text, "\n// ");
  append_ops (w, text);
  if (w->stage + 1 < w->g->n_stages)
    g_string_append (text,
                     ";\n// then the program adds the run to the statistics of the GroupNorm");
  g_string_append_printf (text, "\nvoid\nstage_%d (const SeamCpuRun *run)\n{\n", w->stage);
  append_pointers (w, text);
  g_string_append (text, "  const int64_t n = run->n;\n");
  if (normalizes && w->g->plane == 1) {
    g_string_append_printf (
        text,
        "\n"
        "  // The run begins with a normalisation group, of %" G_GINT64_FORMAT " channels.\n"
        "  for (int64_t first = 0; first < n; first += %" G_GINT64_FORMAT ") {\n"
        "    const float *norm = run->norms + first / %" G_GINT64_FORMAT " * 2;\n"
        "    const float mean = norm[0], rstd = norm[1];\n"
        "#pragma omp simd\n"
        "    for (int64_t i = first; i < first + %" G_GINT64_FORMAT "; i++) {\n",
        group, group, group, group);
    append_loop_body (w, text, "      ");
    g_string_append (text, "    }\n  }\n}\n");
    return;
  }
  if (normalizes)
    g_string_append (text, "  const float mean = run->norms[0], rstd = run->norms[1];\n");
  g_string_append (text, "\n#pragma omp simd\n  for (int64_t i = 0; i < n; i++) {\n");
  append_loop_body (w, text, "    ");
  g_string_append (text, "  }\n}\n");
}

static void
append_head (const Writer *w, GString *text)
{
  const SeamPrepared *g = w->g;

  g_string_append (text, "// Generated by Seamscope for the CPU, ");
  seam_generate_append_ops (text, w->problem->pipeline->id, w->chain, g->first_op, g->last_op);
  g_string_append_c (text, '\n');
  if (g->has_matrix) {
    g_string_append (text, "// The program computes ");
    seam_generate_append_name (text, w->chain->ops[g->first_op].name);
    g_string_append (text, " tile by tile and calls this for the tile, still in the cache.\n");
  }
  g_string_append_printf (
      text,
      "// A call is for a run of n neighbouring elements, %s; all threads call.\n"
      "// The mathematics is in kernels/ops.h, the struct in kernels/cpu/run.h.\n"
      "#include \"kernels/cpu/exp.h\"\n"
      "#include \"kernels/cpu/run.h\"\n"
      "%s",
      g->plane == 1 ? "one channel after the other" : "of one sample and one channel",
      w->problem->storage == SEAM_STORAGE_FP32 ? "" : "#include \"kernels/operand.h\"\n");
}

char *
seam_cpu_generate (const SeamGroupSpec *spec, SeamPrepared *g)
{
  GString *text = g_string_new (NULL);
  Writer w = { spec->problem, seam_plan_get_chain (spec->plan), g, 0, NULL };

  append_head (&w, text);
  for (w.stage = 0; w.stage < g->n_stages; w.stage++) {
    w.text = &g->stages[w.stage].text;
    *w.text = (SeamCpuText){ 0 };
    collect (&w);
    if (w.text->has_function)
      append_function (&w, text);
  }
  return g_string_free (text, FALSE);
}
