/* SPDX-License-Identifier: MIT
 *
 * Puts the parts together: the shown view, the actions, and the remembered state. The window's
 * layout is in window-layout.c, opening in window-files.c.
 */
#include "ui/window/window-private.h"

#include "ui/calibrate/calibrate-window.h"
#include "ui/comparison/compare-files.h"
#include "ui/session/history-actions.h"
#include "ui/widgets/template.h"
#include "ui/window/export.h"
#include "ui/window/messages.h"
#include "ui/window/pages.h"
#include "ui/help/help-window.h"
#include "ui/lesson/lesson-actions.h"
#include "ui/pitfalls/pitfall-window.h"
#include "ui/presenter/present-actions.h"
#include "ui/state/remembered.h"
#include "ui/window/shortcuts.h"
#include "ui/state/state.h"
#include "ui/widgets/toast.h"

#include "app/base/text.h"

#include <string.h>

G_DEFINE_FINAL_TYPE (SeamWindow, seam_window, ADW_TYPE_APPLICATION_WINDOW)

static void
set_enabled (SeamWindow *self, const char *name, gboolean enabled)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), name);
  g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
show_toast (SeamWindow *self, const char *text)
{
  seam_toast_show (self->toasts, text, FALSE);
}

/* Views. */

static gboolean
is_shown (SeamWindow *self, const char *view)
{
  return g_strcmp0 (gtk_stack_get_visible_child_name (self->views), view) == 0;
}

static gboolean
is_start_shown (SeamWindow *self)
{
  return is_shown (self, "start");
}

static void
show_view (SeamWindow *self, const char *view, const char *title, const char *subtitle)
{
  gboolean main = strcmp (view, "main") == 0, pipelines = strcmp (view, "pipelines") == 0;

  gtk_stack_set_visible_child_name (self->views, view);
  gtk_stack_set_visible_child_name (self->titles, main ? "pages" : "start");
  adw_window_title_set_title (self->title, title);
  adw_window_title_set_subtitle (self->title, subtitle);
  gtk_widget_set_visible (GTK_WIDGET (self->run_stack), main);
  gtk_widget_set_visible (self->leave_button, pipelines);
  gtk_widget_set_visible (self->sidebar_button, !pipelines);
  gtk_widget_set_sensitive (self->sidebar_button, main);
  /* Alt and a digit choose a collection there. */
  set_enabled (self, "page", !pipelines);
}

void
seam_window_show_start (SeamWindow *self, gboolean start)
{
  gboolean end = !start && seam_window_has_lesson (self) && self->lesson->step == NULL;

  if (!start)
    seam_remembered_set_boolean ("start-page-seen", TRUE);
  show_view (self,
             start ? "start"
             : end ? "end"
                   : "main",
             end ? self->lesson->lesson->title : "Seamscope", end ? "Last page" : "");
}

static gboolean
has_gpu (SeamWindow *self)
{
  const SeamDeviceInfo *best =
      seam_device_info_find_best (seam_setup_get_targets (self->model->setup));

  return best != NULL && seam_device_info_is_device (best);
}

/* Once in the program's life, and only on a GPU whose driver refuses its counters. */
static void
update_counters (SeamWindow *self)
{
  GPtrArray *checks = seam_setup_get_checks (self->model->setup);

  if (self->said_counters || !has_gpu (self) || seam_remembered_get_boolean ("hide-counters-note"))
    return;
  for (guint i = 0; checks != NULL && i < checks->len; i++) {
    const SeamCheck *check = g_ptr_array_index (checks, i);
    if (check->state == SEAM_CHECK_FAILED && g_str_has_prefix (check->title, "Hardware counters")) {
      self->said_counters = TRUE;
      seam_messages_show_counters (self->messages, check);
    }
  }
}

/* The exploration that the shown tab measures, if not the two plans. */
static SeamExploration *
get_shown_exploration (SeamWindow *self)
{
  return seam_page_get_exploration (seam_pages_get_shown (self->pages));
}

static void update_run (SeamWindow *self);
static void start_waiting_run (SeamWindow *self);

static void
page_changed_cb (SeamWindow *self)
{
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self), "page");
  const char *name = adw_view_stack_get_visible_child_name (self->pages);

  if (name != NULL)
    g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_string (name));
  /* The waiting run was requested on another tab. */
  self->run_waits = FALSE;
  /* On Explore and Sweep the button measures partitions or points. */
  if (self->model != NULL)
    update_run (self);
}

/* Following the model. */

/* On every tab: says that the shown result was measured wrong on purpose. */
static void
update_pitfalls (SeamWindow *self)
{
  SeamResult *result = seam_measurement_get_result (self->model->measurement);
  g_autofree char *warning = result != NULL ? seam_pitfalls_warn (result->pitfalls) : NULL;
  g_autofree char *text = warning != NULL ? g_strconcat ("⚠ ", warning, NULL) : NULL;

  gtk_label_set_text (self->pitfall_bar, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->pitfall_bar), text != NULL);
}

static void
set_run_label (SeamWindow *self, const char *label)
{
  AdwButtonContent *content =
      ADW_BUTTON_CONTENT (gtk_button_get_child (GTK_BUTTON (self->run_button)));

  if (strcmp (adw_button_content_get_label (content), label) != 0)
    adw_button_content_set_label (content, label);
}

/* Why the button cannot be pressed, or NULL. */
static const char *
get_run_blocker (SeamWindow *self)
{
  SeamExploration *shown = get_shown_exploration (self);

  if (shown != NULL)
    return seam_exploration_get_blocker (shown);
  return seam_measurement_get_blocker (self->model->measurement);
}

static void
update_run (SeamWindow *self)
{
  SeamRunState state = seam_measurement_get_state (self->model->measurement);
  SeamExploration *busy = seam_explorations_get_busy (&self->model->explorations),
                  *shown = get_shown_exploration (self);
  const char *blocker = get_run_blocker (self);
  gboolean idle = state == SEAM_RUN_IDLE && busy == NULL;

  set_enabled (self, "run", idle && blocker == NULL);
  set_enabled (self, "pitfalls", idle);
  set_enabled (
      self, "stop",
      state == SEAM_RUN_RUNNING || self->run_waits
          || (busy != NULL && seam_exploration_get_state (busy) == SEAM_EXPLORATION_MEASURING));
  gtk_stack_set_visible_child_name (self->run_stack, idle ? "run" : "stop");
  set_run_label (self, shown != NULL ? "Measure all" : "Run");
  gtk_widget_set_tooltip_text (self->run_button, blocker != NULL ? blocker
                                                 : shown != NULL ? "Measure what is left (Ctrl+R)"
                                                                 : "Run both plans (Ctrl+R)");
}

static void
exploration_changed_cb (SeamExploration *exploration, gboolean points, SeamWindow *self)
{
  update_run (self);
  start_waiting_run (self);
}

/* "2.67 GB of 12.9 GB", that a run needs here; NULL: not known. Newly allocated. */
static char *
describe_memory (SeamWindow *self)
{
  const SeamEstimate *estimate = seam_advice_get_estimate (self->model->advice);

  if (estimate == NULL)
    return NULL;
  g_autofree char *needed = seam_text_bytes (estimate->bytes_needed);
  g_autofree char *available = seam_text_bytes (estimate->bytes_free);
  return estimate->bytes_free > 0 ? g_strdup_printf ("%s of %s", needed, available)
                                  : g_strdup (needed);
}

/* "Recorded on NVIDIA H200", or the name of the target; newly allocated. */
static char *
describe_device (SeamWindow *self)
{
  const SeamRunRequest *request = seam_setup_get_request (self->model->setup);
  const SeamDeviceInfo *target = seam_setup_get_target (self->model->setup);
  const SeamDeviceInfo *recorded = seam_store_get_device (self->model->store);

  if (recorded != NULL)
    return g_strconcat ("Recorded on ", seam_device_info_get_name (recorded), NULL);
  if (target != NULL && target->name != NULL)
    return g_strdup (target->name);
  return g_strdup (request->target != NULL ? request->target : "–");
}

/* The line in the place of the sidebar or of the lesson, where that is folded away. */
static void
update_summary (SeamWindow *self)
{
  const SeamRunRequest *request = seam_setup_get_request (self->model->setup);
  const char *preset = seam_setup_get_preset (self->model->setup);
  const SeamProblem *problem = seam_setup_get_problem (self->model->setup);
  const SeamLesson *lesson = self->lesson->lesson;
  g_autofree char *shape = preset == NULL && problem != NULL
                               ? seam_problem_describe_shape (problem)
                               : g_strdup (preset != NULL ? preset : "");
  g_autofree char *settings =
      seam_settings_describe (&request->settings, SEAM_CONCERN_ALL & ~SEAM_CONCERN_TENSORS, " · ");
  g_autofree char *device = describe_device (self);
  g_autofree char *memory =
      seam_store_is_recorded (self->model->store) ? NULL : describe_memory (self);
  g_autofree char *markup =
      lesson != NULL
          ? g_markup_printf_escaped ("<b>Lesson: %s</b>  Step %d of %u", lesson->title,
                                     MIN (self->lesson->answers->step + 1, (int)lesson->steps->len),
                                     lesson->steps->len)
          : g_markup_printf_escaped ("<b>%s</b>  %s · %s · %s%s%s", request->pipeline->id, shape,
                                     device, settings, memory != NULL ? " · " : "",
                                     memory != NULL ? memory : "");

  gtk_label_set_markup (self->summary, markup);
  gtk_widget_set_tooltip_text (self->summary_button,
                               lesson != NULL ? "Show the lesson (F9)"
                                              : "Pipeline, shape and options of the run (F9)");
}

static void
state_changed_cb (SeamWindow *self)
{
  if (seam_measurement_get_state (self->model->measurement) == SEAM_RUN_RUNNING)
    seam_messages_clear (self->messages, NULL);
}

static void
choice_changed_cb (gpointer owner)
{
  update_run (owner);
  update_summary (owner);
}

static void
message_cb (SeamNotices *notices, guint kind, const char *title, const char *text, SeamWindow *self)
{
  if (kind == SEAM_MESSAGE_TOAST) {
    show_toast (self, title);
    return;
  }
  if (kind == SEAM_MESSAGE_OVER) {
    seam_messages_clear (self->messages, title);
    return;
  }
  if (kind == SEAM_MESSAGE_ASK) {
    seam_messages_ask (GTK_WINDOW (self), self->model, title, text);
    return;
  }
  seam_messages_show (self->messages, self->model, kind, title, text);
  if (is_shown (self, "pipelines"))
    show_toast (self, title);
  if (!is_start_shown (self))
    return;
  /* Without the worker's answer there are no targets. The bar with another message stands over the
   * pages. */
  if (kind == SEAM_MESSAGE_WORKER_LOST || seam_setup_get_targets (self->model->setup) == NULL)
    seam_start_page_set_error (self->start, text);
  else
    show_toast (self, title);
}

gboolean
seam_window_has_lesson (SeamWindow *self)
{
  return self->lesson != NULL && self->lesson->lesson != NULL;
}

/* The pane is wider than the sidebar, and shown whether or not the person likes the sidebar. */
static void
lesson_changed_cb (SeamWindow *self)
{
  const char *wanted = seam_window_has_lesson (self) ? "lesson" : "sidebar";

  update_summary (self);
  gtk_widget_set_visible (self->to_lesson, seam_window_has_lesson (self));
  if (seam_window_has_lesson (self) || is_shown (self, "end"))
    seam_window_show_start (self, !seam_window_has_lesson (self));
  if (g_strcmp0 (gtk_stack_get_visible_child_name (self->side), wanted) == 0)
    return;
  gtk_stack_set_visible_child_name (self->side, wanted);
  adw_flap_set_reveal_flap (self->flap,
                            seam_window_has_lesson (self) || (!self->folded && self->show_sidebar));
  if (self->width_seen > 0)
    seam_window_apply_width (self, self->width_seen);
}

void
seam_window_open_lesson (SeamWindow *self, SeamLesson *lesson)
{
  seam_window_show_start (self, FALSE);
  seam_lesson_player_open (self->lesson, lesson);
  adw_flap_set_reveal_flap (self->flap, TRUE);
}

static void
lesson_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;
  g_autoptr (GError) error = NULL;
  SeamLesson *lesson = seam_lesson_find (g_variant_get_string (parameter, NULL), &error);

  if (lesson != NULL)
    seam_window_open_lesson (self, lesson);
  else
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The lesson cannot be opened",
                      error->message);
}

static void
update_undo (SeamWindow *self)
{
  GAction *undo = g_action_map_lookup_action (G_ACTION_MAP (self), "undo");

  g_simple_action_set_enabled (G_SIMPLE_ACTION (undo), seam_setup_can_undo (self->model->setup));
}

/* Shows the model's current state. */
static void
follow_model (SeamWindow *self)
{
  const SeamModel *model = self->model;

  g_signal_connect_object (model->notices, "message", G_CALLBACK (message_cb), self, 0);
  for (guint kind = 0; kind < G_N_ELEMENTS (model->explorations.all); kind++)
    g_signal_connect_object (model->explorations.all[kind], "changed",
                             G_CALLBACK (exploration_changed_cb), self, 0);
  seam_watch (self, G_CALLBACK (lesson_changed_cb), self->lesson, "step", NULL);
  seam_watch (self, G_CALLBACK (update_counters), model->setup, "targets", NULL);
  seam_watch (self, G_CALLBACK (update_pitfalls), model->setup, "pipeline", model->measurement,
              "state result", NULL);
  seam_watch (self, G_CALLBACK (state_changed_cb), model->measurement, "state", NULL);
  seam_watch (self, G_CALLBACK (choice_changed_cb), model->setup, "pipeline shape options targets",
              model->advice, "estimate", model->measurement, "state result", model->store,
              "viewing", NULL);
  seam_watch (self, G_CALLBACK (start_waiting_run), model->setup, "targets", model->advice,
              "estimate", NULL);
  seam_watch_now (self, G_CALLBACK (update_undo), model->setup, "plans can-undo");
  update_undo (self);
  update_counters (self);
  update_pitfalls (self);
  choice_changed_cb (self);
}

/* Actions. */

static void
run_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;

  /* Remembered now and not only at the end: what one runs is what one wants to find again. The
   * settings of a recorded run are not the person's own. */
  if (!seam_store_is_viewing (self->model->store))
    seam_state_save (self->model);
  if (get_shown_exploration (self) != NULL)
    seam_exploration_start (get_shown_exploration (self));
  else
    seam_measurement_run (self->model->measurement);
}

/* Nothing can start before the target has answered; a person who has asked for a run need not
 * ask again. */
static gboolean
is_answer_expected (SeamWindow *self)
{
  SeamExploration *shown = get_shown_exploration (self);

  return shown != NULL ? seam_exploration_is_asking (shown)
                       : seam_advice_is_asking (self->model->advice);
}

static gboolean
is_idle (SeamWindow *self)
{
  return seam_measurement_get_state (self->model->measurement) == SEAM_RUN_IDLE
         && seam_explorations_get_busy (&self->model->explorations) == NULL;
}

/* The keys for Run, which also work while the button is disabled: they start a run as soon as it
 * can begin, or say why it cannot. */
static void
run_when_ready_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;
  const char *blocker = get_run_blocker (self);
  gboolean can_begin = is_idle (self) && gtk_widget_get_visible (GTK_WIDGET (self->run_stack));

  self->run_waits = can_begin && is_answer_expected (self);
  update_run (self);
  if (!can_begin || self->run_waits)
    return;
  if (blocker != NULL)
    show_toast (self, blocker);
  else
    run_cb (action, parameter, data);
}

/* Call it after a change that a run may wait for. */
static void
start_waiting_run (SeamWindow *self)
{
  if (!self->run_waits || is_answer_expected (self))
    return;
  run_when_ready_cb (NULL, NULL, self);
}

static void
stop_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;

  if (self->run_waits) {
    self->run_waits = FALSE;
    update_run (self);
    show_toast (self, "Not started: the target had not answered yet");
  } else if (seam_explorations_get_busy (&self->model->explorations) != NULL) {
    seam_exploration_stop (seam_explorations_get_busy (&self->model->explorations));
  } else {
    seam_measurement_stop (self->model->measurement);
  }
}

static void
undo_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  seam_setup_undo (SEAM_WINDOW (data)->model->setup);
}

static void
page_state_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  SeamWindow *self = data;
  const char *name = g_variant_get_string (state, NULL);

  if (adw_view_stack_get_child_by_name (self->pages, name) == NULL)
    return;
  seam_window_show_start (self, FALSE);
  adw_view_stack_set_visible_child_name (self->pages, name);
}

/* Shows what this computer can run, and no recording: this pipeline, or the chosen one (""). */
static void
begin_here_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;
  GPtrArray *pipelines = seam_setup_get_pipelines (self->model->setup);
  SeamPipeline *found = NULL;

  seam_lesson_player_close (self->lesson);
  seam_session_file_close (self->session);
  for (guint i = 0; i < pipelines->len; i++)
    if (strcmp (((SeamPipeline *)pipelines->pdata[i])->id, g_variant_get_string (parameter, NULL))
            == 0
        && (found == NULL || !seam_pipeline_is_own (pipelines->pdata[i])))
      found = pipelines->pdata[i]; /* a built-in one before a person's file of the same name */
  if (found != NULL)
    seam_setup_set_pipeline (self->model->setup, found);
  seam_window_show_start (self, FALSE);
  gtk_widget_grab_focus (self->run_button);
}

static void
start_page_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;

  seam_window_show_start (self, TRUE);
  seam_start_page_grab_focus (self->start);
}

static void
pipelines_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;

  if (!is_shown (self, "pipelines"))
    self->came_from_start = is_start_shown (self);
  show_view (self, "pipelines", "Pipelines", "");
  gtk_widget_grab_focus (GTK_WIDGET (self->browser));
}

static void
leave_pipelines_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;

  seam_window_show_start (self, self->came_from_start);
}

static void
help_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamWindow *self = data;
  const SeamPageInterface *page = SEAM_PAGE_GET_IFACE (seam_pages_get_shown (self->pages));
  g_autofree char *address = g_strconcat ("window#", page->name, NULL);

  seam_help_window_present (gtk_window_get_application (GTK_WINDOW (self)),
                            is_start_shown (self)          ? SEAM_HELP_INDEX
                            : is_shown (self, "pipelines") ? "pipelines#all-pipelines-in-the-window"
                                                           : address);
}

/* Opens the help at a page or a term: "glossary#floor". */
static void
help_at_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  seam_help_window_present (gtk_window_get_application (GTK_WINDOW (data)),
                            g_variant_get_string (parameter, NULL));
}

static const GActionEntry actions[] = {
  { .name = "help", .activate = help_cb },
  { .name = "help-at", .parameter_type = "s", .activate = help_at_cb },
  { .name = "begin", .parameter_type = "s", .activate = begin_here_cb },
  { .name = "lesson", .parameter_type = "s", .activate = lesson_cb },
  { .name = "run", .activate = run_cb },
  { .name = "run-when-ready", .activate = run_when_ready_cb },
  { .name = "stop", .activate = stop_cb },
  { .name = "undo", .activate = undo_cb },
  { .name = "start-page", .activate = start_page_cb },
  { .name = "pipelines", .activate = pipelines_cb },
  { .name = "leave-pipelines", .activate = leave_pipelines_cb },
  { .name = "page", .parameter_type = "s", .state = "'timing'", .change_state = page_state_cb },
};

/* First frame, and state. */

/* The worker starts only now: the first frame must not wait for it. */
static void
after_paint_cb (GdkFrameClock *clock, SeamWindow *self)
{
  g_signal_handlers_disconnect_by_func (clock, after_paint_cb, self);
  if (self->saw_first_frame)
    return;
  self->saw_first_frame = TRUE;
  g_debug ("first frame after %.0f ms", (g_get_monotonic_time () - self->started_us) / 1e3);
  seam_advice_start (self->model->advice);
}

static void
seam_window_realize (GtkWidget *widget)
{
  SeamWindow *self = SEAM_WINDOW (widget);

  GTK_WIDGET_CLASS (seam_window_parent_class)->realize (widget);
  seam_window_follow_surface (self);
  g_signal_connect_object (gtk_widget_get_frame_clock (widget), "after-paint",
                           G_CALLBACK (after_paint_cb), self, 0);
}

static gboolean
seam_window_close_request (GtkWindow *window)
{
  SeamWindow *self = SEAM_WINDOW (window);
  int width, height;

  if (!seam_session_file_may_close (self->session))
    return TRUE;
  gtk_window_get_default_size (window, &width, &height);
  seam_remembered_set_int ("window-width", width);
  seam_remembered_set_int ("window-height", height);
  seam_remembered_set_boolean ("window-maximized", gtk_window_is_maximized (window));
  seam_remembered_set_boolean ("show-sidebar", self->show_sidebar);
  /* The start page offers to go on with the lesson. */
  seam_remembered_set_boolean ("start-page-seen",
                               !seam_window_has_lesson (self) && !is_start_shown (self));
  seam_remembered_set_string ("page", adw_view_stack_get_visible_child_name (self->pages));
  /* A recorded run changes nothing of what is chosen here, nor does a lesson. */
  seam_lesson_player_close (self->lesson);
  seam_session_file_close (self->session);
  seam_state_save (self->model);
  return GTK_WINDOW_CLASS (seam_window_parent_class)->close_request (window);
}

static void
seam_window_dispose (GObject *object)
{
  SeamWindow *self = SEAM_WINDOW (object);

  g_clear_handle_id (&self->layout_id, g_source_remove);
  g_clear_object (&self->lesson);
  g_clear_object (&self->session);
  G_OBJECT_CLASS (seam_window_parent_class)->dispose (object);
  if (self->model != NULL)
    seam_model_close (self->model);
  g_clear_object (&self->model);
}

static void
seam_window_class_init (SeamWindowClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = seam_window_dispose;
  GTK_WINDOW_CLASS (klass)->close_request = seam_window_close_request;
  widget_class->realize = seam_window_realize;
  SEAM_TEMPLATE (klass, SeamWindow, "window.ui", toasts, titles, views, run_stack, run_progress,
                 run_button, stop_button, sidebar_button, flap, side, sidebar, to_lesson,
                 lesson_pane, lesson_end, title, messages, recent_menu, samples_menu, figures_menu,
                 texts_menu, copy_menu, session_bar, pitfall_bar, summary_button, summary, pages,
                 start, browser, leave_button);
  /* Bound to the window and not to the application, so that a text field's own undo comes first. */
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_z, GDK_CONTROL_MASK, "win.undo", NULL);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Right, GDK_ALT_MASK, "win.lesson-step",
                                       "i", 1);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_Left, GDK_ALT_MASK, "win.lesson-step",
                                       "i", -1);
}

/* The person may come from another window that has measured something. */
static void
active_cb (SeamWindow *self)
{
  if (gtk_window_is_active (GTK_WINDOW (self)) && self->model != NULL)
    seam_history_list_refresh (self->model->history);
}

static void
seam_window_init (SeamWindow *self)
{
  g_autoptr (GPropertyAction) sidebar = NULL, side = NULL;

  g_action_map_add_action_entries (G_ACTION_MAP (self), actions, G_N_ELEMENTS (actions), self);
  gtk_widget_init_template (GTK_WIDGET (self));
  sidebar = g_property_action_new ("toggle-sidebar", self->flap, "reveal-flap");
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (sidebar));
  side = g_property_action_new ("side", self->side, "visible-child-name");
  g_action_map_add_action (G_ACTION_MAP (self), G_ACTION (side));
  seam_pages_add (self->pages);
  seam_window_connect_layout (self);
  g_signal_connect_swapped (self->pages, "notify::visible-child", G_CALLBACK (page_changed_cb),
                            self);
  g_signal_connect (self, "notify::is-active", G_CALLBACK (active_cb), NULL);
}

/* Never larger than the screen: not every window manager ensures this. */
static void
clamp_to_screen (int *width, int *height)
{
  GListModel *monitors = gdk_display_get_monitors (gdk_display_get_default ());
  g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, 0);
  GdkRectangle area;

  if (monitor == NULL)
    return;
  gdk_monitor_get_geometry (monitor, &area);
  *width = MIN (*width, area.width);
  *height = MIN (*height, area.height);
}

static void
begin_cb (SeamPage *page, gpointer window)
{
  SeamWindow *self = window;
  const SeamPageContext context = { self->model, self->session, self->lesson, G_ACTION_MAP (self) };

  seam_page_begin (page, &context);
}

static SeamPage *
get_shown_page (GtkApplicationWindow *window)
{
  return seam_pages_get_shown (SEAM_WINDOW (window)->pages);
}

static void
forgotten_cb (gpointer window)
{
  seam_start_page_update_lessons (SEAM_WINDOW (window)->start);
}

SeamWindow *
seam_window_new (GtkApplication *application, SeamModel *model, gint64 started_us)
{
  SeamWindow *self = g_object_new (SEAM_TYPE_WINDOW, "application", application, NULL);
  g_autofree char *page = seam_remembered_get_string ("page");
  int width = seam_remembered_get_int ("window-width");
  int height = seam_remembered_get_int ("window-height");

  self->started_us = started_us;
  self->model = g_object_ref (model);
  self->show_sidebar = seam_remembered_get_boolean ("show-sidebar");
  seam_state_load (model);
  seam_sidebar_set_model (self->sidebar, model);
  seam_run_progress_set_model (self->run_progress, model);
  seam_start_page_set_model (self->start, model);
  seam_pipeline_browser_set_model (self->browser, model);
  seam_pitfall_window_install (GTK_APPLICATION_WINDOW (self), model);
  self->session = seam_session_file_new (GTK_APPLICATION_WINDOW (self), model);
  self->lesson = seam_lesson_player_new (model, self->session);
  seam_lesson_pane_set_player (self->lesson_pane, self->lesson);
  seam_lesson_end_set_player (self->lesson_end, self->lesson);
  seam_session_bar_set_file (self->session_bar, self->session, self->lesson, model);
  seam_pages_each (self->pages, begin_cb, self);
  seam_window_add_files (self);
  seam_export_install (GTK_APPLICATION_WINDOW (self), model, self->pages, self->toasts);
  seam_export_fill_menus (self->figures_menu, self->texts_menu, self->copy_menu);
  seam_present_actions_install (GTK_APPLICATION_WINDOW (self), model, self->lesson, get_shown_page,
                                seam_export_fill_source, self->toasts);
  seam_calibrate_window_install (GTK_APPLICATION_WINDOW (self), model);
  seam_compare_files_install (GTK_APPLICATION_WINDOW (self), model, self->session);
  seam_history_actions_install (GTK_APPLICATION_WINDOW (self), model, self->session);
  seam_lesson_actions_install (GTK_APPLICATION_WINDOW (self), model, self->lesson, forgotten_cb,
                               self);
  gtk_application_window_set_help_overlay (GTK_APPLICATION_WINDOW (self),
                                           seam_shortcuts_window_new ());
  follow_model (self);

  clamp_to_screen (&width, &height);
  gtk_window_set_default_size (GTK_WINDOW (self), width, height);
  if (seam_remembered_get_boolean ("window-maximized"))
    gtk_window_maximize (GTK_WINDOW (self));
  if (page[0] != '\0' && adw_view_stack_get_child_by_name (self->pages, page) != NULL)
    adw_view_stack_set_visible_child_name (self->pages, page);
  adw_flap_set_reveal_flap (self->flap, self->show_sidebar);
  seam_window_apply_width (self, width);
  gtk_widget_grab_focus (self->run_button);
  /* Shown from the first frame on: if it came with the worker's answer, it would cover what a
   * person has begun to click on. */
  if (!seam_remembered_get_boolean ("start-page-seen"))
    seam_window_show_start (self, TRUE);
  return self;
}
