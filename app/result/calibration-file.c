/* SPDX-License-Identifier: MIT
 *
 * The file that keeps the calibration of one device:
 * ~/.local/share/seamscope/calibrations/NAME.ini, a key file that a person can read. It is written
 * atomically. An invalid file is refused as a whole, with a sentence.
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
#define MAX_LENGTH (1024 * 1024)

/* The key of a member of the calibration's variant: its name, except for the curve's. */
static void
find_place (const char *member, const char **group, const char **key)
{
  /* Values beside a rate are not fields of the record. */
  const SeamField *field = seam_record_find (&seam_calibration_type, member);
  gboolean is_curve = field != NULL && field->kind == SEAM_KIND_ROWS;

  *key = is_curve ? "points" : member;
  *group = is_curve ? CURVE : field == NULL || field->kind == SEAM_KIND_ROW ? RATES : GROUP;
}

char *
seam_calibration_get_path (const char *identity)
{
  GString *name = g_string_new (NULL);

  for (const char *c = identity; *c != '\0' && name->len < MAX_NAME; c++) {
    if (g_ascii_isalnum (*c))
      g_string_append_c (name, g_ascii_tolower (*c));
    else if (name->len > 0 && name->str[name->len - 1] != '-')
      g_string_append_c (name, '-');
  }
  while (name->len > 0 && name->str[name->len - 1] == '-')
    g_string_truncate (name, name->len - 1);
  g_string_append (name, ".ini");
  g_autofree char *file = g_string_free (name, FALSE);
  return g_build_filename (g_get_user_data_dir (), "seamscope", "calibrations", file, NULL);
}

/* --- Reading --- */

static gboolean
refuse (const char *path, const char *reason, GError **error)
{
  return seam_fail (error, SEAM_ERROR_FILE,
                    "The calibration in “%s” is not used: %s. Calibrate again, or delete the file.",
                    path, reason);
}

/* Adds a key as a member of the variant. FALSE if the key is there but has the wrong kind. */
static gboolean
read_member (GKeyFile *file, const char *member, SeamKind kind, GVariantBuilder *builder,
             GError **error)
{
  g_autoptr (GError) problem = NULL;
  g_autofree double *numbers = NULL;
  g_autofree char *text = NULL;
  const char *group, *key;
  gsize n = 0;

  find_place (member, &group, &key);
  if (!g_key_file_has_key (file, group, key, NULL))
    return TRUE;
  if (kind == SEAM_KIND_TEXT) {
    text = g_key_file_get_string (file, group, key, NULL);
    seam_builder_string (builder, member, text);
    return TRUE;
  }
  if (kind == SEAM_KIND_DOUBLE)
    seam_builder_double (builder, member, g_key_file_get_double (file, group, key, &problem));
  else
    numbers = g_key_file_get_double_list (file, group, key, &n, &problem);
  if (numbers != NULL)
    seam_builder_array (builder, member, "d", sizeof *numbers, numbers, n);
  if (problem == NULL)
    return TRUE;
  g_propagate_error (error, g_steal_pointer (&problem));
  return FALSE;
}

static gboolean
read_members (GKeyFile *file, const SeamRecordType *type, const char *prefix,
              GVariantBuilder *builder, GError **error)
{
  SEAM_FOR_EACH_FIELD (field, type)
  {
    g_autofree char *name = prefix != NULL ? g_strconcat (prefix, "_", field->name, NULL) : NULL;
    const char *member = name != NULL ? name : field->name;

    if ((field->flags & SEAM_PRIVATE) != 0)
      continue;
    if (field->kind == SEAM_KIND_PREFIXED
            ? !read_members (file, field->type, field->name, builder, error)
            : !read_member (file, member, field->kind, builder, error))
      return FALSE;
  }
  return TRUE;
}

/* The variant for seam_calibration_from_variant(), which checks the numbers. */
static GVariant *
make_variant (GKeyFile *file, GError **error)
{
  GVariantBuilder builder;

  g_variant_builder_init (&builder, G_VARIANT_TYPE_VARDICT);
  if (!read_members (file, &seam_calibration_type, NULL, &builder, error)) {
    g_variant_builder_clear (&builder);
    return NULL;
  }
  return g_variant_ref_sink (g_variant_builder_end (&builder));
}

static SeamCalibration *
read_text (const char *text, gsize length, const char *identity, GError **error)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autofree char *owner = NULL, *date = NULL;
  int version;

  if (!g_key_file_load_from_data (file, text, length, G_KEY_FILE_NONE, error))
    return NULL;
  version = g_key_file_get_integer (file, GROUP, "version", error);
  if (error != NULL && *error != NULL)
    return NULL;
  if (version != VERSION)
    return seam_fail_null (error, SEAM_ERROR_FILE,
                           "it has version %d, and this program knows version %d", version,
                           VERSION);
  owner = g_key_file_get_string (file, GROUP, "identity", error);
  /* For an unknown escape sequence GLib returns both a text and an error. */
  if (owner == NULL || (error != NULL && *error != NULL))
    return NULL;
  if (strcmp (owner, identity) != 0)
    return seam_fail_null (error, SEAM_ERROR_FILE, "it is of another device, %s", owner);
  g_autoptr (GVariant) variant = make_variant (file, error);
  g_autoptr (SeamCalibration) calibration =
      variant != NULL ? seam_calibration_from_variant (variant, error) : NULL;
  if (calibration == NULL)
    return NULL;
  date = seam_calibration_format_date (calibration->measured_at);
  if (calibration->measured_at != NULL ? date == NULL : !seam_calibration_is_raised (calibration))
    return seam_fail_null (error, SEAM_ERROR_FILE, "it has no date");
  calibration->identity = g_steal_pointer (&owner);
  return g_steal_pointer (&calibration);
}

gboolean
seam_calibration_load (const char *identity, SeamCalibration **calibration, GError **error)
{
  if (!seam_calibration_load_kept (identity, calibration, error))
    return FALSE;
  if (*calibration != NULL && (*calibration)->measured_at == NULL)
    g_clear_pointer (calibration, seam_calibration_free);
  return TRUE;
}

gboolean
seam_calibration_load_kept (const char *identity, SeamCalibration **calibration, GError **error)
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
  /* GLib's messages end without a full stop, those of this program with one. */
  reason = seam_text_make_printable (problem->message, "");
  reason_length = strlen (reason);
  if (reason_length > 0 && reason[reason_length - 1] == '.')
    reason[reason_length - 1] = '\0';
  return refuse (path, reason, error);
}

/* --- Writing --- */

static void
set_member (GKeyFile *file, const char *member, GVariant *value)
{
  const char *group, *key;

  find_place (member, &group, &key);
  if (g_variant_is_of_type (value, G_VARIANT_TYPE_STRING)) {
    g_key_file_set_string (file, group, key, g_variant_get_string (value, NULL));
  } else if (g_variant_is_of_type (value, G_VARIANT_TYPE_DOUBLE)) {
    if (!isnan (g_variant_get_double (value)))
      g_key_file_set_double (file, group, key, g_variant_get_double (value));
  } else {
    gsize n;
    const double *numbers = g_variant_get_fixed_array (value, &n, sizeof *numbers);
    if (n > 0)
      g_key_file_set_double_list (file, group, key, (double *)numbers, n);
  }
}

static char *
make_text (const SeamCalibration *calibration, gsize *length)
{
  g_autoptr (GKeyFile) file = g_key_file_new ();
  g_autoptr (GVariant) members = g_variant_ref_sink (seam_calibration_to_variant (calibration));
  GVariantIter iter;
  const char *member;
  GVariant *value;

  g_key_file_set_integer (file, GROUP, "version", VERSION);
  g_key_file_set_string (file, GROUP, "identity", calibration->identity);
  g_variant_iter_init (&iter, members);
  while (g_variant_iter_loop (&iter, "{&sv}", &member, &value))
    set_member (file, member, value);
  if (g_key_file_has_group (file, CURVE))
    g_key_file_set_comment (file, CURVE, NULL,
                            " Of each point: bytes read again and again; then as above", NULL);
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

  if (calibration->identity == NULL)
    return seam_fail (error, SEAM_ERROR_UNSUPPORTED,
                      "This device has no name to keep a calibration under.");
  path = seam_calibration_get_path (calibration->identity);
  folder = g_path_get_dirname (path);
  if (g_mkdir_with_parents (folder, 0755) != 0)
    return seam_fail (error, SEAM_ERROR_FILE, "The folder “%s” cannot be made: %s.", folder,
                      g_strerror (errno));
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
  return seam_fail (error, SEAM_ERROR_FILE, "“%s” cannot be deleted: %s.", path,
                    g_strerror (errno));
}

void
seam_calibration_apply_stored (SeamDeviceInfo *info)
{
  g_autoptr (SeamCalibration) calibration = NULL;
  g_autoptr (GError) error = NULL;

  if (!seam_calibration_load_kept (info->identity, &calibration, &error)) {
    char *source = g_strdup_printf ("%s; its calibration is damaged, “doctor” says how",
                                    info->rates_source != NULL ? info->rates_source : "not known");

    g_free (info->rates_source);
    info->rates_source = source;
  } else if (calibration != NULL) {
    seam_calibration_apply (calibration, info);
  }
}
