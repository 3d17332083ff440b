# --keep-source keeps what is compiled and what comes of it, also when it comes from the cache; --verbose says where,
# and how long it took.
export XDG_CACHE_HOME="$PWD/cache"
cat > run.lua <<'LUA'
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.01, time = 1, paths = 64, device = "cpu",
}
assert(r.points == 1)
LUA
for cached in false true; do
  rm -rf kept
  "$bmsim" --verbose --keep-source kept/here run.lua > stdout 2> stderr || { cat stderr >&2; fail "exit status $?"; }
  [ ! -s stdout ] || fail "on stdout: $(cat stdout)"
  expect_text stderr "bmsim: kernel_cached    $cached"
  expect_text stderr "bmsim: compile_seconds  "
  expect_text stderr "bmsim: device           cpu"
  source=$(echo kept/here/kernel-*.cc)
  expect_text stderr "bmsim: kernel_source    $source"
  expect_text "$source" '#line 1 "kernels/loop.h"'
  expect_text "${source%.cc}.so" "bm_kernel_advance"
  [ "$(ls kept/here | wc -l)" = 2 ] || fail "kept: $(ls kept/here)"
done
BMSIM_KERNEL_FLAGS=-g "$bmsim" --keep-source kept/here run.lua || fail "exit status $? with -g"
[ "$(grep -l debug_info kept/here/*.so | wc -l)" = 1 ] || fail "no debug information with -g, or without"
rm -rf kept cache
"$bmsim" run.lua > stdout 2> stderr || fail "exit status $?"
[ ! -s stderr ] || fail "on stderr: $(cat stderr)"
[ ! -e kept ] || fail "kept without being asked"
