/* SPDX-License-Identifier: MIT
 *
 * Layout of the ceiling: one scale of bytes for all plans, labels that fit, facts in words.
 */
#include "app/figure/ceiling-layout.h"

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
#define PLOT_MIN     400.0 /* that facts beside the bars leave to them */
#define COMPACT_LEFT 34.0

/* Times of one figure share a unit, so that they can be compared. */
static char *
format_ns (double ns, SeamUnit unit)
{
  g_autofree char *number = NULL;

  if (isnan (ns))
    return g_strdup (SEAM_DASH);
  number = seam_text_significant (ns / unit.scale, 3);
  return g_strdup_printf ("%s %s", number, unit.name);
}

/* ---- facts ---- */

static void
add_fact (SeamCeilingLayout *layout, const char *caption, char *value)
{
  SeamCeilingFact *fact = &layout->facts[layout->n_facts++];

  fact->caption = g_strdup (caption);
  fact->value = value;
  fact->width = 16
                + ceil (fmax (seam_paint_measure (caption, SEAM_SIZE_SMALL, SEAM_REGULAR),
                              seam_paint_measure (value, 15, SEAM_BOLD)));
}

static void
add_facts (SeamCeilingLayout *layout, const SeamCeiling *ceiling, SeamUnit time)
{
  g_autofree char *bytes = seam_text_ratio (ceiling->gain_bytes);
  g_autofree char *ratio = seam_text_ratio (ceiling->gain_time);
  gboolean known = !isnan (ceiling->memory_ns) && !isnan (ceiling->compute_ns);
  gboolean memory_binds = ceiling->floor.memory_bound;

  if (isnan (ceiling->gain_time))
    add_fact (layout, "Fusion gives at most", g_strdup_printf ("%s in bytes", bytes));
  else
    add_fact (layout, "Fusion gives, at full rates",
              g_strdup_printf ("%s bytes, %s time", bytes, ratio));
  if (isnan (ceiling->floor.floor_ns))
    return;
  add_fact (layout, memory_binds ? "Floor: memory binds" : "Floor: arithmetic binds",
            format_ns (ceiling->floor.floor_ns, time));
  if (known)
    add_fact (layout, memory_binds ? "Arithmetic alone" : "Memory alone",
              format_ns (memory_binds ? ceiling->compute_ns : ceiling->memory_ns, time));
}

static char *
make_note (const SeamCeiling *ceiling, const char *rates_source)
{
  g_autofree char *bytes = seam_text_bytes (ceiling->floor.bytes);
  g_autofree char *flop = seam_text_flop (ceiling->floor.flop);
  GString *text = g_string_new (NULL);

  g_string_append_printf (text, "Fewest: %s and %s.", bytes, flop);
  if (rates_source != NULL && *rates_source != '\0')
    g_string_append_printf (text, " Rates: %s.", rates_source);
  if (ceiling->tensors_fit_cache)
    g_string_append (text, " A tensor between two ops fits in this device’s cache: a cut costs "
                           "less than its bytes.");
  return g_string_free (text, FALSE);
}

/* ---- rows ---- */

static char *
make_label (const SeamCeilingPlan *plan, SeamUnit bytes, SeamUnit time, gboolean with_floor)
{
  g_autofree char *number = seam_text_fixed (plan->limit.bytes / bytes.scale, 2);
  g_autofree char *floor = NULL;

  if (!with_floor || isnan (plan->limit.floor_ns))
    return g_strdup_printf ("%s %s", number, bytes.name);
  floor = format_ns (plan->limit.floor_ns, time);
  return g_strdup_printf ("%s %s · at least %s", number, bytes.name, floor);
}

static void
place_row (SeamCeilingLayout *layout, int index, const SeamCeilingPlan *plan, double y,
           const SeamCeilingOptions *options)
{
  SeamCeilingRow *row = &layout->rows[index];

  row->letter = plan->letter;
  row->bar = (SeamRect){ layout->left, y, 0, BAR_HEIGHT };
  row->bar.width = fmax (1, seam_axis_get_px (&layout->axis, plan->limit.bytes) - layout->left);
  row->label_x = row->bar.x + row->bar.width + LABEL_GAP;
  if (!options->compact)
    row->title = seam_paint_ellipsize (plan->title != NULL ? plan->title : "", TITLE_WIDTH, 12.5,
                                       SEAM_REGULAR);
}

SeamCeilingLayout *
seam_ceiling_layout_new (const SeamCeiling *ceiling, const char *rates_source,
                         const SeamCeilingPlan *plans, int n_plans,
                         const SeamCeilingOptions *options)
{
  SeamCeilingLayout *layout = g_new0 (SeamCeilingLayout, 1);
  double largest = ceiling->floor.bytes, longest_ns = ceiling->floor.floor_ns, label_width = 0;
  double facts_width = 0, room, plot, y;
  gboolean facts_beside, with_floor = TRUE;
  g_autofree char *number = NULL, *fewest = NULL;
  SeamUnit unit, time;

  n_plans = MIN (n_plans, SEAM_CEILING_MAX_PLANS);
  layout->width = fmax (options->width, 320);
  layout->left = options->compact ? COMPACT_LEFT : fmax (options->left, COMPACT_LEFT + TITLE_WIDTH);
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
  facts_beside = !options->compact && layout->width - layout->left - facts_width >= PLOT_MIN;
  room = layout->width - layout->left - (facts_beside ? facts_width + 10 : 0);

  /* Labels stand right of their bars; a bar must keep half of the room. */
  for (int pass = 0; pass < 2; pass++) {
    label_width = 0;
    for (int i = 0; i < n_plans; i++) {
      g_autofree char *label = make_label (&plans[i], unit, time, with_floor);

      label_width = fmax (label_width, seam_paint_measure (label, LABEL_SIZE, SEAM_BOLD));
    }
    if (label_width <= room / 2)
      break;
    with_floor = FALSE;
  }
  layout->with_subtitle =
      !options->compact
      && seam_paint_measure (SEAM_CEILING_SUBTITLE, SEAM_SIZE_SMALL, SEAM_REGULAR) <= room;
  /* The longest bar ends where its label begins, and the axis with it. */
  plot = fmax (60, room - label_width - LABEL_GAP - 4);
  layout->axis = seam_axis_between (0, largest, unit, CLAMP ((int)(plot / TICK_SPACING), 2, 8));
  seam_axis_place_x (&layout->axis, layout->left, layout->left + plot);
  number = seam_text_fixed (ceiling->floor.bytes / unit.scale, 2);
  fewest = g_strdup_printf ("fewest %s", number);
  seam_axis_set_mark (&layout->axis, ceiling->floor.bytes, fewest, layout->width);

  for (int i = 0; i < n_plans; i++) {
    place_row (layout, i, &plans[i], TOP + i * ROW_HEIGHT, options);
    layout->rows[i].label = make_label (&plans[i], unit, time, with_floor);
  }
  layout->axis_y = TOP + n_plans * ROW_HEIGHT;
  y = layout->axis_y + 22;

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
  layout->note = make_note (ceiling, rates_source);
  y = fmax (y, layout->note_y
                   + seam_paint_measure_paragraph (layout->note, layout->note_width,
                                                   SEAM_SIZE_SMALL, SEAM_REGULAR, FALSE, 0));
  layout->height = ceil (y);
  return layout;
}

void
seam_ceiling_layout_free (SeamCeilingLayout *layout)
{
  if (layout == NULL)
    return;
  for (int i = 0; i < layout->n_rows; i++) {
    g_free (layout->rows[i].title);
    g_free (layout->rows[i].label);
  }
  for (int i = 0; i < layout->n_facts; i++) {
    g_free (layout->facts[i].caption);
    g_free (layout->facts[i].value);
  }
  g_free (layout->note);
  g_free (layout);
}
