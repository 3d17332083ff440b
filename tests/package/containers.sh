#!/usr/bin/env bash
# containers.sh docker | apptainer: builds a container by its file in packaging/, and runs a script in it as a user who
# is not root. Takes as long as a build. Docker's with Docker, or with buildah on a Debian made by mmdebstrap, which
# needs no registry. Of Apptainer's, where there is no Apptainer, the commands of %post, %test and %runscript in such a
# Debian. Skipped (77) where none of these can be had.
set -euo pipefail
kind=$1
. "$(dirname "$0")/system.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
sources=$work/sources
copy_sources "$sources"
mkdir -m 777 "$work/here"
first_script "$work/here/first.lua"
nobody=65534

# section NAME: the lines of a section of the definition file.
section() {
  awk -v name="%$1" '/^%/ { on = $1 == name; next } on' "$sources/packaging/apptainer/bmsim.def"
}

case $kind in
  docker)
    file=$sources/packaging/docker/Dockerfile
    if docker info > /dev/null 2>&1; then
      docker build -f "$file" -t bmsim-test "$sources" > "$work/log" 2>&1 ||
        { tail -n 20 "$work/log" >&2; fail "docker build fails"; }
      docker run --rm -v "$work/here:/data" --user $nobody bmsim-test --device cpu first.lua
    elif command -v buildah > /dev/null; then
      new_system debian bookworm "$work/system"
      bud() { buildah --root "$work/store" --runroot "$work/run" --storage-driver vfs "$@"; }
      base=$(bud from scratch)
      bud add -q "$base" "$work/system" / > /dev/null
      bud commit -q "$base" localhost/debian:12 > /dev/null
      bud build --isolation chroot --pull-never --build-arg BASE=localhost/debian:12 -f "$file" -t bmsim-test \
        "$sources" > "$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "buildah build fails"; }
      made=$(bud from --pull-never localhost/bmsim-test)
      bud config --user $nobody "$made"
      bud run --isolation chroot -v "$work/here:/data" "$made" -- bmsim --device cpu first.lua
    else
      skip "neither Docker nor buildah"
    fi
    ;;
  apptainer)
    if command -v apptainer > /dev/null; then
      (cd "$sources" && apptainer build "$work/bmsim.sif" packaging/apptainer/bmsim.def) > "$work/log" 2>&1 ||
        { tail -n 20 "$work/log" >&2; fail "apptainer build fails"; }
      (cd "$work/here" && apptainer run "$work/bmsim.sif" --device cpu first.lua)
    else
      new_system debian bookworm "$work/system"
      mv "$sources" "$work/system/sources"
      sources=$work/system/sources
      section post > "$work/system/tmp/post.sh"
      section test > "$work/system/tmp/test.sh"
      (echo set -e; section environment; echo cd /here; section runscript) > "$work/system/tmp/run.sh"
      inside "$work/system" sh /tmp/post.sh > "$work/log" 2>&1 || { tail -n 20 "$work/log" >&2; fail "%post fails"; }
      inside "$work/system" sh /tmp/test.sh || fail "%test fails"
      mv "$work/here" "$work/system/here"
      ln -s "$work/system/here" "$work/here"
      inside "$work/system" setpriv --reuid=$nobody --clear-groups env HOME=/tmp \
        sh /tmp/run.sh --device cpu first.lua
    fi
    ;;
  *) fail "docker or apptainer, not '$kind'" ;;
esac
[ -s "$work/here/first.nc" ] || fail "the run in the container wrote no file"
