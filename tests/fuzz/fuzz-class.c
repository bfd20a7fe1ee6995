/* SPDX-License-Identifier: MIT
 *
 * A folder of answers that a class handed in. An input has the files one after the other, with a
 * line "%" between them.
 */
#include "app/lesson/class-plot.h"
#include "app/lesson/class.h"
#include "tests/fuzz/fuzz.h"

#include <string.h>

#define MAX_FILES 8

static SeamLesson *lesson;
static SeamLessonFacts *subject;
static char *folder;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  static const char *const plans[] = { "unfused", "published", NULL };
  g_autoptr (GError) error = NULL;

  fuzz_init ();
  lesson = seam_lesson_find ("1", &error);
  g_assert_no_error (error);
  subject = seam_lesson_load_sample ("h200-conv-relu-hardswish", plans, &error);
  g_assert_no_error (error);
  folder = fuzz_path ("in");
  return 0;
}

/* In a search one figure of some inputs, since figures take a while. */
static void
plot (const SeamClass *class, guint seed)
{
  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);
    g_autoptr (SeamFigure) figure = NULL;

    if ((step->kind != SEAM_STEP_PREDICT && step->kind != SEAM_STEP_PROVE)
        || (fuzz_is_search () && seed % (4 * lesson->steps->len) != i))
      continue;
    figure = seam_class_plot_new (class, lesson, step, subject, seed % 2 == 0, 1000, 300, 0);
    fuzz_take_text (figure != NULL ? seam_figure_summarize (figure) : NULL);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_auto (GStrv) files = g_strsplit (text, "\n%\n", MAX_FILES);
  g_autoptr (SeamClass) class = seam_class_new ();
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) found = NULL;
  g_auto (GStrv) names = NULL;
  guint n_members;

  g_assert_cmpint (g_mkdir_with_parents (folder, 0700), ==, 0);
  for (int i = 0; files[i] != NULL; i++) {
    g_autofree char *path = g_strdup_printf ("%s/%d.seamanswers", folder, i);
    g_file_set_contents (path, files[i], -1, NULL);
  }
  seam_class_add (class, folder);
  n_members = class->members->len;
  g_assert_cmpuint (n_members + (guint) class->n_copies + (guint) class->n_merged
                        + class->problems->len,
                    ==, g_strv_length (files));
  seam_class_check (class, lesson);
  for (guint i = 0; i < class->problems->len; i++)
    fuzz_take_text (g_strdup (class->problems->pdata[i]));
  names = seam_class_list_lessons (class);
  g_assert_cmpint (names[0] != NULL, ==, n_members > 0);
  fuzz_take_text (g_strjoinv (" ", names));
  fuzz_take_text (seam_class_describe_files (class));
  fuzz_take_text (seam_class_warn (class, lesson, ""));
  plot (class, g_str_hash (text));
  if (!fuzz_is_search () || g_str_hash (text) % 256 == 0) {
    /* These read all lessons of the program. */
    fuzz_take_text (seam_class_format_csv (class));
    found = seam_class_find_lesson (class, &error);
    fuzz_check_sentence (found != NULL, error);
  }
  /* The same files again are no other learners. */
  seam_class_add (class, folder);
  g_assert_cmpuint (class->members->len, ==, n_members);
  fuzz_remove (folder);
  return 0;
}
