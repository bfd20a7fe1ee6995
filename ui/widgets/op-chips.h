/* SPDX-License-Identifier: MIT
 *
 * SeamOpChips: small rectangles in the colours and patterns of op kinds, beside the ops' names in
 * a table. Decoration: the names say the same.
 */
#pragma once

#include "app/pipeline/pipeline.h"

#include <gtk/gtk.h>

#define SEAM_TYPE_OP_CHIPS (seam_op_chips_get_type ())
G_DECLARE_FINAL_TYPE (SeamOpChips, seam_op_chips, SEAM, OP_CHIPS, GtkWidget)

GtkWidget *seam_op_chips_new (void);
void seam_op_chips_set_kinds (SeamOpChips *self, const SeamOpKind *kinds, int n_kinds);
