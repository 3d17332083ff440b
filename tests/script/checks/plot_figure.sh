# bm.figure, and insets: one text for gnuplot with all panels, whose axes end at the same places; and a picture of it.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local r = bm.run {
  model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, paths = 16, dt = 0.1, time = 1, device = "cpu",
  sweep = { { "force", { 0, 1, 2 } }, { "gaussian.D", { 1, 2 } } }, observe = { "velocity", bm.observe.density {} },
}
local table = { N = { 1, 2, 3 }, speed = { 1000, 2000, 4000 } }
local velocity = { r, x = "force", y = "velocity", group = "gaussian.D" }
local map = { r, x = "force", y = "gaussian.D", z = "velocity" }
local speed = { table, x = "N", y = "speed", title = "Speed" }
bm.figure { velocity, map, speed, { r, array = "density", group = "gaussian.D", units = "off" }, units = "on",
            file = "four.gp" }
bm.figure { { velocity }, { map, speed }, file = "rows.gp" }
bm.figure { velocity, velocity, columns = 1, file = "column.gp" }
bm.figure { velocity, velocity, width = 10, height = 5, font = 9, letters = false, file = "own.gp" }
bm.figure { velocity, file = "one.gp" }
bm.figure { { r, x = "force", y = "velocity", group = "gaussian.D", legend = "outside right top" }, file = "beside.gp" }
bm.figure { { r, x = "force", y = "force", equal = true, xrange = { 0, 4 }, yrange = { 0, 1 } }, width = 10, height = 8,
            file = "equal.gp" }
r:plot { x = "force", y = "velocity", file = "inset.gp",
         inset = { table, x = "N", y = "speed", at = { 0.5, 0.1 }, size = { 0.4, 0.5 } } }
for _, suffix in ipairs { "svg", "png", "pdf" } do
  if os.getenv "DRAW" then bm.figure { velocity, map, speed, file = "figure." .. suffix } end
end
LUA
DRAW=1 "$bmsim" --dry-run script.lua > stdout || fail "a dry run: exit status $?"
[ "$(ls)" = "$(printf 'script.lua\nstdout')" ] || fail "a dry run made $(ls)"
"$bmsim" --quiet script.lua || fail "exit status $?"

# count FILE PATTERN: how many lines of it begin so.
count() { grep -c -- "^$2" "$1" || true; }
# Four panels in two rows of two, as wide as a page of a journal, in 8 points.
expect_text four.gp "set terminal pdfcairo size 17.8cm,13.35cm enhanced font 'sans-serif,8'"
[ "$(count four.gp 'plot ')" = 4 ] || fail "four.gp has $(count four.gp 'plot ') plots"
[ "$(count four.gp 'set terminal')$(count four.gp 'set output')$(count four.gp 'set multiplot')" = 111 ] ||
  fail "four.gp sets its terminal more than once"
[ "$(grep -o "^set label '([a-z])'" four.gp | grep -o '([a-z])' | tr '\n' ' ')" = "(a) (b) (c) (d) " ] ||
  fail "the letters of four.gp"
[ -z "$(grep -o '^\$[a-z0-9_]*' four.gp | sort | uniq -d)" ] || fail "two blocks have one name"
# ends FILE SIDE: where the axes of its plots end.
ends() { sed -n "s/^set $2margin at screen //p" "$1"; }
for side in l r; do
  [ "$(ends four.gp $side | sed -n 1p)" = "$(ends four.gp $side | sed -n 3p)" ] || fail "(a) and (c) differ: $side"
  [ "$(ends four.gp $side | sed -n 2p)" = "$(ends four.gp $side | sed -n 4p)" ] || fail "(b) and (d) differ: $side"
done
for side in t b; do
  [ "$(ends four.gp $side | sed -n 1p)" = "$(ends four.gp $side | sed -n 2p)" ] || fail "(a) and (b) differ: $side"
  [ "$(ends four.gp $side | sed -n 3p)" = "$(ends four.gp $side | sed -n 4p)" ] || fail "(c) and (d) differ: $side"
done
paste <(ends four.gp l) <(ends four.gp r) <(ends four.gp b) <(ends four.gp t) |
  awk '{ if (!(0 < $1 && $1 + 0.2 < $2 && $2 < 1 && 0 < $3 && $3 + 0.2 < $4 && $4 < 1)) bad = 1 }
       $1 < 0.5 != NR % 2 || $3 > 0.5 != (NR < 3) { bad = 1 } END { exit bad || NR != 4 }' || fail "the frames"
expect_text four.gp "set xlabel '{/:Italic f}  [force]'" # units of the figure
[ "$(grep -c "^set xlabel '{/:Italic x}/{/:Italic L}'" four.gp)" = 1 ] || fail "units of a panel"

# Rows that are given; the axes of the one panel go over the whole width.
[ "$(ends rows.gp b | awk '$1 > 0.5' | wc -l)" = 1 ] || fail "the first row of rows.gp"
awk 'NR == 1 && !($1 > 0.9) || NR == 2 && !($1 < 0.5) { exit 1 }' <(ends rows.gp r) || fail "the widths of rows.gp"
expect_text column.gp "set terminal pdfcairo size 8.6cm,12.9cm"
# The second panel has the legend of the first.
[ "$(count column.gp 'set key') $(count column.gp 'unset key')" = "1 1" ] || fail "the legends of column.gp"
expect_text beside.gp "set key at graph 1.02,1 left top Left reverse"
expect_text own.gp "set terminal pdfcairo size 10cm,5cm enhanced font 'sans-serif,9'"
[ "$(count own.gp 'set label')$(count one.gp 'set label')" = 00 ] || fail "letters"
expect_text one.gp "set terminal pdfcairo size 8.6cm,6.45cm"

# An inset: within the axes, on white, in smaller letters.
[ "$(count inset.gp 'plot ')" = 2 ] || fail "inset.gp has $(count inset.gp 'plot ') plots"
expect_text inset.gp "fc rgb 'white' fs solid 1 noborder"
expect_text inset.gp "set xlabel '{/:Italic N}' offset 0,0.5 font ',8'"
paste <(ends inset.gp l) <(ends inset.gp r) <(ends inset.gp b) <(ends inset.gp t) | awk '
  { l[NR] = $1; r[NR] = $2; b[NR] = $3; t[NR] = $4 }
  END { w = r[1] - l[1]; h = t[1] - b[1]
        exit !(l[2] > l[1] + 0.5 * w && r[2] < l[1] + 0.9 * w && b[2] > b[1] + 0.1 * h && t[2] < b[1] + 0.6 * h) }' ||
  fail "where the inset is"

# A unit of both axes has the same length, also where both ranges are given.
paste <(ends equal.gp l) <(ends equal.gp r) <(ends equal.gp b) <(ends equal.gp t) |
  awk '{ d = ($2 - $1) * 10 / 4 - ($4 - $3) * 8; exit !(d * d < 1e-6) }' || fail "equal.gp"

command -v gnuplot > /dev/null || { echo "no gnuplot: not drawn"; exit 77; }
DRAW=1 "$bmsim" --quiet script.lua || fail "exit status $?"
tail -c 20 figure.svg | grep -q '</svg>' || fail "figure.svg is not complete"
for label in '(a)' '(b)' '(c)' Speed; do grep -qF ">$label<" figure.svg || fail "'$label' is not in figure.svg"; done
[ "$(head -c 5 figure.pdf)" = "%PDF-" ] || fail "figure.pdf is no PDF"
# 300 dots to the inch.
[ "$(head -c 24 figure.png | tail -c 8 | od -An -tu1 | awk '{ print $3 * 256 + $4, $7 * 256 + $8 }')" = "2102 1577" ] ||
  fail "the size of figure.png"
