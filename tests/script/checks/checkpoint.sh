# A run with --checkpoint that a scheduler ends goes on, and gives the file that it would have given; its parts give it
# together; what does not belong together is refused. Kills and other faults: tests/faults.
cat > run.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
local first = bm.run {
  model = model, paths = 20000, time = 60, dt = 0.01, sweep = { { "force", bm.linspace(0, 1, 12) } },
  observe = { "velocity", bm.observe.moments { count = 4 } }, check_step = false,
  output = "first.csv", overwrite = true,
}
bm.run {
  model = model, paths = 4000, time = 60, dt = 0.01, observe = { "velocity", "diffusion" }, limit = 40000,
  target = { velocity = { abs = 1e-6 * (1 + first:column("velocity")[1]) } }, output = "second.csv", overwrite = true,
}
LUA
numbers() { grep -hv '^#' first.csv second.csv; }
"$bmsim" --threads 1 run.lua 2> stderr || fail "exit status $?"
numbers > whole

# A scheduler's signal: status 75, and the same command goes on.
rm -rf kept
status=0
"$bmsim" --threads 1 --checkpoint kept run.lua 2> stderr &
sleep 0.3
kill -TERM $!
wait $! || status=$?
[ "$status" = 75 ] || [ "$status" = 0 ] || { cat stderr >&2; fail "SIGTERM: exit status $status"; }
[ "$status" = 0 ] || expect_text stderr "the same command goes on"
"$bmsim" --device cpu,cpu --threads 2 --checkpoint kept run.lua 2> stderr || { cat stderr >&2; fail "exit status $?"; }
numbers > resumed
cmp -s whole resumed || fail "a number has changed after a signal"
"$bmsim" checkpoint kept > stdout || fail "exit status $?"
expect_text stdout "shares done"

# Parts by processes of their own.
rm -rf parts first.csv second.csv
for round in 1 2 3; do
  for part in 1 2 3; do
    "$bmsim" --threads 1 --checkpoint parts --part $part/3 run.lua 2> stderr || { cat stderr >&2; fail "part $part"; }
  done
done
numbers > resumed
cmp -s whole resumed || fail "the parts give other numbers"

# What does not belong together.
refused() {
  local want=$1 text=$2
  shift 2
  status=0
  "$bmsim" "$@" 2> stderr || status=$?
  [ "$status" = "$want" ] || { cat stderr >&2; fail "$*: exit status $status"; }
  expect_text stderr "$text"
}
cp run.lua other.lua
echo "-- another script" >> other.lua
refused 1 "was begun with another script, which differs in line 12" --checkpoint parts other.lua
refused 1 "was begun with another command line" --checkpoint parts --seed 2 run.lua
refused 2 "--part needs --checkpoint" --part 1/2 run.lua
refused 2 "--part: must be K/N with 1 <= K <= N" --checkpoint parts --part 4/3 run.lua
refused 2 "--checkpoint-every: must be a number >= 0" --checkpoint parts --checkpoint-every soon run.lua
refused 1 "cannot make the directory" --checkpoint run.lua/below run.lua
refused 1 "is not a directory" checkpoint nothing
# A damaged record is computed again, and said to be.
printf 'X' | dd of=parts/part-1-of-3.journal bs=1 seek=700 conv=notrunc 2> dd_stderr
"$bmsim" --threads 1 --checkpoint parts run.lua 2> stderr || fail "exit status $?"
expect_text stderr "damaged place"
numbers > resumed
cmp -s whole resumed || fail "a damaged journal gives other numbers"
