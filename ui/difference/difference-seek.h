/* SPDX-License-Identifier: MIT
 *
 * Looking for the worst: the cells of an overview from the worst down, and the element that makes
 * one cell as bad as it is, which the worker's outputs tell, rectangle by rectangle.
 */
#pragma once

#include "ui/difference/difference-subject.h"

G_BEGIN_DECLS

/* Numbers of the cells that differ, worst first, non-finite ones before all, at most `max` of them;
 * newly allocated. NULL where there are none. */
guint32 *seam_difference_rank_cells (const SeamDifference *difference, guint max, guint *n_cells);

/* Looks for the worst element of a cell. The difference must be there, and a worker. */
void seam_difference_seek_async (SeamDifferenceSubject *subject, gint64 cell_row,
                                 gint64 cell_column, GCancellable *cancellable,
                                 GAsyncReadyCallback callback, gpointer data);
/* The worst so far when the search was cut short. FALSE with an error: no element could be looked
 * at. */
gboolean seam_difference_seek_finish (SeamDifferenceSubject *subject, GAsyncResult *answer,
                                      SeamDifferenceElement *element, GError **error);

G_END_DECLS
