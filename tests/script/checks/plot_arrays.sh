# The text that r:plot makes of arrays whose numbers are known: particles without noise, x = x0 + F t.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { drive = bm.drive.cosine { amplitude = 0, omega = 2 * math.pi } },
  sweep = { "force", { 0, 1.5 } }, paths = 2, dt = 0.01, time = 4, precision = "double", transient = 0.5,
    device = "cpu",
  initial = { x = { from = -0.5, to = 0.5, count = 2 } },
  observe = { bm.observe.paths { paths = 2, count = 3 }, bm.observe.stroboscope { paths = 2, periods = 2 } },
}
local function moving(p) return p.force > 0 end
r:plot { array = "paths_x", file = "lines.gp" }
r:plot { array = "paths_x", where = moving, theory = function(p, t) return p.force * t end, file = "theory.gp" }
r:plot { array = "stroboscope_x", x = "force", fold = 1, ylabel = "x mod L", file = "dots.gp" }
r:plot { array = "stroboscope_x", file = "periods.gp" }
r:plot { array = "paths_x", where = moving, x = "path", y = "time", file = "map.gp" }
r:plot { array = "paths_time", y = "force", file = "column.gp" }
r:plot { array = "paths_x", y = "paths_time", where = moving, equal = true, file = "plane.gp" }
r:plot { array = "paths_x", x = "paths_time", where = moving, fold = 2, file = "folded.gp" }
r:plot { array = "paths_x", where = moving, units = "on", file = "units.gp" }
-- Arrays of other coordinates and the same lengths: one over the other, value by value.
local again = bm.run {
  model = bm.overdamped { force = 0.5, drive = bm.drive.cosine { amplitude = 0, omega = 2 * math.pi } },
  paths = 2, dt = 0.01, time = 4, precision = "double", transient = 0.5, device = "cpu",
  initial = { x = { from = -0.5, to = 0.5, count = 2 } },
  observe = { bm.observe.paths { paths = 2, count = 2 }, bm.observe.stroboscope { paths = 2, periods = 2 } },
}
again:plot { array = "stroboscope_x", y = "paths_x", file = "parametric.gp" }
LUA
"$bmsim" --dry-run script.lua > stdout || fail "a dry run: exit status $?"
[ "$(ls)" = "$(printf 'script.lua\nstdout')" ] || fail "a dry run made $(ls)"
sed 's/array = "stroboscope_x", file/array = "stroboscop_x", file/' script.lua > misspelt.lua
"$bmsim" --dry-run misspelt.lua > stdout 2> stderr && fail "a dry run does not look for arrays"
expect_text stderr "plot: unknown array 'stroboscop_x'; did you mean 'stroboscope_x'?"
"$bmsim" --quiet script.lua || fail "exit status $?"

# expect_data FILE: its data, rounded to 6 digits, is standard input.
expect_data() {
  awk '/^\$/ { inside = 1 }
       inside && !/^(\$|EOD)/ { for (i = 1; i <= NF; i++) if ($i != "NaN") $i = sprintf("%.6g", $i) + 0 }
       inside { print }
       /^EOD/ { inside = 0 }' "$1" > shown
  diff -u - shown || fail "the data of $1"
}

# Times of a run without transient are the array paths_time: 2, 3, 4. Points have a colour each, both paths the same.
expect_data lines.gp <<'DATA'
$curve1 << EOD
2 -0.25
3 -0.25
4 -0.25
EOD
$curve2 << EOD
2 0.25
3 0.25
4 0.25
EOD
$curve3 << EOD
2 2.75
3 4.25
4 5.75
EOD
$curve4 << EOD
2 3.25
3 4.75
4 6.25
EOD
DATA
expect_text lines.gp "set xlabel '{/:Italic t}'"
expect_text lines.gp "set ylabel '{/:Italic x}'"
cat > expected <<'GP'
plot \
  $curve1 using 1:2 with linespoints lw 1 pt 7 ps 0.6 lc rgb '#0072B2' title '{/:Italic f} = 0', \
  $curve2 using 1:2 with linespoints lw 1 pt 7 ps 0.6 lc rgb '#0072B2' notitle, \
  $curve3 using 1:2 with linespoints lw 1 pt 5 ps 0.6 lc rgb '#D55E00' title '{/:Italic f} = 1.5', \
  $curve4 using 1:2 with linespoints lw 1 pt 5 ps 0.6 lc rgb '#D55E00' notitle
unset output
GP
sed -n '/^plot/,$p' lines.gp | diff -u expected - || fail "how lines are drawn"

# A function as theory: 301 points from the first x to the last; then the data without lines, a colour a path.
sed -n '/^\$curve1/,/^EOD/p' theory.gp > curve
[ "$(wc -l < curve)" = 303 ] || fail "theory has $(wc -l < curve) lines"
[ "$(sed -n '2p;152p;302p' curve | tr '\n' ';')" = "2 3;3 4.5;4 6;" ] || fail "theory: $(head -n 3 curve)"
expect_text theory.gp "using 1:2 with points pt 5 ps 0.6 lc rgb '#D55E00' notitle"
expect_text theory.gp "title 'theory'"

# Over a column: dots; positions modulo 1: t = 3 and 4 after 1.5 t.
expect_data dots.gp <<'DATA'
$curve1 << EOD
0 -0.25
0 -0.25
0 0.25
0 0.25
1.5 0.25
1.5 -0.25
1.5 -0.25
1.5 0.25
EOD
DATA
expect_text dots.gp "with points pt 7 ps 0.25 lc rgb '#0072B2' notitle"
expect_text dots.gp "set ylabel 'x mod L'"
expect_text periods.gp "with points pt 5 ps 0.6" # no line through what is seen once a period

# Maps: of two coordinates at one point, and over a swept column.
expect_data map.gp <<'DATA'
$map << EOD
1 2 0.5 1.5 1.5 2.5 2.75
2 2 1.5 2.5 1.5 2.5 3.25
1 3 0.5 1.5 2.5 3.5 4.25
2 3 1.5 2.5 2.5 3.5 4.75
1 4 0.5 1.5 3.5 4.5 5.75
2 4 1.5 2.5 3.5 4.5 6.25
EOD
DATA
expect_text map.gp "set cblabel '{/:Italic x}'"
expect_data column.gp <<'DATA'
$map << EOD
2 0 1.5 2.5 -0.75 0.75 2
3 0 2.5 3.5 -0.75 0.75 3
4 0 3.5 4.5 -0.75 0.75 4
2 1.5 1.5 2.5 0.75 2.25 2
3 1.5 2.5 3.5 0.75 2.25 3
4 1.5 3.5 4.5 0.75 2.25 4
EOD
DATA

# One array over another, a line for each path; a unit of both axes has the same length.
expect_data plane.gp <<'DATA'
$curve1 << EOD
2.75 2
4.25 3
5.75 4
EOD
$curve2 << EOD
3.25 2
4.75 3
6.25 4
EOD
DATA
expect_text plane.gp "set xlabel '{/:Italic x}'"
expect_text plane.gp "set ylabel '{/:Italic t}'"
expect_text plane.gp "set size ratio -1"

# A line that leaves a period on one side comes back on the other: 2.75, 4.25, 5.75 modulo 2.
expect_data <(sed -n '/^\$curve1/,/^EOD/p' folded.gp) <<'DATA'
$curve1 << EOD
2 0.75
3 0.25
4 -0.25
EOD
DATA
expect_data <(sed -n '/^\$curve2/,/^EOD/p' folded.gp) <<'DATA'
$curve2 << EOD
2 -0.75
NaN NaN
3 0.75
4 0.25
EOD
DATA
expect_text units.gp "set ylabel '{/:Italic x}  [length]'"

# One array over another whose coordinate is another one, value by value: at t = 3, 4 over t = 2, 4.
expect_data parametric.gp <<'DATA'
$curve1 << EOD
1.25 0.75
1.75 1.75
EOD
$curve2 << EOD
1.75 1.25
2.25 2.25
EOD
DATA
