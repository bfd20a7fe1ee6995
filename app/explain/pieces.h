/* SPDX-License-Identifier: MIT
 *
 * What the elapsed time of a traced plan consists of: its kernels as they were traced, the gaps
 * between them, and the rest up to the elapsed median, with its reasons. Bars, timeline, tables and
 * waterfall all show these pieces, and none scales them.
 */
#pragma once

#include "app/base/text.h"
#include "app/result/result.h"

/* Why a trace is shorter or longer than the elapsed median, in the order in which they are asked.
 */
typedef enum {
  SEAM_REST_CLOCK,   /* the SM clock of the trace and of the samples differ */
  SEAM_REST_LAUNCH,  /* from the start event to the first kernel */
  SEAM_REST_GAPS,    /* tracing lengthens them */
  SEAM_REST_OVERLAP, /* a kernel began before the one before had ended */
  SEAM_REST_OTHER,   /* not explained, or not known without the clock of the trace */
  SEAM_N_REST_REASONS
} SeamRestReason;

typedef struct {
  double gaps_ns;
  double traced_ns; /* kernels and gaps */
  double rest_ns;   /* elapsed median less traced_ns: over 0 not traced, under 0 past the mark. NaN,
                     * as the others: not traced at all, or not timed */
  double reasons_ns[SEAM_N_REST_REASONS];   /* add up to rest_ns, and have its sign */
  double share;                             /* of rest_ns in the elapsed median */
  double trace_clock_mhz, sample_clock_mhz; /* medians; NaN: not known */
} SeamPieces;

/* From this share on, the rest has a caption under its bar. */
#define SEAM_REST_CAPTION .01

/* `plan`: index into result->plans. */
void seam_pieces_init (SeamPieces *pieces, const SeamResult *result, int plan);
/* "not traced" or "past the mark". */
const char *seam_pieces_get_name (const SeamPieces *pieces);
/* "0.096 not traced:", and what follows: "the clock, 0.094. The trace ran at 1.62 GHz, the samples
 * at 1.44. Launch, 0.002." Newly allocated. */
char *seam_pieces_format_rest (const SeamPieces *pieces, SeamUnit unit);
char *seam_pieces_explain (const SeamPieces *pieces, SeamUnit unit);

/* Why a plan was not traced at all: "the run was stopped before". Newly allocated. */
char *seam_pieces_explain_absence (const SeamResult *result, const SeamPlanResult *plan);

/* Start and end of every kernel of a traced plan as figures draw it: medians one after the other,
 * with gaps that add up to span - sum. `starts` and `ends` have room for n_kernels, or are NULL.
 * Returns the end of the last kernel. */
double seam_pieces_place (const SeamPlanResult *plan, double *starts, double *ends);
