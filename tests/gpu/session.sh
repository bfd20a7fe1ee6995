#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# One visit to a GPU machine without a desktop: doctor, the gpu suite, the five pipelines, the same in
# PyTorch, compute-sanitizer, pictures of the window. CI runs nothing of this.
#
#   tests/gpu/session.sh BUNDLE BUILD STEP...
#
# BUNDLE: a portable GTK bundle (.tar.xz); BUILD: the folder that pack.sh made; STEP: doctor suite ops reference hand fp32 sanitize-hand
# quick bench turns ladder ncu bounds chains level2 numpy eager needs record restricted spin stop storage sanitize window. turns: times fp32 in OLD_BUILD,
# another folder of pack.sh, and in BUILD by turns. Logs and pictures are left in $OUT (default: build/gpu-session).
set -u -o pipefail
bundle=$1
build=$2
shift 2
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=$(cd "$build" && pwd)
export OUT=${OUT:-$root/build/gpu-session}
mkdir -p "$OUT"
[ -d /tmp/gtk-bundle ] || tar -xf "$bundle" -C /tmp || python3 -m tarfile -e "$bundle" /tmp
export SEAMSCOPE_DATADIR=$root/data SEAMSCOPE_MODULEDIR=$build/app/backend/cuda
export SEAMSCOPE_TEST_GOLDEN=$root/tests/golden SEAMSCOPE_TEST_CHAINS=$root/tests/core/op-chains XDG_CACHE_HOME=/tmp/seamscope-cache
# Kernels that test-hand compiled on the build machine (SEAMSCOPE_TEST_CACHE=BUILD/cache).
[ -d "$XDG_CACHE_HOME" ] || [ ! -d "$build/cache" ] || cp -r "$build/cache" "$XDG_CACHE_HOME"

# CUDA libraries that the toolkit lacks may come with PyTorch.
folders=/usr/local/cuda/lib64:/usr/local/cuda/extras/CUPTI/lib64
for library in libcudnn.so.9 libcublasLt.so.13 libnvrtc.so.13 libcupti.so.13; do
  if [ ! -e "/usr/local/cuda/lib64/$library" ]; then
    found=$(find / -xdev -name "$library" -not -path '/proc/*' 2>/dev/null | head -n 1)
    [ -z "$found" ] || folders=$folders:$(dirname "$found")
  fi
done
# Only for our programs: PyTorch has its own cuDNN and must not load this one. The window runs on the
# bundle's screen. Commands need only its libraries and fonts: with run-in-bundle's display server, ncu
# took 56 seconds to start on an H200, without it 1.
folders=$folders${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
screen="env LD_LIBRARY_PATH=$build/app:$folders /tmp/gtk-bundle/run-in-bundle"
libraries=/tmp/gtk-bundle/link:$folders
case $(PATH=$PATH:/usr/sbin:/sbin ldconfig -p) in
  *libstdc++.so.6*) ;;
  *) libraries=/tmp/gtk-bundle/link:/tmp/gtk-bundle/fallback:$folders ;;
esac
# Our libraries come first, because a bundle may contain those of another build.
inside="env LD_LIBRARY_PATH=$build/app:$libraries FONTCONFIG_FILE=/tmp/gtk-bundle/etc/fonts/fonts.conf LC_ALL=C.UTF-8"
export SEAMSCOPE_CLI="$inside $build/app/cli/seamscope-cli"

# tap PROGRAM [OPTION]: a test program; its log is kept, what is not ok is shown.
tap () {
  $inside "$build/tests/gpu/$1" --tap "${@:2}" 2>&1 | tee "$OUT/$1.txt" | grep -vE '^ok|^# Start|^# End'
}

# hand, fp32, storage: every case of test-gpu-hand, -fp32 or -storage, several at once, because each
# compiles its kernels first (JOBS, else as many as there are cores). HAND_CASES: a regular expression that
# selects cases. sanitize-hand: the small cases of hand under compute-sanitizer's four tools.
cases () {
  local logs=$OUT/$1 tools=none options= program=test-gpu-${1#sanitize-}
  SANITIZER=$(command -v compute-sanitizer || echo /usr/local/cuda/bin/compute-sanitizer)
  export SANITIZER
  rm -rf "$logs"
  mkdir -p "$logs"
  if [ "$1" = sanitize-hand ]; then
    tools=${SANITIZE_TOOLS:-memcheck racecheck initcheck synccheck}
    options=--quick
  fi
  for tool in $tools; do
    $inside "$build/tests/gpu/$program" -l | grep "^/.*${options:+/shapes/}" \
      | grep -E "${HAND_CASES:-.}" \
      | sed "s|^|$tool |"
  done | xargs -P "${JOBS:-$(nproc)}" -L 1 bash -c '
    name=$2-$(echo "$3" | tr / -)
    wrapper=
    [ "$2" = none ] || wrapper="$SANITIZER --tool $2 --error-exitcode 9 --print-limit 20"
    [ "$2" != memcheck ] || wrapper="$wrapper --leak-check no"
    timeout 500 $0 $wrapper "$1" --tap '"$options"' -p "$3" >"'"$logs"'/$name" 2>&1
    echo "status $?" >>"'"$logs"'/$name"' "$inside" "$build/tests/gpu/$program"
  grep -hE '^# .* (shapes|golden cases), off' "$logs"/* | sort -u
  # fp32: the largest factors of a version, by distribution.
  grep -hE "^# .* times hand-simt's" "$logs"/* \
    | sed -E 's/^# (.*), ([^,]*), .* ([0-9.a-z]+) times hand.* ([0-9.a-z]+) times.*/\1|\2|\3|\4/' \
    | awk -F'|' '{ k = $1 ", " $2; n[k]++; if ($3 > a[k]) a[k] = $3; if ($4 > b[k]) b[k] = $4 }
        END { for (k in n) print k ": at most " a[k] " and " b[k] " (rms) times hand-simt" }' | sort
  for tool in $tools; do
    echo "${tool/#none/$1}: $(cat "$logs/$tool"-* | grep "^ok " | grep -vc "# SKIP") passed," \
      "$(grep -lE '^status [1-9]' "$logs/$tool"-* | wc -l) failed," \
      "$(cat "$logs/$tool"-* | grep -cE 'SUMMARY: 0 (errors|hazards)') clean summaries"
  done
  grep -lE '^status [1-9]' "$logs"/* | while read -r log; do
    echo "-- $log"
    grep -vE '^# (Start|End|random)|^1\.\.' "$log" | tail -n 12 | cut -c1-400
  done
  tar -czf "$OUT/$1.tar.gz" -C "$OUT" "$1" && rm -rf "$logs"
}

for step in "$@"; do
  started=$SECONDS
  echo "== $step"
  case $step in
    doctor)
      nvidia-smi --query-gpu=name,driver_version,memory.total,clocks.sm --format=csv
      echo "folders of CUDA libraries: $folders"
      $SEAMSCOPE_CLI doctor
      ;;
    suite) tap test-gpu; tap test-gpu-ops ;;
    ops) tap test-gpu-ops ;;
    reference) # beside the host's, and how long the whole of a large output takes
      tap test-gpu-reference
      for problem in ${REFERENCE_PROBLEMS:-1 76 21 3 11 13 42}; do
        start=$(date +%s.%N)
        $SEAMSCOPE_CLI run "#$problem" --target cuda:0 --preset kernelbench --plan unfused --budget 0.1 \
          --against fp64 --truth whole --math tf32 2>&1 | grep -E '^unfused|memory' | head -n 2
        echo "#$problem, whole: $(python3 -c "import time; print(round(time.time() - $start, 2))") s"
      done 2>&1 | tee "$OUT/reference.txt" ;;
    quick) tap test-gpu --quick ;;
    hand | fp32 | sanitize-hand | storage) cases "$step" ;;
    bench) bash "$root/tests/bench/run" ${BENCH_OPTIONS:-} ;;
    turns)
      old=$(cd "$OLD_BUILD" && pwd)
      /usr/bin/env python3 "$root/tests/bench/turns.py" ${TURNS_OPTIONS:-} --new "$SEAMSCOPE_CLI" \
        --old "env SEAMSCOPE_MODULEDIR=$old/app/backend/cuda ${SEAMSCOPE_CLI//$build/$old}" 2>&1 | tee "$OUT/turns.txt"
      ;;
    ladder) bash "$root/tests/bench/ladder" ${LADDER_BUDGET:+--budget "$LADDER_BUDGET"} 2>&1 | tee "$OUT/ladder.txt" ;;
    bounds) python3 "$root/tests/bench/bounds" "$SEAMSCOPE_CLI" --target cuda:0 ${BOUNDS_OPTIONS:-} 2>&1 | tee "$OUT/bounds.txt" ;;
    chains) python3 "$root/tests/bench/chains" "$SEAMSCOPE_CLI" --target cuda:0 ${CHAINS_OPTIONS:-} 2>&1 | tee "$OUT/chains.txt" ;;
    level2 | numpy) # the golden cases of the hundred problems, in all modes; random chains of all ops beside NumPy
      script=$step.py
      [ "$step" = level2 ] || script=chains.py
      printf '#!/bin/sh\nexec %s "$@"\n' "$SEAMSCOPE_CLI" >/tmp/seamscope-cli
      chmod +x /tmp/seamscope-cli
      seq 0 $((${JOBS:-8} - 1)) | xargs -P "${JOBS:-8}" -I{} env SEAMSCOPE_TEST_PART="{}/${JOBS:-8}" \
        SEAMSCOPE_CLI=/tmp/seamscope-cli SEAMSCOPE_TEST_TARGET=cuda:0 SEAMSCOPE_TEST_MODES="${LEVEL2_MODES-tf32 tf32x fp16 bf16}" \
        SEAMSCOPE_TEST_ALL=1 \
        SEAMSCOPE_TEST_DATA="$root/data" SEAMSCOPE_TEST_LESSONS="$root/tests/core" OMP_NUM_THREADS=2 \
        bash -c "python3 $root/tests/cli/$script >$OUT/$step-{}.txt 2>&1"
      cat "$OUT/$step"-*.txt | grep -A6 '^not ok'
      echo "$step: $(cat "$OUT/$step"-*.txt | grep -c '^ok') passed, $(cat "$OUT/$step"-*.txt | grep -c '^not ok') failed"
      ;;
    eager) # the hundred problems beside PyTorch's eager mode; LEVEL2_PROBLEMS: problems.json
      python3 "$root/tests/bench/level2" "$SEAMSCOPE_CLI" "$LEVEL2_PROBLEMS" --target cuda:0 --preset kernelbench --math tf32 \
        ${EAGER_OPTIONS:-} 2>&1 | tee "$OUT/eager.txt"
      ;;
    needs) python3 "$root/tests/bench/needs" "$SEAMSCOPE_CLI" --target cuda:0 ${NEEDS_OPTIONS:-} 2>&1 | tee "$OUT/needs.txt" ;;
    record) bash "$root/tests/gpu/record.sh" ${RECORD_PIPELINES:-} ;;
    ncu) python3 "$root/tests/bench/ncu-agreement" --seconds 40 2>&1 | tee "$OUT/ncu-agreement.txt" ;;
    restricted | stop | spin) /usr/bin/env python3 "$root/tests/gpu/$step.py" ;;
    sanitize) bash "$root/tests/gpu/sanitize.sh" ${SANITIZE_TOOLS:+--tools "$SANITIZE_TOOLS"} $inside "$build/tests/gpu/test-gpu" ;;
    window) $screen -s 1600x1000 bash "$root/tests/gpu/window.sh" "$build/ui/seamscope" ${WINDOW_BUDGET:-} ;;
    *) echo "no step is called $step" ;;
  esac
  echo "== $step ended with $? after $((SECONDS - started)) s"
done
