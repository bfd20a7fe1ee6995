/* SPDX-License-Identifier: MIT
 *
 * SeamDifferencePage: where and by how much two outputs differ. Verdict in words, overview of the
 * whole output, a slice of it at full resolution, and a panel that always shows the element under
 * the pointer. Grids come from the worker (app/worker), asked for as they are looked at; nothing is
 * computed here but counts over the slice that is on the screen.
 *
 * Its parts follow three objects: what is compared (difference-subject.h), where the person looks
 * (difference-navigator.h) and how the maps look (difference-look.h). The page owns these, puts the
 * parts together, and has the page's keys.
 */
#include "ui/page/page.h"

#include "ui/difference/difference-controls.h"
#include "ui/difference/difference-keys.h"
#include "ui/difference/difference-maps.h"
#include "ui/difference/difference-numbers.h"
#include "ui/difference/difference-strips.h"
#include "ui/difference/difference-verdict.h"
#include "ui/widgets/template.h"

#include "app/base/error.h"
#include "app/report/sheets.h"

#include <math.h>

G_DECLARE_FINAL_TYPE (SeamDifferencePage, seam_difference_page, SEAM, DIFFERENCE_PAGE, AdwBin)

struct _SeamDifferencePage {
  AdwBin parent_instance;

  GtkStack *stack; /* "empty", "content" */
  AdwStatusPage *empty;
  GtkWidget *empty_run;
  GtkLabel *stale, *provenance;
  GtkScrolledWindow *scroller;
  SeamDifferenceStrips *strips;
  SeamDifferenceVerdict *verdict;
  SeamDifferenceControls *controls;
  SeamDifferenceMaps *maps;
  SeamDifferenceNumbers *numbers;

  SeamModel *model;
  SeamDifferenceSubject *subject;
  SeamDifferenceSource *source; /* belongs to the subject */
  SeamDifferenceNavigator *navigator;
  SeamDifferenceWalk *walk;
  SeamDifferenceLook *look;
};

static void page_init (SeamPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamDifferencePage, seam_difference_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

#define NO_OUTPUTS                                                                                 \
  "When plan A and plan B have run, this page shows in how many elements their outputs differ, "   \
  "where, and by how much."

/* -- Result ------------------------------------------------------------------------------------ */

static void
result_cb (SeamDifferencePage *self)
{
  SeamResult *result = seam_difference_subject_get_result (self->subject);
  g_autofree char *line = NULL, *text = NULL;

  gtk_stack_set_visible_child_name (self->stack, result != NULL ? "content" : "empty");
  if (result == NULL)
    return seam_difference_look_stop_turns (self->look);
  line = seam_result_get_provenance (result);
  text = seam_difference_subject_is_kept (self->subject) ? g_strdup_printf (
             "From %s · %s", seam_difference_subject_get_file_name (self->subject), line)
                                                         : g_steal_pointer (&line);
  seam_page_show_provenance (self->provenance, text);
}

/* Why nothing is compared: a lesson covers it, a run is in progress, or nothing has run. */
static void
update_empty (SeamDifferencePage *self)
{
  const char *held = seam_measurement_get_held (self->model->measurement);
  gboolean runs = seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE;

  adw_status_page_set_title (self->empty, held != NULL ? SEAM_COVERED_TITLE
                                          : runs       ? "Measuring…"
                                                       : "No outputs to compare yet");
  adw_status_page_set_description (self->empty,
                                   held != NULL ? held
                                   : runs       ? "The outputs are compared at the end of the run."
                                                : NO_OUTPUTS);
  gtk_widget_set_visible (self->empty_run, held == NULL && !runs);
}

/* Describes a part that another run could show and this one cannot; NULL: there is none. */
static char *
describe_part (SeamDifferencePage *self)
{
  const SeamSlice *slice = seam_difference_source_get_slice (self->source);
  const SeamDifference *difference = seam_difference_source_get_difference (self->source);
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (self->subject);

  if (!seam_difference_subject_is_kept (self->subject) || slice == NULL
      || (difference != NULL && difference->n_worst == 0) /* all are equal */
      || slice->n_rows * slice->n_columns >= shape->rows * shape->columns * shape->plane)
    return NULL;
  return g_strdup_printf ("From %s: of single elements the file holds these %" G_GINT64_FORMAT
                          " × %" G_GINT64_FORMAT ", around the worst one",
                          seam_difference_subject_get_file_name (self->subject), slice->n_rows,
                          slice->n_columns);
}

/* Shows a remark that the result no longer belongs to the settings in the sidebar. */
static void
show_stale (SeamDifferencePage *self, const char *reason)
{
  const char *refusal = seam_difference_navigator_get_refusal (self->navigator);
  g_autofree char *text = reason != NULL    ? g_strdup (reason)
                          : refusal != NULL ? g_strdup (refusal)
                                            : describe_part (self);

  gtk_label_set_text (self->stale, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->stale), text != NULL);
}

/* The next run judges by the tolerances that the page shows. What a run in progress has stays. */
static void
keep_tolerances (SeamDifferencePage *self)
{
  SeamChosenSettings *settings;
  SeamDifferenceSpec limits = { .atol = NAN, .rtol = NAN };

  if (self->model == NULL || seam_measurement_get_state (self->model->measurement) != SEAM_RUN_IDLE)
    return;
  if (seam_difference_subject_get_result (self->subject) != NULL)
    limits = seam_difference_subject_get_limits (self->subject);
  settings = seam_setup_get_settings (self->model->setup);
  seam_chosen_settings_set_number (settings, seam_settings_find_option ("atol"), limits.atol);
  seam_chosen_settings_set_number (settings, seam_settings_find_option ("rtol"), limits.rtol);
}

static void
follow_result (SeamDifferencePage *self)
{
  const SeamModel *model = self->model;

  update_empty (self);
  seam_difference_subject_set_kept (self->subject, seam_store_get_shown (model->store),
                                    seam_store_get_name (model->store));
  seam_difference_subject_set_result (
      self->subject, seam_measurement_has_outputs (model->measurement) ? model->workers.here : NULL,
      seam_measurement_get_result (model->measurement),
      seam_measurement_get_n_plans (model->measurement),
      seam_measurement_get_compared (model->measurement));
  show_stale (self, seam_measurement_get_stale_reason (model->measurement));
  keep_tolerances (self);
}

static void
refusal_cb (SeamDifferencePage *self)
{
  if (self->model != NULL)
    show_stale (self, seam_measurement_get_stale_reason (self->model->measurement));
}

/* -- Keys and turns ---------------------------------------------------------------------------- */

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        SeamDifferencePage *self)
{
  gboolean shift = (state & GDK_SHIFT_MASK) != 0;

  if ((state & (GDK_CONTROL_MASK | GDK_ALT_MASK | GDK_SUPER_MASK)) != 0)
    return FALSE;
  switch (key) {
  case GDK_KEY_b:
  case GDK_KEY_B:
    if (seam_difference_subject_get_result (self->subject) != NULL)
      seam_difference_look_take_turns (self->look);
    return TRUE;
  case GDK_KEY_d:
  case GDK_KEY_D:
    seam_difference_walk_go_to_depth (self->walk, shift ? -1 : 1);
    return TRUE;
  case GDK_KEY_t:
  case GDK_KEY_T:
    seam_difference_look_toggle_tiles (self->look, shift);
    return TRUE;
  case GDK_KEY_w:
  case GDK_KEY_W:
    if (shift)
      seam_difference_walk_go_to_next_cell (self->walk);
    else
      seam_difference_walk_go_to_next (self->walk);
    return TRUE;
  default:
    return FALSE;
  }
}

/* Page Up and Page Down change the depth, Ctrl with an arrow sample and channel: before the page
 * scrolls, and after an entry that has the focus. */
static gboolean
plane_key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
              SeamDifferencePage *self)
{
  const SeamDifferenceShape *shape = seam_difference_subject_get_shape (self->subject);
  const GdkModifierType held = state & gtk_accelerator_get_default_mod_mask ();
  const gint64 depth = seam_difference_navigator_get_depth (self->navigator);
  const gboolean back = key == GDK_KEY_Page_Up || key == GDK_KEY_KP_Page_Up;
  int rows, columns;

  if (seam_difference_subject_get_problem (self->subject) == NULL)
    return FALSE;
  if (held == 0 && shape->depth > 1
      && (back || key == GDK_KEY_Page_Down || key == GDK_KEY_KP_Page_Down)) {
    g_object_set (self->navigator, "depth", depth + (back ? -1 : 1), NULL);
    return TRUE;
  }
  if (held != GDK_CONTROL_MASK || !seam_difference_shape_has_planes (shape)
      || !seam_difference_read_arrow (key, &rows, &columns))
    return FALSE;
  seam_difference_navigator_move_window (self->navigator, rows, columns);
  return TRUE;
}

static void
add_keys (SeamDifferencePage *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkEventController *plane_keys = gtk_event_controller_key_new ();

  g_signal_connect (plane_keys, "key-pressed", G_CALLBACK (plane_key_cb), self);
  gtk_widget_add_controller (gtk_scrolled_window_get_child (self->scroller), plane_keys);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
}

static void
active_changed_cb (GtkWindow *window, GParamSpec *pspec, SeamDifferencePage *self)
{
  if (!gtk_window_is_active (window))
    seam_difference_look_stop_turns (self->look);
}

static void
root_changed_cb (SeamDifferencePage *self)
{
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));

  if (GTK_IS_WINDOW (root))
    g_signal_connect_object (root, "notify::is-active", G_CALLBACK (active_changed_cb), self, 0);
}

/* Alternation ends when the person leaves the tab or the window. */
static void
add_ends_of_turns (SeamDifferencePage *self)
{
  g_signal_connect_object (self, "unmap", G_CALLBACK (seam_difference_look_stop_turns), self->look,
                           G_CONNECT_SWAPPED);
  g_signal_connect (self, "notify::root", G_CALLBACK (root_changed_cb), NULL);
}

/* -- Room for maps and numbers ----------------------------------------------------------------- */

#define BELOW_NUMBERS 24 /* the rest of their card, px */

/* The maps get the height that the page has, less what stands above them and the figure of the
 * numbers below: both are visible at once. Called when layout has ended, because the contents have
 * their places only then. */
static void
fit (SeamDifferencePage *self)
{
  GtkAdjustment *down = gtk_scrolled_window_get_vadjustment (self->scroller);
  GtkAdjustment *across = gtk_scrolled_window_get_hadjustment (self->scroller);
  int height = seam_difference_maps_get_height (self->maps);
  graphene_rect_t bounds;

  seam_difference_numbers_set_room (
      self->numbers,
      (int)(gtk_adjustment_get_page_size (across) - gtk_adjustment_get_upper (across))
          + gtk_widget_get_width (GTK_WIDGET (self->numbers)));
  if (height > 0
      && gtk_widget_compute_bounds (seam_difference_numbers_get_figure (self->numbers),
                                    GTK_WIDGET (self->scroller), &bounds))
    seam_difference_maps_set_room (self->maps, (int)(gtk_adjustment_get_page_size (down) + height
                                                     - bounds.origin.y - bounds.size.height
                                                     - gtk_adjustment_get_value (down))
                                                   - BELOW_NUMBERS);
}

/* -- Object ------------------------------------------------------------------------------------ */

static void
seam_difference_page_class_init (SeamDifferencePageClass *klass)
{
  SEAM_OWNS (klass, SeamDifferencePage, g_object_unref, walk, navigator, look, source, subject,
             model);
  SEAM_TEMPLATE (klass, SeamDifferencePage, "difference-page.ui", controls, maps, numbers,
                 provenance, scroller, empty, empty_run, stack, stale, strips, verdict);
}

/* The object that moves comes before the objects that show where it is. */
static void
seam_difference_page_init (SeamDifferencePage *self)
{
  self->subject = seam_difference_subject_new ();
  self->source = g_object_ref (seam_difference_subject_get_source (self->subject));
  self->navigator = seam_difference_navigator_new (self->subject);
  self->walk = seam_difference_walk_new (self->navigator);
  self->look = seam_difference_look_new ();
  g_object_bind_property (gtk_settings_get_default (), "gtk-enable-animations", self->look,
                          "animated", G_BINDING_SYNC_CREATE);
  gtk_widget_init_template (GTK_WIDGET (self));
  seam_difference_strips_follow (self->strips, self->subject);
  seam_difference_verdict_follow (self->verdict, self->subject, self->look);
  seam_difference_controls_follow (self->controls, self->subject, self->look);
  seam_difference_maps_follow (self->maps, self->navigator, self->look);
  seam_difference_numbers_follow (self->numbers, self->navigator, self->walk, self->look);
  seam_watch_now (self, G_CALLBACK (result_cb), self->subject, "result");
  seam_watch (self, G_CALLBACK (refusal_cb), self->navigator, "refusal", NULL);
  seam_watch (self, G_CALLBACK (keep_tolerances), self->subject, "atol rtol", NULL);
  add_keys (self);
  add_ends_of_turns (self);
  seam_watch (self, G_CALLBACK (fit), gtk_scrolled_window_get_vadjustment (self->scroller),
              "upper page-size", gtk_scrolled_window_get_hadjustment (self->scroller),
              "upper page-size", NULL);
}

/* -- The page ---------------------------------------------------------------------------------- */

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
set_narrow (SeamPage *page, gboolean narrow)
{
  seam_difference_controls_set_narrow (SEAM_DIFFERENCE_PAGE (page)->controls, narrow);
}

/* The compared pair and the look of the maps; borrowed until the page changes. */
static gboolean
fill_source (SeamPage *page, SeamProductSource *source, GError **error)
{
  SeamDifferencePage *self = SEAM_DIFFERENCE_PAGE (page);
  SeamDifferencePair sides = seam_difference_subject_get_sides (self->subject);
  const char *reason = seam_difference_source_get_error (self->source);

  source->difference = seam_difference_source_get_difference (self->source);
  if (seam_difference_subject_get_result (self->subject) == NULL || source->difference == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "%s",
                      reason != NULL ? reason
                                     : "The outputs have not been compared yet: wait for the "
                                       "verdict on the Difference tab.");
  source->tested = sides.tested;
  source->against = sides.against;
  source->slice = seam_difference_source_get_slice (self->source);
  source->look = seam_difference_look_get_map_look (self->look);
  return TRUE;
}

static void
page_init (SeamPageInterface *iface)
{
  static const char *const products[] = { "difference", "numbers", NULL };

  iface->name = "difference";
  iface->title = "Difference";
  iface->icon = "seam-difference-symbolic";
  iface->products = products;
  iface->begin = begin;
  iface->set_narrow = set_narrow;
  iface->fill_source = fill_source;
}
