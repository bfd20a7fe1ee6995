/* SPDX-License-Identifier: MIT
 *
 * The answers of a class: a hundred files in under a second, folders in folders, what is damaged
 * named and left out, the same file and its copies added once.
 */
#include "app/lesson/class-plot.h"
#include "app/lesson/class.h"

#include "app/base/error.h"
#include "tests/core/remove-tree.h"

#include <glib/gstdio.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define N_LEARNERS 100

/* Pango keeps its fonts for the life of the thread, and the leak checker does not see that. */
const char *__lsan_default_suppressions (void);
const char *
__lsan_default_suppressions (void)
{
  return "leak:libfontconfig";
}

static SeamLesson *
load_lesson (void)
{
  g_autoptr (GError) error = NULL;
  SeamLesson *lesson = seam_lesson_load (g_getenv ("SEAMSCOPE_TEST_LESSON"), &error);

  g_assert_no_error (error);
  return lesson;
}

static void
write_answers (const SeamLesson *lesson, const char *path, double value, const char *learner)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
  SeamLessonAnswer answer = {
    .step = (char *)"b",
    .ask = (char *)"number",
    .value = value,
    .reason = -1,
    .guess = 9e5,
    .guess_low = NAN,
    .guess_high = NAN,
    .measured = 9.23e5,
    .measured_low = NAN,
    .measured_high = NAN,
    .points = 2,
    .committed_at = (char *)"2026-11-26T09:00:00Z",
  };
  SeamLessonAnswer choice = answer;

  choice.step = (char *)"right";
  choice.ask = (char *)"choice";
  choice.value = value > 1e6 ? 1 : 0;
  answers->learner = g_strdup (learner);
  g_assert_true (seam_lesson_answers_add (answers, &answer));
  g_assert_true (seam_lesson_answers_add (answers, &choice));
  g_assert_true (seam_lesson_answers_save (answers, path, &error));
  g_assert_no_error (error);
}

static char *
make_folder (void)
{
  g_autoptr (GError) error = NULL;
  char *folder = g_dir_make_tmp ("seam-class-XXXXXX", &error);

  g_assert_no_error (error);
  return folder;
}

/* Learners' files, ten a folder, in folders of the folder. */
static void
write_class (const SeamLesson *lesson, const char *folder, int n)
{
  for (int i = 0; i < n; i++) {
    g_autofree char *group = g_strdup_printf ("%s/table %d", folder, i / 10);
    g_autofree char *path = g_strdup_printf ("%s/learner %d" SEAM_ANSWERS_SUFFIX, group, i % 10);

    g_mkdir_with_parents (group, 0700);
    write_answers (lesson, path, (i + 1) * 2e4, i == 7 ? "=Ada" : NULL);
  }
}

static void
test_hundred (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  g_autofree char *folder = make_folder ();
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autofree double *values = NULL;
  g_auto (GStrv) names = NULL, lines = NULL;
  clock_t start; /* of this process alone: other tests run beside it */
  double seconds;
  int n;

  write_class (lesson, folder, N_LEARNERS);
  start = clock ();
  seam_class_add (class, folder);
  values = seam_class_get_values (class, lesson, "b", &n);
  {
    g_autofree char *csv = seam_class_format_csv (class);

    seconds = (double)(clock () - start) / CLOCKS_PER_SEC;
    g_assert_nonnull (
        strstr (csv, "lesson,step,learner,value,unit,guess,measured,points,date,reason,recorded,"
                     "attempts\r\n"));
    g_assert_nonnull (strstr (csv, ",b,'=Ada,160000,"));
    /* Choices count from 1, as on the screen. */
    g_assert_nonnull (
        strstr (csv, ",right,,2,choice,900000,923001,2,2026-11-26T09:00:00Z,,no,\r\n"));
    lines = g_strsplit (csv, "\r\n", -1);
    g_assert_cmpint (g_strv_length (lines), ==, 1 + 2 * N_LEARNERS + 1);
  }
  g_test_message ("%d files in %.3f s", N_LEARNERS, seconds);
  g_assert_cmpfloat (seconds, <, 1);
  g_assert_cmpint (class->members->len, ==, N_LEARNERS);
  g_assert_cmpint (class->problems->len, ==, 0);
  g_assert_cmpint (n, ==, N_LEARNERS);
  for (int i = 0; i < n; i++)
    g_assert_cmpfloat (values[i], ==, (i + 1) * 2e4);
  names = seam_class_list_lessons (class);
  g_assert_cmpint (g_strv_length (names), ==, 1);
  g_assert_cmpstr (names[0], ==, lesson->name);
  remove_tree (folder);
}

static void
test_damaged (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  g_autofree char *folder = make_folder ();
  g_autoptr (SeamClass) class = seam_class_new ();
  static const struct {
    const char *name, *content;
  } files[] = {
    { "cut" SEAM_ANSWERS_SUFFIX, "{\"lesson\":\"x\"," }, { "empty" SEAM_ANSWERS_SUFFIX, "" },
    { "other" SEAM_ANSWERS_SUFFIX, "{\"lesson\":12}" },  { "list" SEAM_ANSWERS_SUFFIX, "[1,2]" },
    { "notes.txt", "not an answer, and not looked at" },
  };

  write_class (lesson, folder, 3);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
    g_assert_true (g_file_set_contents (path, files[i].content, -1, NULL));
  }
  seam_class_add (class, folder);
  seam_class_add (class, "/nowhere/at/all");
  seam_class_add (class, "/dev/null");
  g_assert_cmpint (class->members->len, ==, 3);
  g_assert_cmpint (class->problems->len, ==, 6);
  for (guint i = 0; i < 4; i++) {
    gboolean named = FALSE;

    for (guint k = 0; k < class->problems->len; k++)
      named = named || strstr (class->problems->pdata[k], files[i].name) != NULL;
    g_assert_true (named);
  }
  g_assert_nonnull (strstr (class->problems->pdata[4], "/nowhere/at/all was left out: "));
  g_assert_nonnull (strstr (class->problems->pdata[5], "/dev/null was left out: "));
  remove_tree (folder);
}

/* By its path, a link, a folder and a folder that contains itself. */
static void
test_same_file (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  g_autofree char *folder = make_folder ();
  g_autofree char *file = g_build_filename (folder, "a" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *equal = g_build_filename (folder, "b" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *link = g_build_filename (folder, "c" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *loop = g_build_filename (folder, "again", NULL);
  g_autoptr (SeamClass) class = seam_class_new ();

  write_answers (lesson, file, 5e5, NULL);
  write_answers (lesson, equal, 5e5, NULL);
  g_assert_cmpint (symlink (file, link), ==, 0);
  g_assert_cmpint (symlink (folder, loop), ==, 0);
  seam_class_add (class, file);
  seam_class_add (class, file);
  seam_class_add (class, folder);
  seam_class_add (class, folder);
  g_assert_cmpint (class->members->len, ==, 2);
  g_assert_cmpint (class->problems->len, ==, 0);
  remove_tree (folder);
}

/* A copy by another name, the same answers later with one more, and a file without an id. */
static void
test_copies (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  g_autofree char *folder = make_folder ();
  g_autofree char *file = g_build_filename (folder, "a" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *copy = g_build_filename (folder, "b" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *later = g_build_filename (folder, "c" SEAM_ANSWERS_SUFFIX, NULL);
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autofree char *content = NULL, *said = NULL;
  g_autofree double *values = NULL, *seams = NULL;
  gsize length;
  int n;

  write_answers (lesson, file, 5e5, NULL);
  g_assert_true (g_file_get_contents (file, &content, &length, NULL));
  g_assert_true (g_file_set_contents (copy, content, (gssize)length, NULL));
  {
    g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_load (file, NULL);
    SeamLessonAnswer more = answers->answers[0];

    more.step = (char *)"seam";
    more.ask = (char *)"cut";
    more.value = 1;
    g_assert_true (seam_lesson_answers_add (answers, &more));
    g_assert_true (seam_lesson_answers_save (answers, later, NULL));
    for (int i = 0; i < 2; i++) {
      g_autofree char *older = g_strdup_printf ("%s/older %d" SEAM_ANSWERS_SUFFIX, folder, i);
      g_clear_pointer (&answers->id, g_free);
      g_assert_true (seam_lesson_answers_save (answers, older, NULL));
    }
  }
  seam_class_add (class, folder);
  said = seam_class_describe_files (class);
  g_assert_cmpstr (said, ==,
                   "5 files of answers (copies that count once: 1; merged with others of one "
                   "learner: 1)");
  values = seam_class_get_values (class, lesson, "b", &n);
  g_assert_cmpint (n, ==, 3);
  seams = seam_class_get_values (class, lesson, "seam", &n);
  g_assert_cmpint (n, ==, 3);
  remove_tree (folder);
}

/* What a learner hands in is read and never followed: nothing that it names is opened. */
static void
test_foreign (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  g_autofree char *folder = make_folder ();
  g_autofree char *inner = g_build_filename (folder, "in", NULL);
  g_autofree char *elsewhere = g_build_filename (folder, "mine" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *deep = g_build_filename (inner, "deep" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *link = g_build_filename (inner, "link" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *fifo = g_build_filename (inner, "fifo" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *linked = g_build_filename (inner, "linked" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *text = g_malloc (80001);
  g_autoptr (SeamClass) class = seam_class_new ();
  static const struct {
    const char *name, *content, *reason;
  } files[] = {
    { "device", "{\"lesson\":\"/dev/zero\"}", "“/dev/zero” is not a lesson's name" },
    { "up", "{\"lesson\":\"../x\"}", "“../x” is not a lesson's name" },
    { "dots", "{\"lesson\":\"..\"}", "“..” is not a lesson's name" },
    { "none", "{\"lesson\":\"\"}", "“” is not a lesson's name" },
    { "newer", "{\"format\":3,\"lesson\":\"x\"}", "a newer Seamscope made it" },
    { "half", "{\"lesson\":\"x\\ud800\"}", "it is damaged" },
    { "comment", "{\"lesson\":/*\"*/\"x\"}", "it is damaged" },
    { "two", "{\"lesson\":\"x\"}{\"lesson\":\"x\"}", "it is damaged" },
    { "no-pair", "{\"lesson\":\"\\ud800\\u0041\"}", "it is damaged" },
    { "open-string", "{\"lesson\":\"x", "it is damaged" },
    { "tab", "{\"lesson\":\"x\ty\"}", "it is damaged" },
    { "quotes", "{'lesson':'x'}", "it is damaged" },
    { "zero", "{\"lesson\":\"x\",\"step\":01}", "it is damaged" },
    { "nul", "{\"lesson\":\"x\",\"learner\":\"Ada\\u0000B\"}", "a text in it holds \\u0000" },
    { "deep", NULL, "nested too deeply" },
    { "link", NULL, "leads out of the folder" },
    { "linked", NULL, "leads out of the folder" },
    { "fifo", NULL, "neither a file nor a folder" },
  };

  g_assert_cmpint (g_mkdir (inner, 0700), ==, 0);
  write_answers (lesson, elsewhere, 5e5, NULL);
  memset (text, '[', 40000);
  memset (text + 40000, ']', 40000);
  text[80000] = '\0';
  g_assert_true (g_file_set_contents (deep, text, -1, NULL));
  g_assert_cmpint (symlink (elsewhere, link), ==, 0);
  g_assert_cmpint (symlink ("..", linked), ==, 0);
  g_assert_cmpint (mkfifo (fifo, 0600), ==, 0);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_strdup_printf ("%s/%s" SEAM_ANSWERS_SUFFIX, inner, files[i].name);
    g_assert_true (files[i].content == NULL
                   || g_file_set_contents (path, files[i].content, -1, NULL));
  }
  seam_class_add (class, inner);
  g_assert_cmpint (class->members->len, ==, 0);
  g_assert_cmpint (class->problems->len, ==, G_N_ELEMENTS (files));
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *start =
        g_strdup_printf ("%s/%s" SEAM_ANSWERS_SUFFIX " was left out: ", inner, files[i].name);
    gboolean found = FALSE;

    for (guint k = 0; k < class->problems->len; k++)
      found = found
              || (g_str_has_prefix (class->problems->pdata[k], start)
                  && strstr (class->problems->pdata[k], files[i].reason) != NULL);
    if (!found)
      g_error ("%s is not said to be: %s", files[i].name, files[i].reason);
  }
  /* Who chooses the link itself means its file. */
  seam_class_add (class, link);
  g_assert_cmpint (class->members->len, ==, 1);
  remove_tree (folder);
}

static void
write_text (const char *folder, const char *name, const char *text)
{
  g_autofree char *path = g_strdup_printf ("%s/%s" SEAM_ANSWERS_SUFFIX, folder, name);

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
}

#define PLAIN(id, name, title, more, step, value)                                                  \
  "{" id "\"lesson\":\"" name "\",\"title\":\"" title "\"," more "\"answers\":[{\"step\":\"" step  \
  "\",\"ask\":\"number\",\"value\":" value "}]}"

/* By name, title and steps; files of format 1 go where their answers fit. */
static void
test_groups (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  g_autofree char *folder = make_folder ();
  g_autofree char *own = g_build_filename (folder, "own" SEAM_ANSWERS_SUFFIX, NULL);
  g_autoptr (SeamClass) class = seam_class_new ();
  g_auto (GStrv) names = NULL;
  g_autofree double *values = NULL;
  g_autofree char *warning = NULL, *said = NULL;
  g_autoptr (GError) error = NULL;
  static const char *const others[] = { "/elsewhere.", "/eve.", "/namesake.", "/steps." };
  int n;

  write_answers (lesson, own, 1e5, NULL);
  write_text (folder, "older", PLAIN ("", "lesson-example", "An example", "", "b", "2e5"));
  write_text (folder, "elsewhere", PLAIN ("", "lesson-example", "An example", "", "zzz", "3e5"));
  write_text (folder, "namesake", PLAIN ("", "lesson-example", "Another", "", "b", "4e5"));
  write_text (folder, "steps",
              PLAIN ("", "lesson-example", "An example", "\"steps\":[\"b\"],", "b", "5e5"));
  /* One learner, before and after this version; the later file has another step. */
  write_text (folder, "ada-1",
              PLAIN ("\"id\":\"ada\",", "lesson-example", "An example", "", "b", "6e5"));
  write_text (folder, "ada-2",
              "{\"format\":2,\"id\":\"ada\",\"lesson\":\"lesson-example\",\"title\":"
              "\"An example\",\"answers\":["
              "{\"step\":\"seam\",\"ask\":\"cut\",\"value\":1},"
              "{\"step\":\"right\",\"ask\":\"choice\",\"value\":0}]}");
  /* The same id in another lesson is another learner's, or a lie. */
  write_text (folder, "eve", PLAIN ("\"id\":\"ada\",", "other", "Other", "", "b", "7e5"));
  seam_class_add (class, folder);
  said = seam_class_describe_files (class);
  g_assert_cmpstr (said, ==,
                   "8 files of answers (copies that count once: 0; merged with others of one "
                   "learner: 1)");
  values = seam_class_get_values (class, lesson, "b", &n);
  g_assert_cmpint (n, ==, 3);
  g_assert_cmpfloat (values[0], ==, 1e5);
  g_assert_cmpfloat (values[1], ==, 2e5);
  g_assert_cmpfloat (values[2], ==, 6e5);
  g_free (seam_class_get_values (class, lesson, "seam", &n));
  g_assert_cmpint (n, ==, 1);
  names = seam_class_list_lessons (class);
  g_assert_cmpint (g_strv_length (names), ==, 5);
  g_assert_cmpstr (names[0], ==, "lesson-example (“An example”)");
  g_assert_true (g_strv_contains ((const char *const *)names, "lesson-example (“Another”)"));
  g_assert_true (g_strv_contains ((const char *const *)names, "other"));
  /* It is this file's, and not one of the program. */
  g_assert_null (seam_class_find_lesson (class, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_nonnull (strstr (error->message, "“lesson-example” did not come with"));

  warning = seam_class_warn (class, lesson, " --lesson NAME chooses it.");
  g_assert_true (g_str_has_prefix (warning, "4 files are of another lesson: /"));
  g_assert_true (g_str_has_suffix (warning, ". --lesson NAME chooses it."));
  for (guint i = 0; i < G_N_ELEMENTS (others); i++)
    g_assert_nonnull (strstr (warning, others[i]));
  g_assert_null (strstr (warning, "different texts"));
  g_assert_null (seam_class_warn (class, NULL, " --lesson NAME chooses it."));
  g_clear_pointer (&warning, g_free);
  lesson->hash = seam_keep (lesson, g_strdup ("of a later text"));
  warning = seam_class_warn (class, lesson, " --lesson NAME chooses it.");
  g_assert_nonnull (strstr (warning, "“lesson-example” had 2 different texts"));
  remove_tree (folder);
}

#define DATED(name, title, learner, step, ask, value, date)                                        \
  "{\"id\":\"one\",\"lesson\":\"" name "\",\"title\":\"" title "\",\"learner\":\"" learner         \
  "\",\"answers\":[{\"step\":\"" step "\",\"ask\":\"" ask "\",\"value\":" value                    \
  ",\"committed_at\":\"2026-11-2" date "T09:00:00Z\"}]}"
#define OWN(learner, value, date)                                                                  \
  DATED ("lesson-example", "An example", learner, "b", "number", value, date)

/* The same with another answer before that one. */
#define TWO(learner, value, date)                                                                  \
  "{\"id\":\"one\",\"lesson\":\"lesson-example\",\"title\":\"An example\",\"learner\":\"" learner  \
  "\",\"answers\":[{\"step\":\"a\",\"ask\":\"number\",\"value\":2e5,\"committed_at\":\"2026-11-"   \
  "2" date "T09:00:00Z\"},{\"step\":\"b\",\"ask\":\"number\",\"value\":" value                     \
  ",\"committed_at\":\"2026-11-2" date "T09:00:00Z\"}]}"

/* The same prediction, and a second one on day `again` by somebody who took the lesson again. */
#define AGAIN(who, value, date, again)                                                             \
  "{\"format\":1,\"lesson\":\"lesson-example\",\"title\":\"An "                                    \
  "example\",\"id\":\"one\",\"learner\":\"" who                                                    \
  "\",\"answers\":[{\"step\":\"b\",\"ask\":\"number\",\"value\":7e5,\"committed_at\":\"2026-11-"   \
  "2" again "T09:00:00Z\"}],\"first\":[{\"step\":\"b\",\"ask\":\"number\",\"value\":" value        \
  ",\"points\":1,\"committed_at\":\"2026-11-2" date "T09:00:00Z\"}]}"

/* Files of one id that no learner can have handed in one after the other: the newer one counts,
 * whatever the files are called, and both are named. Without an id, everybody is somebody else. */
static void
test_identity (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  static const struct {
    const char *first, *second;
    double counts;
    const char *left_out, *says;
  } cases[] = {
    { OWN ("Ada", "1e5", "1"), OWN ("Eve", "9e5", "2"), 9e5, "/a.", "it is by “Ada”, but /" },
    { OWN ("Eve", "9e5", "2"), OWN ("Ada", "1e5", "1"), 9e5, "/b.", "by “Eve” has the same id" },
    { OWN ("Ada", "1e5", "2"), OWN ("Ada", "9e5", "1"), 1e5, "/b.", "has the same id and counts" },
    { OWN ("Ada", "1e5", "2"), TWO ("Ada", "9e5", "1"), 1e5, "/b.", "has the same id and counts" },
    { OWN ("Ada", "1e5", "1"), OWN ("Eve", "1e5", "1"), 1e5, "/b.", "it is by “Eve”" },
    { OWN ("Ada", "1e5", "1"), OWN ("Ada", "1e5", "2"), 1e5, NULL, NULL },
    { OWN ("Ada", "1e5", "1"), AGAIN ("Eve", "1e5", "1", "3"), 1e5, "/a.", "it is by “Ada”" },
  };

  for (guint i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *folder = make_folder ();
    g_autoptr (SeamClass) class = seam_class_new ();
    g_autofree double *values = NULL;
    const char *problem;
    int n;

    write_text (folder, "a", cases[i].first);
    write_text (folder, "b", cases[i].second);
    write_text (folder, "c", cases[i].second);
    seam_class_add (class, folder);
    values = seam_class_get_values (class, lesson, "b", &n);
    g_assert_cmpint (n, ==, 1);
    g_assert_cmpfloat (values[0], ==, cases[i].counts);
    g_assert_cmpint (class->n_merged, ==, cases[i].left_out == NULL);
    g_assert_cmpint (class->problems->len == 0, ==, cases[i].left_out == NULL);
    if (cases[i].left_out != NULL) {
      /* Nothing of what was left out is among the answers that count. */
      g_assert_cmpint (((SeamLessonAnswers *)class->members->pdata[0])->n_answers, ==, 1);
      problem = class->problems->pdata[0];
      g_assert_nonnull (strstr (problem, cases[i].says));
      g_assert_nonnull (strstr (problem, cases[i].left_out));
      g_assert_true (strstr (problem, cases[i].left_out) < strstr (problem, " was left out: "));
      g_assert_true (strstr (problem, "/a.") != NULL && strstr (problem, "/b.") != NULL);
    }
    remove_tree (folder);
  }
  g_autofree char *folder = make_folder (), *said = NULL;
  g_autoptr (SeamClass) class = seam_class_new ();
  int n;
  write_text (folder, "a", PLAIN ("\"id\":\"\",", "lesson-example", "An example", "", "b", "1e5"));
  write_text (folder, "b", PLAIN ("\"id\":\"\",", "lesson-example", "An example", "", "b", "1e5"));
  seam_class_add (class, folder);
  said = seam_class_describe_files (class);
  g_assert_cmpstr (said, ==, "2 files of answers");
  g_free (seam_class_get_values (class, lesson, "b", &n));
  g_assert_cmpint (n, ==, 2);
  remove_tree (folder);
}

/* Neither a forged first step, nor forged titles, even of most files, hide the lesson of the others
 * from who has it. */
static void
test_forged (void)
{
  g_autofree char *folder = make_folder ();
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autoptr (SeamLesson) lesson = NULL;
  g_autoptr (GError) error = NULL;
  g_autofree double *values = NULL;
  g_autofree char *warning = NULL;
  int n;

  write_text (folder, "0", PLAIN ("", "1-why-fuse", "Why fuse at all?", "", "forged", "1"));
  write_text (folder, "1", PLAIN ("", "1-why-fuse", "Forged", "", "published", "2"));
  write_text (folder, "2", PLAIN ("", "1-why-fuse", "Forged", "", "published", "3"));
  write_text (folder, "3", PLAIN ("", "1-why-fuse", "Why fuse at all?", "", "published", "4e5"));
  seam_class_add (class, folder);
  lesson = seam_class_find_lesson (class, &error);
  g_assert_no_error (error);
  g_assert_cmpstr (lesson->title, ==, "Why fuse at all?");
  values = seam_class_get_values (class, lesson, "published", &n);
  g_assert_cmpint (n, ==, 1);
  g_assert_cmpfloat (values[0], ==, 4e5);
  warning = seam_class_warn (class, lesson, " --lesson NAME chooses it.");
  g_assert_true (g_str_has_prefix (warning, "3 files are of another lesson: "));
  g_assert_null (strstr (warning, "/3."));
  remove_tree (folder);
}

/* What a question cannot be answered with is named, and counts nowhere. */
static void
test_mistakes (void)
{
  g_autoptr (SeamLesson) lesson = load_lesson ();
  g_autofree char *folder = make_folder (), *csv = NULL;
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autofree double *values = NULL;
  guint n_wrong = 0;
  int n;
  static const struct {
    const char *name, *step, *ask, *value;
    gboolean counts;
  } files[] = {
    { "number", "b", "number", "2e5", TRUE },      { "zero", "b", "number", "0", FALSE },
    { "huge", "b", "number", "1e308", FALSE },     { "negative", "b", "number", "-5", FALSE },
    { "infinite", "b", "number", "1e999", FALSE }, { "kind", "b", "choice", "1", FALSE },
    { "frob", "b", "frob", "1", FALSE },           { "looked", "b", "number", "null", TRUE },
    { "yes", "right", "choice", "0", TRUE },       { "third", "right", "choice", "2", FALSE },
    { "half", "right", "choice", "0.5", FALSE },   { "minus", "right", "choice", "-1", FALSE },
    { "last-seam", "seam", "cut", "5", TRUE },     { "no-seam", "seam", "cut", "6", FALSE },
    { "far", "seam", "cut", "-7000", FALSE },
  };

  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *text = g_strdup_printf (
        "{\"lesson\":\"lesson-example\",\"title\":\"An example\",\"answers\":[{\"step\":\"%s\","
        "\"ask\":\"%s\",\"value\":%s}]}",
        files[i].step, files[i].ask, files[i].value);
    write_text (folder, files[i].name, text);
  }
  write_text (folder, "twice",
              "{\"lesson\":\"lesson-example\",\"title\":\"An example\",\"answers\":["
              "{\"step\":\"b\",\"ask\":\"number\",\"value\":3e5},"
              "{\"step\":\"b\",\"ask\":\"number\",\"value\":4e5}]}");
  seam_class_add (class, folder);
  g_assert_cmpint (class->problems->len, ==, 0);
  seam_class_check (class, lesson);
  for (guint i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *start = g_strdup_printf ("The answer to “%s” in %s/%s" SEAM_ANSWERS_SUFFIX
                                              " was left out: the question has no such",
                                              files[i].step, folder, files[i].name);
    gboolean named = FALSE;

    for (guint k = 0; k < class->problems->len; k++)
      named = named || g_str_has_prefix (class->problems->pdata[k], start);
    if (named == files[i].counts)
      g_error ("%s is %s", files[i].name, named ? "named" : "not named");
    n_wrong += !files[i].counts;
  }
  g_assert_cmpint (class->problems->len, ==, n_wrong + 1);
  {
    guint n_twice = 0;

    for (guint k = 0; k < class->problems->len; k++)
      n_twice += strstr (class->problems->pdata[k],
                         "/twice" SEAM_ANSWERS_SUFFIX " was left out: it is a second one")
                 != NULL;
    g_assert_cmpint (n_twice, ==, 1);
  }
  values = seam_class_get_values (class, lesson, "b", &n);
  g_assert_cmpint (n, ==, 2);
  g_assert_cmpfloat (values[0], ==, 2e5);
  g_assert_cmpfloat (values[1], ==, 3e5);
  g_free (seam_class_get_values (class, lesson, "right", &n));
  g_assert_cmpint (n, ==, 1);
  g_free (seam_class_get_values (class, lesson, "seam", &n));
  g_assert_cmpint (n, ==, 1);
  csv = seam_class_format_csv (class);
  g_assert_null (strstr (csv, "400000"));
  g_assert_null (strstr (csv, "-7000"));
  seam_class_check (class, lesson);
  g_assert_cmpint (class->problems->len, ==, n_wrong + 1);
  remove_tree (folder);
}

/* What the figure says of a class that called out these values. */
static char *
describe_plot (const SeamLesson *lesson, const SeamLessonStep *step, const SeamLessonFacts *facts,
               const double *values, gboolean covered)
{
  g_autoptr (SeamClass) class = seam_class_new ();

  for (int i = 0; i < 5; i++)
    seam_class_call_out (class, lesson, step, values[i]);
  g_autoptr (SeamFigure) figure =
      seam_class_plot_new (class, lesson, step, facts, covered, 1000, 300, 0);
  return figure != NULL ? seam_figure_summarize (figure) : NULL;
}

static void
test_plot (void)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = load_lesson ();
  const SeamLessonStep *step =
      seam_lesson_get_step (lesson, (guint)seam_lesson_find_step (lesson, "b"));
  const SeamLessonStep *choice =
      seam_lesson_get_step (lesson, (guint)seam_lesson_find_step (lesson, "right"));
  const SeamLessonStep *cut =
      seam_lesson_get_step (lesson, (guint)seam_lesson_find_step (lesson, "seam"));
  g_autoptr (SeamLessonFacts) subject = seam_lesson_step_load (step, &error);
  const double values[] = { 4e5, 5e5, 9e5, 1e6, 2e6 };
  const double positions[] = { 0, 0, 1, 0, 7 };
  SeamLessonFacts *facts;

  g_assert_no_error (error);
  facts = subject;
  for (int covered = 0; covered < 2; covered++) {
    g_autofree char *summary = describe_plot (lesson, step, facts, values, covered);
    g_autofree char *time =
        seam_text_significant (facts->result->plans[facts->places[1]].median_ns / 1e6, 3);
    g_autofree char *a = seam_text_time (facts->result->plans[facts->places[0]].median_ns);

    g_assert_cmpint (strstr (summary, time) != NULL, ==, !covered);
    g_assert_nonnull (strstr (summary, a));
    g_assert_nonnull (strstr (summary, "5 predictions"));
  }
  {
    g_autofree char *summary = describe_plot (lesson, choice, facts, positions, FALSE);

    g_assert_nonnull (strstr (summary, "yes: 3  ✓ right."));
    g_assert_nonnull (strstr (summary, "no: 1."));
  }
  {
    g_autofree char *summary = describe_plot (lesson, cut, facts, positions, TRUE);

    g_assert_nonnull (strstr (summary, "Seam 1: conv2d | conv_bias: 3."));
    g_assert_nonnull (strstr (summary, "Seam 6: clamp | mul: 0."));
    g_assert_null (strstr (summary, "✓"));
  }
  g_assert_null (describe_plot (lesson, seam_lesson_get_step (lesson, 0), facts, values, TRUE));
}

/* Hand-ins of lesson 2 with a seam and a reason each: wrong reasons are counted, once the answer is
 * told, and nobody is named. */
static void
test_reasons (void)
{
  static const int reasons[] = { 1, 2, 1, 0, -1, 1, 99 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_find ("2", &error);
  g_autofree char *folder = make_folder ();
  g_autoptr (SeamClass) class = seam_class_new ();

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (reasons); i++) {
    g_autofree char *path = g_strdup_printf ("%s/%d" SEAM_ANSWERS_SUFFIX, folder, (int)i);
    g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
    SeamLessonAnswer answer = {
      .step = (char *)"seam", .ask = (char *)"cut", .value = (int)i % 2, .reason = reasons[i]
    };

    answers->learner = g_strdup ("Ada");
    g_assert_true (seam_lesson_answers_add (answers, &answer));
    g_assert_true (seam_lesson_answers_save (answers, path, &error));
  }
  seam_class_add (class, folder);
  seam_class_check (class, lesson);
  const SeamLessonStep *step =
      seam_lesson_get_step (lesson, (guint)seam_lesson_find_step (lesson, "seam"));
  g_autoptr (SeamLessonFacts) subject = seam_lesson_step_load (step, &error);
  g_assert_no_error (error);
  for (int covered = 0; covered < 2; covered++) {
    g_autoptr (SeamFigure) figure =
        seam_class_plot_new (class, lesson, step, subject, covered, 1000, 300, 0);
    g_autofree char *words = seam_figure_summarize (figure);
    const char *most = strstr (words, "Wrong reason: It stands right after the most expensive "
                                      "operation: 3.");
    const char *least = strstr (words, "Wrong reason: Fusing it saves the most launches: 1.");

    g_assert_true (g_str_has_prefix (words, "7 predictions"));
    g_assert_null (strstr (words, "Ada"));
    g_assert_null (strstr (words, "Wrong reason: Fusing it saves the most bytes"));
    g_assert_cmpint (most != NULL, ==, !covered);
    g_assert_cmpint (least != NULL, ==, !covered);
    g_assert_true (most <= least);
  }
  remove_tree (folder);
}

/* Seven learners, a copy and a damaged file: how the check ended for each, and the figure of it. */
static void
test_checks (void)
{
  static const struct {
    double value;
    gboolean recorded;
    int furthest, attempts;
    SeamLessonMark mark;
    SeamClassOutcome outcome;
  } cases[] = {
    { 1, FALSE, 0, 1, SEAM_MARK_CHECKED, SEAM_OUTCOME_PASSED },
    { 1, FALSE, 0, 2, SEAM_MARK_CHECKED, SEAM_OUTCOME_SECOND_TRY },
    { 1, FALSE, 0, 9, SEAM_MARK_CHECKED, SEAM_OUTCOME_LATER_TRY },
    { 1, TRUE, 0, 2, SEAM_MARK_RECORDED, SEAM_OUTCOME_RECORDED },
    { 0, FALSE, 0, 1, SEAM_MARK_MISSED, SEAM_OUTCOME_FAILED },
    { -1, FALSE, 99, 0, SEAM_MARK_SKIPPED, SEAM_OUTCOME_SKIPPED }, /* without a run */
    { NAN, FALSE, 0, 1, SEAM_MARK_OPEN, SEAM_OUTCOME_OPEN },
  };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_find ("1", &error);
  g_autofree char *folder = make_folder ();
  g_autofree char *damaged = g_build_filename (folder, "cut" SEAM_ANSWERS_SUFFIX, NULL);
  g_autofree char *copy = g_build_filename (folder, "copy" SEAM_ANSWERS_SUFFIX, NULL);
  g_autoptr (SeamClass) class = seam_class_new ();
  int n, step = seam_lesson_find_step (lesson, "check");

  g_assert_no_error (error);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *name = g_strdup_printf ("%d" SEAM_ANSWERS_SUFFIX, (int)i);
    g_autofree char *path = g_build_filename (folder, name, NULL);
    g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
    SeamLessonAnswer answer = { .step = (char *)"check",
                                .ask = (char *)"check",
                                .value = cases[i].value,
                                .attempts = cases[i].attempts,
                                .recorded = cases[i].recorded };
    answers->furthest = cases[i].furthest;
    if (cases[i].value != -1)
      seam_lesson_answers_replace (answers, &answer);
    g_assert_cmpint (seam_lesson_get_mark (lesson, answers, step), ==, cases[i].mark);
    g_assert_cmpint (seam_lesson_get_mark (lesson, answers, 0), ==, SEAM_MARK_NOTHING);
    g_assert_false (seam_lesson_is_done (lesson, answers));
    g_assert_true (seam_lesson_answers_save (answers, path, &error));
    if (i == 0)
      g_assert_true (seam_lesson_answers_save (answers, copy, &error));
    answers->furthest = (int)lesson->steps->len - 1;
    g_assert_cmpint (seam_lesson_is_done (lesson, answers), ==, cases[i].value == 1);
    /* The last run counts. */
    answer.value = 1;
    seam_lesson_answers_replace (answers, &answer);
    g_assert_cmpint (answers->n_answers, ==, 1);
    g_assert_true (seam_lesson_is_done (lesson, answers));
  }
  g_assert_true (g_file_set_contents (damaged, "{", -1, NULL));
  seam_class_add (class, folder);
  seam_class_check (class, lesson);
  g_assert_cmpint (class->members->len, ==, G_N_ELEMENTS (cases));
  g_assert_cmpint (class->n_copies, ==, 1);
  g_assert_cmpint (class->problems->len, ==, 1);
  g_autofree double *values = seam_class_get_values (class, lesson, "check", &n);
  g_assert_cmpint (n, ==, G_N_ELEMENTS (cases));
  for (int i = 0; i < n; i++)
    g_assert_cmpfloat (values[i], ==, cases[i].outcome);
  g_autoptr (SeamFigure) figure = seam_class_plot_new (
      class, lesson, seam_lesson_get_step (lesson, (guint)step), NULL, FALSE, 800, 300, 0);
  g_autofree char *words = seam_figure_summarize (figure);
  g_test_message ("%s", words);
  g_assert_true (g_str_has_prefix (words, "7 learners. passed: 1. passed at the 2nd "
                                          "try: 1. passed at a later try: 1. from a recording: 1. "
                                          "not passed: 1. skipped: 1. open: 1."));
  g_assert_null (seam_class_find_other (class, lesson));
  g_autoptr (SeamLesson) second = seam_lesson_find ("2", NULL);
  g_autoptr (SeamLesson) other = seam_class_find_other (class, second);
  g_assert_cmpstr (other->name, ==, lesson->name);
  remove_tree (folder);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/class/hundred", test_hundred);
  g_test_add_func ("/class/damaged", test_damaged);
  g_test_add_func ("/class/same-file", test_same_file);
  g_test_add_func ("/class/copies", test_copies);
  g_test_add_func ("/class/foreign", test_foreign);
  g_test_add_func ("/class/groups", test_groups);
  g_test_add_func ("/class/identity", test_identity);
  g_test_add_func ("/class/forged", test_forged);
  g_test_add_func ("/class/mistakes", test_mistakes);
  g_test_add_func ("/class/plot", test_plot);
  g_test_add_func ("/class/checks", test_checks);
  g_test_add_func ("/class/reasons", test_reasons);
  return g_test_run ();
}
