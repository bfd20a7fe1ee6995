/* SPDX-License-Identifier: MIT
 *
 * What a class says in its class_init instead of in functions of its own: what its objects own, and
 * which signals they emit.
 */
#pragma once

#include <adwaita.h>

/* SEAM_OWNS (klass, SeamPlanMenu, g_object_unref, model, settings): the members of the struct that
 * are given back to the function, in this order; they may be NULL. Objects are given back in
 * dispose, because they may own one another, and with them the ids of sources (g_source_remove) and
 * weak pointers (g_object_remove_weak_pointer). Everything else is freed in finalize, until when
 * methods may read it. For final classes, and after the class has said what else its dispose and
 * finalize do. */
#define SEAM_OWNS(klass, Type, release, ...)                                                       \
  G_STMT_START                                                                                     \
  {                                                                                                \
    GObjectClass *of_owner = G_OBJECT_CLASS (klass);                                               \
                                                                                                   \
    SEAM_EACH (SEAM_OWN, G_CALLBACK (release), Type, __VA_ARGS__)                                  \
  }                                                                                                \
  G_STMT_END
#define SEAM_OWN(release, Type, name) seam_owns (of_owner, release, G_STRUCT_OFFSET (Type, name));
void seam_owns (GObjectClass *klass, GCallback release, gsize offset);

/* Called at the start of dispose, with the object, while it still has everything that it owns. */
void seam_dispose_first (gpointer klass, GCallback function);
/* For it, where callbacks of the children read what the object owns, and where no parent class lets
 * go of them. */
void seam_drop_children (GtkWidget *widget);

/* Signals with one parameter of that type, or with none (G_TYPE_NONE); names are separated by
 * spaces. */
void seam_signals_install (gpointer klass, GType parameter, const char *names);

/* SEAM_EACH (macro, argument, Type, name, ...): macro (argument, Type, name) for each name. A macro
 * does not expand itself, so each name needs one more of the scans: there are 64. */
#define SEAM_EACH(...) SEAM_RESCAN (SEAM_EACH_NEXT (__VA_ARGS__))
#define SEAM_EACH_NEXT(macro, argument, Type, name, ...)                                           \
  macro (argument, Type, name)                                                                     \
      __VA_OPT__ (SEAM_EACH_REST SEAM_EACH_LATER (macro, argument, Type, __VA_ARGS__))
#define SEAM_EACH_REST() SEAM_EACH_NEXT
#define SEAM_EACH_LATER  ()
#define SEAM_RESCAN(...)                                                                           \
  SEAM_RESCAN_16 (SEAM_RESCAN_16 (SEAM_RESCAN_16 (SEAM_RESCAN_16 (__VA_ARGS__))))
#define SEAM_RESCAN_16(...)                                                                        \
  SEAM_RESCAN_4 (SEAM_RESCAN_4 (SEAM_RESCAN_4 (SEAM_RESCAN_4 (__VA_ARGS__))))
#define SEAM_RESCAN_4(...) SEAM_SCAN (SEAM_SCAN (SEAM_SCAN (SEAM_SCAN (__VA_ARGS__))))
#define SEAM_SCAN(...)     __VA_ARGS__
