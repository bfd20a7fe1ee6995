/* SPDX-License-Identifier: MIT */
#include "ui/class/class.h"

typedef struct {
  GCallback release;
  gsize offset;
} Member;

/* Of a class; lasts as long as the type. */
typedef struct {
  GArray *members; /* Member */
  void (*first) (GObject *object);
  GObjectClass inherited;
} Owner;

static GQuark
get_quark (void)
{
  return g_quark_from_static_string ("seam-owner");
}

static const Owner *
find_owner (GObject *object)
{
  GType type = G_OBJECT_TYPE (object);
  const Owner *owner;

  while ((owner = g_type_get_qdata (type, get_quark ())) == NULL)
    type = g_type_parent (type);
  return owner;
}

static void
give_back (const Owner *owner, GObject *object, gboolean is_last)
{
  for (guint i = 0; i < owner->members->len; i++) {
    const Member *member = &g_array_index (owner->members, Member, i);
    gpointer place = G_STRUCT_MEMBER_P (object, member->offset);

    if (member->release == G_CALLBACK (g_source_remove))
      g_clear_handle_id ((guint *)place, g_source_remove);
    else if (member->release == G_CALLBACK (g_object_remove_weak_pointer))
      g_clear_weak_pointer ((gpointer *)place);
    else if (is_last || member->release == G_CALLBACK (g_object_unref))
      g_clear_pointer ((gpointer *)place, (GDestroyNotify)member->release);
  }
}

static void
dispose (GObject *object)
{
  const Owner *owner = find_owner (object);

  if (owner->first != NULL)
    owner->first (object);
  give_back (owner, object, FALSE);
  owner->inherited.dispose (object);
}

static void
finalize (GObject *object)
{
  const Owner *owner = find_owner (object);

  give_back (owner, object, TRUE);
  owner->inherited.finalize (object);
}

static Owner *
prepare_owner (GObjectClass *klass)
{
  Owner *owner = g_type_get_qdata (G_OBJECT_CLASS_TYPE (klass), get_quark ());

  if (owner == NULL) {
    /* The functions find the nearest class that owns, so there is only one. */
    g_assert (klass->dispose != dispose);
    owner = g_new0 (Owner, 1);
    owner->members = g_array_new (FALSE, FALSE, sizeof (Member));
    owner->inherited = *klass;
    klass->dispose = dispose;
    klass->finalize = finalize;
    g_type_set_qdata (G_OBJECT_CLASS_TYPE (klass), get_quark (), owner);
  }
  return owner;
}

void
seam_owns (GObjectClass *klass, GCallback release, gsize offset)
{
  const Member member = { release, offset };

  g_array_append_val (prepare_owner (klass)->members, member);
}

void
seam_dispose_first (gpointer klass, GCallback function)
{
  prepare_owner (klass)->first = (void (*) (GObject *))function;
}

void
seam_drop_children (GtkWidget *widget)
{
  GtkWidget *child;

  if (ADW_IS_BIN (widget))
    adw_bin_set_child (ADW_BIN (widget), NULL);
  while ((child = gtk_widget_get_first_child (widget)) != NULL)
    gtk_widget_unparent (child);
}

void
seam_signals_install (gpointer klass, GType parameter, const char *names)
{
  g_auto (GStrv) list = g_strsplit (names, " ", -1);

  for (int i = 0; list[i] != NULL; i++)
    g_signal_new (list[i], G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL,
                  G_TYPE_NONE, parameter != G_TYPE_NONE, parameter);
}
