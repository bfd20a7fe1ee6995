/* SPDX-License-Identifier: MIT
 *
 * The bounds that a device computes, beside those of the FP64 reference; and the same with so
 * little memory that the samples come in parts.
 */
#pragma once

#include "tests/core/cpu-fixture.h"

/* The bounds of the FP64 reference, newly allocated. */
static inline float *
bound_new (const Fixture *f, SeamMathMode mode, int sides)
{
  const gint64 n = fixture_n_outputs (f);
  g_autofree double *values = g_new (double, n);
  float *bounds = g_new (float, n);
  g_autoptr (GError) error = NULL;
  SeamBoundRule rule;

  seam_bound_rule_init (&rule, f->problem, mode, sides);
  seam_reference_run (f->problem, (float *const *)f->host, &rule, values, bounds, NULL, NULL, NULL,
                      NULL, &error);
  g_assert_no_error (error);
  return bounds;
}

static gint64 bound_most_bytes;
static SeamBuffer *(*bound_allocate) (SeamDevice *, gint64, GError **);

static inline SeamBuffer *
bound_allocate_little (SeamDevice *device, gint64 bytes, GError **error)
{
  if (bytes > bound_most_bytes)
    return seam_fail_null (error, SEAM_ERROR_MEMORY, "too much");
  return bound_allocate (device, bytes, error);
}

/* `device` computes in FP32: its bounds are as far off as those of FP16 or bf16 change when the
 * values do by FP32's rounding. */
static inline void
bound_check (SeamDevice *device, const char *id, SeamMathMode mode, SeamStorage storage)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, "tiny", NULL, &error));
  const SeamBackend *const backend = device->backend;
  SeamBackend little = *backend;
  SeamBuffer *buffers[SEAM_MAX_TENSORS] = { NULL };
  const gint64 n = fixture_n_outputs (f);
  g_autofree float *expected = NULL, *found = g_new (float, n);
  float largest = 0;
  SeamBoundRule rule;

  g_assert_no_error (error);
  seam_problem_set_storage (f->problem, storage, seam_math_mode_get_operand (mode));
  fixture_fill (f, 11, SEAM_DISTRIBUTION_NORMAL);
  seam_bound_rule_init (&rule, f->problem, mode, 2);
  expected = bound_new (f, mode, 2);
  for (gint64 i = 0; i < n; i++)
    largest = MAX (largest, expected[i]);
  for (int i = 0; i < f->problem->n_tensors; i++) {
    const gint64 bytes = f->problem->tensors[i].bytes;
    if (fixture_is_op_output (f, i))
      continue;
    g_autofree void *packed = fixture_pack (f, i);
    buffers[i] = backend->allocate (device, bytes, &error);
    g_assert_true (backend->upload (device, buffers[i], 0, packed, bytes, &error));
  }
  SeamBuffer *bounds = backend->allocate (device, n * (gint64)sizeof (float), &error);
  const SeamTensor *tensors = f->problem->tensors;
  const SeamTensor *weight =
      &tensors[SEAM_TENSOR_PARAM (f->n_ops, pipeline->chains[0].ops[0].params[0])];
  const gint64 most =
      MAX (tensors[SEAM_TENSOR_INPUT].n_elements, tensors[SEAM_TENSOR_OUTPUT (0)].n_elements);
  little.allocate = bound_allocate_little;
  bound_allocate = backend->allocate;
  for (int pass = 0; pass < 2; pass++) {
    bound_most_bytes = MAX (weight->n_elements * 4, most * 4 / (1 + pass));
    device->backend = pass > 0 ? &little : backend;
    g_assert_true (backend->poison (device, bounds, NULL, &error));
    seam_device_bound (device, f->problem, &pipeline->chains[0], 0, f->n_ops - 1, buffers, &rule,
                       FALSE, bounds, NULL, &error);
    device->backend = backend;
    g_assert_no_error (error);
    g_assert_true (
        backend->download (device, found, bounds, 0, n * (gint64)sizeof (float), &error));
    for (gint64 i = 0; i < n; i++)
      if (!(fabsf (found[i] - expected[i]) <= 4e-3f * expected[i] + 1e-4f * largest))
        g_error ("%s, %s: bound %" G_GINT64_FORMAT " is %g, not %g", id,
                 seam_math_mode_get_name (mode), i, (double)found[i], (double)expected[i]);
  }
  backend->release (device, bounds);
  for (int i = 0; i < f->problem->n_tensors; i++)
    backend->release (device, buffers[i]);
  fixture_free (f);
}

static const struct {
  const char *pipeline;
  SeamMathMode mode;
  SeamStorage storage;
} bound_cases[] = {
  { "conv-relu-bias", SEAM_MATH_FP16, SEAM_STORAGE_FP32 },
  { "gemm-bias-relu", SEAM_MATH_BF16, SEAM_STORAGE_ALL },
  { "matmul-swish-bias-groupnorm", SEAM_MATH_FP16, SEAM_STORAGE_ALL },
  { "conv-bias-scale-sigmoid-groupnorm", SEAM_MATH_BF16, SEAM_STORAGE_FP32 },
  { "conv-relu-hardswish", SEAM_MATH_BF16, SEAM_STORAGE_FP32 },
};
