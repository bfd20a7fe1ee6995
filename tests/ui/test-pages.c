/* SPDX-License-Identifier: MIT
 *
 * The interface of the tabs (ui/page/page.h), with pages of the test's own beside those of the
 * program: nothing but a name and a title is needed, and what is presented of a tab is what its
 * page says.
 */
#include "tests/ui/window-fixture.h"

#include "app/base/error.h"
#include "app/lesson/deck.h"
#include "ui/presenter/presenter.h"
#include "ui/search/search-page.h"
#include "ui/window/export.h"
#include "ui/window/pages.h"
#include "ui/window/window-private.h"

/* --- Pages of the test --- */

/* A type named `type` that adds nothing to its parent. */
#define PAGE(Type, type, Parent, PARENT, init_page)                                                \
  typedef Parent Type;                                                                             \
  typedef Parent##Class Type##Class;                                                               \
  GType type##_get_type (void);                                                                    \
  G_DEFINE_TYPE_WITH_CODE (Type, type, PARENT, G_IMPLEMENT_INTERFACE (SEAM_TYPE_PAGE, init_page))  \
  static void type##_class_init (Type##Class *klass)                                               \
  {                                                                                                \
  }                                                                                                \
  static void type##_init (Type *self)                                                             \
  {                                                                                                \
  }

static void
init_blank (SeamPageInterface *iface)
{
  iface->name = "blank";
  iface->title = "Blank";
}

/* Not in the order of any other list. */
static void
init_two_figures (SeamPageInterface *iface)
{
  static const char *const products[] = { "timeline", "timing", NULL };

  iface->name = "two-figures";
  iface->products = products;
}

PAGE (BlankPage, blank_page, AdwBin, ADW_TYPE_BIN, init_blank)
PAGE (BlankSearchPage, blank_search_page, SeamSearchPage, SEAM_TYPE_SEARCH_PAGE, init_blank)
PAGE (TwoFiguresPage, two_figures_page, AdwBin, ADW_TYPE_BIN, init_two_figures)

/* --- The window --- */

static SeamWindow *
get_window (void)
{
  return SEAM_WINDOW (ui_window ());
}

static void
open_session (const char *variable, const char *name)
{
  g_autofree char *path = g_build_filename (g_getenv (variable), name, NULL);

  ui_leave_start_page ();
  ui_open ((const char *const[]){ path, NULL });
}

/* A new last tab of the window, which is shown. */
static SeamPage *
add_page (GType type)
{
  SeamWindow *window = get_window ();
  SeamPage *page = g_object_new (type, NULL);
  const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (page);
  const SeamPageContext context = { window->model, window->session, window->lesson,
                                    G_ACTION_MAP (window) };
  g_autofree char *action = g_strconcat ("win.page::", iface->name, NULL);

  adw_view_stack_add_titled (window->pages, GTK_WIDGET (page), iface->name, iface->title);
  seam_page_begin (page, &context);
  ui_activate (action);
  g_assert_true (seam_pages_get_shown (window->pages) == page);
  return page;
}

static gboolean
has_width (gpointer narrow)
{
  return gtk_widget_has_css_class (GTK_WIDGET (ui_window ()), "narrow") == GPOINTER_TO_INT (narrow);
}

/* Beside the sidebar the tabs are narrow. */
static void
widen_and_narrow (void)
{
  g_assert_true (has_width (GINT_TO_POINTER (TRUE)));
  ui_activate_with ("win.toggle-sidebar", NULL);
  ui_wait ("wide tabs", has_width, GINT_TO_POINTER (FALSE));
  ui_activate_with ("win.toggle-sidebar", NULL);
  ui_wait ("narrow tabs", has_width, GINT_TO_POINTER (TRUE));
  ui_settle ();
}

/* --- What is presented --- */

static SeamPresenter *
get_presenter (void)
{
  g_autoptr (GListModel) windows = g_object_ref (gtk_window_get_toplevels ());

  for (guint i = 0; i < g_list_model_get_n_items (windows); i++) {
    g_autoptr (GtkWindow) window = g_list_model_get_item (windows, i);
    if (SEAM_IS_PRESENTER (window))
      return SEAM_PRESENTER (window);
  }
  return NULL;
}

static gboolean
is_gone (gpointer data)
{
  return get_presenter () == NULL;
}

static gboolean
fill (const char *product, SeamProductSource *source)
{
  *source = (SeamProductSource){ .second = -1 };
  return seam_export_fill_source (GTK_APPLICATION_WINDOW (ui_window ()),
                                  seam_products_find (product), source, NULL);
}

static gboolean
is_compared (gpointer data)
{
  SeamProductSource source;

  return fill ("difference", &source);
}

/* The words of all slides, newly allocated. */
static char *
describe (SeamDeck *deck)
{
  GString *words = g_string_new (NULL);

  for (guint i = 0; i < seam_deck_get_n (deck); i++) {
    g_autoptr (SeamFigure) slide = seam_deck_draw (deck, i, FALSE);
    g_autofree char *summary = seam_figure_summarize (slide);
    g_string_append_printf (words, "%s\n\n", summary);
  }
  return g_string_free (words, FALSE);
}

/* The slides of the products that the window has something for, one product after the other. */
static SeamDeck *
make_expected (const char *const *products)
{
  SeamProductSource source;
  SeamDeck *deck = fill ("timing", &source) ? seam_deck_new_for_figures (
                       source.results[0]->pipeline_id, source.results[0]->device->name)
                                            : seam_deck_new_for_figures ("Seamscope", NULL);

  for (int i = 0; products[i] != NULL; i++)
    if (fill (products[i], &source))
      seam_deck_add_product (deck, seam_products_find (products[i]), &source, NULL);
  return deck;
}

/* Presents the shown tab. TRUE if there was something to present, which was these products. */
static gboolean
assert_presented (const char *const *products)
{
  g_autoptr (SeamDeck) expected = make_expected (products);
  g_autofree char *words = describe (expected), *shown = NULL;
  SeamPresenter *presenter;

  ui_activate ("win.present");
  ui_settle ();
  presenter = get_presenter ();
  if (seam_deck_get_n (expected) == 0) {
    g_assert_null (presenter);
    return FALSE;
  }
  g_assert_nonnull (presenter);
  shown = describe (seam_presenter_get_deck (presenter));
  g_assert_cmpstr (shown, ==, words);
  gtk_window_close (GTK_WINDOW (presenter));
  ui_wait ("the presenter to go", is_gone, NULL);
  return TRUE;
}

/* --- Tests --- */

static void
test_blank (void)
{
  SeamProductSource source = { .tested = 7 };
  g_autoptr (AdwViewStack) alone = NULL;
  g_autoptr (GError) error = NULL;
  SeamPage *page;

  ui_open_at ("^gemm-bias-relu", "^tiny$");
  page = add_page (blank_page_get_type ());
  widen_and_narrow ();
  g_assert_null (seam_page_get_exploration (page));
  g_assert_true (seam_page_fill_source (page, &source, NULL));
  g_assert_cmpint (source.tested, ==, 7);
  ui_activate ("win.present");
  ui_see ("^This tab has no figure to present: go to another[.]$", GTK_TYPE_LABEL);
  g_assert_null (get_presenter ());
  /* Run measures the plans, and the tab that compares outputs is asked beside this one. */
  ui_wait_for_run ();
  ui_activate ("win.run");
  ui_wait_for_run ();
  ui_activate ("win.page::difference");
  ui_wait ("a comparison", is_compared, NULL);

  alone = g_object_ref_sink (ADW_VIEW_STACK (adw_view_stack_new ()));
  adw_view_stack_add_titled (alone, g_object_new (blank_page_get_type (), NULL), "blank", NULL);
  g_assert_false (seam_pages_fill_source (alone, &source, &error));
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED);
  g_assert_cmpstr (error->message, ==, "No tab compares outputs.");
  ui_close ();
}

/* A page of partitions or points that adds nothing to what all such pages share. */
static void
test_blank_search (void)
{
  SeamPage *page;

  open_session ("SEAMSCOPE_TEST_SESSIONS", "surveys.seamscope");
  page = add_page (blank_search_page_get_type ());
  widen_and_narrow ();
  g_assert_true (seam_page_get_exploration (page)
                 == get_window ()->model->explorations.all[SEAM_SEARCH_EXPLORE]);
  g_assert_nonnull (seam_exploration_get_search (seam_page_get_exploration (page)));
  ui_see ("^Recorded exploration from surveys.seamscope$", GTK_TYPE_LABEL);
  ui_activate ("win.present");
  ui_see ("^This tab has no figure to present: go to another[.]$", GTK_TYPE_LABEL);
  ui_close ();
}

/* The presenter keeps no list of its own: it shows what any page says, in its order. */
static void
test_own_figures (void)
{
  open_session ("SEAMSCOPE_DATADIR", "samples/h200-gemm-bias-relu.seamscope");
  add_page (two_figures_page_get_type ());
  g_assert_true (assert_presented ((const char *const[]){ "timeline", "timing", NULL }));
  ui_close ();
}

static void
collect_cb (SeamPage *page, gpointer pages)
{
  g_ptr_array_add (pages, page);
}

/* Presents each tab of the window; adds to `presented` what could be. */
static void
present_all (GHashTable *presented)
{
  g_autoptr (GPtrArray) pages = g_ptr_array_new ();

  seam_pages_each (get_window ()->pages, collect_cb, pages);
  for (guint i = 0; i < pages->len; i++) {
    const SeamPageInterface *iface = SEAM_PAGE_GET_IFACE (pages->pdata[i]);
    g_autofree char *action = g_strconcat ("win.page::", iface->name, NULL);
    g_autofree char *text =
        g_strdup_printf ("---\ntitle: T\nminutes: 5\ngoal: G.\n---\n\n## Say: S\n\n"
                         "```seamscope\npage = %s\n```\n",
                         iface->name);
    g_autoptr (SeamLesson) lesson = seam_lesson_parse (text, "lesson", NULL);

    /* A lesson may name it. */
    g_assert_true (seam_lesson_verify (lesson, NULL));
    ui_activate (action);
    ui_settle ();
    if (assert_presented (iface->products))
      for (int k = 0; iface->products[k] != NULL; k++)
        g_hash_table_add (presented, (gpointer)iface->products[k]);
  }
}

/* Every figure of the window is presented by its tab. What is known before a run is a line of
 * Timing, and no slide. */
static void
test_figures (void)
{
  g_autoptr (GHashTable) presented = g_hash_table_new (g_str_hash, g_str_equal);

  open_session ("SEAMSCOPE_DATADIR", "samples/h200-gemm-bias-relu.seamscope");
  ui_activate ("win.page::difference");
  ui_wait ("a comparison", is_compared, NULL);
  present_all (presented);
  ui_close ();
  open_session ("SEAMSCOPE_TEST_SESSIONS", "surveys.seamscope");
  ui_activate ("win.page::sweep");
  ui_choose (ui_see ("^Sweep of the session$", GTK_TYPE_DROP_DOWN), "^2:");
  ui_see ("^4 shapes × 2 plans, 8 points$", GTK_TYPE_LABEL);
  present_all (presented);
  ui_close ();
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if (product->kind == SEAM_PRODUCT_FIGURE && (product->of & SEAM_OF_WINDOW) != 0)
      g_assert_cmpstr (product->of == SEAM_OF_ESTIMATE ? NULL : product->name, ==,
                       g_hash_table_lookup (presented, product->name));
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/pages/blank", test_blank);
  g_test_add_func ("/pages/blank-search", test_blank_search);
  g_test_add_func ("/pages/own-figures", test_own_figures);
  g_test_add_func ("/pages/figures", test_figures);
  return ui_run ();
}
