/* SPDX-License-Identifier: MIT
 *
 * The fields of SeamWindow, shared by window.c (what is shown, actions, life), window-files.c
 * (opening) and window-layout.c (folding). Nobody else in ui includes this.
 */
#pragma once

#include "ui/window/window.h"

#include "ui/window/session-bar.h"
#include "ui/browser/pipeline-browser.h"
#include "ui/lesson/lesson-end.h"
#include "ui/lesson/lesson-pane.h"
#include "ui/session/session-file.h"
#include "ui/sidebar/sidebar.h"
#include "ui/start/start-page.h"
#include "ui/widgets/run-progress.h"

struct _SeamWindow {
  AdwApplicationWindow parent_instance;

  SeamModel *model;
  SeamSessionFile *session;
  SeamLessonPlayer *lesson;
  gint64 started_us;
  gboolean saw_first_frame, said_counters;
  gboolean came_from_start; /* to all pipelines, rather than from the tabs or a lesson */
  gboolean run_waits;       /* Run waits for the target's answer, then starts */
  gboolean folded, narrow;
  int width_seen, height_seen;
  guint layout_id;
  gboolean show_sidebar; /* the person's last choice in a wide window */

  AdwToastOverlay *toasts;
  GtkStack *titles, *views, *run_stack;
  AdwWindowTitle *title;
  SeamRunProgress *run_progress;
  GtkWidget *run_button, *stop_button, *sidebar_button;
  AdwFlap *flap;
  GtkStack *side;
  SeamSidebar *sidebar;
  SeamLessonPane *lesson_pane;
  SeamLessonEnd *lesson_end;
  GtkWidget *to_lesson; /* in the sidebar, while a step of a lesson lets one choose there */
  GtkBox *messages;
  GMenu *recent_menu, *samples_menu, *figures_menu, *texts_menu, *copy_menu;
  SeamSessionBar *session_bar;
  GtkLabel *pitfall_bar;
  GtkWidget *summary_button;
  GtkLabel *summary;
  AdwViewStack *pages;
  SeamStartPage *start;
  SeamPipelineBrowser *browser;
  GtkWidget *leave_button;
};

/* Shows the start page instead of the tabs, or the tabs again; after the last step of a lesson its
 * last page. */
void seam_window_show_start (SeamWindow *self, gboolean start);

/* Whether the lesson's pane is in the sidebar's place. */
gboolean seam_window_has_lesson (SeamWindow *self);

/* window-files.c: actions, recent files and files that are dropped. */
void seam_window_add_files (SeamWindow *self);

/* In window-layout.c: folds the window according to its width. */
void seam_window_apply_width (SeamWindow *self, int pixels);
/* The first is called when the window has its widgets, the second when it has its surface. */
void seam_window_connect_layout (SeamWindow *self);
void seam_window_follow_surface (SeamWindow *self);
