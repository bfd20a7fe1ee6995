/* SPDX-License-Identifier: MIT
 *
 * Merges traces. An incomplete trace would make span and sum too small without looking wrong, so it
 * never enters a median. If no trace is complete, the plan has no kernel records, and a note says
 * why.
 */
#include "app/measure/trace-merge.h"

#include "app/base/statistics.h"

#include <math.h>

static gboolean
trace_is_complete (const SeamTrace *trace)
{
  return trace->n_rejected == 0 && trace->n_dropped == 0 && trace->n_records >= trace->n_launches
         && trace->records->len > 0;
}

/* Whether two executions have the same kernels: name and group agree at every position. */
static gboolean
trace_is_like (const SeamTrace *a, const SeamTrace *b)
{
  if (a->records->len != b->records->len)
    return FALSE;
  for (guint i = 0; i < a->records->len; i++) {
    const SeamTraceRecord *x = &g_array_index (a->records, SeamTraceRecord, i);
    const SeamTraceRecord *y = &g_array_index (b->records, SeamTraceRecord, i);
    if (x->group != y->group || g_strcmp0 (x->name, y->name) != 0)
      return FALSE;
  }
  return TRUE;
}

/* The complete trace that agrees with most other complete ones; the earliest if several do. NULL:
 * none. */
static const SeamTrace *
find_typical (const GPtrArray *traces)
{
  const SeamTrace *best = NULL;
  guint best_votes = 0;

  for (guint i = 0; i < traces->len; i++) {
    const SeamTrace *candidate = g_ptr_array_index (traces, i);
    guint votes = 0;
    if (!trace_is_complete (candidate))
      continue;
    for (guint j = 0; j < traces->len; j++) {
      const SeamTrace *other = g_ptr_array_index (traces, j);
      votes += trace_is_complete (other) && trace_is_like (candidate, other);
    }
    if (votes > best_votes) {
      best = candidate;
      best_votes = votes;
    }
  }
  return best;
}

static void
fill_kernel (SeamKernel *kernel, guint position, const SeamTrace *const *used, int n_used)
{
  const SeamTraceRecord *first = &g_array_index (used[0]->records, SeamTraceRecord, position);
  g_autofree double *call_starts = g_new (double, n_used);
  g_autofree double *calls = g_new (double, n_used);
  int n_calls = 0;

  seam_kernel_init (kernel);
  kernel->name = g_strdup (first->name);
  kernel->short_name = g_strdup (first->short_name);
  kernel->group = first->group;
  kernel->first_op = first->first_op;
  kernel->last_op = first->last_op;
  kernel->implementation = g_strdup (first->implementation);
  kernel->is_copy = first->is_copy;
  kernel->bytes = first->bytes;
  kernel->registers = first->registers;
  kernel->shared_bytes = first->shared_bytes;
  for (int d = 0; d < 3; d++) {
    kernel->grid[d] = first->grid[d];
    kernel->block[d] = first->block[d];
  }
  kernel->n_samples = n_used;
  kernel->samples_ns = g_new (double, n_used);
  kernel->starts_ns = g_new (double, n_used);
  for (int t = 0; t < n_used; t++) {
    const SeamTraceRecord *record = &g_array_index (used[t]->records, SeamTraceRecord, position);
    kernel->samples_ns[t] = record->duration_ns;
    kernel->starts_ns[t] = record->start_ns;
    if (isnan (record->call_start_ns) || isnan (record->call_ns))
      continue;
    call_starts[n_calls] = record->call_start_ns;
    calls[n_calls++] = record->call_ns;
  }
  kernel->median_ns = seam_median (kernel->samples_ns, n_used, 0.95).median;
  kernel->start_ns = seam_median (kernel->starts_ns, n_used, 0.95).median;
  kernel->call_start_ns = seam_median (call_starts, n_calls, 0.95).median;
  kernel->call_ns = seam_median (calls, n_calls, 0.95).median;
}

/* One sentence on the traces that were left out, or NULL. */
static char *
describe_left_out (const GPtrArray *traces, const SeamTrace *typical, const char *title)
{
  g_autoptr (GString) text = g_string_new (NULL);
  int n_rejected = 0, n_dropped = 0, n_missing = 0, n_different = 0, n_empty = 0;
  int n_left_out = 0;

  for (guint i = 0; i < traces->len; i++) {
    const SeamTrace *trace = g_ptr_array_index (traces, i);
    if (trace_is_complete (trace)) {
      gboolean different = !trace_is_like (trace, typical);
      n_different += different;
      n_left_out += different;
      continue;
    }
    n_left_out++;
    n_empty += trace->records->len == 0;
    n_rejected += trace->n_rejected;
    n_dropped += trace->n_dropped;
    /* A rejected or dropped record is also a missing one; it is counted once. */
    n_missing +=
        MAX (0, trace->n_launches - trace->n_records - trace->n_rejected - trace->n_dropped);
  }
  if (n_left_out == 0)
    return NULL;

  g_string_append_printf (text, "%s: %d of %u traced executions left out", title, n_left_out,
                          traces->len);
  if (n_rejected > 0)
    g_string_append_printf (text, ", %d records without valid times", n_rejected);
  if (n_dropped > 0)
    g_string_append_printf (text, ", %d records dropped by the profiler", n_dropped);
  if (n_missing > 0)
    g_string_append_printf (text, ", %d launches without a record", n_missing);
  if (n_empty > 0)
    g_string_append_printf (text, ", %d without any record", n_empty);
  if (n_different > 0)
    g_string_append_printf (text, ", %d with other kernels than the rest", n_different);
  if (typical == NULL)
    g_string_append (text, "; so there are no kernel times for it");
  g_string_append_c (text, '.');
  return g_string_free (g_steal_pointer (&text), FALSE);
}

static void
add_note (GPtrArray *notes, char *note)
{
  if (note == NULL)
    return;
  if (g_ptr_array_find_with_equal_func (notes, note, g_str_equal, NULL))
    g_free (note);
  else
    g_ptr_array_add (notes, note);
}

void
seam_trace_merge (const GPtrArray *traces, const char *title, SeamPlanResult *result,
                  GPtrArray *notes)
{
  const SeamTrace *typical = find_typical (traces);
  g_autofree double *spans = NULL, *sums = NULL, *clocks = NULL;
  double bytes = 0;
  int n_used = 0;

  if (traces->len == 0)
    return;
  const SeamTrace *last = g_ptr_array_index (traces, traces->len - 1);
  result->n_launches = last->n_launches;
  result->n_records = last->n_records;
  result->n_rejected = last->n_rejected;

  for (guint i = 0; i < traces->len; i++) {
    const SeamTrace *trace = g_ptr_array_index (traces, i);
    if (trace->note != NULL)
      add_note (notes, g_strdup_printf ("%s: %s", title, trace->note));
  }
  add_note (notes, describe_left_out (traces, typical, title));
  if (typical == NULL)
    return;
  if (typical->n_records > typical->n_launches)
    add_note (notes, g_strdup_printf ("%s: %d kernel records for %d launches; the records beyond "
                                      "the launches were counted too.",
                                      title, typical->n_records, typical->n_launches));

  g_autofree const SeamTrace **used = g_new (const SeamTrace *, traces->len);
  spans = g_new (double, traces->len);
  sums = g_new (double, traces->len);
  clocks = g_new (double, traces->len);
  for (guint i = 0; i < traces->len; i++) {
    const SeamTrace *trace = g_ptr_array_index (traces, i);
    if (!trace_is_complete (trace) || !trace_is_like (trace, typical))
      continue;
    spans[n_used] = trace->span_ns;
    sums[n_used] = trace->sum_ns;
    clocks[n_used] = trace->clock_mhz;
    used[n_used++] = trace;
  }

  result->n_traces = n_used;
  result->span_median_ns = seam_median (spans, n_used, 0.95).median;
  result->kernels_sum_median_ns = seam_median (sums, n_used, 0.95).median;
  result->trace_clock_mhz = seam_median (clocks, n_used, 0.95).median;
  result->n_kernels = (int)typical->records->len;
  result->kernels = g_new (SeamKernel, result->n_kernels);
  for (int k = 0; k < result->n_kernels; k++) {
    fill_kernel (&result->kernels[k], k, used, n_used);
    if (!isnan (result->kernels[k].bytes))
      bytes += result->kernels[k].bytes;
  }
  /* The plan's own model includes neither layout changes nor groups that take several launches. */
  if (!(result->bytes >= bytes))
    result->bytes = bytes;
}

gboolean
seam_trace_add_counters (SeamPlanResult *result, const GArray *counters)
{
  guint n = 0, next = 0;

  for (int i = 0; i < result->n_kernels; i++)
    n += seam_kernel_is_counted (&result->kernels[i]);
  if (n == 0 || n != counters->len)
    return FALSE;
  for (int i = 0; i < result->n_kernels; i++) {
    SeamKernel *kernel = &result->kernels[i];
    const SeamCounters *from = &g_array_index (counters, SeamCounters, next);

    if (!seam_kernel_is_counted (kernel))
      continue;
    kernel->dram_bytes_read = from->dram_bytes_read;
    kernel->dram_bytes_written = from->dram_bytes_written;
    kernel->l2_bytes = from->l2_bytes;
    kernel->dram_percent = from->dram_percent;
    kernel->sm_percent = from->sm_percent;
    kernel->tensor_percent = from->tensor_percent;
    kernel->occupancy_percent = from->occupancy_percent;
    kernel->l2_percent = from->l2_percent;
    kernel->l2_sm_bytes = from->l2_sm_bytes;
    next++;
  }
  return TRUE;
}
