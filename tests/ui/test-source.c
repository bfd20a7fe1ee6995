/* SPDX-License-Identifier: MIT
 *
 * The source page: the groups of both plans with the code of one beside them; it follows every cut
 * without a run, says what is wrong with a shape, and saves what it shows. For a session it shows
 * the code that ran, whatever this machine would run. The code itself is tested in
 * tests/core/test-source.c and test-generated.c.
 */
#include "tests/ui/window-fixture.h"

#include <string.h>

#define PIPELINE      "^gemm-bias-relu:"
#define OTHER_STORAGE "^This text is for tensors that are stored in FP32, "
#define UNFUSED       "A: matmul|A: bias|A: relu"
#define PUBLISHED     UNFUSED "|B: matmul|B: bias + relu"

/* --- What the page shows --- */

/* Whether these are the rows of the list, in this order. */
static gboolean
has_groups (gpointer wanted)
{
  g_autoptr (GPtrArray) rows = ui_list (NULL, "^[AB]: .*, group [0-9]+ · ", GTK_TYPE_LIST_BOX_ROW);
  g_autoptr (GString) found = g_string_new (NULL);

  for (guint i = 0; i < rows->len; i++) {
    g_autofree char *name = ui_get_name (rows->pdata[i]);
    g_string_append_printf (found, "%s%.*s", i > 0 ? "|" : "", (int)strcspn (name, ","), name);
  }
  return g_str_equal (found->str, wanted);
}

static void
see_groups (const char *groups)
{
  g_autofree char *what = g_strdup_printf ("the groups %s", groups);

  ui_wait (what, has_groups, (gpointer)groups);
}

static char *
get_text (void)
{
  GtkWidget *view = ui_see ("^Source$", GTK_TYPE_TEXT_VIEW);
  GtkTextBuffer *buffer = gtk_text_view_get_buffer (GTK_TEXT_VIEW (view));
  char *text;

  g_object_get (buffer, "text", &text, NULL);
  return text;
}

static gboolean
has_text (gpointer wanted)
{
  g_autofree char *text = get_text ();

  return strstr (text, wanted) != NULL;
}

static gboolean
lacks_text (gpointer other)
{
  return !has_text (other);
}

/* Waits until the page shows `wanted` and not `other`. */
static void
see_text (const char *wanted, const char *other)
{
  ui_wait (other, lacks_text, (gpointer)other);
  ui_wait (wanted, has_text, (gpointer)wanted);
}

static void
open_source (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  ui_activate ("win.page::source");
  ui_see ("^Groups$", GTK_TYPE_LABEL);
  see_groups (PUBLISHED);
}

/* --- The tests --- */

/* In a narrow window, too, the list shows the group whose text is beside it. */
static gboolean
is_selected_seen_cb (gpointer data)
{
  g_autoptr (GPtrArray) rows = ui_list (NULL, "^[AB]: .*, group [0-9]+ · ", GTK_TYPE_LIST_BOX_ROW);

  for (guint i = 0; i < rows->len; i++) {
    GtkWidget *list = gtk_widget_get_ancestor (rows->pdata[i], GTK_TYPE_SCROLLED_WINDOW);
    graphene_rect_t bounds;

    if (gtk_list_box_row_is_selected (rows->pdata[i])
        && gtk_widget_compute_bounds (rows->pdata[i], list, &bounds))
      return bounds.origin.y >= 0
             && bounds.origin.y + bounds.size.height <= gtk_widget_get_height (list);
  }
  return FALSE;
}

/* The page shows the first group whose text can be changed, and says so; then the group that is
 * clicked; then the last, chosen by key. */
static void
test_groups (void)
{
  open_source ();
  ui_see ("^B, group 2: bias . relu$", GTK_TYPE_LABEL);
  ui_see ("\nThis text can be changed: type in it, then “Run edited” measures it", GTK_TYPE_LABEL);
  see_text ("seam_op_relu (after_bias)", "matmul: ");
  gtk_window_set_default_size (ui_window (), 1024, 700);
  ui_wait ("the selected group", is_selected_seen_cb, NULL);
  ui_click (ui_see ("^A: matmul, group 1 ", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^A, group 1: matmul$", GTK_TYPE_LABEL);
  see_text ("matmul: sgemm of oneDNN", "relu: ");
  ui_click (ui_see ("^A: relu, group 3 · CPU loops$", GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^A, group 3: relu$", GTK_TYPE_LABEL);
  see_text ("relu: max(x, 0)", "matmul: ");
  g_assert_true (ui_press ("End"));
  ui_see ("^B, group 2: bias . relu$", GTK_TYPE_LABEL);
  see_text ("after_relu = seam_op_relu (after_bias)", "matmul: ");
  ui_see ("^■ matmul   ■ bias   ■ relu$", GTK_TYPE_LABEL);
  ui_close ();
}

/* A cut on the first page adds a group here. */
static void
test_cut (void)
{
  open_source ();
  ui_activate ("win.page::timing");
  ui_click (ui_see_seam ('B', 2, "fused"));
  ui_see_seam ('B', 2, "cut");
  ui_activate ("win.page::source");
  see_groups (UNFUSED "|B: matmul|B: bias|B: relu");
  g_assert_true (ui_press ("<Control>z"));
  see_groups (PUBLISHED);
  ui_close ();
}

static void
type_batch (const char *batch)
{
  ui_type (ui_see ("^Batch", GTK_TYPE_ENTRY), batch);
}

/* The text contains the shape. For an invalid shape there is a message and no code. */
static void
test_shape (void)
{
  open_source ();
  g_assert_true (ui_press ("End"));
  type_batch ("5");
  ui_wait ("the new shape", has_text, (gpointer) "Output: 5 rows");
  type_batch ("0");
  see_groups ("");
  ui_see ("^Batch: “0” is outside the range 1 to", GTK_TYPE_LABEL);
  type_batch ("4");
  see_groups (PUBLISHED);
  ui_close ();
}

static void
choose_storage (const char *pattern)
{
  ui_choose (ui_see ("^Storage$", GTK_TYPE_DROP_DOWN), pattern);
}

static void
open_last_group (void)
{
  ui_click (ui_see ("^B: bias . relu, group 2 ", GTK_TYPE_LIST_BOX_ROW));
  ui_wait ("the last group", has_text, (gpointer) "seam_op_relu (after_bias)");
}

static void
load_text (const char *text)
{
  g_autofree char *path = ui_path ("edit.c"), *action = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  action = g_strdup_printf ("win.load-edit-from::%s", path);
  ui_activate (action);
  ui_wait ("the edit", has_text, (gpointer)text);
}

/* Loads an edit: the shown text with one more line. */
static void
load_edit (void)
{
  g_autofree char *text = get_text (), *edit = g_strconcat ("// mine\n", text, NULL);

  load_text (edit);
}

/* Loads the shown text with `words` replaced, below `head`. */
static void
load_changed (const char *head, const char *words, const char *by)
{
  g_autofree char *text = get_text (), *edit = NULL;
  g_auto (GStrv) parts = g_strsplit (text, words, -1);

  g_assert_cmpuint (g_strv_length (parts), ==, 2);
  edit = g_strconcat (head, parts[0], by, parts[1], NULL);
  load_text (edit);
}

/* The buttons of an edit: the changed code can be run, as plan C, or reset. */
static void
test_edit (void)
{
  GtkWidget *run, *reset;

  open_source ();
  open_last_group ();
  run = ui_see ("^Run edited$", GTK_TYPE_BUTTON);
  reset = ui_see ("^Reset$", GTK_TYPE_BUTTON);
  g_assert_false (gtk_widget_is_sensitive (run));
  g_assert_false (gtk_widget_is_sensitive (reset));
  load_edit ();
  g_assert_true (gtk_widget_is_sensitive (run));
  ui_click (run);
  ui_see ("^C: bias . relu, group 2 · edited C", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^C, group 2: bias . relu$", GTK_TYPE_LABEL);
  g_assert_true (has_text ((gpointer) "// mine"));
  ui_activate ("win.page::timing");
  ui_see ("^C .* against A unfused · B published: ", GTK_TYPE_LABEL);
  ui_activate ("win.page::source");
  ui_see (UI_VERDICT "[0-9.]+× (faster|slower)$", GTK_TYPE_LABEL);
  ui_click (reset);
  ui_see ("^C: bias . relu, group 2 · generated C", GTK_TYPE_LIST_BOX_ROW);
  see_text ("seam_op_relu (after_bias)", "// mine");
  g_assert_false (gtk_widget_is_sensitive (run));
  /* A learner's code is not lost by one press. */
  ui_activate ("win.undo");
  ui_see ("^C: bias . relu, group 2 · edited C", GTK_TYPE_LIST_BOX_ROW);
  ui_wait ("the code to be back", has_text, (gpointer) "// mine");
  ui_click (reset);
  ui_see ("^C: bias . relu, group 2 · generated C", GTK_TYPE_LIST_BOX_ROW);
  see_text ("seam_op_relu (after_bias)", "// mine");
  load_edit ();
  ui_click (reset);
  see_text ("seam_op_relu (after_bias)", "// mine");
  ui_activate ("win.undo");
  ui_wait ("the code to be back", has_text, (gpointer) "// mine");
  ui_close ();
}

/* A mistake is shown at its line, and nothing is measured: the history has no such run. */
static void
test_edit_mistake (void)
{
  g_autofree char *right = NULL;

  open_source ();
  open_last_group ();
  right = get_text ();
  load_changed ("", "seam_op_relu (after_bias)", "seam_op_rely (after_bias)");
  ui_click (ui_see ("^Run edited$", GTK_TYPE_BUTTON));
  ui_see ("^Line [0-9]+: error: .*seam_op_rely", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("Group 2 of matmul.bias.relu@edited: ", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  g_assert_null (ui_find ("unfused, published", GTK_TYPE_LIST_BOX_ROW));
  load_text (right);
  ui_miss ("^Line [0-9]+: error", GTK_TYPE_LIST_BOX_ROW);
  ui_close ();
}

static gboolean
has_n_runs (gpointer n)
{
  g_autoptr (GPtrArray) rows = ui_list (NULL, "unfused, published", GTK_TYPE_LIST_BOX_ROW);

  return rows->len == GPOINTER_TO_UINT (n);
}

/* After a run whose code may go on in a thread there is a new worker, and no word about that. */
static void
test_edit_with_thread (void)
{
  open_source ();
  open_last_group ();
  load_changed ("#include <pthread.h>\nstatic int started;\nstatic void *\ngo (void *unused)\n{\n"
                "  for (;;)\n    ;\n}\n",
                "const int64_t n = run->n;",
                "const int64_t n = run->n;\n  pthread_t thread;\n  if (started++ == 0)\n"
                "    pthread_create (&thread, 0, go, 0);");
  for (guint n = 1; n <= 2; n++) {
    ui_activate (n == 1 ? "win.run-edited" : "win.run");
    ui_wait ("the entry of the run", has_n_runs, GUINT_TO_POINTER (n));
    ui_wait_for_run ();
    ui_see ("^C: bias . relu, group 2 · edited C", GTK_TYPE_LIST_BOX_ROW);
    g_assert_null (ui_find ("[Ww]orker", GTK_TYPE_LABEL));
    g_assert_null (ui_find ("stopped early: ", GTK_TYPE_LIST_BOX_ROW));
  }
  ui_activate ("win.page::timing");
  ui_see ("^C .* against A unfused · B published: ", GTK_TYPE_LABEL);
  ui_close ();
}

/* An edit made with another storage is recognised. */
static void
test_edit_of_other_storage (void)
{
  open_source ();
  ui_choose (ui_see ("^Math mode$", GTK_TYPE_DROP_DOWN), "^BF16$");
  open_last_group ();
  load_edit ();
  g_assert_null (ui_find (OTHER_STORAGE, GTK_TYPE_LABEL));
  choose_storage ("^16 bits between kernels$");
  ui_see (OTHER_STORAGE, GTK_TYPE_LABEL);
  choose_storage ("^FP32$");
  ui_miss (OTHER_STORAGE, GTK_TYPE_LABEL);
  ui_close ();
}

static double
get_left (GtkWidget *widget)
{
  graphene_rect_t bounds;

  g_assert_true (gtk_widget_compute_bounds (widget, GTK_WIDGET (ui_window ()), &bounds));
  return graphene_rect_get_x (&bounds);
}

typedef struct {
  GtkWidget *widget;
  double left;
  int n_same;
} Resting;

/* Its place was the same in ten turns of the main loop. */
static gboolean
is_resting (gpointer data)
{
  Resting *resting = data;
  double left = get_left (resting->widget);

  resting->n_same = left == resting->left ? resting->n_same + 1 : 0;
  resting->left = left;
  return resting->n_same >= 10 && left > 0;
}

static double
get_resting_left (GtkWidget *widget)
{
  Resting resting = { widget, -1, 0 };

  ui_wait ("a button at rest", is_resting, &resting);
  return resting.left;
}

/* The button that removes plan C stands before the others, so that no other button moves under
 * the pointer that pressed “Run edited”. Undo during the run ends it without a message. */
static void
test_undo_while_running (void)
{
  GtkWidget *run, *out;
  double left;

  open_source ();
  open_last_group ();
  load_edit ();
  ui_activate ("win.page::traffic");
  ui_see ("^Traffic ledger", GTK_TYPE_LABEL);
  ui_activate ("win.page::source");
  run = ui_see ("^Run edited$", GTK_TYPE_BUTTON);
  left = get_resting_left (run);
  ui_hold_after (2);
  ui_click (run);
  out = ui_see ("^Leave plan C out$", GTK_TYPE_BUTTON);
  g_assert_cmpfloat (get_resting_left (run), ==, left);
  g_assert_cmpfloat (get_left (out) + gtk_widget_get_width (out), <=, left);
  g_assert_true (ui_press ("<Control>z"));
  ui_miss ("^Leave plan C out$", GTK_TYPE_BUTTON);
  ui_hold (FALSE);
  ui_activate ("win.page::timing");
  ui_wait_for_run ();
  ui_activate ("win.page::traffic");
  ui_see ("^Traffic ledger", GTK_TYPE_LABEL);
  ui_close ();
}

static gboolean
is_past (gpointer end_us)
{
  return g_get_monotonic_time () > *(gint64 *)end_us;
}

/* Code that was requested before “Run edited” lacks plan C and does not change the place. */
static void
test_edit_before_answer (void)
{
  gint64 asked_us;

  open_source ();
  open_last_group ();
  load_edit ();
  ui_freeze_worker (TRUE);
  ui_choose (ui_see ("^Input values$", GTK_TYPE_DROP_DOWN), "^Normal");
  /* The page requests code a quarter of a second after a change. */
  asked_us = g_get_monotonic_time () + G_USEC_PER_SEC / 2;
  ui_wait ("the request", is_past, &asked_us);
  /* The answer arrives while the window is busy. The click is handled first. */
  ui_freeze_worker (FALSE);
  g_usleep (G_USEC_PER_SEC);
  ui_activate ("win.run-edited");
  ui_see ("^C: bias . relu, group 2 · edited C", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^C, group 2: bias . relu$", GTK_TYPE_LABEL);
  g_assert_true (has_text ((gpointer) "// mine"));
  ui_wait_for_run ();
  ui_close ();
}

/* What is typed during a run stays; it runs when that run is over, and the window says so. */
static void
test_edit_while_running (void)
{
  GtkWidget *run, *view;
  GtkTextIter start;

  open_source ();
  open_last_group ();
  load_edit ();
  run = ui_see ("^Run edited$", GTK_TYPE_BUTTON);
  ui_hold (TRUE);
  ui_click (run);
  ui_see ("^Leave plan C out$", GTK_TYPE_BUTTON);
  view = ui_see ("^Source$", GTK_TYPE_TEXT_VIEW);
  gtk_text_buffer_get_start_iter (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &start);
  gtk_text_buffer_insert (gtk_text_view_get_buffer (GTK_TEXT_VIEW (view)), &start, "// later\n",
                          -1);
  ui_click (run);
  ui_see ("^A run is being measured: wait for it, or stop it first$", GTK_TYPE_LABEL);
  ui_hold (FALSE);
  ui_see ("^C: bias . relu, group 2 · edited C", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^C, group 2: bias . relu$", GTK_TYPE_LABEL);
  g_assert_true (has_text ((gpointer) "// later\n// mine"));
  ui_wait_for_run ();
  ui_close ();
}

static void
test_saves (void)
{
  g_autofree char *path = NULL, *saved = NULL, *text = NULL;

  open_source ();
  text = get_text ();
  path = ui_write ("save-source-to", "first.txt");
  g_assert_true (g_file_get_contents (path, &saved, NULL, NULL));
  g_assert_cmpstr (saved, ==, text);
  ui_activate ("win.save-source-to::/nowhere/at/all.cu");
  ui_see ("^The text was not saved", GTK_TYPE_LABEL);
  ui_close ();
}

/* A session from a machine with a C compiler, opened on one without. */
static void
test_keeps (void)
{
  g_autofree char *path = ui_path ("there.seamscope");
  const char *const run[] = { g_getenv ("SEAMSCOPE_CLI"),
                              "run",
                              "gemm-bias-relu",
                              "--target",
                              "cpu",
                              "--preset",
                              "tiny",
                              "--budget",
                              "0.2",
                              "--save",
                              path,
                              NULL };
  const char *const files[] = { path, NULL };
  const char *const fused_there = "^B: bias . relu, group 2 · generated C";
  g_autoptr (GError) error = NULL;
  int status;

  g_spawn_sync (NULL, (char **)run, NULL, G_SPAWN_STDOUT_TO_DEV_NULL, NULL, NULL, NULL, NULL,
                &status, &error);
  g_assert_no_error (error);
  g_assert_cmpint (status, ==, 0);
  g_setenv ("SEAMSCOPE_CC", "none", TRUE);
  ui_leave_start_page ();
  ui_open (files);
  ui_activate ("win.page::source");
  ui_click (ui_see (fused_there, GTK_TYPE_LIST_BOX_ROW));
  ui_see ("This is the text that ran on .*, as there\\.seamscope keeps it; it is only shown\\. ",
          GTK_TYPE_LABEL);
  see_text ("seam_op_relu (after_bias)", "matmul: ");
  g_assert_null (ui_find ("^Run edited$", GTK_TYPE_BUTTON));
  ui_choose (ui_see ("^Whose code", GTK_TYPE_DROP_DOWN), "^For this target$");
  ui_see ("^B: bias . relu, group 2 · CPU loops", GTK_TYPE_LIST_BOX_ROW);
  ui_choose (ui_see ("^Whose code", GTK_TYPE_DROP_DOWN), "^As it ran$");
  ui_see (fused_there, GTK_TYPE_LIST_BOX_ROW);
  ui_close ();
  g_unsetenv ("SEAMSCOPE_CC");
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/source-page/groups", test_groups);
  g_test_add_func ("/source-page/cut", test_cut);
  g_test_add_func ("/source-page/shape", test_shape);
  g_test_add_func ("/source-page/saves", test_saves);
  g_test_add_func ("/source-page/keeps", test_keeps);
  g_test_add_func ("/source-page/edit", test_edit);
  g_test_add_func ("/source-page/edit-mistake", test_edit_mistake);
  g_test_add_func ("/source-page/edit-with-thread", test_edit_with_thread);
  g_test_add_func ("/source-page/edit-before-answer", test_edit_before_answer);
  g_test_add_func ("/source-page/edit-while-running", test_edit_while_running);
  g_test_add_func ("/source-page/undo-while-running", test_undo_while_running);
  g_test_add_func ("/source-page/edit-of-other-storage", test_edit_of_other_storage);
  return ui_run ();
}
