/* SPDX-License-Identifier: MIT
 *
 * Messages to the person: any part of the window emits them here, and the window shows them.
 *
 * Signals:
 *   "message" (guint kind, char *title, char *text)   SeamMessageKind; `text` is never NULL
 */
#pragma once

#include <glib-object.h>

#define SEAM_TYPE_NOTICES (seam_notices_get_type ())
G_DECLARE_FINAL_TYPE (SeamNotices, seam_notices, SEAM, NOTICES, GObject)

typedef enum {
  SEAM_MESSAGE_WORKER_LOST, /* info bar: details, run A only, try again */
  SEAM_MESSAGE_RUN_FAILED,  /* info bar: try again */
  SEAM_MESSAGE_WARNING,     /* info bar */
  SEAM_MESSAGE_TOAST,       /* toast */
  SEAM_MESSAGE_OVER,        /* what the info bar with this title says no longer holds: it goes */
  SEAM_MESSAGE_ASK,         /* question whether `text`, somebody else's code, may run */
} SeamMessageKind;

SeamNotices *seam_notices_new (void);
/* `text` may be NULL. */
void seam_notices_say (SeamNotices *self, SeamMessageKind kind, const char *title,
                       const char *text);
