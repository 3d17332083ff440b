# Pictures are what their suffix says, replace older ones, and leave nothing beside them; a dry run makes none.
command -v gnuplot > /dev/null || { echo "no gnuplot: not checked"; exit 77; }
cat > script.lua <<'LUA'
local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = motor, sweep = { { "gaussian.D", { 1, 2, 3 } }, { "force", { 0, 1 } } }, dt = 0.1, time = 1,
                   paths = 16 }
for _, suffix in ipairs { "svg", "pdf", "png" } do
  r:plot { x = "gaussian.D", y = "velocity", group = "force", file = "it's a curve." .. suffix }
   :plot { x = "gaussian.D", y = "force", z = "velocity", file = "map." .. suffix }
end
LUA
"$bmsim" --dry-run script.lua > stdout || fail "exit status $?"
[ "$(ls)" = "$(printf 'script.lua\nstdout')" ] || fail "a dry run made $(ls)"
for round in 1 2; do "$bmsim" script.lua > stdout || fail "exit status $?"; done
[ ! -s stdout ] || fail "on stdout: $(cat stdout)"
[ "$(ls -A | wc -l)" = 8 ] || fail "left behind: $(ls -A)"
for picture in "it's a curve" map; do
  head -c 600 "$picture.svg" | grep -q '<svg' || fail "$picture.svg is no SVG"
  tail -c 20 "$picture.svg" | grep -q '</svg>' || fail "$picture.svg is not complete"
  [ "$(head -c 5 "$picture.pdf")" = "%PDF-" ] || fail "$picture.pdf is no PDF"
  [ "$(head -c 4 "$picture.png" | tail -c 3)" = PNG ] || fail "$picture.png is no PNG"
done
# Every curve and every cell is in the picture.
[ "$(grep -c "rgb(  0, 114, 178)" "it's a curve.svg")" -ge 1 ] || fail "the first colour is not there"
grep -q 'font-style="italic"[^>]*>v<' "it's a curve.svg" || fail "the label is not there"

# A gnuplot that fails, or says nothing and makes nothing: its own words, no picture, and the data kept.
cat > broken.lua <<'LUA'
local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = motor, sweep = { "gaussian.D", { 1, 2, 3 } }, dt = 0.1, time = 1, paths = 16 }
r:plot { x = "gaussian.D", y = "velocity", file = "broken.svg" }
LUA
mkdir bin
broken() {
  printf '#!/bin/sh\n%s\n' "$1" > bin/gnuplot
  chmod +x bin/gnuplot
  status=0
  PATH="$PWD/bin:$PATH" "$bmsim" broken.lua 2> stderr || status=$?
  [ "$status" = 1 ] || fail "exit status $status"
  echo "broken.lua:4: plot: gnuplot could not draw 'broken.svg': $2; the data is kept in 'broken.svg.gp'" > expected
  diff expected stderr || fail "another message"
  [ "$(ls broken*)" = "$(printf 'broken.lua\nbroken.svg.gp')" ] || fail "left behind: $(ls broken*)"
  expect_text broken.svg.gp "set output 'broken.svg'"
  rm broken.svg.gp
}
broken 'echo; echo "         \"x.gp\" line 3: all paper used up"; exit 2' '"x.gp" line 3: all paper used up'
broken 'exit 0' 'no picture was made'
