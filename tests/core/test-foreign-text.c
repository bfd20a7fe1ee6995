/* SPDX-License-Identifier: MIT
 *
 * Texts that other people wrote: read from files, and made safe as file names, on a terminal, in a
 * table and in a spreadsheet.
 */
#include "app/base/csv-read.h"
#include "app/base/csv-text.h"
#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/npy.h"
#include "app/base/read-file.h"
#include "app/base/text.h"

#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Checks a file name made of a text from outside, without the program's own functions. */
static void
assert_harmless (const char *name)
{
  g_auto (GStrv) parts = g_strsplit (name, "/", -1);

  g_assert_cmpuint (strlen (name), <=, SEAM_FILE_NAME_MAX);
  for (int i = 0; parts[i] != NULL; i++) {
    g_assert_cmpuint (strlen (parts[i]), >, 0);
    g_assert_true (parts[i][0] != '.' && parts[i][0] != '-');
    g_assert_null (strstr (parts[i], ".."));
    g_assert_cmpuint (strspn (parts[i], G_CSET_A_2_Z G_CSET_a_2_z G_CSET_DIGITS "-_."), ==,
                      strlen (parts[i]));
  }
}

static void
test_file_names (void)
{
  static const char *const good[] = { "published-2.cu", "plan1-3.c", "kernels/cpu/exp.h",
                                      "conv_bias.npy", "a" };
  static const char *const bad[] = {
    "",
    ".",
    "..",
    "/",
    "//",
    "../../esc-2.cu",
    "/etc/passwd",
    "a/../b",
    "a//b",
    "a/",
    "/a",
    "./a",
    ".hidden",
    "-rf",
    "a/-rf",
    "a/.b",
    "a..b",
    "a\nb",
    "a b",
    "a:b",
    "a?b",
    "\x1b[31m",
    "\xff\xfe",
    "caf\xc3\xa9.c",
    "esc-2-0123456789abcdef.cu",
    "x-0123456789ABCDEF",
  };
  g_autoptr (GHashTable) names = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  g_autofree char *long_name = g_strnfill (200000, 'w'), *longer = g_strnfill (200001, 'w');

  for (gsize i = 0; i < G_N_ELEMENTS (good); i++) {
    g_autofree char *name = seam_file_name_make (good[i]);
    g_assert_cmpstr (name, ==, good[i]);
    g_assert_true (g_hash_table_add (names, g_steal_pointer (&name)));
  }
  for (gsize i = 0; i < G_N_ELEMENTS (bad) + 2; i++) {
    char *name = seam_file_name_make (i < G_N_ELEMENTS (bad)    ? bad[i]
                                      : i == G_N_ELEMENTS (bad) ? long_name
                                                                : longer);
    g_autofree char *again = seam_file_name_make (name);
    assert_harmless (name);
    g_assert_null (strchr (name, '/'));
    /* Two texts never share a file name, even if one is the other's name. */
    g_assert_cmpstr (again, !=, name);
    assert_harmless (again);
    g_assert_true (g_hash_table_add (names, name));
  }
  /* The ending tells the file's type and is kept. */
  g_autofree char *name = seam_file_name_make ("../../esc-2.cu");
  g_assert_true (g_str_has_prefix (name, "esc-2-") && g_str_has_suffix (name, ".cu"));
}

static void
test_file_names_fuzz (void)
{
  static const char bytes[] = "ab./-_:\\\x1b\n\xc3\xa9\x80 0fCON";
  g_autoptr (GRand) rand = g_rand_new_with_seed (16);
  g_autoptr (GHashTable) texts = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, g_free);

  for (int i = 0; i < 20000; i++) {
    char text[40] = "";
    int n = g_rand_int_range (rand, 0, (int)sizeof text - 1);
    for (int j = 0; j < n; j++)
      text[j] = bytes[g_rand_int_range (rand, 0, (int)sizeof bytes - 1)];
    char *name = seam_file_name_make (text);
    const char *there = g_hash_table_lookup (texts, name);
    assert_harmless (name);
    g_assert_true (there == NULL || strcmp (there, text) == 0);
    g_hash_table_insert (texts, name, g_strdup (text));
  }
}

static void
assert_refused (const char *folder, const char *name)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *path = seam_file_name_place (folder, name, &error);

  g_assert_null (path);
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  g_assert_true (g_utf8_validate (error->message, -1, NULL));
  g_assert_true (g_str_has_suffix (error->message, "Choose another folder."));
}

static void
test_place (void)
{
  g_autofree char *root = g_dir_make_tmp ("seam-place-XXXXXX", NULL);
  g_autofree char *chosen = g_build_filename (root, "chosen", NULL);
  g_autofree char *outside = g_build_filename (root, "outside", NULL);
  g_autofree char *link = g_build_filename (chosen, "kernels", NULL);
  g_autofree char *leaf = g_build_filename (chosen, "a.c", NULL);
  g_autofree char *dangling = g_build_filename (chosen, "b.c", NULL);
  g_autofree char *victim = g_build_filename (outside, "victim", NULL);
  g_autofree char *through = g_build_filename (root, "link", NULL);
  g_autofree char *expected = g_build_filename (through, "x", "y.h", NULL);
  g_autoptr (GError) error = NULL;

  g_assert_cmpint (g_mkdir (chosen, 0700), ==, 0);
  g_assert_cmpint (g_mkdir (outside, 0700), ==, 0);
  g_assert_true (g_file_set_contents (victim, "old", -1, NULL));
  g_assert_cmpint (symlink ("../outside", link), ==, 0);
  g_assert_cmpint (symlink ("../outside/victim", leaf), ==, 0);
  g_assert_cmpint (symlink ("../outside/new", dangling), ==, 0);
  assert_refused (chosen, "kernels/ops.h");
  assert_refused (chosen, "kernels");
  assert_refused (chosen, "a.c");
  assert_refused (chosen, "b.c");
  assert_refused (victim, "a.c");

  /* The person chooses the folder, which may be a link. */
  g_assert_cmpint (symlink ("outside", through), ==, 0);
  g_autofree char *path = seam_file_name_place (through, "x/y.h", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (path, ==, expected);
  g_assert_true (seam_file_write (path, "text", 4, &error));
  g_autofree char *again = seam_file_name_place (through, "x/y.h", &error);
  g_assert_no_error (error);
  g_assert_cmpstr (again, ==, path);

  g_autofree char *folder = g_path_get_dirname (path);
  g_remove (path);
  g_rmdir (folder);
  g_remove (through);
  g_remove (link);
  g_remove (leaf);
  g_remove (dangling);
  g_remove (victim);
  g_rmdir (chosen);
  g_rmdir (outside);
  g_rmdir (root);
}

static void
assert_printable (const char *text, const char *kept, const char *expected)
{
  g_autofree char *printable = seam_text_make_printable (text, kept);

  g_assert_cmpstr (printable, ==, expected);
}

static void
test_printable (void)
{
  assert_printable ("2.57 ms · 1.84× “a”", "", "2.57 ms · 1.84× “a”");
  assert_printable ("\x1b[31m\x07\x7f", "", "�[31m��");
  /* C1 in UTF-8 and as a byte, a bidirectional override, an isolate, a byte order mark. */
  assert_printable ("\xc2\x9b\x9b\xe2\x80\xae\xe2\x81\xa6\xef\xbb\xbf", "", "�����");
  assert_printable ("a\n\tb\r", "", "a��b�");
  assert_printable ("a\n\tb\r", "\n\t", "a\n\tb�");
}

static void
assert_short (const char *text, gsize max, const char *expected)
{
  g_autofree char *shown = seam_text_shorten (text, max);

  g_assert_cmpstr (shown, ==, expected);
}

static void
test_shorten (void)
{
  assert_short ("", 1, "");
  assert_short ("abc", 3, "abc");
  assert_short ("abcd", 3, "ab…");
  assert_short ("äöü", 3, "äöü");
  assert_short ("äöüß", 3, "äö…");
  assert_short ("ab", 1, "…");
  /* It ends within a character. */
  assert_short ("ab\xe2", 3, "ab\xe2");
  assert_short ("abc\xe2", 3, "ab…");
}

static void
test_show (void)
{
  g_autofree char *word = g_strnfill (200000, 'w');
  g_autofree char *shown = seam_text_show (word), *bytes = NULL;

  g_assert_cmpuint (g_utf8_strlen (shown, -1), ==, 2000);
  g_assert_true (g_str_has_suffix (shown, "w…"));
  memset (word, 0xe2, 200000);
  bytes = seam_text_show (word);
  g_assert_true (g_utf8_validate (bytes, -1, NULL));
  g_assert_cmpuint (g_utf8_strlen (bytes, -1), ==, 2000);
}

/* A cell that a spreadsheet would take for a formula is made harmless, and our own reader gives
 * back the original. */
static void
test_formulas (void)
{
  static const char *const texts[] = { "=1+1", "+1",  "-1",   "@SUM(A1)", "\tx",
                                       "\r=x", "'=x", "''-x", "'",        "'ab",
                                       "a=b",  "",    "''",   "'\"=\"",   "=\"a,b\"" };
  g_autoptr (GError) error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autoptr (GString) csv = g_string_new ("column,other\r\n");
    const gsize begin = csv->len;

    seam_csv_add_text (csv, texts[i]);
    char first = csv->str[begin + (csv->str[begin] == '"')];
    g_assert_true (first == '\0' || strchr ("=+-@\t\r", first) == NULL);
    seam_csv_add_number (csv, -1.5);
    seam_csv_end_row (csv);
    g_autoptr (SeamCsv) read = seam_csv_parse (csv->str, &error);
    g_assert_no_error (error);
    g_assert_cmpstr (seam_csv_get (read, 0, "column"), ==, texts[i]);
    /* Numbers stay numbers. */
    g_assert_true (g_str_has_suffix (csv->str, ",-1.5\r\n"));
    g_assert_cmpfloat (seam_csv_get_number (read, 0, "other"), ==, -1.5);
  }
}

/* `says` is a part of the sentence that refuses the name; NULL: the text is "code". */
static void
check_beside (const char *folder, const char *name, const char *says)
{
  g_autoptr (GError) error = NULL;
  g_autofree char *text = seam_file_read_beside (folder, name, 8, &error);

  g_assert_cmpstr (text, ==, says == NULL ? "code" : NULL);
  if (says == NULL)
    return;
  g_assert_error (error, SEAM_ERROR, SEAM_ERROR_FILE);
  if (strstr (error->message, says) == NULL)
    g_error ("“%s” does not say “%s”", error->message, says);
}

/* A name in somebody's file leads to nothing but a text in the same folder, and to no wait. */
static void
test_read_beside (void)
{
  static const struct {
    const char *name, *text, *says;
    gssize length;
  } files[] = {
    { "good", "code", NULL, 4 },
    { "large", "codecodec", "at most 8 B", 9 },
    { "nul", "co\0e", "UTF-8", 4 },
    { "latin", "caf\xe9", "UTF-8", 4 },
  };
  g_autofree char *folder = g_dir_make_tmp ("seamscope-base-XXXXXX", NULL);
  g_autofree char *pipe = g_build_filename (folder, "pipe", NULL);
  g_autofree char *link = g_build_filename (folder, "link", NULL);
  g_autofree char *base = g_path_get_basename (folder);
  g_autofree char *around = g_strdup_printf ("../%s/good", base);

  g_assert_cmpint (mkfifo (pipe, 0600), ==, 0);
  g_assert_cmpint (symlink ("good", link), ==, 0);
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
    g_assert_true (g_file_set_contents (path, files[i].text, files[i].length, NULL));
    check_beside (folder, files[i].name, files[i].says);
  }
  check_beside (folder, "pipe", "a pipe or a device");
  check_beside (folder, "link", "a link");
  check_beside (folder, "none", "no such file");
  check_beside ("/dev", "zero", "a pipe or a device");
  check_beside (folder, around, "without folders");
  check_beside (folder, "", "without folders");
  check_beside (folder, ".", "without folders");
  check_beside (folder, "..", "without folders");
  for (gsize i = 0; i < G_N_ELEMENTS (files); i++) {
    g_autofree char *path = g_build_filename (folder, files[i].name, NULL);
    g_remove (path);
  }
  g_remove (pipe);
  g_remove (link);
  g_assert_cmpint (g_rmdir (folder), ==, 0);
}

int
main (int argc, char **argv)
{
  g_test_init (&argc, &argv, NULL);
  g_test_add_func ("/foreign/file-names", test_file_names);
  g_test_add_func ("/foreign/file-names/fuzz", test_file_names_fuzz);
  g_test_add_func ("/foreign/place", test_place);
  g_test_add_func ("/foreign/printable", test_printable);
  g_test_add_func ("/foreign/shorten", test_shorten);
  g_test_add_func ("/foreign/show", test_show);
  g_test_add_func ("/foreign/formulas", test_formulas);
  g_test_add_func ("/foreign/read-beside", test_read_beside);
  return g_test_run ();
}
