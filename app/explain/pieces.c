/* SPDX-License-Identifier: MIT
 *
 * The pieces of an elapsed time. Reasons take from the rest in turn, each at most what is left and
 * only in its direction, so that they add up to it.
 */
#include "app/explain/pieces.h"

#include "app/base/doubles.h"
#include "app/explain/bounds.h"
#include "app/explain/read-result.h"

#include <math.h>
#include <stdlib.h>

/* A kernel whose bytes take less than this share of its time at the full bandwidth is not bound by
 * memory, which has a clock of its own. */
#define MEMORY_SHARE .5

/* The records tell how the total of all gaps is distributed. The medians of single gaps would not
 * add up to it, especially on a busy machine. */
double
seam_pieces_place (const SeamPlanResult *plan, double *starts, double *ends)
{
  int n = plan->n_kernels;
  g_autofree double *gaps = g_new0 (double, MAX (1, n));
  double known = plan->span_median_ns - plan->kernels_sum_median_ns, total = 0, at = 0;

  for (int i = 1; i < n; i++) {
    const SeamKernel *before = &plan->kernels[i - 1];
    double gap = plan->kernels[i].start_ns - (before->start_ns + before->median_ns);

    gaps[i] = isfinite (gap) ? fmax (0, gap) : 0;
    total += gaps[i];
  }
  for (int i = 0; i < n; i++) {
    if (i > 0 && isfinite (known))
      gaps[i] = total > 0 ? gaps[i] * fmax (0, known) / total : fmax (0, known) / (n - 1);
    at += gaps[i];
    if (starts != NULL)
      starts[i] = at;
    at += fmax (0, plan->kernels[i].median_ns);
    if (ends != NULL)
      ends[i] = at;
  }
  return at;
}

/* The time of the kernels that the SM clock decides. */
static double
sum_clocked_ns (const SeamResult *result, const SeamPlanResult *plan)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, NULL);
  SeamRates rates;
  double ns = 0;

  if (problem == NULL || !seam_bounds_get_rates (result, problem, &rates)
      || !(rates.bytes_per_s > 0))
    return 0;
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernel *kernel = &plan->kernels[i];

    if (!kernel->is_copy
        && 1e9 * kernel->bytes / rates.bytes_per_s < MEMORY_SHARE * kernel->median_ns)
      ns += kernel->median_ns;
  }
  return ns;
}

static double
get_sample_clock (const SeamPlanResult *plan)
{
  g_autofree double *clocks = g_new (double, MAX (1, plan->n_samples));
  int n = 0;

  for (int i = 0; i < plan->n_samples; i++)
    if (plan->samples[i].clock_mhz > 0)
      clocks[n++] = plan->samples[i].clock_mhz;
  qsort (clocks, n, sizeof *clocks, seam_compare_doubles);
  return n > 0 ? (clocks[(n - 1) / 2] + clocks[n / 2]) / 2 : NAN;
}

static void
take (SeamPieces *pieces, SeamRestReason reason, double ns, double *left)
{
  double taken = *left > 0 ? CLAMP (ns, 0, *left) : CLAMP (ns, *left, 0);

  pieces->reasons_ns[reason] = taken;
  *left -= taken;
}

void
seam_pieces_init (SeamPieces *pieces, const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];
  double overlap_ns = plan->kernels_sum_median_ns - plan->span_median_ns, sum_ns = 0, left;

  *pieces = (SeamPieces){ .gaps_ns = NAN, .traced_ns = NAN, .rest_ns = NAN, .share = NAN };
  pieces->trace_clock_mhz = plan->trace_clock_mhz > 0 ? plan->trace_clock_mhz : NAN;
  pieces->sample_clock_mhz = get_sample_clock (plan);
  if (plan->n_kernels < 1 || !(plan->median_ns > 0))
    return;
  for (int i = 0; i < plan->n_kernels; i++)
    sum_ns += fmax (0, plan->kernels[i].median_ns);
  pieces->traced_ns = seam_pieces_place (plan, NULL, NULL);
  pieces->gaps_ns = pieces->traced_ns - sum_ns;
  left = pieces->rest_ns = plan->median_ns - pieces->traced_ns;
  pieces->share = pieces->rest_ns / plan->median_ns;
  double faster = pieces->trace_clock_mhz / pieces->sample_clock_mhz - 1;
  /* Without both clocks nobody can say how much they leave for a launch or for gaps. */
  if (isfinite (faster)) {
    take (pieces, SEAM_REST_CLOCK, faster * sum_clocked_ns (result, plan), &left);
    if (result->device != NULL && result->device->launch_ns > 0)
      take (pieces, SEAM_REST_LAUNCH, result->device->launch_ns, &left);
    take (pieces, SEAM_REST_GAPS, -pieces->gaps_ns, &left);
  }
  if (overlap_ns > 0)
    take (pieces, SEAM_REST_OVERLAP, -overlap_ns, &left);
  pieces->reasons_ns[SEAM_REST_OTHER] = left;
}

/* ---- words ---- */

const char *
seam_pieces_get_name (const SeamPieces *pieces)
{
  return pieces->rest_ns < 0 ? "past the mark" : "not traced";
}

char *
seam_pieces_format_rest (const SeamPieces *pieces, SeamUnit unit)
{
  g_autofree char *number = seam_text_fixed (fabs (pieces->rest_ns) / unit.scale, 3);

  return g_strdup_printf ("%s %s:", number, seam_pieces_get_name (pieces));
}

/* What a reason is called, and the sentence after it. */
static const struct {
  const char *name, *sentence;
} reasons[] = {
  [SEAM_REST_CLOCK] = { "the clock", "" },
  [SEAM_REST_LAUNCH] = { "launch", "" },
  [SEAM_REST_GAPS] = { "gaps", " Tracing lengthens them." },
  [SEAM_REST_OVERLAP] = { "overlap", " A kernel begins before the one before has ended." },
  [SEAM_REST_OTHER] = { "not explained", "" },
};
/* Without both clocks. */
#define NOT_KNOWN "reason not known"
#define NO_CLOCK  " The clock rate during the trace was not recorded."

char *
seam_pieces_explain (const SeamPieces *pieces, SeamUnit unit)
{
  gboolean knows = isfinite (pieces->trace_clock_mhz / pieces->sample_clock_mhz);
  g_autofree char *trace = seam_text_fixed (pieces->trace_clock_mhz / 1000, 2);
  g_autofree char *samples = seam_text_fixed (pieces->sample_clock_mhz / 1000, 2);
  g_autofree char *clocks =
      g_strdup_printf (" The trace ran at %s GHz, the samples at %s.", trace, samples);
  GString *text = g_string_new (NULL);
  int shown[SEAM_N_REST_REASONS], n = 0;

  for (int i = 0; i < SEAM_N_REST_REASONS; i++)
    if (fabs (pieces->reasons_ns[i]) >= .0005 * unit.scale)
      shown[n++] = i;
  for (int k = 0; k < n; k++) {
    gsize at = text->len;
    int i = shown[k];
    g_autofree char *amount = seam_text_fixed (fabs (pieces->reasons_ns[i]) / unit.scale, 3);

    gboolean unknown = i == SEAM_REST_OTHER && !knows;

    g_string_append_printf (text, "%s%s%s%s.%s", k > 0 ? " " : "",
                            unknown ? NOT_KNOWN : reasons[i].name, n > 1 ? ", " : "",
                            n > 1 ? amount : "",
                            i == SEAM_REST_CLOCK ? clocks
                            : unknown            ? NO_CLOCK
                                                 : reasons[i].sentence);
    if (k > 0)
      text->str[at + 1] = g_ascii_toupper (text->str[at + 1]);
  }
  return g_string_free (text, FALSE);
}

char *
seam_pieces_explain_absence (const SeamResult *result, const SeamPlanResult *plan)
{
  return g_strdup (plan->state == SEAM_PLAN_STOPPED_EARLY ? "the run was stopped before"
                   : result->trace_note != NULL           ? result->trace_note
                                                          : "there are no records of its kernels");
}
