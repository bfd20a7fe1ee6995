#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Records the sample sessions of data/samples on a GPU: for each pipeline at kernelbench a calibrated
# run of all named plans and hand-written versions in TF32 and FP32, the named plans in TF32x where a
# kernel has it, and every partition. Each pipeline is packed as soon as it exists, so that a visit cut
# short keeps it. A session is named after its pipeline; #37, whose exhibit has large maps, has two, one
# with TF32 and TF32x, one with FP32.
#
#   tests/gpu/record.sh [PIPELINE...]
#
# SEAMSCOPE_CLI: the command (session.sh sets it). OUT: the folder for SHORT-NAME.tar.gz.
# RECORD_BUDGET: seconds a plan (1.5). EXPLORE_BUDGET: seconds a pipeline's partitions (60: less leaves some out while kernels are compiled).
set -u
[ $# -gt 0 ] || set -- conv-bias-scale-sigmoid-groupnorm conv-relu-hardswish matmul-swish-bias-groupnorm \
  conv-relu-bias gemm-bias-relu
out=$(cd "$OUT" && pwd)
folder=$(mktemp -d)
cd "$folder" || exit 1
# On a chip that has just woken up, launches vary too much for a calibration to be kept.
for try in 1 2 3 4; do
  timeout 20 $SEAMSCOPE_CLI calibrate --csv calibration.csv --figure calibration.png >calibration.txt 2>&1
  status=$?
  echo "calibration, try $try: exit status $status"
  [ $status -ne 0 ] || break
done
[ $status -eq 0 ] || exit 1
tar -czf "$out/calibration.tar.gz" calibration.*

for pipeline in "$@"; do
  started=$SECONDS
  full=$($SEAMSCOPE_CLI list | sed -n "/^$pipeline /,/^\$/p" | awk '$1 == "full" { print $2 }')
  named=(--plan unfused --plan published --plan epilogue --plan full)
  plans=("${named[@]}" --plan "$full@hand-portable")
  [ "$pipeline" != matmul-swish-bias-groupnorm ] || plans+=(--plan as-published)
  [ "$pipeline" != conv-bias-scale-sigmoid-groupnorm ] \
    || plans+=(--plan "$full@hand-reload" --plan "$full@hand-recompute")
  # The session of each math mode; the partitions are TF32's.
  session=$pipeline.seamscope
  session_fp32=$session
  if [ "$pipeline" = matmul-swish-bias-groupnorm ]; then
    session=$pipeline-tf32.seamscope
    session_fp32=$pipeline-fp32.seamscope
  fi
  # Convolutions over few channels run in TF32 where TF32x is asked for.
  modes=(tf32 fp32 tf32x)
  case $pipeline in
    conv-bias-scale-sigmoid-groupnorm | conv-relu-hardswish) modes=(tf32 fp32) ;;
  esac
  for mode in "${modes[@]}"; do
    file=$session
    [ "$mode" != fp32 ] || file=$session_fp32
    [ "$mode" != tf32x ] || plans=("${named[@]}")
    timeout 60 $SEAMSCOPE_CLI run "$pipeline" --preset kernelbench --math "$mode" --overview 160 \
      --budget "${RECORD_BUDGET:-1.5}" \
      "${plans[@]}" --append "$file" --note "recorded on a GPU" --csv "$pipeline-$mode.csv" \
      >"$pipeline-$mode.txt" 2>&1
    echo "$pipeline, $mode: exit status $?"
  done
  timeout 120 $SEAMSCOPE_CLI explore "$pipeline" --preset kernelbench --math tf32 --budget "${EXPLORE_BUDGET:-60}" \
    --append "$session" --note "every partition" --figure "$pipeline-lattice.png" \
    --csv "$pipeline-explore.csv" >"$pipeline-explore.txt" 2>&1
  status=$?
  grep -h "are not measured" "$pipeline-explore.txt"
  echo "$pipeline, explore: exit status $status, $((SECONDS - started)) s in all; $(ls -l "$session" 2>&1)"
  tar -czf "$out/$pipeline.tar.gz" "$pipeline"*
done
rm -rf "$folder"
