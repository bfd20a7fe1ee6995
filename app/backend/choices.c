/* SPDX-License-Identifier: MIT
 *
 * The choices of one device in memory, and in the cache file that all devices share.
 */
#include "app/backend/choices.h"

#include "app/base/npy.h"

/* The version of the file: raise it if older choices may be wrong, or mean something else. A file
 * of another version counts as empty. 2: keys have constants, and choices were compared. */
#define VERSION       2
#define VERSION_GROUP "choices"
#define VERSION_KEY   "version"

struct SeamChoices {
  char *title;         /* a group of the file */
  GHashTable *numbers; /* key -> choice + 1 */
  GHashTable *refused; /* set of "choice key" */
};

static char *
get_path (void)
{
  return g_build_filename (g_get_user_cache_dir (), "seamscope", "choices.ini", NULL);
}

static GKeyFile *
load_file (void)
{
  g_autofree char *path = get_path ();
  GKeyFile *file = g_key_file_new ();

  /* A missing or damaged file counts as empty, too. */
  if (g_key_file_load_from_file (file, path, G_KEY_FILE_NONE, NULL)
      && g_key_file_get_integer (file, VERSION_GROUP, VERSION_KEY, NULL) == VERSION)
    return file;
  g_key_file_unref (file);
  file = g_key_file_new ();
  g_key_file_set_integer (file, VERSION_GROUP, VERSION_KEY, VERSION);
  return file;
}

SeamChoices *
seam_choices_new (const char *title)
{
  SeamChoices *choices = g_new (SeamChoices, 1);

  /* The name of a group must not contain brackets. */
  choices->title = g_strdelimit (g_strdup (title), "[]\n", ' ');
  choices->numbers = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  choices->refused = g_hash_table_new_full (g_str_hash, g_str_equal, g_free, NULL);
  return choices;
}

void
seam_choices_free (SeamChoices *choices)
{
  if (choices == NULL)
    return;
  g_free (choices->title);
  g_hash_table_unref (choices->numbers);
  g_hash_table_unref (choices->refused);
  g_free (choices);
}

int
seam_choices_get (SeamChoices *choices, const char *key)
{
  int known = GPOINTER_TO_INT (g_hash_table_lookup (choices->numbers, key)) - 1;

  if (known < 0) {
    g_autoptr (GKeyFile) file = load_file ();
    g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
    g_autoptr (GError) error = NULL;

    known = g_key_file_get_integer (file, choices->title, name, &error);
    if (error != NULL || known < 0)
      return -1;
    g_hash_table_insert (choices->numbers, g_strdup (key), GINT_TO_POINTER (known + 1));
  }
  return known;
}

void
seam_choices_set (SeamChoices *choices, const char *key, int choice)
{
  g_autoptr (GKeyFile) file = load_file ();
  g_autofree char *path = get_path (), *folder = g_path_get_dirname (path), *text = NULL;
  g_autofree char *name = g_compute_checksum_for_string (G_CHECKSUM_SHA256, key, -1);
  gsize length = 0;

  g_hash_table_insert (choices->numbers, g_strdup (key), GINT_TO_POINTER (choice + 1));
  g_key_file_set_integer (file, choices->title, name, choice);
  g_key_file_set_comment (file, choices->title, name, key, NULL);
  text = g_key_file_to_data (file, &length, NULL);
  if (g_mkdir_with_parents (folder, 0755) == 0)
    seam_file_write (path, text, length, NULL);
}

void
seam_choices_refuse (SeamChoices *choices, const char *key, int choice)
{
  g_hash_table_add (choices->refused, g_strdup_printf ("%d %s", choice, key));
  g_hash_table_add (choices->refused, g_strdup_printf ("-1 %s", key));
}

gboolean
seam_choices_is_refused (SeamChoices *choices, const char *key, int choice)
{
  g_autofree char *name = g_strdup_printf ("%d %s", choice, key);

  return g_hash_table_contains (choices->refused, name);
}

void
seam_choices_append_ops (GString *key, const SeamChain *chain, int first, int last)
{
  for (int i = first; i <= last; i++) {
    const SeamOp *op = &chain->ops[i];

    g_string_append_printf (key, "%s%s(%d,%d", i > first ? " + " : "",
                            seam_op_type_get_name (op->type), MAX (op->inputs[1] - 1, -1),
                            op->params[0]);
    for (int j = 0; j < SEAM_MAX_OP_SCALARS; j++) {
      char text[G_ASCII_DTOSTR_BUF_SIZE];

      g_string_append_printf (key, ",%s", g_ascii_dtostr (text, sizeof text, op->scalars[j]));
    }
    if (op->defect != SEAM_DEFECT_NONE)
      g_string_append_printf (key, ",mistake %d %d", (int)op->defect, op->defect_parameter);
    g_string_append_c (key, ')');
  }
}
