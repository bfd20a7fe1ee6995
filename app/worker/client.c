/* SPDX-License-Identifier: MIT
 *
 * Spawns the worker, sends requests, routes notifications, and turns the end of the process into
 * one sentence. A process and its connection name the client until it lets go of them, so that
 * callbacks of an old process never touch the next one.
 */
#include "app/worker/client.h"

#include "seam-config.h"

#include <jsonrpc-glib.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>

#define LOG_LIMIT      65536     /* bytes of the worker's standard error that are kept */
#define NO_SUCH_METHOD "-32601"  /* JSON-RPC's code, in both forms of jsonrpc-glib's errors */
#define GRACE_MS       1000      /* time between a lost connection and the end of the process */
#define CLIENT         "client"  /* of a process and its connection: whose worker they are */
#define REFUSAL        "refusal" /* of a connection, a GError: why its worker cannot be used */
#define HELLO_MS       10000     /* for hello, which a worker answers before it opens a device */
#define HELLO_LOOKS    10        /* in that time, so that a busy main loop ends no worker */

struct _SeamWorkerClient {
  GObject parent_instance;

  GSubprocess *process; /* NULL when there is none */
  JsonrpcClient *rpc;
  gboolean is_ending;                         /* this process shall end after its answers */
  gboolean closed;                            /* no other worker may be started */
  guint hello_limit_ms, hello_timer, n_looks; /* the timer runs until hello is answered */
  pid_t group;       /* process group of the worker and of what edited code starts in it; 0: it
                        ended before it could begin anything */
  char *kill_reason; /* reason for "died" if the program ended the worker itself */
  GString *log;
  char *machine; /* its name, "": this one */
};

G_DEFINE_FINAL_TYPE (SeamWorkerClient, seam_worker_client, G_TYPE_OBJECT)

/* The client whose worker an object of a process belongs to, a new reference; NULL: no longer. */
static SeamWorkerClient *
get_client (gpointer object)
{
  SeamWorkerClient *self = g_object_get_data (object, CLIENT);

  return self != NULL ? g_object_ref (self) : NULL;
}

/* Finds seamscope-cli: $SEAMSCOPE_CLI, beside this program, in the build tree, or where it is
 * installed. */
static char *
find_worker (GError **error)
{
  g_autofree char *program = g_file_read_link ("/proc/self/exe", NULL);
  const char *given = g_getenv ("SEAMSCOPE_CLI");
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (g_free);

  if (given != NULL)
    g_ptr_array_add (candidates, g_strdup (given));
  if (program != NULL) {
    g_autofree char *folder = g_path_get_dirname (program);
    g_ptr_array_add (candidates, g_build_filename (folder, "seamscope-cli", NULL));
    g_ptr_array_add (candidates,
                     g_build_filename (folder, "..", "app", "cli", "seamscope-cli", NULL));
  }
  g_ptr_array_add (candidates, g_build_filename (SEAM_BINDIR, "seamscope-cli", NULL));
  for (guint i = 0; i < candidates->len; i++) {
    const char *path = g_ptr_array_index (candidates, i);
    if (g_file_test (path, G_FILE_TEST_IS_EXECUTABLE))
      return g_strdup (path);
  }
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_DEVICE,
               "The program seamscope-cli was not found beside the window or in %s, so nothing can "
               "be run. Install it or build it again.",
               SEAM_BINDIR);
  return NULL;
}

/* The next call starts another process. Calls that wait for an answer of this one still get it. */
static void
let_go (SeamWorkerClient *self)
{
  if (self->process == NULL)
    return;
  g_clear_handle_id (&self->hello_timer, g_source_remove);
  g_object_set_data (G_OBJECT (self->process), CLIENT, NULL);
  g_object_set_data (G_OBJECT (self->rpc), CLIENT, NULL);
  g_signal_handlers_disconnect_by_data (self->rpc, self);
  self->is_ending = FALSE;
  g_clear_object (&self->rpc);
  g_clear_object (&self->process);
}

static void
give_up_process (SeamWorkerClient *self)
{
  if (self->rpc != NULL)
    jsonrpc_client_close_async (self->rpc, NULL, NULL, NULL);
  let_go (self);
}

/* Ends the worker and what it has started, including what remains of an ended worker. */
static void
end_processes (SeamWorkerClient *self)
{
  g_subprocess_force_exit (self->process);
  if (self->group > 0)
    kill (-self->group, SIGKILL);
}

/* Explains an exit status in a sentence. */
static char *
describe_end (GSubprocess *process)
{
  if (g_subprocess_get_if_signaled (process)) {
    int number = g_subprocess_get_term_sig (process);
    return g_strdup_printf ("The worker was ended by signal %d (%s).", number,
                            g_strsignal (number));
  }
  if (g_subprocess_get_if_exited (process) && g_subprocess_get_exit_status (process) == 0)
    return g_strdup ("The worker ended in the middle of its work, with exit status 0. Edited code "
                     "that calls exit() does that.");
  if (g_subprocess_get_if_exited (process))
    return g_strdup_printf ("The worker ended with exit status %d.",
                            g_subprocess_get_exit_status (process));
  return g_strdup ("The worker ended.");
}

static void
process_ended_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamWorkerClient) self = get_client (source);
  g_autofree char *reason = NULL;

  g_subprocess_wait_finish (G_SUBPROCESS (source), result, NULL);
  if (self != NULL) {
    reason = self->kill_reason != NULL ? g_steal_pointer (&self->kill_reason)
                                       : describe_end (G_SUBPROCESS (source));
    g_debug ("worker: %s", reason);
    end_processes (self);
    give_up_process (self);
    g_signal_emit_by_name (self, "died", reason);
  }
}

static void
log_line_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamWorkerClient) self = data;
  g_autofree char *line =
      g_data_input_stream_read_line_finish (G_DATA_INPUT_STREAM (source), result, NULL, NULL);

  if (line == NULL)
    return;
  g_autofree char *valid = g_utf8_make_valid (line, -1);
  g_debug ("worker says: %s", valid);
  g_string_append_printf (self->log, "%s\n", valid);
  if (self->log->len > LOG_LIMIT) {
    const char *cut = strchr (self->log->str + self->log->len - LOG_LIMIT, '\n');
    g_string_erase (self->log, 0, cut != NULL ? cut + 1 - self->log->str : 0);
  }
  g_data_input_stream_read_line_async (G_DATA_INPUT_STREAM (source), G_PRIORITY_DEFAULT, NULL,
                                       log_line_cb, g_steal_pointer (&self));
}

static void
notification_cb (JsonrpcClient *rpc, const char *method, GVariant *params, SeamWorkerClient *self)
{
  g_autoptr (GError) error = NULL;

  if (params == NULL)
    return;
  if (strcmp (method, SEAM_NOTIFY_PROGRESS) == 0) {
    SeamProgress progress = { 0 };
    if (seam_record_from_variant (&seam_progress_type, params, "progress", NULL, &progress, &error))
      g_signal_emit_by_name (self, "progress", &progress);
    seam_record_clear (&seam_progress_type, &progress);
  } else if (strcmp (method, SEAM_NOTIFY_PARTIAL) == 0) {
    g_autoptr (SeamResult) partial = seam_result_from_variant (params, &error);
    if (partial != NULL)
      g_signal_emit_by_name (self, "partial", partial);
  } else if (strcmp (method, SEAM_NOTIFY_SEARCH) == 0) {
    SeamSearchProgress progress;
    g_autoptr (GVariant) search = NULL;
    if (seam_search_progress_from_variant (params, &progress, &search, &error))
      g_signal_emit_by_name (self, "search", &progress, search);
  } else if (strcmp (method, SEAM_NOTIFY_CALIBRATION) == 0) {
    const char *what = "";
    double fraction = 0;
    g_variant_lookup (params, "what", "&s", &what);
    g_variant_lookup (params, "fraction", "d", &fraction);
    g_signal_emit_by_name (self, "calibration", what, fraction);
  } else if (strcmp (method, SEAM_NOTIFY_ENDING) == 0) {
    self->is_ending = TRUE;
  }
  if (error != NULL)
    g_warning ("A notification of the worker could not be read: %s", error->message);
}

static gboolean
broken_connection_cb (gpointer data)
{
  g_autoptr (SeamWorkerClient) self = get_client (data);

  if (self != NULL && self->kill_reason == NULL)
    seam_worker_client_kill (self, "An answer of the worker could not be read, so it was ended.");
  return G_SOURCE_REMOVE;
}

/* Usually the process has ended, and its exit status is the better reason, so it gets a moment.
 * A process without a connection is useless, even if it lives on. */
static void
connection_failed_cb (JsonrpcClient *rpc, SeamWorkerClient *self)
{
  g_timeout_add_full (G_PRIORITY_DEFAULT, GRACE_MS, broken_connection_cb, g_object_ref (rpc),
                      g_object_unref);
}

/* A reply as a{sv}, unwrapped. */
static GVariant *
unwrap (GVariant *value)
{
  while (g_variant_is_of_type (value, G_VARIANT_TYPE_VARIANT)) {
    GVariant *inner = g_variant_get_variant (value);
    g_variant_unref (value);
    value = inner;
  }
  return value;
}

/* Ends a worker that cannot be used; calls that wait for an answer of it get the refusal, which is
 * taken. */
static void
refuse (SeamWorkerClient *self, GError *refusal)
{
  g_object_set_data_full (G_OBJECT (self->rpc), REFUSAL, refusal, (GDestroyNotify)g_error_free);
  end_processes (self);
}

/* A program that is no worker, or one that hangs. */
static gboolean
no_hello_cb (gpointer data)
{
  SeamWorkerClient *self = data;

  if (++self->n_looks < HELLO_LOOKS)
    return G_SOURCE_CONTINUE;
  self->hello_timer = 0;
  refuse (self, g_error_new (SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                             "The worker did not answer within %g s and was ended. Try again. If "
                             "that does not help, install Seamscope again; if SEAMSCOPE_CLI is "
                             "set, it has to name the program seamscope-cli.",
                             self->hello_limit_ms / 1000.0));
  give_up_process (self);
  return G_SOURCE_REMOVE;
}

/* Gives up a worker that speaks another protocol, or none that has a hello. */
static void
hello_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamWorkerClient) self = get_client (source);
  g_autoptr (GVariant) reply = NULL;
  g_autoptr (GError) error = NULL, refusal = NULL;

  if (jsonrpc_client_call_finish (JSONRPC_CLIENT (source), result, &reply, &error)
      || strstr (error->message, NO_SUCH_METHOD) != NULL)
    seam_hello_check (reply != NULL ? reply = unwrap (reply) : NULL, &refusal);
  else
    refusal = seam_protocol_translate_error (error);
  if (self == NULL || (reply == NULL && refusal == NULL))
    return; /* the connection is lost, and "died" says why */
  g_clear_handle_id (&self->hello_timer, g_source_remove);
  if (refusal == NULL) {
    g_signal_emit_by_name (self, "hello", reply);
    return;
  }
  refuse (self, g_steal_pointer (&refusal));
  let_go (self); /* the connection breaks: it may not be closed in the callback of a call */
}

static gboolean
ensure_process (SeamWorkerClient *self, GError **error)
{
  if (self->process != NULL)
    return TRUE;
  if (self->closed) {
    g_set_error_literal (error, G_IO_ERROR, G_IO_ERROR_CANCELLED, "The window is closing.");
    return FALSE;
  }

  g_autofree char *path = find_worker (error);
  if (path == NULL)
    return FALSE;

  g_autoptr (GError) local = NULL;
  GSubprocess *process =
      g_subprocess_new (G_SUBPROCESS_FLAGS_STDIN_PIPE | G_SUBPROCESS_FLAGS_STDOUT_PIPE
                            | G_SUBPROCESS_FLAGS_STDERR_PIPE,
                        &local, path, "worker", NULL);
  if (process == NULL)
    return seam_fail (error, SEAM_ERROR_DEVICE, "The worker could not be started: %s",
                      local->message);
  g_debug ("worker: started %s as process %s", path, g_subprocess_get_identifier (process));

  self->process = process;
  const char *identifier = g_subprocess_get_identifier (process);
  self->group = identifier != NULL ? (pid_t)g_ascii_strtoll (identifier, NULL, 10) : 0;
  g_object_set_data (G_OBJECT (process), CLIENT, self);
  g_clear_pointer (&self->kill_reason, g_free);

  g_autoptr (GIOStream) stream = g_simple_io_stream_new (g_subprocess_get_stdout_pipe (process),
                                                         g_subprocess_get_stdin_pipe (process));
  self->rpc = jsonrpc_client_new (stream);
  g_object_set_data (G_OBJECT (self->rpc), CLIENT, self);
  jsonrpc_client_set_use_gvariant (self->rpc, TRUE);
  g_signal_connect (self->rpc, "notification", G_CALLBACK (notification_cb), self);
  g_signal_connect (self->rpc, "failed", G_CALLBACK (connection_failed_cb), self);
  jsonrpc_client_start_listening (self->rpc);
  /* Calls follow at once: what they send to a worker that is refused is lost with it. */
  g_autoptr (GVariant) hello = seam_hello_make (self->machine);
  jsonrpc_client_call_async (self->rpc, SEAM_METHOD_HELLO, hello, NULL, hello_cb, NULL);
  self->n_looks = 0;
  self->hello_timer = g_timeout_add (self->hello_limit_ms / HELLO_LOOKS, no_hello_cb, self);

  g_autoptr (GDataInputStream) lines =
      g_data_input_stream_new (g_subprocess_get_stderr_pipe (process));
  g_data_input_stream_read_line_async (lines, G_PRIORITY_DEFAULT, NULL, log_line_cb,
                                       g_object_ref (self));
  g_subprocess_wait_async (process, NULL, process_ended_cb, NULL);
  return TRUE;
}

/* The worker's own errors carry a SeamError code and a whole sentence. Any other error means
 * that the connection is lost: "died" says why, so callers need not show that error. */
static GError *
translate_error (const GError *error)
{
  GError *own = seam_protocol_translate_error (error);

  if (own != NULL)
    return own;
  if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    return g_error_copy (error);
  g_debug ("worker: connection lost: %s", error->message);
  return g_error_new_literal (G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED,
                              "The worker stopped before it could answer.");
}

/* --- The methods --- */

static SeamDescription *
read_description (GVariant *reply, GError **error)
{
  g_autoptr (SeamDescription) found = g_new0 (SeamDescription, 1);
  g_autoptr (GVariant) list = g_variant_lookup_value (reply, "targets", G_VARIANT_TYPE_ARRAY);
  g_autoptr (GVariant) rows = g_variant_lookup_value (reply, "checks", NULL);

  found->targets = g_ptr_array_new_with_free_func ((GDestroyNotify)seam_device_info_free);
  for (gsize i = 0; list != NULL && i < g_variant_n_children (list); i++) {
    g_autoptr (GVariant) child = unwrap (g_variant_get_child_value (list, i));
    SeamDeviceInfo *info = seam_device_info_from_variant (child);
    if (info != NULL)
      g_ptr_array_add (found->targets, info);
  }
  found->checks = rows != NULL ? seam_checks_from_variant (rows, error) : seam_checks_new ();
  return found->checks != NULL ? g_steal_pointer (&found) : NULL;
}

void
seam_description_free (SeamDescription *self)
{
  g_clear_pointer (&self->targets, g_ptr_array_unref);
  g_clear_pointer (&self->checks, g_ptr_array_unref);
  g_free (self);
}

static GVariant *
check_explored (GVariant *reply, GError **error)
{
  if (g_variant_lookup (reply, "search", "@a{sv}", NULL)
      && g_variant_lookup (reply, "end", "s", NULL))
    return g_variant_ref (reply);
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INTERNAL,
                       "The worker's answer has no search; please report this.");
  return NULL;
}

static const SeamField calibrated_fields[] = {
  { SEAM_FIELD (SeamCalibrated, calibration, RECORD), .flags = SEAM_REQUIRED,
    .type = &seam_calibration_type },
  { SEAM_FIELD (SeamCalibrated, not_kept, TEXT), .flags = SEAM_LONG },
  { SEAM_FIELD (SeamCalibrated, unsteady, TEXT), .flags = SEAM_LONG },
  { NULL },
};

static const SeamRecordType calibrated_type = {
  .name = "calibration",
  .size = sizeof (SeamCalibrated),
  .fields = calibrated_fields,
};

void
seam_calibrated_free (SeamCalibrated *self)
{
  seam_record_free (&calibrated_type, self);
}

/* What becomes of the reply of a method: a record of `type`, or what `read` returns; without
 * either, the reply itself. */
typedef struct {
  const char *name;
  const SeamRecordType *type;
  gpointer (*read) (GVariant *reply, GError **error);
} Method;

#define READ(function) .read = (gpointer (*) (GVariant *, GError **)) (function)

static const Method methods[] = {
  { SEAM_METHOD_CALIBRATE, &calibrated_type },
  { SEAM_METHOD_DESCRIBE, READ (read_description) },
  { SEAM_METHOD_DIFFERENCE, &seam_difference_type },
  { SEAM_METHOD_ESTIMATE, READ (seam_estimate_from_variant) },
  { SEAM_METHOD_EXPLORE, READ (check_explored) },
  { SEAM_METHOD_FORGET },
  { SEAM_METHOD_LISTING, READ (seam_listing_from_variant) },
  { SEAM_METHOD_READ_OUTPUT },
  { SEAM_METHOD_RUN, READ (seam_session_run_from_variant) },
  { SEAM_METHOD_SLICE, &seam_slice_type },
  { SEAM_METHOD_SOURCE, READ (seam_code_from_variant) },
};

static const Method *
find_method (const char *name)
{
  for (gsize i = 0; i < G_N_ELEMENTS (methods); i++)
    if (strcmp (methods[i].name, name) == 0)
      return &methods[i];
  g_return_val_if_reached (NULL);
}

static void
call_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (GTask) task = data;
  g_autoptr (GVariant) value = NULL;
  g_autoptr (GError) error = NULL;
  SeamWorkerClient *self = g_task_get_source_object (task);
  const GError *refusal = g_object_get_data (source, REFUSAL);

  /* What was sent to this process until now is answered before it ends. */
  if (self->is_ending && g_task_get_task_data (task) == find_method (SEAM_METHOD_RUN)) {
    jsonrpc_client_call_async (self->rpc, SEAM_METHOD_END, g_variant_new ("a{sv}", NULL), NULL,
                               NULL, NULL);
    let_go (self);
  }
  if (refusal != NULL) {
    g_task_return_error (task, g_error_copy (refusal));
  } else if (jsonrpc_client_call_finish (JSONRPC_CLIENT (source), result, &value, &error)) {
    if (value == NULL)
      value = g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0));
    g_task_return_pointer (task, g_steal_pointer (&value), (GDestroyNotify)g_variant_unref);
  } else {
    g_task_return_error (task, translate_error (error));
  }
}

void
seam_worker_client_call (SeamWorkerClient *self, const char *method, GVariant *params,
                         GCancellable *cancellable, GAsyncReadyCallback callback, gpointer data)
{
  g_autoptr (GVariant) sunk = g_variant_ref_sink (params);
  GTask *task = g_task_new (self, cancellable, callback, data);
  GError *error = NULL;

  g_task_set_source_tag (task, seam_worker_client_call);
  g_task_set_task_data (task, (gpointer)find_method (method), NULL);
  if (!ensure_process (self, &error)) {
    g_task_return_error (task, error);
    g_object_unref (task);
    return;
  }
  /* Only the task is cancelled: a message that is cut off in the middle would end the
   * connection. */
  jsonrpc_client_call_async (self->rpc, method, sunk, NULL, call_cb, task);
}

gpointer
seam_worker_client_finish (GAsyncResult *result, GError **error)
{
  const Method *method = g_task_get_task_data (G_TASK (result));
  g_autoptr (GVariant) reply = g_task_propagate_pointer (G_TASK (result), error);

  if (reply == NULL)
    return NULL;
  reply = unwrap (reply);
  if (!g_variant_is_of_type (reply, G_VARIANT_TYPE_VARDICT)) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INTERNAL,
                 "The worker's answer to “%s” is no object with named members; please report this.",
                 method->name);
    return NULL;
  }
  return method->type != NULL   ? seam_record_new_from_variant (method->type, reply, error)
         : method->read != NULL ? method->read (reply, error)
                                : g_steal_pointer (&reply);
}

GVariant *
seam_worker_params_slice (int a, int b, const SeamSlice *wanted)
{
  return g_variant_new_parsed ("{'a': <%i>, 'b': <%i>, 'sample': <%x>, 'channel': <%x>, "
                               "'first_row': <%x>, 'first_column': <%x>, 'n_rows': <%x>, "
                               "'n_columns': <%x>}",
                               a, b, wanted->sample, wanted->channel, wanted->first_row,
                               wanted->first_column, wanted->n_rows, wanted->n_columns);
}

/* --- The life of a process --- */

void
seam_worker_client_cancel (SeamWorkerClient *self)
{
  if (self->rpc != NULL)
    jsonrpc_client_call_async (self->rpc, SEAM_METHOD_CANCEL, g_variant_new ("a{sv}", NULL), NULL,
                               NULL, NULL);
}

void
seam_worker_client_kill (SeamWorkerClient *self, const char *reason)
{
  if (self->process == NULL)
    return;
  g_free (self->kill_reason);
  self->kill_reason = g_strdup (reason);
  end_processes (self);
}

void
seam_worker_client_set_hello_limit (SeamWorkerClient *self, guint limit_ms)
{
  self->hello_limit_ms = limit_ms;
}

gboolean
seam_worker_client_is_alive (SeamWorkerClient *self)
{
  return self->process != NULL;
}

const char *
seam_worker_client_get_log (SeamWorkerClient *self)
{
  return self->log->str;
}

void
seam_worker_client_close (SeamWorkerClient *self)
{
  self->closed = TRUE;
  /* The worker ends by itself when its input closes; a busy one has to be killed. */
  if (self->process != NULL)
    end_processes (self);
  give_up_process (self);
}

static void
seam_worker_client_dispose (GObject *object)
{
  seam_worker_client_close (SEAM_WORKER_CLIENT (object));
  G_OBJECT_CLASS (seam_worker_client_parent_class)->dispose (object);
}

static void
seam_worker_client_finalize (GObject *object)
{
  SeamWorkerClient *self = SEAM_WORKER_CLIENT (object);

  g_free (self->kill_reason);
  g_free (self->machine);
  g_string_free (self->log, TRUE);
  G_OBJECT_CLASS (seam_worker_client_parent_class)->finalize (object);
}

static void
seam_worker_client_class_init (SeamWorkerClientClass *klass)
{
  static const struct {
    const char *name;
    GType types[2];
  } emitted[] = {
    { "progress", { G_TYPE_POINTER } },
    { "partial", { G_TYPE_POINTER } },
    { "search", { G_TYPE_POINTER, G_TYPE_VARIANT } },
    { "calibration", { G_TYPE_STRING, G_TYPE_DOUBLE } },
    { "hello", { G_TYPE_VARIANT } },
    { "died", { G_TYPE_STRING } },
  };

  /* A message to a worker that has just ended fails, and does not end this program. */
  signal (SIGPIPE, SIG_IGN);
  G_OBJECT_CLASS (klass)->dispose = seam_worker_client_dispose;
  G_OBJECT_CLASS (klass)->finalize = seam_worker_client_finalize;
  for (gsize i = 0; i < G_N_ELEMENTS (emitted); i++)
    g_signal_new (emitted[i].name, G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                  NULL, G_TYPE_NONE, emitted[i].types[1] != 0 ? 2 : 1, emitted[i].types[0],
                  emitted[i].types[1]);
}

static void
seam_worker_client_init (SeamWorkerClient *self)
{
  self->log = g_string_new (NULL);
  self->hello_limit_ms = HELLO_MS;
}

SeamWorkerClient *
seam_worker_client_new (const char *machine)
{
  SeamWorkerClient *self = g_object_new (SEAM_TYPE_WORKER_CLIENT, NULL);

  self->machine = g_strdup (machine);
  return self;
}
