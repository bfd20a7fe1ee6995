/* SPDX-License-Identifier: MIT
 *
 * Layout of the timeline. It visits only records that are at least a pixel wide, and skips narrower
 * ones by a search, so that a million records take no longer than a thousand.
 */
#include "app/figure/timeline-layout.h"

#include "app/figure/marks.h"

#include <math.h>

#define MIN_WIDTH    360.0
#define LEFT         92.0
#define RIGHT        82.0 /* for the number of gaps */
#define ROW_HEIGHT   48.0
#define LAUNCHES     30.0 /* height of a line above or below the kernels */
#define CALL_HEIGHT  10.0
#define BETWEEN      104.0
#define AXIS         26.0
#define TICK_SPACING 95.0
#define SPAN_SIZE    12.5
#define MIN_GAP_NS   .5
/* Positions are cut at this distance from the plot: Cairo's numbers end at some millions of
 * pixels. */
#define FAR_PX 1e5

double
seam_timeline_layout_x (const SeamTimelineLayout *layout, double ns)
{
  return CLAMP (seam_axis_get_px (&layout->axis, ns), -FAR_PX, FAR_PX);
}

/* The first of the lane's records from `first` on whose time in `member` is `ns` or later; its
 * calls are searched if that is call_start_ns. */
#define find_first(lane, first, member, ns)                                                        \
  find_from (lane, first, G_STRUCT_OFFSET (SeamTimelineRecord, member), ns)

static int
find_from (const SeamTimelineLane *lane, int first, glong offset, double ns)
{
  gboolean is_call = offset == G_STRUCT_OFFSET (SeamTimelineRecord, call_start_ns);
  int low = first, high = is_call ? lane->n_calls : lane->n_records;

  while (low < high) {
    int middle = low + (high - low) / 2, i = is_call ? lane->calls[middle] : middle;

    if (G_STRUCT_MEMBER (double, &lane->records[i], offset) < ns)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

static SeamRect
cut_to_plot (const SeamTimelineLayout *layout, double x1, double x2, double y)
{
  x1 = CLAMP (x1, layout->left, layout->right);
  x2 = CLAMP (x2, layout->left, layout->right);
  return (SeamRect){ x1, y, x2 - x1, ROW_HEIGHT };
}

static double
get_px (const SeamTimelineLayout *layout, const SeamTimelineRecord *record)
{
  return (record->end_ns - record->start_ns) * seam_axis_get_density (&layout->axis);
}

/* ---- items ---- */

/* Makes one item from record `i` on; returns the first record after it. */
static int
take_item (SeamTimelineLayout *layout, const SeamTimelineLane *lane, double y, int i,
           SeamTimelineItem *item)
{
  const SeamTimelineRecord *record = &lane->records[i], *last;
  double x = seam_timeline_layout_x (layout, record->start_ns), x2, time;
  int next = i + 1;

  if (get_px (layout, record) < SEAM_TIMELINE_MERGE_PX) {
    next = find_first (lane, i + 1, start_ns,
                       record->start_ns
                           + SEAM_TIMELINE_MERGE_PX / seam_axis_get_density (&layout->axis));
    /* Records do not overlap, so only the last one can be wide. */
    if (next - 1 > i && get_px (layout, &lane->records[next - 1]) >= SEAM_TIMELINE_MERGE_PX)
      next--;
  }
  last = &lane->records[next - 1];
  x2 = seam_timeline_layout_x (layout, last->end_ns);
  time = last->end_ns - record->start_ns;
  *item = (SeamTimelineItem){
    .rect = cut_to_plot (layout, x, fmax (x2, x + 1), y),
    .first = i,
    .n_records = next - i,
    .busy = time > 0 ? fmin (1, (lane->busy_ns[next] - lane->busy_ns[i]) / time) : 1,
    .kind = lane->same_kind_end[i] >= next ? record->kind : -1,
  };
  if (item->n_records == 1) {
    seam_kernel_fit (record->name, record->last_op - record->first_op + 1, time, layout->axis.unit,
                     item->rect.width, &item->name, &item->value);
    seam_keep (layout, item->name);
    seam_keep (layout, item->value);
    for (int op = record->first_op; op >= 0 && op <= record->last_op; op++)
      item->kinds[item->n_kinds++] = lane->op_kinds[op];
    if (item->n_kinds == 0)
      item->kinds[item->n_kinds++] = (SeamOpKind)record->kind;
  }
  return next;
}

static void
add_gap (const SeamTimelineLayout *layout, const SeamTimelineLane *lane, double y, int after,
         GArray *gaps)
{
  double from = lane->records[after].end_ns, to = lane->records[after + 1].start_ns;
  SeamTimelineGap gap = { .after = after, .ns = to - from };
  double x1, x2;

  if (!(gap.ns > MIN_GAP_NS) || to <= layout->axis.from || from >= layout->axis.to)
    return;
  x1 = seam_timeline_layout_x (layout, from);
  x2 = seam_timeline_layout_x (layout, to);
  if (x2 - x1 < 1) {
    x1 = (x1 + x2) / 2 - .5;
    x2 = x1 + 1;
  }
  gap.rect = cut_to_plot (layout, x1, x2, y);
  if (gap.rect.width > 0)
    g_array_append_val (gaps, gap);
}

static void
add_to_runs (GArray *runs, const SeamTimelineItem *item, gboolean joins)
{
  SeamTimelineRun *last = NULL;
  SeamTimelineRun run = { item->rect, item->n_records, NULL };

  if (runs->len > 0)
    last = &g_array_index (runs, SeamTimelineRun, runs->len - 1);
  if (last != NULL && joins) {
    last->n_records += item->n_records;
    last->rect.width = item->rect.x + item->rect.width - last->rect.x;
  } else {
    g_array_append_val (runs, run);
  }
}

static void
place_records (SeamTimelineLayout *layout, SeamTimelineRow *row, const SeamTimelineLane *lane)
{
  GArray *items = g_array_new (FALSE, FALSE, sizeof (SeamTimelineItem));
  GArray *runs = g_array_new (FALSE, FALSE, sizeof (SeamTimelineRun));
  GArray *gaps = g_array_new (FALSE, FALSE, sizeof (SeamTimelineGap));
  gboolean merged = FALSE;
  int i = find_first (lane, 0, end_ns, nextafter (layout->axis.from, INFINITY));

  while (i < lane->n_records && lane->records[i].start_ns < layout->axis.to) {
    SeamTimelineItem item;
    int next = take_item (layout, lane, row->y, i, &item);

    if (i > 0)
      add_gap (layout, lane, row->y, i - 1, gaps);
    g_array_append_val (items, item);
    if (item.n_records > 1)
      add_to_runs (runs, &item, merged);
    merged = item.n_records > 1;
    i = next;
  }
  if (i > 0 && i < lane->n_records)
    add_gap (layout, lane, row->y, i - 1, gaps);
  for (guint k = 0; k < runs->len; k++) {
    SeamTimelineRun *run = &g_array_index (runs, SeamTimelineRun, k);
    g_autofree char *count = seam_text_count (run->n_records);
    g_autofree char *text = g_strdup_printf ("%s kernels", count);

    if (seam_paint_measure (text, SEAM_KERNEL_NAME_SIZE, SEAM_BOLD) + 16 <= run->rect.width)
      run->label = seam_keep (layout, g_steal_pointer (&text));
    else if (seam_paint_measure (count, SEAM_KERNEL_NAME_SIZE, SEAM_BOLD) + 16 <= run->rect.width)
      run->label = seam_keep (layout, g_steal_pointer (&count));
  }
  row->n_items = (int)items->len;
  row->n_runs = (int)runs->len;
  row->n_gaps = (int)gaps->len;
  row->items = seam_keep (layout, g_array_free (items, FALSE));
  row->runs = seam_keep (layout, g_array_free (runs, FALSE));
  row->gaps = seam_keep (layout, g_array_free (gaps, FALSE));
}

/* ---- the host's calls ---- */

/* Adds the other kernels of a graph, if lines to them can be distinguished. */
static void
place_more (SeamTimelineLayout *layout, const SeamTimelineLane *lane, SeamTimelineCall *call)
{
  double last = call->kernel_x;

  call->more_x = seam_keep (layout, g_new (double, lane->n_records));
  for (int i = 1; i < lane->n_records; i++) {
    double x = seam_timeline_layout_x (layout, lane->records[i].start_ns);
    if (x < layout->left || x > layout->right || x - last < SEAM_TIMELINE_MERGE_PX)
      continue;
    call->more_x[call->n_more++] = last = x;
  }
}

static void
place_calls (SeamTimelineLayout *layout, SeamTimelineRow *row, const SeamTimelineLane *lane)
{
  GArray *calls = g_array_new (FALSE, FALSE, sizeof (SeamTimelineCall));
  double merged_ns = SEAM_TIMELINE_MERGE_PX / seam_axis_get_density (&layout->axis);
  int i = find_first (lane, 0, call_start_ns, layout->axis.from);

  /* One call from before the view may extend into it; a host makes calls one after the other. */
  i = MAX (0, i - 1);
  while (i < lane->n_calls) {
    const SeamTimelineRecord *record = &lane->records[lane->calls[i]], *last = record;
    int next = i + 1;
    double x1, x2;
    SeamTimelineCall call;

    if (record->call_start_ns > layout->axis.to)
      break;
    if (record->call_ns < merged_ns)
      next = MAX (next, find_first (lane, next, call_start_ns, record->call_start_ns + merged_ns));
    last = &lane->records[lane->calls[next - 1]];
    x1 = seam_timeline_layout_x (layout, record->call_start_ns);
    x2 = seam_timeline_layout_x (layout, last->call_start_ns + last->call_ns);
    call = (SeamTimelineCall){ .rect = cut_to_plot (layout, x1, fmax (x2, x1 + 2), 0),
                               .record = lane->calls[i],
                               .n_records = next - i,
                               .kernel_x = seam_timeline_layout_x (layout, record->start_ns) };
    call.rect.y = row->launches_y - CALL_HEIGHT / 2;
    call.rect.height = CALL_HEIGHT;
    if (call.rect.width > 0 && lane->is_graph)
      place_more (layout, lane, &call);
    if (call.rect.width > 0)
      g_array_append_val (calls, call);
    i = next;
  }
  row->n_calls = (int)calls->len;
  row->calls = seam_keep (layout, g_array_free (calls, FALSE));
}

/* ---- texts of a row ---- */

static void
place_texts (SeamTimelineLayout *layout, SeamTimelineRow *row, const SeamTimelineLane *lane)
{
  const SeamTimelineRecord *last = lane->n_records > 0 ? &lane->records[lane->n_records - 1] : NULL;
  double idle;

  row->letter = lane->letter;
  row->absent = seam_keep (layout, g_strdup (lane->absent));
  if (lane->n_launches >= 0) {
    g_autofree char *count = seam_text_count (lane->n_launches);
    row->launches =
        seam_keep_printf (layout, "%s %s", count, lane->n_launches == 1 ? "launch" : "launches");
    /* The text is beside the calls, where they are drawn. */
    row->launches_x = lane->n_calls > 0 ? layout->right + 10 : layout->left + 6;
  }
  if (last == NULL)
    return;
  /* Counts the whole lane, even if only a part of it is visible. */
  idle = last->end_ns - lane->records[0].start_ns - lane->busy_ns[lane->n_records];
  {
    g_autofree char *count = seam_text_count (lane->n_gaps);
    row->gaps_text[0] =
        seam_keep_printf (layout, "%s %s", count, lane->n_gaps == 1 ? "gap" : "gaps");
  }
  row->gaps_text[1] = idle > MIN_GAP_NS ? seam_keep (layout, seam_text_time (idle)) : NULL;
  row->gaps_x =
      CLAMP (seam_timeline_layout_x (layout, last->end_ns), layout->left, layout->right) + 10;
}

/* ---- ribbons ---- */

/* x of share number `share` of `n_shares` in the part of a record that stands for op number `op` of
 * its own chain. Every op has an equal part, as in the band at the bottom of the record. */
static void
get_part (const SeamTimelineLayout *layout, const SeamTimelineRecord *record, int op, int share,
          int n_shares, double *x1, double *x2)
{
  double length = record->end_ns - record->start_ns;
  double part = length / (record->last_op - record->first_op + 1);
  double from = record->start_ns + (op - record->first_op + (double)share / n_shares) * part;

  *x1 = seam_timeline_layout_x (layout, from);
  *x2 = seam_timeline_layout_x (layout, from + part / n_shares);
}

/* The index that op `op` of lane 0 has in this lane's own chain. */
static int
find_own_op (const SeamTimelineLane *lane, int op)
{
  for (int i = 0; i < SEAM_MAX_OPS; i++)
    if (lane->op_partner[i] == op)
      return i;
  return -1;
}

static void
place_ribbons (SeamTimelineLayout *layout, const SeamTimeline *timeline)
{
  const SeamTimelineLane *a = &timeline->lanes[0], *b = &timeline->lanes[1];
  GArray *ribbons = g_array_new (FALSE, FALSE, sizeof (SeamTimelineRibbon));

  for (int op = 0; timeline->n_lanes == 2 && op < SEAM_MAX_OPS; op++) {
    int n_a = a->n_of_op[op], n_b = b->n_of_op[op];
    int op_a = find_own_op (a, op), op_b = find_own_op (b, op);
    /* Equal numbers of kernels on both sides are the same passes, so the first belongs to the
     * first. */
    gboolean one_to_one = n_a == n_b;

    if (n_a > SEAM_TIMELINE_MAX_PER_OP || n_b > SEAM_TIMELINE_MAX_PER_OP)
      continue;
    for (int i = 0; i < n_a; i++)
      for (int k = 0; k < n_b; k++) {
        SeamTimelineRibbon ribbon = { .op = op,
                                      .record_a = a->of_op[op][i],
                                      .record_b = b->of_op[op][k],
                                      .kind = a->op_kinds[op_a] };

        if (one_to_one && i != k)
          continue;
        get_part (layout, &a->records[ribbon.record_a], op_a, one_to_one ? 0 : k,
                  one_to_one ? 1 : n_b, &ribbon.a1, &ribbon.a2);
        get_part (layout, &b->records[ribbon.record_b], op_b, one_to_one ? 0 : i,
                  one_to_one ? 1 : n_a, &ribbon.b1, &ribbon.b2);
        if (fmax (ribbon.a2, ribbon.b2) > layout->left
            && fmin (ribbon.a1, ribbon.b1) < layout->right)
          g_array_append_val (ribbons, ribbon);
      }
  }
  layout->n_ribbons = (int)ribbons->len;
  layout->ribbons = seam_keep (layout, g_array_free (ribbons, FALSE));
}

/* ---- the measured span ---- */

static void
place_span (SeamTimelineLayout *layout, const SeamTimeline *timeline, const SeamTimelineView *view)
{
  double from = fmin (view->span_from_ns, view->span_to_ns);
  double to = fmax (view->span_from_ns, view->span_to_ns), half;
  int lane = view->span_lane;
  SeamTimelineSpan span;

  if (!isfinite (from) || !isfinite (to) || lane >= layout->n_rows || to < layout->axis.from
      || from > layout->axis.to)
    return;
  seam_timeline_measure (timeline, lane, from, to, &span);
  layout->span = cut_to_plot (layout, seam_timeline_layout_x (layout, from),
                              seam_timeline_layout_x (layout, to), 0);
  layout->span.width = fmax (1, layout->span.width);
  layout->span_label = seam_keep (layout, seam_timeline_describe_span (&span));
  half = seam_paint_measure (layout->span_label, SPAN_SIZE, SEAM_BOLD) / 2 + 14;
  layout->span_x = CLAMP (layout->span.x + layout->span.width / 2, fmin (half, layout->width / 2),
                          fmax (layout->width - half, layout->width / 2));
  if (lane < 0) {
    layout->span.height = layout->axis_y;
    layout->span_y = layout->n_rows == 2 ? layout->axis_y / 2 : layout->rows[0].launches_y;
    return;
  }
  layout->span_y = layout->rows[lane].launches_y;
  layout->span.y = lane == 0 ? 0 : layout->rows[lane].y - 3;
  layout->span.height = ROW_HEIGHT + LAUNCHES + 3;
}

SeamTimelineLayout *
seam_timeline_layout_new (const SeamTimeline *timeline, const SeamTimelineView *view, double width)
{
  SeamTimelineLayout *layout = seam_owner_new (SeamTimelineLayout);
  gboolean all = !(view->to_ns > view->from_ns);
  double end = timeline->end_ns > 0 ? timeline->end_ns : 1;

  layout->width = fmax (width, MIN_WIDTH);
  layout->left = LEFT;
  layout->right = layout->width - RIGHT;
  layout->row_height = ROW_HEIGHT;
  layout->axis = seam_axis_between (
      all ? timeline->start_ns : view->from_ns, all ? end : view->to_ns, seam_unit_for_time (end),
      CLAMP ((int)((layout->right - layout->left) / TICK_SPACING), 2, 12));
  seam_axis_place_x (&layout->axis, layout->left, layout->right);

  layout->n_rows = timeline->n_lanes;
  for (int i = 0; i < layout->n_rows; i++) {
    SeamTimelineRow *row = &layout->rows[i];

    row->y = LAUNCHES + i * (ROW_HEIGHT + BETWEEN);
    row->launches_y = i == 0 ? LAUNCHES / 2 : row->y + ROW_HEIGHT + LAUNCHES / 2;
    place_records (layout, row, &timeline->lanes[i]);
    place_calls (layout, row, &timeline->lanes[i]);
    place_texts (layout, row, &timeline->lanes[i]);
  }
  layout->axis_y =
      layout->rows[layout->n_rows - 1].y + ROW_HEIGHT + (layout->n_rows == 2 ? LAUNCHES : 8);
  layout->height = layout->axis_y + AXIS;
  place_ribbons (layout, timeline);
  place_span (layout, timeline, view);
  return layout;
}
