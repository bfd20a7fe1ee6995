/* SPDX-License-Identifier: MIT
 *
 * Every map of the table of ops after every matrix op on the GPU, against the FP64 reference: as a
 * kernel of its own (compiled ahead, and generated), and fused by a library. Chains of maps with
 * different constants, against values of NumPy. GroupNorm over the range of FP32, in one pass and
 * in two. What happens if a library computes something wrong. Without a GPU every case is skipped
 * with the reason.
 */
#include "tests/core/bound-fixture.h"
#include "tests/core/groupnorm-fixture.h"
#include "tests/core/op-chains.h"
#include "tests/gpu/gpu-fixture.h"

static void
test_op (gconstpointer data)
{
  static const char *const implementations[] = { NULL, SEAM_IMPLEMENTATION_GENERATED };
  const int types = GPOINTER_TO_INT (data);
  g_autofree double *reference = NULL;
  Fixture *f;

  if (skip_without_gpu ())
    return;
  f = op_fixture_new (types / SEAM_N_OP_TYPES, types % SEAM_N_OP_TYPES);
  reference = fixture_reference (f);
  for (gsize i = 0; i < G_N_ELEMENTS (implementations); i++)
    for (guint32 seams = 0; seams < 1u << (f->problem->pipeline->chains[0].n_ops - 1); seams++) {
      g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);
      g_autofree float *output = NULL;

      /* A group that begins with a matrix op is a library's, alone or with the ops that the
       * library fuses. */
      for (int group = 0; group < plan->n_groups; group++)
        plan->groups[group].implementation =
            plan->groups[group].first > 0 ? implementations[i] : SEAM_IMPLEMENTATION_LIBRARY;
      output = run_on_gpu (f, plan, SEAM_MATH_FP32);
      op_fixture_check (implementations[i], plan, output, reference, fixture_n_outputs (f));
    }
  fixture_free (f);
}

static OpChains chains;

static void
run_chain (Fixture *f, int chain, guint32 seams, const char *implementation)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);
  g_autofree float *output = NULL;

  plan->groups[0].implementation = SEAM_IMPLEMENTATION_LIBRARY;
  plan->groups[plan->n_groups - 1].implementation = implementation;
  output = run_on_gpu (f, plan, f->math_mode);
  /* Where operands are rounded, generated code takes a fast tanh for a sigmoid. */
  op_chains_check (&chains, f, chain, plan, implementation != NULL ? implementation : "automatic",
                   f->math_mode == SEAM_MATH_FP32 ? 0x1p-20 : 0x1p-9, output);
}

static void
test_chains (gconstpointer data)
{
  const int first = GPOINTER_TO_INT (data);
  const gboolean is_convolution = strcmp (seam_op_type_get_name (first), "conv2d") == 0;

  if (skip_without_gpu ())
    return;
  for (int i = 0; i < (int)chains.chains->len; i++) {
    Fixture *f;
    guint32 all;

    if (!op_chains_takes (&chains, i))
      continue;
    /* cuDNN may round outputs to bf16, too. */
    f = op_chains_fixture (&chains, first, i,
                           i % 2 == 0       ? SEAM_MATH_FP32
                           : is_convolution ? SEAM_MATH_TF32
                                            : SEAM_MATH_BF16,
                           SEAM_STORAGE_FP32);
    all = (1u << (f->n_ops - 1)) - 1;
    run_chain (f, i, 0, NULL);
    /* By cuDNN, or if that takes not all, with generated kernels, which take long to compile. */
    if (op_chains_compiles (&chains, i)
        && (is_convolution || op_chains_has_kind_twice (&chains, i)))
      run_chain (f, i, all, SEAM_IMPLEMENTATION_LIBRARY);
    if (op_chains_compiles (&chains, i) && op_chains_has_kind_twice (&chains, i))
      run_chain (f, i, all & ~1u, SEAM_IMPLEMENTATION_GENERATED);
    fixture_free (f);
  }
}

/* --- Wrong libraries --- */

static gboolean
skip_without_emulation (void)
{
  if (skip_without_gpu ())
    return TRUE;
  if (g_getenv ("SEAMSCOPE_EMULATE_FOLDER") != NULL)
    return FALSE;
  g_test_skip ("Only the stand-ins for the libraries can be asked to be wrong.");
  return TRUE;
}

/* A shape for which no earlier run of the test kept a choice. */
static Fixture *
new_fixture (const char *id, const char *shape)
{
  static int n_made;
  g_autofree char *text =
      g_strdup_printf ("%s=%d", shape, (int)(g_get_real_time () / 1000 % 900) + 40 + n_made++);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  Fixture *f = fixture_new (seam_problem_new_from_text (pipeline, NULL, text, &error));

  g_assert_no_error (error);
  fixture_fill (f, 3, SEAM_DISTRIBUTION_NORMAL);
  return f;
}

/* The plan's output is the reference. */
static void
check_right (Fixture *f, const char *notation)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (f->problem->pipeline, notation, &error);
  g_autofree double *reference = fixture_reference (f);
  g_autofree float *output = NULL;

  g_assert_no_error (error);
  output = run_on_gpu (f, plan, SEAM_MATH_FP32);
  op_fixture_check ("wrong library", plan, output, reference, fixture_n_outputs (f));
}

/* The plan is refused, because the library computes it wrongly. */
static void
check_refused (Fixture *f, const char *notation)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (f->problem->pipeline, notation, &error);
  SeamBuffer *buffers[SEAM_MAX_TENSORS] = { NULL };
  const SeamGroupSpec spec = { f->problem, plan, 0, SEAM_MATH_FP32 };

  g_assert_no_error (error);
  for (int i = 0; i < f->problem->n_tensors; i++)
    if (seam_plan_is_materialised (plan, i)) {
      buffers[i] = gpu->backend->allocate (gpu, f->problem->tensors[i].bytes, &error);
      g_assert_no_error (error);
      if (!fixture_is_op_output (f, i))
        gpu->backend->upload (gpu, buffers[i], 0, f->host[i], f->problem->tensors[i].bytes, &error);
    }
  g_assert_null (gpu->backend->prepare (gpu, &spec, buffers, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "wrongly"));
  for (int i = 0; i < SEAM_MAX_TENSORS; i++)
    gpu->backend->release (gpu, buffers[i]);
}

static void
test_wrong_algorithm (void)
{
  static const char variable[] = "SEAMSCOPE_EMULATE_WRONG_ALGORITHMS";
  static const char *const wrong[] = { "0", "1" };

  if (skip_without_emulation ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (wrong); i++) {
    Fixture *f = new_fixture ("gemm-bias-relu", "batch=5,out_features=7,in_features");
    g_autoptr (GError) error = NULL;

    g_setenv (variable, "01", TRUE);
    check_refused (f, "matmul+bias+relu@cublaslt");
    g_setenv (variable, wrong[i], TRUE);
    check_refused (f, "matmul+bias+relu@cublaslt"); /* the open device remembers */
    seam_device_close (gpu);
    gpu = seam_backend_open ("cuda:0", &error);
    g_assert_no_error (error); /* nothing wrong was kept */
    check_right (f, "matmul+bias+relu@cublaslt");
    check_right (f, "matmul+bias+relu@cublaslt");
    g_unsetenv (variable);
    fixture_free (f);
  }
}

static void
test_wrong_fusion (void)
{
  static const char variable[] = "SEAMSCOPE_EMULATE_WRONG_FUSION";
  Fixture *f;

  if (skip_without_emulation ())
    return;
  f = new_fixture ("conv-bias-scale-sigmoid-groupnorm",
                   "batch=1,in_channels=2,out_channels=4,groups=2,height=9,kernel_size=3,width");
  g_setenv (variable, "1", TRUE);
  check_refused (f, "conv+conv_bias+bias+scale@cudnn|sigmoid|groupnorm");
  check_right (f, "conv+conv_bias+bias+scale|sigmoid|groupnorm");
  g_unsetenv (variable);
  fixture_free (f);
}

static void
test_groupnorm (gconstpointer shape)
{
  static const char *const implementations[] = { NULL, SEAM_IMPLEMENTATION_GENERATED };
  Fixture *f;

  if (skip_without_gpu ())
    return;
  f = groupnorm_fixture_new (strstr (shape, "height") != NULL, shape);
  for (gsize i = 0; i < G_N_ELEMENTS (implementations); i++)
    /* The matrix op alone, since a library's rounding is not the subject. */
    for (guint32 seams = 0; seams < 1u << (f->n_ops - 1); seams += 2) {
      g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);

      for (int group = 0; group < plan->n_groups; group++)
        plan->groups[group].implementation =
            plan->groups[group].first > 0 ? implementations[i] : SEAM_IMPLEMENTATION_LIBRARY;
      for (gsize j = 0; j < G_N_ELEMENTS (spreads); j++) {
        g_autofree float *output = NULL;

        groupnorm_fixture_fill (f, &spreads[j]);
        output = run_on_gpu (f, plan, SEAM_MATH_FP32);
        groupnorm_fixture_check (f, &spreads[j], plan, "gpu", output);
      }
      g_autofree float *spoilt = NULL;
      groupnorm_fixture_spoil (f, NAN);
      spoilt = run_on_gpu (f, plan, SEAM_MATH_FP32);
      groupnorm_fixture_check_spoilt (f, plan, spoilt);
    }
  fixture_free (f);
}

static void
test_bounds (void)
{
  if (skip_without_gpu ())
    return;
  for (gsize i = 0; i < G_N_ELEMENTS (bound_cases); i++)
    bound_check (gpu, bound_cases[i].pipeline, bound_cases[i].mode, bound_cases[i].storage);
}

int
main (int argc, char **argv)
{
  int status;

  open_gpu (&argc, &argv);
  op_chains_init (&chains);
  op_fixture_add_tests ("/gpu-ops", test_op);
  for (int first = 0; first < SEAM_N_OP_TYPES; first++)
    if (seam_op_type_get_info (first)->fuses) {
      g_autofree char *path = g_strconcat ("/gpu-ops/chains/", seam_op_type_get_name (first), NULL);
      g_test_add_data_func (path, GINT_TO_POINTER (first), test_chains);
    }
  g_test_add_func ("/gpu-ops/bounds", test_bounds);
  g_test_add_func ("/gpu-ops/wrong/algorithm", test_wrong_algorithm);
  g_test_add_func ("/gpu-ops/wrong/fusion", test_wrong_fusion);
  g_test_add_data_func ("/gpu-ops/groupnorm/convolution", CONVOLVED_SHAPE, test_groupnorm);
  g_test_add_data_func ("/gpu-ops/groupnorm/matmul", MULTIPLIED_SHAPE, test_groupnorm);
  /* More than the registers of a block hold. */
  g_test_add_data_func ("/gpu-ops/groupnorm/two-passes",
                        "batch=1,in_channels=4,out_channels=4,height=150,width=150,kernel_size=1,"
                        "groups=1",
                        test_groupnorm);
  status = g_test_run ();
  op_chains_clear (&chains);
  close_gpu ();
  return status;
}
