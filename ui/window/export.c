/* SPDX-License-Identifier: MIT
 *
 * Export actions of the window. Figures are drawn in the light palette, which suits paper, by the
 * same code as on the screen; the picture of the whole window is as the person sees it.
 */
#include "ui/window/export.h"

#include "app/base/error.h"
#include "app/base/file.h"
#include "ui/widgets/product-export.h"
#include "ui/widgets/toast.h"
#include "ui/window/pages.h"

#include <math.h>
#include <string.h>

#define KEY            "seam-exporter"
#define FOOTER_PADDING 12

/* The one exported product that only a window has; the others are in app/report/products.h. */
static const SeamProduct picture = {
  .name = "window",
  .title = "_Picture of the window",
  .kind = SEAM_PRODUCT_PICTURE,
};

typedef struct {
  GtkApplicationWindow *window; /* owns this */
  SeamModel *model;
  AdwViewStack *pages;
  AdwToastOverlay *toasts;
  SeamResult *result; /* borrowed: a source points to it */
} Exporter;

/* -- Without dialog ---------------------------------------------------------------------------- */

/* The widget, and the provenance below it on the window's colour, as one render node. */
static GskRenderNode *
make_node (GtkWidget *widget, const char *provenance, double *node_height)
{
  GtkSnapshot *snapshot = gtk_snapshot_new ();
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (widget);
  AdwStyleManager *style = adw_style_manager_get_default ();
  const SeamPalette *palette = seam_palette_get (adw_style_manager_get_dark (style),
                                                 adw_style_manager_get_high_contrast (style));
  double width = gtk_widget_get_width (widget), height = gtk_widget_get_height (widget);
  GdkRGBA back = { (float)palette->window.r, (float)palette->window.g, (float)palette->window.b,
                   1 };
  GdkRGBA text = { (float)palette->dim_text.r, (float)palette->dim_text.g,
                   (float)palette->dim_text.b, 1 };
  g_autoptr (PangoLayout) layout = NULL;
  double footer = 0;

  if (provenance != NULL) {
    int text_height;
    layout = gtk_widget_create_pango_layout (widget, provenance);
    pango_layout_set_width (layout, (int)(width - 2 * FOOTER_PADDING) * PANGO_SCALE);
    pango_layout_set_wrap (layout, PANGO_WRAP_WORD_CHAR);
    pango_layout_get_pixel_size (layout, NULL, &text_height);
    footer = text_height + 2 * FOOTER_PADDING;
  }
  gtk_snapshot_scale (snapshot, SEAM_EXPORT_PIXELS, SEAM_EXPORT_PIXELS);
  gtk_snapshot_append_color (snapshot, &back,
                             &GRAPHENE_RECT_INIT (0, 0, (float)width, (float)(height + footer)));
  gdk_paintable_snapshot (paintable, snapshot, width, height);
  if (layout != NULL) {
    gtk_snapshot_translate (snapshot,
                            &GRAPHENE_POINT_INIT (FOOTER_PADDING, (float)height + FOOTER_PADDING));
    gtk_snapshot_append_layout (snapshot, layout, &text);
  }
  *node_height = height + footer;
  return gtk_snapshot_free_to_node (snapshot);
}

gboolean
seam_export_widget_to_file (GtkWidget *widget, const char *provenance, const char *path,
                            GError **error)
{
  GtkNative *native = gtk_widget_get_native (widget);
  GskRenderNode *node;
  g_autoptr (GdkTexture) texture = NULL;
  g_autoptr (GBytes) png = NULL;
  double height;

  if (!g_str_has_suffix (path, ".png"))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "“%s” is no picture this can write: end the name in .png.", path);
  if (native == NULL || !gtk_widget_get_mapped (widget))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "The window is not on the screen, so there is no picture of it.");
  node = make_node (widget, provenance, &height);
  texture = gsk_renderer_render_texture (
      gtk_native_get_renderer (native), node,
      &GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget) * SEAM_EXPORT_PIXELS,
                           (float)ceil (height) * SEAM_EXPORT_PIXELS));
  gsk_render_node_unref (node);
  png = gdk_texture_save_to_png_bytes (texture);
  return seam_file_write (path, g_bytes_get_data (png, NULL), g_bytes_get_size (png), error);
}

/* -- What is exported -------------------------------------------------------------------------- */

static gboolean
fill_run (Exporter *exporter, const SeamProduct *product, SeamProductSource *source, GError **error)
{
  exporter->result = seam_measurement_get_result (exporter->model->measurement);
  if (exporter->result == NULL)
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "There is no result to export yet: press Run first.");
  source->results = &exporter->result;
  source->n_results = 1;
  source->second = seam_measurement_get_compared (exporter->model->measurement);
  return !product->compares || seam_pages_fill_source (exporter->pages, source, error);
}

/* The known part of the partitions or points, measured or not. */
static gboolean
fill_search (Exporter *exporter, SeamSearchKind kind, SeamProductSource *source, GError **error)
{
  const SeamSearch *search = seam_exploration_get_search (exporter->model->explorations.all[kind]);

  if (search != NULL && search->device != NULL) {
    source->search = search;
    return TRUE;
  }
  return seam_fail (error, SEAM_ERROR_INPUT, "%s",
                    kind == SEAM_SEARCH_SWEEP
                        ? "Nothing is known of the sweep yet: open the Sweep tab first."
                        : "Nothing is known of the partitions yet: open the Explore tab first.");
}

/* What is known before running, for the current plans and shape. */
static gboolean
fill_estimate (Exporter *exporter, SeamProductSource *source, GError **error)
{
  SeamModel *model = exporter->model;
  const char *reason = seam_measurement_get_blocker (model->measurement);

  source->estimate = seam_advice_get_estimate (model->advice);
  source->request = seam_setup_get_request (model->setup);
  source->target = seam_setup_get_target (model->setup);
  source->problem = seam_setup_get_problem (model->setup);
  if (source->estimate != NULL && source->target != NULL)
    return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT, "%s",
                    reason != NULL ? reason
                                   : "The worker has not answered yet what is known before "
                                     "running: try again in a moment.");
}

static gboolean
fill_source (const SeamProduct *product, SeamProductSource *source, gpointer data, GError **error)
{
  Exporter *exporter = data;
  const char *held = seam_measurement_get_held (exporter->model->measurement);

  if (held != NULL)
    return seam_fail (error, SEAM_ERROR_INPUT, "%s", held);
  for (guint kind = 0; kind < G_N_ELEMENTS (exporter->model->explorations.all); kind++)
    if (product->of == seam_product_of_search ((SeamSearchKind)kind))
      return fill_search (exporter, (SeamSearchKind)kind, source, error);
  if (product->of == SEAM_OF_ESTIMATE)
    return fill_estimate (exporter, source, error);
  return fill_run (exporter, product, source, error);
}

static gboolean
write_picture (const SeamProduct *product, const char *path, gpointer data, GError **error)
{
  const Exporter *exporter = data;
  SeamResult *result = seam_measurement_get_result (exporter->model->measurement);
  g_autofree char *provenance = result != NULL ? seam_result_get_provenance (result) : NULL;

  return seam_export_widget_to_file (GTK_WIDGET (exporter->window), provenance, path, error);
}

static void
say (const char *text, gboolean is_error, gpointer data)
{
  seam_toast_show (((const Exporter *)data)->toasts, text, is_error);
}

/* "conv-relu-bias-laptop-kernels" */
static char *
make_stem (const SeamProduct *product, gpointer data)
{
  SeamResult *result = seam_measurement_get_result (((const Exporter *)data)->model->measurement);
  const char *stem = seam_product_get_stem (product);

  if (result == NULL)
    return g_strconcat ("seamscope-", stem, NULL);
  return g_strdup_printf ("%s-%s-%s", result->pipeline_id,
                          result->preset != NULL ? result->preset : "own-shape", stem);
}

static const SeamProductExport how = { .fill = fill_source, .say = say, .make_stem = make_stem };
static const SeamProductExport how_picture = { .write = write_picture,
                                               .say = say,
                                               .make_stem = make_stem };

/* -- Actions ----------------------------------------------------------------------------------- */

static void
result_changed_cb (gpointer window)
{
  const Exporter *exporter = g_object_get_data (G_OBJECT (window), KEY);

  seam_product_export_enable (G_ACTION_MAP (window), SEAM_OF_RESULTS,
                              seam_measurement_get_result (exporter->model->measurement) != NULL);
}

void
seam_export_fill_menus (GMenu *figures, GMenu *texts, GMenu *copy)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    if ((product->of & SEAM_OF_WINDOW) == 0)
      continue;
    seam_product_export_append (product->kind < SEAM_PRODUCT_FIGURE ? texts : figures, "export-",
                                product);
    if (product->kind == SEAM_PRODUCT_FIGURE)
      seam_product_export_append (copy, "copy-", product);
  }
  seam_product_export_append (figures, "export-", &picture);
}

static void
exporter_free (Exporter *exporter)
{
  g_clear_object (&exporter->model);
  g_free (exporter);
}

void
seam_export_install (GtkApplicationWindow *window, SeamModel *model, AdwViewStack *pages,
                     AdwToastOverlay *toasts)
{
  Exporter *exporter = g_new0 (Exporter, 1);

  exporter->window = window;
  exporter->model = g_object_ref (model);
  exporter->pages = pages;
  exporter->toasts = toasts;
  seam_product_export_add (G_ACTION_MAP (window), &picture, &how_picture, GTK_WINDOW (window),
                           exporter);
  seam_product_export_add_all (G_ACTION_MAP (window), SEAM_OF_WINDOW, &how, GTK_WINDOW (window),
                               exporter);
  g_object_set_data_full (G_OBJECT (window), KEY, exporter, (GDestroyNotify)exporter_free);
  seam_watch (window, G_CALLBACK (result_changed_cb), model->measurement, "state result", NULL);
  result_changed_cb (window);
}

gboolean
seam_export_fill_source (GtkApplicationWindow *window, const SeamProduct *product,
                         SeamProductSource *source, GError **error)
{
  return fill_source (product, source, g_object_get_data (G_OBJECT (window), KEY), error);
}
