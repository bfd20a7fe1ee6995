/* SPDX-License-Identifier: MIT
 *
 * Exports a figure to PNG, SVG or PDF. Makes the whole file in memory and then writes it
 * atomically, so that a full disk or a read-only folder gives an error and keeps the old file.
 */
#include "app/base/error.h"
#include "app/base/npy.h"
#include "app/figure/figure.h"
#include "app/figure/svg-text.h"

#include <cairo-pdf.h>
#include <cairo-svg.h>
#include <math.h>
#include <string.h>

#define MARGIN        12.0 /* px around the figure */
#define PNG_SCALE     2.0
#define POINTS_PER_PX .75   /* 96 px and 72 points an inch */
#define MAX_SIDE      32767 /* of a Cairo image surface */

typedef enum { FORMAT_PNG, FORMAT_SVG, FORMAT_PDF } Format;

static gboolean
get_format (const char *path, Format *format, GError **error)
{
  static const char *const endings[] = { ".png", ".svg", ".pdf" };

  for (guint i = 0; i < G_N_ELEMENTS (endings); i++) {
    gsize length = strlen (path);

    if (length > 4 && g_ascii_strcasecmp (path + length - 4, endings[i]) == 0) {
      *format = (Format)i;
      return TRUE;
    }
  }
  return seam_fail (
      error, SEAM_ERROR_INPUT,
      "The name “%s” does not say which kind of picture to write: end it with .png, .svg "
      "or .pdf.",
      path);
}

static cairo_status_t
append_cb (void *closure, const unsigned char *data, unsigned int length)
{
  g_byte_array_append (closure, data, length);
  return CAIRO_STATUS_SUCCESS;
}

static cairo_surface_t *
create_surface (Format format, GByteArray *bytes, double width, double height)
{
  cairo_surface_t *surface;

  switch (format) {
  case FORMAT_SVG:
    surface = cairo_svg_surface_create_for_stream (append_cb, bytes, width, height);
    cairo_svg_surface_set_document_unit (surface, CAIRO_SVG_UNIT_PX);
    seam_svg_keep_texts (surface);
    return surface;
  case FORMAT_PDF:
    surface = cairo_pdf_surface_create_for_stream (append_cb, bytes, width * POINTS_PER_PX,
                                                   height * POINTS_PER_PX);
    /* Without a creation date the same figure gives the same file, from a run and from its session.
     * The footer has the time of the measurement. */
    cairo_pdf_surface_set_metadata (surface, CAIRO_PDF_METADATA_CREATE_DATE, NULL);
    return surface;
  case FORMAT_PNG:
  default:
    return cairo_image_surface_create (CAIRO_FORMAT_RGB24, (int)ceil (width * PNG_SCALE),
                                       (int)ceil (height * PNG_SCALE));
  }
}

static gboolean
render (SeamFigure *figure, const SeamPalette *palette, const char *path, Format format,
        GByteArray *bytes, GError **error)
{
  double width = ceil (figure->width) + 2 * MARGIN;
  double height = ceil (figure->height) + 2 * MARGIN;
  cairo_surface_t *surface = create_surface (format, bytes, width, height);
  cairo_t *cr = cairo_create (surface);
  cairo_status_t status;
  gboolean done;

  if (format == FORMAT_PNG)
    cairo_scale (cr, PNG_SCALE, PNG_SCALE);
  else if (format == FORMAT_PDF)
    cairo_scale (cr, POINTS_PER_PX, POINTS_PER_PX);
  seam_palette_set_source (cr, &palette->card);
  cairo_paint (cr);
  cairo_translate (cr, MARGIN, MARGIN);
  seam_figure_draw (figure, cr, palette);
  status = cairo_status (cr);
  cairo_destroy (cr);

  if (format == FORMAT_PNG && status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_write_to_png_stream (surface, append_cb, bytes);
  cairo_surface_finish (surface);
  if (status == CAIRO_STATUS_SUCCESS)
    status = cairo_surface_status (surface);
  done = status == CAIRO_STATUS_SUCCESS;
  if (!done)
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "The figure “%s” could not be drawn: %s.",
                 path, cairo_status_to_string (status));
  else if (format == FORMAT_SVG)
    done = seam_svg_put_texts (surface, bytes, error);
  cairo_surface_destroy (surface);
  return done;
}

gboolean
seam_figure_export (SeamFigure *figure, const SeamPalette *palette, const char *path,
                    GError **error)
{
  g_autoptr (GByteArray) bytes = g_byte_array_new ();
  Format format;

  if (!get_format (path, &format, error))
    return FALSE;
  if (format == FORMAT_PNG
      && (MAX (figure->width, figure->height) + 2 * MARGIN) * PNG_SCALE > MAX_SIDE)
    return seam_fail (
        error, SEAM_ERROR_INPUT,
        "The figure is too large for a PNG (%.0f × %.0f px): write .svg or .pdf instead.",
        figure->width * PNG_SCALE, figure->height * PNG_SCALE);

  if (!render (figure, palette, path, format, bytes, error))
    return FALSE;
  return seam_file_write (path, bytes->data, bytes->len, error);
}
