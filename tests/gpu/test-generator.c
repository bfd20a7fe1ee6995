/* SPDX-License-Identifier: MIT
 *
 * Tests of the CUDA backend with its real libraries but without a GPU: every generated source
 * compiles, the disk cache survives damage, groups are cut as they should, and cuDNN proposes
 * engines for the pipelines' convolutions on an H200 (described to it in words).
 */
#include "app/backend/cuda/compiler.h"
#include "app/backend/cuda/cudnn-graph.h"
#include "app/backend/cuda/generator.h"
#include "app/backend/cuda/nest-kernels.h"
#include "app/backend/segment.h"
#include "app/backend/source.h"
#include "tests/core/op-fixture.h"

#include <glib/gstdio.h>
#include <string.h>

/* The cache folder that g_get_user_cache_dir() names: one in the build folder, kept so that each
 * source is compiled only once, or the test's own. */
static char *cache;

static char **
list_entries (void)
{
  g_autofree char *folder = g_build_filename (cache, "seamscope", "kernels", NULL);
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  GPtrArray *paths = g_ptr_array_new ();
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL)
    g_ptr_array_add (paths, g_build_filename (folder, name, NULL));
  g_ptr_array_add (paths, NULL);
  return (char **)g_ptr_array_free (paths, FALSE);
}

/* Every op of the segment has a line that is marked with it, and no line is marked with an op that
 * the segment neither contains nor reads. */
static void
check_marks (const char *text, const SeamPlan *plan, const SeamSegment *s)
{
  const SeamChain *chain = seam_plan_get_chain (plan);
  g_autoptr (SeamSource) source = seam_source_new ("generated kernel", "cuda", s->first, s->last);
  g_autofree int *marks = NULL;
  gboolean seen[SEAM_MAX_OPS] = { FALSE };
  int n = 0;

  source->text = g_strdup (text);
  marks = seam_source_mark_lines (source, chain, &n);
  for (int i = 0; i < n; i++)
    if (marks[i] >= 0)
      seen[marks[i]] = TRUE;
  for (int op = 0; op < chain->n_ops; op++) {
    gboolean wanted = op >= s->first && op <= s->last, allowed = wanted;

    for (int i = 0; i < s->n_inputs; i++)
      allowed = allowed || s->inputs[i] == SEAM_TENSOR_OUTPUT (op);
    if ((wanted && !seen[op]) || (!allowed && seen[op]))
      g_error ("%s is %smarked in:\n%s", chain->ops[op].name, seen[op] ? "" : "not ", text);
  }
}

/* Small and large shapes, with tensors of FP32 and of 16 bits in memory. */
static const struct {
  const char *preset;
  SeamStorage storage;
  SeamOperandType type;
} settings[] = {
  { "tiny", SEAM_STORAGE_FP32, SEAM_OPERAND_FP32 },
  { "kernelbench", SEAM_STORAGE_FP32, SEAM_OPERAND_FP32 },
  { "tiny", SEAM_STORAGE_BETWEEN, SEAM_OPERAND_FP16 },
  { "kernelbench", SEAM_STORAGE_BETWEEN, SEAM_OPERAND_BF16 },
};

static SeamProblem *
make_problem (SeamPipeline *pipeline, guint setting, GError **error)
{
  SeamProblem *problem =
      seam_problem_new_from_text (pipeline, settings[setting].preset, NULL, error);

  if (problem != NULL)
    seam_problem_set_storage (problem, settings[setting].storage, settings[setting].type);
  return problem;
}

/* The text names the tensors that have 16 bits, for the reader and for the compiler, and only
 * those. */
static void
check_types (const char *text, const SeamProblem *problem, const SeamSegment *s)
{
  guint inputs = 0, outputs = 0;
  g_autofree char *bits = NULL;

  for (int i = 0; i < s->n_inputs; i++)
    inputs |= (guint)(problem->tensors[s->inputs[i]].type != SEAM_OPERAND_FP32) << i;
  for (int i = 0; i < s->n_outputs; i++)
    outputs |= (guint)(problem->tensors[s->outputs[i]].type != SEAM_OPERAND_FP32) << i;
  bits = g_strdup_printf ("stored_inputs = %uu, stored_outputs = %uu;", inputs, outputs);
  if ((strstr (text, bits) != NULL) != (inputs + outputs > 0)
      || (strstr (text, "stored_inputs") != NULL) != (inputs + outputs > 0)
      || (strstr (text, ", FP16\n") != NULL || strstr (text, ", BF16\n") != NULL)
             != (inputs + outputs > 0))
    g_error ("“%s” was expected in:\n%s", bits, text);
}

/* Every segment of every partition of one pipeline, each distinct source once. */
static void
test_sources (gconstpointer data)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (data, &error);

  g_assert_no_error (error);
  for (guint p = 0; p < G_N_ELEMENTS (settings); p++) {
    g_autoptr (SeamProblem) problem = make_problem (pipeline, p, &error);
    int n_ops = pipeline->chains[0].n_ops;

    g_assert_no_error (error);
    for (guint32 seams = 0; seams < (1u << (n_ops - 1)); seams++) {
      g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, seams);
      for (int g = 0; g < plan->n_groups; g++) {
        SeamSegments segments;
        int covered = plan->groups[g].first;

        seam_segments_build (plan, g, 1, &segments);
        for (int i = 0; i < segments.n; i++) {
          const SeamSegment *s = &segments.segments[i];
          g_autoptr (Generated) generated = NULL;
          g_autoptr (GBytes) code = NULL;

          /* The segments follow one another, and each writes the output of its last op. */
          g_assert_cmpint (s->first, ==, covered);
          covered = s->last + 1;
          g_assert_cmpint (s->outputs[s->n_outputs - 1], ==, SEAM_TENSOR_OUTPUT (s->last));
          if (s->library)
            continue;
          generated = generated_new (problem, plan, s, &error);
          g_assert_no_error (error);
          if (!g_hash_table_add (seen, g_strdup (generated->source)))
            continue;
          check_marks (generated->source, plan, s);
          check_types (generated->source, problem, s);
          code = compiler_compile (generated->source, 9, 0, 0, NULL, &error);
          if (code == NULL)
            g_error ("%s\n%s", generated->source, error->message);
          for (int k = 0; k < generated->n_kernels; k++)
            g_assert_nonnull (g_strstr_len (g_bytes_get_data (code, NULL),
                                            (gssize)g_bytes_get_size (code), "\177ELF"));
        }
        g_assert_cmpint (covered, ==, plan->groups[g].last + 1);
      }
    }
  }
  g_test_message ("%u sources compiled", g_hash_table_size (seen));
  g_assert_cmpuint (g_hash_table_size (seen), >, 1);
}

/* Every map of the table compiles, after a matrix op of each kind. */
static void
test_op (gconstpointer data)
{
  const int types = GPOINTER_TO_INT (data);
  g_autoptr (SeamPipeline) pipeline =
      op_fixture_make_pipeline (types / SEAM_N_OP_TYPES, types % SEAM_N_OP_TYPES);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (pipeline, NULL, NULL, &error);
  g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, 0);
  const int last = plan->n_groups - 1;
  g_autoptr (Generated) generated = NULL;
  g_autoptr (GBytes) code = NULL;
  SeamSegments segments;

  g_assert_no_error (error);
  seam_segments_build (plan, last, 1, &segments);
  generated = generated_new (problem, plan, &segments.segments[0], &error);
  g_assert_no_error (error);
  check_marks (generated->source, plan, &segments.segments[0]);
  code = compiler_compile (generated->source, 9, 0, 0, NULL, &error);
  if (code == NULL)
    g_error ("%s\n%s", generated->source, error->message);
}

/* The kernels of every op of the hundred problems by itself, small and large, each distinct code
 * once. */
static void
test_nests (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = seam_pipeline_list_level (&error);

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (settings) * list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i / G_N_ELEMENTS (settings));
    g_autoptr (SeamProblem) problem = make_problem (pipeline, i % G_N_ELEMENTS (settings), &error);
    const int n_ops = pipeline->chains[0].n_ops;
    g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, 0, 0);

    g_assert_no_error (error);
    for (int op = 0; op < n_ops; op++) {
      const SeamGroupSpec spec = { problem, plan, op, SEAM_MATH_FP32 };
      g_autoptr (NestKernels) k = nest_kernels_new (&spec, op, op, SEAM_OPERAND_FP32, 132, &error);
      g_autoptr (GBytes) code = NULL;

      g_assert_no_error (error);
      if (!g_hash_table_add (seen, g_strdup (strstr (k->source, "#include"))))
        continue;
      code = compiler_compile (k->source, 9, 0, 0, NULL, &error);
      if (code == NULL)
        g_error ("%s\n%s", k->source, error->message);
    }
  }
  g_test_message ("%u sources compiled", g_hash_table_size (seen));
  g_assert_cmpuint (g_hash_table_size (seen), >, 60);
}

/* The generated part of every exhibit, with its mistake, for one and for two passes of GroupNorm.
 */
static void
test_exhibits (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = seam_pipeline_list (&error);
  int n_marked = 0;

  g_assert_no_error (error);
  for (guint i = 0; i < G_N_ELEMENTS (settings) * list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i / G_N_ELEMENTS (settings));
    g_autoptr (SeamProblem) problem = make_problem (pipeline, i % G_N_ELEMENTS (settings), &error);

    g_assert_no_error (error);
    for (int chain = 1; chain < pipeline->n_chains; chain++) {
      int n_ops = pipeline->chains[chain].n_ops;
      g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, ((1u << (n_ops - 1)) - 1) & ~1u);
      g_autoptr (Generated) generated = NULL;
      g_autoptr (GBytes) code = NULL;
      SeamSegments segments;
      gboolean carries = FALSE;

      seam_segments_build (plan, 1, 1, &segments);
      g_assert_cmpint (segments.n, ==, 1);
      generated = generated_new (problem, plan, &segments.segments[0], &error);
      g_assert_no_error (error);
      for (int op = 1; op < n_ops; op++)
        carries = carries || pipeline->chains[chain].ops[op].defect != SEAM_DEFECT_NONE;
      g_assert_cmpint (strstr (generated->source, "Wrong on purpose") != NULL, ==, carries);
      n_marked += carries;
      check_marks (generated->source, plan, &segments.segments[0]);
      code = compiler_compile (generated->source, 9, 0, 0, NULL, &error);
      if (code == NULL)
        g_error ("%s\n%s", generated->source, error->message);
    }
  }
  g_assert_cmpint (n_marked, >=, 8 * (int)G_N_ELEMENTS (settings)); /* of the five */
}

/* The clamp, which loses NaN, is there only if a later multiplication brings NaN back. */
static void
test_clamp (void)
{
  static const struct {
    const char *plan;
    int group;
    gboolean unit;
  } cases[] = {
    { "conv|conv_bias+relu+add3+div6+clamp+mul", 1, TRUE },
    { "conv|conv_bias+relu|add3+div6+clamp+mul", 2, TRUE },
    { "conv|conv_bias+relu+add3|div6+clamp+mul", 2, FALSE }, /* relu and add3 are read from
                                                              * memory */
    { "conv|conv_bias+relu+add3+div6+clamp|mul", 1, FALSE },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#57", &error);
  g_autoptr (SeamProblem) problem = make_problem (pipeline, 0, &error);

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, cases[i].plan, &error);
    g_autoptr (Generated) generated = NULL;
    SeamSegments segments;

    g_assert_no_error (error);
    seam_segments_build (plan, cases[i].group, 1, &segments);
    generated = generated_new (problem, plan, &segments.segments[0], &error);
    g_assert_no_error (error);
    g_test_message ("%s", cases[i].plan);
    g_assert_cmpint (strstr (generated->source, "seam_op_clamp_unit (") != NULL, ==, cases[i].unit);
    g_assert_cmpint (strstr (generated->source, "seam_op_clamp (") != NULL, ==, !cases[i].unit);
  }
}

/* For a GPU without single-instruction conversions, the code converts by operations on bits. */
static void
test_older (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("#37", &error);

  for (guint p = 0; p < G_N_ELEMENTS (settings); p++) {
    g_autoptr (SeamProblem) problem = make_problem (pipeline, p, &error);
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, "unfused", &error);

    g_assert_no_error (error);
    for (int g = 1; g < plan->n_groups; g++) {
      g_autoptr (Generated) generated = NULL;
      g_autoptr (GBytes) code = NULL;
      SeamSegments segments;

      seam_segments_build (plan, g, 1, &segments);
      generated = generated_new (problem, plan, &segments.segments[0], &error);
      g_assert_no_error (error);
      code = compiler_compile (generated->source, 7, 5, 0, NULL, &error);
      if (code == NULL)
        g_error ("%s\n%s", generated->source, error->message);
    }
  }
}

static void
test_cache (void)
{
  /* A source that no cache has. */
  g_autofree char *source =
      g_strdup_printf ("// %" G_GINT64_FORMAT "\n#include \"kernels/cuda/elementwise.cuh\"\n"
                       "extern \"C\" __global__ void nothing (const SeamCudaArguments a)"
                       " { a.outputs[0][0] = seam_op_relu (a.inputs[0][0]); }\n",
                       g_get_real_time ());
  g_autoptr (GError) error = NULL;
  g_auto (GStrv) before = list_entries (), after = NULL;
  g_autoptr (GBytes) first = compiler_compile (source, 9, 0, 0, NULL, &error), second = NULL,
                     third = NULL;
  g_autofree char *contents = NULL, *again = NULL, *sum = NULL, *planted = NULL;
  char *entry = NULL;
  gsize length = 0;

  g_assert_no_error (error);
  /* Other tests add entries at the same time; this code's begins with its checksum. */
  after = list_entries ();
  sum = g_compute_checksum_for_bytes (G_CHECKSUM_SHA256, first);
  for (char **path = after; *path != NULL; path++) {
    g_autofree char *text = NULL;

    if (!g_strv_contains ((const char *const *)before, *path)
        && g_file_get_contents (*path, &text, &length, NULL)
        && g_strstr_len (text, (gssize)MIN (length, 128), sum) != NULL)
      entry = *path;
  }
  g_assert_nonnull (entry);

  second = compiler_compile (source, 9, 0, 0, NULL, &error);
  g_assert_true (g_bytes_equal (first, second));

  /* A flipped bit and a truncated file are noticed, and the code is compiled again and replaced. */
  g_assert_true (g_file_get_contents (entry, &contents, &length, NULL));
  contents[length / 2] ^= 1;
  g_assert_true (g_file_set_contents (entry, contents, (gssize)length, NULL));
  third = compiler_compile (source, 9, 0, 0, NULL, &error);
  g_assert_true (g_bytes_equal (first, third));
  g_assert_true (g_file_get_contents (entry, &again, NULL, NULL));
  contents[length / 2] ^= 1;
  g_assert_cmpmem (again, length, contents, length);
  g_clear_pointer (&third, g_bytes_unref);
  g_assert_true (g_file_set_contents (entry, contents, 40, NULL));
  third = compiler_compile (source, 9, 0, 0, NULL, &error);
  g_assert_true (g_bytes_equal (first, third));

  /* An entry that another user could have written is replaced, too, even if it is undamaged. */
  g_clear_pointer (&third, g_bytes_unref);
  g_free (sum);
  sum = g_compute_checksum_for_string (G_CHECKSUM_SHA256, "planted", -1);
  planted = g_strdup_printf ("seamscope-kernel 1 %s\nplanted", sum);
  g_assert_true (g_file_set_contents (entry, planted, -1, NULL));
  g_chmod (entry, 0666);
  third = compiler_compile (source, 9, 0, 0, NULL, &error);
  g_assert_true (g_bytes_equal (first, third));
  g_unlink (entry);
}

static void
test_log (void)
{
  g_autoptr (GError) error = NULL;

  g_assert_null (compiler_compile ("int good;\n  float bad = worse;\n", 9, 0, 0, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "line 2, column 15: error: identifier \"worse\""));
  g_clear_error (&error);
  g_assert_null (compiler_compile ("extern \"C\" __global__ void f () { }", 3, 0, 0, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "3.0"));
}

/* A GPU newer than NVRTC gets PTX, which the driver compiles. */
static void
test_newer (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GBytes) code =
      compiler_compile ("extern \"C\" __global__ void newer () { }", 99, 0, 0, NULL, &error);

  g_assert_no_error (error);
  g_assert_nonnull (g_strstr_len (g_bytes_get_data (code, NULL), (gssize)g_bytes_get_size (code),
                                  ".visible .entry newer"));
}

/* An H200 as cuDNN 9.19 describes it: multiprocessors, L2 and shared memory as measured there, the
 * other limits as for compute capability 9.0. They only influence cuDNN's proposals. */
static const char h200[] =
    "{\"version\":1,\"deviceVer\":900,\"driverVer\":13000,\"cudaDeviceId\":0,"
    "\"maxGridSize\":[2147483647,65535,65535],\"maxBlockSize\":[1024,1024,64],"
    "\"regsPerBlock\":65536,\"multiProcessorCount\":132,\"warpSize\":32,"
    "\"maxSharedMemoryPerBlock\":49152,\"maxSharedMemoryPerBlockOptin\":232448,"
    "\"reservedSharedMemoryPerBlock\":1024,\"maxRegistersPerSM\":65536,\"maxCtasPerSM\":32,"
    "\"maxThreadsPerBlock\":1024,\"maxThreadsPerSM\":2048,\"pciDeviceId\":0,\"isTccDriver\":0,"
    "\"supportCoopLaunch\":1,\"totalGlobalMem\":150000000000,\"smClockRateKHz\":1980000,"
    "\"memClockRateKHz\":3201000,\"l2CacheSize\":62914560,\"deviceName\":\"NVIDIA H200\"}";

/* Whether one of cuDNN's proposals for the graph becomes a plan. */
static gboolean
has_plan (cudnnBackendDescriptor_t device, const CudnnGraphSpec *spec, SeamMathMode mode)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (CudnnGraph) graph = cudnn_graph_new (NULL, device, spec, &error);
  g_autoptr (GPtrArray) configs = NULL;
  gboolean found = FALSE;

  g_assert_no_error (error);
  configs = cudnn_graph_list_configs (graph, mode, NULL);
  for (guint i = 0; configs != NULL && i < configs->len && !found; i++) {
    g_autoptr (CudnnPlan) plan = cudnn_plan_new (graph, configs->pdata[i], NULL);

    found = plan != NULL;
    if (found)
      g_assert_cmpint (plan->workspace_bytes, >=, 0);
  }
  return found;
}

/* FP32 and TF32 have an engine in every layout; a convolution of 16-bit operands needs an engine in
 * some layout that stores FP32, or at least their own type. With the bias, cuDNN wants all tensors
 * to have one type (tried with 9.19), so that nothing is expected. */
static void
check_engines (cudnnBackendDescriptor_t device, const SeamProblem *problem, int last,
               SeamMathMode mode)
{
  const SeamOperandType operand = seam_math_mode_get_operand (mode);
  gboolean any = FALSE;

  for (int channels_last = 0; channels_last < 2; channels_last++) {
    CudnnGraphSpec spec = {
      problem, &problem->pipeline->chains[0], 0, last, channels_last, operand, SEAM_OPERAND_FP32
    };
    gboolean found = has_plan (device, &spec, mode), rounded = FALSE;

    if (operand != SEAM_OPERAND_FP32) {
      spec.output = operand;
      rounded = has_plan (device, &spec, mode);
    } else {
      g_assert_true (found);
    }
    g_test_message ("%s, %d ops, channels %s, %s: FP32 output %s, rounded output %s",
                    problem->pipeline->id, last + 1, channels_last ? "last" : "first",
                    seam_math_mode_get_name (mode), found ? "yes" : "no", rounded ? "yes" : "no");
    any = any || found || rounded;
  }
  g_assert_true (any || last > 0);
}

/* The H200's descriptor; NULL: the test is skipped. */
static cudnnBackendDescriptor_t
describe_h200 (void)
{
  cudnnBackendDescriptor_t device = NULL;

  g_assert_cmpint (cudnnBackendCreateDescriptor (CUDNN_BACKEND_DEVICEPROP_DESCRIPTOR, &device), ==,
                   CUDNN_STATUS_SUCCESS);
  if (cudnnBackendSetAttribute (device, CUDNN_ATTR_DEVICEPROP_JSON_REPRESENTATION, CUDNN_TYPE_CHAR,
                                (gint64)strlen (h200), h200)
          == CUDNN_STATUS_SUCCESS
      && cudnnBackendFinalize (device) == CUDNN_STATUS_SUCCESS)
    return device;
  cudnnBackendDestroyDescriptor (device);
  g_test_skip ("This cuDNN cannot answer for a GPU that is not there (9.11 and newer can).");
  return NULL;
}

static void
test_cudnn (gconstpointer data)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (data, &error);
  g_autoptr (SeamProblem) problem = NULL;
  cudnnBackendDescriptor_t device = describe_h200 ();

  if (device == NULL)
    return;
  g_assert_no_error (error);
  problem = seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
  g_assert_no_error (error);
  /* conv2d alone, and with its bias: the first two ops of every convolution here. */
  for (int last = 0; last < 2; last++)
    for (int mode = 0; mode < SEAM_N_MATH_MODES; mode++)
      if (seam_math_mode_get_base (mode) == (SeamMathMode)mode) /* other modes never reach cuDNN */
        check_engines (device, problem, last, mode);
  cudnnBackendDestroyDescriptor (device);
}

/* Every kind of convolution of the hundred problems, with every stride and padding, has an engine
 * in TF32. */
static void
test_convolutions (void)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) list = seam_pipeline_list_level (&error);
  cudnnBackendDescriptor_t device = describe_h200 ();

  if (device == NULL)
    return;
  g_assert_no_error (error);
  for (guint i = 0; i < list->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (list, i);
    g_autoptr (SeamProblem) problem =
        seam_problem_new_from_text (pipeline, "kernelbench", NULL, &error);
    const SeamChain *chain = &pipeline->chains[0];

    g_assert_no_error (error);
    for (int op = 0; op < chain->n_ops; op++) {
      SeamNest nest;

      seam_nest_init (&nest, problem, chain, op);
      if (nest.c.info->op_class != SEAM_CLASS_MATRIX || nest.c.info->attributes->rank == 0)
        continue;
      char *kind = g_strdup_printf ("%s, stride %ld, padding %ld", nest.c.info->name,
                                    nest.general.stride[2], nest.general.padding[2]);
      if (!g_hash_table_add (seen, kind))
        continue;
      gboolean found = FALSE;
      for (int channels_last = 0; channels_last < 2; channels_last++) {
        const CudnnGraphSpec spec = {
          problem, chain, op, op, channels_last, SEAM_OPERAND_FP32, SEAM_OPERAND_FP32
        };
        const gboolean good = has_plan (device, &spec, SEAM_MATH_TF32);

        g_test_message ("%s, %s, channels %s: TF32 %s, FP32 %s", pipeline->id, kind,
                        channels_last ? "last" : "first", good ? "yes" : "no",
                        has_plan (device, &spec, SEAM_MATH_FP32) ? "yes" : "no");
        found = found || good;
      }
      g_assert_true (found);
    }
  }
  g_assert_cmpuint (g_hash_table_size (seen), >=, 6);
  cudnnBackendDestroyDescriptor (device);
}

int
main (int argc, char **argv)
{
  static const char *const pipelines[] = {
    "conv-relu-bias",
    "gemm-bias-relu",
    "matmul-swish-bias-groupnorm",
    "conv-bias-scale-sigmoid-groupnorm",
    "conv-relu-hardswish",
  };
  int status;

  const char *kept = g_getenv ("SEAMSCOPE_TEST_CACHE");

  cache = kept != NULL ? g_strdup (kept) : g_dir_make_tmp ("seamscope-generator-XXXXXX", NULL);
  g_setenv ("XDG_CACHE_HOME", cache, TRUE);
  g_test_init (&argc, &argv, NULL);
  for (guint i = 0; i < G_N_ELEMENTS (pipelines); i++) {
    g_autofree char *sources = g_strdup_printf ("/generator/sources/%s", pipelines[i]);
    g_autofree char *cudnn = g_strdup_printf ("/generator/cudnn/%s", pipelines[i]);
    g_test_add_data_func (sources, pipelines[i], test_sources);
    if (g_str_has_prefix (pipelines[i], "conv"))
      g_test_add_data_func (cudnn, pipelines[i], test_cudnn);
  }
  op_fixture_add_tests ("/generator/op", test_op);
  g_test_add_func ("/generator/nests", test_nests);
  g_test_add_func ("/generator/convolutions", test_convolutions);
  g_test_add_func ("/generator/exhibits", test_exhibits);
  g_test_add_func ("/generator/clamp", test_clamp);
  g_test_add_func ("/generator/cache", test_cache);
  g_test_add_func ("/generator/log", test_log);
  g_test_add_func ("/generator/newer", test_newer);
  g_test_add_func ("/generator/older", test_older);
  status = g_test_run ();
  if (kept == NULL) {
    g_auto (GStrv) entries = list_entries ();
    g_autofree char *kernels = g_build_filename (cache, "seamscope", "kernels", NULL);
    g_autofree char *folder = g_build_filename (cache, "seamscope", NULL);

    for (char **path = entries; *path != NULL; path++)
      g_unlink (*path);
    g_rmdir (kernels);
    g_rmdir (folder);
    g_rmdir (cache);
  }
  g_free (cache);
  return status;
}
