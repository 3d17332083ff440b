#!/usr/bin/env bash
# deb.sh BUILD: makes the .deb of a build, installs it in a new Debian of this release with nothing else in it, and runs
# bmsim there. Skipped (77) where that cannot be made: it needs root, mmdebstrap, and Debian's packages.
set -euo pipefail
build=$(realpath "$1")
skip() { echo "not tested: $1"; exit 77; }
fail() { echo "package: $1" >&2; exit 1; }
[ "$(id -u)" -eq 0 ] || skip "only root can make another system"
command -v mmdebstrap > /dev/null || skip "no mmdebstrap"
. /etc/os-release
[ "$ID" = debian ] || skip "this is not Debian"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

(cd "$build" && cpack -G DEB -B "$work") > "$work/log" 2>&1 || { cat "$work/log" >&2; fail "cpack makes none"; }
deb=$(echo "$work"/*.deb)
[ "$(stat -c %s "$deb")" -lt 15000000 ] || fail "it is larger than 15 MB"
if dpkg-deb -c "$deb" | grep -E '/lib[^/]*\.so' | grep -v libbmsim; then fail "it carries copies of libraries"; fi

mmdebstrap --variant=minbase "$VERSION_CODENAME" "$work/system" > "$work/log" 2>&1 ||
  { tail -n 3 "$work/log" >&2; skip "no Debian could be made"; }
cp "$deb" "$work/system/tmp/bmsim.deb"
cp /etc/resolv.conf "$work/system/etc/"
cat > "$work/system/tmp/first.lua" <<'LUA'
local bm = require "bmsim"
local ring = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.5 } }
local r = bm.run { model = ring, sweep = { "force", { 2, 4 } }, paths = 1024, time = 20 }
r:compare()
for _, z in ipairs(r:column "z") do assert(math.abs(z) < 4, z) end
r:write "first.nc"
LUA
cat > "$work/system/tmp/try.sh" <<'SH'
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
apt-get install -y -qq --no-install-recommends /tmp/bmsim.deb > /tmp/log 2>&1 || { tail -n 5 /tmp/log >&2; exit 1; }
cd /tmp
bmsim --device cpu first.lua
bmsim show first.nc | grep -q '^  velocity '
bmsim plugin list | grep -q poisson
apt-get remove -y -qq bmsim > /tmp/log 2>&1
[ ! -e /usr/bin/bmsim ] && [ ! -e /usr/lib/bmsim ] || { echo "something of it is left" >&2; exit 1; }
SH
inside() {
  unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$work/system" "$@"
}
inside true 2> "$work/log" || skip "it cannot have a /proc: $(cat "$work/log")"
inside bash /tmp/try.sh || fail "it does not work in a new Debian"
