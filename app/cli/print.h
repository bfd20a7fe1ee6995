/* SPDX-License-Identifier: MIT
 *
 * All output of seamscope-cli to a terminal goes through here, because it may contain texts from
 * files or from the command line, and a terminal obeys control characters.
 */
#pragma once

#include <glib.h>
#include <stdio.h>

/* Prints text for people as valid UTF-8: control characters (except line feeds and tabs),
 * bidirectional overrides and the like become U+FFFD, and lines of absurd length are shortened. */
void seam_cli_print (FILE *stream, const char *format, ...) G_GNUC_PRINTF (2, 3);

/* Prints data for another program (CSV, JSON, code) on standard output: unchanged, unless that is a
 * terminal, where control characters are replaced as above but lines are not shortened. The end of
 * the program notices a full disk. */
void seam_cli_print_data (const char *data);

/* Call it before a line of progress: goes to the start of the terminal's line and clears it. */
void seam_cli_clear_line (FILE *stream);
