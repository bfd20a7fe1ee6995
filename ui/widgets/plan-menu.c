/* SPDX-License-Identifier: MIT
 *
 * The plan's button and popover. Choosing closes the popover; an entry that does not parse keeps it
 * open and the old plan in place.
 */
#include "ui/widgets/plan-menu.h"

#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/label.h"
#include "ui/widgets/plan-choice.h"

/* Height of the list of named plans, which scrolls beyond it, so that the popover fits a low
 * window. */
#define NAMES_HEIGHT 380

struct _SeamPlanMenu {
  AdwBin parent_instance;

  SeamModel *model;
  int index;
  char *shown; /* the notation that the entry got last */
  gboolean filling;

  GtkWidget *button;
  GtkWidget *popover;
  GtkWidget *names; /* GtkListBox */
  GtkWidget *choice;
  GtkWidget *entry;
  GtkWidget *error;
  GtkWidget *use;
  GtkWidget *more; /* of plan B */
};

G_DEFINE_FINAL_TYPE (SeamPlanMenu, seam_plan_menu, ADW_TYPE_BIN)

const char *
seam_plan_menu_get_title (const SeamPlan *plan)
{
  const char *title = seam_plan_get_title (plan);

  return strcmp (title, plan->notation) == 0 ? "Own plan" : title;
}

static void
set_error (SeamPlanMenu *self, const char *text)
{
  gtk_label_set_text (GTK_LABEL (self->error), text != NULL ? text : "");
  gtk_widget_set_visible (self->error, text != NULL);
  gtk_widget_set_sensitive (self->use, text == NULL);
  seam_css_class_set (self->entry, "error", text != NULL);
  gtk_accessible_update_state (
      GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_STATE_INVALID,
      text != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
}

static void
entry_changed_cb (GtkEditable *editable, SeamPlanMenu *self)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamPlan) plan = NULL;

  if (self->filling)
    return;
  plan = seam_setup_parse_plan (self->model->setup, gtk_editable_get_text (editable), &error);
  set_error (self, plan == NULL ? error->message : NULL);
}

static void
use_entry_cb (SeamPlanMenu *self)
{
  g_autoptr (GError) error = NULL;

  if (seam_setup_set_plan_text (self->model->setup, self->index,
                                gtk_editable_get_text (GTK_EDITABLE (self->entry)), &error))
    gtk_popover_popdown (GTK_POPOVER (self->popover));
  else
    set_error (self, error->message);
}

static void
name_activated_cb (GtkListBox *list, GtkListBoxRow *row, SeamPlanMenu *self)
{
  g_autoptr (GError) error = NULL;
  const char *name = g_object_get_data (G_OBJECT (row), "name");

  gtk_popover_popdown (GTK_POPOVER (self->popover));
  if (!seam_setup_set_plan_text (self->model->setup, self->index, name, &error))
    g_warning ("%s", error->message);
}

/* On plan B: adds a similar plan C, to be changed. On plan C: removes it. */
static void
third_cb (SeamPlanMenu *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  seam_setup_set_third_plan (self->model->setup,
                             self->index == 1 ? seam_setup_get_plan (self->model->setup, 1) : NULL);
}

static void
copy_other_cb (SeamPlanMenu *self)
{
  gtk_popover_popdown (GTK_POPOVER (self->popover));
  seam_setup_set_plan (self->model->setup, self->index,
                       seam_setup_get_plan (self->model->setup, !self->index));
}

static void
add_line (GtkWidget *grid, int row, const char *text, const char *css_class)
{
  GtkWidget *label = seam_label_new (text, "dim-label note",
                                     css_class == NULL ? SEAM_LABEL_WRAPS : SEAM_LABEL_SHORTENS);

  gtk_label_set_max_width_chars (GTK_LABEL (label), 56);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
  gtk_grid_attach (GTK_GRID (grid), label, 0, row, 1, 1);
}

/* The chosen plan has a tick. Below a plan's name are its description and notation, and for an
 * exhibit its mistake. */
static GtkWidget *
make_name_row (SeamPlanMenu *self, const SeamPlan *plan, const char *name)
{
  const SeamPlan *chosen = seam_setup_get_plan (self->model->setup, self->index);
  GtkWidget *row = gtk_list_box_row_new ();
  GtkWidget *grid = gtk_grid_new ();
  const char *title = seam_plan_menu_get_title (plan);
  g_autofree char *sentence = seam_plan_describe (plan);
  g_autofree char *detail = sentence != NULL ? g_strdup_printf ("%s · %s", plan->notation, sentence)
                                             : g_strdup (plan->notation);
  GtkWidget *title_label = seam_label_new (title, NULL, 0);
  GtkWidget *tick = gtk_image_new_from_icon_name ("object-select-symbolic");

  gtk_widget_set_hexpand (title_label, TRUE);
  gtk_widget_set_opacity (tick, seam_plan_equal (plan, chosen) ? 1 : 0);
  gtk_grid_set_column_spacing (GTK_GRID (grid), 12);
  gtk_grid_attach (GTK_GRID (grid), title_label, 0, 0, 1, 1);
  gtk_grid_attach (GTK_GRID (grid), tick, 1, 0, 1, 2);
  if (sentence != NULL)
    add_line (grid, 1, sentence, NULL);
  if (plan->chain == 0)
    add_line (grid, 2, plan->notation, "plan-notation");
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), grid);
  if (plan->chain > 0)
    gtk_widget_set_tooltip_text (row, plan->notation);
  g_object_set_data_full (G_OBJECT (row), "name", g_strdup (name), g_free);
  g_object_set_data (G_OBJECT (row), "exhibit", GINT_TO_POINTER (plan->chain > 0));
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, title,
                                  GTK_ACCESSIBLE_PROPERTY_DESCRIPTION, detail, -1);
  return row;
}

/* The exhibits are a section of their own. */
static void
update_header_cb (GtkListBoxRow *row, GtkListBoxRow *before, gpointer data)
{
  gboolean exhibit = g_object_get_data (G_OBJECT (row), "exhibit") != NULL;
  gboolean first = before == NULL || g_object_get_data (G_OBJECT (before), "exhibit") == NULL;
  GtkWidget *label;

  if (!exhibit || !first) {
    gtk_list_box_row_set_header (row, NULL);
    return;
  }
  label = seam_label_new ("Exhibits, wrong on purpose", "heading", 0);
  gtk_widget_set_margin_top (label, 10);
  gtk_widget_set_margin_bottom (label, 4);
  gtk_widget_set_margin_start (label, 8);
  gtk_list_box_row_set_header (row, label);
}

static void
show_notation (SeamPlanMenu *self)
{
  self->filling = TRUE;
  g_free (self->shown);
  self->shown = g_strdup (seam_setup_get_plan (self->model->setup, self->index)->notation);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), self->shown);
  self->filling = FALSE;
  set_error (self, NULL);
}

static void
popover_shown_cb (GtkWidget *popover, SeamPlanMenu *self)
{
  SeamPipeline *pipeline = seam_setup_get_pipeline (self->model->setup);
  g_auto (GStrv) names = seam_plan_list_names (pipeline);
  const SeamPlan *chosen = seam_setup_get_plan (self->model->setup, self->index);
  GtkWidget *row, *first = NULL, *current = NULL;

  while ((row = gtk_widget_get_first_child (self->names)) != NULL)
    gtk_list_box_remove (GTK_LIST_BOX (self->names), row);
  for (int i = 0; names[i] != NULL; i++) {
    g_autoptr (SeamPlan) plan = seam_plan_parse (pipeline, names[i], NULL);
    if (plan == NULL)
      continue;
    row = make_name_row (self, plan, names[i]);
    gtk_list_box_append (GTK_LIST_BOX (self->names), row);
    if (first == NULL)
      first = row;
    if (seam_plan_equal (plan, chosen))
      current = row;
  }
  seam_plan_choice_update (SEAM_PLAN_CHOICE (self->choice));
  show_notation (self);
  /* The arrow keys begin at the chosen plan, as in a drop-down. */
  if (first != NULL)
    gtk_widget_grab_focus (current != NULL ? current : first);
}

static void
update_title (SeamPlanMenu *self)
{
  const SeamPlan *plan = seam_setup_get_plan (self->model->setup, self->index);

  /* There is no plan C. */
  if (plan == NULL)
    return;
  const char *title = seam_plan_menu_get_title (plan);
  g_autofree char *label = g_strdup_printf ("Plan %c: %s", 'A' + self->index, title);

  gtk_menu_button_set_label (GTK_MENU_BUTTON (self->button), title);
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->button), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  label, -1);
}

static void
plans_changed_cb (SeamPlanMenu *self)
{
  SeamSetup *choice = self->model->setup;
  const SeamPlan *plan = seam_setup_get_plan (choice, self->index);

  update_title (self);
  /* If it is another plan's change, what a person types here stays, and the sentence about it. */
  if (gtk_widget_get_visible (self->popover) && plan != NULL
      && g_strcmp0 (plan->notation, self->shown) != 0)
    show_notation (self);
  if (self->more != NULL)
    gtk_widget_set_sensitive (self->more, seam_setup_get_n_plans (choice) < SEAM_MAX_CHOSEN_PLANS);
}

static void
seam_plan_menu_class_init (SeamPlanMenuClass *klass)
{
  SEAM_OWNS (klass, SeamPlanMenu, g_object_unref, model);
  SEAM_OWNS (klass, SeamPlanMenu, g_free, shown);
}

static GtkWidget *
make_third (SeamPlanMenu *self)
{
  GtkWidget *button =
      gtk_button_new_with_label (self->index == 1 ? "Add plan C, a copy of B" : "Leave plan C out");

  gtk_widget_set_tooltip_text (button, self->index == 1
                                           ? "One more plan, measured in turn with A and B"
                                           : "A and B stay; Ctrl+Z brings it back");
  gtk_widget_add_css_class (button, "flat");
  gtk_widget_set_halign (gtk_button_get_child (GTK_BUTTON (button)), GTK_ALIGN_START);
  g_signal_connect_swapped (button, "clicked", G_CALLBACK (third_cb), self);
  if (self->index == 1)
    self->more = button;
  return button;
}

static GtkWidget *
make_popover (SeamPlanMenu *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *line = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 6);
  g_autofree char *copy_text =
      g_strdup_printf ("Copy plan %c to %c", 'A' + !self->index, 'A' + self->index);
  GtkWidget *copy = gtk_button_new_with_label (copy_text);
  GtkWidget *notation =
      seam_label_new ("Notation: + fused, | cut, @implementation", "dim-label note", 0);

  self->names = gtk_list_box_new ();
  gtk_list_box_set_selection_mode (GTK_LIST_BOX (self->names), GTK_SELECTION_NONE);
  gtk_widget_add_css_class (self->names, "plan-names");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->names), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Named plans", -1);
  gtk_list_box_set_header_func (GTK_LIST_BOX (self->names), update_header_cb, NULL, NULL);
  g_signal_connect (self->names, "row-activated", G_CALLBACK (name_activated_cb), self);
  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_NEVER,
                                  GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height (GTK_SCROLLED_WINDOW (scroller), TRUE);
  gtk_scrolled_window_set_max_content_height (GTK_SCROLLED_WINDOW (scroller), NAMES_HEIGHT);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), self->names);

  gtk_widget_add_css_class (copy, "flat");
  gtk_widget_set_halign (gtk_button_get_child (GTK_BUTTON (copy)), GTK_ALIGN_START);
  g_signal_connect_swapped (copy, "clicked", G_CALLBACK (copy_other_cb), self);

  self->entry = gtk_entry_new ();
  gtk_editable_set_width_chars (GTK_EDITABLE (self->entry), 46);
  gtk_widget_set_hexpand (self->entry, TRUE);
  gtk_widget_add_css_class (self->entry, "plan-notation");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->entry), GTK_ACCESSIBLE_PROPERTY_LABEL,
                                  "Plan notation", -1);
  g_signal_connect (self->entry, "changed", G_CALLBACK (entry_changed_cb), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (use_entry_cb), self);
  self->use = gtk_button_new_with_label ("Use");
  g_signal_connect_swapped (self->use, "clicked", G_CALLBACK (use_entry_cb), self);
  gtk_box_append (GTK_BOX (line), self->entry);
  gtk_box_append (GTK_BOX (line), self->use);

  self->error = seam_label_new (NULL, "error note", SEAM_LABEL_WRAPS);
  gtk_label_set_max_width_chars (GTK_LABEL (self->error), 56);

  gtk_box_append (GTK_BOX (box), scroller);
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append (GTK_BOX (box), copy);
  if (self->index > 0)
    gtk_box_append (GTK_BOX (box), make_third (self));
  gtk_box_append (GTK_BOX (box), gtk_separator_new (GTK_ORIENTATION_HORIZONTAL));
  self->choice = seam_plan_choice_new (self->model, self->index);
  gtk_box_append (GTK_BOX (box), self->choice);
  gtk_box_append (GTK_BOX (box), notation);
  gtk_box_append (GTK_BOX (box), line);
  gtk_box_append (GTK_BOX (box), self->error);

  GtkWidget *popover = gtk_popover_new ();
  gtk_popover_set_child (GTK_POPOVER (popover), box);
  g_signal_connect (popover, "show", G_CALLBACK (popover_shown_cb), self);
  return popover;
}

static void
seam_plan_menu_init (SeamPlanMenu *self)
{
}

GtkWidget *
seam_plan_menu_new (SeamModel *model, int index)
{
  SeamPlanMenu *self = g_object_new (SEAM_TYPE_PLAN_MENU, NULL);

  g_autofree char *letter = g_strdup_printf ("Plan %c:", 'A' + index);
  self->model = g_object_ref (model);
  self->index = index;
  self->button = gtk_menu_button_new ();
  gtk_menu_button_set_always_show_arrow (GTK_MENU_BUTTON (self->button), TRUE);
  gtk_widget_add_css_class (self->button, "plan-button");
  /* The button inside has the keyboard focus; GTK adds the text to its name: “Plan A: Unfused”. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (gtk_widget_get_first_child (self->button)),
                                  GTK_ACCESSIBLE_PROPERTY_LABEL, letter, -1);
  self->popover = make_popover (self);
  gtk_menu_button_set_popover (GTK_MENU_BUTTON (self->button), self->popover);
  adw_bin_set_child (ADW_BIN (self), self->button);
  update_title (self);
  seam_watch (self, G_CALLBACK (plans_changed_cb), model->setup, "pipeline plans", model->advice,
              "estimate", model->measurement, "result", NULL);
  return GTK_WIDGET (self);
}
