/* SPDX-License-Identifier: MIT
 *
 * The records of a timeline: reads them from a result, indexes them once so that any view is found
 * quickly, moves the view, and measures spans. timeline-layout.c has the geometry.
 */
#include "app/figure/timeline.h"

#include "app/base/error.h"
#include "app/base/text.h"
#include "app/explain/read-result.h"
#include "app/figure/bars-layout.h"
#include "app/figure/sheet-parts.h"

#include <math.h>
#include <string.h>

/* A gap shorter than a clock tick of the tracer is rounding. */
#define MIN_GAP_NS .5
/* Most time for calls before the first kernel, as a share of the kernels' time. */
#define MAX_LEAD .25

static int
compare_calls (gconstpointer a, gconstpointer b, gpointer data)
{
  const SeamTimelineRecord *records = data;
  double x = records[*(const int *)a].call_start_ns, y = records[*(const int *)b].call_start_ns;

  return (x > y) - (x < y);
}

/* All records of a graph have the same call, which is added once. */
static void
index_calls (SeamTimeline *timeline, SeamTimelineLane *lane)
{
  lane->calls = seam_keep (timeline, g_new (int, MAX (1, lane->n_records)));
  if (lane->is_graph) {
    if (lane->n_records > 0 && lane->records[0].call_ns > 0
        && isfinite (lane->records[0].call_start_ns))
      lane->calls[lane->n_calls++] = 0;
    return;
  }
  for (int i = 0; i < lane->n_records; i++)
    if (lane->records[i].call_ns > 0 && isfinite (lane->records[i].call_start_ns))
      lane->calls[lane->n_calls++] = i;
  g_qsort_with_data (lane->calls, lane->n_calls, sizeof *lane->calls, compare_calls, lane->records);
}

static void
index_lane (SeamTimeline *timeline, SeamTimelineLane *lane)
{
  int n = lane->n_records;

  lane->busy_ns = seam_keep (timeline, g_new0 (double, n + 1));
  lane->same_kind_end = seam_keep (timeline, g_new (int, MAX (1, n)));
  for (int i = 0; i < n; i++) {
    const SeamTimelineRecord *record = &lane->records[i];

    lane->n_gaps += i > 0 && record->start_ns - lane->records[i - 1].end_ns > MIN_GAP_NS;
    lane->busy_ns[i + 1] = lane->busy_ns[i] + (record->end_ns - record->start_ns);
    for (int op = record->first_op; record->first_op >= 0 && op <= record->last_op; op++) {
      int partner = op < SEAM_MAX_OPS ? lane->op_partner[op] : -1;

      if (partner < 0)
        continue;
      if (lane->n_of_op[partner] < SEAM_TIMELINE_MAX_PER_OP)
        lane->of_op[partner][lane->n_of_op[partner]] = i;
      lane->n_of_op[partner]++;
    }
  }
  for (int i = n - 1; i >= 0; i--)
    lane->same_kind_end[i] = i + 1 < n && lane->records[i + 1].kind == lane->records[i].kind
                                 ? lane->same_kind_end[i + 1]
                                 : i + 1;
}

static void
finish (SeamTimeline *timeline)
{
  for (int i = 0; i < timeline->n_lanes; i++) {
    SeamTimelineLane *lane = &timeline->lanes[i];

    index_lane (timeline, lane);
    index_calls (timeline, lane);
    if (lane->n_calls > 0)
      timeline->start_ns = fmin (timeline->start_ns, lane->records[lane->calls[0]].call_start_ns);
    if (lane->n_records > 0)
      timeline->end_ns = fmax (timeline->end_ns, lane->records[lane->n_records - 1].end_ns);
  }
}

/* One execution in the place of the medians. In older sessions only its durations are known, and
 * the gaps stay those of the medians; FALSE then. */
static gboolean
take_execution (SeamTimelineLane *lane, const SeamPlanResult *plan, int execution)
{
  double before = 0, end = 0; /* of the last kernel: by its median, and in the execution */
  gboolean all_own = TRUE;

  for (int i = 0; i < lane->n_records; i++) {
    SeamTimelineRecord *record = &lane->records[i];
    double gap = i > 0 ? fmax (record->start_ns - before, 0) : record->start_ns;
    double own = seam_plan_result_get_gap (plan, i, execution);

    all_own = all_own && !isnan (own);
    before = record->end_ns;
    record->start_ns = end + (isnan (own) ? gap : own);
    record->end_ns = record->start_ns + plan->kernels[i].samples_ns[execution];
    record->call_start_ns = record->call_ns = NAN;
    end = record->end_ns;
  }
  return all_own;
}

static void
read_records (SeamTimeline *timeline, SeamTimelineLane *lane, const SeamPlanResult *plan,
              const SeamChain *chain)
{
  int n = plan->n_kernels;
  g_autofree double *starts = g_new (double, n);
  g_autofree double *ends = g_new (double, n);

  seam_pieces_place (plan, starts, ends);
  lane->n_records = n;
  lane->records = seam_keep (timeline, g_new0 (SeamTimelineRecord, n));
  for (int i = 0; i < n; i++) {
    const SeamKernel *kernel = &plan->kernels[i];
    SeamTimelineRecord *record = &lane->records[i];
    SeamOpKind kinds[SEAM_MAX_OPS], kind;

    seam_bars_get_kinds (chain, kernel, kinds, &kind);
    *record = (SeamTimelineRecord){ .start_ns = starts[i],
                                    .end_ns = ends[i],
                                    .bytes = kernel->bytes,
                                    .name = kernel->short_name != NULL ? kernel->short_name
                                                                       : kernel->name,
                                    .first_op = -1,
                                    .last_op = -1,
                                    .kind = (guint8)kind,
                                    .call_start_ns = kernel->call_start_ns,
                                    .call_ns = kernel->call_ns };
    if (!kernel->is_copy && kernel->first_op >= 0 && kernel->last_op >= kernel->first_op
        && kernel->first_op < chain->n_ops) {
      record->first_op = (gint8)kernel->first_op;
      record->last_op = (gint8)MIN (kernel->last_op, chain->n_ops - 1);
    }
  }
}

static void
read_ops (SeamTimelineLane *lane, const SeamChain *chain, const SeamChain *first_chain)
{
  for (int i = 0; i < SEAM_MAX_OPS; i++) {
    lane->op_partner[i] = -1;
    for (int k = 0; i < chain->n_ops && k < first_chain->n_ops; k++)
      if (strcmp (chain->ops[i].name, first_chain->ops[k].name) == 0)
        lane->op_partner[i] = k;
    if (i < chain->n_ops)
      lane->op_kinds[i] = seam_op_get_kind (&chain->ops[i]);
  }
}

static char *
explain_absence (const SeamResult *result, const SeamPlanResult *plan)
{
  g_autofree char *why = seam_pieces_explain_absence (result, plan);

  /* The message of a plan that was measured is about something else. */
  return plan->message != NULL && plan->state != SEAM_PLAN_MEASURED
                 && plan->state != SEAM_PLAN_STOPPED_EARLY
             ? g_strdup_printf ("not measured: %s", plan->message)
             : g_strdup_printf ("not traced: %s", why);
}

SeamTimeline *
seam_timeline_new (SeamResult *result, int a, int b, GError **error)
{
  return seam_timeline_new_of_execution (result, a, b, -1, error);
}

/* -1: the medians, which are always there. */
static gboolean
check_execution (const SeamTimeline *timeline, GError **error)
{
  if (timeline->execution < timeline->n_executions)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "Execution %d was not traced: there are %d of both plans.",
                    timeline->execution + 1, timeline->n_executions);
}

SeamTimeline *
seam_timeline_new_of_execution (SeamResult *result, int a, int b, int execution, GError **error)
{
  g_autoptr (SeamTimeline) timeline = NULL;
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamPlan) first = NULL;
  const int plans[] = { a, b };

  if (problem == NULL)
    return NULL;
  first = seam_explain_read_plan (result, a, error);
  if (first == NULL)
    return NULL;
  timeline = seam_owner_new (SeamTimeline);
  timeline->result =
      seam_keep_full (timeline, seam_result_ref (result), (GDestroyNotify)seam_result_unref);
  timeline->execution = MAX (execution, -1);
  timeline->own_gaps = TRUE;
  for (int i = 0; i < (b < 0 ? 1 : 2); i++) {
    int n = plans[i] < result->n_plans
                ? seam_plan_result_count_executions (&result->plans[plans[i]])
                : 0;

    timeline->n_executions = i == 0 ? n : MIN (timeline->n_executions, n);
  }
  if (!check_execution (timeline, error))
    return NULL;
  for (int i = 0; i < (b < 0 ? 1 : 2); i++) {
    g_autoptr (SeamPlan) plan = seam_explain_read_plan (result, plans[i], error);
    SeamTimelineLane *lane = &timeline->lanes[timeline->n_lanes];

    if (plan == NULL)
      return NULL;
    timeline->n_lanes++;
    lane->letter = seam_plan_get_letter (plans[i]);
    lane->title = seam_keep (timeline, seam_page_get_plan_title (result, plans[i]));
    lane->n_launches = -1;
    lane->is_graph = seam_result_is_graph (result);
    read_ops (lane, seam_plan_get_chain (plan), seam_plan_get_chain (first));
    if (result->plans[plans[i]].n_kernels > 0) {
      read_records (timeline, lane, &result->plans[plans[i]], seam_plan_get_chain (plan));
      if (timeline->execution >= 0)
        timeline->own_gaps &= take_execution (lane, &result->plans[plans[i]], timeline->execution);
      if (result->plans[plans[i]].n_launches > 0)
        lane->n_launches = lane->is_graph ? 1 : result->plans[plans[i]].n_launches;
    } else {
      lane->absent = seam_keep (timeline, explain_absence (result, &result->plans[plans[i]]));
    }
  }
  finish (timeline);
  return g_steal_pointer (&timeline);
}

SeamTimeline *
seam_timeline_new_from_records (SeamTimelineRecord *const *records, const int *n_records,
                                int n_lanes, const SeamOpKind *op_kinds, int n_ops)
{
  SeamTimeline *timeline = seam_owner_new (SeamTimeline);

  timeline->execution = -1;
  g_return_val_if_fail (n_lanes >= 1 && n_lanes <= 2 && n_ops <= SEAM_MAX_OPS, timeline);
  timeline->n_lanes = n_lanes;
  for (int i = 0; i < n_lanes; i++) {
    SeamTimelineLane *lane = &timeline->lanes[i];

    lane->letter = seam_plan_get_letter (i);
    lane->title = "";
    lane->n_launches = -1;
    lane->records = seam_keep (timeline, records[i]);
    lane->n_records = n_records[i];
    for (int op = 0; op < SEAM_MAX_OPS; op++) {
      lane->op_partner[op] = op < n_ops ? op : -1;
      lane->op_kinds[op] = op < n_ops ? op_kinds[op] : SEAM_KIND_COPY;
    }
  }
  finish (timeline);
  return timeline;
}

/* ---- moving ---- */

static void
set_view (const SeamTimeline *timeline, SeamTimelineView *view, double from_ns, double length_ns)
{
  const double all_ns = timeline->end_ns - timeline->start_ns;

  length_ns = fmax (length_ns, SEAM_TIMELINE_MIN_NS);
  /* A tiny invisible rest comes from rounding, after zooming in and out or from the end minus the
   * length. */
  if (!(length_ns < (1 - 1e-9) * all_ns)) {
    view->from_ns = timeline->start_ns;
    view->to_ns = timeline->end_ns;
    return;
  }
  view->from_ns = fmax (timeline->start_ns, fmin (from_ns, timeline->end_ns - length_ns));
  view->to_ns = view->from_ns + length_ns;
}

static void
get_view (const SeamTimeline *timeline, const SeamTimelineView *view, double *from_ns,
          double *length_ns)
{
  gboolean all = !(view->to_ns > view->from_ns);

  *from_ns = all ? timeline->start_ns : view->from_ns;
  *length_ns = all ? timeline->end_ns - timeline->start_ns : view->to_ns - view->from_ns;
}

void
seam_timeline_zoom (const SeamTimeline *timeline, SeamTimelineView *view, double factor,
                    double at_ns)
{
  double from, length, next;

  get_view (timeline, view, &from, &length);
  if (!(length > 0) || !(factor > 0))
    return;
  next = fmin (fmax (length * factor, SEAM_TIMELINE_MIN_NS), timeline->end_ns - timeline->start_ns);
  set_view (timeline, view, at_ns - (at_ns - from) * next / length, next);
}

void
seam_timeline_pan (const SeamTimeline *timeline, SeamTimelineView *view, double share)
{
  double from, length;

  get_view (timeline, view, &from, &length);
  set_view (timeline, view, from + share * length, length);
}

SeamTimelineView
seam_timeline_get_kernels_view (const SeamTimeline *timeline)
{
  SeamTimelineView view = SEAM_TIMELINE_VIEW_ALL;

  if (-timeline->start_ns > MAX_LEAD * timeline->end_ns) {
    view.from_ns = -MAX_LEAD * timeline->end_ns;
    view.to_ns = timeline->end_ns;
  }
  return view;
}

char *
seam_timeline_describe_left_out (const SeamTimeline *timeline, const SeamTimelineView *view)
{
  g_autofree char *ahead = seam_text_time (-timeline->start_ns);
  int n = 0;

  for (int i = 0; i < timeline->n_lanes; i++) {
    const SeamTimelineLane *lane = &timeline->lanes[i];

    for (int k = 0; k < lane->n_calls; k++) {
      const SeamTimelineRecord *record = &lane->records[lane->calls[k]];

      n += view->to_ns > view->from_ns && record->call_start_ns + record->call_ns < view->from_ns;
    }
  }
  if (n == 0)
    return NULL;
  return g_strdup_printf ("Left of the figure %s began %s before a kernel ran.",
                          n == 1 ? "one call of the host is not drawn: it"
                                 : "calls of the host are not drawn: the first",
                          ahead);
}

gboolean
seam_timeline_sees_all (const SeamTimeline *timeline, const SeamTimelineView *view)
{
  double from, length;

  get_view (timeline, view, &from, &length);
  return from <= timeline->start_ns && length >= timeline->end_ns - timeline->start_ns;
}

/* ---- measuring ---- */

static void
measure_lane (const SeamTimelineLane *lane, double from_ns, double to_ns, SeamTimelineSpan *span)
{
  double last_end = NAN;

  for (int i = 0; i < lane->n_records; i++) {
    const SeamTimelineRecord *record = &lane->records[i];

    if (record->end_ns <= from_ns)
      continue;
    if (record->start_ns >= to_ns)
      break;
    if (record->start_ns < from_ns || record->end_ns > to_ns) {
      span->n_in_part++;
      continue;
    }
    if (record->kind == SEAM_KIND_COPY)
      span->n_copies++;
    else
      span->n_kernels++;
    span->bytes += record->bytes;
    if (record->start_ns - last_end > MIN_GAP_NS) {
      span->n_gaps++;
      span->gap_ns += record->start_ns - last_end;
    }
    last_end = record->end_ns;
  }
}

void
seam_timeline_measure (const SeamTimeline *timeline, int lane, double from_ns, double to_ns,
                       SeamTimelineSpan *span)
{
  *span = (SeamTimelineSpan){ .ns = to_ns - from_ns };
  for (int i = 0; i < timeline->n_lanes; i++)
    if (lane < 0 || i == lane)
      measure_lane (&timeline->lanes[i], from_ns, to_ns, span);
}

static void
add_count (GString *text, int n, const char *one, const char *many)
{
  g_autofree char *count = seam_text_count (n);

  g_string_append_printf (text, " · %s %s", count, n == 1 ? one : many);
}

char *
seam_timeline_describe_span (const SeamTimelineSpan *span)
{
  g_autofree char *time = seam_text_time (span->ns);
  GString *text = g_string_new (time);

  add_count (text, span->n_kernels, "kernel", "kernels");
  if (span->n_in_part > 0) {
    g_autofree char *count = seam_text_count (span->n_in_part);
    g_string_append_printf (text, ", %s in part", count);
  }
  if (span->n_copies > 0)
    add_count (text, span->n_copies, "copy", "copies");
  if (span->n_gaps > 0) {
    g_autofree char *gaps = seam_text_time (span->gap_ns);
    add_count (text, span->n_gaps, "gap", "gaps");
    g_string_append_printf (text, " of %s", gaps);
  }
  if (isfinite (span->bytes) && span->bytes > 0) {
    g_autofree char *bytes = seam_text_bytes (span->bytes);
    g_string_append_printf (text, " · %s", bytes);
  }
  return g_string_free (text, FALSE);
}

double
seam_timeline_snap (const SeamTimeline *timeline, int lane, double ns, double reach_ns)
{
  double best = ns, distance = reach_ns;

  for (int i = 0; i < timeline->n_lanes; i++) {
    const SeamTimelineLane *of = &timeline->lanes[i];

    for (int k = 0; (lane < 0 || i == lane) && k < of->n_records; k++) {
      const double edges[] = { of->records[k].start_ns, of->records[k].end_ns };

      for (int e = 0; e < 2; e++)
        if (fabs (edges[e] - ns) <= distance) {
          distance = fabs (edges[e] - ns);
          best = edges[e];
        }
    }
  }
  return best;
}

char *
seam_timeline_get_note (const SeamTimeline *timeline)
{
  gboolean has_calls = FALSE, launches = FALSE, is_graph = FALSE;
  g_autofree char *what =
      timeline->execution < 0
          ? g_strdup ("Medians of the traced executions, one after the other.")
          : g_strdup_printf ("Execution %d of %d that were traced: %s", timeline->execution + 1,
                             timeline->n_executions,
                             timeline->own_gaps
                                 ? "when its kernels ran."
                                 : "how long its kernels took. The gaps between them are the "
                                   "medians of all.");

  for (int i = 0; i < timeline->n_lanes; i++) {
    has_calls |= timeline->lanes[i].n_calls > 0;
    launches |= timeline->lanes[i].n_launches > 0;
    is_graph |= timeline->lanes[i].is_graph;
  }
  return g_strconcat (
      what,
      " Ribbons join kernels that do the same ops; an op of a kernel with several has an equal "
      "part "
      "of it. Hatched: no kernel runs.",
      has_calls && is_graph
          ? " Launch: the host's one call for the whole CUDA graph, which takes longer here than "
            "without tracing; lines lead from it to its kernels."
      : has_calls ? " Launches: the host's calls, which take longer here than without tracing; a "
                    "line leads from a call to its kernel."
      : launches && timeline->execution < 0 ? " When the host launched was not recorded."
                                            : "",
      NULL);
}

char *
seam_timeline_describe_hit (const SeamTimeline *timeline, const SeamHit *hit)
{
  const SeamTimelineLane *lane;
  const SeamTimelineRecord *record;
  g_autofree char *time = NULL, *start = NULL, *bytes = NULL;
  char letter;

  if (hit->plan < 0 || hit->plan >= timeline->n_lanes)
    return NULL;
  lane = &timeline->lanes[hit->plan];
  letter = lane->letter;
  if (hit->index < 0 || hit->index >= lane->n_records)
    return NULL;
  record = &lane->records[hit->index];
  if (hit->kind == SEAM_HIT_GAP && hit->index + 1 < lane->n_records) {
    time = seam_text_time (lane->records[hit->index + 1].start_ns - record->end_ns);
    return g_strdup_printf ("Gap of %s in %c after %s: no kernel runs", time, letter,
                            record->name != NULL ? record->name : "this kernel");
  }
  if (hit->kind == SEAM_HIT_LAUNCH && record->call_ns > 0) {
    time = seam_text_time (record->call_ns);
    start = seam_text_time (fabs (record->start_ns - record->call_start_ns));
    if (lane->is_graph)
      return g_strdup_printf (
          "Launch of the CUDA graph of %c, %d kernels and copies: the call took "
          "%s with tracing on and began %s %s the first",
          letter, lane->n_records, time, start,
          record->call_start_ns <= record->start_ns ? "before" : "after");
    return g_strdup_printf ("Launch of %s in %c: the call took %s with tracing on and began %s %s "
                            "the kernel",
                            record->name != NULL ? record->name : "a kernel", letter, time, start,
                            record->call_start_ns <= record->start_ns ? "before" : "after");
  }
  if (hit->kind != SEAM_HIT_KERNEL)
    return NULL;
  time = seam_text_time (record->end_ns - record->start_ns);
  start = seam_text_time (record->start_ns);
  bytes = isfinite (record->bytes) ? seam_text_bytes (record->bytes) : NULL;
  return g_strdup_printf ("%s of %c: %s, begins at %s%s%s%s",
                          record->name != NULL ? record->name : "kernel", letter, time, start,
                          record->first_op < 0 ? ", a copy" : "", bytes != NULL ? ", " : "",
                          bytes != NULL ? bytes : "");
}
