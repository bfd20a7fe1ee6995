/* SPDX-License-Identifier: MIT
 *
 * The actions of the main window that open the presenter: "present" for the lesson that is open, or
 * for what the shown tab shows, "present-lesson" for any lesson, by its number, and "collect" for
 * the answers of a class.
 */
#pragma once

#include "ui/page/page.h"

#include <adwaita.h>

/* The shown tab, borrowed. */
typedef SeamPage *(*SeamPresentPage) (GtkApplicationWindow *window);
/* Fills the source of a product, as seam_export_fill_source(). */
typedef gboolean (*SeamPresentFill) (GtkApplicationWindow *window, const SeamProduct *product,
                                     SeamProductSource *source, GError **error);

/* Everything is borrowed and must live as long as the window. `toasts` shows a sentence if there is
 * nothing to present. */
void seam_present_actions_install (GtkApplicationWindow *window, SeamModel *model,
                                   SeamLessonPlayer *player, SeamPresentPage page,
                                   SeamPresentFill fill, AdwToastOverlay *toasts);
