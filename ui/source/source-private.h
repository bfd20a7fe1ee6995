/* SPDX-License-Identifier: MIT
 *
 * The fields of SeamSourcePage, shared by source-page.c (groups and their texts), source-edit.c
 * (changing, saving, running) and source-assembly.c (machine code beside). Nobody else includes it.
 */
#pragma once

#include "ui/source/source-page.h"

#include <gtksourceview/gtksource.h>

G_BEGIN_DECLS

struct _SeamSourcePage {
  AdwBin parent_instance;

  SeamModel *model;
  SeamCode *code;         /* of all plans; NULL: not there yet, or refused */
  SeamPipeline *pipeline; /* that `code` is of */
  gboolean is_dirty;      /* `code` is not of what the model says */
  guint serial;           /* of the last question; older answers are dropped */
  guint timeout;
  gboolean is_filling;
  int plan, group, part; /* what is shown */
  GActionMap *map;       /* the window; weak: an answer that is on its way keeps the page */
  gboolean is_loading;   /* what `chooser` is open for; else saving */

  gboolean is_same_place;   /* code of the group that was shown before */
  gboolean is_from_listing; /* the lines that belong together follow the cursor there */
  gboolean is_kept;         /* `code` is what ran, from a session: to be read */

  /* source-assembly.c */
  SeamListing *listing;      /* of the text that is shown; NULL: not asked for, or not there yet */
  char *listing_key;         /* what `listing`, or the question under way, is of */
  GPtrArray *listing_errors; /* SeamDiagnostic: why there is none; NULL: none of these */
  guint listing_serial, listing_timeout, layout_id;
  int listing_choice; /* of `kinds`: 0 none */

  GtkBox *columns;
  GtkScrolledWindow *groups_window;
  GtkListBox *groups;
  GtkLabel *title, *note, *storage_note, *legend;
  GtkDropDown *files;
  GtkSourceView *view;
  GtkGrid *code_grid, *asm_grid;
  GtkScrolledWindow *code_window, *asm_window;
  GtkWidget *edit_box, *asm_box, *without_third;
  GtkPaned *pair;
  GtkDropDown *kinds, *whose;
  GtkLabel *asm_note, *link_note;
  GtkSourceView *asm_view;
  GtkListBox *errors;
};

/* What is shown; NULL where there is none. Borrowed. */
const SeamGroupCode *seam_source_page_get_group (SeamSourcePage *self);
const SeamSource *seam_source_page_get_source (SeamSourcePage *self);
GtkSourceBuffer *seam_source_page_get_buffer (SeamSourcePage *self);
guint seam_source_page_get_file (SeamSourcePage *self); /* 0: the group's own text */
const char *seam_source_page_get_text (SeamSourcePage *self);
/* Writes text and marks anew. */
void seam_source_page_show_text (SeamSourcePage *self);
/* The model's request with `plans` (NULL-terminated, taken), without edits. */
SeamRunRequest *seam_source_page_make_request (SeamSourcePage *self, char **plans);

/* source-edit.c: the person's own text for the source that is shown, or NULL. */
const char *seam_source_page_get_edit (SeamSourcePage *self);
gboolean seam_source_page_is_editable (SeamSourcePage *self);
/* Errors and buttons of what is shown. */
void seam_source_page_update_edit (SeamSourcePage *self);
void seam_source_page_add_actions (SeamSourcePage *self, GActionMap *map);

/* source-assembly.c. */
void seam_source_page_init_assembly (SeamSourcePage *self);
/* What is shown has changed: asks for its listing after so long, where one is wanted. */
void seam_source_page_update_assembly (SeamSourcePage *self, guint delay_ms);
void seam_source_page_recolor_assembly (SeamSourcePage *self);
void seam_source_page_clear_assembly (SeamSourcePage *self);

G_END_DECLS
