#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Checks the borders between the layers in the files' includes and names, the formatting and length
# of files, and that none contains a path of one machine. Prints TAP.
cd "$(dirname "${BASH_SOURCE[0]}")/.." || exit 1

n=0
status=0

# Prints every file of the project, one on each line. Without git (an unpacked archive), or if git does
# not trust the folder's owner: every file outside build/.
if ! files=$(git ls-files --cached --others --exclude-standard 2>/dev/null); then
  files=$(find . -type f ! -path './.git/*' ! -path './build/*' -printf '%P\n')
fi
files=$(while IFS= read -r file; do [ ! -f "$file" ] || echo "$file"; done <<<"$files" | sort -u)

# forbid NAME PATTERN PATHS [EXCEPT]: no file that matches PATHS but not EXCEPT (both extended regular
# expressions) may have a line that matches PATTERN.
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

# The folders of app/ and ui/ in layers, from the lowest: a folder includes headers of its own and of
# layers before its own, so that no cycle is possible. Each layer is a row of a table of app/DESIGN.md
# (check-pages.py).
layers=(
  app
  app/base
  app/record
  app/settings
  app/pipeline
  app/plan
  app/result
  app/compare
  app/explain
  app/backend
  'app/backend/cpu app/backend/cuda'
  app/measure
  app/runner
  app/explore
  'app/figure app/export'
  app/report
  'app/session app/help'
  app/lesson
  app/worker
  app/cli
  ui/precompiled
  ui/class
  ui/state
  ui/widgets
  'ui/session ui/help'
  ui/lesson
  ui/page
  'ui/timing ui/difference ui/traffic ui/search ui/timeline ui/source'
  'ui/browser ui/calibrate ui/comparison ui/pitfalls ui/presenter ui/sidebar ui/start'
  ui/window
  ui
)

# check_includes FOLDER LOWER: headers that files directly in FOLDER include lie in FOLDER or in
# LOWER. Paths start at the root, so that every include names its folder.
check_includes () {
  local folder=$1 name="$1 includes only itself and layers below" hits
  n=$((n + 1))
  hits=$(grep -E "^$folder/[^/]+$" <<<"$files" | tr '\n' '\0' \
    | xargs -0 grep -nHoE '^ *# *include *"[^"]*' \
    | awk -F'"' -v allowed=" $1 $2 " '{
        included = $2
        sub ("/[^/]*$", "", included)
        if (included !~ /^kernels(\/|$)|^seam-(build|config).h$/ && index (allowed, " " included " ") == 0)
          print
      }')
  if [ -z "$hits" ]; then
    echo "ok $n - $name"
  else
    echo "not ok $n - $name"
    sed 's/^/# /' <<<"$hits" | head -n 20
    status=1
  fi
}

lower=
for layer in "${layers[@]}"; do
  for folder in $layer; do
    check_includes "$folder" "$lower"
  done
  lower+=" $layer"
done

n=$((n + 1))
folders=$(grep -E '^(app|ui)/.*\.[ch]$' <<<"$files" | sed 's,/[^/]*$,,' | sort -u)
strangers=$(diff <(printf '%s\n' ${layers[*]} | sort) <(echo "$folders"))
if [ -z "$strangers" ]; then
  echo "ok $n - every folder of app and ui is in the table of layers"
else
  echo "not ok $n - every folder of app and ui is in the table of layers"
  grep '^[<>]' <<<"$strangers" | sed 's/^</# gone: /; s/^>/# not in it: /'
  status=1
fi

forbid "app and kernels include no GTK" '#include.*(gtk/|adwaita|gdk/|gtksourceview)' '(app|kernels)/'
forbid "the window includes no CUDA and no kernels" \
  '#include.*(cuda|cupti|cudnn|cublas|nvrtc|nvml|"kernels/)' ui/
forbid "the window knows no backend from inside, and no command" \
  '#include "app/(backend/(cpu|cuda)|cli)/' ui/
forbid "the window knows the worker's client and protocol and nothing else of it" \
  '#include "app/worker/([^cp]|p[^r])' ui/
forbid "kernels know no pipeline and no GLib" '#include.*("app/|"ui/|glib)' kernels/
forbid "app does not reach into the window" '#include.*"ui/' '(app|kernels)/'
forbid "headers of CUDA, CUPTI, NVML and cuDNN only in the CUDA module" \
  '#include *<(cuda|cupti|cudnn|cublas|nvml|nvperf|nvrtc)' '(app|ui)/' app/backend/cuda/
forbid "NVIDIA's libraries are opened and called only in the CUDA module" \
  'dlopen \("lib(cu|nv)|(^|[^[:alnum:]_])(cublasLt|cuda|cudnn|cupti|cu|nvml|nvrtc)[A-Z][A-Za-z_0-9]* \(' \
  '(app|ui)/' app/backend/cuda/
forbid "measure knows no profiler by name" '[Cc][Uu][Dd][Aa]|[Cc][Uu][Pp][Tt][Ii]|[Nn][Vv][Mm][Ll]' \
  app/measure/
forbid "Gio and jsonrpc-glib only in the worker" '#include *<(gio/|jsonrpc-glib)' \
  '(app|kernels)/' app/worker/
forbid "Cairo and Pango only in figures" '#include *<(cairo|pango)' '(app|kernels)/' app/figure/
forbid "one function draws text, which is text in an SVG" \
  'pango_cairo_(error_underline|glyph|layout|show)_|cairo_show_(glyphs|text)|cairo_(glyph|text)_path' \
  '(app|ui)/' 'app/figure/paint\.c$'
forbid "the even-odd rule marks texts of an SVG and nothing else" \
  'cairo_set_fill_rule|CAIRO_FILL_RULE_EVEN_ODD' 'app/' 'app/figure/svg-text\.c$'
forbid "one reader of JSON, which limits its depth" 'json_(parser|reader|from_string|gvariant_deserialize)' \
  '(app|kernels|ui)/' 'app/record/json\.c$'
forbid "cmark-gfm only in help" '#include *<cmark' '(app|kernels|ui)/' app/help/
forbid "SQLite only in sessions" '#include *<(sqlite3|zlib)' '(app|kernels|ui)/' app/session/
forbid "the command prints through one function" \
  '(^|[^[:alnum:]_])(printf|fprintf|puts|fputs|putchar|putc|g_print|g_printerr) \(' 'app/cli/.*\.c' \
  'app/cli/print\.c'
# The facts of an op are in two tables; other code derives them from its class or from its operands.
forbid "no switch over op types outside of the tables" 'case SEAM_OP_[A-Z]' '(app|kernels|ui)/'
forbid "no table by op type outside of the tables" '\[SEAM_OP_[A-Z]' '(app|kernels|ui)/'
# Exceptions: the reference has separate loops for convolution and matrix product; the generator treats
# a clamp and a following product as one instruction; the hand-written GroupNorm follows a convolution;
# oneDNN has post-ops for some sequences of ops.
forbid "nothing asks for one type of op that can ask for a class" \
  '(==|!=|<|>) *SEAM_OP_[A-Z]|SEAM_OP_[A-Z_]* *(==|!=|<|>)' '(app|kernels|ui)/' \
  '(app/backend/(cpu/onednn-ops|cuda/generator|reference)|ui/widgets/plan-choice)\.c$'
# The facts of a device come with it. Sessions older than these facts have only its id (device.c).
forbid "no id is compared with a backend's name outside of the backends" \
  '(id|name|target|type)[])]*, "(cpu|cuda)[:"]' '(app|ui)/' 'app/backend/|app/result/device\.c$'
# The words in a result of a target that this computer lacks are read by app/plan/implementation.c.
forbid "implementations that one backend has are named by that backend" \
  '^[^/*]*"(cublaslt|cudnn|hand(-[a-z]+)?)"|SEAM_IMPLEMENTATION_(CPU|CUBLASLT|CUDNN|HAND)' \
  '(app|ui)/' 'app/backend/cuda/|app/plan/implementation\.c$'
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
