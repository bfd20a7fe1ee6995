/* SPDX-License-Identifier: MIT */
#include "ui/state/workers.h"

static void
hello_cb (SeamWorkerClient *client, GVariant *hello, SeamWorkers *self)
{
  const char *version = "of another version";

  g_variant_lookup (hello, "version", "&s", &version);
  if (self->told || strcmp (version, seam_protocol_get_build ()) == 0)
    return;
  self->told = TRUE;
  g_autofree char *text =
      g_strdup_printf ("It is Seamscope %s, the window %s. They understand each other, but close "
                       "the window and open it again to have all of the new version.",
                       version, seam_protocol_get_build ());
  seam_notices_say (self->notices, SEAM_MESSAGE_WARNING,
                    "The worker is of another build than this window.", text);
}

void
seam_workers_init (SeamWorkers *self, SeamNotices *notices)
{
  *self = (SeamWorkers){ .notices = notices };
  self->here = seam_workers_open (self);
}

void
seam_workers_close (SeamWorkers *self)
{
  seam_worker_client_close (self->here);
  g_clear_object (&self->here);
}

SeamWorkerClient *
seam_workers_open (SeamWorkers *self)
{
  SeamWorkerClient *client = seam_worker_client_new ("");

  g_signal_connect (client, "hello", G_CALLBACK (hello_cb), self);
  return client;
}
