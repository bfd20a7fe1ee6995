/* SPDX-License-Identifier: MIT
 *
 * Collects the answers of a class from files and folders, and writes them as one table.
 */
#include "app/lesson/class.h"

#include "app/base/csv-text.h"
#include "app/base/text.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define MAX_DEPTH   16
#define MAX_ENTRIES 200000 /* so that a whole disk, chosen by mistake, ends soon */

SeamClass *
seam_class_new (void)
{
  SeamClass *self = g_new0 (SeamClass, 1);

  self->members = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_lesson_answers_free);
  self->problems = g_ptr_array_new_with_free_func (g_free);
  self->seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  self->by_id = g_hash_table_new (g_str_hash, g_str_equal);
  return self;
}

void
seam_class_free (SeamClass *self)
{
  if (self == NULL)
    return;
  g_hash_table_unref (self->by_id);
  g_ptr_array_unref (self->members);
  g_ptr_array_unref (self->problems);
  g_hash_table_unref (self->seen);
  g_free (self);
}

static void
leave_out (SeamClass *self, const char *path, const char *why)
{
  g_autofree char *shown = seam_text_show (path);

  g_ptr_array_add (self->problems, g_strdup_printf ("%s was left out: %s", shown, why));
}

/* Whether it is new; a link leads to the file that it names. */
static gboolean
note_seen (SeamClass *self, const GStatBuf *status)
{
  return g_hash_table_add (self->seen,
                           g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                            (guint64)status->st_dev, (guint64)status->st_ino));
}

/* Takes the answers. Of two members with one id the one with more answers stays. */
static void
add_member (SeamClass *self, SeamLessonAnswers *answers)
{
  SeamLessonAnswers *other =
      answers->id != NULL ? g_hash_table_lookup (self->by_id, answers->id) : NULL;

  self->n_files++;
  if (other != NULL) {
    self->n_copies++;
    if (other->n_answers >= answers->n_answers) {
      seam_lesson_answers_free (answers);
      return;
    }
    g_hash_table_remove (self->by_id, other->id);
    g_ptr_array_remove (self->members, other);
  }
  if (answers->id != NULL)
    g_hash_table_insert (self->by_id, answers->id, answers);
  g_ptr_array_add (self->members, answers);
}

static void
add_file (SeamClass *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  SeamLessonAnswers *answers = seam_lesson_answers_load (path, &error);

  if (answers == NULL)
    leave_out (self, path, error->message);
  else
    add_member (self, answers);
}

static int
compare_names (gconstpointer a, gconstpointer b)
{
  return strcmp (*(char *const *)a, *(char *const *)b);
}

static void add_path (SeamClass *self, const char *path, int depth);

static void
add_folder (SeamClass *self, const char *path, int depth)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (depth == MAX_DEPTH) {
    leave_out (self, path, "its folders are nested too deeply.");
    return;
  }
  dir = g_dir_open (path, 0, &error);
  if (dir == NULL) {
    leave_out (self, path, error->message);
    return;
  }
  while ((name = g_dir_read_name (dir)) != NULL && self->n_entries <= MAX_ENTRIES) {
    g_ptr_array_add (names, g_strdup (name));
    if (++self->n_entries == MAX_ENTRIES)
      leave_out (self, path, "the folder holds too many files. Choose the one with the answers.");
  }
  g_ptr_array_sort (names, compare_names);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *inner = g_build_filename (path, names->pdata[i], NULL);

    if (g_str_has_suffix (names->pdata[i], SEAM_ANSWERS_SUFFIX)
        || g_file_test (inner, G_FILE_TEST_IS_DIR))
      add_path (self, inner, depth + 1);
  }
}

static void
add_path (SeamClass *self, const char *path, int depth)
{
  GStatBuf status;

  if (g_stat (path, &status) != 0) {
    g_autofree char *why = g_strconcat (g_strerror (errno), ".", NULL);

    leave_out (self, path, why);
    return;
  }
  if (!note_seen (self, &status))
    return;
  if (S_ISDIR (status.st_mode))
    add_folder (self, path, depth);
  else if (S_ISREG (status.st_mode))
    add_file (self, path);
  else
    leave_out (self, path, "it is neither a file nor a folder.");
}

void
seam_class_add (SeamClass *self, const char *path)
{
  add_path (self, path, 0);
}

void
seam_class_call_out (SeamClass *self, const SeamLesson *lesson, const SeamLessonStep *step,
                     double value)
{
  SeamLessonAnswers *member = seam_lesson_answers_new (lesson);
  g_autoptr (GDateTime) now = g_date_time_new_now_utc ();
  SeamLessonAnswer answer;

  seam_record_init (&seam_lesson_answer_type, &answer);
  answer.step = g_strdup (step->id);
  answer.ask = g_strdup (seam_ask_kinds[step->ask].name);
  answer.value = value;
  answer.committed_at = g_date_time_format_iso8601 (now);
  seam_lesson_answers_add (member, &answer);
  seam_record_clear (&seam_lesson_answer_type, &answer);
  g_ptr_array_add (self->members, member);
}

char *
seam_class_describe_files (const SeamClass *self)
{
  g_autofree char *copies =
      self->n_copies > 0 ? g_strdup_printf (", of which %d %s and count%s once", self->n_copies,
                                            self->n_copies == 1 ? "is a copy" : "are copies",
                                            self->n_copies == 1 ? "s" : "")
                         : g_strdup ("");

  return g_strdup_printf ("%d file%s of answers%s", self->n_files, self->n_files == 1 ? "" : "s",
                          copies);
}

typedef struct {
  const char *name;
  int n;
} Counted;

static int
compare_counted (gconstpointer a, gconstpointer b)
{
  const Counted *x = a, *y = b;

  return x->n != y->n ? y->n - x->n : strcmp (x->name, y->name);
}

char **
seam_class_list_lessons (const SeamClass *self)
{
  g_autoptr (GArray) lessons = g_array_new (FALSE, TRUE, sizeof (Counted));
  char **names;

  for (guint i = 0; i < self->members->len; i++) {
    const SeamLessonAnswers *member = self->members->pdata[i];
    guint at = 0;

    while (at < lessons->len
           && strcmp (g_array_index (lessons, Counted, at).name, member->lesson) != 0)
      at++;
    if (at == lessons->len)
      g_array_append_val (lessons, ((Counted){ member->lesson, 0 }));
    g_array_index (lessons, Counted, at).n++;
  }
  g_array_sort (lessons, compare_counted);
  names = g_new0 (char *, lessons->len + 1);
  for (guint i = 0; i < lessons->len; i++)
    names[i] = g_strdup (g_array_index (lessons, Counted, i).name);
  return names;
}

static int
compare_doubles (gconstpointer a, gconstpointer b)
{
  double x = *(const double *)a, y = *(const double *)b;

  return (x > y) - (x < y);
}

double *
seam_class_get_values (const SeamClass *self, const char *lesson, const char *step, int *n)
{
  double *values = g_new (double, MAX (1, self->members->len));

  *n = 0;
  for (guint i = 0; i < self->members->len; i++) {
    const SeamLessonAnswers *member = self->members->pdata[i];
    const SeamLessonAnswer *answer = seam_lesson_answers_find (member, step);

    if (strcmp (member->lesson, lesson) == 0 && answer != NULL && isfinite (answer->value))
      values[(*n)++] = answer->value;
  }
  qsort (values, (size_t)*n, sizeof *values, compare_doubles);
  return values;
}

/* ---- the table ---- */

/* What a number is in, if the lesson is on this computer. `lessons`: those that were read, by name;
 * NULL values: not found. */
static const char *
get_unit (GHashTable *lessons, const char *name, const SeamLessonAnswer *answer)
{
  static const char *const units[] = {
    [SEAM_VALUE_TIME] = "ns", [SEAM_VALUE_BYTES] = "B", [SEAM_VALUE_RATE] = "B/s",
    [SEAM_VALUE_RATIO] = "",  [SEAM_VALUE_SHARE] = "",  [SEAM_VALUE_COUNT] = "",
    [SEAM_VALUE_NUMBER] = "", [SEAM_VALUE_YES_NO] = "", [SEAM_VALUE_TEXT] = "",
  };
  gpointer found;
  const SeamLesson *lesson;
  int step;

  if (strcmp (answer->ask, seam_ask_kinds[SEAM_ASK_NUMBER].name) != 0)
    return answer->ask;
  if (!g_hash_table_lookup_extended (lessons, name, NULL, &found)) {
    found = seam_lesson_find (name, NULL);
    g_hash_table_insert (lessons, g_strdup (name), found);
  }
  lesson = found;
  step = lesson != NULL ? seam_lesson_find_step (lesson, answer->step) : -1;
  if (step < 0 || seam_lesson_get_step (lesson, (guint)step)->answer == NULL)
    return "";
  return units[seam_formula_get_kind (seam_lesson_get_step (lesson, (guint)step)->answer)];
}

static void
free_lesson (gpointer lesson)
{
  seam_lesson_free (lesson);
}

char *
seam_class_format_csv (const SeamClass *self)
{
  static const char *const header[] = { "lesson", "step",     "learner", "value", "unit",
                                        "guess",  "measured", "points",  "date",  NULL };
  g_autoptr (GHashTable) lessons =
      g_hash_table_new_full (g_str_hash, g_str_equal, g_free, free_lesson);
  GString *csv = g_string_new (NULL);

  seam_csv_add_header (csv, header);
  for (guint i = 0; i < self->members->len; i++) {
    const SeamLessonAnswers *member = self->members->pdata[i];

    for (int k = 0; k < member->n_answers; k++) {
      const SeamLessonAnswer *answer = &member->answers[k];

      seam_csv_add_text (csv, member->lesson);
      seam_csv_add_text (csv, answer->step);
      seam_csv_add_text (csv, member->learner);
      seam_csv_add_number (csv, answer->value);
      seam_csv_add_text (csv, get_unit (lessons, member->lesson, answer));
      seam_csv_add_number (csv, answer->guess);
      seam_csv_add_number (csv, answer->measured);
      seam_csv_add_known (csv, answer->points, answer->points >= 0);
      seam_csv_add_text (csv, answer->committed_at);
      seam_csv_end_row (csv);
    }
  }
  return g_string_free (csv, FALSE);
}
