/* SPDX-License-Identifier: MIT
 *
 * The presenter's keys, drawing and the line at its foot.
 */
#include "ui/presenter/presenter.h"

#include "app/base/file.h"
#include "ui/class/class.h"
#include "ui/widgets/file-choice.h"
#include "ui/widgets/label.h"

#include <string.h>

#define HINT_SECONDS 5

struct _SeamPresenter {
  GtkWindow parent_instance;

  SeamDeck *deck;
  SeamClass *class;
  GStrvBuilder *paths; /* that the class was collected from */
  guint slide;
  gboolean dark, black, hints;
  guint hint_id;
  SeamFigure *figure; /* of the slide as it is; NULL: must be drawn again */

  SeamPresenterRun run;
  gpointer run_data;
  GCancellable *running; /* NULL: nothing runs */
  guint running_slide;

  GtkWidget *area, *bar;
  GtkEntry *entry;
  GtkLabel *message;
  GtkFileChooserNative *chooser;
};

G_DEFINE_FINAL_TYPE (SeamPresenter, seam_presenter, GTK_TYPE_WINDOW)

/* --- What is shown --- */

static SeamFigure *
get_figure (SeamPresenter *self)
{
  if (self->figure == NULL)
    self->figure = seam_deck_draw (self->deck, self->slide,
                                   self->hints && !gtk_widget_get_visible (self->bar));
  return self->figure;
}

/* What assistive technology reads is what the room sees: a covered slide tells it nothing more. */
static void
update (SeamPresenter *self)
{
  g_autofree char *summary = NULL;

  g_clear_pointer (&self->figure, seam_figure_free);
  summary = self->black ? g_strdup ("Black screen") : seam_figure_summarize (get_figure (self));
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->area), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  summary, -1);
  gtk_widget_queue_draw (self->area);
}

static void
draw_cb (GtkDrawingArea *area, cairo_t *cr, int width, int height, gpointer data)
{
  SeamPresenter *self = data;
  AdwStyleManager *style = adw_style_manager_get_default ();
  const SeamPalette *palette =
      seam_palette_get_for_slides (self->dark, adw_style_manager_get_high_contrast (style));
  double scale = MIN (width / SEAM_SLIDE_WIDTH, height / SEAM_SLIDE_HEIGHT);

  if (self->black) {
    cairo_set_source_rgb (cr, 0, 0, 0);
    cairo_paint (cr);
    return;
  }
  seam_palette_set_source (cr, &palette->card);
  cairo_paint (cr);
  cairo_translate (cr, (width - scale * SEAM_SLIDE_WIDTH) / 2,
                   (height - scale * SEAM_SLIDE_HEIGHT) / 2);
  cairo_scale (cr, scale, scale);
  seam_figure_draw (get_figure (self), cr, palette);
}

static gboolean
hide_hints_cb (gpointer data)
{
  SeamPresenter *self = data;

  self->hint_id = 0;
  self->hints = FALSE;
  update (self);
  return G_SOURCE_REMOVE;
}

static void
show_hints (SeamPresenter *self)
{
  g_clear_handle_id (&self->hint_id, g_source_remove);
  self->hints = TRUE;
  self->hint_id = g_timeout_add_seconds (HINT_SECONDS, hide_hints_cb, self);
}

static void
set_pointer (SeamPresenter *self, gboolean shown)
{
  gtk_widget_set_cursor_from_name (GTK_WIDGET (self), shown ? NULL : "none");
}

void
seam_presenter_show_slide (SeamPresenter *self, guint slide)
{
  self->slide = MIN (slide, seam_deck_get_n (self->deck) - 1);
  update (self);
}

/* --- The line at the foot --- */

static void
say (SeamPresenter *self, const char *text)
{
  gtk_label_set_text (self->message, text != NULL ? text : "");
  gtk_widget_set_visible (GTK_WIDGET (self->message), text != NULL && *text != '\0');
}

static void
set_bar (SeamPresenter *self, gboolean shown)
{
  gtk_widget_set_visible (self->bar, shown);
  gtk_widget_set_visible (GTK_WIDGET (self->entry), seam_deck_asks (self->deck, self->slide));
  set_pointer (self, shown);
  if (!shown) {
    say (self, NULL);
    gtk_widget_grab_focus (self->area);
  } else if (gtk_widget_get_visible (GTK_WIDGET (self->entry))) {
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  }
  /* The line lies where the hints are. */
  update (self);
}

static void
entered_cb (GtkEntry *entry, SeamPresenter *self)
{
  g_autofree char *bad = seam_deck_add_predictions (self->deck, self->slide,
                                                    gtk_editable_get_text (GTK_EDITABLE (entry)));

  gtk_editable_set_text (GTK_EDITABLE (entry), "");
  say (self, bad);
  update (self);
}

static void
saved_cb (const char *path, const char *reason, gpointer data)
{
  SeamPresenter *self = data;
  g_autoptr (GError) error = NULL;
  g_autofree char *csv = seam_class_format_csv (self->class);

  if (path == NULL) {
    if (reason != NULL)
      say (self, reason);
  } else if (seam_file_write (path, csv, strlen (csv), &error)) {
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *text = g_strdup_printf ("Saved %s", name);
    say (self, text);
  } else {
    say (self, error->message);
  }
}

static void
save_cb (SeamPresenter *self)
{
  static const char *const endings[] = { ".csv", NULL };
  const SeamFileQuestion question = { .title = "Save the predictions",
                                      .accept = "_Save",
                                      .saves = TRUE,
                                      .name = "class.csv",
                                      .endings = endings };

  seam_file_choice_ask (GTK_WINDOW (self), &question, saved_cb, self, NULL);
}

/* For the room: names of files may be those of learners. */
static char *
describe_collected (SeamPresenter *self, int n)
{
  GString *text = g_string_new (NULL);
  guint n_out = self->class->problems->len;
  g_autofree char *files = seam_class_describe_files (self->class);

  g_string_append_printf (text, "%s; %d prediction%s for this lesson", files, n, n == 1 ? "" : "s");
  if (n_out > 0)
    g_string_append_printf (text, "; %u left out", n_out);
  return g_string_free (text, FALSE);
}

void
seam_presenter_collect (SeamPresenter *self, const char *const *paths)
{
  g_autofree char *text = NULL;
  int added;

  g_ptr_array_set_size (self->class->problems, 0);
  for (int i = 0; paths[i] != NULL; i++)
    seam_class_add (self->class, paths[i]);
  seam_class_check (self->class, seam_deck_get_lesson (self->deck));
  added = seam_deck_count_predictions (self->deck);
  text = describe_collected (self, added);
  for (guint i = 0;
       added > 0 && i < seam_deck_get_n (self->deck) && !seam_deck_asks (self->deck, self->slide);
       i++)
    if (seam_deck_asks (self->deck, i) && seam_deck_get_n_predictions (self->deck, i) > 0)
      self->slide = i;
  set_bar (self, TRUE);
  say (self, text);
  for (int i = 0; paths[i] != NULL; i++)
    g_strv_builder_add (self->paths, paths[i]);
  g_signal_emit_by_name (self, "collected");
}

const SeamClass *
seam_presenter_get_class (SeamPresenter *self, char ***paths)
{
  *paths = g_strv_builder_end (self->paths);
  g_strv_builder_addv (self->paths, (const char **)*paths);
  return self->class;
}

static void
chosen_cb (GtkNativeDialog *dialog, int response, SeamPresenter *self)
{
  g_autoptr (GListModel) files = gtk_file_chooser_get_files (GTK_FILE_CHOOSER (dialog));
  g_autoptr (GPtrArray) paths = g_ptr_array_new_with_free_func (g_free);

  for (guint i = 0; i < g_list_model_get_n_items (files); i++) {
    g_autoptr (GFile) file = g_list_model_get_item (files, i);
    char *path = g_file_get_path (file);

    if (path != NULL)
      g_ptr_array_add (paths, path);
  }
  g_ptr_array_add (paths, NULL);
  g_clear_object (&self->chooser);
  if (response == GTK_RESPONSE_ACCEPT && paths->len > 1)
    seam_presenter_collect (self, (const char *const *)paths->pdata);
}

void
seam_presenter_ask_for_files (SeamPresenter *self, gboolean folder)
{
  if (self->chooser != NULL)
    return;
  self->chooser = gtk_file_chooser_native_new (
      folder ? "Collect a folder of answers" : "Collect answers", GTK_WINDOW (self),
      folder ? GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER : GTK_FILE_CHOOSER_ACTION_OPEN, "_Collect",
      NULL);
  gtk_file_chooser_set_select_multiple (GTK_FILE_CHOOSER (self->chooser), TRUE);
  g_signal_connect (self->chooser, "response", G_CALLBACK (chosen_cb), self);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (self->chooser));
}

static void
folder_cb (SeamPresenter *self)
{
  seam_presenter_ask_for_files (self, TRUE);
}

static void
files_cb (SeamPresenter *self)
{
  seam_presenter_ask_for_files (self, FALSE);
}

/* --- Runs of this computer --- */

typedef struct {
  SeamPresenter *self;
  GCancellable *cancellable; /* tells whether the presenter still waits for this run */
} Waiting;

/* What the run found is shown at once, if the room still looks at the step that made it. */
static void
show_found (SeamPresenter *self, int step)
{
  const SeamLesson *lesson = seam_deck_get_lesson (self->deck);

  if (seam_deck_get_step (self->deck, self->slide) == step
      && seam_lesson_get_step (lesson, (guint)step)->kind == SEAM_STEP_TRY
      && self->slide + 1 < seam_deck_get_n (self->deck)
      && seam_deck_get_step (self->deck, self->slide + 1) == step)
    self->slide++;
}

static void
take_run (SeamPresenter *self, SeamResult *result, const GError *failed)
{
  int step = seam_deck_get_step (self->deck, self->slide);
  guint offset = self->slide - seam_deck_find_step (self->deck, step);
  int run = seam_deck_get_step (self->deck, self->running_slide);
  g_autoptr (GError) error = NULL;

  g_clear_pointer (&self->figure, seam_figure_free);
  seam_deck_set_covered (self->deck, self->running_slide, FALSE);
  if (result != NULL && seam_deck_take_run (self->deck, self->running_slide, result, &error)) {
    /* There are more slides now. */
    self->slide =
        MIN (seam_deck_find_step (self->deck, step) + offset, seam_deck_get_n (self->deck) - 1);
    show_found (self, run);
  } else {
    seam_deck_set_status (self->deck, self->running_slide,
                          failed != NULL ? failed->message : error->message);
  }
  update (self);
}

static void
run_cb (GObject *source, GAsyncResult *async, gpointer data)
{
  Waiting *waiting = data;
  g_autoptr (SeamPresenter) self = waiting->self;
  g_autoptr (GCancellable) cancellable = waiting->cancellable;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamResult) result = g_task_propagate_pointer (G_TASK (async), &error);

  g_free (waiting);
  if (self->running != cancellable)
    return;
  g_clear_object (&self->running);
  take_run (self, result, error);
}

static void
start_run (SeamPresenter *self)
{
  const SeamLessonStep *step = seam_deck_get_run (self->deck, self->slide);
  Waiting *waiting;

  if (self->run == NULL || step == NULL || self->running != NULL)
    return;
  self->running = g_cancellable_new ();
  self->running_slide = self->slide;
  seam_deck_set_status (self->deck, self->slide, "Measuring on this computer…");
  update (self);
  waiting = g_new0 (Waiting, 1);
  waiting->self = g_object_ref (self);
  waiting->cancellable = g_object_ref (self->running);
  self->run (step, self->running, run_cb, waiting, self->run_data);
}

static void
abandon_run (SeamPresenter *self)
{
  g_autoptr (GCancellable) running = g_steal_pointer (&self->running);

  if (running != NULL)
    g_cancellable_cancel (running);
}

/* Whether the slide's run is still to be started: once, so that a failed one can be passed. */
static gboolean
needs_run (SeamPresenter *self)
{
  return self->run != NULL && seam_deck_get_run (self->deck, self->slide) != NULL
         && !seam_deck_has_run (self->deck, self->slide)
         && !seam_deck_has_status (self->deck, self->slide);
}

/* --- Keys --- */

static void
go_on (SeamPresenter *self)
{
  if (needs_run (self))
    start_run (self);
  else if (self->running != NULL && seam_deck_is_covered (self->deck, self->slide)
           && self->slide == self->running_slide)
    return;
  else if (seam_deck_is_covered (self->deck, self->slide))
    seam_deck_set_covered (self->deck, self->slide, FALSE);
  else if (self->slide + 1 < seam_deck_get_n (self->deck))
    self->slide++;
}

static void
go_back (SeamPresenter *self)
{
  if (self->slide > 0)
    self->slide--;
}

static void
open_lesson (SeamPresenter *self, guint number)
{
  g_autofree char *name = g_strdup_printf ("%u", number);
  g_autoptr (GError) error = NULL;
  SeamLesson *lesson = seam_lesson_find (name, &error);

  if (lesson == NULL) {
    set_bar (self, TRUE);
    say (self, error->message);
    return;
  }
  g_clear_pointer (&self->figure, seam_figure_free);
  abandon_run (self);
  seam_owner_free (self->deck);
  self->deck = seam_deck_new_for_lesson (lesson, (int)number);
  seam_deck_set_class (self->deck, self->class);
  self->slide = 0;
}

/* FALSE: the key means nothing here. */
static gboolean
press (SeamPresenter *self, guint key)
{
  switch (key) {
  case GDK_KEY_space:
  case GDK_KEY_Page_Down:
  case GDK_KEY_KP_Page_Down:
  case GDK_KEY_Right:
  case GDK_KEY_Down:
    go_on (self);
    return TRUE;
  case GDK_KEY_Page_Up:
  case GDK_KEY_KP_Page_Up:
  case GDK_KEY_Left:
  case GDK_KEY_Up:
    go_back (self);
    return TRUE;
  case GDK_KEY_Home:
    self->slide = 0;
    return TRUE;
  case GDK_KEY_End:
    self->slide = seam_deck_get_n (self->deck) - 1;
    return TRUE;
  case GDK_KEY_b:
  case GDK_KEY_B:
  case GDK_KEY_period:
    self->black = TRUE;
    return TRUE;
  case GDK_KEY_d:
  case GDK_KEY_D:
    self->dark = !self->dark;
    return TRUE;
  case GDK_KEY_r:
  case GDK_KEY_R:
    seam_deck_set_covered (self->deck, self->slide, TRUE);
    return TRUE;
  case GDK_KEY_p:
  case GDK_KEY_P:
    set_bar (self, seam_deck_asks (self->deck, self->slide));
    return TRUE;
  case GDK_KEY_c:
  case GDK_KEY_C:
    set_bar (self, TRUE);
    return TRUE;
  default:
    if (key < GDK_KEY_1 || key > GDK_KEY_9)
      return FALSE;
    open_lesson (self, key - GDK_KEY_0);
    return TRUE;
  }
}

static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        SeamPresenter *self)
{
  if ((state & GDK_CONTROL_MASK) != 0 && (key == GDK_KEY_r || key == GDK_KEY_R)) {
    start_run (self);
    return TRUE;
  }
  if (state & (GDK_CONTROL_MASK | GDK_ALT_MASK))
    return FALSE;
  if (key == GDK_KEY_F11 || key == GDK_KEY_Escape) {
    if (key == GDK_KEY_Escape && gtk_widget_get_visible (self->bar))
      set_bar (self, FALSE);
    else
      gtk_window_close (GTK_WINDOW (self));
    return TRUE;
  }
  /* Text is typed there, and buttons are pressed. */
  if (gtk_widget_get_visible (self->bar) && key != GDK_KEY_Page_Down && key != GDK_KEY_Page_Up)
    return FALSE;
  /* From black, any key only brings the slide back: it must not reveal anything. */
  if (self->black)
    self->black = FALSE;
  else if (!press (self, key))
    return FALSE;
  show_hints (self);
  if (gtk_widget_get_visible (self->bar))
    gtk_widget_set_visible (GTK_WIDGET (self->entry), seam_deck_asks (self->deck, self->slide));
  update (self);
  return TRUE;
}

/* --- Life --- */

static void
abandon (SeamPresenter *self)
{
  abandon_run (self);
  if (self->chooser != NULL)
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (self->chooser));
}

static void
seam_presenter_class_init (SeamPresenterClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (abandon));
  SEAM_OWNS (klass, SeamPresenter, g_source_remove, hint_id);
  SEAM_OWNS (klass, SeamPresenter, g_object_unref, chooser);
  SEAM_OWNS (klass, SeamPresenter, seam_figure_free, figure);
  SEAM_OWNS (klass, SeamPresenter, seam_owner_free, deck);
  SEAM_OWNS (klass, SeamPresenter, seam_owner_free, class);
  SEAM_OWNS (klass, SeamPresenter, g_strv_builder_unref, paths);
  seam_signals_install (klass, G_TYPE_NONE, "collected");
}

static GtkWidget *
make_button (SeamPresenter *self, const char *label, GCallback clicked)
{
  GtkWidget *button = gtk_button_new_with_mnemonic (label);

  g_signal_connect_object (button, "clicked", clicked, self, G_CONNECT_SWAPPED);
  return button;
}

static GtkWidget *
make_bar (SeamPresenter *self)
{
  self->message = seam_label_new (NULL, NULL, SEAM_LABEL_WRAPS);
  self->entry = g_object_new (GTK_TYPE_ENTRY, "hexpand", TRUE, "placeholder-text",
                              "Predictions, with spaces between them", NULL);
  gtk_widget_set_visible (GTK_WIDGET (self->message), FALSE);
  seam_widget_set_name (self->entry, "Predictions of the class");
  g_signal_connect (self->entry, "activate", G_CALLBACK (entered_cb), self);
  GtkWidget *line = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 12, NULL, self->entry,
                                  make_button (self, "Collect a _folder…", G_CALLBACK (folder_cb)),
                                  make_button (self, "Collect _files…", G_CALLBACK (files_cb)),
                                  make_button (self, "_Save CSV…", G_CALLBACK (save_cb)), NULL);
  GtkWidget *bar =
      seam_box_new (GTK_ORIENTATION_VERTICAL, 12, "presenter-bar", self->message, line, NULL);
  gtk_widget_set_valign (bar, GTK_ALIGN_END);
  gtk_widget_set_visible (bar, FALSE);
  return bar;
}

static void
seam_presenter_init (SeamPresenter *self)
{
  GtkWidget *overlay = gtk_overlay_new ();
  GtkEventController *keys = gtk_event_controller_key_new ();

  self->class = seam_class_new ();
  self->paths = g_strv_builder_new ();
  self->area = g_object_new (GTK_TYPE_DRAWING_AREA, "accessible-role", GTK_ACCESSIBLE_ROLE_IMG,
                             "focusable", TRUE, NULL);
  gtk_drawing_area_set_draw_func (GTK_DRAWING_AREA (self->area), draw_cb, self, NULL);
  self->bar = make_bar (self);
  gtk_overlay_set_child (GTK_OVERLAY (overlay), self->area);
  gtk_overlay_add_overlay (GTK_OVERLAY (overlay), self->bar);
  gtk_window_set_child (GTK_WINDOW (self), overlay);
  gtk_window_set_title (GTK_WINDOW (self), "Seamscope presenter");
  gtk_window_set_default_size (GTK_WINDOW (self), 1280, 720);
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  self->dark = adw_style_manager_get_dark (adw_style_manager_get_default ());
  set_pointer (self, FALSE);
}

/* The screen that the main window is not on; NULL: there is one screen. */
static GdkMonitor *
find_other_screen (GtkWindow *parent)
{
  GdkDisplay *display = gdk_display_get_default ();
  GListModel *monitors = gdk_display_get_monitors (display);
  GdkSurface *surface = parent != NULL ? gtk_native_get_surface (GTK_NATIVE (parent)) : NULL;
  GdkMonitor *own = surface != NULL ? gdk_display_get_monitor_at_surface (display, surface) : NULL;

  for (guint i = 0; i < g_list_model_get_n_items (monitors); i++) {
    g_autoptr (GdkMonitor) monitor = g_list_model_get_item (monitors, i);

    if (own != NULL && monitor != own)
      return g_steal_pointer (&monitor);
  }
  return NULL;
}

SeamPresenter *
seam_presenter_new (GtkWindow *parent, SeamDeck *deck)
{
  SeamPresenter *self = g_object_new (SEAM_TYPE_PRESENTER, NULL);
  g_autoptr (GdkMonitor) other = find_other_screen (parent);

  self->deck = deck;
  seam_deck_set_class (deck, self->class);
  self->hints = TRUE; /* until the first key, and some time after it */
  if (parent != NULL)
    gtk_window_set_application (GTK_WINDOW (self), gtk_window_get_application (parent));
  if (other != NULL)
    gtk_window_fullscreen_on_monitor (GTK_WINDOW (self), other);
  else
    gtk_window_fullscreen (GTK_WINDOW (self));
  gtk_widget_grab_focus (self->area);
  update (self);
  return self;
}

void
seam_presenter_set_run (SeamPresenter *self, SeamPresenterRun run, gpointer data)
{
  self->run = run;
  self->run_data = data;
}

SeamDeck *
seam_presenter_get_deck (SeamPresenter *self)
{
  return self->deck;
}
