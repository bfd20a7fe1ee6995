/* SPDX-License-Identifier: MIT
 *
 * A session: one or more runs kept in a file (*.seamscope), with all that their figures, tables and
 * CSVs need, so that they are drawn again next year on a machine without a GPU. The file is an
 * SQLite database; its tables are described in schema.h. Opening one reads it and nothing else: no
 * statement, source or path that it holds is ever executed.
 */
#pragma once

#include "app/result/result.h"

G_BEGIN_DECLS

#define SEAM_SESSION_SUFFIX ".seamscope"

/* Part of two outputs at full resolution, as seam_runner_slice() gave it. */
typedef struct {
  int plan, trusted; /* indices into result->plans; trusted -1: FP64 */
  SeamSlice *slice;  /* owned */
} SeamSessionSlice;

/* Immutable once it is shared. */
typedef struct {
  gatomicrefcount ref_count;
  SeamResult *result; /* owned reference */
  char *note;         /* a person's own words, or NULL */
  GPtrArray *slices;  /* of SeamSessionSlice */
  GVariant *code;     /* the code that ran, as seam_code_to_variant() made it (app/runner/source.h);
                         NULL: not kept. Owned reference. Nothing here compiles or runs it */
} SeamSessionRun;

SeamSessionRun *seam_session_run_new (SeamResult *result, const char *note);
SeamSessionRun *seam_session_run_ref (SeamSessionRun *run);
void seam_session_run_unref (SeamSessionRun *run);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSessionRun, seam_session_run_unref)
/* Takes `slice`. */
void seam_session_run_add_slice (SeamSessionRun *run, int plan, int trusted, SeamSlice *slice);
/* Before the run is shared. Takes a floating `code`, a{sv}. */
void seam_session_run_set_code (SeamSessionRun *run, GVariant *code);
/* The first slice kept for these two sides, or NULL; borrowed. */
const SeamSlice *seam_session_run_get_slice (const SeamSessionRun *run, int plan, int trusted);
/* The rectangle `wanted` (its grids are not read) cut out of a slice that holds all of it, newly
 * allocated; NULL when none does. */
SeamSlice *seam_session_run_cut_slice (const SeamSessionRun *run, int plan, int trusted,
                                       const SeamSlice *wanted);
/* The run with only the `n` plans at these positions, in this order, and their slices; the plan
 * that they were compared with comes last where it is not among them. NULL and SEAM_ERROR_FILE for
 * what cannot be. */
SeamSessionRun *seam_session_run_choose (const SeamSessionRun *run, const int *plans, int n,
                                         GError **error);
/* "conv-relu-bias, N 128, … , TF32, NVIDIA H200, 4 plans, 2026-11-21T12:00:00Z": one line. */
char *seam_session_run_describe (const SeamSessionRun *run);

/* An exploration or a sweep, as app/explore/survey-store.h makes and reads it; immutable. */
typedef struct {
  GVariant *content; /* a{sv}; owned reference */
  char *note;        /* a person's own words, or NULL */
} SeamSessionSurvey;

typedef struct {
  GPtrArray *runs;    /* of SeamSessionRun */
  GPtrArray *surveys; /* of SeamSessionSurvey; a file has at least one run or survey */
  gboolean partial;   /* a newer program wrote it: what this one does not know was passed over, and
                         would be lost by saving */
} SeamSession;

SeamSession *seam_session_new (void);
void seam_session_free (SeamSession *session);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSession, seam_session_free)
void seam_session_add_run (SeamSession *session, SeamSessionRun *run);
/* Takes a floating `content`. */
void seam_session_add_survey (SeamSession *session, GVariant *content, const char *note);
/* "explore" or "sweep"; NULL unknown. */
const char *seam_session_survey_get_kind (const SeamSessionSurvey *survey);
/* "Exploration of conv-relu-bias, TF32, 8 points, …": one line. */
char *seam_session_survey_describe (const SeamSessionSurvey *survey);

/* Replaces `path` in one step: whoever ends the program meanwhile finds the old file whole.
 * SEAM_ERROR_FILE. */
gboolean seam_session_save (const SeamSession *session, const char *path, GError **error);
/* SEAM_ERROR_FILE with a sentence for what is foreign, cut short, damaged or newer. */
SeamSession *seam_session_load (const char *path, GError **error);
/* The same with the file's bytes; `name` is used in messages. */
GBytes *seam_session_to_bytes (const SeamSession *session, GError **error);
SeamSession *seam_session_from_bytes (GBytes *bytes, const char *name, GError **error);

G_END_DECLS
