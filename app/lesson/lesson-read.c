/* SPDX-License-Identifier: MIT
 *
 * Reads a lesson file line by line: the head between two lines “---”, then steps, each a heading
 * “## Kind: title”, a block of keys in a fence ```seamscope, and Markdown. Every key is an entry of
 * one table.
 */
#include "app/lesson/lesson-read.h"

#include "app/base/error.h"
#include "app/base/read-file.h"
#include "app/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_STEPS   40
#define MAX_ITEMS   12
#define MAX_MINUTES 240
#define MAX_GRID    8 /* rows or columns of cells to choose from */
/* A window lays out a paragraph of 300 kB for 25 seconds, and a table of 30,000 rows for 9. */
#define MAX_VALUE 2000  /* bytes of a key's value */
#define MAX_BODY  10000 /* bytes of a step's text */
#define MAX_LINES 200   /* of a step's text */
#define MAX_CELLS 400   /* of its tables */

#define FENCE "```seamscope"

const SeamChoice seam_step_kinds[] = {
  [SEAM_STEP_SAY] = { "say", "Read", NULL, NULL },
  [SEAM_STEP_SHOW] = { "show", "Look", NULL, NULL },
  [SEAM_STEP_PREDICT] = { "predict", "Predict", NULL, NULL },
  [SEAM_STEP_TRY] = { "run", "Run", NULL, NULL },
  [SEAM_STEP_COMPARE] = { "compare", "Compare", NULL, NULL },
  [SEAM_STEP_PROVE] = { "check", "Check", NULL, NULL },
  { .name = NULL },
};

const SeamChoice seam_ask_kinds[] = {
  [SEAM_ASK_NUMBER] = { "number", NULL, NULL, NULL },
  [SEAM_ASK_CHOICE] = { "choice", NULL, NULL, NULL },
  [SEAM_ASK_CUT] = { "cut", NULL, NULL, NULL },
  [SEAM_ASK_CELL] = { "cell", NULL, NULL, NULL },
  { .name = NULL },
};

#define STAYS 1 /* the steps that follow have it, too */
#define NAMES 2 /* a file beside the lesson, or one that came with the program */

struct SeamLessonReader {
  const char *what;
  SeamLesson *lesson;
  int line;
  const SeamLessonKey *key;
  GError **error;
};

gboolean
seam_lesson_fail (GError **error, const char *what, int line, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  return seam_fail (error, SEAM_ERROR_FILE, "%s, line %d: %s", what, line, why);
}

#define REFUSE(...) seam_lesson_fail (reader->error, reader->what, reader->line, __VA_ARGS__)

static SeamLessonItem *
add_item (SeamLessonReader *reader, GPtrArray *items)
{
  if (items->len == MAX_ITEMS) {
    REFUSE ("There are more than %d of “%s”.", MAX_ITEMS, reader->key->name);
    return NULL;
  }
  SeamLessonItem *item = seam_owner_new (SeamLessonItem);
  item->line = reader->line;
  g_ptr_array_add (items, item);
  return item;
}

/* The owner keeps the formula. */
static SeamFormula *
read_formula (SeamLessonReader *reader, gpointer owner, const char *text)
{
  g_autoptr (GError) error = NULL;
  SeamFormula *formula = seam_formula_parse (text, &error);

  if (formula == NULL)
    REFUSE ("%s", error->message);
  return seam_keep_full (owner, formula, seam_owner_free);
}

/* A list between commas, or what `separators` are, which the owner keeps; plans are written with
 * “|” and “+”, so that none contains a comma. */
static char **
split_list (gpointer owner, const char *value, const char *separators)
{
  g_auto (GStrv) parts = g_strsplit_set (value, separators, -1);
  g_autoptr (GStrvBuilder) list = g_strv_builder_new ();

  for (int i = 0; parts[i] != NULL; i++)
    if (*g_strstrip (parts[i]) != '\0')
      g_strv_builder_add (list, parts[i]);
  return seam_keep_full (owner, g_strv_builder_end (list), (GDestroyNotify)g_strfreev);
}

static gboolean
take_plans (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  step->plans = split_list (step, value, ",");
  return g_strv_length (step->plans) <= SEAM_LESSON_MAX_PLANS
         || REFUSE ("A step has at most %d plans.", SEAM_LESSON_MAX_PLANS);
}

gboolean
seam_lesson_step_apply_settings (const SeamLessonStep *step, SeamSettings *settings, GError **error)
{
  for (int i = 0; step->settings != NULL && step->settings[i] != NULL; i++) {
    g_auto (GStrv) sides = g_strsplit (step->settings[i], "=", 2);
    const SeamField *field = seam_settings_find_option (sides[0]);

    if (field == NULL || sides[1] == NULL)
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "“%s” is no setting; write an option of the command and its value, as in "
                        "math=tf32.",
                        step->settings[i]);
    if (!seam_setting_parse (field, sides[0], sides[1], settings, error))
      return FALSE;
  }
  return TRUE;
}

static gboolean
take_settings (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  g_autoptr (GError) problem = NULL;
  SeamSettings settings;

  step->settings = split_list (step, value, " ,");
  seam_settings_init (&settings);
  seam_lesson_step_apply_settings (step, &settings, &problem);
  seam_record_clear (&seam_settings_type, &settings);
  return problem == NULL || REFUSE ("%s", problem->message);
}

static gboolean
take_ask (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  int ask = seam_choice_find (seam_ask_kinds, value);

  if (ask < 0)
    return REFUSE ("“%s” is nothing to ask for; write number, choice, cut or cell.", value);
  step->ask = ask;
  return TRUE;
}

static gboolean
take_answer (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  step->answer = read_formula (reader, step, value);
  step->answer_text = seam_keep (step, g_strdup (value));
  step->answer_line = reader->line;
  return step->answer != NULL;
}

static gboolean
take_range (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  g_auto (GStrv) ends = g_strsplit (value, " to ", 2);
  SeamLessonValue low, high;

  if (g_strv_length (ends) != 2)
    return REFUSE ("Write the range as “0.05 ms to 5 ms”.");
  SeamFormula *from = read_formula (reader, step, ends[0]);
  SeamFormula *to = from != NULL ? read_formula (reader, step, ends[1]) : NULL;
  if (to == NULL)
    return FALSE;
  seam_formula_evaluate (from, &(SeamLessonFacts){ 0 }, &low);
  seam_formula_evaluate (to, &(SeamLessonFacts){ 0 }, &high);
  step->unit = seam_formula_get_unit (to, &step->unit_scale);
  step->range_kind = high.kind;
  step->low = low.number;
  step->high = high.number;
  gboolean valid = low.kind == high.kind && step->low < step->high && step->low >= 0;
  seam_lesson_value_clear (&low);
  seam_lesson_value_clear (&high);
  return valid
         || REFUSE ("The range must go from a number that is not negative to a "
                    "larger one, both with the same unit.");
}

static gboolean
take_grid (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  if (sscanf (value, "%d × %d", &step->rows, &step->columns) != 2
      && sscanf (value, "%d x %d", &step->rows, &step->columns) != 2)
    step->rows = 0;
  return (step->rows >= 1 && step->columns >= 1 && step->rows <= MAX_GRID
          && step->columns <= MAX_GRID && step->rows * step->columns >= 2)
         || REFUSE ("Write the grid as rows x columns, at most %d x %d.", MAX_GRID, MAX_GRID);
}

static gboolean
take_choice (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  SeamLessonItem *item = add_item (reader, step->choices);

  if (item != NULL)
    item->text = seam_keep (item, g_strdup (value));
  return item != NULL;
}

static gboolean
read_condition (SeamLessonReader *reader, SeamLessonItem *item, const char *value,
                const char *example)
{
  item->formula = read_formula (reader, item, value);
  return item->formula != NULL
         && (seam_formula_get_kind (item->formula) == SEAM_VALUE_YES_NO
             || REFUSE ("“%s” needs a condition, such as %s.", reader->key->name, example));
}

static gboolean
take_if (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  if (step->choices->len == 0)
    return REFUSE ("“if” follows the choice that it is about.");
  return read_condition (reader, step->choices->pdata[step->choices->len - 1], value,
                         "elapsed(A) < elapsed(B)");
}

static gboolean
take_check (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  SeamLessonItem *item = add_item (reader, step->checks);

  return item != NULL && read_condition (reader, item, value, "agrees(B)");
}

static gboolean
take_reply (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  GPtrArray *items = step->kind == SEAM_STEP_PROVE ? step->checks : step->choices;

  if (items->len == 0)
    return REFUSE ("“reply” follows the choice or the check that it is about.");
  SeamLessonItem *item = items->pdata[items->len - 1];
  item->reply = seam_keep (item, g_strdup (value));
  return TRUE;
}

static gboolean
take_fact (SeamLessonReader *reader, SeamLessonStep *step, const char *value)
{
  const char *colon = strchr (value, ':');

  if (colon == NULL)
    return REFUSE ("Write a fact as “Plan A takes: elapsed(A)”.");
  SeamLessonItem *item = add_item (reader, step->facts);
  if (item == NULL)
    return FALSE;
  item->text = seam_keep (item, g_strstrip (g_strndup (value, colon - value)));
  item->formula = read_formula (reader, item, colon + 1);
  return item->formula != NULL;
}

#define ALL          ((1u << SEAM_N_STEP_KINDS) - 1)
#define PREDICT      (1u << SEAM_STEP_PREDICT)
#define TRY          (1u << SEAM_STEP_TRY)
#define COMPARE      (1u << SEAM_STEP_COMPARE)
#define PROVE        (1u << SEAM_STEP_PROVE)
#define TEXT(member) NULL, offsetof (SeamLessonStep, member)

const SeamLessonKey seam_lesson_keys[] = {
  { "id", "short name of the step; answers are kept by it", ALL, TEXT (id), 0 },
  { "page", "page of the window: timing, difference, traffic, …", ALL, TEXT (page), STAYS },
  { "pipeline", "id of a pipeline, or an .ini file beside the lesson", ALL, TEXT (pipeline),
    STAYS | NAMES },
  { "preset", "shape: a preset of the pipeline", ALL, TEXT (preset), STAYS },
  { "target", "cpu: the run is for the CPU, even where there is a GPU; none: any", ALL,
    TEXT (target), STAYS },
  { "plans", "plans A, B, … between commas", ALL, take_plans, 0, STAYS },
  { "settings", "options of the command: math=tf32 init=spread", ALL, take_settings, 0, STAYS },
  { "sample",
    "recorded session of data/samples, or beside the program's lessons; none: this computer", ALL,
    TEXT (sample), STAYS | NAMES },
  { "picture", "a product of the program, drawn below the text: timing, roofline, …", ALL,
    TEXT (picture), 0 },
  { "ask", "number, choice, cut or cell", PREDICT, take_ask, 0, 0 },
  { "answer", "what is asked for: elapsed(B)", PREDICT, take_answer, 0, 0 },
  { "range", "sensible numbers with their unit, which facts have, too: 1 GB to 20 GB", PREDICT,
    take_range, 0, 0 },
  { "grid", "cells of the output: rows x columns", PREDICT, take_grid, 0, 0 },
  { "choice", "text of a choice; with a cut, a reason", PREDICT, take_choice, 0, 0 },
  { "if", "condition under which the choice before is right", PREDICT, take_if, 0, 0 },
  { "reply", "sentence for a choice that is wrong, or a check that fails", PREDICT | PROVE,
    take_reply, 0, 0 },
  { "fact", "what one may use: Plan A takes: elapsed(A)", PREDICT, take_fact, 0, 0 },
  { "too low", "sentence for a number that is too small", PREDICT, TEXT (too_low), 0 },
  { "too high", "sentence for a number that is too large", PREDICT, TEXT (too_high), 0 },
  { "right", "sentence for a right answer", PREDICT, TEXT (right), 0 },
  { "why", "one sentence why", COMPARE, TEXT (why), 0 },
  { "recorded", "sample to use where the run is impossible or unclear", TRY | PREDICT | PROVE,
    TEXT (recorded), NAMES },
  { "skeleton", "file beside the lesson: the code to begin with of an @edited group", TRY,
    TEXT (skeleton), NAMES },
  { "check", "condition on the run: agrees(B)", PROVE, take_check, 0, 0 },
  { NULL, NULL, 0, NULL, 0, 0 },
};

static SeamLessonStep *
new_step (const SeamLessonStep *before)
{
  SeamLessonStep *step = seam_owner_new (SeamLessonStep);

  step->low = step->high = NAN;
  step->about = -1;
  step->unit_scale = 1;
  step->choices = seam_keep_array (step, seam_owner_free);
  step->facts = seam_keep_array (step, seam_owner_free);
  step->checks = seam_keep_array (step, seam_owner_free);
  if (before == NULL)
    return step;
  for (const SeamLessonKey *key = seam_lesson_keys; key->name != NULL; key++)
    if (key->take == NULL && (key->marks & STAYS) != 0)
      *(char **)((char *)step + key->offset) = *(char *const *)((const char *)before + key->offset);
  step->plans = before->plans;
  step->settings = before->settings;
  return step;
}

static gboolean
read_key (SeamLessonReader *reader, SeamLessonStep *step, const char *line)
{
  const char *equals = strchr (line, '=');

  if (equals == NULL)
    return REFUSE ("Write a key and its value as “key = value”.");
  g_autofree char *name = g_strstrip (g_strndup (line, equals - line));
  g_autofree char *value = g_strstrip (g_strdup (equals + 1));
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (32, NULL, TRUE);

  for (const SeamLessonKey *key = seam_lesson_keys; key->name != NULL; key++) {
    g_ptr_array_add (names, (gpointer)key->name);
    if (strcmp (key->name, name) != 0)
      continue;
    if ((key->kinds & (1u << step->kind)) == 0)
      return REFUSE ("A step “%s” has no “%s”.", seam_step_kinds[step->kind].name, name);
    reader->key = key;
    if (key->take != NULL)
      return key->take (reader, step, value);
    g_autoptr (GError) problem = NULL;
    if ((key->marks & NAMES) != 0 && *value != '\0' && !seam_file_check_name (value, &problem))
      return REFUSE ("%s A lesson names files beside it, and those of the program.",
                     problem->message);
    *(char **)((char *)step + key->offset) =
        *value != '\0' ? seam_keep (step, g_strdup (value)) : NULL;
    return TRUE;
  }
  g_autofree char *end = seam_text_suggest (name, (const char *const *)names->pdata);
  return REFUSE ("“%s” is unknown%s", name, end);
}

static SeamLessonStep *
begin_step (SeamLessonReader *reader, const char *heading)
{
  GPtrArray *steps = reader->lesson->steps;
  const char *colon = strchr (heading, ':');
  g_autofree char *kind =
      g_strstrip (g_ascii_strdown (heading, colon != NULL ? colon - heading : -1));
  int found = seam_choice_find (seam_step_kinds, kind);

  if (found < 0 || colon == NULL) {
    REFUSE ("A step begins with “## Say: title”; its kinds are Say, Show, Predict, Run, "
            "Compare and Check.");
    return NULL;
  }
  if (steps->len == MAX_STEPS) {
    REFUSE ("A lesson has at most %d steps.", MAX_STEPS);
    return NULL;
  }
  SeamLessonStep *step = new_step (steps->len > 0 ? steps->pdata[steps->len - 1] : NULL);
  step->lesson = reader->lesson;
  step->kind = found;
  step->line = reader->line;
  step->title = seam_keep (step, g_strstrip (g_strdup (colon + 1)));
  g_ptr_array_add (steps, step);
  return step;
}

static gboolean
read_head_line (SeamLessonReader *reader, char *line)
{
  char *colon = strchr (line, ':');
  SeamLesson *lesson = reader->lesson;

  if (*g_strstrip (line) == '\0')
    return TRUE;
  if (colon == NULL)
    return REFUSE ("Write the head as “title: …”.");
  g_autofree char *name = g_strstrip (g_strndup (line, colon - line));
  g_autofree char *value = g_strstrip (g_strdup (colon + 1));
  const struct {
    const char *name;
    char **text, ***list;
  } members[] = {
    { "title", &lesson->title, NULL }, { "topic", &lesson->topic, NULL },
    { "goal", &lesson->goal, NULL },   { "pipelines", NULL, &lesson->pipelines },
    { "needs", NULL, &lesson->needs },
  };
  if (strcmp (name, "minutes") == 0) {
    gint64 minutes = 0;
    g_autoptr (GError) error = NULL;
    if (!seam_text_parse_int64 (value, "minutes", 1, MAX_MINUTES, &minutes, &error))
      return REFUSE ("%s", error->message);
    lesson->minutes = (int)minutes;
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS (members); i++) {
    if (strcmp (members[i].name, name) != 0)
      continue;
    if (members[i].text != NULL)
      *members[i].text = seam_keep (lesson, g_strdup (value));
    else
      *members[i].list = split_list (lesson, value, ",");
    return TRUE;
  }
  return REFUSE ("“%s” is unknown; a head has title, topic, minutes, goal, pipelines and "
                 "needs.",
                 name);
}

static gboolean
check_head (const SeamLesson *lesson, const char *what, GError **error)
{
  const char *missing = lesson->title == NULL     ? "title"
                        : lesson->goal == NULL    ? "goal"
                        : lesson->minutes == 0    ? "minutes"
                        : lesson->steps->len == 0 ? "steps (“## Say: title”)"
                                                  : NULL;

  return missing == NULL || seam_lesson_fail (error, what, 1, "The lesson has no %s.", missing);
}

char *
seam_lesson_cut_text (const char *text)
{
  const char *end = text;
  int n_lines = 0, n_cells = 0;

  while (*end != '\0' && end - text < MAX_BODY && n_lines < MAX_LINES && n_cells < MAX_CELLS) {
    n_lines += *end == '\n';
    n_cells += *end == '|';
    end = g_utf8_next_char (end);
  }
  if (*end == '\0')
    return g_strdup (text);
  return g_strdup_printf (
      "%.*s…\n\n**The text is cut here:** a step shows %d bytes, %d lines and %d "
      "cells of tables at most. Make several steps of it.",
      (int)(end - text), text, MAX_BODY, MAX_LINES, MAX_CELLS);
}

typedef enum { IN_HEAD, IN_TEXT, IN_KEYS, IN_CODE } Where;

/* Adds a line to the body of the step; text before the first step is the author's. */
static void
add_text (SeamLessonStep *step, GString *body, const char *line)
{
  if (step != NULL)
    g_string_append_printf (body, "%s\n", line);
}

static void
end_step (SeamLessonStep *step, GString *body)
{
  if (step != NULL)
    step->body = seam_keep (step, seam_lesson_cut_text (g_strstrip (body->str)));
  g_string_truncate (body, 0);
}

SeamLesson *
seam_lesson_parse (const char *text, const char *name, GError **error)
{
  g_autoptr (SeamLesson) lesson = seam_owner_new (SeamLesson);
  g_autofree char *printable = seam_text_make_printable (text, "\n\t");
  g_auto (GStrv) lines = g_strsplit (printable, "\n", -1);
  g_autoptr (GString) body = g_string_new (NULL);
  g_autofree char *what = g_strconcat (name, ".md", NULL);
  SeamLessonReader reader = { .what = what, .lesson = lesson, .error = error };
  SeamLessonStep *step = NULL;
  Where where = IN_TEXT;

  lesson->name = seam_keep (lesson, g_strdup (name));
  lesson->folder = "";
  lesson->hash = seam_keep (lesson, g_compute_checksum_for_string (G_CHECKSUM_SHA256, text, -1));
  lesson->steps = seam_keep_array (lesson, seam_owner_free);
  gboolean good =
      g_strcmp0 (lines[0], "---") == 0
      || seam_lesson_fail (error, what, 1, "A lesson begins with a head between two lines “---”.");
  for (int i = 0; good && lines[i] != NULL; i++) {
    char *line = lines[i];
    reader.line = i + 1;
    if (i == 0 || (where == IN_HEAD && strcmp (line, "---") == 0)) {
      where = i == 0 ? IN_HEAD : IN_TEXT;
    } else if (strlen (line) > MAX_VALUE
               && (where == IN_HEAD || where == IN_KEYS || g_str_has_prefix (line, "## "))) {
      /* Unlike a text it is shown in full. */
      good = seam_lesson_fail (error, what, i + 1, "The line is longer than %d bytes; shorten it.",
                               MAX_VALUE);
    } else if (where == IN_HEAD) {
      good = read_head_line (&reader, line);
    } else if (where == IN_KEYS) {
      if (g_str_has_prefix (line, "```"))
        where = IN_TEXT;
      else if (*g_strstrip (line) != '\0' && line[0] != '#')
        good = read_key (&reader, step, line);
    } else if (where == IN_CODE) {
      where = g_str_has_prefix (line, "```") ? IN_TEXT : IN_CODE;
      add_text (step, body, line);
    } else if (g_str_has_prefix (line, FENCE) && step != NULL) {
      where = IN_KEYS;
    } else if (g_str_has_prefix (line, "```")) {
      where = IN_CODE;
      add_text (step, body, line);
    } else if (g_str_has_prefix (line, "## ")) {
      end_step (step, body);
      step = begin_step (&reader, line + 3);
      good = step != NULL;
    } else {
      add_text (step, body, line);
    }
  }
  end_step (step, body);
  if (!good || !check_head (lesson, what, error) || !seam_lesson_check_steps (lesson, what, error))
    return NULL;
  return g_steal_pointer (&lesson);
}
