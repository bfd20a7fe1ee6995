/* SPDX-License-Identifier: MIT
 *
 * The only way by which seamscope-cli writes to a terminal. What it prints may hold texts of a
 * file or of the command line, and a terminal obeys control characters.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

G_BEGIN_DECLS

/* Words for a person: valid UTF-8 in which control characters, bidirectional overrides and the like
 * are U+FFFD (line feeds and tabs stay), and lines of absurd length are shortened. */
void seam_cli_print (FILE *stream, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Data for another program (CSV, JSON, code) on standard output: as it is, unless that is a
 * terminal, where it is printed as above but not shortened. A full disk behind it is noticed at the
 * end of the program. */
void seam_cli_print_data (const char *data);

/* Before a line of progress: goes to the begin of the terminal's line and clears it. */
void seam_cli_clear_line (FILE *stream);

G_END_DECLS
