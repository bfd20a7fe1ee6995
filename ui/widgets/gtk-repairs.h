/* SPDX-License-Identifier: MIT
 *
 * What GTK 4.8, the oldest that Seamscope runs with, does wrong or leaves undone, and the repair of
 * each. When the floor in ui/meson.build rises to the version in front of a line, the repair goes.
 *
 * - 4.10: A widget that nothing names is called by its class: images, empty labels, scrollbars.
 * - 4.12: The text in a widget is not its name: cells and titles of a table, children of a flow
 *   box; and the items of a list (gtk_list_item_set_accessible_label).
 * - 4.12: A button with a mnemonic is called “_Run Run”: what it is labelled by is added to its own
 *   text, not taken instead.
 * - 4.12: Tab goes through every row of a list or a table (gtk_column_view_set_tab_behavior).
 * - 4.18: The same in a list box (gtk_list_box_set_tab_behavior).
 * - later: The button in a drop-down, which has the keys, is not called as the drop-down is.
 * - open: The list in a drop-down or a column view, a menu, and the search and the pages of a
 *   shortcuts window have no name.
 * - open: The focus stays in a popover that has closed until the next frame.
 * - open: A list loses its way when the row with the focus goes.
 * - open: The title of a column cannot be aligned.
 * - open: A scrolled window that cannot scroll upwards and downwards keeps the wheel.
 * - open: A text view that measures its lines while it is drawn moves the scrollbar beside it after
 *   that has its place, and GTK warns.
 * - open: A popover for a place beyond the screen gets a negative size.
 *
 * later: mended in GTK's sources of today, the version was not looked up. open: no version is known
 * that does it. What stands for something that a later version has, and is no repair, says so where
 * it is: file-choice.c (GtkFileDialog), figure-spot.c (accessibles that are no widgets),
 * search-page.c (disposing of templates), table-view.c (gtk_column_view_row_set_accessible_label).
 */
#pragma once

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Call before the first widget is made, after GTK is initialised. Installs names, Tab in lists,
 * and the focus of popovers for every widget of the program. */
void seam_gtk_repairs_install (void);

/* Aligns the title of a number column to the right. Call after all columns have been added. */
void seam_gtk_align_title (GtkColumnView *view, int column);
/* Call before the rows of a list are removed: TRUE if the focus was in one, and has left it. */
gboolean seam_gtk_leave_list (GtkWidget *list);
/* Lets the page have the wheel over a scrolled window that is as high as its content. */
void seam_gtk_pass_wheel_on (GtkScrolledWindow *window);
/* A scrollbar beside a scrolled window whose own are switched off (policy external). It follows
 * one of the window's adjustments a moment later, and is hidden while there is nothing to scroll.
 * */
GtkWidget *seam_gtk_late_scrollbar_new (GtkOrientation orientation, GtkAdjustment *of);
/* Whether a popover of this widget can point to `place`, in the widget's coordinates. */
gboolean seam_gtk_is_in_window (GtkWidget *widget, const GdkRectangle *place);

G_END_DECLS
