# Too few open files for a compiler: one message that says so. A kernel that is there needs no compiler.
export XDG_CACHE_HOME=$PWD/cache
cat > run.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.1, time = 1, paths = 16, device = "cpu" }
LUA
for most in 6 7 8 9 10; do
  status=0
  (ulimit -n $most; "$bmsim" --quiet run.lua) > stdout 2> stderr || status=$?
  [ $status = 3 ] || { cat stderr >&2; fail "$most files: exit status $status"; }
  [ "$(grep -c "open files" stderr)" = "$(wc -l < stderr)" ] || { cat stderr >&2; fail "$most files: another message"; }
done
expect_text stderr "run.lua:2: kernel: a compiler needs 64 open files, and may have 10 (ulimit -n)"
"$bmsim" --quiet run.lua || fail "exit status $?"
(ulimit -n 8; "$bmsim" --quiet run.lua 2> stderr) || { cat stderr >&2; fail "a kernel that is there does not run"; }
