/* SPDX-License-Identifier: MIT
 *
 * The pages of the window, in the order of their tabs.
 */
#pragma once

#include "ui/page/page.h"

#include <adwaita.h>

/* Gives the application the keys of the pages, Alt+1 and on. */
void seam_pages_add_keys (GtkApplication *application);
/* Makes all pages, as children of the stack. */
void seam_pages_add (AdwViewStack *stack);

typedef void (*SeamPageFunc) (SeamPage *page, gpointer data);
void seam_pages_each (AdwViewStack *stack, SeamPageFunc func, gpointer data);
/* The shown page, borrowed. */
SeamPage *seam_pages_get_shown (AdwViewStack *stack);
/* Has the pages fill the source of a product that compares outputs. FALSE with a sentence. */
gboolean seam_pages_fill_source (AdwViewStack *stack, SeamProductSource *source, GError **error);
