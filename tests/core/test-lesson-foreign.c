/* SPDX-License-Identifier: MIT
 *
 * Lessons that other people wrote: what they name leads nowhere else, what is missing or too large
 * is said with its line, and what no window could lay out is cut.
 */
#include "app/base/error.h"
#include "app/lesson/score.h"
#include "tests/core/lesson-text.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HERE "pipeline = conv-relu-hardswish\nplans = unfused, published\n"
#define EDITED                                                                                     \
  "pipeline = conv-relu-hardswish\n"                                                               \
  "plans = unfused, conv+conv_bias+relu+add3+div6+clamp+mul@edited\n"

#define NUMBER(answer, range) SAMPLE "ask = number\nanswer = " answer "\nrange = " range "\n"

/* Keys and text of a step, and what is said of it; NULL: it is right. */
static const struct {
  const char *kind, *keys, *text, *says;
} asked_for[] = {
  { "Say", SAMPLE, "{0 - ops() * 1e300}", "line 8" },
  { "Say", SAMPLE, "{ops() * 2e15}", "line 8" },
  { "Say", SAMPLE, "{elapsed(A) * 1e300|ms}", "line 8" },
  { "Say", SAMPLE, "{ops()} {0-ops()} {ops() * 1e12}", NULL },
  { "Say", "sample = no-such-sample\nplans = unfused\n", "", "line 8: " },
  { "Say", "sample = h200-conv-relu-hardswish\nplans = unfused, nothing\n", "", "“nothing”" },
  { "Say", "pipeline = conv-relu-hardswish\nplans = unfused, nothing\n", "", "nothing" },
  { "Say", "pipeline = conv-rely-hardswish\nplans = unfused, published\n", "",
    "no pipeline “conv-rely-hardswish”" },
  { "Say", HERE "preset = gigantic\n", "", "gigantic" },
  { "Predict", SAMPLE "ask = cut\nanswer = ops() * -1000\n", "",
    "line 14: “ops() * -1000” is not a seam here; seams are numbered from 1 to 6." },
  { "Predict", SAMPLE "ask = cut\nanswer = ops()\n", "", "line 14" },
  { "Predict", SAMPLE "ask = cut\nanswer = ops() - 6.5\n", "", "line 14" },
  { "Predict", SAMPLE "ask = cut\nanswer = ops() - 1\n", "", NULL },
  { "Predict", SAMPLE "ask = number\nanswer = elapsed(B) / 0\nrange = 1 us to 9 ms\n", "",
    "line 14: The sample does not give “elapsed(B) / 0”." },
  { "Predict", SAMPLE "ask = choice\nchoice = a\nif = no\nchoice = b\nif = no\n", "",
    "the right answer" },
  { "Predict", SAMPLE "ask = cell\ngrid = 2 x 2\n", "", "the right answer" },
  { "Predict", SAMPLE "ask = choice\nchoice = a\nif = yes\nchoice = b\nif = yes\n", "",
    "line 8: Every choice is right." },
  { "Predict", HERE "ask = choice\nchoice = a\nif = yes\nchoice = b\nif = yes\n", "",
    "line 8: Every choice is right." },
  { "Predict", HERE "ask = choice\nchoice = a\nif = yes\nchoice = b\nif = is_faster(A, B)\n", "",
    NULL },
  { "Predict", SAMPLE "ask = cut\nanswer = 1 * ops() - 1\nchoice = a\nif = no\n", "",
    "line 8: No choice is right." },
  { "Predict", SAMPLE "ask = choice\nchoice = a\nif = yes\nchoice = **a**\nif = no\n", "",
    "line 16: “a” is there twice" },
  { "Predict", HERE "ask = choice\nchoice = {elapsed(A)}\nif = yes\nchoice = {bytes(B)}\nif = no\n",
    "", NULL },
  { "Predict", SAMPLE "ask = choice\nchoice =\nif = yes\nchoice = b\nif = no\n", "",
    "line 14: “” is no name" },
  { "Predict", NUMBER ("elapsed(B)", "1 us to 9 ms") "fact = A: elapsed(A)\nfact = A: bytes(A)\n",
    "", "line 17: “A” is there twice" },
  { "Predict", NUMBER ("elapsed(B)", "1 us to 9 ms") "fact = A: elapsed(A)\nfact = B: bytes(B)\n",
    "", NULL },
  { "Predict", NUMBER ("elapsed(B)", "1 us to 2 us"), "",
    "line 14: “elapsed(B)” is not above 0 and in “range”." },
  { "Predict", NUMBER ("elapsed(B)", "1 s to 2 s"), "", "line 14: “elapsed(B)” is not above 0" },
  { "Predict", NUMBER ("elapsed(B) - elapsed(B)", "0 us to 9 ms"), "", "line 14: “elapsed(B) - " },
  { "Predict", NUMBER ("bytes(B)", "1 us to 9 s"), "", "line 14: “answer” and “range” need" },
  { "Predict", NUMBER ("ratio(A, B)", "1 to 9"), "", NULL },
  { "Predict", "ask = number\nanswer = floor()\nrange = 1 us to 9 ms\n", "", "line 12: " },
  { "Say", SAMPLE "page = nothing\n", "", "line 8: The window has no page “nothing”." },
  { "Run", HERE "recorded = no-such-sample\n", "", "no-such-sample" },
  { "Run", HERE "recorded = h200-gemm-bias-relu\n", "",
    "line 8: “h200-gemm-bias-relu” is a run of" },
  { "Run", HERE "recorded = h200-conv-relu-hardswish\n", "", NULL },
  { "Say", "sample = ../../x\n", "", "line 11: “../../x” is not the name of a file" },
  { "Run", HERE "recorded = ../x\n", "", "line 13: “../x”" },
  { "Say", HERE "pipeline = /dev/zero\n", "", "line 13: “/dev/zero”" },
  { "Say", HERE "pipeline = ../x.ini\n", "", "line 13: “../x.ini”" },
  { "Say", "pipeline = none.ini\n", "", "none.ini: there is no such file" },
  { "Say", HERE "pipeline = none.ini\n", "", "none.ini: there is no such file" },
  { "Say", "pipeline = pipe.ini\nplans = unfused\n", "",
    "pipe.ini: it is a folder, a pipe or a device" },
  { "Say", "pipeline = beside.ini\nplans = unfused\n", "{ops()}", NULL },
  { "Run", EDITED "skeleton = ../.ssh/id_fake\n", "",
    "line 13: “../.ssh/id_fake” is not the name of a file" },
  { "Run", EDITED "skeleton = ../../../dev/zero\n", "", "line 13: “../../../dev/zero”" },
  { "Run", EDITED "skeleton = ..\n", "", "line 13: “..”" },
  { "Run", EDITED "skeleton = none.c\n", "", "none.c: there is no such file" },
  { "Run", EDITED "skeleton = pipe.ini\n", "", "a pipe or a device" },
  { "Run", EDITED "skeleton = link.c\n", "", "link.c: it is a link" },
  { "Run", EDITED "skeleton = large.c\n", "", "large.c: it is too large" },
  { "Run", EDITED "skeleton = nul.c\n", "", "nul.c: it is not a text in UTF-8" },
  { "Run", EDITED "skeleton = good.c\n", "", NULL },
};

/* A lesson of 1 MB, a paragraph of 300 kB and a table of 30,000 rows or 3,000 columns are read at
 * once, and what a window could not lay out is cut with a sentence. */
static void
test_long_texts (const char *path)
{
  static const char *const parts[][2] = {
    { "", "word " }, { "| a |\n|---|\n", "| b |\n" },
    { "|", " a |" }, { "", "> " },
    { "", "a\n\n" }, { "", "- a\n" },
  };

  for (gsize i = 0; i < G_N_ELEMENTS (parts); i++) {
    g_autofree char *text = repeat (parts[i][1], 60000, "", "");
    g_autofree char *all = g_strconcat (HEAD "## Say: a\n\n", parts[i][0], text, NULL);
    g_assert_true (g_file_set_contents (path, all, -1, NULL));
    g_autoptr (SeamLesson) lesson = seam_lesson_load (path, NULL);
    const SeamLessonStep *step = seam_lesson_get_step (lesson, 0);
    g_assert_cmpuint (strlen (step->body), <, 10500);
    g_assert_nonnull (strstr (step->body, "The text is cut here:"));
  }
}

/* Formulas may make a short text long. */
static void
test_long_values (void)
{
  g_autofree char *text = repeat ("{plan(B)} ", 1000, "", "");
  g_autofree char *head = g_strconcat (HEAD "## Say: a\n\n" KEYS (EDITED) "\n", text, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_parse (head, "mine", &error);
  g_assert_no_error (error);
  const SeamLessonStep *step = seam_lesson_get_step (lesson, 0);
  g_autoptr (SeamLessonFacts) subject = seam_lesson_step_load (step, &error);
  g_assert_no_error (error);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (step, subject);
  g_autofree char *words = seam_markdown_get_words (body);
  g_assert_cmpuint (strlen (words), <, 10500);
  g_assert_nonnull (strstr (words, "The text is cut here:"));
}

/* A byte order mark and the line ends of other systems make no other lesson; two blanks at the end
 * of a line, which break it in Markdown, stay. */
static void
test_line_ends (const char *path)
{
  static const char plain[] = HEAD "## Say: a\n\n" KEYS (SAMPLE) "\nx  \ny\n";
  g_autoptr (SeamLesson) expected = seam_lesson_parse (plain, "lesson", NULL);
  g_auto (GStrv) lines = g_strsplit (plain, "\n", -1);
  g_autofree char *joined = g_strjoinv ("\r\n", lines);
  g_autofree char *text = g_strconcat ("\xef\xbb\xbf", joined, NULL);
  g_autoptr (GError) error = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  g_autoptr (SeamLesson) lesson = seam_lesson_load (path, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (lesson->hash, ==, expected->hash);
  g_assert_cmpstr (seam_lesson_get_step (lesson, 0)->body, ==, "x  \ny");
}

static void
test_mistakes (void)
{
  g_autofree char *folder = g_dir_make_tmp ("seamscope-lesson-XXXXXX", NULL);
  g_autofree char *path = g_build_filename (folder, "lesson.md", NULL);
  g_autofree char *pipeline =
      g_build_filename (seam_data_dir (), "pipelines", "conv-relu-hardswish.ini", NULL);
  g_autofree char *large = repeat ("x", 300000, "", "");
  g_autofree char *beside = NULL;

  g_assert_true (g_file_get_contents (pipeline, &beside, NULL, NULL));
  const struct {
    const char *name, *text;
    gssize length;
  } files[] = {
    { "good.c", "x", 1 },         { "nul.c", "a\0b", 3 }, { "large.c", large, -1 },
    { "beside.ini", beside, -1 }, { "lesson.md", "", 0 },
  };
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *file = g_build_filename (folder, files[i].name, NULL);
    g_assert_true (g_file_set_contents (file, files[i].text, files[i].length, NULL));
  }
  g_autofree char *link = g_build_filename (folder, "link.c", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe.ini", NULL);
  g_assert_cmpint (symlink ("good.c", link), ==, 0);
  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);

  for (gsize i = 0; i < G_N_ELEMENTS (asked_for); i++) {
    g_autoptr (GError) error = NULL;
    g_autofree char *text =
        g_strdup_printf (HEAD "## %s: S\n\n```seamscope\n%s```\n\n%s\n", asked_for[i].kind,
                         asked_for[i].keys, asked_for[i].text);
    g_assert_true (g_file_set_contents (path, text, -1, NULL));
    g_autoptr (SeamLesson) lesson = seam_lesson_load (path, &error);
    gboolean good = lesson != NULL && seam_lesson_verify (lesson, &error);
    if (asked_for[i].says == NULL)
      g_assert_no_error (error);
    else
      assert_says (error, asked_for[i].says);
    g_assert_true (good == (asked_for[i].says == NULL));
  }
  test_long_texts (path);
  test_line_ends (path);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *file = g_build_filename (folder, files[i].name, NULL);
    g_remove (file);
  }
  g_remove (link);
  g_remove (pipe);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/lesson-foreign/mistakes", test_mistakes);
  g_test_add_func ("/lesson-foreign/long-values", test_long_values);
  return g_test_run ();
}
