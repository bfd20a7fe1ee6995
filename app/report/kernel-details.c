/* SPDX-License-Identifier: MIT
 *
 * The numbers of two kernels, and the rules. Columns of the CSV, which keep name, unit and place
 * for good (new ones come last):
 *   pipeline, plan_a, plan_b, target, math_mode, shape, kernel_a, kernel_b, number (its unit is in
 *   the name), title, metric, a, b, delta, program_version, pitfalls and storage.
 */
#include "app/report/kernel-details.h"

#include "app/base/csv-text.h"
#include "app/backend/backend.h"
#include "app/base/text.h"
#include "app/explain/roofline.h"
#include "app/record/record.h"

#include <math.h>
#include <string.h>

#define LOW_OCCUPANCY 50.0 /* percent, from which on nothing is said */

/* ---- numbers ---- */

#define PERCENT SEAM_NUMBER_PERCENT
#define BYTES   SEAM_NUMBER_BYTES
#define COUNT   SEAM_NUMBER_COUNT
#define ELAPSED ".avg.pct_of_peak_sustained_elapsed"

enum { ON_GPU = 1, ON_CPU = 2, MODEL = 4, LAUNCH = 8, LIMIT = 16 };

/* Titles and metrics are those of Nsight Compute. A model is shown in place of the row before it if
 * that is unknown on both sides. */
static const struct {
  int flags;
  const char *key, *title;
  SeamNumberKind kind;
  const char *metric;
} entries[] = {
  { ON_GPU | ON_CPU, "median_ns", "Duration", SEAM_NUMBER_TIME, "median of the kernel's records" },
  { ON_GPU, "sm_percent", "Compute (SM) Throughput (%)", PERCENT, "sm__throughput" ELAPSED },
  { ON_GPU, "dram_percent", "DRAM Throughput (%)", PERCENT, "gpu__dram_throughput" ELAPSED },
  { ON_GPU | MODEL, "modelled_dram_percent", "DRAM Throughput" SEAM_MODELLED " (%)", PERCENT,
    "bytes of the tensors ÷ time ÷ memory bandwidth of the device" },
  { ON_GPU, "l2_percent", "L2 Cache Throughput (%)", PERCENT, "lts__throughput" ELAPSED },
  { ON_GPU, "tensor_percent", "Tensor pipe (%)", PERCENT, "sm__pipe_tensor_cycles_active" ELAPSED },
  { ON_GPU, "dram_bytes", "DRAM bytes", BYTES, "dram__bytes_read.sum + dram__bytes_write.sum" },
  { ON_GPU | ON_CPU | MODEL, "modelled_bytes", "DRAM bytes" SEAM_MODELLED, BYTES,
    "bytes of the tensors" },
  { ON_GPU, "l2_bytes", "L2 bytes", BYTES, "lts__t_bytes.sum" },
  { ON_GPU, "l2_sm_bytes", "L2 bytes of SMs", BYTES, "lts__t_sectors_srcunit_tex.sum × 32 B" },
  { ON_CPU, "gb_per_s", "Rate" SEAM_MODELLED " (GB/s)", SEAM_NUMBER_OTHER,
    "bytes of the tensors ÷ time" },
  { ON_GPU | LAUNCH, "theoretical_percent", "Theoretical Occupancy (%)", PERCENT,
    "sm__maximum_warps_per_active_cycle_pct" },
  { ON_GPU | LAUNCH, "occupancy_percent", "Achieved Occupancy (%)", PERCENT,
    "sm__warps_active.avg.pct_of_peak_sustained_active" },
  { ON_GPU | LAUNCH, "registers", "Registers Per Thread", COUNT, "launch__registers_per_thread" },
  { ON_GPU | LAUNCH, "shared_bytes", "Shared Memory Per Block", BYTES,
    "launch__shared_mem_per_block" },
  { ON_GPU | LAUNCH, "n_threads", "Block Size", COUNT, "launch__block_size" },
  { ON_GPU | LAUNCH, "n_blocks", "Grid Size", COUNT, "launch__grid_size" },
  { ON_GPU | LAUNCH, "waves", "Waves Per SM", SEAM_NUMBER_OTHER,
    "launch__waves_per_multiprocessor" },
  { ON_GPU | LIMIT, "limit_warps", "Block Limit Warps", COUNT, "launch__occupancy_limit_warps" },
  { ON_GPU | LIMIT, "limit_blocks", "Block Limit SM", COUNT, "launch__occupancy_limit_blocks" },
  { ON_GPU | LIMIT, "limit_registers", "Block Limit Registers", COUNT,
    "launch__occupancy_limit_registers" },
  { ON_GPU | LIMIT, "limit_shared_mem", "Block Limit Shared Mem", COUNT,
    "launch__occupancy_limit_shared_mem" },
};

#define N_ENTRIES G_N_ELEMENTS (entries)
G_STATIC_ASSERT (N_ENTRIES <= SEAM_MAX_KERNEL_ROWS);

/* 0: unknown. */
static double
multiply (const gint64 sizes[3])
{
  double product = (double)sizes[0] * (double)sizes[1] * (double)sizes[2];

  return product > 0 ? product : NAN;
}

/* One value for each entry. */
static void
fill (const SeamKernelDetails *details, int side, double *values)
{
  const SeamDeviceInfo *device = details->result->device;
  const SeamOccupancy *o = details->occupancy[side];
  g_autofree SeamKernel *unknown = seam_record_new (&seam_kernel_type);
  const SeamKernel *k = details->kernels[side] != NULL ? details->kernels[side] : unknown;
  double rate = k->bytes / k->median_ns;
  const double all[] = {
    k->median_ns,
    k->sm_percent,
    k->dram_percent,
    device->bytes_per_s > 0 ? 1e11 * rate / device->bytes_per_s : NAN,
    k->l2_percent,
    k->tensor_percent,
    k->dram_bytes_read + k->dram_bytes_written,
    k->bytes,
    k->l2_bytes,
    k->l2_sm_bytes,
    rate,
    o != NULL ? o->percent : NAN,
    k->occupancy_percent,
    k->registers >= 0 ? k->registers : NAN,
    o != NULL ? (double)o->shared_bytes : NAN,
    multiply (k->block),
    multiply (k->grid),
    o != NULL && device->n_processors > 0
        ? multiply (k->grid) / ((double)device->n_processors * o->blocks)
        : NAN,
    o != NULL ? o->by[SEAM_OCCUPANCY_BY_WARPS] : NAN,
    o != NULL ? o->by[SEAM_OCCUPANCY_BY_BLOCKS] : NAN,
    o != NULL ? o->by[SEAM_OCCUPANCY_BY_REGISTERS] : NAN,
    o != NULL ? o->by[SEAM_OCCUPANCY_BY_SHARED] : NAN,
  };
  G_STATIC_ASSERT (G_N_ELEMENTS (all) == N_ENTRIES);
  memcpy (values, all, sizeof all);
}

static void
add_rows (SeamKernelDetails *details)
{
  gboolean is_gpu = seam_device_info_is_device (details->result->device);
  const char *names[4] = { NULL };
  double a[N_ENTRIES], b[N_ENTRIES];

  for (int side = 0; side < 2; side++) {
    if (details->plans[side] >= 0)
      names[side] = seam_plan_result_get_name (&details->result->plans[details->plans[side]]);
    if (details->kernels[side] != NULL)
      names[2 + side] = details->kernels[side]->short_name;
  }
  fill (details, 0, a);
  fill (details, 1, b);
  for (gsize i = 0; i < N_ENTRIES; i++) {
    gboolean is_replaced =
        i + 1 < N_ENTRIES && (entries[i + 1].flags & MODEL) != 0 && isnan (a[i]) && isnan (b[i]);
    gboolean is_needless =
        (entries[i].flags & MODEL) != 0 && !(isnan (a[i - 1]) && isnan (b[i - 1]));

    if ((entries[i].flags & (is_gpu ? ON_GPU : ON_CPU)) != 0 && !is_replaced && !is_needless)
      details->rows[details->n_rows++] = (SeamKernelDetail){
        names[0],
        names[1],
        names[2],
        names[3],
        { entries[i].key, entries[i].title, entries[i].kind, a[i], b[i] },
        entries[i].metric,
        b[i] - a[i],
        (entries[i].flags & LIMIT) != 0    ? SEAM_KERNEL_LIMITS
        : (entries[i].flags & LAUNCH) != 0 ? SEAM_KERNEL_LAUNCH
                                           : SEAM_KERNEL_THROUGHPUT,
      };
  }
}

/* ---- rules ---- */

static gboolean
add_rule (SeamKernelDetails *details, gboolean is_caution, char *lead, char *text)
{
  details->rules[details->n_rules].is_caution = is_caution;
  details->rules[details->n_rules].lead = lead;
  details->rules[details->n_rules++].text = text;
  return TRUE;
}

static gboolean
judge_memset (SeamKernelDetails *details, int side)
{
  return details->kernels[side]->is_copy && !seam_kernel_is_counted (details->kernels[side])
         && add_rule (details, FALSE, g_strdup_printf ("%c:", details->letters[side]),
                      g_strdup ("A memset has no counters."));
}

/* Which roof is that of a matrix op, where it is not that of the math mode or may not be; page
 * Traffic has the same. In FP32, tensor cores left idle are no fault. */
static gboolean
judge_tensor_pipe (SeamKernelDetails *details, int side)
{
  const SeamKernel *kernel = details->kernels[side];
  const SeamPlanResult *plan = &details->result->plans[details->plans[side]];
  g_autoptr (SeamRoofline) roofline =
      seam_roofline_new (details->result, details->plans[side], -1, NULL);
  const SeamRooflinePoint *point = NULL;

  for (int i = 0; roofline != NULL && i < roofline->n_points; i++)
    if (roofline->points[i].kernel == kernel - plan->kernels && !roofline->points[i].is_cache)
      point = &roofline->points[i];
  if (point == NULL || !point->multiplies || roofline->mode == roofline->fp32
      || (point->arithmetic == roofline->mode && !isnan (kernel->tensor_percent)))
    return FALSE;
  const SeamRooflineBound *mode = &roofline->bounds[roofline->mode];
  const SeamRooflineBound *fp32 = &roofline->bounds[roofline->fp32];
  const SeamRooflineBound *own = &roofline->bounds[point->arithmetic];
  gboolean is_caution =
      own == fp32
      && seam_math_mode_get_base (details->result->settings.math_mode) != SEAM_MATH_FP32;
  g_autofree char *rate = seam_text_flop_rate (point->rate);
  g_autofree char *roof = seam_text_flop_rate (own->rate);
  double of_fp32 = 100 * point->rate / fp32->rate, of_mode = 100 * point->rate / mode->rate;
  if (own == mode)
    return add_rule (
        details, FALSE,
        g_strdup_printf ("%c: which pipe multiplied is not known.", details->letters[side]),
        g_strdup_printf ("%s, modelled, is %.0f %% of the FP32 roof or %.0f %% of the %s roof.",
                         rate, of_fp32, of_mode, mode->label));
  return add_rule (
      details, is_caution,
      g_strdup_printf (is_caution ? "%c: tensor pipe unused in a %s run." : "%c: executed in %s.",
                       details->letters[side], is_caution ? mode->label : own->label),
      g_strdup_printf ("Judged against the %s roof: %s of %s, %.0f %%.", own->label, rate, roof,
                       100 * point->rate / own->rate));
}

static gboolean
judge_occupancy (SeamKernelDetails *details, int side)
{
  static const char *const words[] = { "warps", "the blocks that an SM takes", "registers",
                                       "shared memory" };
  const SeamOccupancy *o = details->occupancy[side];

  if (o == NULL || o->percent >= LOW_OCCUPANCY || o->limit == SEAM_OCCUPANCY_BY_WARPS)
    return FALSE;
  int other = o->limit == SEAM_OCCUPANCY_BY_REGISTERS ? SEAM_OCCUPANCY_BY_SHARED
                                                      : SEAM_OCCUPANCY_BY_REGISTERS;
  gboolean is_tie = o->by[other] == o->blocks;
  g_autofree char *bytes = seam_text_bytes ((double)o->shared_bytes);

  return add_rule (
      details, FALSE,
      g_strdup_printf ("%c: occupancy limited by %s%s%s.", details->letters[side], words[o->limit],
                       is_tie ? " and " : "", is_tie ? words[other] : ""),
      g_strdup_printf ("%d registers a thread and %s a block leave room for %d block%s an SM, "
                       "%.1f %%; %s alone would allow %d.",
                       details->kernels[side]->registers, bytes, o->blocks,
                       o->blocks == 1 ? "" : "s", o->percent, words[other], o->by[other]));
}

/* A first; B if A has no rule of a kind. */
static void
add_rules (SeamKernelDetails *details)
{
  static gboolean (*const rules[]) (SeamKernelDetails *, int) = { judge_memset, judge_tensor_pipe,
                                                                  judge_occupancy };

  for (gsize i = 0; i < G_N_ELEMENTS (rules); i++)
    for (int side = 0; side < 2; side++)
      if (details->kernels[side] != NULL && details->n_rules < SEAM_MAX_KERNEL_RULES
          && rules[i](details, side))
        break;
  if (details->n_rules == 0)
    add_rule (details, FALSE, g_strdup (""), g_strdup ("Neither rule applies."));
}

/* ---- the whole ---- */

/* Why no kernel of the result has counters, and the remedy. A command in a file is never offered:
 * only ours, if the file's note has it. */
static void
explain_missing (SeamKernelDetails *details)
{
  const SeamResult *result = details->result;
  const char *note = result->trace_note != NULL ? result->trace_note : "";
  const char *why = strstr (note, "Hardware counters were not read");
  const char *remedy = why != NULL ? strstr (why, SEAM_COUNTERS_REMEDY) : NULL;

  for (int i = 0; i < result->n_plans; i++)
    for (int k = 0; k < result->plans[i].n_kernels; k++)
      if (!isnan (result->plans[i].kernels[k].dram_bytes_read))
        return;
  details->remedy = remedy != NULL ? SEAM_COUNTERS_REMEDY : NULL;
  details->missing =
      remedy != NULL ? g_strndup (why, (gsize)(remedy - why))
      : why != NULL  ? g_strdup (why)
      : strstr (note, "counters of") != NULL
          ? g_strdup (note)
          : g_strdup ("Hardware counters were left out of this run (--no-counters).");
}

SeamKernelDetails *
seam_kernel_details_new (const SeamResult *result, const int plans[2], const int kernels[2])
{
  SeamKernelDetails *details = g_new0 (SeamKernelDetails, 1);

  details->result = result;
  for (int i = 0; i < 2; i++) {
    const SeamPlanResult *plan = plans[i] >= 0 ? &result->plans[plans[i]] : NULL;
    const SeamKernel *kernel = plan != NULL && kernels[i] >= 0 ? &plan->kernels[kernels[i]] : NULL;

    details->plans[i] = plans[i];
    details->letters[i] = seam_plan_get_letter (plans[i] >= 0 ? plans[i] : i);
    details->kernels[i] = kernel;
    if (kernel != NULL && result->device != NULL
        && seam_occupancy_compute (
            result->device->compute_capability, kernel->registers, kernel->shared_bytes,
            kernel->block[0] * kernel->block[1] * kernel->block[2], &details->occupancies[i]))
      details->occupancy[i] = &details->occupancies[i];
  }
  if (result->device == NULL)
    return details;
  add_rows (details);
  if (seam_device_info_is_device (result->device)) {
    add_rules (details);
    explain_missing (details);
  }
  return details;
}

void
seam_kernel_details_free (SeamKernelDetails *details)
{
  for (int i = 0; details != NULL && i < details->n_rules; i++) {
    g_free (details->rules[i].lead);
    g_free (details->rules[i].text);
  }
  if (details != NULL)
    g_free (details->missing);
  g_free (details);
}

/* One that only helps, such as a layout copy, stands beside one that only helps. */
static int
get_likeness (const SeamKernel *a, const SeamKernel *b)
{
  int shared = MIN (a->last_op, b->last_op) - MAX (a->first_op, b->first_op) + 1;

  return MAX (shared, 0) + SEAM_MAX_OP * (a->first_op == 0 && b->first_op == 0)
         + 2 * SEAM_MAX_OP * (!a->is_copy == !b->is_copy);
}

int
seam_kernel_details_find_partner (const SeamResult *result, int plan, int kernel, int other)
{
  const SeamKernel *of = &result->plans[plan].kernels[kernel];
  const SeamKernel *there = result->plans[other].kernels;
  int best = -1;

  for (int i = 0; i < result->plans[other].n_kernels; i++) {
    int better = best < 0 ? 1 : get_likeness (of, &there[i]) - get_likeness (of, &there[best]);

    if (better > 0 || (better == 0 && there[i].median_ns > there[best].median_ns))
      best = i;
  }
  return best;
}

/* ---- tables ---- */

static void
add_number (GString *text, double value, char end)
{
  seam_csv_add_number (text, value);
  text->str[text->len - 1] = end;
}

char *
seam_kernel_details_to_tsv (const SeamKernelDetails *details)
{
  static const char *const units[] = { [SEAM_NUMBER_TIME] = " (ns)", [SEAM_NUMBER_BYTES] = " (B)" };
  GString *text = g_string_new (NULL);

  g_string_printf (text, "Number\tMetric\t%c\t%c\tΔ\n", details->letters[0], details->letters[1]);
  for (const SeamKernelDetail *row = details->rows; row < details->rows + details->n_rows; row++) {
    const char *unit = row->number.kind < G_N_ELEMENTS (units) ? units[row->number.kind] : NULL;

    g_string_append_printf (text, "%s%s\t%s\t", row->number.title, unit != NULL ? unit : "",
                            row->metric);
    add_number (text, row->number.a, '\t');
    add_number (text, row->number.b, '\t');
    add_number (text, row->delta, '\n');
  }
  return g_string_free (text, FALSE);
}

#define FIELD(n, m, K)                                                                             \
  {                                                                                                \
    .name = n, SEAM_AT (SeamKernelDetail, m, K)                                                    \
  }

static const SeamField detail_fields[] = {
  FIELD ("plan_a", plan_a, TEXT),
  FIELD ("plan_b", plan_b, TEXT),
  FIELD ("kernel_a", kernel_a, TEXT),
  FIELD ("kernel_b", kernel_b, TEXT),
  FIELD ("number", number.key, TEXT),
  FIELD ("title", number.title, TEXT),
  FIELD ("metric", metric, TEXT),
  FIELD ("a", number.a, DOUBLE),
  FIELD ("b", number.b, DOUBLE),
  FIELD ("delta", delta, DOUBLE),
  { NULL },
};

static const SeamRecordType detail_type = {
  .name = "detail",
  .size = sizeof (SeamKernelDetail),
  .fields = detail_fields,
};

static const SeamView details_view = {
  .header = "pipeline,plan_a,plan_b,target,math_mode,shape,kernel_a,kernel_b,number,title,metric,a,"
            "b,delta,program_version,pitfalls,storage",
};

char *
seam_kernel_details_to_csv (const SeamResult *result, int a, int b)
{
  SeamPath run = { .type = &seam_result_type, .record = result };
  SeamPath row = { .type = &detail_type, .outer = &run };
  SeamViewWriter *writer = seam_view_open (&details_view, &row);

  for (int i = 0; i < result->plans[a].n_kernels; i++) {
    int partner = b >= 0 ? seam_kernel_details_find_partner (result, a, i, b) : -1;
    g_autoptr (SeamKernelDetails) details =
        seam_kernel_details_new (result, (int[]){ a, b }, (int[]){ i, partner });

    for (row.index = 0; row.index < details->n_rows; row.index++) {
      row.record = &details->rows[row.index];
      seam_view_add_row (writer, &row);
    }
  }
  return seam_view_close (writer);
}
