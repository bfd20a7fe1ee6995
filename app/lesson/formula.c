/* SPDX-License-Identifier: MIT
 *
 * A recursive-descent parser with one function for each level of precedence, and an evaluator.
 */
#include "app/lesson/formula.h"

#include "app/base/error.h"
#include "app/base/text.h"

#include <math.h>
#include <string.h>

#define MAX_NODES 64 /* of a formula; a foreign file must not nest deeply */
#define MAX_TEXT  400

typedef enum {
  NODE_NUMBER,
  NODE_CALL,
  NODE_NEGATE,
  NODE_NOT,
  NODE_OR,
  NODE_AND,
  NODE_LESS,
  NODE_LESS_EQUAL,
  NODE_EQUAL,
  NODE_UNEQUAL,
  NODE_ADD,
  NODE_SUBTRACT,
  NODE_MULTIPLY,
  NODE_DIVIDE,
} NodeType;

/* Operators between two values, from those that bind least. */
typedef enum { BINDS_OR, BINDS_AND, BINDS_COMPARISON, BINDS_SUM, BINDS_PRODUCT, BINDS_MOST } Binds;
static const struct {
  const char *sign; /* one that another begins with comes after it */
  NodeType type;
  Binds binds;
  gboolean swapped; /* the node has its values the other way round */
} operators[] = {
  { "or", NODE_OR, BINDS_OR, FALSE },
  { "and", NODE_AND, BINDS_AND, FALSE },
  { "<=", NODE_LESS_EQUAL, BINDS_COMPARISON, FALSE },
  { ">=", NODE_LESS_EQUAL, BINDS_COMPARISON, TRUE },
  { "==", NODE_EQUAL, BINDS_COMPARISON, FALSE },
  { "!=", NODE_UNEQUAL, BINDS_COMPARISON, FALSE },
  { "<", NODE_LESS, BINDS_COMPARISON, FALSE },
  { ">", NODE_LESS, BINDS_COMPARISON, TRUE },
  { "+", NODE_ADD, BINDS_SUM, FALSE },
  { "-", NODE_SUBTRACT, BINDS_SUM, FALSE },
  { "*", NODE_MULTIPLY, BINDS_PRODUCT, FALSE },
  { "/", NODE_DIVIDE, BINDS_PRODUCT, FALSE },
};

typedef struct {
  NodeType type;
  SeamValueKind kind;
  int left, right; /* of other nodes; -1: none */
  double number;   /* of a number; of a product, what its units multiply it by */
  const SeamLessonFunction *function;
  SeamLessonArguments arguments; /* the formula owns its words */
} Node;

struct SeamFormula {
  int root, n_nodes;
  int unit; /* of the last number; -1: it has none */
  Node nodes[MAX_NODES];
};

typedef struct {
  SeamFormula *formula;
  const char *text, *at;
  int depth;
  GError **error;
} Parser;

static int parse_values (Parser *parser, Binds binds);

static int
fail (Parser *parser, const char *format, ...)
{
  va_list arguments;

  va_start (arguments, format);
  g_autofree char *why = g_strdup_vprintf (format, arguments);
  va_end (arguments);
  if (parser->error != NULL && *parser->error == NULL)
    g_set_error (parser->error, SEAM_ERROR, SEAM_ERROR_INPUT, "“%s”: %s", parser->text, why);
  return -1;
}

static void
skip_blanks (Parser *parser)
{
  while (g_ascii_isspace (*parser->at))
    parser->at++;
}

/* Whether `token` comes next, which is then read; a word ends where no letter follows. */
static gboolean
accept (Parser *parser, const char *token)
{
  gsize length = strlen (token);

  skip_blanks (parser);
  if (strncmp (parser->at, token, length) != 0)
    return FALSE;
  if (g_ascii_isalpha (token[0])
      && (g_ascii_isalnum (parser->at[length]) || parser->at[length] == '_'))
    return FALSE;
  parser->at += length;
  return TRUE;
}

static int
add_node (Parser *parser, NodeType type, SeamValueKind kind, int left, int right, double number)
{
  SeamFormula *formula = parser->formula;

  if (formula->n_nodes == MAX_NODES)
    return fail (parser, "the formula is too long.");
  formula->nodes[formula->n_nodes] =
      (Node){ .type = type, .kind = kind, .left = left, .right = right, .number = number };
  return formula->n_nodes++;
}

static const char *
name_kind (SeamValueKind kind)
{
  static const char *const names[] = { "a time",  "bytes",    "a rate",    "a ratio", "a share",
                                       "a count", "a number", "yes or no", "a text" };

  return names[kind];
}

/* Ratios, shares, counts and numbers have no unit and can be mixed. */
static gboolean
is_plain (SeamValueKind kind)
{
  return kind == SEAM_VALUE_RATIO || kind == SEAM_VALUE_SHARE || kind == SEAM_VALUE_COUNT
         || kind == SEAM_VALUE_NUMBER;
}

static gboolean
is_number (SeamValueKind kind)
{
  return kind != SEAM_VALUE_TEXT && kind != SEAM_VALUE_YES_NO;
}

static int
add_product (Parser *parser, NodeType type, int left, int right)
{
  SeamValueKind a = parser->formula->nodes[left].kind, b = parser->formula->nodes[right].kind;
  SeamValueKind kind;
  double factor = 1; /* rates are in bytes/s, times in ns */

  if (!is_number (a) || !is_number (b))
    return fail (parser, "only numbers can be multiplied or divided.");
  if (is_plain (b))
    kind = is_plain (a) && a != b && a == SEAM_VALUE_NUMBER ? b : a;
  else if (type == NODE_MULTIPLY && is_plain (a))
    kind = b;
  else if (type == NODE_MULTIPLY
           && ((a == SEAM_VALUE_RATE && b == SEAM_VALUE_TIME)
               || (a == SEAM_VALUE_TIME && b == SEAM_VALUE_RATE))) {
    kind = SEAM_VALUE_BYTES;
    factor = 1e-9;
  } else if (type == NODE_DIVIDE && a == b) {
    kind = SEAM_VALUE_RATIO;
  } else if (type == NODE_DIVIDE && a == SEAM_VALUE_BYTES
             && (b == SEAM_VALUE_RATE || b == SEAM_VALUE_TIME)) {
    kind = b == SEAM_VALUE_RATE ? SEAM_VALUE_TIME : SEAM_VALUE_RATE;
    factor = 1e9;
  } else {
    return fail (parser, "%s and %s make nothing that has a name here.", name_kind (a),
                 name_kind (b));
  }
  return add_node (parser, type, kind, left, right, factor);
}

gboolean
seam_formula_can_compare (SeamValueKind a, SeamValueKind b)
{
  return is_number (a) && is_number (b) && (a == b || (is_plain (a) && is_plain (b)));
}

/* A node for two values that stand in this order. */
static int
add_operation (Parser *parser, int operator, int left, int right)
{
  NodeType type = operators[operator].type;
  SeamValueKind a = parser->formula->nodes[left].kind, b = parser->formula->nodes[right].kind;
  SeamValueKind kind = SEAM_VALUE_YES_NO;

  switch (operators[operator].binds) {
  case BINDS_PRODUCT:
    return add_product (parser, type, left, right);
  case BINDS_SUM:
    if (!seam_formula_can_compare (a, b))
      return fail (parser, "%s and %s cannot be added.", name_kind (a), name_kind (b));
    kind = a == SEAM_VALUE_NUMBER ? b : a;
    break;
  case BINDS_COMPARISON:
    if (!seam_formula_can_compare (a, b))
      return fail (parser, "%s cannot be compared with %s.", name_kind (a), name_kind (b));
    break;
  default:
    if (a != SEAM_VALUE_YES_NO || b != SEAM_VALUE_YES_NO)
      return fail (parser, "“%s” stands between two conditions.", operators[operator].sign);
  }
  return operators[operator].swapped ? add_node (parser, type, kind, right, left, 1)
                                     : add_node (parser, type, kind, left, right, 1);
}

/* Units of numbers; the first ones that fit are read, so that a longer name comes first. */
static const struct {
  const char *name;
  SeamValueKind kind;
  double scale;
} units[] = {
  { "ns", SEAM_VALUE_TIME, 1 },        { "us", SEAM_VALUE_TIME, 1e3 },
  { "µs", SEAM_VALUE_TIME, 1e3 },      { "ms", SEAM_VALUE_TIME, 1e6 },
  { "s", SEAM_VALUE_TIME, 1e9 },       { "GB/s", SEAM_VALUE_RATE, 1e9 },
  { "TB/s", SEAM_VALUE_RATE, 1e12 },   { "kB", SEAM_VALUE_BYTES, 1e3 },
  { "MB", SEAM_VALUE_BYTES, 1e6 },     { "GB", SEAM_VALUE_BYTES, 1e9 },
  { "B", SEAM_VALUE_BYTES, 1 },        { "%", SEAM_VALUE_SHARE, 0.01 },
  { SEAM_TIMES, SEAM_VALUE_RATIO, 1 },
};

static int
parse_number (Parser *parser)
{
  char *end;
  double number = g_ascii_strtod (parser->at, &end);
  SeamValueKind kind = SEAM_VALUE_NUMBER;

  parser->at = end;
  for (gsize i = 0; i < G_N_ELEMENTS (units); i++)
    if (accept (parser, units[i].name)) {
      number *= units[i].scale;
      kind = units[i].kind;
      parser->formula->unit = (int)i;
      break;
    }
  return add_node (parser, NODE_NUMBER, kind, -1, -1, number);
}

/* A word of letters, digits and the signs that names of ops, plans and pipelines have; the formula
 * owns it. */
static const char *
read_word (Parser *parser)
{
  skip_blanks (parser);
  const char *start = parser->at;
  while (g_ascii_isalnum (*parser->at) || *parser->at == '_' || *parser->at == '-'
         || *parser->at == ':')
    parser->at++;
  return seam_keep (parser->formula, g_strndup (start, parser->at - start));
}

static gboolean
parse_argument (Parser *parser, char takes, SeamLessonArguments *arguments)
{
  const char *word = read_word (parser);

  if (*word == '\0')
    return fail (parser, "an argument is missing.") >= 0;
  switch (takes) {
  case 'p':
    if (word[1] != '\0' || word[0] < 'A' || word[0] >= 'A' + SEAM_LESSON_MAX_PLANS)
      return fail (parser, "“%s” is no plan; plans are A to %c.", word,
                   'A' + SEAM_LESSON_MAX_PLANS - 1)
             >= 0;
    arguments->plans[arguments->plans[0] >= 0] = word[0] - 'A';
    return TRUE;
  case 'o':
    arguments->op = word;
    return TRUE;
  case 's': {
    gint64 seam;
    if (!g_ascii_string_to_signed (word, 10, 1, SEAM_LATTICE_MAX_SEAMS, &seam, NULL))
      return fail (parser, "“%s” is no seam; seams are numbered from 1.", word) >= 0;
    arguments->seam = (int)seam - 1;
    return TRUE;
  }
  default:
    arguments->words[arguments->words[0] != NULL] = word;
    return TRUE;
  }
}

static int
parse_call (Parser *parser)
{
  const char *name = read_word (parser);
  const SeamLessonFunction *function = seam_lesson_functions;
  g_autoptr (GPtrArray) names = g_ptr_array_new_null_terminated (64, NULL, TRUE);
  SeamLessonArguments arguments = { .plans = { -1, -1 } };
  int n_takes, node;

  for (; function->name != NULL && strcmp (function->name, name) != 0; function++)
    g_ptr_array_add (names, (gpointer)function->name);
  if (function->name == NULL) {
    g_autofree char *end = seam_text_suggest (name, (const char *const *)names->pdata);
    return fail (parser, "“%s” is unknown%s", name, end);
  }
  if (!accept (parser, "("))
    return fail (parser, "“%s” needs brackets: %s().", name, name);
  n_takes = (int)strlen (function->takes);
  for (int i = 0; i <= n_takes; i++) {
    if (i == n_takes ? !accept (parser, ")") : i > 0 && !accept (parser, ","))
      return fail (parser, "“%s” takes %d argument%s.", name, n_takes, n_takes == 1 ? "" : "s");
    if (i < n_takes && !parse_argument (parser, function->takes[i], &arguments))
      return -1;
  }
  node = add_node (parser, NODE_CALL, function->kind, -1, -1, 1);
  if (node >= 0) {
    parser->formula->nodes[node].function = function;
    parser->formula->nodes[node].arguments = arguments;
  }
  return node;
}

static int
parse_factor (Parser *parser)
{
  int node;

  if (++parser->depth > MAX_NODES)
    return fail (parser, "the formula is too long.");
  skip_blanks (parser);
  if (accept (parser, "(")) {
    node = parse_values (parser, BINDS_OR);
    if (node >= 0 && !accept (parser, ")"))
      node = fail (parser, "a bracket is not closed.");
  } else if (accept (parser, "-")) {
    node = parse_factor (parser);
    if (node >= 0)
      node = is_number (parser->formula->nodes[node].kind)
                 ? add_node (parser, NODE_NEGATE, parser->formula->nodes[node].kind, node, -1, 1)
                 : fail (parser, "only a number has a sign.");
  } else if (accept (parser, "yes") || accept (parser, "no")) {
    node = add_node (parser, NODE_NUMBER, SEAM_VALUE_YES_NO, -1, -1, parser->at[-1] == 's');
  } else if (g_ascii_isdigit (*parser->at)) {
    node = parse_number (parser);
  } else if (g_ascii_isalpha (*parser->at)) {
    node = parse_call (parser);
  } else {
    node = *parser->at == '\0'
               ? fail (parser, "it ends too early.")
               : fail (parser, "“%.*s” is not expected here.",
                       (int)(g_utf8_next_char (parser->at) - parser->at), parser->at);
  }
  parser->depth--;
  return node;
}

/* “not” binds less than a comparison. */
static int
parse_not (Parser *parser)
{
  if (++parser->depth > MAX_NODES)
    return fail (parser, "the formula is too long.");
  int node = parse_values (parser, BINDS_COMPARISON);
  parser->depth--;
  if (node >= 0 && parser->formula->nodes[node].kind != SEAM_VALUE_YES_NO)
    return fail (parser, "“not” needs a condition.");
  return node < 0 ? -1 : add_node (parser, NODE_NOT, SEAM_VALUE_YES_NO, node, -1, 1);
}

/* The operator that comes next, which is then read; -1: none that binds like this. */
static int
accept_operator (Parser *parser, Binds binds)
{
  for (int i = 0; i < (int)G_N_ELEMENTS (operators); i++)
    if (operators[i].binds == binds && accept (parser, operators[i].sign))
      return i;
  return -1;
}

/* Values between operators that bind as much as this, or more. */
static int
parse_values (Parser *parser, Binds binds)
{
  if (binds == BINDS_MOST)
    return parse_factor (parser);
  if (binds == BINDS_COMPARISON && accept (parser, "not"))
    return parse_not (parser);
  int left = parse_values (parser, binds + 1), found;
  while (left >= 0 && (found = accept_operator (parser, binds)) >= 0) {
    int right = parse_values (parser, binds + 1);
    left = right < 0 ? -1 : add_operation (parser, found, left, right);
    if (binds == BINDS_COMPARISON)
      break; /* two in a row are a mistake */
  }
  return left;
}

SeamFormula *
seam_formula_parse (const char *text, GError **error)
{
  g_autoptr (SeamFormula) formula = seam_owner_new (SeamFormula);
  g_autoptr (GError) problem = NULL;
  g_autofree char *shown = seam_text_shorten (text, 60);
  Parser parser = { .formula = formula, .text = shown, .at = text, .error = &problem };

  formula->unit = -1;
  formula->root = strlen (text) > MAX_TEXT ? fail (&parser, "the formula is too long.")
                                           : parse_values (&parser, BINDS_OR);
  skip_blanks (&parser);
  if (formula->root >= 0 && *parser.at != '\0')
    formula->root = fail (&parser, "“%s” is left over.", parser.at);
  if (formula->root < 0) {
    g_propagate_error (error, g_steal_pointer (&problem));
    return NULL;
  }
  return g_steal_pointer (&formula);
}

SeamValueKind
seam_formula_get_kind (const SeamFormula *formula)
{
  return formula->nodes[formula->root].kind;
}

static double
combine (NodeType type, double a, double b)
{
  if (isnan (a) || isnan (b))
    return NAN;
  switch (type) {
  case NODE_MULTIPLY:
  case NODE_AND:
    return a * b;
  case NODE_DIVIDE:
    return b == 0 ? NAN : a / b;
  case NODE_ADD:
    return a + b;
  case NODE_SUBTRACT:
    return a - b;
  case NODE_NEGATE:
    return -a;
  case NODE_NOT:
    return 1 - a;
  case NODE_LESS:
    return a < b;
  case NODE_LESS_EQUAL:
    return a <= b;
  case NODE_EQUAL:
    return a == b;
  case NODE_UNEQUAL:
    return a != b;
  default: /* NODE_OR */
    return a != 0 || b != 0;
  }
}

static double
evaluate (const SeamFormula *formula, int at, const SeamLessonFacts *facts)
{
  const Node *node = &formula->nodes[at];

  if (node->type == NODE_NUMBER)
    return node->number;
  if (node->type == NODE_CALL) {
    SeamLessonValue value = { .kind = node->kind, .number = NAN };
    seam_lesson_function_call (node->function, facts, &node->arguments, &value);
    seam_lesson_value_clear (&value);
    return value.number;
  }
  return node->number
         * combine (node->type, evaluate (formula, node->left, facts),
                    node->right < 0 ? 0 : evaluate (formula, node->right, facts));
}

void
seam_formula_evaluate (const SeamFormula *formula, const SeamLessonFacts *facts,
                       SeamLessonValue *value)
{
  const Node *root = &formula->nodes[formula->root];

  *value = (SeamLessonValue){ .kind = root->kind, .number = NAN };
  if (root->type == NODE_CALL)
    seam_lesson_function_call (root->function, facts, &root->arguments, value);
  else
    value->number = evaluate (formula, formula->root, facts);
  if (!(fabs (value->number) <= SEAM_LESSON_LARGEST))
    value->number = NAN;
}

const char *
seam_formula_get_unit (const SeamFormula *formula, double *scale)
{
  *scale = formula->unit < 0 ? 1 : units[formula->unit].scale;
  return formula->unit < 0 ? NULL : units[formula->unit].name;
}

/* A ratio can be shown as a percentage, too. -1: no unit of such a value. */
static int
find_unit (const char *form, SeamValueKind kind)
{
  for (int i = 0; form != NULL && i < (int)G_N_ELEMENTS (units); i++)
    if (strcmp (units[i].name, form) == 0
        && (units[i].kind == kind
            || (units[i].kind == SEAM_VALUE_SHARE && kind == SEAM_VALUE_RATIO)))
      return i;
  return -1;
}

char *
seam_formula_format_value (const SeamLessonValue *value, const char *form)
{
  int unit = find_unit (form, value->kind);

  if (unit < 0 || !(fabs (value->number) <= SEAM_LESSON_LARGEST))
    return seam_lesson_value_format (value, form);
  g_autofree char *number = seam_text_significant (value->number / units[unit].scale, 3);
  return g_strdup_printf ("%s %s", number, form);
}

gboolean
seam_formula_holds (const SeamFormula *formula, const SeamLessonFacts *facts)
{
  return seam_formula_get_kind (formula) == SEAM_VALUE_YES_NO
         && evaluate (formula, formula->root, facts) == 1;
}

char *
seam_formula_describe (const SeamFormula *formula, const SeamLessonFacts *facts)
{
  g_autoptr (GPtrArray) found = g_ptr_array_new_null_terminated (8, g_free, TRUE);

  for (int i = 0; i < formula->n_nodes && facts != NULL; i++) {
    const Node *node = &formula->nodes[i];
    g_autofree char *words =
        node->type == NODE_CALL
            ? seam_lesson_function_describe (node->function, facts, &node->arguments)
            : NULL;
    if (words != NULL && !g_ptr_array_find_with_equal_func (found, words, g_str_equal, NULL))
      g_ptr_array_add (found, g_steal_pointer (&words));
  }
  return facts != NULL ? g_strjoinv ("; ", (char **)found->pdata) : NULL;
}

guint
seam_formula_get_plans (const SeamFormula *formula, gboolean measured)
{
  guint plans = 0;

  for (int i = 0; i < formula->n_nodes; i++) {
    const Node *node = &formula->nodes[i];
    if (node->type != NODE_CALL || (measured && !node->function->measured))
      continue;
    if (measured && strchr (node->function->takes, 'p') == NULL)
      plans |= (1u << SEAM_LESSON_MAX_PLANS) - 1;
    for (int k = 0; k < 2; k++)
      if (node->arguments.plans[k] >= 0)
        plans |= 1u << node->arguments.plans[k];
  }
  return plans;
}

/* The next "{formula}" or "{formula|form}" of a text: its start; NULL: none. `end` is after the
 * brace; `form` is NULL where none is given. */
static const char *
find_braces (const char *text, char **inside, char **form, const char **end)
{
  const char *start = strchr (text, '{');
  const char *close = start != NULL ? strchr (start, '}') : NULL;

  if (close == NULL)
    return NULL;
  const char *bar = memchr (start, '|', (gsize)(close - start));
  *end = close + 1;
  *inside = g_strndup (start + 1, (gsize)((bar != NULL ? bar : close) - start - 1));
  *form = bar != NULL ? g_strndup (bar + 1, (gsize)(close - bar - 1)) : NULL;
  return start;
}

/* Appends the text with its formulas filled in; FALSE: a value is not known. */
static gboolean
fill (GString *filled, const char *text, const SeamLessonFacts *facts)
{
  gboolean known = TRUE;

  for (const char *end;; text = end) {
    g_autofree char *inside = NULL, *form = NULL;
    const char *start = find_braces (text, &inside, &form, &end);
    g_autoptr (SeamFormula) formula = start != NULL ? seam_formula_parse (inside, NULL) : NULL;
    if (start == NULL)
      break;
    g_string_append_len (filled, text, (formula != NULL ? start : end) - text);
    if (formula == NULL)
      continue;
    SeamLessonValue value;
    seam_formula_evaluate (formula, facts, &value);
    g_autofree char *shown = seam_formula_format_value (&value, form);
    g_string_append (filled, shown);
    known = known && (value.kind == SEAM_VALUE_TEXT ? value.text != NULL : !isnan (value.number));
    seam_lesson_value_clear (&value);
  }
  g_string_append (filled, text);
  return known;
}

char *
seam_formula_fill (const char *text, const SeamLessonFacts *facts)
{
  GString *filled = g_string_new (NULL);

  fill (filled, text, facts);
  return g_string_free (filled, FALSE);
}

/* The end of the sentence, of its line where a block ends there, or of the text. */
static const char *
find_end (const char *text)
{
  int depth = 0;

  for (const char *p = text; *p != '\0'; p++) {
    depth += *p == '{' ? 1 : *p == '}' ? -1 : 0;
    if (*p == '\n' && (strchr ("\n-*|#>", p[1]) != NULL || g_ascii_isdigit (p[1])))
      return p;
    if (depth > 0 || strchr (".!?", *p) == NULL || !g_ascii_isspace (p[1]))
      continue;
    const char *next = p + 1 + strspn (p + 1, " \n");
    /* After "e.g. " the sentence goes on. */
    if (!g_ascii_islower (*next))
      return p + 1;
  }
  return text + strlen (text);
}

char *
seam_formula_fill_known (const char *text, const SeamLessonFacts *facts)
{
  GString *filled = g_string_new (NULL);

  while (*text != '\0') {
    const char *end = find_end (text);
    gsize spaces = strspn (end, " \n"), before = filled->len;
    g_autofree char *sentence = g_strndup (text, (gsize)(end - text));

    if (fill (filled, sentence, facts))
      g_string_append_len (filled, end, (gssize)spaces);
    else
      g_string_truncate (filled, before);
    /* A block that loses its last sentence still ends. */
    if (filled->len == before && memchr (end, '\n', spaces) != NULL)
      g_string_append_len (filled, end, (gssize)spaces);
    text = end + spaces;
  }
  return g_string_free (filled, FALSE);
}

gboolean
seam_formula_visit (const char *text, SeamFormulaVisit visit, gpointer data, GError **error)
{
  const char *at = text;

  for (;;) {
    g_autofree char *inside = NULL, *form = NULL;
    const char *end = NULL;
    if (find_braces (at, &inside, &form, &end) == NULL) {
      const char *open = strchr (at, '{');
      g_autofree char *shown = open != NULL ? seam_text_shorten (open, 60) : NULL;
      return open == NULL
             || seam_fail (error, SEAM_ERROR_INPUT, "“%s”: the brace is not closed.", shown);
    }
    g_autoptr (SeamFormula) formula = seam_formula_parse (inside, error);
    if (formula == NULL)
      return FALSE;
    SeamValueKind kind = seam_formula_get_kind (formula);
    if (form != NULL && find_unit (form, kind) < 0
        && (strcmp (form, "words") != 0 || kind != SEAM_VALUE_COUNT))
      return seam_fail (error, SEAM_ERROR_INPUT,
                        "“{%s|%s}”: a unit of the value may follow, and “words” after a count.",
                        inside, form);
    visit (formula, data);
    at = end;
  }
}
