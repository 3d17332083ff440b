# Locked below, running above, and in between what the starting point says.
expect_quick initial_grid 3 -D grid=8 force rest fast grid running
awk '$1 == 0.5 && $2 + $3 + $4 < 1e-3 { locked = 1 } $1 == 7.5 && $2 > 7.4 && $3 > 7.4 && $4 > 7.4 { runs = 1 }
  $1 == 4 && $2 < 1e-3 && $3 > 3.9 && $4 > 2 && $4 < 3.9 { both = 1 } END { exit !(locked && runs && both) }' stdout ||
  fail "$(cat stdout)"
