/* SPDX-License-Identifier: MIT
 *
 * Follows the model: asks for the code of all plans when they or the target change, or takes what
 * a session kept, fills the list of groups, and shows one text, its lines tinted in the colours of
 * their ops. Changing it is in source-edit.c, machine code in source-assembly.c.
 */
#include "ui/source/source-private.h"

#include "app/base/text.h"
#include "app/runner/source.h"
#include "ui/source/source-measured.h"
#include "ui/source/source-tint.h"
#include "ui/widgets/gtk-repairs.h"

#include <string.h>

#define ASK_DELAY_MS 250

G_DEFINE_FINAL_TYPE (SeamSourcePage, seam_source_page, ADW_TYPE_BIN)

/* --- The text --- */

const SeamGroupCode *
seam_source_page_get_group (SeamSourcePage *self)
{
  if (self->code == NULL || self->plan >= self->code->n_plans
      || self->group >= self->code->plans[self->plan].n_groups)
    return NULL;
  return &self->code->plans[self->plan].groups[self->group];
}

const SeamSource *
seam_source_page_get_source (SeamSourcePage *self)
{
  const SeamGroupCode *group = seam_source_page_get_group (self);

  return group != NULL && self->part < (int)group->sources->len ? group->sources->pdata[self->part]
                                                                : NULL;
}

static const SeamChain *
get_chain (SeamSourcePage *self)
{
  int chain = self->code->plans[self->plan].chain;

  return &self->pipeline->chains[chain < self->pipeline->n_chains ? chain : 0];
}

static char *
name_ops (const SeamChain *chain, int first, int last)
{
  GString *text = g_string_new (NULL);

  for (int op = first; op <= last && op < chain->n_ops; op++)
    g_string_append_printf (text, "%s%s", op > first ? " + " : "", chain->ops[op].label);
  return g_string_free (text, FALSE);
}

GtkSourceBuffer *
seam_source_page_get_buffer (SeamSourcePage *self)
{
  return GTK_SOURCE_BUFFER (gtk_text_view_get_buffer (GTK_TEXT_VIEW (self->view)));
}

guint
seam_source_page_get_file (SeamSourcePage *self)
{
  guint file = gtk_drop_down_get_selected (self->files);

  return file == GTK_INVALID_LIST_POSITION ? 0 : file;
}

const char *
seam_source_page_get_text (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);
  guint file = seam_source_page_get_file (self);

  if (source == NULL)
    return "";
  if (file == 0 || file > source->includes->len)
    return seam_source_page_get_edit (self) != NULL ? seam_source_page_get_edit (self)
                                                    : source->text;
  return ((SeamSourceFile *)source->includes->pdata[file - 1])->text;
}

static void
tint (SeamSourcePage *self)
{
  const SeamSource *source =
      seam_source_page_get_file (self) == 0 ? seam_source_page_get_source (self) : NULL;

  seam_source_tint (seam_source_page_get_buffer (self), source, seam_source_page_get_text (self),
                    source != NULL ? get_chain (self) : NULL, self->legend);
}

/* The text that is there already stays, with the cursor in it: code arrives anew after every run
 * and choice. */
static void
write_text (SeamSourcePage *self)
{
  GtkTextBuffer *buffer = GTK_TEXT_BUFFER (seam_source_page_get_buffer (self));
  const char *wanted = seam_source_page_get_text (self);
  GtkTextIter start, end;

  gtk_text_buffer_get_bounds (buffer, &start, &end);
  g_autofree char *text = gtk_text_buffer_get_text (buffer, &start, &end, TRUE);
  if (strcmp (text, wanted) == 0)
    return;
  self->is_filling = TRUE;
  gtk_text_buffer_set_text (buffer, wanted, -1);
  gtk_text_buffer_get_start_iter (buffer, &start);
  gtk_text_buffer_place_cursor (buffer, &start);
  self->is_filling = FALSE;
}

void
seam_source_page_show_text (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);

  seam_source_clear_tint (seam_source_page_get_buffer (self));
  seam_source_set_language (seam_source_page_get_buffer (self), source);
  write_text (self);
  /* Words are wrapped, code is not. */
  gtk_text_view_set_wrap_mode (GTK_TEXT_VIEW (self->view),
                               source != NULL && seam_language_find (source->language)->is_words
                                   ? GTK_WRAP_WORD
                                   : GTK_WRAP_NONE);
  gtk_text_view_set_editable (GTK_TEXT_VIEW (self->view), seam_source_page_is_editable (self));
  tint (self);
  seam_source_page_update_edit (self);
  seam_source_page_update_assembly (self, 0);
}

static void
file_changed_cb (SeamSourcePage *self)
{
  if (!self->is_filling)
    seam_source_page_show_text (self);
}

static void
fill_files (SeamSourcePage *self)
{
  const SeamSource *source = seam_source_page_get_source (self);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);
  GtkStringList *before = GTK_STRING_LIST (gtk_drop_down_get_model (self->files));
  guint n = source != NULL ? 1 + source->includes->len : 0;
  gboolean is_same =
      before != NULL && g_list_model_get_n_items (G_LIST_MODEL (before)) == n && n > 0;

  for (guint i = 0; i < n; i++) {
    gtk_string_list_append (names, i == 0
                                       ? "This group's own"
                                       : ((SeamSourceFile *)source->includes->pdata[i - 1])->name);
    is_same =
        is_same
        && strcmp (gtk_string_list_get_string (before, i), gtk_string_list_get_string (names, i))
               == 0;
  }
  /* Code that arrives anew leaves the file that is read. */
  if (is_same && self->is_same_place)
    return;
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->files, G_LIST_MODEL (names));
  self->is_filling = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->files), source != NULL && source->includes->len > 0);
}

static void
append_measured (SeamSourcePage *self, GString *note)
{
  SeamResult *result = seam_model_get_result (self->model);
  const SeamSource *source = seam_source_page_get_source (self);

  if (self->is_kept)
    g_string_append_printf (
        note, "\nThis is the text that ran on %s, as %s keeps it; it is only shown.",
        result != NULL && result->device != NULL ? result->device->name : "another device",
        seam_model_get_stored_name (self->model));
  if (result != NULL && source != NULL && seam_model_get_stale_reason (self->model) == NULL
      && self->plan < result->n_plans)
    seam_source_append_measured (
        result, self->is_kept ? result->device : seam_model_get_target (self->model), self->plan,
        self->code->plans[self->plan].notation, self->group, source, note);
}

static void
show_group (SeamSourcePage *self)
{
  const SeamGroupCode *group = seam_source_page_get_group (self);
  const SeamSource *source = seam_source_page_get_source (self);
  g_autoptr (GString) note = g_string_new (NULL);

  if (group != NULL) {
    g_autofree char *ops =
        name_ops (get_chain (self), source != NULL ? source->first_op : group->first,
                  source != NULL ? source->last_op : group->last);
    g_autofree char *title =
        g_strdup_printf ("%c, group %d: %s", 'A' + self->plan, self->group + 1, ops);
    gtk_label_set_text (self->title, title);
    g_string_append (note, source != NULL ? source->title : "No code");
    /* cuDNN and cuBLASLt keep their small letter. */
    if (!g_str_has_prefix (note->str, "cu"))
      note->str[0] = g_ascii_toupper (note->str[0]);
    if (group->message != NULL)
      g_string_append_printf (note, ". %s", group->message);
    append_measured (self, note);
  } else {
    gtk_label_set_text (self->title, "");
  }
  if (group != NULL) {
    g_autofree char *shown = seam_text_show (note->str);
    gtk_label_set_text (self->note, shown);
  }
  fill_files (self);
  seam_source_page_show_text (self);
}

/* --- The list --- */

static GtkWidget *
make_heading (SeamSourcePage *self, int plan)
{
  const SeamPlanCode *code = &self->code->plans[plan];
  g_autofree char *text =
      g_strdup_printf ("%c  %s", 'A' + plan, code->name != NULL ? code->name : code->notation);
  GtkWidget *label = gtk_label_new (text);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_label_set_xalign (GTK_LABEL (label), 0);
  gtk_label_set_ellipsize (GTK_LABEL (label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class (label, "heading");
  gtk_widget_set_tooltip_text (label, code->notation);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, text, -1);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), label);
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  return row;
}

#define KEY_PLACE "seam-place"

/* Plan, group and part in one number, from 1 on. */
static gpointer
pack_place (int plan, int group, int part)
{
  return GINT_TO_POINTER (1 + part + 64 * (group + 64 * plan));
}

static GtkWidget *
make_row (SeamSourcePage *self, int plan, int group, int part)
{
  const SeamGroupCode *code = &self->code->plans[plan].groups[group];
  const SeamSource *source = part < (int)code->sources->len ? code->sources->pdata[part] : NULL;
  int chain = self->code->plans[plan].chain;
  g_autofree char *ops =
      name_ops (&self->pipeline->chains[chain < self->pipeline->n_chains ? chain : 0],
                source != NULL ? source->first_op : code->first,
                source != NULL ? source->last_op : code->last);
  g_autofree char *below =
      g_strdup_printf ("group %d · %s", group + 1, source != NULL ? source->title : "no code");
  g_autofree char *name = g_strdup_printf ("%c: %s, %s", 'A' + plan, ops, below);
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *labels[2] = { gtk_label_new (ops), gtk_label_new (below) };

  for (int i = 0; i < 2; i++) {
    gtk_label_set_xalign (GTK_LABEL (labels[i]), 0);
    gtk_label_set_ellipsize (GTK_LABEL (labels[i]), PANGO_ELLIPSIZE_END);
    gtk_box_append (GTK_BOX (box), labels[i]);
  }
  gtk_widget_add_css_class (labels[0], "pipeline-name");
  gtk_widget_add_css_class (labels[1], "dim-label");
  gtk_widget_add_css_class (labels[1], "note");
  gtk_widget_set_tooltip_text (row, ops);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  g_object_set_data (G_OBJECT (row), KEY_PLACE, pack_place (plan, group, part));
  return row;
}

static void
clear_list (SeamSourcePage *self)
{
  GtkWidget *row;

  while ((row = gtk_widget_get_first_child (GTK_WIDGET (self->groups))) != NULL)
    gtk_list_box_remove (self->groups, row);
}

/* Fills the list and selects what was shown before, else the first group. */
static void
fill_list (SeamSourcePage *self)
{
  gpointer wanted = pack_place (self->plan, self->group, self->part);
  GtkWidget *chosen = NULL, *first = NULL;

  self->is_filling = TRUE;
  clear_list (self);
  for (int p = 0; self->code != NULL && p < self->code->n_plans; p++) {
    gtk_list_box_append (self->groups, make_heading (self, p));
    for (int g = 0; g < self->code->plans[p].n_groups; g++) {
      int n = (int)self->code->plans[p].groups[g].sources->len;
      for (int part = 0; part < MAX (n, 1); part++) {
        GtkWidget *row = make_row (self, p, g, part);
        gtk_list_box_append (self->groups, row);
        first = first != NULL ? first : row;
        if (g_object_get_data (G_OBJECT (row), KEY_PLACE) == wanted)
          chosen = row;
      }
    }
  }
  self->is_filling = FALSE;
  chosen = chosen != NULL ? chosen : first;
  if (chosen != NULL)
    gtk_list_box_select_row (self->groups, GTK_LIST_BOX_ROW (chosen));
  else
    show_group (self);
}

static void
row_selected_cb (GtkListBox *box, GtkListBoxRow *row, SeamSourcePage *self)
{
  int place = row != NULL ? GPOINTER_TO_INT (g_object_get_data (G_OBJECT (row), KEY_PLACE)) : 0;

  if (self->is_filling || place == 0)
    return;
  self->is_same_place = pack_place (self->plan, self->group, self->part) == GINT_TO_POINTER (place);
  self->part = (place - 1) % 64;
  self->group = (place - 1) / 64 % 64;
  self->plan = (place - 1) / (64 * 64);
  show_group (self);
}

/* --- Asking --- */

typedef struct {
  SeamSourcePage *self;
  SeamPipeline *pipeline;
  guint serial;
} Question;

static void
take_code (SeamSourcePage *self, SeamCode *code, SeamPipeline *pipeline, gboolean is_kept)
{
  self->is_kept = is_kept;
  g_clear_pointer (&self->code, seam_code_free);
  g_clear_pointer (&self->pipeline, seam_pipeline_unref);
  self->code = code;
  self->pipeline = seam_pipeline_ref (pipeline);
  fill_list (self);
}

static void
answer_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  Question *question = data;
  g_autoptr (SeamSourcePage) self = question->self;
  g_autoptr (SeamPipeline) pipeline = question->pipeline;
  g_autoptr (GError) error = NULL;
  SeamCode *code = seam_worker_client_source_finish (SEAM_WORKER_CLIENT (source), async, &error);
  gboolean is_current = question->serial == self->serial && self->map != NULL;

  g_free (question);
  if (!is_current) {
    seam_code_free (code);
    return;
  }
  take_code (self, code, pipeline, FALSE);
  if (code == NULL)
    gtk_label_set_text (self->note, error->message);
}

SeamRunRequest *
seam_source_page_make_request (SeamSourcePage *self, char **plans)
{
  SeamRunRequest *request = seam_run_request_copy (seam_model_get_request (self->model));

  g_strfreev (request->plans);
  request->plans = plans;
  return request;
}

static SeamRunRequest *
make_request (SeamSourcePage *self)
{
  SeamRunRequest *request =
      seam_source_page_make_request (self, g_new0 (char *, SEAM_MODEL_MAX_PLANS + 1));

  for (int i = 0; i < seam_model_get_n_plans (self->model); i++) {
    SeamPlan *plan = seam_model_get_plan (self->model, i);
    request->plans[i] = g_strdup (plan->name != NULL ? plan->name : plan->notation);
  }
  seam_model_add_edits (self->model, request);
  return request;
}

/* --- What a session kept --- */

/* The shown plans out of all that the file has code of; FALSE where one is not among them. */
static gboolean
choose_kept (SeamCode *code, const SeamResult *result)
{
  for (int k = 0; k < result->n_plans; k++) {
    int i = k;

    while (i < code->n_plans && g_strcmp0 (code->plans[i].notation, result->plans[k].notation) != 0)
      i++;
    if (i >= code->n_plans)
      return FALSE;
    SeamPlanCode found = code->plans[i];
    code->plans[i] = code->plans[k];
    code->plans[k] = found;
  }
  seam_code_truncate (code, result->n_plans);
  return TRUE;
}

/* The code of the run from a session that is shown, or NULL. */
static SeamCode *
read_kept (SeamSourcePage *self)
{
  SeamSessionRun *run = seam_model_get_stored_pair (self->model);
  g_autoptr (SeamCode) code = NULL;

  if (run == NULL || run->code == NULL || seam_model_get_stale_reason (self->model) != NULL)
    return NULL;
  code = seam_code_from_variant (run->code, NULL);
  if (code == NULL || !choose_kept (code, run->result))
    return NULL;
  return g_steal_pointer (&code);
}

static gboolean
wants_kept (SeamSourcePage *self)
{
  return gtk_drop_down_get_selected (self->whose) == 0;
}

/* Whether the kept code is what is to be shown, and is. */
static gboolean
show_kept (SeamSourcePage *self)
{
  SeamCode *kept = read_kept (self);

  gtk_widget_set_visible (GTK_WIDGET (self->whose), kept != NULL);
  if (kept == NULL || !wants_kept (self)) {
    seam_code_free (kept);
    return FALSE;
  }
  self->is_dirty = FALSE;
  self->serial++;
  take_code (self, kept, seam_model_get_pipeline (self->model), TRUE);
  return TRUE;
}

static gboolean
ask_cb (gpointer data)
{
  SeamSourcePage *self = data;
  SeamWorkerClient *worker = seam_model_get_worker (self->model);
  const char *wrong = seam_model_get_shape_error (self->model);

  self->timeout = 0;
  if (show_kept (self))
    return G_SOURCE_REMOVE;
  /* The worker exists once the first frame is there; its targets are a change then. */
  if (worker == NULL || seam_model_get_targets (self->model) == NULL)
    return G_SOURCE_REMOVE;
  self->is_dirty = FALSE;
  self->serial++;
  if (wrong != NULL) {
    take_code (self, NULL, seam_model_get_pipeline (self->model), FALSE);
    gtk_label_set_text (self->note, wrong);
    return G_SOURCE_REMOVE;
  }
  g_autoptr (SeamRunRequest) request = make_request (self);
  Question *question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->pipeline = seam_pipeline_ref (request->pipeline);
  question->serial = self->serial;
  if (seam_model_get_run_state (self->model) != SEAM_RUN_IDLE)
    gtk_label_set_text (self->note, "The code is shown when the run is over.");
  seam_worker_client_source (worker, request, NULL, answer_cb, question);
  return G_SOURCE_REMOVE;
}

static void
queue_question (SeamSourcePage *self)
{
  if (!self->is_dirty || !gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  g_clear_handle_id (&self->timeout, g_source_remove);
  self->timeout = g_timeout_add (ASK_DELAY_MS, ask_cb, self);
}

static void
whose_changed_cb (SeamSourcePage *self)
{
  self->is_dirty = TRUE;
  queue_question (self);
}

static void
model_changed_cb (SeamModel *model, guint flags, SeamSourcePage *self)
{
  /* A run may have chosen a layout, has measured what the note says, and Stop ends a question that
   * waits for it. */
  if (flags
      & (SEAM_CHANGE_PIPELINE | SEAM_CHANGE_SHAPE | SEAM_CHANGE_PLANS | SEAM_CHANGE_OPTIONS
         | SEAM_CHANGE_TARGETS | SEAM_CHANGE_RESULT)) {
    self->is_dirty = TRUE;
    queue_question (self);
  }
}

static void
seam_source_page_map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (seam_source_page_parent_class)->map (widget);
  queue_question (SEAM_SOURCE_PAGE (widget));
}

/* --- The widget --- */

void
seam_source_page_set_model (SeamSourcePage *self, SeamModel *model, GActionMap *map)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  self->is_dirty = TRUE;
  seam_source_page_add_actions (self, map);
  seam_source_page_update_edit (self);
  g_signal_connect_object (model, "changed", G_CALLBACK (model_changed_cb), self, 0);
}

void
seam_source_page_set_narrow (SeamSourcePage *self, gboolean narrow)
{
  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  gtk_scrolled_window_set_min_content_height (self->groups_window, narrow ? 150 : -1);
  gtk_widget_set_vexpand (GTK_WIDGET (self->groups_window), !narrow);
}

static void
style_changed_cb (SeamSourcePage *self)
{
  seam_source_set_scheme (seam_source_page_get_buffer (self));
  seam_source_clear_tint (seam_source_page_get_buffer (self));
  tint (self);
  seam_source_page_recolor_assembly (self);
}

static void
seam_source_page_dispose (GObject *object)
{
  SeamSourcePage *self = SEAM_SOURCE_PAGE (object);

  g_clear_handle_id (&self->timeout, g_source_remove);
  seam_source_page_clear_assembly (self);
  g_clear_weak_pointer (&self->map);
  gtk_widget_dispose_template (GTK_WIDGET (self), SEAM_TYPE_SOURCE_PAGE);
  g_clear_pointer (&self->code, seam_code_free);
  g_clear_pointer (&self->pipeline, seam_pipeline_unref);
  g_clear_object (&self->model);
  G_OBJECT_CLASS (seam_source_page_parent_class)->dispose (object);
}

static void
seam_source_page_class_init (SeamSourcePageClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = seam_source_page_dispose;
  widget_class->map = seam_source_page_map;
  gtk_widget_class_set_template_from_resource (widget_class,
                                               "/io/github/seamscope/Seamscope/source-page.ui");
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, columns);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, groups_window);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, groups);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, title);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, note);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, storage_note);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, legend);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, files);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, view);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, pair);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, asm_box);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, asm_grid);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, asm_note);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, asm_view);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, asm_window);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, without_third);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, kinds);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, link_note);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, whose);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, code_grid);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, code_window);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, edit_box);
  gtk_widget_class_bind_template_child (widget_class, SeamSourcePage, errors);
}

static void
add_scrollbars (GtkGrid *grid, GtkScrolledWindow *window)
{
  gtk_grid_attach (grid,
                   seam_gtk_late_scrollbar_new (GTK_ORIENTATION_VERTICAL,
                                                gtk_scrolled_window_get_vadjustment (window)),
                   1, 0, 1, 1);
  gtk_grid_attach (grid,
                   seam_gtk_late_scrollbar_new (GTK_ORIENTATION_HORIZONTAL,
                                                gtk_scrolled_window_get_hadjustment (window)),
                   0, 1, 1, 1);
}

static void
seam_source_page_init (SeamSourcePage *self)
{
  AdwStyleManager *style = adw_style_manager_get_default ();

  g_type_ensure (GTK_SOURCE_TYPE_VIEW);
  gtk_widget_init_template (GTK_WIDGET (self));
  add_scrollbars (self->code_grid, self->code_window);
  add_scrollbars (self->asm_grid, self->asm_window);
  gtk_source_buffer_set_highlight_matching_brackets (seam_source_page_get_buffer (self), FALSE);
  seam_source_set_scheme (seam_source_page_get_buffer (self));
  seam_source_prepare_errors (self->view, self->errors);
  /* Nothing offers completions here; the popover for them would come all the same. */
  gtk_source_completion_block_interactive (gtk_source_view_get_completion (self->view));
  seam_source_page_init_assembly (self);
  g_signal_connect (self->groups, "row-selected", G_CALLBACK (row_selected_cb), self);
  g_signal_connect_object (self->files, "notify::selected", G_CALLBACK (file_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->whose, "notify::selected", G_CALLBACK (whose_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::dark", G_CALLBACK (style_changed_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (style, "notify::high-contrast", G_CALLBACK (style_changed_cb), self,
                           G_CONNECT_SWAPPED);
}
