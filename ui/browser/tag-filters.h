/* SPDX-License-Identifier: MIT
 *
 * The buttons that narrow the browser's list to pipelines with a tag.
 */
#pragma once

#include "app/pipeline/catalogue.h"

#include <gtk/gtk.h>

/* Fills the box anew, with the number of `entries` that each tag leaves. `active`: bit i, tag i is
 * on. `toggled_cb` receives a button and `data`. */
void seam_tag_filters_fill (GtkWidget *box, const GPtrArray *entries, guint active,
                            GCallback toggled_cb, gpointer data);
/* The bit of the button's tag. */
guint seam_tag_filters_get_bit (gpointer button);
