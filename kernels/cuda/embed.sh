#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Writes a C file that holds text files as strings, each under the name that sources include it by
# ("kernels/…"): embed.sh OUTPUT FILE...
set -e
output=$1
shift
{
  echo '#include "kernels/cuda/text.h"'
  echo 'const SeamCudaText seam_cuda_texts[] = {'
  for file in "$@"; do
    path=$(realpath "$file")
    echo "  { \"kernels/${path##*/kernels/}\","
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/  "/' -e 's/$/\\n"/' "$file"
    echo '  },'
  done
  echo '};'
  echo 'const int seam_n_cuda_texts = sizeof seam_cuda_texts / sizeof seam_cuda_texts[0];'
} > "$output"
