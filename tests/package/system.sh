# shellcheck shell=bash disable=SC2154
# A new system of Debian or Ubuntu, and what a package does in one. For bash scripts with `work`, a folder of theirs.
skip() { echo "not tested: $1"; exit 77; }
fail() { echo "package: $1" >&2; exit 1; }

# new_system DISTRIBUTION RELEASE FOLDER: a minimal system with the distribution's packages to install.
new_system() {
  local options=() components=main
  [ "$1" = debian ] || components=main,universe
  [ "$(id -u)" -eq 0 ] || skip "only root can make another system"
  command -v mmdebstrap > /dev/null || skip "no mmdebstrap"
  if [ "$1" = ubuntu ] && ! grep -qsx ID=ubuntu /etc/os-release &&
    [ ! -e /usr/share/keyrings/ubuntu-archive-keyring.gpg ]; then
    # Nothing here can tell Ubuntu's packages from others.
    [ -n "${UBUNTU_UNSIGNED:-}" ] || skip "no keys of Ubuntu; UBUNTU_UNSIGNED=1 takes its packages without them"
    options=(--aptopt='Acquire::AllowInsecureRepositories "true"' --aptopt='APT::Get::AllowUnauthenticated "true"')
  fi
  mmdebstrap --variant=minbase --include=apt --components="$components" "${options[@]}" "$2" "$3" > "$work/log" 2>&1 ||
    { tail -n 3 "$work/log" >&2; skip "no $1 $2 could be made"; }
  cp /etc/resolv.conf "$3/etc/"
  inside "$3" true 2> "$work/log" || skip "it cannot have a /proc: $(cat "$work/log")"
}

# inside FOLDER COMMAND...: runs a command in a system.
inside() {
  # shellcheck disable=SC2016  # these are the inner shell's
  unshare --mount --pid --fork bash -c 'mount -t proc proc "$0/proc" && exec chroot "$0" "$@"' "$@"
}

# try_package FOLDER FILE.deb: it installs, runs a script, builds a front end by pkg-config, and leaves nothing behind.
try_package() {
  cp "$2" "$1/tmp/bmsim.deb"
  first_script "$1/tmp/first.lua"
  cat > "$1/tmp/front.c" <<'C'
#include <bmsim/bmsim.h>
#include <stdio.h>
int main(void) { return puts(bm_version()) < 0 || bm_plugin_load_directory(bm_plugin_directory()) != BM_OK; }
C
  cat > "$1/tmp/try.sh" <<'SH'
set -e
export DEBIAN_FRONTEND=noninteractive
apt-get update -qq
install() {
  apt-get install -y -qq --no-install-recommends "$@" > /tmp/log 2>&1 || { tail -n 5 /tmp/log >&2; exit 1; }
}
install /tmp/bmsim.deb
cd /tmp
bmsim --device cpu first.lua
bmsim show first.nc | grep '^  velocity ' > /dev/null
bmsim plugin list | grep poisson > /dev/null
install pkg-config
cc -Wall -Werror front.c -o front $(pkg-config --cflags --libs bmsim)
[ "bmsim $(./front)" = "$(bmsim --version)" ] || { echo "the library says version $(./front)" >&2; exit 1; }
[ -d "$(pkg-config --variable=plugindir bmsim)" ] || { echo "pkg-config names no folder of plugins" >&2; exit 1; }
[ -s /usr/share/doc/bmsim/copyright ] || { echo "no copyright" >&2; exit 1; }
apt-get remove -y -qq bmsim > /tmp/log 2>&1
[ ! -e /usr/bin/bmsim ] && [ ! -e /usr/lib/bmsim ] || { echo "something of it is left" >&2; exit 1; }
SH
  inside "$1" bash /tmp/try.sh
}

# first_script FILE: a run whose numbers are compared with the exact ones, and a result file.
first_script() {
  cat > "$1" <<'LUA'
local bm = require "bmsim"
local ring = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.5 } }
local r = bm.run { model = ring, sweep = { "force", { 2, 4 } }, paths = 1024, time = 20 }
r:compare()
for _, z in ipairs(r:column "z") do assert(math.abs(z) < 4, z) end
r:write "first.nc"
LUA
}

# copy_sources FOLDER: the sources without what was built.
copy_sources() {
  mkdir -p "$1"
  (cd "$(dirname "${BASH_SOURCE[0]}")/../.." && tar cf - --exclude=./build --exclude='./build-*' --exclude=./.git .) |
    tar xf - -C "$1"
}
