# bm.args: maps become tables, lists arrays, numbers numbers; -D wins over --params; keys that are not there are nil.
cat > params.yaml <<'YAML'
paths: 512
label: "42"
noise: { D: 0.5, a: [1.5, 2.5] }
fast: true
YAML
cat > script.lua <<'LUA'
local bm = require "bmsim"
local args = bm.args
print(args.paths, type(args.label), args.noise.D, args.noise.a[2], args.fast, args.missing, args.text, arg[0], ...)
LUA
"$bmsim" --params params.yaml -D paths=64 -D noise.D=2 -D text=1a script.lua -- -D x > stdout || fail "exit status $?"
printf '64\tstring\t2\t2.5\ttrue\tnil\t1a\tscript.lua\t-D\tx\n' | diff - stdout || fail "wrong values"
# Deeper than tables in tables may be.
status=0
"$bmsim" -D "$(printf 'a.%.0s' {1..70})b=1" script.lua > stdout 2> stderr || status=$?
[ "$status" = 2 ] || fail "a deep key: exit status $status"
expect_text stderr "bmsim: -D: a key must have at most 64 parts, got 'a.a."
# What the reader of YAML itself gives up on, and a file that is too large.
refused() {
  status=0
  "$bmsim" --params large.yaml script.lua > stdout 2> stderr || status=$?
  [ "$status" = 1 ] || fail "large.yaml: exit status $status"
  expect_text stderr "$1"
}
printf '[%.0s' {1..5000} > large.yaml
refused "large.yaml:1: values must be nested at most 64 deep"
head -c 2000000 /dev/zero | tr '\0' '#' > large.yaml
refused "large.yaml: has more than 1 MiB"
