/* SPDX-License-Identifier: MIT
 *
 * Builds the rows that depend on the pipeline, passes every edit to the model at once, and shows
 * the model's answer: error class and sentence at a bad field, reasons at targets that cannot be
 * chosen, memory needed and free.
 */
#include "ui/sidebar/sidebar.h"

#include "ui/class/class.h"
#include "ui/sidebar/history-panel.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/label.h"
#include "ui/widgets/reason-list.h"
#include "ui/widgets/setting-row.h"
#include "ui/widgets/template.h"

#include "app/base/text.h"
#include "app/figure/strip.h"

#include <math.h>

struct _SeamSidebar {
  AdwBin parent_instance;

  SeamModel *model;
  gboolean updating;       /* the program changes widgets: their signals are ignored */
  SeamPipeline *fields_of; /* pipeline of the shape rows; borrowed */
  GtkEntry *entries[SEAM_MAX_FIELDS];

  GtkListBox *pipeline_list;
  SeamHistoryPanel *history;
  GtkDropDown *preset_dropdown;
  GtkListBox *shape_list;
  GtkLabel *shape_heading, *run_heading, *shape_error;
  GtkDropDown *target_dropdown;
  GtkListBox *run_list;
  GtkLabel *run_error;
  GtkLabel *memory_label;
  GtkLevelBar *memory_bar;
};

G_DEFINE_FINAL_TYPE (SeamSidebar, seam_sidebar, ADW_TYPE_BIN)

/* Pipelines. */

static SeamFigure *
build_chain_cb (double width, double height, gpointer data)
{
  return seam_chain_figure_new (data, NULL, 15, 8);
}

static GtkWidget *
make_pipeline_row (SeamPipeline *pipeline)
{
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *grid = gtk_grid_new ();
  GtkWidget *name = seam_label_new (pipeline->id, "pipeline-name", 0);
  GtkWidget *chain = seam_figure_view_new ();
  g_autofree char *number = pipeline->number > 0
                                ? g_strdup_printf ("#%d", pipeline->number)
                                : g_strdup (seam_pipeline_is_own (pipeline) ? "own" : "");
  GtkWidget *number_label = seam_label_new (number, "dim-label note", 0);
  GtkWidget *state = seam_label_new (NULL, "note numeric", 0);

  gtk_widget_set_halign (number_label, GTK_ALIGN_END);
  gtk_widget_set_halign (state, GTK_ALIGN_END);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (name, TRUE);
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (chain), build_chain_cb,
                                seam_pipeline_ref (pipeline), (GDestroyNotify)seam_pipeline_unref);
  gtk_widget_set_can_target (chain, FALSE);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_attach (GTK_GRID (grid), name, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), number_label, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), chain, 0, 1, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), state, 1, 1, 1, 1);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);

  const char *note = seam_pipeline_get_name_note (pipeline);
  g_autofree char *tooltip =
      g_strdup_printf ("%s\n%s",
                       note != NULL              ? note
                       : pipeline->title != NULL ? pipeline->title
                                                 : pipeline->id,
                       pipeline->description != NULL ? pipeline->description : "");
  gtk_widget_set_tooltip_text (row, g_strstrip (tooltip));
  g_object_set_data_full (G_OBJECT (row), "pipeline", seam_pipeline_ref (pipeline),
                          (GDestroyNotify)seam_pipeline_unref);
  g_object_set_data (G_OBJECT (row), "state", state);

  GString *ops = g_string_new (pipeline->id);
  g_string_append (ops, note != NULL ? ", own file" : "");
  for (int i = 0; i < pipeline->chains[0].n_ops; i++)
    g_string_append_printf (ops, "%s%s", i == 0 ? ": " : ", ", pipeline->chains[0].ops[i].label);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, ops->str,
                                  -1);
  g_string_free (ops, TRUE);
  return row;
}

static void
pipeline_selected_cb (GtkListBox *list, GtkListBoxRow *row, SeamSidebar *self)
{
  if (self->updating || row == NULL)
    return;
  seam_setup_set_pipeline (self->model->setup, g_object_get_data (G_OBJECT (row), "pipeline"));
}

static void
fill_pipelines (SeamSidebar *self)
{
  GPtrArray *pipelines = seam_setup_get_pipelines (self->model->setup);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->pipeline_list))) != NULL)
    gtk_list_box_remove (self->pipeline_list, row);
  for (guint i = 0; i < pipelines->len; i++)
    gtk_list_box_append (self->pipeline_list, make_pipeline_row (g_ptr_array_index (pipelines, i)));
}

/* What the last run of each pipeline came to. */
static void
fill_states (SeamSidebar *self)
{
  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->pipeline_list)); row != NULL;
       row = gtk_widget_get_next_sibling (row)) {
    const SeamPipeline *pipeline = g_object_get_data (G_OBJECT (row), "pipeline");
    GtkWidget *state = g_object_get_data (G_OBJECT (row), "state");
    g_autofree char *words = NULL;
    g_autofree char *text =
        seam_history_panel_describe_pipeline (self->model->history, pipeline, &words);

    gtk_label_set_text (GTK_LABEL (state), text != NULL ? text : "");
    gtk_widget_set_tooltip_text (state, words);
  }
}

static void
select_pipeline (SeamSidebar *self)
{
  SeamPipeline *pipeline = seam_setup_get_pipeline (self->model->setup);

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->pipeline_list)); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    if (g_object_get_data (G_OBJECT (row), "pipeline") == pipeline)
      gtk_list_box_select_row (self->pipeline_list, GTK_LIST_BOX_ROW (row));
}

/* Shape. */

static void
field_changed_cb (GtkEditable *editable, SeamSidebar *self)
{
  int field = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (editable), "field"));

  if (!self->updating)
    seam_setup_set_field_text (self->model->setup, field, gtk_editable_get_text (editable));
}

/* Up and Down step by one, Page Up and Page Down double and halve: shapes are powers of two. */
static gboolean
field_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
              GtkEntry *entry)
{
  int field = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (entry), "field"));
  SeamSidebar *self =
      SEAM_SIDEBAR (gtk_widget_get_ancestor (GTK_WIDGET (entry), SEAM_TYPE_SIDEBAR));
  const SeamShapeField *info = &seam_setup_get_pipeline (self->model->setup)->fields[field];
  gint64 value = seam_setup_get_values (self->model->setup)[field];

  switch (key) {
  case GDK_KEY_Up:
    value += 1;
    break;
  case GDK_KEY_Down:
    value -= 1;
    break;
  case GDK_KEY_Page_Up:
    value *= 2;
    break;
  case GDK_KEY_Page_Down:
    value /= 2;
    break;
  default:
    return GDK_EVENT_PROPAGATE;
  }
  g_autofree char *text =
      g_strdup_printf ("%" G_GINT64_FORMAT, CLAMP (value, info->min, info->max));
  gtk_editable_set_text (GTK_EDITABLE (entry), text);
  gtk_editable_set_position (GTK_EDITABLE (entry), -1);
  return GDK_EVENT_STOP;
}

static GtkWidget *
make_field_row (SeamSidebar *self, const SeamShapeField *field, int index)
{
  GtkWidget *row = adw_action_row_new ();
  GtkWidget *entry = gtk_entry_new ();
  GtkWidget *unit = gtk_label_new (field->unit);
  g_autofree char *low = seam_text_count (field->min);
  g_autofree char *high = seam_text_count (field->max);
  g_autofree char *range =
      g_strdup_printf ("%s to %s%s%s", low, high, field->unit[0] != '\0' ? " " : "", field->unit);

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), field->label);
  gtk_widget_set_tooltip_text (row, range);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 9);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 9);
  gtk_editable_set_alignment (GTK_EDITABLE (entry), 1);
  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_DIGITS);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (entry, "row-entry");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  range, -1);
  g_object_set_data (G_OBJECT (entry), "field", GINT_TO_POINTER (index));
  g_signal_connect (entry, "changed", G_CALLBACK (field_changed_cb), self);
  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (field_key_cb), entry);
  gtk_widget_add_controller (entry, keys);

  gtk_label_set_xalign (GTK_LABEL (unit), 0);
  gtk_label_set_width_chars (GTK_LABEL (unit), 7);
  gtk_widget_add_css_class (unit, "unit-label");
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), entry);
  adw_action_row_add_suffix (ADW_ACTION_ROW (row), unit);
  adw_action_row_set_activatable_widget (ADW_ACTION_ROW (row), entry);
  /* Tab goes to the entry, not to the row around it first. */
  gtk_widget_set_focusable (row, FALSE);
  self->entries[index] = GTK_ENTRY (entry);
  return row;
}

static void
fill_fields (SeamSidebar *self)
{
  SeamPipeline *pipeline = seam_setup_get_pipeline (self->model->setup);
  g_autoptr (GtkStringList) presets = gtk_string_list_new (NULL);
  GtkWidget *row;

  if (self->fields_of == pipeline)
    return;
  self->fields_of = pipeline;
  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->shape_list))) != NULL)
    gtk_list_box_remove (self->shape_list, row);
  for (int i = 0; i < pipeline->n_fields; i++)
    gtk_list_box_append (self->shape_list, make_field_row (self, &pipeline->fields[i], i));
  for (int i = 0; i < pipeline->n_presets; i++)
    gtk_string_list_append (presets, pipeline->presets[i].name);
  gtk_string_list_append (presets, "own values");
  gtk_drop_down_set_model (self->preset_dropdown, G_LIST_MODEL (presets));
}

static void update_shape (SeamSidebar *self);
static void update_options (SeamSidebar *self);

static void
preset_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  guint selected = gtk_drop_down_get_selected (dropdown);

  if (self->updating || self->model == NULL)
    return;
  SeamPipeline *pipeline = seam_setup_get_pipeline (self->model->setup);
  if (selected < (guint)pipeline->n_presets)
    seam_setup_set_preset (self->model->setup, pipeline->presets[selected].name);
  /* "own values" stands for values that have no name and cannot be chosen: the selection is
   * restored. */
  self->updating = TRUE;
  update_shape (self);
  self->updating = FALSE;
}

static void
set_note (GtkLabel *label, const char *text)
{
  gtk_label_set_text (label, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (label), text != NULL);
}

static void
update_shape (SeamSidebar *self)
{
  SeamPipeline *pipeline = seam_setup_get_pipeline (self->model->setup);
  const gint64 *values = seam_setup_get_values (self->model->setup);
  const char *preset = seam_setup_get_preset (self->model->setup);
  guint selected = (guint)pipeline->n_presets;

  fill_fields (self);
  for (int i = 0; i < pipeline->n_fields; i++) {
    GtkEntry *entry = self->entries[i];
    const char *shown = gtk_editable_get_text (GTK_EDITABLE (entry));
    const char *error = seam_setup_get_field_error (self->model->setup, i);
    g_autofree char *plain = seam_text_read_typed (shown, "", pipeline->fields[i].unit, NULL);
    gint64 value;

    /* Keeps the typed text while it means the same, and while it is wrong. */
    if (error == NULL
        && (plain == NULL
            || !seam_text_parse_int64 (plain, "", G_MININT64, G_MAXINT64, &value, NULL)
            || value != values[i])) {
      g_autofree char *text = g_strdup_printf ("%" G_GINT64_FORMAT, values[i]);
      gtk_editable_set_text (GTK_EDITABLE (entry), text);
    }
    seam_entry_set_error (GTK_WIDGET (entry), error);
  }
  for (int i = 0; i < pipeline->n_presets; i++)
    if (g_strcmp0 (pipeline->presets[i].name, preset) == 0)
      selected = (guint)i;
  gtk_drop_down_set_selected (self->preset_dropdown, selected);
  set_note (self->shape_error, seam_setup_get_shape_error (self->model->setup));
}

/* Options of the run. */

/* The keyboard can choose entries that the pointer cannot. */
static void
refuse_choice (SeamSidebar *self, const char *reason)
{
  seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, reason, NULL);
  self->updating = TRUE;
  update_options (self);
  self->updating = FALSE;
}

static void
target_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  guint selected = gtk_drop_down_get_selected (dropdown);
  GPtrArray *targets = self->model != NULL ? seam_setup_get_targets (self->model->setup) : NULL;

  if (self->updating || targets == NULL || selected >= targets->len)
    return;
  const SeamDeviceInfo *info = g_ptr_array_index (targets, selected);
  if (info->available) {
    seam_setup_set_target (self->model->setup, info->id);
    return;
  }
  refuse_choice (self, info->reason != NULL ? info->reason : "This target is not available.");
}

/* Why a target is not available, and what would help. */
static char *
get_target_reason_cb (guint position, gpointer data)
{
  SeamSidebar *self = data;
  GPtrArray *targets = seam_setup_get_targets (self->model->setup);
  const SeamDeviceInfo *info =
      targets != NULL && position < targets->len ? g_ptr_array_index (targets, position) : NULL;

  if (info == NULL || info->available)
    return NULL;
  return g_strdup_printf ("%s%s%s", info->reason != NULL ? info->reason : "Not available.",
                          info->remedy != NULL ? "\n" : "",
                          info->remedy != NULL ? info->remedy : "");
}

static void
fill_targets (SeamSidebar *self)
{
  GPtrArray *targets = seam_setup_get_targets (self->model->setup);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (targets == NULL) {
    gtk_string_list_append (names, "Asking…");
  } else {
    for (guint i = 0; i < targets->len; i++) {
      const SeamDeviceInfo *info = g_ptr_array_index (targets, i);
      g_autofree char *text =
          g_strdup_printf ("%s (%s)", seam_device_info_get_name (info), info->id);
      gtk_string_list_append (names, text);
    }
  }
  gtk_drop_down_set_model (self->target_dropdown, G_LIST_MODEL (names));
}

static void
refused_cb (SeamSettingRow *row, const char *reason, SeamSidebar *self)
{
  seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, reason, NULL);
}

static void
fill_settings (SeamSidebar *self)
{
  for (const SeamField *const *field = seam_settings_list (); *field != NULL; field++) {
    GtkWidget *row;

    if ((*field)->setting->title == NULL)
      continue;
    row = seam_setting_row_new (seam_setup_get_settings (self->model->setup), *field);
    g_signal_connect (row, "refused", G_CALLBACK (refused_cb), self);
    gtk_list_box_append (self->run_list, row);
  }
}

static void
update_options (SeamSidebar *self)
{
  const SeamRunRequest *request = seam_setup_get_request (self->model->setup);
  GPtrArray *targets = seam_setup_get_targets (self->model->setup);
  const char *error =
      seam_chosen_settings_get_first_error (seam_setup_get_settings (self->model->setup));

  for (guint i = 0; targets != NULL && i < targets->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (targets, i);
    if (g_strcmp0 (info->id, request->target) == 0)
      gtk_drop_down_set_selected (self->target_dropdown, i);
  }
  set_note (self->run_error, error != NULL ? error : seam_advice_get_error (self->model->advice));
}

static void
set_too_much (SeamSidebar *self, gboolean too_much)
{
  seam_css_class_set (self->memory_label, "error", too_much);
  seam_css_class_set (self->memory_label, "dim-label", !too_much);
  seam_css_class_set (self->memory_bar, "too-much", too_much);
}

static void
update_memory (SeamSidebar *self)
{
  const SeamEstimate *estimate = seam_advice_get_estimate (self->model->advice);

  /* The last answer stays until the next one arrives, to avoid flicker. */
  if (estimate == NULL && seam_measurement_get_blocker (self->model->measurement) == NULL
      && seam_setup_get_targets (self->model->setup) != NULL
      && seam_measurement_get_state (self->model->measurement) == SEAM_RUN_IDLE)
    return;
  if (estimate == NULL) {
    gtk_label_set_text (self->memory_label, "Memory needed: not known yet");
    gtk_level_bar_set_value (self->memory_bar, 0);
    set_too_much (self, FALSE);
    return;
  }
  g_autofree char *needed = seam_text_bytes (estimate->bytes_needed);
  g_autofree char *markup = NULL;
  gboolean too_much = FALSE;
  if (estimate->bytes_free > 0) {
    g_autofree char *available = seam_text_bytes (estimate->bytes_free);
    too_much = estimate->bytes_needed > estimate->bytes_free;
    markup = g_strdup_printf ("Memory <b>%s</b> of %s free%s", needed, available,
                              too_much ? "; choose a smaller shape" : "");
    gtk_level_bar_set_value (self->memory_bar,
                             CLAMP (estimate->bytes_needed / estimate->bytes_free, 0, 1));
  } else {
    markup = g_strdup_printf ("Memory <b>%s</b>", needed);
    gtk_level_bar_set_value (self->memory_bar, 0);
  }
  gtk_label_set_markup (self->memory_label, markup);
  set_too_much (self, too_much);
}

/* Fills widgets without reacting to their signals. */
static void
fill (SeamSidebar *self, void (*fill_part) (SeamSidebar *self))
{
  self->updating = TRUE;
  fill_part (self);
  self->updating = FALSE;
}

static void
pipelines_changed_cb (gpointer owner)
{
  fill (owner, fill_pipelines);
  fill (owner, fill_states);
  fill (owner, select_pipeline);
}

static void
entries_changed_cb (gpointer owner)
{
  fill_states (owner);
}

static void
pipeline_changed_cb (gpointer owner)
{
  fill (owner, select_pipeline);
}

static void
shape_changed_cb (gpointer owner)
{
  fill (owner, update_shape);
}

static void
targets_changed_cb (gpointer owner)
{
  fill (owner, fill_targets);
}

static void
options_changed_cb (gpointer owner)
{
  fill (owner, update_options);
}

/* With a recorded run open, the shape is that of the recording, and a run is still made here. */
static void
viewing_changed_cb (gpointer owner)
{
  SeamSidebar *self = owner;
  gboolean recorded = seam_store_is_recorded (self->model->store);

  gtk_label_set_text (self->shape_heading, recorded ? "Shape of the recording" : "Shape");
  gtk_label_set_text (self->run_heading, recorded ? "Next run, on this computer" : "Run");
}

static void
estimate_changed_cb (gpointer owner)
{
  fill (owner, update_memory);
}

void
seam_sidebar_set_model (SeamSidebar *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_watch (self, G_CALLBACK (pipelines_changed_cb), model->setup, "pipelines", NULL);
  seam_watch (self, G_CALLBACK (pipeline_changed_cb), model->setup, "pipeline", NULL);
  seam_watch (self, G_CALLBACK (shape_changed_cb), model->setup, "pipeline shape", NULL);
  seam_watch (self, G_CALLBACK (targets_changed_cb), model->setup, "targets", NULL);
  seam_watch (self, G_CALLBACK (options_changed_cb), model->setup, "options targets", model->advice,
              "estimate", NULL);
  seam_watch (self, G_CALLBACK (estimate_changed_cb), model->setup, "shape", model->advice,
              "estimate", model->measurement, "state", NULL);
  seam_watch (self, G_CALLBACK (entries_changed_cb), model->history, "entries", NULL);
  seam_watch (self, G_CALLBACK (viewing_changed_cb), model->store, "viewing", model->measurement,
              "state result", NULL);
  seam_history_panel_set_list (self->history, model->history);
  self->updating = TRUE;
  fill_settings (self);
  pipelines_changed_cb (self);
  shape_changed_cb (self);
  targets_changed_cb (self);
  options_changed_cb (self);
  estimate_changed_cb (self);
}

/* The object. */

static void
let_go (SeamSidebar *self)
{
  self->updating = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_SIDEBAR);
}

static void
seam_sidebar_class_init (SeamSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (let_go));
  SEAM_OWNS (klass, SeamSidebar, g_object_unref, model);
  SEAM_TEMPLATE (klass, SeamSidebar, "sidebar.ui", pipeline_list, history, run_heading,
                 shape_heading, preset_dropdown, shape_list, shape_error, target_dropdown, run_list,
                 run_error, memory_label, memory_bar);
  gtk_widget_class_bind_template_callback (widget_class, pipeline_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, preset_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, target_selected_cb);
}

static void
seam_sidebar_init (SeamSidebar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  seam_reason_list_attach (self->target_dropdown, 20, get_target_reason_cb, self);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->target_dropdown),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, "Target", -1);
}
