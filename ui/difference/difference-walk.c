/* SPDX-License-Identifier: MIT
 *
 * The walk from one worst place to the next: see difference-walk.h. The list of the worst elements
 * came with the difference; the worst element of a cell is searched for in the outputs
 * (difference-seek.h).
 */
#include "ui/difference/difference-walk.h"

#include "ui/class/class.h"
#include "ui/difference/difference-seek.h"
#include "ui/state/watch.h"

/* Ranked cells; nobody asks for the next one more often. */
#define MAX_RANKED 4096

struct _SeamDifferenceWalk {
  GObject parent_instance;

  SeamDifferenceNavigator *navigator;
  SeamDifferenceSubject *subject; /* belongs to the navigator */
  SeamDifferenceSource *source;   /* belongs to the subject */

  gboolean is_fresh; /* the first difference of these sides moves the pointer to the worst */
  int listed;        /* index in the list of worst elements of the last visited one */
  guint rank;        /* rank of the next cell */
  guint32 *ranked;   /* cell numbers, worst first; NULL: not ranked yet */
  guint n_ranked;
  GCancellable *search; /* cancels the search for the worst element of a cell; NULL: none is
                         * running */
};

G_DEFINE_FINAL_TYPE (SeamDifferenceWalk, seam_difference_walk, G_TYPE_OBJECT)

static const SeamDifference *
get_difference (SeamDifferenceWalk *self)
{
  return seam_difference_source_get_difference (self->source);
}

static void
go_to_index (SeamDifferenceWalk *self, gint64 index)
{
  SeamDifferenceElement element =
      seam_difference_shape_find (seam_difference_subject_get_shape (self->subject), index);

  seam_difference_navigator_go_to (self->navigator, &element);
}

/* -- The list ---------------------------------------------------------------------------------- */

void
seam_difference_walk_go_to (SeamDifferenceWalk *self, int i)
{
  const SeamDifference *difference = get_difference (self);

  if (difference == NULL || self->search != NULL || i < 0 || i >= difference->n_worst)
    return;
  self->listed = i;
  go_to_index (self, difference->worst[i].index);
}

void
seam_difference_walk_go_to_next (SeamDifferenceWalk *self)
{
  const SeamDifference *difference = get_difference (self);

  if (difference != NULL && difference->n_worst > 0)
    seam_difference_walk_go_to (self, (self->listed + 1) % difference->n_worst);
}

void
seam_difference_walk_go_to_depth (SeamDifferenceWalk *self, int step)
{
  const SeamDifference *difference = get_difference (self);
  gint64 depth = seam_difference_navigator_get_depth (self->navigator);

  if (difference == NULL || difference->depth_shares == NULL)
    return;
  for (gint64 i = 0, n = difference->spec.depth; i < n; i++) {
    depth = (depth + step + n) % n;
    if (difference->depth_shares[depth] > 0) {
      g_object_set (self->navigator, "depth", depth, NULL);
      return;
    }
  }
}

/* -- The cells --------------------------------------------------------------------------------- */

static void
stop_search (SeamDifferenceWalk *self)
{
  g_cancellable_cancel (self->search);
  g_clear_object (&self->search);
}

static void
found_cb (GObject *object, GAsyncResult *answer, gpointer data)
{
  g_autoptr (SeamDifferenceWalk) self = data;
  g_autoptr (GError) error = NULL;
  SeamDifferenceElement element;
  gboolean found =
      seam_difference_seek_finish (SEAM_DIFFERENCE_SUBJECT (object), answer, &element, &error);

  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return;
  g_clear_object (&self->search);
  if (found)
    seam_difference_navigator_go_to (self->navigator, &element);
}

void
seam_difference_walk_go_to_next_cell (SeamDifferenceWalk *self)
{
  const SeamDifference *difference = get_difference (self);
  guint32 cell;

  if (difference == NULL || !seam_difference_source_can_ask (self->source) || self->search != NULL)
    return;
  if (self->ranked == NULL)
    self->ranked = seam_difference_rank_cells (difference, MAX_RANKED, &self->n_ranked);
  if (self->ranked == NULL)
    return;
  if (self->rank >= self->n_ranked)
    self->rank = 0;
  cell = self->ranked[self->rank];
  /* The worst by its bound may lie in another cell than the largest difference. */
  if (self->rank++ == 0 && difference->worst_index >= 0
      && !seam_difference_is_by_bound (&difference->spec))
    return go_to_index (self, difference->worst_index);
  self->search = g_cancellable_new ();
  seam_difference_seek_async (self->subject, cell / difference->n_cell_columns,
                              cell % difference->n_cell_columns, self->search, found_cb,
                              g_object_ref (self));
}

/* -- Following --------------------------------------------------------------------------------- */

static void
choice_cb (SeamDifferenceWalk *self)
{
  stop_search (self);
  self->is_fresh = TRUE;
}

static void
difference_cb (SeamDifferenceWalk *self)
{
  const SeamDifference *difference = get_difference (self);

  g_clear_pointer (&self->ranked, g_free);
  if (difference == NULL || !self->is_fresh)
    return;
  self->is_fresh = FALSE;
  self->rank = !seam_difference_is_by_bound (&difference->spec);
  self->listed = 0;
  go_to_index (self, MAX (difference->worst_index, 0));
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_walk_class_init (SeamDifferenceWalkClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (stop_search));
  SEAM_OWNS (klass, SeamDifferenceWalk, g_object_unref, source, subject, navigator);
  SEAM_OWNS (klass, SeamDifferenceWalk, g_free, ranked);
}

static void
seam_difference_walk_init (SeamDifferenceWalk *self)
{
}

SeamDifferenceWalk *
seam_difference_walk_new (SeamDifferenceNavigator *navigator)
{
  SeamDifferenceWalk *self = g_object_new (SEAM_TYPE_DIFFERENCE_WALK, NULL);

  self->navigator = g_object_ref (navigator);
  self->subject = g_object_ref (seam_difference_navigator_get_subject (navigator));
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  seam_watch_now (self, G_CALLBACK (stop_search), self->subject, "result");
  seam_watch_now (self, G_CALLBACK (choice_cb), self->subject, "choice");
  seam_watch_now (self, G_CALLBACK (stop_search), self->source, "client");
  seam_watch_now (self, G_CALLBACK (difference_cb), self->source, "difference");
  return self;
}
