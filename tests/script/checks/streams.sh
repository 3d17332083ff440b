# Standard streams that are closed, full, or a pipe that nobody reads: no run is lost, and no file is written into.
cat > run.lua <<'LUA'
local bm = require "bmsim"
local name = ...
print "printed"
for i = 1, 20000 do io.write("many lines, more than a pipe holds\n") end
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
local r = bm.run { model = model, paths = 64, dt = 1, time = 10, device = "cpu", output = name .. ".csv" }
io.stderr:write("said\n")
r:write(name .. ".tsv")
LUA
# ends NAME STATUS: what ended with this status has written its files as they should be.
ends() {
  [ "$status" = "$2" ] || { cat stderr >&2; fail "$1: exit status $status, not $2"; }
  for file in $1.csv $1.tsv; do
    [ -s $file ] || fail "$1: $file was not written"
    ! grep -qE 'printed|many lines|said' $file || fail "$1: $file holds what was printed"
  done
}
status=0; "$bmsim" run.lua all > stdout 2> stderr || status=$?
ends all 0
expect_text stderr "the step is too long"
status=0; "$bmsim" run.lua full_errors > stdout 2> /dev/full || status=$?
ends full_errors 0
status=0; "$bmsim" run.lua no_errors > stdout 2>&- || status=$?
ends no_errors 0
for pair in 'full_output >/dev/full' 'no_output >&-' 'neither >&- 2>/dev/full' 'none <&- >&- 2>&-'; do
  name=${pair%% *}
  status=0; eval "'$bmsim' run.lua $name 2> stderr ${pair#* }" || status=$?
  ends $name 1
  case $pair in *2\>*) ;; *) expect_text stderr "bmsim: cannot write to standard output" ;; esac
done
{ status=0; "$bmsim" run.lua pipe 2> stderr || status=$?; echo $status > status; } | true
status=$(cat status)
ends pipe 1
expect_text stderr "bmsim: cannot write to standard output"

# Errors keep their status, and nothing ends by a signal.
status=0; "$bmsim" absent.lua 2> /dev/full || status=$?
[ $status = 1 ] || fail "an unknown script: exit status $status"
status=0; "$bmsim" --nonsense 2>&- || status=$?
[ $status = 2 ] || fail "an unknown option: exit status $status"
status=0; "$bmsim" plugin list > /dev/full 2> stderr || status=$?
[ $status = 1 ] || fail "plugin list: exit status $status"
expect_text stderr "cannot write to standard output"
echo 'print(1' | "$bmsim" - > /dev/full 2>&- && fail "a script with an error succeeds"

# A limit of a file's size is an error of writing.
cat > large.lua <<'LUA'
local bm = require "bmsim"
local model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 0.3 } }
bm.run { model = model, paths = 64, dt = 0.01, time = 0.05, device = "cpu",
         sweep = { { "force", bm.linspace(0, 1, tonumber(...)) } }, output = "large.csv" }
LUA
"$bmsim" large.lua 10 && rm large.csv
status=0; (ulimit -f 4096; "$bmsim" large.lua 80000 2> stderr) || status=$?
[ $status = 1 ] || { cat stderr >&2; fail "a limit of the size: exit status $status"; }
expect_text stderr "output: cannot write 'large.csv': File too large; what was to be in it is in 'large.nc'"
[ -z "$(ls -A | grep large | grep -v -e large.lua -e large.nc)" ] || fail "left behind: $(ls -A)"
