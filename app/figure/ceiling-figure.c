/* SPDX-License-Identifier: MIT
 *
 * Layout, drawing and texts of the ceiling: one scale of bytes for all plans, fitted labels, and
 * facts.
 */
#include "app/figure/ceiling-figure.h"

#include "app/explain/guess.h"
#include "app/figure/paint.h"

#include <math.h>

#define BAR_HEIGHT   18.0
#define ROW_HEIGHT   26.0
#define TOP          22.0 /* below the heading */
#define TITLE_WIDTH  96.0 /* of a plan's title beside its badge */
#define LABEL_GAP    8.0
#define LABEL_SIZE   13.0
#define FACT_GAP     14.0
#define TICK_SPACING 90.0
#define PLOT_MIN     400.0 /* least width of the bars beside facts */
#define COMPACT_LEFT 34.0

/* ---- facts ---- */

static void
add_fact (SeamCeilingLayout *layout, const char *caption, char *value)
{
  SeamCeilingFact *fact = &layout->facts[layout->n_facts++];

  fact->caption = seam_keep (layout, g_strdup (caption));
  fact->value = seam_keep (layout, value);
  fact->width = 16
                + ceil (fmax (seam_paint_measure (caption, SEAM_SIZE_SMALL, SEAM_REGULAR),
                              seam_paint_measure (value, 15, SEAM_BOLD)));
}

static void
add_facts (SeamCeilingLayout *layout, const SeamCeiling *ceiling, SeamUnit time)
{
  g_autofree char *bytes = seam_text_ratio (ceiling->gain_bytes);

  add_fact (layout, "Fusion saves at most", g_strdup_printf ("%s in bytes", bytes));
  if (!isnan (ceiling->floor.floor_ns))
    add_fact (layout, ceiling->floor.memory_bound ? "Floor, memory bound" : "Floor, compute bound",
              seam_unit_format (time, ceiling->floor.floor_ns, 3));
}

/* "1.21 GFLOP at 82 GFLOP/s", "8.40 MB beyond the cache at 10.3 GB/s": what the floor is the time
 * of. */
static char *
describe_floor (const SeamCeiling *ceiling)
{
  if (ceiling->floor.memory_bound) {
    g_autofree char *bytes = seam_text_bytes (ceiling->memory_bytes);
    g_autofree char *rate = seam_text_rate (ceiling->rates.bytes_per_s);

    return g_strdup_printf ("%s%s at %s", bytes,
                            ceiling->memory_bytes < ceiling->floor.bytes ? " beyond the cache" : "",
                            rate);
  }
  g_autofree char *flop = seam_text_flop (ceiling->floor.flop);
  g_autofree char *rate = seam_text_flop_rate (ceiling->rates.flop_per_s);
  return g_strdup_printf ("%s at %s", flop, rate);
}

static char *
make_note (const SeamCeiling *ceiling, const char *rates_source)
{
  g_autofree char *bytes = seam_text_bytes (ceiling->floor.bytes);
  g_autofree char *flop = seam_text_flop (ceiling->floor.flop);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Fewest: %s and %s.", bytes, flop);
  if (!isnan (ceiling->floor.floor_ns)) {
    g_autofree char *work = describe_floor (ceiling);
    g_string_append_printf (text, " Floor: %s.", work);
  }
  if (rates_source != NULL && *rates_source != '\0')
    g_string_append_printf (text, " Rates: %s.", rates_source);
  if (ceiling->tensors_fit_cache)
    g_string_append (text, " A tensor between two ops fits in this device’s cache: a cut costs "
                           "less than its bytes.");
  return g_string_free (text, FALSE);
}

/* ---- rows ---- */

/* `details`: 0 shows bytes alone, 1 a time as well, 2 its interval, too. */
static char *
make_label (const SeamCeilingPlan *plan, SeamUnit bytes, SeamUnit time, int details)
{
  g_autofree char *number = seam_text_fixed (plan->limit.bytes / bytes.scale, 2);
  g_autofree char *guess = NULL, *floor = NULL;

  if (details == 0 || (!(plan->guess_ns > 0) && isnan (plan->limit.floor_ns)))
    return g_strdup_printf ("%s %s", number, bytes.name);
  if (plan->guess_ns > 0 && details > 1) {
    guess = seam_guess_format (plan->guess_ns, plan->guess_low_ns, plan->guess_high_ns);
    return g_strdup_printf ("%s %s · %s", number, bytes.name, guess);
  }
  if (plan->guess_ns > 0) {
    guess = seam_text_time (plan->guess_ns);
    return g_strdup_printf ("%s %s · about %s", number, bytes.name, guess);
  }
  floor = seam_unit_format (time, plan->limit.floor_ns, 3);
  return g_strdup_printf ("%s %s · at least %s", number, bytes.name, floor);
}

static void
place_row (SeamCeilingLayout *layout, int index, const SeamCeilingPlan *plan, double y,
           const SeamCeilingOptions *options)
{
  SeamCeilingRow *row = &layout->rows[index];

  row->letter = plan->letter;
  row->bar = (SeamRect){ layout->plot.x, y, 0, BAR_HEIGHT };
  row->bar.width = fmax (1, seam_axis_get_px (&layout->axis, plan->limit.bytes) - layout->plot.x);
  row->label_x = row->bar.x + row->bar.width + LABEL_GAP;
  if (!options->compact)
    row->title =
        seam_keep (layout, seam_paint_ellipsize_middle (plan->title != NULL ? plan->title : "",
                                                        TITLE_WIDTH, 12.5, SEAM_REGULAR));
}

SeamCeilingLayout *
seam_ceiling_layout_new (const SeamCeiling *ceiling, const char *rates_source,
                         const SeamCeilingPlan *plans, int n_plans,
                         const SeamCeilingOptions *options)
{
  SeamCeilingLayout *layout = seam_owner_new (SeamCeilingLayout);
  double largest = ceiling->floor.bytes, longest_ns = ceiling->floor.floor_ns, label_width = 0;
  double facts_width = 0, room, y;
  gboolean facts_beside;
  int details = 2;
  g_autofree char *number = NULL, *fewest = NULL;
  SeamUnit unit, time;

  n_plans = MIN (n_plans, SEAM_CEILING_MAX_PLANS);
  layout->width = fmax (options->width, 320);
  layout->plot.x =
      options->compact ? COMPACT_LEFT : fmax (options->left, COMPACT_LEFT + TITLE_WIDTH);
  layout->n_rows = n_plans;
  for (int i = 0; i < n_plans; i++) {
    largest = fmax (largest, plans[i].limit.bytes);
    longest_ns = fmax (longest_ns, plans[i].limit.floor_ns);
  }
  unit = seam_unit_for_bytes (largest);
  time = seam_unit_for_time (longest_ns);

  add_facts (layout, ceiling, time);
  for (int i = 0; i < layout->n_facts; i++)
    facts_width += layout->facts[i].width + FACT_GAP;
  facts_beside = !options->compact && layout->width - layout->plot.x - facts_width >= PLOT_MIN;
  room = layout->width - layout->plot.x - (facts_beside ? facts_width + 10 : 0);

  /* Labels are right of their bars; bars must keep half of the room. */
  for (;; details--) {
    label_width = 0;
    for (int i = 0; i < n_plans; i++) {
      g_autofree char *label = make_label (&plans[i], unit, time, details);

      label_width = fmax (label_width, seam_paint_measure (label, LABEL_SIZE, SEAM_BOLD));
    }
    if (label_width <= room / 2 || details == 0)
      break;
  }
  layout->with_subtitle =
      !options->compact
      && seam_paint_measure (SEAM_CEILING_SUBTITLE, SEAM_SIZE_SMALL, SEAM_REGULAR) <= room;
  /* The longest bar, and the axis, end where its label begins. */
  layout->plot.width = fmax (60, room - label_width - LABEL_GAP - 4);
  layout->axis =
      seam_axis_between (0, largest, unit, CLAMP ((int)(layout->plot.width / TICK_SPACING), 2, 8));
  seam_axis_place_x (&layout->axis, layout->plot.x, layout->plot.x + layout->plot.width);
  number = seam_text_fixed (ceiling->floor.bytes / unit.scale, 2);
  fewest = g_strdup_printf ("fewest %s", number);
  seam_axis_set_mark (&layout->axis, ceiling->floor.bytes, fewest, layout->width);

  for (int i = 0; i < n_plans; i++) {
    place_row (layout, i, &plans[i], TOP + i * ROW_HEIGHT, options);
    layout->rows[i].label = seam_keep (layout, make_label (&plans[i], unit, time, details));
  }
  layout->plot.y = TOP - 4;
  layout->plot.height = n_plans * ROW_HEIGHT + 4;
  y = TOP + n_plans * ROW_HEIGHT + 22;

  if (facts_beside) {
    double x = layout->width - facts_width + FACT_GAP;

    for (int i = 0; i < layout->n_facts; i++) {
      layout->facts[i].x = x;
      layout->facts[i].y = 2;
      x += layout->facts[i].width + FACT_GAP;
    }
    layout->note_x = layout->width - facts_width + FACT_GAP;
    layout->note_y = 44;
  } else {
    double x = 0;

    y += 4;
    for (int i = 0; i < layout->n_facts; i++) {
      if (x > 0 && x + layout->facts[i].width > layout->width) {
        x = 0;
        y += 44;
      }
      layout->facts[i].x = x;
      layout->facts[i].y = y;
      x += layout->facts[i].width + FACT_GAP;
    }
    layout->note_x = 0;
    layout->note_y = y + 44;
  }
  layout->note_width = layout->width - layout->note_x;
  layout->note = seam_keep (layout, make_note (ceiling, rates_source));
  y = fmax (y, layout->note_y
                   + seam_paint_measure_paragraph (layout->note, layout->note_width,
                                                   SEAM_SIZE_SMALL, SEAM_REGULAR, FALSE, 0));
  layout->height = ceil (y);
  return layout;
}

/* ---- drawing ---- */

/* Solid: bytes that every plan must move; hatched: bytes that fusion can still remove. */
static void
draw_row (const SeamCeilingLayout *layout, const SeamCeilingRow *row, cairo_t *cr,
          const SeamPalette *palette)
{
  double middle = row->bar.y + row->bar.height / 2;
  SeamRect needed = row->bar, rest = row->bar;

  needed.width = fmin (row->bar.width, fmax (1, layout->axis.mark_px - row->bar.x));
  rest.x += needed.width;
  rest.width -= needed.width;
  seam_paint_badge (cr, palette, row->letter, 0, middle - SEAM_BADGE_SIZE / 2);
  seam_paint_text (cr, &palette->text, row->title, SEAM_BADGE_SIZE + 8,
                   middle + SEAM_BASELINE (12.5), 12.5, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_paint_box (cr, &row->bar, 0, &palette->card, NULL, 0);
  seam_paint_box (cr, &needed, 0, &palette->glyph, NULL, 0);
  seam_paint_hatch (cr, palette, &rest);
  seam_paint_box (cr, &row->bar, 0, NULL, &palette->glyph, palette->high_contrast ? 2 : 1);
  seam_paint_text (cr, &palette->text, row->label, row->label_x, middle + SEAM_BASELINE (13), 13,
                   SEAM_BOLD, SEAM_ALIGN_START);
}

static void
ceiling_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  const SeamCeilingLayout *layout = figure->layout;
  const SeamRect *plot = &layout->plot;

  seam_paint_text (cr, &palette->text, "Before running", 0, 12, 13, SEAM_BOLD, SEAM_ALIGN_START);
  if (layout->with_subtitle)
    seam_paint_text (cr, &palette->dim_text, SEAM_CEILING_SUBTITLE, layout->plot.x, 12,
                     SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
  seam_axis_draw (&layout->axis, plot, NULL, cr, palette);
  for (int i = 0; i < layout->n_rows; i++)
    draw_row (layout, &layout->rows[i], cr, palette);
  seam_paint_line (cr, &palette->text, 1.5, layout->axis.mark_px, plot->y, layout->axis.mark_px,
                   plot->y + plot->height);
  for (int i = 0; i < layout->n_facts; i++) {
    const SeamCeilingFact *fact = &layout->facts[i];

    seam_paint_line (cr, &palette->grid, 1, fact->x + .5, fact->y, fact->x + .5, fact->y + 36);
    seam_paint_text (cr, &palette->dim_text, fact->caption, fact->x + 16, fact->y + 11,
                     SEAM_SIZE_SMALL, SEAM_REGULAR, SEAM_ALIGN_START);
    seam_paint_text (cr, &palette->text, fact->value, fact->x + 16, fact->y + 31, 15, SEAM_BOLD,
                     SEAM_ALIGN_START);
  }
  seam_paint_paragraph (cr, &palette->dim_text, layout->note, layout->note_x, layout->note_y,
                        layout->note_width, SEAM_SIZE_SMALL, SEAM_REGULAR, FALSE, 0);
}

static const SeamFigureClass ceiling_class = { .draw = ceiling_draw };

char *
seam_ceiling_describe (const SeamCeiling *ceiling, const char *rates_source)
{
  GString *text = g_string_new (NULL);
  g_autofree char *unfused = seam_text_bytes (ceiling->unfused_bytes);
  g_autofree char *fewest = seam_text_bytes (ceiling->floor.bytes);
  g_autofree char *bytes = seam_text_ratio (ceiling->gain_bytes);
  g_autofree char *floor = seam_text_time (ceiling->floor.floor_ns);

  g_string_append_printf (text,
                          "With every seam cut %s move, at least %s must: fusion saves at most %s "
                          "in bytes.",
                          unfused, fewest, bytes);
  if (!isnan (ceiling->floor.floor_ns)) {
    g_autofree char *work = describe_floor (ceiling);

    g_string_append_printf (text, " %s bound: the floor of every plan is %s: %s.",
                            ceiling->floor.memory_bound ? "Memory" : "Compute", floor, work);
  }
  if (rates_source != NULL && *rates_source != '\0')
    g_string_append_printf (text, " Rates: %s.", rates_source);
  if (ceiling->tensors_fit_cache)
    g_string_append (text, " A tensor between two ops fits in this device’s cache, so a cut costs "
                           "less than its bytes suggest.");
  return g_string_free (text, FALSE);
}

char *
seam_ceiling_summarize (const SeamCeiling *ceiling, const SeamCeilingPlan *plans, int n_plans)
{
  GString *text = g_string_new (NULL);

  for (int i = 0; i < n_plans; i++) {
    g_autofree char *known =
        plans[i].guess_ns > 0
            ? seam_guess_format (plans[i].guess_ns, plans[i].guess_low_ns, plans[i].guess_high_ns)
            : seam_text_bytes (plans[i].limit.bytes);

    g_string_append_printf (text, "%s%c %s", i > 0 ? ", " : "", plans[i].letter, known);
  }
  if (!isnan (ceiling->floor.floor_ns)) {
    g_autofree char *floor = seam_text_time (ceiling->floor.floor_ns);

    g_string_append_printf (text, " · floor %s (%s)", floor,
                            ceiling->floor.memory_bound ? "memory" : "arithmetic");
  }
  return g_string_free (text, FALSE);
}

SeamFigure *
seam_ceiling_figure_new (const SeamCeiling *ceiling, const char *rates_source,
                         const SeamCeilingPlan *plans, int n_plans,
                         const SeamCeilingOptions *options)
{
  SeamCeilingLayout *layout;
  g_autofree char *sentences = NULL;
  GString *summary;

  g_return_val_if_fail (n_plans > 0, NULL);
  layout = seam_ceiling_layout_new (ceiling, rates_source, plans, n_plans, options);
  sentences = seam_ceiling_describe (ceiling, rates_source);
  summary = g_string_new ("Before running: ");
  for (int i = 0; i < layout->n_rows; i++)
    g_string_append_printf (summary, "%clan %c moves %s. ", i > 0 ? 'P' : 'p', plans[i].letter,
                            layout->rows[i].label);
  g_string_append (summary, sentences);
  return seam_figure_new (&ceiling_class, layout, layout->width, layout->height,
                          g_string_free (summary, FALSE));
}
