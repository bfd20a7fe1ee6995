#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Writes a C file that holds text files as strings: embed.sh OUTPUT FILE...
# FILE name.ext becomes seam_text_name_ext.
set -e
output=$1
shift
{
  echo '#include "kernels/cuda/text.h"'
  for file in "$@"; do
    echo "const char seam_text_$(basename "$file" | tr . _)[] ="
    sed -e 's/\\/\\\\/g' -e 's/"/\\"/g' -e 's/^/  "/' -e 's/$/\\n"/' "$file"
    echo '  ;'
  done
} > "$output"
