/* SPDX-License-Identifier: MIT
 *
 * Toasts. A toast with news is updated in place by later news, because libadwaita 1.2 crashes when
 * a toast is dismissed and another one added at once. News that came late in its time is shown
 * again after it has closed.
 */
#include "ui/widgets/toast.h"

#include "app/base/text.h"

#define NEWS_S  5
#define ERROR_S 12
/* News that was visible for less than this is shown again, after the old toast has closed. */
#define LEAST_US   (3 * G_USEC_PER_SEC)
#define LEAVING_MS 800

typedef struct {
  AdwToastOverlay *overlay; /* borrowed: it owns this */
  AdwToast *toast;          /* of news, shown or queued; borrowed, NULL: none */
  char *again;              /* news to show again after the toast has closed, or NULL */
  gint64 added_us, said_us;
  guint timer;
} News;

static void
news_free (gpointer data)
{
  News *news = data;

  g_clear_handle_id (&news->timer, g_source_remove);
  if (news->toast != NULL)
    g_signal_handlers_disconnect_by_data (news->toast, news);
  g_free (news->again);
  g_free (news);
}

static void add_news (News *news, const char *escaped);

static gboolean
say_again_cb (gpointer data)
{
  News *news = data;
  g_autofree char *text = g_steal_pointer (&news->again);

  news->timer = 0;
  if (news->toast == NULL && text != NULL)
    add_news (news, text);
  return G_SOURCE_REMOVE;
}

static void
dismissed_cb (AdwToast *toast, News *news)
{
  gint64 now = g_get_monotonic_time ();
  gboolean by_time = now - news->added_us >= NEWS_S * G_USEC_PER_SEC * 9 / 10;

  news->toast = NULL;
  if (by_time && news->said_us > news->added_us && now - news->said_us < LEAST_US) {
    g_free (news->again);
    news->again = g_strdup (adw_toast_get_title (toast));
    if (news->timer == 0)
      news->timer = g_timeout_add (LEAVING_MS, say_again_cb, news);
  }
}

static void
add_news (News *news, const char *escaped)
{
  AdwToast *toast = adw_toast_new (escaped);

  adw_toast_set_timeout (toast, NEWS_S);
  g_signal_connect (toast, "dismissed", G_CALLBACK (dismissed_cb), news);
  news->toast = toast;
  news->added_us = news->said_us = g_get_monotonic_time ();
  adw_toast_overlay_add_toast (news->overlay, toast);
}

static News *
get_news (AdwToastOverlay *overlay)
{
  News *news = g_object_get_data (G_OBJECT (overlay), "news");

  if (news == NULL) {
    news = g_new0 (News, 1);
    news->overlay = overlay;
    g_object_set_data_full (G_OBJECT (overlay), "news", news, news_free);
  }
  return news;
}

void
seam_toast_show (AdwToastOverlay *overlay, const char *text, gboolean is_error)
{
  g_autofree char *shown = seam_text_show (text);
  g_autofree char *escaped = g_markup_escape_text (shown, -1);
  News *news = get_news (overlay);

  if (is_error) {
    AdwToast *toast = adw_toast_new (escaped);

    adw_toast_set_priority (toast, ADW_TOAST_PRIORITY_HIGH);
    adw_toast_set_timeout (toast, ERROR_S);
    adw_toast_overlay_add_toast (overlay, toast);
  } else if (news->timer != 0) {
    g_free (news->again);
    news->again = g_steal_pointer (&escaped);
  } else if (news->toast != NULL) {
    adw_toast_set_title (news->toast, escaped);
    news->said_us = g_get_monotonic_time ();
  } else {
    add_news (news, escaped);
  }
}
