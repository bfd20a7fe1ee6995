/* SPDX-License-Identifier: MIT
 *
 * The window in the process of a test, with a worker whose machine is that of tests/machine
 * (“clock”): everything is computed, and every time is the same on every computer. A test finds
 * widgets as a person does, by their texts, and does not depend on their classes. Functions that
 * wait do so for a state, and fail after UI_PATIENCE_S with the contents of the screen.
 */
#pragma once

#include "app/base/csv-read.h"

#include <adwaita.h>

#define UI_PATIENCE_S 20
/* The start of a headline's pattern: on a busy machine a kernel may seem to exceed a peak that was
 * measured just before, which the headline marks. */
#define UI_VERDICT "^(⚠ )?"

/* To be called first in main(): creates a folder of the test's own for settings, caches and
 * data, and sets the environment of window and worker. Ends with status 77 if there is no screen.
 * Then it calls g_test_init(). */
void ui_init (int *argc, char ***argv);
/* Runs the tests and removes that folder. */
int ui_run (void);
/* A path in that folder; newly allocated. */
char *ui_path (const char *name);

/* Opens the program's window, with `files` (NULL-terminated, or NULL) as if given on the command
 * line, and waits until its worker has described the machine. One window at a time. It has no
 * animations: what a page shows, and where it has scrolled to, is final after one frame. */
void ui_open (const char *const *files);
/* Opens the window with nothing remembered and past the start page, with the pipeline and the
 * preset whose names match, ready for a run of less than a second. */
void ui_open_at (const char *pipeline, const char *preset);
/* Closes the window as Ctrl+Q does, discards what a question would save, and waits until it is
 * gone. */
void ui_close (void);
GtkWindow *ui_window (void);
/* Keys and window actions go to the window with this title while it exists, and afterwards to
 * the first one. */
void ui_turn_to (const char *title);
/* Leaves the first start's page, in this window and in later ones. */
void ui_leave_start_page (void);

/* Later windows start with the settings in this file, as the program kept them. */
void ui_restore_settings (const char *recorded);
/* Writes such a file of settings. */
void ui_record_settings (const char *recorded);

/* TRUE: the worker begins no further group (machine.c), so that a run stands still. FALSE: it goes
 * on. */
void ui_hold (gboolean hold);
/* The worker begins `n_groups` more groups, then stands still until ui_hold (FALSE). */
void ui_hold_after (int n_groups);

/* Kills the workers, as a fault in a kernel would. */
void ui_kill_worker (void);
/* Stops or continues the workers' processes: a frozen worker answers nothing. */
void ui_freeze_worker (gboolean freeze);

/* Waits for the next frame and any further ones until the widget has its final place, which a
 * change in or beside it may move. */
void ui_wait_for_frames (GtkWidget *widget);
/* Runs the main loop until condition() is true. */
void ui_wait (const char *what, gboolean (*condition) (gpointer data), gpointer data);
/* Runs the main loop until nothing is left to do at once. */
void ui_settle (void);

/* The name by which assistive technology knows a widget, composed as GTK composes it; newly
 * allocated. NULL if it has no name: GTK 4.8 then uses the class. */
char *ui_get_spoken_name (GtkWidget *widget);
/* The spoken name, else the widget's text, else its tooltip; newly allocated, NULL if it has
 * none. */
char *ui_get_name (GtkWidget *widget);
/* The description that assistive technology adds to the name; newly allocated, NULL: none. */
char *ui_get_description (GtkWidget *widget);
/* The first visible widget of type `type` (0: any) whose name matches the regular expression (NULL:
 * any), in any window or popover of the program. NULL: none. */
GtkWidget *ui_find (const char *pattern, GType type);
/* The same, after waiting for it. */
GtkWidget *ui_see (const char *pattern, GType type);
/* The same with values of a recorded run, such as "{elapsed(B)|ms}" (tests/core/recorded-run.h). */
GtkWidget *ui_see_recorded (const char *sample, const char *text, GType type);
/* Waits until no such widget exists. */
void ui_miss (const char *pattern, GType type);
/* Waits until Run can be pressed. */
void ui_wait_for_run (void);
/* Seam `number` (from 1) of plan `letter`, as soon as its name contains this state: “cut” or
 * “fused”, and further words. */
GtkWidget *ui_see_seam (char letter, int number, const char *state);
/* All such widgets below `root` (NULL: in any window), in the order of Tab. Unreference the
 * array; the widgets are borrowed. */
GPtrArray *ui_list (GtkWidget *root, const char *pattern, GType type);
/* The names of all widgets with this role, such as the places in a figure, which are buttons. */
GStrv ui_list_names (const char *pattern, GtkAccessibleRole role);

/* Does what a click does, on buttons, check, toggle and menu buttons, rows, cells, and places in
 * a figure. */
void ui_click (GtkWidget *widget);
/* Clicks at a place in a widget, 0 to 1 from left to right and from top to bottom. */
void ui_click_at (GtkWidget *widget, double across, double down);
/* Tells the program that the pointer is at such a place. */
void ui_point (GtkWidget *widget, double across, double down);
/* Activates an action that takes a path, such as "export-traffic-to", and waits for the file of
 * this name in the test's folder. Returns its path, newly allocated. */
char *ui_write (const char *action, const char *name);
/* The same for a PNG, which must be larger than width × height and have more colours than a
 * blank one. */
void ui_write_picture (const char *action, const char *name, int width, int height);
/* Replaces the text of an entry and presses Return. */
void ui_type (GtkWidget *entry, const char *text);
/* Chooses the item of a drop-down or combo row whose text matches. */
void ui_choose (GtkWidget *drop_down, const char *pattern);
/* The text of the chosen item; newly allocated, NULL: none. */
char *ui_get_choice (GtkWidget *drop_down);
/* Activates an action of the window or of the application: "win.run", "win.page::difference". */
void ui_activate (const char *detailed_action);
/* The same with a parameter of any type (NULL: none); takes it if it is floating. */
void ui_activate_with (const char *action, GVariant *parameter);
/* Presses a key in accelerator notation ("<Control>r", "Down"). It goes to the focused widget
 * and up from there, as in GTK. TRUE if a widget took it. */
gboolean ui_press (const char *key);
/* The text in the clipboard; newly allocated. */
char *ui_paste (void);

/* With SEAMSCOPE_TEST_PICTURES set to a folder, leaves a picture of the window there: what a person
 * sees before an act, which is part of its name. All acts above do. NULL: no window. */
void ui_draw (GtkWindow *window, const char *before);

/* The contents of the screen, one line for each widget that says something: role, name,
 * description, states; newly allocated. Times of day and durations of the computer are masked. */
char *ui_describe (GtkWidget *root);

/* Moves the real pointer, for tests that need more than the program's events, to a place of the
 * widget (0 to 1 across and down), and gives xdotool a further command ("click 3", "mousedown 1";
 * NULL: none). Waits for the effect. */
void ui_move_pointer (GtkWidget *widget, double across, double down, const char *then);

/* ui_write() for a CSV, which it reads. */
SeamCsv *ui_write_table (const char *action, const char *name);
/* Group `group` of the regular expression in the text, newly allocated. The expression must
 * match. */
char *ui_match (const char *pattern, const char *text, int group);
