/* SPDX-License-Identifier: MIT
 *
 * A search: many points (a plan at a shape) of one pipeline on one target, first predicted and then
 * measured in batches within a time budget. It can be stopped at any time and resumed, in the same
 * process or from its CSV file. There are two kinds: `explore` (every partition at one shape,
 * explore.h) and `sweep` (some plans at many shapes, sweep.h).
 *
 * Every batch measures the plan compared with in alternation with its points, so that the drift of
 * the machine between batches can be removed: seam_search_get_times().
 */
#pragma once

#include "app/explore/search-part.h"
#include "app/runner/runner.h"

#define SEAM_SEARCH_MAX_POINTS       4096
#define SEAM_SEARCH_DEFAULT_BUDGET_S 60.0

typedef struct SeamSweep SeamSweep;

typedef struct {
  SeamSearchKind kind;
  SeamSweep *sweep;        /* what a sweep varies; NULL for `explore`. Owned */
  SeamRunRequest *request; /* shared by all points; its values are the shape of `explore`, its
                            * budget is that of the whole search. Owned */
  char *against;           /* the plan that others are compared with; the first of each batch */
  char *varied;            /* the fields that a sweep varies, for people; NULL for `explore` */
  int max_batch;           /* points measured in alternation, in addition to `against` */
  int n_points, n_allocated;
  SeamPoint *points; /* owned; the points of one shape are adjacent. In `explore` point m fuses the
                      * seams of mask m */
  int *order;        /* indices of all points in the order of measuring; owned */
  int n_fixed;       /* entries of `order` that stay, -1: all; the prediction sorts the rest by
                      * time */

  /* From seam_search_predict(): */
  SeamDeviceInfo *device; /* owned; NULL before */
  /* The mode that the target really computes in; SEAM_N_MATH_MODES: not known yet. */
  SeamMathMode math_mode;
  SeamCeiling ceiling; /* of `explore` */
  char *floor_source;
} SeamSearch;

/* Copies the request. `against` is a plan of its pipeline. */
SeamSearch *seam_search_new (SeamSearchKind kind, const SeamRunRequest *request,
                             const char *against, int max_batch);
void seam_search_free (SeamSearch *search);
G_DEFINE_AUTOPTR_CLEANUP_FUNC (SeamSearch, seam_search_free)
/* Appends a point. `values` as in a problem, `plan` a name or a notation. */
void seam_search_add (SeamSearch *search, const gint64 *values, const char *plan);

/* Opens the target and predicts every point; a point that cannot run becomes IMPOSSIBLE. Executes
 * nothing. */
gboolean seam_search_predict (SeamSearch *search, SeamRunner *runner, GError **error);

/* Predicts all points anew where a run has raised the rates of the device, so that no measured time
 * is under a floor beside it. FALSE: nothing has changed. */
gboolean seam_search_renew (SeamSearch *search, SeamRunner *runner);

int seam_search_count (const SeamSearch *search, SeamPointState state);
/* Why points are impossible, each reason once, with the number of points that it stops: "128
 * because “conv” is …; 96 because ….". A point with two reasons counts for both. Newly allocated;
 * "": none is impossible. */
char *seam_search_list_reasons (const SeamSearch *search);
/* About what `n` points of one shape need in one batch until each has an interval, in seconds, with
 * the plan compared with, flushes of the cache, traces and preparing, but without compiling; from
 * guesses, so known before anything runs. *beside_s: of this, without warm-up and samples. NaN:
 * unknown. */
double seam_search_get_batch_s (const SeamSearch *search, const int *points, int n,
                                double *beside_s);
/* What the first batch needs beyond that, in seconds: the first flush. */
double seam_search_get_first_s (const SeamSearch *search);
/* The sum of the batches of all pending points. */
double seam_search_get_needed_s (const SeamSearch *search);
/* What the pending points, of which there is one or more, need beside this budget: "all need about
 * 12 s, and there are 1.9 s for each", or that the budget ends first. Newly allocated. */
char *seam_search_describe_needs (const SeamSearch *search, double budget_s);

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
  int current;             /* the point that runs, -1: none or `against` */
  const SeamProgress *run; /* of the batch that runs; NULL between batches */
} SeamSearchProgress;

/* "12 of 60 s, about 20 s more", or that the budget ends before all are measured; newly allocated.
 */
char *seam_search_progress_describe_time (const SeamSearchProgress *progress);

typedef void (*SeamSearchFunc) (const SeamSearchProgress *progress, gpointer data);

typedef struct {
  SeamCancel *cancel;
  const char *file; /* CSV written after every batch, atomically; NULL: none */
  SeamSearchFunc progress;
  gpointer data;
} SeamSearchOptions;

/* Measures pending points until none is left, until the budget ends (the running batch is finished)
 * or until Stop. FALSE: the device was lost (the point that did it is FAILED and is not tried
 * again), or the file cannot be written; the points so far are kept in both cases. */
gboolean seam_search_run (SeamSearch *search, SeamRunner *runner, const SeamSearchOptions *options,
                          SeamSearchEnd *end, GError **error);

/* Fills n_points times for comparison within a shape: each is the point's median, scaled by the
 * ratio of the time of `against` over all batches of the shape to its time in the point's batch.
 * NaN: not measured. */
void seam_search_get_times (const SeamSearch *search, double *times_ns);
/* What that does to the times of one shape: how far the medians of `against` lie apart, and that
 * times move while batches come; newly allocated. NULL: the shape has one batch, or none. */
char *seam_search_describe_drift (const SeamSearch *search);
/* How busy the machine was: "Other programs used up to 43 % of the processor's time while 5 of 8
 * points were measured, …"; newly allocated. NULL: it was quiet, or nobody knows. */
char *seam_search_describe_load (const SeamSearch *search);
/* The verdict on a point against the plan compared with at its shape; NULL: it is that plan, or one
 * of the two is not measured. */
SeamVerdict *seam_search_judge (const SeamSearch *search, int index);
/* The points that are fastest at their shape among those whose output is right. */
void seam_search_mark_fastest (const SeamSearch *search, gboolean *is_fastest);

/* One row a point, including pending ones; the head of search-csv.c lists the columns. */
char *seam_search_to_rows (const SeamSearch *search, SeamRowsFormat format);
/* Takes over the measurements in the rows. SEAM_ERROR_FILE if the file is of another pipeline,
 * target, math mode, …, or has points that this search lacks; then nothing is changed. */
gboolean seam_search_merge_csv (SeamSearch *search, const char *text, GError **error);
gboolean seam_search_merge_file (SeamSearch *search, const char *path, GError **error);

/* The whole search as a part, borrowed: do not free it. */
void seam_search_get_part (const SeamSearch *search, SeamSearchPart *part);
/* Takes over a part's points and moves their strings out of `part`, which the caller clears.
 * SEAM_ERROR_INPUT if the search does not have a point; then nothing is changed. */
gboolean seam_search_merge_part (SeamSearch *search, SeamSearchPart *part, GError **error);
/* What is known about the target, and the points `indices` (NULL: all) with their places: a part,
 * as a{sv}, floating. */
GVariant *seam_search_to_variant (const SeamSearch *search, const int *indices, int n);
/* Takes over such a variant. SEAM_ERROR_INPUT. */
gboolean seam_search_merge_variant (SeamSearch *search, GVariant *variant, GError **error);
/* A report of seam_search_run(), with its fresh points. a{sv}, floating. */
GVariant *seam_search_progress_to_variant (const SeamSearch *search,
                                           const SeamSearchProgress *progress);
/* Fills all fields but fresh and run. `search` receives the variant for
 * seam_search_merge_variant(), or NULL. */
gboolean seam_search_progress_from_variant (GVariant *variant, SeamSearchProgress *progress,
                                            GVariant **search, GError **error);

/* "NVIDIA H200 · … · 32 of 32 partitions · Seamscope 0.1": the foot of a figure. */
char *seam_search_get_provenance (const SeamSearch *search);
