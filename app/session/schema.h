/* SPDX-License-Identifier: MIT
 *
 * The format of a session file: an SQLite 3 database with
 *
 *   application_id  0x5365616d ("Seam")
 *   user_version    1000 * major + minor of the format; this program writes 1.5
 *
 *   meta        key and value: "written_by", "sha256" (over all other rows and the schema) and,
 *               from 1.5, "sha256 run 1" and the like for each run and search (checksum.h)
 *   run         one run: its request, its result, the pipeline file's whole text
 *               and, from 1.3 as the member "code", the code that ran, from 1.4
 *               as the member "storage" which tensors have 16 bits in memory; without it none;
 *               from 1.5 as the member "init" how parameters were drawn; without it "framework"
 *   device      the target of a run
 *   plan        plans of a run, in the order of the run, with all their samples and, from 1.4 as
 *               the member "tiles", how each group's kernel divides its output
 *   kernel      launches of one execution of a plan, in launch order, with all their durations and,
 *               as the member "starts_ns", when each of them began in its execution
 *   difference  outputs of a plan beside other outputs: totals, the overview's two grids and,
 *               from 1.1, histogram and worst elements; from 1.4, as members, those in ULP and
 *               which rows and columns hold failing elements
 *   slice       parts of both outputs at full resolution, around the worst element
 *   search      from 1.3: one exploration or sweep: its request and its device (both as members),
 *               and which shapes vary
 *   point       its points, a plan at a shape each, in the order of the search; as the member
 *               "foreign_load" how busy others kept the processors, if that is known
 *   member      a value that has no column: a GVariant (type, little-endian bytes) that belongs to
 *               the row `row` of the table `owner`
 *
 * Rows refer to their parents by foreign keys ("run_key") and are read in the order of their keys.
 * Every column and its unit is described in the table of its record (app/result/, app/explore/);
 * the descriptions go into the file as comments, so that `sqlite3 FILE .schema` shows them. BLOBs
 * are described in blob.h. NULL in a REAL column means unknown (NaN). A value that SQLite would
 * change (-0.0, numbers from 2^63) lies in `member`.
 *
 * A new minor version adds tables, columns or members and changes none; older programs pass them
 * over. (1.1: histogram and worst elements; 1.2: pitfalls, throttling of samples; 1.4: launch
 * mode, math modes fp16 and bf16, storage; 1.5: a checksum for each run and search. What older
 * programs must show of them is also in the plans' messages and the run's trace_note.) A new major
 * version changes existing tables: seam_session_migrate() brings older files to the present
 * form, in memory; the file on disk stays as it is.
 */
#pragma once

#include <glib.h>
#include <sqlite3.h>

#define SEAM_SESSION_APPLICATION_ID 0x5365616d
#define SEAM_SESSION_MAJOR          1
#define SEAM_SESSION_MINOR          5

typedef enum {
  SEAM_COLUMN_TEXT,
  SEAM_COLUMN_REAL,
  SEAM_COLUMN_INTEGER,
  SEAM_COLUMN_UNSIGNED, /* 64 bits; values beyond 2^63 - 1 are in `member` */
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
  gboolean is_light; /* read for the list of runs and searches, which unpacks nothing */
} SeamColumn;

/* Parents come before their children. */
typedef enum {
  SEAM_TABLE_RUN,
  SEAM_TABLE_DEVICE,
  SEAM_TABLE_PLAN,
  SEAM_TABLE_KERNEL,
  SEAM_TABLE_DIFFERENCE,
  SEAM_TABLE_SLICE,
  SEAM_TABLE_SEARCH,
  SEAM_TABLE_POINT,
  SEAM_N_TABLES,
} SeamTableId;

typedef struct {
  const char *name;
  int parent;         /* SeamTableId of the parent table; -1: none */
  const char *member; /* what the rows are called in the dictionary of their parent */
  guint max;          /* rows of one parent; 1: the member is the row itself, no list */
  const SeamColumn
      *columns; /* besides "key" and the key of the parent ("plan_key"); a NULL name ends them */
  const char *const *light; /* members that are read for the list of runs; NULL ends the array */
  const char *const *large; /* members that may have more than SEAM_SESSION_MAX_SMALL bytes; NULL
                             * ends the array. Other members of that size are not read */
} SeamTable;

const SeamTable *seam_table_get (SeamTableId id);

#define SEAM_SESSION_MAX_SMALL (64 << 10)

/* Bytes of an element of an array column, and its GVariant type; 0 and NULL for a plain column. */
guint seam_column_get_element (SeamColumnKind kind, const char **type);

/* NULL: no such column. */
const SeamColumn *seam_table_find_column (const SeamTable *table, const char *name);
/* Whether a member is read for the list of runs, and whether it may be large. A member with the
 * name of a column is a value that does not fit there. */
gboolean seam_table_shows (const SeamTable *table, const char *member);
gboolean seam_table_takes_large (const SeamTable *table, const char *member);

/* All CREATE TABLE statements and the versions. */
char *seam_session_make_schema (void);
/* From `major` to SEAM_SESSION_MAJOR. SEAM_ERROR_FILE. */
gboolean seam_session_migrate (sqlite3 *db, int major, GError **error);
/* Executes statements of the program. */
gboolean seam_session_execute (sqlite3 *db, const char *sql, GError **error);
sqlite3_stmt *seam_session_prepare (sqlite3 *db, const char *sql, GError **error);
/* The first column of the rows of a query. */
GPtrArray *seam_session_query_texts (sqlite3 *db, const char *sql, GError **error);
/* Sets SEAM_ERROR_FILE with SQLite's message, and returns FALSE. */
gboolean seam_session_fail (sqlite3 *db, GError **error);
