# The particle runs against the force, by far more than its errors.
expect_quick negative_mobility 8 -D points=4 gaussian.T force velocity
sed -n 's/^most negative velocity: \(.*\) standard errors below.*/\1/p' stdout |
  awk '{ exit !($1 > 6) }' || fail "$(cat stdout)"
