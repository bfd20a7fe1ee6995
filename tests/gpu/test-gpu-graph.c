/* SPDX-License-Identifier: MIT
 *
 * Plans launched as CUDA graphs: outputs, times and records equal those of a plan that is launched
 * kernel by kernel; whole runs; and a plan that cannot be captured. Part of test-gpu.
 */
#include "app/runner/runner.h"
#include "tests/gpu/gpu-fixture.h"

static gboolean
is_emulated (void)
{
  return strcmp (gpu->info->name, "Emulated GPU") == 0;
}

static float *
run_ready (Ready *r)
{
  int output = SEAM_TENSOR_OUTPUT (r->f->n_ops - 1);
  gint64 bytes = r->f->problem->tensors[output].bytes;
  float *values = g_malloc (bytes);
  g_autoptr (GError) error = NULL;

  for (int i = 0; i < r->f->problem->n_tensors; i++)
    if (fixture_is_op_output (r->f, i) && r->buffers[i] != NULL)
      g_assert_true (gpu->backend->poison (gpu, r->buffers[i], NULL, &error));
  if (!gpu->backend->run (gpu, r->groups, r->plan->n_groups, NULL, &error))
    g_error ("%s", error->message);
  g_assert_true (gpu->backend->download (gpu, values, r->buffers[output], 0, bytes, &error));
  return values;
}

/* A graph has the same records as the plan launched kernel by kernel, all of one call. */
static void
check_graph_trace (Ready *r, const SeamTrace *launched, const SeamTrace *trace)
{
  const char *nodes = g_getenv ("SEAMSCOPE_EMULATE_NODES");

  g_assert_cmpint (trace->n_launches, ==, launched->n_launches);
  g_assert_cmpint (trace->n_records, ==, trace->n_launches);
  g_assert_cmpint (trace->n_rejected + trace->n_dropped, ==, 0);
  if (is_emulated () && strcmp (nodes, "none") == 0)
    g_assert_nonnull (strstr (trace->note, "by their order"));
  else
    g_assert_null (trace->note);
  g_assert_cmpuint (trace->records->len, ==, launched->records->len);
  for (guint i = 0; i < trace->records->len; i++) {
    const SeamTraceRecord *record = &g_array_index (trace->records, SeamTraceRecord, i);
    const SeamTraceRecord *other = &g_array_index (launched->records, SeamTraceRecord, i);
    const SeamTraceRecord *first = &g_array_index (trace->records, SeamTraceRecord, 0);

    g_assert_cmpstr (record->name, ==, other->name);
    g_assert_cmpint (record->group, ==, other->group);
    g_assert_cmpint (record->first_op, ==, other->first_op);
    g_assert_cmpint (record->last_op, ==, other->last_op);
    g_assert_cmpint (record->first_op, >=, r->plan->groups[record->group].first);
    g_assert_cmpfloat (record->call_start_ns, ==, first->call_start_ns);
    g_assert_cmpfloat (record->call_ns, >, 0);
  }
}

static void
check_graph (const char *pipeline, const char *plan)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamTrace) launched = NULL, trace = NULL;
  g_autofree float *expected = NULL;
  SeamSample sample = { .elapsed_ns = NAN };
  gsize bytes;
  Ready r;

  ready_init (&r, pipeline, "tiny", plan);
  bytes = (gsize)fixture_n_outputs (r.f) * sizeof (float);
  expected = run_ready (&r);
  if (gpu->info->can_trace)
    launched = gpu->backend->trace (gpu, r.groups, r.plan->n_groups, TRUE, &error);
  g_assert_no_error (error);
  gpu->backend->capture (gpu, r.groups, r.plan->n_groups, &error);
  g_assert_no_error (error);
  /* The output has the same bits each time. */
  for (int i = 0; i < 2; i++) {
    g_autofree float *output = run_ready (&r);
    g_assert_cmpmem (output, bytes, expected, bytes);
  }
  for (int cold = 0; cold < 2; cold++) {
    gpu->backend->time (gpu, r.groups, r.plan->n_groups, cold ? SEAM_TIMING_COLD : 0, &sample,
                        &error);
    g_assert_no_error (error);
    g_assert_cmpfloat (sample.elapsed_ns, >, 0);
  }
  if (launched != NULL) {
    trace = gpu->backend->trace (gpu, r.groups, r.plan->n_groups, TRUE, &error);
    g_assert_no_error (error);
    g_test_message ("%s, %s: %d kernels of one graph, %s", pipeline, plan, trace->n_records,
                    trace->note != NULL ? trace->note : "nothing odd");
    check_graph_trace (&r, launched, trace);
  }
  /* One group alone is not the captured plan, so it is launched without the graph. */
  if (r.plan->n_groups > 1) {
    g_assert_true (gpu->backend->run (gpu, r.groups, 1, NULL, &error));
    g_assert_no_error (error);
  }
  ready_clear (&r);
}

/* What CUPTI may name in the record of a graph's kernel: see fake-cupti.c. */
static void
test_graph (void)
{
  static const char *const nodes[] = { "clone", "captured", "none" };

  if (skip_without_gpu ())
    return;
  for (guint n = 0; n < (is_emulated () ? G_N_ELEMENTS (nodes) : 1); n++) {
    g_setenv ("SEAMSCOPE_EMULATE_NODES", nodes[n], TRUE);
    for (guint i = 0; i<G_N_ELEMENTS (all_pipelines); i += n> 0 ? 3 : 1) {
      check_graph (all_pipelines[i], "unfused");
      check_graph (all_pipelines[i], "published");
      check_graph (all_pipelines[i], "full");
    }
  }
  g_unsetenv ("SEAMSCOPE_EMULATE_NODES");
}

static SeamResult *
run_as_graph (const char *id, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (id, error);
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamRunner) runner = seam_runner_new ();
  const SeamPreset *tiny = seam_pipeline_get_preset (pipeline, "tiny", error);

  memcpy (request->values, tiny->values, sizeof request->values);
  request->target = g_strdup ("cuda:0");
  request->settings.launch = SEAM_LAUNCH_GRAPH;
  request->settings.budget_s = 0.2;
  return seam_runner_run (runner, request, NULL, NULL, NULL, NULL, error);
}

/* A whole run: outputs are compared, samples are taken, kernels are known, and the result names
 * the launch mode. */
static void
test_graph_run (void)
{
  if (skip_without_gpu ())
    return;
  for (guint i = 0; i < G_N_ELEMENTS (all_pipelines); i++) {
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamResult) result = run_as_graph (all_pipelines[i], &error);
    g_autofree char *provenance = NULL, *json = NULL;

    g_assert_no_error (error);
    provenance = seam_result_get_provenance (result);
    json = seam_record_to_json (&seam_result_type, result);
    g_assert_cmpint (result->settings.launch, ==, SEAM_LAUNCH_GRAPH);
    g_assert_nonnull (strstr (provenance, "CUDA graph"));
    g_assert_nonnull (strstr (json, "\"launch_mode\" : \"graph\""));
    g_assert_nonnull (strstr (result->trace_note, "one launch of a CUDA graph"));
    for (int p = 0; p < result->n_plans; p++) {
      g_assert_cmpint (result->plans[p].state, ==, SEAM_PLAN_MEASURED);
      g_assert_cmpint (result->plans[p].n_samples, >, 0);
      g_assert_true (result->plans[p].stable);
      if (gpu->info->can_trace)
        g_assert_cmpint (result->plans[p].n_kernels, >=, result->plans[p].n_groups);
    }
    g_assert_cmpint (result->plans[1].difference->n_failing, ==, 0);
  }
}

/* A plan that cannot be captured is refused, not launched in another way. */
static void
test_graph_refused (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = NULL;
  g_autofree float *before = NULL, *after = NULL;
  gsize bytes;
  Ready r;

  if (skip_without_gpu ())
    return;
  if (!is_emulated ()) {
    g_test_skip ("needs a library that waits inside its calls");
    return;
  }
  ready_init (&r, "gemm-bias-relu", "tiny", "unfused");
  bytes = (gsize)fixture_n_outputs (r.f) * sizeof (float);
  before = run_ready (&r);
  g_setenv ("SEAMSCOPE_EMULATE_WAITING", "1", TRUE);
  g_assert_false (gpu->backend->capture (gpu, r.groups, r.plan->n_groups, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (error->message, "cannot be captured: In matmul (cublaslt)"));
  g_clear_error (&error);
  result = run_as_graph ("gemm-bias-relu", &error);
  g_unsetenv ("SEAMSCOPE_EMULATE_WAITING");
  g_assert_no_error (error);
  for (int p = 0; p < result->n_plans; p++) {
    g_assert_cmpint (result->plans[p].state, ==, SEAM_PLAN_NOT_MEASURED);
    g_assert_cmpint (result->plans[p].n_samples, ==, 0);
    g_assert_nonnull (strstr (result->plans[p].message, "Choose launch mode stream"));
  }
  after = run_ready (&r);
  g_assert_cmpmem (before, bytes, after, bytes);
  ready_clear (&r);
}

void
gpu_graph_add_tests (SeamDevice *device, char *why_not)
{
  gpu = device;
  no_gpu = why_not;
  g_test_add_func ("/gpu/graph/trace", test_graph);
  g_test_add_func ("/gpu/graph/run", test_graph_run);
  g_test_add_func ("/gpu/graph/refused", test_graph_refused);
}
