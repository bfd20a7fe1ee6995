/* SPDX-License-Identifier: MIT
 *
 * "Why not?": a popover that explains what a seam means for the tensor: one sentence, one number,
 * one picture, and the target's answer. The same as `seamscope-cli why`.
 */
#pragma once

#include "app/figure/why-figure.h"

#include <gtk/gtk.h>

/* Opens at `place` of `parent`, whose layout manager allocates it; it is destroyed when it
 * closes. Takes `why`. `title` is for people: "matmul | groupnorm". */
void seam_why_popover_open (GtkWidget *parent, const GdkRectangle *place, const char *title,
                            SeamWhy *why);
