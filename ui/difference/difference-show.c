/* SPDX-License-Identifier: MIT
 *
 * What the difference page shows of its state: figures, verdict, facts, pointer panel.
 */
#include "ui/difference/difference-private.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/figure/numbers.h"
#include "app/figure/strip.h"
#include "app/report/worst.h"

#include <math.h>
#include <string.h>

/* Elements a side of the slice: the pointer can still hit one of 2 pixels. */
#define MAX_MATRIX_SLICE 256
#define MAX_PLANE_SLICE  1024
/* A block of the one-line strips, px. */
#define CHAIN_WIDTH  26
#define CHAIN_HEIGHT 12
/* Smallest sizes, px: a map that is still readable in a window of 1024 x 700. */
#define OVERVIEW_MINIMUM_WIDTH  240
#define OVERVIEW_MINIMUM_HEIGHT 160
#define SLICE_MINIMUM           280
#define LEGEND_MINIMUM          176 /* what its figure needs, else its foot is cut off */
#define NUMBERS_MINIMUM         560
/* From this width, px, the plots of errors and the table of the worst elements stand abreast. */
#define WORST_WIDTH     780
#define NUMBERS_ABREAST (NUMBERS_MINIMUM + 20 + WORST_WIDTH)

/* -- Showing ----------------------------------------------------------------------------------- */

static SeamMapScale
get_scale (SeamDifferencePage *self)
{
  return seam_map_scale_for (seam_difference_source_get_difference (self->source), self->look.unit);
}

static gboolean
has_groups (SeamDifferencePage *self)
{
  return seam_pipeline_get_field (self->problem->pipeline, "groups") >= 0
         && self->problem->dims.groups > 1;
}

/* Both values where the pointer is: of the worst elements they are known without a slice, and to
 * the last digit of an FP64 truth. */
static gboolean
get_element (SeamDifferencePage *self, double *tested, double *trusted)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  int worst = seam_difference_page_find_pointed (self);
  gint64 row, column;

  if (worst >= 0) {
    *tested = difference->worst[worst].a;
    *trusted = difference->worst[worst].b;
    return TRUE;
  }
  if (slice == NULL || self->row < 0
      || (seam_difference_page_is_plane (self)
          && (slice->sample != self->sample || slice->channel != self->channel)))
    return FALSE;
  row = self->row - slice->first_row;
  column = self->column - slice->first_column;
  if (row < 0 || row >= slice->n_rows || column < 0 || column >= slice->n_columns)
    return FALSE;
  *tested = slice->a[row * slice->n_columns + column];
  *trusted = slice->b[row * slice->n_columns + column];
  return TRUE;
}

void
seam_difference_page_count_slice (SeamDifferencePage *self)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);

  self->n_slice = slice != NULL ? slice->n_rows * slice->n_columns : 0;
  self->n_slice_failing = 0;
  for (gint64 i = 0; i < self->n_slice; i++)
    self->n_slice_failing += seam_element_fails (slice->a[i], slice->b[i], self->atol, self->rtol);
}

void
seam_difference_page_update_readout (SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  int tested, trusted;
  gint64 channel = seam_difference_page_is_plane (self) ? self->channel : self->column;
  SeamReadout readout = { .has_plane = seam_difference_page_is_plane (self),
                          .sample = self->sample,
                          .channel = self->channel,
                          .row = self->row,
                          .column = self->column,
                          .group = -1,
                          .atol = self->atol,
                          .rtol = self->rtol,
                          .scale = 1,
                          .n_failing = self->n_slice_failing,
                          .n_elements = self->n_slice };
  g_autofree char *text = NULL;

  seam_difference_page_get_sides (self, &tested, &trusted);
  readout.tested_name = seam_side_get_name (tested);
  readout.trusted_name = seam_side_get_name (trusted);
  if (has_groups (self))
    readout.group = channel < 0 ? 0 : channel / (self->columns / self->problem->dims.groups);
  readout.unit = self->look.unit;
  if (readout.unit == SEAM_UNIT_RELATIVE && difference != NULL && difference->max_abs_b > 0)
    readout.scale = difference->max_abs_b;
  readout.has_values = get_element (self, &readout.tested, &readout.trusted);
  seam_difference_readout_set (self->readout, &readout);
  if (self->pointed != seam_difference_page_find_pointed (self)) {
    self->pointed = seam_difference_page_find_pointed (self);
    seam_table_view_select (self->worst_table, self->pointed < 0 ? -1 : 0, self->pointed);
  }
  text = seam_difference_readout_describe (&readout);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->slice), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  text, -1);
}

/* A count in units says so; the sentence beside it stays absolute. */
static char *
format_fact (double value, SeamMapUnit unit)
{
  g_autofree char *text = seam_map_format_value (value);

  return g_strconcat (text, unit == SEAM_UNIT_ULP && isfinite (value) ? " ULP" : "", NULL);
}

static void
update_facts (SeamDifferencePage *self, const SeamDifference *difference)
{
  g_autofree char *largest = NULL, *mean = NULL, *nan = NULL, *infinite = NULL, *both = NULL;
  double max_value, mean_value;

  if (difference == NULL) {
    for (int i = 0; i < N_FACTS; i++)
      gtk_label_set_text (GTK_LABEL (self->facts[i]), SEAM_DASH);
    return;
  }
  seam_map_get_extremes (difference, self->look.unit, &max_value, &mean_value);
  largest = format_fact (max_value, self->look.unit);
  mean = format_fact (mean_value, self->look.unit);
  nan = seam_text_count (difference->n_nan_a + difference->n_nan_b);
  infinite = seam_text_count (difference->n_infinite_a + difference->n_infinite_b);
  both = g_strdup_printf ("%s, %s", nan, infinite);
  gtk_label_set_text (GTK_LABEL (self->facts[FACT_LARGEST]), largest);
  gtk_label_set_text (GTK_LABEL (self->facts[FACT_MEAN]), mean);
  gtk_label_set_text (GTK_LABEL (self->facts[FACT_NAN]), both);
}

void
seam_difference_page_update_verdict (SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  const char *error = seam_difference_source_get_error (self->source);
  const char *icon = "content-loading-symbolic", *headline = "Comparing…";
  g_autofree char *detail = NULL;
  g_autoptr (SeamAgreement) agreement = NULL;
  int tested, trusted;

  seam_difference_page_get_sides (self, &tested, &trusted);
  if (difference != NULL) {
    const SeamPlan *plan = self->plans[tested];
    const char *note = plan != NULL ? seam_plan_get_chain (plan)->note : NULL;
    agreement = seam_agreement_new (difference);
    headline = agreement->headline;
    detail = note != NULL && !agreement->agree ? g_strdup_printf ("%s %s", agreement->detail, note)
                                               : g_strdup (agreement->detail);
    icon = agreement->agree ? "emblem-ok-symbolic" : "window-close-symbolic";
  } else if (error != NULL) {
    headline = "Not compared";
    detail = g_strdup (error);
    icon = "dialog-warning-symbolic";
  } else {
    detail = g_strdup (trusted == SEAM_SIDE_FP64
                           ? "The double precision reference is computed on the CPU, at large "
                             "shapes on sampled slices. This takes some seconds."
                           : "");
  }
  gtk_image_set_from_icon_name (GTK_IMAGE (self->verdict_icon), icon);
  seam_difference_set_class (self->verdict_icon, "error", agreement != NULL && !agreement->agree);
  seam_difference_set_class (self->verdict_icon, "success", agreement != NULL && agreement->agree);
  gtk_label_set_text (GTK_LABEL (self->headline), headline);
  gtk_label_set_text (GTK_LABEL (self->detail), detail);
  gtk_widget_set_tooltip_text (self->detail, detail);
  update_facts (self, difference);
}

void
seam_difference_page_update_messages (SeamDifferencePage *self)
{
  const char *error = seam_difference_source_get_slice_error (self->source);
  gboolean none = seam_difference_source_get_slice (self->source) == NULL;
  gboolean can_ask = seam_difference_source_can_ask (self->source);

  if (none && error == NULL && !can_ask && self->kept != NULL)
    error = "The file does not hold single elements of these two sides.";
  else if (none && error == NULL && !can_ask)
    error =
        "The worker no longer holds the outputs of this run. After the next run single elements "
        "can be looked at again.";
  gtk_widget_set_sensitive (self->sides, can_ask || self->kept != NULL);
  gtk_widget_set_sensitive (self->atol_entry, can_ask);
  gtk_widget_set_sensitive (self->rtol_entry, can_ask);
  gtk_label_set_text (GTK_LABEL (self->slice_message),
                      none ? (error != NULL ? error : "Asking for the slice…") : "");
  gtk_widget_set_visible (self->slice_message, none);
}

void
seam_difference_page_update_worst (SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  gboolean is_known = difference != NULL && difference->n_worst >= 0;
  gsize n_bytes = is_known ? (gsize)difference->n_worst * sizeof *difference->worst : 0;
  SeamSideNames names = seam_difference_page_get_names (self);

  /* The same rows stay as they are: the keys may be walking through them. */
  if (difference != NULL && difference->n_worst == self->n_listed
      && names.trusted == self->listed_names.trusted && names.tested == self->listed_names.tested
      && (n_bytes == 0 || memcmp (self->listed, difference->worst, n_bytes) == 0))
    return;
  g_autoptr (SeamTable) rows = seam_worst_table_make (difference, &names);
  self->listed_names = names;
  self->n_listed = difference != NULL ? difference->n_worst : -2;
  if (n_bytes > 0)
    memcpy (self->listed, difference->worst, n_bytes);
  seam_table_view_set_pitfalls (self->worst_table,
                                self->result != NULL ? self->result->pitfalls : NULL);
  seam_table_view_set_table (self->worst_table, rows);
  self->pointed = -1;
  seam_table_view_select (self->worst_table, -1, -1);
  /* Where they were not kept the figure beside says so, for the histogram too. */
  gtk_widget_set_visible (self->worst_box, difference == NULL || is_known);
  gtk_widget_set_visible (GTK_WIDGET (self->worst_table), is_known && difference->n_worst > 0);
  gtk_label_set_text (GTK_LABEL (self->worst_note),
                      difference == NULL ? "Comparing…"
                      : difference->n_worst == 0
                          ? "None: all elements are equal."
                          : "Click a row, walk with ↑ and ↓, or press W: the slice follows.");
}

void
seam_difference_page_update_formula (SeamDifferencePage *self)
{
  int tested, trusted;
  const char *a, *b;
  g_autofree char *text = NULL, *absolute = NULL, *relative = NULL;

  seam_difference_page_get_sides (self, &tested, &trusted);
  a = seam_side_get_name (trusted);
  b = seam_side_get_name (tested);
  text = g_strdup_printf ("fails where !(|%s %s %s| ≤ atol + rtol·|%s|)", a, SEAM_MINUS, b, a);
  gtk_label_set_text (GTK_LABEL (self->formula), text);
  gtk_widget_set_tooltip_text (self->formula, text);
  absolute = g_strconcat ("Absolute tolerance: an element ", text, NULL);
  relative = g_strconcat ("Relative tolerance: an element ", text, NULL);
  gtk_widget_set_tooltip_text (self->atol_entry, absolute);
  gtk_widget_set_tooltip_text (self->rtol_entry, relative);
}

/* -- Figures ----------------------------------------------------------------------------------- */

static gboolean
resize_cb (gpointer data)
{
  SeamDifferencePage *self = data;
  self->resize_id = 0;
  if (self->problem != NULL)
    seam_difference_page_resize_window (self, self->fitting_rows, self->fitting_columns);
  return G_SOURCE_REMOVE;
}

static SeamFigure *
build_slice (double width, double height, gpointer data)
{
  SeamDifferencePage *self = data;
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  SeamMapOptions options = {
    .width = width, .height = height, .atol = self->atol, .rtol = self->rtol
  };
  gint64 rows, columns;

  if (self->problem == NULL)
    return NULL;
  seam_difference_page_get_area (self, &rows, &columns);
  seam_slice_choose_size (width, height, rows, columns,
                          seam_difference_page_is_plane (self) ? MAX_PLANE_SLICE : MAX_MATRIX_SLICE,
                          &self->fitting_rows, &self->fitting_columns);
  if (seam_difference_source_can_ask (self->source)
      && (self->fitting_rows != self->n_rows || self->fitting_columns != self->n_columns)
      && self->resize_id == 0)
    self->resize_id = g_idle_add (resize_cb, self);
  if (slice == NULL || seam_difference_source_get_difference (self->source) == NULL)
    return NULL;
  options.scale = get_scale (self);
  options.tile = seam_difference_page_get_tile (self);
  options.n_groups = has_groups (self) ? self->problem->dims.groups : 1;
  options.view = seam_difference_page_get_view (self, &options.view_name);
  return seam_slice_figure_new (self->problem, slice, &options);
}

static SeamFigure *
build_overview (double width, double height, gpointer data)
{
  SeamDifferencePage *self = data;
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  SeamMapOptions options = {
    .width = width, .height = height, .atol = self->atol, .rtol = self->rtol
  };

  if (self->problem == NULL || difference == NULL || difference->cells == NULL)
    return NULL;
  options.scale = get_scale (self);
  options.tile = seam_difference_page_get_tile (self);
  if (seam_difference_source_get_slice (self->source) != NULL) {
    const SeamSlice *slice = seam_difference_source_get_slice (self->source);
    gboolean can_ask = seam_difference_source_can_ask (self->source);
    gint64 sample = can_ask ? self->sample : slice->sample;
    gint64 channel = can_ask ? self->channel : slice->channel;

    options.frame_row = seam_difference_page_is_plane (self) ? sample : self->first_row;
    options.frame_column = seam_difference_page_is_plane (self) ? channel : self->first_column;
    options.frame_rows = seam_difference_page_is_plane (self) ? 1 : self->n_rows;
    options.frame_columns = seam_difference_page_is_plane (self) ? 1 : self->n_columns;
  }
  return seam_overview_figure_new (self->problem, difference, &options);
}

static SeamFigure *
build_legend (double width, double height, gpointer data)
{
  SeamDifferencePage *self = data;
  SeamMapScale scale;

  if (self->problem == NULL || seam_difference_source_get_difference (self->source) == NULL)
    return NULL;
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  if (slice != NULL && seam_difference_page_get_view (self, NULL) != SEAM_VIEW_DIFFERENCE) {
    double low, high;
    seam_slice_get_range (slice, &low, &high);
    return seam_value_legend_figure_new (low, high, width, height);
  }
  SeamSideNames names = seam_difference_page_get_names (self);
  scale = get_scale (self);
  return seam_map_legend_figure_new (&scale, &names, width, height);
}

static gboolean
is_abreast (SeamDifferencePage *self)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->numbers_box))
         == GTK_ORIENTATION_HORIZONTAL;
}

static gboolean
arrange_cb (gpointer data)
{
  SeamDifferencePage *self = data;

  self->arrange_id = 0;
  gtk_widget_set_size_request (self->worst_box, is_abreast (self) ? -1 : WORST_WIDTH, -1);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->numbers_box),
                                  is_abreast (self) ? GTK_ORIENTATION_VERTICAL
                                                    : GTK_ORIENTATION_HORIZONTAL);
  return G_SOURCE_REMOVE;
}

static SeamFigure *
build_numbers (double width, double height, gpointer data)
{
  SeamDifferencePage *self = data;
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);

  /* Not while widgets get their places: that would ask for another round at once. */
  if (is_abreast (self) != (gtk_widget_get_width (self->numbers_box) >= NUMBERS_ABREAST)
      && self->arrange_id == 0)
    self->arrange_id = g_idle_add (arrange_cb, self);
  if (self->problem == NULL || difference == NULL)
    return NULL;
  SeamSideNames names = seam_difference_page_get_names (self);
  return seam_numbers_figure_new (difference, &names, self->look.unit, width, 0);
}

SeamFigure *
seam_difference_page_build_chain (SeamDifferencePage *self, int i)
{
  const SeamPlan *plan = self->strip_plans[i] >= 0 ? self->plans[self->strip_plans[i]] : NULL;

  if (plan == NULL)
    return NULL;
  return seam_chain_figure_new (plan->pipeline, plan, CHAIN_WIDTH, CHAIN_HEIGHT);
}

static SeamFigure *
build_chain_a (double width, double height, gpointer data)
{
  return seam_difference_page_build_chain (data, 0);
}

static SeamFigure *
build_chain_b (double width, double height, gpointer data)
{
  return seam_difference_page_build_chain (data, 1);
}

/* The cell's largest difference in the unit of the maps. */
static char *
format_cell (SeamDifferencePage *self, const SeamDifference *difference, gint64 cell)
{
  double value = difference->cells[cell];

  if (!isfinite (value))
    return g_strdup ("not finite");
  if (self->look.unit == SEAM_UNIT_ULP) {
    g_autofree char *count =
        difference->ulps != NULL ? seam_text_count (difference->ulps[cell]) : NULL;
    return count != NULL ? g_strconcat (count, " ULP", NULL) : g_strdup ("not counted in ULP");
  }
  if (self->look.unit == SEAM_UNIT_RELATIVE && difference->max_abs_b > 0) {
    g_autofree char *text = seam_map_format_value (value / difference->max_abs_b);
    return g_strconcat (text, " of the largest value", NULL);
  }
  return seam_map_format_value (value);
}

/* "Row 7,552 to 7,615", or "Row 5" where a cell has but one. */
static char *
format_range (const char *name, gint64 first, gint64 last)
{
  g_autofree char *from = seam_text_count (first);
  g_autofree char *to = seam_text_count (last);

  return last > first ? g_strdup_printf ("%s %s to %s", name, from, to)
                      : g_strdup_printf ("%s %s", name, from);
}

/* What the overview's cell under the pointer holds. */
static char *
describe_cell (const SeamHit *hit, gpointer data)
{
  SeamDifferencePage *self = data;
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  const SeamDifferenceSpec *spec;
  gint64 cell, row, column, last_row, last_column;
  g_autofree char *worst = NULL, *failing = NULL, *rows = NULL, *columns = NULL;
  gboolean is_plane;

  if (difference == NULL || hit->kind != SEAM_HIT_CELL || hit->row < 0 || hit->column < 0
      || hit->row >= difference->n_cell_rows || hit->column >= difference->n_cell_columns)
    return NULL;
  spec = &difference->spec;
  cell = hit->row * difference->n_cell_columns + hit->column;
  row = hit->row * spec->rows_per_cell;
  column = hit->column * spec->columns_per_cell;
  last_row = MIN (row + spec->rows_per_cell, spec->rows) - 1;
  last_column = MIN (column + spec->columns_per_cell, spec->columns) - 1;
  is_plane = seam_difference_page_is_plane (self);
  rows = format_range (is_plane ? "Sample" : "Row", row, last_row);
  columns = format_range (is_plane ? "channel" : "column", column, last_column);
  if (difference->looked != NULL && difference->looked[cell] == 0)
    return g_strdup_printf ("%s, %s: not among the sampled slices. Click to see the elements.",
                            rows, columns);
  worst = format_cell (self, difference, cell);
  failing = seam_text_count (difference->failing[cell]);
  return g_strdup_printf ("%s, %s: largest difference %s, %s element%s. Click to see the elements.",
                          rows, columns, worst, failing,
                          difference->failing[cell] == 1 ? " fails" : "s fail");
}

void
seam_difference_page_connect_figures (SeamDifferencePage *self)
{
  seam_figure_view_set_builder (self->strip_views[0], build_chain_a, self, NULL);
  seam_figure_view_set_builder (self->strip_views[1], build_chain_b, self, NULL);
  seam_figure_view_set_minimum_width (self->overview, OVERVIEW_MINIMUM_WIDTH);
  seam_figure_view_set_minimum_height (self->overview, OVERVIEW_MINIMUM_HEIGHT);
  seam_figure_view_set_builder (self->overview, build_overview, self, NULL);
  seam_figure_view_set_tooltip_func (self->overview, describe_cell, self);
  seam_figure_view_set_minimum_width (self->slice, SLICE_MINIMUM);
  seam_figure_view_set_minimum_height (self->slice, SLICE_MINIMUM);
  seam_figure_view_set_builder (self->slice, build_slice, self, NULL);
  seam_figure_view_set_minimum_height (self->legend, LEGEND_MINIMUM);
  seam_figure_view_set_builder (self->legend, build_legend, self, NULL);
  seam_figure_view_set_minimum_width (self->numbers, NUMBERS_MINIMUM);
  seam_figure_view_set_builder (self->numbers, build_numbers, self, NULL);
}
