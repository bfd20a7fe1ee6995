/* SPDX-License-Identifier: MIT
 *
 * The window at the sizes of small screens, with text of the usual size and of 1.5 times that: it
 * gets a requested width at once, no tab needs to scroll sideways, figures grow with the text, and
 * GTK does not warn. The first contents of a page are visible.
 */
#include "tests/ui/window-fixture.h"

#include "ui/widgets/figure-view.h"

#define USUAL_DPI 96
#define KERNEL    "^sigmoid of A: "
#define SIDEBAR   "^Sidebar$"

static const char *const tabs[] = { "timing",   "difference", "traffic", "explore",
                                    "timeline", "source",     "sweep" };

/* The display's settings apply to all windows. */
static void
set_text_scale (double scale)
{
  g_object_set (gtk_settings_get_default (), "gtk-xft-dpi", (int)(USUAL_DPI * 1024 * scale), NULL);
}

static void
show_tab (const char *name)
{
  g_autofree char *action = g_strconcat ("win.page::", name, NULL);

  ui_activate (action);
}

static void
open_sample (const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples", name, NULL);
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  show_tab ("timing");
  ui_see ("^[0-9.]+× faster$", GTK_TYPE_LABEL);
}

static void
open_recorded (void)
{
  open_sample ("h200-conv-bias-scale-sigmoid-groupnorm.seamscope");
}

/* The frame around the window is narrower than this. */
#define FRAME_PX 24

static gboolean
has_width (gpointer width)
{
  int is = gtk_widget_get_width (GTK_WIDGET (ui_window ()));

  return is <= *(int *)width && is > *(int *)width - FRAME_PX;
}

static void
ask_for (int width, int height)
{
  gtk_window_set_default_size (ui_window (), width, height);
  g_autofree char *what = g_strdup_printf ("a width of %d", width);

  ui_wait (what, has_width, &width);
}

/* The adjustment that can scroll sideways if a tab needs more than the window's width. */
static GtkAdjustment *
get_sideways (void)
{
  GtkWidget *stack = ui_list (NULL, NULL, ADW_TYPE_VIEW_STACK)->pdata[0];

  return gtk_scrolled_window_get_hadjustment (
      GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (stack, GTK_TYPE_SCROLLED_WINDOW)));
}

static gboolean
fits_cb (gpointer adjustment)
{
  return gtk_adjustment_get_page_size (adjustment) > 1
         && gtk_adjustment_get_upper (adjustment) <= gtk_adjustment_get_page_size (adjustment);
}

static gboolean
is_whole_across_cb (gpointer label)
{
  graphene_rect_t bounds;
  int natural;

  gtk_widget_measure (label, GTK_ORIENTATION_HORIZONTAL, -1, NULL, &natural, NULL, NULL);
  return gtk_widget_compute_bounds (label, GTK_WIDGET (ui_window ()), &bounds)
         && bounds.size.width >= (float)natural && bounds.origin.x >= 0
         && bounds.origin.x + bounds.size.width
                <= (float)gtk_widget_get_width (GTK_WIDGET (ui_window ()));
}

/* The adjustment knows what a page needs only when the page has been laid out. */
static gboolean
tab_fits_cb (gpointer adjustment)
{
  GtkWidget *stack = ui_list (NULL, NULL, ADW_TYPE_VIEW_STACK)->pdata[0];
  int needed;

  gtk_widget_measure (adw_view_stack_get_visible_child (ADW_VIEW_STACK (stack)),
                      GTK_ORIENTATION_HORIZONTAL, -1, &needed, NULL, NULL, NULL);
  return fits_cb (adjustment) && needed <= gtk_adjustment_get_page_size (adjustment);
}

static void
see_that_tabs_fit (const char *const *names, gsize n)
{
  for (gsize i = 0; i < n; i++) {
    show_tab (names[i]);
    ui_wait (names[i], tab_fits_cb, get_sideways ());
  }
}

/* Its button is never cut off. */
static void
see_way_back (void)
{
  GtkWidget *label;

  ui_settle ();
  label = ui_see ("^Back to your settings$", GTK_TYPE_LABEL);
  g_assert_false (pango_layout_is_ellipsized (gtk_label_get_layout (GTK_LABEL (label))));
  ui_wait ("the way back, whole", is_whole_across_cb, label);
}

static gboolean
is_sidebar_shown (void)
{
  return gtk_toggle_button_get_active (
      GTK_TOGGLE_BUTTON (ui_see (SIDEBAR, GTK_TYPE_TOGGLE_BUTTON)));
}

static gboolean
is_folded_cb (gpointer folded)
{
  return is_sidebar_shown () != GPOINTER_TO_INT (folded);
}

/* The Difference tab's own scrolled window, which would hide what the outer one does not. */
static void
see_that_difference_fits (void)
{
  GtkWidget *words;

  show_tab ("difference");
  words = ui_see ("^All [0-9,]+ elements agree;", GTK_TYPE_LABEL);
  g_autofree char *what = g_strdup_printf ("Difference, whole in %d px",
                                           gtk_widget_get_width (GTK_WIDGET (ui_window ())));
  ui_wait (what, fits_cb,
           gtk_scrolled_window_get_hadjustment (
               GTK_SCROLLED_WINDOW (gtk_widget_get_ancestor (words, GTK_TYPE_SCROLLED_WINDOW))));
}

/* The maps leave room for the numbers below them. */
static gboolean
are_numbers_seen_cb (gpointer data)
{
  GtkWidget *figure = ui_find (data, SEAM_TYPE_FIGURE_VIEW);
  GtkWidget *scroller =
      figure != NULL ? gtk_widget_get_ancestor (figure, GTK_TYPE_SCROLLED_WINDOW) : NULL;
  graphene_rect_t bounds;

  return figure != NULL && gtk_widget_compute_bounds (figure, scroller, &bounds)
         && bounds.origin.y > 300
         && bounds.origin.y + bounds.size.height <= gtk_widget_get_height (scroller);
}

/* The readout lies on its card, above the numbers. */
static gboolean
is_readout_seen_cb (gpointer data)
{
  GtkWidget *readout = ui_find ("^Pointer$", GTK_TYPE_LABEL);
  GtkWidget *numbers = ui_find (data, SEAM_TYPE_FIGURE_VIEW);
  graphene_rect_t bounds;

  return readout != NULL && numbers != NULL && gtk_widget_compute_bounds (readout, numbers, &bounds)
         && bounds.origin.y + bounds.size.height < -100;
}

static void
test_difference (void)
{
  open_sample ("laptop-cpu-matmul-swish-bias-groupnorm.seamscope");
  ask_for (1600, 1000);
  see_that_difference_fits ();
  ui_click (ui_see ("^Show the differences that agree$", GTK_TYPE_CHECK_BUTTON));
  ui_see ("^Slice at full resolution", 0);
  ui_wait ("maps and numbers", are_numbers_seen_cb, "elements are exactly equal\\.");
  ui_wait ("the readout", is_readout_seen_cb, "elements are exactly equal\\.");
  ask_for (1500, 940);
  ui_settle ();
  ask_for (1024, 700);
  see_that_difference_fits ();
  ask_for (640, 480);
  see_that_difference_fits ();
  set_text_scale (1.5);
  ask_for (1024, 700);
  see_that_difference_fits ();
  set_text_scale (1);
  ui_close ();
}

static void
test_small_windows (void)
{
  open_recorded ();
  ask_for (1600, 940);
  ui_wait ("the sidebar", is_folded_cb, GINT_TO_POINTER (FALSE));
  /* One request from each tab: the sidebar folds at once. */
  for (gsize i = 0; i < G_N_ELEMENTS (tabs); i++) {
    show_tab (tabs[i]);
    ask_for (1024, 700);
    ui_wait ("no sidebar", is_folded_cb, GINT_TO_POINTER (TRUE));
    ask_for (1600, 940);
    ui_wait ("the sidebar", is_folded_cb, GINT_TO_POINTER (FALSE));
  }
  ask_for (1024, 700);
  see_that_tabs_fit (tabs, G_N_ELEMENTS (tabs));
  see_way_back ();
  ask_for (640, 480);
  see_way_back ();
  g_assert_cmpint (gtk_widget_get_height (GTK_WIDGET (ui_window ())), <=, 480);
  see_that_tabs_fit (tabs, G_N_ELEMENTS (tabs));
  ui_close ();
}

/* Whether a new person sees the whole Run button, not cut off by the edge of a laptop's screen. */
static gboolean
is_whole_cb (gpointer button)
{
  graphene_rect_t bounds;
  GtkWidget *window = GTK_WIDGET (ui_window ());

  return gtk_widget_compute_bounds (button, window, &bounds) && bounds.size.height > 1
         && bounds.origin.y + bounds.size.height < gtk_widget_get_height (window);
}

static void
test_empty_page (void)
{
  g_autoptr (GPtrArray) buttons = NULL;

  ui_open_at ("^conv-relu-hardswish", "^tiny$");
  show_tab ("timing");
  ask_for (1366, 768);
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);
  buttons = ui_list (NULL, "^Run$", GTK_TYPE_BUTTON);
  g_assert_cmpint (buttons->len, ==, 2);
  for (guint i = 0; i < buttons->len; i++)
    ui_wait ("Run, whole", is_whole_cb, buttons->pdata[i]);
  ui_close ();
}

static gboolean
is_page_focused_cb (gpointer data)
{
  GtkWidget *focus = gtk_window_get_focus (ui_window ());

  return focus != NULL && gtk_widget_get_ancestor (focus, ADW_TYPE_VIEW_STACK) != NULL;
}

/* A file does not open on a tab for which it has no data. */
static void
test_opens_on_something (void)
{
  g_autofree char *path = g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "samples",
                                            "laptop-cpu-gemm-bias-relu.seamscope", NULL);
  const char *files[] = { path, NULL };

  ui_open_at ("^conv-relu-hardswish", "^tiny$");
  show_tab ("sweep");
  ui_close ();
  ui_open (files);
  ui_see ("^Recorded run from laptop-cpu-gemm-bias-relu", GTK_TYPE_LABEL);
  ui_see ("(× (faster|slower)|Same|Unclear|wrong)", GTK_TYPE_LABEL);
  /* The keys begin on the page. */
  ui_wait ("focus on the page", is_page_focused_cb, NULL);
  ui_close ();
}

static float
get_height (const char *pattern)
{
  graphene_rect_t bounds;

  g_assert_true (
      gtk_widget_compute_bounds (ui_see (pattern, 0), GTK_WIDGET (ui_window ()), &bounds));
  return bounds.size.height;
}

static gboolean
has_height (gpointer height)
{
  return ABS (get_height (KERNEL) - *(float *)height) <= 1.5;
}

static void
test_large_text (void)
{
  float usual, large;

  open_recorded ();
  ask_for (1500, 940);
  show_tab ("timeline");
  usual = get_height (KERNEL);
  large = 1.5f * usual;
  g_assert_cmpfloat (usual, >, 20);
  set_text_scale (1.5);
  ui_wait ("larger figures", has_height, &large);
  /* A hit finds an enlarged mark at its drawn place. */
  ui_click (ui_see (KERNEL, 0));
  ui_see ("^Timeline: .*Measured: ", 0);
  ask_for (1024, 700);
  see_that_tabs_fit (tabs, G_N_ELEMENTS (tabs));
  see_way_back ();
  ask_for (640, 480);
  see_way_back ();
  set_text_scale (1);
  show_tab ("timeline");
  ui_wait ("figures as before", has_height, &usual);
  ui_close ();
}

/* Tries every width, of the page with all pipelines with large text, too; a warning ends the test.
 */
static void
test_every_width (void)
{
  open_recorded ();
  ui_activate ("win.pipelines");
  set_text_scale (2);
  for (int width = 1500; width >= 700; width -= 160)
    ask_for (width, 480);
  set_text_scale (1);
  ui_activate ("win.leave-pipelines");
  for (gsize i = 0; i < G_N_ELEMENTS (tabs); i++) {
    show_tab (tabs[i]);
    for (int width = 1500; width >= 600; width -= i % 2 == 0 ? 127 : 97)
      ask_for (width, 500 + width % 400);
  }
  ui_close ();
}

static gboolean
is_in_page (gpointer pattern)
{
  GtkWidget *widget = ui_find (pattern, 0);
  GtkWidget *page =
      widget != NULL ? gtk_widget_get_ancestor (widget, g_type_from_name ("SeamTimingPage")) : NULL;
  graphene_rect_t bounds;

  return page != NULL && gtk_widget_compute_bounds (widget, page, &bounds) && bounds.origin.y >= 0
         && bounds.origin.y + bounds.size.height <= (float)gtk_widget_get_height (page);
}

/* In a window that is as low as a lesson leaves the page at 720 × 480, both plans and the headline
 * are seen at once: plans are single lines, until there is room for strips again. */
static void
test_low (void)
{
  static const char *const patterns[] = { "^Plan A: ", "^Plan B: ", "^[0-9.]+× faster$" };

  open_recorded ();
  ask_for (720, 310);
  for (gsize i = 0; i < G_N_ELEMENTS (patterns); i++)
    ui_wait (patterns[i], is_in_page, (gpointer)patterns[i]);
  ui_miss ("^Seam 1, ", 0);
  ask_for (720, 700);
  ui_see ("^Seam 1, ", 0);
  ui_close ();
}

static int n_heights; /* that measure_label was asked for */

/* As a label that wraps: half as high from 300 px on. */
static void
measure_label (GtkWidget *widget, GtkOrientation orientation, int for_size, int *minimum,
               int *natural, int *minimum_baseline, int *natural_baseline)
{
  if (orientation == GTK_ORIENTATION_HORIZONTAL) {
    *minimum = 10;
    *natural = 600;
    return;
  }
  n_heights++;
  *minimum = *natural = for_size >= 0 && for_size < 300 ? 100 : 50;
}

static GtkSizeRequestMode
get_mode (GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
allocate_nothing (GtkWidget *widget, int width, int height, int baseline)
{
}

/* A vertical box says how wide it is at least, and looks for no width at which it is as low as it
 * was asked: GTK 4.8 tries widths, on some contents without an end. */
static void
test_no_search_for_width (void)
{
  GtkWidget *box, *child;
  int minimum;

  ui_leave_start_page ();
  ui_open (NULL);
  box = g_object_ref_sink (gtk_box_new (GTK_ORIENTATION_VERTICAL, 0));
  child = gtk_label_new ("");
  gtk_widget_set_layout_manager (child,
                                 gtk_custom_layout_new (get_mode, measure_label, allocate_nothing));
  gtk_box_append (GTK_BOX (box), child);
  gtk_widget_measure (box, GTK_ORIENTATION_HORIZONTAL, 60, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 10);
  g_assert_cmpint (n_heights, <=, 1);
  gtk_widget_measure (box, GTK_ORIENTATION_VERTICAL, 200, &minimum, NULL, NULL, NULL);
  g_assert_cmpint (minimum, ==, 100);
  g_object_unref (box);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/sizes/small-windows", test_small_windows);
  g_test_add_func ("/sizes/difference", test_difference);
  g_test_add_func ("/sizes/empty-page", test_empty_page);
  g_test_add_func ("/sizes/opens-on-something", test_opens_on_something);
  g_test_add_func ("/sizes/large-text", test_large_text);
  g_test_add_func ("/sizes/every-width", test_every_width);
  g_test_add_func ("/sizes/low", test_low);
  g_test_add_func ("/sizes/no-search-for-width", test_no_search_for_width);
  return ui_run ();
}
