/* SPDX-License-Identifier: MIT
 *
 * Generated code is changed in place: its assembly is shown beside it, line by line; an error is
 * shown at its line; the corrected code runs as plan C beside A and B and has a verdict; wrong
 * outputs show on the map; an endless loop and code that ends the worker are reported, and the
 * window goes on. The page itself is tested in test-source.c, real keys in test-first-light.py.
 */
#include "tests/ui/window-fixture.h"

#include <stdlib.h>
#include <string.h>

#define RIGHT "seam_op_relu (after_bias)"
#define FIRST "^A: matmul, group 1 "
#define WRONG "^Line [0-9]+: error"
#define VERDICT                                                                                    \
  UI_VERDICT "([0-9.]+× (faster|slower)|Same within .*|Unclear|. is wrong|No verdict)$"
#define AGREES UI_VERDICT "([0-9.]+× (faster|slower)|Same within .*|Unclear|No verdict)$"

static GtkTextBuffer *
get_buffer (const char *view)
{
  return gtk_text_view_get_buffer (GTK_TEXT_VIEW (ui_see (view, GTK_TYPE_TEXT_VIEW)));
}

static char *
get_text (void)
{
  char *text;

  g_object_get (get_buffer ("^Source$"), "text", &text, NULL);
  return text;
}

static gboolean
has_text (gpointer wanted)
{
  g_autofree char *text = get_text ();

  return g_str_equal (text, wanted);
}

static gboolean
lacks_text (gpointer other)
{
  g_autofree char *text = get_text ();

  return strstr (text, other) == NULL;
}

/* `text` with `before` replaced once; newly allocated. */
static char *
change (const char *text, const char *before, const char *after)
{
  const char *at = strstr (text, before);

  g_assert_nonnull (at);
  return g_strdup_printf ("%.*s%s%s", (int)(at - text), text, after, at + strlen (before));
}

/* The number of the line with these words, from 1. */
static int
find_line (const char *text, const char *words)
{
  int number = 1;

  for (const char *at = text, *end = strstr (text, words); at < end; at++)
    number += *at == '\n';
  return number;
}

static void
load (const char *text)
{
  g_autofree char *path = ui_path ("edit.c"), *action = NULL;

  g_assert_true (g_file_set_contents (path, text, -1, NULL));
  action = g_strdup_printf ("win.load-edit-from::%s", path);
  ui_activate (action);
  ui_wait ("the loaded text", has_text, (gpointer)text);
}

static void
run_edited (void)
{
  ui_wait_for_run ();
  ui_click (ui_see ("^Run edited$", GTK_TYPE_BUTTON));
}

static void
reset (void)
{
  ui_click (ui_see ("^Reset$", GTK_TYPE_BUTTON));
}

/* Opens the page Source with the last group of B; returns its code. */
static char *
open_group (void)
{
  ui_open_at ("^gemm-bias-relu:", "^tiny$");
  ui_see_seam ('B', 2, "fused");
  ui_press ("<Alt>6");
  ui_see ("^B: bias . relu, group 2 · generated C", GTK_TYPE_LIST_BOX_ROW);
  ui_click (ui_see ("^B: matmul, group 1 ", GTK_TYPE_LIST_BOX_ROW));
  ui_press ("End");
  ui_see ("^B, group 2: bias . relu$", GTK_TYPE_LABEL);
  char *text = get_text ();
  g_assert_nonnull (strstr (text, RIGHT));
  return text;
}

static gboolean
is_late (gpointer late)
{
  *(gboolean *)late = TRUE;
  return G_SOURCE_REMOVE;
}

static gboolean
is_true (gpointer data)
{
  return *(gboolean *)data;
}

/* The cursor goes to this line, from 1. */
static void
go_to_line (const char *view, int number)
{
  GtkTextBuffer *buffer = get_buffer (view);
  GtkTextIter place;

  gtk_widget_grab_focus (ui_see (view, GTK_TYPE_TEXT_VIEW));
  gtk_text_buffer_get_iter_at_line (buffer, &place, number - 1);
  gtk_text_buffer_place_cursor (buffer, &place);
  ui_settle ();
}

/* The assembly beside the text: the cursor's line on one side marks lines of the other. */
static void
test_listing (void)
{
  g_autofree char *original = open_group ();
  int number = find_line (original, "seam_op_relu");
  g_autofree char *linked =
      g_strdup_printf ("^Line %d: ([0-9]+) lines? of assembly, from line ([0-9]+) on\\.$", number);
  g_autofree char *here = g_strdup_printf ("^Line %d:", number);
  g_autofree char *broken = change (original, RIGHT, "seam_op_rely (after_bias)");
  GtkWidget *first, *note;
  gboolean late = FALSE;

  ui_choose (ui_see ("^Machine code", GTK_TYPE_DROP_DOWN), "^Assembly$");
  ui_see ("^assembly by [^\n]*\nVectors .*registers of them in use", GTK_TYPE_LABEL);
  go_to_line ("^Source$", number);
  note = ui_see (linked, GTK_TYPE_LABEL);
  g_autofree char *line = ui_match (linked, gtk_label_get_text (GTK_LABEL (note)), 2);
  g_autofree char *back = g_strdup_printf (
      "^Line %s of assembly comes from (line [0-9]+ of kernels/ops.h, inlined at )+line %d\\.$",
      line, number);
  /* After every choice the code is loaded again, a quarter of a second later. Rows of the list,
   * cursor and marked lines stay. */
  first = ui_see (FIRST, GTK_TYPE_LIST_BOX_ROW);
  ui_choose (ui_see ("^Input values$", GTK_TYPE_DROP_DOWN), "^Normal");
  g_timeout_add (1000, is_late, &late);
  ui_wait ("the code, loaded again", is_true, &late);
  g_assert_true (ui_see (FIRST, GTK_TYPE_LIST_BOX_ROW) == first);
  g_assert_nonnull (ui_find (linked, GTK_TYPE_LABEL));
  /* From the instructions, to the same line; the function is inlined from an included file. */
  go_to_line ("^Instructions$", atoi (line));
  ui_see (back, GTK_TYPE_LABEL);
  /* A click on another line of the text marks other instructions: the pane follows the pointer. */
  ui_move_pointer (ui_see ("^Source$", GTK_TYPE_TEXT_VIEW), 0.3, 0.03, "click 1");
  ui_see ("^Line [0-9]+( of assembly comes|: )", GTK_TYPE_LABEL);
  ui_miss (here, GTK_TYPE_LABEL);

  /* An error of the compiler is shown at its line without a run. */
  load (broken);
  ui_see ("^Line [0-9]+: error: .*seam_op_rely", GTK_TYPE_LIST_BOX_ROW);
  ui_choose (ui_see ("^Machine code", GTK_TYPE_DROP_DOWN), "^Text alone$");
  reset ();
  ui_wait ("the generated code", has_text, original);
  ui_close ();
}

/* Loading runs nothing. After “Run edited” the error is at its line, and the edit is plan C. */
static void
test_error (void)
{
  g_autofree char *original = open_group ();
  g_autofree char *broken = change (original, RIGHT, "seam_op_rely (after_bias)");
  g_autofree char *where =
      g_strdup_printf ("^Line %d: error: .*seam_op_rely", find_line (original, "seam_op_relu"));

  load (broken);
  g_assert_null (ui_find (WRONG, GTK_TYPE_LIST_BOX_ROW));
  run_edited ();
  ui_click (ui_see (where, GTK_TYPE_LIST_BOX_ROW));
  ui_see ("^B: bias . relu, group 2 · generated C", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^C: bias . relu, group 2 ", GTK_TYPE_LIST_BOX_ROW);
  ui_see ("^Leave plan C out$", GTK_TYPE_BUTTON);
  load (original);
  g_assert_null (ui_find (WRONG, GTK_TYPE_LIST_BOX_ROW));
  ui_close ();
}

static void
compare_plans (const char *pair)
{
  ui_choose (ui_see ("^Compared plans$", GTK_TYPE_DROP_DOWN), pair);
}

/* Whether the bars, which the next frame builds, are those of three plans. */
static gboolean
has_bars (gpointer data)
{
  gboolean has_all = TRUE;

  for (const char *plan = "ABC"; *plan != '\0'; plan++) {
    g_autofree char *pattern = g_strdup_printf ("^%c, [a-z]", *plan);
    g_auto (GStrv) names = ui_list_names (pattern, GTK_ACCESSIBLE_ROLE_BUTTON);
    has_all = has_all && names[0] != NULL;
  }
  return has_all;
}

/* All three plans are measured in turn and shown in strips and bars; B or C is compared with A. */
static void
see_three_plans (void)
{
  ui_see ("^Plan C: Own plan$", GTK_TYPE_BUTTON);
  ui_wait ("a bar of every plan", has_bars, NULL);
  ui_see ("^C .* against A unfused · B published: ", GTK_TYPE_LABEL);
  compare_plans ("^A with B$");
  ui_see ("^B published against A unfused · C .*: ", GTK_TYPE_LABEL);
  ui_press ("<Alt>3");
  ui_see ("^Modelled {2}A .*, B .*, B − A", GTK_TYPE_LABEL);
  compare_plans ("^A with C$");
  ui_see ("^Modelled {2}A .*, C .*, C − A", GTK_TYPE_LABEL);
  ui_press ("<Alt>1");
  ui_see ("^C .* against A unfused · B published: ", GTK_TYPE_LABEL);
}

/* The map shows A and C, and on request A and B. */
static void
see_difference_of_c (void)
{
  ui_press ("<Alt>2");
  ui_see ("^Outputs differ", GTK_TYPE_LABEL);
  ui_see ("^Plan C, .*: edit on the Timing tab$", 0);
  ui_choose (ui_see ("^Compare", GTK_TYPE_DROP_DOWN), "^A Unfused, B Published$");
  ui_see ("^Outputs agree$", GTK_TYPE_LABEL);
  ui_see ("^Plan B, .*: edit on the Timing tab$", 0);
  ui_choose (ui_see ("^Compare", GTK_TYPE_DROP_DOWN), "^B Published, C ");
  ui_see ("^Outputs differ", GTK_TYPE_LABEL);
}

/* The text changed at its top agrees with A; without the ReLU it is wrong. One click removes C. */
static void
test_runs (void)
{
  g_autofree char *original = open_group ();
  g_autofree char *mine = g_strconcat ("// mine\n", original, NULL);
  g_autofree char *wrong = change (original, RIGHT, "after_bias");

  load (mine);
  run_edited ();
  ui_see ("^C: bias . relu, group 2 · edited C", GTK_TYPE_LIST_BOX_ROW);
  ui_press ("<Alt>1");
  ui_see (VERDICT, GTK_TYPE_LABEL);
  ui_wait_for_run ();
  g_assert_null (ui_find (". is wrong$", GTK_TYPE_LABEL));
  see_three_plans ();

  ui_press ("<Alt>6");
  load (wrong);
  run_edited ();
  ui_press ("<Alt>1");
  ui_see (UI_VERDICT "C is wrong$", GTK_TYPE_LABEL);
  see_difference_of_c ();

  ui_press ("<Alt>6");
  ui_click (ui_see ("^Leave plan C out$", GTK_TYPE_BUTTON));
  ui_miss ("^C: ", GTK_TYPE_LIST_BOX_ROW);
  ui_press ("<Control>r");
  ui_press ("<Alt>1");
  ui_see (AGREES, GTK_TYPE_LABEL);
  ui_wait_for_run ();
  ui_close ();
}

static gboolean
has_ended (gpointer pid)
{
  g_autofree char *path = g_strdup_printf ("/proc/%s/stat", (char *)pid), *text = NULL;

  return !g_file_get_contents (path, &text, NULL, NULL) || strstr (text, ") Z ") != NULL;
}

/* An endless loop: the worker is ended, and the window goes on. The code ends the worker with
 * status 0: there is no result, and forked processes end, too. */
static void
test_lost (void)
{
  static const char start[] = "const int64_t n = run->n;";
  g_autofree char *left = ui_path ("left"), *original = NULL;
  g_autofree char *exit = g_strdup_printf (
      "%s\n  int pid = fork ();\n  if (pid == 0)\n    for (;;)\n      pause ();\n"
      "  FILE *file = fopen (\"%s\", \"w\");\n  fprintf (file, \"%%d\", pid);\n  fclose (file);\n"
      "  _exit (0);",
      start, left);

  g_setenv ("SEAMSCOPE_EDIT_LIMIT", "3", TRUE);
  original = open_group ();
  g_autofree char *endless = change (original, start, "const int64_t n = run->n;\n  for (;;) ;");
  g_autofree char *inner = change (original, start, exit);
  g_autofree char *ending =
      g_strconcat ("#include <stdio.h>\n#include <stdlib.h>\n#include <unistd.h>\n", inner, NULL);
  load (endless);
  run_edited ();
  ui_see ("showed no progress for 3 seconds", GTK_TYPE_LABEL);
  reset ();
  ui_see ("^C: bias . relu, group 2 · generated C", GTK_TYPE_LIST_BOX_ROW);
  ui_wait ("the generated code", lacks_text, (gpointer) "for (;;)");

  load (ending);
  run_edited ();
  ui_see ("ended in the middle of its work, with exit status 0", GTK_TYPE_LABEL);
  g_autofree char *pid = NULL;
  g_assert_true (g_file_get_contents (left, &pid, NULL, NULL));
  ui_wait ("the end of what was forked", has_ended, pid);
  reset ();
  ui_wait ("the generated code", lacks_text, (gpointer) "fork");
  ui_close ();
  g_unsetenv ("SEAMSCOPE_EDIT_LIMIT");
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/edit/listing", test_listing);
  g_test_add_func ("/edit/error", test_error);
  g_test_add_func ("/edit/runs", test_runs);
  g_test_add_func ("/edit/lost", test_lost);
  return ui_run ();
}
