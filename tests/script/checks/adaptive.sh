# Method adaptive in scripts: its tolerance in r.info, in the header of files, and in a run made again from one.
cat > wall.lua <<'SCRIPT'
local bm = require "bmsim"
local wall = bm.potential.formula { "A*exp(k*(cos(2*pi*x/L) - 1))", A = 1, k = 50, L = 1 }
local model = bm.overdamped { potential = wall, noise = bm.noise.gaussian { D = 0.2 }, force = 0.5 }
local function run(local_error, output)
  return bm.run { model = model, dt = 0.02, time = 2, paths = 64, method = "adaptive", local_error = local_error,
                  device = "cpu", output = output }
end
local usual, coarse = run(), run(0.01, "wall.csv")
print(usual.info.method, usual.info.increments, usual.info.local_error, coarse.info.local_error)
print(bm.run { model = model, dt = 0.02, time = 2, paths = 64, device = "cpu" }.info.local_error)
SCRIPT
"$bmsim" --quiet wall.lua > stdout || fail "exit status $?"
diff -u - stdout <<'EXPECTED' || fail "not what was expected"
adaptive	gaussian	0.001	0.01
nil
EXPECTED
expect_text wall.csv "method: adaptive"
expect_text wall.csv "local_error: 0.01"
