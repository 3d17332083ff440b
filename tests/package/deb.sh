#!/usr/bin/env bash
# deb.sh BUILD: makes the .deb of a build, installs it in a new Debian or Ubuntu of this release with nothing else in
# it, and uses it there. Skipped (77) where that cannot be made: it needs root, mmdebstrap, and the distribution's
# packages.
set -euo pipefail
build=$(realpath "$1")
. "$(dirname "$0")/system.sh"
# shellcheck disable=SC1091
. /etc/os-release
[ "$ID" = debian ] || [ "$ID" = ubuntu ] || skip "this is neither Debian nor Ubuntu"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$build" && cpack -G DEB -B "$work") > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "cpack makes none"; }
deb=$(echo "$work"/*.deb)
[ "$(stat -c %s "$deb")" -lt 15000000 ] || fail "it is larger than 15 MB"
if dpkg-deb -c "$deb" | grep -E '/lib[^/]*\.so' | grep -v libbmsim; then fail "it carries copies of libraries"; fi
new_system "$ID" "$VERSION_CODENAME" "$work/system"
try_package "$work/system" "$deb" || fail "it does not work in a new $ID $VERSION_CODENAME"
