/* SPDX-License-Identifier: MIT
 *
 * seamscope-cli worker: the process that the window runs plans in.
 */
#include "app/cli/cli.h"
#include "app/worker/worker.h"

#include <unistd.h>

static const SeamOption options[] = { { NULL } };

static SeamExit
run (SeamArguments *arguments)
{
  g_autoptr (GError) error = NULL;

  if (!seam_arguments_expect_words (arguments, 0, "no words", &error))
    return seam_cli_fail (error);
  if (isatty (STDIN_FILENO)) {
    seam_cli_complain (
        "The worker is started by the window, or over ssh: it speaks a protocol on its "
        "standard input and has nothing to say to a terminal.");
    return SEAM_EXIT_BAD_USE;
  }
  return seam_worker_main ();
}

const SeamCommand seam_command_worker = {
  .name = "worker",
  .summary = "Serve a window: run what it asks for, over standard input and output",
  .synopsis = "worker",
  .options = options,
  .text = "The window starts this itself. The protocol is JSON-RPC 2.0; it is described in\n"
          "app/worker/protocol.h of the source. It ends when its input is closed, or on Ctrl-C.\n"
          "\n"
          "Example:\n"
          "  ssh host seamscope-cli worker\n",
  .run = run,
};
