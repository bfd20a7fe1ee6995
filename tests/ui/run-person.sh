#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# run-person.sh TEST.py SEAMSCOPE: gives a test a screen, a window manager and a session bus of its
# own, and runs it. Exit status 77: skipped, with the reason.
set -u
test=$1 program=$2

for tool in Xvfb openbox xdotool dbus-run-session; do
  if ! command -v "$tool" >/dev/null; then
    echo "SKIP: $tool is missing; tests/run installs it."
    exit 77
  fi
done
if [ ! -x /usr/libexec/at-spi-bus-launcher ] && [ ! -x /usr/lib/at-spi2-core/at-spi-bus-launcher ]; then
  echo "SKIP: at-spi2-core is missing; tests/run installs it."
  exit 77
fi

# The server itself finds a free display number and writes it to the pipe. Without auto-repeat (-r):
# xdotool releases Ctrl before the letter, and on a busy machine a letter held for 0.7 s would repeat
# without Ctrl.
exec {number}< <(exec Xvfb -displayfd 1 -screen 0 1600x1000x24 -nolisten tcp -r 2>/dev/null)
server=$!
if ! read -r -t 20 -u "$number" display; then
  echo "SKIP: Xvfb did not start."
  exit 77
fi
export DISPLAY=:$display
unset WAYLAND_DISPLAY GTK_A11Y GTK_THEME NO_AT_BRIDGE
export GDK_BACKEND=x11 GSK_RENDERER=cairo GSETTINGS_BACKEND=keyfile LC_ALL=C.UTF-8
# With two cores and many tests, a worker with more threads only slows down the window.
export OMP_NUM_THREADS=1
openbox >/dev/null 2>&1 &
manager=$!

here=$(dirname "${BASH_SOURCE[0]}")
PYTHONPATH=$here NO_COLOR=1 \
  dbus-run-session -- /usr/bin/env -u PYTHONHOME /usr/bin/python3 -W ignore "$test" "$program"
status=$?
kill "$manager" "$server" 2>/dev/null
wait 2>/dev/null
exit "$status"
