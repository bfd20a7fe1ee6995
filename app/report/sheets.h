/* SPDX-License-Identifier: MIT
 *
 * Sheets: whole figures that `--figure` and the window's export write, each with title, parts and
 * provenance footer. One has strips, headline and bars, for instance, another the difference maps
 * with verdict and legend.
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

/* The sheet of an estimate: the strip of each plan (at most six), the ceiling, footer.
 * `provenance`: seam_estimate_get_provenance(). */
SeamFigure *seam_ceiling_sheet_new (const SeamEstimate *estimate, const SeamProblem *problem,
                                    const char *provenance, double width, GError **error);

/* Plans `a` and `b` of the result: both strips, headline with interval, facts, bars, note, footer.
 * `b` -1: only plan `a`, with its time instead of a verdict. */
SeamFigure *seam_timing_sheet_new (SeamResult *result, int a, int b, double width, GError **error);
/* The picture of two plans for a card: strips and bars. In words: what each moves, and the ratio.
 */
SeamFigure *seam_pair_figure_new (SeamResult *result, int a, int b, double width, GError **error);
/* Plans `a` and `b` of the result (b -1: only `a`): ledger by tensor, waterfall, ledger by
 * group. */
SeamFigure *seam_traffic_sheet_new (SeamResult *result, int a, int b, double width, GError **error);
/* The same plans on the roofline of the device, with a table of the points. */
SeamFigure *seam_roofline_sheet_new (SeamResult *result, int a, int b, double width,
                                     GError **error);
/* The kernels and copies of the same plans on one time scale, with a table of the records. */
SeamFigure *seam_timeline_sheet_new (SeamResult *result, int a, int b, double width,
                                     GError **error);
/* Every sample of the same plans in the order of measurement, with histogram and clock.
 * SEAM_ERROR_UNSUPPORTED if neither plan was timed. */
SeamFigure *seam_samples_sheet_new (SeamResult *result, int a, int b, double width, GError **error);
/* `a`: the plan that is judged, `b`: the other side, -1 for FP64, as in seam_runner_difference();
 * if `a` is the plan compared with, the two change places. Plans have the letters of their places
 * in the run. `slice` may be NULL; `look` NULL: the best unit, without tiles. */
SeamFigure *seam_difference_sheet_new (SeamResult *result, int a, int b,
                                       const SeamDifference *difference, const SeamSlice *slice,
                                       const SeamMapLook *look, double width, GError **error);
/* The same sides: verdict, errors by size and against magnitude, the worst elements. */
SeamFigure *seam_numbers_sheet_new (SeamResult *result, int a, int b,
                                    const SeamDifference *difference, SeamMapUnit unit,
                                    double width, GError **error);
/* Title, sentence, number, figure, the target's answer, sources, footer. */
SeamFigure *seam_why_sheet_new (const SeamWhy *why, const SeamProblem *problem,
                                const char *provenance, double width);
/* Title, figure, sentence, footer. */
SeamFigure *seam_sweep_sheet_new (const SeamSearch *search, double width, GError **error);
/* Device, table of the rates, curve, sentences, provenance. */
SeamFigure *seam_calibration_sheet_new (const SeamCalibration *calibration, double width);
/* Title, figure, table of times, a sentence for each case, footer. */
SeamFigure *seam_pitfalls_sheet_new (const SeamLab *lab, double width, GError **error);
/* Title, lattice, worth of each seam, footer. */
SeamFigure *seam_lattice_sheet_new (const SeamSearch *search, double width, GError **error);
/* The conditions in which the runs differ, the bars, how verdicts are reached, provenance of both
 * runs. If the runs cannot be compared: the conditions and the reason. SEAM_ERROR_FILE if the
 * pipeline of A cannot be read. */
SeamFigure *seam_comparison_sheet_new (const SeamComparison *comparison, double width,
                                       GError **error);
/* How the last kernel of plan `index` tiles the output; unknown for FP64 (-1) and if it was not
 * recorded. */
SeamTile seam_result_get_output_tile (const SeamResult *result, int index);
