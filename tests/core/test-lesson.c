/* SPDX-License-Identifier: MIT
 *
 * Lessons: the reader and its errors, scores, answers, and that every lesson that comes
 * with the program can be taken. tests/core/test-lesson-checks.c plants wrong solutions.
 */
#include "app/base/error.h"
#include "app/lesson/lesson-read.h"
#include "app/lesson/score.h"
#include "app/report/products.h"
#include "tests/core/lesson-text.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

static char *
get_data_path (const char *folder, const char *file)
{
  return g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "data", folder, file, NULL);
}

/* --- The reader --- */

static void
refuse_lesson (const char *text, int line, const char *words)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_parse (text, "mine", &error);
  g_autofree char *where = g_strdup_printf ("mine.md, line %d: ", line);

  g_assert_null (lesson);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  assert_says (error, words);
  if (!g_str_has_prefix (error->message, where))
    g_error ("“%s” does not begin with “%s”", error->message, where);
}

static void
test_bad_files (void)
{
  refuse_lesson ("", 1, "begins with a head");
  refuse_lesson ("# Title\n", 1, "begins with a head");
  refuse_lesson ("---\ntitle: T\nminutes: 3\n---\n## Say: a\n", 1, "has no goal");
  refuse_lesson ("---\ntitle: T\nminutes: 3\ngoal: G\n---\n", 1, "has no steps");
  refuse_lesson ("---\nTitle T\n---\n", 2, "title: …");
  refuse_lesson ("---\ntitle: T\nauthor: me\n---\n", 3, "“author” is unknown");
  refuse_lesson ("---\nminutes: 0\n---\n", 2, "minutes");
  refuse_lesson ("---\nminutes: soon\n---\n", 2, "minutes");
  refuse_lesson (HEAD "## Sing: a\n", 8, "its kinds are Say");
  refuse_lesson (HEAD "## Say\n", 8, "A step begins with");
  refuse_lesson (HEAD "## Say:\n", 8, "has no title");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("id\n"), 11, "key = value");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("plan = unfused\n"), 11, "did you mean “plans”");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("answer = elapsed(B)\n"), 11,
                 "A step “say” has no “answer”");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("plans = a, b, c, d, e, f, g\n"), 11,
                 "at most 6 plans");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("settings = colour=red\n"), 11, "no setting");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("settings = math=fp12\n"), 11, "fp12");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("picture = holiday\n"), 8, "no figure of a run");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("ask = riddle\n"), 11, "nothing to ask for");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("answer = elapsed(\n"), 11, "argument");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("range = 5 ms\n"), 11, "5 ms");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("range = 5 ms to 1 ms\n"), 11, "The range must go");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("range = 5 MB to 9 ms\n"), 11, "The range must go");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("range = -5 to 9\n"), 11, "The range must go");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("grid = 9 x 9\n"), 11, "rows x columns");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("grid = 1 x 1\n"), 11, "rows x columns");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("if = yes\n"), 11, "follows the choice");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("choice = x\nif = 1 ms\n"), 12,
                 "needs a condition");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("reply = x\n"), 11, "follows the choice");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("fact = Plan A takes\n"), 11, "Write a fact");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("fact = Plan A: elapsed(\n"), 11, "argument");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("plans = a\nask = number\nanswer = elapsed(A)\n"),
                 8, "needs “answer” and “range”");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("ask = choice\nchoice = x\nif = yes\n"), 8,
                 "two choices");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("ask = choice\nchoice = x\nchoice = y\nif = yes\n"),
                 12, "needs “if”");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("ask = cut\nplans = a\nanswer = elapsed(A)\n"), 8,
                 "best_seam()");
  refuse_lesson (HEAD "## Predict: a\n\n" KEYS ("ask = cell\n"), 8, "needs “grid”");
  refuse_lesson (HEAD "## Check: a\n\n" KEYS ("check = 1 ms\n"), 11, "needs a condition");
  refuse_lesson (HEAD "## Check: a\n", 8, "nothing to check");
  refuse_lesson (HEAD "## Compare: a\n", 8, "follows a prediction");
  refuse_lesson (HEAD "## Run: a\n", 8, "needs a pipeline");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("id = x\n") "## Say: b\n\n" KEYS ("id = x\n"), 13,
                 "two steps “x”");
  refuse_lesson (HEAD "## Say: a\n\nIt takes {elapsd(A)}.\n", 8, "did you mean");
  refuse_lesson (HEAD "## Say: a\n\nIt takes {elapsed(A)}.\n", 8, "speaks of plan A");
  refuse_lesson (HEAD "## Say: a\n\n" KEYS ("plans = unfused\n") "\n{elapsed(A)|MB}\n", 8,
                 "a unit of the value");
  refuse_lesson (HEAD "## Say: a\n\nIt takes {elapsed(A\n\nMore.\n", 8, "brace is not closed");
  refuse_lesson (HEAD "## Check: a\n\n" KEYS ("check = yes\nreply = {elapsed(A\n"), 11,
                 "brace is not closed");
}

static void
test_limits (void)
{
  g_autofree char *steps = repeat ("## Say: a\n", 41, HEAD, "");
  g_autofree char *many = g_strconcat (HEAD, steps, NULL);
  g_autofree char *choices = repeat ("choice = x\nif = yes\n", 13, "", "");
  g_autofree char *crowded =
      g_strconcat (HEAD "## Predict: a\n\n```seamscope\n", choices, "```\n", NULL);

  refuse_lesson (many, 48, "at most 40 steps");
  refuse_lesson (crowded, 35, "more than 12");
}

/* A step that tells what it asks for is refused, wherever it tells it. */
static void
test_covered (void)
{
#define QUESTION                                                                                   \
  "plans = unfused, published\nask = number\nanswer = elapsed(B)\nrange = 1 ms to 9 ms\n"
  const char *const tells[] = {
    "## Predict: It takes {elapsed(B)}\n\n" KEYS (QUESTION),
    "## Predict: a\n\n" KEYS (QUESTION) "\nIt takes {elapsed(B)}.\n",
    "## Predict: a\n\n" KEYS (QUESTION) "\nIt is {ratio(A, B)} faster.\n",
    "## Predict: a\n\n" KEYS (QUESTION) "\nSeam {best_seam()} is best.\n",
    "## Predict: a\n\n" KEYS (QUESTION "fact = Its tail: kernel(B, relu)\n"),
    "## Predict: a\n\n" KEYS (QUESTION "fact = Difference: elapsed(A) - elapsed(B)\n"),
    "## Predict: a\n\n" KEYS (
        "plans = unfused, published\nask = choice\nchoice = {elapsed(B)}\nif = elapsed(B) > "
        "elapsed(A)\nchoice = less\nif = elapsed(B) < elapsed(A)\n"),
    "## Predict: a\n\n" KEYS (
        "plans = unfused, published\nask = cut\nanswer = best_seam()\n") "\n{elapsed(B)}\n",
  };
  const char *const covers[] = {
    "## Predict: a\n\n" KEYS (QUESTION "fact = Plan A: elapsed(A)\ntoo low = {elapsed(B)}\n"
                                       "too high = {elapsed(B)}\nright = {elapsed(B)}\n"),
    "## Predict: a\n\n" KEYS (QUESTION) "\nA takes {elapsed(A)}; B moves {bytes(B)}.\n",
    "## Predict: a\n\n" KEYS (QUESTION) "## Compare: B takes {elapsed(B)}\n",
  };

  for (gsize i = 0; i < G_N_ELEMENTS (tells); i++) {
    g_autofree char *text = g_strconcat (HEAD, tells[i], NULL);
    refuse_lesson (text, 8, "plan B, which it asks for");
  }
  for (gsize i = 0; i < G_N_ELEMENTS (covers); i++) {
    g_autofree char *text = g_strconcat (HEAD, covers[i], NULL);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamLesson) lesson = seam_lesson_parse (text, "mine", &error);
    g_assert_no_error (error);
    g_assert_cmpuint (seam_lesson_step_get_covered_plans (seam_lesson_get_step (lesson, 0)), ==, 2);
  }
}

/* Damaged lessons: any prefix, and any line left out or doubled, is read or refused. */
static void
test_damaged_files (void)
{
  g_autofree char *path = get_data_path ("lessons", "2-the-ceiling.md");
  g_autofree char *text = NULL;
  gsize length;

  g_assert_true (g_file_get_contents (path, &text, &length, NULL));
  for (gsize n = 0; n < length; n += 37) {
    g_autofree char *part = g_strndup (text, n);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamLesson) lesson = seam_lesson_parse (part, "part", &error);
    g_assert_true ((lesson == NULL) == (error != NULL));
  }
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  for (int skipped = 0; lines[skipped] != NULL; skipped++) {
    GString *rest = g_string_new (NULL);
    for (int i = 0; lines[i] != NULL; i++)
      if (i != skipped)
        g_string_append_printf (rest, "%s\n", lines[i]);
    g_autofree char *part = g_string_free (rest, FALSE);
    g_autoptr (GError) error = NULL;
    g_autoptr (SeamLesson) lesson = seam_lesson_parse (part, "part", &error);
    g_assert_true ((lesson == NULL) == (error != NULL));
  }
}

/* --- Scores --- */

typedef struct {
  SeamLesson *lesson;
  const SeamLessonStep *step;
  SeamLessonFacts *facts;
} Asked;

static void
ask (Asked *asked, const char *keys)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = g_strconcat (HEAD "## Predict: a\n\n```seamscope\n", keys, "```\n", NULL);

  asked->lesson = seam_lesson_parse (text, "mine", &error);
  g_assert_no_error (error);
  asked->step = seam_lesson_get_step (asked->lesson, 0);
  asked->facts = seam_lesson_step_load (asked->step, &error);
  g_assert_no_error (error);
}

static void
forget (Asked *asked)
{
  seam_owner_free (asked->facts);
  seam_owner_free (asked->lesson);
}

static int
score (const Asked *asked, double value, int reason, const char *reply)
{
  SeamLessonAnswer answer = { .value = value, .reason = reason };
  SeamScore score;
  int points;

  seam_score_answer (asked->step, asked->facts, &answer, &score);
  g_assert_cmpstr (score.reply, ==, reply);
  points = score.points;
  seam_score_clear (&score);
  return points;
}

/* Only the number itself is exact. */
static void
test_score_words (void)
{
  static const struct {
    double value;
    const char *words;
  } cases[] = { { 0.924, "exact" },           { 0.927, "within 1 %" },    { 0.921, "within 1 %" },
                { 0.939, "1.02× too large" }, { 0.5, "1.85× too small" }, { 0, "–" } };

  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *words = seam_score_describe_ratio (cases[i].value, 0.924);
    g_assert_cmpstr (words, ==, cases[i].words);
  }
}

static void
test_score_number (void)
{
  Asked asked;

  ask (&asked, SAMPLE "ask = number\nanswer = elapsed(B)\nrange = 0.1 ms to 9 ms\n"
                      "too low = more\ntoo high = less\nright = well\n");
  const SeamPlanResult *b = &asked.facts->result->plans[asked.facts->places[1]];
  g_assert_cmpstr (b->name, ==, "published");
  g_assert_cmpint (score (&asked, b->median_ns, -1, "well"), ==, 3);
  /* Within the interval a number is right; the bands begin at its ends. */
  g_assert_cmpint (score (&asked, b->ci_high_ns * 1.0999, -1, "well"), ==, 3);
  g_assert_cmpint (score (&asked, b->ci_low_ns / 1.0999, -1, "well"), ==, 3);
  g_assert_cmpint (score (&asked, b->ci_high_ns * 1.1001, -1, "less"), ==, 2);
  g_assert_cmpint (score (&asked, b->ci_low_ns / 1.1001, -1, "more"), ==, 2);
  g_assert_cmpint (score (&asked, b->ci_high_ns * 1.4999, -1, "less"), ==, 2);
  g_assert_cmpint (score (&asked, b->ci_low_ns / 1.5001, -1, "more"), ==, 1);
  g_assert_cmpint (score (&asked, b->ci_high_ns * 1.9999, -1, "less"), ==, 1);
  g_assert_cmpint (score (&asked, b->ci_high_ns * 2.0001, -1, "less"), ==, 0);
  g_assert_cmpint (score (&asked, 0, -1, "more"), ==, 0);
  g_assert_cmpint (score (&asked, INFINITY, -1, "less"), ==, 0);
  /* Looked first. */
  g_assert_cmpint (score (&asked, NAN, -1, "well"), ==, 0);
  forget (&asked);
}

static void
test_score_choice (void)
{
  Asked asked;

  ask (&asked, SAMPLE "ask = choice\nchoice = slower\nif = elapsed(B) > elapsed(A)\nreply = no, it "
                      "is {ratio(A, B)} faster\nchoice = faster\nif = elapsed(B) < elapsed(A)\n"
                      "right = yes\n");
  g_assert_cmpint (score (&asked, 1, -1, "yes"), ==, 3);
  g_assert_cmpint (score (&asked, 0, -1, "no, it is 2.47× faster"), ==, 0);
  g_assert_cmpint (score (&asked, 2, -1, NULL), ==, 0);
  g_assert_cmpint (score (&asked, -1, -1, NULL), ==, 0);
  g_assert_cmpint (score (&asked, NAN, -1, "yes"), ==, 0);
  forget (&asked);
}

static void
test_score_cut (void)
{
  Asked asked;

  ask (&asked,
       "sample = h200-matmul-swish-bias-groupnorm-tf32\nplans = unfused, full\nask = cut\n"
       "answer = best_seam()\nchoice = bytes\nif = yes\nchoice = launches\nif = no\nreply = "
       "no\ntoo low = it is {best_seam()}\nright = yes\n");
  g_assert_cmpint (score (&asked, 2, 0, "yes"), ==, 3);
  /* A reply to the wrong reason stands with that reason; the right one is named once. */
  g_assert_cmpint (score (&asked, 2, 1, "The right reason: bytes. yes"), ==, 2);
  g_assert_cmpint (score (&asked, 2, -1, "The right reason: bytes. yes"), ==, 2);
  g_assert_cmpint (score (&asked, 1, 0, "it is 3"), ==, 1);
  g_assert_cmpint (score (&asked, 1, 1, "it is 3"), ==, 0);
  g_assert_cmpint (score (&asked, NAN, -1, "yes"), ==, 0);
  forget (&asked);
}

/* The cell in which most elements fail, from the overview that a run keeps. */
static void
test_score_cell (void)
{
  Asked asked;

  ask (&asked, "sample = laptop-cpu-matmul-swish-bias-groupnorm\nplans = unfused, as-published\n"
               "ask = cell\ngrid = 2 x 2\ntoo low = no\nright = yes\n");
  SeamDifference *difference = asked.facts->result->plans[asked.facts->places[1]].difference;
  gint64 n = difference->n_cell_rows * difference->n_cell_columns;
  memset (difference->failing, 0, (gsize)n * sizeof *difference->failing);
  g_assert_cmpint (score (&asked, 0, -1, NULL), ==, 0); /* nothing fails, so nothing is right */
  difference->failing[difference->n_cell_columns - 1] = 7;
  g_assert_cmpint (score (&asked, 1, -1, "yes"), ==, 3);
  g_assert_cmpint (score (&asked, 0, -1, "no"), ==, 0);
  difference->failing[n - 1] = 8;
  g_assert_cmpint (score (&asked, 3, -1, "yes"), ==, 3);
  g_assert_cmpint (score (&asked, 1, -1, "no"), ==, 0);
  forget (&asked);
}

/* --- Answers --- */

static SeamLesson *
load_example (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_TEST_APP"), "..", "tests", "core",
                                            "lesson-example.md", NULL);
  g_autoptr (GError) error = NULL;
  SeamLesson *lesson = seam_lesson_load (path, &error);

  g_assert_no_error (error);
  g_assert_true (seam_lesson_verify (lesson, &error));
  g_assert_no_error (error);
  return lesson;
}

static void
test_answers (void)
{
  g_autoptr (SeamLesson) lesson = load_example ();
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
  g_autoptr (GError) error = NULL;
  g_autofree char *folder = g_dir_make_tmp ("lesson-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "mine" SEAM_ANSWERS_SUFFIX, NULL);
  SeamLessonAnswer answer = { .step = (char *)"b",
                              .ask = (char *)"number",
                              .value = 1.5e6,
                              .reason = -1,
                              .guess = NAN,
                              .measured = 9e5,
                              .points = 1 };

  g_assert_true (seam_lesson_answers_add (answers, &answer));
  answer.value = 9e5;
  g_assert_false (seam_lesson_answers_add (answers, &answer)); /* a step is answered once */
  answer.step = (char *)"seam";
  answer.value = NAN;
  answer.points = 0;
  g_assert_true (seam_lesson_answers_add (answers, &answer));
  g_assert_cmpint (seam_lesson_answers_get_points (answers), ==, 1);
  answers->learner = g_strdup ("Ada");
  answers->code = g_strdup ("y0[i] = \"x\";\n\tint ä;\n");
  answers->step = 2;
  answers->furthest = 3;
  answers->answers[0].recorded = TRUE;
  answers->answers[1].attempts = 4;
  answers->answers[1].run = 1700000000001;
  answers->answers[1].reply = g_strdup ("The best seam is 3.");
  g_assert_true (seam_lesson_answers_save (answers, path, &error));
  g_autoptr (SeamLessonAnswers) back = seam_lesson_answers_load (path, &error);
  g_assert_no_error (error);
  g_assert_true (seam_record_equal (&seam_lesson_answers_type, answers, back));
  g_assert_cmpint (back->format, ==, SEAM_ANSWERS_FORMAT);
  g_assert_cmpint (back->furthest, ==, 3);
  g_assert_cmpint (seam_lesson_answers_find (back, "seam")->run, ==, 1700000000001);
  g_assert_cmpstr (seam_lesson_answers_find (back, "seam")->reply, ==, answers->answers[1].reply);
  g_assert_cmpint (seam_lesson_answers_find (back, "seam")->attempts, ==, 4);
  g_assert_true (seam_lesson_answers_find (back, "b")->recorded);
  g_assert_cmpint (g_strv_length (back->steps), ==, lesson->steps->len);
  g_assert_cmpfloat (seam_lesson_answers_find (back, "b")->value, ==, 1.5e6);
  g_assert_true (isnan (seam_lesson_answers_find (back, "seam")->value));
  g_assert_null (seam_lesson_answers_find (back, "right"));

  /* Every shorter file is damaged, and says so with its name. */
  g_autofree char *json = NULL;
  gsize length;
  g_assert_true (g_file_get_contents (path, &json, &length, NULL));
  for (gsize n = 0; n < length - 2; n += 11) {
    g_autoptr (GError) damaged = NULL;
    g_assert_true (g_file_set_contents (path, json, (gssize)n, NULL));
    g_assert_null (seam_lesson_answers_load (path, &damaged));
    g_assert_error (damaged, SEAM_ERROR, SEAM_ERROR_FILE);
    assert_says (damaged, "mine" SEAM_ANSWERS_SUFFIX " holds no answers");
  }
  g_assert_true (g_file_set_contents (path, "{\"lesson\": 3}", -1, NULL));
  g_assert_null (seam_lesson_answers_load (path, NULL));
  g_autofree char *large = g_strnfill (SEAM_ANSWERS_MAX_BYTES + 1, ' ');
  g_assert_true (g_file_set_contents (path, large, -1, NULL));
  g_autoptr (GError) too_large = NULL;
  g_assert_null (seam_lesson_answers_load (path, &too_large));
  assert_says (too_large, "too large");
  g_unlink (path);
  g_assert_null (seam_lesson_answers_load (path, NULL));
  g_rmdir (folder);
}

static void
test_kept (void)
{
  g_autoptr (SeamLesson) lesson = load_example ();
  g_autoptr (SeamLessonAnswers) fresh = seam_lesson_answers_load_kept (lesson);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (fresh->n_answers, ==, 0);
  fresh->step = 1000;
  g_assert_true (seam_lesson_answers_keep (fresh, &error));
  g_autoptr (SeamLessonAnswers) kept = seam_lesson_answers_load_kept (lesson);
  g_assert_cmpint (kept->step, ==, (int)lesson->steps->len);
  g_assert_true (seam_lesson_answers_forget_all (&error));
  g_autoptr (SeamLessonAnswers) forgotten = seam_lesson_answers_load_kept (lesson);
  g_assert_cmpint (forgotten->step, ==, 0);
}

static SeamLesson *
write_lesson (const char *folder, const char *name, const char *title)
{
  g_autofree char *path = g_strdup_printf ("%s/%s" SEAM_LESSON_SUFFIX, folder, name);
  g_autofree char *text =
      g_strdup_printf ("---\ntitle: %s\ntopic: X\nminutes: 5\ngoal: G.\n"
                       "pipelines: conv-relu-hardswish\nneeds:\n---\n\n## Say: S\n\nS.\n",
                       title);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  SeamLesson *lesson = seam_lesson_load (path, &error);
  g_assert_no_error (error);
  return lesson;
}

static void
keep_code (const SeamLesson *lesson, const char *code)
{
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_load_kept (lesson);

  g_free (answers->code);
  answers->code = g_strdup (code);
  g_assert_true (seam_lesson_answers_keep (answers, NULL));
}

/* Answers belong to a file, not to its name; a link to the file is the file. Those of format 1 go
 * to the first lesson of that name and title. */
static void
test_kept_apart (void)
{
  g_autofree char *folder = g_dir_make_tmp ("lesson-XXXXXX", NULL);
  g_autofree char *a = g_build_filename (folder, "a", NULL);
  g_autofree char *b = g_build_filename (folder, "b", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *older = g_build_filename (g_get_user_state_dir (), "seamscope", "lessons",
                                             "my%20own" SEAM_ANSWERS_SUFFIX, NULL);
  g_autoptr (SeamLesson) mine = write_lesson (a, "my own", "T");
  g_autoptr (SeamLesson) yours = write_lesson (b, "my own", "T");
  g_autoptr (SeamLesson) other = write_lesson (b, "1-why-fuse", "Mine");
  g_autoptr (SeamLesson) installed = seam_lesson_find ("1-why-fuse", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (seam_lesson_answers_forget_all (NULL));
  g_assert_cmpint (symlink (a, link), ==, 0);
  keep_code (mine, "of a");
  keep_code (yours, "of b");
  keep_code (other, "of my own");
  keep_code (installed, "of the program's");
  g_autoptr (SeamLesson) linked = write_lesson (link, "my own", "T");
  const struct {
    const SeamLesson *lesson;
    const char *code;
  } expected[] = { { mine, "of a" },
                   { linked, "of a" },
                   { yours, "of b" },
                   { other, "of my own" },
                   { installed, "of the program's" } };
  for (gsize i = 0; i < G_N_ELEMENTS (expected); i++) {
    g_autoptr (SeamLessonAnswers) kept = seam_lesson_answers_load_kept (expected[i].lesson);
    g_autoptr (SeamLessonAnswers) first = seam_lesson_answers_load_kept (mine);
    g_assert_cmpstr (kept->code, ==, expected[i].code);
    g_assert_cmpint (g_strcmp0 (kept->id, first->id) == 0, ==, i < 2);
  }

  g_assert_true (seam_lesson_answers_forget_all (NULL));
  g_assert_true (g_file_set_contents (
      older, "{\"id\":\"i\",\"lesson\":\"my own\",\"title\":\"T\",\"code\":\"older\"}", -1, NULL));
  g_autoptr (SeamLessonAnswers) taken = seam_lesson_answers_load_kept (yours);
  g_autoptr (SeamLessonAnswers) fresh = seam_lesson_answers_load_kept (mine);
  g_assert_cmpstr (taken->code, ==, "older");
  g_assert_cmpstr (taken->id, ==, "i");
  g_assert_cmpstr (taken->lesson_hash, ==, yours->hash);
  g_assert_null (fresh->code);
  /* What may be the answers to the program's lesson stays where it is. */
  keep_code (installed, "of the program's");
  g_autoptr (SeamLesson) copy = write_lesson (b, "1-why-fuse", installed->title);
  g_autoptr (SeamLessonAnswers) none = seam_lesson_answers_load_kept (copy);
  g_assert_null (none->code);
  g_assert_true (seam_lesson_answers_forget_all (NULL));
  g_autofree char *command = g_strdup_printf ("rm -r '%s'", folder);
  g_assert_true (g_spawn_command_line_sync (command, NULL, NULL, NULL, &error));
}

/* --- The lessons that come with the program --- */

#define N_LESSONS 7

/* Numbers come from samples and runs: none is typed into a text. Names (#57, FP32, TF32, add3) and
 * numbers in code are none. “Here” is this computer: a recorded run was elsewhere. */
static void
check_text (const SeamLesson *lesson, const SeamLessonStep *step, const char *text)
{
  g_autoptr (GRegex) kept_out = g_regex_new (
      "\\{[^}]*\\}|`[^`]*`|\\[[^]]*\\]\\([^)]*\\)|[A-Za-z#][A-Za-z#+-]*[0-9]+[A-Za-z]*", 0, 0,
      NULL);

  if (text == NULL)
    return;
  g_autofree char *left = g_regex_replace_literal (kept_out, text, -1, 0, "", 0, NULL);
  if (strpbrk (left, "0123456789") != NULL)
    g_error ("%s, line %d: a number is typed into “%s”", lesson->name, step->line, left);
  if (g_regex_match_simple ("\\bhere\\b", left, G_REGEX_CASELESS, 0))
    g_error ("%s, line %d: “here” may be said of a recorded run: “%s”", lesson->name, step->line,
             left);
}

static int
count_items (const char *body)
{
  int n = 0;

  for (const char *at = body; (at = strstr (at, "- ")) != NULL; at += 2)
    n += at == body || at[-1] == '\n';
  return n;
}

/* Words that a learner reads and the time of reading them, of predicting and of running. */
static double
estimate_minutes (const SeamLesson *lesson)
{
  double minutes = 0;

  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);
    g_auto (GStrv) words = g_strsplit_set (step->body, " \n", -1);
    minutes += g_strv_length (words) / 180.0;
    minutes += step->kind == SEAM_STEP_PREDICT ? 0.7 : step->kind == SEAM_STEP_PROVE ? 0.5 : 0.2;
  }
  return minutes;
}

static void
check_step (const SeamLesson *lesson, const SeamLessonStep *step)
{
  const char *texts[] = { step->title,    step->body,  step->too_low,
                          step->too_high, step->right, step->why };
  const GPtrArray *lists[] = { step->choices, step->facts, step->checks };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    check_text (lesson, step, texts[i]);
  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++) {
      const SeamLessonItem *item = lists[k]->pdata[i];
      check_text (lesson, step, item->text);
      check_text (lesson, step, item->reply);
      /* A wrong choice and a condition that fails get a sentence. */
      if (k == 2 || (k == 0 && step->ask == SEAM_ASK_CHOICE))
        g_assert_nonnull (item->reply);
    }
  if (step->kind != SEAM_STEP_PREDICT)
    return;
  g_assert_nonnull (step->right);
  if (step->ask == SEAM_ASK_NUMBER) {
    g_assert_nonnull (step->too_low);
    g_assert_nonnull (step->too_high);
    g_assert_cmpuint (step->facts->len, >=, 2);
  }
  if (step->sample == NULL)
    return;
  /* The answer is in the range that the question offers, and exactly one choice is right. */
  g_autoptr (SeamLessonFacts) facts = seam_lesson_step_load (step, NULL);
  if (step->ask == SEAM_ASK_NUMBER) {
    SeamLessonValue value;
    seam_formula_evaluate (step->answer, facts, &value);
    g_assert_cmpfloat (value.number, >=, step->low);
    g_assert_cmpfloat (value.number, <=, step->high);
    seam_lesson_value_clear (&value);
  } else {
    int n_right = 0;
    for (guint i = 0; i < step->choices->len; i++)
      n_right +=
          seam_formula_holds (((const SeamLessonItem *)step->choices->pdata[i])->formula, facts);
    g_assert_cmpint (n_right, ==, 1);
  }
}

static void
test_lessons (void)
{
  g_autoptr (GPtrArray) problems = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (problems);

  for (guint i = 0; i < problems->len; i++)
    g_error ("%s", (const char *)problems->pdata[i]);
  g_assert_cmpuint (lessons->len, ==, N_LESSONS);
  for (guint i = 0; i < lessons->len; i++) {
    const SeamLesson *lesson = lessons->pdata[i];
    g_autoptr (GError) error = NULL;
    int n_guesses = 0, n_checks = 0;
    gboolean runs_here = FALSE;

    if (!seam_lesson_verify (lesson, &error))
      g_error ("%s", error->message);
    g_assert_cmpint (lesson->minutes, <=, 10);
    if (estimate_minutes (lesson) > 10.5)
      g_error ("%s takes about %.1f minutes", lesson->name, estimate_minutes (lesson));
    g_assert_cmpuint (lesson->steps->len, >=, 5);
    g_assert_cmpuint (lesson->steps->len, <=, 9);
    for (guint k = 0; k < lesson->steps->len; k++) {
      const SeamLessonStep *step = seam_lesson_get_step (lesson, k);
      check_step (lesson, step);
      n_checks += step->kind == SEAM_STEP_PROVE;
      runs_here = runs_here || (step->kind == SEAM_STEP_PROVE && step->sample == NULL);
      n_guesses +=
          step->kind == SEAM_STEP_COMPARE
          && seam_lesson_step_get_asked_plan (seam_lesson_get_step (lesson, step->about)) >= 0;
      /* What a learner runs takes seconds on two cores. */
      if (step->sample == NULL && step->pipeline != NULL && step->preset != NULL)
        g_assert_true (g_str_equal (step->preset, "laptop") || g_str_equal (step->preset, "tiny"));
    }
    g_assert_cmpint (n_guesses, >=, 1);
    g_assert_cmpint (n_checks, >=, 1);
    g_assert_true (runs_here);
    const SeamLessonStep *last = seam_lesson_get_step (lesson, lesson->steps->len - 1);
    g_assert_cmpint (count_items (last->body), ==, 3);
  }
}

/* A recorded run has the plans of its step in their order, so that figures and texts give a plan
 * the same letter. */
static void
test_letters (void)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);

  for (guint i = 0; i < lessons->len; i++)
    for (guint k = 0; k < ((SeamLesson *)lessons->pdata[i])->steps->len; k++) {
      const SeamLessonStep *step = seam_lesson_get_step (lessons->pdata[i], k);
      g_autoptr (GError) error = NULL;
      if (step->sample == NULL)
        continue;
      g_autoptr (SeamLessonFacts) facts = seam_lesson_step_load (step, &error);
      g_assert_no_error (error);
      g_assert_cmpint (facts->n_plans, >=, 2);
      for (int p = 0; p < facts->n_plans; p++)
        g_assert_cmpint (facts->places[p], ==, p);
    }
}

/* The skeleton lies beside its lesson, and one of the plans has the group that it is for. */
static void
test_skeletons (void)
{
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  int n = 0;

  for (guint i = 0; i < lessons->len; i++)
    for (guint k = 0; k < ((SeamLesson *)lessons->pdata[i])->steps->len; k++) {
      const SeamLesson *lesson = lessons->pdata[i];
      const SeamLessonStep *step = seam_lesson_get_step (lesson, k);
      if (step->skeleton == NULL)
        continue;
      g_autofree char *path = g_build_filename (lesson->folder, step->skeleton, NULL);
      g_autofree char *text = NULL;
      g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
      g_assert_nonnull (strstr (text, "stage_0"));
      g_autoptr (SeamPipeline) pipeline = seam_pipeline_find (step->pipeline, NULL);
      int n_edited = 0;
      for (int p = 0; step->plans[p] != NULL; p++) {
        g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, step->plans[p], NULL);
        for (int g = 0; g < plan->n_groups; g++)
          n_edited += seam_group_is (&plan->groups[g], SEAM_IMPLEMENTATION_EDITED);
      }
      g_assert_cmpint (n_edited, ==, 1);
      n++;
    }
  g_assert_cmpint (n, ==, 1);
}

/* --- The help page --- */

static void
check_in_page (const char *page, const char *name, const char *words)
{
  g_autofree char *row = g_strdup_printf ("| `%s` | %s |", name, words);

  if (strstr (page, row) == NULL)
    g_error ("data/help/lessons.md lacks the row “%s”", row);
}

static char *
describe_function (const SeamLessonFunction *function)
{
  GString *text = g_string_new (function->name);
  int n_plans = 0;

  g_string_append_c (text, '(');
  for (const char *at = function->takes; *at != '\0'; at++)
    g_string_append_printf (text, "%s%s", at == function->takes ? "" : ", ",
                            *at == 'p'   ? n_plans++ == 0 ? "A" : "B"
                            : *at == 'o' ? "op"
                            : *at == 's' ? "seam"
                                         : "word");
  return g_string_free (g_string_append_c (text, ')'), FALSE);
}

static void
test_help (void)
{
  g_autofree char *path = get_data_path ("help", "lessons.md");
  g_autofree char *page = NULL;
  int n_rows = 0, n_known = 0;

  g_assert_true (g_file_get_contents (path, &page, NULL, NULL));
  for (const SeamLessonKey *key = seam_lesson_keys; key->name != NULL; key++, n_known++)
    check_in_page (page, key->name, key->words);
  for (const SeamLessonFunction *function = seam_lesson_functions; function->name != NULL;
       function++, n_known++) {
    g_autofree char *name = describe_function (function);
    check_in_page (page, name, function->words);
  }
  /* Nothing is listed that no longer exists: these are the rows that begin with code. */
  for (const char *at = page; (at = strstr (at, "\n| `")) != NULL; at++)
    n_rows++;
  g_assert_cmpint (n_rows, ==, n_known);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson/bad-files", test_bad_files);
  g_test_add_func ("/lesson/limits", test_limits);
  g_test_add_func ("/lesson/covered", test_covered);
  g_test_add_func ("/lesson/damaged-files", test_damaged_files);
  g_test_add_func ("/lesson/score-number", test_score_number);
  g_test_add_func ("/lesson/score-words", test_score_words);
  g_test_add_func ("/lesson/score-choice", test_score_choice);
  g_test_add_func ("/lesson/score-cut", test_score_cut);
  g_test_add_func ("/lesson/score-cell", test_score_cell);
  g_test_add_func ("/lesson/answers", test_answers);
  g_test_add_func ("/lesson/kept", test_kept);
  g_test_add_func ("/lesson/lessons", test_lessons);
  g_test_add_func ("/lesson/letters", test_letters);
  g_test_add_func ("/lesson/kept-apart", test_kept_apart);
  g_test_add_func ("/lesson/skeletons", test_skeletons);
  g_test_add_func ("/lesson/help", test_help);
  return g_test_run ();
}
