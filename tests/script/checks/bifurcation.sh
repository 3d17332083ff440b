# Without noise: one orbit of the drive's period at A = 3 whatever the start, one of five points at A = 6.
"$bmsim" -D points=3 -D output=bifurcation.csv -D plot=bifurcation.gp "$EXAMPLES/bifurcation.lua" > stdout ||
  fail "exit status $?"
expect_table bifurcation.csv 3 cosine.amplitude velocity velocity_err orbit
expect_text stdout "at A = 3 the orbit has 1 point, at A = 6 5"
expect_text bifurcation.gp "ylabel '{/:Italic v}'"
[ "$(sed -n '/^\$curve1/,/^EOD/p' bifurcation.gp | awk '$1 == 3 { print $2 }' | sort -u | wc -l)" -ge 1 ] ||
  fail "no orbit in the picture"
[ "$(sed -n '/^\$curve1/,/^EOD/p' bifurcation.gp | wc -l)" = $((3 * 640 + 2)) ] ||
  fail "not all dots are in the picture"
