/* SPDX-License-Identifier: MIT
 *
 * A record as JSON text: the variant's members, C locale, and null where JSON
 * has no number (NaN, infinity), because unknown is not zero.
 */
#include "app/record/variant.h"

#include <json-glib/json-glib.h>
#include <math.h>

static JsonNode *make_node (GVariant *value);

static JsonNode *
make_double (double number)
{
  JsonNode *node = json_node_new (isfinite (number) ? JSON_NODE_VALUE : JSON_NODE_NULL);

  if (isfinite (number))
    json_node_set_double (node, number);
  return node;
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
  case G_VARIANT_CLASS_UINT64: {
    /* json-glib's integers are signed; larger numbers are written as text, so that no digit is
     * lost. */
    guint64 number = g_variant_get_uint64 (value);
    JsonNode *node = json_node_new (JSON_NODE_VALUE);
    g_autofree char *digits = g_strdup_printf ("%" G_GUINT64_FORMAT, number);
    if (number > (guint64)G_MAXINT64)
      json_node_set_string (node, digits);
    else
      json_node_set_int (node, (gint64)number);
    return node;
  }
  default:
    return json_gvariant_serialize (value);
  }
}

char *
seam_variant_to_json (GVariant *variant)
{
  g_autoptr (JsonNode) root = make_node (variant);
  g_autoptr (JsonGenerator) generator = json_generator_new ();

  json_generator_set_root (generator, root);
  json_generator_set_pretty (generator, TRUE);
  g_autofree char *text = json_generator_to_data (generator, NULL);
  return g_strconcat (text, "\n", NULL);
}
