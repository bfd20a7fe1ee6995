/* SPDX-License-Identifier: MIT
 *
 * The registry of products. The contents of tables and figures are made elsewhere (app/compare,
 * app/explain, app/explore, app/export, app/figure).
 */
#include "app/report/products.h"

#include "app/base/error.h"
#include "app/base/file.h"
#include "app/compare/csv.h"
#include "app/export/chrome-trace.h"
#include "app/figure/lattice-figure.h"
#include "app/report/sheets.h"
#include "app/figure/palette.h"
#include "app/figure/sweep-figure.h"
#include "app/report/groups-table.h"
#include "app/report/kernel-details.h"
#include "app/report/kernels-table.h"
#include "app/report/lab-cases.h"
#include "app/report/ledger-table.h"
#include "app/report/plans.h"
#include "app/report/roofline-points.h"
#include "app/report/waterfall-csv.h"
#include "app/report/worst.h"

#include <string.h>

#define PAGE_WIDTH    1200 /* a figure in a paper or on a slide; fits seven ops with their texts */
#define SINGLE_WIDTH  1000 /* one curve or one tensor */
#define LATTICE_WIDTH 1400 /* twenty partitions side by side */

/* ---- Texts ---- */

/* make_text and make_rows of a product, from the source `s`. */
#define TEXT(function, text)                                                                       \
  static char *function (const SeamProductSource *s, GError **error)                               \
  {                                                                                                \
    return text;                                                                                   \
  }
#define ROWS(function, rows)                                                                       \
  static char *function (const SeamProductSource *s, SeamRowsFormat format)                        \
  {                                                                                                \
    return rows;                                                                                   \
  }

TEXT (make_plans, seam_result_to_csv (s->results[0]))
TEXT (make_kernels, seam_result_kernels_to_csv (s->results[0]))
TEXT (make_samples, seam_result_samples_to_csv (s->results[0]))
TEXT (make_ledger, seam_ledger_to_csv (s->results[0], error))
TEXT (make_traffic, seam_traffic_to_csv (s->results[0], error))
TEXT (make_kernel_details, seam_kernel_details_to_csv (s->results[0], s->first, s->second))
TEXT (make_roofline, seam_roofline_to_csv (s->results[0], error))
TEXT (make_worst, seam_result_worst_to_csv (s->results[0], s->tested, s->against, s->difference))
TEXT (make_histogram,
      seam_result_histogram_to_csv (s->results[0], s->tested, s->against, s->difference))
TEXT (make_overview, seam_difference_to_csv (s->difference, s->results[0]->pitfalls))
TEXT (make_json, seam_result_to_json (s->results[0], s->claimable))
TEXT (make_trace, seam_trace_to_json (s->results, s->n_results))
TEXT (make_comparison, seam_comparison_to_csv (s->comparisons, s->n_comparisons))
TEXT (make_comparison_json, seam_comparison_to_json (s->comparisons, s->n_comparisons))
TEXT (make_lab, seam_lab_to_csv (s->lab))
TEXT (make_calibration, seam_calibration_to_csv (s->calibration))
TEXT (make_calibration_json, seam_calibration_to_json (s->calibration))
ROWS (make_points, seam_search_to_rows (s->search, format))
ROWS (make_estimate, seam_estimate_to_rows (s->estimate, s->request, s->target, s->problem, format))
ROWS (make_why, seam_whys_to_rows (s->whys, s->n_whys, s->problem, s->plan, format))

static char *
make_waterfall (const SeamProductSource *source, GError **error)
{
  if (source->second >= 0)
    return seam_waterfall_to_csv (source->results[0], source->first, source->second, error);
  return seam_fail_null (
      error, SEAM_ERROR_UNSUPPORTED,
      "Only one plan was run, so there is no way from one to the other: run both.");
}

/* ---- Figures ---- */

/* make_figure of a product. */
#define FIGURE(function, figure)                                                                   \
  static SeamFigure *function (const SeamProductSource *s, double width, GError **error)           \
  {                                                                                                \
    return figure;                                                                                 \
  }

FIGURE (draw_lattice, seam_lattice_sheet_new (s->search, width, error))
FIGURE (draw_sweep, seam_sweep_sheet_new (s->search, width, error))
FIGURE (draw_lab, seam_pitfalls_sheet_new (s->lab, width, error))
FIGURE (draw_calibration, seam_calibration_sheet_new (s->calibration, width))

static SeamFigure *
draw_difference (const SeamProductSource *source, double width, GError **error)
{
  return seam_difference_sheet_new (source->results[0], source->tested, source->against,
                                    source->difference, source->slice, source->look, width, error);
}

static SeamFigure *
draw_numbers (const SeamProductSource *source, double width, GError **error)
{
  return seam_numbers_sheet_new (
      source->results[0], source->tested, source->against, source->difference,
      source->look != NULL ? source->look->unit : SEAM_UNIT_ABSOLUTE, width, error);
}

static SeamFigure *
draw_ceiling (const SeamProductSource *source, double width, GError **error)
{
  g_autofree char *provenance =
      seam_estimate_get_provenance (source->request, source->target, source->problem);

  return seam_ceiling_sheet_new (source->estimate, source->problem, provenance, width, error);
}

static SeamFigure *
draw_comparison (const SeamProductSource *source, double width, GError **error)
{
  if (source->n_comparisons == 1)
    return seam_comparison_sheet_new (source->comparisons[0], width, error);
  return seam_fail_null (error, SEAM_ERROR_INPUT,
                         "A figure shows one pair of runs, and there are %d: choose one by --run.",
                         source->n_comparisons);
}

static SeamFigure *
draw_why (const SeamProductSource *source, double width, GError **error)
{
  g_autofree char *provenance = NULL;

  if (source->n_whys != 1)
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "A figure shows one seam, and there are %d: choose one by --seam.",
                           source->n_whys);
  provenance = seam_estimate_get_provenance (source->request, source->target, source->problem);
  return seam_why_sheet_new (source->whys[0], source->problem, provenance, width);
}

/* ---- The list ---- */

/* A single option of the command writes the points of either kind of search; the window has one
 * menu item for each kind. */
static const char search_words[] =
    "write a row for every partition or point of a sweep (“-”: standard output)";

/* A figure of two plans of a run. */
#define PLANS_FIGURE(of_name, in_menu, sheet)                                                      \
  {                                                                                                \
    .name = of_name, .title = in_menu, .kind = SEAM_PRODUCT_FIGURE, .of = SEAM_OF_PLANS,           \
    .width = PAGE_WIDTH, .make_page = sheet,                                                       \
  }

static const SeamProduct products[] = {
  {
      .name = "csv-plans",
      .option = "csv",
      .title = "Table of _plans",
      .words = "write a table with one row a plan (“-”: standard output)",
      .of = SEAM_OF_RUN,
      .make_text = make_plans,
  },
  {
      .name = "csv-kernels",
      .option = "csv-kernels",
      .title = "Table of _kernels",
      .words = "write a table with one row a kernel (or “-”)",
      .of = SEAM_OF_RUN,
      .make_text = make_kernels,
  },
  {
      .name = "csv-samples",
      .option = "csv-samples",
      .title = "All _samples",
      .words = "write a table with one row a sample (or “-”)",
      .of = SEAM_OF_RUN,
      .make_text = make_samples,
  },
  {
      .name = "csv-ledger",
      .option = "csv-ledger",
      .title = "Traffic _ledger",
      .words = "write which group reads and writes which tensor, in bytes (or “-”)",
      .of = SEAM_OF_RUN,
      .make_text = make_ledger,
  },
  {
      .name = "csv-traffic",
      .option = "csv-traffic",
      .title = "Traffic of each _group",
      .words = "write the bytes of each group, modelled and measured (or “-”)",
      .of = SEAM_OF_RUN,
      .make_text = make_traffic,
  },
  {
      .name = "csv-waterfall",
      .option = "csv-waterfall",
      .title = "Steps from A to _B",
      .words = "write the steps from one plan's time to the other's (or “-”)",
      .of = SEAM_OF_PLANS,
      .make_text = make_waterfall,
  },
  {
      .name = "csv-kernel-details",
      .option = "csv-kernel-details",
      .title = "Kernels of A _beside those of B",
      .words = "write counters, launch and occupancy of A's kernels beside B's (or “-”)",
      .of = SEAM_OF_PLANS,
      .make_text = make_kernel_details,
  },
  {
      .name = "csv-roofline",
      .option = "csv-roofline",
      .title = "Points of the roofl_ine",
      .words = "write operations, bytes and rates of plans and kernels (or “-”)",
      .of = SEAM_OF_RUN,
      .make_text = make_roofline,
  },
  {
      .name = "csv-worst",
      .option = "csv-worst",
      .title = "Worst ele_ments",
      .words = "write the elements with the largest errors (or “-”)",
      .of = SEAM_OF_RUN,
      .compares = TRUE,
      .make_text = make_worst,
  },
  {
      .name = "csv-histogram",
      .option = "csv-histogram",
      .title = "_Histogram of the errors",
      .words = "write how many elements have which error (or “-”)",
      .of = SEAM_OF_RUN,
      .compares = TRUE,
      .make_text = make_histogram,
  },
  {
      .name = "csv-overview",
      .title = "Difference _overview",
      .of = SEAM_OF_OUTPUTS,
      .compares = TRUE,
      .make_text = make_overview,
  },
  {
      .name = "json",
      .option = "json",
      .title = "Everything that was _found",
      .words = "write everything that was found (or “-”)",
      .kind = SEAM_PRODUCT_JSON,
      .of = SEAM_OF_RUN,
      .make_text = make_json,
  },
  {
      .name = "trace",
      .option = "trace",
      .title = "Tra_ce of the kernels",
      .words = "write the kernels as a Chrome trace, which Perfetto opens (or “-”)",
      .kind = SEAM_PRODUCT_JSON,
      .of = SEAM_OF_RUNS,
      .make_text = make_trace,
  },
  {
      .name = "csv-explore",
      .option = "csv-survey",
      .title = "Table of p_artitions",
      .words = search_words,
      .of = SEAM_OF_EXPLORE,
      .make_rows = make_points,
  },
  {
      .name = "csv-sweep",
      .option = "csv-survey",
      .title = "Points of the s_weep",
      .words = search_words,
      .of = SEAM_OF_SWEEP,
      .make_rows = make_points,
  },
  {
      .name = "csv-estimate",
      .title = "_Estimate before running",
      .words = "write a table with one row a plan (“-”: standard output)",
      .of = SEAM_OF_ESTIMATE,
      .make_rows = make_estimate,
  },
  {
      .name = "csv-comparison",
      .title = "Table of the _numbers",
      .words = "write a table with one row a number (“-”: standard output)",
      .of = SEAM_OF_COMPARISON,
      .make_text = make_comparison,
  },
  {
      .name = "comparison-json",
      .title = "The numbers as _JSON",
      .words = "write the same as JSON (or “-”)",
      .kind = SEAM_PRODUCT_JSON,
      .of = SEAM_OF_COMPARISON,
      .make_text = make_comparison_json,
  },
  {
      .name = "csv-pitfalls",
      .title = "Table of the _cases",
      .words = "write the table (“-”: standard output)",
      .of = SEAM_OF_LAB,
      .make_text = make_lab,
  },
  {
      .name = "csv-calibration",
      .title = "Table of _rates and curve",
      .words = "write rates and curve as a table (“-”: standard output)",
      .of = SEAM_OF_CALIBRATION,
      .make_text = make_calibration,
  },
  {
      .name = "calibration-json",
      .title = "Rates and curve as _JSON",
      .words = "write the same as JSON (“-”: standard output)",
      .kind = SEAM_PRODUCT_JSON,
      .of = SEAM_OF_CALIBRATION,
      .make_text = make_calibration_json,
  },
  {
      .name = "csv-why",
      .title = "Table of _seams",
      .words = "write a table with one row a seam (“-”: standard output)",
      .of = SEAM_OF_WHY,
      .make_rows = make_why,
  },
  PLANS_FIGURE ("timing", "_Timing figure", seam_timing_sheet_new),
  {
      .name = "difference",
      .title = "_Difference figure",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_OUTPUTS,
      .compares = TRUE,
      .takes_slice = TRUE,
      .width = PAGE_WIDTH,
      .make_figure = draw_difference,
  },
  {
      .name = "numbers",
      .title = "Figure of the _errors by size",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_OUTPUTS,
      .compares = TRUE,
      .width = PAGE_WIDTH,
      .make_figure = draw_numbers,
  },
  PLANS_FIGURE ("traffic", "T_raffic figure", seam_traffic_sheet_new),
  PLANS_FIGURE ("roofline", "R_oofline figure", seam_roofline_sheet_new),
  PLANS_FIGURE ("timeline", "T_imeline figure", seam_timeline_sheet_new),
  PLANS_FIGURE ("samples", "Figure of _all samples", seam_samples_sheet_new),
  {
      .name = "lattice",
      .title = "L_attice of partitions",
      .words = "write the lattice",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_EXPLORE,
      .width = LATTICE_WIDTH,
      .make_figure = draw_lattice,
  },
  {
      .name = "sweep",
      .title = "S_weep over shapes",
      .words = "write lines or a map",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_SWEEP,
      .width = PAGE_WIDTH,
      .make_figure = draw_sweep,
  },
  {
      .name = "ceiling",
      .title = "Figure _before running",
      .words = "write the figure",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_ESTIMATE,
      .width = PAGE_WIDTH,
      .make_figure = draw_ceiling,
  },
  {
      .name = "comparison",
      .title = "Figure of _both sides",
      .words = "draw both sides' times",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_COMPARISON,
      .width = PAGE_WIDTH,
      .make_figure = draw_comparison,
  },
  {
      .name = "pitfalls",
      .title = "Figure of the _pitfalls",
      .words = "draw it",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_LAB,
      .width = PAGE_WIDTH,
      .make_figure = draw_lab,
  },
  {
      .name = "calibration",
      .title = "_Figure of rates and curve",
      .words = "write table and curve",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_CALIBRATION,
      .width = SINGLE_WIDTH,
      .make_figure = draw_calibration,
  },
  {
      .name = "why",
      .title = "_Picture of the seam",
      .words = "write the picture of --seam",
      .kind = SEAM_PRODUCT_FIGURE,
      .of = SEAM_OF_WHY,
      .width = SINGLE_WIDTH,
      .make_figure = draw_why,
  },
  { NULL },
};

const SeamProduct *
seam_products_list (void)
{
  return products;
}

const SeamProduct *
seam_products_find (const char *name)
{
  for (const SeamProduct *product = products; product->name != NULL; product++)
    if (strcmp (product->name, name) == 0)
      return product;
  return NULL;
}

gboolean
seam_product_is_only (const SeamProduct *product, guint of)
{
  int n = 0;

  for (const SeamProduct *other = products; other->name != NULL; other++)
    n += other->kind == product->kind && (other->of & of) != 0;
  return n == 1 && (product->of & of) != 0;
}

const char *
seam_product_get_option (const SeamProduct *product, guint of)
{
  static const char *const plain[] = {
    [SEAM_PRODUCT_TABLE] = "csv",
    [SEAM_PRODUCT_JSON] = "json",
    [SEAM_PRODUCT_FIGURE] = "figure",
  };

  if ((product->of & of) == 0)
    return NULL;
  return product->kind == SEAM_PRODUCT_FIGURE || seam_product_is_only (product, of)
             ? plain[product->kind]
             : product->option;
}

const SeamProduct *
seam_products_find_option (const char *option, guint of)
{
  for (const SeamProduct *product = products; product->name != NULL; product++)
    if (g_strcmp0 (seam_product_get_option (product, of), option) == 0)
      return product;
  return NULL;
}

SeamProductOf
seam_product_of_search (SeamSearchKind kind)
{
  return kind == SEAM_SEARCH_SWEEP ? SEAM_OF_SWEEP : SEAM_OF_EXPLORE;
}

const char *const *
seam_product_get_endings (const SeamProduct *product)
{
  static const char *const endings[][4] = {
    [SEAM_PRODUCT_TABLE] = { ".csv" },
    [SEAM_PRODUCT_JSON] = { ".json" },
    [SEAM_PRODUCT_FIGURE] = { ".png", ".svg", ".pdf" },
    [SEAM_PRODUCT_PICTURE] = { ".png" },
  };

  return endings[product->kind];
}

const char *
seam_product_get_stem (const SeamProduct *product)
{
  return product->kind == SEAM_PRODUCT_TABLE ? product->name + strlen ("csv-") : product->name;
}

char *
seam_product_make_text (const SeamProduct *product, const SeamProductSource *source, GError **error)
{
  return product->make_rows != NULL ? product->make_rows (source, SEAM_ROWS_CSV)
                                    : product->make_text (source, error);
}

SeamFigure *
seam_product_make_figure (const SeamProduct *product, const SeamProductSource *source,
                          GError **error)
{
  return product->make_page != NULL ? product->make_page (source->results[0], source->first,
                                                          source->second, product->width, error)
                                    : product->make_figure (source, product->width, error);
}

gboolean
seam_product_write (const SeamProduct *product, const SeamProductSource *source, const char *path,
                    GError **error)
{
  g_autoptr (SeamFigure) figure = NULL;
  g_autofree char *text = NULL;

  if (product->kind == SEAM_PRODUCT_FIGURE) {
    figure = seam_product_make_figure (product, source, error);
    return figure != NULL
           && seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, error);
  }
  text = seam_product_make_text (product, source, error);
  return text != NULL && seam_file_write (path, text, strlen (text), error);
}
