/* SPDX-License-Identifier: MIT
 *
 * Everything that can be written of a result, an exploration, a sweep, an estimate, a comparison of
 * runs, the pitfall lab, a calibration or the seams of a plan: one entry a table, JSON, trace or
 * figure. The commands, their help, and the window's export and copy actions loop over these
 * entries, so that a product is added in one place. Who writes one fills a SeamProductSource with
 * what it is made of.
 */
#pragma once

#include "app/compare/run-comparison.h"
#include "app/explain/why.h"
#include "app/explore/pitfall-lab.h"
#include "app/explore/sweep.h"
#include "app/figure/figure.h"
#include "app/figure/map.h"
#include "app/result/calibration.h"
#include "app/result/result.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

typedef enum {
  SEAM_PRODUCT_TABLE, /* CSV */
  SEAM_PRODUCT_JSON,
  SEAM_PRODUCT_FIGURE,  /* PNG, SVG or PDF by the ending */
  SEAM_PRODUCT_PICTURE, /* PNG; drawn by who shows it, so none is in the list */
} SeamProductKind;

/* What a product is made of; also a set of these. */
typedef enum {
  SEAM_OF_RUN = 1 << 0,
  SEAM_OF_RUNS = 1 << 1,    /* one or several */
  SEAM_OF_PLANS = 1 << 2,   /* two plans of a run */
  SEAM_OF_OUTPUTS = 1 << 3, /* the outputs of two plans, or of one and the FP64 truth */
  SEAM_OF_EXPLORE = 1 << 4,
  SEAM_OF_SWEEP = 1 << 5,
  SEAM_OF_ESTIMATE = 1 << 6,
  SEAM_OF_COMPARISON = 1 << 7, /* of pairs of runs */
  SEAM_OF_LAB = 1 << 8,
  SEAM_OF_CALIBRATION = 1 << 9,
  SEAM_OF_WHY = 1 << 10, /* seams of a plan */
} SeamProductOf;

#define SEAM_OF_RESULTS  (SEAM_OF_RUN | SEAM_OF_RUNS | SEAM_OF_PLANS | SEAM_OF_OUTPUTS)
#define SEAM_OF_SEARCHES (SEAM_OF_EXPLORE | SEAM_OF_SWEEP)
/* What the main window exports; the others have windows of their own. */
#define SEAM_OF_WINDOW (SEAM_OF_RESULTS | SEAM_OF_SEARCHES | SEAM_OF_ESTIMATE)

/* All borrowed. A product reads what it is made of and nothing else. */
typedef struct {
  SeamResult *const *results; /* the first is the run */
  int n_results;
  int first, second; /* plans of the run; second -1: the first alone */
  /* Outputs. NULL: the tables that compare outputs are of every plan of the run. */
  const SeamDifference *difference;
  int tested, trusted;     /* sides of the difference; trusted -1: FP64 */
  const SeamSlice *slice;  /* or NULL */
  const SeamMapLook *look; /* NULL: absolute, without tiles */

  const SeamSearch *search; /* an exploration or a sweep */

  const SeamEstimate *estimate;
  const SeamRunRequest *request;
  const SeamDeviceInfo *target;
  const SeamProblem *problem;

  SeamComparison *const *comparisons; /* a figure shows one */
  int n_comparisons;
  const SeamLab *lab;
  const SeamCalibration *calibration;

  SeamWhy *const *whys; /* with all that an estimate has; a figure shows one */
  int n_whys;
  const SeamPlan *plan; /* the first of the estimate, whose seams they are */
} SeamProductSource;

typedef struct {
  const char *name;   /* of the figure in --figure NAME=FILE, of the window's action export-NAME */
  const char *option; /* of a text where a command has several: seam_product_get_option() */
  const char *title;  /* "_Timing figure": in a menu, the underscore before its key */
  const char *words;  /* help for the option; of a figure what it draws, where it is the only one */
  SeamProductKind kind;
  SeamProductOf of;
  gboolean compares;    /* outputs */
  gboolean takes_slice; /* shows elements at full resolution where there are some */
  double width;         /* px at scale 1 */

  /* One of these. */
  char *(*make_text) (const SeamProductSource *source, GError **error);
  SeamFigure *(*make_figure) (const SeamProductSource *source, double width, GError **error);
  SeamFigure *(*make_page) (SeamResult *result, int first, int second, double width,
                            GError **error);
} SeamProduct;

/* Ends with an entry without name. Texts come before figures. */
const SeamProduct *seam_products_list (void);
/* NULL where there is none. */
const SeamProduct *seam_products_find (const char *name);
/* Whether no other product of its kind is made of one of `of`. */
gboolean seam_product_is_only (const SeamProduct *product, guint of);
/* What a command that writes what is made of one of `of` calls it: "csv" or "json" where it is the
 * only one of its kind, else its own name; "figure" for all figures. NULL: it does not write it. */
const char *seam_product_get_option (const SeamProduct *product, guint of);
/* The first with this option. NULL where there is none. */
const SeamProduct *seam_products_find_option (const char *option, guint of);

/* What the products of such a search are made of. */
SeamProductOf seam_product_of_search (SeamSearchKind kind);

/* ".png", ".svg", ".pdf"; the first is the default. NULL ends the list. */
const char *const *seam_product_get_endings (const SeamProduct *product);
/* What it is called in the name of a file: "kernels" for csv-kernels. */
const char *seam_product_get_stem (const SeamProduct *product);

/* NULL with a sentence when the source does not hold what is needed. */
char *seam_product_make_text (const SeamProduct *product, const SeamProductSource *source,
                              GError **error);
SeamFigure *seam_product_make_figure (const SeamProduct *product, const SeamProductSource *source,
                                      GError **error);
/* Replaces the file in one step. Figures have the light palette, as paper wants them. */
gboolean seam_product_write (const SeamProduct *product, const SeamProductSource *source,
                             const char *path, GError **error);

G_END_DECLS
