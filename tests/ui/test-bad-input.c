/* SPDX-License-Identifier: MIT
 *
 * Mistakes of a new user: each is explained in a sentence at its place, Run waits, and nothing is
 * lost.
 */
#include "tests/ui/window-fixture.h"

#include "app/pipeline/pipeline.h"

#include <string.h>

#define PIPELINE "^conv-bias-scale-sigmoid-groupnorm:"

static gboolean
must_wait (gpointer data)
{
  return !gtk_widget_is_sensitive (ui_see ("^Run", GTK_TYPE_BUTTON));
}

/* Neither Run nor its keys start a run. */
static void
assert_nothing_runs (void)
{
  ui_wait ("Run to wait", must_wait, NULL);
  ui_press ("<Control>r");
  g_assert_null (ui_find ("^Stop", GTK_TYPE_BUTTON));
  g_assert_null (ui_find ("^Measuring", GTK_TYPE_LABEL));
  g_assert_nonnull (ui_find ("^Not run yet$", GTK_TYPE_LABEL));
}

typedef struct {
  GtkWidget *entry;
  const char *sentence;
} Mistake;

/* Whether the sentence stands among the fields, not only in a page or in a toast. */
static gboolean
is_explained (gpointer data)
{
  Mistake *mistake = data;
  g_autoptr (GPtrArray) labels = ui_list (NULL, mistake->sentence, GTK_TYPE_LABEL);
  gboolean found = FALSE;

  for (guint i = 0; i < labels->len; i++)
    if (gtk_widget_is_ancestor (mistake->entry, gtk_widget_get_parent (labels->pdata[i])))
      found = TRUE;
  return found;
}

/* Types `text` into a field, expects a sentence that matches, and restores the old text. */
static void
try_field (const char *field, gboolean is_shape, const char *text, const char *sentence)
{
  GtkWidget *entry = ui_see (field, GTK_TYPE_ENTRY);
  g_autofree char *old = g_strdup (gtk_editable_get_text (GTK_EDITABLE (entry)));

  Mistake mistake = { entry, sentence };
  ui_type (entry, text);
  ui_wait (sentence, is_explained, &mistake);
  assert_nothing_runs ();
  g_assert_cmpstr (gtk_editable_get_text (GTK_EDITABLE (entry)), ==, text);
  /* The strips say whose bytes they still show. */
  if (is_shape)
    ui_see ("of the last valid shape, N ", GTK_TYPE_LABEL);
  ui_type (entry, old);
  ui_wait_for_run ();
  ui_miss ("of the last valid shape", GTK_TYPE_LABEL);
}

static void
test_fields (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  try_field ("^Height$", TRUE, "0", "(?i)Height.*“0”.*1 to");
  try_field ("^Height$", TRUE, "tall", "(?i)Height.*“tall”.*number");
  try_field ("^Batch$", TRUE, "1.234", "(?i)Batch.*“1\\.234” is not a whole number");
  try_field ("^Batch$", TRUE, "1,234", "(?i)Batch: is “1,234” 1\\.234 or 1234\\?");
  try_field ("^Kernel size$", TRUE, "99", "(?i)kernel.*larger than the image");
  try_field ("^Groups$", TRUE, "5", "(?i)5 groups.*divide");
  try_field ("^Time budget", FALSE, "long", "“long”");
  try_field ("^Seed$", FALSE, "-1", "“-1”");
  ui_close ();
}

/* What a file calls its fields is text: in the row, its entry and its tooltip. */
static void
test_markup (void)
{
  g_autoptr (SeamPipeline) good = seam_pipeline_find ("gemm-bias-relu", NULL);
  g_autofree char *path = ui_path ("marked.ini");
  const char *files[] = { path, NULL };
  g_auto (GStrv) parts = g_strsplit (good->text, "[field ", 2);
  g_autofree char *text = g_strconcat (parts[0], "[field ", parts[1], NULL);
  g_autoptr (GRegex) label = g_regex_new ("label=Batch\nunit=[a-z]+", 0, 0, NULL);
  g_autofree char *marked = g_regex_replace_literal (
      label, text, -1, 0, "label=Rows & <i>columns</i>\nunit=a<b>&", 0, NULL);

  g_assert_nonnull (strstr (marked, "<i>"));
  g_assert_true (g_file_set_contents (path, marked, -1, NULL));
  ui_leave_start_page ();
  ui_open (files);
  ui_see ("^Rows & <i>columns</i>$", GTK_TYPE_LABEL);
  GtkWidget *entry = ui_see ("^Rows & <i>columns</i>$", GTK_TYPE_ENTRY);
  GtkWidget *row = gtk_widget_get_ancestor (entry, ADW_TYPE_ACTION_ROW);
  g_assert_true (g_str_has_suffix (gtk_widget_get_tooltip_text (row), " a<b>&"));
  ui_see ("^a<b>&$", GTK_TYPE_LABEL);
  ui_close ();
}

/* 10¹² elements: no single field is wrong, but the problem cannot fit. */
static void
test_too_large (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  ui_type (ui_see ("^Batch$", GTK_TYPE_ENTRY), "1000000");
  ui_type (ui_see ("^Height$", GTK_TYPE_ENTRY), "1000");
  ui_type (ui_see ("^Width$", GTK_TYPE_ENTRY), "1000");
  ui_see ("; choose a smaller shape$", GTK_TYPE_LABEL);
  ui_wait_for_run ();
  ui_press ("<Control>r");
  ui_see ("^The run could not be made\\. This run needs .* free: choose a smaller batch",
          GTK_TYPE_LABEL);
  ui_wait_for_run ();
  g_assert_null (ui_find ("^Outputs agree", GTK_TYPE_LABEL));
  ui_choose (ui_see ("^Preset$", GTK_TYPE_DROP_DOWN), "^tiny$");
  ui_wait_for_run ();
  ui_close ();
}

/* The sentence is below the entry, and the old plan stays. */
static void
test_plan (void)
{
  ui_open_at (PIPELINE, "^tiny$");
  ui_click (ui_see ("^Plan B: Published$", GTK_TYPE_MENU_BUTTON));
  ui_type (ui_see ("^Plan notation$", GTK_TYPE_ENTRY), "conv+relu");
  ui_see ("^After “conv” the plan needs “conv_bias”, not “relu”", GTK_TYPE_LABEL);
  g_assert_false (gtk_widget_is_sensitive (ui_see ("^Use$", GTK_TYPE_BUTTON)));
  ui_press ("Escape");
  ui_miss ("^Plan notation$", GTK_TYPE_ENTRY);
  ui_see ("^Plan B: Published$", GTK_TYPE_MENU_BUTTON);
  ui_wait_for_run ();
  ui_close ();
}

/* A pipeline file of the first `length` bytes of a good one. */
static char *
write_pipeline (const char *name, gssize length)
{
  g_autofree char *good =
      g_build_filename (g_getenv ("SEAMSCOPE_DATADIR"), "pipelines", "conv-relu-bias.ini", NULL);
  g_autofree char *text = NULL;
  char *path = ui_path (name);

  g_assert_true (g_file_get_contents (good, &text, NULL, NULL));
  g_assert_true (g_file_set_contents (path, text, length, NULL));
  return path;
}

static void
open_and_see (const char *path, const char *pattern, GType type)
{
  const char *files[] = { path, NULL };

  ui_leave_start_page ();
  ui_open (files);
  ui_see (pattern, type);
  ui_close ();
}

/* Files on the command line: one that is cut off, a custom one, and one that does not exist. */
static void
test_files (void)
{
  g_autofree char *cut = write_pipeline ("cut.ini", 400), *own = write_pipeline ("my-own.ini", -1);
  g_autofree char *missing = ui_path ("missing.ini");

  open_and_see (cut, "cut\\.ini", GTK_TYPE_LABEL);
  open_and_see (own, "^my-own: conv2d", GTK_TYPE_LIST_BOX_ROW);
  open_and_see (missing, "missing\\.ini", GTK_TYPE_LABEL);
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/bad-input/markup", test_markup);
  g_test_add_func ("/bad-input/fields", test_fields);
  g_test_add_func ("/bad-input/too-large", test_too_large);
  g_test_add_func ("/bad-input/plan", test_plan);
  g_test_add_func ("/bad-input/files", test_files);
  return ui_run ();
}
