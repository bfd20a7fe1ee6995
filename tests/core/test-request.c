/* SPDX-License-Identifier: MIT
 *
 * Before a run: requests through variants, plans resolved for a target that cannot join everything,
 * the placement of intermediates, memory refused in words, estimates. The target is the CPU, or the
 * CPU with the answers of another target.
 */
#include "app/runner/run-private.h"

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

static SeamProblem *
make_problem (SeamPipeline *pipeline, const char *preset)
{
  g_autoptr (GError) error = NULL;
  SeamProblem *problem = seam_problem_new_from_text (pipeline, preset, NULL, &error);

  g_assert_no_error (error);
  return problem;
}

static SeamDevice *
open_cpu (void)
{
  g_autoptr (GError) error = NULL;
  SeamDevice *device = seam_backend_open ("cpu", &error);

  g_assert_no_error (error);
  return device;
}

/* --- a target whose library joins nothing to a matrix op but one bias --- */

static void
narrow_supports (SeamDevice *device, const SeamGroupSpec *spec, SeamSupport *support)
{
  const SeamGroup *group = &spec->plan->groups[spec->group];
  const SeamChain *chain = seam_plan_get_chain (spec->plan);
  gboolean matrix = seam_op_get_kind (&chain->ops[group->first]) == SEAM_KIND_MATRIX;
  int n_ops = group->last - group->first + 1;

  seam_backend_cpu.supports (device, spec, support);
  if (matrix && n_ops > 2) {
    support->level = SEAM_SUPPORT_SPLIT;
    support->reason = g_strdup ("The library joins no more than a bias.");
  } else if (!matrix && n_ops > 3) {
    support->level = SEAM_SUPPORT_NO;
    support->reason = g_strdup ("More than three ops do not fit.");
  }
}

static SeamBackend narrow_backend;

/* The CPU device with these other answers. */
static SeamDevice *
open_narrow (void)
{
  SeamDevice *device = open_cpu ();

  narrow_backend = seam_backend_cpu;
  narrow_backend.name = "narrow";
  narrow_backend.supports = narrow_supports;
  device->backend = &narrow_backend;
  return device;
}

static void
test_defaults (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("conv-relu-bias");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);

  g_assert_cmpstr (request->preset, ==, "laptop");
  g_assert_cmpint (g_strv_length (request->plans), ==, 2);
  g_assert_cmpstr (request->plans[0], ==, "unfused");
  g_assert_cmpstr (request->plans[1], ==, "published");
  g_assert_null (request->target);
  g_assert_true (request->settings.cold);
  g_assert_cmpfloat (request->settings.budget_s, ==, 10);
  g_assert_true (isnan (request->settings.atol));
}

static void
test_round_trip (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("matmul-swish-bias-groupnorm");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (GError) error = NULL;

  request->values[0] = 77;
  request->settings.seed = 1ull << 63;
  request->target = g_strdup ("cuda:1");
  request->settings.math_mode = SEAM_MATH_TF32;
  request->settings.distribution = SEAM_DISTRIBUTION_NORMAL;
  request->settings.cold = FALSE;
  request->settings.launch = SEAM_LAUNCH_GRAPH;
  request->tensors_dir = g_strdup ("/tmp/a b");
  request->settings.against = g_strdup ("fp64");
  request->settings.rtol = 0;
  seam_edits_set (&request->edits, 1, 3, "first");
  seam_edits_set (&request->edits, 0, 2, "int \xC3\xA4;\n");
  seam_edits_set (&request->edits, 1, 3, NULL);
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_run_request_to_variant (request));
  g_autoptr (SeamRunRequest) back = seam_run_request_from_variant (variant, &error);
  g_assert_no_error (error);
  g_assert_cmpuint ((guint)back->edits.n, ==, 1);
  g_assert_cmpstr (seam_edits_find (&back->edits, 0, 2), ==, "int \xC3\xA4;\n");
  g_assert_null (seam_edits_find (&back->edits, 1, 3));
  g_autoptr (GVariant) again = g_variant_ref_sink (seam_run_request_to_variant (back));
  g_assert_cmpmem (g_variant_get_data (variant), g_variant_get_size (variant),
                   g_variant_get_data (again), g_variant_get_size (again));
  g_assert_cmpint (back->settings.launch, ==, SEAM_LAUNCH_GRAPH);
  g_assert_cmpint (back->values[0], ==, 77);
  g_assert_cmpstr (back->pipeline->id, ==, "matmul-swish-bias-groupnorm");
  g_assert_cmpint (back->pipeline->n_chains, ==, 5);
}

static void
assert_refused (GVariant *good, const char *key, GVariant *value, const char *says)
{
  GVariantDict copy;
  g_autoptr (GError) error = NULL;

  g_variant_dict_init (&copy, good);
  g_variant_dict_remove (&copy, key);
  if (value != NULL)
    g_variant_dict_insert_value (&copy, key, value);
  g_autoptr (GVariant) bad = g_variant_ref_sink (g_variant_dict_end (&copy));
  g_autoptr (SeamRunRequest) request = seam_run_request_from_variant (bad, &error);
  g_assert_null (request);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  if (strstr (error->message, says) == NULL)
    g_error ("\"%s\" is not in \"%s\"", says, error->message);
}

static void
test_refused (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("conv-relu-bias");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (GVariant) good = g_variant_ref_sink (seam_run_request_to_variant (request));
  const char *const none[] = { NULL };
  gint64 values[2] = { 1, 2 };

  assert_refused (good, "launch_mode", g_variant_new_string ("graphs"), "stream");
  assert_refused (good, "pipeline_text", NULL, "\"pipeline_text\" is missing");
  assert_refused (good, "pipeline_text", g_variant_new_string ("[pipeline"), "request");
  assert_refused (good, "values",
                  g_variant_new_fixed_array (G_VARIANT_TYPE_INT64, values, 2, sizeof values[0]),
                  "2 shape values");
  assert_refused (good, "plans", g_variant_new_strv (none, -1), "1 to 32 plans");
  assert_refused (good, "plans", g_variant_new_string ("unfused"), "\"plans\"");
  assert_refused (good, "math_mode", g_variant_new_string ("fp8"), "fp8");
  assert_refused (good, "distribution", g_variant_new_string ("odd"),
                  "uniform, normal or offset, not “odd”");
  assert_refused (good, "budget_s", g_variant_new_double (0), "budget");
  assert_refused (good, "budget_s", g_variant_new_double (NAN), "budget");
  assert_refused (good, "atol", g_variant_new_double (-1), "tolerances");
  assert_refused (good, "rtol", g_variant_new_double (INFINITY), "tolerances");
}

/* --- resolving --- */

static void
assert_resolves (SeamDevice *device, const char *pipeline_name, const char *text,
                 const char *notation, gboolean can_run, const char *message)
{
  g_autoptr (SeamPipeline) pipeline = find (pipeline_name);
  g_autoptr (SeamProblem) problem = make_problem (pipeline, "tiny");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  SeamResolved resolved;
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_resolve (device, problem, request, SEAM_MATH_FP32, text, &resolved, &error));
  g_assert_cmpstr (resolved.plan->notation, ==, notation);
  g_assert_cmpint (resolved.can_run, ==, can_run);
  if (message == NULL)
    g_assert_null (resolved.message);
  else
    g_assert_cmpstr (resolved.message, ==, message);
  seam_resolved_clear (&resolved);
}

static void
test_resolve (void)
{
  g_autoptr (SeamDevice) cpu = open_cpu ();
  g_autoptr (SeamDevice) narrow = open_narrow ();

  assert_resolves (cpu, "conv-relu-bias", "full", "conv+conv_bias+relu+bias", TRUE, NULL);
  /* A plan's name becomes the best cut: the matrix op alone, then groups as large as the target
   * can join. */
  assert_resolves (narrow, "conv-relu-bias", " Full ", "conv|conv_bias+relu+bias", TRUE,
                   "The library joins no more than a bias. full runs on this target as "
                   "conv|conv_bias+relu+bias.");
  assert_resolves (narrow, "matmul-swish-bias-groupnorm", "full",
                   "matmul|matmul_bias+sigmoid+mul|bias+groupnorm", TRUE,
                   "The library joins no more than a bias. full runs on this target as "
                   "matmul|matmul_bias+sigmoid+mul|bias+groupnorm.");
  /* A plan written out in full is not changed. */
  assert_resolves (narrow, "conv-relu-bias", "conv+conv_bias+relu+bias", "conv+conv_bias+relu+bias",
                   TRUE, "The library joins no more than a bias.");
  assert_resolves (
      narrow, "matmul-swish-bias-groupnorm", "matmul|matmul_bias+sigmoid+mul+bias|groupnorm",
      "matmul|matmul_bias+sigmoid+mul+bias|groupnorm", FALSE, "More than three ops do not fit.");
  /* An exhibit describes its mistake. */
  assert_resolves (cpu, "matmul-swish-bias-groupnorm", "as-published",
                   "as-published:matmul|matmul_bias+bias+sigmoid+mul+groupnorm", TRUE,
                   "Adds the bias before the swish, though the model adds it after: fast, and "
                   "wrong on purpose.");
  /* If the shape hides the mistake, the sentence says why. */
  assert_resolves (cpu, "conv-relu-hardswish", "missing-tail",
                   "missing-tail:conv|conv_bias+relu+add3+div6+clamp+mul", TRUE,
                   "Writes four elements (128 bits) at a time and has no code for what is left at "
                   "the end of a row: those elements are never written. Here a row has 7 elements: "
                   "its last 3 stay unwritten, 384 in all.");
}

static void
test_resolve_name (void)
{
  g_autoptr (SeamDevice) narrow = open_narrow ();
  g_autoptr (SeamPipeline) pipeline = find ("conv-relu-bias");
  g_autoptr (SeamProblem) problem = make_problem (pipeline, "tiny");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  SeamResolved resolved;
  g_autoptr (GError) error = NULL;

  g_assert_true (
      seam_resolve (narrow, problem, request, SEAM_MATH_FP32, "full", &resolved, &error));
  g_assert_cmpstr (resolved.name, ==, "full");
  seam_resolved_clear (&resolved);
  g_assert_false (
      seam_resolve (narrow, problem, request, SEAM_MATH_FP32, "nothing", &resolved, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  seam_resolved_clear (&resolved);
}

/* --- memory --- */

/* The outputs of a group must not share a slot with anything that this or a later group reads, and
 * each fits into its slot, which has the bytes of one that is in it. */
static void
assert_placed (const SeamProblem *problem, const SeamPlan *plan, gboolean shares_output)
{
  SeamPlacement placement;
  int holds[SEAM_MAX_OPS], in_output = -1;
  gboolean is_filled[SEAM_MAX_OPS] = { FALSE };
  int n_ops = seam_plan_get_chain (plan)->n_ops, n_filled = 0;

  seam_memory_place (problem, plan, shares_output, &placement);
  for (int i = 0; i < SEAM_MAX_OPS; i++)
    holds[i] = -1;
  for (int group = 0; group < plan->n_groups; group++) {
    SeamGroupTensors tensors;
    seam_plan_get_group_tensors (plan, group, &tensors);
    for (int i = 0; i < tensors.n_outputs; i++) {
      int slot = placement.slots[tensors.outputs[i]];
      if (tensors.outputs[i] == SEAM_TENSOR_OUTPUT (n_ops - 1)) {
        g_assert_cmpint (slot, ==, SEAM_SLOT_OUTPUT);
        in_output = tensors.outputs[i];
        continue;
      }
      if (shares_output && slot == SEAM_SLOT_OUTPUT) {
        g_assert_cmpint (problem->tensors[tensors.outputs[i]].bytes, <=,
                         problem->tensors[SEAM_TENSOR_OUTPUT (n_ops - 1)].bytes);
        in_output = tensors.outputs[i];
        continue;
      }
      g_assert_cmpint (slot, >=, 0);
      g_assert_cmpint (slot, <, placement.n_slots);
      g_assert_cmpint (problem->tensors[tensors.outputs[i]].bytes, <=, placement.bytes[slot]);
      if (problem->tensors[tensors.outputs[i]].bytes == placement.bytes[slot]) {
        n_filled += !is_filled[slot];
        is_filled[slot] = TRUE;
      }
      holds[slot] = tensors.outputs[i];
    }
    /* After this group has written, its inputs must still be there. */
    for (int i = 0; i < tensors.n_inputs; i++)
      if (tensors.inputs[i] != SEAM_TENSOR_INPUT) {
        const int slot = placement.slots[tensors.inputs[i]];
        g_assert_cmpint (slot == SEAM_SLOT_OUTPUT ? in_output : holds[slot], ==, tensors.inputs[i]);
      }
  }
  g_assert_cmpint (n_filled, ==, placement.n_slots);
}

static void
test_placement (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GPtrArray) pipelines = seam_pipeline_list (&error);

  g_assert_no_error (error);
  for (guint i = 0; i < pipelines->len; i++) {
    SeamPipeline *pipeline = g_ptr_array_index (pipelines, i);
    g_autoptr (SeamProblem) equal = seam_problem_new_from_text (pipeline, NULL, NULL, &error);
    g_autoptr (SeamProblem) unequal = seam_problem_new_from_text (pipeline, NULL, NULL, &error);
    for (int j = 0; j < unequal->n_tensors; j++)
      unequal->tensors[j].bytes = 100 * (1 + 3 * j % 7);
    for (int chain = 0; chain < pipeline->n_chains; chain++)
      for (guint32 seams = 0; seams < 1u << (pipeline->chains[chain].n_ops - 1); seams++) {
        g_autoptr (SeamPlan) plan = seam_plan_new (pipeline, chain, seams);
        for (int shares_output = 0; shares_output < 2; shares_output++) {
          assert_placed (equal, plan, shares_output);
          assert_placed (unequal, plan, shares_output);
        }
      }
  }

  /* A chain without back references needs two alternating buffers, whatever its length. */
  g_autoptr (SeamPipeline) straight = find ("conv-bias-scale-sigmoid-groupnorm");
  g_autoptr (SeamPlan) unfused = seam_plan_new (straight, 0, 0);
  g_autoptr (SeamProblem) problem = seam_problem_new_from_text (straight, NULL, NULL, &error);
  SeamPlacement placement;
  seam_memory_place (problem, unfused, FALSE, &placement);
  g_assert_cmpint (placement.n_slots, ==, 2);
  seam_memory_place (problem, unfused, TRUE, &placement);
  g_assert_cmpint (placement.n_slots, ==, 1);
  g_autoptr (SeamPlan) full = seam_plan_new (straight, 0, 31);
  seam_memory_place (problem, full, FALSE, &placement);
  g_assert_cmpint (placement.n_slots, ==, 0);
}

static void
test_memory_needed (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("gemm-bias-relu");
  g_autoptr (SeamProblem) problem = make_problem (pipeline, "kernelbench");
  g_autoptr (SeamDeviceInfo) info = seam_device_info_new ("cuda:0");
  SeamPlan *plans[] = { seam_plan_new (pipeline, 0, 0), seam_plan_new (pipeline, 0, 3) };
  double input = 1024.0 * 8192 * 4, weight = 8192.0 * 8192 * 4, bias = 8192 * 4;

  /* Input, weight, bias, two intermediates that the plans share, one output each, and the bounds.
   */
  g_assert_cmpfloat (
      seam_memory_needed (problem, plans, 2, info, SEAM_MATH_FP32, TRUE, FALSE, FALSE), ==,
      input + weight + bias + 5 * input);
  /* In double precision the reference is twice as large as an output, and has bounds in FP32. */
  g_assert_cmpfloat (
      seam_memory_needed (problem, plans, 2, info, SEAM_MATH_FP32, TRUE, TRUE, FALSE), ==,
      input + weight + bias + 7 * input);
  info->l2_bytes = 1000;
  g_assert_cmpfloat (
      seam_memory_needed (problem, plans, 1, info, SEAM_MATH_FP32, TRUE, FALSE, FALSE), ==,
      input + weight + bias + 3 * input + 2000);

  /* Copies of both operands in 16 bits, for each plan; on the CPU one copy in FP32. */
  g_assert_cmpfloat (
      seam_memory_needed (problem, plans, 2, info, SEAM_MATH_BF16, FALSE, FALSE, FALSE), ==,
      input + weight + bias + 5 * input + (input + weight));
  g_autoptr (SeamDeviceInfo) cpu = seam_device_info_new ("cpu");
  g_assert_cmpfloat (
      seam_memory_needed (problem, plans, 1, cpu, SEAM_MATH_FP16, FALSE, FALSE, FALSE), ==,
      input + weight + bias + 3 * input + (input + weight));

  g_autoptr (GError) error = NULL;
  gboolean shares;
  g_assert_true (seam_memory_check (problem, plans, 2, info, SEAM_MATH_FP32, FALSE, FALSE, 1e9,
                                    &shares, &error));
  g_assert_true (seam_memory_check (problem, plans, 2, info, SEAM_MATH_FP32, FALSE, FALSE, 0,
                                    &shares, &error));
  /* The tensors alone, 470 MB, would fit; a GPU's libraries need more. */
  g_assert_false (seam_memory_check (problem, plans, 2, info, SEAM_MATH_FP32, FALSE, FALSE, 6e8,
                                     &shares, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_MEMORY);
  g_assert_cmpstr (error->message, ==,
                   "This run needs 705 MB of memory, and cuda:0 has 600 MB free: choose a smaller "
                   "batch, or the preset laptop.");
  seam_plan_unref (plans[0]);
  seam_plan_unref (plans[1]);
}

/* --- estimates --- */

static void
test_estimate (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("conv-relu-bias");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (SeamDevice) narrow = open_narrow ();
  g_autoptr (GError) error = NULL;

  g_strfreev (request->plans);
  request->plans = g_strsplit ("unfused,full,conv+conv_bias|relu|bias", ",", -1);
  g_autoptr (SeamEstimate) estimate = seam_run_estimate (narrow, request, NULL, &error);
  g_assert_no_error (error);
  g_assert_cmpint (estimate->n_plans, ==, 3);
  g_assert_cmpfloat (estimate->bytes_needed, >, 0);
  g_assert_cmpfloat (estimate->bytes_free, >, 0);
  g_assert_cmpfloat (estimate->floor.bytes, >, 0);
  g_assert_cmpfloat (estimate->ceiling.floor.bytes, ==, estimate->floor.bytes);
  g_assert_cmpfloat (estimate->ceiling.unfused_bytes, ==, estimate->plans[0].bytes);
  g_assert_cmpfloat (estimate->ceiling.unfused_ns, ==, estimate->plans[0].full_rate_ns);
  g_assert_cmpfloat (estimate->ceiling.gain_bytes, >, 1);
  for (int i = 1; i < 3; i++)
    g_assert_cmpfloat (estimate->plans[i].full_rate_ns, <, estimate->plans[0].full_rate_ns);

  const SeamPlanEstimate *unfused = &estimate->plans[0];
  g_assert_cmpint (unfused->n_groups, ==, 4);
  g_assert_cmpint (unfused->n_seams, ==, 3);
  for (int i = 0; i < 3; i++) {
    g_assert_false (unfused->seams[i].fused);
    g_assert_true (unfused->seams[i].can_toggle);
    g_assert_cmpfloat (unfused->seams[i].bytes, >, 0);
  }

  const SeamPlanEstimate *full = &estimate->plans[1];
  g_assert_cmpstr (full->text, ==, "full");
  g_assert_cmpstr (full->name, ==, "full");
  g_assert_cmpstr (full->notation, ==, "conv|conv_bias+relu+bias");
  /* Fusing the cut seam would join four ops with a matrix op, so it is locked. A fused seam can
   * always be cut. */
  g_assert_false (full->seams[0].can_toggle);
  g_assert_cmpstr (full->seams[0].reason, ==, "The library joins no more than a bias.");
  g_assert_true (full->seams[1].fused);
  g_assert_true (full->seams[1].can_toggle);

  const SeamPlanEstimate *third = &estimate->plans[2];
  g_assert_true (third->seams[0].fused && third->seams[0].can_toggle);
  g_assert_false (third->seams[1].can_toggle);
  g_assert_true (third->seams[2].can_toggle);

  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    g_free (estimate->pitfalls[i]);
    estimate->pitfalls[i] = g_strdup (seam_pitfall_get_name (SEAM_PITFALL_AT (i)));
  }
  g_autoptr (GVariant) variant = g_variant_ref_sink (seam_estimate_to_variant (estimate));
  for (int i = 0; i < SEAM_N_PITFALLS; i++) {
    g_autofree char *key = g_strconcat ("no-pitfall-", estimate->pitfalls[i], NULL);
    const char *reason = NULL;
    g_variant_lookup (variant, key, "&s", &reason);
    g_assert_cmpstr (reason, ==, estimate->pitfalls[i]);
  }
  g_autoptr (SeamEstimate) back = seam_estimate_from_variant (variant, &error);
  g_assert_no_error (error);
  g_autoptr (GVariant) again = g_variant_ref_sink (seam_estimate_to_variant (back));
  g_assert_cmpmem (g_variant_get_data (variant), g_variant_get_size (variant),
                   g_variant_get_data (again), g_variant_get_size (again));
}

static void
test_estimate_refused (void)
{
  g_autoptr (SeamPipeline) pipeline = find ("conv-relu-bias");
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  g_autoptr (GError) error = NULL;

  request->values[0] = 0;
  g_assert_null (seam_run_estimate (NULL, request, NULL, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_clear_error (&error);
  request->values[0] = 1;
  request->target = g_strdup ("tpu:0");
  g_assert_null (seam_run_estimate (NULL, request, NULL, &error));
  g_assert_nonnull (error);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/request/defaults", test_defaults);
  g_test_add_func ("/request/round-trip", test_round_trip);
  g_test_add_func ("/request/refused", test_refused);
  g_test_add_func ("/request/resolve", test_resolve);
  g_test_add_func ("/request/resolve-name", test_resolve_name);
  g_test_add_func ("/request/placement", test_placement);
  g_test_add_func ("/request/memory-needed", test_memory_needed);
  g_test_add_func ("/request/estimate", test_estimate);
  g_test_add_func ("/request/estimate-refused", test_estimate_refused);
  return g_test_run ();
}
