/* SPDX-License-Identifier: MIT
 *
 * Made anew for each pipeline; only shape and memory change afterwards.
 */
#include "ui/browser/pipeline-details.h"

#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/op-chips.h"

#include "app/base/text.h"
#include "app/explore/lattice.h"
#include "app/pipeline/hint.h"
#include "app/report/sheets.h"
#include "app/report/summary.h"

#include <math.h>

#define PAIR_WIDTH 300 /* in any window: a wider one would have higher strips */

struct _SeamPipelineDetails {
  AdwBin parent_instance;

  SeamModel *model;
  SeamSetup *setup;
  SeamAdvice *advice; /* on `setup` */
  const SeamCatalogueEntry *entry;
  SeamResult *result; /* of the last run; NULL: none is shown */
  gboolean updating;

  GtkWidget *about, *shape, *run; /* cards */
  GtkGrid *chain;
  GtkDropDown *presets;
  GtkLabel *memory;
};

G_DEFINE_FINAL_TYPE (SeamPipelineDetails, seam_pipeline_details, ADW_TYPE_BIN)

static gpointer
add (gpointer box, gpointer child)
{
  gtk_box_append (box, child);
  return child;
}

/* --- the chain --- */

/* Name, what the op does, and the output's shape where it changes. */
static void
add_op (SeamPipelineDetails *self, const SeamProblem *problem, int op)
{
  const SeamChain *chain = &problem->pipeline->chains[0];
  const SeamShape *shape = seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (op));
  const SeamShape *before = seam_problem_get_shape (problem, SEAM_TENSOR_OUTPUT (op - 1));
  SeamOpKind kind = seam_op_get_kind (&chain->ops[op]);
  GtkWidget *chip = seam_op_chips_new (), *name = seam_label_new (chain->ops[op].label, "bold", 0);
  g_autofree char *words = seam_op_describe (problem, chain, op);
  g_autofree char *formula = seam_op_explain (problem, chain, op);
  g_autofree char *size = seam_text_bytes ((double)problem->tensors[SEAM_TENSOR_OUTPUT (op)].bytes);
  g_autofree char *dims = seam_shape_format (shape);
  gboolean changes = !seam_shape_equal (shape, before);

  seam_op_chips_set_kinds (SEAM_OP_CHIPS (chip), &kind, 1);
  gtk_widget_set_tooltip_text (name, formula);
  gtk_grid_attach (self->chain, chip, 0, op + 1, 1, 1);
  gtk_grid_attach (self->chain, name, 1, op + 1, 1, 1);
  gtk_grid_attach (self->chain, seam_label_new (words, "dim-label note", SEAM_LABEL_SHORTENS), 2,
                   op + 1, 1, 1);
  gtk_grid_attach (self->chain,
                   seam_label_new (changes ? dims : size, changes ? "note" : "dim-label note", 0),
                   3, op + 1, 1, 1);
}

static void
fill_chain (SeamPipelineDetails *self, const SeamProblem *problem)
{
  g_autofree char *input = seam_shape_format (seam_problem_get_shape (problem, SEAM_TENSOR_INPUT));

  seam_widget_clear (self->chain, G_CALLBACK (gtk_grid_remove));
  gtk_grid_attach (self->chain, seam_label_new ("input", "dim-label", 0), 1, 0, 2, 1);
  gtk_grid_attach (self->chain, seam_label_new (input, "note", 0), 3, 0, 1, 1);
  for (int i = 0; i < problem->pipeline->chains[0].n_ops; i++)
    add_op (self, problem, i);
}

/* What to know: void ops, and what a tab cannot do with the chain. */
static void
add_hints (SeamPipelineDetails *self, const SeamProblem *problem)
{
  const SeamChain *chain = &problem->pipeline->chains[0];

  for (int i = 0; i < chain->n_ops; i++) {
    g_autofree char *hint = seam_op_find_hint (problem, chain, i);
    if (hint != NULL)
      add (self->about, seam_label_new (hint, "note", SEAM_LABEL_WRAPS));
  }
  if (chain->n_ops - 1 > SEAM_LATTICE_MAX_SEAMS) {
    g_autofree char *limit =
        g_strdup_printf ("Explore takes chains of at most %d seams, and this one has %d.",
                         SEAM_LATTICE_MAX_SEAMS, chain->n_ops - 1);
    add (self->about, seam_label_new (limit, "note", SEAM_LABEL_WRAPS));
  }
}

static void
fill_about (SeamPipelineDetails *self)
{
  const SeamPipeline *pipeline = self->entry->pipeline;
  const SeamProblem *problem = seam_setup_get_problem (self->setup);
  const char *note = seam_pipeline_get_name_note (pipeline);
  int n_ops = pipeline->chains[0].n_ops;
  g_autofree char *facts =
      g_strdup_printf ("%s · %d ops, %d seams", pipeline->source, n_ops, n_ops - 1);

  add (self->about, seam_label_new (pipeline->id, "title-4", SEAM_LABEL_WRAPS));
  add (self->about, seam_label_new (facts, "dim-label note", SEAM_LABEL_WRAPS));
  if (note != NULL)
    add (self->about, seam_label_new (note, "note", SEAM_LABEL_WRAPS));
  self->chain = add (self->about, gtk_grid_new ());
  gtk_grid_set_column_spacing (self->chain, 8);
  gtk_grid_set_row_spacing (self->chain, 4);
  add_hints (self, problem);
}

/* --- the last run --- */

static void
emit_last_run (SeamPipelineDetails *self)
{
  g_signal_emit_by_name (self, "last-run");
}

static void
emit_use (SeamPipelineDetails *self)
{
  g_signal_emit_by_name (self, "use");
}

static SeamFigure *
build_pair_cb (double width, double height, gpointer data)
{
  SeamPipelineDetails *self = data;

  return self->result != NULL && self->result->n_plans > 1
             ? seam_pair_figure_new (self->result, 0, 1, PAIR_WIDTH, NULL)
             : NULL;
}

static void
fill_run (SeamPipelineDetails *self)
{
  const SeamHistoryEntry *last =
      seam_history_list_find_run (self->model->history, self->entry->pipeline);
  g_autoptr (SeamSession) session =
      last != NULL ? seam_history_list_load (self->model->history, last->id, NULL) : NULL;
  g_autoptr (SeamSessionRun) run = session != NULL ? seam_session_get_run (session, 0, NULL) : NULL;
  SeamSummarySides sides;

  if (run == NULL) {
    add (self->run, seam_label_new ("Not run yet", "heading", 0));
    return;
  }
  self->result = seam_result_ref (run->result);
  g_autofree char *when = seam_text_when (last->ended_at);
  g_autofree char *heading = g_strdup_printf ("Last run, %s on %s", when, last->device);
  seam_summary_sides_init (&sides, self->result, 0, self->result->n_plans > 1 ? 1 : -1);
  g_autoptr (SeamSummary) summary = seam_summary_new (&sides);
  add (self->run, seam_label_new (heading, "heading", SEAM_LABEL_WRAPS));
  add (self->run, seam_label_new (summary->headline,
                                  last->wrong ? "verdict-headline error" : "verdict-headline",
                                  SEAM_LABEL_WRAPS));
  add (self->run, seam_label_new (summary->detail, "dim-label note", SEAM_LABEL_WRAPS));
  GtkWidget *pair = add (self->run, seam_figure_view_new ());
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (pair), build_pair_cb, self, NULL);
  seam_figure_view_set_minimum_width (SEAM_FIGURE_VIEW (pair), PAIR_WIDTH);
  gtk_widget_set_visible (pair, self->result->n_plans > 1);
  GtkWidget *open =
      add (self->run, seam_button_new ("Open last run", NULL,
                                       "Shows it and executes nothing (Ctrl+Enter)", NULL));
  g_signal_connect_swapped (open, "clicked", G_CALLBACK (emit_last_run), self);
}

/* --- the shape --- */

static void
update_shape (SeamPipelineDetails *self)
{
  const SeamPipeline *pipeline = seam_setup_get_pipeline (self->setup);
  const char *preset = seam_setup_get_preset (self->setup);

  if (self->entry == NULL || self->entry->pipeline == NULL)
    return;
  fill_chain (self, seam_setup_get_problem (self->setup));
  self->updating = TRUE;
  gtk_drop_down_set_selected (self->presets, (guint)pipeline->n_presets);
  for (int i = 0; i < pipeline->n_presets; i++)
    if (g_strcmp0 (pipeline->presets[i].name, preset) == 0)
      gtk_drop_down_set_selected (self->presets, (guint)i);
  self->updating = FALSE;
}

static void
preset_selected_cb (SeamPipelineDetails *self)
{
  const SeamPipeline *pipeline = seam_setup_get_pipeline (self->setup);
  guint selected = gtk_drop_down_get_selected (self->presets);

  if (!self->updating && selected < (guint)pipeline->n_presets)
    seam_setup_set_preset (self->setup, pipeline->presets[selected].name);
}

/* "Needs 1.10 GB of memory, 12.9 GB is free. Floor 0.30 ms" */
static void
update_memory (SeamPipelineDetails *self)
{
  const SeamEstimate *estimate = seam_advice_get_estimate (self->advice);
  const char *error = seam_advice_get_error (self->advice);
  gboolean too_much = FALSE;
  g_autoptr (GString) words = g_string_new (error != NULL ? error : NULL);

  if (estimate != NULL) {
    g_autofree char *needed = seam_text_bytes (estimate->bytes_needed);
    g_autofree char *available = seam_text_bytes (estimate->bytes_free);
    g_autofree char *floor = seam_text_time (estimate->floor.floor_ns);

    too_much = estimate->bytes_free > 0 && estimate->bytes_needed > estimate->bytes_free;
    g_string_append_printf (words, "Needs %s of memory", needed);
    if (estimate->bytes_free > 0)
      g_string_append_printf (words, ", %s is free", available);
    if (!isnan (estimate->floor.floor_ns))
      g_string_append_printf (words, "; floor %s", floor);
    g_string_append (words, too_much ? ". Choose a smaller shape." : "");
  }
  gtk_label_set_text (self->memory, words->len > 0 ? words->str : "Memory needed: not known yet");
  seam_css_class_set (self->memory, "warning", too_much || error != NULL);
}

static void
begin_shape (SeamPipelineDetails *self, SeamPipeline *pipeline)
{
  g_autoptr (GtkStringList) presets = gtk_string_list_new (NULL);
  const SeamRunRequest *request = seam_setup_get_request (self->model->setup);

  seam_setup_set_target (self->setup, request->target);
  seam_chosen_settings_adopt (seam_setup_get_settings (self->setup), &request->settings);
  seam_setup_set_pipeline (self->setup, pipeline);
  /* The shape of the pipeline that is chosen already stays. */
  if (g_strcmp0 (pipeline->path, request->pipeline->path) == 0
      && seam_pipeline_covers (pipeline, request->pipeline))
    seam_setup_adopt_shape (self->setup, request->values, request->preset);
  else if (request->preset != NULL
           && seam_pipeline_get_preset (pipeline, request->preset, NULL) != NULL)
    seam_setup_set_preset (self->setup, request->preset);
  for (int i = 0; i < pipeline->n_presets; i++)
    gtk_string_list_append (presets, pipeline->presets[i].name);
  gtk_string_list_append (presets, "own values");
  self->updating = TRUE;
  gtk_drop_down_set_model (self->presets, G_LIST_MODEL (presets));
  self->updating = FALSE;
  seam_advice_start (self->advice);
}

/* --- the whole --- */

void
seam_pipeline_details_show (SeamPipelineDetails *self, const SeamCatalogueEntry *entry)
{
  gboolean readable = entry != NULL && entry->pipeline != NULL;

  self->entry = entry;
  g_clear_pointer (&self->result, seam_result_unref);
  seam_widget_clear (self->about, G_CALLBACK (gtk_box_remove));
  seam_widget_clear (self->run, G_CALLBACK (gtk_box_remove));
  gtk_widget_set_visible (GTK_WIDGET (self), entry != NULL);
  gtk_widget_set_visible (self->run, readable);
  gtk_widget_set_visible (self->shape, readable);
  if (readable) {
    begin_shape (self, entry->pipeline);
    fill_about (self);
    fill_run (self);
    update_shape (self);
    update_memory (self);
  } else if (entry != NULL) {
    add (self->about, seam_label_new ("This file cannot be read", "title-4", SEAM_LABEL_WRAPS));
    add (self->about, seam_label_new (entry->reason, NULL, SEAM_LABEL_WRAPS));
    add (self->about, seam_label_new ("The list reads it again as soon as it changes.",
                                      "dim-label note", SEAM_LABEL_WRAPS));
  }
}

void
seam_pipeline_details_set_across (SeamPipelineDetails *self, gboolean across)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (adw_bin_get_child (ADW_BIN (self))),
                                  across ? GTK_ORIENTATION_HORIZONTAL : GTK_ORIENTATION_VERTICAL);
}

SeamSetup *
seam_pipeline_details_get_setup (SeamPipelineDetails *self)
{
  return self->setup;
}

void
seam_pipeline_details_set_model (SeamPipelineDetails *self, SeamModel *model)
{
  /* Nobody hears what the worker's end means for these choices: the window says it. */
  g_autoptr (SeamNotices) notices = seam_notices_new ();

  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  self->setup = seam_setup_new (seam_setup_get_pipelines (model->setup), notices);
  self->advice = seam_advice_new (self->setup, model->workers.here, notices);
  seam_watch (self, G_CALLBACK (update_shape), self->setup, "shape", NULL);
  seam_watch (self, G_CALLBACK (update_memory), self->advice, "estimate", NULL);
}

static void
let_go (SeamPipelineDetails *self)
{
  if (self->advice != NULL)
    seam_advice_close (self->advice);
  seam_drop_children (GTK_WIDGET (self));
}

static void
seam_pipeline_details_class_init (SeamPipelineDetailsClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (let_go));
  seam_signals_install (klass, G_TYPE_NONE, "use last-run");
  SEAM_OWNS (klass, SeamPipelineDetails, g_object_unref, advice, setup, model);
  SEAM_OWNS (klass, SeamPipelineDetails, seam_result_unref, result);
}

static gpointer
make_card (void)
{
  GtkWidget *card = seam_box_new (GTK_ORIENTATION_VERTICAL, 6, "card", NULL);

  gtk_widget_set_hexpand (card, TRUE);
  return card;
}

static void
seam_pipeline_details_init (SeamPipelineDetails *self)
{
  GtkWidget *use = seam_button_new ("Use pipeline", "suggested-action",
                                    "Opens it with this shape, plan A unfused (Enter)", NULL);
  GtkWidget *heading = seam_label_new ("Shape", "heading", 0);

  self->about = make_card ();
  self->run = make_card ();
  self->shape = make_card ();
  self->presets = GTK_DROP_DOWN (gtk_drop_down_new (NULL, NULL));
  seam_widget_set_name (self->presets, "Preset of the shape");
  gtk_widget_set_hexpand (heading, TRUE);
  self->memory = seam_label_new (NULL, "dim-label note", SEAM_LABEL_WRAPS);
  add (self->shape,
       seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL, heading, self->presets, NULL));
  add (self->shape, self->memory);
  add (self->shape, use);
  g_signal_connect_swapped (use, "clicked", G_CALLBACK (emit_use), self);
  g_signal_connect_swapped (self->presets, "notify::selected", G_CALLBACK (preset_selected_cb),
                            self);
  GtkWidget *second =
      seam_box_new (GTK_ORIENTATION_VERTICAL, 10, NULL, self->shape, self->run, NULL);
  adw_bin_set_child (ADW_BIN (self),
                     seam_box_new (GTK_ORIENTATION_VERTICAL, 10, NULL, self->about, second, NULL));
}
