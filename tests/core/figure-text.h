/* SPDX-License-Identifier: MIT
 *
 * The words that a figure draws: Cairo's script surface writes every text in plain characters.
 * White space is left out, because a line that is broken and one that is not are the same words.
 */
#pragma once

#include "app/figure/figure.h"

#include <cairo-script.h>
#include <string.h>

static inline cairo_status_t
figure_text_append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_string_append_len (closure, (const char *)data, length);
  return CAIRO_STATUS_SUCCESS;
}

/* The string literals of a script, "(like \(this\))", one after the other; not its fonts and
 * pictures, "<|…~>". */
static inline char *
figure_text_read_literals (const char *script)
{
  GString *text = g_string_new (NULL);

  for (const char *p = script; *p != '\0'; p++) {
    if (p[0] == '<' && strchr ("~|{", p[1]) != NULL) {
      const char *end = strstr (p, "~>");

      g_assert_nonnull (end);
      p = end;
    }
    if (*p != '(')
      continue;
    for (p++; *p != ')' && *p != '\0'; p++) {
      char c = *p;

      if (c == '\\' && g_ascii_isdigit (p[1])) {
        c = (char)((p[1] - '0') * 64 + (p[2] - '0') * 8 + (p[3] - '0'));
        p += 3;
      } else if (c == '\\') {
        c = *++p;
      }
      if (!g_ascii_isspace (c))
        g_string_append_c (text, c);
    }
  }
  return g_string_free (text, FALSE);
}

static inline char *
figure_get_text (SeamFigure *figure)
{
  g_autoptr (GString) script = g_string_new (NULL);
  cairo_device_t *device = cairo_script_create_for_stream (figure_text_append_cb, script);
  cairo_surface_t *surface = cairo_script_surface_create (device, CAIRO_CONTENT_COLOR_ALPHA,
                                                          figure->width, figure->height);
  cairo_t *cr = cairo_create (surface);

  seam_figure_draw (figure, cr, seam_palette_get (FALSE, FALSE));
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
  cairo_device_finish (device);
  cairo_device_destroy (device);
  return figure_text_read_literals (script->str);
}

/* Counts how often the words stand in `text`, which figure_get_text() made. */
static inline int
figure_text_count (const char *text, const char *words)
{
  g_autoptr (GString) plain = g_string_new (NULL);
  int n = 0;

  for (const char *p = words; *p != '\0'; p++)
    if (!g_ascii_isspace (*p))
      g_string_append_c (plain, *p);
  for (const char *p = strstr (text, plain->str); p != NULL; p = strstr (p + 1, plain->str))
    n++;
  return n;
}
