/* SPDX-License-Identifier: MIT
 *
 * The part of a search that only a sweep has: several plans over one or two shape fields, which
 * plan wins where, and where the limits of the machine change (tensors that fit the last-level
 * cache, times that are mostly launches).
 */
#pragma once

#include "app/explore/search.h"

#define SEAM_SWEEP_MAX_PLANS  8
#define SEAM_SWEEP_MAX_VALUES 256

/* One axis of a sweep: fields that take the same value together. */
typedef struct {
  char *label; /* "batch", "height+width" */
  int n_fields;
  int fields[SEAM_MAX_FIELDS];
  int n_values;
  gint64 *values; /* ascending, owned */
} SeamSweepAxis;

/* "batch=1:128:log2" (1, 2, 4, …, 128), "width=32:256:32" (steps of 32), "batch=1,3,9", or
 * "height+width=…" for fields that change together. The end is left out if no step hits it. Checks
 * the fields' ranges; SEAM_ERROR_INPUT. */
gboolean seam_sweep_axis_parse (const SeamPipeline *pipeline, const char *text, SeamSweepAxis *axis,
                                GError **error);
void seam_sweep_axis_clear (SeamSweepAxis *axis);
/* Such a text from one whose list a person typed into an entry, "batch=2.000.000; 8" or "batch=1,3,
 * 9": values end at a semicolon, or at a comma that no three digits follow; see
 * seam_text_read_typed(). NULL and SEAM_ERROR_INPUT where it can be read in two ways. Newly
 * allocated. */
char *seam_sweep_read_typed (const char *text, GError **error);
/* "batch=1,2,4", which seam_sweep_axis_parse() reads. Newly allocated. */
char *seam_sweep_axis_format (const SeamSweepAxis *axis);

struct SeamSweep {
  SeamSearch *search; /* owns this; its point (y * n_x + x) * n_plans + plan */
  int n_axes;
  SeamSweepAxis axes[2]; /* x, y; owned */
  int n_plans;
  char **plans; /* as requested; the others are compared with the first. Owned */
  char letters[SEAM_SWEEP_MAX_PLANS]; /* of these: their places, or seam_sweep_set_letters() */
};

/* Takes the axes (one or two), also on failure; the plans are the request's. SEAM_ERROR_INPUT: no
 * plans, a plan twice, too many points, or a field in both axes. */
SeamSearch *seam_sweep_new (const SeamRunRequest *request, SeamSweepAxis *axes, int n_axes,
                            GError **error);
/* The same from texts; `vary_y` NULL: one axis. SEAM_ERROR_INPUT. */
SeamSearch *seam_sweep_new_from_texts (const SeamRunRequest *request, const char *vary_x,
                                       const char *vary_y, GError **error);
/* Plans that are also in `listed` get their places there as letters; the others follow. */
void seam_sweep_set_letters (SeamSweep *sweep, SeamPlan *const *listed, int n_listed);
/* Called by seam_search_free(). */
void seam_sweep_free (SeamSweep *sweep);

int seam_sweep_get_n_x (const SeamSweep *sweep);
int seam_sweep_get_n_y (const SeamSweep *sweep); /* 1 with one axis */
int seam_sweep_get_point (const SeamSweep *sweep, int x, int y, int plan);

/* The results at one shape. */
typedef struct {
  int winner; /* plan, -1: none is measured */
  double winner_ns;
  double against_ns;     /* time of the first plan; NaN: unknown */
  int second;            /* the second best plan; -1: none */
  double margin;         /* time of the second best over the winner's; NaN: no second */
  gboolean is_clear;     /* ahead of all others: seam_point_is_ahead() */
  gboolean is_whole;     /* every plan is measured or impossible */
  gboolean fits_cache;   /* an intermediate tensor fits the last-level cache */
  gboolean launch_bound; /* kernels of the first plan run for less than half of its span */
} SeamSweepShape;

void seam_sweep_get_shape (const SeamSweep *sweep, int x, int y, SeamSweepShape *shape);

/* The same from the guesses, before anything is measured. No winner where a plan
 * that may run has no prediction; the margin says nothing about noise, so `is_clear` is TRUE. */
void seam_sweep_predict_shape (const SeamSweep *sweep, int x, int y, SeamSweepShape *shape);
/* The prediction of a point that is not measured; NaN: none. */
double seam_sweep_get_predicted (const SeamPoint *point);
/* Whether nothing is measured and something is predicted, so that the prediction is shown. */
gboolean seam_sweep_is_predicted (const SeamSweep *sweep);

/* A sentence about a point: shape, plan, time, and the comparison with the first plan. Newly
 * allocated. */
char *seam_sweep_describe_point (const SeamSweep *sweep, int point);
/* A sentence for each change of the winner along x (one axis): "From batch 8 on full is faster than
 * unfused." Newly allocated; "" if nothing is measured. */
char *seam_sweep_describe (const SeamSweep *sweep);
