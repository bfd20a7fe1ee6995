/* SPDX-License-Identifier: MIT
 *
 * SeamWindow: the main window: header, sidebar, tabs, messages, and the actions of all of them. It
 * remembers its state and starts the worker after its first frame. It only presents; the model
 * decides.
 */
#pragma once

#include "ui/state/model.h"

#include "app/lesson/lesson.h"

#include <adwaita.h>

#define SEAM_TYPE_WINDOW (seam_window_get_type ())
G_DECLARE_FINAL_TYPE (SeamWindow, seam_window, SEAM, WINDOW, AdwApplicationWindow)

/* `started_us`: g_get_monotonic_time() at the program's start, for the log of the first frame. */
SeamWindow *seam_window_new (GtkApplication *application, SeamModel *model, gint64 started_us);
/* Opens a person's own pipeline file; shows a message if it cannot. */
void seam_window_open_lesson (SeamWindow *self, SeamLesson *lesson); /* takes it */
void seam_window_open_file (SeamWindow *self, GFile *file);
