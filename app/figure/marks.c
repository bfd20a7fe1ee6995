/* SPDX-License-Identifier: MIT
 *
 * Drawing of marks, series and kernels.
 */
#include "app/figure/marks.h"

#include <math.h>
#include <string.h>

#define GROUP "… " /* between the first and the last op of a group */

static void
outline (cairo_t *cr, SeamMark mark, double x, double y, double half)
{
  cairo_new_path (cr);
  switch (mark) {
  case SEAM_MARK_SQUARE:
    cairo_rectangle (cr, x - half, y - half, 2 * half, 2 * half);
    return;
  case SEAM_MARK_DISC:
    cairo_arc (cr, x, y, half, 0, 2 * G_PI);
    return;
  case SEAM_MARK_TRIANGLE:
  case SEAM_MARK_TRIANGLE_DOWN: {
    double up = mark == SEAM_MARK_TRIANGLE ? -half : half;

    cairo_move_to (cr, x, y + up);
    cairo_line_to (cr, x + half, y - up);
    cairo_line_to (cr, x - half, y - up);
    break;
  }
  case SEAM_MARK_DIAMOND:
    cairo_move_to (cr, x, y - half);
    cairo_line_to (cr, x + half, y);
    cairo_line_to (cr, x, y + half);
    cairo_line_to (cr, x - half, y);
    break;
  }
  cairo_close_path (cr);
}

void
seam_mark_draw (cairo_t *cr, SeamMark mark, double x, double y, double size, const SeamColor *fill,
                const SeamColor *stroke, double line_width)
{
  outline (cr, mark, x, y, size / 2);
  if (fill != NULL) {
    seam_palette_set_source (cr, fill);
    cairo_fill_preserve (cr);
  }
  if (stroke != NULL) {
    seam_palette_set_source (cr, stroke);
    cairo_set_line_width (cr, line_width);
    cairo_stroke (cr);
  }
  cairo_new_path (cr);
}

void
seam_mark_draw_interval (cairo_t *cr, const SeamColor *color, double line_width, double x1,
                         double y1, double x2, double y2, double cap)
{
  double dx = x1 == x2 ? cap : 0, dy = x1 == x2 ? 0 : cap;

  if (!isfinite (x1 + y1 + x2 + y2))
    return;
  seam_paint_line (cr, color, line_width, x1, y1, x2, y2);
  if (cap <= 0)
    return;
  seam_paint_line (cr, color, line_width, x1 - dx, y1 - dy, x1 + dx, y1 + dy);
  seam_paint_line (cr, color, line_width, x2 - dx, y2 - dy, x2 + dx, y2 + dy);
}

void
seam_series_draw (const SeamSeriesPoint *points, int n, const SeamSeriesStyle *style, cairo_t *cr,
                  const SeamPalette *palette)
{
  static const double dashes[][4] = { { 0 }, { 7, 3 }, { 2, 3 }, { 8, 3, 2, 3 } };
  static const int n_dashes[] = { 0, 2, 2, 4 };

  cairo_new_path (cr);
  for (int i = 0; i < n; i++)
    if (!isnan (points[i].y) && i > 0 && !isnan (points[i - 1].y))
      cairo_line_to (cr, points[i].x, points[i].y);
    else if (!isnan (points[i].y))
      cairo_move_to (cr, points[i].x, points[i].y);
  seam_palette_set_source (cr, style->line);
  cairo_set_line_width (cr, style->line_width);
  cairo_set_dash (cr, dashes[style->dashes % 4], n_dashes[style->dashes % 4], 0);
  cairo_stroke (cr);
  cairo_set_dash (cr, NULL, 0, 0);
  for (int i = 0; i < n; i++) {
    const SeamSeriesPoint *point = &points[i];

    if (isnan (point->y))
      continue;
    seam_mark_draw_interval (cr, &palette->dim_text, 1.2, point->x, point->low_y, point->x,
                             point->high_y, 0);
    seam_mark_draw (cr, style->mark, point->x, point->y, style->size, style->fill, style->line,
                    style->line_width);
  }
}

#define PADDING 5.0 /* left and right of a kernel's texts */

void
seam_kernel_fit (const char *full_name, int n_ops, double ns, SeamUnit unit, double width,
                 char **name, char **value)
{
  const char *group = full_name != NULL ? strstr (full_name, GROUP) : NULL;
  const char *part = full_name != NULL ? strchr (full_name, ' ') : NULL;
  const char *noun = n_ops == 2 ? "op" : "ops";
  g_autoptr (GPtrArray) candidates = g_ptr_array_new_with_free_func (g_free);
  g_autofree char *time = seam_text_fixed (ns / unit.scale, 3);

  width -= 2 * PADDING;
  /* Returns early if nothing fits, because a timeline calls this for many kernels. */
  if (width < 2 * PADDING)
    return;
  if (seam_paint_measure (time, SEAM_KERNEL_VALUE_SIZE, SEAM_REGULAR) > width)
    return;
  *value = g_steal_pointer (&time);
  if (full_name == NULL || *full_name == '\0')
    return;
  if (group != NULL || strchr (full_name, '+') != NULL || part == NULL || part[1] == '\0')
    part = NULL;
  if (n_ops > 1 && group == NULL && strchr (full_name, '+') == NULL) {
    g_ptr_array_add (candidates, g_strdup_printf ("%s + %d %s", full_name, n_ops - 1, noun));
    if (part != NULL)
      g_ptr_array_add (candidates, g_strdup_printf ("%s + %d %s", part + 1, n_ops - 1, noun));
  }
  g_ptr_array_add (candidates, g_strdup (full_name));
  if (group != NULL && n_ops > 1) {
    g_ptr_array_add (candidates,
                     g_strdup_printf ("%s + %d %s", group + strlen (GROUP), n_ops - 1, noun));
    g_ptr_array_add (candidates, g_strdup_printf ("%d ops", n_ops));
  }
  if (part != NULL)
    g_ptr_array_add (candidates, g_strdup (part + 1));
  for (guint i = 0; i < candidates->len && *name == NULL; i++)
    if (seam_paint_measure (candidates->pdata[i], SEAM_KERNEL_NAME_SIZE, SEAM_BOLD) <= width)
      *name = g_strdup (candidates->pdata[i]);
}

static void
draw_kernel_texts (const SeamRect *rect, const char *name, const char *value, cairo_t *cr,
                   const SeamPalette *palette)
{
  double x = rect->x + rect->width / 2, middle = rect->y + rect->height / 2;
  double width = seam_paint_measure (value, SEAM_KERNEL_VALUE_SIZE, SEAM_REGULAR);
  SeamRect plate;

  if (name != NULL)
    width = fmax (width, seam_paint_measure (name, SEAM_KERNEL_NAME_SIZE, SEAM_BOLD));
  plate = (SeamRect){ x - width / 2 - 3, rect->y + 3, width + 6, rect->height - 14 };
  seam_paint_plate (cr, palette, &plate);
  seam_paint_text (cr, &palette->text, name, x, middle - 7, SEAM_KERNEL_NAME_SIZE, SEAM_BOLD,
                   SEAM_ALIGN_MIDDLE);
  seam_paint_text (cr, palette->high_contrast ? &palette->text : &palette->dim_text, value, x,
                   middle + (name != NULL ? 7 : 1), SEAM_KERNEL_VALUE_SIZE, SEAM_REGULAR,
                   SEAM_ALIGN_MIDDLE);
}

void
seam_kernel_draw (const SeamRect *rect, const SeamOpKind *kinds, int n_kinds, SeamOpKind main_kind,
                  const char *name, const char *value, cairo_t *cr, const SeamPalette *palette)
{
  double edge = rect->width < 12 ? 1 : 3;
  SeamRect band = { rect->x + edge, rect->y + rect->height - 10, rect->width - 2 * edge, 7 };

  /* Too thin for edge and band, so only the full colour. */
  if (rect->width < 6) {
    seam_paint_box (cr, rect, 1, &palette->kinds[main_kind], NULL, 0);
    return;
  }
  seam_paint_block (cr, palette, main_kind, rect, 4);
  if (!palette->high_contrast || n_kinds > 1)
    seam_paint_band (cr, palette, kinds, n_kinds, main_kind, &band);
  if (value != NULL)
    draw_kernel_texts (rect, name, value, cr, palette);
}
