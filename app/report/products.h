/* SPDX-License-Identifier: MIT
 *
 * The products: every table, JSON file, trace and figure that can be written from a result, an
 * exploration, a sweep, an estimate, a comparison of runs, the pitfall lab, a calibration or the
 * seams of a plan. The commands, their help, and the window's export and copy actions loop over the
 * list of products, so that a new one is added in one place. To write a product, a caller fills a
 * SeamProductSource with the data that it is made of.
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

typedef enum {
  SEAM_PRODUCT_TABLE, /* CSV */
  SEAM_PRODUCT_JSON,
  SEAM_PRODUCT_FIGURE,  /* PNG, SVG or PDF, by the file name's ending */
  SEAM_PRODUCT_PICTURE, /* PNG; the caller draws it, so none is in the list */
} SeamProductKind;

/* The data that a product is made of; the values are bits, so that they also form sets. */
typedef enum {
  SEAM_OF_RUN = 1 << 0,
  SEAM_OF_RUNS = 1 << 1,    /* one or more runs */
  SEAM_OF_PLANS = 1 << 2,   /* two plans of a run */
  SEAM_OF_OUTPUTS = 1 << 3, /* the outputs of two plans, or of one and the FP64 reference */
  SEAM_OF_EXPLORE = 1 << 4,
  SEAM_OF_SWEEP = 1 << 5,
  SEAM_OF_ESTIMATE = 1 << 6,
  SEAM_OF_COMPARISON = 1 << 7, /* pairs of runs */
  SEAM_OF_LAB = 1 << 8,
  SEAM_OF_CALIBRATION = 1 << 9,
  SEAM_OF_WHY = 1 << 10, /* seams of a plan */
} SeamProductOf;

#define SEAM_OF_RESULTS  (SEAM_OF_RUN | SEAM_OF_RUNS | SEAM_OF_PLANS | SEAM_OF_OUTPUTS)
#define SEAM_OF_SEARCHES (SEAM_OF_EXPLORE | SEAM_OF_SWEEP)
/* The products that the main window exports; other windows export the rest. */
#define SEAM_OF_WINDOW (SEAM_OF_RESULTS | SEAM_OF_SEARCHES | SEAM_OF_ESTIMATE)

/* The data for a product; all borrowed. A product reads only the fields for its SeamProductOf. */
typedef struct {
  SeamResult *const *results; /* the first is the run */
  int n_results;
  const double *claimable; /* the smallest difference, which `aa` found for JSON; or NULL */
  int first, second;       /* plans of the run; second -1: only the first */
  /* The outputs. NULL: tables that compare outputs cover every plan of the run. */
  const SeamDifference *difference;
  int tested, against;     /* sides of the difference; against -1: FP64 */
  const SeamSlice *slice;  /* or NULL */
  const SeamMapLook *look; /* NULL: absolute, without tiles */

  const SeamSearch *search; /* an exploration or a sweep */

  const SeamEstimate *estimate;
  const SeamRunRequest *request;
  const SeamDeviceInfo *target;
  const SeamProblem *problem;

  SeamComparison *const *comparisons; /* a figure shows only one */
  int n_comparisons;
  const SeamLab *lab;
  const SeamCalibration *calibration;

  SeamWhy *const *whys; /* with all fields of the estimate set, too; a figure shows only one */
  int n_whys;
  const SeamPlan *plan; /* the plan with these seams, the first of the estimate */
} SeamProductSource;

typedef struct {
  const char *name;   /* of a figure in --figure NAME=FILE, and of the window's action
                       * export-NAME */
  const char *option; /* of a text, if a command has several: seam_product_get_option() */
  const char *title;  /* "_Timing figure": for a menu, with an underscore before the access key */
  const char *words;  /* help for the option; for a figure, its contents if it is the command's only
                       * one */
  SeamProductKind kind;
  SeamProductOf of;
  gboolean compares;    /* shows how outputs differ */
  gboolean takes_slice; /* shows elements at full resolution if there is a slice */
  double width;         /* px at scale 1 */

  /* Exactly one of these is set. */
  char *(*make_text) (const SeamProductSource *source, GError **error);
  char *(*make_rows) (const SeamProductSource *source, SeamRowsFormat format); /* CSV or JSON */
  SeamFigure *(*make_figure) (const SeamProductSource *source, double width, GError **error);
  SeamFigure *(*make_page) (SeamResult *result, int first, int second, double width,
                            GError **error);
} SeamProduct;

/* The list ends with an entry without a name. Texts come before figures. */
const SeamProduct *seam_products_list (void);
/* NULL if there is none. */
const SeamProduct *seam_products_find (const char *name);
/* Whether this is the only product of its kind that is made of a member of `of`. */
gboolean seam_product_is_only (const SeamProduct *product, guint of);
/* The option of a command that writes products made of a member of `of`: "csv" or "json" for the
 * only product of its kind, else the product's own option; "figure" for all figures. NULL: that
 * command does not write this product. */
const char *seam_product_get_option (const SeamProduct *product, guint of);
/* The first product with this option; NULL if there is none. */
const SeamProduct *seam_products_find_option (const char *option, guint of);

/* The data that products of such a search are made of. */
SeamProductOf seam_product_of_search (SeamSearchKind kind);

/* ".png", ".svg", ".pdf"; the first is the default. NULL ends the list. */
const char *const *seam_product_get_endings (const SeamProduct *product);
/* The product's part of a file name: "kernels" for csv-kernels. */
const char *seam_product_get_stem (const SeamProduct *product);

/* NULL with an error if the source lacks data for the product. */
char *seam_product_make_text (const SeamProduct *product, const SeamProductSource *source,
                              GError **error);
SeamFigure *seam_product_make_figure (const SeamProduct *product, const SeamProductSource *source,
                                      GError **error);
/* Replaces the file atomically. Figures have the light palette, for paper. */
gboolean seam_product_write (const SeamProduct *product, const SeamProductSource *source,
                             const char *path, GError **error);
