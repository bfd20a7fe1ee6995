/* SPDX-License-Identifier: MIT
 *
 * The difference page: state of what is looked at (sides, tolerances, window of the slice, pointer)
 * and what they are made of. Widgets stand in difference-page.ui; data come from
 * difference-source.h; drawing is app/figure/map.h.
 */
#include "ui/difference/difference-private.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/explain/read-result.h"
#include "app/report/page.h"
#include "app/report/worst.h"
#include "app/figure/strip.h"

#include <math.h>
#include <string.h>

static void page_init (SeamPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamDifferencePage, seam_difference_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

/* -- What is compared -------------------------------------------------------------------------- */

static void
add_choice (SeamDifferencePage *self, int tested, int trusted)
{
  self->choices[self->n_choices].tested = tested;
  self->choices[self->n_choices].trusted = trusted;
  self->n_choices++;
}

/* Every plan with each before it, then with the truth. */
static void
list_choices (SeamDifferencePage *self)
{
  self->n_choices = 0;
  for (int trusted = 0; trusted < self->n_plans; trusted++)
    for (int tested = trusted + 1; tested < self->n_plans; tested++)
      add_choice (self, tested, trusted);
  for (int tested = 0; tested < self->n_plans; tested++)
    add_choice (self, tested, SEAM_SIDE_FP64);
}

static guint
find_choice (SeamDifferencePage *self, int tested, int trusted)
{
  for (guint i = 0; i < self->n_choices; i++)
    if (self->choices[i].tested == tested && self->choices[i].trusted == trusted)
      return i;
  return 0;
}

void
seam_difference_page_get_sides (SeamDifferencePage *self, int *tested, int *trusted)
{
  guint choice = gtk_drop_down_get_selected (GTK_DROP_DOWN (self->sides));

  if (choice >= self->n_choices)
    choice = 0;
  *tested = self->n_choices > 0 ? self->choices[choice].tested : 0;
  *trusted = self->n_choices > 0 ? self->choices[choice].trusted : SEAM_SIDE_FP64;
}

SeamSideNames
seam_difference_page_get_names (SeamDifferencePage *self)
{
  int tested, trusted;

  seam_difference_page_get_sides (self, &tested, &trusted);
  return (SeamSideNames){ .trusted = seam_side_get_name (trusted),
                          .tested = seam_side_get_name (tested) };
}

gboolean
seam_difference_page_is_plane (SeamDifferencePage *self)
{
  return self->plane > 1;
}

void
seam_difference_page_get_area (SeamDifferencePage *self, gint64 *rows, gint64 *columns)
{
  *rows = seam_difference_page_is_plane (self) ? self->problem->dims.p : self->rows;
  *columns = seam_difference_page_is_plane (self) ? self->problem->dims.q : self->columns;
}

static void
source_changed_cb (SeamDifferenceSource *source, SeamDifferencePage *self)
{
  const SeamDifference *difference = seam_difference_source_get_difference (source);

  if (self->result == NULL || self->problem == NULL)
    return;
  if (self->seek.active)
    return seam_difference_page_seek_look (self);
  if (difference != NULL)
    seam_difference_maps_set_cells (self->maps, difference->n_cell_rows,
                                    difference->n_cell_columns);
  if (difference != NULL && self->fresh) {
    self->fresh = FALSE;
    self->rank = 1;
    self->worst = 0;
    seam_difference_page_go_to_index (self, MAX (difference->worst_index, 0));
  }
  seam_difference_page_count_slice (self);
  seam_difference_page_update_verdict (self);
  seam_difference_page_update_messages (self);
  seam_difference_page_update_worst (self);
  seam_difference_page_update_readout (self);
  seam_figure_view_invalidate (self->overview);
  seam_figure_view_invalidate (self->slice);
  seam_figure_view_invalidate (self->legend);
  seam_figure_view_invalidate (self->numbers);
}

/* -- Controls --------------------------------------------------------------------------------- */

/* Applied as typed; text that is no number marks the entry and leaves the old value in force. */
static void
tolerance_changed_cb (GtkEditable *entry, SeamDifferencePage *self)
{
  gboolean is_atol = GTK_WIDGET (entry) == self->atol_entry;
  g_autoptr (GError) error = NULL;
  double value;
  gboolean good = seam_text_parse_double (gtk_editable_get_text (entry), is_atol ? "atol" : "rtol",
                                          0, G_MAXDOUBLE, &value, &error);

  seam_difference_set_class (GTK_WIDGET (entry), "error", !good);
  gtk_widget_set_tooltip_text (GTK_WIDGET (entry),
                               good ? (is_atol ? "Absolute tolerance" : "Relative tolerance")
                                    : error->message);
  gtk_accessible_update_state (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
                               good ? GTK_ACCESSIBLE_INVALID_FALSE : GTK_ACCESSIBLE_INVALID_TRUE,
                               -1);
  if (!good || self->filling || self->result == NULL)
    return;
  *(is_atol ? &self->atol : &self->rtol) = value;
  seam_difference_source_set_tolerances (self->source, self->atol, self->rtol);
  source_changed_cb (self->source, self);
}

static void fill_strips (SeamDifferencePage *self);

static void
apply_sides (SeamDifferencePage *self)
{
  int tested, trusted;

  self->fresh = TRUE;
  self->seek.active = FALSE;
  seam_difference_page_get_sides (self, &tested, &trusted);
  fill_strips (self);
  seam_difference_page_update_formula (self);
  seam_difference_page_update_view_names (self);
  seam_difference_page_update_tiles (self);
  seam_difference_source_set_sides (self->source, self->client, self->result, tested, trusted,
                                    self->atol, self->rtol);
  seam_difference_page_request_slice (self);
}

static void
sides_changed_cb (GtkDropDown *menu, GParamSpec *pspec, SeamDifferencePage *self)
{
  if (!self->filling && self->result != NULL)
    apply_sides (self);
}

static void
mode_changed_cb (GtkDropDown *menu, GParamSpec *pspec, SeamDifferencePage *self)
{
  self->look.unit = (SeamMapUnit)MIN (gtk_drop_down_get_selected (menu), SEAM_N_UNITS - 1);
  source_changed_cb (self->source, self);
}

static void
strip_clicked_cb (GtkButton *button, SeamDifferencePage *self)
{
  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "timing");
}

/* -- Result ------------------------------------------------------------------------------------ */

static void
forget_result (SeamDifferencePage *self)
{
  g_clear_pointer (&self->result, seam_result_unref);
  g_clear_object (&self->client);
  g_clear_pointer (&self->problem, seam_problem_free);
  for (int i = 0; i < SEAM_DIFFERENCE_PLANS; i++)
    g_clear_pointer (&self->plans[i], seam_plan_unref);
  g_clear_handle_id (&self->resize_id, g_source_remove);
  g_clear_handle_id (&self->arrange_id, g_source_remove);
  g_clear_handle_id (&self->turn_id, g_source_remove);
  self->seek.active = FALSE;
  self->row = self->column = -1;
  self->n_rows = self->n_columns = 0;
  self->n_slice = self->n_slice_failing = 0;
  self->plane = 1;
}

/* A result may come from a file of another version: what cannot be read leaves the page empty. */
static gboolean
read_result (SeamDifferencePage *self)
{
  self->problem = seam_explain_read_problem (self->result, NULL);
  if (self->problem == NULL)
    return FALSE;
  seam_problem_get_output_view (self->problem, &self->rows, &self->columns, &self->plane);
  for (int i = 0; i < self->n_plans; i++)
    self->plans[i] = seam_explain_read_plan (self->result, i, NULL);
  return TRUE;
}

static char *
get_plan_title (SeamDifferencePage *self, int i)
{
  const char *title = self->plans[i] != NULL ? seam_plan_get_title (self->plans[i])
                                             : self->result->plans[i].notation;
  return g_strdup (title);
}

static void
fill_sides (SeamDifferencePage *self)
{
  g_autoptr (GtkStringList) list = gtk_string_list_new (NULL);
  guint chosen = 0;

  list_choices (self);
  for (guint i = 0; i < self->n_choices; i++) {
    int tested = self->choices[i].tested, trusted = self->choices[i].trusted;
    g_autofree char *of_tested = get_plan_title (self, tested);
    g_autofree char *of_trusted = trusted >= 0 ? get_plan_title (self, trusted) : NULL;
    const char *letter = seam_side_get_name (tested);

    gtk_string_list_take (list, of_trusted != NULL
                                    ? g_strdup_printf ("%s %s, %s %s", seam_side_get_name (trusted),
                                                       of_trusted, letter, of_tested)
                                    : g_strdup_printf ("%s %s, FP64 truth", letter, of_tested));
  }
  /* A run against the truth already brought that difference. */
  if (self->beside > 0)
    chosen = find_choice (self, self->beside,
                          self->result->reference == SEAM_SIDE_FP64 ? SEAM_SIDE_FP64 : 0);
  gtk_drop_down_set_model (GTK_DROP_DOWN (self->sides), G_LIST_MODEL (list));
  gtk_drop_down_set_selected (GTK_DROP_DOWN (self->sides), chosen);
}

/* A, and the other plan that is compared, or the one that stands beside A. */
static void
fill_strips (SeamDifferencePage *self)
{
  int tested, trusted, shown[2] = { 0, self->beside };
  gboolean exhibit = FALSE;

  seam_difference_page_get_sides (self, &tested, &trusted);
  if (trusted > 0)
    shown[0] = trusted;
  if (tested > 0)
    shown[1] = tested;
  for (int i = 0; i < 2; i++) {
    int index = shown[i];

    gtk_widget_set_visible (self->strips[i], index >= 0);
    self->strip_plans[i] = index;
    if (index < 0)
      continue;
    g_autoptr (SeamFigure) chain = seam_difference_page_build_chain (self, i);
    g_autofree char *title = get_plan_title (self, index);
    const char *letter = seam_side_get_name (index);
    g_autofree char *name = g_strdup_printf ("Plan %s, %s: edit on the Timing page", letter, title);

    gtk_label_set_text (GTK_LABEL (self->strip_badges[i]), letter);
    seam_difference_set_class (self->strip_badges[i], "filled", index > 0);
    gtk_label_set_text (GTK_LABEL (self->strip_titles[i]), title);
    gtk_accessible_update_property (GTK_ACCESSIBLE (self->strips[i]), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                    name, -1);
    gtk_widget_set_tooltip_text (self->strips[i], self->result->plans[index].notation);
    exhibit |= self->result->plans[index].exhibit;
    gtk_widget_set_visible (GTK_WIDGET (self->strip_views[i]), chain != NULL);
    if (chain != NULL)
      seam_figure_view_set_minimum_width (self->strip_views[i], (int)ceil (chain->width));
    seam_figure_view_invalidate (self->strip_views[i]);
  }
  gtk_widget_set_visible (self->exhibit, exhibit);
}

static void
fill_tolerances (SeamDifferencePage *self)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];
  double values[2] = { self->result->settings.atol, self->result->settings.rtol };

  for (int i = 0; i < 2; i++) {
    double value = isfinite (values[i]) && values[i] >= 0 ? values[i] : 0;
    gtk_editable_set_text (GTK_EDITABLE (i == 0 ? self->atol_entry : self->rtol_entry),
                           g_ascii_formatd (text, sizeof text, "%.3g", value));
    *(i == 0 ? &self->atol : &self->rtol) = value;
  }
}

void
seam_difference_page_set_kept (SeamDifferencePage *self, SeamSessionRun *kept,
                               const char *file_name)
{
  SeamSessionRun *old = self->kept;

  g_return_if_fail (SEAM_IS_DIFFERENCE_PAGE (self));
  self->kept = kept != NULL ? seam_session_run_ref (kept) : NULL;
  g_clear_pointer (&old, seam_session_run_unref);
  g_free (self->file_name);
  self->file_name = g_strdup (file_name);
  seam_difference_source_set_kept (self->source, kept);
}

void
seam_difference_page_set_result (SeamDifferencePage *self, SeamWorkerClient *client,
                                 SeamResult *result, int n_plans, int compared)
{
  g_autofree char *provenance = NULL;
  gboolean same = result != NULL && result == self->result && n_plans == self->n_plans
                  && compared == self->beside;

  g_return_if_fail (SEAM_IS_DIFFERENCE_PAGE (self));
  if (same && client == self->client)
    return;
  if (same) {
    g_set_object (&self->client, client);
    self->seek.active = FALSE;
    seam_difference_source_set_client (self->source, client);
    return seam_difference_page_request_slice (self);
  }
  forget_result (self);
  self->result = result != NULL ? seam_result_ref (result) : NULL;
  self->client = client != NULL ? g_object_ref (client) : NULL;
  self->n_plans = result != NULL ? MIN (MIN (n_plans, result->n_plans), SEAM_DIFFERENCE_PLANS) : 0;
  self->beside = compared < self->n_plans ? compared : -1;
  if (result == NULL || self->n_plans < 1 || !read_result (self)) {
    forget_result (self);
    seam_difference_source_set_sides (self->source, NULL, NULL, 0, 0, 0, 0);
    gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "empty");
    return;
  }
  self->filling = TRUE;
  fill_sides (self);
  fill_tolerances (self);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->sample_spin), 0, (double)self->rows - 1);
  gtk_spin_button_set_range (GTK_SPIN_BUTTON (self->channel_spin), 0, (double)self->columns - 1);
  self->filling = FALSE;
  {
    g_autofree char *line = seam_result_get_provenance (result);
    provenance = self->kept != NULL ? g_strdup_printf ("From %s · %s", self->file_name, line)
                                    : g_steal_pointer (&line);
  }
  gtk_label_set_text (GTK_LABEL (self->provenance), provenance);
  gtk_widget_set_tooltip_text (self->provenance, provenance);
  gtk_stack_set_visible_child_name (GTK_STACK (self->stack), "content");
  apply_sides (self);
}

void
seam_difference_page_set_stale (SeamDifferencePage *self, const char *reason)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  g_autofree char *text = g_strdup (reason);

  g_return_if_fail (SEAM_IS_DIFFERENCE_PAGE (self));
  /* What another run could show and this one cannot. */
  if (text == NULL && self->kept != NULL && slice != NULL
      && slice->n_rows * slice->n_columns < self->rows * self->columns * self->plane)
    text = g_strdup_printf ("From %s: of single elements the file holds these %" G_GINT64_FORMAT
                            " × %" G_GINT64_FORMAT ", around the worst one",
                            self->file_name, slice->n_rows, slice->n_columns);
  gtk_label_set_text (GTK_LABEL (self->stale), text != NULL ? text : "");
  gtk_widget_set_visible (self->stale, text != NULL);
}

static void
set_narrow (SeamPage *page, gboolean narrow)
{
  SeamDifferencePage *self = SEAM_DIFFERENCE_PAGE (page);

  g_return_if_fail (SEAM_IS_DIFFERENCE_PAGE (self));
  seam_difference_set_class (GTK_WIDGET (self), "narrow", narrow);
  /* Cut after a few letters it says nothing; the entries say what they are for. */
  gtk_widget_set_opacity (self->formula, narrow ? 0 : 1);
}

gboolean
seam_difference_page_has_difference (SeamDifferencePage *self)
{
  g_return_val_if_fail (SEAM_IS_DIFFERENCE_PAGE (self), FALSE);
  return self->result != NULL && seam_difference_source_get_difference (self->source) != NULL;
}

static gboolean
fill_source (SeamPage *page, SeamProductSource *source, GError **error)
{
  SeamDifferencePage *self = SEAM_DIFFERENCE_PAGE (page);
  const char *reason;

  g_return_val_if_fail (SEAM_IS_DIFFERENCE_PAGE (self), FALSE);
  reason = seam_difference_source_get_error (self->source);
  if (!seam_difference_page_has_difference (self)) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         reason != NULL ? reason
                                        : "The outputs have not been compared yet: wait for the "
                                          "verdict on the Difference page.");
    return FALSE;
  }
  seam_difference_page_get_sides (self, &source->tested, &source->trusted);
  source->difference = seam_difference_source_get_difference (self->source);
  source->slice = seam_difference_source_get_slice (self->source);
  source->look = &self->look;
  return TRUE;
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
dispose (GObject *object)
{
  SeamDifferencePage *self = SEAM_DIFFERENCE_PAGE (object);

  forget_result (self);
  g_clear_pointer (&self->kept, seam_session_run_unref);
  g_clear_pointer (&self->file_name, g_free);
  if (self->source != NULL)
    g_signal_handlers_disconnect_by_data (self->source, self);
  g_clear_object (&self->source);
  /* AdwBin unparents its child once more: it must not have one when the template goes. */
  adw_bin_set_child (ADW_BIN (self), NULL);
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_DIFFERENCE_PAGE);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_difference_page_parent_class)->dispose (object);
}

static void
seam_difference_page_class_init (SeamDifferencePageClass *klass)
{
  static const struct {
    const char *id;
    gssize offset;
  } children[] = {
#define CHILD(id, field) { id, G_STRUCT_OFFSET (SeamDifferencePage, field) }
    CHILD ("atol_entry", atol_entry),
    CHILD ("detail", detail),
    CHILD ("exhibit", exhibit),
    CHILD ("fact_largest", facts[FACT_LARGEST]),
    CHILD ("fact_mean", facts[FACT_MEAN]),
    CHILD ("fact_nan", facts[FACT_NAN]),
    CHILD ("formula", formula),
    CHILD ("headline", headline),
    CHILD ("legend", legend),
    CHILD ("maps", maps),
    CHILD ("mode", mode),
    CHILD ("numbers", numbers),
    CHILD ("numbers_box", numbers_box),
    CHILD ("overview", overview),
    CHILD ("provenance", provenance),
    CHILD ("readout", readout),
    CHILD ("rtol_entry", rtol_entry),
    CHILD ("sides", sides),
    CHILD ("slice", slice),
    CHILD ("slice_message", slice_message),
    CHILD ("stack", stack),
    CHILD ("stale", stale),
    CHILD ("strip_a", strips[0]),
    CHILD ("strip_badge_a", strip_badges[0]),
    CHILD ("strip_badge_b", strip_badges[1]),
    CHILD ("strip_b", strips[1]),
    CHILD ("strip_title_a", strip_titles[0]),
    CHILD ("strip_title_b", strip_titles[1]),
    CHILD ("strip_view_a", strip_views[0]),
    CHILD ("strip_view_b", strip_views[1]),
    CHILD ("tiles", tiles),
    CHILD ("tiles_note", tiles_note),
    CHILD ("verdict_icon", verdict_icon),
    CHILD ("view", view),
    CHILD ("view_names", view_names),
    CHILD ("worst_box", worst_box),
    CHILD ("worst_note", worst_note),
#undef CHILD
  };
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = dispose;
  g_type_ensure (SEAM_TYPE_FIGURE_VIEW);
  g_type_ensure (SEAM_TYPE_DIFFERENCE_MAPS);
  g_type_ensure (SEAM_TYPE_DIFFERENCE_READOUT);
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/seamscope/Seamscope/difference-page.ui");
  for (guint i = 0; i < G_N_ELEMENTS (children); i++)
    gtk_widget_class_bind_template_child_full (widget_class, children[i].id, FALSE,
                                               children[i].offset);
}

static void
seam_difference_page_init (SeamDifferencePage *self)
{
  self->beside = self->strip_plans[0] = self->strip_plans[1] = -1;
  self->row = self->column = -1;
  self->pointed = -1;
  self->n_listed = -2;
  self->plane = 1;
  self->source = seam_difference_source_new ();
  gtk_widget_init_template (GTK_WIDGET (self));
  self->worst_table = seam_table_view_new (seam_worst_table_make (NULL, NULL), NULL, TRUE,
                                           "Worst elements, largest first");
  seam_table_view_show_all_rows (self->worst_table);
  gtk_box_append (GTK_BOX (self->worst_box), GTK_WIDGET (self->worst_table));
  seam_difference_readout_get_spins (self->readout, &self->sample_spin, &self->channel_spin);
  g_signal_connect (self->source, "changed", G_CALLBACK (source_changed_cb), self);
  for (int i = 0; i < 2; i++)
    g_signal_connect (self->strips[i], "clicked", G_CALLBACK (strip_clicked_cb), self);
  g_signal_connect (self->sides, "notify::selected", G_CALLBACK (sides_changed_cb), self);
  g_signal_connect (self->mode, "notify::selected", G_CALLBACK (mode_changed_cb), self);
  g_signal_connect (self->atol_entry, "changed", G_CALLBACK (tolerance_changed_cb), self);
  g_signal_connect (self->rtol_entry, "changed", G_CALLBACK (tolerance_changed_cb), self);
  seam_difference_page_connect_figures (self);
  seam_difference_page_connect_input (self);
  seam_difference_page_connect_view (self);
  seam_difference_page_connect_tiles (self);
}

/* --- The page --- */

static void
follow_result (SeamDifferencePage *self)
{
  const SeamModel *model = self->model;

  seam_difference_page_set_kept (self, seam_store_get_shown (model->store),
                                 seam_store_get_name (model->store));
  seam_difference_page_set_result (
      self, seam_measurement_has_outputs (model->measurement) ? model->worker : NULL,
      seam_measurement_get_result (model->measurement),
      seam_measurement_get_n_plans (model->measurement),
      seam_measurement_get_compared (model->measurement));
  seam_difference_page_set_stale (self, seam_measurement_get_stale_reason (model->measurement));
}

static void
begin (SeamPage *page, const SeamPageContext *context)
{
  SeamDifferencePage *self = SEAM_DIFFERENCE_PAGE (page);
  const SeamModel *model = context->model;

  self->model = g_object_ref (context->model);
  seam_watch (self, G_CALLBACK (follow_result), model->setup, "pipeline", model->measurement,
              "state result", NULL);
  follow_result (self);
}

static void
page_init (SeamPageInterface *iface)
{
  iface->name = "difference";
  iface->title = "Difference";
  iface->icon = "seam-difference-symbolic";
  iface->begin = begin;
  iface->set_narrow = set_narrow;
  iface->fill_source = fill_source;
}
