# On a terminal: a bar with percent, speed and time left, no wider than the terminal. Elsewhere nothing by itself.
cat > long.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 } },
         dt = 1e-3, time = 1e8, paths = 1024 }
LUA
interrupted() { timeout --foreground --preserve-status -s INT -k 20 2 "$bmsim" "$@" || true; }
interrupted long.lua 2> stderr
grep -v "^bmsim: run: 1e+14 steps, about " stderr > left || true  # what it will cost
[ "$(cat left)" = "long.lua:2: run: interrupted" ] || fail "progress where there is no terminal: $(cat stderr)"

command -v script > /dev/null || { echo "no script(1): the bar is not checked"; exit 0; }
script -qec true /dev/null > /dev/null 2>&1 < /dev/null || { echo "no pseudo-terminals here: not checked"; exit 0; }
for columns in 72 40; do
  script -qec "stty cols $columns; timeout --foreground -s INT -k 20 2 '$bmsim' long.lua; true" /dev/null \
    > typescript < /dev/null
  tr '\r' '\n' < typescript | sed 's/\x1b\[K//' | grep ' left$' > lines || { cat typescript >&2; fail "no progress"; }
  awk -v columns=$columns 'length($0) >= columns { print; exit 1 }' lines || fail "wider than $columns columns"
  grep -qE '(^|\] ) +[0-9]+ %  [0-9.e+]+ steps/s  [0-9.e+?]+ (s|min|h|days) left$' lines || fail "$(head -n 1 lines)"
  if [ $columns = 72 ]; then
    grep -qE '^\[=*> *\] ' lines || fail "no bar: $(head -n 1 lines)"
  else
    ! grep -q '\[' lines || fail "a bar where there is no room: $(head -n 1 lines)"
  fi
done

# What is left of a target is estimated from the errors: a round that is over is not the run.
cat > target.lua <<'LUA'
local bm = require "bmsim"
bm.run { model = bm.overdamped { potential = bm.potential.sine {}, noise = bm.noise.gaussian { D = 1 }, force = 1 },
         dt = 1e-3, time = 20, paths = 1024, target = { velocity = { rel = 1e-5 } }, limit = 1e10, check_step = false }
LUA
script -qec "timeout --foreground -s INT -k 20 4 '$bmsim' target.lua; true" /dev/null > typescript < /dev/null
tr '\r' '\n' < typescript | sed 's/\x1b\[K//' | grep -E '[0-9] (s|min|h|days) left' > lines ||
  { cat typescript >&2; fail "no progress"; }
! grep -E '(^|\] ) *([1-9][0-9]|100) %  | 0 s left' lines || fail "a target that is far away is said to be near"
