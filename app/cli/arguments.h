/* SPDX-License-Identifier: MIT
 *
 * Options of a command: a table that is both parsed and printed as help, and an unknown option that
 * is answered with the nearest known one.
 */
#pragma once

#include <glib.h>

typedef struct {
  const char *name;  /* without the dashes; NULL ends a table */
  const char *value; /* what it takes, in capitals; NULL: it is a flag */
  const char *help;  /* '\n' breaks a line */
  gboolean repeats;
  /* If one of these is not 0, the entry is no option itself but stands for several. */
  guint concerns; /* see request-options.h */
  guint products; /* see product-files.h */
} SeamOption;

typedef struct {
  GPtrArray *words;   /* char *, arguments that are no options */
  GHashTable *values; /* option name -> GPtrArray of char *; a flag has "" */
} SeamArguments;

/* Reads a command's arguments. Options may stand anywhere; "--" ends them. SEAM_ERROR_INPUT. */
SeamArguments *seam_arguments_parse (const SeamOption *options, char **argv, GError **error);
void seam_arguments_free (SeamArguments *arguments);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamArguments, seam_arguments_free)

gboolean seam_arguments_has (const SeamArguments *arguments, const char *name);
/* The value of an option given once, or NULL; borrowed. */
const char *seam_arguments_get (const SeamArguments *arguments, const char *name);
/* All values in order, NULL-terminated; borrowed strings, free the array only. */
const char **seam_arguments_get_all (const SeamArguments *arguments, const char *name);
/* SEAM_ERROR_INPUT unless there are exactly `n` words. `what` names them: "one PIPELINE". */
gboolean seam_arguments_expect_words (const SeamArguments *arguments, guint n, const char *what,
                                      GError **error);

/* The options as lines of help; newly allocated. */
char *seam_options_format (const SeamOption *options);
