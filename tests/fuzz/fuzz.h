/* SPDX-License-Identifier: MIT
 *
 * Shared by the fuzz targets. A target is one file fuzz-NAME.c with a libFuzzer entry point. It is
 * linked twice: with corpus-main.c, which runs the inputs kept in corpus/NAME/ in every build, and
 * with clang's libFuzzer, which searches for new inputs (meson option "fuzz").
 *
 * An input that shows a defect ends the process: by a sanitizer, by a warning or critical message
 * of GLib, by g_error(), or by its time limit.
 */
#pragma once

#include "app/cli/cli.h"

#include <glib.h>
#include <stddef.h>
#include <stdint.h>

/* The time limit of an input, also with sanitizers on a busy machine. tests/fuzz/search passes
 * the same limit to libFuzzer. */
#define FUZZ_LIMIT_S 10

/* libFuzzer's names. The second is called once, before the first input. */
int LLVMFuzzerTestOneInput (const uint8_t *data, size_t size);
int LLVMFuzzerInitialize (int *argc, char ***argv);
/* libFuzzer's own mutations, which exist only in a search. */
size_t LLVMFuzzerMutate (uint8_t *data, size_t size, size_t max_size) __attribute__ ((weak));

static inline gboolean
fuzz_is_search (void)
{
  return LLVMFuzzerMutate != NULL;
}

/* Gives the process a scratch folder of its own (also as its data and cache folder) and makes
 * warnings of GLib fatal. Every LLVMFuzzerInitialize() calls it first. */
void fuzz_init (void);
/* A path in the scratch folder, newly allocated. It lies in memory where that is possible. */
char *fuzz_path (const char *name);
/* Deletes a file, or a folder with all that is in it. */
void fuzz_remove (const char *path);

/* The input as text, up to its first 0 byte; newly allocated. */
char *fuzz_text (const uint8_t *data, size_t size);

/* Checks the promise of every reader: a result or an error, never both; the error is valid
 * UTF-8, and a sentence if people see it. */
void fuzz_check (gboolean succeeded, const GError *error);
void fuzz_check_sentence (gboolean succeeded, const GError *error);

/* Frees a text made for people, or NULL. It has to be UTF-8. */
void fuzz_take_text (char *text);

/* Runs a command of seamscope-cli. It has to end with 0 or 1, or with 2 or 3 and a message.
 * `arguments` is NULL-terminated. Its output is captured and has to be UTF-8. */
SeamExit fuzz_run_command (const SeamCommand *command, const char *const *arguments);
