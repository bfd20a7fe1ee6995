/* SPDX-License-Identifier: MIT
 *
 * Pipelines and problems: the program's files, damaged and hostile ones, shapes at and over their
 * limits, and the tensors that fill them.
 */
#include "app/base/error.h"
#include "app/pipeline/problem.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static SeamPipeline *
find (const char *name)
{
  g_autoptr (GError) error = NULL;
  SeamPipeline *pipeline = seam_pipeline_find (name, &error);

  g_assert_no_error (error);
  return pipeline;
}

/* Pipelines that lessons, samples and recorded figures are about; the program may have more. */
static const struct {
  const char *id;
  int number;
  const char *chain;
} known[] = {
  { "conv-relu-bias", 1, "conv conv_bias relu bias" },
  { "conv-bias-scale-sigmoid-groupnorm", 21, "conv conv_bias bias scale sigmoid groupnorm" },
  { "matmul-swish-bias-groupnorm", 37, "matmul matmul_bias sigmoid mul bias groupnorm" },
  { "conv-relu-hardswish", 57, "conv conv_bias relu add3 div6 clamp mul" },
  { "gemm-bias-relu", 76, "matmul bias relu" },
};

static void
test_known (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autoptr (SeamPipeline) pipeline = find (known[i].id);
    g_autoptr (GString) chain = g_string_new (NULL);

    g_assert_cmpint (pipeline->number, ==, known[i].number);
    for (int j = 0; j < pipeline->chains[0].n_ops; j++)
      g_string_append_printf (chain, "%s%s", j ? " " : "", pipeline->chains[0].ops[j].name);
    g_assert_cmpstr (chain->str, ==, known[i].chain);
    g_assert_nonnull (seam_pipeline_get_preset (pipeline, "tiny", NULL));
    g_assert_nonnull (seam_pipeline_get_preset (pipeline, "kernelbench", NULL));
    g_assert_cmpstr (seam_pipeline_get_default_preset (pipeline)->name, ==, "laptop");
  }
}

/* The list is the folder's files, in the order of their numbers; each is found by either name. */
static void
test_list (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = seam_pipeline_list (&error);
  g_autofree char *folder = g_build_filename (seam_data_dir (), "pipelines", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  guint n_files = 0;

  g_assert_no_error (error);
  g_assert_nonnull (dir);
  for (const char *name; (name = g_dir_read_name (dir)) != NULL;)
    n_files += g_str_has_suffix (name, ".ini");
  g_assert_cmpuint (list->len, ==, n_files);
  g_assert_cmpuint (list->len, >=, G_N_ELEMENTS (known));
  for (guint i = 0; i < list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i);
    g_autofree char *number = g_strdup_printf ("#%d", pipeline->number);
    g_autoptr (SeamPipeline) by_id = find (pipeline->id);
    g_autoptr (SeamPipeline) by_number = pipeline->number >= 0 ? find (number) : NULL;

    g_assert_cmpstr (by_id->id, ==, pipeline->id);
    if (by_number != NULL)
      g_assert_cmpstr (by_number->id, ==, pipeline->id);
    if (i > 0)
      g_assert_cmpint (((SeamPipeline *)list->pdata[i - 1])->number, <=, pipeline->number);
  }
}

static void
test_back_references (void)
{
  g_autoptr (SeamPipeline) swish = find ("#37");
  g_autoptr (SeamPipeline) hardswish = find ("57");
  const SeamChain *chain = &swish->chains[0];

  g_assert_cmpint (chain->ops[3].type, ==, SEAM_OP_MULTIPLY_TENSOR);
  g_assert_cmpint (chain->ops[3].inputs[1], ==, SEAM_TENSOR_OUTPUT (1));
  /* The exhibit's order: matmul, matmul_bias, bias, sigmoid, mul by the value before the
   * sigmoid. */
  g_assert_cmpint (swish->n_chains, ==, 5);
  g_assert_cmpint (swish->chains[0].ops[5].defect, ==, SEAM_DEFECT_NONE);
  g_assert_cmpint (swish->chains[1].ops[5].defect, ==, SEAM_DEFECT_NONE);
  g_assert_cmpint (swish->chains[2].ops[5].defect, ==, SEAM_DEFECT_ONE_PASS_VARIANCE);
  g_assert_cmpint (swish->chains[3].ops[5].defect, ==, SEAM_DEFECT_LOST_UPDATE);
  g_assert_cmpint (swish->chains[3].ops[5].defect_parameter, ==, 8);
  chain = &swish->chains[1];
  g_assert_cmpstr (chain->name, ==, "as-published");
  g_assert_nonnull (chain->note);
  g_assert_cmpstr (chain->ops[2].name, ==, "bias");
  g_assert_cmpstr (chain->ops[4].name, ==, "mul");
  g_assert_cmpint (chain->ops[4].inputs[1], ==, SEAM_TENSOR_OUTPUT (2));
  chain = &hardswish->chains[0];
  g_assert_cmpint (chain->ops[6].inputs[1], ==, SEAM_TENSOR_OUTPUT (2));
  g_assert_cmpfloat (chain->ops[3].scalars[0], ==, 3);
  g_assert_cmpfloat (chain->ops[4].scalars[0], ==, 6);
  g_assert_cmpfloat (chain->ops[5].scalars[1], ==, 1);
}

static void
test_find (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) by_number = find ("#76");

  g_assert_cmpstr (by_number->id, ==, "gemm-bias-relu");
  g_assert_null (seam_pipeline_find ("conv-relu-bais", &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "did you mean “conv-relu-bias”"));
  g_clear_error (&error);
  g_assert_null (seam_pipeline_find ("", &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  g_assert_null (seam_pipeline_find ("/nowhere/x.ini", &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
}

static void
test_describe (void)
{
  static const struct {
    const char *pipeline;
    int op;
    const char *expected;
  } cases[] = {
    { "#1", 0, "k 3 · 64→128" }, { "#1", 1, "+ [128]" },     { "#1", 3, "+ [128,1,1]" },
    { "#1", 2, "max(x, 0)" },    { "#21", 3, "× [32,1,1]" }, { "#21", 4, "σ(x)" },
    { "#21", 5, "8 groups" },    { "#37", 0, "1024→4096" },  { "#37", 3, "× matmul_bias" },
    { "#57", 3, "+ 3" },         { "#57", 4, "÷ 6" },        { "#57", 5, "0 … 1" },
    { "#57", 6, "× relu" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamPipeline) pipeline = find (cases[i].pipeline);
    g_autoptr (SeamProblem) problem =
        seam_problem_new_from_text (pipeline, "kernelbench", NULL, NULL);
    g_autofree char *text = seam_op_describe (problem, &pipeline->chains[0], cases[i].op);

    g_assert_cmpstr (text, ==, cases[i].expected);
  }

  g_autoptr (SeamPipeline) pipeline = find ("#57");
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "kernelbench", NULL, NULL);
  static const char *const formulas[] = { "add3: y = x + 3", "div6: y = x ÷ 6",
                                          "clamp: y = min(max(x, 0), 1)",
                                          "mul: y = x × t, with t the output of relu" };
  for (int i = 0; i < (int)G_N_ELEMENTS (formulas); i++) {
    g_autofree char *text = seam_op_explain (problem, &pipeline->chains[0], 3 + i);

    g_assert_cmpstr (text, ==, formulas[i]);
  }
}

/* The text of a valid file with one piece replaced. */
static char *
replace (const char *text, const char *from, const char *to)
{
  const char *found = strstr (text, from);
  g_autoptr (GString) result = NULL;

  g_assert_nonnull (found);
  result = g_string_new_len (text, found - text);
  g_string_append (result, to);
  g_string_append (result, found + strlen (from));
  return g_strdup (result->str);
}

static void
assert_refused (const char *text, const char *expected)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text, "mine", &error);

  g_assert_null (pipeline);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_test_message ("%s", error->message);
  g_assert_true (g_str_has_prefix (error->message, "mine: "));
  if (strstr (error->message, expected) == NULL)
    g_error ("“%s” does not name “%s”", error->message, expected);
}

static void
test_refused (void)
{
  static const struct {
    const char *from, *to, *expected;
  } edits[] = {
    { "[pipeline]", "[pipelin]", "[pipeline] is missing" },
    { "title=", "tilte=", "did you mean “title”" },
    { "number=37", "number=x", "number" },
    { "ops=matmul;", "ops=matmul;matmul;", "twice" },
    { "ops=matmul;matmul_bias", "ops=matmul_bias;matmul", "notation" },
    { "ops=matmul;", "ops=;", "ops" },
    { "ops=matmul;", "ops=ma tmul;", "not a name" },
    { "sigmoid;mul;bias", "mul;bias", "not named by" },
    { "sigmoid;mul;", "sigmoid;erf;mul;", "[op erf]" },
    { "type=sigmoid", "type=erf", "[op sigmoid] type" },
    { "type=sigmoid", "type=sigmoid\nvalue=3", "[op sigmoid] value" },
    { "type=sigmoid\n", "", "[op sigmoid]" },
    { "operand=matmul_bias", "operand=groupnorm", "does not come before" },
    { "operand=matmul_bias", "operand=mul", "does not come before" },
    { "operand=matmul_bias", "operand=nothing", "no op" },
    { "operand.mul=bias", "operand.mul=groupnorm", "does not come before" },
    { "operand.mul=bias", "operand.sigmoid=bias", "operand.sigmoid" },
    { "weight=matmul.weight", "weight=matmul.weigth", "[param matmul.weigth]" },
    { "weight=matmul.weight", "weight=bias", "does not fit" },
    { "vector=bias", "vector=matmul.weight", "does not fit" },
    { "role=matmul-weight", "role=matmul", "matmul-weight" },
    { "init=ones", "init=one", "init" },
    { "min=1", "min=0", "min" },
    { "max=1000000", "max=0", "max" },
    { "max=1000000", "max=lots", "max" },
    { "[field groups]", "[field group]", "[field groups]" },
    { "[field groups]", "[field extra]\nlabel=x\nmin=1\nmax=2\n[field groups]", "extra" },
    { "label=Batch\n", "", "label" },
    { "notation=matmul|", "notation=matmul-", "notation" },
    { "notation=matmul|matmul_bias+sigmoid+mul+bias+groupnorm",
      "notation=matmul|matmul_bias+sigmoid+mul+bias", "notation" },
    { "[cut published]", "[cut unfused]", "unfused" },
    { "[cut published]", "[cut as-published]", "as-published" },
    { "[chain as-published]", "[chain published]", "published" },
    { "[cut epilogue]", "[cut published]", "repeats" },
    { "note=", "nota=", "note" },
    { "ops=matmul;matmul_bias;bias;", "ops=matmul_bias;matmul;bias;", "first op" },
    { "groups=4", "groups=5", "[preset tiny]" },
    { "groups=4\n", "", "[preset tiny] groups" },
    { "batch=4\n", "batch=0\n", "[preset tiny]" },
    { "batch=4\n", "batch=4\nbatch=4\n", "repeats “batch”" },
    { "batch=4\n", "batch 4\n", "line " },
    { "[preset tiny]", "[preset tiny", "line " },
    { "[op sigmoid]", "[op relu]\ntype=relu\n[op sigmoid]", "[op relu]" },
  };
  g_autoptr (SeamPipeline) good = find ("#37");

  for (gsize i = 0; i < G_N_ELEMENTS (edits); i++) {
    g_autofree char *text = replace (good->text, edits[i].from, edits[i].to);
    assert_refused (text, edits[i].expected);
  }
  assert_refused ("", "[pipeline]");
  assert_refused ("key=value\n", "line 1");
  assert_refused ("[pipeline]\ntitle=\xff\n", "UTF-8");
}

/* Every beginning of a valid file is either refused in words or, near its end, valid itself. */
static void
test_truncated (void)
{
  for (gsize i = 0; i < G_N_ELEMENTS (known); i++) {
    g_autoptr (SeamPipeline) good = find (known[i].id);
    gsize length = strlen (good->text);
    int n_refused = 0;
    for (gsize n = 0; n < length; n++) {
      g_autofree char *text = g_strndup (good->text, n);
      g_autoptr (GError) error = NULL;
      g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text, "cut", &error);
      g_assert_true ((pipeline == NULL) == (error != NULL));
      n_refused += pipeline == NULL;
    }
    /* A file that is cut before the first preset's end is always refused. */
    g_assert_cmpint (n_refused, >, (int)(strstr (good->text, "[preset laptop]") - good->text) - 2);
  }
}

static void
test_own_file (void)
{
  g_autoptr (SeamPipeline) good = find ("#1");
  g_autofree char *folder = g_dir_make_tmp ("seam-pipeline-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mine.ini", NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) mine = NULL;

  g_assert_true (g_file_set_contents (path, good->text, -1, NULL));
  mine = seam_pipeline_find (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (mine->id, ==, "mine");
  g_assert_cmpstr (mine->path, ==, path);
  /* As editors leave it: a byte order mark, blanks and carriage returns at the ends of lines. */
  {
    g_auto (GStrv) lines = g_strsplit (good->text, "\n", -1);
    g_autofree char *wide = g_strjoinv (" \t\r\n", lines);
    g_autofree char *marked = g_strconcat ("\xef\xbb\xbf", wide, NULL);
    g_autoptr (SeamPipeline) same = seam_pipeline_parse (marked, "mine", &error);

    g_assert_no_error (error);
    g_assert_true (seam_pipeline_covers (same, mine) && seam_pipeline_covers (mine, same));
    g_assert_cmpstr (same->fields[0].label, ==, mine->fields[0].label);
    g_assert_cmpstr (same->fields[0].unit, ==, mine->fields[0].unit);
  }
  /* A NUL byte in the middle is damage, not the end. */
  g_assert_true (g_file_set_contents (path, "[pipeline]\n\0x", 13, NULL));
  g_assert_null (seam_pipeline_find (path, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_unlink (path);
  g_rmdir (folder);
}

/* The history tells a person's own pipeline from the built-in one with its id. */
static void
test_headings (void)
{
  g_autoptr (SeamPipeline) builtin = find ("conv-relu-bias");
  g_autofree char *other_text = g_strconcat (builtin->text, "# mine\n", NULL);
  g_autoptr (SeamPipeline) same = seam_pipeline_parse (builtin->text, builtin->id, NULL);
  g_autoptr (SeamPipeline) other = seam_pipeline_parse (other_text, builtin->id, NULL);
  g_autoptr (SeamPipeline) mine = seam_pipeline_parse (other_text, "mine", NULL);
  const SeamPipeline *pipelines[] = { builtin, same, other, mine };
  static const char *const expected[] = { "conv-relu-bias", "conv-relu-bias",
                                          "conv-relu-bias (own)", "mine" };

  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_autofree char *heading = seam_pipeline_make_heading (pipelines[i]);
    g_assert_cmpstr (heading, ==, expected[i]);
  }
}

/* Fields of which none has a name that the program knows. */
static void
test_own_fields (void)
{
  static const char text[] = "[pipeline]\ntitle=T\ndescription=D\nsource=S\nops=relu;\n"
                             "[field n]\nlabel=Rows\nmin=1\nmax=9\n"
                             "[field d]\nlabel=Columns\nmin=1\nmax=9\n"
                             "[input input]\nshape=n;d\n[op relu]\ntype=relu\n"
                             "[preset tiny]\nn=2\nd=4\n";
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_parse (text, "own", &error);

  g_assert_no_error (error);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, &error);
  g_autofree char *shape = seam_problem_describe_shape (problem);
  g_assert_cmpstr (shape, ==, "n 2, d 4");
}

static void
test_sizes (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("#21");
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) problem =
      seam_problem_new_from_text (pipeline, "kernelbench", "batch=2, height = 10", &error);
  g_autofree char *shape = NULL, *text = NULL;
  gint64 rows, columns, plane;

  g_assert_no_error (error);
  shape = seam_problem_format_shape (problem);
  g_assert_cmpstr (
      shape, ==,
      "batch=2,in_channels=8,out_channels=32,height=10,width=256,kernel_size=3,groups=8");
  text = seam_problem_describe_shape (problem);
  g_assert_cmpstr (text, ==, "N 2, C 8→K 32, 10×256, k 3, 8 groups");
  g_assert_cmpint (seam_problem_get_output_view (problem).inner / 254, ==, 8);
  g_assert_cmpint (seam_problem_get_output_view (problem).width, ==, 254);
  g_assert_cmpint (problem->n_tensors, ==, 1 + 6 + 6);
  g_assert_cmpint (problem->tensors[0].n_elements, ==, 2 * 8 * 10 * 256);
  g_assert_cmpint (problem->tensors[SEAM_TENSOR_OUTPUT (5)].bytes, ==, 4 * 2 * 32 * 8 * 254);
  g_assert_cmpint (problem->tensors[SEAM_TENSOR_PARAM (6, 0)].n_elements, ==, 32 * 8 * 9);
  g_assert_cmpstr (problem->tensors[SEAM_TENSOR_PARAM (6, 3)].name, ==, "scale");
  g_assert_cmpint (problem->tensors[SEAM_TENSOR_PARAM (6, 3)].shape.n_dims, ==, 3);
  const SeamShapeView view = seam_problem_get_output_view (problem);
  rows = view.outer;
  columns = view.channels;
  plane = view.inner;
  g_assert_cmpint (rows, ==, 2);
  g_assert_cmpint (columns, ==, 32);
  g_assert_cmpint (plane, ==, 8 * 254);
}

static void
test_bad_shapes (void)
{
  static const struct {
    const char *pipeline, *shape, *expected;
  } cases[] = {
    { "#1", "height=0", "height" },
    { "#1", "height=-1", "height" },
    { "#1", "height=abc", "not a whole number" },
    { "#1", "height=", "not a whole number" },
    { "#1", "height", "key=value" },
    { "#1", "heigth=8", "did you mean “height”" },
    { "#1", "groups=2", "no shape field" },
    { "#1", "height=8,height=8", "twice" },
    { "#1", "height=2,width=9", "larger than the image" },
    { "#1", "kernel_size=200", "larger than the image" },
    { "#1", "batch=1000001", "outside" },
    { "#1", "batch=18446744073709551617", "outside" },
    { "#1", "batch=8,,", "key=value" },
    { "#21", "out_channels=32,groups=5", "divide" },
    { "#37", "out_features=4096,groups=4097", "divide" },
    { "#1", "batch=1000000,in_channels=1000000,height=1000000,width=1000000", "64-bit" },
    { "#1", "batch=1000000,out_channels=1000000,in_channels=1,height=1000000", "64-bit" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamPipeline) pipeline = find (cases[i].pipeline);
    g_autoptr (GError) error = NULL;
    g_assert_null (seam_problem_new_from_text (pipeline, NULL, cases[i].shape, &error));
    g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
    g_test_message ("%s", error->message);
    g_assert_nonnull (strstr (error->message, cases[i].expected));
  }
}

/* 10^12 elements are a valid shape here. Whether they fit is decided by the target. */
static void
test_large_shape (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("#76");
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (
      pipeline, NULL, "batch=1000000,in_features=1,out_features=1000000", &error);
  g_autoptr (SeamPipeline) conv = find ("#57");

  g_assert_no_error (error);
  g_assert_cmpint (problem->tensors[SEAM_TENSOR_OUTPUT (2)].bytes, ==,
                   G_GINT64_CONSTANT (4000000000000));
  g_assert_null (seam_problem_new_from_text (conv, "none", NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
}

static void
test_fill (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("#37");
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, NULL);
  g_autofree float *a = g_new (float, 4096), *b = g_new (float, 4096);
  float bound = (float)(1 / sqrt (12.0));
  int weight = SEAM_TENSOR_PARAM (6, 0);
  float largest = 0;

  seam_problem_fill_tensor (problem, SEAM_TENSOR_INPUT, 42, SEAM_DISTRIBUTION_UNIFORM,
                            SEAM_INIT_MODE_FRAMEWORK, a);
  for (gint64 i = 0; i < problem->tensors[0].n_elements; i++)
    g_assert_true (a[i] >= 0 && a[i] < 1);
  seam_problem_fill_tensor (problem, SEAM_TENSOR_INPUT, 42, SEAM_DISTRIBUTION_NORMAL,
                            SEAM_INIT_MODE_SPREAD, b);
  g_assert_cmpfloat (a[0], !=, b[0]);

  /* Weights follow their init, whatever the distribution of the input. */
  seam_problem_fill_tensor (problem, weight, 42, SEAM_DISTRIBUTION_UNIFORM,
                            SEAM_INIT_MODE_FRAMEWORK, a);
  seam_problem_fill_tensor (problem, weight, 42, SEAM_DISTRIBUTION_NORMAL, SEAM_INIT_MODE_SPREAD,
                            b);
  g_assert_cmpmem (a, 4 * 12 * 32, b, 4 * 12 * 32);
  for (int i = 0; i < 12 * 32; i++) {
    g_assert_true (fabsf (a[i]) <= bound);
    largest = MAX (largest, fabsf (a[i]));
  }
  g_assert_cmpfloat (largest, >, 0.9 * bound);

  /* matmul.bias and bias have the same size and not the same numbers. */
  seam_problem_fill_tensor (problem, SEAM_TENSOR_PARAM (6, 1), 42, SEAM_DISTRIBUTION_UNIFORM,
                            SEAM_INIT_MODE_FRAMEWORK, a);
  seam_problem_fill_tensor (problem, SEAM_TENSOR_PARAM (6, 2), 42, SEAM_DISTRIBUTION_UNIFORM,
                            SEAM_INIT_MODE_FRAMEWORK, b);
  g_assert_cmpfloat (a[0], !=, b[0]);
  seam_problem_fill_tensor (problem, SEAM_TENSOR_PARAM (6, 3), 42, SEAM_DISTRIBUTION_UNIFORM,
                            SEAM_INIT_MODE_FRAMEWORK, a);
  seam_problem_fill_tensor (problem, SEAM_TENSOR_PARAM (6, 4), 42, SEAM_DISTRIBUTION_UNIFORM,
                            SEAM_INIT_MODE_FRAMEWORK, b);
  for (int i = 0; i < 32; i++) {
    g_assert_cmpfloat (a[i], ==, 1);
    g_assert_cmpfloat (b[i], ==, 0);
  }
}

/* A tensor made piece by piece is the same as one made at once. */
static void
test_fill_part (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("#37");
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, NULL);

  for (int index = 0; index < problem->n_tensors; index++) {
    gint64 n = problem->tensors[index].n_elements;
    g_autofree float *whole = g_new (float, n), *pieces = g_new (float, n);
    if (index != SEAM_TENSOR_INPUT && index < SEAM_TENSOR_PARAM (6, 0))
      continue;
    for (int distribution = 0; distribution < 2; distribution++) {
      seam_problem_fill_tensor (problem, index, 7, (SeamDistribution)distribution,
                                SEAM_INIT_MODE_SPREAD, whole);
      for (gint64 first = 0; first < n; first += 12)
        seam_problem_fill_part (problem, index, 7, (SeamDistribution)distribution,
                                SEAM_INIT_MODE_SPREAD, first, MIN (12, n - first), pieces + first);
      g_assert_cmpmem (whole, sizeof (float) * n, pieces, sizeof (float) * n);
    }
  }
}

/* The bytes of every drawn tensor, as recorded before the second init mode existed. */
static void
test_init_framework (void)
{
  static const struct {
    const char *id, *sha256;
  } recorded[] = {
    { "#1", "313c3349ca19189ce5c06c1c840cbbf0f293bb41bffa91338858df88b5ac82d5" },
    { "#76", "e5c21bf691ef2352a4448ab2852a50a7a0b8428be472289645d762ebcc22fb5d" },
    { "#37", "05dc2654dc4382ff90199577a9b5c9878518527ed502797d2df709e8ab40a392" },
    { "#21", "c21fe81ae0d3372cec588765682dc96032c5f90c2c35f7741b6a9f228e4a924f" },
    { "#57", "a471c6b18084aa6a9b56696f99944665d040ad4ec5a3ed448e7b1f1962d19c6b" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (recorded); i++) {
    g_autoptr (SeamPipeline) pipeline = find (recorded[i].id);
    g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, NULL);
    g_autoptr (GChecksum) checksum = g_checksum_new (G_CHECKSUM_SHA256);
    int n_ops = pipeline->chains[0].n_ops;
    for (int index = 0; index < problem->n_tensors; index++) {
      const SeamTensor *tensor = &problem->tensors[index];
      g_autofree float *data = g_new (float, tensor->n_elements);
      if (index != SEAM_TENSOR_INPUT && index < SEAM_TENSOR_PARAM (n_ops, 0))
        continue;
      seam_problem_fill_tensor (problem, index, 1, SEAM_DISTRIBUTION_UNIFORM,
                                SEAM_INIT_MODE_FRAMEWORK, data);
      g_checksum_update (checksum, (const guchar *)data, (gssize)tensor->bytes);
    }
    g_assert_cmpstr (g_checksum_get_string (checksum), ==, recorded[i].sha256);
  }
}

/* No parameter of any pipeline, built-in or custom, is 1, 0, or the same for two channels. */
static void
test_init_spread (void)
{
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < 6; i++) {
    static const char *const names[] = { "#1", "#76", "#37", "#21", "#57", "#21" };
    g_autoptr (SeamPipeline) pipeline = find (names[i]);
    if (i == 5) {
      /* A custom pipeline whose parameters all start as ones or zeros. */
      g_autoptr (GString) mine = g_string_new (pipeline->text);
      g_string_replace (mine, "init=fan-in", "init=zeros", 0);
      g_string_replace (mine, "init=normal", "init=ones", 0);
      g_clear_pointer (&pipeline, seam_pipeline_unref);
      pipeline = seam_pipeline_parse (mine->str, "mine", &error);
      g_assert_no_error (error);
    }
    g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, "tiny", NULL, NULL);
    for (int k = 0; k < pipeline->n_params; k++) {
      int index = SEAM_TENSOR_PARAM (pipeline->chains[0].n_ops, k);
      gint64 n = problem->tensors[index].n_elements;
      g_autofree float *spread = g_new (float, n), *framework = g_new (float, n);
      seam_problem_fill_tensor (problem, index, 1, SEAM_DISTRIBUTION_UNIFORM, SEAM_INIT_MODE_SPREAD,
                                spread);
      seam_problem_fill_tensor (problem, index, 1, SEAM_DISTRIBUTION_UNIFORM,
                                SEAM_INIT_MODE_FRAMEWORK, framework);
      gboolean is_ones = pipeline->params[k].init == SEAM_INIT_ONES;
      gboolean is_constant = is_ones || pipeline->params[k].init == SEAM_INIT_ZEROS;
      g_assert_true (seam_problem_is_constant (problem, index) == is_constant);
      if (!is_constant)
        g_assert_cmpmem (spread, n * sizeof *spread, framework, n * sizeof *spread);
      for (gint64 e = 0; e < n; e++) {
        g_assert_true (spread[e] != 0 && spread[e] != 1);
        g_assert_true (e == 0 || spread[e] != spread[e - 1]);
        if (is_constant) {
          g_assert_cmpfloat (framework[e], ==, is_ones);
          g_assert_true (fabsf (spread[e] - (float)is_ones) <= 0.5f);
        }
      }
    }
  }
}

/* A later version of a file replaces an earlier one if it computes the same. */
static void
test_covers (void)
{
  static const struct {
    const char *from, *to;
    gboolean covers;
  } changes[] = {
    { "description", "description", TRUE },
    { "#", "# more of it\n#", TRUE },
    { "relu", "sigmoid", FALSE },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("gemm-bias-relu", &error);
  g_autoptr (SeamPipeline) other = seam_pipeline_find ("conv-relu-bias", &error);

  g_assert_no_error (error);
  g_assert_false (seam_pipeline_covers (pipeline, other));
  for (gsize i = 0; i < G_N_ELEMENTS (changes); i++) {
    g_auto (GStrv) parts = g_strsplit (pipeline->text, changes[i].from, -1);
    g_autofree char *text = g_strjoinv (changes[i].to, parts);
    g_autoptr (SeamPipeline) changed = seam_pipeline_parse (text, "gemm-bias-relu", &error);

    g_assert_no_error (error);
    g_assert_cmpint (seam_pipeline_covers (pipeline, changed), ==, changes[i].covers);
  }
}

/* A pipeline with one more exhibit replaces one without it, but not the other way round. */
static void
test_covers_exhibits (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("matmul-swish-bias-groupnorm", &error);
  SeamPipeline fewer;

  g_assert_no_error (error);
  g_assert_cmpint (pipeline->n_chains, >, 1);
  fewer = *pipeline;
  fewer.n_chains--;
  g_assert_true (seam_pipeline_covers (pipeline, &fewer));
  g_assert_false (seam_pipeline_covers (&fewer, pipeline));
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/pipeline/known", test_known);
  g_test_add_func ("/pipeline/list", test_list);
  g_test_add_func ("/pipeline/back-references", test_back_references);
  g_test_add_func ("/pipeline/find", test_find);
  g_test_add_func ("/pipeline/describe", test_describe);
  g_test_add_func ("/pipeline/refused", test_refused);
  g_test_add_func ("/pipeline/truncated", test_truncated);
  g_test_add_func ("/pipeline/own-file", test_own_file);
  g_test_add_func ("/problem/sizes", test_sizes);
  g_test_add_func ("/problem/own-fields", test_own_fields);
  g_test_add_func ("/problem/headings", test_headings);
  g_test_add_func ("/problem/bad-shapes", test_bad_shapes);
  g_test_add_func ("/problem/large-shape", test_large_shape);
  g_test_add_func ("/problem/fill", test_fill);
  g_test_add_func ("/problem/fill-part", test_fill_part);
  g_test_add_func ("/problem/init-framework", test_init_framework);
  g_test_add_func ("/problem/init-spread", test_init_spread);
  g_test_add_func ("/pipeline/covers", test_covers);
  g_test_add_func ("/pipeline/covers-exhibits", test_covers_exhibits);
  return g_test_run ();
}
