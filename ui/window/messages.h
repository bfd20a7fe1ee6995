/* SPDX-License-Identifier: MIT
 *
 * The messages under the header: at most two GtkInfoBars, the newest first. A message replaces an
 * older one of the same kind.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

/* Adds a bar to `box`. `title` is bold, `text` follows. Buttons by kind: a lost worker offers
 * Details, "Run A only" and "Try again", a failed run "Try again". */
void seam_messages_show (GtkBox *box, SeamModel *model, SeamMessageKind kind, const char *title,
                         const char *text);
/* Says once that the driver reserves hardware counters for administrators, with the remedy. */
void seam_messages_show_counters (GtkBox *box, const SeamCheck *check);
/* Removes the message with this title, which no longer holds; NULL: those about earlier runs,
 * because a run starts. */
void seam_messages_clear (GtkBox *box, const char *title);

/* Asks whether `code`, which somebody else wrote, may be compiled and run, and shows all of it. */
void seam_messages_ask (GtkWindow *window, SeamModel *model, const char *title, const char *code);
