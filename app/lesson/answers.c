/* SPDX-License-Identifier: MIT
 *
 * Answers as JSON files, through their table of fields.
 */
#include "app/lesson/answers.h"

#include "app/base/error.h"
#include "app/base/file.h"
#include "app/base/text.h"
#include "app/version.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <json-glib/json-glib.h>
#include <math.h>
#include <string.h>

#define MAX_ANSWERS 64

static const SeamField answer_fields[] = {
  { SEAM_FIELD (SeamLessonAnswer, step, TEXT), .flags = SEAM_REQUIRED, .words = "id of the step" },
  { SEAM_FIELD (SeamLessonAnswer, ask, TEXT), .flags = SEAM_REQUIRED,
    .words = "number, choice, cut or cell" },
  { SEAM_FIELD (SeamLessonAnswer, value, DOUBLE), .words = "the answer; unknown: looked first" },
  { SEAM_FIELD (SeamLessonAnswer, reason, INT), .initial = -1, .min = -1, .max = 100,
    .words = "of a cut, from 0" },
  { SEAM_FIELD (SeamLessonAnswer, guess, DOUBLE), .words = "the model's guess" },
  { SEAM_FIELD (SeamLessonAnswer, guess_low, DOUBLE), .words = "lower end of its interval" },
  { SEAM_FIELD (SeamLessonAnswer, guess_high, DOUBLE), .words = "upper end of its interval" },
  { SEAM_FIELD (SeamLessonAnswer, measured, DOUBLE), .words = "what the answer was judged by" },
  { SEAM_FIELD (SeamLessonAnswer, measured_low, DOUBLE), .words = "lower end of its interval" },
  { SEAM_FIELD (SeamLessonAnswer, measured_high, DOUBLE), .words = "upper end of its interval" },
  { SEAM_FIELD (SeamLessonAnswer, points, INT), .initial = -1, .min = -1, .max = 3,
    .words = "-1: not judged yet" },
  { SEAM_FIELD (SeamLessonAnswer, committed_at, TEXT), .words = "ISO 8601, UTC" },
  { .name = NULL },
};

const SeamRecordType seam_lesson_answer_type = {
  .name = "answer",
  .size = sizeof (SeamLessonAnswer),
  .fields = answer_fields,
  .max = MAX_ANSWERS,
};

static const SeamField answers_fields[] = {
  { SEAM_FIELD (SeamLessonAnswers, id, TEXT), .words = "random; the same in every copy" },
  { SEAM_FIELD (SeamLessonAnswers, lesson, TEXT), .flags = SEAM_REQUIRED,
    .words = "name of the lesson" },
  { SEAM_FIELD (SeamLessonAnswers, title, TEXT), .words = "title of the lesson" },
  { SEAM_FIELD (SeamLessonAnswers, learner, TEXT), .words = "name, if the learner gave one" },
  { SEAM_FIELD (SeamLessonAnswers, step, INT), .min = 0, .max = 1000,
    .words = "where the learner is, from 0" },
  { SEAM_FIELD (SeamLessonAnswers, done, BOOLEAN), .words = "whether the last step was reached" },
  { SEAM_FIELD (SeamLessonAnswers, code, TEXT),
    .words = "what the learner wrote in place of a skeleton" },
  { SEAM_FIELD (SeamLessonAnswers, program_version, TEXT), .words = "version of the program" },
  { SEAM_FIELD (SeamLessonAnswers, answers, RECORDS), SEAM_COUNT (SeamLessonAnswers, n_answers),
    .type = &seam_lesson_answer_type, .words = "one for each prediction" },
  { .name = NULL },
};

const SeamRecordType seam_lesson_answers_type = {
  .name = "answers of a lesson",
  .size = sizeof (SeamLessonAnswers),
  .fields = answers_fields,
};

SeamLessonAnswers *
seam_lesson_answers_new (const SeamLesson *lesson)
{
  SeamLessonAnswers *answers = seam_record_new (&seam_lesson_answers_type);

  answers->id = g_uuid_string_random ();
  answers->lesson = g_strdup (lesson->name);
  answers->title = g_strdup (lesson->title);
  answers->program_version = g_strdup (seam_version ());
  return answers;
}

void
seam_lesson_answers_free (SeamLessonAnswers *answers)
{
  if (answers != NULL)
    seam_record_free (&seam_lesson_answers_type, answers);
}

const SeamLessonAnswer *
seam_lesson_answers_find (const SeamLessonAnswers *answers, const char *step)
{
  for (int i = 0; i < answers->n_answers; i++)
    if (g_strcmp0 (answers->answers[i].step, step) == 0)
      return &answers->answers[i];
  return NULL;
}

gboolean
seam_lesson_answers_add (SeamLessonAnswers *answers, const SeamLessonAnswer *answer)
{
  if (answers->n_answers == MAX_ANSWERS || seam_lesson_answers_find (answers, answer->step) != NULL)
    return FALSE;
  answers->answers = g_renew (SeamLessonAnswer, answers->answers, answers->n_answers + 1);
  seam_record_copy (&seam_lesson_answer_type, &answers->answers[answers->n_answers++], answer);
  return TRUE;
}

int
seam_lesson_answers_get_points (const SeamLessonAnswers *answers)
{
  int points = 0;

  for (int i = 0; i < answers->n_answers; i++)
    points += MAX (answers->answers[i].points, 0);
  return points;
}

gboolean
seam_lesson_answers_save (const SeamLessonAnswers *answers, const char *path, GError **error)
{
  g_autofree char *json = seam_record_to_json (&seam_lesson_answers_type, answers);

  return seam_file_write (path, json, strlen (json), error);
}

static gboolean
refuse (const char *path, const char *why, GError **error)
{
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *shown = seam_text_show (name);

  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s holds no answers to a lesson: %s", shown,
               why);
  return FALSE;
}

SeamLessonAnswers *
seam_lesson_answers_load (const char *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = NULL;
  GStatBuf status;
  gsize length;

  if (g_stat (path, &status) == 0 && status.st_size > SEAM_ANSWERS_MAX_BYTES) {
    refuse (path, "it is too large.", error);
    return NULL;
  }
  if (!g_file_get_contents (path, &text, &length, &problem)) {
    refuse (path, problem->message, error);
    return NULL;
  }
  /* json_gvariant_deserialize_data() leaks its parser where the text is damaged. */
  g_autoptr (JsonParser) parser = json_parser_new ();
  g_autoptr (GVariant) variant = NULL;
  if (json_parser_load_from_data (parser, text, (gssize)length, &problem)
      && json_parser_get_root (parser) != NULL)
    variant = json_gvariant_deserialize (json_parser_get_root (parser), NULL, &problem);
  if (variant == NULL) {
    refuse (path, "it is damaged.", error);
    return NULL;
  }
  g_variant_take_ref (variant);
  SeamLessonAnswers *answers =
      seam_record_new_from_variant (&seam_lesson_answers_type, variant, &problem);
  if (answers == NULL)
    refuse (path, problem->message, error);
  return answers;
}

static char *
get_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "seamscope", "lessons", NULL);
}

/* A person's own lesson may have the name of one that came with the program. */
static char *
get_path (const char *lesson)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *escaped = g_uri_escape_string (lesson, NULL, FALSE);
  g_autofree char *name = g_strconcat (escaped, SEAM_ANSWERS_SUFFIX, NULL);

  return g_build_filename (folder, name, NULL);
}

SeamLessonAnswers *
seam_lesson_answers_load_kept (const SeamLesson *lesson)
{
  g_autofree char *path = get_path (lesson->name);
  SeamLessonAnswers *answers = seam_lesson_answers_load (path, NULL);

  if (answers == NULL || g_strcmp0 (answers->lesson, lesson->name) != 0) {
    seam_lesson_answers_free (answers);
    return seam_lesson_answers_new (lesson);
  }
  if (answers->id == NULL)
    answers->id = g_uuid_string_random ();
  answers->step = CLAMP (answers->step, 0, (int)lesson->steps->len - 1);
  return answers;
}

gboolean
seam_lesson_answers_keep (const SeamLessonAnswers *answers, GError **error)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *path = get_path (answers->lesson);

  if (g_mkdir_with_parents (folder, 0700) != 0) {
    seam_file_set_write_error (error, folder, errno);
    return FALSE;
  }
  return seam_lesson_answers_save (answers, path, error);
}

gboolean
seam_lesson_answers_forget_all (GError **error)
{
  g_autofree char *folder = get_folder ();
  g_autoptr (GDir) dir = g_dir_open (folder, 0, NULL);
  const char *name;

  while (dir != NULL && (name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *path = g_build_filename (folder, name, NULL);
    if (g_str_has_suffix (name, SEAM_ANSWERS_SUFFIX) && g_unlink (path) != 0) {
      seam_file_set_write_error (error, path, errno);
      return FALSE;
    }
  }
  return TRUE;
}
