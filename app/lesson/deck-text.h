/* SPDX-License-Identifier: MIT
 *
 * The texts of a step for slides: its paragraphs, how many of them fit one slide, and its numbers.
 * Internal to app/lesson/.
 */
#pragma once

#include "app/figure/slide.h"
#include "app/lesson/lesson.h"

G_BEGIN_DECLS

/* The blocks of a document as plain paragraphs (char *); items of lists have a bullet or number. */
GPtrArray *seam_deck_text_read (const SeamMarkdown *document);
/* All of them, a line each; newly allocated. */
char *seam_deck_text_join (GPtrArray *blocks);
/* Takes as many blocks from the start as fit the room of the slide in a size that is easy to read,
 * and removes them; a paragraph that is too long alone is broken. Newly allocated; `size` receives
 * the size. */
char *seam_deck_text_take (GPtrArray *blocks, const SeamSlide *slide, double *size);

/* What one may use, in a line; `facts` NULL: nothing is known. Newly allocated. */
char *seam_deck_text_format_facts (const SeamLessonStep *step, const SeamLessonFacts *facts);
/* "2.46× faster than A" and its interval, if the time of another plan is asked for; else NULL.
 * Newly allocated. */
void seam_deck_text_describe_verdict (const SeamLessonStep *step, const SeamLessonFacts *facts,
                                      char **beside, char **note);

G_END_DECLS
