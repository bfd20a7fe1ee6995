/* SPDX-License-Identifier: MIT
 *
 * The window's workers: a worker of another build is told once, whichever client finds it. Their
 * calls are tested by test-client.c, a lost worker by what the window shows.
 */
#include "tests/ui/window-fixture.h"

#include "ui/state/workers.h"

static void
message_cb (SeamNotices *notices, SeamMessageKind kind, const char *title, const char *text,
            GPtrArray *texts)
{
  g_assert_cmpint (kind, ==, SEAM_MESSAGE_WARNING);
  g_ptr_array_add (texts, g_strdup (text));
}

static void
test_builds (void)
{
  g_autoptr (SeamNotices) notices = seam_notices_new ();
  g_autoptr (GPtrArray) texts = g_ptr_array_new_with_free_func (g_free);
  const char *version = "0.1.0+0123456789abcdef";
  g_autoptr (GVariant) same = seam_hello_make ("");
  g_autoptr (GVariant) other =
      g_variant_ref_sink (g_variant_new_parsed ("{'version': <%s>}", version));
  SeamWorkers workers;

  g_signal_connect (notices, "message", G_CALLBACK (message_cb), texts);
  seam_workers_init (&workers, notices);
  g_autoptr (SeamWorkerClient) beside = seam_workers_open (&workers);
  g_assert_true (beside != workers.here);
  g_signal_emit_by_name (workers.here, "hello", same);
  g_signal_emit_by_name (beside, "hello", same);
  g_assert_cmpuint (texts->len, ==, 0);
  /* The upgrade comes between. */
  g_signal_emit_by_name (beside, "hello", other);
  g_signal_emit_by_name (workers.here, "hello", other);
  g_signal_emit_by_name (beside, "hello", same);
  g_signal_emit_by_name (beside, "hello", other);
  g_assert_cmpuint (texts->len, ==, 1);
  g_assert_nonnull (strstr (texts->pdata[0], version));
  g_assert_nonnull (strstr (texts->pdata[0], seam_protocol_get_build ()));
  seam_worker_client_close (beside);
  seam_workers_close (&workers);
  g_assert_null (workers.here);
}

int
main (int argc, char **argv)
{
  ui_init (&argc, &argv);
  g_test_add_func ("/workers/builds", test_builds);
  return ui_run ();
}
