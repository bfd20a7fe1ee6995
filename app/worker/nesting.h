/* SPDX-License-Identifier: MIT
 *
 * A bound on how deep a JSON message nests. jsonrpc-glib parses a message with json-glib, which
 * recurses once for each level, so that a message of brackets overflows the stack. This filter
 * comes before it: it flattens values that nest too deep, and the worker then refuses the call.
 */
#pragma once

#include "app/record/json.h"

#include <gio/gio.h>

/* Levels of objects and arrays in a message, the message itself being the first; what the filter
 * lets through has at most this many. No call of the protocol needs more than ten. */
#define SEAM_NESTING_LEVELS SEAM_JSON_LEVELS

/* The filter's position in a stream of messages; zeroed at the start. */
typedef struct {
  char line[256]; /* the current line of the headers, so far */
  gsize line_length;
  gboolean after_cr; /* the last line ended with a carriage return: a line feed belongs to it */
  gboolean is_gvariant;
  gint64 n_left; /* remaining bytes of the body; 0: among headers */
  gint64 content_length;
  SeamJsonNesting json;
} SeamNesting;

/* Filters the next bytes of the stream in place: a value that is nested deeper than
 * SEAM_NESTING_LEVELS becomes a 0 followed by spaces, so that messages keep their length.
 * Messages that are GVariant stay as they are: GLib bounds their nesting. */
void seam_nesting_filter (SeamNesting *self, char *bytes, gsize n);

/* A stream with the filtered bytes of `base`. */
GInputStream *seam_nesting_stream_new (GInputStream *base);

/* Whether a call with these parameters reaches the last level, where the filter may have cut it. */
gboolean seam_nesting_is_too_deep (GVariant *params);
