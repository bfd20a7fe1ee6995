/* SPDX-License-Identifier: MIT
 *
 * Layout of the bars: one scale for all rows, segments from kernel records, labels chosen to fit.
 */
#include "app/figure/bars-layout.h"

#include "app/compare/compare.h"
#include "app/explain/read-result.h"
#include "app/figure/marks.h"
#include "app/figure/paint.h"

#include <math.h>

#define INSET          6.0 /* from the left column to time 0 */
#define LEFT_NAMES     112.0
#define LEFT_COMPACT   32.0
#define NUMBERS_HEIGHT 22.0 /* below the plot */
#define RIGHT          92.0 /* for the axis' unit and an end label */
#define TOP            4.0
#define TICK_SPACING   110.0
#define WHISKER_OVER   48.0 /* how far a whisker may overlap its bar */
#define LABEL_GAP      9.0
#define END_SIZE       15.0
#define LESS_SIZE      13.0
#define CAPTION_LINE   27.0 /* below a whisker that is below its bar */
#define GUESS_TOP      16.0 /* room for a guess over the first bar */
#define GUESS_WIDENS   1.25 /* a guess up to so many times the longest bar widens the axis */

static gboolean
is_measured (const SeamPlanResult *plan)
{
  return plan->n_samples > 0 && isfinite (plan->median_ns)
         && (plan->state == SEAM_PLAN_MEASURED || plan->state == SEAM_PLAN_STOPPED_EARLY);
}

static double
get_largest_ns (const SeamBarsLayout *layout, const SeamResult *result)
{
  double largest = 0, guess = 0;

  for (int i = 0; i < layout->n_rows; i++) {
    const SeamBarRow *row = &layout->rows[i];
    const SeamPlanResult *plan = &result->plans[row->plan];

    if (!row->measured)
      continue;
    /* fmax() returns the other number if a plan was not traced or has no interval or guess. */
    largest =
        fmax (fmax (fmax (largest, plan->median_ns), row->pieces.traced_ns), plan->ci_high_ns);
    guess = fmax (guess, plan->guess_ns);
  }
  if (guess <= GUESS_WIDENS * largest)
    largest = fmax (largest, guess);
  /* A floor far beyond every bar is wrong, and must not flatten the bars. */
  if (largest > 0 && isfinite (result->floor_ns) && result->floor_ns < 3 * largest)
    largest = fmax (largest, result->floor_ns);
  return largest;
}

/* ---- rows ---- */

int
seam_bars_get_kinds (const SeamChain *chain, const SeamKernel *kernel, SeamOpKind *kinds,
                     SeamOpKind *main_kind)
{
  int n = 0;

  *main_kind = kinds[0] = SEAM_KIND_COPY;
  if (kernel->is_copy || chain == NULL || kernel->first_op < 0 || kernel->first_op >= chain->n_ops
      || kernel->last_op < kernel->first_op)
    return 1;
  for (int op = kernel->first_op; op <= MIN (kernel->last_op, chain->n_ops - 1); op++)
    kinds[n++] = seam_op_get_kind (&chain->ops[op]);
  *main_kind = kinds[0];
  for (int i = 0; i < n; i++) {
    if (kinds[i] == SEAM_KIND_MATRIX) {
      *main_kind = SEAM_KIND_MATRIX;
      break;
    }
    if (kinds[i] == SEAM_KIND_NORMALISATION)
      *main_kind = SEAM_KIND_NORMALISATION;
  }
  return n;
}

/* Two segments never touch: if their gap is under a pixel, it takes the rest from the segment
 * before it, but at most half of that. */
static void
place_segments (SeamBarsLayout *layout, SeamBarRow *row, const SeamPlanResult *plan,
                const SeamChain *chain)
{
  g_autofree double *starts = g_new (double, MAX (1, plan->n_kernels));
  g_autofree double *ends = g_new (double, MAX (1, plan->n_kernels));

  seam_pieces_place (plan, starts, ends);
  row->n_segments = plan->n_kernels;
  row->segments = seam_keep (layout, g_new0 (SeamBarSegment, MAX (1, plan->n_kernels)));
  for (int i = 0; i < plan->n_kernels; i++) {
    const SeamKernel *kernel = &plan->kernels[i];
    SeamBarSegment *segment = &row->segments[i];

    segment->kernel = i;
    segment->n_kinds = seam_bars_get_kinds (chain, kernel, segment->kinds, &segment->main_kind);
    segment->start_ns = starts[i];
    segment->end_ns = ends[i];
  }
  for (int i = 0; i < row->n_segments; i++) {
    SeamBarSegment *segment = &row->segments[i];
    double x1 = seam_axis_get_px (&layout->axis, segment->start_ns);
    double x2 = seam_axis_get_px (&layout->axis, segment->end_ns), next;

    segment->rect = (SeamRect){ x1, row->y, fmax (x2 - x1, .25), layout->bar_height };
    row->end_x = x1 + segment->rect.width;
    if (i + 1 == row->n_segments)
      break;
    next = seam_axis_get_px (&layout->axis, row->segments[i + 1].start_ns);
    if (next - x2 < 1)
      segment->rect.width = fmax (segment->rect.width / 2, next - 1 - x1);
    segment->gap = (SeamRect){ x1 + segment->rect.width, row->y, next - (x1 + segment->rect.width),
                               layout->bar_height };
  }
}

/* The rest up to the mark, or what lies past it. */
static void
place_rest (const SeamBarsLayout *layout, SeamBarRow *row)
{
  double mark = row->elapsed_x;

  if (mark - row->end_x > .5)
    row->rest = (SeamRect){ row->end_x, row->y, mark - row->end_x, layout->bar_height };
  for (int i = 0; row->end_x - mark > .5 && i < row->n_segments; i++) {
    SeamBarSegment *segment = &row->segments[i];
    double x = fmax (segment->rect.x, mark), end = segment->rect.x + segment->rect.width;

    segment->past = (SeamRect){ x, row->y, fmax (0, end - x), layout->bar_height };
  }
}

static void
place_untraced (SeamBarsLayout *layout, SeamBarRow *row, const SeamPlanResult *plan,
                const char *why)
{
  g_autofree char *whole = g_strdup_printf ("elapsed; kernels not traced: %s", why);
  const char *const texts[] = { whole, "elapsed; kernels not traced", "not traced" };
  SeamBarSegment *segment;
  double end = seam_axis_get_px (&layout->axis, plan->median_ns), available;

  row->n_segments = 1;
  row->segments = seam_keep (layout, g_new0 (SeamBarSegment, 1));
  segment = &row->segments[0];
  segment->kernel = -1;
  segment->end_ns = plan->median_ns;
  segment->rect =
      (SeamRect){ layout->plot.x, row->y, fmax (end - layout->plot.x, 1), layout->bar_height };
  row->end_x = layout->plot.x + segment->rect.width;
  available = segment->rect.width - 10;
  for (guint i = 0; i < G_N_ELEMENTS (texts) && segment->name == NULL; i++)
    if (seam_paint_measure (texts[i], LESS_SIZE, SEAM_REGULAR) <= available)
      segment->name = seam_keep (layout, g_strdup (texts[i]));
}

/* The right end of the last label. */
static double
get_text_end (const SeamBarRow *row)
{
  double end = 0;

  for (int i = 0; i < row->n_segments; i++) {
    const SeamBarSegment *segment = &row->segments[i];
    double name_size = segment->kernel < 0 ? LESS_SIZE : SEAM_KERNEL_NAME_SIZE;
    int weight = segment->kernel < 0 ? SEAM_REGULAR : SEAM_BOLD;
    double width = 0;

    if (segment->name != NULL)
      width = seam_paint_measure (segment->name, name_size, weight);
    if (segment->value != NULL)
      width =
          fmax (width, seam_paint_measure (segment->value, SEAM_KERNEL_VALUE_SIZE, SEAM_REGULAR));
    if (width > 0)
      end = fmax (end, segment->rect.x + (segment->rect.width - segment->past.width + width) / 2);
  }
  return end;
}

/* Places the whisker over the end of the bar if it crosses no label and not half a segment, else
 * directly below the bar. */
static void
place_whisker (const SeamBarsLayout *layout, SeamBarRow *row)
{
  row->whisker_y = row->y + layout->bar_height / 2;
  if (isfinite (row->whisker_low)
      && (row->whisker_low - 3 < get_text_end (row)
          || row->elapsed_x - row->whisker_low > WHISKER_OVER))
    row->whisker_y = row->y + layout->bar_height + 6;
}

char *
seam_bars_score_guess (const SeamPlanResult *plan, SeamUnit unit)
{
  double off = 100 * (plan->guess_ns / plan->median_ns - 1);
  g_autofree char *guess = seam_text_significant (plan->guess_ns / unit.scale, 3);

  return fabs (off) <= 1 ? g_strdup_printf ("guess %s, right", guess)
                         : g_strdup_printf ("guess %s, %.0f %% %s", guess, fabs (off),
                                            off < 0 ? "low" : "high");
}

/* The words under the elapsed time, newly allocated; NULL: none. */
static char *
make_note (const SeamBarsLayout *layout, const SeamBarRow *row, const SeamPlanResult *plan)
{
  const char *state = row->below_floor                         ? "under the floor"
                      : plan->state == SEAM_PLAN_STOPPED_EARLY ? "stopped early"
                                                               : NULL;

  if (layout->is_compact || row->guess == NULL)
    return g_strdup (state);
  return state != NULL ? g_strdup_printf ("%s · △ %s", state, row->guess)
                       : g_strdup_printf ("△ %s", row->guess);
}

/* The texts at the end of a bar. */
static void
write_row (SeamBarsLayout *layout, SeamBarRow *row, const SeamResult *result,
           const SeamBarsOptions *options)
{
  const SeamPlanResult *plan = &result->plans[row->plan];

  row->below_floor = isfinite (result->floor_ns) && plan->median_ns < result->floor_ns;
  row->label = seam_keep (layout, seam_unit_format (layout->axis.unit, plan->median_ns, 3));
  if (!options->steady && plan->guess_ns > 0 && isfinite (plan->guess_ns))
    row->guess = seam_keep (layout, seam_bars_score_guess (plan, layout->axis.unit));
  row->note = seam_keep (layout, make_note (layout, row, plan));
}

#define LONGEST_NOTE "under the floor"

/* Needs the whisker, which may lie below the bar. */
static void
place_caption (SeamBarsLayout *layout, SeamBarRow *row)
{
  gboolean has_rest = fabs (row->pieces.share) >= SEAM_REST_CAPTION;
  double below = row->y + layout->bar_height;

  if (!has_rest && (!layout->is_compact || row->guess == NULL))
    return;
  g_autofree char *why =
      has_rest ? seam_pieces_explain (&row->pieces, layout->axis.unit) : g_strdup ("");
  row->lead = seam_keep (
      layout, has_rest ? seam_pieces_format_rest (&row->pieces, layout->axis.unit) : g_strdup (""));
  row->caption = seam_keep (
      layout, layout->is_compact && row->guess != NULL
                  ? g_strdup_printf ("%s%s△ %s", why, *why != '\0' ? " " : "", row->guess)
                  : g_steal_pointer (&why));
  row->caption_x =
      layout->plot.x + ceil (seam_paint_measure (row->lead, SEAM_SIZE_SMALL, SEAM_BOLD)) + 4;
  row->caption_y = fmax (below + 3, row->whisker_y + 5);
  row->caption_height =
      row->caption_y - below
      + seam_paint_measure_paragraph (row->caption, layout->width - row->caption_x, SEAM_SIZE_SMALL,
                                      SEAM_REGULAR, FALSE, layout->caption_lines);
}

static void
set_absent (SeamBarsLayout *layout, SeamBarRow *row, const SeamPlanResult *plan)
{
  const char *message = plan->message;

  if (message != NULL && *message != '\0')
    row->absent = seam_keep_printf (layout, "not measured: %s", message);
  else if (plan->state == SEAM_PLAN_FAULTED)
    row->absent = seam_keep (layout, g_strdup ("not measured: the worker stopped in this plan"));
  else
    row->absent = seam_keep (layout, g_strdup ("not measured"));
}

static void
place_row (SeamBarsLayout *layout, SeamBarRow *row, const SeamResult *result)
{
  const SeamPlanResult *plan = &result->plans[row->plan];
  g_autoptr (SeamPlan) parsed = NULL;
  const SeamChain *chain = NULL;

  row->whisker_low = row->whisker_high = row->guess_x = NAN;
  if (row->cover != NULL)
    return;
  if (!row->measured) {
    set_absent (layout, row, plan);
    return;
  }
  parsed = seam_explain_read_plan (result, row->plan, NULL);
  if (parsed != NULL)
    chain = seam_plan_get_chain (parsed);

  if (isfinite (plan->ci_low_ns) && isfinite (plan->ci_high_ns)) {
    row->whisker_low = seam_axis_get_px (&layout->axis, plan->ci_low_ns);
    row->whisker_high = seam_axis_get_px (&layout->axis, plan->ci_high_ns);
  }
  row->elapsed_x = seam_axis_get_px (&layout->axis, plan->median_ns);
  if (plan->n_kernels > 0) {
    place_segments (layout, row, plan, chain);
    place_rest (layout, row);
    for (int i = 0; i < row->n_segments; i++) {
      const SeamKernel *kernel = &plan->kernels[i];
      SeamBarSegment *segment = &row->segments[i];

      seam_kernel_fit (kernel->short_name != NULL ? kernel->short_name : kernel->name,
                       segment->n_kinds, segment->end_ns - segment->start_ns, layout->axis.unit,
                       segment->rect.width - segment->past.width, &segment->name, &segment->value);
      seam_keep (layout, segment->name);
      seam_keep (layout, segment->value);
    }
  } else {
    g_autofree char *why = seam_pieces_explain_absence (result, plan);

    place_untraced (layout, row, plan, why);
  }

  place_whisker (layout, row);
  if (row->guess != NULL) {
    row->guess_beyond = plan->guess_ns > layout->axis.to;
    row->guess_x = seam_axis_get_px (&layout->axis, fmin (plan->guess_ns, layout->axis.to));
  }
  row->label_x = fmax (row->end_x, row->elapsed_x);
  if (isfinite (row->whisker_high))
    row->label_x = fmax (row->label_x, row->whisker_high);
  row->label_x += LABEL_GAP;
}

/* "2.15 ms less", between the end of the shorter bar's label and the end of the longer bar. */
static void
place_less (SeamBarsLayout *layout, const SeamResult *result, int index)
{
  SeamBarRow *first = &layout->rows[0], *other = &layout->rows[index], *row, *longer;
  g_autoptr (SeamVerdict) verdict = NULL;
  g_autofree char *text = NULL;
  double first_ns, other_ns, width, x1, x2;

  if (!first->measured || !other->measured)
    return;
  first_ns = result->plans[first->plan].median_ns;
  other_ns = result->plans[other->plan].median_ns;
  row = other_ns < first_ns ? other : first;
  longer = row == other ? first : other;
  if (row == first && layout->n_rows > 2)
    return;
  verdict = seam_verdict_new (result, first->plan, other->plan);
  if (verdict == NULL
      || (verdict->kind != SEAM_VERDICT_FASTER && verdict->kind != SEAM_VERDICT_SLOWER
          && verdict->kind != SEAM_VERDICT_WRONG))
    return;

  text = seam_unit_format (layout->axis.unit, fabs (first_ns - other_ns), 3);
  row->less = seam_keep_printf (layout, "%s less", text);
  width = seam_paint_measure (row->less, LESS_SIZE, SEAM_BOLD);
  x1 = row->label_x + seam_paint_measure (row->label, END_SIZE, SEAM_HEAVY) + 8;
  x2 = seam_axis_get_px (&layout->axis, fmax (first_ns, other_ns));
  if (x2 - x1 < width + 8) {
    row->less = NULL;
    return;
  }
  row->less_good = row == other && verdict->kind == SEAM_VERDICT_FASTER;
  row->less_x1 = x1;
  row->less_x2 = x2;
  row->less_text_x = (x1 + x2) / 2;
  if (ABS (longer - row) > 1)
    row->less_from_y = row->y + layout->bar_height / 2 - 7;
  else if (longer < row)
    row->less_from_y = longer->y + layout->bar_height + 2;
  else
    row->less_from_y = longer->y - 2;
}

static void
place_floor (SeamBarsLayout *layout, const SeamResult *result)
{
  g_autofree char *number = NULL, *label = NULL;

  if (!(result->floor_ns > 0) || result->floor_ns > layout->axis.to)
    return;
  number = result->floor_ns / layout->axis.unit.scale < .001
               ? g_strdup ("< 0.001")
               : seam_text_significant (result->floor_ns / layout->axis.unit.scale, 3);
  label = g_strdup_printf ("floor %s", number);
  seam_axis_set_mark (&layout->axis, result->floor_ns, label, layout->width);
}

static void
open_row (SeamBarsLayout *layout, int i, const SeamResult *result, const int *plans,
          const SeamBarsOptions *options)
{
  SeamBarRow *row = &layout->rows[i];
  const SeamPlanResult *plan = &result->plans[plans[i]];

  row->plan = plans[i];
  row->letter = seam_plan_get_letter (options->plain ? i : plans[i]);
  if (!options->compact) {
    g_autofree char *title = seam_result_format_plan_title (result, plans[i]);

    row->title =
        seam_keep (layout, seam_paint_ellipsize_middle (title, LEFT_NAMES - SEAM_BADGE_SIZE - 12,
                                                        12.5, SEAM_REGULAR));
  }
  if (i > 0)
    row->cover = seam_keep (layout, g_strdup (options->cover));
  row->measured = row->cover == NULL && is_measured (plan);
  if (row->measured)
    seam_pieces_init (&row->pieces, result, row->plan);
}

static void
place_legend (SeamBarsLayout *layout)
{
  static const char *const texts[] = {
    [SEAM_BARS_KERNEL] = "a kernel as traced, unscaled",
    [SEAM_BARS_REST] = "not traced",
    [SEAM_BARS_PAST] = "traced, past the mark",
    [SEAM_BARS_ELAPSED] = "elapsed, median with 95 % interval",
    [SEAM_BARS_GUESS] = "first guess, made before any run",
  };

  seam_keep_full (layout, &layout->legend, (GDestroyNotify)seam_legend_clear);
  for (int i = 0; i < (int)G_N_ELEMENTS (texts); i++)
    seam_legend_add (&layout->legend, i, SEAM_LEGEND_SWATCH, texts[i]);
  seam_legend_place (&layout->legend, 0, layout->height, layout->width);
  layout->height += layout->legend.area.height;
}

SeamBarsLayout *
seam_bars_layout_new (const SeamResult *result, const int *plans, int n_plans,
                      const SeamBarsOptions *options)
{
  SeamBarsLayout *layout = seam_owner_new (SeamBarsLayout);
  double largest, row_gap, right = RIGHT, y = TOP;

  layout->width = MAX (options->width, 300);
  layout->is_compact = options->compact;
  layout->caption_lines = options->steady ? 1 : 2;
  layout->plot.x = (options->compact ? LEFT_COMPACT : LEFT_NAMES) + INSET;
  layout->bar_height = options->compact ? 40 : 44;
  row_gap = options->compact ? 12 : 16;
  layout->n_rows = n_plans;
  layout->rows = seam_keep (layout, g_new0 (SeamBarRow, MAX (1, n_plans)));
  for (int i = 0; i < n_plans; i++)
    open_row (layout, i, result, plans, options);
  largest = fmax (get_largest_ns (layout, result), options->least_ns);
  layout->axis.unit = seam_unit_for_time (largest > 0 ? largest : 1e6);

  /* No end label may leave the figure, wherever its bar ends. */
  if (options->steady)
    right = fmax (right,
                  LABEL_GAP + seam_paint_measure (LONGEST_NOTE, SEAM_SIZE_SMALL, SEAM_REGULAR) + 6);
  for (int i = 0; i < n_plans; i++) {
    SeamBarRow *row = &layout->rows[i];

    if (!row->measured)
      continue;
    write_row (layout, row, result, options);
    right = fmax (right, LABEL_GAP + seam_paint_measure (row->label, END_SIZE, SEAM_HEAVY) + 6);
    right = fmax (right, LABEL_GAP
                             + seam_paint_measure (row->note != NULL ? row->note : LONGEST_NOTE,
                                                   SEAM_SIZE_SMALL, SEAM_REGULAR)
                             + 6);
  }
  layout->plot.width = MAX (120, layout->width - layout->plot.x - right);
  layout->axis = seam_axis_from_zero (largest, layout->axis.unit,
                                      CLAMP ((int)(layout->plot.width / TICK_SPACING), 2, 8));
  seam_axis_place_x (&layout->axis, layout->plot.x, layout->plot.x + layout->plot.width);

  if (n_plans > 0 && layout->rows[0].guess != NULL)
    y = GUESS_TOP;
  for (int i = 0; i < n_plans; i++) {
    SeamBarRow *row = &layout->rows[i];

    row->y = y;
    place_row (layout, row, result);
    if (row->measured && !options->plain)
      place_caption (layout, row);
    y += layout->bar_height + fmax (row->caption_height, options->steady ? CAPTION_LINE : 0)
         + row_gap;
  }
  for (int i = 1; i < n_plans; i++)
    place_less (layout, result, i);

  layout->plot.height = y - (n_plans > 0 ? row_gap : 0) + 6;
  layout->height = layout->plot.height;
  if (largest > 0) {
    layout->height += NUMBERS_HEIGHT;
    if (!options->steady && !options->plain)
      place_floor (layout, result);
    if (!options->steady && !options->compact)
      place_legend (layout);
  } else {
    /* Stopped before the first sample: no bar needs a scale. */
    layout->axis.n_ticks = 0;
    layout->axis.unit.name = NULL;
  }
  return layout;
}
