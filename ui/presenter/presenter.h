/* SPDX-License-Identifier: MIT
 *
 * SeamPresenter: a window of its own, the whole of a screen, that shows the slides of a deck
 * (app/lesson/deck.h) to a room. It reveals, has steps run on this computer, collects what the
 * class predicts, and knows nothing of the main window.
 */
#pragma once

#include "app/lesson/deck.h"

#include <adwaita.h>

#define SEAM_TYPE_PRESENTER (seam_presenter_get_type ())
G_DECLARE_FINAL_TYPE (SeamPresenter, seam_presenter, SEAM, PRESENTER, GtkWindow)

/* Takes the deck, which has at least one slide. On the second screen if there is one. */
SeamPresenter *seam_presenter_new (GtkWindow *parent, SeamDeck *deck);
/* Makes the run of this computer that a step asks for; the result is a GTask of a SeamResult. */
typedef void (*SeamPresenterRun) (const SeamLessonStep *step, GCancellable *cancellable,
                                  GAsyncReadyCallback callback, gpointer callback_data,
                                  gpointer data);
/* Without it, or with NULL, steps of this computer are not run. */
void seam_presenter_set_run (SeamPresenter *self, SeamPresenterRun run, gpointer data);
void seam_presenter_show_slide (SeamPresenter *self, guint slide);
/* The deck with its state, and the slide that is shown; borrowed. */
SeamDeck *seam_presenter_get_deck (SeamPresenter *self);
/* Adds the answers in files and folders to the slides. NULL-terminated. */
void seam_presenter_collect (SeamPresenter *self, const char *const *paths);
/* What was collected, and from where: the signal "collected" says that there is more. The room is
 * told numbers only. `paths`: newly allocated. */
const SeamClass *seam_presenter_get_class (SeamPresenter *self, char ***paths);
