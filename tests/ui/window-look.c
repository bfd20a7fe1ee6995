/* SPDX-License-Identifier: MIT
 *
 * The reading part of window-fixture.h: finding widgets by their texts, describing and drawing
 * them, and reading exported files.
 */
#include "tests/core/recorded-run.h"
#include "tests/ui/window-fixture.h"

#include <math.h>
#include <string.h>

/* --- Finding --- */

/* A text property of the widget for assistive technology; NULL: not set. */
static char *
get_property (GtkWidget *widget, GtkAccessibleProperty property)
{
  /* GTK 4.8 has no getter, but a failed check of the value returns the actual one. */
  g_autofree char *value =
      gtk_test_accessible_check_property (GTK_ACCESSIBLE (widget), property, "\001");
  gsize length = value != NULL ? strlen (value) : 0;

  if (length == 0 || strcmp (value, "<undefined>") == 0 || strcmp (value, "<unset>") == 0
      || strcmp (value, "undefined") == 0)
    return NULL;
  return g_steal_pointer (&value);
}

/* The widget's labels, taken from GTK's text of the relation,
 * "GtkLabel<0x55d0>GtkLabel<0x55d8>", because there is no getter for it either. */
static GSList *
list_labels (GtkWidget *widget)
{
  g_autofree char *value = gtk_test_accessible_check_relation (
      GTK_ACCESSIBLE (widget), GTK_ACCESSIBLE_RELATION_LABELLED_BY, widget, NULL);
  GSList *labels = NULL;

  for (char *at = value; at != NULL && (at = strstr (at, "<0x")) != NULL; at++)
    labels = g_slist_append (labels, GSIZE_TO_POINTER (g_ascii_strtoull (at + 1, NULL, 16)));
  return labels;
}

char *
ui_get_spoken_name (GtkWidget *widget)
{
  g_autoptr (GString) name = g_string_new (NULL);
  g_autofree char *own = get_property (widget, GTK_ACCESSIBLE_PROPERTY_LABEL);
  g_autoptr (GSList) labels = list_labels (widget);

  g_string_append (name, own != NULL ? own : "");
  for (GSList *label = labels; label != NULL; label = label->next) {
    g_autofree char *text = get_property (label->data, GTK_ACCESSIBLE_PROPERTY_LABEL);
    if (text != NULL)
      g_string_append_printf (name, "%s%s", name->len > 0 ? " " : "", text);
  }
  return name->len > 0 ? g_strdup (name->str) : NULL;
}

char *
ui_get_name (GtkWidget *widget)
{
  char *name = ui_get_spoken_name (widget);
  const char *text = NULL;

  if (name != NULL)
    return name;
  if (GTK_IS_LABEL (widget))
    text = gtk_label_get_text (GTK_LABEL (widget));
  else if (GTK_IS_BUTTON (widget))
    text = gtk_button_get_label (GTK_BUTTON (widget));
  else if (GTK_IS_CHECK_BUTTON (widget))
    text = gtk_check_button_get_label (GTK_CHECK_BUTTON (widget));
  else if (ADW_IS_PREFERENCES_ROW (widget))
    text = adw_preferences_row_get_title (ADW_PREFERENCES_ROW (widget));
  else if (GTK_IS_WINDOW (widget))
    text = gtk_window_get_title (GTK_WINDOW (widget));
  if (text == NULL || text[0] == '\0')
    text = gtk_widget_get_tooltip_text (widget);
  return g_strdup (text);
}

char *
ui_get_description (GtkWidget *widget)
{
  return get_property (widget, GTK_ACCESSIBLE_PROPERTY_DESCRIPTION);
}

/* Appends matching widgets, from this one downwards, until there are `limit`. */
static void
find_below (GPtrArray *found, GtkWidget *widget, const GRegex *regex, GType type, guint limit)
{
  if (!gtk_widget_get_mapped (widget))
    return;
  if (type == 0 || g_type_is_a (G_OBJECT_TYPE (widget), type)) {
    g_autofree char *name = ui_get_name (widget);
    if (regex == NULL || (name != NULL && g_regex_match (regex, name, 0, NULL)))
      g_ptr_array_add (found, widget);
  }
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL && found->len < limit;
       child = gtk_widget_get_next_sibling (child))
    find_below (found, child, regex, type, limit);
}

static GPtrArray *
find_some (GtkWidget *root, const char *pattern, GType type, guint limit)
{
  g_autoptr (GError) error = NULL;
  g_autoptr (GRegex) regex = pattern != NULL ? g_regex_new (pattern, 0, 0, &error) : NULL;
  GListModel *windows = gtk_window_get_toplevels ();
  GPtrArray *found = g_ptr_array_new ();

  g_assert_no_error (error);
  if (root != NULL)
    find_below (found, root, regex, type, limit);
  for (guint i = 0; root == NULL && found->len < limit && i < g_list_model_get_n_items (windows);
       i++) {
    g_autoptr (GtkWidget) window = g_list_model_get_item (windows, i);
    find_below (found, window, regex, type, limit);
  }
  return found;
}

GPtrArray *
ui_list (GtkWidget *root, const char *pattern, GType type)
{
  return find_some (root, pattern, type, G_MAXUINT);
}

GStrv
ui_list_names (const char *pattern, GtkAccessibleRole role)
{
  g_autoptr (GPtrArray) widgets = ui_list (NULL, pattern, 0);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();

  for (guint i = 0; i < widgets->len; i++)
    if (gtk_accessible_get_accessible_role (widgets->pdata[i]) == role)
      g_ptr_array_add (names, ui_get_name (widgets->pdata[i]));
  g_ptr_array_add (names, NULL);
  return (GStrv)g_ptr_array_steal (names, NULL);
}

GtkWidget *
ui_find (const char *pattern, GType type)
{
  g_autoptr (GPtrArray) found = find_some (NULL, pattern, type, 1);

  return found->len > 0 ? found->pdata[0] : NULL;
}

typedef struct {
  const char *pattern;
  GType type;
} Wanted;

static gboolean
is_there (gpointer data)
{
  const Wanted *wanted = data;

  return ui_find (wanted->pattern, wanted->type) != NULL;
}

static gboolean
is_not_there (gpointer data)
{
  return !is_there (data);
}

GtkWidget *
ui_see (const char *pattern, GType type)
{
  Wanted wanted = { pattern, type };
  g_autofree char *what = g_strdup_printf ("%s “%s”", type != 0 ? g_type_name (type) : "anything",
                                           pattern != NULL ? pattern : "");

  ui_wait (what, is_there, &wanted);
  return ui_find (pattern, type);
}

GtkWidget *
ui_see_recorded (const char *sample, const char *text, GType type)
{
  g_autofree char *pattern = recorded_fill (sample, text);

  return ui_see (pattern, type);
}

void
ui_miss (const char *pattern, GType type)
{
  Wanted wanted = { pattern, type };
  g_autofree char *what = g_strdup_printf ("no more “%s”", pattern != NULL ? pattern : "");

  ui_wait (what, is_not_there, &wanted);
}

typedef struct {
  char letter;
  int number;
  const char *state;
  GtkWidget *seam;
} WantedSeam;

static gboolean
is_seam_there (gpointer data)
{
  WantedSeam *wanted = data;
  g_autofree char *pattern = g_strdup_printf ("^Seam %d, .*, %s\\b", wanted->number, wanted->state);
  g_autoptr (GPtrArray) strips = ui_list (NULL, "^Plan .*: [0-9]+ ops? in [0-9]+ group", 0);
  guint index = (guint)(wanted->letter - 'A');
  g_autoptr (GPtrArray) seams =
      index < strips->len ? ui_list (strips->pdata[index], pattern, 0) : NULL;

  wanted->seam = seams != NULL && seams->len > 0 ? seams->pdata[0] : NULL;
  return wanted->seam != NULL;
}

GtkWidget *
ui_see_seam (char letter, int number, const char *state)
{
  WantedSeam wanted = { letter, number, state, NULL };
  g_autofree char *what = g_strdup_printf ("seam %d of plan %c %s", number, letter, state);

  ui_wait (what, is_seam_there, &wanted);
  return wanted.seam;
}

/* --- Describing --- */

static const char *
get_role (GtkWidget *widget)
{
  GEnumClass *roles = g_type_class_ref (GTK_TYPE_ACCESSIBLE_ROLE);
  GEnumValue *role =
      g_enum_get_value (roles, (int)gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget)));

  return role != NULL ? role->value_nick : "?";
}

static void
append_quoted (GString *line, const char *before, const char *text)
{
  if (text == NULL || text[0] == '\0')
    return;
  g_autofree char *one_line = g_strdelimit (g_strdup (text), "\n", ' ');
  g_string_append_printf (line, "%s“%s”", before, one_line);
}

static void
append_states (GString *line, GtkWidget *widget)
{
  static const struct {
    GtkStateFlags flag;
    const char *word;
  } states[] = {
    { GTK_STATE_FLAG_CHECKED, "checked" },
    { GTK_STATE_FLAG_SELECTED, "selected" },
    { GTK_STATE_FLAG_INSENSITIVE, "insensitive" },
    { GTK_STATE_FLAG_INCONSISTENT, "inconsistent" },
  };
  GtkStateFlags flags = gtk_widget_get_state_flags (widget);

  for (gsize i = 0; i < G_N_ELEMENTS (states); i++)
    if (flags & states[i].flag)
      g_string_append_printf (line, " %s", states[i].word);
}

/* The line that describes a widget, or NULL. */
static char *
describe_one (GtkWidget *widget)
{
  g_autofree char *name = ui_get_name (widget);
  g_autofree char *description = ui_get_description (widget);
  g_autofree char *value = get_property (widget, GTK_ACCESSIBLE_PROPERTY_VALUE_TEXT);
  const char *tooltip = gtk_widget_get_tooltip_text (widget);
  GtkAccessibleRole role = gtk_accessible_get_accessible_role (GTK_ACCESSIBLE (widget));
  GString *line;

  /* The label inside has its name. */
  if (role == GTK_ACCESSIBLE_ROLE_GRID_CELL || role == GTK_ACCESSIBLE_ROLE_COLUMN_HEADER
      || role == GTK_ACCESSIBLE_ROLE_SCROLLBAR)
    return NULL;
  /* The inner text of an entry, which is described already. */
  if (GTK_IS_TEXT (widget) && GTK_IS_EDITABLE (gtk_widget_get_parent (widget)))
    return NULL;
  if (name == NULL && description == NULL && !GTK_IS_EDITABLE (widget) && !GTK_IS_DROP_DOWN (widget)
      && !GTK_IS_PROGRESS_BAR (widget) && role != GTK_ACCESSIBLE_ROLE_ROW
      && role != GTK_ACCESSIBLE_ROLE_LIST_ITEM)
    return NULL;
  line = g_string_new (get_role (widget));
  append_quoted (line, " ", name);
  if (g_strcmp0 (description, name) != 0)
    append_quoted (line, ": ", description);
  append_quoted (line, " value ", value);
  if (GTK_IS_EDITABLE (widget))
    append_quoted (line, " text ", gtk_editable_get_text (GTK_EDITABLE (widget)));
  if (GTK_IS_LABEL (widget) && g_strcmp0 (gtk_label_get_text (GTK_LABEL (widget)), name) != 0)
    append_quoted (line, " text ", gtk_label_get_text (GTK_LABEL (widget)));
  if (g_strcmp0 (tooltip, name) != 0 && g_strcmp0 (tooltip, description) != 0)
    append_quoted (line, " tooltip ", tooltip);
  append_states (line, widget);
  return g_string_free (line, FALSE);
}

static void
describe_below (GString *text, GtkWidget *widget, int depth)
{
  g_autofree char *line = NULL;

  /* A tooltip depends on where the pointer rests, and on how long. */
  if (!gtk_widget_get_mapped (widget)
      || g_str_equal (G_OBJECT_TYPE_NAME (widget), "GtkTooltipWindow"))
    return;
  line = describe_one (widget);
  if (line != NULL)
    g_string_append_printf (text, "%*s%s\n", 2 * depth, "", line);
  for (GtkWidget *child = gtk_widget_get_first_child (widget); child != NULL;
       child = gtk_widget_get_next_sibling (child))
    describe_below (text, child, line != NULL ? depth + 1 : depth);
}

char *
ui_describe (GtkWidget *root)
{
  static const char *const masked[][2] = {
    { "[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9:]+Z", "DATE" },
    { "\\b[0-9]{1,2} [A-Z][a-z]{2} [0-2][0-9]:[0-5][0-9]\\b", "DATE" },
    { "[0-9.]+.[kM]B of 1 GB", "SIZE of 1 GB" },
    { "\\b[0-2][0-9]:[0-5][0-9]\\b", "TIME" },
    { "/[^ “”]*seamscope-window-[A-Za-z0-9]+", "FOLDER" },
  };
  GString *text = g_string_new (NULL);
  char *result;

  describe_below (text, root, 0);
  result = g_string_free (text, FALSE);
  for (gsize i = 0; i < G_N_ELEMENTS (masked); i++) {
    g_autoptr (GRegex) regex = g_regex_new (masked[i][0], 0, 0, NULL);
    char *other = g_regex_replace_literal (regex, result, -1, 0, masked[i][1], 0, NULL);
    g_free (result);
    result = other;
  }
  return result;
}

/* --- Pictures --- */

void
ui_draw (GtkWindow *window, const char *before)
{
  static int n;
  const char *out = g_getenv ("SEAMSCOPE_TEST_PICTURES");
  GtkNative *native = GTK_NATIVE (window);
  int width = window != NULL ? gtk_widget_get_width (GTK_WIDGET (window)) : 0;

  if (out == NULL || width == 0)
    return;
  ui_settle ();
  g_autoptr (GdkPaintable) paintable = gtk_widget_paintable_new (GTK_WIDGET (window));
  g_autoptr (GtkSnapshot) snapshot = gtk_snapshot_new ();
  gdk_paintable_snapshot (paintable, snapshot, width, gtk_widget_get_height (GTK_WIDGET (window)));
  g_autoptr (GskRenderNode) node = gtk_snapshot_free_to_node (g_steal_pointer (&snapshot));
  if (node == NULL)
    return;
  g_autoptr (GdkTexture) texture =
      gsk_renderer_render_texture (gtk_native_get_renderer (native), node, NULL);
  g_autofree char *words = g_strdup_printf ("%03d %s %s.png", n++, g_test_get_path () + 1, before);
  g_autofree char *name =
      g_strdelimit (g_utf8_substring (words, 0, MIN (g_utf8_strlen (words, -1), 100)), "/\n", '-');
  g_autofree char *path = g_build_filename (out, name, NULL);
  g_assert_true (gdk_texture_save_to_png (texture, path));
}

/* --- Reading --- */

SeamCsv *
ui_write_table (const char *action, const char *name)
{
  g_autofree char *path = ui_write (action, name), *text = NULL;
  g_autoptr (GError) error = NULL;
  SeamCsv *csv;

  g_assert_true (g_file_get_contents (path, &text, NULL, NULL));
  csv = seam_csv_parse (text, &error);
  g_assert_no_error (error);
  return csv;
}

char *
ui_match (const char *pattern, const char *text, int group)
{
  g_autoptr (GRegex) regex = g_regex_new (pattern, 0, 0, NULL);
  g_autoptr (GMatchInfo) match = NULL;

  if (!g_regex_match (regex, text, 0, &match))
    g_error ("“%s” is not in “%s”.", pattern, text);
  return g_match_info_fetch (match, group);
}
