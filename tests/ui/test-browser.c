/* SPDX-License-Identifier: MIT
 *
 * The page with all pipelines: from the start page in a click, found by words and numbers, marked
 * and used with the keyboard, and the person's folder as it changes.
 */
#include "tests/ui/window-fixture.h"

#include "app/pipeline/pipeline.h"

#include <glib/gstdio.h>
#include <string.h>

#define SEARCH "^Search the pipelines"
#define EMPTY                                                                                      \
  "^Drop a pipeline file \\(\\.ini\\) here, or make a new one\\. Your folder is .*/pipelines;"

static char *
get_own_path (const char *name)
{
  g_autofree char *folder =
      g_build_filename (g_get_user_data_dir (), "seamscope", "pipelines", NULL);

  g_mkdir_with_parents (folder, 0700);
  return g_build_filename (folder, name, NULL);
}

static void
open_browser (void)
{
  ui_leave_start_page ();
  ui_open (NULL);
  ui_press ("<Control>l");
  ui_see ("^[0-9]+ pipelines$", GTK_TYPE_LABEL);
}

static void
search (const char *text)
{
  gtk_editable_set_text (GTK_EDITABLE (ui_see (SEARCH, GTK_TYPE_SEARCH_ENTRY)), text);
}

static gboolean
is_selected_cb (gpointer pattern)
{
  GtkWidget *row = ui_find (pattern, GTK_TYPE_LIST_BOX_ROW);

  return row != NULL && gtk_list_box_row_is_selected (GTK_LIST_BOX_ROW (row));
}

static void
see_selected (const char *pattern)
{
  ui_wait (pattern, is_selected_cb, (gpointer)pattern);
}

/* The way of a person who has never been here. */
static void
test_find_and_use (void)
{
  g_autofree char *count = NULL;
  GtkWidget *entry;

  ui_open (NULL);
  ui_click (ui_see ("^All 100…$", GTK_TYPE_BUTTON));
  entry = ui_see (SEARCH, GTK_TYPE_SEARCH_ENTRY);
  ui_see ("^100 pipelines$", GTK_TYPE_LABEL);
  search ("softmax");
  ui_see ("^10 of 100$", GTK_TYPE_LABEL);
  see_selected ("^Number 6, conv3d-softmax-maxpool-maxpool, 5 ops: conv, conv_bias, softmax, "
                "maxpool, maxpool2; output \\[128, 16, 3, 7, 7\\] at preset kernelbench; "
                "not run yet$");
  ui_press ("Down");
  see_selected ("^Number 13, ");
  ui_press ("Up");
  see_selected ("^Number 6, ");
  /* The number is first, whatever else has these digits. */
  search ("66");
  ui_see ("^By number$", GTK_TYPE_LABEL);
  see_selected ("^Number 66, matmul-dropout-softmax, 4 ops: ");
  ui_see ("^Not run yet$", GTK_TYPE_LABEL);
  ui_choose (ui_see ("^Preset of the shape$", GTK_TYPE_DROP_DOWN), "^tiny$");
  ui_see ("^Needs [0-9.]+ [kM]B of memory", GTK_TYPE_LABEL);
  gtk_widget_grab_focus (entry);
  search ("#66");
  ui_press ("Return");
  /* It is used, in the tabs and in the sidebar. */
  ui_wait_for_run ();
  see_selected ("^matmul-dropout-softmax: matmul, matmul_bias, dropout, softmax$");
  g_autofree char *preset = ui_get_choice (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN));
  g_assert_cmpstr (preset, ==, "tiny");
  ui_close ();
  /* The sidebar keeps what was used; the others stay on the page. */
  ui_open (NULL);
  see_selected ("^matmul-dropout-softmax: ");
  ui_click (ui_see ("^All pipelines…", GTK_TYPE_BUTTON));
  ui_see ("^Number 66, ", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^Favourites and recent$", GTK_TYPE_LABEL);
  ui_see ("^99, and 1 above$", GTK_TYPE_LABEL);
  ui_close ();
}

static void
check_nothing_found (void)
{
  open_browser ();
  search ("softmaks");
  ui_see ("^No pipeline has “softmaks”\\. Did you mean “softmax”\\?$", GTK_TYPE_LABEL);
  ui_click (ui_see ("^softmax$", GTK_TYPE_BUTTON));
  ui_see ("^10 of 100$", GTK_TYPE_LABEL);
  /* Filters narrow it, one word is enough to widen it again. */
  ui_click (ui_see ("^random  2$", GTK_TYPE_TOGGLE_BUTTON));
  ui_see ("^1 of 100$", GTK_TYPE_LABEL);
  search ("softmax qqqq");
  ui_click (ui_see ("^Show all$", GTK_TYPE_BUTTON));
  ui_see ("^100 pipelines$", GTK_TYPE_LABEL);
  /* Who comes back sees everything again. */
  ui_click (ui_see ("^random  2$", GTK_TYPE_TOGGLE_BUTTON));
  search ("matmul");
  ui_press ("<Alt>4");
  ui_see ("^1 of 100$", GTK_TYPE_LABEL);
  ui_activate ("win.leave-pipelines");
  ui_miss (SEARCH, GTK_TYPE_SEARCH_ENTRY);
  ui_press ("<Control>l");
  ui_see ("^100 pipelines$", GTK_TYPE_LABEL);
  see_selected ("^All pipelines, 100$");
}

static void
test_keys (void)
{
  check_nothing_found ();
  search ("matmul-gelu-softmax");
  see_selected ("^Number 99, ");
  gtk_widget_grab_focus (ui_see ("^Number 99, ", GTK_TYPE_LIST_BOX_ROW));
  ui_press ("f");
  see_selected ("^Number 99, matmul-gelu-softmax, favourite, ");
  ui_press ("f");
  see_selected ("^Number 99, matmul-gelu-softmax, [0-9]+ ops");
  ui_press ("f");
  see_selected ("^Number 99, matmul-gelu-softmax, favourite, ");
  ui_press ("<Control>Return");
  ui_see ("^matmul-gelu-softmax has not run on this computer yet\\.$", GTK_TYPE_LABEL);
  ui_press ("slash");
  g_assert_nonnull (
      gtk_widget_get_ancestor (gtk_window_get_focus (ui_window ()), GTK_TYPE_SEARCH_ENTRY));
  ui_press ("Escape");
  ui_see ("^100 pipelines$", GTK_TYPE_LABEL);
  ui_press ("<Alt>2");
  ui_see ("^1 of 100$", GTK_TYPE_LABEL);
  ui_press ("<Alt>1");
  ui_see ("^100 pipelines$", GTK_TYPE_LABEL);
  ui_press ("Escape");
  ui_miss (SEARCH, GTK_TYPE_SEARCH_ENTRY);
  ui_close ();
  /* A favourite stays one. */
  open_browser ();
  ui_press ("<Alt>2");
  ui_click (ui_see ("^Favourite", GTK_TYPE_BUTTON));
  ui_see ("^No favourites yet", GTK_TYPE_LABEL);
  ui_close ();
}

static void
test_last_run (void)
{
  ui_open_at ("^gemm-bias-relu", "^tiny$");
  ui_press ("<Control>r");
  ui_see ("^Kernels$", GTK_TYPE_COLUMN_VIEW);
  ui_wait_for_run ();
  ui_press ("<Control>l");
  see_selected ("^Number 76, gemm-bias-relu, .*; last run ");
  ui_see ("^Last run, ", GTK_TYPE_LABEL);
  ui_see ("^Open last run", GTK_TYPE_BUTTON);
  ui_press ("<Control>Return");
  ui_see ("^Back to your settings$", GTK_TYPE_LABEL);
  ui_close ();
}

static void
test_own_folder (void)
{
  g_autofree char *data = g_strdup (g_getenv ("SEAMSCOPE_DATADIR"));
  g_autofree char *example = g_build_filename (data, "level2", "matmul-dropout-softmax.ini", NULL);
  g_autofree char *mine = get_own_path ("mine.ini");
  g_autofree char *text = NULL;

  open_browser ();
  ui_press ("<Alt>5");
  ui_see (EMPTY, GTK_TYPE_LABEL);
  /* It is followed, with the file half written and then whole. */
  g_assert_true (g_file_set_contents (mine, "[pipeline]\n", -1, NULL));
  see_selected ("mine\\.ini: \\[pipeline\\] ");
  ui_see ("^This file cannot be read$", GTK_TYPE_LABEL);
  ui_see ("^0 of 100$", GTK_TYPE_LABEL); /* it is no pipeline */
  ui_see ("^Your folder, 0$", GTK_TYPE_LIST_BOX_ROW);
  /* Enter cannot use it. */
  search ("mine");
  gtk_widget_grab_focus (ui_see (SEARCH, GTK_TYPE_SEARCH_ENTRY));
  ui_press ("Return");
  see_selected ("mine\\.ini: \\[pipeline\\] ");
  g_assert_true (g_file_get_contents (example, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (mine, text, -1, NULL));
  see_selected ("mine, 4 ops: ");
  ui_press ("Return");
  ui_wait_for_run ();
  see_selected ("^mine: matmul, ");
  ui_close ();
  g_unlink (mine);
}

/* A person's file does not pass for a built-in pipeline, neither by its name nor by its number. */
static void
test_same_name (void)
{
  g_autoptr (SeamPipeline) built_in = seam_pipeline_find ("gemm-bias-relu", NULL);
  g_autofree char *mine = get_own_path ("gemm-bias-relu.ini");

  g_assert_true (g_file_set_contents (mine, built_in->text, -1, NULL));
  open_browser ();
  search ("76");
  ui_see ("^By number$", GTK_TYPE_LABEL);
  see_selected ("^Number 76, gemm-bias-relu, 3 ops");
  search ("");
  ui_press ("<Alt>5");
  ui_see ("^1 of 101$", GTK_TYPE_LABEL);
  see_selected ("^gemm-bias-relu, same name as a built-in pipeline, 3 ops");
  ui_see ("^own$", GTK_TYPE_LABEL);
  ui_see ("^same name$", GTK_TYPE_LABEL);
  ui_see ("^This file has the same name as a built-in pipeline; open it by its file, ",
          GTK_TYPE_LABEL);
  ui_press ("Return");
  ui_wait_for_run ();
  see_selected ("^gemm-bias-relu, own file: matmul, ");
  ui_activate ("win.begin::gemm-bias-relu");
  see_selected ("^gemm-bias-relu: matmul, ");
  ui_close ();
  g_unlink (mine);
}

static gboolean
drop (const char *path)
{
  GtkWidget *page = gtk_widget_get_ancestor (ui_see (SEARCH, GTK_TYPE_SEARCH_ENTRY),
                                             g_type_from_name ("SeamPipelineBrowser"));
  g_autoptr (GListModel) controllers = gtk_widget_observe_controllers (page);
  g_autoptr (GFile) file = g_file_new_for_path (path);
  GSList files = { .data = file };
  GValue value = G_VALUE_INIT;
  gboolean taken = FALSE;

  g_value_init (&value, GDK_TYPE_FILE_LIST);
  g_value_take_boxed (&value, gdk_file_list_new_from_list (&files));
  for (guint i = 0; i < g_list_model_get_n_items (controllers); i++) {
    g_autoptr (GObject) controller = g_list_model_get_item (controllers, i);
    if (GTK_IS_DROP_TARGET (controller))
      g_signal_emit_by_name (controller, "drop", &value, 1.0, 1.0, &taken);
  }
  g_value_unset (&value);
  return taken;
}

static void
test_new_and_drop (void)
{
  g_autofree char *made = get_own_path ("my-pipeline.ini");
  g_autofree char *copied = get_own_path ("gemm-bias-relu.ini");
  g_autofree char *broken = ui_path ("broken.ini");
  g_autoptr (SeamPipeline) built_in = seam_pipeline_find ("gemm-bias-relu", NULL);

  open_browser ();
  ui_press ("<Alt>5");
  ui_see (EMPTY, GTK_TYPE_LABEL);
  ui_click (ui_see ("^New pipeline…", GTK_TYPE_BUTTON));
  see_selected (
      "^my-pipeline, 3 ops: matmul, bias, sigmoid; output \\[1024, 1024\\] at preset laptop");
  ui_see ("^1 of 101$", GTK_TYPE_LABEL);
  g_assert_true (drop (built_in->path));
  see_selected ("^gemm-bias-relu, same name as a built-in pipeline, ");
  ui_see ("^2 of 102$", GTK_TYPE_LABEL);
  g_assert_true (drop (built_in->path));
  ui_see ("^Not copied: Your folder already has a file gemm-bias-relu\\.ini; ", GTK_TYPE_LABEL);
  g_assert_true (g_file_set_contents (broken, "[pipeline]\n", -1, NULL));
  g_assert_true (drop (broken));
  ui_see ("^Not copied: .*broken\\.ini: \\[pipeline\\] ", GTK_TYPE_LABEL);
  ui_close ();
  g_assert_cmpint (g_unlink (made), ==, 0);
  g_assert_cmpint (g_unlink (copied), ==, 0);
}

static void
see_first (const char *pattern)
{
  GtkListBox *list = GTK_LIST_BOX (ui_see ("^Pipelines$", GTK_TYPE_LIST_BOX));
  GtkListBoxRow *row = gtk_list_box_get_row_at_index (list, 0);

  for (int i = 1; !gtk_widget_get_child_visible (GTK_WIDGET (row)); i++)
    row = gtk_list_box_get_row_at_index (list, i);
  g_autofree char *name = ui_get_name (GTK_WIDGET (row));
  g_test_message ("first: %s", name);
  g_assert_true (g_regex_match_simple (pattern, name, 0, 0));
}

static void
test_order (void)
{
  open_browser ();
  search ("conv softmax");
  see_first ("^Number 6, ");
  ui_choose (ui_see ("^Order$", GTK_TYPE_DROP_DOWN), "^By name$");
  see_first ("^Number 24, conv3d-min-");
  search ("#99");
  gtk_widget_grab_focus (ui_see (SEARCH, GTK_TYPE_SEARCH_ENTRY));
  ui_press ("Return");
  ui_wait_for_run ();
  ui_press ("<Control>l");
  search ("#6");
  see_selected ("^Number 6, ");
  ui_wait_for_frames (GTK_WIDGET (ui_window ())); /* in which the entry gets the focus */
  gtk_widget_grab_focus (ui_see ("^Number 6, ", GTK_TYPE_LIST_BOX_ROW));
  ui_press ("f");
  search ("");
  /* The order stays. In that of numbers favourites come before what was used. */
  see_first ("^Number 6, conv3d");
  ui_choose (ui_see ("^Order$", GTK_TYPE_DROP_DOWN), "^By last use$");
  see_first ("^Number 99, ");
  ui_choose (ui_see ("^Order$", GTK_TYPE_DROP_DOWN), "^By number$");
  see_first ("^Number 6, ");
  ui_close ();
}

static gboolean
is_inside_cb (gpointer pattern)
{
  GtkWidget *widget = ui_find (pattern, 0);
  graphene_rect_t bounds;

  return widget != NULL && gtk_widget_compute_bounds (widget, GTK_WIDGET (ui_window ()), &bounds)
         && bounds.origin.x >= 0
         && bounds.origin.x + bounds.size.width
                <= (float)gtk_widget_get_width (GTK_WIDGET (ui_window ()))
         && bounds.origin.y + bounds.size.height
                <= (float)gtk_widget_get_height (GTK_WIDGET (ui_window ()));
}

static gboolean
is_in_row_cb (gpointer in_row)
{
  return (gtk_widget_get_ancestor (ui_see ("^Use pipeline", GTK_TYPE_BUTTON), GTK_TYPE_LIST_BOX_ROW)
          != NULL)
         == GPOINTER_TO_INT (in_row);
}

/* Details go into the row, collections away, and what is selected stays in sight. */
static void
test_sizes (void)
{
  static const int sizes[][2] = { { 1600, 1000 }, { 1024, 700 }, { 720, 480 } };

  open_browser ();
  for (gsize i = 0; i < G_N_ELEMENTS (sizes); i++) {
    gtk_window_set_default_size (ui_window (), sizes[i][0], sizes[i][1]);
    ui_wait ("details in their place", is_in_row_cb, GINT_TO_POINTER (sizes[i][0] < 1280));
    search ("instancenorm residual");
    see_selected ("^Number 28, ");
    ui_wait ("Use pipeline, whole", is_inside_cb, "^Use pipeline");
    search ("");
  }
  ui_click (ui_see ("^All pipelines$", GTK_TYPE_TOGGLE_BUTTON));
  ui_click (ui_see ("^Your folder, 0$", GTK_TYPE_LIST_BOX_ROW));
  ui_see (EMPTY, GTK_TYPE_LABEL);
  ui_close ();
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/browser/find-and-use", test_find_and_use);
  g_test_add_func ("/browser/nothing-found-and-keys", test_keys);
  g_test_add_func ("/browser/last-run", test_last_run);
  g_test_add_func ("/browser/own-folder", test_own_folder);
  g_test_add_func ("/browser/same-name", test_same_name);
  g_test_add_func ("/browser/new-and-drop", test_new_and_drop);
  g_test_add_func ("/browser/order", test_order);
  g_test_add_func ("/browser/sizes", test_sizes);
  return ui_run ();
}
