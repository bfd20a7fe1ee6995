/* SPDX-License-Identifier: MIT
 *
 * SeamSourcePage: the code that executes plans A and B as they are now, group by group. It asks the
 * worker while the tab is shown; nothing is run for it. Its parts follow the subject
 * (source-subject.h), which has the code and the place that is shown: the list of groups, the text,
 * its machine code, and what a person's own text needs. The page owns the subject, puts the parts
 * together, and says what the text is.
 */
#include "ui/page/page.h"

#include "ui/source/source-editor.h"
#include "ui/source/source-files.h"
#include "ui/source/source-list.h"
#include "ui/source/source-listing.h"
#include "ui/source/source-measured.h"
#include "ui/source/source-text.h"

#include "ui/widgets/template.h"
#include "ui/widgets/verdict-line.h"

#include "app/base/text.h"

#define BESIDE_WIDTH                                                                               \
  1150 /* Width of the page, px, from which text and machine code stand side by side. */

G_DECLARE_FINAL_TYPE (SeamSourcePage, seam_source_page, SEAM, SOURCE_PAGE, AdwBin)

struct _SeamSourcePage {
  AdwBin parent_instance;

  GtkBox *columns;
  SeamVerdictLine *verdict;
  SeamSourceList *list;
  GtkLabel *title, *note, *storage_note, *link_note, *legend;
  SeamSourceEditor *editor;
  GtkDropDown *whose, *files, *kinds;
  GtkPaned *pair;
  SeamSourceText *text;
  SeamSourceListing *listing;
  GtkListBox *errors;

  SeamSourceSubject *subject;
  SeamSourceFiles *file_actions;
};

static void page_init (SeamPageInterface *iface);

G_DEFINE_FINAL_TYPE_WITH_CODE (SeamSourcePage, seam_source_page, ADW_TYPE_BIN,
                               G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, page_init))

/* --- What the text is --- */

static void
append_measured (SeamSourcePage *self, GString *note)
{
  SeamModel *model = seam_source_subject_get_model (self->subject);
  SeamResult *result = seam_measurement_get_result (model->measurement);
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);
  const SeamSource *source = seam_source_subject_get_source (self->subject);
  gboolean is_kept = seam_source_subject_is_kept (self->subject);

  if (is_kept)
    g_string_append_printf (note,
                            "\nThis is the text that ran on %s, as %s keeps it; it is only shown. "
                            "“For this target” has the text that can be edited.",
                            result != NULL && result->device != NULL ? result->device->name
                                                                     : "another device",
                            seam_store_get_name (model->store));
  if (result != NULL && source != NULL
      && seam_measurement_get_stale_reason (model->measurement) == NULL
      && place.plan < result->n_plans)
    seam_source_append_measured (
        result, is_kept ? result->device : seam_setup_get_target (model->setup), place.plan,
        seam_source_subject_get_plan (self->subject)->notation, place.group, source, note);
}

static void
show_title (SeamSourcePage *self, const SeamGroupCode *group, const SeamSource *source)
{
  SeamSourcePlace place = seam_source_subject_get_place (self->subject);
  g_autofree char *ops = seam_source_name_ops (
      seam_source_subject_get_chain (self->subject, place.plan), group, source);
  g_autofree char *title =
      g_strdup_printf ("%c, group %d: %s", 'A' + place.plan, place.group + 1, ops);

  gtk_label_set_text (self->title, title);
}

static void
show_note (SeamSourcePage *self, const SeamGroupCode *group, const SeamSource *source)
{
  g_autoptr (GString) note = g_string_new (source != NULL ? source->title : "No code");
  g_autofree char *shown = NULL;

  /* The names cuDNN and cuBLASLt keep their small letter. */
  if (!g_str_has_prefix (note->str, "cu"))
    note->str[0] = g_ascii_toupper (note->str[0]);
  if (group->message != NULL)
    g_string_append_printf (note, ". %s", group->message);
  if (seam_source_subject_is_editable (self->subject))
    g_string_append (note, "\nThis text can be changed: type in it, then “Run edited” measures it "
                           "as plan C.");
  append_measured (self, note);
  shown = seam_text_show (note->str);
  gtk_label_set_text (self->note, shown);
}

static void
place_cb (SeamSourcePage *self)
{
  const SeamGroupCode *group = seam_source_subject_get_group (self->subject);
  const SeamSource *source = seam_source_subject_get_source (self->subject);

  if (group == NULL)
    return gtk_label_set_text (self->title, "");
  show_title (self, group, source);
  show_note (self, group, source);
}

static void
message_cb (SeamSourcePage *self)
{
  gtk_label_set_text (self->note, seam_source_subject_get_message (self->subject));
}

/* --- Layout --- */

/* Called when layout has ended, so that it may change. */
static void
resized_cb (SeamSourcePage *self)
{
  GtkOrientation wanted = gtk_widget_get_width (GTK_WIDGET (self)) >= BESIDE_WIDTH
                              ? GTK_ORIENTATION_HORIZONTAL
                              : GTK_ORIENTATION_VERTICAL;

  if (gtk_orientable_get_orientation (GTK_ORIENTABLE (self->pair)) != wanted) {
    gtk_orientable_set_orientation (GTK_ORIENTABLE (self->pair), wanted);
    g_object_set (self->pair, "position-set", FALSE, NULL);
  }
}

static void
set_narrow (SeamPage *page, gboolean narrow)
{
  SeamSourcePage *self = SEAM_SOURCE_PAGE (page);

  gtk_orientable_set_orientation (GTK_ORIENTABLE (self->columns),
                                  narrow ? GTK_ORIENTATION_VERTICAL : GTK_ORIENTATION_HORIZONTAL);
  seam_source_list_set_narrow (self->list, narrow);
}

/* --- Object --- */

static void
set_active (SeamSourcePage *self)
{
  if (self->subject != NULL)
    seam_source_subject_set_active (self->subject, gtk_widget_get_mapped (GTK_WIDGET (self)));
}

static void
whose_cb (SeamSourcePage *self)
{
  if (self->subject != NULL)
    seam_source_subject_set_wants_kept (self->subject,
                                        gtk_drop_down_get_selected (self->whose) == 0);
}

static void
has_kept_cb (SeamSourcePage *self)
{
  gtk_widget_set_visible (GTK_WIDGET (self->whose), seam_source_subject_has_kept (self->subject));
}

static void
follow_subject (SeamSourcePage *self)
{
  seam_watch_now (self, G_CALLBACK (place_cb), self->subject, "place");
  seam_watch_now (self, G_CALLBACK (message_cb), self->subject, "message");
  seam_watch_now (self, G_CALLBACK (has_kept_cb), self->subject, "has-kept");
}

/* Chosen on page Timing: a plan, and one of its groups. */
static void
show_source_cb (GSimpleAction *action, GVariant *parameter, gpointer data)
{
  SeamSourcePage *self = data;
  SeamSourcePlace place = { 0 };

  g_variant_get (parameter, "(ii)", &place.plan, &place.group);
  seam_source_subject_choose_place (self->subject, place);
  gtk_widget_activate_action (GTK_WIDGET (self), "win.page", "s", "source");
}

static void
begin (SeamPage *page, const SeamPageContext *context)
{
  SeamSourcePage *self = SEAM_SOURCE_PAGE (page);
  static const GActionEntry actions[] = { { "show-source", show_source_cb, "(ii)" } };

  g_return_if_fail (self->subject == NULL);
  g_action_map_add_action_entries (context->actions, actions, G_N_ELEMENTS (actions), self);
  self->subject = seam_source_subject_new (context->model);
  self->file_actions = seam_source_files_new (self->subject, self->text);
  seam_source_files_add_actions (self->file_actions, context->actions);
  seam_verdict_line_set_model (self->verdict, context->model);
  follow_subject (self);
  seam_source_list_follow (self->list, self->subject);
  seam_source_text_follow (self->text, self->subject, self->files, self->legend);
  seam_source_listing_follow (self->listing, self->subject, self->text, self->kinds,
                              self->link_note);
  seam_source_editor_follow (self->editor, self->subject, self->text, self->listing,
                             context->actions, self->errors, self->storage_note);
  set_active (self);
}

static void
page_init (SeamPageInterface *iface)
{
  iface->name = "source";
  iface->title = "Source";
  iface->icon = "seam-source-symbolic";
  iface->begin = begin;
  iface->set_narrow = set_narrow;
}

static void
seam_source_page_class_init (SeamSourcePageClass *klass)
{
  SEAM_OWNS (klass, SeamSourcePage, g_object_unref, file_actions, subject);
  SEAM_TEMPLATE (klass, SeamSourcePage, "source-page.ui", columns, editor, errors, files, kinds,
                 legend, link_note, list, listing, note, pair, storage_note, text, title, verdict,
                 whose);
}

static void
seam_source_page_init (SeamSourcePage *self)
{
  gtk_widget_init_template (GTK_WIDGET (self));
  seam_watch (self, G_CALLBACK (resized_cb),
              seam_source_code_view_get_hadjustment (seam_source_text_get_code_view (self->text)),
              "page-size", NULL);
  seam_watch_now (self, G_CALLBACK (whose_cb), self->whose, "selected");
  g_signal_connect (self, "map", G_CALLBACK (set_active), NULL);
  g_signal_connect (self, "unmap", G_CALLBACK (set_active), NULL);
}
