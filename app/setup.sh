# SPDX-License-Identifier: MIT
#
# Sourced by app/run and tests/run: installs missing packages and builds. Not a program of its own.
# On Debian and Ubuntu apt installs; elsewhere the script names missing commands and libraries.

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root" || exit 1

build_packages=(
  gcc g++ meson ninja-build pkg-config libglib2.0-dev-bin
  libgtk-4-dev libadwaita-1-dev libgtksourceview-5-dev libjsonrpc-glib-1.0-dev libjson-glib-dev
  libdnnl-dev libcairo2-dev libpango1.0-dev libsqlite3-dev zlib1g-dev
  libcmark-gfm-dev libcmark-gfm-extensions-dev
  adwaita-icon-theme desktop-file-utils fonts-cantarell fonts-dejavu-core
  gsettings-desktop-schemas librsvg2-common shared-mime-info
)
modules=(glib-2.0 gtk4 libadwaita-1 gtksourceview-5 jsonrpc-glib-1.0 json-glib-1.0 cairo pangocairo sqlite3 zlib
  libcmark-gfm)

say () {
  printf '%s\n' "$*" >&2
}

apt_lock_seconds=300

# run_apt LOG COMMAND...: runs apt-get. If another one holds a lock, it waits: for those of dpkg by an
# option; for those of the lists and of the archives, which have none, by another try.
run_apt () {
  local log=$1 end=$((SECONDS + apt_lock_seconds)) said=
  shift
  until "$@" -o DPkg::Lock::Timeout=$apt_lock_seconds >"$log" 2>&1; do
    grep '^E: Could not get lock' "$log" | grep -qv 'No locks available' && [ $SECONDS -lt $end ] || return 1
    [ -n "${said-}" ] || say "Another program is installing packages; waiting for it, at most $apt_lock_seconds s."
    said=yes
    sleep 2
  done
}

# install_packages PACKAGE...: installs the missing ones.
install_packages () {
  if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
    check_by_hand
    return
  fi
  local missing=() package
  for package in "$@"; do
    [ "$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null)" = installed ] \
      || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  local as_root=(env LC_ALL=C DEBIAN_FRONTEND=noninteractive)
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      say "Packages are missing, and this is neither root nor is sudo at hand. As root, please:"
      say "  apt-get update && apt-get install --no-install-recommends ${missing[*]}"
      exit 3
    fi
    as_root=(sudo "${as_root[@]}")
  fi
  say "Installing ${#missing[@]} packages: ${missing[*]}"
  local log
  log=$(mktemp)
  if ! run_apt "$log" "${as_root[@]}" apt-get update -q \
    || ! run_apt "$log" "${as_root[@]}" apt-get install -y -q --no-install-recommends "${missing[@]}"; then
    tail -n 15 "$log" >&2
    say "apt could not install the packages; the whole log is in $log."
    exit 3
  fi
  rm -f "$log"
}

# Without apt: names what is missing and stops, so that the build does not fail in the middle.
check_by_hand () {
  local missing=() command module
  for command in gcc meson ninja pkg-config; do
    command -v "$command" >/dev/null || missing+=("$command")
  done
  for module in "${modules[@]}"; do
    pkg-config --exists "$module" 2>/dev/null || missing+=("$module (pkg-config)")
  done
  # oneDNN has no pkg-config file.
  gcc -fsyntax-only -include dnnl.h -x c /dev/null 2>/dev/null || missing+=("oneDNN (dnnl.h)")
  [ ${#missing[@]} -eq 0 ] && return 0
  say "This is no Debian or Ubuntu, so please install with your own package manager:"
  printf '  %s\n' "${missing[@]}" >&2
  exit 3
}

# Lists the installed parts of CUDA that the CUDA module needs.
list_cuda () {
  command -v nvcc
  ls -d {/usr/local/cuda,/usr}/include/{cublasLt,cuda_runtime_api,cudnn,nvrtc}.h 2>/dev/null
}

# build FOLDER MESON-OPTION...: configures once, then compiles only changed files. If CUDA was
# missing and more of it is installed now, the build is configured again.
build () {
  local folder=$1
  shift
  if [ -x /usr/local/cuda/bin/nvcc ] && ! command -v nvcc >/dev/null; then
    PATH=$PATH:/usr/local/cuda/bin
  fi
  if grep -qs 'CUDA module *: left out: no ' "$folder.log" \
    && [ "$(list_cuda)" != "$(cat "$folder.cuda" 2>/dev/null)" ]; then
    rm -rf "$folder"
  fi
  if [ ! -f "$folder/build.ninja" ]; then
    rm -rf "$folder"
    mkdir -p "$(dirname "$folder")"
    if ! meson setup "$folder" "$@" >"$folder.log" 2>&1; then
      tail -n 20 "$folder.log" >&2
      say "The build could not be configured; the whole log is in $folder.log."
      exit 3
    fi
    list_cuda >"$folder.cuda"
    sed -n '/^  Seamscope$/,/^$/p' "$folder.log" >&2
  fi
  local log=$folder.ninja.log
  if ! ninja -C "$folder" >"$log" 2>&1; then
    grep -nE 'error|FAILED|warning' "$log" | head -n 40 >&2
    tail -n 20 "$log" >&2
    say "The build failed; the whole log is in $log."
    exit 3
  fi
}
