#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Pictures of the window with real numbers: starts it with a remembered state, runs with Ctrl+R, and
# takes pictures of the pages. Runs inside a bundle's screen (see session.sh).
#
#   tests/gpu/window.sh PROGRAM [SECONDS-OF-BUDGET [PRESET [TARGET]]]     pictures go to $OUT
set -u
program=$1
budget=${2:-8}
preset=${3:-kernelbench}
target=${4:-cuda:0}
out=${OUT:-.}
export GSETTINGS_BACKEND=keyfile
export XDG_CONFIG_HOME
XDG_CONFIG_HOME=$(mktemp -d)
folder=$XDG_CONFIG_HOME/glib-2.0/settings

# scene NAME SCHEME PIPELINE PLAN-A PLAN-B MATH RUNNING DIFFERENCE TRAFFIC [STORAGE]: pictures of a page where yes
scene () {
  mkdir -p "$folder"
  cat >"$folder/keyfile" <<KEYS
[io/github/seamscope/Seamscope]
window-maximized=true
start-page-seen=true
color-scheme='$2'
pipeline='$3'
preset='$preset'
plan-a='$4'
plan-b='$5'
target='$target'
math-mode='$6'
budget='$budget'
storage='${10:-fp32}'
KEYS
  "$program" 2>>"$out/window.log" &
  local window=$!
  sleep 5
  xdotool key ctrl+r
  sleep 3
  [ -z "${7:-}" ] || scrot -o "$out/$1-running.png"
  sleep $((budget + 12))
  xdotool mousemove 1597 500
  sleep 1
  scrot -o "$out/$1-timing.png"
  if [ -n "${8:-}" ]; then
    xdotool key alt+2
    sleep 3
    scrot -o "$out/$1-difference.png"
  fi
  if [ -n "${9:-}" ]; then
    xdotool key alt+3
    sleep 3
    scrot -o "$out/$1-traffic.png"
  fi
  # The window has nothing to end: its results are in the history.
  kill -KILL "$window"
  wait "$window" 2>/dev/null
}

# The very first start: the start page lists what it finds, and disappears when a GPU has answered.
first_start () {
  rm -rf "$folder"
  "$program" 2>>"$out/window.log" &
  local window=$!
  for moment in 1 2 3 4; do
    sleep 1
    scrot -o "$out/first-start-$moment.png"
  done
  sleep 4
  scrot -o "$out/first-start-8.png"
  # The window has nothing to end: its results are in the history.
  kill -KILL "$window"
  wait "$window" 2>/dev/null
}

# The chosen scenes, by the names below.
scenes=${SEAMSCOPE_SCENES:-start 21 37 57 76 storage}
case " $scenes " in *' start '*) first_start ;; esac
case " $scenes " in *' 21 '*) scene h200-21 light conv-bias-scale-sigmoid-groupnorm unfused full tf32 '' yes yes ;; esac
case " $scenes " in *' 37 '*) scene h200-37 light matmul-swish-bias-groupnorm unfused as-published tf32 '' yes '' ;; esac
case " $scenes " in *' 57 '*) scene h200-57 dark conv-relu-hardswish unfused full tf32 yes '' yes ;; esac
case " $scenes " in *' 76 '*) scene h200-76 light gemm-bias-relu unfused full tf32 '' '' yes ;; esac
case " $scenes " in *' storage '*) scene h200-storage light conv-relu-bias unfused published bf16 '' yes yes between ;; esac
