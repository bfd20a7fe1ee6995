/* SPDX-License-Identifier: MIT
 *
 * The settings that a person chose in the window, as an object. Its properties follow from the
 * table of settings (app/settings/settings.c): one for each setting with a title, named like its
 * column ("math-mode"); a choice is its position (int), a number the text as it was typed. The
 * window keeps what was chosen; runs have what was resolved for the target.
 */
#pragma once

#include "app/result/device.h"

#include <glib-object.h>

#define SEAM_TYPE_CHOSEN_SETTINGS (seam_chosen_settings_get_type ())
G_DECLARE_FINAL_TYPE (SeamChosenSettings, seam_chosen_settings, SEAM, CHOSEN_SETTINGS, GObject)

SeamChosenSettings *seam_chosen_settings_new (void); /* has the initial choices */

/* Borrowed, until the next change. */
const SeamSettings *seam_chosen_settings_get (SeamChosenSettings *self);
const SeamSettings *seam_chosen_settings_get_resolved (SeamChosenSettings *self);

/* Emits "notify::abilities" if the new target has other abilities. NULL: not known. */
void seam_chosen_settings_set_target (SeamChosenSettings *self, const SeamDeviceInfo *target);
SeamAbilities seam_chosen_settings_get_abilities (SeamChosenSettings *self);
const char *seam_chosen_settings_refuse (SeamChosenSettings *self, const SeamField *field,
                                         int choice);

void seam_chosen_settings_set_choice (SeamChosenSettings *self, const SeamField *field, int choice);
/* Invalid text is remembered as the field's error, and the value does not change. */
void seam_chosen_settings_set_text (SeamChosenSettings *self, const SeamField *field,
                                    const char *text);
const char *seam_chosen_settings_get_error (SeamChosenSettings *self, const SeamField *field);
const char *seam_chosen_settings_get_first_error (SeamChosenSettings *self);

/* Adopts the settings of a result, as far as they can be chosen. */
void seam_chosen_settings_adopt (SeamChosenSettings *self, const SeamSettings *result);
/* Restores a word that seam_setting_format() wrote; an unknown word changes nothing. */
void seam_chosen_settings_restore (SeamChosenSettings *self, const SeamField *field,
                                   const char *text);

/* Sets a number that the sidebar does not show; NaN: none. `field` may be NULL, which does nothing:
 * a test's settings have other fields. */
void seam_chosen_settings_set_number (SeamChosenSettings *self, const SeamField *field,
                                      double value);

/* "math-mode": the name of the property and of the saved value; NULL: the field has none.
 * Interned. */
const char *seam_chosen_settings_get_name (const SeamField *field);
