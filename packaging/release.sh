#!/usr/bin/env bash
# release.sh VERSION [--dry-run]: from a clean tree to the files of a release in build/release: the sources, the package
# for this Debian or Ubuntu, the Python wheel, and their checksums. Writes the version wherever it stands, runs all
# tests, commits, and says how to tag and publish; it publishes nothing itself, and where it fails the tree is as it was.
# --dry-run: makes the commit and the sources in a copy that it throws away, shows what would change, and says the rest.
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

# do_it COMMAND...: what a dry run only says.
do_it() {
  echo "+ $*"
  [ -n "$dry" ] || "$@"
}

commit=(git commit -qm "Version $version" --allow-empty)
if [ -n "$dry" ]; then
  copy=$(mktemp -d)
  trap 'rm -rf "$copy"' EXIT
  git clone -q . "$copy/bmsim"
  cd "$copy/bmsim"
  commit=(git -c user.name=release -c user.email=release@localhost "${commit[@]:1}")
else
  trap 'git reset -q --hard HEAD' ERR  # nothing is lost: the tree was clean
fi

spack=packaging/spack/spack_repo/bmsim/packages/bmsim/package.py
today=$(date -u +%F)
sed -i "s/^project(bmsim VERSION [0-9.]*/project(bmsim VERSION $version/" CMakeLists.txt
sed -i "/^date-released:/d; s/^version: .*/version: $version\ndate-released: $today/" CITATION.cff
sed -i "s/^    version(\"[0-9.]*\", tag=\"v[0-9.]*\")/    version(\"$version\", tag=\"v$version\")/
        s/dev-build bmsim@.*/dev-build bmsim@$version./" $spack
sed -i "s/^## \[$version\] - .*/## [$version] - $today/" CHANGELOG.md
do_it ./bootstrap test
do_it ./bootstrap test all
git add -u
"${commit[@]}"
trap - ERR
[ -z "$dry" ] || git show --format= -U0

# Whoever has the tag makes the same bytes: times are the commit's.
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH
rm -rf build/release
mkdir -p build/release
name=bmsim-$version
git archive --format=tar --prefix="$name/" HEAD | gzip -9n > "build/release/$name.tar.gz"
tar xzOf "build/release/$name.tar.gz" "$name/CMakeLists.txt" | grep "^project(bmsim VERSION $version " > /dev/null ||
  fail "the sources in build/release/$name.tar.gz have another version"
do_it cpack --config build/CPackConfig.cmake -G DEB -B build/release
do_it rm -rf build/release/_CPack_Packages
do_it python3 -m pip wheel -q --no-deps -w build/release scripts/python
(cd build/release && sha256sum bmsim* | tee SHA256SUMS)
echo "now: git tag -s v$version -m 'Version $version' && git push origin HEAD v$version, and publish build/release"
