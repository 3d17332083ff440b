# Names of files that mean something else to a shell, to gnuplot or to a terminal: no command is run, and the picture is
# there.
command -v gnuplot > /dev/null || { echo "no gnuplot: not checked"; exit 77; }
cat > run.lua <<'LUA'
local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local r = bm.run { model = motor, sweep = { "gaussian.D", { 1, 2 } }, dt = 0.1, time = 1, paths = 16 }
local names = { "|touch ran", "-persist", "$(touch ran)", "`touch ran`", "''x'", "a'b", '"x"', "<x", ("n"):rep(251) }
for _, name in ipairs(names) do
  r:plot { x = "gaussian.D", y = "velocity", file = name .. ".svg", title = name }
  r:plot { x = "gaussian.D", y = "velocity", file = name .. ".gp", title = name }
  r:write(name .. ".csv")
end
local ok, why = pcall(r.plot, r, { x = "gaussian.D", y = "velocity", file = ("n"):rep(252) .. ".svg" })
assert(not ok and why:find "File name too long", why)
LUA
"$bmsim" run.lua || fail "exit status $?"
[ ! -e ran ] || fail "a command was run"
for picture in *.svg; do tail -c 20 -- "$picture" | grep -q '</svg>' || fail "'$picture' is not complete"; done
[ "$(ls -A -- *.svg | wc -l)" = 9 ] || fail "$(ls)"
# The texts for gnuplot draw the same, under their own names.
rm -- *.svg
for text in *.gp; do gnuplot -d "./$text" || fail "'$text' cannot be drawn"; done
[ ! -e ran ] || fail "a command was run"
[ "$(ls -- *.pdf | wc -l)" = 9 ] || fail "$(ls)"
