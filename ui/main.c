/* SPDX-License-Identifier: MIT
 *
 * The program `seamscope`: the window. Everything is run by `seamscope-cli worker`, so no CUDA
 * library is linked here.
 */
#include "ui/application.h"

#include "app/base/file.h"

#include <locale.h>

int
main (int argc, char **argv)
{
  gint64 started_us = g_get_monotonic_time ();

  setlocale (LC_ALL, "");
  seam_file_init ();
  g_autoptr (SeamApplication) application = seam_application_new (started_us);
  return g_application_run (G_APPLICATION (application), argc, argv);
}
