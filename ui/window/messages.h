/* SPDX-License-Identifier: MIT
 *
 * The messages under the header: at most two GtkInfoBars, the newest first. One of a kind at a
 * time: what is said again replaces what was said.
 */
#pragma once

#include "ui/state/model.h"

#include <adwaita.h>

G_BEGIN_DECLS

/* Adds a bar to `box`. `title` is bold, `text` follows. Buttons by kind: a lost worker offers
 * Details, "Run A only" and "Try again", a failed run "Try again". */
void seam_messages_show (GtkBox *box, SeamModel *model, SeamMessageKind kind, const char *title,
                         const char *text);
/* The driver keeps hardware counters for administrators: said once, with the remedy at hand. */
void seam_messages_show_counters (GtkBox *box, const SeamCheck *check);
/* A run starts: what was said of earlier ones goes. */
void seam_messages_clear (GtkBox *box);

G_END_DECLS
