/* SPDX-License-Identifier: MIT
 *
 * One row for each pipeline stays; searching hides rows, and stars move them.
 */
#include "ui/browser/pipeline-browser.h"

#include "ui/browser/browser-row.h"
#include "ui/browser/own-pipelines.h"
#include "ui/browser/pipeline-details.h"
#include "ui/browser/tag-filters.h"
#include "ui/class/class.h"
#include "ui/state/remembered.h"
#include "ui/state/state.h"
#include "ui/widgets/css-class.h"
#include "ui/widgets/label.h"

#include "app/base/text.h"

#include <string.h>

#define READ_DELAY_MS  200  /* after a change of the folder: a file is written in steps */
#define BESIDE_WIDTH   1280 /* from this width on details stand beside the list, else in its row */
#define SIDE_WIDTH     1024 /* from this width on collections and filters do */
#define ACROSS_WIDTH   700  /* from this width on details in a row stand side by side */
#define MAX_FAVOURITES 1000
#define NEW_PIPELINE   "New pipeline…"

typedef enum { ALL, FAVOURITES, RECENT, LEVEL, OWN, N_COLLECTIONS } Collection;

static const char *const collections[] = { "All pipelines", "Favourites", "Recent",
                                           "KernelBench level 2", "Your folder" };

struct _SeamPipelineBrowser {
  AdwBin parent_instance;

  SeamModel *model;
  GPtrArray *entries; /* of SeamCatalogueEntry; NULL: not read yet */
  GFileMonitor *monitor;
  guint read_id, scroll_id;
  GStrv favourites, used;
  Collection collection;
  SeamBrowserOrder order;
  guint tags; /* that every shown pipeline has */
  int n_shown[SEAM_N_SECTIONS], n_above[SEAM_N_SECTIONS];
  char *meant; /* what was probably meant by a text that finds nothing; NULL */
  gboolean is_inline;
  gboolean updating; /* rows come and go: nothing follows their selection */

  GtkSearchEntry *entry;
  GtkLabel *count, *nothing;
  GtkListBox *list, *collection_list;
  GtkScrolledWindow *scroller;
  GtkWidget *filters;
  GtkWidget *empty;          /* in the place of a list that shows nothing */
  GtkWidget *right, *beside; /* a scrolled window, and the place for the details in it */
  GtkWidget *choose;         /* reveals collections and filters where they are folded away */
  AdwFlap *flap;
  GtkButton *go_on;
  SeamPipelineDetails *details;
};

G_DEFINE_FINAL_TYPE (SeamPipelineBrowser, seam_pipeline_browser, ADW_TYPE_BIN)

static const char *
get_text (SeamPipelineBrowser *self)
{
  return gtk_editable_get_text (GTK_EDITABLE (self->entry));
}

static SeamBrowserRow *
get_row (SeamPipelineBrowser *self, int index)
{
  return seam_browser_row_get (gtk_list_box_get_row_at_index (self->list, index));
}

static SeamBrowserRow *
get_selected (SeamPipelineBrowser *self)
{
  return seam_browser_row_get (gtk_list_box_get_selected_row (self->list));
}

static int
find_place (GStrv names, const char *name)
{
  for (int i = 0; name != NULL && names[i] != NULL; i++)
    if (strcmp (names[i], name) == 0)
      return i;
  return -1;
}

/* --- What is shown, and where --- */

static gboolean
is_own (const SeamBrowserRow *row)
{
  return row->entry->pipeline == NULL || seam_pipeline_is_own (row->entry->pipeline);
}

static gboolean
is_in (SeamPipelineBrowser *self, const SeamBrowserRow *row, Collection collection)
{
  switch (collection) {
  case FAVOURITES:
    return row->favourite;
  case RECENT:
    return find_place (self->used, row->name) >= 0;
  case LEVEL:
    return !is_own (row);
  case OWN:
    return is_own (row);
  default:
    return TRUE;
  }
}

static void
place (SeamPipelineBrowser *self, SeamBrowserRow *row)
{
  int favourite = find_place (self->favourites, row->name),
      used = find_place (self->used, row->name);

  row->favourite = favourite >= 0;
  row->section = seam_catalogue_entry_has_number (row->entry, get_text (self)) ? SEAM_SECTION_NUMBER
                 : favourite >= 0 || used >= 0                                 ? SEAM_SECTION_NEAR
                 : is_own (row)                                                ? SEAM_SECTION_OWN
                                                                               : SEAM_SECTION_LEVEL;
  seam_browser_row_place (row, self->order, favourite, used, self->model->history);
  row->shown = is_in (self, row, self->collection) && (row->entry->tags & self->tags) == self->tags
               && seam_catalogue_entry_matches (row->entry, get_text (self));
}

static gboolean
filter_cb (GtkListBoxRow *row, gpointer data)
{
  return seam_browser_row_get (row)->shown;
}

static void
header_cb (GtkListBoxRow *widget, GtkListBoxRow *before, gpointer data)
{
  SeamPipelineBrowser *self = data;
  const SeamBrowserRow *row = seam_browser_row_get (widget);
  SeamBrowserSection section = row->section;
  static const char *const titles[] = { "By number", "Favourites and recent", "Your folder",
                                        "KernelBench level 2" };

  gtk_list_box_row_set_header (widget, NULL);
  if (before != NULL && seam_browser_row_get (before)->section == section)
    return;
  g_autofree char *above =
      self->n_above[section] > 0
          ? g_strdup_printf ("%d, and %d above", self->n_shown[section], self->n_above[section])
          : g_strdup_printf ("%d", self->n_shown[section]);
  gtk_list_box_row_set_header (widget,
                               seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, "browser-section",
                                             seam_label_new (titles[section], "heading", 0),
                                             seam_label_new (above, "dim-label", 0), NULL));
}

/* After layout: the selected row may have received the details. */
static gboolean
scroll_cb (gpointer data)
{
  SeamPipelineBrowser *self = data;
  SeamBrowserRow *row = get_selected (self);
  graphene_rect_t bounds;

  self->scroll_id = 0;
  if (row != NULL && gtk_widget_compute_bounds (row->widget, GTK_WIDGET (self->list), &bounds))
    gtk_adjustment_clamp_page (gtk_scrolled_window_get_vadjustment (self->scroller),
                               bounds.origin.y, bounds.origin.y + bounds.size.height);
  return G_SOURCE_REMOVE;
}

static void
select_row (SeamPipelineBrowser *self, SeamBrowserRow *row)
{
  gtk_list_box_select_row (self->list, row != NULL ? GTK_LIST_BOX_ROW (row->widget) : NULL);
  if (self->scroll_id == 0)
    self->scroll_id = g_idle_add_full (G_PRIORITY_LOW, scroll_cb, self, NULL);
}

/* The next row that is shown, from `index` on in steps of 1 or -1; NULL: none. */
static SeamBrowserRow *
find_shown (SeamPipelineBrowser *self, int index, int step)
{
  SeamBrowserRow *row = index >= 0 ? get_row (self, index) : NULL;

  while (row != NULL && !row->shown) {
    index += step;
    row = index >= 0 ? get_row (self, index) : NULL;
  }
  return row;
}

static gboolean
is_own_empty (SeamPipelineBrowser *self)
{
  return self->collection == OWN && get_text (self)[0] == '\0' && self->tags == 0;
}

static void
show_nothing (SeamPipelineBrowser *self)
{
  const char *text = get_text (self);
  g_autofree char *folder = seam_pipeline_get_own_folder ();
  g_autofree char *words = NULL;

  g_clear_pointer (&self->meant, g_free);
  self->meant = text[0] != '\0' ? seam_catalogue_suggest (self->entries, text) : NULL;
  if (is_own_empty (self))
    words = g_strdup_printf ("Drop a pipeline file (.ini) here, or make a new one. Your folder is "
                             "%s; files that you open are listed here, too.",
                             folder);
  else if (self->meant != NULL)
    words = g_strdup_printf ("No pipeline has “%s”. Did you mean “%s”?", text, self->meant);
  else if (text[0] != '\0')
    words = g_strdup_printf ("No pipeline %s has “%s”.",
                             self->tags != 0 ? "with these filters" : "here", text);
  else
    words = g_strdup (self->collection == FAVOURITES
                          ? "No favourites yet. The star of a row, or the key F, makes one."
                          : "No pipeline is here.");
  gtk_label_set_text (self->nothing, words);
  seam_css_class_set (self->empty, "drop-place", is_own_empty (self));
  gtk_button_set_label (self->go_on, is_own_empty (self)   ? NEW_PIPELINE
                                     : self->meant != NULL ? self->meant
                                                           : "Show all");
}

static void
show_count (SeamPipelineBrowser *self, int n)
{
  SeamBrowserRow *row;
  int n_all = 0;

  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    n_all += row->name != NULL;
  g_autofree char *count =
      n == n_all ? g_strdup_printf ("%d pipelines", n) : g_strdup_printf ("%d of %d", n, n_all);

  gtk_label_set_text (self->count, count);
}

/* Counts behind the names of collections: a file that cannot be read is no pipeline. */
static void
count_collections (SeamPipelineBrowser *self)
{
  for (int i = 0; i < N_COLLECTIONS; i++) {
    GtkListBoxRow *item = gtk_list_box_get_row_at_index (self->collection_list, i);
    GtkWidget *label = gtk_widget_get_last_child (gtk_list_box_row_get_child (item));
    SeamBrowserRow *row;
    int n = 0;

    for (int k = 0; (row = get_row (self, k)) != NULL; k++)
      n += row->name != NULL && is_in (self, row, i);
    g_autofree char *count = g_strdup_printf ("%d", n);
    g_autofree char *spoken = g_strdup_printf ("%s, %d", collections[i], n);
    gtk_label_set_text (GTK_LABEL (label), count);
    seam_widget_set_name (item, spoken);
  }
}

static void
refresh (SeamPipelineBrowser *self)
{
  SeamBrowserRow *row, *selected = get_selected (self);
  gboolean some = FALSE;
  int n = 0;

  if (self->entries == NULL || self->updating)
    return;
  memset (self->n_shown, 0, sizeof self->n_shown);
  memset (self->n_above, 0, sizeof self->n_above);
  for (int i = 0; (row = get_row (self, i)) != NULL; i++) {
    place (self, row);
    if (!row->shown)
      continue;
    some = TRUE;
    n += row->name != NULL;
    self->n_shown[row->section] += row->name != NULL;
    if (row->section < SEAM_SECTION_OWN)
      self->n_above[is_own (row) ? SEAM_SECTION_OWN : SEAM_SECTION_LEVEL]++;
    seam_browser_row_update (row, get_text (self), self->model->history,
                             !gtk_widget_get_visible (self->choose));
  }
  gtk_list_box_invalidate_sort (self->list);
  gtk_list_box_invalidate_filter (self->list);
  gtk_list_box_invalidate_headers (self->list);
  count_collections (self);
  show_count (self, n);
  gtk_widget_set_visible (GTK_WIDGET (self->scroller), some);
  gtk_widget_set_visible (self->empty, !some);
  if (!some)
    show_nothing (self);
  if (selected == NULL || !selected->shown)
    select_row (self, find_shown (self, 0, 1));
}

static void
search_changed_cb (SeamPipelineBrowser *self)
{
  refresh (self);
  if (get_text (self)[0] != '\0')
    select_row (self, find_shown (self, 0, 1));
}

static void
selected_cb (SeamPipelineBrowser *self)
{
  GtkWidget *details, *box;
  SeamBrowserRow *row;

  if (self->updating)
    return;
  row = get_selected (self);
  details = GTK_WIDGET (self->details);
  box = self->is_inline && row != NULL ? row->box : self->beside;
  if (gtk_widget_get_parent (details) != box) {
    g_object_ref (details);
    gtk_box_remove (GTK_BOX (gtk_widget_get_parent (details)), details);
    gtk_box_append (GTK_BOX (box), details);
    g_object_unref (details);
  }
  gtk_widget_set_visible (self->right, !self->is_inline && row != NULL);
  seam_pipeline_details_show (self->details, row != NULL ? row->entry : NULL);
}

/* --- Reading --- */

static void update_filters (SeamPipelineBrowser *self);
static void widen (SeamPipelineBrowser *self);
static void begin_own (SeamPipelineBrowser *self);
static void star_clicked_cb (GtkWidget *star, SeamPipelineBrowser *self);

/* Another run, or a change of its marks, also changes the details. */
static void
entries_changed_cb (SeamPipelineBrowser *self)
{
  if (!gtk_widget_get_mapped (GTK_WIDGET (self)))
    return;
  refresh (self);
  selected_cb (self);
}

static void
take_remembered (SeamPipelineBrowser *self)
{
  g_strfreev (self->favourites);
  g_strfreev (self->used);
  self->favourites = seam_remembered_get_list (SEAM_FAVOURITE_PIPELINES);
  self->used = seam_remembered_get_list (SEAM_USED_PIPELINES);
}

static void
read_files (SeamPipelineBrowser *self)
{
  SeamBrowserRow *row = get_selected (self);
  g_autofree char *selected =
      row != NULL ? g_strdup (row->name)
                  : seam_pipeline_make_name (seam_setup_get_pipeline (self->model->setup));
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = seam_catalogue_new (seam_setup_get_pipelines (self->model->setup), &error);

  if (entries == NULL) {
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, error->message, NULL);
    return;
  }
  self->updating = TRUE;
  gtk_list_box_select_row (self->list, NULL);
  self->updating = FALSE;
  selected_cb (self); /* takes the details out of their row */
  seam_widget_clear (self->list, G_CALLBACK (gtk_list_box_remove));
  g_clear_pointer (&self->entries, g_ptr_array_unref);
  self->entries = entries;
  for (guint i = 0; i < entries->len; i++) {
    row = seam_browser_row_new (entries->pdata[i]);
    place (self, row);
    gtk_list_box_append (self->list, row->widget);
    if (row->star != NULL)
      g_signal_connect (row->star, "clicked", G_CALLBACK (star_clicked_cb), self);
  }
  update_filters (self);
  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    if (g_strcmp0 (row->name, selected) == 0)
      select_row (self, row);
  refresh (self);
}

static gboolean
read_cb (gpointer data)
{
  SeamPipelineBrowser *self = data;

  self->read_id = 0;
  read_files (self);
  return G_SOURCE_REMOVE;
}

static void
folder_changed_cb (SeamPipelineBrowser *self)
{
  if (self->entries != NULL && self->read_id == 0)
    self->read_id = g_timeout_add (READ_DELAY_MS, read_cb, self);
}

static void
map (GtkWidget *widget)
{
  SeamPipelineBrowser *self = SEAM_PIPELINE_BROWSER (widget);

  take_remembered (self);
  if (self->monitor == NULL) {
    g_autofree char *path = seam_pipeline_get_own_folder ();
    g_autoptr (GFile) folder = g_file_new_for_path (path);

    self->monitor = g_file_monitor_directory (folder, G_FILE_MONITOR_NONE, NULL, NULL);
    if (self->monitor != NULL)
      g_signal_connect_object (self->monitor, "changed", G_CALLBACK (folder_changed_cb), self,
                               G_CONNECT_SWAPPED);
    read_files (self);
  }
  if (self->entries != NULL)
    widen (self);
  GTK_WIDGET_CLASS (seam_pipeline_browser_parent_class)->map (widget);
  entries_changed_cb (self);
}

static gboolean
grab_focus (GtkWidget *widget)
{
  return gtk_widget_grab_focus (GTK_WIDGET (SEAM_PIPELINE_BROWSER (widget)->entry));
}

/* --- Collections and filters --- */

static void
filter_toggled_cb (GtkToggleButton *button, SeamPipelineBrowser *self)
{
  guint bit = seam_tag_filters_get_bit (button);

  self->tags = gtk_toggle_button_get_active (button) ? self->tags | bit : self->tags & ~bit;
  refresh (self);
}

/* With the number of pipelines that each leaves. */
static void
update_filters (SeamPipelineBrowser *self)
{
  seam_tag_filters_fill (self->filters, self->entries, self->tags, G_CALLBACK (filter_toggled_cb),
                         self);
}

static void
collection_cb (SeamPipelineBrowser *self)
{
  GtkListBoxRow *row = gtk_list_box_get_selected_row (self->collection_list);

  self->collection = row != NULL ? (Collection)gtk_list_box_row_get_index (row) : ALL;
  gtk_button_set_label (GTK_BUTTON (self->choose), collections[self->collection]);
  if (self->model != NULL)
    refresh (self);
}

static GtkWidget *
make_side (SeamPipelineBrowser *self)
{
  self->collection_list = GTK_LIST_BOX (gtk_list_box_new ());
  seam_widget_set_name (self->collection_list, "Collections");
  gtk_widget_add_css_class (GTK_WIDGET (self->collection_list), "navigation-sidebar");
  for (int i = 0; i < N_COLLECTIONS; i++) {
    GtkWidget *name = seam_label_new (collections[i], NULL, 0);

    gtk_widget_set_hexpand (name, TRUE);
    gtk_list_box_append (self->collection_list,
                         seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL, name,
                                       seam_label_new (NULL, "dim-label numeric", 0), NULL));
  }
  g_signal_connect_swapped (self->collection_list, "row-selected", G_CALLBACK (collection_cb),
                            self);
  GtkWidget *begin = seam_button_new (
      NEW_PIPELINE, "flat", "Makes a file in your folder and opens it in your text editor", NULL);
  g_signal_connect_swapped (begin, "clicked", G_CALLBACK (begin_own), self);
  self->filters = seam_box_new (GTK_ORIENTATION_VERTICAL, 8, "browser-filters", NULL);
  GtkWidget *scrolled = seam_scrolled_new (seam_box_new (
      GTK_ORIENTATION_VERTICAL, 0, NULL, self->collection_list, begin, self->filters, NULL));
  gtk_widget_set_size_request (scrolled, 264, -1);
  gtk_widget_add_css_class (scrolled, "seam-sidebar");
  return scrolled;
}

/* --- Acting --- */

static void
use (SeamPipelineBrowser *self)
{
  SeamBrowserRow *row = get_selected (self);
  const SeamRunRequest *chosen =
      seam_setup_get_request (seam_pipeline_details_get_setup (self->details));

  if (row == NULL || row->name == NULL)
    return;
  /* Leaves a lesson or a recorded run, and with it what was chosen there. */
  gtk_widget_activate_action (GTK_WIDGET (self), "win.begin", "s", "");
  seam_setup_use_pipeline (self->model->setup, row->entry->pipeline);
  seam_setup_adopt_shape (self->model->setup, chosen->values, chosen->preset);
  seam_state_save (self->model);
}

static void
open_last_run (SeamPipelineBrowser *self)
{
  SeamBrowserRow *row = get_selected (self);
  const SeamHistoryEntry *last =
      row != NULL && row->name != NULL
          ? seam_history_list_find_run (self->model->history, row->entry->pipeline)
          : NULL;

  if (last != NULL) {
    gtk_widget_activate_action (GTK_WIDGET (self), "win.history-open", "x", last->id);
  } else if (row != NULL && row->name != NULL) {
    g_autofree char *words =
        g_strdup_printf ("%s has not run on this computer yet.", row->entry->pipeline->id);
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, words, NULL);
  }
}

static void
toggle_favourite (SeamPipelineBrowser *self, SeamBrowserRow *row)
{
  if (row == NULL || row->name == NULL)
    return;
  seam_remembered_set_listed (SEAM_FAVOURITE_PIPELINES, row->name, !row->favourite, MAX_FAVOURITES);
  take_remembered (self);
  refresh (self);
}

static void
star_clicked_cb (GtkWidget *star, SeamPipelineBrowser *self)
{
  toggle_favourite (self,
                    seam_browser_row_get (gtk_widget_get_ancestor (star, GTK_TYPE_LIST_BOX_ROW)));
}

static void
choose_collection (SeamPipelineBrowser *self, int index)
{
  gtk_list_box_select_row (self->collection_list,
                           gtk_list_box_get_row_at_index (self->collection_list, index));
}

static void
escape (SeamPipelineBrowser *self)
{
  if (get_text (self)[0] != '\0')
    gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  else
    gtk_widget_activate_action (GTK_WIDGET (self), "win.leave-pipelines", NULL);
}

/* Everything, whatever was sought and chosen. */
static void
widen (SeamPipelineBrowser *self)
{
  self->tags = 0;
  update_filters (self);
  choose_collection (self, ALL);
  gtk_editable_set_text (GTK_EDITABLE (self->entry), "");
  refresh (self);
}

/* A new file in the person's folder, among its neighbours. */
static void
show_own (SeamPipelineBrowser *self, const char *path)
{
  SeamBrowserRow *row;

  widen (self);
  choose_collection (self, OWN);
  read_files (self);
  for (int i = 0; (row = get_row (self, i)) != NULL; i++)
    if (g_strcmp0 (row->name, path) == 0)
      select_row (self, row);
}

static void
begin_own (SeamPipelineBrowser *self)
{
  g_autofree char *path = seam_own_pipelines_begin (GTK_WIDGET (self), self->model->notices);

  if (path != NULL)
    show_own (self, path);
}

static gboolean
drop_cb (GtkDropTarget *target, const GValue *value, double x, double y, SeamPipelineBrowser *self)
{
  g_autoptr (GSList) files = gdk_file_list_get_files (g_value_get_boxed (value));
  g_autofree char *path = seam_own_pipelines_take (GTK_WIDGET (self), self->model->notices, files);

  if (path != NULL)
    show_own (self, path);
  return files != NULL;
}

/* The way on from a list that shows nothing. */
static void
go_on_cb (SeamPipelineBrowser *self)
{
  g_autofree char *text = g_strdup (self->meant);

  if (is_own_empty (self))
    begin_own (self);
  else if (text != NULL)
    gtk_editable_set_text (GTK_EDITABLE (self->entry), text);
  else
    widen (self);
}

/* The selection moves while the entry keeps the focus. */
static void
step (SeamPipelineBrowser *self, int by)
{
  GtkListBoxRow *selected = gtk_list_box_get_selected_row (self->list);
  SeamBrowserRow *next =
      find_shown (self, selected != NULL ? gtk_list_box_row_get_index (selected) + by : 0, by);

  if (next != NULL)
    select_row (self, next);
}

/* What the focused widget has not taken. */
static gboolean
key_cb (GtkEventControllerKey *controller, guint key, guint code, GdkModifierType state,
        SeamPipelineBrowser *self)
{
  GdkModifierType held = state & gtk_accelerator_get_default_mod_mask ();
  /* Not gtk_widget_get_focus_child(), which is out of date after the page was left. */
  GtkWidget *focus = gtk_root_get_focus (gtk_widget_get_root (GTK_WIDGET (self)));
  gboolean in_list = focus != NULL && gtk_widget_is_ancestor (focus, GTK_WIDGET (self->list));

  if (held == GDK_CONTROL_MASK && (key == GDK_KEY_Return || key == GDK_KEY_KP_Enter))
    open_last_run (self);
  else if (held == GDK_ALT_MASK && key >= GDK_KEY_1 && key < GDK_KEY_1 + N_COLLECTIONS)
    choose_collection (self, (int)(key - GDK_KEY_1));
  else if (held != 0)
    return GDK_EVENT_PROPAGATE;
  else if (key == GDK_KEY_Up || key == GDK_KEY_Down)
    step (self, key == GDK_KEY_Down ? 1 : -1);
  else if (key == GDK_KEY_Escape)
    escape (self);
  else if (key == GDK_KEY_slash)
    gtk_widget_grab_focus (GTK_WIDGET (self->entry));
  else if (gdk_keyval_to_lower (key) == GDK_KEY_f && in_list)
    toggle_favourite (self, get_selected (self));
  else
    return GDK_EVENT_PROPAGATE;
  return GDK_EVENT_STOP;
}

/* --- The page --- */

void
seam_pipeline_browser_set_width (SeamPipelineBrowser *self, int width)
{
  gboolean is_inline = width < BESIDE_WIDTH, folds = width < SIDE_WIDTH;

  if (folds != gtk_widget_get_visible (self->choose)) {
    gtk_widget_set_visible (self->choose, folds);
    adw_flap_set_fold_policy (self->flap,
                              folds ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_NEVER);
    adw_flap_set_reveal_flap (self->flap, !folds);
    refresh (self);
  }
  seam_pipeline_details_set_across (self->details, is_inline && width >= ACROSS_WIDTH);
  if (is_inline == self->is_inline)
    return;
  self->is_inline = is_inline;
  selected_cb (self);
}

void
seam_pipeline_browser_set_model (SeamPipelineBrowser *self, SeamModel *model)
{
  g_return_if_fail (self->model == NULL);
  self->model = g_object_ref (model);
  seam_pipeline_details_set_model (self->details, model);
  seam_watch (self, G_CALLBACK (entries_changed_cb), model->history, "entries", NULL);
  /* A file that was opened from elsewhere is one of the person's own. */
  seam_watch (self, G_CALLBACK (folder_changed_cb), model->setup, "pipelines", NULL);
}

static void
let_go (SeamPipelineBrowser *self)
{
  self->updating = TRUE;
  seam_drop_children (GTK_WIDGET (self));
}

static void
seam_pipeline_browser_class_init (SeamPipelineBrowserClass *klass)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS (klass);

  seam_dispose_first (klass, G_CALLBACK (let_go));
  SEAM_OWNS (klass, SeamPipelineBrowser, g_source_remove, read_id, scroll_id);
  SEAM_OWNS (klass, SeamPipelineBrowser, g_object_unref, monitor, model);
  SEAM_OWNS (klass, SeamPipelineBrowser, g_ptr_array_unref, entries);
  SEAM_OWNS (klass, SeamPipelineBrowser, g_strfreev, favourites, used);
  SEAM_OWNS (klass, SeamPipelineBrowser, g_free, meant);
  widget_class->grab_focus = grab_focus;
  widget_class->map = map;
}

static void
order_cb (SeamPipelineBrowser *self, GParamSpec *pspec, GtkDropDown *orders)
{
  self->order = gtk_drop_down_get_selected (orders);
  refresh (self);
  select_row (self, get_selected (self));
}

static GtkWidget *
make_middle (SeamPipelineBrowser *self)
{
  static const char *const orders[] = { "By number", "By name", "By last use", NULL };
  GtkWidget *order = gtk_drop_down_new_from_strings (orders);

  seam_widget_set_name (order, "Order");
  g_signal_connect_swapped (order, "notify::selected", G_CALLBACK (order_cb), self);
  self->entry = GTK_SEARCH_ENTRY (gtk_search_entry_new ());
  g_object_set (self->entry, "placeholder-text", "Search by op, name or number", "hexpand", TRUE,
                NULL);
  seam_widget_set_name (self->entry, "Search the pipelines");
  g_signal_connect_swapped (self->entry, "changed", G_CALLBACK (search_changed_cb), self);
  g_signal_connect_swapped (self->entry, "stop-search", G_CALLBACK (escape), self);
  g_signal_connect_swapped (self->entry, "activate", G_CALLBACK (use), self);
  self->choose = g_object_new (GTK_TYPE_TOGGLE_BUTTON, "visible", FALSE, "tooltip-text",
                               "Collections and filters", NULL);
  self->count = g_object_new (GTK_TYPE_LABEL, "accessible-role", GTK_ACCESSIBLE_ROLE_STATUS, NULL);

  self->nothing = seam_label_new (NULL, NULL, SEAM_LABEL_WRAPS);
  self->empty = seam_box_new (GTK_ORIENTATION_VERTICAL, 12, "browser-nothing", self->nothing, NULL);
  self->go_on = seam_button_new ("", NULL, NULL, NULL);
  gtk_widget_set_halign (GTK_WIDGET (self->go_on), GTK_ALIGN_START);
  gtk_box_append (GTK_BOX (self->empty), GTK_WIDGET (self->go_on));
  g_signal_connect_swapped (self->go_on, "clicked", G_CALLBACK (go_on_cb), self);

  self->list = GTK_LIST_BOX (gtk_list_box_new ());
  seam_widget_set_name (self->list, "Pipelines");
  gtk_widget_add_css_class (GTK_WIDGET (self->list), "browser-list");
  gtk_list_box_set_selection_mode (self->list, GTK_SELECTION_BROWSE);
  gtk_list_box_set_activate_on_single_click (self->list, FALSE);
  gtk_list_box_set_filter_func (self->list, filter_cb, NULL, NULL);
  gtk_list_box_set_sort_func (self->list, seam_browser_row_compare_cb, NULL, NULL);
  gtk_list_box_set_header_func (self->list, header_cb, self, NULL);
  g_signal_connect_swapped (self->list, "row-selected", G_CALLBACK (selected_cb), self);
  g_signal_connect_swapped (self->list, "row-activated", G_CALLBACK (use), self);
  self->scroller = seam_scrolled_new (self->list);
  GtkWidget *middle = seam_box_new (GTK_ORIENTATION_VERTICAL, 8, NULL,
                                    seam_box_new (GTK_ORIENTATION_HORIZONTAL, 8, NULL, self->choose,
                                                  self->entry, self->count, order, NULL),
                                    self->scroller, self->empty, NULL);
  gtk_widget_set_hexpand (middle, TRUE);
  return middle;
}

static void
seam_pipeline_browser_init (SeamPipelineBrowser *self)
{
  GtkEventController *keys = gtk_event_controller_key_new ();
  GtkDropTarget *drop = gtk_drop_target_new (GDK_TYPE_FILE_LIST, GDK_ACTION_COPY);
  GtkWidget *middle = make_middle (self);

  /* Whatever else is typed goes to the entry: the controller that is added last is asked first. */
  gtk_search_entry_set_key_capture_widget (self->entry, GTK_WIDGET (self));
  g_signal_connect (keys, "key-pressed", G_CALLBACK (key_cb), self);
  g_signal_connect (drop, "drop", G_CALLBACK (drop_cb), self);
  gtk_widget_add_controller (GTK_WIDGET (self), GTK_EVENT_CONTROLLER (drop));
  gtk_widget_add_controller (GTK_WIDGET (self), keys);
  self->details = g_object_new (SEAM_TYPE_PIPELINE_DETAILS, NULL);
  g_signal_connect_swapped (self->details, "use", G_CALLBACK (use), self);
  g_signal_connect_swapped (self->details, "last-run", G_CALLBACK (open_last_run), self);
  self->beside = seam_box_new (GTK_ORIENTATION_VERTICAL, 0, "browser-beside", self->details, NULL);
  self->right = seam_scrolled_new (self->beside);
  gtk_widget_set_size_request (self->right, 380, -1);
  gtk_widget_set_hexpand (self->right, FALSE);
  self->flap = g_object_new (
      ADW_TYPE_FLAP, "flap", make_side (self), "content",
      seam_box_new (GTK_ORIENTATION_HORIZONTAL, 14, "page", middle, self->right, NULL),
      "fold-policy", ADW_FLAP_FOLD_POLICY_NEVER, "swipe-to-open", FALSE, NULL);
  g_object_bind_property (self->flap, "reveal-flap", self->choose, "active",
                          G_BINDING_SYNC_CREATE | G_BINDING_BIDIRECTIONAL);
  /* As for the tabs: a window that is made smaller has its new width before the page has folded. */
  adw_bin_set_child (ADW_BIN (self),
                     g_object_new (GTK_TYPE_SCROLLED_WINDOW, "child", self->flap, "focusable",
                                   FALSE, "vscrollbar-policy", GTK_POLICY_NEVER, NULL));
  choose_collection (self, ALL);
}
