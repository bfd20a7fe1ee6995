/* SPDX-License-Identifier: MIT
 *
 * The listing as data: its places, its variant, and its use of registers. listing-read.c reads the
 * output of the tools.
 */
#include "app/backend/listing.h"

#include "app/base/text.h"
#include "app/record/record.h"

#include <string.h>

static const SeamChoice kinds[] = {
  [SEAM_LISTING_PTX] = { "ptx" },
  [SEAM_LISTING_SASS] = { "sass" },
  [SEAM_LISTING_NATIVE] = { "native" },
  { NULL },
};

const char *
seam_listing_kind_get_name (SeamListingKind kind)
{
  return kinds[kind].name;
}

gboolean
seam_listing_kind_parse (const char *text, SeamListingKind *kind, GError **error)
{
  int found = seam_choice_find (kinds, text);

  if (found >= 0) {
    *kind = (SeamListingKind)found;
    return TRUE;
  }
  return seam_fail (
      error, SEAM_ERROR_INPUT,
      "“%s” is no kind of machine code; there are ptx and sass (GPU) and native (CPU).",
      text != NULL ? text : "");
}

SeamListing *
seam_listing_new (SeamListingKind kind, char *title)
{
  SeamListing *listing = g_new0 (SeamListing, 1);

  listing->kind = kind;
  listing->title = title;
  listing->text = g_strdup ("");
  listing->files = g_ptr_array_new_with_free_func (g_free);
  listing->places = g_array_new (FALSE, FALSE, sizeof (SeamListingPlace));
  g_ptr_array_add (listing->files, g_strdup (""));
  return listing;
}

void
seam_listing_free (SeamListing *listing)
{
  if (listing == NULL)
    return;
  g_free (listing->title);
  g_free (listing->text);
  g_free (listing->note);
  g_ptr_array_unref (listing->files);
  g_array_unref (listing->places);
  g_free (listing);
}

/* --- Places --- */

const SeamListingPlace *
seam_listing_get_places (const SeamListing *listing, guint line, guint *n)
{
  const SeamListingPlace *places = (const SeamListingPlace *)(void *)listing->places->data;
  guint low = 0, high = listing->places->len;

  while (low < high) {
    guint middle = low + (high - low) / 2;
    if (places[middle].line < line)
      low = middle + 1;
    else
      high = middle;
  }
  for (high = low; high < listing->places->len && places[high].line == line;)
    high++;
  *n = high - low;
  return *n > 0 ? places + low : NULL;
}

GArray *
seam_listing_find_lines (const SeamListing *listing, const char *file, guint source_line)
{
  GArray *lines = g_array_new (FALSE, FALSE, sizeof (guint));

  for (guint i = 0; i < listing->places->len; i++) {
    const SeamListingPlace *place = &g_array_index (listing->places, SeamListingPlace, i);

    if (place->source_line != source_line || strcmp (listing->files->pdata[place->file], file) != 0
        || (lines->len > 0 && g_array_index (lines, guint, lines->len - 1) == place->line))
      continue;
    g_array_append_val (lines, place->line);
  }
  return lines;
}

/* The innermost line of the group's own text that a listing's line comes from; 0: none. */
static guint
get_own_line (const SeamListing *listing, guint line)
{
  guint n = 0;
  const SeamListingPlace *places = seam_listing_get_places (listing, line, &n);

  for (guint i = 0; i < n; i++)
    if (places[i].file == 0)
      return places[i].source_line;
  return 0;
}

char *
seam_listing_annotate (const SeamListing *listing, const char *source)
{
  g_auto (GStrv) lines = g_strsplit (listing->text, "\n", -1);
  g_auto (GStrv) own = g_strsplit (source, "\n", -1);
  const char *mark = listing->kind == SEAM_LISTING_NATIVE ? "#" : "//";
  GString *text = g_string_new (NULL);
  guint n_own = g_strv_length (own), last = 0;

  for (guint i = 0; lines[i] != NULL; i++) {
    guint line = get_own_line (listing, i);

    if (line != 0 && line != last && line <= n_own)
      g_string_append_printf (text, "%s %u: %s\n", mark, line, g_strstrip (own[line - 1]));
    last = line != 0 ? line : last;
    if (lines[i + 1] != NULL || *lines[i] != '\0')
      g_string_append_printf (text, "%s\n", lines[i]);
  }
  return g_string_free (text, FALSE);
}

/* --- Registers --- */

/* The number before `word` in the line; -1 if there is none. */
static int
find_count (const char *line, const char *word)
{
  const char *at = strstr (line, word), *digits = at;

  while (at != NULL && digits > line && g_ascii_isdigit (digits[-1]))
    digits--;
  return digits != at ? (int)g_ascii_strtoll (digits, NULL, 10) : -1;
}

typedef struct {
  char *name;
  int stores, loads, stack;
} PtxasKernel;

static void
append_ptxas (GString *text, const PtxasKernel *kernel, const char *used)
{
  int registers = find_count (used, " registers"), shared = find_count (used, " bytes smem");

  g_string_append_printf (text, "%s%s: %d registers a thread, ", text->len > 0 ? "\n" : "",
                          kernel->name, registers);
  if (kernel->stores > 0 || kernel->loads > 0)
    g_string_append_printf (text, "spills of %d bytes stored and %d loaded", kernel->stores,
                            kernel->loads);
  else
    g_string_append (text, "no spills");
  if (kernel->stack > 0)
    g_string_append_printf (text, ", a stack of %d bytes", kernel->stack);
  if (shared > 0)
    g_string_append_printf (text, ", %d bytes of static shared memory", shared);
  g_string_append_c (text, '.');
}

char *
seam_listing_describe_ptxas (const char *log)
{
  g_autofree char *valid = g_utf8_make_valid (log != NULL ? log : "", -1);
  g_auto (GStrv) lines = g_strsplit (valid, "\n", -1);
  GString *text = g_string_new (NULL);
  PtxasKernel kernel = { 0 };

  for (int i = 0; lines[i] != NULL; i++) {
    const char *entry = strstr (lines[i], "Compiling entry function '");

    if (entry != NULL) {
      g_auto (GStrv) parts = g_strsplit (entry, "'", 3);
      g_free (kernel.name);
      kernel = (PtxasKernel){ .name = g_strdup (parts[1]) };
    } else if (strstr (lines[i], " bytes spill stores") != NULL) {
      kernel.stack = find_count (lines[i], " bytes stack frame");
      kernel.stores = find_count (lines[i], " bytes spill stores");
      kernel.loads = find_count (lines[i], " bytes spill loads");
    } else if (kernel.name != NULL && strstr (lines[i], ": Used ") != NULL) {
      append_ptxas (text, &kernel, lines[i]);
    } else if (strstr (lines[i], "Performance Loss") != NULL) {
      g_string_append_printf (text, "%s%s", text->len > 0 ? "\n" : "", lines[i]);
    }
  }
  g_free (kernel.name);
  if (text->len == 0)
    return g_string_free (text, TRUE);
  return g_string_free (text, FALSE);
}

/* The number of the vector register that begins at `at`, and its width in bits; -1: there is
 * none. */
static int
take_vector (const char *at, int *width)
{
  static const struct {
    const char *name;
    int width;
  } names[] = { { "%xmm", 128 }, { "%ymm", 256 }, { "%zmm", 512 } };

  for (gsize i = 0; i < G_N_ELEMENTS (names); i++)
    if (g_str_has_prefix (at, names[i].name) && g_ascii_isdigit (at[4])) {
      *width = names[i].width;
      return (int)g_ascii_strtoll (at + 4, NULL, 10);
    }
  /* AArch64: "v3.4s". */
  if (*at == 'v' && g_ascii_isdigit (at[1])) {
    char *end = NULL;
    int number = (int)g_ascii_strtoll (at + 1, &end, 10);
    *width = 128;
    return *end == '.' ? number : -1;
  }
  return -1;
}

char *
seam_listing_describe_native (const char *text)
{
  g_auto (GStrv) lines = g_strsplit (text, "\n", -1);
  gboolean seen[32] = { FALSE };
  int n = 0, widest = 0, n_spills = 0;

  for (int i = 0; lines[i] != NULL; i++) {
    gboolean has_vector = FALSE;

    for (const char *at = lines[i]; *at != '\0'; at++) {
      int width = 0, number;
      gboolean starts = at == lines[i] || !g_ascii_isalnum (at[-1]);

      number = starts ? take_vector (at, &width) : -1;
      if (number < 0 || number >= 32)
        continue;
      has_vector = TRUE;
      widest = MAX (widest, width);
      n += !seen[number];
      seen[number] = TRUE;
    }
    n_spills += has_vector && (strstr (lines[i], "(%rsp") != NULL || strstr (lines[i], "[sp"));
  }
  if (n == 0)
    return NULL;
  return g_strdup_printf (
      "Vectors of up to %d bits, %d registers of them in use, %s. Shared memory "
      "and occupancy are words of GPUs: here a core runs one thread of the loop.",
      widest, n, n_spills == 0 ? "none spilled to the stack" : "some spilled to the stack");
}

/* --- Variants --- */

static const SeamField fields[] = {
  { SEAM_FIELD (SeamListing, kind, CHOICE), .flags = SEAM_REQUIRED, .choices = kinds },
  { SEAM_FIELD (SeamListing, title, TEXT) },
  { SEAM_FIELD (SeamListing, text, TEXT), .flags = SEAM_REQUIRED | SEAM_LONG },
  { SEAM_FIELD (SeamListing, note, TEXT), .flags = SEAM_LONG },
  { NULL },
};

/* The listing without files and places. */
static const SeamRecordType listing_type = {
  .name = "listing",
  .size = sizeof (SeamListing),
  .fields = fields,
};

GVariant *
seam_listing_to_variant (const SeamListing *listing)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  seam_record_build (&listing_type, listing, TRUE, &builder);
  g_variant_builder_add (
      &builder, "{sv}", "files",
      g_variant_new_strv ((const char *const *)listing->files->pdata, (gssize)listing->files->len));
  /* Line, file, source line; line, file, … */
  seam_builder_array (&builder, "places", "u", sizeof (guint), listing->places->data,
                      3 * (gsize)listing->places->len);
  return g_variant_builder_end (&builder);
}

static gboolean
read_places (SeamListing *listing, const guint *numbers, gsize n)
{
  guint last = 0;

  for (gsize i = 0; i + 2 < n; i += 3) {
    SeamListingPlace place = { numbers[i], numbers[i + 1], numbers[i + 2] };

    if (place.line < last || place.file >= listing->files->len)
      return FALSE;
    last = place.line;
    g_array_append_val (listing->places, place);
  }
  return n % 3 == 0;
}

SeamListing *
seam_listing_from_variant (GVariant *variant, GError **error)
{
  g_autofree guint *numbers = NULL;
  g_auto (GStrv) files = NULL;
  g_autoptr (SeamListing) listing = seam_listing_new (SEAM_LISTING_PTX, NULL);
  SeamReader reader;
  gsize n = 0;

  seam_reader_init (&reader, variant, "listing");
  seam_record_read (&listing_type, &reader, NULL, listing);
  seam_reader_strings (&reader, "files", &files);
  numbers = seam_reader_array (&reader, "places", "u", sizeof *numbers, &n);
  for (int i = 1; files != NULL && files[0] != NULL && files[i] != NULL; i++)
    g_ptr_array_add (listing->files, g_strdup (files[i]));
  if (!read_places (listing, numbers, n))
    seam_reader_fail (&reader, "its places are in no order, or of files that it does not name");
  return seam_reader_finish (&reader, error) ? g_steal_pointer (&listing) : NULL;
}
