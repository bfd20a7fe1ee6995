/* SPDX-License-Identifier: MIT
 *
 * Code as texts: the op of each line, the CPU's code for every group of every partition, and the
 * way through a variant with its checks.
 */
#include "app/backend/cpu/backend-cpu.h"
#include "app/runner/runner-source.h"

#include <string.h>

static SeamPipeline *
find (const char *name)
{
  g_autoptr (GError) error = NULL;
  SeamPipeline *pipeline = seam_pipeline_find (name, &error);

  g_assert_no_error (error);
  return pipeline;
}

static int
find_op (const SeamChain *chain, const char *name)
{
  for (int op = 0; op < chain->n_ops; op++)
    if (strcmp (chain->ops[op].name, name) == 0)
      return op;
  g_error ("no op %s", name);
}

/* A text whose lines name the expected op after "//! ", or "-". */
static void
test_marks (void)
{
  static const char text[] = "// after_relu in a comment //! -\n"
                             "#include \"after_relu\" //! -\n"
                             "    const float after_conv = x[0]; //! conv\n"
                             "    const float after_relu = seam_op_relu (after_conv); //! relu\n"
                             "    y[0] = after_bias; //! bias\n"
                             "    const float before_bias = 1; //! -\n"
                             "    const float after_relus = 1; //! -\n"
                             "    kept.after_relu = after_relu; //! relu\n"
                             "    my_after_relu = 0; //! -\n"
                             "\n";
  g_autoptr (SeamPipeline) pipeline = find ("conv-relu-bias");
  const SeamChain *chain = &pipeline->chains[0];
  g_autoptr (SeamSource) source = seam_source_new ("generated kernel", "cuda", 0, 2);
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autofree int *marks = NULL;
  int n = 0;

  source->text = g_strdup (text);
  marks = seam_source_mark_lines (source, chain, &n);
  g_assert_cmpint (n, ==, 10);
  for (int i = 0; i < n - 1; i++) {
    const char *name = strstr (lines[i], "//! ") + 4;
    int wanted = strcmp (name, "-") == 0 ? -1 : find_op (chain, name);
    if (marks[i] != wanted)
      g_error ("line %d is marked %d, not %d: %s", i, marks[i], wanted, lines[i]);
  }
  g_assert_cmpint (marks[n - 1], ==, -1);
}

/* In a text of words, a line begins with the op's name; there is no line feed at the end. */
static void
test_marks_words (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("conv-relu-bias");
  g_autoptr (SeamSource) source = seam_source_new ("CPU loops", "text", 0, 2);
  g_autofree int *marks = NULL;
  int n = 0;

  source->text = g_strdup ("conv: a\n  relu: b\nreluctant: c\nsee conv: d\n    bias:");
  marks = seam_source_mark_lines (source, &pipeline->chains[0], &n);
  g_assert_cmpint (n, ==, 5);
  g_assert_cmpint (marks[0], ==, find_op (&pipeline->chains[0], "conv"));
  g_assert_cmpint (marks[1], ==, find_op (&pipeline->chains[0], "relu"));
  g_assert_cmpint (marks[2], ==, -1);
  g_assert_cmpint (marks[3], ==, -1);
  g_assert_cmpint (marks[4], ==, find_op (&pipeline->chains[0], "bias"));
}

static void
test_includes (void)
{
  g_autoptr (SeamSource) source = seam_source_new ("kernel", "cuda", 0, 0);

  seam_source_add_include (source, "a.h", "first");
  seam_source_add_include (source, "b.h", "second");
  seam_source_add_include (source, "a.h", "third");
  g_assert_cmpuint (source->includes->len, ==, 2);
  g_assert_cmpstr (((SeamSourceFile *)source->includes->pdata[0])->text, ==, "first");
}

/* check_words() and check_code() check that the text names the ops in the chain's order from
 * `next` on. They return the op after the last one. */
static int
check_words (const SeamSource *source, const SeamChain *chain, int next)
{
  g_autofree int *marks = NULL;
  int n = 0;

  g_assert_cmpstr (source->language, ==, "text");
  marks = seam_source_mark_lines (source, chain, &n);
  for (int i = 0; i < n; i++)
    if (marks[i] >= 0)
      g_assert_cmpint (marks[i], ==, next++);
  return next;
}

static int
check_code (const SeamSource *source, const SeamChain *chain, int next)
{
  g_auto (GStrv) lines = g_strsplit (source->text, "\n", -1);
  g_autofree int *marks = NULL;
  int n = 0;

  g_assert_cmpstr (source->language, ==, "c");
  marks = seam_source_mark_lines (source, chain, &n);
  for (int i = 0; i < n; i++)
    if (strstr (lines[i], "= seam_op_") != NULL
        || (marks[i] >= 0 && g_str_has_prefix (lines[i], "//"))) /* a library op, described in
                                                                  * words */
      g_assert_cmpint (marks[i], ==, next++);
    else if (marks[i] >= 0) /* reads a value or writes it */
      g_assert_cmpint (marks[i], <, next);
  return next;
}

/* Every op of every group of every partition has its one line, in the chain's order. */
static void
test_cpu (gconstpointer data)
{
  g_autoptr (SeamPipeline) pipeline = find (data);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  const SeamChain *chain = &pipeline->chains[0];

  for (guint32 fused = 0; fused < 1u << (chain->n_ops - 1); fused++) {
    g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, fused);
    const char *plans[] = { plan->notation, NULL };
    g_autoptr (SeamCode) code = NULL;
    int next = 0;

    g_strfreev (request->plans);
    request->plans = g_strdupv ((char **)plans);
    request->target = g_strdup ("cpu");
    code = seam_runner_get_code (runner, request, &error);
    g_assert_no_error (error);
    g_assert_cmpint (code->n_plans, ==, 1);
    g_assert_cmpint (code->plans[0].n_groups, ==, plan->n_groups);
    for (int g = 0; g < plan->n_groups; g++) {
      const SeamGroupCode *group = &code->plans[0].groups[g];
      gboolean generated = strcmp (group->executed, "generated") == 0;

      g_assert_cmpint (group->first, ==, next);
      g_assert_cmpuint (group->sources->len, ==, 1);
      if (generated)
        next = check_code (group->sources->pdata[0], chain, next);
      else
        next = check_words (group->sources->pdata[0], chain, next);
      if (next != group->last + 1)
        g_error ("group %d of %s names ops up to %d", g, plan->notation, next - 1);
    }
    g_assert_cmpint (next, ==, chain->n_ops);
  }
}

/* The text of bias + relu after a matmul in the cut plan, and the problem that it is for. */
static char *
get_text (SeamRunner *runner, SeamMathMode mode, SeamStorage storage, SeamProblem **problem)
{
  g_autoptr (SeamPipeline) pipeline = find ("gemm-bias-relu");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  const char *plans[] = { "published", NULL };
  g_autoptr (GError) error = NULL;

  g_strfreev (request->plans);
  request->plans = g_strdupv ((char **)plans);
  request->target = g_strdup ("cpu");
  request->settings.math_mode = mode;
  request->settings.storage = storage;
  g_autoptr (SeamCode) code = seam_runner_get_code (runner, request, &error);
  g_assert_no_error (error);
  *problem = seam_run_request_new_problem (request, &error);
  g_assert_no_error (error);
  return g_strdup (((SeamSource *)code->plans[0].groups[1].sources->pdata[0])->text);
}

/* An edit that was made with one storage is refused with another. */
static void
test_other_storage (void)
{
  static const struct {
    SeamMathMode mode;
    SeamStorage storage;
    const char *type;
  } cases[] = {
    { SEAM_MATH_BF16, SEAM_STORAGE_FP32, "FP32" },
    { SEAM_MATH_BF16, SEAM_STORAGE_BETWEEN, "BF16" },
    { SEAM_MATH_FP16, SEAM_STORAGE_BETWEEN, "FP16" },
  };
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  SeamProblem *problems[G_N_ELEMENTS (cases)];
  char *texts[G_N_ELEMENTS (cases)];

  if (seam_cpu_compiler_get () == NULL) {
    g_test_skip ("There is no C compiler, so nothing is generated.");
    return;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    texts[i] = get_text (runner, cases[i].mode, cases[i].storage, &problems[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++)
    for (gsize now = 0; now < G_N_ELEMENTS (cases); now++) {
      g_autofree char *edit = g_strconcat ("// mine\n", texts[i], NULL);
      g_autofree char *said = seam_source_describe_other_storage (edit, texts[now], problems[now]);
      g_autofree char *alone = seam_source_describe_other_storage (edit, NULL, problems[now]);

      if (i == now) {
        g_assert_null (said);
        continue;
      }
      g_assert_nonnull (said);
      g_assert_nonnull (strstr (said, cases[i].type));
      g_assert_nonnull (strstr (said, cases[now].type));
      /* A text with FP32 only could be of ops that neither read nor write 16 bits. */
      g_assert_true ((alone == NULL) == (i == 0));
    }
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_free (texts[i]);
    seam_problem_free (problems[i]);
  }
}

static SeamCode *
make_code (void)
{
  SeamCode *code = g_new0 (SeamCode, 1);
  SeamSource *source = seam_source_new ("generated kernel", "cuda", 1, 2);
  SeamPlanCode *plan;

  code->n_plans = 1;
  plan = code->plans = g_new0 (SeamPlanCode, 1);
  plan->text = g_strdup ("full");
  plan->notation = g_strdup ("conv|relu+bias");
  plan->n_groups = 1;
  plan->groups[0] = (SeamGroupCode){ .first = 1, .last = 2, .executed = g_strdup ("generated") };
  plan->groups[0].sources = seam_source_list_new ();
  source->text = g_strdup ("code \xC3\xA4\n");
  seam_source_add_include (source, "kernels/ops.h", "text of it");
  g_ptr_array_add (plan->groups[0].sources, source);
  return code;
}

static void
test_variant (void)
{
  g_autoptr (SeamCode) code = make_code ();
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_code_to_variant (code));
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCode) read = seam_code_from_variant (variant, &error);
  const SeamGroupCode *group;
  const SeamSource *source;

  g_assert_no_error (error);
  g_assert_cmpint (read->n_plans, ==, 1);
  g_assert_cmpstr (read->plans[0].notation, ==, "conv|relu+bias");
  g_assert_null (read->plans[0].name);
  group = &read->plans[0].groups[0];
  g_assert_cmpint (group->first, ==, 1);
  g_assert_cmpint (group->last, ==, 2);
  g_assert_cmpstr (group->executed, ==, "generated");
  g_assert_null (group->message);
  source = group->sources->pdata[0];
  g_assert_cmpstr (source->title, ==, "generated kernel");
  g_assert_cmpstr (source->text, ==, "code \xC3\xA4\n");
  g_assert_cmpuint (source->includes->len, ==, 1);
  g_assert_cmpstr (((SeamSourceFile *)source->includes->pdata[0])->text, ==, "text of it");
}

/* Variants that a damaged worker may send. */
static void
test_variant_bad (void)
{
  static const char *const texts[] = {
    "@a{sv} {}",
    "{'plans': <5>}",
    "{'plans': <[{'text': <'a'>}]>}",
    "{'plans': <[{'notation': <'a'>, 'groups': <[{'first': <90>}]>}]>}",
    "{'plans': <[{'notation': <'a'>, 'groups': <[{'first': <2>, 'last': <1>}]>}]>}",
    "{'plans': <[{'notation': <'a'>, 'groups': <[{'sources': <[{'text': <'a'>}]>}]>}]>}",
  };

  for (guint i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GVariant) variant = g_variant_parse (NULL, texts[i], NULL, NULL, NULL);
    g_autoptr (GError) error = NULL;

    g_assert_nonnull (variant);
    if (seam_code_from_variant (variant, &error) != NULL)
      g_error ("believed: %s", texts[i]);
    g_assert_nonnull (error);
  }
}

int
main (int argc, char **argv)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pipelines = NULL;

  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/source/marks", test_marks);
  g_test_add_func ("/source/marks-words", test_marks_words);
  g_test_add_func ("/source/includes", test_includes);
  pipelines = seam_pipeline_list (&error);
  g_assert_no_error (error);
  for (guint i = 0; i < pipelines->len; i++) {
    const SeamPipeline *pipeline = pipelines->pdata[i];
    g_autofree char *path = g_strconcat ("/source/cpu/", pipeline->id, NULL);
    g_test_add_data_func (path, pipeline->id, test_cpu);
  }
  g_test_add_func ("/source/variant", test_variant);
  g_test_add_func ("/source/other-storage", test_other_storage);
  g_test_add_func ("/source/variant-bad", test_variant_bad);
  return g_test_run ();
}
