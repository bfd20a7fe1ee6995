/* SPDX-License-Identifier: MIT
 *
 * The search for the worst element: it ranks the cells of an overview, and finds the element that
 * decides a cell's value in the worker's outputs, rectangle by rectangle.
 */
#pragma once

#include "ui/difference/difference-subject.h"

/* Numbers of the cells that differ, worst first, non-finite ones before all others, at most
 * `max` of them; newly allocated. NULL if there are none. */
guint32 *seam_difference_rank_cells (const SeamDifference *difference, guint max, guint *n_cells);

/* Searches for the worst element of a cell. Needs the difference, and a worker. */
void seam_difference_seek_async (SeamDifferenceSubject *subject, gint64 cell_row,
                                 gint64 cell_column, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer data);
/* The worst element so far if the search was cut short. FALSE with an error: no element could be
 * read. */
gboolean seam_difference_seek_finish (SeamDifferenceSubject *subject, GAsyncResult *answer,
                                      SeamDifferenceElement *element, GError **error);
