/* SPDX-License-Identifier: MIT
 *
 * A meter of the window's thread: the processor time of the longest single dispatch of its main
 * loop, frames aside, during a run and at each page's first opening. It prints one line each. With
 * SEAMSCOPE_TEST_ALL it measures five windows with conv-relu-hardswish at laptop; otherwise one at
 * tiny, so that the meter itself stays tested.
 */
#include "tests/core/extent.h"
#include "tests/ui/window-fixture.h"

#include <time.h>

#define QUIET_MS   300  /* without events the program has done what it had begun */
#define AFTER_MS   2500 /* within this time after a run what follows from it is done */
#define MAX_ROUNDS 5
#define BUSY_MS    0.2 /* what takes less is not work that anybody waits for */

static const char *const pages[] = { "difference", "traffic",  "explore",
                                     "sweep",      "timeline", "source" };

enum { RUN = G_N_ELEMENTS (pages), N_METERS };

static gboolean is_frame;
static guint n_dispatches;

static double
get_thread_ms (void)
{
  struct timespec time;

  g_assert_cmpint (clock_gettime (CLOCK_THREAD_CPUTIME_ID, &time), ==, 0);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

static gboolean
frame_cb (GSignalInvocationHint *hint, guint n_values, const GValue *values, gpointer data)
{
  is_frame = TRUE;
  return TRUE;
}

/* One round of the main loop, as g_main_context_iteration() does it. The dispatch alone is
 * measured: 0 for one that draws a frame. */
static double
iterate (void)
{
  GMainContext *context = g_main_context_default ();
  GPollFD polls[64];
  int priority, timeout, n;
  double start;

  g_main_context_prepare (context, &priority);
  n = g_main_context_query (context, priority, &timeout, polls, G_N_ELEMENTS (polls));
  g_assert_cmpint (n, <=, G_N_ELEMENTS (polls));
  g_poll (polls, (guint)n, timeout);
  is_frame = FALSE;
  if (!g_main_context_check (context, priority, polls, n))
    return 0;
  start = get_thread_ms ();
  g_main_context_dispatch (context);
  n_dispatches++;
  return is_frame ? 0 : get_thread_ms () - start;
}

static gboolean
wake_cb (gpointer data)
{
  return G_SOURCE_CONTINUE;
}

/* The longest dispatch until done() (NULL: at once) and a quiet time after it. */
static double
measure (gboolean (*done) (void), guint quiet_ms)
{
  guint round = g_timeout_add (10, wake_cb, NULL);
  gint64 last = g_get_monotonic_time (), end = last + 60 * G_USEC_PER_SEC;
  double longest = 0;

  while ((done != NULL && !done ()) || g_get_monotonic_time () < last + quiet_ms * 1000) {
    double ms = iterate ();

    longest = MAX (longest, ms);
    if (ms > BUSY_MS || (done != NULL && !done ()))
      last = g_get_monotonic_time ();
    g_assert_cmpint (last, <, end);
  }
  g_source_remove (round);
  return longest;
}

static gboolean
has_run (void)
{
  return ui_find ("^B .* against A ", GTK_TYPE_LABEL) != NULL;
}

/* Not ui_activate(), which waits within the dispatch. */
static void
run_cb (gpointer data)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (ui_window ()), "win.run", NULL));
}

static void
show_cb (gpointer page)
{
  g_assert_true (gtk_widget_activate_action (GTK_WIDGET (ui_window ()), "win.page", "s", page));
}

static int
compare_cb (gconstpointer a, gconstpointer b)
{
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* What a dispatch may take, in ms: a run delays no frame, and a new page is there at once. */
static double
get_limit (int meter)
{
  return meter == RUN ? 16 : 100;
}

static void
test_dispatch (void)
{
  int n_rounds = extent_is_all () ? MAX_ROUNDS : 1;
  double ms[N_METERS][MAX_ROUNDS];

  for (int round = 0; round < n_rounds; round++) {
    ui_open_at ("^conv-relu-hardswish:", extent_is_all () ? "^laptop$" : "^tiny$");
    gtk_window_set_default_size (ui_window (), 1280, 720);
    measure (NULL, QUIET_MS);
    n_dispatches = 0;
    g_idle_add_once (run_cb, NULL);
    ms[RUN][round] = measure (has_run, extent_is_all () ? AFTER_MS : QUIET_MS);
    g_assert_cmpuint (n_dispatches, >, 50);
    for (int i = 0; i < RUN; i++) {
      g_idle_add_once (show_cb, (gpointer)pages[i]);
      ms[i][round] = measure (NULL, QUIET_MS);
      g_assert_cmpfloat (ms[i][round], >, BUSY_MS);
    }
    ui_close ();
  }
  for (int i = 0; i < N_METERS; i++) {
    qsort (ms[i], (gsize)n_rounds, sizeof (double), compare_cb);
    g_test_message ("%s: %.1f ms (%.1f to %.1f)", i == RUN ? "a run" : pages[i],
                    ms[i][n_rounds / 2], ms[i][0], ms[i][n_rounds - 1]);
    if (extent_is_all ())
      g_assert_cmpfloat (ms[i][n_rounds / 2], <=, get_limit (i));
  }
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_type_class_ref (GDK_TYPE_FRAME_CLOCK); /* whose signals exist from then on */
  g_signal_add_emission_hook (g_signal_lookup ("before-paint", GDK_TYPE_FRAME_CLOCK), 0, frame_cb,
                              NULL, NULL);
  g_test_add_func ("/dispatch/longest", test_dispatch);
  return ui_run ();
}
