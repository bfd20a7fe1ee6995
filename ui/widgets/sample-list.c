/* SPDX-License-Identifier: MIT
 *
 * Finds the recordings and describes each. They are read in a thread, when the list is shown for
 * the first time.
 */
#include "ui/widgets/sample-list.h"

#include "ui/class/class.h"
#include "ui/widgets/label.h"

#include "app/base/file-name.h"
#include "app/base/text.h"
#include "app/explore/search-store.h"
#include "app/pipeline/pipeline.h"
#include "app/session/session.h"

struct _SeamSampleList {
  AdwBin parent_instance;

  GtkWidget *heading;
  GtkListBox *rows;
  GPtrArray *runs; /* of SeamSampleRun */
  GCancellable *cancellable;
  gboolean asked;
};

G_DEFINE_FINAL_TYPE (SeamSampleList, seam_sample_list, ADW_TYPE_BIN)

/* One file: what it is about, or why it cannot be opened. */
typedef struct {
  char *path, *title, *detail;
  gboolean good;
  SeamResult *result; /* of the first run if it is of a GPU; else NULL */
} Sample;

static void
sample_free (Sample *sample)
{
  g_free (sample->path);
  g_free (sample->title);
  g_free (sample->detail);
  g_clear_pointer (&sample->result, seam_result_unref);
  g_free (sample);
}

/* "FP32 and TF32 on NVIDIA H200, N 128, …: unfused, published, full, 2 other plans;
 * partitions". Notations are too long for a line and are counted. */
static char *
describe (const SeamSession *session)
{
  const SeamResult *first = seam_session_get_heading (session, 0);
  GPtrArray *searches = seam_session_get_searches (session);
  g_autoptr (GPtrArray) modes = g_ptr_array_new_with_free_func (g_free);
  g_autoptr (GPtrArray) names = g_ptr_array_new ();
  g_autofree char *others = NULL;
  gboolean is_explored = FALSE;
  int n_others = 0;

  for (guint i = 0; i < seam_session_get_n_runs (session); i++) {
    const SeamResult *result = seam_session_get_heading (session, i);
    char *mode = g_strdup (seam_choice_get_title (seam_math_modes, result->settings.math_mode));
    if (g_ptr_array_find_with_equal_func (modes, mode, g_str_equal, NULL))
      g_free (mode);
    else
      g_ptr_array_add (modes, mode);
  }
  for (guint i = 0; i < searches->len; i++)
    if (seam_session_search_get_kind (searches->pdata[i]) == SEAM_SEARCH_EXPLORE)
      is_explored = TRUE;
  for (int i = 0; i < first->n_plans; i++)
    if (first->plans[i].name != NULL)
      g_ptr_array_add (names, first->plans[i].name);
    else
      n_others++;
  others = g_strdup_printf ("%d %splan%s", n_others, names->len > 0 ? "other " : "",
                            n_others == 1 ? "" : "s");
  if (n_others > 0)
    g_ptr_array_add (names, others);
  g_ptr_array_add (modes, NULL);
  g_ptr_array_add (names, NULL);
  g_autofree char *mode_list = seam_text_list ((const char *const *)modes->pdata);
  g_autofree char *name_list = g_strjoinv (", ", (char **)names->pdata);
  return g_strdup_printf ("%s on %s, %s: %s%s", mode_list,
                          seam_device_info_get_name (first->device),
                          first->shape_text != NULL ? first->shape_text : "", name_list,
                          is_explored ? "; partitions" : "");
}

/* "32 partitions on NVIDIA H200, TF32: 21 measured" of a file without runs; NULL: unreadable. */
static char *
describe_search (SeamSessionSearch *kept, GError **error)
{
  GVariant *content = seam_session_search_get_content (kept, error);
  g_autoptr (SeamSearch) search = content != NULL ? seam_search_restore (content, error) : NULL;

  if (search == NULL)
    return NULL;
  return g_strdup_printf ("%d %s on %s, %s: %d measured", search->n_points,
                          search->sweep != NULL ? "points of a sweep" : "partitions",
                          search->device->name != NULL ? search->device->name : search->device->id,
                          seam_choice_get_title (seam_math_modes, search->math_mode),
                          seam_search_count (search, SEAM_POINT_MEASURED));
}

static Sample *
read_sample (const char *path)
{
  Sample *sample = g_new0 (Sample, 1);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamSession) session = seam_session_load (path, &error);
  SeamSessionSearch *search;

  sample->path = g_strdup (path);
  sample->good = session != NULL;
  if (session == NULL) {
    sample->title = g_filename_display_basename (path);
    sample->detail = g_strdup (error->message);
    return sample;
  }
  if (seam_session_get_n_runs (session) > 0) {
    const SeamResult *heading = seam_session_get_heading (session, 0);
    sample->title = g_strdup (heading->pipeline_id);
    sample->detail = describe (session);
    /* For a damaged run, the message comes when it is opened. */
    g_autoptr (SeamSessionRun) run = seam_device_info_is_device (heading->device)
                                         ? seam_session_get_run (session, 0, NULL)
                                         : NULL;
    if (run != NULL)
      sample->result = seam_result_ref (run->result);
    return sample;
  }
  search = seam_session_get_searches (session)->pdata[0];
  sample->detail = describe_search (search, &error);
  sample->good = sample->detail != NULL;
  if (sample->good)
    sample->title = g_strdup (seam_session_search_get_text (search, "pipeline"));
  else
    sample->detail = g_strdup (error->message);
  if (sample->title == NULL)
    sample->title = g_filename_display_basename (path);
  return sample;
}

static void
read_cb (GTask *task, gpointer source, gpointer folder, GCancellable *cancellable)
{
  GPtrArray *samples = g_ptr_array_new_with_free_func ((GDestroyNotify)sample_free);
  g_autoptr (GPtrArray) names = seam_file_name_list (folder, SEAM_SESSION_SUFFIX);

  for (guint i = 0; i < names->len && !g_cancellable_is_cancelled (cancellable); i++) {
    g_autofree char *path = g_build_filename (folder, names->pdata[i], NULL);
    g_ptr_array_add (samples, read_sample (path));
  }
  g_task_return_pointer (task, samples, (GDestroyNotify)g_ptr_array_unref);
}

static void
add_row (SeamSampleList *self, const Sample *sample)
{
  GtkWidget *row = adw_action_row_new ();

  adw_preferences_row_set_use_markup (ADW_PREFERENCES_ROW (row), FALSE);
  adw_preferences_row_set_title (ADW_PREFERENCES_ROW (row), sample->title);
  adw_action_row_set_subtitle (ADW_ACTION_ROW (row), sample->detail);
  adw_action_row_set_subtitle_lines (ADW_ACTION_ROW (row), 2);
  gtk_accessible_update_property (GTK_ACCESSIBLE (row), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                  sample->detail, -1);
  gtk_list_box_row_set_activatable (GTK_LIST_BOX_ROW (row), sample->good);
  gtk_widget_set_sensitive (row, sample->good);
  if (sample->good)
    adw_action_row_add_suffix (ADW_ACTION_ROW (row),
                               gtk_image_new_from_icon_name ("go-next-symbolic"));
  g_object_set_data_full (G_OBJECT (row), "path", g_strdup (sample->path), g_free);
  gtk_list_box_append (self->rows, row);
}

static void
samples_cb (GObject *object, GAsyncResult *result, gpointer data)
{
  SeamSampleList *self = SEAM_SAMPLE_LIST (object);
  g_autoptr (GPtrArray) samples = g_task_propagate_pointer (G_TASK (result), NULL);

  if (samples == NULL || self->cancellable == NULL)
    return;
  for (guint i = 0; i < samples->len; i++) {
    Sample *sample = g_ptr_array_index (samples, i);

    add_row (self, sample);
    if (sample->result != NULL) {
      SeamSampleRun *run = g_new (SeamSampleRun, 1);

      *run = (SeamSampleRun){ g_strdup (sample->path), seam_result_ref (sample->result) };
      g_ptr_array_add (self->runs, run);
    }
  }
  gtk_widget_set_visible (gtk_widget_get_parent (self->heading), samples->len > 0);
  g_signal_emit_by_name (self, "read");
}

void
seam_sample_list_read (SeamSampleList *self)
{
  if (self->asked)
    return;
  self->asked = TRUE;
  self->cancellable = g_cancellable_new ();
  g_autoptr (GTask) task = g_task_new (self, self->cancellable, samples_cb, NULL);
  g_task_set_task_data (task, g_build_filename (seam_data_dir (), "samples", NULL), g_free);
  g_task_run_in_thread (task, read_cb);
}

GPtrArray *
seam_sample_list_get_runs (SeamSampleList *self)
{
  return self->runs;
}

static void
map (GtkWidget *widget)
{
  GTK_WIDGET_CLASS (seam_sample_list_parent_class)->map (widget);
  seam_sample_list_read (SEAM_SAMPLE_LIST (widget));
}

static void
row_activated_cb (GtkListBox *rows, GtkListBoxRow *row, SeamSampleList *self)
{
  g_signal_emit_by_name (self, "open", g_object_get_data (G_OBJECT (row), "path"));
}

static void
cancel (SeamSampleList *self)
{
  g_cancellable_cancel (self->cancellable);
}

static void
run_free (gpointer data)
{
  SeamSampleRun *run = data;

  g_free (run->path);
  seam_result_unref (run->result);
  g_free (run);
}

static void
seam_sample_list_class_init (SeamSampleListClass *klass)
{
  seam_dispose_first (klass, G_CALLBACK (cancel));
  SEAM_OWNS (klass, SeamSampleList, g_object_unref, cancellable);
  SEAM_OWNS (klass, SeamSampleList, g_ptr_array_unref, runs);
  seam_signals_install (klass, G_TYPE_NONE, "read");
  seam_signals_install (klass, G_TYPE_STRING, "open");
  GTK_WIDGET_CLASS (klass)->map = map;
}

static void
seam_sample_list_init (SeamSampleList *self)
{
  GtkWidget *box = gtk_box_new (GTK_ORIENTATION_VERTICAL, 10);

  self->runs = g_ptr_array_new_with_free_func (run_free);
  self->heading = seam_label_new ("All recorded results", "heading", 0);
  self->rows = GTK_LIST_BOX (gtk_list_box_new ());
  gtk_list_box_set_selection_mode (self->rows, GTK_SELECTION_NONE);
  gtk_widget_add_css_class (GTK_WIDGET (self->rows), "boxed-list");
  gtk_accessible_update_relation (GTK_ACCESSIBLE (self->rows), GTK_ACCESSIBLE_RELATION_LABELLED_BY,
                                  self->heading, NULL, -1);
  g_signal_connect (self->rows, "row-activated", G_CALLBACK (row_activated_cb), self);
  gtk_box_append (GTK_BOX (box), self->heading);
  gtk_box_append (GTK_BOX (box), GTK_WIDGET (self->rows));
  /* Hides only the content: an unmapped list would never look for its files. */
  gtk_widget_set_visible (box, FALSE);
  adw_bin_set_child (ADW_BIN (self), box);
}
