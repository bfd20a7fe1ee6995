/* SPDX-License-Identifier: MIT
 *
 * Session files for the fuzz targets. The checksum of a session refuses every blind change, so an
 * input does not hold a file. It is a text that says what to change in a small valid session, one
 * change a line, after which the checksum is made right again:
 *
 *   set TABLE KEY COLUMN VALUE        VALUE is text of GVariant: 'a\nb', 5, 1e308, [1.0, nan]; null
 *   long TABLE KEY COLUMN N TEXT      TEXT N times
 *   hex TABLE KEY COLUMN BYTES        a BLOB of exactly these bytes
 *   member TABLE KEY NAME VALUE       what has no column, likewise as text of GVariant
 *   raw TABLE KEY NAME TYPE BYTES     the same with the serialised bytes in hexadecimal
 *   flip TABLE KEY NAME OFFSET BITS   of the unpacked bytes of a member or a BLOB column
 *   copy TABLE KEY N                  N more rows like this one
 *   delete TABLE KEY                  the row
 *   damage OFFSET BITS                of the finished file, behind the back of the checksum
 *
 * A line that makes no sense, or that SQLite refuses, is left out.
 */
#pragma once

#include "app/session/session.h"

#include <stdint.h>

/* For a search of many sessions: memory for SQLite that costs little; once, before SQLite is used.
 */
void fuzz_session_init (void);
/* The sample session `name` in data/samples/ after the statements `sql`, which make it smaller. */
GBytes *fuzz_session_make_base (const char *name, const char *sql);
/* The changed session, with a checksum that fits or, to save most of the time, with none. */
GBytes *fuzz_session_change (GBytes *base, const char *changes, gboolean with_checksum);
/* A copy of the session with the lines "damage" applied. */
GBytes *fuzz_session_damage (GBytes *session, const char *changes);
/* Runs and searches of the session are read without a checksum. */
void fuzz_session_trust (SeamSession *session);
/* For LLVMFuzzerCustomMutator(): adds, removes or changes a line. */
size_t fuzz_session_mutate (uint8_t *data, size_t size, size_t max_size, unsigned int seed);
