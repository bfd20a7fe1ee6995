/* SPDX-License-Identifier: MIT
 *
 * Moving about in an output: see difference-navigator.h.
 */
#include "ui/difference/difference-navigator.h"

#include "ui/class/class.h"
#include "ui/state/watch.h"

struct _SeamDifferenceNavigator {
  GObject parent_instance;

  SeamDifferenceSubject *subject;
  SeamDifferenceSource *source;  /* belongs to the subject */
  gint64 sample, channel, depth; /* the plane of the slice */
  SeamDifferenceWindow window;
  SeamDifferencePlace place;
  char *refusal; /* NULL: the last request was granted */
};

G_DEFINE_FINAL_TYPE (SeamDifferenceNavigator, seam_difference_navigator, G_TYPE_OBJECT)

enum { PROP_SAMPLE = 1, PROP_CHANNEL, PROP_DEPTH };

static const SeamDifferenceShape *
get_shape (SeamDifferenceNavigator *self)
{
  return seam_difference_subject_get_shape (self->subject);
}

static gboolean
has_planes (SeamDifferenceNavigator *self)
{
  return seam_difference_shape_has_planes (get_shape (self));
}

static gboolean
has_result (SeamDifferenceNavigator *self)
{
  return seam_difference_subject_get_problem (self->subject) != NULL;
}

static const SeamDifference *
get_difference (SeamDifferenceNavigator *self)
{
  return seam_difference_source_get_difference (self->source);
}

static const SeamSlice *
get_slice (SeamDifferenceNavigator *self)
{
  return seam_difference_source_get_slice (self->source);
}

static gboolean
can_ask (SeamDifferenceNavigator *self)
{
  return seam_difference_source_can_ask (self->source);
}

/* -- The plane and the window ------------------------------------------------------------------ */

static void
set_plane (SeamDifferenceNavigator *self, gint64 sample, gint64 channel, gint64 depth)
{
  const SeamDifferenceShape *shape = get_shape (self);

  sample = CLAMP (sample, 0, MAX (shape->rows - 1, 0));
  channel = CLAMP (channel, 0, MAX (shape->columns - 1, 0));
  depth = CLAMP (depth, 0, MAX (shape->depth - 1, 0));
  if (sample == self->sample && channel == self->channel && depth == self->depth)
    return;
  self->sample = sample;
  self->channel = channel;
  self->depth = depth;
  seam_watch_notify (self, "sample channel depth");
}

/* Goes to the only plane that is available. */
static void
set_plane_of (SeamDifferenceNavigator *self, const SeamSlice *slice)
{
  if (has_planes (self))
    set_plane (self, slice->sample, slice->channel,
               seam_difference_shape_get_depth (get_shape (self), slice));
}

/* Asks for the planes of all depths that are shown at once. The reference of sampled slices would
 * be computed for each of them. */
static void
request_planes (SeamDifferenceNavigator *self)
{
  const SeamDifferenceShape *shape = get_shape (self);
  const SeamDifference *difference = get_difference (self);
  gint64 first = self->depth / SEAM_DEPTH_PLANES * SEAM_DEPTH_PLANES;
  SeamSlice wanted = { .sample = self->sample,
                       .channel = self->channel,
                       .first_row = first * shape->area_rows,
                       .n_rows = MIN (SEAM_DEPTH_PLANES, shape->depth - first) * shape->area_rows,
                       .n_columns = shape->area_columns };

  if (shape->depth > 1 && difference != NULL && difference->n_slices == 0 && can_ask (self))
    seam_difference_source_want_planes (self->source, &wanted);
}

static void
request_slice (SeamDifferenceNavigator *self)
{
  const SeamSlice *slice = get_slice (self);
  SeamDifferenceWindow *window = &self->window;
  SeamSlice wanted = {
    .sample = has_planes (self) ? self->sample : 0,
    .channel = has_planes (self) ? self->channel : 0,
    .first_row = self->depth * get_shape (self)->area_rows + window->first_row,
    .first_column = window->first_column,
    .n_rows = window->n_rows,
    .n_columns = window->n_columns,
  };

  if (!has_result (self))
    return;
  if (slice == NULL || can_ask (self)) {
    /* Without room for elements on the screen, exports show what a session file would hold. */
    if (window->n_rows < 1 || window->n_columns < 1) {
      if (get_difference (self) == NULL || get_difference (self)->cells == NULL)
        return;
      seam_slice_choose_worst (seam_difference_subject_get_problem (self->subject),
                               get_difference (self), &wanted);
    }
    seam_difference_source_want_slice (self->source, &wanted);
    request_planes (self);
    return;
  }
  /* There is no other slice: stay at this one, whatever the room. */
  *window = (SeamDifferenceWindow){ seam_difference_shape_get_row (get_shape (self), slice),
                                    slice->first_column, slice->n_rows, slice->n_columns };
  set_plane_of (self, slice);
  seam_watch_notify (self, "window");
}

static void
centre_window (SeamDifferenceNavigator *self, gint64 row, gint64 column)
{
  SeamDifferenceWindow *window = &self->window;
  const SeamDifferenceShape *shape = get_shape (self);

  window->first_row =
      CLAMP (row - window->n_rows / 2, 0, MAX (shape->area_rows - window->n_rows, 0));
  window->first_column =
      CLAMP (column - window->n_columns / 2, 0, MAX (shape->area_columns - window->n_columns, 0));
  request_slice (self);
  seam_watch_notify (self, "window");
}

static gboolean
in_window (SeamDifferenceNavigator *self, gint64 row, gint64 column)
{
  const SeamDifferenceWindow *window = &self->window;

  return row >= window->first_row && row < window->first_row + window->n_rows
         && column >= window->first_column && column < window->first_column + window->n_columns;
}

void
seam_difference_navigator_resize_window (SeamDifferenceNavigator *self, gint64 n_rows,
                                         gint64 n_columns)
{
  SeamDifferenceWindow *window = &self->window;
  gint64 row = window->first_row + window->n_rows / 2,
         column = window->first_column + window->n_columns / 2;

  if (!has_result (self))
    return;
  if (self->place.row >= 0
      && (window->n_rows == 0 || in_window (self, self->place.row, self->place.column))) {
    row = self->place.row;
    column = self->place.column;
  }
  window->n_rows = n_rows;
  window->n_columns = n_columns;
  centre_window (self, row, column);
}

/* Records whether the last request was granted. If it was not, the refusal names the elements
 * that are available. */
static void
set_granted (SeamDifferenceNavigator *self, gboolean granted)
{
  const SeamSlice *slice = get_slice (self);
  g_autofree char *plane = NULL;
  gint64 first_row;

  if (granted && self->refusal == NULL)
    return;
  g_clear_pointer (&self->refusal, g_free);
  if (!granted) {
    const SeamDifferenceShape *shape = get_shape (self);
    SeamDifferenceElement first = { slice->sample, slice->channel,
                                    seam_difference_shape_get_depth (shape, slice), 0, 0 };
    g_autofree char *names = seam_difference_format_plane (
        &shape->spec, seam_difference_shape_get_index (shape, &first));
    first_row = seam_difference_shape_get_row (shape, slice);
    plane = has_planes (self) ? g_strdup_printf ("%s, ", names) : g_strdup ("");
    self->refusal = g_strdup_printf (
        "%s holds no single elements of that place. Shown is what it holds: %srows "
        "%" G_GINT64_FORMAT " to %" G_GINT64_FORMAT ", columns %" G_GINT64_FORMAT
        " to %" G_GINT64_FORMAT ".",
        seam_difference_subject_is_kept (self->subject) ? "The file" : "The worker", plane,
        first_row, first_row + slice->n_rows - 1, slice->first_column,
        slice->first_column + slice->n_columns - 1);
  }
  seam_watch_notify (self, "refusal");
}

/* Whether only one slice is available, and it is of another plane. */
static gboolean
lacks_plane (SeamDifferenceNavigator *self, gint64 sample, gint64 channel, gint64 depth)
{
  const SeamSlice *slice = get_slice (self);

  return !can_ask (self) && slice != NULL
         && !seam_difference_shape_is_of (get_shape (self), slice, sample, channel, depth);
}

/* Whether only one slice is available, and it lacks these rows and columns of a matrix. */
static gboolean
lacks_area (SeamDifferenceNavigator *self, const SeamDifferenceWindow *area)
{
  const SeamSlice *slice = get_slice (self);

  return !can_ask (self) && slice != NULL
         && (area->first_row >= slice->first_row + slice->n_rows
             || area->first_row + area->n_rows <= slice->first_row
             || area->first_column >= slice->first_column + slice->n_columns
             || area->first_column + area->n_columns <= slice->first_column);
}

/* -- The element ------------------------------------------------------------------------------- */

static void
set_place (SeamDifferenceNavigator *self, gint64 row, gint64 column, gboolean elsewhere)
{
  self->place = (SeamDifferencePlace){ row, column, elsewhere };
  seam_watch_notify (self, "place");
}

static void
set_pointer (SeamDifferenceNavigator *self, gint64 row, gint64 column)
{
  const SeamDifferenceWindow *window = &self->window;
  const SeamDifferenceShape *shape = get_shape (self);

  row = CLAMP (row, 0, shape->area_rows - 1);
  column = CLAMP (column, 0, shape->area_columns - 1);
  if (!in_window (self, row, column))
    centre_window (self, row, column);
  /* This window is the only one available. */
  if (window->n_rows > 0 && !in_window (self, row, column)) {
    row = CLAMP (row, window->first_row, window->first_row + window->n_rows - 1);
    column = CLAMP (column, window->first_column, window->first_column + window->n_columns - 1);
  }
  set_place (self, row, column, FALSE);
}

/* Whether no slice is available for an element. */
static gboolean
is_out_of_reach (SeamDifferenceNavigator *self, gint64 row, gint64 column)
{
  const SeamSlice *slice = get_slice (self);

  return !can_ask (self) && slice != NULL
         && (!in_window (self, row, column)
             || lacks_plane (self, self->sample, self->channel, self->depth));
}

void
seam_difference_navigator_go_to (SeamDifferenceNavigator *self,
                                 const SeamDifferenceElement *element)
{
  if (!has_result (self))
    return;
  set_granted (self, TRUE);
  if (has_planes (self))
    set_plane (self, element->sample, element->channel, element->depth);
  if (is_out_of_reach (self, element->row, element->column))
    return set_place (self, element->row, element->column, TRUE);
  centre_window (self, element->row, element->column);
  set_pointer (self, element->row, element->column);
}

/* -- Moving ------------------------------------------------------------------------------------ */

void
seam_difference_navigator_point_at (SeamDifferenceNavigator *self, gint64 row, gint64 column)
{
  const SeamSlice *slice = get_slice (self);

  if (!has_result (self))
    return;
  /* If only one slice is available, the last place may have been an element outside it. */
  if (slice != NULL && !can_ask (self))
    set_plane_of (self, slice);
  set_granted (self, TRUE);
  set_pointer (self, row, column);
}

void
seam_difference_navigator_move_pointer (SeamDifferenceNavigator *self, gint64 rows, gint64 columns)
{
  if (has_result (self))
    set_pointer (self, MAX (self->place.row, 0) + rows, MAX (self->place.column, 0) + columns);
}

static void
point_at_middle (SeamDifferenceNavigator *self)
{
  const SeamDifferenceWindow *window = &self->window;

  set_pointer (self, window->first_row + window->n_rows / 2,
               window->first_column + window->n_columns / 2);
}

void
seam_difference_navigator_show_cell (SeamDifferenceNavigator *self, gint64 cell_row,
                                     gint64 cell_column)
{
  const SeamDifference *difference = get_difference (self);
  gint64 row, column;

  if (difference == NULL || !has_result (self))
    return;
  row = cell_row * difference->spec.rows_per_cell;
  column = cell_column * difference->spec.columns_per_cell;
  if (has_planes (self)) {
    set_granted (self, !lacks_plane (self, row, column, self->depth));
    set_plane (self, row, column, self->depth);
    request_slice (self);
    seam_difference_navigator_move_pointer (self, 0, 0);
  } else {
    SeamDifferenceWindow cell = { row, column, difference->spec.rows_per_cell,
                                  difference->spec.columns_per_cell };
    set_granted (self, !lacks_area (self, &cell));
    centre_window (self, row + difference->spec.rows_per_cell / 2,
                   column + difference->spec.columns_per_cell / 2);
    point_at_middle (self);
  }
}

void
seam_difference_navigator_move_window (SeamDifferenceNavigator *self, gint64 rows, gint64 columns)
{
  const SeamDifferenceWindow *window = &self->window;

  if (!has_result (self))
    return;
  if (has_planes (self)) {
    set_granted (self,
                 !lacks_plane (self, self->sample + rows, self->channel + columns, self->depth));
    set_plane (self, self->sample + rows, self->channel + columns, self->depth);
    return request_slice (self);
  }
  set_granted (self, can_ask (self) || get_slice (self) == NULL);
  centre_window (self, window->first_row + window->n_rows / 2 + rows * window->n_rows / 2,
                 window->first_column + window->n_columns / 2 + columns * window->n_columns / 2);
  point_at_middle (self);
}

/* -- Following --------------------------------------------------------------------------------- */

static void
result_cb (SeamDifferenceNavigator *self)
{
  self->window = (SeamDifferenceWindow){ 0 };
  set_granted (self, TRUE);
  set_place (self, -1, -1, FALSE);
  if (has_result (self))
    set_plane (self, self->sample, self->channel, self->depth);
  /* All samples of one number each are shown at once. */
  if (has_result (self) && seam_difference_shape_is_dots (get_shape (self)))
    self->window = (SeamDifferenceWindow){ 0, 0, get_shape (self)->rows, 1 };
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  SeamDifferenceNavigator *self = SEAM_DIFFERENCE_NAVIGATOR (object);

  switch (id) {
  case PROP_SAMPLE:
    g_value_set_int64 (value, self->sample);
    break;
  case PROP_CHANNEL:
    g_value_set_int64 (value, self->channel);
    break;
  case PROP_DEPTH:
    g_value_set_int64 (value, self->depth);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
  }
}

static void
set_property (GObject *object, guint id, const GValue *value, GParamSpec *pspec)
{
  SeamDifferenceNavigator *self = SEAM_DIFFERENCE_NAVIGATOR (object);
  gint64 plane[] = { self->sample, self->channel, self->depth };

  switch (id) {
  case PROP_SAMPLE:
    plane[0] = g_value_get_int64 (value);
    break;
  case PROP_CHANNEL:
    plane[1] = g_value_get_int64 (value);
    break;
  case PROP_DEPTH:
    plane[2] = g_value_get_int64 (value);
    break;
  default:
    G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
    return;
  }
  /* A spin button sets a value again that it was given. */
  if (plane[0] == self->sample && plane[1] == self->channel && plane[2] == self->depth)
    return;
  set_granted (self, !lacks_plane (self, plane[0], plane[1], plane[2]));
  set_plane (self, plane[0], plane[1], plane[2]);
  request_slice (self);
}

static void
seam_difference_navigator_class_init (SeamDifferenceNavigatorClass *klass)
{
  GObjectClass *object_class = G_OBJECT_CLASS (klass);
  const GParamFlags flags = G_PARAM_READWRITE | G_PARAM_EXPLICIT_NOTIFY | G_PARAM_STATIC_STRINGS;
  static const char *const names[] = { NULL, "sample", "channel", "depth" };

  SEAM_OWNS (klass, SeamDifferenceNavigator, g_object_unref, source, subject);
  SEAM_OWNS (klass, SeamDifferenceNavigator, g_free, refusal);
  object_class->get_property = get_property;
  object_class->set_property = set_property;
  for (guint i = PROP_SAMPLE; i <= PROP_DEPTH; i++)
    g_object_class_install_property (
        object_class, i,
        g_param_spec_int64 (names[i], NULL, NULL, G_MININT64, G_MAXINT64, 0, flags));
  seam_watch_install (klass, "window place refusal");
}

static void
seam_difference_navigator_init (SeamDifferenceNavigator *self)
{
  self->place = (SeamDifferencePlace){ -1, -1, FALSE };
}

SeamDifferenceNavigator *
seam_difference_navigator_new (SeamDifferenceSubject *subject)
{
  SeamDifferenceNavigator *self = g_object_new (SEAM_TYPE_DIFFERENCE_NAVIGATOR, NULL);

  self->subject = g_object_ref (subject);
  self->source = g_object_ref (seam_difference_subject_get_source (subject));
  seam_watch_now (self, G_CALLBACK (result_cb), subject, "result");
  /* For new sides, or another worker, no slice has been requested yet. */
  seam_watch_now (self, G_CALLBACK (request_slice), self->source, "client slice");
  seam_watch (self, G_CALLBACK (request_planes), self->source, "difference", NULL);
  return self;
}

SeamDifferenceSubject *
seam_difference_navigator_get_subject (SeamDifferenceNavigator *self)
{
  return self->subject;
}

gint64
seam_difference_navigator_get_sample (SeamDifferenceNavigator *self)
{
  return self->sample;
}

gint64
seam_difference_navigator_get_channel (SeamDifferenceNavigator *self)
{
  return self->channel;
}

gint64
seam_difference_navigator_get_depth (SeamDifferenceNavigator *self)
{
  return self->depth;
}

const SeamDifferenceWindow *
seam_difference_navigator_get_window (SeamDifferenceNavigator *self)
{
  return &self->window;
}

const SeamDifferencePlace *
seam_difference_navigator_get_place (SeamDifferenceNavigator *self)
{
  return &self->place;
}

const char *
seam_difference_navigator_get_refusal (SeamDifferenceNavigator *self)
{
  return self->refusal;
}
