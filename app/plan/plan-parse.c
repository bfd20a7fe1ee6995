/* SPDX-License-Identifier: MIT
 *
 * From a name or notation to a plan. The grammar, blanks allowed between the tokens:
 *
 *   plan  = name | [ exhibit ":" ] group { "|" group }
 *   group = op { "+" op } [ "@" implementation ]
 *
 * where the ops are all ops of the chain in order, each by its name or its label.
 */
#include "app/base/error.h"
#include "app/base/text.h"
#include "app/plan/plan-private.h"

#include <string.h>

typedef struct {
  const char *text, *p;
  const SeamPipeline *pipeline;
  const SeamChain *chain;
  GError **error;
} Parser;

static void
skip_blanks (Parser *parser)
{
  parser->p += strspn (parser->p, " \t\n");
}

/* The word at the parser's place, at most 40 bytes of it; empty if there is none. */
static char *
peek_word (const Parser *parser)
{
  gsize n = 0;

  while (n < 40 && (g_ascii_isalnum (parser->p[n]) || strchr ("_-.", parser->p[n])) && parser->p[n])
    n++;
  return g_strndup (parser->p, n);
}

/* The text at the parser's place, for a message. */
static char *
describe_place (const Parser *parser)
{
  g_autofree char *word = peek_word (parser);

  if (*word)
    return g_strdup_printf ("“%s”", word);
  if (*parser->p == '\0')
    return g_strdup ("the end of the text");
  gunichar c = g_utf8_get_char_validated (parser->p, -1);
  if (c == (gunichar)-1 || c == (gunichar)-2 || !g_unichar_isprint (c))
    return g_strdup ("a character that has no meaning");
  return g_strdup_printf ("“%.*s”", (int)(g_utf8_next_char (parser->p) - parser->p), parser->p);
}

static char *
list_ops (const SeamChain *chain)
{
  const char *names[SEAM_MAX_OPS + 1] = { NULL };

  for (int i = 0; i < chain->n_ops; i++)
    names[i] = chain->ops[i].name;
  return g_strjoinv (", ", (char **)names);
}

static gboolean
fail_at_op (const Parser *parser, int op)
{
  const SeamChain *chain = parser->chain;
  g_autofree char *place = describe_place (parser);
  g_autofree char *ops = list_ops (chain);

  if (op == 0)
    return seam_fail (parser->error, SEAM_ERROR_INPUT,
                      "The plan has to begin with “%s”, not with %s; the ops are, in order: %s.",
                      chain->ops[0].name, place, ops);
  return seam_fail (parser->error, SEAM_ERROR_INPUT,
                    "After “%s” the plan needs “%s”, not %s; the ops are, in order: %s.",
                    chain->ops[op - 1].name, chain->ops[op].name, place, ops);
}

static gboolean
parse_op (Parser *parser, int op)
{
  skip_blanks (parser);
  g_autofree char *word = peek_word (parser);
  if (strcmp (word, parser->chain->ops[op].name) != 0
      && strcmp (word, parser->chain->ops[op].label) != 0)
    return fail_at_op (parser, op);
  parser->p += strlen (word);
  skip_blanks (parser);
  return TRUE;
}

/* Accepts any word, since each target knows its own implementations. */
static gboolean
parse_implementation (Parser *parser, const char **implementation)
{
  g_autofree char *word = NULL, *place = NULL;

  skip_blanks (parser);
  word = peek_word (parser);
  if (g_ascii_isalpha (*word)) {
    *implementation = g_intern_string (word);
    parser->p += strlen (word);
    skip_blanks (parser);
    return TRUE;
  }
  place = describe_place (parser);
  return seam_fail (parser->error, SEAM_ERROR_INPUT,
                    "After “@” the plan needs the name of an implementation, not %s.", place);
}

static gpointer
fail_at_separator (const Parser *parser, int op, gboolean after_implementation)
{
  g_autofree char *place = describe_place (parser);

  if (after_implementation && *parser->p == '+')
    return seam_fail_null (
        parser->error, SEAM_ERROR_INPUT,
        "An implementation stands at the end of a group: write “%s+…@implementation”.",
        parser->chain->ops[op].name);
  g_autofree char *ops = list_ops (parser->chain);
  if (op + 1 < parser->chain->n_ops)
    return seam_fail_null (parser->error, SEAM_ERROR_INPUT,
                           "After “%s” the plan needs “+” (fused) or “|” (cut) and then “%s”, not "
                           "%s; the ops are, in order: %s.",
                           parser->chain->ops[op].name, parser->chain->ops[op + 1].name, place,
                           ops);
  return seam_fail_null (
      parser->error, SEAM_ERROR_INPUT,
      "The plan is complete after “%s”, but %s follows; the ops are, in order: %s.",
      parser->chain->ops[op].name, place, ops);
}

static SeamPlan *
parse_notation (Parser *parser, SeamPipeline *pipeline, int chain, const char *name)
{
  const char *implementations[SEAM_MAX_OPS] = { NULL };
  guint32 fused = 0;
  int first = 0;

  for (int op = 0; op < parser->chain->n_ops; op++) {
    gboolean has_implementation = FALSE;
    gboolean is_last = op + 1 == parser->chain->n_ops;
    if (!parse_op (parser, op))
      return NULL;
    if (*parser->p == '@') {
      parser->p++;
      if (!parse_implementation (parser, &implementations[first]))
        return NULL;
      has_implementation = TRUE;
    }
    if (is_last ? *parser->p != '\0'
                : !(*parser->p == '|' || (*parser->p == '+' && !has_implementation)))
      return fail_at_separator (parser, op, has_implementation);
    if (is_last)
      break;
    if (*parser->p == '+')
      fused |= 1u << op;
    else
      first = op + 1;
    parser->p++;
  }
  return seam_plan_build (pipeline, chain, fused, implementations, name);
}

/* A single word that is neither a name nor the first op: most likely a misspelt name. */
static gpointer
fail_unknown_name (const SeamPipeline *pipeline, const char *word, GError **error)
{
  g_auto (GStrv) names = seam_plan_list_names (pipeline);
  g_autofree char *end = seam_text_suggest (word, (const char *const *)names);
  g_autofree char *list = seam_text_list ((const char *const *)names);
  g_autofree char *ops = list_ops (&pipeline->chains[0]);

  return seam_fail_null (
      error, SEAM_ERROR_INPUT,
      "There is no plan “%s”%s The named plans are %s; any other is written with "
      "“+” (fused) and “|” (cut) between the ops %s.",
      word, end, list, ops);
}

SeamPlan *
seam_plan_parse (SeamPipeline *pipeline, const char *text, GError **error)
{
  g_autofree char *stripped = g_strstrip (g_utf8_make_valid (text, -1));
  Parser parser = { stripped, stripped, pipeline, &pipeline->chains[0], error };
  g_autofree char *word = peek_word (&parser);
  const SeamNamedCut *cut;
  const char *canonical;
  guint32 fused;
  int chain = 0;

  if (*stripped == '\0')
    return seam_fail_null (error, SEAM_ERROR_INPUT,
                           "The plan is empty; give a name such as “unfused”, or a notation.");
  if (strcmp (word, stripped) == 0
      && seam_plan_find_named (pipeline, stripped, &fused, &cut, &canonical)) {
    if (cut == NULL)
      return seam_plan_build (pipeline, 0, fused, NULL, canonical);
    parser.text = parser.p = cut->notation;
    parser.chain = &pipeline->chains[cut->chain];
    return parse_notation (&parser, pipeline, cut->chain, canonical);
  }

  parser.p += strlen (word);
  skip_blanks (&parser);
  if (*word && *parser.p == ':') {
    for (chain = 1; chain < pipeline->n_chains; chain++)
      if (strcmp (pipeline->chains[chain].name, word) == 0)
        break;
    if (chain == pipeline->n_chains)
      return seam_fail_null (error, SEAM_ERROR_INPUT,
                             "%s has no exhibit “%s”, so “%s:” means nothing here.", pipeline->id,
                             word, word);
    parser.p++;
    parser.chain = &pipeline->chains[chain];
    return parse_notation (&parser, pipeline, chain, NULL);
  }
  if (*parser.p == '\0' && *word && strcmp (word, pipeline->chains[0].ops[0].name) != 0
      && strcmp (word, pipeline->chains[0].ops[0].label) != 0)
    return fail_unknown_name (pipeline, word, error);
  parser.p = stripped;
  return parse_notation (&parser, pipeline, 0, NULL);
}
