#!/bin/sh
# SPDX-License-Identifier: MIT
# include.sh OUTPUT NAME: a source that includes kernels/cuda/NAME.cu (see meson.build).
printf '#include "kernels/cuda/%s.cu"\n' "$2" >"$1"
