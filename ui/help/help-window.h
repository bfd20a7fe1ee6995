/* SPDX-License-Identifier: MIT
 *
 * SeamHelpWindow: the pages of data/help in a window of its own: contents and search on the left,
 * the page, and the words of the glossary that it uses. One for the program, which keeps its place.
 */
#pragma once

#include "app/help/help.h"

#include <adwaita.h>

#define SEAM_TYPE_HELP_WINDOW (seam_help_window_get_type ())
G_DECLARE_FINAL_TYPE (SeamHelpWindow, seam_help_window, SEAM, HELP_WINDOW, AdwApplicationWindow)

/* Opens the window, or brings it to the front, at "plans" or "plans#exhibits"; NULL: at its last
 * place. */
void seam_help_window_present (GtkApplication *application, const char *address);
