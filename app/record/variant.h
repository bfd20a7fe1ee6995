/* SPDX-License-Identifier: MIT
 *
 * Reading a{sv} variants that come from another process or a file, where anything may be missing or
 * of another type: a reader remembers the first error and does nothing after it, so that callers
 * check once.
 */
#pragma once

#include "app/base/error.h"

/* Most bytes of a name. The longest known ones, demangled names of template kernels, have 5,000; a
 * name of 200,000 kept a window busy for half a minute. */
#define SEAM_READER_MAX_NAME 16384

typedef struct {
  GVariant *dict;   /* borrowed */
  const char *what; /* "result", "request": names the record in messages; borrowed */
  GError *error;    /* the first error, owned until seam_reader_finish() */
  struct SeamReaderMember *members; /* from seam_reader_index(), owned */
  gsize n_members, next;            /* next: position after the last member found */
} SeamReader;

/* `variant` may be NULL or of any type; a wrong one is the reader's first error. */
void seam_reader_init (SeamReader *reader, GVariant *variant, const char *what);
/* Indexes the dictionary once. Use it if nearly all of its members are read, best in their order:
 * without it each lookup searches the dictionary from its beginning. */
void seam_reader_index (SeamReader *reader);
/* TRUE if nothing went wrong; hands the error over otherwise. Ends the reader. */
gboolean seam_reader_finish (SeamReader *reader, GError **error);
void seam_reader_fail (SeamReader *reader, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* A missing member leaves `value` as it is; a member of a wrong type or range is an error. Numbers
 * may have any numeric type, and lists and tuples may be lists of variants, as JSON text has no
 * other types. */
void seam_reader_double (SeamReader *reader, const char *key, double *value);
void seam_reader_int64 (SeamReader *reader, const char *key, gint64 min, gint64 max, gint64 *value);
void seam_reader_int (SeamReader *reader, const char *key, int min, int max, int *value);
void seam_reader_uint64 (SeamReader *reader, const char *key, guint64 *value);
void seam_reader_boolean (SeamReader *reader, const char *key, gboolean *value);
/* A name: a text of one line that is shown in many places, so a very long one is an error. Newly
 * allocated; frees what `value` held. */
void seam_reader_string (SeamReader *reader, const char *key, char **value);
/* The same for a text of any length: code, a pipeline's file, a compiler's message. */
void seam_reader_text (SeamReader *reader, const char *key, char **value);
/* NULL-terminated, newly allocated; frees what `value` held. */
void seam_reader_strings (SeamReader *reader, const char *key, char ***value);
/* Sets an error if the member is missing. */
void seam_reader_require (SeamReader *reader, const char *key);

/* An array of fixed-size elements of `element_type` ("d", "x", "i", "y"), copied and owned by the
 * caller; NULL and 0 if it is missing or empty. */
gpointer seam_reader_array (SeamReader *reader, const char *key, const char *element_type,
                            gsize element_size, gsize *n);
/* A member of this type, or NULL if it is missing; owned by the caller. */
GVariant *seam_reader_value (SeamReader *reader, const char *key, const char *type);

/* Adds a member to a dictionary under construction; does nothing for a NULL text. */
void seam_builder_string (GVariantBuilder *builder, const char *key, const char *value);
void seam_builder_double (GVariantBuilder *builder, const char *key, double value);
void seam_builder_int64 (GVariantBuilder *builder, const char *key, gint64 value);
void seam_builder_uint64 (GVariantBuilder *builder, const char *key, guint64 value);
void seam_builder_boolean (GVariantBuilder *builder, const char *key, gboolean value);
void seam_builder_array (GVariantBuilder *builder, const char *key, const char *element_type,
                         gsize element_size, const void *data, gsize n);
/* A member that is a list of dictionaries (aa{sv}); each is opened as G_VARIANT_TYPE_VARDICT
 * between the two and closed. */
void seam_builder_open_list (GVariantBuilder *builder, const char *key);
void seam_builder_close_list (GVariantBuilder *builder);

/* JSON text of a dictionary (json.c): numbers in the C locale, null for NaN; newly allocated. */
char *seam_variant_to_json (GVariant *variant);
