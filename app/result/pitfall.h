/* SPDX-License-Identifier: MIT
 *
 * Pitfalls: mistakes of measuring that this program makes on purpose, to show their effect on a
 * result. This file has their names and words; app/runner and app/measure make the mistakes. A
 * result always carries the names of its pitfalls.
 */
#pragma once

#include "app/base/error.h"

typedef enum {
  SEAM_PITFALL_ZEROS = 1 << 0,        /* the input is all zeros */
  SEAM_PITFALL_NO_WARM_UP = 1 << 1,   /* every sample is a first execution */
  SEAM_PITFALL_WARM_L2 = 1 << 2,      /* the last-level cache still holds data of the last sample */
  SEAM_PITFALL_HIDDEN_TF32 = 1 << 3,  /* all plans but the first compute in TF32 */
  SEAM_PITFALL_HOST_TIMER = 1 << 4,   /* a host clock that does not measure the work */
  SEAM_PITFALL_FLUSH_INSIDE = 1 << 5, /* flushing the cache counts as time of the plan */
} SeamPitfall;

#define SEAM_N_PITFALLS    6
#define SEAM_PITFALL_AT(i) ((SeamPitfall)(1 << (i)))

const char *seam_pitfall_get_name (SeamPitfall pitfall);     /* "no-warm-up" */
const char *seam_pitfall_get_title (SeamPitfall pitfall);    /* "No warm-up" */
const char *seam_pitfall_get_sentence (SeamPitfall pitfall); /* what is wrong with it */

/* Parses names with commas between, as in "zeros,warm-l2". SEAM_ERROR_INPUT lists the pitfalls. */
gboolean seam_pitfalls_parse (const char *names, guint *pitfalls, GError **error);
/* The names of a set of pitfalls; NULL for none. Newly allocated. */
char *seam_pitfalls_format (guint pitfalls);
/* "zeros as input, warm L2" for people; a name from a newer program stays as it is. NULL or "":
 * NULL. Newly allocated. */
char *seam_pitfalls_describe (const char *names);
/* "With pitfall, wrong on purpose: zeros as input, warm L2"; NULL for none. Newly allocated. */
char *seam_pitfalls_warn (const char *names);
