#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Records the sample sessions of data/samples on a GPU: for each pipeline at kernelbench a calibrated
# run of all named plans and hand-written versions in both math modes, and every partition. Each is
# packed as soon as it exists, so that a visit cut short keeps it. A session is named after its
# pipeline; #37, whose exhibit has large maps, has two, one for each math mode.
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
timeout 20 $SEAMSCOPE_CLI calibrate --csv calibration.csv --figure calibration.png >calibration.txt 2>&1
tar -czf "$out/calibration.tar.gz" calibration.*

for pipeline in "$@"; do
  started=$SECONDS
  full=$($SEAMSCOPE_CLI list | sed -n "/^$pipeline /,/^\$/p" | awk '$1 == "full" { print $2 }')
  plans=(--plan unfused --plan published --plan epilogue --plan full --plan "$full@hand-portable")
  [ "$pipeline" != matmul-swish-bias-groupnorm ] || plans+=(--plan as-published)
  [ "$pipeline" != conv-bias-scale-sigmoid-groupnorm ] \
    || plans+=(--plan "$full@hand-reload" --plan "$full@hand-recompute")
  # The session of each math mode; the partitions are TF32's.
  sessions=("$pipeline.seamscope" "$pipeline.seamscope")
  [ "$pipeline" != matmul-swish-bias-groupnorm ] || sessions=("$pipeline"-{tf32,fp32}.seamscope)
  modes=(tf32 fp32)
  for i in 0 1; do
    mode=${modes[i]}
    timeout 60 $SEAMSCOPE_CLI run "$pipeline" --preset kernelbench --math "$mode" --overview 160 \
      --budget "${RECORD_BUDGET:-1.5}" \
      "${plans[@]}" --append "${sessions[i]}" --note "recorded on a GPU" --csv "$pipeline-$mode.csv" \
      >"$pipeline-$mode.txt" 2>&1
    echo "$pipeline, $mode: exit status $?"
  done
  timeout 120 $SEAMSCOPE_CLI explore "$pipeline" --preset kernelbench --math tf32 --budget "${EXPLORE_BUDGET:-60}" \
    --append "${sessions[0]}" --note "every partition" --figure "$pipeline-lattice.png" \
    --csv "$pipeline-explore.csv" >"$pipeline-explore.txt" 2>&1
  status=$?
  grep -h "are not measured" "$pipeline-explore.txt"
  echo "$pipeline, explore: exit status $status, $((SECONDS - started)) s in all; $(ls -l "${sessions[0]}" 2>&1)"
  tar -czf "$out/$pipeline.tar.gz" "$pipeline"*
done
rm -rf "$folder"
