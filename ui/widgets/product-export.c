/* SPDX-License-Identifier: MIT */
#include "ui/widgets/product-export.h"

#include "app/base/file-name.h"
#include "app/figure/palette.h"
#include "ui/widgets/file-choice.h"

#include <math.h>
#include <string.h>

/* What an action does. */
typedef struct {
  const SeamProduct *product;
  const SeamProductExport *how;
  GtkWindow *parent;
  gpointer data;
} Export;

GdkTexture *
seam_product_export_draw (SeamFigure *figure)
{
  const SeamPalette *palette = seam_palette_get (FALSE, FALSE);
  int width = (int)ceil (figure->width) * SEAM_EXPORT_PIXELS;
  int height = (int)ceil (figure->height) * SEAM_EXPORT_PIXELS;
  cairo_surface_t *surface;
  cairo_t *cr;
  GdkTexture *texture = NULL;

  if (width < 1 || height < 1)
    return NULL;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cr = cairo_create (surface);
  cairo_scale (cr, SEAM_EXPORT_PIXELS, SEAM_EXPORT_PIXELS);
  seam_palette_set_source (cr, &palette->card);
  cairo_paint (cr);
  seam_figure_draw (figure, cr, palette);
  cairo_destroy (cr);
  cairo_surface_flush (surface);
  if (cairo_surface_status (surface) == CAIRO_STATUS_SUCCESS) {
    gsize stride = (gsize)cairo_image_surface_get_stride (surface);
    g_autoptr (GBytes) bytes =
        g_bytes_new (cairo_image_surface_get_data (surface), stride * (gsize)height);
    texture = gdk_memory_texture_new (width, height, GDK_MEMORY_DEFAULT, bytes, stride);
  }
  cairo_surface_destroy (surface);
  return texture;
}

/* --- Actions --- */

static gboolean
write_file (const Export *export, const char *path, GError **error)
{
  SeamProductSource source = { 0 };

  if (export->how->write != NULL)
    return export->how->write (export->product, path, export->data, error);
  return export->how->fill (export->product, &source, export->data, error)
         && seam_product_write (export->product, &source, path, error);
}

static void
answer_cb (const char *path, const char *reason, gpointer data)
{
  const Export *export = data;
  g_autoptr (GError) error = NULL;

  if (reason != NULL)
    export->how->say (reason, TRUE, export->data);
  if (path == NULL)
    return;
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = g_strdup_printf ("Saved %s", name);
  if (write_file (export, path, &error))
    export->how->say (text, FALSE, export->data);
  else
    export->how->say (error != NULL ? error->message : "Nothing was written.", TRUE, export->data);
}

/* "Export table of plans", without the underscore of a menu. */
static char *
make_title (const SeamProduct *product)
{
  g_auto (GStrv) parts = g_strsplit (product->title, "_", -1);
  g_autofree char *title = g_strjoinv (NULL, parts);

  title[0] = g_ascii_tolower (title[0]);
  return g_strconcat ("Export ", title, NULL);
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Export *export = data;
  const char *const *endings = seam_product_get_endings (export->product);
  g_autofree char *stem = export->how->make_stem != NULL
                              ? export->how->make_stem (export->product, export->data)
                              : g_strdup (seam_product_get_stem (export->product));
  g_autofree char *own = g_strconcat (stem, endings[0], NULL);
  g_autofree char *name = seam_file_name_make (own);
  g_autofree char *title = make_title (export->product);
  const SeamFileQuestion question = {
    .title = title, .accept = "_Export", .saves = TRUE, .name = name, .endings = endings
  };

  seam_file_choice_ask (export->parent, &question, answer_cb, data, NULL);
}

static void
export_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  answer_cb (g_variant_get_string (parameter, NULL), NULL, data);
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  const Export *export = data;
  SeamProductSource source = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (export->how->fill (export->product, &source, export->data, &error))
    figure = seam_product_make_figure (export->product, &source, &error);
  texture = figure != NULL ? seam_product_export_draw (figure) : NULL;
  if (texture == NULL)
    return export->how->say (error != NULL ? error->message : "This figure is empty.", TRUE,
                             export->data);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (export->parent)), texture);
  export->how->say ("Figure copied", FALSE, export->data);
}

static void
add_action (GActionMap *map, const char *verb, const char *ending, const GVariantType *type,
            GCallback activate, const Export *export)
{
  g_autofree char *name = g_strconcat (verb, export->product->name, ending, NULL);
  g_autoptr (GSimpleAction) action = g_simple_action_new (name, type);

  g_signal_connect_data (action, "activate", activate, g_memdup2 (export, sizeof *export),
                         (GClosureNotify)(GCallback)g_free, 0);
  g_action_map_add_action (map, G_ACTION (action));
}

void
seam_product_export_add (GActionMap *map, const SeamProduct *product, const SeamProductExport *how,
                         GtkWindow *parent, gpointer data)
{
  const Export export = { product, how, parent, data };

  add_action (map, "export-", NULL, NULL, G_CALLBACK (export_cb), &export);
  add_action (map, "export-", "-to", G_VARIANT_TYPE_STRING, G_CALLBACK (export_to_cb), &export);
  if (product->kind == SEAM_PRODUCT_FIGURE)
    add_action (map, "copy-", NULL, NULL, G_CALLBACK (copy_cb), &export);
}

void
seam_product_export_add_all (GActionMap *map, guint of, const SeamProductExport *how,
                             GtkWindow *parent, gpointer data)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if ((product->of & of) != 0)
      seam_product_export_add (map, product, how, parent, data);
}

static void
enable (GActionMap *map, const char *verb, const SeamProduct *product, gboolean enabled)
{
  g_autofree char *name = g_strconcat (verb, product->name, NULL);
  GAction *action = g_action_map_lookup_action (map, name);

  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

void
seam_product_export_enable (GActionMap *map, guint of, gboolean enabled)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if ((product->of & of) != 0) {
      enable (map, "export-", product, enabled);
      enable (map, "copy-", product, enabled);
    }
}

/* --- Menus --- */

void
seam_product_export_append (GMenu *menu, const char *verb, const SeamProduct *product)
{
  g_autofree char *action = g_strconcat ("win.", verb, product->name, NULL);
  g_autofree char *type = g_ascii_strup (seam_product_get_endings (product)[0] + 1, -1);
  g_autofree char *label = product->kind < SEAM_PRODUCT_FIGURE
                               ? g_strdup_printf ("%s (%s)…", product->title, type)
                               : g_strconcat (product->title, "…", NULL);

  /* Only an export opens a dialog, as the dots say. */
  g_menu_append (menu, strcmp (verb, "copy-") == 0 ? product->title : label, action);
}

GtkWidget *
seam_product_export_make_button (guint of, const char *tooltip)
{
  GtkWidget *button = gtk_menu_button_new ();
  g_autoptr (GMenu) menu = g_menu_new ();

  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if ((product->of & of) != 0)
      seam_product_export_append (menu, "export-", product);
  gtk_menu_button_set_icon_name (GTK_MENU_BUTTON (button), "document-save-symbolic");
  gtk_menu_button_set_menu_model (GTK_MENU_BUTTON (button), G_MENU_MODEL (menu));
  gtk_widget_set_tooltip_text (button, tooltip);
  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, tooltip,
                                  -1);
  return button;
}
