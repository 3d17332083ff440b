#!/usr/bin/env bash
# ubuntu.sh folder BUILD: the install of a build, copied to a new Ubuntu 24.04 that has a compiler and nothing else,
#   works there.
# ubuntu.sh deb: builds bmsim and its .deb in a new Ubuntu 24.04, installs that in another one with nothing else in it,
#   and uses it there. Takes as long as a build.
# Skipped (77) where no Ubuntu can be made: it needs root, mmdebstrap, Ubuntu's keys and its packages.
set -euo pipefail
release=noble
. "$(dirname "$0")/system.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

case $1 in
  folder)
    new_system ubuntu $release "$work/system"
    cmake --install "$2" --prefix "$work/system/opt/bmsim" --strip > "$work/log" ||
      fail "no install: $(cat "$work/log")"
    first_script "$work/system/tmp/first.lua"
    inside "$work/system" bash -c 'export DEBIAN_FRONTEND=noninteractive
      apt-get update -qq && apt-get install -y -qq --no-install-recommends g++' > "$work/log" 2>&1 ||
      { tail -n 3 "$work/log" >&2; skip "no compiler could be installed in Ubuntu"; }
    inside "$work/system" bash -c 'cd /tmp && /opt/bmsim/bin/bmsim --device cpu first.lua &&
      /opt/bmsim/bin/bmsim show first.nc | grep -q "^  velocity "' ||
      fail "a folder that is copied to Ubuntu $release does not work there"
    ;;
  deb)
    new_system ubuntu $release "$work/maker"
    copy_sources "$work/maker/sources"
    inside "$work/maker" bash -c 'cd /sources && ./bootstrap build && apt-get install -y -qq --no-install-recommends \
      dpkg-dev file && cd build && cpack -G DEB' > "$work/log" 2>&1 ||
      { tail -n 20 "$work/log" >&2; fail "no package is made in Ubuntu $release"; }
    new_system ubuntu $release "$work/system"
    try_package "$work/system" "$(echo "$work"/maker/sources/build/bmsim_*.deb)" ||
      fail "it does not work in a new Ubuntu $release"
    ;;
  *) fail "folder BUILD or deb, not '$1'" ;;
esac
