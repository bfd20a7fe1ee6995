/* SPDX-License-Identifier: MIT
 *
 * Formats numbers for people, and parses strictly what people type. Formatting goes through
 * g_ascii_formatd(), so that the locale of the process never changes a figure.
 */
#include "app/base/text.h"

#include "app/base/error.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#define SEAM_INFINITY "∞"
#define LEAST_TIMES   1e-4

/* Longest word that seam_text_nearest() looks at; names of this program are far shorter. */
#define NEAREST_MAX 64
/* Characters of a person's input that a sentence repeats. */
#define MOST_QUOTED 40
/* Characters of a text that figures and the window show. Pango's time grows with the square of a
 * word's length (a name of 200 kB took half a minute), and no place has room for more. */

static SeamUnit
choose_unit (double largest, const SeamUnit *units)
{
  int i = 0;

  if (!isfinite (largest))
    return units[0];
  /* 999.5 would be shown as 1,000 of the smaller unit, in a headline of three digits. */
  while (units[i + 1].name != NULL && fabs (largest) >= 999.5 * units[i].scale)
    i++;
  return units[i];
}

/* `digits` is an unsigned number in C notation ("12345.6"). */
static void
append_grouped (GString *text, const char *digits)
{
  gsize n_whole = strcspn (digits, ".");

  for (gsize i = 0; i < n_whole; i++) {
    if (i > 0 && (n_whole - i) % 3 == 0)
      g_string_append_c (text, ',');
    g_string_append_c (text, digits[i]);
  }
  g_string_append (text, digits + n_whole);
}

char *
seam_text_fixed (double value, int decimals)
{
  char format[16], digits[512], smallest[32];

  if (isnan (value))
    return g_strdup (SEAM_DASH);
  if (isinf (value))
    return g_strdup (value < 0 ? SEAM_MINUS SEAM_INFINITY : SEAM_INFINITY);
  decimals = CLAMP (decimals, 0, 15);
  g_snprintf (format, sizeof format, "%%.%df", decimals);
  g_ascii_formatd (digits, sizeof digits, format, fabs (value));
  gboolean is_tiny = value != 0 && strspn (digits, "0.") == strlen (digits);
  /* "< −0.001" would be wrong, and "> −0.001" reads like a large number. */
  if (is_tiny && value < 0)
    return seam_text_significant (value, 1);
  GString *text = g_string_new (NULL);
  if (is_tiny) {
    g_ascii_formatd (smallest, sizeof smallest, format, pow (10, -decimals));
    g_string_append_printf (text, "< %s", smallest);
  } else {
    if (value < 0)
      g_string_append (text, SEAM_MINUS);
    append_grouped (text, digits);
  }
  return g_string_free (text, FALSE);
}

char *
seam_text_change (double value, int decimals)
{
  g_autofree char *text = value == 0 ? g_strdup ("0") : seam_text_fixed (value, decimals);

  if (!(value > 0))
    return g_steal_pointer (&text);
  if (text[0] == '<') {
    g_free (text);
    text = seam_text_significant (value, 1);
  }
  return g_strconcat ("+", text, NULL);
}

/* Decimal exponent of a finite, non-zero value after rounding to `digits` significant digits. */
static int
get_rounded_exponent (double value, int digits)
{
  char format[16], buffer[64];

  g_snprintf (format, sizeof format, "%%.%de", digits - 1);
  g_ascii_formatd (buffer, sizeof buffer, format, fabs (value));
  return (int)g_ascii_strtoll (strchr (buffer, 'e') + 1, NULL, 10);
}

char *
seam_text_significant (double value, int digits)
{
  digits = CLAMP (digits, 1, 15);
  if (value == 0)
    return g_strdup ("0");
  if (!isfinite (value))
    return seam_text_fixed (value, 0);
  int exponent = get_rounded_exponent (value, digits);
  if (exponent < -6)
    return seam_text_scientific (value);
  return seam_text_fixed (value, MAX (0, digits - 1 - exponent));
}

char *
seam_text_scientific (double value)
{
  static const char *const superscripts[] = { "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹" };
  char buffer[64], power[16];
  char *e;

  if (value == 0)
    return g_strdup ("0");
  if (!isfinite (value))
    return seam_text_fixed (value, 0);
  int exponent = get_rounded_exponent (value, 2);
  /* 0.34, 3.4, 34 and 340 are easier to read than a power of ten. */
  if (exponent >= -1 && exponent <= 2)
    return seam_text_fixed (value, MAX (0, 1 - exponent));
  g_ascii_formatd (buffer, sizeof buffer, "%.1e", fabs (value));
  e = strchr (buffer, 'e');
  *e = '\0';
  GString *text = g_string_new (value < 0 ? SEAM_MINUS : "");
  g_string_append_printf (text, "%s" SEAM_TIMES "10", buffer);
  if (exponent < 0)
    g_string_append (text, "⁻");
  g_snprintf (power, sizeof power, "%d", ABS (exponent));
  for (const char *p = power; *p; p++)
    g_string_append (text, superscripts[*p - '0']);
  return g_string_free (text, FALSE);
}

char *
seam_text_count (gint64 value)
{
  char digits[32];
  GString *text = g_string_new (value < 0 ? SEAM_MINUS : "");
  guint64 magnitude = value < 0 ? (guint64)0 - (guint64)value : (guint64)value;

  g_snprintf (digits, sizeof digits, "%" G_GUINT64_FORMAT, magnitude);
  append_grouped (text, digits);
  return g_string_free (text, FALSE);
}

char *
seam_text_times (double ratio)
{
  return ratio > SEAM_MOST_TIMES            ? g_strdup ("over 10⁴")
         : ratio > 0 && ratio < LEAST_TIMES ? g_strdup ("< 0.0001")
                                            : seam_text_significant (ratio, 3);
}

char *
seam_text_ratio (double ratio)
{
  if (!isfinite (ratio))
    return g_strdup (SEAM_DASH);
  g_autofree char *number = seam_text_times (ratio);
  return g_strconcat (number, SEAM_TIMES, NULL);
}

char *
seam_text_percent (double fraction)
{
  return seam_text_fixed (100 * fraction, 1);
}

char *
seam_text_percent_off (double ratio)
{
  double percent = 100 * (ratio < 1 ? 1 - 1 / ratio : ratio - 1);

  return seam_text_fixed (fabs (percent) < 1e-6 ? 0 : percent, 2);
}

static char *
format_with_unit (double value, SeamUnit unit)
{
  g_autofree char *number = NULL;

  if (isnan (value))
    return g_strdup (SEAM_DASH);
  /* Bytes and nanoseconds are whole numbers: "512 B", not "512.00". */
  if (unit.scale == 1 && value == floor (value))
    number = seam_text_fixed (value, 0);
  else
    number = seam_text_significant (value / unit.scale, 3);
  return g_strconcat (number, " ", unit.name, NULL);
}

#define PREFIXED(unit)                                                                             \
  {                                                                                                \
    { unit, 1 }, { "k" unit, 1e3 }, { "M" unit, 1e6 }, { "G" unit, 1e9 }, { "T" unit, 1e12 },      \
  }
enum { TIME, SIZE, RATE, FLOP, FLOP_RATE };
static const SeamUnit quantities[][6] = {
  { { "ns", 1 }, { "µs", 1e3 }, { "ms", 1e6 }, { "s", 1e9 } },
  PREFIXED ("B"),
  PREFIXED ("B/s"),
  PREFIXED ("FLOP"),
  PREFIXED ("FLOP/s"),
};

/* Of a quantity: the function that chooses its unit, and the one that formats it. */
#define QUANTITY(choose, format, quantity)                                                         \
  SeamUnit choose (double largest)                                                                 \
  {                                                                                                \
    return choose_unit (largest, quantities[quantity]);                                            \
  }                                                                                                \
  char *format (double value)                                                                      \
  {                                                                                                \
    return format_with_unit (value, choose (value));                                               \
  }
QUANTITY (seam_unit_for_time, seam_text_time, TIME)
QUANTITY (seam_unit_for_bytes, seam_text_bytes, SIZE)
QUANTITY (seam_unit_for_rate, seam_text_rate, RATE)
QUANTITY (seam_unit_for_flop, seam_text_flop, FLOP)
QUANTITY (seam_unit_for_flop_rate, seam_text_flop_rate, FLOP_RATE)

char *
seam_text_dims (const gint64 *dims, int n_dims)
{
  GString *text = g_string_new ("[");

  for (int i = 0; i < n_dims; i++)
    g_string_append_printf (text, "%s%" G_GINT64_FORMAT, i ? ", " : "", dims[i]);
  g_string_append_c (text, ']');
  return g_string_free (text, FALSE);
}

char *
seam_text_when (const char *iso8601)
{
  g_autoptr (GDateTime) utc = iso8601 != NULL ? g_date_time_new_from_iso8601 (iso8601, NULL) : NULL;
  g_autoptr (GDateTime) local = utc != NULL ? g_date_time_to_local (utc) : NULL;

  return local != NULL ? g_date_time_format (local, "%-d %b %H:%M") : g_strdup ("");
}

char *
seam_text_list (const char *const *words)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; words[i]; i++) {
    if (i > 0)
      g_string_append (text, words[i + 1] ? ", " : " and ");
    g_string_append (text, words[i]);
  }
  return g_string_free (text, FALSE);
}

char *
seam_text_make_printable (const char *text, const char *kept)
{
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  GString *printable = g_string_new (NULL);

  for (const char *p = valid; *p; p = g_utf8_next_char (p)) {
    gunichar c = g_utf8_get_char (p);
    gboolean stays = g_unichar_isprint (c) || (c < 0x80 && strchr (kept, (int)c) != NULL);
    g_string_append_unichar (printable, stays ? c : 0xfffd);
  }
  return g_string_free (printable, FALSE);
}

char *
seam_text_shorten (const char *text, gsize max)
{
  const char *p = text, *cut = text; /* `cut`: behind max - 1 characters */

  /* Does not count all characters, because the text may be very long; it may end within one. */
  for (gsize n = 0; *p != '\0'; n++, p = g_utf8_find_next_char (p, NULL)) {
    if (n + 1 == max)
      cut = p;
    if (n == max) {
      g_autofree char *start = g_strndup (text, (gsize)(cut - text));
      return g_strconcat (start, "…", NULL);
    }
  }
  return g_strdup (text);
}

char *
seam_text_show (const char *text)
{
  /* Cuts by bytes first: a character has at most six, and making the hidden rest valid would be
   * wasted work. */
  g_autofree char *start = g_strndup (text, 6 * (SEAM_TEXT_MOST_SHOWN + 1));
  g_autofree char *printable = seam_text_make_printable (start, "\n\t");

  return seam_text_shorten (printable, SEAM_TEXT_MOST_SHOWN);
}

static char *
remove_all (char *text, char c)
{
  char *to = text;

  for (const char *p = text; *p; p++)
    if (*p != c)
      *to++ = *p;
  *to = '\0';
  return text;
}

/* A person's input, cut to a length that fits a sentence and made printable. */
static char *
quote (const char *text)
{
  g_autofree char *printable = seam_text_make_printable (text, "");
  g_autofree char *shown = seam_text_shorten (printable, MOST_QUOTED);

  return g_strdup_printf ("“%s”", shown);
}

gboolean
seam_text_parse_int64 (const char *text, const char *what, gint64 min, gint64 max, gint64 *value,
                       GError **error)
{
  g_autofree char *plain = g_strstrip (g_strdup (text));
  g_autofree char *quoted = quote (text);
  g_autofree char *low = seam_text_count (min), *high = seam_text_count (max);

  if (g_regex_match_simple ("^[-+]?\\d{1,3}(,\\d{3})+$", plain, 0, 0))
    remove_all (plain, ',');
  if (!g_regex_match_simple ("^[-+]?[0-9]+$", plain, 0, 0))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "%s: %s is not a whole number; use one from %s to %s.", what, quoted, low,
                      high);
  errno = 0;
  gint64 parsed = g_ascii_strtoll (plain, NULL, 10);
  if (errno == ERANGE || parsed < min || parsed > max)
    return seam_fail (error, SEAM_ERROR_INPUT, "%s: %s is outside the range %s to %s.", what,
                      quoted, low, high);
  *value = parsed;
  return TRUE;
}

gboolean
seam_text_parse_double (const char *text, const char *what, double min, double max, double *value,
                        GError **error)
{
  g_autofree char *plain = g_strstrip (g_strdup (text));
  g_autofree char *quoted = quote (text);
  char low[G_ASCII_DTOSTR_BUF_SIZE], high[G_ASCII_DTOSTR_BUF_SIZE];
  char *end = NULL;
  double parsed = 0;

  g_ascii_formatd (low, sizeof low, "%g", min);
  g_ascii_formatd (high, sizeof high, "%g", max);
  /* This check excludes "inf", "nan" and hexadecimal numbers. */
  if (plain[strspn (plain, "0123456789+-.eE")] == '\0' && strpbrk (plain, "0123456789"))
    parsed = g_ascii_strtod (plain, &end);
  if (end == NULL || end == plain || *end != '\0')
    return seam_fail (error, SEAM_ERROR_INPUT, "%s: %s is not a number; use one from %s to %s.",
                      what, quoted, low, high);
  if (!(parsed >= min && parsed <= max))
    return seam_fail (error, SEAM_ERROR_INPUT, "%s: %s is outside the range %s to %s.", what,
                      quoted, low, high);
  *value = parsed;
  return TRUE;
}

/* With the letter of µ that this program writes. */
static const char *
get_unit_name (const char *unit)
{
  return g_strcmp0 (unit, "us") == 0 || g_strcmp0 (unit, "μs") == 0 ? "µs" : unit;
}

/* What a number in unit `from` is multiplied by to be one in `to`; 0: not of the same quantity. */
static double
get_factor (const char *from, const char *to)
{
  if (*from == '\0' || g_strcmp0 (from, to) == 0)
    return 1;
  for (gsize i = 0; to != NULL && i < G_N_ELEMENTS (quantities); i++) {
    double has = 0, wanted = 0;
    for (const SeamUnit *unit = quantities[i]; unit->name != NULL; unit++) {
      has = strcmp (unit->name, from) == 0 ? unit->scale : has;
      wanted = strcmp (unit->name, to) == 0 ? unit->scale : wanted;
    }
    if (has > 0 && wanted > 0)
      return has / wanted;
  }
  return 0;
}

char *
seam_text_read_typed (const char *text, const char *what, const char *unit, GError **error)
{
  /* Blanks, thin ones too, and apostrophes between groups of digits. */
  g_autoptr (GRegex) gaps =
      g_regex_new ("(?<=\\d)[ '’\\x{a0}\\x{2009}\\x{202f}](?=\\d{3}(?!\\d))", 0, 0, NULL);
  g_autoptr (GRegex) form = g_regex_new ("^[\\s\\x{a0}]*([-+−]?)([.,]?\\d[\\d.,]*)(e[-+]?\\d+)?"
                                         "[\\s\\x{a0}\\x{2009}\\x{202f}]*(.*?)\\s*$",
                                         G_REGEX_CASELESS, 0, NULL);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autofree char *joined = g_regex_replace_literal (gaps, valid, -1, 0, "", 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (joined == NULL || !g_regex_match (form, joined, 0, &match))
    return g_strdup (text);
  g_auto (GStrv) parts = g_match_info_fetch_all (match);
  char *number = parts[2];
  double factor = get_factor (get_unit_name (parts[4]), get_unit_name (unit));

  if (factor == 0)
    return seam_fail_null (
        error, SEAM_ERROR_INPUT, "%s: “%s” is not a unit that fits; type %s%s.", what, parts[4],
        unit != NULL && *unit != '\0' ? "a number of " : "a number", unit != NULL ? unit : "");
  if (*parts[3] == '\0' && g_regex_match_simple ("^[1-9]\\d{0,2},\\d{3}$", number, 0, 0)) {
    int n = (int)strcspn (number, ",");
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "%s: is “%s” %.*s.%s or %.*s%s? Type one of the two.", what, number, n,
                           number, number + n + 1, n, number, number + n + 1);
  }
  if (g_regex_match_simple ("^\\d*[.,]?\\d*$", number, 0, 0))
    g_strdelimit (number, ",", '.');
  else if (g_regex_match_simple ("^\\d{1,3}(,\\d{3})+(\\.\\d*)?$", number, 0, 0))
    remove_all (number, ',');
  else if (g_regex_match_simple ("^\\d{1,3}(\\.\\d{3})+(,\\d*)?$", number, 0, 0))
    g_strdelimit (remove_all (number, '.'), ",", '.');
  else if (strpbrk (number, ".,") != NULL)
    return g_strdup (text);
  g_autofree char *plain =
      g_strconcat (g_str_equal (parts[1], SEAM_MINUS) ? "-" : parts[1], number, parts[3], NULL);
  char scaled[G_ASCII_DTOSTR_BUF_SIZE];
  if (factor == 1 && *parts[3] == '\0')
    return g_steal_pointer (&plain);
  return g_strdup (
      g_ascii_formatd (scaled, sizeof scaled, "%.15g", factor * g_ascii_strtod (plain, NULL)));
}

char *
seam_text_typed (double value, int digits)
{
  char *text = seam_text_significant (value, digits);

  return remove_all (text, ',');
}

/* Optimal string alignment distance: insertion, deletion, replacement, and swapping two
 * neighbours. */
static int
get_edit_distance (const char *a, gsize n_a, const char *b, gsize n_b)
{
  int rows[3][NEAREST_MAX + 1];
  int *before = rows[0], *last = rows[1], *current = rows[2];

  for (gsize j = 0; j <= n_b; j++)
    last[j] = (int)j;
  for (gsize i = 1; i <= n_a; i++) {
    int *oldest = before;
    current[0] = (int)i;
    for (gsize j = 1; j <= n_b; j++) {
      int cost = g_ascii_tolower (a[i - 1]) != g_ascii_tolower (b[j - 1]);
      current[j] = MIN (MIN (last[j] + 1, current[j - 1] + 1), last[j - 1] + cost);
      if (i > 1 && j > 1 && g_ascii_tolower (a[i - 1]) == g_ascii_tolower (b[j - 2])
          && g_ascii_tolower (a[i - 2]) == g_ascii_tolower (b[j - 1]))
        current[j] = MIN (current[j], before[j - 2] + 1);
    }
    before = last;
    last = current;
    current = oldest;
  }
  return last[n_b];
}

const char *
seam_text_nearest (const char *word, const char *const *candidates)
{
  gsize n_word = strlen (word);
  const char *best = NULL;
  int best_distance = 0;

  if (n_word == 0 || n_word > NEAREST_MAX)
    return NULL;
  for (int i = 0; candidates[i]; i++) {
    gsize n = strlen (candidates[i]);
    if (n > NEAREST_MAX)
      continue;
    int distance = get_edit_distance (word, n_word, candidates[i], n);
    /* A word that begins a longer name is probably an abbreviation of it. */
    if (n_word >= 3 && g_ascii_strncasecmp (word, candidates[i], n_word) == 0)
      distance = MIN (distance, 1);
    if (distance <= 1 + (int)MIN (n_word, n) / 4 && (best == NULL || distance < best_distance)) {
      best = candidates[i];
      best_distance = distance;
    }
  }
  return best;
}

char *
seam_text_suggest (const char *word, const char *const *candidates)
{
  const char *nearest = seam_text_nearest (word, candidates);

  return nearest != NULL ? g_strdup_printf ("; did you mean “%s”?", nearest) : g_strdup (".");
}
