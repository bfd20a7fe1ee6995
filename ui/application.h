/* SPDX-License-Identifier: MIT
 *
 * SeamApplication: the program around the window: accelerators, colour scheme, files given on the
 * command line. Not a single instance: two windows with a worker each do not disturb one another's
 * state, only each other's times, and that is the person's to decide.
 */
#pragma once

#include <adwaita.h>

#define SEAM_TYPE_APPLICATION (seam_application_get_type ())
G_DECLARE_FINAL_TYPE (SeamApplication, seam_application, SEAM, APPLICATION, AdwApplication)

/* `started_us`: g_get_monotonic_time() at the program's start. */
SeamApplication *seam_application_new (gint64 started_us);
