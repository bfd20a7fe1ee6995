/* SPDX-License-Identifier: MIT
 *
 * The predictions of a class: equal values stacked, nothing of the answer before it is revealed, a
 * median from three predictions on, type as large as it is asked for.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"
#include "tests/core/figure-text.h"

#include "app/figure/class-figure.h"
#include "app/figure/paint.h"

static const double values[] = {
  .25e6, .3e6, .35e6, .4e6,  .4e6, .45e6, .5e6, .5e6, .5e6, .5e6,  .5e6,  .55e6, .6e6, .6e6,
  .7e6,  .7e6, NAN,   .75e6, .8e6, .9e6,  .9e6, 1e6,  1e6,  1.2e6, 1.5e6, 1.6e6, 2e6,
};

static SeamClassOptions
make_options (gboolean covered)
{
  return (SeamClassOptions){
    .width = 900,
    .height = 300,
    .is_time = TRUE,
    .values = values,
    .n_values = G_N_ELEMENTS (values),
    .a = 2.27e6,
    .range = NAN,
    .covered = covered,
    .measured = .923e6,
    .measured_low = .922e6,
    .measured_high = .924e6,
    .guess = .913e6,
    .near = 1.1,
  };
}

static SeamRect
locate (SeamFigure *figure, int index)
{
  SeamHit hit = { .kind = SEAM_HIT_SAMPLE, .index = index };
  SeamRect rect;

  g_assert_true (seam_figure_locate (figure, &hit, &rect));
  return rect;
}

static void
test_stacks (void)
{
  SeamClassOptions options = make_options (TRUE);
  g_autoptr (SeamFigure) figure = seam_class_figure_new (&options), open = NULL;

  /* Five of 0.5 ms, the values 6 to 10 in their order. */
  for (int i = 7; i <= 10; i++) {
    g_assert_cmpfloat (locate (figure, i).x, ==, locate (figure, 6).x);
    g_assert_cmpfloat (locate (figure, i).y, <, locate (figure, i - 1).y - 5);
  }
  g_assert_cmpfloat (locate (figure, 11).x, >, locate (figure, 10).x);
  g_assert_cmpfloat (locate (figure, 11).y, ==, locate (figure, 6).y);
  g_assert_false (seam_figure_locate (figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = 26 },
                                      &(SeamRect){ 0 }));
  /* The dots stay where they are. */
  options.covered = FALSE;
  open = seam_class_figure_new (&options);
  for (int i = 0; i < 26; i++) {
    g_assert_cmpfloat (locate (open, i).x, ==, locate (figure, i).x);
    g_assert_cmpfloat (locate (open, i).y, ==, locate (figure, i).y);
  }
}

static void
test_words (void)
{
  SeamClassOptions options = make_options (TRUE);
  g_autoptr (SeamFigure) figure = seam_class_figure_new (&options), open = NULL;
  g_autofree char *covered = figure_get_text (figure), *shown = NULL;
  g_autofree char *summary = seam_figure_summarize (figure), *opened = NULL;

  g_assert_cmpint (figure_text_count (covered, "26 predictions"), ==, 1);
  g_assert_cmpint (figure_text_count (covered, "measured value: covered"), ==, 1);
  g_assert_cmpint (figure_text_count (covered, "A 2.27 ms"), ==, 1);
  g_assert_cmpint (figure_text_count (covered, "0.923"), ==, 0);
  g_assert_cmpint (figure_text_count (covered, "0.913"), ==, 0);
  g_assert_cmpint (figure_text_count (covered, "Half"), ==, 0);
  g_assert_null (strstr (summary, "0.923"));
  g_assert_null (strstr (summary, "0.913"));

  options.covered = FALSE;
  open = seam_class_figure_new (&options);
  shown = figure_get_text (open);
  opened = seam_figure_summarize (open);
  g_assert_cmpint (figure_text_count (shown, "measured 0.923 ms"), ==, 1);
  g_assert_cmpint (figure_text_count (shown, "model 0.913 ms"), ==, 1);
  g_assert_cmpint (figure_text_count (shown, "covered"), ==, 0);
  g_assert_nonnull (
      strstr (opened, "Half of you said 0.600 ms or less; 4 of 26 came within 1.1×."));
}

static void
test_few (void)
{
  SeamClassOptions options = make_options (FALSE);
  g_autoptr (SeamFigure) two = NULL, three = NULL, none = NULL;
  g_autofree char *two_words = NULL, *three_words = NULL, *none_words = NULL;

  options.n_values = 2;
  two = seam_class_figure_new (&options);
  two_words = seam_figure_summarize (two);
  g_assert_null (strstr (two_words, "Half"));
  options.n_values = 3;
  three = seam_class_figure_new (&options);
  three_words = seam_figure_summarize (three);
  g_assert_nonnull (strstr (three_words, "Half of you said 0.300 ms"));
  options.n_values = 0;
  options.covered = TRUE;
  none = seam_class_figure_new (&options);
  none_words = figure_get_text (none);
  g_assert_cmpint (figure_text_count (none_words, "Show of hands?"), ==, 1);
  g_assert_cmpint (figure_text_count (none_words, "prediction"), ==, 0);
  ink_assert_inside (none, "no predictions");
}

/* Marks of a high stack shrink together; values beyond the axis stand behind its end. */
static void
test_crowds (void)
{
  double many[400];
  SeamClassOptions options = make_options (FALSE);

  for (int i = 0; i < 400; i++)
    many[i] = i < 380 ? .5e6 : 1e9;
  options.values = many;
  options.n_values = 400;
  for (double width = 300; width < 2000; width += 400) {
    g_autoptr (SeamFigure) figure = NULL;
    g_autofree char *words = NULL;

    options.width = width;
    figure = seam_class_figure_new (&options);
    words = seam_figure_summarize (figure);
    ink_assert_inside (figure, "crowd");
    g_assert_nonnull (strstr (words, "20 beyond "));
    g_assert_cmpfloat (locate (figure, 379).y, >, 0);
    g_assert_cmpfloat (locate (figure, 380).x, >, locate (figure, 0).x + width / 3);
  }
}

static void
test_choice (void)
{
  static const char *const choices[] = { "it saves most bytes", "it launches fewer kernels",
                                         "its kernel is on the critical path of the whole chain, "
                                         "which is a very long reason to choose a seam by" };
  const int counts[] = { 12, 7, 0 };
  SeamClassOptions options = make_options (TRUE);
  g_autoptr (SeamFigure) figure = NULL, open = NULL;
  g_autofree char *covered = NULL, *shown = NULL;

  options.choices = choices;
  options.counts = counts;
  options.n_choices = 3;
  options.right = 0;
  figure = seam_class_figure_new (&options);
  covered = figure_get_text (figure);
  options.covered = FALSE;
  open = seam_class_figure_new (&options);
  shown = figure_get_text (open);
  g_assert_cmpint (figure_text_count (covered, "19 predictions"), ==, 1);
  g_assert_cmpint (figure_text_count (covered, "it saves most bytes"), ==, 1);
  g_assert_cmpint (figure_text_count (covered, "✓"), ==, 0);
  g_assert_cmpint (figure_text_count (shown, "12  ✓ right"), ==, 1);
  ink_assert_inside (figure, "choice");
  ink_assert_inside (open, "choice");
}

static void
note_smallest_cb (const char *text, double size, gpointer data)
{
  double *smallest = data;

  *smallest = fmin (*smallest, size);
}

static void
test_type (void)
{
  SeamClassOptions options = make_options (FALSE);
  double smallest = INFINITY;

  options.width = 1728;
  options.height = 440;
  options.text_size = 28;
  {
    g_autoptr (SeamFigure) figure = seam_class_figure_new (&options);

    g_assert_cmpfloat_with_epsilon (figure->width, 1728, 1e-6);
    g_assert_cmpfloat_with_epsilon (figure->height, 440, 1e-6);
    seam_paint_watch_text (note_smallest_cb, &smallest);
    ink_assert_inside (figure, "on a slide");
    seam_paint_watch_text (NULL, NULL);
    g_assert_cmpfloat_with_epsilon (smallest, 28, .01);
    for (int i = 1; i < 26; i++)
      ink_assert_pick (figure, &(SeamHit){ .kind = SEAM_HIT_SAMPLE, .index = i }, "dot");
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/figure/class/stacks", test_stacks);
  g_test_add_func ("/figure/class/words", test_words);
  g_test_add_func ("/figure/class/few", test_few);
  g_test_add_func ("/figure/class/crowds", test_crowds);
  g_test_add_func ("/figure/class/choice", test_choice);
  g_test_add_func ("/figure/class/type", test_type);
  return g_test_run ();
}
