/* SPDX-License-Identifier: MIT
 *
 * NVML's clock event reasons in words, and what the samples of a run say about its load.
 */
#include "app/base/doubles.h"
#include "app/base/text.h"
#include "app/result/result.h"

#include <math.h>

/* More reasons are only counted. */
#define MOST_NAMED 2

static guint64
get_reasons (guint64 mask)
{
  /* Idle between two samples means nothing. The general HW slowdown comes with the specific ones
   * and would only repeat them. */
  mask &= ~(guint64)(0x1 | SEAM_THROTTLE_KNOWN);
  return (mask & (0x40 | 0x80)) != 0 ? mask & ~(guint64)0x08 : mask;
}

char *
seam_throttle_describe (guint64 mask)
{
  /* Bits of nvmlClocksEventReason…, worst first, with the words of NVIDIA's documentation (“SW
   * Power Cap”). Clocks set by the user or by an application (0x2) lower the clock, too, but are no
   * sign of trouble. */
  static const struct {
    guint64 bit;
    const char *words;
  } reasons[] = {
    { 0x40, "HW thermal slowdown" },
    { 0x80, "HW power brake slowdown" },
    { 0x08, "HW slowdown" },
    { 0x20, "SW thermal slowdown" },
    { 0x04, "SW power cap" },
    { 0x10, "sync boost" },
    { 0x100, "display clock setting" },
    { 0x02, "applications clocks setting" },
  };
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 rest = get_reasons (mask);

  for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++) {
    if ((rest & reasons[i].bit) != 0)
      g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", reasons[i].words);
    rest &= ~reasons[i].bit;
  }
  if (rest != 0)
    g_string_append_printf (text, "%sreason 0x%" G_GINT64_MODIFIER "x", text->len > 0 ? ", " : "",
                            rest);
  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
seam_throttle_is_slowed (gint32 throttle)
{
  /* HW thermal slowdown, power brake, HW slowdown, SW thermal slowdown, SW power cap. */
  return (throttle & (0x40 | 0x80 | 0x08 | 0x20 | 0x04)) != 0;
}

/* ---- under load ---- */

void
seam_under_load_count (const SeamPlanResult *plans, int n_plans, SeamUnderLoad *load)
{
  g_autoptr (GArray) clocks = g_array_new (FALSE, FALSE, sizeof (double));

  *load = (SeamUnderLoad){ .low_mhz = NAN, .median_mhz = NAN };
  for (int p = 0; p < n_plans; p++)
    for (int i = 0; plans[p].samples != NULL && i < plans[p].n_samples; i++) {
      const SeamSample *sample = &plans[p].samples[i];
      guint64 reasons = get_reasons ((guint32)sample->throttle);

      if (isfinite (sample->clock_mhz) && sample->clock_mhz > 0)
        g_array_append_val (clocks, sample->clock_mhz);
      load->n_known += sample->throttle != 0;
      load->n_slowed += seam_throttle_is_slowed (sample->throttle);
      for (int bit = 0; bit < SEAM_N_REASONS; bit++)
        load->n_samples[bit] += (reasons >> bit & 1) != 0;
    }
  if (clocks->len == 0)
    return;
  g_array_sort (clocks, seam_compare_doubles);
  load->low_mhz = g_array_index (clocks, double, 0);
  load->median_mhz = (g_array_index (clocks, double, (clocks->len - 1) / 2)
                      + g_array_index (clocks, double, clocks->len / 2))
                     / 2;
}

/* The bit of the most frequent reason that is left; -1: none. */
static int
find_most (const SeamUnderLoad *load)
{
  int most = 0;

  for (int bit = 1; bit < SEAM_N_REASONS; bit++)
    if (load->n_samples[bit] > load->n_samples[most])
      most = bit;
  return load->n_samples[most] > 0 ? most : -1;
}

void
seam_result_summarise_load (SeamResult *result)
{
  GString *text = g_string_new (NULL);
  SeamUnderLoad load;
  int n_reasons = 0;

  /* Older versions read both once, after the load: 137 W of an H200 that had drawn 700. */
  if (!result->under_load)
    result->power_w = result->temperature_c = NAN;
  seam_under_load_count (result->plans, result->n_plans, &result->load);
  load = result->load;
  for (int bit; (bit = find_most (&load)) >= 0; load.n_samples[bit] = 0) {
    double share = (double)load.n_samples[bit] / load.n_known;
    g_autofree char *reason = seam_throttle_describe (G_GUINT64_CONSTANT (1) << bit);
    /* 100 % means every sample. */
    g_autofree char *percent =
        seam_text_significant (share < 1 ? fmin (100 * share, 99.9) : 100, 3);

    if (n_reasons++ < MOST_NAMED)
      g_string_append_printf (text, "%s%s in %s %%", n_reasons > 1 ? ", " : "", reason, percent);
  }
  g_string_append (text, n_reasons > 0 ? " of samples" : "none");
  if (n_reasons > MOST_NAMED)
    g_string_append_printf (text, " and %d more", n_reasons - MOST_NAMED);
  if (n_reasons > 0 && isfinite (load.median_mhz)) {
    double highest_mhz = result->device != NULL ? result->device->max_clock_mhz : NAN;
    /* In steps of 15 MHz many clocks lie between two such numbers: 1.845 is 1.85. */
    g_autofree char *median = seam_text_fixed (round (load.median_mhz / 10) / 100, 2);
    g_autofree char *highest = seam_text_fixed (round (highest_mhz / 10) / 100, 2);

    g_string_append_printf (text, ", SM clock %s GHz%s%s", median,
                            isfinite (highest_mhz) ? " of " : "",
                            isfinite (highest_mhz) ? highest : "");
  }
  g_free (result->throttle);
  result->throttle = g_string_free (text, load.n_known == 0);
}
