# A file that exists is replaced only by overwrite = true or --overwrite, and that is found out before the run starts.
cat > script.lua <<'LUA'
local bm = require "bmsim"
local free = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }
local function run(fields)
  fields.model, fields.dt, fields.paths, fields.time = free, 0.1, 16, fields.time or 1
  fields.observe = fields.observe or bm.observe.moments { times = { 0.5, 1 } }
  return bm.run(fields)
end
local exists = "; overwrite = true in bm.run, or --overwrite, replaces it"
local function refused(file, f)
  local done, why = pcall(f)
  assert(not done and why:find("output: '" .. file .. "' exists" .. exists, 1, true), tostring(why))
end
local function say(file, text)
  local out = assert(io.open(file, "w"))
  out:write(text)
  out:close()
end
local function text_of(file) return assert(io.open(file)):read "*a" end

for _, file in ipairs { "a.csv", "a.tsv", "a.nc" } do
  say(file, "mine")
  refused(file, function() run { output = file, time = 1e13 } end) -- the run would not end
  refused(file, function() run {}:write(file) end)
  assert(text_of(file) == "mine")
end
for _, kept in ipairs { "a.2.csv", "a.2.tsv", "a.2.nc" } do assert(#text_of(kept) > 4) end -- what was refused
refused("a.csv", function() run {}:write("a.csv", "moments_time") end)
assert(text_of("a.3.csv"):find "value")
for _, file in ipairs { "k.csv", "k.nc" } do
  local done, why = pcall(function() run {}:write("nowhere/" .. file) end)
  local kept = "No such file or directory; what was to be in it is in '" .. file .. "'"
  assert(not done and why:find(kept, 1, true), tostring(why))
  assert(#text_of(file) > 4)
end
local own = run { output = "own.csv" } -- nor its own
refused("own.csv", function() own:write "own.csv" end)
refused("own.csv", function() run { output = "own.csv" } end)

local r = run { output = "a.csv", overwrite = true }
assert(text_of "a.csv" ~= "mine")
r:write "a.nc":write("a.tsv", "moments_time")
assert(text_of("a.tsv"):find "value")
run { output = "a.csv", overwrite = true }
local done, why = pcall(run, { overwrite = 1 })
assert(not done and why:find "run: overwrite must be true or false, got number", why)
LUA
"$bmsim" --quiet script.lua || fail "exit status $?"

# The command line; a dry run looks, too; pictures are replaced.
cat > plain.lua <<'LUA'
local bm = require "bmsim"
local r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.1, time = 1, paths = 16,
                   output = "plain.nc" }
r:write "plain.csv":plot { x = "gaussian.D", y = "velocity", file = "plain.gp" }
LUA
"$bmsim" --quiet plain.lua || fail "exit status $?"
for option in --quiet --dry-run; do
  status=0
  "$bmsim" $option plain.lua 2> stderr > stdout || status=$?
  [ "$status" = 1 ] || fail "$option: exit status $status"
  echo "plain.lua:2: output: 'plain.nc' exists; overwrite = true in bm.run, or --overwrite, replaces it" |
    diff - stderr || fail "another message"
done
cp plain.csv before.csv
echo mine > plain.csv
"$bmsim" --quiet --overwrite plain.lua || fail "--overwrite: exit status $?"
cmp plain.csv before.csv || fail "--overwrite did not replace the table"

# What a script writes twice over its own file is repeated.
"$bmsim" rerun --yes plain.nc > stdout || fail "rerun: exit status $?"
expect_text stdout "identical: "

"$bmsim" export plain.nc --csv -o new.csv || fail "export: exit status $?"
"$bmsim" export plain.nc --csv -o new.csv 2> stderr && fail "export replaced a file"
expect_text stderr "export: output: 'new.csv' exists; --overwrite replaces it"
"$bmsim" export plain.nc --csv -o new.csv --overwrite || fail "export --overwrite: exit status $?"

# Two programs at once with one name: one has it, and the other says where its result is.
cat > once.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.01, time = 1000, paths = 4000,
         output = bm.args.output }
LUA
for output in once.csv once.nc; do
  "$bmsim" --quiet --threads 1 -D output=$output once.lua 2> first &
  status=0
  "$bmsim" --quiet --threads 1 -D output=$output once.lua 2> second || status=$?
  wait $! && other=0 || other=$?
  [ $((status + other)) = 1 ] || fail "$output: exit status $status and $other"
  cat first second | grep -qE "another program has made it in the meantime.*once\.2\.|'$output' exists" ||
    fail "not said: $(cat first second)"
done
[ -z "$(ls -A | grep part)" ] || fail "left behind: $(ls -A)"
