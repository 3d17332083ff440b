# output = writes the same table as r:write.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local free = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = free, dt = 0.1, time = 1, paths = 16, output = "a.csv" }
assert(r.points == 1 and type(r.info.steps) == "number" and type(r.info.device) == "string")
r:write "b.csv"
r:print()
local whole = io.open("whole", "w")
whole:write(tostring(r), "\n")
whole:close()
LUA
"$bmsim" script.lua > printed || fail "exit status $?"
tail -n 2 whole | cmp - printed || fail "print(r) does not end in what r:print() prints"
expect_text whole "1 point of an overdamped model, 16 paths, 10 steps of dt = 0.1; method heun"
expect_table a.csv 1 velocity velocity_err
expect_text a.csv "gaussian"
diff <(grep -v '^#' a.csv) <(grep -v '^#' b.csv) || fail "the two files differ"
