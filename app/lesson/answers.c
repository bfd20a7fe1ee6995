/* SPDX-License-Identifier: MIT
 *
 * Answers as JSON files, through their table of fields.
 */
#include "app/lesson/answers.h"

#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/file.h"
#include "app/base/read-file.h"
#include "app/base/text.h"
#include "app/record/json.h"
#include "app/version.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_ANSWERS 64

/* Checked where a file is read: nothing in it becomes a path. */
static void
check_name (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  const char *name = ((const SeamLessonAnswers *)record)->lesson;
  g_autofree char *shown = seam_text_show (name);

  if (!seam_file_check_name (name, NULL))
    seam_reader_fail (reader, "“%s” is not a lesson's name", shown);
}

static void
check_format (const SeamField *field, gpointer record, const SeamPath *outer, SeamReader *reader)
{
  if (((const SeamLessonAnswers *)record)->format > SEAM_ANSWERS_FORMAT)
    seam_reader_fail (reader, "a newer Seamscope made it; update this one");
}

static const SeamField answer_fields[] = {
  { SEAM_FIELD (SeamLessonAnswer, step, TEXT), .flags = SEAM_REQUIRED, .words = "id of the step" },
  { SEAM_FIELD (SeamLessonAnswer, ask, TEXT), .flags = SEAM_REQUIRED,
    .words = "number, choice, cut, cell, run or check" },
  { SEAM_FIELD (SeamLessonAnswer, value, DOUBLE),
    .words = "the answer; unknown: looked first, or unclear" },
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
  { SEAM_FIELD (SeamLessonAnswer, recorded, BOOLEAN),
    .words = "whether its run is a recorded one" },
  { SEAM_FIELD (SeamLessonAnswer, attempts, INT), .min = 0, .max = G_MAXINT,
    .words = "runs that a check judged" },
  { SEAM_FIELD (SeamLessonAnswer, run, INT64), .words = "of the learner's history; 0: none" },
  { SEAM_FIELD (SeamLessonAnswer, reply, TEXT), .words = "the sentence that judged it" },
  { .name = NULL },
};

const SeamRecordType seam_lesson_answer_type = {
  .name = "answer",
  .size = sizeof (SeamLessonAnswer),
  .fields = answer_fields,
  .max = MAX_ANSWERS,
};

static const SeamField answers_fields[] = {
  { SEAM_FIELD (SeamLessonAnswers, format, INT), .initial = 1, .min = 1, .max = G_MAXINT,
    .check = check_format, .words = "version of the format" },
  { SEAM_FIELD (SeamLessonAnswers, id, TEXT), .words = "random; the same in every copy" },
  { SEAM_FIELD (SeamLessonAnswers, lesson, TEXT), .flags = SEAM_REQUIRED, .check = check_name,
    .words = "name of the lesson" },
  { SEAM_FIELD (SeamLessonAnswers, title, TEXT), .words = "title of the lesson" },
  { SEAM_FIELD (SeamLessonAnswers, steps, STRINGS), .words = "ids of its steps" },
  { SEAM_FIELD (SeamLessonAnswers, lesson_hash, TEXT), .words = "SHA-256 of its text" },
  { SEAM_FIELD (SeamLessonAnswers, learner, TEXT), .words = "name, if the learner gave one" },
  { SEAM_FIELD (SeamLessonAnswers, step, INT), .min = 0, .max = 1000,
    .words = "where the learner is, from 0" },
  { SEAM_FIELD (SeamLessonAnswers, furthest, INT), .initial = -1, .min = -1, .max = 1000,
    .words = "the furthest that the learner was" },
  { SEAM_FIELD (SeamLessonAnswers, done, BOOLEAN),
    .words = "whether every check passed and the last step was seen" },
  { SEAM_FIELD (SeamLessonAnswers, code, TEXT),
    .words = "what the learner wrote in place of a skeleton" },
  { SEAM_FIELD (SeamLessonAnswers, mistake, TEXT), .words = "what the compiler said of it" },
  { SEAM_FIELD (SeamLessonAnswers, program_version, TEXT), .words = "version of the program" },
  { SEAM_FIELD (SeamLessonAnswers, answers, RECORDS), SEAM_COUNT (SeamLessonAnswers, n_answers),
    .type = &seam_lesson_answer_type, .words = "one for each prediction, run and check" },
  { SEAM_FIELD (SeamLessonAnswers, first, RECORDS), SEAM_COUNT (SeamLessonAnswers, n_first),
    .type = &seam_lesson_answer_type, .words = "the first ones, if the lesson was taken again" },
  { .name = NULL },
};

const SeamRecordType seam_lesson_answers_type = {
  .name = "answers of a lesson",
  .size = sizeof (SeamLessonAnswers),
  .fields = answers_fields,
};

/* The lesson of the same name that came with the program, whether there is one or not. */
static char *
make_installed_path (const SeamLesson *lesson)
{
  return g_strdup_printf ("%s/lessons/%s" SEAM_LESSON_SUFFIX, seam_data_dir (), lesson->name);
}

/* What the answers to a lesson are kept as: the name of one that came with the program, which may
 * be installed elsewhere tomorrow, and else the canonical path. */
static char *
make_key (const SeamLesson *lesson)
{
  g_autofree char *installed = make_installed_path (lesson);
  g_autofree char *path = g_strdup_printf (
      "%s/%s" SEAM_LESSON_SUFFIX, lesson->folder != NULL ? lesson->folder : "", lesson->name);
  char *own = realpath (path, NULL), *other = realpath (installed, NULL);
  char *key = g_strdup (own == NULL || g_strcmp0 (own, other) == 0 ? lesson->name : own);

  free (own);
  free (other);
  return key;
}

SeamLessonAnswers *
seam_lesson_answers_new (const SeamLesson *lesson)
{
  SeamLessonAnswers *answers = seam_record_new (&seam_lesson_answers_type);

  answers->format = SEAM_ANSWERS_FORMAT;
  answers->id = g_uuid_string_random ();
  answers->lesson = g_strdup (lesson->name);
  answers->title = g_strdup (lesson->title);
  answers->steps = g_new0 (char *, lesson->steps->len + 1);
  for (guint i = 0; i < lesson->steps->len; i++)
    answers->steps[i] = g_strdup (seam_lesson_get_step (lesson, i)->id);
  answers->lesson_hash = g_strdup (lesson->hash);
  answers->furthest = 0;
  answers->program_version = g_strdup (seam_version ());
  answers->kept_as = make_key (lesson);
  return answers;
}

void
seam_lesson_answers_free (SeamLessonAnswers *answers)
{
  if (answers == NULL)
    return;
  g_free (answers->kept_as);
  g_free (answers->file);
  g_free (answers->latest);
  g_free (answers->seen);
  seam_record_free (&seam_lesson_answers_type, answers);
}

/* Whether an older file, which does not list the steps of its lesson, can be to one with these. */
static gboolean
has_steps (const SeamLessonAnswers *older, char **steps)
{
  for (int i = 0; steps != NULL && i < older->n_answers; i++)
    if (!g_strv_contains ((const char *const *)steps, older->answers[i].step))
      return FALSE;
  return TRUE;
}

gboolean
seam_lesson_answers_match (const SeamLessonAnswers *a, const SeamLessonAnswers *b)
{
  if (strcmp (a->lesson, b->lesson) != 0
      || (a->title != NULL && b->title != NULL && strcmp (a->title, b->title) != 0))
    return FALSE;
  if (a->steps == NULL || b->steps == NULL)
    return a->steps == NULL ? has_steps (a, b->steps) : has_steps (b, a->steps);
  return g_strv_equal ((const char *const *)a->steps, (const char *const *)b->steps);
}

static SeamLessonAnswer *
find_step (SeamLessonAnswer *answers, int n, const char *step)
{
  for (int i = 0; i < n; i++)
    if (g_strcmp0 (answers[i].step, step) == 0)
      return &answers[i];
  return NULL;
}

const SeamLessonAnswer *
seam_lesson_answers_find (const SeamLessonAnswers *answers, const char *step)
{
  return find_step (answers->answers, answers->n_answers, step);
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

void
seam_lesson_answers_replace (SeamLessonAnswers *answers, const SeamLessonAnswer *answer)
{
  SeamLessonAnswer *found = (SeamLessonAnswer *)seam_lesson_answers_find (answers, answer->step);

  if (found == NULL) {
    seam_lesson_answers_add (answers, answer);
    return;
  }
  SeamLessonAnswer before = *found;
  seam_record_copy (&seam_lesson_answer_type, found, answer);
  seam_record_clear (&seam_lesson_answer_type, &before);
}

const char *
seam_lesson_answers_get_date (const SeamLessonAnswers *answers)
{
  const char *last = NULL;

  for (int i = 0; i < answers->n_answers; i++)
    if (g_strcmp0 (answers->answers[i].committed_at, last) > 0)
      last = answers->answers[i].committed_at;
  return last;
}

int
seam_lesson_answers_get_points (const SeamLessonAnswers *answers)
{
  int points = 0;

  for (int i = 0; i < answers->n_first; i++)
    points += MAX (answers->first[i].points, 0);
  for (int i = 0; i < answers->n_answers; i++)
    if (find_step (answers->first, answers->n_first, answers->answers[i].step) == NULL)
      points += MAX (answers->answers[i].points, 0);
  return points;
}

/* Whether an answer counts although there is a later one (NULL: none) to the same step: that of a
 * prediction does, and a pass is not lost. */
static gboolean
counts_first (const SeamLessonAnswer *first, const SeamLessonAnswer *later)
{
  return later == NULL || seam_choice_find (seam_ask_kinds, first->ask) >= 0 || first->value == 1;
}

void
seam_lesson_answers_count_first (SeamLessonAnswers *answers)
{
  for (int i = 0; i < answers->n_first; i++)
    if (counts_first (&answers->first[i],
                      seam_lesson_answers_find (answers, answers->first[i].step)))
      seam_lesson_answers_replace (answers, &answers->first[i]);
}

void
seam_lesson_answers_begin_again (SeamLessonAnswers *answers)
{
  seam_lesson_answers_count_first (answers);
  for (int i = 0; i < answers->n_first; i++)
    seam_record_clear (&seam_lesson_answer_type, &answers->first[i]);
  g_free (answers->first);
  answers->first = g_steal_pointer (&answers->answers);
  answers->n_first = 0;
  for (int i = 0; i < answers->n_answers; i++)
    if (answers->first[i].points >= 0)
      answers->first[answers->n_first++] = answers->first[i];
    else
      seam_record_clear (&seam_lesson_answer_type, &answers->first[i]);
  answers->n_answers = 0;
  answers->step = answers->furthest = 0;
  answers->done = FALSE;
  g_clear_pointer (&answers->code, g_free);
  g_clear_pointer (&answers->mistake, g_free);
}

gboolean
seam_lesson_answers_save (const SeamLessonAnswers *answers, const char *path, GError **error)
{
  g_autofree char *json = seam_record_to_json (&seam_lesson_answers_type, answers);

  return seam_file_write (path, json, strlen (json), error);
}

SeamLessonAnswers *
seam_lesson_answers_load (const char *path, GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree char *text = seam_file_read_text (path, SEAM_ANSWERS_MAX_BYTES, error);
  g_autoptr (GVariant) variant = text != NULL ? seam_json_parse (text, &problem) : NULL;
  SeamLessonAnswers *answers =
      variant != NULL ? seam_record_new_from_variant (&seam_lesson_answers_type, variant, &problem)
                      : NULL;

  if (problem != NULL) {
    g_autofree char *name = g_path_get_basename (path);
    g_autofree char *shown = seam_text_show (name);
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "%s holds no answers to a lesson: %s", shown,
                 problem->message);
  }
  return answers;
}

static char *
get_folder (void)
{
  return g_build_filename (g_get_user_state_dir (), "seamscope", "lessons", NULL);
}

/* By the name of a lesson, or its canonical path. */
static char *
get_path (const char *key)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *stem =
      *key == '/' ? seam_file_name_make (key) : g_uri_escape_string (key, NULL, FALSE);
  g_autofree char *name = g_strconcat (stem, SEAM_ANSWERS_SUFFIX, NULL);

  return g_build_filename (folder, name, NULL);
}

/* Answers of format 1 were kept by the lesson's name. The first lesson of that name and title takes
 * them, unless they can be to one that came with the program. */
static void
move_older (const SeamLesson *lesson, const char *path)
{
  g_autofree char *from = get_path (lesson->name);
  g_autofree char *installed = make_installed_path (lesson);

  if (g_file_test (path, G_FILE_TEST_EXISTS) || g_file_test (installed, G_FILE_TEST_EXISTS))
    return;
  g_autoptr (SeamLessonAnswers) found = seam_lesson_answers_load (from, NULL);
  if (found != NULL && g_strcmp0 (found->title, lesson->title) == 0)
    g_rename (from, path);
}

SeamLessonAnswers *
seam_lesson_answers_load_kept (const SeamLesson *lesson)
{
  /* What says which lesson it is, as it is now; the rest is what the learner did. */
  static const char *const current[] = { "format", "title", "steps", "lesson_hash",
                                         "program_version" };
  SeamLessonAnswers *fresh = seam_lesson_answers_new (lesson), *answers;
  g_autofree char *path = get_path (fresh->kept_as);

  move_older (lesson, path);
  g_autofree char *seen = seam_file_read_text (path, SEAM_ANSWERS_MAX_BYTES, NULL);
  answers = seam_lesson_answers_load (path, NULL);
  if (answers == NULL || strcmp (answers->lesson, lesson->name) != 0) {
    seam_lesson_answers_free (answers);
    return fresh;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (current); i++)
    seam_field_copy (seam_record_find (&seam_lesson_answers_type, current[i]), answers, fresh);
  if (answers->id == NULL)
    answers->id = g_strdup (fresh->id);
  answers->kept_as = g_steal_pointer (&fresh->kept_as);
  answers->seen = g_steal_pointer (&seen);
  answers->step = CLAMP (answers->step, 0, (int)lesson->steps->len);
  /* Older files say only whether the last step was reached. */
  if (answers->furthest < 0)
    answers->furthest = answers->done ? (int)lesson->steps->len - 1 : 0;
  answers->furthest = CLAMP (answers->furthest, answers->step, (int)lesson->steps->len);
  seam_lesson_answers_free (fresh);
  return answers;
}

gboolean
seam_lesson_answers_refresh (SeamLessonAnswers *answers)
{
  g_autofree char *path = get_path (answers->kept_as);
  g_autofree char *now = seam_file_read_text (path, SEAM_ANSWERS_MAX_BYTES, NULL);
  g_autoptr (SeamLessonAnswers) other = now != NULL && g_strcmp0 (now, answers->seen) != 0
                                            ? seam_lesson_answers_load (path, NULL)
                                            : NULL;
  gboolean differs = FALSE;

  if (other == NULL || !seam_lesson_answers_match (answers, other))
    return FALSE;
  for (int i = 0; i < other->n_answers; i++) {
    const SeamLessonAnswer *theirs = &other->answers[i];
    const SeamLessonAnswer *mine = seam_lesson_answers_find (answers, theirs->step);
    const SeamLessonAnswer *known =
        mine != NULL ? mine : find_step (answers->first, answers->n_first, theirs->step);
    gboolean is_new = known == NULL || g_strcmp0 (known->committed_at, theirs->committed_at) != 0;
    /* What was kept first counts; but a run that was made here meanwhile is one more. */
    gboolean counts = mine == NULL || seam_choice_find (seam_ask_kinds, mine->ask) >= 0
                      || (theirs->value == 1 && mine->value != 1);

    if (is_new && counts)
      seam_lesson_answers_replace (answers, theirs);
    differs = differs || (is_new && counts);
  }
  if (answers->n_first == 0) {
    seam_field_copy (seam_record_find (&seam_lesson_answers_type, "first"), answers, other);
    answers->n_first = other->n_first;
  }
  if (answers->code == NULL)
    answers->code = g_strdup (other->code);
  if (other->id != NULL)
    seam_field_copy (seam_record_find (&seam_lesson_answers_type, "id"), answers, other);
  answers->furthest = MAX (answers->furthest, other->furthest);
  return differs;
}

gboolean
seam_lesson_answers_keep (SeamLessonAnswers *answers, GError **error)
{
  g_autofree char *folder = get_folder ();
  g_autofree char *path = get_path (answers->kept_as);

  if (g_mkdir_with_parents (folder, 0700) != 0)
    return seam_file_fail_write (error, folder, errno);
  if (!seam_lesson_answers_save (answers, path, error))
    return FALSE;
  g_free (answers->seen);
  answers->seen = seam_file_read_text (path, SEAM_ANSWERS_MAX_BYTES, NULL);
  return TRUE;
}

gboolean
seam_lesson_answers_forget_all (GError **error)
{
  g_autofree char *folder = get_folder ();
  g_autoptr (GPtrArray) names = seam_file_name_list (folder, SEAM_ANSWERS_SUFFIX);

  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    if (g_unlink (path) != 0)
      return seam_file_fail_write (error, path, errno);
  }
  return TRUE;
}
