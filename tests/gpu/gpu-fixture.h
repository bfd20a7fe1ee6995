/* SPDX-License-Identifier: MIT
 *
 * Shared by the GPU suites: the GPU, or the reason why there is none, and one execution of a plan.
 */
#pragma once

#include "tests/core/cpu-fixture.h"

static const char *const all_pipelines[] = {
  "conv-relu-bias",
  "gemm-bias-relu",
  "matmul-swish-bias-groupnorm",
  "conv-bias-scale-sigmoid-groupnorm",
  "conv-relu-hardswish",
};

static gboolean quick; /* --quick: fewer shapes, for compute-sanitizer */
static SeamDevice *gpu;
static char *no_gpu;                /* the reason why there is none */
static gboolean output_was_rounded; /* a library rounded it to the operands' type in the last
                                     * execution */

static gboolean
skip_without_gpu (void)
{
  if (gpu == NULL)
    g_test_skip (no_gpu);
  return gpu == NULL;
}

/* Ends the test because `error`, in the caller's measure, is more than `allowed`. Names the
 * element that is furthest off. An element that must stay unwritten is NaN in both outputs. */
static inline void
fail_output (const char *what, const SeamPlan *plan, SeamMathMode math_mode, const float *found,
             const double *expected, gint64 n, double error, double allowed)
{
  double largest = -1;
  gint64 at = 0;

  for (gint64 i = 0; i < n; i++) {
    double distance = fabs (found[i] - expected[i]);
    if (isnan (distance))
      distance = isnan (found[i]) && isnan (expected[i]) ? 0 : INFINITY;
    if (distance > largest) {
      largest = distance;
      at = i;
    }
  }
  g_error ("%s, plan %s, %s: off by %g, allowed %g; element %" G_GINT64_FORMAT
           ": expected %.9g, found %.9g",
           what, plan->notation, seam_math_mode_get_name (math_mode), error, allowed, at,
           expected[at], (double)found[at]);
}

/* Takes --quick out of the arguments, since GLib refuses unknown ones, and opens the GPU. */
static inline void
open_gpu (int *argc, char ***argv)
{
  g_autoptr (GError) error = NULL;
  char *reason = NULL;
  int n = 1;

  for (int i = 1; i < *argc; i++) {
    if (g_str_equal ((*argv)[i], "--quick"))
      quick = TRUE;
    else
      (*argv)[n++] = (*argv)[i];
  }
  *argc = n;
  g_test_init (argc, argv, NULL);
  if (seam_backend_find ("cuda", &reason) == NULL) {
    no_gpu = reason;
    return;
  }
  gpu = seam_backend_open ("cuda:0", &error);
  if (gpu == NULL)
    no_gpu = g_strdup (error->message);
}

static inline void
close_gpu (void)
{
  seam_device_close (gpu);
  g_free (no_gpu);
}

/* The plan's output as the GPU computes it, newly allocated. Every tensor that the plan writes is
 * poisoned after prepare(), which runs candidates, and must then be written by run(). */
static inline float *
run_on_gpu (Fixture *f, const SeamPlan *plan, SeamMathMode math_mode)
{
  const SeamBackend *backend = gpu->backend;
  SeamBuffer *buffers[SEAM_MAX_TENSORS] = { NULL };
  SeamPrepared *groups[SEAM_MAX_OPS] = { NULL };
  gint64 n = fixture_n_outputs (f);
  float *output = g_new (float, n);
  g_autoptr (GError) error = NULL;

  output_was_rounded = FALSE;
  for (int i = 0; i < f->problem->n_tensors; i++) {
    gint64 bytes = f->problem->tensors[i].bytes;
    if (!seam_plan_is_materialised (plan, i))
      continue;
    buffers[i] = backend->allocate (gpu, bytes, &error);
    g_assert_no_error (error);
    if (!fixture_is_op_output (f, i))
      g_assert_true (backend->upload (gpu, buffers[i], 0, f->host[i], bytes, &error));
  }
  for (int i = 0; i < plan->n_groups; i++) {
    SeamGroupSpec spec = { f->problem, plan, i, math_mode };
    SeamSupport support = { 0 };

    backend->supports (gpu, &spec, &support);
    if (support.level == SEAM_SUPPORT_NO)
      g_error ("plan %s, group %d: %s", plan->notation, i, support.reason);
    g_assert_true (support.level == SEAM_SUPPORT_YES || support.reason != NULL);
    seam_support_clear (&support);
    groups[i] = backend->prepare (gpu, &spec, buffers, NULL, &error);
    if (groups[i] == NULL)
      g_error ("plan %s, group %d: %s", plan->notation, i, error->message);
    g_assert_nonnull (backend->get_executed (groups[i]));
    if (backend->get_note (groups[i]) != NULL)
      output_was_rounded = strstr (backend->get_note (groups[i]), "was rounded") != NULL;
  }
  for (int i = 0; i < f->problem->n_tensors; i++)
    if (fixture_is_op_output (f, i) && buffers[i] != NULL)
      g_assert_true (backend->poison (gpu, buffers[i], NULL, &error));
  if (!backend->run (gpu, groups, plan->n_groups, NULL, &error))
    g_error ("plan %s: %s", plan->notation, error->message);
  g_assert_true (backend->download (gpu, output, buffers[SEAM_TENSOR_OUTPUT (f->n_ops - 1)], 0,
                                    n * (gint64)sizeof (float), &error));
  for (int i = 0; i < plan->n_groups; i++)
    backend->free_prepared (gpu, groups[i]);
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    backend->release (gpu, buffers[i]);
  return output;
}

/* A plan in math mode TF32 on tensors of a preset, ready to be run, timed and traced. */
typedef struct {
  Fixture *f;
  SeamPlan *plan;
  SeamBuffer *buffers[SEAM_MAX_TENSORS];
  SeamPrepared *groups[SEAM_MAX_OPS];
} Ready;

static inline void
ready_init (Ready *r, const char *id, const char *preset, const char *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);

  memset (r, 0, sizeof *r);
  r->f = fixture_new (seam_problem_new_from_text (pipeline, preset, NULL, &error));
  r->plan = seam_plan_parse (pipeline, plan, &error);
  g_assert_no_error (error);
  fixture_fill (r->f, 5, SEAM_DISTRIBUTION_UNIFORM);
  for (int i = 0; i < r->f->problem->n_tensors; i++) {
    if (!seam_plan_is_materialised (r->plan, i))
      continue;
    r->buffers[i] = gpu->backend->allocate (gpu, r->f->problem->tensors[i].bytes, &error);
    g_assert_no_error (error);
    if (!fixture_is_op_output (r->f, i))
      gpu->backend->upload (gpu, r->buffers[i], 0, r->f->host[i], r->f->problem->tensors[i].bytes,
                            &error);
    g_assert_no_error (error);
  }
  for (int i = 0; i < r->plan->n_groups; i++) {
    SeamGroupSpec spec = { r->f->problem, r->plan, i, SEAM_MATH_TF32 };
    r->groups[i] = gpu->backend->prepare (gpu, &spec, r->buffers, NULL, &error);
    g_assert_no_error (error);
  }
}

static inline void
ready_clear (Ready *r)
{
  for (int i = 0; i < r->plan->n_groups; i++)
    gpu->backend->free_prepared (gpu, r->groups[i]);
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    gpu->backend->release (gpu, r->buffers[i]);
  seam_plan_unref (r->plan);
  fixture_free (r->f);
}

/* Tests in test-gpu-edit.c and test-gpu-graph.c, for test-gpu. `device` NULL: they are skipped
 * with the reason. */
void gpu_edit_add_tests (SeamDevice *device, char *why_not);
void gpu_graph_add_tests (SeamDevice *device, char *why_not);
