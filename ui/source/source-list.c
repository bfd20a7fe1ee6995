/* SPDX-License-Identifier: MIT
 *
 * The list of groups: see source-list.h.
 */
#include "ui/source/source-list.h"

#include "ui/widgets/label.h"
#include "ui/widgets/list-rows.h"
#include "ui/widgets/template.h"

#define NARROW_HEIGHT 150 /* of the list in a narrow window, px */

struct _SeamSourceList {
  AdwBin parent_instance;

  GtkScrolledWindow *window;
  GtkListBox *groups;
  SeamSourceSubject *subject;
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (SeamSourceList, seam_source_list, ADW_TYPE_BIN)

char *
seam_source_name_ops (const SeamChain *chain, const SeamGroupCode *group, const SeamSource *source)
{
  int first = source != NULL ? source->first_op : group->first;
  int last = source != NULL ? source->last_op : group->last;
  GString *text = g_string_new (NULL);

  for (int op = first; op <= last && op < chain->n_ops; op++)
    g_string_append_printf (text, "%s%s", op > first ? " + " : "", chain->ops[op].label);
  return g_string_free (text, FALSE);
}

/* --- Rows --- */

#define KEY_PLACE "seam-place"

static void
set_place (GtkWidget *row, SeamSourcePlace place)
{
  g_object_set_data_full (G_OBJECT (row), KEY_PLACE, g_memdup2 (&place, sizeof place), g_free);
}

/* NULL: the row is a heading. */
static const SeamSourcePlace *
get_place (GtkWidget *row)
{
  return g_object_get_data (G_OBJECT (row), KEY_PLACE);
}

static gboolean
is_at (GtkWidget *row, SeamSourcePlace place)
{
  const SeamSourcePlace *at = get_place (row);

  return at->plan == place.plan && at->group == place.group && at->part == place.part;
}

static GtkWidget *
make_heading (const SeamPlanCode *code, int plan)
{
  g_autofree char *text =
      g_strdup_printf ("%c  %s", 'A' + plan, code->name != NULL ? code->name : code->notation);
  GtkWidget *row = gtk_list_box_row_new ();

  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row),
                              seam_label_new (text, "heading", SEAM_LABEL_SHORTENS));
  gtk_list_box_row_set_selectable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), FALSE);
  gtk_widget_set_focusable (row, FALSE);
  seam_list_row_set_texts (row, text, code->notation);
  return row;
}

static GtkWidget *
make_labels (const char *above, const char *below)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 0);

  gtk_box_append (GTK_BOX (box), seam_label_new (above, "pipeline-name", SEAM_LABEL_SHORTENS));
  gtk_box_append (GTK_BOX (box), seam_label_new (below, "dim-label note", SEAM_LABEL_SHORTENS));
  return box;
}

static GtkWidget *
make_row (SeamSourceList *self, SeamSourcePlace place)
{
  const SeamCode *code = seam_source_subject_get_code (self->subject);
  const SeamGroupCode *group = &code->plans[place.plan].groups[place.group];
  const SeamSource *source =
      place.part < (int)group->sources->len ? group->sources->pdata[place.part] : NULL;
  g_autofree char *ops = seam_source_name_ops (
      seam_source_subject_get_chain (self->subject, place.plan), group, source);
  g_autofree char *below = g_strdup_printf ("group %d · %s", place.group + 1,
                                            source != NULL ? source->title : "no code");
  g_autofree char *name = g_strdup_printf ("%c: %s, %s", 'A' + place.plan, ops, below);
  GtkWidget *row = gtk_list_box_row_new ();

  seam_list_row_set_texts (row, name, ops);
  gtk_list_box_row_set_child (GTK_LIST_BOX_ROW (row), make_labels (ops, below));
  set_place (row, place);
  return row;
}

/* --- The list --- */

/* Headings and rows for the code as it is now. */
static GPtrArray *
make_rows (SeamSourceList *self)
{
  const SeamCode *code = seam_source_subject_get_code (self->subject);
  GPtrArray *rows = g_ptr_array_new_with_free_func (g_object_unref);

  for (int p = 0; code != NULL && p < code->n_plans; p++) {
    g_ptr_array_add (rows, g_object_ref_sink (make_heading (&code->plans[p], p)));
    for (int g = 0; g < code->plans[p].n_groups; g++) {
      int n = (int)code->plans[p].groups[g].sources->len;
      for (int part = 0; part < MAX (n, 1); part++)
        g_ptr_array_add (rows,
                         g_object_ref_sink (make_row (self, (SeamSourcePlace){ p, g, part })));
    }
  }
  return rows;
}

/* The row of the place, else the first row; NULL: there are no rows. */
static GtkListBoxRow *
find_row (SeamSourceList *self, SeamSourcePlace place)
{
  GtkWidget *first = NULL;

  for (GtkWidget *row = gtk_widget_get_first_child (GTK_WIDGET (self->groups)); row != NULL;
       row = gtk_widget_get_next_sibling (row)) {
    if (get_place (row) == NULL)
      continue;
    if (is_at (row, place))
      return GTK_LIST_BOX_ROW (row);
    first = first != NULL ? first : row;
  }
  return first != NULL ? GTK_LIST_BOX_ROW (first) : NULL;
}

/* The selected row is visible in a list that is filled or gets another height. Called when layout
 * has ended, because the rows have their places only then. */
static void
resized_cb (SeamSourceList *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->groups);
  graphene_rect_t bounds;

  if (row != NULL
      && gtk_widget_compute_bounds (GTK_WIDGET (row), GTK_WIDGET (self->groups), &bounds))
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (self->window), bounds.origin.y,
                               bounds.origin.y + bounds.size.height);
}

/* Selects the chosen group, else one that has code. */
static void
code_cb (SeamSourceList *self)
{
  SeamSourcePlace place = seam_source_subject_find_place (self->subject);
  g_autoptr (GPtrArray) rows = make_rows (self);
  GtkListBoxRow *row;

  self->is_filling = TRUE;
  seam_list_rows_fill (self->groups, rows);
  row = find_row (self, place);
  if (row != NULL)
    gtk_list_box_select_row (self->groups, row);
  self->is_filling = FALSE;
  seam_source_subject_set_place (self->subject,
                                 row != NULL ? *get_place (GTK_WIDGET (row)) : place);
}

static void
row_selected_cb (GtkListBox *box, GtkListBoxRow *row, SeamSourceList *self)
{
  const SeamSourcePlace *place = row != NULL ? get_place (GTK_WIDGET (row)) : NULL;

  if (!self->is_filling && place != NULL)
    seam_source_subject_choose_place (self->subject, *place);
}

void
seam_source_list_set_narrow (SeamSourceList *self, gboolean narrow)
{
  gtk_scrolled_window_set_min_content_height (self->window, narrow ? NARROW_HEIGHT : -1);
  gtk_widget_set_vexpand (GTK_WIDGET (self->window), !narrow);
}

/* --- Object --- */

static void
seam_source_list_class_init (SeamSourceListClass *klass)
{
  SEAM_OWNS (klass, SeamSourceList, g_object_unref, subject);
  SEAM_TEMPLATE (klass, SeamSourceList, "source-list.ui", groups, window);
}

static void
seam_source_list_init (SeamSourceList *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  g_signal_connect (self->groups, "row-selected", G_CALLBACK (row_selected_cb), self);
  seam_watch (self, G_CALLBACK (resized_cb), gtk_scrolled_window_get_vadjustment (self->window),
              "upper page-size", NULL);
}

void
seam_source_list_follow (SeamSourceList *self, SeamSourceSubject *subject)
{
  self->subject = g_object_ref (subject);
  seam_watch_now (self, G_CALLBACK (code_cb), subject, "code");
}
