#!/bin/bash
# snippets.sh PROGRAM [PAGE...]: the Lua snippets of a page, one after the other, are a script that runs. Without pages:
# all that have any, but the plugin guide, whose snippet needs its plugin.
bmsim=$(realpath "$1")
shift
root=$(cd "$(dirname "$0")/../.." && pwd)
pages=()
for page in "$@"; do pages+=("$(realpath "$page")"); done
if [ $# -eq 0 ]; then
  mapfile -t pages < <(cd "$root" && find README.md docs -name '*.md' -exec grep -lE '^ *```lua$' {} + |
    grep -v '^docs/plugin-guide\.md$' | sort)
  pages=("${pages[@]/#/$root/}")
fi
. "$(dirname "$0")/../script/workplace.sh"

status=77
for page in "${pages[@]}"; do
  name=${page#"$root"/}
  script=$(basename "$page" .md).lua
  rm -rf "$work/page" && mkdir "$work/page" && cd "$work/page"
  # What is no snippet becomes empty lines, so that a message names the line of the page.
  awk '/^ *```/ { inside = !inside && /^ *```lua$/; print ""; next } { print inside ? $0 : "" }' "$page" > "$script"
  if ! grep -q '[^[:space:]]' "$script"; then
    echo "$name: there are no snippets in it" >&2
    status=1
  elif grep -qE '[:.]plot\b' "$script" && ! command -v gnuplot > /dev/null; then
    echo "$name: no gnuplot: not run"
  elif "$bmsim" --quiet --device cpu "$script" > stdout 2> stderr < /dev/null; then
    [ $status -ne 77 ] || status=0
  else
    echo "$name: exit status $?: $(cat stderr)" >&2
    status=1
  fi
done
exit $status
