#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Proves the borders between the layers by what files include (see README, "The tree"), that files
# are formatted and of a readable length, and that none names a path of one machine. Prints TAP.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

n=0
status=0

# Every file that is ours, one a line. Without git (an unpacked archive), or where git does not trust
# the folder's owner: every file outside build/.
if ! files=$(git ls-files --cached --others --exclude-standard 2>/dev/null); then
  files=$(find . -type f ! -path './.git/*' ! -path './build/*' -printf '%P\n')
fi
files=$(while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done <<<"$files" | sort -u)

# forbid NAME PATTERN PATHS [EXCEPT]: of the files that match PATHS and not EXCEPT (both extended
# regular expressions), none may have a line that matches PATTERN.
forbid () {
  local name=$1 pattern=$2 where hits
  n=$((n + 1))
  where=$(grep -E "^($3)" <<<"$files" | grep -vE "^(${4:-$})")
  if [ -z "$where" ]; then
    hits="no file to look at in $3"
  else
    hits=$(tr '\n' '\0' <<<"$where" | xargs -0 grep -nHIE -e "$pattern")
  fi
  if [ -z "$hits" ]; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' <<<"$hits" | head -n 20
    status=1
  fi
}

forbid "app and kernels include no GTK" '#include.*(gtk/|adwaita|gdk/|gtksourceview)' '(app|kernels)/'
forbid "the window includes no CUDA and no kernels" \
  '#include.*(cuda|cupti|cudnn|cublas|nvrtc|nvml|"kernels/)' ui/
forbid "kernels know no pipeline and no GLib" '#include.*("app/|"ui/|glib)' kernels/
forbid "app does not reach into the window" '#include.*"ui/' '(app|kernels)/'
forbid "CUDA headers only in the CUDA module" '#include *<(cuda|cupti|cudnn|cublas|nvrtc|nvml)' \
  '(app|ui)/' 'app/backend/cuda|app/measure/cupti'
forbid "Gio and jsonrpc-glib only in the worker" '#include *<(gio/|jsonrpc-glib)' \
  '(app|kernels)/' app/worker/
forbid "Cairo and Pango only in figures" '#include *<(cairo|pango)' '(app|kernels)/' app/figure/
forbid "base knows nothing above it" \
  '#include "app/(pipeline|plan|backend|measure|result|compare|runner|figure|worker|cli)' app/base/
forbid "pipeline knows only base" \
  '#include "app/(plan|backend|measure|result|compare|runner|figure|worker|cli)' app/pipeline/
forbid "plan knows only pipeline and base" \
  '#include "app/(backend|measure|result|compare|runner|figure|worker|cli)' app/plan/
forbid "result knows only plans and base" \
  '#include "app/(backend|measure|compare|runner|figure|worker|cli)' app/result/
forbid "compare knows only result" \
  '#include "app/(pipeline|plan|backend|measure|runner|figure|worker|cli)' app/compare/
forbid "record knows only base" \
  '#include "app/(pipeline|plan|backend|measure|result|compare|runner|figure|worker|cli)' app/record/
forbid "session knows only results and points" \
  '#include "app/(pipeline|plan|backend|measure|compare|runner|figure|export|worker|cli)' app/session/
forbid "export knows only results" \
  '#include "app/(pipeline|plan|backend|measure|runner|figure|session|worker|cli)' app/export/
forbid "SQLite only in sessions" '#include *<(sqlite3|zlib)' '(app|kernels|ui)/' app/session/
forbid "explain knows plans and results" \
  '#include "app/(backend|measure|runner|figure|session|export|worker|cli)' app/explain/
forbid "explore knows no figure and no window" \
  '#include "app/(figure|session|export|worker|cli)' app/explore/
forbid "backend does not know who measures or runs" \
  '#include "app/(runner|figure|worker|cli)' app/backend/
forbid "measure does not know who runs" '#include "app/(runner|figure|worker|cli)' app/measure/
forbid "the command prints through one function" \
  '(^|[^[:alnum:]_])(printf|fprintf|puts|fputs|putchar|putc|g_print|g_printerr) \(' 'app/cli/.*\.c' \
  'app/cli/print\.c'
# Facts of an op are in two tables, and follow from its class or from what it reads.
forbid "no switch over op types outside of the tables" 'case SEAM_OP_[A-Z]' '(app|kernels|ui)/'
forbid "no table by op type outside of the tables" '\[SEAM_OP_[A-Z]' '(app|kernels|ui)/'
# The reference sums convolution and matrix product in loops of their own; the generator knows a
# clamp followed by a product as one instruction; the hand-written GroupNorm is a convolution's.
forbid "nothing asks for one type of op that can ask for a class" \
  '(==|!=|<|>) *SEAM_OP_[A-Z]|SEAM_OP_[A-Z_]* *(==|!=|<|>)' '(app|kernels|ui)/' \
  '(app/backend/(cuda/generator|reference)|ui/plan-choice)\.c$'
forbid "no path of one machine" '(^|[^[:alnum:].])/(work|farm)/' . 'tests/check-layers\.sh$'

n=$((n + 1))
long=$(grep -E '^(app|ui|tests)/.*\.[ch]$|^kernels/' <<<"$files" \
  | xargs -d '\n' wc -l | awk '$2 != "total" && $1 > 800')
if [ -z "$long" ]; then
  echo "ok $n - no source file over 800 lines"
else
  echo "not ok $n - no source file over 800 lines"
  sed 's/^/# /' <<<"$long"
  status=1
fi

n=$((n + 1))
if ! command -v clang-format >/dev/null; then
  echo "ok $n - formatted # SKIP clang-format is not installed"
else
  unformatted=$(grep -E '\.[ch]$' <<<"$files" \
    | xargs -d '\n' clang-format --dry-run 2>&1 | grep -oE '^[^:]+\.[ch]' | sort -u)
  if [ -z "$unformatted" ]; then
    echo "ok $n - formatted"
  else
    echo "not ok $n - formatted"
    sed 's/^/# clang-format -i /' <<<"$unformatted"
    status=1
  fi
fi
echo "1..$n"
exit $status
