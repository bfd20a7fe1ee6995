/* SPDX-License-Identifier: MIT
 *
 * The window in the process of a test, with a worker whose machine is that of tests/machine
 * (“clock”): everything is computed, and every time is the same on every computer. A test finds
 * what it needs as a person does, by what widgets say, and knows nothing of the classes behind
 * them. Whoever waits waits for a state and fails after UI_PATIENCE_S with what is on the screen.
 */
#pragma once

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
/* Closes it as Ctrl+Q does, without saving what a question asks for, and waits until it is gone. */
void ui_close (void);
GtkWindow *ui_window (void);
/* The first start's page is behind us, in this window and those that follow. */
void ui_leave_start_page (void);

/* Groups of the worker do not begin to run as long as `hold` (machine.c). */
void ui_hold (gboolean hold);
/* The same, but that so many more begin first. */
void ui_hold_after (int n_groups);
/* Kills the workers, as a fault in a kernel would. */
void ui_kill_worker (void);

/* Runs the main loop until condition() is true. */
void ui_wait (const char *what, gboolean (*condition) (gpointer data), gpointer data);
/* Runs the main loop until nothing is left to do at once. */
void ui_settle (void);

/* What a widget is called: its accessible label, else its text, else its tooltip; newly allocated,
 * NULL if it has none. */
char *ui_get_name (GtkWidget *widget);
/* The first visible widget of type `type` (0: any) whose name matches the regular expression (NULL:
 * any), in any window or popover of the program. NULL: none. */
GtkWidget *ui_find (const char *pattern, GType type);
/* The same, waiting for it. */
GtkWidget *ui_see (const char *pattern, GType type);
/* Waits until there is none. */
void ui_miss (const char *pattern, GType type);

/* What a click does: buttons, check and toggle buttons, rows, list items. */
void ui_click (GtkWidget *widget);
/* Types into an entry, in place of what was there, and Return. */
void ui_type (GtkWidget *entry, const char *text);
/* Chooses the item of a drop-down or combo row whose text matches. */
void ui_choose (GtkWidget *drop_down, const char *pattern);
/* An action of the window or of the application: "win.run", "win.page::difference". */
void ui_activate (const char *detailed_action);
/* The same with a parameter of any type, which it takes if it is floating; NULL: none. */
void ui_activate_with (const char *action, GVariant *parameter);
/* A key in the accelerator notation ("<Control>r", "Down"), to the widget that has the focus and
 * up from there, as GTK hands it on. TRUE if somebody took it. */
gboolean ui_press (const char *key);

/* What is on the screen, one line a widget that says something: role, name, description, states;
 * newly allocated. Times of the day and durations of the computer are masked. */
char *ui_describe (GtkWidget *root);

G_END_DECLS
