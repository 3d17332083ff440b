# Without gnuplot: one error that names the package, after which nothing is lost.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local ffi = require "ffi"
ffi.cdef "int setenv(const char* name, const char* value, int overwrite);"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = motor, sweep = { "gaussian.D", { 1, 2, 3 } }, dt = 0.1, time = 1, paths = 16 }
ffi.C.setenv("PATH", "/nowhere", 1)
r:plot { x = "gaussian.D", y = "velocity", file = "v.gp" }
r:plot { x = "gaussian.D", y = "velocity", file = "v.svg" }
LUA
status=0
"$bmsim" script.lua > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
echo "script.lua:8: plot: gnuplot is not installed (Debian: gnuplot-nox); the data is kept in" \
  "'v.svg.csv', and the picture to be drawn in 'v.svg.gp'" > expected
diff expected stderr || fail "another message"
expect_table v.svg.csv 3 gaussian.D velocity velocity_err
diff <(grep -v '^set \(terminal\|output\)' v.gp) <(grep -v '^set \(terminal\|output\)' v.svg.gp) || fail "two texts"
expect_text v.svg.gp "set output 'v.svg'"
[ "$(ls)" = "$(printf '%s\n' expected script.lua stderr stdout v.gp v.svg.csv v.svg.gp)" ] || fail "left behind: $(ls)"
