/* SPDX-License-Identifier: MIT
 *
 * Parts that the lesson's pane, its last page and the list of lessons share: marks of steps, rows,
 * points in dots.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* A mark is a shape of its own in the text's colour; its words are in seam_lesson_marks. */
GtkWidget *seam_lesson_mark_new (SeamLessonMark mark);
/* The button, or row, leads to this step, from 0. */
void seam_lesson_lead_to (gpointer button, int step);
/* Marks of all steps, as buttons that lead to them; arrow keys walk them. */
GtkWidget *seam_lesson_marks_new (SeamLessonPlayer *player);
/* "1 checked, 2 open" with the marks: how many steps have which. */
GtkWidget *seam_lesson_counts_new (SeamLessonPlayer *player);

GtkWidget *seam_lesson_list_new (void);
/* Appends a row that is read aloud as `spoken`: `lead` at the left (NULL: nothing), a title with a
 * note below it (Markdown; NULL: none), and `end` at the right (NULL: nothing). Borrowed. */
GtkWidget *seam_lesson_row_new (GtkWidget *list, GtkWidget *lead, const char *title,
                                const char *note, GtkWidget *end, const char *spoken);
/* The words of a sentence in Markdown; newly allocated, NULL for NULL. */
char *seam_lesson_get_plain (const char *sentence);

/* "●○○", of SEAM_SCORE_MOST; newly allocated. */
char *seam_lesson_draw_points (int points);

G_END_DECLS
