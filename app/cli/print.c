/* SPDX-License-Identifier: MIT
 *
 * Prints without control characters; see the header.
 */
#include "app/cli/print.h"

#include "app/base/text.h"

#include <string.h>
#include <unistd.h>

/* Characters of a line. The longest lines of the program itself, with full kernel names and
 * provenance, have some hundreds. */
#define MAX_LINE 4000

static void
print_lines (FILE *stream, const char *text, gsize max)
{
  g_autofree char *printable = seam_text_make_printable (text, "\r\n\t");
  g_auto (GStrv) lines = g_strsplit (printable, "\n", -1);

  for (int i = 0; lines[i] != NULL; i++) {
    gsize length = strlen (lines[i]);

    /* A carriage return may be part of a table's line end; elsewhere it would let a text overwrite
     * the line. */
    if (length > 0 && lines[i][length - 1] == '\r')
      lines[i][length - 1] = '\0';
    g_autofree char *shown = seam_text_shorten (g_strdelimit (lines[i], "\r", ' '), max);
    fputs (shown, stream);
    if (lines[i + 1] != NULL)
      putc ('\n', stream);
  }
}

void
seam_cli_print (FILE *stream, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *text = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  print_lines (stream, text, MAX_LINE);
}

void
seam_cli_print_data (const char *data)
{
  if (isatty (STDOUT_FILENO))
    print_lines (stdout, data, G_MAXSIZE);
  else
    fputs (data, stdout);
}

void
seam_cli_clear_line (FILE *stream)
{
  fputs ("\r\033[K", stream);
}
