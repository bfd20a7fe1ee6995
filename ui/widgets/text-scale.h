/* SPDX-License-Identifier: MIT
 *
 * How much larger than usual the person wants text ("Large Text", text-scaling-factor). Style
 * sheets follow by themselves; whatever counts in pixels beside text multiplies with this.
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* 1: as usual. */
double seam_text_scale_get (void);
/* Calls `func (owner)`, a function of the owner's own type in G_CALLBACK(), after it has changed,
 * for as long as `owner` lives. */
void seam_text_scale_follow (gpointer owner, GCallback func);

G_END_DECLS
