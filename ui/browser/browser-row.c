/* SPDX-License-Identifier: MIT */
#include "ui/browser/browser-row.h"

#include "ui/help/help-markup.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/list-rows.h"

#include "app/base/text.h"
#include "app/figure/strip.h"

#include <string.h>

#define KEY          "seam-browser-row"
#define BLOCK_WIDTH  17
#define BLOCK_HEIGHT 9
#define MOST_LISTED  1000 /* more than there are favourites */

static SeamFigure *
build_chain_cb (double width, double height, gpointer data)
{
  const SeamBrowserRow *self = data;

  return seam_marked_chain_figure_new (self->entry->pipeline, self->ringed, BLOCK_WIDTH,
                                       BLOCK_HEIGHT);
}

/* Of the columns at the right. */
static gpointer
make_column (gpointer upper, gpointer lower, int n_chars)
{
  gtk_label_set_width_chars (upper, n_chars);
  return g_object_ref_sink (seam_box_new (GTK_ORIENTATION_VERTICAL, 2, NULL, upper, lower, NULL));
}

static const char *
find_special_tag (const SeamCatalogueEntry *entry)
{
  int n;
  const SeamTag *tags = seam_tags_list (&n);

  for (int i = 0; i < n; i++)
    if ((entry->tags >> i & 1) && tags[i].group == SEAM_TAG_SPECIAL)
      return tags[i].title;
  return NULL;
}

/* Of the output that the row shows. */
static const char *
get_preset (const SeamPipeline *pipeline)
{
  return pipeline->presets[pipeline->n_presets - 1].name;
}

static void
fill (SeamBrowserRow *self, GtkWidget *line)
{
  SeamPipeline *pipeline = self->entry->pipeline;
  g_autofree char *number =
      pipeline->number > 0 ? g_strdup_printf ("#%d", pipeline->number) : g_strdup ("own");
  g_autofree char *n_ops = g_strdup_printf ("%d ops", pipeline->chains[0].n_ops);
  const char *tag =
      seam_pipeline_get_name_note (pipeline) != NULL ? "same name" : find_special_tag (self->entry);
  GtkLabel *number_label = seam_label_new (number, "dim-label numeric", 0);
  GtkWidget *about = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL,
                                   seam_label_new (n_ops, "dim-label note", 0), NULL);

  gtk_label_set_width_chars (number_label, 5);
  self->chain = seam_figure_view_new ();
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (self->chain), build_chain_cb, self, NULL);
  gtk_widget_set_can_target (self->chain, FALSE);
  self->title = seam_label_new (pipeline->id, "browser-title", SEAM_LABEL_SHORTENS);
  self->run = seam_label_new (NULL, NULL, SEAM_LABEL_SHORTENS);
  self->when = seam_label_new (NULL, "dim-label note", 0);
  self->star = seam_button_new ("non-starred-symbolic", "flat small-button", "Favourite (F)", NULL);
  seam_widget_set_name (self->star, "Favourite");
  gtk_widget_set_valign (GTK_WIDGET (self->star), GTK_ALIGN_CENTER);
  /* The list is one stop of Tab: F marks the selected row. */
  gtk_widget_set_focusable (GTK_WIDGET (self->star), FALSE);
  if (tag != NULL)
    gtk_box_append (GTK_BOX (about), seam_label_new (tag, "outlined-word", 0));
  GtkWidget *names =
      seam_box_new (GTK_ORIENTATION_VERTICAL, 2, NULL, self->title, self->chain, NULL);
  gtk_widget_set_hexpand (names, TRUE);
  GtkWidget *output = seam_label_new (self->entry->output, NULL, SEAM_LABEL_SHORTENS);
  g_autofree char *at = g_strdup_printf ("Output at preset %s", get_preset (pipeline));
  gtk_widget_set_tooltip_text (output, at);
  g_autoptr (GtkWidget) shape = make_column (output, about, 24);
  g_autoptr (GtkWidget) run = make_column (self->run, self->when, 15);
  self->shape = shape;
  for (GtkWidget **part = (GtkWidget *[]){ GTK_WIDGET (self->star), GTK_WIDGET (number_label),
                                           names, shape, run, NULL };
       *part != NULL; part++)
    gtk_box_append (GTK_BOX (line), *part);
}

static void
row_free (gpointer data)
{
  SeamBrowserRow *self = data;

  g_free (self->name);
  g_free (self);
}

SeamBrowserRow *
seam_browser_row_new (const SeamCatalogueEntry *entry)
{
  SeamBrowserRow *self = g_new0 (SeamBrowserRow, 1);
  GtkWidget *line = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 10, NULL, NULL);

  self->entry = entry;
  self->name = entry->pipeline != NULL ? seam_pipeline_make_name (entry->pipeline) : NULL;
  self->box = seam_box_new (GTK_ORIENTATION_VERTICAL, 8, NULL, line, NULL);
  self->widget = g_object_new (GTK_TYPE_LIST_BOX_ROW, "child", self->box, NULL);
  g_object_set_data_full (G_OBJECT (self->widget), KEY, self, row_free);
  if (entry->pipeline != NULL) {
    fill (self, line);
    return self;
  }
  GtkWidget *icon = gtk_image_new_from_icon_name ("dialog-warning-symbolic");
  seam_widget_set_name (icon, "Cannot be read");
  gtk_box_append (GTK_BOX (line), icon);
  self->title = seam_label_new (entry->reason, NULL, SEAM_LABEL_WRAPS);
  gtk_box_append (GTK_BOX (line), GTK_WIDGET (self->title));
  return self;
}

SeamBrowserRow *
seam_browser_row_get (gpointer widget)
{
  return widget != NULL ? g_object_get_data (widget, KEY) : NULL;
}

void
seam_browser_row_place (SeamBrowserRow *self, SeamBrowserOrder order, int favourite, int used,
                        SeamHistoryList *history)
{
  const SeamPipeline *pipeline = self->entry->pipeline;
  const SeamHistoryEntry *last =
      pipeline != NULL ? seam_history_list_find_run (history, pipeline) : NULL;

  self->place = pipeline != NULL ? MAX (pipeline->number, 0) : 0;
  if (order == SEAM_BY_NAME)
    self->place = 0;
  else if (order == SEAM_BY_USE && (used >= 0 || last != NULL))
    self->place = used >= 0 ? G_MININT64 + used : -last->id;
  else if (order == SEAM_BY_NUMBER && (favourite >= 0 || used >= 0))
    self->place = favourite >= 0 ? favourite : MOST_LISTED + used;
}

static const char *
get_title (const SeamBrowserRow *self)
{
  return self->entry->pipeline != NULL ? self->entry->pipeline->id : self->entry->reason;
}

int
seam_browser_row_compare_cb (GtkListBoxRow *a, GtkListBoxRow *b, gpointer data)
{
  const SeamBrowserRow *first = seam_browser_row_get (a), *second = seam_browser_row_get (b);

  return first->section != second->section ? (int)first->section - (int)second->section
         : first->place != second->place   ? (first->place < second->place ? -1 : 1)
                                           : strcmp (get_title (first), get_title (second));
}

/* "Number 66, matmul-dropout-softmax, favourite, 4 ops: …; output [128, 16384] at preset
 * kernelbench; last run …" */
static void
set_spoken (SeamBrowserRow *self, const char *run)
{
  const SeamPipeline *pipeline = self->entry->pipeline;
  const SeamChain *chain = &pipeline->chains[0];
  const char *note = seam_pipeline_get_name_note (pipeline);
  g_autoptr (GString) spoken = g_string_new (NULL);

  if (pipeline->number > 0)
    g_string_append_printf (spoken, "Number %d, ", pipeline->number);
  g_string_append_printf (spoken, "%s%s%s, %d ops: ", pipeline->id,
                          note != NULL ? ", same name as a built-in pipeline" : "",
                          self->favourite ? ", favourite" : "", chain->n_ops);
  for (int i = 0; i < chain->n_ops; i++)
    g_string_append_printf (spoken, "%s%s", i > 0 ? ", " : "", chain->ops[i].label);
  g_string_append_printf (spoken, "; output %s at preset %s; %s", self->entry->output,
                          get_preset (pipeline), run);
  seam_list_row_set_texts (self->widget, spoken->str, note != NULL ? note : pipeline->description);
}

void
seam_browser_row_update (SeamBrowserRow *self, const char *sought, SeamHistoryList *history,
                         gboolean with_shape)
{
  const SeamPipeline *pipeline = self->entry->pipeline;
  guint n_marks = 0;
  g_autofree char *markup = seam_help_markup_escape (get_title (self), sought, &n_marks);

  gtk_label_set_markup (self->title, markup);
  if (pipeline == NULL) {
    seam_list_row_set_texts (self->widget, self->entry->reason, NULL);
    return;
  }
  guint32 ringed = seam_chain_find_ops (&pipeline->chains[0], sought);
  const SeamHistoryEntry *last = seam_history_list_find_run (history, pipeline);
  g_autofree char *found =
      last != NULL ? seam_history_entry_describe (last) : g_strdup ("not run yet");
  g_autofree char *when = seam_text_when (last != NULL ? last->ended_at : NULL);
  g_autofree char *run =
      last != NULL ? g_strdup_printf ("last run %s, %s", found, when) : g_strdup (found);

  if (ringed != self->ringed) {
    self->ringed = ringed;
    seam_figure_view_invalidate (SEAM_FIGURE_VIEW (self->chain));
  }
  gtk_widget_set_visible (self->shape, with_shape);
  gtk_label_set_text (self->run, found);
  seam_css_class_set (self->run, "error", last != NULL && last->wrong);
  seam_css_class_set (self->run, "dim-label", last == NULL);
  gtk_label_set_text (self->when, when);
  gtk_button_set_icon_name (self->star,
                            self->favourite ? "starred-symbolic" : "non-starred-symbolic");
  set_spoken (self, run);
}
