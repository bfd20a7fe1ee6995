/* SPDX-License-Identifier: MIT */
#include "ui/widgets/page.h"

G_DEFINE_INTERFACE (SeamPage, seam_page, GTK_TYPE_WIDGET)

static void
seam_page_default_init (SeamPageInterface *iface)
{
}

void
seam_page_begin (SeamPage *self, const SeamPageContext *context)
{
  SEAM_PAGE_GET_IFACE (self)->begin (self, context);
}

void
seam_page_set_narrow (SeamPage *self, gboolean narrow)
{
  SEAM_PAGE_GET_IFACE (self)->set_narrow (self, narrow);
}

SeamExploration *
seam_page_get_exploration (SeamPage *self)
{
  const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (self);

  return iface->get_exploration != NULL ? iface->get_exploration (self) : NULL;
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
