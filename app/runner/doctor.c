/* SPDX-License-Identifier: MIT
 *
 * What works on this machine, what does not, why, and the remedy: rows of every backend, and one
 * for the CUDA module itself where it cannot be opened.
 */
#include "app/runner/run-private.h"

#include "app/base/text.h"

/* The CPU target in one row, from what the backend says of it. */
static void
add_cpu (GPtrArray *checks)
{
  g_autoptr (GPtrArray) infos =
      g_ptr_array_new_with_free_func ((GDestroyNotify)seam_device_info_free);

  seam_backend_cpu.probe (infos);
  for (guint i = 0; i < infos->len; i++) {
    const SeamDeviceInfo *info = g_ptr_array_index (infos, i);
    g_autofree char *title =
        g_strdup_printf (info->available ? "The CPU can be used" : "The CPU cannot be used");
    g_autofree char *total = seam_text_bytes ((double)info->memory_total);
    g_autofree char *free = seam_text_bytes ((double)info->memory_free);
    g_autofree char *detail =
        info->available
            ? g_strdup_printf ("%s, %d threads, %s of memory (%s free), %s.", info->name,
                               info->n_processors, total, free,
                               info->libraries != NULL ? info->libraries : "no libraries named")
            : g_strdup (info->reason);
    g_ptr_array_add (checks, seam_check_new (info->available ? SEAM_CHECK_OK : SEAM_CHECK_FAILED,
                                             title, detail, info->remedy));
  }
}

GPtrArray *
seam_run_doctor (void)
{
  GPtrArray *checks = seam_checks_new ();
  g_autofree char *reason = NULL;
  const SeamBackend *cuda;

  add_cpu (checks);
  if (seam_backend_cpu.check != NULL)
    seam_backend_cpu.check (checks);
  cuda = seam_backend_get_cuda (&reason);
  if (cuda == NULL)
    g_ptr_array_add (
        checks, seam_check_new (SEAM_CHECK_FAILED, "The CUDA module cannot be opened",
                                reason != NULL ? reason : "No reason was given.",
                                "Install the CUDA toolkit with cuDNN, then build again: app/run"));
  else if (cuda->check != NULL)
    cuda->check (checks);
  return checks;
}
