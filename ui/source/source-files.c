/* SPDX-License-Identifier: MIT
 *
 * Copying, saving and loading of the text of the Source tab: see source-files.h.
 */
#include "ui/source/source-files.h"

#include "ui/class/class.h"
#include "ui/widgets/file-choice.h"

#include "app/base/file-name.h"
#include "app/base/npy.h"
#include "app/base/read-file.h"
#include "app/result/edit.h"

#include <string.h>

struct _SeamSourceFiles {
  GObject parent_instance;

  SeamSourceSubject *subject;
  SeamModel *model; /* belongs to the subject */
  SeamSourceText *text;
};

G_DEFINE_FINAL_TYPE (SeamSourceFiles, seam_source_files, G_TYPE_OBJECT)

static gboolean
has_source (SeamSourceFiles *self)
{
  return seam_source_subject_get_source (self->subject) != NULL;
}

static void
copy_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourceFiles *self = data;

  if (!has_source (self))
    return;
  gdk_clipboard_set_text (gtk_widget_get_clipboard (GTK_WIDGET (self->text)),
                          seam_source_text_get_text (self->text));
  seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, "The text is in the clipboard", NULL);
}

static void
save_to (SeamSourceFiles *self, const char *path)
{
  const char *text = seam_source_text_get_text (self->text);
  g_autoptr (GError) error = NULL;

  if (!has_source (self))
    return;
  if (seam_file_write (path, text, strlen (text), &error)) {
    g_autofree char *name = g_filename_display_basename (path);
    g_autofree char *said = g_strdup_printf ("Saved as %s", name);
    seam_notices_say (self->model->notices, SEAM_MESSAGE_TOAST, said, NULL);
  } else {
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The text was not saved.",
                      error->message);
  }
}

/* Replaces the shown text by that of a file, without running it. */
static void
load_from (SeamSourceFiles *self, const char *path)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = NULL;

  if (!seam_source_text_is_editable (self->text))
    return;
  text = seam_file_read_text (path, SEAM_EDIT_MAX_BYTES, &error);
  if (text == NULL)
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The text was not loaded.",
                      error->message);
  else
    seam_source_text_replace (self->text, text);
}

/* --- Asking for a file --- */

static void
load_answer_cb (const char *path, const char *reason, gpointer data)
{
  SeamSourceFiles *self = data;

  if (reason != NULL)
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The text was not loaded.",
                      reason);
  else if (path != NULL)
    load_from (self, path);
}

static void
save_answer_cb (const char *path, const char *reason, gpointer data)
{
  SeamSourceFiles *self = data;

  if (reason != NULL)
    seam_notices_say (self->model->notices, SEAM_MESSAGE_WARNING, "The text was not saved.",
                      reason);
  else if (path != NULL)
    save_to (self, path);
}

/* "conv-relu-bias-A-2.cu"; an included file keeps its name. */
static char *
suggest_name (SeamSourceFiles *self)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);
  const char *file = seam_source_text_get_file_name (self->text);
  g_autofree char *name =
      file[0] != '\0'
          ? g_path_get_basename (file)
          : g_strdup_printf ("%s-%c-%d.%s", seam_source_subject_get_pipeline (self->subject)->id,
                             'A' + place.plan, place.group + 1,
                             seam_language_find (source->language)->ending);

  return seam_file_name_make (name);
}

static void
ask_for_file (SeamSourceFiles *self, gboolean load)
{
  g_autofree char *name = NULL;

  if (!has_source (self))
    return;
  name = load ? NULL : suggest_name (self);
  const SeamFileQuestion question = {
    .title = load ? "Load source" : "Save source",
    .accept = load ? "_Open" : "_Save",
    .saves = !load,
    .name = name,
  };
  seam_file_choice_ask (GTK_WINDOW (gtk_widget_get_root (GTK_WIDGET (self->text))), &question,
                        load ? load_answer_cb : save_answer_cb, self, NULL);
}

static void
save_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_for_file (data, FALSE);
}

static void
save_to_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  save_to (data, g_variant_get_string (parameter, NULL));
}

static void
load_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  ask_for_file (data, TRUE);
}

static void
load_from_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  load_from (data, g_variant_get_string (parameter, NULL));
}

static const GActionEntry actions[] = {
  { .name = "copy-source", .activate = copy_cb },
  { .name = "load-edit", .activate = load_cb },
  { .name = "load-edit-from", .parameter_type = "s", .activate = load_from_cb },
  { .name = "save-source", .activate = save_cb },
  { .name = "save-source-to", .parameter_type = "s", .activate = save_to_cb },
};

void
seam_source_files_add_actions (SeamSourceFiles *self, GActionMap *map)
{
  g_action_map_add_action_entries (map, actions, G_N_ELEMENTS (actions), self);
}

/* --- Object --- */

static void
seam_source_files_class_init (SeamSourceFilesClass *klass)
{
  SEAM_OWNS (klass, SeamSourceFiles, g_object_unref, text, model, subject);
}

static void
seam_source_files_init (SeamSourceFiles *self)
{
}

SeamSourceFiles *
seam_source_files_new (SeamSourceSubject *subject, SeamSourceText *text)
{
  SeamSourceFiles *self = g_object_new (SEAM_TYPE_SOURCE_FILES, NULL);

  self->subject = g_object_ref (subject);
  self->model = g_object_ref (seam_source_subject_get_model (subject));
  self->text = g_object_ref (text);
  return self;
}
