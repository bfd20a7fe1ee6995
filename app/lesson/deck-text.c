/* SPDX-License-Identifier: MIT
 *
 * Turns Markdown into paragraphs and spreads them over slides, and says what the facts of a step
 * are.
 */
#include "app/lesson/deck-text.h"

#include "app/base/text.h"
#include "app/compare/compare.h"

#include <math.h>
#include <string.h>

#define LARGEST 44.0
#define EASY    36.0 /* smaller only if a single paragraph needs it */

static void
add (GPtrArray *blocks, const char *before, const SeamMarkdown *node)
{
  g_autofree char *words = seam_markdown_get_words (node);

  if (*words != '\0')
    g_ptr_array_add (blocks, g_strconcat (before, words, NULL));
}

static void
read_list (const SeamMarkdown *list, GPtrArray *blocks)
{
  for (guint i = 0; i < list->children->len; i++) {
    g_autofree char *number = g_strdup_printf ("%u. ", list->number + i);

    add (blocks, list->number > 0 ? number : "• ", list->children->pdata[i]);
  }
}

static void
read_row (const SeamMarkdown *row, GPtrArray *blocks)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < row->children->len; i++) {
    g_autofree char *words = seam_markdown_get_words (row->children->pdata[i]);

    g_string_append_printf (text, "%s%s", i > 0 ? "  ·  " : "", words);
  }
  g_ptr_array_add (blocks, g_string_free (text, FALSE));
}

static void
read_block (const SeamMarkdown *node, GPtrArray *blocks)
{
  switch (node->kind) {
  case SEAM_MARKDOWN_DOCUMENT:
  case SEAM_MARKDOWN_QUOTE:
    for (guint i = 0; i < node->children->len; i++)
      read_block (node->children->pdata[i], blocks);
    break;
  case SEAM_MARKDOWN_LIST:
    read_list (node, blocks);
    break;
  case SEAM_MARKDOWN_TABLE:
    for (guint i = 0; i < node->children->len; i++)
      read_row (node->children->pdata[i], blocks);
    break;
  case SEAM_MARKDOWN_CODE_BLOCK:
    g_ptr_array_add (blocks, g_strchomp (g_strdup (node->text != NULL ? node->text : "")));
    break;
  case SEAM_MARKDOWN_RULE:
    break;
  default:
    add (blocks, "", node);
  }
}

GPtrArray *
seam_deck_text_read (const SeamMarkdown *document)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func (g_free);

  if (document != NULL)
    read_block (document, blocks);
  return blocks;
}

static char *
join (GPtrArray *blocks, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (const char *)blocks->pdata[i]);
  return g_string_free (text, FALSE);
}

char *
seam_deck_text_join (GPtrArray *blocks)
{
  return join (blocks, blocks->len);
}

/* Breaks the first block before the word that does not fit any more. */
static void
break_first (GPtrArray *blocks, const SeamSlide *slide)
{
  char *whole = blocks->pdata[0];
  glong fits = 0, too_long = MIN (g_utf8_strlen (whole, -1), SEAM_TEXT_MOST_SHOWN + 1);

  while (too_long - fits > 1) {
    glong middle = fits + (too_long - fits) / 2;
    g_autofree char *head = g_utf8_substring (whole, 0, middle);

    if (seam_slide_fit_text (slide, head, EASY, EASY, 0) > 0)
      fits = middle;
    else
      too_long = middle;
  }
  /* Something is taken even if nothing fits, but an empty block has nothing. */
  fits = *whole != '\0' ? MAX (1, fits) : 0;
  const char *end = g_utf8_offset_to_pointer (whole, fits);
  while (end > whole + 1 && *end != ' ')
    end--;
  if (end <= whole + 1)
    end = g_utf8_offset_to_pointer (whole, fits);
  if (*end != '\0')
    g_ptr_array_insert (blocks, 1, g_strchug (g_strdup (end)));
  blocks->pdata[0] = g_strndup (whole, (gsize)(end - whole));
  g_free (whole);
}

char *
seam_deck_text_take (GPtrArray *blocks, const SeamSlide *slide, double *size)
{
  char *text = NULL;
  guint n;

  for (n = 0; n < blocks->len; n++) {
    g_autofree char *tried = join (blocks, n + 1);
    double tried_size = seam_slide_fit_text (slide, tried, LARGEST, n == 0 ? 0 : EASY, 0);

    if (tried_size == 0)
      break;
    *size = tried_size;
    g_free (text);
    text = g_steal_pointer (&tried);
  }
  g_ptr_array_remove_range (blocks, 0, n);
  if (text != NULL || blocks->len == 0)
    return text != NULL ? text : g_strdup ("");
  break_first (blocks, slide);
  *size = EASY;
  text = g_strdup (blocks->pdata[0]);
  g_ptr_array_remove_index (blocks, 0);
  return text;
}

/* ---- numbers ---- */

char *
seam_deck_text_format_facts (const SeamLessonStep *step, const SeamLessonFacts *facts)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < step->facts->len && facts != NULL; i++) {
    const SeamLessonItem *item = step->facts->pdata[i];
    g_autofree char *words = seam_lesson_item_get_words (item, facts);
    SeamLessonValue value;

    seam_formula_evaluate (item->formula, facts, &value);
    g_autofree char *number = seam_formula_format_value (&value, step->unit);
    g_string_append_printf (text, "%s%s: %s", i > 0 ? "  ·  " : "", words, number);
    seam_lesson_value_clear (&value);
  }
  return g_string_free (text, FALSE);
}

void
seam_deck_text_describe_verdict (const SeamLessonStep *step, const SeamLessonFacts *facts,
                                 char **beside, char **note)
{
  int plan = seam_lesson_step_get_asked_plan (step);

  *beside = *note = NULL;
  if (plan <= 0 || seam_lesson_facts_get_measured (facts, 0) == NULL
      || seam_lesson_facts_get_measured (facts, plan) == NULL)
    return;
  g_autoptr (SeamVerdict) verdict =
      seam_verdict_new (facts->result, facts->places[0], facts->places[plan]);
  if (verdict == NULL || verdict->kind == SEAM_VERDICT_NONE)
    return;
  /* The plan has the letter of the lesson, not that of the run. */
  if (verdict->kind == SEAM_VERDICT_WRONG) {
    *beside = g_strdup_printf ("%c is wrong", 'A' + plan);
    return;
  }
  *beside = seam_verdict_describe_against (verdict, "A");
  *note = g_strdup (verdict->detail);
}
