/* SPDX-License-Identifier: MIT
 *
 * The question which entries of the history a session file will hold: a list with check buttons.
 */
#pragma once

#include "ui/state/history-list.h"

#include <adwaita.h>

/* `ids`: gint64, the newest first, borrowed; NULL: cancelled. */
typedef void (*SeamEntryChoiceFunc) (GArray *ids, gpointer data);

/* Asks; those of `ticked` are chosen at first. `session`: the name of an open session that the file
 * will hold in any case; NULL: at least one entry has to be chosen. Calls `answer` once, unless the
 * window goes. */
void seam_entry_choice_ask (GtkWindow *parent, SeamHistoryList *history, GArray *ticked,
                            const char *session, SeamEntryChoiceFunc answer, gpointer data);
