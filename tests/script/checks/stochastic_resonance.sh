# The response is that of the Fokker-Planck equation, largest between the ends of the sweep.
expect_deviation stochastic_resonance 5 -D points=5 -D paths=1024 gaussian.D amplification exact two_state
awk -F, '!/^#/ && ++row > 1 { seen[row] = $2 }
         END { exit !(seen[4] > 1.2 * seen[2] && seen[4] > 1.2 * seen[6]) }' stochastic_resonance.csv ||
  fail "no maximum"
