/* SPDX-License-Identifier: MIT
 *
 * Fills tables from results: one unit a column, chosen for its largest value, and numbers that
 * sort as numbers.
 */
#include "ui/result-tables.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/compare/rails.h"
#include "app/explain/read-result.h"

#include <math.h>
#include <string.h>

enum {
  KERNEL_PLAN,
  KERNEL_NAME,
  KERNEL_OPS,
  KERNEL_IMPLEMENTATION,
  KERNEL_MEDIAN,
  KERNEL_SHARE,
  KERNEL_TRAFFIC,
  KERNEL_RATE,
  KERNEL_SAMPLES,
  N_KERNEL_COLUMNS
};

static const SeamColumn kernel_columns[N_KERNEL_COLUMNS] = {
  { .id = "plan", .title = "Plan", .bold = TRUE },
  { .id = "kernel", .title = "Kernel", .expand = TRUE },
  { .id = "ops", .title = "Ops", .expand = TRUE, .dim = TRUE, .shows_kinds = TRUE },
  { .id = "implementation", .title = "Implementation", .dim = TRUE, .wide_only = TRUE },
  { .id = "median", .title = "Median", .numeric = TRUE },
  { .id = "share", .title = "Share (%)", .numeric = TRUE },
  { .id = "traffic", .title = "Traffic", .numeric = TRUE },
  { .id = "rate", .title = "Rate", .numeric = TRUE },
  { .id = "samples", .title = "Samples", .numeric = TRUE, .dim = TRUE, .wide_only = TRUE },
};

enum {
  PLAN_PLAN,
  PLAN_GROUPS,
  PLAN_SAMPLES,
  PLAN_ELAPSED,
  PLAN_INTERVAL,
  PLAN_TRAFFIC,
  PLAN_OUTPUT,
  N_PLAN_COLUMNS
};

static const SeamColumn plan_columns[N_PLAN_COLUMNS] = {
  { .id = "plan", .title = "Plan", .bold = TRUE },
  { .id = "groups", .title = "Groups", .dim = TRUE, .expand = TRUE },
  { .id = "samples", .title = "Samples", .numeric = TRUE },
  { .id = "elapsed", .title = "Elapsed", .numeric = TRUE },
  { .id = "interval", .title = "95 % interval", .numeric = TRUE },
  { .id = "traffic", .title = "Traffic, modelled", .numeric = TRUE },
  { .id = "output", .title = "Output" },
};

enum {
  LIVE_PLAN,
  LIVE_GROUPS,
  LIVE_SAMPLES,
  LIVE_MEDIAN,
  LIVE_INTERVAL,
  LIVE_WIDTH,
  LIVE_LOWEST,
  LIVE_HIGHEST,
  LIVE_KERNELS,
  N_LIVE_COLUMNS
};

static const SeamColumn live_columns[N_LIVE_COLUMNS] = {
  { .id = "plan", .title = "Plan", .bold = TRUE },
  { .id = "groups", .title = "Implementation", .dim = TRUE, .expand = TRUE },
  { .id = "samples", .title = "Samples", .numeric = TRUE },
  { .id = "median", .title = "Median", .numeric = TRUE },
  { .id = "interval", .title = "95 % interval", .numeric = TRUE },
  { .id = "width", .title = "Width (%)", .numeric = TRUE },
  { .id = "lowest", .title = "Lowest", .numeric = TRUE, .wide_only = TRUE },
  { .id = "highest", .title = "Highest", .numeric = TRUE, .wide_only = TRUE },
  { .id = "kernels", .title = "Kernels", .numeric = TRUE, .dim = TRUE, .wide_only = TRUE },
};

/* Helpers. */

static void
set_unit (SeamTable *table, int column, const char *title, const char *unit)
{
  g_autofree char *text = g_strdup_printf ("%s (%s)", title, unit);
  seam_table_set_column_title (table, column, text);
}

static char *
format_interval (double low, double high, SeamUnit unit)
{
  if (isnan (low) || isnan (high))
    return g_strdup (SEAM_DASH);
  g_autofree char *low_text = seam_text_fixed (low / unit.scale, 3);
  g_autofree char *high_text = seam_text_fixed (high / unit.scale, 3);
  return g_strdup_printf ("%s – %s", low_text, high_text);
}

static void
take_time (SeamTableRow *row, int column, double ns, SeamUnit unit)
{
  seam_table_row_take_cell (row, column, seam_text_fixed (ns / unit.scale, 3), ns, NULL);
}

static double
largest_of (double a, double b)
{
  return isnan (b) ? a : fmax (a, b);
}

/* Joins equal neighbours: "cudnn | generated × 5". */
static char *
join_words (GPtrArray *words)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < words->len;) {
    const char *word = g_ptr_array_index (words, i);
    guint n = 1;
    while (i + n < words->len && g_strcmp0 (word, g_ptr_array_index (words, i + n)) == 0)
      n++;
    g_string_append_printf (text, "%s%s", i > 0 ? " | " : "", word);
    if (n > 1)
      g_string_append_printf (text, " %s %u", SEAM_TIMES, n);
    i += n;
  }
  return g_string_free (text, FALSE);
}

char *
seam_format_estimate_groups (const SeamPlanEstimate *estimate)
{
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (int i = 0; i < estimate->n_groups; i++)
    g_ptr_array_add (words, estimate->groups[i].executed != NULL ? estimate->groups[i].executed
                            : estimate->groups[i].implementation != NULL
                                ? estimate->groups[i].implementation
                                : (char *)SEAM_IMPLEMENTATION_AUTO);
  return join_words (words);
}

char *
seam_format_executed_groups (const char *executed)
{
  g_auto (GStrv) groups = g_strsplit (executed != NULL ? executed : "", "|", -1);
  g_autoptr (GPtrArray) words = g_ptr_array_new ();

  for (int i = 0; groups[i] != NULL; i++) {
    const char *at = strchr (groups[i], '@');
    g_ptr_array_add (words, at != NULL ? (char *)at + 1 : groups[i]);
  }
  return join_words (words);
}

/* Kernels. */

SeamTable *
seam_kernel_table_new (void)
{
  return seam_table_new (kernel_columns, N_KERNEL_COLUMNS, KERNEL_MEDIAN, TRUE, "Kernels");
}

/* The ops of a kernel by name, and their kinds for the chips. */
static void
fill_ops (SeamTableRow *row, const SeamChain *chain, const SeamKernel *kernel)
{
  GString *names = g_string_new (NULL);
  SeamOpKind kinds[SEAM_MAX_OPS];
  int n_kinds = 0;

  if (chain != NULL) {
    for (int op = MAX (kernel->first_op, 0); op <= kernel->last_op && op < chain->n_ops; op++) {
      g_string_append_printf (names, "%s%s", n_kinds > 0 ? " + " : "", chain->ops[op].label);
      kinds[n_kinds++] = seam_op_get_kind (&chain->ops[op]);
    }
  }
  if (kernel->is_copy) {
    kinds[0] = SEAM_KIND_COPY;
    n_kinds = 1;
    /* A library may only clear its workspace. */
    g_string_prepend (names,
                      kernel->short_name != NULL && g_str_has_suffix (kernel->short_name, " memset")
                          ? "memset for "
                          : "copy for ");
  }
  seam_table_row_set_kinds (row, kinds, n_kinds);
  g_autofree char *text = g_string_free (names, FALSE);
  seam_table_row_take_cell (row, KERNEL_OPS, g_strdup (text), NAN, text);
}

/* Counters in percent of peak; one that the chip has not is left out. */
static void
append_percent (GString *text, const char *name, double percent)
{
  if (!isnan (percent))
    g_string_append_printf (text, ", %s %.0f %%", name, percent);
}

static void
append_counters (GString *text, const SeamKernel *kernel)
{
  if (isnan (kernel->dram_bytes_read) || isnan (kernel->dram_bytes_written))
    return;
  g_autofree char *read = seam_text_bytes (kernel->dram_bytes_read);
  g_autofree char *written = seam_text_bytes (kernel->dram_bytes_written);

  g_string_append_printf (text, "\nCounters: %s read from memory, %s written", read, written);
  if (!isnan (kernel->l2_bytes)) {
    g_autofree char *cache = seam_text_bytes (kernel->l2_bytes);
    g_string_append_printf (text, ", %s through L2", cache);
  }
  g_string_append (text, "\nOf peak: ");
  gsize start = text->len;
  append_percent (text, "memory", kernel->dram_percent);
  append_percent (text, "multiprocessors", kernel->sm_percent);
  append_percent (text, "tensor cores", kernel->tensor_percent);
  append_percent (text, "warps resident", kernel->occupancy_percent);
  if (text->len > start)
    g_string_erase (text, (gssize)start, 2);
}

static char *
describe_kernel (const SeamKernel *kernel)
{
  GString *text = g_string_new (kernel->name != NULL ? kernel->name : kernel->short_name);

  if (kernel->registers >= 0)
    g_string_append_printf (text, "\n%d registers a thread", kernel->registers);
  if (kernel->shared_bytes >= 0) {
    g_autofree char *shared = seam_text_count (kernel->shared_bytes);
    g_string_append_printf (text, "\n%s B of shared memory a block", shared);
  }
  if (kernel->grid[0] > 0) {
    g_autofree char *grid = seam_text_dims (kernel->grid, 3);
    g_autofree char *block = seam_text_dims (kernel->block, 3);
    g_string_append_printf (text, "\ngrid %s, block %s", grid, block);
  }
  append_counters (text, kernel);
  return g_string_free (text, FALSE);
}

static void
add_gaps_row (GPtrArray *rows, const SeamPlanResult *plan, int index, char letter, SeamUnit unit)
{
  SeamTableRow *row = seam_table_row_new (index, SEAM_ROW_GAPS, N_KERNEL_COLUMNS);
  double gaps = plan->span_median_ns - plan->kernels_sum_median_ns;

  seam_table_row_take_cell (row, KERNEL_PLAN, g_strdup_printf ("%c", letter), NAN, NULL);
  seam_table_row_take_cell (row, KERNEL_NAME, g_strdup ("gaps"), NAN,
                            "Time between kernels in which none runs");
  seam_table_row_take_cell (row, KERNEL_OPS, g_strdup ("span − sum of kernels"), NAN, NULL);
  seam_table_row_take_cell (row, KERNEL_IMPLEMENTATION, g_strdup (SEAM_DASH), NAN, NULL);
  take_time (row, KERNEL_MEDIAN, gaps, unit);
  seam_table_row_take_cell (row, KERNEL_SHARE, seam_text_percent (gaps / plan->span_median_ns),
                            gaps / plan->span_median_ns, NULL);
  seam_table_row_take_cell (row, KERNEL_TRAFFIC, g_strdup (SEAM_DASH), NAN, NULL);
  seam_table_row_take_cell (row, KERNEL_RATE, g_strdup (SEAM_DASH), NAN, NULL);
  seam_table_row_take_cell (row, KERNEL_SAMPLES, seam_text_count (plan->n_traces), plan->n_traces,
                            NULL);
  g_ptr_array_add (rows, row);
}

void
seam_kernel_table_fill (SeamTable *table, const SeamResult *result, const char *letters)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  double largest_ns = 0, largest_bytes = 0, largest_rate = 0;

  for (int p = 0; p < MIN (result->n_plans, (int)strlen (letters)); p++) {
    for (int k = 0; k < result->plans[p].n_kernels; k++) {
      const SeamKernel *kernel = &result->plans[p].kernels[k];
      largest_ns = largest_of (largest_ns, kernel->median_ns);
      largest_bytes = largest_of (largest_bytes, kernel->bytes);
      largest_rate = largest_of (largest_rate, kernel->bytes / kernel->median_ns * 1e9);
    }
  }
  SeamUnit time = seam_unit_for_time (largest_ns);
  SeamUnit bytes = seam_unit_for_bytes (largest_bytes);
  SeamUnit rate = seam_unit_for_rate (largest_rate);
  set_unit (table, KERNEL_MEDIAN, "Median", time.name);
  set_unit (table, KERNEL_TRAFFIC, "Traffic", bytes.name);
  set_unit (table, KERNEL_RATE, "Rate", rate.name);

  for (int p = 0; p < MIN (result->n_plans, (int)strlen (letters)); p++) {
    const SeamPlanResult *plan = &result->plans[p];
    g_autoptr (SeamPlan) parsed = seam_explain_read_plan (result, p, NULL);
    const SeamChain *chain = parsed != NULL ? seam_plan_get_chain (parsed) : NULL;
    g_autoptr (GPtrArray) rails = seam_rails_new (result, p);
    for (int k = 0; k < plan->n_kernels; k++) {
      const SeamKernel *kernel = &plan->kernels[k];
      g_autofree char *over = seam_rails_describe (rails, k);
      SeamTableRow *row = seam_table_row_new (p, k, N_KERNEL_COLUMNS);
      double share = kernel->median_ns / plan->span_median_ns;
      double kernel_rate = kernel->bytes / kernel->median_ns * 1e9;
      g_autofree char *tooltip = describe_kernel (kernel);

      seam_table_row_take_cell (row, KERNEL_PLAN, g_strdup_printf ("%c", letters[p]), NAN, NULL);
      seam_table_row_take_cell (row, KERNEL_NAME, g_strdup (kernel->short_name), NAN, tooltip);
      fill_ops (row, chain, kernel);
      seam_table_row_take_cell (row, KERNEL_IMPLEMENTATION, g_strdup (kernel->implementation), NAN,
                                NULL);
      take_time (row, KERNEL_MEDIAN, kernel->median_ns, time);
      seam_table_row_take_cell (row, KERNEL_SHARE, seam_text_percent (share), share, NULL);
      seam_table_row_take_cell (row, KERNEL_TRAFFIC,
                                seam_text_fixed (kernel->bytes / bytes.scale, 2), kernel->bytes,
                                NULL);
      seam_table_row_take_cell (row, KERNEL_RATE, seam_text_fixed (kernel_rate / rate.scale, 2),
                                kernel_rate, over);
      if (over != NULL)
        seam_table_row_set_class (row, KERNEL_RATE, "error");
      seam_table_row_take_cell (row, KERNEL_SAMPLES, seam_text_count (kernel->n_samples),
                                kernel->n_samples, NULL);
      g_ptr_array_add (rows, row);
    }
    if (plan->n_kernels > 0 && !isnan (plan->span_median_ns))
      add_gaps_row (rows, plan, p, letters[p], time);
  }
  seam_table_set_pitfalls (table, result->pitfalls);
  seam_table_set_rows (table, rows);
}

/* Plans. */

SeamTable *
seam_plan_table_new (void)
{
  return seam_table_new (plan_columns, N_PLAN_COLUMNS, -1, FALSE, "Plans");
}

static const char *
describe_output (const SeamResult *result, int index, const char **css_class)
{
  const SeamPlanResult *plan = &result->plans[index];

  *css_class = NULL;
  if (plan->state == SEAM_PLAN_FAULTED) {
    *css_class = "error";
    return "faulted";
  }
  if (plan->state == SEAM_PLAN_NOT_MEASURED)
    return "not measured";
  if (plan->difference == NULL)
    return index == result->reference ? "the reference" : "not compared";
  if (plan->difference->n_failing > 0) {
    *css_class = "error";
    return "checked, wrong";
  }
  *css_class = "success";
  return "checked, right";
}

void
seam_plan_table_fill (SeamTable *table, const SeamResult *result, const char *letters)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  double largest_ns = 0, largest_bytes = 0;

  for (int p = 0; p < MIN (result->n_plans, (int)strlen (letters)); p++) {
    largest_ns = largest_of (largest_ns, result->plans[p].median_ns);
    largest_bytes = largest_of (largest_bytes, result->plans[p].bytes);
  }
  SeamUnit time = seam_unit_for_time (largest_ns);
  SeamUnit bytes = seam_unit_for_bytes (largest_bytes);
  set_unit (table, PLAN_ELAPSED, "Elapsed", time.name);
  set_unit (table, PLAN_INTERVAL, "95 % interval", time.name);
  set_unit (table, PLAN_TRAFFIC, "Traffic, modelled", bytes.name);
  for (int p = 0; p < MIN (result->n_plans, (int)strlen (letters)); p++) {
    const SeamPlanResult *plan = &result->plans[p];
    SeamTableRow *row = seam_table_row_new (p, -1, N_PLAN_COLUMNS);
    g_autofree char *groups = seam_format_executed_groups (plan->executed);
    const char *css_class;
    const char *output = describe_output (result, p, &css_class);

    seam_table_row_take_cell (row, PLAN_PLAN, g_strdup_printf ("%c", letters[p]), NAN, NULL);
    seam_table_row_take_cell (row, PLAN_GROUPS,
                              g_strdup_printf ("%d %s, %s", plan->n_groups,
                                               plan->n_groups == 1 ? "group" : "groups", groups),
                              NAN, plan->executed);
    seam_table_row_take_cell (row, PLAN_SAMPLES, seam_text_count (plan->n_samples), plan->n_samples,
                              NULL);
    take_time (row, PLAN_ELAPSED, plan->median_ns, time);
    seam_table_row_take_cell (row, PLAN_INTERVAL,
                              format_interval (plan->ci_low_ns, plan->ci_high_ns, time),
                              plan->ci_low_ns, NULL);
    seam_table_row_take_cell (row, PLAN_TRAFFIC, seam_text_fixed (plan->bytes / bytes.scale, 2),
                              plan->bytes, NULL);
    seam_table_row_take_cell (row, PLAN_OUTPUT, g_strdup (output), NAN, plan->message);
    seam_table_row_set_class (row, PLAN_OUTPUT, css_class);
    g_ptr_array_add (rows, row);
  }
  seam_table_set_pitfalls (table, result->pitfalls);
  seam_table_set_rows (table, rows);
}

/* Live. */

SeamTable *
seam_live_table_new (void)
{
  return seam_table_new (live_columns, N_LIVE_COLUMNS, -1, FALSE, "Plans so far");
}

void
seam_live_table_fill (SeamTable *table, const SeamResult *live, const char *letters,
                      const char *const *implementations)
{
  g_autoptr (GPtrArray) rows = g_ptr_array_new_with_free_func (g_object_unref);
  double largest_ns = 0;

  for (int p = 0; p < live->n_plans; p++)
    largest_ns = largest_of (largest_ns, live->plans[p].median_ns);
  SeamUnit unit = seam_unit_for_time (largest_ns);
  set_unit (table, LIVE_MEDIAN, "Median", unit.name);
  set_unit (table, LIVE_INTERVAL, "95 % interval", unit.name);
  set_unit (table, LIVE_LOWEST, "Lowest", unit.name);
  set_unit (table, LIVE_HIGHEST, "Highest", unit.name);
  set_unit (table, LIVE_KERNELS, "Kernels", unit.name);
  for (int p = 0; p < live->n_plans; p++) {
    const SeamPlanResult *plan = &live->plans[p];
    SeamTableRow *row = seam_table_row_new (p, -1, N_LIVE_COLUMNS);
    double lowest = NAN, highest = NAN;

    for (int i = 0; i < plan->n_samples; i++) {
      lowest =
          isnan (lowest) ? plan->samples[i].elapsed_ns : fmin (lowest, plan->samples[i].elapsed_ns);
      highest = largest_of (plan->samples[i].elapsed_ns, highest);
    }
    seam_table_row_take_cell (row, LIVE_PLAN, g_strdup_printf ("%c", letters[p]), NAN, NULL);
    seam_table_row_take_cell (
        row, LIVE_GROUPS,
        g_strdup (implementations[p] != NULL ? implementations[p] : plan->notation), NAN,
        plan->notation);
    seam_table_row_take_cell (row, LIVE_SAMPLES, seam_text_count (plan->n_samples), plan->n_samples,
                              NULL);
    take_time (row, LIVE_MEDIAN, plan->median_ns, unit);
    seam_table_row_take_cell (row, LIVE_INTERVAL,
                              format_interval (plan->ci_low_ns, plan->ci_high_ns, unit),
                              plan->ci_low_ns, NULL);
    double width = (plan->ci_high_ns - plan->ci_low_ns) / plan->median_ns;
    seam_table_row_take_cell (row, LIVE_WIDTH, seam_text_fixed (width * 100, 2), width, NULL);
    take_time (row, LIVE_LOWEST, lowest, unit);
    take_time (row, LIVE_HIGHEST, highest, unit);
    seam_table_row_take_cell (row, LIVE_KERNELS, g_strdup ("after tracing"), NAN, NULL);
    g_ptr_array_add (rows, row);
  }
  seam_table_set_pitfalls (table, live->pitfalls);
  seam_table_set_rows (table, rows);
}
