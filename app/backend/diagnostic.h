/* SPDX-License-Identifier: MIT
 *
 * What a compiler says of generated or edited code: gcc, clang and NVRTC each have a form; here it
 * is line, column and text, and one form to keep them in.
 */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* What the two compilers are told that the code is called. */
#define SEAM_DIAGNOSTIC_C_FILE    "group.c"
#define SEAM_DIAGNOSTIC_CUDA_FILE "generated.cu"

typedef struct {
  int line, column;  /* from 1; 0: not known, or in another file, which `text` then names */
  gboolean is_error; /* else a warning */
  char *text;
} SeamDiagnostic;

/* Array that owns its SeamDiagnostic: of a compiler's log, or of what format() wrote. Lines that
 * are neither errors nor warnings (notes, quotations of the code) are left out. A log may have any
 * bytes; what these functions give is UTF-8. */
GPtrArray *seam_diagnostics_parse (const char *log);
/* "line 12, column 5: error: ‘x’ undeclared", one a line; newly allocated. */
char *seam_diagnostics_format (GPtrArray *diagnostics);
/* The sentence about code that does not compile: `head` (without a full stop), then the errors in
 * that form, or the log where nothing of it could be read. Newly allocated. */
char *seam_diagnostics_explain (const char *head, const char *log);

G_END_DECLS
