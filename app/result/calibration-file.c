/* SPDX-License-Identifier: MIT
 *
 * The file that keeps the calibration of one device:
 * ~/.local/share/seamscope/calibrations/NAME.ini, a key file that a person can read. It is written
 * atomically. A file that makes no sense is refused with a sentence and never half believed.
 */
#include "app/result/calibration.h"

#include "app/base/npy.h"
#include "app/base/text.h"
#include "app/record/variant.h"

#include <errno.h>
#include <glib/gstdio.h>
#include <math.h>
#include <string.h>

#define VERSION    1
#define GROUP      "calibration"
#define RATES      "rates"
#define CURVE      "curve"
#define MAX_NAME   120
#define N_NUMBERS  6 /* of a rate */
#define MAX_LENGTH (1024 * 1024)

static const char *const texts[] = { "device",    "target",          "driver",
                                     "libraries", "program_version", "measured_at" };
static const char *const numbers[] = { "duration_s",       "buffer_bytes", "cache_bytes",
                                       "peak_bytes_per_s", "peak_fp32",    "peak_tf32" };
/* Of each rate, after its key: "fp32_reason". */
static const char *const rate_texts[] = { "reason", "raised_by", "raised_at" };
static const char *const rate_numbers[] = { "spread", "raised" };

char *
seam_calibration_get_path (const char *identity)
{
  GString *name = g_string_new (NULL);
  g_autofree char *file = NULL;

  for (const char *c = identity; *c != '\0' && name->len < MAX_NAME; c++) {
    if (g_ascii_isalnum (*c))
      g_string_append_c (name, g_ascii_tolower (*c));
    else if (name->len > 0 && name->str[name->len - 1] != '-')
      g_string_append_c (name, '-');
  }
  while (name->len > 0 && name->str[name->len - 1] == '-')
    g_string_truncate (name, name->len - 1);
  g_string_append (name, ".ini");
  file = g_string_free (name, FALSE);
  return g_build_filename (g_get_user_data_dir (), "seamscope", "calibrations", file, NULL);
}

/* --- Reading --- */

static gboolean
refuse (const char *path, const char *reason, GError **error)
{
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
               "The calibration in “%s” is not used: %s. Calibrate again, or delete the file.",
               path, reason);
  return FALSE;
}

/* What stands beside the numbers of a rate: members and keys have the same names. */
static void
read_beside (GKeyFile *file, const char *rate, GVariantBuilder *builder, GError **error)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rate_texts); i++) {
    g_autofree char *key = g_strconcat (rate, "_", rate_texts[i], NULL);
    g_autofree char *text = g_key_file_get_string (file, RATES, key, NULL);

    seam_builder_string (builder, key, text);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (rate_numbers) && *error == NULL; i++) {
    g_autofree char *key = g_strconcat (rate, "_", rate_numbers[i], NULL);

    if (g_key_file_has_key (file, RATES, key, NULL))
      seam_builder_double (builder, key, g_key_file_get_double (file, RATES, key, error));
  }
}

/* The members that seam_calibration_from_variant() reads; it is the judge of the numbers. */
static GVariant *
make_variant (GKeyFile *file, GError **error)
{
  GVariantBuilder builder;
  g_autoptr (GError) problem = NULL;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++) {
    g_autofree char *text = g_key_file_get_string (file, GROUP, texts[i], NULL);

    seam_builder_string (&builder, texts[i], text);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (numbers) && problem == NULL; i++)
    if (g_key_file_has_key (file, GROUP, numbers[i], NULL))
      seam_builder_double (&builder, numbers[i],
                           g_key_file_get_double (file, GROUP, numbers[i], &problem));
  for (int i = 0; i < SEAM_N_RATES && problem == NULL; i++) {
    const char *key = seam_rate_get_key (i);
    g_autofree double *values = NULL;
    gsize n = 0;

    read_beside (file, key, &builder, &problem);
    if (problem != NULL || !g_key_file_has_key (file, RATES, key, NULL))
      continue;
    values = g_key_file_get_double_list (file, RATES, key, &n, &problem);
    if (problem == NULL)
      seam_builder_array (&builder, key, "d", sizeof *values, values, n);
  }
  if (problem == NULL && g_key_file_has_key (file, CURVE, "points", NULL)) {
    gsize n = 0;
    g_autofree double *values = g_key_file_get_double_list (file, CURVE, "points", &n, &problem);

    if (problem == NULL)
      seam_builder_array (&builder, "curve", "d", sizeof *values, values, n);
  }
  if (problem != NULL) {
    g_variant_builder_clear (&builder);
    g_propagate_error (error, g_steal_pointer (&problem));
    return NULL;
  }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

static SeamCalibration *
read_text (const char *text, gsize length, const char *identity, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (SeamCalibration) calibration = NULL;
  g_autoptr (GVariant) variant = NULL;
  g_autofree char *owner = NULL, *date = NULL;
  int version;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error))
    return NULL;
  version = g_key_file_get_integer (file, GROUP, "version", error);
  if (error != NULL && *error != NULL)
    return NULL;
  if (version != VERSION) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE,
                 "it has version %d, and this program knows version %d", version, VERSION);
    return NULL;
  }
  owner = g_key_file_get_string (file, GROUP, "identity", error);
  if (owner == NULL)
    return NULL;
  if (strcmp (owner, identity) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "it is of another device, %s", owner);
    return NULL;
  }
  variant = make_variant (file, error);
  calibration = variant != NULL ? seam_calibration_from_variant (variant, error) : NULL;
  if (calibration == NULL)
    return NULL;
  date = seam_calibration_format_date (calibration->measured_at);
  if (date == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_FILE, "it has no date");
    return NULL;
  }
  calibration->identity = g_steal_pointer (&owner);
  return g_steal_pointer (&calibration);
}

gboolean
seam_calibration_load (const char *identity, SeamCalibration **calibration, GError **error)
{
  g_autofree char *path = NULL, *text = NULL, *reason = NULL;
  g_autoptr (GError) problem = NULL;
  gsize length = 0, reason_length;

  *calibration = NULL;
  if (identity == NULL)
    return TRUE;
  path = seam_calibration_get_path (identity);
  if (!g_file_get_contents (path, &text, &length, &problem)) {
    if (g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOENT)
        || g_error_matches (problem, G_FILE_ERROR, G_FILE_ERROR_NOTDIR))
      return TRUE;
    return refuse (path, problem->message, error);
  }
  if (length > MAX_LENGTH)
    return refuse (path, "it is too large for one", error);
  *calibration = read_text (text, length, identity, &problem);
  if (*calibration != NULL)
    return TRUE;
  /* The messages of GLib end without a full stop, those of this program with one. */
  reason = seam_text_make_printable (problem->message, "");
  reason_length = strlen (reason);
  if (reason_length > 0 && reason[reason_length - 1] == '.')
    reason[reason_length - 1] = '\0';
  return refuse (path, reason, error);
}

/* --- Writing --- */

static void
set_text (GKeyFile *file, const char *key, const char *text)
{
  if (text != NULL)
    g_key_file_set_string (file, GROUP, key, text);
}

static void
list_numbers (const SeamRate *rate, double *values)
{
  const double all[N_NUMBERS] = { rate->median, rate->low,  rate->high,
                                  rate->least,  rate->most, rate->n };

  memcpy (values, all, sizeof all);
}

static void
set_beside (GKeyFile *file, const char *rate, GVariant *members)
{
  for (gsize i = 0; i < G_N_ELEMENTS (rate_texts); i++) {
    g_autofree char *key = g_strconcat (rate, "_", rate_texts[i], NULL);
    const char *text;

    if (g_variant_lookup (members, key, "&s", &text))
      g_key_file_set_string (file, RATES, key, text);
  }
  for (gsize i = 0; i < G_N_ELEMENTS (rate_numbers); i++) {
    g_autofree char *key = g_strconcat (rate, "_", rate_numbers[i], NULL);
    double number;

    if (g_variant_lookup (members, key, "d", &number))
      g_key_file_set_double (file, RATES, key, number);
  }
}

static char *
make_text (const SeamCalibration *calibration, gsize *length)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GVariant) members = g_variant_ref_sink (seam_calibration_to_variant (calibration));
  const char *values[] = { calibration->device,          calibration->target,
                           calibration->driver,          calibration->libraries,
                           calibration->program_version, calibration->measured_at };
  const double sizes[] = { calibration->duration_s,  calibration->buffer_bytes,
                           calibration->cache_bytes, calibration->peak_bytes_per_s,
                           calibration->peak_fp32,   calibration->peak_tf32 };
  int n = calibration->n_points;

  g_key_file_set_integer (file, GROUP, "version", VERSION);
  set_text (file, "identity", calibration->identity);
  for (gsize i = 0; i < G_N_ELEMENTS (texts); i++)
    set_text (file, texts[i], values[i]);
  for (gsize i = 0; i < G_N_ELEMENTS (numbers); i++)
    if (!isnan (sizes[i]))
      g_key_file_set_double (file, GROUP, numbers[i], sizes[i]);
  for (int i = 0; i < SEAM_N_RATES; i++) {
    const char *key = seam_rate_get_key (i);
    double list[N_NUMBERS];

    list_numbers (&calibration->rates[i], list);
    if (calibration->rates[i].n > 0)
      g_key_file_set_double_list (file, RATES, key, list, N_NUMBERS);
    set_beside (file, key, members);
  }
  if (n > 0) {
    g_autofree double *list = g_new (double, n *(1 + N_NUMBERS));

    for (int i = 0; i < n; i++) {
      list[i * (1 + N_NUMBERS)] = calibration->curve[i].bytes;
      list_numbers (&calibration->curve[i].rate, list + i * (1 + N_NUMBERS) + 1);
    }
    g_key_file_set_double_list (file, CURVE, "points", list, n * (1 + N_NUMBERS));
    g_key_file_set_comment (file, CURVE, NULL,
                            " Of each point: bytes read again and again; then "
                            "as above",
                            NULL);
  }
  if (g_key_file_has_group (file, RATES))
    g_key_file_set_comment (file, RATES, NULL,
                            " Median; ends of its 95 % interval; smallest and largest sample; "
                            "number of samples.\n Bytes or operations a second; launch in ns",
                            NULL);
  return g_key_file_to_data (file, length, NULL);
}

gboolean
seam_calibration_save (const SeamCalibration *calibration, GError **error)
{
  g_autofree char *path = NULL, *folder = NULL, *text = NULL;
  gsize length = 0;

  if (calibration->identity == NULL) {
    g_set_error_literal (error, SEAM_ERROR, SEAM_ERROR_UNSUPPORTED,
                         "This device has no name to keep a calibration under.");
    return FALSE;
  }
  path = seam_calibration_get_path (calibration->identity);
  folder = g_path_get_dirname (path);
  if (g_mkdir_with_parents (folder, 0755) != 0) {
    g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "The folder “%s” cannot be made: %s.", folder,
                 g_strerror (errno));
    return FALSE;
  }
  text = make_text (calibration, &length);
  return seam_file_write (path, text, length, error);
}

gboolean
seam_calibration_forget (const char *identity, gboolean *existed, GError **error)
{
  g_autofree char *path = identity != NULL ? seam_calibration_get_path (identity) : NULL;
  gboolean removed = path != NULL && g_unlink (path) == 0;

  if (existed != NULL)
    *existed = removed;
  if (path == NULL || removed || errno == ENOENT || errno == ENOTDIR)
    return TRUE;
  g_set_error (error, SEAM_ERROR, SEAM_ERROR_FILE, "“%s” cannot be deleted: %s.", path,
               g_strerror (errno));
  return FALSE;
}

void
seam_calibration_apply_stored (SeamDeviceInfo *info)
{
  g_autoptr (SeamCalibration) calibration = NULL;
  g_autoptr (GError) error = NULL;

  if (!seam_calibration_load (info->identity, &calibration, &error)) {
    char *source = g_strdup_printf ("%s; its calibration is damaged, “doctor” says how",
                                    info->rates_source != NULL ? info->rates_source : "not known");

    g_free (info->rates_source);
    info->rates_source = source;
  } else if (calibration != NULL) {
    seam_calibration_apply (calibration, info);
  }
}
