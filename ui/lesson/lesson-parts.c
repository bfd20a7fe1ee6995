/* SPDX-License-Identifier: MIT */
#include "ui/lesson/lesson-parts.h"

#include "ui/widgets/label.h"
#include "ui/widgets/wrap-box.h"

#define MARK_SIZE 14 /* px */

GtkWidget *
seam_lesson_mark_new (SeamLessonMark mark)
{
  g_autofree char *name = g_strdup_printf ("seam-mark-%s-symbolic", seam_lesson_marks[mark].name);

  return g_object_new (GTK_TYPE_IMAGE, "icon-name", name, "pixel-size", MARK_SIZE, NULL);
}

/* "Step 5, predict, skipped: And with the convolution fused, too?" */
static char *
describe_step (SeamLessonPlayer *player, const SeamLessonStep *step, int i, SeamLessonMark mark)
{
  g_autofree char *title = seam_formula_fill (step->title, player->facts);
  g_autofree char *kind = g_ascii_strdown (seam_choice_get_title (seam_step_kinds, step->kind), -1);

  return g_strdup_printf ("Step %d, %s, %s: %s", i + 1, kind,
                          seam_choice_get_title (seam_lesson_marks, mark), title);
}

GtkWidget *
seam_lesson_marks_new (SeamLessonPlayer *player)
{
  GtkWidget *box = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 0, NULL);
  const SeamLesson *lesson = player->lesson;
  const SeamLessonAnswers *answers = player->answers;

  for (int i = 0; i < (int)lesson->steps->len; i++) {
    SeamLessonMark mark = seam_lesson_get_mark (lesson, answers, i);
    g_autofree char *words = describe_step (player, lesson->steps->pdata[i], i, mark);
    g_autofree char *action = g_strdup_printf ("win.lesson-go(%d)", i);
    /* What comes later is reached step by step, because it may tell an answer. */
    GtkWidget *button =
        seam_button_new ("", i == answers->step ? "flat lesson-mark now" : "flat lesson-mark",
                         words, i <= answers->furthest ? action : NULL);
    gtk_button_set_child (GTK_BUTTON (button), seam_lesson_mark_new (mark));
    gtk_widget_set_sensitive (button, i <= answers->furthest);
    seam_widget_set_name (button, words);
    gtk_widget_set_parent (button, box);
  }
  return box;
}

GtkWidget *
seam_lesson_counts_new (const SeamLesson *lesson, const SeamLessonAnswers *answers)
{
  GtkWidget *box = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 10, NULL);
  int counts[SEAM_N_MARKS] = { 0 };
  g_autoptr (GString) all = g_string_new (NULL);

  for (int i = 0; lesson != NULL && i < (int)lesson->steps->len; i++)
    counts[seam_lesson_get_mark (lesson, answers, i)]++;
  for (int i = 0; i < SEAM_N_MARKS; i++) {
    SeamLessonMark mark = (SEAM_MARK_CHECKED + i) % SEAM_N_MARKS;
    const char *title = seam_choice_get_title (seam_lesson_marks, mark);
    g_autofree char *words =
        lesson == NULL ? g_strdup (title) : g_strdup_printf ("%d %s", counts[mark], title);
    if (lesson != NULL && (mark == SEAM_MARK_NOTHING || counts[mark] == 0))
      continue;
    gtk_widget_set_parent (seam_box_new (GTK_ORIENTATION_HORIZONTAL, 4, NULL,
                                         seam_lesson_mark_new (mark),
                                         seam_label_new (words, "small-text dim-label", 0), NULL),
                           box);
    g_string_append_printf (all, "%s%s", all->len > 0 ? ", " : "", words);
  }
  gtk_widget_set_tooltip_text (box, lesson != NULL ? all->str : NULL);
  return box;
}

GtkWidget *
seam_lesson_rows_new (void)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  return list;
}

GtkWidget *
seam_lesson_row_new (GtkWidget *list, GtkWidget *lead, const char *title, const char *note,
                     GtkWidget *end, const char *spoken)
{
  GtkWidget *words = seam_box_new (
      GTK_ORIENTATION_VERTICAL, 2, NULL,
      seam_label_new (title, note != NULL ? "heading" : NULL, SEAM_LABEL_WRAPS), NULL);
  GtkWidget *box = seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, "lesson-row", words, end, NULL);
  GtkWidget *row = g_object_new (GTK_TYPE_LIST_BOX_ROW, "child", box, "activatable", FALSE, NULL);

  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  if (note != NULL)
    gtk_box_append (GTK_BOX (words), seam_label_new (note, "small-text", SEAM_LABEL_WRAPS));
  if (lead != NULL)
    gtk_box_prepend (GTK_BOX (box), lead);
  seam_widget_set_name (row, spoken);
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  return row;
}

void
seam_lesson_row_lead_to (GtkWidget *row, int step)
{
  g_autofree char *action = g_strdup_printf ("win.lesson-go(%d)", step);

  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), TRUE);
  seam_widget_set_action (row, action);
}

char *
seam_lesson_get_plain (const char *sentence)
{
  g_autoptr (SeamMarkdown) tree = sentence != NULL ? seam_markdown_parse (sentence) : NULL;

  return tree != NULL ? seam_markdown_get_words (tree) : NULL;
}

char *
seam_lesson_draw_points (int points)
{
  GString *dots = g_string_new (NULL);

  for (int i = 0; i < SEAM_SCORE_MOST; i++)
    g_string_append (dots, i < points ? "●" : "○");
  return g_string_free (dots, FALSE);
}

int
seam_lesson_find_number (const GPtrArray *lessons, const SeamLesson *lesson)
{
  for (guint i = 0; i < lessons->len && !lesson->is_own; i++)
    if (g_str_equal (((const SeamLesson *)lessons->pdata[i])->name, lesson->name))
      return (int)i + 1;
  return 0;
}
