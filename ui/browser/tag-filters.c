/* SPDX-License-Identifier: MIT */
#include "ui/browser/tag-filters.h"

#include "ui/widgets/label.h"
#include "ui/widgets/wrap-box.h"

static const char *const groups[] = { "Has an op of kind", "Input", "Special" };

static GtkWidget *
make_filter (const GPtrArray *entries, guint bit, gboolean active, const SeamTag *info)
{
  int n = 0;

  for (guint i = 0; i < entries->len; i++)
    n += (((SeamCatalogueEntry *)entries->pdata[i])->tags & bit) != 0;
  g_autofree char *label = g_strdup_printf ("%s  %d", info->title, n);
  GtkWidget *button = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "label", label, "tooltip-text",
                                    info->words, "active", active, NULL);
  gtk_widget_add_css_class (button, "small-button");
  g_object_set_data (G_OBJECT (button), "bit", GUINT_TO_POINTER (bit));
  return button;
}

void
seam_tag_filters_fill (GtkWidget *box, const GPtrArray *entries, guint active, GCallback toggled_cb,
                       gpointer data)
{
  int n;
  const SeamTag *tags = seam_tags_list (&n);

  seam_widget_clear (box, G_CALLBACK (gtk_box_remove));
  for (SeamTagGroup group = 0; group < SEAM_N_TAG_GROUPS; group++) {
    GtkWidget *filters = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 6, NULL);

    for (int i = 0; i < n; i++) {
      if (tags[i].group != group)
        continue;
      GtkWidget *button = make_filter (entries, 1u << i, (active >> i & 1) != 0, &tags[i]);
      g_signal_connect (button, "toggled", toggled_cb, data);
      gtk_widget_set_parent (button, filters);
    }
    gtk_box_append (GTK_BOX (box), seam_label_new (groups[group], "heading", 0));
    gtk_box_append (GTK_BOX (box), filters);
  }
  gtk_box_append (GTK_BOX (box), seam_label_new ("Each one narrows the list.", "dim-label note",
                                                 SEAM_LABEL_WRAPS));
}

guint
seam_tag_filters_get_bit (gpointer button)
{
  return GPOINTER_TO_UINT (g_object_get_data (button, "bit"));
}
