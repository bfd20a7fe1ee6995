/* SPDX-License-Identifier: MIT
 *
 * Presenting a lesson that other people wrote: every slide covered, with predictions of the class,
 * and uncovered. In a search one slide is painted, since painting takes longest.
 */
#include "app/lesson/deck.h"
#include "tests/fuzz/fuzz.h"

#include <cairo.h>

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  fuzz_init ();
  return 0;
}

static void
draw (SeamDeck *deck, guint slide, gboolean paints)
{
  g_autoptr (SeamFigure) figure = seam_deck_draw (deck, slide, TRUE);
  cairo_surface_t *surface;
  cairo_t *cr;

  fuzz_take_text (seam_figure_summarize (figure));
  if (!paints)
    return;
  surface = cairo_recording_surface_create (CAIRO_CONTENT_COLOR, NULL);
  cr = cairo_create (surface);
  seam_figure_draw (figure, cr, seam_palette_get_for_slides (FALSE, FALSE));
  g_assert_cmpint (cairo_status (cr), ==, CAIRO_STATUS_SUCCESS);
  cairo_destroy (cr);
  cairo_surface_destroy (surface);
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_autofree char *valid = g_utf8_make_valid (text, -1);
  SeamLesson *lesson = seam_lesson_parse (valid, "fuzz", NULL);
  g_autoptr (SeamDeck) deck = NULL;
  guint chosen;

  if (lesson == NULL)
    return -1;
  deck = seam_deck_new_for_lesson (lesson, 0);
  if (seam_deck_get_n (deck) == 0)
    return 0;
  chosen = g_str_hash (text) % seam_deck_get_n (deck);
  for (guint i = 0; i < seam_deck_get_n (deck); i++) {
    gboolean paints = !fuzz_is_search () || i == chosen;

    if (!paints && fuzz_is_search () && i % 8 != chosen % 8)
      continue;
    draw (deck, i, paints);
    if (!seam_deck_asks (deck, i))
      continue;
    fuzz_take_text (seam_deck_add_predictions (deck, i, "1 2 0.5 -3 1e300 nan 7 x"));
    draw (deck, i, FALSE);
    seam_deck_set_covered (deck, i, FALSE);
    draw (deck, i, paints);
    seam_deck_set_covered (deck, i, TRUE);
  }
  return 0;
}
