/* SPDX-License-Identifier: MIT
 *
 * Readers for the output of compilers and disassemblers. Each goes through the lines once, keeps
 * those that a person reads, and remembers the origin of the next instruction: a chain of places,
 * first that in the innermost function, then the place where that was inlined, and so on.
 */
#include "app/backend/diagnostic.h"
#include "app/backend/listing.h"

#include <string.h>

#define MAX_CHAIN 16 /* depth of inlined functions; further ones are cut off */

typedef struct {
  guint file, line;
} Place;

typedef struct {
  SeamListing *listing;
  GString *text;
  guint n_lines;
  gboolean was_blank; /* so that blank lines do not follow each other */
  Place chain[MAX_CHAIN];
  guint n_chain;
} Reader;

static void
reader_init (Reader *reader, SeamListing *listing)
{
  *reader = (Reader){ .listing = listing, .text = g_string_new (NULL), .was_blank = TRUE };
}

static void
reader_end (Reader *reader)
{
  if (reader->was_blank && reader->text->len > 0)
    g_string_truncate (reader->text, reader->text->len - 1);
  g_autofree char *text = g_string_free (reader->text, FALSE);
  g_free (reader->listing->text);
  reader->listing->text = g_utf8_make_valid (text, -1);
}

static void
add_line (Reader *reader, const char *line, gboolean is_instruction)
{
  gboolean is_blank = *line == '\0';

  if (is_blank && reader->was_blank)
    return;
  reader->was_blank = is_blank;
  for (guint i = 0; is_instruction && i < reader->n_chain; i++) {
    const SeamListingPlace place = { reader->n_lines, reader->chain[i].file,
                                     reader->chain[i].line };
    g_array_append_val (reader->listing->places, place);
  }
  g_string_append_printf (reader->text, "%s\n", line);
  reader->n_lines++;
}

/* Adds a place; compilers write line 0 if they know none. */
static void
add_place (Reader *reader, guint file, guint line)
{
  for (guint i = 0; i < reader->n_chain; i++)
    if (reader->chain[i].file == file && reader->chain[i].line == line)
      return;
  if (line > 0 && reader->n_chain < MAX_CHAIN)
    reader->chain[reader->n_chain++] = (Place){ file, line };
}

/* Finds the file of a path. Compilers give whole paths: the group's own text becomes "", an
 * included file gets the name in its #include. Names are UTF-8, like every text for the window. */
static guint
find_file (SeamListing *listing, const char *bytes)
{
  g_autofree char *path = g_utf8_make_valid (bytes, -1);
  g_autofree char *base = g_path_get_basename (path);
  const char *name = g_strrstr (path, "kernels/");

  if (strcmp (base, SEAM_DIAGNOSTIC_C_FILE) == 0 || strcmp (base, SEAM_DIAGNOSTIC_CUDA_FILE) == 0)
    return 0;
  if (name == NULL || (name > path && name[-1] != '/'))
    name = path;
  for (guint i = 1; i < listing->files->len; i++)
    if (strcmp (listing->files->pdata[i], name) == 0)
      return i;
  g_ptr_array_add (listing->files, g_strdup (name));
  return listing->files->len - 1;
}

/* Goes past `word` if the text begins with it. */
static gboolean
skip (const char **text, const char *word)
{
  gsize n = strlen (word);
  gboolean found = strncmp (*text, word, n) == 0;

  *text += found ? n : 0;
  return found;
}

/* Takes a number after blanks; FALSE, with `*text` unchanged, if there is none. */
static gboolean
take_number (const char **text, guint *number)
{
  const char *p = *text + strspn (*text, " \t,");
  char *end = NULL;

  if (!g_ascii_isdigit (*p))
    return FALSE;
  guint64 value = g_ascii_strtoull (p, &end, 10);
  if (value > G_MAXINT)
    return FALSE;
  *number = (guint)value;
  *text = end;
  return TRUE;
}

/* Takes a text in quotation marks after blanks; newly allocated, or NULL. */
static char *
take_quoted (const char **text)
{
  const char *p = *text + strspn (*text, " \t,");
  const char *end = *p == '"' ? strchr (p + 1, '"') : NULL;

  if (end == NULL)
    return NULL;
  char *found = g_strndup (p + 1, (gsize)(end - p) - 1);
  *text = end + 1;
  return found;
}

/* --- .file and .loc --- */

/* Maps numbers to index of the listing's files + 1. PTX names its files at the end. */
static GHashTable *
read_files (SeamListing *listing, char *const *lines)
{
  GHashTable *files = g_hash_table_new (g_direct_hash, g_direct_equal);

  for (int i = 0; lines[i] != NULL; i++) {
    const char *p = lines[i] + strspn (lines[i], " \t");
    g_autofree char *first = NULL, *second = NULL, *path = NULL;
    guint number;

    if (!skip (&p, ".file") || !take_number (&p, &number))
      continue;
    first = take_quoted (&p);
    second = first != NULL ? take_quoted (&p) : NULL;
    if (first == NULL)
      continue;
    path = second != NULL ? g_build_filename (first, second, NULL) : g_strdup (first);
    g_hash_table_insert (files, GUINT_TO_POINTER (number),
                         GUINT_TO_POINTER (find_file (listing, path) + 1));
  }
  return files;
}

/* The call of an inlined function, from its .loc. A chain continues with the call's own place,
 * whose .loc precedes it. */
typedef struct {
  guint file, line, column;
} Call;

static gint64
make_key (guint file, guint line, guint column)
{
  return ((gint64)file << 44) ^ ((gint64)line << 16) ^ column;
}

static void
read_loc (Reader *reader, GHashTable *files, GHashTable *calls, const char *p)
{
  Call at = { 0 }, call = { 0 };
  const char *inlined = strstr (p, "inlined_at");

  if (!take_number (&p, &at.file) || !take_number (&p, &at.line))
    return;
  if (!take_number (&p, &at.column))
    at.column = 0;
  gint64 key = make_key (at.file, at.line, at.column);
  if (inlined != NULL && skip (&inlined, "inlined_at") && take_number (&inlined, &call.file)
      && take_number (&inlined, &call.line)) {
    take_number (&inlined, &call.column);
    g_hash_table_replace (calls, g_memdup2 (&key, sizeof key), g_memdup2 (&call, sizeof call));
  } else {
    g_hash_table_remove (calls, &key);
  }
  reader->n_chain = 0;
  for (int depth = 0; depth < MAX_CHAIN; depth++) {
    guint file = GPOINTER_TO_UINT (g_hash_table_lookup (files, GUINT_TO_POINTER (at.file)));

    if (file > 0)
      add_place (reader, file - 1, at.line);
    key = make_key (at.file, at.line, at.column);
    const Call *next = g_hash_table_lookup (calls, &key);
    if (next == NULL)
      break;
    at = *next;
  }
}

/* Whether a line is a directive or label that serves only debuggers. */
static gboolean
is_noise (const char *p)
{
  static const char *const words[] = { ".file",   ".cfi_",          ".LVL",        ".LFB",
                                       ".LFE",    ".LBB",           ".LBE",        ".Ltext",
                                       ".Letext", ".Ltmp",          ".Lfunc",      ".LBI",
                                       "$L__tmp", "$L__func_begin", "$L__func_end" };

  for (gsize i = 0; i < G_N_ELEMENTS (words); i++)
    if (g_str_has_prefix (p, words[i]))
      return TRUE;
  return FALSE;
}

void
seam_listing_read_loc (SeamListing *listing, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  g_autoptr (GHashTable) files = read_files (listing, lines);
  g_autoptr (GHashTable) calls =
      g_hash_table_new_full (g_int64_hash, g_int64_equal, g_free, g_free);
  Reader reader;

  reader_init (&reader, listing);
  for (int i = 0; lines[i] != NULL; i++) {
    const char *p = lines[i] + strspn (lines[i], " \t");
    gboolean is_section = g_str_has_prefix (p, ".section");

    g_strchomp (lines[i]);
    if (is_section && strstr (p, ".debug") != NULL)
      break; /* the rest is for debuggers */
    if (g_str_has_prefix (p, ".loc") && (p[4] == ' ' || p[4] == '\t')) {
      read_loc (&reader, files, calls, p + 4);
      continue;
    }
    if (is_noise (p))
      continue;
    /* A function begins, so the last place no longer applies. */
    if (strstr (p, ".entry ") != NULL || strstr (p, ".func ") != NULL
        || g_str_has_prefix (p, ".type"))
      reader.n_chain = 0;
    add_line (&reader, lines[i],
              p > lines[i] && *p != '.' && *p != '/' && *p != '#' && *p != '\0'
                  && !g_str_has_suffix (p, ":"));
  }
  reader_end (&reader);
}

/* --- SASS --- */

/* `//## File "a.h", line 4 inlined at "b.cu", line 14`: the next line has the place of the call. */
static gboolean
read_sass_place (Reader *reader, const char *p, gboolean *is_chain)
{
  guint line;

  if (!skip (&p, "//## File"))
    return FALSE;
  if (!*is_chain)
    reader->n_chain = 0;
  *is_chain = TRUE;
  g_autofree char *path = take_quoted (&p);
  if (path == NULL || !skip (&p, ", line") || !take_number (&p, &line))
    return TRUE;
  add_place (reader, find_file (reader->listing, path), line);
  p += strspn (p, " ");
  if (!skip (&p, "inlined at"))
    return TRUE;
  g_free (path);
  path = take_quoted (&p);
  if (path != NULL && skip (&p, ", line") && take_number (&p, &line))
    add_place (reader, find_file (reader->listing, path), line);
  return TRUE;
}

/* Writes address, predicate and instruction in narrow columns, without the encoding that cuobjdump
 * appends. */
static void
add_sass (Reader *reader, char *line)
{
  char *encoding = strstr (line, "/* 0x"), *end;
  g_autofree char *shown = NULL;

  if (encoding != NULL)
    *encoding = '\0';
  end = strstr (line, "*/");
  if (end == NULL)
    return; /* only the second half of an encoding */
  const char *p = end + 2 + strspn (end + 2, " \t");
  g_strchomp (line);
  end[2] = '\0';
  if (*p == '@') {
    gsize n = strcspn (p, " ");
    shown = g_strdup_printf ("  %s %-6.*s %s", line, (int)n, p, p + n + strspn (p + n, " "));
  } else {
    shown = g_strdup_printf ("  %s %-6s %s", line, "", p);
  }
  add_line (reader, shown, TRUE);
}

void
seam_listing_read_sass (SeamListing *listing, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean is_chain = FALSE;
  Reader reader;

  reader_init (&reader, listing);
  for (int i = 0; lines[i] != NULL; i++) {
    char *p = lines[i] + strspn (lines[i], " \t");

    g_strchomp (lines[i]);
    if (read_sass_place (&reader, p, &is_chain))
      continue;
    is_chain = FALSE;
    if (g_str_has_prefix (p, "/*")) {
      add_sass (&reader, p);
    } else if (g_str_has_suffix (p, ":") || g_str_has_prefix (p, "//---")
               || g_str_has_prefix (p, "Function :") || *p == '\0') {
      if (g_str_has_prefix (p, "//---"))
        reader.n_chain = 0;
      add_line (&reader, p, FALSE);
    }
    /* The rest are directives of the section: its symbols and sizes. */
  }
  reader_end (&reader);
}

/* --- objdump --- */

/* Takes "/tmp/x/kernels/ops.h:56 (discriminator 1)" if nothing precedes it. */
static gboolean
take_objdump_place (Reader *reader, const char *p)
{
  const char *end = g_strrstr (p, ":");
  guint line;

  if (end == NULL || !g_ascii_isdigit (end[1]))
    return FALSE;
  g_autofree char *path = g_strndup (p, (gsize)(end - p));
  end++;
  if (!take_number (&end, &line))
    return FALSE;
  add_place (reader, find_file (reader->listing, path), line);
  return TRUE;
}

/* objdump prints the innermost place only if it changes, its callers always. */
static gboolean
read_objdump_place (Reader *reader, const char *line, gboolean *is_chain)
{
  const char *p = line;

  if (skip (&p, "inlined by ")) {
    if (!*is_chain)
      reader->n_chain = MIN (reader->n_chain, 1);
    *is_chain = TRUE;
    take_objdump_place (reader, p);
    return TRUE;
  }
  if (!g_ascii_isspace (*line) && strchr (line, '/') != NULL && strstr (line, ": ") == NULL
      && *line != '<') {
    reader->n_chain = 0;
    *is_chain = TRUE;
    return take_objdump_place (reader, p);
  }
  return FALSE;
}

void
seam_listing_read_objdump (SeamListing *listing, const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean is_chain = FALSE;
  Reader reader;

  reader_init (&reader, listing);
  for (int i = 0; lines[i] != NULL; i++) {
    const char *line = g_strchomp (lines[i]);

    if (read_objdump_place (&reader, line, &is_chain))
      continue;
    if (g_ascii_isspace (*line)) {
      is_chain = FALSE;
      add_line (&reader, line, TRUE);
    } else if (*line == '<') {
      reader.n_chain = 0;
      add_line (&reader, "", FALSE);
      add_line (&reader, line, FALSE);
    }
    /* The rest is the file's format, the section, or the name of the function at this place. */
  }
  reader_end (&reader);
}
