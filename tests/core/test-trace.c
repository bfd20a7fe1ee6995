/* SPDX-License-Identifier: MIT
 *
 * The Chrome trace of a result: the fields of a kernel's event; unknown numbers are left out.
 */
#include "app/export/chrome-trace.h"

#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

static SeamResult *
make_result (void)
{
  SeamResult *result = seam_result_new (2);

  result->pipeline_id = g_strdup ("conv-relu-bias");
  result->settings.math_mode = SEAM_MATH_TF32;
  for (int i = 0; i < 2; i++) {
    SeamPlanResult *plan = &result->plans[i];
    plan->notation = g_strdup ("conv|relu");
    plan->name = i == 0 ? g_strdup ("unfused \"quoted\"") : NULL;
    plan->state = SEAM_PLAN_MEASURED;
    plan->median_ns = i == 0 ? 3500.5 : NAN;
    plan->n_kernels = 3;
    plan->kernels = g_new0 (SeamKernel, 3);
    for (int k = 0; k < 3; k++) {
      SeamKernel *kernel = &plan->kernels[k];
      kernel->name = g_strdup ("void f<int>(float*)");
      kernel->short_name = g_strdup_printf ("k%d", k);
      kernel->group = kernel->first_op = kernel->last_op = k;
      kernel->implementation = g_strdup ("generated");
      kernel->is_copy = k == 2;
      kernel->start_ns = 1000.0 * k;
      kernel->median_ns = 999.25;
      kernel->bytes = 4096;
      kernel->registers = kernel->shared_bytes = -1;
    }
  }
  SeamKernel *kernels = result->plans[0].kernels;
  kernels[0].registers = 168;
  kernels[0].shared_bytes = 0;
  kernels[0].grid[0] = 132;
  kernels[0].grid[1] = kernels[0].grid[2] = 1;
  kernels[0].block[0] = 256;
  kernels[0].bytes = NAN;
  /* Medians need not fit together: this kernel starts before the first one ends. */
  kernels[1].start_ns = 900;
  kernels[2].start_ns = NAN;
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < 3; k++)
      result->plans[i].kernels[k].call_ns = NAN;
  result->plans[1].kernels[1].median_ns = NAN;
  return result;
}

/* The complete event with this name in this process, or NULL. */
static JsonObject *
find_event (JsonNode *root, const char *name, gint64 process)
{
  JsonArray *events = json_object_get_array_member (json_node_get_object (root), "traceEvents");

  for (guint i = 0; i < json_array_get_length (events); i++) {
    JsonObject *event = json_array_get_object_element (events, i);
    if (strcmp (json_object_get_string_member (event, "ph"), "X") == 0
        && strcmp (json_object_get_string_member (event, "name"), name) == 0
        && json_object_get_int_member (event, "pid") == process)
      return event;
  }
  return NULL;
}

static void
test_events (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamResult *const results[] = { result, result };
  g_autofree char *text = seam_trace_to_json (results, 2);
  g_autoptr (GError) error = NULL;
  g_autoptr (JsonNode) root = json_from_string (text, &error);
  JsonObject *event, *arguments;

  g_assert_no_error (error);
  g_assert_cmpstr (json_object_get_string_member (json_node_get_object (root), "displayTimeUnit"),
                   ==, "ns");

  event = find_event (root, "k0", 1);
  arguments = json_object_get_object_member (event, "args");
  g_assert_cmpfloat (json_object_get_double_member (event, "ts"), ==, 0);
  g_assert_cmpfloat (json_object_get_double_member (event, "dur"), ==, 0.99925);
  g_assert_cmpstr (json_object_get_string_member (event, "cat"), ==, "kernel");
  g_assert_cmpint (json_object_get_int_member (arguments, "registers"), ==, 168);
  g_assert_cmpint (json_object_get_int_member (arguments, "shared_bytes"), ==, 0);
  g_assert_cmpint (json_array_get_int_element (json_object_get_array_member (arguments, "grid"), 0),
                   ==, 132);
  g_assert_cmpint (
      json_array_get_int_element (json_object_get_array_member (arguments, "block"), 0), ==, 256);
  g_assert_false (json_object_has_member (arguments, "bytes"));

  /* It would overlap, so it is in another thread. The next one has an unknown start and follows
   * it. */
  event = find_event (root, "k1", 1);
  arguments = json_object_get_object_member (event, "args");
  g_assert_cmpint (json_object_get_int_member (event, "tid"), !=,
                   json_object_get_int_member (find_event (root, "k0", 1), "tid"));
  g_assert_cmpfloat (json_object_get_double_member (event, "ts"), ==, 0.9);
  g_assert_cmpfloat (json_object_get_double_member (arguments, "bytes"), ==, 4096);
  g_assert_false (json_object_has_member (arguments, "registers"));
  g_assert_false (json_object_has_member (arguments, "shared_bytes"));
  g_assert_false (json_object_has_member (arguments, "grid"));
  event = find_event (root, "k2", 1);
  g_assert_cmpstr (json_object_get_string_member (event, "cat"), ==, "copy");
  g_assert_cmpfloat_with_epsilon (json_object_get_double_member (event, "ts"), 0.9 + 0.99925, 1e-9);

  /* The numbers of processes continue from run to run; a kernel without a duration has no event. */
  g_assert_nonnull (find_event (root, "elapsed (median)", 1));
  g_assert_null (find_event (root, "elapsed (median)", 2));
  g_assert_null (find_event (root, "k1", 2));
  g_assert_nonnull (find_event (root, "k2", 4));
  g_assert_null (find_event (root, "k2", 5));
}

/* The host's call is the first event, at 0, with an arrow to its kernel. */
static void
test_launches (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamResult *const results[] = { result };
  SeamKernel *kernel = &result->plans[0].kernels[0];
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *events;
  int n_launches = 0, n_starts = 0, n_ends = 0;

  kernel->call_start_ns = -4000;
  kernel->call_ns = 1500;
  text = seam_trace_to_json (results, 1);
  root = json_from_string (text, NULL);
  g_assert_nonnull (root);
  events = json_object_get_array_member (json_node_get_object (root), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++) {
    JsonObject *event = json_array_get_object_element (events, i);
    const char *phase = json_object_get_string_member (event, "ph");
    const char *category = json_object_get_string_member_with_default (event, "cat", "");

    if (!g_str_equal (phase, "M"))
      g_assert_cmpfloat (json_object_get_double_member (event, "ts"), >=, 0);
    if (g_str_equal (phase, "X") && g_str_equal (category, "launch")) {
      g_assert_cmpfloat (json_object_get_double_member (event, "ts"), ==, 0);
      g_assert_cmpfloat (json_object_get_double_member (event, "dur"), ==, 1.5);
      n_launches++;
    }
    if (g_str_equal (phase, "X") && g_str_equal (category, "kernel")
        && json_object_get_int_member (event, "pid") == 1
        && g_str_equal (json_object_get_string_member (event, "name"), "k0"))
      g_assert_cmpfloat (json_object_get_double_member (event, "ts"), ==, 4);
    n_starts += g_str_equal (phase, "s");
    n_ends += g_str_equal (phase, "f");
  }
  g_assert_cmpint (n_launches, ==, 1);
  g_assert_cmpint (n_starts, ==, 1);
  g_assert_cmpint (n_ends, ==, 1);
}

/* Each traced execution of which the starts are known has a thread, in which its kernels do not
 * overlap and have its own durations and gaps. */
static void
test_executions (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamResult *const results[] = { result };
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *events;
  double ends[2] = { 0, 0 };
  int n_found[2] = { 0, 0 };

  for (int k = 0; k < 3; k++) {
    SeamKernel *kernel = &result->plans[0].kernels[k];
    kernel->n_samples = 2;
    kernel->samples_ns = g_memdup2 ((double[]){ 1000, 2000 }, 2 * sizeof (double));
    kernel->starts_ns = g_memdup2 ((double[]){ 1500 * k, 2250 * k }, 2 * sizeof (double));
  }
  text = seam_trace_to_json (results, 1);
  root = json_from_string (text, NULL);
  g_assert_nonnull (root);
  events = json_object_get_array_member (json_node_get_object (root), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++) {
    JsonObject *event = json_array_get_object_element (events, i);
    int e = (int)json_object_get_int_member (event, "tid") - 11;
    double gap = e == 0 ? 0.5 : 0.25;

    if (e < 0)
      continue;
    g_assert_cmpint (e, <, 2);
    if (strcmp (json_object_get_string_member (event, "ph"), "M") == 0) {
      JsonObject *arguments = json_object_get_object_member (event, "args");
      g_assert_cmpstr (json_object_get_string_member (arguments, "name"), ==,
                       e == 0 ? "execution 1 of 2" : "execution 2 of 2");
      continue;
    }
    g_assert_cmpfloat_with_epsilon (json_object_get_double_member (event, "ts"),
                                    n_found[e] == 0 ? 0 : ends[e] + gap, 1e-9);
    g_assert_cmpfloat_with_epsilon (json_object_get_double_member (event, "dur"), e + 1, 1e-9);
    ends[e] = json_object_get_double_member (event, "ts") + e + 1;
    n_found[e]++;
  }
  g_assert_cmpint (n_found[0], ==, 3);
  g_assert_cmpint (n_found[1], ==, 3);
}

static void
test_empty (void)
{
  g_autoptr (SeamResult) result = seam_result_new (1);
  SeamResult *const results[] = { result };
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;

  result->plans[0].notation = g_strdup ("matmul");
  text = seam_trace_to_json (results, 1);
  root = json_from_string (text, NULL);
  g_assert_nonnull (root);
  g_assert_null (find_event (root, "elapsed (median)", 1));
}

/* A CUDA graph is one call, from which an arrow leads to each of its kernels. */
static void
test_graph (void)
{
  g_autoptr (SeamResult) result = make_result ();
  SeamResult *const results[] = { result };
  SeamPlanResult *plan = &result->plans[0];
  g_autofree char *text = NULL;
  g_autoptr (JsonNode) root = NULL;
  JsonArray *events;
  int n_launches = 0, n_starts = 0, n_ends = 0;

  for (int i = 0; i < plan->n_kernels; i++) {
    plan->kernels[i].call_start_ns = -4000;
    plan->kernels[i].call_ns = 1500;
  }
  result->settings.launch = SEAM_LAUNCH_GRAPH;
  text = seam_trace_to_json (results, 1);
  root = json_from_string (text, NULL);
  g_assert_nonnull (root);
  events = json_object_get_array_member (json_node_get_object (root), "traceEvents");
  for (guint i = 0; i < json_array_get_length (events); i++) {
    JsonObject *event = json_array_get_object_element (events, i);
    const char *phase = json_object_get_string_member (event, "ph");

    if (g_str_equal (phase, "X")
        && g_str_equal (json_object_get_string_member (event, "cat"), "launch")) {
      g_assert_cmpstr (json_object_get_string_member (event, "name"), ==, "CUDA graph");
      n_launches++;
    }
    n_starts += g_str_equal (phase, "s");
    n_ends += g_str_equal (phase, "f");
  }
  g_assert_cmpint (plan->n_kernels, >, 1);
  g_assert_cmpint (n_launches, ==, 1);
  g_assert_cmpint (n_starts, ==, plan->n_kernels);
  g_assert_cmpint (n_ends, ==, plan->n_kernels);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/trace/events", test_events);
  g_test_add_func ("/trace/launches", test_launches);
  g_test_add_func ("/trace/graph", test_graph);
  g_test_add_func ("/trace/empty", test_empty);
  g_test_add_func ("/trace/executions", test_executions);
  return g_test_run ();
}
