# The text that r:plot makes for gnuplot, from columns of fixed numbers: curves with errors and theory, and a map.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped {
  potential = bm.potential.sine {},
  noise = { bm.noise.poisson { name = "strong", a = 2 }, bm.noise.poisson { name = "weak", a = 1 },
            bm.noise.dichotomous { tau = 0.5 } },
}
local r = bm.run {
  model = model, paths = 16, dt = 0.01, time = 0.1, observe = { "velocity", "diffusion" },
  sweep = { { "dichotomous.tau", { 0.5, 2 } }, { "strong.D", { 0.1, 10, 1 } } },
}
local nan = 0 / 0
r:add("j", { 1, 4, 2, -1, nan, -2 }):add("j_err", { 0.5, 0.25, nan, 0, 0, 0.5 })
r:add("exact", { 1, 3, 2, -1, -3, -2 })
r:plot { x = "strong.D", y = "j", group = "dichotomous.tau", theory = "exact", log = "x", title = "It's j",
         file = "curves.gp" }
r:plot { x = "strong.D", y = "dichotomous.tau", z = "j", log = "x", zlabel = "current", size = { 8, 6 },
         file = "map.gp" }
r:plot { x = "velocity", y = "diffusion", units = "on", file = "labels.gp" }
r:plot { x = "velocity", y = "diffusion", file = "no_units.gp" }
local columns = { ["strong.D"] = { 0.1, 10, 0.1, 5 }, j = { 1, 4, -1, -2 }, ["dichotomous.tau"] = { 0.5, 0.5, 2, 2 } }
r:plot { x = "strong.D", y = "j", group = "dichotomous.tau", theory = columns, file = "columns.gp" }
LUA
cat >> script.lua <<'LUA'
bm.plot({ N = { 1, 100, 10 }, speed = { 1, 4, 3 }, speed_err = { 0.5, 0, 0 }, fast = { 2, 6, 4 } },
        { x = "N", y = { "speed", "fast" }, titles = { "one core", "{/:Italic two}" }, log = "x", file = "table.gp" })
bm.plot({ N = { 1, 100, 10 }, speed = { 1, 4, 3 }, fast = { 2, 6, 4 } },
        { x = "N", y = "speed", theory = function(p, N) return p.fast + N end, log = "x", file = "law.gp" })
LUA
"$bmsim" script.lua || fail "exit status $?"

cat > curves.expected <<'GP'
set encoding utf8
set minussign
set terminal pdfcairo size 12cm,9cm enhanced font 'sans-serif,10' fontscale 0.75 linewidth 1.5 pointscale 1.3
set output 'curves.pdf'
set border lw 0.8
set tics scale 0.7 front
set format '%h'
set title 'It'."'".'s j' offset 0,-0.4
$curve1 << EOD
0.1 1
1 2
10 3
EOD
$curve2 << EOD
0.1 -1
1 -2
10 -3
EOD
$curve3 << EOD
0.1 1 0.5 1.5
1 2 2 2
10 4 3.75 4.25
EOD
$curve4 << EOD
0.1 -1 -1 -1
1 -2 -2.5 -1.5
EOD
GP
diff -u curves.expected <(sed '/^set xrange/,$d' curves.gp) || fail "the data of the curves"
# The range has a margin of 3 % in x and 6 % in y.
expect_text curves.gp "set xrange [0.087096359:11.48153621]"
expect_text curves.gp "set yrange [-3.435:4.685]"
expect_text curves.gp "set logscale x"
expect_text curves.gp "set xtics ('' 0.09 1, '0.1' 0.1 0, '' 0.2 1, "
expect_text curves.gp "set xlabel '{/:Italic D}_{P} (strong)'"
expect_text curves.gp "set ylabel '{/:Italic j}'"
cat > curves.expected <<'GP'
set key inside left top Left reverse samplen 1.5
plot \
  $curve1 using 1:2 with lines lw 1.5 dt 1 lc rgb '#0072B2' notitle, \
  $curve2 using 1:2 with lines lw 1.5 dt 1 lc rgb '#D55E00' notitle, \
  $curve3 using 1:3:(0):($4-$3) with vectors nohead lw 1 lc rgb '#0072B2' notitle, \
  $curve3 using 1:2 with points pt 7 ps 0.6 lc rgb '#0072B2' title '{/:Italic τ} = 0.5', \
  $curve4 using 1:3:(0):($4-$3) with vectors nohead lw 1 lc rgb '#D55E00' notitle, \
  $curve4 using 1:2 with points pt 5 ps 0.6 lc rgb '#D55E00' title '{/:Italic τ} = 2', \
  NaN with lines lw 1.5 dt 1 lc rgb '#555555' title 'exact'
unset output
GP
diff -u curves.expected <(sed -n '/^set key/,$p' curves.gp) || fail "how the curves are drawn"

# Edges of cells: half way between the points, on a logarithmic axis by ratio; the cell without a value is left out.
cat > map.expected <<'GP'
$map << EOD
0.1 0.5 0.0316227766 0.316227766 -0.25 1.25 1
1 0.5 0.316227766 3.16227766 -0.25 1.25 2
10 0.5 3.16227766 31.6227766 -0.25 1.25 4
0.1 2 0.0316227766 0.316227766 1.25 2.75 -1
1 2 0.316227766 3.16227766 1.25 2.75 -2
EOD
set xrange [0.0316227766:31.6227766]
GP
diff -u map.expected <(sed -n '/^\$map/,/^set xrange/p' map.gp) || fail "the data of the map"
expect_text map.gp "set terminal pdfcairo size 8cm,6cm"
expect_text map.gp "set ylabel '{/:Italic τ}'"
# Both signs: white is zero.
expect_text map.gp "set cbrange [-4:4]"
expect_text map.gp "set palette defined (0 '#053061', "
expect_text map.gp "0.5 '#f7f7f7', "
expect_text map.gp "set cblabel 'current'"
# Real minus signs.
expect_text map.gp "'−4' -4 0"

expect_text labels.gp "set xlabel '⟨{/:Italic v}⟩  [length/time]'"
expect_text labels.gp "set ylabel '{/:Italic D}_{eff}  [length^{2}/time]'"
expect_text no_units.gp "set xlabel '⟨{/:Italic v}⟩'"

# Theory as columns of its own: a line for each group.
[ "$(sed -n '/^\$curve1/,/^\$curve3/p' columns.gp | tr '\n' ';')" = \
  '$curve1 << EOD;0.1 1;10 4;EOD;$curve2 << EOD;0.1 -1;5 -2;EOD;$curve3 << EOD;' ] || fail "theory as columns"
expect_text columns.gp "NaN with lines lw 1.5 dt 1 lc rgb '#555555' title 'theory'"

# Columns of no result, with titles of their own; theory as a function, of the group's first row, at 301 places.
[ "$(sed -n '/^\$curve1/,/^set xrange/p' table.gp | sed '$d' | tr '\n' ';')" = \
  '$curve1 << EOD;1 1 0.5 1.5;10 3 3 3;100 4 4 4;EOD;$curve2 << EOD;1 2;10 4;100 6;EOD;' ] || fail "columns of a table"
expect_text table.gp "title 'one core'"
expect_text table.gp "title '{/:Italic two}'"
[ "$(sed -n '/^\$curve1/,/^EOD/p' law.gp | sed -n '2p;152p;302p' | tr '\n' ';')" = "1 3;10 12;100 102;" ] ||
  fail "theory as a function"

# Legends in words, numbers in legends, and lines of theory between the points of the sweep: D follows from the swept T,
# and the friction from the force.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local model = bm.underdamped { noise = bm.noise.gaussian { T = 1 }, gamma = function(p) return 1 + p.force ^ 2 end }
local r = bm.run { model = model, paths = 16, dt = 0.1, time = 1, sweep = { { "force", { -3e-7, 2 } },
                   { "gaussian.T", { 0.5, 1, 2 } } } }
local calls = 0
r:add("exact", function(p) return p.gaussian.D * p.gamma end)  -- T
r:add("first_order", function(p) return 2 * p.exact end)
r:add("measured", function(p) return p.velocity + 1e-9 * p.gaussian.T end)
r:add("called", function() calls = calls + 1; return calls end)
r:add("listed", { 1, 2, 3, 1, 2, 3 })
r:add("1/T", function(p) return 1 / p.gaussian.T end)
local function still(p) return p.force < 0 end
r:plot { x = "gaussian.T", y = "velocity", theory = { "exact", "first_order" }, where = still, file = "smooth.gp" }
r:plot { x = "gaussian.T", y = "velocity", theory = "exact", where = still, smooth = false, file = "straight.gp" }
r:plot { x = "1/T", y = "velocity", theory = "exact", theory_titles = "Einstein", where = still, file = "inverse.gp" }
for _, name in ipairs { "measured", "called", "listed" } do
  r:plot { x = "gaussian.T", y = "velocity", theory = name, where = still, file = name .. ".gp" }
end
r:plot { x = "gaussian.D", y = "velocity", theory = "exact", where = still, file = "linked.gp" }
r:plot { x = "gaussian.T", y = "velocity", group = "force", file = "numbers.gp" }
-- The parameters of a run that begins on a grid of as many places as it has paths.
local grid = bm.run { model = model, paths = 8, dt = 0.1, time = 1, sweep = { "force", { 1, 2 } },
                      initial = { x = { from = 0, to = 1, count = 8 } } }
grid:add("exact", function(p) return p.gamma end)
grid:plot { x = "force", y = "velocity", theory = "exact", file = "grid.gp" }
bm.plot({ a = { 1e-7, 1e-3 }, b = { -2e-9, 1e-9 } }, { x = "a", y = "b", log = "x", file = "powers.gp" })
local forced = bm.run { model = model, paths = 16, dt = 0.1, time = 1, sweep = { "force", { 0, 1, 10 } } }
forced:add("exact", function(p) return p.force end)
forced:plot { x = "force", y = "velocity", theory = "exact", log = "x", file = "from_zero.gp" }
-- Two parameters that a list links: between its values nothing is known.
local zipped = bm.run { model = model, paths = 16, dt = 0.1, time = 1,
                        sweep = bm.zip { { "gaussian.T", { 1, 2, 4 } }, { "force", { 3, 1, 2 } } } }
zipped:add("exact", function(p) return p.gaussian.T end)
zipped:plot { x = "gaussian.T", y = "velocity", theory = "exact", file = "zipped.gp" }
LUA
"$bmsim" --quiet --device cpu script.lua || fail "exit status $?"
# block FILE: the values of its first block of data.
block() { sed -n '/^\$curve1/,/^EOD/p' "$1" | sed '1d;$d'; }
[ "$(block smooth.gp | wc -l)" = 301 ] || fail "smooth.gp has $(block smooth.gp | wc -l) places"
block smooth.gp | awk '{ if (($1 - $2)^2 > 1e-16) bad = 1; if (NR > 1 && $1 <= last) bad = 1; last = $1 }
  END { exit bad }' || fail "theory is not right between the points: $(block smooth.gp | head -n 3)"
expect_text smooth.gp "title 'simulation'"
expect_text smooth.gp "title 'exact'"
expect_text smooth.gp "title 'first order'"
[ "$(block inverse.gp | wc -l)" = 301 ] || fail "inverse.gp has $(block inverse.gp | wc -l) places"
block inverse.gp | awk '{ if (($1 * $2 - 1)^2 > 1e-16) bad = 1 } END { exit bad }' || fail "theory over 1/T"
expect_text inverse.gp "title 'Einstein'"
[ "$(block from_zero.gp | head -n 1)" = "1 1" ] || fail "a line beyond the points: $(block from_zero.gp | head -n 1)"
for name in straight measured called listed zipped; do
  [ "$(block $name.gp | wc -l)" = 3 ] || fail "$name.gp has $(block $name.gp | wc -l) places"
done
[ "$(block linked.gp | wc -l)" = 301 ] || fail "linked.gp has $(block linked.gp | wc -l) places"
block linked.gp | awk '{ if (($1 - $2)^2 > 1e-16) bad = 1 } END { exit bad }' || fail "theory over D"
block grid.gp | awk '{ d = $2 - 1 - $1 ^ 2; if (d * d > 1e-16) bad = 1 } END { exit bad || NR != 301 }' || fail "a grid"
expect_text powers.gp "'10^{−7}' 1e-07 0"
expect_text powers.gp "'−2·10^{−9}' -2e-09 0"
expect_text numbers.gp "title '{/:Italic f} = −3·10^{−7}'"
expect_text law.gp "title 'data'"

# Colours of maps: an arrow where values are beyond the scale, and a colour for each of a few values.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local columns = { a = {}, b = {}, steps = {}, height = {} }
for i = 1, 8 do
  for j = 1, 8 do
    local k = #columns.a + 1
    columns.a[k], columns.b[k], columns.steps[k], columns.height[k] = i, j, (i + j) % 3 - 1, i * j
  end
end
local function map(fields)
  fields.x, fields.y = "a", "b"
  bm.plot(columns, fields)
end
map { z = "steps", file = "levels.gp" }
map { z = "steps", discrete = false, file = "scale.gp" }
columns.steps[10] = 0.4
map { z = "steps", file = "other.gp" }
map { z = "steps", discrete = true, file = "asked.gp" }
map { z = "height", zrange = { 2, 64 }, file = "low.gp" }
map { z = "height", zrange = { 1, 40 }, file = "high.gp" }
map { z = "height", file = "all.gp" }
local ok, why = pcall(map, { z = "height", discrete = true, file = "none.gp" })
assert(not ok and why:find("at most 12 values that come again and again, 'height' has others", 1, true), why)
LUA
"$bmsim" script.lua || fail "exit status $?"
expect_text levels.gp "set cbtics ('−1' 1, '0' 2, '1' 3)"
expect_text levels.gp "set palette maxcolors 3"
[ "$(sed -n '/^\$map/,/^EOD/p' levels.gp | awk 'NF == 7 { print $7 }' | sort -u | tr '\n' ' ')" = "1 2 3 " ] ||
  fail "the levels of cells"
expect_text scale.gp "set cbrange [-1:1]"
# A cell with a value of its own makes a scale, or, where discrete colours are asked for, is left out.
expect_text other.gp "set cbrange [-1:1]"
expect_text asked.gp "set cbtics ('−1' 1, '0' 2, '1' 3)"
[ "$(sed -n '/^\$map/,/^EOD/p' asked.gp | awk 'NF == 7' | wc -l)" = 63 ] || fail "the cells of asked.gp"
# arrows FILE: how many the bar has.
arrows() { grep -c "^set object polygon" "$1" || true; }
[ "$(arrows low.gp) $(arrows high.gp) $(arrows all.gp) $(arrows levels.gp)" = "1 1 0 0" ] || fail "arrows"
expect_text low.gp "to graph 1.0525,0 "
expect_text high.gp "to graph 1.0525,1 "
