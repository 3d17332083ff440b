#!/usr/bin/env bash
# arm.sh WHAT PROGRAM BUILD: what a build for 64-bit ARM computes under qemu, compared with PROGRAM on this machine.
#   single, double  all digits of kinds.lua, in this precision
#   host            all digits of host.lua
#   plugin          the same of a plugin that is compiled for it outside of the tree
#   netcdf          PROGRAM computes again, digit by digit, what is in ARM's file; either one reads both files
#   capi            the same of a front end in C; the tests of the C API
#   functions       the tests of the kernels' functions and of formulas
#   deb             the package: its architecture, and that all it depends on is there
# Skipped (77) without such a build, which ./bootstrap arm makes.
set -euo pipefail
what=$1
program=$(realpath "$2")
build=$(realpath -m "$3")
source=$(realpath "$(dirname "$0")/../..")
fail() { echo "arm: $1" >&2; exit 1; }
if [ ! -x "$build/bin/bmsim" ]; then
  echo "not tested: there is no build for 64-bit ARM in $build; ./bootstrap arm makes it"
  exit 77
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
unset BMSIM_CXX BMSIM_KERNEL_FLAGS

# on_arm PROGRAM ARGUMENT...: kernels are compiled here, for a processor that has no more than NEON.
on_arm() {
  BMSIM_CXX=aarch64-linux-gnu-g++ BMSIM_KERNEL_FLAGS=-mcpu=neoverse-n1 BMSIM_NETCDF=$work/netcdf \
    qemu-aarch64 -L "$build/sysroot" "$@"
}
# A program that another one starts is not under qemu by itself.
printf '#!/bin/sh\nexec qemu-aarch64 -L %q %q "$@"\n' "$build/sysroot" "$build/lib/bmsim/netcdf" > netcdf
chmod +x netcdf

# same OPTION...: both programs print the same.
same() {
  "$program" --device cpu "$@" > here || fail "exit status $? here"
  on_arm "$build/bin/bmsim" --device cpu "$@" > on_arm || fail "exit status $? under qemu"
  [ -s here ] || fail "nothing is printed"
  cmp -s here on_arm || { diff here on_arm | cut -c 1-200 | head -n 6 >&2; fail "other digits"; }
}

case $what in
  single | double)
    BMSIM_KERNEL_GROUP=2 same --precision "$what" "$source/tests/kernels/kinds.lua"
    [ "$(wc -l < here)" -gt 50 ] || fail "only $(wc -l < here) lines"
    ;;
  host)
    same "$source/tests/arm/host.lua"
    ;;
  plugin)
    "$program" plugin new noise mine > /dev/null
    options=(-std=c++20 -O3 -ffp-contract=off -shared -fPIC -Wno-psabi -I "$source/core/include" mine/mine.cc)
    mkdir lib_here lib_on_arm
    c++ "${options[@]}" -o lib_here/mine.so
    aarch64-linux-gnu-g++ "${options[@]}" -o lib_on_arm/mine.so
    cat > script.lua <<'LUA'
local bm = require "bmsim"
local r = bm.run { model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.mine {} },
  time = 2, dt = 0.01, paths = 300, check_step = false, observe = { "velocity", bm.observe.moments { count = 4 } } }
for _, column in ipairs(r:columns()) do print(column, ("%.17g"):format(r:column(column)[1])) end
for _, array in ipairs(r:arrays()) do
  for _, value in ipairs(r:array(array).values[1]) do print(array, ("%.17g"):format(value)) end
end
LUA
    "$program" --plugin-path lib_here --device cpu script.lua > here || fail "exit status $? here"
    on_arm "$build/bin/bmsim" --plugin-path lib_on_arm --device cpu script.lua > on_arm ||
      fail "exit status $? under qemu"
    [ -s here ] && cmp here on_arm || fail "other digits"
    # A library for another processor is refused with a message, and nothing worse.
    if on_arm "$build/bin/bmsim" --plugin-path lib_here/mine.so plugin list > log 2>&1; then
      fail "a plugin for another processor is taken"
    fi
    grep -q 'mine.so' log || fail "no message about a plugin for another processor: $(cat log)"
    ;;
  netcdf)
    cat > script.lua <<'LUA'
local bm = require "bmsim"
local r = bm.run { model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } },
  sweep = { "force", { 0, 1, 2 } }, time = 2, dt = 0.01, paths = 300, check_step = false,
  observe = { "velocity", bm.observe.density { bins = 8 } } }
r:write(arg[1])
LUA
    "$program" --device cpu script.lua here.nc
    on_arm "$build/bin/bmsim" --device cpu script.lua on_arm.nc || fail "exit status $? under qemu"
    "$program" rerun --yes on_arm.nc > log 2>&1 || { cat log >&2; fail "what ARM wrote is not repeated here"; }
    for file in here.nc on_arm.nc; do
      "$program" export $file --csv > here
      on_arm "$build/bin/bmsim" export $file --csv > on_arm
      cmp here on_arm || fail "another table of $file"
    done
    ;;
  capi)
    front_end=$source/tests/capi/outside/in_c.c
    cc "$front_end" -o in_c -I "$source/core/include" -L "$(dirname "$program")/../lib" -lbmsim -lm \
      -Wl,-rpath,"$(realpath "$(dirname "$program")/../lib")"
    aarch64-linux-gnu-gcc --sysroot="$build/sysroot" "$front_end" -o in_c.arm -I "$source/core/include" \
      -L "$build/lib" -lbmsim -lm -Wl,-rpath,"$build/lib" -Wl,-rpath-link,"$build/sysroot/usr/lib/aarch64-linux-gnu"
    ./in_c > here
    on_arm ./in_c.arm > on_arm || fail "exit status $? under qemu"
    [ "$(wc -l < here)" -eq 3 ] && cmp here on_arm || fail "another table"
    on_arm "$build/tests/capi/test_capi" > log 2>&1 || { tail -n 40 log >&2; fail "the tests of the C API fail"; }
    ;;
  functions)
    # Of the kernels' functions those that do not try millions of numbers.
    cases="device lookup*,device Philox*,device uniforms*,device exponentials*,near-Gaussian*"
    cases+=",device math: gather*,device math: exp*,device math: atan2*"
    for real in float double; do
      on_arm "$build/tests/unit/test_formula_$real" > log 2>&1 || { tail -n 40 log >&2; fail "formulas in $real"; }
      on_arm "$build/tests/unit/test_kernel_$real" -tc="$cases" > log 2>&1 ||
        { tail -n 40 log >&2; fail "functions in $real"; }
      grep -q 'test cases: *9 ' log || { tail -n 4 log >&2; fail "other cases than these"; }
    done
    ;;
  deb)
    (cd "$build" && DPKG_ADMINDIR=$build/sysroot/packages cpack -G DEB -B "$work") > log 2>&1 ||
      { cat log >&2; fail "no package can be made"; }
    deb=$(echo ./*.deb)
    [[ $deb = *_arm64.deb && $(dpkg-deb -f "$deb" Architecture) = arm64 ]] || fail "$deb is of another architecture"
    dpkg-deb -f "$deb" Depends > depends
    for library in libc6 libstdc++6 libluajit-5.1-2 libyaml-cpp libfmt; do
      grep -q "$library" depends || fail "it does not depend on $library: $(cat depends)"
    done
    dpkg-deb -x "$deb" unpacked
    find unpacked -type f -exec file {} + | grep ELF > programs
    if grep -v 'ARM aarch64' programs; then fail "something in it is for another processor"; fi
    [ "$(wc -l < programs)" -gt 20 ] || fail "it has only $(wc -l < programs) programs and libraries"
    [ -s unpacked/usr/share/doc/bmsim/reference/plugins/noise-poisson.md ] || fail "it has no reference of the plugins"
    ;;
  *) fail "unknown: $what" ;;
esac
