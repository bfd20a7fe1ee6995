/* SPDX-License-Identifier: MIT
 *
 * The FP64 reference that a GPU computes, and its bounds, beside the host's, which
 * tests/cli/level2.py holds against PyTorch: all problems of level 2, FP32 and 16 bits in memory,
 * for one output and for the distance of two, all samples at once and in parts. Without a GPU every
 * case is skipped with the reason.
 */
#include "tests/gpu/gpu-fixture.h"

/* Every so many problems has tensors of 16 bits. */
#define BF16_STRIDE 5

static GPtrArray *pipelines;
static int n_in_parts, n_refused;

/* Rounds values to bf16 and returns their upper halves, newly allocated. */
static unsigned short *
pack_bf16 (float *values, gint64 n)
{
  unsigned short *packed = g_new (unsigned short, n);

  for (gint64 i = 0; i < n; i++) {
    guint32 bits;
    memcpy (&bits, &values[i], sizeof bits);
    packed[i] = (unsigned short)(bits >> 16);
    bits &= 0xffff0000;
    memcpy (&values[i], &bits, sizeof bits);
  }
  return packed;
}

static void
upload (Fixture *f, SeamBuffer **buffers)
{
  const SeamBackend *backend = gpu->backend;
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < f->problem->n_tensors; i++) {
    const SeamTensor *tensor = &f->problem->tensors[i];
    g_autofree unsigned short *packed = NULL;

    if (fixture_is_op_output (f, i))
      continue;
    if (tensor->type != SEAM_OPERAND_FP32)
      packed = pack_bf16 (f->host[i], tensor->n_elements);
    buffers[i] = backend->allocate (gpu, tensor->bytes, &error);
    g_assert_no_error (error);
    backend->upload (gpu, buffers[i], 0, packed != NULL ? (void *)packed : f->host[i],
                     tensor->bytes, &error);
    g_assert_no_error (error);
  }
}

/* Largest distance of two numbers relative to the largest number; infinity if one is not finite
 * where the other is. */
static double
find_distance (gint64 n, const double *a, const double *b)
{
  double distance = 0, size = 0;

  for (gint64 i = 0; i < n; i++) {
    if (isfinite (a[i]) && isfinite (b[i])) {
      distance = MAX (distance, fabs (a[i] - b[i]));
      size = MAX (size, fabs (b[i]));
    } else if (isfinite (a[i]) != isfinite (b[i])) {
      return INFINITY;
    }
  }
  return size > 0 ? distance / size : distance;
}

/* Largest distance of two bounds, each relative to its own size. */
static double
find_bound_distance (gint64 n, const float *a, const float *b)
{
  double distance = 0;

  for (gint64 i = 0; i < n; i++)
    if (isfinite (a[i]) && isfinite (b[i]))
      distance = MAX (distance, fabs ((double)a[i] - (double)b[i]) / (double)MAX (b[i], 1e-30f));
    else if (isfinite (a[i]) != isfinite (b[i]))
      return INFINITY;
  return distance;
}

/* A GPU with little memory: it has no more than this for one tensor. */
static gint64 most_bytes;

static SeamBuffer *
allocate_little (SeamDevice *device, gint64 bytes, GError **error)
{
  return bytes <= most_bytes
             ? seam_backend_find ("cuda", NULL)->allocate (device, bytes, error)
             : seam_fail_null (error, SEAM_ERROR_MEMORY, "There is not enough memory.");
}

/* As check(), with half the memory that the largest value needs: in parts, or refused. */
static gboolean
run_in_parts (Fixture *f, SeamBuffer *const *buffers, const SeamBoundRule *rule, SeamBuffer *output,
              SeamBuffer *narrow, SeamReferenceUse *use, GError **error)
{
  const SeamBackend *backend = gpu->backend;
  SeamBackend little = *backend;
  gint64 largest = f->problem->tensors[SEAM_TENSOR_INPUT].n_elements;

  for (int i = 0; i < f->n_ops; i++)
    largest = MAX (largest, f->problem->tensors[SEAM_TENSOR_OUTPUT (i)].n_elements);
  most_bytes = MAX (largest * (gint64)sizeof (double) / 2, (gint64)sizeof (double));
  little.allocate = allocate_little;
  gpu->backend = &little;
  const gboolean good = seam_device_reference (gpu, f->problem, buffers, rule, output, narrow, use,
                                               NULL, NULL, NULL, error);
  gpu->backend = backend;
  return good;
}

static void
check (Fixture *f, SeamBuffer *const *buffers, int sides, gboolean in_parts)
{
  const SeamBackend *backend = gpu->backend;
  const gint64 n = fixture_n_outputs (f);
  const gboolean keeps = sides == 1;
  g_autofree double *expected = g_new (double, n), *found = g_new0 (double, n);
  g_autofree float *bounds = g_new (float, n), *found_bounds = g_new (float, n);
  g_autoptr (GError) error = NULL;
  SeamReferenceUse use = { 0 }, found_use = { 0 };
  SeamBoundRule rule;

  seam_bound_rule_init (&rule, f->problem, f->math_mode, sides);
  seam_reference_run (f->problem, f->host, &rule, expected, bounds, &use, NULL, NULL, NULL, &error);
  g_assert_no_error (error);
  SeamBuffer *output = backend->allocate (gpu, n * (gint64)sizeof *found, &error);
  SeamBuffer *narrow = backend->allocate (gpu, n * (gint64)sizeof *found_bounds, &error);
  g_assert_no_error (error);
  backend->poison (gpu, output, NULL, &error);
  backend->poison (gpu, narrow, NULL, &error);
  if (in_parts)
    run_in_parts (f, buffers, &rule, output, narrow, &found_use, &error);
  else
    seam_device_reference (gpu, f->problem, buffers, &rule, keeps ? output : NULL, narrow,
                           &found_use, NULL, NULL, NULL, &error);
  if (g_error_matches (error, SEAM_ERROR, SEAM_ERROR_MEMORY) && in_parts) {
    n_refused++;
    backend->release (gpu, output);
    backend->release (gpu, narrow);
    return;
  }
  g_assert_no_error (error);
  n_in_parts += in_parts;
  backend->download (gpu, found, output, 0, n * (gint64)sizeof *found, &error);
  backend->download (gpu, found_bounds, narrow, 0, n * (gint64)sizeof *found_bounds, &error);
  g_assert_no_error (error);
  backend->release (gpu, output);
  backend->release (gpu, narrow);
  const double distance = keeps ? find_distance (n, found, expected) : 0;
  const double bound_distance = find_bound_distance (n, found_bounds, bounds);
  g_test_message ("%s: values %.1e, bounds %.1e", f->problem->pipeline->id, distance,
                  bound_distance);
  g_assert_cmpfloat (distance, <=, 1e-12);
  /* Cancelling sums leave roundings of FP64. */
  g_assert_cmpfloat (bound_distance, <=, 1e-5);
  g_assert_cmpmem (&found_use, sizeof use, &use, sizeof use);
}

static void
test_problem (gconstpointer data)
{
  const int index = GPOINTER_TO_INT (data);
  SeamPipeline *pipeline = g_ptr_array_index (pipelines, index);
  g_autoptr (GError) error = NULL;
  SeamBuffer *buffers[SEAM_MAX_TENSORS] = { NULL };
  Fixture *f;

  if (skip_without_gpu ())
    return;
  SeamProblem *problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_assert_no_error (error);
  f = fixture_new (problem);
  fixture_fill (f, 7, SEAM_DISTRIBUTION_NORMAL);
  if (index % BF16_STRIDE == 0) {
    f->math_mode = SEAM_MATH_BF16;
    seam_problem_set_storage (problem, SEAM_STORAGE_ALL, SEAM_OPERAND_BF16);
  }
  upload (f, buffers);
  for (int sides = 1; sides <= 2; sides++)
    check (f, buffers, sides, FALSE);
  check (f, buffers, 1, TRUE);
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    gpu->backend->release (gpu, buffers[i]);
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  int result;

  open_gpu (&argc, &argv);
  pipelines = seam_pipeline_list_level (&error);
  g_assert_no_error (error);
  for (guint i = 0; i < pipelines->len; i++) {
    g_autofree char *path = g_strdup_printf (
        "/gpu-reference/%s", ((SeamPipeline *)g_ptr_array_index (pipelines, i))->id);
    g_test_add_data_func (path, GINT_TO_POINTER ((int)i), test_problem);
  }
  result = g_test_run ();
  /* Those that are refused have one sample, batch statistics, or a weight larger than all values.
   */
  if (gpu != NULL && result == 0)
    g_assert_cmpint (n_in_parts, >, n_refused);
  g_ptr_array_unref (pipelines);
  close_gpu ();
  return result;
}
