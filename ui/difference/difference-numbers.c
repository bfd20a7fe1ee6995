/* SPDX-License-Identifier: MIT
 *
 * The numbers of the Difference tab: see difference-numbers.h.
 */
#include "ui/difference/difference-numbers.h"

#include "ui/difference/difference-reading.h"
#include "ui/state/watch.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/table-view.h"
#include "ui/widgets/template.h"

#include "app/compare/compare.h"
#include "app/figure/numbers.h"
#include "app/report/worst.h"

#include <math.h>
#include <string.h>

/* Smallest width of the figure, px. */
#define FIGURE_MINIMUM 560
/* From this width, px, the plots of errors and the table of the worst elements stand side by
 * side. */
#define TABLE_WIDTH 780
#define ABREAST     (FIGURE_MINIMUM + 20 + TABLE_WIDTH)

struct _SeamDifferenceNumbers {
  AdwBin parent_instance;

  GtkWidget *numbers_box, *worst_box;
  SeamFigureView *numbers;
  GtkLabel *worst_note;
  SeamTableView *table;

  SeamDifferenceNavigator *navigator;
  SeamDifferenceWalk *walk;
  SeamDifferenceSubject *subject; /* belongs to the navigator */
  SeamDifferenceSource *source;   /* belongs to the subject */
  SeamDifferenceLook *look;

  SeamWorstElement listed[SEAM_DIFFERENCE_WORST]; /* the rows of the table */
  SeamSideNames listed_names;
  int n_listed; /* -2: nothing yet */
  int pointed;  /* index in `listed` of the element that is pointed at; -1: none */
};

G_DEFINE_FINAL_TYPE (SeamDifferenceNumbers, seam_difference_numbers, ADW_TYPE_BIN)

/* -- The figure -------------------------------------------------------------------------------- */

static gboolean
is_abreast (SeamDifferenceNumbers *self)
{
  return gtk_orientable_get_orientation (GTK_ORIENTABLE (self->numbers_box))
         == GTK_ORIENTATION_HORIZONTAL;
}

static SeamFigure *
build_cb (double width, double height, gpointer data)
{
  SeamDifferenceNumbers *self = data;
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  SeamSideNames names = seam_difference_subject_get_names (self->subject);

  if (seam_difference_subject_get_problem (self->subject) == NULL || difference == NULL)
    return NULL;
  return seam_numbers_figure_new (difference, &names, seam_difference_look_get_unit (self->look),
                                  width, 0);
}

/* -- The table --------------------------------------------------------------------------------- */

static gboolean
is_listed (SeamDifferenceNumbers *self, const SeamDifference *difference,
           const SeamSideNames *names)
{
  if (difference == NULL || difference->n_worst != self->n_listed
      || names->against != self->listed_names.against || names->tested != self->listed_names.tested)
    return FALSE;
  return self->n_listed <= 0
         || memcmp (self->listed, difference->worst,
                    (gsize)self->n_listed * sizeof *difference->worst)
                == 0;
}

/* If the worst elements were not kept, the figure beside the table says so, for the histogram
 * too. */
static void
show_table (SeamDifferenceNumbers *self, const SeamDifference *difference)
{
  gboolean is_known = difference != NULL && difference->n_worst >= 0;

  gtk_widget_set_visible (self->worst_box, difference == NULL || is_known);
  gtk_widget_set_visible (GTK_WIDGET (self->table), is_known && difference->n_worst > 0);
  gtk_label_set_text (self->worst_note,
                      difference == NULL ? "Comparing…"
                      : difference->n_worst == 0
                          ? "None: all elements are equal."
                          : "Click a row, walk with ↑ and ↓, or press W: the slice follows.");
}

/* Equal rows are not replaced: the person may be walking through them with the keys. */
static void
update_table (SeamDifferenceNumbers *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  SeamResult *result = seam_difference_subject_get_result (self->subject);
  SeamSideNames names = seam_difference_subject_get_names (self->subject);

  if (result == NULL || is_listed (self, difference, &names))
    return;
  g_autoptr (SeamTable) rows = seam_worst_table_make (difference, &names);
  self->listed_names = names;
  self->n_listed = difference != NULL ? difference->n_worst : -2;
  if (self->n_listed > 0)
    memcpy (self->listed, difference->worst, (gsize)self->n_listed * sizeof *difference->worst);
  seam_table_view_set_pitfalls (self->table, result->pitfalls);
  seam_table_view_set_table (self->table, rows);
  self->pointed = -1;
  seam_table_view_select (self->table, -1, -1);
  show_table (self, difference);
}

static void
follow_pointer (SeamDifferenceNumbers *self)
{
  int pointed = seam_difference_find_pointed (self->navigator);

  if (pointed == self->pointed || seam_difference_subject_get_result (self->subject) == NULL)
    return;
  self->pointed = pointed;
  seam_table_view_select (self->table, pointed < 0 ? -1 : 0, pointed);
}

/* "Depth 3 of 0 to 15: 98.92 % of its elements fail" */
static char *
describe_depth (const SeamHit *hit, gpointer data)
{
  SeamDifferenceNumbers *self = data;
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);

  if (hit->kind != SEAM_HIT_SAMPLE || difference == NULL || difference->depth_shares == NULL
      || hit->index < 0 || hit->index >= difference->spec.depth)
    return NULL;
  g_autofree char *share = seam_agreement_format_share (
      llround (1e6 * (double)difference->depth_shares[hit->index]), 1000000);
  return g_strdup_printf ("Depth %d of 0 to %" G_GINT64_FORMAT ": %s %% of its elements fail",
                          hit->index, difference->spec.depth - 1, share);
}

static void
depth_activated_cb (SeamFigureView *view, const SeamHit *hit, SeamDifferenceNumbers *self)
{
  g_object_set (self->navigator, "depth", (gint64)hit->index, NULL);
}

static void
follow_depth (SeamDifferenceNumbers *self)
{
  SeamHit hit = { .kind = SEAM_HIT_SAMPLE,
                  .index = (int)seam_difference_navigator_get_depth (self->navigator) };

  seam_figure_view_set_selected (self->numbers, &hit);
}

static void
difference_cb (SeamDifferenceNumbers *self)
{
  update_table (self);
  follow_pointer (self);
  seam_figure_view_invalidate (self->numbers);
}

static void
row_selected_cb (SeamTableView *table, const SeamTableRow *row, SeamDifferenceNumbers *self)
{
  if (row == NULL)
    return;
  /* The row is already selected; only the pointer follows. */
  self->pointed = row->index;
  seam_difference_walk_go_to (self->walk, self->pointed);
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_numbers_class_init (SeamDifferenceNumbersClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (seam_drop_children));
  SEAM_OWNS (klass, SeamDifferenceNumbers, g_object_unref, look, source, subject, walk, navigator);
  SEAM_TEMPLATE (klass, SeamDifferenceNumbers, "difference-numbers.ui", numbers, numbers_box,
                 worst_box, worst_note);
}

static void
seam_difference_numbers_init (SeamDifferenceNumbers *self)
{
  self->n_listed = -2;
  self->pointed = -1;
  gtk_widget_init_template (GTK_WIDGET (self));
  self->table = seam_table_view_new (seam_worst_table_make (NULL, NULL), NULL, TRUE,
                                     "Worst elements, largest first");
  seam_table_view_show_all_rows (self->table);
  gtk_box_append (GTK_BOX (self->worst_box), GTK_WIDGET (self->table));
}

void
seam_difference_numbers_follow (SeamDifferenceNumbers *self, SeamDifferenceNavigator *navigator,
                                SeamDifferenceWalk *walk, SeamDifferenceLook *look)
{
  self->navigator = g_object_ref (navigator);
  self->walk = g_object_ref (walk);
  self->subject = g_object_ref (seam_difference_navigator_get_subject (navigator));
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  self->look = g_object_ref (look);
  seam_watch_now (self, G_CALLBACK (difference_cb), self->source, "difference");
  seam_watch_now (self->numbers, G_CALLBACK (seam_figure_view_invalidate), look, "unit");
  seam_watch_now (self, G_CALLBACK (follow_pointer), navigator, "place sample channel depth");
  seam_watch_now (self, G_CALLBACK (follow_depth), navigator, "depth");
  g_signal_connect (self->table, "row-selected", G_CALLBACK (row_selected_cb), self);
  seam_figure_view_set_minimum_width (self->numbers, FIGURE_MINIMUM);
  seam_figure_view_set_builder (self->numbers, build_cb, self, NULL);
  seam_figure_view_set_focus_kinds (self->numbers, SEAM_HIT_SAMPLE);
  seam_figure_view_set_tooltip_func (self->numbers, describe_depth, self);
  g_signal_connect (self->numbers, "hit-activated", G_CALLBACK (depth_activated_cb), self);
}

GtkWidget *
seam_difference_numbers_get_figure (SeamDifferenceNumbers *self)
{
  return GTK_WIDGET (self->numbers);
}

void
seam_difference_numbers_set_room (SeamDifferenceNumbers *self, int width)
{
  gboolean abreast = width >= ABREAST;

  if (abreast == is_abreast (self))
    return;
  gtk_widget_set_size_request (self->worst_box, abreast ? TABLE_WIDTH : -1, -1);
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->numbers_box),
                                  abreast ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}
