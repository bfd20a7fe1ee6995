/* SPDX-License-Identifier: MIT
 *
 * The column view around the rows: factories, sorters, header menu, selection, copying.
 */
#include "ui/table.h"

#include "ui/op-chips.h"
#include "ui/table-private.h"

#include <math.h>
#include <string.h>

#define MAX_COLUMNS 12

struct _SeamTable {
  AdwBin parent_instance;

  const SeamColumn *columns;
  int n_columns;
  gboolean narrow;
  gboolean hidden[MAX_COLUMNS]; /* by the person */
  gboolean selecting;           /* by program: emit nothing */
  char *pitfalls;               /* NULL: none */

  GtkColumnView *view;
  GtkColumnViewColumn *view_columns[MAX_COLUMNS];
  GListStore *store;
  GtkSingleSelection *selection; /* NULL when rows cannot be selected */
  GSimpleActionGroup *actions;
};

G_DEFINE_FINAL_TYPE (SeamTable, seam_table, ADW_TYPE_BIN)

enum { SIGNAL_ROW_SELECTED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Cells. */

static void
setup_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const SeamColumn *column = data;
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label),
                           column->numeric ? PANGO_ELLIPSIZE_NONE : PANGO_ELLIPSIZE_MIDDLE);
  if (column->min_chars > 0)
    gtk_label_set_width_chars (GTK_LABEL (label), column->min_chars);
  gtk_label_set_xalign (GTK_LABEL (label), column->numeric ? 1 : 0);
  gtk_widget_set_hexpand (label, TRUE);
  if (column->dim)
    gtk_widget_add_css_class (label, "dim-label");
  if (column->bold)
    gtk_widget_add_css_class (label, "bold");
  if (!column->shows_kinds) {
    gtk_list_item_set_child (item, label);
    return;
  }
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_HORIZONTAL, 10);
  gtk_box_append (GTK_BOX (box), seam_op_chips_new ());
  gtk_box_append (GTK_BOX (box), label);
  gtk_list_item_set_child (item, box);
}

/* A factory's data is a column of the static array; its place in it is the cell's number, which
 * the factory carries beside it. */
static int
get_column_index (GtkSignalListItemFactory *factory)
{
  return GPOINTER_TO_INT (g_object_get_data (G_OBJECT (factory), "column"));
}

static void
bind_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const SeamColumn *column = data;
  SeamTableRow *row = gtk_list_item_get_item (item);
  const SeamTableCell *cell = &row->cells[get_column_index (factory)];
  GtkWidget *label = gtk_list_item_get_child (item);

  if (column->shows_kinds) {
    seam_op_chips_set_kinds (SEAM_OP_CHIPS (gtk_widget_get_first_child (label)), row->kinds,
                             row->n_kinds);
    label = gtk_widget_get_last_child (label);
  }
  gtk_label_set_text (GTK_LABEL (label), cell->text != NULL ? cell->text : "");
  gtk_widget_set_tooltip_text (label, cell->tooltip);
  if (cell->css_class != NULL)
    gtk_widget_add_css_class (label, cell->css_class);
}

static void
unbind_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  SeamTableRow *row = gtk_list_item_get_item (item);
  const SeamTableCell *cell = &row->cells[get_column_index (factory)];
  GtkWidget *label = gtk_list_item_get_child (item);

  if (((const SeamColumn *)data)->shows_kinds)
    label = gtk_widget_get_last_child (label);
  if (cell->css_class != NULL)
    gtk_widget_remove_css_class (label, cell->css_class);
}

/* Ascending; unknown values after all others, equal ones in plan and launch order. */
static int
compare_rows_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const SeamTableRow *row_a = a, *row_b = b;
  int column = GPOINTER_TO_INT (data);
  const SeamTableCell *cell_a = &row_a->cells[column], *cell_b = &row_b->cells[column];
  gboolean known_a = !isnan (cell_a->value), known_b = !isnan (cell_b->value);

  if (known_a && known_b && cell_a->value != cell_b->value)
    return cell_a->value < cell_b->value ? -1 : 1;
  if (known_a != known_b)
    return known_a ? 1 : -1;
  if (!known_a) {
    int order = g_utf8_collate (cell_a->text != NULL ? cell_a->text : "",
                                cell_b->text != NULL ? cell_b->text : "");
    if (order != 0)
      return order;
  }
  if (row_a->plan != row_b->plan)
    return row_a->plan < row_b->plan ? -1 : 1;
  return row_a->index < row_b->index ? -1 : row_a->index > row_b->index;
}

/* Columns. */

static void
update_visible (SeamTable *self)
{
  for (int i = 0; i < self->n_columns; i++)
    gtk_column_view_column_set_visible (
        self->view_columns[i], !self->hidden[i] && !(self->narrow && self->columns[i].wide_only));
}

static void
column_toggled_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  SeamTable *self = data;
  const char *id = g_action_get_name (G_ACTION (action));

  for (int i = 0; i < self->n_columns; i++)
    if (strcmp (self->columns[i].id, id) == 0)
      self->hidden[i] = !g_variant_get_boolean (state);
  g_simple_action_set_state (action, state);
  update_visible (self);
}

/* Titles of numeric columns stand over their numbers. GTK 4.8 has no property for it; the header's
 * children are the columns' titles in order, each with one box inside. */
static void
align_header (SeamTable *self)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (self->view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;

  for (int i = 0; i < self->n_columns && title != NULL;
       i++, title = gtk_widget_get_next_sibling (title)) {
    GtkWidget *box = gtk_widget_get_first_child (title);
    if (!GTK_IS_BOX (box) || !self->columns[i].numeric)
      continue;
    gtk_widget_set_halign (box, GTK_ALIGN_END);
    /* The sort indicator takes room even when it is not shown: left of the title it moves nothing.
     */
    gtk_box_reorder_child_after (GTK_BOX (box), gtk_widget_get_first_child (box),
                                 gtk_widget_get_last_child (box));
  }
}

static void
add_column (SeamTable *self, int i, GMenuModel *menu)
{
  const SeamColumn *column = &self->columns[i];
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  gpointer data = (gpointer)column;

  g_object_set_data (G_OBJECT (factory), "column", GINT_TO_POINTER (i));
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell_cb), data);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell_cb), data);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell_cb), data);

  GtkColumnViewColumn *view_column = gtk_column_view_column_new (column->title, factory);
  g_autoptr (GtkSorter) sorter =
      GTK_SORTER (gtk_custom_sorter_new (compare_rows_cb, GINT_TO_POINTER (i), NULL));
  gtk_column_view_column_set_sorter (view_column, sorter);
  gtk_column_view_column_set_expand (view_column, column->expand);
  gtk_column_view_column_set_resizable (view_column, TRUE);
  gtk_column_view_column_set_header_menu (view_column, menu);
  gtk_column_view_append_column (self->view, view_column);
  self->view_columns[i] = view_column;
  g_object_unref (view_column);
}

/* Selection and copying. */

static void
selection_changed_cb (GtkSingleSelection *selection, GParamSpec *pspec, SeamTable *self)
{
  if (!self->selecting)
    g_signal_emit (self, signals[SIGNAL_ROW_SELECTED], 0,
                   gtk_single_selection_get_selected_item (selection));
}

static void
append_tsv_cell (GString *text, const char *cell, gboolean first)
{
  if (!first)
    g_string_append_c (text, '\t');
  /* A tab or a line break inside a cell would break the table apart. */
  for (const char *p = cell != NULL ? cell : ""; *p != '\0'; p++)
    g_string_append_c (text, *p == '\t' || *p == '\n' ? ' ' : *p);
}

void
seam_table_set_pitfalls (SeamTable *self, const char *pitfalls)
{
  g_free (self->pitfalls);
  self->pitfalls = g_strdup (pitfalls);
}

char *
seam_table_make_tsv (SeamTable *self)
{
  GtkSelectionModel *model = gtk_column_view_get_model (self->view);
  guint n = g_list_model_get_n_items (G_LIST_MODEL (model));
  guint selected = self->selection != NULL ? gtk_single_selection_get_selected (self->selection)
                                           : GTK_INVALID_LIST_POSITION;
  GString *text = g_string_new (NULL);
  gboolean first = TRUE;

  for (int i = 0; i < self->n_columns; i++) {
    if (!gtk_column_view_column_get_visible (self->view_columns[i]))
      continue;
    append_tsv_cell (text, gtk_column_view_column_get_title (self->view_columns[i]), first);
    first = FALSE;
  }
  if (self->pitfalls != NULL)
    append_tsv_cell (text, "Pitfalls", first);
  g_string_append_c (text, '\n');
  for (guint k = 0; k < n; k++) {
    if (selected != GTK_INVALID_LIST_POSITION && k != selected)
      continue;
    g_autoptr (SeamTableRow) row = g_list_model_get_item (G_LIST_MODEL (model), k);
    first = TRUE;
    for (int i = 0; i < self->n_columns; i++) {
      if (!gtk_column_view_column_get_visible (self->view_columns[i]))
        continue;
      append_tsv_cell (text, row->cells[i].text, first);
      first = FALSE;
    }
    if (self->pitfalls != NULL)
      append_tsv_cell (text, self->pitfalls, first);
    g_string_append_c (text, '\n');
  }
  return g_string_free (text, FALSE);
}

static void
copy_cb (GtkWidget *widget, const char *action, GVariant *parameter)
{
  g_autofree char *text = seam_table_make_tsv (SEAM_TABLE (widget));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

void
seam_table_select (SeamTable *self, int plan, int index)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint found = GTK_INVALID_LIST_POSITION;

  if (self->selection == NULL)
    return;
  for (guint k = 0; plan >= 0 && k < g_list_model_get_n_items (model); k++) {
    g_autoptr (SeamTableRow) row = g_list_model_get_item (model, k);
    if (row->plan == plan && row->index == index)
      found = k;
  }
  self->selecting = TRUE;
  gtk_single_selection_set_selected (self->selection, found);
  self->selecting = FALSE;
  if (found != GTK_INVALID_LIST_POSITION) {
    GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));
    gtk_widget_activate_action (list, "list.scroll-to-item", "u", found);
  }
}

void
seam_table_set_rows (SeamTable *self, GPtrArray *rows)
{
  int plan = -1, index = -1;
  SeamTableRow *selected =
      self->selection != NULL ? gtk_single_selection_get_selected_item (self->selection) : NULL;

  if (selected != NULL) {
    plan = selected->plan;
    index = selected->index;
  }
  /* GTK 4.8 loses its way when the row with the keyboard focus goes: the focus steps out first. */
  GtkRoot *root = gtk_widget_get_root (GTK_WIDGET (self));
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;
  gboolean had_focus = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->view));
  if (had_focus)
    gtk_root_set_focus (root, NULL);
  self->selecting = TRUE;
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                       rows->pdata, rows->len);
  self->selecting = FALSE;
  if (plan >= 0)
    seam_table_select (self, plan, index);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

void
seam_table_set_column_title (SeamTable *self, int column, const char *title)
{
  if (g_strcmp0 (gtk_column_view_column_get_title (self->view_columns[column]), title) == 0)
    return;
  gtk_column_view_column_set_title (self->view_columns[column], title);
}

void
seam_table_show_all_rows (SeamTable *self)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (adw_bin_get_child (ADW_BIN (self)));

  gtk_scrolled_window_set_policy (scroller, GTK_POLICY_AUTOMATIC, GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_height (scroller, TRUE);
  gtk_widget_set_vexpand (GTK_WIDGET (scroller), FALSE);
  /* The wheel is the page's: GTK 4.8's scrolled window keeps it although nothing moves. */
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (scroller));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
      gtk_event_controller_set_propagation_phase (controller, GTK_PHASE_NONE);
  }
}

void
seam_table_set_narrow (SeamTable *self, gboolean narrow)
{
  self->narrow = narrow;
  update_visible (self);
}

char *
seam_table_get_hidden (SeamTable *self)
{
  GString *ids = g_string_new (NULL);

  for (int i = 0; i < self->n_columns; i++)
    if (self->hidden[i])
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? "," : "", self->columns[i].id);
  return g_string_free (ids, FALSE);
}

void
seam_table_set_hidden (SeamTable *self, const char *ids)
{
  g_auto (GStrv) words = g_strsplit (ids, ",", -1);

  for (int i = 0; i < self->n_columns; i++) {
    self->hidden[i] = g_strv_contains ((const char *const *)words, self->columns[i].id);
    GAction *action =
        g_action_map_lookup_action (G_ACTION_MAP (self->actions), self->columns[i].id);
    g_simple_action_set_state (G_SIMPLE_ACTION (action), g_variant_new_boolean (!self->hidden[i]));
  }
  update_visible (self);
}

/* The object. */

static void
seam_table_dispose (GObject *object)
{
  SeamTable *self = SEAM_TABLE (object);

  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
  g_clear_object (&self->selection);
  g_clear_object (&self->store);
  g_clear_object (&self->actions);
  g_clear_pointer (&self->pitfalls, g_free);
  G_OBJECT_CLASS (seam_table_parent_class)->dispose (object);
}

static void
seam_table_class_init (SeamTableClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->dispose = seam_table_dispose;
  signals[SIGNAL_ROW_SELECTED] =
      g_signal_new ("row-selected", G_TYPE_FROM_CLASS (klass), G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                    NULL, G_TYPE_NONE, 1, SEAM_TYPE_TABLE_ROW);
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
}

static void
seam_table_init (SeamTable *self)
{
  self->store = g_list_store_new (SEAM_TYPE_TABLE_ROW);
  self->actions = g_simple_action_group_new ();
}

static GMenuModel *
build_header_menu (SeamTable *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GMenu *section = g_menu_new ();

  for (int i = 0; i < self->n_columns; i++) {
    const SeamColumn *column = &self->columns[i];
    g_autoptr (GSimpleAction) action =
        g_simple_action_new_stateful (column->id, NULL, g_variant_new_boolean (TRUE));
    g_autofree char *name = g_strdup_printf ("columns.%s", column->id);

    g_signal_connect (action, "change-state", G_CALLBACK (column_toggled_cb), self);
    g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
    g_menu_append (section, column->title, name);
  }
  g_menu_append_section (menu, "Columns", G_MENU_MODEL (section));
  g_object_unref (section);
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

SeamTable *
seam_table_new (const SeamColumn *columns, int n_columns, int sort_column, gboolean selectable,
                const char *label)
{
  SeamTable *self = g_object_new (SEAM_TYPE_TABLE, NULL);
  GtkSelectionModel *model;

  g_return_val_if_fail (n_columns <= MAX_COLUMNS, self);
  self->columns = columns;
  self->n_columns = n_columns;
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_autoptr (GMenuModel) menu = build_header_menu (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", G_ACTION_GROUP (self->actions));
  for (int i = 0; i < n_columns; i++)
    add_column (self, i, menu);
  align_header (self);

  GtkSorter *sorter = gtk_column_view_get_sorter (self->view);
  GtkSortListModel *sorted = gtk_sort_list_model_new (
      g_object_ref (G_LIST_MODEL (self->store)), sorter != NULL ? g_object_ref (sorter) : NULL);
  if (selectable) {
    self->selection = gtk_single_selection_new (G_LIST_MODEL (sorted));
    gtk_single_selection_set_autoselect (self->selection, FALSE);
    gtk_single_selection_set_can_unselect (self->selection, TRUE);
    gtk_single_selection_set_selected (self->selection, GTK_INVALID_LIST_POSITION);
    g_signal_connect (self->selection, "notify::selected-item", G_CALLBACK (selection_changed_cb),
                      self);
    model = g_object_ref (GTK_SELECTION_MODEL (self->selection));
  } else {
    model = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (sorted)));
    gtk_widget_set_can_focus (GTK_WIDGET (self->view), FALSE);
  }
  gtk_column_view_set_model (self->view, model);
  g_object_unref (model);
  if (sort_column >= 0)
    gtk_column_view_sort_by_column (self->view, self->view_columns[sort_column],
                                    GTK_SORT_DESCENDING);

  GtkWidget *scroller = gtk_scrolled_window_new ();
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  adw_bin_set_child (ADW_BIN (self), scroller);
  return self;
}
