/* SPDX-License-Identifier: MIT
 *
 * Lessons as a whole: finding them, their steps, and what must hold between steps.
 */
#include "app/lesson/lesson-read.h"

#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/read-file.h"
#include "app/base/text.h"
#include "app/explore/search-store.h"
#include "app/lesson/score.h"
#include "app/report/products.h"

#include <math.h>
#include <string.h>

#define MAX_FILE     1000000
#define MAX_PIPELINE 100000
#define MAX_SKELETON 200000
#define MAX_SHOWN    200 /* characters of a text in a sentence */

#define WRONG(...) seam_lesson_fail (error, what, step->line, __VA_ARGS__)

/* A question whose answer may not be told. */
typedef struct {
  guint hidden; /* bits of plans whose measurements are covered */
  int found;    /* a plan that a text tells; -1: none */
} Covered;

static void
visit_covered (const SeamFormula *formula, gpointer data)
{
  Covered *covered = data;
  guint told = seam_formula_get_plans (formula, TRUE) & covered->hidden;

  if (told != 0 && covered->found < 0)
    covered->found = g_bit_nth_lsf (told, -1);
}

guint
seam_lesson_step_get_asked_plans (const SeamLessonStep *step)
{
  guint plans = 0;

  if (step->kind != SEAM_STEP_PREDICT)
    return 0;
  if (step->answer != NULL)
    plans |= seam_formula_get_plans (step->answer, TRUE);
  for (guint i = 0; i < step->choices->len; i++) {
    const SeamLessonItem *item = step->choices->pdata[i];
    if (item->formula != NULL)
      plans |= seam_formula_get_plans (item->formula, TRUE);
  }
  return plans;
}

guint
seam_lesson_step_get_covered_plans (const SeamLessonStep *step)
{
  guint plans = seam_lesson_step_get_asked_plans (step);

  if (step->kind != SEAM_STEP_PREDICT)
    return 0;
  return (plans != 0 ? plans : (1u << SEAM_LESSON_MAX_PLANS) - 1) & ~1u;
}

gboolean
seam_lesson_step_asks_for_model (const SeamLessonStep *step)
{
  return step->kind == SEAM_STEP_PREDICT
         && (seam_lesson_step_get_asked_plans (step) == 0 || step->ask == SEAM_ASK_CUT
             || (step->answer != NULL && seam_formula_get_kind (step->answer) == SEAM_VALUE_BYTES));
}

int
seam_lesson_step_get_asked_plan (const SeamLessonStep *step)
{
  guint plans = step->kind == SEAM_STEP_PREDICT && step->answer != NULL
                    ? seam_formula_get_plans (step->answer, TRUE)
                    : 0;

  return plans != 0 && seam_formula_get_kind (step->answer) == SEAM_VALUE_TIME
             ? g_bit_nth_msf (plans, -1)
             : -1;
}

int
seam_lesson_get_compared (const SeamLesson *lesson, int step)
{
  const SeamLessonStep *shown = seam_lesson_get_step (lesson, (guint)step);
  const SeamLessonStep *question =
      shown->about >= 0 ? seam_lesson_get_step (lesson, (guint)shown->about) : shown;
  int plan = seam_lesson_step_get_asked_plan (question);
  guint plans = seam_lesson_step_get_asked_plans (question);

  for (guint i = 0; i < shown->checks->len; i++)
    plans |=
        seam_formula_get_plans (((const SeamLessonItem *)shown->checks->pdata[i])->formula, TRUE);
  return MAX (1, plan >= 0 ? plan : g_bit_nth_msf (plans, -1));
}

/* A text or a fact of a step that tells what the step asks for. */
static gboolean
check_covered (const SeamLessonStep *step, const char *what, GError **error)
{
  Covered covered = { seam_lesson_step_get_covered_plans (step), -1 };

  seam_formula_visit (step->body, visit_covered, &covered, NULL);
  seam_formula_visit (step->title, visit_covered, &covered, NULL);
  for (guint i = 0; i < step->facts->len; i++)
    visit_covered (((const SeamLessonItem *)step->facts->pdata[i])->formula, &covered);
  for (guint i = 0; i < step->choices->len; i++)
    seam_formula_visit (((const SeamLessonItem *)step->choices->pdata[i])->text, visit_covered,
                        &covered, NULL);
  return covered.found < 0
         || WRONG ("The step tells what was measured of plan %c, which it asks for.",
                   'A' + covered.found);
}

static void
visit_nothing (const SeamFormula *formula, gpointer data)
{
  int *n_plans = data;

  *n_plans = MAX (*n_plans, g_bit_nth_msf (seam_formula_get_plans (formula, FALSE), -1) + 1);
}

static gboolean
check_texts (const SeamLessonStep *step, const char *what, GError **error)
{
  const char *texts[] = { step->title,    step->body,  step->too_low,
                          step->too_high, step->right, step->why };
  g_autoptr (GError) problem = NULL;
  int n_plans = 0;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (texts[i] != NULL && !seam_formula_visit (texts[i], visit_nothing, &n_plans, &problem))
      return WRONG ("%s", problem->message);
  const GPtrArray *lists[] = { step->choices, step->facts, step->checks };
  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++) {
      const SeamLessonItem *item = lists[k]->pdata[i];
      const char *sentences[] = { item->text, item->reply };
      for (int t = 0; t < 2; t++)
        if (sentences[t] != NULL
            && !seam_formula_visit (sentences[t], visit_nothing, &n_plans, &problem))
          return seam_lesson_fail (error, what, item->line, "%s", problem->message);
      if (item->formula != NULL)
        visit_nothing (item->formula, &n_plans);
    }
  if (step->answer != NULL)
    visit_nothing (step->answer, &n_plans);
  int known = step->plans != NULL ? (int)g_strv_length (step->plans) : 0;
  return n_plans <= known
         || WRONG ("The step speaks of plan %c and has only %d plan%s.", 'A' + n_plans - 1, known,
                   known == 1 ? "" : "s");
}

static gboolean
check_question (const SeamLessonStep *step, const char *what, GError **error)
{
  gboolean has_answer = step->answer != NULL;

  if (step->ask == SEAM_ASK_NUMBER && (!has_answer || isnan (step->low)))
    return WRONG ("A number needs “answer” and “range”.");
  if (step->ask == SEAM_ASK_CUT
      && (!has_answer || seam_formula_get_kind (step->answer) != SEAM_VALUE_COUNT))
    return WRONG ("A cut needs “answer”, the number of a seam: best_seam().");
  if (step->ask == SEAM_ASK_CELL && step->rows == 0)
    return WRONG ("A cell needs “grid”.");
  if (step->ask == SEAM_ASK_CHOICE && step->choices->len < 2)
    return WRONG ("A question needs two choices or more.");
  for (guint i = 0; i < step->choices->len; i++) {
    const SeamLessonItem *item = step->choices->pdata[i];
    if (item->formula == NULL)
      return seam_lesson_fail (error, what, item->line, "The choice needs “if”: when it is right.");
  }
  return check_covered (step, what, error);
}

/* A recorded run, which a lesson shows, must hold what is drawn. */
static gboolean
is_picture (const SeamProduct *product)
{
  return product != NULL && product->kind == SEAM_PRODUCT_FIGURE
         && (product->of & (SEAM_OF_RESULTS | SEAM_OF_SEARCHES)) != 0;
}

gboolean
seam_lesson_check_steps (SeamLesson *lesson, const char *what, GError **error)
{
  int prediction = -1;

  for (guint i = 0; i < lesson->steps->len; i++) {
    SeamLessonStep *step = lesson->steps->pdata[i];
    if (step->id == NULL)
      step->id = seam_keep_printf (step, "step-%u", i + 1);
    if (*step->title == '\0')
      return WRONG ("The step has no title.");
    if (seam_lesson_find_step (lesson, step->id) != (int)i)
      return WRONG ("There are two steps “%s”.", step->id);
    if (step->picture != NULL && !is_picture (seam_products_find (step->picture)))
      return WRONG ("“%s” is no figure of a run or of an exploration.", step->picture);
    if (!check_texts (step, what, error))
      return FALSE;
    if (step->kind == SEAM_STEP_PREDICT) {
      step->about = prediction = (int)i;
      lesson->n_points += 3;
      if (!check_question (step, what, error))
        return FALSE;
    } else if (step->kind == SEAM_STEP_COMPARE) {
      if (prediction < 0)
        return WRONG ("A step that compares follows a prediction.");
      step->about = prediction;
    } else if (step->kind == SEAM_STEP_TRY && step->pipeline == NULL) {
      return WRONG ("A run needs a pipeline.");
    } else if (step->kind == SEAM_STEP_PROVE && step->checks->len == 0) {
      return WRONG ("The step has nothing to check.");
    }
  }
  return TRUE;
}

SeamLesson *
seam_lesson_load (const char *path, GError **error)
{
  g_autofree char *base = g_path_get_basename (path);
  g_autofree char *folder = g_path_get_dirname (path);
  g_autofree char *full = g_canonicalize_filename (folder, NULL);
  g_autofree char *own = g_build_filename (seam_data_dir (), "lessons", NULL);
  g_autofree char *full_own = g_canonicalize_filename (own, NULL);
  g_autofree char *text = seam_file_read_text (path, MAX_FILE, error);

  if (text == NULL) {
    g_prefix_error (error, "The lesson cannot be opened: ");
    return NULL;
  }
  if (g_str_has_suffix (base, SEAM_LESSON_SUFFIX))
    base[strlen (base) - strlen (SEAM_LESSON_SUFFIX)] = '\0';
  SeamLesson *lesson = seam_lesson_parse (text, base, error);
  if (lesson != NULL) {
    lesson->folder = seam_keep (lesson, g_steal_pointer (&folder));
    lesson->is_own = strcmp (full, full_own) != 0;
  }
  return lesson;
}

GPtrArray *
seam_lessons_list (GPtrArray *problems)
{
  GPtrArray *lessons = g_ptr_array_new_with_free_func (seam_owner_free);
  g_autofree char *folder = g_build_filename (seam_data_dir (), "lessons", NULL);
  g_autoptr (GPtrArray) names = seam_file_name_list (folder, SEAM_LESSON_SUFFIX);

  for (guint i = 0; i < names->len; i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    g_autoptr (GError) error = NULL;
    if (!g_ascii_isdigit (*(const char *)names->pdata[i]))
      continue;
    SeamLesson *lesson = seam_lesson_load (path, &error);
    if (lesson != NULL)
      g_ptr_array_add (lessons, lesson);
    else if (problems != NULL)
      g_ptr_array_add (problems, g_strdup (error->message));
  }
  return lessons;
}

SeamLesson *
seam_lesson_find (const char *name, GError **error)
{
  if (strchr (name, G_DIR_SEPARATOR) != NULL || g_str_has_suffix (name, SEAM_LESSON_SUFFIX))
    return seam_lesson_load (name, error);
  g_autoptr (GPtrArray) lessons = seam_lessons_list (NULL);
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (8, NULL, TRUE);
  for (guint i = 0; i < lessons->len; i++) {
    const SeamLesson *lesson = lessons->pdata[i];
    g_autofree char *number = g_strdup_printf ("%u", i + 1);
    if (strcmp (lesson->name, name) == 0 || strcmp (number, name) == 0)
      return g_ptr_array_steal_index (lessons, i);
    g_ptr_array_add (names, lesson->name);
  }
  g_autofree char *end = seam_text_suggest (name, (const char *const *)names->pdata);
  return seam_fail_null (error, SEAM_ERROR_INPUT,
                         "No lesson is called “%s”%s Give its number, 1 to %u, or a file.", name,
                         end, lessons->len);
}

const SeamLessonStep *
seam_lesson_get_step (const SeamLesson *lesson, guint i)
{
  return i < lesson->steps->len ? lesson->steps->pdata[i] : NULL;
}

int
seam_lesson_find_step (const SeamLesson *lesson, const char *id)
{
  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = lesson->steps->pdata[i];
    if (g_strcmp0 (step->id, id) == 0)
      return (int)i;
  }
  return -1;
}

SeamMarkdown *
seam_lesson_step_get_body (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  g_autofree char *filled = seam_formula_fill_known (step->body, facts);
  g_autofree char *cut = seam_lesson_cut_text (filled);

  return seam_markdown_parse (cut);
}

char *
seam_lesson_item_get_words (const SeamLessonItem *item, const SeamLessonFacts *facts)
{
  g_autofree char *filled = seam_formula_fill (item->text, facts);
  g_autoptr (SeamMarkdown) tree = seam_markdown_parse (filled);

  return seam_markdown_get_words (tree);
}

int
seam_lesson_step_get_n_places (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  if (step->ask == SEAM_ASK_CUT && facts != NULL && facts->problem != NULL)
    return facts->problem->pipeline->chains[0].n_ops - 1;
  return step->ask == SEAM_ASK_CHOICE ? (int)step->choices->len
         : step->ask == SEAM_ASK_CELL ? step->rows * step->columns
                                      : 0;
}

char *
seam_lesson_step_name_answer (const SeamLessonStep *step, const SeamLessonFacts *facts,
                              double answer)
{
  if (step->ask == SEAM_ASK_NUMBER)
    return seam_formula_format_value (
        &(SeamLessonValue){ seam_formula_get_kind (step->answer), answer, NULL }, step->unit);
  if (!(answer >= 0 && answer < seam_lesson_step_get_n_places (step, facts)))
    return g_strdup (SEAM_DASH);
  int place = (int)answer;
  if (step->ask == SEAM_ASK_CHOICE)
    return seam_lesson_item_get_words (step->choices->pdata[place], facts);
  if (step->ask == SEAM_ASK_CELL)
    return g_strdup_printf ("Row %d, column %d", place / step->columns + 1,
                            place % step->columns + 1);
  g_autofree char *seam = seam_explore_name_seam (facts->problem->pipeline, place);
  return g_strdup_printf ("Seam %d: %s", place + 1, seam);
}

char *
seam_lesson_get_sample_path (const char *sample)
{
  g_autofree char *name = g_strconcat (sample, SEAM_SESSION_SUFFIX, NULL);
  g_autofree char *own = g_build_filename (seam_data_dir (), "lessons", name, NULL);

  return g_file_test (own, G_FILE_TEST_EXISTS)
             ? g_steal_pointer (&own)
             : g_build_filename (seam_data_dir (), "samples", name, NULL);
}

static SeamSearch *
find_exploration (const SeamSession *session)
{
  GPtrArray *searches = seam_session_get_searches (session);

  for (guint i = 0; i < searches->len; i++) {
    SeamSessionSearch *found = searches->pdata[i];
    if (seam_session_search_get_kind (found) != SEAM_SEARCH_EXPLORE)
      continue;
    GVariant *content = seam_session_search_get_content (found, NULL);
    SeamSearch *search = content != NULL ? seam_search_restore (content, NULL) : NULL;
    if (search != NULL)
      return search;
  }
  return NULL;
}

static SeamSession *
load_session (const char *sample, GError **error)
{
  g_autofree char *path = seam_lesson_get_sample_path (sample);
  g_autoptr (SeamSession) session = seam_session_load (path, error);

  if (session != NULL && seam_session_get_n_runs (session) == 0)
    return seam_fail_null (error, SEAM_ERROR_FILE, "The sample “%s” has no run.", sample);
  return g_steal_pointer (&session);
}

static SeamSessionRun *
choose_run (const SeamSession *session, const char *const *plans, GError **error)
{
  g_autoptr (SeamSessionRun) run = seam_session_get_run (session, 0, error);
  g_autoptr (SeamLessonFacts) facts =
      run != NULL ? seam_lesson_facts_new (run->result, plans, error) : NULL;

  return facts != NULL ? seam_session_run_choose (run, facts->places, facts->n_plans, error) : NULL;
}

SeamSessionRun *
seam_lesson_load_run (const char *sample, const char *const *plans, GError **error)
{
  g_autoptr (SeamSession) session = load_session (sample, error);

  return session != NULL ? choose_run (session, plans, error) : NULL;
}

SeamLessonFacts *
seam_lesson_load_sample (const char *sample, const char *const *plans, GError **error)
{
  g_autoptr (SeamSession) session = load_session (sample, error);
  g_autoptr (SeamSessionRun) run = session != NULL ? choose_run (session, plans, error) : NULL;
  SeamLessonFacts *facts = run != NULL ? seam_lesson_facts_new (run->result, plans, error) : NULL;
  SeamSearch *search = facts != NULL ? find_exploration (session) : NULL;

  if (search != NULL) {
    facts->search = seam_keep_full (facts, search, (GDestroyNotify)seam_search_free);
    facts->explored = seam_keep_full (facts, seam_explore_view_new (search), seam_owner_free);
  }
  return facts;
}

SeamPipeline *
seam_lesson_step_find_pipeline (const SeamLessonStep *step, GError **error)
{
  if (!g_str_has_suffix (step->pipeline, ".ini"))
    return seam_pipeline_find (step->pipeline, error);
  g_autofree char *text =
      seam_file_read_beside (step->lesson->folder, step->pipeline, MAX_PIPELINE, error);
  return text != NULL ? seam_pipeline_parse (text, step->pipeline, error) : NULL;
}

char *
seam_lesson_step_read_skeleton (const SeamLessonStep *step, GError **error)
{
  return seam_file_read_beside (step->lesson->folder, step->skeleton, MAX_SKELETON, error);
}

SeamLessonFacts *
seam_lesson_step_load (const SeamLessonStep *step, GError **error)
{
  const char *const *plans = (const char *const *)step->plans;

  if (step->sample != NULL)
    return seam_lesson_load_sample (step->sample, plans, error);
  if (step->pipeline == NULL)
    return NULL;
  g_autoptr (SeamPipeline) pipeline = seam_lesson_step_find_pipeline (step, error);
  return pipeline != NULL ? seam_lesson_facts_new_planned (pipeline, step->preset, plans, error)
                          : NULL;
}

/* ---- runs of this computer ---- */

gboolean
seam_lesson_step_runs_here (const SeamLessonStep *step)
{
  return step->sample == NULL && step->pipeline != NULL && step->plans != NULL
         && step->kind != SEAM_STEP_SAY;
}

static gboolean
are_equal (char *const *a, char *const *b)
{
  static char *const none[] = { NULL };

  return g_strv_equal ((const char *const *)(a != NULL ? a : none),
                       (const char *const *)(b != NULL ? b : none));
}

gboolean
seam_lesson_steps_share_run (const SeamLessonStep *a, const SeamLessonStep *b)
{
  return a->sample == NULL && b->sample == NULL && a->pipeline != NULL && a->plans != NULL
         && g_strcmp0 (a->pipeline, b->pipeline) == 0 && g_strcmp0 (a->preset, b->preset) == 0
         && g_strcmp0 (a->target, b->target) == 0 && are_equal (a->plans, b->plans)
         && are_equal (a->settings, b->settings);
}

static gboolean
check_plans (SeamPipeline *pipeline, char *const *plans, GError **error)
{
  for (int i = 0; plans[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, plans[i], error);

    if (plan == NULL)
      return FALSE;
    for (int g = 0; g < plan->n_groups; g++)
      if (seam_group_is (&plan->groups[g], SEAM_IMPLEMENTATION_EDITED))
        return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                          "Somebody writes code for this run: open the lesson in the window.");
  }
  return TRUE;
}

SeamRunRequest *
seam_lesson_step_make_request (const SeamLessonStep *step, const char *target, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = seam_lesson_step_find_pipeline (step, error);

  if (pipeline == NULL || !check_plans (pipeline, step->plans, error))
    return NULL;
  g_autoptr (SeamRunRequest) request = seam_run_request_new (pipeline);
  if (step->preset != NULL) {
    const SeamPreset *preset = seam_pipeline_get_preset (pipeline, step->preset, error);

    if (preset == NULL)
      return NULL;
    memcpy (request->values, preset->values, sizeof request->values);
    g_free (request->preset);
    request->preset = g_strdup (preset->name);
  }
  g_strfreev (request->plans);
  request->plans = g_strdupv (step->plans);
  request->target = g_strdup (step->target != NULL ? step->target : target);
  if (!seam_lesson_step_apply_settings (step, &request->settings, error))
    return NULL;
  return g_steal_pointer (&request);
}

/* ---- mistakes ---- */

/* A step whose mistakes are looked for. */
typedef struct {
  const char *what;
  const SeamLessonStep *step;
  const SeamLessonFacts *facts; /* NULL: it speaks of no run and no pipeline */
  gboolean is_unknown;          /* a formula has no value */
  GError **error;
} Verifier;

#define MISTAKE(line, ...) seam_lesson_fail (v->error, v->what, line, __VA_ARGS__)

static void
visit_unknown (const SeamFormula *formula, gpointer data)
{
  Verifier *v = data;
  SeamLessonValue value;

  seam_formula_evaluate (formula, v->facts, &value);
  v->is_unknown = v->is_unknown || (isnan (value.number) && value.text == NULL);
  seam_lesson_value_clear (&value);
}

static gboolean
is_unknown (Verifier *v, const SeamFormula *formula)
{
  v->is_unknown = FALSE;
  if (formula != NULL)
    visit_unknown (formula, v);
  return v->is_unknown;
}

static gboolean
verify_text (Verifier *v, const char *text, int line)
{
  v->is_unknown = FALSE;
  if (text != NULL)
    seam_formula_visit (text, visit_unknown, v, NULL);
  if (!v->is_unknown)
    return TRUE;
  g_autofree char *filled = seam_formula_fill (text, v->facts);
  g_autofree char *shown = seam_text_shorten (filled, MAX_SHOWN);
  return MISTAKE (line, "The sample does not give every number of “%s”, or one is too large.",
                  shown);
}

static gboolean
verify_formulas (Verifier *v)
{
  const SeamLessonStep *step = v->step;
  const char *texts[] = { step->title,    step->body,  step->too_low,
                          step->too_high, step->right, step->why };
  const GPtrArray *lists[] = { step->choices, step->facts };

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    if (!verify_text (v, texts[i], step->line))
      return FALSE;
  for (gsize k = 0; k < G_N_ELEMENTS (lists); k++)
    for (guint i = 0; i < lists[k]->len; i++) {
      const SeamLessonItem *item = lists[k]->pdata[i];
      if (!verify_text (v, item->text, item->line) || !verify_text (v, item->reply, item->line))
        return FALSE;
      if (is_unknown (v, item->formula))
        return MISTAKE (item->line, "The sample does not give “%s”.", item->text);
    }
  return TRUE;
}

/* Choices, or facts, must be told apart; without a sample their numbers are not known yet. */
static gboolean
verify_labels (Verifier *v, const GPtrArray *items)
{
  g_autoptr (GHashTable) seen = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);

  for (guint i = 0; i < items->len; i++) {
    const SeamLessonItem *item = items->pdata[i];
    char *words = v->step->sample != NULL ? seam_lesson_item_get_words (item, v->facts)
                                          : g_strdup (item->text);
    if (!g_hash_table_add (seen, words) || *words == '\0')
      return MISTAKE (item->line, "“%s” is %s; name each choice and each fact in its own words.",
                      words, *words == '\0' ? "no name" : "there twice");
  }
  return TRUE;
}

/* Whether the answer is known before a run of this computer. */
static gboolean
knows_answer (Verifier *v)
{
  const SeamLessonStep *step = v->step;

  if (step->sample != NULL || v->facts == NULL)
    return TRUE;
  for (guint i = 0; i < step->choices->len; i++)
    if (is_unknown (v, ((const SeamLessonItem *)step->choices->pdata[i])->formula))
      return FALSE;
  return step->ask != SEAM_ASK_CELL && !is_unknown (v, step->answer);
}

/* What the question asks for must be among what can be answered. */
static gboolean
verify_answer (Verifier *v)
{
  const SeamLessonStep *step = v->step;
  const SeamLessonAnswer nothing = { .value = NAN, .reason = -1 };
  int line = step->answer != NULL ? step->answer_line : step->line;
  guint n_right = 0;
  g_auto (SeamScore) score = { 0 };

  if (step->ask == SEAM_ASK_NUMBER
      && !seam_formula_can_compare (seam_formula_get_kind (step->answer), step->range_kind))
    return MISTAKE (line, "“answer” and “range” need the same unit.");
  if (!knows_answer (v))
    return TRUE;
  seam_score_answer (step, v->facts, &nothing, &score);
  if (isnan (score.measured) && step->answer != NULL && step->ask == SEAM_ASK_CUT)
    return MISTAKE (line, "“%s” is not a seam here; seams are numbered from 1 to %d.",
                    step->answer_text, seam_lesson_step_get_n_places (step, v->facts));
  if (isnan (score.measured))
    return MISTAKE (line, "The sample does not give “%s”.",
                    step->answer != NULL ? step->answer_text : "the right answer");
  if (step->ask == SEAM_ASK_NUMBER
      && !(score.measured > 0 && step->low <= score.measured && score.measured <= step->high))
    return MISTAKE (line, "“%s” is not above 0 and in “range”.", step->answer_text);
  for (guint i = 0; i < step->choices->len; i++)
    n_right +=
        seam_formula_holds (((const SeamLessonItem *)step->choices->pdata[i])->formula, v->facts);
  return step->choices->len == 0 || (n_right > 0 && n_right < step->choices->len)
         || MISTAKE (step->line, "%s choice is right.", n_right == 0 ? "No" : "Every");
}

static gboolean
verify_step (Verifier *v)
{
  static const char *const pages[] = { "timing",   "difference", "traffic", "explore",
                                       "timeline", "source",     "sweep",   NULL };
  const SeamLessonStep *step = v->step;
  const char *const *plans = (const char *const *)step->plans;
  g_autoptr (GError) missing = NULL;
  g_autoptr (SeamLessonFacts) subject = seam_lesson_step_load (step, &missing);

  g_autoptr (SeamLessonFacts) recorded =
      missing == NULL && step->recorded != NULL
          ? seam_lesson_load_sample (step->recorded, plans, &missing)
          : NULL;
  if (missing == NULL && step->skeleton != NULL)
    g_free (seam_lesson_step_read_skeleton (step, &missing));
  if (missing != NULL)
    return MISTAKE (step->line, "%s", missing->message);
  if (step->page != NULL && !g_strv_contains (pages, step->page))
    return MISTAKE (step->line, "The window has no page “%s”.", step->page);
  v->facts = subject;
  /* The program's pipeline may have plans that are newer than the recording. */
  if (recorded != NULL && v->facts != NULL
      && !seam_pipeline_covers (v->facts->problem->pipeline, recorded->problem->pipeline))
    return MISTAKE (step->line, "“%s” is a run of another pipeline.", step->recorded);
  return verify_labels (v, step->choices) && verify_labels (v, step->facts)
         && (step->sample == NULL || verify_formulas (v))
         && (step->kind != SEAM_STEP_PREDICT || verify_answer (v));
}

gboolean
seam_lesson_verify (const SeamLesson *lesson, GError **error)
{
  g_autofree char *what = g_strconcat (lesson->name, SEAM_LESSON_SUFFIX, NULL);

  for (guint i = 0; i < lesson->steps->len; i++)
    if (!verify_step (&(Verifier){ what, seam_lesson_get_step (lesson, i), .error = error }))
      return FALSE;
  return TRUE;
}
