# Two running states share the starts.
"$bmsim" -D points=32 -D output=basins.csv "$EXAMPLES/basins.lua" > stdout || fail "exit status $?"
expect_table basins.csv 1024 initial_v initial_x value
tail -n 1 stdout | awk '{ along = $4 + 0; against = $7 + 0; exponent = $NF
  exit !(along > 0.5 && against > 0.1 && along + against > 0.98 && exponent < -0.4) }' || fail "$(cat stdout)"
