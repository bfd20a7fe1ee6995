/* SPDX-License-Identifier: MIT
 *
 * How pipelines come into the person's folder from the browser: made anew, or dropped.
 */
#pragma once

#include "ui/state/notices.h"

#include <gtk/gtk.h>

/* Makes a file and opens it in the editor for its kind. Its path, newly allocated; NULL: it could
 * not be made, and `notices` say why. */
char *seam_own_pipelines_begin (GtkWidget *page, SeamNotices *notices);

/* Copies pipelines that are dropped (of GFile). The path of the last copy, newly allocated; NULL:
 * none. Other files are opened as on the rest of the window. */
char *seam_own_pipelines_take (GtkWidget *page, SeamNotices *notices, GSList *files);
