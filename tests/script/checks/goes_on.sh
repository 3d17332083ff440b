# What only shows or keeps results does not end a script: it goes on after the error, and the exit status is 1 at the
# end.
cat > shows.lua <<'LUA'
local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local function go(paths) return bm.run { model = motor, dt = 0.1, time = 1, paths = paths } end
local r = go(16)
r:plot { x = "gaussian.D", y = "velocty", file = "a.svg" }
r:compare(bm.theory.kramers)
r:print { "velocty" }
r:write "nowhere/a.csv"
r:write("a.csv", "density")
bm.figure { { r, x = "gaussian.D", y = "velocty" }, file = "b.svg" }
bm.plot({ { "x", { 1 } } }, { x = "x", y = "y", file = "c.svg" })
local ok, why = pcall(r.plot, r, { x = "gaussian.D", y = "velocty", file = "a.svg" })
assert(not ok and why:find "unknown column 'velocty'", why)
go(32):write "second.csv"
assert(r:plot { x = "force", y = "velocty", file = "a.svg" } == r)
print "the end"
LUA
status=0
"$bmsim" --quiet shows.lua > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
[ "$(cat stdout)" = "the end" ] || fail "the script has not come to its end: $(cat stderr)"
[ -s second.csv ] || fail "the second run is not there"
for line in 5 6 7 8 9 10 11 15; do
  [ "$(grep -c "^shows.lua:$line: " stderr)" = 1 ] || fail "line $line: $(cat stderr)"
done
[ "$(wc -l < stderr)" = 9 ] || fail "$(cat stderr)"
expect_text stderr "bmsim: shows.lua: it went on after 8 errors, which stand above"
[ -e a.csv ] || fail "what nowhere/a.csv was to have is nowhere"
rm -f a.csv second.csv
# Errors of anything else end it as before, and so do errors before there is a result.
cat > ends.lua <<'LUA'
local bm = require "bmsim"
if bm.args.early then bm.figure {} end
local r = bm.run { model = bm.overdamped {}, dt = 0.1, time = 1, paths = 16 }
r:plot { x = "gaussian.D", y = "velocty", file = "a.svg" }
r:column "velocty"
print "not reached"
LUA
for early in true false; do
  status=0
  "$bmsim" --quiet -D early=$early ends.lua > stdout 2> stderr || status=$?
  [ "$status" = 1 ] || fail "exit status $status"
  [ ! -s stdout ] || fail "it has gone on"
done
expect_text stderr "ends.lua:4: "
expect_text stderr "ends.lua:5: "
# In a dry run, and with a traceback.
status=0
"$bmsim" --dry-run --traceback ends.lua > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "exit status $status"
expect_text stderr "ends.lua:4: in main chunk"
