/* SPDX-License-Identifier: MIT
 *
 * Several maps of one kind with different constants in one group: every ordered pair and triple of
 * maps after every matrix op, in FP32 and bf16, through every implementation of the CPU and every
 * form of oneDNN, against values of NumPy (op-chains.py). By default a fixed sample and the chains
 * that oneDNN is known to compute wrongly. Also that a wrong way is neither used nor kept.
 */
#include "app/backend/cpu/onednn.h"
#include "tests/core/op-chains.h"

static OpChains chains;

/* Runs the prepared plan. */
static void
run (Fixture *f, Execution *e, int chain, const SeamPlan *plan, const char *how)
{
  const SeamBackend *backend = f->device->backend;
  SeamBuffer *output = e->buffers[SEAM_TENSOR_OUTPUT (f->n_ops - 1)];
  g_autoptr (GError) error = NULL;

  g_assert_true (backend->poison (f->device, output, NULL, &error));
  g_assert_true (backend->run (f->device, e->groups, e->n_groups, NULL, &error));
  op_chains_check (&chains, f, chain, plan, how,
                   f->problem->storage == SEAM_STORAGE_FP32 ? 0x1p-20 : 0x1p-8, output->data);
}

static void
run_plan (Fixture *f, int chain, guint32 seams, const char *implementation)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);
  Execution e;

  for (int i = 0; i < plan->n_groups && implementation != NULL; i++)
    if (plan->groups[i].last > 0)
      plan->groups[i].implementation = implementation;
  execution_init (&e, f, plan, NULL);
  run (f, &e, chain, plan, implementation != NULL ? implementation : "automatic");
  execution_clear (&e, f);
}

/* Every form of oneDNN, where it takes the group; returns how many ran. */
static int
run_onednn (Fixture *f, int chain, guint32 seams)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, seams);
  const SeamGroupSpec spec = { f->problem, plan, 0, f->math_mode };
  g_autofree char *reason = NULL;
  int n_forms = 0;
  Execution e;

  plan->groups[0].implementation = SEAM_IMPLEMENTATION_ONEDNN;
  if (!seam_onednn_supports (&spec, NULL, &reason))
    return 0;
  execution_init (&e, f, plan, NULL);
  for (int form = 0; form < seam_onednn_count_forms (&spec); form++) {
    g_autofree char *how = g_strdup_printf ("form %d", form);
    SeamOnednn *onednn = seam_onednn_new (e.groups[0], &spec, form, e.buffers, NULL);

    if (onednn == NULL)
      continue;
    seam_onednn_free (e.groups[0]->onednn);
    seam_cpu_use (e.groups[0], onednn, seam_cpu_get_copied_bytes (&spec));
    run (f, &e, chain, plan, how);
    n_forms++;
  }
  execution_clear (&e, f);
  return n_forms;
}

static const struct {
  const char *name;
  SeamMathMode mode;
  SeamStorage storage;
} kinds[] = {
  { "fp32", SEAM_MATH_FP32, SEAM_STORAGE_FP32 },
  { "bf16", SEAM_MATH_BF16, SEAM_STORAGE_FP32 },
  { "bf16-storage", SEAM_MATH_BF16, SEAM_STORAGE_ALL },
};

static void
check_chains (int kind, SeamOpType first, gboolean only_onednn)
{
  int n_chains = 0, n_forms = 0;

  for (int i = 0; i < (int)chains.chains->len; i++) {
    Fixture *f;
    guint32 all;

    if (!op_chains_takes (&chains, i))
      continue;
    f = op_chains_fixture (&chains, first, i, kinds[kind].mode, kinds[kind].storage);
    all = (1u << (f->n_ops - 1)) - 1;
    if (!only_onednn) {
      run_plan (f, i, 0, NULL);
      run_plan (f, i, all, "cpu");
      run_plan (f, i, all, NULL);
      /* The text depends only on the storage. */
      if (seam_cpu_compiler_get () != NULL && op_chains_compiles (&chains, i)
          && (extent_is_all () ? kind != 1 : kind == 0 && op_chains_has_kind_twice (&chains, i)))
        run_plan (f, i, all, SEAM_IMPLEMENTATION_GENERATED);
    }
    n_forms += run_onednn (f, i, all);
    n_chains++;
    fixture_free (f);
  }
  g_test_message ("%s, %s: %d chains, %d forms of oneDNN", kinds[kind].name,
                  seam_op_type_get_name (first), n_chains, n_forms);
  g_assert_cmpint (n_chains, >=, 40);
  g_assert_cmpint (n_forms, >=, kinds[kind].storage == SEAM_STORAGE_FP32 ? 20 : 0);
}

static void
check_all (gboolean only_onednn)
{
  for (int first = 0; first < SEAM_N_OP_TYPES; first++)
    for (int kind = 0; kind < (int)G_N_ELEMENTS (kinds); kind++)
      if (seam_op_type_get_info (first)->fuses)
        check_chains (kind, first, only_onednn);
}

/* Number `data` of kinds × matrix ops. */
static void
test_chains (gconstpointer data)
{
  const int number = GPOINTER_TO_INT (data);

  check_chains (number % (int)G_N_ELEMENTS (kinds), number / (int)G_N_ELEMENTS (kinds), FALSE);
}

/* oneDNN with the narrower instructions. */
static void
test_narrow (gconstpointer isa)
{
  if (g_test_subprocess ()) {
    check_all (TRUE);
    return;
  }
#if defined(__x86_64__)
  g_setenv ("ONEDNN_MAX_CPU_ISA", isa, TRUE);
  g_test_trap_subprocess (NULL, 0, G_TEST_SUBPROCESS_INHERIT_STDERR);
  g_unsetenv ("ONEDNN_MAX_CPU_ISA");
  g_test_trap_assert_passed ();
#else
  g_test_skip ("The narrower instructions of this processor are unknown.");
#endif
}

/* --- Wrong ways --- */

/* The README's chain: (x + 1) / 2 of which oneDNN makes (x + 1) + 1. */
static const char wrong_text[] =
    "[pipeline]\ntitle=T\ndescription=D\nsource=S\nops=matmul;add;half;\n"
    "[op matmul]\ntype=matmul\nweight=w\n[param w]\nrole=matmul-weight\ninit=fan-in\n"
    "[op add]\ntype=add_scalar\nvalue=%s\n[op half]\ntype=divide_scalar\nvalue=%s\n"
    "[field batch]\nlabel=b\nunit=\nmin=1\nmax=9999\n"
    "[field in_features]\nlabel=i\nunit=\nmin=1\nmax=9999\n"
    "[field out_features]\nlabel=o\nunit=\nmin=1\nmax=9999\n"
    "[preset tiny]\nbatch=256\nin_features=256\nout_features=512\n";

static Fixture *
new_wrong (const char *added, const char *divisor)
{
  g_autofree char *text = g_strdup_printf (wrong_text, added, divisor);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text, "wrong", &error);
  Fixture *f;

  g_assert_no_error (error);
  f = fixture_new (seam_problem_new_from_text (pipeline, NULL, NULL, &error));
  g_assert_no_error (error);
  fixture_fill (f, 5, SEAM_DISTRIBUTION_UNIFORM);
  return f;
}

/* What the choices file says. */
static char *
read_choices (void)
{
  g_autofree char *path =
      g_build_filename (g_get_user_cache_dir (), "seamscope", "choices.ini", NULL);
  char *text = NULL;

  g_file_get_contents (path, &text, NULL, NULL);
  return text;
}

/* Tries the forms of oneDNN, and tiles if `has_tiles`, as if it had not been refused. */
static gboolean
choose (Fixture *f, gboolean has_tiles, SeamCancel *cancel, const char **executed, GError **error)
{
  g_autoptr (SeamPlan) plan = seam_plan_new (f->problem->pipeline, 0, 3);
  const SeamGroupSpec spec = { f->problem, plan, 0, SEAM_MATH_FP32 };
  gboolean good;
  Execution e;

  plan->groups[0].implementation = SEAM_CPU_LOOPS;
  execution_init (&e, f, plan, NULL);
  plan->groups[0].implementation = has_tiles ? NULL : SEAM_IMPLEMENTATION_ONEDNN;
  e.groups[0]->cancel = cancel;
  good = seam_cpu_choose_form (e.groups[0], &spec, e.buffers, has_tiles, error);
  *executed = e.groups[0]->onednn != NULL ? SEAM_IMPLEMENTATION_ONEDNN : SEAM_CPU_LOOPS;
  execution_clear (&e, f);
  return good;
}

static void
test_wrong_ways (void)
{
  Fixture *f = new_wrong ("1", "2"), *right = new_wrong ("0", "1");
  g_autoptr (GError) error = NULL;
  g_autofree char *kept = NULL, *before = NULL;
  SeamCancel cancel = { 0 };
  const char *executed;

  /* Stop ends the trying. */
  seam_cancel_raise (&cancel);
  g_assert_false (choose (f, FALSE, &cancel, &executed, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_CANCELLED);
  g_clear_error (&error);
  /* By name it is refused, and nothing is kept. */
  before = read_choices ();
  g_assert_false (choose (f, FALSE, NULL, &executed, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "wrongly"));
  g_clear_error (&error);
  kept = read_choices ();
  g_assert_cmpstr (kept, ==, before);
  /* Beside tiles, these run. */
  g_assert_true (choose (f, TRUE, NULL, &executed, &error));
  g_assert_cmpstr (executed, ==, SEAM_CPU_LOOPS);
  /* The same ops with constants that change nothing are another choice, which is right. */
  g_assert_true (choose (right, FALSE, NULL, &executed, &error));
  g_assert_cmpstr (executed, ==, SEAM_IMPLEMENTATION_ONEDNN);
  g_clear_pointer (&kept, g_free);
  kept = read_choices ();
  g_assert_nonnull (strstr (kept, "add_scalar(-1,-1,0,0) + divide_scalar(-1,-1,1,0)"));
  g_assert_null (strstr (kept,
                         "add_scalar(-1,-1,1,0) + divide_scalar(-1,-1,2,0), N 256 256 1 1 512 "
                         "1, fp32, storage 0, only oneDNN"));
  g_assert_false (choose (f, FALSE, NULL, &executed, &error));
  fixture_free (f);
  fixture_free (right);
}

/* Zeros agree with anything: such a way is used, but not kept. */
static void
test_zeros (void)
{
  Fixture *f = new_wrong ("0", "1");
  g_autoptr (GError) error = NULL;
  g_autofree char *before = read_choices (), *kept = NULL;
  const char *executed;

  memset (f->host[SEAM_TENSOR_INPUT], 0, (gsize)f->problem->tensors[SEAM_TENSOR_INPUT].bytes);
  g_assert_true (choose (f, FALSE, NULL, &executed, &error));
  g_assert_cmpstr (executed, ==, SEAM_IMPLEMENTATION_ONEDNN);
  kept = read_choices ();
  g_assert_cmpstr (kept, ==, before);
  fixture_free (f);
}

int
main (int argc, char **argv)
{
  g_autofree char *cache = g_dir_make_tmp ("seamscope-op-chains-XXXXXX", NULL);
  int status;

  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  op_chains_init (&chains);
  for (int first = 0; first < SEAM_N_OP_TYPES; first++)
    for (int kind = 0; kind < (int)G_N_ELEMENTS (kinds); kind++)
      if (seam_op_type_get_info (first)->fuses) {
        g_autofree char *path =
            g_strdup_printf ("/op-chains/%s/%s", seam_op_type_get_name (first), kinds[kind].name);
        g_test_add_data_func (path, GINT_TO_POINTER (first * (int)G_N_ELEMENTS (kinds) + kind),
                              test_chains);
      }
  g_test_add_data_func ("/op-chains/narrow/sse41", "SSE41", test_narrow);
  g_test_add_data_func ("/op-chains/narrow/avx2", "AVX2", test_narrow);
  /* In this order: what the second keeps, the first would. */
  g_test_add_func ("/op-chains/wrong/zeros", test_zeros);
  g_test_add_func ("/op-chains/wrong/ways", test_wrong_ways);
  status = g_test_run ();
  op_chains_clear (&chains);
  return status;
}
