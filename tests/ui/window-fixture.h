/* SPDX-License-Identifier: MIT
 *
 * The window in the process of a test, with a worker whose machine is that of tests/machine
 * (“clock”): everything is computed, and every time is the same on every computer. A test finds
 * what it needs as a person does, by what widgets say, and knows nothing of the classes behind
 * them. Whoever waits waits for a state and fails after UI_PATIENCE_S with what is on the screen.
 */
#pragma once

#include "app/base/csv-read.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define UI_PATIENCE_S 20

/* Before anything else in main(): a folder of the test's own for settings, caches and data, and the
 * environment of window and worker. Exit status 77 where there is no screen. Then g_test_run(). */
void ui_init (int *argc, char ***argv);
/* Runs the tests and removes that folder. */
int ui_run (void);
/* A path in that folder; newly allocated. */
char *ui_path (const char *name);

/* Opens the program's window, with `files` (NULL-terminated, or NULL) as if given on the command
 * line, and waits until its worker has described the machine. One window at a time. */
void ui_open (const char *const *files);
/* The same past the start page and with nothing remembered, a pipeline and a preset chosen whose
 * names match, ready to run within a second. */
void ui_open_at (const char *pipeline, const char *preset);
/* Closes it as Ctrl+Q does, without saving what a question asks for, and waits until it is gone. */
void ui_close (void);
GtkWindow *ui_window (void);
/* Keys and actions of a window go to the one with this title, as long as it is there, and to the
 * first one afterwards. */
void ui_turn_to (const char *title);
/* The first start's page is behind us, in this window and those that follow. */
void ui_leave_start_page (void);

/* Windows that follow begin with the settings of this file, as the program kept them. */
void ui_restore_settings (const char *recorded);
/* Writes such a file. */
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

/* Runs the main loop until condition() is true. */
void ui_wait (const char *what, gboolean (*condition) (gpointer data), gpointer data);
/* Runs the main loop until nothing is left to do at once. */
void ui_settle (void);

/* What GTK tells assistive technology that a widget is called, put together as GTK does it; newly
 * allocated, NULL if it has no name: GTK 4.8 then names the class. */
char *ui_get_spoken_name (GtkWidget *widget);
/* The same, else its text, else its tooltip; newly allocated, NULL if it has none. */
char *ui_get_name (GtkWidget *widget);
/* What assistive technology says of it besides; newly allocated, NULL: nothing. */
char *ui_get_description (GtkWidget *widget);
/* The first visible widget of type `type` (0: any) whose name matches the regular expression (NULL:
 * any), in any window or popover of the program. NULL: none. */
GtkWidget *ui_find (const char *pattern, GType type);
/* The same, waiting for it. */
GtkWidget *ui_see (const char *pattern, GType type);
/* Waits until there is none. */
void ui_miss (const char *pattern, GType type);
/* Waits until Run can be pressed. */
void ui_wait_for_run (void);
/* Seam `number` (from 1) of plan `letter` as soon as its name says it is in this state: “cut” or
 * “fused”, and what follows. */
GtkWidget *ui_see_seam (char letter, int number, const char *state);
/* All of them below `root` (NULL: in any window), in the order in which Tab goes; borrowed widgets,
 * to be freed with g_ptr_array_unref(). */
GPtrArray *ui_list (GtkWidget *root, const char *pattern, GType type);
/* The names of those with this role, such as the places in a figure, which are buttons. */
GStrv ui_list_names (const char *pattern, GtkAccessibleRole role);

/* What a click does: buttons, check, toggle and menu buttons, rows, cells, places in a figure. */
void ui_click (GtkWidget *widget);
/* The same at a place in a widget, 0 to 1 from left to right and from top to bottom. */
void ui_click_at (GtkWidget *widget, double across, double down);
/* The pointer goes there. */
void ui_point (GtkWidget *widget, double across, double down);
/* An action that takes a path, "export-traffic-to"; waits for the file of this name in the folder
 * of the test, whose path it returns, newly allocated. */
char *ui_write (const char *action, const char *name);
/* The same for a PNG: larger than width × height, and of more colours than a blank one. */
void ui_write_picture (const char *action, const char *name, int width, int height);
/* Types into an entry, in place of what was there, and Return. */
void ui_type (GtkWidget *entry, const char *text);
/* Chooses the item of a drop-down or combo row whose text matches. */
void ui_choose (GtkWidget *drop_down, const char *pattern);
/* The text of the chosen item; newly allocated, NULL: none. */
char *ui_get_choice (GtkWidget *drop_down);
/* An action of the window or of the application: "win.run", "win.page::difference". */
void ui_activate (const char *detailed_action);
/* The same with a parameter of any type, which it takes if it is floating; NULL: none. */
void ui_activate_with (const char *action, GVariant *parameter);
/* A key in the accelerator notation ("<Control>r", "Down"), to the widget that has the focus and
 * up from there, as GTK hands it on. TRUE if somebody took it. */
gboolean ui_press (const char *key);
/* The text in the clipboard; newly allocated. */
char *ui_paste (void);

/* What is on the screen, one line a widget that says something: role, name, description, states;
 * newly allocated. Times of the day and durations of the computer are masked. */
char *ui_describe (GtkWidget *root);

/* The pointer itself, where what the program hears of it is not enough: it goes to a place of the
 * widget, 0 to 1 across and down, and does what xdotool is told ("click 3", "mousedown 1"; NULL:
 * nothing). What comes of it is waited for. */
void ui_move_pointer (GtkWidget *widget, double across, double down, const char *then);

/* ui_write() of a CSV. */
SeamCsv *ui_write_table (const char *action, const char *name);
/* Group `group` of the regular expression in the text; newly allocated. It must match. */
char *ui_match (const char *pattern, const char *text, int group);

G_END_DECLS
