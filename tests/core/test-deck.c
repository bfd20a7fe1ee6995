/* SPDX-License-Identifier: MIT
 *
 * Every slide of a lesson: no text under 28 px at 1920 x 1080, measured where it is drawn; nothing
 * of a covered answer anywhere; nothing moves when it opens. With SEAMSCOPE_GALLERY=FOLDER the
 * slides are also written there.
 */
#include "tests/core/figure-fixture.h"
#include "tests/core/figure-ink.h"
#include "tests/core/figure-text.h"
#include "tests/core/recorded-run.h"

#include "app/figure/paint.h"
#include "app/lesson/deck.h"
#include "tests/core/lesson-text.h"

static SeamLesson *
load_lesson (void)
{
  g_autoptr (GError) error = NULL;
  SeamLesson *lesson = seam_lesson_load (g_getenv ("SEAMSCOPE_TEST_LESSON"), &error);

  g_assert_no_error (error);
  return lesson;
}

typedef struct {
  double smallest;
  char *text;
  int n;
  int step, part; /* as the slide counts them */
} Smallest;

static void
note_cb (const char *text, double size, gpointer data)
{
  Smallest *smallest = data;

  smallest->n++;
  const char *counted = strstr (text, "step ");
  if (counted != NULL)
    sscanf (counted, "step %d of %*d, slide %d of", &smallest->step, &smallest->part);
  if (*text == '\0' || size >= smallest->smallest)
    return;
  smallest->smallest = size;
  g_free (smallest->text);
  smallest->text = g_strdup (text);
}

/* Draws the slide in both palettes, and returns the size of the smallest text. */
static double
measure (SeamDeck *deck, guint i, const char *state, int *place)
{
  Smallest smallest = { .smallest = INFINITY };

  for (int dark = 0; dark < 2; dark++) {
    g_autoptr (SeamFigure) slide = seam_deck_draw (deck, i, TRUE);
    SeamRect ink;

    g_assert_cmpfloat (slide->width, ==, 1920);
    g_assert_cmpfloat (slide->height, ==, 1080);
    seam_paint_watch_text (note_cb, &smallest);
    ink = ink_get_extents (slide, seam_palette_get_for_slides (dark, FALSE));
    seam_paint_watch_text (NULL, NULL);
    g_assert_cmpfloat (ink.x, >=, 40);
    g_assert_cmpfloat (ink.x + ink.width, <=, 1880);
    g_assert_cmpfloat (ink.y + ink.height, <=, 1060);
    if (g_getenv ("SEAMSCOPE_GALLERY") != NULL) {
      g_autofree char *path =
          g_strdup_printf ("%s/slide-%02u-%s-%s.png", g_getenv ("SEAMSCOPE_GALLERY"), i, state,
                           dark ? "dark" : "light");

      seam_figure_export (slide, seam_palette_get_for_slides (dark, FALSE), path, NULL);
    }
  }
  g_assert_cmpint (smallest.n, >, 4);
  if (smallest.smallest < SEAM_SLIDE_SMALLEST)
    g_error ("slide %u, %s: “%s” has %.2f px", i, state, smallest.text, smallest.smallest);
  g_free (smallest.text);
  /* Slides count forwards. */
  if (place != NULL) {
    g_assert_cmpint (smallest.step, >, 0);
    g_assert_cmpint (100 * smallest.step + smallest.part, >=, *place);
    *place = 100 * smallest.step + smallest.part;
  }
  return smallest.smallest;
}

/* Walks a lesson, covered, predicted and revealed. */
static void
walk (SeamLesson *lesson, int number)
{
  g_autofree char *name = g_strdup (lesson->name);
  g_autoptr (SeamDeck) deck = seam_deck_new_for_lesson (lesson, number);
  double smallest = INFINITY;
  int place = 0;

  for (guint i = 0; i < seam_deck_get_n (deck); i++) {
    g_autofree char *plain = g_strconcat (name, "-plain", NULL);
    g_autofree char *predicted = g_strconcat (name, "-predicted", NULL);
    g_autofree char *revealed = g_strconcat (name, "-revealed", NULL);

    smallest = fmin (smallest, measure (deck, i, plain, &place));
    if (!seam_deck_asks (deck, i))
      continue;
    g_assert_true (seam_deck_is_covered (deck, i));
    g_free (seam_deck_add_predictions (deck, i, "1 2 1 3 0.5 0.7 0.5 0.9"));
    smallest = fmin (smallest, measure (deck, i, predicted, &place));
    seam_deck_set_covered (deck, i, FALSE);
    smallest = fmin (smallest, measure (deck, i, revealed, &place));
  }
  g_test_message ("%s: %u slides, smallest text %.2f px", name, seam_deck_get_n (deck), smallest);
}

static void
test_type (void)
{
  walk (load_lesson (), 1);
}

/* Those that come with the program. */
static void
test_lessons (void)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);

  for (guint i = 0; i < lessons->len; i++) {
    g_autoptr (GError) error = NULL;
    SeamLesson *lesson = seam_lesson_find (((SeamLesson *)lessons->pdata[i])->name, &error);

    g_assert_no_error (error);
    walk (lesson, (int)i + 1);
  }
}

static void
test_covered (void)
{
  SeamLesson *lesson = load_lesson ();
  g_autoptr (SeamDeck) deck = seam_deck_new_for_lesson (lesson, 1);
  guint i = seam_deck_find_step (deck, seam_lesson_find_step (lesson, "b"));
  g_autofree char *time = recorded_fill (RECORDED_EXAMPLE, "{elapsed(B)|ms}");
  g_autofree char *ratio = recorded_fill (RECORDED_EXAMPLE, "{ratio(A, B)}");
  const char *told[] = { time, ratio, "faster", "Half of you" };

  while (!seam_deck_asks (deck, i))
    i++;
  g_assert_null (seam_deck_add_predictions (deck, i, "0.5 0.6 0.7ms 0,8"));
  g_assert_cmpint (seam_deck_get_n_predictions (deck, i), ==, 4);
  for (int covered = 1; covered >= 0; covered--) {
    g_autoptr (SeamFigure) slide = NULL;
    g_autofree char *drawn = NULL, *summary = NULL;

    seam_deck_set_covered (deck, i, covered);
    slide = seam_deck_draw (deck, i, TRUE);
    drawn = figure_get_text (slide);
    summary = seam_figure_summarize (slide);
    for (guint k = 0; k < G_N_ELEMENTS (told); k++) {
      g_assert_cmpint (figure_text_count (drawn, told[k]) > 0, ==, !covered);
      g_assert_cmpint (strstr (summary, told[k]) != NULL, ==, !covered);
    }
    g_assert_cmpint (figure_text_count (drawn, "How long will plan B take?") > 0, ==, covered);
    g_assert_nonnull (strstr (summary, "4 predictions"));
    g_assert_cmpint (seam_deck_get_step (deck, i), ==,
                     seam_lesson_find_step (lesson, "b") + !covered);
  }
}

/* The Markdown of a choice is for the pane; on a slide it is words. */
static void
test_choices (void)
{
  g_autoptr (GError) error = NULL;
  SeamLesson *lesson = seam_lesson_find ("7", &error);
  g_autoptr (SeamDeck) deck = NULL;
  int n_seen = 0;

  g_assert_no_error (error);
  deck = seam_deck_new_for_lesson (lesson, 7);
  for (guint i = 0; i < seam_deck_get_n (deck); i++)
    for (int covered = 1; covered >= 0; covered--) {
      g_autoptr (SeamFigure) slide = NULL;
      g_autofree char *drawn = NULL;

      seam_deck_set_covered (deck, i, covered);
      slide = seam_deck_draw (deck, i, FALSE);
      drawn = figure_get_text (slide);
      n_seen += figure_text_count (drawn, "mul");
      g_assert_cmpint (figure_text_count (drawn, "`mul`"), ==, 0);
    }
  g_assert_cmpint (n_seen, >, 0);
}

static void
test_predictions (void)
{
  SeamLesson *lesson = load_lesson ();
  g_autoptr (SeamDeck) deck = seam_deck_new_for_lesson (lesson, 1);
  guint number = seam_deck_find_step (deck, seam_lesson_find_step (lesson, "b"));
  guint choice = seam_deck_find_step (deck, seam_lesson_find_step (lesson, "right"));
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autofree char *bad = NULL, *odd = NULL, *csv = NULL;

  while (!seam_deck_asks (deck, number))
    number++;
  while (!seam_deck_asks (deck, choice))
    choice++;
  seam_deck_set_class (deck, class);
  bad = seam_deck_add_predictions (deck, number, "0,5, x7 1250 µs; -2 0 nan\n3ms");
  g_assert_cmpstr (bad, ==, "Left out, because it is no time above 0: x7, -2, 0 and nan");
  g_autofree char *unclear = seam_deck_add_predictions (deck, number, "1,234");
  g_assert_cmpstr (unclear, ==, "Left out: is “1,234” 1.234 or 1234? Type one of the two.");
  odd = seam_deck_add_predictions (deck, choice, "1 2 2 3 1.5");
  g_assert_cmpstr (odd, ==, "Left out, because it is no number from 1 to 2: 3 and 1.5");
  g_assert_cmpint (seam_deck_get_n_predictions (deck, number), ==, 3);
  g_assert_cmpint (seam_deck_get_n_predictions (deck, choice), ==, 3);
  g_assert_cmpint (seam_deck_count_predictions (deck), ==, 6);
  /* What was typed is in the table of the class, as what was handed in is. */
  csv = seam_class_format_csv (class);
  g_assert_nonnull (strstr (csv, ",b,,500000,"));
  g_assert_nonnull (strstr (csv, ",b,,1250000,"));
  g_assert_nonnull (strstr (csv, ",b,,3000000,"));
  g_assert_nonnull (strstr (csv, ",right,,0,choice,"));
  g_assert_nonnull (strstr (csv, ",right,,1,choice,"));
  g_assert_cmpint (class->n_files, ==, 0);
  {
    g_autofree char *none = seam_deck_add_predictions (deck, 0, "1");

    g_assert_cmpstr (none, ==, "This slide asks nothing.");
  }
}

static gboolean
slide_says (SeamDeck *deck, guint i, const char *words)
{
  g_autoptr (SeamFigure) slide = seam_deck_draw (deck, i, TRUE);
  g_autofree char *summary = seam_figure_summarize (slide);

  return strstr (summary, words) != NULL;
}

/* Before its run a step of this computer says so; afterwards the same step has what was found, and
 * so has the check of the same run. */
static void
test_run (void)
{
  SeamLesson *lesson = load_lesson ();
  g_autoptr (SeamDeck) deck = seam_deck_new_for_lesson (lesson, 1);
  g_autoptr (SeamResult) result = fixture_result ("57", "tiny", "full");
  g_autoptr (SeamResult) other = fixture_result ("57", "tiny", "published");
  g_autoptr (GError) error = NULL;
  guint n = seam_deck_get_n (deck), asks = 0, check = n - 1, run = n - 2;

  while (!seam_deck_asks (deck, asks))
    asks++;
  seam_deck_set_covered (deck, asks, FALSE);
  g_assert_null (seam_deck_get_run (deck, asks));
  g_assert_nonnull (seam_deck_get_run (deck, run));
  g_assert_false (seam_deck_has_run (deck, check));
  g_assert_true (slide_says (deck, run, "Not run on this computer yet."));
  seam_deck_set_status (deck, run, "Measuring…");
  g_assert_true (slide_says (deck, check, "Measuring…"));
  g_assert_false (slide_says (deck, check, "Not run"));

  g_assert_false (seam_deck_take_run (deck, run, other, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_cmpint (seam_deck_get_n (deck), ==, n);

  g_clear_error (&error);
  g_assert_true (seam_deck_take_run (deck, run, result, &error));
  g_assert_no_error (error);
  seam_deck_set_status (deck, run, NULL);
  g_assert_cmpint (seam_deck_get_n (deck), >, n);
  g_assert_false (seam_deck_is_covered (deck, asks)); /* what was open stays open */
  check = seam_deck_find_step (deck, (int)lesson->steps->len - 1);
  g_assert_true (seam_deck_has_run (deck, check));
  g_assert_true (slide_says (deck, check, "Passed") || slide_says (deck, check, "Run plan full"));
  for (guint i = run; i < seam_deck_get_n (deck); i++) {
    measure (deck, i, "run", NULL);
    g_assert_false (slide_says (deck, i, "Not run"));
    g_assert_true (slide_says (deck, i, "Synthetic device, measured here"));
  }
}

/* A figure that is larger than a slide is shown part by part, down to its end. */
static void
test_parts (void)
{
  g_autoptr (SeamResult) result = fixture_result ("21", "kernelbench", "published");
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDeck) deck = seam_deck_new_for_figures ("Timing", "Synthetic device");
  SeamFigure *sheet = seam_timing_sheet_new (result, 0, 1, seam_slide_get_figure_width (), &error);
  const SeamProductSource source = { .results = &result, .n_results = 1, .second = 1 };

  g_assert_no_error (error);
  g_assert_true (seam_deck_add_product (deck, seam_products_find ("timing"), &source, &error));
  g_assert_cmpint (seam_deck_get_n (deck), ==, 1);
  seam_deck_add_figure (deck, NULL, sheet);
  g_assert_cmpint (seam_deck_get_n (deck), >, 1);
  for (guint i = 0; i < seam_deck_get_n (deck); i++) {
    measure (deck, i, "part", NULL);
    g_assert_false (seam_deck_asks (deck, i));
    g_assert_cmpint (seam_deck_get_step (deck, i), ==, -1);
  }
}

static void
test_long_text (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GString) text = g_string_new ("---\ntitle: Long\ngoal: Length.\nminutes: 1\ntopic: T\n"
                                           "pipelines: conv-relu-hardswish\nneeds:\n---\n\n## Say: "
                                           "Much\n\n```seamscope\nid = a\npipeline = "
                                           "conv-relu-hardswish\n```\n\n");
  SeamLesson *lesson;
  g_autoptr (SeamDeck) deck = NULL;
  int n_words = 0;

  for (int i = 0; i < 40; i++)
    g_string_append (text, "Every word of this paragraph must be on some slide. ");
  g_string_append (text, "\n\n* one\n* two\n\n1. first\n2. second\n\n```\ncode\n```\n\n");
  for (int i = 0; i < 800; i++)
    g_string_append (text, "counted ");
  lesson = seam_lesson_parse (text->str, "long", &error);
  g_assert_no_error (error);
  deck = seam_deck_new_for_lesson (lesson, 0);
  g_assert_cmpint (seam_deck_get_n (deck), >, 2);
  for (guint i = 0; i < seam_deck_get_n (deck); i++) {
    g_autoptr (SeamFigure) slide = seam_deck_draw (deck, i, FALSE);
    g_autofree char *words = figure_get_text (slide);

    measure (deck, i, "long", NULL);
    for (const char *p = strstr (words, "counted"); p != NULL; p = strstr (p + 1, "counted"))
      n_words++;
  }
  g_assert_cmpint (n_words, ==, 800);
}

#define NUMBER "ask = number\nanswer = elapsed(B)\nrange = 1 us to 9 ms\n"
#define CHOICE "ask = choice\nchoice = a\nif = yes\nchoice = b\nif = no\n"

/* What a lesson asks for and nobody has: each of its slides is drawn covered and open, and names
 * what is missing. */
static void
test_missing (void)
{
  static const struct {
    const char *kind, *keys, *says; /* without blanks, which are not drawn */
  } steps[] = {
    { "Predict", "sample = no-such-sample\nplans = unfused, published\n" NUMBER, "no-such-sample" },
    { "Predict", "sample = no-such-sample\nplans = unfused, published\n" CHOICE, "no-such-sample" },
    { "Predict", "sample = none\nplans = unfused\nask = cut\nanswer = best_seam()\n", "none" },
    { "Predict", "sample = none\nplans = unfused\nask = cell\ngrid = 2 x 2\n", "none" },
    { "Predict", "sample = none\nask = number\nanswer = 5 ms\nrange = 1 ms to 9 ms\n", "none" },
    { "Predict", "sample = h200-conv-relu-hardswish\nplans = unfused, none\n" NUMBER, "“none”" },
    { "Predict", "pipeline = no-such-pipe\nplans = unfused, published\n" NUMBER, "no-such-pipe" },
    { "Predict", "pipeline = none.ini\nplans = unfused, published\n" CHOICE, "none.ini" },
    { "Predict", SAMPLE "ask = cut\nanswer = ops() * -1000\n", "doesnottell" },
    { "Predict", SAMPLE "ask = cut\nanswer = ops()\n", "doesnottell" },
    { "Predict", SAMPLE "ask = cut\nanswer = ops() * 1e300\n", "doesnottell" },
    { "Predict", SAMPLE "ask = cell\ngrid = 8 x 8\n", "doesnottell" },
    { "Predict", SAMPLE "ask = number\nanswer = elapsed(B) * 1e300\nrange = 1 us to 9 ms\n",
      "doesnottell" },
    { "Say", "sample = no-such-sample\nplans = unfused\n", "no-such-sample" },
    { "Run", "pipeline = conv-relu-hardswish\nplans = unfused, none\n", "none" },
    { "Run", "pipeline = conv-relu-hardswish\nplans = unfused\npreset = none\n", "none" },
    { "Run", "pipeline = no-such-pipe\n", "no-such-pipe" },
    { "Check", "sample = no-such-sample\nplans = unfused\ncheck = agrees(A)\n", "no-such-sample" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (steps); i++) {
    g_autofree char *text =
        g_strdup_printf ("---\ntitle: T\ngoal: G.\nminutes: 1\n---\n\n## %s: S\n\n"
                         "```seamscope\n%s```\n\nText.\n",
                         steps[i].kind, steps[i].keys);
    g_autoptr (GError) error = NULL;
    SeamLesson *lesson = seam_lesson_parse (text, "missing", &error);
    g_assert_no_error (error);
    g_autoptr (SeamDeck) deck = seam_deck_new_for_lesson (lesson, 0);
    gboolean is_named = FALSE;
    g_autofree char *last = NULL;

    for (guint k = 0; k < seam_deck_get_n (deck); k++) {
      measure (deck, k, "missing", NULL);
      g_free (seam_deck_add_predictions (deck, k, "1 2 9e300 7000"));
      seam_deck_set_covered (deck, k, FALSE);
      measure (deck, k, "missing", NULL);
      g_autoptr (SeamFigure) slide = seam_deck_draw (deck, k, FALSE);
      g_autofree char *words = figure_get_text (slide);
      is_named = is_named || strstr (words, steps[i].says) != NULL;
      g_free (last);
      last = g_steal_pointer (&words);
    }
    if (!is_named)
      g_error ("no slide of “%s” says “%s”, but “%s”", steps[i].keys, steps[i].says, last);
  }
}

/* A lesson as large as may be is cut, so that its slides are made within a second. */
static void
test_large (void)
{
  g_autoptr (GString) text = g_string_new ("---\ntitle: T\ngoal: G.\nminutes: 1\n---\n\n");
  g_autoptr (GError) error = NULL;
  static const char *const words[] = { "- one two\n", "a word ", "a\n\n", "| a | b |\n" };

  for (int i = 0; i < 4; i++) {
    g_string_append (text, "## Say: S\n\n| a | b |\n|---|---|\n");
    for (int k = 0; k < 9000; k++)
      g_string_append (text, words[i % 4]);
    g_string_append (text, "\n");
  }
  g_assert_cmpuint (text->len, >, 240000);
  SeamLesson *lesson = seam_lesson_parse (text->str, "large", &error);
  g_assert_no_error (error);
  g_autoptr (SeamDeck) deck = seam_deck_new_for_lesson (lesson, 0);
  g_assert_cmpuint (seam_deck_get_n (deck), <, 50);
}

/* How checks ended for a class that handed in, on their slides: nobody is named, and the text of
 * the step stays. */
static void
test_checks (void)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);

  for (guint l = 0; l < lessons->len; l++) {
    SeamLesson *lesson = lessons->pdata[l];
    g_autoptr (SeamClass) class = seam_class_new ();
    g_autoptr (SeamDeck) deck = seam_deck_new_for_lesson (lesson, (int)l + 1);
    int n_checks = 0;

    lessons->pdata[l] = NULL; /* the deck's */
    for (int m = 0; m < 3; m++) {
      SeamLessonAnswers *member = seam_lesson_answers_new (lesson);

      member->file = g_strdup ("ada.seamanswers");
      member->learner = g_strdup ("Ada");
      for (guint s = 0; s < lesson->steps->len; s++) {
        const SeamLessonStep *step = seam_lesson_get_step (lesson, s);
        SeamLessonAnswer answer = {
          .step = step->id, .ask = (char *)"check", .value = m > 0, .attempts = m + 1
        };
        if (step->kind == SEAM_STEP_PROVE)
          seam_lesson_answers_replace (member, &answer);
      }
      g_ptr_array_add (class->members, member);
    }
    for (int with_class = 0; with_class < 2; with_class++) {
      if (with_class)
        seam_deck_set_class (deck, class);
      for (guint s = 0; s < lesson->steps->len; s++) {
        guint slide = seam_deck_find_step (deck, (int)s);

        if (seam_lesson_get_step (lesson, s)->kind != SEAM_STEP_PROVE)
          continue;
        measure (deck, slide, "class", NULL);
        g_autoptr (SeamFigure) drawn = seam_deck_draw (deck, slide, FALSE);
        g_autofree char *text = seam_figure_summarize (drawn);
        g_test_message ("%s", text);
        g_assert_cmpint (strstr (text, "3 learners. passed: 0. passed at the 2nd try: 1. passed at "
                                       "a later try: 1. from a recording: 0. not passed: 1.")
                             != NULL,
                         ==, with_class);
        g_assert_null (strstr (text, "Ada"));
        g_assert_null (strstr (text, "ada.seam"));
        n_checks++;
      }
    }
    g_assert_cmpint (n_checks, >=, 2);
  }
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/deck/type", test_type);
  g_test_add_func ("/deck/lessons", test_lessons);
  g_test_add_func ("/deck/covered", test_covered);
  g_test_add_func ("/deck/choices", test_choices);
  g_test_add_func ("/deck/predictions", test_predictions);
  g_test_add_func ("/deck/checks", test_checks);
  g_test_add_func ("/deck/run", test_run);
  g_test_add_func ("/deck/parts", test_parts);
  g_test_add_func ("/deck/long-text", test_long_text);
  g_test_add_func ("/deck/missing", test_missing);
  g_test_add_func ("/deck/large", test_large);
  return g_test_run ();
}
