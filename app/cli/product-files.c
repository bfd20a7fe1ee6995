/* SPDX-License-Identifier: MIT
 *
 * Options, checks and files of products (app/report/products.h). Errors are found before a long run
 * if possible.
 */
#include "app/cli/product-files.h"

#include "app/base/error.h"
#include "app/base/file.h"
#include "app/cli/print.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define HELP_WIDTH 76 /* characters of a line */

typedef struct {
  const SeamProduct *product;
  char *path; /* NULL: standard output */
  gboolean as_json;
} File;

struct SeamProductFiles {
  GArray *list; /* of File */
};

static void
clear_file (File *file)
{
  g_free (file->path);
}

void
seam_product_files_free (SeamProductFiles *files)
{
  if (files == NULL)
    return;
  g_clear_pointer (&files->list, g_array_unref);
  g_free (files);
}

/* ---- Help ---- */

static gboolean
is_figure (const SeamProduct *product, guint of)
{
  return product->kind == SEAM_PRODUCT_FIGURE && (product->of & of) != 0;
}

char *
seam_cli_list_figures (guint of, const char *before, const char *last)
{
  GString *text = g_string_new (NULL);
  guint n = 0, i = 0;

  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    n += is_figure (product, of);
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++)
    if (is_figure (product, of)) {
      g_string_append_printf (text, "%s%s%s=FILE",
                              i == 0      ? ""
                              : i + 1 < n ? ", "
                                          : last,
                              before, product->name);
      i++;
    }
  return g_string_free (text, FALSE);
}

static char *
wrap (const char *text)
{
  g_auto (GStrv) words = g_strsplit (text, " ", -1);
  GString *lines = g_string_new (NULL);
  glong used = 0;

  for (int i = 0; words[i] != NULL; i++) {
    glong length = g_utf8_strlen (words[i], -1);
    gboolean fits = used + 1 + length <= HELP_WIDTH;

    if (i > 0)
      g_string_append_c (lines, fits ? ' ' : '\n');
    g_string_append (lines, words[i]);
    used = i > 0 && fits ? used + 1 + length : length;
  }
  return g_string_free (lines, FALSE);
}

static SeamOption
make_figure_option (const SeamProduct *product, guint of)
{
  gboolean is_only = seam_product_is_only (product, of);
  g_autofree char *figures = seam_cli_list_figures (of, "", " or ");
  g_autofree char *help =
      is_only ? g_strdup_printf ("%s as PNG, SVG or PDF by its ending", product->words)
              : g_strdup_printf ("write %s as PNG, SVG or PDF by its ending: the plan compared "
                                 "against, and the first other one",
                                 figures);
  g_autofree char *lines = wrap (help);

  return (SeamOption){ "figure", is_only ? "FILE" : "KIND=FILE", g_intern_string (lines),
                       !is_only };
}

/* "json" beside "csv", "json-survey" beside "csv-survey"; NULL: the product has no rows. */
static const char *
get_json_option (const SeamProduct *product, const char *option)
{
  g_autofree char *json = g_strconcat ("json", option + strlen ("csv"), NULL);

  return product->make_rows != NULL ? g_intern_string (json) : NULL;
}

void
seam_product_files_add_options (GArray *options, guint of)
{
  for (const SeamProduct *product = seam_products_list (); product->name != NULL; product++) {
    const char *name = seam_product_get_option (product, of);
    SeamOption option = { name, "FILE", product->words };

    if (name == NULL || product != seam_products_find_option (name, of))
      continue;
    if (product->kind == SEAM_PRODUCT_FIGURE)
      option = make_figure_option (product, of);
    g_array_append_val (options, option);
    option =
        (SeamOption){ get_json_option (product, name), "FILE", "write the same as JSON (or “-”)" };
    if (option.name != NULL)
      g_array_append_val (options, option);
  }
}

/* ---- Checks ---- */

gboolean
seam_cli_check_path (const char *path, GError **error)
{
  g_autofree char *folder = g_path_get_dirname (path);
  struct stat st;

  if (g_stat (path, &st) == 0 && S_ISDIR (st.st_mode))
    return seam_fail (error, SEAM_ERROR_FILE, "%s is a folder; give the name of a file.", path);
  /* An existing device or pipe is written to, not replaced. */
  if (g_stat (path, &st) == 0 && !S_ISREG (st.st_mode))
    return TRUE;
  if (g_stat (folder, &st) != 0 || !S_ISDIR (st.st_mode))
    return seam_fail (error, SEAM_ERROR_FILE, "%s cannot be written: there is no folder %s.", path,
                      folder);
  if (g_access (folder, W_OK) != 0)
    return seam_fail (error, SEAM_ERROR_FILE,
                      "%s cannot be written: the folder %s is not writable (%s).", path, folder,
                      g_strerror (errno));
  return TRUE;
}

static gboolean
check_ending (const SeamProduct *product, const char *path, GError **error)
{
  const char *const *endings = seam_product_get_endings (product);
  g_autofree char *lower = g_ascii_strdown (path, -1);

  for (int i = 0; endings[i] != NULL; i++)
    if (strlen (path) > strlen (endings[i]) && g_str_has_suffix (lower, endings[i]))
      return TRUE;
  return seam_fail (error, SEAM_ERROR_INPUT,
                    "--figure: “%s” has to end in .png, .svg or .pdf, which decides the format.",
                    path);
}

/* Reads NAME=FILE, or FILE if there is only one figure. */
static const SeamProduct *
parse_figure (const char *value, guint of, const char **path, GError **error)
{
  const SeamProduct *first = seam_products_find_option ("figure", of);
  const char *equals = strchr (value, '=');
  g_autofree char *name = equals != NULL ? g_strndup (value, equals - value) : NULL;
  const SeamProduct *product = name != NULL ? seam_products_find (name) : NULL;

  *path = value;
  if (product == NULL && seam_product_is_only (first, of))
    return first;
  if (product != NULL && is_figure (product, of) && equals[1] != '\0') {
    *path = equals + 1;
    return product;
  }
  g_autofree char *figures = seam_cli_list_figures (of, "", " or ");
  return seam_fail_null (error, SEAM_ERROR_INPUT, "--figure takes %s, not “%s”.", figures, value);
}

static gboolean
add_file (SeamProductFiles *files, const SeamProduct *product, const char *option, const char *path,
          GError **error)
{
  gboolean to_stdout = strcmp (path, "-") == 0;
  File file = { product, NULL, g_str_has_prefix (option, "json") };

  if (product->kind == SEAM_PRODUCT_FIGURE && !check_ending (product, path, error))
    return FALSE;
  if (*path == '\0')
    return seam_fail (error, SEAM_ERROR_INPUT, "--%s needs the name of a file.", option);
  if (to_stdout && seam_product_files_use_stdout (files))
    return seam_fail (error, SEAM_ERROR_INPUT,
                      "Only one output can go to standard output (“-”); give --%s a file.", option);
  if (!to_stdout && !seam_cli_check_path (path, error))
    return FALSE;
  file.path = to_stdout ? NULL : g_strdup (path);
  g_array_append_val (files->list, file);
  return TRUE;
}

SeamProductFiles *
seam_product_files_new (const SeamArguments *arguments, guint of, GError **error)
{
  g_autoptr (SeamProductFiles) files = g_new0 (SeamProductFiles, 1);

  files->list = g_array_new (FALSE, FALSE, sizeof (File));
  g_array_set_clear_func (files->list, (GDestroyNotify)clear_file);
  for (const SeamProduct *first = seam_products_list (); first->name != NULL; first++) {
    const char *option = seam_product_get_option (first, of);
    const char *json = option != NULL ? get_json_option (first, option) : NULL;

    if (option == NULL || first != seam_products_find_option (option, of))
      continue;
    if (json != NULL && seam_arguments_has (arguments, json)
        && !add_file (files, first, json, seam_arguments_get (arguments, json), error))
      return NULL;
    g_autofree const char **values = seam_arguments_get_all (arguments, option);
    for (int i = 0; values[i] != NULL; i++) {
      const char *path = values[i];
      const SeamProduct *product =
          first->kind == SEAM_PRODUCT_FIGURE ? parse_figure (values[i], of, &path, error) : first;

      if (product == NULL || !add_file (files, product, option, path, error))
        return NULL;
    }
  }
  return g_steal_pointer (&files);
}

guint
seam_product_files_get_n (const SeamProductFiles *files)
{
  return files->list->len;
}

const SeamProduct *
seam_product_files_get_product (const SeamProductFiles *files, guint i)
{
  return g_array_index (files->list, File, i).product;
}

gboolean
seam_product_files_is_json (const SeamProductFiles *files, guint i)
{
  return g_array_index (files->list, File, i).as_json;
}

const char *
seam_product_files_get_path (const SeamProductFiles *files, guint i)
{
  return g_array_index (files->list, File, i).path;
}

gboolean
seam_product_files_use_stdout (const SeamProductFiles *files)
{
  for (guint i = 0; i < files->list->len; i++)
    if (seam_product_files_get_path (files, i) == NULL)
      return TRUE;
  return FALSE;
}

/* ---- Writing ---- */

gboolean
seam_product_files_write_at (const SeamProductFiles *files, guint i,
                             const SeamProductSource *source, GError **error)
{
  const File *file = &g_array_index (files->list, File, i);
  gboolean as_rows = file->as_json && file->product->make_rows != NULL;

  if (file->path != NULL && !as_rows)
    return seam_product_write (file->product, source, file->path, error);
  g_autofree char *text = as_rows ? file->product->make_rows (source, SEAM_ROWS_JSON)
                                  : seam_product_make_text (file->product, source, error);
  if (text == NULL || file->path != NULL)
    return text != NULL && seam_file_write (file->path, text, strlen (text), error);
  /* A full disk is noticed at the end of the program. */
  seam_cli_print_data (text);
  return TRUE;
}

gboolean
seam_product_files_write (const SeamProductFiles *files, const SeamProductSource *source,
                          GError **error)
{
  for (guint i = 0; i < files->list->len; i++)
    if (!seam_product_files_write_at (files, i, source, error))
      return FALSE;
  return TRUE;
}
