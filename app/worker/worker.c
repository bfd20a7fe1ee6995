/* SPDX-License-Identifier: MIT
 *
 * The worker process: a main loop that reads calls and writes replies, and one work thread that
 * executes them in order, so that `cancel` is received during a run. job.c executes the calls.
 */
#include "app/worker/worker.h"

#include "app/base/children.h"
#include "app/base/process-limits.h"
#include "app/worker/job.h"
#include "app/worker/nesting.h"
#include "app/worker/pending.h"
#include "app/worker/protocol.h"

#include <fcntl.h>
#include <glib-unix.h>
#include <gio/gunixinputstream.h>
#include <gio/gunixoutputstream.h>
#include <jsonrpc-glib.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Ten a second is as fast as a person can follow a number. */
#define PROGRESS_INTERVAL_MS 100
/* Longest wait at the end for a call that does not stop; a kernel in flight cannot be stopped. */
#define END_TIMEOUT_US (G_USEC_PER_SEC / 2)
/* Longest life of the process after its input was closed, whatever its threads are doing. */
#define LAST_US (5 * G_USEC_PER_SEC / 2)

typedef struct {
  GMainLoop *loop;
  JsonrpcClient *peer;
  GThread *thread;
  GAsyncQueue *jobs; /* of SeamJob; the worker itself means: end */
  GQueue unfinished; /* of SeamJob, in order; main thread only */
  int exit_status;
  gboolean leaves_code; /* edited code may go on running; main thread only */
  gboolean ended;       /* of the work thread; protected by `lock` */
  GCond has_ended;

  GMutex lock;
  SeamPending pending;
  guint flush_source;
  gint64 last_flush_us;
} Worker;

typedef struct {
  Worker *worker;
  SeamJob *job;
} Finished;

static void
flush_progress (Worker *worker)
{
  g_mutex_lock (&worker->lock);
  if (worker->flush_source)
    g_source_remove (worker->flush_source);
  worker->flush_source = 0;
  worker->last_flush_us = g_get_monotonic_time ();
  g_autoptr (GVariant) progress = seam_pending_take (&worker->pending);
  g_mutex_unlock (&worker->lock);
  if (progress) {
    g_variant_ref_sink (progress);
    jsonrpc_client_send_notification_async (worker->peer, SEAM_NOTIFY_PROGRESS, progress, NULL,
                                            NULL, NULL);
  }
}

static gboolean
flush_cb (gpointer data)
{
  flush_progress (data);
  return G_SOURCE_REMOVE;
}

/* Called in the work thread. */
static void
progress_cb (const SeamProgress *progress, gpointer data)
{
  Worker *worker = data;

  g_mutex_lock (&worker->lock);
  seam_pending_add (&worker->pending, progress);
  if (worker->flush_source == 0) {
    gint64 waited_ms = (g_get_monotonic_time () - worker->last_flush_us) / 1000;
    guint delay = waited_ms >= PROGRESS_INTERVAL_MS ? 0 : (guint)(PROGRESS_INTERVAL_MS - waited_ms);
    worker->flush_source = g_timeout_add (delay, flush_cb, worker);
  }
  g_mutex_unlock (&worker->lock);
}

typedef struct {
  Worker *worker;
  const char *method; /* static */
  GVariant *params;
} Notification;

static gboolean
notify_idle_cb (gpointer data)
{
  Notification *notification = data;

  jsonrpc_client_send_notification_async (notification->worker->peer, notification->method,
                                          notification->params, NULL, NULL, NULL);
  g_variant_unref (notification->params);
  g_free (notification);
  return G_SOURCE_REMOVE;
}

/* Called in the work thread. Has the same priority as the reply, and so comes before it. */
static void
notify_cb (const char *method, GVariant *params, gpointer data)
{
  Notification *notification = g_new (Notification, 1);

  *notification = (Notification){ data, method, g_variant_ref_sink (params) };
  g_idle_add_full (G_PRIORITY_DEFAULT, notify_idle_cb, notification, NULL);
}

/* Called when the last reply has been sent: this process can do no more. */
static void
last_reply_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Worker *worker = data;

  g_main_loop_quit (worker->loop);
}

/* TRUE: the call is handled. */
static gboolean
reply_error (Worker *worker, GVariant *id, const GError *error, GAsyncReadyCallback then)
{
  jsonrpc_client_reply_error_async (worker->peer, id, seam_protocol_get_error_code (error),
                                    error->message, NULL, then, worker);
  return TRUE;
}

static gboolean
finished_cb (gpointer data)
{
  Finished *finished = data;
  Worker *worker = finished->worker;
  g_autoptr (SeamJob) job = finished->job;
  gboolean lost = job->error && g_error_matches (job->error, SEAM_ERROR, SEAM_ERROR_DEVICE);
  GAsyncReadyCallback then =
      lost || strcmp (job->method, SEAM_METHOD_END) == 0 ? last_reply_cb : NULL;

  g_free (finished);
  g_queue_remove (&worker->unfinished, job);
  worker->leaves_code |= job->leaves_code;
  worker->exit_status = lost ? SEAM_WORKER_EXIT_DEVICE_LOST : 0;
  flush_progress (worker);
  if (job->partial)
    jsonrpc_client_send_notification_async (worker->peer, SEAM_NOTIFY_PARTIAL, job->partial, NULL,
                                            NULL, NULL);
  if (job->reply)
    jsonrpc_client_reply_async (worker->peer, job->id, job->reply, NULL, then, worker);
  else
    reply_error (worker, job->id, job->error, then);
  return G_SOURCE_REMOVE;
}

static gpointer
work (gpointer data)
{
  Worker *worker = data;
  /* Each thread that starts OpenMP regions needs its own setting; the sentence has been printed
   * already. */
  g_autofree char *threads = seam_limits_choose_threads ();
  SeamJobContext context;

  seam_job_context_init (&context);
  context.notify = notify_cb;
  context.notify_data = worker;
  for (;;) {
    gpointer next = g_async_queue_pop (worker->jobs);
    if (next == worker)
      break;
    seam_job_execute (next, &context, progress_cb, worker);
    Finished *finished = g_new (Finished, 1);
    *finished = (Finished){ worker, next };
    g_idle_add_full (G_PRIORITY_DEFAULT, finished_cb, finished, NULL);
  }
  seam_job_context_clear (&context);
  g_mutex_lock (&worker->lock);
  worker->ended = TRUE;
  g_cond_signal (&worker->has_ended);
  g_mutex_unlock (&worker->lock);
  return NULL;
}

static void
cancel_all (Worker *worker)
{
  for (GList *l = worker->unfinished.head; l; l = l->next) {
    SeamJob *job = l->data;
    seam_cancel_raise (&job->cancel);
  }
}

static gboolean
handle_call_cb (JsonrpcClient *peer, const char *method, GVariant *id, GVariant *params,
                gpointer data)
{
  Worker *worker = data;
  g_autoptr (GError) error = NULL;

  if (seam_nesting_is_too_deep (params)) {
    g_set_error (
        &error, SEAM_ERROR, SEAM_ERROR_INPUT,
        "The call “%s” nests its parameters too deep: a message has fewer than %d levels of "
        "objects and arrays.",
        method, SEAM_NESTING_LEVELS);
    return reply_error (worker, id, error, NULL);
  } else if (strcmp (method, SEAM_METHOD_HELLO) == 0) {
    const char *machine = seam_hello_check (params, &error);
    if (machine == NULL)
      return reply_error (worker, id, error, NULL);
    g_autoptr (GVariant) own = seam_hello_make (machine);
    jsonrpc_client_reply_async (peer, id, own, NULL, NULL, NULL);
  } else if (strcmp (method, SEAM_METHOD_CRASH) == 0) {
    signal (SIGSEGV, SIG_DFL);
    raise (SIGSEGV);
  } else if (strcmp (method, SEAM_METHOD_CANCEL) == 0) {
    g_autoptr (GVariant) empty =
        g_variant_ref_sink (g_variant_new_array (G_VARIANT_TYPE ("{sv}"), NULL, 0));
    cancel_all (worker);
    jsonrpc_client_reply_async (peer, id, empty, NULL, NULL, NULL);
  } else if (seam_job_is_known (method)) {
    SeamJob *job = seam_job_new (method, id, params);
    g_queue_push_tail (&worker->unfinished, job);
    g_async_queue_push (worker->jobs, job);
  } else {
    g_autofree char *message = g_strdup_printf ("This worker has no call “%s”.", method);
    jsonrpc_client_reply_error_async (peer, id, JSONRPC_CLIENT_ERROR_METHOD_NOT_FOUND, message,
                                      NULL, NULL, NULL);
  }
  return TRUE;
}

static gboolean
interrupt_cb (gpointer data)
{
  Worker *worker = data;

  g_main_loop_quit (worker->loop);
  return G_SOURCE_CONTINUE;
}

/* The end of the input is the normal way to end a worker, so it is no reason for a warning. */
static GLogWriterOutput
log_writer (GLogLevelFlags level, const GLogField *fields, gsize n_fields, gpointer data)
{
  for (gsize i = 0; i < n_fields; i++)
    if (strcmp (fields[i].key, "GLIB_DOMAIN") == 0 && g_str_has_prefix (fields[i].value, "jsonrpc"))
      return G_LOG_WRITER_HANDLED;
  return g_log_writer_default (level, fields, n_fields, data);
}

/* A private copy of standard output, out of reach of libraries that print: their lines go to
 * standard error. -1 on failure. */
static int
take_standard_output (void)
{
  int output = fcntl (STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);

  if (output < 0 || dup2 (STDERR_FILENO, STDOUT_FILENO) < 0)
    return -1;
  return output;
}

/* Ends the work thread. One that is stuck in a driver is left behind, because the process ends. */
static gboolean
end_thread (Worker *worker)
{
  gint64 until = g_get_monotonic_time () + END_TIMEOUT_US;

  cancel_all (worker);
  g_async_queue_push (worker->jobs, worker);
  g_mutex_lock (&worker->lock);
  while (!worker->ended)
    if (!g_cond_wait_until (&worker->has_ended, &worker->lock, until))
      break;
  gboolean ended = worker->ended;
  g_mutex_unlock (&worker->lock);
  if (ended)
    g_thread_join (worker->thread);
  return ended;
}

/* Call it after the work thread has ended. */
static void
worker_free (Worker *worker)
{
  jsonrpc_client_close (worker->peer, NULL, NULL);
  /* Calls that ended together with the input may not have reached finished_cb() yet. */
  while (g_main_context_iteration (NULL, FALSE))
    ;
  g_object_unref (worker->peer);
  g_main_loop_unref (worker->loop);
  g_async_queue_unref (worker->jobs);
  g_queue_clear (&worker->unfinished);
  seam_pending_clear (&worker->pending);
  g_cond_clear (&worker->has_ended);
  g_mutex_clear (&worker->lock);
  g_free (worker);
}

/* The watchdog's thread, which waits for no other and runs nobody's signal handler. */
static gpointer
watch_input (gpointer data)
{
  struct pollfd input = { .fd = STDIN_FILENO, .events = POLLRDHUP };
  sigset_t all;

  sigfillset (&all);
  pthread_sigmask (SIG_SETMASK, &all, NULL);
  while (poll (&input, 1, -1) < 0)
    ;
  g_usleep (LAST_US);
  seam_children_end ();
  _exit (0);
}

int
seam_worker_main (void)
{
  Worker *worker = g_new0 (Worker, 1);
  g_autoptr (GInputStream) whole = NULL, input = NULL;
  g_autoptr (GError) error = NULL;
  int fd = take_standard_output ();

  if (fd < 0) {
    fputs ("seamscope-cli: The worker needs a standard output to answer on.\n", stderr);
    g_free (worker);
    return 3;
  }
  /* The end of the input shows that the peer has gone. */
  signal (SIGPIPE, SIG_IGN);
  /* Edited code may fork. Its processes end with the worker, or, if that is killed, with the
   * worker's process group. Ctrl-C in the window's terminal does not reach this group. */
  setpgid (0, 0);
  seam_children_adopt ();
  g_log_set_writer_func (log_writer, NULL, NULL);

  whole = g_unix_input_stream_new (STDIN_FILENO, FALSE);
  input = seam_nesting_stream_new (whole);
  g_autoptr (GOutputStream) output = g_unix_output_stream_new (fd, TRUE);
  g_autoptr (GIOStream) stream = g_simple_io_stream_new (input, output);
  g_mutex_init (&worker->lock);
  g_cond_init (&worker->has_ended);
  g_queue_init (&worker->unfinished);
  worker->jobs = g_async_queue_new ();
  worker->loop = g_main_loop_new (NULL, FALSE);
  worker->peer = jsonrpc_client_new (stream);
  g_signal_connect (worker->peer, "handle-call", G_CALLBACK (handle_call_cb), worker);
  /* Standard input was closed, or sent something that is no message. */
  g_signal_connect_swapped (worker->peer, "failed", G_CALLBACK (g_main_loop_quit), worker->loop);
  worker->thread = g_thread_try_new ("work", work, worker, &error);
  if (worker->thread == NULL || g_thread_try_new ("watchdog", watch_input, NULL, &error) == NULL) {
    fprintf (stderr, "seamscope-cli: The system gives the worker no thread: %s.\n", error->message);
    return 3;
  }
  jsonrpc_client_start_listening (worker->peer);
  g_unix_signal_add (SIGINT, interrupt_cb, worker);

  g_main_loop_run (worker->loop);
  int status = worker->exit_status;
  if (status == SEAM_WORKER_EXIT_DEVICE_LOST || !end_thread (worker) || worker->leaves_code) {
    seam_children_end ();
    /* Libraries may hang in their clean-up once the device is gone, and threads of edited code must
     * not meet it. */
    _exit (status);
  }
  seam_children_end ();
  worker_free (worker);
  return status;
}
