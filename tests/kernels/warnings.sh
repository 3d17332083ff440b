#!/usr/bin/env bash
# warnings.sh KERNEL_FILES DIRECTORY: writes the generated files into DIRECTORY and compiles every kernel with all
# warnings and with what the host believes of its structs, in both dialects; then every header of kernels/ on its own,
# which must include what it needs. The CUDA dialect is read as C++ with the words of cuda_words.h.
set -uo pipefail
program=$1 out=$2
kernels=$(cd "$(dirname "$0")/../../kernels" && pwd)
here=$(cd "$(dirname "$0")" && pwd)
rm -rf "$out"
"$program" "$out" || exit 1
failed=0

compile() {  # DIRECTORY DIALECT FILE OPTIONS...
  local words=() after=() directory=$1 dialect=$2 file=$3
  shift 3
  [[ $file = */entry.h ]] && after=(-include "$directory/contract.h")
  [ "$dialect" = cuda ] && words=(-include "$here/cuda_words.h")
  "${CXX:-c++}" -x c++ -std=c++20 -fsyntax-only -march=native "$@" "${words[@]}" \
    -iquote "$directory" -iquote "$kernels/$dialect" -iquote "$kernels" -include "$file" "${after[@]}" /dev/null || {
    failed=1
    echo "in $file with $directory"
  }
}
for sample in "$out"/*/; do
  for dialect in cpu cuda; do
    compile "$sample$dialect" $dialect "$kernels/$dialect/entry.h" -Wall -Wextra -Werror -Wno-unknown-pragmas
  done
done
for dialect in cpu cuda; do
  for header in "$kernels"/*.h "$kernels/$dialect"/*.h; do  # counters: in the entries of models that have them
    sample=events
    host=()
    case $header in
      */recorded.h) host=(-include cmath) ;;  # as those who include it do
      */exact_clock.h) sample=exact ;;
      */walk_clock.h) sample=walk ;;
      */adaptive_clock.h) sample=adaptive ;;
      */common_clock.h) sample=driven ;;
    esac
    compile "$out/$sample/$dialect" $dialect "$header" -w "${host[@]}"
  done
done
exit $failed
