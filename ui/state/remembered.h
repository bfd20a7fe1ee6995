/* SPDX-License-Identifier: MIT
 *
 * The remembered state: a GSettings object from the installed schema, or from the one compiled into
 * the build tree. Without any schema everything works and nothing is remembered.
 */
#pragma once

#include <gio/gio.h>

/* All functions accept a missing schema: getters return the schema's own defaults, setters do
 * nothing. Keys: data/io.github.seamscope.Seamscope.gschema.xml. */
char *seam_remembered_get_string (const char *key); /* newly allocated; "": no such key */
int seam_remembered_get_int (const char *key);
gboolean seam_remembered_get_boolean (const char *key);
/* a{ss}, for values with a name but no key of their own; empty if nothing was stored. */
GVariant *seam_remembered_get_texts (const char *key);
/* as, newly allocated; empty if nothing was stored. */
char **seam_remembered_get_list (const char *key);
/* Removes the text from the list; if it is `listed`, puts it in front of at most `most` texts. */
void seam_remembered_set_listed (const char *key, const char *text, gboolean listed, guint most);
void seam_remembered_set_string (const char *key, const char *value);
void seam_remembered_set_int (const char *key, int value);
void seam_remembered_set_boolean (const char *key, gboolean value);
void seam_remembered_set_texts (const char *key, GVariant *texts); /* takes a floating reference */
