/* SPDX-License-Identifier: MIT
 *
 * Calls to the worker that are given up at once: the person has gone on to something else. The
 * worker lives on and answers the next call. Replies and lost workers are tested by what the window
 * shows.
 */
#include "tests/ui/window-fixture.h"

#include "ui/state/worker-client.h"

typedef struct {
  int n_answered, n_cancelled, n_died;
} Counts;

static void
died_cb (SeamWorkerClient *client, const char *reason, Counts *counts)
{
  counts->n_died++;
}

static void
described_cb (GObject *client, GAsyncResult *result, gpointer data)
{
  Counts *counts = data;
  g_autoptr (GError) error = NULL;

  if (seam_worker_client_describe_finish (SEAM_WORKER_CLIENT (client), result, NULL, NULL, &error))
    counts->n_answered++;
  else if (g_error_matches (error, G_IO_ERROR, G_IO_ERROR_CANCELLED))
    counts->n_cancelled++;
}

static gboolean
has_ended (gpointer data)
{
  const Counts *counts = data;

  return counts->n_cancelled == 3 && counts->n_answered == 2;
}

static void
test_given_up (void)
{
  g_autoptr (SeamWorkerClient) client = seam_worker_client_new ();
  Counts counts = { 0 };

  g_signal_connect (client, "died", G_CALLBACK (died_cb), &counts);
  seam_worker_client_describe (client, NULL, described_cb, &counts);
  for (int i = 0; i < 3; i++) {
    g_autoptr (GCancellable) cancellable = g_cancellable_new ();
    seam_worker_client_describe (client, cancellable, described_cb, &counts);
    g_cancellable_cancel (cancellable);
  }
  seam_worker_client_describe (client, NULL, described_cb, &counts);
  ui_wait ("two answers", has_ended, &counts);
  g_assert_cmpint (counts.n_died, ==, 0);
  g_signal_handlers_disconnect_by_data (client, &counts);
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/worker-client/given-up", test_given_up);
  return ui_run ();
}
