/* SPDX-License-Identifier: MIT
 *
 * The text of the Source tab: see source-text.h.
 */
#include "ui/source/source-text.h"

#include "ui/class/class.h"
#include "ui/source/source-tint.h"

#include <string.h>

struct _SeamSourceText {
  AdwBin parent_instance;

  SeamSourceCodeView *code_view;
  GtkDropDown *files;
  GtkLabel *legend;
  SeamSourceSubject *subject;
  SeamSourcePlace place; /* the place that was shown last */
  gboolean is_filling;
};

G_DEFINE_FINAL_TYPE (SeamSourceText, seam_source_text, ADW_TYPE_BIN)

static GtkSourceBuffer *
get_buffer (SeamSourceText *self)
{
  return seam_source_code_view_get_buffer (self->code_view);
}

/* The chosen included file; NULL: the source's own text is shown. */
static const SeamSourceFile *
get_file (SeamSourceText *self)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  guint file = gtk_drop_down_get_selected (self->files);

  if (source == NULL || file == GTK_INVALID_LIST_POSITION || file == 0
      || file > source->includes->len)
    return NULL;
  return source->includes->pdata[file - 1];
}

SeamSourceCodeView *
seam_source_text_get_code_view (SeamSourceText *self)
{
  return self->code_view;
}

const char *
seam_source_text_get_file_name (SeamSourceText *self)
{
  const SeamSourceFile *file = get_file (self);

  return file != NULL ? file->name : "";
}

gboolean
seam_source_text_is_editable (SeamSourceText *self)
{
  return get_file (self) == NULL && seam_source_subject_is_editable (self->subject);
}

const char *
seam_source_text_get_text (SeamSourceText *self)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  const SeamSourceFile *file = get_file (self);
  const char *edit = seam_source_subject_get_edit (self->subject);

  if (source == NULL)
    return "";
  if (file != NULL)
    return file->text;
  return edit != NULL ? edit : source->text;
}

/* --- Showing --- */

static void
tint (SeamSourceText *self)
{
  const SeamSource *source =
      get_file (self) == NULL ? seam_source_subject_get_source (self->subject) : NULL;
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);

  seam_source_tint (get_buffer (self), source, seam_source_text_get_text (self),
                    source != NULL ? seam_source_subject_get_chain (self->subject, place.plan)
                                   : NULL,
                    self->legend);
}

/* An unchanged text is not written again, so that the cursor stays: code arrives anew after
 * every run and choice. */
static void
write_text (SeamSourceText *self)
{
  const char *wanted = seam_source_text_get_text (self);
  g_autofree char *text = seam_source_code_view_get_text (self->code_view);

  if (strcmp (text, wanted) != 0)
    seam_source_code_view_set_text (self->code_view, wanted);
}

static void
show (SeamSourceText *self)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  GtkTextView *view = GTK_TEXT_VIEW (seam_source_code_view_get_view (self->code_view));

  seam_source_clear_tint (get_buffer (self));
  seam_source_set_language (get_buffer (self), source);
  write_text (self);
  /* Messages are wrapped, code is not. */
  gtk_text_view_set_wrap_mode (
      view, source != NULL && seam_language_find (source->language)->is_words ? GTK_WRAP_WORD
                                                                              : GTK_WRAP_NONE);
  gtk_text_view_set_editable (view, seam_source_text_is_editable (self));
  tint (self);
  g_signal_emit_by_name (self, "shown");
}

static gboolean
has_same_names (GtkStringList *one, GtkStringList *two)
{
  guint n = g_list_model_get_n_items (G_LIST_MODEL (two));

  if (one == NULL || n == 0 || g_list_model_get_n_items (G_LIST_MODEL (one)) != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (strcmp (gtk_string_list_get_string (one, i), gtk_string_list_get_string (two, i)) != 0)
      return FALSE;
  return TRUE;
}

/* Code that arrives anew at the same place keeps the chosen file. */
static void
fill_files (SeamSourceText *self, gboolean is_same_place)
{
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  g_autoptr (GtkStringList) names = gtk_string_list_new (NULL);

  if (source != NULL)
    gtk_string_list_append (names, "This group's own");
  for (guint i = 0; source != NULL && i < source->includes->len; i++)
    gtk_string_list_append (names, ((SeamSourceFile *)source->includes->pdata[i])->name);
  if (is_same_place && gtk_drop_down_get_model (self->files) != NULL
      && has_same_names (GTK_STRING_LIST (gtk_drop_down_get_model (self->files)), names))
    return;
  self->is_filling = TRUE;
  gtk_drop_down_set_model (self->files, G_LIST_MODEL (names));
  self->is_filling = FALSE;
  gtk_widget_set_visible (GTK_WIDGET (self->files), source != NULL && source->includes->len > 0);
}

static void
place_cb (SeamSourceText *self)
{
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);
  gboolean is_same = place.plan == self->place.plan && place.group == self->place.group
                     && place.part == self->place.part;

  self->place = place;
  fill_files (self, is_same);
  show (self);
}

static void
file_cb (SeamSourceText *self)
{
  if (!self->is_filling)
    show (self);
}

static void
restyled_cb (SeamSourceText *self)
{
  seam_source_clear_tint (get_buffer (self));
  tint (self);
}

/* --- Editing --- */

static void
edited_cb (SeamSourceText *self)
{
  g_autofree char *text = NULL;

  if (!seam_source_text_is_editable (self))
    return;
  text = seam_source_code_view_get_text (self->code_view);
  seam_source_subject_set_edit (self->subject, text);
  g_signal_emit_by_name (self, "edited");
}

void
seam_source_text_replace (SeamSourceText *self, const char *text)
{
  seam_source_subject_set_edit (self->subject, text);
  show (self);
}

void
seam_source_text_reset (SeamSourceText *self)
{
  seam_source_subject_reset_edit (self->subject);
  show (self);
}

/* --- Object --- */

static void
seam_source_text_class_init (SeamSourceTextClass *klass)
{
  SEAM_OWNS (klass, SeamSourceText, g_object_unref, subject, files, legend);
  seam_signals_install (klass, G_TYPE_NONE, "shown edited");
}

static void
seam_source_text_init (SeamSourceText *self)
{
  self->code_view = SEAM_SOURCE_CODE_VIEW (seam_source_code_view_new ("Source"));
  adw_bin_set_child (ADW_BIN (self), GTK_WIDGET (self->code_view));
}

void
seam_source_text_follow (SeamSourceText *self, SeamSourceSubject *subject, GtkDropDown *files,
                         GtkLabel *legend)
{
  self->subject = g_object_ref (subject);
  self->files = g_object_ref (files);
  self->legend = g_object_ref (legend);
  seam_watch_now (self, G_CALLBACK (place_cb), subject, "place");
  seam_watch_now (self, G_CALLBACK (file_cb), files, "selected");
  g_signal_connect_object (self->code_view, "edited", G_CALLBACK (edited_cb), self,
                           G_CONNECT_SWAPPED);
  g_signal_connect_object (self->code_view, "restyled", G_CALLBACK (restyled_cb), self,
                           G_CONNECT_SWAPPED);
}
