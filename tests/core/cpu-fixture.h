/* SPDX-License-Identifier: MIT
 *
 * Shared by the tests of the CPU backend: a problem with its tensors on an open device, a plan run
 * on it, and the difference of two outputs. Static functions, included by one test program each.
 */
#pragma once

#include "app/backend/backend.h"
#include "app/backend/matrix.h"
#include "app/base/npy.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

typedef struct {
  SeamProblem *problem;
  SeamDevice *device;
  int n_ops;
  SeamMathMode math_mode;        /* type of what is prepared; FP32 at first */
  float *host[SEAM_MAX_TENSORS]; /* input and parameters */
} Fixture;

/* Opening the CPU measures its rates, which takes a fifth of a second: all fixtures of a program
 * share one that is open. */
static SeamDevice *fixture_device;
static int fixture_n_using;

/* Makes the next fixture open the CPU anew, for a test that changes what opening reads. */
static inline void
fixture_close_device (void)
{
  g_assert_cmpint (fixture_n_using, ==, 0);
  if (fixture_device != NULL)
    seam_device_close (fixture_device);
  fixture_device = NULL;
}

/* Takes ownership of the problem. */
static inline Fixture *
fixture_new (SeamProblem *problem)
{
  Fixture *fixture = g_new0 (Fixture, 1);
  g_autoptr (GError) error = NULL;

  if (fixture_device == NULL)
    fixture_device = seam_backend_open ("cpu", &error);
  g_assert_no_error (error);
  fixture->problem = problem;
  fixture->n_ops = problem->pipeline->chains[0].n_ops;
  fixture->device = fixture_device;
  fixture_n_using++;
  return fixture;
}

static inline void
fixture_free (Fixture *fixture)
{
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    g_free (fixture->host[i]);
  seam_problem_free (fixture->problem);
  fixture_n_using--;
  g_free (fixture);
}

static inline gboolean
fixture_is_op_output (const Fixture *fixture, int tensor)
{
  return tensor > SEAM_TENSOR_INPUT && tensor < SEAM_TENSOR_PARAM (fixture->n_ops, 0);
}

static inline gint64
fixture_n_outputs (const Fixture *fixture)
{
  return fixture->problem->tensors[SEAM_TENSOR_OUTPUT (fixture->n_ops - 1)].n_elements;
}

/* Draws input and parameters from a seed. */
static inline void
fixture_fill (Fixture *fixture, guint64 seed, SeamDistribution distribution)
{
  for (int i = 0; i < fixture->problem->n_tensors; i++) {
    if (fixture_is_op_output (fixture, i))
      continue;
    fixture->host[i] = g_new (float, fixture->problem->tensors[i].n_elements);
    seam_problem_fill_tensor (fixture->problem, i, seed, distribution, SEAM_INIT_MODE_SPREAD,
                              fixture->host[i]);
  }
}

/* Converts a host tensor to the type that it has in device memory. Newly allocated. */
static inline void *
fixture_pack (const Fixture *fixture, int tensor)
{
  const SeamTensor *t = &fixture->problem->tensors[tensor];
  unsigned short *packed;

  if (t->type == SEAM_OPERAND_FP32)
    return g_memdup2 (fixture->host[tensor], (gsize)t->bytes);
  packed = g_new (unsigned short, t->n_elements);
  for (gint64 i = 0; i < t->n_elements; i++)
    packed[i] = seam_operand_pack (t->type, fixture->host[tensor][i]);
  return packed;
}

typedef struct {
  SeamBuffer *buffers[SEAM_MAX_TENSORS];
  SeamPrepared *groups[SEAM_MAX_OPS];
  int n_groups;
} Execution;

/* Uploads, poisons every tensor that the plan writes, and prepares its groups. */
static inline void
execution_init (Execution *execution, Fixture *fixture, const SeamPlan *plan, SeamCancel *cancel)
{
  SeamDevice *device = fixture->device;
  const SeamBackend *backend = device->backend;
  g_autoptr (GError) error = NULL;

  memset (execution, 0, sizeof *execution);
  for (int i = 0; i < fixture->problem->n_tensors; i++) {
    gint64 bytes = fixture->problem->tensors[i].bytes;
    if (!seam_plan_is_materialised (plan, i))
      continue;
    execution->buffers[i] = backend->allocate (device, bytes, &error);
    g_assert_no_error (error);
    if (fixture_is_op_output (fixture, i)) {
      g_assert_true (backend->poison (device, execution->buffers[i], NULL, &error));
    } else {
      g_autofree void *data = fixture_pack (fixture, i);
      g_assert_true (backend->upload (device, execution->buffers[i], 0, data, bytes, &error));
    }
  }
  execution->n_groups = plan->n_groups;
  for (int i = 0; i < plan->n_groups; i++) {
    SeamGroupSpec spec = { fixture->problem, plan, i, fixture->math_mode };
    execution->groups[i] = backend->prepare (device, &spec, execution->buffers, cancel, &error);
    g_assert_no_error (error);
    g_assert_nonnull (execution->groups[i]);
  }
}

static inline void
execution_clear (Execution *execution, Fixture *fixture)
{
  for (int i = 0; i < execution->n_groups; i++)
    fixture->device->backend->free_prepared (fixture->device, execution->groups[i]);
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    fixture->device->backend->release (fixture->device, execution->buffers[i]);
}

/* Runs the plan and returns its output, newly allocated. */
static inline float *
fixture_run (Fixture *fixture, const SeamPlan *plan)
{
  const SeamBackend *backend = fixture->device->backend;
  gint64 n = fixture_n_outputs (fixture);
  float *output = g_new (float, n);
  g_autoptr (GError) error = NULL;
  Execution execution;

  execution_init (&execution, fixture, plan, NULL);
  backend->run (fixture->device, execution.groups, execution.n_groups, NULL, &error);
  g_assert_no_error (error);
  backend->download (fixture->device, output,
                     execution.buffers[SEAM_TENSOR_OUTPUT (fixture->n_ops - 1)], 0,
                     n * (gint64)sizeof (float), &error);
  g_assert_no_error (error);
  execution_clear (&execution, fixture);
  return output;
}

/* The FP64 reference's output, newly allocated. */
static inline double *
fixture_reference (Fixture *fixture)
{
  double *output = g_new (double, fixture_n_outputs (fixture));
  g_autoptr (GError) error = NULL;

  for (gint64 i = 0; i < fixture_n_outputs (fixture); i++)
    output[i] = NAN;
  seam_reference_run (fixture->problem, fixture->host, NULL, output, NULL, NULL, NULL, NULL, NULL,
                      &error);
  g_assert_no_error (error);
  return output;
}

/* Rounds a row as kernels do before they multiply it in math mode tf32x. */
static inline void
fixture_scale_row (float *row, gint64 n)
{
  unsigned int largest = 0;

  for (gint64 i = 0; i < n; i++)
    largest = MAX (largest, seam_operand_get_size (row[i]));
  const float scale = seam_operand_get_scale (largest);
  for (gint64 i = 0; i < n; i++)
    row[i] = seam_operand_round_fp16 (row[i] * scale) * seam_operand_invert_scale (scale);
}

/* The FP64 reference of input and weight rounded to the math mode's type, in tf32x row by row.
 * The math mode promises this result but for FP32's own errors. The fixture's tensors stay
 * unchanged. */
static inline double *
fixture_reference_of_operands (Fixture *f, SeamMathMode mode)
{
  const SeamOperandType type = seam_math_mode_get_operand (mode);
  const int rounded[] = { SEAM_TENSOR_INPUT, SEAM_TENSOR_PARAM (f->n_ops, 0) };
  float *kept[G_N_ELEMENTS (rounded)];
  double *reference;

  for (gsize i = 0; i < G_N_ELEMENTS (rounded); i++) {
    gint64 n = f->problem->tensors[rounded[i]].n_elements;
    gint64 row = n / f->problem->tensors[rounded[i]].shape.dims[0];

    kept[i] = f->host[rounded[i]];
    f->host[rounded[i]] = g_memdup2 (kept[i], (gsize)n * sizeof (float));
    for (gint64 j = 0; j < n; j++)
      f->host[rounded[i]][j] = seam_operand_round (type, kept[i][j]);
    for (gint64 j = 0; j < n && seam_math_mode_is_scaled (mode); j += row)
      fixture_scale_row (&f->host[rounded[i]][j], row);
  }
  reference = fixture_reference (f);
  for (gsize i = 0; i < G_N_ELEMENTS (rounded); i++) {
    g_free (f->host[rounded[i]]);
    f->host[rounded[i]] = kept[i];
  }
  return reference;
}

/* Loads tests/golden/PIPELINE/caseN and its FP64 output; NULL when there is no such case. */
static inline Fixture *
fixture_new_golden (const char *id, int number, double **expected)
{
  g_autofree char *folder =
      g_strdup_printf ("%s/%s/case%d", g_getenv ("SEAMSCOPE_TEST_GOLDEN"), id, number);
  g_autofree char *json = g_build_filename (folder, "case.json", NULL);
  g_autofree char *output_path = g_build_filename (folder, "output_f64.npy", NULL);
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GString) shape = g_string_new (NULL);
  g_autoptr (GError) error = NULL;

  if (!g_file_test (json, G_FILE_TEST_EXISTS))
    return NULL;
  g_assert_true (json_parser_load_from_file (parser, json, &error));
  JsonObject *object =
      json_object_get_object_member (json_node_get_object (json_parser_get_root (parser)), "shape");
  g_autoptr (GList) keys = json_object_get_members (object);
  for (GList *key = keys; key != NULL; key = key->next)
    if (strcmp (key->data, "affine") != 0)
      g_string_append_printf (shape, "%s%s=%" G_GINT64_FORMAT, shape->len > 0 ? "," : "",
                              (char *)key->data, json_object_get_int_member (object, key->data));

  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, shape->str, &error);
  g_assert_no_error (error);
  Fixture *fixture = fixture_new (problem);
  for (int i = 0; i < problem->n_tensors; i++) {
    if (fixture_is_op_output (fixture, i))
      continue;
    g_autofree char *path = g_strdup_printf ("%s/%s.npy", folder, problem->tensors[i].name);
    g_autoptr (SeamNpy) npy = seam_npy_read (path, &error);
    g_assert_no_error (error);
    g_assert_cmpint (npy->n_elements, ==, problem->tensors[i].n_elements);
    g_assert_false (npy->is_double);
    fixture->host[i] = g_steal_pointer (&npy->data);
  }
  g_autoptr (SeamNpy) output = seam_npy_read (output_path, &error);
  g_assert_no_error (error);
  g_assert_true (output->is_double);
  g_assert_cmpint (output->n_elements, ==, fixture_n_outputs (fixture));
  *expected = g_steal_pointer (&output->data);
  return fixture;
}

/* --- How far an FP32 result may be from the FP64 reference --- */

static inline double
fixture_max_abs (const Fixture *fixture, int tensor)
{
  double largest = 0;
  for (gint64 i = 0; i < fixture->problem->tensors[tensor].n_elements; i++)
    largest = MAX (largest, fabs ((double)fixture->host[tensor][i]));
  return largest;
}

/* Largest sum of |weight| over an output channel. */
static inline double
fixture_max_row_sum (const Fixture *fixture, int tensor)
{
  gint64 k = seam_matrix_get_dims (fixture->problem, 0).k;
  gint64 depth = fixture->problem->tensors[tensor].n_elements / k;
  double largest = 0;
  for (gint64 i = 0; i < k; i++) {
    double sum = 0;
    for (gint64 j = 0; j < depth; j++)
      sum += fabs ((double)fixture->host[tensor][i * depth + j]);
    largest = MAX (largest, sum);
  }
  return largest;
}

/* Largest 1 / sqrt (variance + epsilon) of the values [n, k, plane] that go into the groupnorm, and
 * the largest normalised value. */
static inline double
fixture_max_rstd (const Fixture *fixture, const float *values, double *normalized)
{
  gint64 n, k, plane;
  double largest = 0;
  *normalized = 0;
  const SeamShapeView view = seam_problem_get_output_view (fixture->problem);
  n = view.outer;
  k = view.channels;
  plane = view.inner;
  gint64 count = k / seam_problem_get_n_groups (fixture->problem) * plane;
  for (gint64 group = 0; group < n * seam_problem_get_n_groups (fixture->problem); group++) {
    double mean = 0, variance = 0;
    for (gint64 i = 0; i < count; i++)
      mean += values[group * count + i] / (double)count;
    for (gint64 i = 0; i < count; i++)
      variance += pow (values[group * count + i] - mean, 2) / (double)count;
    double rstd = 1 / sqrt (variance + SEAM_GROUPNORM_EPSILON);
    largest = MAX (largest, rstd);
    for (gint64 i = 0; i < count; i++)
      *normalized = MAX (*normalized, fabs (values[group * count + i] - mean) * rstd);
  }
  return largest;
}

/* A custom pipeline, in which a product after the groupnorm reads a value from before it. */
static const char *const fixture_product_over_norm G_GNUC_UNUSED =
    "[pipeline]\n"
    "title=Residual product\n"
    "description=A product over a groupnorm.\n"
    "source=test\n"
    "ops=conv;sigmoid;groupnorm;mul;relu;\n"
    "[field batch]\nlabel=batch\nunit=\nmin=1\nmax=100\n"
    "[field in_channels]\nlabel=in_channels\nunit=\nmin=1\nmax=100\n"
    "[field out_channels]\nlabel=out_channels\nunit=\nmin=1\nmax=100\n"
    "[field height]\nlabel=height\nunit=\nmin=1\nmax=100\n"
    "[field width]\nlabel=width\nunit=\nmin=1\nmax=100\n"
    "[field kernel_size]\nlabel=kernel_size\nunit=\nmin=1\nmax=100\n"
    "[field groups]\nlabel=groups\nunit=\nmin=1\nmax=100\n"
    "[param w]\nrole=conv-weight\ninit=fan-in\n"
    "[param g]\nrole=vector\ninit=normal\n"
    "[param b]\nrole=vector\ninit=normal\n"
    "[op conv]\ntype=conv2d\nweight=w\n"
    "[op sigmoid]\ntype=sigmoid\n"
    "[op groupnorm]\ntype=groupnorm\nweight=g\nbias=b\n"
    "[op mul]\ntype=multiply_tensor\noperand=conv\n"
    "[op relu]\ntype=relu\n"
    "[preset tiny]\nbatch=3\nin_channels=4\nout_channels=6\nheight=33\n"
    "width=47\nkernel_size=3\ngroups=2\n";

/* Bounds of |FP32 - reference| of each op's output, into `bound` [n_ops], by running error
 * analysis: for every op the largest value and the largest error so far, each op adding its own
 * rounding (u = 2^-24). A sum of L products in any order errs by at most L u times the sum of their
 * magnitudes. `before_norm` are the values that go into the groupnorm, or NULL. */
static inline void
fixture_error_bounds (const Fixture *fixture, const SeamChain *chain, const float *before_norm,
                      double *bound)
{
  const double u = ldexp (1, -24);
  const SeamMatrixDims sizes = seam_matrix_get_dims (fixture->problem, 0), *d = &sizes;
  double value[SEAM_MAX_OPS];

  for (int i = 0; i < chain->n_ops; i++) {
    const SeamOp *op = &chain->ops[i];
    double m = i > 0 ? value[i - 1] : 0, e = i > 0 ? bound[i - 1] : 0;
    int param = op->params[0] < 0 ? -1 : SEAM_TENSOR_PARAM (chain->n_ops, op->params[0]);
    double v = param < 0 || i == 0 ? 0 : fixture_max_abs (fixture, param);
    switch (op->type) {
    case SEAM_OP_CONV2D:
    case SEAM_OP_MATMUL:
      value[i] =
          fixture_max_abs (fixture, SEAM_TENSOR_INPUT) * fixture_max_row_sum (fixture, param);
      bound[i] = (double)(d->c * d->r * d->r) * u * value[i];
      continue;
    case SEAM_OP_ADD_CHANNEL:
      m += v;
      break;
    case SEAM_OP_MULTIPLY_CHANNEL:
      m *= v;
      e *= v;
      break;
    case SEAM_OP_ADD_SCALAR:
      m += fabs (op->scalars[0]);
      break;
    case SEAM_OP_DIVIDE_SCALAR:
      m /= fabs (op->scalars[0]);
      e /= fabs (op->scalars[0]);
      break;
    case SEAM_OP_CLAMP:
      m = MIN (m, MAX (fabs (op->scalars[0]), fabs (op->scalars[1])));
      break;
    case SEAM_OP_RELU:
      break;
    case SEAM_OP_SUB_CHANNEL:
      m += v;
      break;
    case SEAM_OP_SUB_SCALAR:
      m += fabs (op->scalars[0]);
      break;
    case SEAM_OP_MUL_SCALAR:
      m *= fabs (op->scalars[0]);
      e *= fabs (op->scalars[0]);
      break;
    case SEAM_OP_MIN_SCALAR:
      m = MAX (m, fabs (op->scalars[0]));
      break;
    case SEAM_OP_ADD_TENSOR:
      e += bound[op->inputs[1] - 1];
      m += value[op->inputs[1] - 1];
      break;
    case SEAM_OP_TANH:
      m = 1;
      e += 4 * u;
      break;
    case SEAM_OP_GELU: /* slopes below 1.13, 1.09 and 1.5 */
    case SEAM_OP_MISH:
    case SEAM_OP_HARDSWISH:
      e = 1.5 * e + 8 * u * m;
      break;
    case SEAM_OP_LEAKY_RELU:
    case SEAM_OP_SOFTPLUS: {
      const double slope = op->type == SEAM_OP_LEAKY_RELU ? MAX (1, fabs (op->scalars[0])) : 1;
      m = m * slope + (op->type == SEAM_OP_SOFTPLUS ? 0.7 / fabs (op->scalars[0]) : 0);
      e = e * slope + 4 * u * m;
      break;
    }
    case SEAM_OP_SIGMOID: /* slope at most 1/4; the vector exp() errs by about 2 u */
      m = 1;
      e = e / 4 + 4 * u;
      break;
    case SEAM_OP_MULTIPLY_TENSOR:
      e = e * value[op->inputs[1] - 1] + bound[op->inputs[1] - 1] * m;
      m *= value[op->inputs[1] - 1];
      break;
    case SEAM_OP_GROUPNORM: {
      /* (x - mean) rstd: errors of x and of the mean count 1 / sigma; the relative error of rstd is
       * as large and counts by the normalised value. */
      double normalized;
      double rstd = fixture_max_rstd (fixture, before_norm, &normalized);
      double count = (double)(d->k / d->groups * d->p * d->q);
      double bias = fixture_max_abs (fixture, SEAM_TENSOR_PARAM (chain->n_ops, op->params[1]));
      /* A group of one value is its own mean: x - mean is 0 whatever x is. */
      if (count == 1)
        e = normalized = 0;
      else
        e = (2 * e + 3 * u * m) * rstd * (1 + normalized) * v;
      m = normalized * v + bias;
      break;
    }
    default:
      g_assert_not_reached ();
    }
    value[i] = m;
    bound[i] = e + 2 * u * m;
  }
}

/* The error bound of the chain's output. */
static inline double
fixture_error_bound (const Fixture *fixture, const SeamChain *chain, const float *before_norm)
{
  double bound[SEAM_MAX_OPS];

  fixture_error_bounds (fixture, chain, before_norm, bound);
  return bound[chain->n_ops - 1];
}

/* The values that go into the chain's groupnorm, as the CPU computes them; NULL without one. */
static inline float *
fixture_before_norm (Fixture *fixture, int chain)
{
  const SeamChain *ops = &fixture->problem->pipeline->chains[chain];
  int norm = -1;
  for (int i = 0; i < ops->n_ops; i++)
    if (ops->ops[i].type == SEAM_OP_GROUPNORM)
      norm = i;
  if (norm < 0)
    return NULL;

  g_autoptr (SeamPlan) plan = seam_plan_new (fixture->problem->pipeline, chain, 0);
  g_autoptr (GError) error = NULL;
  gint64 n = fixture_n_outputs (fixture);
  float *values = g_new (float, n);
  Execution execution;
  execution_init (&execution, fixture, plan, NULL);
  g_assert_true (fixture->device->backend->run (fixture->device, execution.groups,
                                                execution.n_groups, NULL, &error));
  g_assert_true (fixture->device->backend->download (
      fixture->device, values, execution.buffers[SEAM_TENSOR_OUTPUT (norm - 1)], 0,
      n * (gint64)sizeof (float), &error));
  execution_clear (&execution, fixture);
  return values;
}

/* Largest |a - b|; infinity when either holds a NaN, so that NaN fails every bound. */
static inline double
fixture_max_difference (const float *a, const double *b, gint64 n)
{
  double largest = 0;
  for (gint64 i = 0; i < n; i++) {
    double distance = fabs (a[i] - b[i]);
    if (!(distance <= largest))
      largest = isnan (distance) ? INFINITY : distance;
  }
  return largest;
}
