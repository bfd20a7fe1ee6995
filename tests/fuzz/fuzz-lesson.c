/* SPDX-License-Identifier: MIT
 *
 * Lessons that other people wrote: the reader, and every text, formula, question and check of a
 * lesson that it accepts, with facts of a recorded run and without any. What its pictures and
 * slides do is fuzz-deck.c's.
 */
#include "app/help/help-text.h"
#include "app/lesson/score.h"
#include "tests/fuzz/fuzz.h"

#include <math.h>

static SeamLessonFacts *subject;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  static const char *const plans[] = { "unfused", "published", NULL };
  g_autoptr (GError) error = NULL;

  fuzz_init ();
  subject = seam_lesson_load_sample ("h200-conv-relu-hardswish", plans, &error);
  g_assert_no_error (error);
  return 0;
}

static void
use_items (const SeamLessonStep *step, const GPtrArray *items, const SeamLessonFacts *facts)
{
  for (guint i = 0; i < items->len; i++) {
    const SeamLessonItem *item = items->pdata[i];
    SeamLessonValue value;

    if (item->text != NULL)
      fuzz_take_text (seam_lesson_item_get_words (item, facts));
    if (item->reply != NULL)
      fuzz_take_text (seam_formula_fill (item->reply, facts));
    if (item->formula == NULL)
      continue;
    seam_formula_evaluate (item->formula, facts, &value);
    fuzz_take_text (seam_formula_format_value (&value, step->unit));
    seam_lesson_value_clear (&value);
  }
}

static void
use_question (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  static const double values[] = { NAN, 0, 1, 2.5, -1, 1e6, 1e300, INFINITY };

  for (guint i = 0; i < step->choices->len && step->ask == SEAM_ASK_CHOICE; i++)
    fuzz_take_text (seam_lesson_step_name_answer (step, facts, (int)i));
  for (gsize i = 0; i < G_N_ELEMENTS (values) && facts != NULL; i++) {
    const SeamLessonAnswer answer = { .value = values[i], .reason = (int)i - 1 };
    g_auto (SeamScore) score;

    seam_score_answer (step, facts, &answer, &score);
    g_assert_true (score.points >= 0 && score.points <= SEAM_SCORE_MOST);
  }
}

static void
use_step (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (step, facts);

  fuzz_take_text (seam_markdown_get_words (body));
  fuzz_take_text (seam_help_to_text (body, 80));
  fuzz_take_text (seam_formula_fill (step->title, facts));
  use_items (step, step->choices, facts);
  use_items (step, step->facts, facts);
  use_items (step, step->checks, facts);
  if (step->kind == SEAM_STEP_PREDICT)
    use_question (step, facts);
  if (step->kind == SEAM_STEP_PROVE && facts != NULL) {
    g_autoptr (GPtrArray) conditions = seam_lesson_check_conditions (step, facts);
    g_assert_cmpuint (conditions->len, ==, step->checks->len);
    seam_lesson_check_judge (conditions, NULL);
  }
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamLesson) lesson = seam_lesson_parse (valid, "fuzz", &error);

  fuzz_check (lesson != NULL, error);
  if (lesson == NULL)
    return 0;
  g_autoptr (SeamLessonAnswers) answers = seam_lesson_answers_new (lesson);
  for (guint i = 0; i < lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_lesson_get_step (lesson, i);

    g_assert_cmpint (seam_lesson_find_step (lesson, step->id), ==, (int)i);
    use_step (step, NULL);
    use_step (step, subject);
    seam_lesson_get_compared (lesson, (int)i);
    seam_lesson_find_cover (lesson, answers, (int)i);
    seam_lesson_is_asked_later (lesson, answers, (int)i);
  }
  return 0;
}
