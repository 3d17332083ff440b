# output = writes the same table as r:write.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local free = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = free, dt = 0.1, time = 1, paths = 16, output = "a.csv" }
assert(r.points == 1 and type(r.info.steps) == "number" and type(r.info.device) == "string")
r:write "b.csv"
local told = io.open("told", "w")
told:write(tostring(r), "\n")
told:close()
r:print()
LUA
"$bmsim" script.lua > printed || fail "exit status $?"
cmp told printed || fail "print(r) is not r:print()"
expect_table a.csv 1 velocity velocity_err
expect_text a.csv "gaussian"
diff <(grep -v '^#' a.csv) <(grep -v '^#' b.csv) || fail "the two files differ"
