/* SPDX-License-Identifier: MIT */
#include "ui/lesson/lesson-parts.h"

#include "ui/widgets/label.h"
#include "ui/widgets/wrap-box.h"

#define MARK_SIZE 14 /* px */

GtkWidget *
seam_lesson_mark_new (SeamLessonMark mark)
{
  g_autofree char *name = g_strdup_printf ("seam-mark-%s-symbolic", seam_lesson_marks[mark].name);
  GtkWidget *image = gtk_image_new_from_icon_name (name);

  gtk_image_set_pixel_size (GTK_IMAGE (image), MARK_SIZE);
  return image;
}

/* "Step 5, predict, skipped: And with the convolution fused, too?" */
static char *
describe_step (SeamLessonPlayer *player, int i)
{
  const SeamLessonStep *step =
      seam_lesson_get_step (seam_lesson_player_get_lesson (player), (guint)i);
  SeamLessonMark mark = seam_lesson_player_get_mark (player, i);
  g_autofree char *title = seam_formula_fill (step->title, seam_lesson_player_get_facts (player));
  g_autofree char *kind = g_ascii_strdown (seam_choice_get_title (seam_step_kinds, step->kind), -1);

  return g_strdup_printf ("Step %d, %s, %s: %s", i + 1, kind,
                          seam_choice_get_title (seam_lesson_marks, mark), title);
}

void
seam_lesson_lead_to (gpointer button, int step)
{
  if (GTK_IS_LIST_BOX_ROW (button))
    gtk_list_box_row_set_activatable (button, TRUE);
  gtk_actionable_set_action_target (button, "i", step);
  gtk_actionable_set_action_name (button, "win.lesson-go");
}

GtkWidget *
seam_lesson_marks_new (SeamLessonPlayer *player)
{
  GtkWidget *box = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 0, NULL);
  int n = (int)seam_lesson_player_get_lesson (player)->steps->len;

  for (int i = 0; i < n; i++) {
    GtkWidget *button = gtk_button_new ();
    g_autofree char *words = describe_step (player, i);
    gtk_button_set_child (GTK_BUTTON (button),
                          seam_lesson_mark_new (seam_lesson_player_get_mark (player, i)));
    gtk_widget_add_css_class (button, "flat");
    gtk_widget_add_css_class (button, "lesson-mark");
    if (i == seam_lesson_player_get_index (player))
      gtk_widget_add_css_class (button, "now");
    gtk_widget_set_tooltip_text (button, words);
    gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL, words,
                                    -1);
    /* What comes later is reached step by step, because it may tell an answer. */
    if (i <= seam_lesson_player_get_furthest (player))
      seam_lesson_lead_to (button, i);
    else
      gtk_widget_set_sensitive (button, FALSE);
    gtk_widget_set_parent (button, box);
  }
  return box;
}

GtkWidget *
seam_lesson_counts_new (SeamLessonPlayer *player)
{
  GtkWidget *box = g_object_new (SEAM_TYPE_WRAP_BOX, "spacing", 10, NULL);
  int counts[SEAM_N_MARKS] = { 0 };

  for (guint i = 0; i < seam_lesson_player_get_lesson (player)->steps->len; i++)
    counts[seam_lesson_player_get_mark (player, (int)i)]++;
  for (int mark = SEAM_MARK_NOTHING + 1; mark < SEAM_N_MARKS; mark++) {
    GtkWidget *pair = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 4);
    g_autofree char *words =
        g_strdup_printf ("%d %s", counts[mark], seam_choice_get_title (seam_lesson_marks, mark));
    gtk_box_append (GTK_BOX (pair), seam_lesson_mark_new (mark));
    gtk_box_append (GTK_BOX (pair), seam_label_new (words, "small-text dim-label", 0));
    gtk_widget_set_visible (pair, counts[mark] > 0);
    gtk_widget_set_parent (pair, box);
  }
  return box;
}

GtkWidget *
seam_lesson_list_new (void)
{
  GtkWidget *list = gtk_list_box_new ();

  gtk_list_box_set_selection_mode (GTK_LIST_BOX (list), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (list, "boxed-list");
  gtk_widget_add_css_class (list, "compact-rows");
  return list;
}

GtkWidget *
seam_lesson_row_new (GtkWidget *list, GtkWidget *lead, const char *title, const char *note,
                     GtkWidget *end, const char *spoken)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *words = gtk_box_new (GTK_ORIENTATION_VERTICAL, 2);
  GtkWidget *row = gtk_list_box_row_new ();
  g_autofree char *plain = seam_lesson_get_plain (note);

  gtk_widget_set_hexpand (words, TRUE);
  gtk_widget_set_valign (words, GTK_ALIGN_CENTER);
  gtk_box_append (GTK_BOX (words),
                  seam_label_new (title, plain != NULL ? "heading" : NULL, SEAM_LABEL_WRAPS));
  if (plain != NULL)
    gtk_box_append (GTK_BOX (words), seam_label_new (plain, "small-text", SEAM_LABEL_WRAPS));
  if (lead != NULL)
    gtk_box_append (GTK_BOX (box), lead);
  gtk_box_append (GTK_BOX (box), words);
  if (end != NULL)
    gtk_box_append (GTK_BOX (box), end);
  gtk_widget_add_css_class (box, "lesson-row");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), box);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, spoken, -1);
  gtk_list_box_append (GTK_LIST_BOX (list), row);
  return row;
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
