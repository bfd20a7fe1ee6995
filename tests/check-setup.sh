#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# install_packages of app/setup.sh, with an apt-get of the test's own: it waits for every lock of
# another apt, in update and in install, and for nothing else. Prints TAP.
fake=$(mktemp -d)
trap 'rm -rf "$fake"' EXIT

# add_command NAME: makes the standard input a command.
add_command () {
  { echo '#!/bin/sh'; cat; } >"$fake/$1"
  chmod +x "$fake/$1"
}
# A line in answers/COMMAND is what the next call of it fails with.
add_command apt-get <<'END'
echo "$1 $LC_ALL $*" >>"$(dirname "$0")/calls"
answers=$(dirname "$0")/answers-$1
[ -s "$answers" ] || exit 0
head -n 1 "$answers" >&2
sed -i 1d "$answers"
exit 100
END
add_command dpkg-query <<<'exit 1'
add_command sleep <<<'exit 0'
add_command sudo <<<'exec "$@"'

# check NAME STATUS CALLS [SECONDS]: what install_packages ends with, and the commands of apt-get.
n=0
check () {
  local name=$1 status=$2 calls=$3 seconds=${4:-300} found
  n=$((n + 1))
  (
    PATH=$fake:$PATH
    . "$(dirname "${BASH_SOURCE[0]}")/../app/setup.sh"
    apt_lock_seconds=$seconds
    install_packages first second
  ) 2>"$fake/said"
  found="$? $(cut -d ' ' -f 1 "$fake/calls" | tr '\n' ' ')"
  if [ "$found" = "$status $calls " ] \
    && ! grep -v " C .*-o DPkg::Lock::Timeout=$seconds$" "$fake/calls"; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' "$fake/calls" "$fake/said"
    echo "# expected $status $calls, found $found"
  fi
  rm -f "$fake"/calls "$fake"/answers-*
}

lock='E: Could not get lock /var/lib/apt/lists/lock. It is held by process 1 (apt-get)'
check "no lock" 0 "update install"
printf '%s\n' "$lock" "$lock" >"$fake/answers-update"
printf '%s\n' "E: Could not get lock /var/cache/apt/archives/lock." >"$fake/answers-install"
check "locks in update and install" 0 "update update update install install"
echo "E: Unable to locate package first" >"$fake/answers-install"
check "another fault is no reason to wait" 3 "update install"
echo "Waiting for cache lock: Could not get lock /var/lib/dpkg/lock-frontend..." >"$fake/answers-install"
check "a wait of apt-get itself is not repeated" 3 "update install"
echo "E: The repository does not have a Release file." >"$fake/answers-update"
check "a fault of update ends it" 3 "update"
printf '%s\n' "$lock" "$lock" >"$fake/answers-update"
check "it does not wait for ever" 3 "update" 0
echo "1..$n"
