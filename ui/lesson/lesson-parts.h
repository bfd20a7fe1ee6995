/* SPDX-License-Identifier: MIT
 *
 * Parts that the lesson's pane, its last page and the list of lessons share: marks of steps, rows,
 * points in dots.
 */
#pragma once

#include "ui/lesson/lesson-player.h"

#include <gtk/gtk.h>

/* A mark is a shape of its own in the text's colour; its words are in seam_lesson_marks. */
GtkWidget *seam_lesson_mark_new (SeamLessonMark mark);
/* Marks of all steps, as buttons that lead to them; arrow keys walk them. */
GtkWidget *seam_lesson_marks_new (SeamLessonPlayer *player);
/* Marks with their words: "1 checked", "2 open", how many steps have which; without a lesson, what
 * each of them means. The tooltip has all counts in a line. */
GtkWidget *seam_lesson_counts_new (const SeamLesson *lesson, const SeamLessonAnswers *answers);

GtkWidget *seam_lesson_rows_new (void);
/* Appends a row that is read aloud as `spoken`: `lead` at the left (NULL: nothing), a title with a
 * note below it (NULL: none), and `end` at the right (NULL: nothing). Borrowed. */
GtkWidget *seam_lesson_row_new (GtkWidget *list, GtkWidget *lead, const char *title,
                                const char *note, GtkWidget *end, const char *spoken);
/* The row leads to this step, from 0. */
void seam_lesson_row_lead_to (GtkWidget *row, int step);
/* The words of a sentence in Markdown; newly allocated, NULL for NULL. */
char *seam_lesson_get_plain (const char *sentence);

/* "●○○", of SEAM_SCORE_MOST; newly allocated. */
char *seam_lesson_draw_points (int points);
/* The place of the lesson among those that came with the program, from 1; 0: it is none of them. */
int seam_lesson_find_number (const GPtrArray *lessons, const SeamLesson *lesson);
