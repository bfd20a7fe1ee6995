/* SPDX-License-Identifier: MIT */
#include "ui/widgets/text-scale.h"

#define USUAL_DPI 96
#define LEAST     0.5
#define MOST      3.0 /* the most that desktops offer */

double
seam_text_scale_get (void)
{
  int dpi = -1; /* in 1/1024; below 0: not known */

  g_object_get (gtk_settings_get_default (), "gtk-xft-dpi", &dpi, NULL);
  return dpi > 0 ? CLAMP (dpi / 1024.0 / USUAL_DPI, LEAST, MOST) : 1;
}

void
seam_text_scale_follow (gpointer owner, GCallback func)
{
  g_signal_connect_object (gtk_settings_get_default (), "notify::gtk-xft-dpi", func, owner,
                           G_CONNECT_SWAPPED);
}
