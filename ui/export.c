/* SPDX-License-Identifier: MIT
 *
 * Export actions of the window. Figures are drawn in the light palette, as paper wants them, by
 * the same code as on the screen; the picture of the whole window is what the person sees.
 */
#include "ui/export.h"

#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/file.h"
#include "ui/toast.h"

#include <math.h>
#include <string.h>

/* Pictures hold two pixels for one of the screen, so that they stay sharp in a document. */
#define PIXELS         2
#define FOOTER_PADDING 12

/* The one thing to export that only a window has, beside those of app/report/products.h. */
static const SeamProduct picture = {
  .name = "window",
  .title = "_Picture of the window",
  .kind = SEAM_PRODUCT_PICTURE,
};

typedef struct {
  GtkApplicationWindow *window; /* owns this */
  SeamModel *model;
  SeamDifferencePage *page;
  SeamExploration *explorations[2]; /* by SeamSurveyKind; NULL: there is none */
  AdwToastOverlay *toasts;
  GFile *folder; /* of the last export */
  GtkFileChooserNative *chooser;
  const SeamProduct *asked;
} Exporter;

/* -- Without dialog ---------------------------------------------------------------------------- */

GdkTexture *
seam_export_figure_to_texture (SeamFigure *figure)
{
  const SeamPalette *palette = seam_palette_get (FALSE, FALSE);
  int width = (int)ceil (figure->width) * PIXELS, height = (int)ceil (figure->height) * PIXELS;
  cairo_surface_t *surface;
  cairo_t *cr;
  GdkTexture *texture = NULL;

  if (width < 1 || height < 1)
    return NULL;
  surface = cairo_image_surface_create (CAIRO_FORMAT_ARGB32, width, height);
  cr = cairo_create (surface);
  cairo_scale (cr, PIXELS, PIXELS);
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

/* The widget, and below it the provenance on the window's colour, as one render node. */
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
  gtk_snapshot_scale (snapshot, PIXELS, PIXELS);
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

  if (!g_str_has_suffix (path, ".png")) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                 "“%s” is no picture this can write: end the name in .png.", path);
    return FALSE;
  }
  if (native == NULL || !gtk_widget_get_mapped (widget)) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "The window is not on the screen, so there is no picture of it.");
    return FALSE;
  }
  node = make_node (widget, provenance, &height);
  texture = gsk_renderer_render_texture (
      gtk_native_get_renderer (native), node,
      &GRAPHENE_RECT_INIT (0, 0, (float)gtk_widget_get_width (widget) * PIXELS,
                           (float)ceil (height) * PIXELS));
  gsk_render_node_unref (node);
  png = gdk_texture_save_to_png_bytes (texture);
  return seam_file_write (path, g_bytes_get_data (png, NULL), g_bytes_get_size (png), error);
}

/* -- What is exported -------------------------------------------------------------------------- */

static const SeamProduct *
find_product (const char *name)
{
  return strcmp (name, picture.name) == 0 ? &picture : seam_products_find (name);
}

static gboolean
fill_run (Exporter *exporter, const SeamProduct *product, SeamResult **result,
          SeamProductSource *source, GError **error)
{
  if (*result == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "There is no result to export yet: press Run first.");
    return FALSE;
  }
  source->results = result;
  source->n_results = 1;
  source->second = seam_model_get_compared (exporter->model);
  return !product->compares || seam_difference_page_fill_source (exporter->page, source, error);
}

/* Of what is known of the partitions or points, measured or not. */
static gboolean
fill_survey (Exporter *exporter, SeamSurveyKind kind, SeamProductSource *source, GError **error)
{
  SeamExploration *exploration = exporter->explorations[kind];
  const SeamSurvey *survey = exploration != NULL ? seam_exploration_get_survey (exploration) : NULL;

  if (survey != NULL && survey->device != NULL) {
    source->survey = survey;
    return TRUE;
  }
  g_set_error_literal (
      error, SEAM_ERROR, SEAM_ERROR_INPUT,
      kind == SEAM_SURVEY_SWEEP
          ? "Nothing is known of the sweep yet: open the page Sweep first."
          : "Nothing is known of the partitions yet: open the page Explore first.");
  return FALSE;
}

/* What is known before running: of the plans and the shape as they are now. */
static gboolean
fill_estimate (Exporter *exporter, SeamProductSource *source, GError **error)
{
  SeamModel *model = exporter->model;
  const char *reason = seam_model_get_blocker (model);

  source->estimate = seam_model_get_estimate (model);
  source->request = seam_model_get_request (model);
  source->target = seam_model_get_target (model);
  source->problem = seam_model_get_problem (model);
  if (source->estimate != NULL && source->target != NULL)
    return TRUE;
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                       reason != NULL ? reason
                                      : "The worker has not answered yet what is known before "
                                        "running: try again in a moment.");
  return FALSE;
}

/* `result` has to live as long as the source. */
static gboolean
fill_source (Exporter *exporter, const SeamProduct *product, SeamResult **result,
             SeamProductSource *source, GError **error)
{
  for (guint kind = 0; kind < G_N_ELEMENTS (exporter->explorations); kind++)
    if (product->of == seam_product_of_survey ((SeamSurveyKind)kind))
      return fill_survey (exporter, (SeamSurveyKind)kind, source, error);
  if (product->of == SEAM_OF_ESTIMATE)
    return fill_estimate (exporter, source, error);
  return fill_run (exporter, product, result, source, error);
}

static gboolean
write_product (Exporter *exporter, const SeamProduct *product, const char *path, GError **error)
{
  SeamResult *result = seam_model_get_result (exporter->model);
  SeamProductSource source = { 0 };

  if (product == &picture) {
    g_autofree char *provenance = result != NULL ? seam_result_get_provenance (result) : NULL;
    return seam_export_widget_to_file (GTK_WIDGET (exporter->window), provenance, path, error);
  }
  return fill_source (exporter, product, &result, &source, error)
         && seam_product_write (product, &source, path, error);
}

static void
export_to (Exporter *exporter, const SeamProduct *product, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = NULL;

  if (write_product (exporter, product, path, &error)) {
    text = g_strdup_printf ("Saved %s", name);
    seam_toast_show (exporter->toasts, text, FALSE);
  } else {
    seam_toast_show (exporter->toasts, error != NULL ? error->message : "Nothing was written.",
                     TRUE);
  }
}

/* -- Dialog ------------------------------------------------------------------------------------ */

static gboolean
has_ending (const char *path, const char *const *endings)
{
  for (; *endings != NULL; endings++) {
    gsize length = strlen (path), end = strlen (*endings);
    if (length > end && g_ascii_strcasecmp (path + length - end, *endings) == 0)
      return TRUE;
  }
  return FALSE;
}

static void
response_cb (GtkNativeDialog *dialog, int response, Exporter *exporter)
{
  GtkFileChooser *chooser = GTK_FILE_CHOOSER (dialog);
  g_autoptr (GFile) file = NULL;
  g_autofree char *path = NULL, *full = NULL;
  GtkFileFilter *filter;
  const char *const *endings = seam_product_get_endings (exporter->asked);
  const char *ending = endings[0];

  if (response == GTK_RESPONSE_ACCEPT && (file = gtk_file_chooser_get_file (chooser)) != NULL) {
    filter = gtk_file_chooser_get_filter (chooser);
    if (filter != NULL && g_object_get_data (G_OBJECT (filter), "ending") != NULL)
      ending = g_object_get_data (G_OBJECT (filter), "ending");
    path = g_file_get_path (file);
    if (path == NULL) {
      seam_toast_show (exporter->toasts,
                       "That place is not a folder of this machine: choose another.", TRUE);
    } else {
      /* A name typed without ending gets the one of the chosen type. */
      full = has_ending (path, endings) || strrchr (path, '.') > strrchr (path, '/')
                 ? g_strdup (path)
                 : g_strconcat (path, ending, NULL);
      g_clear_object (&exporter->folder);
      exporter->folder = g_file_get_parent (file);
      export_to (exporter, exporter->asked, full);
    }
  }
  g_clear_object (&exporter->chooser);
}

static char *
suggest_name (Exporter *exporter, const SeamProduct *product)
{
  SeamResult *result = seam_model_get_result (exporter->model);
  const char *stem = seam_product_get_stem (product);
  const char *ending = seam_product_get_endings (product)[0];

  if (result == NULL)
    return g_strdup_printf ("seamscope-%s%s", stem, ending);
  g_autofree char *name =
      g_strdup_printf ("%s-%s-%s%s", result->pipeline_id,
                       result->preset != NULL ? result->preset : "own-shape", stem, ending);
  return seam_file_name_make (name);
}

/* "Export timing figure" */
static char *
make_title (const SeamProduct *product)
{
  g_auto (GStrv) parts = g_strsplit (product->title, "_", -1);
  g_autofree char *title = g_strjoinv (NULL, parts);

  title[0] = g_ascii_tolower (title[0]);
  return g_strconcat ("Export ", title, NULL);
}

static void
ask (Exporter *exporter, const SeamProduct *product)
{
  g_autofree char *name = suggest_name (exporter, product);
  g_autofree char *title = make_title (product);

  if (exporter->chooser != NULL) {
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (exporter->chooser));
    return;
  }
  exporter->asked = product;
  exporter->chooser = gtk_file_chooser_native_new (
      title, GTK_WINDOW (exporter->window), GTK_FILE_CHOOSER_ACTION_SAVE, "_Export", "_Cancel");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (exporter->chooser), TRUE);
  for (const char *const *ending = seam_product_get_endings (product); *ending != NULL; ending++) {
    g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
    g_autofree char *pattern = g_strconcat ("*", *ending, NULL);
    g_autofree char *label = g_ascii_strup (*ending + 1, -1);
    gtk_file_filter_set_name (filter, label);
    gtk_file_filter_add_pattern (filter, pattern);
    g_object_set_data (G_OBJECT (filter), "ending", (gpointer)*ending);
    gtk_file_chooser_add_filter (GTK_FILE_CHOOSER (exporter->chooser), filter);
  }
  gtk_file_chooser_set_current_name (GTK_FILE_CHOOSER (exporter->chooser), name);
  if (exporter->folder != NULL)
    gtk_file_chooser_set_current_folder (GTK_FILE_CHOOSER (exporter->chooser), exporter->folder,
                                         NULL);
  g_signal_connect (exporter->chooser, "response", G_CALLBACK (response_cb), exporter);
  gtk_native_dialog_show (GTK_NATIVE_DIALOG (exporter->chooser));
}

/* -- Actions ----------------------------------------------------------------------------------- */

/* Each action carries its product's name behind "export-" or "copy-", and "-to" behind that. */
static const SeamProduct *
find_of_action (GSimpleAction *action)
{
  const char *full = g_action_get_name (G_ACTION (action));
  g_autofree char *name = g_strdup (strchr (full, '-') + 1);

  if (g_str_has_suffix (name, "-to"))
    name[strlen (name) - strlen ("-to")] = '\0';
  return find_product (name);
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, find_of_action (action));
}

static void
export_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export_to (data, find_of_action (action), g_variant_get_string (parameter, NULL));
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Exporter *exporter = data;
  const SeamProduct *product = find_of_action (action);
  SeamResult *result = seam_model_get_result (exporter->model);
  SeamProductSource source = { 0 };
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (fill_source (exporter, product, &result, &source, &error))
    figure = seam_product_make_figure (product, &source, &error);
  texture = figure != NULL ? seam_export_figure_to_texture (figure) : NULL;
  if (texture == NULL)
    return seam_toast_show (exporter->toasts,
                            error != NULL ? error->message : "This figure is empty.", TRUE);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (exporter->window)), texture);
  seam_toast_show (exporter->toasts, "Figure copied", FALSE);
}

static void
set_enabled (Exporter *exporter, const char *verb, const SeamProduct *product, gboolean enabled)
{
  g_autofree char *name = g_strconcat (verb, product->name, NULL);
  GAction *action = g_action_map_lookup_action (G_ACTION_MAP (exporter->window), name);

  if (action != NULL)
    g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
}

static void
model_changed_cb (SeamModel *model, guint flags, Exporter *exporter)
{
  gboolean enabled = seam_model_get_result (model) != NULL;

  if ((flags & SEAM_CHANGE_RESULT) == 0)
    return;
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if ((product->of & SEAM_OF_RESULTS) != 0) {
      set_enabled (exporter, "export-", product, enabled);
      set_enabled (exporter, "copy-", product, enabled);
    }
}

/* "Table of _plans (CSV)…" asks for a file; a figure's ending is chosen there. */
static void
append_item (GMenu *menu, const char *verb, const SeamProduct *product)
{
  g_autofree char *action = g_strconcat ("win.", verb, product->name, NULL);
  g_autofree char *type = g_ascii_strup (seam_product_get_endings (product)[0] + 1, -1);
  g_autofree char *label = product->make_text != NULL
                               ? g_strdup_printf ("%s (%s)…", product->title, type)
                               : g_strconcat (product->title, "…", NULL);

  g_menu_append (menu, strcmp (verb, "copy-") == 0 ? product->title : label, action);
}

void
seam_export_fill_menus (GMenu *figures, GMenu *texts, GMenu *copy)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    if ((product->of & SEAM_OF_WINDOW) == 0)
      continue;
    append_item (product->make_text != NULL ? texts : figures, "export-", product);
    if (product->kind == SEAM_PRODUCT_FIGURE)
      append_item (copy, "copy-", product);
  }
  append_item (figures, "export-", &picture);
}

static void
add_actions (Exporter *exporter, const SeamProduct *product)
{
  g_autofree char *name = g_strconcat ("export-", product->name, NULL);
  g_autofree char *name_to = g_strconcat ("export-", product->name, "-to", NULL);
  g_autofree char *name_copy = g_strconcat ("copy-", product->name, NULL);
  const GActionEntry entries[] = {
    { .name = name, .activate = export_cb },
    { .name = name_to, .activate = export_to_cb, .parameter_type = "s" },
    { .name = name_copy, .activate = copy_cb },
  };

  g_action_map_add_action_entries (G_ACTION_MAP (exporter->window), entries,
                                   product->kind == SEAM_PRODUCT_FIGURE ? 3 : 2, exporter);
}

static void
exporter_free (Exporter *exporter)
{
  if (exporter->chooser != NULL) {
    g_signal_handlers_disconnect_by_data (exporter->chooser, exporter);
    gtk_native_dialog_destroy (GTK_NATIVE_DIALOG (exporter->chooser));
    g_clear_object (&exporter->chooser);
  }
  g_signal_handlers_disconnect_by_data (exporter->model, exporter);
  g_clear_object (&exporter->model);
  for (guint i = 0; i < G_N_ELEMENTS (exporter->explorations); i++)
    g_clear_object (&exporter->explorations[i]);
  g_clear_object (&exporter->folder);
  g_free (exporter);
}

void
seam_export_install (GtkApplicationWindow *window, SeamModel *model, SeamDifferencePage *page,
                     AdwToastOverlay *toasts)
{
  Exporter *exporter = g_new0 (Exporter, 1);

  exporter->window = window;
  exporter->model = g_object_ref (model);
  exporter->page = page;
  exporter->toasts = toasts;
  add_actions (exporter, &picture);
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if ((product->of & SEAM_OF_WINDOW) != 0)
      add_actions (exporter, product);
  g_signal_connect (model, "changed", G_CALLBACK (model_changed_cb), exporter);
  model_changed_cb (model, SEAM_CHANGE_RESULT, exporter);
  g_object_set_data_full (G_OBJECT (window), "seam-exporter", exporter,
                          (GDestroyNotify)exporter_free);
}

void
seam_export_add_exploration (GtkApplicationWindow *window, SeamExploration *exploration)
{
  Exporter *exporter = g_object_get_data (G_OBJECT (window), "seam-exporter");

  g_return_if_fail (exporter != NULL);
  g_set_object (&exporter->explorations[seam_exploration_get_kind (exploration)], exploration);
}
