/* SPDX-License-Identifier: MIT
 *
 * The factor by which the person wants text larger than usual ("Large Text", text-scaling-factor).
 * Style sheets follow by themselves; sizes in pixels that belong to text are multiplied with it.
 */
#pragma once

#include <gtk/gtk.h>

/* 1: the usual size. */
double seam_text_scale_get (void);
/* Calls `func (owner)`, a function of the owner's own type in G_CALLBACK(), after each change of
 * the factor, for as long as `owner` lives. */
void seam_text_scale_follow (gpointer owner, GCallback func);
