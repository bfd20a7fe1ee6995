/* SPDX-License-Identifier: MIT
 *
 * The parts that figures are made of: axes, legends, spots that can be hit, and names of kernels.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"

#include "app/figure/legend.h"
#include "app/figure/marks.h"

static void
test_axes (void)
{
  const SeamUnit ms = { "ms", 1e6 };

  for (double largest = 1e-3; largest < 1e7; largest *= 1.13)
    for (int steps = 2; steps <= 8; steps++) {
      SeamAxis axis = seam_axis_from_zero (largest * ms.scale, ms, steps);
      double step = axis.step / ms.scale, mantissa = step / pow (10, floor (log10 (step) + 1e-9));

      g_assert_cmpfloat (axis.from, ==, 0);
      g_assert_cmpfloat (axis.to / ms.scale, >=, largest * (1 - 1e-9));
      g_assert_cmpfloat (axis.to / ms.scale - step, <, largest);
      g_assert_cmpint (axis.n_ticks, <=, steps + 2);
      g_assert_cmpfloat_with_epsilon (axis.ticks[axis.n_ticks - 1].value, axis.to, 1e-9 * axis.to);
      g_assert_true (fabs (mantissa - 1) < 1e-6 || fabs (mantissa - 2) < 1e-6
                     || fabs (mantissa - 5) < 1e-6);
    }
  g_assert_cmpint (seam_axis_index_step (4096, 4), ==, 1024);
  g_assert_cmpint (seam_axis_index_step (32768, 4), ==, 8192);
  g_assert_cmpint (seam_axis_index_step (254, 4), ==, 100);
  g_assert_cmpint (seam_axis_index_step (3, 4), ==, 1);
  g_assert_cmpint (seam_axis_index_step (136, 4), ==, 50);
  g_assert_cmpint (seam_axis_index_step (1000, 4), ==, 250);
  for (gint64 n = 1; n < 5000; n += 7)
    g_assert_cmpint (n / seam_axis_index_step (n, 4), <=, 4);
}

static void
assert_texts (const SeamAxis *axis, const char *expected)
{
  g_autoptr (GString) found = g_string_new (NULL);

  for (int i = 0; i < axis->n_ticks; i++)
    g_string_append_printf (found, "%s%s", i > 0 ? " " : "", axis->ticks[i].text);
  g_assert_cmpstr (found->str, ==, expected);
}

/* Each kind of axis with its texts: from a value to pixels and back. */
static void
test_axis_numbers (void)
{
  const SeamUnit one = { NULL, 1 }, ms = { "ms", 1e6 };
  const struct {
    SeamAxis axis;
    const char *numbers, *decorated;
  } cases[] = {
    { seam_axis_around (0, 1480e6, ms, 3), "0 500 1,000 1,500", "0× +500× +1,000× +1,500×" },
    { seam_axis_around (-.3, 0, one, 3), "−0.3 −0.2 −0.1 0", "−0.3× −0.2× −0.1× 0×" },
    { seam_axis_around (-.9, .45, one, 3), "−1.0 −0.5 0 0.5", "−1.0× −0.5× 0× +0.5×" },
    { seam_axis_between (.7e6, 3.3e6, ms, 3), "1 2 3", "+1× +2× +3×" },
    { seam_axis_log (1e6, 30e6, ms, 9), "1 2 5 10 20", "+1× +2× +5× +10× +20×" },
    { seam_axis_log (.01, 1e5, one, 8), "0.01 0.1 1 10 100 1,000 10,000 10⁵", NULL },
    { seam_axis_log (1e-7, 10, one, 6), "10⁻⁶ 10⁻⁴ 0.01 1", NULL },
    { seam_axis_log (0, 1e9, ms, 9), "1 2 5 10", NULL },
    { seam_axis_between (NAN, 1e6, ms, 2), "0 0.5 1.0", NULL },
    { seam_axis_between (0, 4.49e6, ms, 2), "0 2 4", NULL },
    { seam_axis_of_elements (100, 200, 4), "100 150 200 250 300", NULL },
    { seam_axis_of_samples (40, 4), "1 10 20 30 40", NULL },
  };

  for (guint c = 0; c < G_N_ELEMENTS (cases); c++) {
    SeamAxis axis = cases[c].axis;

    assert_texts (&axis, cases[c].numbers);
    seam_axis_place_x (&axis, 50, 650);
    g_assert_cmpfloat_with_epsilon (seam_axis_get_px (&axis, axis.from), 50, 1e-9);
    g_assert_cmpfloat_with_epsilon (seam_axis_get_px (&axis, axis.to), 650, 1e-9);
    for (int i = 0; i < axis.n_ticks; i++)
      g_assert_cmpfloat_with_epsilon (seam_axis_get_value (&axis, axis.ticks[i].px),
                                      axis.ticks[i].value, 1e-9 * fmax (1, axis.to));
    if (cases[c].decorated == NULL)
      continue;
    seam_axis_decorate (&axis, "+", SEAM_TIMES);
    assert_texts (&axis, cases[c].decorated);
  }
}

/* A text that would overlap another or the mark's text is left out. */
static void
test_axis_room (void)
{
  SeamAxis axis = seam_axis_from_zero (1e9, (SeamUnit){ NULL, 1 }, 10), narrow = axis;

  seam_axis_place_x (&narrow, 0, 200);
  seam_axis_place_x (&axis, 0, 2000);
  for (int i = 0; i < axis.n_ticks; i++)
    g_assert_cmpstr (axis.ticks[i].text, !=, "");
  g_assert_cmpstr (narrow.ticks[0].text, !=, "");
  g_assert_cmpstr (narrow.ticks[1].text, ==, "");
  seam_axis_set_mark (&axis, 5.1e8, "marked", 2000);
  g_assert_cmpfloat_with_epsilon (axis.mark_px, 1020, 1e-6);
  g_assert_cmpfloat (axis.mark_text_px, ==, axis.mark_px);
  g_assert_cmpstr (axis.ticks[5].text, ==, "");
  g_assert_cmpstr (axis.ticks[6].text, !=, "");
  /* The first number stays: the text keeps clear of it, and within the figure. */
  seam_axis_set_mark (&axis, 0, "marked", 2000);
  g_assert_cmpfloat (axis.mark_text_px, >, axis.ticks[0].width / 2);
  g_assert_cmpstr (axis.ticks[0].text, ==, "0");
  seam_axis_set_mark (&axis, 1e9, "marked", 2000);
  g_assert_cmpfloat (axis.mark_text_px, <, 2000);
}

/* ---- legends ---- */

static int n_swatches;

static void
draw_swatch (int what, const SeamRect *swatch, cairo_t *cr, const SeamPalette *palette)
{
  n_swatches += what;
  seam_paint_box (cr, swatch, 0, &palette->text, NULL, 0);
}

static void
legend_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
  seam_legend_draw (figure->layout, draw_swatch, cr, palette);
}

static void
test_legend (void)
{
  static const char *const texts[] = { "matrix", "channel add", "a much longer text than others",
                                       "copy" };
  static const double widths[] = { 0, 90, 250, 2000 };
  static const int n_rows[] = { 4, 4, 2, 1 };
  const SeamFigureClass class = { .draw = legend_draw };

  for (gsize w = 0; w < G_N_ELEMENTS (widths); w++) {
    SeamLegend *legend = seam_owner_new (SeamLegend);
    SeamFigure *figure;

    for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
      seam_legend_add (legend, 1 << i, SEAM_LEGEND_SWATCH, texts[i]);
    seam_legend_place (legend, 0, 0, widths[w]);
    g_assert_cmpfloat (legend->area.height, ==, 20 * n_rows[w]);
    if (widths[w] > 0)
      g_assert_cmpfloat (legend->area.width, <=, widths[w]);
    for (int i = 1; i < legend->n_entries; i++)
      g_assert_true (legend->entries[i].swatch.y > legend->entries[i - 1].swatch.y
                     || legend->entries[i].swatch.x > legend->entries[i - 1].swatch.x + 30);
    /* Each swatch is drawn once, and nothing outside the area. */
    figure = seam_figure_new (&class, legend, legend->area.width, legend->area.height, NULL);
    seam_keep_full (legend, legend, (GDestroyNotify)seam_legend_clear);
    n_swatches = 0;
    ink_assert_inside (figure, "legend");
    g_assert_cmpint (n_swatches, ==, 15);
    seam_figure_free (figure);
  }
}

/* ---- spots ---- */

static void
nothing_draw (SeamFigure *figure, cairo_t *cr, const SeamPalette *palette)
{
}

static gboolean
has_ring (SeamFigure *figure)
{
  SeamRect ink = ink_get_extents (figure, seam_palette_get (FALSE, FALSE));

  return ink.width > 0;
}

static void
assert_pick (SeamFigure *figure, double x, double y, SeamHitKind kind, int index)
{
  SeamHit hit;

  g_assert_true (seam_figure_pick (figure, x, y, &hit) == (kind != SEAM_HIT_NONE));
  g_assert_cmpint (hit.kind, ==, kind);
  if (kind != SEAM_HIT_NONE)
    g_assert_cmpint (hit.index, ==, index);
}

static void
test_spots (void)
{
  const SeamFigureClass class = { .draw = nothing_draw, .free_layout = g_free };
  SeamFigure *figure = seam_figure_new (&class, g_strdup ("layout"), 200, 100, g_strdup ("words"));
  const SeamHit row = { .kind = SEAM_HIT_OP, .index = 3 };
  const SeamHit near = { .kind = SEAM_HIT_SAMPLE, .index = 0 };
  const SeamHit far = { .kind = SEAM_HIT_SAMPLE, .index = 1 };
  const SeamSpot own = {
    { .kind = SEAM_HIT_SEAM, .index = 7 }, { 100, 60, 20, 20 }, { 95, 55, 30, 30 }, 4, TRUE
  };
  g_autofree char *words = seam_figure_summarize (figure);
  SeamRect rect, ink;

  g_assert_cmpstr (words, ==, "words");
  assert_pick (figure, 20, 20, SEAM_HIT_NONE, 0);
  seam_figure_add_row (figure, row, (SeamRect){ 0, 0, 200, 40 });
  seam_figure_add_point (figure, near, 50, 70);
  seam_figure_add_point (figure, far, 60, 70);
  seam_figure_add_spot_full (figure, &own);
  assert_pick (figure, 20, 20, SEAM_HIT_OP, 3);
  assert_pick (figure, 20, 90, SEAM_HIT_NONE, 0);
  /* Both points are in reach: a hit finds the nearer one. */
  assert_pick (figure, 54, 70, SEAM_HIT_SAMPLE, 0);
  assert_pick (figure, 56, 70, SEAM_HIT_SAMPLE, 1);
  assert_pick (figure, 110, 70, SEAM_HIT_SEAM, 7);
  /* The ring of a spot does not count as a hit. */
  assert_pick (figure, 97, 57, SEAM_HIT_NONE, 0);
  g_assert_true (seam_figure_locate (figure, &far, &rect));
  g_assert_cmpfloat (rect.x + rect.width / 2, ==, 60);
  g_assert_false (
      seam_figure_locate (figure, &(SeamHit){ .kind = SEAM_HIT_OP, .index = 4 }, &rect));

  g_assert_false (has_ring (figure));
  figure->selected = own.hit;
  g_assert_false (has_ring (figure));
  figure->hover = own.hit;
  ink = ink_get_extents (figure, seam_palette_get (FALSE, FALSE));
  g_assert_cmpfloat_with_epsilon (ink.x, 95, 1);
  g_assert_cmpfloat_with_epsilon (ink.width, 30, 2);
  figure->hover = (SeamHit){ .kind = SEAM_HIT_NONE };
  figure->focus = row;
  g_assert_true (has_ring (figure));
  ink_assert_inside (figure, "ring of a row");
  seam_figure_free (figure);
}

/* ---- kernels ---- */

static void
assert_fit (const char *full_name, int n_ops, double width, const char *name, const char *value)
{
  const SeamUnit ms = { "ms", 1e6 };
  g_autofree char *found_name = NULL, *found_value = NULL;

  seam_kernel_fit (full_name, n_ops, .25e6, ms, width, &found_name, &found_value);
  g_assert_cmpstr (found_name, ==, name);
  g_assert_cmpstr (found_value, ==, value);
}

static void
test_kernel_names (void)
{
  assert_fit ("matmul_bias … groupnorm", 5, 400, "matmul_bias … groupnorm", "0.250");
  assert_fit ("matmul_bias … groupnorm", 5, 150, "groupnorm + 4 ops", "0.250");
  assert_fit ("matmul_bias … groupnorm", 5, 60, "5 ops", "0.250");
  assert_fit ("groupnorm apply", 2, 400, "groupnorm apply + 1 op", "0.250");
  assert_fit ("groupnorm apply", 2, 120, "apply + 1 op", "0.250");
  assert_fit ("groupnorm apply", 1, 60, "apply", "0.250");
  assert_fit ("matmul + matmul_bias", 2, 400, "matmul + matmul_bias", "0.250");
  assert_fit ("matmul + matmul_bias", 2, 120, NULL, "0.250");
  assert_fit ("sigmoid", 1, 46, NULL, "0.250");
  assert_fit (NULL, 1, 400, NULL, "0.250");
  /* If there is no room for both, the value stays and the name goes. */
  assert_fit ("relu", 1, 30, NULL, NULL);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/parts/axes", test_axes);
  g_test_add_func ("/figure/parts/axis-numbers", test_axis_numbers);
  g_test_add_func ("/figure/parts/axis-room", test_axis_room);
  g_test_add_func ("/figure/parts/legend", test_legend);
  g_test_add_func ("/figure/parts/spots", test_spots);
  g_test_add_func ("/figure/parts/kernel-names", test_kernel_names);
  return g_test_run ();
}
