/* SPDX-License-Identifier: MIT */
#include "ui/window/pages.h"

#include "app/base/error.h"

/* Each page is known by its type alone, so it has no header. */
#define EACH_PAGE(ENTRY)                                                                           \
  ENTRY (timing)                                                                                   \
  ENTRY (difference) ENTRY (traffic) ENTRY (explore) ENTRY (timeline) ENTRY (source) ENTRY (sweep)
#define DECLARE(name) GType seam_##name##_page_get_type (void);
#define LIST(name)    seam_##name##_page_get_type,

EACH_PAGE (DECLARE)
static GType (*const types[]) (void) = { EACH_PAGE (LIST) };

void
seam_pages_add_keys (GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++) {
    GTypeClass *klass = g_type_class_ref (types[i]());
    const SeamPageInterface *iface = g_type_interface_peek (klass, SEAM_TYPE_PAGE);
    g_autofree char *action = g_strconcat ("win.page::", iface->name, NULL);
    g_autofree char *key = g_strdup_printf ("<Alt>%d", (int)i + 1);

    gtk_application_set_accels_for_action (application, action, (const char *const[]){ key, NULL });
    g_type_class_unref (klass);
  }
}

void
seam_pages_add (AdwViewStack *stack)
{
  for (gsize i = 0; i < G_N_ELEMENTS (types); i++) {
    GtkWidget *page = g_object_new (types[i](), NULL);
    const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (page);

    adw_view_stack_add_titled (stack, page, iface->name, iface->title);
    adw_view_stack_page_set_icon_name (adw_view_stack_get_page (stack, page), iface->icon);
  }
}

void
seam_pages_each (AdwViewStack *stack, SeamPageFunc func, gpointer data)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (stack)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    func (SEAM_PAGE (child), data);
}

SeamPage *
seam_pages_get_shown (AdwViewStack *stack)
{
  return SEAM_PAGE (adw_view_stack_get_visible_child (stack));
}

gboolean
seam_pages_fill_source (AdwViewStack *stack, SeamProductSource *source, GError **error)
{
  for (GtkWidget *child = gtk_widget_get_first_child (GTK_WIDGET (stack)); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (!seam_page_fill_source (SEAM_PAGE (child), source, error))
      return FALSE;
  if (source->difference != NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_UNSUPPORTED, "No tab compares outputs.");
}
