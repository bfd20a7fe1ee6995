/* SPDX-License-Identifier: MIT
 *
 * GroupNorm of numbers whose result is known in closed form: behind an identity matrix, a group
 * holds mean + deviation and mean - deviation in turns, exact in FP32, so that the result is plus
 * or minus 1 / sqrt (1 + epsilon / deviation^2), times the weight, plus the bias. Static functions,
 * included by one test program each.
 */
#pragma once

#include "tests/core/cpu-fixture.h"

typedef struct {
  double mean, deviation;
} Spread;

/* From squares that vanish to a sum that overflows FP32; powers of two, so that they are the same
 * in every math mode, but for the last ones, with a mean of a million deviations. */
static const Spread spreads[] = {
  { 0, 0x1p-100 },        { 0, 0x1p-60 },       { 0, 0x1p-8 },       { 0, 1 },
  { 0, 0x1p40 },          { 0, 0x1p59 },        { 0, 0x1p61 },       { 0, 0x1p63 },
  { 0, 0x1p64 },          { 0, 0x1p100 },       { 0, 0x1p122 },      { 0x1p62, 0x1p62 },
  { 10000, 10.0 / 1024 }, { 0x1p126, 0x1p106 }, { -0x1p80, 0x1p61 },
};
#define N_EXACT_SPREADS 12 /* in every math mode */

#define CONVOLVED_SHAPE                                                                            \
  "batch=2,in_channels=8,out_channels=8,height=24,width=40,kernel_size=1,groups=2"
#define MULTIPLIED_SHAPE "batch=5,in_features=128,out_features=128,groups=2"

/* matrix;bias;norm;last of a convolution or a matmul; bias adds 0 and last too. */
static inline Fixture *
groupnorm_fixture_new (gboolean convolution, const char *shape)
{
  static const char fields[][16] = { "batch",       "in_channels",  "out_channels",
                                     "height",      "width",        "kernel_size",
                                     "in_features", "out_features", "groups" };
  g_autoptr (GString) text = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  g_string_printf (
      text,
      "[pipeline]\ntitle=Norm\ndescription=GroupNorm.\nsource=test\n"
      "ops=first;bias;norm;last;\n[op first]\ntype=%s\nweight=w\n"
      "[op bias]\ntype=add_channel\nvector=zero\n"
      "[op norm]\ntype=groupnorm\nweight=scale\nbias=shift\n"
      "[op last]\ntype=add_channel\nvector=zero\n"
      "[param w]\nrole=%s-weight\ninit=normal\n[param zero]\nrole=vector\ninit=zeros\n"
      "[param scale]\nrole=vector\ninit=ones\n[param shift]\nrole=vector\ninit=zeros\n",
      convolution ? "conv2d" : "matmul", convolution ? "conv" : "matmul");
  for (gsize i = 0; i < G_N_ELEMENTS (fields); i++)
    if (strstr (shape, fields[i]) != NULL)
      g_string_append_printf (text, "[field %s]\nlabel=x\nunit=\nmin=1\nmax=1000\n", fields[i]);
  g_auto (GStrv) sizes = g_strsplit (shape, ",", -1);
  g_autofree char *preset = g_strjoinv ("\n", sizes);
  g_string_append_printf (text, "[preset tiny]\n%s\n", preset);
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text->str, "norm", &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, NULL, &error);
  g_assert_no_error (error);
  Fixture *f = fixture_new (problem);
  fixture_fill (f, 7, SEAM_DISTRIBUTION_UNIFORM);

  const SeamOp *ops = pipeline->chains[0].ops;
  const gint64 k = seam_matrix_get_dims (problem, 0).k;
  float *weight = f->host[SEAM_TENSOR_PARAM (f->n_ops, ops[0].params[0])];
  for (gint64 i = 0; i < k * k; i++)
    weight[i] = i / k == i % k;
  for (gint64 i = 0; i < k; i++) {
    f->host[SEAM_TENSOR_PARAM (f->n_ops, ops[1].params[0])][i] = 0;
    f->host[SEAM_TENSOR_PARAM (f->n_ops, ops[2].params[0])][i] = 2;
    f->host[SEAM_TENSOR_PARAM (f->n_ops, ops[2].params[1])][i] = 0.5f;
  }
  return f;
}

/* +1 or -1: changes with every element, and its rhythm with every channel. */
static inline int
groupnorm_fixture_sign (const Fixture *f, gint64 i)
{
  const gint64 plane =
      seam_matrix_get_dims (f->problem, 0).p * seam_matrix_get_dims (f->problem, 0).q;

  return (i + (plane > 1 ? i / plane : 0)) % 2 == 0 ? 1 : -1;
}

static inline void
groupnorm_fixture_fill (Fixture *f, const Spread *spread)
{
  for (gint64 i = 0; i < fixture_n_outputs (f); i++)
    f->host[SEAM_TENSOR_INPUT][i] =
        (float)(spread->mean + groupnorm_fixture_sign (f, i) * spread->deviation);
}

/* Allows 32 units in the last place of FP32, which is less than what a mean that is off by its
 * last bit does to numbers around 10000. */
static inline void
groupnorm_fixture_check (const Fixture *f, const Spread *spread, const SeamPlan *plan,
                         const char *what, const float *output)
{
  const double size = 2 / sqrt (1 + SEAM_GROUPNORM_EPSILON / spread->deviation / spread->deviation);

  for (gint64 i = 0; i < fixture_n_outputs (f); i++) {
    const double expected = groupnorm_fixture_sign (f, i) * size + 0.5;
    const double allowed = ldexp (1, -19) * (size + 0.5);

    if (!(fabs (output[i] - expected) <= allowed))
      g_error ("%s, plan %s, mean %g, deviation %g: element %" G_GINT64_FORMAT " is %.9g, not %.9g",
               what, plan->notation, spread->mean, spread->deviation, i, (double)output[i],
               expected);
  }
}

/* NaN and infinities in the first sample make all of its groups NaN, and no other. */
static inline void
groupnorm_fixture_spoil (Fixture *f, float number)
{
  groupnorm_fixture_fill (f, &(Spread){ 0, 1 });
  f->host[SEAM_TENSOR_INPUT][3] = number;
}

static inline void
groupnorm_fixture_check_spoilt (const Fixture *f, const SeamPlan *plan, const float *output)
{
  const gint64 n = fixture_n_outputs (f), sample = n / seam_matrix_get_dims (f->problem, 0).n;

  for (gint64 i = 0; i < n; i++)
    if (isfinite (output[i]) == (i < sample))
      g_error ("plan %s: element %" G_GINT64_FORMAT " is %g", plan->notation, i, (double)output[i]);
}
