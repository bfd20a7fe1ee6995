/* SPDX-License-Identifier: MIT
 *
 * The first message, and errors on the way from the worker to the other end.
 */
#include "app/worker/protocol.h"

#include "app/record/variant.h"
#include "seam-build.h"
#include "seam-config.h"

#include <jsonrpc-glib.h>
#include <math.h>
#include <string.h>

const char *
seam_protocol_get_build (void)
{
  return SEAM_VERSION "+" SEAM_BUILD;
}

GVariant *
seam_hello_make (const char *machine)
{
  return g_variant_ref_sink (g_variant_new_parsed (
      "{'protocol': <%x>, 'version': <%s>, 'machine': <%s>, 'host': <%s>}",
      (gint64)SEAM_PROTOCOL_VERSION, seam_protocol_get_build (), machine, g_get_host_name ()));
}

const char *
seam_hello_check (GVariant *theirs, GError **error)
{
  const char *version = "of another version", *host = "the other side", *machine = "";
  double protocol = NAN;
  SeamReader reader;

  seam_reader_init (&reader, theirs, SEAM_METHOD_HELLO);
  seam_reader_double (&reader, "protocol", &protocol);
  if (reader.dict != NULL) {
    g_variant_lookup (theirs, "version", "&s", &version);
    g_variant_lookup (theirs, "machine", "&s", &machine);
    g_variant_lookup (theirs, "host", "&s", &host);
  }
  seam_reader_finish (&reader, NULL);
  if (protocol == SEAM_PROTOCOL_VERSION)
    return machine;
  g_autofree char *spoken = isnan (protocol) ? g_strdup ("names no version")
                                             : g_strdup_printf ("speaks version %.15g", protocol);
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
               "Seamscope %s on %s speaks version %d of the worker's protocol, but Seamscope %s on "
               "%s %s. Install the same Seamscope on both sides and start it again.",
               seam_protocol_get_build (), g_get_host_name (), SEAM_PROTOCOL_VERSION, version, host,
               spoken);
  return NULL;
}

/* Away from the codes that JSON-RPC reserves (-32768 to -32000). */
#define ERROR_BASE 1000

int
seam_protocol_get_error_code (const GError *error)
{
  return ERROR_BASE + (error->domain == SEAM_ERROR ? error->code : (int)SEAM_ERROR_INTERNAL);
}

static GError *
make_error (double code, const char *message)
{
  if (message == NULL || !(code >= ERROR_BASE && code <= ERROR_BASE + SEAM_ERROR_INTERNAL))
    return NULL;
  return g_error_new_literal (SEAM_ERROR, (int)code - ERROR_BASE, message);
}

/* jsonrpc-glib 3.42 reports every error of the peer as G_IO_ERROR_FAILED whose message is the error
 * object as text, "{'code': <1000>, 'message': <'…'>}". */
static GError *
translate_printed (const char *text)
{
  g_autoptr (GVariant) object = g_variant_parse (G_VARIANT_TYPE_VARDICT, text, NULL, NULL, NULL);
  const char *message = NULL;
  double code = -1;
  SeamReader reader;

  if (object == NULL)
    return NULL;
  seam_reader_init (&reader, object, "error");
  seam_reader_double (&reader, "code", &code);
  seam_reader_finish (&reader, NULL);
  g_variant_lookup (object, "message", "&s", &message);
  return make_error (code, message);
}

/* From version 3.44 on it is a JSONRPC_CLIENT_ERROR with the code, and " (1000)" after the
 * message. */
static GError *
translate_coded (const GError *error)
{
  g_autofree char *suffix = g_strdup_printf (" (%d)", error->code);
  g_autofree char *message = g_strdup (error->message);

  if (g_str_has_suffix (message, suffix))
    message[strlen (message) - strlen (suffix)] = '\0';
  return make_error (error->code, message);
}

GError *
seam_protocol_translate_error (const GError *error)
{
  if (g_str_has_prefix (error->message, "{"))
    return translate_printed (error->message);
  return error->domain == JSONRPC_CLIENT_ERROR ? translate_coded (error) : NULL;
}
