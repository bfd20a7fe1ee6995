/* SPDX-License-Identifier: MIT
 *
 * Registers, shared memory and launch of the measured kernels.
 */
#include "ui/source/source-measured.h"

#include "app/base/text.h"
#include "app/explain/occupancy.h"

#include <string.h>

static void
append_kernel (const SeamKernel *kernel, const char *capability, GString *note)
{
  g_autofree char *shared = seam_text_bytes ((double)kernel->shared_bytes);
  g_autofree char *blocks = seam_text_count (kernel->grid[0] * kernel->grid[1] * kernel->grid[2]);
  g_autofree char *threads =
      seam_text_count (kernel->block[0] * kernel->block[1] * kernel->block[2]);
  SeamOccupancy occupancy;

  g_string_append_printf (
      note,
      "%sMeasured: %s, %d registers a thread, %s shared memory a block, %s blocks of %s "
      "threads.",
      note->len > 0 ? "\n" : "", kernel->short_name, kernel->registers, shared, blocks, threads);
  if (seam_occupancy_compute (capability, kernel->registers, kernel->shared_bytes,
                              kernel->block[0] * kernel->block[1] * kernel->block[2], &occupancy)) {
    g_autofree char *words = seam_occupancy_describe (&occupancy);
    g_string_append_printf (note, " %s.", words);
  }
}

void
seam_source_append_measured (const SeamResult *result, const SeamDeviceInfo *target, int plan,
                             const char *notation, int group, const SeamSource *source,
                             GString *note)
{
  const SeamPlanResult *of = &result->plans[plan];

  if (target == NULL || result->device == NULL
      || g_strcmp0 (target->name, result->device->name) != 0) {
    g_string_append_printf (note, "%sThe result is of %s; this is the code for the target.",
                            note->len > 0 ? "\n" : "",
                            result->device != NULL ? result->device->name : "another device");
    return;
  }
  if (strcmp (of->notation, notation) != 0)
    return;
  for (int i = 0; i < of->n_kernels; i++) {
    const SeamKernel *kernel = &of->kernels[i];

    if (kernel->group == group && kernel->first_op >= source->first_op
        && kernel->last_op <= source->last_op && kernel->registers >= 0)
      append_kernel (kernel, result->device->compute_capability, note);
  }
}
