/* SPDX-License-Identifier: MIT */
#include "app/pipeline/own-folder.h"

#include "app/base/error.h"
#include "app/base/file-name.h"
#include "app/base/file.h"
#include "app/base/read-file.h"
#include "app/pipeline/pipeline-file.h"

#include <string.h>

static char *
write_new (const char *path, const char *text, GError **error)
{
  return seam_file_write (path, text, strlen (text), error) ? g_strdup (path) : NULL;
}

char *
seam_own_folder_begin (GError **error)
{
  g_autofree char *folder = seam_pipeline_get_own_folder ();
  g_autofree char *template = g_build_filename (seam_data_dir (), "new-pipeline.ini", NULL);
  g_autofree char *text = seam_file_read_text (template, SEAM_PIPELINE_MAX_BYTES, error);

  for (int i = 1; text != NULL; i++) {
    g_autofree char *name =
        i > 1 ? g_strdup_printf ("my-pipeline-%d.ini", i) : g_strdup ("my-pipeline.ini");
    g_autofree char *path = seam_file_name_place (folder, name, error);
    if (path == NULL)
      return NULL;
    if (!g_file_test (path, G_FILE_TEST_EXISTS))
      return write_new (path, text, error);
  }
  return NULL;
}

char *
seam_own_folder_add (const char *path, GError **error)
{
  g_autoptr (SeamPipeline) pipeline = seam_pipeline_load (path, error);
  g_autofree char *folder = seam_pipeline_get_own_folder ();
  g_autofree char *name = g_path_get_basename (path);
  g_autofree char *copy = pipeline != NULL ? seam_file_name_place (folder, name, error) : NULL;

  if (copy == NULL)
    return NULL;
  if (g_file_test (copy, G_FILE_TEST_EXISTS))
    return seam_fail_null (error, SEAM_ERROR_FILE,
                           "Your folder already has a file %s; rename one of the two.", name);
  return write_new (copy, pipeline->text, error);
}
