/* SPDX-License-Identifier: MIT
 *
 * Makes the slides of a deck: which there are, and what of a text or a figure each shows. Markdown
 * becomes paragraphs, as many on a slide as fit.
 */
#include "app/lesson/deck-private.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/explain/read-result.h"
#include "app/explain/waterfall.h"
#include "app/figure/bars.h"
#include "app/figure/map-common.h"
#include "app/figure/roofline-figure.h"
#include "app/figure/sheet.h"
#include "app/figure/waterfall-figure.h"
#include "app/report/ledger-table.h"
#include "app/report/sheets.h"

#include <math.h>
#include <string.h>

#define LARGEST 44.0 /* of text */
#define EASY    36.0 /* smaller only if a single paragraph needs it */
#define OVERLAP .85  /* of a room, by which parts of a larger figure follow each other */
#define WIDER   1.02 /* a figure that is wider only by this is not cut */

#define LEGEND_WIDTH 110.0
#define LEGEND_GAP   20.0
#define MAP_SHARE    .8 /* of the width, for a map that is not on a slide */

static SeamDeckSlide *
add_slide (SeamDeck *deck, SeamDeckKind kind, int step)
{
  SeamDeckSlide *slide = seam_owner_new (SeamDeckSlide);

  slide->kind = kind;
  slide->step = step;
  slide->compared = -1;
  g_ptr_array_add (deck->slides, slide);
  return slide;
}

/* ---- pictures ---- */

typedef struct {
  char *headline; /* NULL: none */
  SeamFigure *figure;
} Picture;

static void
free_picture (gpointer data)
{
  Picture *picture = data;

  g_free (picture->headline);
  seam_figure_free (picture->figure);
  g_free (picture);
}

static void
keep_picture (GPtrArray *pictures, char *headline, SeamFigure *figure)
{
  Picture *picture = g_new0 (Picture, 1);

  picture->headline = headline;
  picture->figure = figure;
  g_ptr_array_add (pictures, picture);
}

/* The height of a slide under this headline (NULL: none), in the units in which a figure is laid
 * out; 0: the figure is not for a slide. */
static double
measure_room (const char *headline, double width)
{
  SeamSlide *empty = seam_slide_new (NULL, NULL, NULL);

  if (headline != NULL)
    seam_slide_set_headline (empty, headline);
  double room = seam_slide_get_room (empty) * seam_slide_get_figure_width () / SEAM_SLIDE_INNER;
  seam_figure_free (seam_slide_finish (empty));
  return width == seam_slide_get_figure_width () ? floor (room) : 0;
}

/* The bars under their verdict. */
static gboolean
add_timing (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  SeamResult *result = source->results[0];
  const int plans[] = { source->first, source->second };
  const SeamBarsOptions options = { .width = width };
  g_autoptr (SeamVerdict) verdict =
      source->second >= 0 ? seam_verdict_new (result, source->first, source->second) : NULL;

  g_autofree char *time = seam_text_time (result->plans[plans[0]].median_ns);

  keep_picture (pictures,
                verdict != NULL
                    ? seam_verdict_describe_against (verdict, seam_side_get_name (source->first))
                    : g_strdup_printf ("%s takes %s", seam_side_get_name (plans[0]), time),
                seam_bars_figure_new (result, plans, source->second >= 0 ? 2 : 1, &options));
  return TRUE;
}

/* What the map says in words, where it would be empty: agreement. */
static SeamFigure *
make_map (const SeamProblem *problem, const SeamProductSource *source, double width, double height)
{
  const SeamDifference *difference = source->difference;
  const SeamSideNames names = { seam_side_get_name (source->against),
                                seam_side_get_name (source->tested) };
  SeamSheet *sheet = seam_sheet_new (width);
  g_autofree char *title = NULL, *text = NULL;

  const SeamMapUnit unit = seam_map_unit_for (difference, SEAM_UNIT_BEST);
  height = height > 0 ? height : width * MAP_SHARE;
  SeamMapOptions options = (SeamMapOptions){
    .width = width - LEGEND_WIDTH - LEGEND_GAP,
    .height = height,
    .scale = seam_map_scale_for (difference, unit),
    .spec = difference->spec,
    .n_groups = seam_problem_get_n_groups (problem),
  };

  if (seam_map_describe_agreement (difference, unit, &title, &text)) {
    height =
        seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, title, 0, 0, width, SEAM_SIZE_TITLE, FALSE)
        + 10;
    height += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, text, 0, height, width,
                                        SEAM_SIZE_LABEL, FALSE);
    return seam_sheet_finish (sheet, height, g_strdup_printf ("%s. %s", title, text));
  }
  SeamFigure *map = seam_overview_figure_new (problem, difference, &options);
  seam_sheet_add_figure (sheet, map, 0, 0);
  seam_sheet_add_figure (
      sheet, seam_map_legend_figure_new (&options.scale, &names, LEGEND_WIDTH, height - 24),
      options.width + LEGEND_GAP, 14);
  return seam_sheet_finish (sheet, height, seam_figure_summarize (map));
}

/* The map under its verdict. */
static gboolean
add_difference (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (source->results[0], error);
  const char *letter = seam_side_get_name (source->tested);

  if (problem == NULL)
    return FALSE;
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (source->difference);
  g_autofree char *headline = g_strdup_printf (
      "%s: %c%s", letter, g_ascii_tolower (agreement->headline[0]), agreement->headline + 1);
  SeamFigure *map = make_map (problem, source, width, measure_room (headline, width));
  keep_picture (pictures, g_steal_pointer (&headline), map);
  return TRUE;
}

static char *
describe_traffic (const SeamTrafficLedger *ledger)
{
  g_autofree char *a = seam_text_bytes (ledger->modelled[0]);
  g_autofree char *b = ledger->n_sides > 1 ? seam_text_bytes (ledger->modelled[1]) : NULL;

  return b != NULL
             ? g_strdup_printf ("%c moves %s, %c %s", ledger->letters[0], a, ledger->letters[1], b)
             : g_strdup_printf ("%c moves %s", ledger->letters[0], a);
}

/* "5 kernels are gone: 1.25 ms". */
static char *
describe_waterfall (const SeamWaterfall *waterfall)
{
  const char *end = waterfall->sentence != NULL ? strstr (waterfall->sentence, ". ") : NULL;

  if (end != NULL)
    return g_strndup (waterfall->sentence, (gsize)(end - waterfall->sentence));
  return g_strdup_printf ("From %c to %c", waterfall->letters[0], waterfall->letters[1]);
}

/* The ledger, and what its bytes are worth in time. */
static gboolean
add_traffic (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  SeamResult *result = source->results[0];
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamPlan) a =
      problem != NULL ? seam_explain_read_plan (result, source->first, error) : NULL;
  g_autoptr (SeamPlan) b = NULL;
  g_autoptr (SeamWaterfall) waterfall = NULL;

  if (a == NULL)
    return FALSE;
  if (source->second >= 0) {
    b = seam_explain_read_plan (result, source->second, error);
    if (b == NULL)
      return FALSE;
    waterfall = seam_waterfall_new (result, source->first, source->second, NULL);
  }
  g_autoptr (SeamTrafficLedger) ledger =
      seam_traffic_ledger_new (problem, a, b, result, source->first, source->second, NULL);
  g_autoptr (SeamTable) table = seam_ledger_table_make (ledger);
  keep_picture (pictures, describe_traffic (ledger),
                seam_table_figure_new (table, width, g_strdup ("Traffic ledger")));
  if (waterfall != NULL) {
    char *headline = describe_waterfall (waterfall);

    keep_picture (pictures, headline,
                  seam_waterfall_figure_new (waterfall, width, measure_room (headline, width)));
  }
  return TRUE;
}

/* The plot alone: what its numbers are stands in the table of the page. */
static gboolean
add_roofline (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  g_autoptr (SeamRoofline) roofline =
      seam_roofline_new (source->results[0], source->first, source->second, error);

  if (roofline == NULL)
    return FALSE;
  keep_picture (pictures, NULL,
                seam_roofline_figure_new (roofline, width, measure_room (NULL, width)));
  return TRUE;
}

/* Any other product is shown as it is written. */
static gboolean
add_whole (GPtrArray *pictures, const SeamProduct *product, const SeamProductSource *source,
           double width, GError **error)
{
  SeamFigure *figure =
      product->make_page != NULL
          ? product->make_page (source->results[0], source->first, source->second, width, error)
          : product->make_figure (source, width, error);

  if (figure != NULL)
    keep_picture (pictures, NULL, figure);
  return figure != NULL;
}

/* What a lesson shows of a product, on slides and in its pane, as Picture: one part under one
 * sentence, where the figures that the program writes have titles, several parts and provenance.
 * The caller may take the figures, and sets them to NULL then. `width`:
 * seam_slide_get_figure_width(), for which they have at most the height of a slide if they can; or
 * that of another place. NULL with an error if the source lacks what the product is made of. */
static GPtrArray *
make_pictures (const SeamProduct *product, const SeamProductSource *source, double width,
               GError **error)
{
  static const struct {
    const char *product;
    gboolean (*add) (GPtrArray *pictures, const SeamProductSource *source, double width,
                     GError **error);
  } own[] = {
    { "timing", add_timing },
    { "difference", add_difference },
    { "traffic", add_traffic },
    { "roofline", add_roofline },
  };
  g_autoptr (GPtrArray) pictures = g_ptr_array_new_with_free_func (free_picture);

  for (gsize i = 0; i < G_N_ELEMENTS (own); i++)
    if (strcmp (own[i].product, product->name) == 0)
      return own[i].add (pictures, source, width, error) ? g_steal_pointer (&pictures) : NULL;
  return add_whole (pictures, product, source, width, error) ? g_steal_pointer (&pictures) : NULL;
}

/* ---- text ---- */

static void
add (GPtrArray *blocks, const char *before, const SeamMarkdown *node)
{
  g_autofree char *words = seam_markdown_get_words (node);

  if (*words != '\0')
    g_ptr_array_add (blocks, g_strconcat (before, words, NULL));
}

/* The cells of a row of a table, in a line. */
static void
add_row (GPtrArray *blocks, const SeamMarkdown *row)
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
  gboolean has_blocks = node->kind == SEAM_MARKDOWN_DOCUMENT || node->kind == SEAM_MARKDOWN_QUOTE;
  gboolean has_rows = node->kind == SEAM_MARKDOWN_TABLE;

  if (node->kind == SEAM_MARKDOWN_CODE_BLOCK)
    g_ptr_array_add (blocks, g_strchomp (g_strdup (node->text != NULL ? node->text : "")));
  else if (!has_blocks && !has_rows && node->kind != SEAM_MARKDOWN_LIST)
    add (blocks, "", node); /* a rule has no words */
  else
    for (guint i = 0; i < node->children->len; i++) {
      const SeamMarkdown *child = node->children->pdata[i];
      g_autofree char *number = g_strdup_printf ("%u. ", node->number + i);

      if (has_blocks)
        read_block (child, blocks);
      else if (has_rows)
        add_row (blocks, child);
      else
        add (blocks, node->number > 0 ? number : "• ", child);
    }
}

/* The blocks of a document as plain paragraphs (char *); items of lists have a bullet or number. */
static GPtrArray *
read_document (const SeamMarkdown *document)
{
  GPtrArray *blocks = g_ptr_array_new_with_free_func (g_free);

  if (document != NULL)
    read_block (document, blocks);
  return blocks;
}

/* The first `n`, a line each; newly allocated. */
static char *
join (GPtrArray *blocks, guint n)
{
  GString *text = g_string_new (NULL);

  for (guint i = 0; i < n; i++)
    g_string_append_printf (text, "%s%s", i > 0 ? "\n" : "", (const char *)blocks->pdata[i]);
  return g_string_free (text, FALSE);
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

/* Takes as many blocks from the start as fit the room of the slide in a size that is easy to read,
 * and removes them; a paragraph that is too long alone is broken. Newly allocated; `size` receives
 * the size. */
static char *
take_blocks (GPtrArray *blocks, const SeamSlide *slide, double *size)
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

/* What one may use, in a line; `facts` NULL: nothing is known. Newly allocated. */
static char *
format_facts (const SeamLessonStep *step, const SeamLessonFacts *facts)
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

/* As many slides as the text needs. */
static void
add_texts (SeamDeck *deck, int step, const char *headline, GPtrArray *blocks)
{
  do {
    SeamDeckSlide *slide = add_slide (deck, SLIDE_TEXT, step);
    SeamSlide *empty = seam_deck_begin (deck, slide);

    slide->headline = seam_keep (slide, g_strdup (headline));
    seam_slide_set_headline (empty, headline);
    slide->text = seam_keep (slide, take_blocks (blocks, empty, &slide->text_size));
    seam_figure_free (seam_slide_finish (empty));
  } while (blocks->len > 0);
}

/* ---- figures ---- */

/* As many slides as the figure needs, in reading order. */
static void
add_parts (SeamDeck *deck, int step, const char *headline, SeamFigure *figure)
{
  double scale = seam_slide_get_scale (figure), width = SEAM_SLIDE_INNER / scale, height;
  double x = 0, y = 0;

  g_ptr_array_add (deck->figures, figure);
  for (;;) {
    SeamDeckSlide *slide = add_slide (deck, SLIDE_FIGURE, step);
    SeamSlide *empty = seam_deck_begin (deck, slide);

    slide->headline = seam_keep (slide, g_strdup (headline));
    slide->figure = figure;
    slide->scale = scale;
    slide->from_x = x;
    slide->from_y = y;
    if (headline != NULL)
      seam_slide_set_headline (empty, headline);
    height = seam_slide_get_room (empty) / scale;
    seam_figure_free (seam_slide_finish (empty));
    if (x + width * WIDER < figure->width) {
      x = fmin (x + width * OVERLAP, figure->width - width);
    } else if (y + height * WIDER < figure->height) {
      x = 0;
      y = fmin (y + height * OVERLAP, figure->height - height);
    } else {
      break;
    }
  }
}

/* Takes the figures. */
static void
add_pictures (SeamDeck *deck, int step, GPtrArray *pictures)
{
  for (guint i = 0; i < pictures->len; i++) {
    Picture *picture = pictures->pdata[i];

    add_parts (deck, step, picture->headline, g_steal_pointer (&picture->figure));
  }
}

/* In a room each question is answered before the next step is shown. */
static SeamLessonAnswers *
make_answers (const SeamDeck *deck, int step)
{
  SeamLessonAnswers *answers = seam_lesson_answers_new (deck->lesson);

  for (int i = 0; i <= step; i++)
    if (seam_deck_step_at (deck, i)->kind == SEAM_STEP_PREDICT) {
      const SeamLessonAnswer answer = { .step = seam_deck_step_at (deck, i)->id };

      seam_lesson_answers_add (answers, &answer);
    }
  return answers;
}

/* What a later question asks for is left out: all of a search, plan B of a run. FALSE: nothing is
 * left. */
static gboolean
leave_out_covered (const SeamDeck *deck, int step, const SeamProduct *product,
                   SeamProductSource *source)
{
  g_autoptr (SeamLessonAnswers) answers = make_answers (deck, step);

  if (product->of & SEAM_OF_SEARCHES)
    return !seam_lesson_is_asked_later (deck->lesson, answers, step);
  if (seam_lesson_find_cover (deck->lesson, answers, step) == NULL)
    return TRUE;
  source->second = -1;
  return !(product->of & SEAM_OF_OUTPUTS);
}

/* The product that a step shows: the one it names, else that of its page. */
static const SeamProduct *
find_product (const SeamLessonStep *step)
{
  gboolean has_page = step->kind == SEAM_STEP_SHOW || step->kind == SEAM_STEP_COMPARE
                      || seam_lesson_step_runs_here (step);
  const char *name = step->picture != NULL ? step->picture : has_page ? step->page : NULL;

  return name != NULL ? seam_products_find (g_str_equal (name, "explore") ? "lattice" : name)
                      : NULL;
}

/* What the product draws from; FALSE if the run does not hold it. */
static gboolean
fill_source (const SeamProduct *product, const SeamLessonFacts *facts, int plan,
             SeamProductSource *source)
{
  gboolean of_search = (product->of & SEAM_OF_SEARCHES) != 0;

  *source = (SeamProductSource){ .second = -1 };
  if (product->kind != SEAM_PRODUCT_FIGURE || facts == NULL || facts->result == NULL
      || !(of_search ? facts->search != NULL : (product->of & SEAM_OF_RESULTS) != 0))
    return FALSE;
  source->search = of_search ? facts->search : NULL;
  source->results = (SeamResult *const *)&facts->result;
  source->n_results = 1;
  source->first = MAX (facts->places[0], 0);
  if (plan < facts->n_plans) {
    source->second = facts->places[plan];
    source->tested = source->second;
    source->against = source->first;
    if (source->second >= 0)
      source->difference = facts->result->plans[source->second].difference;
  }
  return !(product->of & SEAM_OF_OUTPUTS) || source->difference != NULL;
}

SeamFigure *
seam_lesson_picture_new (const SeamLessonStep *step, const SeamLessonFacts *facts, double width)
{
  const SeamProduct *product = step->picture != NULL ? seam_products_find (step->picture) : NULL;
  SeamProductSource source;

  g_autoptr (GPtrArray) pictures = NULL;

  if (product == NULL || !fill_source (product, facts, 1, &source))
    return NULL;
  pictures = make_pictures (product, &source, width, NULL);
  return pictures != NULL ? g_steal_pointer (&((Picture *)pictures->pdata[0])->figure) : NULL;
}

static void
add_picture (SeamDeck *deck, int step)
{
  const SeamProduct *product = find_product (seam_deck_step_at (deck, step));
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);
  SeamProductSource source;

  if (product == NULL || facts == NULL
      || !fill_source (product, facts, seam_lesson_get_compared (deck->lesson, step), &source)
      || !leave_out_covered (deck, step, product, &source))
    return;
  g_autoptr (GPtrArray) pictures =
      make_pictures (product, &source, seam_slide_get_figure_width (), NULL);
  if (pictures != NULL)
    add_pictures (deck, step, pictures);
}

/* ---- questions ---- */

static void
add_question (SeamDeck *deck, int step)
{
  const SeamLessonStep *asked = seam_deck_step_at (deck, step);
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);
  g_autofree char *headline = seam_formula_fill (asked->title, facts);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (asked, facts);
  g_autoptr (GPtrArray) blocks = read_document (body);
  g_autofree char *joined = join (blocks, blocks->len), *known = format_facts (asked, facts);
  /* What the text lets one compare stands with it, or on the slide after it. */
  g_autofree char *whole =
      *known != '\0' ? g_strjoin ("\n", joined, known, NULL) : g_strdup (joined);
  SeamDeckSlide trial = { .kind = SLIDE_ASK, .step = step, .compared = -1, .covered = TRUE };
  SeamSlide *empty = seam_deck_begin (deck, &trial);
  SeamFigure *chain = seam_deck_make_chain (asked, facts);
  double keep = chain != NULL ? chain->height + 40 : 0, size;
  SeamDeckSlide *slide;

  seam_slide_set_headline (empty, headline);
  seam_deck_add_plot (deck, &trial, empty);
  size = blocks->len == 1 ? seam_slide_fit_text (empty, whole, LARGEST, EASY, keep) : 0;
  if (blocks->len > 0 && size == 0) {
    add_texts (deck, step, headline, blocks);
    seam_deck_slide_at (deck, deck->slides->len - 1)->has_plans = TRUE;
  }
  slide = add_slide (deck, SLIDE_ASK, step);
  slide->headline = seam_keep (slide, g_steal_pointer (&headline));
  slide->covered = TRUE;
  slide->text = seam_keep (slide, size > 0 ? g_steal_pointer (&whole) : g_steal_pointer (&known));
  slide->text_size =
      size > 0 ? size : seam_slide_fit_text (empty, slide->text, LARGEST - 6, 0, keep);
  if (slide->text_size == 0)
    slide->text_size = seam_slide_fit_text (empty, slide->text, LARGEST - 6, 0, 0);
  seam_figure_free (seam_slide_finish (empty));
  seam_figure_free (chain);
  if (step + 1 < (int)deck->lesson->steps->len
      && seam_deck_step_at (deck, step + 1)->kind == SEAM_STEP_COMPARE
      && seam_deck_step_at (deck, step + 1)->about == step)
    slide->compared = step + 1;
}

/* ---- steps ---- */

/* What the conditions say of the run, before the text. */
static void
add_check (const SeamDeck *deck, int step, GPtrArray *blocks)
{
  int n = 0;

  if (!seam_deck_has_result (deck, step))
    return;
  g_autoptr (GPtrArray) conditions = seam_lesson_check_conditions (seam_deck_step_at (deck, step),
                                                                   seam_deck_facts_at (deck, step));
  for (guint i = 0; i < conditions->len; i++) {
    const SeamLessonCondition *condition = conditions->pdata[i];
    if (condition->state == SEAM_CONDITION_HOLDS)
      continue;
    g_autoptr (SeamMarkdown) tree = seam_markdown_parse (condition->reply);
    g_autofree char *words = seam_markdown_get_words (tree);

    g_ptr_array_insert (
        blocks, n++,
        g_strconcat (condition->state == SEAM_CONDITION_FAILS ? "✕ " : "? ", words, NULL));
  }
  if (n == 0)
    g_ptr_array_insert (blocks, 0, g_strdup ("✓ Passed."));
}

static void
add_step (SeamDeck *deck, int step)
{
  const SeamLessonStep *shown = seam_deck_step_at (deck, step);
  const SeamLessonFacts *facts = seam_deck_facts_at (deck, step);
  g_autofree char *headline = seam_formula_fill (shown->title, facts);
  g_autoptr (SeamMarkdown) body = seam_lesson_step_get_body (shown, facts);
  g_autoptr (GPtrArray) blocks = read_document (body);

  if (deck->missing->pdata[step] != NULL)
    g_ptr_array_insert (blocks, 0, g_strdup (deck->missing->pdata[step]));
  /* The revealed question says why; the rest of the comparison follows. */
  if (shown->why != NULL
      && (step == 0 || seam_deck_step_at (deck, step - 1)->kind != SEAM_STEP_PREDICT))
    g_ptr_array_insert (blocks, 0, seam_formula_fill_known (shown->why, facts));
  if (shown->kind == SEAM_STEP_PROVE)
    add_check (deck, step, blocks);
  if (blocks->len > 0 || shown->kind != SEAM_STEP_COMPARE) {
    add_texts (deck, step, headline, blocks);
    seam_deck_slide_at (deck, deck->slides->len - 1)->has_plans =
        shown->kind != SEAM_STEP_COMPARE && step + 1 < (int)deck->lesson->steps->len;
  }
  add_picture (deck, step);
}

/* Numbers the slides of each step. */
static void
count_parts (SeamDeck *deck)
{
  for (guint i = 0, end; i < deck->slides->len; i = end) {
    for (end = i; end < deck->slides->len
                  && seam_deck_slide_at (deck, end)->step == seam_deck_slide_at (deck, i)->step;
         end++)
      seam_deck_slide_at (deck, end)->part = (int)(end - i);
    for (guint k = i; k < end; k++)
      seam_deck_slide_at (deck, k)->n_parts = (int)(end - i);
  }
}

/* A question about a recorded run is followed by its comparison; one about this computer shows what
 * the run found. */
void
seam_deck_make_slides (SeamDeck *deck)
{
  g_ptr_array_set_size (deck->slides, 0);
  g_ptr_array_set_size (deck->figures, 0);
  for (int i = 0; i < (int)deck->lesson->steps->len; i++) {
    const SeamLessonStep *step = seam_deck_step_at (deck, i);

    if (step->kind != SEAM_STEP_PREDICT) {
      add_step (deck, i);
      continue;
    }
    add_question (deck, i);
    if (seam_lesson_step_runs_here (step)
        && seam_deck_slide_at (deck, deck->slides->len - 1)->compared < 0)
      add_picture (deck, i);
  }
  count_parts (deck);
}

gboolean
seam_deck_add_product (SeamDeck *deck, const SeamProduct *product, const SeamProductSource *source,
                       GError **error)
{
  g_autoptr (GPtrArray) pictures =
      make_pictures (product, source, seam_slide_get_figure_width (), error);

  if (pictures == NULL)
    return FALSE;
  add_pictures (deck, -1, pictures);
  count_parts (deck);
  return TRUE;
}

void
seam_deck_add_figure (SeamDeck *deck, const char *headline, SeamFigure *figure)
{
  add_parts (deck, -1, headline, figure);
  count_parts (deck);
}
