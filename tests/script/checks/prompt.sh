# The prompt on standard input that is no terminal: values are printed, incomplete lines continue, errors end nothing.
cat > input <<'LUA'
x = 21
2 * x
for i = 1, 2 do
print("line " .. i)
end
bm.noise.none
undefind
"on" .. "ward"
local a, b = 3, 4
a .. b
{ 1, 2/3, { deep = "inside", ["end"] = bm.run } }
bm.run
local error = 5
bm.overdamped { force = "x" }
error
_ + 1
nil
r = bm.run { model = bm.overdamped { noise = bm.noise.gaussian {} }, dt = 0.1, time = 1, paths = 16, device = "cpu" }
r
r:print { "velocity" }
r:write "r.csv"
r:columns()
bm
= "said"
help
help()
if then
LUA
"$bmsim" -i < input > stdout 2> stderr || fail "exit status $?"
tr -d '\n' < stdout > joined
for text in "> 42" "line 2" "onward" "> 34> " '{ 1, 0.666667, { deep = "inside", ["end"] = bm.run } }' \
  "function bm.run: help(bm.run) explains it" "> 5> 6> nil> " "1 point of an overdamped model, 16 paths, 10 steps of" \
  "> velocity, velocity_err" "functions bm.choice, bm.f" "> said"; do
  expect_text joined "$text"
done
[ "$(grep -c '1 point of' stdout)" = 1 ] || fail "a result that was printed or written is shown once more"
[ -s r.csv ] || fail "r:write has written nothing"
for text in "unknown noise 'none'" "undefined global 'undefind'" "force must be a number" "unexpected symbol near"; do
  expect_text stderr "$text"
done
! grep -q 'stdin:1' stderr || fail "a place in a chunk of one line"
printf 'exit\nprint("after")\n' | "$bmsim" -i > stdout || fail "exit status $?"
! grep -q after stdout || fail "exit does not leave"
printf 'if true then\n' | "$bmsim" -i > stdout || fail "the end of the input in a chunk: exit status $?"
status=0
"$bmsim" -i input 2> stderr || status=$?
[ $status = 2 ] || fail "-i with a script: exit status $status"
expect_text stderr "-i is for a prompt, which takes no script, got 'input'"
printf 'print(6 * 7)\n' | "$bmsim" > stdout || fail "exit status $?"
[ "$(cat stdout)" = 42 ] || fail "without -i standard input is no script any more"
