/* SPDX-License-Identifier: MIT
 *
 * The worker's client beside a worker that is this program itself, started with the word “worker”:
 * it answers what a test needs and computes nothing. The real worker is tested by test-worker.c.
 */
#include "app/version.h"
#include "app/worker/client.h"

#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <jsonrpc-glib.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#define PATIENCE_S 20

/* --- The worker --- */

/* The file of plan 0 is “abcdefg”; that of plan 1 is lost with its run. */
static GVariant *
read_part (GVariant *params)
{
  gint64 offset = -1, n = 0;
  int index = -1;

  g_variant_lookup (params, "index", "i", &index);
  g_variant_lookup (params, "offset", "x", &offset);
  g_variant_lookup (params, "n", "x", &n);
  if (index != 0)
    return NULL;
  return g_variant_new_parsed ("{'size': <int64 7>, 'bytes': <%@ay>}",
                               g_variant_new_fixed_array (G_VARIANT_TYPE_BYTE, "abcdefg" + offset,
                                                          (gsize)MIN (n, 7 - offset), 1));
}

static void
ended_cb (GObject *peer, GAsyncResult *result, gpointer data)
{
  _exit (0);
}

static gboolean
handle_call_cb (JsonrpcClient *peer, const char *method, GVariant *id, GVariant *params,
                gpointer data)
{
  const char *protocol = g_getenv ("FAKE_PROTOCOL");
  g_autofree char *own_id = g_strdup_printf ("%d", (int)getpid ());
  g_autoptr (GVariant) reply = NULL;
  gboolean leaves_code = FALSE;

  /* Keeps the connection of an ended worker open while the file of this name exists. */
  const char *lingers = g_getenv ("FAKE_LINGERS");
  if (lingers != NULL && fork () == 0) {
    setsid ();
    for (int i = 0; i < 100 * PATIENCE_S && access (lingers, F_OK) == 0; i++)
      g_usleep (G_USEC_PER_SEC / 100);
    _exit (0);
  }
  if (strcmp (method, SEAM_METHOD_HELLO) == 0 && protocol == NULL)
    reply = g_variant_ref (params);
  else if (strcmp (method, SEAM_METHOD_HELLO) == 0 && *protocol != '\0')
    reply = g_variant_new_parsed ("{'protocol': <%x>, 'version': <'0.9'>, 'host': <'lab'>}",
                                  (gint64)atoi (protocol));
  else if (strcmp (method, SEAM_METHOD_HELLO) == 0)
    return FALSE;
  else if (strcmp (method, SEAM_METHOD_DESCRIBE) == 0)
    reply = g_variant_new_parsed (
        "{'targets': <[{'id': <'cpu'>, 'name': <%s>}]>, 'checks': <@aa{sv} []>}", own_id);
  else if (strcmp (method, SEAM_METHOD_READ_OUTPUT) == 0)
    reply = read_part (params);
  else if (strcmp (method, SEAM_METHOD_EXPLORE) == 0)
    reply = g_variant_new_parsed ("{'search': <@a{sv} {}>}");
  else if (strcmp (method, SEAM_METHOD_FORGET) == 0)
    reply = g_variant_new_string ("forgotten");
  else if (strcmp (method, SEAM_METHOD_END) == 0)
    return jsonrpc_client_reply_async (peer, id, params, NULL, ended_cb, NULL), TRUE;
  else if (!g_variant_lookup (params, "leaves_code", "b", &leaves_code))
    _exit (3);
  if (leaves_code) {
    g_autoptr (GVariant) nothing = g_variant_ref_sink (g_variant_new ("a{sv}", NULL));
    jsonrpc_client_send_notification_async (peer, SEAM_NOTIFY_CALIBRATION, nothing, NULL, NULL,
                                            NULL);
    jsonrpc_client_send_notification_async (peer, SEAM_NOTIFY_ENDING, nothing, NULL, NULL, NULL);
  }
  if (reply == NULL) {
    jsonrpc_client_reply_error_async (peer, id, 1000, "Another run has begun.", NULL, NULL, NULL);
    return TRUE;
  }
  g_variant_ref_sink (reply);
  jsonrpc_client_reply_async (peer, id, reply, NULL, NULL, NULL);
  return TRUE;
}

static int
serve (void)
{
  g_autoptr (GMainLoop) loop = g_main_loop_new (NULL, FALSE);
  g_autoptr (GInputStream) input = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  g_autoptr (GOutputStream) output = g_unix_output_stream_new (STDOUT_FILENO, FALSE);
  g_autoptr (GIOStream) stream = g_simple_io_stream_new (input, output);
  g_autoptr (JsonrpcClient) peer = jsonrpc_client_new (stream);

  g_signal_connect (peer, "handle-call", G_CALLBACK (handle_call_cb), NULL);
  g_signal_connect_swapped (peer, "failed", G_CALLBACK (g_main_loop_quit), loop);
  jsonrpc_client_start_listening (peer);
  g_main_loop_run (loop);
  return 0;
}

/* --- The tests --- */

typedef struct {
  SeamWorkerClient *client;
  int n_answered, n_cancelled, n_died, n_hellos;
  char *reason;  /* of the last death */
  char *worker;  /* process id of the worker that answered last */
  GError *error; /* of the last call without an answer */
  GByteArray *read;
} Fixture;

static void
died_cb (SeamWorkerClient *client, const char *reason, Fixture *fixture)
{
  fixture->n_died++;
  g_free (fixture->reason);
  fixture->reason = g_strdup (reason);
}

static void
set_up (Fixture *fixture, gconstpointer data)
{
  fixture->client = seam_worker_client_new ("lab");
  g_signal_connect (fixture->client, "died", G_CALLBACK (died_cb), fixture);
}

static void
tear_down (Fixture *fixture, gconstpointer data)
{
  g_signal_handlers_disconnect_by_data (fixture->client, fixture);
  seam_worker_client_close (fixture->client);
  g_object_unref (fixture->client);
  g_clear_error (&fixture->error);
  g_free (fixture->reason);
  g_free (fixture->worker);
}

static gboolean
out_of_patience_cb (gpointer data)
{
  g_error ("There was no answer within %d s.", PATIENCE_S);
  return G_SOURCE_REMOVE;
}

/* Iterates the main loop until so many calls have ended. */
static void
wait_for (Fixture *fixture, int n_answered, int n_cancelled, int n_died)
{
  guint timeout = g_timeout_add_seconds (PATIENCE_S, out_of_patience_cb, NULL);

  while (fixture->n_answered < n_answered || fixture->n_cancelled < n_cancelled
         || fixture->n_died < n_died)
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
  g_assert_cmpint (fixture->n_answered, ==, n_answered);
  g_assert_cmpint (fixture->n_cancelled, ==, n_cancelled);
  g_assert_cmpint (fixture->n_died, ==, n_died);
}

static void
described_cb (GObject *client, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDescription) found = seam_worker_client_finish (result, &error);

  if (found != NULL) {
    fixture->n_answered++;
    g_assert_cmpint (found->targets->len, ==, 1);
    const SeamDeviceInfo *target = found->targets->pdata[0];
    g_assert_cmpstr (target->id, ==, "cpu");
    g_free (fixture->worker);
    fixture->worker = g_strdup (target->name);
  } else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED)) {
    fixture->n_cancelled++;
  }
}

static void
describe (Fixture *fixture, GCancellable *cancellable)
{
  seam_worker_client_call (fixture->client, SEAM_METHOD_DESCRIBE, g_variant_new ("a{sv}", NULL),
                           cancellable, described_cb, fixture);
}

/* Calls that are given up at once: the person has gone on to something else. The worker lives on
 * and answers the next call. */
static void
test_given_up (Fixture *fixture, gconstpointer data)
{
  g_assert_false (seam_worker_client_is_alive (fixture->client));
  describe (fixture, NULL);
  for (int i = 0; i < 3; i++) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    describe (fixture, cancellable);
    g_cancellable_cancel (cancellable);
  }
  describe (fixture, NULL);
  wait_for (fixture, 2, 3, 0);
  g_assert_true (seam_worker_client_is_alive (fixture->client));
}

static void
failed_cb (GObject *client, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;

  g_clear_error (&fixture->error);
  g_assert_null (seam_worker_client_finish (result, &fixture->error));
  g_assert_nonnull (fixture->error);
  fixture->n_answered++;
}

static void
fail (Fixture *fixture, const char *method)
{
  seam_worker_client_call (fixture->client, method, g_variant_new ("a{sv}", NULL), NULL, failed_cb,
                           fixture);
}

/* Answers that are not those of the method are errors with a sentence. */
static void
test_wrong_answers (Fixture *fixture, gconstpointer data)
{
  fail (fixture, SEAM_METHOD_EXPLORE);
  wait_for (fixture, 1, 0, 0);
  g_assert_error (fixture->error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
  g_assert_nonnull (strstr (fixture->error->message, "no search"));
  fail (fixture, SEAM_METHOD_FORGET);
  wait_for (fixture, 2, 0, 0);
  g_assert_error (fixture->error, SEAM_ERROR, SEAM_ERROR_INTERNAL);
  g_assert_nonnull (strstr (fixture->error->message, "“forget”"));
}

static void
part_cb (GObject *client, GAsyncResult *result, gpointer data)
{
  Fixture *fixture = data;
  g_autoptr (GVariant) bytes = NULL;
  gint64 size = 0;

  g_clear_error (&fixture->error);
  g_autoptr (GVariant) part = seam_worker_client_finish (result, &fixture->error);
  if (part != NULL) {
    g_assert_true (g_variant_lookup (part, "size", "x", &size));
    g_assert_cmpint (size, ==, 7);
    bytes = g_variant_lookup_value (part, "bytes", G_VARIANT_TYPE_BYTESTRING);
    g_byte_array_append (fixture->read, g_variant_get_data (bytes),
                         (guint)g_variant_get_size (bytes));
  }
  fixture->n_answered++;
}

/* An output comes in parts, as bytes; if its run is no longer the last one, the caller is told. */
static void
test_read_output (Fixture *fixture, gconstpointer data)
{
  static const char *const asked[] = {
    "{'index': <0>, 'offset': <int64 0>, 'n': <int64 3>}",
    "{'index': <0>, 'offset': <int64 3>, 'n': <int64 8>}",
    "{'index': <1>, 'offset': <int64 3>, 'n': <int64 8>}",
  };

  fixture->read = g_byte_array_new ();
  for (int i = 0; i < 3; i++) {
    seam_worker_client_call (fixture->client, SEAM_METHOD_READ_OUTPUT,
                             g_variant_new_parsed (asked[i]), NULL, part_cb, fixture);
    wait_for (fixture, i + 1, 0, 0);
    g_assert_true ((fixture->error != NULL) == (i == 2));
  }
  g_assert_cmpmem (fixture->read->data, fixture->read->len, "abcdefg", 7);
  g_assert_error (fixture->error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_cmpstr (fixture->error->message, ==, "Another run has begun.");
  g_byte_array_unref (fixture->read);
}

static void
calibration_cb (SeamWorkerClient *client, const char *what, double fraction, Fixture *fixture)
{
  describe (fixture, NULL);
}

/* A run that leaves code running has ended in the worker, but its reply is not read yet, and
 * another call is made: this worker still answers it, then ends, and the next call has a new one.
 * Nobody is told that a worker died. */
static void
test_leaves_code (Fixture *fixture, gconstpointer data)
{
  g_signal_connect (fixture->client, "calibration", G_CALLBACK (calibration_cb), fixture);
  describe (fixture, NULL);
  wait_for (fixture, 1, 0, 0);
  g_autofree char *first = g_strdup (fixture->worker);
  seam_worker_client_call (fixture->client, SEAM_METHOD_RUN,
                           g_variant_new_parsed ("{'leaves_code': <true>}"), NULL, failed_cb,
                           fixture);
  wait_for (fixture, 3, 0, 0);
  g_assert_error (fixture->error, SEAM_ERROR, SEAM_ERROR_INPUT);
  g_assert_cmpstr (fixture->worker, ==, first);
  g_assert_false (seam_worker_client_is_alive (fixture->client));
  guint timeout = g_timeout_add_seconds (PATIENCE_S, out_of_patience_cb, NULL);
  while (kill (atoi (first), 0) == 0)
    g_main_context_iteration (NULL, FALSE);
  g_source_remove (timeout);
  describe (fixture, NULL);
  wait_for (fixture, 4, 0, 0);
  g_assert_cmpstr (fixture->worker, !=, first);
}

static void
hello_cb (SeamWorkerClient *client, GVariant *hello, Fixture *fixture)
{
  g_autoptr (GVariant) own = seam_hello_make ("lab");

  fixture->n_hellos++;
  g_assert_true (g_variant_equal (hello, own));
}

/* A worker says hello once, when it starts. */
static void
test_hello (Fixture *fixture, gconstpointer data)
{
  g_assert_true (g_str_has_prefix (seam_protocol_get_build (), seam_version ()));
  g_signal_connect (fixture->client, "hello", G_CALLBACK (hello_cb), fixture);
  describe (fixture, NULL);
  wait_for (fixture, 1, 0, 0);
  g_assert_cmpint (fixture->n_hellos, ==, 1);
  describe (fixture, NULL);
  wait_for (fixture, 2, 0, 0);
  g_assert_cmpint (fixture->n_hellos, ==, 1);
}

/* Every call to a worker of another protocol gets a sentence with both versions, and the worker is
 * ended. One that was put in its place is used. `data`: its protocol; "": it knows no hello. */
static void
test_refused (Fixture *fixture, gconstpointer data)
{
  g_autofree char *own = g_strdup_printf ("speaks version %d of", SEAM_PROTOCOL_VERSION);
  g_autofree char *other = *(const char *)data != '\0'
                               ? g_strdup_printf ("speaks version %s.", (const char *)data)
                               : g_strdup ("names no version.");

  g_setenv ("FAKE_PROTOCOL", data, TRUE);
  fail (fixture, SEAM_METHOD_DESCRIBE);
  fail (fixture, SEAM_METHOD_DESCRIBE);
  wait_for (fixture, 2, 0, 0);
  g_assert_error (fixture->error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_test_message ("%s", fixture->error->message);
  g_assert_nonnull (strstr (fixture->error->message, own));
  g_assert_nonnull (strstr (fixture->error->message, other));
  if (*(const char *)data != '\0')
    g_assert_nonnull (strstr (fixture->error->message, "Seamscope 0.9 on lab"));
  g_assert_false (seam_worker_client_is_alive (fixture->client));
  g_unsetenv ("FAKE_PROTOCOL");
  describe (fixture, NULL);
  wait_for (fixture, 3, 0, 0);
  /* Its end is no longer told as a refusal. */
  fail (fixture, SEAM_METHOD_RUN);
  wait_for (fixture, 4, 0, 1);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
}

/* A call that was sent to a refused worker gets the refusal even if the next worker answers before
 * the connection breaks: nothing else would tell its caller, because no worker has died. */
static void
test_refused_late (Fixture *fixture, gconstpointer data)
{
  g_autofree char *lingers = NULL;
  close (g_file_open_tmp ("seamscope-lingers-XXXXXX", &lingers, NULL));
  g_setenv ("FAKE_PROTOCOL", "2", TRUE);
  g_setenv ("FAKE_LINGERS", lingers, TRUE);
  fail (fixture, SEAM_METHOD_DESCRIBE);
  guint timeout = g_timeout_add_seconds (PATIENCE_S, out_of_patience_cb, NULL);
  while (seam_worker_client_is_alive (fixture->client))
    g_main_context_iteration (NULL, TRUE);
  g_source_remove (timeout);
  g_unsetenv ("FAKE_LINGERS");
  g_unsetenv ("FAKE_PROTOCOL");
  describe (fixture, NULL);
  wait_for (fixture, 1, 0, 0);
  g_assert_no_error (fixture->error);
  unlink (lingers);
  wait_for (fixture, 2, 0, 0);
  g_assert_error (fixture->error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
}

/* A program that says nothing, or a flood of what is no message, is ended after a time, and the
 * caller gets a sentence. A worker that was put in its place is used. */
static void
test_silent (Fixture *fixture, gconstpointer data)
{
  g_setenv ("FAKE_SILENT", data, TRUE);
  seam_worker_client_set_hello_limit (fixture->client, 300);
  fail (fixture, SEAM_METHOD_DESCRIBE);
  fail (fixture, SEAM_METHOD_RUN);
  wait_for (fixture, 2, 0, 0);
  g_assert_error (fixture->error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_nonnull (strstr (fixture->error->message, "did not answer within 0.3 s"));
  g_assert_false (seam_worker_client_is_alive (fixture->client));
  g_unsetenv ("FAKE_SILENT");
  seam_worker_client_set_hello_limit (fixture->client, 1000 * PATIENCE_S);
  describe (fixture, NULL);
  wait_for (fixture, 3, 0, 0);
}

/* A worker that ends fails the call that waits, says why, and is replaced at the next call. */
static void
test_died (Fixture *fixture, gconstpointer data)
{
  fail (fixture, SEAM_METHOD_RUN);
  wait_for (fixture, 1, 0, 1);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
  g_assert_cmpstr (fixture->reason, ==, "The worker ended with exit status 3.");
  g_assert_false (seam_worker_client_is_alive (fixture->client));
  describe (fixture, NULL);
  wait_for (fixture, 2, 0, 1);
}

/* The client is as late as on a busy computer: its worker has ended when it looks at it. */
static void
late_cb (const char *domain, GLogLevelFlags level, const char *message, gpointer data)
{
  if (strstr (message, "worker: started") != NULL)
    g_usleep (G_USEC_PER_SEC / 5);
}

/* A worker that ends before anything is sent to it, for example for want of a library, fails the
 * call like one that ends later. */
static void
test_ended_at_once (Fixture *fixture, gconstpointer data)
{
  guint handler = g_log_set_handler (G_LOG_DOMAIN, G_LOG_LEVEL_DEBUG, late_cb, NULL);

  g_setenv ("SEAMSCOPE_CLI", "/bin/false", TRUE);
  fail (fixture, SEAM_METHOD_DESCRIBE);
  wait_for (fixture, 1, 0, 1);
  g_log_remove_handler (G_LOG_DOMAIN, handler);
  g_setenv ("SEAMSCOPE_CLI", "/proc/self/exe", TRUE);
  g_assert_error (fixture->error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED);
  g_assert_cmpstr (fixture->reason, ==, "The worker ended with exit status 1.");
  describe (fixture, NULL);
  wait_for (fixture, 2, 0, 1);
}

int
main (int argc, char **argv)
{
  if (argc > 1 && strcmp (argv[1], "worker") == 0 && g_getenv ("FAKE_SILENT") != NULL)
    for (;;)
      if (write (STDOUT_FILENO, g_getenv ("FAKE_SILENT"), strlen (g_getenv ("FAKE_SILENT"))) <= 0)
        pause ();
  if (argc > 1 && strcmp (argv[1], "worker") == 0)
    return serve ();
  g_setenv ("SEAMSCOPE_CLI", "/proc/self/exe", TRUE);
  g_test_init (&argc, &argv, NULL);
  /* jsonrpc-glib warns when a worker ends. */
  g_log_set_fatal_mask ("jsonrpc-client", G_LOG_LEVEL_ERROR);
  g_test_add ("/client/given-up", Fixture, NULL, set_up, test_given_up, tear_down);
  g_test_add ("/client/wrong-answers", Fixture, NULL, set_up, test_wrong_answers, tear_down);
  g_test_add ("/client/read-output", Fixture, NULL, set_up, test_read_output, tear_down);
  g_test_add ("/client/leaves-code", Fixture, NULL, set_up, test_leaves_code, tear_down);
  g_test_add ("/client/hello", Fixture, NULL, set_up, test_hello, tear_down);
  g_test_add ("/client/refused", Fixture, "2", set_up, test_refused, tear_down);
  g_test_add ("/client/refused-unknown", Fixture, "", set_up, test_refused, tear_down);
  g_test_add ("/client/refused-late", Fixture, NULL, set_up, test_refused_late, tear_down);
  g_test_add ("/client/silent", Fixture, "", set_up, test_silent, tear_down);
  g_test_add ("/client/silent-junk", Fixture, "junk: 1\n", set_up, test_silent, tear_down);
  g_test_add ("/client/died", Fixture, NULL, set_up, test_died, tear_down);
  g_test_add ("/client/ended-at-once", Fixture, NULL, set_up, test_ended_at_once, tear_down);
  return g_test_run ();
}
