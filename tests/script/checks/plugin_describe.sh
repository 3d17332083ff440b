# A description has the equation, the parameters and the reference.
"$bmsim" plugin describe poisson > stdout || fail "exit status $?"
for text in noise.poisson lambda zeta compensated Luczka; do expect_text stdout "$text"; done
"$bmsim" plugin describe noise.poisson | cmp - stdout || fail "the short and the full name differ"
# What scripts write as a formula, both kinds or one.
"$bmsim" plugin describe formula > stdout || fail "exit status $?"
for text in potential.formula drive.formula "V0*sin(2*pi*x/L)"; do expect_text stdout "$text"; done
"$bmsim" plugin describe drive.formula > stdout || fail "exit status $?"
! grep -q potential.formula stdout || fail "the potential is described, too"
# A library that is not loaded, by its file.
"$bmsim" plugin describe "$PROBES/good/tabulated.so" > stdout || fail "exit status $?"
for text in noise.tabulated "law is one of slow, fast"; do expect_text stdout "$text"; done
