# The cache of kernels: shown, cleared, found behind a symbolic link, and not missed when it goes between two runs.
mkdir own far
export XDG_CACHE_HOME=$PWD/own
cat > run.lua <<'LUA'
local bm = require "bmsim"
local motor = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local function run() return bm.run { model = motor, dt = 0.1, time = 1, paths = 64, device = "cpu" } end
local first = run()
if bm.args.remove then assert(os.execute("rm -r " .. bm.args.remove) == 0) end
assert(first:column("velocity")[1] == run():column("velocity")[1])
print(run().info.kernel_cached)
LUA
"$bmsim" run.lua > stdout || fail "exit status $?"
"$bmsim" cache > stdout || fail "exit status $?"
expect_text stdout "directory  $PWD/own/bmsim"
grep -qE '^kernels    [1-9]' stdout || fail "no kernel is seen: $(cat stdout)"
"$bmsim" -D remove="$PWD/own/bmsim" run.lua > stdout 2> stderr || fail "exit status $?: $(cat stderr)"
expect_text stdout true
[ ! -s stderr ] || fail "a word about it: $(cat stderr)"
mv own/bmsim far/kernels
ln -s ../far/kernels own/bmsim
"$bmsim" run.lua > stdout 2> stderr || fail "exit status $?"
expect_text stdout true
[ ! -s stderr ] || fail "a word about it: $(cat stderr)"
"$bmsim" cache clear > stdout || fail "exit status $?"
expect_text stdout "removed    "
[ -z "$(ls -A far/kernels)" ] || fail "left: $(ls -A far/kernels)"
status=0
"$bmsim" cache clean > stdout 2> stderr || status=$?
[ $status = 2 ] || fail "cache clean: status $status"
