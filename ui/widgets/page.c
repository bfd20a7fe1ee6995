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
