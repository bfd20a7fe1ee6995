/* SPDX-License-Identifier: MIT
 *
 * The entries of a GtkDropDown, some of which cannot be chosen now: such an entry is greyed in the
 * open list and says why below its name. The keyboard can still reach it, so the handler of the
 * selection must refuse it, too.
 */
#pragma once

#include <gtk/gtk.h>

/* Why the entry at this position cannot be chosen, newly allocated; NULL: it can. */
typedef char *(*SeamReasonFunc) (guint position, gpointer data);

/* For a drop-down with a GtkStringList. `max_chars`: width of the chosen entry on the closed
 * control, ellipsised. `data` must outlive the drop-down. */
void seam_reason_list_attach (GtkDropDown *drop_down, int max_chars, SeamReasonFunc get_reason,
                              gpointer data);
/* Call it after reasons may have changed. A new model of the drop-down asks for them anyway. */
void seam_reason_list_update (GtkDropDown *drop_down);
