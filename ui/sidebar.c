/* SPDX-License-Identifier: MIT
 *
 * Builds the rows that depend on the pipeline, passes every edit to the model at once, and shows
 * the model's answer: error class and sentence at a bad field, reasons at targets that cannot be
 * chosen, memory needed and free.
 */
#include "ui/sidebar.h"

#include "ui/figure-view.h"
#include "ui/reason-list.h"

#include "app/base/text.h"
#include "app/figure/strip.h"

#include <math.h>

struct _SeamSidebar {
  AdwBin parent_instance;

  SeamModel *model;
  gboolean updating;       /* widgets follow the model: their signals mean nothing */
  SeamPipeline *fields_of; /* whose fields the shape rows show; borrowed */
  GtkEntry *entries[SEAM_MAX_FIELDS];

  GtkListBox *pipeline_list;
  GtkDropDown *preset_dropdown;
  GtkListBox *shape_list;
  GtkLabel *shape_error;
  GtkDropDown *target_dropdown;
  GtkDropDown *math_dropdown;
  GtkDropDown *cache_dropdown;
  AdwActionRow *storage_row;
  GtkDropDown *storage_dropdown;
  const char *storage_reasons[SEAM_N_STORAGES]; /* as its list shows them */
  GtkWidget *launch_row;
  GtkDropDown *launch_dropdown;
  GtkDropDown *values_dropdown;
  GtkDropDown *against_dropdown;
  GtkEntry *budget_entry;
  GtkEntry *seed_entry;
  GtkLabel *run_error;
  GtkLabel *memory_label;
  GtkLevelBar *memory_bar;
  AdwActionRow *math_row;
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
  GtkWidget *name = gtk_label_new (pipeline->id);
  GtkWidget *chain = seam_figure_view_new ();
  g_autofree char *number =
      pipeline->number > 0 ? g_strdup_printf ("#%d", pipeline->number) : g_strdup ("");
  GtkWidget *number_label = gtk_label_new (number);

  gtk_label_set_xalign (GTK_LABEL (name), 0);
  gtk_label_set_ellipsize (GTK_LABEL (name), PANGO_ELLIPSIZE_MIDDLE);
  gtk_widget_set_hexpand (name, TRUE);
  gtk_widget_add_css_class (name, "pipeline-name");
  gtk_widget_add_css_class (number_label, "dim-label");
  gtk_widget_add_css_class (number_label, "note");
  seam_figure_view_set_builder (SEAM_FIGURE_VIEW (chain), build_chain_cb,
                                seam_pipeline_ref (pipeline), (GDestroyNotify)seam_pipeline_unref);
  gtk_widget_set_can_target (chain, FALSE);
  gtk_grid_set_row_spacing (GTK_GRID (grid), 2);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 6);
  gtk_grid_attach (GTK_GRID (grid), name, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), number_label, 1, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), chain, 0, 1, 2, 1);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);

  g_autofree char *tooltip =
      g_strdup_printf ("%s\n%s", pipeline->title != NULL ? pipeline->title : pipeline->id,
                       pipeline->description != NULL ? pipeline->description : "");
  gtk_widget_set_tooltip_text (row, g_strstrip (tooltip));
  g_object_set_data_full (G_OBJECT (row), "pipeline", seam_pipeline_ref (pipeline),
                          (GDestroyNotify)seam_pipeline_unref);

  GString *ops = g_string_new (pipeline->id);
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
  seam_model_set_pipeline (self->model, g_object_get_data (G_OBJECT (row), "pipeline"));
}

static void
fill_pipelines (SeamSidebar *self)
{
  GPtrArray *pipelines = seam_model_get_pipelines (self->model);
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->pipeline_list))) != NULL)
    gtk_list_box_remove (self->pipeline_list, row);
  for (guint i = 0; i < pipelines->len; i++)
    gtk_list_box_append (self->pipeline_list, make_pipeline_row (g_ptr_array_index (pipelines, i)));
}

static void
select_pipeline (SeamSidebar *self)
{
  SeamPipeline *pipeline = seam_model_get_pipeline (self->model);

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
    seam_model_set_field_text (self->model, field, gtk_editable_get_text (editable));
}

/* Up and Down step by one, Page Up and Page Down double and halve: shapes are powers of two. */
static gboolean
field_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
              GtkEntry *entry)
{
  int field = GPOINTER_TO_INT (g_object_get_data (G_OBJECT (entry), "field"));
  SeamSidebar *self =
      SEAM_SIDEBAR (gtk_widget_get_ancestor (GTK_WIDGET (entry), SEAM_TYPE_SIDEBAR));
  const SeamShapeField *info = &seam_model_get_pipeline (self->model)->fields[field];
  gint64 value = seam_model_get_values (self->model)[field];

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
  g_autofree char *text = seam_text_count (CLAMP (value, info->min, info->max));
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

  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), field->label);
  gtk_widget_set_tooltip_text (row, range);
  gtk_editable_set_width_chars (GTK_EDITABLE (entry), 7);
  gtk_editable_set_max_width_chars (GTK_EDITABLE (entry), 7);
  gtk_editable_set_alignment (GTK_EDITABLE (entry), 1);
  gtk_entry_set_input_purpose (GTK_ENTRY (entry), GTK_INPUT_PURPOSE_DIGITS);
  gtk_widget_set_valign (entry, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class (entry, "row-entry");
  gtk_accessible_update_property (GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  field->label, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, range, -1);
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
  SeamPipeline *pipeline = seam_model_get_pipeline (self->model);
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
  SeamPipeline *pipeline = seam_model_get_pipeline (self->model);
  if (selected < (guint)pipeline->n_presets)
    seam_model_set_preset (self->model, pipeline->presets[selected].name);
  /* "own values" is what the list says of other values, not a choice: what holds is shown again. */
  self->updating = TRUE;
  update_shape (self);
  self->updating = FALSE;
}

static void
set_field_state (GtkWidget *entry, const char *error)
{
  if (error != NULL)
    gtk_widget_add_css_class (entry, "error");
  else
    gtk_widget_remove_css_class (entry, "error");
  gtk_widget_set_tooltip_text (entry, error);
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (entry), GTK_ACCESSIBLE_STATE_INVALID,
      error != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
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
  SeamPipeline *pipeline = seam_model_get_pipeline (self->model);
  const gint64 *values = seam_model_get_values (self->model);
  const char *preset = seam_model_get_preset (self->model);
  guint selected = (guint)pipeline->n_presets;

  fill_fields (self);
  for (int i = 0; i < pipeline->n_fields; i++) {
    GtkEntry *entry = self->entries[i];
    const char *shown = gtk_editable_get_text (GTK_EDITABLE (entry));
    const char *error = seam_model_get_field_error (self->model, i);
    gint64 value;

    /* The text as it was typed stays while it means the same, and while it is wrong. */
    if (error == NULL
        && (!seam_text_parse_int64 (shown, "", G_MININT64, G_MAXINT64, &value, NULL)
            || value != values[i])) {
      g_autofree char *text = seam_text_count (values[i]);
      gtk_editable_set_text (GTK_EDITABLE (entry), text);
    }
    set_field_state (GTK_WIDGET (entry), error);
  }
  for (int i = 0; i < pipeline->n_presets; i++)
    if (g_strcmp0 (pipeline->presets[i].name, preset) == 0)
      selected = (guint)i;
  gtk_drop_down_set_selected (self->preset_dropdown, selected);
  set_note (self->shape_error, seam_model_get_shape_error (self->model));
}

/* Options of the run. */

/* The keyboard can reach what the pointer cannot choose. */
static void
refuse_choice (SeamSidebar *self, const char *reason)
{
  seam_model_say (self->model, SEAM_MESSAGE_TOAST, reason, NULL);
  self->updating = TRUE;
  update_options (self);
  self->updating = FALSE;
}

static void
target_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  guint selected = gtk_drop_down_get_selected (dropdown);
  GPtrArray *targets = self->model != NULL ? seam_model_get_targets (self->model) : NULL;

  if (self->updating || targets == NULL || selected >= targets->len)
    return;
  const SeamDeviceInfo *info = g_ptr_array_index (targets, selected);
  if (info->available) {
    seam_model_set_target (self->model, info->id);
    return;
  }
  refuse_choice (self, info->reason != NULL ? info->reason : "This target is not available.");
}

static void
math_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  if (!self->updating && self->model != NULL)
    seam_model_set_math_mode (self->model, (SeamMathMode)MIN (gtk_drop_down_get_selected (dropdown),
                                                              SEAM_N_MATH_MODES - 1));
}

static void
storage_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  guint selected = gtk_drop_down_get_selected (dropdown);
  const char *reason;

  if (self->updating || self->model == NULL || selected >= SEAM_N_STORAGES)
    return;
  reason = seam_model_refuse_storage (self->model, (SeamStorage)selected);
  if (reason == NULL) {
    seam_model_set_storage (self->model, (SeamStorage)selected);
    return;
  }
  refuse_choice (self, reason);
}

static void
cache_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  if (!self->updating && self->model != NULL)
    seam_model_set_cold (self->model, gtk_drop_down_get_selected (dropdown) == 0);
}

static void
launch_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  if (!self->updating && self->model != NULL)
    seam_model_set_launch (self->model, (SeamLaunchMode)gtk_drop_down_get_selected (dropdown));
}

static void
values_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  if (!self->updating && self->model != NULL)
    seam_model_set_distribution (self->model,
                                 (SeamDistribution)gtk_drop_down_get_selected (dropdown));
}

static void
against_selected_cb (GtkDropDown *dropdown, GParamSpec *pspec, SeamSidebar *self)
{
  if (!self->updating && self->model != NULL)
    seam_model_set_against_fp64 (self->model, gtk_drop_down_get_selected (dropdown) == 1);
}

static void
budget_changed_cb (GtkEditable *editable, SeamSidebar *self)
{
  if (!self->updating && self->model != NULL)
    seam_model_set_budget_text (self->model, gtk_editable_get_text (editable));
}

static void
seed_changed_cb (GtkEditable *editable, SeamSidebar *self)
{
  if (!self->updating && self->model != NULL)
    seam_model_set_seed_text (self->model, gtk_editable_get_text (editable));
}

/* Why a target is not available, and what would help. */
static char *
get_target_reason_cb (guint position, gpointer data)
{
  SeamSidebar *self = data;
  GPtrArray *targets = seam_model_get_targets (self->model);
  const SeamDeviceInfo *info =
      targets != NULL && position < targets->len ? g_ptr_array_index (targets, position) : NULL;

  if (info == NULL || info->available)
    return NULL;
  return g_strdup_printf ("%s%s%s", info->reason != NULL ? info->reason : "Not available.",
                          info->remedy != NULL ? "\n" : "",
                          info->remedy != NULL ? info->remedy : "");
}

static char *
get_storage_reason_cb (guint position, gpointer data)
{
  SeamSidebar *self = data;
  return g_strdup (seam_model_refuse_storage (self->model, (SeamStorage)position));
}

static void
fill_targets (SeamSidebar *self)
{
  GPtrArray *targets = seam_model_get_targets (self->model);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (targets == NULL) {
    gtk_string_list_append (names, "Asking…");
  } else {
    for (guint i = 0; i < targets->len; i++) {
      const SeamDeviceInfo *info = g_ptr_array_index (targets, i);
      g_autofree char *text =
          g_strdup_printf ("%s (%s)", info->name != NULL ? info->name : info->id, info->id);
      gtk_string_list_append (names, text);
    }
  }
  gtk_drop_down_set_model (self->target_dropdown, G_LIST_MODEL (names));
}

/* The list has the storages in their order. */
static void
fill_storages (SeamSidebar *self)
{
  g_autoptr (GtkStringList) titles = gtk_string_list_new (NULL);

  for (int i = 0; i < SEAM_N_STORAGES; i++)
    gtk_string_list_append (titles, seam_storages[(SeamStorage)i].title);
  gtk_drop_down_set_model (self->storage_dropdown, G_LIST_MODEL (titles));
}

static void
update_storage (SeamSidebar *self)
{
  const char *reason = NULL;
  gboolean has_choice = FALSE, differs = FALSE;

  for (int i = 0; i < SEAM_N_STORAGES; i++) {
    const char *refusal = seam_model_refuse_storage (self->model, (SeamStorage)i);

    differs |= refusal != self->storage_reasons[i];
    self->storage_reasons[i] = refusal;
    has_choice |= i != SEAM_STORAGE_FP32 && refusal == NULL;
    reason = refusal != NULL ? refusal : reason;
  }
  if (differs)
    seam_reason_list_update (self->storage_dropdown);
  gtk_drop_down_set_selected (self->storage_dropdown,
                              seam_model_get_request (self->model)->settings.storage);
  gtk_widget_set_sensitive (GTK_WIDGET (self->storage_dropdown), has_choice);
  gtk_widget_set_tooltip_text (
      GTK_WIDGET (self->storage_row),
      has_choice ? "In which type tensors lie in memory: FP32, or the 16-bit type of the math mode "
                   "for those between kernels, or for input, weight and output, too. All "
                   "arithmetic stays FP32"
                 : reason);
}

static void
update_launch (SeamSidebar *self)
{
  const char *refusal = seam_model_refuse_graph (self->model);

  gtk_drop_down_set_selected (self->launch_dropdown,
                              seam_model_get_request (self->model)->settings.launch);
  gtk_widget_set_sensitive (GTK_WIDGET (self->launch_dropdown), refusal == NULL);
  gtk_widget_set_tooltip_text (
      self->launch_row,
      refusal != NULL ? refusal
                      : "A call of the host for every kernel (stream), or one for the whole plan, "
                        "captured before as a CUDA graph: gaps between kernels are shorter then");
}

static void
update_options (SeamSidebar *self)
{
  const SeamRunRequest *request = seam_model_get_request (self->model);
  GPtrArray *targets = seam_model_get_targets (self->model);
  const char *error = seam_model_get_budget_error (self->model);
  double budget;
  gint64 seed;

  for (guint i = 0; targets != NULL && i < targets->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (targets, i);
    if (g_strcmp0 (info->id, request->target) == 0)
      gtk_drop_down_set_selected (self->target_dropdown, i);
  }
  /* The list has the modes in their order. */
  gtk_drop_down_set_selected (self->math_dropdown, request->settings.math_mode);
  gtk_drop_down_set_selected (self->cache_dropdown, request->settings.cold ? 0 : 1);
  update_storage (self);
  update_launch (self);
  gtk_drop_down_set_selected (self->values_dropdown, request->settings.distribution);
  gtk_drop_down_set_selected (self->against_dropdown, seam_model_get_against_fp64 (self->model));
  gtk_widget_set_tooltip_text (
      GTK_WIDGET (self->math_row),
      g_strcmp0 (request->target, "cpu") == 0
          ? "FP16 and BF16 round input and weight of convolution and matmul to that type; the CPU "
            "then multiplies them in FP32, no faster. It has no TF32 and computes in FP32 instead"
          : "Of convolution and matmul: TF32 allows them to round input and weight to 10 bits; "
            "FP16 and BF16 round them to that type. Sums are FP32");

  set_field_state (GTK_WIDGET (self->budget_entry), error);
  if (error == NULL
      && (!seam_text_parse_double (gtk_editable_get_text (GTK_EDITABLE (self->budget_entry)), "", 0,
                                   G_MAXDOUBLE, &budget, NULL)
          || budget != request->settings.budget_s)) {
    g_autofree char *text = g_strdup_printf ("%g", request->settings.budget_s);
    gtk_editable_set_text (GTK_EDITABLE (self->budget_entry), text);
  }
  if (error == NULL)
    error = seam_model_get_seed_error (self->model);
  set_field_state (GTK_WIDGET (self->seed_entry), seam_model_get_seed_error (self->model));
  if (seam_model_get_seed_error (self->model) == NULL
      && (!seam_text_parse_int64 (gtk_editable_get_text (GTK_EDITABLE (self->seed_entry)), "", 0,
                                  G_MAXINT64, &seed, NULL)
          || (guint64)seed != request->settings.seed)) {
    g_autofree char *text = g_strdup_printf ("%" G_GUINT64_FORMAT, request->settings.seed);
    gtk_editable_set_text (GTK_EDITABLE (self->seed_entry), text);
  }
  if (error == NULL)
    error = seam_model_get_estimate_error (self->model);
  set_note (self->run_error, error);
}

static void
set_too_much (SeamSidebar *self, gboolean too_much)
{
  GtkWidget *label = GTK_WIDGET (self->memory_label);

  if (too_much) {
    gtk_widget_add_css_class (label, "error");
    gtk_widget_remove_css_class (label, "dim-label");
    gtk_widget_add_css_class (GTK_WIDGET (self->memory_bar), "too-much");
  } else {
    gtk_widget_remove_css_class (label, "error");
    gtk_widget_add_css_class (label, "dim-label");
    gtk_widget_remove_css_class (GTK_WIDGET (self->memory_bar), "too-much");
  }
}

static void
update_memory (SeamSidebar *self)
{
  const SeamEstimate *estimate = seam_model_get_estimate (self->model);

  /* While an answer is on its way the last one stays: a flicker tells nobody anything. */
  if (estimate == NULL && seam_model_get_blocker (self->model) == NULL
      && seam_model_get_targets (self->model) != NULL
      && seam_model_get_run_state (self->model) == SEAM_RUN_IDLE)
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

static void
model_changed_cb (SeamModel *model, guint flags, SeamSidebar *self)
{
  self->updating = TRUE;
  if (flags & SEAM_CHANGE_PIPELINES)
    fill_pipelines (self);
  if (flags & (SEAM_CHANGE_PIPELINES | SEAM_CHANGE_PIPELINE))
    select_pipeline (self);
  if (flags & (SEAM_CHANGE_PIPELINE | SEAM_CHANGE_SHAPE))
    update_shape (self);
  if (flags & SEAM_CHANGE_TARGETS)
    fill_targets (self);
  if (flags & (SEAM_CHANGE_OPTIONS | SEAM_CHANGE_TARGETS | SEAM_CHANGE_ESTIMATE))
    update_options (self);
  if (flags & (SEAM_CHANGE_ESTIMATE | SEAM_CHANGE_SHAPE | SEAM_CHANGE_RUN))
    update_memory (self);
  self->updating = FALSE;
}

void
seam_sidebar_set_model (SeamSidebar *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed_cb), self, 0);
  self->updating = TRUE;
  fill_storages (self);
  model_changed_cb (model, SEAM_CHANGE_ALL, self);
}

/* The object. */

/* One accessible name for a row's title and the control at its end. */
static void
label_control (GtkWidget *control, const char *label)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (control), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
}

static void
seam_sidebar_dispose (GObject *object)
{
  SeamSidebar *self = SEAM_SIDEBAR (object);

  self->updating = TRUE;
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_SIDEBAR);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_sidebar_parent_class)->dispose (object);
}

static void
seam_sidebar_class_init (SeamSidebarClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = seam_sidebar_dispose;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/seamscope/Seamscope/sidebar.ui");
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, pipeline_list);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, preset_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, shape_list);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, shape_error);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, target_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, math_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, math_row);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, cache_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, storage_row);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, storage_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, launch_row);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, launch_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, values_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, against_dropdown);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, budget_entry);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, seed_entry);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, run_error);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, memory_label);
  gtk_widget_class_bind_template_child (widget_class, SeamSidebar, memory_bar);
  gtk_widget_class_bind_template_callback (widget_class, pipeline_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, preset_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, target_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, math_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, storage_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, cache_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, launch_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, values_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, against_selected_cb);
  gtk_widget_class_bind_template_callback (widget_class, budget_changed_cb);
  gtk_widget_class_bind_template_callback (widget_class, seed_changed_cb);
}

/* GTK takes Tab through every row of a list, and a row that has the focus is chosen: Tab would
 * change the pipeline. The list is one stop; its rows are reached by the arrows. */
static gboolean
list_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
             SeamSidebar *self)
{
  GtkWidget *before = gtk_widget_get_prev_sibling (GTK_WIDGET (self->pipeline_list));

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK)) != 0)
    return FALSE;
  if (key == GDK_KEY_Tab)
    return gtk_widget_child_focus (GTK_WIDGET (self->preset_dropdown), GTK_DIR_TAB_FORWARD);
  if (key == GDK_KEY_ISO_Left_Tab)
    return gtk_widget_child_focus (before, GTK_DIR_TAB_BACKWARD);
  return FALSE;
}

static void
seam_sidebar_init (SeamSidebar *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  seam_reason_list_attach (self->target_dropdown, 20, get_target_reason_cb, self);
  seam_reason_list_attach (self->storage_dropdown, 24, get_storage_reason_cb, self);

  GtkEventController *keys = gtk_event_controller_key_new ();
  gtk_event_controller_set_propagation_phase (keys, GTK_PHASE_CAPTURE);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (list_key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self->pipeline_list), keys);
  label_control (GTK_WIDGET (self->target_dropdown), "Target");
  label_control (GTK_WIDGET (self->math_dropdown), "Math mode");
  label_control (GTK_WIDGET (self->storage_dropdown), "Storage");
  label_control (GTK_WIDGET (self->cache_dropdown), "L2 cache");
  label_control (GTK_WIDGET (self->launch_dropdown), "Launch mode");
  label_control (GTK_WIDGET (self->values_dropdown), "Input values");
  label_control (GTK_WIDGET (self->against_dropdown), "Compare with");
  label_control (GTK_WIDGET (self->budget_entry), "Time budget in seconds");
  label_control (GTK_WIDGET (self->seed_entry), "Seed");
}
