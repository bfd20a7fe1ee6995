/* SPDX-License-Identifier: MIT */
#include "app/lesson/slide-pictures.h"

#include "app/base/text.h"
#include "app/compare/compare.h"
#include "app/explain/read-result.h"
#include "app/explain/waterfall.h"
#include "app/figure/bars.h"
#include "app/figure/map-common.h"
#include "app/figure/roofline-figure.h"
#include "app/figure/sheet.h"
#include "app/figure/waterfall-figure.h"
#include "app/report/ledger-table.h"
#include "app/report/sheets.h"

#include <math.h>
#include <string.h>

#define LEGEND_WIDTH 110.0
#define LEGEND_GAP   20.0
#define MAP_SHARE    .8 /* of the width, for a map that is not on a slide */

static void
free_picture (gpointer data)
{
  SeamSlidePicture *picture = data;

  g_free (picture->headline);
  seam_figure_free (picture->figure);
  g_free (picture);
}

static void
add (GPtrArray *pictures, char *headline, SeamFigure *figure)
{
  SeamSlidePicture *picture = g_new0 (SeamSlidePicture, 1);

  picture->headline = headline;
  picture->figure = figure;
  g_ptr_array_add (pictures, picture);
}

/* The height of a slide under this headline (NULL: none), in the units in which a figure is laid
 * out; 0: the figure is not for a slide. */
static double
measure_room (const char *headline, double width)
{
  SeamSlide *empty = seam_slide_new (NULL, NULL, NULL);

  if (headline != NULL)
    seam_slide_set_headline (empty, headline);
  double room = seam_slide_get_room (empty) * seam_slide_get_figure_width () / SEAM_SLIDE_INNER;
  seam_figure_free (seam_slide_finish (empty));
  return width == seam_slide_get_figure_width () ? floor (room) : 0;
}

static char *
describe_time (const SeamResult *result, int plan)
{
  g_autofree char *time = seam_text_time (result->plans[plan].median_ns);

  return g_strdup_printf ("%s takes %s", seam_side_get_name (plan), time);
}

/* The bars under their verdict. */
static gboolean
add_timing (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  SeamResult *result = source->results[0];
  const int plans[] = { source->first, source->second };
  const SeamBarsOptions options = { .width = width };
  g_autoptr (SeamVerdict) verdict =
      source->second >= 0 ? seam_verdict_new (result, source->first, source->second) : NULL;

  add (pictures,
       verdict != NULL ? seam_verdict_describe_against (verdict, seam_side_get_name (source->first))
                       : describe_time (result, plans[0]),
       seam_bars_figure_new (result, plans, source->second >= 0 ? 2 : 1, &options));
  return TRUE;
}

/* What the map says in words, where it would be empty: agreement. */
static SeamFigure *
make_map (const SeamProblem *problem, const SeamProductSource *source, double width, double height)
{
  const SeamDifference *difference = source->difference;
  const SeamSideNames names = { seam_side_get_name (source->against),
                                seam_side_get_name (source->tested) };
  SeamSheet *sheet = seam_sheet_new (width);
  g_autofree char *title = NULL, *text = NULL;

  height = height > 0 ? height : width * MAP_SHARE;
  SeamMapOptions options = (SeamMapOptions){
    .width = width - LEGEND_WIDTH - LEGEND_GAP,
    .height = height,
    .scale = seam_map_scale_for (difference, SEAM_UNIT_ABSOLUTE),
    .atol = difference->spec.atol,
    .rtol = difference->spec.rtol,
    .n_groups = seam_problem_get_n_groups (problem),
  };

  if (seam_map_describe_agreement (difference, SEAM_UNIT_ABSOLUTE, &title, &text)) {
    height =
        seam_sheet_add_paragraph (sheet, SEAM_INK_TEXT, title, 0, 0, width, SEAM_SIZE_TITLE, FALSE)
        + 10;
    height += seam_sheet_add_paragraph (sheet, SEAM_INK_DIM, text, 0, height, width,
                                        SEAM_SIZE_LABEL, FALSE);
    return seam_sheet_finish (sheet, height, g_strdup_printf ("%s. %s", title, text));
  }
  SeamFigure *map = seam_overview_figure_new (problem, difference, &options);
  seam_sheet_add_figure (sheet, map, 0, 0);
  seam_sheet_add_figure (
      sheet, seam_map_legend_figure_new (&options.scale, &names, LEGEND_WIDTH, height - 24),
      options.width + LEGEND_GAP, 14);
  return seam_sheet_finish (sheet, height, seam_figure_summarize (map));
}

/* The map under its verdict. */
static gboolean
add_difference (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (source->results[0], error);
  const char *letter = seam_side_get_name (source->tested);

  if (problem == NULL)
    return FALSE;
  g_autoptr (SeamAgreement) agreement = seam_agreement_new (source->difference);
  g_autofree char *headline = g_strdup_printf (
      "%s: %c%s", letter, g_ascii_tolower (agreement->headline[0]), agreement->headline + 1);
  SeamFigure *map = make_map (problem, source, width, measure_room (headline, width));
  add (pictures, g_steal_pointer (&headline), map);
  return TRUE;
}

static char *
describe_traffic (const SeamTrafficLedger *ledger)
{
  g_autofree char *a = seam_text_bytes (ledger->modelled[0]);
  g_autofree char *b = ledger->n_sides > 1 ? seam_text_bytes (ledger->modelled[1]) : NULL;

  return b != NULL
             ? g_strdup_printf ("%c moves %s, %c %s", ledger->letters[0], a, ledger->letters[1], b)
             : g_strdup_printf ("%c moves %s", ledger->letters[0], a);
}

/* "5 kernels are gone: 1.25 ms". */
static char *
describe_waterfall (const SeamWaterfall *waterfall)
{
  const char *end = waterfall->sentence != NULL ? strstr (waterfall->sentence, ". ") : NULL;

  if (end != NULL)
    return g_strndup (waterfall->sentence, (gsize)(end - waterfall->sentence));
  return g_strdup_printf ("From %c to %c", waterfall->letters[0], waterfall->letters[1]);
}

/* The ledger, and what its bytes are worth in time. */
static gboolean
add_traffic (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  SeamResult *result = source->results[0];
  g_autoptr (SeamProblem) problem = seam_explain_read_problem (result, error);
  g_autoptr (SeamPlan) a =
      problem != NULL ? seam_explain_read_plan (result, source->first, error) : NULL;
  g_autoptr (SeamPlan) b = NULL;
  g_autoptr (SeamWaterfall) waterfall = NULL;

  if (a == NULL)
    return FALSE;
  if (source->second >= 0) {
    b = seam_explain_read_plan (result, source->second, error);
    if (b == NULL)
      return FALSE;
    waterfall = seam_waterfall_new (result, source->first, source->second, NULL);
  }
  g_autoptr (SeamTrafficLedger) ledger =
      seam_traffic_ledger_new (problem, a, b, result, source->first, source->second, NULL);
  g_autoptr (SeamTable) table = seam_ledger_table_make (ledger);
  add (pictures, describe_traffic (ledger),
       seam_table_figure_new (table, width, g_strdup ("Traffic ledger")));
  if (waterfall != NULL) {
    char *headline = describe_waterfall (waterfall);

    add (pictures, headline,
         seam_waterfall_figure_new (waterfall, width, measure_room (headline, width)));
  }
  return TRUE;
}

/* The plot alone: what its numbers are stands in the table of the page. */
static gboolean
add_roofline (GPtrArray *pictures, const SeamProductSource *source, double width, GError **error)
{
  g_autoptr (SeamRoofline) roofline =
      seam_roofline_new (source->results[0], source->first, source->second, error);

  if (roofline == NULL)
    return FALSE;
  add (pictures, NULL, seam_roofline_figure_new (roofline, width, measure_room (NULL, width)));
  return TRUE;
}

/* Any other product is shown as it is written. */
static gboolean
add_whole (GPtrArray *pictures, const SeamProduct *product, const SeamProductSource *source,
           double width, GError **error)
{
  SeamFigure *figure =
      product->make_page != NULL
          ? product->make_page (source->results[0], source->first, source->second, width, error)
          : product->make_figure (source, width, error);

  if (figure != NULL)
    add (pictures, NULL, figure);
  return figure != NULL;
}

GPtrArray *
seam_slide_pictures_new (const SeamProduct *product, const SeamProductSource *source, double width,
                         GError **error)
{
  static const struct {
    const char *product;
    gboolean (*add) (GPtrArray *pictures, const SeamProductSource *source, double width,
                     GError **error);
  } own[] = {
    { "timing", add_timing },
    { "difference", add_difference },
    { "traffic", add_traffic },
    { "roofline", add_roofline },
  };
  g_autoptr (GPtrArray) pictures = g_ptr_array_new_with_free_func (free_picture);

  for (gsize i = 0; i < G_N_ELEMENTS (own); i++)
    if (strcmp (own[i].product, product->name) == 0)
      return own[i].add (pictures, source, width, error) ? g_steal_pointer (&pictures) : NULL;
  return add_whole (pictures, product, source, width, error) ? g_steal_pointer (&pictures) : NULL;
}
