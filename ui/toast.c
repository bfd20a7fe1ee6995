/* SPDX-License-Identifier: MIT
 *
 * Toasts: the overlay remembers the news it shows, which the next one dismisses.
 */
#include "ui/toast.h"

#define NEWS_S  5
#define ERROR_S 12

static void
dismissed_cb (AdwToast *toast, AdwToastOverlay *overlay)
{
  if (g_object_get_data (G_OBJECT (overlay), "news") == toast)
    g_object_set_data (G_OBJECT (overlay), "news", NULL);
}

void
seam_toast_show (AdwToastOverlay *overlay, const char *text, gboolean is_error)
{
  g_autofree char *escaped = g_markup_escape_text (text, -1);
  AdwToast *toast = adw_toast_new (escaped);
  AdwToast *before = g_object_get_data (G_OBJECT (overlay), "news");

  adw_toast_set_timeout (toast, is_error ? ERROR_S : NEWS_S);
  if (is_error) {
    adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
  } else {
    if (before != NULL)
      adw_toast_dismiss (before);
    g_signal_connect_object (toast, "dismissed", G_CALLBACK (dismissed_cb), overlay, 0);
    g_object_set_data (G_OBJECT (overlay), "news", toast);
  }
  adw_toast_overlay_add_toast (overlay, toast);
}
