# r:write "x.nc", and what show, export and rerun make of it.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local bath = bm.noise.gaussian { D = bm.args.D }
local motor = bm.underdamped { potential = bm.potential.sine {}, noise = bath }
local r = bm.run {
  model = motor, dt = 0.02, time = 4, paths = 32, output = "at once.nc",
  sweep = { { "force", { 0, 1, 2 } }, bm.zip { { "gamma", { 1, 2 } }, { "sine.V0", { 3, 4 } } } },
  observe = { "velocity", bm.observe.density { bins = 8 }, bm.observe.moments { times = { 1, 2 } } },
}
r:add("v/F", function(p) return p.velocity + tonumber(arg[1]) end)
r:write "x.nc":write "x.csv":write("density.csv", "density")
print "done"
LUA
"$bmsim" -D D=0.5 --seed 7 script.lua 0.25 > /dev/null || fail "exit status $?"
expect_table x.csv 6 force gamma sine.V0 velocity velocity_err v/F
expect_table density.csv 48 force gamma sine.V0 position value error
expect_text x.csv "sweep: [force, [gamma, sine.V0]]"

"$bmsim" show x.nc > shown || fail "show: exit status $?"
expect_text shown "density"
expect_text shown "(force 3, gamma 2, position 8)"
expect_text shown "velocity over force at gamma = 1"
"$bmsim" export x.nc --csv | cmp - x.csv || fail "export makes another table than r:write"
"$bmsim" export x.nc --csv -o again.csv || fail "export: exit status $?"
cmp again.csv x.csv || fail "export -o makes another table than r:write"

# A system: names and meanings are those of the variables, the header is one map without a key twice.
cat > system.lua <<'LUA'
local bm = require "bmsim"
local m = bm.system {
  variables = { "x", "y" }, inertia = { x = { gamma = "g*(1 + r2)" } }, define = { r2 = "x^2 + y^2" },
  equations = { x = "-x*(1 + r2)", y = "x - L*y" }, parameters = { g = 2, L = -0.5 },
  potential = { bm.potential.bond { of = { "y", "x" } } }, noise = { x = bm.noise.gaussian { T = 0.3 } },
}
local r = bm.run {
  model = m, sweep = { "mass_x", { 1, 2 } }, paths = 32, dt = 0.02, time = 4, check_step = false,
  observe = { bm.observe.moments { of = "x", times = { 1, 2 } }, bm.observe.moments { of = "y", times = { 1, 3 } },
              bm.observe.spectrum { of = { "y", "v_x" }, samples = 8, segments = 2 },
              bm.observe.fractional_moment { of = "y", count = 5 },
              bm.observe.correlation { of = "x*y", name = "xy", lags = 3, origins = 3 } },
}
r:write "system.nc":write "system.csv"
for _, name in ipairs { "moments_time", "moments_time_y", "x_cumulant_1", "spectrum_y", "spectrum_v_x",
                        "correlation_xy" } do
  print(name, r:array(name).label, r:array(name).unit, r:array(name).values[1][2])
end
LUA
"$bmsim" system.lua 2> /dev/null | cut -f1-3 > labels || fail "exit status $?"
diff -u - labels <<'EXPECTED' || fail "labels of arrays"
moments_time	t (x)	time
moments_time_y	t (y)	time
x_cumulant_1	k_1(x)	length
spectrum_y	S_y(f)	length^2 time
spectrum_v_x	S_v_x(f)	length^2/time
correlation_xy	C_xy(lag)	
EXPECTED
"$bmsim" show system.nc > shown || fail "show: exit status $?"
expect_text shown "title    Langevin equations of x, y: potential.equations, potential.bond, noise.gaussian"
expect_text shown "mass of x [mass]"
expect_text shown "<|y - y(t_0)|^q>"
for line in "gamma of x: g*(1 + r2)" "define:" "r2: x^2 + y^2" "of: [y, x]" "- moments: {times: [1, 2], of: x}" \
  "- moments: {times: [1, 3], of: y}"; do
  expect_text system.csv "$line"
done
"$bmsim" rerun --yes system.nc 2> /dev/null > stdout || fail "rerun: exit status $?"
expect_text stdout "identical: "
rm -f system.* labels stdout

# In another place, without the script, on one thread: the numbers are the file's.
mkdir elsewhere
mv x.nc "at once.nc" elsewhere
mv script.lua gone.lua
ls -A > before
for file in x.nc "at once.nc"; do
  "$bmsim" --threads 1 rerun --yes "elsewhere/$file" > stdout || fail "rerun of $file: exit status $?"
  expect_text stdout "identical: "
done
[ "$(ls elsewhere)" = "$(printf 'at once.nc\nx.nc')" ] || fail "rerun wrote files"
rm stdout
ls -A | diff before - || fail "rerun left files"

# What the file does not know of changes the numbers, and that is seen. The name that the script gave has a directory.
mkdir sub
cat > environment.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, dt = 0.1, time = 1, paths = 16,
         seed = tonumber(os.getenv "SEED"), output = "sub/x.nc" }
LUA
SEED=1 "$bmsim" environment.lua || fail "exit status $?"
SEED=1 "$bmsim" rerun --yes sub/x.nc > stdout || fail "rerun: exit status $?"
expect_text stdout "identical: 2 numbers"
status=0
SEED=2 "$bmsim" rerun --yes sub/x.nc > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "rerun of another seed: exit status $status"
expect_text stderr "rerun: 'sub/x.nc' is not repeated: 2 of 2 numbers differ, the largest difference is "
sed -i 's/tonumber(os.getenv "SEED")/"none"/' environment.lua # the stored text counts
SEED=1 "$bmsim" rerun --yes sub/x.nc > stdout || fail "rerun: exit status $?"

# What came with a file runs only if somebody says so, who is told what it is; and writes nothing elsewhere.
cat > picture.lua <<LUA
local bm = require "bmsim" -- $(printf '\033')[31m
local r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, dt = 0.1, time = 1, paths = 16,
                   sweep = { "gaussian.D", { 1, 2 } } }
r:write "picture.nc"
r:plot { x = "gaussian.D", y = "velocity", file = "$PWD/picture.gp" }
r:plot { x = "gaussian.D", y = "velocity", file = "../picture.gp" }
$(printf -- '-- %s\n' {1..20})
LUA
mkdir below
(cd below && "$bmsim" -D "word=a b" ../picture.lua) 2> /dev/null || fail "exit status $?"
rm picture.gp
status=0
"$bmsim" rerun below/picture.nc > stdout 2> stderr < /dev/null || status=$?
[ "$status" = 2 ] || fail "rerun without --yes: exit status $status"
expect_text stderr "rerun: nobody can be asked here whether it may run: bmsim rerun --yes FILE"
expect_text stderr "'-Dword=a b' picture.lua"
expect_text stderr '  | local bm = require "bmsim" -- \x1b[31m'
expect_text stderr "lines in all: bmsim show --script below/picture.nc"
for answer in n y; do
  script -qec "'$bmsim' rerun below/picture.nc" /dev/null <<< "$answer" > "answer.$answer" || true
done
expect_text answer.n "rerun: not run"
expect_text answer.y "identical: "
"$bmsim" rerun --yes below/picture.nc > stdout 2> stderr || fail "rerun --yes: exit status $?"
[ ! -e picture.gp ] || fail "rerun wrote a picture to where the script says"
"$bmsim" show --script below/picture.nc > stdout || fail "show --script: exit status $?"
[ "$(wc -l < stdout)" = "$(wc -l < picture.lua)" ] || fail "show --script: $(cat stdout)"
rm -r below answer.*

# From standard input; and what cannot be read.
"$bmsim" --overwrite -D D=1 --seed 3 - 0 < gone.lua > /dev/null || fail "exit status $?"
"$bmsim" rerun --yes x.nc > stdout || fail "rerun of standard input: exit status $?"
expect_text stdout "identical: "
expect_refusal() {
  local text=$1 status=0
  shift
  "$bmsim" "$@" > stdout 2> stderr || status=$?
  [ "$status" = 1 ] || fail "$*: exit status $status"
  [ ! -s stdout ] || fail "$*: something on stdout"
  expect_text stderr "$text"
}
expect_refusal "show: cannot read 'x.csv': it is not a netCDF file" show x.csv
expect_refusal "export: cannot read 'none.nc': no such file" export none.nc --csv
expect_refusal "rerun: cannot read '.': it is not a regular file" rerun .
expect_refusal "export: output: cannot write 'none/x.csv': No such file or directory" export x.nc --csv -o none/x.csv
expect_refusal "export: output: a table needs the suffix .csv or .tsv, got 'y.nc'" export x.nc --csv -o y.nc
head -c 9000 x.nc > half.nc
expect_refusal "show: cannot read 'half.nc': " show half.nc
expect_refusal "rerun: cannot read 'half.nc': " rerun half.nc

# A disk that is full: one message, nothing left, and the script goes on.
mkdir full
cd full
cat > ../full.lua <<'LUA'
local bm = require "bmsim"
local free = bm.overdamped { noise = bm.noise.gaussian {} }
local large = bm.run { model = free, dt = 0.1, time = 1, paths = 16,
                       sweep = { "gaussian.D", bm.linspace(1, 2, bm.args.few or 60000) },
                       observe = { "velocity", bm.observe.moments { times = { 0.5, 1 } } } }
local done, why = pcall(large.write, large, "large.nc")
assert(bm.args.few or not done and why:find "output: cannot write 'large.nc': File too large", why)
bm.run { model = free, dt = 0.1, time = 1, paths = 16, output = "small.nc" }
LUA
# Kernels are compiled before: their files may be larger.
"$bmsim" -D few=2 ../full.lua || fail "before the full disk: exit status $?"
rm ./*.nc
(trap "" XFSZ; ulimit -f 2000; exec "$bmsim" ../full.lua) || fail "full disk: exit status $?"
[ "$(ls -A)" = small.nc ] || fail "full disk: left $(ls -A)"
"$bmsim" rerun --yes small.nc > /dev/null && fail "rerun of a script that fails succeeds" || true
