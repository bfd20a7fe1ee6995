/* SPDX-License-Identifier: MIT
 *
 * A compiler's messages about generated or edited code: gcc, clang and NVRTC have different forms,
 * which become line, column and text, and one common form as text.
 */
#pragma once

#include <glib.h>

/* The file names that the two compilers get for the code. */
#define SEAM_DIAGNOSTIC_C_FILE    "group.c"
#define SEAM_DIAGNOSTIC_CUDA_FILE "generated.cu"

typedef struct {
  int line, column;  /* from 1; 0: unknown, or in another file, which `text` then names */
  gboolean is_error; /* else a warning */
  char *text;
} SeamDiagnostic;

/* Array that owns its SeamDiagnostic, from a compiler's log or from a text by format(). Lines that
 * are neither errors nor warnings (notes, quotations of the code) are left out. A log may contain
 * any bytes; the results are UTF-8. */
GPtrArray *seam_diagnostics_parse (const char *log);
/* "line 12, column 5: error: ‘x’ undeclared", one per line; newly allocated. */
char *seam_diagnostics_format (GPtrArray *diagnostics);
/* The sentence about code that does not compile: `head` (without a full stop), then the errors in
 * that form, or the log if nothing in it could be read. Newly allocated. */
char *seam_diagnostics_explain (const char *head, const char *log);
