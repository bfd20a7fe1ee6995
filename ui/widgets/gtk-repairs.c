/* SPDX-License-Identifier: MIT
 *
 * The repairs of gtk-repairs.h. Repairs of all widgets use emission hooks of signals and class
 * functions, because GTK makes the parts of its widgets itself; the others are called.
 */
#include "ui/widgets/gtk-repairs.h"

/* --- Names for assistive technology --- */

static void
set_name (GtkWidget *widget, const char *name)
{
  gtk_accessible_update_property (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_PROPERTY_LABEL, name, -1);
}

static gboolean
is_of (GtkWidget *widget, const char *type)
{
  return g_str_equal (G_OBJECT_TYPE_NAME (widget), type);
}

static void
append_texts (GString *texts, GtkWidget *widget)
{
  if (!gtk_widget_get_visible (widget) || !gtk_widget_get_child_visible (widget))
    return;
  if (GTK_IS_LABEL (widget)) {
    const char *text = gtk_label_get_text (GTK_LABEL (widget));
    if (text[0] != '\0')
      g_string_append_printf (texts, "%s%s", texts->len > 0 ? ", " : "", text);
    return;
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    append_texts (texts, child);
}

/* The texts of the labels in a widget. */
static char *
get_texts (GtkWidget *widget)
{
  GString *texts = g_string_new (NULL);

  append_texts (texts, widget);
  return g_string_free (texts, FALSE);
}

/* Calls update (owner) whenever a label in `widget` changes. */
static void
watch_texts (GtkWidget *widget, GtkWidget *owner, GCallback update)
{
  static const char key[] = "seam-read-by";

  if (GTK_IS_LABEL (widget) && g_object_get_data (G_OBJECT (widget), key) != owner) {
    g_object_set_data (G_OBJECT (widget), key, owner);
    g_signal_connect_object (widget, "notify::label", update, owner, G_CONNECT_SWAPPED);
    g_signal_connect_object (widget, "notify::visible", update, owner, G_CONNECT_SWAPPED);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    watch_texts (child, owner, update);
}

static void
name_by_texts (GtkWidget *widget)
{
  g_autofree char *texts = get_texts (widget);

  set_name (widget, texts);
}

/* The choice is not part of the name that identifies the drop-down. */
static void
describe_button (GtkWidget *button)
{
  g_autofree char *texts = get_texts (button);

  gtk_accessible_update_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  texts, -1);
}

static void
name_after (GtkWidget *widget, GtkWidget *other)
{
  gtk_accessible_update_relation (GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  other, NULL, -1);
}

static GtkWidget *
find_below (GtkWidget *widget, GType type)
{
  GtkWidget *found = G_TYPE_CHECK_INSTANCE_TYPE (widget, type) ? widget : NULL;

  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling (child))
    found = find_below (child, type);
  return found;
}

/* Button and list get the name of the drop-down: from a label beside it, or its own text. */
static void
name_parts_of_drop_down (GtkWidget *drop_down)
{
  GtkWidget *button = gtk_widget_get_first_child (drop_down);
  g_autoptr (GList) labels = gtk_widget_list_mnemonic_labels (drop_down);
  GtkWidget *name = labels != NULL ? labels->data : drop_down;

  name_after (button, name);
  name_after (find_below (drop_down, GTK_TYPE_LIST_VIEW), name);
  watch_texts (button, button, G_CALLBACK (describe_button));
  describe_button (button);
}

static void
name_parts_of_table (GtkWidget *view)
{
  GtkWidget *header = gtk_widget_get_first_child (view);

  name_after (gtk_widget_get_last_child (view), view);
  set_name (header, "Column titles");
  for (GtkWidget *title = gtk_widget_get_first_child (header); title != NULL;
       title = gtk_widget_get_next_sibling (title)) {
    static const char key[] = "seam-read-when-shown";

    /* What is hidden has no texts. */
    if (g_object_get_data (G_OBJECT (title), key) == NULL)
      g_signal_connect (title, "notify::visible", G_CALLBACK (name_by_texts), NULL);
    g_object_set_data (G_OBJECT (title), key, title);
    watch_texts (title, title, G_CALLBACK (name_by_texts));
    name_by_texts (title);
  }
}

static void
name_parts_of_shortcuts (GtkWindow *window)
{
  GtkWidget *search = find_below (gtk_window_get_titlebar (window), GTK_TYPE_TOGGLE_BUTTON);
  GtkWidget *pages = find_below (gtk_window_get_child (window), GTK_TYPE_STACK_SWITCHER);

  if (search != NULL)
    set_name (search, "Search");
  if (pages == NULL)
    return;
  set_name (pages, "Tabs");
  /* Whose titles have mnemonics, “_1”. */
  for (GtkWidget *tab = gtk_widget_get_first_child (pages); tab != NULL;
       tab = gtk_widget_get_next_sibling (tab))
    name_by_texts (tab);
}

/* The label in a button with a mnemonic names it, without the underscore. */
static void
drop_underlined_name (GtkWidget *button)
{
  gtk_accessible_reset_property (GTK_ACCESSIBLE (button), GTK_ACCESSIBLE_PROPERTY_LABEL);
}

static void
name_button (GtkButton *button)
{
  if (!gtk_button_get_use_underline (button) || gtk_button_get_label (button) == NULL)
    return;
  g_signal_handlers_disconnect_by_func (button, drop_underlined_name, NULL);
  g_signal_connect (button, "notify::label", G_CALLBACK (drop_underlined_name), NULL);
  drop_underlined_name (GTK_WIDGET (button));
}

/* A row of a table is named by the table, which knows its columns. */
static gboolean
is_named_by_texts (GtkWidget *widget)
{
  GtkWidget *parent = gtk_widget_get_parent (widget);

  return GTK_IS_FLOW_BOX_CHILD (widget) || is_of (widget, "GtkColumnViewCell")
         || (parent != NULL && is_of (parent, "GtkListView"));
}

static gboolean
mapped_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *widget = g_value_get_object (&values[0]);

  if (GTK_IS_DROP_DOWN (widget)) {
    name_parts_of_drop_down (widget);
  } else if (GTK_IS_BUTTON (widget)) {
    name_button (GTK_BUTTON (widget));
  } else if (GTK_IS_COLUMN_VIEW (widget)) {
    name_parts_of_table (widget);
  } else if (GTK_IS_LABEL (widget)) {
    if (gtk_label_get_text (GTK_LABEL (widget))[0] == '\0')
      set_name (widget, "");
  } else if (GTK_IS_SCROLLBAR (widget)) {
    set_name (widget,
              gtk_orientable_get_orientation (GTK_ORIENTABLE (widget)) == GTK_ORIENTATION_VERTICAL
                  ? "Vertical"
                  : "Horizontal");
  } else if (GTK_IS_SHORTCUTS_WINDOW (widget)) {
    name_parts_of_shortcuts (GTK_WINDOW (widget));
  } else if (GTK_IS_POPOVER_MENU (widget)) {
    GtkWidget *parent = gtk_widget_get_parent (widget);
    if (GTK_IS_MENU_BUTTON (parent))
      name_after (widget, parent);
    else
      set_name (widget, "Menu");
  } else if (is_named_by_texts (widget)) {
    watch_texts (widget, widget, G_CALLBACK (name_by_texts));
    name_by_texts (widget);
  }
  return G_SOURCE_CONTINUE;
}

/* --- A list is one Tab stop --- */

typedef gboolean (*FocusFunc) (GtkWidget *widget, GtkDirectionType direction);

static FocusFunc focus_list, focus_list_box, focus_table;

static gboolean
is_tab (GtkDirectionType direction)
{
  return direction == GTK_DIR_TAB_FORWARD || direction == GTK_DIR_TAB_BACKWARD;
}

static GtkWidget *
find_selected (GtkWidget *list)
{
  GtkWidget *row = gtk_widget_get_first_child (list);

  while (row != NULL && !(gtk_widget_get_state_flags (row) & GTK_STATE_FLAG_SELECTED))
    row = gtk_widget_get_next_sibling (row);
  return row;
}

/* Tab enters at the selected row, else at the row that last had the focus, and leaves from any
 * row. */
static gboolean
focus_list_cb (GtkWidget *list, GtkDirectionType direction)
{
  GtkWidget *row = gtk_widget_get_focus_child (list);

  if (!is_tab (direction))
    return focus_list (list, direction);
  if (row != NULL)
    return gtk_widget_child_focus (row, direction);
  row = find_selected (list);
  return (row != NULL && gtk_widget_child_focus (row, direction)) || focus_list (list, direction);
}

static gboolean
holds_focusable (GtkWidget *widget)
{
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    if (gtk_widget_get_visible (child)
        && (gtk_widget_get_focusable (child) || holds_focusable (child)))
      return TRUE;
  return FALSE;
}

/* If rows hold controls, Tab goes through these, past rows that hold none: GTK itself leaves the
 * list at such a row. */
static gboolean
focus_list_box_cb (GtkWidget *box, GtkDirectionType direction)
{
  GtkWidget *(*get_next) (GtkWidget *) =
      direction == GTK_DIR_TAB_FORWARD ? gtk_widget_get_next_sibling : gtk_widget_get_prev_sibling;
  GtkWidget *row = gtk_widget_get_focus_child (box);
  gboolean has_controls = FALSE;

  if (!is_tab (direction) || (row == NULL && focus_list_box (box, direction)))
    return is_tab (direction) || focus_list_box (box, direction);
  for (GtkWidget *each = gtk_widget_get_first_child (box); each != NULL && !has_controls;
       each = gtk_widget_get_next_sibling (each))
    has_controls = holds_focusable (each);
  if (!has_controls)
    return FALSE;
  if (row != NULL && gtk_widget_child_focus (row, direction))
    return TRUE;
  if (row != NULL)
    row = get_next (row);
  else
    row = direction == GTK_DIR_TAB_FORWARD ? gtk_widget_get_first_child (box)
                                           : gtk_widget_get_last_child (box);
  for (; row != NULL; row = get_next (row))
    if (gtk_widget_get_mapped (row) && gtk_widget_child_focus (row, direction))
      return TRUE;
  return FALSE;
}

/* The titles are one stop of Tab, the rows another. */
static gboolean
focus_table_cb (GtkWidget *view, GtkDirectionType direction)
{
  GtkWidget *titles = gtk_widget_get_first_child (view), *rows = gtk_widget_get_last_child (view);
  GtkWidget *child = gtk_widget_get_focus_child (view);

  if (!is_tab (direction))
    return focus_table (view, direction);
  if (direction == GTK_DIR_TAB_FORWARD)
    return (child == NULL && gtk_widget_child_focus (titles, direction))
           || gtk_widget_child_focus (rows, direction);
  return child != titles
         && (gtk_widget_child_focus (rows, direction)
             || gtk_widget_child_focus (titles, GTK_DIR_TAB_FORWARD));
}

static FocusFunc
replace_focus (GType type, FocusFunc focus)
{
  /* Widget classes are never unloaded. */
  GtkWidgetClass *klass = g_type_class_ref (type);
  FocusFunc before = klass->focus;

  klass->focus = focus;
  return before;
}

/* --- The focus leaves a popover that closes --- */

/* Finds the widget that the popover belongs to: a key pressed before the next frame would go to
 * a hidden widget, past all shortcuts. */
static gboolean
closed_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  GtkWidget *popover = g_value_get_object (&values[0]);
  GtkRoot *root = gtk_widget_get_root (popover);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, popover))
    return G_SOURCE_CONTINUE;
  for (GtkWidget *owner = gtk_widget_get_parent (popover); owner != NULL;
       owner = gtk_widget_get_parent (owner))
    if (gtk_widget_get_mapped (owner) && gtk_widget_grab_focus (owner))
      break;
  return G_SOURCE_CONTINUE;
}

/* --- The width of a vertical box --- */

static void (*measure_box) (GtkLayoutManager *layout, GtkWidget *widget, GtkOrientation orientation,
                            int for_size, int *minimum, int *natural, int *minimum_baseline,
                            int *natural_baseline);

/* A stack asks for the width that a height needs. */
static void
measure_box_cb (GtkLayoutManager *layout, GtkWidget *widget, GtkOrientation orientation,
                int for_size, int *minimum, int *natural, int *minimum_baseline,
                int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL
      && gtk_orientable_get_orientation (GTK_ORIENTABLE (layout)) == GTK_ORIENTATION_VERTICAL)
    for_size = -1;
  measure_box (layout, widget, orientation, for_size, minimum, natural, minimum_baseline,
               natural_baseline);
}

/* --- For every widget --- */

static void
hook (const char *signal, GType type, GSignalEmissionHook function)
{
  /* A signal exists only after the first use of its class. */
  g_type_class_unref (g_type_class_ref (type));
  g_signal_add_emission_hook (g_signal_lookup (signal, type), 0, function, NULL, NULL);
}

void
seam_gtk_repairs_install (void)
{
  static gboolean is_installed; /* a test starts the application more than once */
  GtkLayoutManagerClass *box = g_type_class_ref (GTK_TYPE_BOX_LAYOUT);

  if (is_installed)
    return;
  is_installed = TRUE;
  /* An image with a description gets the role of an image. */
  gtk_widget_class_set_accessible_role (g_type_class_ref (GTK_TYPE_IMAGE),
                                        GTK_ACCESSIBLE_ROLE_PRESENTATION);
  measure_box = box->measure;
  box->measure = measure_box_cb;
  focus_list = replace_focus (GTK_TYPE_LIST_VIEW, focus_list_cb);
  focus_list_box = replace_focus (GTK_TYPE_LIST_BOX, focus_list_box_cb);
  focus_table = replace_focus (GTK_TYPE_COLUMN_VIEW, focus_table_cb);
  hook ("map", GTK_TYPE_WIDGET, mapped_cb);
  hook ("closed", GTK_TYPE_POPOVER, closed_cb);
}

/* --- Tables --- */

/* The header's children are the columns' titles in order, each with one box inside. */
void
seam_gtk_align_title (GtkColumnView *view, int column)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));
  GtkWidget *title = header != NULL ? gtk_widget_get_first_child (header) : NULL;
  GtkWidget *box;

  for (int i = 0; i < column && title != NULL; i++)
    title = gtk_widget_get_next_sibling (title);
  box = title != NULL ? gtk_widget_get_first_child (title) : NULL;
  if (!GTK_IS_BOX (box))
    return;
  gtk_widget_set_halign (box, GTK_ALIGN_END);
  /* The sort indicator takes room even if it is hidden: left of the title it moves nothing. */
  gtk_box_reorder_child_after (GTK_BOX (box), gtk_widget_get_first_child (box),
                               gtk_widget_get_last_child (box));
}

/* The sort indicator of a title, whose class says the direction; NULL: the column cannot sort. */
static GtkWidget *
find_indicator (GtkWidget *title)
{
  GtkWidget *box = gtk_widget_get_first_child (title);
  GtkWidget *child = box != NULL ? gtk_widget_get_first_child (box) : NULL;

  while (child != NULL && GTK_IS_LABEL (child))
    child = gtk_widget_get_next_sibling (child);
  return child;
}

static GtkColumnViewColumn *
get_column (GtkColumnView *view, GtkWidget *title)
{
  guint position = 0;

  while ((title = gtk_widget_get_prev_sibling (title)) != NULL)
    position++;
  g_autoptr (GtkColumnViewColumn) column =
      g_list_model_get_item (gtk_column_view_get_columns (view), position);
  return column;
}

/* Like a click: sorts by the column, the next time in the other direction. */
static gboolean
title_key_cb (GtkEventControllerKey *keys, guint key, guint code, GdkModifierType state,
              GtkColumnView *view)
{
  GtkWidget *title = gtk_event_controller_get_widget (GTK_EVENT_CONTROLLER (keys));
  GtkWidget *indicator = find_indicator (title);
  GtkColumnViewColumn *column = get_column (view, title);
  gboolean is_ascending = indicator != NULL && gtk_widget_has_css_class (indicator, "ascending");

  if ((key != GDK_KEY_Return && key != GDK_KEY_KP_Enter && key != GDK_KEY_space) || column == NULL
      || gtk_column_view_column_get_sorter (column) == NULL)
    return GDK_EVENT_PROPAGATE;
  /* Sorting by none first: the title of the column before would keep its indicator. */
  gtk_column_view_sort_by_column (view, NULL, GTK_SORT_ASCENDING);
  gtk_column_view_sort_by_column (view, column,
                                  is_ascending ? GTK_SORT_DESCENDING : GTK_SORT_ASCENDING);
  return GDK_EVENT_STOP;
}

void
seam_gtk_sort_by_keys (GtkColumnView *view)
{
  GtkWidget *header = gtk_widget_get_first_child (GTK_WIDGET (view));

  gtk_widget_set_can_focus (header, TRUE);
  gtk_widget_set_focusable (header, FALSE);
  for (GtkWidget *title = gtk_widget_get_first_child (header); title != NULL;
       title = gtk_widget_get_next_sibling (title)) {
    GtkEventController *keys = gtk_event_controller_key_new ();

    gtk_widget_set_focusable (title, TRUE);
    g_signal_connect (keys, "key-pressed", G_CALLBACK (title_key_cb), view);
    gtk_widget_add_controller (title, keys);
  }
}

gboolean
seam_gtk_leave_list (GtkWidget *list)
{
  GtkRoot *root = gtk_widget_get_root (list);
  GtkWidget *focus = root != NULL ? gtk_root_get_focus (root) : NULL;

  if (focus == NULL || !gtk_widget_is_ancestor (focus, list))
    return FALSE;
  gtk_root_set_focus (root, NULL);
  return TRUE;
}

void
seam_gtk_scroll_to (GtkWidget *widget, double place)
{
  GtkWidget *page = gtk_widget_get_ancestor (widget, GTK_TYPE_VIEWPORT);
  GtkAdjustment *at = gtk_scrollable_get_vadjustment (GTK_SCROLLABLE (page));
  graphene_rect_t bounds;

  if (gtk_widget_compute_bounds (widget, gtk_widget_get_first_child (page), &bounds))
    gtk_adjustment_set_value (
        at,
        bounds.origin.y + place * ((double)bounds.size.height - gtk_adjustment_get_page_size (at)));
}

void
seam_gtk_scroll_across (GtkScrolledWindow *window, int most_height)
{
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (GTK_WIDGET (window));
  const gboolean scrolls_down = most_height > 0;

  gtk_scrolled_window_set_policy (window, GTK_POLICY_AUTOMATIC,
                                  scrolls_down ? GTK_POLICY_AUTOMATIC : GTK_POLICY_NEVER);
  gtk_scrolled_window_set_propagate_natural_height (window, TRUE);
  gtk_scrolled_window_set_max_content_height (window, scrolls_down ? most_height : -1);
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GtkEventController) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_EVENT_CONTROLLER_SCROLL (controller))
      gtk_event_controller_scroll_set_flags (GTK_EVENT_CONTROLLER_SCROLL (controller),
                                             (scrolls_down ? GTK_EVENT_CONTROLLER_SCROLL_BOTH_AXES
                                                           : GTK_EVENT_CONTROLLER_SCROLL_HORIZONTAL)
                                                 | GTK_EVENT_CONTROLLER_SCROLL_KINETIC);
  }
}

/* --- A scrollbar that follows later --- */

/* Two adjustments kept in step: the scrollbar's follows the window's in an idle, the window's
 * follows a drag at once. */
typedef struct {
  GtkWidget *scrollbar; /* owns this */
  GtkAdjustment *of;    /* owned reference */
  guint idle;
  gboolean is_following;
} Late;

static void
late_free (gpointer data)
{
  Late *late = data;

  g_clear_handle_id (&late->idle, g_source_remove);
  g_signal_handlers_disconnect_by_data (late->of, late);
  g_object_unref (late->of);
  g_free (late);
}

static gboolean
follow_cb (gpointer data)
{
  Late *late = data;
  GtkAdjustment *own = gtk_scrollbar_get_adjustment (GTK_SCROLLBAR (late->scrollbar));
  double lower = gtk_adjustment_get_lower (late->of), upper = gtk_adjustment_get_upper (late->of);
  double page = gtk_adjustment_get_page_size (late->of);

  late->idle = 0;
  late->is_following = TRUE;
  gtk_adjustment_configure (own, gtk_adjustment_get_value (late->of), lower, upper,
                            gtk_adjustment_get_step_increment (late->of),
                            gtk_adjustment_get_page_increment (late->of), page);
  late->is_following = FALSE;
  gtk_widget_set_visible (late->scrollbar, upper - lower > page);
  return G_SOURCE_REMOVE;
}

static void
window_changed_cb (GtkAdjustment *of, Late *late)
{
  if (late->idle == 0)
    late->idle = g_idle_add (follow_cb, late);
}

static void
dragged_cb (GtkAdjustment *own, Late *late)
{
  if (!late->is_following)
    gtk_adjustment_set_value (late->of, gtk_adjustment_get_value (own));
}

GtkWidget *
seam_gtk_late_scrollbar_new (GtkOrientation orientation, GtkAdjustment *of)
{
  GtkAdjustment *own = gtk_adjustment_new (0, 0, 0, 0, 0, 0);
  Late *late = g_new0 (Late, 1);

  late->scrollbar = gtk_scrollbar_new (orientation, own);
  late->of = g_object_ref (of);
  gtk_widget_set_visible (late->scrollbar, FALSE);
  g_signal_connect (of, "changed", G_CALLBACK (window_changed_cb), late);
  g_signal_connect (of, "value-changed", G_CALLBACK (window_changed_cb), late);
  g_signal_connect (own, "value-changed", G_CALLBACK (dragged_cb), late);
  g_object_set_data_full (G_OBJECT (late->scrollbar), "late", late, late_free);
  return late->scrollbar;
}

/* --- Places of popovers --- */

gboolean
seam_gtk_is_in_window (GtkWidget *widget, const GdkRectangle *place)
{
  GtkWidget *window = GTK_WIDGET (gtk_widget_get_root (widget));
  graphene_rect_t bounds;

  if (window == NULL || !gtk_widget_compute_bounds (widget, window, &bounds))
    return FALSE;
  graphene_rect_init (&bounds, bounds.origin.x + (float)place->x, bounds.origin.y + (float)place->y,
                      (float)MAX (place->width, 1), (float)MAX (place->height, 1));
  return graphene_rect_intersection (&bounds,
                                     &GRAPHENE_RECT_INIT (0, 0,
                                                          (float)gtk_widget_get_width (window),
                                                          (float)gtk_widget_get_height (window)),
                                     NULL);
}
