#!/bin/bash
# files.sh PROGRAM FAILING_IO short|long: a run with a table, a netCDF file, a picture, kept sources, and a cache of
# kernels, in which one call that changes files fails. It ends well, or with a message that names a file or directory;
# under every name there is the old file or the whole new one; the next run leaves nothing but its files. Prints a table
# (table.sh), and ends with status 1 if anything was lost, wrong or hung.
. "$(dirname "$0")/table.sh"
cp "$here/files.lua" .
mkdir temporary
export XDG_CACHE_HOME=$work/cache TMPDIR=$work/temporary
bmsim=("$program" --quiet --threads 1 --device cpu --keep-source source)
files=(table.csv all.nc picture.svg)
afresh() {
  rm -rf source cache temporary/* ./*.2.* picture.svg.*
  cp -r whole_cache cache
  for file in "${files[@]}"; do echo "old $file" > "$file"; done
}
run() { timeout -k 5 60 "${bmsim[@]}" files.lua > stdout 2> stderr; }
# What does not change between runs of a file: not the times in a header.
essence() {
  case $1 in
    all.nc) "$program" export --csv "$1" 2>&1 | grep -v '^#' ;;
    *) grep -v '^#.*\(seconds\|steps_per_second\|kernel_cached\|written\)' "$1" ;;
  esac
}
is_whole() { essence "$1" | cmp -s - "whole_$1"; }
left_behind() {
  ls -A | grep -vxE 'files.lua|temporary|cache|source|whole_.*|table.csv|all.nc|picture.svg|stdout|stderr|calls'
  ls -A temporary
  ls -A cache/bmsim | grep -vE '^[0-9a-f]{32}\.(kernel|rate|cc)$'  # the source of a failure is kept on purpose
}

run || { cat stderr >&2; exit 1; }
cp -r cache whole_cache
run || exit 1
for file in "${files[@]}"; do essence "$file" > "whole_$file"; done
[ "$(wc -l < whole_all.nc)" = 4 ] || { cat whole_all.nc >&2; exit 1; }
for file in "${files[@]}"; do is_whole "$file" || { echo "$file cannot be compared" >&2; exit 1; }; done
rm -r source
[ -z "$(left_behind)" ] || { echo "a run leaves $(left_behind)" >&2; exit 1; }

# fault CALL ERROR [lasts]
fault() {
  local status=0 file
  tried=$((tried + 1))
  timeout -k 5 60 env LD_PRELOAD="$failing_io" FAULT_BELOW="$work" FAULT_AT="$1" FAULT_ERROR="$2" \
    FAULT_COUNT="$work/calls" ${3:+FAULT_LASTS=1} "${bmsim[@]}" files.lua > stdout 2> stderr || status=$?
  judge $status
  if [ $status != 0 ] && ! grep -qE "table.csv|all.nc|picture.svg|source|'$work/(cache|temporary)" stderr; then
    is_wrong "call $1 ($2): status $status, and no message that names a file"
  fi
  for file in "${files[@]}"; do
    is_whole "$file" && continue
    [ $status != 0 ] && [ "$(cat "$file")" = "old $file" ] && continue
    is_wrong "call $1 ($2): status $status, and $file is neither the old nor the new one"
  done
  status=0
  rm -f ./*.2.* picture.svg.gp picture.svg.csv  # kept on purpose
  run || status=$?
  judge $status
  if [ $status != 0 ]; then
    is_lost "call $1 ($2): the next run ends with status $status"
  elif [ -n "$(left_behind)" ]; then
    is_lost "call $1 ($2): left behind: $(left_behind)"
  fi
}
errors=(ENOSPC EIO EACCES EXDEV EDQUOT EROFS EINTR short)
# walk SHORT: fails every call in turn with each of the errors, or as many as SHORT of them.
walk() {
  local calls try error
  fault 0 EIO
  calls=$(cat calls)
  [ "$calls" -gt 20 ] || is_wrong "only $calls calls are seen"
  for try in $(seq "$(many "$1" $((2 * ${#errors[@]} * calls)))"); do
    afresh
    [ -n "${empty_cache:-}" ] && rm -r cache
    [ $((try % 2)) = 0 ] && lasts=lasts || lasts=
    call=$([ "$length" = long ] && echo $((1 + (try - 1) / 2 / ${#errors[@]})) || echo $((1 + RANDOM % calls)))
    error=${errors[(try - 1) / 2 % ${#errors[@]}]}
    [ $error = EINTR ] && lasts=  # no signal comes for ever
    fault $call $error $lasts
  done
}
head_of_table
begin "a call that changes files fails: table, netCDF, picture, kept sources"
walk 32
report
begin "the same with an empty cache of kernels"
empty_cache=1 errors=(ENOSPC short)  # each compiles a kernel
rm -r cache
walk 6
report
[ $total = 0 ]
