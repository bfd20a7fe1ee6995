/* SPDX-License-Identifier: MIT
 *
 * Opening a session file without blocking the window.
 */
#pragma once

#include "app/session/session.h"

#include <gio/gio.h>

/* Opens the file in a thread and reads its first run there. In a file of an older format this
 * checks the whole file; reading other runs afterwards takes milliseconds. */
void seam_session_load_async (const char *path, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data);
/* The session, and its first run (NULL: it has none, or it cannot be read; reading it again
 * reports the error). NULL with SEAM_ERROR_FILE, or G_IO_ERROR_CANCELLED. */
SeamSession *seam_session_load_finish (GAsyncResult *result, SeamSessionRun **first,
                                       GError **error);
