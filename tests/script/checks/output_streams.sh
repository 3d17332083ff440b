# Devices, pipes and FIFOs are written to directly: no file beside them, and what is printed keeps its place.
cat > write.lua <<'LUA'
local bm = require "bmsim"
print "before"
local r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian { D = 1 } }, dt = 0.1, time = 1, paths = 16,
                   output = bm.args.output }
for _, file in ipairs { ... } do r:write(file) end
print "after"
LUA
write() { "$bmsim" --quiet --device cpu "$@"; }
# is_between FILE: the table is between what was printed.
is_between() {
  grep -v '^#' "$1" > text || fail "$1 is empty"
  [ "$(sed -n 1p text)" = before ] && [ "$(tail -n 1 text)" = after ] || { cat "$1" >&2; fail "$1 is out of order"; }
  [ "$(grep -c velocity_err text)" = "$2" ] || { cat "$1" >&2; fail "not $2 tables in $1"; }
}
devices() { find /dev -maxdepth 1 -newer write.lua -type f; }
write write.lua /dev/stdout | cat > piped || fail "a pipe: exit status $?"
is_between piped 1
echo earlier > appended
write write.lua /dev/stdout /dev/fd/1 /proc/self/fd/1 >> appended || fail "a file: exit status $?"
[ "$(head -n 1 appended)" = earlier ] || fail "the file was written anew"
sed -i 1d appended
is_between appended 3
write -D output=/dev/stdout write.lua > printed || fail "output: exit status $?"
is_between printed 1
write write.lua /dev/stderr > stdout 2> stderr || fail "stderr: exit status $?"
grep -v '^#' stderr | grep -q velocity_err || fail "no table in stderr"
write write.lua /dev/null > stdout || fail "/dev/null: exit status $?"

mkfifo table.csv result.nc
cat table.csv > table &
cat result.nc > result &
write write.lua table.csv result.nc > stdout || fail "FIFOs: exit status $?"
wait
expect_table table 1 velocity velocity_err
cp result copy.nc
"$bmsim" show copy.nc > shown || fail "show: exit status $?"
[ -p table.csv ] && [ -p result.nc ] || fail "a FIFO was replaced"
"$bmsim" export --csv copy.nc -o /dev/stdout | grep -qF velocity || fail "nothing is exported to a pipe"

# What cannot be written there is kept in the current directory.
status=0
write write.lua /dev/full > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "a full device: exit status $status"
expect_text stderr "write.lua:5: output: cannot write '/dev/full': No space left on device; what was to be in it is in"
expect_text stderr "in 'full."
status=0
write write.lua /dev/none.txt > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "an unknown suffix: exit status $status"
expect_text stderr "what was to be in it is in 'none.nc'"
status=0
write write.lua /dev/fd/0 < write.lua > stdout 2> stderr || status=$?
[ "$status" = 1 ] || fail "a file that is only read: exit status $status"
expect_text stderr "output: cannot write '/dev/fd/0': Bad file descriptor"
[ -z "$(devices)" ] || fail "left behind: $(devices)"
[ -z "$(ls -A | grep part)" ] || fail "left behind: $(ls -A)"
