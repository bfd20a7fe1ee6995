/* SPDX-License-Identifier: MIT
 *
 * Lists rates over their peak.
 */
#include "app/compare/exceeded.h"

#include "app/base/text.h"

#include <math.h>

static void
exceeded_free (gpointer data)
{
  SeamExceeded *exceeded = data;

  g_free (exceeded->sentence);
  g_free (exceeded);
}

/* Takes the sentence. */
static void
add_exceeded (GPtrArray *list, SeamExceededKind kind, int kernel, double fraction, char *sentence)
{
  SeamExceeded *exceeded = g_new (SeamExceeded, 1);

  *exceeded = (SeamExceeded){ kind, kernel, fraction, sentence };
  g_ptr_array_add (list, exceeded);
}

static const char *
get_name (const SeamKernel *kernel)
{
  return kernel->short_name != NULL ? kernel->short_name : kernel->name;
}

/* `known`: the peak of the data sheet. */
static const char *
get_source (const SeamDeviceInfo *device, double known)
{
  if (known > 0)
    return "data sheet";
  return device->rates_source != NULL && *device->rates_source != '\0' ? device->rates_source
                                                                       : "source unknown";
}

static double
get_limit (double known)
{
  return known > 0 ? SEAM_PEAK_SLACK : SEAM_PEAK_SLACK_MEASURED;
}

static void
check_memory (GPtrArray *list, const SeamDeviceInfo *device, const SeamKernel *kernel, int index)
{
  double rate = (kernel->dram_bytes_read + kernel->dram_bytes_written) / kernel->median_ns * 1e9;
  double peak_rate = seam_device_info_get_peak_bytes (device), fraction = rate / peak_rate;

  /* NaN (not counted) makes these comparisons FALSE. */
  if (peak_rate > 0 && isfinite (rate) && fraction > get_limit (device->peak_bytes_per_s)) {
    g_autofree char *text = seam_text_rate (rate);
    g_autofree char *peak = seam_text_rate (peak_rate);

    add_exceeded (
        list, SEAM_EXCEEDED_DRAM, index, fraction,
        g_strdup_printf ("%s moved %s to and from memory, %.0f %% of the peak of %s (%s): its "
                         "time, its counted bytes or the peak is wrong.",
                         get_name (kernel), text, 100 * fraction, peak,
                         get_source (device, device->peak_bytes_per_s)));
  } else if (kernel->dram_percent > 100 * SEAM_PEAK_SLACK) {
    add_exceeded (
        list, SEAM_EXCEEDED_DRAM, index, kernel->dram_percent / 100,
        g_strdup_printf ("The counters give %s %.0f %% of the peak of memory, which cannot be.",
                         get_name (kernel), kernel->dram_percent));
  }
}

static void
check_percent (GPtrArray *list, SeamExceededKind kind, const SeamKernel *kernel, int index,
               double percent, const char *what)
{
  if (percent > 100 * SEAM_PEAK_SLACK)
    add_exceeded (
        list, kind, index, percent / 100,
        g_strdup_printf ("The counters give %s %.0f %% of the peak of its %s, which cannot be.",
                         get_name (kernel), percent, what));
}

static void
check_matrix (GPtrArray *list, const SeamResult *result, const SeamPlanResult *plan, int index)
{
  const SeamKernel *kernel = &plan->kernels[index];
  SeamMathMode mode = result->settings.math_mode;
  SeamRoof roof = seam_plan_result_get_roof (plan, mode);
  double peak = seam_device_info_get_peak_flop (result->device, mode, roof);
  double known = MAX (roof == SEAM_ROOF_FP32 ? 0 : result->device->peak_flop_tf32,
                      result->device->peak_flop_fp32);
  double rate = plan->flop / kernel->median_ns * 1e9, fraction = rate / peak;

  if (peak > 0 && isfinite (rate) && fraction > get_limit (known)) {
    g_autofree char *text = seam_text_flop_rate (rate);
    g_autofree char *peak_text = seam_text_flop_rate (peak);

    add_exceeded (
        list, SEAM_EXCEEDED_MATRIX, index, fraction,
        g_strdup_printf ("%s reached %s in the matrix product, %.0f %% of the peak of %s (%s): "
                         "its time or the peak is wrong, or the library does it with fewer "
                         "operations.",
                         get_name (kernel), text, 100 * fraction, peak_text,
                         get_source (result->device, known)));
  }
}

GPtrArray *
seam_exceeded_list (const SeamResult *result, int index)
{
  const SeamPlanResult *plan = &result->plans[index];
  GPtrArray *list = g_ptr_array_new_with_free_func (exceeded_free);
  int matrix = seam_plan_result_find_product (plan);

  for (int i = 0; result->device != NULL && i < plan->n_kernels; i++) {
    const SeamKernel *kernel = &plan->kernels[i];

    check_memory (list, result->device, kernel, i);
    check_percent (list, SEAM_EXCEEDED_SM, kernel, i, kernel->sm_percent, "multiprocessors");
    check_percent (list, SEAM_EXCEEDED_TENSOR, kernel, i, kernel->tensor_percent, "tensor cores");
    if (i == matrix)
      check_matrix (list, result, plan, i);
  }
  return list;
}

char *
seam_exceeded_describe (const GPtrArray *list, int kernel)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < list->len; i++) {
    const SeamExceeded *exceeded = list->pdata[i];

    if (kernel < 0 || exceeded->kernel == kernel)
      g_string_append_printf (text, "%s%s", text->len > 0 ? " " : "", exceeded->sentence);
  }
  return g_string_free (text, text->len == 0);
}
