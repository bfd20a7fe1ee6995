/* SPDX-License-Identifier: MIT
 *
 * Whole figures for export: strips, headline, bars, note and provenance footer on one sheet; the
 * difference maps with verdict, legend and footer on another. What `--figure` and the window's
 * export write.
 */
#pragma once

#include "app/figure/figure.h"
#include "app/explain/why.h"
#include "app/explore/pitfall-lab.h"
#include "app/explore/sweep.h"
#include "app/figure/comparison-figure.h"
#include "app/figure/map.h"
#include "app/result/calibration.h"
#include "app/result/result.h"
#include "app/runner/runner.h"

G_BEGIN_DECLS

/* Before running: the strip of each plan of the estimate (at most six), the ceiling, footer.
 * `provenance`: seam_estimate_get_provenance(). */
SeamFigure *seam_ceiling_sheet_new (const SeamEstimate *estimate, const SeamProblem *problem,
                                    const char *provenance, double width, GError **error);

/* Plans `a` and `b` of the result: both strips, headline with interval, facts, bars, note, footer.
 * `b` -1: plan `a` alone, which says its time and no verdict. */
SeamFigure *seam_timing_sheet_new (SeamResult *result, int a, int b, double width, GError **error);
/* Plans `a` and `b` of the result (b -1: `a` alone): ledger by tensor, waterfall, ledger by group.
 */
SeamFigure *seam_traffic_sheet_new (SeamResult *result, int a, int b, double width, GError **error);
/* The same plans on the roofline of the device, with the table of its points. */
SeamFigure *seam_roofline_sheet_new (SeamResult *result, int a, int b, double width,
                                     GError **error);
/* The same plans' kernels and copies on one time scale, with the table of their records. */
SeamFigure *seam_timeline_sheet_new (SeamResult *result, int a, int b, double width,
                                     GError **error);
/* Every sample of the same plans in true order, with histogram and clock. SEAM_ERROR_UNSUPPORTED
 * when neither was timed. */
SeamFigure *seam_samples_sheet_new (SeamResult *result, int a, int b, double width, GError **error);
/* `a`: the plan that is judged, `b`: the trusted side, -1 for FP64, as in seam_runner_difference();
 * where `a` is the run's reference the two change places. On the sheet plans have the letters
 * of their places in the run. `slice` may be NULL; `look` NULL: absolute, without tiles. */
SeamFigure *seam_difference_sheet_new (SeamResult *result, int a, int b,
                                       const SeamDifference *difference, const SeamSlice *slice,
                                       const SeamMapLook *look, double width, GError **error);
/* The same sides: verdict, errors by size and against magnitude, the worst elements. */
SeamFigure *seam_numbers_sheet_new (SeamResult *result, int a, int b,
                                    const SeamDifference *difference, SeamMapUnit unit,
                                    double width, GError **error);
/* The sheet for export: title, sentence, number, figure, the target's answer, sources, footer. */
SeamFigure *seam_why_sheet_new (const SeamWhy *why, const SeamProblem *problem,
                                const char *provenance, double width);
/* The sheet for export: title, figure, sentence, footer. */
SeamFigure *seam_sweep_sheet_new (const SeamSearch *search, double width, GError **error);
/* The sheet for export: device, table of the rates, curve, sentences, where it comes from. */
SeamFigure *seam_calibration_sheet_new (const SeamCalibration *calibration, double width);
/* The figure on a sheet with title, table of times, a sentence for each case, and footer. */
SeamFigure *seam_pitfalls_sheet_new (const SeamLab *lab, double width, GError **error);
/* The sheet for export: title, lattice, what each seam is worth, footer. */
SeamFigure *seam_lattice_sheet_new (const SeamSearch *search, double width, GError **error);
/* The whole sheet: what the runs differ in, the bars, how verdicts come about, where both come
 * from. Of runs that cannot be compared, the conditions and the reason. SEAM_ERROR_FILE when the
 * pipeline of A cannot be read. */
SeamFigure *seam_comparison_sheet_new (const SeamComparison *comparison, double width,
                                       GError **error);
/* How the last kernel of plan `index` writes the output; unknown for FP64 (-1) and where it was not
 * recorded. */
SeamTile seam_result_get_output_tile (const SeamResult *result, int index);

G_END_DECLS
