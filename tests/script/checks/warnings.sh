# What is given and never read is named at the end with the nearest key that was; so are results that nobody looks at.
cat > quiet.lua << 'END'
local bm = require "bmsim"
local model = bm.overdamped { noise = bm.noise.gaussian(bm.args.noise) }
local r = bm.run { model = model, paths = bm.args.paths or 32, dt = 0.1, time = 1 }
if bm.args.look then print(r.points) end
END
"$bmsim" -D pahts=64 -D noise.D=3 quiet.lua > stdout 2> stderr || fail "exit status $?"
diff -u - stderr << 'END' || fail "stderr"
bmsim: -D: no line of the script has read 'pahts'; did you mean 'paths'?
bmsim: quiet.lua: nothing was done with what 1 run gave: r:print(), r:write(file), or output = in bm.run
END
# What is read, by name or by going over a table, and what is looked at, is passed over in silence.
"$bmsim" -D paths=64 -D noise.D=3 -D look=true quiet.lua > stdout 2> stderr || fail "exit status $?"
[ ! -s stderr ] || { cat stderr >&2; fail "something was said"; }
[ "$(cat stdout)" = 1 ] || fail "no result"

cat > file.yaml << 'END'
paths: 32
time: { steps: 10, scale: 0.1 }
list: [1, 2]
END
cat > reads.lua << 'END'
local bm = require "bmsim"
for key, value in pairs(bm.args.time) do print(key, value) end
print(bm.args.paths, #bm.args.list, next(bm.args) ~= nil, bm.args.none)
END
"$bmsim" --params file.yaml reads.lua > stdout 2> stderr || fail "exit status $?"
[ ! -s stderr ] || { cat stderr >&2; fail "something was said of keys that were read"; }
expect_text stdout "32	2	true	nil"
expect_text stdout "scale	0.1"
echo 'print(require("bmsim").args.time.steps)' > part.lua
"$bmsim" --params file.yaml part.lua > stdout 2> stderr || fail "exit status $?"
diff -u - stderr << 'END' || fail "stderr"
bmsim: --params: no line of the script has read 'list'; read: time, time.steps
bmsim: --params: no line of the script has read 'paths'; read: time, time.steps
bmsim: --params: no line of the script has read 'time.scale'; read: time, time.steps
END
# A script without runs, or that fails, has nothing to be told; a file is a use.
echo 'print(1)' > plain.lua
"$bmsim" plain.lua > stdout 2> stderr || fail "exit status $?"
[ ! -s stderr ] || fail "a script without runs was told something"
"$bmsim" -D typo=1 plain.lua 2>&1 > stdout | grep -q "no line of the script has read 'typo'; read: none" || fail "typo"
cat > written.lua << 'END'
local bm = require "bmsim"
bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, paths = 32, dt = 0.1, time = 1, output = "out.csv" }
END
"$bmsim" --strict written.lua 2> stderr || fail "exit status $?"
[ ! -s stderr ] || fail "a script that writes a file was told something"
# -0 is 0.
"$bmsim" - > stdout << 'END' || fail "exit status $?"
local bm = require "bmsim"
local r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, paths = 32, dt = 0.1, time = 1 }
r:add("zero", function() return -0 * 1 end):add("minus", { -1e-300 * 1e-300 }):print { "minus" }:write "zero.csv"
END
! grep -q -- "-0" stdout || fail "-0 is printed"
! grep -v '^#' zero.csv | grep -q -- ',-0$' || fail "-0 is written"
