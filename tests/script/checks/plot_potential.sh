# The potential of a model: V(x) - force x, a curve for each point of a sweep, and the places where a path was.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local sine = bm.overdamped { potential = bm.potential.sine { V0 = 2, L = 0.5 }, force = function() return 0 end }
bm.plot(sine, { xrange = { -1, 1 }, file = "sine.gp" })
bm.plot(sine, { xrange = { -1, 1 }, sweep = { "sine.V0", { 1, 3 } }, file = "heights.gp" })
local tilted = bm.overdamped { potential = bm.potential.piecewise_linear {}, force = 1.5 }
bm.plot(tilted, { xrange = { -1, 2 }, sweep = { "force", { 0, 1.5 } }, file = "tilted.gp" })
local well = bm.underdamped { potential = bm.potential.formula { "k*x^2/2", k = 3 },
                              noise = bm.noise.gaussian { T = 0.2 } }
local r = bm.run { model = well, paths = 4, dt = 0.01, time = 3, transient = 0, precision = "double", device = "cpu",
                   observe = bm.observe.paths { paths = 2, count = 20 } }
bm.plot(well, { xrange = { -2, 2 }, path = r, file = "well.gp" })
for i, x in ipairs(r:array "paths_x".values[1]) do
  if i <= 20 then print(("%.5f %.5f"):format(x, 1.5 * x * x)) end
end
bm.figure { { well, xrange = { -2, 2 } }, { r, array = "paths_x" }, file = "figure.gp" }
local moving = bm.overdamped { potential = bm.potential.formula { "(x - u*t)^2", u = 2 } }
bm.plot(moving, { xrange = { 0, 4 }, time = 1, file = "moving.gp" })
LUA
"$bmsim" --dry-run script.lua > stdout || fail "a dry run: exit status $?"
[ "$(ls)" = "$(printf 'script.lua\nstdout')" ] || fail "a dry run made $(ls)"
"$bmsim" --quiet script.lua > path || fail "exit status $?"

# block FILE NUMBER: the values of a block of data.
block() { sed -n "/^\\\$\\(p1_\\)\\?curve$2 /,/^EOD/p" "$1" | sed '1d;$d'; }
[ "$(block sine.gp 1 | wc -l)" = 601 ] || fail "sine.gp has $(block sine.gp 1 | wc -l) places"
block sine.gp 1 | awk '{ d = $2 - 2 * sin(4 * 3.14159265358979 * $1); if (d * d > 1e-12) bad = 1 } END { exit bad }' ||
  fail "V of sine.gp: $(block sine.gp 1 | head -n 3)"
expect_text sine.gp "with lines lw 1.5 dt 1 lc rgb '#0072B2' notitle"
expect_text heights.gp "title '{/:Italic V}_{0} = 3'"
expect_text heights.gp "set ylabel '{/:Italic V}({/:Italic x})"
# The second curve is the first one less 1.5 x.
paste <(block tilted.gp 1) <(block tilted.gp 2) | awk '{ d = $2 - $4 - 1.5 * $1; if (d * d > 1e-12) bad = 1 }
  END { exit bad || NR != 601 }' || fail "the tilt"
expect_text tilted.gp "set ylabel '{/:Italic V}({/:Italic x}) − {/:Italic f x}'"
expect_text tilted.gp "title '{/:Italic f} = 1.5'"
# The first path, on the curve.
diff <(block well.gp 2 | awk '{ printf "%.5f %.5f\n", $1, $2 }' | sed 's/-0\.00000/0.00000/g') \
  <(sed 's/-0\.00000/0.00000/g' path) || fail "the path"
[ "$(block figure.gp 1 | wc -l)" = 601 ] || fail "the panel"
block moving.gp 1 | awk '{ d = $2 - ($1 - 2) ^ 2; if (d * d > 1e-12) bad = 1 } END { exit bad }' || fail "V at t = 1"
