# Overdamped diffusion is exact, and inertia hinders the escape.
expect_deviation kramers 3 gaussian.T diffusion gamma_2 gamma_8
tail -n +2 stdout | awk '$1 + 0 > 0.4 && !($6 < $9 && $9 < $2) { exit 1 }' || fail "$(cat stdout)"
