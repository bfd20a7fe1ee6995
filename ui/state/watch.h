/* SPDX-License-Identifier: MIT
 *
 * Follows properties: a widget is updated once for all properties that changed together.
 */
#pragma once

#include <glib-object.h>

/* Calls update (owner), a function of the owner's own type in G_CALLBACK(), after any of the
 * properties has changed: before the next event and the next frame, but not at once, so that
 * several changes are one update. `owner` is a GObject; it is not called once it is disposed of.
 * Each `object` is followed by the names of its properties, separated by spaces; NULL ends the
 * list. */
void seam_watch (gpointer owner, GCallback update, gpointer object, const char *properties,
                 ...) G_GNUC_NULL_TERMINATED;

/* The same at once, for parts of the state that others rely on. */
void seam_watch_now (gpointer owner, GCallback update, gpointer object, const char *properties);

/* At the end of an object's class_init: properties that are only followed. What they stand for is
 * read with functions of the class. Names are separated by spaces, here and below. */
void seam_watch_install (gpointer klass, const char *properties);
/* These properties changed. */
void seam_watch_notify (gpointer object, const char *properties);
