#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Writes a C file that holds text files as strings, each under the name that sources include it by
# ("kernels/…"), as the array seam_NAME_texts: embed.sh OUTPUT NAME FILE...
set -e
output=$1
name=$2
shift 2
{
  echo '#include "kernels/embedded.h"'
  echo "const SeamKernelText seam_${name}_texts[] = {"
  for file in "$@"; do
    path=$(realpath "$file")
    echo "  { \"kernels/${path##*/kernels/}\","
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/  "/' -e 's/$/\\n"/' "$file"
    echo '  },'
  done
  echo '};'
  echo "const int seam_n_${name}_texts = sizeof seam_${name}_texts / sizeof seam_${name}_texts[0];"
} > "$output"
