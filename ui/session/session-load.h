/* SPDX-License-Identifier: MIT
 *
 * Opening a session file without blocking the window.
 */
#pragma once

#include "app/session/session.h"

#include <gio/gio.h>

G_BEGIN_DECLS

/* Opens the file in a thread and reads its first run there, which in a file of an older format
 * checks all of it: to read other runs takes milliseconds afterwards. */
void seam_session_load_async (const char *path, GCancellable *cancellable,
                              GAsyncReadyCallback callback, gpointer data);
/* The session, and its first run (NULL: it has none, or it cannot be read, as it will say again).
 * NULL with SEAM_ERROR_FILE, or G_IO_ERROR_CANCELLED. */
SeamSession *seam_session_load_finish (GAsyncResult *result, SeamSessionRun **first,
                                       GError **error);

G_END_DECLS
