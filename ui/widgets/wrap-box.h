/* SPDX-License-Identifier: MIT
 *
 * SeamWrapBox: children side by side, on further rows where the width is not enough. A child that
 * expands may get as little as its minimum width before the row breaks, and takes what is left over
 * in its row; others get their natural width.
 */
#pragma once

#include <gtk/gtk.h>

#define SEAM_TYPE_WRAP_BOX (seam_wrap_box_get_type ())
G_DECLARE_FINAL_TYPE (SeamWrapBox, seam_wrap_box, SEAM, WRAP_BOX, GtkWidget)
