# A description has the equation, the parameters and the reference.
"$bmsim" plugin describe poisson > stdout || fail "exit status $?"
for text in noise.poisson lambda zeta compensated Luczka; do expect_text stdout "$text"; done
"$bmsim" plugin describe noise.poisson | cmp - stdout || fail "the short and the full name differ"
