/* SPDX-License-Identifier: MIT */
#include "ui/page/page.h"

G_DEFINE_INTERFACE (SeamPage, seam_page, GTK_TYPE_WIDGET)

static void
seam_page_default_init (SeamPageInterface *iface)
{
  static const char *const none[] = { NULL };

  iface->products = none;
}

void
seam_page_begin (SeamPage *self, const SeamPageContext *context)
{
  const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (self);

  if (iface->begin != NULL)
    iface->begin (self, context);
}

void
seam_page_set_narrow (SeamPage *self, gboolean narrow)
{
  const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (self);

  if (iface->set_narrow != NULL)
    iface->set_narrow (self, narrow);
}

SeamExploration *
seam_page_get_exploration (SeamPage *self)
{
  const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (self);

  return iface->get_exploration != NULL ? iface->get_exploration (self) : NULL;
}

gboolean
seam_page_fill_source (SeamPage *self, SeamProductSource *source, GError **error)
{
  const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (self);

  return iface->fill_source == NULL || iface->fill_source (self, source, error);
}

void
seam_page_show_provenance (GtkLabel *line, const char *text)
{
  gboolean has_text = text != NULL && *text != '\0';

  gtk_label_set_text (line, has_text ? text : " ");
  /* Only a text to select is a stop of the Tab key. */
  gtk_label_set_selectable (line, has_text);
  gtk_widget_set_tooltip_text (GTK_WIDGET (line), has_text ? text : NULL);
}
