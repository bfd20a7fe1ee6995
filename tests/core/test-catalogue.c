/* SPDX-License-Identifier: MIT
 *
 * What finds a pipeline among all: words, numbers, tags, and the nearest word to one that finds
 * nothing; a person's folder with a file that cannot be read.
 */
#include "app/pipeline/catalogue.h"
#include "app/pipeline/own-folder.h"

#include <glib/gstdio.h>
#include <string.h>

static char *own_folder;

static GPtrArray *
list (void)
{
  g_autoptr (GPtrArray) opened = g_ptr_array_new ();
  g_autoptr (GError) error = NULL;
  GPtrArray *entries = seam_catalogue_new (opened, &error);

  g_assert_no_error (error);
  return entries;
}

/* The numbers of those that match, separated by blanks. */
static char *
find (const GPtrArray *entries, const char *text)
{
  GString *found = g_string_new (NULL);

  for (guint i = 0; i < entries->len; i++) {
    const SeamCatalogueEntry *entry = entries->pdata[i];
    if (entry->pipeline != NULL && seam_catalogue_entry_matches (entry, text))
      g_string_append_printf (found, "%s%d", found->len > 0 ? " " : "", entry->pipeline->number);
  }
  return g_string_free (found, FALSE);
}

static void
test_words (void)
{
  static const struct {
    const char *text, *numbers;
  } cases[] = {
    { "softmax", "6 13 24 38 49 66 84 89 91 99" },
    { "SOFTMAX Matmul", "66 84 99" }, /* all words, in any case; gemm's op is a matmul, too */
    { "matmul-dropout-softmax", "66" },
    { "softmax random", "66" },   /* a tag */
    { "further input", "26 28" }, /* two words of it */
    { "two matrix", "45" },
    { "bmm-instancenorm-sum-residual-multiply.ini", "28" }, /* its file */
    { "softmaks", "" },
  };
  g_autoptr (GPtrArray) entries = list ();

  g_assert_cmpuint (entries->len, ==, 100);
  for (gsize i = 0; i < G_N_ELEMENTS (cases); i++) {
    g_autofree char *found = find (entries, cases[i].text);
    g_assert_cmpstr (found, ==, cases[i].numbers);
  }
  g_assert_cmpuint (seam_pipeline_count (), ==, 100);
}

static const SeamCatalogueEntry *
find_number (const GPtrArray *entries, const char *text)
{
  const SeamCatalogueEntry *found = NULL;

  for (guint i = 0; i < entries->len; i++)
    if (seam_catalogue_entry_has_number (entries->pdata[i], text)) {
      g_assert_null (found);
      found = entries->pdata[i];
    }
  return found;
}

static void
test_number (void)
{
  g_autoptr (GPtrArray) entries = list ();
  const SeamCatalogueEntry *entry = find_number (entries, "66");

  g_assert_cmpstr (entry->pipeline->id, ==, "matmul-dropout-softmax");
  g_assert_cmpstr (entry->output, ==, "[128, 16384]");
  g_assert_true (find_number (entries, "#66") == entry);
  g_assert_null (find_number (entries, "0"));
  g_assert_null (find_number (entries, ""));
  g_assert_null (find_number (entries, "#"));
  /* The op that is named by any of the words. */
  g_assert_cmphex (seam_chain_find_ops (&entry->pipeline->chains[0], "dropout max"), ==, 0xc);
  g_assert_cmphex (seam_chain_find_ops (&entry->pipeline->chains[0], ""), ==, 0);
}

static void
test_suggest (void)
{
  g_autoptr (GPtrArray) entries = list ();
  g_autofree char *one = seam_catalogue_suggest (entries, "softmaks");
  g_autofree char *second = seam_catalogue_suggest (entries, "conv3d Softmaks");
  g_autofree char *none = seam_catalogue_suggest (entries, "qqqqqqqq");
  g_autofree char *known = seam_catalogue_suggest (entries, "softmax");

  g_assert_cmpstr (one, ==, "softmax");
  g_assert_cmpstr (second, ==, "conv3d softmax");
  g_assert_null (none);
  g_assert_null (known);
}

static void
test_own (void)
{
  g_autoptr (SeamPipeline) good = seam_pipeline_find ("#66", NULL);
  g_autofree char *mine = g_build_filename (own_folder, "mine.ini", NULL);
  g_autofree char *broken = g_build_filename (own_folder, "broken.ini", NULL);

  g_mkdir_with_parents (own_folder, 0700);
  g_assert_true (g_file_set_contents (mine, good->text, -1, NULL));
  g_assert_true (g_file_set_contents (broken, "[pipeline]\n", -1, NULL));
  g_autoptr (GPtrArray) entries = list ();
  g_assert_cmpuint (entries->len, ==, 102);
  /* A file that cannot be read is a row, and no pipeline. */
  g_assert_cmpuint (seam_pipeline_count (), ==, 101);
  const SeamCatalogueEntry *own = entries->pdata[100], *unread = entries->pdata[101];
  g_autofree char *name = seam_pipeline_make_name (own->pipeline);
  g_assert_cmpstr (name, ==, mine);
  g_assert_true (seam_pipeline_is_own (own->pipeline));
  g_assert_false (seam_pipeline_is_own (good));
  g_assert_null (unread->pipeline);
  g_assert_nonnull (strstr (unread->reason, "broken.ini"));
  g_assert_true (seam_catalogue_entry_matches (unread, "BROKEN.ini"));
  g_assert_false (seam_catalogue_entry_has_number (unread, "0"));
  /* The copy's number=66 still means the built-in one. */
  g_assert_cmpint (own->pipeline->number, ==, -1);
  g_assert_true (find_number (entries, "66")->pipeline->number == 66);
  g_assert_null (seam_pipeline_get_name_note (own->pipeline));
  g_unlink (mine);
  g_unlink (broken);
  g_rmdir (own_folder);
}

/* A built-in pipeline keeps its id and its number, whatever a person's files are called. */
static void
test_names (void)
{
  static const char *const taken[] = { "matmul-dropout-softmax", "66" };
  g_autoptr (SeamPipeline) built_in = seam_pipeline_find ("#66", NULL);

  g_assert_null (seam_pipeline_get_name_note (built_in));
  g_mkdir_with_parents (own_folder, 0700);
  for (gsize i = 0; i < G_N_ELEMENTS (taken); i++) {
    g_autofree char *file = g_strconcat (taken[i], ".ini", NULL);
    g_autofree char *path = g_build_filename (own_folder, file, NULL);
    g_assert_true (g_file_set_contents (path, built_in->text, -1, NULL));
    g_autoptr (SeamPipeline) found = seam_pipeline_find (taken[i], NULL);
    g_autoptr (SeamPipeline) by_path = seam_pipeline_find (path, NULL);
    g_assert_cmpstr (found->path, ==, built_in->path);
    g_assert_cmpstr (by_path->path, ==, path);
    g_assert_true ((seam_pipeline_get_name_note (by_path) != NULL) == (i == 0));
    g_unlink (path);
  }
  g_rmdir (own_folder);
}

static void
test_new (void)
{
  g_autoptr (SeamPipeline) built_in = seam_pipeline_find ("#66", NULL);
  g_autoptr (GError) error = NULL;
  g_autofree char *first = seam_own_folder_begin (&error);
  g_autofree char *second = seam_own_folder_begin (&error);
  g_autofree char *copy = seam_own_folder_add (built_in->path, &error);
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_find ("my-pipeline-2", &error);

  g_assert_no_error (error);
  g_assert_true (g_str_has_suffix (first, "/pipelines/my-pipeline.ini"));
  g_assert_cmpstr (pipeline->path, ==, second);
  g_autoptr (SeamPipeline) copied = seam_pipeline_find (copy, &error);
  g_assert_cmpstr (copied->text, ==, built_in->text);
  /* Nothing is replaced, and what is no pipeline is not copied. */
  g_assert_null (seam_own_folder_add (first, &error));
  g_assert_nonnull (strstr (error->message, "already has a file my-pipeline.ini"));
  g_clear_error (&error);
  g_autofree char *broken = g_build_filename (own_folder, "..", "broken.ini", NULL);
  g_assert_true (g_file_set_contents (broken, "[pipeline]\n", -1, NULL));
  g_assert_null (seam_own_folder_add (broken, &error));
  g_assert_nonnull (strstr (error->message, "broken.ini: [pipeline]"));
  for (const char *const *path = (const char *const[]){ first, second, copy, broken, NULL };
       *path != NULL; path++)
    g_assert_cmpint (g_unlink (*path), ==, 0);
  g_rmdir (own_folder);
}

int
main (int argc, char **argv)
{
  g_autofree char *home = g_dir_make_tmp ("seam-catalogue-XXXXXX", NULL);
  g_autofree char *program = g_build_filename (home, "seamscope", NULL);
  int status;

  g_setenv ("XDG_DATA_HOME", home, TRUE);
  g_test_init (&argc, &argv, NULL);
  own_folder = g_build_filename (home, "seamscope", "pipelines", NULL);
  g_test_add_func ("/catalogue/words", test_words);
  g_test_add_func ("/catalogue/number", test_number);
  g_test_add_func ("/catalogue/suggest", test_suggest);
  g_test_add_func ("/catalogue/own", test_own);
  g_test_add_func ("/catalogue/names", test_names);
  g_test_add_func ("/catalogue/new", test_new);
  status = g_test_run ();
  g_rmdir (program);
  g_rmdir (home);
  g_free (own_folder);
  return status;
}
