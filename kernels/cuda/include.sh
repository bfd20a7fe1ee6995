#!/bin/sh
# SPDX-License-Identifier: MIT
# include.sh OUTPUT SOURCE: writes a source that includes SOURCE (see meson.build).
printf '#include "%s"\n' "$2" >"$1"
