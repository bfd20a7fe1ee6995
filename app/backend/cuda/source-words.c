/* SPDX-License-Identifier: MIT
 *
 * Describes library calls in words: the calls of cuDNN and cuBLASLt that prepare() makes
 * (convolution.c, matmul.c), with their numbers. A line about an op begins with its name and a
 * colon (app/backend/source.h).
 */
#include "app/backend/nest.h"
#include "app/backend/cuda/launch.h"
#include "app/backend/cuda/cuda-prepare.h"
#include "app/backend/cuda/cuda-source.h"
#include "app/backend/generate.h"
#include "app/base/text.h"

static const char *
name_math (SeamMathMode mode)
{
  switch (seam_math_mode_get_base (mode)) {
  case SEAM_MATH_TF32:
    return "tf32: FP32 in memory, TF32 products allowed on tensor cores, FP32 sums";
  case SEAM_MATH_FP16:
    return "fp16: what is FP32 of input and weight is rounded to FP16 by kernels of this program "
           "before the call, FP32 sums";
  case SEAM_MATH_BF16:
    return "bf16: what is FP32 of input and weight is rounded to BF16 by kernels of this program "
           "before the call, FP32 sums";
  default:
    return "fp32: FP32 products and sums, no tensor cores";
  }
}

/* Layout of the call's tensors, if it has been chosen (-1: not yet). `stored`: its output has 16
 * bits in memory anyway. */
static const char *
describe_layout (int form, gboolean stored)
{
  switch (form) {
  case CONVOLUTION_ROUNDED_FIRST:
    if (!stored)
      return "channels first (NCHW); no engine stores FP32 here, so the output is rounded to the "
             "operands' type and becomes FP32 again after it";
    /* fall through */
  case CONVOLUTION_CHANNELS_FIRST:
    return "channels first (NCHW) as the tensors are; the faster of two when tried here";
  case CONVOLUTION_ROUNDED_LAST:
    if (!stored)
      return "channels last (NHWC) with changes of layout around it; no engine stores FP32 here, "
             "so the output is rounded to the operands' type and becomes FP32 again after it";
    /* fall through */
  case CONVOLUTION_CHANNELS_LAST:
    return "channels last (NHWC), with kernels of this program that change the layout of input, "
           "weight and output around it; the faster of two when tried here";
  default:
    return "channels first (NCHW), or channels last with changes of layout around it: both are "
           "tried before the first run, and the faster one is kept";
  }
}

/* cuBLASLt's name of a type. */
static const char *
name_cublas_type (SeamOperandType type)
{
  return type == SEAM_OPERAND_FP16   ? "CUDA_R_16F"
         : type == SEAM_OPERAND_BF16 ? "CUDA_R_16BF"
                                     : "CUDA_R_32F";
}

/* " [4, 8] in BF16": shape, and the type if it is not FP32. */
static void
append_operand (GString *text, const SeamGroupSpec *spec, int tensor)
{
  const SeamTensor *t = &spec->problem->tensors[tensor];

  g_string_append_c (text, ' ');
  seam_generate_append_shape (text, t);
  if (t->type != SEAM_OPERAND_FP32)
    g_string_append_printf (text, " in %s", seam_storage_get_type_title (t->type));
}

static int
get_param (const SeamChain *chain, int op)
{
  return chain->ops[op].params[0] >= 0 ? SEAM_TENSOR_PARAM (chain->n_ops, chain->ops[op].params[0])
                                       : -1;
}

/* The elementwise ops that the call includes. */
static void
append_tail (GString *text, const SeamGroupSpec *spec, const SeamSegment *s, const char *where)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);

  for (int op = s->first + 1; op <= s->last; op++) {
    g_autofree char *words = seam_op_describe (spec->problem, chain, op);

    g_string_append_printf (text, "%s: %s, %s", chain->ops[op].name, words, where);
    if (get_param (chain, op) >= 0) {
      g_string_append (text, ", vector");
      append_operand (text, spec, get_param (chain, op));
    }
    g_string_append_c (text, '\n');
  }
}

static void
append_output (GString *text, const SeamGroupSpec *spec, const SeamSegment *s)
{
  const int output = SEAM_TENSOR_OUTPUT (s->last);

  g_string_append (text, "Output:");
  append_operand (text, spec, output);
  g_string_append (text,
                   spec->problem->tensors[output].type == SEAM_OPERAND_FP32 ? ", FP32\n" : "\n");
}

char *
source_describe_convolution (CudaDevice *device, const SeamGroupSpec *spec, const SeamSegment *s)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  SeamNest nest;
  g_autofree char *key = convolution_make_key (
      spec->problem, spec->plan, seam_math_mode_get_base (spec->math_mode), s->first, s->last);
  int layout = convolution_get_form (seam_choices_get (device->choices, key));
  g_autofree char *operations = seam_text_flop (seam_op_get_flop (spec->problem, chain, s->first));
  GString *text =
      g_string_new ("Library call: a cuDNN graph (cudnnBackendExecute); its kernels are "
                    "NVIDIA's and have no source here.\n\n");

  seam_nest_init (&nest, spec->problem, chain, s->first);
  const SeamGeneral *g = &nest.general;
  g_string_append_printf (text, "%s: %s of", chain->ops[s->first].name,
                          g->is_transposed ? "transposed convolution (a data gradient)"
                                           : "forward convolution");
  append_operand (text, spec, s->inputs[0]);
  g_string_append (text, " with");
  append_operand (text, spec, get_param (chain, s->first));
  g_string_append_printf (text, ", cross-correlation, stride %ld, dilation 1, ", g->stride[2]);
  if (g->padding[2] == 0)
    g_string_append (text, "no padding\n");
  else
    g_string_append_printf (text, "padding %ld\n", g->padding[2]);
  append_tail (text, spec, s, "in the same graph, without a tensor between");
  append_output (text, spec, s);
  g_string_append_printf (text, "Math mode: %s\n", name_math (spec->math_mode));
  g_string_append_printf (
      text, "Layout: %s\n",
      describe_layout (layout, spec->problem->tensors[SEAM_TENSOR_OUTPUT (s->last)].type
                                   != SEAM_OPERAND_FP32));
  g_string_append_printf (
      text, "Operations: %s (2 for each of %ld products of an %s)\n", operations,
      (g->is_transposed ? g->k : g->c) * g->kernel[0] * g->kernel[1] * g->kernel[2],
      g->is_transposed ? "input" : "output");
  g_string_append (text, "Engine: the fastest of those that cuDNN proposes, tried before the first "
                         "run and remembered\n");
  if (s->last > s->first)
    g_string_append (text,
                     "An engine that cuDNN proposes may still refuse when it is compiled; the "
                     "group is then cut after the convolution.\n");
  return g_string_free (text, FALSE);
}

char *
source_describe_matmul (const SeamGroupSpec *spec, const SeamSegment *s)
{
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  const SeamMatrixDims sizes = seam_matrix_get_dims (spec->problem, s->first), *d = &sizes;
  g_autofree char *operations = seam_text_flop (2.0 * (double)d->n * (double)d->k * (double)d->c);
  gboolean bias = FALSE, relu = FALSE;
  GString *text = g_string_new ("Library call: cublasLtMatmul (cuBLASLt); its kernels are NVIDIA's "
                                "and have no source here.\n\n");

  for (int op = s->first + 1; op <= s->last; op++) {
    const SeamOpEpilogue epilogue = seam_op_get_info (&chain->ops[op])->epilogue;

    relu = relu || epilogue == SEAM_EPILOGUE_RELU;
    bias = bias || epilogue == SEAM_EPILOGUE_BIAS;
  }
  g_string_append_printf (text, "%s:", chain->ops[s->first].name);
  append_operand (text, spec, s->inputs[0]);
  g_string_append (text, " times");
  append_operand (text, spec, get_param (chain, s->first));
  g_string_append (text, " transposed\n");
  append_tail (text, spec, s, "in the epilogue");
  append_output (text, spec, s);
  g_string_append_printf (text, "Math mode: %s\n", name_math (spec->math_mode));
  g_string_append_printf (
      text,
      "Compute type: %s, scale type CUDA_R_32F, operands %s, output %s\n"
      "Epilogue: %s\n",
      seam_math_mode_get_base (spec->math_mode) == SEAM_MATH_TF32 ? "CUBLAS_COMPUTE_32F_FAST_TF32"
                                                                  : "CUBLAS_COMPUTE_32F",
      name_cublas_type (seam_math_mode_get_operand (spec->math_mode)),
      name_cublas_type (spec->problem->tensors[SEAM_TENSOR_OUTPUT (s->last)].type),
      bias && relu ? "CUBLASLT_EPILOGUE_RELU_BIAS"
      : bias       ? "CUBLASLT_EPILOGUE_BIAS"
      : relu       ? "CUBLASLT_EPILOGUE_RELU"
                   : "CUBLASLT_EPILOGUE_DEFAULT");
  g_string_append_printf (text,
                          "Layout: row-major; cuBLASLt counts in columns and gets the weight as "
                          "%" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                          " transposed, the input as %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT
                          ", the output as %" G_GINT64_FORMAT " x %" G_GINT64_FORMAT "\n",
                          d->c, d->k, d->c, d->n, d->k, d->n);
  g_string_append_printf (text, "Operations: %s\n", operations);
  g_string_append (text,
                   "Algorithm: the fastest of the library's first proposals, tried before the "
                   "first run and remembered\n");
  return g_string_free (text, FALSE);
}
