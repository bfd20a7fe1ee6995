/* SPDX-License-Identifier: MIT */
#include "ui/state/advice.h"

#include "ui/class/class.h"
#include "ui/state/watch.h"

#define DELAY_MS   150
#define MAX_DEATHS 2 /* worker deaths in a row after which the program no longer asks by itself */

struct _SeamAdvice {
  GObject parent_instance;

  SeamSetup *setup;
  SeamWorkerClient *worker; /* NULL: closed */
  SeamNotices *notices;
  gboolean started, paused;
  gboolean announce; /* announce it when the new worker answers */
  int deaths;        /* deaths in a row, without an answer in between */
  SeamEstimate *estimate;
  char *error;
  guint timeout;
  guint serial; /* number of the current state; an answer for an older one is dropped */
  gboolean pending;
};

G_DEFINE_FINAL_TYPE (SeamAdvice, seam_advice, G_TYPE_OBJECT)

/* --- Targets --- */

static void
describe_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  g_autoptr (SeamAdvice) self = data;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamDescription) found = seam_worker_client_finish (result, &error);

  if (self->worker == NULL)
    return;
  if (found == NULL) {
    if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED)
        && !g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
      seam_notices_say (self->notices, SEAM_MESSAGE_WARNING, "The targets are not known.",
                        error->message);
    return;
  }
  self->deaths = 0;
  seam_setup_take_targets (self->setup, g_steal_pointer (&found->targets),
                           g_steal_pointer (&found->checks));
  if (self->announce)
    seam_notices_say (self->notices, SEAM_MESSAGE_TOAST,
                      "A new worker is ready; nothing you set was lost", NULL);
  self->announce = FALSE;
}

void
seam_advice_refresh_targets (SeamAdvice *self)
{
  seam_worker_client_call (self->worker, SEAM_METHOD_DESCRIBE, g_variant_new ("a{sv}", NULL), NULL,
                           describe_cb, g_object_ref (self));
}

void
seam_advice_start (SeamAdvice *self)
{
  if (self->started)
    return;
  self->started = TRUE;
  seam_advice_refresh_targets (self);
}

/* Asks another worker at once, unless a worker cannot even describe itself: then the next
 * request tries again. */
static void
died_cb (SeamWorkerClient *worker, const char *reason, SeamAdvice *self)
{
  if (++self->deaths > MAX_DEATHS)
    return;
  self->announce = TRUE;
  seam_advice_refresh_targets (self);
}

/* --- Estimates --- */

typedef struct {
  SeamAdvice *self;
  guint serial;
} Question;

static void
forget (SeamAdvice *self)
{
  g_clear_pointer (&self->estimate, seam_estimate_free);
  g_clear_pointer (&self->error, g_free);
}

static void
take_estimate (SeamAdvice *self, SeamEstimate *estimate)
{
  SeamPlan *plans[SEAM_MAX_CHOSEN_PLANS] = { NULL };

  self->estimate = estimate;
  for (int i = 0; i < MIN (SEAM_MAX_CHOSEN_PLANS, estimate->n_plans); i++)
    if (estimate->plans[i].notation != NULL)
      plans[i] = seam_plan_parse (seam_setup_get_pipeline (self->setup),
                                  estimate->plans[i].notation, NULL);
  seam_setup_set_executed_plans (self->setup, plans);
  for (int i = 0; i < SEAM_MAX_CHOSEN_PLANS; i++)
    g_clear_pointer (&plans[i], seam_plan_unref);
}

static void
estimate_cb (GObject *source, GAsyncResult *result, gpointer data)
{
  Question *question = data;
  g_autoptr (SeamAdvice) self = question->self;
  guint serial = question->serial;
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamEstimate) estimate = seam_worker_client_finish (result, &error);

  g_free (question);
  self->pending = FALSE;
  if (self->worker == NULL)
    return;
  if (serial != self->serial) {
    /* The choices have changed in the meantime; the new request is sent after its delay. */
    if (self->timeout == 0)
      seam_advice_ask_again (self);
    return;
  }
  forget (self);
  if (estimate != NULL)
    take_estimate (self, g_steal_pointer (&estimate));
  else if (!g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CONNECTION_CLOSED))
    self->error = g_strdup (error->message);
  seam_watch_notify (self, "estimate");
}

static gboolean
ask_cb (gpointer data)
{
  SeamAdvice *self = data;
  Question *question;

  self->timeout = 0;
  if (self->pending || self->paused)
    return G_SOURCE_REMOVE; /* sent again when the answer comes or the run ends */
  if (seam_setup_get_shape_error (self->setup) != NULL
      || seam_setup_get_request (self->setup)->target == NULL)
    return G_SOURCE_REMOVE;

  g_autoptr (SeamRunRequest) request =
      seam_setup_make_request (self->setup, seam_setup_get_n_plans (self->setup));
  question = g_new0 (Question, 1);
  question->self = g_object_ref (self);
  question->serial = self->serial;
  self->pending = TRUE;
  seam_worker_client_call (self->worker, SEAM_METHOD_ESTIMATE,
                           seam_run_request_to_variant (request), NULL, estimate_cb, question);
  return G_SOURCE_REMOVE;
}

void
seam_advice_ask_again (SeamAdvice *self)
{
  self->serial++;
  forget (self);
  g_clear_handle_id (&self->timeout, g_source_remove);
  if (self->started && self->worker != NULL)
    self->timeout = g_timeout_add (DELAY_MS, ask_cb, self);
  seam_watch_notify (self, "estimate");
}

void
seam_advice_set_paused (SeamAdvice *self, gboolean paused)
{
  self->paused = paused;
  if (!paused)
    seam_advice_ask_again (self);
}

const SeamEstimate *
seam_advice_get_estimate (SeamAdvice *self)
{
  return self->estimate;
}

const char *
seam_advice_get_error (SeamAdvice *self)
{
  return self->error;
}

gboolean
seam_advice_is_asking (SeamAdvice *self)
{
  return self->started && self->estimate == NULL && self->error == NULL
         && seam_setup_get_shape_error (self->setup) == NULL
         && (self->timeout != 0 || self->pending);
}

/* --- The object --- */

void
seam_advice_close (SeamAdvice *self)
{
  g_clear_handle_id (&self->timeout, g_source_remove);
  g_clear_object (&self->worker);
}

static void
seam_advice_class_init (SeamAdviceClass *klass)
{
  SEAM_OWNS (klass, SeamAdvice, g_source_remove, timeout);
  SEAM_OWNS (klass, SeamAdvice, g_object_unref, worker, setup, notices);
  SEAM_OWNS (klass, SeamAdvice, seam_estimate_free, estimate);
  SEAM_OWNS (klass, SeamAdvice, g_free, error);
  seam_watch_install (klass, "estimate");
}

static void
seam_advice_init (SeamAdvice *self)
{
}

SeamAdvice *
seam_advice_new (SeamSetup *setup, SeamWorkerClient *worker, SeamNotices *notices)
{
  SeamAdvice *self = g_object_new (SEAM_TYPE_ADVICE, NULL);

  self->setup = g_object_ref (setup);
  self->worker = g_object_ref (worker);
  self->notices = g_object_ref (notices);
  seam_watch_now (self, G_CALLBACK (seam_advice_ask_again), setup,
                  "pipeline shape plans targets options");
  g_signal_connect_object (worker, "died", G_CALLBACK (died_cb), self, 0);
  return self;
}
