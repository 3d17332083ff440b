#!/usr/bin/env bash
# ubuntu.sh [RELEASE]: builds bmsim and its .deb in a new Ubuntu (noble, 24.04), installs that in another one with
# nothing else in it, and uses it there. Takes as long as a build. Skipped (77) where no Ubuntu can be made: it needs
# root, mmdebstrap, Ubuntu's keys and its packages.
set -euo pipefail
release=${1:-noble}
. "$(dirname "$0")/system.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

new_system ubuntu "$release" "$work/maker"
copy_sources "$work/maker/sources"
inside "$work/maker" bash -c 'cd /sources && ./bootstrap build && apt-get install -y -qq --no-install-recommends \
  dpkg-dev file && cd build && cpack -G DEB' > "$work/log" 2>&1 ||
  { tail -n 20 "$work/log" >&2; fail "no package is made in Ubuntu $release"; }
new_system ubuntu "$release" "$work/system"
try_package "$work/system" "$(echo "$work"/maker/sources/build/bmsim_*.deb)" ||
  fail "it does not work in a new Ubuntu $release"
