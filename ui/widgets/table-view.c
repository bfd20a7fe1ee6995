/* SPDX-License-Identifier: MIT
 *
 * The column view around the rows: factories, sorters, header menu, selection, copying.
 */
#include "ui/widgets/table-view.h"

#include "ui/class/class.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/gtk-repairs.h"
#include "ui/widgets/op-chips.h"

#include <math.h>
#include <string.h>

#define MAX_COLUMNS     16
#define MOST_ROWS       100
#define SCROLLED_HEIGHT 560

/* A row of the table. Rows hold all state; widgets are recycled. */
#define SEAM_TYPE_TABLE_ITEM (seam_table_item_get_type ())
G_DECLARE_FINAL_TYPE (SeamTableItem, seam_table_item, SEAM, TABLE_ITEM, GObject)

struct _SeamTableItem {
  GObject parent_instance;

  SeamTable *table;
  int number;
  const SeamTableRow *row; /* of `table` */
};

G_DEFINE_FINAL_TYPE (SeamTableItem, seam_table_item, G_TYPE_OBJECT)

struct _SeamTableView {
  AdwBin parent_instance;

  SeamTable *table; /* the shown table */
  int n_columns;
  gboolean narrow, hides_unknown;
  gboolean hidden[MAX_COLUMNS];  /* hidden by the person */
  gboolean selecting;            /* selected by the program: emit nothing */
  gboolean shows_all_rows;       /* on a page that scrolls itself */
  gboolean is_stale;             /* the rows are not those of `table`: nobody sees them */
  int plan, index;               /* of the row that is selected then; -1: none */
  int beside_plan, beside_index; /* of the row that is compared with it; -1: none */
  char *pitfalls;                /* NULL: none */
  char *search;                  /* in one case; NULL: all rows are shown */

  GtkColumnView *view;
  GtkColumnViewColumn *view_columns[MAX_COLUMNS];
  char *titles[MAX_COLUMNS]; /* of the last table */
  GListStore *store;
  GtkSingleSelection *selection; /* NULL when rows cannot be selected */
  GSimpleActionGroup *actions;
};

G_DEFINE_FINAL_TYPE (SeamTableView, seam_table_view, ADW_TYPE_BIN)

static void
seam_table_item_class_init (SeamTableItemClass *klass)
{
  SEAM_OWNS (klass, SeamTableItem, seam_table_unref, table);
}

static void
seam_table_item_init (SeamTableItem *self)
{
}

/* Cells. */

/* By SeamTone; defined in style.css. */
static const char *const tone_classes[] = {
  [SEAM_TONE_GOOD] = "success",
  [SEAM_TONE_WARNING] = "warning",
  [SEAM_TONE_BAD] = "error",
  [SEAM_TONE_GONE] = "gone",
};

/* Data of a column's factory: its number, and its view. */
typedef struct {
  SeamTableView *view;
  int number;
} FactoryColumn;

static const SeamColumn *
get_column (const FactoryColumn *factory)
{
  return seam_table_get_column (factory->view->table, factory->number);
}

/* The texts of a row; numbers are preceded by their column's title. Assistive technology reads a
 * row when it gets the focus, and GTK 4.8 reports no columns. The row's widget itself is named,
 * until GTK 4.12 names rows. */
static char *
format_row (SeamTableView *self, const SeamTableItem *item)
{
  GString *name = g_string_new (NULL);

  for (int i = 0; i < self->n_columns; i++) {
    g_autofree char *text = seam_table_format_cell (item->table, item->number, i);
    if (!gtk_column_view_column_get_visible (self->view_columns[i]) || text[0] == '\0')
      continue;
    if (name->len > 0)
      g_string_append (name, ", ");
    if (seam_table_get_column (item->table, i)->kind != SEAM_CELL_TEXT)
      g_string_append_printf (name, "%s ",
                              gtk_column_view_column_get_title (self->view_columns[i]));
    g_string_append (name, text);
  }
  return g_string_free (name, FALSE);
}

static const char row_item_key[] = "seam-row-item";

/* Names the widget of a row, and rings it if it is beside the selected one. */
static void
update_row (SeamTableView *self, GtkWidget *row)
{
  const SeamTableItem *item = g_object_get_data (G_OBJECT (row), row_item_key);

  if (item == NULL)
    return;
  g_autofree char *name = format_row (self, item);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
  seam_css_class_set (row, "beside",
                      self->beside_plan >= 0 && item->row->plan == self->beside_plan
                          && item->row->index == self->beside_index);
}

/* The same for all visible rows. */
static void
update_rows (SeamTableView *self)
{
  GtkWidget *list = gtk_widget_get_last_child (GTK_WIDGET (self->view));

  for (GtkWidget *row = gtk_widget_get_first_child (list); row != NULL;
       row = gtk_widget_get_next_sibling (row))
    update_row (self, row);
}

static void
setup_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const SeamColumn *column = get_column (data);
  GtkWidget *label = gtk_label_new (NULL);

  gtk_label_set_ellipsize (GTK_LABEL (label), column->kind != SEAM_CELL_TEXT
                                                  ? PANGO_ELLIPSIZE_NONE
                                                  : PANGO_ELLIPSIZE_MIDDLE);
  if (column->min_chars > 0)
    gtk_label_set_width_chars (GTK_LABEL (label), column->min_chars);
  gtk_label_set_xalign (GTK_LABEL (label), column->kind != SEAM_CELL_TEXT ? 1 : 0);
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

static void
bind_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const FactoryColumn *column = data;
  SeamTableItem *of = gtk_list_item_get_item (item);
  const SeamCell *cell = &of->row->cells[column->number];
  const char *css_class = tone_classes[cell->tone];
  GtkWidget *label = gtk_list_item_get_child (item);
  GtkWidget *row = gtk_widget_get_parent (gtk_widget_get_parent (label));
  g_autofree char *text = seam_table_format_cell (of->table, of->number, column->number);

  /* This is called for every cell of the row. */
  if (g_object_get_data (G_OBJECT (row), row_item_key) != of) {
    g_object_set_data_full (G_OBJECT (row), row_item_key, g_object_ref (of), g_object_unref);
    update_row (column->view, row);
  }
  if (get_column (column)->shows_kinds) {
    seam_op_chips_set_kinds (SEAM_OP_CHIPS (gtk_widget_get_first_child (label)), of->row->kinds,
                             of->row->n_kinds);
    label = gtk_widget_get_last_child (label);
  }
  gtk_label_set_text (GTK_LABEL (label), text);
  gtk_widget_set_tooltip_text (label, cell->words);
  if (css_class != NULL)
    gtk_widget_add_css_class (label, css_class);
}

static void
unbind_cell_cb (GtkSignalListItemFactory *factory, GtkListItem *item, gpointer data)
{
  const FactoryColumn *column = data;
  SeamTableItem *of = gtk_list_item_get_item (item);
  const char *css_class = tone_classes[of->row->cells[column->number].tone];
  GtkWidget *label = gtk_list_item_get_child (item);

  if (get_column (column)->shows_kinds)
    label = gtk_widget_get_last_child (label);
  if (css_class != NULL)
    gtk_widget_remove_css_class (label, css_class);
}

/* Ascending; unknown values after all others, equal ones in plan and launch order. */
static int
compare_rows_cb (gconstpointer a, gconstpointer b, gpointer data)
{
  const SeamTableRow *row_a = ((const SeamTableItem *)a)->row,
                     *row_b = ((const SeamTableItem *)b)->row;
  int column = GPOINTER_TO_INT (data);
  const SeamCell *cell_a = &row_a->cells[column], *cell_b = &row_b->cells[column];
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

/* Whether there are rows, but none has a known value in this column. */
static gboolean
is_unknown (SeamTableView *self, int column)
{
  int n_rows = seam_table_get_n_rows (self->table);

  for (int i = 0; i < n_rows; i++) {
    g_autofree char *text = seam_table_format_cell (self->table, i, column);

    if (text[0] != '\0' && strcmp (text, SEAM_DASH) != 0)
      return FALSE;
  }
  return n_rows > 0;
}

void
seam_table_view_focus_selected (SeamTableView *self)
{
  gpointer item = gtk_single_selection_get_selected_item (self->selection);
  GtkWidget *row = gtk_widget_get_first_child (gtk_widget_get_last_child (GTK_WIDGET (self->view)));

  while (row != NULL && g_object_get_data (G_OBJECT (row), row_item_key) != item)
    row = gtk_widget_get_next_sibling (row);
  if (row != NULL)
    gtk_widget_grab_focus (row);
}

static void
update_visible (SeamTableView *self)
{
  for (int i = 0; i < self->n_columns; i++)
    gtk_column_view_column_set_visible (
        self->view_columns[i],
        seam_table_is_shown (self->table, i, SEAM_SHOWN_IN_WINDOW) && !self->hidden[i]
            && !(self->narrow && seam_table_get_column (self->table, i)->wide_only)
            && !(self->hides_unknown && is_unknown (self, i)));
  update_rows (self);
}

static void
column_toggled_cb (GSimpleAction *action, GVariant *state, gpointer data)
{
  SeamTableView *self = data;
  const char *id = g_action_get_name (G_ACTION (action));

  for (int i = 0; i < self->n_columns; i++)
    if (strcmp (seam_table_get_column (self->table, i)->name, id) == 0)
      self->hidden[i] = !g_variant_get_boolean (state);
  g_simple_action_set_state (action, state);
  update_visible (self);
}

static void
add_column (SeamTableView *self, int i, GMenuModel *menu)
{
  const SeamColumn *column = seam_table_get_column (self->table, i);
  GtkListItemFactory *factory = gtk_signal_list_item_factory_new ();
  FactoryColumn *data = g_new (FactoryColumn, 1);

  *data = (FactoryColumn){ self, i };
  g_object_set_data_full (G_OBJECT (factory), "column", data, g_free);
  g_signal_connect (factory, "setup", G_CALLBACK (setup_cell_cb), data);
  g_signal_connect (factory, "bind", G_CALLBACK (bind_cell_cb), data);
  g_signal_connect (factory, "unbind", G_CALLBACK (unbind_cell_cb), data);

  GtkColumnViewColumn *view_column = gtk_column_view_column_new (self->titles[i], factory);
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
selection_changed_cb (GtkSingleSelection *selection, GParamSpec *pspec, SeamTableView *self)
{
  SeamTableItem *item = gtk_single_selection_get_selected_item (selection);

  if (!self->selecting)
    g_signal_emit_by_name (self, "row-selected", item != NULL ? item->row : NULL);
}

static void
activate_cb (GtkColumnView *view, guint position, SeamTableView *self)
{
  g_autoptr (SeamTableItem) item =
      g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (view)), position);

  g_signal_emit_by_name (self, "row-activated", item->row);
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
seam_table_view_set_pitfalls (SeamTableView *self, const char *pitfalls)
{
  g_free (self->pitfalls);
  self->pitfalls = g_strdup (pitfalls);
}

char *
seam_table_view_make_tsv (SeamTableView *self)
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
    g_autoptr (SeamTableItem) item = g_list_model_get_item (G_LIST_MODEL (model), k);
    first = TRUE;
    for (int i = 0; i < self->n_columns; i++) {
      if (!gtk_column_view_column_get_visible (self->view_columns[i]))
        continue;
      g_autofree char *cell = seam_table_format_cell (item->table, item->number, i);
      append_tsv_cell (text, cell, first);
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
  g_autofree char *text = seam_table_view_make_tsv (SEAM_TABLE_VIEW (widget));
  gdk_clipboard_set_text (gtk_widget_get_clipboard (widget), text);
}

void
seam_table_view_select (SeamTableView *self, int plan, int index)
{
  GListModel *model = G_LIST_MODEL (self->selection);
  guint found = GTK_INVALID_LIST_POSITION;

  self->plan = plan;
  self->index = index;
  if (self->selection == NULL || self->is_stale)
    return;
  for (guint k = 0; plan >= 0 && k < g_list_model_get_n_items (model); k++) {
    g_autoptr (SeamTableItem) item = g_list_model_get_item (model, k);
    if (item->row->plan == plan && item->row->index == index)
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
seam_table_view_set_beside (SeamTableView *self, int plan, int index)
{
  self->beside_plan = plan;
  self->beside_index = index;
  update_rows (self);
}

void
seam_table_view_keep_columns (SeamTableView *self)
{
  self->hides_unknown = FALSE;
  update_visible (self);
}

void
seam_table_view_set_column_title (SeamTableView *self, int column, const char *title)
{
  if (g_strcmp0 (gtk_column_view_column_get_title (self->view_columns[column]), title) == 0)
    return;
  gtk_column_view_column_set_title (self->view_columns[column], title);
  update_rows (self);
}

/* A title that a page has set stays until another table replaces it. */
static void
update_titles (SeamTableView *self)
{
  for (int i = 0; i < self->n_columns; i++) {
    g_autofree char *title = seam_table_format_title (self->table, i);

    if (g_strcmp0 (title, self->titles[i]) == 0)
      continue;
    seam_table_view_set_column_title (self, i, title);
    g_free (self->titles[i]);
    self->titles[i] = g_steal_pointer (&title);
  }
}

gboolean
seam_table_view_fits (SeamTableView *self, const SeamTable *table)
{
  if (seam_table_get_n_columns (table) != self->n_columns)
    return FALSE;
  for (int i = 0; i < self->n_columns; i++)
    if (strcmp (seam_table_get_column (table, i)->name,
                seam_table_get_column (self->table, i)->name)
        != 0)
      return FALSE;
  return TRUE;
}

/* Whether a text of the row has what is searched for, as it is shown or as the first line of its
 * tooltip has it, which is the whole name of a kernel. */
static gboolean
is_found (SeamTableView *self, const SeamTable *table, int row)
{
  gboolean found = self->search == NULL;

  for (int i = 0; i < self->n_columns && !found; i++)
    if (seam_table_get_column (table, i)->kind == SEAM_CELL_TEXT) {
      const char *words = seam_table_get_row (table, row)->cells[i].words;
      g_autofree char *shown = seam_table_format_cell (table, row, i);
      g_autofree char *text =
          words != NULL ? g_strdup_printf ("%s\n%.*s", shown, (int)strcspn (words, "\n"), words)
                        : g_steal_pointer (&shown);
      g_autofree char *folded = g_utf8_casefold (text, -1);

      found = strstr (folded, self->search) != NULL;
    }
  return found;
}

void
seam_table_view_set_search (SeamTableView *self, const char *text)
{
  g_free (self->search);
  self->search = text != NULL && text[0] != '\0' ? g_utf8_casefold (text, -1) : NULL;
  seam_table_view_set_table (self, self->table);
}

/* GTK draws no more than 200 rows of a list that does not scroll by itself. */
static void
fit_height (SeamTableView *self)
{
  GtkWidget *scroller = adw_bin_get_child (ADW_BIN (self));

  if (self->shows_all_rows)
    seam_gtk_scroll_across (GTK_SCROLLED_WINDOW (scroller),
                            seam_table_get_n_rows (self->table) > MOST_ROWS ? SCROLLED_HEIGHT : 0);
}

/* Makes the rows of `table`, most of the work of showing one. */
static void
fill (SeamTableView *self)
{
  g_autoptr (GPtrArray) items = g_ptr_array_new_with_free_func (g_object_unref);
  gboolean had_focus = seam_gtk_leave_list (GTK_WIDGET (self->view));

  for (int i = 0; i < seam_table_get_n_rows (self->table); i++) {
    if (seam_table_get_row (self->table, i)->is_total || !is_found (self, self->table, i))
      continue;
    SeamTableItem *item = g_object_new (SEAM_TYPE_TABLE_ITEM, NULL);

    item->table = seam_table_ref (self->table);
    item->number = i;
    item->row = seam_table_get_row (self->table, i);
    g_ptr_array_add (items, item);
  }
  self->is_stale = FALSE;
  fit_height (self);
  self->selecting = TRUE;
  g_list_store_splice (self->store, 0, g_list_model_get_n_items (G_LIST_MODEL (self->store)),
                       items->pdata, items->len);
  self->selecting = FALSE;
  if (self->plan >= 0)
    seam_table_view_select (self, self->plan, self->index);
  if (had_focus)
    gtk_widget_grab_focus (GTK_WIDGET (self->view));
}

const SeamTableRow *
seam_table_view_get_first (SeamTableView *self)
{
  if (self->is_stale)
    fill (self);
  g_autoptr (SeamTableItem) item =
      g_list_model_get_item (G_LIST_MODEL (gtk_column_view_get_model (self->view)), 0);

  return item != NULL ? item->row : NULL;
}

void
seam_table_view_set_table (SeamTableView *self, SeamTable *table)
{
  SeamTableItem *selected =
      self->selection != NULL ? gtk_single_selection_get_selected_item (self->selection) : NULL;

  if (!self->is_stale) {
    self->plan = selected != NULL ? selected->row->plan : -1;
    self->index = selected != NULL ? selected->row->index : -1;
  }
  seam_table_ref (table);
  seam_table_unref (self->table);
  self->table = table;
  self->selecting = TRUE;
  update_titles (self);
  update_visible (self);
  self->selecting = FALSE;
  self->is_stale = TRUE;
  if (gtk_widget_get_mapped (GTK_WIDGET (self)))
    fill (self);
}

static void
seam_table_view_map (GtkWidget *widget)
{
  SeamTableView *self = SEAM_TABLE_VIEW (widget);

  if (self->is_stale)
    fill (self);
  GTK_WIDGET_CLASS (seam_table_view_parent_class)->map (widget);
}

void
seam_table_view_show_all_rows (SeamTableView *self)
{
  GtkScrolledWindow *scroller = GTK_SCROLLED_WINDOW (adw_bin_get_child (ADW_BIN (self)));

  gtk_widget_set_vexpand (GTK_WIDGET (scroller), FALSE);
  self->shows_all_rows = TRUE;
  fit_height (self);
}

void
seam_table_view_set_narrow (SeamTableView *self, gboolean narrow)
{
  self->narrow = narrow;
  update_visible (self);
}

char *
seam_table_view_get_hidden (SeamTableView *self)
{
  GString *ids = g_string_new (NULL);

  for (int i = 0; i < self->n_columns; i++)
    if (self->hidden[i])
      g_string_append_printf (ids, "%s%s", ids->len > 0 ? "," : "",
                              seam_table_get_column (self->table, i)->name);
  return g_string_free (ids, FALSE);
}

void
seam_table_view_set_hidden (SeamTableView *self, const char *ids)
{
  g_auto (GStrv) words = g_strsplit (ids, ",", -1);

  for (int i = 0; i < self->n_columns; i++) {
    self->hidden[i] =
        g_strv_contains ((const char *const *)words, seam_table_get_column (self->table, i)->name);
    GAction *action = g_action_map_lookup_action (G_ACTION_MAP (self->actions),
                                                  seam_table_get_column (self->table, i)->name);
    if (action != NULL)
      g_simple_action_set_state (G_SIMPLE_ACTION (action),
                                 g_variant_new_boolean (!self->hidden[i]));
  }
  update_visible (self);
}

/* The object. */

/* The list of rows lives longer, and selects another row as rows go. */
static void
end_selection (SeamTableView *self)
{
  if (self->selection != NULL)
    g_signal_handlers_disconnect_by_data (self->selection, self);
}

static void
seam_table_view_finalize (GObject *object)
{
  SeamTableView *self = SEAM_TABLE_VIEW (object);

  for (int i = 0; i < self->n_columns; i++)
    g_free (self->titles[i]);
  G_OBJECT_CLASS (seam_table_view_parent_class)->finalize (object);
}

static void
seam_table_view_class_init (SeamTableViewClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  G_OBJECT_CLASS (klass)->finalize = seam_table_view_finalize;
  seam_dispose_first (klass, G_CALLBACK (end_selection));
  SEAM_OWNS (klass, SeamTableView, g_object_unref, selection, store, actions);
  SEAM_OWNS (klass, SeamTableView, g_free, pitfalls, search);
  SEAM_OWNS (klass, SeamTableView, seam_table_unref, table);
  widget_class->map = seam_table_view_map;
  seam_signals_install (klass, G_TYPE_POINTER, "row-selected row-activated");
  gtk_widget_class_install_action (widget_class, "table.copy", NULL, copy_cb);
  gtk_widget_class_add_binding_action (widget_class, GDK_KEY_c, GDK_CONTROL_MASK, "table.copy",
                                       NULL);
}

static void
seam_table_view_init (SeamTableView *self)
{
  self->store = g_list_store_new (SEAM_TYPE_TABLE_ITEM);
  self->actions = g_simple_action_group_new ();
  self->hides_unknown = TRUE;
  self->beside_plan = -1;
}

static GMenuModel *
build_header_menu (SeamTableView *self)
{
  g_autoptr (GMenu) menu = g_menu_new ();
  GMenu *section = g_menu_new ();

  for (int i = 0; i < self->n_columns; i++) {
    const SeamColumn *column = seam_table_get_column (self->table, i);
    if (!seam_table_is_shown (self->table, i, SEAM_SHOWN_IN_WINDOW))
      continue;
    g_autoptr (GSimpleAction) action =
        g_simple_action_new_stateful (column->name, NULL, g_variant_new_boolean (TRUE));
    g_autofree char *name = g_strdup_printf ("columns.%s", column->name);

    g_signal_connect (action, "change-state", G_CALLBACK (column_toggled_cb), self);
    g_action_map_add_action (G_ACTION_MAP (self->actions), G_ACTION (action));
    g_menu_append (section, self->titles[i], name);
  }
  g_menu_append_section (menu, "Columns", G_MENU_MODEL (section));
  g_object_unref (section);
  return G_MENU_MODEL (g_steal_pointer (&menu));
}

SeamTableView *
seam_table_view_new (SeamTable *table, const char *sorted_by, gboolean selectable,
                     const char *label)
{
  SeamTableView *self = g_object_new (SEAM_TYPE_TABLE_VIEW, NULL);
  int n_columns = seam_table_get_n_columns (table);
  GtkSelectionModel *model;

  g_return_val_if_fail (n_columns <= MAX_COLUMNS, self);
  self->table = table;
  self->n_columns = n_columns;
  for (int i = 0; i < n_columns; i++)
    self->titles[i] = seam_table_format_title (table, i);
  self->view = GTK_COLUMN_VIEW (gtk_column_view_new (NULL));
  gtk_widget_add_css_class (GTK_WIDGET (self->view), "data-table");
  gtk_accessible_update_property (GTK_ACCESSIBLE (self->view), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  g_autoptr (GMenuModel) menu = build_header_menu (self);
  gtk_widget_insert_action_group (GTK_WIDGET (self), "columns", G_ACTION_GROUP (self->actions));
  for (int i = 0; i < n_columns; i++)
    add_column (self, i, menu);
  for (int i = 0; i < n_columns; i++)
    if (seam_table_get_column (table, i)->kind != SEAM_CELL_TEXT)
      seam_gtk_align_title (self->view, i);
  seam_gtk_sort_by_keys (self->view);

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
    g_signal_connect (self->view, "activate", G_CALLBACK (activate_cb), self);
    model = g_object_ref (GTK_SELECTION_MODEL (self->selection));
  } else {
    model = GTK_SELECTION_MODEL (gtk_no_selection_new (G_LIST_MODEL (sorted)));
    /* Its titles sort by key all the same. */
    gtk_widget_set_can_focus (gtk_widget_get_last_child (GTK_WIDGET (self->view)), FALSE);
  }
  gtk_column_view_set_model (self->view, model);
  g_object_unref (model);
  for (int i = 0; i < n_columns; i++)
    if (g_strcmp0 (seam_table_get_column (table, i)->name, sorted_by) == 0)
      gtk_column_view_sort_by_column (self->view, self->view_columns[i], GTK_SORT_DESCENDING);
  update_visible (self);

  GtkWidget *scroller = gtk_scrolled_window_new ();
  /* The scrolled window has the keyboard focus if the rows have not. */
  gtk_accessible_update_property (GTK_ACCESSIBLE (scroller), GTK_ACCESSIBLE_PROPERTY_LABEL, label,
                                  -1);
  gtk_scrolled_window_set_child (GTK_SCROLLED_WINDOW (scroller), GTK_WIDGET (self->view));
  gtk_scrolled_window_set_policy (GTK_SCROLLED_WINDOW (scroller), GTK_POLICY_AUTOMATIC,
                                  GTK_POLICY_AUTOMATIC);
  gtk_widget_set_vexpand (scroller, TRUE);
  adw_bin_set_child (ADW_BIN (self), scroller);
  return self;
}
