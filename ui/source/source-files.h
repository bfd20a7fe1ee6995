/* SPDX-License-Identifier: MIT
 *
 * SeamSourceFiles: the text that is shown as a file, or in the clipboard, and a file's text in its
 * place. Knows no widget but the window that it asks in.
 */
#pragma once

#include "ui/source/source-subject.h"
#include "ui/source/source-text.h"

#define SEAM_TYPE_SOURCE_FILES (seam_source_files_get_type ())
G_DECLARE_FINAL_TYPE (SeamSourceFiles, seam_source_files, SEAM, SOURCE_FILES, GObject)

SeamSourceFiles *seam_source_files_new (SeamSourceSubject *subject, SeamSourceText *text);
/* Adds copy-source, save-source, load-edit, and save-source-to and load-edit-from (with a path)
 * to `map`, which must not outlive `self`. */
void seam_source_files_add_actions (SeamSourceFiles *self, GActionMap *map);
