/* SPDX-License-Identifier: MIT
 *
 * Groups that oneDNN executes: every form of every group that it takes, in every math mode, against
 * the FP64 reference on random shapes, with the widest instructions and with the narrowest;
 * refusals; the choice between oneDNN and tiles, and how it is kept.
 */
#include "app/backend/cpu/onednn.h"
#include "tests/core/cpu-fixture.h"
#include "tests/core/extent.h"

#include <malloc.h>
#include <sys/resource.h>

static const char *const ids[] = {
  "conv-relu-bias",
  "gemm-bias-relu",
  "matmul-swish-bias-groupnorm",
  "conv-bias-scale-sigmoid-groupnorm",
  "conv-relu-hardswish",
};

/* Odd sizes, and sizes that kernels like. */
static const char *const convolutions[] = {
  "batch=3,in_channels=5,out_channels=14,height=17,width=23,kernel_size=3",
  "batch=2,in_channels=16,out_channels=32,height=18,width=34,kernel_size=3",
  "batch=1,in_channels=8,out_channels=6,height=9,width=40,kernel_size=1",
};
static const char *const products[] = {
  "batch=37,in_features=19,out_features=58",
  "batch=64,in_features=128,out_features=256",
};

static Fixture *
new_fixture (const char *id, const char *shape)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, &error);
  g_assert_no_error (error);
  g_autofree char *text = g_strconcat (
      shape, seam_pipeline_get_field (pipeline, "groups") >= 0 ? ",groups=2" : "", NULL);
  SeamProblem *problem = seam_problem_new_from_text (pipeline, NULL, text, &error);
  g_assert_no_error (error);
  Fixture *fixture = fixture_new (problem);
  fixture_fill (fixture, 11, SEAM_DISTRIBUTION_UNIFORM);
  return fixture;
}

/* The plan whose first group has the first `n` ops, by oneDNN, and no other seam fused. */
static SeamPlan *
new_plan (Fixture *fixture, int n)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (fixture->problem->pipeline, 0, (1u << (n - 1)) - 1);

  return seam_plan_choose (plan, 0, SEAM_IMPLEMENTATION_ONEDNN);
}

/* Runs the plan with its first group in a form and compares the output with the reference. Returns
 * whether oneDNN has the form. */
static gboolean
check_form (Fixture *fixture, const SeamPlan *plan, int form, const double *reference, double bound)
{
  const SeamBackend *backend = fixture->device->backend;
  const SeamGroupSpec spec = { fixture->problem, plan, 0, fixture->math_mode };
  gint64 n = fixture_n_outputs (fixture);
  g_autofree float *output = g_new (float, n);
  g_autoptr (GError) error = NULL;
  SeamOnednn *onednn;
  Execution e;

  execution_init (&e, fixture, plan, NULL);
  onednn = seam_onednn_new (e.groups[0], &spec, form, e.buffers, &error);
  if (onednn == NULL) {
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
    execution_clear (&e, fixture);
    return FALSE;
  }
  seam_onednn_free (e.groups[0]->onednn);
  seam_cpu_use (e.groups[0], onednn, 0);
  backend->run (fixture->device, e.groups, e.n_groups, NULL, &error);
  g_assert_no_error (error);
  backend->download (fixture->device, output, e.buffers[SEAM_TENSOR_OUTPUT (fixture->n_ops - 1)], 0,
                     n * (gint64)sizeof (float), &error);
  g_assert_no_error (error);
  double distance = fixture_max_difference (output, reference, n);
  if (!(distance <= bound))
    g_error ("%s, %s, form %d: off by %g from the reference, bound %g", plan->notation,
             seam_math_mode_get_name (fixture->math_mode), form, distance, bound);
  execution_clear (&e, fixture);
  return TRUE;
}

/* Every group of the pipeline that oneDNN takes, in every form; returns how many ran. */
static int
check_shape (const char *id, const char *shape, SeamMathMode mode)
{
  Fixture *fixture = new_fixture (id, shape);
  g_autofree float *before_norm = fixture_before_norm (fixture, 0);
  double bound = fixture_error_bound (fixture, &fixture->problem->pipeline->chains[0], before_norm);
  gboolean is_exact = seam_math_mode_get_product (mode) == SEAM_OPERAND_FP32;
  g_autofree double *reference =
      is_exact ? fixture_reference (fixture) : fixture_reference_of_operands (fixture, mode);
  int n_run = 0;

  fixture->math_mode = mode;
  for (int n = 1; n <= fixture->n_ops; n++) {
    g_autoptr (SeamPlan) plan = new_plan (fixture, n);
    const SeamGroupSpec spec = { fixture->problem, plan, 0, mode };
    g_autofree char *reason = NULL;
    int n_forms = 0;

    if (!seam_onednn_supports (&spec, NULL, &reason)) {
      g_assert_nonnull (reason);
      continue;
    }
    for (int form = 0; form < seam_onednn_count_forms (&spec); form++)
      n_forms += check_form (fixture, plan, form, reference, bound);
    g_assert_cmpint (n_forms, >=, 1);
    n_run += n_forms;
  }
  fixture_free (fixture);
  return n_run;
}

static void
check_mode (SeamMathMode mode)
{
  int n_run = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (ids); i++) {
    gboolean is_convolution = g_str_has_prefix (ids[i], "conv");
    const char *const *shapes = is_convolution ? convolutions : products;

    for (gsize j = 0; j < (is_convolution ? G_N_ELEMENTS (convolutions) : G_N_ELEMENTS (products));
         j++)
      n_run += check_shape (ids[i], shapes[j], mode);
  }
  g_test_message ("%s: %d groups and forms", seam_math_mode_get_name (mode), n_run);
  g_assert_cmpint (n_run, >=, 50);
}

static void
test_forms (gconstpointer mode)
{
  check_mode ((SeamMathMode)GPOINTER_TO_INT (mode));
}

/* A processor without AVX. */
static void
test_narrow (void)
{
  if (g_test_subprocess ()) {
    g_assert_cmpstr (seam_onednn_get_isa (), ==, "SSE4.1");
    g_assert_false (seam_onednn_has_bf16 ());
    check_mode (SEAM_MATH_FP32);
    check_mode (SEAM_MATH_BF16);
    return;
  }
#if defined(__x86_64__)
  g_setenv ("ONEDNN_MAX_CPU_ISA", "SSE41", TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_unsetenv ("ONEDNN_MAX_CPU_ISA");
  g_test_trap_assert_passed ();
#else
  g_test_skip ("The narrowest instructions of this processor are unknown.");
#endif
}

static void
refuse (const char *id, const char *text, int group, const char *words)
{
  Fixture *fixture =
      new_fixture (id, g_str_has_prefix (id, "conv") ? convolutions[0] : products[0]);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (fixture->problem->pipeline, text, &error);
  SeamSupport support;

  g_assert_no_error (error);
  const SeamGroupSpec spec = { fixture->problem, plan, group, SEAM_MATH_FP32 };
  seam_backend_cpu.supports (fixture->device, &spec, &support);
  g_assert_cmpint (support.level, ==, SEAM_SUPPORT_NO);
  if (strstr (support.reason, words) == NULL)
    g_error ("%s: “%s” does not say “%s”", text, support.reason, words);
  seam_support_clear (&support);
  fixture_free (fixture);
}

static void
test_refusals (void)
{
  refuse ("gemm-bias-relu", "matmul|bias+relu@onednn", 1, "starts with");
  refuse (ids[2], "matmul+matmul_bias+sigmoid+mul+bias+groupnorm@onednn", 0, "groupnorm");
  /* Swish is one post-op, but the product alone is none. */
  refuse (ids[2], "matmul+matmul_bias+sigmoid@onednn|mul|bias|groupnorm", 0, "another one");
  refuse ("gemm-bias-relu", "half-sums:matmul+bias+relu@onednn", 0, "on purpose");
}

static SeamCpuWay
get_way (Fixture *fixture, const char *text, SeamSupport *support)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = seam_plan_parse (fixture->problem->pipeline, text, &error);
  const SeamGroupSpec spec = { fixture->problem, plan, 0, SEAM_MATH_FP32 };

  g_assert_no_error (error);
  seam_backend_cpu.supports (fixture->device, &spec, support);
  g_assert_cmpint (support->level, ==, SEAM_SUPPORT_YES);
  return seam_cpu_choose_way (fixture->device, &spec);
}

/* Ways are tried once; what was found is kept for this and every later device. What makes a number
 * of NaN is used only if the plan asks for a library. */
static void
test_choice (void)
{
  Fixture *fixture = new_fixture ("gemm-bias-relu", "batch=256,in_features=256,out_features=512");
  SeamSupport support;

  g_assert_cmpint (get_way (fixture, "matmul+bias+relu", &support), ==, SEAM_CPU_BY_TILES);
  seam_support_clear (&support);
  g_assert_cmpint (get_way (fixture, "matmul+bias+relu@library", &support), ==, SEAM_CPU_BY_ONEDNN);
  g_assert_nonnull (strstr (support.reason, "NaN"));
  seam_support_clear (&support);
  g_assert_cmpint (get_way (fixture, "matmul+bias|relu", &support), ==, SEAM_CPU_BY_TRYING);
  g_assert_null (support.reason);
  seam_support_clear (&support);

  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan =
      seam_plan_parse (fixture->problem->pipeline, "matmul+bias|relu", &error);
  g_autofree float *output = fixture_run (fixture, plan);
  SeamCpuWay way = get_way (fixture, "matmul+bias|relu", &support);
  g_assert_cmpint (way, !=, SEAM_CPU_BY_TRYING);
  g_assert_cmpstr (support.implementation, ==,
                   way == SEAM_CPU_BY_ONEDNN ? SEAM_IMPLEMENTATION_ONEDNN : "cpu");
  Execution e;
  execution_init (&e, fixture, plan, NULL);
  g_assert_cmpstr (seam_backend_cpu.get_executed (e.groups[0]), ==, support.implementation);
  execution_clear (&e, fixture);
  seam_support_clear (&support);
  fixture_free (fixture);
  fixture_close_device ();

  fixture = new_fixture ("gemm-bias-relu", "batch=256,in_features=256,out_features=512");
  g_assert_cmpint (get_way (fixture, "matmul+bias|relu", &support), ==, way);
  seam_support_clear (&support);
  fixture_free (fixture);
}

/* A trace has a record for every reorder, and their times and bytes. */
static void
test_trace (void)
{
  Fixture *fixture = new_fixture ("conv-relu-bias", convolutions[1]);
  g_autoptr (SeamPlan) plan = new_plan (fixture, 2);
  const SeamGroupSpec spec = { fixture->problem, plan, 0, SEAM_MATH_FP32 };
  g_autoptr (GError) error = NULL;
  Execution e;

  execution_init (&e, fixture, plan, NULL);
  for (int form = 0; form < seam_onednn_count_forms (&spec); form++) {
    SeamOnednn *onednn = seam_onednn_new (e.groups[0], &spec, form, e.buffers, NULL);
    int n_copies = 0, n_groups = 0;

    if (onednn == NULL)
      continue;
    seam_onednn_free (e.groups[0]->onednn);
    seam_cpu_use (e.groups[0], onednn, 0);
    g_autoptr (SeamTrace) trace =
        seam_backend_cpu.trace (fixture->device, e.groups, 1, FALSE, &error);
    g_assert_no_error (error);
    for (guint i = 0; i < trace->records->len; i++) {
      const SeamTraceRecord *record = &g_array_index (trace->records, SeamTraceRecord, i);

      g_assert_cmpstr (record->implementation, ==, SEAM_IMPLEMENTATION_ONEDNN);
      g_assert_cmpfloat (record->duration_ns, >, 0);
      g_assert_cmpfloat (record->bytes, >, 0);
      n_copies += record->is_copy;
      n_groups += !record->is_copy;
    }
    g_assert_cmpint (n_groups, ==, 1);
    g_assert_cmpint (n_copies, ==, e.groups[0]->n_parts - 1);
  }
  execution_clear (&e, fixture);
  fixture_free (fixture);
}

/* Without memory for another layout there is a sentence. */
static void
test_memory (void)
{
  if (EXTENT_IS_SANITIZED) {
    g_test_skip ("AddressSanitizer reserves terabytes of address space");
    return;
  }
  if (g_test_subprocess ()) {
    /* Large blocks go back to the system when they are freed, and do not serve again; the room that
     * glibc reserves for other threads does not serve either. */
    mallopt (M_MMAP_THRESHOLD, 1 << 20);
    mallopt (M_ARENA_MAX, 1);
    Fixture *fixture =
        new_fixture ("conv-relu-bias",
                     "batch=4,in_channels=16,out_channels=64,height=130,width=130,kernel_size=3");
    g_autoptr (SeamPlan) plan = new_plan (fixture, 1);
    const SeamGroupSpec spec = { fixture->problem, plan, 0, SEAM_MATH_FP32 };
    g_autoptr (GError) error = NULL;
    Execution e;

    execution_init (&e, fixture, plan, NULL);
    struct rlimit limit = { 1 << 20, 1 << 20 };
    g_assert_cmpint (setrlimit (RLIMIT_AS, &limit), ==, 0);
    for (int form = 1; form < seam_onednn_count_forms (&spec); form++) {
      seam_onednn_free (seam_onednn_new (e.groups[0], &spec, form, e.buffers, &error));
      if (g_error_matches (error, SEAM_ERROR, SEAM_ERROR_MEMORY))
        exit (0);
      g_clear_error (&error);
    }
    exit (1);
  }
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_DEFAULT);
  g_test_trap_assert_passed ();
}

static void
test_kept (void)
{
  g_autoptr (SeamChoices) one = seam_choices_new ("One [processor], 2 threads");
  g_autoptr (SeamChoices) two = seam_choices_new ("Another processor");
  g_autoptr (SeamChoices) again = NULL;

  g_assert_cmpint (seam_choices_get (one, "matmul"), ==, -1);
  seam_choices_set (one, "matmul", 0);
  seam_choices_set (one, "conv", 3);
  seam_choices_set (one, "conv", 2);
  g_assert_cmpint (seam_choices_get (one, "matmul"), ==, 0);
  g_assert_cmpint (seam_choices_get (two, "matmul"), ==, -1);
  again = seam_choices_new ("One [processor], 2 threads");
  g_assert_cmpint (seam_choices_get (again, "matmul"), ==, 0);
  g_assert_cmpint (seam_choices_get (again, "conv"), ==, 2);

  /* What is refused is known in memory only. */
  seam_choices_refuse (one, "conv", 1);
  g_assert_true (seam_choices_is_refused (one, "conv", 1));
  g_assert_true (seam_choices_is_refused (one, "conv", -1));
  g_assert_false (seam_choices_is_refused (one, "conv", 2));
  g_assert_false (seam_choices_is_refused (one, "matmul", -1));
  g_assert_false (seam_choices_is_refused (again, "conv", 1));

  g_autofree char *path =
      g_build_filename (g_get_user_cache_dir (), "seamscope", "choices.ini", NULL);
  /* Choices of another version are not read, and discarded with the next one that is kept. */
  g_autofree char *text = NULL;
  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  g_assert_nonnull (strstr (text, "\nversion=2\n"));
  g_autofree char *old = g_strdup (text);
  strstr (old, "\nversion=2\n")[strlen ("\nversion=")] = '1';
  g_assert_true (g_file_set_contents (path, old, -1, NULL));
  g_autoptr (SeamChoices) newer = seam_choices_new ("One [processor], 2 threads");
  g_assert_cmpint (seam_choices_get (newer, "conv"), ==, -1);
  seam_choices_set (newer, "matmul", 1);
  g_autoptr (SeamChoices) after = seam_choices_new ("One [processor], 2 threads");
  g_assert_cmpint (seam_choices_get (after, "matmul"), ==, 1);
  g_assert_cmpint (seam_choices_get (after, "conv"), ==, -1);

  g_assert_true (g_file_set_contents (path, "no key file", -1, NULL));
  g_autoptr (SeamChoices) damaged = seam_choices_new ("One [processor], 2 threads");
  g_assert_cmpint (seam_choices_get (damaged, "matmul"), ==, -1);
}

int
main (int argc, char **argv)
{
  static const SeamMathMode modes[] = { SEAM_MATH_FP32, SEAM_MATH_FP16, SEAM_MATH_BF16,
                                        SEAM_MATH_TF32X };
  g_autofree char *cache = g_dir_make_tmp ("seamscope-onednn-XXXXXX", NULL);

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  for (gsize i = 0; i < G_N_ELEMENTS (modes); i++) {
    g_autofree char *path =
        g_strconcat ("/onednn/forms/", seam_math_mode_get_name (modes[i]), NULL);
    g_test_add_data_func (path, GINT_TO_POINTER (modes[i]), test_forms);
  }
  g_test_add_func ("/onednn/narrow", test_narrow);
  g_test_add_func ("/onednn/refusals", test_refusals);
  g_test_add_func ("/onednn/choice", test_choice);
  g_test_add_func ("/onednn/trace", test_trace);
  g_test_add_func ("/onednn/memory", test_memory);
  g_test_add_func ("/onednn/kept", test_kept);
  return g_test_run ();
}
