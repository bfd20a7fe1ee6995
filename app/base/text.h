/* SPDX-License-Identifier: MIT
 *
 * Numbers as people read and type them: one unit a column, a real minus sign, thousands separators,
 * "< 0.001" instead of 0.000, "–" for unknown. The window, the figures and the terminal use it. CSV
 * comes from SeamView, JSON from seam_variant_to_json() (app/record/), both with numbers in the C
 * locale.
 */
#pragma once

#include <glib.h>

#define SEAM_DASH  "–"
#define SEAM_MINUS "−"
#define SEAM_TIMES "×"

/* A unit for times or bytes, chosen so that the largest value shown is 1 to 999. */
typedef struct {
  const char *name; /* "ms", "GB": static */
  double scale;     /* divide a value in the base unit (ns, bytes) by this */
} SeamUnit;

SeamUnit seam_unit_for_time (double largest_ns);
SeamUnit seam_unit_for_bytes (double largest_bytes);          /* decimal: 1 GB = 1e9 B */
SeamUnit seam_unit_for_rate (double largest_bytes_per_s);     /* "GB/s", "TB/s" */
SeamUnit seam_unit_for_flop (double largest_flop);            /* "GFLOP" */
SeamUnit seam_unit_for_flop_rate (double largest_flop_per_s); /* "TFLOP/s" */

/* All return newly allocated UTF-8. NaN gives SEAM_DASH. */
/* "1,234.567", "−0.5". A value below the last digit is "< 0.001"; a negative one shows its first
 * digit that is not 0, "−0.0004". */
char *seam_text_fixed (double value, int decimals);
/* A change, with its sign: "+0.5", "−0.5", "0". A value below the last digit shows its first digit
 * that is not 0. */
char *seam_text_change (double value, int decimals);
char *seam_text_significant (double value, int digits); /* headlines: "2.57", "0.0123" */
char *seam_text_scientific (double value);              /* "1.4×10⁻⁶", "0" */
char *seam_text_count (gint64 value);                   /* "134,217,728" */
#define SEAM_MOST_TIMES 1e4 /* above it a ratio is not a number that says more */
/* "22.0", "0.430", "< 0.0001", "over 10⁴": a part of a limit, which may be next to nothing. */
char *seam_text_times (double ratio);
char *seam_text_ratio (double ratio);      /* "1.84×" */
char *seam_text_percent (double fraction); /* 0.674 -> "67.4" */
/* By how much the larger of two is larger, less than 0 if that is the second: 1.034 -> "3.40",
 * 1 / 1.034 -> "−3.40", which are the same distance from equality. Less than a millionth of a
 * percent, which is rounding, gives "0.00". */
char *seam_text_percent_off (double ratio);
char *seam_text_time (double ns);                      /* "2.57 ms" */
char *seam_text_bytes (double bytes);                  /* "1.06 GB" */
char *seam_text_rate (double bytes_per_s);             /* "3.90 TB/s" */
char *seam_text_flop (double flop);                    /* "38.1 GFLOP" */
char *seam_text_flop_rate (double flop_per_s);         /* "495 TFLOP/s" */
char *seam_text_dims (const gint64 *dims, int n_dims); /* "[128, 32, 254, 254]" */

/* "27 Nov 08:13", in local time; "" if `iso8601` is NULL or no time. */
char *seam_text_when (const char *iso8601);

/* "1, 2 and 3"; words are borrowed, NULL-terminated. */
char *seam_text_list (const char *const *words);

/* Parses a whole string strictly, in the C locale; FALSE and SEAM_ERROR_INPUT naming `what` if it
 * is wrong. The integer parser accepts thousands separators ("32,768") and surrounding blanks. */
gboolean seam_text_parse_int64 (const char *text, const char *what, gint64 min, gint64 max,
                                gint64 *value, GError **error);
gboolean seam_text_parse_double (const char *text, const char *what, double min, double max,
                                 double *value, GError **error);

/* A number that a person typed into an entry, as the parsers above read it: decimal point or comma,
 * thousands in groups, a unit of the same quantity as `unit` ("1.2 ms" where `unit` is "µs" gives
 * "1200"; NULL: none). Where it can be read in two ways ("1,234"), NULL and SEAM_ERROR_INPUT with
 * both. Text that is no number comes back as it is. Newly allocated. */
char *seam_text_read_typed (const char *text, const char *what, const char *unit, GError **error);
/* A number that an entry or a range shows: "2000", without separators. Newly allocated. */
char *seam_text_typed (double value, int digits);

/* Turns any bytes into valid UTF-8 in which control characters, bidirectional overrides and the
 * like become U+FFFD, except those in `kept` ("\n\t", ""). Newly allocated. */
char *seam_text_make_printable (const char *text, const char *kept);
/* Valid UTF-8 with at most `max` characters (at least 1); the last is "…" if there are more. For
 * display only: files keep the whole text. Newly allocated. */
char *seam_text_shorten (const char *text, gsize max);
/* Turns any bytes into text that figures and the window can show: printable except for line feeds
 * and tabs, and at most SEAM_TEXT_MOST_SHOWN characters. Newly allocated. */
#define SEAM_TEXT_MOST_SHOWN 2000
char *seam_text_show (const char *text);

/* The word of `candidates` (NULL-terminated) nearest to `word` by edit distance, or NULL if none is
 * near; borrowed. For "did you mean …?". */
const char *seam_text_nearest (const char *word, const char *const *candidates);
/* The end of a sentence that refuses `word`: "; did you mean “conv2d”?", or "." if none is near.
 * Newly allocated. */
char *seam_text_suggest (const char *word, const char *const *candidates);
