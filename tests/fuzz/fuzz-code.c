/* SPDX-License-Identifier: MIT
 *
 * `seamscope-cli export --code FOLDER` of a session whose plans, groups and files have any names:
 * nothing is written outside FOLDER. An input has one entry a line:
 *
 *   plan NAME, code LANGUAGE TEXT, file NAME TEXT, include NAME
 *
 * "code" belongs to the plan before it, "include" to the code before it; a file is included by any.
 * A backslash and a letter or an octal number is the character that C means by it.
 */
#include "app/cli/code-files.h"
#include "app/session/session.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/session-image.h"

#include <glib/gstdio.h>
#include <stdlib.h>
#include <string.h>

/* The folder lies so deep that the names of an input, each of whose ".." has two dots, do not climb
 * out of the scratch folder. */
#define MAX_DOTS 24
#define DEPTH    (MAX_DOTS / 2 + 2)

/* Inputs of a search for one that goes through a session and the command, which take ten times as
 * long as the code alone. */
#define COMMAND_EVERY 64

static GBytes *base;
static char *path, *top, *folder;

int
LLVMFuzzerInitialize (int *argc, char ***argv)
{
  GString *deep = NULL;

  fuzz_init ();
  if (fuzz_is_search ())
    fuzz_session_init ();
  base = fuzz_session_make_base ("laptop-cpu-gemm-bias-relu.seamscope",
                                 "DELETE FROM survey; DELETE FROM point; DELETE FROM kernel;"
                                 "DELETE FROM difference; DELETE FROM slice;"
                                 "DELETE FROM member WHERE owner NOT IN ('run', 'device', 'plan');"
                                 "UPDATE plan SET n_kernels = -1;");
  path = fuzz_path ("a.seamscope");
  top = fuzz_path ("top");
  deep = g_string_new (top);
  for (int i = 0; i < DEPTH; i++)
    g_string_append (deep, "/d");
  folder = g_string_free (deep, FALSE);
  g_assert_cmpint (g_mkdir_with_parents (folder, 0777), ==, 0);
  return 0;
}

/* How many files and empty folders there are below `at`, without those in `except`. */
static guint
count_files (const char *at, const char *except)
{
  g_autoptr (GDir) dir = g_dir_open (at, 0, NULL);
  const char *name;
  guint n = 0, n_entries = 0;

  if (strcmp (at, except) == 0)
    return 0;
  if (dir == NULL)
    return 1;
  while ((name = g_dir_read_name (dir)) != NULL) {
    g_autofree char *inner = g_build_filename (at, name, NULL);
    n_entries++;
    n += count_files (inner, except);
  }
  return n_entries == 0 ? 1 : n;
}

/* A name that begins at the root would leave the scratch folder, so the root becomes that
 * folder. GLib warns of a backslash with nothing behind it, so that none is at the end. */
static char *
make_name (const char *text)
{
  gsize length = strlen (text);
  g_autofree char *whole = g_strndup (text, length);
  g_autofree char *name = NULL;

  while (length > 0 && whole[length - 1] == '\\')
    whole[--length] = '\0';
  name = g_strcompress (whole);
  g_autofree char *valid = g_utf8_make_valid (name, -1);

  return valid[0] == '/' ? g_strconcat (top, valid, NULL) : g_steal_pointer (&valid);
}

/* --- The variant of app/runner/runner-source.h, written here, as it has to hold any name --- */

typedef struct {
  GString *plans, *sources, *includes, *files;
} Code;

static char *
quote (const char *text)
{
  g_autoptr (GVariant) variant = g_variant_ref_sink (g_variant_new_string (text));

  return g_variant_print (variant, FALSE);
}

static void
end_source (Code *code)
{
  if (code->sources->len > 0)
    g_string_append_printf (code->sources, "@as [%s]>}", code->includes->str);
  g_string_truncate (code->includes, 0);
}

static void
end_plan (Code *code)
{
  end_source (code);
  if (code->plans->len > 0)
    g_string_append_printf (code->plans, "@aa{sv} [%s]>}]>}", code->sources->str);
  g_string_truncate (code->sources, 0);
}

static void
add_line (Code *code, const char *line)
{
  g_auto (GStrv) words = g_strsplit (line, " ", 3);
  guint n = g_strv_length (words);
  g_autofree char *name = n >= 2 ? make_name (words[1]) : NULL;
  g_autofree char *quoted = n >= 2 ? quote (name) : NULL;
  g_autofree char *text = n == 3 ? make_name (words[2]) : g_strdup ("text");
  g_autofree char *quoted_text = quote (text);

  if (n < 2)
    return;
  if (strcmp (words[0], "plan") == 0) {
    end_plan (code);
    g_string_append_printf (
        code->plans,
        "%s{'notation': <'a|b'>, 'name': <%s>, 'groups': <[{'executed': <'cpu'>, 'sources': <",
        code->plans->len > 0 ? ", " : "", quoted);
  } else if (strcmp (words[0], "code") == 0 && code->plans->len > 0) {
    end_source (code);
    g_string_append_printf (
        code->sources, "%s{'title': <'a title'>, 'language': <%s>, 'text': <%s>, 'includes': <",
        code->sources->len > 0 ? ", " : "", quoted, quoted_text);
  } else if (strcmp (words[0], "include") == 0) {
    g_string_append_printf (code->includes, "%s%s", code->includes->len > 0 ? ", " : "", quoted);
  } else if (strcmp (words[0], "file") == 0) {
    g_string_append_printf (code->files, "%s{'name': <%s>, 'text': <%s>}",
                            code->files->len > 0 ? ", " : "", quoted, quoted_text);
  }
}

/* The text of the variant. */
static char *
make_code (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  Code code = { g_string_new (NULL), g_string_new (NULL), g_string_new (NULL),
                g_string_new (NULL) };
  char *variant;

  for (int i = 0; lines[i] != NULL; i++)
    add_line (&code, lines[i]);
  end_plan (&code);
  variant = g_strdup_printf ("{'plans': <@aa{sv} [%s]>, 'files': <@aa{sv} [%s]>}", code.plans->str,
                             code.files->str);
  g_string_free (code.plans, TRUE);
  g_string_free (code.sources, TRUE);
  g_string_free (code.includes, TRUE);
  g_string_free (code.files, TRUE);
  return variant;
}

/* What the command does with the code once it has read the session. */
static void
write_code (const char *variant_text)
{
  g_autoptr (GVariant) variant = g_variant_parse (NULL, variant_text, NULL, NULL, NULL);
  g_autoptr (GError) error = NULL;
  g_autoptr (SeamCode) code = NULL;
  FILE *real_stderr = stderr;
  char *messages = NULL;
  size_t size;

  if (variant == NULL)
    return;
  code = seam_code_from_variant (variant, &error);
  fuzz_check (code != NULL, error);
  if (code == NULL)
    return;
  stderr = open_memstream (&messages, &size);
  fuzz_check (seam_code_write (code, -1, folder, stderr, &error), error);
  fclose (stderr);
  stderr = real_stderr;
  fuzz_take_text (g_strndup (messages, size));
  free (messages);
}

static void
run_command (const char *variant)
{
  g_autofree char *change = g_strconcat ("member run 1 code ", variant, NULL);
  g_autoptr (GBytes) bytes = fuzz_session_change (base, change, TRUE);

  g_file_set_contents (path, g_bytes_get_data (bytes, NULL), (gssize)g_bytes_get_size (bytes),
                       NULL);
  fuzz_run_command (&seam_command_export, (const char *const[]){ path, "--code", folder, NULL });
}

int
LLVMFuzzerTestOneInput (const uint8_t *data, size_t size)
{
  g_autofree char *text = fuzz_text (data, size);
  g_autofree char *variant = make_code (text);
  int n_dots = 0;

  for (const char *p = text; *p != '\0'; p++)
    n_dots += *p == '.' || *p == '\\';
  if (n_dots > MAX_DOTS)
    return -1;
  if (!fuzz_is_search () || g_str_hash (text) % COMMAND_EVERY == 0)
    run_command (variant);
  else
    write_code (variant);
  if (count_files (top, folder) > 0)
    g_error ("export --code wrote outside the chosen folder");
  fuzz_remove (folder);
  g_assert_cmpint (g_mkdir (folder, 0777), ==, 0);
  return 0;
}
