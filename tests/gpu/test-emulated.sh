#!/bin/sh
# SPDX-License-Identifier: MIT
#
# The GPU tests without a GPU: the CUDA backend and its kernels compiled for the CPU (emulate.h,
# fake-*.c) and driven by test-gpu, or test-gpu-hand with hand-written kernels. Proves the backend's
# logic and the kernels' arithmetic and indices, not their speed, races or the real libraries'
# answers.
#
#   tests/gpu/test-emulated.sh SOURCES BUILD CUDA_INCLUDE TEXT_C PROGRAM ARGUMENT...
set -eu
sources=$1
build=$2
cuda=$3
text=$4
program=$(realpath "$5")
shift 5
if ! command -v g++ >/dev/null; then
  echo '1..0 # SKIP g++ is not installed'
  exit 0
fi
text=$(realpath "$text")
cd "$sources"
folder=$build/tests/gpu/emulated-$(basename "$program")
mkdir -p "$folder/kernels"
flags="-O1 -g -fPIC -w -D_GNU_SOURCE -I. -I$cuda $(pkg-config --cflags glib-2.0)"
# A vector access at an address that is no multiple of its size faults on a GPU, and so here.
aligned='-fsanitize=alignment -fsanitize-undefined-trap-on-error'
for file in kernels/cuda/*.cu; do
  g++ -x c++ $flags $aligned -std=c++17 -fvisibility=hidden -DSEAM_CUDA_EMULATE \
    -include tests/gpu/emulate.h -c "$file" -o "$folder/$(basename "$file").o"
done
g++ -x c++ $flags -std=c++17 -fvisibility=hidden -c app/measure/cupti-counters.cu \
  -o "$folder/cupti-counters.cu.o"
for file in app/backend/cuda/*.c app/measure/cupti.c app/measure/cupti-parse.c \
  app/measure/vitals-nvml.c tests/gpu/fake-*.c "$text"; do
  driver=
  case $file in
    app/backend/cuda/d*.c) driver=-Ddlopen=fake_dlopen ;;
    app/measure/cupti.c) driver=-Ddlopen=fake_cupti_dlopen ;;
  esac
  gcc $flags -std=gnu17 $driver -c "$file" -o "$folder/$(basename "$file").o"
done
g++ -shared -o "$folder/libseamscope-cuda.so" "$folder"/*.o -Wl,-Bsymbolic -Wl,--no-undefined \
  "$build"/app/libseamscope-*.so $(pkg-config --libs glib-2.0) -ldl -lm -Wl,-rpath,"$build/app"

export SEAMSCOPE_MODULEDIR="$folder" XDG_CACHE_HOME="$folder/cache"
export SEAMSCOPE_EMULATE_FOLDER="$folder/kernels" SEAMSCOPE_EMULATE_SOURCES="$sources"
export SEAMSCOPE_EMULATE_CUDA="$cuda"
# Kernels of an earlier build may be of other sources.
rm -rf "$folder/kernels" "$folder/cache"
mkdir -p "$folder/kernels"
export SEAMSCOPE_EMULATE_FLAGS="${SEAMSCOPE_EMULATE_FLAGS:--O1} $aligned"
[ "$(basename "$program")" = test-gpu ] || export SEAMSCOPE_EMULATE_HAND="${SEAMSCOPE_EMULATE_HAND:-golden}"
exec "$program" "$@"
