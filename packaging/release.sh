#!/usr/bin/env bash
# release.sh VERSION [--dry-run]: from a clean tree to the files of a release, in build/release: sources, the package
# for this Debian or Ubuntu, the Python wheel. Writes the version where it stands, runs all tests, commits, and says how
# to tag and publish: it publishes nothing itself. --dry-run: says what it would do, and changes nothing.
set -euo pipefail
cd "$(dirname "$0")/.."
version=${1:-}
dry=${2:-}
fail() { echo "release: $1" >&2; exit 1; }

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ ]] || fail "give a version such as 1.2.3, got '$version'"
[[ $dry = "" || $dry = --dry-run ]] || fail "the second argument must be --dry-run, got '$dry'"
[ -z "$(git status --porcelain)" ] || fail "the tree has changes that are not committed"
grep -q "^## \[$version\] - " CHANGELOG.md || fail "CHANGELOG.md has no entry for $version"
if git rev-parse -q --verify "refs/tags/v$version" > /dev/null; then fail "there is a tag v$version"; fi

do_it() {
  echo "+ $*"
  [ -n "$dry" ] || "$@"
}
do_it sed -i "s/^project(bmsim VERSION [0-9.]*/project(bmsim VERSION $version/" CMakeLists.txt
do_it sed -i "s/^version: .*/version: $version/" CITATION.cff
do_it sed -i "s/^    Version .*/    Version $version/" packaging/apptainer/bmsim.def
do_it sed -i "s/^    version(\"[0-9.]*\")/    version(\"$version\")/" packaging/spack/package.py
do_it sed -i "s/^## \[$version\] - .*/## [$version] - $(date +%F)/" CHANGELOG.md
do_it ./bootstrap test
do_it ./bootstrap test all
do_it git commit -aqm "Version $version"
do_it mkdir -p build/release
do_it git archive --prefix="bmsim-$version/" -o "build/release/bmsim-$version.tar.gz" HEAD
do_it cpack --config build/CPackConfig.cmake -G DEB -B build/release
do_it python3 -m pip wheel --no-deps -w build/release scripts/python
echo "now: git tag -s v$version && git push origin main v$version, and publish build/release"
