# A compiler that is missing, fails, or builds nothing of use: status 3, a message, and nothing broken left in the
# cache.
export XDG_CACHE_HOME="$PWD/cache"
cat > run.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.01, time = 1, paths = 64 }
LUA
run() {
  status=0
  "$bmsim" run.lua > stdout 2> stderr || status=$?
  [ "$status" = "$1" ] || { cat stderr >&2; fail "exit status $status, expected $1"; }
}
BMSIM_CXX=nonsense run 3
expect_text stderr "run.lua:2: device cpu: no C++ compiler 'nonsense' found"
BMSIM_CXX=/ run 3
expect_text stderr "no C++ compiler '/' found"
PATH=/nowhere run 3
expect_text stderr "apt install g++"
BMSIM_CXX=false run 3
expect_text stderr "the source is kept in"
[ "$(wc -l < stderr)" = 1 ] || fail "said besides: $(cat stderr)"
BMSIM_CXX=true run 3
expect_text stderr "kernel: cannot load"
[ -z "$(find cache -name '*.kernel')" ] || fail "kept: $(find cache -name '*.kernel')"
run 0
# Truncated, emptied, or not even a file: built anew.
kernel=$(find cache -name '*.kernel')
head -c 5000 "$kernel" > part && cp part "$kernel" && run 0
: > "$kernel" && run 0
rm "$kernel" && mkdir "$kernel" && run 0
[ -f "$kernel" ] || fail "the kernel was not kept again"
