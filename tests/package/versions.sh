#!/usr/bin/env bash
# versions.sh: the version that CMakeLists.txt has is that of all files that have one, and a release would begin.
set -euo pipefail
cd "$(dirname "$0")/../.."
fail() { echo "versions: $1" >&2; exit 1; }
version=$(sed -n 's/^project(bmsim VERSION \([0-9.]*\) .*/\1/p' CMakeLists.txt)
[ -n "$version" ] || fail "CMakeLists.txt has none"
expect() { grep -q "$2" "$1" || fail "$1 has no line like $2"; }
expect CITATION.cff "^version: $version\$"
expect CHANGELOG.md "^## \[$version\] - "
expect packaging/apptainer/bmsim.def "^    Version $version\$"
expect packaging/spack/package.py "^    version(\"$version\")\$"
for file in packaging/release.sh packaging/conda/build.sh; do bash -n "$file"; done
python3 -m py_compile packaging/spack/package.py && rm -rf packaging/spack/__pycache__

# A release in a copy of the sources, without doing anything.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/tree"
tar cf - --exclude=./build --exclude='./build-*' --exclude=./.git . | tar xf - -C "$work/tree"
cd "$work/tree"
git init -q
git add -A
git -c user.name=t -c user.email=t@localhost commit -qm all
packaging/release.sh "$version" --dry-run > ../said || fail "release.sh $version --dry-run: exit status $?"
[ -z "$(git status --porcelain)" ] || fail "a dry run of a release changes files: $(git status --porcelain)"
if packaging/release.sh 9.9.9 --dry-run 2> ../said; then fail "a version without an entry in CHANGELOG.md is released"; fi
grep -q "CHANGELOG.md has no entry for 9.9.9" ../said || fail "it says: $(cat ../said)"
