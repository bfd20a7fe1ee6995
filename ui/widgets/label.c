/* SPDX-License-Identifier: MIT */
#include "ui/widgets/label.h"

gpointer
seam_label_new (const char *text, const char *classes, SeamLabelFlags flags)
{
  g_auto (GStrv) names = g_strsplit (classes != NULL ? classes : "", " ", -1);
  PangoEllipsizeMode ellipsize =
      flags & SEAM_LABEL_SHORTENS ? PANGO_ELLIPSIZE_END : PANGO_ELLIPSIZE_NONE;

  return g_object_new (GTK_TYPE_LABEL, "label", text != NULL ? text : "", "xalign", 0.0, "wrap",
                       (flags & SEAM_LABEL_WRAPS) != 0, "ellipsize", ellipsize, "selectable",
                       (flags & SEAM_LABEL_SELECTABLE) != 0, "css-classes", names, NULL);
}
