/* SPDX-License-Identifier: MIT
 *
 * Private to app/pipeline: functions of classes of ops, for the table of their attributes (op.c).
 * SeamOpAttributes says what they do.
 */
#pragma once

#include "app/pipeline/op.h"

gboolean seam_op_infer_matmul (SeamOpCase *c, GError **error);
void seam_op_get_matmul_axes (const SeamOpCase *c, SeamAxisNeed *axes);
void seam_op_need_matmul (const SeamOpCase *c, const SeamBox *out, SeamBox *in);

gboolean seam_op_infer_convolution (SeamOpCase *c, GError **error);
void seam_op_get_convolution_axes (const SeamOpCase *c, SeamAxisNeed *axes);
void seam_op_need_convolution (const SeamOpCase *c, const SeamBox *out, SeamBox *in);

gboolean seam_op_infer_transposed (SeamOpCase *c, GError **error);
void seam_op_get_transposed_axes (const SeamOpCase *c, SeamAxisNeed *axes);
void seam_op_need_transposed (const SeamOpCase *c, const SeamBox *out, SeamBox *in);

gboolean seam_op_infer_window (SeamOpCase *c, GError **error);
void seam_op_get_window_axes (const SeamOpCase *c, SeamAxisNeed *axes);
void seam_op_need_window (const SeamOpCase *c, const SeamBox *out, SeamBox *in);

/* How many elements along the op's axes become one. */
gint64 seam_op_count_along (const SeamOpCase *c);
gboolean seam_op_infer_reduction (SeamOpCase *c, GError **error);
void seam_op_get_reduction_axes (const SeamOpCase *c, SeamAxisNeed *axes);
void seam_op_need_reduction (const SeamOpCase *c, const SeamBox *out, SeamBox *in);

gboolean seam_op_infer_groupnorm (SeamOpCase *c, GError **error);
void seam_op_get_groupnorm_axes (const SeamOpCase *c, SeamAxisNeed *axes);
void seam_op_need_groupnorm (const SeamOpCase *c, const SeamBox *out, SeamBox *in);

gboolean seam_op_infer_batch_norm (SeamOpCase *c, GError **error);
void seam_op_get_batch_norm_axes (const SeamOpCase *c, SeamAxisNeed *axes);
gboolean seam_op_infer_instance_norm (SeamOpCase *c, GError **error);
gboolean seam_op_infer_layer_norm (SeamOpCase *c, GError **error);
gboolean seam_op_infer_softmax (SeamOpCase *c, GError **error);
/* Of the three, and of a BatchNorm. */
void seam_op_need_along (const SeamOpCase *c, const SeamBox *out, SeamBox *in);
