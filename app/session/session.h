/* SPDX-License-Identifier: MIT
 *
 * A session: one or more runs kept in a file (*.seamscope), with everything that their figures,
 * tables and CSVs need, so that a machine without a GPU can draw them years later. The file is an
 * SQLite database; schema.h describes its tables. Opening one reads only the list of its runs; a
 * run is read, checked and unpacked on demand. No statement, source or path that a file holds is
 * ever executed.
 *
 * A session may be used by several threads once nothing is added to it any more.
 */
#pragma once

#include "app/result/result.h"

#define SEAM_SESSION_SUFFIX ".seamscope"

/* Part of two outputs at full resolution, as seam_runner_slice() made it. */
typedef struct {
  int plan, against; /* indices into result->plans; against -1: FP64 */
  SeamSlice *slice;  /* owned */
} SeamSessionSlice;

/* Immutable once it is shared. */
typedef struct {
  gatomicrefcount ref_count;
  SeamResult *result; /* owned reference */
  char *note;         /* a person's own words, or NULL */
  GPtrArray *slices;  /* of SeamSessionSlice */
  GVariant
      *code; /* the code that ran, as seam_code_to_variant() made it (app/runner/runner-source.h);
                NULL: not kept. Owned reference. Nothing here compiles or runs it */
} SeamSessionRun;

SeamSessionRun *seam_session_run_new (SeamResult *result, const char *note);
SeamSessionRun *seam_session_run_ref (SeamSessionRun *run);
void seam_session_run_unref (SeamSessionRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSessionRun, seam_session_run_unref)
/* Takes ownership of `slice`. */
void seam_session_run_add_slice (SeamSessionRun *run, int plan, int against, SeamSlice *slice);
/* Call it before the run is shared. Takes a floating `code`, a{sv}. */
void seam_session_run_set_code (SeamSessionRun *run, GVariant *code);
/* The result's variant, in which every plan has its slices, with note and code; without `with_bulk`
 * the result's grids are left out. */
GVariant *seam_session_run_to_variant (const SeamSessionRun *run, gboolean with_bulk);
SeamSessionRun *seam_session_run_from_variant (GVariant *variant, GError **error);
/* The first slice of these two plans, or NULL; borrowed. */
const SeamSlice *seam_session_run_get_slice (const SeamSessionRun *run, int plan, int against);
/* Cuts the rectangle `wanted` (whose grids are not read) out of a slice that contains it; newly
 * allocated. NULL if no slice does. */
SeamSlice *seam_session_run_cut_slice (const SeamSessionRun *run, int plan, int against,
                                       const SeamSlice *wanted);
/* The run with only the `n` plans at these positions, in this order, and their slices. The
 * plan compared with comes last if it is not among them. NULL and SEAM_ERROR_FILE if that is
 * impossible. */
SeamSessionRun *seam_session_run_choose (const SeamSessionRun *run, const int *plans, int n,
                                         GError **error);
/* An exploration or a sweep, as app/explore/search-store.h makes and reads it; immutable. */
typedef struct SeamSessionSearch SeamSessionSearch;

/* A SeamSearchKind; -1: unknown. */
int seam_session_search_get_kind (const SeamSessionSearch *search);
/* "pipeline", "math_mode", "varied" or "measured_at", without reading the rest; NULL: unknown. */
const char *seam_session_search_get_text (const SeamSessionSearch *search, const char *key);
/* A person's own words, or NULL. */
const char *seam_session_search_get_note (const SeamSessionSearch *search);
/* "Exploration of conv-relu-bias, TF32, 8 points, …": one line. */
char *seam_session_search_describe (const SeamSessionSearch *search);
/* The whole search, a{sv}, borrowed: read from the file at the first call, then kept.
 * SEAM_ERROR_FILE. */
GVariant *seam_session_search_get_content (SeamSessionSearch *search, GError **error);
/* Whether it has exactly this content, whatever the order of members. FALSE if it cannot be
 * read. */
gboolean seam_session_search_holds (SeamSessionSearch *search, GVariant *content);

typedef struct SeamSession SeamSession;

/* An empty one. */
SeamSession *seam_session_new (void);
/* A new session that begins with the runs and searches of `session`, which stay in their file until
 * they are needed. */
SeamSession *seam_session_extend (const SeamSession *session);
SeamSession *seam_session_ref (SeamSession *session);
void seam_session_free (SeamSession *session); /* releases a reference */
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSession, seam_session_free)

void seam_session_add_run (SeamSession *session, SeamSessionRun *run);
/* Takes a floating `content`. */
void seam_session_add_search (SeamSession *session, GVariant *content, const char *note);
/* The same, but replaces searches that ask the same, as when a search was continued. When the
 * session is appended to a file, it also replaces those of the file. */
void seam_session_put_search (SeamSession *session, GVariant *content, const char *note);

/* Adds the runs and searches of `more` to `session`. */
void seam_session_add_all (SeamSession *session, const SeamSession *more);

guint seam_session_get_n_runs (const SeamSession *session);
/* What the list of runs shows: a result with the ids of pipeline, shape, modes, device and plans,
 * but without measurements. Read when the file was opened, so it does not wait for the disk;
 * checked only when the run itself is read. Borrowed, never NULL; if the file is damaged there, the
 * pipeline's id says so. */
const SeamResult *seam_session_get_heading (const SeamSession *session, guint i);
/* A person's own words about the run, or NULL; borrowed. */
const char *seam_session_get_note (const SeamSession *session, guint i);
/* "conv-relu-bias, N 128, … , TF32, NVIDIA H200, 4 plans, 2026-11-21T12:00:00Z": one line, from the
 * heading. */
char *seam_session_describe_run (const SeamSession *session, guint i);
/* Reads run `i` from the file, checks its checksum and unpacks it, anew each time, so keep it while
 * it is shown. A new reference. NULL and SEAM_ERROR_FILE with a sentence for a run that is damaged
 * or unpacks to more than 256 MB; the other runs may be readable all the same. Takes milliseconds;
 * in a large file of an older format, the first call takes as long as reading the whole file. May
 * be called in a thread. */
SeamSessionRun *seam_session_get_run (const SeamSession *session, guint i, GError **error);
/* Array of SeamSessionSearch; borrowed. */
GPtrArray *seam_session_get_searches (const SeamSession *session);
/* Whether a newer program wrote it: the parts that this program does not know were skipped, and
 * saving would lose them. */
gboolean seam_session_is_partial (const SeamSession *session);
/* FALSE if the file that the session was loaded from or appended to has since been changed,
 * replaced or removed; TRUE for a session that is in no file. Compares the file's date, size and
 * number, not its content. */
gboolean seam_session_is_current (const SeamSession *session);
/* Whether seam_session_append() may add to the file: not if it is partial. SEAM_ERROR_FILE. */
gboolean seam_session_may_append (const SeamSession *session, GError **error);
/* Reads all of the file and checks the checksum over it. SEAM_ERROR_FILE. */
gboolean seam_session_verify (const SeamSession *session, GError **error);

/* Writes all of `session` and replaces `path` in one step, so that a killed program leaves the old
 * file whole. Reads the new file back first. SEAM_ERROR_FILE. */
gboolean seam_session_save (const SeamSession *session, const char *path, GError **error);
/* Adds the content of `more` to the file as it is now, or creates the file. Locks the file
 * meanwhile, so that nothing that another program appends is lost; waits for the lock for up to
 * half a minute. Returns the new file, whose last runs are those of `more`. NULL and
 * SEAM_ERROR_FILE; then the file is unchanged. */
SeamSession *seam_session_append (const char *path, const SeamSession *more, GError **error);
/* SEAM_ERROR_FILE with a sentence for a file that is foreign, cut short, damaged or newer. */
SeamSession *seam_session_load (const char *path, GError **error);
/* The same with the file's bytes; `name` is used in messages. */
GBytes *seam_session_to_bytes (const SeamSession *session, GError **error);
SeamSession *seam_session_from_bytes (GBytes *bytes, const char *name, GError **error);
