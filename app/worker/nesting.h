/* SPDX-License-Identifier: MIT
 *
 * A bound on how deep a JSON message nests. jsonrpc-glib parses a message with json-glib, which
 * calls itself once a level and so overflows the stack on a message that is nothing but brackets.
 * The filter here stands before it: it makes flat what is nested too deep, and the worker then
 * refuses the call.
 */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

/* Levels of objects and arrays in a message, the message itself being the first; what the filter
 * lets through has at most this many. No call of the protocol needs more than ten. */
#define SEAM_NESTING_LEVELS 32

/* Where in a stream of messages the filter is. Zeroed is the start. */
typedef struct {
  char line[256]; /* of the headers, so far */
  gsize line_length;
  gboolean after_cr; /* a line feed would belong to the line that has ended */
  gboolean is_gvariant;
  gint64 n_left; /* bytes of the body that are still to come; 0: among headers */
  gint64 content_length;
  int depth;
  gboolean in_string, escaped;
} SeamNesting;

/* Filters the next bytes of the stream in place: a value that is nested deeper than
 * SEAM_NESTING_LEVELS becomes a 0 followed by spaces, so that messages keep their length.
 * Messages that are GVariant stay as they are: GLib bounds their nesting. */
void seam_nesting_filter (SeamNesting *self, char *bytes, gsize n);

/* The same stream, filtered. */
GInputStream *seam_nesting_stream_new (GInputStream *base);

/* Whether a call with these parameters reaches the last level, where the filter may have cut it. */
gboolean seam_nesting_is_too_deep (GVariant *params);

G_END_DECLS
