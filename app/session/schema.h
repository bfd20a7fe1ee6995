/* SPDX-License-Identifier: MIT
 *
 * What a session file is made of. An SQLite 3 database with
 *
 *   application_id  0x5365616d ("Seam")
 *   user_version    1000 * major + minor of the format; this program writes 1.4
 *
 *   meta        key and value: "written_by", "sha256" (over all other rows and the schema)
 *   run         one run: what was asked for, what was found, the pipeline file's whole text
 *               and, from 1.3 as the member "code", the code that ran, from 1.4
 *               as the member "storage" which tensors have 16 bits in memory; without it none
 *   device      the target of a run
 *   plan        plans of a run, in the order of the run, with all their samples and, from 1.4 as
 *               the member "tiles", how each group's kernel divides its output
 *   kernel      launches of one execution of a plan, in launch order, with all their durations
 *   difference  outputs of a plan against the trusted ones: totals, the overview's two grids and,
 *               from 1.1, histogram and worst elements; from 1.4, as members, those in ULP and
 *               which rows and columns hold failing elements
 *   slice       parts of both outputs at full resolution, around the worst element
 *   survey      from 1.3: one exploration or sweep: what was asked for and of which device (both
 *               as members), and which shapes vary
 *   point       its points, a plan at a shape each, in the order of the survey
 *   member      what has no column: a GVariant (type, little-endian bytes) that belongs to the row
 *               `row` of the table `owner`
 *
 * Rows refer to their parents by foreign keys ("run_key") and are read in the order of their keys.
 * Every column and its unit is described in schema.c; the descriptions go into the file as
 * comments, so that `sqlite3 FILE .schema` shows them. BLOBs are described in blob.h. NULL in a
 * REAL column means unknown (NaN). A value that SQLite would change (-0.0, numbers from 2^63) lies
 * in `member`.
 *
 * A new minor version adds tables, columns or members and changes none; older programs pass them
 * over. (1.1: histogram and worst elements; 1.2: pitfalls, throttling of samples; 1.4: launch
 * mode, math modes fp16 and bf16, storage. What an older program must not miss of them is in the
 * plans' messages and the run's trace_note, too.) A new major version changes
 * what is there: seam_session_migrate() brings older files to the present form, in memory; the file
 * on disk stays as it is.
 */
#pragma once

#include <glib.h>
#include <sqlite3.h>

G_BEGIN_DECLS

#define SEAM_SESSION_APPLICATION_ID 0x5365616d
#define SEAM_SESSION_MAJOR          1
#define SEAM_SESSION_MINOR          4

typedef enum {
  SEAM_COLUMN_TEXT,
  SEAM_COLUMN_REAL,
  SEAM_COLUMN_INTEGER,
  SEAM_COLUMN_UNSIGNED, /* 64 bits; beyond 2^63 - 1 in `member` */
  SEAM_COLUMN_BOOLEAN,  /* 0 or 1 */
  SEAM_COLUMN_DOUBLES,  /* BLOB of 8-byte floats */
  SEAM_COLUMN_INT32S,
  SEAM_COLUMN_INT64S,
  SEAM_COLUMN_WORDS, /* BLOB of 4-byte floats or counts */
} SeamColumnKind;

typedef struct {
  const char *name;
  SeamColumnKind kind;
  const char *meaning;
} SeamColumn;

typedef struct {
  const char *name;
  const char *parent; /* table whose rows these belong to; NULL: none */
  const SeamColumn
      *columns; /* besides "key" and the key of the parent ("plan_key"); a NULL name ends them */
} SeamTable;

extern const SeamTable seam_table_run;
extern const SeamTable seam_table_device;
extern const SeamTable seam_table_plan;
extern const SeamTable seam_table_kernel;
extern const SeamTable seam_table_difference;
extern const SeamTable seam_table_slice;
extern const SeamTable seam_table_survey;
extern const SeamTable seam_table_point;

/* Bytes an element of an array column, and its GVariant type; 0 and NULL for a plain column. */
guint seam_column_get_element (SeamColumnKind kind, const char **type);

/* All CREATE TABLE statements and the versions. */
char *seam_session_make_schema (void);
/* From `major` to SEAM_SESSION_MAJOR. SEAM_ERROR_FILE. */
gboolean seam_session_migrate (sqlite3 *db, int major, GError **error);
/* SHA-256 in hexadecimal over schema and rows; NULL and an error for what cannot be read. */
char *seam_session_make_checksum (sqlite3 *db, GError **error);

/* Executes statements of this program's own. */
gboolean seam_session_execute (sqlite3 *db, const char *sql, GError **error);
/* SEAM_ERROR_FILE with SQLite's words. */
void seam_session_set_error (sqlite3 *db, GError **error);

G_END_DECLS
