/* SPDX-License-Identifier: MIT
 *
 * The figure of a class for a step of a lesson: which values it shows, what is covered, and where
 * the measured value is.
 */
#pragma once

#include "app/figure/class-figure.h"
#include "app/lesson/class.h"

/* What the class predicted, with the wrong reasons that it gave once the answer is uncovered, or
 * how its checks ended; nobody is named. `facts` hold the step's result; a check needs none. NULL:
 * the step is neither a prediction nor a check, or its facts are missing. */
SeamFigure *seam_class_plot_new (const SeamClass *class, const SeamLesson *lesson,
                                 const SeamLessonStep *step, const SeamLessonFacts *facts,
                                 gboolean covered, double width, double height, double text_size);
