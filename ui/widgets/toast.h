/* SPDX-License-Identifier: MIT
 *
 * The short messages at the foot of the window.
 */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Says `text` (plain, copied) at once: news takes the place of older news, so that nobody waits for
 * a queue of it; an error stays its time and longer. */
void seam_toast_show (AdwToastOverlay *overlay, const char *text, gboolean is_error);

G_END_DECLS
