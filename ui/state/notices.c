/* SPDX-License-Identifier: MIT */
#include "ui/state/notices.h"

struct _SeamNotices {
  GObject parent_instance;
};

G_DEFINE_FINAL_TYPE (SeamNotices, seam_notices, G_TYPE_OBJECT)

static guint message_signal;

void
seam_notices_say (SeamNotices *self, SeamMessageKind kind, const char *title, const char *text)
{
  g_debug ("message: %s %s", title, text != NULL ? text : "");
  g_signal_emit (self, message_signal, 0, (guint)kind, title, text != NULL ? text : "");
}

static void
seam_notices_class_init (SeamNoticesClass *klass)
{
  message_signal =
      g_signal_new ("message", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                    G_TYPE_NONE, 3, G_TYPE_UINT, G_TYPE_STRING, G_TYPE_STRING);
}

static void
seam_notices_init (SeamNotices *self)
{
}

SeamNotices *
seam_notices_new (void)
{
  return g_object_new (SEAM_TYPE_NOTICES, NULL);
}
