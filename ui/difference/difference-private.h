/* SPDX-License-Identifier: MIT
 *
 * The difference page's struct, shared by its files: difference-page.c (result, sides, tolerances),
 * difference-navigate.c (window of the slice, pointer, keys), difference-show.c (what is drawn and
 * said), difference-view.c and difference-tiles.c (what the slice shows, and over both maps). The
 * widgets stand in difference-page.ui.
 */
#pragma once

#include "ui/difference/difference-maps.h"
#include "ui/difference/difference-page.h"
#include "ui/difference/difference-readout.h"
#include "ui/difference/difference-source.h"
#include "ui/widgets/figure-view.h"
#include "ui/widgets/table-view.h"

#include "app/figure/map.h"
#include "app/plan/plan.h"

G_BEGIN_DECLS

/* Two sides that can be compared: all pairs of three plans, and each with the truth. */
#define SEAM_DIFFERENCE_PLANS   3
#define SEAM_DIFFERENCE_CHOICES 6

/* The entries of the menu "What the slice shows". */
enum { VIEW_DIFFERENCE, VIEW_TRUSTED, VIEW_TESTED, VIEW_IN_TURN, N_VIEWS };

enum { FACT_LARGEST, FACT_MEAN, FACT_NAN, N_FACTS };

/* The search for the worst element of one cell, rectangle by rectangle. */
typedef struct {
  gboolean active;
  int n_steps;
  double target;                       /* the cell's value; NaN: a non-finite element */
  gint64 sample, channel, row, column; /* where the next rectangle begins */
  gint64 end_sample, first_channel, end_channel, first_row, end_row, first_column, end_column;
  double best;
  gint64 best_sample, best_channel, best_row, best_column;
} Seek;

struct _SeamDifferencePage {
  AdwBin parent_instance;

  GtkWidget *stack; /* "empty", "content" */
  GtkWidget *stale;
  GtkWidget *strips[2], *strip_titles[2]; /* buttons, labels: A, and the plan beside it */
  GtkWidget *strip_badges[2];             /* labels */
  int strip_plans[2];                     /* of the result; -1: none */
  SeamFigureView *strip_views[2];
  GtkWidget *exhibit;
  GtkWidget *verdict_icon, *headline, *detail, *facts[N_FACTS];
  GtkWidget *sides, *mode, *atol_entry, *rtol_entry, *formula;
  SeamDifferenceMaps *maps;
  SeamFigureView *overview, *slice, *legend, *numbers;
  GtkWidget *slice_message;
  GtkWidget *numbers_box, *worst_box, *worst_note;
  SeamTableView *worst_table;
  SeamWorstElement listed[SEAM_DIFFERENCE_WORST]; /* in the table */
  SeamSideNames listed_names;
  int n_listed;                          /* -2: nothing yet */
  GtkWidget *sample_spin, *channel_spin; /* in the readout */
  SeamDifferenceReadout *readout;
  GtkWidget *provenance;

  SeamModel *model;
  SeamDifferenceSource *source;
  SeamWorkerClient *client;
  SeamResult *result;
  SeamProblem *problem;
  SeamPlan *plans[SEAM_DIFFERENCE_PLANS]; /* of the result; NULL where one cannot be read */
  int n_plans;                            /* of the result that are shown */
  int beside;                             /* of those, the one that stands beside A; -1: none */
  struct {
    int tested, trusted;
  } choices[SEAM_DIFFERENCE_CHOICES]; /* the entries of `sides` */
  guint n_choices;
  gint64 rows, columns, plane; /* the output's view */

  double atol, rtol;
  SeamSessionRun *kept; /* the run from a session that is shown, and its file's name */
  char *file_name;
  GtkWidget *view; /* menu */
  GtkStringList *view_names;
  guint turn_id;        /* both sides in turn */
  gboolean turn_tested; /* whose turn it is */
  SeamMapLook look;
  SeamTile tile;                                     /* that look.tiles shows */
  GtkWidget *tiles, *tiles_note;                     /* button, label */
  gint64 sample, channel;                            /* the plane of the slice */
  gint64 first_row, first_column, n_rows, n_columns; /* the slice's window */
  gint64 fitting_rows, fitting_columns;              /* what the slice's widget has room for */
  guint resize_id, arrange_id;
  gint64 row, column; /* the pointer; -1: none yet */
  gint64 n_slice, n_slice_failing;
  guint rank;  /* of the next worst cell */
  int worst;   /* of the worst elements, the one that was gone to last */
  int pointed; /* of the worst elements, the one that is pointed at; -1: none */
  Seek seek;
  gboolean fresh;   /* the first difference of these sides moves the pointer to the worst */
  gboolean filling; /* widgets change because of the program, not the person */
};

static inline void
seam_difference_set_class (GtkWidget *widget, const char *name, gboolean present)
{
  if (present)
    gtk_widget_add_css_class (widget, name);
  else
    gtk_widget_remove_css_class (widget, name);
}

/* difference-page.c: which plans are compared (index or SEAM_SIDE_FP64), what they are called, and
 * the area of a slice. */
void seam_difference_page_get_sides (SeamDifferencePage *self, int *tested, int *trusted);
SeamSideNames seam_difference_page_get_names (SeamDifferencePage *self);
gboolean seam_difference_page_is_plane (SeamDifferencePage *self);
void seam_difference_page_get_area (SeamDifferencePage *self, gint64 *rows, gint64 *columns);

/* difference-navigate.c */
void seam_difference_page_connect_input (SeamDifferencePage *self);
void seam_difference_page_request_slice (SeamDifferencePage *self);
void seam_difference_page_resize_window (SeamDifferencePage *self, gint64 n_rows, gint64 n_columns);
void seam_difference_page_go_to_index (SeamDifferencePage *self, gint64 index); /* flat */
/* Of the worst elements, the one that is pointed at; -1: another, or none. */
int seam_difference_page_find_pointed (SeamDifferencePage *self);
/* A slice arrived while the worst element of a cell is searched. */
void seam_difference_page_seek_look (SeamDifferencePage *self);

/* difference-view.c: difference, one side, or both in turn, in the slice */
void seam_difference_page_connect_view (SeamDifferencePage *self);
void seam_difference_page_update_view_names (SeamDifferencePage *self);
void seam_difference_page_stop_turns (SeamDifferencePage *self);
/* Key B: both sides in turn, or the difference again; without animations the other side. */
void seam_difference_page_take_turns (SeamDifferencePage *self);
SeamSliceView seam_difference_page_get_view (SeamDifferencePage *self, const char **name);

/* difference-tiles.c: a kernel's tiles over the maps */
void seam_difference_page_connect_tiles (SeamDifferencePage *self);
/* Borrowed until the next call; NULL: none are shown. */
const SeamTile *seam_difference_page_get_tile (SeamDifferencePage *self);
void seam_difference_page_update_tiles (SeamDifferencePage *self);
/* Key T: on and off; with `other_side` those of the other plan. */
void seam_difference_page_toggle_tiles (SeamDifferencePage *self, gboolean other_side);

/* difference-show.c */
void seam_difference_page_connect_figures (SeamDifferencePage *self);
SeamFigure *seam_difference_page_build_chain (SeamDifferencePage *self, int i);
void seam_difference_page_count_slice (SeamDifferencePage *self);
void seam_difference_page_update_formula (SeamDifferencePage *self);
void seam_difference_page_update_messages (SeamDifferencePage *self);
void seam_difference_page_update_readout (SeamDifferencePage *self);
void seam_difference_page_update_worst (SeamDifferencePage *self);
void seam_difference_page_update_verdict (SeamDifferencePage *self);

G_END_DECLS
