/* SPDX-License-Identifier: MIT
 *
 * NVML's clock event reasons in words.
 */
#include "app/result/throttle.h"

char *
seam_throttle_describe (guint64 mask)
{
  /* Bits of nvmlClocksEventReason…, worst first. Idle (0x1) and clocks set by the user or by an
   * application (0x2) lower the clock, too, but are no sign of trouble: idle between two samples
   * means nothing, and a clock that somebody set is named. */
  static const struct {
    guint64 bit;
    const char *words;
  } reasons[] = {
    { 0x40, "hardware thermal slowdown" },
    { 0x80, "power brake" },
    { 0x08, "hardware slowdown" },
    { 0x20, "thermal" },
    { 0x04, "power cap" },
    { 0x10, "sync boost" },
    { 0x100, "display clock setting" },
    { 0x02, "application clock setting" },
  };
  g_autoptr (GString) text = g_string_new (NULL);
  guint64 known = 0x1 | SEAM_THROTTLE_KNOWN;

  for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++) {
    known |= reasons[i].bit;
    if ((mask & reasons[i].bit) == 0)
      continue;
    /* The general hardware bit comes with the specific ones and would only repeat them. */
    if (reasons[i].bit == 0x08 && (mask & (0x40 | 0x80)) != 0)
      continue;
    g_string_append_printf (text, "%s%s", text->len > 0 ? ", " : "", reasons[i].words);
  }
  if ((mask & ~known) != 0)
    g_string_append_printf (text, "%sreason 0x%" G_GINT64_MODIFIER "x", text->len > 0 ? ", " : "",
                            mask & ~known);
  if (text->len == 0)
    g_string_append (text, "none");
  return g_string_free (g_steal_pointer (&text), FALSE);
}

gboolean
seam_throttle_is_slowed (gint32 throttle)
{
  /* Hardware thermal slowdown, power brake, hardware slowdown, thermal, power cap. */
  return (throttle & (0x40 | 0x80 | 0x08 | 0x20 | 0x04)) != 0;
}
