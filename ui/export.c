/* SPDX-License-Identifier: MIT
 *
 * Export actions of the window. Figures are drawn in the light palette, as paper wants them, by
 * the same code as on the screen; the picture of the whole window is what the person sees.
 */
#include "ui/export.h"

#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/npy.h"
#include "app/compare/csv.h"
#include "app/explain/explain-csv.h"
#include "app/explain/roofline.h"
#include "app/figure/lattice.h"
#include "app/figure/sweep.h"
#include "app/report/kernels.h"
#include "app/report/plans.h"
#include "app/figure/page.h"
#include "ui/toast.h"

#include <math.h>
#include <string.h>

/* Pictures hold two pixels for one of the screen, so that they stay sharp in a document. */
#define PIXELS 2
/* Width of exported sheets: wide enough for seven ops with their texts. */
#define SHEET_WIDTH    1180
#define SWEEP_WIDTH    1200 /* as the command's */
#define LATTICE_WIDTH  1400 /* twenty partitions side by side */
#define FOOTER_PADDING 12

typedef enum {
  EXPORT_TIMING,
  EXPORT_DIFFERENCE,
  EXPORT_NUMBERS,
  EXPORT_CEILING,
  EXPORT_ESTIMATE,
  EXPORT_TRAFFIC,
  EXPORT_ROOFLINE,
  EXPORT_TIMELINE,
  EXPORT_SEQUENCE,
  EXPORT_LEDGER,
  EXPORT_GROUP_TRAFFIC,
  EXPORT_WATERFALL,
  EXPORT_ROOFLINE_POINTS,
  EXPORT_LATTICE,
  EXPORT_PARTITIONS,
  EXPORT_SWEEP,
  EXPORT_POINTS,
  EXPORT_PLANS,
  EXPORT_KERNELS,
  EXPORT_SAMPLES,
  EXPORT_OVERVIEW,
  EXPORT_WORST,
  EXPORT_HISTOGRAM,
  EXPORT_WINDOW,
  N_EXPORTS
} ExportKind;

static const struct {
  const char *action; /* and the end of the suggested file name */
  const char *title;
  const char *endings[4]; /* the first is the default */
} kinds[N_EXPORTS] = {
  [EXPORT_TIMING] = { "timing", "Export timing figure", { ".png", ".svg", ".pdf" } },
  [EXPORT_DIFFERENCE] = { "difference", "Export difference figure", { ".png", ".svg", ".pdf" } },
  [EXPORT_NUMBERS] = { "numbers",
                       "Export figure of the errors by size",
                       { ".png", ".svg", ".pdf" } },
  [EXPORT_SEQUENCE] = { "sequence", "Export figure of all samples", { ".png", ".svg", ".pdf" } },
  [EXPORT_CEILING] = { "ceiling", "Export figure before running", { ".png", ".svg", ".pdf" } },
  [EXPORT_ESTIMATE] = { "estimate", "Export table before running", { ".csv" } },
  [EXPORT_TRAFFIC] = { "traffic", "Export traffic figure", { ".png", ".svg", ".pdf" } },
  [EXPORT_ROOFLINE] = { "roofline", "Export roofline figure", { ".png", ".svg", ".pdf" } },
  [EXPORT_TIMELINE] = { "timeline", "Export timeline figure", { ".png", ".svg", ".pdf" } },
  [EXPORT_LEDGER] = { "ledger", "Export traffic ledger", { ".csv" } },
  [EXPORT_GROUP_TRAFFIC] = { "group-traffic", "Export traffic of each group", { ".csv" } },
  [EXPORT_WATERFALL] = { "waterfall", "Export steps from one plan to the other", { ".csv" } },
  [EXPORT_ROOFLINE_POINTS] = { "roofline-points", "Export points of the roofline", { ".csv" } },
  [EXPORT_LATTICE] = { "lattice", "Export lattice", { ".png", ".svg", ".pdf" } },
  [EXPORT_PARTITIONS] = { "partitions", "Export table of partitions", { ".csv" } },
  [EXPORT_SWEEP] = { "sweep", "Export sweep", { ".png", ".svg", ".pdf" } },
  [EXPORT_POINTS] = { "points", "Export table of the sweep's points", { ".csv" } },
  [EXPORT_PLANS] = { "plans", "Export table of plans", { ".csv" } },
  [EXPORT_KERNELS] = { "kernels", "Export table of kernels", { ".csv" } },
  [EXPORT_SAMPLES] = { "samples", "Export all samples", { ".csv" } },
  [EXPORT_OVERVIEW] = { "overview", "Export difference overview as table", { ".csv" } },
  [EXPORT_WORST] = { "worst", "Export table of the worst elements", { ".csv" } },
  [EXPORT_HISTOGRAM] = { "histogram", "Export histogram of the errors as table", { ".csv" } },
  [EXPORT_WINDOW] = { "window", "Export picture of the window", { ".png" } },
};

typedef struct {
  GtkApplicationWindow *window; /* owns this */
  SeamModel *model;
  SeamDifferencePage *page;
  SeamExploration *explorations[2]; /* by SeamSurveyKind; NULL: there is none */
  AdwToastOverlay *toasts;
  GFile *folder; /* of the last export */
  GtkFileChooserNative *chooser;
  ExportKind asked;
} Exporter;

/* -- Without dialog ---------------------------------------------------------------------------- */

gboolean
seam_export_figure_to_file (SeamFigure *figure, const char *path, GError **error)
{
  return seam_figure_export (figure, seam_palette_get (FALSE, FALSE), path, error);
}

gboolean
seam_export_text_to_file (const char *text, const char *path, GError **error)
{
  return seam_file_write (path, text, strlen (text), error);
}

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

static SeamFigure *
make_figure (Exporter *exporter, ExportKind kind, GError **error)
{
  SeamResult *result = seam_model_get_result (exporter->model);
  int second = seam_model_get_compared (exporter->model);

  switch (kind) {
  case EXPORT_DIFFERENCE:
    return seam_difference_page_make_figure (exporter->page, SHEET_WIDTH, error);
  case EXPORT_NUMBERS:
    return seam_difference_page_make_numbers (exporter->page, SHEET_WIDTH, error);
  case EXPORT_TRAFFIC:
    return seam_traffic_page_new (result, 0, second, SHEET_WIDTH, error);
  case EXPORT_ROOFLINE:
    return seam_roofline_page_new (result, 0, second, SHEET_WIDTH, error);
  case EXPORT_SEQUENCE:
    return seam_samples_page_new (result, 0, second, SHEET_WIDTH, error);
  case EXPORT_TIMELINE:
    return seam_timeline_page_new (result, 0, second, SHEET_WIDTH, error);
  default:
    return seam_timing_page_new (result, 0, second, SHEET_WIDTH, error);
  }
}

/* Of what is known of the partitions or points, measured or not. */
static const SeamSurvey *
get_survey (Exporter *exporter, SeamSurveyKind kind, GError **error)
{
  SeamExploration *exploration = exporter->explorations[kind];
  const SeamSurvey *survey = exploration != NULL ? seam_exploration_get_survey (exploration) : NULL;

  if (survey != NULL && survey->device != NULL)
    return survey;
  g_set_error_literal (
      error, SEAM_ERROR, SEAM_ERROR_INPUT,
      kind == SEAM_SURVEY_SWEEP
          ? "Nothing is known of the sweep yet: open the page Sweep first."
          : "Nothing is known of the partitions yet: open the page Explore first.");
  return NULL;
}

static SeamFigure *
make_sweep (Exporter *exporter, GError **error)
{
  if (get_survey (exporter, SEAM_SURVEY_SWEEP, error) == NULL)
    return NULL;
  return seam_sweep_page_new (
      seam_exploration_get_sweep (exporter->explorations[SEAM_SURVEY_SWEEP]), SWEEP_WIDTH, error);
}

static SeamFigure *
make_lattice (Exporter *exporter, GError **error)
{
  const SeamSurvey *survey = get_survey (exporter, SEAM_SURVEY_EXPLORE, error);

  return survey != NULL ? seam_lattice_page_new (survey, LATTICE_WIDTH, error) : NULL;
}

static char *
make_survey_csv (Exporter *exporter, SeamSurveyKind kind, GError **error)
{
  const SeamSurvey *survey = get_survey (exporter, kind, error);

  return survey != NULL ? seam_survey_to_csv (survey) : NULL;
}

static char *
make_waterfall_csv (Exporter *exporter, const SeamResult *result, GError **error)
{
  int second = seam_model_get_compared (exporter->model);

  if (second > 0)
    return seam_waterfall_to_csv (result, 0, second, error);
  g_set_error_literal (
      error, SEAM_ERROR, SEAM_ERROR_INPUT,
      "Only one plan was run, so there is no way from one to the other: run both.");
  return NULL;
}

/* What is known before running: of the plans and the shape as they are now. */
static gboolean
check_estimate (Exporter *exporter, GError **error)
{
  const char *reason = seam_model_get_blocker (exporter->model);

  if (seam_model_get_estimate (exporter->model) != NULL
      && seam_model_get_target (exporter->model) != NULL)
    return TRUE;
  g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                       reason != NULL ? reason
                                      : "The worker has not answered yet what is known before "
                                        "running: try again in a moment.");
  return FALSE;
}

static SeamFigure *
make_ceiling (Exporter *exporter, GError **error)
{
  SeamModel *model = exporter->model;
  g_autofree char *provenance = NULL;

  if (!check_estimate (exporter, error))
    return NULL;
  provenance =
      seam_estimate_get_provenance (seam_model_get_request (model), seam_model_get_target (model),
                                    seam_model_get_problem (model));
  return seam_ceiling_page_new (seam_model_get_estimate (model), seam_model_get_problem (model),
                                provenance, SHEET_WIDTH, error);
}

static char *
make_estimate_csv (Exporter *exporter, GError **error)
{
  SeamModel *model = exporter->model;

  if (!check_estimate (exporter, error))
    return NULL;
  return seam_estimate_to_csv (seam_model_get_estimate (model), seam_model_get_request (model),
                               seam_model_get_target (model), seam_model_get_problem (model));
}

static gboolean
write_text (char *text, const char *path, GError **error)
{
  g_autofree char *owned = text;
  return owned != NULL && seam_export_text_to_file (owned, path, error);
}

static gboolean
write_figure (SeamFigure *figure, const char *path, GError **error)
{
  g_autoptr (SeamFigure) owned = figure;
  return owned != NULL && seam_export_figure_to_file (owned, path, error);
}

static gboolean
needs_result (ExportKind kind)
{
  return kind != EXPORT_WINDOW && kind != EXPORT_CEILING && kind != EXPORT_ESTIMATE
         && kind != EXPORT_LATTICE && kind != EXPORT_PARTITIONS && kind != EXPORT_SWEEP
         && kind != EXPORT_POINTS;
}

static gboolean
write_kind (Exporter *exporter, ExportKind kind, const char *path, GError **error)
{
  SeamResult *result = seam_model_get_result (exporter->model);
  g_autofree char *provenance = result != NULL ? seam_result_get_provenance (result) : NULL;

  if (result == NULL && needs_result (kind)) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_INPUT,
                         "There is no result to export yet: press Run first.");
    return FALSE;
  }
  switch (kind) {
  case EXPORT_TIMING:
  case EXPORT_DIFFERENCE:
  case EXPORT_NUMBERS:
  case EXPORT_TRAFFIC:
  case EXPORT_ROOFLINE:
  case EXPORT_TIMELINE:
  case EXPORT_SEQUENCE:
    return write_figure (make_figure (exporter, kind, error), path, error);
  case EXPORT_LEDGER:
    return write_text (seam_ledger_to_csv (result, error), path, error);
  case EXPORT_GROUP_TRAFFIC:
    return write_text (seam_traffic_to_csv (result, error), path, error);
  case EXPORT_WATERFALL:
    return write_text (make_waterfall_csv (exporter, result, error), path, error);
  case EXPORT_ROOFLINE_POINTS:
    return write_text (seam_roofline_to_csv (result, error), path, error);
  case EXPORT_LATTICE:
    return write_figure (make_lattice (exporter, error), path, error);
  case EXPORT_PARTITIONS:
    return write_text (make_survey_csv (exporter, SEAM_SURVEY_EXPLORE, error), path, error);
  case EXPORT_SWEEP:
    return write_figure (make_sweep (exporter, error), path, error);
  case EXPORT_POINTS:
    return write_text (make_survey_csv (exporter, SEAM_SURVEY_SWEEP, error), path, error);
  case EXPORT_CEILING:
    return write_figure (make_ceiling (exporter, error), path, error);
  case EXPORT_ESTIMATE:
    return write_text (make_estimate_csv (exporter, error), path, error);
  case EXPORT_PLANS:
    return write_text (seam_result_to_csv (result), path, error);
  case EXPORT_KERNELS:
    return write_text (seam_result_kernels_to_csv (result), path, error);
  case EXPORT_SAMPLES:
    return write_text (seam_result_samples_to_csv (result), path, error);
  case EXPORT_OVERVIEW:
    return write_text (seam_difference_page_make_csv (exporter->page, error), path, error);
  case EXPORT_WORST:
  case EXPORT_HISTOGRAM:
    return write_text (
        seam_difference_page_make_numbers_csv (exporter->page, kind == EXPORT_WORST, error), path,
        error);
  case EXPORT_WINDOW:
    return seam_export_widget_to_file (GTK_WIDGET (exporter->window), provenance, path, error);
  case N_EXPORTS:
    break;
  }
  return FALSE;
}

static void
export_to (Exporter *exporter, ExportKind kind, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *name = g_filename_display_basename (path);
  g_autofree char *text = NULL;

  if (write_kind (exporter, kind, path, &error)) {
    text = g_strdup_printf ("Saved %s", name);
    seam_toast_show (exporter->toasts, text, FALSE);
  } else {
    seam_toast_show (exporter->toasts, error != NULL ? error->message : "Nothing was written.",
                     TRUE);
  }
}

/* -- Dialog ------------------------------------------------------------------------------------ */

static gboolean
has_ending (const char *path, ExportKind kind)
{
  for (int i = 0; i < 4 && kinds[kind].endings[i] != NULL; i++) {
    gsize length = strlen (path), end = strlen (kinds[kind].endings[i]);
    if (length > end && g_ascii_strcasecmp (path + length - end, kinds[kind].endings[i]) == 0)
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
  const char *ending = kinds[exporter->asked].endings[0];

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
      full = has_ending (path, exporter->asked) || strrchr (path, '.') > strrchr (path, '/')
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
suggest_name (Exporter *exporter, ExportKind kind)
{
  SeamResult *result = seam_model_get_result (exporter->model);
  if (result == NULL)
    return g_strdup_printf ("seamscope-%s%s", kinds[kind].action, kinds[kind].endings[0]);
  g_autofree char *name = g_strdup_printf ("%s-%s-%s%s", result->pipeline_id,
                                           result->preset != NULL ? result->preset : "own-shape",
                                           kinds[kind].action, kinds[kind].endings[0]);
  return seam_file_name_make (name);
}

static void
ask (Exporter *exporter, ExportKind kind)
{
  g_autofree char *name = suggest_name (exporter, kind);

  if (exporter->chooser != NULL) {
    gtk_native_dialog_show (GTK_NATIVE_DIALOG (exporter->chooser));
    return;
  }
  exporter->asked = kind;
  exporter->chooser =
      gtk_file_chooser_native_new (kinds[kind].title, GTK_WINDOW (exporter->window),
                                   GTK_FILE_CHOOSER_ACTION_SAVE, "_Export", "_Cancel");
  gtk_native_dialog_set_modal (GTK_NATIVE_DIALOG (exporter->chooser), TRUE);
  for (int i = 0; i < 4 && kinds[kind].endings[i] != NULL; i++) {
    g_autoptr (GtkFileFilter) filter = gtk_file_filter_new ();
    g_autofree char *pattern = g_strconcat ("*", kinds[kind].endings[i], NULL);
    g_autofree char *label = g_ascii_strup (kinds[kind].endings[i] + 1, -1);
    gtk_file_filter_set_name (filter, label);
    gtk_file_filter_add_pattern (filter, pattern);
    g_object_set_data (G_OBJECT (filter), "ending", (gpointer)kinds[kind].endings[i]);
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

static ExportKind
find_kind (const char *action)
{
  const char *word = strchr (action, '-') + 1;
  for (int i = 0; i < N_EXPORTS; i++)
    if (g_str_has_prefix (word, kinds[i].action)
        && (word[strlen (kinds[i].action)] == '\0'
            || g_str_equal (word + strlen (kinds[i].action), "-to")))
      return (ExportKind)i;
  g_assert_not_reached ();
}

static gboolean
can_be_copied (ExportKind kind)
{
  return kind == EXPORT_TIMING || kind == EXPORT_DIFFERENCE || kind == EXPORT_NUMBERS
         || kind == EXPORT_TRAFFIC || kind == EXPORT_ROOFLINE || kind == EXPORT_TIMELINE
         || kind == EXPORT_SEQUENCE || kind == EXPORT_LATTICE || kind == EXPORT_SWEEP;
}

static void
export_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask (data, find_kind (g_action_get_name (G_ACTION (action))));
}

static void
export_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  export_to (data, find_kind (g_action_get_name (G_ACTION (action))),
             g_variant_get_string (parameter, NULL));
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  Exporter *exporter = data;
  ExportKind kind = find_kind (g_action_get_name (G_ACTION (action)));
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamFigure) figure = NULL;
  g_autoptr (GdkTexture) texture = NULL;

  if (seam_model_get_result (exporter->model) == NULL && needs_result (kind))
    return seam_toast_show (exporter->toasts, "There is no result to copy yet: press Run first.",
                            TRUE);
  figure = kind == EXPORT_LATTICE ? make_lattice (exporter, &error)
           : kind == EXPORT_SWEEP ? make_sweep (exporter, &error)
                                  : make_figure (exporter, kind, &error);
  texture = figure != NULL ? seam_export_figure_to_texture (figure) : NULL;
  if (texture == NULL)
    return seam_toast_show (exporter->toasts,
                            error != NULL ? error->message : "This figure is empty.", TRUE);
  gdk_clipboard_set_texture (gtk_widget_get_clipboard (GTK_WIDGET (exporter->window)), texture);
  seam_toast_show (exporter->toasts, "Figure copied", FALSE);
}

static void
model_changed_cb (SeamModel *model, guint flags, Exporter *exporter)
{
  gboolean enabled = seam_model_get_result (model) != NULL;

  if ((flags & SEAM_CHANGE_RESULT) == 0)
    return;
  for (int i = 0; i < N_EXPORTS; i++) {
    g_autofree char *name = g_strconcat ("export-", kinds[i].action, NULL);
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (exporter->window), name);
    if (needs_result ((ExportKind)i))
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
  }
  for (int i = 0; i < N_EXPORTS; i++) {
    g_autofree char *name = g_strconcat ("copy-", kinds[i].action, NULL);
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (exporter->window), name);
    if (action != NULL && needs_result ((ExportKind)i))
      g_simple_action_set_enabled (G_SIMPLE_ACTION (action), enabled);
  }
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
  for (int i = 0; i < N_EXPORTS; i++) {
    g_autofree char *name = g_strconcat ("export-", kinds[i].action, NULL);
    g_autofree char *name_to = g_strconcat ("export-", kinds[i].action, "-to", NULL);
    g_autofree char *name_copy = g_strconcat ("copy-", kinds[i].action, NULL);
    GActionEntry entries[] = {
      { .name = name, .activate = export_cb },
      { .name = name_to, .activate = export_to_cb, .parameter_type = "s" },
      { .name = name_copy, .activate = copy_cb },
    };
    g_action_map_add_action_entries (G_ACTION_MAP (window), entries,
                                     can_be_copied ((ExportKind)i) ? 3 : 2, exporter);
  }
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
