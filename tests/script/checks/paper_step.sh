# The method paper without a step, of a model without time scales: the step is that of the motion.
cat > paper.lua <<'LUA'
local bm = require "bmsim"
bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 } },
  time = 1, paths = 10, method = "paper",
}:print()
LUA
"$bmsim" --dry-run paper.lua > stdout || fail "exit status $?"
grep -qE '^steps +[1-9]' stdout || { cat stdout >&2; fail "no steps"; }
"$bmsim" paper.lua > stdout || fail "exit status $?"
