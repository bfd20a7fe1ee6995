/* SPDX-License-Identifier: MIT
 *
 * Chrome's Trace Event Format, JSON object form: "M" events name processes and threads, "X" events
 * have a start and a duration in microseconds. Events of one thread may not overlap unless one lies
 * within the other; medians of starts and durations need not obey that, so an event that would
 * overlap goes to the next free thread. Each traced execution has a thread of its own.
 */
#include "app/export/chrome-trace.h"

#include "app/record/json.h"
#include "app/record/variant.h"
#include "app/settings/settings.h"

#include <math.h>

#define THREAD_ELAPSED    1
#define THREAD_LAUNCHES   2
#define THREAD_KERNELS    3 /* further threads follow, if events overlap */
#define MAX_LANES         8
#define THREAD_EXECUTIONS (THREAD_KERNELS + MAX_LANES)

static void
add_double (GVariantBuilder *builder, const char *name, double number)
{
  if (isfinite (number))
    seam_builder_double (builder, name, number);
}

static void
add_triple (GVariantBuilder *builder, const char *name, const gint64 *triple)
{
  if (triple[0] > 0)
    seam_builder_array (builder, name, "x", sizeof *triple, triple, 3);
}

static void
begin_object (GVariantBuilder *builder, const char *name)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE ("{sv}"));
  g_variant_builder_add (builder, "s", name);
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARIANT);
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
}

static void
end_object (GVariantBuilder *builder)
{
  for (int i = 0; i < 3; i++)
    g_variant_builder_close (builder);
}

static void
begin_event (GVariantBuilder *builder, const char *phase, const char *name, int process, int thread)
{
  g_variant_builder_open (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "ph", phase);
  seam_builder_string (builder, "name", name);
  seam_builder_int64 (builder, "pid", process);
  seam_builder_int64 (builder, "tid", thread);
}

static void
end_event (GVariantBuilder *builder)
{
  end_object (builder); /* args */
  g_variant_builder_close (builder);
}

static void
add_name (GVariantBuilder *builder, const char *what, int process, int thread, const char *name)
{
  begin_event (builder, "M", what, process, thread);
  begin_object (builder, "args");
  seam_builder_string (builder, "name", name);
  end_event (builder);
}

static void
begin_slice (GVariantBuilder *builder, const char *name, const char *category, int process,
             int thread, double start_ns, double duration_ns)
{
  begin_event (builder, "X", name, process, thread);
  seam_builder_string (builder, "cat", category);
  add_double (builder, "ts", start_ns / 1000);
  add_double (builder, "dur", duration_ns / 1000);
  begin_object (builder, "args");
}

static void
add_kernel (GVariantBuilder *builder, const SeamKernel *kernel, int process, int thread,
            double start_ns)
{
  begin_slice (builder, kernel->short_name, kernel->is_copy ? "copy" : "kernel", process, thread,
               start_ns, kernel->median_ns);
  seam_builder_string (builder, "kernel", kernel->name);
  seam_builder_string (builder, "implementation", kernel->implementation);
  seam_builder_int64 (builder, "group", kernel->group);
  seam_builder_int64 (builder, "first_op", kernel->first_op);
  seam_builder_int64 (builder, "last_op", kernel->last_op);
  add_double (builder, "bytes", kernel->bytes);
  add_triple (builder, "grid", kernel->grid);
  add_triple (builder, "block", kernel->block);
  if (kernel->registers >= 0)
    seam_builder_int64 (builder, "registers", kernel->registers);
  if (kernel->shared_bytes >= 0)
    seam_builder_int64 (builder, "shared_bytes", kernel->shared_bytes);
  seam_builder_int64 (builder, "samples", kernel->n_samples);
  end_event (builder);
}

/* One end of the arrow from a call to its kernel. */
static void
add_flow (GVariantBuilder *builder, const char *phase, int process, int thread, int id,
          double time_ns)
{
  begin_event (builder, phase, "launch", process, thread);
  seam_builder_string (builder, "cat", "launch");
  seam_builder_int64 (builder, "id", process * 1000000LL + id);
  add_double (builder, "ts", time_ns / 1000);
  if (phase[0] == 'f')
    seam_builder_string (builder, "bp", "e");
  begin_object (builder, "args");
  end_event (builder);
}

/* Adds the host's calls; returns how long before the first kernel the first call began. No event of
 * a trace may begin below 0. */
static double
find_lead (const SeamPlanResult *plan)
{
  double lead = 0;

  for (int i = 0; i < plan->n_kernels; i++)
    if (plan->kernels[i].call_ns > 0)
      lead = fmax (lead, -plan->kernels[i].call_start_ns);
  return lead;
}

/* Adds a call. `name` NULL: the call already has its slice, because a graph made it. */
static void
add_launch (GVariantBuilder *builder, const SeamKernel *kernel, const char *name, int process,
            int thread, int id, double lead_ns, double start_ns)
{
  if (!(kernel->call_ns > 0) || !isfinite (kernel->call_start_ns))
    return;
  if (name != NULL) {
    begin_slice (builder, name, "launch", process, THREAD_LAUNCHES, kernel->call_start_ns + lead_ns,
                 kernel->call_ns);
    end_event (builder);
  }
  add_flow (builder, "s", process, THREAD_LAUNCHES, id, kernel->call_start_ns + lead_ns);
  add_flow (builder, "f", process, thread, id, start_ns);
}

static void
add_kernels (GVariantBuilder *builder, const SeamPlanResult *plan, gboolean is_graph, int process)
{
  double lead = find_lead (plan);
  double ends[MAX_LANES] = { 0 };
  double last = lead; /* end of the previous kernel */
  int n_lanes = 0;

  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernel *kernel = &plan->kernels[i];
    double start = isfinite (kernel->start_ns) ? kernel->start_ns + lead : last;
    int lane = 0;
    if (!(kernel->median_ns >= 0) || isinf (kernel->median_ns))
      continue;
    while (lane < MAX_LANES - 1 && ends[lane] > start)
      lane++;
    ends[lane] = last = start + kernel->median_ns;
    n_lanes = MAX (n_lanes, lane + 1);
    add_kernel (builder, kernel, process, THREAD_KERNELS + lane, start);
    add_launch (builder, kernel,
                !is_graph ? kernel->short_name
                : i == 0  ? "CUDA graph"
                          : NULL,
                process, THREAD_KERNELS + lane, i, lead, start);
  }
  if (lead > 0)
    add_name (builder, "thread_name", process, THREAD_LAUNCHES, "launches by the host, tracing on");
  for (int lane = 0; lane < n_lanes; lane++)
    add_name (builder, "thread_name", process, THREAD_KERNELS + lane,
              lane == 0 ? "kernels" : "kernels that overlap");
}

/* A thread for each traced execution of which the starts are known. Its events begin where those of
 * the medians do, and have no arguments, which are the same for all. */
static void
add_executions (GVariantBuilder *builder, const SeamPlanResult *plan, int process)
{
  int n = seam_plan_result_count_executions (plan);

  for (int execution = 0; execution < n; execution++) {
    g_autofree char *name = g_strdup_printf ("execution %d of %d", execution + 1, n);
    int thread = THREAD_EXECUTIONS + execution;
    double at = find_lead (plan);

    for (int i = 0; i < plan->n_kernels; i++)
      at += seam_plan_result_get_gap (plan, i, execution) + plan->kernels[i].samples_ns[execution];
    if (!isfinite (at))
      continue;
    add_name (builder, "thread_name", process, thread, name);
    at = find_lead (plan);
    for (int i = 0; i < plan->n_kernels; i++) {
      const SeamKernel *kernel = &plan->kernels[i];

      at += seam_plan_result_get_gap (plan, i, execution);
      begin_slice (builder, kernel->short_name, kernel->is_copy ? "copy" : "kernel", process,
                   thread, at, kernel->samples_ns[execution]);
      end_event (builder);
      at += kernel->samples_ns[execution];
    }
  }
}

static void
add_plan (GVariantBuilder *builder, const SeamResult *result, const SeamPlanResult *plan,
          int process)
{
  g_autofree char *types = seam_settings_describe (&result->settings, SEAM_CONCERN_CODE, " · ");
  g_autofree char *warning = seam_pitfalls_warn (result->pitfalls);
  g_autofree char *title = g_strdup_printf (
      "%s · %s · %s%s%s", plan->name != NULL ? plan->name : plan->notation, result->pipeline_id,
      types, warning != NULL ? " · ⚠ " : "", warning != NULL ? warning : "");

  add_name (builder, "process_name", process, 0, title);
  begin_event (builder, "M", "process_sort_index", process, 0);
  begin_object (builder, "args");
  seam_builder_int64 (builder, "sort_index", process);
  end_event (builder);
  if (plan->median_ns >= 0 && isfinite (plan->median_ns)) {
    add_name (builder, "thread_name", process, THREAD_ELAPSED, "elapsed, tracing off");
    begin_slice (builder, "elapsed (median)", "plan", process, THREAD_ELAPSED, find_lead (plan),
                 plan->median_ns);
    seam_builder_string (builder, "plan", plan->notation);
    seam_builder_string (builder, "executed", plan->executed);
    seam_builder_string (builder, "launch_mode",
                         seam_choice_get_name (seam_launch_modes, result->settings.launch));
    seam_builder_string (builder, "storage",
                         seam_choice_get_name (seam_storages, result->settings.storage));
    seam_builder_string (builder, "pitfalls", result->pitfalls);
    add_double (builder, "bytes", plan->bytes);
    add_double (builder, "ci_low_ns", plan->ci_low_ns);
    add_double (builder, "ci_high_ns", plan->ci_high_ns);
    add_double (builder, "span_median_ns", plan->span_median_ns);
    add_double (builder, "kernels_sum_median_ns", plan->kernels_sum_median_ns);
    seam_builder_int64 (builder, "samples", plan->n_samples);
    end_event (builder);
  }
  add_kernels (builder, plan, seam_result_is_graph (result), process);
  add_executions (builder, plan, process);
}

char *
seam_trace_to_json (SeamResult *const *results, int n)
{
  GVariantBuilder root, *builder = &root;
  int process = 0;

  g_variant_builder_init (builder, G_VARIANT_TYPE_VARDICT);
  seam_builder_string (builder, "displayTimeUnit", "ns");
  begin_object (builder, "otherData");
  for (int i = 0; i < n; i++) {
    g_autofree char *provenance = seam_result_get_provenance (results[i]);
    g_autofree char *name = g_strdup_printf ("run %d", i + 1);
    seam_builder_string (builder, name, provenance);
  }
  end_object (builder);
  seam_builder_open_list (builder, "traceEvents");
  for (int i = 0; i < n; i++)
    for (int j = 0; j < results[i]->n_plans; j++)
      add_plan (builder, results[i], &results[i]->plans[j], ++process);
  seam_builder_close_list (builder);

  g_autoptr (GVariant) trace = g_variant_ref_sink (g_variant_builder_end (builder));
  return seam_json_write (trace, 1);
}
