#!/usr/bin/env bash
# versions.sh: every file that says bmsim's version says that of CMakeLists.txt, and a release would write a new one
# into all of them, into the changelog its day, and into nothing else. Skipped (77) without git.
set -euo pipefail
cd "$(dirname "$0")/../.."
fail() { echo "versions: $1" >&2; exit 1; }
version=$(sed -n 's/^project(bmsim VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fail "CMakeLists.txt has none"
expect() { grep -q "$2" "$1" || fail "$1 has no line like $2"; }
spack=packaging/spack/spack_repo/bmsim/packages/bmsim/package.py
expect CITATION.cff "^version: $version\$"
expect CHANGELOG.md "^## \[$version\] - "
expect $spack "^    version(\"$version\", tag=\"v$version\")\$"
for file in packaging/release.sh packaging/conda/build.sh; do bash -n "$file"; done

command -v git > /dev/null || { echo "not tested: a release needs git"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
tar cf - --exclude=./build --exclude='./build-*' --exclude=./.git . | tar xf - -C "$work/tree"
cd "$work/tree"
export GIT_CONFIG_GLOBAL=/dev/null
commit() { git add -A && git -c user.name=t -c user.email=t@localhost commit -qm "$1"; }
git init -q
commit all
refused() {  # what it says, arguments
  local words=$1
  shift
  if packaging/release.sh "$@" 2> ../said; then fail "release.sh $* does not fail"; fi
  grep -qF "$words" ../said || fail "release.sh $* says: $(cat ../said)"
}
refused "give a version such as 1.2.3, got '1.2'" 1.2 --dry-run
refused "the second argument must be --dry-run, got '--dry'" "$version" --dry
refused "CHANGELOG.md has no entry for 9.9.9" 9.9.9 --dry-run
sed -i "s/^## \[$version\] - .*/## [9.9.9] - unreleased\n\n&/" CHANGELOG.md
refused "the tree has changes that are not committed" 9.9.9 --dry-run
commit changelog
before=$(git rev-parse HEAD)
packaging/release.sh 9.9.9 --dry-run > ../said || { cat ../said >&2; fail "release.sh --dry-run: exit status $?"; }
[ "$(git rev-parse HEAD)" = "$before" ] && [ -z "$(git status --porcelain)" ] && [ ! -e build ] ||
  fail "a dry run changes the tree: $(git status --porcelain)"
day='[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]'
for line in "project(bmsim VERSION 9.9.9 LANG.*" "version: 9.9.9" "date-released: $day" \
  '    version("9.9.9", tag="v9.9.9")' '    spack dev-build bmsim@9.9.9.' "## \[9.9.9\] - $day"; do
  grep -qx "+$line" ../said || { cat ../said >&2; fail "a release does not write a line '$line'"; }
done
[ "$(grep -c '^+[^+ ].*\|^+    ' ../said)" = 6 ] || { cat ../said >&2; fail "a release writes other lines, too"; }
grep -q '^[0-9a-f]\{64\}  bmsim-9.9.9.tar.gz$' ../said || fail "a release makes no sources"
for words in "./bootstrap test all" "cpack " "pip wheel" "now: git tag -s v9.9.9"; do
  grep -qF -- "$words" ../said || fail "a release says nothing of: $words"
done
git tag v9.9.9
refused "there is a tag v9.9.9" 9.9.9 --dry-run
