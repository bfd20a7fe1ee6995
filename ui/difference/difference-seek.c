/* SPDX-License-Identifier: MIT
 *
 * The search for the worst element of a cell: see difference-seek.h. The rectangles that it reads
 * are not shown anywhere.
 */
#include "ui/difference/difference-seek.h"

#include "app/base/error.h"

#include <math.h>

/* Side of the largest rectangle that the worker answers. */
#define MAX_REQUEST 1024
/* Rectangles that are read for the worst element of one cell before the best so far is shown. */
#define MAX_STEPS 64

/* -- Cells ------------------------------------------------------------------------------------- */

static int
compare_cells_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const float *cells = data;
  guint32 one = *(const guint32 *)a, two = *(const guint32 *)b;
  /* A cell with a NaN or an infinity ranks above every number. */
  double x = isfinite (cells[one]) ? cells[one] : HUGE_VAL;
  double y = isfinite (cells[two]) ? cells[two] : HUGE_VAL;

  if (x != y)
    return x > y ? -1 : 1;
  return one < two ? -1 : one > two;
}

guint32 *
seam_difference_rank_cells (const SeamDifference *difference, guint max, guint *n_cells)
{
  gint64 n = difference->n_cell_rows * difference->n_cell_columns, n_differing = 0;
  const float *ranks = seam_difference_get_ranks (difference);
  g_autofree guint32 *cells = NULL;

  *n_cells = 0;
  if (ranks == NULL)
    return NULL;
  cells = g_new (guint32, n);
  for (gint64 i = 0; i < n; i++)
    if (!(ranks[i] == 0))
      cells[n_differing++] = (guint32)i;
  if (n_differing == 0)
    return NULL;
  g_qsort_with_data (cells, (int)n_differing, sizeof *cells, compare_cells_cb, (gpointer)ranks);
  *n_cells = (guint)MIN (n_differing, max);
  return g_renew (guint32, g_steal_pointer (&cells), *n_cells);
}

/* -- The element ------------------------------------------------------------------------------- */

typedef struct {
  SeamWorkerClient *client;
  SeamDifferencePair sides;
  int n_steps;
  gboolean by_bound;
  gint64 plane_rows; /* of each depth */
  double target;     /* the cell's value; NaN: a non-finite element */
  SeamSlice next;    /* where the next rectangle begins */
  gint64 end_sample, first_channel, end_channel, first_row, end_row, first_column, end_column;
  double best;
  SeamDifferenceElement found;
} Seek;

static void
seek_free (Seek *seek)
{
  g_object_unref (seek->client);
  g_free (seek);
}

static Seek *
seek_new (SeamDifferenceSubject *subject, gint64 cell_row, gint64 cell_column)
{
  SeamDifferenceSource *source = seam_difference_subject_get_source (subject);
  const SeamDifference *difference = seam_difference_source_get_difference (source);
  const SeamDifferenceSpec *spec = &difference->spec;
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (subject);
  gint64 row = cell_row * spec->rows_per_cell, column = cell_column * spec->columns_per_cell;
  gint64 end_row = MIN (row + spec->rows_per_cell, spec->rows);
  gint64 end_column = MIN (column + spec->columns_per_cell, spec->columns);
  Seek *seek = g_new0 (Seek, 1);

  seek->client = g_object_ref (seam_difference_source_get_client (source));
  seek->sides = seam_difference_subject_get_sides (subject);
  seek->by_bound = seam_difference_get_ranks (difference) != difference->cells;
  seek->target =
      seam_difference_get_ranks (difference)[cell_row * difference->n_cell_columns + cell_column];
  seek->best = -1;
  seek->plane_rows = shape->area_rows;
  if (seam_difference_shape_has_planes (shape)) {
    seek->next.sample = row;
    seek->end_sample = end_row;
    seek->next.channel = seek->first_channel = column;
    seek->end_channel = end_column;
    seek->end_row = shape->depth * shape->area_rows;
    seek->end_column = shape->area_columns;
  } else {
    seek->end_sample = seek->end_channel = 1;
    seek->next.first_row = seek->first_row = row;
    seek->end_row = end_row;
    seek->next.first_column = seek->first_column = column;
    seek->end_column = end_column;
  }
  return seek;
}

/* Moves to the next rectangle of the cell; FALSE after the last one. */
static gboolean
seek_advance (Seek *seek, SeamSlice *wanted)
{
  SeamSlice *next = &seek->next;

  if (seek->n_steps++ >= MAX_STEPS || next->sample >= seek->end_sample)
    return FALSE;
  *wanted = *next;
  wanted->n_rows = MIN (MAX_REQUEST, seek->end_row - next->first_row);
  wanted->n_columns = MIN (MAX_REQUEST, seek->end_column - next->first_column);
  /* The next step begins here. */
  next->first_column += wanted->n_columns;
  if (next->first_column >= seek->end_column) {
    next->first_column = seek->first_column;
    next->first_row += wanted->n_rows;
  }
  if (next->first_row >= seek->end_row) {
    next->first_row = seek->first_row;
    next->channel++;
  }
  if (next->channel >= seek->end_channel) {
    next->channel = seek->first_channel;
    next->sample++;
  }
  return TRUE;
}

static void
seek_look (Seek *seek, const SeamSlice *slice)
{
  for (gint64 i = 0; i < slice->n_rows * slice->n_columns; i++) {
    double difference = fabs ((double)slice->a[i] - seam_slice_get_b (slice, i));
    /* A non-finite difference ranks above every number, unless both sides have the same
     * infinity. */
    if (!isfinite (difference))
      difference = slice->a[i] == slice->b[i] ? 0 : HUGE_VAL;
    else if (seek->by_bound && difference > 0)
      difference = fmin (difference / seam_slice_get_bound (slice, i), G_MAXFLOAT);
    if (difference > seek->best) {
      seek->best = difference;
      const gint64 row = slice->first_row + i / slice->n_columns;
      seek->found = (SeamDifferenceElement){ .sample = slice->sample,
                                             .channel = slice->channel,
                                             .depth = row / seek->plane_rows,
                                             .row = row % seek->plane_rows,
                                             .column = slice->first_column + i % slice->n_columns };
    }
  }
}

static void step (GTask *task);

static void
slice_cb (GObject *object, GAsyncResult *answer, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSlice) slice = seam_worker_client_finish (answer, &error);
  Seek *seek = g_task_get_task_data (task);

  if (g_task_return_error_if_cancelled (task))
    return;
  if (slice == NULL && seek->best < 0)
    return g_task_return_error (task, g_steal_pointer (&error));
  if (slice != NULL)
    seek_look (seek, slice);
  /* Cells are floats: they hold the difference rounded once more. */
  if (slice != NULL && !(seek->best >= seek->target * (1 - 1e-6)))
    step (g_steal_pointer (&task));
  else
    g_task_return_boolean (task, TRUE);
}

/* Takes `task`. */
static void
step (GTask *task)
{
  Seek *seek = g_task_get_task_data (task);
  SeamSlice wanted;

  if (seek_advance (seek, &wanted)) {
    seam_worker_client_call (
        seek->client, SEAM_METHOD_SLICE,
        seam_worker_params_slice (seek->sides.tested, seek->sides.against, &wanted),
        g_task_get_cancellable (task), slice_cb, task);
    return;
  }
  if (seek->best < 0)
    g_task_return_new_error (task, SEAM_ERROR, SEAM_ERROR_INPUT, "The cell has no elements.");
  else
    g_task_return_boolean (task, TRUE);
  g_object_unref (task);
}

void
seam_difference_seek_async (SeamDifferenceSubject *subject, gint64 cell_row, gint64 cell_column,
                            GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  GTask *task = g_task_new (subject, cancellable, callback, data);

  g_task_set_source_tag (task, seam_difference_seek_async);
  g_task_set_task_data (task, seek_new (subject, cell_row, cell_column), (GDestroyNotify)seek_free);
  step (task);
}

gboolean
seam_difference_seek_finish (SeamDifferenceSubject *subject, GAsyncResult *answer,
                             SeamDifferenceElement *element, GError **error)
{
  g_return_val_if_fail (g_task_is_valid (answer, subject), FALSE);
  if (!g_task_propagate_boolean (G_TASK (answer), error))
    return FALSE;
  *element = ((const Seek *)g_task_get_task_data (G_TASK (answer)))->found;
  return TRUE;
}
