/* SPDX-License-Identifier: MIT
 *
 * The keyboard's way back out of a popover that closes: at once to what the popover belongs to. GTK
 * leaves the focus inside until the next frame, and a key that is pressed before it goes to a
 * widget that is no longer shown, past all shortcuts.
 */
#pragma once

/* For all popovers of the program, from now on. GTK is initialised. */
void seam_popover_focus_install (void);
