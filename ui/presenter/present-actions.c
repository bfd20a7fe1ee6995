/* SPDX-License-Identifier: MIT
 *
 * Makes decks of what the main window shows. One presenter at a time.
 */
#include "ui/presenter/present-actions.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "ui/lesson/lesson-parts.h"
#include "ui/presenter/presenter.h"
#include "ui/state/aside.h"
#include "ui/widgets/file-choice.h"
#include "ui/widgets/toast.h"

#include <string.h>

#define KEY "seam-present-actions"

#define MOST_SAID 600 /* bytes of sentences about files in the window */

typedef struct {
  GtkApplicationWindow *window; /* owns this */
  SeamModel *model;
  SeamLessonPlayer *player;
  SeamPresentPage page;
  SeamPresentFill fill;
  AdwToastOverlay *toasts;
  SeamPresenter *presenter; /* weak */
} Presenting;

/* The presenter has a lesson of its own, because that of the window may be closed. */
static SeamLesson *
reload (const SeamLesson *lesson, GError **error)
{
  g_autofree char *file = g_strconcat (lesson->name, ".md", NULL);
  g_autofree char *path = g_build_filename (lesson->folder, file, NULL);

  return seam_lesson_load (path, error);
}

static SeamDeck *
make_lesson_deck (const SeamLesson *shown, GError **error)
{
  g_autoptr (GPtrArray) all = seam_lessons_list (NULL);
  SeamLesson *lesson = reload (shown, error);

  return lesson != NULL ? seam_deck_new_for_lesson (lesson, seam_lesson_find_number (all, shown))
                        : NULL;
}

static gboolean
add_product (Presenting *self, SeamDeck *deck, const SeamProduct *product, GError **error)
{
  SeamProductSource source = { .second = -1 };

  return self->fill (self->window, product, &source, error)
         && seam_deck_add_product (deck, product, &source, error);
}

/* Named after what was run, if anything was. */
static SeamDeck *
begin_page_deck (Presenting *self)
{
  SeamProductSource source = { .second = -1 };

  if (!self->fill (self->window, seam_products_find ("timing"), &source, NULL))
    return seam_deck_new_for_figures ("Seamscope", NULL);
  return seam_deck_new_for_figures (
      source.results[0]->pipeline_id,
      source.results[0]->device != NULL ? source.results[0]->device->name : NULL);
}

/* Figures that are not there yet are left out, unless there is none. */
static SeamDeck *
make_page_deck (Presenting *self, GError **error)
{
  const char *const *products = SEAM_PAGE_GET_IFACE (self->page (self->window))->products;
  g_autoptr (SeamDeck) deck = begin_page_deck (self);
  g_autoptr (GError) first = NULL;

  for (int i = 0; products[i] != NULL; i++)
    add_product (self, deck, seam_products_find (products[i]), first == NULL ? &first : NULL);
  if (seam_deck_get_n (deck) > 0)
    return g_steal_pointer (&deck);
  if (first == NULL)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "This tab has no figure to present: go to another.");
  g_propagate_error (error, g_steal_pointer (&first));
  return NULL;
}

/* A step of this computer: on the chosen target, unless it names another. */
static void
run_cb (const SeamLessonStep *step, GCancellable *cancellable, GAsyncReadyCallback callback,
        gpointer callback_data, gpointer data)
{
  Presenting *self = data;
  const char *target = seam_setup_get_request (self->model->setup)->target;
  GError *error = NULL;
  g_autoptr (SeamRunRequest) request = seam_lesson_step_make_request (step, target, &error);

  if (request != NULL)
    seam_aside_run (self->model, request, cancellable, callback, callback_data);
  else
    g_task_report_error (NULL, callback, callback_data, NULL, error);
}

#define LEFT_OUT "Not every file of the class counts."

/* What the room is not told: names of files, and files of another lesson, whose class opens. */
static void
collected_cb (GObject *window)
{
  Presenting *self = g_object_get_data (window, KEY);
  const SeamLesson *lesson = seam_deck_get_lesson (seam_presenter_get_deck (self->presenter));
  g_auto (GStrv) paths = NULL;
  const SeamClass *class = seam_presenter_get_class (self->presenter, &paths);
  g_autoptr (SeamLesson) other = seam_class_find_other (class, lesson);
  g_autofree char *warning = seam_class_warn (class, lesson, "");
  GString *text = g_string_new (warning);

  for (guint i = 0; i < class->problems->len; i++)
    g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "",
                            (const char *)class->problems->pdata[i]);
  g_autofree char *shown = seam_text_shorten (text->str, MOST_SAID);
  seam_notices_say (self->model->notices, text->len > 0 ? SEAM_MESSAGE_WARNING : SEAM_MESSAGE_OVER,
                    LEFT_OUT, text->len > 0 ? shown : NULL);
  g_string_free (text, TRUE);
  if (other == NULL)
    return;
  g_autofree char *title = g_strdup_printf ("Some files are of “%s”", other->title);
  g_autofree char *escaped = g_markup_escape_text (title, -1);
  AdwToast *toast = adw_toast_new (escaped);
  adw_toast_set_button_label (toast, "_Open that class");
  adw_toast_set_action_name (toast, "win.collect-other");
  adw_toast_set_timeout (toast, 0);
  adw_toast_overlay_add_toast (self->toasts, toast);
}

static SeamPresenter *
present (Presenting *self, SeamDeck *deck)
{
  SeamPresenter *presenter = seam_presenter_new (GTK_WINDOW (self->window), deck);

  g_set_weak_pointer (&self->presenter, presenter);
  seam_presenter_set_run (presenter, run_cb, self);
  g_signal_connect_object (presenter, "collected", G_CALLBACK (collected_cb), self->window,
                           G_CONNECT_SWAPPED);
  gtk_window_present (GTK_WINDOW (presenter));
  return presenter;
}

static void
present_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Presenting *self = g_object_get_data (G_OBJECT (data), KEY);
  const SeamLesson *lesson = self->player->lesson;
  g_autoptr (GError) error = NULL;
  SeamDeck *deck;
  SeamPresenter *presenter;

  if (self->presenter != NULL) {
    gtk_window_present (GTK_WINDOW (self->presenter));
    return;
  }
  deck = lesson != NULL ? make_lesson_deck (lesson, &error) : make_page_deck (self, &error);
  if (deck == NULL) {
    seam_toast_show (self->toasts, error->message, TRUE);
    return;
  }
  presenter = present (self, deck);
  if (lesson == NULL || self->player->step == NULL)
    return;
  int step = self->player->answers->step;
  /* The comparison is the revealed state of its question. */
  if (self->player->step->kind == SEAM_STEP_COMPARE)
    seam_deck_set_covered (deck, seam_deck_find_step (deck, step), FALSE);
  seam_presenter_show_slide (presenter, seam_deck_find_step (deck, step));
}

/* A lesson by its number or name, which need not be open in the window. */
static void
present_lesson_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Presenting *self = g_object_get_data (G_OBJECT (data), KEY);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_find (g_variant_get_string (parameter, NULL), &error);
  SeamDeck *deck = lesson != NULL ? make_lesson_deck (lesson, &error) : NULL;

  if (deck == NULL)
    return seam_toast_show (self->toasts, error->message, TRUE);
  if (self->presenter != NULL)
    gtk_window_destroy (GTK_WINDOW (self->presenter));
  present (self, deck);
}

/* The lesson that is open, or the one that most of the class answered. */
static SeamDeck *
make_class_deck (Presenting *self, const char *const *paths, GError **error)
{
  const SeamLesson *open = self->player->lesson;
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autoptr (SeamLesson) lesson = NULL;

  if (open != NULL)
    return make_lesson_deck (open, error);
  for (int i = 0; paths[i] != NULL; i++)
    seam_class_add (class, paths[i]);
  if (class->members->len == 0 && class->problems->len > 0)
    return seam_fail_null (error, SEAM_ERROR_FILE, "%s", (const char *)class->problems->pdata[0]);
  lesson = seam_class_find_lesson (class, error);
  return lesson != NULL ? make_lesson_deck (lesson, error) : NULL;
}

static void
collect (Presenting *self, const char *const *paths)
{
  g_autoptr (GError) error = NULL;

  if (self->presenter == NULL) {
    SeamDeck *deck = make_class_deck (self, paths, &error);

    if (deck == NULL) {
      seam_toast_show (self->toasts, error->message, TRUE);
      return;
    }
    present (self, deck);
  }
  seam_presenter_collect (self->presenter, paths);
}

static void
chosen_cb (const char *path, const char *reason, gpointer data)
{
  Presenting *self = data;

  if (path != NULL)
    collect (self, (const char *const[]){ path, NULL });
  else if (reason != NULL)
    seam_toast_show (self->toasts, reason, TRUE);
}

static void
collect_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  static const SeamFileQuestion question = { .title = "Collect a folder of answers",
                                             .accept = "_Collect",
                                             .folder = TRUE };

  seam_file_choice_ask (GTK_WINDOW (data), &question, chosen_cb,
                        g_object_get_data (G_OBJECT (data), KEY), NULL);
}

static void
collect_from_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const char *path = g_variant_get_string (parameter, NULL);

  collect (g_object_get_data (G_OBJECT (data), KEY), (const char *const[]){ path, NULL });
}

static void
collect_other_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Presenting *self = g_object_get_data (G_OBJECT (data), KEY);
  g_auto (GStrv) paths = NULL;
  g_autoptr (GError) error = NULL;

  if (self->presenter == NULL)
    return;
  g_autoptr (SeamLesson) other =
      seam_class_find_other (seam_presenter_get_class (self->presenter, &paths),
                             seam_deck_get_lesson (seam_presenter_get_deck (self->presenter)));
  SeamDeck *deck = other != NULL ? make_lesson_deck (other, &error) : NULL;
  if (deck == NULL)
    return;
  gtk_window_destroy (GTK_WINDOW (self->presenter));
  present (self, deck);
  seam_presenter_collect (self->presenter, (const char *const *)paths);
}

static void
presenting_free (gpointer data)
{
  Presenting *self = data;

  if (self->presenter != NULL)
    seam_presenter_set_run (self->presenter, NULL, NULL);
  g_clear_weak_pointer (&self->presenter);
  g_free (self);
}

void
seam_present_actions_install (GtkApplicationWindow *window, SeamModel *model,
                              SeamLessonPlayer *player, SeamPresentPage page, SeamPresentFill fill,
                              AdwToastOverlay *toasts)
{
  static const GActionEntry actions[] = {
    { .name = "present", .activate = present_cb },
    { .name = "present-lesson", .parameter_type = "s", .activate = present_lesson_cb },
    { .name = "collect", .activate = collect_cb },
    { .name = "collect-from", .parameter_type = "s", .activate = collect_from_cb },
    { .name = "collect-other", .activate = collect_other_cb },
  };
  Presenting *self = g_new0 (Presenting, 1);

  self->window = window;
  self->model = model;
  self->player = player;
  self->page = page;
  self->fill = fill;
  self->toasts = toasts;
  g_object_set_data_full (G_OBJECT (window), KEY, self, presenting_free);
  g_action_map_add_action_entries (G_ACTION_MAP (window), actions, G_N_ELEMENTS (actions), window);
}
