/* SPDX-License-Identifier: MIT
 *
 * One setting as a row of the sidebar: a drop-down of its choices, or an entry for its number, as
 * the table of settings says. It shows what a run on the chosen target would have, greys the
 * choices that the target refuses and says why.
 *
 * Signal: "refused" (char *reason): a choice was refused; the keyboard reaches what the pointer
 * cannot choose.
 */
#pragma once

#include "ui/state/chosen-settings.h"

#include <adwaita.h>

#define SEAM_TYPE_SETTING_ROW (seam_setting_row_get_type ())
G_DECLARE_FINAL_TYPE (SeamSettingRow, seam_setting_row, SEAM, SETTING_ROW, AdwActionRow)

/* `field` must have a title. */
GtkWidget *seam_setting_row_new (SeamChosenSettings *settings, const SeamField *field);

/* Marks an entry whose text is wrong, with the sentence as its tooltip; NULL: it is right. */
void seam_entry_set_error (GtkWidget *entry, const char *error);
/* Reads a spin button's text as every entry's is, and says what is wrong with it while it is typed.
 * `unit` is static; NULL: none. */
void seam_spin_button_read_typed (GtkSpinButton *spin, const char *unit);
