#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# run-on-screen.sh PROGRAM ARGUMENT...: runs it with a screen of its own (Xvfb), which ends with it.
# Exit status 77: skipped, with the reason.
set -u
skip () {
  echo "1..0 # SKIP $1"
  exit 77
}
command -v Xvfb >/dev/null || skip "Xvfb is missing; tests/run installs it."
# The server itself finds a free display number and writes it to the pipe.
exec {number}< <(exec Xvfb -displayfd 1 -screen 0 1600x1000x24 -nolisten tcp -r 2>/dev/null)
server=$!
trap 'kill "$server" 2>/dev/null' EXIT
read -r -t 20 -u "$number" display || skip "Xvfb did not start."
DISPLAY=:$display LC_ALL=${SEAMSCOPE_TEST_LOCALE:-C.UTF-8} "$@"
