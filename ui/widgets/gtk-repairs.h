/* SPDX-License-Identifier: MIT
 *
 * Faults and gaps of GTK 4.8, the oldest version that Seamscope supports, with a repair for each.
 * When the minimum version in ui/meson.build rises to the version in front of a line, its repair
 * can go.
 *
 * - 4.10: A widget without a name is called by its class: images, empty labels, scrollbars.
 * - 4.12: The text in a widget is not its name: cells and titles of a table, children of a flow
 *   box; and the items of a list (gtk_list_item_set_accessible_label).
 * - 4.12: A button with a mnemonic is called “_Run Run”: the name of its label is added to its own
 *   text instead of replacing it.
 * - 4.12: Tab goes through every row of a list or a table (gtk_column_view_set_tab_behavior).
 * - 4.12: A page does not scroll to a widget without the focus (gtk_viewport_scroll_to).
 * - 4.18: The same in a list box (gtk_list_box_set_tab_behavior).
 * - later: The button in a drop-down, which has the focus, does not have the drop-down's name.
 * - open: The list in a drop-down or a column view, a menu, and the search and the pages of a
 *   shortcuts window have no name.
 * - open: The focus stays in a popover that has closed until the next frame.
 * - open: A list loses the keyboard position when the row with the focus is removed.
 * - open: The title of a column cannot be aligned.
 * - open: A scrolled window that cannot scroll vertically takes the wheel from the page around it.
 * - open: A text view that measures its lines while it is drawn moves the scrollbar beside it after
 *   the scrollbar has got its place, and GTK warns.
 * - open: A vertical box that a stack asks how wide it must be for its height tries widths, with
 *   some contents without an end.
 * - open: A popover for a place beyond the screen gets a negative size.
 *
 * later: fixed in GTK's current sources, in an unknown version. open: no version with a fix is
 * known. Code that replaces a function of a later version, and is no repair, says so at its place:
 * file-choice.c (GtkFileDialog), figure-spot.c (accessibles that are no widgets), template.h
 * (disposing of templates), table-view.c (gtk_column_view_row_set_accessible_label).
 */
#pragma once

#include <gtk/gtk.h>

/* Call before the first widget is made, after GTK is initialised. Installs names, Tab in lists,
 * the focus of popovers and the width of boxes for every widget of the program. */
void seam_gtk_repairs_install (void);

/* Return and space in a title sort by its column; arrows walk along the titles. GTK 4.8 sorts by
 * clicks alone. Call after all columns have been added. */
void seam_gtk_sort_by_keys (GtkColumnView *view);

/* Aligns the title of a number column to the right. Call after all columns have been added. */
void seam_gtk_align_title (GtkColumnView *view, int column);
/* Call before the rows of a list are removed: TRUE if the focus was in one, and has left it. */
gboolean seam_gtk_leave_list (GtkWidget *list);
/* Scrolls the page around a widget: it comes to the top (0), the middle (0.5) or the end (1). */
void seam_gtk_scroll_to (GtkWidget *widget, double place);
/* Makes the window as high as its content, but at most `most_height` (0: without a limit). Without
 * a limit it scrolls sideways only, and passes the wheel on to the page around it. */
void seam_gtk_scroll_across (GtkScrolledWindow *window, int most_height);
/* A scrollbar beside a scrolled window whose own scrollbars are switched off (policy external). It
 * follows one of the window's adjustments a moment later, and is hidden if nothing can scroll. */
GtkWidget *seam_gtk_late_scrollbar_new (GtkOrientation orientation, GtkAdjustment *of);
/* Whether a popover of this widget can point to `place`, in the widget's coordinates. */
gboolean seam_gtk_is_in_window (GtkWidget *widget, const GdkRectangle *place);
