/* SPDX-License-Identifier: MIT
 *
 * Moving about on the difference page: the slice's window, the pointer, the search for the next
 * worst element, and the pointer and keys that do it.
 */
#include "ui/difference/difference-private.h"

#include <math.h>

/* Largest rectangle that the worker answers. */
#define MAX_REQUEST 1024
/* Rectangles looked through for the worst element of one cell before the best so far is shown. */
#define MAX_SEEK 64

/* -- The window of the slice and the pointer --------------------------------------------------- */

static void
set_plane (SeamDifferencePage *self, gint64 sample, gint64 channel)
{
  self->sample = CLAMP (sample, 0, self->rows - 1);
  self->channel = CLAMP (channel, 0, self->columns - 1);
  self->filling = TRUE;
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->sample_spin), (double)self->sample);
  gtk_spin_button_set_value (GTK_SPIN_BUTTON (self->channel_spin), (double)self->channel);
  self->filling = FALSE;
}

void
seam_difference_page_request_slice (SeamDifferencePage *self)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  SeamSlice wanted = {
    .sample = seam_difference_page_is_plane (self) ? self->sample : 0,
    .channel = seam_difference_page_is_plane (self) ? self->channel : 0,
    .first_row = self->first_row,
    .first_column = self->first_column,
    .n_rows = self->n_rows,
    .n_columns = self->n_columns,
  };

  if (self->problem == NULL || self->n_rows < 1 || self->n_columns < 1)
    return;
  if (slice != NULL && !seam_difference_source_can_ask (self->source)) {
    /* No other slice can be had: stay at this one. */
    self->first_row = slice->first_row;
    self->first_column = slice->first_column;
    self->n_rows = slice->n_rows;
    self->n_columns = slice->n_columns;
    if (seam_difference_page_is_plane (self))
      set_plane (self, slice->sample, slice->channel);
    return;
  }
  seam_difference_source_want_slice (self->source, &wanted);
  seam_figure_view_invalidate (self->overview);
}

static void
centre_window (SeamDifferencePage *self, gint64 row, gint64 column)
{
  gint64 rows, columns;

  seam_difference_page_get_area (self, &rows, &columns);
  self->first_row = CLAMP (row - self->n_rows / 2, 0, MAX (rows - self->n_rows, 0));
  self->first_column = CLAMP (column - self->n_columns / 2, 0, MAX (columns - self->n_columns, 0));
  seam_difference_page_request_slice (self);
}

static gboolean
in_window (SeamDifferencePage *self, gint64 row, gint64 column)
{
  return row >= self->first_row && row < self->first_row + self->n_rows
         && column >= self->first_column && column < self->first_column + self->n_columns;
}

static void
set_pointer (SeamDifferencePage *self, gint64 row, gint64 column)
{
  gint64 rows, columns;
  SeamHit hit = { .kind = SEAM_HIT_CELL };

  seam_difference_page_get_area (self, &rows, &columns);
  self->row = hit.row = CLAMP (row, 0, rows - 1);
  self->column = hit.column = CLAMP (column, 0, columns - 1);
  if (!in_window (self, self->row, self->column))
    centre_window (self, self->row, self->column);
  if (self->n_rows > 0 && !in_window (self, self->row, self->column)) {
    self->row = hit.row = CLAMP (row, self->first_row, self->first_row + self->n_rows - 1);
    self->column = hit.column =
        CLAMP (column, self->first_column, self->first_column + self->n_columns - 1);
  }
  seam_figure_view_set_focused (self->slice, &hit);
  seam_difference_page_update_readout (self);
}

int
seam_difference_page_find_pointed (SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  gint64 index = self->row * self->columns + self->column;

  if (difference == NULL || self->problem == NULL || self->row < 0)
    return -1;
  if (seam_difference_page_is_plane (self))
    index = (self->sample * self->columns + self->channel) * self->plane
            + self->row * self->problem->dims.q + self->column;
  for (int i = 0; i < difference->n_worst; i++)
    if (difference->worst[i].index == index)
      return i;
  return -1;
}

/* An element of which no slice can be had: it is pointed at in words alone. */
static gboolean
is_out_of_reach (SeamDifferencePage *self, gint64 row, gint64 column)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);

  return !seam_difference_source_can_ask (self->source) && slice != NULL
         && (!in_window (self, row, column)
             || (seam_difference_page_is_plane (self)
                 && (slice->sample != self->sample || slice->channel != self->channel)));
}

void
seam_difference_page_go_to_index (SeamDifferencePage *self, gint64 index)
{
  gint64 row, column;

  if (seam_difference_page_is_plane (self)) {
    gint64 in_plane = index % self->plane, q = self->problem->dims.q;
    set_plane (self, index / self->plane / self->columns, index / self->plane % self->columns);
    row = in_plane / q;
    column = in_plane % q;
  } else {
    row = index / self->columns;
    column = index % self->columns;
  }
  if (is_out_of_reach (self, row, column)) {
    self->row = row;
    self->column = column;
    seam_figure_view_set_focused (self->slice, NULL);
    return seam_difference_page_update_readout (self);
  }
  centre_window (self, row, column);
  set_pointer (self, row, column);
}

void
seam_difference_page_resize_window (SeamDifferencePage *self, gint64 n_rows, gint64 n_columns)
{
  gint64 row = self->first_row + self->n_rows / 2,
         column = self->first_column + self->n_columns / 2;

  /* What is pointed at stays in sight. */
  if (self->row >= 0 && (self->n_rows == 0 || in_window (self, self->row, self->column))) {
    row = self->row;
    column = self->column;
  }
  self->n_rows = n_rows;
  self->n_columns = n_columns;
  centre_window (self, row, column);
}

/* -- The next worst cell ----------------------------------------------------------------------- */

/* Asks for the next rectangle of the cell; FALSE when it has been looked through. */
static gboolean
seek_step (SeamDifferencePage *self)
{
  Seek *seek = &self->seek;
  SeamSlice wanted = { .sample = seek->sample,
                       .channel = seek->channel,
                       .first_row = seek->row,
                       .first_column = seek->column };

  if (seek->n_steps++ >= MAX_SEEK || seek->sample >= seek->end_sample)
    return FALSE;
  wanted.n_rows = MIN (MAX_REQUEST, seek->end_row - seek->row);
  wanted.n_columns = MIN (MAX_REQUEST, seek->end_column - seek->column);
  /* Where the step after this one begins. */
  seek->column += wanted.n_columns;
  if (seek->column >= seek->end_column) {
    seek->column = seek->first_column;
    seek->row += wanted.n_rows;
  }
  if (seek->row >= seek->end_row) {
    seek->row = seek->first_row;
    seek->channel++;
  }
  if (seek->channel >= seek->end_channel) {
    seek->channel = seek->first_channel;
    seek->sample++;
  }
  seam_difference_source_want_slice (self->source, &wanted);
  return TRUE;
}

static void
seek_start (SeamDifferencePage *self, gint64 cell_row, gint64 cell_column)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  const SeamDifferenceSpec *spec = &difference->spec;
  gint64 row = cell_row * spec->rows_per_cell, column = cell_column * spec->columns_per_cell;
  gint64 end_row = MIN (row + spec->rows_per_cell, self->rows);
  gint64 end_column = MIN (column + spec->columns_per_cell, self->columns);

  self->seek =
      (Seek){ .active = TRUE,
              .target = difference->cells[cell_row * difference->n_cell_columns + cell_column],
              .best = -1 };
  if (seam_difference_page_is_plane (self)) {
    self->seek.sample = row;
    self->seek.end_sample = end_row;
    self->seek.channel = self->seek.first_channel = column;
    self->seek.end_channel = end_column;
    self->seek.end_row = self->problem->dims.p;
    self->seek.end_column = self->problem->dims.q;
  } else {
    self->seek.end_sample = self->seek.end_channel = 1;
    self->seek.row = self->seek.first_row = row;
    self->seek.end_row = end_row;
    self->seek.column = self->seek.first_column = column;
    self->seek.end_column = end_column;
  }
  self->seek.active = seek_step (self);
}

/* Looks through a rectangle that arrived while seeking. */
void
seam_difference_page_seek_look (SeamDifferencePage *self)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  Seek *seek = &self->seek;

  if (slice != NULL)
    for (gint64 i = 0; i < slice->n_rows * slice->n_columns; i++) {
      double difference = fabs ((double)slice->a[i] - (double)slice->b[i]);
      /* Not a number is worse than any, except where both sides have the same infinity. */
      if (!isfinite (difference))
        difference = slice->a[i] == slice->b[i] ? 0 : HUGE_VAL;
      if (difference > seek->best) {
        seek->best = difference;
        seek->best_sample = slice->sample;
        seek->best_channel = slice->channel;
        seek->best_row = slice->first_row + i / slice->n_columns;
        seek->best_column = slice->first_column + i % slice->n_columns;
      }
    }
  /* Float cells hold the difference rounded once more. */
  if (slice != NULL && !(seek->best >= seek->target * (1 - 1e-6)) && seek_step (self))
    return;
  seek->active = FALSE;
  if (seek->best < 0)
    return seam_difference_page_request_slice (self);
  if (seam_difference_page_is_plane (self))
    set_plane (self, seek->best_sample, seek->best_channel);
  centre_window (self, seek->best_row, seek->best_column);
  set_pointer (self, seek->best_row, seek->best_column);
}

static void
go_to_worst (SeamDifferencePage *self, int i)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);

  if (difference == NULL || self->seek.active || i < 0 || i >= difference->n_worst)
    return;
  self->worst = i;
  seam_difference_page_go_to_index (self, difference->worst[i].index);
}

/* The list of the worst elements, from its end to its start again. */
static void
go_to_next_worst (SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);

  if (difference != NULL && difference->n_worst > 0)
    go_to_worst (self, (self->worst + 1) % difference->n_worst);
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamDifferencePage *self)
{
  if (row == NULL || self->problem == NULL)
    return;
  /* It is selected already: the pointer only follows. */
  self->pointed = row->index;
  go_to_worst (self, self->pointed);
}

static void
go_to_next_cell (SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  gint64 row, column;

  if (difference == NULL || !seam_difference_source_can_ask (self->source) || self->seek.active)
    return;
  if (!seam_difference_source_get_worst_cell (self->source, self->rank, &row, &column)) {
    self->rank = 0;
    if (!seam_difference_source_get_worst_cell (self->source, 0, &row, &column))
      return;
  }
  if (self->rank++ == 0 && difference->worst_index >= 0)
    seam_difference_page_go_to_index (self, difference->worst_index);
  else
    seek_start (self, row, column);
}

/* -- Pointer and keys
 * ------------------------------------------------------------------------------------- */

static void
overview_dragged_cb (SeamFigureView *view, const SeamHit *hit, SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  gint64 row, column;

  if (difference == NULL || hit->kind != SEAM_HIT_CELL)
    return;
  row = hit->row * difference->spec.rows_per_cell;
  column = hit->column * difference->spec.columns_per_cell;
  if (seam_difference_page_is_plane (self)) {
    set_plane (self, row, column);
    seam_difference_page_request_slice (self);
    set_pointer (self, MAX (self->row, 0), MAX (self->column, 0));
  } else {
    centre_window (self, row + difference->spec.rows_per_cell / 2,
                   column + difference->spec.columns_per_cell / 2);
    set_pointer (self, self->first_row + self->n_rows / 2,
                 self->first_column + self->n_columns / 2);
  }
}

static void
slice_hovered_cb (SeamFigureView *view, const SeamHit *hit, SeamDifferencePage *self)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);

  if (hit == NULL || hit->kind != SEAM_HIT_CELL)
    return;
  /* The only slice there is: the pointer may have been at an element elsewhere. */
  if (slice != NULL && !seam_difference_source_can_ask (self->source)
      && seam_difference_page_is_plane (self))
    set_plane (self, slice->sample, slice->channel);
  set_pointer (self, hit->row, hit->column);
}

static gboolean
page_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
             SeamDifferencePage *self)
{
  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_b || key == GDK_KEY_B) {
    seam_difference_page_take_turns (self);
    return TRUE;
  }
  if (key == GDK_KEY_t || key == GDK_KEY_T) {
    seam_difference_page_toggle_tiles (self, (state & GDK_SHIFT_MASK) != 0);
    return TRUE;
  }
  if (key != GDK_KEY_w && key != GDK_KEY_W)
    return FALSE;
  if ((state & GDK_SHIFT_MASK) != 0)
    go_to_next_cell (self);
  else
    go_to_next_worst (self);
  return TRUE;
}

static gboolean
read_arrow (guint key, int *rows, int *columns)
{
  *rows = *columns = 0;
  switch (key) {
  case GDK_KEY_Left:
  case GDK_KEY_KP_Left:
    *columns = -1;
    return TRUE;
  case GDK_KEY_Right:
  case GDK_KEY_KP_Right:
    *columns = 1;
    return TRUE;
  case GDK_KEY_Up:
  case GDK_KEY_KP_Up:
    *rows = -1;
    return TRUE;
  case GDK_KEY_Down:
  case GDK_KEY_KP_Down:
    *rows = 1;
    return TRUE;
  default:
    return FALSE;
  }
}

static gboolean
slice_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
              SeamDifferencePage *self)
{
  int rows, columns, step = (state & GDK_SHIFT_MASK) != 0 ? 16 : 1;

  if (self->problem == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0
      || !read_arrow (key, &rows, &columns))
    return FALSE;
  set_pointer (self, MAX (self->row, 0) + rows * step, MAX (self->column, 0) + columns * step);
  return TRUE;
}

/* On the overview the arrows move the frame: by half a window, or to the next plane. */
static gboolean
overview_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
                 SeamDifferencePage *self)
{
  int rows, columns, step = (state & GDK_SHIFT_MASK) != 0 ? 16 : 1;

  if (self->problem == NULL || (state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0
      || !read_arrow (key, &rows, &columns))
    return FALSE;
  if (seam_difference_page_is_plane (self)) {
    set_plane (self, self->sample + rows * step, self->channel + columns * step);
    seam_difference_page_request_slice (self);
    seam_difference_page_update_readout (self);
  } else {
    centre_window (self, self->first_row + self->n_rows / 2 + rows * step * self->n_rows / 2,
                   self->first_column + self->n_columns / 2 + columns * step * self->n_columns / 2);
    set_pointer (self, self->first_row + self->n_rows / 2,
                 self->first_column + self->n_columns / 2);
  }
  return TRUE;
}

static void
spin_changed_cb (GtkSpinButton *spin, SeamDifferencePage *self)
{
  if (self->filling || self->problem == NULL)
    return;
  self->sample = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->sample_spin));
  self->channel = gtk_spin_button_get_value_as_int (GTK_SPIN_BUTTON (self->channel_spin));
  seam_difference_page_request_slice (self);
  seam_difference_page_update_readout (self);
}

static void
add_keys (gpointer widget, GCallback callback, SeamDifferencePage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  g_signal_connect (keys, "key-pressed", callback, self);
  gtk_widget_add_controller (widget, keys);
}

void
seam_difference_page_connect_input (SeamDifferencePage *self)
{
  seam_figure_view_set_focus_kinds (self->overview, SEAM_HIT_CELL);
  seam_figure_view_set_focus_kinds (self->slice, SEAM_HIT_CELL);
  g_signal_connect (self->overview, "hit-dragged", G_CALLBACK (overview_dragged_cb), self);
  g_signal_connect (self->slice, "hit-hovered", G_CALLBACK (slice_hovered_cb), self);
  g_signal_connect (self->worst_table, "row-selected", G_CALLBACK (row_selected_cb), self);
  g_signal_connect (self->sample_spin, "value-changed", G_CALLBACK (spin_changed_cb), self);
  g_signal_connect (self->channel_spin, "value-changed", G_CALLBACK (spin_changed_cb), self);
  add_keys (self->overview, G_CALLBACK (overview_key_cb), self);
  add_keys (self->slice, G_CALLBACK (slice_key_cb), self);
  add_keys (self, G_CALLBACK (page_key_cb), self);
}
