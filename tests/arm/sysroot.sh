#!/usr/bin/env bash
# sysroot.sh FOLDER PACKAGE...: headers and libraries for 64-bit ARM, of this release of Debian or Ubuntu, in a new
# folder; with all that these packages depend on. Nothing is installed on this machine. FOLDER/packages is a database of
# dpkg, by which dpkg-shlibdeps finds the packages of libraries.
set -euo pipefail
folder=$(realpath -m "$1")
shift
[ -e "$folder/packages/list" ] && [ "$(cat "$folder/packages/list")" = "$*" ] && exit 0
# shellcheck disable=SC1091
. /etc/os-release
[ "$ID" = debian ] || [ "$ID" = ubuntu ] || { echo "sysroot: this is neither Debian nor Ubuntu" >&2; exit 1; }
components=main
[ "$ID" = debian ] || components=main,universe
rm -rf "$folder"
mkdir -p "$folder"
trap 'rm -rf "$folder"' ERR

# What dpkg would know of the packages, which are only unpacked.
# shellcheck disable=SC2016  # the hook's own
keep='set -e; for deb in "$1"/var/cache/apt/archives/*.deb; do
  to="$1/packages/$(basename "$deb" .deb)"; mkdir -p "$to"; dpkg-deb -e "$deb" "$to"
  dpkg-deb --fsys-tarfile "$deb" | tar -t > "$to/files"; done'
packages=$*
mmdebstrap --quiet --variant=extract --arch=arm64 --components="$components" --include="${packages// /,}" \
  --extract-hook="$keep" "$VERSION_CODENAME" - | tar x -C "$folder" --no-same-owner --exclude='./dev/*'
[ -e "$folder/lib" ] || ln -s usr/lib "$folder/lib"

# Links that begin at / would lead out of the folder.
find "$folder" -type l -lname '/*' | while read -r link; do
  ln -sfn "$(realpath -m --relative-to="$(dirname "$link")" "$folder$(readlink "$link")")" "$link"
done
# HDF5's compiler, which CMake asks for options.
[ ! -e "$folder/usr/bin/h5cc" ] || sed -i "s|^prefix=.*|prefix=$folder/usr|
  s|^CCBASE=.*|CCBASE='aarch64-linux-gnu-gcc --sysroot=$folder'|; s|^CLINKERBASE=.*|CLINKERBASE=\$CCBASE|" \
  "$folder/usr/bin/h5cc"

database=$folder/packages
mkdir "$database/info" "$database/updates"
echo 1 > "$database/info/format"
printf '%s\narm64\n' "$(dpkg --print-architecture)" > "$database/arch"
for package in "$database"/*/control; do
  package=$(dirname "$package")
  name=$(sed -n 's/^Package: //p' "$package/control")
  ! grep -qx 'Multi-Arch: same' "$package/control" || name+=:arm64
  { cat "$package/control"; printf 'Status: install ok installed\n\n'; } >> "$database/status"
  sed "s|^\./|$folder/|; s|/\$||" "$package/files" > "$database/info/$name.list"
  for kind in symbols shlibs; do
    [ ! -e "$package/$kind" ] || mv "$package/$kind" "$database/info/$name.$kind"
  done
  rm -r "$package"
done
echo "$packages" > "$database/list"
