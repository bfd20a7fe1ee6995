/* SPDX-License-Identifier: MIT */
#include "ui/state/watch.h"

typedef void (*Update) (gpointer owner);

typedef struct {
  gpointer owner;
  Update update;
  guint idle;
} Watch;

static gboolean
update_cb (gpointer data)
{
  Watch *watch = data;

  watch->idle = 0;
  watch->update (watch->owner);
  return G_SOURCE_REMOVE;
}

static void
notify_cb (GObject *object, GParamSpec *pspec, gpointer data)
{
  Watch *watch = data;

  /* Before events (0) and drawing (120). */
  if (watch->idle == 0)
    watch->idle = g_idle_add_full (G_PRIORITY_HIGH, update_cb, watch, NULL);
}

static void
disposed_cb (gpointer data, GObject *owner)
{
  Watch *watch = data;

  g_clear_handle_id (&watch->idle, g_source_remove);
  g_rc_box_release (watch);
}

/* The owner and each connection hold a reference. */
static void
closure_gone_cb (gpointer data, GClosure *closure)
{
  g_rc_box_release (data);
}

static void
connect_properties (Watch *watch, gpointer object, const char *properties)
{
  g_auto (GStrv) names = g_strsplit (properties, " ", -1);

  for (int i = 0; names[i] != NULL; i++) {
    g_autofree char *signal = g_strconcat ("notify::", names[i], NULL);
    GClosure *closure =
        g_cclosure_new (G_CALLBACK (notify_cb), g_rc_box_acquire (watch), closure_gone_cb);

    g_assert (g_object_class_find_property (G_OBJECT_GET_CLASS (object), names[i]) != NULL);
    g_object_watch_closure (watch->owner, closure);
    g_signal_connect_closure (object, signal, closure, FALSE);
  }
}

void
seam_watch (gpointer owner, GCallback update, gpointer object, const char *properties, ...)
{
  Watch *watch = g_rc_box_new0 (Watch);
  va_list list;

  watch->owner = owner;
  watch->update = (Update)update;
  g_object_weak_ref (owner, disposed_cb, watch);
  connect_properties (watch, object, properties);
  va_start (list, properties);
  while ((object = va_arg (list, gpointer)) != NULL)
    connect_properties (watch, object, va_arg (list, const char *));
  va_end (list);
}

void
seam_watch_now (gpointer owner, GCallback update, gpointer object, const char *properties)
{
  g_auto (GStrv) names = g_strsplit (properties, " ", -1);

  for (int i = 0; names[i] != NULL; i++) {
    g_autofree char *signal = g_strconcat ("notify::", names[i], NULL);

    g_assert (g_object_class_find_property (G_OBJECT_GET_CLASS (object), names[i]) != NULL);
    g_signal_connect_object (object, signal, update, owner, G_CONNECT_SWAPPED);
  }
}

/* GObject demands it of a class whose properties are readable, as those that notify are. */
static void
get_property (GObject *object, guint id, GValue *value, GParamSpec *pspec)
{
  G_OBJECT_WARN_INVALID_PROPERTY_ID (object, id, pspec);
}

void
seam_watch_install (gpointer klass, const char *properties)
{
  GObjectClass *object_class = klass;
  g_auto (GStrv) names = g_strsplit (properties, " ", -1);

  if (object_class->get_property == NULL)
    object_class->get_property = get_property;
  /* No value is read, so the id only has to differ from those that the class itself gives. */
  for (int i = 0; names[i] != NULL; i++)
    g_object_class_install_property (klass, G_MAXINT,
                                     g_param_spec_pointer (names[i], NULL, NULL, G_PARAM_READABLE));
}

void
seam_watch_notify (gpointer object, const char *properties)
{
  g_auto (GStrv) names = g_strsplit (properties, " ", -1);

  for (int i = 0; names[i] != NULL; i++)
    g_object_notify (object, names[i]);
}
