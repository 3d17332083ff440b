#!/bin/bash
# style.sh: what is not in the common style, and status 1. style.sh --fix: formats C++ before it looks.
#   every line of text within 120 columns, but tables and code blocks in Markdown, and the validation page, which is
#     written by a program, with its template
#   C++ and kernels as clang-format 14 writes them by .clang-format (other versions write otherwise)
#   no algorithm of std::ranges that returns a subrange: clang 14, which builds the sanitizers, has none with
#     GCC 12's library
#   Lua without findings of luacheck
#   nothing in the top folder but what belongs there
# Status 77: all is well as far as could be seen, but one of the two programs is missing.
set -eu
cd "$(dirname "$0")/../.."
bad=0 missing=0
files=$(find CMakeLists.txt README.md bootstrap .luacheckrc cmake core docs kernels plugins scripts tests -type f)

# wide FILE...: the lines beyond 120 columns, as FILE:LINE: text.
wide() { LC_ALL=C.UTF-8 grep -nHE '^.{121}' "$@"; }
# prose FILE...: the same of Markdown.
prose() {
  local file
  for file in "$@"; do
    awk '/^ *```/ { code = !code } { print code || /^ *\|/ ? "" : $0 }' "$file" |
      LC_ALL=C.UTF-8 grep -nHE --label="$file" '^.{121}'
  done
}

files=$(grep -v '^docs/validation\.md' <<< "$files")
mapfile -t text < <(grep -E '\.(cc|h|lua|cmake|sh|cases|txt|in|gp)$|bootstrap$|luacheckrc$' <<< "$files")
mapfile -t pages < <(grep -E '\.md$' <<< "$files")
mapfile -t cxx < <(grep -E '\.(cc|h)$' <<< "$files")

clang_format=$(command -v clang-format-14 || command -v clang-format || true)
case $([ -z "$clang_format" ] || "$clang_format" --version) in
  *" version 14."*)
    [ "${1:-}" != --fix ] || "$clang_format" -i "${cxx[@]}"
    # The first finding of each file is enough.
    found=$("$clang_format" --dry-run --ferror-limit=1 "${cxx[@]}" 2>&1 | grep -E '^[^ ].*: (warning|error):' || true)
    if [ -n "$found" ]; then
      bad=1
      echo "not as clang-format has it; ./bootstrap format does it:"
      cut -d: -f1,2 <<< "$found" | sed 's/^/  /'
    fi
    ;;
  *) missing=1; echo "no clang-format 14: the format of C++ was not looked at" ;;
esac

found=$({ wide "${text[@]}"; prose "${pages[@]}"; } || true)
if [ -n "$found" ]; then bad=1; echo "wider than 120 columns:"; sed 's/^/  /' <<< "$found"; fi

found=$(grep -nHE 'ranges::(unique|remove|remove_if|partition|rotate|search|find_end|equal_range)\(|std::views::' \
  "${cxx[@]}" || true)
if [ -n "$found" ]; then bad=1; echo "clang 14 does not compile:"; sed 's/^/  /' <<< "$found"; fi

top=".ci .clang-format .clang-tidy .github .gitignore .luacheckrc CHANGELOG.md CITATION.cff CMakeLists.txt
  CMakePresets.json CONTRIBUTING.md LICENSE README.md SECURITY.md bootstrap cmake core docs findings kernels packaging
  plugins scripts tests"
found=$({ git ls-files 2> /dev/null || true; } | cut -d/ -f1 | sort -u |
  grep -vxF "$(tr -s ' \n' '\n' <<< "$top")" || true)
if [ -n "$found" ]; then bad=1; echo "in the top folder, where it does not belong:"; sed 's/^/  /' <<< "$found"; fi

if command -v luacheck > /dev/null; then
  luacheck -q --no-color scripts tests || bad=1
else
  missing=1
  echo "no luacheck: Lua was not looked at"
fi

[ "$bad" = 0 ] || exit 1
[ "$missing" = 0 ] || exit 77
