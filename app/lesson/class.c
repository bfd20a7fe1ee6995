/* SPDX-License-Identifier: MIT
 *
 * Collects the answers of a class from files and folders, and writes them as one table.
 */
#include "app/lesson/class.h"

#include "app/base/csv-text.h"
#include "app/base/doubles.h"
#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/text.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_DEPTH   16
#define MAX_ENTRIES 200000 /* so that a whole disk, chosen by mistake, ends soon */

static GHashTable *
keep_names (SeamClass *self)
{
  return seam_keep_full (self, g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL),
                         (GDestroyNotify)g_hash_table_unref);
}

SeamClass *
seam_class_new (void)
{
  SeamClass *self = seam_owner_new (SeamClass);

  self->members = seam_keep_array (self, (GDestroyNotify)seam_lesson_answers_free);
  self->problems = seam_keep_array (self, g_free);
  self->seen = keep_names (self);
  self->by_id = keep_names (self);
  return self;
}

static void
leave_out (SeamClass *self, const char *path, const char *why)
{
  g_autofree char *shown = seam_text_show (path);

  g_ptr_array_add (self->problems, g_strdup_printf ("%s was left out: %s", shown, why));
}

/* Takes the answers. Of members with one id the newer one stays, or else the one with more answers,
 * and gets what only the other has. */
static void
add_member (SeamClass *self, SeamLessonAnswers *answers, const char *path)
{
  gboolean has_id = answers->id != NULL && *answers->id != '\0', is_copy, differs;
  g_autofree char *key =
      g_strdup_printf ("%s\n%s\n%s", answers->id, answers->lesson, answers->title);
  SeamLessonAnswers *other = has_id ? g_hash_table_lookup (self->by_id, key) : NULL;
  int order = other != NULL ? g_strcmp0 (answers->latest, other->latest) : 0;

  self->n_files++;
  answers->file = seam_text_show (path);
  if (other == NULL) {
    if (has_id)
      g_hash_table_insert (self->by_id, g_steal_pointer (&key), answers);
    g_ptr_array_add (self->members, answers);
    return;
  }
  if (order > 0 || (order == 0 && answers->n_answers > other->n_answers)) {
    SeamLessonAnswers older = *other;
    *other = *answers;
    *answers = older;
  }
  is_copy = seam_record_equal (&seam_lesson_answers_type, other, answers);
  differs = answers->learner != NULL && other->learner != NULL
            && strcmp (answers->learner, other->learner) != 0;
  for (int i = 0; i < answers->n_answers && !differs; i++) {
    const SeamLessonAnswer *found = seam_lesson_answers_find (other, answers->answers[i].step);

    /* A check may be tried again. */
    differs = found != NULL && islessgreater (found->value, answers->answers[i].value)
              && strcmp (found->ask, seam_step_kinds[SEAM_STEP_PROVE].name) != 0;
  }
  for (int i = 0; i < answers->n_answers && !differs; i++)
    if (seam_lesson_answers_find (other, answers->answers[i].step) == NULL)
      seam_lesson_answers_add (other, &answers->answers[i]);
  self->n_copies += is_copy;
  self->n_merged += !is_copy && !differs;
  if (differs) {
    g_autofree char *all =
        g_strdup_printf ("it is by “%s”, but %s by “%s” has the same id and counts: it is newer, "
                         "or has more answers.",
                         answers->learner != NULL ? answers->learner : SEAM_DASH, other->file,
                         other->learner != NULL ? other->learner : SEAM_DASH);
    g_autofree char *why = seam_text_show (all);

    self->n_files--;
    leave_out (self, answers->file, why);
  }
  seam_lesson_answers_free (answers);
}

static void
add_file (SeamClass *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  SeamLessonAnswers *answers = seam_lesson_answers_load (path, &error);

  if (answers == NULL) {
    leave_out (self, path, error->message);
    return;
  }
  answers->latest = g_strdup (seam_lesson_answers_get_date (answers));
  seam_lesson_answers_count_first (answers);
  add_member (self, answers, path);
}

void
seam_class_check (SeamClass *self, const SeamLesson *lesson)
{
  g_autoptr (SeamLessonAnswers) own = seam_lesson_answers_new (lesson);

  for (guint s = 0; s < lesson->steps->len; s++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, s);
    /* Tells how many seams there are, and the points. `n` is 0: unknown, or a number. */
    g_autoptr (SeamLessonFacts) facts =
        step->kind == SEAM_STEP_PREDICT ? seam_lesson_step_load (step, NULL) : NULL;
    int n = seam_lesson_step_get_n_places (step, facts);

    for (guint i = 0; step->kind == SEAM_STEP_PREDICT && i < self->members->len; i++) {
      SeamLessonAnswers *member = self->members->pdata[i];

      /* Who called out an answer has no file, and was told. */
      for (int k = 0; member->file != NULL && k < member->n_answers; k++) {
        SeamLessonAnswer *answer = &member->answers[k];
        double value = answer->value;
        gboolean again = seam_lesson_answers_find (member, step->id) != answer;
        gboolean fits = strcmp (answer->ask, seam_ask_kinds[step->ask].name) == 0
                        && (step->ask == SEAM_ASK_NUMBER
                                ? value > 0 && value <= SEAM_LESSON_LARGEST
                                : value >= 0 && fmod (value, 1) == 0 && (n == 0 || value < n));

        if (strcmp (answer->step, step->id) != 0 || isnan (value)
            || !seam_lesson_answers_match (own, member))
          continue;
        if (again || !fits) {
          g_autofree char *what =
              g_strdup_printf ("The answer to “%s” in %s", step->id, member->file);
          leave_out (self, what,
                     again ? "it is a second one." : "the question has no such answer.");
          answer->value = NAN;
        } else if (step->sample != NULL && facts != NULL) {
          g_auto (SeamScore) score = { 0 };
          seam_score_answer (step, facts, answer, &score);
          answer->points = score.points;
          answer->measured = score.measured;
        }
      }
    }
  }
}

static void add_path (SeamClass *self, const char *path, int depth);

/* A link in a folder that was handed in could lead to any file of the teacher's computer. */
static gboolean
leads_out (const SeamClass *self, const char *path)
{
  char *resolved = g_file_test (path, G_FILE_TEST_IS_SYMLINK) ? realpath (path, NULL) : NULL;
  gsize length = self->root != NULL ? strlen (self->root) : 0;
  gboolean out = resolved != NULL
                 && (length == 0 || strncmp (resolved, self->root, length) != 0
                     || (resolved[length] != '/' && resolved[length] != '\0'));

  free (resolved);
  return out;
}

static void
add_folder (SeamClass *self, const char *path, int depth)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GDir) dir = depth < MAX_DEPTH ? g_dir_open (path, 0, &error) : NULL;
  g_autoptr (GPtrArray) names = g_ptr_array_new_with_free_func (g_free);
  const char *name;

  if (dir == NULL) {
    leave_out (self, path, error != NULL ? error->message : "its folders are nested too deeply.");
    return;
  }
  while ((name = g_dir_read_name (dir)) != NULL && self->n_entries <= MAX_ENTRIES) {
    g_ptr_array_add (names, g_strdup (name));
    if (++self->n_entries == MAX_ENTRIES)
      leave_out (self, path, "the folder holds too many files. Choose the one with the answers.");
  }
  g_ptr_array_sort (names, seam_file_name_compare);
  for (guint i = 0; i < names->len; i++) {
    g_autofree char *inner = g_build_filename (path, names->pdata[i], NULL);

    if (!g_str_has_suffix (names->pdata[i], SEAM_ANSWERS_SUFFIX)
        && !g_file_test (inner, G_FILE_TEST_IS_DIR))
      continue;
    if (leads_out (self, inner))
      leave_out (self, inner, "it is a link that leads out of the folder. Choose its file itself.");
    else
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
  /* A link leads to the file that it names. */
  if (!g_hash_table_add (self->seen,
                         g_strdup_printf ("%" G_GUINT64_FORMAT ":%" G_GUINT64_FORMAT,
                                          (guint64)status.st_dev, (guint64)status.st_ino)))
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
  self->root = realpath (path, NULL);
  add_path (self, path, 0);
  g_clear_pointer (&self->root, free);
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
  g_autofree char *once =
      self->n_copies + self->n_merged > 0
          ? g_strdup_printf (" (copies that count once: %d; merged with others of one learner: %d)",
                             self->n_copies, self->n_merged)
          : g_strdup ("");

  return g_strdup_printf ("%d file%s of answers%s", self->n_files, self->n_files == 1 ? "" : "s",
                          once);
}

static const SeamLessonAnswers *
get_first (const GPtrArray *groups, guint i)
{
  return ((GPtrArray *)groups->pdata[i])->pdata[0];
}

static int
compare_groups (gconstpointer a, gconstpointer b)
{
  return (int)(*(GPtrArray *const *)b)->len - (int)(*(GPtrArray *const *)a)->len;
}

/* An array of members for each lesson, the most frequent lesson first. Files that do not list the
 * steps of their lesson come last: they go where their answers fit. */
static GPtrArray *
make_groups (const SeamClass *self)
{
  GPtrArray *groups = g_ptr_array_new_with_free_func ((GDestroyNotify)g_ptr_array_unref);

  for (guint i = 0; i < 2 * self->members->len; i++) {
    SeamLessonAnswers *member = self->members->pdata[i % self->members->len];
    guint at = 0;

    if ((member->steps == NULL) != (i >= self->members->len))
      continue;
    while (at < groups->len && !seam_lesson_answers_match (get_first (groups, at), member))
      at++;
    if (at == groups->len)
      g_ptr_array_add (groups, g_ptr_array_new ());
    g_ptr_array_add (groups->pdata[at], member);
  }
  g_ptr_array_sort (groups, compare_groups);
  return groups;
}

char **
seam_class_list_lessons (const SeamClass *self)
{
  g_autoptr (GPtrArray) groups = make_groups (self);
  g_autoptr (GStrvBuilder) names = g_strv_builder_new ();

  for (guint i = 0; i < groups->len; i++) {
    const SeamLessonAnswers *first = get_first (groups, i);
    const char *title = first->title != NULL ? first->title : "without a title";
    g_autofree char *named = g_strdup_printf ("%s (“%s”)", first->lesson, title);
    int n = 0;

    for (guint k = 0; k < groups->len; k++)
      n += strcmp (get_first (groups, k)->lesson, first->lesson) == 0;
    g_strv_builder_add (names, n == 1 ? first->lesson : named);
  }
  return g_strv_builder_end (names);
}

char *
seam_class_warn (const SeamClass *self, const SeamLesson *lesson, const char *way)
{
  g_autoptr (GPtrArray) groups = make_groups (self);
  g_autoptr (SeamLessonAnswers) own = lesson != NULL ? seam_lesson_answers_new (lesson) : NULL;
  g_autoptr (GPtrArray) others = g_ptr_array_new_null_terminated (8, NULL, TRUE);
  GString *warnings = g_string_new (NULL);

  for (guint i = 0; own != NULL && i < self->members->len; i++)
    if (!seam_lesson_answers_match (own, self->members->pdata[i]))
      g_ptr_array_add (others, ((SeamLessonAnswers *)self->members->pdata[i])->file);
  if (others->len > 0) {
    g_autofree char *list = seam_text_list ((const char *const *)others->pdata);
    g_autofree char *shown = seam_text_shorten (list, 300);

    g_string_printf (warnings, "%u file%s of another lesson: %s.%s", others->len,
                     others->len == 1 ? " is" : "s are", shown, way);
  }
  for (guint i = 0; i < groups->len; i++) {
    GPtrArray *group = groups->pdata[i];
    g_autoptr (GHashTable) texts = g_hash_table_new (g_str_hash, g_str_equal);

    if (own != NULL && seam_lesson_answers_match (own, group->pdata[0]))
      g_ptr_array_add (group, own);
    for (guint k = 0; k < group->len; k++)
      if (((SeamLessonAnswers *)group->pdata[k])->lesson_hash != NULL)
        g_hash_table_add (texts, ((SeamLessonAnswers *)group->pdata[k])->lesson_hash);
    if (g_hash_table_size (texts) > 1)
      g_string_append_printf (warnings,
                              "%sThe lesson “%s” had %u different texts: compare answers only "
                              "where its questions are the same.",
                              warnings->len > 0 ? "\n" : "", get_first (groups, i)->lesson,
                              g_hash_table_size (texts));
  }
  return g_string_free (warnings, warnings->len == 0);
}

/* The one of `lessons` that the answers are to, by its file name and what else they state: a file
 * that learners hand in names no path. -1: none. */
static int
find_lesson (const GPtrArray *lessons, const SeamLessonAnswers *answers, const char *name)
{
  for (guint i = 0; i < lessons->len; i++) {
    const SeamLesson *lesson = lessons->pdata[i];
    g_autoptr (SeamLessonAnswers) own =
        strcmp (lesson->name, name) == 0 ? seam_lesson_answers_new (lesson) : NULL;

    if (own != NULL && seam_lesson_answers_match (own, answers))
      return (int)i;
  }
  return -1;
}

SeamLesson *
seam_class_find_lesson (const SeamClass *self, GError **error)
{
  g_autoptr (GPtrArray) groups = make_groups (self);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  int found = -1;

  /* Not by the first answers alone, which may be the only forged ones. */
  for (guint i = 0; found < 0 && i < self->members->len; i++)
    found = find_lesson (lessons, self->members->pdata[i], get_first (groups, 0)->lesson);
  if (found >= 0)
    return g_ptr_array_steal_index (lessons, (guint)found);
  return seam_fail_null (error, SEAM_ERROR_INPUT,
                         groups->len == 0
                             ? "There are no answers to a lesson in it."
                             : "The lesson “%s” did not come with this version of the program: "
                               "open the file that was handed out, or name it with --lesson.",
                         groups->len > 0 ? get_first (groups, 0)->lesson : "");
}

SeamLesson *
seam_class_find_other (const SeamClass *self, const SeamLesson *lesson)
{
  g_autoptr (SeamLessonAnswers) own = seam_lesson_answers_new (lesson);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);

  for (guint i = 0; i < self->members->len; i++) {
    const SeamLessonAnswers *member = self->members->pdata[i];
    int found = seam_lesson_answers_match (own, member)
                    ? -1
                    : find_lesson (lessons, member, member->lesson);
    if (found >= 0)
      return g_ptr_array_steal_index (lessons, (guint)found);
  }
  return NULL;
}

static SeamClassOutcome
get_outcome (const SeamLesson *lesson, const SeamLessonAnswers *member, int step)
{
  static const SeamClassOutcome outcomes[SEAM_N_MARKS] = {
    [SEAM_MARK_NOTHING] = SEAM_OUTCOME_OPEN,      [SEAM_MARK_OPEN] = SEAM_OUTCOME_OPEN,
    [SEAM_MARK_CHECKED] = SEAM_OUTCOME_PASSED,    [SEAM_MARK_MISSED] = SEAM_OUTCOME_FAILED,
    [SEAM_MARK_RECORDED] = SEAM_OUTCOME_RECORDED, [SEAM_MARK_SKIPPED] = SEAM_OUTCOME_SKIPPED,
  };
  SeamLessonMark mark = seam_lesson_get_mark (lesson, member, step);

  if (mark != SEAM_MARK_CHECKED)
    return outcomes[mark];
  int attempts =
      seam_lesson_answers_find (member, seam_lesson_get_step (lesson, (guint)step)->id)->attempts;
  return SEAM_OUTCOME_PASSED + CLAMP (attempts - 1, 0, 2);
}

/* NaN: the member gave none. */
static double
get_value (const SeamLesson *lesson, const SeamLessonAnswers *member, int at)
{
  const SeamLessonStep *step = seam_lesson_get_step (lesson, (guint)at);
  const SeamLessonAnswer *answer = seam_lesson_answers_find (member, step->id);

  /* Who called out an answer has no file, and made no run. */
  if (step->kind == SEAM_STEP_PROVE)
    return member->file != NULL ? get_outcome (lesson, member, at) : NAN;
  return answer != NULL ? answer->value : NAN;
}

static double
get_reason (const SeamLesson *lesson, const SeamLessonAnswers *member, int at)
{
  const SeamLessonAnswer *answer =
      seam_lesson_answers_find (member, seam_lesson_get_step (lesson, (guint)at)->id);

  return answer != NULL && answer->reason >= 0 ? answer->reason : NAN;
}

static double *
collect (const SeamClass *self, const SeamLesson *lesson, const char *step,
         double (*get) (const SeamLesson *, const SeamLessonAnswers *, int), int *n)
{
  g_autoptr (SeamLessonAnswers) own = seam_lesson_answers_new (lesson);
  double *values = g_new (double, MAX (1, self->members->len));
  int at = seam_lesson_find_step (lesson, step);

  *n = 0;
  for (guint i = 0; at >= 0 && i < self->members->len; i++) {
    const SeamLessonAnswers *member = self->members->pdata[i];
    double value = seam_lesson_answers_match (own, member) ? get (lesson, member, at) : NAN;

    if (isfinite (value))
      values[(*n)++] = value;
  }
  qsort (values, (size_t)*n, sizeof *values, seam_compare_doubles);
  return values;
}

double *
seam_class_get_values (const SeamClass *self, const SeamLesson *lesson, const char *step, int *n)
{
  return collect (self, lesson, step, get_value, n);
}

double *
seam_class_get_reasons (const SeamClass *self, const SeamLesson *lesson, const char *step, int *n)
{
  return collect (self, lesson, step, get_reason, n);
}

char *
seam_class_name_value (const SeamLessonStep *step, const SeamLessonFacts *facts, double value)
{
  static const char *const outcomes[SEAM_N_OUTCOMES] = {
    "passed",
    "passed at the 2nd try",
    "passed at a later try",
    "from a recording",
    "not passed",
    "skipped",
    "open",
  };

  return step->kind == SEAM_STEP_PROVE ? g_strdup (outcomes[(int)value])
                                       : seam_lesson_step_name_answer (step, facts, value);
}

/* ---- the table ---- */

/* What a number is in, if the lesson came with the program. */
static const char *
get_unit (const SeamLesson *lesson, const SeamLessonAnswer *answer)
{
  static const char *const units[SEAM_VALUE_TEXT + 1] = {
    [SEAM_VALUE_TIME] = "ns", [SEAM_VALUE_BYTES] = "B", [SEAM_VALUE_RATE] = "B/s"
  };

  if (strcmp (answer->ask, seam_ask_kinds[SEAM_ASK_NUMBER].name) != 0)
    return answer->ask;
  int step = lesson != NULL ? seam_lesson_find_step (lesson, answer->step) : -1;
  if (step < 0 || seam_lesson_get_step (lesson, (guint)step)->answer == NULL)
    return "";
  return units[seam_formula_get_kind (seam_lesson_get_step (lesson, (guint)step)->answer)];
}

char *
seam_class_format_csv (const SeamClass *self)
{
  static const char *const header[] = { "lesson",   "step",     "learner", "value", "unit",
                                        "guess",    "measured", "points",  "date",  "reason",
                                        "recorded", "attempts", NULL };
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  GString *csv = g_string_new (NULL);

  seam_csv_add_header (csv, header);
  for (guint i = 0; i < self->members->len; i++) {
    const SeamLessonAnswers *member = self->members->pdata[i];
    int found = find_lesson (lessons, member, member->lesson);
    const SeamLesson *lesson = found >= 0 ? lessons->pdata[found] : NULL;

    for (int k = 0; k < member->n_answers; k++) {
      const SeamLessonAnswer *answer = &member->answers[k];
      int ask = seam_choice_find (seam_ask_kinds, answer->ask);
      int from = ask >= 0 && ask != SEAM_ASK_NUMBER; /* places count from 1, as on the screen */

      seam_csv_add_text (csv, member->lesson);
      seam_csv_add_text (csv, answer->step);
      seam_csv_add_text (csv, member->learner);
      seam_csv_add_number (csv, answer->value + from);
      seam_csv_add_text (csv, get_unit (lesson, answer));
      seam_csv_add_number (csv, answer->guess);
      seam_csv_add_number (csv, answer->measured + from);
      seam_csv_add_known (csv, answer->points, answer->points >= 0);
      seam_csv_add_text (csv, answer->committed_at);
      seam_csv_add_known (csv, answer->reason + 1, answer->reason >= 0);
      seam_csv_add_text (csv, answer->recorded ? "yes" : "no");
      seam_csv_add_known (csv, answer->attempts, answer->attempts > 0);
      seam_csv_end_row (csv);
    }
  }
  return g_string_free (csv, FALSE);
}
