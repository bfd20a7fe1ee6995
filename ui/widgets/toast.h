/* SPDX-License-Identifier: MIT
 *
 * The short messages at the foot of the window.
 */
#pragma once

#include <adwaita.h>

/* Shows `text` (plain, copied) at once: news replaces older news, so that no queue forms; an
 * error stays its full time and longer. */
void seam_toast_show (AdwToastOverlay *overlay, const char *text, gboolean is_error);
