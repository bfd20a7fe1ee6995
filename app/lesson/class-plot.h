/* SPDX-License-Identifier: MIT
 *
 * The figure of a class for a step of a lesson: which values it shows, what is covered, and where
 * the measured value is.
 */
#pragma once

#include "app/figure/class-figure.h"
#include "app/lesson/class.h"

G_BEGIN_DECLS

/* `values`: what was predicted, as seam_class_get_values() gives them; for a choice, seam or cell
 * they are positions. `facts` hold the step's result. NULL unless the step is a prediction. */
SeamFigure *seam_class_plot_new (const SeamLessonStep *step, const SeamLessonFacts *facts,
                                 const double *values, int n_values, gboolean covered, double width,
                                 double height, double text_size);

G_END_DECLS
