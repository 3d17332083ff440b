# Ctrl-C ends a long run, and a Lua loop, with status 130 and no file.
cat > long.lua <<'LUA'
local bm = require "bmsim"
print "begins"
io.stdout:flush()
bm.run {
  model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 } },
  dt = 1e-3, time = 1e8, paths = 1024, output = "long.csv",
}
LUA
cat > loop.lua <<'LUA'
print "begins"
io.stdout:flush()
while true do end
LUA
for script in long loop; do
  # --foreground: one signal to the program, not a second one to its process group.
  status=0
  timeout --foreground --preserve-status -s INT -k 20 3 "$bmsim" $script.lua > stdout 2> stderr || status=$?
  expect_text stdout "begins"
  [ "$status" = 130 ] || { cat stderr >&2; fail "$script: exit status $status"; }
  expect_text stderr "interrupted"
done
[ -z "$(ls -A | grep -v -e '\.lua$' -e '^std')" ] || fail "left behind: $(ls -A)"
