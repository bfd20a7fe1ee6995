/* SPDX-License-Identifier: MIT
 *
 * What the window remembers: a GSettings object from the installed schema, or from the one compiled
 * into the build tree. Without any schema everything works and nothing is remembered.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* All functions accept a missing schema: getters answer with the schema's own defaults, setters do
 * nothing. Keys: data/io.github.seamscope.Seamscope.gschema.xml. */
char *seam_settings_get_string (const char *key); /* newly allocated */
int seam_settings_get_int (const char *key);
gboolean seam_settings_get_boolean (const char *key);
void seam_settings_set_string (const char *key, const char *value);
void seam_settings_set_int (const char *key, int value);
void seam_settings_set_boolean (const char *key, gboolean value);

G_END_DECLS
