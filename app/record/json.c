/* SPDX-License-Identifier: MIT
 *
 * JSON in both directions. Written: the variant's members, C locale, and null where JSON has no
 * number (NaN, infinity), because unknown is not zero. Read: what is not JSON by the letter,
 * or nests too deep, is refused.
 */
#include "app/record/json.h"

#include "app/base/error.h"
#include "app/record/variant.h"

#include <json-glib/json-glib.h>
#include <math.h>

/* Many readers of JSON keep numbers as doubles, which tell integers apart up to 2^53. */
#define MAX_EXACT (G_GINT64_CONSTANT (1) << 53)

static JsonNode *make_node (GVariant *value);

static JsonNode *
make_double (double number)
{
  JsonNode *node = json_node_new (isfinite (number) ? JSON_NODE_VALUE : JSON_NODE_NULL);

  if (isfinite (number))
    json_node_set_double (node, number);
  return node;
}

/* Beyond 2^53 a text with the digits, because some readers would round the number. */
static JsonNode *
make_integer (GVariant *value, gboolean is_exact)
{
  g_autofree char *digits = g_variant_print (value, FALSE);

  return is_exact ? json_gvariant_serialize (value)
                  : json_node_init_string (json_node_alloc (), digits);
}

static JsonNode *
make_object (GVariant *dict)
{
  JsonNode *node = json_node_new (JSON_NODE_OBJECT);
  JsonObject *object = json_object_new ();
  GVariantIter iter;
  const char *key;
  GVariant *value;

  g_variant_iter_init (&iter, dict);
  while (g_variant_iter_loop (&iter, "{&sv}", &key, &value))
    json_object_set_member (object, key, make_node (value));
  json_node_take_object (node, object);
  return node;
}

static JsonNode *
make_array (GVariant *list)
{
  JsonNode *node = json_node_new (JSON_NODE_ARRAY);
  JsonArray *array = json_array_new ();
  gsize n = g_variant_n_children (list);

  for (gsize i = 0; i < n; i++) {
    g_autoptr (GVariant) child = g_variant_get_child_value (list, i);
    json_array_add_element (array, make_node (child));
  }
  json_node_take_array (node, array);
  return node;
}

static JsonNode *
make_node (GVariant *value)
{
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_VARDICT))
    return make_object (value);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_ARRAY))
    return make_array (value);
  switch (g_variant_classify (value)) {
  case G_VARIANT_CLASS_DOUBLE:
    return make_double (g_variant_get_double (value));
  case G_VARIANT_CLASS_INT64: {
    gint64 number = g_variant_get_int64 (value);
    return make_integer (value, number <= MAX_EXACT && number >= -MAX_EXACT);
  }
  case G_VARIANT_CLASS_UINT64:
    return make_integer (value, g_variant_get_uint64 (value) <= (guint64)MAX_EXACT);
  default:
    return json_gvariant_serialize (value);
  }
}

char *
seam_json_write (GVariant *variant, guint indent)
{
  g_autoptr (JsonNode) root = make_node (variant);
  g_autoptr (JsonGenerator) generator = json_generator_new ();
  /* json-glib writes 1e30 as “1e+30.0”, which is no number. Texts are skipped. */
  g_autoptr (GRegex) wrong = g_regex_new (
      "\"(?:[^\"\\\\]++|\\\\.)*+\"(*SKIP)(*FAIL)|(e[+-][0-9]+)\\.0", G_REGEX_OPTIMIZE, 0, NULL);

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  json_generator_set_indent (generator, indent);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  g_autofree char *right = g_regex_replace (wrong, text, -1, 0, "\\1", 0, NULL);
  return g_strconcat (right != NULL ? right : text, "\n", NULL);
}

char *
seam_variant_to_json (GVariant *variant)
{
  return seam_json_write (variant, 2);
}

char
seam_json_flatten (SeamJsonNesting *self, char byte)
{
  gboolean is_cut = self->depth > SEAM_JSON_LEVELS;

  if (self->in_string) {
    self->in_string = self->escaped || byte != '"';
    self->escaped = !self->escaped && byte == '\\';
    return is_cut ? ' ' : byte;
  }
  switch (byte) {
  case '"':
    self->in_string = TRUE;
    break;
  case '[':
  case '{':
    self->depth++;
    if (self->depth == SEAM_JSON_LEVELS + 1)
      return '0';
    break;
  case ']':
  case '}':
    self->depth = MAX (self->depth - 1, 0);
    break;
  case '/':
    /* json-glib accepts comments, which could hide a quotation mark from this function. JSON has
     * none, so the text is made unreadable. */
    return '?';
  default:
    break;
  }
  return is_cut ? ' ' : byte;
}

/* JSON's grammar, without half surrogate pairs. json-glib accepts more (“var a = 'b';”, two values
 * in a row), leaks memory at such pairs, and its time grows with the square of an array's length.
 */
#define GRAMMAR                                                                                    \
  "(?(DEFINE) (?<blank> [ \\t\\r\\n]*+ )"                                                          \
  "(?<text> \" (?: [^\"\\\\\\x00-\\x1f]++ | \\\\ (?: [\"\\\\/bfnrt] | u (?i:"                      \
  "  (?!d[89a-f]) [0-9a-f]{4} | d[89ab][0-9a-f]{2} \\\\(?-i:u) d[c-f][0-9a-f]{2} )))*+ \" )"       \
  "(?<number> -? (?: 0 | [1-9][0-9]*+ ) (?: \\.[0-9]++ )?+ (?: [eE][-+]?[0-9]++ )?+ )"             \
  "(?<member> (?&blank) (?&text) (?&blank) : (?&value) )"                                          \
  "(?<value> (?&blank) (?: (?&text) | (?&number) | true | false | null"                            \
  "  | \\[ (?: (?&value) (?: , (?&value) ){0,999}+ | (?&blank) ) \\]"                              \
  "  | \\{ (?: (?&member) (?: , (?&member) ){0,999}+ | (?&blank) ) \\} ) (?&blank) ))"             \
  "\\A (?: \\xef\\xbb\\xbf )?+ (?&value) \\z"

GVariant *
seam_json_parse (const char *text, GError **error)
{
  /* json_gvariant_deserialize_data() leaks its parser where the text is damaged. */
  g_autoptr (JsonParser) parser = json_parser_new ();
  SeamJsonNesting nesting = { .depth = 0 };
  const char *wrong = NULL;
  GVariant *variant = NULL;

  for (const char *p = text; *p != '\0' && wrong == NULL; p++) {
    if (nesting.escaped && g_str_has_prefix (p, "u0000"))
      wrong = "a text in it holds \\u0000, which would cut it short.";
    seam_json_flatten (&nesting, *p);
    if (nesting.depth > SEAM_JSON_LEVELS)
      wrong = "its values are nested too deeply.";
  }
  if (wrong == NULL && g_regex_match_simple (GRAMMAR, text, G_REGEX_EXTENDED | G_REGEX_RAW, 0)
      && json_parser_load_from_data (parser, text, -1, NULL))
    variant = json_gvariant_deserialize (json_parser_get_root (parser), NULL, NULL);
  if (variant == NULL)
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE,
                         wrong != NULL ? wrong : "it is damaged.");
  return variant != NULL ? g_variant_take_ref (variant) : NULL;
}
