/* SPDX-License-Identifier: MIT
 *
 * A search: many points (a plan at a shape) of one pipeline on one target, predicted first and then
 * measured batch by batch within a time budget. It can be stopped at any time and goes on where it
 * was, in the same process or from its CSV file. `explore` (every partition at one shape,
 * explore.h) and `sweep` (some plans at many shapes, sweep.h) are searches.
 *
 * Every batch measures the reference plan in alternation with its points, so that a drift of the
 * machine between batches can be taken out: seam_search_get_times().
 */
#pragma once

#include "app/explore/search-part.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

#define SEAM_SEARCH_MAX_POINTS       4096
#define SEAM_SEARCH_DEFAULT_BUDGET_S 60.0

typedef struct SeamSweep SeamSweep;

typedef struct {
  SeamSearchKind kind;
  SeamSweep *sweep;        /* what varies, of `sweep`; NULL of `explore`. Owned */
  SeamRunRequest *request; /* what all points share; values: of `explore`. Its budget is the whole
                              search's. Owned */
  char *reference;         /* plan that others are compared with; the first of each batch */
  char *varied;            /* of `sweep`: the fields that vary, for people; NULL */
  int max_batch;           /* points measured in alternation, besides the reference */
  int n_points, n_allocated;
  SeamPoint *points; /* owned, those of one shape side by side; of `explore` point m fuses the seams
                        of mask m */
  int *order;        /* indices of all points in the order of measuring; owned */
  int n_fixed;       /* of `order`, -1: all; those behind are sorted by time when it is predicted */

  /* From seam_search_predict(): */
  SeamDeviceInfo *device; /* owned; NULL before */
  /* That the target really computes in; SEAM_N_MATH_MODES: not known yet. */
  SeamMathMode math_mode;
  SeamCeiling ceiling; /* of `explore` */
  char *floor_source;
} SeamSearch;

/* Copies the request. `reference` is a plan of its pipeline. */
SeamSearch *seam_search_new (SeamSearchKind kind, const SeamRunRequest *request,
                             const char *reference, int max_batch);
void seam_search_free (SeamSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSearch, seam_search_free)
/* A point behind the others. `values` as in a problem, `plan` a name or notation. */
void seam_search_add (SeamSearch *search, const gint64 *values, const char *plan);

/* Opens the target and fills in what is predicted of every point; those that cannot run become
 * IMPOSSIBLE. Executes nothing. */
gboolean seam_search_predict (SeamSearch *search, SeamRunner *runner, GError **error);

/* Predicts all points anew where a run has raised the rates of the device, so that no measured time
 * is under a floor beside it. FALSE: nothing has changed. */
gboolean seam_search_renew (SeamSearch *search, SeamRunner *runner);

int seam_search_count (const SeamSearch *search, SeamPointState state);
/* What the executions that every pending point needs take at least, in seconds, from the floors of
 * their plans, so known before anything runs; NaN: unknown. */
double seam_search_get_least_s (const SeamSearch *search);

/* How a search ended. */
typedef enum {
  SEAM_SEARCH_DONE,    /* no point is pending */
  SEAM_SEARCH_STOPPED, /* at the person's request */
  SEAM_SEARCH_BUDGET,  /* the time was used up */
} SeamSearchEnd;

typedef struct {
  int n_points, n_pending;
  double elapsed_s, budget_s;
  double expected_s; /* more until all are done, from the batches so far; NaN: unknown */
  const int *fresh;  /* indices of points that just got a new state; all where a run has raised the
                        rates that they are predicted from */
  int n_fresh;
  int current;             /* point that is running, -1: none or the reference */
  const SeamProgress *run; /* of the batch under way; NULL between batches */
} SeamSearchProgress;

typedef void (*SeamSearchFunc) (const SeamSearchProgress *progress, gpointer data);

typedef struct {
  SeamCancel *cancel;
  const char *file; /* CSV written after every batch, atomically; NULL: none */
  SeamSearchFunc progress;
  gpointer data;
} SeamSearchOptions;

/* Measures pending points until none is left, the budget ends (the batch under way is finished) or
 * Stop. FALSE: the device was lost (the point that did it is FAILED and is not tried again) or the
 * file cannot be written; the points so far are kept in any case. */
gboolean seam_search_run (SeamSearch *search, SeamRunner *runner, const SeamSearchOptions *options,
                          SeamSearchEnd *end, GError **error);

/* The times of all points for comparison with the others of their shape, n_points of them: the
 * median, in proportion as the reference was slower or faster in the point's batch than in all
 * batches of the shape. NaN: not measured. */
void seam_search_get_times (const SeamSearch *search, double *times_ns);
/* The points that are fastest at their shape among those whose output is right. */
void seam_search_mark_fastest (const SeamSearch *search, gboolean *is_fastest);

/* One row a point, pending ones too; the columns are listed at the head of search-csv.c. */
char *seam_search_to_csv (const SeamSearch *search);
/* Takes over what the rows say was measured. SEAM_ERROR_FILE where the file is of another pipeline,
 * target, math mode, …, or has points that this search has not: nothing is changed then. */
gboolean seam_search_merge_csv (SeamSearch *search, const char *text, GError **error);
gboolean seam_search_merge_file (SeamSearch *search, const char *path, GError **error);

/* All of it, borrowed: nothing is to be freed. */
void seam_search_get_part (const SeamSearch *search, SeamSearchPart *part);
/* Takes over what a part says of this search's points, out of `part`, which is to be cleared.
 * SEAM_ERROR_INPUT where a point is not its own: nothing is changed then. */
gboolean seam_search_merge_part (SeamSearch *search, SeamSearchPart *part, GError **error);
/* What is known of the target and points `indices` (NULL: all) with their places: a part, as a{sv},
 * floating. */
GVariant *seam_search_to_variant (const SeamSearch *search, const int *indices, int n);
/* The same of such a variant. SEAM_ERROR_INPUT. */
gboolean seam_search_merge_variant (SeamSearch *search, GVariant *variant, GError **error);
/* A report of seam_search_run(), with its fresh points. a{sv}, floating. */
GVariant *seam_search_progress_to_variant (const SeamSearch *search,
                                           const SeamSearchProgress *progress);
/* Fills all but fresh and run; `search` receives what seam_search_merge_variant() takes, or NULL.
 */
gboolean seam_search_progress_from_variant (GVariant *variant, SeamSearchProgress *progress,
                                            GVariant **search, GError **error);

/* "NVIDIA H200 · … · 32 of 32 partitions · Seamscope 0.1": for the foot of a figure. */
char *seam_search_get_provenance (const SeamSearch *search);

G_END_DECLS
