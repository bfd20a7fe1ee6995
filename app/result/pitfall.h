/* SPDX-License-Identifier: MIT
 *
 * Pitfalls: mistakes of measuring that this program makes on purpose, to show what they do to a
 * result. Here are their names and words; app/runner and app/measure make the mistakes. A result
 * carries the names of those that it was made with wherever it goes.
 */
#pragma once

#include "app/base/error.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_PITFALL_ZEROS = 1 << 0,        /* the input is all zeros */
  SEAM_PITFALL_NO_WARM_UP = 1 << 1,   /* every sample is a first execution */
  SEAM_PITFALL_WARM_L2 = 1 << 2,      /* the last-level cache keeps what the last sample left */
  SEAM_PITFALL_HIDDEN_TF32 = 1 << 3,  /* all plans but the first compute in TF32 */
  SEAM_PITFALL_HOST_TIMER = 1 << 4,   /* a clock of the host that does not time the work */
  SEAM_PITFALL_FLUSH_INSIDE = 1 << 5, /* flushing the cache is part of the time */
} SeamPitfall;

#define SEAM_N_PITFALLS    6
#define SEAM_PITFALL_AT(i) ((SeamPitfall)(1 << (i)))

const char *seam_pitfall_get_name (SeamPitfall pitfall);     /* "no-warm-up" */
const char *seam_pitfall_get_title (SeamPitfall pitfall);    /* "No warm-up" */
const char *seam_pitfall_get_sentence (SeamPitfall pitfall); /* what is wrong with it */

/* Names with commas between, as in "zeros,warm-l2". SEAM_ERROR_INPUT, with those there are. */
gboolean seam_pitfalls_parse (const char *names, guint *pitfalls, GError **error);
/* The reverse; NULL for none. Newly allocated. */
char *seam_pitfalls_format (guint pitfalls);
/* "zeros as input, warm L2" for people; a name from a newer program stands for itself. NULL or
 * "": NULL. Newly allocated. */
char *seam_pitfalls_describe (const char *names);
/* "With pitfall, wrong on purpose: zeros as input, warm L2"; NULL for none. Newly allocated. */
char *seam_pitfalls_warn (const char *names);

G_END_DECLS
