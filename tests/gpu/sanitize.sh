#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Runs the GPU tests under compute-sanitizer: memory errors, races, uninitialised reads, synchronisation.
# At the end there is a summary line for each tool; the logs go to sanitizer.txt in FOLDER.
#
#   tests/gpu/sanitize.sh [--out FOLDER] [--limit SECONDS] [--tools NAME,...] [[WRAPPER...] TEST]
#
# FOLDER: default $OUT, else build/sanitizer. SECONDS: default $SANITIZE_LIMIT, else 540. Tools: memcheck,
# racecheck, initcheck, synccheck (default all). TEST: default the build's test-gpu; words before it
# are a command that runs compute-sanitizer. Status 0: no errors; 1: a tool found errors, or the tests
# failed under it; 3: compute-sanitizer or the test is missing.
set -u -o pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.." || exit 1
self=tests/gpu/sanitize.sh

out=${OUT:-build/sanitizer}
limit=${SANITIZE_LIMIT:-540}
tools=(memcheck racecheck initcheck synccheck)
while [ $# -gt 0 ]; do
  case $1 in
    --out) out=${2:?}; shift 2 ;;
    --limit) limit=${2:?}; shift 2 ;;
    --tools) IFS=, read -ra tools <<<"${2:?}"; shift 2 ;;
    -*) sed -n '3,13s/^# \{0,1\}//p' "$self" >&2; exit 2 ;;
    *) break ;;
  esac
done
test=build/normal/tests/gpu/test-gpu
wrapper=()
if [ $# -gt 0 ]; then
  test=${*: -1}
  wrapper=("${@:1:$#-1}")
fi
if [ ! -x "$test" ]; then
  echo "The GPU test $test is not there; build it first, or name it." >&2
  exit 3
fi
sanitizer=$(command -v compute-sanitizer || true)
[ -n "$sanitizer" ] || sanitizer=/usr/local/cuda/bin/compute-sanitizer
if [ ! -x "$sanitizer" ]; then
  echo "compute-sanitizer was not found; it comes with the CUDA toolkit." >&2
  exit 3
fi
mkdir -p "$out" || exit 1
logs=$(mktemp -d) || exit 1
trap 'rm -rf "$logs"' EXIT

# The names of our kernels, precompiled and generated.
ours='regex=seam_|change_layout|elementwise_(planes|matrix)|groupnorm_(one_pass|statistics|apply)|difference_(planes|matrix|total)'
# Tests that are left out: memory, which allocates too much on purpose; time, whose limit cannot be kept
# under a tool; and trace, because the tools use CUPTI themselves.
# initcheck misses the stores of some cuDNN kernels and then reports the kernels that read them. So only
# reports in our kernels count, outside the cases in which they read cuDNN's results (convolutions in
# TF32, whose layout we change). The log has every report.
# racecheck fails inside cuDNN's TF32 convolutions when it is told to ignore them ("Internal Sanitizer
# Error"), so it skips those cases. When it follows every kernel, they have no hazards.
convolutions=()
for kind in golden shapes; do
  for pipeline in conv-relu-bias conv-bias-scale-sigmoid-groupnorm conv-relu-hardswish; do
    convolutions+=(-s "/gpu/$kind/$pipeline/tf32")
  done
done
summary=()
worst=0
for tool in "${tools[@]}"; do
  started=$SECONDS
  # The remaining time is divided, so that a slow tool does not take the time of later ones.
  seconds=$(((limit - SECONDS) / (${#tools[@]} - ${#summary[@]})))
  options=(--tool "$tool" --error-exitcode 9)
  # Leaks of the libraries are not ours; unused memory is no error.
  [ "$tool" = memcheck ] && options+=(--leak-check no)
  options+=(--print-limit "$([ "$tool" = initcheck ] && echo 100000 || echo 20)")
  # By default these two also follow every barrier of cuDNN's and cuBLASLt's kernels, which overflows
  # their tables and takes minutes, so they check only our kernels.
  skip=(-s /gpu/memory -s /gpu/time -s /gpu/trace)
  case $tool in
    racecheck | synccheck) options+=(--kernel-name "$ours") ;;
  esac
  case $tool in
    racecheck | initcheck) skip+=("${convolutions[@]}") ;;
  esac
  echo "== $tool ($seconds s at most)"
  timeout --kill-after=10 "$seconds" ${wrapper[@]+"${wrapper[@]}"} \
    "$sanitizer" "${options[@]}" "$test" --tap --quick "${skip[@]}" </dev/null >"$logs/$tool" 2>&1
  status=$?
  line=$(grep -E '(ERROR|RACECHECK) SUMMARY' "$logs/$tool" | tail -n 1 | sed 's/^=* *//')
  case $status in
    0) verdict=clean ;;
    9) verdict='ERRORS FOUND' ;;
    124 | 137) verdict='ran out of time' ;;
    77) verdict='skipped' ;;
    *) verdict="the tests ended with status $status" ;;
  esac
  if grep -q 'Device not supported' "$logs/$tool"; then
    verdict='could not run: this machine does not let compute-sanitizer in'
  fi
  if [ "$tool" = initcheck ] && [ "$status" = 9 ]; then
    # "========= Uninitialized __global__ memory read of size 4 bytes", then "=========     at KERNEL…"
    ours_read=$(grep -A1 'Uninitialized' "$logs/$tool" | grep -cE "at .*(${ours#regex=})")
    line="$line, $ours_read of them in our kernels"
    [ "$ours_read" -gt 0 ] || verdict=clean
  fi
  passed=$(grep -c '^ok ' "$logs/$tool")
  failed=$(grep -c '^not ok ' "$logs/$tool")
  [ "$failed" -eq 0 ] || [ "$verdict" != clean ] || verdict='tests failed'
  [ "$passed" -gt 0 ] || [ "$verdict" != clean ] || verdict='no test ran'
  [ "$verdict" = clean ] || { worst=1; tail -n 15 "$logs/$tool"; }
  summary+=("$(printf '%-10s %s; %s; %d tests passed, %d failed; %d s' "$tool" "$verdict" \
    "${line:-no summary}" "$passed" "$failed" $((SECONDS - started)))")
done

printf '%s\n' "${summary[@]}" | tee "$logs/summary"
for name in summary "${tools[@]}"; do
  # The first errors of a kind and the count at the end are enough.
  printf '== %s\n' "$name"
  if [ "$(wc -l <"$logs/$name")" -gt 4000 ]; then
    head -n 3000 "$logs/$name"
    echo "[…]"
    tail -n 1000 "$logs/$name"
  else
    cat "$logs/$name"
  fi
done >"$out/sanitizer.txt"
exit "$worst"
