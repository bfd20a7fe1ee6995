#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Copies the files that a GPU machine without a desktop needs from a build folder, stripped, in the
# build's layout, by which the programs find each other.
#
#   tests/gpu/pack.sh BUILD OUT
set -eu
build=$1
out=$2
rm -rf "$out"
for file in app/cli/seamscope-cli app/backend/cuda/libseamscope-cuda.so ui/seamscope \
  tests/gpu/test-gpu{,-fp32,-hand,-ops,-reference,-storage} "$(cd "$build" && echo app/libseamscope-*.so)"; do
  mkdir -p "$out/$(dirname "$file")"
  cp "$build/$file" "$out/$file"
  strip -g "$out/$file"
done
# Libraries that no bundle offers to the commands: for help pages, and for the CPU.
ldd "$build"/app/libseamscope-*.so | awk '/libcmark-gfm|libdnnl|libOpenCL|libopenblas/ { print $3 }' | xargs -I{} cp -L {} "$out/app/"
cp "$build/ui/gschemas.compiled" "$out/ui/" # the window remembers what it is told
du -sh "$out"
